//! Seeded single edits of WGSL text: wrong ports by the hundred, to test what finds them.
//!
//! An edit changes one line inside a function, in one of the ways in which ports go wrong: another component, constant or operator,
//! exchanged operands, another member, a statement left out, an index off by one, a minimum for a maximum, a condition turned
//! round. The text of an edit need not be valid WGSL, nor need its program compute anything else: whoever uses it checks.

mod tokens;

use crate::random::Random;
use std::collections::BTreeSet;
use tokens::{Kind, Token, tokens};

/// One change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The line that was changed, from 1.
    pub line: u32,
    /// What was done.
    pub description: String,
    /// The whole text after it.
    pub text: String,
}

/// At most `count` different edits of a WGSL text, by this seed.
pub fn edits(source: &str, seed: u64, count: usize) -> Vec<Edit> {
    let tokens = tokens(source);
    let bodies = bodies(&tokens);
    let members = members(&tokens);
    let mut random = Random::stream(seed, "edit", 0);
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for _ in 0..count.saturating_mul(200) {
        if found.len() == count || bodies.is_empty() {
            break;
        }
        let Some(&at) = random.pick(&bodies) else { break };
        let kind = random.below(KINDS.len() as u32) as usize;
        let Some(change) = KINDS[kind](&tokens, at, &members, &mut random) else { continue };
        let mut text = String::with_capacity(source.len() + 8);
        text.push_str(&source[..change.start]);
        text.push_str(&change.new);
        text.push_str(&source[change.end..]);
        let line = source[..change.start].matches('\n').count() as u32 + 1;
        // A change over several lines names its first; a statement left out keeps its line breaks.
        if text != source && seen.insert(text.clone()) {
            let old = source[change.start..change.end].split_whitespace().collect::<Vec<_>>().join(" ");
            let description = if change.new.trim().is_empty() {
                format!("{old} left out")
            } else {
                format!("{}: {old} to {}", change.what, change.new)
            };
            found.push(Edit { line, description, text });
        }
    }
    found
}

/// Bytes of the source to be replaced.
struct Change {
    start: usize,
    end: usize,
    new: String,
    what: &'static str,
}

type Attempt = fn(&[Token<'_>], usize, &[String], &mut Random) -> Option<Change>;

const KINDS: &[Attempt] =
    &[swizzle, constant, operator, operands, member, drop_statement, index, extremes, condition, comparison];

/// The tokens inside function bodies, without declarations of variables' types.
fn bodies(tokens: &[Token<'_>]) -> Vec<usize> {
    let (mut depth, mut in_function, mut found) = (0u32, false, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "fn" if depth == 0 => in_function = true,
            "struct" if depth == 0 => in_function = false,
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 && in_function => found.push(at),
            _ => {}
        }
    }
    found
}

/// The names of all members of structures.
fn members(tokens: &[Token<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].text == "struct" {
            while at + 1 < tokens.len() && tokens[at].text != "}" {
                if tokens[at].kind == Kind::Name && tokens[at + 1].text == ":" {
                    found.push(tokens[at].text.to_string());
                }
                at += 1;
            }
        }
        at += 1;
    }
    found
}

fn replace(token: &Token<'_>, new: impl Into<String>, what: &'static str) -> Option<Change> {
    let new = new.into();
    (new != token.text).then_some(Change { start: token.start, end: token.start + token.text.len(), new, what })
}

fn text<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.text)
}

fn before<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    at.checked_sub(1).map_or("", |at| text(tokens, at))
}

