cbuffer Ssao : register(b0) {
    float4 projection[4] : packoffset(c0);
    float4 inverse_projection[4] : packoffset(c4);
    float4 kernel[16] : packoffset(c8);
    float2 noise_scale : packoffset(c24);
    float radius : packoffset(c24.z);
    float bias : packoffset(c24.w);
};

Texture2D<float4> depth_map : register(t0);
Texture2D<float4> normal_map : register(t1);
Texture2D<float4> noise_map : register(t2);
SamplerState point_clamp : register(s0);
SamplerState point_wrap : register(s1);

struct Output {
    float target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float2 texcoord : TEXCOORD
) {
    Output output;
    float4 depth_map_texel = depth_map.SampleLevel(point_clamp, texcoord, 0.0);
    float2 v1 = texcoord * float2(2.0, -2.0) + float2(-1.0, 1.0);
    float3 v2 = float3(dot(float4(v1, depth_map_texel.x, 1.0), inverse_projection[0]), dot(float4(v1, depth_map_texel.x, 1.0), inverse_projection[1]), dot(float4(v1, depth_map_texel.x, 1.0), inverse_projection[2])) / dot(float4(v1, depth_map_texel.x, 1.0), inverse_projection[3]);
    float3 v3 = normal_map.SampleLevel(point_clamp, texcoord, 0.0).xyz * 2.0 - 1.0;
    float3 v4 = rsqrt(dot(v3, v3)) * v3;
    float2 v5 = noise_map.SampleLevel(point_wrap, texcoord * noise_scale, 0.0).xy * 2.0 - 1.0;
    float3 v6 = float3(v5, 0.0) - v4 * dot(v5, v4.xy);
    float3 v7 = rsqrt(dot(v6, v6)) * v6;
    float3 v8 = v4.yzx * v7.zxy - v4.zxy * v7.yzx;
    float i1 = 0.0;
    int i2 = 0;
    float r1;
    while (true) {
        if (16 <= i2) {
            r1 = i1;
            break;
        }
        float3 v9 = (kernel[i2].z * v4 + (kernel[i2].x * v7 + v8 * kernel[i2].y)) * radius + v2;
        float2 v10 = float2(dot(float4(v9, 1.0), projection[0]), dot(float4(v9, 1.0), projection[1])) / dot(float4(v9, 1.0), projection[3]) * float2(0.5, -0.5) + 0.5;
        float4 depth_map_texel2 = depth_map.SampleLevel(point_clamp, v10, 0.0);
        float2 v11 = (v10 + v10) * float2(1.0, -1.0) + float2(-1.0, 1.0);
        float v12 = dot(float4(v11, depth_map_texel2.x, 1.0), inverse_projection[2]) / dot(float4(v11, depth_map_texel2.x, 1.0), inverse_projection[3]);
        float v13 = saturate(radius / abs(v2.z - v12));
        i1 = (v12 <= v9.z - bias ? 1.0 : 0.0) * (v13 * v13 * (3.0 - v13 * 2.0)) + i1;
        i2 = i2 + 1;
    }
    output.target = 1.0 - r1 * 0.0625;
    return output;
}
