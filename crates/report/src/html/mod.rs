//! Evidence as one page of HTML: styles, script and data are inside it, and it loads nothing.
//!
//! The page holds the Evidence as JSON, the same text that `--json` prints. Every number that it shows of the comparison is a `data` element that names by
//! JSON pointers in `data-from` the numbers it is the sum of, computed from that JSON alone.

mod adequacy;
mod allowed;
mod cases;
mod census;
mod distances;
mod listings;
mod numbers;
mod pictures;
mod provenance;
mod undefined;
mod verdict;

use gpuproof_prove::Evidence;
use gpuproof_prove::pictures::Pictures;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use numbers::Numbers;

pub use provenance::quoted;

/// What a page shows beside the Evidence.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was found.
    pub evidence: &'a Evidence,
    /// What it looks like; none where no pictures were made.
    pub pictures: Option<&'a Pictures>,
    /// The original's listing and the port's.
    pub listings: (&'a [ListingLine], &'a [ListingLine]),
    /// The command line that made the Evidence, as words of a shell, without what says where results go.
    pub command: &'a str,
    /// The command line that runs the original alone.
    pub run: &'a str,
    /// Whether the command takes a saved case, so that it compares that alone.
    pub saved: bool,
}

/// A line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingLine {
    /// The instruction's number, or the line's from 1; none for what has no number.
    pub number: Option<u32>,
    /// Its text.
    pub text: String,
}

/// The whole page.
pub fn page(page: &Page<'_>) -> String {
    let evidence = page.evidence;
    let json = serde_json::to_value(evidence).unwrap_or_default();
    let numbers = Numbers::new(&json);
    let sections = [
        ("parting", if evidence.parting.is_some() { "Where they part" } else { "Listings" }, listings::section(page, &numbers)),
        ("allowed", "Allowed", allowed::section(evidence, &numbers)),
        ("lanes", "Lanes", pictures::section(page)),
        ("distances", "Distances", distances::section(evidence, &numbers)),
        ("census", "Census", census::section(evidence, &numbers)),
        ("cases", "Cases", cases::section(page, &numbers)),
        ("coverage", "Adequacy", cases::coverage(evidence, &numbers)),
        ("undefined", "Undefined", undefined::section(evidence, &numbers)),
        ("provenance", "Provenance", provenance::section(page, &numbers)),
    ];
    let sections: Vec<_> = sections.into_iter().filter_map(|(id, title, body)| Some((id, title, body?))).collect();
    let title = format!("{}: {} and {}", verdict::word(evidence), evidence.original.name, evidence.port.name);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(evidence.made_by);
                title { (title) }
                // An icon of its own, so that none is asked for.
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                a .skip href="#main" { "Skip to the findings" }
                header .top {
                    span .brand { "gpuproof" }
                    nav aria-label="Sections" {
                        @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } }
                    }
                    button #theme type="button" { "Theme: auto" }
                }
                main #main {
                    (verdict::section(evidence, &numbers))
                    @for (id, title, body) in &sections {
                        section id=(id) aria-labelledby={ (id) "-title" } {
                            h2 id={ (id) "-title" } { (title) }
                            (body)
                        }
                    }
                }
                footer { p { "Made by " (evidence.made_by) ". This page holds the whole Evidence as JSON: " a #save href="#evidence" download="evidence.json" { "save it" } "." } }
                (data("evidence", &crate::json(evidence)))
                (data("pictures", &serde_json::to_string(&pictures::data(page)).unwrap_or_default()))
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    }
    .into_string()
}

/// JSON inside a script element, which nothing in it can end.
fn data(id: &str, json: &str) -> Markup {
    let safe = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    html! { script id=(id) type="application/json" { (PreEscaped(safe)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_the_json_cannot_end_its_element() {
        let json = serde_json::to_string("</script><script>alert(1)</script><!--").expect("JSON");
        let element = data("x", &json).into_string();
        // The only tags are the element's own two, and what is inside reads back as it was.
        assert_eq!(element.matches('<').count(), 2);
        let inside = element.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</")).expect("one element").0;
        let back: String = serde_json::from_str(inside).expect("JSON");
        assert_eq!(back, "</script><script>alert(1)</script><!--");
    }
}
