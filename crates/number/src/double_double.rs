//! Numbers of about 106 bits as unevaluated sums of two f64, by sums and products only: nothing here may be fused.
//!
//! The algorithms are Dekker's and Knuth's: errors of sums and products are themselves f64 and come out exactly, as
//! long as nothing overflows or falls below 2^-1022, which the callers' ranges (products of a few f32) exclude.

use crate::float16;
use crate::rules::Rounding;

/// `hi + lo`, with `|lo|` at most half a unit in the last place of `hi`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dd {
    pub(crate) hi: f64,
    pub(crate) lo: f64,
}

/// The sum of two f64 and its exact error.
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let t = s - a;
    Dd { hi: s, lo: (a - (s - t)) + (b - t) }
}

/// The same where `|a| >= |b|` or `a` is 0.
#[inline]
pub(crate) fn quick_two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    Dd { hi: s, lo: b - (s - a) }
}

#[inline]
fn split(a: f64) -> (f64, f64) {
    let t = 134_217_729.0 * a;
    let hi = t - (t - a);
    (hi, a - hi)
}

/// The product of two f64 and its exact error.
#[inline]
pub(crate) fn two_prod(a: f64, b: f64) -> Dd {
    let p = a * b;
    let (ah, al) = split(a);
    let (bh, bl) = split(b);
    Dd { hi: p, lo: ((ah * bh - p) + ah * bl + al * bh) + al * bl }
}

impl Dd {
    pub(crate) const fn from_pair(pair: (f64, f64)) -> Dd {
        Dd { hi: pair.0, lo: pair.1 }
    }

    pub(crate) const fn from_f64(hi: f64) -> Dd {
        Dd { hi, lo: 0.0 }
    }

    pub(crate) fn neg(self) -> Dd {
        Dd { hi: -self.hi, lo: -self.lo }
    }

    pub(crate) fn add(self, other: Dd) -> Dd {
        let s = two_sum(self.hi, other.hi);
        let t = two_sum(self.lo, other.lo);
        let s = quick_two_sum(s.hi, s.lo + t.hi);
        quick_two_sum(s.hi, s.lo + t.lo)
    }

    pub(crate) fn sub(self, other: Dd) -> Dd {
        self.add(other.neg())
    }

    pub(crate) fn mul(self, other: Dd) -> Dd {
        let p = two_prod(self.hi, other.hi);
        quick_two_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    /// Multiplies by a power of two, exactly.
    pub(crate) fn scale(self, power: f64) -> Dd {
        Dd { hi: self.hi * power, lo: self.lo * power }
    }

    pub(crate) fn div(self, other: Dd) -> Dd {
        let q = self.hi / other.hi;
        let r = self.sub(other.mul(Dd::from_f64(q)));
        let q2 = r.hi / other.hi;
        let r = r.sub(other.mul(Dd::from_f64(q2)));
        quick_two_sum(q, q2).add(Dd::from_f64(r.hi / other.hi))
    }

    /// Square root of a number not below 0.
    pub(crate) fn sqrt(self) -> Dd {
        if self.hi == 0.0 {
            return self;
        }
        let s = self.hi.sqrt();
        let r = self.sub(two_prod(s, s));
        quick_two_sum(s, r.hi / (2.0 * s))
    }

    /// The nearest value of the target format, in one rounding.
    pub(crate) fn round<T: Target>(self) -> T::Value {
        T::nearest(round_to_odd(quick_two_sum(self.hi, self.lo)))
    }
}

/// A sum and its error as one f64 rounded to odd: an inexact one ends in a 1.
///
/// Rounding such a value again, to a format with at least two bits less, gives what rounding the exact sum would
/// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
#[inline]
pub(crate) fn round_to_odd(sum: Dd) -> f64 {
    let bits = sum.hi.to_bits();
    if !sum.hi.is_finite() || sum.lo == 0.0 || bits & 1 == 1 {
        return sum.hi;
    }
    // The exact value lies on lo's side of hi: one step down in magnitude, or up, ends in a 1.
    if (sum.lo < 0.0) == (sum.hi < 0.0) { f64::from_bits(bits + 1) } else { f64::from_bits(bits - 1) }
}

/// What holds a target's values.
pub(crate) trait Float: Copy + PartialEq + core::ops::Neg<Output = Self> {
    /// The magnitude of this with the sign of `sign`.
    fn with_sign_of(self, sign: f32) -> Self;
}

impl Float for f32 {
    #[inline]
    fn with_sign_of(self, sign: f32) -> f32 {
        self.copysign(sign)
    }
}

impl Float for f64 {
    fn with_sign_of(self, sign: f32) -> f64 {
        self.copysign(f64::from(sign))
    }
}

/// The format that a function's result is rounded to.
pub(crate) trait Target {
    /// A type that holds the format's values.
    type Value: Float;
    /// The format's value nearest to `y`, ties to even.
    fn nearest(y: f64) -> Self::Value;
    /// An f32 that is a value of the format.
    fn exact(x: f32) -> Self::Value;
}

/// f32.
pub(crate) enum Single {}

impl Target for Single {
    type Value = f32;
    #[inline]
    fn nearest(y: f64) -> f32 {
        y as f32
    }
    #[inline]
    fn exact(x: f32) -> f32 {
        x
    }
}

/// f16, held by f32.
pub(crate) enum Half {}

impl Target for Half {
    type Value = f32;
    fn nearest(y: f64) -> f32 {
        let half = float16::from_f64(y.to_bits(), Rounding::NearestEven);
        f32::from_bits(float16::to_f32(half))
    }
    fn exact(x: f32) -> f32 {
        // Operands are f16; of the constants and of 1 / 0 every one is too.
        x
    }
}

/// 40 significant bits and f64's exponents: what allowed sets are measured against.
pub(crate) enum Wide {}

impl Target for Wide {
    type Value = f64;
    fn nearest(y: f64) -> f64 {
        // Veltkamp's splitting.
        let t = 8193.0 * y;
        t - (t - y)
    }
    fn exact(x: f32) -> f64 {
        f64::from(x)
    }
}
