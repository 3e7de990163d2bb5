//! The text form of programs.

#![no_main]

use gpuproof_program::text::{parse, print};
use gpuproof_program::validate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(program) = parse(text)
        && validate(&program).is_ok()
    {
        // Debug text, as a NaN in a default is not equal to itself.
        let again = parse(&print(&program)).expect("what was printed parses");
        assert_eq!(format!("{again:?}"), format!("{program:?}"));
    }
});
