//! Hostile WGSL texts.

use crate::harness::{Trial, cuts, files, tests};
use crate::mutate;
use fastrand::Rng;
use gpuproof_program::validate;
use gpuproof_read::wgsl::{Error, Options, entry_points};

/// Reads every entry point of a text. Errors name a line of it; what is accepted is valid.
pub fn read(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let lines = text.lines().count() as u32 + 1;
    let check = |error: Error| match error {
        Error::BadInput { message, line, .. } => {
            assert!(line <= lines && !message.is_empty(), "line {line} of {lines}: {message}");
        }
        Error::Unsupported { what, line } => assert!(line <= lines && !what.is_empty(), "line {line} of {lines}: {what}"),
        Error::Fault { what, line } => panic!("a fault of the reader at line {line}: {what}"),
    };
    let entries = match entry_points(&text) {
        Ok(entries) => entries,
        Err(error) => {
            check(error);
            return false;
        }
    };
    let mut accepted = false;
    for entry in entries {
        let options = Options { entry: Some(entry.name), overrides: Vec::new() };
        match gpuproof_read::wgsl::read(&text, &options) {
            Ok(program) => {
                validate(&program).unwrap_or_else(|error| panic!("an invalid program: {error}"));
                accepted = true;
            }
            Err(error) => check(error),
        }
    }
    accepted
}

/// Words that a mutation puts anywhere: types, builtins, marks and numbers at an edge.
const WORDS: &[&str] = &[
    "f32",
    "i32",
    "u32",
    "bool",
    "f16",
    "vec4<f32>",
    "vec3<u32>",
    "mat4x4<f32>",
    "array<f32, 4>",
    "array<u32>",
    "atomic<u32>",
    "ptr<function, f32>",
    "texture_2d<f32>",
    "sampler",
    "let",
    "var",
    "const",
    "override",
    "fn",
    "struct",
    "loop",
    "for",
    "while",
    "if",
    "else",
    "switch",
    "case",
    "default",
    "continuing",
    "break",
    "continue",
    "return",
    "discard",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "4294967295u",
    "2147483648",
    "-2147483648i",
    "1e38",
    "1e-45",
    "3.4e39",
    "0x1p-149",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ":",
    ".",
    "@",
    "&",
    "*",
    "-",
    "!",
    "~",
    "%",
    "/",
    "<<",
    ">>",
    "==",
    "&&",
    "||",
    "=",
    "->",
    "@builtin(position)",
    "@workgroup_size(1)",
    "@fragment",
    "@compute",
    "workgroupBarrier()",
    "dpdx",
    "select",
    "pow",
    "ldexp",
    "frexp",
    "modf",
    "pack2x16float",
    "textureSample",
    "arrayLength",
    "bitcast<u32>",
    "\u{0}",
    "\u{fffd}",
    "é",
    "//",
    "/*",
    "*/",
];

fn texts() -> Vec<(String, String)> {
    let mut found = files(&tests().join("pairs"), "wgsl");
    found.extend(files(&tests().join("../examples"), "wgsl"));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text");
    let mut texts: Vec<_> = found.into_iter().map(|(name, bytes)| (name, text(bytes))).collect();
    texts.retain(|(_, text)| text.len() < 6000);
    assert!(texts.len() > 20, "only {} texts", texts.len());
    texts
}

#[test]
fn truncations() {
    let mut trial = Trial::new("truncated WGSL", read);
    for (at, (name, text)) in texts().iter().enumerate() {
        trial.give(text.as_bytes(), || name.clone());
        for length in cuts(text.len(), if at % 8 == 0 { 300 } else { 20 }) {
            trial.give(&text.as_bytes()[..length], || format!("{name} cut to {length}"));
        }
    }
    trial.end(20);
}

#[test]
fn mutations() {
    let mut trial = Trial::new("mutated WGSL", read);
    let texts = texts();
    let tokens: Vec<Vec<&str>> = texts.iter().map(|(_, text)| mutate::tokens(text)).collect();
    for seed in 0..10_000 {
        let mut rng = Rng::with_seed(seed);
        let at = rng.usize(..texts.len());
        let other = rng.usize(..texts.len());
        let input = if rng.u8(..8) == 0 {
            mutate::bytes(&mut rng, texts[at].1.clone().into_bytes(), texts[other].1.as_bytes())
        } else {
            mutate::text(&mut rng, &tokens[at], &tokens[other], WORDS).into_bytes()
        };
        trial.give(&input, || format!("seed {seed} on {}", texts[at].0));
    }
    trial.end(200);
}

#[test]
fn random_bytes() {
    let mut trial = Trial::new("random WGSL", read);
    for seed in 0..1_000 {
        let mut rng = Rng::with_seed(seed);
        let input = if seed % 2 == 0 {
            mutate::random(&mut rng, b"fn main() {")
        } else {
            let count = rng.usize(..200);
            let words: Vec<&str> = std::iter::repeat_with(|| WORDS[rng.usize(..WORDS.len())]).take(count).collect();
            words.join(" ").into_bytes()
        };
        trial.give(&input, || format!("seed {seed}"));
    }
    trial.end(0);
}
