//! How many words of each output got each verdict.

use super::numbers::{Numbers, words};
use super::verdict::TOTALS;
use gpuproof_prove::Evidence;
use maud::{Markup, html};

pub(super) fn section(evidence: &Evidence, numbers: &Numbers<'_>) -> Option<Markup> {
    let all = numbers.tally(&TOTALS.map(String::from));
    let columns: Vec<String> =
        all.iter().filter(|(name, pointers)| name == "same" || numbers.sum(pointers) > 0).map(|entry| entry.0.clone()).collect();
    let row = |name: &str, class: &str, at: &str| {
        html! {
            tr data-output=(name) data-verdicts=(verdicts(numbers, at)) {
                th scope="row" { (name) }
                td { (class) }
                @for column in &columns { td .number { (numbers.at(&format!("{at}/{column}"))) } }
            }
        }
    };
    Some(html! {
        p { "Words by output and verdict. Cases with finite values and cases with infinities, NaNs and subnormals (edge) are counted apart." }
        div .scroll tabindex="0" role="region" aria-label="Census table" {
            table #census-table {
                thead { tr {
                    th scope="col" { "Output" } th scope="col" { "Cases" }
                    @for column in &columns { th .number scope="col" { span .swatch .{ "v-" (column) } aria-hidden="true" {} (words(column)) } }
                } }
                tbody {
                    @for (at, output) in evidence.census.outputs.iter().enumerate() {
                        (row(&output.name, "finite", &format!("/census/outputs/{at}/finite")))
                        @if output.edge.words() > 0 { (row(&output.name, "edge", &format!("/census/outputs/{at}/edge"))) }
                    }
                }
                tfoot {
                    @for (class, at) in [("finite", TOTALS[0]), ("edge", TOTALS[1])] {
                        tr {
                            th scope="row" { "all" } td { (class) }
                            @for column in &columns { td .number { (numbers.at(&format!("{at}/{column}"))) } }
                        }
                    }
                }
            }
        }
        p .empty hidden { "No output has words of the verdicts that are shown." }
    })
}

/// The verdicts that words of a tally got.
fn verdicts(numbers: &Numbers<'_>, at: &str) -> String {
    let tally = numbers.tally(&[at.to_string()]);
    tally.into_iter().filter(|(_, pointers)| numbers.sum(pointers) > 0).map(|entry| entry.0).collect::<Vec<_>>().join(" ")
}
