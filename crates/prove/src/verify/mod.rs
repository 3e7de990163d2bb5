//! The whole job.

mod depends;
mod explain;
mod job;
mod measure;
mod orders;
mod part;
mod partial;
mod reach;
mod refactored;
mod show;
mod undefined;

use crate::adequacy::{Adequacy, AdequacySettings, Cover, Grade};
use crate::bind::{BindError, Map};
use crate::cases::{Generator, NamedCase, UserInputs, UserInputsError, check_case};
use crate::compare::{Census, Status};
use crate::evidence::*;
use crate::explain::Explainer;
use crate::locate::Locator;
use crate::measured::{GivenOutputs, MOST_OUTSIDE, Measured, MeasuredRegister, MeasuredResult};
use crate::pictures::{Painter, Pictures};
use depends::Search;
use gpuproof_program::Program;
use gpuproof_program::permission::refactorable;
use gpuproof_run::{Machine, Plan, RunError};
use job::Job;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use show::Distances;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use undefined::OnlyPort;

pub use partial::Partial;

/// One of the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// Results of operations of the original that were measured on some machine and are put in. What is allowed besides is then not looked for: they alone
    /// have to account for what differs.
    pub measured: Vec<MeasuredResult>,
    /// What registers of the original held on some machine, put in likewise; for a case of [`Settings::replay`].
    pub measured_registers: Vec<MeasuredRegister>,
    /// Outputs that were computed elsewhere, in place of running the port, which is then the original itself; for a case of [`Settings::replay`].
    pub given: Option<GivenOutputs>,
    /// Whether to find out which differences are allowed.
    pub explain: bool,
    /// The machines whose results the original and the port take ([`Options::machine`](gpuproof_run::Options::machine)).
    pub machines: [Machine; 2],
    /// Whether the original may be refactored though it does not say so ([`refactorable`]).
    pub refactor: bool,
    /// Whether to look for the place where differing programs part.
    pub locate: bool,
    /// Whether to make [`Pictures`].
    pub pictures: bool,
    /// How much is done to tell what the comparison is worth; nothing where there is none.
    pub adequacy: Option<AdequacySettings>,
    /// For a port that is only meant to compute what the map has.
    pub partial: Option<Partial>,
}

impl Settings {
    /// Whether anything that the programs read is given.
    fn is_given(&self) -> bool {
        self.user != UserInputs::default() || self.replay.is_some() || self.given.is_some()
    }
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
            measured: Vec::new(),
            measured_registers: Vec::new(),
            given: None,
            explain: true,
            refactor: false,
            machines: [Machine::Exact; 2],
            locate: true,
            pictures: false,
            adequacy: None,
            partial: None,
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
    /// What differs is held against what the specifications allow.
    Explaining,
    /// The place where the programs part is being looked for.
    Locating,
    /// Mutants of the original are run, and cases that reach more are looked for.
    Measuring,
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
    /// Outputs that are given in place of a port are not those of the run.
    #[error("the given outputs: {0}")]
    Given(String),
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
    /// The cases that were not generated from the seed: the one that was given, and those that a search added.
    pub kept: Vec<NamedCase>,
    /// What the comparison looks like, where [`Settings::pictures`] asks for it.
    pub pictures: Option<Pictures>,
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
    let free = settings.refactor.then(|| refactorable(original.program)).flatten();
    let original = &Subject { program: free.as_ref().unwrap_or(original.program), ..original.clone() };
    let map = match &settings.map {
        Some(map) => map.clone(),
        None => Map::infer(original.program, port.program)?,
    };
    let binding = map.resolve(original.program, port.program)?;
    let plan = |side, program| Plan::compile(program).map_err(|error| ProveError::Run { side, error });
    let measured = (!settings.measured.is_empty() || !settings.measured_registers.is_empty())
        .then(|| Measured::new(original.program, &settings.measured, &settings.measured_registers))
        .transpose()
        .map_err(|error| ProveError::Run { side: Side::Original, error })?;
    let mut job = Job {
        measured: measured.as_ref(),
        given: settings.given.as_ref(),
        original: original.program,
        port: port.program,
        binding: &binding,
        plans: (plan(Side::Original, original.program)?, plan(Side::Port, port.program)?),
        census: Census::default(),
        distances: Distances::default(),
        painter: None,
        records: Vec::new(),
        events: Vec::new(),
        event_at: BTreeMap::new(),
        search: Search::default(),
        orders: Vec::new(),
        limits: Vec::new(),
        notes: settings.user.short(original.program),
        compared: BTreeMap::new(),
        left_out: BTreeMap::new(),
        only_port: OnlyPort::default(),
        partial: settings.partial.as_ref(),
        within: BTreeMap::new(),
        coverage: Coverage::default(),
        covers: settings.adequacy.as_ref().map(|_| [Cover::of(original.program), Cover::of(port.program)]),
        small: Vec::new(),
        first: None,
        worst: None,
        pending: Vec::new(),
        case_steps: settings.max_steps / settings.cases.max(1) as u64 * 4,
        machines: settings.machines,
    };
    let mut generator = Generator::new(
        original.program,
        port.program,
        &binding,
        &settings.user,
        (settings.seed, settings.lanes, settings.cases),
    )?;
    if settings.pictures {
        job.painter = Some(Painter::new(if settings.replay.is_some() { 1 } else { generator.count() }));
    }
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

