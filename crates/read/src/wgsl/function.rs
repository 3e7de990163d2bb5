//! Statements: a function of naga's to one of the program's.

use super::arith::Arith;
use super::error::{Trouble, fault, unsupported};
use super::interface;
use super::memory::{Index, Pointer, Root, Val, target};
use super::module::{Global, Place, Reader};
use super::types::Leaf;
use super::usage::{Base, Usage, each_statement};
use gpuproof_program::{
    ArrayId, Attrs, Barrier, BarrierScope, Detail, Function, FunctionBuilder, InputId, Label, Local, Op, OutputId, ResourceId,
    SamplerId, Target, Value, Width,
};
use naga::valid::FunctionInfo;
use naga::{Block, Expression, Handle, Span, Statement, SwitchValue, TypeInner};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

type Result<T> = std::result::Result<T, Trouble>;

/// What a function is made for: one for each parameter. Computed parts of pointers and indices are parameters of the function that is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Spec {
    /// A value.
    Numbers,
    /// A pointer to values: copied in and out.
    Copied,
    Array(ArrayId, u32, bool),
    Image(ResourceId, Option<u32>),
    Sampler(SamplerId, Option<u32>),
}

/// How the function returns.
enum Finish {
    /// The entry point: the outputs that the result's numbers go to.
    Entry(Vec<(OutputId, usize, usize)>),
    /// The locals whose values go back to the caller after the result.
    Call(Vec<Local>),
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
struct Exits {
    after: Label,
    next: Option<Label>,
}

/// What a loop's body carries to its continuing part.
struct Carried {
    /// The expressions that the continuing part uses.
    wanted: HashSet<Handle<Expression>>,
    /// Those of them that the body has evaluated, in order, with the locals that hold their values.
    found: Vec<(Handle<Expression>, Val, Vec<Local>)>,
}

/// A function under construction.
pub(super) struct Lower<'r, 'a> {
    pub(super) r: &'r mut Reader<'a>,
    pub(super) f: &'a naga::Function,
    info: &'a FunctionInfo,
    pub(super) b: FunctionBuilder,
    known: HashMap<Handle<Expression>, Val>,
    arguments: Vec<Val>,
    variables: HashMap<Handle<naga::LocalVariable>, Pointer>,
    privates: HashMap<Handle<naga::GlobalVariable>, Rc<[Local]>>,
    exits: Vec<Exits>,
    /// For each open loop body what it carries to its continuing part.
    carried: Vec<Carried>,
    finish: Finish,
}

/// The entry point's function.
pub(super) fn entry<'a>(r: &mut Reader<'a>, f: &'a naga::Function, info: &'a FunctionInfo, usage: Usage) -> Result<Function> {
    let b = FunctionBuilder::new(r.program.name.clone(), &[]);
    let mut lower = Lower::new(r, f, info, b);
    for argument in &f.arguments {
        let name = argument.name.as_deref().unwrap_or_default();
        let io = interface::io(&lower.r.types, name, argument.ty, argument.binding.as_ref())?;
        let mut numbers = Vec::new();
        for part in io {
            let id = InputId(lower.r.program.interface.inputs.len() as u32);
            for component in 0..part.count {
                let attrs = target(Op::Input, Target::Input(id, component as u8));
                numbers.push(lower.b.value_of(part.variable.width, Op::Input, attrs, &[]));
            }
            lower.r.program.interface.inputs.push(part.variable);
        }
        lower.arguments.push(Val::Numbers(numbers.into()));
    }
    if let Some(result) = &f.result {
        let mut outputs = Vec::new();
        for part in interface::io(&lower.r.types, "", result.ty, result.binding.as_ref())? {
            outputs.push((OutputId(lower.r.program.interface.outputs.len() as u32), part.first, part.count));
            lower.r.program.interface.outputs.push(part.variable);
        }
        lower.finish = Finish::Entry(outputs);
    }
    for handle in &usage.named {
        let Some(Global::Values) = lower.r.globals.get(handle) else { continue };
        let variable = &lower.r.module.global_variables[*handle];
        let leaves = lower.r.types.leaves(lower.r.types.inner(variable.ty))?;
        let initial = match variable.init {
            Some(init) => lower.r.constant(Place::Module, init)?,
            None => vec![0; leaves.len()],
        };
        let locals = lower.constants(&leaves, &initial);
        lower.privates.insert(*handle, locals);
    }
    lower.body(&usage, true)
}

