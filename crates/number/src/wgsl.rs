//! WGSL builtins whose accuracy is "inherited from" an expression (WGSL §15.7.4): here they *are* that expression, in the order given, nothing
//! fused, denormals kept.
//!
//! Builtins that are one primitive are not repeated here: `fma` is [`float32::mad`], `fract` is [`float32::frc`],
//! `dot` is [`float32::dot`], `sqrt` (inherited from `1 / inverseSqrt(x)`, taken as correctly rounded), `sign`, `saturate`, `ldexp`, `frexp`,
//! `modf`, `min`, `max` are in [`float32`]; `exp`, `exp2`, `log`, `log2`, `sin`, `cos`, `inverseSqrt` in [`crate::functions`]; `asin`, `acos`,
//! `atan`, `atan2` in [`crate::inverse`]; `quantizeToF16` is [`crate::float16::quantize`].

use crate::Denormals::Keep;
use crate::float32::{self, ONE};
use crate::functions;
use crate::rules::MinMax::Literal;

const ZERO: u32 = 0;
const HALF: u32 = 0x3f00_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;

fn add(a: u32, b: u32) -> u32 {
    float32::add(a, b, Keep)
}

fn sub(a: u32, b: u32) -> u32 {
    float32::sub(a, b, Keep)
}

fn mul(a: u32, b: u32) -> u32 {
    float32::mul(a, b, Keep)
}

fn div(a: u32, b: u32) -> u32 {
    float32::div(a, b, Keep)
}

fn dot<const N: usize>(a: [u32; N], b: [u32; N]) -> u32 {
    float32::dot(a, b, Keep)
}

/// Applies `f` to the components of two vectors.
fn zip<const N: usize>(a: [u32; N], b: [u32; N], f: impl Fn(u32, u32) -> u32) -> [u32; N] {
    core::array::from_fn(|i| f(a[i], b[i]))
}

/// `min(max(e, low), high)`, with `min` and `max` as [`Literal`].
#[must_use]
pub fn clamp(e: u32, low: u32, high: u32) -> u32 {
    float32::min(float32::max(e, low, Literal, Keep), high, Literal, Keep)
}

/// `x * (1 - z) + y * z`.
#[must_use]
pub fn mix(x: u32, y: u32, z: u32) -> u32 {
    add(mul(x, sub(ONE, z)), mul(y, z))
}

/// `x - y * trunc(x / y)`: the operator `%` of floats (WGSL §8.7).
#[must_use]
pub fn remainder(x: u32, y: u32) -> u32 {
    sub(x, mul(y, float32::trunc(div(x, y), Keep)))
}

/// `exp2(y * log2(x))`.
#[must_use]
pub fn pow(x: u32, y: u32) -> u32 {
    functions::exp2(mul(y, functions::log2(x, Keep)), Keep)
}

/// `select(0, 1, edge <= x)`: 0 with a NaN.
#[must_use]
pub fn step(edge: u32, x: u32) -> u32 {
    if float32::ge(x, edge, Keep) { ONE } else { ZERO }
}

/// `t * t * (3 - 2 * t)` from left to right, where `t = clamp((x - low) / (high - low), 0, 1)`.
#[must_use]
pub fn smoothstep(low: u32, high: u32, x: u32) -> u32 {
    let t = clamp(div(sub(x, low), sub(high, low)), ZERO, ONE);
    mul(mul(t, t), sub(THREE, mul(TWO, t)))
}

/// `x * 57.295779513082322865`, the constant rounded to f32.
#[must_use]
pub fn degrees(x: u32) -> u32 {
    mul(x, 57.295_78_f32.to_bits())
}

/// `x * 0.017453292519943295474`, the constant rounded to f32.
#[must_use]
pub fn radians(x: u32) -> u32 {
    mul(x, 0.017_453_292_f32.to_bits())
}

/// `sin(x) / cos(x)`.
#[must_use]
pub fn tan(x: u32) -> u32 {
    div(functions::sin(x, Keep), functions::cos(x, Keep))
}

