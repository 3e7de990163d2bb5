// Ports of floats.hlsl. A line that is wrong on purpose ends in `// wrong`.

struct Inputs {
    @location(0) a: vec4<f32>,
    @location(1) b: vec4<f32>,
}

@fragment
fn normalized_by_length(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(in.a.xyz / length(in.a.xyz), 1.0);
}

@fragment
fn normalized_two_components(in: Inputs) -> @location(0) vec4<f32> {
    let length = length(vec3(in.a.xy, 0.0)); // wrong
    return vec4(in.a.xyz / length, 1.0);
}

@fragment
fn quotient_by_reciprocal(in: Inputs) -> @location(0) vec4<f32> {
    return in.a * (1.0 / in.b);
}

@fragment
fn quotient_exchanged(in: Inputs) -> @location(0) vec4<f32> {
    let reciprocal = 1.0 / in.b;
    return vec4(in.a.xyz, in.a.z) * reciprocal; // wrong
}

// The product without its rounding, as a fused operation has it: the product's error, by Dekker's splitting, is added at the end.
fn fused(a: vec4<f32>, b: vec4<f32>, c: vec4<f32>) -> vec4<f32> {
    let product = a * b;
    let a_scaled = a * 4097.0;
    let a_high = a_scaled - (a_scaled - a);
    let a_low = a - a_high;
    let b_scaled = b * 4097.0;
    let b_high = b_scaled - (b_scaled - b);
    let b_low = b - b_high;
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    let sum = product + c;
    let rest = sum - product;
    return sum + (((product - (sum - rest)) + (c - rest)) + error);
}

@fragment
fn multiply_add_fused(in: Inputs) -> @location(0) vec4<f32> {
    return fused(in.a, in.b, in.a.wzyx);
}

@fragment
fn multiply_add_fused_wrong_swizzle(in: Inputs) -> @location(0) vec4<f32> {
    return fused(in.a, in.b, in.a.wzxx); // wrong
}

@fragment
fn multiply_add_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return fma(in.a, in.b, in.a.wzyx);
}

@fragment
fn product_sum_backwards(in: Inputs) -> @location(0) vec4<f32> {
    let p = in.a * in.b;
    let q = in.a.xy * in.b.zw;
    return vec4(((p.w + p.z) + p.y) + p.x, (p.z + p.y) + p.x, q.y + q.x, 0.0);
}

@fragment
fn product_sum_pairwise(in: Inputs) -> @location(0) vec4<f32> {
    let p = in.a * in.b;
    return vec4((p.x + p.y) + (p.z + p.w), (p.z + p.x) + p.y, dot(in.a.xy, in.b.zw), 0.0);
}

@fragment
fn product_sum_missing_term(in: Inputs) -> @location(0) vec4<f32> {
    let p = in.a * in.b;
    let three = (p.z + p.y); // wrong
    return vec4(((p.w + p.z) + p.y) + p.x, three, dot(in.a.xy, in.b.zw), 0.0);
}

@fragment
fn interpolated_by_mix(in: Inputs) -> @location(0) vec4<f32> {
    return mix(in.a, in.b, clamp(in.a.w, 0.0, 1.0));
}

@fragment
fn interpolated_exchanged(in: Inputs) -> @location(0) vec4<f32> {
    return mix(in.b, in.a, clamp(in.a.w, 0.0, 1.0)); // wrong
}

@fragment
fn exponential_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return exp(in.a);
}

@fragment
fn exponential_nudged(in: Inputs) -> @location(0) vec4<f32> {
    return exp2(in.a * 1.4427); // wrong
}

@fragment
fn logarithm_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return log(abs(in.a) + 0.25);
}

@fragment
fn logarithm_of_two(in: Inputs) -> @location(0) vec4<f32> {
    return log2(abs(in.a) + 0.25); // wrong
}

@fragment
fn power_by_natural(in: Inputs) -> @location(0) vec4<f32> {
    return exp(2.2 * log(abs(in.a)));
}

