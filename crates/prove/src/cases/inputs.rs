//! Inputs of lanes.

use super::uses::Use;
use super::values::{self, Spread};
use super::{Generator, lanes};
use crate::bind::{components, from_launch, reciprocal};
use crate::random::Random;
use gpuproof_program::{Builtin, Interpolation, IoVariable, Kind, Stage, Width};
use gpuproof_run::{Case, LaneValues, Launch};

impl Generator<'_> {
    /// The inputs of a case.
    pub(super) fn inputs(&self, number: usize, spread: Spread, case: &Case, extent: [u32; 3]) -> Vec<LaneValues> {
        let count = lanes(self.original, &case.launch) as usize;
        let sampling = Sampling::of(&mut self.random("samples", number), &self.original.interface.inputs, case, count);
        let variables = self.original.interface.inputs.iter().enumerate();
        variables
            .map(|(at, variable)| {
                let mut random = self.random("input", number * 1024 + at);
                let mut values = LaneValues::default();
                if from_launch(variable.builtin) {
                    return values;
                }
                for component in components(variable) {
                    let used = self.uses.inputs[at][usize::from(component)];
                    values.components[usize::from(component)] = match (self.original.stage, variable.builtin) {
                        (Stage::Pixel, Some(Builtin::SampleIndex)) => sampling.indices.clone(),
                        (Stage::Pixel, Some(Builtin::SampleMask)) => sampling.masks.clone(),
                        (Stage::Pixel, _) => pixel(&mut random, variable, component, spread, used, count),
                        _ => vertex(&mut random, variable, component, spread, used, count),
                    };
                }
                if variable.builtin == Some(Builtin::Position) {
                    // Both components of a pixel's place come from one quad.
                    place(&mut self.random("place", number), &mut values, count, extent);
                }
                values
            })
            .collect()
    }
}

/// Which sample each lane shades and which are covered, as a rasteriser gives them.
struct Sampling {
    indices: Vec<u32>,
    masks: Vec<u32>,
}

impl Sampling {
    /// A program that reads its sample runs once a sample, the quad together, and has the bit of that sample alone in its mask; another runs once a
    /// pixel, of which most samples are covered or all, and at least one. A helper covers nothing.
    fn of(random: &mut Random, inputs: &[IoVariable], case: &Case, count: usize) -> Sampling {
        let each_sample = inputs.iter().any(|input| input.builtin == Some(Builtin::SampleIndex));
        let all = u32::MAX >> (32 - case.samples.clamp(1, 32));
        let (mut indices, mut masks) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count / 4 {
            let index = random.below(case.samples);
            let inside = random.one_in(2);
            for _ in 0..4 {
                indices.push(index);
                masks.push(match (each_sample, inside) {
                    (true, _) => 1 << index,
                    (false, true) => all,
                    (false, false) => random.word() & all | 1 << random.below(case.samples),
                });
            }
        }
        if let Launch::Pixels { helpers, .. } = &case.launch {
            masks.iter_mut().zip(helpers).filter(|(_, helper)| **helper).for_each(|(mask, _)| *mask = 0);
        }
        Sampling { indices, masks }
    }
}

fn truth(variable: &IoVariable, value: bool) -> u32 {
    match (value, variable.width) {
        (false, _) => 0,
        (true, Width::W1) => 1,
        (true, _) => u32::MAX,
    }
}

/// A word for a variable, cut to its width.
fn draw(random: &mut Random, variable: &IoVariable, spread: Spread, used: Use, lanes: usize) -> u32 {
    let word = values::word(random, spread, variable.kind, used, lanes as u32);
    match variable.width {
        Width::W1 => word & 1,
        Width::W16 if variable.kind == Kind::Float => {
            u32::from(gpuproof_number::float16::from_f32(word, gpuproof_number::Rounding::NearestEven))
        }
        width => word & width.mask() as u32,
    }
}

