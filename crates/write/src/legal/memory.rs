//! Accesses out of range, which SPIR-V leaves undefined where no robustness feature is on: what the Program says of them is written out.

use super::{Machine, Pass, Results};
use crate::WriteError;
use gpuproof_program::{Access, Attrs, Bounds, Dimension, Instruction, Op, Shape, Target, Value, Width};

/// An access that is made where a condition holds. A load or atomic gives 0 elsewhere.
fn where_inside(pass: &mut Pass<'_>, inside: Value, instruction: &Instruction, args: &[Value]) -> Results {
    let widths: Vec<Width> = instruction.results.iter().map(|result| pass.width(*result)).collect();
    let (op, attrs) = (instruction.op, instruction.attrs);
    if pass.known(inside) == Some(1) {
        return pass.emit(op, attrs, args, &widths);
    }
    let zeros: Vec<Value> = widths.iter().map(|width| pass.constant(*width, 0)).collect();
    pass.guarded(inside, &zeros, |pass| pass.emit(op, attrs, args, &widths))
}

/// An access whose operand `at` is an index below `size`, with that index's bounds seen to.
fn indexed(pass: &mut Pass<'_>, instruction: &Instruction, at: usize, size: Value) -> Option<Results> {
    let index = instruction.args[at];
    if let (Some(index), Some(size)) = (pass.known(index), pass.known(size))
        && index < size
    {
        return None;
    }
    let mut args = instruction.args.clone();
    if instruction.attrs.rules.bounds == Bounds::Clamped {
        let one = pass.word(1);
        let last = pass.op(Width::W32, Op::ISub, &[size, one]);
        args[at] = pass.op(Width::W32, Op::UMin, &[index, last]);
        let widths: Vec<Width> = instruction.results.iter().map(|result| pass.width(*result)).collect();
        return Some(pass.emit(instruction.op, instruction.attrs, &args, &widths));
    }
    let inside = match (scaled(pass, index), pass.known(size)) {
        (Some(place), Some(size)) => below(pass, place, 1, size),
        _ => pass.ask(Width::W1, Op::ULt, Attrs::default(), &[index, size]),
    };
    Some(where_inside(pass, inside, instruction, &args))
}

/// An index with its distance and what is added, `min(index, limit) * distance + more`, where that cannot wrap.
fn scaled(pass: &Pass<'_>, value: Value) -> Option<(Value, u64, u64)> {
    let made = |value: Value, op: Op| pass.made.get(&value).filter(|made| made.0 == op).map(|made| (made.1[0], made.1[1]));
    let (product, more) = match made(value, Op::IAdd) {
        Some((product, more)) => (product, pass.known(more)?),
        None => (value, 0),
    };
    let (held, distance) = made(product, Op::IMul)?;
    let distance = pass.known(distance).filter(|distance| *distance > more)?;
    let (index, limit) = made(held, Op::UMin)?;
    let fits = pass.known(limit)? < u64::from(u32::MAX) / distance;
    fits.then_some((index, distance, more))
}

/// Whether an access of so many units at a scaled place lies inside a memory of this size: whether its index is below a number.
fn below(pass: &mut Pass<'_>, (index, distance, more): (Value, u64, u64), units: u64, size: u64) -> Value {
    let count = if size >= more + units { (size - more - units) / distance + 1 } else { 0 };
    if let Some(index) = pass.known(index) {
        return pass.constant(Width::W1, u64::from(index < count));
    }
    let key = (Op::ULt, Attrs::target(Target::Bits(count)), vec![index]);
    if let Some(known) = pass.asked.get(&key) {
        return *known;
    }
    let count = pass.word(count as u32);
    let inside = pass.op(Width::W1, Op::ULt, &[index, count]);
    pass.asked.insert(key, inside);
    inside
}

pub(super) fn array(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let Target::Array(id) = instruction.attrs.target else { return Err(WriteError::operation(pass.program, instruction)) };
    let length = pass.program.arrays[id.index()].length;
    if pass.known(instruction.args[0]).is_some_and(|index| index < u64::from(length)) {
        return Ok(None);
    }
    let size = pass.word(length);
    Ok(indexed(pass, instruction, 0, size))
}

