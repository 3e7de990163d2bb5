//! f16 (binary16). Operands and results are bit patterns in u16; denormals are kept (D3D11.3 §3.1.4).
//!
//! Sums, differences, products, quotients and square roots are made in f32 and rounded again. Both roundings together are
//! one correct rounding:
//! * a product has at most 22 bits and is an exact f32; a sum is a multiple of 2^-24 below 2^17, so it is exact or has more than 24 bits,
//!   where the general rule holds: a format of at least 2p + 2 = 24 bits may stand between (Figueroa, "When is double rounding innocuous?");
//! * normal quotients and roots fall under the same rule. A denormal quotient has fewer bits than p, so look at it: were a/b
//!   within 2^-25 relative of a midpoint m without being it, then with a, b, m integers below 2^11 times powers of two,
//!   |a - m b| / (m b) would be below 2^-25, yet a non-zero numerator is at least one unit and m b is below 2^22 of them. Roots are never denormal.

use crate::double_double::{round_to_odd, two_sum};
use crate::float32;
use crate::rules::{Denormals, Rounding};
use crate::soft::{self, BINARY16, BINARY32, BINARY64};

/// The one NaN that arithmetic gives.
pub const NAN: u16 = 0x7e00;

/// Whether the pattern is a NaN.
#[inline]
#[must_use]
pub fn is_nan(a: u16) -> bool {
    a & 0x7fff > 0x7c00
}

/// The same number as f32, exactly, f16 denormals included; a NaN becomes [`float32::NAN`] (D3D11.3 §22.13.2 f16tof32).
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
    soft::convert(BINARY32, BINARY16, u64::from(a), rounding) as u16
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
    let wide = |a| f64::from(f32::from_bits(to_f32(a)));
    // The product has 22 bits; the sum may need 80, so it is rounded to odd before the one rounding that counts.
    let sum = round_to_odd(two_sum(wide(a) * wide(b), wide(c)));
    from_f64(sum.to_bits(), Rounding::NearestEven)
}
