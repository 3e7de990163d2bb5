//! Which values are the same on lanes that belong together, and where such lanes go different ways.
//!
//! Lanes part at a decision whose condition differs among them and meet at its end; lanes that have left by a branch further out, or returned,
//! are missing until the end of the construct that they went to. A value that joins what parted lanes bring differs among them.

use gpuproof_program::{Access, Class, FunctionId, Instruction, Label, Node, Op, Origin, Program, Region, Scope, Target, Value};
use std::collections::{BTreeSet, HashMap};

/// What differs among lanes that belong together.
pub(super) struct Uniformity<'a> {
    program: &'a Program,
    /// Whether an input's component differs.
    input: &'a dyn Fn(gpuproof_program::InputId, u8) -> bool,
    /// For each value whether it may differ.
    pub varying: Vec<Vec<bool>>,
    returned: Vec<Vec<bool>>,
    arrays: Vec<bool>,
    /// The loops that lanes leave apart from others, with the decision at which they part.
    left: HashMap<(FunctionId, Label), Origin>,
    /// What was walked in this round: functions, with lanes parted or not.
    walked: BTreeSet<(FunctionId, bool)>,
    changed: bool,
}

/// Where lanes have parted: the decision.
pub(super) type Parted = Option<Origin>;

/// A construct that is open, and the first decision since it opened at which lanes parted.
#[derive(Clone, Copy)]
struct Open {
    label: Option<Label>,
    parted: Parted,
}

/// Where lanes that parted have gone to.
#[derive(Clone, Default)]
struct Gone(BTreeSet<Option<Label>>);

impl<'a> Uniformity<'a> {
    /// Finds what differs, given which inputs do.
    pub fn of(program: &'a Program, input: &'a dyn Fn(gpuproof_program::InputId, u8) -> bool) -> Uniformity<'a> {
        let mut this = Uniformity {
            program,
            input,
            varying: program.functions.iter().map(|function| vec![false; function.values.len()]).collect(),
            returned: program.functions.iter().map(|function| vec![false; function.results.len()]).collect(),
            arrays: vec![false; program.arrays.len()],
            left: HashMap::new(),
            walked: BTreeSet::new(),
            changed: true,
        };
        while std::mem::take(&mut this.changed) {
            this.walk(&mut |_, _, _| {});
        }
        this
    }

    /// Visits every operation, with the decision at which the lanes that run together parted before it, if they did.
    pub fn visit(&mut self, visit: &mut dyn FnMut(FunctionId, &Instruction, Parted)) {
        self.walk(visit);
    }

    fn walk(&mut self, visit: &mut dyn FnMut(FunctionId, &Instruction, Parted)) {
        self.walked.clear();
        self.function(self.program.entry, None, visit);
    }

    fn function(&mut self, id: FunctionId, parted: Parted, visit: &mut dyn FnMut(FunctionId, &Instruction, Parted)) {
        if !self.walked.insert((id, parted.is_some())) {
            return;
        }
        let function = self.program.function(id);
        let (mut joins, mut branches) = (HashMap::new(), HashMap::new());
        targets(&function.body, &mut joins, &mut branches);
        let mut loops = BTreeSet::new();
        gpuproof_program::walk(&function.body, &mut |node| {
            if let Node::Loop { label, .. } = node {
                loops.insert(*label);
            }
        });
        let mut walk = Walk { id, joins, branches, loops, open: vec![Open { label: None, parted: None }], outside: parted };
        walk.region(self, &function.body, visit);
    }

    fn set(&mut self, id: FunctionId, value: Value, varying: bool) {
        let slot = &mut self.varying[id.index()][value.index()];
        self.changed |= varying && !*slot;
        *slot |= varying;
    }

    fn is(&self, id: FunctionId, value: Value) -> bool {
        self.varying[id.index()][value.index()]
    }

    /// Whether the results of an operation may differ, calls apart.
    fn results_vary(&self, id: FunctionId, instruction: &Instruction) -> bool {
        let args = instruction.args.iter().any(|arg| self.is(id, *arg));
        let row = instruction.op.row();
        match (instruction.op, instruction.attrs.target) {
            (Op::Input | Op::InputAt, Target::Input(input, component)) => args || (self.input)(input, component),
            (Op::IsHelper | Op::WaveElect, _) => true,
            (Op::ArrayLoad, Target::Array(array)) => args || self.arrays[array.index()],
            (_, Target::Resource(resource) | Target::Sampled(resource, _)) if row.class == Class::Reads => {
                args || self.program.interface.resource(resource).access != Access::Read
            }
            (Op::SharedLoad, _) => true,
            _ if row.class == Class::Writes => true,
            // What lanes of a wave or quad make together is taken as differing.
            _ if row.scope != Scope::Lane && row.class == Class::Pure => true,
            _ => args,
        }
    }
}

