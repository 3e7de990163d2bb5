// Filmic curve, 3D table, sRGB.
cbuffer Tone : register(b0)
{
    float exposure;
    float lut_scale;
    float lut_bias;
    float threshold;
};

Texture2D hdr : register(t0);
Texture3D lut : register(t1);
SamplerState linear_clamp : register(s0);

float to_srgb(float c)
{
    float r;
    [BRANCH]
    if (c <= threshold)
        r = c * 12.92;
    else
        r = 1.055 * pow(c, 0.41666667) - 0.055;
    return r;
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float3 x = max(hdr.SampleLevel(linear_clamp, uv, 0).rgb * exposure, 0);
    x = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    x = lut.SampleLevel(linear_clamp, x * lut_scale + lut_bias, 0).rgb;
    return float4(to_srgb(x.r), to_srgb(x.g), to_srgb(x.b), dot(x, float3(0.2126, 0.7152, 0.0722)));
}
