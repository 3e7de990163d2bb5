//! Mesa's lavapipe, version 22.3: what `docs/machines/lavapipe.md` tells.

use super::{Extent, Function, Knowledge, within_distance, within_steps};
use crate::Denormals;

/// 2^-22.3, the largest distance that was seen from the logarithm.
const LOG2_DISTANCE: f64 = 1.93656063e-07;
/// The largest f32 not above 2 pi.
const TWO_PI: f32 = 6.283_185_5;

pub(super) fn extent(function: Function) -> Extent {
    match function {
        Function::Rcp | Function::Sqrt => Extent::Bits,
        Function::Exp2 | Function::Log2 | Function::Sin | Function::Cos => Extent::Range,
        Function::Rsqrt | Function::Exp | Function::Log | Function::Tanh | Function::FromUnsigned => Extent::Nothing,
    }
}

pub(super) fn knows(function: Function, x: u32, denormals: Denormals) -> Knowledge {
    let canonical = function.canonical(x, denormals);
    let (operand, result) = (f32::from_bits(x), f32::from_bits(canonical));
    match function {
        Function::Rcp | Function::Sqrt => Knowledge::Bits(canonical),
        Function::Exp2 if result.is_normal() => within_steps(canonical, 3),
        Function::Log2 if (0.5..=2.0).contains(&operand) => within_distance(canonical, LOG2_DISTANCE),
        Function::Sin | Function::Cos if (0.0..=TWO_PI).contains(&operand) => within_steps(canonical, 3),
        _ => Knowledge::Nothing,
    }
}
