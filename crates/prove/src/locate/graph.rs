//! What each value of a program depends on.

use gpuproof_program::{FunctionId, Instruction, Label, Node, Op, Origin, Program, Target, Value};
use std::collections::HashMap;

/// A value of any function, by one number.
pub(crate) type Point = usize;

/// How a value comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// Nothing: no such value.
    None,
    /// An operation.
    Op(Op),
    /// The parameter of a function.
    Param,
    /// The result of a block, an `if` or a switch, or the parameter of an arm.
    Join,
    /// The parameter of a loop.
    LoopParam,
}

/// One value.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub maker: Maker,
    pub origin: Origin,
    /// Values it is made of.
    pub data: Vec<Point>,
    /// Values stored to the memory that it is loaded from, and their addresses.
    pub stored: Vec<Point>,
    /// Conditions that decide which values come.
    pub control: Vec<Point>,
    /// Of a loop's parameter: how many of `data` are values at the start.
    pub initial: usize,
}

/// Something that writes: an output, a store, a discard.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub target: Target,
    pub op: Op,
    pub origin: Origin,
    pub args: Vec<Point>,
    pub control: Vec<Point>,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub caller: FunctionId,
    pub callee: FunctionId,
    pub args: Vec<Point>,
    pub origin: Origin,
}

/// The dependences of a program.
pub(crate) struct Graph {
    /// Where each function's values begin.
    pub offsets: Vec<usize>,
    pub sites: Vec<Site>,
    pub effects: Vec<Effect>,
    /// For each point the points that use it.
    pub users: Vec<Vec<Point>>,
    pub calls: Vec<Call>,
    /// What the operation that makes a point names.
    targets: HashMap<Point, Target>,
    /// The function of each effect.
    effect_functions: Vec<usize>,
}

/// A construct around a place.
struct Open {
    label: Label,
    /// What a branch to the label gives values to.
    targets: Vec<Value>,
    /// The decision, if it is one.
    condition: Option<Value>,
}

impl Graph {
    pub fn new(program: &Program) -> Graph {
        let mut offsets = Vec::new();
        let mut total = 0;
        for function in &program.functions {
            offsets.push(total);
            total += function.values.len();
        }
        let empty = Site {
            maker: Maker::None,
            origin: Origin::NONE,
            data: Vec::new(),
            stored: Vec::new(),
            control: Vec::new(),
            initial: 0,
        };
        let mut graph = Graph {
            offsets,
            sites: vec![empty; total],
            effects: Vec::new(),
            users: vec![Vec::new(); total],
            calls: Vec::new(),
            targets: HashMap::new(),
            effect_functions: Vec::new(),
        };
        // Conditions around each call are conditions of all that the callee does.
        let mut around: Vec<Vec<Point>> = vec![Vec::new(); program.functions.len()];
        let mut builder = Builder { program, graph: &mut graph, around: &mut around, returns: HashMap::new(), calls: Vec::new() };
        for at in 0..program.functions.len() {
            builder.function(FunctionId(at as u32));
        }
        builder.join_calls();
        graph.join_memory();
        for effect in &mut graph.effects {
            effect.control.sort_unstable();
            effect.control.dedup();
        }
        for point in 0..graph.sites.len() {
            let site = &graph.sites[point];
            let sources: Vec<Point> = site.data.iter().chain(&site.stored).chain(&site.control).copied().collect();
            for source in sources {
                graph.users[source].push(point);
            }
        }
        graph
    }

    pub fn point(&self, function: FunctionId, value: Value) -> Point {
        self.offsets[function.index()] + value.index()
    }

    /// What the operation that makes a point names.
    pub fn target(&self, point: Point) -> Option<Target> {
        self.targets.get(&point).copied()
    }

    /// The function and value of a point.
    pub fn value(&self, point: Point) -> (FunctionId, Value) {
        let function = self.offsets.partition_point(|offset| *offset <= point) - 1;
        (FunctionId(function as u32), Value((point - self.offsets[function]) as u32))
    }

    /// Loads depend on what is stored to the same memory.
    fn join_memory(&mut self) {
        let memory = |target: Target| match target {
            Target::Array(_) | Target::Shared(_) | Target::Resource(_) => Some(target),
            Target::Sampled(resource, _) => Some(Target::Resource(resource)),
            _ => None,
        };
        let mut stores: HashMap<Target, Vec<Point>> = HashMap::new();
        for effect in &self.effects {
            if let Some(target) = memory(effect.target) {
                stores.entry(target).or_default().extend(effect.args.iter().chain(&effect.control));
            }
        }
        for sources in stores.values_mut() {
            sources.sort_unstable();
            sources.dedup();
        }
        for (point, target) in self.loads() {
            if let Some(sources) = memory(target).and_then(|target| stores.get(&target)) {
                self.sites[point].stored = sources.clone();
            }
        }
    }

