//! What happened that an API leaves undefined.

use super::cases::line_link;
use super::numbers::Numbers;
use gpuproof_prove::Evidence;
use maud::{Markup, html};

pub(super) fn section(evidence: &Evidence, numbers: &Numbers<'_>) -> Option<Markup> {
    (!evidence.events.is_empty()).then(|| {
        html! {
            p { "What the programs did that their API leaves undefined, once for each kind and place." }
            ul .findings {
                @for (at, event) in evidence.events.iter().enumerate() {
                    li {
                        b { (event.kind) } " at " (line_link(event.side, event.line)) ", case "
                        (numbers.at(&format!("/events/{at}/case"))) " lane " (numbers.at(&format!("/events/{at}/lane")))
                        @if !event.detail.is_empty() { ": " (event.detail) }
                    }
                }
            }
        }
    })
}
