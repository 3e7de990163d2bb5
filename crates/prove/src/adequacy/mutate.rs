//! Mutants: programs that differ from the original in one operation, as a wrong port would.
//!
//! What the original's own API leaves open is no mistake and makes no mutant: whether subnormals are flushed, whether operations are fused, what a clamped
//! access of WGSL gives. Nor is a change of what nothing depends on, nor of what an access out of range gives, since cases stay in range.

use super::guard::guards;
use super::record::MutantKind;
use super::weave::Fresh;
use crate::flow::{self, Role};
use gpuproof_program::*;
use std::collections::HashMap;

/// A change of one node of a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mutant {
    pub(super) kind: MutantKind,
    pub(super) function: FunctionId,
    /// The node, in the order of [`walk`].
    pub(super) node: usize,
    pub(super) origin: Origin,
    /// What was changed, for people.
    pub(super) change: String,
    pub(super) patch: Patch,
}

/// What stands in the node's place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Patch {
    /// These nodes, which define the node's results, and their values, the function's own first.
    Nodes(Vec<Node>, Vec<Width>),
    /// The node with this condition, which these nodes before it define.
    Condition(Vec<Node>, Vec<Width>, Value),
    /// The switch with this arm never entered by its selectors.
    NoSelectors(usize),
}

/// An operation, and the positions of the operands that it takes.
type Taken = (Op, &'static [usize]);

/// Operations that are taken for others, with the positions of the operands that the other takes.
const OPERATIONS: &[(Op, &[Taken])] = &[
    (Op::FAdd, &[(Op::FSub, &[0, 1])]),
    (Op::FSub, &[(Op::FAdd, &[0, 1])]),
    (Op::FMul, &[(Op::FDiv, &[0, 1]), (Op::FAdd, &[0, 1])]),
    (Op::FDiv, &[(Op::FMul, &[0, 1])]),
    (Op::FMad, &[(Op::FMul, &[0, 1]), (Op::FAdd, &[0, 2])]),
    (Op::FFma, &[(Op::FMul, &[0, 1]), (Op::FAdd, &[0, 2])]),
    (Op::FDot2, &[(Op::FMul, &[0, 2])]),
    (Op::FDot3, &[(Op::FDot2, &[0, 1, 3, 4])]),
    (Op::FDot4, &[(Op::FDot3, &[0, 1, 2, 4, 5, 6])]),
    (Op::FSqrt, &[(Op::FRsqrt, &[0])]),
    (Op::FRsqrt, &[(Op::FSqrt, &[0])]),
    (Op::FRcp, &[(Op::FRsqrt, &[0])]),
    (Op::FExp2, &[(Op::FExp, &[0])]),
    (Op::FExp, &[(Op::FExp2, &[0])]),
    (Op::FLog2, &[(Op::FLog, &[0])]),
    (Op::FLog, &[(Op::FLog2, &[0])]),
    (Op::FSin, &[(Op::FCos, &[0])]),
    (Op::FCos, &[(Op::FSin, &[0])]),
    (Op::FAsin, &[(Op::FAcos, &[0])]),
    (Op::FAcos, &[(Op::FAsin, &[0])]),
    (Op::FAtan, &[(Op::FSin, &[0])]),
    (Op::FMin, &[(Op::FMax, &[0, 1])]),
    (Op::FMax, &[(Op::FMin, &[0, 1])]),
    (Op::FSaturate, &[(Op::IOr, &[0, 0])]),
    (Op::FFloor, &[(Op::FCeil, &[0]), (Op::FTrunc, &[0])]),
    (Op::FCeil, &[(Op::FFloor, &[0])]),
    (Op::FTrunc, &[(Op::FFloor, &[0])]),
    (Op::FRound, &[(Op::FFloor, &[0])]),
    (Op::FFract, &[(Op::IOr, &[0, 0])]),
    (Op::FAbs, &[(Op::IOr, &[0, 0])]),
    (Op::FNeg, &[(Op::FAbs, &[0])]),
    (Op::FSign, &[(Op::IOr, &[0, 0])]),
    (Op::FEq, &[(Op::FLe, &[0, 1])]),
    (Op::FNe, &[(Op::FLt, &[0, 1])]),
    (Op::FLt, &[(Op::FLe, &[0, 1])]),
    (Op::FLe, &[(Op::FLt, &[0, 1])]),
    (Op::FToS, &[(Op::FToU, &[0])]),
    (Op::FToU, &[(Op::FToS, &[0])]),
    (Op::SToF, &[(Op::UToF, &[0])]),
    (Op::UToF, &[(Op::SToF, &[0])]),
    (Op::UExtend, &[(Op::SExtend, &[0])]),
    (Op::SExtend, &[(Op::UExtend, &[0])]),
    (Op::IAdd, &[(Op::ISub, &[0, 1])]),
    (Op::ISub, &[(Op::IAdd, &[0, 1])]),
    (Op::IMul, &[(Op::IAdd, &[0, 1])]),
    (Op::SMulHigh, &[(Op::UMulHigh, &[0, 1])]),
    (Op::UMulHigh, &[(Op::SMulHigh, &[0, 1])]),
    (Op::SDiv, &[(Op::UDiv, &[0, 1])]),
    (Op::SRem, &[(Op::URem, &[0, 1])]),
    (Op::UDiv, &[(Op::SDiv, &[0, 1])]),
    (Op::URem, &[(Op::SRem, &[0, 1])]),
    (Op::UAddCarry, &[(Op::USubBorrow, &[0, 1])]),
    (Op::USubBorrow, &[(Op::UAddCarry, &[0, 1])]),
    (Op::IAnd, &[(Op::IOr, &[0, 1])]),
    (Op::IOr, &[(Op::IAnd, &[0, 1]), (Op::IXor, &[0, 1])]),
    (Op::IXor, &[(Op::IOr, &[0, 1]), (Op::IAnd, &[0, 1])]),
    (Op::IShl, &[(Op::UShr, &[0, 1])]),
    (Op::UShr, &[(Op::SShr, &[0, 1]), (Op::IShl, &[0, 1])]),
    (Op::SShr, &[(Op::UShr, &[0, 1])]),
    (Op::SLt, &[(Op::SLe, &[0, 1]), (Op::ULt, &[0, 1])]),
    (Op::SLe, &[(Op::SLt, &[0, 1]), (Op::ULe, &[0, 1])]),
    (Op::ULt, &[(Op::ULe, &[0, 1]), (Op::SLt, &[0, 1])]),
    (Op::ULe, &[(Op::ULt, &[0, 1]), (Op::SLe, &[0, 1])]),
    (Op::SMin, &[(Op::SMax, &[0, 1]), (Op::UMin, &[0, 1])]),
    (Op::SMax, &[(Op::SMin, &[0, 1]), (Op::UMax, &[0, 1])]),
    (Op::UMin, &[(Op::UMax, &[0, 1]), (Op::SMin, &[0, 1])]),
    (Op::UMax, &[(Op::UMin, &[0, 1]), (Op::SMax, &[0, 1])]),
    (Op::UExtract, &[(Op::SExtract, &[0, 1, 2])]),
    (Op::SExtract, &[(Op::UExtract, &[0, 1, 2])]),
    (Op::IReverse, &[(Op::INot, &[0])]),
    (Op::ICount, &[(Op::UFindHigh, &[0])]),
    (Op::IFindLow, &[(Op::UFindHigh, &[0])]),
    (Op::UFindHigh, &[(Op::SFindHigh, &[0]), (Op::IFindLow, &[0])]),
    (Op::SFindHigh, &[(Op::UFindHigh, &[0])]),
    (Op::UDot4x8, &[(Op::SDot4x8, &[0, 1])]),
    (Op::SDot4x8, &[(Op::UDot4x8, &[0, 1])]),
    (Op::FDdx, &[(Op::FDdy, &[0])]),
    (Op::FDdy, &[(Op::FDdx, &[0])]),
    (Op::WaveAll, &[(Op::WaveAny, &[0])]),
    (Op::WaveAny, &[(Op::WaveAll, &[0])]),
];

/// Operations whose first two operands cannot be exchanged.
const ORDERED: &[Op] = &[
    Op::FSub,
    Op::FDiv,
    Op::FAtan2,
    Op::FLt,
    Op::FLe,
    Op::ISub,
    Op::SDiv,
    Op::SRem,
    Op::UDiv,
    Op::URem,
    Op::USubBorrow,
    Op::IShl,
    Op::UShr,
    Op::SShr,
    Op::SLt,
    Op::SLe,
    Op::ULt,
    Op::ULe,
    Op::IInsert,
    Op::UMsad,
];

/// All mutants of a program, function by function in the order of nodes.
pub(super) fn mutants(program: &Program) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (at, function) in program.functions.iter().enumerate() {
        let guards = guards(program, function);
        let mut maker = Maker {
            program,
            function,
            id: FunctionId(at as u32),
            live: flow::live(program, function),
            roles: roles(program, function, &guards),
            guards,
            used_at: used_at(function),
            constants: crate::flow::constants(function),
            node: 0,
            origin: Origin::NONE,
            found: &mut found,
        };
        let mut number = 0;
        walk(&function.body, &mut |node| {
            maker.node = number;
            number += 1;
            maker.of(node);
        });
    }
    tell_apart(&mut found);
    found
}

