//! What is known of the function that is written: what defines values, which are the same number, and which type each has.

use super::members::Members;
use super::tree::{Memory, Scalar};
use crate::address::Definitions;
use gpuproof_program::{
    Builtin, Class, Detail, Function, InputId, Instruction, Node, Op, Program, ResourceId, Shape, Target, Value, Width, walk,
};
use std::collections::{HashMap, HashSet};

/// What is known of a function.
pub(super) struct Facts<'p> {
    pub(super) program: &'p Program,
    pub(super) function: &'p Function,
    pub(super) definitions: Definitions<'p>,
    /// The type of each value.
    types: Vec<Scalar>,
    /// The type of the numbers of each memory.
    cells: HashMap<Memory, Scalar>,
    /// Values that something uses.
    pub(super) used: HashSet<Value>,
    /// Resources that atomics change.
    pub(super) atomic: HashSet<ResourceId>,
    /// Members of constant buffers.
    pub(super) members: Members,
}

/// The scalar type of an input.
pub(super) fn input_type(program: &Program, id: InputId) -> Scalar {
    let input = program.interface.input(id);
    match input.builtin {
        Some(Builtin::FrontFacing) => Scalar::Bool,
        _ => Scalar::of(input.kind, Width::W32),
    }
}

/// The memory that an operation names.
pub(super) fn memory(instruction: &Instruction) -> Option<Memory> {
    match instruction.attrs.target {
        Target::Array(id) => Some(Memory::Array(id)),
        Target::Shared(id) => Some(Memory::Shared(id)),
        Target::Resource(id) => Some(Memory::Resource(id)),
        _ => None,
    }
}

/// What an operation decides about a result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The operation decides.
    Fixed(Scalar),
    /// An integer of either sign.
    Integer,
    /// Whatever flows into it and out of it.
    Free,
}

