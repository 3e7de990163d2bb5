//! Operations that the source's instruction did for several components, as one operation of vectors.

use super::Context;
use super::operand::{Operand, operands};
use crate::formula::ty::Ty;
use gpuproof_program::{Class, Function, Instruction, Node, Op, Region, Scope, Target, Value};
use std::collections::HashMap;

/// Operations that are written as one.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    /// The scalar operations, an operation of several results alone.
    pub(super) members: Vec<&'a Instruction>,
    /// What they give, as the components of a vector.
    pub(super) results: Vec<Value>,
    pub(super) ty: Ty,
    /// The region that they stand in.
    region: usize,
    /// How often it is used, and whether the only use takes it as it is.
    pub(super) uses: usize,
    whole: bool,
    same_region: bool,
    /// Whether something that is written needs it.
    pub(super) needed: bool,
}

impl Group<'_> {
    pub(super) fn op(&self) -> Op {
        self.members[0].op
    }

    /// Whether it can be written where it is used.
    pub(super) fn inline(&self, context: &Context<'_>) -> bool {
        self.uses == 1 && self.whole && self.same_region && moves(context, self.members[0])
    }
}

/// Whether an operation gives the same wherever it stands in its region.
fn moves(context: &Context<'_>, instruction: &Instruction) -> bool {
    let row = instruction.op.row();
    match (row.class, instruction.attrs.target) {
        (Class::Writes, _) => false,
        (_, Target::Array(id)) => context.program.arrays[id.index()].constant,
        (_, Target::Shared(_)) => false,
        (_, Target::Resource(id) | Target::Sampled(id, _)) => {
            context.program.interface.resource(id).access == gpuproof_program::Access::Read
        }
        _ => row.scope == Scope::Lane || row.scope == Scope::Quad,
    }
}

/// Whether an operation loads a number of memory, of which several may stand in one vector.
fn is_load(op: Op) -> bool {
    matches!(op, Op::BufferLoad | Op::StructuredLoad | Op::ArrayLoad)
}

/// Whether the numbers that a group loads may all be loaded where the first is: from memory that nothing changes.
fn is_early(context: &Context<'_>, first: &Instruction) -> bool {
    is_load(first.op) && moves(context, first)
}

/// Whether an operation works on each component alone, so that several are one of vectors.
fn is_componentwise(instruction: &Instruction) -> bool {
    let op = instruction.op;
    let dot = matches!(op, Op::FDot2 | Op::FDot3 | Op::FDot4 | Op::UDot4x8 | Op::SDot4x8 | Op::UMsad);
    let single = instruction.results.len() == 1 && instruction.attrs.target == Target::None;
    let helper = matches!(op, Op::SMulHigh | Op::UMulHigh | Op::FConvert);
    single && !dot && !helper && op.row().class == Class::Pure && matches!(op.row().scope, Scope::Lane | Scope::Quad)
}

/// Values that are written out wherever they are used: constants, inputs, members of constant buffers, and signs.
pub(super) fn is_leaf(context: &Context<'_>, instruction: &Instruction) -> bool {
    matches!(instruction.op, Op::Const | Op::Undef | Op::Input | Op::FNeg | Op::FAbs)
        || (instruction.op == Op::BufferLoad && context.fixed_row(instruction).is_some())
}

/// The groups of a function, and which of them gives each value.
pub(super) struct Groups<'a> {
    pub(super) all: Vec<Group<'a>>,
    pub(super) of_value: HashMap<Value, (usize, usize)>,
    /// The group that is written at each instruction: the one whose last member it is.
    pub(super) at: HashMap<*const Instruction, usize>,
    regions: HashMap<*const Node, usize>,
}

