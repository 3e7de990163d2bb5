//! What the comparison is worth.

use super::job::{Job, Recipe};
use super::{Progress, ProveError, Settings, Side};
use crate::adequacy::{self, Adequacy, AdequacySettings, Original, Start};
use crate::cases::{CaseClass, Generator, NamedCase};
use crate::compare::compare;
use gpuproof_run::{Case, RunError};

/// Cases that are made for mutants which the compared ones do not show, and about how many lanes each has. Constants differ only from case to case, and
/// what survives is mostly seen on few of them.
const MORE: usize = 42;
const MORE_LANES: u64 = 256;

impl Job<'_> {
    /// Notes what the programs do on a case, and keeps a part of it.
    pub(super) fn cover(&mut self, named: &NamedCase, port_case: &Case, steps: [u64; 2]) {
        let Some(covers) = &mut self.covers else { return };
        self.small.push(Start { case: adequacy::small(self.original, &named.case), class: named.class });
        let programs = [(self.original, &named.case), (self.port, port_case)];
        for ((cover, (program, case)), steps) in covers.iter_mut().zip(programs).zip(steps) {
            // Probes are a few operations for each of the program's; what is not watched to the end is not said to be reached.
            let _ = cover.run(program, case, steps.saturating_mul(16).saturating_add(1_000_000));
        }
    }

    /// Tells what the cases reach and show, and adds cases that reach and show more.
    pub(super) fn measure(
        &mut self,
        generator: &mut Generator<'_>,
        settings: &Settings,
        wanted: &AdequacySettings,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Adequacy, ProveError> {
        let mut found = Adequacy::default();
        progress(Progress::Measuring);
        let wrap = |error| ProveError::Run { side: Side::Original, error };
        let search = (!settings.is_given() && wanted.rounds > 0).then_some(settings.edges);
        // What is in the port alone is reached for as well: a mistake may hide there.
        let sides = if self.original == self.port { 1 } else { 2 };
        for port in [None, Some(self.port)].into_iter().take(sides) {
            let Some(covers) = &self.covers else { break };
            let cover = &covers[usize::from(port.is_some())];
            let (cases, searched) = adequacy::reach_more(&self.searchable(settings, search), port, cover, wanted);
            found.searched.add(searched);
            self.add(cases, settings)?;
        }
        self.compare_parts(settings)?;
        let mut more = Vec::new();
        if search.is_some() {
            let classes = |named: &NamedCase| settings.edges || named.class == CaseClass::Finite;
            let start = |named: NamedCase| Start { case: named.case, class: named.class };
            more.extend(generator.small(MORE, MORE_LANES).filter(classes).map(start));
        }
        let recipes: Vec<Recipe> = self.compared.values().map(|compared| compared.0.clone()).collect();
        let mut cases = recipes.iter().map(|recipe| recipe.generate(generator));
        let original = Original { more, ..self.searchable(settings, search) };
        let tried = adequacy::run_mutants(&original, wanted, &mut cases).map_err(wrap)?;
        found.searched.add(tried.searched);
        found.mutants = Some(tried.mutants);
        self.add(tried.found, settings)?;
        if let Some([original, port]) = &self.covers {
            found.original = adequacy::reached(self.original, original);
            found.port = adequacy::reached(self.port, port);
        }
        Ok(found)
    }

    fn searchable(&self, settings: &Settings, search: Option<bool>) -> Original<'_> {
        let (program, binding, plan, small) = (self.original, self.binding, &self.plans.0, self.small.clone());
        Original { program, binding, plan, small, more: Vec::new(), seed: settings.seed, search }
    }

    /// Compares the programs on cases that a search found.
    fn add(&mut self, cases: Vec<Start>, settings: &Settings) -> Result<(), ProveError> {
        for start in cases {
            self.add_one(start, "found", settings)?;
        }
        Ok(())
    }

    fn add_one(&mut self, start: Start, name: &str, settings: &Settings) -> Result<(), ProveError> {
        let after = self.records.iter().map(|record| record.number + 1).max().unwrap_or(0);
        let number = after.max(settings.cases as u32);
        let named = NamedCase { number, name: name.into(), class: start.class, seed: settings.seed, case: start.case };
        self.case(&named)
    }

    /// Compares the programs on the parts of cases that mutants run on, where a part may give something else than the whole. Only those that differ are
    /// counted among the cases.
    fn compare_parts(&mut self, settings: &Settings) -> Result<(), ProveError> {
        if adequacy::parts_are_exact(self.original) || self.census.total().different > 0 {
            return Ok(());
        }
        for start in self.small.clone() {
            let port_case = self.binding.translate(self.original, self.port, &start.case);
            let options = [self.options(Side::Original), self.options(Side::Port)];
            let run = || -> Result<bool, RunError> {
                let outcomes = (self.plans.0.run(&start.case, &options[0])?, self.plans.1.run(&port_case, &options[1])?);
                let (cases, outcomes) = ((&start.case, &port_case), (&outcomes.0, &outcomes.1));
                let found = compare(self.original, self.port, self.binding, cases, outcomes, &mut |_| {});
                Ok(found.differences.is_empty())
            };
            if !run().unwrap_or(false) {
                self.add_one(start, "part", settings)?;
            }
        }
        Ok(())
    }
}
