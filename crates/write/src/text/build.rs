//! From structured control flow over scalars to statements and expressions of vectors.

use super::facts::{Facts, input_type};
use super::group::{Groups, is_leaf};
use super::names::Names;
use super::pack::Packs;
use super::tree::{Arm, At, Expr, Kind, Memory, Place, Question, Scalar, Statement, Type};
use crate::WriteError;
use crate::structure::{self, Body, Condition, Flag, Structured};
use gpuproof_program::{Class, Detail, InputId, Instruction, Op, ResourceId, Target, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Expressions of more parts than this get a name.
const HEAVIEST: usize = 24;

/// What holds a value: a name, an input, a row of a constant buffer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Base {
    Name(Rc<str>, Type),
    Input(InputId),
    Row(ResourceId, u32),
    /// A member of a constant buffer, and which of its vectors.
    Member(ResourceId, usize, u32),
}

/// A variable that control flow sets.
#[derive(Clone, Debug)]
struct Variable {
    name: Rc<str>,
    ty: Type,
    component: u8,
}

/// Writes the statements of a function.
pub(super) struct Builder<'p> {
    pub(super) facts: Facts<'p>,
    pub(super) groups: Groups<'p>,
    packs: Packs,
    names: Names,
    /// Where values are held, and in which component of that.
    named: HashMap<Value, (Base, Option<u8>)>,
    /// Expressions that are written where they are used, by group.
    pub(super) waiting: HashMap<usize, Expr>,
    variables: HashMap<Value, Variable>,
    flags: HashMap<Flag, Rc<str>>,
    /// The variables that are declared at a statement.
    declared: HashMap<*const structure::Statement<'p>, Vec<Thing>>,
    /// The variables that were declared with what the statement at hand sets them to.
    set: HashSet<Value>,
    out: Vec<Statement>,
}

/// What is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Thing {
    Variable(Value),
    Flag(Flag),
}

