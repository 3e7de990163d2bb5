//! The level of detail, and which mip levels it means (§7.18.10, §7.18.11).

use super::coordinate::{f, project};
use super::{Image, Lod, Lookup};
use crate::case::{Filter, SamplerState};
use gpuproof_number::{Denormals, functions};
use gpuproof_program::Dimension;

/// The mip levels of a lookup and how they are filtered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Levels {
    /// The first level.
    pub first: usize,
    /// The second level and its weight in 256ths.
    pub second: Option<(usize, u32)>,
    /// The filter inside each level.
    pub filter: Filter,
    /// What an anisotropic filter goes along.
    pub line: Option<Line>,
}

/// The longer axis of a footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// In normalized coordinates.
    axis: [f32; 2],
    /// How many probes lie on it, 2 to 16.
    pub probes: u32,
}

impl Line {
    /// The coordinates of a probe, 1 to `probes`, around those of a lookup.
    pub fn probe(&self, number: u32, coordinates: [f32; 3]) -> [f32; 3] {
        let along = f::sub(f::div(number as f32, (self.probes + 1) as f32), 0.5);
        let [u, v, w] = coordinates;
        [f::add(u, f::mul(self.axis[0], along)), f::add(v, f::mul(self.axis[1], along)), w]
    }
}

impl Image {
    /// The level of detail that sampling would use: clamped to the sampler's bounds, the lookup's and the levels that there are, and with its
    /// biases but unclamped (D3D11.3 §22.5.6 `lod`). f32 patterns; derivatives are those of `lookup.lod`.
    pub fn level_of_detail(&self, sampler: &SamplerState, lookup: &Lookup) -> [u32; 2] {
        let (biased, _) = self.biased(sampler, lookup);
        let last = self.level_count().saturating_sub(1);
        let clamped = match self.is_empty() {
            true => 0.0,
            false => f::max(0.0, f::min(last as f32, self.bounded(sampler, lookup, biased))),
        };
        [clamped.to_bits(), biased.to_bits()]
    }

    /// The levels of a lookup.
    pub(super) fn levels(&self, sampler: &SamplerState, lookup: &Lookup) -> Levels {
        let (biased, line) = self.biased(sampler, lookup);
        let lod = self.bounded(sampler, lookup, biased);
        let [magnify, minify, mip] = filters(sampler);
        let filter = if lod <= 0.0 { magnify } else { minify };
        let last = i64::from(self.level_count().saturating_sub(1));
        let level = |index: i64| index.clamp(0, last) as usize;
        let fixed = f::fixed(lod);
        if self.is_integer() {
            return Levels { first: level((fixed + 128) >> 8), second: None, filter: Filter::Point, line: None };
        }
        match mip {
            Filter::Point => Levels { first: level((fixed + 128) >> 8), second: None, filter, line },
            Filter::Linear => {
                let (first, second, weight) = (level(fixed >> 8), level((fixed >> 8) + 1), (fixed & 255) as u32);
                let second = (weight != 0 && first != second).then_some((second, weight));
                Levels { first, second, filter, line }
            }
        }
    }

    /// The level of detail within the bounds of sampler, lookup and texture.
    pub(super) fn lod(&self, sampler: &SamplerState, lookup: &Lookup) -> f32 {
        self.bounded(sampler, lookup, self.biased(sampler, lookup).0)
    }

    /// The level of detail with the sampler's and the lookup's biases, and what an anisotropic filter goes along.
    fn biased(&self, sampler: &SamplerState, lookup: &Lookup) -> (f32, Option<Line>) {
        match lookup.lod {
            Lod::Explicit(lod) => (f::add(lod, sampler.lod_bias), None),
            Lod::Derivatives { ddx, ddy, bias } => {
                let most = sampler.max_anisotropy.filter(|_| self.dimension() == Dimension::D2);
                let (lod, line) = most
                    .and_then(|most| self.anisotropic(most, [ddx[0], ddx[1]], [ddy[0], ddy[1]]))
                    .unwrap_or_else(|| (self.isotropic(lookup.coordinates, ddx, ddy), None));
                (f::add(f::add(lod, sampler.lod_bias), bias), line)
            }
        }
    }

