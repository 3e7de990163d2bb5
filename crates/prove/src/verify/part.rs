//! Where the programs part.

use super::job::Job;
use super::{ProveError, Settings, Side};
use crate::cases::{Generator, NamedCase};
use crate::compare::Difference;
use crate::locate::{CasePair, Example, LanePart, Locator, Parting};
use gpuproof_run::{Case, Observer, Options, Outcome, RunError};

impl Job<'_> {
    /// Finds where the programs part on a case, with not many more steps than it took to compare.
    pub(super) fn part(
        &mut self,
        named: &NamedCase,
        differences: &[Difference],
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<Option<Parting>, ProveError> {
        let locator = Locator::new(self.original, self.port, self.binding);
        let failed = std::cell::Cell::new(Side::Original);
        let number = std::cell::Cell::new(named.number);
        let mut run = |port: bool, case: &Case, observer: &mut dyn Observer| {
            failed.set(if port { Side::Port } else { Side::Original });
            let plan = if port { &self.plans.1 } else { &self.plans.0 };
            let steps = self.compared.get(&number.get()).map_or(0, |compared| compared.1[usize::from(port)]);
            // What is looked at may be computed on more lanes than otherwise.
            let max_steps = steps.saturating_mul(8).saturating_add(1_000_000);
            let options = Options { max_steps, races: false, ..Options::default() };
            plan.run_observed(case, &options, observer).map(|_: Outcome| ())
        };
        let wrap = |error| ProveError::Run { side: failed.get(), error };
        let port_case = self.binding.translate(self.original, self.port, &named.case);
        let pair = CasePair { number: named.number, original: &named.case, port: &port_case };
        let mut located = match locator.locate(&pair, differences, &mut run) {
            Ok(Some(located)) => located,
            Ok(None) => return Ok(None),
            Err(error @ RunError::StepLimit { .. }) => {
                self.notes.push(format!("where they part was not found: the {} {error}", failed.get()));
                return Ok(None);
            }
            Err(error) => return Err(wrap(error)),
        };
        let mut painter = self.painter.take();
        let mut see = |case: u32, part: LanePart, example: &dyn Fn() -> Example| {
            if let Some(painter) = &mut painter {
                painter.part(case, part, example);
            }
        };
        match locator.count(&mut located, &pair, &mut run, &mut |part, example| see(named.number, part, example)) {
            Ok(()) | Err(RunError::StepLimit { .. }) => {}
            Err(error) => return Err(wrap(error)),
        }
        if settings.replay.is_none() {
            for (at, (recipe, _)) in self.compared.iter().filter(|compared| *compared.0 != named.number) {
                number.set(*at);
                let case = recipe.generate(generator);
                let port_case = self.binding.translate(self.original, self.port, &case.case);
                let pair = CasePair { number: *at, original: &case.case, port: &port_case };
                match locator.count(&mut located, &pair, &mut run, &mut |part, example| see(*at, part, example)) {
                    Ok(()) | Err(RunError::StepLimit { .. }) => {}
                    Err(error) => return Err(wrap(error)),
                }
            }
        }
        self.painter = painter;
        Ok(Some(located.parting))
    }
}
