//! Whether differences are allowed.
//!
//! A specification fixes a set of results for an operation, and lets several be computed otherwise where they may be refactored. So a port may differ
//! from its original and still do only what the original may do. What it did is *put in*: on a sample of lanes of a case, values of the two programs
//! that are the same function, in exact arithmetic, of values that agree are found (`search`), and the original runs again with the port's
//! result in place of its own wherever that result is within its sets (`substitute`, `region`). From there on the two agree, until they part once more, and so on, until
//! outputs agree or a difference is left that nothing excuses.
//!
//! The verdict does not rest on the search. A word is allowed because a run of the original, in which every result that was put in lies in the set that
//! its specification fixes from the operands it had *in that run*, gives the port's bits. That holds whatever lanes tell each other. A second run also
//! puts in results of which nothing is promised, where the functions agree elsewhere: a word that only this accounts for is unspecified.

mod amplify;
mod evidence;
mod exact;
mod region;
mod same;
mod search;
mod substitute;
mod textures;
mod trace;

pub use evidence::{Amplifier, AmplifierKind, Carrier, CarrierKind, Explanation, Reached, Refactored, RefactoredTally};
pub(crate) use substitute::{Capture, Captured, Rule, Substitution, Tallies, Tally};

use crate::compare::{Difference, Place};
use crate::locate::graph::{Maker, Point};
use crate::locate::record::{Occurrence, Recorder};
use crate::locate::walk::Side;
use crate::locate::{CasePair, Locator, PartingLine, RunObserved};
use exact::Arithmetic;
use gpuproof_program::Op;
use gpuproof_run::{Case, LaneValues, Launch, Observer, Options, Outcome, Plan, RunError};
use search::Refused;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use substitute::Instead;
use textures::Textures;
pub(crate) use trace::Makers;

/// Rounds of substitution on one sample.
const MOST_ROUNDS: usize = 48;
/// Rules in all.
const MOST_RULES: usize = 2000;

/// Looks for what the port computes that the original may.
pub(crate) struct Explainer<'a> {
    locator: &'a Locator<'a>,
    makers: (Makers<'a>, Makers<'a>),
    /// The original, ready for values to be put in.
    plan: Plan,
    pub rules: Vec<Rule>,
    /// Those of them that runs take: what one search found.
    active: Range<usize>,
    refused: Refused,
    /// How many ways of opening values are tried.
    attempts: usize,
    lanes_are_apart: bool,
    arithmetic: Option<Arithmetic>,
    /// Why the search ended early, if it did.
    pub stopped: Option<String>,
}

