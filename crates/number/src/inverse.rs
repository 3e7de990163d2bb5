//! Inverse trigonometric f32 functions, all by one method.
//!
//! An angle of the first quadrant is given by its legs y and x in double-double: of an arc tangent they are the operands; of an arc sine or cosine
//! of v they are v and sqrt(1 - v^2), and 1 - v^2 is exact. With q = n/d, the shorter leg over the longer, and c the
//! multiple of 1/32 next to q, atan q = atan c + atan u, where u = (n - c d) / (d + c n) is below 1/60, and its series up
//! to u^19 leaves less than 2^-112. The sum, good to about 2^-98 relative, is rounded once.
//!
//! All 2^32 inputs of asin, acos and atan have been compared with CORE-MATH (SWEEPS.md); atan2's operands cannot be enumerated, and its
//! hardest cases are expected near 2^-86.

use crate::Denormals;
use crate::double_double::{Dd, two_prod};
use crate::float32::{NAN, operand, result};
use crate::tables::{ATAN_32, PI, PI_2, RECIPROCALS};

/// The angle in [0, pi/2] of the point (x, y); both at least 0 and not both 0.
fn first_quadrant(y: Dd, x: Dd) -> Dd {
    let steep = y.hi > x.hi;
    let (n, d) = if steep { (x, y) } else { (y, x) };
    // At most 32.
    let index = (n.hi / d.hi * 32.0 + 0.5) as usize;
    let c = index as f64 / 32.0;
    // Multiplying by c, of six bits, adds no error worth counting, and c = 0 leaves n and d alone.
    let u = n.sub(d.mul(Dd::from_f64(c))).div(d.add(n.mul(Dd::from_f64(c))));
    let u2 = u.mul(u);
    let mut sum = Dd::from_f64(0.0);
    for n in (1..10).rev() {
        sum = Dd::from_pair(RECIPROCALS[2 * n + 1]).sub(sum.mul(u2));
    }
    let angle = Dd::from_pair(ATAN_32[index.min(32)]).add(u.sub(u.mul(u2).mul(sum)));
    if steep { Dd::from_pair(PI_2).sub(angle) } else { angle }
}

/// The angle in [0, pi]: the second quadrant's if x is negative.
fn upper_half(y: Dd, x: Dd, left: bool) -> f32 {
    let angle = first_quadrant(y, x);
    if left { Dd::from_pair(PI).sub(angle) } else { angle }.to_f32()
}

/// sqrt(1 - x^2) for |x| <= 1.
fn other_leg(x: f64) -> Dd {
    // x^2 has 48 bits.
    Dd::from_f64(1.0).sub(two_prod(x, x)).sqrt()
}

/// Arc sine; outside [-1, 1] NaN.
#[must_use]
pub fn asin(a: u32, denormals: Denormals) -> u32 {
    let x = operand(a, denormals);
    let leg = f64::from(x.abs());
    if leg <= 1.0 { result(upper_half(Dd::from_f64(leg), other_leg(leg), false).copysign(x), denormals) } else { NAN }
}

/// Arc cosine, in [0, pi]; outside [-1, 1] NaN.
#[must_use]
pub fn acos(a: u32, denormals: Denormals) -> u32 {
    let x = operand(a, denormals);
    let leg = f64::from(x.abs());
    if leg <= 1.0 { result(upper_half(other_leg(leg), Dd::from_f64(leg), x < 0.0), denormals) } else { NAN }
}

/// Arc tangent, in [-pi/2, pi/2].
#[must_use]
pub fn atan(a: u32, denormals: Denormals) -> u32 {
    let x = operand(a, denormals);
    if x.is_nan() {
        return NAN;
    }
    let y = if x.is_infinite() {
        Dd::from_pair(PI_2).to_f32()
    } else {
        upper_half(Dd::from_f64(f64::from(x.abs())), Dd::from_f64(1.0), false)
    };
    result(y.copysign(x), denormals)
}

/// The angle of the point (x, y), in [-pi, pi], with the special cases of IEEE 754-2019 §9.2.1: zeros and infinities count as the limits
/// along the axes and diagonals, and -0 as just below.
#[must_use]
pub fn atan2(y: u32, x: u32, denormals: Denormals) -> u32 {
    let (y, x) = (operand(y, denormals), operand(x, denormals));
    if y.is_nan() || x.is_nan() {
        return NAN;
    }
    let left = x.is_sign_negative();
    let legs = match (y.is_infinite(), x.is_infinite()) {
        (true, true) => (1.0, 1.0),
        (true, false) => (1.0, 0.0),
        (false, true) => (0.0, 1.0),
        (false, false) if y == 0.0 => (0.0, 1.0),
        (false, false) => (y.abs(), x.abs()),
    };
    let [leg_y, leg_x] = [legs.0, legs.1].map(|leg| Dd::from_f64(f64::from(leg)));
    result(upper_half(leg_y, leg_x, left).copysign(y), denormals)
}
