// Counting and scanning bits, 16-bit floats.
StructuredBuffer<uint2> source : register(t0);
RWStructuredBuffer<uint4> target : register(u0);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint readable, writable, stride;
    source.GetDimensions(readable, stride);
    target.GetDimensions(writable, stride);
    if (id.x >= min(readable, writable / 2))
        return;
    uint2 v = source[id.x];
    uint4 a = uint4(countbits(v.x), reversebits(v.y), firstbithigh(v.x | 1), firstbitlow(v.y | 0x80000000));
    uint4 b = uint4(v.x >> 4 & 0x3ff, (int)(v.y << 7) >> 19, asuint(f16tof32(v.x)), (v.x & 0xffff00ff) | (v.y & 0xff) << 8);
    target[id.x * 2] = a;
    target[id.x * 2 + 1] = b;
}
