//! Correctly rounded f32 functions of one argument: exp, exp2, log, log2, sin, cos, rsqrt.
//!
//! Each is a table, a short series in f64 and a rounding test: if everything within the bound of the error rounds to one f32, that is the
//! result; otherwise (about once in 2^24 inputs) the same formula is evaluated in pairs of f64, about 100 bits, which is enough for every f32.
//! There are only additions, multiplications, divisions and square roots of f64, never fused, so the bits are the same on every
//! host. All 2^32 inputs of each have been compared with CORE-MATH: SWEEPS.md has the record.

use crate::Denormals;
use crate::double_double::{Dd, Single, Target, quick_two_sum, two_prod, two_sum};
use crate::float32::{operand, result};
use crate::tables::{
    EXP2_32, INV_2PI, INV_FACTORIALS, INV_LN2, LN2, LN2_32_HEAD, LN2_32_TAIL, LN2_HEAD, LN2_TAIL, LOG_128, LogRow, PI_32,
    PI_32_A, PI_32_B, PI_32_C, RECIPROCALS, SIN_64,
};

/// 1.5 * 2^52: adding and subtracting it rounds an f64 below 2^51 to the nearest integer.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

#[inline]
fn nearest_integer(x: f64) -> f64 {
    (x + TO_INTEGER) - TO_INTEGER
}

/// The value that all of `y (1 - bound)` to `y (1 + bound)` round to, if there is one.
#[inline]
pub(crate) fn certain<T: Target>(y: f64, bound: f64) -> Option<T::Value> {
    let low = T::nearest(y - y * bound);
    let high = T::nearest(y + y * bound);
    (low == high).then_some(low)
}

