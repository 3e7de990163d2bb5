//! Weighted sums that are rounded once, and comparisons.

use crate::case::Comparison;
use gpuproof_number::{Denormals, float32};

/// At most this many terms: the texels of a trilinear footprint.
const TERMS: usize = 8;

/// A value and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<const N: usize> {
    /// Components, as f32 patterns.
    pub value: [u32; N],
    /// The weight times 2^`shift`, below 2^26.
    pub weight: u32,
}

/// Terms of one sum.
#[derive(Debug)]
pub(super) struct Terms<const N: usize> {
    terms: [Term<N>; TERMS],
    count: usize,
}

impl<const N: usize> Terms<N> {
    pub fn new() -> Terms<N> {
        Terms { terms: [Term { value: [0; N], weight: 0 }; TERMS], count: 0 }
    }

    /// Adds a term; one of no weight has no part in the sum.
    pub fn push(&mut self, value: [u32; N], weight: u32) {
        if weight != 0
            && let Some(term) = self.terms.get_mut(self.count)
        {
            *term = Term { value, weight };
            self.count += 1;
        }
    }

    fn terms(&self) -> &[Term<N>] {
        self.terms.get(..self.count).unwrap_or_default()
    }

    /// The sum of `value * weight / 2^shift`, exact and rounded once to f32; denormals flushed, NaN canonical.
    pub fn sum(&self, shift: u32) -> [u32; N] {
        let scale = 1.0 / f64::from(1u32 << shift.min(31));
        std::array::from_fn(|component| round(self.total(component) * scale))
    }

    /// A third of [`Terms::sum`], rounded once.
    pub fn sum_of_thirds(&self, shift: u32) -> [u32; N] {
        let scale = 1.0 / f64::from(1u32 << shift.min(31));
        // A third of a value that is rounded to odd is rounded right, even in two steps: let t be the total, s its rounding to odd, and m
        // a midpoint of f32. 3m has at most 27 bits, so it is even as f64 and t < 3m just when s < 3m. If s is not 3m, they
        // are at least an ulp of s apart, s/3 and m at least a third of that, more than half an ulp of s/3 (an ulp of s/3 is at
        // most half of s's): so rounding s/3 to f64 does not give m, and the rounding to f32 goes the right way.
        std::array::from_fn(|component| round(self.total(component) * scale / 3.0))
    }

    /// The sum of `value * weight`, exact or else rounded to odd, which lets it be rounded again to any shorter format as if once.
    fn total(&self, component: usize) -> f64 {
        let mut terms = [0.0; TERMS];
        let mut sum = 0.0;
        let mut rest = 0.0;
        for (to, term) in terms.iter_mut().zip(self.terms()) {
            // 24 bits times 26.
            *to = f64::from(f32::from_bits(float32::flush(term.value[component], Denormals::Flush))) * f64::from(term.weight);
            let (high, low) = two_sum(sum, *to);
            sum = high;
            rest += low.abs();
        }
        if let [only] = terms[..self.count.min(TERMS)] {
            return only;
        }
        // The error terms are all 0, or at least one counts; an infinite sum has no error worth knowing.
        if rest == 0.0 || !sum.is_finite() { sum } else { total_to_odd(&terms) }
    }
}

fn round(a: f64) -> u32 {
    let bits = (a as f32).to_bits();
    if float32::is_nan(bits) { float32::NAN } else { float32::flush(bits, Denormals::Flush) }
}

/// The rounded sum and its error, exactly (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The exact sum of finite terms, rounded to odd.
///
/// The terms are added to an expansion whose components do not overlap and grow in magnitude (Shewchuk, "Adaptive Precision Floating-Point
/// Arithmetic", grow-expansion). Its largest components are then joined until an error shows, and that error's sign is the sign of all that is left.
fn total_to_odd(terms: &[f64; TERMS]) -> f64 {
    let mut expansion = [0.0; TERMS];
    for (count, &term) in terms.iter().enumerate() {
        let mut carry = term;
        for component in expansion.iter_mut().take(count) {
            (carry, *component) = two_sum(carry, *component);
        }
        expansion[count] = carry;
    }
    let mut sum = 0.0;
    for &component in expansion.iter().rev() {
        let error;
        (sum, error) = two_sum(sum, component);
        if error != 0.0 {
            let bits: u64 = f64::to_bits(sum);
            let odd = match (bits & 1 == 1, (error > 0.0) == (sum > 0.0)) {
                (true, _) => bits,
                (false, true) => bits + 1,
                (false, false) => bits - 1,
            };
            return f64::from_bits(odd);
        }
    }
    sum
}

/// 1.0 where the comparison of the reference with the texel holds, else 0.0, as patterns (§22.4.19, §17.8). Denormals are zero; with a NaN only
/// [`Comparison::NotEqual`] and [`Comparison::Always`] hold.
pub(super) fn compare(comparison: Comparison, reference: u32, texel: u32) -> u32 {
    let [a, b] = [reference, texel].map(|bits| f32::from_bits(float32::flush(bits, Denormals::Flush)));
    let holds = match comparison {
        Comparison::Never => false,
        Comparison::Less => a < b,
        Comparison::Equal => a == b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::NotEqual => a != b,
        Comparison::GreaterEqual => a >= b,
        Comparison::Always => true,
    };
    if holds { float32::ONE } else { 0 }
}
