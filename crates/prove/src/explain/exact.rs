//! Exact arithmetic: numbers as balls, a big float and a bound of its error. What floats round is not rounded here, so two values that are
//! the same function of the same numbers agree, however each program computes them.

use astro_float::{BigFloat, Consts, RoundingMode};
use gpuproof_number::allowed::Interval;
use gpuproof_program::{Attrs, Detail, Op, Width};
use gpuproof_run::machine::scalar::Pure;
use std::cmp::Ordering;

/// Bits of a middle: errors then lie some 130 bits below what f32 holds.
const PRECISION: usize = 192;
const NEAREST: RoundingMode = RoundingMode::ToEven;
/// The relative error of one inexact operation; a little more than it is.
const STEP: f64 = 1.0 / (1u128 << 94) as f64 / (1u128 << 94) as f64;

/// All real numbers at most `radius` from `middle`.
#[derive(Clone, Debug)]
pub(super) struct Ball {
    middle: BigFloat,
    radius: f64,
}

/// What a value is in exact arithmetic.
#[derive(Clone, Debug)]
pub(super) enum Exact {
    /// These bits, whatever they mean.
    Bits(u64),
    /// A float that stands for a real number.
    Real(Ball),
    /// No finite number: a division by zero, the logarithm of a negative number, or made of an infinity or NaN.
    Beyond,
    /// Not known.
    Unknown,
}

/// Evaluates functions; holds the constants that they need.
pub(super) struct Arithmetic {
    constants: Consts,
}

impl Ball {
    fn exact(x: f64) -> Ball {
        Ball { middle: BigFloat::from_f64(x, PRECISION), radius: 0.0 }
    }

    /// A number that is known so far.
    pub fn about(x: f64, radius: f64) -> Ball {
        Ball { radius, ..Ball::exact(x) }
    }

    /// Adds the error of the operation that made it.
    fn made(middle: BigFloat, radius: f64) -> Option<Ball> {
        if middle.is_nan() || middle.is_inf() || !radius.is_finite() {
            return None;
        }
        let own = if middle.inexact() { magnitude(&middle) * STEP } else { 0.0 };
        Some(Ball { middle, radius: radius + own })
    }

    /// The middle, to the precision of f64.
    pub fn near(&self) -> f64 {
        let size = magnitude(&self.middle);
        if self.middle.is_negative() { -size } else { size }
    }

    /// All numbers of it.
    pub fn interval(&self) -> Interval {
        let reach = self.radius + self.near().abs() * f64::EPSILON;
        Interval::new((self.near() - reach).next_down(), (self.near() + reach).next_up())
    }

    /// The bound of the error.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    fn difference(&self, other: &Ball) -> f64 {
        magnitude(&self.middle.sub(&other.middle, PRECISION, NEAREST))
    }

    /// Whether both may be the same number.
    pub fn agrees(&self, other: &Ball) -> bool {
        self.difference(other) <= (self.radius + other.radius) * (1.0 + 1e-9)
    }

    /// The order of two numbers; none where it is not certain.
    fn order(&self, other: &Ball) -> Option<Ordering> {
        let (difference, reach) = (self.difference(other), self.radius + other.radius);
        if difference == 0.0 && reach == 0.0 {
            return Some(Ordering::Equal);
        }
        (difference > reach).then(|| match self.middle.cmp(&other.middle) {
            Some(sign) if sign < 0 => Ordering::Less,
            _ => Ordering::Greater,
        })
    }

    /// The order against a small number.
    fn against(&self, x: f64) -> Option<Ordering> {
        self.order(&Ball::exact(x))
    }

    fn negated(&self) -> Ball {
        Ball { middle: self.middle.neg(), radius: self.radius }
    }
}

/// |x| as f64.
fn magnitude(x: &BigFloat) -> f64 {
    if x.is_zero() {
        return 0.0;
    }
    match (x.mantissa_digits().and_then(|words| words.last().copied()), x.exponent()) {
        (Some(top), Some(exponent)) if top != 0 => {
            let words = x.mantissa_digits().unwrap_or(&[]);
            let next = words.len().checked_sub(2).map_or(0, |at| words[at]);
            let fraction = (top as f64 + next as f64 / 18_446_744_073_709_551_616.0) / 18_446_744_073_709_551_616.0;
            fraction * power(exponent)
        }
        (Some(_), _) => 0.0,
        _ => f64::INFINITY,
    }
}

