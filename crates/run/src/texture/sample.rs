//! Sampling and gathering.

use super::Image;
use super::coordinate::{address, f, layer, nearest, neighbour, pair, project};
use super::filter::{Probes, Texels, compare};
use super::image::Reader;
use super::level::Levels;
use crate::case::{AddressMode, Comparison, Filter, SamplerState};
use gpuproof_number::format::Kind;
use gpuproof_number::{OutOfRange, convert};
use gpuproof_program::{Dimension, Level, Sampling, SamplingOperands};

/// What one lane looks up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// Normalized coordinates; of a cube a direction. Those that the dimension lacks are not read.
    pub coordinates: [f32; 3],
    /// The array layer.
    pub layer: f32,
    /// Where the level of detail comes from. Gathers don't read it.
    pub lod: Lod,
    /// What texels are compared with, through the sampler's comparison.
    pub reference: Option<f32>,
    /// A lower bound of the level of detail.
    pub clamp: Option<f32>,
    /// Texels added to the coordinates at each level, -32 to 31. Those that the dimension lacks are not read, nor any for a cube.
    pub offset: [i32; 3],
    /// Whether coordinates are clamped to half a texel inside the largest level, which is read (WGSL `textureSampleBaseClampToEdge`).
    pub base_clamp_to_edge: bool,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lod {
    /// The coordinates' derivatives.
    Derivatives {
        /// Along x of the render target.
        ddx: [f32; 3],
        /// Along y.
        ddy: [f32; 3],
        /// Added to the level, besides the sampler's bias.
        bias: f32,
    },
    /// A level of detail; the sampler's bias is still added.
    Explicit(f32),
}

impl Lookup {
    /// The lookup of a sampling instruction: `operand` gives the lane's operand words by position
    /// ([`Sampling::operands`]), `derivatives` those of the coordinates along x and y over the quad, where the level is implicit.
    pub fn new(
        sampling: &Sampling,
        operand: impl Fn(usize) -> u32,
        derivatives: impl FnOnce() -> ([f32; 3], [f32; 3]),
    ) -> Lookup {
        let operands = sampling.operands();
        let float = |position: usize| f32::from_bits(operand(position));
        let vector = |first: usize| std::array::from_fn(|axis| float(first + axis));
        let level = || operands.level.map_or(0.0, float);
        let lod = match sampling.level {
            Level::Zero => Lod::Explicit(0.0),
            Level::Explicit => Lod::Explicit(level()),
            Level::Implicit | Level::Bias => {
                let (ddx, ddy) = derivatives();
                Lod::Derivatives { ddx, ddy, bias: level() }
            }
            Level::Gradient => {
                let (ddx, ddy) = operands.gradients.map_or(([0.0; 3], [0.0; 3]), |first| (vector(first), vector(first + 3)));
                Lod::Derivatives { ddx, ddy, bias: 0.0 }
            }
        };
        Lookup {
            coordinates: vector(SamplingOperands::COORDINATES),
            layer: float(SamplingOperands::LAYER),
            lod,
            reference: operands.reference.map(float),
            clamp: operands.clamp.map(float),
            offset: operands.offset.map_or([0; 3], |first| std::array::from_fn(|axis| operand(first + axis) as i32)),
            base_clamp_to_edge: sampling.base_clamp_to_edge,
        }
    }
}

/// The texels of a 2x2 footprint on the faces of a cube.
type CubeFootprint = [Option<(u32, u32, u32)>; 4];

/// One texel of an axis: its index or none for the border, and its weight in 256ths.
#[derive(Clone, Copy)]
struct Tap {
    texel: Option<u32>,
    weight: u32,
}

