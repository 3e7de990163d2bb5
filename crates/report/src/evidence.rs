//! Evidence as text: the verdict first, then what a person needs to act on it.

use gpuproof_program::Dialect;
use gpuproof_prove::adequacy::{GoalClass, GoalTally, Grade, Missing, MutantTally, Reached};
use gpuproof_prove::bind::How;
use gpuproof_prove::compare::{Status, Tally};
use gpuproof_prove::evidence::Dependence;
use gpuproof_prove::locate::{Parting, PartingSide};
use gpuproof_prove::{Evidence, Side};
use std::fmt::Write;

const BOLD: anstyle::Style = anstyle::Style::new().bold();
const GREEN: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Green)));
const RED: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Red)));
const YELLOW: anstyle::Style = anstyle::Style::new().bold().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));

/// The width of the first column.
const FIRST: usize = 11;

/// Evidence as text. The binding map is printed whole on request, or where anything was matched by order alone, in short.
pub fn text(evidence: &Evidence, whole_map: bool) -> String {
    let mut out = String::new();
    headline(&mut out, evidence);
    causes(&mut out, &evidence.census.total());
    orders(&mut out, evidence);
    only_at_edges(&mut out, evidence);
    if evidence.status != Status::Holds {
        census(&mut out, evidence);
    }
    if let Some(measured) = &evidence.measured {
        let what = format!(
            "{} measured results put in {} times, {} within their sets, {} of which nothing is promised",
            measured.given, measured.replaced, measured.in_set, measured.unbounded
        );
        line(&mut out, "captured", &what);
        let with = evidence.census.total().different;
        line(&mut out, "", &format!("{} words differ without them, {with} with them", measured.different_without));
        for found in &measured.outside {
            let operands: Vec<String> = found.operands.iter().map(|word| bits(*word)).collect();
            let (operation, number, result) = (&found.operation, found.line, bits(found.result));
            let allowed = match found.allowed {
                Some((low, high)) if low == high => bits(low),
                Some((low, high)) => format!("{} to {}", bits(low), bits(high)),
                None => "NaN".into(),
            };
            let what = format!(
                "outside its set: {operation} at {number} of {} gave {result}; allowed is {allowed}",
                operands.join(", ")
            );
            line(&mut out, "", &what);
        }
    }
    if let Some(explanation) = &evidence.explanation {
        for (first, rest) in crate::explanation::lines(evidence, explanation) {
            line(&mut out, first, &rest);
        }
    }
    if let Some(refactored) = &evidence.refactored {
        for (first, rest) in crate::explanation::if_refactored(evidence, refactored) {
            line(&mut out, first, &rest);
        }
    }
    if let Some(parting) = &evidence.parting {
        part(&mut out, evidence, parting);
    }
    for limit in &evidence.limits {
        line(&mut out, "limit", limit);
    }
    one_sided(&mut out, evidence);
    adequacy(&mut out, evidence);
    for note in &evidence.notes {
        line(&mut out, "note", note);
    }
    if let Some(machines) = &evidence.machines {
        for (side, record) in [(Side::Original, &machines.original), (Side::Port, &machines.port)] {
            for known in crate::machine::lines(record) {
                line(&mut out, "machine", &format!("{side} on {known}"));
            }
        }
    }
    events(&mut out, evidence);
    for (side, record) in [(Side::Original, &evidence.original), (Side::Port, &evidence.port)] {
        for note in &record.notes {
            line(&mut out, "note", &format!("{side}: {note}"));
        }
    }
    map(&mut out, evidence, whole_map);
    out
}

fn line(out: &mut String, first: &str, rest: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{first:FIRST$}{rest}");
}

fn styled(out: &mut String, style: anstyle::Style, first: &str, rest: &str) {
    let pad = FIRST.saturating_sub(first.len()).max(1);
    let _ = writeln!(out, "{style}{first}{style:#}{:pad$}{rest}", "");
}

