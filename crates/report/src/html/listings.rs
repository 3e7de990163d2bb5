//! Both listings side by side, with the operations that part.

use super::numbers::Numbers;
use super::{ListingLine, Page};
use gpuproof_prove::compare::Status;
use gpuproof_prove::locate::PartingSide;
use gpuproof_prove::{Evidence, Side};
use maud::{Markup, html};
use std::collections::BTreeMap;

pub(super) fn section(page: &Page<'_>, numbers: &Numbers<'_>) -> Option<Markup> {
    let evidence = page.evidence;
    let parting = evidence.parting.as_ref();
    let sides = [
        (Side::Original, page.listings.0, parting.map(|parting| &parting.original), parting.map(|parting| &parting.port)),
        (Side::Port, page.listings.1, parting.map(|parting| &parting.port), parting.map(|parting| &parting.original)),
    ];
    Some(html! {
        @match parting {
            Some(_) => (summary(evidence, numbers)),
            None if evidence.status == Status::Differs => p { "Where they part was not found." },
            None => {},
        }
        div .listings {
            @for (side, lines, own, other) in sides {
                figure .listing {
                    figcaption { (side) ": " (if side == Side::Original { &evidence.original.name } else { &evidence.port.name }) }
                    (listing(evidence, side, lines, own, other))
                }
            }
            svg #joint aria-hidden="true" { path {} }
        }
        (values(evidence, numbers))
    })
}

fn summary(evidence: &Evidence, numbers: &Numbers<'_>) -> Markup {
    let Some(parting) = &evidence.parting else { return html! {} };
    let place = |side: Side, own: &PartingSide| {
        html! {
            @match &own.at {
                Some(at) => { a href={ "#" (side) "-" (at.number) } { (side) " " (at.number) } " " code { (at.text.trim()) } },
                None => { "nothing of its own in the " (side) },
            }
        }
    };
    html! {
        p .parts { (place(Side::Original, &parting.original)) br; (place(Side::Port, &parting.port)) }
        @if parting.agreement.is_some() {
            p {
                "Of " (numbers.at("/parting/agreement/lanes")) " lanes that ran both, the inputs agree on "
                (numbers.at("/parting/agreement/inputs")) " and the results on " (numbers.at("/parting/agreement/results")) "."
            }
        }
    }
}

/// The values of a lane whose inputs agree and whose results do not.
fn values(evidence: &Evidence, numbers: &Numbers<'_>) -> Markup {
    let agreement = evidence.parting.as_ref().and_then(|parting| parting.agreement.as_ref());
    html! {
        @if let Some(example) = agreement.and_then(|agreement| agreement.example.as_ref()) {
            div .scroll tabindex="0" role="region" aria-label="Values of one lane where they part" {
                table .values {
                    caption { "Case " (numbers.at("/parting/agreement/example/case")) ", lane " (numbers.at("/parting/agreement/example/lane")) }
                    thead { tr { td {} th scope="col" { "Original" } th scope="col" { "Port" } } }
                    tbody {
                        @for (at, (original, port)) in example.inputs.iter().enumerate() {
                            tr { th scope="row" { "Input " (at + 1) } td { (bits(*original)) } td { (bits(*port)) } }
                        }
                        tr .result { th scope="row" { "Result" } td { (bits(example.original)) } td { (bits(example.port)) } }
                    }
                }
            }
        }
    }
}

/// Bits, and what they most likely are: all ones a truth value, a small number a whole one, else a float.
fn bits(bits: u64) -> Markup {
    let as_number = |word: u32| match word {
        u32::MAX => "all ones".into(),
        1..0x0080_0000 => word.to_string(),
        word => crate::numbers::float(f32::from_bits(word)),
    };
    html! {
        @match u32::try_from(bits) {
            Ok(word) => { code { (super::verdict::hex(word)) } " " span .as-float { (as_number(word)) } },
            Err(_) => code { (format!("0x{bits:016x}")) },
        }
    }
}

fn listing(
    evidence: &Evidence,
    side: Side,
    lines: &[ListingLine],
    own: Option<&PartingSide>,
    other: Option<&PartingSide>,
) -> Markup {
    let at = own.and_then(|own| own.at.as_ref()).map(|at| at.number);
    let partner = other.and_then(|other| other.at.as_ref()).map(|at| at.number);
    let marks = marks(evidence, side);
    let name = if side == Side::Original { Side::Port } else { Side::Original };
    html! {
        ol .lines tabindex="0" aria-label={ "Listing of the " (side) } {
            @for line in lines {
                @let number = line.number.unwrap_or(0);
                @let parts = line.number.is_some() && line.number == at;
                @let region = line.number.is_some_and(|number| own.is_some_and(|own| own.contains(number)));
                li .parts[parts] .region[region] id=[line.number.map(|number| format!("{side}-{number}"))] {
                    span .n { @if line.number.is_some() { (number) } }
                    code { (line.text) }
                    @let said = line.number.and_then(|number| marks.get(&number));
                    @if parts || said.is_some() {
                        span .marks {
                            @if parts {
                                @match partner {
                                    Some(partner) => a href={ "#" (name) "-" (partner) } { "parts from " (name) " " (partner) },
                                    None => "parts here",
                                }
                            }
                            @for (mark, target) in said.into_iter().flatten() { a .small href=(target) { (mark) } }
                        }
                    }
                }
            }
        }
    }
}

/// What is said of lines elsewhere on the page, with a link to it.
fn marks(evidence: &Evidence, side: Side) -> BTreeMap<u32, Vec<(String, &'static str)>> {
    let mut marks: BTreeMap<u32, Vec<(String, &'static str)>> = BTreeMap::new();
    let missing = evidence.adequacy.iter().flat_map(|adequacy| adequacy.one_way());
    for (_, missing) in missing.filter(|(of, _)| *of == side) {
        marks.entry(missing.line).or_default().push((format!("never {}", missing.what), "#coverage"));
    }
    if side == Side::Original {
        let mutants = evidence.adequacy.iter().filter_map(|adequacy| adequacy.mutants.as_ref());
        for survivor in mutants.flat_map(|mutants| &mutants.survivors) {
            marks.entry(survivor.line).or_default().push(("mutant survives".into(), "#survivors"));
        }
    }
    for event in evidence.events.iter().filter(|event| event.side == side) {
        if let Some(line) = event.line {
            marks.entry(line).or_default().push(("undefined".into(), "#undefined"));
        }
    }
    for carrier in evidence.explanation.iter().flat_map(|explanation| &explanation.operations) {
        if let Some(line) = if side == Side::Original { &carrier.original } else { &carrier.port } {
            marks.entry(line.number).or_default().push(("allowed".into(), "#allowed"));
        }
    }
    marks.values_mut().for_each(|marks| marks.dedup());
    marks
}