impl Image {
    /// Samples the texture: four f32 components, of an integer format the integers (D3D11.3 §22.4.15 to §22.4.20).
    pub fn sample(&self, sampler: &SamplerState, lookup: &Lookup) -> [u32; 4] {
        match lookup.reference {
            None if self.is_empty() => self.format_defaults(),
            None if self.is_integer() => self.nearest_integer(sampler, lookup),
            None => self.sample_filtered(sampler, lookup, |texel| texel),
            Some(reference) => {
                let (comparison, reference) = self.comparison(sampler, reference);
                let [result] = self.sample_filtered(sampler, lookup, |texel| [compare(comparison, reference, texel[0])]);
                [result; 4]
            }
        }
    }

    /// One component of the four texels of a bilinear footprint in the largest level, in the order (-,+) (+,+) (+,-) (-,-); with a
    /// reference, whether each compares (D3D11.3 §22.4.2 to §22.4.5). Texels keep their bits; where three faces of a cube meet, the missing texel is the
    /// mean of the three (of integers, toward zero).
    pub fn gather(&self, sampler: &SamplerState, lookup: &Lookup, component: u8) -> [u32; 4] {
        let read = |texel: [u32; 4]| match lookup.reference {
            None => texel[usize::from(component & 3)],
            Some(reference) => {
                let (comparison, reference) = self.comparison(sampler, reference);
                compare(comparison, reference, texel[0])
            }
        };
        if !self.has_level(0) {
            return [read(self.format_defaults()); 4];
        }
        let level = self.reader(0);
        let size = level.size;
        let layer = layer(lookup.layer, self.layers());
        // (-,+) (+,+) (+,-) (-,-) among (-,-) (+,-) (-,+) (+,+).
        const ORDER: [usize; 4] = [2, 3, 1, 0];
        if self.dimension() == Dimension::Cube {
            let (footprint, _) = self.cube_footprint(lookup, size[0]);
            let texels = footprint.map(|place| place.map(|place| read(face_texel(&level, layer, place))));
            let missing = || self.mean(texels);
            return ORDER.map(|corner| texels[corner].unwrap_or_else(missing));
        }
        let axis = |axis: usize| {
            let (mode, size) = (sampler.address[axis], size[axis]);
            let first = pair(lookup.coordinates[axis], size, mode).0 + offset(lookup, axis);
            [address(first, size, mode), address(first + 1, size, mode)]
        };
        let [x, y] = [axis(0), if self.axes() > 1 { axis(1) } else { [Some(0); 2] }];
        ORDER.map(|corner| {
            read(match (x[corner & 1], y[corner >> 1]) {
                (Some(x), Some(y)) => level.texel([x, y, 0], layer, 0),
                _ => self.border(sampler),
            })
        })
    }

    /// The comparison and its reference in the precision of the texels' red component (§22.4.19).
    pub(super) fn comparison(&self, sampler: &SamplerState, reference: f32) -> (Comparison, u32) {
        let format = self.format();
        let float = matches!(format.channels[0].map(|channel| (channel.kind, channel.bits)), None | Some((Kind::Float, 32)));
        let mut reference = reference.to_bits();
        let mut texel = [0; 16];
        if !float
            && let Some(texel) = texel.get_mut(..format.bytes)
            && format.encode([reference, 0, 0, 0], texel).is_ok()
            && let Ok([red, ..]) = format.decode(texel)
        {
            reference = red;
        }
        (sampler.comparison.unwrap_or(Comparison::Never), reference)
    }

    /// The border colour as the format would hold it, but in full precision (§7.18.9.1).
    pub(super) fn border(&self, sampler: &SamplerState) -> [u32; 4] {
        let mut border = self.format_defaults();
        for ((component, channel), colour) in border.iter_mut().zip(self.format().channels).zip(sampler.border) {
            let Some(channel) = channel else { continue };
            let bits = colour.to_bits();
            let most = u32::MAX >> (32 - u32::from(channel.bits.clamp(1, 32)));
            *component = match channel.kind {
                Kind::Unorm | Kind::Srgb => f::max(0.0, f::min(1.0, colour)).to_bits(),
                Kind::Snorm if colour.is_nan() => 0,
                Kind::Snorm => f::max(-1.0, f::min(1.0, colour)).to_bits(),
                Kind::Uint => convert::f32_to_u32(bits, OutOfRange::Integer).min(most),
                Kind::Sint => {
                    let most = (most >> 1) as i32;
                    (convert::f32_to_i32(bits, OutOfRange::Integer) as i32).clamp(-most - 1, most) as u32
                }
                Kind::Float | Kind::SharedExponent | Kind::XrBias | Kind::Typeless => bits,
            };
        }
        border
    }

