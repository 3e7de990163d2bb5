//! Traced formulas, and what holding formulas against a program gave, as text.

use gpuproof_prove::Check;
use gpuproof_prove::trace::{Trace, Traceable};
use std::fmt::Write;

/// What may be traced, an output a line.
pub fn outputs(found: &[Traceable]) -> String {
    let mut out = String::new();
    for output in found {
        let name = match output.components.as_str() {
            "" => output.name.clone(),
            components => format!("{}.{components}", output.name),
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "{name:16}{}", output.semantic);
    }
    if found.is_empty() { "nothing: the program writes no outputs and no memory\n".into() } else { out }
}

/// Formulas as a text that `check` takes: what feeds a vertex program's output stands before them in comments.
pub fn trace(trace: &Trace) -> String {
    let mut out = String::new();
    for feed in &trace.feeds {
        let from = match (&feed.scaled, feed.members.is_empty()) {
            (Some(scaled), _) => scaled.clone(),
            (None, true) => "constants alone".into(),
            (None, false) => feed.members.join(", "),
        };
        let through = match (&feed.scaled, feed.matrices.is_empty(), feed.constants.is_empty()) {
            (None, false, _) => {
                format!(", by {}{}", feed.matrices.join(", then "), if feed.normalized { ", normalized" } else { "" })
            }
            (None, true, false) => format!(", through {}", feed.constants.join(", ")),
            _ => String::new(),
        };
        let _ = writeln!(out, "// {} is fed by {from}{through}", feed.output);
    }
    let operations = |count: usize| format!("{count} operation{}", if count == 1 { "" } else { "s" });
    let counts = format!("{} of the program, {} here", operations(trace.live_operations), trace.formula_operations);
    let _ = writeln!(out, "// {}: {counts}", trace.output);
    out + &trace.formulas
}

/// What a check gave: each output, then the comparison.
pub fn check(check: &Check) -> String {
    let mut out = crate::evidence::text(&check.evidence, false);
    for formula in &check.formulas {
        let words = formula.words.words();
        let rest = words - formula.words.same;
        let within = formula.within.as_ref().map_or_else(String::new, |within| format!(" within {within}"));
        let found = match (words, rest) {
            (0, _) => "nothing was compared".into(),
            (_, 0) => format!("{words} words are the same{within}"),
            _ => format!("{rest} of {words} words are not the same{within}"),
        };
        let _ = writeln!(out, "{:11}{found}", formula.output);
    }
    out
}
