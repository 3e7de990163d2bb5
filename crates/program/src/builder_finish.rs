//! The last pass over a built function: drops joins that bring one value only or that nothing uses, fills in what branches
//! carry, and numbers values in order of definition.

use super::{Edge, FunctionBuilder, Join};
use crate::function::*;
use std::collections::{HashMap, HashSet};

pub(super) fn finish(mut builder: FunctionBuilder, body: Region) -> Function {
    if builder.refusal.is_some() {
        let params = (0..builder.params.len() as u32).map(Value).collect();
        let values = builder.params.iter().map(|param| builder.values[param.index()]).collect();
        return Function { name: builder.name, params, results: builder.results, values, body: Vec::new() };
    }
    let missing: Vec<(usize, usize, u32)> = builder
        .joins
        .iter()
        .enumerate()
        .flat_map(|(at, join)| {
            let missing = join.incoming.iter().enumerate().filter(|(_, (_, value))| value.is_none());
            missing.map(move |(edge, _)| (at, edge, join.local))
        })
        .collect();
    for (join, edge, local) in missing {
        builder.joins[join].incoming[edge].1 = Some(builder.unset(local));
    }

    let mut whole = std::mem::take(&mut builder.prologue);
    whole.extend(body);
    let renamed = trivial(&builder.joins, &builder.ages, &builder.fixed);
    let live = live_joins(&builder.joins, &renamed, &whole);

    let mut joins: HashMap<Label, Vec<&Join>> = HashMap::new();
    for join in &builder.joins {
        if live.contains(&join.target) {
            joins.entry(join.label).or_default().push(join);
        }
    }
    // In the order of declaration, whichever the source touches first.
    joins.values_mut().for_each(|joins| joins.sort_by_key(|join| join.local));
    let mut edges = HashMap::new();
    for join in joins.values().filter_map(|joins| joins.first()) {
        edges.extend(join.incoming.iter().enumerate().map(|(at, (edge, _))| ((join.label, *edge), at)));
    }
    let mut rewriter = Rewriter { joins, edges, renamed, numbers: HashMap::new(), widths: &builder.values, values: Vec::new() };
    let params = builder.params.iter().map(|value| rewriter.define(*value)).collect();
    let mut used = HashSet::new();
    walk(&whole, &mut |node| each_use(node, &mut |value| _ = used.insert(rewriter.resolve(value))));
    for join in rewriter.joins.values().flatten() {
        used.extend(join.incoming.iter().filter_map(|(_, value)| *value).map(|value| rewriter.resolve(value)));
    }
    // Constants and `undef` that only dropped joins asked for.
    whole.retain(|node| match node {
        Node::Op(op) if builder.fixed.contains(op.results.first().unwrap_or(&Value(u32::MAX))) => used.contains(&op.results[0]),
        _ => true,
    });
    let body = rewriter.region(whole);
    Function { name: builder.name, params, results: builder.results, values: rewriter.values, body }
}

/// What stands for each value: itself, or another one for a join that is dropped.
struct Renamed(Vec<Value>);

impl Renamed {
    fn resolve(&self, mut value: Value) -> Value {
        while self.0[value.index()] != value {
            value = self.0[value.index()];
        }
        value
    }
}

/// Drops the joins to which every edge brings the same value, one that is visible outside.
fn trivial(joins: &[Join], ages: &[u32], fixed: &HashSet<Value>) -> Renamed {
    let mut renamed = Renamed((0..ages.len() as u32).map(Value).collect());
    // For each value the joins that it comes to, by itself or in the place of others.
    let mut users: HashMap<Value, Vec<usize>> = HashMap::new();
    for (at, join) in joins.iter().enumerate() {
        for value in join.incoming.iter().filter_map(|(_, value)| *value) {
            users.entry(value).or_default().push(at);
        }
    }
    let mut pending: Vec<usize> = (0..joins.len()).rev().collect();
    while let Some(at) = pending.pop() {
        let join = &joins[at];
        if renamed.0[join.target.index()] != join.target {
            continue;
        }
        let mut incoming = join.incoming.iter().filter_map(|(_, value)| *value).map(|value| renamed.resolve(value));
        let Some(first) = incoming.find(|value| *value != join.target) else { continue };
        let visible = ages[first.index()] < join.outside || fixed.contains(&first);
        if visible && incoming.all(|value| value == first || value == join.target) {
            renamed.0[join.target.index()] = first;
            let moved = users.remove(&join.target).unwrap_or_default();
            pending.extend(&moved);
            users.entry(first).or_default().extend(moved);
        }
    }
    // Values stand for older values or fixed ones, which stand for themselves.
    for at in 0..ages.len() {
        renamed.0[at] = renamed.resolve(Value(at as u32));
    }
    renamed
}

