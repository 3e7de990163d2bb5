//! `gpuproof run`.

use super::{print, write};
use crate::args;
use crate::data::user_inputs;
use crate::failure::{Failure, Status};
use crate::source::read;
use gpuproof_program::Program;
use gpuproof_prove::bind::{Binding, Map};
use gpuproof_prove::cases::{Generator, NamedCase, check_case};
use gpuproof_report::outcome::Report;
use gpuproof_report::values::{self, Recorder};
use gpuproof_run::{EventCount, Options, Plan, RunError, Site};
use serde::Serialize;
use std::collections::BTreeSet;

/// Events that JSON has at most, besides the first of each kind and place.
const EVENTS: usize = 65536;

/// What `run --json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    /// What the lanes gave.
    outcome: &'a Report,
    /// Every value of the first lanes, with `--values`.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [values::Record]>,
}

/// Runs a program on one case.
pub fn run(args: &args::Run) -> Result<Status, Failure> {
    let (file, entry) = read(&args.file)?.chosen(args.entry.as_deref(), None)?;
    let program = file.runnable(entry, &args.given.set)?;
    let named = match &args.case {
        Some(path) => saved_case(&program, path)?,
        None => generated_case(&program, args)?,
    };
    if let Some(path) = &args.save_case {
        write(path, gpuproof_report::json(&named))?;
    }
    let plan = Plan::compile(&program).map_err(|error| Failure::run(&file.name, &error))?;
    let plain = Options {
        max_steps: args.max_steps,
        schedule: args.schedule,
        machine: args.machine,
        max_events: if args.json { EVENTS } else { 0 },
        ..Options::default()
    };
    let sites = match args.undefined_at.as_slice() {
        [] => None,
        lines => Some(sites_at(&plan, &named, &plain, lines).map_err(|error| Failure::run(&file.name, &error))?),
    };
    let options = Options { undefined: args.undefined, sites, ..plain };
    let (outcome, recorded) = if args.values {
        let mut recorder = Recorder::new(&program, args.show as u32);
        let outcome = plan.run_observed(&named.case, &options, &mut recorder);
        (outcome, Some(recorder.finish()))
    } else {
        (plan.run(&named.case, &options), None)
    };
    let outcome = outcome.map_err(|error| Failure::run(&file.name, &error))?;
    let report = Report::new(&program, &outcome, args.machine);
    if args.json {
        let values = recorded.as_ref().map(|(records, _)| records.as_slice());
        print(&gpuproof_report::json(&Printed { outcome: &report, values }))?;
    } else {
        if let Some((records, dropped)) = &recorded {
            print(&values::text(records, *dropped))?;
            print("\n")?;
        }
        print(&report.text(args.show))?;
    }
    Ok(Status::Holds)
}

/// Where choices are made for what is undefined at these lines.
fn sites_at(plan: &Plan, named: &NamedCase, options: &Options, lines: &[u32]) -> Result<Vec<Site>, RunError> {
    let outcome = plan.run(&named.case, options)?;
    let source = &plan.program().source;
    let is_there = |counted: &&EventCount| source.line(counted.origin).is_some_and(|line| lines.contains(&line.number));
    let sites: BTreeSet<Site> = outcome.event_counts.iter().filter(is_there).map(|counted| counted.site).collect();
    Ok(sites.into_iter().collect())
}

/// Reads a saved case and holds it to the program.
pub fn saved_case(program: &Program, path: &str) -> Result<NamedCase, Failure> {
    let bytes = read(path)?.bytes;
    let named: NamedCase = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::bad(format!("{path}: not a saved case (run --save-case and verify --save-case make them): {error}"))
    })?;
    check_case(program, &named.case).map_err(|error| Failure::bad(format!("{path}: does not fit the program: {error}")))?;
    Ok(named)
}

/// Generates what the person did not give.
fn generated_case(program: &Program, args: &args::Run) -> Result<NamedCase, Failure> {
    let user = user_inputs(&args.given, program)?;
    user.short(program).iter().for_each(|note| super::note(&format!("{}: {note}", args.file)));
    let fail = |error: &dyn std::fmt::Display| Failure::bad(format!("{}: {error}", args.file));
    let map = Map::infer(program, program).map_err(|error| fail(&error))?;
    let binding: Binding = map.resolve(program, program).map_err(|error| fail(&error))?;
    let settings = (args.given.seed, args.lanes, 1);
    let generator = Generator::new(program, program, &binding, &user, settings).map_err(|error| fail(&error))?;
    Ok(generator.case(0))
}
