//! Closed intervals of the extended reals with the signs of zero and NaN beside them, and rigorous arithmetic on them.
//!
//! Every operation gives an enclosure of the exact results over its operands: endpoints are rounded outward, and not at all where the f64
//! result is exact. Exponentials, logarithms and angles are good to 2^-39 where the endpoints are f32, else to f32.

use super::Format;
use crate::double_double::{Wide, two_prod, two_sum};
use crate::rules::Rounding;
use crate::{functions, inverse};

/// A set of float values: the numbers from `low` to `high` (infinities count as numbers here), and NaN if `nan`.
///
/// Where 0 lies in the range, the flags say which zeros are meant. `low > high` means that no number is in the set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least number; not a NaN.
    pub low: f64,
    /// The greatest number; not a NaN.
    pub high: f64,
    /// Whether -0 is in the set; counts only if 0 lies in the range.
    pub negative_zero: bool,
    /// Whether +0 is in the set; counts only if 0 lies in the range.
    pub positive_zero: bool,
    /// Whether NaN is in the set.
    pub nan: bool,
}

impl Interval {
    /// The empty set.
    pub const EMPTY: Interval =
        Interval { low: f64::INFINITY, high: f64::NEG_INFINITY, negative_zero: false, positive_zero: false, nan: false };
    /// NaN alone.
    pub const NAN: Interval = Interval { nan: true, ..Interval::EMPTY };
    /// Every value, infinities and NaN too.
    pub const EVERYTHING: Interval =
        Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, negative_zero: true, positive_zero: true, nan: true };
    /// Zeros of both signs.
    pub(crate) const ZEROS: Interval = Interval { low: 0.0, high: 0.0, negative_zero: true, positive_zero: true, nan: false };

    /// The numbers from `low` to `high`, with both zeros if 0 is among them. Endpoints that are NaN give everything.
    #[must_use]
    pub fn new(low: f64, high: f64) -> Interval {
        if low.is_nan() || high.is_nan() {
            return Interval::EVERYTHING;
        }
        Interval { low, high, negative_zero: true, positive_zero: true, nan: false }
    }

    /// One value: a number with the sign of its zero, or NaN.
    #[must_use]
    pub fn point(value: f64) -> Interval {
        if value.is_nan() {
            return Interval::NAN;
        }
        let negative = value.is_sign_negative();
        Interval { low: value, high: value, negative_zero: negative, positive_zero: !negative, nan: false }
    }

    /// The same set with NaN added if `nan`.
    #[must_use]
    pub fn or_nan(self, nan: bool) -> Interval {
        Interval { nan: self.nan || nan, ..self }
    }

    /// Whether it has no number; it may still have NaN.
    #[must_use]
    pub fn has_no_number(&self) -> bool {
        self.low > self.high
    }

    /// Whether it has no value at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.has_no_number() && !self.nan
    }

    /// Whether it is one number, or NaN alone.
    #[must_use]
    pub fn is_point(&self) -> bool {
        if self.has_no_number() {
            return self.nan;
        }
        self.low == self.high && !self.nan && (self.low != 0.0 || self.negative_zero != self.positive_zero)
    }

    /// Whether every value in it is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        !self.nan && (self.has_no_number() || self.low.is_finite() && self.high.is_finite())
    }

    /// Whether a zero is in it.
    #[must_use]
    pub fn has_zero(&self) -> bool {
        self.low <= 0.0 && self.high >= 0.0 && (self.negative_zero || self.positive_zero)
    }

    /// Whether the value, with the sign of a zero, is in it.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.nan;
        }
        let zero = if value.is_sign_negative() { self.negative_zero } else { self.positive_zero };
        self.low <= value && value <= self.high && (value != 0.0 || zero)
    }

    /// The least interval that has every value of both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        let (a, b) = (self, other);
        let zero = |i: &Interval, sign: bool| i.low <= 0.0 && i.high >= 0.0 && sign;
        let low = a.low.min(b.low);
        let high = a.high.max(b.high);
        // A zero that only the gap between the two brings in counts with both signs.
        let bridged = low <= 0.0 && high >= 0.0 && !(a.low <= 0.0 && a.high >= 0.0) && !(b.low <= 0.0 && b.high >= 0.0);
        Interval {
            low,
            high,
            negative_zero: zero(&a, a.negative_zero) || zero(&b, b.negative_zero) || bridged,
            positive_zero: zero(&a, a.positive_zero) || zero(&b, b.positive_zero) || bridged,
            nan: a.nan || b.nan,
        }
    }

    /// The numbers of it from `low` to `high`; NaN is dropped.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Interval {
        Interval { low: self.low.max(low), high: self.high.min(high), nan: false, ..self }
    }

    /// The largest magnitude of its numbers, 0 if there is none.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        if self.has_no_number() { 0.0 } else { self.low.abs().max(self.high.abs()) }
    }

    /// The least magnitude of its numbers, infinity if there is none.
    #[must_use]
    pub fn mignitude(&self) -> f64 {
        if self.has_no_number() {
            f64::INFINITY
        } else if self.low <= 0.0 && self.high >= 0.0 {
            0.0
        } else {
            self.low.abs().min(self.high.abs())
        }
    }

    pub(crate) fn has_infinity(&self) -> bool {
        !self.has_no_number() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    /// Magnitudes.
    #[must_use]
    pub fn absolute(self) -> Interval {
        if self.has_no_number() {
            return self;
        }
        let zero = self.has_zero();
        Interval { low: self.mignitude(), high: self.magnitude(), negative_zero: false, positive_zero: zero, nan: self.nan }
    }

    /// Exact square roots; NaN for what is below 0, -0 for -0.
    #[must_use]
    pub fn sqrt(self) -> Interval {
        let nan = self.nan || self.low < 0.0 && !self.has_no_number();
        let part = self.within(0.0, f64::INFINITY);
        if part.has_no_number() {
            return Interval::EMPTY.or_nan(nan);
        }
        let (low, high) = (root(part.low, false), root(part.high, true));
        Interval { low, high, negative_zero: self.negative_zero, positive_zero: self.positive_zero, nan }
    }

    /// Exact reciprocal square roots; of zeros infinities of their signs.
    #[must_use]
    pub fn rsqrt(self) -> Interval {
        let mut roots = self.sqrt();
        // The sign of a zero decides the sign of its infinity; what lies between is positive.
        let negative = roots.has_zero() && roots.negative_zero;
        roots.negative_zero = false;
        if negative && roots.high == 0.0 && !self.positive_zero {
            return Interval::point(f64::NEG_INFINITY).or_nan(roots.nan);
        }
        let nan = roots.nan;
        let result = Interval { nan: false, ..(Interval::point(1.0) / Interval { nan: false, ..roots }) };
        if negative { result.hull(Interval::point(f64::NEG_INFINITY)) } else { result }.or_nan(nan)
    }

    /// An increasing function from its value and error at the endpoints, moved outward to f32 where they are not f32.
    fn increasing(self, f: impl Fn(f32) -> f64, error: f64) -> Interval {
        if self.has_no_number() {
            return self;
        }
        let end = |x: f64, rounding: Rounding| f(Format::F32.round(x, rounding) as f32);
        let (low, high) = (end(self.low, Rounding::Down), end(self.high, Rounding::Up));
        // Nearer to 0 than that nothing is resolved: results of f32 operands lie farther away or are 0.
        let step = |y: f64| if y == 0.0 || y.is_infinite() { 0.0 } else { y.abs() * error };
        Interval::new(low - step(low), high + step(high)).or_nan(self.nan)
    }

    /// 2^x.
    #[must_use]
    pub fn exp2(self) -> Interval {
        power(self, functions::exp2_to::<Wide>)
    }

    /// e^x.
    #[must_use]
    pub fn exp(self) -> Interval {
        power(self, functions::exp_to::<Wide>)
    }

    /// Base-2 logarithms: NaN below 0, -infinity at zeros.
    #[must_use]
    pub fn log2(self) -> Interval {
        self.logarithm(functions::log2_to::<Wide>)
    }

    /// Natural logarithms: NaN below 0, -infinity at zeros.
    #[must_use]
    pub fn log(self) -> Interval {
        self.logarithm(functions::log_to::<Wide>)
    }

    fn logarithm(self, f: impl Fn(f32) -> f64) -> Interval {
        let negative = self.low < 0.0 && !self.has_no_number();
        let part = self.within(0.0, f64::INFINITY);
        part.increasing(f, WIDE_ERROR).or_nan(self.nan || negative)
    }

    /// Sines; NaN for infinities.
    #[must_use]
    pub fn sin(self) -> Interval {
        self.turn(functions::sin_to::<Wide>, 0.5)
    }

    /// Cosines; NaN for infinities.
    #[must_use]
    pub fn cos(self) -> Interval {
        self.turn(functions::cos_to::<Wide>, 0.0)
    }

    /// A function with a maximum at (2n + shift) pi and a minimum at (2n + 1 + shift) pi.
    fn turn(self, f: impl Fn(f32) -> f64, shift: f64) -> Interval {
        let nan = self.nan || self.has_infinity();
        let part = self.within(-f64::MAX, f64::MAX);
        if part.has_no_number() {
            return Interval::EMPTY.or_nan(nan);
        }
        if part.magnitude() > f64::from(f32::MAX) {
            return Interval::new(-1.0, 1.0).or_nan(nan);
        }
        let (first, last) = (f(part.low as f32), f(part.high as f32));
        // No steeper than 1 where an end is no f32.
        let moved = |end: f64| (end - f64::from(end as f32)).abs();
        let error = WIDE_ERROR * first.abs().max(last.abs()) + moved(part.low).max(moved(part.high));
        let mut low = first.min(last) - error;
        let mut high = first.max(last) + error;
        if part.low != part.high {
            // In half turns from a maximum; above 2^30 an f64 no longer tells.
            let position = |x: f64, direction: f64| {
                let t = x / core::f64::consts::PI - shift;
                t + direction * (t.abs() + 1.0) * (4.0 * f64::EPSILON)
            };
            let (start, end) = (position(part.low, -1.0).ceil(), position(part.high, 1.0).floor());
            if part.magnitude() > 1e9 || end - start >= 1.0 {
                (low, high) = (-1.0, 1.0);
            } else if start <= end {
                if start.rem_euclid(2.0) == 0.0 { high = 1.0 } else { low = -1.0 }
            }
        }
        Interval::new(low.max(-1.0), high.min(1.0)).or_nan(nan)
    }

    /// Arc sines; NaN outside [-1, 1].
    #[must_use]
    pub fn asin(self) -> Interval {
        let outside = (self.low < -1.0 || self.high > 1.0) && !self.has_no_number();
        self.within(-1.0, 1.0).increasing(inverse::asin_to::<Wide>, WIDE_ERROR).or_nan(self.nan || outside)
    }

    /// Arc cosines; NaN outside [-1, 1].
    #[must_use]
    pub fn acos(self) -> Interval {
        let outside = (self.low < -1.0 || self.high > 1.0) && !self.has_no_number();
        let part = self.within(-1.0, 1.0);
        // Decreasing: acos(-x) is increasing.
        (-part).increasing(|x| inverse::acos_to::<Wide>(-x), WIDE_ERROR).or_nan(self.nan || outside)
    }

    /// Arc tangents.
    #[must_use]
    pub fn atan(self) -> Interval {
        self.increasing(inverse::atan_to::<Wide>, WIDE_ERROR)
    }

    /// Angles of the points (x, y), `self` being y.
    #[must_use]
    pub fn atan2(self, x: Interval) -> Interval {
        let y = self;
        let nan = y.nan || x.nan;
        if y.has_no_number() || x.has_no_number() {
            return Interval::EMPTY.or_nan(nan);
        }
        let crosses_cut = x.low < 0.0 && y.low <= 0.0 && y.high >= 0.0 && !(y.is_point() && x.is_point());
        if crosses_cut || x.has_zero() && y.has_zero() {
            let pi = core::f64::consts::PI.next_up();
            return Interval::new(-pi, pi).or_nan(nan);
        }
        let single = |x: f64| f64::from(x as f32) == x;
        let exact = [y.low, y.high, x.low, x.high].into_iter().all(single);
        if !exact && (y.magnitude().max(x.magnitude()) > f64::from(f32::MAX) || y.mignitude().max(x.mignitude()) < 1e-30) {
            let pi = core::f64::consts::PI.next_up();
            return Interval::new(-pi, pi).or_nan(nan);
        }
        // Legs rounded to f32 turn the angle by less than 2^-23.
        let rounding = if exact { 0.0 } else { f64::from(f32::EPSILON) };
        // Elsewhere the angle is monotone in each operand by itself, so its extremes are at corners.
        corners(y, x, |y, x, up| {
            let angle = inverse::atan2_to::<Wide>(y as f32, x as f32);
            let step = angle.abs() * WIDE_ERROR + rounding;
            if up { angle + step } else { angle - step }
        })
        .or_nan(nan)
    }

    /// A function that never decreases and is exact in f64, such as floor.
    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Interval {
        if self.has_no_number() {
            return self;
        }
        let (low, high) = (f(self.low), f(self.high));
        let single = low == high && self.is_point();
        if single { Interval::point(low) } else { Interval::new(low, high).or_nan(self.nan) }
    }
}

