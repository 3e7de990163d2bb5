//! The whole job.

use crate::bind::{BindError, Binding, Counter, Map, output_place, resource_names};
use crate::cases::{CaseClass, Generator, NamedCase, UserInputs, UserInputsError, check_case, lanes};
use crate::compare::{Census, Difference, Status, Verdict, classify, compare};
use crate::decisions::Decisions;
use crate::evidence::*;
use crate::locate::{CasePair, Locator, Parting};
use gpuproof_program::{Class, Node, Op, Program, Target};
use gpuproof_run::{Case, Event, Observer, Options, Outcome, Plan, RunError, Schedule, UndefinedChoice};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// One of the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The program that is right by definition.
    Original,
    /// The program that is held against it.
    Port,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Side::Original => "original",
            Side::Port => "port",
        })
    }
}

/// A program and what evidence says of it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// What the user calls it.
    pub name: String,
    /// SHA-256 of the bytes that it was read from, in hexadecimal.
    pub sha256: String,
}

impl<'a> Subject<'a> {
    /// A program that was read from these bytes.
    pub fn new(program: &'a Program, name: impl Into<String>, bytes: &[u8]) -> Subject<'a> {
        let mut sha256 = String::new();
        for byte in Sha256::digest(bytes) {
            let _ = write!(sha256, "{byte:02x}");
        }
        Subject { program, name: name.into(), sha256 }
    }

    fn record(&self) -> ProgramRecord {
        ProgramRecord {
            name: self.name.clone(),
            sha256: self.sha256.clone(),
            entry: self.program.name.clone(),
            stage: self.program.stage,
            dialect: self.program.dialect,
            notes: self.program.notes.clone(),
        }
    }
}

/// Choices of a comparison.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of all cases.
    pub seed: u64,
    /// Lanes over all cases.
    pub lanes: u64,
    /// Cases.
    pub cases: usize,
    /// Whether cases with edge values are compared.
    pub edges: bool,
    /// Steps (one operation on one lane) over all cases of one program, after which fewer lanes are taken.
    pub max_steps: u64,
    /// The map to use; inferred where none is given.
    pub map: Option<Map>,
    /// What the user gives of the cases.
    pub user: UserInputs,
    /// A saved case that is compared alone.
    pub replay: Option<NamedCase>,
    /// Whether to look for the place where differing programs part.
    pub locate: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            lanes: 65536,
            cases: 14,
            edges: true,
            max_steps: 4_000_000_000,
            map: None,
            user: UserInputs::default(),
            replay: None,
            locate: true,
        }
    }
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Cases are being compared.
    Comparing {
        /// Cases done.
        done: usize,
        /// All cases.
        of: usize,
        /// Words that differ so far.
        different: u64,
    },
    /// The place where the programs part is being looked for.
    Locating,
}

/// Why there is no evidence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProveError {
    /// The interfaces do not come together.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// What the user gives does not fit.
    #[error(transparent)]
    Inputs(#[from] UserInputsError),
    /// A program could not be run.
    #[error("the {side}: {error}")]
    Run {
        /// Which program.
        side: Side,
        /// Why.
        error: RunError,
    },
}

/// Evidence, and the case that shows the first difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// The evidence.
    pub evidence: Evidence,
    /// The case of the first difference, for the original.
    pub case: Option<NamedCase>,
}

