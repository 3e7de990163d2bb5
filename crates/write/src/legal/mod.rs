//! Operations that a target lacks, or leaves open where the Program does not, as operations that it has.
//!
//! [`legalize`] gives a Program that computes the same, in which the plain form of every operation in the target's language is exact: a shift's
//! count is below the width, a divisor is not 0, a field lies inside its word, an access lies inside its memory. Writers need not look at [`Rules`](gpuproof_program::Rules)
//! after that, but at those that the language can state itself.

mod float;
mod integer;
mod memory;
mod target;

pub use target::Machine;

use crate::WriteError;
use gpuproof_program::{
    Attrs, Class, Function, Instruction, Label, Node, Op, Origin, Program, Region, Target, Value, Width, walk,
};
use std::collections::HashMap;

/// A Program whose operations are those that a target's plain forms compute exactly.
///
/// # Errors
/// For an operation that nothing expresses there.
pub fn legalize(program: &Program, machine: Machine) -> Result<Program, WriteError> {
    let mut legal = program.clone();
    for at in 0..legal.functions.len() {
        let function = &program.functions[at];
        let mut pass = Pass::new(program, function, machine);
        let mut body = pass.region(&function.body)?;
        let mut numbers = Numbers::new(&pass.values);
        legal.functions[at].params.iter_mut().for_each(|param| numbers.define(param));
        numbers.region(&mut body);
        (legal.functions[at].body, legal.functions[at].values) = (body, numbers.widths);
    }
    Ok(legal)
}

/// What stands for the results of an operation.
type Results = Vec<Value>;

/// How an operation is written by others; none where it stands as it is.
type Expansion = fn(&mut Pass<'_>, &Instruction) -> Result<Option<Results>, WriteError>;

/// The expansion of each operation that may need one.
fn expansion(op: Op) -> Option<Expansion> {
    let found: Expansion = match op {
        Op::FMad | Op::FDot2 | Op::FDot3 | Op::FDot4 => float::sum_of_products,
        Op::FRcp => float::reciprocal,
        Op::FMin | Op::FMax => float::literal_order,
        Op::FToS | Op::FToU => float::to_integer,
        Op::FConvert => float::convert,
        Op::FToNorm | Op::NormToF => float::normalised,
        Op::FSign => float::sign,
        Op::SDiv | Op::SRem | Op::UDiv | Op::URem => integer::divide,
        Op::IShl | Op::UShr | Op::SShr => integer::shift,
        Op::UExtract | Op::SExtract | Op::IInsert => integer::field,
        Op::UMsad => integer::masked_differences,
        Op::UDot4x8 | Op::SDot4x8 => integer::dot_of_bytes,
        Op::ArrayLoad | Op::ArrayStore => memory::array,
        Op::SharedLoad | Op::SharedStore | Op::SharedAtomic => memory::shared,
        Op::BufferLoad | Op::BufferStore | Op::BufferAtomic => memory::buffer,
        Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic => memory::structured,
        Op::TextureSize => memory::texture_size,
        Op::TexelLoad => memory::texel_load,
        _ => return None,
    };
    Some(found)
}

struct Pass<'p> {
    program: &'p Program,
    machine: Machine,
    values: Vec<Width>,
    /// The bits of constants.
    constants: HashMap<Value, u64>,
    /// The operations that values come from, with their operands.
    made: HashMap<Value, (Op, Vec<Value>)>,
    /// What stands for values whose operations were written by others.
    renamed: HashMap<Value, Value>,
    /// Questions that were asked in the region at hand, with the value that answers each.
    asked: HashMap<(Op, Attrs, Vec<Value>), Value>,
    next_label: u32,
    /// The nodes of the region at hand.
    out: Region,
    origin: Origin,
}