/// Exact sums.
impl core::ops::Add for Interval {
    type Output = Interval;

    fn add(self, other: Interval) -> Interval {
        let (a, b) = (self, other);
        let opposite =
            a.high == f64::INFINITY && b.low == f64::NEG_INFINITY || a.low == f64::NEG_INFINITY && b.high == f64::INFINITY;
        let nan = a.nan || b.nan || opposite && !a.has_no_number() && !b.has_no_number();
        if a.has_no_number() || b.has_no_number() {
            return Interval::EMPTY.or_nan(nan);
        }
        let low =
            if a.low == f64::NEG_INFINITY || b.low == f64::NEG_INFINITY { f64::NEG_INFINITY } else { sum(a.low, b.low, false) };
        let high = if a.high == f64::INFINITY || b.high == f64::INFINITY { f64::INFINITY } else { sum(a.high, b.high, true) };
        Interval::new(low, high).or_nan(nan)
    }
}

/// Exact differences.
impl core::ops::Sub for Interval {
    type Output = Interval;

    fn sub(self, other: Interval) -> Interval {
        self + -other
    }
}

/// Exact products.
impl core::ops::Mul for Interval {
    type Output = Interval;

    fn mul(self, other: Interval) -> Interval {
        let (a, b) = (self, other);
        let indefinite = a.has_zero() && b.has_infinity() || a.has_infinity() && b.has_zero();
        corners(a, b, product).or_nan(a.nan || b.nan || indefinite)
    }
}

