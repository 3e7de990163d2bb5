//! The cases of a comparison, one after another.

use super::depends::Search;
use super::explain::Pending;
use super::partial::{Partial, Within};
use super::show::Distances;
use super::undefined::OnlyPort;
use super::{Progress, ProveError, Settings, Side};
use crate::adequacy::{Cover, Start};
use crate::bind::Binding;
use crate::cases::{CaseClass, Generator, NamedCase, lanes};
use crate::compare::{Census, Comparison, Difference, PortOnly, Verdict, classify, compare, port_only};
use crate::evidence::*;
use crate::measured::{GivenOutputs, Measured};
use crate::pictures::{Cell, Painter};
use gpuproof_program::{FunctionId, Program, Value};
use gpuproof_run::{Case, EventKind, Machine, Observed, Observer, Options, Outcome, Plan, RunError, Schedule, UndefinedChoice};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// How a case can be made again.
#[derive(Clone, Debug)]
pub(super) enum Recipe {
    /// By the generator, with so many lanes in all.
    Generated { number: usize, lanes: u64 },
    /// It was given, or found by a search.
    Kept(Rc<NamedCase>),
}

impl Recipe {
    pub(super) fn generate(&self, generator: &mut Generator<'_>) -> NamedCase {
        match self {
            Recipe::Generated { number, lanes } => {
                generator.set_lanes(*lanes);
                generator.case(*number)
            }
            Recipe::Kept(case) => NamedCase::clone(case),
        }
    }

    /// The case, if it is one that was kept.
    pub(super) fn kept(self) -> Option<NamedCase> {
        match self {
            Recipe::Generated { .. } => None,
            Recipe::Kept(case) => Some(Rc::unwrap_or_clone(case)),
        }
    }
}

/// The case that is looked at to find where the programs part.
pub(super) struct Worst {
    pub(super) recipe: Recipe,
    pub(super) class: CaseClass,
    pub(super) differences: Vec<Difference>,
    /// The rules by which these are left.
    pub(super) rules: Range<usize>,
}

impl Worst {
    pub(super) fn generate(&self, generator: &mut Generator<'_>) -> NamedCase {
        self.recipe.generate(generator)
    }

    pub(super) fn rank(&self) -> (bool, usize) {
        (self.class == CaseClass::Finite, self.differences.len())
    }
}

/// Runs both programs again on a case with other choices, each only once.
struct Again<'a> {
    plans: &'a (Plan, Plan),
    measured: Option<&'a Measured<'a>>,
    cases: (&'a Case, &'a Case),
    /// The original's and the port's.
    options: [&'a Options; 2],
    kept: RefCell<Vec<(Choice, Rc<Outcome>)>>,
}

type Choice = (Side, UndefinedChoice, Schedule);

impl Again<'_> {
    fn run(&self, side: Side, undefined: UndefinedChoice, schedule: Schedule) -> Result<Rc<Outcome>, RunError> {
        let choice = (side, undefined, schedule);
        if let Some((_, outcome)) = self.kept.borrow().iter().find(|(known, _)| *known == choice) {
            return Ok(outcome.clone());
        }
        let (plan, case, options) = match side {
            Side::Original => (&self.plans.0, self.cases.0, self.options[0]),
            Side::Port => (&self.plans.1, self.cases.1, self.options[1]),
        };
        let options = Options { undefined, schedule, ..options.clone() };
        let outcome = Rc::new(match self.measured.filter(|_| side == Side::Original) {
            Some(measured) => measured.run(case, &options, &mut Idle, false)?,
            None => plan.run(case, &options)?,
        });
        if self.kept.borrow().len() < KEPT {
            self.kept.borrow_mut().push((choice, outcome.clone()));
        }
        Ok(outcome)
    }
}

/// Looks at nothing.
struct Idle;