impl<'p> Facts<'p> {
    pub(super) fn of(program: &'p Program, function: &'p Function, members: Members) -> Facts<'p> {
        let (mut used, mut atomic) = (HashSet::new(), HashSet::new());
        walk(&function.body, &mut |node| {
            used.extend(operands(node));
            if let Node::Op(Instruction { op, attrs, .. }) = node
                && matches!(op, Op::BufferAtomic | Op::StructuredAtomic | Op::TexelAtomic)
                && let Target::Resource(id) = attrs.target
            {
                atomic.insert(id);
            }
        });
        let definitions = Definitions::of(function);
        let mut facts = Facts {
            program,
            function,
            definitions,
            types: Vec::new(),
            cells: HashMap::new(),
            used,
            atomic,
            members: Members::default(),
        };
        let mut members = members;
        members.keep_what_covers(&facts, function);
        facts.members = members;
        facts.infer();
        facts
    }

    pub(super) fn width(&self, value: Value) -> Width {
        self.function.width(value)
    }

    /// The type of a value.
    pub(super) fn ty(&self, value: Value) -> Scalar {
        self.types[value.index()]
    }

    /// The type of the numbers of a memory.
    pub(super) fn cell(&self, memory: Memory) -> Scalar {
        self.cells.get(&memory).copied().unwrap_or(Scalar::U32)
    }

    /// The bits of a constant.
    pub(super) fn constant(&self, value: Value) -> Option<u32> {
        self.definitions.constant(value).map(|bits| bits as u32)
    }

    /// A value without the signs before it.
    pub(super) fn unsigned(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(sign) = self.definitions.get(value).filter(|sign| matches!(sign.op, Op::FNeg | Op::FAbs)) {
            value = sign.args[0];
        }
        value
    }

    /// Whether two values are the same number: one value, or alike in what few operations make them.
    pub(super) fn same(&self, a: Value, b: Value) -> bool {
        self.same_within(a, b, 3)
    }

    fn same_within(&self, a: Value, b: Value, steps: u32) -> bool {
        if a == b {
            return true;
        }
        let (Some(one), Some(other)) = (self.definitions.get(a), self.definitions.get(b)) else { return false };
        // Inputs and constants of buffers do not change either.
        let fixed = one.op == Op::BufferLoad && self.fixed_row(one).is_some();
        let stays = one.op.row().class == Class::Pure || one.op == Op::Input || fixed;
        steps > 0
            && stays
            && one.op != Op::Undef
            && one.results.len() == 1
            && (one.op, one.attrs) == (other.op, other.attrs)
            && self.width(a) == self.width(b)
            && one.args.iter().zip(&other.args).all(|(a, b)| self.same_within(*a, *b, steps - 1))
    }

    /// The constant offset of a load from a constant buffer that is no binding array.
    pub(super) fn fixed_row(&self, instruction: &Instruction) -> Option<u32> {
        let Target::Resource(id) = instruction.attrs.target else { return None };
        let resource = self.program.interface.resource(id);
        let rows = matches!(resource.shape, Shape::ConstantBuffer { .. }) && resource.count == Some(1);
        let offset = self.constant(*instruction.args.get(1)?)?;
        (rows && offset.is_multiple_of(4)).then_some(offset)
    }

    fn of_result(&self, instruction: &Instruction, at: usize) -> Known {
        use Known::{Fixed, Free, Integer};
        let width = self.width(instruction.results[at]);
        if width == Width::W1 {
            return Fixed(Scalar::Bool);
        }
        let name = instruction.op.row().name;
        let texel = |id: ResourceId| match self.program.interface.resource(id).shape {
            Shape::Texture(shape) => Scalar::of(shape.kind, Width::W32),
            _ => Scalar::U32,
        };
        match (instruction.op, instruction.attrs.target) {
            (Op::Select | Op::Const | Op::Undef | Op::QuadRead | Op::QuadSwap | Op::WaveReadFirst | Op::WaveReadLane, _) => Free,
            (Op::BufferLoad, Target::Resource(id)) if self.members.0.contains_key(&id) => {
                let member = self.members.find(self, instruction).map(|found| self.members.0[&id][found.0].scalar);
                Fixed(member.unwrap_or(Scalar::U32))
            }
            (Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad, _) => Free,
            (Op::WaveReduce, _) => match instruction.attrs.detail {
                Detail::Reduction(reduction) => Fixed(Scalar::of(reduction.kind, width)),
                _ => Free,
            },
            (Op::Input | Op::InputAt, Target::Input(id, _)) => Fixed(input_type(self.program, id)),
            (Op::TexelLoad | Op::TexelAtomic, Target::Resource(id)) | (Op::Sample | Op::Gather, Target::Sampled(id, _)) => {
                Fixed(if at < 4 { texel(id) } else { Scalar::U32 })
            }
            (Op::SampleLevel | Op::RasterSamplePosition | Op::TextureSamplePosition, _) => Fixed(Scalar::F32),
            (Op::FToS, _) => Fixed(Scalar::I32),
            (Op::FToU, _) => Fixed(Scalar::U32),
            (Op::SToF | Op::UToF | Op::NormToF, _) => Fixed(Scalar::F32),
            (Op::FFrexp, _) if at == 1 => Fixed(Scalar::I32),
            (Op::FConvert, _) if width == Width::W16 => Fixed(Scalar::U32),
            _ if name.starts_with("f.") => Fixed(Scalar::F32),
            (Op::IReverse | Op::ICount | Op::IFindLow, _) => Fixed(Scalar::U32),
            _ if name.starts_with("i.") && instruction.op != Op::ITruncate => Integer,
            _ if name.starts_with("s.") && instruction.op != Op::SExtend => Fixed(Scalar::I32),
            _ => Fixed(Scalar::U32),
        }
    }

    /// The type of every value and memory, by votes of what they flow into and out of.
    fn infer(&mut self) {
        let function = self.function;
        let values = function.values.len();
        let mut memories: Vec<Memory> = Vec::new();
        let mut known: Vec<Known> = vec![Known::Free; values];
        let mut votes: Vec<Vec<Scalar>> = vec![Vec::new(); values];
        let mut silent = vec![false; values];
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (to, sources) in function.incoming().iter().enumerate() {
            pairs.extend(sources.iter().map(|from| (to, from.index())));
        }
        let mut number_of = |memory: Memory, known: &mut Vec<Known>| {
            let at = memories.iter().position(|other| *other == memory).unwrap_or_else(|| {
                memories.push(memory);
                // Atomics are on integers.
                let odd = |bits: &u64| !f32::from_bits(*bits as u32).is_finite() || f32::from_bits(*bits as u32).is_subnormal();
                let words = match memory {
                    Memory::Resource(id) => self.atomic.contains(&id),
                    Memory::Shared(_) => false,
                    // Not every language has constants that are no numbers.
                    Memory::Array(id) => self.program.arrays[id.index()].initial.iter().any(odd),
                };
                known.push(if words { Known::Fixed(Scalar::U32) } else { Known::Free });
                memories.len() - 1
            });
            values + at
        };
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            for (at, result) in instruction.results.iter().enumerate() {
                known[result.index()] = self.of_result(instruction, at);
                silent[result.index()] = matches!(instruction.op, Op::Const | Op::Undef);
            }
            let cell = match instruction.op {
                Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => instruction.results.first(),
                Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => instruction.args.last(),
                _ => None,
            };
            if let (Some(value), Some(memory)) = (cell, memory(instruction)) {
                pairs.push((value.index(), number_of(memory, &mut known)));
            }
            if let (Op::SharedAtomic, Some(memory)) = (instruction.op, memory(instruction)) {
                let at = number_of(memory, &mut known);
                known[at] = Known::Fixed(Scalar::U32);
            }
            let first = if instruction.op == Op::Select { 1 } else { 0 };
            // Places in memory and coordinates of texels are integers of either sign.
            let places = match instruction.op {
                Op::TexelLoad => 5,
                Op::TexelStore | Op::TexelAtomic => 4,
                Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => instruction.args.len(),
                Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => instruction.args.len(),
                _ => 0,
            };
            // What holds an index below where it would wrap says nothing of it.
            let holds = instruction.op == Op::UMin && self.constant(instruction.args[1]).is_some_and(|limit| limit > 0xff_ffff);
            let places = if holds { instruction.args.len() } else { places };
            for (at, arg) in instruction.args.iter().enumerate().skip(places) {
                match of_operand(instruction, at, self.width(*arg)) {
                    Some(ty) => votes[arg.index()].push(ty),
                    None if matches!(instruction.op, Op::IEq | Op::INe) => {
                        votes[arg.index()].push(Scalar::U32);
                        pairs.push((instruction.args[0].index(), instruction.args[1].index()));
                    }
                    None if at >= first => pairs.extend(instruction.results.iter().map(|result| (result.index(), arg.index()))),
                    None => {}
                }
            }
            match (instruction.op, instruction.attrs.target) {
                (Op::Output, Target::Output(id, _)) => {
                    votes[instruction.args[0].index()].push(Scalar::of(self.program.interface.output(id).kind, Width::W32));
                }
                (Op::TexelStore, Target::Resource(id)) => {
                    if let Shape::Texture(shape) = self.program.interface.resource(id).shape {
                        instruction.args[4..8].iter().for_each(|arg| votes[arg.index()].push(Scalar::of(shape.kind, Width::W32)));
                    }
                }
                _ => {}
            }
        });
        let count = known.len();
        votes.resize(count, Vec::new());
        silent.resize(count, false);
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (a, b) in pairs {
            edges[a].push(b);
            edges[b].push(a);
        }
        let is_truth = |at: usize| at < values && function.values[at] == Width::W1;
        let start = |at: usize| match known[at] {
            Known::Fixed(ty) => ty,
            _ if is_truth(at) => Scalar::Bool,
            _ => Scalar::U32,
        };
        let mut types: Vec<Scalar> = (0..count).map(start).collect();
        // What is not fixed and has not been voted on yet has no say.
        let mut settled: Vec<bool> = known.iter().map(|known| matches!(known, Known::Fixed(_))).collect();
        for _ in 0..6 {
            for at in 0..count {
                if matches!(known[at], Known::Fixed(_)) || is_truth(at) {
                    continue;
                }
                let fits = |ty: &Scalar| match known[at] {
                    Known::Integer => matches!(ty, Scalar::U32 | Scalar::I32),
                    _ => *ty != Scalar::Bool,
                };
                let neighbours = edges[at].iter().filter(|other| settled[**other] && !silent[**other]).map(|other| types[*other]);
                let mut counts = [0usize; 3];
                for ty in neighbours.chain(votes[at].iter().copied()).filter(fits) {
                    counts[order(ty)] += 1;
                }
                let best = (0..3).max_by_key(|at| (counts[*at], *at)).filter(|at| counts[*at] > 0);
                if let Some(best) = best {
                    types[at] = [Scalar::I32, Scalar::U32, Scalar::F32][best];
                    settled[at] = true;
                }
            }
        }
        self.cells = memories.into_iter().zip(types.split_off(values)).collect();
        self.types = types;
    }
}

