//! What the uses of values ask of them: which bits, and which changes of the number make no difference.

use crate::facts::{Fact, definitions, result};
use crate::flow;
use gpuproof_program::*;
use std::collections::HashMap;

/// What everything that depends on a value asks of it. Each answer is right by itself: a value may be changed as one of them allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Demand {
    /// Bits that anything depends on.
    pub(super) bits: u64,
    /// Whether the sign of the number makes no difference.
    pub(super) even: bool,
    /// Whether only being zero or not makes one.
    pub(super) truth: bool,
    /// Whether the sign of a zero makes no difference.
    pub(super) zero_sign: bool,
}

impl Demand {
    const NOTHING: Demand = Demand { bits: 0, even: true, truth: true, zero_sign: true };
    const ALL: Demand = Demand { bits: u64::MAX, even: false, truth: false, zero_sign: false };
    /// All but the sign of the number.
    const EVEN: Demand = Demand { even: true, ..Demand::UNSIGNED_ZERO };
    /// All but the sign of a zero.
    const UNSIGNED_ZERO: Demand = Demand { zero_sign: true, ..Demand::ALL };

    fn of_bits(bits: u64) -> Demand {
        Demand { bits, ..Demand::ALL }
    }

    fn and(self, other: Demand, width: Width) -> Demand {
        Demand {
            bits: (self.bits | other.bits) & width.mask(),
            even: self.even && other.even,
            truth: self.truth && other.truth,
            zero_sign: self.zero_sign && other.zero_sign,
        }
    }

    /// What passes through operations on numbers that keep a zero's sign, and the number's where `even`.
    fn through(self, even: bool) -> Demand {
        Demand { even: even && self.even, zero_sign: self.zero_sign, ..Demand::ALL }
    }
}

/// What the uses of a function's values ask of them when one of them is changed, or any. What depends on it may be other than facts say.
pub(super) fn demands(
    program: &Program,
    function: &Function,
    (facts, alike): (&[Fact], &[Value]),
    changed: Option<Value>,
) -> Vec<Demand> {
    let count = function.values.len();
    let mut masks = vec![false; count];
    for (value, made) in definitions(function) {
        masks[value.index()] = made.op == Op::SExtend && function.width(made.args[0]) == Width::W1;
    }
    let mut users: Vec<Vec<&Instruction>> = vec![Vec::new(); count];
    let mut kept = vec![false; count];
    walk(&function.body, &mut |node| match node {
        Node::Op(instruction) => instruction.args.iter().for_each(|arg| users[arg.index()].push(instruction)),
        _ => flow::operands(node).into_iter().for_each(|value| kept[value.index()] = true),
    });
    let defined = definitions(function);
    // Negations that are only ever the other operand of an extremum of what they negate: with it they give a magnitude.
    let is_other =
        |made: &Instruction, user: &Instruction| matches!(user.op, Op::FMin | Op::FMax) && user.args.contains(&made.args[0]);
    let mut opposite = vec![false; count];
    for (value, made) in defined.iter().filter(|(value, made)| made.op == Op::FNeg && !kept[value.index()]) {
        opposite[value.index()] = users[value.index()].iter().all(|user| is_other(made, user));
    }
    let changed = changed.map_or(vec![true; count], |changed| dependent(function, changed));
    let asker =
        Asker { program, function, facts, alike, changed, masks, opposite, defined, constants: flow::constants(function) };
    let live = flow::live(program, function);
    let incoming = function.incoming();
    let mut found = vec![Demand::NOTHING; count];
    // From nothing that is asked for toward what uses ask, until nothing changes.
    loop {
        let mut next = vec![Demand::NOTHING; count];
        let mut ask = |value: Value, demand: Demand| {
            let slot = &mut next[value.index()];
            *slot = slot.and(demand, function.width(value));
        };
        walk(&function.body, &mut |node| match node {
            Node::Op(instruction) => {
                let is_live =
                    instruction.op.row().class == Class::Writes || instruction.results.iter().any(|result| live[result.index()]);
                for (position, arg) in instruction.args.iter().enumerate().filter(|_| is_live) {
                    if flow::role(program, instruction, position) != flow::Role::Ignored {
                        let result = instruction.results.first().map_or(Demand::ALL, |result| found[result.index()]);
                        ask(*arg, asker.asked(instruction, position, result));
                    }
                }
            }
            Node::If { condition, .. } => ask(*condition, Demand { truth: true, ..Demand::ALL }),
            Node::Switch { selector, .. } => ask(*selector, Demand::ALL),
            Node::Return { values } => values.iter().for_each(|value| ask(*value, Demand::ALL)),
            _ => {}
        });
        for (to, sources) in incoming.iter().enumerate().filter(|(to, _)| live[*to]) {
            sources.iter().for_each(|from| ask(*from, found[to]));
        }
        if next == found {
            return found;
        }
        found = next;
    }
}

