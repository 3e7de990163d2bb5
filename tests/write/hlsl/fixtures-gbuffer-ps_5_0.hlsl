cbuffer Material : register(b0) {
    float4 tint : packoffset(c0);
    uint material_id : packoffset(c1);
    uint flags : packoffset(c1.y);
    float emissive : packoffset(c1.z);
    float velocity_scale : packoffset(c1.w);
};

Texture2D<float4> albedo_map : register(t0);
Texture2D<float4> normal_map : register(t1);
SamplerState wrap : register(s0);

struct Output {
    uint4 target : SV_Target;
    float4 target1 : SV_Target1;
};

Output main(
    float4 position : SV_Position,
    float3 normal : NORMAL,
    float2 texcoord : TEXCOORD,
    float4 texcoord1 : TEXCOORD1,
    float4 texcoord2 : TEXCOORD2,
    bool isfrontface : SV_IsFrontFace
) {
    Output output;
    float3 v1 = (bool3)isfrontface ? normal.zxy : -normal.zxy;
    float3 v2 = v1 * rsqrt(dot(v1, v1)) + (normal_map.Sample(wrap, texcoord).zxy * 2.0 - 1.0) * 0.5;
    float3 v3 = rsqrt(dot(v2, v2)) * v2;
    float3 v4 = v3 / (abs(v3.x) + (abs(v3.z) + abs(v3.y)));
    bool3 v5 = float3(0.0, 0.0, 0.0) <= v4;
    float2 v6 = (bool2)v5.x ? v4.yz : (v5.yz ? float2(1.0, 1.0) : float2(-1.0, -1.0)) * (1.0 - abs(v4.zy));
    uint2 v7 = uint2(saturate(float2(v6.x * 0.5 + 0.5, v6.y * 0.5 + 0.5)) * 4095.0 + 0.5);
    float2 v8 = (texcoord1.xy / texcoord1.w - texcoord2.xy / texcoord2.w) * velocity_scale;
    uint2 v9 = uint2(f32tof16(v8.x), f32tof16(v8.y));
    float4 v10 = albedo_map.Sample(wrap, texcoord) * tint;
    uint3 v11 = uint3(saturate(v10.xyz) * 255.0 + 0.5);
    output.target = uint4(((material_id << 24u) & 0xff000000u) | ((v7.y * 4096u + v7.x) & ~0xff000000u), v9.y * 0x10000u + v9.x, ((flags << 28u) & 0xf0000000u) | ((v11.z * 0x10000u + (v11.y * 256u + v11.x)) & ~0xf0000000u), asuint(v10.w * emissive));
    output.target1 = float4(v10.xyz, f16tof32((v9.y & 65535u) & 65535u));
    return output;
}
