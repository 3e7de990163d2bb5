//! Places in memory: which expressions find them.

use super::build::Builder;
use super::facts::{Facts, memory};
use super::group::{Operand, computed_row};
use super::tree::{At, Binary, Expr, Kind, Memory, Place, Scalar};
use crate::WriteError;
use gpuproof_program::{AtomicOp, Detail, Instruction, Op, Shape, Target, Value, Width};

/// Where in a memory an operation goes, by values.
enum Where {
    /// A row of four words: an index, what is added to it, and a component.
    Row(Option<Value>, u32, u8),
    /// Bytes into rows of four words.
    Bytes(Value),
    /// A word.
    Word(Index),
    /// A structure, and a word in it.
    Structure(Value, Index),
}

/// The index of a word.
#[derive(Clone, Copy)]
enum Index {
    Constant(u32),
    /// The index itself.
    Value(Value),
    /// A byte offset, of which the index is a quarter.
    Bytes(Value),
}

impl Index {
    fn value(self) -> Option<Value> {
        match self {
            Index::Constant(_) => None,
            Index::Value(value) | Index::Bytes(value) => Some(value),
        }
    }
}

fn of_bytes(facts: &Facts<'_>, value: Value) -> Index {
    facts.constant(value).map_or(Index::Bytes(value), |bytes| Index::Constant(bytes / 4))
}

fn place(facts: &Facts<'_>, instruction: &Instruction) -> Option<Where> {
    let args = &instruction.args;
    Some(match memory(instruction)? {
        Memory::Array(_) => Where::Word(facts.constant(args[0]).map_or(Index::Value(args[0]), Index::Constant)),
        Memory::Shared(_) => Where::Word(of_bytes(facts, args[0])),
        Memory::Resource(id) => match facts.program.interface.resource(id).shape {
            Shape::ConstantBuffer { .. } => match (facts.constant(args[1]), computed_row(facts, instruction)) {
                (Some(offset), _) => Where::Row(None, offset / 16, (offset / 4 % 4) as u8),
                (_, Some((index, row, component))) => Where::Row(Some(index), row, component),
                _ => Where::Bytes(args[1]),
            },
            Shape::Buffer { .. } => Where::Word(of_bytes(facts, args[1])),
            Shape::Structured { .. } => Where::Structure(args[1], of_bytes(facts, args[2])),
            Shape::Texture(_) => return None,
        },
    })
}

/// What is stored, or given to an atomic, after the operands that find the place.
fn given(instruction: &Instruction) -> &[Value] {
    let args = &instruction.args;
    match (instruction.op, instruction.attrs.detail) {
        (Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore, _) => &args[args.len() - 1..],
        (Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic, Detail::Atomic(op)) => {
            let from = args.len() - 2;
            match op {
                AtomicOp::Load => &[],
                AtomicOp::CompareExchange => &args[from..],
                _ => &args[from..=from],
            }
        }
        _ => &[],
    }
}

/// The element of a binding array, where it is one.
fn element(facts: &Facts<'_>, instruction: &Instruction) -> Option<Value> {
    let Target::Resource(id) = instruction.attrs.target else { return None };
    (facts.program.interface.resource(id).count != Some(1)).then(|| instruction.args[0])
}

/// What an operation on memory reads.
pub(super) fn operands(facts: &Facts<'_>, instruction: &Instruction) -> Vec<Operand> {
    let mut values: Vec<Value> = element(facts, instruction).into_iter().collect();
    match place(facts, instruction) {
        Some(Where::Row(index, ..)) => values.extend(index),
        Some(Where::Bytes(value)) => values.push(value),
        Some(Where::Word(index)) => values.extend(index.value()),
        Some(Where::Structure(value, index)) => values.extend(std::iter::once(value).chain(index.value())),
        None => values.extend(instruction.args.iter().copied()),
    }
    values.extend(given(instruction));
    values.into_iter().map(|value| Operand { values: vec![value], ty: None }).collect()
}

