//! The canonical result, for operands where a specification fixes it.

use super::{Flushing, Format, Function, Operation, Type};
use crate::rules::{Denormals, MinMax, Rounding};
use crate::{float16, float32, float64, functions, inverse};

/// The canonical result as a value of the result's format, for functions from floats to a float; none for the others.
pub(super) fn value(operation: &Operation, operands: &[u64]) -> Option<f64> {
    let (Type::Float(from), Type::Float(to)) = (operation.operand, operation.result) else { return None };
    if operation.function == Function::Convert {
        let flushed = if operation.permission.flushing == Flushing::Always && from == Format::F32 {
            float32::flush(*operands.first()? as u32, Denormals::Flush).into()
        } else {
            *operands.first()?
        };
        return Some(to.round(from.value(flushed), operation.permission.rounding));
    }
    let flush = if operation.permission.flushing == Flushing::Always { Denormals::Flush } else { Denormals::Keep };
    let bits = match to {
        Format::F32 => single(operation.function, operands, flush)?.into(),
        Format::F16 => half(operation.function, operands)?.into(),
        Format::F64 => double(operation.function, operands)?,
    };
    Some(to.value(bits))
}

/// The canonical steps, which `mad` and the dot products are made of.
pub(super) fn step(operation: &Operation, function: Function, x: f64, y: f64) -> f64 {
    let Type::Float(format) = operation.result else { return f64::NAN };
    let operands = [x, y].map(|value| format.pattern(value, Rounding::NearestEven));
    value(&operation.part(function), &operands).unwrap_or(f64::NAN)
}

fn single(function: Function, operands: &[u64], flush: Denormals) -> Option<u32> {
    let arg = |at: usize| operands.get(at).map(|bits| *bits as u32);
    let a = arg(0)?;
    let two = |f: fn(u32, u32, Denormals) -> u32| Some(f(a, arg(1)?, flush));
    Some(match function {
        Function::Add => two(float32::add)?,
        Function::Sub | Function::Derivative => two(float32::sub)?,
        Function::Mul => two(float32::mul)?,
        Function::Div => two(float32::div)?,
        Function::Atan2 => two(inverse::atan2)?,
        Function::Min => float32::min(a, arg(1)?, MinMax::NanLoses, flush),
        Function::Max => float32::max(a, arg(1)?, MinMax::NanLoses, flush),
        Function::Mad => float32::mad(a, arg(1)?, arg(2)?, flush),
        Function::Fma => float32::fma(a, arg(1)?, arg(2)?, flush),
        Function::Dot2 | Function::Dot3 | Function::Dot4 => {
            let n = operands.len() / 2;
            let mut products = (0..n).map(|i| float32::mul(operands[i] as u32, operands[i + n] as u32, flush));
            let first = products.next()?;
            products.fold(first, |sum, product| float32::add(sum, product, flush))
        }
        Function::Sqrt => float32::sqrt(a, flush),
        Function::Rsqrt => functions::rsqrt(a, flush),
        Function::Rcp => float32::rcp(a, flush),
        Function::Exp2 => functions::exp2(a, flush),
        Function::Log2 => functions::log2(a, flush),
        Function::Exp => functions::exp(a, flush),
        Function::Log => functions::log(a, flush),
        Function::Sin => functions::sin(a, flush),
        Function::Cos => functions::cos(a, flush),
        Function::Asin => inverse::asin(a, flush),
        Function::Acos => inverse::acos(a, flush),
        Function::Atan => inverse::atan(a, flush),
        Function::Saturate => float32::saturate(a, flush),
        Function::Floor => float32::floor(a, flush),
        Function::Ceil => float32::ceil(a, flush),
        Function::Trunc => float32::trunc(a, flush),
        Function::Round => float32::round_ties_even(a, flush),
        Function::Fract => float32::frc(a, flush),
        Function::Abs => float32::abs(a),
        Function::Neg => float32::neg(a),
        Function::Sign => float32::sign(a, flush),
        _ => return None,
    })
}

fn half(function: Function, operands: &[u64]) -> Option<u16> {
    let arg = |at: usize| operands.get(at).map(|bits| *bits as u16);
    let a = arg(0)?;
    const ONE: u16 = 0x3c00;
    Some(match function {
        Function::Add => float16::add(a, arg(1)?),
        Function::Sub | Function::Derivative => float16::sub(a, arg(1)?),
        Function::Mul => float16::mul(a, arg(1)?),
        Function::Div => float16::div(a, arg(1)?),
        Function::Rcp => float16::div(ONE, a),
        Function::Mad => float16::add(float16::mul(a, arg(1)?), arg(2)?),
        Function::Fma => float16::fma(a, arg(1)?, arg(2)?),
        Function::Dot2 | Function::Dot3 | Function::Dot4 => {
            let n = operands.len() / 2;
            let mut products = (0..n).map(|i| float16::mul(operands[i] as u16, operands[i + n] as u16));
            let first = products.next()?;
            products.fold(first, float16::add)
        }
        Function::Sqrt => float16::sqrt(a),
        Function::Rsqrt => float16::rsqrt(a),
        Function::Exp2 => float16::exp2(a),
        Function::Log2 => float16::log2(a),
        Function::Exp => float16::exp(a),
        Function::Log => float16::log(a),
        Function::Sin => float16::sin(a),
        Function::Cos => float16::cos(a),
        Function::Asin => float16::asin(a),
        Function::Acos => float16::acos(a),
        Function::Atan => float16::atan(a),
        Function::Atan2 => float16::atan2(a, arg(1)?),
        // The rest is exact, so that f32's result is f16's too.
        _ => {
            let wide: Vec<u64> = operands.iter().map(|bits| float16::to_f32(*bits as u16).into()).collect();
            float16::from_f32(single(function, &wide, Denormals::Keep)?, Rounding::NearestEven)
        }
    })
}

fn double(function: Function, operands: &[u64]) -> Option<u64> {
    let arg = |at: usize| operands.get(at).copied();
    let a = arg(0)?;
    let x = f64::from_bits(a);
    let number = |value: f64| if value.is_nan() { float64::NAN } else { value.to_bits() };
    Some(match function {
        Function::Add => float64::add(a, arg(1)?),
        Function::Sub | Function::Derivative => float64::sub(a, arg(1)?),
        Function::Mul => float64::mul(a, arg(1)?),
        Function::Div => float64::div(a, arg(1)?),
        Function::Mad => float64::add(float64::mul(a, arg(1)?), arg(2)?),
        Function::Fma => float64::fma(a, arg(1)?, arg(2)?),
        Function::Dot2 | Function::Dot3 | Function::Dot4 => {
            let n = operands.len() / 2;
            let mut products = (0..n).map(|i| float64::mul(operands[i], operands[i + n]));
            let first = products.next()?;
            products.fold(first, float64::add)
        }
        Function::Sqrt => float64::sqrt(a),
        Function::Rcp => float64::rcp(a),
        Function::Min => float64::min(a, arg(1)?, MinMax::NanLoses),
        Function::Max => float64::max(a, arg(1)?, MinMax::NanLoses),
        Function::Abs => float64::abs(a),
        Function::Neg => float64::neg(a),
        Function::Saturate => number(if x > 0.0 { x.min(1.0) } else { 0.0 }),
        Function::Floor => number(x.floor()),
        Function::Ceil => number(x.ceil()),
        Function::Trunc => number(x.trunc()),
        Function::Round => number(x.round_ties_even()),
        Function::Fract => number(x - x.floor()),
        Function::Sign => number(f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))),
        _ => return None,
    })
}