impl<'p> Pass<'p> {
    fn new(program: &'p Program, function: &Function, machine: Machine) -> Pass<'p> {
        let mut constants = HashMap::new();
        let mut next_label = 0;
        walk(&function.body, &mut |node| {
            let label = match node {
                Node::Op(Instruction { op: Op::Const, attrs: Attrs { target: Target::Bits(bits), .. }, results, .. }) => {
                    constants.insert(results[0], *bits);
                    return;
                }
                Node::Block { label, .. } | Node::If { label, .. } | Node::Loop { label, .. } => label.0,
                Node::Switch { label, arms, .. } => arms.iter().map(|arm| arm.label.0).fold(label.0, u32::max),
                _ => return,
            };
            next_label = next_label.max(label + 1);
        });
        let values = function.values.clone();
        Pass {
            program,
            machine,
            values,
            constants,
            made: HashMap::new(),
            renamed: HashMap::new(),
            asked: HashMap::new(),
            next_label,
            out: Vec::new(),
            origin: Origin::NONE,
        }
    }

    fn width(&self, value: Value) -> Width {
        self.values[value.index()]
    }

    /// What stands for a value.
    fn now(&self, value: Value) -> Value {
        self.renamed.get(&value).copied().unwrap_or(value)
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.now(*value)).collect()
    }

    fn region(&mut self, nodes: &[Node]) -> Result<Region, WriteError> {
        let outer = std::mem::take(&mut self.out);
        let asked = std::mem::take(&mut self.asked);
        for node in nodes {
            let new = self.node(node)?;
            self.out.extend(new);
        }
        self.asked = asked;
        Ok(std::mem::replace(&mut self.out, outer))
    }

    fn node(&mut self, node: &Node) -> Result<Option<Node>, WriteError> {
        let mut new = node.clone();
        match &mut new {
            Node::Op(instruction) => {
                instruction.args = self.all(&instruction.args);
                self.origin = instruction.origin;
                if let [result] = instruction.results.as_slice() {
                    self.made.insert(*result, (instruction.op, instruction.args.clone()));
                    if let Some(bits) = self.folded(instruction.op, &instruction.args) {
                        self.constants.insert(*result, bits);
                    }
                }
                if let Some(same) = self.unchanged(instruction) {
                    self.renamed.insert(instruction.results[0], same);
                    return Ok(None);
                }
                if let Some(bits) = instruction.results.first().and_then(|result| self.known(*result))
                    && instruction.op != Op::Const
                {
                    let attrs = Attrs::target(Target::Bits(bits));
                    return Ok(Some(Node::Op(Instruction { op: Op::Const, attrs, args: Vec::new(), ..instruction.clone() })));
                }
                if let Some(expand) = expansion(instruction.op)
                    && !self.machine.has(self.program, instruction, &self.constants)
                    && let Some(results) = expand(self, instruction)?
                {
                    self.renamed.extend(instruction.results.iter().copied().zip(results));
                    return Ok(None);
                }
            }
            Node::Block { body, .. } => *body = self.region(body)?,
            Node::If { condition, then, otherwise, .. } => {
                *condition = self.now(*condition);
                *then = self.region(then)?;
                *otherwise = self.region(otherwise)?;
            }
            Node::Switch { selector, arms, .. } => {
                *selector = self.now(*selector);
                for arm in arms {
                    arm.initial = self.all(&arm.initial);
                    arm.body = self.region(&arm.body)?;
                }
            }
            Node::Loop { initial, body, .. } => {
                *initial = self.all(initial);
                *body = self.region(body)?;
            }
            Node::Br { values, .. } | Node::Return { values } => *values = self.all(values),
            Node::Unreachable => {}
        }
        Ok(Some(new))
    }

    fn fresh(&mut self, width: Width) -> Value {
        self.values.push(width);
        Value(self.values.len() as u32 - 1)
    }

    /// Adds an operation with results of these widths.
    fn emit(&mut self, op: Op, attrs: Attrs, args: &[Value], widths: &[Width]) -> Vec<Value> {
        let results: Vec<Value> = widths.iter().map(|width| self.fresh(*width)).collect();
        let (args, origin) = (args.to_vec(), self.origin);
        self.out.push(Node::Op(Instruction { op, attrs, args, results: results.clone(), origin }));
        results
    }

