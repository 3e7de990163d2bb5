//! What cases should make a program do, and the probes that tell whether they did: values of one bit, computed by operations that are added to
//! the program.

use super::fixed::fixed_loops;
use super::guard::guards;
use super::record::GoalClass;
use super::weave::{Fresh, Start, Weave, weave};
use gpuproof_program::{
    Attrs, Detail, Dialect, Dimension, Function, FunctionId, Instruction, Level, Node, Op, Origin, Program, Region, Rules,
    SamplerId, Sampling, SamplingOperands, Shape, Target, Value, Width,
};
use gpuproof_run::AddressMode;
use std::collections::HashSet;

/// A value of a function.
pub(super) type Key = (FunctionId, Value);

/// Something that cases should make a program do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Goal {
    pub(super) class: GoalClass,
    pub(super) origin: Origin,
    /// What has to happen: `true`, `case 3`, `no round`.
    pub(super) what: String,
}

/// When a goal is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Want {
    /// The value is made on some lane.
    Made,
    /// It is this on some lane.
    Bit(bool),
    /// A lane leaves the loop whose body starts with this marker after so many rounds; 2 stands for more.
    Rounds(u8),
    /// It is true while this axis of the sampler is addressed in this way.
    Addressed(SamplerId, usize, AddressMode),
}

/// A probe of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Probe {
    pub(super) goal: usize,
    pub(super) key: Key,
    pub(super) want: Want,
}

/// A program with probes.
pub(super) struct Probed {
    pub(super) program: Program,
    pub(super) probes: Vec<Probe>,
}

/// All goals of a program.
pub(super) fn goals(program: &Program) -> Vec<Goal> {
    probe(program, &[]).1
}

/// The program with the probes of those goals that are not met; goals behind the end of `met` are not. Also all goals, met or not.
pub(super) fn probe(program: &Program, met: &[bool]) -> (Probed, Vec<Goal>) {
    let mut out = Program { functions: Vec::new(), ..program.clone() };
    let (mut goals, mut probes) = (Vec::new(), Vec::new());
    for (at, function) in program.functions.iter().enumerate() {
        let live = crate::flow::live(program, function);
        let guards = guards(program, function);
        let stretches = operations(function, &guards);
        let id = FunctionId(at as u32);
        let mut weaver = Goals {
            program,
            id,
            live,
            guards,
            stretches,
            met,
            goals: &mut goals,
            probes: &mut probes,
            fixed: fixed_loops(function),
            entered: None,
        };
        let woven = weave(function, &mut weaver);
        out.functions.push(woven);
    }
    (Probed { program: out, probes }, goals)
}

/// For each stretch the places of its operations.
fn operations(function: &Function, guards: &[bool]) -> Vec<Vec<Origin>> {
    struct List<'a>(Vec<Vec<Origin>>, &'a [bool]);
    impl Weave for List<'_> {
        fn start(&mut self, _: usize, _: Start, _: &mut Fresh, _: &mut Region) {
            self.0.push(Vec::new());
        }
        fn node(&mut self, _: usize, stretch: usize, node: &Node, _: &mut Fresh, _: (&mut Region, &mut Region)) {
            if let Node::Op(instruction) = node
                && !matches!(instruction.op, Op::Const | Op::Undef | Op::Input)
                && instruction.results.iter().all(|result| !self.1[result.index()])
            {
                self.0[stretch].push(instruction.origin);
            }
        }
    }
    let mut list = List(Vec::new(), guards);
    weave(function, &mut list);
    list.0
}

struct Goals<'a> {
    program: &'a Program,
    id: FunctionId,
    live: Vec<bool>,
    /// What only keeps accesses where they hit.
    guards: Vec<bool>,
    stretches: Vec<Vec<Origin>>,
    met: &'a [bool],
    goals: &'a mut Vec<Goal>,
    probes: &'a mut Vec<Probe>,
    /// Loops that go round as often whatever runs.
    fixed: HashSet<usize>,
    /// The goals of a loop whose body comes next.
    entered: Option<usize>,
}