/// `(exp(x) - exp(-x)) * 0.5`.
#[must_use]
pub fn sinh(x: u32) -> u32 {
    mul(sub(functions::exp(x, Keep), functions::exp(float32::neg(x), Keep)), HALF)
}

/// `(exp(x) + exp(-x)) * 0.5`.
#[must_use]
pub fn cosh(x: u32) -> u32 {
    mul(add(functions::exp(x, Keep), functions::exp(float32::neg(x), Keep)), HALF)
}

/// `sinh(x) / cosh(x)`, so NaN where both overflow.
#[must_use]
pub fn tanh(x: u32) -> u32 {
    div(sinh(x), cosh(x))
}

/// `log(x + sqrt(x * x + 1))`.
#[must_use]
pub fn asinh(x: u32) -> u32 {
    functions::log(add(x, float32::sqrt(add(mul(x, x), ONE), Keep)), Keep)
}

/// `log(x + sqrt(x * x - 1))`.
#[must_use]
pub fn acosh(x: u32) -> u32 {
    functions::log(add(x, float32::sqrt(sub(mul(x, x), ONE), Keep)), Keep)
}

/// `log((1 + x) / (1 - x)) * 0.5`.
#[must_use]
pub fn atanh(x: u32) -> u32 {
    mul(functions::log(div(add(ONE, x), sub(ONE, x)), Keep), HALF)
}

/// `sqrt(dot(x, x))` of a vector; of a scalar `length` is `abs`.
#[must_use]
pub fn length<const N: usize>(x: [u32; N]) -> u32 {
    float32::sqrt(dot(x, x), Keep)
}

/// `length(x - y)`.
#[must_use]
pub fn distance<const N: usize>(x: [u32; N], y: [u32; N]) -> u32 {
    length(zip(x, y, sub))
}

/// `x / length(x)`, each component divided.
#[must_use]
pub fn normalize<const N: usize>(x: [u32; N]) -> [u32; N] {
    let length = length(x);
    x.map(|x| div(x, length))
}

/// `x[i] * y[j] - x[j] * y[i]` for (i, j) = (1, 2), (2, 0), (0, 1).
#[must_use]
pub fn cross(x: [u32; 3], y: [u32; 3]) -> [u32; 3] {
    let [x0, x1, x2] = x;
    let [y0, y1, y2] = y;
    [sub(mul(x1, y2), mul(x2, y1)), sub(mul(x2, y0), mul(x0, y2)), sub(mul(x0, y1), mul(x1, y0))]
}

/// `select(-x, x, dot(z, y) < 0)`.
#[must_use]
pub fn face_forward<const N: usize>(x: [u32; N], y: [u32; N], z: [u32; N]) -> [u32; N] {
    if float32::lt(dot(z, y), ZERO, Keep) { x } else { x.map(float32::neg) }
}

/// `x - 2 * dot(x, y) * y` from left to right.
#[must_use]
pub fn reflect<const N: usize>(x: [u32; N], y: [u32; N]) -> [u32; N] {
    let twice = mul(TWO, dot(x, y));
    zip(x, y, |x, y| sub(x, mul(twice, y)))
}

/// `z * x - (z * dot(y, x) + sqrt(k)) * y`, where `k = 1 - z * z * (1 - dot(y, x) * dot(y, x))` from left to right; zeros if `k < 0`.
#[must_use]
pub fn refract<const N: usize>(x: [u32; N], y: [u32; N], z: u32) -> [u32; N] {
    let d = dot(y, x);
    let k = sub(ONE, mul(mul(z, z), sub(ONE, mul(d, d))));
    if float32::lt(k, ZERO, Keep) {
        return [ZERO; N];
    }
    let factor = add(mul(z, d), float32::sqrt(k, Keep));
    zip(x, y, |x, y| sub(mul(z, x), mul(factor, y)))
}
