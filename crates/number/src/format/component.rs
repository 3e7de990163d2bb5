//! One component between its bits and 32 bits.

use super::{Channel, Kind};
use crate::float16;
use crate::rules::Rounding;
use crate::soft::{self, BINARY32, FLOAT10, FLOAT11, Layout};
use crate::tables::{LINEAR_TO_SRGB, SRGB_TO_LINEAR};

/// The largest integer of `bits` (1 to 24) bits.
fn unsigned_max(bits: u32) -> u32 {
    (1 << bits.clamp(1, 24)) - 1
}

/// `v / (2^bits - 1)`, correctly rounded, for 1 to 24 bits (D3D11.3 §3.2.3).
#[inline]
#[must_use]
pub fn unorm_to_f32(v: u32, bits: u32) -> u32 {
    let max = unsigned_max(bits);
    // Both are exact as f32.
    ((v & max) as f32 / max as f32).to_bits()
}

/// `max(v, -(2^(bits-1) - 1)) / (2^(bits-1) - 1)` of the sign-extended v, correctly rounded, for 2 to 24 bits: two patterns give -1.
#[inline]
#[must_use]
pub fn snorm_to_f32(v: u32, bits: u32) -> u32 {
    let bits = bits.clamp(2, 24);
    let max = unsigned_max(bits - 1) as i32;
    (sign_extend(v, bits).max(-max) as f32 / max as f32).to_bits()
}

fn sign_extend(v: u32, bits: u32) -> i32 {
    (v << (32 - bits)) as i32 >> (32 - bits)
}

/// To the nearest integer, halves away from zero: what adding 0.5 with x's sign and truncating gives in exact arithmetic.
fn round_half_away(x: f64) -> f64 {
    let whole = x.trunc();
    if (x - whole).abs() >= 0.5 { whole + 1f64.copysign(x) } else { whole }
}

/// Clamps to [0, 1], scales by `2^bits - 1`, adds 0.5 and truncates, exactly, for 1 to 24 bits; NaN gives 0.
#[inline]
#[must_use]
pub fn f32_to_unorm(a: u32, bits: u32) -> u32 {
    let a = f64::from(f32::from_bits(a));
    // At most 48 bits. A NaN passes `clamp` and becomes 0 in the conversion.
    round_half_away(a.clamp(0.0, 1.0) * f64::from(unsigned_max(bits))) as u32
}

/// Clamps to [-1, 1], scales by `2^(bits-1) - 1`, adds 0.5 with the sign and truncates, exactly, for 2 to 24 bits; NaN gives 0. The
/// result is the `bits` low bits of two's complement.
#[inline]
#[must_use]
pub fn f32_to_snorm(a: u32, bits: u32) -> u32 {
    let bits = bits.clamp(2, 24);
    let a = f64::from(f32::from_bits(a));
    let scaled = round_half_away(a.clamp(-1.0, 1.0) * f64::from(unsigned_max(bits - 1)));
    scaled as i32 as u32 & unsigned_max(bits)
}

/// The linear value of an 8-bit sRGB code, correctly rounded: `c / 12.92` up to 0.04045, else `((c + 0.055) / 1.055)^2.4` with `c = v / 255`
/// (D3D11.3 §3.2.3).
#[inline]
#[must_use]
pub fn srgb_to_linear(v: u8) -> u32 {
    SRGB_TO_LINEAR[usize::from(v)]
}

/// The 8-bit sRGB code of a linear value, exactly: clamped to [0, 1], `12.92 c` up to 0.0031308, else `1.055 c^(1/2.4) - 0.055`,
/// times 255, plus 0.5, truncated; NaN gives 0.
#[inline]
#[must_use]
pub fn linear_to_srgb(a: u32) -> u8 {
    // Patterns of positive floats are in the order of their values; negative ones and NaN give 0.
    if f32::from_bits(a) > 0.0 { LINEAR_TO_SRGB.partition_point(|&threshold| threshold <= a) as u8 } else { 0 }
}