impl<'r, 'a> Lower<'r, 'a> {
    fn new(r: &'r mut Reader<'a>, f: &'a naga::Function, info: &'a FunctionInfo, b: FunctionBuilder) -> Lower<'r, 'a> {
        Lower {
            r,
            f,
            info,
            b,
            known: HashMap::new(),
            arguments: Vec::new(),
            variables: HashMap::new(),
            privates: HashMap::new(),
            exits: Vec::new(),
            carried: Vec::new(),
            finish: Finish::Entry(Vec::new()),
        }
    }

    fn body(mut self, usage: &Usage, is_entry: bool) -> Result<Function> {
        for (handle, variable) in self.f.local_variables.iter() {
            self.place(self.f.local_variables.get_span(handle));
            self.declare(handle, variable, usage, is_entry)?;
        }
        self.block(&self.f.body)?;
        if self.b.is_reachable() {
            // A function may end in a discard without a value.
            let value = match &self.f.result {
                None => Vec::new(),
                Some(result) => {
                    let leaves = self.r.types.leaves(self.r.types.inner(result.ty))?;
                    leaves.iter().map(|leaf| self.b.constant(leaf.scalar.width, 0)).collect()
                }
            };
            self.ret(&value)?;
        }
        match self.b.refusal() {
            Some(why) => unsupported(why),
            None => Ok(self.b.finish()),
        }
    }

    /// New locals that hold these constants.
    fn constants(&mut self, leaves: &[Leaf], initial: &[u64]) -> Rc<[Local]> {
        let pairs = leaves.iter().zip(initial);
        pairs
            .map(|(leaf, bits)| {
                let local = self.b.local(leaf.scalar.width);
                let value = self.b.constant(leaf.scalar.width, *bits);
                self.b.set(local, value);
                local
            })
            .collect()
    }

    fn declare(
        &mut self,
        handle: Handle<naga::LocalVariable>,
        variable: &'a naga::LocalVariable,
        usage: &Usage,
        is_entry: bool,
    ) -> Result<()> {
        let inner = self.r.types.inner(variable.ty);
        if matches!(inner, TypeInner::RayQuery { .. }) {
            return unsupported("ray queries");
        }
        let place = Place::Function(&self.f.expressions, self.info);
        let initial = variable.init.map(|init| self.r.constant(place, init)).transpose()?;
        let base = Base::Local(handle);
        let root = if usage.dynamic.contains(&base) || !self.r.fits_values(inner)? {
            let constant = !usage.written.contains(&base);
            let id = self.r.array(variable.name.as_deref(), inner, initial.clone(), constant)?;
            // The array lives as long as the lane: a function that may run again begins with it as it was declared.
            if !is_entry && !constant {
                self.fill(id, initial)?;
            }
            Root::Array(id)
        } else {
            let leaves = self.r.types.leaves(inner)?;
            let initial = initial.unwrap_or_else(|| vec![0; leaves.len()]);
            Root::Values(self.constants(&leaves, &initial))
        };
        self.variables.insert(handle, Pointer { root, offset: 0, computed: None });
        Ok(())
    }

