cbuffer Constants : register(b0) {
    float4 a : packoffset(c0);
    float4 b : packoffset(c1);
    float4 c : packoffset(c2);
};

struct Output {
    float4 target : SV_Target;
    float4 target1 : SV_Target1;
    float4 target2 : SV_Target2;
    float4 target3 : SV_Target3;
};

Output main(
    float4 x : X,
    noperspective float4 y : Y,
    centroid float4 z : Z,
    nointerpolation float4 w : W
) {
    Output output;
    float4 v1 = x * a + y + float4(dot(x, y), dot(x.xyz, -y.zyx), dot(abs(x.xy), y.wz), x.x / y.y);
    output.target = v1;
    float2 v2 = sin(x.xz);
    float3 v3 = cos(x.yzx);
    float4 v4 = sqrt(abs(x)) + rsqrt(y) + exp2(z) * log2(abs(w)) + float4(v2.x, v3.x, v2.y * v3.y, frac(x.w));
    output.target1 = v4;
    float4 v5 = max(ceil(y) * trunc(z) + floor(x) - round(w), a) + min(-abs(y), b) + saturate(float4(-x.x * c.x, -x.y * c.y, -x.z * c.z, -x.w * c.w));
    float4 v6 = (x < y ? a : b) + (z <= x ? b : c) + (x == w ? y : z) + (y != b ? x : a);
    output.target2 = v5 + v6;
    float4 v7 = z / b;
    float4 v8 = frac(abs(v7));
    float4 v9 = (-v7 <= v7 ? v8 : -v8) * b + (min(max(x, a), b) + 1.0 / y) + float4(int4(w)) + float4(uint4(z));
    float4 v10 = v9 + float4(float(x.x != x.x ? 1 : 0), float((asuint(y.y) & 0x7fffffffu) == 0x7f800000u ? 1 : 0), float((asuint(z.z) & 0x7f800000u) != 0x7f800000u ? 1 : 0), float(asint(0u - (0.0 < w.w ? 0xffffffffu : 0u) + (w.w < 0.0 ? 0xffffffffu : 0u))));
    float v11 = 1.0 / max(abs(z.z), 1.0) * min(abs(z.z), 1.0);
    float v12 = v11 * v11;
    float v13 = ((((v12 * 0.0208351 - 0.085133) * v12 + 0.180141) * v12 - 0.3302995) * v12 + 0.999866) * v11;
    float v14 = v13 + (1.0 < abs(z.z) ? v13 * -2.0 + 1.5707964 : 0.0);
    float v15 = min(z.z, 1.0);
    float v16 = sqrt(1.0 - abs(y.y)) * (((abs(y.y) * -0.0187293 + 0.074261) * abs(y.y) - 0.2121144) * abs(y.y) + 1.5707288);
    bool2 v17 = y.xy < -y.xy;
    float v18 = sqrt(1.0 - abs(x.y)) * (abs(x.y) * (abs(x.y) * (abs(x.y) * -0.0187293 + 0.074261) - 0.2121144) + 1.5707288);
    float v19 = 1.0 / max(abs(x.x), abs(y.x)) * min(abs(x.x), abs(y.x));
    float v20 = v19 * v19;
    float v21 = (v20 * (v20 * (v20 * (v20 * 0.0208351 - 0.085133) + 0.180141) - 0.3302995) + 0.999866) * v19;
    float v22 = (v17.x ? -3.1415927 : 0.0) + (v21 + (abs(y.x) < abs(x.x) ? v21 * -2.0 + 1.5707964 : 0.0));
    float v23 = min(x.x, y.x);
    float v24 = max(x.x, y.x);
    float4 v25 = v10 + float4(-v24 <= v24 && v23 < -v23 ? -v22 : v22, 1.5707964 - ((x.y < -x.y ? v18 * -2.0 + 3.1415927 : 0.0) + v18), (v17.y ? v16 * -2.0 + 3.1415927 : 0.0) + v16, v15 < -v15 ? -v14 : v14);
    float v26 = x.y * 1.442695;
    float4 v27 = v25 + float4(v2.x / v3.z, (exp2(v26) - exp2(-v26)) * 0.5, exp2(log2(abs(y.y)) * z.z), z.z * 8.0);
    bool v28 = abs(x.y) != 0.0;
    float v29 = float((v28 ? (asint(abs(x.y)) & 2139095040) - 1056964608 : 0) >> 23u) + (v28 ? asfloat((asuint(abs(x.y)) & 0x7fffffu) | (0x3f000000u & ~0x7fffffu)) : 0.0);
    float v30 = trunc(x.x);
    bool2 v31 = float2(0.0, 0.0) <= x.xy;
    float2 v32 = v27.zw + float2(max(x.x, 0.0), v31.x && v31.y ? exp2(log2(x.y) * x.z) : 0.0);
    output.target3 = float4(v30 + (x.x - v30) + v27.x, v27.y + v29, v32);
    return output;
}