/// Of equally many votes the later wins.
fn order(ty: Scalar) -> usize {
    match ty {
        Scalar::F32 => 2,
        Scalar::U32 => 1,
        _ => 0,
    }
}

/// The values that a node reads itself.
fn operands(node: &Node) -> Vec<Value> {
    match node {
        Node::Op(instruction) => instruction.args.clone(),
        Node::If { condition, .. } => vec![*condition],
        Node::Switch { selector, arms, .. } => {
            std::iter::once(*selector).chain(arms.iter().flat_map(|arm| arm.initial.iter().copied())).collect()
        }
        Node::Loop { initial, .. } => initial.clone(),
        Node::Br { values, .. } | Node::Return { values } => values.clone(),
        Node::Block { .. } | Node::Unreachable => Vec::new(),
    }
}

/// The type that an operation reads an operand as; none for the type of its result or of its other operand.
pub(super) fn of_operand(instruction: &Instruction, at: usize, width: Width) -> Option<Scalar> {
    if width == Width::W1 {
        return Some(Scalar::Bool);
    }
    let name = instruction.op.row().name;
    match instruction.op {
        Op::Select | Op::IEq | Op::INe | Op::QuadRead | Op::QuadSwap | Op::WaveReadFirst | Op::WaveReadLane => None,
        Op::FLdexp if at == 1 => Some(Scalar::I32),
        Op::IShl | Op::UShr | Op::SShr if at == 1 => Some(Scalar::U32),
        Op::UExtract | Op::SExtract if at > 0 => Some(Scalar::U32),
        Op::IInsert if at > 1 => Some(Scalar::U32),
        Op::SToF => Some(Scalar::I32),
        Op::UToF => Some(Scalar::U32),
        Op::IReverse | Op::ICount | Op::IFindLow => Some(Scalar::U32),
        Op::Sample | Op::SampleLevel | Op::Gather => Some(Scalar::F32),
        Op::FConvert if width == Width::W16 => Some(Scalar::U32),
        _ if name.starts_with("f.") => Some(Scalar::F32),
        _ if name.starts_with("i.") && instruction.op != Op::ITruncate => None,
        _ if name.starts_with("s.") => Some(Scalar::I32),
        _ => Some(Scalar::U32),
    }
}
