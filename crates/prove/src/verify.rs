//! The whole job.

use crate::bind::{BindError, Binding, Counter, Map, output_place, resource_names};
use crate::cases::{CaseClass, Generator, NamedCase, UserInputs, UserInputsError, check_case, lanes};
use crate::compare::{Census, Comparison, Difference, PortOnly, Status, Verdict, classify, compare, port_only};
use crate::decisions::Decisions;
use crate::evidence::*;
use crate::locate::{CasePair, Locator, Parting};
use gpuproof_program::{Class, Node, Op, Program, Target};
use gpuproof_run::{Case, Event, EventKind, Observer, Options, Outcome, Plan, RunError, Schedule, UndefinedChoice};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
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
        notes: Vec::new(),
        compared: BTreeMap::new(),
        left_out: BTreeMap::new(),
        only_port: OnlyPort::default(),
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
    job.only_port_findings();
    job.one_sided();
    let census_status = job.census.status();
    let limited = !job.limits.is_empty();
    let status = if limited && census_status == Status::Holds { Status::Inconclusive } else { census_status };
    let evidence = Evidence {
        version: VERSION,
        made_by: concat!("gpuproof ", env!("CARGO_PKG_VERSION")).into(),
        status,
        limits: job.limits.into_iter().map(|limit| limit.0).collect(),
        notes: job.notes,
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
    notes: Vec<String>,
    /// How each case that was compared is made again, and the steps that the original and the port took.
    compared: BTreeMap<u32, (Recipe, [u64; 2])>,
    /// By resource, a word that the original writes and for which nothing of the port stands.
    left_out: BTreeMap<String, String>,
    only_port: OnlyPort,
    coverage: Coverage,
    /// The original's and the port's.
    decisions: [Decisions; 2],
    first: Option<(FirstDifference, Recipe)>,
    worst: Option<Worst>,
    case_steps: u64,
}

