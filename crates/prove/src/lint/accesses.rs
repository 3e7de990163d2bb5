//! The accesses of a compute program to memory that its lanes share: where they are between barriers, their addresses as linear expressions of
//! the lane's and the group's numbers, and the conditions that they stand under.
//!
//! Calls are followed, each as its own copy. What has no linear expression is an unknown of its own, one for all lanes of a group if the
//! analysis of [`uniformity`](super::uniformity) has it so.

use super::linear::{Linear, Unknown};
use super::live::Live;
use super::uniformity::Uniformity;
use crate::facts::{Fact, facts};
use crate::flow::{comes_to, resolved};
use gpuproof_program::{
    Access as Permission, AtomicOp, Builtin, Detail, Function, FunctionId, InputId, Instruction, Label, Node, Op, Origin,
    Program, Region, ResourceId, SharedId, Site, Target, Value, Width, walk,
};
use std::collections::{BTreeSet, HashMap};

/// Memory that lanes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Memory {
    Shared(SharedId),
    Resource(ResourceId),
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Read,
    Write,
    Atomic,
}

/// One access.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub memory: Memory,
    pub does: Does,
    pub origin: Origin,
    /// Each coordinate of the address, and how many units from it on are touched.
    pub address: Vec<(Linear, i64)>,
    /// What a store stores.
    pub value: Option<Linear>,
    /// What is at least zero where the access is done.
    pub conditions: Vec<Linear>,
}

/// What an unknown stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// The lane's number in its group, by dimension.
    Local,
    /// The group's number in the dispatch, by dimension.
    Group,
    /// One value for all lanes of a group (of the dispatch, if `dispatch`), in one round of the loops around it (`looped`).
    Uniform { dispatch: bool, looped: bool },
    /// A value of each lane.
    Varying,
    /// A value that no two lanes get, nor one lane twice: of a counter.
    Unique,
    /// A quotient, rounded down.
    Quotient { of: Linear, by: i64 },
    /// A product with what is one value for all lanes of a group, as of a row and a width.
    Product { of: Linear, by: Linear },
}

/// The least and the greatest value that a word may have, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub low: u32,
    pub high: u32,
}

impl Range {
    /// Any word.
    pub const ALL: Range = Range { low: 0, high: u32::MAX };

    fn of(fact: Fact) -> Range {
        let word = |bits: u64| u32::try_from(bits).unwrap_or(u32::MAX);
        // What is never made is in no range.
        if fact.is_never() { Range { low: 1, high: 0 } } else { Range { low: word(fact.lo), high: word(fact.hi) } }
    }
}

/// An unknown.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub meaning: Meaning,
    pub range: Range,
}

/// A point of the flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub access: Option<usize>,
    pub barrier: bool,
    /// Where control goes next, and whether that is the next round of a loop.
    pub next: Vec<(usize, bool)>,
}

/// The unknowns of the lane's number start here, those of the group's behind them.
pub(super) const LOCAL: Unknown = 0;
/// See [`LOCAL`].
pub(super) const GROUP: Unknown = 3;

/// Nodes that are followed, calls counted each time. A program that has more is not judged.
const MOST_NODES: usize = 200_000;

/// All accesses of a program.
#[derive(Debug)]
pub(super) struct Accesses {
    pub unknowns: Vec<Known>,
    pub accesses: Vec<Access>,
    pub points: Vec<Point>,
    /// The dimensions of the group's number that the program reads.
    pub group_dimensions: Vec<u32>,
}

