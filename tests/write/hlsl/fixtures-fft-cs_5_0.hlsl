cbuffer Fft : register(b0) {
    float direction : packoffset(c0);
    float scale : packoffset(c0.y);
};

Texture2D<float4> source : register(t0);
RWTexture2D<float4> target : register(u0);

groupshared float g0[1024];

[numthreads(128, 1, 1)]
void main(
    uint vThreadIDInGroupFlattened : SV_GroupIndex,
    uint3 vThreadGroupID : SV_GroupID
) {
    uint v1 = vThreadIDInGroupFlattened << 3u;
    float4 source_texel = source.Load(int3(int2(asint(vThreadIDInGroupFlattened), asint(vThreadGroupID.y)), 0));
    uint v2 = min(v1, 0xbffffff0u);
    g0[v2 >> 2u] = source_texel.x;
    g0[(v2 + 4u) >> 2u] = source_texel.y;
    uint v3 = v1 + 1024u;
    uint v4 = vThreadIDInGroupFlattened + 128u;
    float4 source_texel2 = source.Load(int3(int2(asint(v4), asint(vThreadGroupID.y)), 0));
    uint v5 = min(v3, 0xbffffff0u);
    g0[v5 >> 2u] = source_texel2.x;
    g0[(v5 + 4u) >> 2u] = source_texel2.y;
    float v6 = direction * 3.1415927;
    uint i1 = 0u;
    uint i2 = 1u;
    while (true) {
        if (256u <= i2) {
            break;
        }
        GroupMemoryBarrierWithGroupSync();
        uint v7 = (i2 + 0xffffffffu) & vThreadIDInGroupFlattened;
        float v8 = v6 * float(v7) / float(i2);
        float v9 = cos(v8);
        uint v10 = min(v1, 0xbffffff0u);
        float v11 = g0[(i1 < 2u ? i1 * 2048u + v10 : 0x80000000u) >> 2u];
        float v12 = g0[(i1 < 2u ? i1 * 2048u + (v10 + 4u) : 0x80000000u) >> 2u];
        uint v13 = min(v3, 0xbffffff0u);
        float v14 = g0[(i1 < 2u ? i1 * 2048u + v13 : 0x80000000u) >> 2u];
        float v15 = g0[(i1 < 2u ? i1 * 2048u + (v13 + 4u) : 0x80000000u) >> 2u];
        float2 v16 = sin(v8) * float2(v15, v14);
        float v17 = v14 * v9 - v16.x;
        float v18 = v15 * v9 + v16.y;
        uint v19 = v7 + ((0u - v7 + vThreadIDInGroupFlattened) << 1u);
        uint v20 = i1 ^ 1u;
        float2 v21 = float2(v11, v12) + float2(v17, v18);
        uint v22 = min(v19 << 3u, 0xbffffff0u);
        g0[(v20 < 2u ? v20 * 2048u + v22 : 0x80000000u) >> 2u] = v21.x;
        g0[(v20 < 2u ? v20 * 2048u + (v22 + 4u) : 0x80000000u) >> 2u] = v21.y;
        float2 v23 = float2(v11, v12) - float2(v17, v18);
        uint v24 = min((i2 + v19) << 3u, 0xbffffff0u);
        g0[(v20 < 2u ? v20 * 2048u + v24 : 0x80000000u) >> 2u] = v23.x;
        g0[(v20 < 2u ? v20 * 2048u + (v24 + 4u) : 0x80000000u) >> 2u] = v23.y;
        i1 = v20;
        i2 = i2 << 1u;
    }
    GroupMemoryBarrierWithGroupSync();
    uint v25 = min(v1, 0xbffffff0u);
    float v26 = g0[v25 >> 2u];
    float v27 = g0[(v25 + 4u) >> 2u];
    target[int2(asint(vThreadIDInGroupFlattened), asint(vThreadGroupID.y))] = float4(v26, v27, v26, v26) * scale;
    uint v28 = min(v3, 0xbffffff0u);
    float v29 = g0[v28 >> 2u];
    float v30 = g0[(v28 + 4u) >> 2u];
    target[int2(asint(v4), asint(vThreadGroupID.y))] = float4(v29, v30, v29, v29) * scale;
}