/// The joins whose value reaches an operation, a decision or a return.
fn live_joins(joins: &[Join], renamed: &Renamed, body: &Region) -> HashSet<Value> {
    let by_target: HashMap<Value, &Join> = joins.iter().map(|join| (join.target, join)).collect();
    let mut pending = Vec::new();
    walk(body, &mut |node| each_use(node, &mut |value| pending.push(value)));
    let mut live = HashSet::new();
    while let Some(value) = pending.pop() {
        let value = renamed.resolve(value);
        if let Some(join) = by_target.get(&value)
            && live.insert(value)
        {
            pending.extend(join.incoming.iter().filter_map(|(_, value)| *value));
        }
    }
    live
}

/// The values that a node itself uses, without what branches carry.
fn each_use(node: &Node, visit: &mut dyn FnMut(Value)) {
    match node {
        Node::Op(op) => op.args.iter().for_each(|value| visit(*value)),
        Node::If { condition, .. } => visit(*condition),
        Node::Switch { selector, .. } => visit(*selector),
        Node::Return { values } => values.iter().for_each(|value| visit(*value)),
        Node::Block { .. } | Node::Loop { .. } | Node::Br { .. } | Node::Unreachable => {}
    }
}

struct Rewriter<'a> {
    joins: HashMap<Label, Vec<&'a Join>>,
    /// The position of each edge among the incoming ones, which is the same for all joins of a label.
    edges: HashMap<(Label, Edge), usize>,
    renamed: Renamed,
    numbers: HashMap<Value, Value>,
    widths: &'a [Width],
    values: Vec<Width>,
}

impl Rewriter<'_> {
    fn resolve(&self, value: Value) -> Value {
        self.renamed.resolve(value)
    }

    fn define(&mut self, value: Value) -> Value {
        self.values.push(self.widths[value.index()]);
        let number = Value(self.values.len() as u32 - 1);
        self.numbers.insert(value, number);
        number
    }

    fn use_of(&self, value: Value) -> Value {
        self.numbers[&self.resolve(value)]
    }

    fn uses(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.use_of(*value)).collect()
    }

    /// The values that an edge brings to the joins of a label.
    fn carried(&self, label: Label, edge: Edge) -> Vec<Value> {
        let (Some(joins), Some(&at)) = (self.joins.get(&label), self.edges.get(&(label, edge))) else { return Vec::new() };
        joins.iter().filter_map(|join| join.incoming[at].1).map(|value| self.use_of(value)).collect()
    }

    fn targets(&mut self, label: Label) -> Vec<Value> {
        let targets: Vec<Value> = self.joins.get(&label).map_or(&[][..], Vec::as_slice).iter().map(|join| join.target).collect();
        targets.into_iter().map(|target| self.define(target)).collect()
    }

    fn region(&mut self, region: Region) -> Region {
        region.into_iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::Op(op) => {
                let args = self.uses(&op.args);
                let results = op.results.iter().map(|value| self.define(*value)).collect();
                Node::Op(Instruction { args, results, ..op })
            }
            Node::Block { label, body, .. } => {
                let body = self.region(body);
                Node::Block { label, results: self.targets(label), body }
            }
            Node::If { label, condition, then, otherwise, origin, .. } => {
                let condition = self.use_of(condition);
                let then = self.region(then);
                let otherwise = self.region(otherwise);
                Node::If { label, condition, results: self.targets(label), then, otherwise, origin }
            }
            Node::Switch { label, selector, arms, origin, .. } => {
                let selector = self.use_of(selector);
                let arms = arms
                    .into_iter()
                    .map(|arm| {
                        let initial = self.carried(arm.label, Edge::Entry);
                        let params = self.targets(arm.label);
                        Arm { initial, params, body: self.region(arm.body), ..arm }
                    })
                    .collect();
                Node::Switch { label, selector, results: self.targets(label), arms, origin }
            }
            Node::Loop { label, body, origin, .. } => {
                let initial = self.carried(label, Edge::Entry);
                let params = self.targets(label);
                Node::Loop { label, initial, params, body: self.region(body), origin }
            }
            Node::Br { target, values } => {
                let branch = values.first().map_or(0, |value| value.0);
                Node::Br { target, values: self.carried(target, Edge::Branch(branch)) }
            }
            Node::Return { values } => Node::Return { values: self.uses(&values) },
            Node::Unreachable => Node::Unreachable,
        }
    }
}
