//! The pure operations on one lane: every width, every rule, by the functions of `gpuproof-number`. Rows of the machine do the same for
//! the common widths many lanes at a time; tests hold them to this.

use gpuproof_number as number;
use gpuproof_number::machine::{Extent, Function, Machine};
use gpuproof_number::{convert, float16, float32, float64, functions, inverse};
use gpuproof_program::{Attrs, Denormals, Detail, Division, Field, Op, Order, Range, Rounding, Rules, Width};

/// A pure operation of one lane with its choices and the widths of its signature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pure {
    /// The operation.
    pub op: Op,
    /// Its choices.
    pub attrs: Attrs,
    /// The width that the table calls T.
    pub t: Width,
    /// The width that the table calls U; T's where there is none.
    pub u: Width,
}

/// The number crate's word for the denormal rule.
pub(crate) fn denormals(rules: &Rules) -> number::Denormals {
    match rules.denormals {
        Denormals::Keep | Denormals::Preserve => number::Denormals::Keep,
        Denormals::Flush => number::Denormals::Flush,
    }
}

/// The number crate's word for the rounding.
fn rounding(rules: &Rules) -> number::Rounding {
    match rules.rounding {
        Rounding::NearestEven | Rounding::OnlyNearest => number::Rounding::NearestEven,
        Rounding::TowardZero => number::Rounding::TowardZero,
    }
}

/// The number crate's word for the order of minima and maxima.
fn order(rules: &Rules) -> number::MinMax {
    match rules.order {
        Order::NanLoses => number::MinMax::NanLoses,
        Order::Literal => number::MinMax::Literal,
    }
}

/// A function of one f32, for what is computed lane by lane.
pub(crate) type Unary = fn(u32, number::Denormals) -> u32;
/// A function of one f16.
type UnaryHalf = fn(u16) -> u16;

/// The functions of one float, of f32 and of f16.
fn unary(op: Op) -> Option<(Unary, UnaryHalf)> {
    Some(match op {
        Op::FRsqrt => (functions::rsqrt, float16::rsqrt),
        Op::FExp2 => (functions::exp2, float16::exp2),
        Op::FLog2 => (functions::log2, float16::log2),
        Op::FExp => (functions::exp, float16::exp),
        Op::FLog => (functions::log, float16::log),
        Op::FSin => (functions::sin, float16::sin),
        Op::FCos => (functions::cos, float16::cos),
        Op::FAsin => (inverse::asin, float16::asin),
        Op::FAcos => (inverse::acos, float16::acos),
        Op::FAtan => (inverse::atan, float16::atan),
        _ => return None,
    })
}

/// The function of one f32 that an operation is, if it is one.
pub(crate) fn unary_f32(op: Op) -> Option<Unary> {
    unary(op).map(|(single, _)| single)
}

/// Sign extension of the low bits of a width.
fn signed(a: u64, width: Width) -> i64 {
    let unused = 64 - width.bits();
    ((a << unused) as i64) >> unused
}

impl Pure {
    /// Whether this operation exists at these widths here; what does not is refused when a plan is made.
    pub fn is_supported(&self) -> bool {
        !matches!((self.op, self.t), (Op::FRsqrt, Width::W64))
    }

    fn is_of_words(&self) -> bool {
        self.t == Width::W32 && self.u == Width::W32
    }

    /// The function that models of machines know, if the operation is one.
    pub fn function(&self) -> Option<Function> {
        let function = match self.op {
            Op::FRcp => Function::Rcp,
            Op::FRsqrt => Function::Rsqrt,
            Op::FSqrt => Function::Sqrt,
            Op::FExp2 => Function::Exp2,
            Op::FLog2 => Function::Log2,
            Op::FExp => Function::Exp,
            Op::FLog => Function::Log,
            Op::FSin => Function::Sin,
            Op::FCos => Function::Cos,
            Op::UToF => Function::FromUnsigned,
            _ => return None,
        };
        self.is_of_words().then_some(function)
    }

    /// As [`Pure::evaluate`], with the results of a machine where its model has their bits.
    pub fn evaluate_on(&self, machine: Machine, args: &[u64]) -> [u64; 2] {
        let denormals = machine.in_shaders(denormals(&self.attrs.rules));
        match (self.op, self.function(), args) {
            _ if machine == Machine::Exact => self.evaluate(args),
            (Op::FDiv, _, [x, y]) if self.is_of_words() => [machine.quotient(*x as u32, *y as u32, denormals).0.into(), 0],
            (_, Some(function), [x, ..]) => [machine.result(function, *x as u32, denormals).into(), 0],
            _ => self.evaluate(args),
        }
    }

