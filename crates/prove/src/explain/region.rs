//! What a value may be by the specification, from the values that its region begins with: the sets of its operations composed along the way.

use super::exact::number;
use super::textures::{Operand, SECTIONS, TextureLookup, Textures};
use crate::locate::graph::Point;
use gpuproof_number::Rounding;
use gpuproof_number::allowed::{Enclosure, Format, Interval, Operation, Set, Type};
use gpuproof_program::{Attrs, Dialect, Instruction, Op, Width};
use gpuproof_run::machine::scalar::Pure;

/// A node of a region; nodes before it are named by their number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RegionNode {
    /// A value of the original on which both sides agree.
    Leaf(Point),
    /// A constant.
    Constant(u64),
    /// An operation.
    Operation(Box<RegionOperation>),
    /// A component of a texture's lookup, with its operands.
    Lookup(Box<TextureLookup>, Vec<usize>),
}

/// What a region is looked at with.
pub(crate) struct Given<'a> {
    /// The values that it begins with.
    pub leaf: &'a dyn Fn(Point) -> u64,
    /// What lookups read.
    pub textures: &'a Textures,
}

/// An operation of a region.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RegionOperation {
    pub point: Point,
    pub op: Op,
    attrs: Attrs,
    widths: (Width, Width),
    result: usize,
    args: Vec<usize>,
    /// What the specification says of it, if it speaks of floats.
    allowed: Option<Operation>,
}

/// The operations between values that agree and one that does not; the last node is that one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    pub nodes: Vec<RegionNode>,
    /// Whether constants stand for numbers that round to them.
    pub shortened: bool,
}

/// How the operations of a region are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Each within its set.
    Sets,
    /// Each within its set, and those that may be refactored rounded either way: so far a computation in this form may be from the exact function. Constants
    /// stand for what they may have been shortened from.
    Rounded,
    /// Those that may be refactored as exact functions, the others within their sets; constants likewise.
    Refactored,
}

/// A value that is known to lie in a set.
#[derive(Clone, Copy, Debug)]
enum Held {
    Bits(u64),
    Within(Interval, Type),
}

/// What a region's value may be.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// The hull.
    interval: Interval,
    /// The sets that it is of, where it is not all of the hull.
    parts: Option<Vec<Interval>>,
    kind: Type,
    /// Why nothing is promised, if so.
    pub unbounded: Option<&'static str>,
}

/// What is said of a result that is not the canonical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excuse {
    /// It lies in the set of the original's region.
    InSet,
    /// The original's region may be refactored, and what the port computes is that function of the same values.
    Refactored,
    /// Nothing is promised there, for this reason.
    Unbounded(&'static str),
    /// It is wrong.
    None,
}

impl Range {
    fn contains(&self, bits: u64) -> bool {
        let parts = self.parts.clone().unwrap_or_else(|| vec![self.interval]);
        Set { result: self.kind, parts, unbounded: None, sections: Vec::new() }.contains(bits)
    }

    fn meets(&self, other: &Range) -> bool {
        let (a, b) = (self.interval, other.interval);
        a.low <= b.high && b.low <= a.high || a.nan && b.nan
    }

    /// The same with its ends rounded outward to the format of the result.
    fn rounded(&self) -> Range {
        Range { interval: rounded(self.interval, self.kind), ..self.clone() }
    }

    /// The distance of its ends in representable floats of 32 bits.
    pub fn width(&self) -> Option<u64> {
        let end = |x: f64| (x as f32).to_bits();
        (!self.interval.nan && self.unbounded.is_none() && self.parts.is_none())
            .then(|| crate::compare::ulps(end(self.interval.low), end(self.interval.high)))
            .flatten()
    }
}

impl RegionNode {
    pub fn operation(
        dialect: Dialect,
        point: Point,
        instruction: &Instruction,
        result: usize,
        widths: (Width, Width),
        args: Vec<usize>,
    ) -> RegionNode {
        let (op, attrs) = (instruction.op, instruction.attrs);
        let allowed = allowed_operation(op, &attrs, dialect, widths, result);
        RegionNode::Operation(Box::new(RegionOperation { point, op, attrs, widths, result, args, allowed }))
    }
}

