//! A small assembler for the instructions of a listing: enough for programs of plain registers, from which real tokens are made.
//!
//! A line is a mnemonic of [`opcode::TABLE`], perhaps with `_sat`, or `_nz` or `_z` for what it tests, then operands: `r0`, `v1`, `o2` with a mask, a
//! component or a swizzle; `cb0[3].x` and `cb0[r0.x+3].x`; `null`; `l(0x3f800000)` or four such words. Sources may be `-x`, `|x|` or `-|x|`.
//! Registers are declared as they occur, all four components of inputs and outputs; constant buffers by a line
//! `dcl_constantbuffer cb0[4].xyzw`.

use gpuproof_read::dxbc::opcode::{self, Info, Opcode};
use gpuproof_read::dxbc::operand::{File, Index, IndexOffset, Modifier, Operand, Selection};
use gpuproof_read::dxbc::{Container, FourCc, Instruction, Part, Shader};
use std::collections::BTreeSet;

/// The version token of `vs_5_0`, and the length of a program without instructions.
const EMPTY_PROGRAM: [u32; 2] = [1 << 16 | 0x50, 2];
/// `_sat` in an opcode token.
const SATURATE: u32 = 1 << 13;
/// A test for what is not zero (`if_nz`) in an opcode token; without it, for zero.
const NONZERO: u32 = 1 << 18;
/// `enableDoublePrecisionFloatOps` in the token of the global flags.
const ENABLE_DOUBLES: u32 = 1 << 12;

/// Makes the container of a vertex program (`vs_5_0`) from lines of a listing; `ret` is added.
///
/// # Errors
/// What in which line cannot be assembled.
pub fn assemble<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Container, String> {
    let mut body = Vec::new();
    for line in lines {
        body.push(instruction(line).map_err(|error| format!("{error} in `{line}`"))?);
    }
    body.push(plain(Opcode::Ret, 0, Vec::new(), Vec::new()));
    let mut registers = BTreeSet::new();
    for operand in body.iter().flat_map(|instruction| &instruction.operands) {
        registers.extend(operand.constant_index(0).map(|number| (operand.file, number as u32)));
    }
    let encode_error = |error: gpuproof_read::dxbc::Error| error.to_string();
    let mut shader = Shader::decode(&part(&EMPTY_PROGRAM)).map_err(encode_error)?;
    if body.iter().any(|instruction| instruction.info().pattern.contains('d')) {
        shader.instructions.push(plain(Opcode::DclGlobalFlags, ENABLE_DOUBLES, Vec::new(), Vec::new()));
    }
    let mut temporaries = 0;
    for (file, number) in registers {
        let opcode = match file {
            File::Input => Opcode::DclInput,
            File::Output => Opcode::DclOutput,
            File::Temp => {
                temporaries = temporaries.max(number + 1);
                continue;
            }
            _ => continue,
        };
        shader.instructions.push(plain(opcode, 0, vec![register(file, number, Selection::Mask(0xf))], Vec::new()));
    }
    if temporaries > 0 {
        shader.instructions.push(plain(Opcode::DclTemps, 0, Vec::new(), vec![temporaries]));
    }
    shader.instructions.append(&mut body);
    let code = Part::new(FourCc(*b"SHEX"), shader.encode().map_err(encode_error)?);
    Container::new(vec![code]).map_err(encode_error)
}