fn headline(out: &mut String, evidence: &Evidence) {
    let census = &evidence.census;
    let total = census.total();
    let made = format!("(seed {}, {})", evidence.seed, counted(u64::from(census.cases), "case"));
    match evidence.status {
        Status::Holds => styled(
            out,
            GREEN,
            if total.allowed == 0 { "same" } else { "allowed" },
            &format!("{}, {}    {made}{}", counted(census.lanes, "lane"), counted(total.words(), "word"), see_notes(evidence)),
        ),
        Status::Differs => {
            let first = first(evidence).map_or_else(String::new, |first| format!(", first at {first}"));
            styled(out, RED, "DIFFERENT", &format!("{} of {} words{first}", total.different, total.words()));
        }
        Status::Inconclusive => {
            let what = if total.words() == 0 { "nothing was compared".into() } else { undecided(&total) };
            styled(out, YELLOW, "UNDECIDED", &format!("{what}    {made}"));
        }
    }
}

/// Points to what the port alone leaves undefined.
fn see_notes(evidence: &Evidence) -> &'static str {
    if evidence.notes.is_empty() { "" } else { ", but see the notes below" }
}

/// A count with its noun.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn undecided(total: &Tally) -> String {
    let open = total.unspecified + total.undefined + total.schedule;
    match open {
        0 => format!("{} words are the same, but see the limits below", total.same),
        open => format!("{open} of {} words", total.words()),
    }
}

fn first(evidence: &Evidence) -> Option<String> {
    let first = evidence.first.as_ref()?;
    let lane = first.lane.map_or_else(String::new, |lane| format!(" lane {lane}"));
    Some(format!("case {}{lane} output {}: 0x{:08x} / 0x{:08x}", first.case, first.output, first.original, first.port))
}

fn causes(out: &mut String, total: &Tally) {
    if total.allowed > 0 {
        line(out, "allowed", &format!("{} words differ as the specifications allow", total.allowed));
    }
    if total.unspecified > 0 {
        let what = format!("{} words come from operations of which the specifications promise nothing", total.unspecified);
        line(out, "no promise", &what);
    }
    if total.undefined > 0 {
        line(out, "undefined", &format!("{} words depend on what the original's API leaves undefined", total.undefined));
    }
    if total.schedule > 0 {
        let what = format!(
            "{} words depend on an order that the original's API leaves open; of these {} are its rows in another order",
            total.schedule, total.reordered
        );
        line(out, "schedule", &what);
    }
}

/// On whose order words depend.
fn orders(out: &mut String, evidence: &Evidence) {
    for order in evidence.orders.iter().take(TOLD) {
        let place = order.line.map_or_else(
            || "lanes or groups among each other".to_string(),
            |line| format!("{} {}{line}  {}", order.what, sign(evidence.original.dialect), order.text),
        );
        let outputs: Vec<String> = order.outputs.iter().map(|output| format!("{} of {}", output.words, output.output)).collect();
        line(out, "", &format!("by the order of {place}: {} (case {})", outputs.join(", "), order.case));
    }
}

/// Says so where finite cases hold and only those with edge values differ.
fn only_at_edges(out: &mut String, evidence: &Evidence) {
    let finite = &evidence.census.finite;
    if evidence.status == Status::Differs && finite.different == 0 && finite.same + finite.allowed > 0 {
        let kept = if finite.allowed > 0 { " or allowed" } else { "" };
        let what = format!(
            "only cases with infinities, NaNs or subnormals differ: {} words of finite cases are the same{kept}",
            finite.same + finite.allowed
        );
        line(out, "edges", &what);
        line(out, "", "(--finite leaves those cases out)");
    }
}

/// At most so many goals that were missed, and mutants that survived, are listed.
const MISSES: usize = 6;

/// Decisions that went one way only.
fn one_sided(out: &mut String, evidence: &Evidence) {
    let all: Vec<_> = evidence.adequacy.iter().flat_map(|adequacy| adequacy.one_way()).collect();
    for (at, (side, missing)) in all.iter().take(MISSES).enumerate() {
        let dialect = if *side == Side::Original { evidence.original.dialect } else { evidence.port.dialect };
        let Missing { line: number, text, what, .. } = missing;
        line(out, if at == 0 { "one way" } else { "" }, &format!("{side} {}{number}  {text}: never {what}", sign(dialect)));
    }
    if all.len() > MISSES {
        line(out, "", &format!("and {} more decisions that were not taken every way (--json)", all.len() - MISSES));
    }
}

/// How many goals of each class were reached.
fn reached(reached: &Reached) -> String {
    let tally = |tally: &GoalTally| {
        let noun = match tally.class {
            GoalClass::Operation => "operations",
            GoalClass::Decision => "ways of decisions",
            GoalClass::Arm => "arms",
            GoalClass::Loop => "counts of loops",
            GoalClass::Side => "sides of comparisons",
            GoalClass::Texture => "texture footprints",
        };
        format!("{} of {} {noun}", tally.reached, tally.goals - tally.unreachable)
    };
    reached.goals.iter().map(tally).collect::<Vec<_>>().join(", ")
}

