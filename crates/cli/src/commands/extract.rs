//! `gpuproof extract`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::read_up_to;
use gpuproof_read::{dxbc, spirv};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Larger files are refused: they are held in memory.
const MAX_FILE: u64 = 4 << 30;

/// A program that was found.
#[derive(Serialize)]
struct Program {
    /// Its byte offset in the file.
    offset: usize,
    /// Its bytes.
    bytes: usize,
    /// What it is: `ps_5_0`, `d3d9`, `effect`, `spirv`.
    kind: String,
    /// The offset of the container that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<usize>,
    /// What it is known by in the effect that it is in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    /// The codes of its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<String>,
    /// The file that it was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Finds every program in a file and writes each to a file of its own.
pub fn run(args: &args::Extract) -> Result<Status, Failure> {
    let file = read_up_to(&args.file, MAX_FILE)?;
    if let Some(folder) = &args.to {
        std::fs::create_dir_all(folder).map_err(|error| Failure::bad(format!("{folder}: cannot be made: {error}")))?;
    }
    let write = |offset: usize, kind: &str, extension: &str, bytes: &[u8]| -> Result<Option<String>, Failure> {
        let Some(folder) = &args.to else { return Ok(None) };
        let path = Path::new(folder).join(format!("{offset:08x}-{kind}.{extension}"));
        let name = path.display().to_string();
        std::fs::write(&path, bytes).map_err(|error| Failure::bad(format!("{name}: cannot be written: {error}")))?;
        Ok(Some(name))
    };
    let mut programs = Vec::new();
    for found in dxbc::search(&file.bytes) {
        let (offset, kind) = (found.offset, found.kind());
        programs.push(Program {
            offset,
            bytes: found.size,
            inside: found.inside,
            names: found.names.clone(),
            parts: found.container.parts().iter().map(|part| part.code().to_string()).collect(),
            file: write(offset, &kind, "dxbc", &file.bytes[offset..offset + found.size])?,
            kind,
        });
        if let Some((at, tokens)) = found.level9() {
            let written = write(at, "level9", "d3d9", &tokens)?;
            let (bytes, kind) = (tokens.len(), "d3d9".to_string());
            programs.push(Program {
                offset: at,
                bytes,
                kind,
                inside: Some(offset),
                names: Vec::new(),
                parts: Vec::new(),
                file: written,
            });
        }
    }
    // A module may stand anywhere, but not in a container: its magic number is no part of one.
    let mut at = 0;
    while let Some(found) = file.bytes.get(at..).and_then(|rest| rest.windows(4).position(spirv::is_module)) {
        let offset = at + found;
        let Some(bytes) = spirv::extent(&file.bytes[offset..]) else {
            at = offset + 1;
            continue;
        };
        let kind = "spirv".to_string();
        let file = write(offset, &kind, "spv", &file.bytes[offset..offset + bytes])?;
        programs.push(Program { offset, bytes, kind, inside: None, names: Vec::new(), parts: Vec::new(), file });
        at = offset + bytes;
    }
    programs.sort_by_key(|program| program.offset);
    if programs.is_empty() {
        return Err(Failure::bad(format!(
            "{}: no DXBC container and no SPIR-V module in its {} bytes",
            file.name,
            file.bytes.len()
        )));
    }
    print(&if args.json { gpuproof_report::json(&programs) } else { text(&programs) })?;
    Ok(Status::Holds)
}

fn text(programs: &[Program]) -> String {
    let mut out = String::new();
    for program in programs {
        let inside = program.inside.map_or_else(String::new, |inside| format!("  in {inside:#x}"));
        let names = if program.names.is_empty() { String::new() } else { format!("  {}", program.names.join(", ")) };
        let parts = program.parts.join(" ");
        let file = program.file.as_ref().map_or_else(String::new, |file| format!("  -> {file}"));
        let line =
            format!("{:#010x}  {:8} bytes  {:8}  {parts}{inside}{names}{file}", program.offset, program.bytes, program.kind);
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
