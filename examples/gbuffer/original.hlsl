// A g-buffer packer: octahedral normal, 8-bit colour, bit fields, and a motion vector.
cbuffer Material : register(b0)
{
    float4 tint;
    uint material_id;
    uint flags;
    float roughness;
    float motion_scale;
};

struct Packed
{
    uint4 words : SV_Target0;
    float4 motion : SV_Target1;
};

Packed main(float3 normal : NORMAL, float4 color : COLOR, float4 current : TEXCOORD0, float4 previous : TEXCOORD1)
{
    float3 n = normal / (abs(normal.x) + abs(normal.y) + abs(normal.z));
    float2 folded = (1 - abs(n.yx)) * (n.xy >= 0 ? 1.0 : -1.0);
    float2 oct = n.z >= 0 ? n.xy : folded;
    uint2 o = (uint2)(saturate(oct * 0.5 + 0.5) * 65535 + 0.5);
    uint4 c = (uint4)(saturate(color * tint) * 255 + 0.5);
    uint r = (uint)(saturate(roughness) * 1023 + 0.5);
    Packed p;
    p.words.x = o.x | o.y << 16;
    p.words.y = c.x | c.y << 8 | c.z << 16 | c.w << 24;
    p.words.z = r | (material_id & 0xfff) << 10 | (flags & 0x3ff) << 22;
    p.words.w = asuint(color.a);
    float2 m = current.xy / current.w - previous.xy / previous.w;
    p.motion = float4(min(max(m * motion_scale, -1), 1), current.w, previous.w);
    return p;
}
