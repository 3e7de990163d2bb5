//! The fixtures: all vertex, pixel and compute programs run, and no comparison of one with what it must be the same as is a false alarm: with itself, with
//! what is left of it without the parts that games strip, and, as the port of its unoptimised build, but for what the compiler was allowed to change.
//!
//! What the optimiser changed that is neither the same nor shown to be allowed is in `tests/fixtures/changed.tsv`, with the instruction and the reason.
//! `UPDATE=1 cargo test -p gpuproof-tests --test fixtures unoptimised` writes the list again; reasons stay, and what has none fails.
//!
//! That every fixture decodes and is encoded back to the same bytes is held in the reader's own tests.

use gpuproof_program::Program;
use gpuproof_prove::bind::Map;
use gpuproof_prove::cases::{Generator, UserInputs};
use gpuproof_prove::compare::{Status, Tally};
use gpuproof_prove::explain::RefactoredTally;
use gpuproof_prove::{Evidence, Settings};
use gpuproof_read::dxbc::{self, Container};
use gpuproof_run::{Options, Plan, RunError};
use gpuproof_tests::programs::{bytes, compare, each, original, root, text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Programs with loops whose number of rounds is a constant of the case, or that end by no constant below 0: no budget is enough for some cases.
const UNBOUNDED: &[&str] = &["flow", "parallax"];

/// Some refactorings show on few lanes.
const MANY_LANES: &[&str] = &["pbr/ps_5_0", "noise/ps_5_0", "skinning/vs_5_0"];

/// Flags that say how to compile, not what: to skip optimisation, its levels, partial precision, avoiding and preferring flow control.
const WAYS: u32 = 0x4 | 0xc000 | 0x20 | 0x200 | 0x400;

/// A line of `tests/fixtures/manifest.tsv`.
struct Build {
    name: String,
    entry: String,
    profile: String,
    flags: u32,
    is_stripped: bool,
    /// `pbr/ps_5_0`
    path: String,
}

impl Build {
    fn file(&self) -> PathBuf {
        root().join("tests/fixtures").join(format!("{}.dxbc", self.path))
    }

    fn is_optimised(&self) -> bool {
        self.flags & 0x4 == 0
    }

    /// Whether both are builds of one program by the same rules.
    fn is_of_same_program(&self, other: &Build) -> bool {
        let program = |build: &Build| (build.name.clone(), build.entry.clone(), build.profile.clone(), build.flags & !WAYS);
        program(self) == program(other)
    }
}

/// The builds of stages that run.
fn runnable() -> Vec<Build> {
    let manifest = text(&root().join("tests/fixtures/manifest.tsv"));
    let build = |line: &str| {
        let [name, entry, profile, flags, strip, output] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six fields: {line}")
        };
        let flags = u32::from_str_radix(flags.trim_start_matches("0x"), 16).expect("flags");
        let (name, entry, profile) = (name.to_string(), entry.to_string(), profile.to_string());
        Build { path: format!("{name}/{output}"), name, entry, profile, flags, is_stripped: strip != "0" }
    };
    let mut all: Vec<Build> = manifest.lines().skip(1).map(build).collect();
    all.retain(|build| ["vs_", "ps_", "cs_"].iter().any(|stage| build.profile.starts_with(stage)));
    all
}

/// Those that nothing is stripped of. `GPUPROOF_FIXTURES=doubles/` takes only some.
fn whole() -> Vec<Build> {
    let mut all: Vec<Build> = runnable().into_iter().filter(|build| !build.is_stripped).collect();
    assert!(all.len() >= 220, "{} fixtures", all.len());
    let only = std::env::var("GPUPROOF_FIXTURES").unwrap_or_default();
    all.retain(|build| build.path.contains(&only));
    all
}

fn is_unbounded(name: &str) -> bool {
    UNBOUNDED.iter().any(|folder| name.split('/').next() == Some(folder))
}

