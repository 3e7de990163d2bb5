//! `gpuproof lint`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::{Content, read};
use gpuproof_prove::lint::{RULES, Report, Rule, Subject, lint};
use gpuproof_read::{dxbc, wgsl};
use gpuproof_report::lint::{Linted, rules};

/// Looks for mistakes in a file's programs, or explains the rules.
pub fn run(args: &args::Lint) -> Result<Status, Failure> {
    if let Some(rule) = args.explain {
        print(&rule.manual())?;
        return Ok(Status::Holds);
    }
    if args.rules {
        print(&if args.json { gpuproof_report::json(&gpuproof_report::lint::list()) } else { rules() })?;
        return Ok(Status::Holds);
    }
    let chosen = chosen(args);
    let name = args.file.as_deref().unwrap_or("-");
    let file = read(name)?;
    let mut linted = Vec::new();
    let mut add = |entry: Option<String>, report: Report| linted.push(Linted { file: file.name.clone(), entry, report });
    match file.content()? {
        Content::Dxbc(container) => {
            let shader = dxbc::Shader::find(&container).map_err(|error| file.dxbc_failure(&error))?;
            // A stage that does not translate still has registers to look at.
            match file.program(args.entry.as_deref(), &args.set) {
                Ok(program) => add(None, lint(&Subject::new(&program, Some(&shader)), &chosen)),
                Err(failure) if failure.status == Status::Unsupported => add(None, lint(&Subject::tokens(&shader), &chosen)),
                Err(failure) => return Err(failure),
            }
        }
        Content::Wgsl(text) => {
            let all = wgsl::entry_points(&text).map_err(|error| file.wgsl_failure(&error))?;
            let entries: Vec<Option<String>> = match (&args.entry, all.len()) {
                (None, 2..) => all.into_iter().map(|entry| Some(entry.name)).collect(),
                (entry, _) => vec![entry.clone()],
            };
            for entry in entries {
                let program = file.program(entry.as_deref(), &args.set)?;
                add(entry, lint(&Subject::new(&program, None), &chosen));
            }
        }
    }
    let found = linted.iter().any(|linted| !linted.report.findings.is_empty());
    print(&if args.json { gpuproof_report::json(&linted) } else { gpuproof_report::lint::text(&linted) })?;
    Ok(if found { Status::Differs } else { Status::Holds })
}

/// The rules that are asked: those that were named or all, without those that are allowed.
fn chosen(args: &args::Lint) -> Vec<&'static Rule> {
    let named = |rules: &[&'static Rule], rule: &Rule| rules.iter().any(|named| named.name == rule.name);
    RULES.iter().filter(|rule| (args.rule.is_empty() || named(&args.rule, rule)) && !named(&args.allow, rule)).collect()
}
