//! Ports whose results differ as the specifications allow, and ports with a mistake, mostly hidden behind such a difference.
//!
//! `allowed/manifest.tsv` says of each pair what has to come out and by which section; `allowed/README.md` explains its columns. What is
//! expected follows from the specifications and from how the ports were written, never from what was found.
//!
//! `ONLY=hash_noise cargo test -p gpuproof-tests --test allowed` tries the pairs whose names contain a text; `SHOW=1` prints all that is found.

use gpuproof_program::{Program, Sampler, SamplerId};
use gpuproof_prove::cases::UserInputs;
use gpuproof_prove::compare::Tally;
use gpuproof_prove::explain::AmplifierKind;
use gpuproof_prove::{Evidence, Settings, Side};
use gpuproof_read::wgsl;
use gpuproof_run::{AddressMode, Comparison, EVENT_KINDS, EventKind, Filter, SamplerState};
use gpuproof_tests::programs::{compare, each, original, root, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A row of the manifest.
struct Pair {
    file: String,
    original: String,
    port: String,
    finite: String,
    edge: String,
    carriers: Vec<String>,
    amplifier: Option<String>,
}

fn folder() -> PathBuf {
    root().join("tests/allowed")
}

fn pairs() -> Vec<Pair> {
    let manifest = text(&folder().join("manifest.tsv"));
    let mut lines = manifest.lines();
    assert_eq!(lines.next(), Some("name\toriginal\tport\tfinite\tedge\tcarrier\tamplifier\twhy"));
    let only = std::env::var("ONLY").unwrap_or_default();
    let pairs = lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[file, original, port, finite, edge, carriers, amplifier, why] = fields.as_slice() else {
            panic!("eight columns are wanted: {line}")
        };
        assert!(why.len() > 5, "no reason: {line}");
        Pair {
            file: file.into(),
            original: original.into(),
            port: port.into(),
            finite: finite.into(),
            edge: edge.into(),
            carriers: carriers.split(',').filter(|carrier| *carrier != "-").map(String::from).collect(),
            amplifier: Some(amplifier.to_string()).filter(|amplifier| amplifier != "-"),
        }
    });
    pairs.filter(|pair| pair.port.contains(&only) || pair.original.contains(&only)).collect()
}

/// One side of a pair: an entry point of `FILE.wgsl`, or else `FILE/NAME.dxbc`.
fn program(file: &str, name: &str) -> Result<Program, String> {
    let source = text(&folder().join(format!("{file}.wgsl")));
    if !source.contains(&format!("fn {name}(")) {
        return Ok(original(&folder().join(file).join(format!("{name}.dxbc"))));
    }
    let options = wgsl::Options { entry: Some(name.into()), ..wgsl::Options::default() };
    wgsl::read(&source, &options).map_err(|error| error.to_string())
}

/// The states that the samplers of an original are given.
fn samplers(pair: &Pair, original: &Program) -> Vec<(SamplerId, u32, SamplerState)> {
    let states = text(&folder().join("samplers.tsv"));
    let Some(row) = states.lines().find(|row| row.split('\t').next() == Some(&pair.original)) else { return Vec::new() };
    let &[_, filter, mode] = row.split('\t').collect::<Vec<&str>>().as_slice() else { panic!("three columns are wanted: {row}") };
    let filter = if filter == "point" { Filter::Point } else { Filter::Linear };
    let mode = match mode {
        "wrap" => AddressMode::Wrap,
        "clamp" => AddressMode::Clamp,
        "mirror" => AddressMode::Mirror,
        "border" => AddressMode::Border,
        _ => panic!("no address mode: {row}"),
    };
    let state = |sampler: &Sampler| SamplerState {
        magnify: filter,
        minify: filter,
        mip: filter,
        address: [mode; 3],
        border: [0.25, 0.5, 0.75, 1.0],
        comparison: sampler.comparison.then_some(Comparison::LessEqual),
        ..SamplerState::default()
    };
    let all = original.interface.samplers.iter().enumerate();
    all.map(|(at, sampler)| (SamplerId(at as u32), 0, state(sampler))).collect()
}

