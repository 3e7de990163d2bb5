//! Arithmetic on known numbers.
//!
//! f32 functions are the correctly rounded ones of `gpuproof_number`. AbstractFloat is f64, whose functions are those of
//! [`big`](super::big); they serve f16 too, whose results are rounded from f64.

use super::big::{self, Function};
use crate::wgsl::arith::Arith;
use crate::wgsl::error::{Trouble, fault, unsupported};
use gpuproof_number::{Denormals, OutOfRange, convert, float32, float64, functions, inverse};
use gpuproof_program::{Op, Width};

/// The evaluator: it has no state.
pub(in crate::wgsl) struct Exact;

/// A known number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wgsl) struct Known {
    pub(in crate::wgsl) width: Width,
    pub(in crate::wgsl) bits: u64,
}

impl Known {
    pub(super) fn new(width: Width, bits: u64) -> Known {
        Known { width, bits: bits & width.mask() }
    }

    /// The float that the bits are, exactly.
    pub(super) fn float(self) -> f64 {
        match self.width {
            Width::W16 => f64::from(f32::from_bits(gpuproof_number::float16::to_f32(self.bits as u16))),
            Width::W64 => f64::from_bits(self.bits),
            _ => f64::from(f32::from_bits(self.bits as u32)),
        }
    }

    /// The signed integer that the bits are.
    pub(super) fn signed(self) -> i64 {
        let unused = 64 - self.width.bits();
        ((self.bits << unused) as i64) >> unused
    }

    fn rounded(width: Width, value: f64) -> Known {
        Known::new(width, super::super::arith::float_bits(width, value))
    }

    fn truth(value: bool) -> Known {
        Known::new(Width::W1, u64::from(value))
    }
}

impl Arith for Exact {
    type V = Known;

    fn op(&mut self, op: Op, args: &[Known]) -> Result<Known, Trouble> {
        let known = match *args {
            [x] => unary(op, x),
            [x, y] => binary(op, x, y),
            [condition, x, y] if op == Op::Select => Some(if condition.bits == 1 { x } else { y }),
            [x, y, z] if op == Op::FMad => binary(Op::FMul, x, y).and_then(|product| binary(Op::FAdd, product, z)),
            _ if matches!(op, Op::FDot2 | Op::FDot3 | Op::FDot4) => dot(args),
            [base, offset, size] if matches!(op, Op::UExtract | Op::SExtract) => Some(extract(op, base, offset, size)),
            [base, insert, offset, size] if op == Op::IInsert => {
                let (offset, size) = field(base.width, offset, size);
                let mask = if size == 64 { u64::MAX } else { (1 << size) - 1 };
                let (mask, moved) = if offset == 64 { (0, 0) } else { (mask << offset, insert.bits << offset) };
                Some(Known::new(base.width, base.bits & !mask | moved & mask))
            }
            _ => None,
        };
        known.map_or_else(|| unsupported(format!("{} in a constant expression", op.row().name)), Ok)
    }

    fn convert(&mut self, op: Op, arg: Known, width: Width) -> Result<Known, Trouble> {
        Ok(match op {
            Op::FConvert => Known::rounded(width, arg.float()),
            Op::FToS | Op::FToU => Known::new(width, to_integer(op == Op::FToS, arg, width)),
            // One rounding: an i64 or u64 to f64 by the language's conversion, to others from the exact i128.
            Op::SToF | Op::UToF => {
                let value = if op == Op::SToF { i128::from(arg.signed()) } else { i128::from(arg.bits) };
                match width {
                    Width::W64 => Known::new(width, (value as f64).to_bits()),
                    Width::W16 => Known::rounded(width, f64::from(value.clamp(-100_000, 100_000) as i32)),
                    _ => Known::new(width, u64::from((value as f32).to_bits())),
                }
            }
            Op::SExtend => Known::new(width, arg.signed() as u64),
            Op::UExtend | Op::ITruncate => Known::new(width, arg.bits),
            _ => return fault(format!("{} is no conversion", op.row().name)),
        })
    }

    fn frexp(&mut self, arg: Known) -> Result<[Known; 2], Trouble> {
        let (fraction, exponent) = float32::frexp((arg.float() as f32).to_bits(), Denormals::Keep);
        let fraction = f64::from(f32::from_bits(fraction));
        if arg.width == Width::W64 {
            return unsupported("frexp of an abstract number");
        }
        Ok([Known::rounded(arg.width, fraction), Known::new(Width::W32, exponent as u32 as u64)])
    }

    fn constant(&mut self, width: Width, bits: u64) -> Known {
        Known::new(width, bits)
    }

