//! Builds a function from structured source code with assignable variables.
//!
//! A reader declares a [`Local`] for each register component or scalar variable, reads and sets them, and opens and closes constructs as
//! the source does. The builder makes the SSA form: results of constructs and parameters of loops and arms where a local has
//! several values, and only those that something uses. Code behind a branch is dropped.
//!
//! Sources may be hostile: nesting deeper than [`MAX_NESTING`], or branches times variables beyond a bound, make the builder give up, which
//! [`FunctionBuilder::refusal`] tells.

use crate::attrs::{Attrs, Target};
use crate::function::*;
use crate::op::{Op, Slot};
use crate::source::Origin;
use crate::validate::MAX_NESTING;
use std::collections::{HashMap, HashSet};

/// An assignable variable of the function under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Local(u32);

/// How many values of variables branches and loops may save in one function, which bounds memory and time: thousands of variables with thousands of branches.
const MAX_SAVED: usize = 1 << 24;

/// What a variable's join at a loop costs, in saved values.
const LOOP_COST: usize = 8;

/// The values of all locals at one place; none is undefined.
type State = Vec<Option<Value>>;

/// A value that several branches bring.
struct Join {
    target: Value,
    label: Label,
    incoming: Vec<(Edge, Option<Value>)>,
    /// Values numbered below were defined before the construct began.
    outside: u32,
}

/// How a value comes to a join.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Edge {
    /// From before the construct, as the initial value of a parameter.
    Entry,
    /// With a branch.
    Branch(u32),
}

enum Construct {
    Block,
    If {
        condition: Value,
        origin: Origin,
        start: State,
        then: Option<Region>,
    },
    Switch {
        selector: Value,
        origin: Origin,
        start: State,
        arms: Vec<Arm>,
        open: Option<Arm>,
    },
    /// A loop has a join for each local that there was, from this one on.
    Loop {
        origin: Origin,
        first_join: usize,
        locals: usize,
    },
}

struct Frame {
    label: Label,
    construct: Construct,
    /// Branches to the label and the state that each carries.
    branches: Vec<(u32, State)>,
    first_value: u32,
    nodes: Region,
    ended: bool,
}

/// Builds one [`Function`].
pub struct FunctionBuilder {
    name: String,
    params: Vec<Value>,
    results: Vec<Width>,
    values: Vec<Width>,
    locals: Vec<Width>,
    state: State,
    frames: Vec<Frame>,
    joins: Vec<Join>,
    branch_count: u32,
    label_count: u32,
    prologue: Region,
    constants: HashMap<(Width, u64), Value>,
    undefined: HashMap<Width, Value>,
    fixed: HashSet<Value>,
    origin: Origin,
    saved: usize,
    refusal: Option<&'static str>,
}

impl FunctionBuilder {
    /// A function without parameters whose `return` carries values of these widths.
    pub fn new(name: impl Into<String>, results: &[Width]) -> FunctionBuilder {
        let mut builder = FunctionBuilder {
            name: name.into(),
            params: Vec::new(),
            results: results.to_vec(),
            values: Vec::new(),
            locals: Vec::new(),
            state: Vec::new(),
            frames: Vec::new(),
            joins: Vec::new(),
            branch_count: 0,
            label_count: 0,
            prologue: Vec::new(),
            constants: HashMap::new(),
            undefined: HashMap::new(),
            fixed: HashSet::new(),
            origin: Origin::NONE,
            saved: 0,
            refusal: None,
        };
        let body = builder.new_label();
        builder.frames.push(Frame {
            label: body,
            construct: Construct::Block,
            branches: Vec::new(),
            first_value: 0,
            nodes: Vec::new(),
            ended: false,
        });
        builder
    }

    /// Adds a parameter. Call before anything else is built.
    pub fn param(&mut self, width: Width) -> Value {
        let value = self.new_value(width);
        self.params.push(value);
        self.fixed.insert(value);
        value
    }

    /// Declares a variable, undefined until set. One that keeps its value from one iteration of a loop to the next is declared before that loop.
    pub fn local(&mut self, width: Width) -> Local {
        self.locals.push(width);
        self.state.push(None);
        Local(self.locals.len() as u32 - 1)
    }

