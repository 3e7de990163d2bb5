//! Mutants that compute the same, whatever they are run on: by what is known of their operands ([`crate::facts`]), by what is asked of their results, by
//! what reads or tells what they do, or by trying every value that their operands can have.

mod dead;
mod demand;
mod hidden;
mod known;
#[cfg(test)]
mod tests;
mod threads;
mod trial;

pub(super) use demand::dependent;
pub(super) use hidden::SPREAD;

use super::mutate::{Mutant, Patch};
use crate::facts::{Fact, Nan, alike, definitions, facts, result, visit};
use crate::flow;
use demand::{Demand, demands};
use gpuproof_program::*;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// What shows mutants of one function equivalent.
struct Knowledge<'a> {
    program: &'a Program,
    function: &'a Function,
    facts: Vec<Fact>,
    defined: HashMap<Value, &'a Instruction>,
    /// For each value the first that is the same.
    alike: Vec<Value>,
    /// What is asked of each value whatever is changed.
    demands: Vec<Demand>,
    /// By quotient or remainder, those whose divisor is never zero where they stand.
    divided: HashSet<Value>,
    /// For each store to an array, by its node's number, which elements of the array may be read behind it.
    read_later: OnceCell<HashMap<usize, Vec<bool>>>,
}

/// For each mutant whether it is shown to be equivalent.
pub(super) fn equivalent(program: &Program, mutants: &[&Mutant]) -> Vec<bool> {
    let mut known: HashMap<FunctionId, Knowledge<'_>> = HashMap::new();
    let mut of = |mutant: &Mutant| {
        let function = program.function(mutant.function);
        let knowledge = known.entry(mutant.function).or_insert_with(|| {
            let facts = facts(program, function);
            let alike = alike(program, function);
            let demands = demands(program, function, (&facts, &alike), None);
            let divided = divided(program, function);
            let (defined, read_later) = (definitions(function), OnceCell::new());
            Knowledge { program, function, facts, defined, alike, demands, divided, read_later }
        });
        knowledge.shows(mutant)
    };
    mutants.iter().map(|mutant| of(mutant)).collect()
}

/// The quotients and remainders whose divisor is never zero where they stand.
fn divided(program: &Program, function: &Function) -> HashSet<Value> {
    let mut found = HashSet::new();
    visit(program, function, &mut |instruction, facts| {
        let divides = matches!(instruction.op, Op::UDiv | Op::URem | Op::SDiv | Op::SRem);
        // A signed quotient is too large for its format where the smallest number is divided by -1.
        let fits = |arg: &Value| facts[arg.index()].is_positive(function.width(*arg));
        let fits = matches!(instruction.op, Op::UDiv | Op::URem) || instruction.args.iter().any(fits);
        if divides && fits && facts[instruction.args[1].index()].lo > 0 {
            found.insert(instruction.results[0]);
        }
    });
    found
}

impl<'a> Knowledge<'a> {
    fn fact(&self, value: Value) -> Fact {
        self.facts[value.index()]
    }

    /// Whether a level that is looked up is known to be the first one that the other takes.
    fn is_first_level(&self, original: &Instruction, mutated: &Instruction) -> bool {
        let (Detail::Sampling(from), Detail::Sampling(to)) = (original.attrs.detail, mutated.attrs.detail) else { return false };
        let level =
            from.operands().level.filter(|_| from.level == Level::Explicit && to == Sampling { level: Level::Zero, ..from });
        level.is_some_and(|at| {
            let number = self.fact(original.args[at]).number;
            number.nan == Nan::Never && number.lo == 0.0 && number.hi == 0.0
        })
    }

    /// What a pure operation of these values gives.
    fn result(&self, op: Op, attrs: Attrs, args: &[Value], width: Width) -> Fact {
        result(self.function, (&self.facts, &self.alike), (op, attrs), args, width)
    }

    fn demand(&self, value: Value) -> Demand {
        self.demands[value.index()]
    }

    /// Whether the sign of a zero makes no difference where this value alone is changed.
    fn drops_zero_sign(&self, value: Value) -> bool {
        let alone = || demands(self.program, self.function, (&self.facts, &self.alike), Some(value))[value.index()].zero_sign;
        self.demand(value).zero_sign || alone()
    }

    /// Whether two values are the same.
    fn alike(&self, a: Value, b: Value) -> bool {
        self.alike[a.index()] == self.alike[b.index()]
    }

