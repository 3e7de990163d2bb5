//! What operations on floats give: intervals whose ends are computed by the operations themselves, which round in order.

use super::{Fact, Step};
use gpuproof_program::{Attrs, Choice, Denormals, Detail, Op, Order, Width};
use gpuproof_run::machine::scalar::Pure;

/// What a value may be as a float of its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    /// The least, infinities among them.
    pub(crate) lo: f64,
    /// The most. Less than the least: it is NaN or never made.
    pub(crate) hi: f64,
    /// Whether it may be NaN.
    pub(crate) nan: Nan,
    /// Whether it may be -0, or a negative subnormal, which flushing makes -0.
    pub(crate) negative_zero: bool,
    /// Whether it may be subnormal.
    pub(crate) subnormal: bool,
    /// Whether it is integral or infinite, or NaN.
    pub(crate) integral: bool,
}

/// Which NaN a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nan {
    /// None.
    Never,
    /// The one that arithmetic gives.
    Canonical,
    /// Any.
    Any,
}

fn is_float(width: Width) -> bool {
    matches!(width, Width::W16 | Width::W32 | Width::W64)
}

fn converted(bits: u64, t: Width, u: Width) -> u64 {
    Pure { op: Op::FConvert, attrs: Attrs::default(), t, u }.evaluate(&[bits])[0]
}

/// The number that bits stand for.
pub(super) fn decoded(width: Width, bits: u64) -> f64 {
    f64::from_bits(if width == Width::W64 { bits } else { converted(bits, width, Width::W64) })
}

/// The bits of a number that the format has.
fn encoded(width: Width, value: f64) -> u64 {
    let bits = value.to_bits();
    if width == Width::W64 { bits } else { converted(bits, Width::W64, width) }
}

/// The least normal number.
pub(super) fn least(width: Width) -> f64 {
    match width {
        Width::W16 => 2f64.powi(-14),
        Width::W64 => f64::MIN_POSITIVE,
        _ => f32::MIN_POSITIVE.into(),
    }
}

impl Number {
    pub(super) const ANY: Number =
        Number { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: Nan::Any, negative_zero: true, subnormal: true, integral: false };

    pub(super) const NEVER: Number = Number {
        lo: f64::INFINITY,
        hi: f64::NEG_INFINITY,
        nan: Nan::Never,
        negative_zero: false,
        subnormal: false,
        integral: true,
    };

    /// What arithmetic may give.
    const MADE: Number = Number { nan: Nan::Canonical, ..Number::ANY };

    pub(super) fn between(lo: f64, hi: f64) -> Number {
        Number { lo, hi, nan: Nan::Never, negative_zero: lo < 0.0, subnormal: false, integral: false }
    }

    pub(super) fn constant(width: Width, bits: u64) -> Number {
        if !is_float(width) {
            return Number::ANY;
        }
        let value = decoded(width, bits);
        let small = value.abs() < least(width);
        if value.is_nan() {
            return Number { nan: Nan::Any, ..Number::NEVER };
        }
        Number {
            negative_zero: small && value.is_sign_negative(),
            subnormal: small && value != 0.0,
            integral: value.fract() == 0.0 || value.is_infinite(),
            ..Number::between(value + 0.0, value + 0.0)
        }
    }

    /// Of bits in a range.
    pub(super) fn of_bits(width: Width, lo: u64, hi: u64) -> Number {
        if !is_float(width) || hi > encoded(width, f64::INFINITY) {
            return Number::ANY;
        }
        let number = Number::between(decoded(width, lo), decoded(width, hi));
        Number { subnormal: number.lo < least(width) && number.hi > 0.0, ..number }
    }

    /// The bits of the least and the most, of what is no NaN and has no sign.
    pub(super) fn bits(self, width: Width) -> Option<(u64, u64)> {
        let plain = self.nan == Nan::Never && self.is_plain_positive() && self.lo <= self.hi;
        let known = self.nan == Nan::Never && self.lo == self.hi && self.lo < 0.0;
        (plain || known).then(|| (encoded(width, self.lo), encoded(width, self.hi)))
    }

