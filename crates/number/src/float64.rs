//! f64 (binary64). Operands and results are bit patterns; denormals are kept (D3D11.3 §3.1.4).

use crate::rules::{Denormals, MinMax, OutOfRange, Rounding};
use crate::soft::{self, BINARY32, BINARY64, Unpacked};
use crate::{convert, float32};

/// The one NaN that arithmetic gives.
pub const NAN: u64 = 0x7ff8_0000_0000_0000;
/// 1.0.
pub const ONE: u64 = 0x3ff0_0000_0000_0000;
const SIGN: u64 = 1 << 63;

/// Whether the pattern is a NaN.
#[inline]
#[must_use]
pub fn is_nan(a: u64) -> bool {
    a & !SIGN > 0x7ff0_0000_0000_0000
}

#[inline]
fn value(a: u64) -> f64 {
    f64::from_bits(a)
}

#[inline]
fn result(value: f64) -> u64 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

/// `a + b` (D3D11.3 §22.14.1 dadd).
#[inline]
#[must_use]
pub fn add(a: u64, b: u64) -> u64 {
    result(value(a) + value(b))
}

/// `a - b`.
#[inline]
#[must_use]
pub fn sub(a: u64, b: u64) -> u64 {
    result(value(a) - value(b))
}

/// `a * b` (dmul).
#[inline]
#[must_use]
pub fn mul(a: u64, b: u64) -> u64 {
    result(value(a) * value(b))
}

/// `a / b` (ddiv).
#[inline]
#[must_use]
pub fn div(a: u64, b: u64) -> u64 {
    result(value(a) / value(b))
}

/// `1 / a` (drcp).
#[inline]
#[must_use]
pub fn rcp(a: u64) -> u64 {
    div(ONE, a)
}

/// Square root.
#[inline]
#[must_use]
pub fn sqrt(a: u64) -> u64 {
    result(value(a).sqrt())
}

/// `a * b + c` rounded once (D3D11.3 §22.14.7 dfma), in integers.
#[must_use]
pub fn fma(a: u64, b: u64, c: u64) -> u64 {
    let (ua, ub, uc) = (soft::unpack(BINARY64, a), soft::unpack(BINARY64, b), soft::unpack(BINARY64, c));
    let (
        Unpacked::Finite { negative: na, mantissa: ma, exponent: ea },
        Unpacked::Finite { negative: nb, mantissa: mb, exponent: eb },
        Unpacked::Finite { negative: nc, mantissa: mc, exponent: ec },
    ) = (ua, ub, uc)
    else {
        // With an infinite or NaN operand the sum is an infinity or NaN, which two steps find. Only a finite product that
        // overflows could mislead them, and then c decides.
        return if is_finite(a) && is_finite(b) { result(value(c)) } else { add(mul(a, b), c) };
    };
    let np = na != nb;
    let product = u128::from(ma) * u128::from(mb);
    if product == 0 || mc == 0 {
        if product == 0 {
            // Exact: a zero plus c, with the sign rules of addition.
            return add(if np { SIGN } else { 0 }, c);
        }
        return soft::pack(BINARY64, np, product, ea + eb, Rounding::NearestEven);
    }
    // Both mantissas are moved up to bit 125; the one of lesser exponent moves down again, and what falls out is kept as a 1 in bit 0.
    // Bits fall out of a 106-bit product only beyond a distance of 20, of c beyond 73, and then the difference keeps at least 123 bits.
    let (mp, ep) = normalise(product, ea + eb);
    let (mc, ec) = normalise(u128::from(mc), ec);
    let exponent = ep.max(ec);
    let mp = shift_right_sticky(mp, exponent - ep);
    let mc = shift_right_sticky(mc, exponent - ec);
    let (negative, mantissa) = if np == nc {
        (np, mp + mc)
    } else if mp >= mc {
        (np, mp - mc)
    } else {
        (nc, mc - mp)
    };
    if mantissa == 0 {
        // An exact difference of equals is +0 when rounding to nearest.
        return 0;
    }
    soft::pack(BINARY64, negative, mantissa, exponent, Rounding::NearestEven)
}

fn is_finite(a: u64) -> bool {
    value(a).is_finite()
}

fn normalise(mantissa: u128, exponent: i32) -> (u128, i32) {
    let up = mantissa.leading_zeros() as i32 - 2;
    (mantissa << up, exponent - up)
}

