//! Functions: blocks, values, variables.

use super::Writer;
use super::module::Scalar;
use crate::WriteError;
use crate::structure::{Arm, Body, Condition, Flag, Statement, Structured, structure};
use gpuproof_program::{Attrs, Function, FunctionId, Instruction, Op as Operation, Target, Value, Width};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{FunctionControl, LoopControl, Op, SelectionControl, StorageClass, Word};
use std::collections::{HashMap, HashSet};

/// How the bits of a value are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum View {
    /// As a truth value or an unsigned number.
    Bits,
    /// As a float.
    Float,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
struct Exits {
    merge: Word,
    next: Option<Word>,
}

/// A function under construction.
pub(super) struct Code<'w, 'p> {
    pub(super) w: &'w mut Writer<'p>,
    pub(super) function: &'p Function,
    pub(super) id: FunctionId,
    blocks: Vec<dr::Block>,
    /// The block at hand; none behind a branch.
    open: Option<dr::Block>,
    views: HashMap<(Value, View), Word>,
    /// What each open scope added to `views`.
    scopes: Vec<Vec<(Value, View)>>,
    variables: HashMap<Value, Word>,
    flags: HashMap<Flag, Word>,
    exits: Vec<Exits>,
    next_arm: Option<Word>,
}

/// The type that a function returns: nothing, a number, or a structure of several.
pub(super) fn result_type(w: &mut Writer<'_>, results: &[Width]) -> Word {
    match results {
        [] => w.module.void(),
        [one] => w.module.scalar(Scalar::of(*one)),
        several => {
            let members: Vec<Operand> = several.iter().map(|width| Operand::IdRef(w.module.scalar(Scalar::of(*width)))).collect();
            w.module.ty(Op::TypeStruct, members)
        }
    }
}

/// Writes a function.
pub(super) fn write(w: &mut Writer<'_>, id: FunctionId) -> Result<(), WriteError> {
    let program = w.program;
    let function = program.function(id);
    let Structured { body, variables, flags } =
        structure(function).map_err(|_| WriteError::whole("an arm of a switch that falls through from inside a loop"))?;
    let result = result_type(w, &function.results);
    let mut signature = vec![Operand::IdRef(result)];
    let widths: Vec<Width> = function.params.iter().map(|param| function.width(*param)).collect();
    signature.extend(widths.iter().map(|width| Operand::IdRef(w.module.scalar(Scalar::of(*width)))));
    let ty = w.module.ty(Op::TypeFunction, signature);
    let own = w.functions[id.index()];
    w.module.name(own, &function.name);
    let operands = vec![Operand::FunctionControl(FunctionControl::NONE), Operand::IdRef(ty)];
    let def = dr::Instruction::new(Op::Function, Some(result), Some(own), operands);
    let mut code = Code {
        w,
        function,
        id,
        blocks: Vec::new(),
        open: None,
        views: HashMap::new(),
        scopes: vec![Vec::new()],
        variables: HashMap::new(),
        flags: HashMap::new(),
        exits: Vec::new(),
        next_arm: None,
    };
    let mut parameters = Vec::new();
    for (param, width) in function.params.iter().zip(widths) {
        let (ty, id) = (code.w.module.scalar(Scalar::of(width)), code.w.module.id());
        parameters.push(dr::Instruction::new(Op::FunctionParameter, Some(ty), Some(id), Vec::new()));
        code.define(*param, View::Bits, id);
    }
    let label = code.w.module.id();
    code.begin(label);
    code.declare(&variables, flags);
    code.body(&body)?;
    if code.open.is_some() {
        code.end(if function.results.is_empty() { Op::Return } else { Op::Unreachable }, Vec::new());
    }
    let blocks = code.blocks;
    let end = Some(dr::Instruction::new(Op::FunctionEnd, None, None, Vec::new()));
    w.module.dr.functions.push(dr::Function { def: Some(def), end, parameters, blocks });
    Ok(())
}

