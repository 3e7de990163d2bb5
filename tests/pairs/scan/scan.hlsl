// An inclusive prefix sum over a group.
RWStructuredBuffer<uint> data : register(u0);
groupshared uint local[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex)
{
    uint length, stride;
    data.GetDimensions(length, stride);
    local[t] = 0;
    if (id.x < length)
        local[t] = data[id.x];
    [LOOP]
    for (uint step = 1; step < 64; step <<= 1)
    {
        GroupMemoryBarrierWithGroupSync();
        uint v = local[t];
        if (t >= step)
            v += local[t - step];
        GroupMemoryBarrierWithGroupSync();
        local[t] = v;
    }
    if (id.x < length)
        data[id.x] = local[t];
}
