//! From a program to a plan: calls are inlined, constructs become places and copies, values become rows.

use super::allocate::{self, Loop};
use super::events::{SiteInfo, touching};
use super::facts::Facts;
use super::hoist::hoist;
use super::rows::{Args, Kernel, Operand};
use super::scalar::{Pure, denormals, unary_f32};
use super::select::{for_clean_operands, kernel_of};
use super::step::{Effect, Scalar, Sized, Step, Switch, Taint};
use super::uniform::{Key, Uniform};
use super::{Definition, Plan};
use crate::event::Site;
use crate::outcome::RunError;
use gpuproof_program::{
    Arm, Attrs, Class, Detail, Function, FunctionId, InputId, Instruction, Label, Node, Op, Origin, Program, Region, Rules,
    Scope, Target, Value, Width,
};
use std::collections::{BTreeMap, HashMap};

/// Steps of a plan, and operations that it is made from, at most: calls are inlined, and could multiply without bound.
const MAX_STEPS: usize = 1 << 20;
/// Constructs and calls inside each other at most, since lowering recurses.
const MAX_DEPTH: usize = 1024;

/// A program turned into steps, with registers without number yet.
pub(super) struct Lowering<'a> {
    pub(super) program: &'a Program,
    pub(super) facts: Facts,
    float_made: Vec<Vec<bool>>,
    /// For each function and value, the value that nothing wrote and that may be in it.
    unwritten: Vec<Vec<Option<(FunctionId, Value)>>>,
    sites: Vec<SiteInfo>,
    /// The sites of values that nothing wrote.
    unwritten_sites: HashMap<(FunctionId, Value), Site>,
    register_names: BTreeMap<Site, String>,
    /// Which values hold no subnormal f32.
    clean: Vec<Vec<bool>>,
    pub(super) steps: Vec<Step>,
    pub(super) origins: Vec<Origin>,
    /// For each step, the innermost loop around it.
    pub(super) around: Vec<Option<usize>>,
    /// For each register without number: the low half that it belongs to (itself but for high halves).
    pub(super) low: Vec<u32>,
    /// Whether the register has a high half after it.
    pub(super) is_double: Vec<bool>,
    pub(super) loops: Vec<Loop>,
    pub(super) definitions: Vec<Definition>,
    constants: Vec<u32>,
    constant_of: HashMap<(u64, bool), Operand>,
    pub(super) uniforms: Vec<Uniform>,
    pub(super) uniform_of: HashMap<Key, Vec<Operand>>,
    /// Loads of inputs, which stand at the start and are done once.
    pub(super) inputs: Vec<(Step, Origin)>,
    input_of: HashMap<(InputId, u8), Operand>,
    /// Where each place is, once known.
    pub(super) places: Vec<u32>,
    taints: HashMap<Operand, Taint>,
    slots: usize,
    current: Option<usize>,
    origin: Origin,
    depth: usize,
    /// Operations lowered so far.
    operations: usize,
    /// Whether each value is computed where the program has it.
    pub(super) is_literal: bool,
}

/// What branches to a label do.
#[derive(Clone)]
struct Destination {
    place: u32,
    to: Vec<Sized>,
}

/// A function that is being inlined.
struct Frame<'a> {
    id: FunctionId,
    function: &'a Function,
    values: Vec<Option<Operand>>,
    labels: HashMap<Label, Destination>,
    exit: Destination,
}

impl Frame<'_> {
    fn sized(&self, value: Value) -> Result<Sized, RunError> {
        let at = self.values[value.index()];
        let at = at.ok_or_else(|| RunError::Fault(format!("{value} of {} has no row", self.function.name)))?;
        Ok(Sized { at, width: self.function.width(value) })
    }
}

