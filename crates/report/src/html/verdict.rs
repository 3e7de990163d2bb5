//! The verdict in a sentence, and how the words share out.

use super::numbers::{Numbers, words};
use gpuproof_prove::Evidence;
use gpuproof_prove::compare::Status;
use maud::{Markup, html};

/// The totals of the census.
pub(super) const TOTALS: [&str; 2] = ["/census/finite", "/census/edge"];

/// The verdict in a word.
pub(super) fn word(evidence: &Evidence) -> &'static str {
    match evidence.status {
        Status::Differs => "Different",
        Status::Inconclusive => "Undecided",
        Status::Holds if evidence.census.total().allowed > 0 => "Allowed",
        Status::Holds => "Same",
    }
}

pub(super) fn section(evidence: &Evidence, numbers: &Numbers<'_>) -> Markup {
    let tally = numbers.tally(&TOTALS.map(String::from));
    let all: Vec<String> = tally.iter().flat_map(|(_, pointers)| pointers.clone()).collect();
    let of = |name: &str| tally.iter().find(|entry| entry.0 == name).map(|entry| entry.1.clone()).unwrap_or_default();
    let over = html! { "over " (numbers.at("/census/lanes")) " lanes in " (numbers.at("/census/cases")) " cases" };
    html! {
        section .verdict .{ "is-" (status(evidence)) } aria-labelledby="verdict-title" {
            p .pair {
                span .name { (evidence.original.name) } " "
                span .against { "against" } " "
                span .name { (evidence.port.name) }
            }
            h1 #verdict-title { (word(evidence)) }
            p .sentence {
                @match evidence.status {
                    Status::Differs => {
                        strong { (numbers.show(&of("different"))) } " of " (numbers.show(&all)) " output words differ, " (over) "."
                        @if numbers.sum(&of("allowed")) > 0 { " " (numbers.show(&of("allowed"))) " more differ as the specifications allow." }
                    }
                    Status::Holds => {
                        @if numbers.sum(&of("same")) == numbers.sum(&all) {
                            "All " strong { (numbers.show(&all)) } " output words are the same, " (over) "."
                        } @else {
                            "Every one of " strong { (numbers.show(&all)) } " output words is what the original may give, " (over) "; "
                            (numbers.show(&of("same"))) " are the same."
                        }
                    }
                    Status::Inconclusive => {
                        @if numbers.sum(&all) == 0 { "Nothing was compared." } @else {
                            (numbers.show(&of("same"))) " of " strong { (numbers.show(&all)) } " output words are the same, " (over)
                            ", and that decides nothing: see the limits below."
                        }
                    }
                }
                @if let Some(parting) = &evidence.parting {
                    @if let (Some(original), Some(port)) = (&parting.original.at, &parting.port.at) {
                        " They part at " a href={ "#original-" (original.number) } { "original " (original.number) }
                        " and " a href={ "#port-" (port.number) } { "port " (port.number) } "."
                    }
                }
            }
            (bar(&tally, numbers))
            @if let Some(first) = &evidence.first {
                p .first {
                    "First: case " (numbers.at("/first/case"))
                    @if first.lane.is_some() { ", lane " (numbers.at("/first/lane")) }
                    ", " code { (first.output) } ": " code { (hex(first.original)) } " in the original, " code { (hex(first.port)) } " in the port."
                }
            }
            (super::adequacy::grade(evidence))
            @for limit in &evidence.limits { p .limit { b { "Limit" } " " (limit) } }
            @for note in &evidence.notes { p .note { b { "Note" } " " (note) } }
        }
    }
}

fn status(evidence: &Evidence) -> &'static str {
    match evidence.status {
        Status::Holds => "holds",
        Status::Differs => "differs",
        Status::Inconclusive => "inconclusive",
    }
}

/// A word as bits.
pub(super) fn hex(bits: u32) -> String {
    format!("0x{bits:08x}")
}

/// A bar of all words by verdict, with its legend.
fn bar(tally: &[(String, Vec<String>)], numbers: &Numbers<'_>) -> Markup {
    let some: Vec<_> = tally.iter().filter(|(_, pointers)| numbers.sum(pointers) > 0).collect();
    html! {
        @if !some.is_empty() {
            div .bar aria-hidden="true" {
                @for (name, pointers) in &some { span .{ "v-" (name) } style={ "flex-grow:" (numbers.sum(pointers)) } {} }
            }
            ul .legend {
                @for (name, pointers) in &some {
                    li { span .swatch .{ "v-" (name) } aria-hidden="true" {} (numbers.show(pointers)) " " (words(name)) }
                }
            }
        }
    }
}
