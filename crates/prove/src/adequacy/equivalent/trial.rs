//! Mutants that are tried on every value that their operands can have.

use super::Knowledge;
use gpuproof_program::*;
use gpuproof_run::machine::scalar::Pure;
use std::collections::HashMap;

impl Knowledge<'_> {
    /// Whether the mutant gives the same for every value that what it is computed from can have, where these are few.
    pub(super) fn exhausted(&self, original: &Instruction, nodes: &[Node], widths: &[Width]) -> bool {
        const BITS: u32 = 16;
        if original.results.len() != 1 {
            return false;
        }
        for deep in [true, false] {
            let mut cone = Cone { knowledge: self, deep, leaves: Vec::new(), steps: Vec::new() };
            let mutated = nodes.iter().filter_map(|node| match node {
                Node::Op(instruction) => Some(instruction),
                _ => None,
            });
            let all: Vec<&Instruction> = std::iter::once(original).chain(mutated).collect();
            let inner = |arg: &Value| all[1..].iter().any(|instruction| instruction.results.contains(arg));
            let fits = all.iter().all(|instruction| is_pure(instruction))
                && all.iter().flat_map(|instruction| &instruction.args).filter(|arg| !inner(arg)).all(|arg| cone.add(*arg));
            let bits: u32 = cone.leaves.iter().map(|leaf| self.fact(*leaf).may.count_ones()).sum();
            if fits && bits <= BITS && cone.steps.len() < 64 && self.agrees(&cone, original, &all[1..], widths, bits) {
                return true;
            }
        }
        false
    }

    fn agrees(&self, cone: &Cone<'_>, original: &Instruction, mutated: &[&Instruction], widths: &[Width], bits: u32) -> bool {
        let result = original.results[0];
        let demanded = self.demand(result).bits;
        let mut values: HashMap<Value, u64> = HashMap::new();
        for number in 0..1u64 << bits {
            let mut rest = number;
            for leaf in &cone.leaves {
                let fact = self.fact(*leaf);
                let mut value = 0;
                for bit in (0..64).filter(|bit| fact.may >> bit & 1 == 1) {
                    value |= (rest & 1) << bit;
                    rest >>= 1;
                }
                values.insert(*leaf, value);
            }
            let mut run = |instruction: &Instruction| {
                let width = |value: &Value| widths.get(value.index()).copied().unwrap_or(Width::W32);
                let u = width(&instruction.results[0]);
                let t = match (instruction.op, instruction.args.first()) {
                    (Op::Select, _) | (_, None) => u,
                    (_, Some(arg)) => width(arg),
                };
                let args: Vec<u64> = instruction.args.iter().map(|arg| values.get(arg).copied().unwrap_or(0)).collect();
                let made = Pure { op: instruction.op, attrs: instruction.attrs, t, u }.evaluate(&args)[0];
                values.insert(instruction.results[0], made);
                made
            };
            cone.steps.iter().for_each(|step| _ = run(step));
            let right = run(original);
            let found = mutated.iter().map(|instruction| run(instruction)).last();
            if found.is_none_or(|found| (found ^ right) & demanded != 0) {
                return false;
            }
        }
        true
    }
}

/// Whether an operation gives one value of its operands alone.
pub(super) fn is_pure(instruction: &Instruction) -> bool {
    let row = instruction.op.row();
    row.class == Class::Pure && row.scope == Scope::Lane && instruction.op != Op::Undef && instruction.results.len() == 1
}

/// What values are computed from.
struct Cone<'k> {
    knowledge: &'k Knowledge<'k>,
    /// Whether operations are looked through.
    deep: bool,
    leaves: Vec<Value>,
    /// In the order of their results.
    steps: Vec<&'k Instruction>,
}

impl Cone<'_> {
    /// Takes a value in; false when there are too many.
    fn add(&mut self, value: Value) -> bool {
        if self.leaves.contains(&value) || self.steps.iter().any(|step| step.results.contains(&value)) {
            return true;
        }
        match self.knowledge.defined.get(&value) {
            Some(instruction) if is_pure(instruction) && (self.deep || instruction.op == Op::Const) => {
                if self.steps.len() >= 64 || !instruction.args.iter().all(|arg| self.add(*arg)) {
                    return false;
                }
                self.steps.push(instruction);
            }
            _ => self.leaves.push(value),
        }
        self.leaves.len() <= 16
    }
}