/// The lines of a port that are wrong on purpose.
fn wrong_lines(pair: &Pair) -> Vec<u32> {
    let source = text(&folder().join(format!("{}.wgsl", pair.file)));
    let from = source.lines().position(|line| line.starts_with(&format!("fn {}(", pair.port)));
    let body = source.lines().enumerate().skip(from.unwrap_or(usize::MAX)).take_while(|(_, line)| *line != "}");
    body.filter(|(_, line)| line.ends_with("// wrong")).map(|(at, _)| at as u32 + 1).collect()
}

/// The verdicts that words got, besides `Same`.
fn verdicts(tally: &Tally) -> BTreeSet<&'static str> {
    let counts = [
        ("undefined", tally.undefined),
        ("schedule", tally.schedule),
        ("allowed", tally.allowed),
        ("unspecified", tally.unspecified),
        ("different", tally.different),
    ];
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, _)| name).collect()
}

/// Whether a class of cases came out as a column says: its verdicts, and no worse one. `-` asks nothing.
fn comes_out(expected: &str, tally: &Tally) -> Result<(), String> {
    let (found, wrong) = (verdicts(tally), || Err(format!("{expected} expected, found {tally:?}")));
    let wanted: Vec<&str> = expected.split('+').collect();
    match expected {
        "-" => Ok(()),
        "same" if !found.is_empty() || tally.same == 0 => wrong(),
        "holds" if found.iter().any(|verdict| *verdict != "allowed") => wrong(),
        "different" if !found.contains("different") => wrong(),
        "same" | "holds" | "different" => Ok(()),
        _ if wanted.iter().any(|verdict| !found.contains(verdict)) => wrong(),
        // Beside words of which nothing is promised others may be the same or allowed.
        _ if found.iter().any(|verdict| !wanted.contains(verdict) && *verdict != "allowed") => wrong(),
        _ => Ok(()),
    }
}

/// What the original leaves undefined, by its name in the manifest.
fn event(name: &str) -> Option<EventKind> {
    EVENT_KINDS.into_iter().find(|kind| format!("{kind:?}") == name)
}

fn amplifier(name: &str) -> AmplifierKind {
    match name {
        "fract" => AmplifierKind::FractionOfLarge,
        "comparison" => AmplifierKind::Comparison,
        "integer" => AmplifierKind::ToInteger,
        "cancellation" => AmplifierKind::Cancellation,
        "steep" => AmplifierKind::Steep,
        _ => panic!("no amplifier {name}"),
    }
}

/// Whether what is undefined in the original is told, and the explanation names what carries the difference and what amplifies it.
fn names(pair: &Pair, evidence: &Evidence) -> Result<(), String> {
    let explanation = evidence.explanation.as_ref();
    let (events, carriers): (Vec<&String>, Vec<&String>) = pair.carriers.iter().partition(|name| event(name).is_some());
    let happened =
        |name: &&&String| evidence.events.iter().any(|record| record.side == Side::Original && Some(record.kind) == event(name));
    if let Some(missing) = events.iter().find(|name| !happened(name)) {
        return Err(format!("{missing} is not among {:?}", evidence.events));
    }
    if carriers.is_empty() && pair.amplifier.is_none() && !pair.finite.contains("allowed") {
        return Ok(());
    }
    let explanation = explanation.ok_or("nothing is explained")?;
    if explanation.operations.is_empty() {
        return Err("no operation is named".into());
    }
    let carries = |wanted: &str| {
        explanation
            .operations
            .iter()
            .any(|carrier| carrier.operation == wanted || carrier.because.iter().any(|why| why.split(' ').next() == Some(wanted)))
    };
    if let Some(missing) = carriers.iter().find(|wanted| !carries(wanted)) {
        return Err(format!("{missing} is not named among {:?}", explanation.operations));
    }
    let amplifies = |kind| explanation.amplifiers.iter().any(|amplifier| amplifier.kind == kind);
    match &pair.amplifier {
        Some(name) if !amplifies(amplifier(name)) => Err(format!("{name} is not among {:?}", explanation.amplifiers)),
        _ => Ok(()),
    }
}

