// Ambient occlusion from a depth buffer: eight samples on a spiral, read from the depth pyramid.
cbuffer Occlusion : register(b0)
{
    float2 texel;
    float radius;
    float bias;
    float falloff;
    float max_level;
    float2 projection;
    float4 offsets[8];
};

Texture2D<float> depth_map : register(t0);
SamplerState point_clamp : register(s0);

float4 main(float2 uv : TEXCOORD0) : SV_Target
{
    float depth = depth_map.SampleLevel(point_clamp, uv, 0);
    float view = projection.x / (depth - projection.y);
    float occlusion = 0;
    float weight = 0.0001;
    [loop]
    for (uint i = 0; i < 8; i++)
    {
        float4 o = offsets[i];
        float2 at = uv + o.xy * texel * radius;
        float level = min(log2(o.z + 1), max_level);
        float other = depth_map.SampleLevel(point_clamp, at, level);
        float difference = view - projection.x / (other - projection.y);
        if (difference > bias)
            occlusion += o.w / (1 + difference * difference * falloff);
        weight += o.w;
    }
    float visibility = saturate(1 - occlusion / weight);
    return float4(visibility.xxx, view);
}
