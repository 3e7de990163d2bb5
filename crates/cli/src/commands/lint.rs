//! `gpuproof lint`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::{Content, File, read};
use gpuproof_prove::lint::{RULES, Report, Rule, Subject, lint};
use gpuproof_read::dxbc;
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
    let whole = file.name.clone();
    let mut add = |entry: Option<String>, report: Report| linted.push(Linted { file: whole.clone(), entry, report });
    let content = file.content()?;
    match &content {
        Content::Effect(effect) => {
            for program in &effect.programs {
                let named =
                    args.entry.as_ref().map_or(program.names.first(), |entry| program.names.iter().find(|name| *name == entry));
                let Some(name) = named else { continue };
                add(Some(name.clone()), of_container(&file.part(program, name), None, args, &chosen)?);
            }
            if let Some(entry) = args.entry.as_ref().filter(|_| linted.is_empty()) {
                return Err(Failure::bad(format!("{whole}: the effect has no program '{entry}'")));
            }
        }
        Content::Dxbc(_) | Content::Data(_) => add(None, of_container(&file, args.entry.as_deref(), args, &chosen)?),
        Content::Wgsl(_) | Content::Spirv => {
            let all = file.entry_points(&content)?;
            let entries: Vec<Option<String>> = match (&args.entry, all.len()) {
                (None, 2..) => all.into_iter().map(|(name, _)| Some(name)).collect(),
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

/// Looks for mistakes in a container's program.
fn of_container(file: &File, entry: Option<&str>, args: &args::Lint, rules: &[&'static Rule]) -> Result<Report, Failure> {
    // What does not translate still has registers to look at.
    match (file.program(entry, &args.set), file.content()?) {
        (Ok(program), Content::Dxbc(container)) => Ok(lint(&Subject::new(&program, Some(&shader(file, &container)?)), rules)),
        (Err(failure), Content::Dxbc(container)) if failure.status == Status::Unsupported => {
            Ok(lint(&Subject::tokens(&shader(file, &container)?), rules))
        }
        (Ok(program), _) => Ok(lint(&Subject::new(&program, None), rules)),
        (Err(failure), _) => Err(failure),
    }
}

fn shader(file: &File, container: &dxbc::Container) -> Result<dxbc::Shader, Failure> {
    dxbc::Shader::find(container).map_err(|error| file.dxbc_failure(&error))
}

/// The rules that are asked: those that were named or all, without those that are allowed.
fn chosen(args: &args::Lint) -> Vec<&'static Rule> {
    let named = |rules: &[&'static Rule], rule: &Rule| rules.iter().any(|named| named.name == rule.name);
    RULES.iter().filter(|rule| (args.rule.is_empty() || named(&args.rule, rule)) && !named(&args.allow, rule)).collect()
}
