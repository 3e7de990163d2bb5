//! Truth values instead of masks: words of all ones or zeros are followed to where they choose, so that formulas say `select` and `&&` and not
//! bitwise operations. Every rewriting gives the same bits.

use gpuproof_program::{Attrs, Function, InputId, Instruction, Node, Op, Region, Target, Value, Width};
use std::collections::HashMap;

/// The function with masks made truth values where that is possible. Inputs that `is_truth` names are truth values themselves.
pub fn with_truth_values(function: &Function, is_truth: &dyn Fn(InputId) -> bool) -> Function {
    let mut simplifier = Simplifier {
        is_truth,
        values: function.values.clone(),
        replaced: HashMap::new(),
        masks: HashMap::new(),
        constants: HashMap::new(),
        negated: HashMap::new(),
        absolute: HashMap::new(),
        tests: HashMap::new(),
    };
    let body = simplifier.region(&function.body);
    Function { values: simplifier.values, body, ..function.clone() }
}

struct Simplifier<'a> {
    is_truth: &'a dyn Fn(InputId) -> bool,
    values: Vec<Width>,
    replaced: HashMap<Value, Value>,
    /// The truth value that a mask was made from.
    masks: HashMap<Value, Value>,
    constants: HashMap<Value, u64>,
    /// What a negated number was, and an absolute one.
    negated: HashMap<Value, Value>,
    absolute: HashMap<Value, Value>,
    /// Comparisons and negations of truth values.
    tests: HashMap<Value, Instruction>,
}