impl Goals<'_> {
    /// Adds goals that share probes. Whether any of them is not met.
    fn add(&mut self, class: GoalClass, origin: Origin, whats: &[&str]) -> Option<usize> {
        let first = self.goals.len();
        self.goals.extend(whats.iter().map(|what| Goal { class, origin, what: what.to_string() }));
        (first..self.goals.len()).any(|goal| !self.is_met(goal)).then_some(first)
    }

    fn is_met(&self, goal: usize) -> bool {
        self.met.get(goal).copied().unwrap_or(false)
    }

    fn watch(&mut self, goal: usize, value: Value, want: Want) {
        if !self.is_met(goal) {
            self.probes.push(Probe { goal, key: (self.id, value), want });
        }
    }

    fn decision(&mut self, condition: Value, origin: Origin, fresh: &mut Fresh, out: &mut Region) {
        if let Some(goal) = self.add(GoalClass::Decision, origin, &["true", "false"]) {
            let seen = fresh.copy(out, condition);
            self.watch(goal, seen, Want::Bit(true));
            self.watch(goal + 1, seen, Want::Bit(false));
        }
    }

    fn operation(&mut self, instruction: &Instruction, fresh: &mut Fresh, out: &mut Region) {
        let Instruction { op, attrs, args, results, origin } = instruction;
        let is_live = results.is_empty() || results.iter().any(|result| self.live[result.index()]);
        if !is_live || results.iter().any(|result| self.guards[result.index()]) {
            return;
        }
        // A probe compares by the operation's own rule for subnormals.
        let rules = Attrs::rules(Rules { denormals: attrs.rules.denormals, ..Rules::default() });
        let own = if matches!(op, Op::FLt | Op::FLe | Op::FEq | Op::FNe) { rules } else { *attrs };
        match op {
            Op::Select | Op::SExtend | Op::Demote if fresh.width(args[0]) == Width::W1 => {
                self.decision(args[0], *origin, fresh, out);
            }
            Op::FLt | Op::FLe | Op::SLt | Op::SLe | Op::ULt | Op::ULe => {
                let equal = if matches!(op, Op::FLt | Op::FLe) { Op::FEq } else { Op::IEq };
                if let Some(goal) = self.add(GoalClass::Side, *origin, &["true", "false", "equal"]) {
                    let attrs = if equal == Op::FEq { rules } else { Attrs::default() };
                    let same = fresh.op(out, equal, attrs, args, Width::W1);
                    let holds = fresh.op(out, *op, own, args, Width::W1);
                    self.watch(goal, holds, Want::Bit(true));
                    self.watch(goal + 1, holds, Want::Bit(false));
                    self.watch(goal + 2, same, Want::Bit(true));
                }
            }
            Op::FEq | Op::FNe | Op::IEq | Op::INe => {
                if let Some(goal) = self.add(GoalClass::Side, *origin, &["true", "false"]) {
                    let holds = fresh.op(out, *op, own, args, Width::W1);
                    self.watch(goal, holds, Want::Bit(true));
                    self.watch(goal + 1, holds, Want::Bit(false));
                }
            }
            Op::FMin | Op::FMax | Op::SMin | Op::SMax | Op::UMin | Op::UMax => {
                if let Some(goal) = self.add(GoalClass::Side, *origin, &["first less", "second less"]) {
                    let (less, attrs) = match op {
                        Op::FMin | Op::FMax => (Op::FLt, rules),
                        Op::SMin | Op::SMax => (Op::SLt, Attrs::default()),
                        _ => (Op::ULt, Attrs::default()),
                    };
                    for (at, pair) in [[args[0], args[1]], [args[1], args[0]]].iter().enumerate() {
                        let holds = fresh.op(out, less, attrs, pair, Width::W1);
                        self.watch(goal + at, holds, Want::Bit(true));
                    }
                }
            }
            Op::FSaturate => {
                if let Some(goal) = self.add(GoalClass::Side, *origin, &["below 0", "above 1", "between 0 and 1"]) {
                    let x = args[0];
                    let width = fresh.width(x);
                    let (zero, one) = (fresh.constant(out, width, 0), fresh.constant(out, width, one(width)));
                    let low = fresh.op(out, Op::FLt, rules, &[x, zero], Width::W1);
                    let high = fresh.op(out, Op::FLt, rules, &[one, x], Width::W1);
                    let above = fresh.op(out, Op::FLt, rules, &[zero, x], Width::W1);
                    let below = fresh.op(out, Op::FLt, rules, &[x, one], Width::W1);
                    let inside = fresh.op(out, Op::IAnd, Attrs::default(), &[above, below], Width::W1);
                    for (at, holds) in [low, high, inside].into_iter().enumerate() {
                        self.watch(goal + at, holds, Want::Bit(true));
                    }
                }
            }
            Op::Sample | Op::Gather => self.footprint(instruction, fresh, out),
            _ => {}
        }
    }

    fn footprint(&mut self, instruction: &Instruction, fresh: &mut Fresh, out: &mut Region) {
        let Instruction { op, attrs, args, origin, .. } = instruction;
        let (Target::Sampled(resource, sampler), Detail::Sampling(sampling)) = (attrs.target, attrs.detail) else { return };
        let Shape::Texture(shape) = self.program.interface.resource(resource).shape else { return };
        let zero = fresh.constant(out, Width::W32, 0);
        let one = fresh.constant(out, Width::W32, one(Width::W32));
        let less = |fresh: &mut Fresh, out: &mut Region, a: Value, b: Value| {
            fresh.op(out, Op::FLt, Attrs::rules(Rules::default()), &[a, b], Width::W1)
        };
        let level = match sampling.level {
            _ if *op == Op::Gather => None,
            Level::Implicit | Level::Bias => Some(None),
            Level::Explicit => sampling.operands().level.map(|at| Some(args[at])),
            Level::Zero | Level::Gradient => None,
        };
        if let Some(level) = level
            && let Some(goal) = self.add(GoalClass::Texture, *origin, &["magnified", "minified", "a level past the second"])
        {
            let level = level.unwrap_or_else(|| {
                let detail = Detail::Sampling(Sampling::at(Level::Implicit));
                let results = [fresh.value(Width::W32), fresh.value(Width::W32)];
                let args = args[..=SamplingOperands::LAYER].to_vec();
                let attrs = Attrs::target(attrs.target).with_detail(detail);
                let (results, origin) = (results.to_vec(), Origin::NONE);
                let level = results[1];
                out.push(Node::Op(Instruction { op: Op::SampleLevel, attrs, args, results, origin }));
                level
            });
            let minified = less(fresh, out, zero, level);
            let beyond = less(fresh, out, one, level);
            self.watch(goal, minified, Want::Bit(false));
            self.watch(goal + 1, minified, Want::Bit(true));
            self.watch(goal + 2, beyond, Want::Bit(true));
        }
        let axes = match shape.dimension {
            Dimension::D1 => 1,
            Dimension::D2 => 2,
            Dimension::D3 => 3,
            Dimension::Cube | Dimension::Buffer => return,
        };
        if sampling.base_clamp_to_edge {
            return;
        }
        // WebGPU has no border and Direct3D's other modes are combinations of these.
        let modes: &[(&str, AddressMode)] = match self.program.dialect {
            Dialect::D3D11 | Dialect::Vulkan => &[
                ("outside, wrapping", AddressMode::Wrap),
                ("outside, mirroring", AddressMode::Mirror),
                ("outside, clamping", AddressMode::Clamp),
                ("outside, at the border", AddressMode::Border),
            ],
            Dialect::Wgsl => &[
                ("outside, wrapping", AddressMode::Wrap),
                ("outside, mirroring", AddressMode::Mirror),
                ("outside, clamping", AddressMode::Clamp),
            ],
        };
        let whats: Vec<&str> =
            ["before the first texel", "behind the last texel"].into_iter().chain(modes.iter().map(|mode| mode.0)).collect();
        if let Some(goal) = self.add(GoalClass::Texture, *origin, &whats) {
            for axis in 0..axes {
                let coordinate = args[SamplingOperands::COORDINATES + axis];
                let before = less(fresh, out, coordinate, zero);
                let behind = less(fresh, out, one, coordinate);
                self.watch(goal, before, Want::Bit(true));
                self.watch(goal + 1, behind, Want::Bit(true));
                for (at, (_, mode)) in modes.iter().enumerate() {
                    self.watch(goal + 2 + at, before, Want::Addressed(sampler, axis, *mode));
                    self.watch(goal + 2 + at, behind, Want::Addressed(sampler, axis, *mode));
                }
            }
        }
    }
}

