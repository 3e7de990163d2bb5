//! What is known of values whatever a program is run on: which bits they may have, and which numbers they may be.
//!
//! Facts follow the operations with the choices that they carry. What comes round a loop is known from the round of the analysis before, from knowing
//! nothing on, so that each round is right by itself. Values of regions that no lane enters are *never* made. Where a decision stands behind a comparison,
//! what is compared is known better there: [`visit`] tells what is known at each operation.

mod alike;
mod counter;
mod float;
mod integer;
mod narrow;
#[cfg(test)]
mod tests;

pub(crate) use alike::alike;
pub(crate) use float::{Nan, Number};

use crate::flow::comes_to;
use gpuproof_program::{
    Attrs, Builtin, Class, Dialect, Function, Instruction, Label, Node, Op, Program, Region, Scope, Stage, Target, Value, Width,
    walk,
};
use gpuproof_run::machine::scalar::Pure;
use std::collections::HashMap;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fact {
    /// Bits that may be 1.
    pub(crate) may: u64,
    /// The least it may be, unsigned.
    pub(crate) lo: u64,
    /// The most. Less than the least: it is never made.
    pub(crate) hi: u64,
    /// What it may be as a float of its width.
    pub(crate) number: Number,
}

impl Fact {
    /// No lane makes it.
    pub(crate) const NEVER: Fact = Fact { may: 0, lo: u64::MAX, hi: 0, number: Number::NEVER };

    fn any(width: Width) -> Fact {
        Fact { may: width.mask(), lo: 0, hi: width.mask(), number: Number::ANY }
    }

    fn constant(width: Width, bits: u64) -> Fact {
        Fact { may: bits, lo: bits, hi: bits, number: Number::constant(width, bits) }
    }

    fn truth(value: bool) -> Fact {
        Fact::constant(Width::W1, u64::from(value))
    }

    /// Of bits in a range.
    fn bits(width: Width, may: u64, lo: u64, hi: u64) -> Fact {
        // Nothing is above all bits that it may have.
        let hi = hi.min(may).min(width.mask());
        let lo = lo.min(hi);
        if lo == hi {
            return Fact::constant(width, lo);
        }
        let may = may & width.mask() & (u64::MAX >> hi.leading_zeros());
        Fact { may, lo, hi, number: Number::of_bits(width, lo, hi) }
    }

    fn up_to(width: Width, hi: u64) -> Fact {
        Fact::bits(width, u64::MAX, 0, hi)
    }

    /// Of a float.
    fn float(width: Width, number: Number) -> Fact {
        // Bits of floats that are not negative are in the order of the floats.
        match number.bits(width) {
            Some((lo, hi)) => Fact { number, ..Fact::bits(width, u64::MAX, lo, hi) },
            None => Fact { number, ..Fact::any(width) },
        }
    }

    fn join(self, other: Fact) -> Fact {
        Fact {
            may: self.may | other.may,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            number: self.number.join(other.number),
        }
    }

    /// What both say.
    fn meet(self, other: Fact) -> Fact {
        let (lo, hi, may) = (self.lo.max(other.lo), self.hi.min(other.hi), self.may & other.may);
        if lo > hi { Fact::NEVER } else { Fact { may, lo, hi, number: self.number } }
    }

    /// Whether no lane makes it.
    pub(crate) fn is_never(self) -> bool {
        self.lo > self.hi
    }

    /// Whether the sign bit is never set.
    pub(crate) fn is_positive(self, width: Width) -> bool {
        self.hi <= width.mask() >> 1
    }

    /// The least and the most that it may be as a signed number.
    pub(crate) fn signed(self, width: Width) -> (i64, i64) {
        let extended = |bits: u64| ((bits << (64 - width.bits())) as i64) >> (64 - width.bits());
        match (self.is_positive(width), self.lo > width.mask() >> 1) {
            (false, false) => (extended(1 << (width.bits() - 1)), (width.mask() >> 1) as i64),
            _ => (extended(self.lo), extended(self.hi)),
        }
    }

    /// The value where it is only one.
    pub(crate) fn known(self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo)
    }
}

