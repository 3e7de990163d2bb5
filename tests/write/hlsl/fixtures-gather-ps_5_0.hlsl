cbuffer Constants : register(b0) {
    int4 offset : packoffset(c0);
    float reference : packoffset(c1);
};

Texture2D<float4> t : register(t0);
Texture2DArray<float4> ta : register(t1);
TextureCube<float4> tc : register(t2);
Texture2D<uint4> tu : register(t3);
SamplerState s : register(s0);
SamplerComparisonState compare : register(s1);

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float4 uv : UV
) {
    Output output;
    float4 v1 = t.Gather(s, uv.xy) + t.GatherGreen(s, uv.xy, int2(3, 3)) + t.GatherBlue(s, uv.yx) + t.GatherAlpha(s, uv.zw) + (t.GatherRed(s, uv.xy, offset.xy) + ta.GatherBlue(s, float3(uv.xy, uv.z), offset.zw));
    float4 t_texel = t.GatherGreen(s, uv.xy);
    float4 t_texel2 = t.GatherGreen(s, uv.xy, int2(1, 0));
    float4 t_texel3 = t.GatherGreen(s, uv.xy, int2(-2, 3));
    float4 t_texel4 = t.GatherGreen(s, uv.xy, int2(4, 4));
    float4 v2 = v1 + float4(t_texel.x, t_texel2.y, t_texel3.z, t_texel4.w) + (t.GatherCmp(compare, uv.xy, reference) + t.GatherCmp(compare, uv.xy, reference, offset.xy)) + (tc.GatherAlpha(s, uv.xyz) + tc.GatherCmp(compare, uv.xyz, uv.w));
    output.target = v2 + float4(tu.GatherGreen(s, uv.xy));
    return output;
}