/// The bits of 1 in a float format.
pub(super) fn one(width: Width) -> u64 {
    match width {
        Width::W16 => 0x3c00,
        Width::W64 => 0x3ff0_0000_0000_0000,
        _ => 0x3f80_0000,
    }
}

impl Weave for Goals<'_> {
    fn start(&mut self, stretch: usize, start: Start, fresh: &mut Fresh, out: &mut Region) {
        // The marker also gives uniform probes a step of their stretch to be seen at.
        let marker = fresh.op(out, Op::IsHelper, Attrs::default(), &[], Width::W1);
        for origin in std::mem::take(&mut self.stretches[stretch]) {
            if let Some(goal) = self.add(GoalClass::Operation, origin, &["executed"]) {
                self.watch(goal, marker, Want::Made);
            }
        }
        if let (Start::Region(..), Some(goal)) = (start, self.entered.take()) {
            for rounds in 0..3 {
                self.watch(goal + usize::from(rounds), marker, Want::Rounds(rounds));
            }
        }
    }

    fn node(&mut self, number: usize, _: usize, node: &Node, fresh: &mut Fresh, (before, _): (&mut Region, &mut Region)) {
        match node {
            Node::Op(instruction) => self.operation(instruction, fresh, before),
            Node::If { condition, .. } if self.guards[condition.index()] => {}
            Node::If { condition, origin, .. } => self.decision(*condition, *origin, fresh, before),
            Node::Switch { selector, arms, origin, .. } => {
                let named: Vec<(String, &[u32])> = arms
                    .iter()
                    .map(|arm| match arm.is_default {
                        true => ("the default".to_string(), &arm.selectors[..]),
                        false => {
                            let all: Vec<String> = arm.selectors.iter().map(u32::to_string).collect();
                            (format!("case {}", all.join(", ")), &arm.selectors[..])
                        }
                    })
                    .collect();
                let whats: Vec<&str> = named.iter().map(|arm| arm.0.as_str()).collect();
                let Some(goal) = self.add(GoalClass::Arm, *origin, &whats) else { return };
                let mut any = fresh.constant(before, Width::W1, 0);
                let mut default = None;
                for (at, arm) in arms.iter().enumerate() {
                    let mut own = fresh.constant(before, Width::W1, 0);
                    for bits in &arm.selectors {
                        let wanted = fresh.constant(before, Width::W32, u64::from(*bits));
                        let equal = fresh.op(before, Op::IEq, Attrs::default(), &[*selector, wanted], Width::W1);
                        own = fresh.op(before, Op::IOr, Attrs::default(), &[own, equal], Width::W1);
                    }
                    if arm.is_default {
                        default = Some(at);
                    } else {
                        any = fresh.op(before, Op::IOr, Attrs::default(), &[any, own], Width::W1);
                        self.watch(goal + at, own, Want::Bit(true));
                    }
                }
                if let Some(at) = default {
                    let seen = fresh.copy(before, any);
                    self.watch(goal + at, seen, Want::Bit(false));
                }
            }
            Node::Loop { origin, .. } if !self.fixed.contains(&number) => {
                self.entered = self.add(GoalClass::Loop, *origin, &["no round", "one round", "many rounds"]);
            }
            _ => {}
        }
    }
}