/// 2^a (D3D11.3 §22.10.6 `exp`; WGSL `exp2`).
#[inline]
#[must_use]
pub fn exp2(a: u32, denormals: Denormals) -> u32 {
    result(exp2_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn exp2_to<T: Target>(x: f32) -> T::Value {
    let x = f64::from(x);
    if x.is_nan() {
        T::exact(f32::NAN)
    } else if x >= 128.0 {
        T::exact(f32::INFINITY)
    } else if x <= -150.0 {
        // 2^-150 is half the least denormal and ties to 0.
        T::exact(0.0)
    } else {
        let k = nearest_integer(x * 32.0);
        let r = x - k * 0.03125;
        exp_sum::<T>(k, r * LN2.0, || Dd::from_f64(r).mul(Dd::from_pair(LN2)))
    }
}

/// e^a (WGSL `exp`).
#[inline]
#[must_use]
pub fn exp(a: u32, denormals: Denormals) -> u32 {
    result(exp_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn exp_to<T: Target>(x: f32) -> T::Value {
    let x = f64::from(x);
    if x.is_nan() {
        T::exact(f32::NAN)
    } else if x >= 89.0 {
        // e^89 > 2^128.
        T::exact(f32::INFINITY)
    } else if x <= -104.0 {
        // e^-104 < 2^-150.
        T::exact(0.0)
    } else {
        let k = nearest_integer(x * (32.0 * INV_LN2.0));
        // Exact: the head has few bits, and x lies close to its multiple.
        let r = x - k * LN2_32_HEAD;
        exp_sum::<T>(k, r - k * LN2_32_TAIL.0, || Dd::from_f64(r).sub(Dd::from_pair(LN2_32_TAIL).mul(Dd::from_f64(k))))
    }
}

/// 2^(k/32) e^r for an integer k in [-4800, 4109] and |r| < 0.011; `exact_r` gives r in double-double.
#[inline]
fn exp_sum<T: Target>(k: f64, r: f64, exact_r: impl FnOnce() -> Dd) -> T::Value {
    let k = k as i32;
    let step = EXP2_32[(k & 31) as usize];
    let power = f64::from_bits(((1023 + (k >> 5)) as u64) << 52);
    // Up to r^7 / 7!; the next term is below 2^-67.
    let p = r * (1.0 / 120.0 + r * (1.0 / 720.0 + r * (1.0 / 5040.0)));
    let p = r + r * r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + p)));
    let y = step.0 + (step.1 + step.0 * p);
    certain::<T>(y * power, f64::EPSILON * 2.0).unwrap_or_else(|| {
        let r = exact_r();
        let mut sum = Dd::from_pair(INV_FACTORIALS[15]);
        for &term in INV_FACTORIALS[..15].iter().rev() {
            sum = sum.mul(r).add(Dd::from_pair(term));
        }
        sum.mul(Dd::from_pair(step)).scale(power).round::<T>()
    })
}

/// Base-2 logarithm: of zeros -infinity, of negative numbers NaN (D3D11.3 §22.10.8 `log`; WGSL `log2`).
#[inline]
#[must_use]
pub fn log2(a: u32, denormals: Denormals) -> u32 {
    result(log2_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn log2_to<T: Target>(x: f32) -> T::Value {
    log_special(x).map_or_else(|| log2_positive::<T>(x), T::exact)
}

/// Natural logarithm (WGSL `log`).
#[inline]
#[must_use]
pub fn log(a: u32, denormals: Denormals) -> u32 {
    result(log_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn log_to<T: Target>(x: f32) -> T::Value {
    log_special(x).map_or_else(|| ln_positive::<T>(x), T::exact)
}

#[inline]
fn log_special(x: f32) -> Option<f32> {
    if x == 0.0 {
        Some(f32::NEG_INFINITY)
    } else if x > 0.0 && x < f32::INFINITY {
        None
    } else if x > 0.0 {
        Some(x)
    } else {
        Some(f32::NAN)
    }
}

/// x = 2^exponent * (1 + r) / factor, exactly, with |r| < 2^-7; near 1 the exponent is 0 and the factor 1.
#[inline]
fn log_reduce(x: f32) -> (f64, &'static LogRow, f64) {
    let bits = f64::from(x).to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let index = (bits >> 45) as usize & 127;
    let mut m = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if index >= 64 {
        m *= 0.5;
        exponent += 1;
    }
    let row = &LOG_128[index];
    (f64::from(exponent), row, m * row.factor - 1.0)
}

/// ln(1 + r) - r by the series up to r^9 / 9; the next term is below 2^-73.
#[inline]
fn log1p_tail(r: f64) -> f64 {
    let q = -1.0 / 6.0 + r * (1.0 / 7.0 + r * (-1.0 / 8.0 + r * (1.0 / 9.0)));
    r * r * (-0.5 + r * (1.0 / 3.0 + r * (-0.25 + r * (0.2 + r * q))))
}

#[inline]
fn ln_positive<T: Target>(x: f32) -> T::Value {
    let (exponent, row, r) = log_reduce(x);
    // Exact: multiples of 2^-42 below 2^8.
    let head = exponent * LN2_HEAD + row.ln_head;
    let tail = exponent * LN2_TAIL + row.ln_tail.0;
    let y = head + (r + (tail + log1p_tail(r)));
    certain::<T>(y, f64::EPSILON * 4.0).unwrap_or_else(|| ln_exact(exponent, row, r).round::<T>())
}

#[inline]
fn log2_positive<T: Target>(x: f32) -> T::Value {
    let (exponent, row, r) = log_reduce(x);
    let head = exponent + row.log2_head;
    let y = head + (row.log2_tail + (r + log1p_tail(r)) * INV_LN2.0);
    certain::<T>(y, f64::EPSILON * 4.0).unwrap_or_else(|| ln_exact(exponent, row, r).mul(Dd::from_pair(INV_LN2)).round::<T>())
}

fn ln_exact(exponent: f64, row: &LogRow, r: f64) -> Dd {
    let mut sum = Dd::from_f64(0.0);
    let r = Dd::from_f64(r);
    for (n, &reciprocal) in RECIPROCALS.iter().enumerate().skip(1).rev() {
        let term = Dd::from_pair(reciprocal);
        sum = if n % 2 == 0 { sum.sub(term) } else { sum.add(term) }.mul(r);
    }
    Dd::from_f64(exponent * LN2_HEAD + row.ln_head).add(two_prod(exponent, LN2_TAIL)).add(Dd::from_pair(row.ln_tail)).add(sum)
}

/// Sine, for every f32: the argument is reduced exactly, however large; infinities give NaN (D3D11.3 §22.10.20; WGSL `sin`).
#[inline]
#[must_use]
pub fn sin(a: u32, denormals: Denormals) -> u32 {
    result(sin_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn sin_to<T: Target>(x: f32) -> T::Value {
    if x == 0.0 {
        return T::exact(x);
    }
    let y = turn::<T>(x, 0);
    if x < 0.0 { -y } else { y }
}

/// Cosine; as [`sin`].
#[inline]
#[must_use]
pub fn cos(a: u32, denormals: Denormals) -> u32 {
    result(cos_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn cos_to<T: Target>(x: f32) -> T::Value {
    turn::<T>(x, 16)
}

/// sin(|x| + shift pi / 32).
#[inline]
fn turn<T: Target>(x: f32, shift: usize) -> T::Value {
    let x = x.abs();
    if !x.is_finite() {
        return T::exact(f32::NAN);
    }
    let (k, r) = if x < 65536.0 { reduce_small(f64::from(x)) } else { reduce_exactly(x) };
    let k = k + shift;
    let (s, c) = (SIN_64[k & 63], SIN_64[(k + 16) & 63]);
    let r2 = r.hi * r.hi;
    // Sine up to r^9 / 9!, cosine up to r^8 / 8!, |r| <= pi / 64: what is left out is below 2^-65.
    let sine = -1.0 / 6.0 + r2 * (1.0 / 120.0 + r2 * (-1.0 / 5040.0 + r2 * (1.0 / 362_880.0)));
    let sine = r.hi + (r.lo + r.hi * r2 * sine);
    let cosine = -0.5 + r2 * (1.0 / 24.0 + r2 * (-1.0 / 720.0 + r2 * (1.0 / 40320.0)));
    let y = s.0 + (s.1 + (s.0 * (r2 * cosine) + c.0 * sine));
    certain::<T>(y, f64::EPSILON * 8.0).unwrap_or_else(|| turn_exactly::<T>(x, shift))
}

fn turn_exactly<T: Target>(x: f32, shift: usize) -> T::Value {
    let (k, r) = if x < 0.049 { (0, Dd::from_f64(f64::from(x))) } else { reduce_exactly(x) };
    let k = k + shift;
    let r2 = r.mul(r);
    // sum of (-r2)^n / (2n + first)!
    let series = |first: usize| {
        let mut sum = Dd::from_f64(0.0);
        for &term in INV_FACTORIALS[first..].iter().step_by(2).rev() {
            sum = Dd::from_pair(term).sub(sum.mul(r2));
        }
        sum
    };
    let (s, c) = (Dd::from_pair(SIN_64[k & 63]), Dd::from_pair(SIN_64[(k + 16) & 63]));
    s.mul(series(0)).add(c.mul(series(1).mul(r))).round::<T>()
}

/// x = k pi / 32 + r for x in [0, 2^16): two exact products and a third, r to about 2^-104.
#[inline]
fn reduce_small(x: f64) -> (usize, Dd) {
    let k = nearest_integer(x * (1.0 / PI_32.0));
    let s = two_sum(x - k * PI_32_A, -(k * PI_32_B));
    (k as usize, quick_two_sum(s.hi, s.lo - k * PI_32_C))
}

/// The same for any x from 0.049 up, k modulo 64 and one, from 192 bits of x / (2 pi) after the point (Payne and Hanek's method).
fn reduce_exactly(x: f32) -> (usize, Dd) {
    let bits = x.to_bits();
    let mantissa = u128::from(bits & 0x7f_ffff | 0x80_0000);
    // x = mantissa * 2^exponent; from 0.049 on the exponent is at least -28, which the table's leading word covers.
    let start = ((bits >> 23) + 64 - 150) as usize;
    let window = |n: usize| {
        let (word, shift) = (start / 64 + n, start % 64);
        let both = u128::from(INV_2PI[word]) << 64 | u128::from(INV_2PI[word + 1]);
        (both >> (64 - shift)) as u64
    };
    let low = u128::from(window(2)) * mantissa;
    let middle = u128::from(window(1)) * mantissa + (low >> 64);
    let high = u128::from(window(0)) * mantissa + (middle >> 64);
    let turn = u128::from(high as u64) << 64 | u128::from(middle as u64);
    let k = (turn >> 122) as usize;
    // The 128 bits after k's six, as a signed number: a fraction of a half or more belongs to the next k, less one.
    let fraction = (turn << 6 | u128::from(low as u64 >> 58)) as i128;
    let hi = fraction as f64;
    let lo = (fraction - hi as i128) as f64;
    let fraction_dd = quick_two_sum(hi, lo).scale(f64::from_bits((1023 - 128) << 52));
    (k + usize::from(fraction < 0), fraction_dd.mul(Dd::from_pair(PI_32)))
}

/// 1 / sqrt(a): of zeros an infinity of their sign, of negative numbers NaN (D3D11.3 §22.10.19 `rsq`; WGSL `inverseSqrt`).
#[inline]
#[must_use]
pub fn rsqrt(a: u32, denormals: Denormals) -> u32 {
    result(rsqrt_to::<Single>(operand(a, denormals)), denormals)
}

#[inline]
pub(crate) fn rsqrt_to<T: Target>(x: f32) -> T::Value {
    let x = f64::from(x);
    if x == 0.0 || x == f64::INFINITY {
        T::exact((1.0 / x) as f32)
    } else if x > 0.0 {
        certain::<T>((1.0 / x) * x.sqrt(), f64::EPSILON * 2.0)
            .unwrap_or_else(|| Dd::from_f64(1.0).div(Dd::from_f64(x).sqrt()).round::<T>())
    } else {
        T::exact(f32::NAN)
    }
}
