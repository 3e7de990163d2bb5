//! What is looked at before naga parses: what naga takes time or memory for without bound.

use super::error::Error;
use super::fold::{Folder, Token, TokenKind, tokens};
use gpuproof_program::{Kind, ScalarType, Width};
use std::borrow::Cow;
use std::collections::HashMap;

/// The most operators and brackets of one statement, and `else`s of one function: chains of them nest in naga's tree.
const MAX_CHAIN: usize = 4096;
/// The most words, numbers and marks of one function: naga goes over all of a function's expressions again for each of them.
const MAX_FUNCTION: usize = 1 << 17;
/// The most parts that structures of structures may come to, each counted as often as it stands.
const MAX_PARTS: u64 = 1 << 20;
/// naga keeps a bit for each location up to the highest.
const MAX_LOCATION: u64 = 1 << 16;

/// Refuses texts that naga would not get through, and gives the text that it shall parse.
pub(super) fn prescan(text: &str) -> Result<Cow<'_, str>, Error> {
    let tokens = tokens(text);
    let unsupported = |what: String, at: usize| {
        let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        Err(Error::Unsupported { what, line })
    };
    if let Some(at) = long_chain(text, &tokens) {
        return unsupported(format!("a statement of more than {MAX_CHAIN} operators, or a function of as many branches"), at);
    }
    if let Some(at) = long_function(text, &tokens) {
        return unsupported(format!("a function of more than {MAX_FUNCTION} words, numbers and marks"), at);
    }
    if let Some(at) = large_structure(text, &tokens) {
        return unsupported(format!("a structure of more than {MAX_PARTS} parts"), at);
    }
    if let Some((location, at)) = high_location(text, &tokens) {
        return unsupported(format!("the location {location}, higher than {MAX_LOCATION}"), at);
    }
    Ok(without_subgroups(text, &tokens))
}

fn word<'t>(text: &'t str, tokens: &[Token], at: usize) -> &'t str {
    tokens.get(at).map_or("", |token| &text[token.start..token.end])
}

/// Where a statement has too many operators, or a function too many `else`s.
fn long_chain(text: &str, tokens: &[Token]) -> Option<usize> {
    let (mut operators, mut elses) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Mark(b';') => operators = 0,
            // A sign in a list is no link of a chain.
            TokenKind::Mark(b'-') if matches!(word(text, tokens, at.wrapping_sub(1)), "," | "(" | "=" | "") => {}
            TokenKind::Mark(b',' | b'(' | b')' | b']' | b'{' | b'}' | b'@' | b':' | b'=') | TokenKind::Number => {}
            TokenKind::Mark(_) => operators += 1,
            TokenKind::Word => match word(text, tokens, at) {
                "else" => elses += 1,
                "fn" => elses = 0,
                _ => {}
            },
        }
        if operators > MAX_CHAIN || elses > MAX_CHAIN {
            return Some(token.start);
        }
    }
    None
}

/// Where a function that is too long starts.
fn long_function(text: &str, tokens: &[Token]) -> Option<usize> {
    let mut start = 0;
    for at in 0..tokens.len() {
        if word(text, tokens, at) == "fn" {
            start = at;
        }
        if at - start > MAX_FUNCTION {
            return Some(tokens[start].start);
        }
    }
    None
}

/// Where a structure or alias stands that comes to too many parts.
fn large_structure(text: &str, tokens: &[Token]) -> Option<usize> {
    let mut inside: HashMap<&str, (usize, Vec<&str>)> = HashMap::new();
    let mut current = None;
    for (at, token) in tokens.iter().enumerate() {
        match word(text, tokens, at) {
            "struct" | "alias" => {
                let name = word(text, tokens, at + 1);
                inside.entry(name).or_insert((token.start, Vec::new()));
                current = Some(name);
            }
            "}" | ";" => current = None,
            part if token.kind == TokenKind::Word => {
                if let Some((_, parts)) = current.and_then(|name| inside.get_mut(name)) {
                    parts.push(part);
                }
            }
            _ => {}
        }
    }
    let mut totals: HashMap<&str, u64> = HashMap::new();
    for name in inside.keys() {
        total(name, &inside, &mut totals, 0);
    }
    inside.iter().filter(|(name, _)| totals.get(*name).is_some_and(|total| *total > MAX_PARTS)).map(|(_, (at, _))| *at).min()
}

