//! Reads and stores of textures.

use super::build::Builder;
use super::facts::Facts;
use super::group::Operand;
use super::tree::{At, Expr, Kind, Lookup, Memory, Place, Question, Scalar, Statement, TexelStore};
use crate::WriteError;
use gpuproof_program::{
    Access, AtomicOp, Detail, Dimension, Instruction, Op, ResourceId, SamplerId, SamplingOperands, Shape, Target, TextureShape,
    Value, Width,
};

/// The axes of coordinates.
pub(super) fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

/// The axes of a texel's place: a face of a cube is a layer.
fn texel_axes(shape: &TextureShape) -> usize {
    if shape.dimension == Dimension::Cube { 2 } else { axes(shape.dimension) }
}

fn texture(facts: &Facts<'_>, instruction: &Instruction) -> Option<(ResourceId, TextureShape, Option<SamplerId>)> {
    let (id, sampler) = match instruction.attrs.target {
        Target::Resource(id) => (id, None),
        Target::Sampled(id, sampler) => (id, Some(sampler)),
        _ => return None,
    };
    match facts.program.interface.resource(id).shape {
        Shape::Texture(shape) => Some((id, shape, sampler)),
        _ => None,
    }
}

/// Whether a place of the texture is found by a layer.
fn layered(shape: &TextureShape) -> bool {
    shape.arrayed || shape.dimension == Dimension::Cube
}

/// The operands of an operation on a texture, each with the values that it takes.
struct Parts {
    element: Option<Value>,
    sampler_element: Option<Value>,
    coordinates: Vec<Value>,
    layer: Option<Value>,
    level: Option<Value>,
    gradients: Option<[Vec<Value>; 2]>,
    reference: Option<Value>,
    clamp: Option<Value>,
    offset: Vec<Value>,
    given: Vec<Value>,
}

fn parts(facts: &Facts<'_>, instruction: &Instruction) -> Option<Parts> {
    let (id, shape, sampler) = texture(facts, instruction)?;
    let interface = &facts.program.interface;
    let args = &instruction.args;
    let element = (interface.resource(id).count != Some(1)).then(|| args[0]);
    let mut parts = Parts {
        element,
        sampler_element: None,
        coordinates: Vec::new(),
        layer: None,
        level: None,
        gradients: None,
        reference: None,
        clamp: None,
        offset: Vec::new(),
        given: Vec::new(),
    };
    if let Some(sampler) = sampler {
        let count = axes(shape.dimension);
        parts.sampler_element = (interface.sampler(sampler).count != Some(1)).then(|| args[SamplingOperands::SAMPLER]);
        let from = SamplingOperands::COORDINATES;
        parts.coordinates = args[from..from + count].to_vec();
        if let Detail::Sampling(sampling) = instruction.attrs.detail {
            let places = sampling.operands();
            parts.layer = shape.arrayed.then(|| args[SamplingOperands::LAYER]);
            parts.level = places.level.map(|at| args[at]);
            parts.gradients = places.gradients.map(|at| [at, at + 3].map(|at| args[at..at + count].to_vec()));
            parts.reference = places.reference.map(|at| args[at]);
            parts.clamp = places.clamp.map(|at| args[at]);
            let offsets = places.offset.filter(|_| shape.dimension != Dimension::Cube);
            parts.offset = offsets.map_or_else(Vec::new, |at| args[at..at + count].to_vec());
        }
        return Some(parts);
    }
    match instruction.op {
        Op::TexelLoad | Op::TexelStore | Op::TexelAtomic => {
            let count = texel_axes(&shape);
            parts.coordinates = args[1..=count].to_vec();
            parts.layer = layered(&shape).then(|| args[count + 1]);
            match (instruction.op, instruction.attrs.detail) {
                (Op::TexelLoad, _) => {
                    let leveled = interface.resource(id).access == Access::Read && shape.dimension != Dimension::Buffer;
                    parts.level = leveled.then(|| args[4]);
                }
                (Op::TexelStore, _) => parts.given = args[4..8].to_vec(),
                (_, Detail::Atomic(AtomicOp::CompareExchange)) => parts.given = args[4..6].to_vec(),
                (_, Detail::Atomic(AtomicOp::Load)) => {}
                _ => parts.given = args[4..5].to_vec(),
            }
        }
        Op::TextureSize => parts.level = Some(args[1]),
        _ => {}
    }
    Some(parts)
}

/// What an operation on a texture reads.
pub(super) fn operands(facts: &Facts<'_>, instruction: &Instruction) -> Vec<Operand> {
    let Some(parts) = parts(facts, instruction) else { return Vec::new() };
    let one = |value: &Value| vec![*value];
    let mut all: Vec<Vec<Value>> = Vec::new();
    all.extend(parts.element.iter().chain(&parts.sampler_element).map(one));
    all.push(parts.coordinates);
    all.extend(parts.layer.iter().chain(&parts.level).chain(&parts.reference).chain(&parts.clamp).map(one));
    all.extend(parts.gradients.into_iter().flatten());
    all.push(parts.offset);
    all.push(parts.given);
    all.retain(|values| !values.is_empty());
    all.into_iter().map(|values| Operand { values, ty: None }).collect()
}

