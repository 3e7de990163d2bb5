//! What a lookup may give beside the canonical result: fixed point of at least 8 fraction bits for coordinates and levels, and floats that round
//! ([`gpuproof_number::allowed::sampling`]); and what it gives in exact arithmetic.

use super::coordinate::{address, layer};
use super::filter::compare;
use super::image::Reader;
use super::level::filters;
use super::sample::offset;
use super::{Image, Lod, Lookup};
use crate::case::{AddressMode, Filter, FilterReduction, SamplerState};
use gpuproof_number::allowed::{Interval, sampling};
use gpuproof_program::Dimension;

/// The results of one lookup, by component: each is a set of intervals.
pub type Results = [Vec<Interval>; 4];

/// How numbers become texels and weights.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    /// As an implementation may: within its fixed point.
    Allowed,
    /// In exact arithmetic, by one of the functions that implementations compute.
    Exact(Weights),
}

/// Which function of the coordinates weights are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// The fraction itself.
    Whole,
    /// The fraction to the nearest 256th, as in fixed point of 8 fraction bits.
    In256ths,
}

/// A number as the floor of it, and what is above that.
type Split = (f64, Interval);

/// How near an integer a float computation may be taken for the other side of it, relative to the number's size.
const NEAR: f64 = 1.0 / (1u32 << 22) as f64;

impl Precision {
    /// A coordinate in texels, before the half that a linear filter takes off. Whole periods are left out.
    fn scaled(self, u: Interval, size: u32, mode: AddressMode) -> Interval {
        let period = match mode {
            AddressMode::Wrap => u.low.floor(),
            AddressMode::Mirror => (u.low / 2.0).floor() * 2.0,
            AddressMode::Clamp | AddressMode::Border | AddressMode::MirrorOnce => 0.0,
        };
        self.float((u - Interval::point(period)) * Interval::point(f64::from(size)))
    }

    /// What a float operation makes of an exact result.
    fn float(self, x: Interval) -> Interval {
        if self != Precision::Allowed || !x.is_finite() {
            return x;
        }
        let neighbour = |x: f64, up: bool| {
            let near = x as f32;
            match (f64::from(near) > x, f64::from(near) < x) {
                (true, _) if !up => near.next_down().into(),
                (_, true) if up => near.next_up().into(),
                _ => near.into(),
            }
        };
        Interval::new(neighbour(x.low, false), neighbour(x.high, true))
    }

    /// The integers that a number may be taken to lie above, with how far above them.
    fn split(self, x: Interval) -> Vec<Split> {
        match self {
            Precision::Allowed => sampling::linear(x),
            Precision::Exact(_) if !x.is_finite() => Vec::new(),
            Precision::Exact(Weights::Whole) if is_certain(x) => vec![(x.low.floor(), x - Interval::point(x.low.floor()))],
            Precision::Exact(Weights::In256ths) => {
                let scaled = x * Interval::point(256.0) + Interval::point(0.5);
                let place = scaled.low.floor() / 256.0;
                let weight = Interval::point(place - place.floor());
                // Which way a tie goes is open.
                let tie = scaled.low == scaled.low.floor();
                if is_certain(scaled) && !tie { vec![(place.floor(), weight)] } else { Vec::new() }
            }
            Precision::Exact(_) => Vec::new(),
        }
    }

    /// What a linear filter makes of texels.
    fn filter(self, texels: &[f64], weights: &[Interval]) -> Vec<Interval> {
        match self {
            Precision::Allowed => sampling::filter(texels, weights),
            // Weights are points, or so near to it that the ends tell all.
            Precision::Exact(_) => {
                let mut all: Vec<Interval> = texels.iter().map(|texel| Interval::point(*texel)).collect();
                for weight in weights {
                    all = all.chunks_exact(2).map(|pair| mixed(pair[0], pair[1], *weight)).collect();
                }
                all
            }
        }
    }
}

/// Whether a number is on one side of every integer, or is one, also where floats have rounded on the way to it.
fn is_certain(x: Interval) -> bool {
    let reach = x.low.abs().max(1.0) * NEAR;
    let whole = x.low.round();
    x.low == x.high && x.low == whole
        || x.low.floor() == x.high.floor() && x.low - x.low.floor() > reach && x.high.ceil() - x.high > reach
}

impl Image {
    /// What [`Image::sample`] may give (D3D11.3 §7.18): `coordinates` are those of the lookup, or sets of them. None where that is not known: of cubes, integer
    /// formats, least and greatest texels, and levels of detail from derivatives, which have no bound, unless there is but one level.
    pub fn allowed(&self, sampler: &SamplerState, lookup: &Lookup, coordinates: [Interval; 3]) -> Option<Results> {
        self.results(sampler, lookup, coordinates, Precision::Allowed)
    }

