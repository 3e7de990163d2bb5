//! Wrong ports by the hundred: seeded single edits of the pairs' WGSL, each held against the pair's original.
//!
//! `EDITS=20 UPDATE=1 cargo test -p gpuproof-tests --test pairs edits` takes 20 edits a pair and writes `EDITS.md`.

use gpuproof_program::Program;
use gpuproof_prove::compare::Status;
use gpuproof_prove::edit::{Edit, edits};
use gpuproof_prove::{Evidence, Settings};
use gpuproof_tests::inputs::tell_apart;
use gpuproof_tests::programs::{compare, containers, each, original, port, root, text};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What became of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Neither `verify` nor direct runs on other inputs show it: as far as anyone can see it is no mistake.
    Unseen,
    /// It does not end, or its interface no longer fits: an error that says so.
    Refused,
    /// It differs, and the edited line is in the region.
    Inside,
    /// It differs, and the region misses the line.
    Outside,
    /// Its words differ, and all of that was called allowed.
    Allowed,
    /// Only words that are undefined, unspecified or depend on an order differ, or a limit was hit: exit status 4.
    Inconclusive,
    /// It was called the same, and is not.
    Missed,
}

/// Wrong ports that no generated case shows, though other inputs do: the search does not reach where the layers of the relief are told apart.
const KNOWN: &[(&str, u32)] = &[("parallax/branch", 51), ("parallax/flatten", 50)];

/// Lanes that show most mistakes. What they do not show is compared at the default size.
const QUICK: u64 = 4096;

struct Tried {
    pair: String,
    edit: Edit,
    fate: Fate,
    /// Lines of the region on the port's side, and of the whole port.
    lines: (usize, usize),
    note: String,
}

fn settings(lanes: u64) -> Settings {
    Settings { lanes, edges: false, ..Settings::default() }
}

/// Whether direct runs on inputs that owe nothing to the prover's generator tell the edited port from the unedited one.
fn shows(plain: &Program, edited: &Program) -> bool {
    tell_apart(plain, edited, 7, 24, 2048).unwrap_or_else(|error| panic!("an edit that was compared does not run: {error}"))
}

fn judge(evidence: &Evidence, edit: &Edit, plain: &Program, edited: &Program) -> Fate {
    match evidence.status {
        Status::Differs if evidence.parting.as_ref().is_some_and(|parting| parting.port.contains(edit.line)) => Fate::Inside,
        Status::Differs => Fate::Outside,
        // An edit that shows nothing leaves the pair as it was.
        _ if !shows(plain, edited) => Fate::Unseen,
        Status::Holds if evidence.census.total().allowed > 0 => Fate::Allowed,
        Status::Holds => Fate::Missed,
        Status::Inconclusive => Fate::Inconclusive,
    }
}

/// The first edits of a pair that are programs.
fn attempt(pair: &str, count: usize) -> Vec<Tried> {
    let first = original(&root().join(format!("{pair}.dxbc")));
    let source = text(&root().join(format!("{pair}.wgsl")));
    let plain = port(&source).unwrap_or_else(|error| panic!("{pair}: {error}"));
    let name = pair.trim_start_matches("tests/pairs/");
    let seed = name.bytes().fold(1u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let valid = edits(&source, seed, count * 6).into_iter().filter_map(|edit| port(&edit.text).ok().map(|edited| (edit, edited)));
    valid
        .take(count)
        .map(|(edit, edited)| {
            let differs = |found: &Result<Evidence, _>| !found.as_ref().is_ok_and(|evidence| evidence.status != Status::Differs);
            let quick = compare(&first, &edited, &settings(QUICK));
            let found = if differs(&quick) { quick } else { compare(&first, &edited, &settings(Settings::default().lanes)) };
            let (fate, note) = match &found {
                Ok(evidence) => (judge(evidence, &edit, &plain, &edited), format!("{:?}", evidence.census.total())),
                Err(error) => (Fate::Refused, error.to_string()),
            };
            let parting = found.ok().and_then(|evidence| evidence.parting);
            let spans = parting.map(|parting| parting.port.spans).unwrap_or_default();
            let named = spans.iter().map(|(first, last)| (last - first + 1) as usize).sum();
            let note = if fate == Fate::Outside { format!("region {spans:?}") } else { note };
            Tried { pair: name.to_string(), edit, fate, lines: (named, source.lines().count()), note }
        })
        .collect()
}

/// The kind of an edit: what its description begins with.
fn kind(edit: &Edit) -> &str {
    edit.description.split_once(':').map_or("statement left out", |(kind, _)| kind)
}

fn count(tried: &[&Tried], fates: &[Fate]) -> usize {
    tried.iter().filter(|tried| fates.contains(&tried.fate)).count()
}

fn percent(part: usize, of: usize) -> String {
    format!("{:.1}", 100.0 * part as f64 / of.max(1) as f64)
}

fn table(all: &[Tried]) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Tried>> = BTreeMap::new();
    for tried in all {
        kinds.entry(kind(&tried.edit)).or_default().push(tried);
    }
    kinds.insert("~ all", all.iter().collect());
    let mut table = "| kind | edits | refused | that show | found | % | called allowed | called the same | line in the region | % |\n|---|---|---|---|---|---|---|---|---|---|\n".to_string();
    for (kind, tried) in kinds {
        let (unseen, refused) = (count(&tried, &[Fate::Unseen]), count(&tried, &[Fate::Refused]));
        let (allowed, missed) = (count(&tried, &[Fate::Allowed]), count(&tried, &[Fate::Missed]));
        let (inside, found) = (count(&tried, &[Fate::Inside]), count(&tried, &[Fate::Inside, Fate::Outside]));
        let visible = tried.len() - unseen - refused;
        let kind = kind.trim_start_matches("~ ");
        let (found_percent, inside_percent) = (percent(found, visible), percent(inside, found));
        let _ = writeln!(
            table,
            "| {kind} | {} | {refused} | {visible} | {found} | {found_percent} | {allowed} | {missed} | {inside} of {found} | {inside_percent} |",
            tried.len()
        );
    }
    table
}

