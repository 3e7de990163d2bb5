//! Pairs of programs that two independent chains of compilers made from one HLSL source, and wrong ports made of them by seeded edits.
//! What is right is known from how the pairs came about: they compute the same, and an edited line is where an edited port is wrong.

use gpuproof_program::Program;
use gpuproof_prove::compare::Status;
use gpuproof_prove::edit::edits;
use gpuproof_prove::{Evidence, Progress, Settings, Subject, verify};
use gpuproof_read::{dxbc, wgsl};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn original(path: &Path) -> Program {
    let bytes = std::fs::read(path).expect("a file");
    dxbc::program(&dxbc::Container::parse(&bytes).expect("a container")).expect("a program")
}

fn port(text: &str) -> Result<Program, wgsl::Error> {
    wgsl::read(text, &wgsl::Options::default())
}

fn compare(original: &Program, port: &Program, settings: &Settings) -> Result<Evidence, String> {
    let (original, port) = (Subject::new(original, "original", b""), Subject::new(port, "port", b""));
    verify(&original, &port, settings, &mut |_: Progress| {}).map(|found| found.evidence).map_err(|error| error.to_string())
}

/// The pairs as paths without extension, in order.
fn pairs() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root().join("tests/pairs")).expect("the pairs").flatten() {
        let Ok(files) = std::fs::read_dir(folder.path()) else { continue };
        for file in files.flatten() {
            if file.path().extension().is_some_and(|extension| extension == "dxbc") {
                found.push(file.path().with_extension(""));
            }
        }
    }
    found.sort();
    found
}

fn finite(lanes: u64) -> Settings {
    Settings { lanes, edges: false, ..Settings::default() }
}

fn summary(evidence: &Evidence) -> String {
    let total = evidence.census.total();
    let first = evidence.first.as_ref().map(|first| format!(", first {} {:#x}/{:#x}", first.output, first.original, first.port));
    format!(
        "{:?}: same {} near {} different {} undefined {} schedule {}{} {}",
        evidence.status,
        total.same,
        total.not_yet_classified,
        total.different,
        total.undefined,
        total.schedule,
        first.unwrap_or_default(),
        evidence.limits.join("; ")
    )
}

/// Prints what every pair comes to; run with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes: a survey of all pairs"]
fn survey_of_pairs() {
    let wanted = std::env::var("PAIR").unwrap_or_default();
    let mut differing = 0;
    for pair in pairs().into_iter().filter(|pair| pair.to_string_lossy().contains(&wanted)) {
        let name = pair.strip_prefix(root()).unwrap_or(&pair).display().to_string();
        let text = std::fs::read_to_string(pair.with_extension("wgsl")).expect("a file");
        let started = std::time::Instant::now();
        let line = match port(&text) {
            Ok(port) => match compare(&original(&pair.with_extension("dxbc")), &port, &finite(16384)) {
                Ok(evidence) => {
                    differing += usize::from(evidence.status == Status::Differs);
                    let part = evidence
                        .parting
                        .as_ref()
                        .map(|parting| format!("\n      {:?}\n      {:?}", parting.original.at, parting.port.at));
                    summary(&evidence) + &part.filter(|_| evidence.status == Status::Differs).unwrap_or_default()
                }
                Err(error) => format!("ERROR {error}"),
            },
            Err(error) => format!("ERROR {error}"),
        };
        println!("{name} {:?} {line}", started.elapsed());
    }
    println!("{differing} differ");
}

/// Whether an edit shows on any input: the edited port against the unedited one, both WGSL.
fn shows(port: &Program, edited: &Program, settings: &Settings) -> bool {
    compare(port, edited, &Settings { locate: false, ..settings.clone() })
        .is_ok_and(|evidence| evidence.status == Status::Differs)
}

/// Prints how many seeded edits are found, and how many have their line inside the region; run with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes: hundreds of wrong ports"]
fn survey_of_edits() {
    let wanted = std::env::var("PAIR").unwrap_or_default();
    let each: usize = std::env::var("EDITS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let settings = finite(4096);
    let (mut visible, mut found, mut inside, mut same) = (0, 0, 0, 0);
    let mut share = 0.0;
    for pair in pairs().into_iter().filter(|pair| pair.to_string_lossy().contains(&wanted)) {
        let name = pair.strip_prefix(root()).unwrap_or(&pair).display().to_string();
        let text = std::fs::read_to_string(pair.with_extension("wgsl")).expect("a file");
        let Ok(plain) = port(&text) else { continue };
        let first = original(&pair.with_extension("dxbc"));
        match compare(&first, &plain, &settings) {
            Ok(evidence) if evidence.status != Status::Differs => {}
            _ => continue,
        }
        let mut used = 0;
        for edit in edits(&text, 1, each * 4) {
            let Ok(edited) = port(&edit.text) else { continue };
            if used == each {
                break;
            }
            if !shows(&plain, &edited, &settings) {
                continue;
            }
            used += 1;
            visible += 1;
            let evidence = match compare(&first, &edited, &settings) {
                Ok(evidence) => evidence,
                Err(error) => {
                    // An edit may break the interface, which is an error of its own.
                    println!("{name}:{} {}: ERROR {error}", edit.line, edit.description);
                    found += 1;
                    inside += 1;
                    continue;
                }
            };
            same += usize::from(evidence.status == Status::Holds);
            found += usize::from(evidence.status == Status::Differs);
            let region = evidence.parting.as_ref().map(|parting| &parting.port);
            let hit = region.is_some_and(|region| region.contains(edit.line));
            inside += usize::from(hit);
            let covered = region.map_or(0, |region| region.spans.iter().map(|(first, last)| last - first + 1).sum());
            share += f64::from(covered) / text.lines().count() as f64;
            if !hit {
                println!("{name}:{} {}: {}", edit.line, edit.description, summary(&evidence));
                println!("    at {:?} {:?}", region.map(|region| &region.at), region.map(|region| &region.spans));
            }
        }
    }
    println!(
        "visible {visible}, found {found}, inside the region {inside}, called the same {same}; a region is {:.0}% of the lines",
        share * 100.0 / f64::from(visible.max(1))
    );
}

/// Each example's port is the same on every lane, and the line of the mistake in its wrong port is in the region.
#[test]
fn examples_hold_and_their_wrong_ports_part_where_they_are_wrong() {
    let wrong = [("noise", 53), ("gbuffer", 47), ("pbr", 67), ("ssao", 62), ("bitonic", 37), ("particles", 50)];
    for (name, line) in wrong {
        let folder = root().join("examples").join(name);
        let first = original(&folder.join("original.dxbc"));
        let settings = Settings { lanes: 8192, ..Settings::default() };
        let right = port(&std::fs::read_to_string(folder.join("port.wgsl")).expect("a file")).expect("a program");
        let evidence = compare(&first, &right, &settings).expect("evidence");
        assert_eq!(evidence.status, Status::Holds, "{name}: {}", summary(&evidence));
        let wrong = port(&std::fs::read_to_string(folder.join("port-wrong.wgsl")).expect("a file")).expect("a program");
        let evidence = compare(&first, &wrong, &settings).expect("evidence");
        assert_eq!(evidence.status, Status::Differs, "{name}: {}", summary(&evidence));
        let parting = evidence.parting.expect("a parting");
        assert!(parting.port.contains(line), "{name}: line {line} in {:?}", parting.port.spans);
        assert!(parting.original.at.is_some(), "{name}");
    }
}