    fn nearest_integer(&self, sampler: &SamplerState, lookup: &Lookup) -> [u32; 4] {
        let level = if lookup.base_clamp_to_edge { 0 } else { self.levels(sampler, lookup).first };
        self.nearest(sampler, lookup, level)
    }

    /// The nearest texel of a level.
    fn nearest(&self, sampler: &SamplerState, lookup: &Lookup, level: usize) -> [u32; 4] {
        let layer = layer(lookup.layer, self.layers());
        let level = self.reader(level);
        let size = level.size;
        if self.dimension() == Dimension::Cube {
            let projected = project(lookup.coordinates);
            // Position 1 is past the last texel.
            let [x, y] =
                projected.position().map(|u| nearest(u, size[0], AddressMode::Clamp).clamp(0, i64::from(size[0]) - 1) as u32);
            return face_texel(&level, layer, (projected.face, x, y));
        }
        let mut texel = [0; 3];
        for (axis, to) in texel.iter_mut().enumerate().take(self.axes()) {
            let (size, mode) = (size[axis], sampler.address[axis]);
            match address(nearest(lookup.coordinates[axis], size, mode) + offset(lookup, axis), size, mode) {
                Some(index) => *to = index,
                None => return self.border(sampler),
            }
        }
        level.texel(texel, layer, 0)
    }

    fn sample_filtered<const N: usize>(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        read: impl Fn([u32; 4]) -> [u32; N],
    ) -> [u32; N] {
        if self.is_empty() {
            return read(self.format_defaults());
        }
        if lookup.base_clamp_to_edge {
            return self.sample_level(sampler, &self.clamped_to_edge(lookup), 0, sampler.magnify, &read);
        }
        let levels = self.levels(sampler, lookup);
        let Some(line) = levels.line else { return self.sample_levels(sampler, lookup, &levels, &read) };
        let mut probes = Probes::new();
        for number in 1..=line.probes {
            let probe = Lookup { coordinates: line.probe(number, lookup.coordinates), ..*lookup };
            probes.push(self.sample_levels(sampler, &probe, &levels, &read), 1);
        }
        probes.reduce(sampler.reduction, |probes| probes.sum_over(0, line.probes))
    }

    fn sample_levels<const N: usize>(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        levels: &Levels,
        read: &impl Fn([u32; 4]) -> [u32; N],
    ) -> [u32; N] {
        let first = self.sample_level(sampler, lookup, levels.first, levels.filter, read);
        let Some((second, weight)) = levels.second else { return first };
        let mut terms = Texels::new();
        terms.push(first, 256 - weight);
        terms.push(self.sample_level(sampler, lookup, second, levels.filter, read), weight);
        terms.reduce(sampler.reduction, |terms| terms.sum(8))
    }

