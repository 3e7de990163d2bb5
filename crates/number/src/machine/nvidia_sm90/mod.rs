//! The approximate functions of an NVIDIA H200 (compute capability 9.0), bit for bit.
//!
//! [`ex2`], [`lg2`], [`rcp`], [`rsqrt`], [`sqrt`], [`sin`], [`cos`] and [`tanh`] give what PTX's instructions of these names give with `.approx.f32`
//! (PTX ISA, "Floating Point Instructions"), with `.ftz` ([`Denormals::Flush`]) and without ([`Denormals::Keep`]).
//!
//! # Form
//!
//! The special function unit interpolates: the high bits of the argument choose a row of a table, the low bits are the argument of a quadratic in fixed point, whose
//! square is made by a multiplier that leaves out the low partial products. The rest is exponents and signs. The
//! forms without `.ftz` are no instructions of the machine: the compiler scales subnormals up, and the result back, by powers of two.
//!
//! # Where it comes from
//!
//! The form, with the shifts and biases of rcp, rsqrt, ex2, lg2, sin and cos, is what the envytools project found on the G80
//! (`nvhw/sfu.c`, 2015, MIT licence). The tables here were solved from an H200's own results. ex2's truncation,
//! sqrt, tanh, the treatment of arguments and the scaling without `.ftz` were found on the H200. All 15 functions
//! agree with it on all 2^32 operands: the example `machine_sweep` compares hashes of its results, the tests some of them.
//!
//! # In shaders
//!
//! NVIDIA's Vulkan driver (580.159.04) makes the forms with `.ftz` of a shader's functions, and of others the sequences of [`div`], [`exp`] and [`log`]: found from
//! its results, with which these agree on all 2^32 operands (of division, on as many pairs).
//!
//! The code is branch-free, so that a loop over an array is vectorised.

mod tables;

use super::Function;
use crate::Denormals;

/// One row of a table: the coefficients of 1, x and x^2.
type Row = (i64, i32, i32);

/// A NaN as this machine makes it.
pub const NAN: u32 = 0x7fff_ffff;

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
const FRACTION: u32 = 0x007f_ffff;
/// The least normal number; in a mantissa, the bit that is not stored.
const MIN_NORMAL: u32 = 0x0080_0000;

/// A table, a column an array: indexed by the low bits of an index, with no check of bounds in the loop.
struct Table<C, const N: usize> {
    c0: [C; N],
    c1: [i32; N],
    c2: [i32; N],
}

const fn narrow<const N: usize>(rows: &[Row; N]) -> Table<i32, N> {
    let mut table = Table { c0: [0; N], c1: [0; N], c2: [0; N] };
    let mut at = 0;
    while at < N {
        table.c0[at] = rows[at].0 as i32;
        table.c1[at] = rows[at].1;
        table.c2[at] = rows[at].2;
        at += 1;
    }
    table
}

/// With rows of zeros after the last.
const fn wide<const N: usize, const M: usize>(rows: &[Row; N]) -> Table<i64, M> {
    let mut table = Table { c0: [0; M], c1: [0; M], c2: [0; M] };
    let mut at = 0;
    while at < N {
        table.c0[at] = rows[at].0;
        table.c1[at] = rows[at].1;
        table.c2[at] = rows[at].2;
        at += 1;
    }
    table
}

static RCP: Table<i32, 128> = narrow(&tables::RCP);
static RSQRT: Table<i32, 128> = narrow(&tables::RSQRT);
static SQRT: Table<i32, 128> = narrow(&tables::SQRT);
static EX2: Table<i32, 64> = narrow(&tables::EX2);
static LG2: Table<i32, 64> = narrow(&tables::LG2);
static SIN: Table<i32, 64> = narrow(&tables::SIN);
static TANH: Table<i64, 64> = wide(&tables::TANH);

/// The square of a 17-bit number, in units of 2^19, as the truncating multiplier makes it: each partial product loses its low bits.
#[inline(always)]
fn square(x: u32) -> u32 {
    // Written out, since a loop that is left to be unrolled keeps the loop around it from being vectorised. Those of bits 0 and 1 are 0.
    let partial = |bit: u32| (x >> (18 - bit)) & ((x >> bit) & 1).wrapping_neg();
    let low = partial(2) + partial(3) + partial(4) + partial(5) + partial(6) + partial(7) + partial(8) + partial(9);
    let high = partial(10) + partial(11) + partial(12) + partial(13) + partial(14) + partial(15) + partial(16);
    (low + high) >> 1
}

