//! Mutants of the fixtures: how many of them the comparison's cases show. `tests/adequacy/MUTANTS.md` has the whole table.

use gpuproof_program::Dialect;
use gpuproof_prove::adequacy::{Adequacy, AdequacySettings, MutantKind, MutantTally, Mutants, Survivor};
use gpuproof_prove::{Settings, Side};
use gpuproof_tests::programs::{compare, containers, each, original, root};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The fixtures of stages that run, but those that only differ from another by parts that are left out.
fn fixtures() -> Vec<String> {
    let runs = |name: &String| ["/vs_", "/ps_", "/cs_"].iter().any(|stage| name.contains(stage));
    containers("tests/fixtures").into_iter().filter(|name| runs(name) && !name.ends_with("-strip")).collect()
}

/// What the cases of a comparison of a program with itself are worth.
fn measure(name: &str, settings: &AdequacySettings) -> Adequacy {
    let program = original(&root().join(format!("{name}.dxbc")));
    let adequacy = Some(settings.clone());
    let settings = Settings { adequacy, max_steps: 400_000_000, locate: false, ..Settings::default() };
    let evidence = compare(&program, &program, &settings).unwrap_or_else(|error| panic!("{name}: {error}"));
    evidence.adequacy.unwrap_or_else(|| panic!("{name}: {} without adequacy", Side::Original))
}

/// The sum of the mutants of several programs, by kind.
fn sum<'a>(all: impl Iterator<Item = &'a Mutants>) -> BTreeMap<MutantKind, MutantTally> {
    let mut found = BTreeMap::new();
    for tally in all.flat_map(|mutants| &mutants.kinds) {
        let zero = MutantTally { kind: tally.kind, made: 0, noticed: 0, equivalent: 0, survived: 0 };
        let slot: &mut MutantTally = found.entry(tally.kind).or_insert(zero);
        slot.made += tally.made;
        slot.noticed += tally.noticed;
        slot.equivalent += tally.equivalent;
        slot.survived += tally.survived;
    }
    found
}

fn share(tally: &MutantTally) -> f64 {
    f64::from(tally.noticed + tally.equivalent) / f64::from(tally.made.max(1)) * 100.0
}

fn survivor(survivor: &Survivor) -> String {
    let Survivor { kind, text, change, infected, .. } = survivor;
    let seen = if *infected { "" } else { "; the same on every lane" };
    format!("{kind:?} #{} `{text}`: {change}{seen}", survivor.place(Dialect::D3D11))
}

/// Fixtures of each stage, with most kinds of mutants between them. Where the cases show fewer is in `tests/adequacy/MUTANTS.md`.
const SOME: &[&str] = &["constants/vs_5_0", "noise/ps_5_0", "particles/cs_5_0", "skinning/vs_5_0", "switches/ps_5_0"];

#[test]
fn mutants_of_some_fixtures_are_noticed() {
    let found = each(SOME, |name| measure(&format!("tests/fixtures/{name}"), &AdequacySettings::quick()));
    let total = sum(found.iter().filter_map(|found| found.mutants.as_ref()));
    assert!(total.len() >= 9, "{total:?}");
    let all: u32 = total.values().map(|tally| tally.made).sum();
    assert!(all >= 1000, "{all} mutants");
    for (kind, tally) in &total {
        // Of a few mutants one is many.
        assert!(share(tally) >= 95.0 || tally.survived <= 2, "{kind:?}: {:.1}% of {} mutants", share(tally), tally.made);
    }
}

#[test]
#[ignore = "runs every mutant of every fixture, about ten minutes; writes tests/adequacy/MUTANTS.md"]
fn all_mutants_of_all_fixtures() {
    let only = std::env::var("GPUPROOF_FIXTURES").unwrap_or_default();
    let names: Vec<String> = fixtures().into_iter().filter(|name| name.contains(&only)).collect();
    let found = each(&names, |name| {
        let start = std::time::Instant::now();
        let adequacy = measure(name, &AdequacySettings::full());
        eprintln!("{name} {:?}", start.elapsed());
        adequacy
    });
    let mutants: Vec<(&String, &Mutants)> =
        names.iter().zip(&found).filter_map(|(name, found)| Some((name, found.mutants.as_ref()?))).collect();
    let mut text = String::from(
        "# Mutants of the fixtures\n\nWritten by `cargo test -p gpuproof-tests --test adequacy -- --ignored`.\n\n| kind | made | noticed | equivalent | survived | noticed or equivalent |\n|---|---|---|---|---|---|\n",
    );
    let total = sum(mutants.iter().map(|(_, mutants)| *mutants));
    for (kind, tally) in &total {
        let MutantTally { made, noticed, equivalent, survived, .. } = tally;
        let _ = writeln!(text, "| {kind:?} | {made} | {noticed} | {equivalent} | {survived} | {:.1}% |", share(tally));
    }
    text.push_str("\n| program | made | noticed | equivalent | survived |\n|---|---|---|---|---|\n");
    for (name, mutants) in &mutants {
        let all: Vec<MutantTally> = mutants.kinds.clone();
        let of = |count: fn(&MutantTally) -> u32| all.iter().map(count).sum::<u32>();
        let name = name.trim_start_matches("tests/fixtures/");
        let (made, noticed) = (of(|tally| tally.made), of(|tally| tally.noticed));
        let (equivalent, survived) = (of(|tally| tally.equivalent), of(|tally| tally.survived));
        let _ = writeln!(text, "| {name} | {made} | {noticed} | {equivalent} | {survived} |");
    }
    for (name, mutants) in mutants.iter().filter(|(_, mutants)| !mutants.survivors.is_empty()) {
        let _ = writeln!(text, "\n## {}\n", name.trim_start_matches("tests/fixtures/"));
        for one in &mutants.survivors {
            let _ = writeln!(text, "* {}", survivor(one));
        }
    }
    let path = if only.is_empty() { root().join("tests/adequacy/MUTANTS.md") } else { std::env::temp_dir().join("MUTANTS.md") };
    std::fs::write(path, text).expect("the table can be written");
    for (kind, tally) in &total {
        assert!(share(tally) >= 95.0 || !only.is_empty(), "{kind:?}: {:.1}% of {} mutants", share(tally), tally.made);
    }
}
