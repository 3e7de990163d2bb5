// Bitonic sort of 128 keys in group-shared memory.
RWStructuredBuffer<uint> keys : register(u0);
groupshared uint local[128];

[numthreads(64, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 group : SV_GroupID)
{
    uint base = group.x * 128;
    uint length, stride;
    keys.GetDimensions(length, stride);
    local[t] = 0xffffffff;
    local[t + 64] = 0xffffffff;
    if (base + t < length)
        local[t] = keys[base + t];
    if (base + t + 64 < length)
        local[t + 64] = keys[base + t + 64];
    [LOOP]
    for (uint size = 2; size <= 128; size <<= 1)
    {
        [LOOP]
        for (uint stride = size >> 1; stride > 0; stride >>= 1)
        {
            GroupMemoryBarrierWithGroupSync();
            uint low = ((t & ~(stride - 1)) << 1) | (t & (stride - 1));
            uint a = local[low], b = local[low + stride];
            if ((a > b) == ((low & size) == 0))
            {
                local[low] = b;
                local[low + stride] = a;
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    if (base + t < length)
        keys[base + t] = local[t];
    if (base + t + 64 < length)
        keys[base + t + 64] = local[t + 64];
}
