//! Which values that branches bring stand beside each other in one vector variable.

use super::facts::Facts;
use super::group::Groups;
use super::tree::Scalar;
use gpuproof_program::{Node, Op, Target, Value, walk};
use std::collections::HashSet;

/// Pairs of neighbouring results or parameters that are neighbours in a vector.
#[derive(Default)]
pub(super) struct Packs(HashSet<(Value, Value)>);

impl Packs {
    /// Two are neighbours where some branch brings them neighbouring numbers of a vector. Floats alone: counters and flags read better apart.
    pub(super) fn of(facts: &Facts<'_>, groups: &Groups<'_>) -> Packs {
        let incoming = facts.function.incoming();
        let mut pairs = Vec::new();
        walk(&facts.function.body, &mut |node| match node {
            Node::Block { results, .. } | Node::If { results, .. } | Node::Switch { results, .. } => {
                pairs.extend(results.windows(2).map(|pair| (pair[0], pair[1])));
            }
            Node::Loop { params, .. } => pairs.extend(params.windows(2).map(|pair| (pair[0], pair[1]))),
            _ => {}
        });
        pairs.retain(|(a, b)| [a, b].iter().all(|value| facts.ty(**value) == Scalar::F32) && b.0 == a.0 + 1);
        let mut packs = Packs::default();
        loop {
            let before = packs.0.len();
            for (a, b) in &pairs {
                let brought = incoming[a.index()].iter().zip(&incoming[b.index()]);
                let beside = |(a, b): (&Value, &Value)| packs.0.contains(&(*a, *b)) || are_beside(facts, groups, *a, *b);
                if brought.into_iter().any(beside) {
                    packs.0.insert((*a, *b));
                }
            }
            if packs.0.len() == before {
                return packs;
            }
        }
    }

    /// How many of the first of some values are in one vector: 1 to 4.
    pub(super) fn run(&self, values: &[Value]) -> usize {
        1 + values.windows(2).take(3).take_while(|pair| self.0.contains(&(pair[0], pair[1]))).count()
    }
}

/// Whether two values are neighbouring numbers of one operation on vectors.
fn are_beside(facts: &Facts<'_>, groups: &Groups<'_>, a: Value, b: Value) -> bool {
    let place = |value: Value| groups.of_value.get(&value).copied();
    if let (Some((group, at)), Some((other, next))) = (place(a), place(b)) {
        return group == other && next == at + 1 && next < 4;
    }
    let (Some(one), Some(other)) = (facts.definitions.get(a), facts.definitions.get(b)) else { return false };
    match (one.op, one.attrs.target, other.attrs.target) {
        (Op::Input, Target::Input(a, x), Target::Input(b, y)) if other.op == Op::Input => a == b && y == x + 1,
        (Op::BufferLoad, ..) if one.attrs == other.attrs && other.op == Op::BufferLoad => {
            matches!((facts.fixed_row(one), facts.fixed_row(other)), (Some(a), Some(b)) if b == a + 4 && b % 16 != 0)
        }
        _ => false,
    }
}
