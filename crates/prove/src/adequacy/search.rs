//! Looks for cases that reach what the others do not: from the lane that is nearest to a condition, with one input changed on each lane, one constant
//! changed for all, again and again.

use super::aim::{Aim, Aimed, Distances, aim};
use super::goals::Key;
use super::vary::Vary;
use crate::cases::{CaseClass, lanes};
use crate::random::Random;
use gpuproof_program::{FunctionId, Program, SamplerId, Value};
use gpuproof_run::{AddressMode, Case, Observed, Observer, Options, Plan, RowBits};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// A condition that some lane should meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) key: Key,
    pub(super) truth: bool,
    /// How a sampler has to address meanwhile.
    pub(super) addressed: Option<(SamplerId, usize, AddressMode)>,
}

/// A case that the search starts from.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) case: Case,
    pub(crate) class: CaseClass,
}

/// What is searched in.
pub(super) struct Space<'a> {
    /// The program with its probes.
    pub(super) program: &'a Program,
    /// The program whose cases these are: the original.
    pub(super) original: &'a Program,
    /// Where it is the port that is searched in: the port, and how cases go over to it.
    pub(super) port: Option<(&'a Program, &'a crate::bind::Binding)>,
    pub(super) starts: &'a [Start],
    pub(super) seed: u64,
    /// Rounds for each condition.
    pub(super) rounds: usize,
    /// Steps that all runs may take together.
    pub(super) max_steps: u64,
    /// Whether infinities, NaNs and subnormals may be tried.
    pub(super) edges: bool,
}

/// Cases that a search adds at most.
pub(super) const FOUND: usize = 64;

impl Space<'_> {
    /// A case of the original as the program that is searched in takes it.
    fn own<'c>(&self, case: &'c Case) -> Cow<'c, Case> {
        match self.port {
            Some((port, binding)) => Cow::Owned(binding.translate(self.original, port, case)),
            None => Cow::Borrowed(case),
        }
    }

    /// The original's sampler that stands for one of the program that is searched in.
    fn sampler(&self, sampler: SamplerId) -> Option<SamplerId> {
        match self.port {
            Some((_, binding)) => binding.samplers.iter().find(|pair| pair.1 == sampler).map(|pair| pair.0),
            None => Some(sampler),
        }
    }
}

/// For each condition the case that meets it, if one was found: cases, and for each condition one of them.
pub(super) fn search(space: &Space<'_>, wanted: &[Wanted]) -> (Vec<Start>, Vec<Option<usize>>) {
    let conditions: Vec<(Key, bool)> = wanted.iter().map(|wanted| (wanted.key, wanted.truth)).collect();
    let aimed = aim(space.program, &conditions);
    let mut found = (Vec::new(), vec![None; wanted.len()]);
    let Ok(plan) = Plan::compile(&aimed.program) else { return found };
    let mut climb = Climb {
        space,
        aimed: &aimed,
        plan,
        vary: Vary::new(space.original, Random::stream(space.seed, "search", 0), space.edges),
        steps: 0,
    };
    for at in 0..wanted.len() {
        if found.1[at].is_some() {
            continue;
        }
        if climb.steps > space.max_steps {
            break;
        }
        if let Some((case, met)) = climb.toward(wanted, at, &found.1) {
            for other in met {
                found.1[other].get_or_insert(found.0.len());
            }
            found.0.push(case);
            if found.0.len() == FOUND {
                break;
            }
        }
    }
    found
}

struct Climb<'a> {
    space: &'a Space<'a>,
    aimed: &'a Aimed,
    plan: Plan,
    vary: Vary<'a>,
    steps: u64,
}

/// Which conditions some lane met.
struct Met<'a> {
    wanted: &'a [Wanted],
    of: HashMap<(FunctionId, Value), Vec<usize>>,
    case: &'a Case,
    met: BTreeSet<usize>,
    distances: Distances<'a>,
}

