//! Ranges of unsigned words, from what operations make of constants.

use gpuproof_program::{Function, Label, Node, Op, Region, Site, Target, Value, Width, walk};
use std::collections::HashMap;

/// The least and the greatest value that a word may have, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub low: u32,
    pub high: u32,
}

impl Range {
    pub const ALL: Range = Range { low: 0, high: u32::MAX };

    pub fn one(value: u32) -> Range {
        Range { low: value, high: value }
    }

    fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn checked(low: Option<u32>, high: Option<u32>) -> Range {
        low.zip(high).map_or(Range::ALL, |(low, high)| Range { low, high })
    }
}

/// The ranges of a function's words; all words where nothing is known. Values that go round loops are known where a constant is
/// added each round and a comparison with a constant ends it.
pub(super) fn of(function: &Function) -> Vec<Range> {
    let sites = function.definitions();
    let incoming = function.incoming();
    let mut ranges = vec![Range::ALL; function.values.len()];
    let mut counters = HashMap::new();
    counted(&function.body, &sites, &incoming, &mut counters);
    // Values are numbered in no fixed order, and joins come before what they join in loops, so every value is visited as often as ranges get
    // narrower; each round is right by itself.
    for _ in 0..4 {
        let before = ranges.clone();
        let mut visit = |value: Value| {
            if function.width(value) == Width::W32 {
                ranges[value.index()] = of_value(function, &sites, &incoming, &ranges, &counters, value);
            }
        };
        in_order(&function.body, &mut visit);
        if ranges == before {
            break;
        }
    }
    ranges
}

/// Visits the values that a region defines, in order of the source; results of constructs behind what is inside them.
fn in_order(region: &Region, visit: &mut impl FnMut(Value)) {
    for node in region {
        match node {
            Node::Op(instruction) => instruction.results.iter().for_each(|value| visit(*value)),
            Node::Loop { params, .. } => params.iter().for_each(|value| visit(*value)),
            Node::Switch { arms, .. } => arms.iter().flat_map(|arm| &arm.params).for_each(|value| visit(*value)),
            _ => {}
        }
        node.regions().into_iter().for_each(|inner| in_order(inner, visit));
        match node {
            Node::Block { results, .. } | Node::If { results, .. } | Node::Switch { results, .. } => {
                results.iter().for_each(|value| visit(*value));
            }
            _ => {}
        }
    }
}

