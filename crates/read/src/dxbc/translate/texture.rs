//! Sampling, queries of resources, and inputs evaluated elsewhere.

use super::super::error::Result;
use super::super::opcode::{Kind, Opcode};
use super::super::operand::{File, Operand, Selection};
use super::super::tokens::Instruction;
use super::Translator;
use super::declare::Bound;
use super::registers::{selected, written};
use gpuproof_program::{
    Attrs, Detail, Dimension, Evaluation, Level, Op, Sampling, SamplingOperands, Shape, Target, TextureShape, Value, Width,
};

/// What follows address, resource and sampler in an instruction that samples.
#[derive(Clone, Copy)]
struct Form {
    opcode: Opcode,
    level: Level,
    /// A reference to compare with comes next.
    compare: bool,
    /// Texel offsets come between address and resource.
    offsets: bool,
    /// A least level comes last.
    clamp: bool,
    /// A status is the second destination.
    status: bool,
}

const fn form(opcode: Opcode, level: Level) -> Form {
    Form { opcode, level, compare: false, offsets: false, clamp: false, status: false }
}

const fn compare(form: Form) -> Form {
    Form { compare: true, ..form }
}

const fn offsets(form: Form) -> Form {
    Form { offsets: true, ..form }
}

const fn status(form: Form) -> Form {
    Form { status: true, ..form }
}

const fn clamp(form: Form) -> Form {
    Form { clamp: true, ..status(form) }
}

const FORMS: &[Form] = &[
    form(Opcode::Sample, Level::Implicit),
    form(Opcode::SampleB, Level::Bias),
    form(Opcode::SampleL, Level::Explicit),
    form(Opcode::SampleD, Level::Gradient),
    compare(form(Opcode::SampleC, Level::Implicit)),
    compare(form(Opcode::SampleCLz, Level::Zero)),
    form(Opcode::Gather4, Level::Zero),
    compare(form(Opcode::Gather4C, Level::Zero)),
    offsets(form(Opcode::Gather4Po, Level::Zero)),
    offsets(compare(form(Opcode::Gather4PoC, Level::Zero))),
    status(form(Opcode::Gather4S, Level::Zero)),
    status(compare(form(Opcode::Gather4CS, Level::Zero))),
    status(offsets(form(Opcode::Gather4PoS, Level::Zero))),
    status(offsets(compare(form(Opcode::Gather4PoCS, Level::Zero)))),
    status(form(Opcode::SampleLS, Level::Explicit)),
    status(compare(form(Opcode::SampleCLzS, Level::Zero))),
    clamp(form(Opcode::SampleClS, Level::Implicit)),
    clamp(form(Opcode::SampleBClS, Level::Bias)),
    clamp(form(Opcode::SampleDClS, Level::Gradient)),
    clamp(compare(form(Opcode::SampleCClS, Level::Implicit))),
    form(Opcode::Lod, Level::Implicit),
];

