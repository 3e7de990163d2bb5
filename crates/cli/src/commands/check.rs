//! `gpuproof check`.

use super::print;
use super::verify::{progress_bar, show};
use crate::args;
use crate::data::user_inputs;
use crate::failure::{Failure, Status};
use crate::source::read;
use gpuproof_prove::{CheckError, ProveError, Settings, Subject, check};
use gpuproof_report::formulas;

/// Holds formulas against a program.
pub fn run(args: &args::Check) -> Result<Status, Failure> {
    if args.file == "-" && args.formulas == "-" {
        return Err(Failure::bad("only one of the program and the formulas can come from standard input"));
    }
    let ((file, entry), text_file) = (read(&args.file)?.chosen(args.entry.as_deref(), None)?, read(&args.formulas)?);
    let program = file.runnable(entry, &args.given.set)?;
    let name = &text_file.name;
    let text = std::str::from_utf8(&text_file.bytes)
        .map_err(|error| Failure::bad(format!("{name}: offset {:#x}: not a text, expected formulas", error.valid_up_to())))?;
    let mut settings = Settings {
        seed: args.given.seed,
        lanes: args.lanes,
        cases: args.cases as usize,
        edges: !args.finite,
        user: user_inputs(&args.given, &program)?,
        ..Settings::default()
    };
    if let Some(steps) = args.max_steps {
        settings.max_steps = steps;
    }
    let subject = Subject::new(&program, &file.name, &file.bytes);
    let bar = progress_bar(args.json);
    let checked = check(&subject, name, text, &settings, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    let checked = checked.map_err(|error| failure(&file.name, name, error))?;
    print(&if args.json { gpuproof_report::json(&checked) } else { formulas::check(&checked) })?;
    Ok(checked.status.into())
}

fn failure(file: &str, formulas: &str, error: CheckError) -> Failure {
    match error {
        CheckError::Formulas(error) => {
            let message = format!("{formulas}: {error}");
            if error.unsupported { Failure::unsupported(message) } else { Failure::bad(message) }
        }
        CheckError::Prove(ProveError::Run { error, .. }) => Failure::run(file, &error),
        CheckError::Prove(error) => Failure::bad(format!("{file}: {error}")),
    }
}
