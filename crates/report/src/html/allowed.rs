//! The operations whose other results the specifications allow, and what makes them large.

use super::cases::line_link;
use super::numbers::Numbers;
use crate::explanation::{amplifier, carrier};
use crate::numbers::short;
use gpuproof_prove::explain::{Amplifier, Carrier, Explanation};
use gpuproof_prove::{Evidence, Side};
use maud::{Markup, html};

pub(super) fn section(evidence: &Evidence, numbers: &Numbers<'_>) -> Option<Markup> {
    if evidence.explanation.is_none() && evidence.refactored.is_none() {
        return None;
    }
    Some(html! {
        @if let Some(explanation) = &evidence.explanation { (explained(explanation, numbers)) }
        @if let Some(refactored) = &evidence.refactored {
            p .limit {
                b { "Hint" } " Of the words that are different " (numbers.show(&["/refactored/finite/allowed", "/refactored/edge/allowed"]))
                " would be allowed if the compiler was free to refactor these operations, of which the original says nothing. "
                code { "--refactor" } " takes it for one that may be refactored."
            }
            (operations(&refactored.operations, "/refactored/operations", "Operations that would have to be refactored", numbers))
        }
    })
}

fn operations(all: &[Carrier], at: &str, label: &str, numbers: &Numbers<'_>) -> Markup {
    html! {
        div .scroll tabindex="0" role="region" aria-label=(label) {
            table {
                thead { tr {
                    th scope="col" { "Original" } th scope="col" { "Port" } th scope="col" { "Difference" }
                    th .number scope="col" { "Times" } th .number scope="col" { "Most ulp" } th .number scope="col" { "Most" }
                } }
                tbody { @for (number, found) in all.iter().enumerate() { (operation(found, &format!("{at}/{number}"), numbers)) } }
            }
        }
    }
}

fn explained(explanation: &Explanation, numbers: &Numbers<'_>) -> Markup {
    let reached = explanation.outputs.iter().enumerate();
    html! {
        @if !explanation.operations.is_empty() {
            p { "With these operations' results taken from the port, which their specification allows, the original gives the words that are counted as allowed." }
            (operations(&explanation.operations, "/explanation/operations", "Operations that carry allowed differences", numbers))
        }
        @if !explanation.outputs.is_empty() {
            div .scroll tabindex="0" role="region" aria-label="How large the differences became" {
                table {
                    thead { tr {
                        th scope="col" { "Output" } th .number scope="col" { "Allowed" } th .number scope="col" { "Unspecified" }
                        th .number scope="col" { "Most ulp" } th .number scope="col" { "Most" }
                    } }
                    tbody {
                        @for (at, output) in reached {
                            @let at = |field: &str| numbers.at(&format!("/explanation/outputs/{at}/{field}"));
                            tr {
                                th scope="row" { (output.name) }
                                td .number { (at("allowed")) }
                                td .number { @if output.unspecified > 0 { (at("unspecified")) } @else { "–" } }
                                td .number { (at("ulps")) }
                                td .number { (short(output.absolute)) }
                            }
                        }
                    }
                }
            }
        }
        @if !explanation.amplifiers.is_empty() {
            p { "What makes a small difference large:" }
            ul .findings { @for found in &explanation.amplifiers { li { (grows(found)) } } }
        }
        @if let Some(why) = &explanation.stopped {
            p .limit { b { "Limit" } " What is allowed may be more than was found: " (why) }
        }
    }
}

fn operation(found: &Carrier, at: &str, numbers: &Numbers<'_>) -> Markup {
    let show = |field: &str| numbers.at(&format!("{at}/{field}"));
    let sides = [(Side::Original, &found.original, &found.operation), (Side::Port, &found.port, &found.port_operation)];
    html! {
        tr {
            @for (side, line, operation) in sides {
                td {
                    @match line {
                        Some(line) => { (line_link(side, Some(line.number))) " " code { (line.text.trim()) } },
                        None if operation.is_empty() => "a constant",
                        None => code { (operation) },
                    }
                }
            }
            td {
                (carrier(found.kind))
                @if !found.because.is_empty() { br; span .quiet { (found.because.join("; ")) } }
            }
            td .number { (show("times")) @if found.unbounded > 0 { br; span .quiet { (show("unbounded")) " without promise" } } }
            td .number { (show("ulps")) }
            td .number { (short(found.absolute)) }
        }
    }
}

fn grows(found: &Amplifier) -> Markup {
    html! {
        @match &found.at {
            Some(line) => { (line_link(Side::Original, Some(line.number))) " " code { (line.text.trim()) } },
            None => code { (found.operation) },
        }
        ": " (amplifier(found.kind))
        @if let Some(factor) = found.factor { ", " (short(factor)) " times as large relative to the value" }
        "."
    }
}
