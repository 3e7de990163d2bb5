//! What was never reached.

use super::job::Job;
use crate::bind::{Counter, output_place, resource_names};
use gpuproof_program::{Class, Node, Op, Target};
use std::collections::BTreeSet;

impl Job<'_> {
    /// Finds the outputs that the original can write and no lane did, and those that the map leaves out.
    pub(super) fn unreached(&mut self) {
        let (mut expected, mut left_out) = (BTreeSet::new(), BTreeSet::new());
        let bound = |id| self.binding.resources.iter().any(|joined| joined.original == id);
        let names = resource_names(&self.original.interface);
        for function in &self.original.functions {
            gpuproof_program::walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                match (instruction.op, instruction.attrs.target) {
                    (Op::Output, Target::Output(id, component)) => {
                        let bound = self.binding.outputs.iter().any(|carried| carried.original == (id, component));
                        let name = output_place(self.original, id, component);
                        if bound {
                            expected.insert(name)
                        } else {
                            left_out.insert(name)
                        };
                    }
                    (Op::CounterAlloc | Op::CounterConsume, Target::Resource(id)) => {
                        let bound = self.binding.counters.iter().any(|counter| counter.0 == Counter::Hidden(id));
                        left_out.extend((!bound).then(|| format!("counter of {}", names[id.index()])));
                    }
                    (op, Target::Resource(id)) if op.row().class == Class::Writes => {
                        let word = |counter: &(Counter, Counter)| matches!(counter.0, Counter::Word(word, _) if word == id);
                        let name = names[id.index()].clone();
                        if bound(id) {
                            expected.insert(name);
                        } else if !self.binding.counters.iter().any(word) {
                            left_out.insert(name);
                        }
                    }
                    _ => {}
                }
            });
        }
        for name in left_out.into_iter().filter(|_| self.partial.is_none()) {
            self.limits.push((format!("the map leaves out {name}, which the original writes"), None));
        }
        for name in self.left_out.values() {
            self.limits.push((format!("nothing in the port stands for {name}, which the original writes"), None));
        }
        let reached = |name: &String| self.census.outputs.iter().any(|output| output.name == *name);
        self.coverage.outputs_never_reached = expected.into_iter().filter(|name| !reached(name)).collect();
        for name in &self.coverage.outputs_never_reached {
            self.limits.push((format!("no lane of any case wrote {name}"), None));
        }
        if self.census.total().words() == 0 {
            self.limits.push(("nothing was compared".into(), None));
        }
    }
}