fn power(n: i32) -> f64 {
    match n {
        1024.. => f64::INFINITY,
        -1021..=1023 => f64::from_bits(((n + 1023) as u64) << 52),
        _ => f64::MIN_POSITIVE,
    }
}

/// The number that float bits of a width are.
pub(super) fn number(bits: u64, width: Width) -> Option<f64> {
    let x = match width {
        Width::W16 => f64::from(f32::from_bits(gpuproof_number::float16::to_f32(bits as u16))),
        Width::W32 => f64::from(f32::from_bits(bits as u32)),
        Width::W64 => f64::from_bits(bits),
        _ => return None,
    };
    x.is_finite().then_some(x)
}

impl Exact {
    /// As a real number, where bits are those of a float.
    pub fn real(&self, width: Width) -> Exact {
        match self {
            Exact::Bits(bits) => match number(*bits, width) {
                Some(x) => Exact::Real(Ball::exact(x)),
                None if matches!(width, Width::W16 | Width::W32 | Width::W64) => Exact::Beyond,
                None => Exact::Unknown,
            },
            other => other.clone(),
        }
    }

    /// A float constant that may stand for any number that rounds to it: one of few digits stands for itself.
    pub fn shortened(bits: u64, width: Width) -> Exact {
        let unused = match width {
            Width::W32 => 23,
            Width::W16 => return Exact::Bits(bits),
            _ => 52,
        };
        // Twelve significant bits: the leading one is not stored.
        let is_short = bits & ((1 << (unused - 11)) - 1) == 0;
        match (Exact::Bits(bits).real(width), number(bits, width)) {
            (Exact::Real(ball), Some(x)) if !is_short && x != 0.0 => {
                // A little less than half a unit in the last place, so that neighbours stay apart: 1 / 255 is 0.4985 of one from its constant.
                let unit = power(exponent_of(x) - unused) * 0.4999;
                Exact::Real(Ball { radius: unit, ..ball })
            }
            _ => Exact::Bits(bits),
        }
    }
}

/// The exponent e of 2^e <= |x| < 2^(e + 1).
fn exponent_of(x: f64) -> i32 {
    ((x.to_bits() >> 52 & 0x7ff) as i32) - 1023
}

/// Whether an operation's result is what its operands' bits say, with nothing rounded.
fn is_exact_on_bits(op: Op) -> bool {
    use Op::*;
    !matches!(
        op,
        FAdd | FSub
            | FMul
            | FDiv
            | FMad
            | FFma
            | FDot2
            | FDot3
            | FDot4
            | FSqrt
            | FRsqrt
            | FRcp
            | FExp2
            | FLog2
            | FExp
            | FLog
            | FSin
            | FCos
            | FAsin
            | FAcos
            | FAtan
            | FAtan2
            | FFract
            | FLdexp
            | FConvert
            | SToF
            | UToF
            | NormToF
    )
}

impl Arithmetic {
    /// None when big numbers are not to be had.
    pub fn new() -> Option<Arithmetic> {
        Consts::new().ok().map(|constants| Arithmetic { constants })
    }

