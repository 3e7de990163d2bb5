// Four point lights with an attenuation radius.
struct Light
{
    float3 position;
    float radius;
    float3 color;
    float shininess;
};

cbuffer Lights : register(b0)
{
    Light lights[4];
    float3 eye;
    float ambient;
};

Texture2D albedo : register(t0);
SamplerState wrap : register(s0);

float4 main(float4 position : SV_Position, float3 world : POSITION, float3 normal : NORMAL, float2 uv : TEXCOORD0) : SV_Target
{
    float4 base = albedo.Sample(wrap, uv);
    float3 sum = base.rgb * ambient;
    [LOOP]
    for (int i = 0; i < 4; i++)
    {
        float3 to = lights[i].position - world;
        float d2 = dot(to, to);
        [BRANCH]
        if (d2 < lights[i].radius * lights[i].radius)
        {
            float3 l = to * rsqrt(d2 + 0.0625);
            float n_l = max(dot(normal, l), 0.0);
            float3 h = l + eye;
            float specular = pow(max(dot(normal, h), 0.0), lights[i].shininess);
            sum += (base.rgb * n_l + specular) * lights[i].color;
        }
    }
    return float4(sum, base.a);
}
