//! Looks for where the original turns over: two neighbouring values of something that it reads between which a comparison, a rounding or a lookup gives
//! something else. A mutant that is off by little turns over elsewhere, mostly.

use super::equivalent::dependent;
use super::mutate::Mutant;
use super::places::{Place, Places, node, put, word};
use super::run::{Runner, Shown};
use super::search::Start;
use super::vary::{copies, replace};
use super::{AdequacySettings, Fate, Original};
use crate::cases::{CaseClass, lanes};
use crate::random::Random;
use gpuproof_program::{FunctionId, Kind, Node, Op, Program, Value};
use gpuproof_run::{Case, Launch, Observed, Observer, Options, Plan, RowBits, RunError};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// Operations whose results jump.
const TURNS: &[Op] = &[
    Op::FEq,
    Op::FNe,
    Op::FLt,
    Op::FLe,
    Op::IEq,
    Op::INe,
    Op::SLt,
    Op::SLe,
    Op::ULt,
    Op::ULe,
    Op::FToS,
    Op::FToU,
    Op::FToNorm,
    Op::FFloor,
    Op::FCeil,
    Op::FTrunc,
    Op::FRound,
    Op::FSign,
    Op::FConvert,
    Op::Sample,
    Op::Gather,
];

/// Values that are tried together: lanes of one run, or runs.
const LANES: usize = 64;
const RUNS: usize = 8;

/// Lanes that are started from, for one mutant.
const STARTS: usize = 12;
/// Attempts for each round of the other searches: most come to no boundary, or to one of another kind.
const ATTEMPTS: usize = 8;