/// How many coordinates a dimension has, layers apart.
pub(super) fn coordinates(dimension: Dimension) -> u8 {
    match dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

impl Translator<'_> {
    pub(super) fn texture(&mut self, instruction: &Instruction) -> Result<()> {
        if let Some(form) = FORMS.iter().find(|form| form.opcode == instruction.opcode) {
            return self.sample(instruction, *form);
        }
        match instruction.opcode {
            Opcode::Resinfo => self.resource_info(instruction),
            Opcode::BufInfo => self.buffer_info(instruction),
            Opcode::SampleInfo => self.sample_info(instruction),
            Opcode::SamplePos => self.sample_position(instruction),
            Opcode::CheckAccessFullyMapped => {
                let status = self.source(instruction, 1, 0, Kind::Uint)?;
                let mapped = self.nonzero(status);
                let mask = self.mask(mapped);
                self.write_components(instruction, &[mask; 4], &Operand::new(File::Null))
            }
            Opcode::EvalCentroid | Opcode::EvalSampleIndex | Opcode::EvalSnapped => self.evaluate(instruction),
            _ => Err(self.unsupported(instruction.info().name)),
        }
    }

    fn sample(&mut self, instruction: &Instruction, form: Form) -> Result<()> {
        let address = if form.status { 2 } else { 1 };
        let resource_at = address + 1 + usize::from(form.offsets);
        let resource = self.operand(instruction, resource_at)?;
        let sampler = self.operand(instruction, resource_at + 1)?;
        let bound = *self.resource(resource)?;
        let shape = self.texture_shape(&bound)?;
        if shape.multisampled {
            return Err(self.bad("a texture that can be sampled", "a multisampled one"));
        }
        let number = self.number(sampler)?;
        let Some((sampler_id, sampler_lower)) = self.declarations.samplers.get(&number).copied() else {
            return Err(self.bad("a declared sampler", format!("s{number}")));
        };
        let gathers = instruction.info().name.starts_with("gather4");
        // 22.4.15: the clamp of a form that has one may be null, which is none.
        let clamps = form.clamp && instruction.operands.last().is_some_and(|operand| operand.file != File::Null);
        let fixed = instruction.texel_offsets().filter(|offsets| offsets.iter().any(|offset| *offset != 0));
        let sampling = Sampling {
            level: form.level,
            compare: form.compare,
            clamp: clamps,
            offset: form.offsets || fixed.is_some(),
            component: match (gathers, form.compare, sampler.selection) {
                (true, false, Selection::One(one)) => one,
                (true, false, _) => selected(sampler, 0),
                _ => 0,
            },
            base_clamp_to_edge: false,
        };
        let operands = sampling.operands();
        let mut args = vec![self.word(0); operands.count];
        args[SamplingOperands::TEXTURE] = self.binding_element(resource, bound.lower)?;
        args[SamplingOperands::SAMPLER] = self.binding_element(sampler, sampler_lower)?;
        let axes = coordinates(shape.dimension);
        for axis in 0..axes {
            args[SamplingOperands::COORDINATES + usize::from(axis)] = self.source(instruction, address, axis, Kind::Float)?;
        }
        if shape.arrayed {
            args[SamplingOperands::LAYER] = self.source(instruction, address, axes, Kind::Float)?;
        }
        let mut next = resource_at + 2;
        if let Some(at) = operands.reference {
            args[at] = self.source(instruction, next, 0, Kind::Float)?;
            next += 1;
        }
        if let Some(at) = operands.level {
            args[at] = self.source(instruction, next, 0, Kind::Float)?;
            next += 1;
        }
        if let Some(at) = operands.gradients {
            for axis in 0..axes {
                args[at + usize::from(axis)] = self.source(instruction, next, axis, Kind::Float)?;
                args[at + 3 + usize::from(axis)] = self.source(instruction, next + 1, axis, Kind::Float)?;
            }
            next += 2;
        }
        if let Some(at) = operands.clamp {
            args[at] = self.source(instruction, next, 0, Kind::Float)?;
        }
        if let Some(at) = operands.offset {
            for axis in 0..axes.min(3) {
                args[at + usize::from(axis)] = match fixed {
                    _ if form.offsets => self.source(instruction, address + 1, axis, Kind::Int)?,
                    Some(offsets) => self.word(i32::from(offsets[usize::from(axis)]) as u32),
                    None => self.word(0),
                };
            }
        }
        let attrs = Attrs::target(Target::Sampled(bound.id, sampler_id)).with_detail(Detail::Sampling(sampling));
        if instruction.opcode == Opcode::Lod {
            let levels = self.builder.emit(Op::SampleLevel, attrs, &args, &[Width::W32; 2]);
            let zero = self.word(0);
            return self.write_components(instruction, &[levels[0], levels[1], zero, zero], resource);
        }
        let op = if gathers { Op::Gather } else { Op::Sample };
        let texel = self.builder.emit(op, attrs, &args, &[Width::W32; 5]);
        self.write_texel(instruction, resource, &texel, form.status)
    }

    /// The shape of a resource that must be a texture; typed buffers are not.
    fn texture_shape(&self, bound: &Bound) -> Result<TextureShape> {
        match bound.shape {
            Shape::Texture(shape) if shape.dimension != Dimension::Buffer => Ok(shape),
            _ => Err(self.bad("a texture", "a buffer")),
        }
    }

    /// Writes four components, as an operand's swizzle selects them, to the first destination.
    fn write_components(&mut self, instruction: &Instruction, four: &[Value; 4], swizzled: &Operand) -> Result<()> {
        let destination = self.operand(instruction, 0)?;
        let values: Vec<_> = written(destination)
            .into_iter()
            .map(|component| (component, four[usize::from(selected(swizzled, component))]))
            .collect();
        self.write(destination, &values)
    }

    /// 22.4.12: sizes as floats, reciprocals (of the sizes, not of layers and levels), or integers.
    fn resource_info(&mut self, instruction: &Instruction) -> Result<()> {
        let resource = self.operand(instruction, 2)?;
        let bound = *self.resource(resource)?;
        let shape = self.texture_shape(&bound)?;
        let element = self.binding_element(resource, bound.lower)?;
        let level = self.source(instruction, 1, 0, Kind::Uint)?;
        let attrs = Attrs::target(Target::Resource(bound.id));
        let sizes = self.builder.emit(Op::TextureSize, attrs, &[element, level], &[Width::W32; 4]);
        let mut four = [sizes[0], sizes[1], sizes[2], sizes[3]];
        let format = instruction.return_type().unwrap_or(0);
        if format != 2 {
            let axes = usize::from(coordinates(shape.dimension)).min(if shape.dimension == Dimension::Cube { 2 } else { 3 });
            for (at, slot) in four.iter_mut().enumerate() {
                *slot = self.builder.value_of(Width::W32, Op::UToF, Attrs::default(), &[*slot]);
                if format == 1 && at < axes {
                    *slot = self.op(Op::FRcp, &[*slot]);
                }
            }
        }
        self.write_components(instruction, &four, resource)
    }

    fn buffer_info(&mut self, instruction: &Instruction) -> Result<()> {
        let resource = self.operand(instruction, 1)?;
        let bound = *self.resource(resource)?;
        if self.texture_shape(&bound).is_ok() {
            return Err(self.bad("a buffer", "a texture"));
        }
        let element = self.binding_element(resource, bound.lower)?;
        let size = self.builder.value_of(Width::W32, Op::BufferSize, Attrs::target(Target::Resource(bound.id)), &[element]);
        self.write_components(instruction, &[size; 4], resource)
    }

    fn multisampled(&mut self, resource: &Operand) -> Result<Option<(Bound, Value)>> {
        if resource.file == File::Rasterizer {
            return Ok(None);
        }
        let bound = *self.resource(resource)?;
        if !self.texture_shape(&bound)?.multisampled {
            return Err(self.bad("a multisampled texture", "another"));
        }
        let element = self.binding_element(resource, bound.lower)?;
        Ok(Some((bound, element)))
    }

    /// 22.4.16: the number of samples in x, 0 elsewhere.
    fn sample_info(&mut self, instruction: &Instruction) -> Result<()> {
        let resource = self.operand(instruction, 1)?;
        let mut count = match self.multisampled(resource)? {
            None => self.builder.value_of(Width::W32, Op::RasterSamples, Attrs::default(), &[]),
            Some((bound, element)) => {
                let attrs = Attrs::target(Target::Resource(bound.id));
                self.builder.value_of(Width::W32, Op::TextureSamples, attrs, &[element])
            }
        };
        if instruction.return_type() != Some(1) {
            count = self.builder.value_of(Width::W32, Op::UToF, Attrs::default(), &[count]);
        }
        let zero = self.word(0);
        self.write_components(instruction, &[count, zero, zero, zero], resource)
    }

    /// 22.4.17: the sample's x and y, 0 elsewhere.
    fn sample_position(&mut self, instruction: &Instruction) -> Result<()> {
        let resource = self.operand(instruction, 1)?;
        let sample = self.source(instruction, 2, 0, Kind::Uint)?;
        let position = match self.multisampled(resource)? {
            None => self.builder.emit(Op::RasterSamplePosition, Attrs::default(), &[sample], &[Width::W32; 2]),
            Some((bound, element)) => {
                let attrs = Attrs::target(Target::Resource(bound.id));
                self.builder.emit(Op::TextureSamplePosition, attrs, &[element, sample], &[Width::W32; 2])
            }
        };
        let zero = self.word(0);
        self.write_components(instruction, &[position[0], position[1], zero, zero], resource)
    }

    /// 22.5: an input at the centroid, at a sample, or at an offset in sixteenths of a pixel.
    fn evaluate(&mut self, instruction: &Instruction) -> Result<()> {
        let zero = self.word(0);
        let (evaluation, place) = match instruction.opcode {
            Opcode::EvalCentroid => (Evaluation::Centroid, [zero; 2]),
            Opcode::EvalSampleIndex => (Evaluation::Sample, [self.source(instruction, 2, 0, Kind::Int)?, zero]),
            _ => (Evaluation::Snapped, [self.source(instruction, 2, 0, Kind::Int)?, self.source(instruction, 2, 1, Kind::Int)?]),
        };
        let input = self.operand(instruction, 1)?;
        let destination = self.operand(instruction, 0)?;
        let mut values = Vec::new();
        for component in written(destination) {
            let value = self.input_at(input, selected(input, component), evaluation, &place)?;
            values.push((component, self.modified(value, input.modifier, Kind::Float)?));
        }
        self.write(destination, &values)
    }

    /// An input's component evaluated at a place; where a register chooses the input, each that there is, and the chosen one of them.
    fn input_at(&mut self, input: &Operand, component: u8, evaluation: Evaluation, place: &[Value; 2]) -> Result<Value> {
        let at = |target| Attrs::target(target).with_detail(Detail::Evaluation(evaluation));
        let index = self.dimension(input, 0)?;
        if let Some(number) = index.as_constant() {
            let target = self.input_target(number as u32, component)?;
            return Ok(self.builder.value_of(Width::W32, Op::InputAt, at(target), place));
        }
        let chosen = self.index(index)?;
        let numbers: Vec<u32> =
            self.declarations.inputs.keys().filter(|(_, _, of)| *of == component).map(|(_, number, _)| *number).collect();
        self.spend(numbers.len())?;
        let mut value = self.word(0);
        for number in numbers {
            let attrs = at(self.input_target(number, component)?);
            let this = self.builder.value_of(Width::W32, Op::InputAt, attrs, place);
            let number = self.word(number);
            let condition = self.op(Op::IEq, &[chosen, number]);
            value = self.op(Op::Select, &[condition, this, value]);
        }
        Ok(value)
    }
}