impl Region {
    /// The values that it begins with.
    pub fn leaves(&self) -> impl Iterator<Item = Point> + '_ {
        self.nodes.iter().filter_map(|node| if let RegionNode::Leaf(point) = node { Some(*point) } else { None })
    }

    /// Its operations, in order.
    pub fn operations(&self) -> impl Iterator<Item = &RegionOperation> {
        self.nodes.iter().filter_map(|node| if let RegionNode::Operation(operation) = node { Some(&**operation) } else { None })
    }

    /// Its lookups of textures.
    pub fn lookups(&self) -> impl Iterator<Item = &TextureLookup> {
        self.nodes.iter().filter_map(|node| if let RegionNode::Lookup(lookup, _) = node { Some(&**lookup) } else { None })
    }

    /// Its operations with the sections that speak of them, each once: `f.rsqrt 22.10.19`.
    pub fn sections(&self) -> Vec<String> {
        let mut all = Vec::new();
        for operation in self.operations() {
            let mut sections: Vec<&str> = operation.allowed.iter().flat_map(Operation::rows).map(|row| row.section).collect();
            sections.dedup();
            let named = format!("{} {}", operation.op.row().name, sections.join(", "));
            if !sections.is_empty() && !all.contains(&named) {
                all.push(named);
            }
        }
        for lookup in self.lookups() {
            let named = format!("{} {SECTIONS}", lookup.name());
            if !all.contains(&named) {
                all.push(named);
            }
        }
        all
    }

    /// Whether operations of it may be refactored, and none that could be is precise.
    pub fn may_be_refactored(&self) -> bool {
        let mut some = false;
        for allowed in self.operations().filter_map(|operation| operation.allowed.as_ref()) {
            if allowed.function.is_refactorable() {
                if !allowed.permission.refactor {
                    return false;
                }
                some = true;
            }
        }
        some
    }

    /// What its value may be by the sets of its operations. None where an operation is not followed.
    pub fn range(&self, given: &Given<'_>) -> Option<Range> {
        self.follow(Reading::Sets, self.kind()?, given)
    }

    /// How the bits of its value are read; none where an operation does not say.
    fn kind(&self) -> Option<Type> {
        match self.nodes.last()? {
            RegionNode::Operation(operation) => match operation.allowed {
                Some(allowed) => Some(allowed.result),
                None => Format::of_bits(operation.widths.1.bits()).map(Type::Float),
            },
            RegionNode::Lookup(..) => Some(Type::Float(Format::F32)),
            _ => None,
        }
    }

    /// What is said of `bits` in place of its value: `port` is the region that the port has there, of the same values.
    pub fn excuse(&self, port: Option<&Region>, bits: u64, given: &Given<'_>) -> (Excuse, Option<Range>) {
        let range = self.range(given);
        if let Some(range) = &range {
            match range.unbounded {
                Some(why) => return (Excuse::Unbounded(why), None),
                None if range.contains(bits) => return (Excuse::InSet, Some(range.clone())),
                None => {}
            }
        }
        if self.may_be_refactored()
            && let Some(port) = port
            && let Some(kind) = self.kind()
            && let Some(own) = self.follow(Reading::Refactored, kind, given)
            && let Some(theirs) = port.follow(Reading::Rounded, kind, given)
        {
            // The same function there, rounded as the port does: where terms cancel it may be far from the exact value.
            let same = || port.follow(Reading::Refactored, kind, given).is_some_and(|exact| own.meets(&exact));
            match own.unbounded.or(theirs.unbounded) {
                Some(why) => return (Excuse::Unbounded(why), range),
                None if theirs.contains(bits) && (own.rounded().meets(&theirs) || same()) => return (Excuse::Refactored, range),
                None => {}
            }
        }
        (Excuse::None, range)
    }

    /// `kind` tells how bits are read that no operation makes.
    fn follow(&self, reading: Reading, kind: Type, given: &Given<'_>) -> Option<Range> {
        let mut held: Vec<Held> = Vec::with_capacity(self.nodes.len());
        let mut unbounded = None;
        for node in &self.nodes {
            held.push(match node {
                RegionNode::Leaf(point) => Held::Bits((given.leaf)(*point)),
                RegionNode::Constant(bits) => Held::Bits(*bits),
                RegionNode::Operation(operation) => {
                    let args: Vec<Held> = operation.args.iter().map(|at| held[*at]).collect();
                    let constants = self.shortened.then(|| {
                        let constant = |at: &usize| matches!(self.nodes[*at], RegionNode::Constant(_));
                        operation.args.iter().map(constant).collect::<Vec<bool>>()
                    });
                    operation.follow(reading, &args, constants.as_deref(), &mut unbounded)?
                }
                RegionNode::Lookup(lookup, args) => {
                    let operand = |at: &usize| match held[*at] {
                        Held::Bits(bits) => Operand::Bits(bits as u32),
                        Held::Within(interval, _) => Operand::Within(interval),
                    };
                    let parts = lookup.allowed(given.textures, &args.iter().map(operand).collect::<Vec<Operand>>())?;
                    unbounded = unbounded.or(lookup.unbounded);
                    let (hull, float) =
                        (parts.iter().fold(Interval::EMPTY, |hull, part| hull.hull(*part)), Type::Float(Format::F32));
                    if held.len() + 1 == self.nodes.len() {
                        return Some(Range { interval: hull, parts: Some(parts), kind: float, unbounded });
                    }
                    // What is made of one of several sets is not followed.
                    if parts.len() != 1 {
                        return None;
                    }
                    Held::Within(hull, float)
                }
            });
        }
        match *held.last()? {
            Held::Within(interval, kind) => Some(Range { interval, parts: None, kind, unbounded }),
            Held::Bits(bits) => Some(Range { interval: kind.point(bits), parts: None, kind, unbounded }),
        }
    }
}