impl Accesses {
    /// Follows a compute program; none if it is too large.
    pub fn of(program: &Program, live: &Live) -> Option<Accesses> {
        let local = |input: InputId, _: u8| {
            let builtin = program.interface.input(input).builtin;
            !matches!(builtin, Some(Builtin::WorkgroupId | Builtin::NumWorkgroups))
        };
        let any = |input: InputId, _: u8| program.interface.input(input).builtin != Some(Builtin::NumWorkgroups);
        let in_group = Uniformity::of(program, &local).varying;
        let in_dispatch = Uniformity::of(program, &any).varying;
        let functions = program.functions.iter().enumerate().map(|(at, function)| Facts {
            sites: function.definitions(),
            incoming: function.incoming(),
            ranges: facts(program, function).into_iter().map(Range::of).collect(),
            looped: looped(function),
            in_group: in_group[at].clone(),
            in_dispatch: in_dispatch[at].clone(),
        });
        let mut follow = Follow {
            program,
            facts: functions.collect(),
            written: written(program),
            found: Accesses {
                unknowns: Vec::new(),
                accesses: Vec::new(),
                points: vec![Point::default()],
                group_dimensions: group_dimensions(program, live),
            },
            quotients: HashMap::new(),
            products: HashMap::new(),
            conditions: Vec::new(),
            cursor: Some(0),
            frames: Vec::new(),
            loops: 0,
            nodes: 0,
        };
        for size in program.group_size {
            follow.unknown(Meaning::Local, Range { low: 0, high: size.saturating_sub(1) });
        }
        for _ in 0..3 {
            follow.unknown(Meaning::Group, Range { low: 0, high: 65_534 });
        }
        follow.call(program.entry, Vec::new())?;
        Some(follow.found)
    }
}

/// The dimensions of the group's number that something reads.
fn group_dimensions(program: &Program, live: &Live) -> Vec<u32> {
    let mut dimensions = BTreeSet::new();
    for (at, function) in program.functions.iter().enumerate() {
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node
                && let Target::Input(input, component) = instruction.attrs.target
                && live.instruction(FunctionId(at as u32), instruction)
                && let Some(Builtin::WorkgroupId | Builtin::GlobalInvocationId) = program.interface.input(input).builtin
            {
                dimensions.insert(u32::from(component.min(2)));
            }
        });
    }
    dimensions.into_iter().collect()
}

/// The memories that something writes.
fn written(program: &Program) -> BTreeSet<Memory> {
    let mut written = BTreeSet::new();
    for function in &program.functions {
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node
                && does(instruction).is_some_and(|does| does != Does::Read)
                && let Some(memory) = memory(program, instruction)
            {
                written.insert(memory);
            }
        });
    }
    written
}

fn does(instruction: &Instruction) -> Option<Does> {
    match instruction.op {
        Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad | Op::TexelLoad => Some(Does::Read),
        Op::SharedStore | Op::BufferStore | Op::StructuredStore | Op::TexelStore => Some(Does::Write),
        Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic | Op::TexelAtomic => Some(Does::Atomic),
        _ => None,
    }
}

fn memory(program: &Program, instruction: &Instruction) -> Option<Memory> {
    match instruction.attrs.target {
        Target::Shared(id) => Some(Memory::Shared(id)),
        Target::Resource(id) if program.interface.resource(id).access != Permission::Read => Some(Memory::Resource(id)),
        _ => None,
    }
}

/// The values that are defined inside a loop.
fn looped(function: &Function) -> Vec<bool> {
    fn visit(region: &Region, inside: bool, looped: &mut [bool]) {
        for node in region {
            let defined: Vec<Value> = match node {
                Node::Op(instruction) => instruction.results.clone(),
                Node::Block { results, .. } | Node::If { results, .. } => results.clone(),
                Node::Switch { results, arms, .. } => {
                    results.iter().chain(arms.iter().flat_map(|arm| &arm.params)).copied().collect()
                }
                _ => Vec::new(),
            };
            defined.into_iter().for_each(|value| looped[value.index()] |= inside);
            if let Node::Loop { params, .. } = node {
                params.iter().for_each(|param| looped[param.index()] = true);
            }
            let inner = inside || matches!(node, Node::Loop { .. });
            node.regions().into_iter().for_each(|region| visit(region, inner, looped));
        }
    }
    let mut looped = vec![false; function.values.len()];
    visit(&function.body, false, &mut looped);
    looped
}

/// What is known of a function's values.
struct Facts<'a> {
    sites: Vec<Option<Site<'a>>>,
    incoming: Vec<Vec<Value>>,
    ranges: Vec<Range>,
    looped: Vec<bool>,
    in_group: Vec<bool>,
    in_dispatch: Vec<bool>,
}

/// A call that is followed.
struct Frame {
    function: FunctionId,
    arguments: Vec<Linear>,
    known: HashMap<Value, Linear>,
    /// Where a branch to each label goes, and whether that is a loop's head.
    labels: HashMap<Label, (usize, bool)>,
    end: usize,
    returned: Vec<Vec<Linear>>,
    /// Whether the call is in a loop.
    looped: bool,
}

