//! What a decision tells of the integers that its condition compares.

use super::{Fact, Pass};
use gpuproof_program::{Op, Value, Width};

/// Truth values that one is made of, followed so deep.
const DEPTH: u32 = 8;

impl Pass<'_> {
    /// Takes a condition to hold, or not to, until [`Pass::widen`].
    pub(super) fn narrow(&mut self, condition: Value, holds: bool) {
        self.truth(condition, holds, DEPTH);
    }

    /// Forgets what was narrowed since there were so many.
    pub(super) fn widen(&mut self, to: usize) {
        while self.wider.len() > to {
            let (value, fact) = self.wider.pop().expect("more than there were");
            self.facts[value.index()] = fact;
        }
    }

    fn truth(&mut self, value: Value, holds: bool, depth: u32) {
        let (Some(made), Some(depth)) = (self.defined.get(&value).copied(), depth.checked_sub(1)) else { return };
        let args = &made.args[..];
        match (made.op, holds, args) {
            (Op::INot, _, [of]) => self.truth(*of, !holds, depth),
            (Op::IAnd, true, args) | (Op::IOr, false, args) => args.iter().for_each(|arg| self.truth(*arg, holds, depth)),
            // A mask of which a decision asks whether it has a bit.
            (Op::INe | Op::IEq, _, [mask, zero]) if self.fact(*zero).known() == Some(0) && self.is_mask(*mask, 0) => {
                self.mask(*mask, holds == (made.op == Op::INe), depth);
            }
            (Op::INe | Op::IEq, _, [a, b]) => match holds == (made.op == Op::IEq) {
                true => self.equal(*a, *b),
                false => [(*a, *b), (*b, *a)].into_iter().for_each(|(a, b)| self.not_equal(a, b)),
            },
            (Op::ULt | Op::SLt, true, [a, b]) => self.ordered(*a, *b, 1, made.op == Op::SLt),
            (Op::ULe | Op::SLe, true, [a, b]) => self.ordered(*a, *b, 0, made.op == Op::SLe),
            (Op::ULt | Op::SLt, false, [a, b]) => self.ordered(*b, *a, 0, made.op == Op::SLt),
            (Op::ULe | Op::SLe, false, [a, b]) => self.ordered(*b, *a, 1, made.op == Op::SLe),
            _ => {}
        }
    }

    /// A mask has all bits set, or none.
    fn mask(&mut self, mask: Value, set: bool, depth: u32) {
        let (Some(made), Some(depth)) = (self.defined.get(&mask).copied(), depth.checked_sub(1)) else { return };
        match (made.op, set) {
            (Op::SExtend, _) => self.truth(made.args[0], set, depth),
            (Op::INot, _) => self.mask(made.args[0], !set, depth),
            (Op::IAnd, true) | (Op::IOr, false) => made.args.iter().for_each(|arg| self.mask(*arg, set, depth)),
            _ => {}
        }
    }

    fn know(&mut self, value: Value, fact: Fact) {
        let wider = self.fact(value);
        let narrower = wider.meet(fact);
        if narrower != wider {
            self.wider.push((value, wider));
            self.facts[value.index()] = narrower;
        }
    }

    fn equal(&mut self, a: Value, b: Value) {
        let (of_a, of_b) = (self.fact(a), self.fact(b));
        self.know(a, of_b);
        self.know(b, of_a);
    }

    fn not_equal(&mut self, a: Value, b: Value) {
        let (of_a, Some(other)) = (self.fact(a), self.fact(b).known()) else { return };
        let (lo, hi) = (of_a.lo + u64::from(of_a.lo == other), of_a.hi - u64::from(of_a.hi == other && of_a.hi > 0));
        self.know(a, Fact { lo, hi, ..Fact::any(self.function.width(a)) });
    }

    /// `a + more <= b`.
    fn ordered(&mut self, a: Value, b: Value, more: u64, signed: bool) {
        let width = self.function.width(a);
        let (of_a, of_b) = (self.fact(a), self.fact(b));
        if of_a.is_never() || of_b.is_never() {
            return;
        }
        if !signed {
            self.know(a, between(width, 0, of_b.hi.checked_sub(more)));
            self.know(b, between(width, of_a.lo.saturating_add(more), Some(width.mask())));
            return;
        }
        let ((least, most_a), (least_b, most)) = (of_a.signed(width), of_b.signed(width));
        let more = more as i64;
        self.know(a, signed_between(width, least, most.saturating_sub(more).min(most_a)));
        self.know(b, signed_between(width, least.saturating_add(more).max(least_b), most));
    }
}

fn between(width: Width, lo: u64, hi: Option<u64>) -> Fact {
    match hi {
        Some(hi) if lo <= hi => Fact { lo, hi, ..Fact::any(width) },
        _ => Fact::NEVER,
    }
}

/// Bits of signed numbers are in their order where all have one sign.
fn signed_between(width: Width, lo: i64, hi: i64) -> Fact {
    match (lo <= hi, lo >= 0, hi < 0) {
        (false, ..) => Fact::NEVER,
        (true, true, _) | (true, _, true) => {
            let mask = width.mask();
            Fact { lo: lo as u64 & mask, hi: hi as u64 & mask, ..Fact::any(width) }
        }
        _ => Fact::any(width),
    }
}
