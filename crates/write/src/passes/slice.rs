//! What of a function an output depends on: by data, by memory, and by the decisions that lead to it.

use gpuproof_program::{Class, Function, Instruction, Label, Node, Op, Region, Target, Value};
use std::collections::{HashMap, HashSet};

/// A memory that a load may read what a store wrote.
type Memory = Target;

fn memory(instruction: &Instruction) -> Option<Memory> {
    match instruction.attrs.target {
        target @ (Target::Array(_) | Target::Shared(_) | Target::Resource(_)) => Some(target),
        Target::Sampled(resource, _) => Some(Target::Resource(resource)),
        _ => None,
    }
}

/// Whether an operation only asks for a size.
fn is_query(op: Op) -> bool {
    matches!(op, Op::BufferSize | Op::TextureSize | Op::TextureSamples | Op::TextureSamplePosition)
}

/// The part of a function that what `is_root` names depends on. Demotions are always part of it, and barriers where memory that lanes share is.
pub fn slice(function: &Function, is_root: &dyn Fn(&Instruction) -> bool) -> Function {
    let mut slicer = Slicer {
        is_root,
        live: vec![false; function.values.len()],
        targets: HashMap::new(),
        escapes: HashMap::new(),
        kept: HashSet::new(),
        read: HashSet::new(),
        changed: false,
    };
    slicer.collect(&function.body);
    loop {
        slicer.changed = false;
        slicer.region(&function.body);
        if !slicer.changed {
            break;
        }
    }
    Function { body: slicer.prune(&function.body), ..function.clone() }
}

/// How many operations a function has, constants apart.
pub fn operations(function: &Function) -> usize {
    let mut count = 0;
    gpuproof_program::walk(&function.body, &mut |node| {
        count += usize::from(matches!(node, Node::Op(instruction) if !matches!(instruction.op, Op::Const | Op::Undef)));
    });
    count
}

/// Where branches out of a construct go.
#[derive(Clone, Debug, Default)]
struct Escapes {
    labels: HashSet<Label>,
    returns: bool,
}

struct Slicer<'a> {
    is_root: &'a dyn Fn(&Instruction) -> bool,
    live: Vec<bool>,
    /// The results or parameters that branches to a label give values to.
    targets: HashMap<Label, Vec<Value>>,
    escapes: HashMap<Label, Escapes>,
    kept: HashSet<Label>,
    /// Memories that something live reads.
    read: HashSet<Memory>,
    changed: bool,
}