/// Another component in a swizzle, or two exchanged.
fn swizzle(tokens: &[Token<'_>], at: usize, _: &[String], random: &mut Random) -> Option<Change> {
    let token = &tokens[at];
    let letters = ["xyzw", "rgba"].into_iter().find(|set| token.text.chars().all(|c| set.contains(c)))?;
    if before(tokens, at) != "." || token.text.len() > 4 {
        return None;
    }
    let mut new: Vec<char> = token.text.chars().collect();
    let place = random.below(new.len() as u32) as usize;
    if new.len() > 1 && random.one_in(2) {
        new.swap(0, place);
    } else {
        new[place] = letters.chars().nth(random.below(4) as usize)?;
    }
    replace(token, new.into_iter().collect::<String>(), "swizzle")
}

/// Another number.
fn constant(tokens: &[Token<'_>], at: usize, _: &[String], random: &mut Random) -> Option<Change> {
    let token = &tokens[at];
    if token.kind != Kind::Number || before(tokens, at) == "@" || token.text.starts_with("0x") {
        return None;
    }
    let suffix_at = token.text.find(['f', 'h', 'u', 'i']).unwrap_or(token.text.len());
    let (digits, suffix) = token.text.split_at(suffix_at);
    let new = if digits.contains(['.', 'e']) || matches!(suffix, "f" | "h") {
        let value: f64 = digits.parse().ok()?;
        let factor = [2.0, 0.5, 1.25, 0.1][random.below(4) as usize];
        let changed = if value == 0.0 { factor } else { value * factor };
        format!("{changed:?}{suffix}")
    } else {
        let value: u64 = digits.parse().ok()?;
        format!("{}{suffix}", if value > 0 && random.one_in(2) { value - 1 } else { value.checked_add(1)? })
    };
    replace(token, new, "constant")
}

/// Whether the operator at a place has an operand before it.
fn is_binary(tokens: &[Token<'_>], at: usize) -> bool {
    at > 0
        && (matches!(tokens[at - 1].kind, Kind::Name | Kind::Number) || matches!(tokens[at - 1].text, ")" | "]"))
        && !matches!(before(tokens, at), "return" | "case")
}

/// Another arithmetic operator.
fn operator(tokens: &[Token<'_>], at: usize, _: &[String], random: &mut Random) -> Option<Change> {
    let token = &tokens[at];
    let others: &[&str] = match token.text {
        "+" => &["-", "*"],
        "-" => &["+"],
        "*" => &["+", "/"],
        "/" => &["*"],
        "&" => &["|", "^"],
        "|" => &["&", "^"],
        "^" => &["|", "&"],
        "<<" => &[">>"],
        ">>" => &["<<"],
        _ => return None,
    };
    is_binary(tokens, at).then_some(())?;
    replace(token, *random.pick(others)?, "operator")
}

/// Another comparison.
fn comparison(tokens: &[Token<'_>], at: usize, _: &[String], random: &mut Random) -> Option<Change> {
    let token = &tokens[at];
    let others: &[&str] = match token.text {
        "<" => &["<=", ">"],
        "<=" => &["<", ">="],
        ">" => &[">=", "<"],
        ">=" => &[">", "<="],
        "==" => &["!="],
        "!=" => &["=="],
        "&&" => &["||"],
        "||" => &["&&"],
        _ => return None,
    };
    // Written with blanks around it; `vec3<f32>` and `&mut` are not.
    (is_binary(tokens, at) && token.spaced).then_some(())?;
    replace(token, *random.pick(others)?, "comparison")
}

/// The operands of an operator that does not commute, exchanged.
fn operands(tokens: &[Token<'_>], at: usize, _: &[String], _: &mut Random) -> Option<Change> {
    if !matches!(tokens[at].text, "-" | "/" | "<<" | ">>" | "%") || !is_binary(tokens, at) {
        return None;
    }
    let (left, right) = (operand_before(tokens, at)?, operand_after(tokens, at)?);
    exchange(tokens, left, right)
}

fn exchange(tokens: &[Token<'_>], left: (usize, usize), right: (usize, usize)) -> Option<Change> {
    let bytes = |(first, last): (usize, usize)| (tokens[first].start, tokens[last].start + tokens[last].text.len());
    let (a, b) = (bytes(left), bytes(right));
    let source = |range: (usize, usize)| -> String {
        // Tokens with the blanks that stood between them.
        let mut text = String::new();
        let mut end = range.0;
        for token in tokens.iter().filter(|token| token.start >= range.0 && token.start < range.1) {
            text.push_str(&" ".repeat(usize::from(token.start > end)));
            text.push_str(token.text);
            end = token.start + token.text.len();
        }
        text
    };
    let new = format!("{}{}{}", source(b), source((a.1, b.0)).replace_range_blanks(), source(a));
    Some(Change { start: a.0, end: b.1, new, what: "operands exchanged" })
}

/// What stands between two operands, with blanks around it.
trait Between {
    fn replace_range_blanks(self) -> String;
}

impl Between for String {
    fn replace_range_blanks(self) -> String {
        format!(" {} ", self.trim())
    }
}

/// The matching bracket of the one at `at`, searching backward or forward.
fn matching(tokens: &[Token<'_>], at: usize, step: isize) -> Option<usize> {
    let (mut depth, mut at) = (0i32, at as isize);
    while at >= 0 && (at as usize) < tokens.len() {
        match tokens[at as usize].text {
            "(" | "[" => depth += step as i32,
            ")" | "]" => depth -= step as i32,
            "{" | "}" | ";" => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at as usize);
        }
        at += step;
    }
    None
}

/// A name with its members, calls and indices, a number or a bracket, that ends before an operator.
fn operand_before(tokens: &[Token<'_>], at: usize) -> Option<(usize, usize)> {
    let last = at.checked_sub(1)?;
    let mut first = last;
    loop {
        if matches!(tokens[first].text, ")" | "]") {
            first = matching(tokens, first, -1)?;
            // The name of a call or of what is indexed, or another call or index before it.
            match first.checked_sub(1) {
                Some(name) if tokens[name].kind == Kind::Name && text(tokens, name) != "return" => first = name,
                Some(end) if matches!(text(tokens, end), ")" | "]") => {
                    first = end;
                    continue;
                }
                _ => return Some((first, last)),
            }
        }
        match first.checked_sub(2) {
            Some(next) if tokens[first - 1].text == "." => first = next,
            _ => return Some((first, last)),
        }
    }
}

/// The operand after an operator.
fn operand_after(tokens: &[Token<'_>], at: usize) -> Option<(usize, usize)> {
    let first = at + 1;
    let mut last = first;
    if !matches!(tokens.get(first)?.kind, Kind::Name | Kind::Number) && tokens[first].text != "(" {
        return None;
    }
    if tokens[first].text == "(" {
        last = matching(tokens, first, 1)?;
    }
    loop {
        match text(tokens, last + 1) {
            "." => last += 2,
            "(" | "[" => last = matching(tokens, last + 1, 1)?,
            _ => return (last < tokens.len()).then_some((first, last)),
        }
    }
}

/// Another member of some structure.
fn member(tokens: &[Token<'_>], at: usize, members: &[String], random: &mut Random) -> Option<Change> {
    let token = &tokens[at];
    if before(tokens, at) != "." || !members.iter().any(|member| member == token.text) {
        return None;
    }
    replace(token, random.pick(members)?.clone(), "member")
}

/// A statement that assigns, left out.
fn drop_statement(tokens: &[Token<'_>], at: usize, _: &[String], _: &mut Random) -> Option<Change> {
    if !matches!(tokens[at].text, "=" | "+=" | "-=" | "*=" | "/=") {
        return None;
    }
    let start = (0..at).rev().take_while(|at| !matches!(tokens[*at].text, ";" | "{" | "}")).last()?;
    let end = (at..tokens.len()).find(|at| tokens[*at].text == ";")?;
    // A declaration is needed by what follows, and the head of a `for` is no statement.
    let is_header = (start..end).any(|at| matches!(tokens[at].text, "let" | "var" | "const" | "for"));
    let bytes = (tokens[start].start, tokens[end].start + 1);
    (!is_header && matches!(before(tokens, start), ";" | "{" | "}") && tokens[start].line == tokens[end].line).then_some(Change {
        start: bytes.0,
        end: bytes.1,
        new: String::new(),
        what: "statement",
    })
}

/// An index off by one.
fn index(tokens: &[Token<'_>], at: usize, _: &[String], random: &mut Random) -> Option<Change> {
    if tokens[at].text != "[" || !is_binary(tokens, at) {
        return None;
    }
    let end = matching(tokens, at, 1)?;
    let last = &tokens[end];
    let suffix = if tokens[at + 1].kind == Kind::Number { "" } else { ["", "u", "i"][random.below(3) as usize] };
    Some(Change { start: last.start, end: last.start + 1, new: format!(" + 1{suffix}]"), what: "index" })
}

/// A builtin taken for one that is like it.
fn extremes(tokens: &[Token<'_>], at: usize, _: &[String], random: &mut Random) -> Option<Change> {
    let others: &[&str] = match tokens[at].text {
        "min" => &["max"],
        "max" => &["min"],
        "floor" => &["ceil", "round"],
        "ceil" => &["floor"],
        "fract" => &["floor"],
        "sin" => &["cos"],
        "cos" => &["sin"],
        "exp2" => &["exp"],
        "log2" => &["log"],
        "sqrt" => &["inverseSqrt"],
        "inverseSqrt" => &["sqrt"],
        "dpdx" => &["dpdy"],
        "dpdy" => &["dpdx"],
        _ => return None,
    };
    (text(tokens, at + 1) == "(").then_some(())?;
    replace(&tokens[at], *random.pick(others)?, "builtin")
}

/// The condition of an `if`, turned round.
fn condition(tokens: &[Token<'_>], at: usize, _: &[String], _: &mut Random) -> Option<Change> {
    if tokens[at].text != "if" {
        return None;
    }
    let end = (at..tokens.len()).find(|at| tokens[*at].text == "{")?;
    let (first, last) = (at + 1, end - 1);
    if last < first || tokens[first].line != tokens[last].line {
        return None;
    }
    let mut inner = String::new();
    let mut place = tokens[first].start;
    for token in &tokens[first..=last] {
        inner.push_str(&" ".repeat(usize::from(token.start > place)));
        inner.push_str(token.text);
        place = token.start + token.text.len();
    }
    Some(Change { start: tokens[first].start, end: place, new: format!("!({inner})"), what: "condition" })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
struct U { scale: f32, bias: f32 }
@group(0) @binding(0) var<uniform> u: U;
@fragment fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> {
    var r = v.xy * u.scale - 0.5;
    if (r.x < 0.25) {
        r = max(r, v.zw);
    }
    return vec4<f32>(r, v[2], u.bias);
}
";

    #[test]
    fn each_edit_changes_just_the_line_that_it_names() {
        let edits = edits(SOURCE, 7, 40);
        assert!(edits.len() >= 25, "{}", edits.len());
        for edit in edits {
            let differing: Vec<usize> =
                SOURCE.lines().zip(edit.text.lines()).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at + 1).collect();
            assert_eq!(differing, [edit.line as usize], "{}", edit.description);
            assert_eq!(SOURCE.lines().count(), edit.text.lines().count(), "{}", edit.description);
            assert!((4..=8).contains(&edit.line), "{}", edit.description);
        }
    }

    #[test]
    fn edits_repeat_with_their_seed() {
        assert_eq!(edits(SOURCE, 3, 10), edits(SOURCE, 3, 10));
        assert_ne!(edits(SOURCE, 3, 10), edits(SOURCE, 4, 10));
    }

    #[test]
    fn operands_are_exchanged_whole() {
        let tokens = tokens("x = a.b(c, d)[1].y - (e + f).z;");
        let at = tokens.iter().position(|token| token.text == "-").unwrap();
        let change = operands(&tokens, at, &[], &mut Random::new(0)).unwrap();
        assert_eq!(change.new, "(e + f).z - a.b(c, d)[1].y");
    }
}
