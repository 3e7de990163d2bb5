//! Operations that the source's instruction did for several components, as one operation of vectors; and where each is written: by a name of
//! its own, or where it is used.

use super::facts::{Facts, memory};
use super::tree::Scalar;
use crate::structure::{Body, Condition, Statement, Structured};
use gpuproof_program::{Access, Class, Instruction, Op, Scope, Shape, Target, Value};
use std::collections::{HashMap, HashSet};

/// Operations that are written as one.
#[derive(Clone, Debug)]
pub(super) struct Group<'p> {
    /// The scalar operations; an operation of several results alone.
    pub(super) members: Vec<&'p Instruction>,
    /// What they give, as the components of a vector.
    pub(super) results: Vec<Value>,
    /// The body that they stand in.
    body: usize,
    /// How often it is used, and whether the only use takes it as it is.
    pub(super) uses: usize,
    whole: bool,
    same_body: bool,
    /// Whether the use may not be evaluated in each lane, as operands of `&&` are in some languages.
    optional: bool,
    /// Whether something that is written needs it.
    pub(super) needed: bool,
}

impl Group<'_> {
    /// Whether it can be written where it is used.
    pub(super) fn inline(&self, facts: &Facts<'_>) -> bool {
        let first = self.members[0];
        let pure = first.op.row().class == Class::Pure && first.op.row().scope == Scope::Lane;
        self.uses == 1 && self.whole && self.same_body && moves(facts, first) && (pure || !self.optional)
    }
}

/// Whether an operation gives the same wherever it stands in its body.
fn moves(facts: &Facts<'_>, instruction: &Instruction) -> bool {
    let row = instruction.op.row();
    match (row.class, instruction.attrs.target) {
        (Class::Writes, _) => false,
        (_, Target::Array(id)) => facts.program.arrays[id.index()].constant,
        (_, Target::Shared(_)) => false,
        (_, Target::Resource(id) | Target::Sampled(id, _)) => facts.program.interface.resource(id).access == Access::Read,
        _ => matches!(row.scope, Scope::Lane | Scope::Quad),
    }
}

/// Whether an operation works on each component alone, so that several are one of vectors.
fn is_componentwise(instruction: &Instruction) -> bool {
    let op = instruction.op;
    let whole = matches!(op, Op::FDot2 | Op::FDot3 | Op::FDot4 | Op::UDot4x8 | Op::SDot4x8 | Op::UMsad | Op::FConvert);
    let single = instruction.results.len() == 1 && instruction.attrs.target == Target::None;
    single && !whole && op.row().class == Class::Pure && matches!(op.row().scope, Scope::Lane | Scope::Quad)
}

/// A load of a number of a row of four words whose index is computed: the index, the row after it, the component.
pub(super) fn computed_row(facts: &Facts<'_>, instruction: &Instruction) -> Option<(Value, u32, u8)> {
    let (Op::BufferLoad, Target::Resource(id)) = (instruction.op, instruction.attrs.target) else { return None };
    if !matches!(facts.program.interface.resource(id).shape, Shape::ConstantBuffer { .. }) {
        return None;
    }
    let value = instruction.args[1];
    let address = facts.definitions.address(value);
    let index = address.index.filter(|_| address.scale == 16 && address.offset.is_multiple_of(4))?;
    let (row, component) = (address.offset / 16, (address.offset / 4 % 4) as u8);
    // What is added to the index tells which array it is: Direct3D has one sum for both.
    let sum = facts.definitions.op(index, Op::IAdd);
    Some(match sum.and_then(|sum| Some((sum.args[0], facts.constant(sum.args[1]).filter(|more| *more < 4096)?))) {
        Some((index, more)) => (index, row + more, component),
        None => (index, row, component),
    })
}

/// Values that are written out wherever they are used: constants, inputs, constants of buffers, and signs.
pub(super) fn is_leaf(facts: &Facts<'_>, instruction: &Instruction) -> bool {
    matches!(instruction.op, Op::Const | Op::Undef | Op::Input | Op::FNeg | Op::FAbs)
        || (instruction.op == Op::BufferLoad && facts.fixed_row(instruction).is_some())
}

/// The groups of a function, and which of them gives each value.
pub(super) struct Groups<'p> {
    pub(super) all: Vec<Group<'p>>,
    pub(super) of_value: HashMap<Value, (usize, usize)>,
    /// The group that is written at each operation: the one whose last member it is.
    at: HashMap<*const Instruction, usize>,
    bodies: HashMap<*const Statement<'p>, usize>,
}

