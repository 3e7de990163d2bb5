//! What a value may be by the specification, from the values that its region begins with: the sets of its operations composed along the way.

use super::exact::{Arithmetic, number};
use super::textures::{Operand, SECTIONS, TextureLookup, Textures};
use crate::locate::graph::Point;
use gpuproof_number::Rounding;
use gpuproof_number::allowed::{Enclosure, Format, Function, Interval, Operation, Set, Specification, Type};
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
    pub(super) attrs: Attrs,
    pub(super) widths: (Width, Width),
    pub(super) result: usize,
    pub(super) args: Vec<usize>,
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

/// Of which values results are, where they are fewer than those of their format.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grid {
    /// Whole numbers.
    Integers,
    /// The values of a narrower format.
    Values(Format),
}

/// Values of a grid in a set, taken one at a time, and ways through a region, as they multiply.
const MOST_WAYS: usize = 64;

/// Which way through a region is followed: one of several results wherever they lie apart, so that nothing between two neighbours counts as allowed.
#[derive(Default)]
struct Way {
    /// What was taken so far, of how many.
    taken: Vec<(usize, usize)>,
    at: usize,
}

impl Way {
    /// Takes one of so many.
    fn take(&mut self, count: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, count));
        }
        self.at += 1;
        self.taken[self.at - 1].0
    }

    /// Whether there is another way.
    fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((taken, count)) = self.taken.last_mut() {
            *taken += 1;
            if taken < count {
                return true;
            }
            self.taken.pop();
        }
        false
    }
}

/// What a region's value may be.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// The hull.
    interval: Interval,
    /// The sets that it is of, where it is not all of the hull.
    parts: Option<Vec<Interval>>,
    kind: Type,
    grid: Option<Grid>,
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
    /// Nothing is promised there, for this reason: it is excused only if what the port computes is the same function ([`Region::is_same`]).
    Unbounded(&'static str),
    /// It is wrong.
    None,
}

impl Range {
    fn contains(&self, bits: u64) -> bool {
        let value = self.kind.point(bits);
        let on_grid =
            value.has_no_number() || !value.is_finite() || self.grid.is_none_or(|grid| grid.at_or_above(value.low) == value.low);
        let parts = self.parts.clone().unwrap_or_else(|| vec![self.interval]);
        on_grid && Set { result: self.kind, parts, unbounded: None, sections: Vec::new() }.contains(bits)
    }

    fn meets(&self, other: &Range) -> bool {
        let (a, b) = (self.interval, other.interval);
        a.low <= b.high && b.low <= a.high || a.nan && b.nan
    }

    /// The same with its ends rounded outward to the format of the result.
    fn rounded(&self) -> Range {
        Range { interval: rounded(self.interval, self.kind), ..self.clone() }
    }

