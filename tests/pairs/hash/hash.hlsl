// Rounds of integer mixing: multiplications, rotations, dynamic shifts, divisions.
StructuredBuffer<uint4> source : register(t0);
RWStructuredBuffer<uint4> target : register(u0);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint readable, writable, stride;
    source.GetDimensions(readable, stride);
    target.GetDimensions(writable, stride);
    if (id.x >= min(readable, writable))
        return;
    uint4 v = source[id.x];
    [LOOP]
    for (uint k = 0; k < 5; k++)
    {
        v.x = (v.x ^ v.w) * 0x9e3779b1u + k;
        v.y = (v.y << 13 | v.y >> 19) + v.x;
        v.z ^= v.y >> (v.x & 31);
        v.w = v.w % ((v.z >> 20) + 1) + v.y / (k + 3);
    }
    int4 s = (int4)v;
    s.x = max(s.x, -s.y) >> 3;
    s.z = (int)((uint)s.z / (((uint)s.w & 0xff) + 1));
    s.w = s.w % 17;
    target[id.x] = (uint4)s;
}