    /// How much the model of a machine knows of the operation.
    pub fn extent_on(&self, machine: Machine) -> Extent {
        match self.function() {
            Some(function) => machine.extent(function),
            None if self.op == Op::FDiv && self.is_of_words() => machine.quotient(0, 0, number::Denormals::Keep).1,
            None => Extent::Nothing,
        }
    }

    /// Computes the results (the second is 0 where there is one only) from operands in their low bits, truth values as 0 and 1.
    pub fn evaluate(&self, args: &[u64]) -> [u64; 2] {
        let arg = |at: usize| args.get(at).copied().unwrap_or(0);
        let (a, b, c) = (arg(0), arg(1), arg(2));
        let t = self.t;
        let rules = &self.attrs.rules;
        let mask = t.mask();
        let one = |value: u64| [value & mask, 0];
        let truth = |value: bool| [u64::from(value), 0];
        let bits = t.bits();
        let by_sign = |value: i64| [value as u64 & mask, 0];
        match self.op {
            Op::Const => match self.attrs.target {
                gpuproof_program::Target::Bits(bits) => one(bits),
                _ => one(0),
            },
            Op::Undef => one(0),
            Op::Select => [if a != 0 { b } else { c }, 0],

            Op::FAdd => one(self.add(a, b)),
            Op::FSub => one(self.sub(a, b)),
            Op::FMul => one(self.mul(a, b)),
            Op::FDiv => one(self.div(a, b)),
            Op::FMad => one(self.add(self.mul(a, b), c)),
            Op::FFma => one(match t {
                Width::W16 => float16::fma(a as u16, b as u16, c as u16).into(),
                Width::W64 => float64::fma(a, b, c),
                _ => float32::fma(a as u32, b as u32, c as u32, denormals(rules)).into(),
            }),
            Op::FDot2 => one(self.dot(args, 2)),
            Op::FDot3 => one(self.dot(args, 3)),
            Op::FDot4 => one(self.dot(args, 4)),
            Op::FSqrt => one(match t {
                Width::W16 => float16::sqrt(a as u16).into(),
                Width::W64 => float64::sqrt(a),
                _ => float32::sqrt(a as u32, denormals(rules)).into(),
            }),
            Op::FRcp => one(self.div(self.unit(), a)),
            Op::FRsqrt
            | Op::FExp2
            | Op::FLog2
            | Op::FExp
            | Op::FLog
            | Op::FSin
            | Op::FCos
            | Op::FAsin
            | Op::FAcos
            | Op::FAtan => {
                let Some((single, half)) = unary(self.op) else { return [0, 0] };
                one(match t {
                    Width::W16 => half(a as u16).into(),
                    _ => single(a as u32, denormals(rules)).into(),
                })
            }
            Op::FAtan2 => one(match t {
                Width::W16 => float16::atan2(a as u16, b as u16).into(),
                _ => inverse::atan2(a as u32, b as u32, denormals(rules)).into(),
            }),
            Op::FMin => one(self.min_max(a, b, true)),
            Op::FMax => one(self.min_max(a, b, false)),
            Op::FSaturate => one(match t {
                Width::W32 => float32::saturate(a as u32, denormals(rules)).into(),
                _ => {
                    let x = self.wide(a);
                    self.exact(if x > 0.0 { x.min(1.0) } else { 0.0 })
                }
            }),
            Op::FFloor => one(self.integral(a, f32::floor, f64::floor)),
            Op::FCeil => one(self.integral(a, f32::ceil, f64::ceil)),
            Op::FTrunc => one(self.integral(a, f32::trunc, f64::trunc)),
            Op::FRound => one(self.integral(a, f32::round_ties_even, f64::round_ties_even)),
            Op::FFract => one(self.sub(a, self.integral(a, f32::floor, f64::floor))),
            Op::FAbs => one(a & (mask >> 1)),
            Op::FNeg => one(a ^ (mask ^ (mask >> 1))),
            Op::FSign => one(match t {
                Width::W32 => float32::sign(a as u32, denormals(rules)).into(),
                _ => {
                    let x = self.wide(a);
                    self.exact(f64::from(i8::from(x > 0.0) - i8::from(x < 0.0)))
                }
            }),
            Op::FEq => truth(self.compare(a, b, |a, b| a == b)),
            Op::FNe => truth(self.compare(a, b, |a, b| a != b)),
            Op::FLt => truth(self.compare(a, b, |a, b| a < b)),
            Op::FLe => truth(self.compare(a, b, |a, b| a <= b)),
            Op::FLdexp => one(self.ldexp(a, b as u32 as i32)),
            Op::FFrexp => self.frexp(a),

            Op::FConvert => [self.convert(a) & self.u.mask(), 0],
            Op::FToS => [self.integer_of(a, true), 0],
            Op::FToU => [self.integer_of(a, false), 0],
            Op::SToF => [self.float_of(signed(a, t).into()), 0],
            Op::UToF => [self.float_of(a.into()), 0],
            Op::FToNorm => [self.norm_of(a as u32).into(), 0],
            Op::NormToF => [self.float_of_norm(a as u32).into(), 0],
            Op::UExtend => [a, 0],
            Op::SExtend => [signed(a, t) as u64 & self.u.mask(), 0],
            Op::ITruncate => [a & self.u.mask(), 0],

            Op::IAdd => one(a.wrapping_add(b)),
            Op::ISub => one(a.wrapping_sub(b)),
            Op::IMul => one(a.wrapping_mul(b)),
            Op::SMulHigh => one(((i128::from(signed(a, t)) * i128::from(signed(b, t))) >> bits) as u64),
            Op::UMulHigh => one(((u128::from(a) * u128::from(b)) >> bits) as u64),
            Op::SDiv | Op::SRem => {
                let quotient = self.op == Op::SDiv;
                let (x, y) = (signed(a, t), signed(b, t));
                // The least number over -1 wraps to itself with remainder 0 under both rules.
                by_sign(match (y, quotient, rules.division) {
                    (0, _, Division::AllOnes) => -1,
                    (0, true, Division::Identity) => x,
                    (0, false, Division::Identity) => 0,
                    (_, true, _) => x.wrapping_div(y),
                    (_, false, _) => x.wrapping_rem(y),
                })
            }
            Op::UDiv => one(match rules.division {
                _ if b != 0 => a / b,
                Division::AllOnes => u64::MAX,
                Division::Identity => a,
            }),
            Op::URem => one(match rules.division {
                _ if b != 0 => a % b,
                Division::AllOnes => u64::MAX,
                Division::Identity => 0,
            }),
            Op::UAddCarry => {
                let sum = u128::from(a) + u128::from(b);
                [sum as u64 & mask, u64::from(sum >> bits != 0)]
            }
            Op::USubBorrow => [a.wrapping_sub(b) & mask, u64::from(a < b)],
            Op::IAnd => one(a & b),
            Op::IOr => one(a | b),
            Op::IXor => one(a ^ b),
            Op::INot => one(!a),
            Op::IShl => one(a << (b as u32 % bits)),
            Op::UShr => one(a >> (b as u32 % bits)),
            Op::SShr => by_sign(signed(a, t) >> (b as u32 % bits)),
            Op::IEq => truth(a == b),
            Op::INe => truth(a != b),
            Op::SLt => truth(signed(a, t) < signed(b, t)),
            Op::SLe => truth(signed(a, t) <= signed(b, t)),
            Op::ULt => truth(a < b),
            Op::ULe => truth(a <= b),
            Op::SMin => by_sign(signed(a, t).min(signed(b, t))),
            Op::SMax => by_sign(signed(a, t).max(signed(b, t))),
            Op::UMin => one(a.min(b)),
            Op::UMax => one(a.max(b)),
            Op::UExtract => {
                let (offset, width) = self.field(b, c);
                one(if width == 0 { 0 } else { (a >> offset) & (u64::MAX >> (64 - width)) })
            }
            Op::SExtract => {
                let (offset, width) = self.field(b, c);
                // A field that reaches past the top is cut off there.
                let width = width.min(bits - offset);
                by_sign(if width == 0 { 0 } else { ((a >> offset) << (64 - width)) as i64 >> (64 - width) })
            }
            Op::IInsert => {
                let (offset, width) = self.field(c, arg(3));
                let field = if width == 0 { 0 } else { (u64::MAX >> (64 - width)) << offset };
                one((a & !field) | ((b << offset) & field))
            }
            Op::IReverse => one((a << (64 - bits)).reverse_bits()),
            Op::ICount => one(a.count_ones().into()),
            Op::IFindLow => one(if a == 0 { u64::MAX } else { a.trailing_zeros().into() }),
            Op::UFindHigh => one(find_high(a)),
            Op::SFindHigh => {
                let x = signed(a, t);
                one(find_high((x ^ (x >> 63)) as u64))
            }
            Op::UMsad => {
                let bytes = |x: u64| (x as u32).to_le_bytes();
                let pairs = bytes(a).into_iter().zip(bytes(b));
                let sum: u32 = pairs.filter(|(r, _)| *r != 0).map(|(r, s)| u32::from(r.abs_diff(s))).sum();
                one(c.wrapping_add(sum.into()))
            }
            Op::UDot4x8 => {
                let pairs = (a as u32).to_le_bytes().into_iter().zip((b as u32).to_le_bytes());
                one(pairs.map(|(x, y)| u64::from(x) * u64::from(y)).sum())
            }
            Op::SDot4x8 => {
                let pairs = (a as u32).to_le_bytes().into_iter().zip((b as u32).to_le_bytes());
                by_sign(pairs.map(|(x, y)| i64::from(x as i8) * i64::from(y as i8)).sum())
            }

            // Not of one lane alone, or not pure: the machine has steps of their own for them.
            Op::Input
            | Op::InputAt
            | Op::InputVertex
            | Op::Output
            | Op::OutputVertex
            | Op::OutputPatch
            | Op::Emit
            | Op::Cut
            | Op::Demote
            | Op::IsHelper
            | Op::AnyBinding
            | Op::RasterSamples
            | Op::RasterSamplePosition
            | Op::ArrayLoad
            | Op::ArrayStore
            | Op::SharedLoad
            | Op::SharedStore
            | Op::SharedAtomic
            | Op::BufferLoad
            | Op::BufferStore
            | Op::BufferAtomic
            | Op::BufferSize
            | Op::StructuredLoad
            | Op::StructuredStore
            | Op::StructuredAtomic
            | Op::CounterAlloc
            | Op::CounterConsume
            | Op::TexelLoad
            | Op::TexelStore
            | Op::TexelAtomic
            | Op::Sample
            | Op::Gather
            | Op::SampleLevel
            | Op::TextureSize
            | Op::TextureSamples
            | Op::TextureSamplePosition
            | Op::FDdx
            | Op::FDdy
            | Op::QuadRead
            | Op::QuadSwap
            | Op::WaveBallot
            | Op::WaveAll
            | Op::WaveAny
            | Op::WaveElect
            | Op::WaveReadFirst
            | Op::WaveReadLane
            | Op::WaveReduce
            | Op::Barrier
            | Op::Call => [0, 0],
        }
    }

