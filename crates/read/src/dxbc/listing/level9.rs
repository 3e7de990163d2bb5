//! The listing of a program of Direct3D 9: the tables of its registers, and its instructions (shader models 2.0 and 2.x).

use crate::dxbc::level9::{Constant, Level9, version_name};
use std::fmt::Write;

/// The first rows of a table's head.
const TARGETS: [&str; 2] = ["// Target Reg Buffer  Source Reg Component", "// ---------- ------- ---------- ---------"];

/// What comes before the program that a container has beside it, each line with the offset of what it shows.
pub(super) fn lines(level9: &Level9, at: usize) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut line = |text: String| lines.push((at, text));
    let title = |title: &str| [String::from("//"), format!("// {title}"), String::from("//")];
    let has_constants = !(level9.floats.is_empty() && level9.integers.is_empty() && level9.booleans.is_empty());
    if has_constants {
        title("Constant buffer to DX9 shader constant mappings:").into_iter().for_each(&mut line);
    }
    for (letter, constants) in [('b', &level9.booleans), ('i', &level9.integers)] {
        if !constants.is_empty() {
            TARGETS.iter().for_each(|text| line((*text).to_string()));
        }
        for Constant { buffer, row, component, target } in constants {
            let (target, buffer) = (format!("{letter}{target}"), format!("cb{buffer}"));
            line(format!("// {target:10} {buffer:7} {row:10} {component:9}"));
        }
        if !constants.is_empty() {
            line(String::from("//"));
        }
    }
    if !level9.floats.is_empty() {
        line(String::from("// Target Reg Buffer  Start Reg # of Regs        Data Conversion"));
        line(String::from("// ---------- ------- --------- --------- ----------------------"));
        for floats in &level9.floats {
            let name = |conversion: u8| ["FLT", "BOOL", "INT", "UINT"].get(usize::from(conversion)).copied().unwrap_or("UNKN");
            let [x, y, z, w] = floats.conversions.map(name);
            let (target, buffer) = (format!("c{}", floats.target), format!("cb{}", floats.buffer));
            let conversions = format!("({x:>4},{y:>4},{z:>4},{w:>4})");
            line(format!("// {target:10} {buffer:7} {:9} {:9}  {conversions}", floats.start, floats.count));
        }
        line(String::from("//"));
    }
    if !level9.runtime.is_empty() {
        title("Runtime generated constant mappings:").into_iter().for_each(&mut line);
        line(String::from("// Target Reg                               Constant Description"));
        line(String::from("// ---------- --------------------------------------------------"));
        for (value, target) in &level9.runtime {
            let name = match value {
                0 => "Vertex Shader position offset",
                1 => "Instance ID",
                _ => "Unknown Value",
            };
            line(format!("// {:10} {name:>50}", format!("c{target}")));
        }
        line(String::from("//"));
    }
    if !level9.samplers.is_empty() {
        title("Sampler/Resource to DX9 shader sampler mappings:").into_iter().for_each(&mut line);
        line(String::from("// Target Sampler Source Sampler  Source Resource"));
        line(String::from("// -------------- --------------- ----------------"));
        for sampler in &level9.samplers {
            let (target, source, resource) =
                (format!("s{}", sampler.target), format!("s{}", sampler.sampler), format!("t{}", sampler.resource));
            line(format!("// {target:14} {source:15} {resource:16} "));
        }
        line(String::from("//"));
    }
    title("Level9 shader bytecode:").into_iter().for_each(&mut line);
    lines.extend(program(&level9.tokens).into_iter().map(|(word, text)| (level9.offset + 4 * word, text)));
    lines
}

/// How an instruction is listed.
struct Row {
    opcode: u32,
    name: &'static str,
    /// Whether its first operand is a result.
    writes: bool,
    /// Slots of textures and of arithmetic that it takes.
    slots: (u32, u32),
}

const fn row(opcode: u32, name: &'static str, writes: bool, textures: u32, arithmetic: u32) -> Row {
    Row { opcode, name, writes, slots: (textures, arithmetic) }
}