/// The values that branches to each label bring to, and how many branches there are.
fn targets<'p>(region: &'p Region, joins: &mut HashMap<Label, &'p [Value]>, branches: &mut HashMap<Label, usize>) {
    for node in region {
        match node {
            Node::Block { label, results, .. } | Node::If { label, results, .. } => _ = joins.insert(*label, results),
            Node::Loop { label, params, .. } => _ = joins.insert(*label, params),
            Node::Switch { label, results, arms, .. } => {
                joins.insert(*label, results);
                joins.extend(arms.iter().map(|arm| (arm.label, &arm.params[..])));
            }
            Node::Br { target, .. } => *branches.entry(*target).or_default() += 1,
            _ => {}
        }
        node.regions().into_iter().for_each(|inner| targets(inner, joins, branches));
    }
}

/// A walk through a function's body.
struct Walk<'p> {
    id: FunctionId,
    joins: HashMap<Label, &'p [Value]>,
    branches: HashMap<Label, usize>,
    loops: BTreeSet<Label>,
    open: Vec<Open>,
    /// The decision outside the function.
    outside: Parted,
}

impl Walk<'_> {
    fn parted(&self) -> Parted {
        self.open.iter().rev().find_map(|open| open.parted).or(self.outside)
    }

    /// Walks a region; gives where lanes went that parted from others inside it.
    fn region(
        &mut self,
        u: &mut Uniformity<'_>,
        region: &Region,
        visit: &mut dyn FnMut(FunctionId, &Instruction, Parted),
    ) -> Gone {
        let mut gone = Gone::default();
        for node in region {
            let (left, decision) = self.node(u, node, visit);
            // Behind a construct that some lanes have left for further out, the others go on alone.
            if !left.0.is_empty()
                && let Some(open) = self.open.last_mut()
            {
                open.parted = open.parted.or(decision);
            }
            gone.0.extend(left.0);
        }
        gone
    }

    /// A region with a label of its own, in which lanes have parted at a decision or not.
    fn inside(
        &mut self,
        u: &mut Uniformity<'_>,
        (label, parted): (Option<Label>, Parted),
        region: &Region,
        visit: &mut dyn FnMut(FunctionId, &Instruction, Parted),
    ) -> (Gone, Parted) {
        self.open.push(Open { label, parted });
        let gone = self.region(u, region, visit);
        let last = self.open.pop().and_then(|open| open.parted);
        (gone, last)
    }

    fn node(
        &mut self,
        u: &mut Uniformity<'_>,
        node: &Node,
        visit: &mut dyn FnMut(FunctionId, &Instruction, Parted),
    ) -> (Gone, Parted) {
        let id = self.id;
        match node {
            Node::Op(instruction) => {
                self.operation(u, instruction, visit);
                (Gone::default(), None)
            }
            Node::Block { label, body, .. } => {
                let (mut gone, parted) = self.inside(u, (Some(*label), None), body, visit);
                gone.0.remove(&Some(*label));
                (gone, parted)
            }
            Node::If { label, condition, then, otherwise, origin, .. } => {
                let parted = u.is(id, *condition).then_some(*origin);
                let (mut gone, first) = self.inside(u, (Some(*label), parted), then, visit);
                let (more, second) = self.inside(u, (Some(*label), parted), otherwise, visit);
                gone.0.extend(more.0);
                gone.0.remove(&Some(*label));
                (gone, parted.or(first).or(second))
            }
            Node::Switch { label, selector, arms, origin, .. } => {
                let parted = u.is(id, *selector).then_some(*origin);
                let (mut gone, mut last) = (Gone::default(), parted);
                for arm in arms {
                    arm.params.iter().for_each(|param| {
                        let varying = parted.is_some() || arm.initial.iter().any(|value| u.is(id, *value));
                        u.set(id, *param, varying);
                    });
                    let (more, parted) = self.inside(u, (Some(*label), parted), &arm.body, visit);
                    gone.0.extend(more.0);
                    last = last.or(parted);
                }
                arms.iter().for_each(|arm| _ = gone.0.remove(&Some(arm.label)));
                gone.0.remove(&Some(*label));
                (gone, last)
            }
            Node::Loop { label, initial, params, body, .. } => {
                for (param, value) in params.iter().zip(initial) {
                    let varying = u.is(id, *value);
                    u.set(id, *param, varying);
                }
                // Lanes that have left are missing in later rounds, from the start of the body on.
                let again = u.left.get(&(id, *label)).copied();
                let (mut gone, last) = self.inside(u, (Some(*label), again), body, visit);
                if again.is_none()
                    && gone.0.iter().any(|target| *target != Some(*label))
                    && let Some(decision) = last
                {
                    u.left.insert((id, *label), decision);
                    u.changed = true;
                }
                gone.0.remove(&Some(*label));
                (gone, last)
            }
            Node::Br { target, values } => {
                // The next arm of a switch is no open construct: whatever parted lanes in this function counts.
                let to = self.open.iter().rposition(|open| open.label == Some(*target)).unwrap_or(0);
                let parted = self.open[to..].iter().find_map(|open| open.parted);
                // All lanes that go round a loop by its only branch are in the same round.
                let is_round = self.loops.contains(target) && self.branches.get(target) == Some(&1);
                if let Some(results) = self.joins.get(target).copied() {
                    for (result, value) in results.iter().zip(values) {
                        let varying = u.is(id, *value) || parted.is_some() && !is_round;
                        u.set(id, *result, varying);
                    }
                }
                match parted {
                    Some(_) => (Gone(BTreeSet::from([Some(*target)])), parted),
                    None => (Gone::default(), None),
                }
            }
            Node::Return { values } => {
                let parted = self.open.iter().find_map(|open| open.parted);
                for (at, value) in values.iter().enumerate() {
                    let varying = u.is(id, *value) || parted.is_some();
                    u.changed |= varying && !u.returned[id.index()][at];
                    u.returned[id.index()][at] |= varying;
                }
                match parted {
                    Some(_) => (Gone(BTreeSet::from([None])), parted),
                    None => (Gone::default(), None),
                }
            }
            Node::Unreachable => (Gone::default(), None),
        }
    }

    fn operation(
        &mut self,
        u: &mut Uniformity<'_>,
        instruction: &Instruction,
        visit: &mut dyn FnMut(FunctionId, &Instruction, Parted),
    ) {
        let (id, parted) = (self.id, self.parted());
        visit(id, instruction, parted);
        match (instruction.op, instruction.attrs.target) {
            (Op::Call, Target::Function(callee)) => {
                let params = &u.program.function(callee).params;
                for (param, arg) in params.iter().zip(&instruction.args) {
                    let varying = u.is(id, *arg);
                    u.set(callee, *param, varying);
                }
                u.function(callee, parted, visit);
                for (at, result) in instruction.results.iter().enumerate() {
                    let varying = u.returned[callee.index()][at];
                    u.set(id, *result, varying);
                }
            }
            (Op::ArrayStore, Target::Array(array)) => {
                let varying = parted.is_some() || instruction.args.iter().any(|arg| u.is(id, *arg));
                u.changed |= varying && !u.arrays[array.index()];
                u.arrays[array.index()] |= varying;
            }
            _ => {
                let varying = u.results_vary(id, instruction);
                instruction.results.iter().for_each(|result| u.set(id, *result, varying));
            }
        }
    }
}