/// Looks for boundaries at which mutants show that compute something else somewhere, and nothing comes of it. Gives the cases that showed any.
pub(super) fn straddle(
    original: &Original<'_>,
    runner: &mut Runner<'_>,
    settings: &AdequacySettings,
    fates: &mut [(Mutant, Fate)],
    (near, places): (&BTreeMap<usize, Start>, &Places<'_>),
) -> Result<Vec<Start>, RunError> {
    let mut useful: Vec<Start> = Vec::new();
    let Some(edges) = original.search.filter(|_| settings.rounds > 0) else { return Ok(useful) };
    let open: Vec<usize> = (0..fates.len()).filter(|at| fates[*at].1 == Fate::Survived(true)).collect();
    let may = |start: &&Start| edges || start.class == CaseClass::Finite;
    let starts: Vec<&Start> = original.small.iter().chain(&original.more).filter(may).collect();
    let most = runner.steps.saturating_add(settings.max_steps / 8).min(settings.max_steps);
    let (program, plan) = (original.program, original.plan);
    let mut walk = Walk { program, plan, random: Random::stream(original.seed, "boundary", 0), steps: 0 };
    for (nth, &at) in open.iter().enumerate() {
        if fates[at].1 != Fate::Survived(true) {
            continue;
        }
        let Some(mutant) = runner.plan(&fates[at].0) else { continue };
        // Each has its share of what is left.
        let share = most.saturating_sub(runner.steps) / (open.len() - nth) as u64;
        let (from, until) = (runner.steps, runner.steps.saturating_add(share));
        let around = Around::of(&fates[at].0, places);
        let mut nearest: Vec<(Option<usize>, u32, &Start)> = Vec::new();
        for start in near.get(&at).into_iter().filter(may).chain(starts.iter().copied()) {
            if runner.steps.saturating_add(walk.steps) > from.saturating_add(share / 2) {
                break;
            }
            let (depth, lane) = walk.deepest(&mutant, &start.case, &around);
            nearest.push((depth, lane, start));
        }
        nearest.sort_by_key(|found| std::cmp::Reverse(found.0));
        nearest.truncate(STARTS);
        for round in 0..settings.rounds * ATTEMPTS {
            runner.steps = runner.steps.saturating_add(std::mem::take(&mut walk.steps));
            if runner.steps > until || nearest.is_empty() {
                break;
            }
            let (_, lane, start) = nearest[round % nearest.len()];
            let Some(place) = walk.place(&around.read) else { break };
            let Some(cases) = walk.toward(&start.case, lane, place, &around.turns) else { continue };
            for case in cases {
                let next = Start { case, class: start.class };
                let Ok(mut shown) = Shown::new(plan, next.case.clone(), 5_000_000) else { continue };
                runner.steps = runner.steps.saturating_add(shown.outcome.effort);
                if !runner.notices(&mutant, &mut shown)? {
                    continue;
                }
                fates[at].1 = Fate::Noticed;
                for (mutant, fate) in fates.iter_mut().skip(at + 1).filter(|(_, fate)| *fate == Fate::Survived(true)) {
                    if let Some(plan) = runner.plan(mutant)
                        && runner.notices(&plan, &mut shown)?
                    {
                        *fate = Fate::Noticed;
                    }
                }
                useful.push(next);
                break;
            }
            if fates[at].1 == Fate::Noticed {
                break;
            }
        }
    }
    Ok(useful)
}

/// What surrounds the place of a mutant.
struct Around {
    function: FunctionId,
    /// For each value that depends on what is changed its position among these.
    after: HashMap<Value, usize>,
    /// Those among them that jump.
    turns: HashSet<(FunctionId, Value)>,
    /// Where is read what these are computed from.
    read: Vec<Place>,
}

impl Around {
    fn of(mutant: &Mutant, places: &Places<'_>) -> Around {
        let known = &places.functions[mutant.function.index()];
        let changed = match node(known.function, mutant.node) {
            Some(Node::Op(instruction)) => instruction.results.first().copied(),
            _ => None,
        };
        let depends = changed.map(|changed| dependent(known.function, changed));
        let all = (0..known.function.values.len() as u32).map(Value);
        let after: Vec<Value> = all
            .filter(|value| depends.as_ref().is_none_or(|depends| depends[value.index()]) && Some(*value) != changed)
            .collect();
        let jumps = |value: &&Value| known.made.get(value).is_some_and(|(made, _)| TURNS.contains(&made.op));
        let turns: Vec<Value> = after.iter().filter(jumps).copied().collect();
        let mut seen = vec![false; known.function.values.len()];
        // Breadth first: what is next to them comes first.
        let mut pending: VecDeque<Value> = turns.iter().copied().chain(changed).collect();
        let mut read = Vec::new();
        while let Some(value) = pending.pop_front() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            pending.extend(&known.incoming[value.index()]);
            let Some((made, result)) = known.made.get(&value) else { continue };
            pending.extend(&made.args);
            read.extend(places.place(known, made, *result).filter(|place| !read.contains(place)));
        }
        Around {
            function: mutant.function,
            after: after.into_iter().enumerate().map(|(at, value)| (value, at)).collect(),
            turns: turns.into_iter().map(|value| (mutant.function, value)).collect(),
            read,
        }
    }
}

struct Walk<'a> {
    program: &'a Program,
    plan: &'a Plan,
    random: Random,
    steps: u64,
}