/// Compares two programs. `progress` is told how far it is.
///
/// # Errors
/// When the interfaces cannot be matched, what the user gives does not fit, or a program cannot be run at all. That a program runs out of steps
/// in some cases is a limit that the evidence states; in all cases it is an error.
pub fn verify(
    original: &Subject<'_>,
    port: &Subject<'_>,
    settings: &Settings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verification, ProveError> {
    let map = match &settings.map {
        Some(map) => map.clone(),
        None => Map::infer(original.program, port.program)?,
    };
    let binding = map.resolve(original.program, port.program)?;
    let plan = |side, program| Plan::compile(program).map_err(|error| ProveError::Run { side, error });
    let mut job = Job {
        original: original.program,
        port: port.program,
        binding: &binding,
        plans: (plan(Side::Original, original.program)?, plan(Side::Port, port.program)?),
        census: Census::default(),
        records: Vec::new(),
        events: Vec::new(),
        seen_events: BTreeSet::new(),
        limits: Vec::new(),
        coverage: Coverage::default(),
        decisions: [Decisions::of(original.program), Decisions::of(port.program)],
        first: None,
        worst: None,
        case_steps: settings.max_steps / settings.cases.max(1) as u64 * 4,
    };
    let mut generator = Generator::new(
        original.program,
        port.program,
        &binding,
        &settings.user,
        (settings.seed, settings.lanes, settings.cases),
    )?;
    if let Some(replay) = &settings.replay {
        check_case(original.program, &replay.case)?;
        job.case(replay)?;
    } else {
        job.all(&mut generator, settings, progress)?;
    }
    if job.census.cases == 0
        && let Some(error) = job.limits.iter().find_map(|limit| limit.1.clone())
    {
        return Err(error);
    }

    let mut parting = None;
    if let (true, Some(worst)) = (settings.locate, job.worst.take()) {
        progress(Progress::Locating);
        let case = match &settings.replay {
            Some(replay) => replay.clone(),
            None => worst.generate(&mut generator),
        };
        parting = job.part(&case, &worst.differences, &mut generator, settings)?;
    }
    let case = job.first.as_ref().map(|(_, first)| match &settings.replay {
        Some(replay) => replay.clone(),
        None => first.generate(&mut generator),
    });
    job.unreached();
    job.one_sided();
    let census_status = job.census.status();
    let limited = !job.limits.is_empty();
    let status = if limited && census_status == Status::Holds { Status::Inconclusive } else { census_status };
    let evidence = Evidence {
        version: VERSION,
        made_by: concat!("gpuproof ", env!("CARGO_PKG_VERSION")).into(),
        status,
        limits: job.limits.into_iter().map(|limit| limit.0).collect(),
        original: original.record(),
        port: port.record(),
        seed: settings.seed,
        cases: job.records,
        census: job.census,
        first: job.first.map(|first| first.0),
        parting,
        map,
        events: job.events,
        coverage: job.coverage,
    };
    Ok(Verification { evidence, case })
}

/// One of the cases that [`verify()`] compares with these settings, by its number; none where there are fewer.
///
/// # Errors
/// As [`verify()`], but for those of a run.
pub fn case(original: &Program, port: &Program, settings: &Settings, number: usize) -> Result<Option<NamedCase>, ProveError> {
    let map = match &settings.map {
        Some(map) => map.clone(),
        None => Map::infer(original, port)?,
    };
    let binding = map.resolve(original, port)?;
    let sizes = (settings.seed, settings.lanes, settings.cases);
    let generator = Generator::new(original, port, &binding, &settings.user, sizes)?;
    Ok((number < generator.count()).then(|| generator.case(number)))
}

/// How a case can be made again.
#[derive(Clone, Copy, Debug)]
struct Recipe {
    number: usize,
    lanes: u64,
}

impl Recipe {
    fn generate(self, generator: &mut Generator<'_>) -> NamedCase {
        generator.set_lanes(self.lanes);
        generator.case(self.number)
    }
}

/// The case that is looked at to find where the programs part.
struct Worst {
    recipe: Recipe,
    class: CaseClass,
    /// Whether words differ, not only a little.
    different: bool,
    differences: Vec<Difference>,
}

impl Worst {
    fn generate(&self, generator: &mut Generator<'_>) -> NamedCase {
        self.recipe.generate(generator)
    }

    fn rank(&self) -> (bool, bool, usize) {
        (self.different, self.class == CaseClass::Finite, self.differences.len())
    }
}

struct Job<'a> {
    original: &'a Program,
    port: &'a Program,
    binding: &'a Binding,
    plans: (Plan, Plan),
    census: Census,
    records: Vec<CaseRecord>,
    events: Vec<EventRecord>,
    seen_events: BTreeSet<(bool, String, u32)>,
    /// What limits the evidence, with the error it came from.
    limits: Vec<(String, Option<ProveError>)>,
    coverage: Coverage,
    /// The original's and the port's.
    decisions: [Decisions; 2],
    first: Option<(FirstDifference, Recipe)>,
    worst: Option<Worst>,
    case_steps: u64,
}

/// What became of a case.
enum Ran {
    /// Compared, with this many steps of the original.
    Compared(u64),
    /// The original ran out of steps.
    OutOfSteps,
}