/// C0 * 2^A + C1 * x + C2 * 2^C * square + bias.
#[inline(always)]
fn quadratic<const A: u32, const C: u32, const N: usize>(
    table: &Table<i32, N>,
    index: u32,
    x: u32,
    square: u32,
    bias: i64,
) -> u64 {
    let row = index as usize & (N - 1);
    let constant = i64::from(table.c0[row]) << A;
    let linear = i64::from(table.c1[row]).wrapping_mul(i64::from(x as i32));
    let curved = i64::from(table.c2[row].wrapping_mul(square as i32) << C);
    // Nothing wraps: the sum is below 2^44. Said to wrap, it is vectorised with checks of overflow too; so elsewhere in this module.
    constant.wrapping_add(linear).wrapping_add(curved).wrapping_add(bias) as u64
}

/// The bits of magnitude * 2^unit as f32, cut to 24 bits; magnitude is below 2^52, the result is normal or 0.
#[inline(always)]
fn normalise(magnitude: u64, unit: i32) -> u32 {
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    let exact = (f64::from_bits(magnitude | TWO_52) - f64::from_bits(TWO_52)).to_bits();
    let bits = ((exact >> 29) as u32).wrapping_sub(((1023 - 127 - unit) as u32) << 23);
    if magnitude == 0 { 0 } else { bits }
}

#[inline(always)]
fn choose(condition: bool, yes: u32, no: u32) -> u32 {
    if condition { yes } else { no }
}

#[inline(always)]
fn is_nan(x: u32) -> bool {
    x & !SIGN > INFINITY
}

#[inline(always)]
fn exponent(x: u32) -> u32 {
    (x >> 23) & 0xff
}

/// x * factor, rounded to nearest even with subnormals kept, a NaN made the machine's.
#[inline(always)]
fn scaled(x: u32, factor: f32) -> u32 {
    let product = (f32::from_bits(x) * factor).to_bits();
    choose(is_nan(product), NAN, product)
}

/// Scales a subnormal operand up by 2^24, and says by which bits it was done.
#[inline(always)]
fn scaled_up(x: u32) -> (bool, u32) {
    let is_small = x & !SIGN < MIN_NORMAL;
    (is_small, choose(is_small, scaled(x, 16_777_216.0), x))
}

#[inline(always)]
fn raw_rcp(x: u32) -> u32 {
    let (sign, e, f) = (x & SIGN, exponent(x), x & FRACTION);
    let low = f & 0xffff;
    let v = (quadratic::<13, 0, 128>(&RCP, f >> 16, low, square(low << 1), 0x47e7) >> 15) as u32;
    // The carry that the mantissa of a power of two makes goes into the exponent.
    let field = 253 - e as i32 + (v >> 24) as i32;
    let finite = choose(field > 0, ((field as u32) << 23) | (v & FRACTION), 0);
    let of_infinity = choose(e == 0xff, 0, finite);
    choose(is_nan(x), NAN, sign | choose(e == 0, INFINITY, of_infinity))
}

/// Index, low bits and half exponent of an argument of a square root.
#[inline(always)]
fn root_argument(x: u32) -> (u32, u32, i32) {
    let (e, f) = (exponent(x) as i32 - 127, x & FRACTION);
    (f >> 17 | (e as u32 & 1) << 6, f & 0x1_ffff, e >> 1)
}

#[inline(always)]
fn raw_rsqrt(x: u32) -> u32 {
    let (index, low, half) = root_argument(x);
    let v = (quadratic::<14, 2, 128>(&RSQRT, index, low, square(low), 0x7fff) >> 16) as u32;
    let is_power_of_four = index == 0 && low == 0;
    let field = (126 - half) as u32;
    let finite = choose(is_power_of_four, (field + 1) << 23, (field << 23) | (v & FRACTION));
    let magnitude = choose(x == INFINITY, 0, finite);
    let is_invalid = is_nan(x) | (x > SIGN + FRACTION);
    choose(exponent(x) == 0, (x & SIGN) | INFINITY, choose(is_invalid, NAN, magnitude))
}

#[inline(always)]
fn raw_sqrt(x: u32) -> u32 {
    let (index, low, half) = root_argument(x);
    let v = (quadratic::<15, 1, 128>(&SQRT, index, low, square(low), 0xffff) >> 17) as u32;
    let finite = (((127 + half) as u32) << 23) | (v & FRACTION);
    let magnitude = choose(x == INFINITY, INFINITY, finite);
    let is_invalid = is_nan(x) | (x > SIGN + FRACTION);
    choose(exponent(x) == 0, x & SIGN, choose(is_invalid, NAN, magnitude))
}