/// Numbers the mutants that change the same at the same place of the source.
fn tell_apart(mutants: &mut [Mutant]) {
    let key = |mutant: &Mutant| {
        let Origin { line, component, .. } = mutant.origin;
        (line, component, mutant.change.clone())
    };
    let mut counts: HashMap<_, (usize, usize)> = HashMap::new();
    mutants.iter().for_each(|mutant| counts.entry(key(mutant)).or_default().1 += 1);
    for mutant in mutants {
        if let Some((at, of @ 2..)) = counts.get_mut(&key(mutant)) {
            *at += 1;
            mutant.change = format!("{} ({at} of {of})", mutant.change);
        }
    }
}

/// For each value the ways in which it is used, but by what nothing depends on.
fn roles(program: &Program, function: &Function, guards: &[bool]) -> Vec<Vec<Role>> {
    let live = flow::live(program, function);
    let mut roles = vec![Vec::new(); function.values.len()];
    walk(&function.body, &mut |node| match node {
        Node::Op(instruction) => {
            let is_used =
                instruction.op.row().class == Class::Writes || instruction.results.iter().any(|result| live[result.index()]);
            let guards = instruction.results.iter().any(|result| guards[result.index()]);
            for (at, arg) in instruction.args.iter().enumerate().filter(|_| is_used) {
                roles[arg.index()].push(if guards { Role::Address } else { flow::role(program, instruction, at) });
            }
        }
        other => flow::operands(other)
            .iter()
            .filter(|value| live[value.index()])
            .for_each(|value| roles[value.index()].push(Role::Value)),
    });
    roles
}

