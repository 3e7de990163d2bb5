//! What was written, read back: by a reader, or through a compiler that the user has.

use crate::args::Language;
use crate::failure::Failure;
use crate::source::{Content, File};
use gpuproof_program::{Choice, Denormals, Dialect, Node, Program, Stage, Width, walk_mut};
use gpuproof_read::{dxbc, spirv, wgsl};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler of each language that no reader takes as text, with what a user may call it.
fn compilers(language: Language) -> &'static [&'static str] {
    match language {
        Language::Hlsl => &["fxc", "dxc"],
        Language::Glsl => &["glslangValidator", "glslang"],
        Language::Spirv | Language::Wgsl => &[],
    }
}

/// What is read back of what was written, and the compiler that it went through.
pub(super) struct Back {
    pub(super) program: Program,
    pub(super) through: Option<String>,
}

/// What was written.
pub(super) struct Text<'t> {
    pub(super) language: Language,
    pub(super) bytes: &'t [u8],
    /// Whether the compiler has to keep every product and sum as it is.
    pub(super) precise: bool,
}

/// Reads back what was written of a program of `file`.
pub(super) fn read_back(text: &Text<'_>, original: &Program, file: &File, compiler: Option<&str>) -> Result<Back, Failure> {
    let unread = |error: &dyn std::fmt::Display| {
        Failure::inconclusive(format!("{}: what was written cannot be read back: {error}", file.name))
    };
    let (mut program, through) = match text.language {
        Language::Spirv => (module(text.bytes).map_err(|error| unread(&error))?, None),
        Language::Wgsl => {
            let written = String::from_utf8_lossy(text.bytes);
            (wgsl::read(&written, &wgsl::Options::default()).map_err(|error| unread(&error))?, None)
        }
        Language::Hlsl | Language::Glsl => {
            let compiler = found(text.language, compiler, &file.name)?;
            let bytes = compiled(text, original, file, &compiler)?;
            let program = match dxbc::Container::is_container(&bytes) {
                true => dxbc::Container::parse(&bytes)
                    .and_then(|container| dxbc::program(&container))
                    .map_err(|error| unread(&error))?,
                false => module(&bytes).map_err(|error| unread(&error))?,
            };
            (program, Some(compiler.display().to_string()))
        }
    };
    // What is written addresses the same bytes by words.
    program.interface.resources.iter_mut().for_each(|resource| resource.layout = None);
    if original.dialect == Dialect::D3D11 && program.dialect != Dialect::D3D11 && text.language != Language::Spirv {
        flush(&mut program);
    }
    Ok(Back { program, through })
}

/// A module asks for robustImageAccess2, as its notes say.
fn module(bytes: &[u8]) -> Result<Program, spirv::Error> {
    spirv::read(bytes, &spirv::Options { robust_images: true, ..spirv::Options::default() })
}

/// Takes a device that flushes subnormal floats, as Direct3D does: these languages leave it to the device.
fn flush(program: &mut Program) {
    for function in &mut program.functions {
        let widths = function.values.clone();
        walk_mut(&mut function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            let first = instruction.args.first().or(instruction.results.first());
            let single = first.is_some_and(|value| widths[value.index()] == Width::W32);
            if single && instruction.op.choices().contains(&Choice::Denormals) {
                instruction.attrs.rules.denormals = Denormals::Flush;
            }
        });
    }
}

/// The compiler that was named, or one of those that a search along PATH finds.
fn found(language: Language, named: Option<&str>, file: &str) -> Result<PathBuf, Failure> {
    if let Some(named) = named {
        return Ok(PathBuf::from(named));
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let all = compilers(language).iter().flat_map(|name| std::env::split_paths(&paths).map(move |folder| folder.join(name)));
    all.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let names = compilers(language).join(" nor ");
        Failure::inconclusive(format!(
            "{file}: what was written was not held against it, since neither {names} is in PATH to compile it (--recompile names a compiler, --unchecked writes without a check)"
        ))
    })
}

/// A folder of its own, which goes when it is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the compiler over what was written.
fn compiled(text: &Text<'_>, original: &Program, file: &File, compiler: &Path) -> Result<Vec<u8>, Failure> {
    let folder = Folder(std::env::temp_dir().join(format!("gpuproof-{}", std::process::id())));
    let failed = |what: String| Failure::inconclusive(format!("{}: what was written was not held against it: {what}", file.name));
    std::fs::create_dir_all(&folder.0).map_err(|error| failed(format!("{}: {error}", folder.0.display())))?;
    let extension = if text.language == Language::Hlsl { "hlsl" } else { "glsl" };
    let (from, to) = (folder.0.join(format!("written.{extension}")), folder.0.join("written.bin"));
    std::fs::write(&from, text.bytes).map_err(|error| failed(format!("{}: {error}", from.display())))?;
    let mut command = Command::new(compiler);
    match text.language {
        Language::Hlsl => {
            let dxc = compiler.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("dxc"));
            command.args(["-nologo", "-E", "main", "-T", &profile(original, file, dxc)]);
            if dxc {
                command.args(["-spirv", "-fvk-use-dx-position-w", "-HV", "2018"]);
            }
            if text.precise {
                command.arg("-Gis");
            }
            command.arg("-Fo").arg(&to).arg(&from);
        }
        _ => {
            let stage = match original.stage {
                Stage::Vertex => "vert",
                Stage::Pixel => "frag",
                _ => "comp",
            };
            command.args(["-V", "--target-env", "vulkan1.2", "-S", stage, "-o"]).arg(&to).arg(&from);
        }
    }
    let output = command.output().map_err(|error| failed(format!("{} cannot be started: {error}", compiler.display())))?;
    if !output.status.success() {
        let said = [&output.stderr[..], &output.stdout[..]].map(|bytes| String::from_utf8_lossy(bytes).trim().to_string());
        let said: Vec<&str> = said.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()).take(8).collect();
        return Err(failed(format!("{} refuses it ({})\n  {}", compiler.display(), output.status, said.join("\n  "))));
    }
    std::fs::read(&to).map_err(|error| failed(format!("{} made no file: {error}", compiler.display())))
}

/// The profile to compile for: the original's own where it is Direct3D's.
fn profile(original: &Program, file: &File, dxc: bool) -> String {
    let stage = match original.stage {
        Stage::Vertex => "vs",
        Stage::Pixel => "ps",
        _ => "cs",
    };
    if dxc {
        return format!("{stage}_6_0");
    }
    let own = match file.content() {
        Ok(Content::Dxbc(container)) => dxbc::Shader::find(&container).ok().map(|shader| shader.target().to_string()),
        _ => None,
    };
    own.unwrap_or_else(|| format!("{stage}_5_0"))
}
