//! Puts mutants into programs.

use super::{Mutant, Patch};
use gpuproof_program::{Function, Node, Region};

/// Puts a mutant's patch into a copy of its function.
pub(in super::super) fn patched(function: &Function, mutant: &Mutant) -> Function {
    let mut out = function.clone();
    let mut left = mutant.node;
    if let Some((region, at)) = find(&mut out.body, &mut left) {
        match &mutant.patch {
            Patch::Nodes(nodes, values) => {
                region.splice(at..=at, nodes.iter().cloned());
                out.values = values.clone();
            }
            Patch::Condition(nodes, values, value) => {
                if let Node::If { condition, .. } = &mut region[at] {
                    *condition = *value;
                }
                region.splice(at..at, nodes.iter().cloned());
                out.values = values.clone();
            }
            Patch::NoSelectors(arm) => {
                if let Node::Switch { arms, .. } = &mut region[at] {
                    arms[*arm].selectors.clear();
                }
            }
        }
    }
    out
}

/// The region and position of the node with this number.
fn find<'r>(region: &'r mut Region, left: &mut usize) -> Option<(&'r mut Region, usize)> {
    // Where it is, first, since a region that is searched cannot be given away.
    let mut at = 0;
    while at < region.len() {
        if *left == 0 {
            return Some((region, at));
        }
        *left -= 1;
        let inside = count(&region[at]);
        if *left < inside {
            return match &mut region[at] {
                Node::Block { body, .. } | Node::Loop { body, .. } => find(body, left),
                Node::If { then, otherwise, .. } => {
                    let first: usize = then.iter().map(|node| 1 + count(node)).sum();
                    if *left < first {
                        find(then, left)
                    } else {
                        *left -= first;
                        find(otherwise, left)
                    }
                }
                Node::Switch { arms, .. } => {
                    for arm in arms {
                        let all: usize = arm.body.iter().map(|node| 1 + count(node)).sum();
                        if *left < all {
                            return find(&mut arm.body, left);
                        }
                        *left -= all;
                    }
                    None
                }
                _ => None,
            };
        }
        *left -= inside;
        at += 1;
    }
    None
}

/// Nodes inside a node.
fn count(node: &Node) -> usize {
    node.regions().into_iter().flatten().map(|inner| 1 + count(inner)).sum()
}
