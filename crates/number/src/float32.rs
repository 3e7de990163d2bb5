//! f32 arithmetic. Operands and results are bit patterns.
//!
//! Each operation flushes its operands if told to, computes the correctly rounded result (to nearest even), flushes
//! it if told to, and makes any NaN the canonical [`NAN`]. Flushing looks at the rounded result.

use crate::double_double::{round_to_odd, two_sum};
use crate::rules::{Denormals, MinMax};

/// The one NaN that arithmetic gives.
pub const NAN: u32 = 0x7fc0_0000;
/// 1.0.
pub const ONE: u32 = 0x3f80_0000;
const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;

/// A denormal becomes a zero of its sign under [`Denormals::Flush`]; everything else keeps its bits.
#[inline]
#[must_use]
pub fn flush(a: u32, denormals: Denormals) -> u32 {
    if denormals == Denormals::Flush && a & INFINITY == 0 { a & SIGN } else { a }
}

/// Whether the pattern is a NaN.
#[inline]
#[must_use]
pub fn is_nan(a: u32) -> bool {
    a & !SIGN > INFINITY
}

#[inline]
pub(crate) fn operand(a: u32, denormals: Denormals) -> f32 {
    f32::from_bits(flush(a, denormals))
}

#[inline]
pub(crate) fn result(value: f32, denormals: Denormals) -> u32 {
    let bits = value.to_bits();
    if is_nan(bits) { NAN } else { flush(bits, denormals) }
}

/// `a + b` (D3D11.3 §22.10.1; WGSL §8.7).
#[inline]
#[must_use]
pub fn add(a: u32, b: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals) + operand(b, denormals), denormals)
}

/// `a - b`.
#[inline]
#[must_use]
pub fn sub(a: u32, b: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals) - operand(b, denormals), denormals)
}

/// `a * b`.
#[inline]
#[must_use]
pub fn mul(a: u32, b: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals) * operand(b, denormals), denormals)
}

/// `a / b`.
#[inline]
#[must_use]
pub fn div(a: u32, b: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals) / operand(b, denormals), denormals)
}

/// `1 / a` (D3D11.3 §22.10.18).
#[inline]
#[must_use]
pub fn rcp(a: u32, denormals: Denormals) -> u32 {
    div(ONE, a, denormals)
}

/// Square root; of -0 it is -0, of anything else below zero NaN (D3D11.3 §22.10.21).
#[inline]
#[must_use]
pub fn sqrt(a: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals).sqrt(), denormals)
}

/// `a * b + c` rounded twice: Direct3D's canonical `mad` and WGSL's `fma` (D3D11.3 §22.10.9; WGSL §15.7.4).
#[inline]
#[must_use]
pub fn mad(a: u32, b: u32, c: u32, denormals: Denormals) -> u32 {
    add(mul(a, b, denormals), c, denormals)
}

/// `a * b + c` rounded once (IEEE 754-2019 §5.4.1).
#[inline]
#[must_use]
pub fn fma(a: u32, b: u32, c: u32, denormals: Denormals) -> u32 {
    let product = f64::from(operand(a, denormals)) * f64::from(operand(b, denormals));
    let c = f64::from(operand(c, denormals));
    // The product is exact (48 bits, exponents far inside f64's), so the one sum rounded to odd and then
    // to 24 bits is the exact value rounded once.
    result(round_to_odd(two_sum(product, c)) as f32, denormals)
}

/// The smaller operand under the rule. Under [`MinMax::NanLoses`] the operands are flushed first if told to, and two NaNs give
/// [`NAN`]; under [`MinMax::Literal`] only the comparison flushes and the bits pass.
#[inline]
#[must_use]
pub fn min(a: u32, b: u32, rule: MinMax, denormals: Denormals) -> u32 {
    match rule {
        MinMax::NanLoses => nan_loses(a, b, lt(a, b, denormals), denormals),
        MinMax::Literal => select(lt(b, a, denormals), b, a),
    }
}

/// The larger operand under the rule; as [`min`].
#[inline]
#[must_use]
pub fn max(a: u32, b: u32, rule: MinMax, denormals: Denormals) -> u32 {
    match rule {
        MinMax::NanLoses => nan_loses(a, b, ge(a, b, denormals), denormals),
        MinMax::Literal => select(lt(a, b, denormals), b, a),
    }
}

#[inline]
fn select(condition: bool, yes: u32, no: u32) -> u32 {
    if condition { yes } else { no }
}

#[inline]
fn nan_loses(a: u32, b: u32, first: bool, denormals: Denormals) -> u32 {
    let chosen = select((first || is_nan(b)) && !is_nan(a), a, b);
    select(is_nan(chosen), NAN, flush(chosen, denormals))
}

/// `min(1, max(0, a))` with NaN giving 0: the `_sat` modifier (D3D11.3 §22.19.1) and WGSL's `saturate`. Zero of
/// either sign gives +0.
#[inline]
#[must_use]
pub fn saturate(a: u32, denormals: Denormals) -> u32 {
    let a = operand(a, denormals);
    select(a > 0.0, select(a < 1.0, a.to_bits(), ONE), 0)
}

