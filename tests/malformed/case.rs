//! Hostile case files.

use crate::harness::{Trial, files, tests};
use crate::mutate;
use fastrand::Rng;
use gpuproof_program::{Dimension, Program, TexelFormat};
use gpuproof_prove::cases::{CaseClass, NamedCase, check_case};
use gpuproof_read::dxbc::{Container, program};
use gpuproof_run::{Binding, BufferBinding, Case, LaneValues, Launch, SamplerState, Texture};
use std::sync::{Arc, OnceLock};

/// Programs of each stage that a case is held against.
fn programs() -> &'static [Program] {
    static PROGRAMS: OnceLock<Vec<Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let read = |(_, file): (String, Vec<u8>)| program(&Container::parse(&file).expect("a fixture")).ok();
        let mut programs: Vec<Program> = files(&tests().join("fixtures"), "dxbc").into_iter().filter_map(read).collect();
        programs.sort_by_key(|program| (program.stage as u32, program.functions[0].values.len()));
        programs.dedup_by_key(|program| program.stage as u32);
        assert_eq!(programs.len(), 6, "programs of six stages");
        programs
    })
}

/// Reads a case and holds it against a program of each stage. Errors name a line of the file.
pub fn read(input: &[u8]) -> bool {
    match serde_json::from_slice::<NamedCase>(input) {
        Ok(case) => {
            for program in programs() {
                _ = check_case(program, &case.case).map_err(|error| assert!(!error.to_string().is_empty()));
            }
            true
        }
        Err(error) => {
            let lines = input.split(|byte| *byte == b'\n').count();
            assert!(error.line() <= lines && !error.to_string().is_empty(), "line {} of {lines}: {error}", error.line());
            false
        }
    }
}

/// A case with something of everything.
fn sample() -> String {
    let buffer = BufferBinding { bytes: Arc::new((0..45).collect()), format: None, counter: 3 };
    let texture = Texture {
        dimension: Dimension::D2,
        arrayed: true,
        // R8G8B8A8_UNORM.
        format: TexelFormat(28),
        size: [2, 2, 1],
        layers: 2,
        samples: 1,
        min_lod: 0.0,
        unmapped: false,
        levels: vec![vec![7; 32], vec![9; 8]],
    };
    let lanes = LaneValues { components: [vec![0, 1, 2, 3], vec![0x3f80_0000; 4], Vec::new(), vec![!0; 4]] };
    let case = NamedCase {
        number: 4,
        name: "halves".into(),
        class: CaseClass::Edge,
        seed: 1 << 40,
        case: Case {
            launch: Launch::Pixels { quads: 1, helpers: vec![false, true, false, false] },
            wave_size: 32,
            samples: 1,
            inputs: vec![lanes.clone(), LaneValues::default(), lanes],
            resources: vec![vec![Binding::Buffer(buffer)], vec![Binding::Unbound, Binding::Texture(Arc::new(texture))]],
            samplers: vec![vec![SamplerState::default()]],
        },
    };
    serde_json::to_string_pretty(&case).expect("a case is written")
}

const WORDS: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1e999",
    "4294967296",
    "18446744073709551616",
    "\"\"",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "+zz",
    "+",
    "123456789",
    "\\u0000",
    "NaN",
    "Vertices",
    "Groups",
    "Pixels",
    "Unbound",
    "Buffer",
    "Texture",
];

#[test]
fn truncations_mutations_and_random_bytes() {
    let mut trial = Trial::new("case files", read);
    let text = sample();
    trial.give(text.as_bytes(), || "the sample".into());
    for length in 0..text.len() {
        trial.give(&text.as_bytes()[..length], || format!("cut to {length}"));
    }
    let tokens = mutate::tokens(&text);
    for seed in 0..10_000 {
        let mut rng = Rng::with_seed(seed);
        let input = match seed % 8 {
            0 => mutate::bytes(&mut rng, text.clone().into_bytes(), text.as_bytes()),
            1 => mutate::random(&mut rng, b"{\"number\":"),
            _ => mutate::text(&mut rng, &tokens, &tokens, WORDS).into_bytes(),
        };
        trial.give(&input, || format!("seed {seed}"));
    }
    trial.end(100);
}

/// A deep file ends in an error, not in the end of the stack.
#[test]
fn deep_files() {
    let mut trial = Trial::new("deep case files", read);
    for open in ["[", "{\"case\":", "{\"number\":["] {
        let text = open.repeat(200_000);
        trial.give(text.as_bytes(), || format!("200000 times {open}"));
    }
    trial.end(0);
}
