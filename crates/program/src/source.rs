//! Where operations came from.

use serde::{Deserialize, Serialize};

/// The place that an operation came from: a line of [`Source`] and what narrows it down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Origin {
    /// An index into [`Source::lines`]: an instruction of a binary, a line of text. [`Origin::NONE`] for what the reader made itself.
    pub line: u32,
    /// Column of the text, from 1; 0 in a binary or where unknown.
    pub column: u32,
    /// The component of the destination, 0 for x to 3 for w.
    pub component: u8,
}

impl Origin {
    /// An operation that no place of the source stands for.
    pub const NONE: Origin = Origin { line: u32::MAX, column: 0, component: 0 };

    /// The place of a line, its component x.
    pub fn line(line: u32) -> Origin {
        Origin { line, column: 0, component: 0 }
    }
}

/// The lines of a program's source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Whether lines are instructions of a binary (their listing) or lines of a text.
    pub kind: SourceKind,
    /// The lines in order.
    pub lines: Vec<SourceLine>,
}

/// What the lines of a source are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SourceKind {
    /// Instructions of a binary, shown by their listing.
    #[default]
    Instructions,
    /// Lines of a text.
    Text,
}

/// One line of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLine {
    /// The instruction's number as the vendor's listing counts them, or the line's number from 1.
    pub number: u32,
    /// The byte offset in the file.
    pub offset: u32,
    /// The listing of the instruction, or the line, without surrounding blanks.
    pub text: String,
}

impl Source {
    /// The line of an origin, if it has one.
    pub fn line(&self, origin: Origin) -> Option<&SourceLine> {
        self.lines.get(origin.line as usize)
    }
}