    /// The value of a variable here; `undef` if nothing set it.
    pub fn get(&mut self, local: Local) -> Value {
        match self.state[local.0 as usize] {
            Some(value) => value,
            None => self.undef(self.locals[local.0 as usize]),
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, local: Local, value: Value) {
        debug_assert_eq!(self.locals[local.0 as usize], self.values[value.index()]);
        self.state[local.0 as usize] = Some(value);
    }

    /// The width of a value.
    pub fn width(&self, value: Value) -> Width {
        self.values[value.index()]
    }

    /// The place that the next operations and constructs come from.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// The place set last.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Whether code built here can run.
    pub fn is_reachable(&self) -> bool {
        !self.top().ended
    }

    /// Why the builder gave up, if it did: the source is nested too deep or too large. What is built afterwards is dropped, and
    /// the function that [`finish`](Self::finish) gives has an empty body, which the validator refuses.
    pub fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }

    /// A constant, of which the function keeps one at its start.
    pub fn constant(&mut self, width: Width, bits: u64) -> Value {
        let bits = bits & width.mask();
        if let Some(&value) = self.constants.get(&(width, bits)) {
            return value;
        }
        let value = self.prologue_op(Op::Const, Attrs::target(Target::Bits(bits)), width);
        self.constants.insert((width, bits), value);
        value
    }

    /// A 32-bit constant.
    pub fn word(&mut self, bits: u32) -> Value {
        self.constant(Width::W32, u64::from(bits))
    }

    /// A value that nothing wrote.
    pub fn undef(&mut self, width: Width) -> Value {
        if let Some(&value) = self.undefined.get(&width) {
            return value;
        }
        let value = self.prologue_op(Op::Undef, Attrs::default(), width);
        self.undefined.insert(width, value);
        value
    }

    /// Emits an operation with results of these widths.
    pub fn emit(&mut self, op: Op, attrs: Attrs, args: &[Value], widths: &[Width]) -> Vec<Value> {
        let results: Vec<Value> = widths.iter().map(|&width| self.new_value(width)).collect();
        let node = Node::Op(Instruction { op, attrs, args: args.to_vec(), results: results.clone(), origin: self.origin });
        self.push(node);
        results
    }

    /// Emits an operation with one result whose width the operands decide, as the table says.
    pub fn value(&mut self, op: Op, attrs: Attrs, args: &[Value]) -> Value {
        let row = op.row();
        let width = match row.results {
            [Slot::B] => Width::W1,
            [Slot::W] => Width::W32,
            _ => {
                let at = row.operands.iter().position(|slot| *slot == Slot::T);
                at.and_then(|at| args.get(at)).map_or(Width::W32, |arg| self.width(*arg))
            }
        };
        self.emit(op, attrs, args, &[width])[0]
    }

    /// Emits an operation with one result of this width: a load, an input, a conversion.
    pub fn value_of(&mut self, width: Width, op: Op, attrs: Attrs, args: &[Value]) -> Value {
        self.emit(op, attrs, args, &[width])[0]
    }

    /// Emits an operation without results.
    pub fn effect(&mut self, op: Op, attrs: Attrs, args: &[Value]) {
        self.emit(op, attrs, args, &[]);
    }

    /// Opens a block. A branch to its label goes to its end.
    pub fn begin_block(&mut self) -> Label {
        let label = self.new_label();
        self.push_frame(label, Construct::Block);
        label
    }

    /// Opens an `if`, in its first region. A branch to its label goes to its end.
    pub fn begin_if(&mut self, condition: Value) -> Label {
        let label = self.new_label();
        let construct = Construct::If { condition, origin: self.origin, start: self.save(), then: None };
        self.push_frame(label, construct);
        label
    }

    /// Goes over to the second region of the innermost construct, an `if`.
    pub fn begin_else(&mut self) {
        self.close_region();
        let outer_ended = self.outer_ended();
        let frame = self.frames.last_mut().expect("an open if");
        let nodes = std::mem::take(&mut frame.nodes);
        frame.ended = outer_ended;
        let Construct::If { start, then, .. } = &mut frame.construct else { panic!("begin_else outside an if") };
        *then = Some(nodes);
        // Locals declared inside the first region do not exist before it.
        let mut state = start.clone();
        state.resize(self.locals.len(), None);
        self.state = state;
    }

    /// Opens a loop. A branch to its label is its next iteration, and so is reaching its end. It is left by branches to constructs around it.
    pub fn begin_loop(&mut self) -> Label {
        let label = self.new_label();
        let outside = self.values.len() as u32;
        let first_join = self.joins.len();
        let mut locals = 0;
        if self.charge(self.locals.len() * LOOP_COST) && !self.top().ended {
            locals = self.locals.len();
            for at in 0..locals {
                let target = self.new_value(self.locals[at]);
                self.joins.push(Join { target, label, incoming: vec![(Edge::Entry, self.state[at])], outside });
                self.state[at] = Some(target);
            }
        }
        self.push_frame(label, Construct::Loop { origin: self.origin, first_join, locals });
        label
    }

