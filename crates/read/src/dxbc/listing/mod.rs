//! A listing of a program in the manner of Microsoft's disassembler. What that adds from a program database (SPDB), lines of the source
//! and the variables that registers hold, is left out.

mod buffers;
mod declarations;
mod head;
mod level9;
mod operands;
mod tables;

use super::container::Container;
use super::error::Result;
use super::opcode::{Class, Controls, Info, Kind, Opcode};
use super::operand::{File, MinPrecision, Operand};
use super::tokens::{Extension, ExtensionKind, Instruction, Shader, Words};
use operands::{Context, operand_text, write_operand};
use std::fmt::Write;

/// One line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The instruction's number, where it has one: those that declare nothing, counted from 0 as Microsoft's
    /// disassembler numbers them.
    pub number: Option<u32>,
    /// The byte offset in the file of what the line shows.
    pub offset: usize,
    /// Which instruction of the [`Shader`] the line shows; the program's first line shows the target.
    pub instruction: Option<usize>,
    /// Whether the line describes the container, instead of being one of the program's.
    pub is_comment: bool,
    /// The text, indented by two spaces a level of control flow. Of an instruction without operands it ends in a space, as
    /// Microsoft's disassembler has it.
    pub text: String,
}

/// Deeper flow is not indented further, so that a listing grows with its program and no faster.
const MAX_INDENT: usize = 40;

/// D3D10_SB_RESOURCE_DIMENSION, by number.
const DIMENSIONS: [&str; 13] = [
    UNKNOWN_DIMENSION,
    "buffer",
    "texture1d",
    "texture2d",
    "texture2dms",
    "texture3d",
    "texturecube",
    "texture1darray",
    "texture2darray",
    "texture2dmsarray",
    "texturecubearray",
    "raw_buffer",
    "structured_buffer",
];
const UNKNOWN_DIMENSION: &str = "<unknown dimension>";

/// D3D10_SB_RESOURCE_RETURN_TYPE, by number.
const RETURN_TYPES: [&str; 10] =
    [UNKNOWN_TYPE, "unorm", "snorm", "sint", "uint", "float", "mixed", "double", "<continued>", "<unused>"];

const UNKNOWN_TYPE: &str = "<unknown resource return type>";

fn return_types(types: [u8; 4]) -> String {
    let names = types.map(|number| RETURN_TYPES.get(usize::from(number)).copied().unwrap_or(UNKNOWN_TYPE));
    format!("({})", names.join(","))
}

/// The listing of a container as Microsoft's disassembler prints it: comments that describe it, its program, and the number
/// of instruction slots, which its statistics give.
///
/// # Errors
/// Those of [`Shader::find`] and of the parts that the comments show.
pub fn disassembly(container: &Container) -> Result<Vec<Line>> {
    let shader = Shader::find(container)?;
    let comments = head::comments(container, &shader)?;
    let comment = |(offset, text)| Line { number: None, offset, instruction: None, is_comment: true, text };
    let mut lines: Vec<Line> = comments.before.into_iter().map(comment).collect();
    lines.extend(listing(&shader));
    lines.extend(comments.after.map(comment));
    Ok(lines)
}

/// The listing of a whole program, a line an instruction; the first line is the target.
pub fn listing(shader: &Shader) -> Vec<Line> {
    let target = shader.target();
    let head = Line { number: None, offset: shader.offset(), instruction: None, is_comment: false, text: target.to_string() };
    let mut lines = Vec::with_capacity(shader.instructions.len() + 1);
    lines.push(head);
    let (mut number, mut depth) = (0, 0usize);
    for (index, instruction) in shader.instructions.iter().enumerate() {
        let message = message_text(instruction, target.has_spaces());
        let numbered = instruction.info().is_numbered() || message.is_some();
        if closes(instruction.opcode) {
            depth = depth.saturating_sub(1);
        }
        let indent = depth.min(MAX_INDENT);
        let indented = |text: String| format!("{:1$}{text}", "", 2 * indent);
        let mut rest = Vec::new();
        let first = match instruction.info().class {
            Class::Declaration => indented(declarations::declaration_text(instruction, target)),
            Class::Data => match message {
                Some(text) => indented(text),
                None => {
                    rest = declarations::data_lines(instruction);
                    indented(rest.remove(0))
                }
            },
            _ => instruction_text(instruction, indent, target.has_spaces()),
        };
        let line = |offset, number, text| Line { number, offset, instruction: Some(index), is_comment: false, text };
        lines.push(line(instruction.offset, numbered.then_some(number), first));
        // Only the first line is indented by control flow, and numbered. A block of constants has a line for each 16 bytes after its
        // two tokens.
        lines.extend((1..).zip(rest).map(|(i, text)| line(instruction.offset + 8 + 16 * i, None, text)));
        number += u32::from(numbered);
        if opens(instruction.opcode) {
            depth += 1;
        }
    }
    lines
}

