// Conversions and integers. Each entry point is an original of pairs in manifest.tsv.

cbuffer Constants : register(b0)
{
    float4 tint;
    float4 shift;
};

float4 from_unsigned(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return (float4)a;
}

float4 from_signed(nointerpolation int4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return (float4)a;
}

uint4 from_unsigned_as_bits(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return (uint4)((float4)a * 0.001 + 0.5);
}

uint4 to_half(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return f32tof16(b);
}

int4 to_signed(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return (int4)(b * 100);
}

uint4 to_unsigned(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return (uint4)(b * 100);
}

int4 scaled_quotient(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return (int4)(saturate(a / b) * 65536);
}

uint4 normalised(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    uint4 u = (uint4)(saturate(b) * 255 + 0.5);
    return u.x | u.y << 8 | u.z << 16 | u.w << 24;
}

float4 unpacked(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    uint4 bytes = uint4(a.x, a.x >> 8, a.x >> 16, a.x >> 24) & 255;
    return bytes / 255.0;
}

uint4 unsigned_quotient(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    return uint4(a.xy / b.xy, a.zw % b.zw);
}

int4 signed_remainder(nointerpolation int4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    return a % 7;
}

uint4 shifted(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    return uint4(a.xy << b.xy, a.z >> b.z, (uint)((int)a.w >> (int)b.w));
}

uint4 first_bits(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    return uint4(firstbithigh(a.x), firstbitlow(a.y), countbits(a.z), firstbithigh((int)a.w));
}

float4 swizzled_constant(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return a * tint.wzyx + shift.yxwz;
}

uint4 exchanged(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    uint x = a.x, y = a.y;
    [loop]
    for (uint k = 0; k < (a.z & 7); k++)
    {
        uint t = x;
        x = y + 1;
        y = t * 3;
    }
    return uint4(x, y, x / (y | 1), x % (y | 1));
}

uint4 falling_through(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    uint r = 0;
    [forcecase]
    switch (a.x & 7)
    {
    case 0:
    case 3:
        r = 10;
        break;
    case 1:
        r = 20;
        break;
    default:
        r = 30;
        break;
    case 6:
        r = 40;
        break;
    }
    return r + a.y;
}

// The quotient takes the place of the dividend, from which the remainder is taken as well.
uint4 both_results(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    uint2 quotients = a.xy / (b.xy | 1);
    uint2 remainders = a.xy % (b.xy | 1);
    return uint4(quotients, remainders);
}

uint4 fields(nointerpolation uint4 a : TEXCOORD0, nointerpolation uint4 b : TEXCOORD1) : SV_Target
{
    return uint4((a.x >> 7) & 0x1ff, (uint)((int)(a.y << 5) >> 20), (a.z & 0xff00ff) | (a.w & 0xff00) << 8, a.w >> 28);
}

float4 dynamic_row(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float4 rows[4] = { b, b.yzwx * 0.3, b.zwxy / 3, b.wxyz * b };
    return rows[a.x & 3] + rows[(a.y + 1) & 3];
}

// Eight bits behind a quotient that may be rounded otherwise.
uint4 quantised(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    uint3 u = (uint3)(saturate(normalize(a.xyz) * 0.5 + 0.5) * 1023);
    return uint4(u.x | u.y << 10 | u.z << 20, u);
}

float4 texels(nointerpolation uint4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    uint2 size = (a.zw & 1023) + 1;
    return float4(((a.xy % size) + 0.5) / size, (float2)a.xy / 65536.0);
}
