//! `gpuproof list`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::{Content, read};
use gpuproof_read::dxbc;
use serde::Serialize;
use std::fmt::Write;

/// A line of a listing.
#[derive(Serialize)]
struct Line {
    /// The instruction's number, or the line's from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
    /// The byte offset in the file.
    offset: usize,
    text: String,
}

/// Prints a listing.
pub fn run(args: &args::List) -> Result<Status, Failure> {
    let file = read(&args.subject.file)?;
    if args.program {
        let program = file.program(args.subject.entry.as_deref(), &args.subject.set)?;
        let text = gpuproof_program::text::print(&program);
        print(&if args.json { gpuproof_report::json(&text) } else { text })?;
        return Ok(Status::Holds);
    }
    let lines: Vec<Line> = match file.content()? {
        Content::Dxbc(container) => {
            let shader = dxbc::Shader::find(&container).map_err(|error| file.dxbc_failure(&error))?;
            dxbc::listing(&shader)
                .into_iter()
                .map(|line| Line { number: line.number, offset: line.offset, text: line.text })
                .collect()
        }
        Content::Wgsl(text) => {
            // A text that is no program has no listing either.
            gpuproof_read::wgsl::entry_points(&text).map_err(|error| file.wgsl_failure(&error))?;
            let mut offset = 0;
            (1..)
                .zip(text.split_inclusive('\n'))
                .map(|(number, line)| {
                    let start = offset;
                    offset += line.len();
                    Line { number: Some(number), offset: start, text: line.trim_end().into() }
                })
                .collect()
        }
    };
    if args.json {
        print(&gpuproof_report::json(&lines))?;
        return Ok(Status::Holds);
    }
    let width = lines.iter().filter_map(|line| line.number).max().map_or(0, |number| number.to_string().len());
    let mut out = String::new();
    for line in &lines {
        let number = line.number.map_or_else(String::new, |number| number.to_string());
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}", format!("{number:>width$}  {}", line.text).trim_end());
    }
    print(&out)?;
    Ok(Status::Holds)
}