impl Job<'_> {
    fn all(
        &mut self,
        generator: &mut Generator<'_>,
        settings: &Settings,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), ProveError> {
        let count = generator.count();
        let mut total = settings.lanes;
        for number in 0..count {
            progress(Progress::Comparing { done: number, of: count, different: self.census.total().different });
            if !settings.edges && generator.describe(number).1 == CaseClass::Edge {
                continue;
            }
            for attempt in 0..3 {
                generator.set_lanes(total);
                let case = generator.case(number);
                let lanes = lanes(self.original, &case.case.launch);
                match self.run_case(&case, Recipe { number, lanes: total })? {
                    Ran::Compared(steps) => {
                        // Take fewer lanes when the rest would go over the budget.
                        let expected = steps.saturating_mul((count - number) as u64);
                        let left = settings.max_steps.saturating_sub(self.coverage.original_steps).max(1);
                        if expected > left.saturating_mul(2) && lanes > 64 {
                            total = (total / (expected / left).max(2)).max(count as u64 * 64);
                        }
                        break;
                    }
                    Ran::OutOfSteps if attempt < 2 && lanes > 64 => total = (total / 16).max(count as u64 * 16),
                    Ran::OutOfSteps => break,
                }
            }
        }
        progress(Progress::Comparing { done: count, of: count, different: self.census.total().different });
        Ok(())
    }

    fn case(&mut self, case: &NamedCase) -> Result<(), ProveError> {
        let lanes = lanes(self.original, &case.case.launch);
        self.run_case(case, Recipe { number: case.number as usize, lanes }).map(|_| ())
    }

    fn options(&self) -> Options {
        Options { max_steps: self.case_steps, ..Options::default() }
    }

    fn abandon(&mut self, case: &NamedCase, lanes: u64, side: Side, error: RunError) {
        let why = format!("case {} ({}): the {side} {error}", case.number, case.name);
        self.records.retain(|record| record.number != case.number);
        self.records.push(CaseRecord {
            number: case.number,
            name: case.name.clone(),
            class: case.class,
            lanes,
            words: 0,
            different: 0,
            abandoned: Some(format!("the {side} {error}")),
        });
        self.limits.retain(|limit| !limit.0.starts_with(&format!("case {} ", case.number)));
        self.limits.push((why, Some(ProveError::Run { side, error })));
    }

    fn run_case(&mut self, named: &NamedCase, recipe: Recipe) -> Result<Ran, ProveError> {
        let (case, lanes) = (&named.case, lanes(self.original, &named.case.launch));
        let fail = |side| move |error| ProveError::Run { side, error };
        let options = self.options();
        let outcome = match self.plans.0.run_observed(case, &options, &mut self.decisions[0]) {
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
        let port_outcome = match self.plans.1.run_observed(
            &port_case,
            &Options { max_steps: patience, ..options.clone() },
            &mut self.decisions[1],
        ) {
            Ok(outcome) => outcome,
            Err(error @ RunError::StepLimit { .. }) => {
                self.abandon(named, lanes, Side::Port, error);
                return Ok(Ran::Compared(outcome.steps));
            }
            Err(error) => return Err(fail(Side::Port)(error)),
        };
        self.limits.retain(|limit| !limit.0.starts_with(&format!("case {} ", named.number)));
        self.records.retain(|record| record.number != named.number);
        self.coverage.original_steps += outcome.steps;
        self.coverage.port_steps += port_outcome.steps;
        self.gather_events(named, Side::Original, &outcome.events);
        self.gather_events(named, Side::Port, &port_outcome.events);

        let comparison = compare(self.original, self.port, self.binding, (case, &port_case), (&outcome, &port_outcome));
        let plan = &self.plans.0;
        let mut rerun =
            |undefined: UndefinedChoice, schedule: Schedule| plan.run(case, &Options { undefined, schedule, ..options.clone() });
        let outcomes = (&outcome, &port_outcome);
        let classified = classify(self.original, self.binding, case, outcomes, &comparison.differences, &mut rerun)
            .map_err(fail(Side::Original))?;
        drop((outcome.outputs, port_outcome.outputs));

        let before = self.census.total();
        for (output, count) in &comparison.same {
            self.census.add(named.class, output, Verdict::Same, *count);
        }
        let verdicts = || comparison.differences.iter().zip(classified.verdicts.iter().zip(&classified.reordered));
        for (difference, (verdict, reordered)) in verdicts() {
            let output = difference.place.output(self.original, self.binding);
            self.census.add(named.class, &output, *verdict, 1);
            if *reordered {
                self.census.add_reordered(named.class, &output, 1);
            }
        }
        self.census.lanes += lanes;
        self.census.cases += 1;
        let after = self.census.total();
        self.records.push(CaseRecord {
            number: named.number,
            name: named.name.clone(),
            class: named.class,
            lanes,
            words: after.words() - before.words(),
            different: after.different - before.different,
            abandoned: None,
        });
        for wanted in [Verdict::Different, Verdict::NotYetClassified] {
            let of: Vec<Difference> =
                verdicts().filter(|(_, (verdict, _))| **verdict == wanted).map(|(difference, _)| *difference).collect();
            if of.is_empty() {
                continue;
            }
            self.keep_first(named, recipe, &of[0], wanted);
            let different = wanted == Verdict::Different;
            let worst = Worst { recipe, class: named.class, different, differences: of };
            if self.worst.as_ref().is_none_or(|known| worst.rank() > known.rank()) {
                self.worst = Some(worst);
            }
            break;
        }
        Ok(Ran::Compared(outcome.steps))
    }

    fn keep_first(&mut self, named: &NamedCase, recipe: Recipe, difference: &Difference, verdict: Verdict) {
        let better = match &self.first {
            None => true,
            Some((known, _)) => known.verdict != Verdict::Different && verdict == Verdict::Different,
        };
        if better {
            let first = FirstDifference {
                case: named.number,
                lane: difference.place.lane(),
                output: difference.place.name(self.original, self.binding),
                original: difference.original,
                port: difference.port,
                verdict,
            };
            self.first = Some((first, recipe));
        }
    }

    fn gather_events(&mut self, named: &NamedCase, side: Side, events: &[Event]) {
        let program = if side == Side::Original { self.original } else { self.port };
        for event in events {
            let key = (side == Side::Port, format!("{:?}", event.kind), event.origin.line);
            if self.seen_events.len() < 256 && self.seen_events.insert(key) {
                self.events.push(EventRecord {
                    side,
                    kind: format!("{:?}", event.kind),
                    case: named.number,
                    lane: event.lane,
                    line: program.source.line(event.origin).map(|line| line.number),
                    detail: event.detail.clone(),
                });
            }
        }
    }

    fn part(
        &self,
        named: &NamedCase,
        differences: &[Difference],
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<Option<Parting>, ProveError> {
        let locator = Locator::new(self.original, self.port, self.binding);
        let options = Options { max_steps: u64::MAX, races: false, ..Options::default() };
        let failed = std::cell::Cell::new(Side::Original);
        let mut run = |port: bool, case: &Case, observer: &mut dyn Observer| {
            failed.set(if port { Side::Port } else { Side::Original });
            let plan = if port { &self.plans.1 } else { &self.plans.0 };
            plan.run_observed(case, &options, observer).map(|_: Outcome| ())
        };
        let wrap = |error| ProveError::Run { side: failed.get(), error };
        let port_case = self.binding.translate(self.original, self.port, &named.case);
        let pair = CasePair { number: named.number, original: &named.case, port: &port_case };
        let Some(mut located) = locator.locate(&pair, differences, &mut run).map_err(wrap)? else { return Ok(None) };
        locator.count(&mut located, &pair, &mut run).map_err(wrap)?;
        if settings.replay.is_none() {
            let compared: Vec<u32> =
                self.records.iter().filter(|record| record.abandoned.is_none()).map(|record| record.number).collect();
            for number in compared.into_iter().filter(|number| *number != named.number) {
                let case = generator.case(number as usize);
                let port_case = self.binding.translate(self.original, self.port, &case.case);
                let pair = CasePair { number, original: &case.case, port: &port_case };
                locator.count(&mut located, &pair, &mut run).map_err(wrap)?;
            }
        }
        Ok(Some(located.parting))
    }

    /// Finds the conditions that went one way only.
    fn one_sided(&mut self) {
        for (side, program, decisions) in
            [(Side::Original, self.original, &self.decisions[0]), (Side::Port, self.port, &self.decisions[1])]
        {
            for (line, always) in decisions.one_sided() {
                if let Some(line) = program.source.lines.get(line as usize) {
                    let (number, text) = (line.number, line.text.trim().into());
                    self.coverage.one_sided.push(DecisionRecord { side, line: number, text, always });
                }
            }
        }
    }

    /// Finds the outputs that the original can write and no lane did.
    fn unreached(&mut self) {
        let mut expected: BTreeSet<String> = BTreeSet::new();
        let names = resource_names(&self.original.interface);
        for function in &self.original.functions {
            gpuproof_program::walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                match (instruction.op, instruction.attrs.target) {
                    (Op::Output, Target::Output(id, component))
                        if self.binding.outputs.iter().any(|carried| carried.original == (id, component)) =>
                    {
                        expected.insert(output_place(self.original, id, component));
                    }
                    (Op::CounterAlloc | Op::CounterConsume, _) | (_, Target::None) => {}
                    (op, Target::Resource(id)) if op.row().class == Class::Writes => {
                        let word = |counter: &(Counter, Counter)| matches!(counter.0, Counter::Word(word, _) if word == id);
                        if !self.binding.counters.iter().any(word) {
                            expected.insert(names[id.index()].clone());
                        }
                    }
                    _ => {}
                }
            });
        }
        let reached = |name: &String| self.census.outputs.iter().any(|output| output.name == *name);
        self.coverage.outputs_never_reached = expected.into_iter().filter(|name| !reached(name)).collect();
        for name in &self.coverage.outputs_never_reached {
            self.limits.push((format!("no lane of any case wrote {name}"), None));
        }
        if self.census.total().words() == 0 {
            self.limits.push(("nothing was compared".into(), None));
        }
    }
}