    /// The bounds of sampler, lookup and texture; the lower one wins where they cross.
    fn bounded(&self, sampler: &SamplerState, lookup: &Lookup, lod: f32) -> f32 {
        let bounded = f::max(sampler.min_lod, f::min(sampler.max_lod, lod));
        let bounded = lookup.clamp.map_or(bounded, |least| f::max(bounded, least));
        f::max(bounded, self.min_lod())
    }

    /// The logarithm of the shorter axis of the footprint in texels of the largest level, and its longer one; none where they have no numbers.
    fn anisotropic(&self, most: u8, ddx: [f32; 2], ddy: [f32; 2]) -> Option<(f32, Option<Line>)> {
        let size = self.level_size(0)?;
        let texels = |[u, v]: [f32; 2]| [f::mul(u, size[0] as f32), f::mul(v, size[1] as f32)];
        let axes = Axes::of(texels(ddx), texels(ddy));
        let mut ratio = f::div(f::mul(axes.longer, axes.longer), axes.area);
        let most = f32::from(most.clamp(1, 16));
        let shorter = if ratio > most {
            ratio = most;
            f::div(axes.longer, ratio)
        } else {
            f::div(axes.area, axes.longer)
        };
        if shorter < 1.0 {
            ratio = f::max(1.0, f::mul(ratio, shorter));
        }
        if ratio.is_nan() || shorter.is_nan() {
            return None;
        }
        let probes = ratio.ceil() as u32;
        let axis = [f::div(axes.axis[0], size[0] as f32), f::div(axes.axis[1], size[1] as f32)];
        let lod = f32::from_bits(functions::log2(shorter.to_bits(), Denormals::Flush));
        Some((lod, (probes > 1).then_some(Line { axis, probes })))
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

/// How a sampler magnifies, minifies and goes between levels: all linearly where it is anisotropic.
pub(super) fn filters(sampler: &SamplerState) -> [Filter; 3] {
    match sampler.max_anisotropy {
        Some(_) => [Filter::Linear; 3],
        None => [sampler.magnify, sampler.minify, sampler.mip],
    }
}

/// The ellipse that a pixel's circle becomes, in texels.
struct Axes {
    /// The length of the longer axis.
    longer: f32,
    /// That axis.
    axis: [f32; 2],
    /// The product of both lengths.
    area: f32,
}

impl Axes {
    /// From the derivatives along x and y (§7.18.11). They are the axes themselves, the longer and the other, where one is zero, they are parallel or perpendicular, or
    /// not finite. Else the longer axis has the square length (q + t) / 2 and the direction that the specification's `new_dY` has: the same ellipse,
    /// without its difference q - t.
    fn of(x: [f32; 2], y: [f32; 2]) -> Axes {
        let dot = |a: [f32; 2], b: [f32; 2]| f::add(f::mul(a[0], b[0]), f::mul(a[1], b[1]));
        let [x_square, y_square] = [dot(x, x), dot(y, y)];
        let area = f::sub(f::mul(x[0], y[1]), f::mul(x[1], y[0])).abs();
        let own = || {
            let (square, axis) = if x_square > y_square { (x_square, x) } else { (y_square, y) };
            Axes { longer: f::sqrt(square), axis, area }
        };
        if x_square == 0.0 || y_square == 0.0 || area == 0.0 || dot(x, y) == 0.0 {
            return own();
        }
        let (a, c) = (f::add(f::mul(x[1], x[1]), f::mul(y[1], y[1])), f::add(f::mul(x[0], x[0]), f::mul(y[0], y[0])));
        let b = f::mul(-2.0, f::add(f::mul(x[0], x[1]), f::mul(y[0], y[1])));
        let (p, q) = (f::sub(a, c), f::add(a, c));
        let t = f::sqrt(f::add(f::mul(p, p), f::mul(b, b)));
        let longer = f::sqrt(f::mul(f::add(q, t), 0.5));
        let part = |of_t: f32| f::mul(longer, f::sqrt(f::div(of_t, f::mul(2.0, t))));
        let (u, v) = (part(f::sub(t, p)), part(f::add(t, p)));
        let axis = [if b > 0.0 { -u } else { u }, v];
        let finite = [longer, axis[0], axis[1], area].iter().all(|number| number.is_finite());
        if finite { Axes { longer, axis, area } } else { own() }
    }
}