@fragment
fn power_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return pow(abs(in.a), vec4(2.2));
}

@fragment
fn power_nudged(in: Inputs) -> @location(0) vec4<f32> {
    return exp(2.20001 * log(abs(in.a))); // wrong
}

// The sine of a zero is that zero (D3D11.3 22.10.20).
fn sine_from_cosine(x: vec4<f32>) -> vec4<f32> {
    return select(cos(x - 1.57079637), x, x == vec4(0.0));
}

@fragment
fn sine_by_cosine(in: Inputs) -> @location(0) vec4<f32> {
    return sine_from_cosine(in.a);
}

@fragment
fn sine_by_cosine_at_zero(in: Inputs) -> @location(0) vec4<f32> {
    return cos(in.a - 1.57079637); // wrong
}

@fragment
fn sine_by_coarse_cosine(in: Inputs) -> @location(0) vec4<f32> {
    // Within the 0.0008 that sincos is allowed, but not because of it.
    return cos(in.a - 1.5701); // wrong
}

@fragment
fn sine_is_cosine(in: Inputs) -> @location(0) vec4<f32> {
    return cos(in.a); // wrong
}

@fragment
fn far_sine_reduced(in: Inputs) -> @location(0) vec4<f32> {
    let x = in.a * 100000.0;
    return sin(x - round(x * 0.159154937) * 6.28318548); // wrong
}

@fragment
fn far_sine_of_half(in: Inputs) -> @location(0) vec4<f32> {
    let half = in.a * 100000.0 * 0.5;
    return 2.0 * sin(half) * cos(half);
}

@fragment
fn far_sine_is_cosine(in: Inputs) -> @location(0) vec4<f32> {
    return cos(in.a * 100000.0); // wrong
}

@fragment
fn hash_noise_by_cosine(in: Inputs) -> @location(0) vec4<f32> {
    let x = dot(in.a.xy, vec2(12.9898, 78.233));
    return vec4(fract(sine_from_cosine(vec4(x)) * 43758.5453));
}

@fragment
fn hash_noise_exchanged_order(in: Inputs) -> @location(0) vec4<f32> {
    let x = in.a.y * 78.233 + in.a.x * 12.9898;
    return vec4(fract(sin(x) * 43758.5453));
}

@fragment
fn hash_noise_fused(in: Inputs) -> @location(0) vec4<f32> {
    let x = fused(vec4(78.233), in.a.yyyy, in.a.xxxx * 12.9898).x;
    return vec4(fract(sin(x) * 43758.5453));
}

@fragment
fn hash_noise_wrong_factor(in: Inputs) -> @location(0) vec4<f32> {
    let x = dot(in.a.xy, vec2(12.9898, 78.233));
    let wave = sine_from_cosine(vec4(x)).x;
    return vec4(fract(wave * 43758.0)); // wrong
}

@fragment
fn hash_noise_wrong_constant(in: Inputs) -> @location(0) vec4<f32> {
    let x = dot(in.a.xy, vec2(12.9898, 78.223)); // wrong
    return vec4(fract(sin(x) * 43758.5453));
}

@fragment
fn occlusion_by_reciprocal(in: Inputs) -> @location(0) vec4<f32> {
    let share = in.a.xyz * (1.0 / in.b.xyz);
    return vec4(fract(clamp(share, vec3(0.0), vec3(1.0)) * 65025.0), 1.0);
}

@fragment
fn occlusion_wrong_factor(in: Inputs) -> @location(0) vec4<f32> {
    let share = in.a.xyz * (1.0 / in.b.xyz);
    return vec4(fract(clamp(share, vec3(0.0), vec3(1.0)) * 65535.0), 1.0); // wrong
}

@fragment
fn threshold_by_division(in: Inputs) -> @location(0) vec4<f32> {
    return select(-in.b, in.b, fract(in.a * 100000.0 / 3.7) >= vec4(0.5));
}

