//! Where a text that is no formulas goes wrong, and what it may have meant.

use super::FormulaError;
use super::names::{Token, tokens};
use super::vocabulary::Vocabulary;
use gpuproof_read::wgsl;

/// What HLSL calls things that WGSL calls otherwise.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("asfloat", "bitcast<f32>"),
    ("asint", "bitcast<i32>"),
    ("asuint", "bitcast<u32>"),
    ("bool2", "vec2<bool>"),
    ("bool3", "vec3<bool>"),
    ("bool4", "vec4<bool>"),
    ("ddx", "dpdx"),
    ("ddy", "dpdy"),
    ("float", "f32"),
    ("float2", "vec2f"),
    ("float3", "vec3f"),
    ("float4", "vec4f"),
    ("frac", "fract"),
    ("int", "i32"),
    ("int2", "vec2i"),
    ("int3", "vec3i"),
    ("int4", "vec4i"),
    ("lerp", "mix"),
    ("rcp", "1.0 / x"),
    ("rsqrt", "inverseSqrt"),
    ("uint", "u32"),
    ("uint2", "vec2u"),
    ("uint3", "vec3u"),
    ("uint4", "vec4u"),
];

/// The error of the WGSL reader as one of the text that the module was made of, whose body begins at a byte of it.
pub(super) fn mistake(error: wgsl::Error, (module, body_at): (&str, usize), text: &str, vocabulary: &Vocabulary) -> FormulaError {
    match error {
        wgsl::Error::Unsupported { what, line } => {
            FormulaError { line, ..FormulaError::unsupported(format!("{what} is not supported")) }
        }
        wgsl::Error::Fault { what, line } => FormulaError::new(line, what),
        wgsl::Error::BadInput { message, line, column } => {
            let mut found = headline(&message);
            if let Some(name) = found.split('`').nth(1).filter(|_| found.contains("no definition in scope")) {
                found.push_str(&meant(name, text, vocabulary));
            }
            let (line, column) = expression_place(&message, module).unwrap_or((line, column));
            let column = place(module, body_at, text, (line, column)).unwrap_or(0);
            FormulaError { column, ..FormulaError::new(line, found) }
        }
    }
}

/// What is wrong, and what is said of the place, without the module's lines. What naga's validator finds is said in its last note.
fn headline(message: &str) -> String {
    let first = message.lines().next().unwrap_or("").trim_start_matches("error: ").to_string();
    if first.ends_with("is invalid") {
        let mut notes = message.lines().filter_map(|line| line.trim().strip_prefix("= "));
        return notes.next_back().map_or(first, plain);
    }
    let labels = message.lines().filter_map(|line| Some(line.rsplit_once('^')?.1.trim()));
    labels.filter(|label| !label.is_empty() && !first.contains(label)).fold(first.clone(), |all, label| format!("{all}: {label}"))
}

/// Line and column of the expression that naga's validator names, which gives the function's as the place.
fn expression_place(message: &str, module: &str) -> Option<(u32, u32)> {
    let lines: Vec<&str> = message.lines().collect();
    let names = |line: &&str| line.rsplit_once('^').is_some_and(|(_, label)| label.trim().starts_with("naga::ir::Expression"));
    let at = lines.iter().rposition(names)?;
    let source = lines[..at].iter().rev().find(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))?;
    let number: u32 = source.trim_start().split(' ').next()?.parse().ok()?;
    let made = module.lines().nth((number as usize).checked_sub(1)?)?.trim_end();
    let starts = source[..source.find(made)?].chars().count();
    let marks = &lines[at][..=lines[at].rfind('^')?];
    let column = marks.trim_end_matches('^').chars().count().checked_sub(starts)?;
    Some((number, column as u32 + 1))
}

/// A note of naga's validator with WGSL's names of types, and without its numbers of expressions.
fn plain(note: &str) -> String {
    if note.contains("doesn't match the type stored in") {
        return "the value has another type than what it is assigned to".into();
    }
    let mut text = note.to_string();
    for (kind, width, name) in [
        ("Float", 4, "f32"),
        ("Sint", 4, "i32"),
        ("Uint", 4, "u32"),
        ("Bool", 1, "bool"),
        ("Float", 8, "f64"),
        ("Uint", 8, "u64"),
    ] {
        let scalar = format!("Scalar {{ kind: {kind}, width: {width} }}");
        for (size, count) in [("Bi", 2), ("Tri", 3), ("Quad", 4)] {
            let vector = format!("Vector {{ size: {size}, scalar: {scalar} }}");
            text = text.replace(&vector, &format!("vec{count}<{name}>"));
        }
        text = text.replace(&format!("Scalar({scalar})"), name).replace(&scalar, name);
    }
    // `[4] (of type vec3<f32>)`
    while let Some(middle) = text.find("] (of type ") {
        let (Some(start), Some(end)) = (text[..middle].rfind('['), text[middle..].find(')')) else { break };
        let ty = text[middle + "] (of type ".len()..middle + end].to_string();
        text.replace_range(start..=middle + end, &ty);
    }
    // The numbers of expressions alone.
    let is_number = |word: &&str| word.starts_with('[') && word.ends_with(']');
    text.split(' ').filter(|word| !is_number(word)).collect::<Vec<_>>().join(" ")
}

/// The column in the text of what stands at a place of the module: names were replaced and assignments rewritten, so the same word is looked for.
fn place(module: &str, body_at: usize, text: &str, (line, column): (u32, u32)) -> Option<u32> {
    let at = (line as usize).checked_sub(1)?;
    let (made, own) = (module.lines().nth(at)?, text.lines().nth(at)?);
    let starts = if at == 0 { body_at.min(made.len()) } else { 0 };
    let words = tokens(made);
    let word = words.iter().find(|token| token.end() >= column as usize && token.at >= starts)?;
    let same = |token: &&Token<'_>| token.text == word.text;
    let before = words.iter().filter(same).filter(|token| token.at >= starts && token.at < word.at).count();
    let alike: Vec<Token<'_>> = tokens(own).into_iter().filter(|token| token.text == word.text).collect();
    alike.get(before).or(alike.first()).map(|token| token.at as u32 + 1)
}

/// What a name that is not known may have meant.
fn meant(name: &str, text: &str, vocabulary: &Vocabulary) -> String {
    if let Some((_, other)) = OTHER_NAMES.iter().find(|(known, _)| *known == name) {
        return format!("; WGSL has {other}");
    }
    let all = tokens(text);
    let declared =
        all.windows(2).filter(|pair| ["let", "var", "const"].contains(&pair[0].text)).map(|pair| pair[1].text.to_string());
    let mut near: Vec<(usize, String)> = vocabulary
        .all_names()
        .into_iter()
        .chain(declared)
        .map(|known| (distance(&known.to_ascii_lowercase(), &name.to_ascii_lowercase()), known))
        .filter(|(distance, known)| known != name && *distance <= 1 + name.len() / 4)
        .collect();
    near.sort();
    near.dedup();
    let names: Vec<String> = near.into_iter().take(3).map(|(_, known)| known).collect();
    if names.is_empty() { String::new() } else { format!("; near it there is {}", names.join(", ")) }
}

/// How many letters have to be added, left out or changed to make one word another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (to, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[to + 1];
            row[to + 1] = changed.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row[b.len()]
}
