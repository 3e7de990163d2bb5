//! Watches the probes of goals as a program runs.

use super::goals::{Goal, Key, Probe, Probed, Want, goals, probe};
use gpuproof_program::{FunctionId, Program, Value};
use gpuproof_run::{Case, Observed, Observer, Options, Plan, RowBits, RunError};
use std::collections::HashMap;

/// Which goals of a program were met.
pub(crate) struct Cover {
    pub(super) goals: Vec<Goal>,
    pub(super) met: Vec<bool>,
    /// The program with probes of what was not met when it was made, and how many that were.
    probed: Option<(Plan, Vec<Probe>, usize)>,
}

impl Cover {
    /// Nothing of the program was run.
    pub(crate) fn of(program: &Program) -> Cover {
        let goals = goals(program);
        let met = vec![false; goals.len()];
        Cover { goals, met, probed: None }
    }

    fn open(&self) -> usize {
        self.met.iter().filter(|met| !**met).count()
    }

    /// Runs the program on a case and notes what it does.
    ///
    /// # Errors
    /// Those of the run.
    pub(crate) fn run(&mut self, program: &Program, case: &Case, max_steps: u64) -> Result<(), RunError> {
        let open = self.open();
        if open == 0 {
            return Ok(());
        }
        // Probes that have nothing more to tell cost time.
        if self.probed.as_ref().is_none_or(|probed| open * 2 <= probed.2) {
            let Probed { program, probes } = probe(program, &self.met).0;
            self.probed = Some((Plan::compile(&program)?, probes, open));
        }
        let Some((plan, probes, _)) = &self.probed else { return Ok(()) };
        let mut watcher = Watcher::new(probes, &mut self.met, case);
        let options = Options { max_steps, races: false, max_events: 0, ..Options::default() };
        let result = plan.run_observed(case, &options, &mut watcher);
        watcher.finish();
        result.map(|_| ())
    }
}

/// What is left of a loop's lanes.
struct Rounds {
    round: u32,
    active: Vec<u64>,
}

struct Watcher<'a> {
    of: HashMap<Key, Vec<Probe>>,
    met: &'a mut Vec<bool>,
    case: &'a Case,
    /// By the loop's marker and the first lane.
    loops: HashMap<(Key, u32), Rounds>,
}

impl<'a> Watcher<'a> {
    fn new(probes: &[Probe], met: &'a mut Vec<bool>, case: &'a Case) -> Watcher<'a> {
        let mut of: HashMap<Key, Vec<Probe>> = HashMap::new();
        for probe in probes {
            of.entry(probe.key).or_default().push(*probe);
        }
        Watcher { of, met, case, loops: HashMap::new() }
    }

    fn left(&mut self, key: Key, rounds: u32) {
        for probe in self.of.get(&key).into_iter().flatten() {
            if probe.want == Want::Rounds(rounds.min(2) as u8) {
                self.met[probe.goal] = true;
            }
        }
    }

    /// A body begins on these lanes: those that began the round before and not this one have left.
    fn round(&mut self, key: Key, observed: &Observed<'_>) {
        let round = observed.iterations.last().copied().unwrap_or(0);
        let place = (key, observed.first_lane);
        let now = Rounds { round, active: observed.active.to_vec() };
        if let Some(before) = self.loops.insert(place, now) {
            let stay = |at: usize| if round > 0 { observed.active.get(at).copied().unwrap_or(0) } else { 0 };
            if before.active.iter().enumerate().any(|(at, word)| word & !stay(at) != 0) {
                self.left(key, before.round);
            }
        }
    }

    fn finish(mut self) {
        for ((key, _), rounds) in std::mem::take(&mut self.loops) {
            self.left(key, rounds.round);
        }
    }
}

impl Observer for Watcher<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.of.get(&(function, value)).is_some_and(|probes| probes.iter().any(|probe| !self.met[probe.goal]))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let key = (observed.function, observed.value);
        let Some(probes) = self.of.get(&key) else { return };
        if probes.iter().all(|probe| self.met[probe.goal]) {
            return;
        }
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        let mut seen = [false; 2];
        for (at, word) in words.iter().enumerate() {
            if observed.active[at / 64] >> (at % 64) & 1 == 1 {
                seen[usize::from(*word != 0)] = true;
            }
        }
        let mut is_loop = false;
        for probe in probes {
            self.met[probe.goal] |= match probe.want {
                Want::Made => seen[0] || seen[1],
                Want::Bit(bit) => seen[usize::from(bit)],
                Want::Addressed(sampler, axis, mode) => {
                    let state = self.case.samplers.get(sampler.index()).and_then(|states| states.first());
                    seen[1] && state.is_some_and(|state| state.address[axis] == mode)
                }
                Want::Rounds(_) => {
                    is_loop = true;
                    false
                }
            };
        }
        if is_loop {
            self.round(key, observed);
        }
    }
}
