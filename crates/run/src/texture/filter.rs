//! Weighted sums that are rounded once, and comparisons.

use crate::case::{Comparison, FilterReduction};
use gpuproof_number::{Denormals, MinMax, float32};

/// The texels of a footprint, or its levels: eight in a volume.
pub(super) type Texels<const N: usize> = Terms<N, 8>;
/// The probes of an anisotropic footprint.
pub(super) type Probes<const N: usize> = Terms<N, 16>;

/// At most T terms of one sum: values of N components, as f32 patterns, and weights below 2^26.
#[derive(Debug)]
pub(super) struct Terms<const N: usize, const T: usize> {
    values: [[u32; N]; T],
    weights: [u32; T],
    count: usize,
}

impl<const N: usize, const T: usize> Terms<N, T> {
    #[inline]
    pub fn new() -> Terms<N, T> {
        Terms { values: [[0; N]; T], weights: [0; T], count: 0 }
    }

    /// Adds a term; one of no weight has no part in the sum. There is room for T.
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

    /// [`Terms::sum`] divided by a number up to 16, rounded once.
    pub fn sum_over(&self, shift: u32, parts: u32) -> [u32; N] {
        let scale = 1.0 / f64::from(1u32 << shift.min(31));
        // The n-th part of a value that is rounded to odd is rounded right, even in two steps: let t be the total, s its rounding to odd, and m
        // a midpoint of f32. nm has at most 29 bits, so it is even as f64 and t < nm just when s < nm. If s is not nm, they
        // are at least an ulp of s apart, s/n and m at least an n-th of that, more than half an ulp of s/n (which is at most an ulp of s
        // over the greatest power of two up to n): so rounding s/n to f64 does not give m, and the rounding to f32 goes the right way.
        self.totals().map(|total| round(total * scale / f64::from(parts)))
    }

    /// The least or the greatest value of each component, or `average` of them all (§5.9.4.5.6).
    #[inline]
    pub fn reduce(&self, reduction: FilterReduction, average: impl FnOnce(&Self) -> [u32; N]) -> [u32; N] {
        let better = match reduction {
            FilterReduction::Average => return average(self),
            FilterReduction::Minimum => float32::min,
            FilterReduction::Maximum => float32::max,
        };
        let terms = self.values.iter().take(self.count);
        let joined = terms.copied().reduce(|best, value| {
            std::array::from_fn(|component| better(best[component], value[component], MinMax::NanLoses, Denormals::Flush))
        });
        joined.unwrap_or([0; N]).map(|component| round(f64::from(f32::from_bits(float32::flush(component, Denormals::Flush)))))
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
                *sum =
                    total_to_odd::<T>(std::array::from_fn(|index| product(self.values[index][component], self.weights[index])));
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
fn total_to_odd<const T: usize>(terms: [f64; T]) -> f64 {
    let mut expansion = [0.0; T];
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