    /// What [`Image::sample`] is in exact arithmetic, within a little: a number and how far off it may be, for each component. None where [`Image::allowed`] has none, where
    /// a coordinate is so near a texel's edge or centre that rounding decides what is read, and where the result is no number.
    pub fn exact(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        weights: Weights,
    ) -> Option<[(f64, f64); 4]> {
        numbers(&self.results(sampler, lookup, coordinates, Precision::Exact(weights))?)
    }

    /// What [`Image::gather`] may give, as [`Image::allowed`]: each part is one texel.
    pub fn allowed_gather(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        component: u8,
    ) -> Option<Results> {
        self.gathered(sampler, lookup, coordinates, component, Precision::Allowed)
    }

    /// What [`Image::gather`] is in exact arithmetic, as [`Image::exact`].
    pub fn exact_gather(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        component: u8,
        weights: Weights,
    ) -> Option<[(f64, f64); 4]> {
        numbers(&self.gathered(sampler, lookup, coordinates, component, Precision::Exact(weights))?)
    }

    fn gathered(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        component: u8,
        precision: Precision,
    ) -> Option<Results> {
        if !matches!(self.dimension(), Dimension::D1 | Dimension::D2) || self.is_integer() || !self.has_level(0) {
            return None;
        }
        let (level, layer) = (self.reader(0), layer(lookup.layer, self.layers()));
        let read = self.reading(sampler, lookup);
        let axes = self.axes();
        let mut results = Results::default();
        for splits in self.places(sampler, lookup, coordinates, 0, Filter::Linear, precision)? {
            // (-,+) (+,+) (+,-) (-,-).
            for (result, [right, below]) in results.iter_mut().zip([[0, 1], [1, 1], [1, 0], [0, 0]]) {
                let steps = if axes == 1 { [right, 0, 0] } else { [right, below, 0] };
                let texel = self.texel_at(sampler, &level, layer, &splits, steps);
                let value = if lookup.reference.is_some() { read(texel)[0] } else { texel[usize::from(component & 3)] };
                result.push(Interval::point(f64::from(f32::from_bits(value))));
            }
        }
        Some(results)
    }

    /// What is filtered of a texel: its components, or whether it compares.
    fn reading(&self, sampler: &SamplerState, lookup: &Lookup) -> impl Fn([u32; 4]) -> [u32; 4] {
        let compared = lookup.reference.map(|reference| self.comparison(sampler, reference));
        move |texel| match compared {
            Some((comparison, reference)) => [compare(comparison, reference, texel[0]); 4],
            None => texel,
        }
    }

    fn results(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        precision: Precision,
    ) -> Option<Results> {
        let reduced = sampler.reduction != FilterReduction::Average;
        if self.dimension() == Dimension::Cube || self.is_integer() || self.is_empty() || reduced || lookup.base_clamp_to_edge {
            return None;
        }
        let lod = self.certain_lod(sampler, lookup)?;
        let [magnify, minify, mip] = filters(sampler);
        let mut filters = Vec::new();
        // The levels of a conversion that may round to either side of 0 are magnified or not.
        let reached = if precision == Precision::Allowed { sampling::level(lod) } else { lod };
        filters.extend((reached.low <= 0.0).then_some(magnify));
        filters.extend((reached.high > 0.0).then_some(minify));
        filters.dedup();
        let last = f64::from(self.level_count().saturating_sub(1));
        let at = |level: f64| level.clamp(0.0, last) as usize;
        let mut results = Results::default();
        for filter in filters {
            let of = |level: f64| self.level_results(sampler, lookup, coordinates, at(level), filter, precision);
            let half = if mip == Filter::Point { 0.5 } else { 0.0 };
            let levels = precision.split(lod + Interval::point(half));
            if levels.is_empty() {
                return None;
            }
            for (level, weight) in levels {
                let first = of(level)?;
                let apart = mip == Filter::Linear && at(level) != at(level + 1.0) && weight.high > 0.0;
                let second = if apart { Some(of(level + 1.0)?) } else { None };
                for (at, result) in results.iter_mut().enumerate() {
                    match &second {
                        None => result.extend(&first[at]),
                        Some(second) => {
                            for (a, b) in first[at].iter().flat_map(|a| second[at].iter().map(move |b| (a, b))) {
                                result.extend(blended(*a, *b, weight, precision));
                            }
                        }
                    }
                }
            }
        }
        Some(results)
    }

    /// The level of detail, where it does not come from derivatives or does not matter.
    fn certain_lod(&self, sampler: &SamplerState, lookup: &Lookup) -> Option<Interval> {
        match lookup.lod {
            Lod::Explicit(_) => {
                let lod = f64::from(self.lod(sampler, lookup));
                let last = f64::from(self.level_count());
                (!lod.is_nan()).then(|| Interval::point(lod.clamp(-1.0, last)))
            }
            // Where an anisotropic filter looks is open.
            Lod::Derivatives { .. } => {
                let alike = sampler.max_anisotropy.is_none() && sampler.magnify == sampler.minify;
                (self.level_count() == 1 && alike).then(|| Interval::point(0.0))
            }
        }
    }

