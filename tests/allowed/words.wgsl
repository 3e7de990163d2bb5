// Ports of words.hlsl. A line that is wrong on purpose ends in `// wrong`.

struct Constants {
    tint: vec4<f32>,
    shift: vec4<f32>,
}

@group(0) @binding(0) var<uniform> constants: Constants;

struct WordAndFloat {
    @location(0) @interpolate(flat) a: vec4<u32>,
    @location(1) b: vec4<f32>,
}

struct SignedAndFloat {
    @location(0) @interpolate(flat) a: vec4<i32>,
    @location(1) b: vec4<f32>,
}

struct Words {
    @location(0) @interpolate(flat) a: vec4<u32>,
    @location(1) @interpolate(flat) b: vec4<u32>,
}

struct SignedAndWords {
    @location(0) @interpolate(flat) a: vec4<i32>,
    @location(1) @interpolate(flat) b: vec4<u32>,
}

struct Floats {
    @location(0) a: vec4<f32>,
    @location(1) b: vec4<f32>,
}

// The float next to x toward zero: all but the 24 highest bits are dropped first.
fn truncated(x: u32) -> f32 {
    let unused = 8u - min(countLeadingZeros(x), 8u);
    return f32((x >> unused) << unused);
}

fn truncated4(x: vec4<u32>) -> vec4<f32> {
    return vec4(truncated(x.x), truncated(x.y), truncated(x.z), truncated(x.w));
}

@fragment
fn from_unsigned_builtin(in: WordAndFloat) -> @location(0) vec4<f32> {
    return vec4<f32>(in.a);
}

@fragment
fn from_unsigned_truncated(in: WordAndFloat) -> @location(0) vec4<f32> {
    return truncated4(in.a);
}

@fragment
fn from_unsigned_coarse(in: WordAndFloat) -> @location(0) vec4<f32> {
    return vec4<f32>((in.a >> vec4(10u)) << vec4(10u)); // wrong
}

@fragment
fn from_unsigned_as_signed(in: WordAndFloat) -> @location(0) vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(in.a)); // wrong
}

@fragment
fn from_signed_truncated(in: SignedAndFloat) -> @location(0) vec4<f32> {
    let magnitude = truncated4(bitcast<vec4<u32>>(abs(in.a)));
    return select(magnitude, -magnitude, in.a < vec4(0i));
}

@fragment
fn from_signed_without_sign(in: SignedAndFloat) -> @location(0) vec4<f32> {
    return truncated4(bitcast<vec4<u32>>(abs(in.a))); // wrong
}

@fragment
fn from_unsigned_as_bits_truncated(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4<u32>(truncated4(in.a) * 0.001 + 0.5);
}

@fragment
fn from_unsigned_as_bits_wrong_scale(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4<u32>(truncated4(in.a) * 0.0010001 + 0.5); // wrong
}

// Toward zero, and 65504 for what is too large.
fn half(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if magnitude > 0x7f800000u {
        return sign | 0x7e00u;
    }
    if magnitude == 0x7f800000u {
        return sign | 0x7c00u;
    }
    if magnitude >= 0x47800000u {
        return sign | 0x7bffu;
    }
    if magnitude >= 0x38800000u {
        return sign | ((magnitude - 0x38000000u) >> 13u);
    }
    let exponent = magnitude >> 23u;
    if exponent < 103u {
        return sign;
    }
    return sign | (((magnitude & 0x7fffffu) | 0x800000u) >> (126u - exponent));
}

@fragment
fn to_half_by_bits(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4(half(in.b.x), half(in.b.y), half(in.b.z), half(in.b.w));
}

@fragment
fn to_half_to_nearest(in: WordAndFloat) -> @location(0) vec4<u32> {
    let low = vec2(pack2x16float(in.b.xy), pack2x16float(in.b.zw)); // wrong
    return vec4(low.x & 0xffffu, low.x >> 16u, low.y & 0xffffu, low.y >> 16u);
}