@fragment
fn threshold_moved(in: Inputs) -> @location(0) vec4<f32> {
    return select(-in.b, in.b, fract(in.a * 100000.0 / 3.7) >= vec4(0.51)); // wrong
}

@fragment
fn smooth_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return smoothstep(vec4(0.1), vec4(0.7), in.a);
}

@fragment
fn smooth_linear(in: Inputs) -> @location(0) vec4<f32> {
    return clamp((in.a - 0.1) / 0.6, vec4(0.0), vec4(1.0)); // wrong
}

@fragment
fn mirrored_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(reflect(in.a.xyz, in.b.xyz), 0.0);
}

@fragment
fn mirrored_other_order(in: Inputs) -> @location(0) vec4<f32> {
    let p = in.a.xyz * in.b.xyz;
    return vec4(in.a.xyz - 2.0 * (p.z + p.y + p.x) * in.b.xyz, 0.0);
}

@fragment
fn mirrored_wrong_factor(in: Inputs) -> @location(0) vec4<f32> {
    let p = in.a.xyz * in.b.xyz;
    return vec4(in.a.xyz - (p.z + p.y + p.x) * in.b.xyz, 0.0); // wrong
}

@fragment
fn filmic_by_parts(in: Inputs) -> @location(0) vec4<f32> {
    let x = abs(in.a);
    let above = x * x * 2.51 + x * 0.03;
    let below = x * x * 2.43 + x * 0.59 + 0.14;
    return clamp(above / below, vec4(0.0), vec4(1.0));
}

@fragment
fn filmic_wrong_constant(in: Inputs) -> @location(0) vec4<f32> {
    let x = abs(in.a);
    let above = x * x * 2.51 + x * 0.03;
    let below = x * x * 2.43 + x * 0.591 + 0.14; // wrong
    return clamp(above / below, vec4(0.0), vec4(1.0));
}

@fragment
fn cancelled_fused(in: Inputs) -> @location(0) vec4<f32> {
    return 1.0 / fused(in.a, in.b.yxwz, -(in.a.yxwz * in.b));
}

@fragment
fn cancelled_wrong_sign(in: Inputs) -> @location(0) vec4<f32> {
    return 1.0 / fused(in.a, in.b.yxwz, in.a.yxwz * in.b); // wrong
}

@fragment
fn distance_fog_natural(in: Inputs) -> @location(0) vec4<f32> {
    let d = in.a.xyz - in.b.xyz;
    return vec4(exp(dot(d, d) * -0.05));
}

@fragment
fn distance_fog_not_squared(in: Inputs) -> @location(0) vec4<f32> {
    let d = distance(in.a.xyz, in.b.xyz);
    return vec4(exp(d * -0.05)); // wrong
}

@fragment
fn specular_builtin(in: Inputs) -> @location(0) vec4<f32> {
    let n = normalize(in.a.xyz);
    let h = normalize(in.a.xyz + in.b.xyz);
    return vec4(pow(clamp(dot(n, h), 0.0, 1.0), 32.0) * in.b.w);
}

@fragment
fn specular_squared(in: Inputs) -> @location(0) vec4<f32> {
    let n = normalize(in.a.xyz);
    let h = normalize(in.a.xyz + in.b.xyz);
    let c = clamp(dot(n, h), 0.0, 1.0);
    let c2 = c * c;
    let c4 = c2 * c2;
    let c8 = c4 * c4;
    let c16 = c8 * c8;
    return vec4(c16 * c16 * in.b.w);
}

@fragment
fn specular_wrong_power(in: Inputs) -> @location(0) vec4<f32> {
    let n = normalize(in.a.xyz);
    let h = normalize(in.a.xyz + in.b.xyz);
    return vec4(pow(clamp(dot(n, h), 0.0, 1.0), 31.0) * in.b.w); // wrong
}

