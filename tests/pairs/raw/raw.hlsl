// Byte address buffers: packed records of odd sizes.
ByteAddressBuffer source : register(t0);
RWByteAddressBuffer target : register(u0);

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint readable, writable, at = id.x * 12;
    source.GetDimensions(readable);
    target.GetDimensions(writable);
    if (at + 12 > min(readable, writable))
        return;
    uint3 v = source.Load3(at);
    float2 f = asfloat((v.xy & 0xbfffffff) | 0x20000000) * 0.5;
    uint packed = (v.z & 0xff00) >> 8 | v.z << 16;
    target.Store3(at, uint3(asuint(f.yx), packed));
    if (v.z > 0x7fffffff)
        target.Store(at, source.Load(min(v.z & 0xfc, at)));
}