/// An access at a byte offset, operand `at`, of a memory of so many bytes.
fn at_offset(pass: &mut Pass<'_>, instruction: &Instruction, at: usize, bytes: Value) -> Option<Results> {
    let offset = instruction.args[at];
    let value = instruction.results.first().or(instruction.args.get(at + 1)).map_or(Width::W32, |value| pass.width(*value));
    let size = value.bytes().max(1);
    if let (Some(offset), Some(bytes)) = (pass.known(offset), pass.known(bytes))
        && offset + u64::from(size) <= bytes
    {
        return None;
    }
    if let (Some(place), Some(bytes), false) =
        (scaled(pass, offset), pass.known(bytes), instruction.attrs.rules.bounds == Bounds::Clamped)
    {
        let inside = below(pass, place, size.into(), bytes);
        return Some(where_inside(pass, inside, instruction, &instruction.args.clone()));
    }
    // Both counted in units of the access, of which memories hold a whole number.
    let shift = pass.word(size.trailing_zeros());
    let unit = pass.op(Width::W32, Op::UShr, &[offset, shift]);
    let units = pass.op(Width::W32, Op::UShr, &[bytes, shift]);
    if instruction.attrs.rules.bounds == Bounds::Clamped {
        let one = pass.word(1);
        let last = pass.op(Width::W32, Op::ISub, &[units, one]);
        let clamped = pass.op(Width::W32, Op::UMin, &[unit, last]);
        let mut args = instruction.args.clone();
        args[at] = pass.op(Width::W32, Op::IShl, &[clamped, shift]);
        let widths: Vec<Width> = instruction.results.iter().map(|result| pass.width(*result)).collect();
        return Some(pass.emit(instruction.op, instruction.attrs, &args, &widths));
    }
    let inside = pass.ask(Width::W1, Op::ULt, Attrs::default(), &[unit, units]);
    Some(where_inside(pass, inside, instruction, &instruction.args.clone()))
}

pub(super) fn shared(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let Target::Shared(id) = instruction.attrs.target else { return Err(WriteError::operation(pass.program, instruction)) };
    let bytes = pass.word(pass.program.shared[id.index()].bytes);
    Ok(at_offset(pass, instruction, 0, bytes))
}

fn size_of(pass: &mut Pass<'_>, instruction: &Instruction) -> Value {
    let attrs = Attrs::target(instruction.attrs.target);
    // What is bound does not change.
    pass.ask(Width::W32, Op::BufferSize, attrs, &instruction.args[..1])
}

/// Whether an offset is a multiple of 4 whatever is given.
fn is_aligned(pass: &Pass<'_>, offset: Value, depth: u32) -> bool {
    if let Some(bits) = pass.known(offset) {
        return bits % 4 == 0;
    }
    let Some((op, args)) = pass.made.get(&offset).filter(|_| depth < 16) else { return false };
    let aligned = |value: &Value| is_aligned(pass, *value, depth + 1);
    match op {
        Op::IAdd | Op::ISub | Op::IOr | Op::IXor | Op::UMin | Op::UMax | Op::SMin | Op::SMax => args.iter().all(aligned),
        Op::IMul | Op::IAnd => args.iter().any(aligned),
        Op::IShl => pass.known(args[1]).is_some_and(|count| (2..32).contains(&count)) || aligned(&args[0]),
        Op::Select => args[1..].iter().all(aligned),
        _ => false,
    }
}

/// A word at any byte: the two words that it lies in, shifted together.
fn unaligned(pass: &mut Pass<'_>, instruction: &Instruction, bytes: Value) -> Results {
    let (element, offset) = (instruction.args[0], instruction.args[1]);
    let w = Width::W32;
    let [zero, three, four, eight, all] = [0, 3, 4, 8, 32].map(|bits| pass.word(bits));
    let past = pass.op(w, Op::ISub, &[bytes, four]);
    let fits = pass.op(Width::W1, Op::ULe, &[four, bytes]);
    let below = pass.op(Width::W1, Op::ULe, &[offset, past]);
    let inside = pass.op(Width::W1, Op::IAnd, &[fits, below]);
    pass.guarded(inside, &[zero], |pass| {
        let within = pass.op(w, Op::IAnd, &[offset, three]);
        let start = pass.op(w, Op::ISub, &[offset, within]);
        let low = pass.emit(instruction.op, instruction.attrs, &[element, start], &[w])[0];
        let straddles = pass.op(Width::W1, Op::INe, &[within, zero]);
        pass.guarded(straddles, &[low], |pass| {
            let next = pass.op(w, Op::IAdd, &[start, four]);
            let high = pass.emit(instruction.op, instruction.attrs, &[element, next], &[w])[0];
            let down = pass.op(w, Op::IMul, &[within, eight]);
            let up = pass.op(w, Op::ISub, &[all, down]);
            let low = pass.op(w, Op::UShr, &[low, down]);
            let high = pass.op(w, Op::IShl, &[high, up]);
            vec![pass.op(w, Op::IOr, &[low, high])]
        })
    })
}