    /// The result of a pure operation of one lane; `t` and `u` are its widths.
    pub fn evaluate(&mut self, op: Op, attrs: &Attrs, (t, u): (Width, Width), args: &[Exact], result: usize) -> Exact {
        use Op::*;
        if args.iter().any(|arg| matches!(arg, Exact::Unknown)) && op != Select {
            return Exact::Unknown;
        }
        let pure = Pure { op, attrs: *attrs, t, u };
        let bits: Option<Vec<u64>> =
            args.iter().map(|arg| if let Exact::Bits(bits) = arg { Some(*bits) } else { None }).collect();
        if let Some(bits) = &bits
            && is_exact_on_bits(op)
        {
            return Exact::Bits(pure.evaluate(bits)[result.min(1)]);
        }
        match op {
            Select => match &args[0] {
                Exact::Bits(0) => args[2].clone(),
                Exact::Bits(_) => args[1].clone(),
                _ => Exact::Unknown,
            },
            // Masks and signs, as programs put them on floats.
            IAnd | IOr | IXor => Self::masked(op, &args[0], &args[1], t),
            SToF | UToF => match &args[0] {
                Exact::Bits(bits) if op == UToF => {
                    Exact::Real(Ball { middle: BigFloat::from_u64(*bits, PRECISION), radius: 0.0 })
                }
                Exact::Bits(bits) => {
                    let unused = 64 - t.bits();
                    let value = ((*bits << unused) as i64) >> unused;
                    Exact::Real(Ball { middle: BigFloat::from_i64(value, PRECISION), radius: 0.0 })
                }
                _ => Exact::Unknown,
            },
            NormToF => match (&args[0], attrs.detail) {
                (Exact::Bits(bits), Detail::Norm(norm)) => {
                    let width = u32::from(norm.bits).clamp(1, 16);
                    let unused = 64 - width;
                    let field =
                        if norm.signed { ((*bits << unused) as i64) >> unused } else { ((*bits << unused) >> unused) as i64 };
                    let scale = if norm.signed { (1i64 << (width - 1)) - 1 } else { (1i64 << width) - 1 };
                    let quotient = BigFloat::from_i64(field.max(-scale), PRECISION).div(
                        &BigFloat::from_i64(scale.max(1), PRECISION),
                        PRECISION,
                        NEAREST,
                    );
                    Ball::made(quotient, 0.0).map_or(Exact::Beyond, Exact::Real)
                }
                _ => Exact::Unknown,
            },
            // A narrower format holds few of the numbers: what is rounded to it is another function.
            FConvert if u.bits() < t.bits() => Exact::Unknown,
            FConvert => args[0].real(t),
            FLdexp => match (args[0].real(t), &args[1]) {
                (Exact::Real(ball), Exact::Bits(n)) => {
                    let n = (*n as u32 as i32).clamp(-1000, 1000);
                    let factor = BigFloat::from_f64(power(n.clamp(-500, 500)), PRECISION);
                    let rest = BigFloat::from_f64(power((n - n.clamp(-500, 500)).clamp(-500, 500)), PRECISION);
                    let middle = ball.middle.mul(&factor, PRECISION, NEAREST).mul(&rest, PRECISION, NEAREST);
                    Ball::made(middle, ball.radius * power(n)).map_or(Exact::Beyond, Exact::Real)
                }
                (Exact::Beyond, _) => Exact::Beyond,
                _ => Exact::Unknown,
            },
            _ if op.row().name.starts_with("f.") => self.float(op, attrs, (t, u), args),
            _ => Exact::Unknown,
        }
    }

    fn masked(op: Op, a: &Exact, b: &Exact, width: Width) -> Exact {
        let (bits, other) = match (a, b) {
            (Exact::Bits(bits), other) | (other, Exact::Bits(bits)) => (*bits & width.mask(), other),
            _ => return Exact::Unknown,
        };
        let sign = width.mask() ^ (width.mask() >> 1);
        match (op, other) {
            (Op::IAnd, _) if bits == 0 => Exact::Bits(0),
            (Op::IAnd, _) if bits == width.mask() => other.clone(),
            (Op::IOr | Op::IXor, _) if bits == 0 => other.clone(),
            (Op::IXor, Exact::Real(ball)) if bits == sign => Exact::Real(ball.negated()),
            (Op::IAnd, Exact::Real(ball)) if bits == width.mask() >> 1 => {
                Exact::Real(if ball.middle.is_negative() { ball.negated() } else { ball.clone() })
            }
            (Op::IXor | Op::IAnd, Exact::Beyond) => Exact::Beyond,
            _ => Exact::Unknown,
        }
    }

