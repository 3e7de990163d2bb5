//! Numeric rows: each block of `rows/` becomes a program of its language, and each row a lane of one run.

use gpuproof_program::{Program, validate};
use gpuproof_read::dxbc::opcode::{Class, Opcode, TABLE};
use gpuproof_read::{dxbc, wgsl};
use gpuproof_run::{Case, Launch, Options, Plan};
use gpuproof_tests::assembler;
use gpuproof_tests::rows::{self, Block};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Where a column's number lies: the location of an input or output, and its components, each 32 bits, the lowest first.
struct Column {
    location: u32,
    components: Vec<u8>,
}

/// A program and what its columns are.
struct Runnable {
    program: Program,
    inputs: Vec<Column>,
    outputs: Vec<Column>,
}

fn files(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rows").join(language);
    let entries = std::fs::read_dir(folder).expect("a folder of rows");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// Runs every row of a language and reports all that fail.
fn check(language: &str, translate: impl Fn(&Block) -> Result<Runnable, String>) {
    let (mut ran, mut failed, mut report) = (0, 0, String::new());
    for path in files(language) {
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&path).display().to_string();
        for block in rows::read(&path).expect("a readable file") {
            let outcome = translate(&block).and_then(|runnable| run(&block, &runnable));
            let found = match outcome {
                Ok(found) => found,
                Err(error) => {
                    failed += block.rows.len();
                    let _ = writeln!(report, "{name}:{}: {} does not run: {error}", block.rows[0].line, block.program.join("; "));
                    continue;
                }
            };
            for (row, found) in block.rows.iter().zip(found) {
                ran += 1;
                if found != row.outputs {
                    failed += 1;
                    let why = row.why.as_deref().unwrap_or("");
                    let program = block.program.join("; ");
                    let _ = writeln!(
                        report,
                        "{name}:{}: {program}: {:x?} gives {found:x?}, expected {:x?} {why}",
                        row.line, row.inputs, row.outputs
                    );
                }
            }
        }
    }
    assert!(failed == 0, "{failed} rows of {language} fail, {ran} ran\n{report}");
    assert!(ran > 0, "no rows of {language}");
}

/// The words that the program gives for each row.
fn run(block: &Block, runnable: &Runnable) -> Result<Vec<Vec<u64>>, String> {
    let Runnable { program, inputs, outputs } = runnable;
    validate(program).map_err(|error| error.to_string())?;
    let plan = Plan::compile(program).map_err(|error| error.to_string())?;
    let count = u32::try_from(block.rows.len()).map_err(|error| error.to_string())?;
    let mut case = Case::empty_for(program, Launch::Vertices { count }).map_err(|error| error.to_string())?;
    for (at, column) in inputs.iter().enumerate() {
        let input = program.interface.inputs.iter().position(|input| input.location == Some(column.location));
        // An input that the program does not read may be missing.
        let Some(input) = input else { continue };
        for (nth, component) in column.components.iter().enumerate() {
            let words = block.rows.iter().map(|row| (row.inputs[at] >> (32 * nth)) as u32);
            case.inputs[input].components[usize::from(*component)] = words.collect();
        }
    }
    let outcome = plan.run(&case, &Options::default()).map_err(|error| error.to_string())?;
    if outcome.event_count > 0 {
        return Err(format!("{} undefined events, first {:?}", outcome.event_count, outcome.events.first()));
    }
    let mut found = vec![Vec::new(); block.rows.len()];
    for column in outputs {
        let output = program.interface.outputs.iter().position(|output| output.location == Some(column.location));
        let values = &outcome.outputs[output.ok_or_else(|| format!("no output at location {}", column.location))?];
        for (lane, found) in found.iter_mut().enumerate() {
            let mut number = 0;
            for (nth, component) in column.components.iter().enumerate() {
                if values.written[lane] >> component & 1 == 0 {
                    return Err(format!("component {component} of output {} was not written", column.location));
                }
                number |= u64::from(values.components[usize::from(*component)][lane]) << (32 * nth);
            }
            found.push(number);
        }
    }
    Ok(found)
}

/// Checks that rows have as many numbers as there are columns.
fn check_columns(block: &Block, inputs: &[Column], outputs: &[Column]) -> Result<(), String> {
    match block.rows.iter().find(|row| row.inputs.len() != inputs.len() || row.outputs.len() != outputs.len()) {
        Some(row) => Err(format!("line {} has another number of columns than the header", row.line)),
        None => Ok(()),
    }
}

