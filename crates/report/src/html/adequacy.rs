//! What the comparison is worth: goals that its cases reached, and mutants that they show.

use super::cases::line_link;
use super::numbers::{Numbers, words};
use gpuproof_program::Dialect;
use gpuproof_prove::adequacy::{Adequacy, Grade, Mutants, Reached, Survivor};
use gpuproof_prove::{Evidence, Side};
use maud::{Markup, html};
use serde::Serialize;

/// Where adequacy was measured, what it is.
pub(super) fn body(evidence: &Evidence, numbers: &Numbers<'_>) -> Markup {
    let Some(adequacy) = &evidence.adequacy else { return html! {} };
    html! {
        p { "A comparison is worth what its cases can see: what they made the programs do, and how many mistakes, made on purpose in the original, they would have shown." }
        @if adequacy.searched.goals > 0 { (searched(numbers)) }
        div .worth {
            div .scroll tabindex="0" role="region" aria-label="Goals of the original" { (reached(adequacy, Side::Original, numbers)) }
            div .scroll tabindex="0" role="region" aria-label="Goals of the port" { (reached(adequacy, Side::Port, numbers)) }
            @if let Some(mutants) = &adequacy.mutants {
                div .scroll tabindex="0" role="region" aria-label="Mutants" { (table(mutants, numbers)) }
            }
        }
        @for (side, reached) in [(Side::Original, &adequacy.original), (Side::Port, &adequacy.port)] { (missing(side, reached)) }
        @if let Some(mutants) = &adequacy.mutants { (survivors(&mutants.survivors, evidence.original.dialect)) }
    }
}

/// How sure it is, in a sentence.
pub(super) fn grade(evidence: &Evidence) -> Markup {
    let what = evidence.grade.map(|grade| match grade {
        Grade::Proven => "the cases reach everything that can be reached, and show every mutant.",
        Grade::Observed => "it holds in every case, but the cases do not show every mistake.",
        Grade::Inferred => "concluded from what was executed.",
        Grade::Sourced => "concluded from sources, not executed.",
    });
    html! {
        @if let (Some(grade), Some(what)) = (evidence.grade, what) {
            p .grade { b { (name(grade)) } ": " (what) " " a href="#coverage" { "What it is worth" } }
        }
    }
}

fn searched(numbers: &Numbers<'_>) -> Markup {
    let at = |field: &str| numbers.at(&format!("/adequacy/searched/{field}"));
    html! {
        p { (at("goals")) " goals and mutants were searched for; " (at("reached")) " of them were reached, by " (at("cases")) " cases that were added." }
    }
}

/// A row: its name, the parts of its bar with their classes and pointers, and what they are parts of.
fn bar(name: &str, parts: &[(&str, String)], of: &str, numbers: &Numbers<'_>) -> Markup {
    let counts: Vec<u64> = parts.iter().map(|part| numbers.sum(&[&part.1])).collect();
    let rest = numbers.sum(&[of]).saturating_sub(counts.iter().sum());
    html! {
        tr {
            th scope="row" { (name) }
            td .track { div .bar aria-hidden="true" {
                @for ((class, _), count) in parts.iter().zip(&counts) { @if *count > 0 { span .(class) style={ "flex-grow:" (count) } {} } }
                @if rest > 0 { span .w-missing style={ "flex-grow:" (rest) } {} }
            } }
            @for (_, pointer) in parts { td .number { (numbers.at(pointer)) } }
            td .number { (numbers.at(of)) }
        }
    }
}

fn reached(adequacy: &Adequacy, side: Side, numbers: &Numbers<'_>) -> Markup {
    let (reached, at) = match side {
        Side::Original => (&adequacy.original, "/adequacy/original/goals"),
        Side::Port => (&adequacy.port, "/adequacy/port/goals"),
    };
    html! {
        table {
            caption { "Reached in the " (side) }
            thead { tr { th scope="col" { "Goals" } td {} th .number scope="col" { "Reached" } th .number scope="col" { "Unreachable" } th .number scope="col" { "Of" } } }
            tbody {
                @for (index, tally) in reached.goals.iter().enumerate().filter(|(_, tally)| tally.goals > 0) {
                    @let pointer = |field: &str| format!("{at}/{index}/{field}");
                    (bar(&name(tally.class), &[("w-reached", pointer("reached")), ("w-unreachable", pointer("unreachable"))], &pointer("goals"), numbers))
                }
            }
        }
    }
}

fn table(mutants: &Mutants, numbers: &Numbers<'_>) -> Markup {
    html! {
        table {
            caption { "Mutants of the original, " (numbers.at("/adequacy/mutants/of")) " in all" }
            thead { tr { th scope="col" { "Kind" } td {} th .number scope="col" { "Noticed" } th .number scope="col" { "Equivalent" } th .number scope="col" { "Of" } } }
            tbody {
                @for (index, tally) in mutants.kinds.iter().enumerate().filter(|(_, tally)| tally.made > 0) {
                    @let pointer = |field: &str| format!("/adequacy/mutants/kinds/{index}/{field}");
                    (bar(&name(tally.kind), &[("w-reached", pointer("noticed")), ("w-unreachable", pointer("equivalent"))], &pointer("made"), numbers))
                }
            }
        }
    }
}

/// The name of a class or kind as the JSON has it.
fn name(of: impl Serialize) -> String {
    serde_json::to_value(of).ok().and_then(|name| name.as_str().map(words)).unwrap_or_default()
}

fn missing(side: Side, reached: &Reached) -> Markup {
    html! {
        @if !reached.missing.is_empty() {
            details open[reached.missing.len() <= 12] {
                summary { "Never reached in the " (side) }
                ul .findings {
                    @for missing in &reached.missing {
                        li { (line_link(side, Some(missing.line))) " " code { (missing.text.trim()) } ": " (name(missing.class)) " never " (missing.what) }
                    }
                }
            }
        }
    }
}

fn survivors(survivors: &[Survivor], dialect: Dialect) -> Markup {
    html! {
        @if !survivors.is_empty() {
            details #survivors open[survivors.len() <= 24] {
                summary { "Mutants that survived: no case shows them, and they are not known to be equivalent" }
                ul .findings {
                    @for survivor in survivors {
                        li {
                            a href={ "#original-" (survivor.line) } { "original " (survivor.place(dialect)) } " " code { (survivor.text.trim()) } ": " (name(survivor.kind)) ", " (survivor.change)
                            @if survivor.infected { span .quiet { " (gave another value, which no output showed)" } }
                        }
                    }
                }
            }
        }
    }
}
