//! One line of text and a place in it.

use super::words::Word;
use crate::function::Width;
use std::fmt;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What would have been right.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    /// The line's number from 1.
    pub line: usize,
    text: &'a str,
    /// A byte offset in the text, on a boundary of characters.
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(line: usize, text: &'a str) -> Cursor<'a> {
        let mut cursor = Cursor { line, text, at: 0 };
        cursor.skip_blanks();
        cursor
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub fn is_end(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with(';')
    }

    pub fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// An error at this place.
    pub fn error(&self, expected: impl fmt::Display) -> ParseError {
        let found = match self.rest().split_whitespace().next() {
            None => "the end of the line".to_string(),
            Some(word) => format!("`{}`", word.chars().take(40).collect::<String>()),
        };
        self.error_about(expected, found)
    }

    /// An error at this place that tells itself what it found.
    pub fn error_about(&self, expected: impl fmt::Display, found: impl fmt::Display) -> ParseError {
        let column = self.text.get(..self.at).map_or(0, |before| before.chars().count()) + 1;
        ParseError { line: self.line, column, expected: expected.to_string(), found: found.to_string() }
    }

    pub fn fail<T>(&self, expected: impl fmt::Display) -> Result<T, ParseError> {
        Err(self.error(expected))
    }

    /// Takes this text if it comes next, and the blanks behind it.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
            self.skip_blanks();
        }
        found
    }

    pub fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        if self.eat(text) { Ok(()) } else { self.fail(format_args!("`{text}`")) }
    }

    pub fn end(&self) -> Result<(), ParseError> {
        if self.is_end() { Ok(()) } else { self.fail("the end of the line") }
    }

    /// The word that comes next: letters, digits, `_` and `.`; may be empty.
    pub fn peek(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|char: char| !(char.is_ascii_alphanumeric() || "_.".contains(char))).unwrap_or(rest.len());
        &rest[..end]
    }

    pub fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.eat(word);
        word
    }

    /// A word of an enumeration.
    pub fn one_of<T: Word>(&mut self) -> Result<T, ParseError> {
        match T::from_word(self.peek()) {
            Some(found) => {
                self.word();
                Ok(found)
            }
            None => {
                let words: Vec<&str> = T::ALL.iter().map(|one| one.word()).collect();
                self.fail(format_args!("one of {}", words.join(", ")))
            }
        }
    }

    /// A number without anything behind it, decimal or with `0x`.
    pub fn number(&mut self) -> Result<u64, ParseError> {
        let rest = self.rest();
        let (radix, digits) = match rest.strip_prefix("0x") {
            Some(digits) => (16, digits),
            None => (10, rest),
        };
        let count = digits.find(|char: char| !char.is_digit(radix)).unwrap_or(digits.len());
        match u64::from_str_radix(&digits[..count], radix) {
            Ok(number) => {
                self.at += rest.len() - digits.len() + count;
                Ok(number)
            }
            Err(_) => self.fail("a number of at most 64 bits"),
        }
    }

    /// A 32-bit number without anything behind it.
    pub fn number32(&mut self) -> Result<u32, ParseError> {
        let before = *self;
        u32::try_from(self.number()?).map_err(|_| before.error("a number of at most 32 bits"))
    }

    /// A handle: its prefix and a number.
    pub fn handle(&mut self, prefix: &str) -> Result<u32, ParseError> {
        let before = *self;
        // No blanks between them.
        if let Some(rest) = self.rest().strip_prefix(prefix)
            && rest.starts_with(|char: char| char.is_ascii_digit())
        {
            self.at += prefix.len();
            let number = self.number32()?;
            if !self.rest().starts_with('.') {
                self.skip_blanks();
            }
            return Ok(number);
        }
        before.fail(format_args!("`{prefix}` and a number"))
    }

    /// The component behind a handle: `.x` to `.w`, or `.` and a number.
    pub fn component(&mut self) -> Result<u8, ParseError> {
        self.expect(".")?;
        let before = *self;
        let component = match ["x", "y", "z", "w"].iter().position(|name| self.rest().starts_with(name)) {
            Some(at) => {
                self.at += 1;
                at as u64
            }
            None => self.number()?,
        };
        self.skip_blanks();
        u8::try_from(component).map_err(|_| before.error("a component"))
    }

    pub fn width(&mut self) -> Result<Width, ParseError> {
        self.one_of()
    }

    /// A string in quotes.
    pub fn string(&mut self) -> Result<String, ParseError> {
        let start = *self;
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        if chars.next().map(|(_, char)| char) != Some('"') {
            return self.fail("a string in quotes");
        }
        while let Some((at, char)) = chars.next() {
            match char {
                '"' => {
                    self.at += at + 1;
                    self.skip_blanks();
                    return Ok(text);
                }
                '\\' => match chars.next().map(|(_, char)| char) {
                    Some(char @ ('"' | '\\')) => text.push(char),
                    Some('u') => {
                        let code: String =
                            chars.by_ref().map(|(_, char)| char).take_while(|char| *char != '}').take(10).collect();
                        let char = code.strip_prefix('{').and_then(|code| u32::from_str_radix(code, 16).ok());
                        text.push(char.and_then(char::from_u32).ok_or_else(|| start.error("a string with \\u{...} escapes"))?);
                    }
                    _ => return start.fail("a string whose backslashes stand before a quote, a backslash or u{...}"),
                },
                char => text.push(char),
            }
        }
        start.fail("a string that ends on its line")
    }

    /// The rest of the line in Rusty Object Notation.
    pub fn notation<T: serde::de::DeserializeOwned>(&self, limit: usize) -> Result<T, ParseError> {
        ron::Options::default().with_recursion_limit(limit).from_str(self.rest()).map_err(|error| {
            // The notation stands on one line, so the position counts its characters.
            let skip = error.span.start.col.saturating_sub(1);
            let bytes = self.rest().chars().take(skip).map(char::len_utf8).sum::<usize>();
            let place = Cursor { at: self.at + bytes, ..*self };
            place.error_about("the fields of the declaration", error.code)
        })
    }
}
