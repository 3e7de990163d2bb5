cbuffer Noise : register(b0) {
    float2 scale : packoffset(c0);
    float time : packoffset(c0.z);
    int octaves : packoffset(c0.w);
};

struct Output {
    float4 target : SV_Target;
};

Output main(
    float4 position : SV_Position,
    float2 texcoord : TEXCOORD
) {
    Output output;
    float2 v1 = texcoord * scale + time;
    float2 i1 = v1;
    float i2 = 0.0;
    float i3 = 0.5;
    int i4 = 0;
    float r1;
    while (true) {
        if (octaves <= i4) {
            r1 = i2;
            break;
        }
        float2 v2 = floor(i1);
        float2 v3 = frac(i1);
        float2 v4 = (3.0 - v3 * 2.0) * (v3 * v3);
        float v5 = frac(sin(dot(v2, float2(12.9898, 78.233))) * 43758.547);
        float4 v6 = v2.xyxy + float4(1.0, 0.0, 0.0, 1.0);
        float v7 = v4.x * (frac(sin(dot(v6.xy, float2(12.9898, 78.233))) * 43758.547) - v5) + v5;
        float v8 = frac(sin(dot(v6.zw, float2(12.9898, 78.233))) * 43758.547);
        float v9 = v4.y * (v4.x * (frac(sin(dot(v2 + 1.0, float2(12.9898, 78.233))) * 43758.547) - v8) + v8 - v7) + v7;
        float2 v10 = i1 * 2.02 + 17.3;
        i1 = v10;
        i2 = v9 * i3 + i2;
        i3 = i3 * 0.5;
        i4 = i4 + 1;
    }
    output.target = float4(r1, 1.0 - abs(r1 * 2.0 - 1.0), cos(r1 * 6.2831855 + time), exp2(-r1));
    return output;
}
