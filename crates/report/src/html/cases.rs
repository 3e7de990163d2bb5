//! The cases, how to replay each, and what they reached.

use super::Page;
use super::numbers::Numbers;
use gpuproof_prove::cases::CaseClass;
use gpuproof_prove::{Evidence, Side};
use maud::{Markup, html};

pub(super) fn section(page: &Page<'_>, numbers: &Numbers<'_>) -> Option<Markup> {
    let evidence = page.evidence;
    Some(html! {
        p { "Each case is made again from the seed; its command compares it alone." }
        div .scroll tabindex="0" role="region" aria-label="Table of cases" {
            table #cases-table {
                thead { tr {
                    th scope="col" { "Case" } th scope="col" { "Values" } th scope="col" { "Class" }
                    th .number scope="col" { "Lanes" } th .number scope="col" { "Words" } th .number scope="col" { "Different" }
                    th scope="col" { "Replay" }
                } }
                tbody {
                    @for (at, case) in evidence.cases.iter().enumerate() {
                        @let pointer = |field: &str| format!("/cases/{at}/{field}");
                        tr .shows[case.different > 0] data-class=(class(case.class)) data-different=(case.different) id={ "case-" (case.number) } {
                            th scope="row" { (numbers.at(&pointer("number"))) }
                            td { (case.name) @if let Some(why) = &case.abandoned { ": given up, " (why) } }
                            td { (class(case.class)) }
                            td .number {
                                (numbers.at(&pointer("lanes")))
                                @if case.lanes_asked.is_some() { " of " (numbers.at(&pointer("lanes_asked"))) }
                            }
                            td .number { (numbers.at(&pointer("words"))) }
                            td .number { (numbers.at(&pointer("different"))) }
                            td { (command(&replay(page, case.number))) }
                        }
                    }
                }
            }
        }
        p .empty hidden { "No case is left by what is shown." }
        @if !page.saved {
            p { "What the original read in a case, and every value that it then makes:" }
            (command(&format!("{} --save-case {}=case.json", page.command, evidence.first.as_ref().map_or(0, |first| first.case))))
            br;
            (command(&format!("{} --case case.json --values", page.run)))
        }
    })
}

/// The command that compares a case alone.
fn replay(page: &Page<'_>, case: u32) -> String {
    if page.saved { page.command.into() } else { format!("{} --only-case {case}", page.command) }
}

fn class(class: CaseClass) -> &'static str {
    match class {
        CaseClass::Finite => "finite",
        CaseClass::Edge => "edge",
    }
}

/// A command with a button that copies it.
pub(super) fn command(text: &str) -> Markup {
    html! {
        // The end of a command that is cut tells more than its beginning.
        span .command { code title=(text) { bdi { (text) } } button .copy type="button" aria-label={ "Copy: " (text) } { "Copy" } }
    }
}

/// What was executed.
pub(super) fn coverage(evidence: &Evidence, numbers: &Numbers<'_>) -> Option<Markup> {
    let coverage = &evidence.coverage;
    Some(html! {
        @if !coverage.outputs_never_reached.is_empty() {
            p .limit { b { "Never written" } " " @for output in &coverage.outputs_never_reached { code { (output) } " " } }
        }
        (super::adequacy::body(evidence, numbers))
        p { (numbers.at("/coverage/original_steps")) " steps of the original and " (numbers.at("/coverage/port_steps")) " of the port (one operation on one lane each)." }
    })
}

/// A link to a line of a listing.
pub(super) fn line_link(side: Side, line: Option<u32>) -> Markup {
    html! {
        @match line {
            Some(line) => a href={ "#" (side) "-" (line) } { (side) " " (line) },
            None => (side),
        }
    }
}
