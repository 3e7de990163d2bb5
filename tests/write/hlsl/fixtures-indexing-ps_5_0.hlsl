cbuffer Constants : register(b0) {
    float4 Constants_rows[46];
};

static const uint icb[72] = { 0x3f800000u, 0u, 0u, 0u, 0u, 0x3f800000u, 0u, 0u, 0u, 0u, 0x3f800000u, 0u, 0u, 0u, 0u, 0x3f800000u, 2u, 0u, 0u, 0u, 3u, 0u, 0u, 0u, 5u, 0u, 0u, 0u, 7u, 0u, 0u, 0u, 11u, 0u, 0u, 0u, 13u, 0u, 0u, 0u, 17u, 0u, 0u, 0u, 19u, 0u, 0u, 0u, 0x3dcccccdu, 0x3e4ccccdu, 0x3e99999au, 0x3ecccccdu, 0x3f800000u, 0u, 0x3f800000u, 0u, 0xbf800000u, 0x40200000u, 0x60ad78ecu, 0u, 0x40400000u, 0x3f800000u, 0x40800000u, 0x3f800000u, 0x40a00000u, 0x41100000u, 0x40000000u, 0x40c00000u, 0u, 0x3f000000u, 0x40e00000u, 0x41000000u };

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    nointerpolation int4 at : AT,
    float4 v : V,
    float4 v1 : V1,
    float4 v2 : V2,
    float4 v3 : V3
) {
    Output output;
    float x0[32];
    uint x1[16];
    float v4[24];
    v4[0] = position.x;
    v4[1] = position.y;
    v4[2] = position.z;
    v4[3] = position.w;
    v4[4] = asfloat(at.x);
    v4[5] = asfloat(at.y);
    v4[6] = asfloat(at.z);
    v4[7] = asfloat(at.w);
    v4[8] = v.x;
    v4[9] = v.y;
    v4[10] = v.z;
    v4[11] = v.w;
    v4[12] = v1.x;
    v4[13] = v1.y;
    v4[14] = v1.z;
    v4[15] = v1.w;
    v4[16] = v2.x;
    v4[17] = v2.y;
    v4[18] = v2.z;
    v4[19] = v2.w;
    v4[20] = v3.x;
    v4[21] = v3.y;
    v4[22] = v3.z;
    v4[23] = v3.w;
    x1[0] = 0u;
    x1[4] = 0u;
    x1[8] = 0u;
    x1[12] = 0u;
    x0[0] = 0.0;
    x0[1] = 0.0;
    x0[2] = 0.0;
    x0[3] = 0.0;
    uint4 v5 = ((uint4)asuint(Constants_rows[32].x) + uint4(1u, 2u, 3u, 4u)) & uint4(15u, 15u, 15u, 15u);
    float4 v6 = Constants_rows[v5.x];
    x0[4] = v6.x;
    x0[5] = v6.y;
    x0[6] = v6.z;
    x0[7] = v6.w;
    float2 v7 = Constants_rows[v5.y].xx;
    float2 v8 = Constants_rows[v5.y].yy;
    float2 v9 = Constants_rows[v5.y].zz;
    float2 v10 = Constants_rows[v5.y].ww;
    float4 v11 = float4(v7.x, v8.x, v9.x, v10.x) + float4(v7.y, v8.y, v9.y, v10.y);
    x0[8] = v11.x;
    x0[9] = v11.y;
    x0[10] = v11.z;
    x0[11] = v11.w;
    float4 v12 = 3.0 * float4(Constants_rows[v5.z].x, Constants_rows[v5.z].y, Constants_rows[v5.z].z, Constants_rows[v5.z].w);
    float4 v13 = 4.0 * float4(Constants_rows[v5.w].x, Constants_rows[v5.w].y, Constants_rows[v5.w].z, Constants_rows[v5.w].w);
    x0[12] = v12.x;
    x0[13] = v12.y;
    x0[14] = v12.z;
    x0[15] = v12.w;
    x0[16] = v13.x;
    x0[17] = v13.y;
    x0[18] = v13.z;
    x0[19] = v13.w;
    uint3 v14 = ((uint3)asuint(Constants_rows[32].x) + uint3(5u, 6u, 7u)) & uint3(15u, 15u, 15u);
    float4 v15 = 5.0 * float4(Constants_rows[v14.x].x, Constants_rows[v14.x].y, Constants_rows[v14.x].z, Constants_rows[v14.x].w);
    x0[20] = v15.x;
    x0[21] = v15.y;
    x0[22] = v15.z;
    x0[23] = v15.w;
    float4 v16 = 6.0 * float4(Constants_rows[v14.y].x, Constants_rows[v14.y].y, Constants_rows[v14.y].z, Constants_rows[v14.y].w);
    float4 v17 = 7.0 * float4(Constants_rows[v14.z].x, Constants_rows[v14.z].y, Constants_rows[v14.z].z, Constants_rows[v14.z].w);
    x0[24] = v16.x;
    x0[25] = v16.y;
    x0[26] = v16.z;
    x0[27] = v16.w;
    x0[28] = v17.x;
    x0[29] = v17.y;
    x0[30] = v17.z;
    x0[31] = v17.w;
    int4 v18 = at & int4(7, 3, 7, 3);
    float v19 = x0[min(asuint(v18.x), 0x3ffffffeu) * 4u];
    float v20 = x0[min(asuint(v18.x), 0x3ffffffeu) * 4u + 1u];
    float v21 = x0[min(asuint(v18.x), 0x3ffffffeu) * 4u + 2u];
    float v22 = x0[min(asuint(v18.x), 0x3ffffffeu) * 4u + 3u];
    float v23 = v4[min(asuint(v18.y + 2), 0x3ffffffeu) * 4u];
    float v24 = v4[min(asuint(v18.y + 2), 0x3ffffffeu) * 4u + 1u];
    float v25 = v4[min(asuint(v18.y + 2), 0x3ffffffeu) * 4u + 2u];
    float v26 = v4[min(asuint(v18.y + 2), 0x3ffffffeu) * 4u + 3u];
    float4 v27 = float4(v19, v20, v21, v22) + float4(v23, v24, v25, v26);
    x0[min(asuint(v18.x), 0x3ffffffeu) * 4u] = v27.x;
    x0[min(asuint(v18.x), 0x3ffffffeu) * 4u + 1u] = v27.y;
    x0[min(asuint(v18.x), 0x3ffffffeu) * 4u + 2u] = v27.z;
    x0[min(asuint(v18.x), 0x3ffffffeu) * 4u + 3u] = v27.w;
    x0[min(asuint(v18.z), 0x3ffffffeu) * 4u + 1u] = 3.0;
    x0[min(asuint(v18.z), 0x3ffffffeu) * 4u + 3u] = 3.0;
    x1[min(asuint(v18.w), 0x3ffffffeu) * 4u] = icb[min(asuint(v18.x + 4), 0x3ffffffeu) * 4u];
    int v28 = (at.w + 1) & 3;
    uint v29 = x1[min(asuint(v28), 0x3ffffffeu) * 4u];
    x1[min(asuint(v28), 0x3ffffffeu) * 4u] = v29 ^ 5u;
    int2 v30 = at.yw & int2(7, 7);
    float v31 = x0[min(asuint(v30.x), 0x3ffffffeu) * 4u];
    float v32 = x0[min(asuint(v30.x), 0x3ffffffeu) * 4u + 1u];
    float v33 = x0[min(asuint(v30.x), 0x3ffffffeu) * 4u + 2u];
    float v34 = x0[min(asuint(v30.x), 0x3ffffffeu) * 4u + 3u];
    float v35 = x0[min(asuint(v30.y), 0x3ffffffeu) * 4u];
    float v36 = x0[min(asuint(v30.y), 0x3ffffffeu) * 4u + 1u];
    float v37 = x0[min(asuint(v30.y), 0x3ffffffeu) * 4u + 2u];
    float v38 = x0[min(asuint(v30.y), 0x3ffffffeu) * 4u + 3u];
    uint v39 = asuint(at.x) % 6u;
    float4 v40 = float4(v31, v32, v33, v34) + float4(v38, v37, v36, v35) + float4(asfloat(icb[min(v39 + 12u, 0x3ffffffeu) * 4u]), asfloat(icb[min(v39 + 12u, 0x3ffffffeu) * 4u + 1u]), asfloat(icb[min(v39 + 12u, 0x3ffffffeu) * 4u + 2u]), asfloat(icb[min(v39 + 12u, 0x3ffffffeu) * 4u + 3u]));
    float v41 = dot(Constants_rows[at.x], float4(asfloat(icb[min(asuint(v18.y), 0x3ffffffeu) * 4u]), asfloat(icb[min(asuint(v18.y), 0x3ffffffeu) * 4u + 1u]), asfloat(icb[min(asuint(v18.y), 0x3ffffffeu) * 4u + 2u]), asfloat(icb[min(asuint(v18.y), 0x3ffffffeu) * 4u + 3u])));
    int v42 = ((at.z << 2u) & 12) | (0 & ~12);
    float4 v43 = v41 + float4(dot(v, Constants_rows[v42 + 16]), dot(v, Constants_rows[v42 + 17]), dot(v, Constants_rows[v42 + 18]), dot(v, Constants_rows[v42 + 19]));
    float4 v44 = v43 + v40;
    int2 v45 = at.yx << uint2(1u, 1u);
    float2 v46 = float2(Constants_rows[v45.x + 37].z, Constants_rows[v45.x + 37].y) * float(asint(Constants_rows[v45.y + 36].y)) + float2(Constants_rows[at.w + 33].x, Constants_rows[at.w + 33].y);
    float2 v47 = v44.xy + v46;
    uint v48 = x1[0];
    uint v49 = x1[4];
    uint v50 = x1[8];
    uint v51 = x1[12];
    float2 v52 = float2(uint2(v50, v51));
    output.target = float4(v47, v44.zw) + float4(float(v48), float(v49), v52);
    return output;
}
