//! What operations read, as vectors, and the places in memory that they name.

use super::{Context, TraceError};
use crate::formula::ty::Ty;
use crate::formula::vocabulary::{Form, HELD, InputWord};
use gpuproof_program::{Detail, Evaluation, Instruction, Op, Shape, Target, Value, Width};
use gpuproof_write::address::Address;

/// Values that an operation reads together.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) values: Vec<Value>,
    /// The type that they are read as; none for the result's, or for any integer.
    pub(super) ty: Option<Ty>,
}

/// One step into a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `[3]`
    Constant(u32),
    /// `[index]`
    Index(Value),
    /// `[bytes >> 2u]`
    Bytes(Value),
    /// A byte offset into rows of four words: `[bytes >> 4u][(bytes >> 2u) & 3u]`.
    Row(Value),
    /// `.name`
    Field(String),
}

/// A place in memory.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) ident: String,
    pub(super) steps: Vec<Step>,
    /// The number that the place holds where it is used by atomics.
    pub(super) atomic: Option<Ty>,
    pub(super) ty: Ty,
}

impl Place {
    fn values(&self) -> Vec<Value> {
        let value = |step: &Step| match step {
            Step::Index(value) | Step::Bytes(value) | Step::Row(value) => Some(*value),
            Step::Constant(_) | Step::Field(_) => None,
        };
        self.steps.iter().filter_map(value).collect()
    }
}

fn letter(component: u32) -> Step {
    Step::Field(["x", "y", "z", "w"][component as usize & 3].into())
}

