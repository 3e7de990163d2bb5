// Bitonic sort of 128 signed keys with their values in group-shared memory.
struct Item
{
    int key;
    uint value;
};

cbuffer Sort : register(b0)
{
    uint count;
    uint descending;
};

RWStructuredBuffer<Item> items : register(u0);
groupshared int keys[128];
groupshared uint values[128];

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint t : SV_GroupIndex)
{
    uint base = group.x * 128;
    [unroll]
    for (uint part = 0; part < 2; part++)
    {
        uint at = t + part * 64;
        int key = 0x7fffffff;
        uint value = 0;
        if (base + at < count)
        {
            key = items[base + at].key;
            value = items[base + at].value;
        }
        keys[at] = key;
        values[at] = value;
    }
    [loop]
    for (uint size = 2; size <= 128; size <<= 1)
    {
        [loop]
        for (uint stride = size >> 1; stride > 0; stride >>= 1)
        {
            GroupMemoryBarrierWithGroupSync();
            uint low = ((t & ~(stride - 1)) << 1) | (t & (stride - 1));
            uint high = low + stride;
            int a = keys[low], b = keys[high];
            bool up = ((low & size) == 0) == (descending == 0);
            if ((a > b) == up && a != b)
            {
                keys[low] = b;
                keys[high] = a;
                uint v = values[low];
                values[low] = values[high];
                values[high] = v;
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    [unroll]
    for (uint half = 0; half < 2; half++)
    {
        uint at = t + half * 64;
        if (base + at < count)
        {
            items[base + at].key = keys[at];
            items[base + at].value = values[at];
        }
    }
}