    /// The distance of its ends in values of its format.
    pub fn width(&self) -> Option<u64> {
        let Type::Float(format) = self.kind else { return None };
        let place = |x: f64| {
            let bits = format.pattern(x, Rounding::NearestEven);
            let magnitude = bits & (u64::MAX >> (65 - format.bits()));
            if bits == magnitude { magnitude as i64 } else { -(magnitude as i64) }
        };
        let is_known = self.interval.is_finite() && !self.interval.nan && self.unbounded.is_none() && self.parts.is_none();
        is_known.then(|| place(self.interval.high).abs_diff(place(self.interval.low)))
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
    ///
    /// Where nothing is promised of an operation of the original's, what still holds of its result has to hold of the port's too. That nothing is promised
    /// of one of the port's excuses nothing.
    pub fn excuse(&self, port: Option<&Region>, bits: u64, given: &Given<'_>) -> (Excuse, Option<Range>) {
        let Some(kind) = self.kind() else { return (Excuse::None, None) };
        let ranges = self.ranges(Reading::Sets, kind, given).unwrap_or_default();
        let promised = ranges.iter().filter(|range| range.unbounded.is_none());
        if let Some(range) = promised.clone().find(|range| range.contains(bits)) {
            return (Excuse::InSet, Some(range.clone()));
        }
        if let Some(why) = ranges.iter().filter(|range| range.contains(bits)).find_map(|range| range.unbounded) {
            return (Excuse::Unbounded(why), None);
        }
        let range = promised.clone().next().cloned();
        if self.may_be_refactored()
            && let Some(port) = port
            && let Some(own) = self.ranges(Reading::Refactored, kind, given)
        {
            if let Some(why) = own.iter().find_map(|own| own.unbounded)
                && (!self.ends_in_lookup() || own.iter().any(|own| own.contains(bits)))
            {
                return (Excuse::Unbounded(why), range);
            }
            let Some(theirs) = port.ranges(Reading::Rounded, kind, given) else { return (Excuse::None, range) };
            if let Some(why) = theirs.iter().find_map(|theirs| theirs.unbounded)
                && !self.ends_in_lookup()
            {
                return (Excuse::Unbounded(why), range);
            }
            // The same function there, rounded as the port does: where terms cancel it may be far from the exact value.
            let exact = || port.ranges(Reading::Refactored, kind, given).unwrap_or_default();
            let reached: Vec<&Range> = theirs.iter().filter(|theirs| theirs.contains(bits)).collect();
            let meets = |all: &[&Range]| all.iter().any(|theirs| own.iter().any(|own| own.rounded().meets(theirs)));
            let same = || exact().iter().any(|theirs| own.iter().any(|own| own.meets(theirs)));
            if !reached.is_empty() && (meets(&reached) || same()) {
                return (Excuse::Refactored, range);
            }
        }
        (Excuse::None, range)
    }

    /// Whether what the port has is the same function on a lane in exact arithmetic. Of a lookup [`Region::excuse`] tells: the result lies in what fixed point gives.
    pub(super) fn is_same(&self, port: Option<&Region>, leaf: &dyn Fn(Point) -> u64, arithmetic: &mut Arithmetic) -> bool {
        self.ends_in_lookup() || port.is_some_and(|port| super::same::is_same(self, port, leaf, arithmetic))
    }

    fn ends_in_lookup(&self) -> bool {
        matches!(self.nodes.last(), Some(RegionNode::Lookup(..)))
    }

    /// What its value may be, for each way through it; none where an operation is not followed or there are too many. `kind` tells how bits are
    /// read that no operation makes.
    fn ranges(&self, reading: Reading, kind: Type, given: &Given<'_>) -> Option<Vec<Range>> {
        let mut way = Way::default();
        let mut all = Vec::new();
        loop {
            all.push(self.follow(reading, kind, given, &mut way)?);
            if !way.next() {
                return Some(all);
            }
            if all.len() == MOST_WAYS {
                return None;
            }
        }
    }

    fn follow(&self, reading: Reading, kind: Type, given: &Given<'_>, way: &mut Way) -> Option<Range> {
        let mut held: Vec<Held> = Vec::with_capacity(self.nodes.len());
        let (mut unbounded, mut grid) = (None, None);
        for (at, node) in self.nodes.iter().enumerate() {
            held.push(match node {
                RegionNode::Leaf(point) => Held::Bits((given.leaf)(*point)),
                RegionNode::Constant(bits) => Held::Bits(*bits),
                RegionNode::Operation(operation) => {
                    let args: Vec<Held> = operation.args.iter().map(|at| held[*at]).collect();
                    let constants = self.shortened.then(|| {
                        let constant = |at: &usize| matches!(self.nodes[*at], RegionNode::Constant(_));
                        operation.args.iter().map(constant).collect::<Vec<bool>>()
                    });
                    let made = operation.follow(reading, &args, constants.as_deref(), &mut unbounded, way)?;
                    match (made, operation.grid()) {
                        (made, None) => made,
                        // The last is held against bits, which lie on the grid or do not.
                        (made, own) if at + 1 == self.nodes.len() => {
                            grid = own;
                            made
                        }
                        (Held::Within(interval, kind), Some(grid)) => {
                            let values = grid.values(interval)?;
                            bits_of(values[way.take(values.len())], kind)
                        }
                        (made, Some(_)) => made,
                    }
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
                        return Some(Range { interval: hull, parts: Some(parts), kind: float, grid: None, unbounded });
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
            Held::Within(interval, kind) => Some(Range { interval, parts: None, kind, grid, unbounded }),
            Held::Bits(bits) => Some(Range { interval: kind.point(bits), parts: None, kind, grid: None, unbounded }),
        }
    }
}

impl Grid {
    /// The least of its values that is not below `x`.
    fn at_or_above(self, x: f64) -> f64 {
        match self {
            Grid::Integers => x.ceil(),
            Grid::Values(format) => format.value(format.pattern(x, Rounding::Up)),
        }
    }

    /// Its values in an interval; none where there are many.
    fn values(self, interval: Interval) -> Option<Vec<Interval>> {
        let mut all = Vec::new();
        if interval.nan {
            all.push(Interval::NAN);
        }
        if !interval.has_no_number() {
            let mut x = self.at_or_above(interval.low);
            while x <= interval.high {
                if all.len() == MOST_WAYS {
                    return None;
                }
                all.push(Interval { nan: false, ..interval.within(x, x) });
                if x == f64::INFINITY {
                    break;
                }
                x = self.at_or_above(x.next_up());
            }
        }
        (!all.is_empty()).then_some(all)
    }
}

/// A value of a set as bits where it is one integer.
fn bits_of(interval: Interval, kind: Type) -> Held {
    match (kind, interval.low == interval.high && !interval.nan) {
        (Type::Truth | Type::Unsigned(_), true) => Held::Bits(interval.low as u64),
        (Type::Signed(bits), true) => Held::Bits(interval.low as i64 as u64 & (u64::MAX >> (64 - bits))),
        _ => Held::Within(interval, kind),
    }
}

impl RegionOperation {
    /// Where its results lie apart.
    fn grid(&self) -> Option<Grid> {
        let allowed = self.allowed.as_ref()?;
        match (allowed.function, allowed.operand, allowed.result) {
            (_, _, Type::Truth | Type::Unsigned(_) | Type::Signed(_)) => Some(Grid::Integers),
            (Function::Floor | Function::Ceil | Function::Trunc | Function::Round | Function::Sign, ..) => Some(Grid::Integers),
            (Function::Convert, Type::Float(from), Type::Float(to)) if to.bits() < from.bits() => Some(Grid::Values(to)),
            _ => None,
        }
    }

    /// Whether nothing is promised of infinities and NaN among operands, even of comparisons.
    pub(super) fn asks_for_numbers(&self) -> bool {
        self.allowed
            .is_some_and(|allowed| matches!(allowed.permission.specification, Specification::Wgsl | Specification::Vulkan))
    }

    fn follow(
        &self,
        reading: Reading,
        args: &[Held],
        constants: Option<&[bool]>,
        unbounded: &mut Option<&'static str>,
        way: &mut Way,
    ) -> Option<Held> {
        if let Some(allowed) = &self.allowed {
            let interval = |(at, held): (usize, &Held)| match held {
                Held::Bits(bits) => {
                    let kind = allowed.operand_type(at);
                    let point = kind.point(*bits);
                    let is_number = matches!(kind, Type::Float(_)) && constants.is_some_and(|constants| constants[at]);
                    let loose = reading != Reading::Sets && is_number;
                    if loose { loosened(point, *bits, self.widths.0) } else { point }
                }
                Held::Within(interval, _) => *interval,
            };
            let mut operands: Vec<Interval> = args.iter().enumerate().map(interval).collect();
            if allowed.function == Function::Fract {
                // On either side of an integer.
                let (low, high) = (operands[0].low.floor(), operands[0].high.floor());
                if high - low > 0.0 && high - low < 4.0 {
                    let piece = low + way.take((high - low) as usize + 1) as f64;
                    operands[0] = operands[0].within(piece, (piece + 1.0).next_down());
                }
            }
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
                // What the port makes of something unpromised is no function that the original may be refactored to.
                Enclosure::Unbounded { .. } if reading == Reading::Rounded && !allowed.function.is_refactorable() => return None,
                Enclosure::Unbounded { reason, within } => {
                    *unbounded = unbounded.or(Some(reason));
                    within
                }
            };
            if reading == Reading::Rounded && allowed.function.is_refactorable() {
                interval = interval.hull(rounded(allowed.function.exact(&operands)?, allowed.result));
            }
            return Some(bits_of(interval, allowed.result));
        }
        let bits: Option<Vec<u64>> =
            args.iter().map(|held| if let Held::Bits(bits) = held { Some(*bits) } else { None }).collect();
        if let Some(bits) = bits {
            let pure = Pure { op: self.op, attrs: self.attrs, t: self.widths.0, u: self.widths.1 };
            return Some(Held::Bits(pure.evaluate(&bits)[self.result.min(1)]));
        }
        match (self.op, args) {
            (Op::Select, [Held::Bits(condition), yes, no]) => Some(if *condition != 0 { *yes } else { *no }),
            (Op::Select, [_, yes, no]) => Some(if way.take(2) == 0 { *yes } else { *no }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use gpuproof_program::Origin;

    /// A region of one leaf and constants: operations take nodes before them; results of 32 bits but where a width is given.
    struct Building {
        region: Region,
        widths: Vec<Width>,
    }

    impl Building {
        fn new() -> Building {
            Building { region: Region { nodes: vec![RegionNode::Leaf(0)], shortened: false }, widths: vec![Width::W32] }
        }

        fn constant(&mut self, x: f32) -> usize {
            self.region.nodes.push(RegionNode::Constant(x.to_bits().into()));
            self.widths.push(Width::W32);
            self.widths.len() - 1
        }

        fn op(&mut self, op: Op, width: Width, args: &[usize]) -> usize {
            let instruction =
                Instruction { op, attrs: Attrs::default(), args: Vec::new(), results: Vec::new(), origin: Origin::line(1) };
            let first = if op == Op::Select { width } else { self.widths[args[0]] };
            let node = RegionNode::operation(Dialect::D3D11, 1, &instruction, 0, (first, width), args.to_vec());
            self.region.nodes.push(node);
            self.widths.push(width);
            self.widths.len() - 1
        }

        fn allows(&self, leaf: f32, result: f32) -> bool {
            let at = |_| u64::from(leaf.to_bits());
            let given = Given { leaf: &at, textures: &Textures::default() };
            self.region.excuse(None, result.to_bits().into(), &given).0 == Excuse::InSet
        }
    }

    #[test]
    fn between_two_results_of_a_decision_nothing_is_allowed() {
        // sin(0.5) is 0.4794, within 0.0008 (D3D11 22.10.20): it may be less than 0.4795 or not.
        let mut step = Building::new();
        let sine = step.op(Op::FSin, Width::W32, &[0]);
        let threshold = step.constant(0.4795);
        let below = step.op(Op::FLt, Width::W1, &[sine, threshold]);
        let (zero, one) = (step.constant(0.0), step.constant(1.0));
        step.op(Op::Select, Width::W32, &[below, one, zero]);
        assert!(step.allows(0.5, 0.0) && step.allows(0.5, 1.0));
        assert!(!step.allows(0.5, 0.5));
        // Far from the threshold there is one result.
        assert!(step.allows(0.1, 1.0) && !step.allows(0.1, 0.0));
    }

    #[test]
    fn what_rounds_to_integers_gives_integers() {
        // sin(0.0001) lies in [-0.0007, 0.0009], whose floor is -1 or 0; by 3 that is -3 or 0.
        let mut floor = Building::new();
        let sine = floor.op(Op::FSin, Width::W32, &[0]);
        let whole = floor.op(Op::FFloor, Width::W32, &[sine]);
        assert!(floor.allows(0.0001, -1.0) && floor.allows(0.0001, 0.0) && !floor.allows(0.0001, -0.5));
        let three = floor.constant(3.0);
        floor.op(Op::FMul, Width::W32, &[whole, three]);
        assert!(floor.allows(0.0001, -3.0) && floor.allows(0.0001, 0.0));
        assert!(!floor.allows(0.0001, -1.0) && !floor.allows(0.0001, -1.5));
    }

    #[test]
    fn what_was_narrowed_has_the_values_of_the_narrower_format() {
        // A half has ten bits after the leading one: 1 + 2^-10 is its first value after 1.
        let mut half = Building::new();
        let narrow = half.op(Op::FConvert, Width::W16, &[0]);
        half.op(Op::FConvert, Width::W32, &[narrow]);
        let x = 1.0 + 1.0 / 4096.0;
        assert!(half.allows(x, 1.0) && !half.allows(x, x));
    }
}
