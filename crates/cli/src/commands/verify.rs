//! `gpuproof verify`.

mod report;

use super::{print, write};
use crate::args;
use crate::data::{measured, user_inputs};
use crate::failure::{Failure, Status};
use crate::source::{Content, File, read};
use gpuproof_program::{Program, Stage};
use gpuproof_prove::adequacy::AdequacySettings;
use gpuproof_prove::bind::{BindError, Map};
use gpuproof_prove::{Progress, ProveError, Settings, Subject, verify};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// Holds a port against the original.
pub fn run(args: &args::Verify) -> Result<Status, Failure> {
    if args.original == "-" && args.port == "-" {
        return Err(Failure::bad("only one of the two programs can come from standard input"));
    }
    let (original_file, entry) = read(&args.original)?.chosen(args.entry.as_deref(), None)?;
    let original = program(&original_file, entry, &args.given.set, None)?;
    let (port_file, port_entry) = read(&args.port)?.chosen(args.port_entry.as_deref(), Some(original.stage))?;
    let given = measured::is_outputs(&port_file.bytes)
        .then(|| measured::outputs(&port_file.name, &port_file.bytes, &original))
        .transpose()?;
    if given.is_some() && args.case.is_none() && args.only_case.is_none() {
        return Err(Failure::bad(format!("{} is outputs: say of which case (--case, --only-case)", port_file.name)));
    }
    let port = match &given {
        Some(_) => original.clone(),
        None => program(&port_file, port_entry, &args.given.set, Some(original.stage))?,
    };
    if original.stage != port.stage {
        return Err(Failure::bad(format!(
            "{} is a {} program and {} a {} program",
            original_file.name,
            stage(original.stage),
            port_file.name,
            stage(port.stage)
        )));
    }
    let captured = args.captured.as_deref().map(|path| measured::results(path, &original)).transpose()?;
    let (measured, measured_registers) = captured.unwrap_or_default();
    if !measured_registers.is_empty() && args.case.is_none() && args.only_case.is_none() {
        return Err(Failure::bad("what registers held is of the lanes of one case: say of which (--case, --only-case)"));
    }
    let mut settings = Settings {
        seed: args.given.seed,
        lanes: args.lanes,
        cases: args.cases as usize,
        edges: !args.finite,
        map: args.map.as_deref().map(read_map).transpose()?,
        measured,
        measured_registers,
        given,
        user: user_inputs(&args.given, &original)?,
        refactor: args.refactor,
        machines: [args.original_machine, args.machine],
        adequacy: match args.adequacy {
            args::Adequacy::Off => None,
            args::Adequacy::Quick => Some(AdequacySettings::quick()),
            args::Adequacy::Full => Some(AdequacySettings::full()),
        },
        ..Settings::default()
    };
    if let Some(steps) = args.max_steps {
        settings.max_steps = steps;
    }
    if let Some(path) = &args.write_map {
        let (map, open) = match &settings.map {
            Some(map) => (map.clone(), Vec::new()),
            None => Map::infer_part(&original, &port).map_err(|error| prove_failure(&original_file, &port_file, error.into()))?,
        };
        let text =
            toml::to_string_pretty(&map).map_err(|error| Failure::bad(format!("{path}: the map cannot be written: {error}")))?;
        write(path, open_comments(&open) + &text)?;
        if let Some(first) = open.first() {
            return Err(Failure::bad(format!(
                "{} and {} cannot be bound: {first}\nwrote what could be matched to {path}, with what is open as comments: complete it and give it with --map",
                original_file.name, port_file.name
            )));
        }
    }
    let subjects = (
        Subject::new(&original, &original_file.name, &original_file.bytes),
        Subject::new(&port, &port_file.name, &port_file.bytes),
    );
    let case = |option: &str, number: usize, settings: &Settings| {
        let fail = |error| prove_failure(&original_file, &port_file, error);
        if let Some(case) = gpuproof_prove::case(&original, &port, settings, number).map_err(fail)? {
            return Ok(case);
        }
        // The search for cases that reach more comes to the same again.
        let kept = match settings.adequacy {
            Some(_) => verify(&subjects.0, &subjects.1, settings, &mut |_| {}).map_err(fail)?.kept,
            None => Vec::new(),
        };
        let count = kept.iter().map(|case| case.number as usize + 1).max().unwrap_or(0).max(settings.cases);
        let found = kept.into_iter().find(|case| case.number as usize == number);
        found.ok_or_else(|| Failure::bad(format!("{option} {number}: there are {count} cases, numbered from 0")))
    };
    if let Some((number, path)) = &args.save_case {
        write(path, gpuproof_report::json(&case("--save-case", *number, &settings)?))?;
    }
    if let Some(path) = &args.case {
        settings.replay = Some(super::run::saved_case(&original, path)?);
    }
    if let Some(number) = args.only_case {
        settings.replay = Some(case("--only-case", number, &settings)?);
    }
    if let Some(path) = &args.report {
        settings.pictures = true;
        report::check(path)?;
    }
    let bar = progress_bar(args.json);
    let verification = verify(&subjects.0, &subjects.1, &settings, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    let verification = verification.map_err(|error| prove_failure(&original_file, &port_file, error))?;
    let evidence = &verification.evidence;
    print(&if args.json { gpuproof_report::json(evidence) } else { gpuproof_report::evidence::text(evidence, args.show_map) })?;
    if let Some(path) = &args.report {
        report::write(path, args, &verification, (&original_file, &port_file))?;
    }
    Ok(evidence.status.into())
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Hull => "hull",
        Stage::Domain => "domain",
        Stage::Geometry => "geometry",
        Stage::Pixel => "pixel",
        Stage::Compute => "compute",
    }
}

