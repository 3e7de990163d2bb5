// Escape-time iteration: a data-dependent loop with two exits.
cbuffer View : register(b0)
{
    float2 center;
    float2 scale;
    uint limit;
    uint width;
};

RWStructuredBuffer<float4> target : register(u0);

[numthreads(8, 4, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint length, stride;
    target.GetDimensions(length, stride);
    if (id.x >= width || id.y * width + id.x >= length)
        return;
    float2 c = center + id.xy * scale, z = 0;
    uint i = 0, top = min(limit, 100);
    float closest = 1e10;
    [loop]
    while (true)
    {
        if (i >= top)
            break;
        float zx = z.x * z.x, zy = z.y * z.y;
        float m = zx + zy;
        if (m > 4)
            break;
        closest = min(closest, m + i);
        z = float2(zx - zy + c.x, 2 * z.x * z.y + c.y);
        i++;
    }
    target[id.y * width + id.x] = float4(z, i, closest);
}