/// Makes the plan of a valid program. A literal one computes each value where the program has it and takes nothing for granted of its operands.
pub(super) fn compile(program: &Program, is_literal: bool) -> Result<Plan, RunError> {
    super::check_stage(program)?;
    gpuproof_program::validate(program).map_err(|error| RunError::Fault(error.to_string()))?;
    let mut lowering = Lowering {
        program,
        facts: Facts::of(program),
        float_made: gpuproof_program::float_made(program),
        unwritten: unwritten(program),
        sites: Vec::new(),
        unwritten_sites: HashMap::new(),
        register_names: BTreeMap::new(),
        clean: match is_literal {
            true => program.functions.iter().map(|function| vec![false; function.values.len()]).collect(),
            false => program.functions.iter().map(super::facts::without_subnormals).collect(),
        },
        steps: Vec::new(),
        origins: Vec::new(),
        around: Vec::new(),
        low: Vec::new(),
        is_double: Vec::new(),
        loops: Vec::new(),
        definitions: Vec::new(),
        constants: Vec::new(),
        constant_of: HashMap::new(),
        uniforms: Vec::new(),
        uniform_of: HashMap::new(),
        inputs: Vec::new(),
        input_of: HashMap::new(),
        places: Vec::new(),
        taints: HashMap::new(),
        slots: 0,
        current: None,
        origin: Origin::NONE,
        depth: 0,
        operations: 0,
        is_literal,
    };
    let exit = Destination { place: lowering.new_place(), to: Vec::new() };
    // A step before all values, for those that no step makes.
    lowering.push(Step::Join)?;
    lowering.function(program.entry, &[], exit)?;
    lowering.push(Step::End)?;
    lowering.finish()
}

/// For each function and value, a value that nothing wrote and that may be in it: the first that was found, where there are several.
fn unwritten(program: &Program) -> Vec<Vec<Option<(FunctionId, Value)>>> {
    let mut facts: Vec<Vec<Option<(FunctionId, Value)>>> =
        program.functions.iter().map(|function| vec![None; function.values.len()]).collect();
    let incoming: Vec<_> = program.functions.iter().map(Function::incoming).collect();
    let returned: Vec<_> = program.functions.iter().map(returned).collect();
    loop {
        let mut changed = false;
        for (at, function) in program.functions.iter().enumerate() {
            let mut mark = |facts: &mut Vec<Vec<Option<_>>>, function: usize, value: Value, source| {
                let fact = &mut facts[function][value.index()];
                changed |= fact.is_none();
                fact.get_or_insert(source);
            };
            for (value, brought) in incoming[at].iter().enumerate() {
                if let Some(source) = brought.iter().find_map(|value| facts[at][value.index()]) {
                    mark(&mut facts, at, Value(value as u32), source);
                }
            }
            gpuproof_program::walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                match (instruction.op, instruction.attrs.target) {
                    (Op::Undef, _) => {
                        let value = instruction.results[0];
                        mark(&mut facts, at, value, (FunctionId(at as u32), value));
                    }
                    (Op::Call, Target::Function(callee)) => {
                        for (argument, param) in instruction.args.iter().zip(&program.function(callee).params) {
                            if let Some(source) = facts[at][argument.index()] {
                                mark(&mut facts, callee.index(), *param, source);
                            }
                        }
                        let returned = &returned[callee.index()];
                        for (position, result) in instruction.results.iter().enumerate() {
                            let source = |values: &&Vec<Value>| facts[callee.index()][values[position].index()];
                            if let Some(source) = returned.iter().find_map(source) {
                                mark(&mut facts, at, *result, source);
                            }
                        }
                    }
                    _ => {}
                }
            });
        }
        if !changed {
            return facts;
        }
    }
}

fn returned(function: &Function) -> Vec<&Vec<Value>> {
    let mut all = Vec::new();
    gpuproof_program::walk(&function.body, &mut |node| {
        if let Node::Return { values } = node {
            all.push(values);
        }
    });
    all
}

impl<'a> Lowering<'a> {
    fn finish(mut self) -> Result<Plan, RunError> {
        hoist(&mut self);
        for step in &mut self.steps {
            step.visit_places(&mut |place| *place = self.places[*place as usize]);
        }
        let registers = allocate::allocate(&mut self);
        let mut ends = [0u64; 2];
        let mut cost = Vec::with_capacity(self.steps.len() + 1);
        for step in &self.steps {
            cost.push(ends);
            let steps = u64::from(step.is_operation());
            ends = [ends[0] + steps, ends[1] + steps * step.weight()];
        }
        cost.push(ends);
        Ok(Plan {
            program: self.program.clone(),
            facts: self.facts,
            steps: self.steps,
            origins: self.origins,
            around: self.around,
            cost,
            loops: self.loops,
            definitions: self.definitions,
            constants: self.constants,
            uniforms: self.uniforms,
            registers,
            taints: self.slots,
            sites: self.sites,
            unwritten: self.register_names,
            is_literal: self.is_literal,
        })
    }