impl Observer for Idle {
    fn wants(&self, _: FunctionId, _: Value) -> bool {
        false
    }
    fn value(&mut self, _: &Observed<'_>) {}
}

/// Outcomes that are kept at most: the choices that several searches make come first.
const KEPT: usize = 8;

pub(super) struct Job<'a> {
    pub(super) original: &'a Program,
    pub(super) port: &'a Program,
    pub(super) binding: &'a Binding,
    pub(super) plans: (Plan, Plan),
    /// The original with results put in that were measured.
    pub(super) measured: Option<&'a Measured<'a>>,
    /// What stands for the port's outcome, where it was computed elsewhere.
    pub(super) given: Option<&'a GivenOutputs>,
    pub(super) census: Census,
    pub(super) distances: Distances,
    pub(super) painter: Option<Painter>,
    pub(super) records: Vec<CaseRecord>,
    pub(super) events: Vec<EventRecord>,
    /// Where in `events` the record of a kind at a line is.
    pub(super) event_at: BTreeMap<(Side, EventKind, u32), usize>,
    pub(super) search: Search,
    pub(super) orders: Vec<OrderRecord>,
    /// What limits the evidence, with the error it came from.
    pub(super) limits: Vec<(String, Option<ProveError>)>,
    pub(super) notes: Vec<String>,
    /// How each case that was compared is made again, and the steps that the original and the port took.
    pub(super) compared: BTreeMap<u32, (Recipe, [u64; 2])>,
    /// By resource, a word that the original writes and for which nothing of the port stands.
    pub(super) left_out: BTreeMap<String, String>,
    pub(super) only_port: OnlyPort,
    pub(super) partial: Option<&'a Partial>,
    /// By output, words that differ within its tolerance.
    pub(super) within: BTreeMap<String, Within>,
    pub(super) coverage: Coverage,
    /// What the original and the port did, where that is asked for.
    pub(super) covers: Option<[Cover; 2]>,
    /// Parts of the cases that were compared, to run mutants on.
    pub(super) small: Vec<Start>,
    pub(super) first: Option<(FirstDifference, Recipe)>,
    pub(super) worst: Option<Worst>,
    /// Words that differ, by case.
    pub(super) pending: Vec<Pending>,
    pub(super) case_steps: u64,
    /// The original's and the port's.
    pub(super) machines: [Machine; 2],
}

/// Steps of a case once as many cases before it as this is long ran out of them on however few lanes, and none was compared: a program that has no end is not worth
/// the time of one that has. Where more steps are asked for than by default, more in the same proportion.
const WITHOUT_END: [u64; 2] = [16_000_000, 4_000_000];
/// What [`WITHOUT_END`] is for.
const BY_DEFAULT: u64 = 4_000_000_000;

/// What became of a case.
pub(super) enum Ran {
    /// Compared, with this many steps of the original.
    Compared(u64),
    /// The original ran out of steps.
    OutOfSteps,
}

