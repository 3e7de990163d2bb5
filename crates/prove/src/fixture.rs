//! Compiled programs of the repository with generated cases, for tests of what is said without running.

use crate::adequacy::small;
use crate::bind::{Binding, Map};
use crate::cases::{Generator, UserInputs};
use gpuproof_program::Program;
use gpuproof_read::dxbc;
use gpuproof_run::Case;
use std::path::Path;

/// Programs of the fixtures: much arithmetic, integers, branches, arrays, doubles, threads that meet.
pub(crate) const NAMES: &[&str] = &[
    "floats/ps_5_0-od",
    "integers/ps_5_0-od",
    "doubles/cs_5_0-od",
    "flow/ps_5_0-od",
    "indexing/ps_4_0-od",
    "fxaa/ps_5_0-od",
    "pbr/ps_5_0",
    "noise/ps_5_0-od",
    "uavs/cs_5_0-od",
    "atomics/cs_5_0-od",
    "bitonic/cs_5_0-od",
    "parallax/ps_5_0-od",
    "counters/ps_5_0-od",
    "doubles/cs_5_0-extended",
    "compute_4/cs_4_0",
    "integers/cs_5_0-od",
    "indexing/vs_4_0-od",
    "lightcull/cs_5_0-od",
    "compute_4/cs_4_0-od",
];

/// A program, its binding to itself, and cases of few lanes.
pub(crate) fn program(name: &str) -> (Program, Binding, Vec<Case>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/{name}.dxbc"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let program = dxbc::Container::parse(&bytes).and_then(|container| dxbc::program(&container)).expect("a program");
    let binding = Map::infer(&program, &program).and_then(|map| map.resolve(&program, &program)).expect("a map");
    let user = UserInputs::default();
    let generator = Generator::new(&program, &program, &binding, &user, (1, 8192, 14)).expect("cases");
    let cases = (0..generator.count()).map(|number| small(&program, &generator.case(number).case)).collect();
    (program, binding, cases)
}
