//! What is said of mutants without running them is held to runs.

use super::*;
use crate::bind::Map;
use crate::cases::{Generator, UserInputs};
use gpuproof_read::dxbc;
use std::path::Path;

/// Programs of the fixtures: much arithmetic, integers, branches, arrays, doubles.
const FIXTURES: &[&str] = &[
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
];

#[test]
fn no_case_shows_a_mutant_that_is_said_to_be_equivalent() {
    let mut all = 0;
    for name in FIXTURES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/{name}.dxbc"));
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let program = dxbc::Container::parse(&bytes).and_then(|container| dxbc::program(&container)).expect("a program");
        let mutants = mutants(&program);
        let shown = equivalent::equivalent(&program, &mutants.iter().collect::<Vec<_>>());
        let binding = Map::infer(&program, &program).and_then(|map| map.resolve(&program, &program)).expect("a map");
        let user = UserInputs::default();
        let generator = Generator::new(&program, &program, &binding, &user, (1, 8192, 14)).expect("cases");
        let plan = Plan::compile(&program).expect("a plan");
        let cases = (0..generator.count()).map(|number| small(&program, &generator.case(number).case));
        // Loops of some do not end in all cases.
        let mut cases: Vec<Shown> = cases.filter_map(|case| Shown::new(&plan, case, 5_000_000).ok()).collect();
        assert!(cases.len() > 6, "{name}");
        let own = itself(&binding);
        let mut runner = Runner::new(&program, &own, &plan);
        for (mutant, _) in mutants.iter().zip(shown).filter(|(_, shown)| *shown) {
            let plan = runner.plan(mutant).expect("a plan");
            let noticed = first_notice(&mut runner, &plan, &mut cases).expect("a verdict");
            let (line, text) = place(&program, mutant.origin);
            assert!(!noticed, "{name} #{line} {text}: {:?} {}", mutant.kind, mutant.change);
            all += 1;
        }
    }
    assert!(all > 300, "{all}");
}