impl Simplifier<'_> {
    fn value(&self, value: Value) -> Value {
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    fn values(&self, values: &mut [Value]) {
        for value in values {
            *value = self.value(*value);
        }
    }

    fn fresh(&mut self, width: Width) -> Value {
        self.values.push(width);
        Value(self.values.len() as u32 - 1)
    }

    fn region(&mut self, region: &Region) -> Region {
        let mut made = Region::with_capacity(region.len());
        for node in region {
            let mut node = node.clone();
            match &mut node {
                Node::Op(instruction) => {
                    self.values(&mut instruction.args);
                    let instruction = instruction.clone();
                    self.instruction(instruction, &mut made);
                    continue;
                }
                Node::Block { body, .. } => *body = self.region(body),
                Node::Loop { initial, body, .. } => {
                    self.values(initial);
                    *body = self.region(body);
                }
                Node::If { condition, then, otherwise, .. } => {
                    *condition = self.value(*condition);
                    *then = self.region(then);
                    *otherwise = self.region(otherwise);
                }
                Node::Switch { selector, arms, .. } => {
                    *selector = self.value(*selector);
                    for arm in arms {
                        self.values(&mut arm.initial);
                        arm.body = self.region(&arm.body);
                    }
                }
                Node::Br { values, .. } | Node::Return { values } => self.values(values),
                Node::Unreachable => {}
            }
            made.push(node);
        }
        made
    }

    /// Appends an operation and gives its result.
    fn emit(&mut self, made: &mut Region, like: &Instruction, op: Op, width: Width, args: &[Value]) -> Value {
        let result = self.fresh(width);
        self.put(made, like, op, result, args);
        result
    }

    fn put(&mut self, made: &mut Region, like: &Instruction, op: Op, result: Value, args: &[Value]) {
        if op == Op::SExtend {
            self.masks.insert(result, args[0]);
        }
        let (args, results) = (args.to_vec(), vec![result]);
        made.push(Node::Op(Instruction { op, attrs: Attrs::default(), args, results, origin: like.origin }));
    }

    fn zero(&mut self, made: &mut Region, like: &Instruction) -> Value {
        let result = self.fresh(Width::W32);
        self.constants.insert(result, 0);
        let attrs = Attrs::target(Target::Bits(0));
        made.push(Node::Op(Instruction { op: Op::Const, attrs, args: Vec::new(), results: vec![result], origin: like.origin }));
        result
    }

    fn is(&self, value: Value, bits: u64) -> bool {
        self.constants.get(&value) == Some(&bits)
    }

    fn instruction(&mut self, instruction: Instruction, made: &mut Region) {
        let [result, ..] = instruction.results[..] else { return made.push(Node::Op(instruction)) };
        let width = self.values[result.index()];
        let mask = |this: &Self, at: usize| instruction.args.get(at).and_then(|arg| this.masks.get(arg).copied());
        match instruction.op {
            Op::Const => {
                if let Target::Bits(bits) = instruction.attrs.target {
                    self.constants.insert(result, bits);
                }
            }
            Op::SExtend if self.values[instruction.args[0].index()] == Width::W1 && width == Width::W32 => {
                self.masks.insert(result, instruction.args[0]);
            }
            Op::Input => {
                if let Target::Input(id, _) = instruction.attrs.target
                    && (self.is_truth)(id)
                    && width == Width::W32
                {
                    let truth = self.fresh(Width::W1);
                    made.push(Node::Op(Instruction { results: vec![truth], ..instruction.clone() }));
                    return self.put(made, &instruction, Op::SExtend, result, &[truth]);
                }
            }
            // Signs change one bit alone, so two of them are one or none.
            Op::FNeg | Op::FAbs => {
                let inner = instruction.args[0];
                let (negated, absolute) = (self.negated.get(&inner).copied(), self.absolute.get(&inner).copied());
                match (instruction.op, negated, absolute) {
                    (Op::FNeg, Some(plain), _) => _ = self.replaced.insert(result, plain),
                    (Op::FAbs, _, Some(_)) => _ = self.replaced.insert(result, inner),
                    (op, negated, _) => {
                        let plain = if op == Op::FAbs { negated.unwrap_or(inner) } else { inner };
                        let known = if op == Op::FNeg { &mut self.negated } else { &mut self.absolute };
                        known.insert(result, plain);
                        made.push(Node::Op(Instruction { args: vec![plain], ..instruction }));
                    }
                }
                return;
            }
            Op::INe | Op::IEq => {
                let zero = (self.is(instruction.args[1], 0)).then(|| mask(self, 0)).flatten();
                if let Some(truth) = zero {
                    if instruction.op == Op::INe {
                        self.replaced.insert(result, truth);
                        return;
                    }
                    return self.put(made, &instruction, Op::INot, result, &[truth]);
                }
            }
            Op::INot => {
                if width == Width::W1 && self.negated(&instruction, result, made) {
                    return;
                }
                if let Some(truth) = mask(self, 0) {
                    let not = self.emit(made, &instruction, Op::INot, Width::W1, &[truth]);
                    return self.put(made, &instruction, Op::SExtend, result, &[not]);
                }
            }
            Op::IAnd | Op::IOr if width == Width::W32 => match (mask(self, 0), mask(self, 1), instruction.op) {
                (Some(a), Some(b), op) => {
                    let both = self.emit(made, &instruction, op, Width::W1, &[a, b]);
                    return self.put(made, &instruction, Op::SExtend, result, &[both]);
                }
                (Some(truth), None, Op::IAnd) => {
                    let zero = self.zero(made, &instruction);
                    return self.put(made, &instruction, Op::Select, result, &[truth, instruction.args[1], zero]);
                }
                (None, Some(truth), Op::IAnd) => {
                    let zero = self.zero(made, &instruction);
                    return self.put(made, &instruction, Op::Select, result, &[truth, instruction.args[0], zero]);
                }
                _ => {}
            },
            Op::Select if width == Width::W32 => {
                if self.is(instruction.args[1], 0xffff_ffff) && self.is(instruction.args[2], 0) {
                    return self.put(made, &instruction, Op::SExtend, result, &[instruction.args[0]]);
                }
                if let (Some(a), Some(b)) = (mask(self, 1), mask(self, 2)) {
                    let chosen = self.emit(made, &instruction, Op::Select, Width::W1, &[instruction.args[0], a, b]);
                    return self.put(made, &instruction, Op::SExtend, result, &[chosen]);
                }
            }
            _ => {}
        }
        if width == Width::W1 {
            self.tests.insert(result, instruction.clone());
        }
        made.push(Node::Op(instruction));
    }

    /// The opposite of a comparison as a comparison, where it has one: of floats, order has none, because of NaN.
    fn negated(&mut self, not: &Instruction, result: Value, made: &mut Region) -> bool {
        let Some(test) = self.tests.get(&not.args[0]).cloned() else { return false };
        let (op, swapped) = match test.op {
            Op::INot => {
                self.replaced.insert(result, test.args[0]);
                return true;
            }
            Op::IEq => (Op::INe, false),
            Op::INe => (Op::IEq, false),
            Op::FEq => (Op::FNe, false),
            Op::FNe => (Op::FEq, false),
            Op::SLt => (Op::SLe, true),
            Op::SLe => (Op::SLt, true),
            Op::ULt => (Op::ULe, true),
            Op::ULe => (Op::ULt, true),
            _ => return false,
        };
        let mut args = test.args.clone();
        if swapped {
            args.reverse();
        }
        let opposite = Instruction { op, args, results: vec![result], ..test };
        self.tests.insert(result, opposite.clone());
        made.push(Node::Op(opposite));
        true
    }
}
