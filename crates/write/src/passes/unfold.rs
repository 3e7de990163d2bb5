//! Switches whose arms fall through, as a switch that numbers the arm and choices one after another: WGSL has none that do.
//!
//! Each choice does an arm's body where the number is the arm's, and gives the number for the next choice: one more where it falls through.

use gpuproof_program::{Arm, Attrs, Function, Instruction, Label, Node, Op, Origin, Region, Target, Value, Width, walk};

/// The function without arms that fall through.
pub fn unfolded(function: &Function) -> Function {
    let mut last = 0;
    walk(&function.body, &mut |node| match node {
        Node::Block { label, .. } | Node::If { label, .. } | Node::Loop { label, .. } => last = last.max(label.0),
        Node::Switch { label, arms, .. } => {
            last = arms.iter().map(|arm| arm.label.0).chain([label.0, last]).max().unwrap_or(last);
        }
        _ => {}
    });
    let mut unfolder = Unfolder { values: function.values.clone(), labels: last };
    let body = unfolder.region(&function.body);
    Function { values: unfolder.values, body, ..function.clone() }
}

struct Unfolder {
    values: Vec<Width>,
    labels: u32,
}

/// Whether a region branches to a label.
fn branches_to(region: &Region, label: Label) -> bool {
    let mut found = false;
    walk(region, &mut |node| found |= matches!(node, Node::Br { target, .. } if *target == label));
    found
}

impl Unfolder {
    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    fn value(&mut self, width: Width) -> Value {
        self.values.push(width);
        Value(self.values.len() as u32 - 1)
    }

    fn number(&mut self, number: usize, origin: Origin, made: &mut Region) -> Value {
        let result = self.value(Width::W32);
        let attrs = Attrs::target(Target::Bits(number as u64));
        made.push(Node::Op(Instruction { op: Op::Const, attrs, args: Vec::new(), results: vec![result], origin }));
        result
    }

    fn region(&mut self, region: &Region) -> Region {
        let mut made = Region::with_capacity(region.len());
        for node in region {
            let mut node = node.clone();
            match &mut node {
                Node::Block { body, .. } | Node::Loop { body, .. } => *body = self.region(body),
                Node::If { then, otherwise, .. } => {
                    *then = self.region(then);
                    *otherwise = self.region(otherwise);
                }
                Node::Switch { label, selector, results, arms, origin } => {
                    arms.iter_mut().for_each(|arm| arm.body = self.region(&arm.body));
                    if arms.windows(2).any(|pair| branches_to(&pair[0].body, pair[1].label)) {
                        let selected = self.selected(*selector, arms, *origin, &mut made);
                        let body = self.choices(selected, arms, *origin);
                        node = Node::Block { label: *label, results: std::mem::take(results), body };
                    }
                }
                Node::Op(_) | Node::Br { .. } | Node::Return { .. } | Node::Unreachable => {}
            }
            made.push(node);
        }
        made
    }

    /// The number of the arm that a selector enters.
    fn selected(&mut self, selector: Value, arms: &[Arm], origin: Origin, made: &mut Region) -> Value {
        let label = self.label();
        let result = self.value(Width::W32);
        let numbered = |this: &mut Unfolder, (at, arm): (usize, &Arm)| {
            let mut body = Region::new();
            let number = this.number(at, origin, &mut body);
            body.push(Node::Br { target: label, values: vec![number] });
            let label = this.label();
            Arm { label, initial: Vec::new(), params: Vec::new(), body, ..arm.clone() }
        };
        let arms = arms.iter().enumerate().map(|arm| numbered(self, arm)).collect();
        made.push(Node::Switch { label, selector, results: vec![result], arms, origin });
        result
    }

    /// The bodies of arms one after another, each where the number is its own.
    fn choices(&mut self, selected: Value, arms: &[Arm], origin: Origin) -> Region {
        let mut made = Region::new();
        let mut arm_number = selected;
        if let Some(first) = arms.first().filter(|first| !first.params.is_empty()) {
            let body = vec![Node::Br { target: first.label, values: first.initial.clone() }];
            made.push(Node::Block { label: first.label, results: first.params.clone(), body });
        }
        for (at, arm) in arms.iter().enumerate() {
            let own = self.number(at, origin, &mut made);
            let condition = self.value(Width::W1);
            let args = vec![arm_number, own];
            made.push(Node::Op(Instruction { op: Op::IEq, attrs: Attrs::default(), args, results: vec![condition], origin }));
            let next = arms.get(at + 1);
            let label = next.map_or_else(|| self.label(), |next| next.label);
            let (mut results, mut values) = (Vec::new(), Vec::new());
            let mut then = arm.body.clone();
            if let Some(next) = next {
                values.push(arm_number);
                values.extend(&next.initial);
                arm_number = self.value(Width::W32);
                results.push(arm_number);
                results.extend(&next.params);
                then = self.falling(&then, next.label, at + 1, origin);
            }
            let otherwise = vec![Node::Br { target: label, values }];
            made.push(Node::If { label, condition, results, then, otherwise, origin });
        }
        // Some arm is entered, and the last of those that are leaves.
        made.push(Node::Unreachable);
        made
    }

    /// A body whose branches to the next arm bring its number too.
    fn falling(&mut self, region: &Region, next: Label, number: usize, origin: Origin) -> Region {
        let mut made = Region::with_capacity(region.len());
        for node in region {
            let mut node = node.clone();
            match &mut node {
                Node::Br { target, values } if *target == next => {
                    let number = self.number(number, origin, &mut made);
                    values.insert(0, number);
                }
                Node::Block { body, .. } | Node::Loop { body, .. } => *body = self.falling(body, next, number, origin),
                Node::If { then, otherwise, .. } => {
                    *then = self.falling(then, next, number, origin);
                    *otherwise = self.falling(otherwise, next, number, origin);
                }
                Node::Switch { arms, .. } => {
                    arms.iter_mut().for_each(|arm| arm.body = self.falling(&arm.body, next, number, origin));
                }
                _ => {}
            }
            made.push(node);
        }
        made
    }
}