@fragment
fn to_signed_builtin(in: WordAndFloat) -> @location(0) vec4<i32> {
    return vec4<i32>(in.b * 100.0); // wrong
}

@fragment
fn to_signed_rounded(in: WordAndFloat) -> @location(0) vec4<i32> {
    return vec4<i32>(round(in.b * 100.0)); // wrong
}

@fragment
fn to_unsigned_builtin(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4<u32>(in.b * 100.0); // wrong
}

@fragment
fn to_unsigned_by_signed(in: WordAndFloat) -> @location(0) vec4<u32> {
    return bitcast<vec4<u32>>(vec4<i32>(in.b * 100.0)); // wrong
}

@fragment
fn scaled_quotient_by_reciprocal(in: Floats) -> @location(0) vec4<i32> {
    let share = in.a * (1.0 / in.b);
    return vec4<i32>(clamp(share, vec4(0.0), vec4(1.0)) * 65536.0);
}

@fragment
fn scaled_quotient_wrong_scale(in: Floats) -> @location(0) vec4<i32> {
    let share = in.a * (1.0 / in.b);
    return vec4<i32>(clamp(share, vec4(0.0), vec4(1.0)) * 65535.0); // wrong
}

@fragment
fn normalised_builtin(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4(pack4x8unorm(in.b));
}

@fragment
fn normalised_exchanged(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4(pack4x8unorm(in.b.yxzw)); // wrong
}

@fragment
fn unpacked_by_division(in: WordAndFloat) -> @location(0) vec4<f32> {
    let bytes = (vec4(in.a.x) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u);
    return vec4<f32>(bytes) / 255.0;
}

@fragment
fn unpacked_by_256(in: WordAndFloat) -> @location(0) vec4<f32> {
    let bytes = (vec4(in.a.x) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u);
    return vec4<f32>(bytes) / 256.0; // wrong
}

@fragment
fn unsigned_quotient_guarded(in: Words) -> @location(0) vec4<u32> {
    let zero = in.b == vec4(0u);
    let quotients = select(in.a.xy / in.b.xy, vec2(0xffffffffu), zero.xy);
    return vec4(quotients, select(in.a.zw % in.b.zw, vec2(0xffffffffu), zero.zw));
}

@fragment
fn unsigned_quotient_plain(in: Words) -> @location(0) vec4<u32> {
    return vec4(in.a.xy / in.b.xy, in.a.zw % in.b.zw); // wrong
}

@fragment
fn signed_remainder_builtin(in: SignedAndWords) -> @location(0) vec4<i32> {
    return in.a % vec4(7i);
}

@fragment
fn signed_remainder_of_the_divisor(in: SignedAndWords) -> @location(0) vec4<i32> {
    return (in.a % vec4(7i) + vec4(7i)) % vec4(7i); // wrong
}

@fragment
fn shifted_builtin(in: Words) -> @location(0) vec4<u32> {
    let low = in.b & vec4(31u);
    return vec4(in.a.xy << low.xy, in.a.z >> low.z, bitcast<u32>(bitcast<i32>(in.a.w) >> low.w));
}

@fragment
fn shifted_out(in: Words) -> @location(0) vec4<u32> {
    let low = in.b & vec4(31u);
    let left = select(vec2(0u), in.a.xy << low.xy, in.b.xy < vec2(32u)); // wrong
    return vec4(left, in.a.z >> low.z, bitcast<u32>(bitcast<i32>(in.a.w) >> low.w));
}

@fragment
fn shifted_logically(in: Words) -> @location(0) vec4<u32> {
    let low = in.b & vec4(31u);
    return vec4(in.a.xy << low.xy, in.a.zw >> low.zw); // wrong
}

@fragment
fn first_bits_builtin(in: Words) -> @location(0) vec4<u32> {
    let signed = bitcast<u32>(firstLeadingBit(bitcast<i32>(in.a.w)));
    return vec4(firstLeadingBit(in.a.x), firstTrailingBit(in.a.y), countOneBits(in.a.z), signed);
}