fn part(words: &[u32]) -> Part {
    Part::new(FourCc(*b"SHEX"), words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn plain(opcode: Opcode, controls: u32, operands: Vec<Operand>, words: Vec<u32>) -> Instruction {
    Instruction { opcode, controls, extensions: Vec::new(), operands, words, surplus: None, long: false, offset: 0 }
}

fn register(file: File, number: u32, selection: Selection) -> Operand {
    let index = Index { offset: IndexOffset::Bits32(number), relative: None };
    Operand { selection, indices: vec![index], ..Operand::new(file) }
}

fn find(name: &str) -> Option<&'static Info> {
    opcode::TABLE.iter().find(|info| info.name == name)
}

/// The opcode of a line's mnemonic, and whether it saturates.
///
/// # Errors
/// The mnemonic, if the format has none of this name.
pub fn mnemonic(line: &str) -> Result<(&'static Info, bool), String> {
    let name = line.split_whitespace().next().unwrap_or_default();
    let saturated = name.strip_suffix("_sat").and_then(find).map(|info| (info, true));
    find(name).map(|info| (info, false)).or(saturated).ok_or_else(|| format!("no instruction `{name}`"))
}

/// The opcode of a mnemonic that says what it tests, with its control bits.
fn tested(line: &str) -> Option<(&'static Info, u32)> {
    let (name, test) = line.split_whitespace().next()?.rsplit_once('_')?;
    let controls = match test {
        "nz" => NONZERO,
        "z" => 0,
        _ => return None,
    };
    find(name).filter(|info| info.controls == opcode::Controls::Test).map(|info| (info, controls))
}

fn instruction(line: &str) -> Result<Instruction, String> {
    let (info, controls) =
        tested(line).map_or_else(|| mnemonic(line).map(|(info, saturates)| (info, if saturates { SATURATE } else { 0 })), Ok)?;
    let rest = line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    let texts = split_operands(rest);
    let slots: Vec<_> = info.operands().collect();
    if slots.len() != texts.len() {
        return Err(format!("{} operands instead of {}", texts.len(), slots.len()));
    }
    let operands = slots.iter().zip(&texts).map(|((write, _), text)| operand(text, *write)).collect::<Result<_, _>>()?;
    Ok(plain(info.opcode, controls, operands, Vec::new()))
}

/// Operands are separated by commas outside parentheses.
fn split_operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn operand(text: &str, write: bool) -> Result<Operand, String> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let inner = text.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    let modifier = match (negative, inner.is_some()) {
        (false, false) => Modifier::None,
        (true, false) => Modifier::Neg,
        (false, true) => Modifier::Abs,
        (true, true) => Modifier::AbsNeg,
    };
    let text = inner.unwrap_or(text);
    if write && modifier != Modifier::None {
        return Err(format!("a destination with a modifier, `{text}`"));
    }
    if text == "null" {
        return Ok(Operand::new(File::Null));
    }
    let bad = || format!("no operand `{text}`");
    if let Some(words) = text.strip_prefix("l(").and_then(|rest| rest.strip_suffix(')')) {
        let words = words.split(',').map(|word| word.trim().strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok()));
        let immediate = words.collect::<Option<Vec<u32>>>().ok_or_else(bad)?;
        let selection = match immediate.len() {
            1 => Selection::Scalar,
            4 => Selection::Swizzle([0, 1, 2, 3]),
            _ => return Err(bad()),
        };
        return Ok(Operand { selection, immediate, modifier, ..Operand::new(File::Immediate32) });
    }
    if let Some(operand) = text.strip_prefix("cb").and_then(constants) {
        return Ok(Operand { modifier, ..operand });
    }
    let (name, letters) = text.split_once('.').unwrap_or((text, "xyzw"));
    let file = match name.chars().next() {
        Some('r') => File::Temp,
        Some('v') => File::Input,
        Some('o') => File::Output,
        _ => return Err(bad()),
    };
    let number = name.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
    let components = components(letters).ok_or_else(bad)?;
    let selection = match (write, &components[..]) {
        (true, _) => Selection::Mask(components.iter().fold(0, |mask, component| mask | 1 << component)),
        (false, [one]) => Selection::One(*one),
        (false, [x, y, z, w]) => Selection::Swizzle([*x, *y, *z, *w]),
        _ => return Err(bad()),
    };
    Ok(Operand { modifier, ..register(file, number, selection) })
}

/// What follows `cb`: the number, the row as a number, a register or their sum, and components.
fn constants(text: &str) -> Option<Operand> {
    let (number, rest) = text.split_once('[')?;
    let (row, letters) = rest.rsplit_once("].")?;
    let (relative, row) = match row.rsplit_once('+').unwrap_or(("", row)) {
        ("", row) if row.starts_with('r') => (row, "0"),
        parts => parts,
    };
    let relative = if relative.is_empty() { None } else { Some(Box::new(operand(relative, false).ok()?)) };
    let rows = Index { offset: IndexOffset::Bits32(row.parse().ok()?), relative };
    let selection = match components(letters)?[..] {
        [one] => Selection::One(one),
        [x, y, z, w] => Selection::Swizzle([x, y, z, w]),
        _ => return None,
    };
    let mut operand = register(File::ConstantBuffer, number.parse().ok()?, selection);
    operand.indices.push(rows);
    Some(operand)
}

/// The numbers of components that letters name.
pub fn components(letters: &str) -> Option<Vec<u8>> {
    letters.chars().map(|letter| "xyzw".find(letter).map(|at| at as u8)).collect()
}