    pub(super) fn join(self, other: Number) -> Number {
        Number {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            nan: self.nan.max(other.nan),
            negative_zero: self.negative_zero || other.negative_zero,
            subnormal: self.subnormal || other.subnormal,
            integral: self.integral && other.integral,
        }
    }

    /// With NaN where any of these may be.
    fn nan_of(self, others: &[Number]) -> Number {
        self.nan_if(others.iter().any(|other| other.nan > Nan::Never))
    }

    fn nan_if(self, nan: bool) -> Number {
        Number { nan: if nan { self.nan.max(Nan::Canonical) } else { self.nan }, ..self }
    }

    fn plain(self) -> Number {
        Number { negative_zero: false, ..self }
    }

    pub(crate) fn is_finite(self) -> bool {
        self.nan == Nan::Never && !self.may_be_infinite()
    }

    fn may_be_infinite(self) -> bool {
        self.lo == f64::NEG_INFINITY || self.hi == f64::INFINITY
    }

    /// Whether it is a number, not below 0 and not -0.
    pub(crate) fn is_plain_positive(self) -> bool {
        self.lo >= 0.0 && !self.negative_zero
    }

    /// Whether it may be a zero of either sign, or flushed to one.
    pub(crate) fn may_be_zero(self, width: Width) -> bool {
        self.lo < least(width) && self.hi > -least(width)
    }

    /// What an operation that flushes makes of it.
    fn flushed(self, width: Width) -> Number {
        let small = |x: f64| if x.abs() < least(width) { 0.0 } else { x };
        if self.lo > self.hi {
            return self;
        }
        Number { lo: small(self.lo), hi: small(self.hi), subnormal: false, ..self }
    }

    /// A result between these ends: what follows from them for zeros and subnormals. Ends that are NaN are open.
    fn made(self, step: &Step<'_>) -> Number {
        let least = least(step.width);
        // Of the two zeros the positive one.
        let lo = if self.lo.is_nan() { f64::NEG_INFINITY } else { self.lo + 0.0 };
        let hi = if self.hi.is_nan() { f64::INFINITY } else { self.hi + 0.0 };
        let small = lo < least && hi > -least;
        let negative_zero = small && (self.negative_zero || lo < 0.0 && !self.integral);
        Number { lo, hi, negative_zero, subnormal: small && !self.integral && !flushes(step, step.width), ..self }
    }
}

/// Whether an operation takes subnormals of a width for zeros.
fn flushes(step: &Step<'_>, width: Width) -> bool {
    width == Width::W32 && step.attrs.rules.denormals == Denormals::Flush && step.op.choices().contains(&Choice::Denormals)
}

/// What an operation on floats gives; none where it is no such operation, or nothing is known.
pub(super) fn result(step: &Step<'_>, args: &[Fact]) -> Option<Fact> {
    let flushed = |fact: &Fact| if flushes(step, step.from) { fact.number.flushed(step.from) } else { fact.number };
    let numbers: Vec<Number> = args.iter().map(flushed).collect();
    match step.op {
        Op::FEq | Op::FNe | Op::FLt | Op::FLe => compared(step, numbers[0], numbers[1]).map(Fact::truth),
        Op::FToS | Op::FToU => to_integer(step, numbers[0]),
        Op::SToF | Op::UToF => {
            let end = |bits: u64| decoded(step.width, step.evaluate(&[bits & step.from.mask()]));
            let (lo, hi) = match step.op {
                Op::UToF => (end(args[0].lo), end(args[0].hi)),
                _ => {
                    let (lo, hi) = args[0].signed(step.from);
                    (end(lo as u64), end(hi as u64))
                }
            };
            let number = Number { integral: true, ..Number::between(lo, hi).plain() };
            Some(Fact::float(step.width, number.made(step)))
        }
        Op::NormToF => {
            let signed = matches!(step.attrs.detail, Detail::Norm(norm) if norm.signed);
            let number = Number::between(if signed { -1.0 } else { 0.0 }, 1.0);
            Some(Fact::float(step.width, Number { subnormal: false, ..number.plain().made(step) }))
        }
        Op::FMin | Op::FMax => {
            // Literally the result is an operand as it was: flushing decides only which.
            let kept = [args[0].number, args[1].number];
            let small = |number: Number| {
                let least = least(step.width);
                let (lo, hi) = (number.lo.max(-least), number.hi.min(least));
                number.subnormal.then_some(Number { lo, hi, nan: Nan::Never, ..number })
            };
            let literal = step.attrs.rules.order == Order::Literal;
            let small = kept.into_iter().filter_map(small).filter(|_| literal && flushes(step, step.from));
            Some(Fact::float(step.width, small.fold(extremum(step, numbers[0], numbers[1]), Number::join)))
        }
        _ => number(step, &numbers).map(|number| Fact::float(step.width, number.made(step))),
    }
}

