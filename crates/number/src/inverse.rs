//! Inverse trigonometric f32 functions, all by one method.
//!
//! An angle of the first quadrant is given by its legs y and x: of an arc tangent they are the operands; of an arc sine or cosine of v they
//! are v and sqrt(1 - v^2), where v^2 is an exact f64. With q = n/d, the shorter leg over the longer, and c the multiple of 1/32 next to q,
//! atan q = atan c + atan u, where u = (n - c d) / (d + c n) is below 1/60. In f64, with the series up to u^9, the angle is good to 2^-47;
//! if that leaves the rounding open, the same is done in double-double with legs to match and the series up to u^19, good to about 2^-98.
//!
//! All 2^32 inputs of asin, acos and atan have been compared with CORE-MATH (SWEEPS.md); atan2's operands cannot be enumerated, and its
//! hardest cases are expected near 2^-86.

use crate::Denormals;
use crate::double_double::{Dd, Float, Single, Target, two_prod};
use crate::float32::{operand, result};
use crate::functions::certain;
use crate::tables::{ATAN_32, PI, PI_2, RECIPROCALS};

/// Whether the angle is above pi/4, then the shorter and the longer leg, and 32 c.
fn octant(y: f64, x: f64) -> (bool, f64, f64, usize) {
    let steep = y > x;
    let (n, d) = if steep { (x, y) } else { (y, x) };
    (steep, n, d, ((n / d * 32.0 + 0.5) as usize).min(32))
}

/// The angle in [0, pi/2] of the point (x, y), both at least 0 and not both 0; if `left`, of (-x, y).
///
/// The legs are f64 good to half a unit in the last place, and `exact` gives them in double-double.
fn upper_half<T: Target>(y: f64, x: f64, left: bool, exact: impl FnOnce() -> (Dd, Dd)) -> T::Value {
    let (steep, n, d, index) = octant(y, x);
    let c = index as f64 / 32.0;
    let u = (n - c * d) / (d + c * n);
    let u2 = u * u;
    let series = -1.0 / 3.0 + u2 * (0.2 + u2 * (-1.0 / 7.0 + u2 * (1.0 / 9.0)));
    let step = ATAN_32[index];
    let mut angle = step.0 + (step.1 + (u + u * u2 * series));
    if steep {
        angle = PI_2.0 - angle;
    }
    if left {
        angle = PI.0 - angle;
    }
    certain::<T>(angle, f64::EPSILON * 64.0).unwrap_or_else(|| {
        let (y, x) = exact();
        let angle = first_quadrant(y, x);
        if left { Dd::from_pair(PI).sub(angle) } else { angle }.round::<T>()
    })
}

/// The angle in [0, pi/2], in double-double.
fn first_quadrant(y: Dd, x: Dd) -> Dd {
    let (steep, _, _, index) = octant(y.hi, x.hi);
    let (n, d) = if steep { (x, y) } else { (y, x) };
    // Multiplying by c, of six bits, adds no error worth counting, and c = 0 leaves n and d alone.
    let c = Dd::from_f64(index as f64 / 32.0);
    let u = n.sub(d.mul(c)).div(d.add(n.mul(c)));
    let u2 = u.mul(u);
    let mut sum = Dd::from_f64(0.0);
    for n in (1..10).rev() {
        sum = Dd::from_pair(RECIPROCALS[2 * n + 1]).sub(sum.mul(u2));
    }
    let angle = Dd::from_pair(ATAN_32[index]).add(u.sub(u.mul(u2).mul(sum)));
    if steep { Dd::from_pair(PI_2).sub(angle) } else { angle }
}

/// sqrt(1 - x^2) for |x| <= 1.
fn other_leg(x: f64) -> Dd {
    // x^2 has 48 bits.
    Dd::from_f64(1.0).sub(two_prod(x, x)).sqrt()
}

/// Arc sine; outside [-1, 1] NaN.
#[must_use]
pub fn asin(a: u32, denormals: Denormals) -> u32 {
    result(asin_to::<Single>(operand(a, denormals)), denormals)
}

pub(crate) fn asin_to<T: Target>(x: f32) -> T::Value {
    let leg = f64::from(x.abs());
    if leg <= 1.0 {
        upper_half::<T>(leg, (1.0 - leg * leg).sqrt(), false, || (Dd::from_f64(leg), other_leg(leg))).with_sign_of(x)
    } else {
        T::exact(f32::NAN)
    }
}

/// Arc cosine, in [0, pi]; outside [-1, 1] NaN.
#[must_use]
pub fn acos(a: u32, denormals: Denormals) -> u32 {
    result(acos_to::<Single>(operand(a, denormals)), denormals)
}

pub(crate) fn acos_to<T: Target>(x: f32) -> T::Value {
    let leg = f64::from(x.abs());
    if leg <= 1.0 {
        upper_half::<T>((1.0 - leg * leg).sqrt(), leg, x < 0.0, || (other_leg(leg), Dd::from_f64(leg)))
    } else {
        T::exact(f32::NAN)
    }
}

/// Arc tangent, in [-pi/2, pi/2].
#[must_use]
pub fn atan(a: u32, denormals: Denormals) -> u32 {
    result(atan_to::<Single>(operand(a, denormals)), denormals)
}

pub(crate) fn atan_to<T: Target>(x: f32) -> T::Value {
    if x.is_nan() {
        return T::exact(f32::NAN);
    }
    // An infinite leg is the vertical one.
    let (leg_y, leg_x) = if x.is_infinite() { (1.0, 0.0) } else { (f64::from(x.abs()), 1.0) };
    let y = upper_half::<T>(leg_y, leg_x, false, || (Dd::from_f64(leg_y), Dd::from_f64(leg_x)));
    y.with_sign_of(x)
}

/// The angle of the point (x, y), in [-pi, pi], with the special cases of IEEE 754-2019 §9.2.1: zeros and infinities count as the limits
/// along the axes and diagonals, and -0 as just below.
#[must_use]
pub fn atan2(y: u32, x: u32, denormals: Denormals) -> u32 {
    result(atan2_to::<Single>(operand(y, denormals), operand(x, denormals)), denormals)
}

pub(crate) fn atan2_to<T: Target>(y: f32, x: f32) -> T::Value {
    if y.is_nan() || x.is_nan() {
        return T::exact(f32::NAN);
    }
    let left = x.is_sign_negative();
    let legs = match (y.is_infinite(), x.is_infinite()) {
        (true, true) => (1.0, 1.0),
        (true, false) => (1.0, 0.0),
        (false, true) => (0.0, 1.0),
        (false, false) if y == 0.0 => (0.0, 1.0),
        (false, false) => (y.abs(), x.abs()),
    };
    let (leg_y, leg_x) = (f64::from(legs.0), f64::from(legs.1));
    upper_half::<T>(leg_y, leg_x, left, || (Dd::from_f64(leg_y), Dd::from_f64(leg_x))).with_sign_of(y)
}