/// The parts of a structure; its own name stands among its words and counts once.
fn total<'t>(
    name: &'t str,
    inside: &HashMap<&'t str, (usize, Vec<&'t str>)>,
    totals: &mut HashMap<&'t str, u64>,
    depth: usize,
) -> u64 {
    if let Some(total) = totals.get(name) {
        return *total;
    }
    let Some((_, parts)) = inside.get(name) else { return 1 };
    if depth > MAX_CHAIN {
        totals.insert(name, u64::MAX);
        return u64::MAX;
    }
    // What contains itself is naga's to refuse.
    totals.insert(name, 1);
    let sum = parts.iter().fold(0, |sum: u64, part| sum.saturating_add(total(part, inside, totals, depth + 1)));
    totals.insert(name, sum);
    sum
}

/// A location that is too high, and where it stands.
fn high_location(text: &str, tokens: &[Token]) -> Option<(u64, usize)> {
    let mut folder = None;
    for at in 0..tokens.len() {
        if word(text, tokens, at) != "location" || word(text, tokens, at + 1) != "(" {
            continue;
        }
        let end = (at + 2..tokens.len()).find(|at| matches!(word(text, tokens, *at), ")" | ";"))?;
        // An operand with brackets ends at the last one before the next declaration's colon or word; the first is enough for what has none.
        let end = (end..tokens.len()).take_while(|at| word(text, tokens, *at) == ")").last().unwrap_or(end);
        let span = tokens[at + 1].end..tokens[end].start;
        let folder = folder.get_or_insert_with(|| Folder::new(text));
        for kind in [Kind::Uint, Kind::Sint] {
            let value = folder.evaluate(&span, &[ScalarType { kind, width: Width::W32 }]);
            if let Some(location) = value.and_then(|value| value.first().copied()).filter(|location| *location > MAX_LOCATION) {
                return Some((location, tokens[at].start));
            }
        }
    }
    None
}

/// naga has the operations of `enable subgroups`, but not yet the directive: the word is left out.
fn without_subgroups<'t>(text: &'t str, tokens: &[Token]) -> Cow<'t, str> {
    let mut blanks = Vec::new();
    let mut at = 0;
    while matches!(word(text, tokens, at), "enable" | "requires" | "diagnostic") {
        let Some(end) = (at..tokens.len()).find(|at| word(text, tokens, *at) == ";") else { break };
        if word(text, tokens, at) == "enable" {
            let names: Vec<usize> = (at + 1..end).filter(|at| tokens[*at].kind == TokenKind::Word).collect();
            let found: Vec<usize> = names.iter().copied().filter(|at| word(text, tokens, *at) == "subgroups").collect();
            if found.len() == names.len() && !found.is_empty() {
                blanks.push(tokens[at].start..tokens[end].end);
            }
            // In a list it goes with the comma after it, or at the end with the one before.
            for name in found.iter().filter(|_| found.len() < names.len()) {
                let with = if word(text, tokens, name + 1) == "," { *name..name + 2 } else { name - 1..name + 1 };
                blanks.push(tokens[with.start].start..tokens[with.end - 1].end);
            }
        }
        at = end + 1;
    }
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for blank in blanks {
        bytes[blank].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directive_of_subgroups_is_left_out() {
        assert_eq!(prescan("enable subgroups;\nfn f() {}").unwrap(), "                 \nfn f() {}");
        assert_eq!(prescan("enable f16, subgroups;").unwrap(), "enable f16           ;");
        assert_eq!(prescan("enable subgroups, f16;").unwrap(), "enable            f16;");
        assert_eq!(prescan("enable f16; fn subgroups() {}").unwrap(), "enable f16; fn subgroups() {}");
    }

    #[test]
    fn what_naga_has_no_bound_for_is_refused() {
        let fails = |text: &str, line: u32| match prescan(text) {
            Err(Error::Unsupported { line: found, .. }) => assert_eq!(found, line, "{text:.40}"),
            other => panic!("{other:?}"),
        };
        fails(&format!("\nconst a = 1{};", " + 1".repeat(5000)), 2);
        fails(&format!("fn f() {{ if x {{}}\n{} }}", "else if x {} ".repeat(5000)), 2);
        let doubling: String = (1..30).map(|i| format!("struct S{i} {{ a: S{}, b: S{} }}", i - 1, i - 1)).collect();
        fails(&format!("struct S0 {{ x: f32 }}{doubling}"), 1);
        fails("fn f(\n@location(1 << 30) x: f32) {}", 2);
        assert!(prescan(&format!("const a = array({}1);", "-1, ".repeat(5000))).is_ok());
    }
}