    fn push(&mut self, step: Step) -> Result<usize, RunError> {
        if self.steps.len() >= MAX_STEPS {
            return Err(self.too_long());
        }
        self.steps.push(step);
        self.origins.push(self.origin);
        self.around.push(self.current);
        Ok(self.steps.len() - 1)
    }

    fn too_long(&self) -> RunError {
        self.unsupported(format!("a program of more than {MAX_STEPS} steps with its calls inlined"))
    }

    fn unsupported(&self, what: String) -> RunError {
        RunError::Unsupported { what, place: super::place_name(self.program, self.origin) }
    }

    fn new_place(&mut self) -> u32 {
        self.places.push(u32::MAX);
        self.places.len() as u32 - 1
    }

    /// A place where lanes may wait, here.
    fn join(&mut self, place: u32) -> Result<usize, RunError> {
        self.drop_jump_to(place);
        self.places[place as usize] = self.steps.len() as u32;
        self.push(Step::Join)
    }

    /// A jump to the step right after it is none.
    fn drop_jump_to(&mut self, place: u32) {
        if matches!(self.steps.last(), Some(Step::Jump { to }) if *to == place) {
            self.steps.pop();
            self.origins.pop();
            self.around.pop();
        }
    }

    fn register(&mut self, width: Width) -> Operand {
        let number = self.low.len() as u32;
        self.low.push(number);
        let double = width == Width::W64;
        self.is_double.push(double);
        if double {
            self.low.push(number);
            self.is_double.push(false);
        }
        Operand::register(number)
    }

    /// A constant's place in the pool. Truth values are all ones or zero.
    fn constant(&mut self, width: Width, bits: u64) -> Operand {
        let double = width == Width::W64;
        let bits = if width == Width::W1 { if bits & 1 != 0 { 0xffff_ffff } else { 0 } } else { bits };
        if let Some(operand) = self.constant_of.get(&(bits, double)) {
            return *operand;
        }
        let operand = Operand::constant(self.constants.len() as u32);
        self.constants.push(bits as u32);
        if double {
            self.constants.push((bits >> 32) as u32);
        }
        self.constant_of.insert((bits, double), operand);
        operand
    }

    /// A place in the pool for a value that is known when the run starts.
    pub(super) fn pool(&mut self, width: Width) -> Operand {
        let operand = Operand::constant(self.constants.len() as u32);
        self.constants.extend(std::iter::repeat_n(0, if width == Width::W64 { 2 } else { 1 }));
        operand
    }

    /// The bits of a constant of the program.
    pub(super) fn known(&self, operand: Operand) -> Option<u32> {
        let bits = *self.constants.get(operand.number() as usize)?;
        (self.constant_of.get(&(bits.into(), false)) == Some(&operand)).then_some(bits)
    }

    fn define(&mut self, frame: &mut Frame<'a>, value: Value) -> Sized {
        let width = frame.function.width(value);
        let at = self.register(width);
        frame.values[value.index()] = Some(at);
        Sized { at, width }
    }

    /// Registers for values that branches bring, with a taint slot where that may matter.
    fn define_merge(&mut self, frame: &mut Frame<'a>, values: &[Value]) -> Vec<Sized> {
        let define = |value: &Value| {
            let sized = self.define(frame, *value);
            if self.unwritten[frame.id.index()][value.index()].is_some() {
                self.taints.insert(sized.at, Taint::Slot(self.slots));
                self.slots += 1;
            }
            sized
        };
        values.iter().map(define).collect()
    }

    /// Remembers that a step makes values, for observers.
    fn made(&mut self, frame: &Frame<'a>, step: usize, values: &[Value]) {
        for value in values {
            if let Some(at) = frame.values[value.index()] {
                let sized = Sized { at, width: frame.function.width(*value) };
                self.definitions.push(Definition { step, function: frame.id, value: *value, sized });
            }
        }
    }

