// Bit packing of a surface into integers.
cbuffer Pack : register(b0)
{
    uint id;
    uint flags;
    float scale;
};

uint quantize(float x, float top)
{
    return (uint)(min(max(x, 0.0), 1.0) * top + 0.5);
}

uint4 main(float4 position : SV_Position, float4 color : COLOR, nointerpolation uint4 raw : RAW) : SV_Target
{
    uint4 o;
    o.x = quantize(color.r, 4095) | quantize(color.g, 4095) << 12 | (id & 0xff) << 24;
    o.y = (raw.x >> 7 & 0x1ff) ^ reversebits(raw.y);
    o.z = countbits(raw.z) * 1000 + (uint)((int)raw.w >> 5);
    o.w = asuint(color.a * scale) + (flags & 15) * raw.x;
    return o;
}
