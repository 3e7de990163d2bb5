//! Branches that carry values, as structured languages have them: `if`, `switch`, loops with `break` and `continue`, and variables.
//!
//! A branch of a Program goes to any enclosing construct. Where it goes to where its region's end leads anyway, nothing is written. Else it is a
//! `break` or `continue` of the innermost loop or switch. Where neither will do, a construct that something leaves early becomes a loop that runs once, and a
//! branch past several loops sets a flag, breaks, and breaks again where the flag is set. So nothing is ever written twice, and the size of what comes out
//! is linear in the function's.

use gpuproof_program::{Function, Instruction, Label, Node, Origin, Value};
use std::collections::{HashMap, HashSet};

/// A variable that says that a branch goes past the loop that it broke out of. False at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flag(pub u32);

/// A sequence of statements.
pub type Body<'p> = Vec<Statement<'p>>;

/// What decides an `if`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A value of one bit.
    Value(Value),
    /// A flag.
    Flag(Flag),
}

/// One arm of a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm<'p> {
    /// The selectors that enter it.
    pub selectors: &'p [u32],
    /// Whether all others enter it too.
    pub is_default: bool,
    /// What it does. Its end leaves the switch.
    pub body: Body<'p>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement<'p> {
    /// An operation.
    Op(&'p Instruction),
    /// Sets variables, all at once: each stands for a result or parameter of a construct.
    Assign(Vec<(Value, Value)>),
    /// From here on these values are what their variables hold now.
    Read(&'p [Value]),
    /// Runs one of two bodies.
    If {
        /// Which.
        condition: Condition,
        /// Where it holds.
        then: Body<'p>,
        /// Where it does not.
        otherwise: Body<'p>,
        /// The source place of the decision.
        origin: Origin,
    },
    /// Runs a body again and again, until it breaks. The end of the body is a `continue`, or a `break` where it runs `once`.
    Loop {
        /// Whether it is only there to be left early.
        once: bool,
        /// What it does.
        body: Body<'p>,
        /// The source place of the loop.
        origin: Origin,
    },
    /// Runs the arm that the selector enters.
    Switch {
        /// A word.
        selector: Value,
        /// The arms in order.
        arms: Vec<Arm<'p>>,
        /// The source place of the decision.
        origin: Origin,
    },
    /// Leaves the innermost loop or switch.
    Break,
    /// Begins the next iteration of the innermost loop.
    Continue,
    /// Goes on with the arm after this one.
    FallThrough,
    /// Sets a flag to this.
    Set(Flag, bool),
    /// Leaves the function with these values.
    Return(&'p [Value]),
}

/// A function's body in structured form.
#[derive(Clone, Debug, PartialEq)]
pub struct Structured<'p> {
    /// What it does.
    pub body: Body<'p>,
    /// The values that are variables, in the order in which they are first seen.
    pub variables: Vec<Value>,
    /// How many flags there are.
    pub flags: u32,
}

/// What a `break` leaves.
struct Frame {
    kind: Kind,
    /// The labels whose end is reached where this is left.
    exits: Vec<Label>,
    /// The branches that go past it, each with its flag.
    past: Vec<(Label, Flag)>,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Loop(Label),
    Once,
    Switch,
}

struct Writer {
    frames: Vec<Frame>,
    /// Constructs that become loops that run once.
    left_early: HashSet<Label>,
    /// More of them, found on the way.
    more: HashSet<Label>,
    /// A branch that cannot be written.
    stray: Option<Label>,
    /// What branches to each construct set.
    targets: HashMap<Label, Vec<Value>>,
    variables: Vec<Value>,
    flags: u32,
    /// The label of the arm after the one at hand.
    next_arm: Vec<Option<Label>>,
}

/// Brings a function into structured form.
///
/// # Errors
/// For an arm of a switch that falls through from inside a loop: the label of the next arm.
pub fn structure(function: &Function) -> Result<Structured<'_>, Label> {
    let mut left_early = HashSet::new();
    loop {
        let mut writer = Writer {
            frames: Vec::new(),
            left_early: std::mem::take(&mut left_early),
            more: HashSet::new(),
            stray: None,
            targets: HashMap::new(),
            variables: Vec::new(),
            flags: 0,
            next_arm: Vec::new(),
        };
        let body = writer.region(&function.body, &[]);
        if let Some(label) = writer.stray {
            return Err(label);
        }
        if writer.more.is_empty() {
            return Ok(Structured { body, variables: writer.variables, flags: writer.flags });
        }
        left_early = writer.left_early;
        left_early.extend(writer.more);
    }
}

/// The labels whose end is reached after a construct with this label, with these nodes behind it in a region whose end leads to `next`.
fn after(rest: &[Node], label: Option<Label>, next: &[Label]) -> Vec<Label> {
    let mut all: Vec<Label> = label.into_iter().collect();
    match rest {
        [Node::Br { target, values }] if values.is_empty() => {
            all.push(*target);
            if next.contains(target) {
                all.extend(next);
            }
        }
        // No lane comes here but those that may as well go on to the region's end.
        [Node::Unreachable] => all.extend(next),
        _ => {}
    }
    all
}

impl Writer {
    fn declare(&mut self, label: Label, values: &[Value]) {
        self.targets.insert(label, values.to_vec());
        self.variables.extend(values);
    }

    /// The statements of a region whose end leads to the ends of `next`.
    fn region<'p>(&mut self, nodes: &'p [Node], next: &[Label]) -> Body<'p> {
        let mut body = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let rest = &nodes[at + 1..];
            match node {
                Node::Op(instruction) => body.push(Statement::Op(instruction)),
                Node::Block { label, results, body: inner } => {
                    self.declare(*label, results);
                    let after = after(rest, Some(*label), next);
                    self.maybe_once(*label, after, Origin::NONE, &mut body, |this, after| this.region(inner, after));
                    read(&mut body, results);
                }
                Node::If { label, condition, results, then, otherwise, origin } => {
                    self.declare(*label, results);
                    let after = after(rest, Some(*label), next);
                    self.maybe_once(*label, after, *origin, &mut body, |this, after| {
                        let (then, otherwise) = (this.region(then, after), this.region(otherwise, after));
                        vec![Statement::If { condition: Condition::Value(*condition), then, otherwise, origin: *origin }]
                    });
                    read(&mut body, results);
                }
                Node::Switch { label, selector, results, arms, origin } => {
                    self.declare(*label, results);
                    let mut entering = Vec::new();
                    for arm in arms {
                        self.declare(arm.label, &arm.params);
                        entering.extend(arm.params.iter().copied().zip(arm.initial.iter().copied()));
                    }
                    assign(&mut body, entering);
                    let after = after(rest, Some(*label), next);
                    self.framed(Kind::Switch, after, &mut body, |this, after| {
                        let mut written = Vec::new();
                        for (at, arm) in arms.iter().enumerate() {
                            this.next_arm.push(arms.get(at + 1).map(|arm| arm.label));
                            let mut inner = Vec::new();
                            read(&mut inner, &arm.params);
                            inner.extend(this.region(&arm.body, after));
                            this.next_arm.pop();
                            written.push(Arm { selectors: &arm.selectors, is_default: arm.is_default, body: inner });
                        }
                        Statement::Switch { selector: *selector, arms: written, origin: *origin }
                    });
                    read(&mut body, results);
                }
                Node::Loop { label, initial, params, body: inner, origin } => {
                    self.declare(*label, params);
                    assign(&mut body, params.iter().copied().zip(initial.iter().copied()).collect());
                    let after = after(rest, None, next);
                    self.framed(Kind::Loop(*label), after, &mut body, |this, _| {
                        let mut written = Vec::new();
                        read(&mut written, params);
                        written.extend(this.region(inner, &[*label]));
                        Statement::Loop { once: false, body: written, origin: *origin }
                    });
                }
                Node::Br { target, values } => {
                    let variables = self.targets.get(target).cloned().unwrap_or_default();
                    assign(&mut body, variables.into_iter().zip(values.iter().copied()).collect());
                    self.jump(*target, next, &mut body);
                }
                Node::Return { values } => body.push(Statement::Return(values)),
                Node::Unreachable => {}
            }
        }
        body
    }

    /// Writes a construct, as a loop that runs once where something leaves it early.
    fn maybe_once<'p>(
        &mut self,
        label: Label,
        after: Vec<Label>,
        origin: Origin,
        body: &mut Body<'p>,
        inner: impl FnOnce(&mut Writer, &[Label]) -> Body<'p>,
    ) {
        if self.left_early.contains(&label) {
            self.framed(Kind::Once, after, body, |this, after| Statement::Loop { once: true, body: inner(this, after), origin });
        } else {
            body.extend(inner(self, &after));
        }
    }

    /// Writes what a `break` may leave, and after it the branches that go further.
    fn framed<'p>(
        &mut self,
        kind: Kind,
        exits: Vec<Label>,
        body: &mut Body<'p>,
        inner: impl FnOnce(&mut Writer, &[Label]) -> Statement<'p>,
    ) {
        self.frames.push(Frame { kind, exits: exits.clone(), past: Vec::new() });
        let statement = inner(self, &exits);
        let past = self.frames.pop().map(|frame| frame.past).unwrap_or_default();
        body.extend(past.iter().map(|(_, flag)| Statement::Set(*flag, false)));
        body.push(statement);
        for (target, flag) in past {
            let mut then = Vec::new();
            self.jump(target, &[], &mut then);
            body.push(Statement::If { condition: Condition::Flag(flag), then, otherwise: Vec::new(), origin: Origin::NONE });
        }
    }

    fn jump<'p>(&mut self, target: Label, next: &[Label], body: &mut Body<'p>) {
        if next.contains(&target) {
            return;
        }
        if self.next_arm.last() == Some(&Some(target)) && self.frames.last().is_some_and(|frame| frame.kind == Kind::Switch) {
            body.push(Statement::FallThrough);
            return;
        }
        let innermost_loop = self.frames.iter().rev().find(|frame| frame.kind != Kind::Switch);
        if innermost_loop.is_some_and(|frame| frame.kind == Kind::Loop(target)) {
            body.push(Statement::Continue);
            return;
        }
        if self.frames.last().is_some_and(|frame| frame.exits.contains(&target)) {
            body.push(Statement::Break);
            return;
        }
        let reaches = |frame: &Frame| frame.exits.contains(&target) || frame.kind == Kind::Loop(target);
        if !self.frames.iter().any(reaches) {
            if self.left_early.contains(&target) {
                self.stray = Some(target);
            }
            self.more.insert(target);
            return;
        }
        let fresh = Flag(self.flags);
        let Some(frame) = self.frames.last_mut() else { return };
        let flag = match frame.past.iter().find(|(past, _)| *past == target) {
            Some((_, flag)) => *flag,
            None => {
                frame.past.push((target, fresh));
                self.flags += 1;
                fresh
            }
        };
        body.push(Statement::Set(flag, true));
        body.push(Statement::Break);
    }
}

fn read<'p>(body: &mut Body<'p>, values: &'p [Value]) {
    if !values.is_empty() {
        body.push(Statement::Read(values));
    }
}

fn assign(body: &mut Body<'_>, pairs: Vec<(Value, Value)>) {
    if !pairs.is_empty() {
        body.push(Statement::Assign(pairs));
    }
}