impl Observer for Met<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.of.contains_key(&(function, value)) || self.distances.wants(function, value)
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let key = (observed.function, observed.value);
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        for &at in self.of.get(&key).into_iter().flatten() {
            let wanted = &self.wanted[at];
            let addressed = wanted.addressed.is_none_or(|(sampler, axis, mode)| {
                self.case.samplers[sampler.index()].first().is_some_and(|state| state.address[axis] == mode)
            });
            let is = |slot: usize| observed.active[slot / 64] >> (slot % 64) & 1 == 1 && (words[slot] != 0) == wanted.truth;
            if addressed && (0..words.len()).any(is) {
                self.met.insert(at);
            }
        }
        self.distances.value(observed);
    }
}

impl Climb<'_> {
    /// Runs a case: the conditions that it meets, and the lane nearest to one, with its distance. None where it does not end or does what is undefined.
    fn run(&mut self, case: &Case, wanted: &[Wanted], aim: &Aim, open: &[Option<usize>]) -> Option<(BTreeSet<usize>, u32, f64)> {
        let mut of: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, wanted) in wanted.iter().enumerate().filter(|(at, _)| open[*at].is_none()) {
            of.entry(wanted.key).or_default().push(at);
        }
        let lanes = lanes(self.space.original, &case.launch) as u32;
        let case = self.space.own(case);
        let distances = Distances::new(self.aimed, aim, lanes as usize);
        let mut met = Met { wanted, of, case: &case, met: BTreeSet::new(), distances };
        let options = Options { max_steps: 2_000_000, races: false, max_events: 0, ..Options::default() };
        let outcome = self.plan.run_observed(&case, &options, &mut met);
        self.steps += outcome.as_ref().map_or(options.max_steps, |outcome| outcome.effort);
        outcome.ok()?;
        let (lane, distance) = met.distances.nearest(aim, lanes);
        Some((met.met, lane, distance))
    }

    /// Looks for a case that meets a condition, or on the way another that is open.
    fn toward(&mut self, wanted: &[Wanted], at: usize, open: &[Option<usize>]) -> Option<(Start, BTreeSet<usize>)> {
        let aim = self.aimed.aims[at].clone();
        // The nearest start.
        let mut best: Option<(f64, u32, Start)> = None;
        for start in self.space.starts.iter().filter(|start| self.space.edges || start.class == CaseClass::Finite) {
            let mut start = start.clone();
            self.address(&mut start.case, &wanted[at]);
            let Some((met, lane, distance)) = self.run(&start.case, wanted, &aim, open) else { continue };
            if met.contains(&at) {
                return Some((start, met));
            }
            if best.as_ref().is_none_or(|best| distance < best.0) {
                best = Some((distance, lane, start));
            }
        }
        let (mut distance, mut lane, mut start) = best?;
        for round in 0..self.space.rounds {
            let mut next = start.clone();
            self.vary.spread(&mut next.case, lane);
            // Constants change for all lanes at once; every other round leaves them.
            if round % 2 == 1 || self.space.original.interface.inputs.is_empty() {
                self.vary.change_resource(&mut next.case);
            }
            if std::mem::take(&mut self.vary.strange) {
                next.class = CaseClass::Edge;
            }
            self.address(&mut next.case, &wanted[at]);
            let Some((met, nearest, now)) = self.run(&next.case, wanted, &aim, open) else { continue };
            if met.contains(&at) {
                return Some((next, met));
            }
            if now <= distance {
                (distance, lane, start) = (now, nearest, next);
            }
        }
        None
    }

    fn address(&self, case: &mut Case, wanted: &Wanted) {
        if let Some((sampler, axis, mode)) = wanted.addressed
            && let Some(sampler) = self.space.sampler(sampler)
        {
            case.samplers[sampler.index()].iter_mut().for_each(|state| state.address[axis] = mode);
        }
    }
}
