//! The exact results of functions of reals, and how far bounds widen them.

use super::{Format, Function, Interval};
use crate::double_double::two_sum;

/// The exact results over the operands; none for what is not a function of reals to reals.
pub(super) fn image(function: Function, operands: &[Interval]) -> Option<Interval> {
    let arg = |at: usize| operands.get(at).copied();
    let a = arg(0)?;
    Some(match function {
        Function::Add => a + arg(1)?,
        Function::Sub | Function::Derivative => a - arg(1)?,
        Function::Mul => a * arg(1)?,
        Function::Div => a / arg(1)?,
        Function::Mad | Function::Fma => exact_dot(&[a, arg(2)?], &[arg(1)?, Interval::point(1.0)]),
        Function::Dot2 | Function::Dot3 | Function::Dot4 => {
            let (left, right) = operands.split_at(operands.len() / 2);
            exact_dot(left, right)
        }
        Function::Sqrt => a.sqrt(),
        Function::Rsqrt => a.rsqrt(),
        Function::Rcp => Interval::point(1.0) / a,
        Function::Exp2 => a.exp2(),
        Function::Log2 => a.log2(),
        Function::Exp => a.exp(),
        Function::Log => a.log(),
        Function::Sin => a.sin(),
        Function::Cos => a.cos(),
        Function::Asin => a.asin(),
        Function::Acos => a.acos(),
        Function::Atan => a.atan(),
        Function::Atan2 => a.atan2(arg(1)?),
        Function::Min => extreme(a, arg(1)?, f64::min),
        Function::Max => extreme(a, arg(1)?, f64::max),
        Function::Saturate => {
            let zeros =
                if a.nan || a.has_zero() { Interval { negative_zero: a.has_zero(), ..Interval::ZEROS } } else { Interval::EMPTY };
            Interval { nan: false, ..a }.map(|x| x.clamp(0.0, 1.0)).hull(zeros)
        }
        Function::Floor => a.map(f64::floor),
        Function::Ceil => a.map(f64::ceil),
        Function::Trunc => a.map(f64::trunc),
        Function::Round => a.map(f64::round_ties_even),
        Function::Fract => fract(a),
        Function::Abs => a.absolute(),
        Function::Neg => -a,
        Function::Sign => {
            let zero = if a.nan { Interval::point(0.0) } else { Interval::EMPTY };
            Interval { nan: false, ..a }.map(|x| if x == 0.0 { 0.0 } else { x.signum() }).hull(zero)
        }
        Function::Ldexp => scaled(a, arg(1)?),
        Function::Convert | Function::FromInteger => a,
        _ => return None,
    })
}

/// The sum of products: rounded only once, outward, where all operands are points of no more than 26 bits, else by intervals.
fn exact_dot(left: &[Interval], right: &[Interval]) -> Interval {
    let short = |x: &Interval| {
        x.is_point() && x.is_finite() && x.low.to_bits() << 38 == 0 && (x.low == 0.0 || (1e-60..1e60).contains(&x.low.abs()))
    };
    let products: Vec<Interval> = left.iter().zip(right).map(|(a, b)| *a * *b).collect();
    let by_intervals = || products.iter().copied().reduce(|sum, product| sum + product).unwrap_or(Interval::EMPTY);
    if !left.iter().chain(right).all(short) {
        return by_intervals();
    }
    // Products of 26 bits each are exact. Their sum is kept as numbers that do not overlap, from the least (Shewchuk's expansions).
    let mut parts: Vec<f64> = Vec::new();
    for product in &products {
        let mut carried = product.low;
        for part in &mut parts {
            let sum = two_sum(carried, *part);
            (carried, *part) = (sum.hi, sum.lo);
        }
        parts.push(carried);
    }
    let mut high = 0.0;
    for part in parts.iter().rev() {
        let sum = two_sum(high, *part);
        high = sum.hi;
        if sum.lo != 0.0 {
            // What follows is less than the last bit of this.
            let (down, up) = if sum.lo < 0.0 { (high.next_down(), high) } else { (high, high.next_up()) };
            return Interval::new(down, up);
        }
    }
    // Exact; for the sign of a zero the sum by intervals has rules.
    if high == 0.0 { by_intervals().hull(Interval::new(0.0, 0.0)).within(0.0, 0.0) } else { Interval::point(high) }
}

