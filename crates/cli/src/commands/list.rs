//! `gpuproof list`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::read;
use gpuproof_report::listing::Line;

/// Prints a listing.
pub fn run(args: &args::List) -> Result<Status, Failure> {
    let (file, entry) = read(&args.subject.file)?.chosen(args.subject.entry.as_deref(), None)?;
    if args.program {
        let program = file.program(entry, &args.subject.set)?;
        let text = gpuproof_program::text::print(&program);
        print(&if args.json { gpuproof_report::json(&text) } else { text })?;
        return Ok(Status::Holds);
    }
    let lines = file.listing()?;
    if args.json {
        print(&gpuproof_report::json(&lines))?;
        return Ok(Status::Holds);
    }
    let mut out = String::new();
    for line in &lines {
        out += &prefix(args, line);
        out += &line.text;
        out.push('\n');
    }
    print(&out)?;
    Ok(Status::Holds)
}

/// What stands before a line, in the columns of Microsoft's disassembler: nothing before comments, the instruction's number
/// and its offset if they are asked for.
fn prefix(args: &args::List, line: &Line) -> String {
    // A block of constants goes on in lines of its own.
    let goes_on = line.number.is_none() && line.instruction.is_none() && line.text.starts_with(' ');
    if line.is_comment || goes_on {
        return String::new();
    }
    let number = line.number.map_or_else(String::new, |number| number.to_string());
    match (args.numbers, args.offsets) {
        (false, false) => String::new(),
        (true, false) if number.is_empty() => " ".repeat(6),
        (true, false) => format!("{number:>4}: "),
        (false, true) => format!("0x{:08X}: ", line.offset),
        (true, true) => format!("{number:>4}  0x{:08X}: ", line.offset),
    }
}