impl<'p> Code<'_, 'p> {
    fn declare(&mut self, variables: &[Value], flags: u32) {
        let local = |this: &mut Self, scalar: Scalar, initial: Option<Word>| {
            let ty = this.w.module.scalar(scalar);
            let pointer = this.w.module.pointer(StorageClass::Function, ty);
            let mut operands = vec![Operand::StorageClass(StorageClass::Function)];
            operands.extend(initial.map(Operand::IdRef));
            this.op(Op::Variable, pointer, operands)
        };
        for value in variables {
            let variable = local(self, Scalar::of(self.function.width(*value)), None);
            self.variables.insert(*value, variable);
        }
        let no = self.w.module.constant(Scalar::Bool, 0);
        for flag in (0..flags).map(Flag) {
            let variable = local(self, Scalar::Bool, Some(no));
            self.flags.insert(flag, variable);
        }
    }

    fn begin(&mut self, label: Word) {
        let mut block = dr::Block::new();
        block.label = Some(dr::Instruction::new(Op::Label, None, Some(label), Vec::new()));
        self.open = Some(block);
    }

    /// Ends the block at hand, if one is open.
    fn end(&mut self, op: Op, operands: Vec<Operand>) {
        if let Some(mut block) = self.open.take() {
            block.instructions.push(dr::Instruction::new(op, None, None, operands));
            self.blocks.push(block);
        }
    }

    fn go(&mut self, label: Word) {
        self.end(Op::Branch, vec![Operand::IdRef(label)]);
    }

    /// Adds an instruction without a result.
    pub(super) fn effect(&mut self, op: Op, operands: Vec<Operand>) {
        if let Some(block) = &mut self.open {
            block.instructions.push(dr::Instruction::new(op, None, None, operands));
        }
    }

    /// Adds an instruction with a result of this type.
    pub(super) fn op(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.w.module.id();
        if let Some(block) = &mut self.open {
            block.instructions.push(dr::Instruction::new(op, Some(ty), Some(id), operands));
        }
        id
    }

    /// Adds an instruction with operands that are all ids.
    pub(super) fn on(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        self.op(op, ty, operands.iter().map(|id| Operand::IdRef(*id)).collect())
    }

    /// Adds an instruction of GLSL.std.450.
    pub(super) fn glsl(&mut self, op: rspirv::spirv::GlslStd450Op, ty: Word, operands: &[Word]) -> Word {
        let mut all = vec![Operand::IdRef(self.w.module.glsl), Operand::LiteralExtInstInteger(op as u32)];
        all.extend(operands.iter().map(|id| Operand::IdRef(*id)));
        self.op(Op::ExtInst, ty, all)
    }

    pub(super) fn scalar(&mut self, scalar: Scalar) -> Word {
        self.w.module.scalar(scalar)
    }

    /// Says that an id is a value, seen so.
    pub(super) fn define(&mut self, value: Value, view: View, id: Word) {
        if self.views.insert((value, view), id).is_none()
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.push((value, view));
        }
    }

    fn scoped(&mut self, inside: impl FnOnce(&mut Self) -> Result<(), WriteError>) -> Result<(), WriteError> {
        self.scopes.push(Vec::new());
        let done = inside(self);
        for key in self.scopes.pop().unwrap_or_default() {
            self.views.remove(&key);
        }
        done
    }

    pub(super) fn width(&self, value: Value) -> Width {
        self.function.width(value)
    }

    /// The id of a value, seen so.
    pub(super) fn view(&mut self, value: Value, view: View) -> Word {
        if let Some(id) = self.views.get(&(value, view)) {
            return *id;
        }
        let width = self.width(value);
        let scalar = match view {
            View::Bits => Scalar::of(width),
            View::Float => Scalar::float(width),
        };
        if let Some(bits) = self.w.constant(self.id, value) {
            return self.w.module.constant(scalar, bits);
        }
        let other = if view == View::Bits { View::Float } else { View::Bits };
        let Some(from) = self.views.get(&(value, other)).copied() else {
            // A value that only code which no lane reaches defines.
            return self.w.module.constant(scalar, 0);
        };
        let ty = self.w.module.scalar(scalar);
        let id = self.on(Op::Bitcast, ty, &[from]);
        self.define(value, view, id);
        id
    }

    /// Whether a value is held so.
    pub(super) fn has(&self, value: Value, view: View) -> bool {
        self.views.contains_key(&(value, view))
    }

    pub(super) fn bits(&mut self, value: Value) -> Word {
        self.view(value, View::Bits)
    }

    pub(super) fn float(&mut self, value: Value) -> Word {
        self.view(value, View::Float)
    }

    fn body(&mut self, body: &Body<'p>) -> Result<(), WriteError> {
        for statement in body {
            if self.open.is_none() {
                break;
            }
            self.statement(statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement<'p>) -> Result<(), WriteError> {
        match statement {
            Statement::Op(instruction) => self.instruction(instruction)?,
            Statement::Assign(pairs) => {
                let values: Vec<Word> = pairs.iter().map(|(_, value)| self.bits(*value)).collect();
                for ((variable, _), value) in pairs.iter().zip(values) {
                    let variable = self.variables[variable];
                    self.effect(Op::Store, vec![Operand::IdRef(variable), Operand::IdRef(value)]);
                }
            }
            Statement::Read(values) => {
                for value in *values {
                    let ty = self.scalar(Scalar::of(self.width(*value)));
                    let id = self.on(Op::Load, ty, &[self.variables[value]]);
                    self.define(*value, View::Bits, id);
                }
            }
            Statement::If { condition, then, otherwise, .. } => self.branch(*condition, then, otherwise)?,
            Statement::Loop { once, body, .. } => self.repeat(*once, body)?,
            Statement::Switch { selector, arms, .. } => self.switch(*selector, arms)?,
            Statement::Break => {
                if let Some(exits) = self.exits.last().copied() {
                    self.go(exits.merge);
                }
            }
            Statement::Continue => {
                if let Some(next) = self.exits.last().and_then(|exits| exits.next) {
                    self.go(next);
                }
            }
            Statement::FallThrough => {
                if let Some(next) = self.next_arm {
                    self.go(next);
                }
            }
            Statement::Set(flag, value) => {
                let value = self.w.module.constant(Scalar::Bool, u64::from(*value));
                let flag = self.flags[flag];
                self.effect(Op::Store, vec![Operand::IdRef(flag), Operand::IdRef(value)]);
            }
            Statement::Return(values) => {
                let ids: Vec<Word> = values.iter().map(|value| self.bits(*value)).collect();
                match ids.as_slice() {
                    [] => self.end(Op::Return, Vec::new()),
                    [one] => self.end(Op::ReturnValue, vec![Operand::IdRef(*one)]),
                    several => {
                        let ty = result_type(self.w, &self.function.results);
                        let all = self.on(Op::CompositeConstruct, ty, several);
                        self.end(Op::ReturnValue, vec![Operand::IdRef(all)]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends the block at hand by a condition, whose two ways meet at `merge`.
    fn divide(&mut self, condition: Word, yes: Word, no: Word, merge: Word) {
        let none = Operand::SelectionControl(SelectionControl::NONE);
        self.effect(Op::SelectionMerge, vec![Operand::IdRef(merge), none]);
        self.end(Op::BranchConditional, [condition, yes, no].map(Operand::IdRef).to_vec());
    }

    fn branch(&mut self, condition: Condition, then: &Body<'p>, otherwise: &Body<'p>) -> Result<(), WriteError> {
        let condition = match condition {
            Condition::Value(value) => self.bits(value),
            Condition::Flag(flag) => {
                let ty = self.scalar(Scalar::Bool);
                self.on(Op::Load, ty, &[self.flags[&flag]])
            }
        };
        let merge = self.w.module.id();
        let yes = self.w.module.id();
        let no = if otherwise.is_empty() { merge } else { self.w.module.id() };
        self.divide(condition, yes, no, merge);
        for (label, body) in [(yes, then), (no, otherwise)] {
            if label == merge {
                continue;
            }
            self.begin(label);
            self.scoped(|this| this.body(body))?;
            self.go(merge);
        }
        self.begin(merge);
        Ok(())
    }

    /// Does something where a condition holds.
    pub(super) fn where_(&mut self, condition: Word, inside: impl FnOnce(&mut Self)) {
        let [yes, merge] = std::array::from_fn(|_| self.w.module.id());
        self.divide(condition, yes, merge, merge);
        self.begin(yes);
        inside(self);
        self.go(merge);
        self.begin(merge);
    }

    fn repeat(&mut self, once: bool, body: &Body<'p>) -> Result<(), WriteError> {
        let [head, inside, next, merge] = std::array::from_fn(|_| self.w.module.id());
        self.go(head);
        self.begin(head);
        let none = Operand::LoopControl(LoopControl::NONE);
        self.effect(Op::LoopMerge, vec![Operand::IdRef(merge), Operand::IdRef(next), none]);
        self.go(inside);
        self.begin(inside);
        self.exits.push(Exits { merge, next: Some(next) });
        self.scoped(|this| this.body(body))?;
        self.exits.pop();
        self.go(if once { merge } else { next });
        self.begin(next);
        self.go(head);
        self.begin(merge);
        Ok(())
    }

    fn switch(&mut self, selector: Value, arms: &[Arm<'p>]) -> Result<(), WriteError> {
        let selector = self.bits(selector);
        let merge = self.w.module.id();
        let labels: Vec<Word> = arms.iter().map(|_| self.w.module.id()).collect();
        let default = arms.iter().zip(&labels).find(|(arm, _)| arm.is_default).map_or(merge, |(_, label)| *label);
        let mut operands = vec![Operand::IdRef(selector), Operand::IdRef(default)];
        for (arm, label) in arms.iter().zip(&labels) {
            for selector in arm.selectors {
                operands.extend([Operand::LiteralBit32(*selector), Operand::IdRef(*label)]);
            }
        }
        let none = Operand::SelectionControl(SelectionControl::NONE);
        self.effect(Op::SelectionMerge, vec![Operand::IdRef(merge), none]);
        self.end(Op::Switch, operands);
        let next = self.exits.last().and_then(|exits| exits.next);
        for (at, arm) in arms.iter().enumerate() {
            // An arm that nothing enters is not one of the switch's targets.
            if arm.selectors.is_empty() && !arm.is_default {
                continue;
            }
            self.begin(labels[at]);
            self.exits.push(Exits { merge, next });
            let outer = std::mem::replace(&mut self.next_arm, labels.get(at + 1).copied());
            self.scoped(|this| this.body(&arm.body))?;
            self.next_arm = outer;
            self.exits.pop();
            self.go(merge);
        }
        self.begin(merge);
        Ok(())
    }

    /// A call of a function of the program.
    pub(super) fn call(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Target::Function(id) = instruction.attrs.target else { return Err(self.unsupported(instruction)) };
        let called = self.w.program.function(id);
        let ty = result_type(self.w, &called.results);
        let mut operands = vec![self.w.functions[id.index()]];
        operands.extend(instruction.args.iter().map(|value| self.bits(*value)).collect::<Vec<_>>());
        let result = self.on(Op::FunctionCall, ty, &operands);
        match instruction.results.as_slice() {
            [] => {}
            [one] => self.define(*one, View::Bits, result),
            several => {
                for (at, value) in several.iter().enumerate() {
                    let ty = self.scalar(Scalar::of(self.width(*value)));
                    let part = self.part(ty, result, at as u32);
                    self.define(*value, View::Bits, part);
                }
            }
        }
        Ok(())
    }

    /// One member of a composite.
    pub(super) fn part(&mut self, ty: Word, composite: Word, at: u32) -> Word {
        self.op(Op::CompositeExtract, ty, vec![Operand::IdRef(composite), Operand::LiteralBit32(at)])
    }

    pub(super) fn unsupported(&self, instruction: &Instruction) -> WriteError {
        WriteError::operation(self.w.program, instruction)
    }

    pub(super) fn refuse(&self, instruction: &Instruction, what: impl Into<String>) -> WriteError {
        WriteError::at(self.w.program, instruction.origin, what)
    }
}

/// The bits of the constants of a function.
pub(super) fn constants(function: &Function) -> HashMap<Value, u64> {
    let mut found = HashMap::new();
    gpuproof_program::walk(&function.body, &mut |node| {
        let gpuproof_program::Node::Op(instruction) = node else { return };
        match instruction {
            Instruction { op: Operation::Const, attrs: Attrs { target: Target::Bits(bits), .. }, results, .. } => {
                found.insert(results[0], *bits);
            }
            // It stands for 0, as the Program's table has it.
            Instruction { op: Operation::Undef, results, .. } => {
                found.insert(results[0], 0);
            }
            _ => {}
        }
    });
    found
}

/// The values that something uses.
pub(super) fn used(function: &Function) -> HashSet<Value> {
    use gpuproof_program::Node;
    let mut found = HashSet::new();
    gpuproof_program::walk(&function.body, &mut |node| match node {
        Node::Op(instruction) => found.extend(&instruction.args),
        Node::If { condition, .. } => {
            found.insert(*condition);
        }
        Node::Switch { selector, arms, .. } => {
            found.insert(*selector);
            found.extend(arms.iter().flat_map(|arm| &arm.initial));
        }
        Node::Loop { initial, .. } => found.extend(initial),
        Node::Br { values, .. } | Node::Return { values } => found.extend(values),
        Node::Block { .. } | Node::Unreachable => {}
    });
    found
}
