RWBuffer<uint> typed : register(u0);
RWBuffer<int> typed_signed : register(u1);
RWByteAddressBuffer raw : register(u2);
struct structured_element {
    int words[2];
};
RWStructuredBuffer<structured_element> structured : register(u3);
RWTexture2D<uint> image : register(u4);
RWByteAddressBuffer results : register(u5);

groupshared uint g0[32];

groupshared int g1[1];

[numthreads(32, 1, 1)]
void main(
    uint vThreadIDInGroupFlattened : SV_GroupIndex,
    uint3 vThreadID : SV_DispatchThreadID
) {
    g0[(vThreadIDInGroupFlattened < 32u ? vThreadIDInGroupFlattened * 4u : 0x80000000u) >> 2u] = vThreadIDInGroupFlattened;
    if (vThreadIDInGroupFlattened == 0u) {
        g1[0] = 0u;
    }
    GroupMemoryBarrierWithGroupSync();
    uint v1 = vThreadIDInGroupFlattened & 7u;
    InterlockedAdd(typed[asint(v1)], vThreadIDInGroupFlattened);
    uint3 v2 = uint3(vThreadIDInGroupFlattened & 7u, vThreadIDInGroupFlattened & 7u, (vThreadIDInGroupFlattened << 2u) & 28u) | uint3(8u & ~7u, 24u & ~7u, 0u & ~28u);
    InterlockedAnd(typed[asint(v2.x)], ~vThreadIDInGroupFlattened);
    InterlockedOr(image[asint(vThreadID.xy)], vThreadIDInGroupFlattened);
    InterlockedXor(structured[v1].words[0], vThreadIDInGroupFlattened);
    InterlockedMax(structured[v1].words[1], asint(0u - vThreadIDInGroupFlattened));
    uint3 v3 = (uint3)vThreadIDInGroupFlattened + uint3(0xfffffff0u, 0xfffffff9u, 0xfffffff7u);
    InterlockedMin(typed_signed[asint(v1)], asint(v3.x));
    InterlockedMax(typed[asint(v1 + 16u)], vThreadIDInGroupFlattened);
    InterlockedMin(typed[asint(v2.y)], vThreadIDInGroupFlattened);
    raw.InterlockedAdd(v2.z, 3u);
    raw.InterlockedOr(v2.z + 32u, vThreadIDInGroupFlattened);
    raw.InterlockedCompareStore(64, 0u, vThreadIDInGroupFlattened);
    InterlockedCompareStore(typed[32], v1, vThreadIDInGroupFlattened);
    InterlockedCompareStore(g0[(v1 < 32u ? v1 * 4u : 0x80000000u) >> 2u], 3u, 99u);
    InterlockedAdd(g0[(v1 < 32u ? v1 * 4u : 0x80000000u) >> 2u], 1u);
    uint4 v4 = (uint4)v1 + uint4(3u, 1u, 4u, 2u);
    InterlockedAnd(g0[(v4.y < 32u ? v4.y * 4u : 0x80000000u) >> 2u], 255u);
    InterlockedOr(g0[(v4.w < 32u ? v4.w * 4u : 0x80000000u) >> 2u], 256u);
    InterlockedXor(g0[(v4.x < 32u ? v4.x * 4u : 0x80000000u) >> 2u], vThreadIDInGroupFlattened);
    InterlockedMin(g1[0], asint(v3.y));
    InterlockedMax(g1[0], asint(v3.z));
    InterlockedMin(g0[(v4.z < 32u ? v4.z * 4u : 0x80000000u) >> 2u], vThreadIDInGroupFlattened);
    uint v5 = v1 + 5u;
    InterlockedMax(g0[(v5 < 32u ? v5 * 4u : 0x80000000u) >> 2u], vThreadIDInGroupFlattened);
    GroupMemoryBarrierWithGroupSync();
    uint v6 = g0[(vThreadIDInGroupFlattened < 32u ? vThreadIDInGroupFlattened * 4u : 0x80000000u) >> 2u];
    uint v7 = g1[0];
    uint v8 = min(vThreadIDInGroupFlattened << 3u, 0xbffffff0u);
    results.Store(v8, v6);
    results.Store(v8 + 4u, v7);
}
