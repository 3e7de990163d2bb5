//! Conversions between f32 and integers, and from floats to fixed point.

use crate::float32;
use crate::rules::{OutOfRange, Rounding};
use crate::soft::{self, BINARY16, BINARY32, BINARY64, Layout};

/// Clamps what a saturating conversion gave to the largest value of `precision` bits that is in range.
#[inline]
pub(crate) fn clamp_u64(integer: u64, rule: OutOfRange, precision: u32) -> u64 {
    match rule {
        OutOfRange::Integer => integer,
        OutOfRange::Representable => integer.min(u64::MAX << (64 - precision)),
    }
}

/// The same for i64; its least value is a power of two and always representable.
#[inline]
pub(crate) fn clamp_i64(integer: i64, rule: OutOfRange, precision: u32) -> i64 {
    match rule {
        OutOfRange::Integer => integer,
        OutOfRange::Representable => integer.min(((u64::MAX >> 1) & (u64::MAX << (63 - precision))) as i64),
    }
}

/// f32 to u32, toward zero; NaN gives 0 (D3D11.3 §22.13.4 ftou; WGSL §15.7.6).
#[inline]
#[must_use]
pub fn f32_to_u32(a: u32, rule: OutOfRange) -> u32 {
    let integer = f32::from_bits(a) as u32;
    match rule {
        OutOfRange::Integer => integer,
        OutOfRange::Representable => integer.min(0xffff_ff00),
    }
}

/// f32 to i32, toward zero; NaN gives 0 (D3D11.3 §22.13.3 ftoi; WGSL §15.7.6).
#[inline]
#[must_use]
pub fn f32_to_i32(a: u32, rule: OutOfRange) -> u32 {
    let integer = f32::from_bits(a) as i32;
    let integer = match rule {
        OutOfRange::Integer => integer,
        OutOfRange::Representable => integer.min(0x7fff_ff80),
    };
    integer as u32
}

/// f32 to u64, toward zero; NaN gives 0.
#[inline]
#[must_use]
pub fn f32_to_u64(a: u32, rule: OutOfRange) -> u64 {
    clamp_u64(f32::from_bits(a) as u64, rule, 24)
}

/// f32 to i64, toward zero; NaN gives 0.
#[inline]
#[must_use]
pub fn f32_to_i64(a: u32, rule: OutOfRange) -> u64 {
    clamp_i64(f32::from_bits(a) as i64, rule, 24) as u64
}

fn from_magnitude(layout: Layout, negative: bool, magnitude: u64, rounding: Rounding) -> u64 {
    soft::pack(layout, negative, u128::from(magnitude), 0, rounding)
}

/// u32 to f32 (D3D11.3 §22.13.6 utof, to nearest even; WGSL §15.7.6).
#[inline]
#[must_use]
pub fn u32_to_f32(a: u32, rounding: Rounding) -> u32 {
    if rounding == Rounding::NearestEven {
        return (a as f32).to_bits();
    }
    from_magnitude(BINARY32, false, u64::from(a), rounding) as u32
}

/// i32 to f32 (D3D11.3 §22.13.5 itof, to nearest even).
#[inline]
#[must_use]
pub fn i32_to_f32(a: u32, rounding: Rounding) -> u32 {
    let a = a as i32;
    if rounding == Rounding::NearestEven {
        return (a as f32).to_bits();
    }
    from_magnitude(BINARY32, a < 0, u64::from(a.unsigned_abs()), rounding) as u32
}

/// u64 to f32.
#[inline]
#[must_use]
pub fn u64_to_f32(a: u64, rounding: Rounding) -> u32 {
    from_magnitude(BINARY32, false, a, rounding) as u32
}

/// i64 to f32.
#[inline]
#[must_use]
pub fn i64_to_f32(a: u64, rounding: Rounding) -> u32 {
    let a = a as i64;
    from_magnitude(BINARY32, a < 0, a.unsigned_abs(), rounding) as u32
}

/// u64 to f64.
#[inline]
#[must_use]
pub fn u64_to_f64(a: u64, rounding: Rounding) -> u64 {
    from_magnitude(BINARY64, false, a, rounding)
}

/// i64 to f64.
#[inline]
#[must_use]
pub fn i64_to_f64(a: u64, rounding: Rounding) -> u64 {
    let a = a as i64;
    from_magnitude(BINARY64, a < 0, a.unsigned_abs(), rounding)
}

/// u32 to f16, in one rounding.
#[inline]
#[must_use]
pub fn u32_to_f16(a: u32, rounding: Rounding) -> u16 {
    from_magnitude(BINARY16, false, u64::from(a), rounding) as u16
}

/// i32 to f16, in one rounding.
#[inline]
#[must_use]
pub fn i32_to_f16(a: u32, rounding: Rounding) -> u16 {
    let a = a as i32;
    from_magnitude(BINARY16, a < 0, u64::from(a.unsigned_abs()), rounding) as u16
}

/// f32 to signed fixed point with `fraction` (at most 31) bits after the point: scaled, to nearest even, clamped to i32; NaN gives 0.
///
/// Texture coordinates (D3D11.3 §7.18.5: 16.8 at least) and the rasteriser's positions (§3.4.2: 16.8) use it with a
/// fraction of 8. The specification gives a tolerance of 0.6 units here and its general rule for fixed point is to nearest even
/// (§3.2.4.1), which is taken as canonical.
#[inline]
#[must_use]
pub fn f32_to_fixed(a: u32, fraction: u32) -> i32 {
    // Exact: a power of two times an f32, as f64. The conversion saturates and takes NaN to 0.
    let scaled = f64::from(f32::from_bits(a)) * f64::from(1u32 << fraction.min(31));
    scaled.round_ties_even() as i32
}

/// Signed fixed point to f32, to nearest even.
#[inline]
#[must_use]
pub fn fixed_to_f32(a: i32, fraction: u32) -> u32 {
    // The power of two is exact in f64, so one rounding remains.
    float32::result((f64::from(a) / f64::from(1u32 << fraction.min(31))) as f32, crate::Denormals::Keep)
}
