cbuffer Globals : register(b1) {
    float4 loose_global : packoffset(c0);
    float unused_global : packoffset(c1);
};

cbuffer Packed : register(b0) {
    float4 Packed_rows[29];
};

cbuffer Placed : register(b3) {
    float4 at_two : packoffset(c2);
    float at_zero : packoffset(c0.y);
    float2 at_one : packoffset(c1.z);
};

Buffer<float4> Table : register(t5);

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float4 v : V
) {
    Output output;
    float4 v1 = float4(dot(v, Packed_rows[2]), dot(v, Packed_rows[3]), dot(v, Packed_rows[4]), dot(v, Packed_rows[5])) + float4(dot(Packed_rows[6], v), dot(Packed_rows[7], v), dot(Packed_rows[8], v), 0.0);
    float2 v2 = Packed_rows[12].xy * v.w + (Packed_rows[11].xy * v.z + (Packed_rows[9].xy * v.x + v.y * Packed_rows[10].xy));
    float4 v3 = v1 + float4(v2, dot(v.xy, Packed_rows[11].xy), dot(v.xy, Packed_rows[12].xy));
    float2 v4 = v3.xy + (Packed_rows[0].yz * Packed_rows[0].x + Packed_rows[14].x + Packed_rows[23].xy);
    float3 v5 = float3(v4, v3.z) + (Packed_rows[21].yzw * Packed_rows[16].x + (v.x * Packed_rows[19].xyz + v.y * Packed_rows[20].xyz + Packed_rows[1].xyz));
    float4 v6 = ((bool4)(asuint(Packed_rows[25].w) != 0u) ? float4(v5, v3.w) + float4(asuint(Packed_rows[26].xyzz)) : float4(v5, v3.w)) + (Table[asint(uint(v.x) & 31u)] * float(asuint(Table[32].x)) + at_zero * at_two.wzyx + at_one.xyxy);
    output.target = (bool4)(asuint(Packed_rows[28].x) != 0u) ? v6 + float4(asint(Packed_rows[27])) + loose_global : v6;
    return output;
}