/// How large the regions are, as shares of their ports.
fn sizes(all: &[Tried]) -> String {
    let mut shares: Vec<usize> =
        all.iter().filter(|tried| tried.fate == Fate::Inside).map(|tried| tried.lines.0 * 100 / tried.lines.1.max(1)).collect();
    let mut lines: Vec<usize> = all.iter().filter(|tried| tried.fate == Fate::Inside).map(|tried| tried.lines.0).collect();
    shares.sort_unstable();
    lines.sort_unstable();
    let at = |sorted: &[usize], percent: usize| sorted.get(sorted.len() * percent / 100).copied().unwrap_or(0);
    format!(
        "Regions that hold the line: {} lines at the median, {} at the ninetieth percentile; {} % and {} % of the port's lines.\n",
        at(&lines, 50),
        at(&lines, 90),
        at(&shares, 50),
        at(&shares, 90)
    )
}

fn list(all: &[Tried], fate: Fate) -> String {
    let mut list = String::new();
    for tried in all.iter().filter(|tried| tried.fate == fate) {
        let Tried { pair, edit, note, .. } = tried;
        let _ = writeln!(list, "* {pair} line {}, `{}`: {note}", edit.line, edit.description);
    }
    if list.is_empty() { "None.\n".into() } else { list }
}

#[test]
fn edits_are_found_and_located() {
    let pairs = containers("tests/pairs");
    let each_pair: usize = std::env::var("EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(5);
    let all: Vec<Tried> = each(&pairs, |pair| attempt(pair, each_pair)).into_iter().flatten().collect();
    let report = format!(
        "# Seeded edits\n\n{} pairs, {each_pair} edits each, compared on the finite cases: on {QUICK} lanes, and where these show nothing on the \
         default number. An edit *shows* when that tells the edited port from the original, or direct runs on inputs of the test's own making tell it from \
         the unedited port. *Refused* are edits with errors of their own: their loops do not end, or their interface no longer fits.\n\n{}\n{}\n\
         ## Line not in the region\n\n{}\n## Called allowed\n\n{}\n## Only undefined, unspecified or unordered words\n\n{}\n## Refused\n\n{}\n\
         ## Called the same, and is not\n\n{}",
        pairs.len(),
        table(&all),
        sizes(&all),
        list(&all, Fate::Outside),
        list(&all, Fate::Allowed),
        list(&all, Fate::Inconclusive),
        list(&all, Fate::Refused),
        list(&all, Fate::Missed)
    );
    println!("{report}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(root().join("tests/pairs/EDITS.md"), &report).expect("a writable page");
    }
    let all: Vec<&Tried> = all.iter().collect();
    let visible = all.len() - count(&all, &[Fate::Unseen, Fate::Refused]);
    let (inside, found) = (count(&all, &[Fate::Inside]), count(&all, &[Fate::Inside, Fate::Outside]));
    assert!(all.len() >= 200 && visible >= 200, "{} edits, {visible} show", all.len());
    let is_known = |tried: &Tried| KNOWN.iter().any(|(pair, line)| tried.pair == *pair && tried.edit.line == *line);
    let missed = all.iter().filter(|tried| tried.fate == Fate::Missed && !is_known(tried)).count();
    assert_eq!(missed, 0, "wrong programs are called the same");
    assert_eq!(count(&all, &[Fate::Allowed]), 0, "wrong programs are called allowed");
    assert!(found * 100 >= visible * 95, "{found} of {visible} are found");
    assert!(inside * 100 >= found * 90, "the line of {inside} of {found} is in the region");
}
