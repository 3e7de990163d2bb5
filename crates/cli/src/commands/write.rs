//! `gpuproof write`.

use super::read_back::{Text, read_back};
use super::verify::{progress_bar, show};
use super::{note, print, write, written_out};
use crate::args::{self, Language};
use crate::failure::{Failure, Status};
use crate::source::{File, read};
use gpuproof_program::Program;
use gpuproof_prove::adequacy::AdequacySettings;
use gpuproof_prove::{Evidence, ProveError, Settings, Subject, verify};
use gpuproof_report::written::{Record, Written};
use gpuproof_write::{Bound, WriteError, spirv, text};
use std::io::{IsTerminal, Write};

/// A program in the language that was asked for.
struct Made {
    bytes: Vec<u8>,
    bindings: Vec<Bound>,
    notes: Vec<String>,
    precise: bool,
}

/// Writes a program in another language, and holds what came out against the original before it hands it out.
pub fn run(args: &args::Write) -> Result<Status, Failure> {
    let (file, entry) = read(&args.subject.file)?.chosen(args.subject.entry.as_deref(), None)?;
    let program = file.runnable(entry, &args.subject.set)?;
    let to_terminal = args.output.is_none() && std::io::stdout().is_terminal();
    if to_terminal && args.to == Language::Spirv {
        return Err(Failure::bad("SPIR-V is binary: name a file (--output out.spv), or send standard output somewhere"));
    }
    if args.recompile.is_some() && !matches!(args.to, Language::Hlsl | Language::Glsl) {
        return Err(Failure::bad("--recompile is for languages that are read back through a compiler: hlsl and glsl"));
    }
    let made = make(&program, args.to).map_err(|error| failure(&file.name, &error))?;
    let (evidence, through) = match args.unchecked {
        true => (None, None),
        false => {
            let (evidence, through) = check(args, &program, &file, &made)?;
            (Some(evidence), through)
        }
    };
    let status = evidence.as_ref().map_or(Status::Holds, |evidence| evidence.status.into());
    let handed_out = status == Status::Holds;
    if handed_out {
        match &args.output {
            Some(path) => write(path, &made.bytes)?,
            None => written_out(std::io::stdout().write_all(&made.bytes))?,
        }
    }
    let bound = |bound: &Bound| gpuproof_report::written::Bound {
        name: bound.name.clone(),
        counter: bound.counter,
        set: bound.set,
        binding: bound.binding,
    };
    let record = Record {
        language: name(args.to).into(),
        output: args.output.clone().filter(|_| handed_out),
        bytes: made.bytes.len() as u64,
        through,
        bindings: made.bindings.iter().map(bound).collect(),
        notes: made.notes.clone(),
    };
    let written = Written { record, evidence };
    if args.json {
        print(&gpuproof_report::json(&written))?;
    } else if args.output.is_some() {
        print(&gpuproof_report::written::text(&written))?;
    } else {
        written.record.notes.iter().for_each(|text| note(text));
    }
    if !handed_out {
        let why = match status {
            Status::Differs => "what was written computes something else, which is a fault of gpuproof",
            _ => "whether what was written computes the same is open",
        };
        note(&format!("{why}; it was not handed out (--unchecked writes it without a check)"));
    }
    Ok(status)
}

fn name(language: Language) -> &'static str {
    match language {
        Language::Spirv => "spirv",
        Language::Wgsl => "wgsl",
        Language::Hlsl => "hlsl",
        Language::Glsl => "glsl",
    }
}

fn make(program: &Program, language: Language) -> Result<Made, WriteError> {
    let language = match language {
        Language::Spirv => {
            let module = spirv::write(program)?;
            return Ok(Made { bytes: module.bytes(), bindings: module.bindings, notes: module.notes, precise: false });
        }
        Language::Wgsl => text::Language::Wgsl,
        Language::Hlsl => text::Language::Hlsl,
        Language::Glsl => text::Language::Glsl,
    };
    let text::Written { text, bindings, notes, precise } = text::write(program, language)?;
    Ok(Made { bytes: text.into_bytes(), bindings, notes, precise })
}

/// Reads what was written back, and compares.
fn check(args: &args::Write, program: &Program, file: &File, made: &Made) -> Result<(Evidence, Option<String>), Failure> {
    let text = Text { language: args.to, bytes: &made.bytes, precise: made.precise };
    let back = read_back(&text, program, file, args.recompile.as_deref())?;
    let settings = Settings {
        seed: args.seed,
        lanes: args.lanes,
        cases: args.cases as usize,
        edges: !args.finite,
        adequacy: Some(AdequacySettings::quick()),
        ..Settings::default()
    };
    let name = &file.name;
    let subjects = (Subject::new(program, name, &file.bytes), Subject::new(&back.program, "written", &made.bytes));
    let bar = progress_bar(args.json);
    let found = verify(&subjects.0, &subjects.1, &settings, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    let evidence = found.map(|found| found.evidence).map_err(|error| match &error {
        ProveError::Run { error, .. } => Failure::run(name, error),
        _ => Failure::inconclusive(format!("{name}: what was written cannot be compared: {error}")),
    })?;
    Ok((evidence, back.through))
}

fn failure(name: &str, error: &WriteError) -> Failure {
    let message = format!("{name}: {error}");
    match error {
        WriteError::Unsupported { .. } => Failure::unsupported(message),
        WriteError::Internal(_) => Failure::inconclusive(message),
    }
}