/// Exact quotients; a divisor that may be 0 gives infinities of the signs that can arise, and NaN for 0 / 0.
impl core::ops::Div for Interval {
    type Output = Interval;

    fn div(self, other: Interval) -> Interval {
        let (a, b) = (self, other);
        let indefinite = a.has_zero() && b.has_zero() || a.has_infinity() && b.has_infinity();
        let nan = a.nan || b.nan || indefinite;
        if a.has_no_number() || b.has_no_number() {
            return Interval::EMPTY.or_nan(nan);
        }
        if b.low > 0.0 || b.high < 0.0 {
            return corners(a, b, quotient).or_nan(nan);
        }
        // Each side of 0 by itself: a / b goes to infinity there.
        let mut result = Interval::EMPTY;
        if b.high > 0.0 || b.positive_zero {
            result = result.hull(toward_zero(a, b.high));
        }
        if b.low < 0.0 || b.negative_zero {
            result = result.hull(toward_zero(-a, -b.low));
        }
        result.or_nan(nan)
    }
}

/// Numbers negated.
impl core::ops::Neg for Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval {
            low: -self.high,
            high: -self.low,
            negative_zero: self.positive_zero,
            positive_zero: self.negative_zero,
            nan: self.nan,
        }
    }
}

/// Half a unit of the 40 bits that [`Wide`] keeps, and a little for the final addition.
const WIDE_ERROR: f64 = 1.0 / (1u64 << 39) as f64;