    /// Stores the first contents of a per-lane array.
    fn fill(&mut self, id: ArrayId, initial: Option<Vec<u64>>) -> Result<()> {
        let array = &self.r.program.arrays[id.index()];
        let (length, width) = (array.length, array.width);
        let attrs = target(Op::ArrayStore, Target::Array(id));
        let initial = match initial {
            None if length > 16 => {
                let at = self.b.local(Width::W32);
                let (zero, end, one) = (self.b.word(0), self.b.word(length), self.b.word(1));
                let nothing = self.b.constant(width, 0);
                self.b.set(at, zero);
                let after = self.b.begin_block();
                self.b.begin_loop();
                let here = self.b.get(at);
                self.b.effect(Op::ArrayStore, attrs, &[here, nothing]);
                let next = self.b.op(Op::IAdd, &[here, one])?;
                self.b.set(at, next);
                let more = self.b.op(Op::ULt, &[next, end])?;
                self.b.begin_if(more);
                self.b.begin_else();
                self.b.br(after);
                self.b.end();
                self.b.end();
                self.b.end();
                return Ok(());
            }
            None => vec![0; length as usize],
            Some(initial) => initial,
        };
        self.r.spend(initial.len())?;
        for (at, bits) in initial.iter().enumerate() {
            let (at, value) = (self.b.word(at as u32), self.b.constant(width, *bits));
            self.b.effect(Op::ArrayStore, attrs, &[at, value]);
        }
        Ok(())
    }

