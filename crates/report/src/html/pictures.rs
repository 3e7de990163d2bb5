//! Pictures of lanes and memories, which the page's script draws.

use super::Page;
use gpuproof_prove::compare::{Distance, Verdict};
use gpuproof_prove::locate::LanePart;
use gpuproof_prove::pictures::{CasePicture, Cell, LaneShape, PartingPlane, Plane, PlaneKind};
use maud::{Markup, html};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The controls and the place of the picture.
pub(super) fn section(page: &Page<'_>) -> Option<Markup> {
    let pictures = page.pictures.filter(|pictures| !pictures.cases.is_empty())?;
    let verdicts = verdicts(page);
    let outputs: BTreeSet<&str> =
        pictures.cases.iter().flat_map(|case| &case.planes).map(|plane| plane.output.as_str()).collect();
    Some(html! {
        form #filters aria-label="What is shown" {
            fieldset {
                legend { "Verdicts" }
                @for verdict in &verdicts {
                    label .chip { input type="checkbox" name="verdict" value=(name(*verdict)) checked; span .swatch .{ "v-" (name(*verdict)) } aria-hidden="true" {} (super::numbers::words(&name(*verdict))) }
                }
            }
            fieldset {
                legend { "Cases" }
                @for class in ["finite", "edge"] { label .chip { input type="checkbox" name="class" value=(class) checked; (class) } }
                label .chip { input type="checkbox" name="showing"; "only those that differ" }
            }
            label { "Output " select name="output" {
                option value="" { "all" }
                @for output in outputs { option value=(output) { (output) } }
            } }
        }
        div .picture {
            div .controls {
                label { "Case " select #picture-case {} }
                label { "Picture " select #picture-plane {} }
                label { "Colour " select #picture-mode { option value="verdict" { "verdict" } option value="distance" { "distance" } } }
            }
            div .canvas-box {
                canvas #picture tabindex="0" role="img" aria-describedby="picture-help" width="1" height="1" {}
            }
            p #picture-help .quiet { "Point at a cell, or focus the picture and move with the arrow keys." }
            div #picture-legend .legend {}
            div #picture-detail aria-live="polite" {}
        }
        noscript { p { "Pictures need the page's script." } }
    })
}

/// The verdicts that the pictures show, and those alone.
fn verdicts(page: &Page<'_>) -> Vec<Verdict> {
    let mut verdicts = BTreeSet::from([Verdict::Same]);
    let planes = page.pictures.iter().flat_map(|pictures| &pictures.cases).flat_map(|case| &case.planes);
    for run in planes.flat_map(|plane| &plane.runs) {
        if let Cell::Open(verdict, _) = run.cell {
            verdicts.insert(verdict);
        }
    }
    verdicts.into_iter().collect()
}

/// A verdict's name in the JSON.
fn name(verdict: Verdict) -> String {
    serde_json::to_value(verdict).ok().and_then(|name| Some(name.as_str()?.to_string())).unwrap_or_default()
}

/// The pictures as the script reads them.
///
/// Cells are text: a letter for the verdict (`a` for the first of `verdicts` and so on, `-` for a cell without a word); where it is not the first, a digit of
/// base 33 and above for the distance (`_` where there is none); then how many cells in a row are alike where that is not one.
pub(super) fn data(page: &Page<'_>) -> Value {
    let verdicts = verdicts(page);
    let cases: Vec<Value> =
        page.pictures.iter().flat_map(|pictures| &pictures.cases).map(|picture| case(picture, &verdicts)).collect();
    json!({ "verdicts": verdicts.iter().map(|verdict| name(*verdict)).collect::<Vec<_>>(), "cases": cases })
}

fn case(picture: &CasePicture, verdicts: &[Verdict]) -> Value {
    let shape = match picture.shape {
        LaneShape::Vertices => json!({ "kind": "vertices" }),
        LaneShape::Quads => json!({ "kind": "quads" }),
        LaneShape::Groups { count, size } => json!({ "kind": "groups", "count": count, "size": size }),
    };
    json!({
        "case": picture.case,
        "shape": shape,
        "planes": picture.planes.iter().map(|of| plane(of, verdicts)).collect::<Vec<_>>(),
        "parting": picture.parting.as_ref().map(parting),
    })
}

fn plane(plane: &Plane, verdicts: &[Verdict]) -> Value {
    let mut cells = String::new();
    for run in &plane.runs {
        match run.cell {
            Cell::Empty => cells.push('-'),
            Cell::Same => cells.push('a'),
            Cell::Open(verdict, distance) => {
                let at = verdicts.iter().position(|known| *known == verdict).unwrap_or(0);
                cells.push(char::from(b'a' + at as u8));
                cells.push(match distance {
                    Distance::Ulps(digits) => char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[usize::from(digits.min(35))]),
                    Distance::None => '_',
                });
            }
        }
        if run.count > 1 {
            // Writing to a string does not fail.
            let _ = write!(cells, "{}", run.count);
        }
    }
    let kind = match plane.kind {
        PlaneKind::Lanes => json!({ "kind": "lanes" }),
        PlaneKind::Writers => json!({ "kind": "writers" }),
        PlaneKind::Words { element, level, row } => json!({ "kind": "words", "element": element, "level": level, "row": row }),
    };
    json!({ "output": plane.output, "kind": kind, "cells": cells, "left_out": plane.left_out, "words": plane.words })
}

fn parting(plane: &PartingPlane) -> Value {
    let mut cells = String::new();
    for (count, part) in &plane.runs {
        cells.push(match part {
            LanePart::NotRun => '-',
            LanePart::Agree => 'a',
            LanePart::Results => 'r',
            LanePart::Inputs => 'i',
        });
        if *count > 1 {
            let _ = write!(cells, "{count}");
        }
    }
    let pair = |a: u64, b: u64| json!([format!("0x{a:08x}"), format!("0x{b:08x}")]);
    let values: Vec<Value> = plane
        .values
        .iter()
        .map(|example| {
            let inputs: Vec<Value> = example.inputs.iter().map(|(a, b)| pair(*a, *b)).collect();
            json!({ "lane": example.lane, "result": pair(example.original, example.port), "inputs": inputs })
        })
        .collect();
    json!({ "cells": cells, "left_out": plane.left_out, "values": values })
}