@fragment
fn lengths_by_roots(in: Inputs) -> @location(0) vec4<f32> {
    let d = in.a.xy - in.b.xy;
    let x = abs(in.a.x);
    return vec4(sqrt(dot(in.a.xyz, in.a.xyz)), sqrt(dot(d, d)), sqrt(x), 1.0 / sqrt(abs(in.b.x) + 0.5));
}

@fragment
fn lengths_wrong_offset(in: Inputs) -> @location(0) vec4<f32> {
    let d = in.a.xy - in.b.xy;
    let last = 1.0 / sqrt(abs(in.b.x) + 0.500001); // wrong
    return vec4(sqrt(dot(in.a.xyz, in.a.xyz)), sqrt(dot(d, d)), sqrt(abs(in.a.x)), last);
}

@fragment
fn remainder_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return in.a % 3.25;
}

@fragment
fn remainder_of_the_divisor(in: Inputs) -> @location(0) vec4<f32> {
    return in.a - 3.25 * floor(in.a / 3.25); // wrong
}

@fragment
fn rounded_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return round(in.a) + floor(in.b * 4.0) - fract(in.a);
}

@fragment
fn rounded_half_up(in: Inputs) -> @location(0) vec4<f32> {
    return floor(in.a + 0.5) + floor(in.b * 4.0) - fract(in.a); // wrong
}

@fragment
fn rounded_fraction_by_floor(in: Inputs) -> @location(0) vec4<f32> {
    return round(in.a) + floor(in.b * 4.0) - (in.a - floor(in.a));
}

@fragment
fn extremes_exchanged(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(min(in.b.x, in.a.x), max(in.b.y, in.a.y), min(in.b.w, max(in.b.z, in.a.z)), clamp(in.a.w, 0.0, 1.0));
}

@fragment
fn extremes_as_median(in: Inputs) -> @location(0) vec4<f32> {
    let m = max(in.a.z, min(in.b.z, in.b.w)); // wrong
    return vec4(min(in.b.x, in.a.x), max(in.b.y, in.a.y), m, clamp(in.a.w, 0.0, 1.0));
}

@fragment
fn negated_minimum_as_written(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(-in.a.x, -max(in.a.y, in.b.y), abs(in.a.z), 0.0);
}

@fragment
fn negated_minimum_of_absolute(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(-abs(in.a.x), -max(in.a.y, in.b.y), abs(in.a.z), 0.0); // wrong
}

@fragment
fn comparisons_as_written(in: Inputs) -> @location(0) vec4<f32> {
    let a = flushed(in.a);
    let b = flushed(in.b);
    let nonzero = select(6.0, 5.0, abs(a.z) > 0.0);
    return vec4(select(2.0, 1.0, a.x != b.x), 3.0, nonzero, select(8.0, 7.0, a.w < b.w));
}

@fragment
fn comparisons_ordered(in: Inputs) -> @location(0) vec4<f32> {
    let a = flushed(in.a);
    let b = flushed(in.b);
    let nonzero = select(6.0, 5.0, abs(a.z) > 0.0);
    let unequal = select(2.0, 1.0, a.x < b.x || a.x > b.x); // wrong
    return vec4(unequal, 3.0, nonzero, select(8.0, 7.0, a.w < b.w));
}

@fragment
fn comparisons_folded(in: Inputs) -> @location(0) vec4<f32> {
    let a = flushed(in.a);
    let b = flushed(in.b);
    let nonzero = select(6.0, 5.0, a.z != 0.0); // wrong
    return vec4(select(2.0, 1.0, a.x != b.x), 3.0, nonzero, select(8.0, 7.0, a.w < b.w));
}

@fragment
fn comparisons_negated(in: Inputs) -> @location(0) vec4<f32> {
    let a = flushed(in.a);
    let b = flushed(in.b);
    let nonzero = select(6.0, 5.0, abs(a.z) > 0.0);
    let less = select(7.0, 8.0, a.w >= b.w); // wrong
    return vec4(select(2.0, 1.0, a.x != b.x), 3.0, nonzero, less);
}

