//! Runs mutants and tells which a comparison would notice.

use super::mutate::{Mutant, patched};
use crate::bind::Binding;
use crate::compare::{Verdict, classify, compare};
use gpuproof_program::{Program, Source};
use gpuproof_run::{Case, EventKind, Options, Outcome, Plan, RunError, Schedule, UndefinedChoice};
use std::collections::HashMap;
use std::rc::Rc;

/// A case with what the original gives.
pub(super) struct Shown {
    pub(super) case: Case,
    pub(super) outcome: Outcome,
    /// What it gives when what its API leaves open is chosen otherwise; made when asked for.
    others: HashMap<String, Rc<Outcome>>,
}

impl Shown {
    pub(super) fn new(plan: &Plan, case: Case, max_steps: u64) -> Result<Shown, RunError> {
        let outcome = plan.run(&case, &options(max_steps, true))?;
        Ok(Shown { case, outcome, others: HashMap::new() })
    }
}

fn options(max_steps: u64, races: bool) -> Options {
    Options { max_steps, races, max_events: 0, ..Options::default() }
}

/// Whether a run that gave nothing shows a mutant: where it takes too many steps, not where the machine refuses it.
fn unending(error: &RunError) -> bool {
    matches!(error, RunError::StepLimit { .. })
}

/// Runs mutants of one program.
pub(super) struct Runner<'a> {
    original: &'a Program,
    /// What is compared of the original, against itself.
    binding: &'a Binding,
    plan: &'a Plan,
    /// What mutants are made of: the original without the text that nothing here needs.
    scratch: Program,
    /// Whether lanes can race or miss each other at barriers.
    races: bool,
    /// The effort of all mutants so far, in steps.
    pub(super) steps: u64,
    /// What making a mutant ready is of it.
    pub(super) preparing: u64,
}

/// About how many steps making an operation of a program ready to run takes.
const PREPARING: u64 = 100;

impl<'a> Runner<'a> {
    pub(super) fn new(original: &'a Program, binding: &'a Binding, plan: &'a Plan) -> Runner<'a> {
        let (mut races, mut preparing) = (false, 0);
        for function in &original.functions {
            gpuproof_program::walk(&function.body, &mut |node| {
                preparing += PREPARING;
                if let gpuproof_program::Node::Op(instruction) = node {
                    races |= instruction.op == gpuproof_program::Op::Barrier;
                }
            });
        }
        let scratch = Program { source: Source::default(), notes: Vec::new(), ..original.clone() };
        Runner { original, binding, plan, scratch, races, steps: 0, preparing }
    }

    /// The mutant made ready; none where the machine cannot run it.
    pub(super) fn plan(&mut self, mutant: &Mutant) -> Option<Plan> {
        let at = mutant.function.index();
        self.steps = self.steps.saturating_add(self.preparing);
        let whole = std::mem::replace(&mut self.scratch.functions[at], patched(&self.original.functions[at], mutant));
        let plan = Plan::compile(&self.scratch);
        self.scratch.functions[at] = whole;
        plan.ok()
    }

    /// Whether the comparison notices a mutant on a case.
    ///
    /// # Errors
    /// Those of running the original again.
    pub(super) fn notices(&mut self, mutant: &Plan, shown: &mut Shown) -> Result<bool, RunError> {
        let max_steps = shown.outcome.steps.saturating_mul(16).saturating_add(100_000);
        let outcome = match mutant.run(&shown.case, &options(max_steps, self.races)) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.steps = self.steps.saturating_add(max_steps);
                return Ok(unending(&error));
            }
        };
        self.steps = self.steps.saturating_add(outcome.effort);
        if self.differs(shown, &outcome)? {
            return Ok(true);
        }
        // What it alone leaves undefined is wrong where a word depends on it, or where lanes meet.
        if outcome.event_count > shown.outcome.event_count {
            let between = |outcome: &Outcome| {
                outcome.event_counts.iter().any(|event| matches!(event.kind, EventKind::Race | EventKind::DivergentBarrier))
            };
            if between(&outcome) && !between(&shown.outcome) {
                return Ok(true);
            }
            let choice = Options { undefined: UndefinedChoice::Seeded(1), ..options(max_steps, self.races) };
            let again = match mutant.run(&shown.case, &choice) {
                Ok(again) => again,
                Err(error) => return Ok(unending(&error)),
            };
            self.steps = self.steps.saturating_add(again.effort);
            return self.differs(shown, &again);
        }
        Ok(false)
    }

    fn differs(&self, shown: &mut Shown, outcome: &Outcome) -> Result<bool, RunError> {
        let Shown { case, outcome: wanted, others } = shown;
        if wanted.outputs == outcome.outputs && wanted.live == outcome.live && wanted.resources == outcome.resources {
            return Ok(false);
        }
        let (original, binding) = (self.original, self.binding);
        let comparison = compare(original, original, binding, (case, case), (wanted, outcome), &mut |_| {});
        if comparison.differences.is_empty() {
            return Ok(false);
        }
        let max_steps = wanted.steps.saturating_mul(16).saturating_add(100_000);
        let mut rerun = |undefined: UndefinedChoice, schedule: Schedule| {
            let key = format!("{undefined:?} {schedule:?}");
            if let Some(known) = others.get(&key) {
                return Ok(known.clone());
            }
            let made = Rc::new(self.plan.run(case, &Options { undefined, schedule, ..options(max_steps, true) })?);
            others.insert(key, made.clone());
            Ok(made)
        };
        let classified = classify(original, binding, case, (wanted, outcome), &comparison.differences, &mut rerun)?;
        // A word that depends on an order holds only as one of the original's rows in another place: else the comparison would be undecided.
        let mut verdicts = classified.verdicts.iter().zip(&classified.reordered);
        Ok(verdicts.any(|(verdict, reordered)| match verdict {
            Verdict::Undefined => false,
            Verdict::Schedule => !reordered,
            _ => true,
        }))
    }
}