    /// Sum in the float format T.
    pub(crate) fn add(&self, a: u64, b: u64) -> u64 {
        match self.t {
            Width::W16 => float16::add(a as u16, b as u16).into(),
            Width::W64 => float64::add(a, b),
            _ => float32::add(a as u32, b as u32, denormals(&self.attrs.rules)).into(),
        }
    }

    /// Difference in the float format T.
    pub(crate) fn sub(&self, a: u64, b: u64) -> u64 {
        match self.t {
            Width::W16 => float16::sub(a as u16, b as u16).into(),
            Width::W64 => float64::sub(a, b),
            _ => float32::sub(a as u32, b as u32, denormals(&self.attrs.rules)).into(),
        }
    }

    /// Product in the float format T.
    pub(crate) fn mul(&self, a: u64, b: u64) -> u64 {
        match self.t {
            Width::W16 => float16::mul(a as u16, b as u16).into(),
            Width::W64 => float64::mul(a, b),
            _ => float32::mul(a as u32, b as u32, denormals(&self.attrs.rules)).into(),
        }
    }

    fn div(&self, a: u64, b: u64) -> u64 {
        match self.t {
            Width::W16 => float16::div(a as u16, b as u16).into(),
            Width::W64 => float64::div(a, b),
            _ => float32::div(a as u32, b as u32, denormals(&self.attrs.rules)).into(),
        }
    }

