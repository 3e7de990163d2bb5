//! Which WGSL type each untyped value has in a formula, so that as few reinterpretations as possible are written.

use super::Context;
use crate::formula::ty::Ty;
use crate::formula::vocabulary::Form;
use gpuproof_program::{Function, Instruction, Kind, Node, Op, Target, Value, Width, walk};

/// What is known of a value's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The operation decides.
    Fixed(Ty),
    /// An integer of either sign.
    Integer,
    /// Whatever flows into it and out of it.
    Free,
}

/// The type of the number of a resource's texels.
fn texel(context: &Context<'_>, target: Target) -> Ty {
    let id = match target {
        Target::Resource(id) | Target::Sampled(id, _) => id,
        _ => return Ty::U32,
    };
    match &context.vocabulary.resource(id).form {
        Form::Texture(shape) => Ty::of(shape.kind, Width::W32),
        _ => Ty::U32,
    }
}

/// The type of a memory of words.
fn word_of(atomic: Option<Ty>) -> Ty {
    atomic.unwrap_or(Ty::U32)
}

/// What an operation decides about its results.
pub(super) fn of_result(context: &Context<'_>, instruction: &Instruction, at: usize, width: Width) -> Known {
    use Known::{Fixed, Free, Integer};
    if width == Width::W1 {
        return Fixed(Ty::Bool);
    }
    let name = instruction.op.row().name;
    match (instruction.op, instruction.attrs.target) {
        (Op::Select | Op::Const | Op::Undef | Op::QuadRead | Op::QuadSwap | Op::WaveReadFirst | Op::WaveReadLane, _) => Free,
        (Op::WaveReduce, _) => match instruction.attrs.detail {
            gpuproof_program::Detail::Reduction(reduction) => Fixed(Ty::of(reduction.kind, width)),
            _ => Free,
        },
        (Op::Input | Op::InputAt, Target::Input(id, _)) => Fixed(context.vocabulary.input(id).ty),
        (Op::ArrayLoad, Target::Array(id)) => Fixed(context.vocabulary.arrays[id.index()].ty),
        (Op::SharedLoad | Op::SharedAtomic, Target::Shared(id)) => {
            Fixed(word_of(context.vocabulary.shared[id.index()].uses.atomic()))
        }
        (Op::BufferLoad, Target::Resource(id)) => match context.constant(instruction) {
            Some((constant, _)) => Fixed(constant.ty),
            None if matches!(context.vocabulary.resource(id).form, Form::Rows) => Fixed(Ty::F32),
            None => Fixed(word_of(context.vocabulary.resource(id).uses.atomic())),
        },
        (Op::StructuredLoad, Target::Resource(id)) => {
            let word = context.vocabulary.resource(id);
            let member = context.member(instruction).map(|(member, _)| member.ty);
            Fixed(member.unwrap_or(word_of(word.uses.atomic())))
        }
        (Op::BufferAtomic | Op::StructuredAtomic, Target::Resource(id)) => {
            Fixed(word_of(context.vocabulary.resource(id).uses.atomic()))
        }
        (Op::TexelLoad | Op::TexelAtomic, Target::Resource(id)) if context.is_typed(id) => {
            Fixed(if at < 4 { word_of(context.vocabulary.resource(id).uses.atomic()) } else { Ty::U32 })
        }
        (Op::TexelLoad | Op::Sample | Op::Gather | Op::TexelAtomic, target) => {
            Fixed(if at < 4 { texel(context, target) } else { Ty::U32 })
        }
        (Op::SampleLevel | Op::RasterSamplePosition | Op::TextureSamplePosition, _) => Fixed(Ty::F32),
        (Op::FToS, _) => Fixed(Ty::I32),
        (Op::FToU, _) => Fixed(Ty::U32),
        (Op::SToF | Op::UToF | Op::NormToF, _) => Fixed(Ty::of(Kind::Float, width)),
        (Op::FFrexp, _) if at == 1 => Fixed(Ty::I32),
        (Op::FConvert, _) if width == Width::W16 => Fixed(Ty::U32),
        _ if name.starts_with("f.") => Fixed(Ty::of(Kind::Float, width)),
        _ if width == Width::W64 => Fixed(Ty::U64),
        (Op::IReverse | Op::ICount | Op::IFindLow, _) => Fixed(Ty::U32),
        _ if name.starts_with("i.") && instruction.op != Op::ITruncate => Integer,
        _ if name.starts_with("s.") && instruction.op != Op::SExtend => Fixed(Ty::I32),
        _ => Fixed(Ty::U32),
    }
}

