//! Tells what words that differ come from.

use super::words::{Difference, Place, bit, runs_of};
use super::{Verdict, is_nan, word};
use crate::bind::layout::pieces;
use crate::bind::{Binding, Joined, Run};
use gpuproof_program::{Program, ResourceId, Shape};
use gpuproof_run::machine::depends_on_order;
use gpuproof_run::{Binding as Bound, Case, Outcome, RunError, Schedule, UndefinedChoice};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Runs the original again with another choice.
pub type Rerun<'a> = dyn FnMut(UndefinedChoice, Schedule) -> Result<Rc<Outcome>, RunError> + 'a;

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
    let mut spent = 0u64;
    let mut again = |choice, schedule, spent: &mut u64| match rerun(choice, schedule) {
        Ok(again) => {
            *spent = spent.saturating_add(again.steps);
            Ok(Some(again))
        }
        // What it does under a choice that it does not end with is not known.
        Err(RunError::StepLimit { .. }) => Ok(None),
        Err(error) => Err(error),
    };
    if outcomes.0.event_count > 0 {
        for seed in 1..=CHOICES {
            if seed > 2 && (spent > MOST_STEPS || !is_open(differences, &verdicts, Verdict::Undefined)) {
                break;
            }
            let Some(again) = again(UndefinedChoice::Seeded(seed), Schedule::Canonical, &mut spent)? else { continue };
            for (verdict, difference) in verdicts.iter_mut().zip(differences) {
                if changed(&again, difference) {
                    *verdict = Verdict::Undefined;
                }
            }
        }
    }
    if order_matters(original) || outcomes.0.event_count > 0 {
        let mut others = Vec::new();
        for (at, schedule) in std::iter::once(Schedule::Reversed).chain((1..CHOICES).map(Schedule::Permuted)).enumerate() {
            if at > 2 && (spent > MOST_STEPS || !is_open(differences, &verdicts, Verdict::Schedule)) {
                break;
            }
            let Some(again) = again(UndefinedChoice::Zero, schedule, &mut spent)? else { continue };
            for (verdict, difference) in verdicts.iter_mut().zip(differences) {
                if *verdict != Verdict::Undefined && changed(&again, difference) {
                    *verdict = Verdict::Schedule;
                }
            }
            if at <= 2 {
                others.push(again);
            }
        }
        for joined in &binding.resources {
            rows(original, joined, outcomes, &others, differences, &mut verdicts, &mut reordered);
        }
    }
    Ok(Classified { verdicts, reordered })
}

/// Choices at most, and the steps after which no more than the first few are made: a word of few bits, or that of a lane which a permutation leaves
/// in place, stays as it was under many a choice by chance alone.
const CHOICES: u64 = 24;
const MOST_STEPS: u64 = 400_000_000;

/// Whether words that differ for no known reason are of an output of which others have this verdict: more choices may show it of them too.
fn is_open(differences: &[Difference], verdicts: &[Verdict], verdict: Verdict) -> bool {
    let output = |place: Place| match place {
        Place::Live { .. } => (0, 0),
        Place::Output { original: (id, _), .. } => (1, id.0),
        Place::Memory { resource, .. } => (2, resource.0),
        Place::Counter { index } => (3, index),
    };
    let of = |wanted: &dyn Fn(Verdict) -> bool| -> BTreeSet<(u8, u32)> {
        let those = differences.iter().zip(verdicts).filter(|(_, verdict)| wanted(**verdict));
        those.map(|(difference, _)| output(difference.place)).collect()
    };
    !of(&|known| known == verdict).is_disjoint(&of(&|known| !matches!(known, Verdict::Undefined | Verdict::Schedule)))
}

/// The verdict of a difference by itself.
fn plain(difference: &Difference) -> Verdict {
    // What the original leaves as it was its API does not define.
    if difference.written { Verdict::Different } else { Verdict::Undefined }
}

/// Whether a program has operations whose result depends on the order of lanes.
fn order_matters(program: &Program) -> bool {
    let mut found = false;
    for function in &program.functions {
        gpuproof_program::walk(&function.body, &mut |node| {
            if let gpuproof_program::Node::Op(instruction) = node {
                found |= depends_on_order(instruction.op);
            }
        });
    }
    found
}

/// Rows of a buffer by their number, as words in the order of the original's memory.
type Rows = BTreeMap<u32, Vec<u32>>;

