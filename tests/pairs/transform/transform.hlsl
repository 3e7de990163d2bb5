// A vertex transform by dot products, with a texture matrix and a fog factor.
cbuffer Object : register(b0)
{
    float4x4 world_view_projection;
    float4 texture_rows[2];
    float3 eye;
    float fog_scale;
};

struct Out
{
    float4 position : SV_Position;
    float2 uv : TEXCOORD0;
    float fog : TEXCOORD1;
};

Out main(float3 position : POSITION, float2 uv : TEXCOORD0)
{
    Out o;
    float4 p = float4(position, 1);
    o.position = mul(p, world_view_projection);
    o.uv = float2(dot(float3(uv, 1), texture_rows[0].xyz), dot(float3(uv, 1), texture_rows[1].xyz));
    float3 d = position - eye;
    o.fog = min(sqrt(dot(d, d)) * fog_scale, 1.0);
    return o;
}
