//! Why a text gives no program.

/// Why a WGSL text gives no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is not a valid WGSL program, or the options do not fit it.
    #[error("{message}")]
    BadInput {
        /// naga's message with the line and a caret, where the fault has a place.
        message: String,
        /// The line from 1; 0 where the fault has no place.
        line: u32,
        /// The column from 1, in bytes; 0 where the fault has no place.
        column: u32,
    },
    /// The program uses something that has no counterpart in a [`Program`](gpuproof_program::Program).
    #[error("not supported at line {line}: {what}")]
    Unsupported {
        /// What it uses.
        what: String,
        /// The line from 1; 0 where unknown.
        line: u32,
    },
    /// This reader made a mistake.
    #[error("a fault of gpuproof at line {line}: {what}")]
    Fault {
        /// What was found and what was expected.
        what: String,
        /// The line from 1; 0 where unknown.
        line: u32,
    },
}

/// Something that went wrong at a place which the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    Unsupported(String),
    Fault(String),
}

impl Trouble {
    pub(super) fn at(self, line: u32) -> Error {
        match self {
            Trouble::Unsupported(what) => Error::Unsupported { what, line },
            Trouble::Fault(what) => Error::Fault { what, line },
        }
    }
}

pub(super) fn unsupported<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Unsupported(what.into()))
}

pub(super) fn fault<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Fault(what.into()))
}