fn counts(rows: &Rows) -> HashMap<&Vec<u32>, u64> {
    let mut counts = HashMap::new();
    rows.values().for_each(|row| *counts.entry(row).or_default() += 1);
    counts
}

/// A buffer after a run, and which of its words are floats.
struct Memory<'a> {
    bytes: &'a [u8],
    floats: &'a [u8],
}

impl<'a> Memory<'a> {
    /// Empty where the resource is no buffer.
    fn of(outcome: &'a Outcome, id: ResourceId) -> Memory<'a> {
        let bytes = match outcome.resources.get(id.index()).and_then(|bound| bound.first()) {
            Some(Bound::Buffer(buffer)) => &buffer.bytes[..],
            _ => &[],
        };
        let floats = outcome.float_words.get(id.index()).and_then(|elements| elements.first());
        Memory { bytes, floats: floats.map_or(&[], |floats| &floats[..]) }
    }

    /// A word, all NaNs of floats as one.
    fn word(&self, at: usize) -> Option<u32> {
        let bits = word(self.bytes, at)?;
        Some(if is_nan(bits, 32) && bit(self.floats, at / 4) { 0x7fc0_0000 } else { bits })
    }
}

/// The rows that two memories have otherwise, of each; the second lies as the port's (`port` set) or the original's. `room` is the length of the port's.
fn unlike((runs, stride, room): (&[Run], u32, usize), first: &Memory<'_>, second: &Memory<'_>, port: bool) -> (Rows, Rows) {
    let each = |visit: &mut dyn FnMut(u32, Option<u32>, Option<u32>)| {
        pieces(runs, first.bytes.len(), room, &mut |at, to, length| {
            for step in (0..length).step_by(4) {
                let (at, to) = (at + step, if port { to } else { at } + step);
                visit(at as u32 / stride, first.word(at), second.word(to));
            }
        });
    };
    let mut numbers = BTreeSet::new();
    each(&mut |row, first, second| {
        if first != second {
            numbers.insert(row);
        }
    });
    let (mut left, mut right) = (Rows::new(), Rows::new());
    if !numbers.is_empty() {
        each(&mut |row, first, second| {
            if numbers.contains(&row) {
                left.entry(row).or_default().extend(first);
                right.entry(row).or_default().extend(second);
            }
        });
    }
    (left, right)
}

/// Judges differences that depend on order in a buffer of rows. Where the original's rows are the same ones under every order, the port has to have
/// these too: a row that is one of them, in whatever place, is reordered, and one that has no partner is wrong. Where the rows themselves
/// depend on the order, nothing is known of them.
fn rows(
    original: &Program,
    joined: &Joined,
    outcomes: (&Outcome, &Outcome),
    others: &[Rc<Outcome>],
    differences: &[Difference],
    verdicts: &mut [Verdict],
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
    if !differences
        .iter()
        .zip(&*verdicts)
        .any(|(difference, verdict)| *verdict == Verdict::Schedule && mine(difference).is_some())
    {
        return;
    }
    let runs = runs_of(&joined.transfer);
    let wanted = Memory::of(outcomes.0, joined.original);
    let found = Memory::of(outcomes.1, joined.port);
    // Rows that stand where the original's do are their own partners; the others are as a rule few.
    let room = found.bytes.len();
    let (missing, moved) = unlike((&runs, stride, room), &wanted, &found, true);
    let mut open = counts(&missing);
    // Rows that are the same ones under another order are so too without those that stay where they are.
    let stable = others.iter().all(|other| {
        let (before, after) = unlike((&runs, stride, room), &wanted, &Memory::of(other, joined.original), false);
        counts(&before) == counts(&after)
    });
    if !stable {
        return;
    }
    let mut take = |row: &Vec<u32>| {
        open.get_mut(row).filter(|count| **count > 0).is_some_and(|count| {
            *count -= 1;
            true
        })
    };
    let strays: BTreeSet<u32> = moved.iter().filter(|(_, row)| !take(row)).map(|(at, _)| *at).collect();
    for (at, difference) in differences.iter().enumerate() {
        if let (Verdict::Schedule, Some(row)) = (verdicts[at], mine(difference)) {
            if strays.contains(&row) {
                verdicts[at] = plain(difference);
            } else {
                reordered[at] = true;
            }
        }
    }
}
