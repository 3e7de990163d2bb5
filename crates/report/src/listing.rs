//! A listing: the lines of a file, and of a compiled program its instructions as data.

use gpuproof_read::dxbc::operand::{Index, MinPrecision, Modifier, Operand, Selection};
use gpuproof_read::dxbc::{self, ExtensionKind, Shader};
use serde::Serialize;

/// A line.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The instruction's number, or a text's line from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The byte offset in the file of what the line shows.
    pub offset: usize,
    /// Its text.
    pub text: String,
    /// Whether it describes the file, instead of being one of the program's.
    #[serde(skip_serializing_if = "is_false")]
    pub is_comment: bool,
    /// The instruction or declaration that the line shows or starts to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<Instruction>,
}

/// An instruction or declaration.
#[derive(Clone, Debug, Serialize)]
pub struct Instruction {
    /// The opcode's name in Microsoft's listings.
    pub opcode: &'static str,
    /// Its number in the format.
    pub code: u16,
    /// What it does: `arithmetic`, `load`, `declaration` and so on.
    pub class: String,
    /// Bits 11 to 23 of the opcode token, in place (of a block of data 11 to 31), where any is set.
    #[serde(skip_serializing_if = "is_zero")]
    pub controls: u32,
    /// Whether the result is clamped to [0, 1].
    #[serde(skip_serializing_if = "is_false")]
    pub saturate: bool,
    /// Whether a condition holds for values that are not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_nonzero: Option<bool>,
    /// The components of the results that must be computed as written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub precise: String,
    /// Offsets in texels along u, v and w.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texel_offsets: Option<[i8; 3]>,
    /// Of the resource that is read: D3D10_SB_RESOURCE_DIMENSION.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u32>,
    /// Of a structured buffer that is read: the bytes of a structure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stride: Option<u32>,
    /// Of the resource that is read: D3D10_SB_RESOURCE_RETURN_TYPE of each component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_types: Option<[u8; 4]>,
    /// The operands, results first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<Argument>,
    /// The plain words of a declaration or block of data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<u32>,
}

/// An operand.
#[derive(Clone, Debug, Serialize)]
pub struct Argument {
    /// The register file: `r`, `cb`, `l` for an immediate.
    pub file: &'static str,
    /// Whether the instruction writes it.
    #[serde(skip_serializing_if = "is_false")]
    pub written: bool,
    /// The components: of what is written and declared those that are meant, of a source one for each of the four, or the one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub components: String,
    /// The indices into the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub indices: Vec<Place>,
    /// The bits of an immediate; of 64-bit values the lower word first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<u32>,
    /// `neg`, `abs` or `neg_abs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifier: Option<&'static str>,
    /// The least precision, where it is not the full one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<&'static str>,
    /// Whether an index may differ between the lanes of a wave.
    #[serde(skip_serializing_if = "is_false")]
    pub nonuniform: bool,
}

/// An index: the sum of a constant and, where there is one, a register's component.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// The constant part.
    pub constant: u64,
    /// The register part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<Box<Argument>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// The listing of a container, with its instructions as data.
///
/// # Errors
/// Those of [`dxbc::disassembly`].
pub fn of_container(container: &dxbc::Container) -> dxbc::Result<Vec<Line>> {
    let shader = Shader::find(container)?;
    let mut last = None;
    let lines = dxbc::disassembly(container)?.into_iter().map(|line| {
        let started = line.instruction.filter(|at| last.replace(*at) != Some(*at));
        let instruction = started.and_then(|at| shader.instructions.get(at)).map(instruction);
        let dxbc::Line { number, offset, text, is_comment, .. } = line;
        Line { number, offset, text, is_comment, instruction }
    });
    Ok(lines.collect())
}

fn instruction(instruction: &dxbc::Instruction) -> Instruction {
    let info = instruction.info();
    let kinds = || instruction.extensions.iter().filter_map(|extension| extension.kind());
    let dimension = kinds().find_map(|kind| match kind {
        ExtensionKind::ResourceDimension { dimension, stride } => Some((dimension, stride)),
        _ => None,
    });
    Instruction {
        opcode: info.name,
        code: info.opcode as u16,
        class: format!("{:?}", info.class).to_lowercase(),
        controls: instruction.controls,
        saturate: instruction.saturates(),
        if_nonzero: instruction.tests_nonzero(),
        precise: letters(instruction.precise_mask()),
        texel_offsets: instruction.texel_offsets(),
        dimension: dimension.map(|(dimension, _)| dimension),
        stride: dimension.and_then(|(_, stride)| (stride != 0).then_some(stride)),
        return_types: kinds().find_map(|kind| match kind {
            ExtensionKind::ResourceReturnType(types) => Some(types),
            _ => None,
        }),
        operands: instruction
            .operands
            .iter()
            .zip(info.operands())
            .map(|(operand, (written, _))| argument(operand, written))
            .collect(),
        words: instruction.words.clone(),
    }
}

fn letters(mask: u8) -> String {
    (0..4).filter(|component| mask >> component & 1 == 1).map(|component| crate::numbers::LETTERS[component]).collect()
}

fn argument(operand: &Operand, written: bool) -> Argument {
    let letter = |component: u8| crate::numbers::LETTERS[usize::from(component & 3)];
    Argument {
        file: operand.file.name(),
        written,
        components: match operand.selection {
            Selection::None | Selection::Scalar => String::new(),
            Selection::Mask(mask) => letters(mask),
            Selection::Swizzle(from) => from.map(letter).iter().collect(),
            Selection::One(component) => letter(component).to_string(),
        },
        indices: operand.indices.iter().map(place).collect(),
        bits: operand.immediate.clone(),
        modifier: match operand.modifier {
            Modifier::None => None,
            Modifier::Neg => Some("neg"),
            Modifier::Abs => Some("abs"),
            Modifier::AbsNeg => Some("neg_abs"),
        },
        precision: match operand.min_precision {
            MinPrecision::Default => None,
            MinPrecision::Float16 => Some("min16f"),
            MinPrecision::Float10 => Some("min2_8f"),
            MinPrecision::Int16 => Some("min16i"),
            MinPrecision::Uint16 => Some("min16u"),
        },
        nonuniform: operand.non_uniform,
    }
}

fn place(index: &Index) -> Place {
    let register = index.relative.as_deref().map(|relative| Box::new(argument(relative, false)));
    Place { constant: index.constant(), register }
}
