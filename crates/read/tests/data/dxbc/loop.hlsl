// fxc /T ps_5_0 /E main: a loop with an early exit, dynamic indexing, a sampled texture and two defaults.
cbuffer C : register(b0)
{
    float4 a[4];
    float b = 2;
    int n;
};
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);

float4 main(float2 uv : TEXCOORD0, nointerpolation int k : K) : SV_Target
{
    float4 r = t.Sample(s, uv, int2(1, -2));
    [loop]
    for (int i = 0; i < n; i++)
    {
        r += sin(a[i & 3] * b);
        if (r.x > 3)
            break;
    }
    return saturate(-r.wzyx * abs(b)) + k;
}
