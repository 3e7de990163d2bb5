//! The examples: each port is the same as its original, each wrong port parts from it where its page says that it is wrong.

use gpuproof_prove::Settings;
use gpuproof_prove::compare::Status;
use gpuproof_tests::programs::{compare, original, port, root, text};
use std::path::PathBuf;

fn examples() -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = std::fs::read_dir(root().join("examples"))
        .expect("the examples")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| (entry.file_name().to_string_lossy().to_string(), entry.path()))
        .collect();
    found.sort();
    assert!(found.len() >= 6, "{} examples", found.len());
    found
}

/// The line of `port-wrong.wgsl` that the example's page names: "on line N".
fn wrong_line(folder: &std::path::Path) -> u32 {
    let page = text(&folder.join("README.md"));
    let number = page.split("on line ").nth(1).and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{}: no line", folder.display()))
}

#[test]
fn ports_are_the_same() {
    for (name, folder) in examples() {
        let first = original(&folder.join("original.dxbc"));
        let second = port(&text(&folder.join("port.wgsl"))).expect("a program");
        let evidence = compare(&first, &second, &Settings::default()).expect("evidence");
        assert_eq!(evidence.status, Status::Holds, "{name}: {:?} {:?}", evidence.census, evidence.limits);
        let tally = evidence.census.total();
        assert!(tally.same > 1000, "{name}: {tally:?}");
        // Whatever the port's language, it may be the original.
        let evidence = compare(&second, &first, &Settings { edges: false, ..Settings::default() }).expect("evidence");
        assert_eq!(evidence.status, Status::Holds, "{name} reversed: {:?} {:?}", evidence.census, evidence.limits);
    }
}

#[test]
fn wrong_ports_part_at_the_wrong_line() {
    for (name, folder) in examples() {
        let line = wrong_line(&folder);
        let source = text(&folder.join("port-wrong.wgsl"));
        let first = original(&folder.join("original.dxbc"));
        let second = port(&source).expect("a program");
        let evidence = compare(&first, &second, &Settings::default()).expect("evidence");
        assert_eq!(evidence.status, Status::Differs, "{name}: {:?}", evidence.census);
        let parting = evidence.parting.unwrap_or_else(|| panic!("{name}: no parting"));
        assert!(parting.port.contains(line), "{name}: line {line} is not in {:?}", parting.port.spans);
        assert!(!parting.original.lines.is_empty() && parting.original.at.is_some(), "{name}: {:?}", parting.original);
        // It reaches from the mistake to the outputs; most of the program is before the mistake or beside it.
        let named: u32 = parting.port.spans.iter().map(|(first, last)| last - first + 1).sum();
        assert!(named as usize * 2 <= source.lines().count(), "{name}: {named} lines of {}", source.lines().count());
    }
}
