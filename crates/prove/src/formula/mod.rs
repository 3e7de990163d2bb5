//! Formulas: WGSL statements that set a program's outputs from its inputs. `docs/formulas.md` is their manual.
//!
//! [`vocabulary`] says what everything is called, [`wrap`] makes a WGSL module of formulas, and [`mod@adapt`] gives the program that is read from it
//! the rules and the interface of the program that they explain.

pub(crate) mod adapt;
pub(crate) mod helper;
mod mistake;
pub(crate) mod names;
mod stand_in;
pub(crate) mod structure;
pub(crate) mod ty;
pub(crate) mod vocabulary;
pub(crate) mod wrap;

pub use wrap::Tolerance;

use gpuproof_program::Program;
use gpuproof_read::wgsl;
use vocabulary::Vocabulary;
use wrap::Assigned;

/// Why a text of formulas cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", match (*.line, *.column) {
    (0, _) => String::new(),
    (line, 0) => format!("line {line}: "),
    (line, column) => format!("line {line}, column {column}: "),
})]
pub struct FormulaError {
    /// The line of the text, from 1; 0 where it is not of one line.
    pub line: u32,
    /// The column of the line, from 1, in bytes; 0 where none is known.
    pub column: u32,
    /// What was found, and what was expected.
    pub message: String,
    /// Whether it is something that formulas cannot say, rather than a mistake.
    pub unsupported: bool,
}

impl FormulaError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> FormulaError {
        FormulaError { line, column: 0, message: message.into(), unsupported: false }
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> FormulaError {
        FormulaError { line: 0, column: 0, message: message.into(), unsupported: true }
    }

    /// A mistake at a place of the text, in bytes.
    pub(crate) fn at(text: &str, at: usize, message: impl Into<String>) -> FormulaError {
        let line = text[..at].matches('\n').count() + 1;
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
        FormulaError { column: column as u32, ..FormulaError::new(line as u32, message) }
    }
}

/// Formulas that were read: a program with the interface and the rules of the one that they explain.
#[derive(Clone, Debug)]
pub(crate) struct Formulas {
    pub(crate) program: Program,
    pub(crate) assigned: Assigned,
}

/// Reads formulas for a program: statements alone, or a whole module as `trace --wgsl` writes it.
pub(crate) fn read(original: &Program, vocabulary: &Vocabulary, text: &str) -> Result<Formulas, FormulaError> {
    let (body, assigned) = wrap::plain(vocabulary, text)?;
    let module = if wrap::is_module(text) { body.clone() } else { wrap::module(original, vocabulary, &body, true)? };
    let body_at = module.find(&body).unwrap_or(0);
    let program = wgsl::read(&module, &wgsl::Options::default())
        .map_err(|error| mistake::mistake(error, (&module, body_at), text, vocabulary))?;
    Ok(Formulas { program: adapt::adapt(program, original, vocabulary, &assigned)?, assigned })
}