    fn loads(&self) -> Vec<(Point, Target)> {
        self.sites
            .iter()
            .enumerate()
            .filter_map(|(point, site)| match site.maker {
                Maker::Op(op) if op.row().class != gpuproof_program::Class::Pure => Some((point, *self.targets.get(&point)?)),
                _ => None,
            })
            .collect()
    }
}

/// A label that no branch names.
const NOWHERE: Label = Label(u32::MAX);

/// Collects the conditions inside a node under which it is left for a place outside it.
fn leaving(node: &Node, labels: &mut Vec<Label>, conditions: &mut Vec<Value>, found: &mut Vec<Value>) {
    let (label, condition) = match node {
        Node::Br { target, .. } => {
            if !labels.contains(target) {
                found.extend(conditions.iter().filter(|condition| !found.contains(condition)).copied().collect::<Vec<_>>());
            }
            return;
        }
        Node::Return { .. } => {
            found.extend(conditions.iter().filter(|condition| !found.contains(condition)).copied().collect::<Vec<_>>());
            return;
        }
        Node::Op(_) | Node::Unreachable => return,
        Node::Block { label, .. } | Node::Loop { label, .. } => (*label, None),
        Node::If { label, condition, .. } => (*label, Some(*condition)),
        Node::Switch { label, selector, .. } => (*label, Some(*selector)),
    };
    let (outer, decided) = (labels.len(), conditions.len());
    labels.push(label);
    if let Node::Switch { arms, .. } = node {
        labels.extend(arms.iter().map(|arm| arm.label));
    }
    conditions.extend(condition);
    for region in node.regions() {
        for inner in region {
            leaving(inner, labels, conditions, found);
        }
    }
    labels.truncate(outer);
    conditions.truncate(decided);
}

struct Builder<'a, 'g> {
    program: &'a Program,
    graph: &'g mut Graph,
    around: &'g mut Vec<Vec<Point>>,
    /// Values that each function returns, by result.
    returns: HashMap<(usize, usize), Vec<Point>>,
    /// Caller, instruction and conditions around it.
    calls: Vec<(usize, &'a Instruction, Vec<Point>)>,
}

impl<'a> Builder<'a, '_> {
    fn function(&mut self, id: FunctionId) {
        let function = self.program.function(id);
        for param in &function.params {
            self.site(id, *param).maker = Maker::Param;
        }
        let mut open = Vec::new();
        self.region(id, &function.body, &mut open);
    }

    fn site(&mut self, id: FunctionId, value: Value) -> &mut Site {
        let point = self.graph.point(id, value);
        &mut self.graph.sites[point]
    }

    fn conditions(&self, id: FunctionId, open: &[Open]) -> Vec<Point> {
        open.iter().filter_map(|open| open.condition).map(|value| self.graph.point(id, value)).collect()
    }

    fn region(&mut self, id: FunctionId, region: &'a [Node], open: &mut Vec<Open>) {
        let outside = open.len();
        for node in region {
            self.node(id, node, open);
            // What leaves the region from inside a construct decides whether the rest of the region runs.
            let mut deciding = Vec::new();
            leaving(node, &mut Vec::new(), &mut Vec::new(), &mut deciding);
            open.extend(deciding.into_iter().map(|value| Open { label: NOWHERE, targets: Vec::new(), condition: Some(value) }));
        }
        open.truncate(outside);
    }