/// The value that a join stands for where all ways bring the same.
pub(super) fn resolved(sites: &[Option<Site<'_>>], incoming: &[Vec<Value>], value: Value) -> Value {
    let mut value = value;
    // Joins in a row are few; a ring of them ends here too.
    for _ in 0..16 {
        match (&sites[value.index()], &incoming[value.index()][..]) {
            (Some(Site::Construct { .. } | Site::Arm { .. }), [first, rest @ ..]) if rest.iter().all(|other| other == first) => {
                value = *first;
            }
            _ => break,
        }
    }
    value
}

fn constant(sites: &[Option<Site<'_>>], value: Value) -> Option<u32> {
    match sites[value.index()] {
        Some(Site::Op { instruction, .. }) if instruction.op == Op::Const => match instruction.attrs.target {
            Target::Bits(bits) => u32::try_from(bits).ok(),
            _ => None,
        },
        _ => None,
    }
}

fn of_value(
    function: &Function,
    sites: &[Option<Site<'_>>],
    incoming: &[Vec<Value>],
    ranges: &[Range],
    counters: &HashMap<Value, Range>,
    value: Value,
) -> Range {
    let range = |value: Value| ranges[value.index()];
    let instruction = match sites[value.index()] {
        Some(Site::Op { instruction, .. }) => instruction,
        Some(Site::Construct { .. } | Site::Arm { .. }) => {
            if let Some(counter) = counters.get(&value) {
                return *counter;
            }
            return incoming[value.index()].iter().map(|from| range(*from)).reduce(Range::join).unwrap_or(Range::ALL);
        }
        _ => return Range::ALL,
    };
    let args = &instruction.args;
    let arg = |at: usize| range(args[at]);
    let known = |at: usize| constant(sites, args[at]);
    match instruction.op {
        Op::Const => constant(sites, value).map_or(Range::ALL, Range::one),
        Op::Select => arg(1).join(arg(2)),
        Op::IAdd => {
            // A small negative constant is a subtraction.
            let back = known(1).filter(|constant| *constant > i32::MAX as u32).map(u32::wrapping_neg);
            match back {
                Some(back) => Range::checked(arg(0).low.checked_sub(back), arg(0).high.checked_sub(back)),
                None => Range::checked(arg(0).low.checked_add(arg(1).low), arg(0).high.checked_add(arg(1).high)),
            }
        }
        Op::ISub => Range::checked(arg(0).low.checked_sub(arg(1).high), arg(0).high.checked_sub(arg(1).low)),
        Op::IMul => Range::checked(arg(0).low.checked_mul(arg(1).low), arg(0).high.checked_mul(arg(1).high)),
        Op::IShl => match known(1) {
            Some(count) => {
                let factor = 1u32 << (count & 31);
                Range::checked(arg(0).low.checked_mul(factor), arg(0).high.checked_mul(factor))
            }
            None => Range::ALL,
        },
        Op::UShr => match known(1) {
            Some(count) => Range { low: arg(0).low >> (count & 31), high: arg(0).high >> (count & 31) },
            None => Range { low: 0, high: arg(0).high },
        },
        Op::UDiv => match known(1) {
            Some(divisor) if divisor > 0 => Range { low: arg(0).low / divisor, high: arg(0).high / divisor },
            _ => Range::ALL,
        },
        Op::URem => match known(1) {
            Some(divisor) if divisor > 0 => Range { low: 0, high: arg(0).high.min(divisor - 1) },
            _ => Range::ALL,
        },
        Op::IAnd => Range { low: 0, high: arg(0).high.min(arg(1).high) },
        Op::IOr | Op::IXor => {
            let most = arg(0).high | arg(1).high;
            let high = if most == 0 { 0 } else { u32::MAX >> most.leading_zeros() };
            Range { low: if instruction.op == Op::IOr { arg(0).low.max(arg(1).low) } else { 0 }, high }
        }
        Op::UMin => Range { low: arg(0).low.min(arg(1).low), high: arg(0).high.min(arg(1).high) },
        Op::UMax => Range { low: arg(0).low.max(arg(1).low), high: arg(0).high.max(arg(1).high) },
        // Of words that are no negative numbers signed extrema are unsigned ones.
        Op::SMin | Op::SMax if [arg(0), arg(1)].iter().all(|range| range.high <= i32::MAX as u32) => {
            let (a, b) = (arg(0), arg(1));
            if instruction.op == Op::SMin {
                Range { low: a.low.min(b.low), high: a.high.min(b.high) }
            } else {
                Range { low: a.low.max(b.low), high: a.high.max(b.high) }
            }
        }
        Op::SMax if [0, 1].iter().any(|at| arg(*at).high <= i32::MAX as u32) => {
            let low = [0, 1].into_iter().filter(|at| arg(*at).high <= i32::MAX as u32).map(|at| arg(at).low).max();
            Range { low: low.unwrap_or(0), high: i32::MAX as u32 }
        }
        Op::UExtract => match known(2) {
            Some(width @ 1..=31) => Range { low: 0, high: (1 << width) - 1 },
            _ => Range::ALL,
        },
        Op::UExtend => Range { low: 0, high: function.width(args[0]).mask() as u32 },
        Op::ICount => Range { low: 0, high: 32 },
        _ => Range::ALL,
    }
}

/// Values that go round loops and count up by a constant until a comparison with a constant ends them, with their ranges behind that comparison.
fn counted(region: &Region, sites: &[Option<Site<'_>>], incoming: &[Vec<Value>], found: &mut HashMap<Value, Range>) {
    walk(region, &mut |node| {
        let Node::Loop { params, initial, body, .. } = node else { return };
        for (param, first) in params.iter().zip(initial) {
            let Some(first) = constant(sites, *first) else { continue };
            let steps = incoming[param.index()].iter().skip(1);
            let step = |value: &Value| match sites[resolved(sites, incoming, *value).index()] {
                Some(Site::Op { instruction, .. })
                    if instruction.op == Op::IAdd && resolved(sites, incoming, instruction.args[0]) == *param =>
                {
                    constant(sites, instruction.args[1]).filter(|step| (1..=0xffff).contains(step))
                }
                _ => None,
            };
            if !steps.clone().all(|value| step(value).is_some()) || steps.clone().count() == 0 {
                continue;
            }
            if let Some(last) = last_round(body, &mut Vec::new(), sites, *param) {
                found.insert(*param, Range { low: first, high: last.max(first) });
            }
        }
    });
}

/// The greatest value that a counter has behind the comparison at the top of a loop's body that leaves the loop.
fn last_round(body: &Region, inside: &mut Vec<Label>, sites: &[Option<Site<'_>>], counter: Value) -> Option<u32> {
    body.iter().find_map(|node| match node {
        Node::Block { label, body, .. } => {
            inside.push(*label);
            let found = last_round(body, inside, sites, counter);
            inside.pop();
            found
        }
        Node::If { label, condition, then, otherwise, .. } => {
            let leaves = |region: &Region| match region.last() {
                Some(Node::Br { target, .. }) => target != label && !inside.contains(target),
                Some(Node::Return { .. } | Node::Unreachable) => true,
                _ => false,
            };
            match (leaves(then), leaves(otherwise)) {
                (true, false) => greatest(sites, *condition, false, counter),
                (false, true) => greatest(sites, *condition, true, counter),
                _ => None,
            }
        }
        _ => None,
    })
}

fn greatest(sites: &[Option<Site<'_>>], condition: Value, holds: bool, counter: Value) -> Option<u32> {
    let Some(Site::Op { instruction, .. }) = sites[condition.index()] else { return None };
    let (left, right) = (*instruction.args.first()?, *instruction.args.get(1).unwrap_or(&instruction.args[0]));
    match (instruction.op, holds) {
        (Op::INot, _) => greatest(sites, left, !holds, counter),
        // Counter < n holds.
        (Op::ULt | Op::SLt, true) if left == counter => constant(sites, right)?.checked_sub(1),
        (Op::ULe | Op::SLe, true) if left == counter => constant(sites, right),
        // n <= counter does not hold.
        (Op::ULe | Op::SLe, false) if right == counter => constant(sites, left)?.checked_sub(1),
        (Op::ULt | Op::SLt, false) if right == counter => constant(sites, left),
        (Op::IEq, false) | (Op::INe, true) if left == counter => constant(sites, right)?.checked_sub(1),
        _ => None,
    }
}
