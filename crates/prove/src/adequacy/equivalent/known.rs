//! Mutants of selections that differ only where a value is one constant, and of which nothing is left behind a few operations more.

use super::Knowledge;
use super::trial::is_pure;
use crate::flow;
use gpuproof_program::*;
use gpuproof_run::machine::scalar::Pure;
use std::collections::HashMap;

/// What a value is in the original and in the mutant where the two part.
#[derive(Clone, Copy, PartialEq)]
enum Both {
    /// The same, and what where it is known.
    Same(Option<u64>),
    /// Two different numbers, where they are known.
    Apart(Option<(u64, u64)>),
}

impl Both {
    fn of(original: u64, mutant: u64) -> Both {
        if original == mutant { Both::Same(Some(original)) } else { Both::Apart(Some((original, mutant))) }
    }

    fn original(self) -> Option<u64> {
        match self {
            Both::Same(known) => known,
            Both::Apart(known) => Some(known?.0),
        }
    }

    fn mutant(self) -> Option<u64> {
        match self {
            Both::Same(known) => known,
            Both::Apart(known) => Some(known?.1),
        }
    }
}

impl Knowledge<'_> {
    /// Whether a selection that always takes one side gives the same in the end where the condition says otherwise.
    pub(super) fn hides_where_known(&self, original: &Instruction, mutated: &Instruction) -> bool {
        let is_copy = mutated.op == Op::IOr && mutated.args[0] == mutated.args[1];
        if original.op != Op::Select || !is_copy {
            return false;
        }
        // The condition where they part.
        let holds = mutated.args[0] != original.args[1];
        let mut known = HashMap::new();
        self.assume(original.args[0], holds, &mut known, 0);
        let taken = original.args[if holds { 1 } else { 2 }];
        !known.is_empty() && self.goes_unseen(original.results[0], (taken, mutated.args[0]), &known)
    }

    /// Notes what values are where a truth value is this.
    fn assume(&self, value: Value, holds: bool, known: &mut HashMap<Value, u64>, depth: u32) {
        let Some(made) = self.defined.get(&value).filter(|_| depth < 8) else { return };
        let is_truth = |value: Value| self.function.width(value) == Width::W1;
        match made.op {
            Op::INot if is_truth(value) => self.assume(made.args[0], !holds, known, depth + 1),
            Op::IAnd | Op::IOr if is_truth(value) && holds == (made.op == Op::IAnd) => {
                made.args.iter().for_each(|arg| self.assume(*arg, holds, known, depth + 1));
            }
            Op::IEq | Op::INe => {
                for (at, arg) in made.args.iter().enumerate() {
                    let Some(bits) = self.fact(made.args[1 - at]).known() else { continue };
                    let of = self.defined.get(arg).filter(|of| matches!(of.op, Op::SExtend | Op::UExtend));
                    match of {
                        Some(of) if bits == 0 && is_truth(of.args[0]) => {
                            self.assume(of.args[0], holds == (made.op == Op::INe), known, depth + 1);
                        }
                        _ if holds == (made.op == Op::IEq) => self.note(*arg, bits, known),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes that a value is this, and what it is computed from where only one number gives it.
    fn note(&self, value: Value, bits: u64, known: &mut HashMap<Value, u64>) {
        known.insert(value, bits);
        if let Some(made) = self.defined.get(&value) {
            let width = self.function.width(value);
            match made.op {
                // Nothing but 0 has no bit.
                Op::UFindHigh | Op::IFindLow if bits == width.mask() => _ = known.insert(made.args[0], 0),
                Op::IAnd | Op::IOr if made.args[0] == made.args[1] => self.note(made.args[0], bits, known),
                _ => {}
            }
        }
    }

    /// Whether nothing tells which of two values a result was, where all this is known. SSA has every use see the numbers of one round of its loops, as long
    /// as none goes on with a branch.
    fn goes_unseen(&self, result: Value, (taken, other): (Value, Value), known: &HashMap<Value, u64>) -> bool {
        let mut states: HashMap<Value, Both> = HashMap::new();
        let mut lost = true;
        walk(&self.function.body, &mut |node| {
            let of = |value: Value| {
                let fact = || known.get(&value).copied().or_else(|| self.fact(value).known());
                states.get(&value).copied().unwrap_or_else(|| Both::Same(fact()))
            };
            let is_apart = |value: &Value| matches!(of(*value), Both::Apart(_));
            let Node::Op(instruction) = node else {
                lost &= !flow::operands(node).iter().any(is_apart);
                return;
            };
            let state = if instruction.results == [result] {
                match (of(taken), of(other)) {
                    (Both::Same(Some(a)), Both::Same(Some(b))) => Both::of(a, b),
                    _ => Both::Apart(None),
                }
            } else if !is_pure(instruction) {
                lost &= !instruction.args.iter().any(is_apart);
                return;
            } else if let Some(bits) = known.get(&instruction.results[0]) {
                Both::Same(Some(*bits))
            } else {
                let args: Vec<Both> = instruction.args.iter().map(|arg| of(*arg)).collect();
                self.step(instruction, &args)
            };
            states.insert(instruction.results[0], state);
        });
        lost
    }

    fn step(&self, instruction: &Instruction, args: &[Both]) -> Both {
        let width = |value: Value| self.function.width(value);
        let u = width(instruction.results[0]);
        if instruction.op == Op::Select {
            let arm = |condition: Option<u64>| condition.map(|bits| if bits == 1 { args[1] } else { args[2] });
            let (from, to) = (arm(args[0].original()), arm(args[0].mutant()));
            return match (from, to) {
                (Some(from), Some(to)) if args[0].original() == args[0].mutant() && from == to => from,
                (Some(from), Some(to)) => match (from.original(), to.mutant()) {
                    (Some(from), Some(to)) => Both::of(from, to),
                    _ => Both::Apart(None),
                },
                _ if args.iter().all(|arg| matches!(arg, Both::Same(_))) => Both::Same(None),
                _ => Both::Apart(None),
            };
        }
        let t = instruction.args.first().map_or(u, |arg| width(*arg));
        let pure = Pure { op: instruction.op, attrs: instruction.attrs, t, u };
        let all = |of: fn(Both) -> Option<u64>| args.iter().map(|arg| of(*arg)).collect::<Option<Vec<u64>>>();
        let evaluate = |args: Vec<u64>| pure.evaluate(&args)[0];
        match (all(Both::original), all(Both::mutant)) {
            (Some(original), Some(mutant)) if pure.is_supported() => Both::of(evaluate(original), evaluate(mutant)),
            _ if args.iter().all(|arg| matches!(arg, Both::Same(_))) => Both::Same(None),
            _ => Both::Apart(None),
        }
    }
}