/// D3DSHADER_INSTRUCTION_OPCODE_TYPE, with the slots that Microsoft's disassembler counts.
const ROWS: &[Row] = &[
    row(0, "nop", false, 0, 0),
    row(1, "mov", true, 0, 1),
    row(2, "add", true, 0, 1),
    row(3, "sub", true, 0, 1),
    row(4, "mad", true, 0, 1),
    row(5, "mul", true, 0, 1),
    row(6, "rcp", true, 0, 1),
    row(7, "rsq", true, 0, 1),
    row(8, "dp3", true, 0, 1),
    row(9, "dp4", true, 0, 1),
    row(10, "min", true, 0, 1),
    row(11, "max", true, 0, 1),
    row(12, "slt", true, 0, 1),
    row(13, "sge", true, 0, 1),
    row(14, "exp", true, 0, 1),
    row(15, "log", true, 0, 1),
    row(16, "lit", true, 0, 1),
    row(17, "dst", true, 0, 1),
    row(18, "lrp", true, 0, 1),
    row(19, "frc", true, 0, 1),
    row(20, "m4x4", true, 0, 4),
    row(21, "m4x3", true, 0, 3),
    row(22, "m3x4", true, 0, 4),
    row(23, "m3x3", true, 0, 3),
    row(24, "m3x2", true, 0, 2),
    row(25, "call", false, 0, 2),
    row(26, "callnz", false, 0, 3),
    row(27, "loop", false, 0, 3),
    row(28, "ret", false, 0, 1),
    row(29, "endloop", false, 0, 2),
    row(30, "label", false, 0, 0),
    row(DCL, "dcl", true, 0, 0),
    row(32, "pow", true, 0, 3),
    row(33, "crs", true, 0, 2),
    row(34, "sgn", true, 0, 3),
    row(35, "abs", true, 0, 1),
    row(36, "nrm", true, 0, 3),
    row(37, "sincos", true, 0, 8),
    row(38, "rep", false, 0, 3),
    row(39, "endrep", false, 0, 2),
    row(40, "if", false, 0, 3),
    row(IFC, "if", false, 0, 3),
    row(42, "else", false, 0, 1),
    row(43, "endif", false, 0, 1),
    row(44, "break", false, 0, 1),
    row(BREAKC, "break", false, 0, 3),
    row(46, "mova", true, 0, 1),
    row(DEFB, "defb", true, 0, 0),
    row(DEFI, "defi", true, 0, 0),
    row(64, "texcrd", true, 1, 0),
    row(65, "texkill", true, 0, 1),
    row(TEXLD, "texld", true, 1, 0),
    row(78, "expp", true, 0, 1),
    row(79, "logp", true, 0, 1),
    row(80, "cnd", true, 0, 1),
    row(DEF, "def", true, 0, 0),
    row(88, "cmp", true, 0, 1),
    row(89, "bem", true, 0, 2),
    row(90, "dp2add", true, 0, 2),
    row(91, "dsx", true, 0, 2),
    row(92, "dsy", true, 0, 2),
    row(93, "texldd", true, 1, 2),
    row(SETP, "setp", true, 0, 1),
    row(95, "texldl", true, 2, 0),
    row(96, "break", false, 0, 3),
];
const UNKNOWN: Row = row(u32::MAX, "???", true, 0, 0);
const DCL: u32 = 31;
const IFC: u32 = 41;
const BREAKC: u32 = 45;
const DEFB: u32 = 47;
const DEFI: u32 = 48;
const TEXLD: u32 = 66;
const DEF: u32 = 81;
const SETP: u32 = 94;
const COMMENT: u32 = 0xfffe;
const END: u32 = 0xffff;

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];
const SAMPLER: u32 = 10;

