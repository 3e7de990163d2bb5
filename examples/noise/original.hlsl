// Value noise on a sine hash: two octaves of clouds, tinted between two colours.
cbuffer Clouds : register(b0)
{
    float2 scale;
    float2 drift;
    float4 low_color;
    float4 high_color;
    float time;
    float coverage;
};

float hash(float2 p)
{
    return frac(sin(dot(p, float2(12.9898, 78.233))) * 43758.5453);
}

float noise(float2 p)
{
    float2 i = floor(p);
    float2 f = frac(p);
    f = f * f * (3 - 2 * f);
    float a = hash(i);
    float b = hash(i + float2(1, 0));
    float c = hash(i + float2(0, 1));
    float d = hash(i + float2(1, 1));
    return lerp(lerp(a, b, f.x), lerp(c, d, f.x), f.y);
}

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    float2 p = uv * scale + drift * time;
    float n0 = noise(p);
    float n1 = noise(p * 2 + 17.5);
    float n = saturate(n0 * 0.625 + n1 * 0.375 - coverage);
    return lerp(low_color, high_color, n);
}
