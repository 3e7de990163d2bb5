//! What is kept of each word to be shown: distances, and pictures where they are asked for.

use super::job::Job;
use crate::cases::{CaseClass, NamedCase};
use crate::compare::{Difference, Distance, Verdict};
use crate::evidence::DistanceRecord;
use std::collections::BTreeMap;

/// How far words that are not the same are apart, by output, class and verdict.
#[derive(Debug, Default)]
pub(super) struct Distances(BTreeMap<(String, CaseClass, Verdict), BTreeMap<Distance, u64>>);

impl Distances {
    fn add(&mut self, output: &str, class: CaseClass, verdict: Verdict, distance: Distance) {
        *self.0.entry((output.into(), class, verdict)).or_default().entry(distance).or_default() += 1;
    }

    pub(super) fn records(self) -> Vec<DistanceRecord> {
        let records = self.0.into_iter().map(|((output, class, verdict), counts)| {
            let mut record = DistanceRecord { output, class, verdict, ulps: Vec::new(), other: 0 };
            for (distance, count) in counts {
                match distance {
                    Distance::None => record.other = count,
                    Distance::Ulps(digits) => {
                        record.ulps.resize(usize::from(digits) + 1, 0);
                        record.ulps[usize::from(digits)] = count;
                    }
                }
            }
            record
        });
        records.collect()
    }
}

impl Job<'_> {
    /// Keeps what is shown of a word that is not the same; of one that differs no distance, as long as it may still be explained.
    pub(super) fn show(&mut self, named: &NamedCase, output: &str, difference: &Difference, verdict: Verdict) {
        if verdict != Verdict::Different {
            self.count_distance(named.class, output, difference, verdict);
        }
        if let Some(painter) = &mut self.painter {
            painter.difference(named.number, difference, verdict);
        }
    }

    /// Counts how far a word is apart.
    pub(super) fn count_distance(&mut self, class: CaseClass, output: &str, difference: &Difference, verdict: Verdict) {
        self.distances.add(output, class, verdict, difference.distance());
    }
}