fn settings(lanes: u64) -> Settings {
    Settings { lanes, max_steps: 200_000_000, locate: false, ..Settings::default() }
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

/// The sound programs of every opcode, as far as their stage runs: no compiler writes them (`scripts/hlsl/sound.py`).
#[test]
fn sound_programs_run() {
    let targets = ["4_0", "4_1", "5_0", "5_1"].map(|model| ["vs", "ps", "cs"].map(|stage| format!("sound-{stage}_{model}")));
    let failed: Vec<String> = each(targets.as_flattened(), |name| {
        match run(name, &original(&root().join("tests/listings").join(format!("{name}.dxbc")))) {
            Ok(14) => None,
            Ok(ran) => Some(format!("{name}: ran to the end in {ran} cases")),
            Err(error) => Some(format!("{name}: {error}")),
        }
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn fixtures_run() {
    let builds = whole();
    let failed: Vec<String> = each(&builds, |build| match run(&build.path, &original(&build.file())) {
        Ok(ran) if ran > 0 => None,
        Ok(_) => Some(format!("{}: ran to the end in no case", build.path)),
        Err(error) => Some(format!("{}: {error}", build.path)),
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), builds.len(), failed.join("\n"));
}

/// Whether a limit of a comparison leaves what was compared as good as it is: an output that no case reaches, or, of programs whose rounds no
/// budget bounds, cases that were cut short.
fn is_harmless(name: &str, limit: &str) -> bool {
    limit.starts_with("no lane of any case wrote") || is_unbounded(name) && limit.starts_with("case ")
}

/// Compares on finite and edge cases.
///
/// # Errors
/// What is wrong with the comparison itself.
fn compared(name: &str, first: &Program, second: &Program, lanes: u64) -> Result<Evidence, String> {
    let evidence = compare(first, second, &settings(lanes)).map_err(|error| format!("{name}: {error}"))?;
    let limit = evidence.limits.iter().find(|limit| !is_harmless(name, limit));
    let (finite, edge) = (evidence.census.finite, evidence.census.edge);
    match limit {
        Some(limit) => Err(format!("{name}: {limit}")),
        None if finite.same == 0 => Err(format!("{name}: nothing is the same: {finite:?} {edge:?}")),
        None => Ok(evidence),
    }
}

/// A program that its own text must be the same as, on every word; what it came to when it is not.
fn must_be_same(name: &str, first: &Program, second: &Program) -> Option<String> {
    match compared(name, first, second, 2048) {
        Ok(evidence) => {
            let total = evidence.census.total();
            let good = total.same == total.words() && (evidence.status == Status::Holds || !evidence.limits.is_empty());
            (!good).then(|| format!("{name}: {:?} {total:?} {:?}", evidence.status, evidence.first))
        }
        Err(error) => Some(error),
    }
}

#[test]
fn programs_are_the_same_as_themselves_and_stripped() {
    let all = runnable();
    let failed: Vec<String> = each(&whole(), |build| {
        let container = Container::parse(&bytes(&build.file())).expect("a container");
        let program = dxbc::program(&container).expect("a program");
        let keep = |part: &&dxbc::Part| ![*b"RDEF", *b"STAT"].contains(&part.code().0);
        let stripped = Container::new(container.parts().iter().filter(keep).cloned().collect()).expect("a container");
        // The compiler's own tool takes away these parts and leaves the rest as it is.
        let vendor = all.iter().find(|other| other.is_stripped && other.is_of_same_program(build) && other.flags == build.flags);
        assert!(vendor.is_some() || !build.is_optimised(), "{}: no stripped form", build.path);
        let data =
            |container: &Container| container.parts().iter().map(|part| (part.code(), part.data().to_vec())).collect::<Vec<_>>();
        let of_vendor = vendor.map(|vendor| Container::parse(&bytes(&vendor.file())).expect("a container"));
        let alike = of_vendor.is_none_or(|vendor| data(&vendor) == data(&stripped));
        let without = dxbc::program(&stripped).expect("a program");
        let bare = format!("{} stripped", build.path);
        (!alike)
            .then(|| format!("{bare}: other parts than by the vendor's tool"))
            .or_else(|| must_be_same(&build.path, &program, &program))
            .or_else(|| must_be_same(&bare, &program, &without))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(failed.is_empty(), "{} differ\n{}", failed.len(), failed.join("\n"));
}

const HEAD: &str = "build\tcases\tunspecified\tdifferent\tleft where it may be refactored\tinstruction of the unoptimised build, and what the optimiser did\n";

/// The classes of cases in which an optimised build has words that are neither the same as its unoptimised one's nor allowed: how many are
/// unspecified and different, and how many of either are left where the unoptimised build may be refactored.
fn changed(build: &Build, unoptimised: &Build) -> Result<Vec<(String, [u64; 3])>, String> {
    let lanes = if MANY_LANES.contains(&build.path.as_str()) { 65536 } else { 4096 };
    let (first, second) = (original(&unoptimised.file()), original(&build.file()));
    let evidence = compared(&build.path, &first, &second, lanes)?;
    // The HLSL compiler may refactor; a program of shader model 4 has no flag to say so (22.3.2).
    let (census, refactored) = (evidence.census, evidence.refactored.unwrap_or_default());
    let row = |(class, tally, refactored): (&str, Tally, RefactoredTally)| {
        assert_eq!(tally.undefined + tally.schedule, 0, "{}: {tally:?}", build.path);
        let left = tally.unspecified + tally.different - refactored.allowed;
        (tally.unspecified + tally.different > 0)
            .then(|| (format!("{}\t{class}", build.path), [tally.unspecified, tally.different, left]))
    };
    let classes = [("finite", census.finite, refactored.finite), ("edge", census.edge, refactored.edge)];
    Ok(classes.into_iter().filter_map(row).collect())
}

#[test]
fn unoptimised_programs_are_the_same_but_for_what_is_listed() {
    let all = whole();
    let (optimised, rest): (Vec<&Build>, Vec<&Build>) = all.iter().partition(|build| build.is_optimised());
    let unoptimised = |build: &Build| {
        let found = rest.iter().find(|other| other.is_of_same_program(build));
        *found.unwrap_or_else(|| panic!("{}: no unoptimised build", build.path))
    };
    let path = root().join("tests/fixtures/changed.tsv");
    let listed = text(&path);
    // What was found before, at most, and the reason.
    let mut known: BTreeMap<String, ([u64; 3], &str)> = BTreeMap::new();
    for line in listed.lines().skip(1) {
        let [build, class, unspecified, different, left, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six fields: {line}")
        };
        let number = |text: &str| text.parse().expect("a number");
        known.insert(format!("{build}\t{class}"), ([number(unspecified), number(different), number(left)], reason));
    }
    let (mut found, mut failed) = (HEAD.to_string(), Vec::new());
    for rows in each(&optimised, |build| changed(build, unoptimised(build))) {
        let rows = rows.unwrap_or_else(|error| {
            failed.push(error);
            Vec::new()
        });
        for (key, numbers) in rows {
            let (most, reason) = known.remove(&key).unwrap_or_default();
            let [unspecified, different, left] = numbers;
            let _ = writeln!(found, "{key}\t{unspecified}\t{different}\t{left}\t{reason}");
            let is_more = unspecified + different > most[0] + most[1] || different > most[1] || left > most[2];
            if is_more || reason.is_empty() {
                failed.push(format!("{key}: {numbers:?} is more than is listed, or has no reason"));
            }
        }
    }
    known.retain(|key, _| optimised.iter().any(|build| key.starts_with(&format!("{}\t", build.path))));
    failed.extend(known.keys().map(|key| format!("{key} is listed, yet all is the same or allowed")));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &found).expect("a writable list");
    }
    assert!(failed.is_empty(), "{}\n{found}", failed.join("\n"));
}
