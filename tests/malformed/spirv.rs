//! Hostile SPIR-V modules.

use crate::harness::{Trial, cuts, files, tests};
use crate::mutate;
use fastrand::Rng;
use gpuproof_program::validate;
use gpuproof_read::spirv::{Error, Options, entry_points, extent};

/// Reads every entry point of a module. Errors name a word of it; what is accepted is valid.
pub fn read(input: &[u8]) -> bool {
    assert!(extent(input).is_none_or(|length| length <= input.len()));
    let words = input.len() as u32 / 4 + 1;
    let check = |error: Error| match error {
        Error::BadInput { message, word, .. } => {
            assert!(word <= words && !message.is_empty(), "word {word} of {words}: {message}")
        }
        Error::Unsupported { what, word, .. } => assert!(word <= words && !what.is_empty(), "word {word} of {words}: {what}"),
        Error::Fault { what, word, .. } => panic!("a fault of the reader at word {word}: {what}"),
    };
    let entries = match entry_points(input) {
        Ok(entries) => entries,
        Err(error) => {
            check(error);
            return false;
        }
    };
    let mut accepted = false;
    for entry in entries {
        match gpuproof_read::spirv::read(input, &Options { entry: Some(entry.name), ..Options::default() }) {
            Ok(program) => {
                validate(&program).unwrap_or_else(|error| panic!("an invalid program: {error}"));
                accepted = true;
            }
            Err(error) => check(error),
        }
    }
    accepted
}

fn modules() -> Vec<(String, Vec<u8>)> {
    let mut found = files(&tests().join("pairs"), "spv");
    found.extend(files(tests(), "spv"));
    found.retain(|(_, bytes)| bytes.len() < 16 << 10);
    assert!(found.len() >= 40, "{} modules", found.len());
    found
}

/// `GPUPROOF_INPUTS=100000` gives more.
fn mutations() -> usize {
    std::env::var("GPUPROOF_INPUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(6_000)
}

#[test]
fn mutated_modules_give_programs_or_errors() {
    let modules = modules();
    let mut trial = Trial::new("spirv", read);
    let mut rng = Rng::with_seed(7);
    for (name, bytes) in &modules {
        for length in cuts(bytes.len(), 8) {
            trial.give(&bytes[..length], || format!("{name} cut at {length}"));
        }
    }
    while trial.inputs() < mutations() {
        let (name, bytes) = &modules[rng.usize(..modules.len())];
        let (_, other) = &modules[rng.usize(..modules.len())];
        let seed = rng.u64(..);
        let mut rng = Rng::with_seed(seed);
        let mutant = if rng.bool() { words(&mut rng, bytes) } else { mutate::bytes(&mut rng, bytes.clone(), other) };
        trial.give(&mutant, || format!("{name}, seed {seed}"));
    }
    trial.end(200);
}

/// Changes one to three operands of a module for ids, small numbers or numbers at an edge, whose instructions stay as long as they are.
fn words(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut operands = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let count = (words[at] >> 16).max(1) as usize;
        operands.extend(at + 1..(at + count).min(words.len()));
        at += count;
    }
    for _ in 0..rng.usize(1..=3) {
        let at = operands[rng.usize(..operands.len())];
        words[at] = match rng.u8(..4) {
            0 => mutate::EDGES[rng.usize(..mutate::EDGES.len())],
            1 => rng.u32(..64),
            _ => rng.u32(1..words[3].max(2)),
        };
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
