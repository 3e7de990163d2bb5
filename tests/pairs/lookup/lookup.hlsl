// Dynamically indexed constants, an indexed local array, a table of literals.
cbuffer Lookup : register(b0)
{
    float4 rows[16];
    uint base;
};

float4 main(float4 position : SV_Position, nointerpolation uint4 at : AT, float4 v : COLOR) : SV_Target
{
    static const float table[8] = { 0.5, 1.25, -3, 7, 11, 0.0625, 100, -1 };
    float4 local[4];
    [LOOP]
    for (uint i = 0; i < 4; i++)
        local[i] = rows[(base + i) & 15] * v;
    local[at.x & 3].yz += v.xw;
    return local[at.y & 3] + local[at.z & 3].wzyx * table[at.w & 7];
}
