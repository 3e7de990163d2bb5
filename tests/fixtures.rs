//! The fixtures: all vertex, pixel and compute programs run; what they compute does not depend on the parts that games strip, nor on
//! whether the compiler optimised, where it may not round otherwise.
//!
//! That every fixture decodes and is encoded back to the same bytes is held in the reader's own tests.

use gpuproof_program::Program;
use gpuproof_prove::Settings;
use gpuproof_prove::bind::Map;
use gpuproof_prove::cases::{Generator, UserInputs};
use gpuproof_prove::compare::Status;
use gpuproof_read::dxbc::{self, Container};
use gpuproof_run::{Options, Plan, RunError};
use gpuproof_tests::programs::{bytes, compare, containers, each, original, root};
use std::path::PathBuf;

/// Programs with loops whose number of rounds is a constant of the case, or that end by no constant below 0: no budget is enough for some cases.
const UNBOUNDED: &[&str] = &["flow", "parallax"];

/// Where fxc's optimiser changes results in a way that is not shown to be allowed, and how.
const REFACTORED: &[(&str, &str)] = &[(
    "/doubles/cs_5_0-extended",
    "a clamp by dmax and dmin became _sat, and -0 came out as +0: of equal operands either is allowed (22.10.10)",
)];

fn path(name: &str) -> PathBuf {
    root().join(format!("{name}.dxbc"))
}

/// The fixtures of stages that run.
fn runnable() -> Vec<String> {
    let runs = |name: &String| ["/vs_", "/ps_", "/cs_"].iter().any(|stage| name.contains(stage));
    let found: Vec<String> = containers("tests/fixtures").into_iter().filter(runs).collect();
    assert!(found.len() >= 180, "{} fixtures", found.len());
    found
}

fn is_unbounded(name: &str) -> bool {
    UNBOUNDED.iter().any(|folder| name.contains(&format!("/{folder}/")))
}

fn finite(lanes: u64) -> Settings {
    Settings { lanes, edges: false, max_steps: 200_000_000, locate: false, ..Settings::default() }
}

/// Runs a program on generated cases of each kind. How many of them it ran to the end.
fn run(name: &str, program: &Program) -> Result<usize, String> {
    let map = Map::infer(program, program).map_err(|error| error.to_string())?;
    let binding = map.resolve(program, program).map_err(|error| error.to_string())?;
    let user = UserInputs::default();
    let generator = Generator::new(program, program, &binding, &user, (1, 14 * 128, 14)).map_err(|error| error.to_string())?;
    let plan = Plan::compile(program).map_err(|error| error.to_string())?;
    let mut ran = 0;
    for number in 0..generator.count() {
        let case = generator.case(number);
        match plan.run(&case.case, &Options { max_steps: 20_000_000, ..Options::default() }) {
            Ok(_) => ran += 1,
            Err(RunError::StepLimit { .. }) if is_unbounded(name) => {}
            Err(error) => return Err(format!("case {number} ({}): {error}", case.name)),
        }
    }
    Ok(ran)
}

#[test]
fn fixtures_run() {
    let failed: Vec<String> = each(&runnable(), |name| match run(name, &original(&path(name))) {
        Ok(ran) if ran > 0 => None,
        Ok(_) => Some(format!("{name}: ran to the end in no case")),
        Err(error) => Some(format!("{name}: {error}")),
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), runnable().len(), failed.join("\n"));
}

/// Whether a limit of a comparison leaves what was compared as good as it is: an output that no case reaches, or, of programs whose rounds no
/// budget bounds, cases that were cut short.
fn is_harmless(name: &str, limit: &str) -> bool {
    limit.starts_with("no lane of any case wrote") || is_unbounded(name) && limit.starts_with("case ")
}

/// Words of which nothing is promised, by the part of the name that programs have in common.
const UNSPECIFIED: &[(&str, &str)] =
    &[("/ssao/ps_5_0", "a maximum with 0 drops a NaN (#111), and NaN may be ignored where all may be refactored (22.3.2)")];

/// A comparison that must hold on words that were compared; what it came to when it does not.
fn must_hold(name: &str, first: &Program, second: &Program, lanes: u64) -> Option<String> {
    match compare(first, second, &finite(lanes)) {
        Ok(evidence) => {
            let tally = evidence.census.total();
            let unspecified = UNSPECIFIED.iter().any(|(known, _)| name.ends_with(known)) as u64 * tally.unspecified;
            let rest = tally.words() - tally.same - tally.allowed - unspecified;
            let harmless = evidence.limits.iter().all(|limit| is_harmless(name, limit));
            let holds =
                evidence.status == Status::Holds || evidence.status == Status::Inconclusive && !evidence.limits.is_empty();
            let good = holds && rest == 0 && tally.same > 0 && harmless;
            (!good).then(|| format!("{name}: {:?} {tally:?} {:?} {:?}", evidence.status, evidence.limits, evidence.first))
        }
        Err(error) => Some(format!("{name}: {error}")),
    }
}

#[test]
fn stripped_programs_are_the_same() {
    // With reflection and statistics left out here, and as the compiler's own tool left them out.
    let failed: Vec<String> = each(&runnable(), |name| {
        let container = Container::parse(&bytes(&path(name))).expect("a container");
        let whole = dxbc::program(&container).expect("a program");
        let keep = |part: &&dxbc::Part| ![*b"RDEF", *b"STAT"].contains(&part.code().0);
        let stripped = Container::new(container.parts().iter().filter(keep).cloned().collect()).expect("a container");
        let own = must_hold(name, &whole, &dxbc::program(&stripped).expect("a program"), 2048);
        let vendor = Some(path(&format!("{name}-strip"))).filter(|stripped| stripped.exists());
        own.or_else(|| vendor.and_then(|stripped| must_hold(&format!("{name}-strip"), &whole, &original(&stripped), 2048)))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failed.is_empty(), "{} differ\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn optimised_programs_are_the_same_where_nothing_may_be_refactored() {
    let pairs: Vec<String> = runnable().into_iter().filter(|name| path(&format!("{name}-od")).exists()).collect();
    assert!(pairs.len() >= 50, "{} pairs", pairs.len());
    let refactored = |name: &str| REFACTORED.iter().find(|(known, _)| name.ends_with(known)).map(|(_, why)| *why);
    let found = each(&pairs, |name| {
        // Some refactorings show on few lanes.
        let lanes = if refactored(name).is_some() { 65536 } else { 4096 };
        must_hold(name, &original(&path(&format!("{name}-od"))), &original(&path(name)), lanes)
    });
    let mut failed = Vec::new();
    for (name, found) in pairs.iter().zip(found) {
        match (found, refactored(name)) {
            (Some(found), None) => failed.push(found),
            (None, Some(why)) => failed.push(format!("{name} is the same, yet listed: {why}")),
            _ => {}
        }
    }
    assert!(failed.is_empty(), "{} of {}\n{}", failed.len(), pairs.len(), failed.join("\n"));
}