    /// 1 in the float format T.
    fn unit(&self) -> u64 {
        match self.t {
            Width::W16 => 0x3c00,
            Width::W64 => 1f64.to_bits(),
            _ => float32::ONE.into(),
        }
    }

    fn dot(&self, args: &[u64], n: usize) -> u64 {
        let products = args.iter().zip(args.get(n..).unwrap_or(&[])).take(n).map(|(a, b)| self.mul(*a, *b));
        products.reduce(|sum, product| self.add(sum, product)).unwrap_or(0)
    }

    /// The number as f64, exactly. f32 is flushed where the rule says so.
    fn wide(&self, a: u64) -> f64 {
        match self.t {
            Width::W16 => wide16(a),
            Width::W64 => f64::from_bits(a),
            _ => f64::from(f32::from_bits(float32::flush(a as u32, denormals(&self.attrs.rules)))),
        }
    }

    /// An f64 that the format T holds exactly, in T; NaN canonical.
    fn exact(&self, value: f64) -> u64 {
        match self.t {
            Width::W16 => float16::from_f64(value.to_bits(), number::Rounding::NearestEven).into(),
            Width::W64 if value.is_nan() => float64::NAN,
            Width::W64 => value.to_bits(),
            _ if value.is_nan() => float32::NAN.into(),
            _ => (value as f32).to_bits().into(),
        }
    }