impl Slicer<'_> {
    fn collect(&mut self, region: &Region) -> Escapes {
        let mut all = Escapes::default();
        for node in region {
            match node {
                Node::Br { target, .. } => _ = all.labels.insert(*target),
                Node::Return { .. } => all.returns = true,
                Node::Op(_) | Node::Unreachable => {}
                Node::Block { label, results, .. }
                | Node::If { label, results, .. }
                | Node::Switch { label, results, .. }
                | Node::Loop { label, params: results, .. } => {
                    self.targets.insert(*label, results.clone());
                    let mut inner = Escapes::default();
                    let mut arms = Vec::new();
                    if let Node::Switch { arms: all, .. } = node {
                        for arm in all {
                            self.targets.insert(arm.label, arm.params.clone());
                            arms.push(arm.label);
                        }
                    }
                    for region in node.regions() {
                        let found = self.collect(region);
                        inner.labels.extend(found.labels);
                        inner.returns |= found.returns;
                    }
                    inner.labels.remove(label);
                    arms.iter().for_each(|arm| _ = inner.labels.remove(arm));
                    all.labels.extend(&inner.labels);
                    all.returns |= inner.returns;
                    self.escapes.insert(*label, inner);
                }
            }
        }
        all
    }

    fn mark(&mut self, values: &[Value]) {
        for value in values {
            let live = &mut self.live[value.index()];
            self.changed |= !*live;
            *live = true;
        }
    }

    fn any_live(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.live[value.index()])
    }

    /// Whether an operation stays.
    fn stays(&self, instruction: &Instruction) -> bool {
        let op = instruction.op;
        if (self.is_root)(instruction) || op == Op::Demote || self.any_live(&instruction.results) {
            return true;
        }
        match op {
            Op::Barrier => self.read.iter().any(|memory| !matches!(memory, Target::Array(_))),
            _ => op.row().class == Class::Writes && memory(instruction).is_some_and(|memory| self.read.contains(&memory)),
        }
    }

    /// Marks what a region needs, from its end. Whether it has an effect.
    fn region(&mut self, region: &Region) -> bool {
        let mut strong = false;
        for node in region.iter().rev() {
            strong |= self.node(node);
        }
        strong
    }

    fn node(&mut self, node: &Node) -> bool {
        match node {
            Node::Op(instruction) => {
                if !self.stays(instruction) {
                    return false;
                }
                self.mark(&instruction.args);
                let writes = instruction.op.row().class == Class::Writes;
                let reads = !is_query(instruction.op) && (!writes || !instruction.results.is_empty());
                if let (true, Some(memory)) = (reads, memory(instruction)) {
                    self.changed |= self.read.insert(memory);
                }
                writes
            }
            Node::Br { target, values } => {
                let to = self.targets.get(target).cloned().unwrap_or_default();
                self.carry(&to, values);
                false
            }
            Node::Return { .. } | Node::Unreachable => false,
            Node::Block { label, results, .. }
            | Node::If { label, results, .. }
            | Node::Switch { label, results, .. }
            | Node::Loop { label, params: results, .. } => {
                let mut strong = false;
                for region in node.regions() {
                    strong |= self.region(region);
                }
                let escapes = &self.escapes[label];
                let leads = escapes.returns || escapes.labels.iter().any(|label| self.kept.contains(label));
                let wanted = !matches!(node, Node::Loop { .. }) && self.any_live(results);
                if !(strong || leads || wanted) {
                    return false;
                }
                self.changed |= self.kept.insert(*label);
                match node {
                    Node::If { condition, .. } => self.mark(&[*condition]),
                    Node::Switch { selector, arms, .. } => {
                        self.mark(&[*selector]);
                        for arm in arms {
                            self.carry(&arm.params, &arm.initial);
                        }
                    }
                    Node::Loop { initial, params, .. } => self.carry(params, initial),
                    _ => {}
                }
                strong
            }
        }
    }

    fn carry(&mut self, to: &[Value], from: &[Value]) {
        for (to, from) in to.iter().zip(from) {
            if self.live[to.index()] {
                self.mark(&[*from]);
            }
        }
    }

    /// Those values whose targets are live.
    fn carried(&self, to: &[Value], from: &[Value]) -> Vec<Value> {
        to.iter().zip(from).filter(|(to, _)| self.live[to.index()]).map(|(_, from)| *from).collect()
    }

    fn lively(&self, values: &[Value]) -> Vec<Value> {
        values.iter().copied().filter(|value| self.live[value.index()]).collect()
    }

    fn prune(&self, region: &Region) -> Region {
        let mut pruned = Region::new();
        for node in region {
            let label = match node {
                Node::Block { label, .. } | Node::If { label, .. } | Node::Switch { label, .. } | Node::Loop { label, .. } => {
                    label
                }
                Node::Op(instruction) => {
                    if self.stays(instruction) {
                        pruned.push(node.clone());
                    }
                    continue;
                }
                Node::Br { target, values } => {
                    let to = self.targets.get(target).map_or(&[][..], |to| to);
                    pruned.push(Node::Br { target: *target, values: self.carried(to, values) });
                    continue;
                }
                Node::Return { .. } | Node::Unreachable => {
                    pruned.push(node.clone());
                    continue;
                }
            };
            if self.kept.contains(label) {
                pruned.push(self.pruned(node));
            }
        }
        pruned
    }

    fn pruned(&self, node: &Node) -> Node {
        let mut node = node.clone();
        match &mut node {
            Node::Block { results, body, .. } => {
                *results = self.lively(results);
                *body = self.prune(body);
            }
            Node::If { results, then, otherwise, .. } => {
                *results = self.lively(results);
                (*then, *otherwise) = (self.prune(then), self.prune(otherwise));
            }
            Node::Switch { results, arms, .. } => {
                *results = self.lively(results);
                for arm in arms {
                    arm.initial = self.carried(&arm.params, &arm.initial);
                    arm.params = self.lively(&arm.params);
                    arm.body = self.prune(&arm.body);
                }
            }
            Node::Loop { initial, params, body, .. } => {
                *initial = self.carried(params, initial);
                *params = self.lively(params);
                *body = self.prune(body);
            }
            _ => {}
        }
        node
    }
}
