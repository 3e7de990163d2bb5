//! Puts the functions that a program calls into its entry, so that one function holds the whole of it.

use gpuproof_program::{Arm, Function, Instruction, Label, Node, Op, Program, Region, Target, Value};
use std::collections::HashMap;

/// The most nodes that a program may have with its calls put in: nested calls multiply.
const MAX_NODES: usize = 1 << 18;

/// A program whose calls, put in, make more than 2^18 nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a program of more than {MAX_NODES} nodes with its calls put in")]
pub struct TooLarge;

/// The entry with every call replaced by a block that holds the callee's body.
///
/// # Errors
/// When that makes more than 2^18 nodes.
pub fn inlined(program: &Program) -> Result<Function, TooLarge> {
    let entry = program.function(program.entry);
    let mut inliner = Inliner { program, values: entry.values.clone(), labels: 0, nodes: 0 };
    let mut scope = Scope::default();
    for value in (0..entry.values.len() as u32).map(Value) {
        scope.values.insert(value, value);
    }
    let body = inliner.region(&entry.body, &mut scope, entry)?;
    Ok(Function { name: entry.name.clone(), params: Vec::new(), results: Vec::new(), values: inliner.values, body })
}

/// What names of one function stand for where its body is put.
#[derive(Default)]
struct Scope {
    values: HashMap<Value, Value>,
    labels: HashMap<Label, Label>,
    /// Where `return` goes; none in the entry.
    end: Option<Label>,
}

struct Inliner<'a> {
    program: &'a Program,
    values: Vec<gpuproof_program::Width>,
    labels: u32,
    nodes: usize,
}

impl Inliner<'_> {
    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    fn value(&mut self, value: Value, scope: &mut Scope, function: &Function) -> Value {
        *scope.values.entry(value).or_insert_with(|| {
            self.values.push(function.width(value));
            Value(self.values.len() as u32 - 1)
        })
    }

    fn all(&mut self, values: &[Value], scope: &mut Scope, function: &Function) -> Vec<Value> {
        values.iter().map(|value| self.value(*value, scope, function)).collect()
    }

    fn own_label(&mut self, label: Label, scope: &mut Scope) -> Label {
        let fresh = self.label();
        scope.labels.insert(label, fresh);
        fresh
    }

    fn region(&mut self, region: &Region, scope: &mut Scope, function: &Function) -> Result<Region, TooLarge> {
        let mut nodes = Vec::with_capacity(region.len());
        for node in region {
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return Err(TooLarge);
            }
            nodes.push(self.node(node, scope, function)?);
        }
        Ok(nodes)
    }

    fn node(&mut self, node: &Node, scope: &mut Scope, function: &Function) -> Result<Node, TooLarge> {
        Ok(match node {
            Node::Op(instruction) => {
                let args = self.all(&instruction.args, scope, function);
                if let (Op::Call, Target::Function(callee)) = (instruction.op, instruction.attrs.target) {
                    let callee = self.program.function(callee);
                    let label = self.label();
                    let mut inner = Scope { end: Some(label), ..Scope::default() };
                    inner.values.extend(callee.params.iter().copied().zip(args));
                    let body = self.region(&callee.body, &mut inner, callee)?;
                    let results = self.all(&instruction.results, scope, function);
                    return Ok(Node::Block { label, results, body });
                }
                let results = self.all(&instruction.results, scope, function);
                Node::Op(Instruction { args, results, ..instruction.clone() })
            }
            Node::Block { label, results, body } => {
                let label = self.own_label(*label, scope);
                let body = self.region(body, scope, function)?;
                Node::Block { label, results: self.all(results, scope, function), body }
            }
            Node::If { label, condition, results, then, otherwise, origin } => {
                let label = self.own_label(*label, scope);
                let condition = self.value(*condition, scope, function);
                let then = self.region(then, scope, function)?;
                let otherwise = self.region(otherwise, scope, function)?;
                let results = self.all(results, scope, function);
                Node::If { label, condition, results, then, otherwise, origin: *origin }
            }
            Node::Switch { label, selector, results, arms, origin } => {
                let label = self.own_label(*label, scope);
                let selector = self.value(*selector, scope, function);
                for arm in arms {
                    self.own_label(arm.label, scope);
                }
                let mut made = Vec::with_capacity(arms.len());
                for arm in arms {
                    let initial = self.all(&arm.initial, scope, function);
                    let params = self.all(&arm.params, scope, function);
                    let body = self.region(&arm.body, scope, function)?;
                    let label = scope.labels[&arm.label];
                    made.push(Arm { label, selectors: arm.selectors.clone(), is_default: arm.is_default, initial, params, body });
                }
                Node::Switch { label, selector, results: self.all(results, scope, function), arms: made, origin: *origin }
            }
            Node::Loop { label, initial, params, body, origin } => {
                let label = self.own_label(*label, scope);
                let initial = self.all(initial, scope, function);
                let params = self.all(params, scope, function);
                Node::Loop { label, initial, params, body: self.region(body, scope, function)?, origin: *origin }
            }
            Node::Br { target, values } => {
                let values = self.all(values, scope, function);
                Node::Br { target: scope.labels[target], values }
            }
            Node::Return { values } => match scope.end {
                Some(target) => Node::Br { target, values: self.all(values, scope, function) },
                None => Node::Return { values: Vec::new() },
            },
            Node::Unreachable => Node::Unreachable,
        })
    }
}
