//! The text of operands.

use super::{is_ranged, precision_name};
use crate::dxbc::opcode::Kind;
use crate::dxbc::operand::{File, Index, IndexOffset, MinPrecision, Modifier, Operand, Selection};

/// How an operand's instruction reads it.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The format of its bits.
    pub kind: Kind,
    /// Whether registers are ranges with spaces (SM 5.1).
    pub spaces: bool,
    /// The precision of the instruction, where it is to be compared with the operand's.
    pub precision: Option<MinPrecision>,
}

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

pub(super) fn mask_letters(mask: u8) -> String {
    (0..4).filter(|i| mask >> i & 1 == 1).map(|i| LETTERS[i]).collect()
}

/// The letters of a mask in their places, with spaces for those that it has not.
pub(super) fn padded_mask(mask: u8) -> String {
    (0..4).map(|i| if mask >> i & 1 == 1 { LETTERS[i] } else { ' ' }).collect()
}

pub(super) fn operand_text(operand: &Operand, context: Context) -> String {
    let is_immediate = matches!(operand.file, File::Immediate32 | File::Immediate64);
    let mut text = if is_immediate { immediate_text(operand, context.kind) } else { register_text(operand, context.spaces) };
    text += &match operand.selection {
        _ if is_immediate => String::new(),
        Selection::None | Selection::Scalar => String::new(),
        Selection::Mask(mask) => format!(".{}", mask_letters(mask)),
        Selection::Swizzle(from) => {
            let letters: String = from.iter().map(|&c| LETTERS[usize::from(c & 3)]).collect();
            format!(".{letters}")
        }
        Selection::One(component) => format!(".{}", LETTERS[usize::from(component & 3)]),
    };
    let own = operand.min_precision;
    match context.precision {
        Some(other) if other != own => {
            text += &format!(" {{{} as {}}}", precision_name(own), precision_name(other));
        }
        _ if own != MinPrecision::Default => text += &format!(" {{{}}}", precision_name(own)),
        _ => {}
    }
    if operand.non_uniform {
        text += " { nonuniform }";
    }
    match operand.modifier {
        Modifier::None => text,
        Modifier::Neg => format!("-{text}"),
        Modifier::Abs => format!("|{text}|"),
        Modifier::AbsNeg => format!("-|{text}|"),
    }
}

/// The register with its indices, without components.
pub(super) fn register_text(operand: &Operand, spaces: bool) -> String {
    let file = operand.file;
    let mut text = if spaces && is_ranged(file) { file.name().to_uppercase() } else { file.name().to_string() };
    // Vertices and control points are arrays of registers; instances' pointers are an array without a number.
    let array = match file {
        File::ThisPointer => operand.indices.len() == 1,
        File::Input | File::Output | File::InputControlPoint | File::OutputControlPoint => operand.indices.len() > 1,
        _ => false,
    };
    // Of files that are no arrays of registers, more numbers than one follow one another.
    let flat =
        matches!(file, File::IndexableTemp | File::ConstantBuffer | File::Interface | File::ThisPointer) || is_ranged(file);
    for (i, index) in operand.indices.iter().enumerate() {
        match index.as_constant() {
            Some(_) if !array && (i == 0 || !flat) => text += &constant_text(index),
            _ => text += &format!("[{}]", index_text(index, spaces)),
        }
    }
    text
}

fn index_text(index: &Index, spaces: bool) -> String {
    match &index.relative {
        None => constant_text(index),
        Some(relative) => {
            let mut relative = relative.clone();
            if !matches!(relative.selection, Selection::One(_)) {
                relative.selection = Selection::One(0);
            }
            let context = Context { kind: Kind::Int, spaces, precision: None };
            format!("{} + {}", operand_text(&relative, context), constant_text(index))
        }
    }
}

/// The constant part of an index: a word is signed.
fn constant_text(index: &Index) -> String {
    match index.offset {
        IndexOffset::Bits32(value) => (value as i32).to_string(),
        _ => index.constant().to_string(),
    }
}

fn immediate_text(operand: &Operand, kind: Kind) -> String {
    if operand.file == File::Immediate64 {
        let values = operand.immediate.as_chunks::<2>().0.iter().map(|[low, high]| {
            let value = f64::from_bits(u64::from(*high) << 32 | u64::from(*low));
            format!("{}l", float_text(value))
        });
        return format!("d({})", values.collect::<Vec<_>>().join(", "));
    }
    let (format, separator): (fn(u32) -> String, _) = match kind {
        Kind::Float | Kind::Double => (|word| float_text(widened(word)), ", "),
        Kind::Bits => (bits_text, ","),
        _ => (int_text, ", "),
    };
    let values: Vec<String> = operand.immediate.iter().map(|&word| format(word)).collect();
    format!("l({})", values.join(separator))
}

/// An integer: in decimal up to 10,000 either side of zero, else in hexadecimal.
fn int_text(word: u32) -> String {
    let value = word as i32;
    if value.unsigned_abs() <= 10_000 { value.to_string() } else { format!("0x{word:08x}") }
}

/// A word of unknown format: as a float where it looks like one, that is, neither tiny nor infinite nor NaN.
pub(super) fn bits_text(word: u32) -> String {
    let exponent = word >> 23 & 0xff;
    if word == 0x8000_0000 || (exponent != 0 && exponent != 0xff) { float_text(widened(word)) } else { int_text(word) }
}

/// The float with these bits as the double that C passes: a NaN is quiet then.
pub(super) fn widened(word: u32) -> f64 {
    const QUIET: u32 = 1 << 22;
    let value = f32::from_bits(word);
    if value.is_nan() {
        let bits = u64::from(word & 0x8000_0000) << 32 | 0x7ff0_0000_0000_0000 | u64::from((word | QUIET) & 0x007f_ffff) << 29;
        return f64::from_bits(bits);
    }
    value.into()
}

/// C's `%f`, with the old spelling of infinities and NaN.
pub(super) fn float_text(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}1.#INF00");
    }
    if value.is_nan() {
        const QUIET: u64 = 1 << 51;
        // The one NaN that arithmetic makes on x86 has a name of its own.
        let name = match value.to_bits() {
            0xfff8_0000_0000_0000 => "IND00",
            bits if bits & QUIET == 0 => "SNAN0",
            _ => "QNAN0",
        };
        return format!("{sign}1.#{name}");
    }
    format!("{value:.6}")
}
