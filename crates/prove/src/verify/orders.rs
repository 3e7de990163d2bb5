//! On which operation's order words depend.

use super::job::Job;
use crate::compare::Difference;
use crate::evidence::{DependentOutput, OrderRecord};
use gpuproof_program::Op;
use gpuproof_run::{Case, Options, OrderSite, RunError, Schedule, Site};
use std::collections::{BTreeMap, BTreeSet};

/// Lines that are looked at, at most.
const LINES: usize = 16;

impl Job<'_> {
    /// Finds the operations of the original on whose order these words depend, once.
    pub(super) fn find_orders(
        &mut self,
        number: u32,
        case: &Case,
        differences: &[&Difference],
        options: &Options,
    ) -> Result<(), RunError> {
        if differences.is_empty() || !self.orders.is_empty() {
            return Ok(());
        }
        let mut lines: BTreeMap<u32, (OrderSite, BTreeSet<Site>)> = BTreeMap::new();
        for site in self.plans.0.order_sites() {
            lines.entry(site.origin.line).or_insert_with(|| (site, BTreeSet::new())).1.insert(site.site);
        }
        let mut rest: BTreeSet<usize> = (0..differences.len()).collect();
        for (first, sites) in lines.into_values().take(LINES) {
            let mut changed = BTreeSet::new();
            for schedule in [Schedule::Reversed, Schedule::Permuted(1)] {
                let sites = Some(sites.iter().copied().collect());
                let again = match self.plans.0.run(case, &Options { schedule, schedule_sites: sites, ..options.clone() }) {
                    Ok(again) => again,
                    Err(RunError::StepLimit { .. }) => continue,
                    Err(error) => return Err(error),
                };
                let differs = |at: &usize| {
                    let now = differences[*at].place.read(self.binding, case, &again);
                    now.is_some_and(|now| now != differences[*at].original)
                };
                changed.extend((0..differences.len()).filter(differs));
            }
            rest.retain(|at| !changed.contains(at));
            let line = self.original.source.line(first.origin);
            let record = OrderRecord {
                what: what(first.op).into(),
                line: line.map(|line| line.number),
                text: line.map_or_else(String::new, |line| line.text.trim().into()),
                case: number,
                words: changed.len() as u64,
                outputs: self.outputs(&changed, differences),
            };
            self.orders.extend((!changed.is_empty()).then_some(record));
        }
        if !rest.is_empty() {
            let outputs = self.outputs(&rest, differences);
            let (what, text) = ("groups".into(), String::new());
            self.orders.push(OrderRecord { what, line: None, text, case: number, words: rest.len() as u64, outputs });
        }
        Ok(())
    }

    fn outputs(&self, changed: &BTreeSet<usize>, differences: &[&Difference]) -> Vec<DependentOutput> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for at in changed {
            *counts.entry(differences[*at].place.output(self.original, self.binding)).or_default() += 1;
        }
        counts.into_iter().map(|(output, words)| DependentOutput { output, words }).collect()
    }
}

fn what(op: Op) -> &'static str {
    match op {
        Op::CounterAlloc => "append",
        Op::CounterConsume => "consume",
        Op::BufferStore | Op::StructuredStore | Op::TexelStore | Op::SharedStore => "store",
        _ => "atomic",
    }
}