#[inline(always)]
fn raw_ex2(x: u32) -> u32 {
    let is_negative = x & SIGN != 0;
    let (e, m) = (exponent(x) as i32 - 127, (x & FRACTION) | MIN_NORMAL);
    // |x| with 23 bits after the point; from 128 on it does not matter.
    let left = m << e.clamp(0, 7) as u32;
    let fixed = choose(e < 0, m >> (-e).clamp(0, 31) as u32, left);
    let fixed = choose(exponent(x) == 0, 0, fixed);
    let (integer, fraction) = ((fixed >> 23) as i32, fixed & FRACTION);
    let floor = if is_negative { -integer - i32::from(fraction != 0) } else { integer };
    let fraction = choose(is_negative && fraction != 0, !fraction & FRACTION, fraction);
    let low = fraction & 0x1_ffff;
    let v = (quadratic::<13, 0, 64>(&EX2, fraction >> 17, low, square(low), 0x77e2) >> 15) as u32;
    let field = floor + 127 + (v >> 24) as i32;
    let finite = choose(field > 0, ((field as u32) << 23) | (v & FRACTION), 0);
    let out = choose(e >= 7, choose(is_negative, 0, INFINITY), finite);
    choose(is_nan(x), NAN, out)
}

#[inline(always)]
fn raw_lg2(x: u32) -> u32 {
    let (e, f) = (exponent(x) as i32 - 127, x & FRACTION);
    let low = f & 0x1_ffff;
    let fraction = (quadratic::<12, 1, 64>(&LG2, f >> 17, low, square(low), 0x3345) >> 2) as i64;
    let r = fraction.wrapping_add(i64::from(e) << 36);
    let is_negative = r < 0;
    let magnitude = (if is_negative { !r } else { r }) as u64;
    let finite = choose(is_negative, SIGN, 0) | normalise(magnitude, -36);
    let finite = choose(x == 0x3f80_0000, 0, finite);
    let out = choose(x == INFINITY, INFINITY, finite);
    let is_invalid = is_nan(x) | (x > SIGN + FRACTION);
    choose(exponent(x) == 0, SIGN | INFINITY, choose(is_invalid, NAN, out))
}

/// The sine, or with `COSINE` the cosine. Subnormals make no difference: their turns are cut to 0.
#[inline(always)]
fn raw_sine<const COSINE: bool>(x: u32) -> u32 {
    // 1 / (2 pi) in f32, and the product of the mantissas, cut to 24 bits.
    const TURNS: u64 = 0xa2_f983;
    let (e, m) = (exponent(x) as i32, (x & FRACTION) | MIN_NORMAL);
    let product = u64::from(m) * TURNS;
    let is_long = (product >> 47) as u32;
    let cut = choose(is_long != 0, (product >> 24) as u32, (product >> 23) as u32);
    // Quarter turns with 23 bits after the point, modulo 4.
    let shift = e - 128 + is_long as i32;
    let left = choose(shift < 25, cut << shift.clamp(0, 24) as u32, 0);
    let quarters = choose(shift < 0, cut >> (-shift).clamp(0, 31) as u32, left);
    let quadrant = (quarters >> 23) + u32::from(COSINE);
    let fraction = (quarters & FRACTION) ^ choose(quadrant & 1 != 0, FRACTION, 0);
    let low = fraction & 0x1_ffff;
    let magnitude = quadratic::<11, 0, 64>(&SIN, fraction >> 17, low, square(low), 0);
    let sign = if COSINE { 0 } else { x & SIGN };
    let finite = sign ^ (quadrant & 2) << 30 ^ normalise(magnitude, -37);
    choose(e == 0xff, NAN, finite)
}

/// The hyperbolic tangent; there is one form only, which keeps subnormals.
#[inline(always)]
pub fn tanh(x: u32) -> u32 {
    // For each octave from [2^-8, 2^-7) to [4, 8): bits that choose a segment in it, and the first segment.
    const BITS: [u32; 16] = [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3, 0, 0, 0, 0, 0];
    const FIRST: [u32; 16] = [0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43, 0, 0, 0, 0, 0];
    let (magnitude, f) = (x & !SIGN, x & FRACTION);
    let octave = exponent(x).wrapping_sub(127 - 8) as usize & 15;
    let bits = BITS[octave];
    let within = f >> (6 - bits);
    let low = within & 0x1_ffff;
    let row = (FIRST[octave] + (within >> 17)) as usize & 63;
    let linear = i64::from(TANH.c1[row]).wrapping_mul(i64::from(low as i32));
    let curved = i64::from(TANH.c2[row]).wrapping_mul(i64::from(square(low) as i32));
    let r = TANH.c0[row].wrapping_add(linear).wrapping_add(curved) as u64;
    let middle = choose(magnitude >= 0x4100_0000, 0x3f80_0000, normalise(r, -48));
    let out = choose(magnitude < 0x3b80_0000, magnitude, middle);
    choose(is_nan(x), NAN, (x & SIGN) | out)
}

