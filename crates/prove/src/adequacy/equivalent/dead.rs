//! Stores to a lane's own arrays that nothing reads: left out, or done beside to what nothing reads either, they change nothing.

use super::Knowledge;
use crate::facts::Fact;
use crate::flow;
use gpuproof_program::*;
use std::collections::HashMap;

/// Elements of all arrays together; of more nothing is said.
const ELEMENTS: u32 = 4096;

/// For each array which elements may still be read.
type Elements = Vec<Vec<bool>>;

impl Knowledge<'_> {
    /// Whether a store to an array is of what nothing reads before it is stored again, and so is what stands in its place.
    pub(super) fn stores_what_is_dead(&self, number: usize, original: &Instruction, nodes: &[Node]) -> bool {
        if original.op != Op::ArrayStore {
            return false;
        }
        let index = self.fact(original.args[0]);
        let mut dead = self.is_dead(number, index.lo, index.hi);
        for node in nodes {
            let Node::Op(instruction) = node else { return false };
            dead &= match instruction.op {
                Op::ArrayStore if instruction.args[0] == original.args[0] => instruction.attrs == original.attrs,
                Op::ArrayStore => {
                    let moved = moved_by(nodes, instruction.args[0], original.args[0]);
                    let ends = moved.and_then(|by| Some((index.lo.checked_add(by)?, index.hi.checked_add(by)?)));
                    instruction.attrs == original.attrs && ends.is_some_and(|(lo, hi)| self.is_dead(number, lo, hi))
                }
                op => op.row().class == Class::Pure,
            };
        }
        dead
    }

    /// Whether a value is only stored to elements of arrays that nothing reads.
    pub(super) fn is_lost(&self, value: Value) -> bool {
        let (mut lost, mut number) = (true, 0);
        walk(&self.function.body, &mut |node| {
            lost &= match node {
                Node::Op(Instruction { op: Op::ArrayStore, args, .. }) if args[0] != value && args[1] == value => {
                    let index = self.fact(args[0]);
                    self.is_dead(number, index.lo, index.hi)
                }
                node => !flow::operands(node).contains(&value),
            };
            number += 1;
        });
        lost
    }

    /// Whether none of the elements in a range is read behind a store, the node with this number, to their array.
    fn is_dead(&self, number: usize, lo: u64, hi: u64) -> bool {
        let read = self.read_later.get_or_init(|| read_later(self.program, self.function, &self.facts));
        let Some(read) = read.get(&number) else { return false };
        lo <= hi && hi < read.len() as u64 && (lo..=hi).all(|at| !read[at as usize])
    }
}

/// The constant that these nodes add to a value to make another.
fn moved_by(nodes: &[Node], made: Value, from: Value) -> Option<u64> {
    let of = |value: Value| {
        nodes.iter().find_map(|node| match node {
            Node::Op(instruction) if instruction.results == [value] => Some(instruction),
            _ => None,
        })
    };
    let sum = of(made).filter(|sum| sum.op == Op::IAdd && sum.args[0] == from)?;
    match of(sum.args[1])?.attrs.target {
        Target::Bits(bits) => Some(bits),
        _ => None,
    }
}

/// For each store to an array, by the number of its node, which elements of the array may be read behind it before they are stored again.
fn read_later(program: &Program, function: &Function, facts: &[Fact]) -> HashMap<usize, Vec<bool>> {
    let all: u32 = program.arrays.iter().map(|array| array.length).fold(0, u32::saturating_add);
    if all == 0 || all > ELEMENTS {
        return HashMap::new();
    }
    let of = |is_read: bool| program.arrays.iter().map(|array| vec![is_read; array.length as usize]).collect::<Elements>();
    let is_entry = std::ptr::eq(program.function(program.entry), function);
    // Who called it may read all.
    let behind = of(!is_entry);
    let live = flow::live(program, function);
    let mut pass = Pass { facts, live, targets: HashMap::new(), found: HashMap::new(), behind: behind.clone(), none: of(false) };
    pass.region(&function.body, 0, behind);
    pass.found
}

