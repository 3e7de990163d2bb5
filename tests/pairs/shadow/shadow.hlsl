// Percentage-closer filtering with a comparison sampler.
cbuffer Shadow : register(b0)
{
    float2 texel;
    float bias;
    float strength;
};

Texture2D<float> shadow_map : register(t0);
SamplerComparisonState compare : register(s0);

float4 main(float4 position : SV_Position, float4 coordinate : TEXCOORD0) : SV_Target
{
    float3 p = coordinate.xyz / coordinate.w;
    float sum = 0;
    [LOOP]
    for (int y = -1; y <= 1; y++)
        [LOOP]
        for (int x = -1; x <= 1; x++)
            sum += shadow_map.SampleCmpLevelZero(compare, p.xy + texel * float2(x, y), p.z - bias);
    return sum * strength;
}