/// What the port leaves undefined and the original does not.
#[derive(Default)]
struct OnlyPort {
    /// By kind and line, where it happened first.
    events: BTreeMap<(EventKind, u32), (u32, Event)>,
    /// Words that depend on it.
    words: u64,
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
            // The lanes of the first attempt that did not end.
            let mut stopped = None;
            generator.set_lanes(settings.lanes);
            let asked = lanes(self.original, &generator.launch(number));
            for attempt in 0..3 {
                generator.set_lanes(total);
                let case = generator.case(number);
                let lanes = lanes(self.original, &case.case.launch);
                match self.run_case(&case, Recipe { number, lanes: total })? {
                    Ran::Compared(steps) => {
                        if let Some(record) = self.records.last_mut().filter(|_| lanes < asked) {
                            record.lanes_asked = Some(asked);
                        }
                        // Lanes that are left out because all of them take long are no limit, lanes that do not end are.
                        let all = (steps / lanes.max(1)).saturating_mul(stopped.unwrap_or(0));
                        if let Some(stopped) = stopped.filter(|_| all < self.case_steps / 2) {
                            let of = format!("case {number} ({}): compared on {lanes} of {stopped} lanes", case.name);
                            self.limits.push((format!("{of}: the original did not end on all of them"), None));
                        }
                        // Take fewer lanes when the rest would go over the budget.
                        let expected = steps.saturating_mul((count - number) as u64);
                        let left = settings.max_steps.saturating_sub(self.coverage.original_steps).max(1);
                        if expected > left.saturating_mul(2) && lanes > 64 {
                            total = (total / (expected / left).max(2)).max(count as u64 * 64);
                        }
                        break;
                    }
                    Ran::OutOfSteps if attempt < 2 && lanes > 64 => {
                        stopped.get_or_insert(lanes);
                        total = (total / 16).max(count as u64 * 16);
                    }
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
        // Enough events that none of a kind hide those of another.
        Options { max_steps: self.case_steps, max_events: 1024, ..Options::default() }
    }

    fn abandon(&mut self, case: &NamedCase, lanes: u64, side: Side, error: RunError) {
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

        self.compared.insert(named.number, (recipe, [outcome.steps, port_outcome.steps]));
        let mut comparison = compare(self.original, self.port, self.binding, (case, &port_case), (&outcome, &port_outcome));
        self.left_out.extend(std::mem::take(&mut comparison.left_out));
        let plan = &self.plans.0;
        let mut rerun =
            |undefined: UndefinedChoice, schedule: Schedule| plan.run(case, &Options { undefined, schedule, ..options.clone() });
        let outcomes = (&outcome, &port_outcome);
        let classified = classify(self.original, self.binding, case, outcomes, &comparison.differences, &mut rerun)
            .map_err(fail(Side::Original))?;
        let mut only_port = PortOnly::default();
        if port_outcome.event_count > 0 {
            let mut rerun = |side: Side, undefined: UndefinedChoice, schedule: Schedule| match side {
                Side::Original => self.plans.0.run(case, &Options { undefined, schedule, ..options.clone() }),
                Side::Port => {
                    self.plans.1.run(&port_case, &Options { undefined, schedule, max_steps: patience, ..options.clone() })
                }
            };
            let (programs, cases) = ((self.original, self.port), (case, &port_case));
            only_port = port_only(programs, self.binding, cases, &outcome, &comparison.differences, &mut rerun)
                .map_err(fail(Side::Port))?;
            self.gather_only_port(named.number, (&outcome, &port_outcome), &only_port);
        }
        drop((outcome.outputs, port_outcome.outputs));

        let before = self.census.total();
        self.count_only_port(named.class, &only_port.differences, &mut comparison);
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
            lanes_asked: None,
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
        if let Some(difference) = only_port.differences.first() {
            self.keep_first(named, recipe, difference, Verdict::Different);
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

    /// Counts words that change in the port alone; they are not the same, though without other choices they were.
    fn count_only_port(&mut self, class: CaseClass, differences: &[Difference], comparison: &mut Comparison) {
        for difference in differences {
            let output = difference.place.output(self.original, self.binding);
            if let Some(same) = comparison.same.get_mut(&output) {
                *same = same.saturating_sub(1);
            }
            self.census.add(class, &output, Verdict::Different, 1);
        }
    }

    /// Remembers what the port left undefined in a case: what the original did not, or all of it where a word depends on it.
    fn gather_only_port(&mut self, case: u32, (outcome, port_outcome): (&Outcome, &Outcome), found: &PortOnly) {
        let depends = found.endless || !found.differences.is_empty();
        let original: BTreeSet<EventKind> = outcome.events.iter().map(|event| event.kind).collect();
        for event in port_outcome.events.iter().filter(|event| depends || !original.contains(&event.kind)) {
            let place = (event.kind, event.origin.line);
            if self.only_port.events.len() < 256 || self.only_port.events.contains_key(&place) {
                self.only_port.events.entry(place).or_insert_with(|| (case, event.clone()));
            }
        }
        self.only_port.words += found.differences.len() as u64;
        if found.endless {
            let why = format!("case {case}: the port does not end when what it leaves undefined is chosen otherwise");
            self.limits.push((why, None));
        }
    }

    /// States what the port alone leaves undefined: words that depend on it are different, and a program that may go wrong between its lanes
    /// proves nothing; an access out of range that no word depends on is only told.
    fn only_port_findings(&mut self) {
        let found = std::mem::take(&mut self.only_port);
        let text = |((kind, _), (case, event)): (&(EventKind, u32), &(u32, Event))| {
            let line = self.port.source.line(event.origin);
            let line = line.map_or_else(String::new, |line| format!(" at line {} `{}`", line.number, line.text.trim()));
            let detail = if event.detail.is_empty() { String::new() } else { format!(": {}", event.detail) };
            format!("{kind:?}{line} (case {case} lane {}{detail})", event.lane)
        };
        let list = |all: &[String]| {
            let rest = if all.len() > 3 { format!(" and {} more", all.len() - 3) } else { String::new() };
            format!("{}{rest}", all.iter().take(3).cloned().collect::<Vec<_>>().join("; "))
        };
        if found.words > 0 {
            let all: Vec<String> = found.events.iter().map(text).collect();
            let why = format!("{} words depend on what only the port leaves undefined: {}", found.words, list(&all));
            self.limits.push((why, None));
            return;
        }
        let between_lanes = |kind| matches!(kind, EventKind::Race | EventKind::DivergentBarrier);
        let (serious, others): (Vec<_>, Vec<_>) = found.events.iter().partition(|event| between_lanes(event.0.0));
        let texts = |events: Vec<_>| events.into_iter().map(text).collect::<Vec<String>>();
        for (texts, serious) in [(texts(serious), true), (texts(others), false)] {
            let what = format!("only the port has {}; no word was seen to depend on it", list(&texts));
            match (texts.is_empty(), serious) {
                (true, _) => {}
                (false, true) => self.limits.push((what, None)),
                (false, false) => self.notes.push(what),
            }
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

    /// Finds where the programs part on a case, with not many more steps than it took to compare.
    fn part(
        &mut self,
        named: &NamedCase,
        differences: &[Difference],
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<Option<Parting>, ProveError> {
        let locator = Locator::new(self.original, self.port, self.binding);
        let failed = std::cell::Cell::new(Side::Original);
        let number = std::cell::Cell::new(named.number);
        let mut run = |port: bool, case: &Case, observer: &mut dyn Observer| {
            failed.set(if port { Side::Port } else { Side::Original });
            let plan = if port { &self.plans.1 } else { &self.plans.0 };
            let steps = self.compared.get(&number.get()).map_or(0, |compared| compared.1[usize::from(port)]);
            // What is looked at may be computed on more lanes than otherwise.
            let max_steps = steps.saturating_mul(8).saturating_add(1_000_000);
            let options = Options { max_steps, races: false, ..Options::default() };
            plan.run_observed(case, &options, observer).map(|_: Outcome| ())
        };
        let wrap = |error| ProveError::Run { side: failed.get(), error };
        let port_case = self.binding.translate(self.original, self.port, &named.case);
        let pair = CasePair { number: named.number, original: &named.case, port: &port_case };
        let mut located = match locator.locate(&pair, differences, &mut run) {
            Ok(Some(located)) => located,
            Ok(None) => return Ok(None),
            Err(error @ RunError::StepLimit { .. }) => {
                self.notes.push(format!("where they part was not found: the {} {error}", failed.get()));
                return Ok(None);
            }
            Err(error) => return Err(wrap(error)),
        };
        match locator.count(&mut located, &pair, &mut run) {
            Ok(()) | Err(RunError::StepLimit { .. }) => {}
            Err(error) => return Err(wrap(error)),
        }
        if settings.replay.is_none() {
            for (at, (recipe, _)) in self.compared.iter().filter(|compared| *compared.0 != named.number) {
                number.set(*at);
                let case = recipe.generate(generator);
                let port_case = self.binding.translate(self.original, self.port, &case.case);
                let pair = CasePair { number: *at, original: &case.case, port: &port_case };
                match locator.count(&mut located, &pair, &mut run) {
                    Ok(()) | Err(RunError::StepLimit { .. }) => {}
                    Err(error) => return Err(wrap(error)),
                }
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

    /// Finds the outputs that the original can write and no lane did, and those that the map leaves out.
    fn unreached(&mut self) {
        let (mut expected, mut left_out) = (BTreeSet::new(), BTreeSet::new());
        let bound = |id| self.binding.resources.iter().any(|joined| joined.original == id);
        let names = resource_names(&self.original.interface);
        for function in &self.original.functions {
            gpuproof_program::walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                match (instruction.op, instruction.attrs.target) {
                    (Op::Output, Target::Output(id, component)) => {
                        let bound = self.binding.outputs.iter().any(|carried| carried.original == (id, component));
                        let name = output_place(self.original, id, component);
                        if bound {
                            expected.insert(name)
                        } else {
                            left_out.insert(name)
                        };
                    }
                    (Op::CounterAlloc | Op::CounterConsume, Target::Resource(id)) => {
                        let bound = self.binding.counters.iter().any(|counter| counter.0 == Counter::Hidden(id));
                        left_out.extend((!bound).then(|| format!("counter of {}", names[id.index()])));
                    }
                    (op, Target::Resource(id)) if op.row().class == Class::Writes => {
                        let word = |counter: &(Counter, Counter)| matches!(counter.0, Counter::Word(word, _) if word == id);
                        let name = names[id.index()].clone();
                        if bound(id) {
                            expected.insert(name);
                        } else if !self.binding.counters.iter().any(word) {
                            left_out.insert(name);
                        }
                    }
                    _ => {}
                }
            });
        }
        for name in left_out {
            self.limits.push((format!("the map leaves out {name}, which the original writes"), None));
        }
        for name in self.left_out.values() {
            self.limits.push((format!("nothing in the port stands for {name}, which the original writes"), None));
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