    fn node(&mut self, id: FunctionId, node: &'a Node, open: &mut Vec<Open>) {
        let points =
            |this: &Self, values: &[Value]| -> Vec<Point> { values.iter().map(|value| this.graph.point(id, *value)).collect() };
        match node {
            Node::Op(instruction) => self.instruction(id, instruction, open),
            Node::Block { label, results, body } => {
                self.joins(id, results, Origin::NONE);
                open.push(Open { label: *label, targets: results.clone(), condition: None });
                self.region(id, body, open);
                open.pop();
            }
            Node::If { label, condition, results, then, otherwise, origin } => {
                self.joins(id, results, *origin);
                open.push(Open { label: *label, targets: results.clone(), condition: Some(*condition) });
                self.region(id, then, open);
                self.region(id, otherwise, open);
                open.pop();
            }
            Node::Switch { label, selector, results, arms, origin } => {
                self.joins(id, results, *origin);
                open.push(Open { label: *label, targets: results.clone(), condition: Some(*selector) });
                for (at, arm) in arms.iter().enumerate() {
                    self.joins(id, &arm.params, *origin);
                    let initial = points(self, &arm.initial);
                    for (param, from) in arm.params.iter().zip(initial) {
                        self.site(id, *param).data.push(from);
                    }
                    if let Some(next) = arms.get(at + 1) {
                        open.push(Open { label: next.label, targets: next.params.clone(), condition: None });
                    }
                    self.region(id, &arm.body, open);
                    if at + 1 < arms.len() {
                        open.pop();
                    }
                }
                open.pop();
            }
            Node::Loop { label, initial, params, body, origin } => {
                let initial = points(self, initial);
                for (param, from) in params.iter().zip(initial) {
                    let site = self.site(id, *param);
                    (site.maker, site.origin, site.initial) = (Maker::LoopParam, *origin, 1);
                    site.data.push(from);
                }
                open.push(Open { label: *label, targets: params.clone(), condition: None });
                self.region(id, body, open);
                open.pop();
            }
            Node::Br { target, values } => {
                let Some(at) = open.iter().position(|construct| construct.label == *target) else { return };
                // What decides that this branch is taken, inside the construct it goes to and, for an `if`, the `if` itself.
                let control = self.conditions(id, &open[at..]);
                let from = points(self, values);
                for (to, from) in open[at].targets.clone().iter().zip(from) {
                    let site = self.site(id, *to);
                    site.data.push(from);
                    site.control.extend(&control);
                }
            }
            Node::Return { values } => {
                let control = self.conditions(id, open);
                for (result, from) in points(self, values).into_iter().enumerate() {
                    let entry = self.returns.entry((id.index(), result)).or_default();
                    entry.push(from);
                    entry.extend(&control);
                }
            }
            Node::Unreachable => {}
        }
    }

    fn joins(&mut self, id: FunctionId, values: &[Value], origin: Origin) {
        for value in values {
            let site = self.site(id, *value);
            (site.maker, site.origin) = (Maker::Join, origin);
        }
    }

    fn instruction(&mut self, id: FunctionId, instruction: &'a Instruction, open: &[Open]) {
        let args: Vec<Point> = instruction.args.iter().map(|value| self.graph.point(id, *value)).collect();
        for value in &instruction.results {
            let point = self.graph.point(id, *value);
            self.graph.targets.insert(point, instruction.attrs.target);
            let site = &mut self.graph.sites[point];
            (site.maker, site.origin) = (Maker::Op(instruction.op), instruction.origin);
            site.data = args.clone();
        }
        if instruction.op.row().class != gpuproof_program::Class::Writes {
            return;
        }
        let control = self.conditions(id, open);
        if let (Op::Call, Target::Function(callee)) = (instruction.op, instruction.attrs.target) {
            self.around[callee.index()].extend(&control);
            self.graph.calls.push(Call { caller: id, callee, args, origin: instruction.origin });
            self.calls.push((id.index(), instruction, control));
        } else {
            let (op, origin, target) = (instruction.op, instruction.origin, instruction.attrs.target);
            self.graph.effects.push(Effect { target, op, origin, args, control });
            self.graph.effect_functions.push(id.index());
        }
    }

    fn join_calls(&mut self) {
        for (caller, instruction, _) in &self.calls {
            let Target::Function(callee) = instruction.attrs.target else { continue };
            let caller = FunctionId(*caller as u32);
            for (position, value) in instruction.results.iter().enumerate() {
                let point = self.graph.point(caller, *value);
                self.graph.sites[point].data = self.returns.get(&(callee.index(), position)).cloned().unwrap_or_default();
            }
            for (param, arg) in self.program.function(callee).params.iter().zip(&instruction.args) {
                let (param, arg) = (self.graph.point(callee, *param), self.graph.point(caller, *arg));
                self.graph.sites[param].data.push(arg);
            }
        }
        // Through several levels of calls.
        for _ in 0..self.program.functions.len() {
            for (caller, instruction, _) in &self.calls {
                if let Target::Function(callee) = instruction.attrs.target {
                    let mut joined = self.around[*caller].clone();
                    joined.append(&mut self.around[callee.index()]);
                    joined.sort_unstable();
                    joined.dedup();
                    self.around[callee.index()] = joined;
                }
            }
        }
        for (effect, function) in self.graph.effects.iter_mut().zip(&self.graph.effect_functions) {
            effect.control.extend(&self.around[*function]);
        }
    }
}