/// What the cases are worth.
fn adequacy(out: &mut String, evidence: &Evidence) {
    let Some(adequacy) = &evidence.adequacy else { return };
    if evidence.status == Status::Differs {
        return;
    }
    if let Some(grade) = evidence.grade {
        let what = match grade {
            Grade::Proven => "proven: the cases reach everything that can be reached, and show every mutant",
            Grade::Observed
                if adequacy.original.missing.is_empty()
                    && !adequacy.port.missing.is_empty()
                    && adequacy.mutants.as_ref().is_none_or(|mutants| mutants.survivors.is_empty()) =>
            {
                "observed: it holds in every case, but the cases do not reach all of the port"
            }
            Grade::Observed => "observed: it holds in every case, but the cases do not show every mistake",
            Grade::Inferred => "inferred",
            Grade::Sourced => "sourced",
        };
        line(out, "grade", what);
    }
    line(out, "reached", &reached(&adequacy.original));
    if !adequacy.port.missing.is_empty() {
        line(out, "", &format!("of the port {}", reached(&adequacy.port)));
    }
    let Some(mutants) = &adequacy.mutants else { return };
    let sum = |count: fn(&MutantTally) -> u32| mutants.kinds.iter().map(count).sum::<u32>();
    let (made, noticed, equivalent) = (sum(|kind| kind.made), sum(|kind| kind.noticed), sum(|kind| kind.equivalent));
    let sample = if made < mutants.of { format!(", a sample of {}", mutants.of) } else { String::new() };
    let same = if equivalent > 0 { format!(", {equivalent} compute the same") } else { String::new() };
    line(out, "mutants", &format!("{noticed} of {made} noticed{same}, {} not{sample}", mutants.survivors.len()));
    for survivor in mutants.survivors.iter().take(MISSES) {
        let place = format!("{}{}", sign(evidence.original.dialect), survivor.place(evidence.original.dialect));
        line(out, "", &format!("{place}  {}: {}", survivor.text, survivor.change));
    }
    if mutants.survivors.len() > MISSES {
        line(out, "", &format!("and {} more that no case shows (--json)", mutants.survivors.len() - MISSES));
    }
}

/// At most so many outputs are listed.
const MANY: usize = 12;

fn census(out: &mut String, evidence: &Evidence) {
    let open = |tally: &Tally| tally.words() - tally.same - tally.allowed;
    let rows: Vec<_> = evidence.census.outputs.iter().filter(|output| open(&output.finite) + open(&output.edge) > 0).collect();
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().take(MANY).map(|row| row.name.len()).max().unwrap_or(0).max(6);
    line(out, "census", &format!("{:width$}  {:>9} {:>9}   finite / edge cases", "output", "differ", "of"));
    for row in rows.iter().take(MANY) {
        let differ = open(&row.finite) + open(&row.edge);
        let all = row.finite.words() + row.edge.words();
        let name = &row.name;
        line(out, "", &format!("{name:width$}  {differ:>9} {all:>9}   {} / {}", open(&row.finite), open(&row.edge)));
    }
    if rows.len() > MANY {
        line(out, "", &format!("and {} more outputs", rows.len() - MANY));
    }
}

fn part(out: &mut String, evidence: &Evidence, parting: &Parting) {
    let sides = [("original", &parting.original, evidence.original.dialect), ("port", &parting.port, evidence.port.dialect)];
    let places: Vec<(String, String)> = sides.iter().map(|(name, side, dialect)| place(name, side, *dialect)).collect();
    let width = places.iter().map(|(place, _)| place.len()).max().unwrap_or(0);
    for (at, (place, text)) in places.iter().enumerate() {
        let first = if at == 0 { "part at" } else { "" };
        let _ = writeln!(out, "{first:FIRST$}{place:width$}  {BOLD}{text}{BOLD:#}");
    }
    if let Some(agreement) = &parting.agreement {
        let mut what = format!("inputs of this region agree on {} lanes, its results on {}", agreement.inputs, agreement.results);
        if let Some(example) = &agreement.example {
            let _ = write!(what, "; lane {}: {} / {}", example.lane, bits(example.original), bits(example.port));
        }
        line(out, "", &what);
    }
    let spans: Vec<(String, String)> =
        sides.iter().map(|(name, side, dialect)| (name.to_string(), region(side, *dialect))).collect();
    for (at, (name, span)) in spans.iter().filter(|(_, span)| !span.is_empty()).enumerate() {
        line(out, if at == 0 { "region" } else { "" }, &format!("{name:9}{span}"));
    }
}

