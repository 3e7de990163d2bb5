//! Functions: the steps of their control flow, values that cross regions, and calls.

use super::binary::Inst;
use super::error::{Result, bad, fault, unsupported};
use super::lower::Lower;
use super::memory::Val;
use super::module::Function;
use super::structure::{Dominance, Exit, Shape, Step, dominance};
use gpuproof_program::{Attrs, Label, Local, Op, Value, Width};
use rspirv::spirv::Op as S;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Calls nested deeper than this are refused.
const MAX_CALLS: usize = 128;

/// What is known of a function before it is expanded.
pub(super) struct Flow {
    pub(super) function: Function,
    shapes: Vec<Shape>,
    steps: Vec<Step>,
    dominance: Dominance,
    /// Ids that are used in regions where their definition is not visible.
    carried: HashSet<u32>,
    /// The blocks' phis: each with its instruction.
    phis: Vec<Vec<usize>>,
}

/// One expansion of a function.
#[derive(Default)]
pub(super) struct Frame {
    vals: HashMap<u32, Known>,
    /// For each region that was ever open whether it is.
    open: Vec<bool>,
    /// The open regions.
    regions: Vec<usize>,
    /// The block at hand.
    block: usize,
    forward: HashMap<usize, Label>,
    again: HashMap<usize, Label>,
    phis: HashMap<u32, Rc<[Local]>>,
    /// Of a function that is called: the block around it, and where its result goes.
    finish: Option<(Label, Vec<Local>)>,
    carried: Option<Rc<Flow>>,
}

struct Known {
    val: Val,
    ty: Option<u32>,
    region: usize,
    block: usize,
    /// The locals that hold its values where it is not visible.
    carrying: Vec<Local>,
}

impl Frame {
    fn enter(&mut self) {
        self.regions.push(self.open.len());
        self.open.push(true);
    }

    fn leave(&mut self) {
        if let Some(region) = self.regions.pop() {
            self.open[region] = false;
        }
    }

    fn region(&self) -> usize {
        self.regions.last().copied().unwrap_or(0)
    }
}

/// Variables, and the values that a branch gives them.
type Incoming = (Rc<[Local]>, Rc<[Value]>);