    fn sample_level<const N: usize>(
        &self,
        sampler: &SamplerState,
        lookup: &Lookup,
        level: usize,
        filter: Filter,
        read: &impl Fn([u32; 4]) -> [u32; N],
    ) -> [u32; N] {
        let mut terms = Texels::new();
        if filter == Filter::Point {
            terms.push(read(self.nearest(sampler, lookup, level)), 1);
            return terms.sum(0);
        }
        let layer = layer(lookup.layer, self.layers());
        let level = self.reader(level);
        let size = level.size;
        if self.dimension() == Dimension::Cube {
            let (footprint, weights) = self.cube_footprint(lookup, size[0]);
            let missing =
                footprint.iter().zip(weights).find_map(|(place, weight)| place.is_none().then_some(weight)).unwrap_or(0);
            for (place, weight) in footprint.into_iter().zip(weights) {
                // Each gets a third of the missing texel's weight.
                let weight = if missing == 0 { weight } else { weight * 3 + missing };
                if let Some(place) = place
                    && weight != 0
                {
                    terms.push(read(face_texel(&level, layer, place)), weight);
                }
            }
            let average = |terms: &Texels<N>| if missing == 0 { terms.sum(16) } else { terms.sum_over(16, 3) };
            return terms.reduce(sampler.reduction, average);
        }
        let axes: [[Tap; 2]; 3] = std::array::from_fn(|axis| match axis < self.axes() {
            true => taps(sampler.address[axis], lookup, size[axis], axis),
            false => [Tap { texel: Some(0), weight: 1 }, Tap { texel: None, weight: 0 }],
        });
        for z in &axes[2] {
            for y in &axes[1] {
                for x in &axes[0] {
                    let weight = x.weight * y.weight * z.weight;
                    if weight == 0 {
                        continue;
                    }
                    let texel = match (x.texel, y.texel, z.texel) {
                        (Some(x), Some(y), Some(z)) => level.texel([x, y, z], layer, 0),
                        _ => self.border(sampler),
                    };
                    terms.push(read(texel), weight);
                }
            }
        }
        terms.reduce(sampler.reduction, |terms| terms.sum(8 * self.axes() as u32))
    }

    fn clamped_to_edge(&self, lookup: &Lookup) -> Lookup {
        let size = self.level_size(0).unwrap_or([1; 3]);
        let coordinates = std::array::from_fn(|axis| {
            let half = f::div(0.5, size[axis] as f32);
            f::min(f::max(lookup.coordinates[axis], half), f::sub(1.0, half))
        });
        Lookup { coordinates, ..*lookup }
    }

    /// Face and texel of (-,-) (+,-) (-,+) (+,+), and their weights in 65536ths.
    fn cube_footprint(&self, lookup: &Lookup, size: u32) -> (CubeFootprint, [u32; 4]) {
        let projected = project(lookup.coordinates);
        let [(x, right), (y, below)] = projected.position().map(|u| pair(u, size, AddressMode::Clamp));
        let place = |corner: i64| neighbour(projected.face, x + (corner & 1), y + (corner >> 1), size);
        let [left, above] = [256 - right, 256 - below];
        ([place(0), place(1), place(2), place(3)], [left * above, right * above, left * below, right * below])
    }

    /// The mean of the three texels that there are around a cube's corner.
    fn mean(&self, texels: [Option<u32>; 4]) -> u32 {
        let present = texels.iter().flatten().copied();
        match self.format().channels.iter().flatten().next().map(|channel| channel.kind) {
            Some(Kind::Uint) => (present.map(u64::from).sum::<u64>() / 3) as u32,
            Some(Kind::Sint) => (present.map(|texel| i64::from(texel as i32)).sum::<i64>() / 3) as u32,
            _ => {
                let mut terms = Texels::new();
                present.for_each(|texel| terms.push([texel], 1));
                terms.sum_over(0, 3)[0]
            }
        }
    }
}

fn face_texel(level: &Reader<'_>, cube: u32, (face, x, y): (u32, u32, u32)) -> [u32; 4] {
    level.texel([x, y, 0], cube * 6 + face, 0)
}

/// The two texels of an axis.
#[inline]
fn taps(mode: AddressMode, lookup: &Lookup, size: u32, axis: usize) -> [Tap; 2] {
    let (first, weight) = pair(lookup.coordinates[axis], size, mode);
    let first = first + offset(lookup, axis);
    [Tap { texel: address(first, size, mode), weight: 256 - weight }, Tap { texel: address(first + 1, size, mode), weight }]
}

/// The offset along an axis: six bits, signed.
pub(super) fn offset(lookup: &Lookup, axis: usize) -> i64 {
    i64::from(lookup.offset[axis] << 26 >> 26)
}
