//! How far lanes are from making a condition true or false: what a search climbs down.

use super::goals::Key;
use super::weave::{Fresh, Start, Weave, weave};
use gpuproof_program::{Attrs, Denormals, FunctionId, Instruction, Node, Op, Program, Region, Target, Value, Width};
use gpuproof_run::{Observed, Observer, RowBits};
use std::collections::HashMap;

/// A condition as comparisons that decide it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Aim {
    /// The comparison with this number among the leaves holds, or does not.
    Leaf(usize, bool),
    /// All of these.
    All(Vec<Aim>),
    /// Any of these.
    Any(Vec<Aim>),
    /// Nothing leads there.
    Blind,
}

impl Aim {
    fn leaves(&self, found: &mut Vec<usize>) {
        match self {
            Aim::Leaf(number, _) if !found.contains(number) => found.push(*number),
            Aim::All(inner) | Aim::Any(inner) => inner.iter().for_each(|aim| aim.leaves(found)),
            Aim::Leaf(..) | Aim::Blind => {}
        }
    }
}

/// A comparison that is watched: its operands are shown by copies before it.
struct Leaf {
    function: FunctionId,
    instruction: Instruction,
    width: Width,
}

/// A program that shows how far its lanes are from conditions.
pub(super) struct Aimed {
    pub(super) program: Program,
    /// By condition asked for.
    pub(super) aims: Vec<Aim>,
    /// By leaf: the copies of its operands, its operation, the operands' width, and whether it takes subnormals for zeros.
    leaves: Vec<(FunctionId, [Value; 2], Op, Width, bool)>,
}

/// Looks these values of one bit over, which should be the given truth.
pub(super) fn aim(program: &Program, wanted: &[(Key, bool)]) -> Aimed {
    let mut found = Finder { program, defined: Vec::new(), leaves: Vec::new(), numbers: HashMap::new() };
    found.defined = program.functions.iter().map(crate::facts::definitions).collect();
    let aims = wanted.iter().map(|((function, value), truth)| found.aim(*function, *value, *truth, 0)).collect();
    let Finder { leaves, .. } = found;
    let mut out = Program { functions: Vec::new(), ..program.clone() };
    let mut shown: Vec<Option<[Value; 2]>> = vec![None; leaves.len()];
    for (at, function) in program.functions.iter().enumerate() {
        let mut weaver = Show { id: FunctionId(at as u32), leaves: &leaves, shown: &mut shown };
        out.functions.push(weave(function, &mut weaver));
    }
    let leaves = leaves.iter().zip(shown).map(|(leaf, shown)| {
        let flushes = leaf.instruction.attrs.rules.denormals == Denormals::Flush;
        (leaf.function, shown.unwrap_or([Value(u32::MAX); 2]), leaf.instruction.op, leaf.width, flushes)
    });
    Aimed { program: out, aims, leaves: leaves.collect() }
}

struct Finder<'a> {
    program: &'a Program,
    defined: Vec<HashMap<Value, &'a Instruction>>,
    leaves: Vec<Leaf>,
    numbers: HashMap<(FunctionId, Value), usize>,
}

