// Memory that lanes share. Each entry point is an original of pairs in manifest.tsv.

StructuredBuffer<uint> source : register(t0);
StructuredBuffer<float> values : register(t1);
RWStructuredBuffer<uint> target : register(u0);
RWStructuredBuffer<float> sums : register(u1);
RWByteAddressBuffer counts : register(u2);

groupshared uint words[64];
groupshared float floats[64];
groupshared uint next;

[numthreads(64, 1, 1)]
void colliding(uint id : SV_DispatchThreadID)
{
    target[id / 2] = source[id] * 3 + 1;
}

[numthreads(64, 1, 1)]
void reversed(uint id : SV_DispatchThreadID, uint at : SV_GroupIndex)
{
    words[at] = source[id] ^ 0x55555555;
    GroupMemoryBarrierWithGroupSync();
    target[id] = words[63 - at];
}

[numthreads(64, 1, 1)]
void reversed_without_waiting(uint id : SV_DispatchThreadID, uint at : SV_GroupIndex)
{
    words[at] = source[id] ^ 0x55555555;
    GroupMemoryBarrier();
    target[id] = words[63 - at];
}

[numthreads(64, 1, 1)]
void tree_sum(uint id : SV_DispatchThreadID, uint at : SV_GroupIndex, uint group : SV_GroupID)
{
    floats[at] = values[id] * values[id];
    GroupMemoryBarrierWithGroupSync();
    [unroll]
    for (uint step = 32; step > 0; step >>= 1)
    {
        if (at < step)
            floats[at] += floats[at + step];
        GroupMemoryBarrierWithGroupSync();
    }
    if (at == 0)
        sums[group] = floats[0];
}

[numthreads(64, 1, 1)]
void drawn(uint id : SV_DispatchThreadID, uint at : SV_GroupIndex, uint group : SV_GroupID)
{
    uint count, stride, ticket;
    target.GetDimensions(count, stride);
    if (at == 0)
        next = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(next, 1, ticket);
    if (group * 64 + 64 <= count)
        target[group * 64 + ticket] = id * 2 + 1;
}

// Each word is read and then written between the same two barriers.
[numthreads(64, 1, 1)]
void exchanged_in_place(uint id : SV_DispatchThreadID, uint at : SV_GroupIndex)
{
    words[at] = source[id] + 1;
    GroupMemoryBarrierWithGroupSync();
    words[at] = words[at ^ 1] * 2;
    GroupMemoryBarrierWithGroupSync();
    target[id] = words[at ^ 2];
}

[numthreads(64, 1, 1)]
void exchanged_between_barriers(uint id : SV_DispatchThreadID, uint at : SV_GroupIndex)
{
    words[at] = source[id] + 1;
    GroupMemoryBarrierWithGroupSync();
    uint other = words[at ^ 1];
    GroupMemoryBarrierWithGroupSync();
    words[at] = other * 2;
    GroupMemoryBarrierWithGroupSync();
    target[id] = words[at ^ 2];
}

// Reads past the end give 0.
[numthreads(64, 1, 1)]
void outside(uint id : SV_DispatchThreadID)
{
    target[id] = source[id * 2 + 1] + 5;
}

// What an atomic outside returns is undefined.
[numthreads(64, 1, 1)]
void atomic_outside(uint id : SV_DispatchThreadID)
{
    uint before;
    counts.InterlockedAdd(0x10000000 + id * 4, 1, before);
    target[id] = before + id;
}

[numthreads(64, 1, 1)]
void scaled_total(uint id : SV_DispatchThreadID)
{
    float total = 0;
    [loop]
    for (uint k = 0; k < 8; k++)
        total += values[id + k] / 3.0;
    sums[id] = total;
}

[numthreads(64, 1, 1)]
void unrolled_total(uint id : SV_DispatchThreadID)
{
    float total = 0;
    [unroll]
    for (uint k = 0; k < 8; k++)
        total += values[id + k] / 3.0;
    sums[id] = total;
}