fn opens(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::If | Opcode::Else | Opcode::Loop | Opcode::Switch)
}

fn closes(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Endif | Opcode::Else | Opcode::Endloop | Opcode::Endswitch)
}

/// An instruction's line, indented by so many levels.
fn instruction_text(instruction: &Instruction, indent: usize, spaces: bool) -> String {
    let info = instruction.info();
    let mut text = String::with_capacity(indent + 64);
    (0..indent).for_each(|_| text += "  ");
    text += info.name;
    write_extension_names(&mut text, &instruction.extensions);
    // The vendor shows the bit whatever it means to the instruction: of `sync` it is one of the flags.
    if instruction.controls >> 13 & 1 == 1 {
        text += "_sat";
    }
    match instruction.precise_mask() {
        0 => {}
        0xf => text += " [precise]",
        mask => write!(text, " [precise({})]", operands::mask_letters(mask)).expect("writing to a string"),
    }
    write_extension_arguments(&mut text, &instruction.extensions);
    if let Some(nonzero) = instruction.tests_nonzero() {
        text += if nonzero { "_nz" } else { "_z" };
    }
    write_sync_flags(&mut text, instruction.sync_flags().unwrap_or(0));
    text += return_suffix(instruction);
    let precision = instruction.operands.first().map(|first| first.min_precision);
    let listed = listed_kind(info);
    for (i, (operand, (write, kind))) in instruction.operands.iter().zip(info.operands()).enumerate() {
        let precision = precision.filter(|_| is_of_result(instruction.opcode, i, write, kind));
        let context = Context { kind: listed, spaces, precision };
        text += if i == 0 { " " } else { ", " };
        write_operand(&mut text, operand, context);
    }
    if instruction.operands.is_empty() && instruction.opcode != Opcode::Sync {
        text.push(' ');
    }
    if let (Opcode::InterfaceCall, Some(function)) = (instruction.opcode, instruction.words.first()) {
        write!(text, "[{function}]").expect("writing to a string");
    }
    text
}

/// Whether a source has the precision of the result, so that another one is worth saying: it does where the instruction
/// computes with it, but not where it is a condition, counts bits or says a place.
fn is_of_result(opcode: Opcode, operand: usize, write: bool, kind: Kind) -> bool {
    match opcode.info().class {
        // The vendor takes the second result of an exchange for a source.
        _ if opcode == Opcode::Swapc => operand == 1,
        _ if write => false,
        Class::Arithmetic | Class::Derivative => true,
        Class::Move => kind != Kind::Mask,
        Class::Bitwise => {
            use Opcode::{Bfi, Ibfe, Ishl, Ishr, Ubfe, Ushr};
            operand == 1 || !matches!(opcode, Ishl | Ishr | Ushr | Ubfe | Ibfe | Bfi)
        }
        Class::Evaluate => operand == 1,
        Class::Conversion => opcode == Opcode::Dtof,
        _ => false,
    }
}

/// The kind by which all immediates of an instruction are listed: that of its first source, but for what the vendor's own
/// table has otherwise.
fn listed_kind(info: &Info) -> Kind {
    use Opcode::{
        DerivRtxCoarse, DerivRtxFine, DerivRtyCoarse, DerivRtyFine, Dfma, Dmovc, Drcp, Dtoi, Dtou, EvalCentroid, EvalSampleIndex,
        EvalSnapped, Gather4Po, Gather4PoC, Gather4PoCS, Gather4PoS, InterfaceCall, Lod, Movc, Rcp, StoreRaw, StoreStructured,
        StoreUavTyped, Swapc,
    };
    match info.opcode {
        Gather4Po | Gather4PoC | Gather4PoS | Gather4PoCS | Lod | Rcp | Dfma | Drcp | Dtoi | Dtou => Kind::Int,
        DerivRtxCoarse | DerivRtxFine | DerivRtyCoarse | DerivRtyFine => Kind::Int,
        EvalSnapped | EvalSampleIndex | EvalCentroid => Kind::Int,
        Movc | Swapc | StoreRaw | StoreStructured | StoreUavTyped => Kind::Bits,
        Dmovc | InterfaceCall => Kind::Float,
        _ => info.operands().find(|(write, _)| !write).map_or(Kind::Int, |(_, kind)| kind),
    }
}