@fragment
fn first_bits_from_the_top(in: Words) -> @location(0) vec4<u32> {
    let high = countLeadingZeros(in.a.x); // wrong
    let signed = bitcast<u32>(firstLeadingBit(bitcast<i32>(in.a.w)));
    return vec4(high, firstTrailingBit(in.a.y), countOneBits(in.a.z), signed);
}

@fragment
fn swizzled_constant_as_written(in: Floats) -> @location(0) vec4<f32> {
    return in.a * constants.tint.wzyx + constants.shift.yxwz;
}

@fragment
fn swizzled_constant_stripped(in: Floats) -> @location(0) vec4<f32> {
    return in.a * constants.tint + constants.shift.yxwz; // wrong
}

@fragment
fn exchanged_in_parallel(in: Words) -> @location(0) vec4<u32> {
    var x = in.a.x;
    var y = in.a.y;
    for (var k = 0u; k < (in.a.z & 7u); k++) {
        let before = vec2(x, y);
        x = before.y + 1u;
        y = before.x * 3u;
    }
    return vec4(x, y, x / (y | 1u), x % (y | 1u));
}

@fragment
fn exchanged_one_after_another(in: Words) -> @location(0) vec4<u32> {
    var x = in.a.x;
    var y = in.a.y;
    for (var k = 0u; k < (in.a.z & 7u); k++) {
        x = y + 1u;
        y = x * 3u; // wrong
    }
    return vec4(x, y, x / (y | 1u), x % (y | 1u));
}

@fragment
fn falling_through_as_written(in: Words) -> @location(0) vec4<u32> {
    var r = 30u;
    switch in.a.x & 7u {
        case 0u, 3u: { r = 10u; }
        case 1u: { r = 20u; }
        case 6u: { r = 40u; }
        default: {}
    }
    return vec4(r) + vec4(in.a.y);
}

@fragment
fn falling_through_one_selector(in: Words) -> @location(0) vec4<u32> {
    var r = 30u;
    switch in.a.x & 7u {
        case 0u: { r = 10u; } // wrong
        case 1u: { r = 20u; }
        case 6u: { r = 40u; }
        default: {}
    }
    return vec4(r) + vec4(in.a.y);
}

@fragment
fn to_signed_clamped(in: WordAndFloat) -> @location(0) vec4<i32> {
    let x = in.b * 100.0;
    let high = select(vec4<i32>(x), vec4(0x7fffffffi), x >= vec4(2147483648.0));
    return select(high, vec4(0i), x != x);
}

@fragment
fn to_unsigned_clamped(in: WordAndFloat) -> @location(0) vec4<u32> {
    let x = in.b * 100.0;
    let high = select(vec4<u32>(x), vec4(0xffffffffu), x >= vec4(4294967296.0));
    return select(high, vec4(0u), !(x > vec4(0.0)));
}

fn half_or_infinity(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if magnitude >= 0x47800000u && magnitude <= 0x7f800000u {
        return sign | 0x7c00u;
    }
    return half(x);
}

@fragment
fn to_half_infinite(in: WordAndFloat) -> @location(0) vec4<u32> {
    return vec4(half_or_infinity(in.b.x), half(in.b.y), half(in.b.z), half(in.b.w)); // wrong
}

@fragment
fn both_results_as_written(in: Words) -> @location(0) vec4<u32> {
    let divisors = in.b.xy | vec2(1u);
    return vec4(in.a.xy / divisors, in.a.xy % divisors);
}

@fragment
fn both_results_one_after_another(in: Words) -> @location(0) vec4<u32> {
    let divisors = in.b.xy | vec2(1u);
    var r = in.a.xy;
    r = r / divisors;
    let remainders = r % divisors; // wrong
    return vec4(r, remainders);
}

@fragment
fn both_results_exchanged(in: Words) -> @location(0) vec4<u32> {
    let divisors = in.b.xy | vec2(1u);
    return vec4(in.a.xy % divisors, in.a.xy / divisors); // wrong
}

