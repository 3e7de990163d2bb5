//! Tokens of WGSL, and the declarations that constant expressions may name.

use std::collections::HashMap;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wgsl) enum TokenKind {
    Number,
    Word,
    /// One character; operators of two are two tokens next to each other.
    Mark(u8),
}

/// A token: its place in the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::wgsl) struct Token {
    pub(in crate::wgsl) kind: TokenKind,
    pub(in crate::wgsl) start: usize,
    pub(in crate::wgsl) end: usize,
}

/// The tokens of a text, without comments. Characters that WGSL does not know count as words.
pub(in crate::wgsl) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if byte(at + 1) == b'/' => {
                at = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            b'/' if byte(at + 1) == b'*' => {
                at = after_comment(bytes, at);
                continue;
            }
            b if b.is_ascii_digit() || b == b'.' && byte(at + 1).is_ascii_digit() => {
                at = after_number(bytes, at);
                TokenKind::Number
            }
            b if b == b'_' || b.is_ascii_alphabetic() || b >= 0x80 => {
                while byte(at) == b'_' || byte(at).is_ascii_alphanumeric() || byte(at) >= 0x80 {
                    at += 1;
                }
                TokenKind::Word
            }
            b => {
                at += 1;
                TokenKind::Mark(b)
            }
        };
        tokens.push(Token { kind, start, end: at });
    }
    tokens
}

/// Comments nest.
fn after_comment(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while at < bytes.len() {
        match &bytes[at..(at + 2).min(bytes.len())] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn after_number(bytes: &[u8], mut at: usize) -> usize {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let hex = byte(at) == b'0' && matches!(byte(at + 1), b'x' | b'X');
    while byte(at).is_ascii_alphanumeric() || byte(at) == b'.' || matches!(byte(at), b'+' | b'-') {
        if matches!(byte(at), b'+' | b'-') {
            let exponent = byte(at - 1).to_ascii_lowercase();
            if !(exponent == b'p' && hex || exponent == b'e' && !hex) {
                break;
            }
        }
        at += 1;
    }
    at
}

/// A `const`, `override`, `alias` or `struct`: where it can be named, and the tokens of its type and value.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    /// The bytes of the text from which the name means this.
    pub(super) scope: Range<usize>,
    pub(super) keyword: Keyword,
    pub(super) ty: Range<usize>,
    pub(super) value: Range<usize>,
}

/// What declares a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Const,
    Override,
    Alias,
    /// A structure: it has neither type nor value here.
    Struct,
}

/// Every declaration, by name.
pub(super) fn declarations<'t>(text: &'t str, tokens: &[Token]) -> HashMap<&'t str, Vec<Declaration>> {
    let mut found: HashMap<&str, Vec<Declaration>> = HashMap::new();
    // For each open brace, the declarations inside it whose scope it ends.
    let mut open: Vec<Vec<(&str, usize)>> = Vec::new();
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.start..token.end]);
    let semicolons: Vec<usize> = (0..tokens.len()).filter(|at| word(*at) == ";").collect();
    for at in 0..tokens.len() {
        let keyword = match word(at) {
            "{" => {
                open.push(Vec::new());
                continue;
            }
            "}" => {
                for (name, index) in open.pop().unwrap_or_default() {
                    if let Some(declaration) = found.get_mut(name).and_then(|all| all.get_mut(index)) {
                        declaration.scope.end = tokens[at].start;
                    }
                }
                continue;
            }
            "const" => Keyword::Const,
            "override" => Keyword::Override,
            "alias" => Keyword::Alias,
            "struct" => Keyword::Struct,
            _ => continue,
        };
        let name = word(at + 1);
        if keyword == Keyword::Struct {
            let declaration = Declaration { scope: 0..text.len(), keyword, ty: at..at, value: at..at };
            found.entry(name).or_default().push(declaration);
            continue;
        }
        let Some(end) = semicolons.get(semicolons.partition_point(|i| *i < at)).copied() else { continue };
        let equals = (at..end).find(|i| word(*i) == "=" && word(*i + 1) != "=");
        let (ty, value) = (at + 3..equals.unwrap_or(end), equals.map_or(end..end, |equals| equals + 1..end));
        let ty = if word(at + 2) == ":" { ty } else { end..end };
        // A name of the module can be used before its declaration.
        let scope = if open.is_empty() { 0..text.len() } else { tokens[end].end..text.len() };
        let all = found.entry(name).or_default();
        if let Some(inner) = open.last_mut() {
            inner.push((name, all.len()));
        }
        all.push(Declaration { scope, keyword, ty, value });
    }
    found
}
