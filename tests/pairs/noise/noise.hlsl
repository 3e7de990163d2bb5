// Value noise on a sine hash, four octaves.
cbuffer Noise : register(b0)
{
    float2 scale;
    float time;
    float gain;
};

float hash(float2 p)
{
    return frac(sin(dot(p, float2(12.9898, 78.233))) * 43758.5453);
}

float value_noise(float2 p)
{
    float2 i = floor(p), f = frac(p);
    f = f * f * (3 - 2 * f);
    float a = hash(i), b = hash(i + float2(1, 0)), c = hash(i + float2(0, 1)), d = hash(i + float2(1, 1));
    float low = a + (b - a) * f.x, high = c + (d - c) * f.x;
    return low + (high - low) * f.y;
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float2 p = uv * scale + time;
    float sum = 0, amplitude = 0.5;
    [LOOP]
    for (int k = 0; k < 4; k++)
    {
        sum += value_noise(p) * amplitude;
        p = p * 2.0 + 17.25;
        amplitude *= gain;
    }
    return float4(sum, p, amplitude);
}
