//! What is known of values whatever a program is run on: which bits they may have, and which numbers they may be.

use gpuproof_program::{
    Builtin, Denormals, Dialect, Function, Instruction, Label, Node, Op, Program, Region, Target, Value, Width,
};
use std::collections::HashMap;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fact {
    /// Bits that may be 1.
    pub(super) may: u64,
    /// The least it may be, unsigned.
    pub(super) lo: u64,
    /// The most.
    pub(super) hi: u64,
    /// What it may be as an f32.
    pub(super) number: Number,
}

/// What a value may be as an f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    /// The least, infinities among them.
    pub(super) lo: f64,
    /// The most.
    pub(super) hi: f64,
    /// Whether it may be NaN.
    pub(super) nan: Nan,
    /// Whether it may be -0, or a negative subnormal, which flushing makes -0.
    pub(super) negative_zero: bool,
    /// Whether it may be subnormal.
    pub(super) subnormal: bool,
    /// Whether it is integral or infinite, or NaN.
    pub(super) integral: bool,
}

/// Which NaN a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nan {
    /// None.
    Never,
    /// The one that arithmetic gives.
    Canonical,
    /// Any.
    Any,
}

const LEAST: f64 = f32::MIN_POSITIVE as f64;

impl Number {
    const ANY: Number =
        Number { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: Nan::Any, negative_zero: true, subnormal: true, integral: false };

    /// What arithmetic may give.
    const MADE: Number = Number { nan: Nan::Canonical, ..Number::ANY };

    fn between(lo: f64, hi: f64) -> Number {
        Number { lo, hi, nan: Nan::Never, negative_zero: lo < 0.0, subnormal: false, integral: false }
    }

    fn join(self, other: Number) -> Number {
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
        let any = others.iter().any(|other| other.nan > Nan::Never);
        Number { nan: if any { self.nan.max(Nan::Canonical) } else { self.nan }, ..self }
    }

    pub(super) fn is_finite(self) -> bool {
        self.nan == Nan::Never && self.lo > f64::NEG_INFINITY && self.hi < f64::INFINITY
    }

    /// Whether it is a number, not below 0 and not -0.
    pub(super) fn is_plain_positive(self) -> bool {
        self.lo >= 0.0 && !self.negative_zero
    }

    /// Whether it may be a zero of either sign.
    pub(super) fn may_be_zero(self) -> bool {
        self.lo < LEAST && self.hi > -LEAST
    }
}

/// The interval of f32 that holds rounded results of an interval: a step wider, since it was computed with one rounding more.
fn rounded(lo: f64, hi: f64) -> (f64, f64) {
    let (lo, hi) = (lo as f32, hi as f32);
    let lo = if lo == 0.0 || lo.fract() == 0.0 && lo.abs() < 8_388_608.0 { lo } else { lo.next_down() };
    let hi = if hi == 0.0 || hi.fract() == 0.0 && hi.abs() < 8_388_608.0 { hi } else { hi.next_up() };
    (f64::from(lo), f64::from(hi))
}

impl Fact {
    fn any(width: Width) -> Fact {
        Fact { may: width.mask(), lo: 0, hi: width.mask(), number: Number::ANY }
    }

    fn constant(width: Width, bits: u64) -> Fact {
        let mut fact = Fact { may: bits, lo: bits, hi: bits, number: Number::ANY };
        if width == Width::W32 {
            let value = f32::from_bits(bits as u32);
            let nan = if value.is_nan() { Nan::Any } else { Nan::Never };
            let (lo, hi) = if value.is_nan() { (f64::INFINITY, f64::NEG_INFINITY) } else { (value.into(), value.into()) };
            let negative_zero = value.is_sign_negative() && value.abs() < f32::MIN_POSITIVE;
            let integral = value.fract() == 0.0 || !value.is_finite();
            fact.number = Number { lo, hi, nan, negative_zero, subnormal: value.is_subnormal(), integral };
        }
        fact
    }