fn bits(word: u64) -> String {
    if word <= u64::from(u32::MAX) { format!("0x{word:08x}") } else { format!("0x{word:016x}") }
}

fn sign(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::D3D11 | Dialect::Vulkan => "#",
        Dialect::Wgsl => "line ",
    }
}

fn place(name: &str, side: &PartingSide, dialect: Dialect) -> (String, String) {
    match &side.at {
        Some(at) => (format!("{name} {}{}", sign(dialect), at.number), at.text.trim().to_string()),
        None => (name.to_string(), "nothing of its own there".into()),
    }
}

fn region(side: &PartingSide, dialect: Dialect) -> String {
    let spans: Vec<String> = side
        .spans
        .iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    if spans.is_empty() {
        String::new()
    } else {
        format!("{}{}", if dialect == Dialect::Wgsl { "lines " } else { "#" }, spans.join(", "))
    }
}

/// At most so many events are told in full.
const TOLD: usize = 6;

fn events(out: &mut String, evidence: &Evidence) {
    for event in evidence.events.iter().take(TOLD) {
        let dialect = if event.side == Side::Original { evidence.original.dialect } else { evidence.port.dialect };
        let mut more =
            vec![format!("in the {}, {}, first in case {} lane {}", event.side, times(event.count), event.case, event.lane)];
        more.extend(event.depends.as_ref().map(|found| depends(found, event.line)));
        out.push('\n');
        crate::account::text(out, &event.account, sign(dialect), &more);
    }
    if evidence.events.len() > TOLD {
        line(out, "", &format!("and {} more kinds and places of what is undefined (--json)", evidence.events.len() - TOLD));
    }
    if !evidence.events.is_empty() {
        out.push('\n');
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// Which words depend on an event.
fn depends(depends: &Dependence, line: Option<u32>) -> String {
    let with = if depends.together { " of this and the events after it" } else { "" };
    if depends.endless {
        return format!("with another choice{with} the program does not end (case {})", depends.case);
    }
    if depends.words == 0 {
        return format!("no word depends on it: {} other choices{with} changed none (case {})", depends.choices, depends.case);
    }
    let outputs: Vec<String> =
        depends.outputs.iter().take(4).map(|output| format!("{} of {}", output.words, output.output)).collect();
    let rest = if depends.outputs.len() > 4 { ", ..." } else { "" };
    let mut text =
        format!("{} depend on it: {}{rest} (case {})", counted(depends.words, "word"), outputs.join(", "), depends.case);
    if let Some(example) = &depends.example {
        let lane = example.lane.map_or_else(String::new, |lane| format!(" lane {lane}"));
        let at = line.filter(|_| !depends.together).map_or_else(String::new, |line| format!(" --undefined-at {line}"));
        let _ = write!(
            text,
            "; {}{lane} is 0x{:08x}, or 0x{:08x} with --undefined seed:{}{at}",
            example.output, example.canonical, example.other, example.seed
        );
    }
    text
}

fn map(out: &mut String, evidence: &Evidence, whole: bool) {
    let map = &evidence.map;
    for (at, text) in map.notes.iter().enumerate() {
        line(out, if at == 0 { "bound" } else { "" }, text);
    }
    if whole {
        let _ = write!(out, "\n{map}");
        return;
    }
    let io = map.inputs.iter().chain(&map.outputs).map(|pair| (&pair.original, &pair.port, pair.how));
    let resources = map.resources.iter().map(|pair| (&pair.original, &pair.port, pair.how));
    let samplers = map.samplers.iter().map(|pair| (&pair.original, &pair.port, pair.how));
    let guessed: Vec<String> = io
        .chain(resources)
        .chain(samplers)
        .filter(|(.., how)| *how == How::Order)
        .map(|(original, port, _)| format!("{original} = {port}"))
        .collect();
    if !guessed.is_empty() {
        line(out, "bound", &format!("by order alone: {} (--show-map, --write-map)", guessed.join(", ")));
    }
}