/// A pure operation of one lane with one result, and what it is of.
#[derive(Clone, Copy)]
struct Step<'a> {
    op: Op,
    attrs: Attrs,
    args: &'a [Value],
    /// The width of its operands.
    from: Width,
    /// The width of its result.
    width: Width,
}

impl Step<'_> {
    fn evaluate(&self, args: &[u64]) -> u64 {
        let t = if self.op == Op::Select { self.width } else { self.from };
        Pure { op: self.op, attrs: self.attrs, t, u: self.width }.evaluate(args)[0]
    }

    /// Whether two operands are one value.
    fn same(&self, x: usize, y: usize) -> bool {
        self.args[x] == self.args[y]
    }

    /// What it gives of operands of which this is known.
    fn result(&self, args: &[Fact]) -> Fact {
        if args.iter().any(|arg| arg.is_never()) {
            return Fact::NEVER;
        }
        if self.op == Op::Undef {
            return Fact::any(self.width);
        }
        if let Some(known) = args.iter().map(|arg| arg.known()).collect::<Option<Vec<u64>>>() {
            return Fact::constant(self.width, self.evaluate(&known));
        }
        let float = || float::result(self, args);
        integer::result(self, args).or_else(float).unwrap_or(Fact::any(self.width))
    }
}

/// What a pure operation of one lane would give of values of which this is known.
pub(crate) fn result(
    function: &Function,
    (facts, alike): (&[Fact], &[Value]),
    (op, attrs): (Op, Attrs),
    args: &[Value],
    width: Width,
) -> Fact {
    let from = args.first().map_or(width, |arg| function.width(*arg));
    let known: Vec<Fact> = args.iter().map(|arg| facts[arg.index()]).collect();
    let args: Vec<Value> = args.iter().map(|arg| alike[arg.index()]).collect();
    Step { op, attrs, args: &args, from, width }.result(&known)
}

/// The facts of a function's values.
pub(crate) fn facts(program: &Program, function: &Function) -> Vec<Fact> {
    settled(program, function).facts
}

/// Visits every operation of a function with the facts of all values as they are known where it stands.
pub(crate) fn visit(program: &Program, function: &Function, see: &mut dyn FnMut(&Instruction, &[Fact])) {
    let mut pass = settled(program, function);
    pass.see = Some(see);
    pass.region(&function.body);
}

/// A pass that is ready for one round more, in which nothing changes.
fn settled<'a>(program: &'a Program, function: &'a Function) -> Pass<'a> {
    // Ranges get narrower in each round; what goes through loops in loops takes a few.
    const ROUNDS: usize = 4;
    let mut pass = Pass {
        program,
        function,
        facts: function.values.iter().map(|width| Fact::any(*width)).collect(),
        defined: definitions(function),
        alike: alike(program, function),
        counters: counter::counters(function),
        incoming: HashMap::new(),
        before: None,
        dead: false,
        wider: Vec::new(),
        see: None,
    };
    for _ in 0..ROUNDS {
        let known = pass.facts.clone();
        pass.dead = false;
        pass.region(&function.body);
        pass.before = Some(std::mem::take(&mut pass.incoming));
        if pass.facts == known {
            break;
        }
    }
    pass.dead = false;
    pass
}

/// Looks at an operation, with the facts of all values where it stands.
type See<'a> = &'a mut dyn FnMut(&Instruction, &[Fact]);

/// By label what branches to it bring.
type Incoming = HashMap<Label, Vec<Fact>>;

struct Pass<'a> {
    program: &'a Program,
    function: &'a Function,
    facts: Vec<Fact>,
    defined: HashMap<Value, &'a Instruction>,
    alike: Vec<Value>,
    /// What goes round loops and is counted up to a constant.
    counters: HashMap<Value, Fact>,
    incoming: Incoming,
    /// Of the round before; none in the first.
    before: Option<Incoming>,
    /// Whether no lane comes here.
    dead: bool,
    /// What decisions around have narrowed, as it was before.
    wider: Vec<(Value, Fact)>,
    see: Option<See<'a>>,
}