// fxc folds a comparison of an absolute value with 0.
@fragment
fn absolute_compared(in: Inputs) -> @location(0) vec4<f32> {
    return select(vec4(4.0), vec4(3.0), abs(in.a) >= vec4(0.0)) * in.b;
}

@fragment
fn absolute_otherwise(in: Inputs) -> @location(0) vec4<f32> {
    return select(vec4(3.0), vec4(4.0), !(abs(in.a) >= vec4(0.0))) * in.b;
}

@fragment
fn absolute_folded(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(3.0) * in.b; // wrong
}

@fragment
fn bounded_other_way(in: Inputs) -> @location(0) vec4<f32> {
    return max(min(in.a, vec4(in.b.y)), vec4(in.b.x)); // wrong
}

@fragment
fn zero_power_by_logarithm(in: Inputs) -> @location(0) vec4<f32> {
    let base = clamp(in.a, vec4(0.0), vec4(1.0));
    return exp2(-clamp(-in.b, vec4(0.0), vec4(1.0)) * log2(base));
}

// What the C library's pow gives for a zero exponent.
@fragment
fn zero_power_as_in_c(in: Inputs) -> @location(0) vec4<f32> {
    let base = clamp(in.a, vec4(0.0), vec4(1.0));
    let exponent = -clamp(-in.b, vec4(0.0), vec4(1.0));
    return select(exp2(exponent * log2(base)), vec4(1.0), exponent == vec4(0.0)); // wrong
}

@fragment
fn zero_power_wrong_sign(in: Inputs) -> @location(0) vec4<f32> {
    let base = clamp(in.a, vec4(0.0), vec4(1.0));
    return exp2(clamp(-in.b, vec4(0.0), vec4(1.0)) * log2(base)); // wrong
}

@fragment
fn zero_power_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return pow(clamp(in.a, vec4(0.0), vec4(1.0)), -clamp(-in.b, vec4(0.0), vec4(1.0)));
}

@fragment
fn folded_as_constants(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(0.0, 0.0, 1.0, in.b.w);
}

@fragment
fn folded_not(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(in.a.x - in.a.x, -in.a.y + in.a.y, in.a.z / in.a.z, in.b.w); // wrong
}

@fragment
fn difference_of_equals(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(in.a.x - in.a.x, -in.a.y + in.a.y, in.a.z + -in.a.z, in.b.w);
}

@fragment
fn difference_folded(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(0.0, 0.0, 0.0, in.b.w);
}

@fragment
fn difference_folded_to_one(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(0.0, 0.0, 1.0, in.b.w); // wrong
}

@fragment
fn scaled_reciprocal_by_division(in: Inputs) -> @location(0) vec4<f32> {
    return in.a / in.b;
}

@fragment
fn scaled_reciprocal_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return in.a * (1.0 / in.b);
}

@fragment
fn scaled_reciprocal_exchanged(in: Inputs) -> @location(0) vec4<f32> {
    return in.a / in.b.xywz; // wrong
}

@fragment
fn luminance_other_order(in: Inputs) -> @location(0) vec4<f32> {
    let y = in.a.r * 0.2126 + (in.a.g * 0.7152 + in.a.b * 0.0722);
    return vec4(y, in.a.rg / (abs(y) + 1.0), 1.0);
}

@fragment
fn luminance_wrong_weight(in: Inputs) -> @location(0) vec4<f32> {
    let y = in.a.r * 0.2126 + (in.a.g * 0.7125 + in.a.b * 0.0722); // wrong
    return vec4(y, in.a.rg / (abs(y) + 1.0), 1.0);
}

@fragment
fn decoded_by_division(in: Inputs) -> @location(0) vec4<f32> {
    let x = clamp(in.a, vec4(0.0), vec4(1.0));
    return select(pow((x + 0.055) / 1.055, vec4(2.4)), x / 12.92, x <= vec4(0.04045));
}

