//! Floats: sums of products, minima of NaN, conversions out of range, halves.

use super::{Pass, Results};
use crate::WriteError;
use gpuproof_program::{Detail, Instruction, Op, Order, Rounding, Rules, Value, Width};

/// `mad` and dot products are products and sums, each rounded.
pub(super) fn sum_of_products(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let args = &instruction.args;
    let width = pass.width(args[0]);
    let count = if instruction.op == Op::FMad { 1 } else { args.len() / 2 };
    let mut sum = None;
    for at in 0..count {
        let product = pass.like(width, Op::FMul, instruction, &[args[at], args[at + count]]);
        sum = Some(match sum {
            None => product,
            Some(sum) => pass.like(width, Op::FAdd, instruction, &[sum, product]),
        });
    }
    let product = sum.ok_or_else(|| WriteError::operation(pass.program, instruction))?;
    let result = if instruction.op == Op::FMad { pass.like(width, Op::FAdd, instruction, &[product, args[2]]) } else { product };
    Ok(Some(vec![result]))
}

pub(super) fn reciprocal(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let width = pass.width(instruction.args[0]);
    let one = number(pass, width, 1.0);
    Ok(Some(vec![pass.like(width, Op::FDiv, instruction, &[one, instruction.args[0]])]))
}

/// A number that f16 has too.
fn number(pass: &mut Pass<'_>, width: Width, x: f64) -> Value {
    let bits = match width {
        Width::W64 => x.to_bits(),
        _ => (x as f32).to_bits().into(),
    };
    pass.constant(width, bits)
}

/// WGSL's `min` and `max` as they are written there. That NaN loses, NMin and NMax of SPIR-V say.
pub(super) fn literal_order(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    if instruction.attrs.rules.order == Order::NanLoses {
        return Ok(None);
    }
    let (a, b) = (instruction.args[0], instruction.args[1]);
    let (less, greater) = if instruction.op == Op::FMin { (b, a) } else { (a, b) };
    let second = pass.like(Width::W1, Op::FLt, instruction, &[less, greater]);
    Ok(Some(vec![pass.select(second, b, a)]))
}

/// The sign as a number: that of a NaN is 0, which FSign of SPIR-V leaves open.
pub(super) fn sign(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let x = instruction.args[0];
    let width = pass.width(x);
    let [zero, one, minus_one] = [0.0, 1.0, -1.0].map(|x| number(pass, width, x));
    let above = pass.like(Width::W1, Op::FLt, instruction, &[zero, x]);
    let below = pass.like(Width::W1, Op::FLt, instruction, &[x, zero]);
    let rest = pass.select(below, minus_one, zero);
    Ok(Some(vec![pass.select(above, one, rest)]))
}

/// SPIR-V leaves conversions of what is out of range undefined (OpConvertFToS, OpConvertFToU).
pub(super) fn to_integer(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let x = instruction.args[0];
    let (from, to) = (pass.width(x), pass.width(instruction.results[0]));
    if to != Width::W32 || !matches!(from, Width::W32 | Width::W64) {
        return Err(WriteError::operation(pass.program, instruction));
    }
    let signed = instruction.op == Op::FToS;
    let clamps_to_float = instruction.attrs.rules.range == gpuproof_program::Range::ClampToFloat;
    // The ends of the range, the greater as the format has it: 2^31 - 1 and 2^32 - 1 are no f32.
    let (low, end, greatest) =
        if signed { (-2f64.powi(31), 2f64.powi(31), i32::MAX as u32) } else { (0.0, 2f64.powi(32), u32::MAX) };
    let high = if from == Width::W64 { end - 1.0 } else { f64::from((end as f32).next_down()) };
    let (low, high) = (number(pass, from, low), number(pass, from, high));
    // What is no number is the lower end here.
    let rules = Rules { order: Order::NanLoses, denormals: instruction.attrs.rules.denormals, ..Rules::default() };
    let attrs = gpuproof_program::Attrs::rules(rules);
    let above = pass.emit(Op::FMax, attrs, &[x, low], &[from])[0];
    let inside = pass.emit(Op::FMin, attrs, &[above, high], &[from])[0];
    let mut result = pass.like(to, instruction.op, instruction, &[inside]);
    if from == Width::W32 && !clamps_to_float {
        let (end, greatest) = (number(pass, from, end), pass.word(greatest));
        let past = pass.like(Width::W1, Op::FLe, instruction, &[end, x]);
        result = pass.select(past, greatest, result);
    }
    if signed {
        let nan = pass.like(Width::W1, Op::FNe, instruction, &[x, x]);
        let zero = pass.word(0);
        result = pass.select(nan, zero, result);
    }
    Ok(Some(vec![result]))
}

/// Halves are words whose upper half is 0: from them by UnpackHalf2x16, which is exact, to them by integers, since PackHalf2x16 may round either way.
pub(super) fn convert(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let x = instruction.args[0];
    match (pass.width(x), pass.width(instruction.results[0])) {
        (Width::W32, Width::W16) => {
            let half = to_half(pass, x, instruction.attrs.rules.rounding);
            Ok(Some(vec![pass.op(Width::W16, Op::ITruncate, &[half])]))
        }
        _ => Ok(None),
    }
}

