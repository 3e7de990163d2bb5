//! Small questions about the flow of values that several parts ask.

use gpuproof_program::{
    AtomicOp, Class, Detail, Dialect, Dimension, Evaluation, Function, Instruction, Label, Node, Op, Program, Region,
    RegisterClass, SamplingOperands, Shape, Site, Slot, Target, TextureShape, Value, walk,
};
use std::collections::HashMap;

/// For each value of a function how often something uses it.
pub(crate) fn use_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0u32; function.values.len()];
    walk(&function.body, &mut |node| {
        for value in operands(node) {
            counts[value.index()] += 1;
        }
    });
    counts
}

/// What a node itself uses, not what its regions do.
pub(crate) fn operands(node: &Node) -> Vec<gpuproof_program::Value> {
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

/// What an operation does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Computes with it.
    Value,
    /// Finds an element of a binding array by it.
    Element,
    /// Finds a place in memory, a texel or a lane by it.
    Address,
    /// Nothing: a coordinate that the dimension lacks, a comparand without comparison.
    Ignored,
}

/// What an operation does with the operand at a position.
pub(crate) fn role(program: &Program, instruction: &Instruction, position: usize) -> Role {
    let shape = |id: gpuproof_program::ResourceId| match program.interface.resource(id).shape {
        Shape::Texture(shape) => Some(shape),
        _ => None,
    };
    let axes = |shape: &TextureShape| match shape.dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    };
    let comparand = |position: usize, value: usize| match instruction.attrs.detail {
        Detail::Atomic(AtomicOp::Load) if position >= value => Role::Ignored,
        Detail::Atomic(AtomicOp::CompareExchange) => Role::Value,
        Detail::Atomic(_) if position > value => Role::Ignored,
        _ => Role::Value,
    };
    match (instruction.op, instruction.attrs.target, position) {
        (Op::ArrayLoad | Op::ArrayStore | Op::SharedLoad | Op::SharedStore | Op::SharedAtomic, _, 0) => Role::Address,
        (Op::SharedAtomic, _, _) => comparand(position, 1),
        (Op::QuadRead | Op::WaveReadLane, _, 1) => Role::Address,
        (Op::InputAt, ..) => match instruction.attrs.detail {
            Detail::Evaluation(Evaluation::Centroid) => Role::Ignored,
            Detail::Evaluation(Evaluation::Sample) if position == 1 => Role::Ignored,
            _ => Role::Value,
        },
        (_, Target::Resource(_), 0) => Role::Element,
        (Op::BufferLoad | Op::BufferStore, _, 1) | (Op::StructuredLoad | Op::StructuredStore, _, 1 | 2) => Role::Address,
        (Op::BufferAtomic, _, 1) | (Op::StructuredAtomic, _, 1 | 2) => Role::Address,
        (Op::BufferAtomic, ..) => comparand(position, 2),
        (Op::StructuredAtomic, ..) => comparand(position, 3),
        (Op::TexelLoad | Op::TexelStore | Op::TexelAtomic, Target::Resource(id), 1..=3) => {
            let used = shape(id).map_or(3, |shape| axes(&shape) + usize::from(shape.arrayed));
            if position <= used { Role::Address } else { Role::Ignored }
        }
        (Op::TexelLoad, Target::Resource(id), 4) => match shape(id) {
            Some(shape) if shape.dimension == Dimension::Buffer => Role::Ignored,
            _ => Role::Address,
        },
        (Op::TexelAtomic, ..) => comparand(position, 4),
        (Op::TextureSize, Target::Resource(id), 1) => match shape(id) {
            Some(shape) if shape.dimension == Dimension::Buffer || shape.multisampled => Role::Ignored,
            _ => Role::Address,
        },
        (Op::Sample | Op::Gather | Op::SampleLevel, Target::Sampled(id, _), _) => {
            let Some(shape) = shape(id) else { return Role::Value };
            match position {
                SamplingOperands::TEXTURE | SamplingOperands::SAMPLER => Role::Element,
                SamplingOperands::LAYER if !shape.arrayed => Role::Ignored,
                SamplingOperands::LAYER => Role::Address,
                _ if position < SamplingOperands::LAYER => {
                    if position - SamplingOperands::COORDINATES < axes(&shape) {
                        Role::Value
                    } else {
                        Role::Ignored
                    }
                }
                _ => {
                    let Detail::Sampling(sampling) = instruction.attrs.detail else { return Role::Value };
                    let operands = sampling.operands();
                    let outside = |first: Option<usize>, rows: usize| {
                        first.is_some_and(|first| {
                            position >= first && position < first + 3 * rows && (position - first) % 3 >= axes(&shape)
                        })
                    };
                    match outside(operands.gradients, 2) || outside(operands.offset, 1) {
                        true => Role::Ignored,
                        false => Role::Value,
                    }
                }
            }
        }
        _ => Role::Value,
    }
}