impl Context<'_> {
    fn constant_of(&self, value: Value) -> Option<u32> {
        self.definitions.constant(value).map(|bits| bits as u32)
    }

    /// The element of a binding array, where it is one.
    fn element(&self, target: Target, value: Value) -> Vec<Step> {
        let Target::Resource(id) = target else { return Vec::new() };
        let chosen = match (self.program.interface.resource(id).count, self.constant_of(value)) {
            (Some(1), _) => return Vec::new(),
            (_, Some(element)) => Step::Constant(element),
            (_, None) => Step::Index(value),
        };
        // Memories of a binding array are members of structures.
        let held = !matches!(self.vocabulary.resource(id).form, Form::Texture(_));
        std::iter::once(chosen).chain(held.then(|| Step::Field(HELD.into()))).collect()
    }

    /// The place that a load, store or atomic names.
    pub(super) fn place(&self, instruction: &Instruction) -> Result<Place, TraceError> {
        let args = &instruction.args;
        let odd = || self.unsupported(instruction, "an address that is no multiple of 4");
        match instruction.attrs.target {
            Target::Array(id) => {
                let word = &self.vocabulary.arrays[id.index()];
                let address = self.definitions.address(args[0]);
                let per = word.per;
                let part = |part: u32| if per <= 4 { letter(part) } else { Step::Constant(part) };
                let steps = match address.index {
                    None if per == 1 => vec![Step::Constant(address.offset)],
                    None => vec![Step::Constant(address.offset / per), part(address.offset % per)],
                    Some(index) if address.scale == per && per > 1 => vec![Step::Index(index), part(address.offset)],
                    Some(_) if per == 1 => vec![Step::Index(args[0])],
                    Some(_) => return Err(self.unsupported(instruction, "an index of another kind than the array's others")),
                };
                Ok(Place { ident: word.ident.clone(), steps, atomic: None, ty: word.ty })
            }
            Target::Shared(id) => {
                let word = &self.vocabulary.shared[id.index()];
                let stride = self.program.shared[id.index()].stride.max(4);
                let steps = self.shared_steps(instruction, stride)?;
                let atomic = word.uses.atomic();
                Ok(Place { ident: word.ident.clone(), steps, atomic, ty: atomic.unwrap_or(Ty::U32) })
            }
            Target::Resource(id) => {
                let word = self.vocabulary.resource(id);
                let mut steps = self.element(instruction.attrs.target, args[0]);
                let atomic = word.uses.atomic();
                let mut ty = atomic.unwrap_or(Ty::U32);
                match &word.form {
                    Form::Rows => {
                        ty = Ty::F32;
                        let address = self.definitions.address(args[1]);
                        match address.index {
                            None if !address.offset.is_multiple_of(4) => return Err(odd()),
                            None => steps.extend([Step::Constant(address.offset / 16), letter(address.offset / 4 % 4)]),
                            Some(index) if address.scale == 16 && address.offset.is_multiple_of(4) => {
                                steps.extend([Step::Index(index), letter(address.offset / 4)]);
                            }
                            Some(_) => steps.push(Step::Row(args[1])),
                        }
                    }
                    Form::Words if self.is_typed(id) => match self.constant_of(args[1]) {
                        Some(index) => steps.push(Step::Constant(index)),
                        None => steps.push(Step::Index(args[1])),
                    },
                    Form::Words => match self.constant_of(args[1]) {
                        Some(offset) if offset % 4 != 0 => return Err(odd()),
                        Some(offset) => steps.push(Step::Constant(offset / 4)),
                        None => steps.push(Step::Bytes(args[1])),
                    },
                    Form::Structures(structure) => {
                        match self.constant_of(args[1]) {
                            Some(index) => steps.push(Step::Constant(index)),
                            None => steps.push(Step::Index(args[1])),
                        }
                        let offset = self.constant_of(args[2]);
                        let member = offset.and_then(|offset| structure.member(offset));
                        match (member, offset) {
                            (Some((member, component)), _) if !structure.name.is_empty() => {
                                ty = member.ty;
                                steps.push(Step::Field(member.ident.clone()));
                                steps.extend((member.size > 1).then(|| letter(component.into())));
                            }
                            (_, Some(offset)) if offset % 4 != 0 => return Err(odd()),
                            (_, Some(_)) if structure.stride <= 4 => {}
                            (_, Some(offset)) => steps.push(Step::Constant(offset / 4)),
                            (_, None) if structure.stride <= 4 => {
                                return Err(
                                    self.unsupported(instruction, "an offset in a structure of one word that is computed")
                                );
                            }
                            (_, None) => steps.push(Step::Bytes(args[2])),
                        }
                    }
                    Form::Texture(_) => {}
                }
                Ok(Place { ident: word.ident.clone(), steps, atomic, ty })
            }
            _ => Err(self.unsupported(instruction, "this memory")),
        }
    }

    /// The vector that holds what both loads read, and which numbers of it they read.
    pub(super) fn beside(&self, a: &Instruction, b: &Instruction) -> Option<[u8; 2]> {
        let ([a, b], written) = ([self.place(a).ok()?, self.place(b).ok()?], a.op != b.op);
        let component = |place: &Place| match place.steps.last() {
            Some(Step::Field(name)) => ["x", "y", "z", "w"].iter().position(|letter| letter == name).map(|at| at as u8),
            _ => None,
        };
        let components = [component(&a)?, component(&b)?];
        let step = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Index(a), Step::Index(b)) | (Step::Bytes(a), Step::Bytes(b)) => self.same(*a, *b),
            (a, b) => a == b,
        };
        let last = a.steps.len() - 1;
        let vector = a.steps.len() == b.steps.len() && a.steps.iter().zip(&b.steps).take(last).all(step);
        let same = !written && a.atomic.is_none() && a.ident == b.ident && a.ty == b.ty && vector;
        same.then_some(components)
    }

    /// Whether a resource is a typed buffer, which is an array of words where atomics change it.
    pub(super) fn is_typed(&self, id: gpuproof_program::ResourceId) -> bool {
        matches!(self.program.interface.resource(id).shape, Shape::Texture(_))
            && matches!(self.vocabulary.resource(id).form, Form::Words)
    }

    /// Steps into group-shared memory, whose index D3D11 holds inside before it is multiplied.
    fn shared_steps(&self, instruction: &Instruction, stride: u32) -> Result<Vec<Step>, TraceError> {
        let value = instruction.args[0];
        let held = self.definitions.op(value, Op::Select).map(|select| select.args[1]);
        if stride == 4 {
            if let Some(bytes) = self.constant_of(value) {
                return Ok(vec![Step::Constant(bytes / 4)]);
            }
            return Ok(match held.filter(|held| self.is_held(value, *held)) {
                Some(held) => match self.definitions.address(held) {
                    address if address.scale == 4 && address.offset == 0 => {
                        address.index.map_or(vec![Step::Bytes(value)], |index| vec![Step::Index(index)])
                    }
                    _ => vec![Step::Bytes(value)],
                },
                None => vec![Step::Bytes(value)],
            });
        }
        let parts = |index: Step, offset: u32| vec![index, Step::Constant(offset / 4)];
        if let Some(bytes) = self.constant_of(value) {
            return Ok(parts(Step::Constant(bytes / stride), bytes % stride));
        }
        let held = held.ok_or_else(|| self.unsupported(instruction, "an address in structures of group-shared memory"))?;
        if let Some(bytes) = self.constant_of(held) {
            return Ok(parts(Step::Constant(bytes / stride), bytes % stride));
        }
        let address = self.definitions.address(held);
        if let Some(index) = address.index.filter(|_| address.scale == stride) {
            return Ok(parts(Step::Index(index), address.offset));
        }
        // index * stride + offset
        let sum = self.definitions.op(held, Op::IAdd);
        let start = sum.map(|sum| (self.definitions.address(sum.args[0]), sum.args[1]));
        match start {
            Some((Address { index: Some(index), scale, offset: 0 }, offset)) if scale == stride => {
                Ok(vec![Step::Index(index), Step::Bytes(offset)])
            }
            Some((Address { index: None, offset: start, .. }, offset)) if start % stride == 0 => {
                Ok(vec![Step::Constant(start / stride), Step::Bytes(offset)])
            }
            _ => Err(self.unsupported(instruction, "an offset in a structure of group-shared memory that is computed")),
        }
    }

    /// Whether a choice of an address is the one that holds an index inside.
    fn is_held(&self, value: Value, held: Value) -> bool {
        let select = self.definitions.op(value, Op::Select);
        let outside = select.and_then(|select| self.constant_of(select.args[2]));
        outside == Some(0x8000_0000) && self.definitions.address(held).index.is_some()
    }
}

