//! Integers: division by zero, shifts and fields past the width, sums of bytes.

use super::{Pass, Results};
use crate::WriteError;
use gpuproof_program::{Division, Field, Instruction, Op, Value, Width};

/// SPIR-V leaves a division by zero, and that of the smallest number by -1, undefined (OpUDiv, OpSDiv, OpSRem).
pub(super) fn divide(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let (a, b) = (instruction.args[0], instruction.args[1]);
    let width = pass.width(a);
    let signed = matches!(instruction.op, Op::SDiv | Op::SRem);
    let harmless = |bits: u64| bits != 0 && !(signed && bits == width.mask());
    if pass.known(b).is_some_and(harmless) {
        return Ok(None);
    }
    let zero = pass.constant(width, 0);
    let mut bad = pass.op(Width::W1, Op::IEq, &[b, zero]);
    let by_zero = bad;
    if signed {
        let least = pass.constant(width, 1 << (width.bits() - 1));
        let minus_one = pass.constant(width, u64::MAX);
        let is_least = pass.op(Width::W1, Op::IEq, &[a, least]);
        let is_minus_one = pass.op(Width::W1, Op::IEq, &[b, minus_one]);
        let overflows = pass.op(Width::W1, Op::IAnd, &[is_least, is_minus_one]);
        bad = pass.op(Width::W1, Op::IOr, &[by_zero, overflows]);
    }
    // Divided by 1, a number is itself and leaves 0, which is what the rule of identity wants.
    let one = pass.constant(width, 1);
    let divisor = pass.select(bad, one, b);
    let result = pass.like(width, instruction.op, instruction, &[a, divisor]);
    Ok(Some(vec![match instruction.attrs.rules.division {
        Division::Identity => result,
        Division::AllOnes => {
            let ones = pass.constant(width, u64::MAX);
            pass.select(bad, ones, result)
        }
    }]))
}

/// SPIR-V leaves a count of the width or more undefined (OpShiftLeftLogical and its like).
pub(super) fn shift(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let (a, count) = (instruction.args[0], instruction.args[1]);
    let width = pass.width(a);
    if pass.known(count).is_some_and(|count| count < u64::from(width.bits())) {
        return Ok(None);
    }
    let count = low_bits(pass, count, width.bits() - 1);
    Ok(Some(vec![pass.op(width, instruction.op, &[a, count])]))
}

fn low_bits(pass: &mut Pass<'_>, value: Value, mask: u32) -> Value {
    match pass.known(value) {
        Some(bits) => pass.word(bits as u32 & mask),
        None => {
            let mask = pass.word(mask);
            pass.op(Width::W32, Op::IAnd, &[value, mask])
        }
    }
}

/// SPIR-V leaves a field that is not inside its word undefined (OpBitFieldInsert and its like), and Vulkan has them of 32 bits alone.
pub(super) fn field(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let at = instruction.args.len() - 2;
    let (offset, count) = (instruction.args[at], instruction.args[at + 1]);
    let width = pass.width(instruction.args[0]);
    if width != Width::W32 {
        return Err(WriteError::operation(pass.program, instruction));
    }
    let inside = |pass: &Pass<'_>| Some(pass.known(offset)? + pass.known(count)? <= 32);
    if inside(pass) == Some(true) && pass.known(count) != Some(32) {
        return Ok(None);
    }
    let (offset, count) = match instruction.attrs.rules.field {
        Field::LowBits => (low_bits(pass, offset, 31), low_bits(pass, count, 31)),
        Field::Clamp => {
            let all = pass.word(32);
            (pass.op(Width::W32, Op::UMin, &[offset, all]), count)
        }
    };
    let all = pass.word(32);
    let room = pass.op(Width::W32, Op::ISub, &[all, offset]);
    let count = pass.op(Width::W32, Op::UMin, &[count, room]);
    let mut args = instruction.args.clone();
    (args[at], args[at + 1]) = (offset, count);
    // A field of a whole word is the word by either rule of the Program only where counts are clamped.
    let rules = gpuproof_program::Rules { field: Field::Clamp, ..instruction.attrs.rules };
    let attrs = instruction.attrs.with_rules(rules);
    Ok(Some(pass.emit(instruction.op, attrs, &args, &[width])))
}

fn byte(pass: &mut Pass<'_>, word: Value, at: u32, signed: bool) -> Value {
    let (offset, count) = (pass.word(8 * at), pass.word(8));
    pass.op(Width::W32, if signed { Op::SExtract } else { Op::UExtract }, &[word, offset, count])
}

/// The sum of |reference - source| over the bytes where the reference is not 0 (D3D11 22.12.15).
pub(super) fn masked_differences(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let (reference, source, mut sum) = (instruction.args[0], instruction.args[1], instruction.args[2]);
    let zero = pass.word(0);
    for at in 0..4 {
        let (a, b) = (byte(pass, reference, at, false), byte(pass, source, at, false));
        let (least, greatest) = (pass.op(Width::W32, Op::UMin, &[a, b]), pass.op(Width::W32, Op::UMax, &[a, b]));
        let difference = pass.op(Width::W32, Op::ISub, &[greatest, least]);
        let masked = pass.op(Width::W1, Op::IEq, &[a, zero]);
        let counted = pass.select(masked, zero, difference);
        sum = pass.op(Width::W32, Op::IAdd, &[sum, counted]);
    }
    Ok(Some(vec![sum]))
}

/// The sum of the products of four bytes.
pub(super) fn dot_of_bytes(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let signed = instruction.op == Op::SDot4x8;
    let mut sum = pass.word(0);
    for at in 0..4 {
        let (a, b) = (byte(pass, instruction.args[0], at, signed), byte(pass, instruction.args[1], at, signed));
        let product = pass.op(Width::W32, Op::IMul, &[a, b]);
        sum = pass.op(Width::W32, Op::IAdd, &[sum, product]);
    }
    Ok(Some(vec![sum]))
}