    /// The ways in which the axes of a level may be split.
    fn places(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        level: usize,
        filter: Filter,
        precision: Precision,
    ) -> Option<Vec<Vec<Split>>> {
        let size = self.level_size(level as u32)?;
        let mut all: Vec<Vec<Split>> = vec![Vec::new()];
        for axis in 0..self.axes() {
            let mut place = precision.scaled(coordinates[axis], size[axis], sampler.address[axis]);
            if filter == Filter::Linear {
                place = precision.float(place - Interval::point(0.5));
            }
            let ways = precision.split(place);
            let shifted = ways.iter().map(|(first, weight)| (*first + offset(lookup, axis) as f64, *weight));
            all = all.iter().flat_map(|known| shifted.clone().map(|way| [known.as_slice(), &[way]].concat())).collect();
        }
        (!all.is_empty()).then_some(all)
    }

    /// The texel so many steps after those at which the axes were split, or the border.
    fn texel_at(&self, sampler: &SamplerState, level: &Reader<'_>, layer: u32, splits: &[Split], steps: [i64; 3]) -> [u32; 4] {
        let mut texel = [0; 3];
        for (axis, (first, _)) in splits.iter().enumerate() {
            match address(whole(*first) + steps[axis], level.size[axis], sampler.address[axis]) {
                Some(index) => texel[axis] = index,
                None => return self.border(sampler),
            }
        }
        level.texel(texel, layer, 0)
    }

    fn level_results(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        coordinates: [Interval; 3],
        level: usize,
        filter: Filter,
        precision: Precision,
    ) -> Option<Results> {
        let places = self.places(sampler, lookup, coordinates, level, filter, precision)?;
        let (level, layer) = (self.reader(level), layer(lookup.layer, self.layers()));
        let read = self.reading(sampler, lookup);
        let axes = self.axes();
        let mut results = Results::default();
        for splits in places {
            let weights: Vec<Interval> = splits.iter().map(|split| split.1).collect();
            let count = if filter == Filter::Linear { 1 << axes } else { 1 };
            let mut texels: [Vec<f64>; 4] = Default::default();
            for corner in 0..count {
                let steps = std::array::from_fn(|axis| (corner >> axis & 1) as i64);
                let texel = self.texel_at(sampler, &level, layer, &splits, steps);
                for (to, component) in texels.iter_mut().zip(read(texel)) {
                    to.push(f64::from(f32::from_bits(component)));
                }
            }
            for (result, texels) in results.iter_mut().zip(&texels) {
                match filter {
                    Filter::Linear => result.extend(precision.filter(texels, &weights)),
                    Filter::Point => {
                        let texel = Interval::point(texels[0]);
                        result.push(if precision == Precision::Allowed { sampling::flushed(texel) } else { texel });
                    }
                }
            }
        }
        Some(results)
    }
}

/// Sets of one number each, as numbers and how far off they may be.
fn numbers(results: &Results) -> Option<[(f64, f64); 4]> {
    let mut all = [(0.0, 0.0); 4];
    for (to, parts) in all.iter_mut().zip(results) {
        let [part] = parts.as_slice() else { return None };
        if !part.is_finite() || part.has_no_number() {
            return None;
        }
        *to = (part.low / 2.0 + part.high / 2.0, part.high - part.low);
    }
    Some(all)
}

/// What two levels give together: `weight` is the second one's.
fn blended(a: Interval, b: Interval, weight: Interval, precision: Precision) -> Vec<Interval> {
    if precision != Precision::Allowed {
        return vec![mixed(a, b, weight)];
    }
    let along = |a: f64, b: f64| sampling::filter(&[a, b], &[weight]);
    if [a, b].iter().all(|set| set.is_finite() && !set.has_no_number()) {
        let ends = [along(a.low, b.low), along(a.high, b.high)];
        return vec![ends.iter().flatten().fold(Interval::EMPTY, |hull, part| hull.hull(*part))];
    }
    // What is no finite number is one value; a finite set counts whole where the other has no part.
    let one = |set: Interval| if set.has_no_number() { f64::NAN } else { set.low };
    let mut parts = along(one(a), one(b));
    parts.extend((weight.low <= 0.0).then_some(a));
    parts.extend((weight.high >= 1.0).then_some(b));
    parts
}

/// Two sets mixed; the first alone where the second has no part.
fn mixed(a: Interval, b: Interval, weight: Interval) -> Interval {
    if weight.low == 0.0 && weight.high == 0.0 { a } else { a * (Interval::point(1.0) - weight) + b * weight }
}

/// A texel's index, far enough from the ends of the integers.
fn whole(x: f64) -> i64 {
    const MOST: f64 = (1u64 << 40) as f64;
    x.clamp(-MOST, MOST) as i64
}
