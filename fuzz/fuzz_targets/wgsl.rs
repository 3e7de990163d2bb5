//! WGSL texts, each entry point of them.

#![no_main]

use gpuproof_program::validate;
use gpuproof_read::wgsl::{Error, Options, entry_points, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for entry in entry_points(text).unwrap_or_default() {
        match read(text, &Options { entry: Some(entry.name), overrides: Vec::new() }) {
            Ok(program) => validate(&program).expect("a valid program"),
            Err(error) => assert!(!matches!(error, Error::Fault { .. }), "{error}"),
        }
    }
});