struct Pass<'a> {
    facts: &'a [Fact],
    live: Vec<bool>,
    /// What may be read where a branch to a label leads.
    targets: HashMap<Label, Elements>,
    found: HashMap<usize, Vec<bool>>,
    /// What may be read after the function.
    behind: Elements,
    none: Elements,
}

impl Pass<'_> {
    /// What may be read from the start of a region on, whose first node has this number, where this may be read behind it.
    fn region(&mut self, region: &Region, first: usize, behind: Elements) -> Elements {
        let mut numbered = Vec::new();
        let mut number = first;
        for node in region {
            numbered.push((number, node));
            number += 1 + inside(node);
        }
        let mut read = behind;
        for (number, node) in numbered.into_iter().rev() {
            read = self.node(node, number, read);
        }
        read
    }

    fn node(&mut self, node: &Node, number: usize, mut read: Elements) -> Elements {
        match node {
            Node::Op(instruction) => {
                self.instruction(instruction, number, &mut read);
                read
            }
            Node::Br { target, .. } => self.targets.get(target).cloned().unwrap_or_else(|| all(read)),
            Node::Return { .. } => self.behind.clone(),
            Node::Unreachable => self.none.clone(),
            Node::Block { label, body, .. } => {
                self.targets.insert(*label, read.clone());
                self.region(body, number + 1, read)
            }
            Node::If { label, then, otherwise, .. } => {
                self.targets.insert(*label, read.clone());
                let second = number + 1 + then.iter().map(|node| 1 + inside(node)).sum::<usize>();
                let otherwise = self.region(otherwise, second, read.clone());
                joined(self.region(then, number + 1, read), &otherwise)
            }
            Node::Switch { label, arms, .. } => {
                self.targets.insert(*label, read.clone());
                let mut firsts = Vec::new();
                let mut next = number + 1;
                for arm in arms {
                    firsts.push(next);
                    next += arm.body.iter().map(|node| 1 + inside(node)).sum::<usize>();
                }
                // An arm may fall into the next.
                let mut any = read.clone();
                for (arm, first) in arms.iter().zip(firsts).rev() {
                    let arm_reads = self.region(&arm.body, first, read.clone());
                    any = joined(any, &arm_reads);
                    self.targets.insert(arm.label, arm_reads);
                }
                any
            }
            Node::Loop { label, body, .. } => {
                let mut again = self.none.clone();
                loop {
                    self.targets.insert(*label, again.clone());
                    let next = joined(self.region(body, number + 1, read.clone()), &again);
                    if next == again {
                        return again;
                    }
                    again = next;
                }
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction, number: usize, read: &mut Elements) {
        match (instruction.op, instruction.attrs.target) {
            (Op::ArrayLoad, Target::Array(array)) if instruction.results.iter().any(|result| self.live[result.index()]) => {
                let (index, elements) = (self.facts[instruction.args[0].index()], &mut read[array.index()]);
                // Out of range anything may be found.
                let (lo, hi) = if index.hi < elements.len() as u64 { (index.lo, index.hi) } else { (0, u64::MAX) };
                for (at, slot) in elements.iter_mut().enumerate() {
                    *slot |= (lo..=hi).contains(&(at as u64));
                }
            }
            (Op::ArrayStore, Target::Array(array)) => {
                self.found.insert(number, read[array.index()].clone());
                let known = self.facts[instruction.args[0].index()].known();
                if let Some(slot) = known.and_then(|at| read[array.index()].get_mut(usize::try_from(at).ok()?)) {
                    *slot = false;
                }
            }
            (Op::Call, _) => *read = all(std::mem::take(read)),
            _ => {}
        }
    }
}

fn all(mut elements: Elements) -> Elements {
    elements.iter_mut().flatten().for_each(|slot| *slot = true);
    elements
}

fn joined(mut elements: Elements, others: &Elements) -> Elements {
    elements.iter_mut().flatten().zip(others.iter().flatten()).for_each(|(slot, other)| *slot |= other);
    elements
}

/// Nodes inside a node.
pub(super) fn inside(node: &Node) -> usize {
    node.regions().into_iter().flatten().map(|inner| 1 + inside(inner)).sum()
}