pub(super) fn buffer(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let Target::Resource(id) = instruction.attrs.target else { return Err(WriteError::operation(pass.program, instruction)) };
    let resource = pass.program.interface.resource(id);
    let declared = match resource.shape {
        Shape::ConstantBuffer { bytes } => bytes,
        // What is bound is at least as large as it is declared (WebGPU: minimum buffer binding sizes).
        Shape::Buffer { bytes } => {
            let inside = |offset: u64| offset + 4 <= u64::from(bytes);
            if pass.known(instruction.args[1]).is_some_and(inside) {
                return Ok(None);
            }
            let size = size_of(pass, instruction);
            // Direct3D's hardware takes words at multiples of 4 alone, and the Program at any byte (22.3.47).
            let word = instruction.op == Op::BufferLoad && pass.width(instruction.results[0]) == Width::W32;
            if word && instruction.attrs.rules.bounds == Bounds::Defined && !is_aligned(pass, instruction.args[1], 0) {
                return Ok(Some(unaligned(pass, instruction, size)));
            }
            return Ok(at_offset(pass, instruction, 1, size));
        }
        _ => return Ok(None),
    };
    if declared == 0 {
        return Ok(None);
    }
    let bytes = pass.word(declared);
    Ok(at_offset(pass, instruction, 1, bytes))
}

pub(super) fn structured(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let size = size_of(pass, instruction);
    Ok(indexed(pass, instruction, 1, size))
}

/// A level that a texture does not have: all is 0 but the number of levels (D3D11 22.4.14 resinfo), which OpImageQuerySizeLod leaves open.
pub(super) fn texture_size(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    if pass.known(instruction.args[1]) == Some(0) {
        return Ok(None);
    }
    let widths = [Width::W32; 4];
    let zero = pass.word(0);
    let largest = pass.emit(instruction.op, instruction.attrs, &[instruction.args[0], zero], &widths);
    let inside = pass.op(Width::W1, Op::ULt, &[instruction.args[1], largest[3]]);
    let otherwise = [zero, zero, zero];
    let mut results = pass.guarded(inside, &otherwise, |pass| {
        pass.emit(instruction.op, instruction.attrs, &instruction.args, &widths)[..3].to_vec()
    });
    results.push(largest[3]);
    Ok(Some(results))
}

/// A texel out of range is 0 in Direct3D (22.4.6 ld), and any texel in WGSL. What the format lacks of it would be 1 for alpha, which is not known here.
pub(super) fn texel_load(pass: &mut Pass<'_>, instruction: &Instruction) -> Result<Option<Results>, WriteError> {
    let Target::Resource(id) = instruction.attrs.target else { return Err(WriteError::operation(pass.program, instruction)) };
    let resource = pass.program.interface.resource(id);
    let Shape::Texture(shape) = resource.shape else { return Ok(None) };
    if pass.machine != Machine::Wgsl || instruction.attrs.rules.bounds != Bounds::Defined || shape.dimension == Dimension::Buffer
    {
        return Ok(None);
    }
    let args = &instruction.args;
    let axes = match shape.dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube => 2,
        Dimension::D3 => 3,
    };
    let zero = pass.word(0);
    let leveled = resource.access == Access::Read && !shape.multisampled;
    let attrs = Attrs::target(instruction.attrs.target);
    let widths = [Width::W32; 4];
    let inside = |pass: &mut Pass<'_>, tests: Vec<(Value, Value)>| {
        let mut all = None;
        for (index, size) in tests {
            let test = pass.op(Width::W1, Op::ULt, &[index, size]);
            all = Some(match all {
                None => test,
                Some(all) => pass.op(Width::W1, Op::IAnd, &[all, test]),
            });
        }
        all
    };
    let zeros: Vec<Value> = instruction.results.iter().map(|_| zero).collect();
    let texel = |pass: &mut Pass<'_>, level: Value| {
        let size = pass.emit(Op::TextureSize, attrs, &[args[0], level], &widths);
        let count = if shape.arrayed || shape.dimension == Dimension::Cube { axes + 1 } else { axes };
        let tests = (0..count).map(|at| (args[1 + at], size[at])).collect();
        let Some(all) = inside(pass, tests) else { return zeros.clone() };
        where_inside(pass, all, instruction, args)
    };
    if !leveled || pass.known(args[4]) == Some(0) {
        return Ok(Some(texel(pass, zero)));
    }
    let levels = pass.emit(Op::TextureSize, attrs, &[args[0], zero], &widths)[3];
    let exists = pass.op(Width::W1, Op::ULt, &[args[4], levels]);
    Ok(Some(pass.guarded(exists, &zeros, |pass| texel(pass, args[4]))))
}
