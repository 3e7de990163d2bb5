// Samples of a multisampled target resolved by hand, bright ones counting less, over one of several skies.
Texture2DMS<float4> target : register(t0);
TextureCubeArray skies : register(t1);
SamplerState trilinear : register(s0);

cbuffer Resolve : register(b0)
{
    float exposure;
    float roughness;
};

float4 main(float4 position : SV_Position, float3 direction : DIRECTION, nointerpolation int sky : SKY) : SV_Target
{
    uint2 texel = (uint2)position.xy & 7;
    float4 sum = 0;
    for (int i = 0; i < 4; i++)
    {
        float4 colour = target.Load(texel, i);
        float weight = saturate(1 - max(colour.r, max(colour.g, colour.b)) * exposure);
        sum += colour * weight;
    }
    return sum + skies.SampleLevel(trilinear, float4(direction, sky & 1), roughness);
}
