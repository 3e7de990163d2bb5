// Integer loops with several exits, a switch inside.
StructuredBuffer<uint> source : register(t0);
RWStructuredBuffer<uint2> target : register(u0);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint readable, writable, stride;
    source.GetDimensions(readable, stride);
    target.GetDimensions(writable, stride);
    if (id.x >= min(readable, writable))
        return;
    uint n = source[id.x] & 0xffff, count = 0, mask = 0;
    [loop]
    for (; n > 1 && count < 60; count++)
    {
        [BRANCH]
        if ((n & 1) != 0)
            n = n * 3 + 1;
        else
            n >>= 1;
        switch (n & 7)
        {
        case 0:
            mask |= 1;
            break;
        case 3:
        case 5:
            mask ^= n;
            break;
        case 6:
            mask = mask << 1 | mask >> 31;
            break;
        default:
            mask += 7;
            break;
        }
        if (mask == 0xdead)
            break;
    }
    target[id.x] = uint2(count, mask);
}
