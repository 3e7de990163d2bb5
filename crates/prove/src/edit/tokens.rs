//! As much of WGSL's tokens as edits need.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or keyword.
    Name,
    /// A number.
    Number,
    /// Anything else.
    Sign,
}

/// A token of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
    /// Its line, from 0.
    pub line: usize,
    /// Whether blanks stand around it.
    pub spaced: bool,
}

const SIGNS: &[&str] = &[
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++",
    "--",
];

/// The tokens of a text, comments left out.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 0);
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let length = if first.is_whitespace() {
            line += usize::from(first == '\n');
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
            line += rest[..length].matches('\n').count();
            at += length;
            continue;
        } else if first.is_alphabetic() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if first.is_ascii_digit() || first == '.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            number(rest)
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
        };
        let kind = match first {
            _ if first.is_alphabetic() || first == '_' => Kind::Name,
            _ if first.is_ascii_digit() || length > 1 && first == '.' => Kind::Number,
            _ => Kind::Sign,
        };
        let blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_whitespace);
        let spaced = blank(at.checked_sub(1)) && blank(Some(at + length));
        found.push(Token { kind, text: &rest[..length], start: at, line, spaced });
        at += length;
    }
    found
}

/// The length of a number: digits, a fraction, an exponent, a suffix.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let exponent_sign =
            matches!(byte, b'+' | b'-') && at > 0 && matches!(bytes[at - 1], b'e' | b'E') && !rest.starts_with("0x");
        if !(byte.is_ascii_alphanumeric() || *byte == b'.' || exponent_sign) {
            break;
        }
        at += 1;
    }
    at
}