    fn width(&self, v: Known) -> Width {
        v.width
    }

    fn component(&mut self, _component: usize) {}
}

fn to_integer(signed: bool, x: Known, width: Width) -> u64 {
    let rule = OutOfRange::Representable;
    match (x.width, width, signed) {
        (Width::W32, Width::W32, true) => u64::from(convert::f32_to_i32(x.bits as u32, rule)),
        (Width::W32, Width::W32, false) => u64::from(convert::f32_to_u32(x.bits as u32, rule)),
        (Width::W32, Width::W64, true) => convert::f32_to_i64(x.bits as u32, rule),
        (Width::W32, Width::W64, false) => convert::f32_to_u64(x.bits as u32, rule),
        (_, Width::W64, true) => float64::to_i64(x.float().to_bits(), rule),
        (_, Width::W64, false) => float64::to_u64(x.float().to_bits(), rule),
        (_, _, true) => {
            let most = (1i64 << (width.bits() - 1)) - 1;
            (x.float() as i64).clamp(-most - 1, most) as u64
        }
        (_, _, false) => (x.float() as u64).min(width.mask()),
    }
}

fn unary(op: Op, x: Known) -> Option<Known> {
    let v = || x.float();
    Some(match op {
        Op::FNeg => Known::new(x.width, x.bits ^ 1 << (x.width.bits() - 1)),
        Op::FAbs => Known::new(x.width, x.bits & !(1 << (x.width.bits() - 1))),
        Op::FSqrt => Known::rounded(x.width, v().sqrt()),
        Op::FFloor => Known::rounded(x.width, v().floor()),
        Op::FCeil => Known::rounded(x.width, v().ceil()),
        Op::FTrunc => Known::rounded(x.width, v().trunc()),
        Op::FRound => Known::rounded(x.width, v().round_ties_even()),
        Op::FFract => binary(Op::FSub, x, Known::rounded(x.width, v().floor()))?,
        Op::INot => Known::new(x.width, !x.bits),
        Op::IReverse => Known::new(x.width, x.bits.reverse_bits() >> (64 - x.width.bits())),
        Op::ICount => Known::new(x.width, u64::from(x.bits.count_ones())),
        Op::IFindLow => Known::new(x.width, if x.bits == 0 { u64::MAX } else { u64::from(x.bits.trailing_zeros()) }),
        Op::UFindHigh => Known::new(x.width, u64::from(x.bits.leading_zeros()).wrapping_neg().wrapping_add(63)),
        Op::SFindHigh => {
            let differing = if x.signed() < 0 { !x.bits & x.width.mask() } else { x.bits };
            unary(Op::UFindHigh, Known::new(x.width, differing))?
        }
        _ => return function(op, x),
    })
}

/// Functions that are rounded.
fn function(op: Op, x: Known) -> Option<Known> {
    if x.width == Width::W32 {
        let f: fn(u32, Denormals) -> u32 = match op {
            Op::FExp2 => functions::exp2,
            Op::FLog2 => functions::log2,
            Op::FExp => functions::exp,
            Op::FLog => functions::log,
            Op::FSin => functions::sin,
            Op::FCos => functions::cos,
            Op::FRsqrt => functions::rsqrt,
            Op::FAsin => inverse::asin,
            Op::FAcos => inverse::acos,
            Op::FAtan => inverse::atan,
            _ => return None,
        };
        return Some(Known::new(x.width, u64::from(f(x.bits as u32, Denormals::Keep))));
    }
    let function = match op {
        Op::FExp2 => Function::Exp2,
        Op::FLog2 => Function::Log2,
        Op::FExp => Function::Exp,
        Op::FLog => Function::Log,
        Op::FSin => Function::Sin,
        Op::FCos => Function::Cos,
        Op::FRsqrt => Function::Rsqrt,
        Op::FAsin => Function::Asin,
        Op::FAcos => Function::Acos,
        Op::FAtan => Function::Atan,
        _ => return None,
    };
    Some(Known::rounded(x.width, big::evaluate(function, x.float())))
}

