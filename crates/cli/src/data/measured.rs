//! Results that were measured, and outputs that were computed elsewhere.

use crate::failure::Failure;
use crate::source::read;
use gpuproof_program::op::TABLE;
use gpuproof_program::{Dialect, Op, Program};
use gpuproof_prove::measured::{GivenOutputs, MeasuredRegister, MeasuredResult};
use gpuproof_report::info::io_name;
use serde::Deserialize;

/// A file of measured results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    #[serde(default)]
    results: Vec<Table>,
    #[serde(default)]
    registers: Vec<Register>,
}

/// What a register held: `r3.x@17` is its x after instruction 17. A row for each lane of the case, in order: the bits after each time that the lane ran it, in
/// hexadecimal; `-` where it did not, or where they are not known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    at: String,
    lanes: String,
}

/// The results of one operation: a row for each, the operands' bits and the result's, in hexadecimal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    operation: String,
    line: Option<u32>,
    rows: String,
}

/// Reads a file of what was measured of a program.
pub fn results(path: &str, program: &Program) -> Result<(Vec<MeasuredResult>, Vec<MeasuredRegister>), Failure> {
    let bytes = read(path)?.bytes;
    let fail = |what: String| Failure::bad(format!("{path}: {what}"));
    let text = std::str::from_utf8(&bytes).map_err(|error| fail(format!("no file of measured results: {error}")))?;
    let file: Results = toml::from_str(text).map_err(|error| fail(format!("no file of measured results: {error}")))?;
    let mut all = Vec::new();
    for table in file.results {
        let op = operation(&table.operation).ok_or_else(|| {
            fail(format!("'{}' is no operation that has a result; expected one such as f.sin or sin", table.operation))
        })?;
        let count = op.row().operands.len();
        for row in table.rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let words: Result<Vec<u64>, _> =
                row.split_whitespace().map(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16)).collect();
            match words.as_deref() {
                Ok([operands @ .., result]) if operands.len() == count => {
                    all.push(MeasuredResult { op, line: table.line, operands: operands.to_vec(), result: *result });
                }
                _ => {
                    let what =
                        format!("the row '{row}' of {}: expected {count} operands and a result in hexadecimal", table.operation);
                    return Err(fail(what));
                }
            }
        }
    }
    let mut registers = Vec::new();
    for table in file.registers {
        let register = register(&table).map_err(&fail)?;
        register.check(program).map_err(|what| fail(format!("{}: {what}", table.at)))?;
        registers.push(register);
    }
    if all.is_empty() && registers.is_empty() { Err(fail("no results in it".into())) } else { Ok((all, registers)) }
}

fn register(table: &Register) -> Result<MeasuredRegister, String> {
    let place = || {
        let (place, line) = table.at.split_once('@')?;
        let (name, component) = place.split_once('.')?;
        let component = ["x", "y", "z", "w"].iter().position(|letter| *letter == component)?;
        Some((name.to_string(), component as u8, line.parse().ok()?))
    };
    let (register, component, line) = place()
        .ok_or_else(|| format!("'{}' is no component of a register at an instruction; expected one such as r3.x@17", table.at))?;
    let word = |word: &str| {
        let bits = u64::from_str_radix(word.trim_start_matches("0x"), 16);
        bits.map_err(|_| format!("{}: '{word}' is no word in hexadecimal", table.at))
    };
    let lane = |row: &str| row.split_whitespace().filter(|text| *text != "-").map(word).collect();
    let rows = table.lanes.lines().map(str::trim).filter(|row| !row.is_empty());
    let lanes = rows.map(lane).collect::<Result<Vec<Vec<u64>>, String>>()?;
    Ok(MeasuredRegister { register, component, line, lanes })
}

fn operation(name: &str) -> Option<Op> {
    let named = |row: &&gpuproof_program::op::Row| row.name == name || row.name.strip_prefix("f.") == Some(name);
    TABLE.iter().find(named).filter(|row| !row.results.is_empty() && !row.operands.is_empty()).map(|row| row.op)
}

/// The outputs of a run that was made elsewhere, in the form that `run --json` prints.
#[derive(Deserialize)]
struct Run {
    outcome: Outcome,
}

#[derive(Deserialize)]
struct Outcome {
    outputs: Vec<Words>,
    #[serde(default)]
    resources: Vec<Words>,
}

#[derive(Deserialize)]
struct Words {
    name: String,
    words: Vec<String>,
}

/// Whether a file is of outputs rather than a program.
pub fn is_outputs(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Reads the outputs of a run of a program.
pub fn outputs(name: &str, bytes: &[u8], program: &Program) -> Result<GivenOutputs, Failure> {
    let fail = |what: String| Failure::bad(format!("{name}: no outputs as run --json prints them: {what}"));
    let run = serde_json::from_slice::<Run>(bytes).map_err(|error| fail(error.to_string()))?.outcome;
    let words = |of: &Words| -> Result<Vec<u32>, Failure> {
        let word = |word: &String| u32::from_str_radix(word, 16).map_err(|_| fail(format!("{}: '{word}' is no word", of.name)));
        of.words.iter().map(word).collect()
    };
    let register = program.dialect == Dialect::D3D11;
    let mut given = GivenOutputs::default();
    let mut known = 0;
    for variable in &program.interface.outputs {
        let mut components: [Option<Vec<u32>>; 4] = Default::default();
        for (component, letter) in components.iter_mut().zip(["x", "y", "z", "w"]) {
            let name = format!("{}.{letter}", io_name(variable, register));
            *component = run.outputs.iter().find(|output| output.name == name).map(words).transpose()?;
            known += usize::from(component.is_some());
        }
        given.outputs.push(components);
    }
    for resource in &program.interface.resources {
        let found = run.resources.iter().find(|words| words.name == resource.name);
        known += usize::from(found.is_some());
        given.resources.push(vec![found.map(words).transpose()?]);
    }
    if known == run.outputs.len() + run.resources.len() {
        Ok(given)
    } else {
        Err(fail("it has outputs that the original does not".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_at_an_instruction_has_a_row_for_each_lane() {
        let table = |at: &str, lanes: &str| register(&Register { at: at.into(), lanes: lanes.into() });
        let found = table("r3.y@17", "3f800000\n- \n0x1 0x2\n").expect("a register");
        assert_eq!((found.register.as_str(), found.component, found.line), ("r3", 1, 17));
        assert_eq!(found.lanes, [vec![0x3f80_0000], vec![], vec![1, 2]]);
        assert!(table("r3@17", "").expect_err("no component").starts_with("'r3@17' is no component of a register"));
        assert_eq!(table("r3.x@1", "zz").expect_err("no word"), "r3.x@1: 'zz' is no word in hexadecimal");
    }
}
