//! `gpuproof write`.

use super::verify::{progress_bar, show};
use super::{note, print, write, written_out};
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::read;
use gpuproof_program::Program;
use gpuproof_prove::adequacy::AdequacySettings;
use gpuproof_prove::{Evidence, ProveError, Settings, Subject, verify};
use gpuproof_read::spirv as reader;
use gpuproof_report::written::{Record, Written};
use gpuproof_write::{WriteError, spirv};
use std::io::{IsTerminal, Write};

/// Writes a program in another language, and holds what came out against the original before it hands it out.
pub fn run(args: &args::Write) -> Result<Status, Failure> {
    let (file, entry) = read(&args.subject.file)?.chosen(args.subject.entry.as_deref(), None)?;
    let program = file.runnable(entry, &args.subject.set)?;
    let to_terminal = args.output.is_none() && std::io::stdout().is_terminal();
    if to_terminal {
        return Err(Failure::bad("SPIR-V is binary: name a file (--output out.spv), or send standard output somewhere"));
    }
    let args::Language::Spirv = args.to;
    let module = spirv::write(&program).map_err(|error| failure(&file.name, &error))?;
    let bytes = module.bytes();
    let evidence = match args.unchecked {
        true => None,
        false => Some(check(args, (&program, &file.name, &file.bytes), &bytes)?),
    };
    let status = evidence.as_ref().map_or(Status::Holds, |evidence| evidence.status.into());
    let handed_out = status == Status::Holds;
    if handed_out {
        match &args.output {
            Some(path) => write(path, &bytes)?,
            None => written_out(std::io::stdout().write_all(&bytes))?,
        }
    }
    let bound = |bound: &spirv::Bound| gpuproof_report::written::Bound {
        name: bound.name.clone(),
        counter: bound.counter,
        set: bound.set,
        binding: bound.binding,
    };
    let record = Record {
        language: "spirv".into(),
        output: args.output.clone().filter(|_| handed_out),
        bytes: bytes.len() as u64,
        bindings: module.bindings.iter().map(bound).collect(),
        notes: module.notes.clone(),
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

/// Reads what was written back, and compares.
fn check(args: &args::Write, (program, name, bytes): (&Program, &str, &[u8]), written: &[u8]) -> Result<Evidence, Failure> {
    // The module asks for robustImageAccess2, as its notes say.
    let options = reader::Options { robust_images: true, ..reader::Options::default() };
    let mut port = reader::read(written, &options)
        .map_err(|error| Failure::inconclusive(format!("{name}: what was written cannot be read back: {error}")))?;
    // What is written addresses the same bytes by words.
    port.interface.resources.iter_mut().for_each(|resource| resource.layout = None);
    let settings = Settings {
        seed: args.seed,
        lanes: args.lanes,
        cases: args.cases as usize,
        edges: !args.finite,
        adequacy: Some(AdequacySettings::quick()),
        ..Settings::default()
    };
    let subjects = (Subject::new(program, name, bytes), Subject::new(&port, "written", written));
    let bar = progress_bar(args.json);
    let found = verify(&subjects.0, &subjects.1, &settings, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    found.map(|found| found.evidence).map_err(|error| match &error {
        ProveError::Run { error, .. } => Failure::run(name, error),
        _ => Failure::inconclusive(format!("{name}: what was written cannot be compared: {error}")),
    })
}

fn failure(name: &str, error: &WriteError) -> Failure {
    let message = format!("{name}: {error}");
    match error {
        WriteError::Unsupported { .. } => Failure::unsupported(message),
        WriteError::Internal(_) => Failure::inconclusive(message),
    }
}