    fn integral(&self, a: u64, narrow: fn(f32) -> f32, wide: fn(f64) -> f64) -> u64 {
        match self.t {
            Width::W32 => {
                let rule = denormals(&self.attrs.rules);
                let value = narrow(f32::from_bits(float32::flush(a as u32, rule)));
                if value.is_nan() { float32::NAN.into() } else { value.to_bits().into() }
            }
            _ => self.exact(wide(self.wide(a))),
        }
    }

    fn compare(&self, a: u64, b: u64, holds: fn(f64, f64) -> bool) -> bool {
        holds(self.wide(a), self.wide(b))
    }

    fn min_max(&self, a: u64, b: u64, least: bool) -> u64 {
        let rule = order(&self.attrs.rules);
        match (self.t, rule, least) {
            (Width::W32, _, true) => float32::min(a as u32, b as u32, rule, denormals(&self.attrs.rules)).into(),
            (Width::W32, _, false) => float32::max(a as u32, b as u32, rule, denormals(&self.attrs.rules)).into(),
            (Width::W64, _, true) => float64::min(a, b, rule),
            (Width::W64, _, false) => float64::max(a, b, rule),
            (_, number::MinMax::Literal, true) => {
                if self.wide(b) < self.wide(a) {
                    b
                } else {
                    a
                }
            }
            (_, number::MinMax::Literal, false) => {
                if self.wide(a) < self.wide(b) {
                    b
                } else {
                    a
                }
            }
            (_, number::MinMax::NanLoses, _) => {
                let (x, y) = (self.wide(a), self.wide(b));
                let first = if least { x < y } else { x >= y };
                self.exact(if (first || y.is_nan()) && !x.is_nan() { x } else { y })
            }
        }
    }

    fn ldexp(&self, a: u64, exponent: i32) -> u64 {
        match self.t {
            Width::W32 => float32::ldexp(a as u32, exponent, denormals(&self.attrs.rules)).into(),
            Width::W16 => {
                // Exact in f64: f16 spans 2^-24 to 2^16, and beyond 2^±64 nothing is left of it.
                let value = wide16(a) * power(exponent.clamp(-64, 64));
                float16::from_f64(value.to_bits(), number::Rounding::NearestEven).into()
            }
            _ => ldexp64(a, exponent),
        }
    }

