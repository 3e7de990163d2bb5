//! Weighted sums that are rounded once, and comparisons.

use crate::case::Comparison;
use gpuproof_number::{Denormals, float32};

/// At most this many terms: the texels of a trilinear footprint.
const TERMS: usize = 8;

/// Terms of one sum: values of N components, as f32 patterns, and weights below 2^26.
#[derive(Debug)]
pub(super) struct Terms<const N: usize> {
    values: [[u32; N]; TERMS],
    weights: [u32; TERMS],
    count: usize,
}

impl<const N: usize> Terms<N> {
    #[inline]
    pub fn new() -> Terms<N> {
        Terms { values: [[0; N]; TERMS], weights: [0; TERMS], count: 0 }
    }

    /// Adds a term; one of no weight has no part in the sum. There is room for eight.
    #[inline]
    pub fn push(&mut self, value: [u32; N], weight: u32) {
        if weight != 0
            && let (Some(to), Some(of)) = (self.values.get_mut(self.count), self.weights.get_mut(self.count))
        {
            (*to, *of) = (value, weight);
            self.count += 1;
        }
    }

    /// The sum of `value * weight / 2^shift`, exact and rounded once to f32; denormals flushed, NaN canonical.
    #[inline]
    pub fn sum(&self, shift: u32) -> [u32; N] {
        let scale = 1.0 / f64::from(1u32 << shift.min(31));
        self.totals().map(|total| round(total * scale))
    }

    /// A third of [`Terms::sum`], rounded once.
    pub fn sum_of_thirds(&self, shift: u32) -> [u32; N] {
        let scale = 1.0 / f64::from(1u32 << shift.min(31));
        // A third of a value that is rounded to odd is rounded right, even in two steps: let t be the total, s its rounding to odd, and m
        // a midpoint of f32. 3m has at most 27 bits, so it is even as f64 and t < 3m just when s < 3m. If s is not 3m, they
        // are at least an ulp of s apart, s/3 and m at least a third of that, more than half an ulp of s/3 (an ulp of s/3 is at
        // most half of s's): so rounding s/3 to f64 does not give m, and the rounding to f32 goes the right way.
        self.totals().map(|total| round(total * scale / 3.0))
    }

    /// The sums of `value * weight`, exact or else rounded to odd, which lets them be rounded again to any shorter format as if once.
    #[inline]
    fn totals(&self) -> [f64; N] {
        let mut terms = self.values.iter().zip(&self.weights).take(self.count);
        // The first alone keeps the sign of a zero.
        let mut sums = terms.next().map_or([0.0; N], |(value, &weight)| value.map(|component| product(component, weight)));
        let mut errors = [0.0; N];
        for (value, &weight) in terms {
            for ((sum, error), &component) in sums.iter_mut().zip(&mut errors).zip(value) {
                let (high, low) = two_sum(*sum, product(component, weight));
                *sum = high;
                *error += low.abs();
            }
        }
        for (component, (sum, error)) in sums.iter_mut().zip(errors).enumerate() {
            // Without an error the sum is exact; an infinite one has no error worth knowing.
            if error != 0.0 && sum.is_finite() {
                *sum = total_to_odd(std::array::from_fn(|index| product(self.values[index][component], self.weights[index])));
            }
        }
        sums
    }
}

/// A component times its weight, exactly: 24 bits times 26.
#[inline]
fn product(component: u32, weight: u32) -> f64 {
    f64::from(f32::from_bits(float32::flush(component, Denormals::Flush))) * f64::from(weight)
}

#[inline]
fn round(a: f64) -> u32 {
    let bits = (a as f32).to_bits();
    if float32::is_nan(bits) { float32::NAN } else { float32::flush(bits, Denormals::Flush) }
}

/// The rounded sum and its error, exactly (Knuth).
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The exact sum of finite terms, rounded to odd.
///
/// The terms are added to an expansion whose components do not overlap and grow in magnitude (Shewchuk, "Adaptive Precision Floating-Point
/// Arithmetic", grow-expansion). Its largest components are then joined until an error shows, and that error's sign is the sign of all that is left.
#[cold]
fn total_to_odd(terms: [f64; TERMS]) -> f64 {
    let mut expansion = [0.0; TERMS];
    for (count, term) in terms.into_iter().enumerate() {
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
