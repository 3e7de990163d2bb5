//! Counters of loops: values that start at a constant, go up by constants each round, and are compared with a constant first of all.

use super::{Fact, definitions};
use gpuproof_program::{Function, Instruction, Label, Node, Op, Region, Value, Width, walk};
use std::collections::HashMap;

/// The range of each counter of a function, the value at which the loop ends among it.
pub(super) fn counters(function: &Function) -> HashMap<Value, Fact> {
    let mut found = HashMap::new();
    let (constants, incoming) = (crate::flow::constants(function), function.incoming());
    let defined = definitions(function);
    walk(&function.body, &mut |node| {
        let Node::Loop { label, params, initial, body, .. } = node else { return };
        let Some((condition, stays)) = exit(body, *label, &mut Vec::new()) else { return };
        for (param, first) in params.iter().zip(initial).filter(|(param, _)| function.width(**param) == Width::W32) {
            let step = |value: &Value| match defined.get(value) {
                Some(made) if made.op == Op::IAdd && made.args[0] == *param => constants[made.args[1].index()],
                _ => None,
            };
            let steps: Option<Vec<u64>> = incoming[param.index()].iter().skip(1).map(step).collect();
            let (Some(first), Some(steps)) = (constants[first.index()], steps) else { continue };
            let Some(most) = steps.iter().max().filter(|most| (1..=0xffff).contains(*most)) else { continue };
            let counter = Counter {
                defined: &defined,
                constants: &constants,
                value: *param,
                first,
                by_one: steps.iter().all(|step| *step == 1),
            };
            let last = counter.last(condition, stays).map(|(last, limit)| (last.max(first) + most, limit));
            if let Some((last, _)) = last.filter(|(last, limit)| last <= limit) {
                found.insert(*param, Fact::bits(Width::W32, u64::MAX, first, last));
            }
        }
    });
    found
}

/// The condition of the first decision of a loop's body, where one of its ways leaves the loop, and what it is where lanes stay.
fn exit(body: &Region, label: Label, inside: &mut Vec<Label>) -> Option<(Value, bool)> {
    match body.iter().find(|node| !matches!(node, Node::Op(_)))? {
        Node::Block { label: block, body, .. } => {
            inside.push(*block);
            exit(body, label, inside)
        }
        Node::If { label: own, condition, then, otherwise, .. } => {
            let leaves = |region: &Region| match region.iter().find(|node| !matches!(node, Node::Op(_))) {
                Some(Node::Br { target, .. }) => target != own && *target != label && !inside.contains(target),
                Some(Node::Return { .. }) => true,
                _ => false,
            };
            match (leaves(then), leaves(otherwise)) {
                (true, false) => Some((*condition, false)),
                (false, true) => Some((*condition, true)),
                _ => None,
            }
        }
        _ => None,
    }
}

struct Counter<'a> {
    defined: &'a HashMap<Value, &'a Instruction>,
    constants: &'a [Option<u64>],
    value: Value,
    first: u64,
    by_one: bool,
}

impl Counter<'_> {
    /// The greatest value with which lanes stay where a condition is so, and the greatest number of the comparison's kind.
    fn last(&self, condition: Value, stays: bool) -> Option<(u64, u64)> {
        let made = self.defined.get(&condition)?;
        let (left, right) = (*made.args.first()?, *made.args.get(1).unwrap_or(&made.args[0]));
        let most = if matches!(made.op, Op::SLt | Op::SLe) { i32::MAX as u64 } else { u32::MAX.into() };
        let constants = |value: Value| self.constants[value.index()];
        let constant = |value: Value| constants(value).filter(|bits| *bits <= most && self.first <= most);
        // What is less than some number is less than the greatest one.
        let below = |value: Value| match constants(value) {
            Some(_) => constant(value).map(|bits| bits.saturating_sub(1)),
            None => (self.first <= most).then_some(most - 1),
        };
        let last = match (made.op, stays) {
            (Op::INot, _) => return self.last(left, !stays),
            // A truth value as a mask.
            (Op::INe | Op::IEq, _) if constant(right) == Some(0) && self.is_mask(left) => {
                return self.last(self.defined[&left].args[0], stays == (made.op == Op::INe));
            }
            (Op::ULt | Op::SLt, true) if left == self.value => below(right)?,
            (Op::ULe | Op::SLe, true) if left == self.value => constant(right)?,
            (Op::ULe | Op::SLe, false) if right == self.value => below(left)?,
            (Op::ULt | Op::SLt, false) if right == self.value => constant(left)?,
            (Op::IEq, false) | (Op::INe, true) if left == self.value && self.by_one => {
                constant(right).filter(|end| self.first <= *end)?.saturating_sub(1)
            }
            _ => return None,
        };
        Some((last, most))
    }

    fn is_mask(&self, value: Value) -> bool {
        self.defined.get(&value).is_some_and(|made| made.op == Op::SExtend)
    }
}
