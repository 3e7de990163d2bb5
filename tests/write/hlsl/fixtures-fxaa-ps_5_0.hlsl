cbuffer Fxaa : register(b0) {
    float2 texel : packoffset(c0);
    float threshold : packoffset(c0.z);
    float threshold_min : packoffset(c0.w);
};

Texture2D<float4> scene : register(t0);
SamplerState linear_clamp : register(s0);

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float2 texcoord : TEXCOORD
) {
    Output output;
    float4 scene_texel = scene.SampleLevel(linear_clamp, texcoord, 0.0);
    float v1 = dot(scene_texel.xyz, float3(0.299, 0.587, 0.114));
    float v2 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(0, -1)).xyz, float3(0.299, 0.587, 0.114));
    float v3 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(0, 1)).xyz, float3(0.299, 0.587, 0.114));
    float v4 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(-1, 0)).xyz, float3(0.299, 0.587, 0.114));
    float v5 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(1, 0)).xyz, float3(0.299, 0.587, 0.114));
    float2 v6 = max(float2(v3, v5), float2(v2, v4));
    float v7 = max(v1, max(v6.y, v6.x));
    float2 v8 = min(float2(v3, v5), float2(v2, v4));
    float v9 = v7 - min(v1, min(v8.y, v8.x));
    if (v9 < max(v7 * threshold, threshold_min)) {
        output.target = float4(scene_texel.xyz, v1);
        return output;
    }
    float v10 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(-1, -1)).xyz, float3(0.299, 0.587, 0.114));
    float v11 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(1, -1)).xyz, float3(0.299, 0.587, 0.114));
    float v12 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(-1, 1)).xyz, float3(0.299, 0.587, 0.114));
    float v13 = dot(scene.SampleLevel(linear_clamp, texcoord, 0.0, int2(1, 1)).xyz, float3(0.299, 0.587, 0.114));
    float v14 = abs(v13 + (v11 - v5 * 2.0)) + (abs(v3 + (v2 - v1 * 2.0)) * 2.0 + abs(v12 + (v10 - v4 * 2.0)));
    float v15 = abs(v5 + (v4 - v1 * 2.0)) * 2.0 + abs(v11 + (v10 - v2 * 2.0)) + abs(v13 + (v12 - v3 * 2.0));
    bool v16 = v15 <= v14;
    float v17 = v16 ? v2 : v4;
    float v18 = v16 ? v3 : v5;
    float v19 = v16 ? texel.y : texel.x;
    float v20 = v17 - v1;
    float v21 = v18 - v1;
    float2 v22 = (bool2)(abs(v21) <= abs(v20)) ? float2(-v19, (v1 + v17) * 0.5) : float2(v19, (v1 + v18) * 0.5);
    float v23 = max(abs(v21), abs(v20)) * 0.25;
    float2 v24 = v22.x * 0.5 + texcoord.yx;
    float2 v25 = (bool2)v16 ? float2(texcoord.x, v24.x) : float2(v24.y, texcoord.y);
    float2 v26 = (bool2)v16 ? float2(texel.x, 0.0) : float2(0.0, texel.y);
    float2 v27 = v25 - v26;
    float2 v28 = v25 + v26;
    float2 i1 = v27;
    float2 i2 = v28;
    float i3 = 0.0;
    float i4 = 0.0;
    uint i5 = 0u;
    uint i6 = 0u;
    int i7 = 0;
    float2 r1;
    float2 r2;
    float r3;
    float r4;
    while (true) {
        if (8 <= i7) {
            r1 = i1;
            r2 = i2;
            r3 = i3;
            r4 = i4;
            break;
        }
        float r5;
        if (i5 == 0u) {
            r5 = dot(scene.SampleLevel(linear_clamp, i1, 0.0).xyz, float3(0.299, 0.587, 0.114)) - v22.y;
        } else {
            r5 = i3;
        }
        float r6;
        if (i6 == 0u) {
            r6 = dot(scene.SampleLevel(linear_clamp, i2, 0.0).xyz, float3(0.299, 0.587, 0.114)) - v22.y;
        } else {
            r6 = i4;
        }
        bool v29 = v23 <= abs(r5);
        bool v30 = v23 <= abs(r6);
        uint2 v31 = bool2(v29, v30) ? uint2(0xffffffffu, 0xffffffffu) : uint2(0u, 0u);
        if (v30 && v29) {
            r1 = i1;
            r2 = i2;
            r3 = r5;
            r4 = r6;
            break;
        }
        float2 v32 = i1 + ((bool2)v29 ? float2(-0.0, -0.0) : -v26);
        float2 v33 = i2 + ((bool2)v30 ? float2(0.0, 0.0) : v26);
        i1 = v32;
        i2 = v33;
        i3 = r5;
        i4 = r6;
        i5 = v31.x;
        i6 = v31.y;
        i7 = i7 + 1;
    }
    float2 v34 = texcoord - r1;
    float v35 = v16 ? v34.x : v34.y;
    float2 v36 = r2 - texcoord;
    float v37 = v16 ? v36.x : v36.y;
    uint2 v38 = bool2((v35 < v37 ? r3 : r4) < 0.0, v1 - v22.y < 0.0) ? uint2(0xffffffffu, 0xffffffffu) : uint2(0u, 0u);
    float v39 = saturate(abs((v13 + (v12 + (v11 + ((v5 + (v4 + (v3 + v2))) * 2.0 + v10)))) * 0.083333336 - v1) / v9);
    float v40 = (3.0 - v39 * 2.0) * (v39 * v39);
    float2 v41 = max(v40 * v40 * 0.75, v38.y != v38.x ? 0.5 - min(v35, v37) / (v35 + v37) : 0.0) * v22.x + texcoord.yx;
    float4 scene_texel2 = scene.SampleLevel(linear_clamp, (bool2)v16 ? float2(texcoord.x, v41.x) : float2(v41.y, texcoord.y), 0.0);
    output.target = float4(scene_texel2.xyz, dot(scene_texel2.xyz, float3(0.299, 0.587, 0.114)));
    return output;
}
