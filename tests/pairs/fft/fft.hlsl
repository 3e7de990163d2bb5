// A radix-2 transform of 64 points in group-shared memory.
StructuredBuffer<float2> source : register(t0);
RWStructuredBuffer<float2> target : register(u0);
groupshared float2 ping[64];
groupshared float2 pong[64];

[numthreads(32, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 group : SV_GroupID)
{
    uint readable, writable, stride, base = group.x * 64;
    source.GetDimensions(readable, stride);
    target.GetDimensions(writable, stride);
    ping[t] = 0;
    ping[t + 32] = 0;
    if (base + t < readable)
        ping[t] = source[base + t];
    if (base + t + 32 < readable)
        ping[t + 32] = source[base + t + 32];
    [LOOP]
    for (uint span = 1; span < 64; span <<= 2)
    {
        GroupMemoryBarrierWithGroupSync();
        uint k = t & (span - 1);
        float angle = -3.140625 * (float)k / (float)span;
        float2 w = float2(cos(angle), sin(angle));
        float2 a = ping[t], b = ping[t + 32];
        b = float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
        uint at = ((t - k) << 1) + k;
        pong[at] = a + b;
        pong[at + span] = a - b;
        GroupMemoryBarrierWithGroupSync();
        uint next = span << 1, j = t & (next - 1);
        angle = -3.140625 * (float)j / (float)next;
        w = float2(cos(angle), sin(angle));
        a = pong[t];
        b = pong[t + 32];
        b = float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
        at = ((t - j) << 1) + j;
        ping[at] = a + b;
        ping[at + next] = a - b;
    }
    GroupMemoryBarrierWithGroupSync();
    if (base + t < writable)
        target[base + t] = ping[t];
    if (base + t + 32 < writable)
        target[base + t + 32] = ping[t + 32];
}