/// For each value the place of the first operation that uses it.
fn used_at(function: &Function) -> Vec<Option<Origin>> {
    let mut found = vec![None; function.values.len()];
    walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node {
            for arg in &instruction.args {
                found[arg.index()].get_or_insert(instruction.origin);
            }
        }
    });
    found
}

struct Maker<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FunctionId,
    live: Vec<bool>,
    roles: Vec<Vec<Role>>,
    /// What only keeps accesses where they hit.
    guards: Vec<bool>,
    /// Where each value is first computed with.
    used_at: Vec<Option<Origin>>,
    constants: Vec<Option<u64>>,
    node: usize,
    origin: Origin,
    found: &'a mut Vec<Mutant>,
}

impl Maker<'_> {
    fn push(&mut self, kind: MutantKind, change: String, patch: Patch) {
        let (function, node, origin) = (self.id, self.node, self.origin);
        self.found.push(Mutant { kind, function, node, origin, change, patch });
    }

    /// The instruction in another form.
    fn replace(&mut self, kind: MutantKind, change: String, instruction: Instruction) {
        self.push(kind, change, Patch::Nodes(vec![Node::Op(instruction)], self.function.values.clone()));
    }

    /// The instruction with nodes before it or behind it.
    fn build(&mut self, kind: MutantKind, change: String, build: impl FnOnce(&mut Fresh, &mut Region)) {
        let mut fresh = Fresh::after(self.function);
        let mut nodes = Region::new();
        build(&mut fresh, &mut nodes);
        for node in &mut nodes {
            if let Node::Op(instruction) = node {
                instruction.origin = self.origin;
            }
        }
        self.push(kind, change, Patch::Nodes(nodes, fresh.finish()));
    }

    fn of(&mut self, node: &Node) {
        match node {
            Node::Op(instruction) => {
                self.origin = instruction.origin;
                let is_live = instruction.results.iter().any(|result| self.live[result.index()]);
                if is_live || instruction.op.row().class == Class::Writes {
                    self.instruction(instruction);
                }
            }
            Node::If { condition, origin, .. } => {
                self.origin = *origin;
                if !self.guards[condition.index()] {
                    self.condition(*condition);
                }
            }
            Node::Switch { arms, origin, .. } => {
                self.origin = *origin;
                for (at, arm) in arms.iter().enumerate().filter(|(_, arm)| !arm.selectors.is_empty() && !arm.is_default) {
                    let change = format!("case {} never entered", arm.selectors[0]);
                    self.push(MutantKind::Branch, change, Patch::NoSelectors(at));
                }
            }
            _ => {}
        }
    }

    fn condition(&mut self, condition: Value) {
        let mut with = |kind, change: &str, build: &dyn Fn(&mut Fresh, &mut Region) -> Value| {
            let mut fresh = Fresh::after(self.function);
            let mut nodes = Region::new();
            let value = build(&mut fresh, &mut nodes);
            self.push(kind, change.into(), Patch::Condition(nodes, fresh.finish(), value));
        };
        with(MutantKind::Condition, "condition inverted", &|fresh, out| {
            fresh.op(out, Op::INot, Attrs::default(), &[condition], Width::W1)
        });
        with(MutantKind::Branch, "branch always taken", &|fresh, out| fresh.constant(out, Width::W1, 1));
        with(MutantKind::Branch, "branch never taken", &|fresh, out| fresh.constant(out, Width::W1, 0));
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction.op {
            Op::Const => {
                // Constants stand for themselves; who uses one tells more.
                self.origin = self.used_at[instruction.results[0].index()].unwrap_or(instruction.origin);
                return self.constant(instruction);
            }
            Op::Undef | Op::Call | Op::IsHelper => return,
            _ if instruction.results.iter().any(|result| self.guards[result.index()]) => return,
            _ => {}
        }
        self.operation(instruction);
        self.operands(instruction);
        self.negated(instruction);
        self.dropped(instruction);
        self.indices(instruction);
        self.rules(instruction);
        self.components(instruction);
        self.sampling(instruction);
        self.details(instruction);
    }

    fn width(&self, value: Value) -> Width {
        self.function.width(value)
    }

    /// Other constants in the place of one that is computed with, and does not only find a place.
    fn constant(&mut self, instruction: &Instruction) {
        let result = instruction.results[0];
        let Some(bits) = self.constants[result.index()] else { return };
        if !self.roles[result.index()].contains(&Role::Value) {
            return;
        }
        let width = self.width(result);
        let (floats, integers) = self.uses(result);
        let is_float_zero = bits == 0 && floats;
        let mut nudge = |text: String, bits: u64| {
            let attrs = Attrs::target(Target::Bits(bits & width.mask()));
            self.replace(MutantKind::Constant, text, Instruction { attrs, ..instruction.clone() });
        };
        if width == Width::W1 {
            return nudge("the other truth value".into(), bits ^ 1);
        }
        let float = f32::from_bits(bits as u32);
        // What is not computed with as an integer, and would be a strange one.
        if width == Width::W32 && (floats || !integers) && float.is_normal() && (1e-30..1e30).contains(&float.abs()) {
            nudge(format!("{float:?} to {:?}", float.next_up()), u64::from(float.next_up().to_bits()));
            nudge(format!("{float:?} to {:?}", float * 2.0), u64::from((float * 2.0).to_bits()));
            nudge(format!("{float:?} to {:?}", -float), bits ^ 0x8000_0000);
        } else if is_float_zero {
            self.replace(
                MutantKind::Constant,
                "0 to 1.0".into(),
                Instruction { attrs: Attrs::target(Target::Bits(super::goals::one(width))), ..instruction.clone() },
            );
        } else {
            nudge(format!("{bits} to {}", bits.wrapping_add(1) & width.mask()), bits.wrapping_add(1));
        }
    }

    /// Whether a value is an operand of float operations, and whether of integer ones.
    fn uses(&self, value: Value) -> (bool, bool) {
        let (mut floats, mut integers) = (false, false);
        walk(&self.function.body, &mut |node| {
            if let Node::Op(instruction) = node
                && instruction.args.contains(&value)
            {
                let name = instruction.op.row().name;
                floats |= name.starts_with("f.");
                integers |= ["i.", "u.", "s."].iter().any(|family| name.starts_with(family));
            }
        });
        (floats, integers)
    }

    fn operation(&mut self, instruction: &Instruction) {
        let Instruction { op, attrs, args, results, origin } = instruction;
        if *op == Op::Select {
            for (at, text) in [(1, "select always takes the first"), (2, "select always takes the second")] {
                let (args, results) = (vec![args[at]; 2], results.clone());
                let copy = Instruction { op: Op::IOr, attrs: Attrs::default(), args, results, origin: *origin };
                self.replace(MutantKind::Branch, text.into(), copy);
            }
            return;
        }
        let Some((_, others)) = OPERATIONS.iter().find(|(from, _)| from == op) else { return };
        for (other, positions) in *others {
            let row = other.row();
            let t = self.width(args[0]);
            if !row.widths.is_empty() && !row.widths.contains(&t) {
                continue;
            }
            if *other == Op::FRsqrt && t == Width::W64 {
                continue;
            }
            // Shifts of booleans and the like have no partner.
            let mut rules = Rules::default();
            for choice in op.choices().iter().filter(|choice| other.choices().contains(choice)) {
                if let Some(word) = attrs.rules.word(*choice) {
                    rules.set_word(word);
                }
            }
            let detail = if op.row().detail == row.detail { attrs.detail } else { Detail::None };
            let args: Vec<Value> = positions.iter().map(|at| args[*at]).collect();
            let change = if *other == Op::IOr && positions == &[0, 0] {
                format!("{} left out", op.row().name)
            } else {
                format!("{} to {}", op.row().name, row.name)
            };
            let attrs = Attrs { rules, detail, target: Target::None };
            let (results, origin) = (results.clone(), *origin);
            self.replace(MutantKind::Operation, change, Instruction { op: *other, attrs, args, results, origin });
        }
    }

    fn operands(&mut self, instruction: &Instruction) {
        let mut swap = |a: usize, b: usize| {
            let mut args = instruction.args.clone();
            let alike = args[a] == args[b] || self.width(args[a]) != self.width(args[b]);
            args.swap(a, b);
            if !alike {
                let change = format!("operands {a} and {b} exchanged");
                self.replace(MutantKind::Operands, change, Instruction { args, ..instruction.clone() });
            }
        };
        match instruction.op {
            op if ORDERED.contains(&op) => swap(0, 1),
            Op::FMad | Op::FFma => swap(1, 2),
            Op::FDot2 => swap(0, 1),
            Op::FDot3 | Op::FDot4 => swap(0, 1),
            Op::UExtract | Op::SExtract => swap(1, 2),
            _ => {}
        }
    }

    fn negated(&mut self, instruction: &Instruction) {
        let row = instruction.op.row();
        let Some(&result) = instruction.results.first() else { return };
        let width = self.width(result);
        let float = row.name.starts_with("f.") && row.name != "f.neg" && row.class == Class::Pure && width != Width::W1;
        let is_float = float && !matches!(instruction.op, Op::FToS | Op::FToU | Op::FToNorm)
            || matches!(instruction.op, Op::SToF | Op::UToF);
        if instruction.results.len() == 1 && is_float {
            self.build(MutantKind::Negation, "result negated".into(), |fresh, out| {
                let before = fresh.value(width);
                out.push(Node::Op(Instruction { results: vec![before], ..instruction.clone() }));
                let negate = Instruction {
                    op: Op::FNeg,
                    attrs: Attrs::default(),
                    args: vec![before],
                    results: vec![result],
                    origin: instruction.origin,
                };
                out.push(Node::Op(negate));
            });
        }
        if row.class == Class::Pure && row.scope == Scope::Lane && width == Width::W1 && instruction.results.len() == 1 {
            self.build(MutantKind::Condition, "condition inverted".into(), |fresh, out| {
                let before = fresh.value(width);
                out.push(Node::Op(Instruction { results: vec![before], ..instruction.clone() }));
                let (args, results) = (vec![before], vec![result]);
                let origin = instruction.origin;
                out.push(Node::Op(Instruction { op: Op::INot, attrs: Attrs::default(), args, results, origin }));
            });
        }
        if instruction.op == Op::Select {
            let mut args = instruction.args.clone();
            args.swap(1, 2);
            if args[1] != args[2] {
                self.replace(MutantKind::Condition, "condition inverted".into(), Instruction { args, ..instruction.clone() });
            }
        }
    }

    fn dropped(&mut self, instruction: &Instruction) {
        if instruction.op.row().class == Class::Writes
            && !matches!(instruction.op, Op::Call)
            && !matches!(instruction.attrs.detail, Detail::Atomic(AtomicOp::Load))
        {
            let what = instruction.op.row().name;
            let results = &instruction.results;
            // Where nothing is read, nothing is what comes of it.
            let zero = |result: &Value| {
                let attrs = Attrs::target(Target::Bits(0));
                let (args, results, origin) = (Vec::new(), vec![*result], instruction.origin);
                Node::Op(Instruction { op: Op::Const, attrs, args, results, origin })
            };
            let nodes = results.iter().map(zero).collect();
            let patch = Patch::Nodes(nodes, self.function.values.clone());
            self.push(MutantKind::Store, format!("{what} left out"), patch);
        }
    }

    fn indices(&mut self, instruction: &Instruction) {
        for (at, arg) in instruction.args.clone().into_iter().enumerate() {
            if flow::role(self.program, instruction, at) != Role::Address {
                continue;
            }
            let unit = match (instruction.op, at) {
                (Op::BufferLoad | Op::BufferStore | Op::BufferAtomic, _) => self.stride(instruction),
                (Op::SharedLoad | Op::SharedStore | Op::SharedAtomic, _) => match instruction.attrs.target {
                    Target::Shared(id) => self.program.shared[id.index()].stride.max(4),
                    _ => 4,
                },
                (Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic, 2) => 4,
                _ => 1,
            };
            let layer = matches!(instruction.op, Op::Sample | Op::Gather | Op::SampleLevel);
            let width = self.width(arg);
            let text = if unit == 1 { "index off by one".into() } else { format!("address off by {unit}") };
            self.build(MutantKind::Index, text, |fresh, out| {
                let (op, bits) = if layer { (Op::FAdd, super::goals::one(width)) } else { (Op::IAdd, u64::from(unit)) };
                let one = fresh.constant(out, width, bits);
                let next = fresh.op(out, op, Attrs::default(), &[arg, one], width);
                let mut moved = instruction.clone();
                moved.args[at] = next;
                out.push(Node::Op(moved));
            });
        }
    }

    /// The distance between elements of a buffer.
    fn stride(&self, instruction: &Instruction) -> u32 {
        let Target::Resource(id) = instruction.attrs.target else { return 4 };
        let resource = self.program.interface.resource(id);
        match resource.shape {
            Shape::ConstantBuffer { .. } => 16,
            _ => crate::cases::uses::element_bytes(resource),
        }
    }

    fn rules(&mut self, instruction: &Instruction) {
        let rules = instruction.attrs.rules;
        for choice in instruction.op.choices() {
            let changed = match choice {
                // What either dialect leaves open is no mistake: see the module's head.
                Choice::Denormals | Choice::Refactor => continue,
                // Cases stay in range: out of it programs show nothing but the rules for that.
                Choice::Bounds => continue,
                Choice::Order => {
                    Rules { order: if rules.order == Order::Literal { Order::NanLoses } else { Order::Literal }, ..rules }
                }
                Choice::Rounding if self.width(instruction.args[0]) < self.width(instruction.results[0]) => continue,
                Choice::Rounding => Rules {
                    rounding: match rules.rounding {
                        Rounding::NearestEven => Rounding::TowardZero,
                        Rounding::TowardZero => Rounding::NearestEven,
                    },
                    ..rules
                },
                Choice::Division => Rules {
                    division: match rules.division {
                        Division::AllOnes => Division::Identity,
                        Division::Identity => Division::AllOnes,
                    },
                    ..rules
                },
                Choice::Range => Rules {
                    range: match rules.range {
                        Range::Clamp => Range::ClampToFloat,
                        Range::ClampToFloat => Range::Clamp,
                    },
                    ..rules
                },
                Choice::Field => Rules {
                    field: match rules.field {
                        Field::LowBits => Field::Clamp,
                        Field::Clamp => Field::LowBits,
                    },
                    ..rules
                },
            };
            let change = format!("another rule of {choice:?}").to_lowercase();
            let attrs = instruction.attrs.with_rules(changed);
            self.replace(MutantKind::Rule, change, Instruction { attrs, ..instruction.clone() });
        }
    }

    fn components(&mut self, instruction: &Instruction) {
        let next = |mask: u8, component: u8| (1..4).map(|step| (component + step) % 4).find(|other| mask >> other & 1 == 1);
        let letter = |component: u8| char::from(b"xyzw"[usize::from(component & 3)]);
        match (instruction.op, instruction.attrs.target) {
            (Op::Input | Op::InputAt, Target::Input(id, component)) => {
                if let Some(other) = next(self.program.interface.input(id).mask, component) {
                    let attrs = Attrs { target: Target::Input(id, other), ..instruction.attrs };
                    let change = format!("component {} to {}", letter(component), letter(other));
                    self.replace(MutantKind::Component, change, Instruction { attrs, ..instruction.clone() });
                }
            }
            (Op::Output, Target::Output(id, component)) => {
                if let Some(other) = next(self.program.interface.output(id).mask, component) {
                    let attrs = Attrs { target: Target::Output(id, other), ..instruction.attrs };
                    let change = format!("component {} to {}", letter(component), letter(other));
                    self.replace(MutantKind::Component, change, Instruction { attrs, ..instruction.clone() });
                }
            }
            (Op::BufferLoad, Target::Resource(_)) if self.width(instruction.results[0]) == Width::W32 => {
                // Another number of the same row of four.
                if let Some(at) = self.constants[instruction.args[1].index()] {
                    let other = if at % 16 == 12 { at - 12 } else { at + 4 };
                    self.build(MutantKind::Component, "the next component".into(), |fresh, out| {
                        let place = fresh.constant(out, Width::W32, other);
                        let mut moved = instruction.clone();
                        moved.args[1] = place;
                        out.push(Node::Op(moved));
                    });
                }
            }
            (Op::Sample | Op::TexelLoad, _) if instruction.results.len() > 1 => {
                for at in 0..4usize {
                    let other = (at + 1) % 4;
                    if self.live[instruction.results[at].index()] {
                        let mut results = instruction.results.clone();
                        results.swap(at, other);
                        let change = format!("components {} and {} exchanged", letter(at as u8), letter(other as u8));
                        self.replace(MutantKind::Component, change, Instruction { results, ..instruction.clone() });
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    fn sampling(&mut self, instruction: &Instruction) {
        let (Target::Sampled(resource, sampler), Detail::Sampling(sampling)) =
            (instruction.attrs.target, instruction.attrs.detail)
        else {
            return;
        };
        let interface = &self.program.interface;
        let comparison = interface.sampler(sampler).comparison;
        let other = |id: usize| SamplerId(id as u32) != sampler && interface.samplers[id].comparison == comparison;
        let others = (0..interface.samplers.len()).find(|id| other(*id));
        let texture = (0..interface.resources.len()).find(|id| {
            ResourceId(*id as u32) != resource && interface.resources[*id].shape == interface.resource(resource).shape
        });
        if let Some(id) = others {
            let attrs = Attrs { target: Target::Sampled(resource, SamplerId(id as u32)), ..instruction.attrs };
            self.replace(MutantKind::Sampling, "another sampler".into(), Instruction { attrs, ..instruction.clone() });
        }
        if let Some(id) = texture {
            let attrs = Attrs { target: Target::Sampled(ResourceId(id as u32), sampler), ..instruction.attrs };
            self.replace(MutantKind::Sampling, "another texture".into(), Instruction { attrs, ..instruction.clone() });
        }
        let operands = sampling.operands();
        let without = |first: Option<usize>, count: usize| {
            let mut args = instruction.args.clone();
            if let Some(first) = first {
                args.drain(first..first + count);
            }
            args
        };
        let zeros: Vec<bool> = self.constants.iter().map(|bits| *bits == Some(0)).collect();
        let is_zero = |value: Value| zeros[value.index()];
        let mut with = |change: &str, sampling: Sampling, args: Vec<Value>| {
            let attrs = instruction.attrs.with_detail(Detail::Sampling(sampling));
            self.replace(MutantKind::Sampling, change.into(), Instruction { attrs, args, ..instruction.clone() });
        };
        if instruction.op == Op::Sample {
            match sampling.level {
                Level::Implicit => {
                    with("level 0", Sampling { level: Level::Zero, clamp: false, ..sampling }, without(operands.clamp, 1))
                }
                Level::Bias => with("without bias", Sampling { level: Level::Implicit, ..sampling }, without(operands.level, 1)),
                Level::Explicit if operands.level.is_some_and(|at| is_zero(instruction.args[at])) => {}
                Level::Explicit => with("level 0", Sampling { level: Level::Zero, ..sampling }, without(operands.level, 1)),
                Level::Gradient => {
                    let mut args = without(operands.clamp, 1);
                    if let Some(first) = operands.gradients {
                        args.drain(first..first + 6);
                    }
                    with("level 0", Sampling { level: Level::Zero, clamp: false, ..sampling }, args);
                }
                Level::Zero => {}
            }
        }
        if sampling.offset {
            with("without offset", Sampling { offset: false, ..sampling }, without(operands.offset, 3));
        }
        if instruction.op == Op::Gather && !sampling.compare {
            with("another component", Sampling { component: (sampling.component + 1) % 4, ..sampling }, instruction.args.clone());
        }
    }

    /// Other variants of an operation.
    fn details(&mut self, instruction: &Instruction) {
        let detail = match instruction.attrs.detail {
            Detail::Atomic(op) => Detail::Atomic(match op {
                AtomicOp::Add => AtomicOp::Sub,
                AtomicOp::Sub => AtomicOp::Add,
                AtomicOp::And => AtomicOp::Or,
                AtomicOp::Or => AtomicOp::Xor,
                AtomicOp::Xor => AtomicOp::Or,
                AtomicOp::SMin => AtomicOp::SMax,
                AtomicOp::SMax => AtomicOp::SMin,
                AtomicOp::UMin => AtomicOp::UMax,
                AtomicOp::UMax => AtomicOp::UMin,
                AtomicOp::Exchange => AtomicOp::Add,
                AtomicOp::CompareExchange => AtomicOp::Exchange,
                AtomicOp::Load | AtomicOp::Store => return,
            }),
            Detail::Derivative(Derivative::Coarse | Derivative::Any)
                if instruction.attrs.detail != Detail::Derivative(Derivative::Any) =>
            {
                Detail::Derivative(Derivative::Fine)
            }
            Detail::Derivative(Derivative::Fine) => Detail::Derivative(Derivative::Coarse),
            Detail::Norm(norm) => Detail::Norm(Norm { signed: !norm.signed, ..norm }),
            Detail::Swap(QuadAxis::X) => Detail::Swap(QuadAxis::Y),
            Detail::Swap(_) => Detail::Swap(QuadAxis::X),
            Detail::Reduction(reduction) => Detail::Reduction(Reduction {
                mode: match reduction.mode {
                    ReductionMode::All => ReductionMode::Inclusive,
                    ReductionMode::Inclusive => ReductionMode::Exclusive,
                    ReductionMode::Exclusive => ReductionMode::Inclusive,
                },
                ..reduction
            }),
            _ => return,
        };
        let attrs = instruction.attrs.with_detail(detail);
        self.replace(
            MutantKind::Operation,
            format!("{} of another kind", instruction.op.row().name),
            Instruction { attrs, ..instruction.clone() },
        );
    }
}

/// Puts a mutant's patch into a copy of its function.
pub(super) fn patched(function: &Function, mutant: &Mutant) -> Function {
    let mut out = function.clone();
    let mut left = mutant.node;
    if let Some((region, at)) = find(&mut out.body, &mut left) {
        match &mutant.patch {
            Patch::Nodes(nodes, values) => {
                region.splice(at..=at, nodes.iter().cloned());
                out.values = values.clone();
            }
            Patch::Condition(nodes, values, value) => {
                if let Node::If { condition, .. } = &mut region[at] {
                    *condition = *value;
                }
                region.splice(at..at, nodes.iter().cloned());
                out.values = values.clone();
            }
            Patch::NoSelectors(arm) => {
                if let Node::Switch { arms, .. } = &mut region[at] {
                    arms[*arm].selectors.clear();
                }
            }
        }
    }
    out
}

/// The region and position of the node with this number.
fn find<'r>(region: &'r mut Region, left: &mut usize) -> Option<(&'r mut Region, usize)> {
    // Where it is, first, since a region that is searched cannot be given away.
    let mut at = 0;
    while at < region.len() {
        if *left == 0 {
            return Some((region, at));
        }
        *left -= 1;
        let inside = count(&region[at]);
        if *left < inside {
            return match &mut region[at] {
                Node::Block { body, .. } | Node::Loop { body, .. } => find(body, left),
                Node::If { then, otherwise, .. } => {
                    let first: usize = then.iter().map(|node| 1 + count(node)).sum();
                    if *left < first {
                        find(then, left)
                    } else {
                        *left -= first;
                        find(otherwise, left)
                    }
                }
                Node::Switch { arms, .. } => {
                    for arm in arms {
                        let all: usize = arm.body.iter().map(|node| 1 + count(node)).sum();
                        if *left < all {
                            return find(&mut arm.body, left);
                        }
                        *left -= all;
                    }
                    None
                }
                _ => None,
            };
        }
        *left -= inside;
        at += 1;
    }
    None
}

/// Nodes inside a node.
fn count(node: &Node) -> usize {
    node.regions().into_iter().flatten().map(|inner| 1 + count(inner)).sum()
}