/// For each value of a function whether anything that is kept depends on it.
pub(crate) fn live(program: &Program, function: &Function) -> Vec<bool> {
    let mut sources: Vec<Vec<Value>> = function.incoming();
    let mut pending = Vec::new();
    walk(&function.body, &mut |node| match node {
        Node::Op(instruction) => {
            let used = instruction.args.iter().enumerate();
            let used: Vec<Value> =
                used.filter(|(at, _)| role(program, instruction, *at) != Role::Ignored).map(|(_, value)| *value).collect();
            match instruction.op.row().class {
                Class::Writes => pending.extend(used),
                _ => instruction.results.iter().for_each(|result| sources[result.index()].extend(&used)),
            }
        }
        Node::If { condition, .. } => pending.push(*condition),
        Node::Switch { selector, .. } => pending.push(*selector),
        Node::Return { values } => pending.extend(values),
        _ => {}
    });
    let mut live = vec![false; function.values.len()];
    while let Some(value) = pending.pop() {
        if !std::mem::replace(&mut live[value.index()], true) {
            pending.append(&mut sources[value.index()]);
        }
    }
    live
}

/// What an instruction of D3D11 that names a constant buffer by a register selects by.
pub(crate) struct ChosenBuffer {
    /// The register's value.
    pub(crate) number: Value,
    /// Whether the other side stands for a buffer that is not declared.
    pub(crate) is_last: bool,
}

/// What a selection chooses a constant buffer by, where it comes of an instruction that names one by a register.
pub(crate) fn chosen_buffer(
    program: &Program,
    defined: &HashMap<Value, &Instruction>,
    select: &Instruction,
) -> Option<ChosenBuffer> {
    if program.dialect != Dialect::D3D11 || select.op != Op::Select {
        return None;
    }
    let [condition, word, other] = [0, 1, 2].map(|at| defined.get(&select.args[at]).copied());
    let (condition, word) = (condition?, word?);
    // A program's own comparison is another instruction.
    if condition.op != Op::IEq || word.op != Op::BufferLoad || condition.origin.line != select.origin.line {
        return None;
    }
    let Target::Resource(id) = word.attrs.target else { return None };
    let Slot::Register { class: RegisterClass::B, index, .. } = program.interface.resource(id).slot else { return None };
    let is_constant = |value: &Value, bits: u64| {
        defined.get(value).is_some_and(|made| made.op == Op::Const && made.attrs.target == Target::Bits(bits))
    };
    if !is_constant(&condition.args[1], index.into()) {
        return None;
    }
    let is_last = other.is_some_and(|other| other.op == Op::Const && other.attrs.target == Target::Bits(0));
    Some(ChosenBuffer { number: condition.args[0], is_last })
}

/// For each value its bits where it is a constant.
pub(crate) fn constants(function: &Function) -> Vec<Option<u64>> {
    let mut found = vec![None; function.values.len()];
    walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && let (Op::Const, Target::Bits(bits)) = (instruction.op, instruction.attrs.target)
        {
            found[instruction.results[0].index()] = Some(bits);
        }
    });
    found
}

/// Whether a branch in a region goes to a label.
pub(crate) fn comes_to(region: &Region, label: Label) -> bool {
    let mut comes = false;
    walk(region, &mut |node| comes |= matches!(node, Node::Br { target, .. } if *target == label));
    comes
}

/// The value that a join stands for where all ways bring the same.
pub(crate) fn resolved(sites: &[Option<Site<'_>>], incoming: &[Vec<Value>], value: Value) -> Value {
    let mut value = value;
    // Joins in a row are few; a ring of them ends here too.
    for _ in 0..16 {
        match (&sites[value.index()], &incoming[value.index()][..]) {
            (Some(Site::Construct { .. } | Site::Arm { .. }), [first, rest @ ..]) if rest.iter().all(|other| other == first) => {
                value = *first;
            }
            _ => break,
        }
    }
    value
}