/// What a group reads, in the order in which [`super::expression`] writes it. Places come first, then what is stored.
pub(super) fn operands(context: &Context<'_>, members: &[&Instruction]) -> Vec<Operand> {
    let first = members[0];
    let args = &first.args;
    let one = |value: Value, ty: Option<Ty>| Operand { values: vec![value], ty };
    let float = |width: Width| Some(if width == Width::W64 { Ty::F64 } else { Ty::F32 });
    let place = |ty: Option<Ty>, stored: &[Value]| {
        let found = context.place(first).ok();
        let mut all: Vec<Operand> = found.iter().flat_map(Place::values).map(|value| one(value, None)).collect();
        let ty = ty.or(found.map(|place| place.ty));
        all.extend(stored.iter().map(|value| one(*value, ty)));
        all
    };
    let element = |value: Value| {
        context.element(first.attrs.target, value).into_iter().filter_map(|step| match step {
            Step::Index(value) => Some(one(value, None)),
            _ => None,
        })
    };
    if let Some(idiom) = super::idiom::idiom(context, members) {
        return idiom.operands();
    }
    match first.op {
        Op::FDot2 | Op::FDot3 | Op::FDot4 => {
            let half = args.len() / 2;
            let ty = float(context.width(args[0]));
            [&args[..half], &args[half..]].map(|values| Operand { values: values.to_vec(), ty }).to_vec()
        }
        Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => place(None, &[]),
        Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => place(None, &args[args.len() - 1..]),
        Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic => {
            let from = args.len() - 2;
            place(None, if exchanges(first) { &args[from..] } else { &args[from..=from] })
        }
        Op::CounterAlloc | Op::CounterConsume | Op::BufferSize | Op::TextureSamples => element(args[0]).collect(),
        Op::TextureSize => element(args[0]).chain([one(args[1], None)]).collect(),
        Op::TexelLoad | Op::TexelStore | Op::TexelAtomic => match first.attrs.target {
            Target::Resource(id) if context.is_typed(id) => match first.op {
                Op::TexelLoad => place(None, &[]),
                Op::TexelStore => place(None, &args[4..5]),
                _ if exchanges(first) => place(None, &args[4..6]),
                _ => place(None, &args[4..5]),
            },
            _ => texel(context, first),
        },
        Op::Sample | Op::Gather => super::sampling::operands(context, first),
        Op::SampleLevel => super::sampling::coordinates(context, first).into_iter().collect(),
        Op::RasterSamplePosition => vec![one(args[0], Some(Ty::U32))],
        Op::TextureSamplePosition => vec![one(args[1], Some(Ty::U32))],
        Op::InputAt => match first.attrs.detail {
            Detail::Evaluation(Evaluation::Sample) => vec![one(args[0], Some(Ty::I32))],
            Detail::Evaluation(Evaluation::Snapped) => vec![Operand { values: args[..2].to_vec(), ty: Some(Ty::I32) }],
            _ => Vec::new(),
        },
        Op::Output => members.iter().fold(Vec::new(), |mut all: Vec<Operand>, member| {
            match all.first_mut() {
                Some(operand) => operand.values.push(member.args[0]),
                None => all.push(one(member.args[0], output_type(context, member))),
            }
            all
        }),
        _ => (0..args.len())
            .map(|at| Operand {
                values: members.iter().map(|member| member.args[at]).collect(),
                ty: super::types::of_operand(first, at, context.width(args[at])),
            })
            .collect(),
    }
}

