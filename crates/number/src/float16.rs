//! f16 (binary16). Operands and results are bit patterns in u16; denormals are kept (D3D11.3 §3.1.4).
//!
//! Here are the operations that round. Of an f16 widened by [`to_f32`], `min`, `max`, comparisons, `floor` and the like, `saturate`, `frexp`
//! are f32's with denormals kept, and their results are f16 numbers again; `abs` and `neg` are the sign bit.
//!
//! Sums, differences, products, quotients and square roots are made in f32 and rounded again. Both roundings together are
//! one correct rounding:
//! * a product has at most 22 bits and is an exact f32; a sum is a multiple of 2^-24 below 2^17, so it is exact or has more than 24 bits,
//!   where the general rule holds: a format of at least 2p + 2 = 24 bits may stand between (Figueroa, "When is double rounding innocuous?");
//! * normal quotients and roots fall under the same rule. A denormal quotient has fewer bits than p, so look at it: were a/b
//!   within 2^-25 relative of a midpoint m without being it, then with a, b, m integers below 2^11 times powers of two,
//!   |a - m b| / (m b) would be below 2^-25, yet a non-zero numerator is at least one unit and m b is below 2^22 of them. Roots are never denormal.

use crate::double_double::{Half, round_to_odd, two_sum};
use crate::rules::{Denormals, OutOfRange, Rounding};
use crate::soft::{self, BINARY16, BINARY32, BINARY64};
use crate::{convert, float32, functions, inverse};

/// The one NaN that arithmetic gives.
pub const NAN: u16 = 0x7e00;

/// Whether the pattern is a NaN.
#[inline]
#[must_use]
pub fn is_nan(a: u16) -> bool {
    a & 0x7fff > 0x7c00
}

/// The same number as f32, exactly, f16 denormals included; a NaN becomes [`float32::NAN`] (D3D11.3 §22.13.1 f16tof32).
#[inline]
#[must_use]
pub fn to_f32(a: u16) -> u32 {
    let sign = u32::from(a & 0x8000) << 16;
    let magnitude = u32::from(a & 0x7fff);
    if magnitude > 0x7c00 {
        float32::NAN
    } else if magnitude == 0x7c00 {
        sign | 0x7f80_0000
    } else if magnitude >= 0x400 {
        sign | ((magnitude << 13) + (112 << 23))
    } else {
        // A denormal is an integer times 2^-24, exact as f32.
        sign | (magnitude as f32 * f32::from_bits((127 - 24) << 23)).to_bits()
    }
}

/// To f16 in one rounding. [`Rounding::NearestEven`] is WGSL's; [`Rounding::TowardZero`] is Direct3D's f32tof16
/// (D3D11.3 §3.2.2), where a finite value too large becomes 65504 with its sign. Infinities stay; NaN becomes [`NAN`].
#[inline]
#[must_use]
pub fn from_f32(a: u32, rounding: Rounding) -> u16 {
    match rounding {
        Rounding::NearestEven => from_f32_by(a, 0x7c00, |m| m + 0xfff + (m >> 13 & 1), f32::round_ties_even),
        Rounding::TowardZero => from_f32_by(a, 0x7bff, |m| m, |scaled| scaled),
        Rounding::Up | Rounding::Down => soft::convert(BINARY32, BINARY16, u64::from(a), rounding) as u16,
    }
}

/// The common cases without branches: `round` adds to a magnitude what makes cutting off 13 bits round it, `integer` rounds a denormal
/// counted in units of 2^-24 before the fraction is cut off; finite magnitudes beyond `most` become it.
#[inline]
fn from_f32_by(a: u32, most: u32, round: impl Fn(u32) -> u32, integer: impl Fn(f32) -> f32) -> u16 {
    let magnitude = a & 0x7fff_ffff;
    // The exponents' biases differ by 112.
    let normal = (round(magnitude) >> 13).wrapping_sub(112 << 10).min(most);
    // 2^24 times a number below 2^-14 is exact.
    let denormal = integer(f32::from_bits(magnitude) * 16_777_216.0) as u32;
    let finite = if magnitude < 0x3880_0000 { denormal } else { normal };
    let special = if magnitude > 0x7f80_0000 { u32::from(NAN) } else { 0x7c00 };
    let sign = if magnitude > 0x7f80_0000 { 0 } else { a >> 16 & 0x8000 };
    (sign | if magnitude >= 0x7f80_0000 { special } else { finite }) as u16
}

