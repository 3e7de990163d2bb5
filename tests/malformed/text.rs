//! Hostile texts of programs.

use crate::harness::{Trial, cuts, files, tests};
use crate::mutate;
use fastrand::Rng;
use gpuproof_program::text::{parse, print};
use gpuproof_program::validate;
use gpuproof_read::dxbc::{Container, program};

/// Reads a text. Errors name a line of it; a valid program is printed and read back the same.
pub fn read(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    match parse(&text) {
        Ok(program) => {
            let valid = validate(&program).is_ok();
            if valid {
                // Debug text, as a NaN in a default is not equal to itself.
                let again = parse(&print(&program)).expect("what was printed parses");
                assert!(format!("{again:?}") == format!("{program:?}"), "a program is read back differently");
            }
            valid
        }
        Err(error) => {
            assert!((1..=text.lines().count() + 1).contains(&error.line), "no line of the text: {error}");
            false
        }
    }
}

const WORDS: &[&str] = &[
    "%0",
    "%1",
    "%4294967295",
    "@0",
    "@1",
    "1",
    "8",
    "32",
    "64",
    "0x",
    "18446744073709551616",
    "4294967296",
    "fn0",
    "fn1",
    "fn9",
    "in0",
    "out9",
    "res0",
    "array0",
    "if",
    "else",
    "loop",
    "switch",
    "case",
    "default",
    "block",
    "br",
    "return",
    "unreachable",
    "call",
    "f32.add",
    "i1.and",
    "undef",
    "const",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    "=",
    "->",
    "!",
    ";",
    "\"",
    "\\",
    "\\u{",
    "\n",
    ".",
    ":",
    "Some(",
    "None",
    "[[[[",
    "é",
    "\u{0}",
];

fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for (name, file) in files(&tests().join("fixtures"), "dxbc") {
        if let Ok(program) = program(&Container::parse(&file).expect("a fixture")) {
            texts.push((name, print(&program)));
        }
    }
    texts.retain(|(_, text)| text.len() < 20_000);
    assert!(texts.len() > 50, "only {} texts", texts.len());
    texts
}

#[test]
fn truncations() {
    let mut trial = Trial::new("truncated program text", read);
    for (at, (name, text)) in texts().iter().enumerate() {
        trial.give(text.as_bytes(), || name.clone());
        for length in cuts(text.len(), if at % 16 == 0 { 1000 } else { 50 }) {
            trial.give(&text.as_bytes()[..length], || format!("{name} cut to {length}"));
        }
    }
    trial.end(50);
}

#[test]
fn mutations() {
    let mut trial = Trial::new("mutated program text", read);
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
    let mut trial = Trial::new("random program text", read);
    for seed in 0..1_000 {
        let mut rng = Rng::with_seed(seed);
        let input = if seed % 2 == 0 {
            mutate::random(&mut rng, b"program \"main\" d3d11 pixel 1x1x1 entry fn0\n")
        } else {
            let count = rng.usize(..200);
            let words: Vec<&str> = std::iter::repeat_with(|| WORDS[rng.usize(..WORDS.len())]).take(count).collect();
            format!("program \"main\" d3d11 pixel 1x1x1 entry fn0\n{}", words.join(" ")).into_bytes()
        };
        trial.give(&input, || format!("seed {seed}"));
    }
    trial.end(0);
}