    let adequacy = match &settings.adequacy {
        Some(wanted) => Some(job.measure(&mut generator, settings, wanted, progress)?),
        None => None,
    };
    let run_error = |error| ProveError::Run { side: Side::Original, error };
    let locator = Locator::new(original.program, port.program, &binding);
    let mut explainer = Explainer::new(&locator).map_err(run_error)?;
    let (explanation, refactored) = job.explain(&mut explainer, &mut generator, settings, progress)?;
    let mut parting = None;
    if let (true, Some(worst)) = (settings.locate && settings.given.is_none(), job.worst.take()) {
        progress(Progress::Locating);
        explainer.activate(worst.rules.clone());
        let case = match &settings.replay {
            Some(replay) => replay.clone(),
            None => worst.generate(&mut generator),
        };
        parting = job.part((&locator, &explainer), &case, &worst.differences, &mut generator, settings)?;
    }
    let case = job.first.as_ref().map(|(_, first)| match &settings.replay {
        Some(replay) => replay.clone(),
        None => first.generate(&mut generator),
    });
    if let Some(record) = measured.as_ref().map(|measured| measured.record.borrow())
        && !record.outside.is_empty()
    {
        let count = if record.outside.len() == MOST_OUTSIDE {
            format!("{MOST_OUTSIDE} or more")
        } else {
            record.outside.len().to_string()
        };
        job.limits.push((format!("{count} captured results lie outside what the specification allows, see below"), None));
    }
    if free.is_some() {
        job.notes.push("the original was taken for one that may be refactored, though it does not say so".into());
    }
    job.unreached();
    job.only_port_findings();
    let census_status = job.census.status();
    let limited = !job.limits.is_empty();
    let status = if limited && census_status == Status::Holds { Status::Inconclusive } else { census_status };
    let grade = grade(status, &job.census, settings, adequacy.as_ref());
    let evidence = Evidence {
        version: VERSION,
        made_by: concat!("gpuproof ", env!("CARGO_PKG_VERSION")).into(),
        status,
        limits: job.limits.into_iter().map(|limit| limit.0).collect(),
        notes: job.notes.into_iter().chain(Partial::notes(&job.within)).collect(),
        original: original.record(),
        port: port.record(),
        machines: machines(original.program, port.program, settings.machines),
        seed: settings.seed,
        cases: job.records,
        census: job.census,
        distances: job.distances.records(),
        first: job.first.map(|first| first.0),
        explanation,
        refactored,
        measured: measured.as_ref().map(|measured| measured.record.borrow().clone()),
        parting,
        map,
        events: job.events,
        orders: job.orders,
        coverage: job.coverage,
        grade,
        adequacy,
    };
    let kept = job.compared.into_values().filter_map(|(recipe, _)| recipe.kept()).collect();
    Ok(Verification { evidence, case, kept, pictures: job.painter.map(Painter::finish) })
}

fn machines(original: &Program, port: &Program, machines: [Machine; 2]) -> Option<MachineRecords> {
    let record = MachineRecord::new;
    (machines != [Machine::Exact; 2])
        .then(|| MachineRecords { original: record(original, machines[0]), port: record(port, machines[1]) })
}

/// How sure it is that the port does what the original does: see `EVIDENCE.md`.
fn grade(status: Status, census: &Census, settings: &Settings, adequacy: Option<&Adequacy>) -> Option<Grade> {
    if status != Status::Holds {
        return None;
    }
    let total = census.total();
    let same = total.undefined + total.unspecified + total.allowed == 0 && total.schedule == total.reordered;
    let complete = adequacy.is_some_and(Adequacy::is_complete);
    // Mutants run exactly, on all words; cases that were given say nothing of others.
    let exact = settings.machines == [Machine::Exact; 2] && settings.measured.is_empty() && settings.partial.is_none();
    let proven = same && complete && exact && settings.edges && !settings.is_given();
    Some(if proven { Grade::Proven } else { Grade::Observed })
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
