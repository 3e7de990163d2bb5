cbuffer Object : register(b0) {
    float4 world_view_projection[4] : packoffset(c0);
    uint bone_base : packoffset(c4);
    float morph_weight : packoffset(c4.y);
};

struct bones_element {
    float words[16];
};
StructuredBuffer<bones_element> bones : register(t0);
ByteAddressBuffer morph : register(t1);

struct Output {
    float4 position : SV_Position;
    float3 normal : NORMAL;
    uint parent : PARENT;
};

Output main(
    float3 position : POSITION,
    float3 normal : NORMAL,
    uint4 blendindices : BLENDINDICES,
    float4 blendweight : BLENDWEIGHT,
    uint vertexid : SV_VertexID
) {
    Output output;
    uint v1 = min(vertexid * 12u, 0xbffffff0u);
    float3 v2 = float3(asfloat(morph.Load(v1)), asfloat(morph.Load(v1 + 4u)), asfloat(morph.Load(v1 + 8u))) * morph_weight + position;
    uint4 v3 = blendindices + (uint4)bone_base;
    float3 v4 = v2 * float3(bones[v3.y].words[12], bones[v3.y].words[13], bones[v3.y].words[14]);
    float v5 = bones[v3.y].words[0];
    float v6 = bones[v3.y].words[1];
    float v7 = bones[v3.y].words[2];
    float v8 = bones[v3.y].words[4];
    float v9 = bones[v3.y].words[5];
    float v10 = bones[v3.y].words[6];
    float v11 = bones[v3.y].words[8];
    float v12 = bones[v3.y].words[9];
    float v13 = bones[v3.y].words[10];
    float3 v14 = float3(dot(float4(v5, v6, v7, bones[v3.y].words[3]), float4(v4, 1.0)), dot(float4(v8, v9, v10, bones[v3.y].words[7]), float4(v4, 1.0)), dot(float4(v11, v12, v13, bones[v3.y].words[11]), float4(v4, 1.0))) * blendweight.y;
    float3 v15 = v2 * float3(bones[v3.x].words[12], bones[v3.x].words[13], bones[v3.x].words[14]);
    output.parent = asuint(bones[v3.x].words[15]);
    float v16 = bones[v3.x].words[0];
    float v17 = bones[v3.x].words[1];
    float v18 = bones[v3.x].words[2];
    float v19 = bones[v3.x].words[4];
    float v20 = bones[v3.x].words[5];
    float v21 = bones[v3.x].words[6];
    float v22 = bones[v3.x].words[8];
    float v23 = bones[v3.x].words[9];
    float v24 = bones[v3.x].words[10];
    float3 v25 = float3(dot(float3(v16, v17, v18), normal), dot(float3(v19, v20, v21), normal), dot(float3(v22, v23, v24), normal)) * blendweight.x + float3(dot(float3(v5, v6, v7), normal), dot(float3(v8, v9, v10), normal), dot(float3(v11, v12, v13), normal)) * blendweight.y;
    float3 v26 = float3(dot(float4(v16, v17, v18, bones[v3.x].words[3]), float4(v15, 1.0)), dot(float4(v19, v20, v21, bones[v3.x].words[7]), float4(v15, 1.0)), dot(float4(v22, v23, v24, bones[v3.x].words[11]), float4(v15, 1.0))) * blendweight.x + v14;
    float3 v27 = v2 * float3(bones[v3.z].words[12], bones[v3.z].words[13], bones[v3.z].words[14]);
    float v28 = bones[v3.z].words[0];
    float v29 = bones[v3.z].words[1];
    float v30 = bones[v3.z].words[2];
    float v31 = bones[v3.z].words[4];
    float v32 = bones[v3.z].words[5];
    float v33 = bones[v3.z].words[6];
    float v34 = bones[v3.z].words[8];
    float v35 = bones[v3.z].words[9];
    float v36 = bones[v3.z].words[10];
    float3 v37 = float3(dot(float4(v28, v29, v30, bones[v3.z].words[3]), float4(v27, 1.0)), dot(float4(v31, v32, v33, bones[v3.z].words[7]), float4(v27, 1.0)), dot(float4(v34, v35, v36, bones[v3.z].words[11]), float4(v27, 1.0))) * blendweight.z + v26;
    float3 v38 = v2 * float3(bones[v3.w].words[12], bones[v3.w].words[13], bones[v3.w].words[14]);
    float v39 = bones[v3.w].words[0];
    float v40 = bones[v3.w].words[1];
    float v41 = bones[v3.w].words[2];
    float v42 = bones[v3.w].words[4];
    float v43 = bones[v3.w].words[5];
    float v44 = bones[v3.w].words[6];
    float v45 = bones[v3.w].words[8];
    float v46 = bones[v3.w].words[9];
    float v47 = bones[v3.w].words[10];
    float3 v48 = float3(dot(float3(v39, v40, v41), normal), dot(float3(v42, v43, v44), normal), dot(float3(v45, v46, v47), normal)) * blendweight.w + (float3(dot(float3(v28, v29, v30), normal), dot(float3(v31, v32, v33), normal), dot(float3(v34, v35, v36), normal)) * blendweight.z + v25);
    float3 v49 = float3(dot(float4(v39, v40, v41, bones[v3.w].words[3]), float4(v38, 1.0)), dot(float4(v42, v43, v44, bones[v3.w].words[7]), float4(v38, 1.0)), dot(float4(v45, v46, v47, bones[v3.w].words[11]), float4(v38, 1.0))) * blendweight.w + v37;
    output.position = float4(dot(float4(v49, 1.0), world_view_projection[0]), dot(float4(v49, 1.0), world_view_projection[1]), dot(float4(v49, 1.0), world_view_projection[2]), dot(float4(v49, 1.0), world_view_projection[3]));
    output.normal = rsqrt(dot(v48, v48)) * v48;
    return output;
}