impl Job<'_> {
    pub(super) fn all(
        &mut self,
        generator: &mut Generator<'_>,
        settings: &Settings,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), ProveError> {
        let count = generator.count();
        let mut total = settings.lanes;
        // A case may have several times its share of all steps, but only where it is known that they end.
        let most = self.case_steps;
        self.case_steps = (most / 8).max(50_000_000).min(most);
        let (mut in_vain, mut endless, mut fewer) = (0, false, None);
        for number in 0..count {
            progress(Progress::Comparing { done: number, of: count, different: self.census.total().different });
            if !settings.edges && generator.describe(number).1 == CaseClass::Edge {
                continue;
            }
            // The lanes of the first attempt that did not end.
            let mut stopped = None;
            generator.set_lanes(settings.lanes);
            let asked = lanes(self.original, &generator.launch(number));
            if in_vain > 0 && self.census.cases == 0 {
                fewer.get_or_insert(number);
                let steps = WITHOUT_END[(in_vain - 1).min(WITHOUT_END.len() - 1)];
                self.case_steps = (steps * (settings.max_steps / BY_DEFAULT).max(1)).min(self.case_steps);
            }
            for attempt in 0..3 {
                generator.set_lanes(total);
                let case = generator.case(number);
                let lanes = lanes(self.original, &case.case.launch);
                match self.run_case(&case, Recipe::Generated { number, lanes: total })? {
                    Ran::Compared(steps) => {
                        if let Some(record) = self.records.last_mut().filter(|_| lanes < asked) {
                            record.lanes_asked = Some(asked);
                        }
                        // Lanes that are left out because all of them take long are no limit, lanes that do not end are.
                        let all = (steps / lanes.max(1)).saturating_mul(stopped.unwrap_or(0));
                        let ends = stopped.is_none() || all >= self.case_steps / 2;
                        if let Some(stopped) = stopped.filter(|_| !ends) {
                            let of = format!("case {number} ({}): compared on {lanes} of {stopped} lanes", case.name);
                            self.unended(Side::Original, format!("{of}: the original did not end on all of them"), None);
                        }
                        // Take fewer lanes when the rest would go over the budget, and more again when there were too few.
                        let expected = steps.saturating_mul((count - number) as u64).max(1);
                        let left = settings.max_steps.saturating_sub(self.coverage.original_steps).max(1);
                        if expected > left.saturating_mul(2) && lanes > 64 {
                            total = (total / (expected / left).max(2)).max(count as u64 * 64);
                        } else if stopped.is_some() && ends {
                            total = total.saturating_mul((left / expected).max(1)).min(settings.lanes);
                        }
                        endless |= !ends;
                        if !endless {
                            self.case_steps = most;
                        }
                        break;
                    }
                    Ran::OutOfSteps => {
                        // What has no end in one case may have none in others: they are worth less time.
                        self.case_steps = (self.case_steps / 8).max(50_000_000).min(self.case_steps);
                        if attempt == 2 || lanes <= 64 {
                            in_vain += 1;
                            endless = true;
                            break;
                        }
                        stopped.get_or_insert(lanes);
                        total = (total / 16).max(count as u64 * 16);
                    }
                }
            }
        }
        if let Some(number) = fewer {
            let what = format!(
                "case {number} and those after it were given fewer steps, {} in the end, since none before had one",
                self.case_steps
            );
            self.unended(Side::Original, what, None);
        }
        progress(Progress::Comparing { done: count, of: count, different: self.census.total().different });
        Ok(())
    }

    pub(super) fn case(&mut self, case: &NamedCase) -> Result<(), ProveError> {
        self.run_case(case, Recipe::Kept(Rc::new(case.clone()))).map(|_| ())
    }

    pub(super) fn options(&self, side: Side) -> Options {
        // The first of each kind and place are enough.
        let machine = self.machines[usize::from(side == Side::Port)];
        Options { max_steps: self.case_steps, max_events: 0, machine, writers: self.painter.is_some(), ..Options::default() }
    }

    pub(super) fn abandon(&mut self, case: &NamedCase, lanes: u64, side: Side, error: RunError) {
        let why = format!("case {} ({}): the {side} {error}", case.number, case.name);
        self.records.retain(|record| record.number != case.number);
        self.records.push(CaseRecord {
            number: case.number,
            name: case.name.clone(),
            class: case.class,
            lanes,
            lanes_asked: None,
            words: 0,
            different: 0,
            abandoned: Some(format!("the {side} {error}")),
        });
        self.forget(case.number);
        self.unended(side, why, Some(ProveError::Run { side, error }));
    }

    /// Says that lanes had no end. Formulas say what a program gives, so where it gives nothing there is nothing that they could say wrong.
    fn unended(&mut self, side: Side, why: String, error: Option<ProveError>) {
        match self.partial.filter(|_| side == Side::Original) {
            Some(_) => self.notes.push(why),
            None => self.limits.push((why, error)),
        }
    }

    /// Takes back what was said of a case before it was run again.
    fn forget(&mut self, case: u32) {
        let said = format!("case {case} ");
        self.limits.retain(|limit| !limit.0.starts_with(&said));
        self.notes.retain(|note| !note.starts_with(&said));
    }

    pub(super) fn run_case(&mut self, named: &NamedCase, recipe: Recipe) -> Result<Ran, ProveError> {
        let (case, lanes) = (&named.case, lanes(self.original, &named.case.launch));
        let fail = |side| move |error| ProveError::Run { side, error };
        let options = self.options(Side::Original);
        let own = match self.measured {
            Some(measured) => measured.run(case, &options, &mut Idle, true),
            None => self.plans.0.run(case, &options),
        };
        let outcome = match own {
            Ok(outcome) => outcome,
            Err(error @ RunError::StepLimit { .. }) => {
                self.abandon(named, lanes, Side::Original, error);
                return Ok(Ran::OutOfSteps);
            }
            Err(error) => return Err(fail(Side::Original)(error)),
        };
        let port_case = self.binding.translate(self.original, self.port, case);
        // A port that takes many times the steps of the original will not end.
        let patience = outcome.steps.saturating_mul(64).max(20_000_000);
        let port_options = Options { max_steps: patience, ..self.options(Side::Port) };
        let theirs = match self.given {
            Some(given) => Ok(given.over(&outcome, self.original).map_err(ProveError::Given)?),
            None => self.plans.1.run(&port_case, &port_options),
        };
        let port_outcome = match theirs {
            Ok(outcome) => outcome,
            Err(error @ RunError::StepLimit { .. }) => {
                self.abandon(named, lanes, Side::Port, error);
                return Ok(Ran::Compared(outcome.steps));
            }
            Err(error) => return Err(fail(Side::Port)(error)),
        };
        self.forget(named.number);
        self.records.retain(|record| record.number != named.number);
        self.coverage.original_steps += outcome.steps;
        self.coverage.port_steps += port_outcome.steps;
        self.gather_events(named, Side::Original, &outcome);
        self.gather_events(named, Side::Port, &port_outcome);

        self.cover(named, &port_case, [outcome.steps, port_outcome.steps]);
        self.compared.insert(named.number, (recipe.clone(), [outcome.steps, port_outcome.steps]));
        let mut painter = self.painter.take();
        if let Some(painter) = &mut painter {
            painter.begin(named.number, self.original, case);
        }
        let mut same = |place| {
            if let Some(painter) = &mut painter {
                painter.paint(named.number, place, Cell::Same);
            }
        };
        let (cases, outcomes) = ((case, &port_case), (&outcome, &port_outcome));
        let mut comparison = compare(self.original, self.port, self.binding, cases, outcomes, &mut same);
        self.painter = painter;
        if let Some(partial) = self.partial {
            partial.apply(&mut comparison, self.original, self.binding, &mut self.within);
        }
        self.left_out.extend(std::mem::take(&mut comparison.left_out));
        if let Some(measured) = self.measured {
            let plain = self.plans.0.run(case, &options).map_err(fail(Side::Original))?;
            let without = compare(self.original, self.port, self.binding, cases, (&plain, &port_outcome), &mut |_| {});
            measured.record.borrow_mut().different_without += without.differences.len() as u64;
        }
        let again = Again {
            plans: &self.plans,
            measured: self.measured,
            cases,
            options: [&options, &port_options],
            kept: RefCell::default(),
        };
        let mut rerun = |undefined, schedule| again.run(Side::Original, undefined, schedule);
        let classified = classify(self.original, self.binding, case, outcomes, &comparison.differences, &mut rerun)
            .map_err(fail(Side::Original))?;
        let mut only_port = PortOnly::default();
        if port_outcome.event_count > 0 {
            let mut rerun = |side, undefined, schedule| again.run(side, undefined, schedule);
            let programs = (self.original, self.port);
            only_port = port_only(programs, self.binding, cases, &outcome, &comparison.differences, &mut rerun)
                .map_err(fail(Side::Port))?;
            if self.partial.is_some() && super::partial::leaves_no_more(&outcome, &port_outcome) {
                only_port.differences.clear();
            }
            self.gather_only_port(named.number, outcomes, &only_port);
        }
        let scheduled =
            comparison.differences.iter().zip(&classified.verdicts).filter(|(_, verdict)| **verdict == Verdict::Schedule);
        let scheduled: Vec<&Difference> = scheduled.map(|(difference, _)| difference).collect();
        self.find_orders(named.number, case, &scheduled, &options).map_err(fail(Side::Original))?;
        self.find_dependences(Side::Original, named.number, case, &outcome, &options).map_err(fail(Side::Original))?;
        self.find_dependences(Side::Port, named.number, &port_case, &port_outcome, &port_options).map_err(fail(Side::Port))?;
        let writers = outcome.writers;
        drop((outcome.outputs, port_outcome.outputs));

        let before = self.census.total();
        self.count_only_port(named, &only_port.differences, &mut comparison);
        for (output, count) in &comparison.same {
            self.census.add(named.class, output, Verdict::Same, *count);
        }
        let verdicts = || comparison.differences.iter().zip(classified.verdicts.iter().zip(&classified.reordered));
        for (difference, (verdict, reordered)) in verdicts() {
            let output = difference.place.output(self.original, self.binding);
            self.census.add(named.class, &output, *verdict, 1);
            self.show(named, &output, difference, *verdict);
            if *reordered {
                self.census.add_reordered(named.class, &output, 1);
            }
        }
        if let Some(painter) = &mut self.painter {
            painter.end(named.number, (self.original, self.binding), case, &writers);
        }
        self.census.lanes += lanes;
        self.census.cases += 1;
        let after = self.census.total();
        self.records.push(CaseRecord {
            number: named.number,
            name: named.name.clone(),
            class: named.class,
            lanes,
            lanes_asked: None,
            words: after.words() - before.words(),
            different: after.different - before.different,
            abandoned: None,
        });
        let of: Vec<Difference> =
            verdicts().filter(|(_, (verdict, _))| **verdict == Verdict::Different).map(|(difference, _)| *difference).collect();
        if !of.is_empty() {
            let open =
                verdicts().filter(|(_, (verdict, _))| **verdict != Verdict::Different).map(|(difference, _)| difference.place);
            self.pending.push(Pending::new(named.number, recipe.clone(), named.class, of, open.collect()));
        }
        if let Some(difference) = only_port.differences.first() {
            self.keep_first(named.number, recipe, difference, Verdict::Different);
        }
        Ok(Ran::Compared(outcome.steps))
    }

    /// Counts words that change in the port alone; they are not the same, though without other choices they were.
    pub(super) fn count_only_port(&mut self, named: &NamedCase, differences: &[Difference], comparison: &mut Comparison) {
        for difference in differences {
            let output = difference.place.output(self.original, self.binding);
            if let Some(same) = comparison.same.get_mut(&output) {
                *same = same.saturating_sub(1);
            }
            self.census.add(named.class, &output, Verdict::Different, 1);
            self.show(named, &output, difference, Verdict::Different);
            self.count_distance(named.class, &output, difference, Verdict::Different);
        }
    }
}
