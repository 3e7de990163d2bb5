//! `gpuproof trace`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::read;
use gpuproof_prove::trace::{TraceError, trace, traceable};
use gpuproof_report::formulas;

/// Writes an output as formulas, or lists what there is to trace.
pub fn run(args: &args::Trace) -> Result<Status, Failure> {
    let (file, entry) = read(&args.subject.file)?.chosen(args.subject.entry.as_deref(), None)?;
    let program = file.runnable(entry, &args.subject.set)?;
    let Some(output) = &args.output else {
        let found = traceable(&program);
        print(&if args.json { gpuproof_report::json(&found) } else { formulas::outputs(&found) })?;
        return Ok(Status::Holds);
    };
    let traced = trace(&program, output).map_err(|error| {
        let message = format!("{}: {error}", file.name);
        match error {
            TraceError::Unknown { .. } => Failure::bad(message),
            TraceError::Unsupported { .. } => Failure::unsupported(message),
        }
    })?;
    print(&match (args.json, args.wgsl) {
        (true, _) => gpuproof_report::json(&traced),
        (false, true) => traced.module,
        (false, false) => formulas::trace(&traced),
    })?;
    Ok(Status::Holds)
}
