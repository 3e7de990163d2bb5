// A tree sum of floats and a maximum of integers in group-shared memory.
StructuredBuffer<float> source : register(t0);
RWStructuredBuffer<uint2> result : register(u0);
groupshared float sums[64];
groupshared uint highest[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex, uint3 group : SV_GroupID)
{
    uint length, stride;
    source.GetDimensions(length, stride);
    float v = 0.5;
    if (id.x < length)
        v = source[id.x];
    sums[t] = v * v + 1;
    highest[t] = asuint(v) & 0x7fffffff;
    [LOOP]
    for (uint step = 32; step > 0; step >>= 1)
    {
        GroupMemoryBarrierWithGroupSync();
        if (t < step)
        {
            sums[t] += sums[t + step];
            highest[t] = max(highest[t], highest[t + step]);
        }
    }
    uint groups;
    result.GetDimensions(groups, stride);
    if (t == 0 && group.x < groups)
        result[group.x] = uint2(asuint(sums[0]), highest[0]);
}
