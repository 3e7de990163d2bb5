//! Correctly rounded functions of 16 lanes.
//!
//! A correctly rounded result is one and no other, so any method that knows it has found it will do. Each function here is a short series in f64 whose relative
//! error is far below 2^-44 (the bounds stand with each). If the values 2^-44 below and above round to the same f32, that is the result;
//! where they do not (a lane in half a million), or the argument is out of the method's range, `gpuproof-number`'s function of one lane
//! decides. Tests compare a sample; `exp2`, `log2` and `sin` have been compared on all 2^32 inputs, by the ignored test that does so.

use super::CHUNK;
use super::kernels::flush;
use gpuproof_number::float32::NAN;
use gpuproof_number::{Denormals, functions};

type Words = [u32; CHUNK];

/// More than the relative error of every series here.
const BOUND: f64 = 1.0 / (1u64 << 44) as f64;
/// 1.5 * 2^52: adding it to a small number rounds that to an integer, in the low bits of the sum.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Computes `series` for each lane, and by `exact` what is uncertain or out of range (where `series` gives NaN for what is no NaN).
#[inline(always)]
fn rounded<const F: bool>(a: Words, series: impl Fn(f64) -> f64, exact: fn(u32, Denormals) -> u32) -> Words {
    let a = flush::<F>(a);
    let mut values = [0f64; CHUNK];
    for i in 0..CHUNK {
        values[i] = series(f64::from(f32::from_bits(a[i])));
    }
    let mut low = [0f32; CHUNK];
    let mut high = [0f32; CHUNK];
    for i in 0..CHUNK {
        low[i] = (values[i] - values[i] * BOUND) as f32;
        high[i] = (values[i] + values[i] * BOUND) as f32;
    }
    let mut uncertain = 0u32;
    let mut out = [0u32; CHUNK];
    for i in 0..CHUNK {
        out[i] = low[i].to_bits();
        uncertain |= u32::from(low[i].to_bits() != high[i].to_bits()) | u32::from(low[i].is_nan());
    }
    if uncertain != 0 {
        let rule = if F { Denormals::Flush } else { Denormals::Keep };
        for i in 0..CHUNK {
            if low[i].to_bits() != high[i].to_bits() || low[i].is_nan() {
                out[i] = if f32::from_bits(a[i]).is_nan() { NAN } else { exact(a[i], rule) };
            }
        }
    }
    flush::<F>(out)
}

#[inline(always)]
fn horner<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for at in (0..N - 1).rev() {
        sum = sum * x + coefficients[at];
    }
    sum
}

/// e^r for |r| <= 0.3466: twelve terms leave 2^-52.
#[inline(always)]
fn exponential(r: f64) -> f64 {
    const SERIES: [f64; 13] = [
        1.0,
        1.0,
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5040.0,
        1.0 / 40320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
    ];
    horner(SERIES, r)
}

