//! Builds a function from structured source code with assignable variables.
//!
//! A reader declares a [`Local`] for each register component or scalar variable, reads and sets them, and opens and closes constructs as
//! the source does. The builder makes the SSA form: results of constructs and parameters of loops and arms where a local has
//! several values, and only those that something uses. Code behind a branch is dropped.
//!
//! What a branch carries, and what a loop has parameters for, are the variables touched inside the construct alone, so time and memory
//! follow what the source does, not how many variables it declares. Sources may be hostile: nesting deeper than [`MAX_NESTING`], or branches
//! times variables beyond a bound, make the builder give up, which [`FunctionBuilder::refusal`] tells.

use crate::attrs::{Attrs, Detail, Register, Target};
use crate::function::*;
use crate::op::{Op, Slot};
use crate::source::Origin;
use crate::validate::MAX_NESTING;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// An assignable variable of the function under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Local(u32);

/// How many values of variables branches may carry in any function, and how many more for each operation that it has: a bound on memory
/// and time for many exits from where many variables change.
const MAX_SAVED: usize = 1 << 20;
/// See [`MAX_SAVED`].
const SAVED_PER_OPERATION: usize = 64;

/// Values of variables, by variable; none is undefined.
type Values = Vec<(u32, Option<Value>)>;

/// A value that several branches bring.
struct Join {
    /// The variable.
    local: u32,
    target: Value,
    label: Label,
    incoming: Vec<(Edge, Option<Value>)>,
    /// Values older than this were defined before the construct began.
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
        then: Option<Region>,
    },
    Switch {
        selector: Value,
        origin: Origin,
        arms: Vec<Arm>,
        open: Option<Arm>,
    },
    /// A loop, with its index among the loops.
    Loop {
        origin: Origin,
        at: usize,
    },
}

/// What is known of a loop, open or closed.
struct Loop {
    label: Label,
    parent: Option<usize>,
    /// The index of its frame while it is open.
    frame: usize,
    /// Values older than this were defined before it began.
    outside: u32,
    /// Variables from this one on were declared inside, and begin anew in each iteration.
    locals: u32,
    /// The join of each variable that was touched inside.
    params: BTreeMap<u32, usize>,
}

/// A branch to a construct's label.
struct Branch {
    number: u32,
    /// The innermost loop around it.
    around: Option<usize>,
    /// How many joins there were.
    joins: usize,
    /// The variables that changed since the construct's region began, sorted.
    changed: Values,
}

struct Frame {
    label: Label,
    construct: Construct,
    branches: Vec<Branch>,
    /// Values older than this were defined before the construct began.
    outside: u32,
    /// The innermost loop around the construct.
    around: Option<usize>,
    /// The values at the construct's start of the variables that changed inside.
    before: BTreeMap<u32, Option<Value>>,
    /// The variables that changed since the open region began.
    changed: BTreeSet<u32>,
    nodes: Region,
    ended: bool,
}