    fn float(&mut self, op: Op, attrs: &Attrs, (t, u): (Width, Width), args: &[Exact]) -> Exact {
        use Op::*;
        let mut balls = Vec::with_capacity(args.len());
        for arg in args {
            match arg.real(t) {
                Exact::Real(ball) => balls.push(ball),
                Exact::Beyond
                    if !matches!(op, FEq | FNe | FLt | FLe | FMin | FMax | FSaturate | FSign | FToS | FToU | FToNorm) =>
                {
                    return Exact::Beyond;
                }
                _ => return Exact::Unknown,
            }
        }
        let a = &balls[0];
        let ordered = |wanted: &dyn Fn(Ordering) -> bool| match a.order(&balls[1]) {
            Some(order) => Exact::Bits(u64::from(wanted(order))),
            None => Exact::Unknown,
        };
        let made = match op {
            FAdd => add(a, &balls[1]),
            FSub => add(a, &balls[1].negated()),
            FMul => mul(a, &balls[1]),
            FMad | FFma => mul(a, &balls[1]).and_then(|product| add(&product, &balls[2])),
            FDot2 | FDot3 | FDot4 => {
                let n = balls.len() / 2;
                let mut sum = mul(&balls[0], &balls[n]);
                for at in 1..n {
                    sum = sum.and_then(|sum| add(&sum, &mul(&balls[at], &balls[n + at])?));
                }
                sum
            }
            FDiv => return quotient(a, &balls[1]),
            FRcp => return quotient(&Ball::exact(1.0), a),
            FSqrt | FRsqrt => {
                let Some(root) = root(a) else {
                    return if a.against(0.0) == Some(Ordering::Less) { Exact::Beyond } else { Exact::Unknown };
                };
                if op == FRsqrt {
                    return quotient(&Ball::exact(1.0), &root);
                }
                Some(root)
            }
            FExp | FExp2 => {
                let size = a.near().abs();
                // Beyond these no float of 64 bits holds the result.
                if size > 1000.0 {
                    return Exact::Beyond;
                }
                let (middle, slope) = if op == FExp {
                    (a.middle.exp(PRECISION, NEAREST, &mut self.constants), 1.0)
                } else {
                    let two = BigFloat::from_f64(2.0, PRECISION);
                    (two.pow(&a.middle, PRECISION, NEAREST, &mut self.constants), std::f64::consts::LN_2)
                };
                let reach = (a.radius * slope * 1.0001).exp_m1() * magnitude(&middle) * 1.0001;
                Ball::made(middle, reach)
            }
            FLog | FLog2 => match a.against(0.0) {
                Some(Ordering::Greater) => {
                    let (middle, slope) = if op == FLog {
                        (a.middle.ln(PRECISION, NEAREST, &mut self.constants), 1.0)
                    } else {
                        (a.middle.log2(PRECISION, NEAREST, &mut self.constants), std::f64::consts::LOG2_E)
                    };
                    let least = a.near() - a.radius;
                    Ball::made(middle, a.radius / least * slope * 1.0001)
                }
                Some(_) => return Exact::Beyond,
                None => return Exact::Unknown,
            },
            FSin => Ball::made(a.middle.sin(PRECISION, NEAREST, &mut self.constants), a.radius),
            FCos => Ball::made(a.middle.cos(PRECISION, NEAREST, &mut self.constants), a.radius),
            FAtan => Ball::made(a.middle.atan(PRECISION, NEAREST, &mut self.constants), a.radius),
            FAsin | FAcos => {
                let edge = 1.0 - (a.near().abs() + a.radius);
                if edge < 0.0 {
                    return if a.near().abs() - a.radius > 1.0 { Exact::Beyond } else { Exact::Unknown };
                }
                let middle = if op == FAsin {
                    a.middle.asin(PRECISION, NEAREST, &mut self.constants)
                } else {
                    a.middle.acos(PRECISION, NEAREST, &mut self.constants)
                };
                Ball::made(middle, if a.radius == 0.0 { 0.0 } else { a.radius / edge.sqrt() })
            }
            FAtan2 => self.atan2(a, &balls[1]),
            FMin | FMax => {
                let first = matches!(a.middle.cmp(&balls[1].middle), Some(sign) if (sign < 0) == (op == FMin));
                let chosen = if first { a } else { &balls[1] };
                let certain = a.order(&balls[1]).is_some();
                let radius = if certain { chosen.radius } else { a.radius.max(balls[1].radius) };
                Some(Ball { middle: chosen.middle.clone(), radius })
            }
            FSaturate => {
                let (zero, one) = (Ball::exact(0.0), Ball::exact(1.0));
                Some(match (a.against(0.0), a.against(1.0)) {
                    (Some(Ordering::Less | Ordering::Equal), _) => zero,
                    (_, Some(Ordering::Greater | Ordering::Equal)) => one,
                    (Some(_), Some(_)) => a.clone(),
                    _ => Ball { middle: a.middle.clamp(&zero.middle, &one.middle), radius: a.radius },
                })
            }
            FFloor | FCeil | FTrunc | FRound | FFract => {
                let Some(whole) = whole(a, op) else { return Exact::Unknown };
                if op == FFract { add(a, &whole.negated()) } else { Some(whole) }
            }
            FAbs => Some(if a.middle.is_negative() { a.negated() } else { a.clone() }),
            FNeg => Some(a.negated()),
            FSign => a.against(0.0).map(|order| Ball::exact(f64::from(order as i8))),
            FEq => return ordered(&|order| order == Ordering::Equal),
            FNe => return ordered(&|order| order != Ordering::Equal),
            FLt => return ordered(&|order| order == Ordering::Less),
            FLe => return ordered(&|order| order != Ordering::Greater),
            FToS | FToU => {
                // Of a number far enough from the next integer the exact one converts as its nearest f64 does.
                let Some(whole) = whole(a, FTrunc) else { return Exact::Unknown };
                let pure = Pure { op, attrs: *attrs, t: Width::W64, u };
                return Exact::Bits(pure.evaluate(&[whole.near().to_bits()])[0]);
            }
            FToNorm => {
                let Detail::Norm(norm) = attrs.detail else { return Exact::Unknown };
                let bits = u32::from(norm.bits).clamp(1, 16);
                let scale = if norm.signed { (1i64 << (bits - 1)) - 1 } else { (1i64 << bits) - 1 } as f64;
                let clamped = a.near().clamp(if norm.signed { -1.0 } else { 0.0 }, 1.0) * scale;
                let off = (clamped.abs().fract() - 0.5).abs();
                if off <= (a.radius * scale).max(1e-9) {
                    return Exact::Unknown;
                }
                let integer = (clamped + if clamped < 0.0 { -0.5 } else { 0.5 }).trunc() as i64;
                return Exact::Bits(integer as u64 & (u64::MAX >> (64 - bits)));
            }
            _ => return Exact::Unknown,
        };
        made.map_or(Exact::Unknown, Exact::Real)
    }

