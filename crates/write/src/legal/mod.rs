//! Operations that a target lacks, or leaves open where the Program does not, as operations that it has.
//!
//! [`legalize`] gives a Program that computes the same, in which the plain form of every operation in the target's language is exact: a shift's
//! count is below the width, a divisor is not 0, a field lies inside its word, an access lies inside its memory. Writers need not look at [`Rules`](gpuproof_program::Rules)
//! after that, but at those that the language can state itself.

mod float;
mod integer;
mod memory;

use crate::WriteError;
use gpuproof_program::{Attrs, Function, Instruction, Label, Node, Op, Origin, Program, Region, Target, Value, Width, walk};
use std::collections::HashMap;

/// A Program whose operations are those that plain SPIR-V computes exactly.
///
/// # Errors
/// For an operation that nothing expresses there.
pub fn legalize(program: &Program) -> Result<Program, WriteError> {
    let mut legal = program.clone();
    for at in 0..legal.functions.len() {
        let function = &program.functions[at];
        let mut pass = Pass::new(program, function);
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
        _ => return None,
    };
    Some(found)
}

struct Pass<'p> {
    program: &'p Program,
    values: Vec<Width>,
    /// The bits of constants.
    constants: HashMap<Value, u64>,
    /// The operations that values come from, with their operands.
    made: HashMap<Value, (Op, Vec<Value>)>,
    /// What stands for values whose operations were written by others.
    renamed: HashMap<Value, Value>,
    next_label: u32,
    /// The nodes of the region at hand.
    out: Region,
    origin: Origin,
}

impl<'p> Pass<'p> {
    fn new(program: &'p Program, function: &Function) -> Pass<'p> {
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
            values,
            constants,
            made: HashMap::new(),
            renamed: HashMap::new(),
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
        for node in nodes {
            let new = self.node(node)?;
            self.out.extend(new);
        }
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
                }
                if let Some(expand) = expansion(instruction.op)
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

    /// Adds an operation with one result of this width, without choices.
    fn op(&mut self, width: Width, op: Op, args: &[Value]) -> Value {
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

    /// Runs `inside` where the condition holds; elsewhere its values are these.
    fn guarded(&mut self, condition: Value, otherwise: &[Value], inside: impl FnOnce(&mut Self) -> Vec<Value>) -> Vec<Value> {
        let label = Label(self.next_label);
        self.next_label += 1;
        let outer = std::mem::take(&mut self.out);
        let values = inside(self);
        let mut then = std::mem::replace(&mut self.out, outer);
        let results: Vec<Value> = values.iter().map(|value| self.fresh(self.width(*value))).collect();
        then.push(Node::Br { target: label, values });
        let no = vec![Node::Br { target: label, values: otherwise.to_vec() }];
        let (results_of, origin) = (results.clone(), self.origin);
        self.out.push(Node::If { label, condition, results: results_of, then, otherwise: no, origin });
        results
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