fn binary(op: Op, x: Known, y: Known) -> Option<Known> {
    let w = x.width;
    // Two roundings, to f64 and to a format of at most half its precision, are one for these four operations.
    let float = |f: fn(f64, f64) -> f64| Known::rounded(w, f(x.float(), y.float()));
    let least = w.bits() < 64 && x.signed() == -(1 << (w.bits() - 1)) || x.signed() == i64::MIN;
    Some(match op {
        Op::FAdd => float(|x, y| x + y),
        Op::FSub => float(|x, y| x - y),
        Op::FMul => float(|x, y| x * y),
        Op::FDiv => float(|x, y| x / y),
        Op::FAtan2 if w == Width::W32 => Known::new(w, u64::from(inverse::atan2(x.bits as u32, y.bits as u32, Denormals::Keep))),
        Op::FAtan2 => float(big::atan2),
        Op::FMin => {
            if y.float() < x.float() {
                y
            } else {
                x
            }
        }
        Op::FMax => {
            if x.float() < y.float() {
                y
            } else {
                x
            }
        }
        Op::FEq => Known::truth(x.float() == y.float()),
        Op::FNe => Known::truth(x.float() != y.float()),
        Op::FLt => Known::truth(x.float() < y.float()),
        Op::FLe => Known::truth(x.float() <= y.float()),
        Op::FLdexp if w == Width::W32 => {
            Known::new(w, u64::from(float32::ldexp(x.bits as u32, y.signed() as i32, Denormals::Keep)))
        }
        Op::IAdd => Known::new(w, x.bits.wrapping_add(y.bits)),
        Op::ISub => Known::new(w, x.bits.wrapping_sub(y.bits)),
        Op::IMul => Known::new(w, x.bits.wrapping_mul(y.bits)),
        Op::SDiv if y.bits == 0 || least && y.signed() == -1 => x,
        Op::SRem if y.bits == 0 || y.signed() == -1 => Known::new(w, 0),
        Op::SDiv => Known::new(w, (x.signed() / y.signed()) as u64),
        Op::SRem => Known::new(w, (x.signed() % y.signed()) as u64),
        Op::UDiv => Known::new(w, x.bits.checked_div(y.bits).unwrap_or(x.bits)),
        Op::URem => Known::new(w, x.bits.checked_rem(y.bits).unwrap_or(0)),
        Op::IAnd => Known::new(w, x.bits & y.bits),
        Op::IOr => Known::new(w, x.bits | y.bits),
        Op::IXor => Known::new(w, x.bits ^ y.bits),
        Op::IShl => Known::new(w, x.bits << (y.bits % u64::from(w.bits()))),
        Op::UShr => Known::new(w, x.bits >> (y.bits % u64::from(w.bits()))),
        Op::SShr => Known::new(w, (x.signed() >> (y.bits % u64::from(w.bits()))) as u64),
        Op::IEq => Known::truth(x.bits == y.bits),
        Op::INe => Known::truth(x.bits != y.bits),
        Op::SLt => Known::truth(x.signed() < y.signed()),
        Op::SLe => Known::truth(x.signed() <= y.signed()),
        Op::ULt => Known::truth(x.bits < y.bits),
        Op::ULe => Known::truth(x.bits <= y.bits),
        Op::SMin => {
            if y.signed() < x.signed() {
                y
            } else {
                x
            }
        }
        Op::SMax => {
            if x.signed() < y.signed() {
                y
            } else {
                x
            }
        }
        Op::UMin => {
            if y.bits < x.bits {
                y
            } else {
                x
            }
        }
        Op::UMax => {
            if x.bits < y.bits {
                y
            } else {
                x
            }
        }
        Op::UDot4x8 | Op::SDot4x8 => {
            let byte = |v: Known, i: u32| {
                let byte = (v.bits >> (8 * i)) as u8;
                if op == Op::SDot4x8 { i64::from(byte as i8) } else { i64::from(byte) }
            };
            Known::new(w, (0..4).map(|i| byte(x, i) * byte(y, i)).sum::<i64>() as u64)
        }
        _ => return None,
    })
}

fn dot(args: &[Known]) -> Option<Known> {
    let (x, y) = args.split_at(args.len() / 2);
    let mut products = x.iter().zip(y).map(|(x, y)| binary(Op::FMul, *x, *y));
    let first = products.next()??;
    products.try_fold(first, |sum, product| binary(Op::FAdd, sum, product?))
}

/// WGSL's clamping of offset and size (17.7.5).
fn field(width: Width, offset: Known, size: Known) -> (u64, u64) {
    let bits = u64::from(width.bits());
    let offset = offset.bits.min(bits);
    (offset, size.bits.min(bits - offset))
}

fn extract(op: Op, base: Known, offset: Known, size: Known) -> Known {
    let (offset, size) = field(base.width, offset, size);
    if size == 0 {
        return Known::new(base.width, 0);
    }
    let unused = 64 - size;
    let high = base.bits >> offset << unused;
    Known::new(base.width, if op == Op::SExtract { ((high as i64) >> unused) as u64 } else { high >> unused })
}
