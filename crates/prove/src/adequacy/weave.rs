//! Adds operations to a program that watch what it does and change nothing of it.

use gpuproof_program::{Arm, Attrs, Function, Instruction, Node, Op, Origin, Region, Value, Width};

/// The values of a function that is being added to. The function's own values keep their numbers.
pub(super) struct Fresh {
    widths: Vec<Width>,
}

impl Fresh {
    /// New values after the function's own.
    pub(super) fn after(function: &Function) -> Fresh {
        Fresh { widths: function.values.clone() }
    }

    /// A new value.
    pub(super) fn value(&mut self, width: Width) -> Value {
        self.widths.push(width);
        Value(self.widths.len() as u32 - 1)
    }

    /// The width of any value.
    pub(super) fn width(&self, value: Value) -> Width {
        self.widths[value.index()]
    }

    /// Adds an operation with one result.
    pub(super) fn op(&mut self, out: &mut Region, op: Op, attrs: Attrs, args: &[Value], width: Width) -> Value {
        let result = self.value(width);
        out.push(Node::Op(Instruction { op, attrs, args: args.to_vec(), results: vec![result], origin: Origin::NONE }));
        result
    }

    /// Adds a constant.
    pub(super) fn constant(&mut self, out: &mut Region, width: Width, bits: u64) -> Value {
        self.op(out, Op::Const, Attrs::target(gpuproof_program::Target::Bits(bits & width.mask())), &[], width)
    }

    /// A new value with the same bits, so that it is seen where it stands.
    pub(super) fn copy(&mut self, out: &mut Region, value: Value) -> Value {
        let width = self.width(value);
        self.op(out, Op::IOr, Attrs::default(), &[value, value], width)
    }

    /// The widths of all values, the function's own first.
    pub(super) fn finish(self) -> Vec<Width> {
        self.widths
    }
}

/// Where a stretch of nodes begins that lanes run all of or nothing of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The function's first node.
    Function,
    /// The first node of a region of the construct with this number: of its regions in source order.
    Region(usize, usize),
    /// Behind the construct with this number.
    After,
}

/// Decides what is added to a function. Nodes have the numbers that [`gpuproof_program::walk`] visits them in.
pub(super) trait Weave {
    /// At the start of a stretch. Stretches are numbered as they come.
    fn start(&mut self, stretch: usize, start: Start, fresh: &mut Fresh, out: &mut Region);
    /// Before and behind a node, which stands in this stretch. What is added behind a construct comes behind the next stretch's start.
    fn node(&mut self, number: usize, stretch: usize, node: &Node, fresh: &mut Fresh, around: (&mut Region, &mut Region));
}

/// The function with what `weave` adds.
pub(super) fn weave(function: &Function, weave: &mut dyn Weave) -> Function {
    let mut weaver = Weaver { fresh: Fresh::after(function), weave, nodes: 0, stretches: 0 };
    let body = weaver.region(&function.body, Start::Function);
    Function { values: weaver.fresh.finish(), body, ..function.clone() }
}

struct Weaver<'w> {
    fresh: Fresh,
    weave: &'w mut dyn Weave,
    nodes: usize,
    stretches: usize,
}

impl Weaver<'_> {
    fn start(&mut self, start: Start, out: &mut Region) -> usize {
        self.stretches += 1;
        self.weave.start(self.stretches - 1, start, &mut self.fresh, out);
        self.stretches - 1
    }

    fn region(&mut self, region: &Region, start: Start) -> Region {
        let mut out = Region::new();
        let mut stretch = self.start(start, &mut out);
        for node in region {
            let number = self.nodes;
            self.nodes += 1;
            let mut after = Region::new();
            self.weave.node(number, stretch, node, &mut self.fresh, (&mut out, &mut after));
            match node {
                Node::Op(_) | Node::Br { .. } | Node::Return { .. } | Node::Unreachable => out.push(node.clone()),
                Node::Block { label, results, body } => {
                    let body = self.region(body, Start::Region(number, 0));
                    out.push(Node::Block { label: *label, results: results.clone(), body });
                }
                Node::Loop { label, initial, params, body, origin } => {
                    let body = self.region(body, Start::Region(number, 0));
                    let (initial, params) = (initial.clone(), params.clone());
                    out.push(Node::Loop { label: *label, initial, params, body, origin: *origin });
                }
                Node::If { label, condition, results, then, otherwise, origin } => {
                    let then = self.region(then, Start::Region(number, 0));
                    let otherwise = self.region(otherwise, Start::Region(number, 1));
                    let results = results.clone();
                    out.push(Node::If { label: *label, condition: *condition, results, then, otherwise, origin: *origin });
                }
                Node::Switch { label, selector, results, arms, origin } => {
                    let arms = arms.iter().enumerate();
                    let arms = arms
                        .map(|(at, arm)| Arm { body: self.region(&arm.body, Start::Region(number, at)), ..arm.clone() })
                        .collect();
                    let (selector, results) = (*selector, results.clone());
                    out.push(Node::Switch { label: *label, selector, results, arms, origin: *origin });
                }
            }
            if !matches!(node, Node::Op(_)) && !node.is_terminator() {
                stretch = self.start(Start::After, &mut out);
            }
            out.append(&mut after);
        }
        out
    }
}
