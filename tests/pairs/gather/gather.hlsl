// Gathered depth, and its nearest and farthest values.
Texture2D<float> depth : register(t0);
Texture2D<float4> color : register(t1);
SamplerState point_clamp : register(s0);

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float4 d = depth.Gather(point_clamp, uv);
    float4 g = color.GatherGreen(point_clamp, uv);
    float low = min(min(d.x, d.y), min(d.z, d.w)), high = max(max(d.x, d.y), max(d.z, d.w));
    return float4(low, high, g.x - g.z, g.y + g.w);
}