    /// Of bits in a range.
    fn bits(width: Width, may: u64, lo: u64, hi: u64) -> Fact {
        // Nothing is above all bits that it may have.
        let hi = hi.min(may).min(width.mask());
        let top = if hi == 0 { 0 } else { u64::MAX >> hi.leading_zeros() };
        let mut fact = Fact { may: may & top & width.mask(), lo: lo.min(hi), hi, number: Number::ANY };
        // Bits of floats that are not negative are in the order of the floats.
        if width == Width::W32 && hi <= 0x7f80_0000 {
            let value = |bits: u64| f64::from(f32::from_bits(bits as u32));
            let subnormal = fact.lo < 0x0080_0000 && fact.may & 0x007f_ffff != 0;
            fact.number = Number { subnormal, ..Number::between(value(fact.lo), value(hi)) };
        }
        fact
    }

    /// Of a float.
    fn float(number: Number) -> Fact {
        if number.nan == Nan::Never && number.is_plain_positive() && number.hi >= number.lo {
            let bits = |value: f64| u64::from((value as f32).to_bits());
            let fact = Fact::bits(Width::W32, u64::MAX, bits(number.lo), bits(number.hi));
            return Fact { number, ..fact };
        }
        Fact { number, ..Fact::any(Width::W32) }
    }

    fn join(self, other: Fact) -> Fact {
        Fact {
            may: self.may | other.may,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            number: self.number.join(other.number),
        }
    }

    /// Whether the sign bit is never set.
    pub(super) fn is_positive(self, width: Width) -> bool {
        self.hi <= width.mask() >> 1
    }

    /// The value where it is only one.
    pub(super) fn known(self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo)
    }
}

/// The facts of a function's values.
pub(super) fn facts(program: &Program, function: &Function) -> Vec<Fact> {
    let facts = function.values.iter().map(|width| Fact::any(*width)).collect();
    let mut pass = Pass { program, function, facts, incoming: HashMap::new() };
    pass.region(&function.body);
    pass.facts
}

struct Pass<'a> {
    program: &'a Program,
    function: &'a Function,
    facts: Vec<Fact>,
    /// By label of a construct that branches leave forward: what they bring.
    incoming: HashMap<Label, Vec<Fact>>,
}

