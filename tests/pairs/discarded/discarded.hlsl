// An alpha test by threshold, then shading that needs no derivatives.
cbuffer Cutout : register(b0)
{
    float4 tint;
    float threshold;
};

Texture2D leaves : register(t0);
SamplerState wrap : register(s0);

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0, float light : LIGHT) : SV_Target
{
    float4 c = leaves.Sample(wrap, uv);
    if (c.a < threshold)
        discard;
    return float4(c.rgb * light, c.a) * tint;
}