impl<'a> Groups<'a> {
    pub(super) fn of(context: &Context<'_>, function: &'a Function) -> Groups<'a> {
        let mut groups = Groups { all: Vec::new(), of_value: HashMap::new(), at: HashMap::new(), regions: HashMap::new() };
        groups.form(context, &function.body);
        groups.count_uses(context, &function.body);
        groups
    }

    fn form(&mut self, context: &Context<'_>, region: &'a Region) {
        let number = self.regions.len();
        self.regions.insert(region.as_ptr(), number);
        // Groups that may still grow.
        let mut open: Vec<usize> = Vec::new();
        for node in region {
            let Node::Op(instruction) = node else {
                open.clear();
                for inner in node.regions() {
                    self.form(context, inner);
                }
                continue;
            };
            let needs =
                |group: &usize| instruction.args.iter().any(|arg| self.of_value.get(arg).is_some_and(|of| of.0 == *group));
            open.retain(|group| !needs(group) || is_early(context, self.all[*group].members[0]));
            if is_leaf(context, instruction) {
                // What a sign is put before is used where the sign is used.
                continue;
            }
            let joined = open.iter().copied().find(|group| self.joins(context, &self.all[*group], instruction));
            let group = joined.unwrap_or_else(|| {
                let ty = instruction.results.first().map_or(Ty::U32, |result| context.types[result.index()]);
                self.all.push(Group {
                    members: Vec::new(),
                    results: Vec::new(),
                    ty,
                    region: number,
                    uses: 0,
                    whole: false,
                    same_region: false,
                    needed: false,
                });
                if is_componentwise(instruction) || is_load(instruction.op) || matches!(instruction.op, Op::Output | Op::InputAt)
                {
                    open.push(self.all.len() - 1);
                }
                self.all.len() - 1
            });
            let made = &mut self.all[group];
            let stays = made.members.first().is_some_and(|first| is_early(context, first));
            if let Some(last) = made.members.last().filter(|_| !stays) {
                self.at.remove(&std::ptr::from_ref::<Instruction>(last));
            }
            made.members.push(instruction);
            for result in &instruction.results {
                self.of_value.insert(*result, (group, made.results.len()));
                made.results.push(*result);
            }
            if !stays {
                self.at.insert(std::ptr::from_ref(instruction), group);
            }
        }
    }

    /// Whether an operation is one more component of a group.
    fn joins(&self, context: &Context<'_>, group: &Group<'_>, instruction: &Instruction) -> bool {
        let last = group.members[group.members.len() - 1];
        if group.members.len() >= 4 || last.op != instruction.op {
            return false;
        }
        if let (Target::Output(a, x), Target::Output(b, y)) = (last.attrs.target, instruction.attrs.target) {
            let word = |id, component| context.vocabulary.output(id, component).map(|(word, _)| &word.ident);
            return y > x && word(a, x) == word(b, y);
        }
        if instruction.op == Op::InputAt {
            let input = |of: &Instruction| match of.attrs.target {
                Target::Input(id, _) => Some(id),
                _ => None,
            };
            let place = last.args.iter().zip(&instruction.args).all(|(a, b)| context.same(*a, *b));
            return place && input(last) == input(instruction) && last.attrs.detail == instruction.attrs.detail;
        }
        if is_load(instruction.op) {
            return context.beside(last, instruction).is_some() && last.origin.line == instruction.origin.line;
        }
        let same = last.attrs == instruction.attrs
            && (last.origin.line, last.origin.column) == (instruction.origin.line, instruction.origin.column)
            && instruction.origin.component > last.origin.component;
        let ty = |instruction: &Instruction, at: usize| context.types[instruction.args[at].index()];
        let comparison = instruction.results.first().is_some_and(|result| context.types[result.index()] == Ty::Bool);
        let operands = !comparison || (0..instruction.args.len()).all(|at| ty(last, at) == ty(instruction, at));
        // Both or neither of a sum's parts are subtracted.
        let signs = |instruction: &Instruction| -> Vec<bool> {
            instruction.args.iter().map(|arg| context.definitions.op(*arg, Op::FNeg).is_some()).collect()
        };
        let result = |instruction: &Instruction| instruction.results.first().map(|result| context.types[result.index()]);
        // Offsets and widths of fields are numbers, whatever the size of the vector.
        let fields = !matches!(instruction.op, Op::UExtract | Op::SExtract | Op::IInsert)
            || last.args.iter().rev().zip(instruction.args.iter().rev()).take(2).all(|(a, b)| context.same(*a, *b));
        same && operands
            && fields
            && result(last) == result(instruction)
            && (instruction.op != Op::FAdd || signs(last) == signs(instruction))
    }

    fn count_uses(&mut self, context: &Context<'_>, region: &'a Region) {
        let number = self.regions[&region.as_ptr()];
        for node in region.iter().rev() {
            for inner in node.regions().into_iter().rev() {
                self.count_uses(context, inner);
            }
            match node {
                Node::Op(instruction) => {
                    let Some(group) = self.at.get(&std::ptr::from_ref(instruction)).copied() else { continue };
                    let effect = instruction.op.row().class == Class::Writes;
                    let found = &self.all[group];
                    if !(found.needed || effect) {
                        continue;
                    }
                    for operand in operands(context, &found.members) {
                        self.use_of(context, &operand, number);
                    }
                    self.all[group].needed = true;
                }
                _ => {
                    for value in crate::flow::operands(node) {
                        self.use_of(context, &Operand { values: vec![value], ty: None }, number);
                    }
                }
            }
        }
    }

    fn use_of(&mut self, context: &Context<'_>, operand: &Operand, region: usize) {
        let values: Vec<Value> = operand.values.iter().map(|value| context.unsigned(*value)).collect();
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
            made.same_region = made.region == region;
            made.uses += 1;
            made.needed = true;
        }
    }
}