/// Whether the parting of a wrong port has the wrong line. Of what only the port leaves undefined the events tell where.
fn located(pair: &Pair, evidence: &Evidence) -> Result<(), String> {
    let only_port =
        evidence.parting.is_none() && evidence.limits.iter().any(|limit| limit.contains("only the port leaves undefined"));
    if only_port && evidence.events.iter().any(|event| event.side == Side::Port && event.line.is_some()) {
        return Ok(());
    }
    let parting = evidence.parting.as_ref().ok_or("differs, and no parting is named")?;
    let wrong = wrong_lines(pair);
    if !wrong.is_empty() && !wrong.iter().any(|line| parting.port.contains(*line)) {
        return Err(format!("none of lines {wrong:?} is in {:?} at {:?}", parting.port.spans, parting.port.at));
    }
    Ok(())
}

fn judge(pair: &Pair, evidence: &Evidence) -> Result<(), String> {
    comes_out(&pair.finite, &evidence.census.finite).map_err(|error| format!("finite cases: {error}"))?;
    comes_out(&pair.edge, &evidence.census.edge).map_err(|error| format!("edge cases: {error}"))?;
    if let Some(limit) = evidence.limits.iter().find(|limit| limit.contains("steps")) {
        return Err(limit.clone());
    }
    names(pair, evidence)?;
    if [&pair.finite, &pair.edge].iter().any(|verdict| *verdict == "different") { located(pair, evidence) } else { Ok(()) }
}

#[test]
fn pairs_come_out_as_the_specifications_say() {
    let pairs = pairs();
    let found = each(&pairs, |pair| {
        let original = program(&pair.file, &pair.original)?;
        let user = UserInputs { samplers: samplers(pair, &original), ..UserInputs::default() };
        let settings = Settings { lanes: 14 * 1024, edges: pair.edge != "-", user, ..Settings::default() };
        let evidence = compare(&original, &program(&pair.file, &pair.port)?, &settings);
        let evidence = evidence.map_err(|error| error.to_string())?;
        if std::env::var_os("SHOW").is_some() {
            let Evidence { census, first, explanation, .. } = &evidence;
            println!("{} {}\n{census:#?}\n{first:#?}\n{explanation:#?}", pair.original, pair.port);
        }
        judge(pair, &evidence)
    });
    let open = open();
    let mut failed = Vec::new();
    for (pair, found) in pairs.iter().zip(found) {
        let name = format!("{} {} {}", pair.file, pair.original, pair.port);
        match (found, open.get(&name)) {
            (Err(error), None) => failed.push(format!("{name}: {error}")),
            (Ok(()), Some(why)) => failed.push(format!("{name} comes out right, yet is listed: {why}")),
            _ => {}
        }
    }
    assert!(failed.is_empty(), "{} of {} pairs\n{}", failed.len(), pairs.len(), failed.join("\n"));
}

/// Pairs that do not come out as they should yet, and what is missing.
fn open() -> BTreeMap<String, String> {
    let listed = text(&folder().join("open.tsv"));
    let row = |line: &str| {
        let (name, why) = line.rsplit_once('\t').unwrap_or_else(|| panic!("four columns are wanted: {line}"));
        (name.replace('\t', " "), why.to_string())
    };
    listed.lines().skip(1).map(row).collect()
}

#[test]
fn every_mistake_has_its_right_port() {
    // A verdict that is always the same is worth nothing: each original with a wrong port has one that holds, and the other way round mostly.
    let mut verdicts: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for pair in pairs() {
        let expected = if pair.finite == "same" && pair.edge == "different" { "different".into() } else { pair.finite };
        verdicts.entry((pair.file, pair.original)).or_default().insert(expected);
    }
    if std::env::var_os("ONLY").is_none() {
        for ((file, original), found) in &verdicts {
            assert!(found.len() > 1 || !found.contains("different"), "{file} {original}: {found:?}");
        }
        let count = |verdict: &str| pairs().iter().filter(|pair| pair.finite == verdict).count();
        assert!(
            count("allowed") >= 30 && count("different") >= 40,
            "{} allowed, {} different",
            count("allowed"),
            count("different")
        );
    }
}