impl<'p> Builder<'p> {
    pub(super) fn new(facts: Facts<'p>, structured: &Structured<'p>, names: Names) -> Builder<'p> {
        let groups = Groups::of(&facts, structured);
        let packs = Packs::of(&facts, &groups);
        Builder {
            facts,
            groups,
            packs,
            names,
            named: HashMap::new(),
            waiting: HashMap::new(),
            variables: HashMap::new(),
            flags: HashMap::new(),
            declared: HashMap::new(),
            set: HashSet::new(),
            out: Vec::new(),
        }
    }

    /// The statements.
    pub(super) fn write(mut self, structured: &Structured<'p>) -> Result<Vec<Statement>, WriteError> {
        self.place_declarations(&structured.body, &mut HashSet::new());
        self.body(&structured.body)?;
        // The end of the function returns anyway.
        self.out.pop_if(|last| *last == Statement::Return);
        Ok(self.out)
    }

    pub(super) fn unsupported(&self, instruction: &Instruction, what: &str) -> WriteError {
        WriteError::at(self.facts.program, instruction.origin, what)
    }

    /// Finds the statement before which each variable is declared: the first in the innermost body that has all of its uses.
    fn place_declarations(&mut self, body: &Body<'p>, declared: &mut HashSet<Thing>) {
        let mut count: HashMap<Thing, (usize, usize)> = HashMap::new();
        let mut direct: HashSet<Thing> = HashSet::new();
        for (at, statement) in body.iter().enumerate() {
            let mut inside = HashSet::new();
            mentions(statement, &mut inside);
            direct.extend(own_mentions(statement));
            for thing in inside {
                let seen = count.entry(thing).or_insert((at, 0));
                seen.1 += 1;
            }
        }
        let mut here: Vec<(usize, Thing)> = count
            .iter()
            .filter(|(thing, (_, count))| !declared.contains(*thing) && (*count > 1 || direct.contains(*thing)))
            .map(|(thing, (at, _))| (*at, *thing))
            .collect();
        here.sort_by_key(|(at, thing)| (*at, *thing));
        for (at, thing) in here {
            declared.insert(thing);
            self.declared.entry(std::ptr::from_ref(&body[at])).or_default().push(thing);
        }
        for statement in body {
            for inner in inner_bodies(statement) {
                self.place_declarations(inner, declared);
            }
        }
    }

    fn body(&mut self, body: &Body<'p>) -> Result<(), WriteError> {
        for statement in body {
            let here = self.declared.remove(&std::ptr::from_ref(statement)).unwrap_or_default();
            self.declare(&here, statement)?;
            self.statement(statement)?;
            self.set.clear();
        }
        Ok(())
    }

    /// Declares variables before a statement; those that it sets itself, with what it sets.
    fn declare(&mut self, things: &[Thing], statement: &structure::Statement<'p>) -> Result<(), WriteError> {
        let mut values: Vec<Value> = Vec::new();
        for thing in things {
            match thing {
                Thing::Variable(value) => values.push(*value),
                Thing::Flag(flag) => {
                    let name: Rc<str> = self.names.unique("leave").into();
                    self.flags.insert(*flag, name.clone());
                    let no = Expr::literal(Scalar::Bool, 0);
                    self.out.push(Statement::Variable(name, no.ty, Some(no)));
                }
            }
        }
        values.sort_unstable();
        let mut rest = &values[..];
        while let Some(first) = rest.first() {
            let (pack, after) = rest.split_at(self.packs.run(rest));
            rest = after;
            let ty = Type::new(self.facts.ty(*first), pack.len());
            let name: Rc<str> =
                self.names.local(if matches!(statement, structure::Statement::Assign(_)) { 'i' } else { 'r' }).into();
            for (at, value) in pack.iter().enumerate() {
                self.variables.insert(*value, Variable { name: name.clone(), ty, component: at as u8 });
            }
            let initial = match statement {
                structure::Statement::Assign(pairs) => {
                    let given = |value: &Value| pairs.iter().find(|(to, _)| to == value).map(|(_, from)| *from);
                    let given: Option<Vec<Value>> = pack.iter().map(given).collect();
                    given.map(|from| {
                        self.set.extend(pack);
                        self.vector(&from, ty.scalar).widened(pack.len())
                    })
                }
                _ => None,
            };
            self.out.push(Statement::Variable(name, ty, initial));
        }
        Ok(())
    }

    /// Statements written by `inside`, apart from those at hand.
    fn inner(&mut self, inside: impl FnOnce(&mut Self) -> Result<(), WriteError>) -> Result<Vec<Statement>, WriteError> {
        let outer = std::mem::take(&mut self.out);
        inside(self)?;
        Ok(std::mem::replace(&mut self.out, outer))
    }

    fn statement(&mut self, statement: &structure::Statement<'p>) -> Result<(), WriteError> {
        match statement {
            structure::Statement::Op(instruction) => return self.instruction(instruction),
            structure::Statement::Assign(pairs) => self.assign(pairs),
            structure::Statement::Read(values) => {
                for value in *values {
                    let Some(variable) = self.variables.get(value).cloned() else { continue };
                    let component = (variable.ty.size > 1).then_some(variable.component);
                    self.named.insert(*value, (Base::Name(variable.name, variable.ty), component));
                }
            }
            structure::Statement::If { condition, then, otherwise, .. } => {
                let condition = match condition {
                    Condition::Value(value) => self.vector(&[*value], Scalar::Bool),
                    Condition::Flag(flag) => Expr::name(&self.flags[flag], Type::new(Scalar::Bool, 1)),
                };
                let then = self.inner(|this| this.body(then))?;
                let otherwise = self.inner(|this| this.body(otherwise))?;
                match (then.is_empty(), otherwise.is_empty()) {
                    (true, true) => {}
                    (true, false) => self.out.push(Statement::If(super::expression::not(condition), otherwise, then)),
                    _ => self.out.push(Statement::If(condition, then, otherwise)),
                }
            }
            structure::Statement::Loop { once, body, .. } => {
                let body = self.inner(|this| this.body(body))?;
                self.out.push(Statement::Loop(body, *once));
            }
            structure::Statement::Switch { selector, arms, .. } => {
                let selector = self.vector(&[*selector], Scalar::U32);
                let mut written = Vec::with_capacity(arms.len());
                for arm in arms {
                    let body = self.inner(|this| this.body(&arm.body))?;
                    written.push(Arm { selectors: arm.selectors.to_vec(), is_default: arm.is_default, body });
                }
                self.out.push(Statement::Switch(selector, written));
            }
            structure::Statement::Break => self.out.push(Statement::Break),
            structure::Statement::Continue => self.out.push(Statement::Continue),
            structure::Statement::FallThrough => {
                return Err(WriteError::Internal("an arm falls through after arms were unfolded".into()));
            }
            structure::Statement::Set(flag, value) => {
                let flag = Expr::name(&self.flags[flag], Type::new(Scalar::Bool, 1));
                self.out.push(Statement::Assign(flag, Expr::literal(Scalar::Bool, u32::from(*value))));
            }
            structure::Statement::Return(_) => self.out.push(Statement::Return),
        }
        Ok(())
    }

    /// Sets variables, all of whose values are read before the first is set.
    fn assign(&mut self, pairs: &[(Value, Value)]) {
        // What was declared with its value just now is set already.
        let open = |to: &Value| self.variables.contains_key(to) && !self.set.contains(to);
        let pairs: Vec<(Value, Value)> = pairs.iter().copied().filter(|(to, _)| open(to)).collect();
        let mut set: Vec<(Expr, Expr)> = Vec::new();
        let mut rest = &pairs[..];
        while let Some((first, _)) = rest.first() {
            let variable = self.variables[first].clone();
            let follows = |(at, (to, _)): (usize, &(Value, Value))| {
                let other = &self.variables[to];
                other.name == variable.name && usize::from(other.component) == usize::from(variable.component) + at
            };
            let count = rest.iter().enumerate().take_while(|pair| follows((pair.0, pair.1))).count();
            let (now, after) = rest.split_at(count);
            rest = after;
            let from: Vec<Value> = now.iter().map(|(_, from)| *from).collect();
            let value = self.vector(&from, variable.ty.scalar).widened(count);
            let components: Vec<u8> = (variable.component..variable.component + count as u8).collect();
            let target = Expr::name(&variable.name, variable.ty).components(&components);
            if target != value {
                set.push((target, value));
            }
        }
        for at in 1..set.len() {
            let (before, now) = set.split_at_mut(at);
            let clashes = before.iter().any(|(target, _)| {
                let mut name = None;
                target.each(&mut |inner| {
                    if let Kind::Name(own) = &inner.kind {
                        name = Some(own.clone());
                    }
                });
                name.is_some_and(|name| now[0].1.reads(&name))
            });
            if clashes {
                let name: Rc<str> = self.names.unique("next").into();
                let held = Expr::name(&name, now[0].1.ty);
                let value = std::mem::replace(&mut now[0].1, held);
                self.out.push(Statement::Let(name, value));
            }
        }
        self.out.extend(set.into_iter().map(|(target, value)| Statement::Assign(target, value)));
    }

    fn instruction(&mut self, instruction: &'p Instruction) -> Result<(), WriteError> {
        let Some(at) = self.groups.written_at(instruction) else { return Ok(()) };
        if !self.groups.all[at].needed {
            return Ok(());
        }
        let group = self.groups.all[at].clone();
        let first = group.members[0];
        if first.op.row().class == Class::Writes && (group.uses == 0 || first.results.is_empty()) {
            let effect = self.effect(&group.members)?;
            self.out.extend(effect);
            return Ok(());
        }
        if matches!(first.op, Op::TextureSize | Op::UAddCarry | Op::USubBorrow) {
            return self.several(first);
        }
        if first.results.get(4).is_some_and(|status| self.facts.used.contains(status)) {
            return Err(self.unsupported(first, "whether a texture was mapped where it was read"));
        }
        let value = self.expression(&group.members)?;
        if group.inline(&self.facts) && value.weight() <= HEAVIEST {
            self.waiting.insert(at, value);
            return Ok(());
        }
        self.keep(first, &group.results, value);
        Ok(())
    }

    /// Gives an expression a name, which holds these values.
    fn keep(&mut self, instruction: &Instruction, results: &[Value], value: Expr) {
        let name: Rc<str> = match (instruction.op, instruction.attrs.target) {
            (Op::Sample | Op::Gather | Op::TexelLoad, Target::Sampled(id, _) | Target::Resource(id)) => {
                self.names.unique(&format!("{}_texel", self.facts.program.interface.resource(id).name)).into()
            }
            _ => self.names.local('v').into(),
        };
        let ty = value.ty;
        for (component, result) in results.iter().enumerate() {
            // A number may stand for all components.
            let component = (ty.size > 1).then_some(component as u8);
            self.named.insert(*result, (Base::Name(name.clone(), ty), component));
        }
        self.out.push(Statement::Let(name, value));
    }

    /// An operation of several results that are separate expressions.
    fn several(&mut self, first: &'p Instruction) -> Result<(), WriteError> {
        let used = |this: &Self, results: &[Value]| results.iter().any(|result| this.facts.used.contains(result));
        let mut parts: Vec<(Vec<Value>, Expr)> = Vec::new();
        if first.op == Op::TextureSize {
            let size = self.lookup(first, Question::Size)?;
            let count = size.size();
            let Kind::Texture(lookup) = &size.kind else { return Err(self.unsupported(first, "this size")) };
            let arrayed = lookup.shape.arrayed;
            parts.push((first.results[..count].to_vec(), size));
            let mut next = count;
            if arrayed && next < 3 {
                parts.push((vec![first.results[next]], self.lookup(first, Question::Layers)?));
                next += 1;
            }
            let zeros = first.results[next.min(3)..3].iter().map(|result| (vec![*result], Expr::literal(Scalar::U32, 0)));
            parts.extend(zeros);
            parts.push((vec![first.results[3]], self.lookup(first, Question::Levels)?));
        } else {
            let [a, b] = [0, 1].map(|at| first.args[at]);
            let (a, b) = (self.vector(&[a], Scalar::U32), self.vector(&[b], Scalar::U32));
            use super::tree::Binary;
            let (main, second) = if first.op == Op::UAddCarry {
                let main = Expr::binary(Binary::Add, Scalar::U32, a.clone(), b);
                let carry = Expr::binary(Binary::Lt, Scalar::Bool, main.clone(), a);
                (main, carry)
            } else {
                let main = Expr::binary(Binary::Sub, Scalar::U32, a.clone(), b.clone());
                (main, Expr::binary(Binary::Lt, Scalar::Bool, a, b))
            };
            parts.push((vec![first.results[0]], main));
            parts.push((vec![first.results[1]], second));
        }
        for (results, value) in parts {
            if used(self, &results) {
                self.keep(first, &results, value);
            }
        }
        Ok(())
    }

    /// An operation that writes.
    fn effect(&mut self, members: &[&'p Instruction]) -> Result<Option<Statement>, WriteError> {
        let first = members[0];
        Ok(Some(match first.op {
            Op::Output => {
                let Target::Output(id, _) = first.attrs.target else { return Err(self.unsupported(first, "this output")) };
                let output = self.facts.program.interface.output(id);
                let base = output.mask.trailing_zeros() as u8;
                let size = usize::from(8 - output.mask.leading_zeros() as u8 - base);
                let component = |member: &&Instruction| match member.attrs.target {
                    Target::Output(_, component) => component.saturating_sub(base),
                    _ => 0,
                };
                let mut members = members.to_vec();
                members.sort_by_key(|member| component(member));
                let components: Vec<u8> = members.iter().map(component).collect();
                let scalar = Scalar::of(output.kind, gpuproof_program::Width::W32);
                let target = Expr::new(scalar, size, Kind::Output(id));
                let target = if size == 1 { target } else { target.components(&components) };
                let values: Vec<Value> = members.iter().map(|member| member.args[0]).collect();
                Statement::Assign(target, self.vector(&values, scalar).widened(components.len()))
            }
            Op::Demote => Statement::Discard(self.vector(&first.args, Scalar::Bool)),
            Op::Barrier => match first.attrs.detail {
                Detail::Barrier(barrier) => Statement::Barrier(barrier),
                _ => return Err(self.unsupported(first, "this barrier")),
            },
            Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => {
                let place = self.place(&[first])?;
                let scalar = self.facts.cell(place.memory);
                let value = self.vector(&first.args[first.args.len() - 1..], scalar);
                Statement::Store(place, value)
            }
            Op::TexelStore => self.texel_store(first)?,
            Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic => Statement::Effect(self.atomic(first)?),
            Op::TexelAtomic => Statement::Effect(self.texel_atomic(first)?),
            Op::CounterAlloc | Op::CounterConsume => Statement::Effect(self.expression(members)?),
            _ => return Err(WriteError::operation(self.facts.program, first)),
        }))
    }

    /// Any integer: of the type that the value has.
    pub(super) fn integer(&mut self, value: Value) -> Expr {
        let scalar = match self.facts.ty(value) {
            Scalar::I32 if self.facts.constant(value).is_none() => Scalar::I32,
            _ => Scalar::U32,
        };
        self.vector(&[value], scalar)
    }

    /// Values as one expression of a type; a number where all are the same.
    pub(super) fn vector(&mut self, values: &[Value], scalar: Scalar) -> Expr {
        self.raw(values, Some(scalar)).cast(scalar)
    }

    fn raw(&mut self, values: &[Value], want: Option<Scalar>) -> Expr {
        let same = values.windows(2).all(|pair| self.facts.same(pair[0], pair[1]));
        if same {
            return self.number(values[0], want);
        }
        if let Some(signed) = self.signed(values) {
            return signed;
        }
        let held: Vec<(Base, Option<u8>)> = values.iter().filter_map(|value| self.base(*value)).collect();
        if held.len() == values.len() && held.iter().all(|part| part.0 == held[0].0 && part.1.is_some()) {
            let components: Vec<u8> = held.iter().filter_map(|part| part.1).collect();
            return self.held(&held[0].0, &components);
        }
        if let Some(pending) = self.pending(values) {
            return pending;
        }
        // Pieces that belong together are written together.
        let scalar = want.unwrap_or_else(|| self.facts.ty(values[0]));
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < values.len() {
            let base = |this: &Self, value: Value| this.base(value).filter(|base| base.1.is_some()).map(|base| base.0);
            let own = base(self, values[at]);
            let mut end = at + 1;
            while own.is_some() && end < values.len() && base(self, values[end]) == own {
                end += 1;
            }
            // A number that stands for several is one too few.
            pieces.push(self.raw(&values[at..end], Some(scalar)).cast(scalar).widened(end - at));
            at = end;
        }
        Expr::new(scalar, values.len(), Kind::Vector(pieces))
    }

    /// Values that all have a sign before them.
    fn signed(&mut self, values: &[Value]) -> Option<Expr> {
        for op in [Op::FNeg, Op::FAbs] {
            let inner: Option<Vec<Value>> =
                values.iter().map(|value| self.facts.definitions.op(*value, op).map(|sign| sign.args[0])).collect();
            if let Some(inner) = inner {
                let inner = self.vector(&inner, Scalar::F32);
                let ty = inner.ty;
                return Some(match op {
                    Op::FNeg => super::expression::minus(inner),
                    _ => Expr { ty, kind: Kind::Call(super::tree::Builtin::Abs, vec![inner]) },
                });
            }
        }
        None
    }

    /// What holds a value, and in which component.
    pub(super) fn base(&self, value: Value) -> Option<(Base, Option<u8>)> {
        if let Some(named) = self.named.get(&value) {
            return Some(named.clone());
        }
        let instruction = self.facts.definitions.get(value)?;
        if !is_leaf(&self.facts, instruction) {
            return None;
        }
        match (instruction.op, instruction.attrs.target) {
            (Op::Input, Target::Input(id, component)) => {
                let mask = self.facts.program.interface.input(id).mask;
                let first = mask.trailing_zeros() as u8;
                let several = self.input_size(id) > 1;
                Some((
                    Base::Input(id),
                    several.then(|| component.saturating_sub(if several && self.is_builtin(id) { 0 } else { first })),
                ))
            }
            (Op::BufferLoad, Target::Resource(id)) => {
                let offset = self.facts.fixed_row(instruction)?;
                if let Some((at, vector, component)) = self.facts.members.at(id, offset) {
                    let several = self.facts.members.0[&id][at].size > 1;
                    return Some((Base::Member(id, at, vector), several.then_some(component)));
                }
                Some((Base::Row(id, offset / 16), Some((offset / 4 % 4) as u8)))
            }
            _ => None,
        }
    }

    fn is_builtin(&self, id: InputId) -> bool {
        self.facts.program.interface.input(id).builtin.is_some_and(|builtin| builtin_size(builtin).is_some())
    }

    /// How many numbers an input has as languages see it.
    fn input_size(&self, id: InputId) -> usize {
        input_size(self.facts.program, id)
    }

    fn held(&mut self, base: &Base, components: &[u8]) -> Expr {
        match base {
            Base::Name(name, ty) if components.is_empty() => Expr::name(name, *ty),
            Base::Name(name, ty) => Expr::name(name, *ty).components(components),
            Base::Input(id) => {
                let size = self.input_size(*id);
                let whole = Expr::new(input_type(self.facts.program, *id), size, Kind::Input(*id));
                if size == 1 { whole } else { whole.components(components) }
            }
            Base::Member(id, at, vector) => {
                let member = &self.facts.members.0[id][*at];
                let place = Place {
                    memory: Memory::Resource(*id),
                    element: None,
                    at: At::Member(*at, member.rows.map(|_| Expr::literal(Scalar::U32, *vector))),
                    components: components.to_vec(),
                };
                Expr::new(member.scalar, components.len().max(1), Kind::Load(Box::new(place)))
            }
            Base::Row(id, row) => {
                let memory = Memory::Resource(*id);
                let at = At::Row(Expr::literal(Scalar::U32, *row));
                let place = Place { memory, element: None, at, components: components.to_vec() };
                Expr::new(self.facts.cell(memory), components.len(), Kind::Load(Box::new(place)))
            }
        }
    }

    /// One value.
    fn number(&mut self, value: Value, want: Option<Scalar>) -> Expr {
        if let Some(signed) = self.signed(&[value]) {
            return signed;
        }
        if let Some((base, component)) = self.base(value) {
            return self.held(&base, component.as_slice());
        }
        if let Some(pending) = self.pending(&[value]) {
            return pending;
        }
        let scalar = match (want.unwrap_or_else(|| self.facts.ty(value)), self.facts.ty(value)) {
            (_, Scalar::Bool) => Scalar::Bool,
            (want, _) => want,
        };
        // A constant; what nothing wrote stands for 0.
        let bits = match self.facts.definitions.get(value) {
            Some(Instruction { op: Op::Const, attrs, .. }) => match attrs.target {
                Target::Bits(bits) => bits as u32,
                _ => 0,
            },
            _ => 0,
        };
        Expr::literal(scalar, bits)
    }

    /// What waits to be written where it is used.
    fn pending(&mut self, values: &[Value]) -> Option<Expr> {
        let (group, _) = self.groups.of_value.get(&values[0]).copied()?;
        let waiting = self.waiting.get(&group)?.clone();
        let component =
            |value: &Value| self.groups.of_value.get(value).filter(|found| found.0 == group).map(|found| found.1 as u8);
        let components: Vec<u8> = values.iter().map(component).collect::<Option<_>>()?;
        Some(if waiting.size() == 1 { waiting } else { waiting.components(&components) })
    }
}

