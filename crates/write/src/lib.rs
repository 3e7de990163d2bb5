//! Programs written in the languages of other machines.
//!
//! What is written computes what the Program says, bit for bit, wherever the language can say it; the reader of the same language
//! (`gpuproof-read`) and `verify` hold it against the original. Three steps lie between:
//!
//! 1. [`legal`] replaces operations that the target does not have, or of which it leaves open what the Program fixes (a division by zero, a
//!    shift by 40, the minimum with a NaN), by operations whose plain form in the target is exact. The result is a Program again, which runs like any
//!    other.
//! 2. [`structure`] turns branches to enclosing constructs, which carry values, into what structured languages have: `if`, `switch`,
//!    loops with `break` and `continue`, and assignments.
//! 3. A module a language prints that: [`spirv`]; languages of text by one core, [`text`], which [`passes`] make the program plain for.
//!
//! What a language cannot express is an error that names the instruction, never an approximation.
#![deny(missing_docs)]

pub mod address;
pub mod legal;
pub mod passes;
pub mod spirv;
pub mod structure;
pub mod text;

use gpuproof_program::{Instruction, Origin, Program};

/// Where a resource of the Program is bound in what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its name in the Program.
    pub name: String,
    /// Whether it is the hidden counter of that resource.
    pub counter: bool,
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
}

/// Why a program cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The language has nothing that does what the program does there.
    #[error("not supported{}: {what}", if place.is_empty() { String::new() } else { format!(" at {place}") })]
    Unsupported {
        /// What it is.
        what: String,
        /// The instruction or line; empty for what concerns the whole program.
        place: String,
    },
    /// The program is not one that the validator passes, or the writer is at fault.
    #[error("internal error: {0}")]
    Internal(String),
}

impl WriteError {
    /// What concerns the whole program.
    fn whole(what: impl Into<String>) -> WriteError {
        WriteError::Unsupported { what: what.into(), place: String::new() }
    }

    /// What concerns one place of the source.
    fn at(program: &Program, origin: Origin, what: impl Into<String>) -> WriteError {
        let place = program.source.line(origin).map(|line| format!("{} {}", line.number, line.text));
        WriteError::Unsupported { what: what.into(), place: place.unwrap_or_default() }
    }

    /// An operation that the language lacks.
    fn operation(program: &Program, instruction: &Instruction) -> WriteError {
        WriteError::at(program, instruction.origin, format!("{} has no counterpart", instruction.op.row().name))
    }
}