    fn deeper(&mut self) -> Result<(), RunError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.unsupported(format!("constructs and calls nested deeper than {MAX_DEPTH}")));
        }
        Ok(())
    }

    fn function(&mut self, id: FunctionId, args: &[Operand], exit: Destination) -> Result<(), RunError> {
        self.deeper()?;
        let function = self.program.function(id);
        let place = exit.place;
        let mut frame = Frame { id, function, values: vec![None; function.values.len()], labels: HashMap::new(), exit };
        for (param, arg) in function.params.iter().zip(args) {
            frame.values[param.index()] = Some(*arg);
        }
        self.region(&mut frame, &function.body)?;
        self.join(place)?;
        self.depth -= 1;
        Ok(())
    }

    fn region(&mut self, frame: &mut Frame<'a>, region: &'a Region) -> Result<(), RunError> {
        self.deeper()?;
        for node in region {
            self.node(frame, node)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn node(&mut self, frame: &mut Frame<'a>, node: &'a Node) -> Result<(), RunError> {
        match node {
            Node::Op(instruction) => {
                self.origin = instruction.origin;
                self.instruction(frame, instruction)
            }
            Node::Block { label, results, body } => {
                let place = self.construct(frame, *label, results);
                self.region(frame, body)?;
                self.after(frame, place, results)
            }
            Node::If { label, condition, results, then, otherwise, origin } => {
                self.origin = *origin;
                self.check(frame, *condition, None)?;
                let place = self.construct(frame, *label, results);
                let condition = frame.sized(*condition)?.at;
                let other = self.new_place();
                self.push(Step::Branch { condition, otherwise: other })?;
                self.region(frame, then)?;
                self.join(other)?;
                self.region(frame, otherwise)?;
                self.after(frame, place, results)
            }
            Node::Switch { label, selector, results, arms, origin } => {
                self.origin = *origin;
                self.check(frame, *selector, None)?;
                self.switch(frame, *label, *selector, results, arms)
            }
            Node::Loop { label, initial, params, body, origin } => {
                self.origin = *origin;
                let to = self.define_merge(frame, params);
                self.moves(frame, &to, initial)?;
                let counter = self.loops.len();
                self.loops.push(Loop { outer: self.current, first: 0, last: 0 });
                self.push(Step::Enter { counter })?;
                self.current = Some(counter);
                let (head, latch) = (self.new_place(), self.new_place());
                let first = self.join(head)?;
                self.made(frame, first, params);
                frame.labels.insert(*label, Destination { place: latch, to });
                self.region(frame, body)?;
                self.drop_jump_to(latch);
                self.places[latch as usize] = self.steps.len() as u32;
                let last = self.push(Step::Latch { head, counter })?;
                self.loops[counter] = Loop { outer: self.loops[counter].outer, first, last };
                self.current = self.loops[counter].outer;
                Ok(())
            }
            Node::Br { target, values } => {
                let Some(destination) = frame.labels.get(target).cloned() else {
                    return Err(RunError::Fault(format!("a branch to {target}, which is not open")));
                };
                self.moves(frame, &destination.to, values)?;
                self.push(Step::Jump { to: destination.place })?;
                Ok(())
            }
            Node::Return { values } => {
                let exit = frame.exit.clone();
                self.moves(frame, &exit.to, values)?;
                self.push(Step::Jump { to: exit.place })?;
                Ok(())
            }
            Node::Unreachable => self.push(Step::Unreachable).map(|_| ()),
        }
    }

    fn construct(&mut self, frame: &mut Frame<'a>, label: Label, results: &[Value]) -> u32 {
        let to = self.define_merge(frame, results);
        let place = self.new_place();
        frame.labels.insert(label, Destination { place, to });
        place
    }

    fn after(&mut self, frame: &Frame<'a>, place: u32, results: &[Value]) -> Result<(), RunError> {
        let step = self.join(place)?;
        self.made(frame, step, results);
        Ok(())
    }

    fn switch(
        &mut self,
        frame: &mut Frame<'a>,
        label: Label,
        selector: Value,
        results: &[Value],
        arms: &'a [Arm],
    ) -> Result<(), RunError> {
        let selector = frame.sized(selector)?.at;
        let end = self.construct(frame, label, results);
        let mut cases = Vec::new();
        let mut default = end;
        let mut entries = Vec::new();
        for arm in arms {
            let to = self.define_merge(frame, &arm.params);
            let place = self.new_place();
            frame.labels.insert(arm.label, Destination { place, to });
            // Lanes that come by their selector bring the initial values first.
            let entry = if arm.params.is_empty() { place } else { self.new_place() };
            entries.push(entry);
            cases.extend(arm.selectors.iter().map(|selector| (*selector, entry)));
            if arm.is_default {
                default = entry;
            }
        }
        cases.sort_unstable();
        self.push(Step::Switch(Box::new(Switch { selector, cases, default })))?;
        for (arm, entry) in arms.iter().zip(&entries) {
            let Some(destination) = frame.labels.get(&arm.label).cloned() else { continue };
            if destination.place != *entry {
                self.join(*entry)?;
                self.moves(frame, &destination.to, &arm.initial)?;
                self.push(Step::Jump { to: destination.place })?;
            }
        }
        for arm in arms {
            let Some(place) = frame.labels.get(&arm.label).map(|destination| destination.place) else { continue };
            let step = self.join(place)?;
            self.made(frame, step, &arm.params);
            self.region(frame, &arm.body)?;
        }
        self.after(frame, end, results)
    }

    fn taint(&self, operand: Operand) -> Taint {
        self.taints.get(&operand).copied().unwrap_or(Taint::Never)
    }

    /// Records where an operand is undefined before the step that uses it.
    fn check(&mut self, frame: &Frame<'a>, value: Value, chosen: Option<(Operand, bool)>) -> Result<(), RunError> {
        let taint = self.taint(frame.sized(value)?.at);
        if taint != Taint::Never {
            let unwritten = self.unwritten[frame.id.index()][value.index()];
            let site = unwritten.and_then(|unwritten| self.unwritten_sites.get(&unwritten)).copied().unwrap_or_default();
            self.push(Step::Check { taint, chosen, site })?;
        }
        Ok(())
    }

    /// Copies what a branch brings, all at once: a target may be a source of another.
    fn moves(&mut self, frame: &Frame<'a>, to: &[Sized], values: &[Value]) -> Result<(), RunError> {
        let mut copies: Vec<(Sized, Operand)> = Vec::new();
        for (to, value) in to.iter().zip(values) {
            let from = frame.sized(*value)?.at;
            if from != to.at {
                copies.push((*to, from));
            }
        }
        let mut readers: HashMap<Operand, usize> = HashMap::new();
        for (_, from) in &copies {
            *readers.entry(*from).or_default() += 1;
        }
        let writer: HashMap<Operand, usize> = copies.iter().enumerate().map(|(at, (to, _))| (to.at, at)).collect();
        let mut done = vec![false; copies.len()];
        // What no other copy still reads can be overwritten.
        let is_free = |at: &usize| !readers.contains_key(&copies[*at].0.at);
        let mut ready: Vec<usize> = (0..copies.len()).rev().filter(is_free).collect();
        for first in 0..copies.len() {
            while let Some(at) = ready.pop() {
                let (to, from) = copies[at];
                self.copy(to, from)?;
                done[at] = true;
                let left = readers.entry(from).or_default();
                *left -= 1;
                if *left == 0
                    && let Some(next) = writer.get(&from)
                    && !done[*next]
                {
                    ready.push(*next);
                }
            }
            if !done[first] {
                // All that is left are circles, in which each target is read once: one is opened by putting a target aside.
                let (to, _) = copies[first];
                let aside = Sized { at: self.register(to.width), width: to.width };
                if self.taint(to.at) != Taint::Never {
                    self.taints.insert(aside.at, Taint::Slot(self.slots));
                    self.slots += 1;
                }
                self.copy(aside, to.at)?;
                if let Some(reader) = (0..copies.len()).find(|at| !done[*at] && copies[*at].1 == to.at) {
                    copies[reader].1 = aside.at;
                    readers.insert(aside.at, 1);
                }
                ready.push(first);
            }
        }
        Ok(())
    }

    fn copy(&mut self, to: Sized, from: Operand) -> Result<(), RunError> {
        self.push(Step::Move { to: to.at, from, masked: true })?;
        if to.width == Width::W64 {
            self.push(Step::Move { to: to.at.high(), from: from.high(), masked: true })?;
        }
        if let Taint::Slot(slot) = self.taint(to.at) {
            self.push(Step::Taint { slot, from: self.taint(from) })?;
        }
        Ok(())
    }

    fn row(&mut self, kernel: Kernel, to: Operand, from: &[Operand]) -> Result<usize, RunError> {
        let mut operands = [from[0]; 4];
        for (slot, operand) in operands.iter_mut().zip(from) {
            *slot = *operand;
        }
        self.push(Step::Row { kernel, args: Args { to, from: operands } })
    }

    fn instruction(&mut self, frame: &mut Frame<'a>, instruction: &'a Instruction) -> Result<(), RunError> {
        let Instruction { op, attrs, args, results, .. } = instruction;
        self.operations += 1;
        if self.operations > MAX_STEPS {
            return Err(self.too_long());
        }
        match (*op, attrs.target) {
            (Op::Const, Target::Bits(bits)) => {
                let width = frame.function.width(results[0]);
                let constant = self.constant(width, bits);
                frame.values[results[0].index()] = Some(constant);
                return Ok(());
            }
            (Op::Call, Target::Function(callee)) => return self.call(frame, callee, args, results),
            (Op::Input, Target::Input(id, component)) => return self.input(frame, attrs, (id, component), results),
            _ => {}
        }
        let operands = args.iter().map(|arg| frame.sized(*arg)).collect::<Result<Vec<Sized>, RunError>>()?;
        let widths: Vec<Width> = results.iter().map(|result| frame.function.width(*result)).collect();
        if let Some(places) = self.uniform(*op, attrs, &operands, &widths) {
            for (result, place) in results.iter().zip(places) {
                frame.values[result.index()] = Some(place);
            }
            self.made(frame, self.steps.len() - 1, results);
            return Ok(());
        }
        match (*op, attrs.target) {
            (Op::Select, _) => {
                let condition = frame.sized(args[0])?.at;
                self.check(frame, args[0], None)?;
                self.check(frame, args[1], Some((condition, true)))?;
                self.check(frame, args[2], Some((condition, false)))?;
            }
            _ => {
                for arg in args {
                    self.check(frame, *arg, None)?;
                }
            }
        }
        let made = results.iter().map(|result| self.define(frame, *result)).collect::<Vec<Sized>>();
        let row = op.row();
        let step = if *op == Op::Undef {
            self.taints.insert(made[0].at, Taint::Always);
            let step = self.effect(*op, attrs, operands, made, false)?;
            // A function that is called several times has one.
            let site = Site(self.sites.len() as u32 - 1);
            let site = *self.unwritten_sites.entry((frame.id, results[0])).or_insert(site);
            if let Detail::Register(register) = attrs.detail {
                self.register_names.insert(site, register.to_string());
            }
            if let Step::Effect(effect) = &mut self.steps[step] {
                effect.site = site;
            }
            step
        } else if row.class == Class::Pure && row.scope == Scope::Lane {
            let clean: Vec<bool> = args.iter().map(|arg| self.clean[frame.id.index()][arg.index()]).collect();
            self.pure(*op, attrs, operands, made, &clean)?
        } else {
            let stored = stored_value(*op).and_then(|at| args.get(at));
            let float_made = stored.is_some_and(|value| self.float_made[frame.id.index()][value.index()]);
            self.effect(*op, attrs, operands, made, float_made)?
        };
        self.made(frame, step, results);
        Ok(())
    }

    /// An input of the lane, loaded once at the start.
    fn input(
        &mut self,
        frame: &mut Frame<'a>,
        attrs: &Attrs,
        which: (InputId, u8),
        results: &'a [Value],
    ) -> Result<(), RunError> {
        let value = results[0];
        if let Some(at) = self.input_of.get(&which) {
            frame.values[value.index()] = Some(*at);
        } else {
            let made = self.define(frame, value);
            let effect =
                Effect { op: Op::Input, attrs: *attrs, args: Vec::new(), results: vec![made], float_made: false, site: Site(0) };
            self.inputs.push((Step::Effect(Box::new(effect)), self.origin));
            self.input_of.insert(which, made.at);
        }
        self.made(frame, self.steps.len() - 1, results);
        Ok(())
    }

    fn effect(
        &mut self,
        op: Op,
        attrs: &Attrs,
        args: Vec<Sized>,
        results: Vec<Sized>,
        float_made: bool,
    ) -> Result<usize, RunError> {
        let site = Site(self.sites.len() as u32);
        self.sites.push(SiteInfo { origin: self.origin, does: touching(op, attrs.detail) });
        self.push(Step::Effect(Box::new(Effect { op, attrs: *attrs, args, results, float_made, site })))
    }

    /// `clean` tells which operands hold no subnormal f32.
    fn pure(&mut self, op: Op, attrs: &Attrs, args: Vec<Sized>, results: Vec<Sized>, clean: &[bool]) -> Result<usize, RunError> {
        let to = results[0];
        let mut from: Vec<Operand> = args.iter().map(|arg| arg.at).collect();
        let all_clean = args.iter().zip(clean).all(|(arg, clean)| *clean || arg.at.is_constant());
        if all_clean && has_clean_form(op, &attrs.rules, &args) {
            for (from, clean) in from.iter_mut().zip(clean) {
                if !clean {
                    *from = self.flushed(*from);
                }
            }
        }
        let best = |kernel: Kernel| if all_clean { for_clean_operands(kernel) } else { kernel };
        let first = args.first().map_or(to.width, |arg| arg.width);
        let t = if op == Op::Select { to.width } else { first };
        if op == Op::Select && t == Width::W64 {
            self.row(Kernel::Select, to.at, &from)?;
            return self.row(Kernel::Select, to.at.high(), &[from[0], from[1].high(), from[2].high()]);
        }
        let words = matches!(t, Width::W32);
        match op {
            // x * y of the first pair, then each further pair by a multiply-add onto it: the serial order.
            Op::FDot2 | Op::FDot3 | Op::FDot4 if words => {
                let flushes = denormals(&attrs.rules) == gpuproof_number::Denormals::Flush;
                let (mul, mad) = if flushes { (Kernel::MulFlush, Kernel::MadFlush) } else { (Kernel::Mul, Kernel::Mad) };
                let n = from.len() / 2;
                let mut sum = self.register(Width::W32);
                self.row(best(mul), sum, &[from[0], from[n]])?;
                for at in 1..n {
                    let next = if at + 1 == n { to.at } else { self.register(Width::W32) };
                    self.row(best(mad), next, &[from[at], from[n + at], sum])?;
                    sum = next;
                }
                return Ok(self.steps.len() - 1);
            }
            Op::UAddCarry if words => {
                self.row(Kernel::IAdd, to.at, &from)?;
                return self.row(Kernel::Carry, results[1].at, &from);
            }
            Op::USubBorrow if words => {
                self.row(Kernel::ISub, to.at, &from)?;
                return self.row(Kernel::ULt, results[1].at, &from);
            }
            _ => {}
        }
        if let Some(kernel) = kernel_of(op, &attrs.rules, t, to.width) {
            return self.row(best(kernel), to.at, &from);
        }
        if words && let Some(function) = unary_f32(op) {
            return self.push(Step::Unary { function, denormals: denormals(&attrs.rules), to: to.at, from: from[0] });
        }
        let pure = Pure { op, attrs: *attrs, t, u: to.width };
        if !pure.is_supported() {
            return Err(self.unsupported(format!("{} of {} bits", op.row().name, t.bits())));
        }
        self.push(Step::Scalar(Box::new(Scalar { pure, args, results })))
    }

    fn call(&mut self, frame: &mut Frame<'a>, callee: FunctionId, args: &[Value], results: &[Value]) -> Result<(), RunError> {
        let args = args.iter().map(|arg| frame.sized(*arg).map(|sized| sized.at)).collect::<Result<Vec<Operand>, RunError>>()?;
        let to = self.define_merge(frame, results);
        let place = self.new_place();
        let origin = self.origin;
        let entry = self.push(Step::Join)?;
        for (param, at) in self.program.function(callee).params.iter().zip(&args) {
            let sized = Sized { at: *at, width: self.program.function(callee).width(*param) };
            self.definitions.push(Definition { step: entry, function: callee, value: *param, sized });
        }
        self.function(callee, &args, Destination { place, to })?;
        self.origin = origin;
        let step = self.steps.len() - 1;
        self.made(frame, step, results);
        Ok(())
    }
}

/// Whether an operation on 32 bits flushes its operands and has a form for those without subnormals.
fn has_clean_form(op: Op, rules: &Rules, args: &[Sized]) -> bool {
    let words = args.iter().all(|arg| arg.width == Width::W32);
    let is_dot = matches!(op, Op::FDot2 | Op::FDot3 | Op::FDot4) && denormals(rules) == gpuproof_number::Denormals::Flush;
    let kernel = kernel_of(op, rules, Width::W32, Width::W32);
    words && (is_dot || kernel.is_some_and(|kernel| for_clean_operands(kernel) != kernel))
}

/// Which operand of a writing operation is what later loads give.
fn stored_value(op: Op) -> Option<usize> {
    match op {
        Op::Output => Some(0),
        Op::BufferStore => Some(2),
        Op::StructuredStore => Some(3),
        Op::TexelStore => Some(4),
        _ => None,
    }
}
