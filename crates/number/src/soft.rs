//! Exact conversion between binary floating-point formats and integers times powers of two.

use crate::rules::Rounding;

/// A binary interchange format: sign (if any), biased exponent, fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) exponent_bits: u32,
    pub(crate) fraction_bits: u32,
}

pub(crate) const BINARY16: Layout = Layout { exponent_bits: 5, fraction_bits: 10 };
pub(crate) const BINARY32: Layout = Layout { exponent_bits: 8, fraction_bits: 23 };
pub(crate) const BINARY64: Layout = Layout { exponent_bits: 11, fraction_bits: 52 };
/// The unsigned 11-bit float of R11G11B10_FLOAT (D3D11.3 §3.1.6).
pub(crate) const FLOAT11: Layout = Layout { exponent_bits: 5, fraction_bits: 6 };
/// The unsigned 10-bit float of R11G11B10_FLOAT.
pub(crate) const FLOAT10: Layout = Layout { exponent_bits: 5, fraction_bits: 5 };

impl Layout {
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    pub(crate) fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    pub(crate) fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// The positive quiet NaN with an otherwise empty fraction.
    pub(crate) fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction_bits - 1)
    }
}

/// A float taken apart; a finite value is `mantissa * 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, mantissa: u64, exponent: i32 },
}

/// Takes a pattern of the format apart; bits above the sign are ignored.
pub(crate) fn unpack(layout: Layout, bits: u64) -> Unpacked {
    let negative = bits & layout.sign() != 0;
    let fraction = bits & ((1 << layout.fraction_bits) - 1);
    let biased = (bits & layout.infinity()) >> layout.fraction_bits;
    if bits & layout.infinity() == layout.infinity() {
        return if fraction == 0 { Unpacked::Infinite { negative } } else { Unpacked::Nan };
    }
    let hidden = if biased == 0 { 0 } else { 1 << layout.fraction_bits };
    Unpacked::Finite {
        negative,
        mantissa: fraction | hidden,
        exponent: biased.max(1) as i32 - layout.bias() - layout.fraction_bits as i32,
    }
}

/// Rounds `mantissa * 2^exponent` once to the format.
///
/// A mantissa that stands for a longer one may carry "something follows" in bit 0, if it has at least two bits more than
/// the format's significand.
pub(crate) fn pack(layout: Layout, negative: bool, mantissa: u128, exponent: i32, rounding: Rounding) -> u64 {
    let sign = if negative { layout.sign() } else { 0 };
    if mantissa == 0 {
        return sign;
    }
    let length = 128 - mantissa.leading_zeros() as i32;
    let top = (exponent + length - 1).max(1 - layout.bias());
    let shift = top - layout.fraction_bits as i32 - exponent;
    // kept: the significand; discarded against one half: less, equal, more, or nothing discarded.
    let (kept, inexact, half) = if shift <= 0 {
        (mantissa << -shift, false, core::cmp::Ordering::Less)
    } else if shift > 127 {
        // Only the case of 2^127 <= mantissa, shift = 128 could reach a half; no caller passes mantissas that long.
        (0, true, core::cmp::Ordering::Less)
    } else {
        let discarded = mantissa & ((1 << shift) - 1);
        (mantissa >> shift, discarded != 0, discarded.cmp(&(1 << (shift - 1))))
    };
    let away = match rounding {
        Rounding::NearestEven => half.is_gt() || half.is_eq() && kept & 1 == 1,
        Rounding::TowardZero => false,
        Rounding::Up => inexact && !negative,
        Rounding::Down => inexact && negative,
    };
    let significand = kept as u64 + u64::from(away);
    // A significand without the hidden bit is a denormal, and a carry moves into the exponent by itself.
    let biased = (top + layout.bias() - 1) as u64;
    if biased >= (1 << layout.exponent_bits) - 1 {
        return sign | overflow(layout, negative, rounding);
    }
    let magnitude = (biased << layout.fraction_bits) + significand;
    if magnitude >= layout.infinity() {
        return sign | overflow(layout, negative, rounding);
    }
    sign | magnitude
}

fn overflow(layout: Layout, negative: bool, rounding: Rounding) -> u64 {
    let to_infinity = match rounding {
        Rounding::NearestEven => true,
        Rounding::TowardZero => false,
        Rounding::Up => !negative,
        Rounding::Down => negative,
    };
    layout.infinity() - u64::from(!to_infinity)
}

/// Converts between formats with one rounding; a NaN becomes the canonical one.
pub(crate) fn convert(from: Layout, to: Layout, bits: u64, rounding: Rounding) -> u64 {
    match unpack(from, bits) {
        Unpacked::Nan => to.nan(),
        Unpacked::Infinite { negative } => to.infinity() | if negative { to.sign() } else { 0 },
        Unpacked::Finite { negative, mantissa, exponent } => pack(to, negative, u128::from(mantissa), exponent, rounding),
    }
}
