//! Where a program reads what a case holds, and other words put there.

use crate::cases::uses::{Use, Uses, uses};
use gpuproof_program::*;
use gpuproof_run::{Binding, Case, Texture};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

/// Where a program reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Input(InputId, u8),
    /// Words of a buffer from this offset on, so many bytes apart; the one where that is 0.
    Words(ResourceId, u32, u32),
    /// A channel of all texels.
    Channel(ResourceId, usize),
}

/// What the values of a program are made of.
pub(super) struct Places<'a> {
    program: &'a Program,
    uses: Uses,
    pub(super) functions: Vec<Known<'a>>,
    /// How much more a wish may look at.
    pub(super) fuel: Cell<u32>,
}

/// What the values of a function are made of.
pub(super) struct Known<'a> {
    pub(super) function: &'a Function,
    /// For each value what makes it, and as which result.
    pub(super) made: HashMap<Value, (&'a Instruction, usize)>,
    pub(super) incoming: Vec<Vec<Value>>,
}

impl<'a> Places<'a> {
    pub(super) fn of(program: &'a Program) -> Places<'a> {
        let known = |function: &'a Function| {
            let mut made = HashMap::new();
            walk(&function.body, &mut |node| {
                if let Node::Op(instruction) = node {
                    made.extend(instruction.results.iter().enumerate().map(|(at, result)| (*result, (instruction, at))));
                }
            });
            Known { function, made, incoming: function.incoming() }
        };
        Places { program, uses: uses(program), functions: program.functions.iter().map(known).collect(), fuel: Cell::new(0) }
    }

    /// Where the result of an instruction is read. None where nothing is, and where only what fits may stand: an index, what the API makes.
    pub(super) fn place(&self, known: &Known<'_>, made: &Instruction, result: usize) -> Option<Place> {
        let args = &made.args[..];
        match (made.op, made.attrs.target) {
            (Op::Input, Target::Input(id, component)) => {
                let (input, used) = (self.program.interface.input(id), self.uses.inputs[id.index()][usize::from(component)]);
                let is_free = input.builtin.is_none() && input.width == Width::W32 && !used.has(Use::INDEX);
                is_free.then_some(Place::Input(id, component))
            }
            (Op::BufferLoad, Target::Resource(id)) => {
                let stride =
                    if matches!(self.program.interface.resource(id).shape, Shape::ConstantBuffer { .. }) { 16 } else { 4 };
                let place = match (known.constant(args[1]), known.added(args[1])) {
                    (Some(offset), _) => Place::Words(id, offset, 0),
                    (None, offset) => Place::Words(id, offset.unwrap_or(0) % stride, stride),
                };
                let Place::Words(_, offset, _) = place else { return None };
                let used = self.uses.words[id.index()].get(&offset).copied().unwrap_or(self.uses.dynamic[id.index()]);
                (!used.has(Use::INDEX)).then_some(place)
            }
            (Op::StructuredLoad, Target::Resource(id)) => {
                match (known.offset(args[2]), self.program.interface.resource(id).shape) {
                    (Some(offset), Shape::Structured { stride }) => Some(Place::Words(id, offset, stride)),
                    _ => None,
                }
            }
            (Op::Sample | Op::Gather, Target::Sampled(id, _)) | (Op::TexelLoad, Target::Resource(id)) if result < 4 => {
                Some(Place::Channel(id, result))
            }
            _ => None,
        }
    }
}

impl Known<'_> {
    /// A constant's word.
    pub(super) fn constant(&self, value: Value) -> Option<u32> {
        match self.made.get(&value)?.0 {
            Instruction { op: Op::Const, attrs: Attrs { target: Target::Bits(bits), .. }, .. } => Some(*bits as u32),
            _ => None,
        }
    }

    /// The constant in a sum.
    fn added(&self, value: Value) -> Option<u32> {
        let made = self.made.get(&value)?.0;
        let is_sum = made.op == Op::IAdd;
        made.args.iter().filter(|_| is_sum).find_map(|arg| self.constant(*arg))
    }

    /// An offset in a structure: a constant, or one that is added up of two.
    fn offset(&self, value: Value) -> Option<u32> {
        self.constant(value).or_else(|| {
            let made = self.made.get(&value).filter(|made| made.0.op == Op::IAdd)?.0;
            Some(self.constant(made.args[0])?.wrapping_add(self.constant(made.args[1])?))
        })
    }
}

/// The node of this number.
pub(super) fn node(function: &Function, number: usize) -> Option<&Node> {
    let (mut at, mut found) = (0, None);
    walk(&function.body, &mut |node| {
        if at == number {
            found = Some(node);
        }
        at += 1;
    });
    found
}

/// Puts a word where a program reads; none where it cannot stand there.
pub(super) fn put(case: &mut Case, place: Place, word: u32) -> Option<()> {
    match place {
        Place::Input(id, component) => case.inputs[id.index()].components[usize::from(component)].fill(word),
        Place::Words(id, offset, stride) => {
            let Binding::Buffer(buffer) = case.resources[id.index()].first_mut()? else { return None };
            let bytes = Arc::make_mut(&mut buffer.bytes);
            let all = if stride == 0 { offset as usize + 1 } else { bytes.len() };
            for at in (offset as usize..all).step_by(stride.max(4) as usize) {
                if let Some(place) = bytes.get_mut(at..at + 4) {
                    place.copy_from_slice(&word.to_le_bytes());
                }
            }
        }
        Place::Channel(id, channel) => {
            let Binding::Texture(texture) = case.resources[id.index()].first_mut()? else { return None };
            let channels = channels(texture).filter(|channels| channel < *channels)?;
            let texture: &mut Texture = Arc::make_mut(texture);
            for texel in texture.levels.iter_mut().flat_map(|level| level.chunks_exact_mut(channels * 4)) {
                texel[channel * 4..channel * 4 + 4].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
    Some(())
}

/// The word that stands at a place, for a lane.
pub(super) fn word(case: &Case, place: Place, lane: u32) -> Option<u32> {
    let of = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?));
    match place {
        Place::Input(id, component) => case.inputs[id.index()].components[usize::from(component)].get(lane as usize).copied(),
        Place::Words(id, offset, _) => match case.resources[id.index()].first()? {
            Binding::Buffer(buffer) => of(buffer.bytes.get(offset as usize..)?),
            _ => None,
        },
        Place::Channel(id, channel) => match case.resources[id.index()].first()? {
            Binding::Texture(texture) if channels(texture).is_some_and(|channels| channel < channels) => {
                of(texture.levels.first()?.get(channel * 4..)?)
            }
            _ => None,
        },
    }
}

/// The channels of a texture of 32-bit floats.
fn channels(texture: &Texture) -> Option<usize> {
    match texture.format.0 {
        2 => Some(4),
        6 => Some(3),
        16 => Some(2),
        41 => Some(1),
        _ => None,
    }
}