fn vertex(random: &mut Random, variable: &IoVariable, component: u8, spread: Spread, used: Use, count: usize) -> Vec<u32> {
    match variable.builtin {
        Some(Builtin::VertexIndex) => {
            (0..count as u32).map(|lane| if used.has(Use::INDEX) { lane % used.bound.clamp(1, 256) } else { lane }).collect()
        }
        Some(Builtin::InstanceIndex) => (0..count).map(|_| random.below(used.bound.clamp(1, 16))).collect(),
        // A position's w is mostly 1.
        _ if component == 3 && variable.kind == Kind::Float && variable.name.eq_ignore_ascii_case("position") => {
            (0..count).map(|_| if random.one_in(4) { draw(random, variable, spread, used, count) } else { 0x3f80_0000 }).collect()
        }
        _ => (0..count).map(|_| draw(random, variable, spread, used, count)).collect(),
    }
}

fn pixel(random: &mut Random, variable: &IoVariable, component: u8, spread: Spread, used: Use, count: usize) -> Vec<u32> {
    let quads = count / 4;
    let mut quad_constant =
        |each: &mut dyn FnMut(&mut Random) -> u32| -> Vec<u32> { (0..quads).flat_map(|_| [each(random); 4]).collect() };
    match variable.builtin {
        Some(Builtin::Position) if component == 3 => quad_constant(&mut |random| {
            // Such that 1 / (1 / w) is w again: what a port computes from its 1/w.
            let mut w = (random.unit() * 15.0 + 0.25).to_bits();
            for _ in 0..4 {
                w = reciprocal(reciprocal(w));
            }
            w
        }),
        Some(Builtin::Position) => (0..count).map(|_| random.unit().to_bits()).collect(),
        Some(Builtin::FrontFacing) => quad_constant(&mut |random| truth(variable, random.one_in(2))),
        Some(Builtin::PrimitiveIndex | Builtin::RenderTargetArrayIndex | Builtin::ViewportArrayIndex) => {
            quad_constant(&mut |random| random.below(used.bound.clamp(1, 16)))
        }
        _ if variable.interpolation == Interpolation::Flat || variable.kind != Kind::Float || variable.width != Width::W32 => {
            quad_constant(&mut |random| draw(random, variable, spread, used, count))
        }
        _ => {
            let mut values = Vec::with_capacity(count);
            for _ in 0..quads {
                let base = f32::from_bits(draw(random, variable, spread, used, count));
                // From a texel's fraction to many texels a pixel.
                let scale = [1.0 / 512.0, 1.0 / 64.0, 1.0 / 8.0, 0.0][random.below(4) as usize]
                    * if base.abs() > 16.0 { base.abs() } else { 1.0 };
                let (dx, dy) = (random.signed() * scale, random.signed() * scale);
                for lane in 0..4 {
                    let edge = !spread.is_finite() && random.one_in(2);
                    let value = if edge {
                        f32::from_bits(values::float(random, spread))
                    } else {
                        base + dx * (lane & 1) as f32 + dy * (lane >> 1) as f32
                    };
                    values.push(value.to_bits());
                }
            }
            values
        }
    }
}

/// Sets x and y of window positions to pixel centres, quad by quad, some pixels inside the edges.
fn place(random: &mut Random, values: &mut LaneValues, count: usize, extent: [u32; 3]) {
    let mut centres = [Vec::with_capacity(count), Vec::with_capacity(count)];
    for _ in 0..count / 4 {
        let corner = [0, 1].map(|axis: usize| 4 + 2 * random.below((extent[axis] / 2).saturating_sub(5).max(1)));
        for lane in 0..4u32 {
            centres[0].push((corner[0] as f32 + (lane & 1) as f32 + 0.5).to_bits());
            centres[1].push((corner[1] as f32 + (lane >> 1) as f32 + 0.5).to_bits());
        }
    }
    for (component, centres) in centres.into_iter().enumerate() {
        if !values.components[component].is_empty() {
            values.components[component] = centres;
        }
    }
}