/// Builds one [`Function`].
pub struct FunctionBuilder {
    name: String,
    params: Vec<Value>,
    results: Vec<Width>,
    values: Vec<Width>,
    /// When each value was defined: counts up, but a loop's parameters are as old as the loop, however late they turn out to be needed.
    ages: Vec<u32>,
    clock: u32,
    locals: Vec<Width>,
    state: Vec<Option<Value>>,
    frames: Vec<Frame>,
    loops: Vec<Loop>,
    joins: Vec<Join>,
    branch_count: u32,
    label_count: u32,
    prologue: Region,
    constants: HashMap<(Width, u64), Value>,
    undefined: HashMap<(Width, Detail), Value>,
    /// Which registers variables stand for.
    registers: HashMap<u32, Register>,
    fixed: HashSet<Value>,
    origin: Origin,
    operations: usize,
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
            ages: Vec::new(),
            clock: 0,
            locals: Vec::new(),
            state: Vec::new(),
            frames: Vec::new(),
            loops: Vec::new(),
            joins: Vec::new(),
            branch_count: 0,
            label_count: 0,
            prologue: Vec::new(),
            constants: HashMap::new(),
            undefined: HashMap::new(),
            registers: HashMap::new(),
            fixed: HashSet::new(),
            origin: Origin::NONE,
            operations: 0,
            saved: 0,
            refusal: None,
        };
        let body = builder.new_label();
        builder.frames.push(Frame {
            label: body,
            construct: Construct::Block,
            branches: Vec::new(),
            outside: 0,
            around: None,
            before: BTreeMap::new(),
            changed: BTreeSet::new(),
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

    /// Declares a variable of 32 bits that stands for a component of a register: where nothing wrote it, reports name it.
    pub fn register(&mut self, register: Register) -> Local {
        let local = self.local(Width::W32);
        self.registers.insert(local.0, register);
        local
    }

    /// The value of a variable here; `undef` if nothing set it.
    pub fn get(&mut self, local: Local) -> Value {
        self.touch(local.0);
        match self.state[local.0 as usize] {
            Some(value) => value,
            None => self.unset(local.0),
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, local: Local, value: Value) {
        debug_assert_eq!(self.locals[local.0 as usize], self.values[value.index()]);
        if !self.top().ended {
            self.touch(local.0);
            self.change(local.0, Some(value));
        }
    }

    /// Makes a variable undefined again.
    pub fn clear(&mut self, local: Local) {
        if !self.top().ended {
            self.touch(local.0);
            self.change(local.0, None);
        }
    }

    /// Gives a variable that is used in loops a parameter of each of them, if it has none yet: nothing changed it since they began.
    fn touch(&mut self, local: u32) {
        let mut without = Vec::new();
        let mut around = self.around();
        while let Some(at) = around
            && !self.loops[at].params.contains_key(&local)
        {
            if local < self.loops[at].locals {
                without.push(at);
            }
            around = self.loops[at].parent;
        }
        if without.is_empty() || self.top().ended || !self.charge(without.len()) {
            return;
        }
        for at in without.into_iter().rev() {
            let Loop { label, frame, outside, .. } = self.loops[at];
            let target = self.new_value(self.locals[local as usize]);
            self.ages[target.index()] = outside;
            let before = self.state[local as usize].replace(target);
            self.loops[at].params.insert(local, self.joins.len());
            self.joins.push(Join { local, target, label, incoming: vec![(Edge::Entry, before)], outside });
            self.frames[frame].before.insert(local, before);
            self.frames[frame].changed.insert(local);
        }
    }

    /// Gives a variable another value in the open region.
    fn change(&mut self, local: u32, value: Option<Value>) {
        let before = std::mem::replace(&mut self.state[local as usize], value);
        // Nothing joins at the end of the body.
        if self.frames.len() > 1
            && let Some(frame) = self.frames.last_mut()
            && frame.changed.insert(local)
        {
            frame.before.entry(local).or_insert(before);
        }
    }

    /// Goes back to the values at the start of the innermost construct.
    fn restore(&mut self) {
        let frame = self.frames.last_mut().expect("an open construct");
        for local in std::mem::take(&mut frame.changed) {
            self.state[local as usize] = frame.before[&local];
        }
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
        self.undef_of(width, Detail::None)
    }

    fn undef_of(&mut self, width: Width, detail: Detail) -> Value {
        if let Some(&value) = self.undefined.get(&(width, detail)) {
            return value;
        }
        let value = self.prologue_op(Op::Undef, Attrs::default().with_detail(detail), width);
        self.undefined.insert((width, detail), value);
        value
    }

    /// What a variable holds that nothing set.
    pub(crate) fn unset(&mut self, local: u32) -> Value {
        let detail = self.registers.get(&local).map_or(Detail::None, |register| Detail::Register(*register));
        self.undef_of(self.locals[local as usize], detail)
    }

    /// Emits an operation with results of these widths.
    pub fn emit(&mut self, op: Op, attrs: Attrs, args: &[Value], widths: &[Width]) -> Vec<Value> {
        self.operations += 1;
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
        let construct = Construct::If { condition, origin: self.origin, then: None };
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
        let Construct::If { then, .. } = &mut frame.construct else { panic!("begin_else outside an if") };
        *then = Some(nodes);
        self.restore();
    }

    /// Opens a loop. A branch to its label is its next iteration, and so is reaching its end. It is left by branches to constructs around it.
    pub fn begin_loop(&mut self) -> Label {
        let label = self.new_label();
        let at = self.loops.len();
        self.loops.push(Loop {
            label,
            parent: self.around(),
            frame: self.frames.len(),
            outside: self.clock,
            locals: self.locals.len() as u32,
            params: BTreeMap::new(),
        });
        self.push_frame(label, Construct::Loop { origin: self.origin, at });
        // What begins inside is younger than the loop's parameters.
        self.clock += 1;
        label
    }

    /// Opens a switch, before its first arm. A branch to its label goes to its end.
    pub fn begin_switch(&mut self, selector: Value) -> Label {
        let label = self.new_label();
        let construct = Construct::Switch { selector, origin: self.origin, arms: Vec::new(), open: None };
        self.push_frame(label, construct);
        label
    }

    /// Opens the next arm of the innermost construct, a switch. If the end of the arm before can be reached, that arm falls through.
    pub fn begin_arm(&mut self, selectors: &[u32], is_default: bool) {
        let label = self.new_label();
        let outer_ended = self.outer_ended();
        let Construct::Switch { open, .. } = &self.top().construct else { panic!("begin_arm outside a switch") };
        let mut fallen = Vec::new();
        if open.is_some() && !self.top().ended {
            let branch = self.new_branch();
            self.push(Node::Br { target: label, values: vec![Value(branch)] });
            let frame = self.top();
            let changed = frame.changed.iter().map(|&local| (local, frame.before[&local], self.state[local as usize]));
            fallen = changed.filter(|(_, entering, falling)| entering != falling).collect();
            if self.charge(fallen.len()) {
                let outside = self.clock;
                for (local, entering, falling) in &mut fallen {
                    let target = self.new_value(self.locals[*local as usize]);
                    let incoming = vec![(Edge::Entry, *entering), (Edge::Branch(branch), *falling)];
                    self.joins.push(Join { local: *local, target, label, incoming, outside });
                    *falling = Some(target);
                }
            }
        }
        self.finish_arm();
        self.restore();
        for (local, _, value) in fallen {
            self.change(local, value);
        }
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
        let number = self.new_branch();
        let at = self.frames.iter().rposition(|frame| frame.label == target).expect("branch to an open construct");
        if !self.charge(self.frames[at..].iter().map(|frame| frame.changed.len()).sum()) {
            return;
        }
        let mut locals: Vec<u32> = self.frames[at..].iter().flat_map(|frame| frame.changed.iter().copied()).collect();
        locals.sort_unstable();
        locals.dedup();
        let changed = locals.into_iter().map(|local| (local, self.state[local as usize])).collect();
        let branch = Branch { number, around: self.around(), joins: self.joins.len(), changed };
        self.frames[at].branches.push(branch);
        self.push(Node::Br { target, values: vec![Value(number)] });
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
        self.restore();
        let mut frame = self.frames.pop().expect("an open construct");
        let label = frame.label;
        let body = std::mem::take(&mut frame.nodes);
        if let Construct::Loop { origin, at } = frame.construct {
            let params = self.join_iterations(at, &frame);
            self.leave(&frame);
            self.push(Node::Loop { label, initial: Vec::new(), params, body, origin });
            self.push(Node::Unreachable);
            return;
        }
        self.leave(&frame);
        let results = self.join(&frame);
        let node = match frame.construct {
            Construct::If { condition, origin, then, .. } => {
                let then = then.expect("an if is closed after begin_else");
                Node::If { label, condition, results, then, otherwise: body, origin }
            }
            Construct::Switch { selector, origin, arms, .. } => Node::Switch { label, selector, results, arms, origin },
            Construct::Block | Construct::Loop { .. } => Node::Block { label, results, body },
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

    /// The innermost open loop.
    fn around(&self) -> Option<usize> {
        match self.top() {
            Frame { construct: Construct::Loop { at, .. }, .. } => Some(*at),
            frame => frame.around,
        }
    }

    /// Counts what is saved; false when it is too much.
    fn charge(&mut self, count: usize) -> bool {
        self.saved = self.saved.saturating_add(count);
        if self.saved > MAX_SAVED + SAVED_PER_OPERATION * self.operations {
            self.refusal.get_or_insert("a function has too many branches for the variables that change in it");
        }
        self.refusal.is_none()
    }

    fn push_frame(&mut self, label: Label, construct: Construct) {
        if self.frames.len() > MAX_NESTING {
            self.refusal.get_or_insert("constructs are nested too deep");
        }
        let (ended, around, outside) = (self.top().ended, self.around(), self.clock);
        let (before, changed) = (BTreeMap::new(), BTreeSet::new());
        self.frames.push(Frame {
            label,
            construct,
            branches: Vec::new(),
            outside,
            around,
            before,
            changed,
            nodes: Vec::new(),
            ended,
        });
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

    /// What a branch to a construct brings for a variable that changed somewhere in the construct.
    fn brought(&self, frame: &Frame, branch: &Branch, local: u32) -> Option<Value> {
        // A loop that was open may have turned out to have a parameter for it since: then nothing inside that loop had touched it before the
        // branch, and what was saved is the value from outside.
        let mut around = branch.around;
        while let Some(at) = around
            && around != frame.around
        {
            match self.loops[at].params.get(&local) {
                Some(join) if *join >= branch.joins => return Some(self.joins[*join].target),
                Some(_) => break,
                None => around = self.loops[at].parent,
            }
        }
        if let Ok(at) = branch.changed.binary_search_by_key(&local, |(local, _)| *local) {
            return branch.changed[at].1;
        }
        frame.before.get(&local).copied().flatten()
    }

    /// Tells the construct around a closed one which variables may have changed.
    fn leave(&mut self, closed: &Frame) {
        if self.frames.len() > 1
            && let Some(outer) = self.frames.last_mut()
        {
            for (local, before) in &closed.before {
                outer.before.entry(*local).or_insert(*before);
            }
        }
    }

    /// Completes the joins of a loop with what the branches to its label bring, and gives its parameters.
    fn join_iterations(&mut self, at: usize, frame: &Frame) -> Vec<Value> {
        if !self.charge(self.loops[at].params.len() * frame.branches.len()) {
            return Vec::new();
        }
        let params: Vec<(u32, usize)> = self.loops[at].params.iter().map(|(local, join)| (*local, *join)).collect();
        for (local, join) in &params {
            for branch in &frame.branches {
                let value = self.brought(frame, branch, *local);
                self.joins[*join].incoming.push((Edge::Branch(branch.number), value));
            }
        }
        params.into_iter().map(|(_, join)| self.joins[join].target).collect()
    }

    /// Merges what the branches to a construct's end bring, and gives the construct's results.
    fn join(&mut self, frame: &Frame) -> Vec<Value> {
        let mut results = Vec::new();
        if frame.branches.is_empty() || !self.charge(frame.before.len() * frame.branches.len()) {
            return results;
        }
        for (&local, &before) in &frame.before {
            let brought = |branch: &Branch| (Edge::Branch(branch.number), self.brought(frame, branch, local));
            let incoming: Vec<(Edge, Option<Value>)> = frame.branches.iter().map(brought).collect();
            let first = incoming[0].1;
            let inside = first.is_some_and(|value| self.ages[value.index()] >= frame.outside && !self.fixed.contains(&value));
            let mut merged = first;
            if inside || incoming.iter().any(|(_, value)| *value != first) {
                let target = self.new_value(self.locals[local as usize]);
                self.joins.push(Join { local, target, label: frame.label, incoming, outside: frame.outside });
                results.push(target);
                merged = Some(target);
            }
            if merged != before {
                self.change(local, merged);
            }
        }
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
        self.ages.push(self.clock);
        self.clock += 1;
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