impl Pass<'_> {
    fn fact(&self, value: Value) -> Fact {
        self.facts[value.index()]
    }

    fn set(&mut self, value: Value, fact: Fact) {
        self.facts[value.index()] = if self.dead { Fact::NEVER } else { fact };
    }

    fn bring(&mut self, target: Label, values: &[Value]) {
        if self.dead {
            return;
        }
        let brought: Vec<Fact> = values.iter().map(|value| self.fact(*value)).collect();
        match self.incoming.get_mut(&target) {
            Some(known) => known.iter_mut().zip(brought).for_each(|(slot, fact)| *slot = slot.join(fact)),
            None => _ = self.incoming.insert(target, brought),
        }
    }

    /// A region that some lanes may enter, or none.
    fn inside(&mut self, region: &Region, entered: bool) {
        let outside = self.dead;
        self.dead |= !entered;
        self.region(region);
        self.dead = outside;
    }

    /// Behind a construct: lanes come there by branches to it.
    fn behind(&mut self, label: Label, results: &[Value]) {
        match self.incoming.get(&label).cloned() {
            Some(brought) => results.iter().zip(brought).for_each(|(value, fact)| self.set(*value, fact)),
            None => {
                self.dead = true;
                results.iter().for_each(|value| self.set(*value, Fact::NEVER));
            }
        }
    }

    fn region(&mut self, region: &Region) {
        let narrowed = self.wider.len();
        for node in region {
            match node {
                Node::Op(instruction) => {
                    self.instruction(instruction);
                    if let Some(see) = &mut self.see {
                        see(instruction, &self.facts);
                    }
                }
                Node::Br { target, values } => self.bring(*target, values),
                Node::Return { .. } | Node::Unreachable => {}
                Node::Block { label, results, body } => {
                    self.inside(body, true);
                    self.behind(*label, results);
                }
                Node::If { label, condition, results, then, otherwise, .. } => {
                    let known = self.fact(*condition).known();
                    for (way, holds) in [(then, true), (otherwise, false)] {
                        let narrowed = self.wider.len();
                        self.narrow(*condition, holds);
                        self.inside(way, known != Some(u64::from(!holds)));
                        self.widen(narrowed);
                    }
                    self.behind(*label, results);
                    // Where one of the ways leads elsewhere, what follows is the other's.
                    match (comes_to(then, *label), comes_to(otherwise, *label)) {
                        (false, true) => self.narrow(*condition, false),
                        (true, false) => self.narrow(*condition, true),
                        _ => {}
                    }
                }
                Node::Switch { label, selector, results, arms, .. } => {
                    let selector = self.fact(*selector);
                    let may_be = |bits: &u32| selector.lo <= u64::from(*bits) && u64::from(*bits) <= selector.hi;
                    let named = |bits: u64| arms.iter().any(|arm| arm.selectors.iter().any(|known| u64::from(*known) == bits));
                    for arm in arms {
                        let chosen = arm.selectors.iter().any(may_be);
                        let entered = chosen || arm.is_default && selector.known().is_none_or(|bits| !named(bits));
                        let fallen = self.incoming.get(&arm.label).cloned();
                        for (at, param) in arm.params.iter().enumerate() {
                            let initial = if entered { self.fact(arm.initial[at]) } else { Fact::NEVER };
                            let fact = fallen.as_ref().map_or(initial, |fallen| initial.join(fallen[at]));
                            self.set(*param, fact);
                        }
                        self.inside(&arm.body, entered || fallen.is_some());
                    }
                    self.behind(*label, results);
                }
                Node::Loop { label, initial, params, body, .. } => {
                    for (at, param) in params.iter().enumerate() {
                        let first = self.fact(initial[at]);
                        let again = match &self.before {
                            None => Fact::any(self.function.width(*param)),
                            Some(before) => before.get(label).map_or(Fact::NEVER, |brought| brought[at]),
                        };
                        let fact = first.join(again);
                        self.set(*param, self.counters.get(param).map_or(fact, |counter| fact.meet(*counter)));
                    }
                    self.inside(body, true);
                }
            }
        }
        self.widen(narrowed);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let row = instruction.op.row();
        let from = instruction.args.first().map(|arg| self.function.width(*arg));
        for (at, &result) in instruction.results.iter().enumerate() {
            let width = self.function.width(result);
            let fact = if row.class == Class::Pure && row.scope == Scope::Lane && instruction.results.len() == 1 {
                self.pure(instruction, from.unwrap_or(width), width)
            } else {
                self.read(instruction, at, width)
            };
            self.set(result, fact);
        }
    }

    fn pure(&self, instruction: &Instruction, from: Width, width: Width) -> Fact {
        let Instruction { op, attrs, args, .. } = instruction;
        let known: Vec<Fact> = args.iter().map(|arg| self.fact(*arg)).collect();
        // What a truth value's mask leaves of a word is the word or nothing.
        if let (Op::IAnd, &[a, b]) = (*op, &args[..]) {
            for (mask, other) in [(a, b), (b, a)] {
                if self.is_mask(mask, 0) && !self.fact(mask).is_never() {
                    return match self.fact(mask).known() {
                        Some(0) => Fact::constant(width, 0),
                        Some(_) => self.fact(other),
                        None => self.fact(other).join(Fact::constant(width, 0)),
                    };
                }
            }
        }
        let args: Vec<Value> = args.iter().map(|arg| self.alike[arg.index()]).collect();
        Step { op: *op, attrs: *attrs, args: &args, from, width }.result(&known)
    }

    /// Whether a value has all bits set or none.
    fn is_mask(&self, value: Value, depth: u32) -> bool {
        let Some(made) = self.defined.get(&value) else { return false };
        match made.op {
            Op::SExtend => self.function.width(made.args[0]) == Width::W1,
            Op::IAnd | Op::IOr | Op::IXor | Op::INot if depth < 8 => made.args.iter().all(|arg| self.is_mask(*arg, depth + 1)),
            _ => false,
        }
    }

    /// Whether a component of a position is a pixel's place.
    fn is_place(&self, component: u8) -> bool {
        self.program.dialect == Dialect::D3D11 && self.program.stage == Stage::Pixel && component < 2
    }

    /// A result of what is no pure operation of one lane, or has several.
    fn read(&self, instruction: &Instruction, result: usize, width: Width) -> Fact {
        let any = Fact::any(width);
        let up_to = |hi: u64| Fact::up_to(width, hi);
        match (instruction.op, instruction.attrs.target) {
            // No texture of either API is larger.
            (Op::TextureSize, _) => up_to(1 << 27),
            (Op::BufferSize, _) => up_to(i32::MAX as u64),
            (Op::Input, Target::Input(id, component)) => {
                let [x, y, z] = self.program.group_size.map(|size| u64::from(size.max(1)));
                let axis = [x, y, z].get(usize::from(component)).copied().unwrap_or(1);
                // D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION.
                let groups = if self.program.dialect == Dialect::D3D11 { 65535 } else { u64::from(u32::MAX) };
                match self.program.interface.input(id).builtin {
                    Some(Builtin::LocalInvocationId) => up_to(axis - 1),
                    Some(Builtin::LocalInvocationIndex) => up_to(x * y * z - 1),
                    Some(Builtin::WorkgroupId) => up_to(groups - 1),
                    Some(Builtin::GlobalInvocationId) => up_to(groups * axis - 1),
                    Some(Builtin::SampleIndex) => up_to(31),
                    // A pixel lies in a viewport, which ends at D3D11_VIEWPORT_BOUNDS_MAX at most, and in what is rendered to, which starts at 0.
                    Some(Builtin::Position) if self.is_place(component) => Fact::float(width, Number::between(0.0, 32768.0)),
                    Some(Builtin::SubgroupInvocationId) => up_to(127),
                    Some(Builtin::SubgroupSize) => up_to(128),
                    _ => any,
                }
            }
            (Op::UAddCarry | Op::USubBorrow, _) if result == 0 => {
                let op = if instruction.op == Op::UAddCarry { Op::IAdd } else { Op::ISub };
                let known: Vec<Fact> = instruction.args.iter().map(|arg| self.fact(*arg)).collect();
                Step { op, attrs: Attrs::default(), args: &instruction.args, from: width, width }.result(&known)
            }
            _ => any,
        }
    }
}

/// The instruction that defines each value as its only result.
pub(crate) fn definitions(function: &Function) -> HashMap<Value, &Instruction> {
    let mut found = HashMap::new();
    walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && let [result] = instruction.results[..]
        {
            found.insert(result, instruction);
        }
    });
    found
}