fn compared(step: &Step<'_>, a: Number, b: Number) -> Option<bool> {
    let numbers = a.nan == Nan::Never && b.nan == Nan::Never;
    let apart = a.hi < b.lo || b.hi < a.lo;
    let same = step.same(0, 1);
    let equal = numbers && (same || a.lo == a.hi && b.lo == b.hi && a.lo == b.lo);
    match step.op {
        Op::FEq if apart => Some(false),
        Op::FEq if equal => Some(true),
        Op::FNe if apart => Some(true),
        Op::FNe if equal => Some(false),
        Op::FLt if same || a.lo >= b.hi => Some(false),
        Op::FLt if numbers && a.hi < b.lo => Some(true),
        Op::FLe if a.lo > b.hi => Some(false),
        Op::FLe if numbers && (same || a.hi <= b.lo) => Some(true),
        _ => None,
    }
}

/// Conversions go down and up with the number; NaN gives 0.
fn to_integer(step: &Step<'_>, a: Number) -> Option<Fact> {
    if a.lo > a.hi {
        return None;
    }
    let end = |x: f64| step.evaluate(&[encoded(step.from, x)]);
    let (lo, hi) = (Fact::constant(step.width, end(a.lo)), Fact::constant(step.width, end(a.hi)));
    if step.op == Op::FToS && !lo.is_positive(step.width) {
        return None;
    }
    let made = Fact::bits(step.width, u64::MAX, lo.lo, hi.hi);
    Some(if a.nan > Nan::Never { made.join(Fact::constant(step.width, 0)) } else { made })
}