/// Values that an operation reads together.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) values: Vec<Value>,
    /// The type that they are read as; none for the result's, or for any integer.
    pub(super) ty: Option<Scalar>,
}

impl<'p> Groups<'p> {
    pub(super) fn of(facts: &Facts<'_>, structured: &Structured<'p>) -> Groups<'p> {
        let mut groups = Groups { all: Vec::new(), of_value: HashMap::new(), at: HashMap::new(), bodies: HashMap::new() };
        groups.form(facts, &structured.body);
        groups.count_uses(facts, &structured.body);
        groups
    }

    /// The group that is written at an operation.
    pub(super) fn written_at(&self, instruction: &Instruction) -> Option<usize> {
        self.at.get(&std::ptr::from_ref(instruction)).copied()
    }

    fn form(&mut self, facts: &Facts<'_>, body: &Body<'p>) {
        let number = self.bodies.len();
        self.bodies.insert(body.as_ptr(), number);
        // Groups that may still grow.
        let mut open: Vec<usize> = Vec::new();
        for statement in body {
            let Statement::Op(instruction) = statement else {
                open.clear();
                for inner in bodies(statement) {
                    self.form(facts, inner);
                }
                continue;
            };
            // Signs are written where they are used, so what is before them is needed there.
            let mut needs: HashSet<usize> = HashSet::new();
            for arg in &instruction.args {
                needs.extend(self.of_value.get(&facts.unsigned(*arg)).map(|of| of.0));
            }
            if is_leaf(facts, instruction) {
                continue;
            }
            open.retain(|group| !needs.contains(group));
            let joined = open.iter().copied().find(|group| self.joins(facts, &self.all[*group], instruction));
            let group = joined.unwrap_or_else(|| {
                self.all.push(Group {
                    members: Vec::new(),
                    results: Vec::new(),
                    body: number,
                    uses: 0,
                    whole: false,
                    same_body: false,
                    optional: false,
                    needed: false,
                });
                let grows = is_componentwise(instruction)
                    || matches!(instruction.op, Op::Output | Op::InputAt)
                    || computed_row(facts, instruction).is_some();
                if grows {
                    open.push(self.all.len() - 1);
                }
                self.all.len() - 1
            });
            let made = &mut self.all[group];
            if let Some(last) = made.members.last() {
                self.at.remove(&std::ptr::from_ref::<Instruction>(last));
            }
            made.members.push(instruction);
            for result in &instruction.results {
                self.of_value.insert(*result, (group, made.results.len()));
                made.results.push(*result);
            }
            self.at.insert(std::ptr::from_ref::<Instruction>(instruction), group);
        }
    }

    /// Whether an operation is one more component of a group.
    fn joins(&self, facts: &Facts<'_>, group: &Group<'_>, instruction: &Instruction) -> bool {
        let last = group.members[group.members.len() - 1];
        if group.members.len() >= 4 || last.op != instruction.op {
            return false;
        }
        match (last.attrs.target, instruction.attrs.target) {
            (Target::Output(a, _), Target::Output(b, y)) => {
                let taken = |member: &&Instruction| matches!(member.attrs.target, Target::Output(_, own) if own == y);
                return a == b && !group.members.iter().any(taken);
            }
            (Target::Input(a, _), Target::Input(b, _)) => {
                let place = last.args.iter().zip(&instruction.args).all(|(a, b)| facts.same(*a, *b));
                return a == b && place && last.attrs.detail == instruction.attrs.detail;
            }
            (Target::Resource(a), Target::Resource(b)) => {
                let (one, other) = (computed_row(facts, last), computed_row(facts, instruction));
                let line = last.origin.line == instruction.origin.line;
                return match (one, other) {
                    (Some(one), Some(other)) => {
                        a == b
                            && line
                            && facts.same(one.0, other.0)
                            && one.1 == other.1
                            && facts.same(last.args[0], instruction.args[0])
                    }
                    _ => false,
                };
            }
            _ => {}
        }
        let same = last.attrs == instruction.attrs
            && (last.origin.line, last.origin.column) == (instruction.origin.line, instruction.origin.column)
            && instruction.origin.component > last.origin.component;
        let result = |instruction: &Instruction| instruction.results.first().map(|result| facts.ty(*result));
        let comparison = result(last) == Some(Scalar::Bool);
        let operands = !comparison || last.args.iter().zip(&instruction.args).all(|(a, b)| facts.ty(*a) == facts.ty(*b));
        // Both or neither of a sum's parts are subtracted.
        let signs = |instruction: &Instruction| -> Vec<bool> {
            instruction.args.iter().map(|arg| facts.definitions.op(*arg, Op::FNeg).is_some()).collect()
        };
        // Offsets and widths of fields are numbers, whatever the size of the vector.
        let fields = !matches!(instruction.op, Op::UExtract | Op::SExtract | Op::IInsert)
            || last.args.iter().rev().zip(instruction.args.iter().rev()).take(2).all(|(a, b)| facts.same(*a, *b));
        same && operands
            && fields
            && result(last) == result(instruction)
            && (instruction.op != Op::FAdd || signs(last) == signs(instruction))
    }

    fn count_uses(&mut self, facts: &Facts<'_>, body: &Body<'p>) {
        let number = self.bodies[&body.as_ptr()];
        for statement in body.iter().rev() {
            for inner in bodies(statement).into_iter().rev() {
                self.count_uses(facts, inner);
            }
            match statement {
                Statement::Op(instruction) => {
                    let Some(group) = self.written_at(instruction) else { continue };
                    let effect = instruction.op.row().class == Class::Writes;
                    let found = &self.all[group];
                    if !(found.needed || effect) {
                        continue;
                    }
                    let optional = matches!(instruction.op, Op::Select | Op::IAnd | Op::IOr);
                    for operand in operands(facts, &found.members) {
                        self.use_of(facts, &operand.values, number, optional);
                    }
                    self.all[group].needed = true;
                }
                Statement::Assign(pairs) => {
                    let values: Vec<Value> = pairs.iter().map(|(_, value)| *value).collect();
                    for value in values {
                        self.use_of(facts, &[value], number, false);
                    }
                }
                Statement::If { condition: Condition::Value(value), .. } | Statement::Switch { selector: value, .. } => {
                    self.use_of(facts, &[*value], number, false);
                }
                _ => {}
            }
        }
    }

    fn use_of(&mut self, facts: &Facts<'_>, values: &[Value], body: usize, optional: bool) {
        let values: Vec<Value> = values.iter().map(|value| facts.unsigned(*value)).collect();
        let mut seen: Vec<usize> = Vec::new();
        for value in &values {
            let Some((group, _)) = self.of_value.get(value).copied() else { continue };
            if seen.contains(&group) {
                continue;
            }
            seen.push(group);
            let made = &mut self.all[group];
            let call = made.members.len() == 1 && made.results.len() > 1;
            let all = values.iter().all(|value| made.results.contains(value));
            made.whole = made.results.len() == 1 || (call && all) || made.results == values;
            made.same_body = made.body == body;
            made.optional |= optional;
            made.uses += 1;
            made.needed = true;
        }
    }
}

