// A histogram with atomics in group-shared memory, then in a buffer.
Texture2D<float4> image : register(t0);
RWStructuredBuffer<uint> bins : register(u0);
groupshared uint local[32];

cbuffer Histogram : register(b0)
{
    float scale;
};

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex)
{
    if (t < 32)
        local[t] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint2 size;
    uint length, stride;
    image.GetDimensions(size.x, size.y);
    bins.GetDimensions(length, stride);
    if (id.x < size.x && id.y < size.y)
    {
        float4 c = image.Load(int3(id.xy, 0));
        float l = min(max(dot(c.rgb, float3(0.2126, 0.7152, 0.0722)) * scale, 0.0), 31.0);
        InterlockedAdd(local[(uint)l], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    if (t < min(length, 32) && local[t] > 0)
        InterlockedAdd(bins[t], local[t]);
}