    fn node(&self, number: usize) -> Option<&'a Node> {
        let (mut at, mut found) = (0, None);
        walk(&self.function.body, &mut |node| {
            if at == number {
                found = Some(node);
            }
            at += 1;
        });
        found
    }

    fn shows(&self, mutant: &Mutant) -> bool {
        let Some(node) = self.node(mutant.node) else { return false };
        match (&mutant.patch, node) {
            (Patch::Condition(nodes, _, value), Node::If { condition, .. }) => {
                let constant = nodes.iter().find_map(|node| match node {
                    Node::Op(instruction) if instruction.op == Op::Const && instruction.results.contains(value) => {
                        match instruction.attrs.target {
                            Target::Bits(bits) => Some(bits),
                            _ => None,
                        }
                    }
                    _ => None,
                });
                constant.is_some() && self.fact(*condition).known() == constant
                    || self.others_do_the_same(mutant.node, node, nodes, Some(*value))
            }
            (Patch::Nodes(nodes, widths), Node::Op(original)) => {
                if self.stores_what_is_dead(mutant.node, original, nodes) || self.is_idle_fence(original, nodes) {
                    return true;
                }
                let by_rule = match &nodes[..] {
                    [Node::Op(mutated)] if original.op == Op::Const => {
                        self.is_lost(original.results[0]) || self.is_cut(original, mutated) || self.same_masks(original, mutated)
                    }
                    [Node::Op(inner), Node::Op(_), Node::Op(outer)] if inner.op == original.op && outer.op == Op::Select => {
                        self.same_kept(original)
                    }
                    [Node::Op(mutated)] => {
                        self.same(original, mutated)
                            || self.hides_in_nan(original, mutated)
                            || self.hides_where_known(original, mutated)
                    }
                    [Node::Op(inner), Node::Op(outer)] if inner.op == original.op && outer.op == Op::FNeg => {
                        let result = original.results[0];
                        let number = self.fact(result).number;
                        self.demand(result).even
                            || (number.lo == 0.0 && number.hi == 0.0 && number.nan == Nan::Never && self.drops_zero_sign(result))
                    }
                    _ => false,
                };
                by_rule || self.exhausted(original, nodes, widths) || self.others_do_the_same(mutant.node, node, nodes, None)
            }
            _ => false,
        }
    }

    /// Whether an operation gives what the original one gives, as far as anything asks for it.
    fn same(&self, original: &Instruction, mutated: &Instruction) -> bool {
        if original.results != mutated.results {
            return false;
        }
        if original.results.iter().any(|result| self.fact(*result).is_never()) || self.is_first_level(original, mutated) {
            return true;
        }
        if original.results.len() != 1 {
            return false;
        }
        let result = original.results[0];
        let at = |position: usize| original.args.get(position).map(|arg| self.fact(*arg));
        let width = original.args.first().map_or(Width::W32, |arg| self.function.width(*arg));
        let (Some(a), b) = (at(0), at(1)) else { return false };
        let positive = |fact: Option<Fact>| fact.is_some_and(|fact| fact.is_positive(width));
        let zero = |fact: Option<Fact>| fact.and_then(Fact::known) == Some(0);
        let (even, truth) = (self.demand(result).even, self.demand(result).truth);
        let zero_sign = || self.drops_zero_sign(result);
        if original.op == mutated.op {
            return match original.op {
                Op::FSub if mutated.args.len() == 2 => even && mutated.attrs == original.attrs,
                _ => self.same_rules(original, mutated, a),
            };
        }
        let is_copy = mutated.op == Op::IOr && mutated.args.iter().all(|arg| *arg == mutated.args[0]);
        match (original.op, mutated.op) {
            (Op::SToF, Op::UToF) | (Op::UToF, Op::SToF) => a.is_positive(width),
            (Op::SExtend, Op::UExtend) | (Op::UExtend, Op::SExtend) if width == Width::W1 => truth || a.known() == Some(0),
            (Op::SExtend, Op::UExtend) | (Op::UExtend, Op::SExtend) => {
                a.is_positive(width) || self.demand(result).bits & !width.mask() == 0
            }
            (Op::FToS, Op::FToU) | (Op::FToU, Op::FToS) => {
                width == Width::W32 && a.number.lo > -1.0 && a.number.hi < 2_147_483_648.0
            }
            (Op::SShr, Op::UShr) | (Op::UShr, Op::SShr) => {
                let high = at(1).and_then(Fact::known).map(|count| {
                    let count = count % u64::from(width.bits());
                    width.mask() & !(width.mask() >> count)
                });
                a.is_positive(width) || high.is_some_and(|high| self.demand(result).bits & high == 0)
            }
            (Op::SLt, Op::ULt)
            | (Op::ULt, Op::SLt)
            | (Op::SLe, Op::ULe)
            | (Op::ULe, Op::SLe)
            | (Op::SMin, Op::UMin)
            | (Op::UMin, Op::SMin)
            | (Op::SMax, Op::UMax)
            | (Op::UMax, Op::SMax)
            | (Op::SDiv, Op::UDiv)
            | (Op::UDiv, Op::SDiv)
            | (Op::SRem, Op::URem)
            | (Op::URem, Op::SRem)
            | (Op::SMulHigh, Op::UMulHigh)
            | (Op::UMulHigh, Op::SMulHigh) => positive(Some(a)) && positive(b),
            (Op::SLt, Op::SLe) | (Op::SLe, Op::SLt) => {
                positive(Some(a)) && positive(b) && b.is_some_and(|b| a.hi < b.lo || a.lo > b.hi)
            }
            (Op::ULt, Op::ULe) | (Op::ULe, Op::ULt) => b.is_some_and(|b| a.hi < b.lo || a.lo > b.hi),
            (Op::IAdd, Op::ISub) | (Op::ISub, Op::IAdd) => b.is_some_and(|b| b.may & (width.mask() >> 1) == 0),
            (Op::IOr, Op::IXor) | (Op::IXor, Op::IOr) => b.is_some_and(|b| a.may & b.may == 0),
            (Op::FAdd, Op::FSub) | (Op::FSub, Op::FAdd) => {
                let adds_zero = zero(b) || b.and_then(Fact::known) == Some(0x8000_0000);
                adds_zero && width == Width::W32 && (!a.number.negative_zero || zero_sign()) || even && zero(Some(a))
            }
            (Op::FMul, Op::FDiv) | (Op::FDiv, Op::FMul) => {
                matches!(b.and_then(Fact::known), Some(0x3f80_0000 | 0xbf80_0000)) && width == Width::W32
            }
            // They differ where the operands are equal, less, or more.
            (Op::FLt, Op::FLe) | (Op::FLe, Op::FLt) => self.never(Op::FEq, original, [0, 1]),
            (Op::FEq, Op::FLe) => self.never(Op::FLt, original, [0, 1]),
            (Op::FNe, Op::FLt) => {
                let numbers = a.number.nan == Nan::Never && b.is_some_and(|b| b.number.nan == Nan::Never);
                numbers && self.never(Op::FLt, original, [1, 0])
            }
            (Op::FFloor, Op::FTrunc) | (Op::FTrunc, Op::FFloor) => {
                width == Width::W32 && (a.number.lo >= 0.0 || a.number.integral)
            }
            (Op::FFloor, Op::FCeil) | (Op::FCeil, Op::FFloor) | (Op::FRound, Op::FFloor) => {
                width == Width::W32 && a.number.integral
            }
            // The greater of x and -x is |x|.
            (Op::FNeg, Op::FAbs) if self.is_only_beside(result, original.args[0]) => true,
            (Op::FNeg, Op::FAbs) => even || width == Width::W32 && a.number.hi < 0.0 && a.number.nan == Nan::Never,
            (Op::FAbs, _) if is_copy => {
                even || width == Width::W32
                    && a.number.lo >= 0.0
                    && (!a.number.negative_zero || zero_sign())
                    && a.number.nan <= Nan::Canonical
            }
            (Op::FSaturate, _) if is_copy => {
                width == Width::W32
                    && a.number.lo >= 0.0
                    && a.number.hi <= 1.0
                    && (!a.number.negative_zero || zero_sign())
                    && !a.number.subnormal
                    && a.number.nan == Nan::Never
            }
            // Only of the two arms when they are one.
            (Op::Select, Op::IOr) if is_copy => {
                let other = if mutated.args[0] == original.args[1] { original.args[2] } else { original.args[1] };
                let taken = if mutated.args[0] == original.args[1] { 1 } else { 0 };
                self.value(other) == self.value(mutated.args[0]) || a.known() == Some(taken)
            }
            _ => false,
        }
    }

    /// Whether the rule for equal operands of a minimum decides which zero it gives; both rules give a maximum's first.
    fn parts_zeros(&self, original: &Instruction) -> bool {
        let [a, b] = [0, 1].map(|at| self.fact(original.args[at]).number);
        let width = self.function.width(original.args[0]);
        original.op == Op::FMin
            && a.may_be_zero(width)
            && b.may_be_zero(width)
            && (a.negative_zero || b.negative_zero)
            && !self.drops_zero_sign(original.results[0])
    }

    /// Whether a comparison of these operands of another one never holds.
    fn never(&self, op: Op, of: &Instruction, places: [usize; 2]) -> bool {
        let args = places.map(|at| of.args[at]);
        self.result(op, of.attrs, &args, Width::W1).known() == Some(0)
    }

    /// Whether a value is only used in maxima with another one.
    fn is_only_beside(&self, value: Value, other: Value) -> bool {
        let mut found = true;
        walk(&self.function.body, &mut |node| match node {
            Node::Op(instruction) if instruction.args.contains(&value) => {
                found &= instruction.op == Op::FMax && instruction.args.iter().any(|arg| self.alike(*arg, other));
            }
            Node::Op(_) => {}
            node => found &= !flow::operands(node).contains(&value),
        });
        found
    }

    /// Whether nothing asks for the bits in which two constants differ.
    fn is_cut(&self, original: &Instruction, mutated: &Instruction) -> bool {
        let (Target::Bits(old), Target::Bits(new)) = (original.attrs.target, mutated.attrs.target) else { return false };
        let constant = original.results[0];
        let asked = demands(self.program, self.function, (&self.facts, &self.alike), Some(constant))[constant.index()];
        (old ^ new) & asked.bits == 0
    }

    /// Whether two constants differ only in bits that are cut off by what they are a mask of.
    fn same_masks(&self, original: &Instruction, mutated: &Instruction) -> bool {
        let (Target::Bits(old), Target::Bits(new)) = (original.attrs.target, mutated.attrs.target) else { return false };
        let constant = original.results[0];
        let changed = dependent(self.function, constant);
        let mut same = true;
        walk(&self.function.body, &mut |node| match node {
            Node::Op(instruction) if instruction.args.contains(&constant) => {
                let other = instruction.args.iter().find(|arg| !changed[arg.index()]);
                let cut = |other: Value| self.fact(other).may & (old ^ new) & self.demand(instruction.results[0]).bits == 0;
                // An integral number does not come between them.
                let apart = |other: Value, is_first: bool| {
                    let (old, new) = (f32::from_bits(old as u32), f32::from_bits(new as u32));
                    let below = matches!((instruction.op, is_first), (Op::FLt, true) | (Op::FLe, false));
                    let alike = if below { old.floor() == new.floor() } else { old.ceil() == new.ceil() };
                    self.function.width(other) == Width::W32 && self.fact(other).number.integral && alike
                };
                // What is less than both is the minimum with either.
                let beyond = |other: Value, op: Op| {
                    let number = self.fact(other).number;
                    let [old, new] = [old, new].map(|bits| f64::from(f32::from_bits(bits as u32)));
                    let is_the_result = if op == Op::FMin { number.hi < old.min(new) } else { number.lo > old.max(new) };
                    self.function.width(other) == Width::W32 && number.nan == Nan::Never && is_the_result
                };
                same &= match (instruction.op, other) {
                    (Op::IAnd, Some(other)) => cut(*other),
                    (Op::FLt | Op::FLe, Some(other)) => apart(*other, instruction.args[0] == constant),
                    (Op::FMin | Op::FMax, Some(other)) => beyond(*other, instruction.op),
                    _ => false,
                };
            }
            Node::Op(_) => {}
            other => same &= !flow::operands(other).contains(&constant),
        });
        same
    }

    /// What a value is where copies and constants are looked through.
    fn value(&self, value: Value) -> (Option<u64>, Value) {
        match self.fact(value).known() {
            Some(bits) => (Some(bits), Value(u32::MAX)),
            None => (None, value),
        }
    }

    /// Whether another rule gives the same.
    fn same_rules(&self, original: &Instruction, mutated: &Instruction, a: Fact) -> bool {
        let others = |attrs: &Attrs| (attrs.target, attrs.detail);
        if original.args != mutated.args || others(&original.attrs) != others(&mutated.attrs) {
            return false;
        }
        let width = self.function.width(original.args[0]);
        let (old, new) = (original.attrs.rules, mutated.attrs.rules);
        if old.order != new.order {
            let zeros = self.parts_zeros(original);
            // Of a NaN in the second place both rules give the first; where both are NaN, either is.
            return (a.number.nan == Nan::Never || self.together(original.args[0], original.args[1])) && !zeros;
        }
        if old.division != new.division {
            return self.divided.contains(&original.results[0]);
        }
        if old.range != new.range {
            // A double holds every integer of 32 bits.
            if width == Width::W64 && self.function.width(original.results[0]).bits() <= 32 {
                return true;
            }
            let most = if original.op == Op::FToS { 2_147_483_520.0 } else { 4_294_967_040.0 };
            return width == Width::W32 && a.number.hi <= most && (original.op == Op::FToU || a.number.lo >= -2_147_483_648.0);
        }
        if old.field != new.field {
            let last = original.args.len();
            let of = |at: usize| self.fact(original.args[at]);
            let (offset, bits) = (of(last - 2), of(last - 1));
            let all = u64::from(width.bits());
            return offset.hi < all && bits.hi < all && offset.hi + bits.hi <= all;
        }
        old == new
    }
}
