//! What operations on bits and integers give.

use super::{Fact, Step};
use gpuproof_program::{Division, Field, Op, Width};

/// What an operation gives, where it is one on bits and something is known.
pub(super) fn result(step: &Step<'_>, args: &[Fact]) -> Option<Fact> {
    let width = step.width;
    let fact = |may: u64, lo: u64, hi: u64| Some(Fact::bits(width, may, lo, hi));
    let range = |lo: u64, hi: u64| Some(Fact::bits(width, u64::MAX, lo, hi));
    let a = *args.first()?;
    let b = args.get(1).copied().unwrap_or(a);
    let count = b.known().map(|count| count % u64::from(step.from.bits()));
    let both_positive = a.is_positive(step.from) && b.is_positive(step.from);
    match step.op {
        Op::Select => Some(match a.known() {
            Some(0) => args[2],
            Some(_) => b,
            None => b.join(args[2]),
        }),
        Op::UExtend => fact(a.may, a.lo, a.hi),
        Op::ITruncate if a.hi <= width.mask() => fact(a.may, a.lo, a.hi),
        Op::ITruncate => fact(a.may, 0, u64::MAX),
        Op::SExtend if a.is_positive(step.from) => fact(a.may, a.lo, a.hi),
        Op::IAnd | Op::IOr if step.same(0, 1) => Some(a),
        Op::IAnd => fact(a.may & b.may, 0, a.hi.min(b.hi)),
        Op::IOr => fact(a.may | b.may, a.lo.max(b.lo), a.may | b.may),
        Op::IXor | Op::ISub if step.same(0, 1) => Some(Fact::constant(width, 0)),
        Op::IXor => fact(a.may | b.may, 0, a.may | b.may),
        Op::INot => range(width.mask() - a.hi, width.mask() - a.lo),
        Op::UShr => match count {
            Some(count) => fact(a.may >> count, a.lo >> count, a.hi >> count),
            None => range(0, a.hi),
        },
        Op::SShr if a.is_positive(width) => match count {
            Some(count) => fact(a.may >> count, a.lo >> count, a.hi >> count),
            None => range(0, a.hi),
        },
        Op::IShl => {
            let count = count?;
            match a.hi <= width.mask() >> count {
                true => fact(a.may << count, a.lo << count, a.hi << count),
                false => fact(a.may << count, 0, u64::MAX),
            }
        }
        Op::IAdd => wrapped(width, i128::from(a.lo) + i128::from(b.lo), i128::from(a.hi) + i128::from(b.hi)),
        Op::ISub => wrapped(width, i128::from(a.lo) - i128::from(b.hi), i128::from(a.hi) - i128::from(b.lo)),
        Op::IMul if width != Width::W64 => wrapped(width, product(a.lo, b.lo), product(a.hi, b.hi)),
        Op::UMulHigh => {
            let high = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> width.bits()) as u64;
            range(high(a.lo, b.lo), high(a.hi, b.hi))
        }
        Op::UMin => range(a.lo.min(b.lo), a.hi.min(b.hi)),
        Op::UMax => range(a.lo.max(b.lo), a.hi.max(b.hi)),
        Op::SMin | Op::SMax => {
            let ((low, high), (other_low, other_high)) = (a.signed(width), b.signed(width));
            let (lo, hi) = match step.op {
                Op::SMin => (low.min(other_low), high.min(other_high)),
                _ => (low.max(other_low), high.max(other_high)),
            };
            wrapped(width, lo.into(), hi.into())
        }
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem if both_positive || matches!(step.op, Op::UDiv | Op::URem) => {
            divided(step, a, b)
        }
        Op::UExtract => {
            let most = match (step.attrs.rules.field, args[2].known()) {
                (Field::LowBits, Some(bits)) => (1u64 << (bits % u64::from(width.bits()))) - 1,
                (Field::Clamp, Some(bits)) if bits < u64::from(width.bits()) => (1u64 << bits) - 1,
                _ => u64::MAX,
            };
            range(0, most.min(a.hi))
        }
        Op::ICount => range(u64::from(a.lo > 0), a.may.count_ones().into()),
        Op::IFindLow if a.lo > 0 => range(0, a.hi.ilog2().into()),
        Op::UFindHigh if a.lo > 0 => range(a.lo.ilog2().into(), a.hi.ilog2().into()),
        Op::SFindHigh if a.lo > 0 && a.is_positive(width) => range(a.lo.ilog2().into(), a.hi.ilog2().into()),
        Op::IEq | Op::INe => {
            let apart = a.hi < b.lo || b.hi < a.lo;
            let lacks = |a: Fact, b: Fact| b.known().is_some_and(|bits| bits & !a.may != 0);
            let equal = match step.same(0, 1) {
                true => true,
                false if apart || lacks(a, b) || lacks(b, a) => false,
                false => return None,
            };
            Some(Fact::truth(equal == (step.op == Op::IEq)))
        }
        Op::ULt | Op::ULe => ordered(step, (a.lo, a.hi), (b.lo, b.hi)),
        Op::SLt | Op::SLe => ordered(step, a.signed(step.from), b.signed(step.from)),
        _ => None,
    }
}

fn product(a: u64, b: u64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// A range of numbers modulo the width, where all of it wraps equally often.
fn wrapped(width: Width, lo: i128, hi: i128) -> Option<Fact> {
    let (bits, mask) = (width.bits(), width.mask());
    (lo >> bits == hi >> bits).then(|| Fact::bits(width, u64::MAX, lo as u64 & mask, hi as u64 & mask))
}

/// A quotient or remainder of numbers that are not negative; by zero it is what the rule says.
fn divided(step: &Step<'_>, a: Fact, b: Fact) -> Option<Fact> {
    let width = step.width;
    let quotient = matches!(step.op, Op::UDiv | Op::SDiv);
    let by_zero = match (step.attrs.rules.division, quotient) {
        _ if b.lo > 0 => None,
        (Division::AllOnes, _) => Some(Fact::constant(width, width.mask())),
        (Division::Identity, true) => Some(a),
        (Division::Identity, false) => Some(Fact::constant(width, 0)),
    };
    let (least, most) = (b.lo.max(1), b.hi.max(1));
    let made = match quotient {
        true => Fact::bits(width, u64::MAX, a.lo / most, a.hi / least),
        false if a.hi < least => a,
        false => Fact::up_to(width, a.hi.min(most - 1)),
    };
    Some(by_zero.map_or(made, |other| made.join(other)))
}

/// A comparison of ranges.
fn ordered<T: PartialOrd>(step: &Step<'_>, a: (T, T), b: (T, T)) -> Option<Fact> {
    let strict = matches!(step.op, Op::ULt | Op::SLt);
    let truth = match strict {
        _ if step.same(0, 1) => !strict,
        true if a.1 < b.0 => true,
        true if a.0 >= b.1 => false,
        false if a.1 <= b.0 => true,
        false if a.0 > b.1 => false,
        _ => return None,
    };
    Some(Fact::truth(truth))
}