impl<'a> Explainer<'a> {
    /// Prepares the search.
    ///
    /// # Errors
    /// When the original cannot be made ready.
    pub fn new(locator: &'a Locator<'a>) -> Result<Explainer<'a>, RunError> {
        Ok(Explainer {
            locator,
            makers: (Makers::new(locator.programs.0, &locator.graphs.0), Makers::new(locator.programs.1, &locator.graphs.1)),
            plan: Plan::compile_for_substitution(locator.programs.0)?,
            rules: Vec::new(),
            active: 0..0,
            refused: Refused::default(),
            attempts: search::ATTEMPTS,
            lanes_are_apart: locator.lanes_are_apart(),
            arithmetic: Arithmetic::new(),
            stopped: None,
        })
    }

    /// Begins another search, which knows nothing of what others found or refused: what fits the lanes that they were on may stand in the way on others.
    pub fn begin_anew(&mut self) {
        self.active = self.rules.len()..self.rules.len();
        self.refused = Refused::default();
        self.attempts = search::ATTEMPTS;
    }

    /// The rules that runs take.
    pub fn active(&self) -> Range<usize> {
        self.active.clone()
    }

    /// Takes the rules that were found in a search before.
    pub fn activate(&mut self, rules: Range<usize>) {
        self.active = rules;
    }

    fn taken(&self) -> &[Rule] {
        &self.rules[self.active.clone()]
    }

    /// Some lanes of a case, which no others see, as a case of their own; none where lanes are not apart, or there is none of them alone. Of pixels whole quads.
    pub fn cut(&self, case: &CasePair<'_>, lanes: &[u32]) -> Option<(Case, Case)> {
        let apart = self.lanes_are_apart;
        apart.then(|| cut(case.original, lanes).zip(cut(case.port, lanes))).flatten()
    }

    /// Looks for rules on a case with these differences; `run` runs the programs as they are. Gives whether there are new ones.
    ///
    /// # Errors
    /// Those of `run`, and of the original.
    pub fn learn(
        &mut self,
        case: &CasePair<'_>,
        differences: &[Difference],
        options: &Options,
        run: &mut RunObserved<'_>,
    ) -> Result<bool, RunError> {
        let Some(mut arithmetic) = self.arithmetic.take() else {
            self.stopped = Some("there was no memory for exact arithmetic".into());
            return Ok(false);
        };
        let result = self.learn_with(&mut arithmetic, case, differences, options, run);
        self.arithmetic = Some(arithmetic);
        result
    }

    fn learn_with(
        &mut self,
        arithmetic: &mut Arithmetic,
        case: &CasePair<'_>,
        differences: &[Difference],
        options: &Options,
        run: &mut RunObserved<'_>,
    ) -> Result<bool, RunError> {
        let mut sample = self.locator.sample(case, differences, run)?;
        // Lanes that no others see are looked at alone.
        let cut = self.cut(case, &sample);
        let case = match &cut {
            Some((original, port)) => {
                sample = (0..sample.len() as u32).collect();
                &CasePair { number: case.number, original, port }
            }
            None => case,
        };
        let lanes = self.lanes(case.original);
        let textures = self.textures(case);
        let mut recorder = Recorder::new(&self.locator.graphs.1, &self.locator.float_made.1, &sample);
        run(true, case.port, &mut recorder)?;
        let right = recorder.occurrences;
        let mut places: Vec<Place> = Vec::new();
        for difference in differences {
            if !places.iter().any(|place| crate::locate::same_output(*place, difference.place)) {
                places.push(difference.place);
            }
        }
        let mut any = false;
        for round in 0.. {
            let count = self.taken().len();
            if round == MOST_ROUNDS || count > MOST_RULES {
                self.stopped = Some(format!("the search was given up after {round} rounds and {count} operations"));
                break;
            }
            let captured = self.captured(&right, &sample, lanes);
            let mut recorder = Recorder::new(&self.locator.graphs.0, &self.locator.float_made.0, &sample);
            let sides = (&self.locator.graphs.0, &self.locator.float_made.0[..]);
            let mut observer =
                Substitution::new(sides, self.active(), &self.rules, (&captured, &textures.0), true, lanes, Some(&mut recorder));
            self.plan.run_observed(case.original, options, &mut observer)?;
            drop(observer);
            let left = recorder.occurrences;
            // Lanes on which something was not excused say no more.
            let bad = self.unlike(&left, &right);
            let masked = |occurrences: &[Occurrence]| -> Vec<Occurrence> {
                occurrences
                    .iter()
                    .map(|occurrence| Occurrence { active: occurrence.active & !bad, ..occurrence.clone() })
                    .collect()
            };
            let (left, right) = (masked(&left), masked(&right));
            let (program, graph) = (self.locator.programs.0, &self.locator.graphs.0);
            let effects: Vec<_> = places.iter().flat_map(|place| self.locator.effects(*place, false)).collect();
            let region = |partners: &_, _: &_| Some(Side::new(program, graph, &left, partners).region(&effects).points);
            let outputs: HashSet<Point> = effects.iter().flat_map(|effect| effect.args.iter().copied()).collect();
            let sides = search::Sides {
                original: (&self.makers.0, &left),
                port: (&self.makers.1, &right),
                textures: (&textures.0, &textures.1),
                outputs: &outputs,
            };
            let mut cut = false;
            let mut rules = self.rules.split_off(self.active.start);
            let state = (&mut rules, &mut self.refused, &mut self.attempts);
            let new = search::search(&sides, &region, state, arithmetic, &mut cut);
            self.rules.append(&mut rules);
            self.active.end = self.rules.len();
            if cut {
                self.stopped = Some("not all of the values that differ were looked at".into());
            }
            if !new {
                break;
            }
            any = true;
        }
        Ok(any)
    }

    fn textures(&self, case: &CasePair<'_>) -> (Textures, Textures) {
        let (original, port) = self.locator.programs;
        (Textures::new(original, case.original), Textures::new(port, case.port))
    }

    fn lanes(&self, case: &Case) -> usize {
        crate::cases::lanes(self.locator.programs.0, &case.launch) as usize
    }

    /// What the port computed on a sample of lanes.
    fn captured(&self, right: &[Occurrence], sample: &[u32], lanes: usize) -> Captured {
        let wanted: HashSet<Point> = self
            .taken()
            .iter()
            .filter_map(|rule| if let Instead::Value(point) = rule.instead { Some(point) } else { None })
            .collect();
        let mut captured = Captured::default();
        for occurrence in right.iter().filter(|occurrence| wanted.contains(&occurrence.point)) {
            let moment = (occurrence.iterations.clone(), occurrence.repeat);
            for (at, lane) in sample.iter().enumerate().filter(|(at, _)| occurrence.active >> at & 1 == 1) {
                captured.insert(occurrence.point, moment.clone(), *lane as usize, occurrence.bits[at], lanes);
            }
        }
        captured
    }

    /// The lanes of the sample on which a value with a rule is not what the port has.
    fn unlike(&self, left: &[Occurrence], right: &[Occurrence]) -> u64 {
        let key = |occurrence: &Occurrence| (occurrence.point, (occurrence.iterations.clone(), occurrence.repeat));
        let by_key: HashMap<_, usize> = right.iter().enumerate().map(|(at, occurrence)| (key(occurrence), at)).collect();
        let mut by_value: HashMap<Point, Vec<&Rule>> = HashMap::new();
        for rule in self.taken() {
            by_value.entry(rule.value).or_default().push(rule);
        }
        let mut bad = 0;
        for occurrence in left {
            let Some(rules) = by_value.get(&occurrence.point) else { continue };
            let moment = key(occurrence).1;
            let theirs = |rule: &&Rule| match (&rule.instead, &rule.moments) {
                (Instead::Value(point), None) => by_key.get(&(*point, moment.clone())).copied(),
                (Instead::Value(point), Some(moments)) => {
                    moments.get(&moment).and_then(|moment| by_key.get(&(*point, moment.clone())).copied())
                }
                _ => None,
            };
            let all: Vec<&Occurrence> = rules.iter().filter_map(theirs).map(|at| &right[at]).collect();
            for lane in (0..occurrence.bits.len()).filter(|lane| occurrence.active >> lane & 1 == 1) {
                let mut there = all.iter().filter(|other| other.active >> lane & 1 == 1).peekable();
                if there.peek().is_some() && there.all(|other| other.bits[lane] != occurrence.bits[lane]) {
                    bad |= 1 << lane;
                }
            }
        }
        bad
    }

    /// Keeps what the port computes on a case for the rules, with its outcome.
    ///
    /// # Errors
    /// Those of the run.
    pub fn capture(&self, port: &Plan, case: &CasePair<'_>, options: &Options) -> Result<(Captured, Outcome), RunError> {
        let lanes = self.lanes(case.original);
        let mut capture = Capture::new(&self.locator.graphs.1, &self.locator.float_made.1, self.taken(), lanes);
        let outcome = port.run_observed(case.port, options, &mut capture)?;
        Ok((capture.captured, outcome))
    }

    /// Runs the original with the port's values put in, `inner` looking on.
    ///
    /// # Errors
    /// Those of the run.
    pub fn substituted(
        &self,
        case: &Case,
        captured: &Captured,
        unbounded: bool,
        options: &Options,
        inner: Option<&mut dyn Observer>,
    ) -> Result<(Outcome, Tallies), RunError> {
        let sides = (&self.locator.graphs.0, &self.locator.float_made.0[..]);
        let textures = Textures::new(self.locator.programs.0, case);
        let mut observer =
            Substitution::new(sides, self.active(), &self.rules, (captured, &textures), unbounded, self.lanes(case), inner);
        let outcome = self.plan.run_observed(case, options, &mut observer)?;
        Ok((outcome, observer.tallies))
    }

    /// Describes what rules came to, those of one pair of lines together.
    pub fn carriers(&self, tallies: &[Tally]) -> Vec<Carrier> {
        let mut all: Vec<(Carrier, Tally)> = Vec::new();
        for (rule, tally) in self.rules.iter().zip(tallies).filter(|(_, tally)| tally.replaced > 0) {
            let name = |makers: &Makers<'_>, point: Point| match makers.graph.sites[point].maker {
                Maker::Op(op) => op.row().name.to_string(),
                _ => String::new(),
            };
            let line = |makers: &Makers<'_>, point: Point| {
                let line = makers.program.source.line(makers.graph.sites[point].origin)?;
                Some(PartingLine { number: line.number, text: line.text.clone() })
            };
            let (port, port_operation) = match rule.instead {
                Instead::Value(point) => (line(&self.makers.1, point), name(&self.makers.1, point)),
                Instead::Constant(_) => (None, String::new()),
            };
            let because = match tally.why {
                Some(why) if tally.unbounded > tally.in_set + tally.refactored => vec![why.to_string()],
                _ => rule.region.sections(),
            };
            let carrier = Carrier {
                original: line(&self.makers.0, rule.value),
                operation: name(&self.makers.0, rule.value),
                port,
                port_operation,
                kind: self.kind(rule, tally),
                because,
                ..Carrier::default()
            };
            let alike = |known: &&mut (Carrier, Tally)| {
                let other = &known.0;
                (&other.original, &other.operation, &other.port, other.kind)
                    == (&carrier.original, &carrier.operation, &carrier.port, carrier.kind)
            };
            match all.iter_mut().find(alike) {
                Some(known) => known.1.add(tally),
                None => all.push((carrier, *tally)),
            }
        }
        let mut carriers: Vec<Carrier> = all
            .into_iter()
            .map(|(carrier, tally)| Carrier {
                times: tally.replaced,
                unbounded: tally.unbounded,
                ulps: tally.ulps,
                absolute: tally.absolute,
                example: tally.example,
                ..carrier
            })
            .collect();
        carriers.sort_by_key(|carrier| std::cmp::Reverse(carrier.times));
        carriers
    }

    fn kind(&self, rule: &Rule, tally: &Tally) -> CarrierKind {
        let ops: Vec<Op> = rule.region.operations().map(|operation| operation.op).collect();
        let last = ops.last().copied();
        let (own, theirs) = tally.example.unwrap_or_default();
        let is_denormal = |bits: u64| bits as u32 & 0x7f80_0000 == 0 && bits as u32 & 0x007f_ffff != 0;
        let is_zero = |bits: u64| bits as u32 & 0x7fff_ffff == 0;
        if tally.in_set + tally.refactored == 0 {
            CarrierKind::Unbounded
        } else if rule.region.lookups().next().is_some() {
            CarrierKind::Filtered
        } else if is_zero(own) && is_zero(theirs) {
            CarrierKind::ZeroSign
        } else if is_zero(own) && is_denormal(theirs) || is_denormal(own) && is_zero(theirs) {
            CarrierKind::Flushed
        } else if matches!(last, Some(Op::SToF | Op::UToF | Op::FConvert)) && ops.len() == 1 {
            CarrierKind::Neighbour
        } else if tally.refactored > 0 {
            let multiplies = |op: &Op| matches!(op, Op::FMul | Op::FMad | Op::FFma | Op::FDot2 | Op::FDot3 | Op::FDot4);
            let port: Vec<Op> = rule.port.iter().flat_map(|region| region.operations().map(|operation| operation.op)).collect();
            if rule.region.shortened {
                CarrierKind::Constant
            } else if ops.iter().any(multiplies) && port.contains(&Op::FFma) && port.len() == 1 {
                CarrierKind::Fused
            } else {
                CarrierKind::Refactored
            }
        } else if matches!(last, Some(Op::FMad | Op::FDot2 | Op::FDot3 | Op::FDot4)) && ops.len() == 1 {
            CarrierKind::Fused
        } else {
            CarrierKind::Accuracy
        }
    }

    /// The operations of the original that make small differences large on a case, where the values of the port, `plan`, are put in.
    ///
    /// # Errors
    /// Those of the runs.
    pub fn amplifiers(
        &self,
        case: &CasePair<'_>,
        differences: &[Difference],
        plan: &Plan,
        [options, port_options]: [&Options; 2],
        run: &mut RunObserved<'_>,
    ) -> Result<Vec<Amplifier>, RunError> {
        let mut sample = self.locator.sample(case, differences, run)?;
        let cut = self.cut(case, &sample);
        let case = match &cut {
            Some((original, port)) => {
                sample = (0..sample.len() as u32).collect();
                &CasePair { number: case.number, original, port }
            }
            None => case,
        };
        let captured = &self.capture(plan, case, port_options)?.0;
        let (graph, float_made) = (&self.locator.graphs.0, &self.locator.float_made.0);
        let mut before = Recorder::new(graph, float_made, &sample);
        self.plan.run_observed(case.original, options, &mut before)?;
        let mut after = Recorder::new(graph, float_made, &sample);
        self.substituted(case.original, captured, true, options, Some(&mut after))?;
        let values: HashSet<Point> = self.rules.iter().map(|rule| rule.value).collect();
        Ok(amplify::amplifiers(&self.makers.0, &before.occurrences, &after.occurrences, &values))
    }
}

/// A case of some of the lanes of vertices, or of whole quads of pixels.
fn cut(case: &Case, sample: &[u32]) -> Option<Case> {
    let launch = match &case.launch {
        Launch::Vertices { .. } => Launch::Vertices { count: sample.len() as u32 },
        Launch::Pixels { helpers, .. } if sample.len().is_multiple_of(4) => Launch::Pixels {
            quads: sample.len() as u32 / 4,
            helpers: sample.iter().filter_map(|lane| helpers.get(*lane as usize).copied()).collect(),
        },
        _ => return None,
    };
    let inputs = case.inputs.iter().map(|input| {
        let words = |words: &Vec<u32>| sample.iter().filter_map(|lane| words.get(*lane as usize).copied()).collect();
        LaneValues { components: input.components.each_ref().map(words) }
    });
    Some(Case { launch, inputs: inputs.collect(), ..case.clone() })
}
