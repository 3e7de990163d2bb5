// A separable blur with weights in a constant buffer.
cbuffer Blur : register(b0)
{
    float4 weights[9];
    float4 floor_color;
    float2 direction;
};

Texture2D source : register(t0);
SamplerState linear_clamp : register(s0);

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float4 sum = floor_color;
    [LOOP]
    for (int i = -4; i <= 4; i++)
        sum += source.SampleLevel(linear_clamp, uv + direction * i, 0) * weights[i + 4].x;
    return sum;
}