impl Finder<'_> {
    fn aim(&mut self, function: FunctionId, value: Value, truth: bool, depth: u32) -> Aim {
        let Some(&instruction) = self.defined[function.index()].get(&value) else { return Aim::Blind };
        if depth > 16 {
            return Aim::Blind;
        }
        let width = |value: Value| self.program.function(function).width(value);
        let (op, args) = (instruction.op, &instruction.args);
        let from = args.first().map_or(Width::W1, |arg| width(*arg));
        let zero = |value: Value| {
            let defined = self.defined[function.index()].get(&value);
            defined.is_some_and(|constant| constant.op == Op::Const && constant.attrs.target == Target::Bits(0))
        };
        match op {
            Op::INot => self.aim(function, args[0], !truth, depth + 1),
            Op::IAnd | Op::IOr if args[0] == args[1] => self.aim(function, args[0], truth, depth + 1),
            Op::IAnd | Op::IOr if from == Width::W1 || depth > 0 => {
                let both = vec![self.aim(function, args[0], truth, depth + 1), self.aim(function, args[1], truth, depth + 1)];
                if (op == Op::IAnd) == truth { Aim::All(both) } else { Aim::Any(both) }
            }
            Op::SExtend | Op::UExtend if from == Width::W1 => self.aim(function, args[0], truth, depth + 1),
            Op::INe | Op::IEq if from == Width::W1 => {
                let differ = (op == Op::INe) == truth;
                let mut pair = |first: bool| {
                    let second = first != differ;
                    Aim::All(vec![self.aim(function, args[0], first, depth + 1), self.aim(function, args[1], second, depth + 1)])
                };
                Aim::Any(vec![pair(true), pair(false)])
            }
            // Truth values in whole words.
            Op::INe | Op::IEq if zero(args[1]) && self.is_mask(function, args[0], 0) => {
                self.aim(function, args[0], (op == Op::INe) == truth, depth + 1)
            }
            Op::FLt | Op::FLe | Op::FEq | Op::FNe | Op::SLt | Op::SLe | Op::ULt | Op::ULe | Op::IEq | Op::INe => {
                let next = self.leaves.len();
                let number = *self.numbers.entry((function, value)).or_insert(next);
                if number == next {
                    self.leaves.push(Leaf { function, instruction: instruction.clone(), width: from });
                }
                Aim::Leaf(number, truth)
            }
            _ => Aim::Blind,
        }
    }

    /// Whether a word is made of truth values.
    fn is_mask(&self, function: FunctionId, value: Value, depth: u32) -> bool {
        let Some(instruction) = self.defined[function.index()].get(&value) else { return false };
        match instruction.op {
            Op::SExtend | Op::UExtend => self.program.function(function).width(instruction.args[0]) == Width::W1,
            Op::IAnd | Op::IOr if depth < 8 => instruction.args.iter().all(|arg| self.is_mask(function, *arg, depth + 1)),
            _ => false,
        }
    }
}

struct Show<'a> {
    id: FunctionId,
    leaves: &'a [Leaf],
    shown: &'a mut Vec<Option<[Value; 2]>>,
}

impl Weave for Show<'_> {
    fn start(&mut self, _: usize, _: Start, fresh: &mut Fresh, out: &mut Region) {
        fresh.op(out, Op::IsHelper, Attrs::default(), &[], Width::W1);
    }

    fn node(&mut self, _: usize, _: usize, node: &Node, fresh: &mut Fresh, (before, _): (&mut Region, &mut Region)) {
        let Node::Op(instruction) = node else { return };
        for (number, leaf) in self.leaves.iter().enumerate() {
            if leaf.function == self.id && leaf.instruction.results == instruction.results {
                self.shown[number] = Some([fresh.copy(before, instruction.args[0]), fresh.copy(before, instruction.args[1])]);
            }
        }
    }
}

/// A distance that nothing reaches from.
const FAR: f64 = 1e30;

/// Watches leaves and conditions as the program runs.
pub(super) struct Distances<'a> {
    aimed: &'a Aimed,
    of: HashMap<Key, Vec<(usize, usize)>>,
    /// The last bits of first operands, by leaf and lane.
    first: Vec<Vec<u64>>,
    /// By leaf and lane, where it was met: how much the first operand is more than the second, the least that it was, in representable numbers; none
    /// for NaN.
    apart: Vec<Vec<Option<Option<f64>>>>,
}