/// The listing of the tokens, each line with the word that it starts at.
fn program(tokens: &[u32]) -> Vec<(usize, String)> {
    let Some((version, _)) = tokens.split_first() else {
        return vec![(0, String::from("    no tokens"))];
    };
    let is_pixel = version >> 16 == 0xffff;
    let mut lines = vec![(0, format!("    {}", version_name(*version)))];
    let (mut at, mut depth, mut textures, mut arithmetic) = (1, 0usize, 0u32, 0u32);
    while let Some(token) = tokens.get(at).copied() {
        let opcode = token & 0xffff;
        if opcode == END {
            break;
        }
        let length = if opcode == COMMENT { token >> 16 & 0x7fff } else { token >> 24 & 0xf } as usize;
        let rest = &tokens[at + 1..];
        let operands = &rest[..length.min(rest.len())];
        if opcode != COMMENT {
            let row = ROWS.iter().find(|row| row.opcode == opcode).unwrap_or(&UNKNOWN);
            textures = textures.saturating_add(row.slots.0);
            // A predicate takes a slot of its own.
            arithmetic = arithmetic.saturating_add(row.slots.1 + (token >> 28 & 1));
            if matches!(opcode, 29 | 39 | 42 | 43) {
                depth = depth.saturating_sub(1);
            }
            let indent = "  ".repeat(depth.min(super::MAX_INDENT));
            lines.push((at, format!("    {indent}{}", instruction(token, row, operands, is_pixel))));
            if matches!(opcode, 27 | 38 | 40 | IFC | 42) {
                depth += 1;
            }
        }
        at += 1 + length;
    }
    let total = textures.saturating_add(arithmetic);
    let counted = if textures > 0 { format!(" ({textures} texture, {arithmetic} arithmetic)") } else { String::new() };
    let noun = if total == 1 { "slot" } else { "slots" };
    lines.push((at, String::new()));
    lines.push((at, format!("// approximately {total} instruction {noun} used{counted}")));
    lines
}

/// An instruction. A predicate stands behind the result in the tokens, and before all in the text.
fn instruction(token: u32, row: &Row, operands: &[u32], is_pixel: bool) -> String {
    match operands {
        [result, predicate, rest @ ..] if token >> 28 & 1 == 1 => {
            let operands: Vec<u32> = std::iter::once(result).chain(rest).copied().collect();
            let predicate = source(*predicate, &mut [].iter(), is_pixel);
            format!("({predicate}) {}", plain(token, row, &operands, is_pixel))
        }
        _ => plain(token, row, operands, is_pixel),
    }
}

/// An instruction without its predicate.
fn plain(token: u32, row: &Row, operands: &[u32], is_pixel: bool) -> String {
    let mut text = String::from(row.name);
    let control = token >> 16 & 7;
    match row.opcode {
        IFC | BREAKC | SETP => text += ["", "_gt", "_eq", "_ge", "_lt", "_ne", "_le", ""][control as usize],
        TEXLD => text += ["", "p", "b", ""].get((control & 3) as usize).copied().unwrap_or(""),
        _ => {}
    }
    if row.opcode == DCL {
        let [semantic, result, ..] = *operands else {
            return text;
        };
        text += &declared(semantic, result, is_pixel);
        return text + &modifiers(result) + " " + &destination(result, is_pixel);
    }
    let mut rest = operands.iter();
    let mut shown = Vec::new();
    if row.writes
        && let Some(result) = rest.next()
    {
        text += &modifiers(*result);
        shown.push(destination(*result, is_pixel));
    }
    match row.opcode {
        DEF => shown.extend(rest.map(|value| general(f32::from_bits(*value), *value))),
        DEFI => shown.extend(rest.map(|value| (*value as i32).to_string())),
        DEFB => shown.extend(rest.map(|value| (*value != 0).to_string())),
        _ => {
            while let Some(operand) = rest.next() {
                shown.push(source(*operand, &mut rest, is_pixel));
            }
        }
    }
    if !shown.is_empty() {
        text.push(' ');
        text += &shown.join(", ");
    }
    text
}

/// What a declaration adds to its name: the semantic, or the kind of a sampler.
fn declared(semantic: u32, result: u32, is_pixel: bool) -> String {
    const USAGES: [&str; 14] = [
        "position",
        "blendweight",
        "blendindices",
        "normal",
        "psize",
        "texcoord",
        "tangent",
        "binormal",
        "tessfactor",
        "positiont",
        "color",
        "fog",
        "depth",
        "sample",
    ];
    const SAMPLERS: [&str; 5] = ["", "_unknown", "_2d", "_cube", "_volume"];
    let (usage, index) = (semantic & 0x1f, semantic >> 16 & 0xf);
    if register_type(result) == SAMPLER && semantic >> 27 & 0xf != 0 {
        return SAMPLERS.get((semantic >> 27 & 0xf) as usize).copied().unwrap_or("_unknown").to_string();
    }
    if is_pixel && usage == 0 && index == 0 {
        return String::new();
    }
    let name = USAGES.get(usage as usize).copied().unwrap_or("unknown");
    if index == 0 { format!("_{name}") } else { format!("_{name}{index}") }
}