fn extreme(a: Interval, b: Interval, f: fn(f64, f64) -> f64) -> Interval {
    if a.has_no_number() || b.has_no_number() {
        return if a.has_no_number() { b } else { a }.or_nan(a.nan && b.nan);
    }
    // A NaN loses: what it faces is the result.
    let mut result = Interval::new(f(a.low, b.low), f(a.high, b.high));
    result.negative_zero = a.has_zero() && a.negative_zero || b.has_zero() && b.negative_zero;
    result.positive_zero = a.has_zero() && a.positive_zero || b.has_zero() && b.positive_zero;
    if a.nan {
        result = result.hull(Interval { nan: false, ..b });
    }
    if b.nan {
        result = result.hull(Interval { nan: false, ..a });
    }
    result.or_nan(a.nan && b.nan)
}

fn fract(a: Interval) -> Interval {
    let nan = a.nan || a.has_infinity();
    let part = a.within(-f64::MAX, f64::MAX);
    if part.has_no_number() {
        return Interval::EMPTY.or_nan(nan);
    }
    let whole = part.low.floor();
    if whole != part.high.floor() {
        return Interval::new(0.0, 1.0).or_nan(nan);
    }
    let rest = part - Interval::point(whole);
    let positive = Interval { negative_zero: false, positive_zero: true, ..rest };
    positive.or_nan(nan)
}

/// a * 2^n; powers beyond f64's go to its ends.
fn scaled(a: Interval, n: Interval) -> Interval {
    let power = |n: f64| {
        let n = n.clamp(-1000.0, 1000.0);
        Interval::point(2f64.powi(n as i32))
    };
    if a.has_no_number() || n.has_no_number() {
        return Interval::EMPTY.or_nan(a.nan);
    }
    (a * power(n.low)).hull(a * power(n.high))
}

/// The numbers within so many ulp, `ulps` for the operands at hand, of a number of the set.
pub(super) fn by_ulp(format: Format, set: Interval, ulps: f64) -> Interval {
    if set.has_no_number() {
        return set;
    }
    let below = |x: f64, rest: f64| {
        // Toward 0 the unit shrinks and away from 0 it grows, so beside the end itself the next power of two away from 0 counts,
        // where the unit doubles.
        let mut bound = x - ulps * format.ulp(x);
        if x > 0.0 {
            let power = next_power(x);
            if power < rest {
                bound = bound.min(power - ulps * format.ulp_above(power));
            }
        }
        bound
    };
    let low = if set.low.is_finite() { below(set.low, set.high).next_down() } else { set.low };
    let high = if set.high.is_finite() { (-below(-set.high, -set.low)).next_up() } else { set.high };
    // Without an error the ends themselves stay.
    Interval {
        low: exactly(low, set.low, ulps),
        high: exactly(high, set.high, ulps),
        negative_zero: true,
        positive_zero: true,
        ..set
    }
}

fn exactly(widened: f64, end: f64, error: f64) -> f64 {
    if error == 0.0 { end } else { widened }
}

/// The least power of two not below x.
fn next_power(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000);
    if power == x { power } else { power * 2.0 }
}

/// The numbers within a relative error of a number of the set.
pub(super) fn by_relative(set: Interval, error: f64) -> Interval {
    if set.has_no_number() {
        return set;
    }
    let low = set.low - error * set.low.abs();
    let high = set.high + error * set.high.abs();
    let end = |value: f64, end: f64| if end.is_infinite() { end } else { value };
    Interval { low: end(low.next_down(), set.low), high: end(high.next_up(), set.high), ..set }
}

/// The numbers within an absolute error of a number of the set.
pub(super) fn by_absolute(set: Interval, error: f64) -> Interval {
    if set.has_no_number() {
        return set;
    }
    Interval {
        low: (set.low - error).next_down(),
        high: (set.high + error).next_up(),
        negative_zero: true,
        positive_zero: true,
        ..set
    }
}