/// x times 2 to the integer that `shifted`, made by adding [`TO_INTEGER`], holds; between -1022 and 1023.
#[inline(always)]
fn scale(x: f64, shifted: f64) -> f64 {
    x * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

#[inline(always)]
pub(super) fn exp2<const F: bool>(a: Words) -> Words {
    // Beyond 200 either way the result is 0 or infinite. The clamp keeps NaN.
    let series = |x: f64| {
        let x = x.clamp(-200.0, 200.0);
        let shifted = x + TO_INTEGER;
        let r = (x - (shifted - TO_INTEGER)) * std::f64::consts::LN_2;
        scale(exponential(r), shifted)
    };
    rounded::<F>(a, series, functions::exp2)
}

/// ln 2 in two parts: the first has 32 bits, so that its product with an exponent is exact.
const LN2_HEAD: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_TAIL: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

#[inline(always)]
pub(super) fn exp<const F: bool>(a: Words) -> Words {
    let series = |x: f64| {
        let x = x.clamp(-200.0, 200.0);
        let shifted = x * std::f64::consts::LOG2_E + TO_INTEGER;
        let k = shifted - TO_INTEGER;
        let r = (x - k * LN2_HEAD) - k * LN2_TAIL;
        scale(exponential(r), shifted)
    };
    rounded::<F>(a, series, functions::exp)
}

/// Exponent k and logarithm of the fraction, x = 2^k * fraction with the fraction in [sqrt 1/2, sqrt 2): 2 atanh((f - 1) / (f + 1)), whose series in
/// s^2 <= 0.0295 leaves 2^-55 after eleven terms. The quotient is right to 2^-52 of itself, so the logarithm is too, near 1 as elsewhere.
#[inline(always)]
fn logarithm(x: f64) -> (f64, f64) {
    const SERIES: [f64; 11] =
        [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0];
    const ROOT_HALF: u64 = 0x3fe6_a09e_0000_0000;
    let bits = x.to_bits();
    // Biased so that the shift need not know signs.
    let k = (bits.wrapping_sub(ROOT_HALF).wrapping_add(1023 << 52) >> 52).wrapping_sub(1023);
    let fraction = f64::from_bits(bits.wrapping_sub(k << 52));
    let exponent = f64::from_bits(TO_INTEGER.to_bits().wrapping_add(k)) - TO_INTEGER;
    let s = (fraction - 1.0) / (fraction + 1.0);
    (exponent, 2.0 * s * horner(SERIES, s * s))
}

/// Only positive numbers have logarithms; for the rest `exact` is asked.
#[inline(always)]
fn if_positive(x: f64, y: f64) -> f64 {
    if x > 0.0 && x < f64::INFINITY { y } else { f64::NAN }
}

#[inline(always)]
pub(super) fn log2<const F: bool>(a: Words) -> Words {
    let series = |x: f64| {
        let (exponent, fraction) = logarithm(x);
        if_positive(x, exponent + fraction * std::f64::consts::LOG2_E)
    };
    rounded::<F>(a, series, functions::log2)
}

#[inline(always)]
pub(super) fn log<const F: bool>(a: Words) -> Words {
    let series = |x: f64| {
        let (exponent, fraction) = logarithm(x);
        if_positive(x, exponent * LN2_HEAD + (exponent * LN2_TAIL + fraction))
    };
    rounded::<F>(a, series, functions::log)
}

/// pi / 2 in parts of 33 bits, and the rest.
const HALF_PI: [f64; 3] =
    [f64::from_bits(0x3ff9_21fb_5440_0000), f64::from_bits(0x3dd0_b461_1a60_0000), f64::from_bits(0x3ba3_198a_2e03_7073)];
/// Arguments up to this are reduced here: their multiples of pi / 2 have 16 bits, so that products with the parts are exact.
const REDUCED: f64 = 65536.0;

/// Sine of x + quarter * pi / 2 for |x| <= [`REDUCED`]. No f32 but 0 is so near a multiple of pi / 2 that the rest's error, below 2^-85,
/// would matter. Eight terms of sine, nine of cosine leave 2^-53.
#[inline(always)]
fn sine(x: f64, quarter: u64) -> f64 {
    const SINE: [f64; 8] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    const COSINE: [f64; 9] = [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 20_922_789_888_000.0,
    ];
    let inside = x.abs() <= REDUCED;
    let shifted = x * std::f64::consts::FRAC_2_PI + TO_INTEGER;
    let n = shifted - TO_INTEGER;
    let r = ((x - n * HALF_PI[0]) - n * HALF_PI[1]) - n * HALF_PI[2];
    let turn = shifted.to_bits().wrapping_add(quarter);
    let square = r * r;
    let value = if turn & 1 == 0 { r * horner(SINE, square) } else { horner(COSINE, square) };
    let value = f64::from_bits(value.to_bits() ^ (turn & 2) << 62);
    if inside { value } else { f64::NAN }
}

#[inline(always)]
pub(super) fn sin<const F: bool>(a: Words) -> Words {
    rounded::<F>(a, |x| sine(x, 0), functions::sin)
}

#[inline(always)]
pub(super) fn cos<const F: bool>(a: Words) -> Words {
    rounded::<F>(a, |x| sine(x, 1), functions::cos)
}

/// A root and a quotient, each right to 2^-53.
#[inline(always)]
pub(super) fn rsqrt<const F: bool>(a: Words) -> Words {
    rounded::<F>(a, |x| 1.0 / x.sqrt(), functions::rsqrt)
}
