//! Case files, held against a program.

#![no_main]

use gpuproof_program::Program;
use gpuproof_prove::cases::{NamedCase, check_case};
use gpuproof_read::dxbc::{Container, program};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let file = include_bytes!("../../tests/fixtures/pbr/ps_5_0.dxbc");
    program(&Container::parse(file).expect("a container")).expect("a program")
});

fuzz_target!(|file: &[u8]| {
    if let Ok(case) = serde_json::from_slice::<NamedCase>(file) {
        _ = check_case(&PROGRAM, &case.case);
    }
});