impl Lower<'_> {
    /// The flow of a function, worked out once.
    fn flow(&mut self, id: u32) -> Result<Rc<Flow>> {
        if let Some(flow) = self.flows.get(&id) {
            return Ok(flow.clone());
        }
        let Some(function) = self.m.functions.get(&id) else { return bad(format!("%{id} is no function")) };
        let (shapes, steps) = self.m.flow(function, self.d)?;
        let phis = function
            .blocks
            .iter()
            .map(|(_, first, last)| (*first..*last).filter(|at| self.m.binary.insts[*at].op == S::Phi).collect())
            .collect();
        let dominance = dominance(&shapes);
        let mut flow = Flow { function: function.clone(), shapes, steps, dominance, carried: HashSet::new(), phis };
        flow.carried = carried(&flow, &self.m.binary.insts);
        let flow = Rc::new(flow);
        self.flows.insert(id, flow.clone());
        Ok(flow)
    }

    /// Expands a function; gives the numbers of its result.
    pub(super) fn call(&mut self, id: u32, arguments: Vec<(Val, Option<u32>)>) -> Result<Vec<Value>> {
        if self.calls.contains(&id) {
            return bad("a function calls itself");
        }
        if self.calls.len() >= MAX_CALLS {
            return unsupported(format!("calls nested deeper than {MAX_CALLS}"));
        }
        let flow = self.flow(id)?;
        if flow.function.params.len() != arguments.len() {
            return bad(format!("a call with {} arguments, expected {}", arguments.len(), flow.function.params.len()));
        }
        let called = !self.calls.is_empty();
        let mut frame = Frame { carried: Some(flow.clone()), ..Frame::default() };
        if called {
            let ty = self.m.binary.insts[flow.function.at].result_type.unwrap_or(0);
            let widths = self.d.types.widths(ty)?;
            let results = widths.iter().map(|width| self.b.local(*width)).collect();
            frame.finish = Some((self.b.begin_block(), results));
        }
        frame.enter();
        for (param, (val, ty)) in flow.function.params.iter().zip(arguments) {
            frame.vals.insert(*param, Known { val, ty, region: 0, block: 0, carrying: Vec::new() });
        }
        self.calls.push(id);
        let outer = std::mem::replace(&mut self.frame, frame);
        self.declare_phis(&flow)?;
        for step in &flow.steps {
            self.step_of(*step, &flow)?;
        }
        let frame = std::mem::replace(&mut self.frame, outer);
        self.calls.pop();
        match frame.finish {
            Some((_, results)) => {
                self.b.end();
                Ok(results.iter().map(|local| self.b.get(*local)).collect())
            }
            None => Ok(Vec::new()),
        }
    }

    /// Variables for phis of numbers, which keep their values from one iteration to the next.
    fn declare_phis(&mut self, flow: &Flow) -> Result<()> {
        for at in flow.phis.iter().flatten() {
            let inst = self.m.inst(*at);
            let (Some(id), Some(ty)) = (inst.result, inst.result_type) else { return fault("a phi without a type") };
            let widths = match self.d.types.widths(ty) {
                Ok(widths) => widths,
                Err(_) => return unsupported("a phi of pointers, images or samplers"),
            };
            self.spend(widths.len())?;
            let locals = widths.iter().map(|width| self.b.local(*width)).collect();
            self.frame.phis.insert(id, locals);
        }
        Ok(())
    }

    fn step_of(&mut self, step: Step, flow: &Flow) -> Result<()> {
        if let Step::Body(block) | Step::If(block, _) | Step::Switch(block, _) | Step::Edge(block, _) | Step::Leave(block) = step
        {
            self.frame.block = block;
        }
        match step {
            Step::Body(block) => self.body(block, flow)?,
            Step::Block(next) => {
                let label = self.b.begin_block();
                self.frame.forward.insert(next, label);
                self.frame.enter();
            }
            Step::Loop(block) => {
                self.visit(flow.function.blocks[block].1.saturating_sub(1));
                let label = self.b.begin_loop();
                self.frame.again.insert(block, label);
                self.frame.enter();
            }
            Step::If(block, next) => {
                self.visit(flow.function.blocks[block].2);
                let Exit::If(id, ..) = flow.shapes[block].exit else { return fault("a selection without a condition") };
                let condition = self.number(id)?;
                if self.b.width(condition) != Width::W1 {
                    return bad("a condition that is no truth value");
                }
                let label = self.b.begin_if(condition);
                self.frame.forward.extend(next.map(|next| (next, label)));
                self.frame.enter();
            }
            Step::Else => {
                self.b.begin_else();
                self.frame.leave();
                self.frame.enter();
            }
            Step::Switch(block, next) => {
                self.visit(flow.function.blocks[block].2);
                let Exit::Switch(id, _) = flow.shapes[block].exit else { return fault("a switch without a selector") };
                let selector = self.number(id)?;
                let selector = self.resize(selector, Width::W32, false)?;
                let label = self.b.begin_switch(selector);
                self.frame.forward.extend(next.map(|next| (next, label)));
                self.frame.enter();
            }
            Step::Arm(block, at) => {
                let Exit::Switch(_, arms) = &flow.shapes[block].exit else { return fault("an arm without a switch") };
                let (selectors, is_default, _) = &arms[at];
                self.b.begin_arm(selectors, *is_default);
                self.frame.leave();
                self.frame.enter();
            }
            Step::End => {
                self.b.end();
                self.frame.leave();
            }
            Step::Edge(from, to) => self.edge(from, to, flow)?,
            Step::Jump(next) => self.go(next, true)?,
            Step::Again(block) => self.go(block, false)?,
            Step::Leave(block) => self.leave(flow.function.blocks[block].2)?,
        }
        Ok(())
    }

    fn go(&mut self, block: usize, forward: bool) -> Result<()> {
        let labels = if forward { &self.frame.forward } else { &self.frame.again };
        match labels.get(&block) {
            Some(label) => {
                self.b.br(*label);
                Ok(())
            }
            None => fault("a branch to a construct that is not open"),
        }
    }

    fn body(&mut self, block: usize, flow: &Flow) -> Result<()> {
        for at in &flow.phis[block] {
            self.visit(*at);
            let inst = self.m.inst(*at);
            let locals = inst.result.and_then(|id| self.frame.phis.get(&id)).cloned().unwrap_or_default();
            let numbers = locals.iter().map(|local| self.b.get(*local)).collect();
            self.define(inst, Val::Numbers(numbers))?;
        }
        let (_, first, last) = flow.function.blocks[block];
        for at in first..last {
            self.visit(at);
            let m = self.m;
            self.instruction(m.inst(at))?;
        }
        Ok(())
    }

    /// What goes from a block to the phis of the next: all values are read before any is set.
    fn edge(&mut self, from: usize, to: usize, flow: &Flow) -> Result<()> {
        let label = flow.function.blocks[from].0;
        let mut incoming = Vec::<Incoming>::new();
        for at in &flow.phis[to] {
            self.visit(*at);
            let m = self.m;
            let inst = m.inst(*at);
            let Some(pair) = inst.operands.chunks_exact(2).find(|pair| pair[1] == label) else {
                return bad(format!("a phi without a value from %{label}"));
            };
            let locals = inst.result.and_then(|id| self.frame.phis.get(&id)).cloned().unwrap_or_default();
            let numbers = self.numbers(pair[0])?;
            let fits = locals.len() == numbers.len() && self.types_agree(inst.result_type, pair[0])?;
            if !fits {
                return bad("a phi of values of another type");
            }
            incoming.push((locals, numbers));
        }
        for (locals, numbers) in incoming {
            for (local, value) in locals.iter().zip(numbers.iter()) {
                self.b.set(*local, *value);
            }
        }
        Ok(())
    }

    fn types_agree(&self, ty: Option<u32>, id: u32) -> Result<bool> {
        Ok(ty == Some(self.type_of(id)?))
    }

    /// The last instruction of a block that leaves the function.
    fn leave(&mut self, at: usize) -> Result<()> {
        self.visit(at);
        let m = self.m;
        let inst = m.inst(at);
        match inst.op {
            S::Return | S::ReturnValue => {
                let finish = self.frame.finish.as_ref().map(|(label, locals)| (*label, locals.clone()));
                match finish {
                    None => self.b.ret(&[]),
                    Some((label, locals)) => {
                        if inst.op == S::ReturnValue {
                            let numbers = self.numbers(inst.at(0))?;
                            let fits = locals.len() == numbers.len();
                            let ty =
                                self.frame.carried.as_ref().and_then(|flow| self.m.binary.insts[flow.function.at].result_type);
                            if !fits || !self.types_agree(ty, inst.at(0))? {
                                return bad("a function returns a value of another type");
                            }
                            for (local, value) in locals.iter().zip(numbers.iter()) {
                                self.b.set(*local, *value);
                            }
                        }
                        self.b.br(label);
                    }
                }
            }
            // The invocation ends here: what it wrote no longer counts, and it takes part in nothing that comes.
            S::Kill | S::TerminateInvocation => {
                let always = self.b.constant(Width::W1, 1);
                self.b.effect(Op::Demote, Attrs::default(), &[always]);
                self.b.ret(&[]);
            }
            // Nothing is promised of a lane that comes here; it ends.
            S::Unreachable => self.b.ret(&[]),
            other => return unsupported(format!("Op{other:?}")),
        }
        Ok(())
    }

    /// Makes an instruction's result known.
    pub(super) fn define(&mut self, inst: &Inst, mut val: Val) -> Result<()> {
        let Some(id) = inst.result else { return fault("a result without a name") };
        let mut carrying = Vec::new();
        if self.frame.carried.as_ref().is_some_and(|flow| flow.carried.contains(&id)) {
            for value in val.values() {
                let local = self.b.local(self.b.width(*value));
                self.b.set(local, *value);
                carrying.push(local);
            }
        }
        let (region, block) = (self.frame.region(), self.frame.block);
        self.frame.vals.insert(id, Known { val, ty: inst.result_type, region, block, carrying });
        Ok(())
    }

    /// What an id of this function is here.
    pub(super) fn frame_val(&mut self, id: u32) -> Result<Option<Val>> {
        let Some(known) = self.frame.vals.get(&id) else { return Ok(None) };
        let mut val = known.val.clone();
        if !self.frame.open[known.region] {
            let carrying = known.carrying.clone();
            let values = val.values();
            let dominates = self.frame.carried.as_ref().is_some_and(|flow| flow.dominance.holds(known.block, self.frame.block));
            if values.len() != carrying.len() || !dominates {
                return bad(format!("%{id} is used where its definition does not dominate"));
            }
            for (value, local) in values.into_iter().zip(carrying) {
                *value = self.b.get(local);
            }
        }
        Ok(Some(val))
    }

    pub(super) fn frame_type(&self, id: u32) -> Option<u32> {
        self.frame.vals.get(&id).and_then(|known| known.ty)
    }

    /// `OpFunctionCall`.
    pub(super) fn function_call(&mut self, inst: &Inst) -> Result<()> {
        let mut arguments = Vec::new();
        for id in inst.rest(1) {
            let val = self.val(*id)?;
            arguments.push((val, self.type_of(*id).ok()));
        }
        let place = self.m.place.get();
        let precise = self.precise;
        let results = self.call(inst.at(0), arguments)?;
        self.visit(place);
        self.precise = precise;
        match inst.result_type.map(|ty| self.d.types.get(ty)).transpose()? {
            Some(super::types::Ty::Void) | None => Ok(()),
            _ => self.numbers_of(inst, results),
        }
    }
}

