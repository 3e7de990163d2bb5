//! WARP, Direct3D's software device: what `docs/machines/warp.md` tells.

use super::{Extent, Function, Knowledge, within_distance};
use crate::{Denormals, Rounding, convert};

/// The largest distance that was seen from a sine or cosine inside +-100 pi.
const SINE_DISTANCE: f64 = 8.7e-5;
/// The largest f32 not above 100 pi.
const HUNDRED_PI: f32 = 314.159_24;

pub(super) fn extent(function: Function) -> Extent {
    match function {
        Function::Sin | Function::Cos | Function::FromUnsigned => Extent::Range,
        _ => Extent::Nothing,
    }
}

pub(super) fn knows(function: Function, x: u32, denormals: Denormals) -> Knowledge {
    match function {
        Function::Sin | Function::Cos if f32::from_bits(x).abs() <= HUNDRED_PI => {
            within_distance(function.canonical(x, denormals), SINE_DISTANCE)
        }
        Function::FromUnsigned => {
            let (low, high) = (convert::u32_to_f32(x, Rounding::Down), convert::u32_to_f32(x, Rounding::Up));
            if low == high { Knowledge::Bits(low) } else { Knowledge::Range { low, high } }
        }
        _ => Knowledge::Nothing,
    }
}