@fragment
fn decoded_wrong_threshold(in: Inputs) -> @location(0) vec4<f32> {
    let x = clamp(in.a, vec4(0.0), vec4(1.0));
    return select(pow((x + 0.055) / 1.055, vec4(2.4)), x / 12.92, x <= vec4(0.0031308)); // wrong
}

@fragment
fn decoded_wrong_exponent(in: Inputs) -> @location(0) vec4<f32> {
    let x = clamp(in.a, vec4(0.0), vec4(1.0));
    let curve = pow((x + 0.055) / 1.055, vec4(2.2)); // wrong
    return select(curve, x / 12.92, x <= vec4(0.04045));
}

@fragment
fn fresnel_by_squares(in: Inputs) -> @location(0) vec4<f32> {
    let c = 1.0 - clamp(in.a, vec4(0.0), vec4(1.0));
    let f0 = clamp(in.b, vec4(0.0), vec4(1.0));
    let c2 = c * c;
    return (1.0 - f0) * (c2 * c2 * c) + f0;
}

@fragment
fn fresnel_by_mix(in: Inputs) -> @location(0) vec4<f32> {
    let c = 1.0 - clamp(in.a, vec4(0.0), vec4(1.0));
    let f0 = clamp(in.b, vec4(0.0), vec4(1.0));
    let c2 = c * c;
    return mix(f0, vec4(1.0), c2 * c2 * c);
}

@fragment
fn fresnel_fourth_power(in: Inputs) -> @location(0) vec4<f32> {
    let c = 1.0 - clamp(in.a, vec4(0.0), vec4(1.0));
    let f0 = clamp(in.b, vec4(0.0), vec4(1.0));
    let c2 = c * c;
    return (1.0 - f0) * (c2 * c2) + f0; // wrong
}

@fragment
fn hyperbolic_builtin(in: Inputs) -> @location(0) vec4<f32> {
    return tanh(clamp(in.a, vec4(0.0), vec4(1.0)) + 0.5);
}

@fragment
fn hyperbolic_wrong_offset(in: Inputs) -> @location(0) vec4<f32> {
    let x = clamp(in.a, vec4(0.0), vec4(1.0)) + 0.5001; // wrong
    return tanh(x);
}

@fragment
fn twiddle_by_cosines(in: Inputs) -> @location(0) vec4<f32> {
    let angle = -6.28318531 * clamp(in.b.w, 0.0, 1.0);
    let s = sine_from_cosine(vec4(angle)).x;
    let c = cos(angle);
    return vec4(in.a.x * c - in.a.y * s, in.a.x * s + in.a.y * c, s, c);
}

@fragment
fn twiddle_conjugate(in: Inputs) -> @location(0) vec4<f32> {
    let angle = -6.28318531 * clamp(in.b.w, 0.0, 1.0);
    let s = sine_from_cosine(vec4(angle)).x;
    let c = cos(angle);
    return vec4(in.a.x * c + in.a.y * s, in.a.x * s + in.a.y * c, s, c); // wrong
}

@fragment
fn voronoi_other_order(in: Inputs) -> @location(0) vec4<f32> {
    let p = floor(clamp(in.a.xy, vec2(0.0), vec2(1.0)) * 0.999) + in.b.xy;
    let q = vec2(p.y * 311.7 + p.x * 127.1, p.y * 183.3 + p.x * 269.5);
    return vec4(fract(sin(q) * 43758.5453), 0.0, 0.0);
}

@fragment
fn voronoi_exchanged(in: Inputs) -> @location(0) vec4<f32> {
    let p = floor(clamp(in.a.xy, vec2(0.0), vec2(1.0)) * 0.999) + in.b.xy;
    let q = vec2(p.y * 311.7 + p.x * 127.1, p.x * 183.3 + p.y * 269.5); // wrong
    return vec4(fract(sin(q) * 43758.5453), 0.0, 0.0);
}