/// The suffixes that a result gives the name: its scale, then `_sat`, `_pp` and `_centroid`.
fn modifiers(token: u32) -> String {
    let scale = match token >> 24 & 0xf {
        1 => "_x2",
        2 => "_x4",
        3 => "_x8",
        13 => "_d8",
        14 => "_d4",
        15 => "_d2",
        _ => "",
    };
    let flags = [(1, "_sat"), (2, "_pp"), (4, "_centroid")];
    let flags = flags.iter().filter(|(bit, _)| token >> 20 & bit != 0).map(|(_, name)| *name);
    std::iter::once(scale).chain(flags).collect()
}

fn register_type(token: u32) -> u32 {
    token >> 28 & 7 | token >> 8 & 0x18
}

/// A register's name (D3DSHADER_PARAM_REGISTER_TYPE).
fn register(token: u32, is_pixel: bool) -> String {
    let number = token & 0x7ff;
    match (register_type(token), number) {
        (3, _) => format!("{}{number}", if is_pixel { 't' } else { 'a' }),
        (4, 0) => String::from("oPos"),
        (4, 1) => String::from("oFog"),
        (4, 2) => String::from("oPts"),
        (9, _) => String::from("oDepth"),
        (11..=13, _) => format!("c{}", number + 2048 * (register_type(token) - 10)),
        (15, _) => String::from("aL"),
        (17, 0) => String::from("vPos"),
        (17, 1) => String::from("vFace"),
        (kind, _) => {
            const NAMES: [&str; 20] =
                ["r", "v", "c", "", "oX", "oD", "oT", "i", "oC", "", "s", "", "", "", "b", "", "x", "m", "l", "p"];
            format!("{}{number}", NAMES.get(kind as usize).copied().unwrap_or("?"))
        }
    }
}

fn destination(token: u32, is_pixel: bool) -> String {
    let mask = token >> 16 & 0xf;
    let letters: String = (0..4).filter(|i| mask >> i & 1 == 1).map(|i| LETTERS[i]).collect();
    let name = register(token, is_pixel);
    if mask == 0xf { name } else { format!("{name}.{letters}") }
}

/// A source with its modifier, its relative register (the next token) and its components.
fn source(token: u32, rest: &mut std::slice::Iter<'_, u32>, is_pixel: bool) -> String {
    let mut text = register(token, is_pixel);
    let components = |token: u32| [16, 18, 20, 22].map(|at| (token >> at & 3) as usize);
    if token >> 13 & 1 == 1
        && let Some(relative) = rest.next()
    {
        let _ = write!(text, "[{}.{}]", register(*relative, is_pixel), LETTERS[components(*relative)[0]]);
    }
    let modifier = token >> 24 & 0xf;
    text += match modifier {
        2 | 3 => "_bias",
        4 | 5 => "_bx2",
        7 | 8 => "_x2",
        9 => "_dz",
        10 => "_dw",
        11 | 12 => "_abs",
        _ => "",
    };
    match components(token) {
        [0, 1, 2, 3] => {}
        [x, y, z, w] if x == y && y == z && z == w => {
            let _ = write!(text, ".{}", LETTERS[x]);
        }
        from => {
            text.push('.');
            text.extend(from.map(|component| LETTERS[component]));
        }
    }
    match modifier {
        1 | 3 | 5 | 8 | 12 => format!("-{text}"),
        6 => format!("1-{text}"),
        13 => format!("!{text}"),
        _ => text,
    }
}

/// C's `%.9g` with exponents of three digits and the old spelling of infinities and NaN.
fn general(value: f32, bits: u32) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}1.#INF");
    }
    if value.is_nan() {
        return format!("{sign}1.#{}", if bits == 0xffc0_0000 { "IND" } else { "QNAN" });
    }
    if value == 0.0 {
        return format!("{sign}0");
    }
    let scientific = format!("{:.8e}", f64::from(value));
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        None => text.to_string(),
    };
    if (-4..9).contains(&exponent) {
        let digits = usize::try_from(8 - exponent).unwrap_or(0);
        return trimmed(&format!("{:.digits$}", f64::from(value)));
    }
    let direction = if exponent < 0 { '-' } else { '+' };
    format!("{}e{direction}{:03}", trimmed(mantissa), exponent.abs())
}
