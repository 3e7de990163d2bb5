//! SPIR-V modules, each entry point of them.

#![no_main]

use gpuproof_program::validate;
use gpuproof_read::spirv::{Error, Options, entry_points, extent, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    assert!(extent(bytes).is_none_or(|length| length <= bytes.len()));
    for entry in entry_points(bytes).unwrap_or_default() {
        match read(bytes, &Options { entry: Some(entry.name), ..Options::default() }) {
            Ok(program) => validate(&program).expect("a valid program"),
            Err(error) => assert!(!matches!(error, Error::Fault { .. }), "{error}"),
        }
    }
});