@fragment
fn animation_by_cosine(in: Inputs) -> @location(0) vec4<f32> {
    let x = clamp(in.a, vec4(0.0), vec4(1.0)) * 300.0;
    return fract(abs(sine_from_cosine(x)) * 1e5);
}

@fragment
fn animation_without_absolute(in: Inputs) -> @location(0) vec4<f32> {
    let x = clamp(in.a, vec4(0.0), vec4(1.0)) * 300.0;
    return fract(sine_from_cosine(x) * 1e5); // wrong
}

@fragment
fn octahedral_by_length(in: Inputs) -> @location(0) vec4<f32> {
    let z = 1.0 - abs(in.a.x) - abs(in.a.y);
    let t = clamp(-z, 0.0, 1.0);
    let n = vec3(in.a.xy + select(vec2(t), vec2(-t), in.a.xy >= vec2(0.0)), z);
    return vec4(n / length(n), 0.0);
}

@fragment
fn octahedral_not_folded(in: Inputs) -> @location(0) vec4<f32> {
    let z = 1.0 - abs(in.a.x) - abs(in.a.y);
    let t = clamp(-z, 0.0, 1.0);
    let n = vec3(in.a.xy + select(vec2(-t), vec2(t), in.a.xy >= vec2(0.0)), z); // wrong
    return vec4(n / length(n), 0.0);
}

// _sat gives 0 for NaN (D3D11.3 22.19.1), and flushes.
fn saturate_as_direct3d(x: vec4<f32>) -> vec4<f32> {
    let kept = select(vec4(0.0), select(vec4(1.0), x, x < vec4(1.0)), x >= vec4(1.17549435e-38));
    return kept;
}

@fragment
fn saturated_guarded(in: Inputs) -> @location(0) vec4<f32> {
    return saturate_as_direct3d(in.a) + saturate_as_direct3d(in.b);
}

@fragment
fn saturated_by_clamp(in: Inputs) -> @location(0) vec4<f32> {
    return clamp(in.a, vec4(0.0), vec4(1.0)) + clamp(in.b, vec4(0.0), vec4(1.0)); // wrong
}

@fragment
fn saturated_below_only(in: Inputs) -> @location(0) vec4<f32> {
    return clamp(in.a, vec4(0.0), vec4(1.0)) + max(in.b, vec4(0.0)); // wrong
}

@fragment
fn roots_by_inverse(in: Inputs) -> @location(0) vec4<f32> {
    let x = abs(in.a) + 0.5;
    return x * inverseSqrt(x) * in.b; // wrong
}

@fragment
fn roots_as_written(in: Inputs) -> @location(0) vec4<f32> {
    return sqrt(abs(in.a) + 0.5) * in.b;
}

@fragment
fn roots_inverse(in: Inputs) -> @location(0) vec4<f32> {
    let x = abs(in.a) + 0.5;
    return inverseSqrt(x) * in.b; // wrong
}

// WGSL as the original: what its rules leave open.
@fragment
fn products(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(in.a.xy * in.b.xy, in.a.zw + in.b.zw);
}

// Subnormal numbers are made zero, as WGSL 15.7.1 allows.
fn flushed(x: vec4<f32>) -> vec4<f32> {
    return select(x, x * 0.0, abs(x) < vec4(1.17549435e-38));
}

@fragment
fn products_exchanged(in: Inputs) -> @location(0) vec4<f32> {
    return vec4(in.a.xy * in.b.yx, in.a.zw + in.b.zw); // wrong
}

@fragment
fn bounded_as_written(in: Inputs) -> @location(0) vec4<f32> {
    return min(max(in.a, vec4(in.b.x)), vec4(in.b.y));
}

@fragment
fn remainder_of_the_dividend(in: Inputs) -> @location(0) vec4<f32> {
    let q = abs(in.a / 3.25);
    let f = q - floor(q);
    return select(-f, f, in.a / 3.25 >= vec4(0.0)) * 3.25;
}
