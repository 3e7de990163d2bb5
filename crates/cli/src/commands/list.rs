//! `gpuproof list`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::read;
use std::fmt::Write;

/// Prints a listing.
pub fn run(args: &args::List) -> Result<Status, Failure> {
    let file = read(&args.subject.file)?;
    if args.program {
        let program = file.program(args.subject.entry.as_deref(), &args.subject.set)?;
        let text = gpuproof_program::text::print(&program);
        print(&if args.json { gpuproof_report::json(&text) } else { text })?;
        return Ok(Status::Holds);
    }
    let lines = file.listing()?;
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
