//! What happened that an API leaves undefined.

use super::cases::line_link;
use super::numbers::Numbers;
use super::verdict::hex;
use gpuproof_prove::evidence::{Dependence, EventRecord};
use gpuproof_prove::{Evidence, Side};
use maud::{Markup, html};

pub(super) fn section(evidence: &Evidence, numbers: &Numbers<'_>) -> Option<Markup> {
    (!evidence.events.is_empty()).then(|| {
        html! {
            p { "What the programs did that their API leaves undefined, once for each kind and place." }
            @for (at, event) in evidence.events.iter().enumerate() { (record(event, &format!("/events/{at}"), numbers)) }
        }
    })
}

fn record(event: &EventRecord, at: &str, numbers: &Numbers<'_>) -> Markup {
    let show = |field: &str| numbers.at(&format!("{at}/{field}"));
    html! {
        article .event {
            h3 { (event.account.title) }
            p {
                (line_link(event.side, event.account.place.line)) " " code { (event.account.place.text) }
                span .quiet { " – " (show("count")) @if event.count == 1 { " time" } @else { " times" } ", first in case " (show("case")) " lane " (show("lane")) }
            }
            @if !event.account.lanes.is_empty() {
                ul .findings {
                    @for lane in &event.account.lanes {
                        li {
                            (lane.text)
                            @if let Some(place) = &lane.place { " at " (line_link(event.side, place.line)) " " code { (place.text) } }
                        }
                    }
                }
            }
            @if let Some(found) = &event.depends { (depends(found, event.side, &format!("{at}/depends"), numbers)) }
            @for (name, text) in [("Note", &event.account.note), ("Help", &event.account.help)] {
                @if !text.is_empty() { p .note { b { (name) } " " (text) } }
            }
        }
    }
}

fn depends(found: &Dependence, side: Side, at: &str, numbers: &Numbers<'_>) -> Markup {
    let show = |field: &str| numbers.at(&format!("{at}/{field}"));
    let with = if found.together { " (of this and the events after it)" } else { "" };
    html! {
        p {
            @if found.endless {
                "With another choice" (with) " the " (side) " does not end, in case " (show("case")) "."
            } @else if found.words == 0 {
                "No output word depends on it: " (show("choices")) " other choices" (with) " changed none in case " (show("case")) "."
            } @else {
                (show("words")) " output words depend on it" (with) " in case " (show("case")) ": "
                @for (index, output) in found.outputs.iter().enumerate() {
                    @if index > 0 { ", " }
                    (show(&format!("outputs/{index}/words"))) " of " code { (output.output) }
                }
                "."
                @if let Some(example) = &found.example {
                    " " code { (example.output) } @if example.lane.is_some() { " of lane " (show("example/lane")) }
                    " is " code { (hex(example.canonical)) } ", or " code { (hex(example.other)) } " with " code { "--undefined seed:" (example.seed) } "."
                }
            }
        }
    }
}
