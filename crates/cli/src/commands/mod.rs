//! The commands.

pub mod check;
pub mod extract;
pub mod info;
pub mod lint;
pub mod list;
pub mod read_back;
pub mod run;
pub mod trace;
pub mod verify;
pub mod write;

use crate::failure::Failure;
use std::io::Write;

/// Prints to standard output. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    written_out(anstream::stdout().write_all(text.as_bytes()))
}

/// What became of writing to standard output. A reader that has gone away is no error.
pub fn written_out(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
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
pub fn write(path: &str, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    std::fs::write(path, contents).map_err(|error| Failure::bad(format!("{path}: cannot be written: {error}")))
}
