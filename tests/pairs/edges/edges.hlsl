// Edge detection on five luma samples, as an anti-aliasing pass starts.
cbuffer Edges : register(b0)
{
    float2 texel;
    float threshold;
    float threshold_min;
};

Texture2D scene : register(t0);
SamplerState point_clamp : register(s0);

float luma(float2 uv)
{
    return dot(scene.SampleLevel(point_clamp, uv, 0).rgb, float3(0.299, 0.587, 0.114));
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float m = luma(uv);
    float n = luma(uv + float2(0, -texel.y)), s = luma(uv + float2(0, texel.y));
    float w = luma(uv + float2(-texel.x, 0)), e = luma(uv + float2(texel.x, 0));
    float high = max(max(max(n, s), max(w, e)), m), low = min(min(min(n, s), min(w, e)), m);
    float range = high - low;
    float4 r = float4(m, m, m, 0);
    [BRANCH]
    if (range >= max(threshold_min, high * threshold))
    {
        bool horizontal = abs(n + s - 2 * m) >= abs(w + e - 2 * m);
        float one = horizontal ? n : w, two = horizontal ? s : e;
        r = float4(one, two, range, horizontal ? 1.0 : 0.5);
    }
    return r;
}
