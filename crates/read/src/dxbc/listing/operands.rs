//! The text of operands.

use super::{is_ranged, precision_name};
use crate::dxbc::opcode::Kind;
use crate::dxbc::operand::{File, Index, IndexOffset, MinPrecision, Modifier, Operand, Selection};
use std::fmt::Write;

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
    let mut text = String::new();
    write_mask(&mut text, mask);
    text
}

fn write_mask(out: &mut String, mask: u8) {
    out.extend((0..4).filter(|i| mask >> i & 1 == 1).map(|i| LETTERS[i]));
}

/// The letters of a mask in their places, with spaces for those that it has not.
pub(super) fn padded_mask(mask: u8) -> String {
    (0..4).map(|i| if mask >> i & 1 == 1 { LETTERS[i] } else { ' ' }).collect()
}

pub(super) fn operand_text(operand: &Operand, context: Context) -> String {
    let mut text = String::new();
    write_operand(&mut text, operand, context);
    text
}

/// Appends an operand. Text is appended to text throughout, since a listing is mostly operands.
pub(super) fn write_operand(out: &mut String, operand: &Operand, context: Context) {
    let (before, after) = match operand.modifier {
        Modifier::None => ("", ""),
        Modifier::Neg => ("-", ""),
        Modifier::Abs => ("|", "|"),
        Modifier::AbsNeg => ("-|", "|"),
    };
    *out += before;
    if matches!(operand.file, File::Immediate32 | File::Immediate64) {
        write_immediate(out, operand, context.kind);
    } else {
        write_register(out, operand, context.spaces);
        write_selection(out, operand.selection);
    }
    write_precision(out, operand.min_precision, context.precision);
    if operand.non_uniform {
        *out += " { nonuniform }";
    }
    *out += after;
}

fn write_selection(out: &mut String, selection: Selection) {
    let letter = |component: u8| LETTERS[usize::from(component & 3)];
    match selection {
        Selection::None | Selection::Scalar => return,
        _ => out.push('.'),
    }
    match selection {
        Selection::None | Selection::Scalar => {}
        Selection::Mask(mask) => write_mask(out, mask),
        Selection::Swizzle(from) => out.extend(from.map(letter)),
        Selection::One(component) => out.push(letter(component)),
    }
}

/// The operand's precision where it is not the full one, or not that of the instruction.
fn write_precision(out: &mut String, own: MinPrecision, other: Option<MinPrecision>) {
    let parts = match other {
        Some(other) if other != own => [" {", precision_name(own), " as ", precision_name(other), "}"],
        _ if own != MinPrecision::Default => [" {", precision_name(own), "", "", "}"],
        _ => return,
    };
    out.extend(parts);
}

fn write_file(out: &mut String, file: File, spaces: bool) {
    if spaces && is_ranged(file) {
        out.extend(file.name().chars().map(|letter| letter.to_ascii_uppercase()));
    } else {
        *out += file.name();
    }
}

/// The register with its indices, without components.
fn write_register(out: &mut String, operand: &Operand, spaces: bool) {
    let file = operand.file;
    write_file(out, file, spaces);
    // Vertices and control points are arrays of registers; instances' pointers are an array without a number.
    let array = match file {
        File::ThisPointer => operand.indices.len() == 1,
        File::Input | File::Output | File::InputControlPoint | File::OutputControlPoint => operand.indices.len() > 1,
        _ => false,
    };
    // Of files that are no arrays of registers, more numbers than one follow one another.
    let flat = is_ranged(file)
        || matches!(
            file,
            File::IndexableTemp
                | File::ConstantBuffer
                | File::Interface
                | File::ThisPointer
                | File::FunctionInput
                | File::FunctionOutput
        );
    for (i, index) in operand.indices.iter().enumerate() {
        match (index.as_constant(), index.offset) {
            // The vendor leaves out an index of 64 bits.
            (Some(_), IndexOffset::Bits64(_)) => {}
            (Some(_), _) if !array && (i == 0 || !flat) => write_constant(out, index),
            _ => {
                out.push('[');
                write_index(out, index, spaces);
                out.push(']');
            }
        }
    }
}

fn write_index(out: &mut String, index: &Index, spaces: bool) {
    if let Some(relative) = &index.relative {
        // The vendor shows a component and the precision of a register that is an index, and nothing else of how it is read.
        // Of a register of several numbers it has a form of its own, but for arrays of temporaries.
        match relative.indices.as_slice() {
            [first, second] if relative.file != File::IndexableTemp => {
                write_file(out, relative.file, spaces);
                for index in [second, first] {
                    out.push('_');
                    write_constant(out, index);
                }
            }
            [first, _, _] => {
                write_file(out, relative.file, spaces);
                write_constant(out, first);
            }
            _ => write_register(out, relative, spaces),
        }
        write_selection(
            out,
            match relative.selection {
                selection @ Selection::One(_) => selection,
                _ => Selection::One(0),
            },
        );
        write_precision(out, relative.min_precision, None);
        *out += " + ";
    }
    write_constant(out, index);
}