/// To f16 in one rounding from f64.
#[inline]
#[must_use]
pub fn from_f64(a: u64, rounding: Rounding) -> u16 {
    soft::convert(BINARY64, BINARY16, a, rounding) as u16
}

/// f32 rounded to f16 and back (WGSL §17.5 `quantizeToF16`): denormals kept, overflow to infinity.
#[inline]
#[must_use]
pub fn quantize(a: u32) -> u32 {
    to_f32(from_f32(a, Rounding::NearestEven))
}

#[inline]
fn narrow(a: u32) -> u16 {
    from_f32(a, Rounding::NearestEven)
}

/// `a + b`.
#[inline]
#[must_use]
pub fn add(a: u16, b: u16) -> u16 {
    narrow(float32::add(to_f32(a), to_f32(b), Denormals::Keep))
}

/// `a - b`.
#[inline]
#[must_use]
pub fn sub(a: u16, b: u16) -> u16 {
    narrow(float32::sub(to_f32(a), to_f32(b), Denormals::Keep))
}

/// `a * b`.
#[inline]
#[must_use]
pub fn mul(a: u16, b: u16) -> u16 {
    narrow(float32::mul(to_f32(a), to_f32(b), Denormals::Keep))
}

/// `a / b`.
#[inline]
#[must_use]
pub fn div(a: u16, b: u16) -> u16 {
    narrow(float32::div(to_f32(a), to_f32(b), Denormals::Keep))
}

/// Square root.
#[inline]
#[must_use]
pub fn sqrt(a: u16) -> u16 {
    narrow(float32::sqrt(to_f32(a), Denormals::Keep))
}

/// `a * b + c` rounded once.
#[inline]
#[must_use]
pub fn fma(a: u16, b: u16, c: u16) -> u16 {
    let wide = |a| f64::from(value(a));
    // The product has 22 bits; the sum may need 80, so it is rounded to odd before the one rounding that counts.
    let sum = round_to_odd(two_sum(wide(a) * wide(b), wide(c)));
    from_f64(sum.to_bits(), Rounding::NearestEven)
}

/// f16 to u32, toward zero; NaN gives 0. Under [`OutOfRange::Representable`] infinity gives 65504, f16's largest.
#[inline]
#[must_use]
pub fn to_u32(a: u16, rule: OutOfRange) -> u32 {
    let integer = convert::f32_to_u32(to_f32(a), rule);
    match rule {
        OutOfRange::Integer => integer,
        OutOfRange::Representable => integer.min(65504),
    }
}

/// f16 to i32, toward zero; NaN gives 0. Under [`OutOfRange::Representable`] infinities give +-65504.
#[inline]
#[must_use]
pub fn to_i32(a: u16, rule: OutOfRange) -> u32 {
    let integer = convert::f32_to_i32(to_f32(a), rule);
    match rule {
        OutOfRange::Integer => integer,
        OutOfRange::Representable => (integer as i32).clamp(-65504, 65504) as u32,
    }
}

fn value(a: u16) -> f32 {
    f32::from_bits(to_f32(a))
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $core:path;)*) => {
        $(
            $(#[$doc])*
            ///
            /// Correctly rounded to f16, denormals kept: the f32 function's formula with the rounding test made for f16. (Rounding
            /// the f32 result again would be wrong for a few operands, 2^0x11c5 for one.)
            #[must_use]
            pub fn $name(a: u16) -> u16 {
                narrow($core(value(a)).to_bits())
            }
        )*
    };
}

functions! {
    /// 2^a.
    exp2 = functions::exp2_to::<Half>;
    /// e^a.
    exp = functions::exp_to::<Half>;
    /// Base-2 logarithm.
    log2 = functions::log2_to::<Half>;
    /// Natural logarithm.
    log = functions::log_to::<Half>;
    /// Sine.
    sin = functions::sin_to::<Half>;
    /// Cosine.
    cos = functions::cos_to::<Half>;
    /// 1 / sqrt(a).
    rsqrt = functions::rsqrt_to::<Half>;
    /// Arc sine.
    asin = inverse::asin_to::<Half>;
    /// Arc cosine.
    acos = inverse::acos_to::<Half>;
    /// Arc tangent.
    atan = inverse::atan_to::<Half>;
}

/// The angle of the point (x, y), correctly rounded to f16; special cases as [`inverse::atan2`].
#[must_use]
pub fn atan2(y: u16, x: u16) -> u16 {
    narrow(inverse::atan2_to::<Half>(value(y), value(x)).to_bits())
}