    /// Opens a switch, before its first arm. A branch to its label goes to its end.
    pub fn begin_switch(&mut self, selector: Value) -> Label {
        let label = self.new_label();
        let construct = Construct::Switch { selector, origin: self.origin, start: self.save(), arms: Vec::new(), open: None };
        self.push_frame(label, construct);
        label
    }

    /// Opens the next arm of the innermost construct, a switch. If the end of the arm before can be reached, that arm falls through.
    pub fn begin_arm(&mut self, selectors: &[u32], is_default: bool) {
        let label = self.new_label();
        let outer_ended = self.outer_ended();
        let first = self.values.len() as u32;
        let within = self.charge(self.locals.len());
        let (mut start, had_arm) = match &self.top().construct {
            Construct::Switch { start, open, .. } if within => (start.clone(), open.is_some()),
            Construct::Switch { .. } => (Vec::new(), false),
            _ => panic!("begin_arm outside a switch"),
        };
        start.resize(self.locals.len(), None);
        if had_arm && !self.top().ended {
            let branch = self.new_branch();
            let fallen = self.state.clone();
            self.push(Node::Br { target: label, values: vec![Value(branch)] });
            for at in 0..self.locals.len() {
                if fallen[at] != start[at] {
                    let target = self.new_value(self.locals[at]);
                    let incoming = vec![(Edge::Entry, start[at]), (Edge::Branch(branch), fallen[at])];
                    self.joins.push(Join { target, label, incoming, outside: first });
                    start[at] = Some(target);
                }
            }
        }
        self.finish_arm();
        self.state = start;
        let frame = self.frames.last_mut().expect("an open switch");
        frame.ended = outer_ended;
        if let Construct::Switch { open, .. } = &mut frame.construct {
            let selectors = selectors.to_vec();
            *open = Some(Arm { label, selectors, is_default, initial: Vec::new(), params: Vec::new(), body: Vec::new() });
        }
    }

    /// Branches to a construct that is open: to its end, or for a loop to its next iteration.
    pub fn br(&mut self, target: Label) {
        if self.top().ended || self.refusal.is_some() {
            return;
        }
        let branch = self.new_branch();
        let state = self.save();
        let frame = self.frames.iter_mut().rev().find(|frame| frame.label == target).expect("branch to an open construct");
        frame.branches.push((branch, state));
        self.push(Node::Br { target, values: vec![Value(branch)] });
    }

    /// Leaves the function.
    pub fn ret(&mut self, values: &[Value]) {
        self.push(Node::Return { values: values.to_vec() });
    }

    /// Closes the innermost construct. Reaching the end of a region inside it is a branch to its label.
    pub fn end(&mut self) {
        self.close_region();
        if matches!(self.top().construct, Construct::Switch { .. }) {
            self.finish_arm();
        }
        let frame = self.frames.pop().expect("an open construct");
        let label = frame.label;
        let node = match frame.construct {
            Construct::Loop { origin, first_join, locals } => {
                let mut params = Vec::new();
                for (at, join) in self.joins.iter_mut().skip(first_join).take(locals).enumerate() {
                    join.incoming.extend(
                        frame.branches.iter().map(|(branch, state)| (Edge::Branch(*branch), state.get(at).copied().flatten())),
                    );
                    params.push(join.target);
                }
                self.push(Node::Loop { label, initial: Vec::new(), params, body: frame.nodes, origin });
                self.push(Node::Unreachable);
                return;
            }
            Construct::Block => {
                Node::Block { label, results: self.join(label, &frame.branches, frame.first_value), body: frame.nodes }
            }
            Construct::If { condition, origin, then, .. } => {
                let (then, otherwise) = match then {
                    Some(then) => (then, frame.nodes),
                    None => panic!("an if is closed after begin_else"),
                };
                let results = self.join(label, &frame.branches, frame.first_value);
                Node::If { label, condition, results, then, otherwise, origin }
            }
            Construct::Switch { selector, origin, arms, .. } => {
                let results = self.join(label, &frame.branches, frame.first_value);
                Node::Switch { label, selector, results, arms, origin }
            }
        };
        self.push(node);
        if frame.branches.is_empty() {
            self.push(Node::Unreachable);
        }
    }

