// A switch over blend modes.
cbuffer Blend : register(b0)
{
    int mode;
    float opacity;
};

Texture2D below : register(t0);
Texture2D above : register(t1);
SamplerState point_clamp : register(s0);

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float4 a = below.Sample(point_clamp, uv), b = above.Sample(point_clamp, uv);
    float4 r;
    switch (mode)
    {
    case 0:
        r = a + b;
        break;
    case 1:
        r = a * b;
        break;
    case 2:
        r = min(a, b);
        break;
    case 3:
        r = max(a, b.wzyx);
        break;
    case 4:
        r = abs(a - b);
        break;
    default:
        r = a.x < 0.5 ? a * b * 2 : a - b;
        break;
    }
    return a + (r - a) * opacity;
}
