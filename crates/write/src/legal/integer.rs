//! Integers: division by zero, shifts and fields past the width, sums of bytes.

use super::{Machine, Pass, Results};
use crate::WriteError;
use gpuproof_program::{Attrs, Division, Field, Instruction, Op, Value, Width};

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
        return Ok((pass.machine == Machine::Hlsl).then(|| vec![by_shifts(pass, instruction, offset, count)]));
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
    if pass.machine == Machine::Hlsl {
        return Ok(Some(vec![by_shifts(pass, instruction, offset, count)]));
    }
    let mut args = instruction.args.clone();
    (args[at], args[at + 1]) = (offset, count);
    // A field of a whole word is the word by either rule of the Program only where counts are clamped.
    let rules = gpuproof_program::Rules { field: Field::Clamp, ..instruction.attrs.rules };
    let attrs = instruction.attrs.with_rules(rules);
    Ok(Some(pass.emit(instruction.op, attrs, &args, &[width])))
}

/// A field that lies inside its word, by shifts: HLSL has no functions for fields.
fn by_shifts(pass: &mut Pass<'_>, instruction: &Instruction, offset: Value, count: Value) -> Value {
    let w = Width::W32;
    let (one, all, zero, ones) = (pass.word(1), pass.word(32), pass.word(0), pass.word(u32::MAX));
    let known = pass.known(offset).zip(pass.known(count)).filter(|(_, count)| (1..32).contains(count));
    let mask = |pass: &mut Pass<'_>| match pass.known(count) {
        Some(bits) if bits < 32 => pass.word((1u32 << bits) - 1),
        _ => {
            let power = pass.op(w, Op::IShl, &[one, count]);
            let low = pass.op(w, Op::ISub, &[power, one]);
            let whole = pass.op(Width::W1, Op::IEq, &[count, all]);
            pass.select(whole, ones, low)
        }
    };
    let x = instruction.args[0];
    if instruction.op == Op::IInsert {
        let mask = mask(pass);
        let mask = pass.op(w, Op::IShl, &[mask, offset]);
        let inserted = pass.op(w, Op::IShl, &[instruction.args[1], offset]);
        let inserted = pass.op(w, Op::IAnd, &[inserted, mask]);
        let rest = pass.op(w, Op::INot, &[mask]);
        let rest = pass.op(w, Op::IAnd, &[x, rest]);
        return pass.op(w, Op::IOr, &[inserted, rest]);
    }
    if instruction.op == Op::UExtract {
        let low = pass.op(w, Op::UShr, &[x, offset]);
        let mask = mask(pass);
        return pass.op(w, Op::IAnd, &[low, mask]);
    }
    if let Some((offset, count)) = known {
        let (up, down) = (pass.word(32 - (offset + count) as u32), pass.word(32 - count as u32));
        let high = pass.op(w, Op::IShl, &[x, up]);
        return pass.op(w, Op::SShr, &[high, down]);
    }
    let down = pass.op(w, Op::ISub, &[all, count]);
    let up = pass.op(w, Op::ISub, &[down, offset]);
    let high = pass.op(w, Op::IShl, &[x, up]);
    let signed = pass.op(w, Op::SShr, &[high, down]);
    let none = pass.op(Width::W1, Op::IEq, &[count, zero]);
    pass.select(none, zero, signed)
}

fn byte(pass: &mut Pass<'_>, word: Value, at: u32, signed: bool) -> Value {
    let (offset, count) = (pass.word(8 * at), pass.word(8));
    let op = if signed { Op::SExtract } else { Op::UExtract };
    if pass.machine != Machine::Hlsl {
        return pass.op(Width::W32, op, &[word, offset, count]);
    }
    let (attrs, args) = (Attrs::default(), vec![word, offset, count]);
    let instruction = Instruction { op, attrs, args, results: Vec::new(), origin: pass.origin };
    by_shifts(pass, &instruction, offset, count)
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