struct Follow<'a> {
    program: &'a Program,
    facts: Vec<Facts<'a>>,
    written: BTreeSet<Memory>,
    found: Accesses,
    quotients: HashMap<(Linear, i64), Unknown>,
    products: HashMap<(Linear, Linear), Unknown>,
    conditions: Vec<Linear>,
    /// The point that control is at; none where it does not get to.
    cursor: Option<usize>,
    frames: Vec<Frame>,
    loops: usize,
    nodes: usize,
}

impl<'a> Follow<'a> {
    fn unknown(&mut self, meaning: Meaning, range: Range) -> Unknown {
        self.found.unknowns.push(Known { meaning, range });
        self.found.unknowns.len() as u32 - 1
    }

    fn point(&mut self) -> usize {
        self.found.points.push(Point::default());
        self.found.points.len() - 1
    }

    fn link(&mut self, to: usize, round: bool) {
        if let Some(from) = self.cursor {
            self.found.points[from].next.push((to, round));
        }
    }

    /// Goes on at a new point behind the cursor.
    fn step(&mut self) -> usize {
        let point = self.point();
        self.link(point, false);
        self.cursor = self.cursor.map(|_| point);
        point
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("an open call")
    }

    fn facts(&self) -> &Facts<'a> {
        &self.facts[self.frames.last().expect("an open call").function.index()]
    }

    /// Follows a function; gives the expressions of its results where it returns at one place only.
    fn call(&mut self, function: FunctionId, arguments: Vec<Linear>) -> Option<Vec<Linear>> {
        let end = self.point();
        let looped = self.loops > 0;
        let (known, labels) = (HashMap::new(), HashMap::new());
        self.frames.push(Frame { function, arguments, known, labels, end, returned: Vec::new(), looped });
        let depth = self.conditions.len();
        let program = self.program;
        self.region(&program.function(function).body)?;
        self.conditions.truncate(depth);
        let frame = self.frames.pop()?;
        self.cursor = Some(end);
        Some(match <[Vec<Linear>; 1]>::try_from(frame.returned) {
            Ok([only]) => only,
            Err(_) => Vec::new(),
        })
    }

    fn region(&mut self, region: &'a Region) -> Option<()> {
        let depth = self.conditions.len();
        for node in region {
            self.nodes += 1;
            if self.nodes > MOST_NODES {
                return None;
            }
            self.node(node)?;
        }
        self.conditions.truncate(depth);
        Some(())
    }

    fn node(&mut self, node: &'a Node) -> Option<()> {
        match node {
            Node::Op(instruction) => self.operation(instruction)?,
            Node::Block { label, body, .. } => {
                let end = self.point();
                self.frame().labels.insert(*label, (end, false));
                self.region(body)?;
                self.cursor = Some(end);
            }
            Node::If { label, condition, then, otherwise, .. } => {
                let end = self.point();
                self.frame().labels.insert(*label, (end, false));
                let (start, depth) = (self.cursor, self.conditions.len());
                for (region, holds) in [(then, true), (otherwise, false)] {
                    self.cursor = start;
                    self.condition(*condition, holds);
                    self.region(region)?;
                    self.conditions.truncate(depth);
                }
                // Where one of the two ways leads elsewhere, what follows stands under the other's condition.
                match (comes_to(then, *label), comes_to(otherwise, *label)) {
                    (false, true) => self.condition(*condition, false),
                    (true, false) => self.condition(*condition, true),
                    _ => {}
                }
                self.cursor = Some(end);
            }
            Node::Switch { label, selector, arms, .. } => {
                let end = self.point();
                self.frame().labels.insert(*label, (end, false));
                let (start, depth) = (self.cursor, self.conditions.len());
                let starts: Vec<usize> = arms.iter().map(|_| self.point()).collect();
                for (arm, point) in arms.iter().zip(&starts) {
                    self.frame().labels.insert(arm.label, (*point, false));
                }
                for (arm, point) in arms.iter().zip(starts) {
                    self.cursor = start;
                    self.link(point, false);
                    self.cursor = Some(point);
                    let falls = arms.iter().any(|other| comes_to(&other.body, arm.label));
                    if let ([only], false, false) = (&arm.selectors[..], arm.is_default, falls) {
                        let selected = self.expression(*selector);
                        let difference = selected.plus(&Linear::constant(i64::from(*only)), -1);
                        let both = difference.and_then(|difference| Some([difference.times(-1)?, difference]));
                        self.conditions.extend(both.into_iter().flatten());
                    }
                    self.region(&arm.body)?;
                    self.conditions.truncate(depth);
                }
                self.cursor = Some(end);
            }
            Node::Loop { label, body, .. } => {
                let head = self.step();
                self.frame().labels.insert(*label, (head, true));
                self.loops += 1;
                self.region(body)?;
                self.loops -= 1;
                self.cursor = None;
            }
            Node::Br { target, .. } => {
                if let Some((point, round)) = self.frame().labels.get(target).copied() {
                    self.link(point, round);
                }
                self.cursor = None;
            }
            Node::Return { values } => {
                let results = values.iter().map(|value| self.expression(*value)).collect();
                self.frame().returned.push(results);
                let end = self.frame().end;
                self.link(end, false);
                self.cursor = None;
            }
            Node::Unreachable => self.cursor = None,
        }
        Some(())
    }

    fn operation(&mut self, instruction: &'a Instruction) -> Option<()> {
        match (instruction.op, instruction.attrs.target, instruction.attrs.detail) {
            (Op::Barrier, _, Detail::Barrier(barrier)) if barrier.group => {
                let point = self.step();
                self.found.points[point].barrier = true;
            }
            (Op::Call, Target::Function(callee), _) => {
                let arguments = instruction.args.iter().map(|arg| self.expression(*arg)).collect();
                let results = self.call(callee, arguments)?;
                self.frame().known.extend(instruction.results.iter().copied().zip(results));
            }
            _ => self.access(instruction),
        }
        Some(())
    }

    fn access(&mut self, instruction: &Instruction) {
        let Some((does, memory)) = does(instruction).zip(memory(self.program, instruction)) else { return };
        if !self.written.contains(&memory) {
            return;
        }
        let function = self.program.function(self.frame().function);
        let args = &instruction.args;
        let bytes = |value: Value| i64::from(function.width(value).bytes().max(1));
        // How many operands are the address, how many bytes of its last one are touched, and which operand is stored.
        let (count, span, stored) = match instruction.op {
            Op::SharedLoad => (1, bytes(instruction.results[0]), None),
            Op::SharedStore => (1, bytes(args[1]), Some(1)),
            Op::SharedAtomic => (1, bytes(args[1]), None),
            Op::BufferLoad => (2, bytes(instruction.results[0]), None),
            Op::BufferStore => (2, bytes(args[2]), Some(2)),
            Op::BufferAtomic => (2, bytes(args[2]), None),
            Op::StructuredLoad => (3, bytes(instruction.results[0]), None),
            Op::StructuredStore => (3, bytes(args[3]), Some(3)),
            Op::StructuredAtomic => (3, bytes(args[3]), None),
            _ => (4, 1, None),
        };
        let address = (0..count).map(|at| (self.expression(args[at]), if at + 1 == count { span } else { 1 })).collect();
        let value = stored.map(|at| self.expression(args[at]));
        let conditions = self.conditions.clone();
        let point = self.step();
        self.found.points[point].access = Some(self.found.accesses.len());
        let origin = Origin { component: 0, ..instruction.origin };
        self.found.accesses.push(Access { memory, does, origin, address, value, conditions });
    }

    /// Adds what a one-bit value says where it holds, or does not.
    fn condition(&mut self, value: Value, holds: bool) {
        let Some(Site::Op { instruction, .. }) = self.facts().sites[value.index()] else { return self.opaque(value, holds) };
        let args = &instruction.args;
        match (instruction.op, holds) {
            (Op::INot, _) => self.condition(args[0], !holds),
            (Op::IAnd, true) | (Op::IOr, false) => args.iter().for_each(|arg| self.condition(*arg, holds)),
            (Op::INe, _) if self.constant(args[1]) == Some(0) => self.nonzero(value, args[0], holds),
            (Op::IEq, _) if self.constant(args[1]) == Some(0) => self.nonzero(value, args[0], !holds),
            (Op::IEq, true) | (Op::INe, false) => {
                let (a, b) = (self.expression(args[0]), self.expression(args[1]));
                self.at_least(&a, &b, 0);
                self.at_least(&b, &a, 0);
            }
            (Op::ULt | Op::SLt | Op::ULe | Op::SLe, _) => {
                let (a, b) = (self.expression(args[0]), self.expression(args[1]));
                let unsigned = matches!(instruction.op, Op::ULt | Op::ULe);
                // As unsigned numbers what is below zero is large.
                if unsigned && (self.least(&a) < 0 || self.least(&b) < 0) {
                    return self.opaque(value, holds);
                }
                let strict = i64::from(matches!(instruction.op, Op::ULt | Op::SLt));
                if holds { self.at_least(&b, &a, strict) } else { self.at_least(&a, &b, 1 - strict) }
            }
            _ => self.opaque(value, holds),
        }
    }

    /// What it says that a word has a bit set or none.
    fn nonzero(&mut self, condition: Value, word: Value, holds: bool) {
        let site = self.facts().sites[word.index()];
        let function = self.program.function(self.frame().function);
        match site {
            Some(Site::Op { instruction, .. }) => match (instruction.op, holds) {
                (Op::SExtend | Op::UExtend, _) if function.width(instruction.args[0]) == Width::W1 => {
                    self.condition(instruction.args[0], holds);
                }
                (Op::IAnd, true) | (Op::IOr, false) => {
                    instruction.args.iter().for_each(|arg| self.nonzero(condition, *arg, holds));
                }
                (_, false) => {
                    let word = self.expression(word);
                    self.at_least(&word, &Linear::constant(0), 0);
                    self.at_least(&Linear::constant(0), &word, 0);
                }
                _ => self.opaque(condition, holds),
            },
            _ => self.opaque(condition, holds),
        }
    }

    /// A condition of which nothing is known is an unknown that is 0 or 1.
    fn opaque(&mut self, value: Value, holds: bool) {
        let truth = match self.frame().known.get(&value) {
            Some(known) => known.clone(),
            None => self.fresh(value, Range { low: 0, high: 1 }),
        };
        let (one, zero) = (Linear::constant(1), Linear::constant(0));
        if holds { self.at_least(&truth, &one, 0) } else { self.at_least(&zero, &truth, 0) }
    }

    /// Adds that `a` is at least `b + more`.
    fn at_least(&mut self, a: &Linear, b: &Linear, more: i64) {
        let difference = a.plus(b, -1).and_then(|difference| difference.plus(&Linear::constant(more), -1));
        self.conditions.extend(difference);
    }

    /// An unknown for a value.
    fn fresh(&mut self, value: Value, range: Range) -> Linear {
        let at = value.index();
        let facts = self.facts();
        let unique = match facts.sites[at] {
            Some(Site::Op { instruction, .. }) => is_unique(instruction, |arg| {
                let adds = self.constant(arg).is_some_and(|constant| constant != 0);
                adds || facts.ranges[arg.index()].low > 0
            }),
            _ => false,
        };
        let meaning = match () {
            () if unique => Meaning::Unique,
            () if facts.in_group[at] => Meaning::Varying,
            () => Meaning::Uniform {
                dispatch: !facts.in_dispatch[at],
                looped: facts.looped[at] || self.frames.last().is_some_and(|frame| frame.looped),
            },
        };
        let made = Linear::unknown(self.unknown(meaning, range));
        self.frame().known.insert(value, made.clone());
        made
    }

    fn constant(&self, value: Value) -> Option<i64> {
        match self.facts().sites[value.index()] {
            Some(Site::Op { instruction, .. }) if instruction.op == Op::Const => match instruction.attrs.target {
                // Addresses have 31 bits; what is above is a negative number.
                Target::Bits(bits) => u32::try_from(bits).ok().map(|bits| i64::from(bits as i32)),
                _ => None,
            },
            _ => None,
        }
    }

    fn least(&self, linear: &Linear) -> i64 {
        linear.terms.iter().fold(linear.constant, |sum, (unknown, factor)| {
            let range = self.found.unknowns[*unknown as usize].range;
            let end = if *factor > 0 { range.low } else { range.high };
            sum.saturating_add(factor.saturating_mul(i64::from(end)))
        })
    }

    fn greatest(&self, linear: &Linear) -> i64 {
        linear.times(-1).map_or(i64::MAX, |negative| -self.least(&negative))
    }

    /// A value as a linear expression.
    fn expression(&mut self, value: Value) -> Linear {
        if let Some(known) = self.frame().known.get(&value) {
            return known.clone();
        }
        if let Some(made) = self.made(value) {
            self.frame().known.insert(value, made.clone());
            return made;
        }
        let range = self.facts().ranges[value.index()];
        self.fresh(value, range)
    }

    fn made(&mut self, value: Value) -> Option<Linear> {
        if let Some(constant) = self.constant(value) {
            return Some(Linear::constant(constant));
        }
        let instruction = match self.facts().sites[value.index()]? {
            Site::Param(at) => return self.frame().arguments.get(at).cloned(),
            Site::Op { instruction, .. } => instruction,
            Site::Construct { .. } | Site::Arm { .. } => {
                let facts = self.facts();
                let same = resolved(&facts.sites, &facts.incoming, value);
                return (same != value).then(|| self.expression(same));
            }
        };
        let args = &instruction.args;
        match (instruction.op, instruction.attrs.target) {
            (Op::Input, Target::Input(input, component)) => self.identity(input, u32::from(component)),
            (Op::IAdd, _) => {
                let other = self.expression(args[1]);
                self.expression(args[0]).plus(&other, 1)
            }
            (Op::ISub, _) => {
                let other = self.expression(args[1]);
                self.expression(args[0]).plus(&other, -1)
            }
            (Op::IMul, _) => match (self.constant(args[0]), self.constant(args[1])) {
                (_, Some(factor)) => self.expression(args[0]).times(factor),
                (Some(factor), _) => self.expression(args[1]).times(factor),
                _ => self.product(args[0], args[1]),
            },
            (Op::IShl, _) => {
                let count = self.constant(args[1])? & 31;
                self.expression(args[0]).times(1 << count)
            }
            (Op::UShr | Op::SShr, _) => {
                let count = self.constant(args[1])? & 31;
                let of = self.expression(args[0]);
                self.quotient(&of, 1 << count)
            }
            (Op::UDiv | Op::SDiv, _) => {
                let by = self.constant(args[1])?;
                let of = self.expression(args[0]);
                self.quotient(&of, by)
            }
            (Op::URem | Op::SRem, _) => {
                let by = self.constant(args[1])?;
                let of = self.expression(args[0]);
                of.plus(&self.quotient(&of, by)?, -by)
            }
            (Op::IAnd, _) => {
                let (word, mask) = match (self.constant(args[0]), self.constant(args[1])) {
                    (_, Some(mask)) => (args[0], mask as u32),
                    (Some(mask), _) => (args[1], mask as u32),
                    _ => return None,
                };
                let of = self.expression(word);
                let (offset, ones) = (mask.trailing_zeros(), mask.count_ones());
                if mask == 0 || mask.leading_zeros() + ones + offset != 32 {
                    return None;
                }
                self.field(&of, offset, ones)?.times(1 << offset)
            }
            (Op::UExtract, _) => {
                let (offset, width) = (self.constant(args[1])? as u32 & 31, self.constant(args[2])? as u32 & 31);
                let of = self.expression(args[0]);
                if width == 0 { Some(Linear::constant(0)) } else { self.field(&of, offset, width) }
            }
            (Op::IInsert, _) => {
                let (offset, width) = (self.constant(args[2])? as u32 & 31, self.constant(args[3])? as u32 & 31);
                let (base, insert) = (self.expression(args[0]), self.expression(args[1]));
                let old = self.field(&base, offset, width)?;
                let new = self.field(&insert, 0, width)?;
                base.plus(&new.plus(&old, -1)?, 1 << offset)
            }
            (Op::IOr, _) => {
                let (a, b) = (self.expression(args[0]), self.expression(args[1]));
                let apart = |low: &Linear, high: &Linear| {
                    let greatest = self.greatest(low);
                    let unit = 1i64 << (64 - greatest.max(0).leading_zeros()).min(40);
                    self.least(low) >= 0 && high.terms.values().chain([&high.constant]).all(|number| number % unit == 0)
                };
                if apart(&a, &b) || apart(&b, &a) { a.plus(&b, 1) } else { None }
            }
            // A reader's own bound of an index that would wrap.
            (Op::UMin, _) if self.constant(args[1]).is_some_and(|bound| !(0..1 << 24).contains(&bound)) => {
                Some(self.expression(args[0]))
            }
            // A reader's own address far outside for an index that is out of range.
            (Op::Select, _) if self.constant(args[2]) == Some(i64::from(i32::MIN)) => Some(self.expression(args[1])),
            _ => None,
        }
    }

    /// The lane's or group's number.
    fn identity(&mut self, input: InputId, component: u32) -> Option<Linear> {
        let size = self.program.group_size;
        let dimension = component.min(2);
        let local = Linear::unknown(LOCAL + dimension);
        match self.program.interface.input(input).builtin? {
            Builtin::LocalInvocationId => Some(local),
            Builtin::WorkgroupId => Some(Linear::unknown(GROUP + dimension)),
            Builtin::GlobalInvocationId => local.plus(&Linear::unknown(GROUP + dimension), i64::from(size[dimension as usize])),
            Builtin::LocalInvocationIndex => {
                let row = local_sum(&[(0, 1), (1, i64::from(size[0])), (2, i64::from(size[0]) * i64::from(size[1]))])?;
                Some(row)
            }
            _ => None,
        }
    }

    /// A product of what differs among lanes and what does not.
    fn product(&mut self, a: Value, b: Value) -> Option<Linear> {
        let (a, b) = (self.expression(a), self.expression(b));
        let is_uniform = |linear: &Linear| {
            let known = |unknown: &Unknown| &self.found.unknowns[*unknown as usize].meaning;
            linear.terms.keys().all(|unknown| matches!(known(unknown), Meaning::Uniform { .. }))
        };
        let (of, by) = match (is_uniform(&a), is_uniform(&b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return None,
        };
        let key = (of, by);
        if let Some(unknown) = self.products.get(&key) {
            return Some(Linear::unknown(*unknown));
        }
        let range = Range { low: 0, high: u32::MAX };
        let unknown = self.unknown(Meaning::Product { of: key.0.clone(), by: key.1.clone() }, range);
        self.products.insert(key, unknown);
        Some(Linear::unknown(unknown))
    }

    /// A quotient rounded down, of what is no less than zero.
    fn quotient(&mut self, of: &Linear, by: i64) -> Option<Linear> {
        if by <= 0 || self.least(of) < 0 {
            return None;
        }
        let greatest = self.greatest(of) / by;
        match (by, greatest) {
            (1, _) => return Some(of.clone()),
            (_, 0) => return Some(Linear::constant(0)),
            _ => {}
        }
        // What is divided without rest needs no unknown.
        if of.terms.values().chain([&of.constant]).all(|number| number % by == 0) {
            let terms = of.terms.iter().map(|(unknown, factor)| (*unknown, factor / by)).collect();
            return Some(Linear { terms, constant: of.constant / by });
        }
        let key = (of.clone(), by);
        if let Some(unknown) = self.quotients.get(&key) {
            return Some(Linear::unknown(*unknown));
        }
        let range = Range { low: 0, high: u32::try_from(greatest).unwrap_or(u32::MAX) };
        let unknown = self.unknown(Meaning::Quotient { of: of.clone(), by }, range);
        self.quotients.insert(key, unknown);
        Some(Linear::unknown(unknown))
    }

    /// `width` bits from `offset` on.
    fn field(&mut self, of: &Linear, offset: u32, width: u32) -> Option<Linear> {
        let low = self.quotient(of, 1 << offset)?;
        if offset + width >= 32 {
            return Some(low);
        }
        let high = self.quotient(&low, 1 << width)?;
        low.plus(&high, -(1 << width))
    }
}

fn local_sum(terms: &[(u32, i64)]) -> Option<Linear> {
    terms.iter().try_fold(Linear::default(), |sum, (dimension, factor)| sum.plus(&Linear::unknown(LOCAL + dimension), *factor))
}

/// Whether an operation gives each lane another number: a counter, or an atomic addition that always adds.
fn is_unique(instruction: &Instruction, adds: impl Fn(Value) -> bool) -> bool {
    let value = match instruction.op {
        Op::CounterAlloc => return true,
        Op::SharedAtomic => 1,
        Op::BufferAtomic => 2,
        Op::StructuredAtomic => 3,
        Op::TexelAtomic => 4,
        _ => return false,
    };
    instruction.attrs.detail == Detail::Atomic(AtomicOp::Add) && adds(instruction.args[value])
}
