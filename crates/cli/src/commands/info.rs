//! `gpuproof info`.

use super::print;
use crate::args;
use crate::failure::{Failure, Status};
use crate::source::{Content, read};
use gpuproof_program::Stage;
use gpuproof_read::dxbc;
use gpuproof_report::info::{EntryPoint, Info};

/// Describes a file.
pub fn run(args: &args::Info) -> Result<Status, Failure> {
    let file = read(&args.subject.file)?;
    let file = match &args.subject.entry {
        Some(entry) => file.chosen(Some(entry), None)?.0,
        None => file,
    };
    let content = file.content()?;
    let mut info = Info { file: file.name.clone(), bytes: file.bytes.len(), ..Info::default() };
    match content {
        Content::Dxbc(container) => {
            info.language = "dxbc".into();
            let shader = dxbc::Shader::find(&container).map_err(|error| file.dxbc_failure(&error))?;
            info.target = shader.target().to_string();
            info.lines = dxbc::listing(&shader).iter().filter(|line| line.number.is_some()).count();
            info.describe_container(&container).map_err(|error| file.dxbc_failure(&error))?;
            match dxbc::program(&container) {
                Ok(program) => info.describe(&program),
                Err(error) => info.notes.push(format!("it does not run: {error}")),
            }
        }
        Content::Data(container) => {
            info.language = "dxbc".into();
            info.target = "without a program".into();
            info.describe_container(&container).map_err(|error| file.dxbc_failure(&error))?;
        }
        Content::Effect(effect) => {
            info.language = "dxbc".into();
            info.target = format!("effect {}", effect.version);
            if dxbc::Container::is_container(&file.bytes) {
                let container = dxbc::Container::parse(&file.bytes).map_err(|error| file.dxbc_failure(&error))?;
                info.describe_container(&container).map_err(|error| file.dxbc_failure(&error))?;
            }
            let target = |program: &dxbc::EffectProgram| {
                file.target_of(program).map_or_else(|| "unreadable".into(), |target| target.to_string())
            };
            info.describe_effect(&effect, target);
            info.notes.push("choose a program with --entry to see its interface".into());
        }
        Content::Wgsl(_) | Content::Spirv => {
            info.language = if let Content::Spirv = content { "spirv" } else { "wgsl" }.into();
            info.lines = file.listing()?.len();
            let entries = file.entry_points(&content)?;
            let stage = |stage: &Option<Stage>| match stage {
                Some(stage) => format!("{stage:?}").to_lowercase(),
                None => "a stage that does not run".into(),
            };
            info.entry_points = entries
                .iter()
                .map(|(name, of)| EntryPoint { name: name.clone(), stage: stage(of), ..EntryPoint::default() })
                .collect();
            let chosen = match (&args.subject.entry, entries.as_slice()) {
                (Some(name), _) => Some(name.clone()),
                (None, [(only, _)]) => Some(only.clone()),
                _ => None,
            };
            match chosen {
                Some(name) => {
                    info.describe(&file.program(Some(&name), &args.subject.set)?);
                    info.target = format!("entry point {name}");
                }
                None => {
                    info.target = format!("with {} entry points", entries.len());
                    info.notes.push("choose an entry point with --entry to see its interface".into());
                }
            }
        }
    }
    print(&if args.json { gpuproof_report::json(&info) } else { info.text() })?;
    Ok(Status::Holds)
}