/// How many numbers a builtin has in every language; none for those that have what their register has.
pub(super) fn builtin_size(builtin: gpuproof_program::Builtin) -> Option<usize> {
    use gpuproof_program::Builtin as B;
    Some(match builtin {
        B::Position => 4,
        B::LocalInvocationId | B::GlobalInvocationId | B::WorkgroupId | B::NumWorkgroups => 3,
        _ => return None,
    })
}

/// How many numbers an input has as languages see it.
pub(super) fn input_size(program: &gpuproof_program::Program, id: InputId) -> usize {
    let input = program.interface.input(id);
    match input.builtin.and_then(builtin_size) {
        Some(size) => size,
        None => (8 - input.mask.leading_zeros() - input.mask.trailing_zeros().min(7)) as usize,
    }
}

fn own_mentions(statement: &structure::Statement<'_>) -> Vec<Thing> {
    match statement {
        structure::Statement::Assign(pairs) => pairs.iter().map(|(to, _)| Thing::Variable(*to)).collect(),
        structure::Statement::Read(values) => values.iter().map(|value| Thing::Variable(*value)).collect(),
        structure::Statement::If { condition: Condition::Flag(flag), .. } | structure::Statement::Set(flag, _) => {
            vec![Thing::Flag(*flag)]
        }
        _ => Vec::new(),
    }
}

fn mentions(statement: &structure::Statement<'_>, found: &mut HashSet<Thing>) {
    found.extend(own_mentions(statement));
    for body in inner_bodies(statement) {
        body.iter().for_each(|inner| mentions(inner, found));
    }
}

fn inner_bodies<'b, 'p>(statement: &'b structure::Statement<'p>) -> Vec<&'b Body<'p>> {
    match statement {
        structure::Statement::If { then, otherwise, .. } => vec![then, otherwise],
        structure::Statement::Loop { body, .. } => vec![body],
        structure::Statement::Switch { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        _ => Vec::new(),
    }
}