impl Builder<'_> {
    fn parts(&self, instruction: &Instruction) -> Result<(ResourceId, TextureShape, Option<SamplerId>, Parts), WriteError> {
        let found = texture(&self.facts, instruction).zip(parts(&self.facts, instruction));
        let ((id, shape, sampler), parts) = found.ok_or_else(|| self.unsupported(instruction, "this access to a texture"))?;
        Ok((id, shape, sampler, parts))
    }

    /// A question to a texture.
    pub(super) fn lookup(&mut self, instruction: &Instruction, question: Question) -> Result<Expr, WriteError> {
        let (id, shape, sampler, parts) = self.parts(instruction)?;
        if instruction.op == Op::TexelLoad && self.facts.atomic.contains(&id) {
            let place = self.texel_place(id, &parts);
            return Ok(Expr::new(Scalar::U32, 1, Kind::Atomic(Box::new(place), AtomicOp::Load, Vec::new())));
        }
        let floats = sampler.is_some();
        let mut number = |values: &[Value]| match floats {
            true => self.vector(values, Scalar::F32),
            false => self.vector(values, Scalar::I32),
        };
        let coordinates = (!parts.coordinates.is_empty()).then(|| number(&parts.coordinates).widened(parts.coordinates.len()));
        let layer = parts.layer.map(|value| number(&[value]));
        let level = parts.level.map(|value| number(&[value]));
        let lookup = Lookup {
            question,
            texture: id,
            shape,
            element: parts.element.map(|value| self.integer(value)),
            sampler: sampler.map(|sampler| (sampler, parts.sampler_element.map(|value| self.integer(value)))),
            coordinates,
            layer,
            level,
            gradients: parts.gradients.map(|both| both.map(|values| self.vector(&values, Scalar::F32).widened(values.len()))),
            reference: parts.reference.map(|value| self.vector(&[value], Scalar::F32)),
            clamp: parts.clamp.map(|value| self.vector(&[value], Scalar::F32)),
            offset: (!parts.offset.is_empty()).then(|| self.vector(&parts.offset, Scalar::I32).widened(parts.offset.len())),
        };
        let own = Scalar::of(shape.kind, Width::W32);
        let (scalar, size) = match question {
            Question::Sample(sampling) if sampling.compare => (Scalar::F32, 1),
            Question::Gather(sampling) if sampling.compare => (Scalar::F32, 4),
            Question::Sample(_) | Question::Gather(_) | Question::Load => (own, 4),
            Question::Size => (Scalar::U32, if shape.dimension == Dimension::Cube { 2 } else { axes(shape.dimension) }),
            Question::Layers | Question::Levels | Question::Samples => (Scalar::U32, 1),
            Question::Level => (Scalar::F32, 2),
        };
        Ok(Expr::new(scalar, size, Kind::Texture(Box::new(lookup))))
    }

    fn texel_place(&mut self, id: ResourceId, parts: &Parts) -> Place {
        let element = parts.element.map(|value| self.integer(value));
        let coordinates = self.vector(&parts.coordinates, Scalar::I32).widened(parts.coordinates.len());
        let layer = parts.layer.map(|value| self.vector(&[value], Scalar::I32));
        Place { memory: Memory::Resource(id), element, at: At::Texel(coordinates, layer), components: Vec::new() }
    }

    /// A read-modify-write of a texel.
    pub(super) fn texel_atomic(&mut self, instruction: &Instruction) -> Result<Expr, WriteError> {
        let (id, shape, _, parts) = self.parts(instruction)?;
        let Detail::Atomic(op) = instruction.attrs.detail else { return Err(self.unsupported(instruction, "this atomic")) };
        let scalar = Scalar::of(shape.kind, Width::W32);
        if scalar == Scalar::F32 {
            return Err(self.unsupported(instruction, "atomics on floats"));
        }
        let place = self.texel_place(id, &parts);
        let values = parts.given.iter().map(|value| self.vector(&[*value], scalar)).collect();
        Ok(Expr::new(scalar, 1, Kind::Atomic(Box::new(place), op, values)))
    }

    /// A store of a texel.
    pub(super) fn texel_store(&mut self, instruction: &Instruction) -> Result<Statement, WriteError> {
        let (texture, shape, _, parts) = self.parts(instruction)?;
        let scalar = Scalar::of(shape.kind, Width::W32);
        if self.facts.atomic.contains(&texture) {
            let place = self.texel_place(texture, &parts);
            let value = self.vector(&parts.given[..1], scalar);
            return Ok(Statement::Effect(Expr::new(scalar, 1, Kind::Atomic(Box::new(place), AtomicOp::Store, vec![value]))));
        }
        let coordinates = self.vector(&parts.coordinates, Scalar::I32).widened(parts.coordinates.len());
        Ok(Statement::StoreTexel(Box::new(TexelStore {
            texture,
            element: parts.element.map(|value| self.integer(value)),
            shape,
            coordinates,
            layer: parts.layer.map(|value| self.vector(&[value], Scalar::I32)),
            value: self.vector(&parts.given, scalar).widened(4),
        })))
    }
}