/// `a - floor(a)` (D3D11.3 §22.10.7; WGSL `fract`). The subtraction rounds like any other: a negative number
/// above -2^-25 gives 1.0, although the section's table says "[0, 1)"; infinities give NaN.
#[inline]
#[must_use]
pub fn frc(a: u32, denormals: Denormals) -> u32 {
    sub(a, floor(a, denormals), denormals)
}

/// To the nearest integer, ties to even: `round_ne`, WGSL `round` (D3D11.3 §22.10.14).
#[inline]
#[must_use]
pub fn round_ties_even(a: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals).round_ties_even(), denormals)
}

/// To the integer below: `round_ni`.
#[inline]
#[must_use]
pub fn floor(a: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals).floor(), denormals)
}

/// To the integer above: `round_pi`.
#[inline]
#[must_use]
pub fn ceil(a: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals).ceil(), denormals)
}

/// Toward zero: `round_z`.
#[inline]
#[must_use]
pub fn trunc(a: u32, denormals: Denormals) -> u32 {
    result(operand(a, denormals).trunc(), denormals)
}

/// `a == b`: false with a NaN; zeros are equal.
#[inline]
#[must_use]
pub fn eq(a: u32, b: u32, denormals: Denormals) -> bool {
    operand(a, denormals) == operand(b, denormals)
}

/// `a != b`: true with a NaN (D3D11.3 §3.1.3).
#[inline]
#[must_use]
pub fn ne(a: u32, b: u32, denormals: Denormals) -> bool {
    operand(a, denormals) != operand(b, denormals)
}

/// `a < b`: false with a NaN.
#[inline]
#[must_use]
pub fn lt(a: u32, b: u32, denormals: Denormals) -> bool {
    operand(a, denormals) < operand(b, denormals)
}

/// `a >= b`: false with a NaN.
#[inline]
#[must_use]
pub fn ge(a: u32, b: u32, denormals: Denormals) -> bool {
    operand(a, denormals) >= operand(b, denormals)
}

/// Clears the sign bit and nothing else, of a NaN too.
#[inline]
#[must_use]
pub fn abs(a: u32) -> u32 {
    a & !SIGN
}

/// Flips the sign bit and nothing else, of a NaN too.
#[inline]
#[must_use]
pub fn neg(a: u32) -> u32 {
    a ^ SIGN
}

/// 1, -1 or +0 by comparison with zero, so +0 for a NaN and for both zeros (WGSL §17.5 `sign`).
#[inline]
#[must_use]
pub fn sign(a: u32, denormals: Denormals) -> u32 {
    let a = operand(a, denormals);
    select(a > 0.0, ONE, select(a < 0.0, ONE | SIGN, 0))
}

/// `a * 2^exponent`, rounded once (WGSL §17.5 `ldexp`).
#[inline]
#[must_use]
pub fn ldexp(a: u32, exponent: i32, denormals: Denormals) -> u32 {
    // Beyond +-300 every finite f32 over- or underflows; within, the product is an exact f64.
    let power = f64::from_bits(((exponent.clamp(-300, 300) + 1023) as u64) << 52);
    result((f64::from(operand(a, denormals)) * power) as f32, denormals)
}

/// Fraction of magnitude in [0.5, 1) and exponent with `a = fraction * 2^exponent` (WGSL §17.5 `frexp`). Zeros,
/// infinities and NaN, for which WGSL leaves the exponent open, give themselves and 0.
#[inline]
#[must_use]
pub fn frexp(a: u32, denormals: Denormals) -> (u32, i32) {
    let a = operand(a, denormals);
    if a == 0.0 || !a.is_finite() {
        return (result(a, denormals), 0);
    }
    // As f64 every f32 is normal.
    let bits = f64::from(a).to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022;
    let fraction = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    (result(fraction as f32, denormals), exponent)
}

/// Fraction `a - trunc(a)` and whole part `trunc(a)` (WGSL §17.5 `modf`); the fraction of an infinity is NaN.
#[inline]
#[must_use]
pub fn modf(a: u32, denormals: Denormals) -> (u32, u32) {
    let whole = trunc(a, denormals);
    (sub(a, whole, denormals), whole)
}

/// Sum of products in Direct3D's serial order, x first, nothing fused: `((x + y) + z) + w` (D3D11.3 §3.1.3,
/// §22.10.3 to .5; the order WGSL's `dot` is given too). `N` is 1 to 4; an empty one gives 0.
#[inline]
#[must_use]
pub fn dot<const N: usize>(a: [u32; N], b: [u32; N], denormals: Denormals) -> u32 {
    let mut products = a.iter().zip(&b).map(|(&a, &b)| mul(a, b, denormals));
    let first = products.next().unwrap_or(0);
    products.fold(first, |sum, product| add(sum, product, denormals))
}