/// Whether an atomic takes a comparand.
fn exchanges(instruction: &Instruction) -> bool {
    matches!(instruction.attrs.detail, Detail::Atomic(gpuproof_program::AtomicOp::CompareExchange))
}

fn output_type(context: &Context<'_>, instruction: &Instruction) -> Option<Ty> {
    match instruction.attrs.target {
        Target::Output(id, component) => context.vocabulary.output(id, component).map(|(word, _)| word.ty),
        _ => None,
    }
}

/// Coordinates, layer, level and what is stored of an access to a texel.
fn texel(context: &Context<'_>, instruction: &Instruction) -> Vec<Operand> {
    let Target::Resource(id) = instruction.attrs.target else { return Vec::new() };
    let resource = context.program.interface.resource(id);
    let Shape::Texture(shape) = resource.shape else { return Vec::new() };
    let args = &instruction.args;
    let axes = super::sampling::axes(shape.dimension);
    let mut all: Vec<Operand> = context
        .element(instruction.attrs.target, args[0])
        .into_iter()
        .filter_map(|step| match step {
            Step::Index(value) => Some(Operand { values: vec![value], ty: None }),
            _ => None,
        })
        .collect();
    all.push(Operand { values: args[1..=axes].to_vec(), ty: None });
    if shape.arrayed {
        all.push(Operand { values: vec![args[axes + 1]], ty: None });
    }
    let ty = Some(Ty::of(shape.kind, Width::W32));
    match instruction.op {
        Op::TexelLoad => all.push(Operand { values: vec![args[4]], ty: None }),
        Op::TexelStore => all.push(Operand { values: args[4..8].to_vec(), ty }),
        _ => {
            if exchanges(instruction) {
                all.push(Operand { values: vec![args[5]], ty });
            }
            all.push(Operand { values: vec![args[4]], ty });
        }
    }
    all
}

/// The components of an input that can be written after its name.
pub(super) fn input_component(word: &InputWord, component: u8) -> Option<u8> {
    (word.size > 1).then_some(component)
}
