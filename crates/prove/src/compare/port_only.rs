//! Finds what is undefined only in the port.

use super::words::{Difference, Place, compare};
use crate::Side;
use crate::bind::Binding;
use gpuproof_program::Program;
use gpuproof_run::{Case, Outcome, RunError, Schedule, UndefinedChoice};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Runs one of the programs again with other choices.
pub type RerunSide<'a> = dyn FnMut(Side, UndefinedChoice, Schedule) -> Result<Rc<Outcome>, RunError> + 'a;

/// What other choices for what is undefined show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortOnly {
    /// Words that change in the port and not in the original, as they then are.
    pub differences: Vec<Difference>,
    /// Whether the port did not end under some choice.
    pub endless: bool,
}

/// The choices that are tried.
const CHOICES: [(UndefinedChoice, Schedule); 3] = [
    (UndefinedChoice::Seeded(1), Schedule::Canonical),
    (UndefinedChoice::Seeded(2), Schedule::Canonical),
    (UndefinedChoice::Zero, Schedule::Reversed),
];

/// How many choices a word of the original gets to show that it depends on one: a word that half of all choices leave as it is
/// passes for defined once in 2^24.
const EXCUSES: u64 = 24;

/// Runs both programs again with other choices for what is undefined and finds the words that then change in the port though they
/// do not in the original. `known` are the differences without such choices, which are judged elsewhere.
///
/// # Errors
/// Those of `rerun`, but for a program that does not end.
pub fn port_only(
    programs: (&Program, &Program),
    binding: &Binding,
    cases: (&Case, &Case),
    outcome: &Outcome,
    known: &[Difference],
    rerun: &mut RerunSide<'_>,
) -> Result<PortOnly, RunError> {
    let mut found = PortOnly::default();
    let mut seen: BTreeSet<Place> = known.iter().map(|difference| difference.place).collect();
    for (undefined, schedule) in CHOICES {
        let again = match rerun(Side::Original, undefined, schedule) {
            Ok(again) => again,
            // Nothing can be held against the port where the original does not end.
            Err(RunError::StepLimit { .. }) => continue,
            Err(error) => return Err(error),
        };
        let port_again = match rerun(Side::Port, undefined, schedule) {
            Ok(again) => again,
            Err(RunError::StepLimit { .. }) => {
                found.endless = true;
                continue;
            }
            Err(error) => return Err(error),
        };
        let comparison = compare(programs.0, programs.1, binding, cases, (&again, &port_again), &mut |_| {});
        for difference in comparison.differences {
            let before = difference.place.read(binding, cases.0, outcome);
            let changed = before.is_some_and(|before| before != difference.original);
            if difference.written && !changed && seen.insert(difference.place) {
                found.differences.push(difference);
            }
        }
    }
    excuse(&mut found.differences, binding, cases.0, outcome, rerun)?;
    Ok(found)
}

/// Drops the words that do depend on something undefined in the original. A word of few bits, or one that is clamped, stays as it was under
/// many a choice by chance alone, so choices are made until nothing is left or they are [`EXCUSES`].
fn excuse(
    differences: &mut Vec<Difference>,
    binding: &Binding,
    case: &Case,
    outcome: &Outcome,
    rerun: &mut RerunSide<'_>,
) -> Result<(), RunError> {
    for seed in 1..=EXCUSES {
        if differences.is_empty() {
            break;
        }
        let again = match rerun(Side::Original, UndefinedChoice::Seeded(seed), Schedule::Canonical) {
            Ok(again) => again,
            Err(RunError::StepLimit { .. }) => continue,
            Err(error) => return Err(error),
        };
        differences
            .retain(|difference| difference.place.read(binding, case, &again) == difference.place.read(binding, case, outcome));
    }
    Ok(())
}