    /// What an operation on words gives whose operands are constants.
    fn folded(&self, op: Op, args: &[Value]) -> Option<u64> {
        let [a, b] = args else { return None };
        let word = |value: &Value| {
            let bits = self.constants.get(value).filter(|_| self.width(*value) == Width::W32);
            bits.map(|bits| *bits as u32)
        };
        let (a, b) = (word(a)?, word(b)?);
        Some(match op {
            Op::IAdd => a.wrapping_add(b).into(),
            Op::ISub => a.wrapping_sub(b).into(),
            Op::IMul => a.wrapping_mul(b).into(),
            Op::UMin => a.min(b).into(),
            Op::UMax => a.max(b).into(),
            Op::IAnd => (a & b).into(),
            Op::IShl => a.wrapping_shl(b).into(),
            Op::UShr => a.wrapping_shr(b).into(),
            Op::ULt => (a < b).into(),
            Op::ULe => (a <= b).into(),
            _ => return None,
        })
    }

    /// The operand that an operation gives as it is: what is chosen by a constant, what nothing is added to.
    fn unchanged(&self, instruction: &Instruction) -> Option<Value> {
        let args = &instruction.args;
        let is = |at: usize, bits: u64| args.get(at).is_some_and(|value| self.known(*value) == Some(bits));
        match instruction.op {
            Op::Select => self.known(args[0]).map(|condition| args[if condition == 0 { 2 } else { 1 }]),
            Op::IAdd | Op::IOr | Op::IXor if is(0, 0) => Some(args[1]),
            Op::IAdd | Op::ISub | Op::IOr | Op::IXor | Op::IShl | Op::UShr | Op::SShr if is(1, 0) => Some(args[0]),
            Op::IMul if is(1, 1) => Some(args[0]),
            _ => None,
        }
    }

    /// Adds an operation whose result is the same anywhere in the region, but once.
    fn ask(&mut self, width: Width, op: Op, attrs: Attrs, args: &[Value]) -> Value {
        let key = (op, attrs, args.to_vec());
        if let Some(known) = self.asked.get(&key) {
            return *known;
        }
        let result = self.emit(op, attrs, args, &[width])[0];
        self.asked.insert(key, result);
        result
    }

    /// Adds an operation with one result of this width, without choices.
    fn op(&mut self, width: Width, op: Op, args: &[Value]) -> Value {
        if let Some(bits) = self.folded(op, args) {
            return self.constant(width, bits);
        }
        self.emit(op, Attrs::default(), args, &[width])[0]
    }

    /// Adds an operation with one result of this width that has the choices of another, where it takes them.
    fn like(&mut self, width: Width, op: Op, instruction: &Instruction, args: &[Value]) -> Value {
        let (mut rules, given) = (gpuproof_program::Rules::default(), instruction.attrs.rules);
        for choice in op.choices() {
            if let Some(word) = given.word(*choice) {
                rules.set_word(word);
            }
        }
        self.emit(op, Attrs::rules(rules), args, &[width])[0]
    }

    fn constant(&mut self, width: Width, bits: u64) -> Value {
        let value = self.emit(Op::Const, Attrs::target(Target::Bits(bits & width.mask())), &[], &[width])[0];
        self.constants.insert(value, bits & width.mask());
        value
    }

    fn word(&mut self, bits: u32) -> Value {
        self.constant(Width::W32, bits.into())
    }

    /// The bits of a value that is a constant.
    fn known(&self, value: Value) -> Option<u64> {
        self.constants.get(&value).copied()
    }

    fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let width = self.width(yes);
        self.op(width, Op::Select, &[condition, yes, no])
    }

    /// Runs `inside` where the condition holds; elsewhere its values are these. Beside another of the same condition it joins that.
    fn guarded(&mut self, condition: Value, otherwise: &[Value], inside: impl FnOnce(&mut Self) -> Vec<Value>) -> Vec<Value> {
        let outer = std::mem::take(&mut self.out);
        let asked = std::mem::take(&mut self.asked);
        let values = inside(self);
        self.asked = asked;
        let then = std::mem::replace(&mut self.out, outer);
        let results: Vec<Value> = values.iter().map(|value| self.fresh(self.width(*value))).collect();
        let before = self.beside(condition);
        let mut node = match before {
            Some(at) => self.out.remove(at),
            None => {
                let label = Label(self.next_label);
                self.next_label += 1;
                let end = vec![Node::Br { target: label, values: Vec::new() }];
                let (then, otherwise) = (end.clone(), end);
                Node::If { label, condition, results: Vec::new(), then, otherwise, origin: self.origin }
            }
        };
        if let Node::If { results: all, then: body, otherwise: rest, .. } = &mut node {
            all.extend(&results);
            let end = body.pop();
            body.extend(then);
            body.extend(end);
            for (region, more) in [(body, &values[..]), (rest, otherwise)] {
                if let Some(Node::Br { values, .. }) = region.last_mut() {
                    values.extend(more);
                }
            }
        }
        self.out.push(node);
        results
    }

    /// Where the last choice by this condition stands, if what is after it can as well be before.
    fn beside(&self, condition: Value) -> Option<usize> {
        let mut read: Vec<Value> = Vec::new();
        for (at, node) in self.out.iter().enumerate().rev() {
            match node {
                Node::Op(instruction) if instruction.op.row().class == Class::Pure => read.extend(&instruction.args),
                Node::If { condition: own, results, .. } if *own == condition => {
                    return (!results.iter().any(|result| read.contains(result))).then_some(at);
                }
                _ => return None,
            }
        }
        None
    }
}

/// Numbers the values that are still defined anew, in the order of their definitions.
struct Numbers<'w> {
    old: &'w [Width],
    new: Vec<Option<Value>>,
    widths: Vec<Width>,
}

impl Numbers<'_> {
    fn new(old: &[Width]) -> Numbers<'_> {
        Numbers { old, new: vec![None; old.len()], widths: Vec::new() }
    }

    fn define(&mut self, value: &mut Value) {
        let number = Value(self.widths.len() as u32);
        self.widths.push(self.old[value.index()]);
        self.new[value.index()] = Some(number);
        *value = number;
    }

    fn set(&self, values: &mut [Value]) {
        for value in values {
            *value = self.new[value.index()].unwrap_or(*value);
        }
    }

    fn region(&mut self, region: &mut Region) {
        for node in region {
            match node {
                Node::Op(instruction) => {
                    self.set(&mut instruction.args);
                    instruction.results.iter_mut().for_each(|value| self.define(value));
                }
                Node::Block { results, body, .. } => {
                    self.region(body);
                    results.iter_mut().for_each(|value| self.define(value));
                }
                Node::If { condition, results, then, otherwise, .. } => {
                    self.set(std::slice::from_mut(condition));
                    self.region(then);
                    self.region(otherwise);
                    results.iter_mut().for_each(|value| self.define(value));
                }
                Node::Switch { selector, results, arms, .. } => {
                    self.set(std::slice::from_mut(selector));
                    for arm in arms {
                        self.set(&mut arm.initial);
                        arm.params.iter_mut().for_each(|value| self.define(value));
                        self.region(&mut arm.body);
                    }
                    results.iter_mut().for_each(|value| self.define(value));
                }
                Node::Loop { initial, params, body, .. } => {
                    self.set(initial);
                    params.iter_mut().for_each(|value| self.define(value));
                    self.region(body);
                }
                Node::Br { values, .. } | Node::Return { values } => self.set(values),
                Node::Unreachable => {}
            }
        }
    }
}