    fn frexp(&self, a: u64) -> [u64; 2] {
        if self.t == Width::W32 {
            let (fraction, exponent) = float32::frexp(a as u32, denormals(&self.attrs.rules));
            return [fraction.into(), u64::from(exponent as u32)];
        }
        let x = self.wide(a);
        if x == 0.0 || !x.is_finite() {
            return [self.exact(x), 0];
        }
        // 2^54 makes a denormal f64 normal.
        let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x * power(54), 54) } else { (x, 0) };
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022 - shift;
        [self.exact(f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52)), u64::from(exponent as u32)]
    }

    fn convert(&self, a: u64) -> u64 {
        let rules = &self.attrs.rules;
        let rule = denormals(rules);
        let rounding = rounding(rules);
        match (self.t, self.u) {
            (Width::W16, Width::W32) => float16::to_f32(a as u16).into(),
            (Width::W16, Width::W64) => float64::from_f32(float16::to_f32(a as u16), number::Denormals::Keep),
            (Width::W32, Width::W16) => float16::from_f32(float32::flush(a as u32, rule), rounding).into(),
            (Width::W32, Width::W64) => float64::from_f32(a as u32, rule),
            (Width::W64, Width::W16) => float16::from_f64(a, rounding).into(),
            (Width::W64, Width::W32) => float64::to_f32(a, rounding, rule).into(),
            (Width::W32, _) => float32::flush(a as u32, rule).into(),
            _ => a,
        }
    }

    fn integer_of(&self, a: u64, is_signed: bool) -> u64 {
        let value = self.wide(a);
        let bits = self.u.bits();
        let (least, most) =
            if is_signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let precision = match self.t {
            Width::W16 => 11,
            Width::W64 => 53,
            _ => 24,
        };
        let (least, most) = match self.attrs.rules.range {
            Range::Clamp => (least, most),
            Range::ClampToFloat => {
                // The least value is zero or a power of two, and held by every format but for the range of f16.
                let magnitude = 128 - most.leading_zeros();
                let most = if magnitude > precision { most >> (magnitude - precision) << (magnitude - precision) } else { most };
                if self.t == Width::W16 { (least.max(-65504), most.min(65504)) } else { (least, most) }
            }
        };
        ((value as i128).clamp(least, most) as u64) & self.u.mask()
    }

    fn float_of(&self, value: i128) -> u64 {
        let nearest = number::Rounding::NearestEven;
        let magnitude = value.unsigned_abs() as u64;
        let (result, sign) = match self.u {
            // All from 2^20 up overflow alike.
            Width::W16 => (u64::from(convert::u32_to_f16(magnitude.min(1 << 20) as u32, nearest)), 1 << 15),
            Width::W64 => (convert::u64_to_f64(magnitude, nearest), 1 << 63),
            _ => (u64::from(convert::u64_to_f32(magnitude, nearest)), 1 << 31),
        };
        if value < 0 { result | sign } else { result }
    }

    fn norm(&self) -> (bool, u32, f64) {
        let Detail::Norm(norm) = self.attrs.detail else { return (false, 1, 1.0) };
        let bits = u32::from(norm.bits).clamp(1, 16);
        let most = if norm.signed { (1u32 << (bits - 1)) - 1 } else { ((1u64 << bits) - 1) as u32 };
        (norm.signed, bits, f64::from(most))
    }

    fn norm_of(&self, a: u32) -> u32 {
        let (is_signed, bits, scale) = self.norm();
        let value = f64::from(f32::from_bits(a));
        if value.is_nan() {
            return 0;
        }
        // Exact: at most 24 and 16 bits.
        let scaled = value.clamp(if is_signed { -1.0 } else { 0.0 }, 1.0) * scale;
        let integer = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }).trunc() as i32;
        integer as u32 & (Width::W32.mask() as u32 >> (32 - bits))
    }

    fn float_of_norm(&self, a: u32) -> u32 {
        let (is_signed, bits, scale) = self.norm();
        let unused = 32 - bits;
        let integer = if is_signed { ((a << unused) as i32) >> unused } else { ((a << unused) >> unused) as i32 };
        let scale = scale as f32;
        if scale == 0.0 {
            return 0;
        }
        (integer as f32 / scale).max(-1.0).to_bits()
    }

    /// Offset and width of a field as the rule takes them.
    fn field(&self, offset: u64, width: u64) -> (u32, u32) {
        let bits = self.t.bits();
        let (offset, width) = (offset as u32, width as u32);
        match self.attrs.rules.field {
            Field::LowBits => (offset % bits, (width % bits).min(bits - offset % bits)),
            Field::Clamp => {
                let offset = offset.min(bits);
                let width = width.min(bits - offset);
                // A width of 0 makes the offset meaningless, and a shift by all bits is none.
                if width == 0 { (0, 0) } else { (offset, width) }
            }
        }
    }
}

fn wide16(a: u64) -> f64 {
    f64::from(f32::from_bits(float16::to_f32(a as u16)))
}

/// 2^n as f64, for n that f64 holds as a normal number.
fn power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// x * 2^n in f64, rounded once.
fn ldexp64(a: u64, n: i32) -> u64 {
    let x = f64::from_bits(a);
    if x == 0.0 || !x.is_finite() {
        return if x.is_nan() { float64::NAN } else { a };
    }
    let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x * power(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023 - shift + n.clamp(-4000, 4000);
    // In [1, 2): exact up to the last multiplication, which alone may leave the normal numbers.
    let fraction = f64::from_bits(bits & !(0x7ff << 52) | 1023 << 52);
    let near = exponent.clamp(-1022, 1023);
    (fraction * power(near) * power((exponent - near).clamp(-60, 1))).to_bits()
}

fn find_high(a: u64) -> u64 {
    if a == 0 { u64::MAX } else { u64::from(63 - a.leading_zeros()) }
}
