//! Tells what words that differ come from.

use super::words::{Difference, Place, bit, runs_of};
use super::{NEAR, Verdict, is_nan, ulps, word};
use crate::bind::layout::pieces;
use crate::bind::{Binding, Joined};
use gpuproof_program::{Op, Program, Shape};
use gpuproof_run::{Binding as Bound, Case, Outcome, RunError, Schedule, UndefinedChoice};
use std::collections::BTreeSet;

/// Runs the original again with another choice.
pub type Rerun<'a> = dyn FnMut(UndefinedChoice, Schedule) -> Result<Outcome, RunError> + 'a;

/// Verdicts of differences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Classified {
    /// For each difference its verdict.
    pub verdicts: Vec<Verdict>,
    /// For each difference whether its row is one of the original's in another place.
    pub reordered: Vec<bool>,
}

/// Gives each difference of a case its verdict. `rerun` runs the original on the case again; it is called only when the original did
/// something undefined, or something whose result depends on the order of lanes.
///
/// # Errors
/// Those of `rerun`.
pub fn classify(
    original: &Program,
    binding: &Binding,
    case: &Case,
    outcomes: (&Outcome, &Outcome),
    differences: &[Difference],
    rerun: &mut Rerun<'_>,
) -> Result<Classified, RunError> {
    let mut verdicts: Vec<Verdict> = differences.iter().map(plain).collect();
    let mut reordered = vec![false; differences.len()];
    if differences.is_empty() {
        return Ok(Classified { verdicts, reordered });
    }
    let changed = |outcome: &Outcome, difference: &Difference| {
        difference.place.read(binding, case, outcome).is_some_and(|now| now != difference.original)
    };
    if outcomes.0.event_count > 0 {
        for choice in [UndefinedChoice::Seeded(1), UndefinedChoice::Seeded(2)] {
            let again = rerun(choice, Schedule::Canonical)?;
            for (verdict, difference) in verdicts.iter_mut().zip(differences) {
                if changed(&again, difference) {
                    *verdict = Verdict::Undefined;
                }
            }
        }
    }
    if order_matters(original) || outcomes.0.event_count > 0 {
        for schedule in [Schedule::Reversed, Schedule::Permuted(1), Schedule::Permuted(2)] {
            let again = rerun(UndefinedChoice::Zero, schedule)?;
            for (verdict, difference) in verdicts.iter_mut().zip(differences) {
                if *verdict != Verdict::Undefined && changed(&again, difference) {
                    *verdict = Verdict::Schedule;
                }
            }
        }
        for joined in &binding.resources {
            rows(original, joined, outcomes, differences, &verdicts, &mut reordered);
        }
    }
    Ok(Classified { verdicts, reordered })
}

/// The verdict of a difference by itself.
fn plain(difference: &Difference) -> Verdict {
    let near = || ulps(difference.original, difference.port).is_some_and(|distance| distance <= NEAR);
    if !difference.written {
        // The original leaves the output as it was, which its API does not define.
        Verdict::Undefined
    } else if difference.float && near() {
        Verdict::NotYetClassified
    } else {
        Verdict::Different
    }
}

/// Whether a program has operations whose result depends on the order of lanes.
fn order_matters(program: &Program) -> bool {
    let mut found = false;
    for function in &program.functions {
        gpuproof_program::walk(&function.body, &mut |node| {
            if let gpuproof_program::Node::Op(instruction) = node {
                found |= matches!(
                    instruction.op,
                    Op::CounterAlloc
                        | Op::CounterConsume
                        | Op::BufferAtomic
                        | Op::StructuredAtomic
                        | Op::TexelAtomic
                        | Op::SharedAtomic
                        | Op::BufferStore
                        | Op::StructuredStore
                        | Op::TexelStore
                );
            }
        });
    }
    found
}

/// Marks the differences of a buffer that depend on order when their rows, taken together, are the same multiset on both sides.
fn rows(
    original: &Program,
    joined: &Joined,
    outcomes: (&Outcome, &Outcome),
    differences: &[Difference],
    verdicts: &[Verdict],
    reordered: &mut [bool],
) {
    let stride = match original.interface.resource(joined.original).shape {
        Shape::Structured { stride } => stride.max(4),
        Shape::Buffer { .. } => crate::cases::uses::element_bytes(original.interface.resource(joined.original)),
        _ => return,
    };
    let mine = |difference: &Difference| match difference.place {
        Place::Memory { resource, element: 0, original, .. } if resource == joined.original => Some(original / stride),
        _ => None,
    };
    let open: BTreeSet<u32> = differences
        .iter()
        .zip(verdicts)
        .filter(|(_, verdict)| **verdict == Verdict::Schedule)
        .filter_map(|(difference, _)| mine(difference))
        .collect();
    let of = |outcome: &Outcome, id: gpuproof_program::ResourceId| -> Option<(Vec<u8>, Vec<u8>)> {
        let Bound::Buffer(buffer) = outcome.resources.get(id.index())?.first()? else { return None };
        let floats = outcome.float_words.get(id.index()).and_then(|elements| elements.first()).cloned().unwrap_or_default();
        Some((buffer.bytes.to_vec(), floats))
    };
    let (Some(left), Some(right)) = (of(outcomes.0, joined.original), of(outcomes.1, joined.port)) else { return };
    let mut tables = [std::collections::BTreeMap::<u32, Vec<u32>>::new(), std::collections::BTreeMap::new()];
    let canonical = |bits: u32, float: bool| if float && is_nan(bits, 32) { 0x7fc0_0000 } else { bits };
    pieces(&runs_of(&joined.transfer), left.0.len(), right.0.len(), &mut |at, to, bytes| {
        for step in (0..bytes).step_by(4) {
            let row = (at + step) as u32 / stride;
            if let (true, Some(x), Some(y)) = (open.contains(&row), word(&left.0, at + step), word(&right.0, to + step)) {
                let float = bit(&left.1, (at + step) / 4) && bit(&right.1, (to + step) / 4);
                tables[0].entry(row).or_default().push(canonical(x, float));
                tables[1].entry(row).or_default().push(canonical(y, float));
            }
        }
    });
    let sorted = |table: &std::collections::BTreeMap<u32, Vec<u32>>| {
        let mut rows: Vec<Vec<u32>> = table.values().cloned().collect();
        rows.sort_unstable();
        rows
    };
    if sorted(&tables[0]) == sorted(&tables[1]) {
        for (at, difference) in differences.iter().enumerate() {
            reordered[at] |= verdicts[at] == Verdict::Schedule && mine(difference).is_some();
        }
    }
}