/// The type that an operation reads an operand as; none for the type of its result or of its other operand.
pub(super) fn of_operand(instruction: &Instruction, at: usize, width: Width) -> Option<Ty> {
    if width == Width::W1 {
        return Some(Ty::Bool);
    }
    let name = instruction.op.row().name;
    match instruction.op {
        Op::Select | Op::IEq | Op::INe | Op::QuadRead | Op::QuadSwap | Op::WaveReadFirst | Op::WaveReadLane => None,
        Op::FLdexp if at == 1 => Some(Ty::I32),
        Op::IShl | Op::UShr | Op::SShr if at == 1 => Some(Ty::U32),
        Op::UExtract | Op::SExtract if at > 0 => Some(Ty::U32),
        Op::IInsert if at > 1 => Some(Ty::U32),
        Op::SToF => Some(Ty::I32),
        Op::UToF => Some(Ty::U32),
        Op::IReverse | Op::ICount | Op::IFindLow => Some(if width == Width::W64 { Ty::U64 } else { Ty::U32 }),
        Op::Sample | Op::SampleLevel | Op::Gather => Some(Ty::F32),
        Op::FConvert if width == Width::W16 => Some(Ty::U32),
        _ if name.starts_with("f.") => Some(Ty::of(Kind::Float, width)),
        _ if width == Width::W64 => Some(Ty::U64),
        _ if name.starts_with("i.") && instruction.op != Op::ITruncate => None,
        _ if name.starts_with("s.") => Some(Ty::I32),
        _ => Some(Ty::U32),
    }
}

/// The type of every value of the context's function.
pub(super) fn infer(context: &Context<'_>, function: &Function) -> Vec<Ty> {
    let count = function.values.len();
    let mut known = vec![Known::Free; count];
    // Values whose types should agree, and votes of what is fixed.
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut votes: Vec<Vec<Ty>> = vec![Vec::new(); count];
    let mut silent = vec![false; count];
    let mut join = |a: Value, b: Value| {
        edges[a.index()].push(b.index());
        edges[b.index()].push(a.index());
    };
    for (to, sources) in function.incoming().iter().enumerate() {
        for from in sources {
            join(Value(to as u32), *from);
        }
    }
    walk(&function.body, &mut |node| {
        let Node::Op(instruction) = node else { return };
        for (at, result) in instruction.results.iter().enumerate() {
            known[result.index()] = of_result(context, instruction, at, function.width(*result));
            silent[result.index()] = matches!(instruction.op, Op::Const | Op::Undef);
        }
        let first = if instruction.op == Op::Select { 1 } else { 0 };
        // Coordinates of texels are integers of either sign.
        let places = match instruction.op {
            Op::TexelLoad => 5,
            Op::TexelStore | Op::TexelAtomic => 4,
            _ => 0,
        };
        for (at, arg) in instruction.args.iter().enumerate().skip(places) {
            match of_operand(instruction, at, function.width(*arg)) {
                Some(ty) => votes[arg.index()].push(ty),
                None if matches!(instruction.op, Op::IEq | Op::INe) => {
                    votes[arg.index()].push(Ty::U32);
                    join(instruction.args[0], instruction.args[1]);
                }
                None if at >= first => instruction.results.iter().for_each(|result| join(*result, *arg)),
                None => {}
            }
        }
        if let (Op::Output, Target::Output(id, component)) = (instruction.op, instruction.attrs.target)
            && let Some((word, _)) = context.vocabulary.output(id, component)
        {
            votes[instruction.args[0].index()].push(word.ty);
        }
    });
    let start = |at: usize, width: Width| match (known[at], width) {
        (Known::Fixed(ty), _) => ty,
        (_, Width::W1) => Ty::Bool,
        (_, Width::W64) => Ty::U64,
        _ => Ty::U32,
    };
    let mut types: Vec<Ty> = (0..count).map(|at| start(at, function.values[at])).collect();
    // What is not fixed and has not been voted on yet has no say.
    let mut settled: Vec<bool> = (0..count).map(|at| matches!(known[at], Known::Fixed(_))).collect();
    for _ in 0..6 {
        for at in 0..count {
            if settled_for_good(known[at], function.values[at]) {
                continue;
            }
            let fits = |ty: &Ty| match (known[at], function.values[at]) {
                (Known::Integer, _) => matches!(ty, Ty::U32 | Ty::I32),
                (_, Width::W64) => matches!(ty, Ty::U64 | Ty::F64),
                _ => matches!(ty, Ty::U32 | Ty::I32 | Ty::F32),
            };
            let neighbours = edges[at].iter().filter(|other| settled[**other] && !silent[**other]).map(|other| types[*other]);
            let all: Vec<Ty> = neighbours.chain(votes[at].iter().copied()).filter(fits).collect();
            let count_of = |wanted: Ty| all.iter().filter(|ty| **ty == wanted).count();
            let best = [Ty::F32, Ty::F64, Ty::U32, Ty::I32, Ty::U64].into_iter().max_by_key(|ty| (count_of(*ty), order(*ty)));
            if let Some(best) = best.filter(|best| count_of(*best) > 0) {
                types[at] = best;
                settled[at] = true;
            }
        }
    }
    types
}

fn settled_for_good(known: Known, width: Width) -> bool {
    matches!(known, Known::Fixed(_)) || width == Width::W1
}

/// Which of equally many votes wins.
fn order(ty: Ty) -> u8 {
    match ty {
        Ty::F32 | Ty::F64 => 3,
        Ty::U32 | Ty::U64 => 2,
        _ => 1,
    }
}