/// The bodies directly inside a statement.
fn bodies<'b, 'p>(statement: &'b Statement<'p>) -> Vec<&'b Body<'p>> {
    match statement {
        Statement::If { then, otherwise, .. } => vec![then, otherwise],
        Statement::Loop { body, .. } => vec![body],
        Statement::Switch { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        _ => Vec::new(),
    }
}

/// What a group reads, in the order of the operations' operands; of accesses to memory and textures each operand by itself.
pub(super) fn operands(facts: &Facts<'_>, members: &[&Instruction]) -> Vec<Operand> {
    let first = members[0];
    let args = &first.args;
    match first.op {
        Op::FDot2 | Op::FDot3 | Op::FDot4 => {
            let halves = [&args[..args.len() / 2], &args[args.len() / 2..]];
            halves.map(|values| Operand { values: values.to_vec(), ty: Some(Scalar::F32) }).to_vec()
        }
        Op::Output => {
            let values = members.iter().map(|member| member.args[0]).collect();
            vec![Operand { values, ty: None }]
        }
        Op::Sample
        | Op::Gather
        | Op::SampleLevel
        | Op::TexelLoad
        | Op::TexelStore
        | Op::TexelAtomic
        | Op::TextureSize
        | Op::TextureSamples => super::texture::operands(facts, first),
        Op::BufferSize | Op::CounterAlloc | Op::CounterConsume => vec![Operand { values: args[..1].to_vec(), ty: None }],
        _ if memory(first).is_some() => super::memory::operands(facts, first),
        _ => (0..args.len())
            .map(|at| Operand {
                values: members.iter().map(|member| member.args[at]).collect(),
                ty: super::facts::of_operand(first, at, facts.width(args[at])),
            })
            .collect(),
    }
}
