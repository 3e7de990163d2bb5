//! What words would come to that differ, if a compiler had been free to refactor the original.

use super::explain::Pending;
use super::job::Job;
use super::{ProveError, Settings, Side};
use crate::cases::{CaseClass, Generator};
use crate::compare::Verdict;
use crate::explain::{Explainer, Refactored, RefactoredTally, Tally};
use crate::locate::Locator;
use gpuproof_program::permission::refactorable;
use std::collections::HashSet;

impl Job<'_> {
    /// Looks once more for what is allowed, of an original that lets nothing be refactored, as if all of it could be. None where that accounts for nothing.
    pub(super) fn refactored(
        &mut self,
        pending: &[Pending],
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<Option<Refactored>, ProveError> {
        let mut free: Vec<Pending> = pending.iter().filter(|case| case.is_open()).map(Pending::again).collect();
        if free.is_empty() || self.partial.is_some() {
            return Ok(None);
        }
        let Some(program) = refactorable(self.original) else { return Ok(None) };
        let locator = Locator::new(&program, self.port, self.binding);
        let mut explainer = Explainer::new(&locator).map_err(|error| ProveError::Run { side: Side::Original, error })?;
        self.search(&mut free, &mut explainer, generator, settings)?;
        let mut found = Refactored::default();
        let mut tallies = Vec::new();
        for case in &free {
            let before = pending.iter().find(|other| other.number == case.number);
            let open: HashSet<_> =
                before.into_iter().flat_map(|case| case.of(Verdict::Different)).map(|word| word.place).collect();
            let tally: &mut RefactoredTally = if case.class == CaseClass::Finite { &mut found.finite } else { &mut found.edge };
            for (_, verdict) in case.words().filter(|(word, _)| open.contains(&word.place)) {
                match verdict {
                    Verdict::Allowed => tally.allowed += 1,
                    Verdict::Unspecified => tally.unspecified += 1,
                    _ => tally.different += 1,
                }
            }
            case.sum(&mut tallies);
        }
        // What is allowed without that too is told elsewhere.
        for tally in tallies.iter_mut().filter(|tally| tally.refactored == 0) {
            *tally = Tally::default();
        }
        found.operations = explainer.carriers(&tallies);
        Ok((found.finite.allowed + found.edge.allowed > 0).then_some(found))
    }
}
