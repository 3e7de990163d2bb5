cbuffer Cull : register(b0) {
    float4 inverse_projection[4] : packoffset(c0);
    float4 view[4] : packoffset(c4);
    uint2 size : packoffset(c8);
    uint light_count : packoffset(c8.z);
    uint tiles_x : packoffset(c8.w);
};

Texture2D<float4> depth_map : register(t0);
struct lights_element {
    float words[8];
};
StructuredBuffer<lights_element> lights : register(t1);
RWBuffer<uint4> tile_lights : register(u0);
RWByteAddressBuffer statistics : register(u1);

groupshared uint g0[1];

groupshared uint g1[1];

groupshared uint g2[1];

groupshared uint g3[64];

[numthreads(8, 8, 1)]
void main(
    uint vThreadIDInGroupFlattened : SV_GroupIndex,
    uint3 vThreadGroupID : SV_GroupID,
    uint3 vThreadID : SV_DispatchThreadID
) {
    if (vThreadIDInGroupFlattened == 0u) {
        g0[0] = 0xffffffffu;
        g1[0] = 0u;
        g2[0] = 0u;
    }
    GroupMemoryBarrierWithGroupSync();
    float4 depth_map_texel = depth_map.Load(int3(asint(vThreadID.xy), 0));
    if (depth_map_texel.x < 1.0) {
        InterlockedMin(g0[0], asuint(depth_map_texel.x));
        InterlockedMax(g1[0], asuint(depth_map_texel.x));
    }
    GroupMemoryBarrierWithGroupSync();
    uint v1 = g0[0];
    float v2 = dot(float4(-1.0, 1.0, asfloat(v1), 1.0), inverse_projection[2]) / dot(float4(-1.0, 1.0, asfloat(v1), 1.0), inverse_projection[3]);
    uint v3 = g1[0];
    float v4 = dot(float4(-1.0, 1.0, asfloat(v3), 1.0), inverse_projection[2]) / dot(float4(-1.0, 1.0, asfloat(v3), 1.0), inverse_projection[3]);
    float2 v5 = float2(vThreadGroupID.xy << uint2(3u, 3u));
    float2 v6 = float2(size);
    float2 v7 = v5 / v6 * float2(2.0, -2.0) + float2(-1.0, 1.0);
    float3 v8 = float3(dot(float4(v7, 1.0, 1.0), inverse_projection[1]), dot(float4(v7, 1.0, 1.0), inverse_projection[2]), dot(float4(v7, 1.0, 1.0), inverse_projection[0])) / dot(float4(v7, 1.0, 1.0), inverse_projection[3]);
    float4 v9 = (v5.xyxy + float4(8.0, 0.0, 8.0, 8.0)) / v6.xyxy;
    float4 v10 = v9.zwxy * float4(2.0, -2.0, 2.0, -2.0) + float4(-1.0, 1.0, -1.0, 1.0);
    float3 v11 = float3(dot(float4(v10.zw, 1.0, 1.0), inverse_projection[2]), dot(float4(v10.zw, 1.0, 1.0), inverse_projection[0]), dot(float4(v10.zw, 1.0, 1.0), inverse_projection[1])) / dot(float4(v10.zw, 1.0, 1.0), inverse_projection[3]);
    float3 v12 = float3(dot(float4(v10.xy, 1.0, 1.0), inverse_projection[2]), dot(float4(v10.xy, 1.0, 1.0), inverse_projection[0]), dot(float4(v10.xy, 1.0, 1.0), inverse_projection[1])) / dot(float4(v10.xy, 1.0, 1.0), inverse_projection[3]);
    float2 v13 = (v5 + float2(0.0, 8.0)) / v6 * float2(2.0, -2.0) + float2(-1.0, 1.0);
    float3 v14 = float3(dot(float4(v13, 1.0, 1.0), inverse_projection[2]), dot(float4(v13, 1.0, 1.0), inverse_projection[0]), dot(float4(v13, 1.0, 1.0), inverse_projection[1])) / dot(float4(v13, 1.0, 1.0), inverse_projection[3]);
    float3 v15 = v8 * v11 - v8.yzx * v11.zxy;
    float3 v16 = rsqrt(dot(v15, v15)) * v15;
    float3 v17 = v11.zxy * v12 - v12.zxy * v11;
    float3 v18 = rsqrt(dot(v17, v17)) * v17;
    float3 v19 = v12.zxy * v14 - v14.zxy * v12;
    float3 v20 = rsqrt(dot(v19, v19)) * v19;
    float3 v21 = v14.zxy * v8.yzx - v8 * v14;
    float3 v22 = rsqrt(dot(v21, v21)) * v21;
    uint i1 = vThreadIDInGroupFlattened;
    while (true) {
        if (light_count <= i1) {
            break;
        }
        float v23 = lights[i1].words[0];
        float v24 = lights[i1].words[1];
        float v25 = lights[i1].words[2];
        float v26 = lights[i1].words[3];
        float v27 = dot(float4(v23, v24, v25, 1.0), view[0]);
        float v28 = dot(float4(v23, v24, v25, 1.0), view[1]);
        float v29 = dot(float4(v23, v24, v25, 1.0), view[2]);
        bool v30 = v2 <= v26 + v29 && v29 - v26 <= v4 && dot(v16, float3(v27, v28, v29)) < v26 && dot(v18, float3(v27, v28, v29)) < v26;
        if (v30 && dot(v20, float3(v27, v28, v29)) < v26 && dot(v22, float3(v27, v28, v29)) < v26) {
            uint v31;
            InterlockedAdd(g2[0], 1u, v31);
            if (v31 < 64u) {
                g3[(v31 < 64u ? v31 * 4u : 0x80000000u) >> 2u] = i1;
            }
        }
        i1 = i1 + 64u;
    }
    GroupMemoryBarrierWithGroupSync();
    uint v32 = g2[0];
    uint v33 = min(v32, 64u);
    uint v34 = vThreadGroupID.y * tiles_x + vThreadGroupID.x;
    if (vThreadIDInGroupFlattened == 0u) {
        tile_lights[asint(v34 * 65u)] = (uint4)v33;
        statistics.InterlockedMax(0, v32);
        statistics.InterlockedAdd(4, v33);
    }
    uint v35 = v34 * 65u + 1u;
    uint i2 = vThreadIDInGroupFlattened;
    while (true) {
        if (v33 <= i2) {
            break;
        }
        uint v36 = g3[(i2 < 64u ? i2 * 4u : 0x80000000u) >> 2u];
        tile_lights[asint(i2 + v35)] = (uint4)v36;
        i2 = i2 + 64u;
    }
}