/// The ids that are used in a region where their definition's is closed. A literal that happens to be an id's number is taken for it, which costs a variable.
fn carried(flow: &Flow, insts: &[Inst]) -> HashSet<u32> {
    let mut defined: HashMap<u32, usize> = HashMap::new();
    let mut carried = HashSet::new();
    let mut frame = Frame::default();
    frame.enter();
    let mut uses = |words: &[u32], defined: &HashMap<u32, usize>, frame: &Frame| {
        let closed = |id: &&u32| defined.get(id).is_some_and(|region| !frame.open[*region]);
        carried.extend(words.iter().filter(closed));
    };
    for step in &flow.steps {
        match *step {
            Step::Body(block) => {
                let (_, first, last) = flow.function.blocks[block];
                for inst in &insts[first..last] {
                    if inst.op != S::Phi {
                        uses(&inst.operands, &defined, &frame);
                    }
                    defined.extend(inst.result.map(|id| (id, frame.region())));
                }
            }
            Step::If(block, _) | Step::Switch(block, _) => {
                uses(&insts[flow.function.blocks[block].2].operands, &defined, &frame);
                frame.enter();
            }
            Step::Leave(block) => uses(&insts[flow.function.blocks[block].2].operands, &defined, &frame),
            Step::Edge(_, to) => flow.phis[to].iter().for_each(|at| uses(&insts[*at].operands, &defined, &frame)),
            Step::Block(_) | Step::Loop(_) => frame.enter(),
            Step::Else | Step::Arm(..) => {
                frame.leave();
                frame.enter();
            }
            Step::End => frame.leave(),
            Step::Jump(_) | Step::Again(_) => {}
        }
    }
    carried
}
