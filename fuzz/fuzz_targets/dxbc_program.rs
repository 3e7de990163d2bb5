//! The tokens of a DXBC program: decoding, listing, encoding and translation. The input is the part that holds the code.

#![no_main]

use gpuproof_program::validate;
use gpuproof_read::dxbc::{Container, FourCc, Part, Shader, listing, program};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|tokens: &[u8]| {
    let container = Container::new(vec![Part::new(FourCc(*b"SHEX"), tokens.to_vec())]).expect("a small container");
    if let Ok(shader) = Shader::find(&container) {
        listing(&shader);
        assert_eq!(shader.encode().expect("what was decoded encodes"), tokens);
    }
    if let Ok(program) = program(&container) {
        validate(&program).expect("a valid program");
    }
});
