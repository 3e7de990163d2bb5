//! The commands.

pub mod check;
pub mod extract;
pub mod info;
pub mod lint;
pub mod list;
pub mod run;
pub mod trace;
pub mod verify;
pub mod write;

use crate::failure::Failure;
use std::io::Write;

/// Prints to standard output. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::bad(format!("standard output: cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Says something to people beside a result, on standard error.
pub fn note(text: &str) {
    let style = anstyle::Style::new().bold();
    // That nobody reads it is no error.
    let _ = writeln!(anstream::stderr(), "{style}note:{style:#} {text}");
}

/// Writes a file.
pub fn write(path: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::bad(format!("{path}: cannot be written: {error}")))
}