impl Walk<'_> {
    /// A place, sooner one of the first.
    fn place(&mut self, places: &[Place]) -> Option<Place> {
        let count = places.len() as u32;
        let at = (count > 0).then(|| self.random.below(count).min(self.random.below(count)))?;
        places.get(at as usize).copied()
    }

    /// Cases from ever nearer a boundary, the last ones of both sides of it. None where none was found.
    fn toward(&mut self, start: &Case, lane: u32, place: Place, watched: &HashSet<(FunctionId, Value)>) -> Option<Vec<Case>> {
        let by_lane = matches!(place, Place::Input(..));
        let (base, unit) = match place {
            Place::Input(..) => copies(self.program, start, lane, count_for(start))?,
            _ => (start.clone(), 1),
        };
        let old = word(&base, place, if by_lane { lane % unit } else { 0 })?;
        let line = Line { is_float: self.is_float(place, old) };
        let mut values = line.around(old, if by_lane { LANES } else { 3 * RUNS });
        let mut found = Vec::new();
        loop {
            // The lane that is looked at, in each copy or run.
            let (mut turned, cases): (Vec<u64>, Vec<Case>) = match place {
                Place::Input(id, component) => {
                    let mut case = base.clone();
                    let words = &mut case.inputs[id.index()].components[usize::from(component)];
                    for (at, quad) in words.chunks_exact_mut(unit as usize).enumerate() {
                        replace(quad, lane % unit, values[at.min(values.len() - 1)], false);
                    }
                    let seen = self.run(&case, watched)?;
                    (seen.iter().skip((lane % unit) as usize).step_by(unit as usize).copied().collect(), vec![case])
                }
                _ => {
                    let (mut turned, mut cases) = (Vec::new(), Vec::new());
                    for value in &values {
                        let mut case = base.clone();
                        put(&mut case, place, *value)?;
                        turned.push(*self.run(&case, watched)?.get(lane as usize)?);
                        cases.push(case);
                    }
                    (turned, cases)
                }
            };
            turned.truncate(values.len());
            let jumps: Vec<usize> = (1..turned.len()).filter(|at| turned[*at] != turned[at - 1]).collect();
            let last = line.is_whole(&values);
            if by_lane || last {
                found.extend(cases);
            }
            // The nearest keeps what makes the mutant differ, mostly.
            let apart = |at: &usize| (line.key(values[*at]) - line.key(old)).abs();
            let nearest = jumps.iter().copied().min_by_key(apart);
            let at = if self.random.one_in(2) { nearest } else { self.random.pick(&jumps).copied() };
            let Some(at) = at.filter(|_| !last) else { break };
            values = line.between(values[at - 1], values[at], if by_lane { LANES } else { RUNS });
        }
        found.reverse();
        (!found.is_empty()).then_some(found)
    }

    /// How far what a mutant changes gets on a case, and the lane where it gets farthest.
    fn deepest(&mut self, mutant: &Plan, case: &Case, around: &Around) -> (Option<usize>, u32) {
        let count = lanes(self.program, &case.launch) as usize;
        let mut seen = [self.plan, mutant].map(|plan| {
            let mut trail = Trail { around, count, words: vec![0; around.after.len() * count] };
            let options = Options { max_steps: 2_000_000, races: false, max_events: 0, ..Options::default() };
            let outcome = plan.run_observed(case, &options, &mut trail).ok();
            self.steps += outcome.map_or(options.max_steps, |outcome| outcome.effort) * 2 + 10_000;
            trail.words.into_iter()
        });
        let [first, second] = &mut seen;
        let last = first.zip(second).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at).last();
        last.map_or((None, 0), |at| (Some(at / count), (at % count) as u32))
    }

    /// What was watched on each lane.
    fn run(&mut self, case: &Case, watched: &HashSet<(FunctionId, Value)>) -> Option<Vec<u64>> {
        let mut turns = Turns { watched, lanes: vec![0; lanes(self.program, &case.launch) as usize] };
        let options = Options { max_steps: 2_000_000, races: false, max_events: 0, ..Options::default() };
        let outcome = self.plan.run_observed(case, &options, &mut turns).ok();
        // A run takes time of its own.
        self.steps += outcome.as_ref().map_or(options.max_steps, |outcome| outcome.effort) + 10_000;
        outcome.map(|_| turns.lanes)
    }

    fn is_float(&self, place: Place, word: u32) -> bool {
        match place {
            Place::Input(id, _) => self.program.interface.input(id).kind == Kind::Float,
            Place::Channel(..) => true,
            Place::Words(..) => f32::from_bits(word).is_normal(),
        }
    }
}

