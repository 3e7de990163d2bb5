// A height-field march with explicit gradients and an early exit.
cbuffer Parallax : register(b0)
{
    float2 delta;
    float step_size;
    int max_steps;
};

Texture2D heights : register(t0);
Texture2D colors : register(t1);
SamplerState wrap : register(s0);

float4 main(float4 position : SV_Position, float2 uv0 : TEXCOORD0) : SV_Target
{
    float2 dx = ddx(uv0), dy = ddy(uv0);
    float2 uv = uv0;
    float layer = 1;
    int count = min(max_steps, 24);
    [loop]
    for (int i = 0; i < count; i++)
    {
        float h = heights.SampleGrad(wrap, uv, dx, dy).x;
        if (h >= layer)
            break;
        [BRANCH]
        if (i > 8)
        {
            layer -= step_size * 2;
            uv += delta * 2;
        }
        else
        {
            layer -= step_size;
            uv += delta;
        }
    }
    return colors.SampleGrad(wrap, uv, dx, dy) * layer;
}