    fn atan2(&mut self, y: &Ball, x: &Ball) -> Option<Ball> {
        let Exact::Real(ratio) = quotient(y, x) else { return None };
        let angle = Ball::made(ratio.middle.atan(PRECISION, NEAREST, &mut self.constants), ratio.radius)?;
        if x.against(0.0)? == Ordering::Greater {
            return Some(angle);
        }
        let pi = Ball::made(self.constants.pi(PRECISION, NEAREST), 0.0)?;
        match y.against(0.0)? {
            Ordering::Less => add(&angle, &pi.negated()),
            _ => add(&angle, &pi),
        }
    }
}

fn add(a: &Ball, b: &Ball) -> Option<Ball> {
    Ball::made(a.middle.add(&b.middle, PRECISION, NEAREST), a.radius + b.radius)
}

fn mul(a: &Ball, b: &Ball) -> Option<Ball> {
    let (x, y) = (magnitude(&a.middle), magnitude(&b.middle));
    let zero = |ball: &Ball| ball.middle.is_zero() && ball.radius == 0.0;
    if zero(a) || zero(b) {
        return Some(Ball::exact(0.0));
    }
    Ball::made(a.middle.mul(&b.middle, PRECISION, NEAREST), x * b.radius + y * a.radius + a.radius * b.radius)
}

fn quotient(a: &Ball, b: &Ball) -> Exact {
    let (x, y) = (magnitude(&a.middle), magnitude(&b.middle));
    if b.middle.is_zero() && b.radius == 0.0 {
        return Exact::Beyond;
    }
    let least = y - b.radius;
    if least <= 0.0 {
        return Exact::Unknown;
    }
    let radius = if a.radius == 0.0 && b.radius == 0.0 { 0.0 } else { (x * b.radius + y * a.radius) / (y * least) * 1.001 };
    Ball::made(a.middle.div(&b.middle, PRECISION, NEAREST), radius).map_or(Exact::Unknown, Exact::Real)
}

fn root(a: &Ball) -> Option<Ball> {
    match a.against(0.0)? {
        Ordering::Less => None,
        Ordering::Equal => Some(Ball::exact(0.0)),
        Ordering::Greater => {
            let middle = a.middle.sqrt(PRECISION, NEAREST);
            let least = (a.near() - a.radius).max(0.0);
            let radius = if a.radius == 0.0 { 0.0 } else { a.radius / (magnitude(&middle) + least.sqrt()) * 1.001 };
            Ball::made(middle, radius)
        }
    }
}

