// Lookups of textures, which samplers make with coordinates, weights and levels in fixed point. Each entry point is an original of pairs in
// manifest.tsv; samplers.tsv has the states.

Texture2D<float4> image : register(t0);
Texture3D<float4> cloud : register(t1);
Texture1D<float4> ramp : register(t2);
Texture2D<float> depth : register(t3);
Texture2DArray<float4> pages : register(t4);
SamplerState state : register(s0);
SamplerComparisonState compared : register(s1);

float4 repeated(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, 0);
}

float4 clamped(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, 0);
}

float4 mirrored(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, 0);
}

float4 bordered(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, 0);
}

float4 nearest(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, 0);
}

float4 levels(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, frac(a.z) * 2);
}

float4 moved(float4 a : TEXCOORD0) : SV_Target
{
    return image.SampleLevel(state, a.xy, 0, int2(2, -1));
}

float4 gathered(float4 a : TEXCOORD0) : SV_Target
{
    return image.GatherGreen(state, a.xy);
}

float4 clouded(float4 a : TEXCOORD0) : SV_Target
{
    return cloud.SampleLevel(state, a.xyz, 0);
}

float4 ramped(float4 a : TEXCOORD0) : SV_Target
{
    return ramp.SampleLevel(state, a.x, 0) * a.y;
}

float4 paged(float4 a : TEXCOORD0) : SV_Target
{
    return pages.SampleLevel(state, float3(a.xy, 2), 0);
}

float4 shadowed(float4 a : TEXCOORD0) : SV_Target
{
    return depth.SampleCmpLevelZero(compared, a.xy, frac(a.z));
}

float4 cut(float4 a : TEXCOORD0) : SV_Target
{
    float4 texel = image.SampleLevel(state, a.xy, 0);
    return float4(texel.x > texel.y ? 1 : 0, texel.xyz);
}
