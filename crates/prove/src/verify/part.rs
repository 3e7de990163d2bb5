//! Where the programs part.

use super::job::Job;
use super::{ProveError, Settings, Side};
use crate::cases::{Generator, NamedCase};
use crate::compare::Difference;
use crate::explain::{Captured, Explainer};
use crate::locate::{CasePair, Example, LanePart, Locator, Parting};
use gpuproof_run::{Case, Observer, Outcome, RunError};

impl Job<'_> {
    /// Finds where the programs part on a case, with not many more steps than it took to compare, and with the port's results put in
    /// where they are allowed.
    pub(super) fn part(
        &mut self,
        (locator, explainer): (&Locator<'_>, &Explainer<'_>),
        named: &NamedCase,
        differences: &[Difference],
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<Option<Parting>, ProveError> {
        let mut painter = self.painter.take();
        let failed = std::cell::Cell::new(Side::Original);
        let number = std::cell::Cell::new(named.number);
        // What the port computed in the case at hand.
        let mut captured: Option<(u32, Captured)> = None;
        let mut run = |port: bool, case: &Case, observer: &mut dyn Observer| {
            failed.set(if port { Side::Port } else { Side::Original });
            let options = self.close_look(number.get(), port);
            if let Some(measured) = self.measured.filter(|_| !port) {
                return measured.run(case, &options, observer, false).map(|_| ());
            }
            if port || explainer.active().is_empty() {
                let plan = if port { &self.plans.1 } else { &self.plans.0 };
                return plan.run_observed(case, &options, observer).map(|_: Outcome| ());
            }
            if captured.as_ref().is_none_or(|(known, _)| *known != number.get()) {
                let port_case = self.binding.translate(self.original, self.port, case);
                let pair = CasePair { number: number.get(), original: case, port: &port_case };
                captured = Some((number.get(), explainer.capture(&self.plans.1, &pair, &self.close_look(number.get(), true))?.0));
            }
            let Some((_, captured)) = &captured else { return Ok(()) };
            explainer.substituted(case, captured, true, &options, Some(observer)).map(|_| ())
        };
        let wrap = |error| ProveError::Run { side: failed.get(), error };
        let port_case = self.binding.translate(self.original, self.port, &named.case);
        let pair = CasePair { number: named.number, original: &named.case, port: &port_case };
        let mut located = match locator.locate(&pair, differences, &mut run) {
            Ok(Some(located)) => located,
            Ok(None) => {
                self.painter = painter;
                return Ok(None);
            }
            Err(error @ RunError::StepLimit { .. }) => {
                self.painter = painter;
                self.notes.push(format!("where they part was not found: the {} {error}", failed.get()));
                return Ok(None);
            }
            Err(error) => return Err(wrap(error)),
        };
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