    /// The type of an expression.
    pub(super) fn inner(&self, expr: Handle<Expression>) -> &'a TypeInner {
        let (info, module) = (self.info, self.r.module);
        info[expr].ty.inner_with(&module.types)
    }

    /// Where constants of this function stand.
    pub(super) fn constants_place(&self) -> Place<'a> {
        Place::Function(&self.f.expressions, self.info)
    }

    pub(super) fn place(&mut self, span: Span) {
        if let Some(origin) = self.r.at(span) {
            self.b.set_origin(origin);
        }
    }

    /// What an expression is, that a statement has evaluated or that is constant.
    pub(super) fn val(&mut self, expr: Handle<Expression>) -> Result<Val> {
        match self.known.get(&expr) {
            Some(val) => Ok(val.clone()),
            None => self.evaluate(expr),
        }
    }

    /// The numbers that an expression is.
    pub(super) fn numbers(&mut self, expr: Handle<Expression>) -> Result<Rc<[Value]>> {
        match self.val(expr)? {
            Val::Numbers(numbers) => Ok(numbers),
            _ => fault("an operand that is no value"),
        }
    }

    /// The one number that an expression is.
    pub(super) fn number(&mut self, expr: Handle<Expression>) -> Result<Value> {
        match &self.numbers(expr)?[..] {
            [one] => Ok(*one),
            other => fault(format!("an operand of {} numbers, expected one", other.len())),
        }
    }

    pub(super) fn pointer(&mut self, expr: Handle<Expression>) -> Result<Pointer> {
        match self.val(expr)? {
            Val::Pointer(pointer) => Ok(pointer),
            _ => fault("an operand that is no pointer"),
        }
    }

    /// Makes an expression known.
    pub(super) fn define(&mut self, expr: Handle<Expression>, val: Val) {
        for at in 0..self.carried.len() {
            if self.carried[at].wanted.contains(&expr) {
                let mut copy = val.clone();
                let locals = copy
                    .values()
                    .into_iter()
                    .map(|value| {
                        let local = self.b.local(self.b.width(*value));
                        self.b.set(local, *value);
                        local
                    })
                    .collect();
                self.carried[at].found.push((expr, copy, locals));
            }
        }
        self.known.insert(expr, val);
    }

    pub(super) fn argument(&self, index: u32) -> Result<Val> {
        self.arguments.get(index as usize).cloned().map_or_else(|| fault("an argument that the function lacks"), Ok)
    }

    pub(super) fn variable(&self, handle: Handle<naga::LocalVariable>) -> Result<Val> {
        self.variables.get(&handle).cloned().map_or_else(|| fault("an unknown variable"), |pointer| Ok(Val::Pointer(pointer)))
    }

    /// What a variable of the module is here.
    pub(super) fn global(&self, handle: Handle<naga::GlobalVariable>) -> Result<Val> {
        let root = match self.r.globals.get(&handle) {
            Some(Global::Values) => match self.privates.get(&handle) {
                Some(locals) => Root::Values(locals.clone()),
                None => return fault("a private variable that the function does not name"),
            },
            Some(Global::Array(id)) => Root::Array(*id),
            Some(Global::Shared(id)) => Root::Shared(*id),
            Some(Global::Sampler(id)) => return Ok(Val::Sampler(*id, Index::Fixed(0))),
            Some(Global::Resource(id)) => {
                let is_texture = matches!(self.r.program.interface.resource(*id).shape, gpuproof_program::Shape::Texture(_));
                if is_texture {
                    return Ok(Val::Image(*id, Index::Fixed(0)));
                }
                Root::Buffer(*id, Index::Fixed(0))
            }
            None => return fault("a variable that the entry point does not name"),
        };
        Ok(Val::Pointer(Pointer { root, offset: 0, computed: None }))
    }

    fn block(&mut self, block: &'a Block) -> Result<()> {
        for (statement, span) in block.span_iter() {
            if !self.b.is_reachable() {
                break;
            }
            self.place(*span);
            self.r.spend(1)?;
            self.statement(statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<()> {
        match statement {
            Statement::Emit(range) => {
                for expr in range.clone() {
                    self.place(self.f.expressions.get_span(expr));
                    self.r.spend(1)?;
                    let val = self.evaluate(expr)?;
                    self.define(expr, val);
                }
                Ok(())
            }
            Statement::Block(block) => self.block(block),
            Statement::If { condition, accept, reject } => {
                let condition = self.number(*condition)?;
                self.b.begin_if(condition);
                self.block(accept)?;
                self.b.begin_else();
                self.block(reject)?;
                self.b.end();
                Ok(())
            }
            Statement::Switch { selector, cases } => self.switch(*selector, cases),
            Statement::Loop { body, continuing, break_if } => self.repeat(body, continuing, *break_if),
            Statement::Break => match self.exits.last().copied() {
                Some(exits) => {
                    self.b.br(exits.after);
                    Ok(())
                }
                None => fault("a break outside a loop"),
            },
            Statement::Continue => match self.exits.iter().rev().find_map(|exits| exits.next) {
                Some(next) => {
                    self.b.br(next);
                    Ok(())
                }
                None => fault("a continue outside a loop"),
            },
            Statement::Return { value } => {
                let numbers = match value {
                    Some(value) => self.numbers(*value)?,
                    None => Rc::new([]),
                };
                self.ret(&numbers)
            }
            Statement::Kill => {
                // The lane goes on as a helper (WGSL 9.4.11).
                let yes = self.b.constant(Width::W1, 1);
                self.b.effect(Op::Demote, Attrs::default(), &[yes]);
                Ok(())
            }
            Statement::ControlBarrier(flags) => {
                self.barrier(*flags, true);
                Ok(())
            }
            Statement::MemoryBarrier(flags) => {
                self.barrier(*flags, false);
                Ok(())
            }
            Statement::Store { pointer, value } => {
                let (place, inner) = (self.pointer(*pointer)?, self.pointee(*pointer)?);
                let numbers = self.numbers(*value)?;
                self.store(&place, &inner, &numbers)
            }
            Statement::ImageStore { image, coordinate, array_index, value } => {
                self.image_store(*image, *coordinate, *array_index, *value)
            }
            Statement::Atomic { pointer, fun, value, result } => self.atomic(*pointer, *fun, *value, *result),
            Statement::ImageAtomic { image, coordinate, array_index, fun, value } => {
                self.image_atomic(*image, *coordinate, *array_index, *fun, *value)
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let (place, inner) = (self.pointer(*pointer)?, self.pointee(*pointer)?);
                self.barrier(naga::Barrier::WORK_GROUP, true);
                let numbers = self.load(&place, &inner)?;
                self.barrier(naga::Barrier::WORK_GROUP, true);
                self.define(*result, Val::Numbers(numbers));
                Ok(())
            }
            Statement::Call { function, arguments, result } => self.call(*function, arguments, *result),
            Statement::SubgroupBallot { result, predicate } => self.ballot(*result, *predicate),
            Statement::SubgroupGather { mode, argument, result } => self.gather_lanes(*mode, *argument, *result),
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                self.collective(*op, *collective_op, *argument, *result)
            }
            Statement::RayQuery { .. } => unsupported("ray queries"),
            Statement::RayPipelineFunction(_) => unsupported("ray tracing"),
            Statement::CooperativeStore { .. } => unsupported("cooperative matrices"),
        }
    }

    /// Barriers (WGSL 17.11). What waits for the subgroup alone orders memory in the wave.
    fn barrier(&mut self, flags: naga::Barrier, waits: bool) {
        let resources = flags.intersects(naga::Barrier::STORAGE | naga::Barrier::TEXTURE);
        let only_wave = flags == naga::Barrier::SUB_GROUP;
        let detail = Barrier {
            group: waits && !only_wave,
            shared: flags.contains(naga::Barrier::WORK_GROUP) || only_wave,
            resources: if only_wave { Some(BarrierScope::Wave) } else { resources.then_some(BarrierScope::Group) },
        };
        self.b.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(detail)), &[]);
    }

    fn switch(&mut self, selector: Handle<Expression>, cases: &'a [naga::SwitchCase]) -> Result<()> {
        let selector = self.number(selector)?;
        let after = self.b.begin_switch(selector);
        self.exits.push(Exits { after, next: None });
        let (mut selectors, mut is_default) = (Vec::new(), false);
        for case in cases {
            match case.value {
                SwitchValue::I32(v) => selectors.push(v as u32),
                SwitchValue::U32(v) => selectors.push(v),
                SwitchValue::Default => is_default = true,
            }
            // Selectors of one body come as cases without statements that fall through.
            if case.fall_through && case.body.is_empty() {
                continue;
            }
            self.b.begin_arm(&std::mem::take(&mut selectors), std::mem::take(&mut is_default));
            self.block(&case.body)?;
            if !case.fall_through {
                self.b.br(after);
            }
        }
        if is_default || !selectors.is_empty() {
            self.b.begin_arm(&selectors, is_default);
        }
        self.exits.pop();
        self.b.end();
        Ok(())
    }

    fn repeat(&mut self, body: &'a Block, continuing: &'a Block, break_if: Option<Handle<Expression>>) -> Result<()> {
        let after = self.b.begin_block();
        let next = self.b.begin_loop();
        if continuing.is_empty() && break_if.is_none() {
            self.exits.push(Exits { after, next: Some(next) });
            self.block(body)?;
            self.exits.pop();
        } else {
            // `continue` goes to the end of a block around the body. What the body evaluated is not visible behind it, so it is carried.
            let end = self.b.begin_block();
            self.carried.push(Carried { wanted: self.uses(continuing, break_if), found: Vec::new() });
            self.exits.push(Exits { after, next: Some(end) });
            self.block(body)?;
            self.exits.pop();
            self.b.end();
            if let Some(carried) = self.carried.pop() {
                for (expr, mut val, locals) in carried.found {
                    for (value, local) in val.values().into_iter().zip(locals) {
                        *value = self.b.get(local);
                    }
                    self.known.insert(expr, val);
                }
            }
            self.exits.push(Exits { after, next: None });
            self.block(continuing)?;
            self.exits.pop();
            if let Some(condition) = break_if {
                let condition = self.number(condition)?;
                self.b.begin_if(condition);
                self.b.br(after);
                self.b.end_if();
            }
        }
        self.b.end();
        self.b.end();
        Ok(())
    }

    /// The expressions that a block uses.
    fn uses(&self, block: &Block, break_if: Option<Handle<Expression>>) -> HashSet<Handle<Expression>> {
        let mut used: HashSet<Handle<Expression>> = break_if.into_iter().collect();
        each_statement(block, &mut |statement| {
            super::expression::operands_of_statement(statement, &mut |expr| _ = used.insert(expr));
        });
        // Operands of expressions that the block evaluates, and of those that need no evaluation.
        let mut pending: Vec<_> = used.iter().copied().collect();
        while let Some(expr) = pending.pop() {
            super::expression::operands(&self.f.expressions[expr], &mut |operand| {
                if used.insert(operand) {
                    pending.push(operand);
                }
            });
        }
        used
    }

    fn ret(&mut self, numbers: &[Value]) -> Result<()> {
        match &self.finish {
            Finish::Entry(outputs) => {
                for (id, first, count) in outputs.clone() {
                    for component in 0..count {
                        let Some(value) = numbers.get(first + component) else { return fault("a result has too few numbers") };
                        self.b.component(component);
                        let attrs = target(Op::Output, Target::Output(id, component as u8));
                        self.b.effect(Op::Output, attrs, &[*value]);
                    }
                }
                self.b.ret(&[]);
            }
            Finish::Call(locals) => {
                let mut values = numbers.to_vec();
                for local in locals.clone() {
                    values.push(self.b.get(local));
                }
                self.b.ret(&values);
            }
        }
        Ok(())
    }

    /// A call. The function is made for what it is called with, once.
    fn call(
        &mut self,
        callee: Handle<naga::Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> Result<()> {
        let usage = self.r.usage.get(&callee).cloned().unwrap_or_default();
        let (mut specs, mut values, mut written_back) = (Vec::new(), Vec::new(), Vec::new());
        for (i, argument) in arguments.iter().enumerate() {
            let known = |index: &Index| if let Index::Fixed(n) = index { Some(*n) } else { None };
            let mut val = self.val(*argument)?;
            specs.push(match &val {
                Val::Numbers(_) => Spec::Numbers,
                Val::Image(id, element) => Spec::Image(*id, known(element)),
                Val::Sampler(id, element) => Spec::Sampler(*id, known(element)),
                Val::Pointer(pointer) => {
                    let (offset, computed) = (pointer.offset, pointer.computed.is_some());
                    match &pointer.root {
                        Root::Values(_) => Spec::Copied,
                        Root::Array(id) => Spec::Array(*id, offset, computed),
                        // naga passes no such pointers (WGSL's unrestricted_pointer_parameters).
                        Root::Buffer(..) | Root::Shared(_) => {
                            return unsupported("a pointer parameter into shared memory or a buffer");
                        }
                    }
                }
            });
            match &val {
                Val::Pointer(Pointer { root: Root::Values(locals), offset, .. }) => {
                    let count = self.r.types.count(&*self.pointee(*argument)?)?;
                    let Some(locals) = locals.get(*offset as usize..*offset as usize + count) else {
                        return fault("a pointer past its variable");
                    };
                    values.extend(locals.iter().map(|local| self.b.get(*local)));
                    if usage.written.contains(&Base::Argument(i as u32)) {
                        written_back.extend_from_slice(locals);
                    }
                }
                _ => values.extend(val.values().into_iter().map(|value| *value)),
            }
        }
        for handle in &usage.named {
            if let (Some(Global::Values), Some(locals)) = (self.r.globals.get(handle), self.privates.get(handle)) {
                values.extend(locals.iter().map(|local| self.b.get(*local)));
                if usage.written.contains(&Base::Global(*handle)) {
                    written_back.extend_from_slice(locals);
                }
            }
        }
        let id = match self.r.made.get(&(callee, specs.clone())) {
            Some(id) => *id,
            None => {
                let function = make(self.r, callee, &specs, &usage)?;
                let id = self.r.push_function(function)?;
                self.r.made.insert((callee, specs), id);
                id
            }
        };
        let widths = self.r.program.function(id).results.clone();
        let results = self.b.emit(Op::Call, target(Op::Call, Target::Function(id)), &values, &widths);
        let Some(own) = results.len().checked_sub(written_back.len()) else { return fault("a call with too few results") };
        for (local, value) in written_back.iter().zip(&results[own..]) {
            self.b.set(*local, *value);
        }
        if let Some(result) = result {
            self.define(result, Val::Numbers(results[..own].into()));
        }
        Ok(())
    }
}

