//! Loops whose number of rounds depends on nothing that is read.

use gpuproof_program::{Class, Function, Label, Node, Op, Region, Scope, Value};
use std::collections::{HashMap, HashSet};

/// The loops of a function that go round as often whatever it is run on, by their number in the order of [`gpuproof_program::walk`].
pub(super) fn fixed_loops(function: &Function) -> HashSet<usize> {
    let mut pass = Pass {
        varying: function.values.iter().map(|_| false).collect(),
        targets: HashMap::new(),
        around: Vec::new(),
        loops: HashMap::new(),
        nodes: 0,
        changed: true,
    };
    for param in &function.params {
        pass.varying[param.index()] = true;
    }
    while std::mem::take(&mut pass.changed) {
        pass.nodes = 0;
        pass.region(&function.body);
    }
    pass.loops.into_iter().filter(|(_, fixed)| *fixed).map(|(number, _)| number).collect()
}

struct Pass {
    /// Which values depend on what is read.
    varying: Vec<bool>,
    targets: HashMap<Label, Vec<Value>>,
    /// The constructs around, outermost first: a label, whether which way is taken depends on what is read, and the number of a loop.
    around: Vec<(Label, bool, Option<usize>)>,
    loops: HashMap<usize, bool>,
    nodes: usize,
    changed: bool,
}

impl Pass {
    fn set(&mut self, value: Value, varies: bool) {
        if varies && !std::mem::replace(&mut self.varying[value.index()], true) {
            self.changed = true;
        }
    }

    fn bring(&mut self, to: &[Value], from: &[Value], varies: bool) {
        for (to, from) in to.iter().zip(from) {
            self.set(*to, varies || self.varying[from.index()]);
        }
    }

    fn inside(&mut self, label: Label, varies: bool, number: Option<usize>, region: &Region) {
        self.around.push((label, varies, number));
        self.region(region);
        self.around.pop();
    }

    fn region(&mut self, region: &Region) {
        for node in region {
            let number = self.nodes;
            self.nodes += 1;
            match node {
                Node::Op(instruction) => {
                    let row = instruction.op.row();
                    let pure = row.class == Class::Pure && row.scope == Scope::Lane && instruction.op != Op::Undef;
                    let varies = !pure || instruction.args.iter().any(|arg| self.varying[arg.index()]);
                    instruction.results.iter().for_each(|result| self.set(*result, varies));
                }
                Node::Block { label, results, body } => {
                    self.targets.insert(*label, results.clone());
                    self.inside(*label, false, None, body);
                }
                Node::If { label, condition, results, then, otherwise, .. } => {
                    self.targets.insert(*label, results.clone());
                    let varies = self.varying[condition.index()];
                    self.inside(*label, varies, None, then);
                    self.inside(*label, varies, None, otherwise);
                }
                Node::Switch { label, selector, results, arms, .. } => {
                    self.targets.insert(*label, results.clone());
                    let varies = self.varying[selector.index()];
                    for arm in arms {
                        self.targets.insert(arm.label, arm.params.clone());
                        // An arm may also be fallen into.
                        arm.params.iter().for_each(|param| self.set(*param, true));
                        self.inside(*label, varies, None, &arm.body);
                    }
                }
                Node::Loop { label, initial, params, body, .. } => {
                    self.targets.insert(*label, params.clone());
                    self.bring(params, initial, false);
                    self.loops.entry(number).or_insert(true);
                    self.inside(*label, false, Some(number), body);
                }
                Node::Br { target, values } => {
                    let from = self.around.iter().rposition(|(label, ..)| label == target).unwrap_or(0);
                    self.leave(from);
                    let varies = self.around[from..].iter().any(|(_, varies, _)| *varies);
                    let to = self.targets.get(target).cloned().unwrap_or_default();
                    self.bring(&to, values, varies);
                }
                Node::Return { .. } => self.leave(0),
                Node::Unreachable => {}
            }
        }
    }

    /// A branch to the construct at a position, or out of all: the loops that it ends or leads round do so by what is decided inside them.
    fn leave(&mut self, position: usize) {
        for at in position..self.around.len() {
            if let Some(number) = self.around[at].2
                && self.around[at..].iter().any(|(_, varies, _)| *varies)
            {
                self.loops.insert(number, false);
            }
        }
    }
}
