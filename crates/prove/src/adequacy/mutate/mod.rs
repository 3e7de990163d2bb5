//! Mutants: programs that differ from the original in one operation, as a wrong port would.
//!
//! What the original's own API leaves open is no mistake and makes no mutant: whether subnormals are flushed, whether operations are fused, what a clamped
//! access of WGSL gives. Nor is a change of what nothing depends on, nor of what an access out of range gives, since cases stay in range.

mod access;
mod patch;
mod tables;

pub(super) use patch::patched;

use super::guard::guards;
use super::record::MutantKind;
use super::weave::Fresh;
use crate::flow::{self, Role};
use gpuproof_program::*;
use std::collections::HashMap;
use tables::{OPERATIONS, ORDERED};

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

    /// A minimum or maximum of Direct3D that keeps a NaN of its first operand, as `a < b ? b : a` written for it does. Of zeros either may
    /// come (D3D11.3 22.10.10, 22.10.11), so that no order of these is a mistake.
    fn keeps_nan(&mut self, instruction: &Instruction) {
        let (first, result) = (instruction.args[0], instruction.results[0]);
        let width = self.width(result);
        self.build(MutantKind::Rule, "a NaN in the first place kept".into(), |fresh, out| {
            let other = fresh.value(width);
            out.push(Node::Op(Instruction { results: vec![other], ..instruction.clone() }));
            let is_nan = fresh.op(out, Op::FNe, Attrs::default(), &[first, first], Width::W1);
            let (args, results) = (vec![is_nan, first, other], vec![result]);
            let (attrs, origin) = (Attrs::default(), instruction.origin);
            out.push(Node::Op(Instruction { op: Op::Select, attrs, args, results, origin }));
        });
    }

    fn rules(&mut self, instruction: &Instruction) {
        let rules = instruction.attrs.rules;
        for choice in instruction.op.choices() {
            let changed = match choice {
                Choice::Order if self.program.dialect == Dialect::D3D11 && rules.order == Order::NanLoses => {
                    self.keeps_nan(instruction);
                    continue;
                }
                // What either dialect leaves open is no mistake: see the module's head.
                Choice::Denormals | Choice::Refactor => continue,
                // Cases stay in range: out of it programs show nothing but the rules for that.
                Choice::Bounds => continue,
                Choice::Order => {
                    Rules { order: if rules.order == Order::Literal { Order::NanLoses } else { Order::Literal }, ..rules }
                }
                Choice::Rounding
                    if instruction.op != Op::FConvert || self.width(instruction.args[0]) < self.width(instruction.results[0]) =>
                {
                    continue;
                }
                Choice::Rounding => Rules {
                    rounding: match rules.rounding {
                        Rounding::NearestEven | Rounding::OnlyNearest => Rounding::TowardZero,
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