fn write_sync_flags(out: &mut String, flags: u32) {
    // The whole device includes the group.
    let flags = if flags >= 8 { flags & !4 } else { flags };
    let names = [(8, "_uglobal"), (4, "_ugroup"), (2, "_g"), (1, "_t")];
    out.extend(names.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name));
}

fn return_suffix(instruction: &Instruction) -> &'static str {
    match (instruction.opcode, instruction.return_type()) {
        (Opcode::SampleInfo, Some(1)) | (Opcode::Resinfo, Some(2)) => "_uint",
        (Opcode::Resinfo, Some(1)) => "_rcpfloat",
        _ => "",
    }
}

/// What extended tokens add to a name.
fn write_extension_names(out: &mut String, extensions: &[Extension]) {
    let mut kinds = extensions.iter().filter_map(|extension| extension.kind());
    if kinds.clone().any(|kind| matches!(kind, ExtensionKind::SampleControls(_))) {
        *out += "_aoffimmi";
    }
    if kinds.any(|kind| matches!(kind, ExtensionKind::ResourceDimension { .. } | ExtensionKind::ResourceReturnType(_))) {
        *out += "_indexable";
    }
}

/// What extended tokens add in parentheses: offsets, then dimensions, then types. Where a token is repeated, the last one holds, and
/// the vendor shows it as often as there is one.
fn write_extension_arguments(out: &mut String, extensions: &[Extension]) {
    let kinds = || extensions.iter().filter_map(|extension| extension.kind());
    for same in [
        |kind: &ExtensionKind| matches!(kind, ExtensionKind::SampleControls(_)),
        |kind: &ExtensionKind| matches!(kind, ExtensionKind::ResourceDimension { .. }),
        |kind: &ExtensionKind| matches!(kind, ExtensionKind::ResourceReturnType(_)),
    ] {
        let Some(last) = kinds().rfind(same) else { continue };
        for _ in kinds().filter(same) {
            match last {
                ExtensionKind::SampleControls([u, v, w]) => write!(out, "({u},{v},{w})"),
                ExtensionKind::ResourceDimension { dimension, stride } => {
                    let name = DIMENSIONS.get(dimension as usize).copied().unwrap_or(UNKNOWN_DIMENSION);
                    match stride {
                        0 => write!(out, "({name})"),
                        _ => write!(out, "({name}, stride={stride})"),
                    }
                }
                ExtensionKind::ResourceReturnType(types) => write!(out, "{}", return_types(types)),
                ExtensionKind::Empty => Ok(()),
            }
            .expect("writing to a string");
        }
    }
}

/// The text of a message (class 4 of data): its number, its format, the lengths of its text and operands, the
/// operands and the text. `None` for other data and for messages that do not hold together.
fn message_text(instruction: &Instruction, spaces: bool) -> Option<String> {
    if instruction.info().controls != Controls::CustomDataClass || instruction.data_class() != Some(4) {
        return None;
    }
    let [id, format, characters, count, length, rest @ ..] = instruction.words.as_slice() else {
        return None;
    };
    let name = match (id, format) {
        (0x0020_0102, 1) => "printf",
        (0x0020_0103, 1) => "errorf",
        _ => "<unknown>",
    };
    let bytes: Vec<[u8; 4]> = rest.iter().map(|word| word.to_le_bytes()).collect();
    let (tokens, text) = bytes.split_at_checked(*length as usize)?;
    let text = text.as_flattened().get(..*characters as usize)?;
    let mut words = Words::detached(tokens);
    let mut out = format!("{name} \"");
    // Quotes stand as they are.
    for (i, text) in text.split(|byte| *byte == b'"').enumerate() {
        write!(out, "{}{}", if i == 0 { "" } else { "\"" }, text.escape_ascii()).ok()?;
    }
    out.push('"');
    for _ in 0..*count {
        let operand = Operand::decode(&mut words, 0).ok()?;
        let context = Context { kind: Kind::Bits, spaces, precision: None };
        write!(out, ", {}", operand_text(&operand, context)).ok()?;
    }
    Some(out)
}

/// The name of a least precision in listings.
fn precision_name(precision: MinPrecision) -> &'static str {
    match precision {
        MinPrecision::Default => "def32",
        MinPrecision::Float16 => "min16f",
        MinPrecision::Float10 => "min2_8f",
        MinPrecision::Int16 => "min16i",
        MinPrecision::Uint16 => "min16u",
    }
}

/// Whether SM 5.1 names the file in capitals, its first index being a declaration's identifier.
fn is_ranged(file: File) -> bool {
    matches!(file, File::ConstantBuffer | File::Resource | File::Sampler | File::Uav)
}