/// What an operation gives of numbers.
fn number(step: &Step<'_>, args: &[Number]) -> Option<Number> {
    let of = |at: usize| args.get(at).copied().unwrap_or(Number::ANY);
    let (a, b) = (of(0), of(1));
    let end = |x: f64| decoded(step.width, step.evaluate(&[encoded(step.from, x)]));
    let rising = |lo: f64, hi: f64| Number::between(end(lo), end(hi));
    let is_float = step.op.row().name.starts_with("f.") && is_float(step.from) && is_float(step.width);
    if !is_float {
        return None;
    }
    // What is only NaN has no ends.
    let empty = args.iter().any(|arg| arg.lo > arg.hi);
    Some(match step.op {
        Op::FAbs => {
            let (lo, hi) = (a.lo.abs().min(a.hi.abs()), a.lo.abs().max(a.hi.abs()));
            let lo = if a.lo <= 0.0 && a.hi >= 0.0 { 0.0 } else { lo };
            return Some(if empty {
                Number { negative_zero: false, ..Number::ANY }
            } else {
                Number { lo, hi, negative_zero: false, ..a }
            });
        }
        Op::FNeg => return Some(if empty { Number::ANY } else { negated(a, step.width) }),
        Op::FConvert if empty => Number::ANY,
        _ if empty => Number::MADE,
        Op::FAdd => sum(step, a, b),
        Op::FSub if step.same(0, 1) => {
            Number { integral: true, ..Number::between(0.0, 0.0) }.nan_of(&[a]).nan_if(a.may_be_infinite())
        }
        Op::FSub => sum(step, a, negated(b, step.from)),
        Op::FMul => product(step, a, b, step.same(0, 1)),
        Op::FMad => sum(step, product(step, a, b, step.same(0, 1)), of(2)),
        Op::FDot2 | Op::FDot3 | Op::FDot4 => {
            let half = args.len() / 2;
            let terms = (0..half).map(|at| product(step, of(at), of(at + half), step.same(at, at + half)));
            terms.reduce(|first, second| sum(step, first, second))?
        }
        Op::FDiv => quotient(step, a, b),
        Op::FRcp => quotient(step, Number::constant(step.from, encoded(step.from, 1.0)), a),
        Op::FSqrt if a.hi >= 0.0 => {
            Number { negative_zero: a.negative_zero, ..rising(a.lo.max(0.0), a.hi) }.nan_of(&[a]).nan_if(a.lo < 0.0)
        }
        Op::FRsqrt if a.is_plain_positive() && step.from != Width::W64 => Number::between(end(a.hi), end(a.lo)).nan_of(&[a]),
        Op::FExp | Op::FExp2 => rising(a.lo, a.hi).nan_of(&[a]),
        Op::FLog | Op::FLog2 if a.hi >= 0.0 => rising(a.lo.max(0.0), a.hi).nan_of(&[a]).nan_if(a.lo < 0.0),
        Op::FSin | Op::FCos => Number { negative_zero: step.op == Op::FSin, ..Number::between(-1.0, 1.0) }.nan_if(!a.is_finite()),
        Op::FAsin if a.hi >= -1.0 && a.lo <= 1.0 => {
            let made = Number { negative_zero: a.negative_zero, ..rising(a.lo.max(-1.0), a.hi.min(1.0)) };
            made.nan_of(&[a]).nan_if(a.lo < -1.0 || a.hi > 1.0)
        }
        Op::FAcos if a.hi >= -1.0 && a.lo <= 1.0 => {
            let made = Number::between(end(a.hi.min(1.0)), end(a.lo.max(-1.0)));
            made.nan_of(&[a]).nan_if(a.lo < -1.0 || a.hi > 1.0)
        }
        Op::FAtan => Number { negative_zero: a.negative_zero, ..rising(a.lo, a.hi) }.nan_of(&[a]),
        Op::FSaturate => {
            let made = Number { integral: a.integral, ..rising(a.lo, a.hi).plain() };
            if a.nan > Nan::Never { Number { lo: 0.0, ..made } } else { made }
        }
        Op::FSign => {
            let made = Number { integral: true, ..rising(a.lo, a.hi).plain() };
            if a.nan > Nan::Never { Number { lo: made.lo.min(0.0), hi: made.hi.max(0.0), ..made } } else { made }
        }
        Op::FFract => Number::between(0.0, 1.0).nan_if(!a.is_finite()),
        Op::FFloor | Op::FCeil | Op::FTrunc | Op::FRound => {
            let negative_zero = a.negative_zero || a.lo < 0.0 && step.op != Op::FFloor;
            Number { negative_zero, integral: true, ..rising(a.lo, a.hi) }.nan_of(&[a])
        }
        Op::FLdexp if a.is_plain_positive() => Number::between(0.0, f64::INFINITY).nan_of(&[a]),
        Op::FConvert => {
            let negative_zero = a.negative_zero || a.lo < 0.0;
            Number { negative_zero, integral: a.integral, nan: a.nan, ..rising(a.lo, a.hi) }
        }
        _ => Number::MADE,
    })
}

fn negated(a: Number, width: Width) -> Number {
    let negative_zero = a.may_be_zero(width);
    let nan = if a.nan == Nan::Never { Nan::Never } else { Nan::Any };
    Number { lo: -a.hi + 0.0, hi: -a.lo + 0.0, negative_zero, nan, ..a }
}

