//! The level of detail, and which mip levels it means (§7.18.10, §7.18.11).

use super::coordinate::{f, project};
use super::{Image, Lod, Lookup};
use crate::case::{Filter, SamplerState};
use gpuproof_number::{Denormals, functions};
use gpuproof_program::Dimension;

/// The mip levels of a lookup and how they are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Levels {
    /// The first level.
    pub first: usize,
    /// The second level and its weight in 256ths.
    pub second: Option<(usize, u32)>,
    /// The filter inside each level.
    pub filter: Filter,
}

impl Image {
    /// The level of detail that sampling would use: clamped to the sampler's bounds, the lookup's and the levels that there are, and with its
    /// biases but unclamped (D3D11.3 §22.5.6 `lod`). f32 patterns; derivatives are those of `lookup.lod`.
    pub fn level_of_detail(&self, sampler: &SamplerState, lookup: &Lookup) -> [u32; 2] {
        let biased = self.biased(sampler, lookup);
        let last = self.level_count().saturating_sub(1);
        let clamped = f::max(0.0, f::min(last as f32, bounded(sampler, lookup, biased)));
        [clamped.to_bits(), biased.to_bits()]
    }

    /// The levels of a lookup.
    pub(super) fn levels(&self, sampler: &SamplerState, lookup: &Lookup) -> Levels {
        let lod = self.lod(sampler, lookup);
        let filter = if lod <= 0.0 { sampler.magnify } else { sampler.minify };
        let last = i64::from(self.level_count().saturating_sub(1));
        let level = |index: i64| index.clamp(0, last) as usize;
        let fixed = f::fixed(lod);
        if self.is_integer() {
            return Levels { first: level((fixed + 128) >> 8), second: None, filter: Filter::Point };
        }
        match sampler.mip {
            Filter::Point => Levels { first: level((fixed + 128) >> 8), second: None, filter },
            Filter::Linear => {
                let (first, second, weight) = (level(fixed >> 8), level((fixed >> 8) + 1), (fixed & 255) as u32);
                let second = (weight != 0 && first != second).then_some((second, weight));
                Levels { first, second, filter }
            }
        }
    }

    /// The level of detail within the bounds of sampler and lookup.
    pub(super) fn lod(&self, sampler: &SamplerState, lookup: &Lookup) -> f32 {
        bounded(sampler, lookup, self.biased(sampler, lookup))
    }

    /// The level of detail with the sampler's and the lookup's biases.
    fn biased(&self, sampler: &SamplerState, lookup: &Lookup) -> f32 {
        match lookup.lod {
            Lod::Explicit(lod) => f::add(lod, sampler.lod_bias),
            Lod::Derivatives { ddx, ddy, bias } => {
                let lod = self.isotropic(lookup.coordinates, ddx, ddy);
                f::add(f::add(lod, sampler.lod_bias), bias)
            }
        }
    }

    /// The logarithm of the longer derivative in texels of the largest level.
    fn isotropic(&self, coordinates: [f32; 3], ddx: [f32; 3], ddy: [f32; 3]) -> f32 {
        let size = self.level_size(0).unwrap_or([1; 3]).map(|n| n as f32);
        let length = |derivative: [f32; 3]| {
            let [u, v, w] = match self.dimension() {
                Dimension::Cube => {
                    let [u, v] = project(coordinates).derivative(derivative);
                    [f::mul(f::mul(0.5, u), size[0]), f::mul(f::mul(0.5, v), size[0]), 0.0]
                }
                _ => std::array::from_fn(|axis| if axis < self.axes() { f::mul(derivative[axis], size[axis]) } else { 0.0 }),
            };
            f::sqrt(f::add(f::add(f::mul(u, u), f::mul(v, v)), f::mul(w, w)))
        };
        let longer = f::max(length(ddx), length(ddy));
        f32::from_bits(functions::log2(longer.to_bits(), Denormals::Flush))
    }
}

/// The bounds of sampler and lookup; the lower one wins where they cross.
fn bounded(sampler: &SamplerState, lookup: &Lookup, lod: f32) -> f32 {
    let bounded = f::max(sampler.min_lod, f::min(sampler.max_lod, lod));
    match lookup.clamp {
        Some(least) => f::max(bounded, least),
        None => bounded,
    }
}
