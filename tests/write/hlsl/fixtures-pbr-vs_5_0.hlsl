cbuffer PerFrame : register(b0) {
    float4 view_projection[4] : packoffset(c0);
    float4 shadow_matrix[4] : packoffset(c4);
    float3 eye : packoffset(c8);
    float exposure : packoffset(c8.w);
    float3 sun_direction : packoffset(c9);
    float sun_intensity : packoffset(c9.w);
    float3 sun_color : packoffset(c10);
    uint light_count : packoffset(c10.w);
};

cbuffer PerObject : register(b1) {
    float3 world[4] : packoffset(c0);
    float3 world_normal[3] : packoffset(c4);
    float4 base_color : packoffset(c7);
    float metallic_scale : packoffset(c8);
    float roughness_scale : packoffset(c8.y);
    float2 uv_scale : packoffset(c8.z);
};

struct Output {
    float4 position : SV_Position;
    float3 position2 : POSITION;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 texcoord : TEXCOORD;
    float4 texcoord1 : TEXCOORD1;
};

Output main(
    float3 position : POSITION,
    float3 normal : NORMAL,
    float4 tangent : TANGENT,
    float2 texcoord : TEXCOORD
) {
    Output output;
    float3 v1 = position.z * world[2] + (position.x * world[0] + position.y * world[1]) + world[3];
    output.position = float4(dot(float4(v1, 1.0), view_projection[0]), dot(float4(v1, 1.0), view_projection[1]), dot(float4(v1, 1.0), view_projection[2]), dot(float4(v1, 1.0), view_projection[3]));
    output.position2 = v1;
    float v2 = dot(normal, world_normal[0]);
    float v3 = dot(normal, world_normal[1]);
    float v4 = dot(normal, world_normal[2]);
    output.normal = rsqrt(dot(float3(v2, v3, v4), float3(v2, v3, v4))) * float3(v2, v3, v4);
    float v5 = dot(tangent.xyz, world_normal[0]);
    float v6 = dot(tangent.xyz, world_normal[1]);
    float v7 = dot(tangent.xyz, world_normal[2]);
    float3 v8 = rsqrt(dot(float3(v5, v6, v7), float3(v5, v6, v7))) * float3(v5, v6, v7);
    output.tangent = float4(v8, tangent.w);
    output.texcoord = texcoord * uv_scale;
    output.texcoord1 = float4(dot(float4(v1, 1.0), shadow_matrix[0]), dot(float4(v1, 1.0), shadow_matrix[1]), dot(float4(v1, 1.0), shadow_matrix[2]), dot(float4(v1, 1.0), shadow_matrix[3]));
    return output;
}
