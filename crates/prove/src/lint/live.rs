//! Which values of a Program have an effect.

use gpuproof_program::{ArrayId, Class, Function, FunctionId, Instruction, Node, Op, Program, Target, Value, walk};
use std::collections::HashMap;

/// For each function which of its values reach an output, a store, a decision, or another effect.
#[derive(Debug)]
pub(super) struct Live {
    values: Vec<Vec<bool>>,
    arrays: Vec<bool>,
    called: Vec<bool>,
}

impl Live {
    /// Follows values back from all that has an effect, through branches, calls and per-lane arrays.
    pub fn of(program: &Program) -> Live {
        let mut search = Search {
            program,
            live: Live {
                values: program.functions.iter().map(|function| vec![false; function.values.len()]).collect(),
                arrays: vec![false; program.arrays.len()],
                called: vec![false; program.functions.len()],
            },
            results: program.functions.iter().map(|function| vec![false; function.results.len()]).collect(),
            indexes: program.functions.iter().map(Index::of).collect(),
            pending: Vec::new(),
        };
        program.entries().into_iter().for_each(|entry| search.enter(entry));
        while let Some((function, value)) = search.pending.pop() {
            search.made(function, value);
        }
        search.live
    }

    /// Whether an operation has an effect, or a result that has.
    pub fn instruction(&self, function: FunctionId, instruction: &Instruction) -> bool {
        if !self.called[function.index()] {
            return false;
        }
        match (instruction.op, instruction.attrs.target) {
            (Op::ArrayStore, Target::Array(array)) => self.arrays[array.index()],
            _ => {
                instruction.op.row().class == Class::Writes
                    || instruction.results.iter().any(|result| self.values[function.index()][result.index()])
            }
        }
    }
}

/// What makes the values of a function.
struct Index<'a> {
    makers: HashMap<Value, &'a Instruction>,
    incoming: Vec<Vec<Value>>,
    params: HashMap<Value, usize>,
}

impl<'a> Index<'a> {
    fn of(function: &'a Function) -> Index<'a> {
        let mut makers = HashMap::new();
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node {
                makers.extend(instruction.results.iter().map(|result| (*result, instruction)));
            }
        });
        let params = function.params.iter().enumerate().map(|(at, param)| (*param, at)).collect();
        Index { makers, incoming: function.incoming(), params }
    }
}

struct Search<'a> {
    program: &'a Program,
    live: Live,
    results: Vec<Vec<bool>>,
    indexes: Vec<Index<'a>>,
    pending: Vec<(FunctionId, Value)>,
}

impl Search<'_> {
    fn mark(&mut self, function: FunctionId, value: Value) {
        if !std::mem::replace(&mut self.live.values[function.index()][value.index()], true) {
            self.pending.push((function, value));
        }
    }

    /// What has an effect by itself in a function that is called.
    fn enter(&mut self, id: FunctionId) {
        if std::mem::replace(&mut self.live.called[id.index()], true) {
            return;
        }
        let program = self.program;
        walk(&program.function(id).body, &mut |node| match node {
            Node::Op(instruction) => match (instruction.op, instruction.attrs.target) {
                (Op::Call, Target::Function(callee)) => self.enter(callee),
                (Op::ArrayStore, Target::Array(array)) if !self.live.arrays[array.index()] => {}
                _ if instruction.op.row().class == Class::Writes => {
                    instruction.args.iter().for_each(|arg| self.mark(id, *arg));
                }
                _ => {}
            },
            Node::If { condition, .. } => self.mark(id, *condition),
            Node::Switch { selector, .. } => self.mark(id, *selector),
            _ => {}
        });
    }

    fn made(&mut self, id: FunctionId, value: Value) {
        let index = &self.indexes[id.index()];
        if let Some(at) = index.params.get(&value).copied() {
            self.each_call(id, |this, caller, call| this.mark(caller, call.args[at]));
        }
        for from in self.indexes[id.index()].incoming[value.index()].clone() {
            self.mark(id, from);
        }
        let Some(instruction) = self.indexes[id.index()].makers.get(&value).copied() else { return };
        match (instruction.op, instruction.attrs.target) {
            (Op::Call, Target::Function(callee)) => {
                let at = instruction.results.iter().position(|result| *result == value);
                at.into_iter().for_each(|at| self.returned(callee, at));
            }
            (Op::ArrayLoad, Target::Array(array)) => {
                self.loaded(array);
                self.mark(id, instruction.args[0]);
            }
            _ => instruction.args.iter().for_each(|arg| self.mark(id, *arg)),
        }
    }

    fn each_call(&mut self, callee: FunctionId, mut visit: impl FnMut(&mut Self, FunctionId, &Instruction)) {
        let program = self.program;
        for (at, function) in program.functions.iter().enumerate() {
            walk(&function.body, &mut |node| match node {
                Node::Op(call) if call.op == Op::Call && call.attrs.target == Target::Function(callee) => {
                    visit(self, FunctionId(at as u32), call);
                }
                _ => {}
            });
        }
    }

    fn returned(&mut self, callee: FunctionId, at: usize) {
        if std::mem::replace(&mut self.results[callee.index()][at], true) {
            return;
        }
        let program = self.program;
        walk(&program.function(callee).body, &mut |node| {
            if let Node::Return { values } = node {
                self.mark(callee, values[at]);
            }
        });
    }

    /// An array whose elements are read: what is stored to it has an effect.
    fn loaded(&mut self, array: ArrayId) {
        if std::mem::replace(&mut self.live.arrays[array.index()], true) {
            return;
        }
        let program = self.program;
        for (at, function) in program.functions.iter().enumerate() {
            walk(&function.body, &mut |node| match node {
                Node::Op(store) if store.op == Op::ArrayStore && store.attrs.target == Target::Array(array) => {
                    store.args.iter().for_each(|arg| self.mark(FunctionId(at as u32), *arg));
                }
                _ => {}
            });
        }
    }
}
