// Chains of selections over comparisons of every kind.
cbuffer Select : register(b0)
{
    float4 a;
    int4 b;
};

float4 main(float4 position : SV_Position, float4 v : COLOR, nointerpolation int4 k : K, bool front : SV_IsFrontFace) : SV_Target
{
    float4 r = v < a ? v : a.wzyx;
    [BRANCH]
    if (front)
    {
        r.x = k.x == b.x ? r.y + 1 : r.z;
        r.y = k.y >= b.y ? r.x * 2 : r.w;
    }
    else
    {
        r.z = v.x != a.y ? r.x - v.w : 3;
        r.w = (uint)k.z < (uint)b.z ? r.z : -r.z;
    }
    return r + (float4)(k & 7);
}