/// For each value whether it depends on one.
pub(in crate::adequacy) fn dependent(function: &Function, on: Value) -> Vec<bool> {
    let mut found = vec![false; function.values.len()];
    found[on.index()] = true;
    let incoming = function.incoming();
    loop {
        let before = found.clone();
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node
                && instruction.args.iter().any(|arg| found[arg.index()])
            {
                instruction.results.iter().for_each(|result| found[result.index()] = true);
            }
        });
        for (to, sources) in incoming.iter().enumerate() {
            found[to] |= sources.iter().any(|from| found[from.index()]);
        }
        if found == before {
            return found;
        }
    }
}

struct Asker<'a> {
    program: &'a Program,
    function: &'a Function,
    facts: &'a [Fact],
    alike: &'a [Value],
    /// Values of which no facts hold.
    changed: Vec<bool>,
    /// Values that have all bits set or none.
    masks: Vec<bool>,
    /// Negations of which only the magnitude counts, together with what they negate.
    opposite: Vec<bool>,
    defined: HashMap<Value, &'a Instruction>,
    constants: Vec<Option<u64>>,
}

impl Asker<'_> {
    /// What an operation asks of an operand when this is asked of its result.
    fn asked(&self, instruction: &Instruction, position: usize, result: Demand) -> Demand {
        let args = &instruction.args;
        let width = self.function.width(args[position]);
        let constant = |at: usize| args.get(at).and_then(|arg| self.constants[arg.index()]);
        // All bits up to the highest that is asked for.
        let below = if result.bits == 0 { 0 } else { u64::MAX >> result.bits.leading_zeros() };
        let sign = width.mask() ^ (width.mask() >> 1);
        let alike = args.len() == 2 && args[0] == args[1];
        let negates = |value: Value, other: Value| {
            self.opposite[value.index()] && self.defined.get(&value).is_some_and(|made| made.args[0] == other)
        };
        let count = constant(1).map(|count| count % u64::from(width.bits()));
        match instruction.op {
            Op::IAnd | Op::IOr if alike => result,
            // All bits or none of the other: it, or zero.
            Op::IAnd if self.masks[args[1 - position].index()] => result,
            Op::IAnd => {
                let mask = constant(1 - position).unwrap_or(u64::MAX);
                let unsigned = mask & sign == 0;
                Demand { even: unsigned, zero_sign: unsigned, ..Demand::of_bits(result.bits & mask) }
            }
            Op::IOr => {
                let kept = !constant(1 - position).unwrap_or(0);
                Demand { truth: result.truth, ..Demand::of_bits(result.bits & kept) }
            }
            Op::IXor | Op::INot => Demand::of_bits(result.bits),
            // Nothing is carried out of low bits that the other operand lacks.
            Op::IAdd if !alike && !self.changed[args[1 - position].index()] => {
                let lacks = self.facts[args[1 - position].index()].may.trailing_zeros();
                let free = lacks.min(result.bits.trailing_zeros()).min(63);
                Demand::of_bits(below & !((1 << free) - 1))
            }
            Op::IAdd | Op::ISub | Op::IMul => Demand::of_bits(below),
            Op::IInsert if position == 0 && instruction.attrs.rules.field == Field::LowBits && width == Width::W32 => {
                let field = match (constant(2), constant(3)) {
                    (Some(offset), Some(bits)) => ((1u64 << (bits % 32)) - 1) << (offset % 32),
                    _ => 0,
                };
                Demand::of_bits(result.bits & !field)
            }
            Op::IShl | Op::UShr | Op::SShr if position == 1 => {
                Demand::of_bits(u64::from(self.function.width(args[0]).bits()) - 1)
            }
            Op::IShl => Demand::of_bits(count.map_or(below, |count| result.bits >> count)),
            Op::UShr => Demand::of_bits(count.map_or(u64::MAX, |count| result.bits << count)),
            Op::SShr => Demand::of_bits(count.map_or(u64::MAX, |count| result.bits << count | sign)),
            Op::ITruncate | Op::UExtend => Demand::of_bits(result.bits),
            Op::SExtend => Demand::of_bits(result.bits & width.mask() | if result.bits > width.mask() { sign } else { 0 }),
            Op::Select if position > 0 => result,
            Op::IEq | Op::INe => Demand { truth: constant(1 - position) == Some(0), ..Demand::ALL },
            Op::FEq | Op::FNe if constant(1 - position) == Some(0) => Demand::EVEN,
            Op::FEq | Op::FNe | Op::FLt | Op::FLe => Demand::UNSIGNED_ZERO,
            // A square has no sign.
            Op::FMul if alike => Demand::EVEN,
            Op::FMad if position < 2 && args[0] == args[1] && args[2] != args[position] => Demand::EVEN,
            // The greater of x and -x is |x|.
            Op::FMin | Op::FMax if negates(args[1 - position], args[position]) => Demand::EVEN,
            Op::FNeg if self.opposite[instruction.results[0].index()] => Demand::EVEN,
            Op::FMad => self.summand(instruction, position, result),
            Op::FDot2 | Op::FDot3 | Op::FDot4 => {
                let half = args.len() / 2;
                let square = args[position] == args[(position + half) % args.len()];
                let once = args.iter().filter(|arg| **arg == args[position]).count() == 2;
                if square && once { Demand::EVEN } else { self.summand(instruction, position, result) }
            }
            Op::FAdd | Op::FSub => self.summand(instruction, position, result),
            // cos(-x) is cos(x).
            Op::FAbs | Op::FCos => Demand::EVEN,
            Op::FNeg | Op::FMul | Op::FConvert => result.through(true),
            Op::FDiv => Demand { zero_sign: position == 0 && result.zero_sign, ..result.through(true) },
            Op::FRcp => Demand { zero_sign: false, ..result.through(true) },
            Op::FLdexp if position == 0 => result.through(true),
            // Odd functions, whose results have their operand's sign.
            Op::FSin | Op::FAsin | Op::FAtan => result.through(true),
            Op::FSqrt | Op::FFloor | Op::FRound | Op::FCeil | Op::FMin | Op::FMax => result.through(false),
            Op::FTrunc => result.through(true),
            // Signs may change on some lanes of a quad alone.
            Op::FDdx | Op::FDdy => result.through(false),
            Op::FSaturate
            | Op::FExp
            | Op::FExp2
            | Op::FLog
            | Op::FLog2
            | Op::FFract
            | Op::FSign
            | Op::FAcos
            | Op::FToS
            | Op::FToU => Demand::UNSIGNED_ZERO,
            Op::Sample if self.counts(instruction, position) => Demand::UNSIGNED_ZERO,
            _ => Demand::ALL,
        }
    }

    /// Whether texels or levels are counted by an operand of a sample: a zero's sign is nothing then, but in a cube, where it takes a side.
    fn counts(&self, instruction: &Instruction, position: usize) -> bool {
        let (Target::Sampled(id, _), Detail::Sampling(sampling)) = (instruction.attrs.target, instruction.attrs.detail) else {
            return false;
        };
        let is_cube =
            matches!(self.program.interface.resource(id).shape, Shape::Texture(shape) if shape.dimension == Dimension::Cube);
        let coordinates = SamplingOperands::COORDINATES..SamplingOperands::LAYER;
        sampling.operands().level == Some(position) || coordinates.contains(&position) && !is_cube
    }

    /// Of what is added, or is a factor of it: a zero of either sign changes nothing beside what is no -0.
    fn summand(&self, instruction: &Instruction, position: usize, result_demand: Demand) -> Demand {
        let Instruction { op, attrs, args, .. } = instruction;
        let width = self.function.width(args[position]);
        let negative_zero = |term: &[Value]| {
            let fact = match *term {
                [value] => self.facts[value.index()],
                _ => result(self.function, (self.facts, self.alike), (Op::FMul, *attrs), term, width),
            };
            fact.number.negative_zero || term.iter().any(|value| self.changed[value.index()])
        };
        let zero = |value: Value| self.facts[value.index()].number.may_be_zero(width) || self.changed[value.index()];
        let half = args.len() / 2;
        let safe = match op {
            Op::FAdd => !negative_zero(&[args[1 - position]]),
            // Of a difference the first is what counts.
            Op::FSub if position == 1 => !negative_zero(&[args[0]]),
            Op::FSub => !zero(args[1]),
            Op::FMad if position == 2 => !negative_zero(&[args[0], args[1]]),
            Op::FMad => !negative_zero(&[args[2]]),
            // Several terms may be of the value.
            _ if args.iter().filter(|arg| **arg == args[position]).count() > 1 => false,
            _ => (0..half).any(|at| at != position % half && !negative_zero(&[args[at], args[at + half]])),
        };
        Demand { zero_sign: safe || result_demand.zero_sign, ..Demand::ALL }
    }
}