fn shift_right_sticky(mantissa: u128, distance: i32) -> u128 {
    if distance > 127 {
        return 1;
    }
    let kept = mantissa >> distance;
    kept | u128::from(kept << distance != mantissa)
}

/// The smaller operand under the rule (D3D11.3 §22.14.3 dmin).
#[inline]
#[must_use]
pub fn min(a: u64, b: u64, rule: MinMax) -> u64 {
    match rule {
        MinMax::NanLoses => nan_loses(a, b, lt(a, b)),
        MinMax::Literal => select(lt(b, a), b, a),
    }
}

/// The larger operand under the rule (dmax).
#[inline]
#[must_use]
pub fn max(a: u64, b: u64, rule: MinMax) -> u64 {
    match rule {
        MinMax::NanLoses => nan_loses(a, b, ge(a, b)),
        MinMax::Literal => select(lt(a, b), b, a),
    }
}

#[inline]
fn select(condition: bool, yes: u64, no: u64) -> u64 {
    if condition { yes } else { no }
}

#[inline]
fn nan_loses(a: u64, b: u64, first: bool) -> u64 {
    let chosen = select((first || is_nan(b)) && !is_nan(a), a, b);
    select(is_nan(chosen), NAN, chosen)
}

/// `a == b`: false with a NaN (deq).
#[inline]
#[must_use]
pub fn eq(a: u64, b: u64) -> bool {
    value(a) == value(b)
}

/// `a != b`: true with a NaN (dne).
#[inline]
#[must_use]
pub fn ne(a: u64, b: u64) -> bool {
    value(a) != value(b)
}

/// `a < b`: false with a NaN (dlt).
#[inline]
#[must_use]
pub fn lt(a: u64, b: u64) -> bool {
    value(a) < value(b)
}

/// `a >= b`: false with a NaN (dge).
#[inline]
#[must_use]
pub fn ge(a: u64, b: u64) -> bool {
    value(a) >= value(b)
}

/// Clears the sign bit and nothing else.
#[inline]
#[must_use]
pub fn abs(a: u64) -> u64 {
    a & !SIGN
}

/// Flips the sign bit and nothing else.
#[inline]
#[must_use]
pub fn neg(a: u64) -> u64 {
    a ^ SIGN
}

/// f32 to f64, exact but for flushing; a NaN becomes [`NAN`] (D3D11.3 §22.17.2 ftod).
#[inline]
#[must_use]
pub fn from_f32(a: u32, denormals: Denormals) -> u64 {
    result(f64::from(f32::from_bits(float32::flush(a, denormals))))
}

/// f64 to f32 in one rounding, the result flushed if told to (D3D11.3 §22.17.1 dtof).
#[inline]
#[must_use]
pub fn to_f32(a: u64, rounding: Rounding, denormals: Denormals) -> u32 {
    if rounding == Rounding::NearestEven {
        return float32::result(value(a) as f32, denormals);
    }
    float32::flush(soft::convert(BINARY64, BINARY32, a, rounding) as u32, denormals)
}

/// To u32, toward zero; out of range clamps, NaN gives 0 (D3D11.3 §22.17.4 dtou). Every u32 is an f64, so both rules agree.
#[inline]
#[must_use]
pub fn to_u32(a: u64) -> u32 {
    value(a) as u32
}

/// To i32, as [`to_u32`] (dtoi).
#[inline]
#[must_use]
pub fn to_i32(a: u64) -> u32 {
    (value(a) as i32) as u32
}

/// To u64, toward zero; NaN gives 0.
#[inline]
#[must_use]
pub fn to_u64(a: u64, rule: OutOfRange) -> u64 {
    let integer = value(a) as u64;
    convert::clamp_u64(integer, rule, 53)
}

/// To i64, toward zero; NaN gives 0.
#[inline]
#[must_use]
pub fn to_i64(a: u64, rule: OutOfRange) -> u64 {
    let integer = value(a) as i64;
    convert::clamp_i64(integer, rule, 53) as u64
}

/// From u32, exact (utod).
#[inline]
#[must_use]
pub fn from_u32(a: u32) -> u64 {
    f64::from(a).to_bits()
}

/// From i32, exact (itod).
#[inline]
#[must_use]
pub fn from_i32(a: u32) -> u64 {
    f64::from(a as i32).to_bits()
}