    /// Closes an `if` that may lack its second region.
    pub fn end_if(&mut self) {
        if matches!(&self.top().construct, Construct::If { then: None, .. }) {
            self.begin_else();
        }
        self.end();
    }

    /// The function. Reaching its end returns without values; a function with results returns before.
    pub fn finish(mut self) -> Function {
        assert_eq!(self.frames.len(), 1, "every construct is closed");
        if self.results.is_empty() {
            self.ret(&[]);
        } else {
            self.push(Node::Unreachable);
        }
        let frame = self.frames.pop().expect("the body");
        finish::finish(self, frame.nodes)
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("the body is open")
    }

    /// Whether the construct around the innermost one cannot be reached here.
    fn outer_ended(&self) -> bool {
        self.frames.len().checked_sub(2).is_some_and(|at| self.frames[at].ended)
    }

    /// Counts what is saved; false when it is too much.
    fn charge(&mut self, count: usize) -> bool {
        self.saved = self.saved.saturating_add(count);
        if self.saved > MAX_SAVED {
            self.refusal.get_or_insert("a function has too many branches for its number of variables");
        }
        self.refusal.is_none()
    }

    /// The values of all locals here, nothing once the builder gave up.
    fn save(&mut self) -> State {
        if self.charge(self.locals.len()) { self.state.clone() } else { Vec::new() }
    }

    fn push_frame(&mut self, label: Label, construct: Construct) {
        if self.frames.len() > MAX_NESTING {
            self.refusal.get_or_insert("constructs are nested too deep");
        }
        let ended = self.top().ended;
        let first_value = self.values.len() as u32;
        self.frames.push(Frame { label, construct, branches: Vec::new(), first_value, nodes: Vec::new(), ended });
    }

    fn push(&mut self, node: Node) {
        let frame = self.frames.last_mut().expect("the body is open");
        if !frame.ended && self.refusal.is_none() {
            frame.ended = node.is_terminator();
            frame.nodes.push(node);
        }
    }

    /// Reaching the end of a region is a branch to its construct.
    fn close_region(&mut self) {
        let empty_switch = matches!(&self.top().construct, Construct::Switch { open: None, .. });
        if !empty_switch {
            self.br(self.top().label);
        }
    }

    fn finish_arm(&mut self) {
        let frame = self.frames.last_mut().expect("an open switch");
        let nodes = std::mem::take(&mut frame.nodes);
        if let Construct::Switch { arms, open, .. } = &mut frame.construct
            && let Some(arm) = open.take()
        {
            arms.push(Arm { body: nodes, ..arm });
        }
    }

    /// Merges the states of the branches to a construct's end into `self.state`, and gives the construct's results.
    fn join(&mut self, label: Label, branches: &[(u32, State)], first_value: u32) -> Vec<Value> {
        let mut results = Vec::new();
        let mut merged: State = vec![None; self.locals.len()];
        for (at, slot) in merged.iter_mut().enumerate() {
            let incoming: Vec<(Edge, Option<Value>)> =
                branches.iter().map(|(branch, state)| (Edge::Branch(*branch), state.get(at).copied().flatten())).collect();
            let Some(&(_, first)) = incoming.first() else { continue };
            let inside = first.is_some_and(|value| value.0 >= first_value && !self.fixed.contains(&value));
            if !inside && incoming.iter().all(|(_, value)| *value == first) {
                *slot = first;
            } else {
                self.values.push(self.locals[at]);
                let target = Value(self.values.len() as u32 - 1);
                self.joins.push(Join { target, label, incoming, outside: first_value });
                results.push(target);
                *slot = Some(target);
            }
        }
        self.state = merged;
        results
    }

    fn prologue_op(&mut self, op: Op, attrs: Attrs, width: Width) -> Value {
        let value = self.new_value(width);
        self.fixed.insert(value);
        self.prologue.push(Node::Op(Instruction { op, attrs, args: Vec::new(), results: vec![value], origin: Origin::NONE }));
        value
    }

    fn new_value(&mut self, width: Width) -> Value {
        self.values.push(width);
        Value(self.values.len() as u32 - 1)
    }

    fn new_label(&mut self) -> Label {
        self.label_count += 1;
        Label(self.label_count - 1)
    }

    fn new_branch(&mut self) -> u32 {
        self.branch_count += 1;
        self.branch_count - 1
    }
}

#[path = "builder_finish.rs"]
mod finish;
