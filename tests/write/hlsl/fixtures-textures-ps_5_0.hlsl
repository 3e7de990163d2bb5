cbuffer Constants : register(b0) {
    float4 lod : packoffset(c0);
    int4 texel : packoffset(c1);
    float2 dx : packoffset(c2);
    float2 dy : packoffset(c2.z);
};

Texture1D<float4> t1 : register(t0);
Texture1DArray<float4> t1a : register(t1);
Texture2D<float4> t2 : register(t2);
Texture2DArray<float4> t2a : register(t3);
Texture3D<float4> t3 : register(t4);
TextureCube<float4> tc : register(t5);
Texture2D<float4> depth : register(t6);
Texture2D<int4> integers : register(t9);
Buffer<float4> typed : register(t10);
Texture2D<float4> normalised : register(t11);
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
    float4 v1 = t1.Sample(s, uv.x) + t1a.Sample(s, float2(uv.x, uv.y)) + t2.Sample(s, uv.xy, int2(3, -4)) + t2a.Sample(s, float3(uv.xy, uv.z));
    float3 v2 = v1.xyz + t3.Sample(s, uv.xyz, int3(1, 2, -3)).xyz;
    float4 v3 = float4(v2, v1.w) + tc.Sample(s, uv.xyz).wzyx + (t2.SampleBias(s, uv.yx, lod.x) + t2a.SampleBias(s, float3(uv.zy, uv.x), -1.5, int2(-8, 7))) + (t2.SampleLevel(s, uv.xy, lod.y) + tc.SampleLevel(s, uv.xyz, 2.0).xxyy + t1.SampleLevel(s, uv.y, 0.0, 5));
    float4 v4 = v3 + (tc.SampleGrad(s, uv.xyz, ddx_coarse(uv.xyz), ddy_coarse(uv.xyz)) + t2.SampleGrad(s, uv.xy, dx, dy));
    float4 v5 = float4(v4.x + depth.SampleCmp(compare, uv.xy, uv.z), v4.y + depth.SampleCmpLevelZero(compare, uv.xy, lod.z, int2(1, 1)), v4.zw) + (t2.Load(int3(texel.xy, 1)) + t2a.Load(int4(int2(texel.x + 1, texel.y - 1), texel.z, 0)) + t3.Load(int4(texel.xyz, texel.w)).xyzz);
    float4 v6 = v5 + (t2.Load(int3(texel.zw, 0)) + (t1.Load(int2(texel.x, texel.y)) + typed[texel.w]) + t2.Load(int3(texel.xy, 2)) + normalised.Load(int3(texel.xy, texel.z))) + float4(integers.Load(int3(int2(position.xy), 0)));
    output.target = v6;
    return output;
}