/// The constant part of an index: a word is signed.
fn write_constant(out: &mut String, index: &Index) {
    match index.offset {
        IndexOffset::Bits32(value) => write_integer(out, value as i32),
        _ => out.push_str(&index.constant().to_string()),
    }
}

fn write_immediate(out: &mut String, operand: &Operand, kind: Kind) {
    if operand.file == File::Immediate64 {
        return write_doubles(out, operand.immediate.as_chunks::<2>().0);
    }
    let (write, separator): (fn(&mut String, u32), _) = match kind {
        Kind::Float | Kind::Double => (write_single, ", "),
        Kind::Bits => (write_bits, ","),
        _ => (write_word, ", "),
    };
    *out += "l(";
    for (i, word) in operand.immediate.iter().enumerate() {
        *out += if i == 0 { "" } else { separator };
        write(out, *word);
    }
    out.push(')');
}

/// Values of 64 bits, the lower word first.
fn write_doubles(out: &mut String, values: &[[u32; 2]]) {
    /// The vendor leaves out what it has no room for.
    const ROOM: usize = 511;
    out.push('d');
    let start = out.len();
    for (i, [low, high]) in values.iter().enumerate() {
        *out += if i == 0 { "(" } else { ", " };
        write_float(out, f64::from_bits(u64::from(*high) << 32 | u64::from(*low)));
        out.push('l');
    }
    out.push(')');
    if out.len() - start > ROOM {
        out.truncate(start);
    }
}

/// Appends a number in decimal.
fn write_integer(out: &mut String, value: i32) {
    if value < 0 {
        out.push('-');
    }
    write_digits(out, u64::from(value.unsigned_abs()), 1);
}

/// Appends a number in decimal with at least so many digits.
fn write_digits(out: &mut String, mut value: u64, least: usize) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    while value > 0 || digits.len() - start < least {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    out.extend(digits[start..].iter().map(|digit| char::from(*digit)));
}

/// An integer: in decimal up to 10,000 either side of zero, else in hexadecimal.
fn write_word(out: &mut String, word: u32) {
    let value = word as i32;
    if value.unsigned_abs() <= 10_000 {
        write_integer(out, value);
    } else {
        *out += "0x";
        out.extend((0..8).rev().map(|i| char::from(b"0123456789abcdef"[(word >> (4 * i) & 0xf) as usize])));
    }
}

/// A word of unknown format: as a float where it looks like one, that is, neither tiny nor infinite nor NaN.
fn write_bits(out: &mut String, word: u32) {
    let exponent = word >> 23 & 0xff;
    if word == 0x8000_0000 || (exponent != 0 && exponent != 0xff) { write_single(out, word) } else { write_word(out, word) }
}

pub(super) fn bits_text(word: u32) -> String {
    let mut text = String::new();
    write_bits(&mut text, word);
    text
}

/// The float with these bits.
fn write_single(out: &mut String, word: u32) {
    /// Below this a float times 10^6 is a double, exactly: of 24 bits times one of 14.
    const SMALL: f64 = (1u64 << 33) as f64;
    let value = widened(word);
    if value.abs() < SMALL {
        let millionths = (value.abs() * 1e6).round_ties_even() as u64;
        if value.is_sign_negative() {
            out.push('-');
        }
        write_digits(out, millionths / 1_000_000, 1);
        out.push('.');
        write_digits(out, millionths % 1_000_000, 6);
    } else {
        write_float(out, value);
    }
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

pub(super) fn float_text(value: f64) -> String {
    let mut text = String::new();
    write_float(&mut text, value);
    text
}

/// C's `%f`, with the old spelling of infinities and NaN.
fn write_float(out: &mut String, value: f64) {
    const QUIET: u64 = 1 << 51;
    if value.is_finite() {
        return write!(out, "{value:.6}").expect("writing to a string");
    }
    if value.is_sign_negative() {
        out.push('-');
    }
    *out += match value.to_bits() {
        _ if value.is_infinite() => "1.#INF00",
        // The one NaN that arithmetic makes on x86 has a name of its own.
        0xfff8_0000_0000_0000 => "1.#IND00",
        bits if bits & QUIET == 0 => "1.#SNAN0",
        _ => "1.#QNAN0",
    };
}
