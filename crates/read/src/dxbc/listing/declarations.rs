//! The text of declarations and of blocks of data.

use super::operands::{Context, bits_text, float_text, operand_text, widened};
use super::{DIMENSIONS, UNKNOWN_DIMENSION, return_types};
use crate::dxbc::opcode::{Controls, Kind, Opcode};
use crate::dxbc::operand::Operand;
use crate::dxbc::tokens::{Instruction, Target};

/// What stands for a number without a name.
const UNKNOWN: &str = "???";

/// The name with this number, or `unknown`.
fn name_or<'a>(unknown: &'a str, names: &[&'a str], number: u32) -> &'a str {
    names.get(number as usize).copied().unwrap_or(unknown)
}

/// D3D10_SB_INTERPOLATION_MODE, by number.
const INTERPOLATIONS: [&str; 8] = [
    "undefined",
    "constant",
    "linear",
    "linear centroid",
    "linear noperspective",
    "linear noperspective centroid",
    "linear sample",
    "linear noperspective sample",
];

/// D3D10_SB_NAME, by number.
const SYSTEM_VALUES: [&str; 23] = [
    "undefined",
    "position",
    "clip_distance",
    "cull_distance",
    "rendertarget_array_index",
    "viewport_array_index",
    "vertex_id",
    "primitive_id",
    "instance_id",
    "is_front_face",
    "sampleIndex",
    "finalQuadUeq0EdgeTessFactor",
    "finalQuadVeq0EdgeTessFactor",
    "finalQuadUeq1EdgeTessFactor",
    "finalQuadVeq1EdgeTessFactor",
    "finalQuadUInsideTessFactor",
    "finalQuadVInsideTessFactor",
    "finalTriUeq0EdgeTessFactor",
    "finalTriVeq0EdgeTessFactor",
    "finalTriWeq0EdgeTessFactor",
    "finalTriInsideTessFactor",
    "finalLineDetailTessFactor",
    "finalLineDensityTessFactor",
];

/// D3D10_SB_PRIMITIVE, by number; from 8 on, patches.
const PRIMITIVES: [&str; 8] = ["undefined", "point", "line", "triangle", UNKNOWN, UNKNOWN, "lineadj", "triangleadj"];

/// D3D10_SB_PRIMITIVE_TOPOLOGY, by number, of those that a geometry program may give.
const TOPOLOGIES: [&str; 6] = ["undefined", "pointlist", UNKNOWN, "linestrip", UNKNOWN, "trianglestrip"];

/// D3D11_SB_TESSELLATOR_DOMAIN, by number.
const DOMAINS: [&str; 4] = [UNKNOWN, "domain_isoline", "domain_tri", "domain_quad"];

/// D3D11_SB_TESSELLATOR_PARTITIONING, by number.
const PARTITIONINGS: [&str; 5] =
    [UNKNOWN, "partitioning_integer", "partitioning_pow2", "partitioning_fractional_odd", "partitioning_fractional_even"];

/// D3D11_SB_TESSELLATOR_OUTPUT_PRIMITIVE, by number.
const OUTPUT_PRIMITIVES: [&str; 5] = ["", "output_point", "output_line", "output_triangle_cw", "output_triangle_ccw"];

/// Bits of the global flags, from bit 11 of the token on, in the order in which they are listed.
const GLOBAL_FLAGS: [(u32, &str); 9] = [
    (0, "refactoringAllowed"),
    (1, "enableDoublePrecisionFloatOps"),
    (3, "enableRawAndStructuredBuffers"),
    (2, "forceEarlyDepthStencil"),
    (4, "skipOptimization"),
    (5, "enableMinimumPrecision"),
    (6, "enable11_1DoubleExtensions"),
    (7, "enable11_1ShaderExtensions"),
    (8, "allResourcesBound"),
];

/// A declaration in parts: the name with suffixes, what stands before the register, and what follows it.
pub(super) fn declaration_text(instruction: &Instruction, target: Target) -> String {
    let name = instruction.info().name;
    let bits = |at: u32, count: u32| instruction.controls >> at & ((1 << count) - 1);
    let word = |i: usize| instruction.words.get(i).copied().unwrap_or(0);
    let (mut name, mut middle) = (name.to_string(), String::new());
    let register =
        instruction.operands.first().map(|operand| declared_text(operand, instruction.opcode, target)).unwrap_or_default();
    match instruction.info().controls {
        Controls::Resource => {
            name += &format!("_{}", name_or(UNKNOWN_DIMENSION, &DIMENSIONS, bits(11, 5)));
            if matches!(bits(11, 5), 4 | 9) {
                name += &format!("({})", bits(16, 7));
            }
        }
        Controls::Uav => {
            if instruction.opcode == Opcode::DclUavTyped {
                name += &format!("_{}", name_or(UNKNOWN_DIMENSION, &DIMENSIONS, bits(11, 5)));
            }
            for (bit, suffix) in [(16, "_glc"), (23, "_opc"), (17, "_rov")] {
                name += if bits(bit, 1) == 1 { suffix } else { "" };
            }
        }
        Controls::Interpolation => middle = name_or(UNKNOWN, &INTERPOLATIONS, bits(11, 4)).to_string(),
        Controls::Interface if bits(11, 1) == 1 => name += "_dynamicindexed",
        Controls::OutputTopology => middle = format!("{} ", name_or(UNKNOWN, &TOPOLOGIES, bits(11, 6))),
        Controls::InputPrimitive => {
            middle = match bits(11, 6) {
                patch @ 8..=39 => format!("patch{} ", patch - 7),
                primitive => format!("{} ", name_or(UNKNOWN, &PRIMITIVES, primitive)),
            };
        }
        Controls::ControlPoints => middle = bits(11, 6).to_string(),
        Controls::Domain => middle = name_or(UNKNOWN, &DOMAINS, bits(11, 2)).to_string(),
        Controls::Partitioning => middle = name_or(UNKNOWN, &PARTITIONINGS, bits(11, 3)).to_string(),
        Controls::OutputPrimitive => middle = name_or("", &OUTPUT_PRIMITIVES, bits(11, 3)).to_string(),
        Controls::GlobalFlags => {
            let flags = GLOBAL_FLAGS.iter().filter(|(bit, _)| bits(11 + bit, 1) == 1);
            middle = flags.map(|(_, flag)| *flag).collect::<Vec<_>>().join(" | ");
            name += if middle.is_empty() { "none" } else { "" };
        }
        _ => {}
    }
    // Register spaces come last of the words.
    let space = match target.has_spaces().then(|| instruction.words.last()).flatten() {
        Some(space) if is_space_last(instruction.opcode) => format!(", space={space}"),
        _ => String::new(),
    };
    let typed = || return_types([0, 4, 8, 12].map(|at| (word(0) >> at & 0xf) as u8));
    let rest = |skip: usize, prefix: &str| {
        let names = instruction.words.iter().skip(skip).map(|number| format!("{prefix}{number}"));
        names.collect::<Vec<_>>().join(", ")
    };
    match instruction.opcode {
        Opcode::DclResource | Opcode::DclUavTyped => format!("{name} {} {register}{space}", typed()),
        Opcode::DclResourceStructured | Opcode::DclUavStructured => format!("{name} {register}, {}{space}", word(0)),
        Opcode::DclConstantBuffer => {
            let size = if target.has_spaces() { format!("[{}]", word(0)) } else { String::new() };
            let access = if bits(11, 1) == 1 { "dynamicIndexed" } else { "immediateIndexed" };
            format!("{name} {register}{size}, {access}{space}")
        }
        Opcode::DclSampler => {
            let mode = name_or("", &[", mode_default", ", mode_comparison", ", mode_mono"], bits(11, 4));
            format!("{name} {register}{mode}{space}")
        }
        Opcode::DclInputSgv | Opcode::DclInputSiv | Opcode::DclOutputSgv | Opcode::DclOutputSiv => {
            format!("{name} {register}, {}", name_or("", &SYSTEM_VALUES, word(0) & 0xffff))
        }
        Opcode::DclInputPsSgv | Opcode::DclInputPsSiv => {
            format!("{name} {middle} {register}, {}", name_or("", &SYSTEM_VALUES, word(0) & 0xffff))
        }
        Opcode::DclIndexRange => format!("{name} {register} {}", word(0) as i32),
        Opcode::DclIndexableTemp => {
            // Numbers are signed to the vendor.
            format!("{name} x{}[{}], {}", word(0) as i32, word(1) as i32, word(2).clamp(1, 4))
        }
        Opcode::DclHsMaxTessFactor => format!("{name} l({})", float_text(widened(word(0)))),
        Opcode::DclFunctionBody => format!("{name} fb{}", word(0)),
        Opcode::DclFunctionTable => format!("{name} ft{} = {{{}}}", word(0), rest(2, "fb")),
        Opcode::DclInterface => {
            format!("{name} fp{}[{}][{}] = {{{}}}", word(0) & 0xffff, word(2) >> 16, word(1), rest(3, "ft"))
        }
        Opcode::DclTgsmRaw | Opcode::DclTgsmStructured => format!("{name} {register}, {}", rest(0, "")),
        Opcode::DclTemps | Opcode::DclHsForkPhaseInstanceCount | Opcode::DclHsJoinPhaseInstanceCount => {
            format!("{name} {}", word(0) as i32)
        }
        _ => {
            let words = if space.is_empty() { rest(0, "") } else { String::new() };
            let parts = [name, middle, register, words];
            let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
            parts.join(" ") + &space
        }
    }
}

fn is_space_last(opcode: Opcode) -> bool {
    opcode.info().pattern.ends_with('z')
}

/// The register that a declaration declares: of a range in SM 5.1 `T0[first:last]`, by the letter of what declares it. A constant
/// buffer is in capitals in every model.
fn declared_text(operand: &Operand, opcode: Opcode, target: Target) -> String {
    let index = |i: usize| operand.constant_index(i).unwrap_or(0);
    let letter = match opcode {
        Opcode::DclResource | Opcode::DclResourceRaw | Opcode::DclResourceStructured => "T",
        Opcode::DclUavTyped | Opcode::DclUavRaw | Opcode::DclUavStructured => "U",
        Opcode::DclSampler => "S",
        Opcode::DclConstantBuffer => "CB",
        _ => "",
    };
    match letter {
        "" => {}
        _ if target.has_spaces() => {
            // Numbers of constant buffers are signed.
            let number = |i: usize| match letter {
                "CB" => (index(i) as i32).to_string(),
                _ => index(i).to_string(),
            };
            let last = if index(2) == u64::from(u32::MAX) { String::from("*") } else { number(2) };
            return format!("{letter}{}[{}:{last}]", number(0), number(1));
        }
        "CB" => return format!("CB{}[{}]", index(0) as i32, index(1) as i32),
        _ => {}
    }
    operand_text(operand, Context { kind: Kind::Declared, spaces: target.has_spaces(), precision: None })
}

/// A block of data: the immediate constant buffer by rows of four words, a comment by its lines.
pub(super) fn data_lines(instruction: &Instruction) -> Vec<String> {
    const COMMENT: u32 = 0;
    const IMMEDIATE_CONSTANTS: u32 = 3;
    const HEAD: &str = "dcl_immediateConstantBuffer { ";
    match instruction.data_class() {
        Some(COMMENT) => {
            let bytes: Vec<[u8; 4]> = instruction.words.iter().map(|word| word.to_le_bytes()).collect();
            let text = bytes.as_flattened().split(|byte| *byte == 0).next().unwrap_or_default();
            format!("// COMMENT: {}", String::from_utf8_lossy(text)).split('\n').map(String::from).collect()
        }
        Some(IMMEDIATE_CONSTANTS) => {
            let rows = instruction.words.as_chunks::<4>().0;
            let lines = rows.iter().enumerate().map(|(i, row)| {
                let [x, y, z, w] = row.map(bits_text);
                let start = if i == 0 { HEAD.to_string() } else { " ".repeat(HEAD.len()) };
                format!("{start}{{ {x}, {y}, {z}, {w}}}{}", if i + 1 == rows.len() { " }" } else { "," })
            });
            let lines: Vec<String> = lines.collect();
            if lines.is_empty() { vec![format!("{HEAD} }}")] } else { lines }
        }
        _ => vec![String::from("undecipherable custom data")],
    }
}
