//! Counts verdicts.

use super::Verdict;
use crate::cases::CaseClass;
use serde::{Deserialize, Serialize};

/// How many words got each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// [`Verdict::Same`].
    pub same: u64,
    /// [`Verdict::Undefined`].
    pub undefined: u64,
    /// [`Verdict::Schedule`].
    pub schedule: u64,
    /// Those of `schedule` whose rows are the original's in another order.
    pub reordered: u64,
    /// [`Verdict::Allowed`].
    pub allowed: u64,
    /// [`Verdict::Unspecified`].
    pub unspecified: u64,
    /// [`Verdict::Different`].
    pub different: u64,
}

impl Tally {
    /// Counts words.
    pub fn add(&mut self, verdict: Verdict, count: u64) {
        match verdict {
            Verdict::Same => self.same += count,
            Verdict::Undefined => self.undefined += count,
            Verdict::Schedule => self.schedule += count,
            Verdict::Allowed => self.allowed += count,
            Verdict::Unspecified => self.unspecified += count,
            Verdict::Different => self.different += count,
        }
    }

    /// All words.
    pub fn words(&self) -> u64 {
        self.same + self.undefined + self.schedule + self.allowed + self.unspecified + self.different
    }

    pub(crate) fn with(&self, other: &Tally) -> Tally {
        Tally {
            same: self.same + other.same,
            undefined: self.undefined + other.undefined,
            schedule: self.schedule + other.schedule,
            reordered: self.reordered + other.reordered,
            allowed: self.allowed + other.allowed,
            unspecified: self.unspecified + other.unspecified,
            different: self.different + other.different,
        }
    }
}

/// The words of one output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputCensus {
    /// The output: `o0.y`, a buffer's name, `discard`.
    pub name: String,
    /// In cases with finite values.
    pub finite: Tally,
    /// In cases with edge values.
    pub edge: Tally,
}

/// How many words got each verdict, never only the first difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// Lanes that were compared.
    pub lanes: u64,
    /// Cases that were compared.
    pub cases: u32,
    /// All outputs, in cases with finite values.
    pub finite: Tally,
    /// All outputs, in cases with edge values.
    pub edge: Tally,
    /// By output.
    pub outputs: Vec<OutputCensus>,
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every word is the same or allowed, or the original leaves it open; of each output some words are the same or allowed, and in cases of finite values no
    /// word is unspecified. Exit status 0.
    Holds,
    /// A word differs. Exit status 1.
    Differs,
    /// Nothing can be said. Exit status 4.
    Inconclusive,
}

impl Census {
    /// Finite and edge together.
    pub fn total(&self) -> Tally {
        self.finite.with(&self.edge)
    }

    /// Counts words of an output.
    pub fn add(&mut self, class: CaseClass, output: &str, verdict: Verdict, count: u64) {
        self.update(class, output, &|tally| tally.add(verdict, count));
    }

    /// Counts a word that is no longer [`Verdict::Different`].
    pub(crate) fn explain(&mut self, class: CaseClass, output: &str, verdict: Verdict) {
        self.update(class, output, &|tally| {
            tally.different = tally.different.saturating_sub(1);
            tally.add(verdict, 1);
        });
    }

    /// Counts words that are the original's in another order, already counted as [`Verdict::Schedule`].
    pub fn add_reordered(&mut self, class: CaseClass, output: &str, count: u64) {
        self.update(class, output, &|tally| tally.reordered += count);
    }

    fn update(&mut self, class: CaseClass, output: &str, change: &dyn Fn(&mut Tally)) {
        let at = match self.outputs.iter().position(|known| known.name == output) {
            Some(at) => at,
            None => {
                self.outputs.push(OutputCensus { name: output.into(), ..OutputCensus::default() });
                self.outputs.len() - 1
            }
        };
        let (all, one) = match class {
            CaseClass::Finite => (&mut self.finite, &mut self.outputs[at].finite),
            CaseClass::Edge => (&mut self.edge, &mut self.outputs[at].edge),
        };
        change(all);
        change(one);
    }

    /// What the counts come to, when every output was reached and no limit was hit.
    pub fn status(&self) -> Status {
        let total = self.total();
        // An output of which no word is known to be right says nothing.
        let says_nothing = |output: &OutputCensus| {
            let tally = output.finite.with(&output.edge);
            tally.words() > 0 && tally.same + tally.allowed + tally.reordered == 0
        };
        if total.different > 0 {
            Status::Differs
        } else if self.finite.unspecified > 0 {
            // What edge cases meet where nothing is promised, an infinity's sine, says little of a port; what numbers meet does.
            Status::Inconclusive
        } else if total.same + total.allowed == 0 || total.schedule > total.reordered || self.outputs.iter().any(says_nothing) {
            Status::Inconclusive
        } else {
            Status::Holds
        }
    }
}
