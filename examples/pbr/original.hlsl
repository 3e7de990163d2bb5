// One directional light on a metallic-roughness surface with a normal map.
cbuffer Frame : register(b0)
{
    float4x4 world;
    float3 eye;
    float exposure;
    float3 light_direction;
    float light_intensity;
    float3 light_color;
    float ambient;
};

Texture2D albedo_map : register(t0);
Texture2D normal_map : register(t1);
Texture2D<float2> metal_rough_map : register(t2);
SamplerState surface_sampler : register(s0);

float4 main(float3 world_position : POSITION, float3 normal : NORMAL, float4 tangent : TANGENT,
            float2 uv : TEXCOORD0) : SV_Target
{
    float4 albedo = albedo_map.Sample(surface_sampler, uv);
    float2 metal_rough = metal_rough_map.Sample(surface_sampler, uv);
    float3 t = normal_map.Sample(surface_sampler, uv).xyz * 2 - 1;
    float3 bitangent = cross(normal, tangent.xyz) * tangent.w;
    float3 mapped = tangent.xyz * t.x + bitangent * t.y + normal * t.z;
    float3 n = normalize(mul(mapped, (float3x3)world));
    float3 v = normalize(eye - world_position);
    float3 h = normalize(v - light_direction);
    float n_l = saturate(dot(n, -light_direction));
    float n_h = saturate(dot(n, h));
    float v_h = saturate(dot(v, h));
    float alpha = metal_rough.y * metal_rough.y;
    float a2 = alpha * alpha;
    float d = n_h * n_h * (a2 - 1) + 1;
    float3 f0 = lerp(0.04, albedo.rgb, metal_rough.x);
    float m = 1 - v_h;
    float m2 = m * m;
    float3 f = f0 + (1 - f0) * (m2 * m2 * m);
    float3 specular = f * (a2 / (d * d + 0.0001));
    float3 diffuse = albedo.rgb * (1 - metal_rough.x);
    float3 color = (diffuse + specular) * light_color * (n_l * light_intensity) + albedo.rgb * ambient;
    return float4(color * exposure, albedo.a);
}