/// The integral value that an operation rounds a number to; none where that is not certain.
fn whole(a: &Ball, op: Op) -> Option<Ball> {
    let round = |x: &BigFloat| match op {
        Op::FCeil => x.ceil(),
        Op::FTrunc if x.is_negative() => x.ceil(),
        Op::FRound => {
            // Of a tie the even one.
            let half = BigFloat::from_f64(0.5, PRECISION);
            let up = x.add(&half, PRECISION, NEAREST).floor();
            let tie = up.sub(x, PRECISION, NEAREST).cmp(&half) == Some(0);
            let odd = up.div(&BigFloat::from_f64(2.0, PRECISION), PRECISION, NEAREST).fract().is_zero();
            if tie && !odd { up.sub(&BigFloat::from_f64(1.0, PRECISION), PRECISION, NEAREST) } else { up }
        }
        _ => x.floor(),
    };
    if a.radius == 0.0 {
        return Some(Ball { middle: round(&a.middle), radius: 0.0 });
    }
    let reach = BigFloat::from_f64(a.radius * 1.001, PRECISION);
    let low = round(&a.middle.sub(&reach, PRECISION, NEAREST));
    let high = round(&a.middle.add(&reach, PRECISION, NEAREST));
    (low.cmp(&high) == Some(0)).then_some(Ball { middle: low, radius: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: (Width, Width) = (Width::W32, Width::W32);

    fn of(op: Op, args: &[Exact]) -> Exact {
        Arithmetic::new().expect("big numbers").evaluate(op, &Attrs::default(), F, args, 0)
    }

    fn bits(x: f32) -> Exact {
        Exact::Bits(x.to_bits().into())
    }

    #[track_caller]
    fn real(exact: Exact) -> Ball {
        match exact {
            Exact::Real(ball) => ball,
            other => panic!("{other:?} is no number"),
        }
    }

    #[test]
    fn nothing_is_rounded() {
        // By hand: 2^24 + 2^-24 has 49 digits.
        let tiny = 1.0 / 16_777_216.0;
        let sum = real(of(Op::FAdd, &[bits(16_777_216.0), bits(tiny)]));
        let back = real(of(Op::FSub, &[Exact::Real(sum.clone()), bits(16_777_216.0)]));
        assert_eq!((sum.radius(), back.near()), (0.0, f64::from(tiny)));
    }

    #[test]
    fn two_forms_of_a_function_agree_and_two_functions_do_not() {
        // log2(x) = ln(x) / ln(2): identities of the functions themselves.
        let x = bits(3.7);
        let ratio = of(Op::FDiv, &[of(Op::FLog, std::slice::from_ref(&x)), of(Op::FLog, &[bits(2.0)])]);
        let log2 = real(of(Op::FLog2, std::slice::from_ref(&x)));
        assert!(real(ratio).agrees(&log2));
        let root = of(Op::FSqrt, std::slice::from_ref(&x));
        assert!(real(of(Op::FRcp, std::slice::from_ref(&root))).agrees(&real(of(Op::FRsqrt, std::slice::from_ref(&x)))));
        let (sine, cosine) = (of(Op::FSin, &[bits(1e6)]), of(Op::FCos, &[bits(1e6)]));
        assert!(!real(sine.clone()).agrees(&real(cosine.clone())));
        let squares = of(Op::FAdd, &[of(Op::FMul, &[sine.clone(), sine]), of(Op::FMul, &[cosine.clone(), cosine])]);
        assert!(real(squares).agrees(&real(bits(1.0).real(Width::W32))));
    }

    #[test]
    fn constants_reach_to_just_short_of_their_neighbours() {
        let log2e = std::f32::consts::LOG2_E;
        let whole = |x: f32| real(Exact::shortened(x.to_bits().into(), Width::W32));
        let exact = real(Exact::Real(Ball::exact(std::f64::consts::LOG2_E)));
        assert!(whole(log2e).agrees(&exact));
        assert!(!whole(log2e.next_up()).agrees(&exact) && !whole(log2e).agrees(&whole(log2e.next_up())));
        // 0.75 has two digits.
        assert!(matches!(Exact::shortened(0.75f32.to_bits().into(), Width::W32), Exact::Bits(_)));
    }

    #[test]
    fn decisions_that_are_not_certain_are_none() {
        let third = of(Op::FDiv, &[bits(1.0), bits(3.0)]);
        // 3 * (1 / 3) is 1 or a little less.
        let one = of(Op::FMul, &[third.clone(), bits(3.0)]);
        assert!(matches!(of(Op::FFloor, std::slice::from_ref(&one)), Exact::Unknown));
        assert!(matches!(of(Op::FLt, &[one, bits(1.0)]), Exact::Unknown));
        assert!(matches!(of(Op::FLt, &[third, bits(1.0)]), Exact::Bits(1)));
        assert!(matches!(of(Op::FDiv, &[bits(1.0), bits(0.0)]), Exact::Beyond));
        assert!(matches!(of(Op::FLog, &[bits(-1.0)]), Exact::Beyond));
    }
}
