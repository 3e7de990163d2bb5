//! Why a module gives no program.

/// Why a SPIR-V module gives no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes are no valid module, or the options do not fit it.
    #[error("{}{message}", prefix(*.word, .instruction))]
    BadInput {
        /// What was found and what was expected.
        message: String,
        /// The instruction with its result's id and name; empty where the fault has no instruction.
        instruction: String,
        /// Its place in words from the start; 0 where the fault has no place.
        word: u32,
    },
    /// The program uses something that has no counterpart in a [`Program`](gpuproof_program::Program).
    #[error("{}not supported: {what}", prefix(*.word, .instruction))]
    Unsupported {
        /// What it uses.
        what: String,
        /// The instruction with its result's id and name; empty where it has none.
        instruction: String,
        /// Its place in words from the start; 0 where unknown.
        word: u32,
    },
    /// This reader made a mistake.
    #[error("{}a fault of gpuproof: {what}", prefix(*.word, .instruction))]
    Fault {
        /// What was found and what was expected.
        what: String,
        /// The instruction with its result's id and name; empty where it has none.
        instruction: String,
        /// Its place in words from the start; 0 where unknown.
        word: u32,
    },
}

fn prefix(word: u32, instruction: &str) -> String {
    match (word, instruction) {
        (0, "") => String::new(),
        (word, "") => format!("word {word}: "),
        (word, instruction) => format!("word {word}, {instruction}: "),
    }
}

/// Something that went wrong at a place which the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    Bad(String),
    Unsupported(String),
    Fault(String),
}

impl Trouble {
    pub(super) fn at(self, word: u32, instruction: String) -> Error {
        match self {
            Trouble::Bad(message) => Error::BadInput { message, instruction, word },
            Trouble::Unsupported(what) => Error::Unsupported { what, instruction, word },
            Trouble::Fault(what) => Error::Fault { what, instruction, word },
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, Trouble>;

pub(super) fn bad<T>(message: impl Into<String>) -> Result<T> {
    Err(Trouble::Bad(message.into()))
}

pub(super) fn unsupported<T>(what: impl Into<String>) -> Result<T> {
    Err(Trouble::Unsupported(what.into()))
}

pub(super) fn fault<T>(what: impl Into<String>) -> Result<T> {
    Err(Trouble::Fault(what.into()))
}