/// Powers: exact at 0, where the result is a power of two, and below 2^-149 wherever the function gives 0.
fn power(x: Interval, f: impl Fn(f32) -> f64) -> Interval {
    if x.is_point() && !x.nan {
        let y = f(x.low as f32);
        if is_power_of_two(y) && (x.low == x.low.trunc()) {
            return Interval::point(y);
        }
    }
    let mut result = x.increasing(f, WIDE_ERROR);
    if result.high == 0.0 && x.high != f64::NEG_INFINITY {
        result.high = f64::from(f32::from_bits(1));
    }
    result
}

fn is_power_of_two(y: f64) -> bool {
    y.is_normal() && y.to_bits() << 12 == 0
}

/// The hull of a function that is monotone in each operand, from the four corners.
fn corners(a: Interval, b: Interval, f: impl Fn(f64, f64, bool) -> f64) -> Interval {
    if a.has_no_number() || b.has_no_number() {
        return Interval::EMPTY;
    }
    let mut result = Interval::EMPTY;
    for x in [a.low, a.high] {
        for y in [b.low, b.high] {
            result = result.hull(Interval::new(f(x, y, false), f(x, y, true)));
        }
    }
    result
}

/// a / b for b from 0 to `high`, 0 from above.
fn toward_zero(a: Interval, high: f64) -> Interval {
    let end = |x: f64, up: bool| if high > 0.0 { quotient(x, high, up) } else { x * f64::INFINITY };
    let low = if a.low < 0.0 {
        f64::NEG_INFINITY
    } else if a.low == 0.0 {
        0.0
    } else {
        end(a.low, false)
    };
    let high = if a.high > 0.0 {
        f64::INFINITY
    } else if a.high == 0.0 {
        0.0
    } else {
        end(a.high, true)
    };
    Interval::new(low, high)
}