/// A function for these parameters.
fn make(r: &mut Reader, callee: Handle<naga::Function>, specs: &[Spec], usage: &Usage) -> Result<Function> {
    let module = r.module;
    let f = &module.functions[callee];
    let info = r.function_info(callee);
    let mut results = Vec::new();
    if let Some(result) = &f.result {
        results.extend(r.types.leaves(r.types.inner(result.ty))?.iter().map(|leaf| leaf.scalar.width));
    }
    // The parameters' numbers, and what is given back, decide the signature before anything is built.
    let widths = |leaves: Vec<Leaf>| leaves.iter().map(|leaf| leaf.scalar.width).collect::<Vec<Width>>();
    let mut params = Vec::new();
    for (i, (argument, spec)) in f.arguments.iter().zip(specs).enumerate() {
        params.push(match spec {
            Spec::Numbers => widths(r.types.leaves(r.types.inner(argument.ty))?),
            Spec::Copied => {
                let widths = widths(r.types.leaves(&*r.types.pointee(r.types.inner(argument.ty))?)?);
                if usage.written.contains(&Base::Argument(i as u32)) {
                    results.extend(&widths);
                }
                widths
            }
            Spec::Array(_, _, computed) => vec![Width::W32; usize::from(*computed)],
            Spec::Image(_, element) | Spec::Sampler(_, element) => vec![Width::W32; usize::from(element.is_none())],
        });
    }
    let mut privates = Vec::new();
    for handle in &usage.named {
        if let Some(Global::Values) = r.globals.get(handle) {
            let widths = widths(r.types.leaves(r.types.inner(module.global_variables[*handle].ty))?);
            let written = usage.written.contains(&Base::Global(*handle));
            if written {
                results.extend(&widths);
            }
            privates.push((*handle, widths, written));
        }
    }
    let mut b = FunctionBuilder::new(f.name.clone().unwrap_or_default(), &results);
    let mut values: Vec<Vec<Value>> = params.iter().map(|widths| widths.iter().map(|width| b.param(*width)).collect()).collect();
    let of_privates: Vec<Vec<Value>> =
        privates.iter().map(|(_, widths, _)| widths.iter().map(|width| b.param(*width)).collect()).collect();
    let mut lower = Lower::new(r, f, info, b);
    let mut given_back = Vec::new();
    for (i, (spec, values)) in specs.iter().zip(&mut values).enumerate() {
        let mut values_in_order = values.iter().copied();
        let mut take = |wanted: bool| if wanted { values_in_order.next() } else { None };
        let val = match spec {
            Spec::Numbers => Val::Numbers(values[..].into()),
            Spec::Copied => {
                let locals = lower.holding(values);
                if usage.written.contains(&Base::Argument(i as u32)) {
                    given_back.extend_from_slice(&locals);
                }
                Val::Pointer(Pointer { root: Root::Values(locals), offset: 0, computed: None })
            }
            Spec::Array(id, offset, computed) => {
                Val::Pointer(Pointer { root: Root::Array(*id), offset: *offset, computed: take(*computed) })
            }
            Spec::Image(id, element) => Val::Image(*id, index(*element, take(element.is_none()))),
            Spec::Sampler(id, element) => Val::Sampler(*id, index(*element, take(element.is_none()))),
        };
        lower.arguments.push(val);
    }
    for ((handle, _, written), values) in privates.iter().zip(&of_privates) {
        let locals = lower.holding(values);
        if *written {
            given_back.extend_from_slice(&locals);
        }
        lower.privates.insert(*handle, locals);
    }
    lower.finish = Finish::Call(given_back);
    lower.body(usage, false)
}

fn index(fixed: Option<u32>, computed: Option<Value>) -> Index {
    computed.map_or(Index::Fixed(fixed.unwrap_or(0)), Index::Computed)
}

impl Lower<'_, '_> {
    /// New locals that hold these values.
    fn holding(&mut self, values: &[Value]) -> Rc<[Local]> {
        values
            .iter()
            .map(|value| {
                let local = self.b.local(self.b.width(*value));
                self.b.set(local, *value);
                local
            })
            .collect()
    }
}
