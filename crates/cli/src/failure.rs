//! Why a command ends without a result, and the exit status that says so.

use std::fmt;
use std::process::ExitCode;

/// The exit statuses of every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// It holds: Same or Allowed, or the command did what it was asked.
    Holds = 0,
    /// The programs differ.
    Differs = 1,
    /// Unusable input or arguments.
    BadInput = 2,
    /// Not supported.
    Unsupported = 3,
    /// Inconclusive: nothing compared, a limit hit, an output never reached, or only differences of a kind that decides nothing.
    Inconclusive = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

impl From<gpuproof_prove::compare::Status> for Status {
    fn from(status: gpuproof_prove::compare::Status) -> Status {
        use gpuproof_prove::compare::Status as Compared;
        match status {
            Compared::Holds => Status::Holds,
            Compared::Differs => Status::Differs,
            Compared::Inconclusive => Status::Inconclusive,
        }
    }
}

/// A command's failure: what to print, and the status.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The exit status.
    pub status: Status,
    /// What happened, for people: the file, what was found, what was expected.
    pub message: String,
}

impl Failure {
    /// Unusable input or arguments.
    pub fn bad(message: impl Into<String>) -> Failure {
        Failure { status: Status::BadInput, message: message.into() }
    }

    /// Something that gpuproof does not do.
    pub fn unsupported(message: impl Into<String>) -> Failure {
        Failure { status: Status::Unsupported, message: message.into() }
    }

    /// A limit was hit.
    pub fn inconclusive(message: impl Into<String>) -> Failure {
        Failure { status: Status::Inconclusive, message: message.into() }
    }

    /// A failure of a run of the program in this file.
    pub fn run(file: &str, error: &gpuproof_run::RunError) -> Failure {
        use gpuproof_run::RunError;
        let status = match error {
            RunError::BadCase(_) => Status::BadInput,
            RunError::Unsupported { .. } | RunError::Stage(_) => Status::Unsupported,
            RunError::StepLimit { .. } | RunError::MemoryLimit { .. } | RunError::Fault(_) => Status::Inconclusive,
        };
        Failure { status, message: format!("{file}: {error}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