impl RegionOperation {
    fn follow(
        &self,
        reading: Reading,
        args: &[Held],
        constants: Option<&[bool]>,
        unbounded: &mut Option<&'static str>,
    ) -> Option<Held> {
        if let Some(allowed) = &self.allowed {
            let interval = |(at, held): (usize, &Held)| match held {
                Held::Bits(bits) => {
                    let point = allowed.operand_type(at).point(*bits);
                    let loose = reading != Reading::Sets && constants.is_some_and(|constants| constants[at]);
                    if loose { loosened(point, *bits, self.widths.0) } else { point }
                }
                Held::Within(interval, _) => *interval,
            };
            let operands: Vec<Interval> = args.iter().enumerate().map(interval).collect();
            if reading == Reading::Refactored && allowed.function.is_refactorable() {
                let finite = |interval: &Interval| !interval.nan && interval.low.is_finite() && interval.high.is_finite();
                let exact = allowed.function.exact(&operands)?;
                if !finite(&exact) || !operands.iter().all(finite) {
                    *unbounded = unbounded.or(Some("infinities and NaN are ignored where operations may be refactored"));
                }
                return Some(Held::Within(exact, allowed.result));
            }
            let mut interval = match allowed.enclose(&operands) {
                Enclosure::Within(interval) => interval,
                Enclosure::Unbounded { reason, within } => {
                    *unbounded = unbounded.or(Some(reason));
                    within
                }
            };
            if reading == Reading::Rounded && allowed.function.is_refactorable() {
                interval = interval.hull(rounded(allowed.function.exact(&operands)?, allowed.result));
            }
            return Some(match (allowed.result, interval.low == interval.high && !interval.nan) {
                (Type::Truth | Type::Unsigned(_), true) => Held::Bits(interval.low as u64),
                (Type::Signed(bits), true) => Held::Bits(interval.low as i64 as u64 & (u64::MAX >> (64 - bits))),
                _ => Held::Within(interval, allowed.result),
            });
        }
        let bits: Option<Vec<u64>> =
            args.iter().map(|held| if let Held::Bits(bits) = held { Some(*bits) } else { None }).collect();
        if let Some(bits) = bits {
            let pure = Pure { op: self.op, attrs: self.attrs, t: self.widths.0, u: self.widths.1 };
            return Some(Held::Bits(pure.evaluate(&bits)[self.result.min(1)]));
        }
        match (self.op, args) {
            (Op::Select, [Held::Bits(condition), yes, no]) => Some(if *condition != 0 { *yes } else { *no }),
            (Op::Select, [_, yes, no]) => {
                let kind = match (yes, no) {
                    (Held::Within(_, kind), _) | (_, Held::Within(_, kind)) => *kind,
                    _ => return None,
                };
                let interval = |held: &Held| match held {
                    Held::Bits(bits) => kind.point(*bits),
                    Held::Within(interval, _) => *interval,
                };
                Some(Held::Within(interval(yes).hull(interval(no)), kind))
            }
            (Op::IAnd | Op::IOr | Op::IXor, [Held::Bits(bits), other] | [other, Held::Bits(bits)]) => {
                let mask = self.widths.0.mask();
                match (self.op, *bits & mask, other) {
                    (Op::IAnd, 0, _) => Some(Held::Bits(0)),
                    (Op::IAnd, all, _) if all == mask => Some(*other),
                    (Op::IOr | Op::IXor, 0, _) => Some(*other),
                    (Op::IXor, sign, Held::Within(interval, kind)) if sign == mask ^ (mask >> 1) => {
                        Some(Held::Within(-*interval, *kind))
                    }
                    (Op::IAnd, rest, Held::Within(interval, kind)) if rest == mask >> 1 => {
                        Some(Held::Within(interval.absolute(), *kind))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// An interval with its ends rounded outward to a float format.
fn rounded(interval: Interval, kind: Type) -> Interval {
    let Type::Float(format) = kind else { return interval };
    if interval.has_no_number() {
        return interval;
    }
    let end = |x: f64, to| format.value(format.pattern(x, to));
    Interval { low: end(interval.low, Rounding::Down), high: end(interval.high, Rounding::Up), ..interval }
}

/// All numbers that round to a float constant of many digits.
fn loosened(point: Interval, bits: u64, width: Width) -> Interval {
    match (width, number(bits, width)) {
        (Width::W32, Some(x)) if bits & 0xfff != 0 => {
            let f = f32::from_bits(bits as u32);
            let half = |next: f32| f64::from(next) / 2.0 + x / 2.0;
            Interval::new(half(f.next_down()), half(f.next_up()))
        }
        _ => point,
    }
}

/// What the specification says of one result of an operation.
fn allowed_operation(op: Op, attrs: &Attrs, dialect: Dialect, (t, u): (Width, Width), result: usize) -> Option<Operation> {
    gpuproof_program::permission::operations(op, attrs, t, u, dialect)?.get(result).copied()
}
