//! The command line: reads files, calls the rooms, prints what `report` makes of their results, and says by its exit status what came of it.

mod args;
mod commands;
mod data;
mod failure;
mod source;

use clap::Parser;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and versions go to standard output with status 0, wrong arguments to standard error with status 2.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { failure::Status::BadInput as u8 } else { 0 });
        }
    };
    let result = match &cli.command {
        args::Command::Info(args) => commands::info::run(args),
        args::Command::Extract(args) => commands::extract::run(args),
        args::Command::List(args) => commands::list::run(args),
        args::Command::Lint(args) => commands::lint::run(args),
        args::Command::Run(args) => commands::run::run(args),
        args::Command::Trace(args) => commands::trace::run(args),
        args::Command::Check(args) => commands::check::run(args),
        args::Command::Verify(args) => commands::verify::run(args),
        args::Command::Write(args) => commands::write::run(args),
    };
    match result {
        Ok(status) => status.into(),
        Err(Failure { status, message }) => {
            let style = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
            let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {message}");
            status.into()
        }
    }
}