/// An index as an expression of words.
fn index(builder: &mut Builder<'_>, index: Index) -> Expr {
    match index {
        Index::Constant(bits) => Expr::literal(Scalar::U32, bits),
        Index::Value(value) => builder.integer(value),
        Index::Bytes(value) => {
            let bytes = builder.vector(&[value], Scalar::U32);
            Expr::binary(Binary::Shr, Scalar::U32, bytes, Expr::literal(Scalar::U32, 2))
        }
    }
}

impl Builder<'_> {
    /// The place that operations of a group name.
    pub(super) fn place(&mut self, members: &[&Instruction]) -> Result<Place, WriteError> {
        let first = members[0];
        let (Some(memory), Some(place_)) = (memory(first), place(&self.facts, first)) else {
            return Err(self.unsupported(first, "this memory"));
        };
        let wide = first.results.first().or(given(first).first()).map(|value| self.facts.width(*value));
        let wide_array = matches!(memory, Memory::Array(id) if self.facts.program.arrays[id.index()].width != Width::W32);
        if wide.is_some_and(|width| width != Width::W32) || wide_array {
            return Err(self.unsupported(first, "memory of numbers that are not of 32 bits"));
        }
        let element = element(&self.facts, first).map(|value| self.integer(value));
        let mut components = Vec::new();
        let at = match place_ {
            Where::Row(computed, row, _) => {
                components = members
                    .iter()
                    .filter_map(|member| match place(&self.facts, member) {
                        Some(Where::Row(.., component)) => Some(component),
                        _ => None,
                    })
                    .collect();
                let member = self.facts.members.find(&self.facts, first);
                let vectors = |this: &Self, at: usize| match memory {
                    Memory::Resource(id) => this.facts.members.0[&id][at].rows.is_some(),
                    _ => false,
                };
                if let Some((at, vector, _)) = member {
                    components = members.iter().filter_map(|one| Some(self.facts.members.find(&self.facts, one)?.2)).collect();
                    let constant = Expr::literal(Scalar::U32, vector);
                    let vector = vectors(self, at).then(|| self.offset_by(computed, constant));
                    return Ok(Place { memory, element, at: At::Member(at, vector), components });
                }
                let constant = Expr::literal(Scalar::U32, row);
                At::Row(self.offset_by(computed, constant))
            }
            Where::Bytes(value) => At::Bytes(self.vector(&[value], Scalar::U32)),
            Where::Word(word) => At::Word(index(self, word)),
            Where::Structure(value, word) => {
                let structure = self.integer(value);
                At::Structure(structure, index(self, word))
            }
        };
        Ok(Place { memory, element, at, components })
    }

    /// An index with a constant added.
    fn offset_by(&mut self, index: Option<Value>, constant: Expr) -> Expr {
        let Some(index) = index else { return constant };
        let index = self.integer(index);
        if constant.kind == Kind::Literal(0) {
            return index;
        }
        let scalar = index.ty.scalar;
        Expr::binary(Binary::Add, scalar, index, constant.cast(scalar))
    }

    /// The type of the numbers in a place.
    fn scalar_at(&self, place: &Place) -> Scalar {
        match (&place.at, place.memory) {
            (At::Member(at, _), Memory::Resource(id)) => self.facts.members.0[&id][*at].scalar,
            _ => self.facts.cell(place.memory),
        }
    }

    /// A load of the numbers of a group.
    pub(super) fn load(&mut self, members: &[&Instruction]) -> Result<Expr, WriteError> {
        let place = self.place(members)?;
        let scalar = self.scalar_at(&place);
        let size = place.components.len().max(1);
        Ok(Expr::new(scalar, size, Kind::Load(Box::new(place))))
    }

    /// A read-modify-write of a word.
    pub(super) fn atomic(&mut self, instruction: &Instruction) -> Result<Expr, WriteError> {
        let Detail::Atomic(op) = instruction.attrs.detail else { return Err(self.unsupported(instruction, "this atomic")) };
        let place = self.place(&[instruction])?;
        let values = given(instruction).to_vec();
        let scalar = if matches!(op, AtomicOp::SMin | AtomicOp::SMax) { Scalar::I32 } else { Scalar::U32 };
        let values = values.iter().map(|value| self.vector(&[*value], scalar)).collect();
        Ok(Expr::new(scalar, 1, Kind::Atomic(Box::new(place), op, values)))
    }
}
