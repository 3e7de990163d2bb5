//! Why a container or a token stream could not be read or written.

use std::fmt;

/// An error of this module. Offsets are bytes from the start of the file that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes break the format.
    BadInput {
        /// Where the offending bytes start.
        offset: usize,
        /// What the format calls for.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The bytes may well be right, but this reader does not know them.
    Unsupported {
        /// Where the unknown thing starts.
        offset: usize,
        /// What it is.
        what: String,
    },
    /// A value put together or edited by the caller has no encoding.
    Unencodable {
        /// What does not fit, and why.
        what: String,
    },
}

impl Error {
    pub(crate) fn bad(offset: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Error::BadInput { offset, expected: expected.into(), found: found.into() }
    }

    pub(crate) fn unsupported(offset: usize, what: impl Into<String>) -> Self {
        Error::Unsupported { offset, what: what.into() }
    }

    pub(crate) fn unencodable(what: impl Into<String>) -> Self {
        Error::Unencodable { what: what.into() }
    }

    /// The byte offset the error is about, where it has one.
    pub fn offset(&self) -> Option<usize> {
        match self {
            Error::BadInput { offset, .. } | Error::Unsupported { offset, .. } => Some(*offset),
            Error::Unencodable { .. } => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadInput { offset, expected, found } => {
                write!(f, "offset {offset:#x}: expected {expected}, found {found}")
            }
            Error::Unsupported { offset, what } => {
                write!(f, "offset {offset:#x}: {what} is not supported")
            }
            Error::Unencodable { what } => write!(f, "cannot be encoded: {what}"),
        }
    }
}

impl std::error::Error for Error {}

/// The result of an operation of this module.
pub type Result<T> = std::result::Result<T, Error>;
