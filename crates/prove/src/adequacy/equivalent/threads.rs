//! Mutants of what only other threads of a group could tell: fences that no thread can look past, and one thread doing what another does as well.

use super::Knowledge;
use super::dead::inside;
use super::trial::is_pure;
use crate::flow;
use gpuproof_program::*;
use gpuproof_run::machine::scalar::Pure;
use std::collections::{HashMap, HashSet};

/// A change of a branch's condition: nodes that stand for the definition of a value, or before the branch, and the value that is branched on.
struct Change<'m> {
    nodes: &'m [Node],
    /// The condition with the nodes, where it is another value than the branch's own.
    condition: Option<Value>,
}

impl Knowledge<'_> {
    /// Whether a barrier is nothing but a fence between accesses of which no thread can tell the order. Where threads do not wait for each other, only
    /// atomics tell one where another is; what plain accesses find is a race's result, which nothing is promised of.
    pub(super) fn is_idle_fence(&self, original: &Instruction, nodes: &[Node]) -> bool {
        let Detail::Barrier(fence) = original.attrs.detail else { return false };
        if fence.group || !nodes.is_empty() {
            return false;
        }
        let mut idle = true;
        for function in &self.program.functions {
            walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                idle &= match (instruction.op, instruction.attrs.detail) {
                    (_, Detail::Atomic(_)) | (Op::CounterAlloc | Op::CounterConsume, _) => false,
                    // Where threads wait, what they wait for is ordered by the barrier itself.
                    (_, Detail::Barrier(wait)) if wait.group => {
                        (wait.shared || !fence.shared) && (wait.resources.is_some() || fence.resources.is_none())
                    }
                    _ => true,
                };
            });
        }
        idle
    }

    /// Whether a condition lets other threads of a group store to group-shared memory what the original's threads do, before any thread looks.
    pub(super) fn others_do_the_same(&self, number: usize, node: &Node, nodes: &[Node], condition: Option<Value>) -> bool {
        if self.program.shared.is_empty() || !std::ptr::eq(self.program.function(self.program.entry), self.function) {
            return false;
        }
        let Some(at) = self.branch_of(number, node) else { return false };
        let body = &self.function.body;
        let Node::If { condition: branched, then, otherwise, results, label, .. } = &body[at] else { return false };
        if !results.is_empty() {
            return false;
        }
        let leaves = |region: &Region| matches!(region[..], [Node::Br { target, .. }] if target == *label);
        let (stores, when) = match (leaves(otherwise), leaves(then)) {
            (true, false) => (then, 1),
            (false, true) => (otherwise, 0),
            _ => return false,
        };
        let Some(memories) = self.constant_stores(stores, *label) else { return false };
        let touches = |node: &Node| match node {
            Node::Op(instruction) => match instruction.attrs.target {
                Target::Shared(id) => memories.contains(&id),
                _ => instruction.op == Op::Call,
            },
            _ => true,
        };
        let waits = |node: &Node| {
            let Node::Op(instruction) = node else { return false };
            matches!(instruction.attrs.detail, Detail::Barrier(barrier) if barrier.group && barrier.shared)
        };
        if body[..at].iter().any(touches) || !body[at + 1..].iter().take_while(|node| !touches(node)).any(waits) {
            return false;
        }
        let change = Change { nodes, condition };
        let (mut before, mut after) = (false, false);
        for thread in 0..self.program.group_size.iter().product::<u32>() {
            let (Some(was), Some(is)) =
                (self.of_thread(*branched, None, thread), self.of_thread(*branched, Some(&change), thread))
            else {
                return false;
            };
            before |= was == when;
            after |= is == when;
        }
        before && after
    }

    /// The position in the function's body of the only branch that a node decides, or is.
    fn branch_of(&self, number: usize, node: &Node) -> Option<usize> {
        let body = &self.function.body;
        if let Node::If { .. } = node {
            let mut next = 0;
            for (at, node) in body.iter().enumerate() {
                if next == number {
                    return Some(at);
                }
                next += 1 + inside(node);
            }
            return None;
        }
        let Node::Op(instruction) = node else { return None };
        let [mut value] = instruction.results[..] else { return None };
        let mut users: HashMap<Value, Vec<&Node>> = HashMap::new();
        walk(&self.function.body, &mut |node| {
            flow::operands(node).into_iter().for_each(|value| users.entry(value).or_default().push(node));
        });
        for _ in 0..8 {
            // Copies use a value twice.
            let mut of: Vec<&Node> = users.get(&value)?.clone();
            of.dedup_by(|a, b| std::ptr::eq(*a, *b));
            match of[..] {
                [Node::Op(user)] if is_pure(user) => value = user.results[0],
                [branch @ Node::If { .. }] => return body.iter().position(|node| std::ptr::eq(node, branch)),
                _ => return None,
            }
        }
        None
    }

    /// The memories that a region stores constants to, at constant places, and does nothing else that anything could tell.
    fn constant_stores(&self, region: &Region, label: Label) -> Option<HashSet<SharedId>> {
        let mut found = HashSet::new();
        for node in region {
            match node {
                Node::Op(instruction) if instruction.op == Op::SharedStore => {
                    let Target::Shared(id) = instruction.attrs.target else { return None };
                    instruction.args.iter().map(|arg| self.fact(*arg).known()).collect::<Option<Vec<u64>>>()?;
                    found.insert(id);
                }
                Node::Op(instruction) if is_pure(instruction) => {}
                Node::Br { target, .. } if *target == label => {}
                _ => return None,
            }
        }
        Some(found)
    }

    /// What a value is on a thread of a group, by its number there, where it depends on nothing else.
    fn of_thread(&self, value: Value, change: Option<&Change<'_>>, thread: u32) -> Option<u64> {
        let mut known = HashMap::new();
        let condition = change.and_then(|change| change.condition).unwrap_or(value);
        self.thread_value(condition, change, thread, &mut known, 0)
    }

    fn thread_value(
        &self,
        value: Value,
        change: Option<&Change<'_>>,
        thread: u32,
        known: &mut HashMap<Value, u64>,
        depth: u32,
    ) -> Option<u64> {
        if let Some(bits) = known.get(&value) {
            return Some(*bits);
        }
        let of = |node: &&Node| matches!(node, Node::Op(instruction) if instruction.results == [value]);
        let changed = change.and_then(|change| change.nodes.iter().find(of)).and_then(|node| match node {
            Node::Op(instruction) => Some(instruction),
            _ => None,
        });
        let made = changed.or_else(|| self.defined.get(&value).copied()).filter(|_| depth < 16)?;
        if let (Op::Input, Target::Input(id, _)) = (made.op, made.attrs.target) {
            let builtin = self.program.interface.input(id).builtin;
            return (builtin == Some(Builtin::LocalInvocationIndex)).then_some(u64::from(thread));
        }
        if !is_pure(made) {
            return None;
        }
        let args: Option<Vec<u64>> =
            made.args.iter().map(|arg| self.thread_value(*arg, change, thread, known, depth + 1)).collect();
        let args = args?;
        let width = |value: Value| self.function.values.get(value.index()).copied();
        // What the nodes of a change add is a truth value.
        let u = width(value).unwrap_or(Width::W1);
        let t = match (made.op, made.args.first()) {
            (Op::Select, _) | (_, None) => u,
            (_, Some(arg)) => width(*arg).unwrap_or(Width::W1),
        };
        let made = Pure { op: made.op, attrs: made.attrs, t, u }.evaluate(&args)[0];
        known.insert(value, made);
        Some(made)
    }
}
