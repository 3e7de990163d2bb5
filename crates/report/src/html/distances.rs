//! Histograms of how far words are apart.

use super::numbers::{Numbers, grouped, words};
use gpuproof_prove::Evidence;
use gpuproof_prove::cases::CaseClass;
use maud::{Markup, html};

/// The most binary digits of a distance between two finite floats.
const DIGITS: usize = 32;

/// The counts of one verdict: for each column the pointer to its number.
struct Stack<'a> {
    verdict: String,
    pointers: Vec<String>,
    numbers: &'a Numbers<'a>,
}

impl Stack<'_> {
    fn count(&self, column: usize) -> u64 {
        self.numbers.sum(&self.pointers[column..=column])
    }
}

pub(super) fn section(evidence: &Evidence, numbers: &Numbers<'_>) -> Option<Markup> {
    if evidence.distances.is_empty() {
        return None;
    }
    let mut charts: Vec<(&str, CaseClass, Vec<Stack<'_>>)> = Vec::new();
    for (at, record) in evidence.distances.iter().enumerate() {
        let mut pointers: Vec<String> = (0..=DIGITS).map(|digits| format!("/distances/{at}/ulps/{digits}")).collect();
        pointers.push(format!("/distances/{at}/other"));
        let verdict =
            serde_json::to_value(record.verdict).ok().and_then(|name| Some(name.as_str()?.to_string())).unwrap_or_default();
        let stack = Stack { verdict, pointers, numbers };
        match charts.last_mut() {
            Some((output, class, stacks)) if *output == record.output && *class == record.class => stacks.push(stack),
            _ => charts.push((&record.output, record.class, vec![stack])),
        }
    }
    Some(html! {
        p { "Words that are not the same bits, by how many representable floats (ulp) lie between the original's and the port's. Bars double from left to right; the last one counts words that are not two finite floats." }
        div .charts { @for (output, class, stacks) in &charts { (chart(output, *class, stacks)) } }
    })
}

/// What a column counts.
fn range(column: usize) -> String {
    match column {
        0 => "0 ulp".into(),
        1 => "1 ulp".into(),
        column if column > DIGITS => "not two finite floats".into(),
        column => format!("{} to {} ulp", grouped(1 << (column - 1)), grouped((1 << column) - 1)),
    }
}

/// Where the bars stand, and how high the highest column is.
const FLOOR: f64 = 82.0;
const HEIGHT: f64 = 72.0;

/// A part of a column.
struct Bar<'a> {
    verdict: &'a str,
    column: usize,
    count: u64,
    top: f64,
    height: f64,
}

/// The bars, one upon another in each column.
fn bars<'a>(stacks: &'a [Stack<'_>]) -> Vec<Bar<'a>> {
    let columns = DIGITS + 2;
    let total = |column: usize| stacks.iter().map(|stack| stack.count(column)).sum::<u64>();
    let highest = (0..columns).map(total).max().unwrap_or(1).max(1);
    let mut bars = Vec::new();
    for column in 0..columns {
        let mut top = FLOOR;
        for stack in stacks {
            let count = stack.count(column);
            if count > 0 {
                // What is there can be seen, however little it is.
                let height = (count as f64 / highest as f64 * HEIGHT).max(1.0);
                top -= height;
                bars.push(Bar { verdict: &stack.verdict, column, count, top, height });
            }
        }
    }
    bars
}

fn chart(output: &str, class: CaseClass, stacks: &[Stack<'_>]) -> Markup {
    let columns = DIGITS + 2;
    let total = |column: usize| stacks.iter().map(|stack| stack.count(column)).sum::<u64>();
    let highest = (0..columns).map(total).max().unwrap_or(1).max(1);
    let all: u64 = (0..columns).map(total).sum();
    let class = if class == CaseClass::Finite { "finite" } else { "edge" };
    let x = |column: usize| 4.0 + column as f64 * 8.0 + if column > DIGITS { 6.0 } else { 0.0 };
    let most = (0..columns).max_by_key(|column| total(*column)).unwrap_or(0);
    html! {
        figure .chart data-output=(output) data-class=(class) {
            figcaption { code { (output) } " " span .quiet { (class) " cases" } }
            svg viewBox="0 0 290 100" role="img" aria-label={ "Distances of " (output) ", " (class) " cases: " (grouped(all)) " words, most of them " (range(most)) } {
                line .axis x1="2" x2="288" y1=(FLOOR) y2=(FLOOR) {}
                @for bar in bars(stacks) {
                    rect .{ "v-" (bar.verdict) } data-verdict=(bar.verdict) x=(x(bar.column)) y=(format!("{:.1}", bar.top)) width="7" height=(format!("{:.1}", bar.height)) {
                        title { (range(bar.column)) ": " (grouped(bar.count)) " " (words(bar.verdict)) }
                    }
                }
                @for (column, label) in [(0, "0"), (1, "1"), (5, "16"), (11, "1k"), (21, "1M"), (31, "1G"), (33, "not")] {
                    text x=(x(column) + 3.5) y="94" text-anchor="middle" { (label) }
                }
                text .top x="2" y="8" { (grouped(highest)) }
            }
            details {
                summary { "Numbers" }
                table {
                    thead { tr { th scope="col" { "Distance" } @for stack in stacks { th .number scope="col" { (words(&stack.verdict)) } } } }
                    tbody {
                        @for column in (0..columns).filter(|column| total(*column) > 0) {
                            tr {
                                th scope="row" { (range(column)) }
                                @for stack in stacks {
                                    td .number { @if stack.count(column) > 0 { (stack.numbers.at(&stack.pointers[column])) } @else { "–" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
