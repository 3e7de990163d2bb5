// Float arithmetic whose results the specification leaves some room for. Each entry point is an original of pairs in manifest.tsv.

float4 normalized(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(normalize(a.xyz), 1);
}

float4 quotient(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return a / b;
}

float4 multiply_add(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return a * b + a.wzyx;
}

float4 precise_multiply_add(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    precise float4 r = a * b + a.wzyx;
    return r;
}

float4 product_sum(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(dot(a, b), dot(a.xyz, b.xyz), dot(a.xy, b.zw), 0);
}

float4 interpolated(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return lerp(a, b, saturate(a.w));
}

float4 exponential(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return exp(a);
}

float4 logarithm(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return log(abs(a) + 0.25);
}

float4 power(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return pow(abs(a), 2.2);
}

float4 sine(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return sin(a);
}

float4 far_sine(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return sin(a * 100000);
}

float4 hash_noise(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return frac(sin(dot(a.xy, float2(12.9898, 78.233))) * 43758.5453);
}

float4 occlusion(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(frac(saturate(a.xyz / b.xyz) * 65025), 1);
}

float4 threshold(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return frac(a * 100000 / 3.7) >= 0.5 ? b : -b;
}

float4 smooth(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return smoothstep(0.1, 0.7, a);
}

float4 mirrored(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(reflect(a.xyz, b.xyz), 0);
}

float4 filmic(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float4 x = abs(a);
    return saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
}

float4 cancelled(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return 1 / (a.xyzw * b.yxwz - a.yxwz * b.xyzw);
}

float4 distance_fog(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float d = length(a.xyz - b.xyz);
    return exp(-d * d * 0.05);
}

float4 specular(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float3 n = normalize(a.xyz);
    float3 h = normalize(a.xyz + b.xyz);
    return pow(saturate(dot(n, h)), 32) * b.w;
}

float4 lengths(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(length(a.xyz), distance(a.xy, b.xy), sqrt(abs(a.x)), rsqrt(abs(b.x) + 0.5));
}

float4 remainder(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return fmod(a, 3.25);
}

float4 rounded(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return round(a) + floor(b * 4) - frac(a);
}

float4 extremes(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(min(a.x, b.x), max(a.y, b.y), min(max(a.z, b.z), b.w), saturate(a.w));
}

float4 negated_minimum(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(min(-a.x, -a.x), min(-a.y, -b.y), max(-a.z, a.z), 0);
}

float4 comparisons(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(a.x != b.x ? 1 : 2, abs(a.y) >= 0 ? 3 : 4, abs(a.z) > 0 ? 5 : 6, a.w < b.w ? 7 : 8);
}

float4 bounded(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return min(max(a, b.x), b.y);
}

// The exponent is -0 wherever b is not negative, and the base is 0 wherever a is not positive.
float4 zero_power(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return pow(saturate(a), -saturate(-b));
}

float4 folded(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(a.x - a.x, -a.y + a.y, a.z / a.z, b.w);
}

float4 scaled_reciprocal(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return a * rcp(b);
}

float4 luminance(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float y = dot(a.rgb, float3(0.2126, 0.7152, 0.0722));
    return float4(y, a.rg / (abs(y) + 1), 1);
}

float4 decoded(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float4 x = saturate(a);
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

float4 fresnel(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float4 c = 1 - saturate(a);
    float4 f0 = saturate(b);
    return f0 + (1 - f0) * c * c * c * c * c;
}

float4 hyperbolic(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return tanh(saturate(a) + 0.5);
}

float4 twiddle(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float s, c;
    sincos(-6.28318531 * saturate(b.w), s, c);
    return float4(a.x * c - a.y * s, a.x * s + a.y * c, s, c);
}

float4 voronoi(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float2 p = floor(saturate(a.xy) * 0.999);
    float2 q = float2(dot(p + b.xy, float2(127.1, 311.7)), dot(p + b.xy, float2(269.5, 183.3)));
    return float4(frac(sin(q) * 43758.5453), 0, 0);
}

float4 animation(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return frac(abs(sin(saturate(a) * 300)) * 1e5);
}

float4 octahedral(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    float3 n = float3(a.xy, 1 - abs(a.x) - abs(a.y));
    float t = saturate(-n.z);
    n.xy += n.xy >= 0 ? -t : t;
    return float4(normalize(n), 0);
}

float4 saturated(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return saturate(a) + saturate(b);
}

float4 roots(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return sqrt(abs(a) + 0.5) * b;
}

float4 flushed_products(float4 a : TEXCOORD0, float4 b : TEXCOORD1) : SV_Target
{
    return float4(a.xy * b.xy, a.zw + b.zw);
}