fn count_for(case: &Case) -> u32 {
    let unit = if matches!(case.launch, Launch::Pixels { .. }) { 4 } else { 1 };
    LANES as u32 * unit
}

fn mixed(old: u64, word: u32) -> u64 {
    (old ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Notes the values that depend on what is changed, lane by lane.
struct Trail<'a> {
    around: &'a Around,
    count: usize,
    words: Vec<u64>,
}

impl Observer for Trail<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        function == self.around.function && self.around.after.contains_key(&value)
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let Some(at) = self.around.after.get(&observed.value) else { return };
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        for (slot, word) in words.iter().enumerate() {
            if observed.active[slot / 64] >> (slot % 64) & 1 == 1 {
                let place = &mut self.words[at * self.count + observed.first_lane as usize + slot];
                *place = mixed(*place, *word);
            }
        }
    }
}

/// Notes what was watched, lane by lane.
struct Turns<'a> {
    watched: &'a HashSet<(FunctionId, Value)>,
    lanes: Vec<u64>,
}

impl Observer for Turns<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.watched.contains(&(function, value))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        for (slot, word) in words.iter().enumerate() {
            if observed.active[slot / 64] >> (slot % 64) & 1 == 1 {
                let lane = &mut self.lanes[observed.first_lane as usize + slot];
                *lane = mixed(*lane, *word);
            }
        }
    }
}

/// Words in the order of the numbers that they stand for.
struct Line {
    is_float: bool,
}

impl Line {
    fn key(&self, word: u32) -> i64 {
        let magnitude = i64::from(word & 0x7fff_ffff);
        match self.is_float {
            false => word.into(),
            true if word >> 31 == 1 => -magnitude,
            true => magnitude,
        }
    }

    fn word(&self, key: i64) -> u32 {
        match self.is_float {
            false => key as u32,
            true if key < 0 => 0x8000_0000 | key.unsigned_abs() as u32,
            true => key as u32,
        }
    }

    /// Whether a case may hold it: what is finite and no subnormal.
    fn is_plain(&self, key: i64) -> bool {
        match self.is_float {
            false => (0..=i64::from(u32::MAX)).contains(&key),
            true => key == 0 || (0x0080_0000..0x7f80_0000).contains(&key.abs()),
        }
    }

    /// About so many words on both sides of one, near and far.
    fn around(&self, word: u32, count: usize) -> Vec<u32> {
        let here = self.key(word);
        let far = if self.is_float { 26 } else { 31 };
        let steps = (count / 2).saturating_sub(4).max(1) as i64;
        let mut keys: BTreeSet<i64> = BTreeSet::from([here, 0]);
        for step in 0..steps {
            let distance = 1i64 << ((step + 1) * far / steps);
            keys.extend([here - distance, here + distance]);
        }
        if self.is_float {
            keys.extend([-here, self.key(0x3f80_0000), self.key(0x3f00_0000), self.key(0xbf80_0000)]);
        }
        keys.into_iter().filter(|key| self.is_plain(*key)).map(|key| self.word(key)).take(count).collect()
    }

    /// So many words from one to another; with their neighbours where there are fewer.
    fn between(&self, from: u32, to: u32, count: usize) -> Vec<u32> {
        let (from, to) = (self.key(from), self.key(to));
        let parts = count as i64 - 1;
        let keys: BTreeSet<i64> = match to - from <= parts {
            true => {
                let first = from - (parts - (to - from)) / 2;
                (first..=first + parts).collect()
            }
            false => (0..=parts).map(|part| from + (to - from) * part / parts).collect(),
        };
        keys.into_iter().filter(|key| self.is_plain(*key)).map(|key| self.word(key)).collect()
    }

    /// Whether no number lies between any two of these.
    fn is_whole(&self, words: &[u32]) -> bool {
        words
            .windows(2)
            .all(|pair| self.key(pair[1]) - self.key(pair[0]) <= 1 || self.key(pair[0]) == 0 || self.key(pair[1]) == 0)
    }
}
