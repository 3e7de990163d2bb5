//! Lookups of textures: what a sampler may give, and what it gives in exact arithmetic.

use gpuproof_number::allowed::Interval;
use gpuproof_program::{Access, Detail, Dialect, Instruction, Op, Program, Sampling, SamplingOperands, Shape, Target};
use gpuproof_run::texture::{Image, Lookup, Weights};
use gpuproof_run::{Binding, Case, SamplerState};

/// The sections that speak of what a sampler may do.
pub(super) const SECTIONS: &str = "7.18.8, 7.18.16";

/// What a case binds to what a program samples.
#[derive(Default)]
pub(crate) struct Textures {
    /// By resource and element; none for what is no texture, or may be written.
    images: Vec<Vec<Option<Image>>>,
    samplers: Vec<Vec<SamplerState>>,
}

/// An operation that samples or gathers, and which component of it a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextureLookup {
    op: Op,
    sampling: Sampling,
    texture: usize,
    sampler: usize,
    component: usize,
    /// Why nothing is promised, if so.
    pub unbounded: Option<&'static str>,
}

/// An operand: its bits, or the numbers that it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Bits(u32),
    Within(Interval),
}

impl Textures {
    /// A binding that does not fit has no image; runs refuse it.
    pub fn new(program: &Program, case: &Case) -> Textures {
        let image = |binding: &Binding, shape: &Shape| match (binding, shape) {
            (Binding::Texture(texture), Shape::Texture(shape)) => Image::new(texture.clone(), shape).ok(),
            _ => None,
        };
        let resources = program.interface.resources.iter().zip(&case.resources);
        let images = resources.map(|(resource, bindings)| {
            let read_only = resource.access == Access::Read;
            bindings.iter().map(|binding| if read_only { image(binding, &resource.shape) } else { None }).collect()
        });
        Textures { images: images.collect(), samplers: case.samplers.clone() }
    }
}

impl TextureLookup {
    /// The lookup that a result of an instruction is a component of.
    pub fn of(instruction: &Instruction, result: usize, dialect: Dialect) -> Option<TextureLookup> {
        let (Target::Sampled(texture, sampler), Detail::Sampling(sampling)) =
            (instruction.attrs.target, instruction.attrs.detail)
        else {
            return None;
        };
        let known = matches!(instruction.op, Op::Sample | Op::Gather) && result < 4;
        known.then_some(TextureLookup {
            op: instruction.op,
            sampling,
            texture: texture.index(),
            sampler: sampler.index(),
            component: result,
            unbounded: match dialect {
                Dialect::D3D11 => None,
                Dialect::Wgsl => Some("WGSL says nothing of the precision of sampling"),
                Dialect::Vulkan => Some("Vulkan leaves the bits of filtering's weights to each device (subTexelPrecisionBits)"),
            },
        })
    }

    /// The operation's name.
    pub fn name(&self) -> &'static str {
        self.op.row().name
    }

    /// The image, the sampler, the lookup, and its coordinates.
    fn resolve<'t>(
        &self,
        textures: &'t Textures,
        operands: &[Operand],
    ) -> Option<(&'t Image, &'t SamplerState, Lookup, [Interval; 3])> {
        let coordinates = SamplingOperands::COORDINATES..SamplingOperands::COORDINATES + 3;
        let mut words = Vec::with_capacity(operands.len());
        for (at, operand) in operands.iter().enumerate() {
            words.push(match operand {
                Operand::Bits(bits) => *bits,
                Operand::Within(_) if coordinates.contains(&at) => 0,
                Operand::Within(_) => return None,
            });
        }
        let word = |at: usize| words.get(at).copied();
        let image = textures.images.get(self.texture)?.get(word(SamplingOperands::TEXTURE)? as usize)?.as_ref()?;
        let sampler = textures.samplers.get(self.sampler)?.get(word(SamplingOperands::SAMPLER)? as usize)?;
        // Derivatives are those of other lanes.
        let lookup = Lookup::new(&self.sampling, |at| word(at).unwrap_or(0), || ([0.0; 3], [0.0; 3]));
        let mut sets = [Interval::EMPTY; 3];
        for (set, at) in sets.iter_mut().zip(coordinates) {
            *set = match operands.get(at)? {
                Operand::Bits(bits) => Interval::point(f64::from(f32::from_bits(*bits))),
                Operand::Within(interval) => *interval,
            };
        }
        Some((image, sampler, lookup, sets))
    }

    /// The sets in one of which the value may lie; none where they are not known.
    pub fn allowed(&self, textures: &Textures, operands: &[Operand]) -> Option<Vec<Interval>> {
        let (image, sampler, lookup, coordinates) = self.resolve(textures, operands)?;
        let results = match self.op {
            Op::Gather => image.allowed_gather(sampler, &lookup, coordinates, self.sampling.component)?,
            _ => image.allowed(sampler, &lookup, coordinates)?,
        };
        results.into_iter().nth(self.component)
    }

    /// What the value is in exact arithmetic, and how far off that may be; none where it is not known.
    pub fn exact(&self, textures: &Textures, operands: &[Operand], weights: Weights) -> Option<(f64, f64)> {
        let (image, sampler, lookup, coordinates) = self.resolve(textures, operands)?;
        let results = match self.op {
            Op::Gather => image.exact_gather(sampler, &lookup, coordinates, self.sampling.component, weights)?,
            _ => image.exact(sampler, &lookup, coordinates, weights)?,
        };
        Some(results[self.component])
    }
}