impl Pass<'_> {
    fn region(&mut self, region: &Region) {
        for node in region {
            match node {
                Node::Op(instruction) => self.instruction(instruction),
                Node::Br { target, values } => {
                    let brought: Vec<Fact> = values.iter().map(|value| self.facts[value.index()]).collect();
                    match self.incoming.get_mut(target) {
                        Some(known) => known.iter_mut().zip(brought).for_each(|(slot, fact)| *slot = slot.join(fact)),
                        None => _ = self.incoming.insert(*target, brought),
                    }
                }
                _ => {
                    node.regions().into_iter().for_each(|region| self.region(region));
                    // What a loop or an arm begins with stays unknown: branches that come later bring it too.
                    if let Node::Block { label, results, .. }
                    | Node::If { label, results, .. }
                    | Node::Switch { label, results, .. } = node
                        && let Some(brought) = self.incoming.remove(label)
                    {
                        results.iter().zip(brought).for_each(|(value, fact)| self.facts[value.index()] = fact);
                    }
                }
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let Some(&result) = instruction.results.first() else { return };
        let width = self.function.width(result);
        let args: Vec<Fact> = instruction.args.iter().map(|arg| self.facts[arg.index()]).collect();
        let from = instruction.args.first().map_or(width, |arg| self.function.width(*arg));
        let made = match self.bits(instruction, &args, from, width) {
            Some(fact) => fact,
            None if from == Width::W32 && width == Width::W32 || matches!(instruction.op, Op::SToF | Op::UToF) => {
                number(instruction, &args, from).map_or(Fact::any(width), Fact::float)
            }
            None => Fact::any(width),
        };
        self.facts[result.index()] = if instruction.results.len() == 1 { made } else { self.several(instruction, width) };
        for other in instruction.results.iter().skip(1) {
            let width = self.function.width(*other);
            self.facts[other.index()] = self.several(instruction, width);
        }
    }

    /// Each result of an operation with several.
    fn several(&self, instruction: &Instruction, width: Width) -> Fact {
        match instruction.op {
            // No texture of either API is larger.
            Op::TextureSize => Fact::bits(width, u64::MAX, 0, 1 << 27),
            _ => Fact::any(width),
        }
    }

    fn bits(&self, instruction: &Instruction, args: &[Fact], from: Width, width: Width) -> Option<Fact> {
        let fact = |may: u64, lo: u64, hi: u64| Some(Fact::bits(width, may, lo, hi));
        let up_to = |hi: u64| fact(u64::MAX, 0, hi);
        let count = |at: usize| args.get(at).and_then(|fact| fact.known()).map(|count| count % u64::from(width.bits()));
        let (a, b) = (args.first().copied(), args.get(1).copied());
        match (instruction.op, a, b) {
            (Op::Const, ..) => match instruction.attrs.target {
                Target::Bits(bits) => Some(Fact::constant(width, bits)),
                _ => None,
            },
            (Op::Select, Some(condition), Some(first)) => Some(match condition.known() {
                Some(0) => args[2],
                Some(_) => first,
                None => first.join(args[2]),
            }),
            (Op::UExtend, Some(a), _) => fact(a.may, a.lo, a.hi),
            (Op::ITruncate, Some(a), _) if a.hi <= width.mask() => fact(a.may, a.lo, a.hi),
            (Op::SExtend, Some(a), _) if a.is_positive(from) => fact(a.may, a.lo, a.hi),
            (Op::IAnd, Some(a), Some(b)) => fact(a.may & b.may, 0, a.hi.min(b.hi)),
            (Op::IOr, Some(a), _) if instruction.args[0] == instruction.args[1] => Some(a),
            (Op::IOr, Some(a), Some(b)) => fact(a.may | b.may, a.lo.max(b.lo), a.may | b.may),
            (Op::IXor, Some(a), Some(b)) => fact(a.may | b.may, 0, a.may | b.may),
            (Op::UShr, Some(a), _) => match count(1) {
                Some(count) => fact(a.may >> count, a.lo >> count, a.hi >> count),
                None => up_to(a.hi),
            },
            (Op::SShr, Some(a), _) if a.is_positive(width) => match count(1) {
                Some(count) => fact(a.may >> count, a.lo >> count, a.hi >> count),
                None => up_to(a.hi),
            },
            (Op::IShl, Some(a), _) => {
                let count = count(1)?;
                let fits = a.hi <= width.mask() >> count;
                fact(a.may << count, if fits { a.lo << count } else { 0 }, if fits { a.hi << count } else { u64::MAX })
            }
            (Op::IAdd, Some(a), Some(b)) => {
                let sum = a.hi.checked_add(b.hi).filter(|sum| *sum <= width.mask())?;
                fact(u64::MAX, a.lo + b.lo, sum)
            }
            (Op::IMul, Some(a), Some(b)) => {
                let product = a.hi.checked_mul(b.hi).filter(|product| *product <= width.mask())?;
                fact(u64::MAX, a.lo * b.lo, product)
            }
            (Op::ISub, Some(a), Some(b)) if a.lo >= b.hi => fact(u64::MAX, a.lo - b.hi, a.hi - b.lo),
            (Op::UMin, Some(a), Some(b)) => fact(u64::MAX, a.lo.min(b.lo), a.hi.min(b.hi)),
            (Op::UMax, Some(a), Some(b)) => fact(u64::MAX, a.lo.max(b.lo), a.hi.max(b.hi)),
            (Op::SMin, Some(a), Some(b)) if a.is_positive(width) && b.is_positive(width) => {
                fact(u64::MAX, a.lo.min(b.lo), a.hi.min(b.hi))
            }
            (Op::SMax, Some(a), Some(b)) if a.is_positive(width) || b.is_positive(width) => {
                let positive = if a.is_positive(width) { (a, b) } else { (b, a) };
                let other = if positive.1.is_positive(width) { positive.1.hi } else { width.mask() >> 1 };
                fact(u64::MAX, positive.0.lo, positive.0.hi.max(other))
            }
            (Op::UDiv, Some(a), Some(b)) if b.lo > 0 => fact(u64::MAX, a.lo / b.hi, a.hi / b.lo),
            (Op::URem, Some(a), Some(b)) if b.lo > 0 => up_to(a.hi.min(b.hi - 1)),
            (Op::UExtract, ..) => match count(2) {
                Some(bits) => up_to((1u64 << bits) - 1),
                None => None,
            },
            (Op::ICount, ..) => up_to(from.bits().into()),
            (Op::FToU | Op::FToS, Some(a), _) if from == Width::W32 && a.number.lo >= 0.0 && width == Width::W32 => {
                let most = if instruction.op == Op::FToS { i32::MAX as u32 } else { u32::MAX };
                up_to(a.number.hi.clamp(0.0, most.into()) as u64)
            }
            (Op::Input, ..) => {
                let Target::Input(id, component) = instruction.attrs.target else { return None };
                let [x, y, z] = self.program.group_size;
                let axis = self.program.group_size.get(usize::from(component)).copied().unwrap_or(1);
                // D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION.
                let groups = if self.program.dialect == Dialect::D3D11 { 65535 } else { u32::MAX };
                let most = match self.program.interface.input(id).builtin? {
                    Builtin::LocalInvocationId => u64::from(axis) - 1,
                    Builtin::LocalInvocationIndex => u64::from(x) * u64::from(y) * u64::from(z) - 1,
                    Builtin::WorkgroupId => u64::from(groups) - 1,
                    Builtin::GlobalInvocationId => u64::from(groups) * u64::from(axis) - 1,
                    Builtin::SampleIndex => 31,
                    Builtin::SubgroupInvocationId => 127,
                    Builtin::SubgroupSize => 128,
                    _ => return None,
                };
                up_to(most)
            }
            (Op::BufferSize, ..) => up_to(i32::MAX as u64),
            (Op::IEq, Some(a), Some(b)) if a.hi < b.lo || b.hi < a.lo || b.known().is_some_and(|bits| a.may & bits != bits) => {
                fact(0, 0, 0)
            }
            (Op::INe, ..) if instruction.args[0] == instruction.args[1] => fact(0, 0, 0),
            (Op::ULt, Some(a), Some(b)) if a.hi < b.lo => fact(1, 1, 1),
            (Op::ULt, Some(a), Some(b)) if a.lo >= b.hi => fact(0, 0, 0),
            (Op::ULe, Some(a), Some(b)) if a.hi <= b.lo => fact(1, 1, 1),
            (Op::ULe, Some(a), Some(b)) if a.lo > b.hi => fact(0, 0, 0),
            (Op::SLt | Op::SLe, Some(a), Some(b)) if a.is_positive(from) && b.is_positive(from) => {
                let strict = instruction.op == Op::SLt;
                if a.hi < b.lo || !strict && a.hi <= b.lo {
                    fact(1, 1, 1)
                } else if a.lo > b.hi || strict && a.lo >= b.hi {
                    fact(0, 0, 0)
                } else {
                    None
                }
            }
            (Op::FLt, Some(a), Some(b)) if from == Width::W32 && a.number.lo >= b.number.hi => fact(0, 0, 0),
            (Op::FLe, Some(a), Some(b)) if from == Width::W32 && a.number.lo > b.number.hi => fact(0, 0, 0),
            (Op::FEq, Some(a), Some(b)) if from == Width::W32 && (a.number.lo > b.number.hi || b.number.lo > a.number.hi) => {
                fact(0, 0, 0)
            }
            (Op::FLt, Some(a), Some(b))
                if from == Width::W32
                    && a.number.nan == Nan::Never
                    && b.number.nan == Nan::Never
                    && a.number.hi < b.number.lo
                    && b.number.lo >= LEAST =>
            {
                fact(1, 1, 1)
            }
            _ => None,
        }
    }
}

/// What a float operation of f32 gives.
fn number(instruction: &Instruction, args: &[Fact], from: Width) -> Option<Number> {
    let of = |at: usize| args.get(at).map_or(Number::ANY, |fact| fact.number);
    let (a, b) = (of(0), of(1));
    let same = |x: usize, y: usize| instruction.args[x] == instruction.args[y];
    let keeps = instruction.attrs.rules.denormals == Denormals::Keep;
    let made = match instruction.op {
        Op::FAdd => sum(a, b),
        Op::FSub => sum(a, negated(b)),
        Op::FMul if same(0, 1) => square(a),
        Op::FMul => product(a, b),
        Op::FMad => sum(if same(0, 1) { square(a) } else { product(a, b) }, of(2)),
        Op::FDot2 | Op::FDot3 | Op::FDot4 => {
            let half = instruction.args.len() / 2;
            let terms = (0..half).map(|at| if same(at, at + half) { square(of(at)) } else { product(of(at), of(at + half)) });
            terms.reduce(sum)?
        }
        Op::FMin | Op::FMax => {
            let least = instruction.op == Op::FMin;
            let pick = |x: f64, y: f64| if least { x.min(y) } else { x.max(y) };
            let mut made = Number { lo: pick(a.lo, b.lo), hi: pick(a.hi, b.hi), ..a.join(b) };
            // Where one is NaN, the other is the result.
            for (x, y) in [(a, b), (b, a)] {
                if x.nan > Nan::Never {
                    made = Number { lo: made.lo.min(y.lo), hi: made.hi.max(y.hi), ..made };
                }
            }
            let both = a.nan > Nan::Never && b.nan > Nan::Never;
            made.nan = match instruction.attrs.rules.order {
                gpuproof_program::Order::NanLoses if !both => Nan::Never,
                _ => a.nan.max(b.nan),
            };
            made
        }
        Op::FSaturate => {
            // It is the identity in between.
            let (lo, hi) = (a.lo.clamp(0.0, 1.0), a.hi.clamp(0.0, 1.0));
            let lo = if a.nan > Nan::Never { 0.0 } else { lo };
            Number { integral: a.integral, ..Number::between(lo.min(hi), hi.max(0.0)) }
        }
        Op::FAbs => {
            let magnitude = a.lo.abs().max(a.hi.abs());
            let lo = if a.lo > 0.0 {
                a.lo
            } else if a.hi < 0.0 {
                -a.hi
            } else {
                0.0
            };
            let nan = if a.nan == Nan::Any { Nan::Any } else { a.nan };
            return Some(Number { lo, hi: magnitude, nan, negative_zero: false, ..a });
        }
        Op::FNeg => return Some(negated(a)),
        Op::FSqrt => {
            let nan = if a.nan > Nan::Never || a.lo < 0.0 { Nan::Canonical } else { Nan::Never };
            let (lo, hi) = rounded(a.lo.max(0.0).sqrt(), a.hi.max(0.0).sqrt());
            Number { nan, negative_zero: a.negative_zero, ..Number::between(lo.max(0.0), hi) }
        }
        Op::FExp | Op::FExp2 => Number::between(0.0, f64::INFINITY).nan_of(&[a]),
        Op::FSin | Op::FCos => {
            let nan = if a.is_finite() { Nan::Never } else { Nan::Canonical };
            Number { nan, ..Number::between(-1.0, 1.0) }
        }
        Op::FFract => {
            let nan = if a.is_finite() { Nan::Never } else { Nan::Canonical };
            Number { nan, ..Number::between(0.0, 1.0) }
        }
        Op::FFloor | Op::FCeil | Op::FTrunc | Op::FRound => {
            let round: fn(f64) -> f64 = match instruction.op {
                Op::FFloor => f64::floor,
                Op::FCeil => f64::ceil,
                Op::FTrunc => f64::trunc,
                _ => f64::round_ties_even,
            };
            let negative_zero = a.negative_zero || a.lo < 0.0 && instruction.op != Op::FFloor;
            Number { negative_zero, integral: true, ..Number::between(round(a.lo), round(a.hi)) }.nan_of(&[a])
        }
        Op::FSign => Number { integral: true, negative_zero: false, ..Number::between(-1.0, 1.0) },
        Op::SToF | Op::UToF => {
            let fact = args[0];
            let most = from.mask() as f64;
            let (lo, hi) = match instruction.op {
                Op::UToF => (fact.lo as f64, fact.hi as f64),
                _ if fact.is_positive(from) => (fact.lo as f64, fact.hi as f64),
                _ => (-most / 2.0 - 1.0, most / 2.0),
            };
            let (lo, hi) = (f64::from(lo as f32), f64::from(hi as f32));
            return Some(Number { integral: true, negative_zero: false, ..Number::between(lo, hi) });
        }
        Op::FRcp if a.lo > 0.0 => Number::between(0.0, f64::INFINITY).nan_of(&[a]),
        Op::FDiv if a.lo >= 0.0 && b.lo > 0.0 && a.hi < f64::INFINITY => {
            Number { negative_zero: a.negative_zero, ..Number::between(0.0, f64::INFINITY).nan_of(&[a, b]) }
        }
        Op::FRsqrt if a.is_plain_positive() => Number::between(0.0, f64::INFINITY).nan_of(&[a]),
        _ if instruction.op.row().name.starts_with("f.") && instruction.op.row().class == gpuproof_program::Class::Pure => {
            Number::MADE
        }
        _ => return None,
    };
    let negative_zero = made.negative_zero || made.lo < 0.0 && !made.integral && !keeps;
    // Flushing takes small numbers to zero.
    let lo = if made.lo > 0.0 && made.lo < LEAST { 0.0 } else { made.lo };
    Some(Number { lo, negative_zero, subnormal: keeps, ..made })
}

fn negated(a: Number) -> Number {
    let negative_zero = a.lo < LEAST && a.hi > -LEAST;
    let nan = if a.nan == Nan::Never { Nan::Never } else { Nan::Any };
    Number { lo: -a.hi, hi: -a.lo, negative_zero, nan, ..a }
}

fn sum(a: Number, b: Number) -> Number {
    let (lo, hi) = (a.lo + b.lo, a.hi + b.hi);
    let opposite = a.lo == f64::NEG_INFINITY && b.hi == f64::INFINITY || a.hi == f64::INFINITY && b.lo == f64::NEG_INFINITY;
    let (lo, hi) = (if lo.is_nan() { f64::NEG_INFINITY } else { lo }, if hi.is_nan() { f64::INFINITY } else { hi });
    let (lo, hi) = rounded(lo, hi);
    let integral = a.integral && b.integral;
    let negative_zero = a.negative_zero && b.negative_zero;
    let made = Number { negative_zero, integral, ..Number::between(lo, hi) }.nan_of(&[a, b]);
    Number { nan: if opposite { Nan::Canonical } else { made.nan }, ..made }
}

fn product(a: Number, b: Number) -> Number {
    let ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
    let infinite = |x: Number| x.lo == f64::NEG_INFINITY || x.hi == f64::INFINITY;
    let nothing = infinite(a) && b.may_be_zero() || infinite(b) && a.may_be_zero();
    let of = |x: f64| if x.is_nan() { 0.0 } else { x };
    let lo = ends.iter().copied().map(of).fold(f64::INFINITY, f64::min);
    let hi = ends.iter().copied().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (lo, hi) = rounded(lo, hi);
    let positive = a.is_plain_positive() && b.is_plain_positive();
    let (integral, negative_zero) = (a.integral && b.integral, !positive);
    let made = Number { negative_zero, integral, ..Number::between(if positive { lo.max(0.0) } else { lo }, hi) };
    let made = made.nan_of(&[a, b]);
    Number { nan: if nothing { Nan::Canonical } else { made.nan }, ..made }
}

fn square(a: Number) -> Number {
    let most = a.lo.abs().max(a.hi.abs());
    let (_, hi) = rounded(0.0, most * most);
    Number { integral: a.integral, ..Number::between(0.0, hi) }.nan_of(&[a])
}

/// The instruction that defines each value as its only result.
pub(super) fn definitions(function: &Function) -> HashMap<Value, &Instruction> {
    let mut found = HashMap::new();
    gpuproof_program::walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && let [result] = instruction.results[..]
        {
            found.insert(result, instruction);
        }
    });
    found
}