/// The result of a function. An unsigned integer is converted to nearest even, as PTX's `cvt.rn` is defined.
pub fn result(function: Function, x: u32, denormals: Denormals) -> u32 {
    match function {
        Function::Rcp => rcp(x, denormals),
        Function::Rsqrt => rsqrt(x, denormals),
        Function::Sqrt => sqrt(x, denormals),
        Function::Exp2 => ex2(x, denormals),
        Function::Log2 => lg2(x, denormals),
        Function::Sin => sin(x, denormals),
        Function::Cos => cos(x, denormals),
        Function::Exp => exp(x),
        Function::Log => log(x),
        Function::Tanh => tanh(x),
        Function::FromUnsigned => function.canonical(x, denormals),
    }
}

/// 1 / x.
#[inline(always)]
pub fn rcp(x: u32, denormals: Denormals) -> u32 {
    if denormals == Denormals::Flush {
        return raw_rcp(x);
    }
    let magnitude = x & !SIGN;
    // 2^24 below 2^-126, 1/4 above 2^126, where the result is subnormal.
    let factor = choose(magnitude < MIN_NORMAL, 0x4b80_0000, choose(magnitude > 0x7e80_0000, 0x3e80_0000, 0x3f80_0000));
    let factor = f32::from_bits(factor);
    scaled(raw_rcp(scaled(x, factor)), factor)
}

/// 1 / sqrt(x).
#[inline(always)]
pub fn rsqrt(x: u32, denormals: Denormals) -> u32 {
    if denormals == Denormals::Flush {
        return raw_rsqrt(x);
    }
    let (is_small, up) = scaled_up(x);
    let y = raw_rsqrt(up);
    choose(is_small, scaled(y, 4096.0), y)
}

/// The square root.
#[inline(always)]
pub fn sqrt(x: u32, denormals: Denormals) -> u32 {
    if denormals == Denormals::Flush {
        return raw_sqrt(x);
    }
    let (is_small, up) = scaled_up(x);
    let y = raw_sqrt(up);
    choose(is_small, scaled(y, 1.0 / 4096.0), y)
}

/// 2^x.
#[inline(always)]
pub fn ex2(x: u32, denormals: Denormals) -> u32 {
    if denormals == Denormals::Flush {
        return raw_ex2(x);
    }
    // Below -126, where the result is subnormal, the square of 2^(x / 2).
    let is_low = x > 0xc2fc_0000;
    let y = raw_ex2(choose(is_low, scaled(x, 0.5), x));
    choose(is_low, scaled(y, f32::from_bits(y)), y)
}

/// The logarithm of base 2.
#[inline(always)]
pub fn lg2(x: u32, denormals: Denormals) -> u32 {
    if denormals == Denormals::Flush {
        return raw_lg2(x);
    }
    let (is_small, up) = scaled_up(x);
    let y = raw_lg2(up);
    let down = (f32::from_bits(y) - 24.0).to_bits();
    choose(is_nan(y), NAN, choose(is_small, down, y))
}

/// The sine.
#[inline(always)]
pub fn sin(x: u32, _: Denormals) -> u32 {
    raw_sine::<false>(x)
}

/// The cosine.
#[inline(always)]
pub fn cos(x: u32, _: Denormals) -> u32 {
    raw_sine::<true>(x)
}

/// A product, rounded to nearest even, with subnormal operands and results flushed.
#[inline(always)]
fn product(x: u32, y: u32) -> u32 {
    let product = scaled(flushed(x), f32::from_bits(flushed(y)));
    flushed(product)
}

#[inline(always)]
fn flushed(x: u32) -> u32 {
    choose(exponent(x) == 0, x & SIGN, x)
}

/// x / y, as shaders divide: x times the reciprocal, flushing. So what is divided by more than 2^126 gives 0.
#[inline(always)]
pub fn div(x: u32, y: u32) -> u32 {
    product(x, raw_rcp(y))
}

/// e^x, as shaders have it: 2 to the power of x times the f32 nearest to the logarithm of e.
#[inline(always)]
pub fn exp(x: u32) -> u32 {
    raw_ex2(product(x, 0x3fb8_aa3b))
}

/// The natural logarithm, as shaders have it: that of base 2 times the f32 nearest to the logarithm of 2.
#[inline(always)]
pub fn log(x: u32) -> u32 {
    product(raw_lg2(x), 0x3f31_7218)
}
