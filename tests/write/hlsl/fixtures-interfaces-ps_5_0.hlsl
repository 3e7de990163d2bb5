cbuffer Instances : register(b0) {
    float4 Instances_rows[5];
};

Texture2D<float4> map : register(t0);
cbuffer class_instances : register(b1) {
    uint4 class_instances_rows[6];
};

SamplerState s : register(s0);

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float3 normal : NORMAL,
    float2 texcoord : TEXCOORD
) {
    Output output;
    float3 r1;
    switch (class_instances_rows[1].x) {
        case 0u: default: {
            float v1 = Instances_rows[class_instances_rows[0].y + 1u].x;
            float v2 = Instances_rows[class_instances_rows[0].y].x;
            float v3 = Instances_rows[class_instances_rows[0].y + 1u].y;
            float v4 = Instances_rows[class_instances_rows[0].y].y;
            float v5 = Instances_rows[class_instances_rows[0].y + 1u].z;
            float v6 = Instances_rows[class_instances_rows[0].y].z;
            float3 v7 = float3(class_instances_rows[0].x == 0u ? v2 : 0.0, class_instances_rows[0].x == 0u ? v4 : 0.0, class_instances_rows[0].x == 0u ? v6 : 0.0) - float3(class_instances_rows[0].x == 0u ? v1 : 0.0, class_instances_rows[0].x == 0u ? v3 : 0.0, class_instances_rows[0].x == 0u ? v5 : 0.0);
            float v8 = Instances_rows[class_instances_rows[0].y + 1u].x;
            float v9 = Instances_rows[class_instances_rows[0].y + 1u].y;
            float v10 = Instances_rows[class_instances_rows[0].y + 1u].z;
            float3 v11 = (normal.y * 0.5 + 0.5) * v7 + float3(class_instances_rows[0].x == 0u ? v8 : 0.0, class_instances_rows[0].x == 0u ? v9 : 0.0, class_instances_rows[0].x == 0u ? v10 : 0.0);
            float v12 = Instances_rows[class_instances_rows[0].y].w;
            float3 v13 = v11 * (class_instances_rows[0].x == 0u ? v12 : 0.0);
            float3 i1 = v13;
            r1 = i1;
            break;
        }
        case 1u: {
            float v14 = Instances_rows[class_instances_rows[0].y].x;
            float v15 = Instances_rows[class_instances_rows[0].y].w;
            float v16 = Instances_rows[class_instances_rows[0].y].y;
            float v17 = Instances_rows[class_instances_rows[0].y].z;
            float3 v18 = float3(class_instances_rows[0].x == 0u ? v14 : 0.0, class_instances_rows[0].x == 0u ? v16 : 0.0, class_instances_rows[0].x == 0u ? v17 : 0.0) * (class_instances_rows[0].x == 0u ? v15 : 0.0);
            float3 i2 = v18;
            r1 = i2;
            break;
        }
    }
    float3 r2;
    switch (class_instances_rows[3].x) {
        case 0u: default: {
            float v19 = Instances_rows[class_instances_rows[2].y + 1u].x;
            float v20 = Instances_rows[class_instances_rows[2].y].x;
            float v21 = Instances_rows[class_instances_rows[2].y + 1u].y;
            float v22 = Instances_rows[class_instances_rows[2].y].y;
            float v23 = Instances_rows[class_instances_rows[2].y + 1u].z;
            float v24 = Instances_rows[class_instances_rows[2].y].z;
            float3 v25 = float3(class_instances_rows[2].x == 0u ? v20 : 0.0, class_instances_rows[2].x == 0u ? v22 : 0.0, class_instances_rows[2].x == 0u ? v24 : 0.0) - float3(class_instances_rows[2].x == 0u ? v19 : 0.0, class_instances_rows[2].x == 0u ? v21 : 0.0, class_instances_rows[2].x == 0u ? v23 : 0.0);
            float v26 = Instances_rows[class_instances_rows[2].y + 1u].x;
            float v27 = Instances_rows[class_instances_rows[2].y + 1u].y;
            float v28 = Instances_rows[class_instances_rows[2].y + 1u].z;
            float3 v29 = (0.5 - normal.y * 0.5) * v25 + float3(class_instances_rows[2].x == 0u ? v26 : 0.0, class_instances_rows[2].x == 0u ? v27 : 0.0, class_instances_rows[2].x == 0u ? v28 : 0.0);
            float v30 = Instances_rows[class_instances_rows[2].y].w;
            float3 v31 = v29 * (class_instances_rows[2].x == 0u ? v30 : 0.0);
            float3 i3 = v31;
            r2 = i3;
            break;
        }
        case 1u: {
            float v32 = Instances_rows[class_instances_rows[2].y].x;
            float v33 = Instances_rows[class_instances_rows[2].y].w;
            float v34 = Instances_rows[class_instances_rows[2].y].y;
            float v35 = Instances_rows[class_instances_rows[2].y].z;
            float3 v36 = float3(class_instances_rows[2].x == 0u ? v32 : 0.0, class_instances_rows[2].x == 0u ? v34 : 0.0, class_instances_rows[2].x == 0u ? v35 : 0.0) * (class_instances_rows[2].x == 0u ? v33 : 0.0);
            float3 i4 = v36;
            r2 = i4;
            break;
        }
    }
    float r3;
    switch (class_instances_rows[3].x) {
        case 0u: default: {
            float v37 = Instances_rows[class_instances_rows[2].y].w;
            float i5 = class_instances_rows[2].x == 0u ? v37 : 0.0;
            r3 = i5;
            break;
        }
        case 1u: {
            r3 = 1.0;
            break;
        }
    }
    float3 r4;
    switch (class_instances_rows[5].x) {
        case 0u: default: {
            float v38 = Instances_rows[class_instances_rows[4].y].x;
            float v39 = Instances_rows[class_instances_rows[4].y].y;
            float v40 = Instances_rows[class_instances_rows[4].y].z;
            float3 v41 = map.SampleLevel(s, texcoord, 0.0).xyz * float3(class_instances_rows[4].x == 0u ? v38 : 0.0, class_instances_rows[4].x == 0u ? v39 : 0.0, class_instances_rows[4].x == 0u ? v40 : 0.0);
            float3 i6 = v41;
            r4 = i6;
            break;
        }
        case 1u: {
            float v42 = Instances_rows[class_instances_rows[4].y].x;
            float v43 = Instances_rows[class_instances_rows[4].y].y;
            float v44 = Instances_rows[class_instances_rows[4].y].z;
            float3 v45 = (bool3)(class_instances_rows[4].x == 0u) ? float3(v42, v43, v44) : float3(0.0, 0.0, 0.0);
            float3 i7 = v45;
            r4 = i7;
            break;
        }
    }
    output.target.xyz = (r2 * r3 + r1) * r4;
    uint v46 = 1u & asuint(Instances_rows[4].w);
    float r5;
    switch (class_instances_rows[((v46 << 5u) + 16u) >> 4][(((v46 << 5u) + 16u) >> 2) & 3]) {
        case 0u: default: {
            float v47 = Instances_rows[class_instances_rows[((v46 << 5u) + 4u) >> 4][(((v46 << 5u) + 4u) >> 2) & 3]].w;
            float i8 = class_instances_rows[(v46 << 5u) >> 4][((v46 << 5u) >> 2) & 3] == 0u ? v47 : 0.0;
            r5 = i8;
            break;
        }
        case 1u: {
            r5 = 1.0;
            break;
        }
    }
    output.target.w = r5;
    return output;
}
