//! Writes docs/direct3d-11.md: every opcode of the format, and what holds it up.

use gpuproof_read::dxbc::opcode::TABLE;
use gpuproof_read::dxbc::{Container, Shader, Stage, program};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Direct3D 11, opcode by opcode

Written by `cargo run -p gpuproof-read --example direct3d_11 > docs/direct3d-11.md`; a test holds it up to date.

* **read, listed**: a test decodes it, encodes it to the same bytes, and finds the listing to be that of Microsoft's disassembler, in each stage
  that the table of opcodes gives it (`tests/listings`, which no compiler writes, and `tests/fixtures`, which one does).
* **Program**: in each of these stages a program that has it becomes a Program: a fixture, or one of `tests/listings/sound-*`.
* **run**: such a program of a stage that runs (vertex, pixel, compute) is run by a test. Programs of the other stages do not run.
* **fixtures**: programs of `tests/fixtures` that have it: how many, and the first of them.

| number | opcode | since | stages | read, listed | Program | run | fixtures |
|--:|---|---|---|---|---|---|---|
";

const STAGES: [(Stage, &str); 6] = [
    (Stage::Vertex, "vs"),
    (Stage::Hull, "hs"),
    (Stage::Domain, "ds"),
    (Stage::Geometry, "gs"),
    (Stage::Pixel, "ps"),
    (Stage::Compute, "cs"),
];

/// What is known of an opcode.
#[derive(Default)]
struct Row {
    listed: Vec<&'static str>,
    built: Vec<&'static str>,
    fixtures: Vec<String>,
}

fn binaries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = entries.flat_map(|path| if path.is_dir() { binaries(&path) } else { vec![path] }).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dxbc"));
    paths.sort();
    paths
}

/// The page.
pub fn page() -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for folder in ["fixtures", "listings"] {
        for path in binaries(&tests.join(folder)) {
            let Some((container, shader)) = fs::read(&path).ok().and_then(|bytes| {
                let container = Container::parse(&bytes).ok()?;
                let shader = Shader::find(&container).ok()?;
                Some((container, shader))
            }) else {
                continue;
            };
            let is_fixture = folder == "fixtures";
            let name = path.with_extension("");
            let name: Vec<_> = name.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
            let name = format!("{}/{}", name[1], name[0]);
            let is_built = (is_fixture || name.contains("sound-")) && program(&container).is_ok();
            let stage = STAGES.iter().find(|(stage, _)| *stage == shader.target().stage).map_or("", |(_, stage)| stage);
            let mut seen: Vec<&str> = shader.instructions.iter().map(|instruction| instruction.info().name).collect();
            seen.sort_unstable();
            seen.dedup();
            for opcode in seen {
                let row = rows.entry(opcode).or_default();
                if is_built && !row.built.contains(&stage) {
                    row.built.push(stage);
                }
                if is_fixture {
                    row.fixtures.push(name.clone());
                }
                if !row.listed.contains(&stage) {
                    row.listed.push(stage);
                }
            }
        }
    }
    let mut out = HEAD.to_string();
    for info in TABLE {
        let none = Row::default();
        let row = rows.get(info.name).unwrap_or(&none);
        let stages: Vec<&str> =
            STAGES.iter().filter(|(stage, _)| info.stages.contains(*stage)).map(|(_, stage)| *stage).collect();
        let all = if stages.len() == STAGES.len() { String::from("all") } else { stages.join(" ") };
        // What has no stage of its own is in none of the crafted programs.
        let where_it_is = |found: &[&str]| {
            let missing: Vec<&str> = stages.iter().copied().filter(|stage| !found.contains(stage)).collect();
            match (found.is_empty(), missing.is_empty()) {
                (true, _) => String::from("no"),
                (_, true) => String::from("yes"),
                _ => format!("not in {}", missing.join(" ")),
            }
        };
        let (listed, built) = (where_it_is(&row.listed), where_it_is(&row.built));
        let (major, minor) = info.since;
        let fixtures = match row.fixtures.as_slice() {
            [] => String::from("none"),
            [first] => format!("1: {first}"),
            [first, ..] => format!("{}: {first}", row.fixtures.len()),
        };
        let runs = |stage: &&str| matches!(*stage, "vs" | "ps" | "cs");
        let run = if row.built.iter().any(runs) { "yes" } else { "no" };
        let _ = writeln!(
            out,
            "| {} | `{}` | {major}.{minor} | {all} | {listed} | {built} | {run} | {fixtures} |",
            info.opcode as u16, info.name
        );
    }
    out
}

fn main() {
    print!("{}", page());
}
