//! Small questions about the flow of values that several parts ask.

use gpuproof_program::{Function, Node, walk};

/// For each value of a function how often something uses it.
pub(crate) fn use_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0u32; function.values.len()];
    walk(&function.body, &mut |node| {
        for value in operands(node) {
            counts[value.index()] += 1;
        }
    });
    counts
}

/// What a node itself uses, not what its regions do.
pub(crate) fn operands(node: &Node) -> Vec<gpuproof_program::Value> {
    match node {
        Node::Op(instruction) => instruction.args.clone(),
        Node::If { condition, .. } => vec![*condition],
        Node::Switch { selector, arms, .. } => {
            std::iter::once(*selector).chain(arms.iter().flat_map(|arm| arm.initial.iter().copied())).collect()
        }
        Node::Loop { initial, .. } => initial.clone(),
        Node::Br { values, .. } | Node::Return { values } => values.clone(),
        Node::Block { .. } | Node::Unreachable => Vec::new(),
    }
}