/// A float's half in the low bits of a word (D3D11 3.2.2 and 22.13.2; WGSL's pack2x16float rounds to nearest).
fn to_half(pass: &mut Pass<'_>, x: Value, rounding: Rounding) -> Value {
    let w = Width::W32;
    let mut c = |bits: u32| pass.word(bits);
    let (magnitude_mask, sixteen, sign_mask, infinity) = (c(0x7fff_ffff), c(16), c(0x8000), c(0x7f80_0000));
    let (half_infinity, half_nan, half_max, least_normal) = (c(0x7c00), c(0x7e00), c(0x7bff), c(0x3880_0000));
    let (bias, thirteen, mantissa, hidden) = (c(0x3800_0000), c(13), c(0x7f_ffff), c(0x80_0000));
    let (zero, one, twenty_three, top, all_lost) = (c(0), c(1), c(23), c(126), c(24));
    let magnitude = pass.op(w, Op::IAnd, &[x, magnitude_mask]);
    let high = pass.op(w, Op::UShr, &[x, sixteen]);
    let sign = pass.op(w, Op::IAnd, &[high, sign_mask]);
    let nearest = rounding != Rounding::TowardZero;
    // Cuts the low bits of a number off, to nearest even where wanted.
    let cut = |pass: &mut Pass<'_>, number: Value, count: Value| {
        let kept = pass.op(w, Op::UShr, &[number, count]);
        if !nearest {
            return kept;
        }
        let back = pass.op(w, Op::IShl, &[kept, count]);
        let lost = pass.op(w, Op::ISub, &[number, back]);
        let half_place = pass.op(w, Op::ISub, &[count, one]);
        let half = pass.op(w, Op::IShl, &[one, half_place]);
        let odd = pass.op(w, Op::IAnd, &[kept, one]);
        let twice = pass.op(w, Op::IAdd, &[lost, odd]);
        let up = pass.op(Width::W1, Op::ULt, &[half, twice]);
        let next = pass.op(w, Op::IAdd, &[kept, one]);
        pass.select(up, next, kept)
    };
    let rebiased = pass.op(w, Op::ISub, &[magnitude, bias]);
    let normal = cut(pass, rebiased, thirteen);
    let largest = if nearest { half_infinity } else { half_max };
    let normal = pass.op(w, Op::UMin, &[normal, largest]);
    // A subnormal half: the mantissa with its hidden bit, shifted by what the exponent lacks.
    let exponent = pass.op(w, Op::UShr, &[magnitude, twenty_three]);
    let fraction = pass.op(w, Op::IAnd, &[magnitude, mantissa]);
    let fraction = pass.op(w, Op::IOr, &[fraction, hidden]);
    let missing = pass.op(w, Op::ISub, &[top, exponent]);
    // Past 24 bits all that is left is below half a unit.
    let far = pass.op(Width::W1, Op::ULt, &[all_lost, missing]);
    let shift = pass.op(w, Op::UMin, &[missing, all_lost]);
    let shift = pass.op(w, Op::UMax, &[shift, one]);
    let subnormal = cut(pass, fraction, shift);
    let subnormal = pass.select(far, zero, subnormal);
    let is_subnormal = pass.op(Width::W1, Op::ULt, &[magnitude, least_normal]);
    let finite = pass.select(is_subnormal, subnormal, normal);
    let is_infinite = pass.op(Width::W1, Op::IEq, &[magnitude, infinity]);
    let is_nan = pass.op(Width::W1, Op::ULt, &[infinity, magnitude]);
    let result = pass.select(is_infinite, half_infinity, finite);
    let signed = pass.op(w, Op::IOr, &[sign, result]);
    // The canonical NaN has no sign.
    pass.select(is_nan, half_nan, signed)
}

/// Normalised integers by products and quotients (D3D11 3.2.3).
pub(super) fn normalised(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let Detail::Norm(norm) = instruction.attrs.detail else { return Err(WriteError::operation(pass.program, instruction)) };
    let x = instruction.args[0];
    let scale = f64::from((1u32 << (u32::from(norm.bits) - u32::from(norm.signed))) - 1);
    let w = Width::W32;
    let scale = number(pass, w, scale);
    let (low, one) = (number(pass, w, if norm.signed { -1.0 } else { 0.0 }), number(pass, w, 1.0));
    if instruction.op == Op::NormToF {
        let (to_float, from) = if norm.signed {
            let (zero, bits) = (pass.word(0), pass.word(norm.bits.into()));
            (Op::SToF, pass.op(w, Op::SExtract, &[x, zero, bits]))
        } else {
            let mask = pass.word(u32::MAX >> (32 - u32::from(norm.bits)));
            (Op::UToF, pass.op(w, Op::IAnd, &[x, mask]))
        };
        let whole = pass.op(w, to_float, &[from]);
        let quotient = pass.op(w, Op::FDiv, &[whole, scale]);
        return Ok(Some(vec![if norm.signed { pass.op(w, Op::FMax, &[quotient, low]) } else { quotient }]));
    }
    let is_number = pass.op(Width::W1, Op::FEq, &[x, x]);
    let zero = number(pass, w, 0.0);
    let x = pass.select(is_number, x, zero);
    let above = pass.op(w, Op::FMax, &[x, low]);
    let inside = pass.op(w, Op::FMin, &[above, one]);
    let scaled = pass.op(w, Op::FMul, &[inside, scale]);
    let half = number(pass, w, 0.5);
    let half = if norm.signed {
        let (minus, below) = (number(pass, w, -0.5), pass.op(Width::W1, Op::FLt, &[scaled, zero]));
        pass.select(below, minus, half)
    } else {
        half
    };
    let rounded = pass.op(w, Op::FAdd, &[scaled, half]);
    let whole = pass.op(w, if norm.signed { Op::FToS } else { Op::FToU }, &[rounded]);
    let mask = pass.word(u32::MAX >> (32 - u32::from(norm.bits)));
    Ok(Some(vec![pass.op(w, Op::IAnd, &[whole, mask])]))
}
