//! What accounts for allowed differences, as text.

use crate::numbers::short;
use gpuproof_program::Dialect;
use gpuproof_prove::Evidence;
use gpuproof_prove::explain::{Amplifier, AmplifierKind, Carrier, CarrierKind, Explanation, Refactored};
use gpuproof_prove::locate::PartingLine;
use std::collections::BTreeSet;

/// At most so many operations are listed.
const MANY: usize = 10;

/// What kind of difference it is, in words.
pub fn carrier(kind: CarrierKind) -> &'static str {
    match kind {
        CarrierKind::Accuracy => "within the accuracy asked for",
        CarrierKind::Fused => "fused or not",
        CarrierKind::Refactored => "in another order or form",
        CarrierKind::Constant => "a constant in shortened form",
        CarrierKind::Neighbour => "to the other neighbour",
        CarrierKind::Filtered => "within a sampler's fixed point",
        CarrierKind::Flushed => "a denormal number kept or made zero",
        CarrierKind::ZeroSign => "the sign of a zero",
        CarrierKind::Unbounded => "nothing is promised",
    }
}

/// How a difference becomes large, in words.
pub fn amplifier(kind: AmplifierKind) -> &'static str {
    match kind {
        AmplifierKind::FractionOfLarge => "keeps the fraction of a large number",
        AmplifierKind::Comparison => "compares what is nearly equal",
        AmplifierKind::ToInteger => "rounds to an integer near the middle of two",
        AmplifierKind::Cancellation => "takes nearly equal values from each other",
        AmplifierKind::Steep => "is steep there",
    }
}

fn place(line: &PartingLine, dialect: Dialect) -> String {
    let sign = if dialect == Dialect::Wgsl { "line " } else { "#" };
    format!("{sign}{}  {}", line.number, line.text.trim())
}

/// The lines of an explanation, each with what stands before it: the operations, where their differences came to, what makes them large.
pub(crate) fn lines(evidence: &Evidence, explanation: &Explanation) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    let (original, port) = (evidence.original.dialect, evidence.port.dialect);
    for (at, carrier) in explanation.operations.iter().take(MANY).enumerate() {
        all.push((if at == 0 { "carried by" } else { "" }, operation(carrier, original)));
        if let Some(line) = &carrier.port {
            all.push(("", format!("  port {}", place(line, port))));
        }
    }
    if explanation.operations.len() > MANY {
        all.push(("", format!("and {} more operations (--json)", explanation.operations.len() - MANY)));
    }
    let reached = explanation.outputs.iter().filter(|output| output.allowed > 0);
    for (at, output) in reached.take(MANY).enumerate() {
        let (name, words) = (&output.name, output.allowed);
        let far = match output.ulps {
            0 => String::new(),
            ulps => format!(", up to {ulps} ulp, {} absolute", short(output.absolute)),
        };
        all.push((if at == 0 { "reaches" } else { "" }, format!("{name}: {words} words{far}")));
    }
    for (at, amplifier) in explanation.amplifiers.iter().enumerate() {
        all.push((if at == 0 { "made large" } else { "" }, grows(amplifier, original)));
    }
    if let Some(why) = &explanation.stopped {
        all.push(("limit", format!("what is allowed may be more than was found: {why}")));
    }
    all
}

/// What a person may do where a compiler was free to refactor and the original does not say so.
pub(crate) fn if_refactored(evidence: &Evidence, refactored: &Refactored) -> Vec<(&'static str, String)> {
    let different = evidence.census.total().different;
    let count = match refactored.allowed() {
        all if all == different => format!("all {all}"),
        some => format!("{some}"),
    };
    let what = format!(
        "{count} of these words would be allowed if the compiler was free to refactor {}, of which the original says nothing",
        places(&refactored.operations, evidence.original.dialect)
    );
    vec![("hint", what), ("", "(--refactor takes the original for one that may be refactored)".into())]
}

/// The lines of operations, each once, in order.
fn places(operations: &[Carrier], dialect: Dialect) -> String {
    let lines: BTreeSet<u32> = operations.iter().filter_map(|found| Some(found.original.as_ref()?.number)).collect();
    let sign = if dialect == Dialect::D3D11 { "#" } else { "line " };
    let mut all: Vec<String> = lines.iter().take(MANY).map(|line| format!("{sign}{line}")).collect();
    if lines.len() > MANY {
        all.push(format!("{} more operations (--json)", lines.len() - MANY));
    }
    match all.pop() {
        Some(last) if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        Some(only) => only,
        None => "it".into(),
    }
}

fn operation(found: &Carrier, dialect: Dialect) -> String {
    let line = found.original.as_ref().map_or_else(|| found.operation.clone(), |line| place(line, dialect));
    let times = match found.times {
        1 => "once".to_string(),
        times => format!("{times} times"),
    };
    let far = match found.ulps {
        0 => String::new(),
        ulps => format!(", up to {ulps} ulp"),
    };
    let because = match (found.kind, found.because.is_empty()) {
        (_, true) => String::new(),
        (CarrierKind::Unbounded, false) => format!(": {}", found.because.join(", ")),
        (_, false) => format!(" ({})", found.because.join("; ")),
    };
    format!("{line}: {}{because}, {times}{far}", carrier(found.kind))
}

fn grows(found: &Amplifier, dialect: Dialect) -> String {
    let line = found.at.as_ref().map_or_else(|| found.operation.clone(), |line| place(line, dialect));
    let factor =
        found.factor.map_or_else(String::new, |factor| format!(", {} times as large relative to the value", short(factor)));
    format!("{line}: {}{factor}", amplifier(found.kind))
}