/// One step in the direction that `up` names.
fn outward(value: f64, up: bool) -> f64 {
    if up { value.next_up() } else { value.next_down() }
}

/// Rounded in the direction, from the result and the sign of what it lacks.
fn directed(value: f64, error: f64, up: bool) -> f64 {
    if error == 0.0 || (error > 0.0) != up { value } else { outward(value, up) }
}

fn sum(x: f64, y: f64, up: bool) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return x + y;
    }
    let sum = two_sum(x, y);
    if sum.hi.is_finite() && sum.lo.is_finite() { directed(sum.hi, sum.lo, up) } else { overflow(sum.hi, up) }
}

/// What stands for a finite result that overflowed: a bound in the direction asked for.
fn overflow(value: f64, up: bool) -> f64 {
    match (value > 0.0, up) {
        (true, true) => f64::INFINITY,
        (true, false) => f64::MAX,
        (false, true) => -f64::MAX,
        (false, false) => f64::NEG_INFINITY,
    }
}

/// Whether products of numbers so large or small have an exact error term.
fn is_moderate(x: f64) -> bool {
    let magnitude = x.abs();
    (1e-130..1e130).contains(&magnitude)
}

fn product(x: f64, y: f64, up: bool) -> f64 {
    if x == 0.0 || y == 0.0 {
        return 0.0;
    }
    if is_moderate(x) && is_moderate(y) {
        let product = two_prod(x, y);
        return directed(product.hi, product.lo, up);
    }
    if x.is_infinite() || y.is_infinite() { x * y } else { outward(x * y, up) }
}

fn quotient(x: f64, y: f64, up: bool) -> f64 {
    if y.is_infinite() {
        // Infinity over infinity is NaN, which the caller adds; finite ones go to 0 with it.
        return if x.is_infinite() { overflow(x * y.signum(), up) } else { 0.0 };
    }
    let q = x / y;
    if x == 0.0 || x.is_infinite() {
        return q;
    }
    if is_moderate(x) && is_moderate(y) && is_moderate(q) {
        let back = two_prod(q, y);
        // What x is more than q y; exact, since the two are close.
        let rest = (x - back.hi) - back.lo;
        return directed(q, rest * y.signum(), up);
    }
    outward(q, up)
}

fn root(x: f64, up: bool) -> f64 {
    let s = x.sqrt();
    if x == 0.0 || x.is_infinite() {
        return s;
    }
    if is_moderate(x) && is_moderate(s) {
        let back = two_prod(s, s);
        return directed(s, (x - back.hi) - back.lo, up);
    }
    outward(s, up)
}
