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
    float4 v1 = x * a + y + float4(dot(x, y), dot(x.zyx, -y.xyz), dot(abs(x.yx), y.zw), x.x / y.y);
    output.target = v1;
    float2 v2 = sin(x.xz);
    float3 v3 = cos(x.yzx);
    float4 v4 = exp2(z) * log2(abs(w)) + (sqrt(abs(x)) + rsqrt(y)) + float4(v2.x, v3.x, v2.y * v3.y, frac(x.w));
    output.target1 = v4;
    float4 v5 = max(ceil(y) * trunc(z) + floor(x) - round(w), a) + min(-abs(y), b) + saturate(float4(-x.x * c.x, -x.y * c.y, -x.z * c.z, -x.w * c.w));
    float4 v6 = (x < y ? a : b) + (z <= x ? b : c) + (x == w ? y : z) + (y != b ? x : a);
    output.target2 = v5 + v6;
    float v7 = 1.0 / max(abs(z.z), 1.0) * min(abs(z.z), 1.0);
    float v8 = v7 * v7;
    float v9 = v8 * (v8 * (v8 * (v8 * 0.0208351 - 0.085133) + 0.180141) - 0.3302995) + 0.999866;
    float v10 = v7 * v9 + (1.0 < abs(z.z) ? 1.5707964 - v9 * v7 * 2.0 : 0.0);
    float v11 = min(z.z, 1.0);
    float4 v12 = z / b;
    float4 v13 = frac(abs(v12));
    float4 v14 = (-v12 <= v12 ? v13 : -v13) * b + (min(max(x, a), b) + 1.0 / y) + trunc(w) + float4(uint4(z));
    float4 v15 = v14 + float4(0.0, float((asuint(y.y) & 0x7fffffffu) == 0x7f800000u ? 1 : 0), 1.0, float(asint(0u - (0.0 < w.w ? 0xffffffffu : 0u) + (w.w < 0.0 ? 0xffffffffu : 0u))));
    float v16 = ((0.074261 - abs(x.y) * 0.0187293) * abs(x.y) - 0.2121144) * abs(x.y) + 1.5707288;
    float v17 = sqrt(1.0 - abs(x.y));
    float v18 = ((0.074261 - abs(y.y) * 0.0187293) * abs(y.y) - 0.2121144) * abs(y.y) + 1.5707288;
    float v19 = sqrt(1.0 - abs(y.y));
    bool2 v20 = y.xy < -y.xy;
    float v21 = 1.0 / max(abs(x.x), abs(y.x)) * min(abs(x.x), abs(y.x));
    float v22 = v21 * v21;
    float v23 = v22 * (v22 * (v22 * (v22 * 0.0208351 - 0.085133) + 0.180141) - 0.3302995) + 0.999866;
    float v24 = (v20.x ? -3.1415927 : 0.0) + (v21 * v23 + (abs(y.x) < abs(x.x) ? 1.5707964 - v23 * v21 * 2.0 : 0.0));
    float v25 = min(x.x, y.x);
    float v26 = max(x.x, y.x);
    float4 v27 = float4(-v26 <= v26 && v25 < -v25 ? -v24 : v24, v15.y - (v16 * v17 + (x.y < -x.y ? 3.1415927 - v16 * v17 * 2.0 : 0.0)), v18 * v19 + (v20.y ? 3.1415927 - v19 * v18 * 2.0 : 0.0), v11 < -v11 ? -v10 : v10) + float4(v15.x, 1.5707964, v15.zw);
    float v28 = x.y * 1.442695;
    float4 v29 = v27 + float4(v2.x / v3.z, (exp2(v28) - exp2(-v28)) * 0.5, exp2(log2(abs(y.y)) * z.z), z.z * 8.0);
    bool v30 = abs(x.y) != 0.0;
    float v31 = float((v30 ? (asint(abs(x.y)) & 2139095040) - 1056964608 : 0) >> 23u) + (v30 ? asfloat((asuint(abs(x.y)) & 0x7fffffu) | (0x3f000000u & ~0x7fffffu)) : 0.0);
    bool2 v32 = float2(0.0, 0.0) <= x.xy;
    float2 v33 = v29.zw + float2(max(x.x, 0.0), v32.x && v32.y ? exp2(log2(x.y) * x.z) : 0.0);
    output.target3 = float4(v29.x + x.x, v29.y + v31, v33);
    return output;
}