/// The program of a file. Of a file with several entry points and none named, the only one of the wanted stage is taken.
fn program(file: &File, entry: Option<&str>, set: &[(String, f64)], wanted: Option<Stage>) -> Result<Program, Failure> {
    let content = file.content()?;
    // Direct3D has no constants to be set; of a pair the other side takes them.
    if let Content::Dxbc(_) | Content::Data(_) | Content::Effect(_) = content {
        return file.runnable(entry, &[]);
    }
    if let (None, Some(wanted)) = (entry, wanted) {
        let entries = file.entry_points(&content)?;
        let mut fitting = entries.iter().filter(|(_, stage)| *stage == Some(wanted));
        if let (Some((only, _)), None) = (fitting.next(), fitting.next()) {
            return file.runnable(Some(only), set);
        }
    }
    file.runnable(entry, set)
}

/// What has no partner, as comments of a map.
fn open_comments(open: &[BindError]) -> String {
    let mut text = String::new();
    for error in open {
        match error {
            BindError::Unmatched { what, original, port } => {
                text += &format!("# open: {what}\n");
                for (side, names) in [("original", original), ("port", port)] {
                    names.iter().for_each(|name| text += &format!("#   of the {side}: {name}\n"));
                }
            }
            error => text += &format!("# open: {error}\n"),
        }
    }
    if !text.is_empty() {
        text += "\n";
    }
    text
}

fn read_map(path: &str) -> Result<Map, Failure> {
    let bytes = read(path)?.bytes;
    let fail =
        |error: &dyn std::fmt::Display| Failure::bad(format!("{path}: not a binding map (--write-map makes one): {error}"));
    let text = std::str::from_utf8(&bytes).map_err(|error| fail(&error))?;
    toml::from_str(text).map_err(|error| fail(&error))
}

fn prove_failure(original: &File, port: &File, error: ProveError) -> Failure {
    match &error {
        ProveError::Run { side, error } => {
            let file = if *side == gpuproof_prove::Side::Original { original } else { port };
            Failure::run(&file.name, error)
        }
        ProveError::Bind(_) => Failure::bad(format!(
            "{} and {} cannot be bound: {error}\n--write-map FILE writes what could be matched and what is open; complete it and give it with --map",
            original.name, port.name
        )),
        ProveError::Inputs(_) => Failure::bad(format!("{}: {error}", original.name)),
        ProveError::Given(error) => Failure::bad(format!("{}: {error}", port.name)),
    }
}

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg:24} [{bar:30}] {pos}/{len} {elapsed}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

pub(super) fn show(bar: &ProgressBar, progress: Progress) {
    match progress {
        Progress::Comparing { done, of, different } => {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(if different == 0 { "comparing".into() } else { format!("comparing, {different} differ") });
        }
        Progress::Explaining => bar.set_message("finding what is allowed"),
        Progress::Measuring => bar.set_message("trying mutants"),
        Progress::Locating => bar.set_message("finding where they part"),
    }
}