impl<'a> Distances<'a> {
    /// Of the leaves of one condition.
    pub(super) fn new(aimed: &'a Aimed, aim: &Aim, lanes: usize) -> Distances<'a> {
        let mut of: HashMap<Key, Vec<(usize, usize)>> = HashMap::new();
        let count = aimed.leaves.len();
        let (mut first, mut apart) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut leaves = Vec::new();
        aim.leaves(&mut leaves);
        for number in leaves {
            let (function, copies, ..) = &aimed.leaves[number];
            (first[number], apart[number]) = (vec![0; lanes], vec![None; lanes]);
            for (side, copy) in copies.iter().enumerate() {
                of.entry((*function, *copy)).or_default().push((number, side));
            }
        }
        Distances { aimed, of, first, apart }
    }

    /// The lane that is nearest to a condition, and how far it is.
    pub(super) fn nearest(&self, aim: &Aim, lanes: u32) -> (u32, f64) {
        let all = (0..lanes).map(|lane| (lane, self.distance(aim, lane)));
        all.fold((0, FAR), |best, next| if next.1 < best.1 { next } else { best })
    }

    fn distance(&self, aim: &Aim, lane: u32) -> f64 {
        match aim {
            Aim::Blind => FAR / 1e6,
            Aim::All(all) => all.iter().map(|aim| self.distance(aim, lane)).sum(),
            Aim::Any(any) => any.iter().map(|aim| self.distance(aim, lane)).fold(FAR, f64::min),
            Aim::Leaf(number, truth) => match self.apart[*number].get(lane as usize).copied().flatten() {
                None => FAR,
                Some(apart) => holds(self.aimed.leaves[*number].2, apart, *truth),
            },
        }
    }
}

/// How far a comparison is from this truth where its first operand is so much more than its second.
fn holds(op: Op, apart: Option<f64>, truth: bool) -> f64 {
    let Some(apart) = apart else {
        // With NaN only unequal holds.
        return if (op == Op::FNe) == truth { 0.0 } else { FAR / 1e3 };
    };
    let unless = |holds: bool, distance: f64| if holds { 0.0 } else { distance };
    match (op, truth) {
        (Op::FLt | Op::SLt | Op::ULt, true) => unless(apart < 0.0, apart + 1.0),
        (Op::FLt | Op::SLt | Op::ULt, false) => unless(apart >= 0.0, -apart),
        (Op::FLe | Op::SLe | Op::ULe, true) => unless(apart <= 0.0, apart),
        (Op::FLe | Op::SLe | Op::ULe, false) => unless(apart > 0.0, 1.0 - apart),
        (Op::FEq | Op::IEq, true) | (Op::FNe | Op::INe, false) => apart.abs(),
        _ => unless(apart != 0.0, 1.0),
    }
}

/// Numbers in the order of what they stand for; none for NaN.
fn order(op: Op, width: Width, flushes: bool, bits: u64) -> Option<f64> {
    match op {
        Op::FLt | Op::FLe | Op::FEq | Op::FNe => {
            let (sign, most) = match width {
                Width::W16 => (bits >> 15 & 1, 0x7c00),
                Width::W64 => (bits >> 63, 0x7ff0_0000_0000_0000),
                _ => (bits >> 31 & 1, 0x7f80_0000),
            };
            let magnitude = bits & (width.mask() >> 1);
            let magnitude = if flushes && width == Width::W32 && magnitude < 0x0080_0000 { 0 } else { magnitude };
            (magnitude <= most).then_some(if sign == 1 { -(magnitude as f64) } else { magnitude as f64 })
        }
        Op::SLt | Op::SLe | Op::IEq | Op::INe => {
            let unused = 64 - width.bits();
            Some((((bits << unused) as i64) >> unused) as f64)
        }
        _ => Some(bits as f64),
    }
}

impl Observer for Distances<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.of.contains_key(&(function, value))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let Some(places) = self.of.get(&(observed.function, observed.value)) else { return };
        let bits = |slot: usize| match observed.bits {
            RowBits::Words(words) => u64::from(words[slot]),
            RowBits::Doubles(low, high) => u64::from(low[slot]) | u64::from(high[slot]) << 32,
        };
        let count = match observed.bits {
            RowBits::Words(words) | RowBits::Doubles(words, _) => words.len(),
        };
        for slot in (0..count).filter(|slot| observed.active[slot / 64] >> (slot % 64) & 1 == 1) {
            let lane = observed.first_lane as usize + slot;
            for &(number, side) in places {
                if side == 0 {
                    self.first[number][lane] = bits(slot);
                    continue;
                }
                let (_, _, op, width, flushes) = self.aimed.leaves[number];
                let first = self.first[number][lane];
                let pair = (order(op, width, flushes, first), order(op, width, flushes, bits(slot)));
                let apart = if let (Some(a), Some(b)) = pair { Some(a - b) } else { None };
                let known = self.apart[number][lane].get_or_insert(apart);
                if apart.is_some_and(|apart| known.is_none_or(|known| apart.abs() < known.abs())) {
                    *known = apart;
                }
            }
        }
    }
}