@fragment
fn fields_by_extraction(in: Words) -> @location(0) vec4<u32> {
    let signed = bitcast<u32>(extractBits(bitcast<i32>(in.a.y), 15u, 12u));
    return vec4(extractBits(in.a.x, 7u, 9u), signed, insertBits(in.a.z & 0xff00ffu, in.a.w >> 8u, 16u, 8u) | (in.a.z & 0xff0000u), in.a.w >> 28u);
}

@fragment
fn fields_unsigned(in: Words) -> @location(0) vec4<u32> {
    let second = extractBits(in.a.y, 15u, 12u); // wrong
    return vec4(extractBits(in.a.x, 7u, 9u), second, (in.a.z & 0xff00ffu) | ((in.a.w & 0xff00u) << 8u), in.a.w >> 28u);
}

@fragment
fn fields_one_bit_short(in: Words) -> @location(0) vec4<u32> {
    let second = bitcast<u32>(extractBits(bitcast<i32>(in.a.y), 15u, 12u));
    let first = extractBits(in.a.x, 7u, 8u); // wrong
    return vec4(first, second, (in.a.z & 0xff00ffu) | ((in.a.w & 0xff00u) << 8u), in.a.w >> 28u);
}

@fragment
fn dynamic_row_by_division(in: WordAndFloat) -> @location(0) vec4<f32> {
    var rows = array(in.b, in.b.yzwx * 0.3, in.b.zwxy / 3.0, in.b.wxyz * in.b);
    return rows[in.a.x & 3u] + rows[(in.a.y + 1u) & 3u];
}

@fragment
fn dynamic_row_off_by_one(in: WordAndFloat) -> @location(0) vec4<f32> {
    var rows = array(in.b, in.b.yzwx * 0.3, in.b.zwxy / 3.0, in.b.wxyz * in.b);
    return rows[in.a.x & 3u] + rows[in.a.y & 3u]; // wrong
}

@fragment
fn quantised_by_length(in: Floats) -> @location(0) vec4<u32> {
    let n = in.a.xyz / length(in.a.xyz);
    let u = vec3<u32>(clamp(n * 0.5 + 0.5, vec3(0.0), vec3(1.0)) * 1023.0);
    return vec4(u.x | (u.y << 10u) | (u.z << 20u), u);
}

@fragment
fn quantised_overlapping(in: Floats) -> @location(0) vec4<u32> {
    let n = in.a.xyz / length(in.a.xyz);
    let u = vec3<u32>(clamp(n * 0.5 + 0.5, vec3(0.0), vec3(1.0)) * 1023.0);
    return vec4(u.x | (u.y << 10u) | (u.z << 21u), u); // wrong
}

@fragment
fn quantised_half_added(in: Floats) -> @location(0) vec4<u32> {
    let n = in.a.xyz / length(in.a.xyz);
    let u = vec3<u32>(clamp(n * 0.5 + 0.5, vec3(0.0), vec3(1.0)) * 1023.0 + 0.5); // wrong
    return vec4(u.x | (u.y << 10u) | (u.z << 20u), u);
}

@fragment
fn texels_by_reciprocal(in: WordAndFloat) -> @location(0) vec4<f32> {
    let size = (in.a.zw & vec2(1023u)) + 1u;
    let inner = (vec2<f32>(in.a.xy % size) + 0.5) * (1.0 / vec2<f32>(size));
    return vec4(inner, vec2(truncated(in.a.x), truncated(in.a.y)) / 65536.0);
}

@fragment
fn texels_at_corners(in: WordAndFloat) -> @location(0) vec4<f32> {
    let size = (in.a.zw & vec2(1023u)) + 1u;
    let inner = vec2<f32>(in.a.xy % size) * (1.0 / vec2<f32>(size)); // wrong
    return vec4(inner, vec2(truncated(in.a.x), truncated(in.a.y)) / 65536.0);
}