/// The smaller or the greater; where one is NaN, what the rule says.
fn extremum(step: &Step<'_>, a: Number, b: Number) -> Number {
    let pick = |x: f64, y: f64| if step.op == Op::FMin { x.min(y) } else { x.max(y) };
    let only_nan = |x: Number| x.lo > x.hi;
    let mut made = match (only_nan(a), only_nan(b)) {
        (true, _) => Number { nan: a.nan.max(b.nan), ..b },
        (_, true) => Number { nan: a.nan.max(b.nan), ..a },
        _ => Number { lo: pick(a.lo, b.lo), hi: pick(a.hi, b.hi), ..a.join(b) },
    };
    let literal = step.attrs.rules.order == Order::Literal;
    // Where the second is NaN, the first is the result; where the first is, the second, or literally NaN.
    for (x, y, gives) in [(b, a, true), (a, b, !literal)] {
        if x.nan > Nan::Never && gives {
            made = Number { lo: made.lo.min(y.lo), hi: made.hi.max(y.hi), ..made };
        }
    }
    let nan = a.nan > Nan::Never && (literal || b.nan > Nan::Never);
    made.nan = if nan { a.nan.max(b.nan) } else { Nan::Never };
    made.negative_zero &= made.lo < least(step.width) && made.hi > -least(step.width);
    made.subnormal &= made.lo < least(step.width) && made.hi > -least(step.width);
    made
}

/// A step of a composed operation.
fn part(step: &Step<'_>, op: Op, x: f64, y: f64) -> f64 {
    let args = [encoded(step.from, x), encoded(step.from, y)];
    decoded(step.width, Step { op, ..*step }.evaluate(&args))
}

fn sum(step: &Step<'_>, a: Number, b: Number) -> Number {
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    let opposite = a.lo == low && b.hi == high || a.hi == high && b.lo == low;
    let (lo, hi) = (part(step, Op::FAdd, a.lo, b.lo), part(step, Op::FAdd, a.hi, b.hi));
    let (negative_zero, integral) = (a.negative_zero && b.negative_zero, a.integral && b.integral);
    Number { negative_zero, integral, ..Number::between(lo, hi) }.made(step).nan_of(&[a, b]).nan_if(opposite)
}

/// The least and the greatest of what an operation gives of ends; NaN there stands for 0 times an infinity or the like, beside which 0 is reached.
fn corners(step: &Step<'_>, op: Op, a: Number, b: Number) -> Number {
    let ends = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)].map(|(x, y)| part(step, op, x, y));
    let ends = ends.map(|end| if end.is_nan() { 0.0 } else { end });
    Number::between(ends.into_iter().fold(f64::INFINITY, f64::min), ends.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

fn product(step: &Step<'_>, a: Number, b: Number, square: bool) -> Number {
    if square {
        let (low, high) = (part(step, Op::FMul, a.lo, a.lo), part(step, Op::FMul, a.hi, a.hi));
        let lo = if a.lo <= 0.0 && a.hi >= 0.0 { 0.0 } else { low.min(high) };
        return Number { integral: a.integral, ..Number::between(lo, low.max(high)) }.made(step).nan_of(&[a]);
    }
    let zero = |x: Number| x.may_be_zero(step.from);
    let undefined = a.may_be_infinite() && zero(b) || b.may_be_infinite() && zero(a);
    let positive = a.is_plain_positive() && b.is_plain_positive() || a.hi < 0.0 && b.hi < 0.0;
    let made = Number { negative_zero: !positive, integral: a.integral && b.integral, ..corners(step, Op::FMul, a, b) };
    made.made(step).nan_of(&[a, b]).nan_if(undefined)
}

fn quotient(step: &Step<'_>, a: Number, b: Number) -> Number {
    let zero = |x: Number| x.may_be_zero(step.from);
    let both_infinite = a.may_be_infinite() && b.may_be_infinite();
    let plain = a.is_plain_positive() && b.is_plain_positive();
    let made = if b.lo > 0.0 || b.hi < 0.0 {
        corners(step, Op::FDiv, a, b)
    } else if plain {
        Number::between(0.0, f64::INFINITY)
    } else {
        Number::MADE
    };
    let positive = plain || a.hi < 0.0 && b.hi < 0.0;
    Number { negative_zero: !positive, nan: Nan::Never, ..made }.nan_of(&[a, b]).nan_if(both_infinite || zero(a) && zero(b))
}
