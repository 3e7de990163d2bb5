//! Masks of comparisons that are used as floats.
//!
//! ## Why
//! A comparison of Direct3D gives a mask: all ones where it holds, all zeros where it does not. All ones, read as a float, is a NaN. It
//! spreads through arithmetic, and a render target that it reaches turns black or is filtered to black all around.
//!
//! ## Example
//! ~~~text
//! lt r0.x, v0.x, l(0.5)
//! mul o0.x, r0.x, v0.y        where it holds, NaN * v0.y
//! ~~~
//! So is `bitcast<f32>(select(0u, 0xffffffffu, a < b))` in WGSL, which ports of such programs contain.
//!
//! ## What to do
//! Make a number of the mask: `and r0.x, r0.x, l(0x3f800000)` gives 1.0 or 0.0, as does `select(0.0, 1.0, a < b)`; or choose by it with `movc`.
//!
//! ## What it does not see
//! Masks that go through memory, arrays `x#` among it, or through integer arithmetic. Outputs whose declaration does not say that they
//! hold floats. A mask that is only moved, selected or negated as a float is not reported until something calculates with it or it leaves the program; a comparison with
//! zero for equality is right of a mask too, and not reported.

use super::{Finding, Severity, Subject};
use gpuproof_program::{
    Detail, Function, FunctionId, Instruction, Kind, Node, Op, Origin, Program, SamplingOperands, Shape, Site, Target, Value,
    Width, walk,
};
use std::collections::BTreeSet;

const ALL_ONES: u64 = 0xffff_ffff;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(program) = subject.program else { return Vec::new() };
    let masks = Masks::of(program);
    let live = subject.live(program);
    let mut found: BTreeSet<(Origin, Origin, &str)> = BTreeSet::new();
    for (at, function) in program.functions.iter().enumerate() {
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            if !live.instruction(FunctionId(at as u32), instruction) {
                return;
            }
            for (arg, value) in instruction.args.iter().enumerate() {
                if let Some(mask) = masks.made[at][value.index()]
                    && let Some(use_) = float_use(program, function, &masks.sites[at], instruction, arg)
                {
                    found.insert((Origin { component: 0, ..instruction.origin }, Origin { component: 0, ..mask }, use_));
                }
            }
        });
    }
    let finding = |(at, mask, use_): (Origin, Origin, &str)| Finding {
        rule: "nan-mask",
        severity: Severity::Warning,
        place: subject.place(at),
        message: format!("the mask of {} {use_}: where it holds, that is a NaN", subject.named(mask)),
        help: "make it 1.0 or 0.0 first (`and` with 0x3f800000, or select), or choose by it".into(),
    };
    found.into_iter().map(finding).collect()
}

/// How an operation uses an operand as a float, if it does.
fn float_use(
    program: &Program,
    function: &Function,
    sites: &[Option<Site<'_>>],
    instruction: &Instruction,
    arg: usize,
) -> Option<&'static str> {
    let constant = |value: Value| match sites[value.index()] {
        Some(Site::Op { instruction, .. }) if instruction.op == Op::Const => match instruction.attrs.target {
            Target::Bits(bits) => Some(bits),
            _ => None,
        },
        _ => None,
    };
    let is_word = function.width(instruction.args[arg]) == Width::W32;
    match (instruction.op, instruction.attrs.target) {
        (Op::FAbs | Op::FNeg, _) => None,
        (Op::FEq | Op::FNe, _) if constant(instruction.args[1 - arg]).is_some_and(|bits| bits & 0x7fff_ffff == 0) => None,
        (Op::FLdexp, _) if arg == 1 => None,
        (Op::Sample | Op::SampleLevel | Op::Gather, _) => {
            (SamplingOperands::COORDINATES..=SamplingOperands::LAYER).contains(&arg).then_some("is a texture coordinate")
        }
        (Op::Output, Target::Output(id, _)) => {
            (program.interface.output(id).kind == Kind::Float).then_some("reaches an output of floats")
        }
        (Op::Emit, _) => {
            let Detail::Stream(stream) = instruction.attrs.detail else { return None };
            let (id, _) = program.interface.vertex_of(stream).nth(arg)?;
            (program.interface.output(id).kind == Kind::Float).then_some("reaches an output of floats")
        }
        (Op::TexelStore, Target::Resource(id)) => match program.interface.resource(id).shape {
            Shape::Texture(shape) if shape.kind == Kind::Float && arg >= 4 => Some("is stored to a texture of floats"),
            _ => None,
        },
        (op, _) if is_word && op.row().name.starts_with("f.") => Some("is calculated with as a float"),
        _ => None,
    }
}

