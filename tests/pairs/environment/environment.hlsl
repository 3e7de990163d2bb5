// A reflection looked up in a cube map at a level chosen by roughness.
cbuffer Environment : register(b0)
{
    float3 eye;
    float levels;
};

TextureCube sky : register(t0);
SamplerState trilinear : register(s0);

float4 main(float4 position : SV_Position, float3 world : POSITION, float3 normal : NORMAL, float roughness : ROUGHNESS) : SV_Target
{
    float3 v = world - eye;
    float3 r = v - normal * (2 * dot(v, normal));
    return sky.SampleLevel(trilinear, r, roughness * levels);
}
