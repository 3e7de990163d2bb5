//! What is said of mutants without running them is held to runs.

use super::*;
use crate::fixture;

#[test]
fn no_case_shows_a_mutant_that_is_said_to_be_equivalent() {
    let mut all = 0;
    for name in fixture::NAMES {
        let (program, binding, cases) = fixture::program(name);
        let mutants = mutants(&program);
        let shown = equivalent::equivalent(&program, &mutants.iter().collect::<Vec<_>>());
        let plan = Plan::compile(&program).expect("a plan");
        // Loops of some do not end in all cases.
        let mut cases: Vec<Shown> = cases.into_iter().filter_map(|case| Shown::new(&plan, case, 5_000_000).ok()).collect();
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
