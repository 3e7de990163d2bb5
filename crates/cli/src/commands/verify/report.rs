//! `--report`.

use crate::args;
use crate::failure::Failure;
use crate::source::File;
use gpuproof_prove::Verification;
use gpuproof_report::html::{ListingLine, Page, page, quoted};
use std::path::Path;

/// Options that say where results go or which case is taken, each with whether a value follows.
const LEFT_OUT: &[(&str, bool)] = &[
    ("--report", true),
    ("--json", false),
    ("--show-map", false),
    ("--write-map", true),
    ("--save-case", true),
    ("--only-case", true),
];

/// Refuses a place that cannot be written before the work is done.
pub fn check(path: &str) -> Result<(), Failure> {
    let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        _ if Path::new(path).is_dir() => Err(Failure::bad(format!("{path}: cannot be written: it is a folder, expected a file"))),
        Some(folder) if !folder.is_dir() => {
            Err(Failure::bad(format!("{path}: cannot be written: there is no folder {}", folder.display())))
        }
        _ => Ok(()),
    }
}

/// Writes the page.
pub fn write(path: &str, args: &args::Verify, verification: &Verification, files: (&File, &File)) -> Result<(), Failure> {
    let listing = |file: &File| -> Result<Vec<ListingLine>, Failure> {
        let lines = file.listing()?.into_iter().filter(|line| !line.is_comment);
        Ok(lines.map(|line| ListingLine { number: line.number, text: line.text.trim_end().into() }).collect())
    };
    let (original, port) = (listing(files.0)?, listing(files.1)?);
    let command = command(args, std::env::args().skip(2));
    let text = page(&Page {
        evidence: &verification.evidence,
        pictures: verification.pictures.as_ref(),
        listings: (&original, &port),
        command: &command,
        run: &run(args),
        saved: args.case.is_some(),
    });
    super::write(path, &text)
}

/// The command that gives the same Evidence, from the words behind `gpuproof verify`. The files come first, since some options take all words that follow.
fn command(args: &args::Verify, words: impl Iterator<Item = String>) -> String {
    let mut kept = vec!["gpuproof".to_string(), "verify".into(), quoted(&args.original), quoted(&args.port)];
    let mut files = vec![&args.original, &args.port];
    let mut words = words.peekable();
    let mut value_of_option = false;
    while let Some(word) = words.next() {
        if let Some((_, value)) = LEFT_OUT.iter().find(|(name, _)| *name == word) {
            if *value {
                words.next();
            }
            value_of_option = false;
        } else if LEFT_OUT.iter().any(|(name, value)| *value && word.starts_with(&format!("{name}="))) {
            value_of_option = false;
        } else if let Some(at) = files.iter().position(|file| **file == word && !value_of_option) {
            files.remove(at);
        } else if word != "--" {
            value_of_option = word.starts_with("--") && !word.contains('=');
            kept.push(quoted(&word));
        }
    }
    kept.join(" ")
}

/// The command that runs the original.
fn run(args: &args::Verify) -> String {
    let mut words = vec!["gpuproof".to_string(), "run".into(), quoted(&args.original)];
    if let Some(entry) = &args.entry {
        words.extend(["--entry".into(), quoted(entry)]);
    }
    for (name, value) in &args.given.set {
        words.extend(["--set".into(), quoted(&format!("{name}={value}"))]);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn command_of(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let Command::Verify(args) = Cli::parse_from(&words).command else { panic!("a verify command") };
        command(&args, words.into_iter().skip(2))
    }

    #[test]
    fn what_says_where_results_go_is_left_out_and_the_files_come_first() {
        let given =
            "gpuproof verify --seed 7 --report out.html a.dxbc b.wgsl --json --bind t0=x.dds b0=y.bin --save-case=3=c.json";
        assert_eq!(command_of(given), "gpuproof verify a.dxbc b.wgsl --seed 7 --bind t0=x.dds b0=y.bin");
        let given = "gpuproof verify a b --entry a --port-entry b --only-case 3";
        assert_eq!(command_of(given), "gpuproof verify a b --entry a --port-entry b");
    }

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(["a.dxbc", "a b", "it's", ""].map(quoted), ["a.dxbc", "'a b'", r"'it'\''s'", "''"]);
    }
}