/// Red, green and blue as f32 of a shared-exponent texel: `mantissa * 2^(exponent - 24)`, exactly (D3D11.3 §3.1.7; R9G9B9E5_SHAREDEXP).
#[must_use]
pub fn unpack_rgb9e5(texel: u32) -> [u32; 3] {
    let scale = f32::from_bits(((texel >> 27) + 127 - 24) << 23);
    [0, 9, 18].map(|shift| ((texel >> shift & 511) as f32 * scale).to_bits())
}

/// A shared-exponent texel: components clamped to [0, 65408] (NaN gives 0), the exponent that the largest needs, mantissas to the nearest,
/// halves up, in exact arithmetic.
#[must_use]
pub fn pack_rgb9e5(rgb: [u32; 3]) -> u32 {
    let [r, g, b] = rgb.map(|a| {
        let a = f32::from_bits(a);
        if a > 0.0 { f64::from(a.min(65408.0)) } else { 0.0 }
    });
    let largest = r.max(g).max(b);
    // floor(log2(largest)), at least -16; from there the biased exponent is 16 more.
    let log = ((largest.to_bits() >> 52) as i32 - 1023).max(-16);
    let mut biased = log + 16;
    let mantissa = |a: f64, biased: i32| {
        let scale = f64::from_bits(((1023 + 24 - biased) as u64) << 52);
        round_half_away(a * scale) as u32
    };
    if mantissa(largest, biased) == 512 {
        biased += 1;
    }
    mantissa(r, biased) | mantissa(g, biased) << 9 | mantissa(b, biased) << 18 | (biased as u32) << 27
}

fn unsigned_float(a: u32, layout: Layout) -> u32 {
    let a = if f32::from_bits(a) < 0.0 || a == 0x8000_0000 { 0 } else { a };
    soft::convert(BINARY32, layout, u64::from(a), Rounding::TowardZero) as u32
}

/// The component of a channel's bits, which are in the low end of `v`.
pub(super) fn decode(channel: Channel, v: u32) -> u32 {
    let bits = u32::from(channel.bits);
    match channel.kind {
        Kind::Unorm => unorm_to_f32(v, bits),
        Kind::Srgb => srgb_to_linear(v as u8),
        Kind::Snorm => snorm_to_f32(v, bits),
        Kind::Sint => sign_extend(v, bits) as u32,
        Kind::XrBias => ((v as i32 - 384) as f32 / 510.0).to_bits(),
        Kind::Float => match bits {
            16 => float16::to_f32(v as u16),
            11 => soft::convert(FLOAT11, BINARY32, u64::from(v), Rounding::NearestEven) as u32,
            10 => soft::convert(FLOAT10, BINARY32, u64::from(v), Rounding::NearestEven) as u32,
            _ => v,
        },
        Kind::Uint | Kind::Typeless | Kind::SharedExponent => v,
    }
}

/// A component as a channel's bits.
pub(super) fn encode(channel: Channel, a: u32) -> u32 {
    let bits = u32::from(channel.bits);
    let all = u32::MAX >> (32 - bits);
    match channel.kind {
        Kind::Unorm => f32_to_unorm(a, bits),
        Kind::Srgb => u32::from(linear_to_srgb(a)),
        Kind::Snorm => f32_to_snorm(a, bits),
        Kind::Uint => a.min(all),
        Kind::Sint => {
            let max = (all >> 1) as i32;
            (a as i32).clamp(-max - 1, max) as u32 & all
        }
        Kind::XrBias => {
            let a = f32::from_bits(a);
            // NaN is 0, as for normalized integers.
            let biased = if a.is_nan() { 384.0 } else { round_half_away(f64::from(a) * 510.0) + 384.0 };
            biased.clamp(0.0, 1023.0) as u32
        }
        Kind::Float => match bits {
            16 => u32::from(float16::from_f32(a, Rounding::TowardZero)),
            11 => unsigned_float(a, FLOAT11),
            10 => unsigned_float(a, FLOAT10),
            _ => a,
        },
        Kind::Typeless | Kind::SharedExponent => a & all,
    }
}
