//! The container and the parsers of its parts.

#![no_main]

use gpuproof_read::dxbc::{
    Container, Debug, Effect, Level9, Linkage, Reflection, RootSignature, Signature, Statistics, disassembly, required_features,
    search,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    _ = Effect::parse(file);
    _ = search(file).count();
    let Ok(container) = Container::parse(file) else { return };
    assert_eq!(container.write(), file);
    container.check_digest();
    for part in container.parts() {
        _ = Reflection::parse(part);
        _ = Signature::parse(part);
        _ = Linkage::parse(part);
        _ = Level9::parse(part);
        _ = Debug::parse(part);
        _ = Effect::parse(part.data());
        _ = RootSignature::parse(part).map(|signature| signature.to_string());
        _ = Statistics::parse(part).named().count();
    }
    _ = required_features(&container);
    _ = disassembly(&container);
});