/// Which values may be masks, with the place of the comparison.
struct Masks<'a> {
    made: Vec<Vec<Option<Origin>>>,
    sites: Vec<Vec<Option<Site<'a>>>>,
}

impl<'a> Masks<'a> {
    fn of(program: &'a Program) -> Masks<'a> {
        let sites: Vec<_> = program.functions.iter().map(Function::definitions).collect();
        let incoming: Vec<_> = program.functions.iter().map(Function::incoming).collect();
        let made = program.functions.iter().map(|function| vec![None; function.values.len()]).collect();
        let mut masks = Masks { made, sites };
        // Each round carries masks at least one value further; most programs take two or three.
        loop {
            let mut changed = false;
            for (at, function) in program.functions.iter().enumerate() {
                for value in (0..function.values.len() as u32).map(Value) {
                    if masks.made[at][value.index()].is_none()
                        && let Some(origin) = masks.of_value(program, at, &incoming[at], value)
                    {
                        masks.made[at][value.index()] = Some(origin);
                        changed = true;
                    }
                }
            }
            if !changed {
                return masks;
            }
        }
    }

    fn constant(&self, at: usize, value: Value) -> Option<u64> {
        match self.sites[at][value.index()] {
            Some(Site::Op { instruction, .. }) if instruction.op == Op::Const => match instruction.attrs.target {
                Target::Bits(bits) => Some(bits),
                _ => None,
            },
            _ => None,
        }
    }

    fn of_value(&self, program: &Program, at: usize, incoming: &[Vec<Value>], value: Value) -> Option<Origin> {
        let known = |value: Value| self.made[at][value.index()];
        if program.functions[at].width(value) != Width::W32 {
            return None;
        }
        let instruction = match self.sites[at][value.index()]? {
            Site::Op { instruction, .. } => instruction,
            Site::Param(position) => return self.argument(program, FunctionId(at as u32), position),
            Site::Construct { .. } | Site::Arm { .. } => return incoming[value.index()].iter().find_map(|from| known(*from)),
        };
        let args = &instruction.args;
        let is_ones = |value: Value| self.constant(at, value) == Some(ALL_ONES);
        let is_zero = |value: Value| self.constant(at, value) == Some(0);
        match instruction.op {
            Op::SExtend if program.functions[at].width(args[0]) == Width::W1 => Some(instruction.origin),
            Op::Select if (is_ones(args[1]) && is_zero(args[2])) || (is_zero(args[1]) && is_ones(args[2])) => {
                Some(instruction.origin)
            }
            Op::Select => known(args[1]).or_else(|| known(args[2])),
            Op::FNeg | Op::FAbs | Op::INot => known(args[0]),
            // All ones stay only if both are masks; with another number a mask gives that number or zero.
            Op::IAnd => known(args[0]).and_then(|mask| known(args[1]).map(|_| mask)),
            Op::IOr | Op::IXor => known(args[0]).or_else(|| known(args[1])),
            Op::Call => match instruction.attrs.target {
                Target::Function(callee) => {
                    let result = args_position(&instruction.results, value)?;
                    self.returned(program, callee, result)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn argument(&self, program: &Program, callee: FunctionId, position: usize) -> Option<Origin> {
        let mut found = None;
        for (at, function) in program.functions.iter().enumerate() {
            walk(&function.body, &mut |node| match node {
                Node::Op(call) if call.op == Op::Call && call.attrs.target == Target::Function(callee) => {
                    found = found.or(self.made[at][call.args[position].index()]);
                }
                _ => {}
            });
        }
        found
    }

    fn returned(&self, program: &Program, callee: FunctionId, position: usize) -> Option<Origin> {
        let mut found = None;
        walk(&program.function(callee).body, &mut |node| {
            if let Node::Return { values } = node {
                found = found.or(self.made[callee.index()][values[position].index()]);
            }
        });
        found
    }
}

fn args_position(values: &[Value], value: Value) -> Option<usize> {
    values.iter().position(|other| *other == value)
}
