//! A listing of a program in the manner of Microsoft's disassembler.

mod declarations;
mod operands;

use super::opcode::{Class, Controls, Kind, Opcode};
use super::operand::{File, MinPrecision, Operand};
use super::tokens::{Extension, ExtensionKind, Instruction, Shader, Words};
use operands::{Context, operand_text};
use std::fmt::Write;

/// One line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The instruction's number, where it has one: those that declare nothing, counted from 0 as Microsoft's
    /// disassembler numbers them.
    pub number: Option<u32>,
    /// The byte offset in the file of what the line shows.
    pub offset: usize,
    /// Which instruction of the [`Shader`] the line shows; the first line shows the target.
    pub instruction: Option<usize>,
    /// The text, indented by two spaces a level of control flow.
    pub text: String,
}

/// Deeper flow is not indented further, so that a listing grows with its program and no faster.
const MAX_INDENT: usize = 40;

/// D3D10_SB_RESOURCE_DIMENSION, by number.
const DIMENSIONS: [&str; 13] = [
    "unknown",
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
const STRUCTURED: u32 = 12;

/// D3D10_SB_RESOURCE_RETURN_TYPE, by number.
const RETURN_TYPES: [&str; 10] =
    ["unknown", "unorm", "snorm", "sint", "uint", "float", "mixed", "double", "<continued>", "<unused>"];

/// The name with this number, or the number itself.
fn name_of(names: &[&str], number: u32) -> String {
    match names.get(number as usize) {
        Some(name) => (*name).to_string(),
        None => number.to_string(),
    }
}

fn return_types(types: [u8; 4]) -> String {
    let names = types.map(|number| name_of(&RETURN_TYPES, number.into()));
    format!("({})", names.join(","))
}

/// The listing of a whole program, a line an instruction; the first line is the target.
pub fn listing(shader: &Shader) -> Vec<Line> {
    let target = shader.target();
    let mut lines = vec![Line { number: None, offset: shader.offset(), instruction: None, text: target.to_string() }];
    let (mut number, mut depth) = (0, 0usize);
    for (index, instruction) in shader.instructions.iter().enumerate() {
        let message = message_text(instruction, target.has_spaces());
        let numbered = instruction.info().is_numbered() || message.is_some();
        if closes(instruction.opcode) {
            depth = depth.saturating_sub(1);
        }
        let indent = "  ".repeat(depth.min(MAX_INDENT));
        let texts = match instruction.info().class {
            Class::Declaration => vec![declarations::declaration_text(instruction, target)],
            Class::Data => match message {
                Some(text) => vec![text],
                None => declarations::data_lines(instruction),
            },
            _ => vec![instruction_text(instruction, target.has_spaces())],
        };
        for (i, text) in texts.into_iter().enumerate() {
            // A block of constants has a line for each 16 bytes after its two tokens.
            let within = if i == 0 { 0 } else { 8 + 16 * i };
            lines.push(Line {
                number: numbered.then_some(number),
                offset: instruction.offset + within,
                instruction: Some(index),
                text: format!("{indent}{text}"),
            });
        }
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

fn instruction_text(instruction: &Instruction, spaces: bool) -> String {
    let info = instruction.info();
    let mut text = String::from(info.name);
    text += &control_suffix(instruction);
    let (names, arguments) = extension_texts(&instruction.extensions);
    text += &names;
    if instruction.saturates() {
        text += "_sat";
    }
    match instruction.precise_mask() {
        0 => {}
        0xf => text += " [precise]",
        mask => write!(text, " [precise({})]", operands::mask_letters(mask)).expect("writing to a string"),
    }
    text += &arguments;
    text += return_suffix(instruction);
    // The precision at which the instruction works is that of its result.
    let precision = match instruction.operands.first() {
        Some(first) if info.class != Class::Conversion => Some(first.min_precision),
        _ => None,
    };
    for (i, (operand, (write, kind))) in instruction.operands.iter().zip(info.operands()).enumerate() {
        let exempt = write || matches!(kind, Kind::Resource | Kind::Sampler) || is_shift_count(instruction.opcode, i);
        let precision = if exempt { None } else { precision };
        let context = Context { kind: listed_kind(instruction, i, kind), spaces, precision };
        text += if i == 0 { " " } else { ", " };
        text += &operand_text(operand, context);
    }
    if let (Opcode::InterfaceCall, Some(function)) = (instruction.opcode, instruction.words.first()) {
        write!(text, "[{function}]").expect("writing to a string");
    }
    text
}

/// Whether an operand counts bits, at whatever precision the shifted value has.
fn is_shift_count(opcode: Opcode, operand: usize) -> bool {
    operand == 2 && matches!(opcode, Opcode::Ishl | Opcode::Ishr | Opcode::Ushr)
}

/// The kind by which an operand's immediates are listed: the vendor lists a typed store's address like a value of
/// unknown format.
fn listed_kind(instruction: &Instruction, operand: usize, kind: Kind) -> Kind {
    if instruction.opcode == Opcode::StoreUavTyped && operand == 1 { Kind::Bits } else { kind }
}

fn control_suffix(instruction: &Instruction) -> String {
    if let Some(nonzero) = instruction.tests_nonzero() {
        return String::from(if nonzero { "_nz" } else { "_z" });
    }
    let flags = instruction.sync_flags().unwrap_or(0);
    let names = [(8, "_uglobal"), (4, "_ugroup"), (2, "_g"), (1, "_t")];
    names.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect()
}

fn return_suffix(instruction: &Instruction) -> &'static str {
    match (instruction.opcode, instruction.return_type()) {
        (Opcode::SampleInfo, Some(1)) | (_, Some(2)) => "_uint",
        (_, Some(1)) => "_rcpFloat",
        _ => "",
    }
}

/// What extended tokens add to a name, and what they add in parentheses.
fn extension_texts(extensions: &[Extension]) -> (String, String) {
    let (mut names, mut arguments) = (String::new(), String::new());
    for extension in extensions {
        match extension.kind() {
            Some(ExtensionKind::SampleControls([u, v, w])) => {
                names += "_aoffimmi";
                arguments += &format!("({u},{v},{w})");
            }
            Some(ExtensionKind::ResourceDimension { dimension, stride }) => {
                names += "_indexable";
                let name = name_of(&DIMENSIONS, dimension);
                arguments += &match dimension {
                    STRUCTURED => format!("({name}, stride={stride})"),
                    _ => format!("({name})"),
                };
            }
            Some(ExtensionKind::ResourceReturnType(types)) => arguments += &return_types(types),
            Some(ExtensionKind::Empty) | None => {}
        }
    }
    (names, arguments)
}

/// The text of a message (class 4 of data): its number, its format, the lengths of its text and operands, the
/// operands and the text. `None` for other data and for messages that do not hold together.
fn message_text(instruction: &Instruction, spaces: bool) -> Option<String> {
    if instruction.info().controls != Controls::CustomDataClass || instruction.data_class() != Some(4) {
        return None;
    }
    let [id, _format, characters, count, length, rest @ ..] = instruction.words.as_slice() else {
        return None;
    };
    let name = match id {
        0x0020_0102 => "printf",
        0x0020_0103 => "errorf",
        _ => return None,
    };
    let bytes: Vec<[u8; 4]> = rest.iter().map(|word| word.to_le_bytes()).collect();
    let (tokens, text) = bytes.split_at_checked(*length as usize)?;
    let text = text.as_flattened().get(..*characters as usize)?;
    let mut words = Words::detached(tokens);
    let mut out = format!("{name} \"{}\"", text.escape_ascii());
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