fn translate_dxbc(block: &Block) -> Result<Runnable, String> {
    let column = |text: &String| -> Result<Column, String> {
        let parts = text.get(1..).and_then(|rest| rest.split_once('.'));
        let (number, letters) = parts.ok_or_else(|| format!("no column `{text}`"))?;
        let location = number.parse().map_err(|_| format!("no register `{text}`"))?;
        Ok(Column { location, components: assembler::components(letters).ok_or_else(|| format!("no components `{text}`"))? })
    };
    let inputs = block.inputs.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let outputs = block.outputs.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    check_columns(block, &inputs, &outputs)?;
    let container = assembler::assemble(block.program.iter().map(String::as_str))?;
    // Through bytes, so that what runs is what a file would hold.
    let container = dxbc::Container::parse(&container.write()).map_err(|error| error.to_string())?;
    let program = dxbc::program(&container).map_err(|error| error.to_string())?;
    Ok(Runnable { program, inputs, outputs })
}

/// A WGSL type's scalar and number of components.
fn scalar(kind: &str) -> Result<(&str, u8), String> {
    match kind.strip_prefix("vec").and_then(|rest| rest.strip_suffix('>')).and_then(|rest| rest.split_once('<')) {
        Some((size, scalar)) => Ok((scalar, size.parse().map_err(|_| format!("no type `{kind}`"))?)),
        None => Ok((kind, 1)),
    }
}

/// Truth values cannot be inputs or outputs: words stand for them.
fn io_type(kind: &str) -> String {
    kind.replace("bool", "u32")
}

fn columns(location: usize, kind: &str) -> Result<Vec<Column>, String> {
    let (_, size) = scalar(kind)?;
    Ok((0..size).map(|component| Column { location: location as u32, components: vec![component] }).collect())
}

/// The text of a vertex entry point that computes the expressions.
fn translate_wgsl(block: &Block) -> Result<Runnable, String> {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let (mut parameters, mut variables, mut members, mut results) = (String::new(), String::new(), String::new(), String::new());
    for (location, text) in block.inputs.iter().enumerate() {
        let (name, kind) = text.split_once(':').ok_or_else(|| format!("no column `{text}`"))?;
        inputs.extend(columns(location, kind)?);
        let _ = write!(parameters, "@location({location}) {name}_in: {}, ", io_type(kind));
        let (scalar, size) = scalar(kind)?;
        let value = match (scalar, size) {
            ("bool", 1) => format!("{name}_in != 0u"),
            ("bool", size) => format!("{name}_in != vec{size}<u32>(0u)"),
            _ => format!("{name}_in"),
        };
        let _ = writeln!(variables, "    let {name} = {value};");
    }
    for (location, (kind, expression)) in block.outputs.iter().zip(&block.program).enumerate() {
        outputs.extend(columns(location, kind)?);
        let _ = writeln!(members, "    @location({location}) @interpolate(flat) o{location}: {},", io_type(kind));
        let io = io_type(kind);
        let value = if kind.contains("bool") { format!("select({io}(0u), {io}(1u), {expression})") } else { expression.clone() };
        let _ = write!(results, ", {value}");
    }
    check_columns(block, &inputs, &outputs)?;
    let text = format!(
        "enable f16;\nstruct Results {{\n    @builtin(position) position: vec4<f32>,\n{members}}}\n@vertex fn main({parameters}) -> Results {{\n\
         {variables}    return Results(vec4<f32>(){results});\n}}\n"
    );
    let program = wgsl::read(&text, &wgsl::Options::default()).map_err(|error| format!("{error}\n{text}"))?;
    Ok(Runnable { program, inputs, outputs })
}

#[test]
fn dxbc_rows_give_the_expected_words() {
    check("dxbc", translate_dxbc);
}

#[test]
fn wgsl_rows_give_the_expected_words() {
    check("wgsl", translate_wgsl);
}

#[test]
fn every_opcode_has_its_rows() {
    let mut counts: BTreeMap<Opcode, (usize, usize)> = BTreeMap::new();
    for path in files("dxbc") {
        let stem = path.file_stem().expect("a name").to_string_lossy().to_string();
        for block in rows::read(&path).expect("a readable file") {
            let mnemonics = block.program.iter().map(|line| assembler::mnemonic(line).expect("a mnemonic").0);
            let info = mnemonics.clone().find(|info| info.name == stem);
            let info = info.unwrap_or_else(|| panic!("{}: the program has no {stem}", path.display()));
            let count = counts.entry(info.opcode).or_default();
            count.0 += block.rows.len();
            count.1 += block.rows.iter().filter(|row| row.why.is_some()).count();
        }
    }
    let classes = [Class::Arithmetic, Class::Comparison, Class::Conversion, Class::Bitwise, Class::Move];
    let stages = [dxbc::Stage::Vertex, dxbc::Stage::Pixel, dxbc::Stage::Compute];
    for info in TABLE {
        if classes.contains(&info.class) && stages.iter().any(|stage| info.stages.contains(*stage)) {
            let (all, special) = counts.get(&info.opcode).copied().unwrap_or_default();
            assert!(all >= 40 && special >= 10, "{}: {all} rows, {special} of them special", info.name);
        }
    }
}
