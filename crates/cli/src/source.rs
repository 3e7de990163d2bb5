//! Files of programs: read, recognised by content, and made into programs.

use crate::failure::Failure;
use gpuproof_program::{Program, Stage, validate};
use gpuproof_read::{dxbc, spirv, wgsl};
use gpuproof_report::listing::{self, Line};
use std::io::Read;

/// Files larger than this are refused: no compiled program comes near it.
const MAX_FILE: u64 = 256 << 20;

/// A file that was read.
pub struct File {
    /// Its name as it was given; `<stdin>` for `-`.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// What a file was recognised as.
pub enum Content {
    /// A DXBC container with SM 4 or 5 code.
    Dxbc(dxbc::Container),
    /// A DXBC container without code that is no effect.
    Data(dxbc::Container),
    /// An effect, which holds programs.
    Effect(dxbc::Effect),
    /// A SPIR-V module.
    Spirv,
    /// WGSL text.
    Wgsl(String),
}

/// Reads a file, or standard input for `-`.
pub fn read(path: &str) -> Result<File, Failure> {
    read_up_to(path, MAX_FILE)
}

/// Reads a file of at most so many bytes, or standard input for `-`.
pub fn read_up_to(path: &str, most: u64) -> Result<File, Failure> {
    let mut bytes = Vec::new();
    let name = if path == "-" { "<stdin>".to_string() } else { path.to_string() };
    let copied = if path == "-" {
        std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
    };
    copied.map_err(|error| Failure::bad(format!("{name}: cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(Failure::bad(format!("{name}: larger than {most} bytes, expected a compiled program or a text")));
    }
    Ok(File { name, bytes })
}

impl File {
    /// Tells by its contents what the file is.
    pub fn content(&self) -> Result<Content, Failure> {
        let name = &self.name;
        if self.bytes.is_empty() {
            return Err(Failure::bad(format!("{name}: empty, expected a DXBC container, a SPIR-V module or WGSL text")));
        }
        if dxbc::Container::is_container(&self.bytes) {
            let container = dxbc::Container::parse(&self.bytes).map_err(|error| self.dxbc_failure(&error))?;
            if container.find(&[b"SHDR", b"SHEX"]).is_some() {
                return Ok(Content::Dxbc(container));
            }
            if let Some(part) = container.find(&[b"DXIL"]) {
                return Err(Failure::unsupported(format!("{name}: offset {:#x}: DXIL (SM 6) is not read yet", part.offset())));
            }
            return Ok(match dxbc::Effect::find(&container).map_err(|error| self.dxbc_failure(&error))? {
                Some(effect) => Content::Effect(effect),
                None => Content::Data(container),
            });
        }
        if dxbc::Effect::is_effect(&self.bytes) {
            return Ok(Content::Effect(dxbc::Effect::parse(&self.bytes).map_err(|error| self.dxbc_failure(&error))?));
        }
        if spirv::is_module(&self.bytes) {
            return Ok(Content::Spirv);
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if !text.contains('\0') => Ok(Content::Wgsl(text.to_string())),
            Ok(_) => Err(Failure::bad(format!(
                "{name}: a binary of no known kind, expected a DXBC container, a SPIR-V module or WGSL text"
            ))),
            Err(error) => Err(Failure::bad(format!(
                "{name}: offset {:#x}: neither a DXBC container (magic 'DXBC') nor a SPIR-V module nor UTF-8 text, found {:02x?}",
                error.valid_up_to(),
                &self.bytes[..self.bytes.len().min(4)]
            ))),
        }
    }

    /// Of an effect the program of this name as a file of its own: left out, the only one, or the only one of the wanted stage. Any
    /// other file as it is, with the entry point to look for in it.
    pub fn chosen(self, entry: Option<&str>, wanted: Option<Stage>) -> Result<(File, Option<&str>), Failure> {
        let looks_like_one = dxbc::Effect::is_effect(&self.bytes) || dxbc::Container::is_container(&self.bytes);
        let Some(Content::Effect(effect)) = looks_like_one.then(|| self.content()).transpose()? else {
            return Ok((self, entry));
        };
        let name = &self.name;
        let program = match entry {
            Some(entry) => effect.program(entry).ok_or_else(|| {
                Failure::bad(format!("{name}: the effect has no program '{entry}', only {}", self.names_in(&effect, |_| true)))
            })?,
            None => {
                let fits = |program: &dxbc::EffectProgram| wanted.is_none() || self.stage_of(program) == wanted;
                let mut fitting = effect.programs.iter().filter(|program| fits(program));
                match (fitting.next(), fitting.next()) {
                    (Some(only), None) => only,
                    (first, _) => {
                        let names = self.names_in(&effect, |program| first.is_none() || fits(program));
                        return Err(Failure::bad(format!("{name}: the effect has several programs, name one of {names}")));
                    }
                }
            }
        };
        let known = program.names.first().map_or_else(|| format!("{:#x}", program.offset), Clone::clone);
        let known = entry.map_or(known, str::to_string);
        Ok((self.part(program, &known), None))
    }

    /// A program of an effect as a file of its own.
    pub fn part(&self, program: &dxbc::EffectProgram, known: &str) -> File {
        File { name: format!("{}#{known}", self.name), bytes: self.bytes[program.offset..][..program.size].to_vec() }
    }

    /// The target of a program in an effect, where it is one that is read.
    pub fn target_of(&self, program: &dxbc::EffectProgram) -> Option<dxbc::Target> {
        let container = dxbc::Container::parse(&self.bytes[program.offset..][..program.size]).ok()?;
        Some(dxbc::Shader::find(&container).ok()?.target())
    }

    fn stage_of(&self, program: &dxbc::EffectProgram) -> Option<Stage> {
        match self.target_of(program)?.stage {
            dxbc::Stage::Pixel => Some(Stage::Pixel),
            dxbc::Stage::Vertex => Some(Stage::Vertex),
            dxbc::Stage::Compute => Some(Stage::Compute),
            _ => None,
        }
    }

    fn names_in(&self, effect: &dxbc::Effect, fits: impl Fn(&dxbc::EffectProgram) -> bool) -> String {
        let names: Vec<&str> = effect
            .programs
            .iter()
            .filter(|program| fits(program))
            .flat_map(|program| &program.names)
            .map(String::as_str)
            .collect();
        names.join(", ")
    }

    /// Why a container without code is no program.
    fn no_code(&self) -> Failure {
        Failure::unsupported(format!("{}: a container without SM 4 or SM 5 code (no SHDR or SHEX part)", self.name))
    }

    /// Why an effect is no program.
    fn several(&self) -> Failure {
        Failure::bad(format!("{}: an effect, of which one program has to be chosen (--entry)", self.name))
    }

    /// The program in the file: of a text with several entry points the one of this name, fixed with these override values.
    pub fn program(&self, entry: Option<&str>, overrides: &[(String, f64)]) -> Result<Program, Failure> {
        let program = match self.content()? {
            Content::Dxbc(container) => {
                if let Some(entry) = entry.filter(|entry| *entry != "main") {
                    return Err(Failure::bad(format!(
                        "{}: a DXBC container has one program, and it has no entry point '{entry}'",
                        self.name
                    )));
                }
                if let Some((set, _)) = overrides.first() {
                    return Err(Failure::bad(format!("{}: a DXBC container has no override '{set}' to set", self.name)));
                }
                dxbc::program(&container).map_err(|error| self.dxbc_failure(&error))?
            }
            Content::Data(_) => return Err(self.no_code()),
            Content::Effect(_) => return Err(self.several()),
            Content::Spirv => {
                let options = spirv::Options {
                    entry: entry.map(str::to_string),
                    specialization: overrides.to_vec(),
                    ..spirv::Options::default()
                };
                spirv::read(&self.bytes, &options).map_err(|error| self.spirv_failure(&error))?
            }
            Content::Wgsl(text) => {
                let options = wgsl::Options { entry: entry.map(str::to_string), overrides: overrides.to_vec() };
                wgsl::read(&text, &options).map_err(|error| self.wgsl_failure(&error))?
            }
        };
        validate(&program)
            .map_err(|error| Failure::inconclusive(format!("{}: a fault of gpuproof in reading it: {error}", self.name)))?;
        Ok(program)
    }

    /// The program in the file, as [`File::program`], of a stage that runs.
    pub fn runnable(&self, entry: Option<&str>, overrides: &[(String, f64)]) -> Result<Program, Failure> {
        let program = self.program(entry, overrides)?;
        gpuproof_run::check_stage(&program).map_err(|error| Failure::run(&self.name, &error))?;
        Ok(program)
    }

    /// The entry points of a text or a SPIR-V module with their stages; none for one that has no counterpart here.
    pub fn entry_points(&self, content: &Content) -> Result<Vec<(String, Option<Stage>)>, Failure> {
        Ok(match content {
            Content::Wgsl(text) => {
                let all = wgsl::entry_points(text).map_err(|error| self.wgsl_failure(&error))?;
                all.into_iter().map(|entry| (entry.name, entry.stage)).collect()
            }
            Content::Spirv => {
                let all = spirv::entry_points(&self.bytes).map_err(|error| self.spirv_failure(&error))?;
                all.into_iter().map(|entry| (entry.name, entry.stage)).collect()
            }
            Content::Dxbc(_) | Content::Data(_) | Content::Effect(_) => Vec::new(),
        })
    }

    /// The listing: a container's comments and instructions as Microsoft's disassembler has them, a SPIR-V module's instructions, or a text's lines.
    pub fn listing(&self) -> Result<Vec<Line>, Failure> {
        match self.content()? {
            Content::Dxbc(container) => listing::of_container(&container).map_err(|error| self.dxbc_failure(&error)),
            Content::Data(_) => Err(self.no_code()),
            Content::Effect(_) => Err(self.several()),
            Content::Spirv => {
                let lines = spirv::listing(&self.bytes).map_err(|error| self.spirv_failure(&error))?;
                let line = |(number, line): (u32, spirv::Line)| Line {
                    number: Some(number),
                    offset: line.offset,
                    text: line.text,
                    is_comment: false,
                    instruction: None,
                };
                Ok((1..).zip(lines).map(line).collect())
            }
            Content::Wgsl(text) => {
                // A text that is no program has no listing either.
                wgsl::entry_points(&text).map_err(|error| self.wgsl_failure(&error))?;
                let mut offset = 0;
                let lines = (1..).zip(text.split_inclusive('\n')).map(|(number, line)| {
                    let start = offset;
                    offset += line.len();
                    Line {
                        number: Some(number),
                        offset: start,
                        text: line.trim_end().into(),
                        is_comment: false,
                        instruction: None,
                    }
                });
                Ok(lines.collect())
            }
        }
    }

    /// An error of the DXBC reader with the file's name.
    pub fn dxbc_failure(&self, error: &dxbc::Error) -> Failure {
        let message = format!("{}: {error}", self.name);
        match error {
            dxbc::Error::Unsupported { .. } => Failure::unsupported(message),
            _ => Failure::bad(message),
        }
    }

    /// An error of the SPIR-V reader with the file's name.
    pub fn spirv_failure(&self, error: &spirv::Error) -> Failure {
        let message = format!("{}: {error}", self.name);
        match error {
            spirv::Error::Unsupported { .. } => Failure::unsupported(message),
            spirv::Error::Fault { .. } => Failure::inconclusive(message),
            spirv::Error::BadInput { .. } => Failure::bad(message),
        }
    }

    /// An error of the WGSL reader with the file's name.
    pub fn wgsl_failure(&self, error: &wgsl::Error) -> Failure {
        if let Some(sign) = std::str::from_utf8(&self.bytes).ok().and_then(hlsl_sign) {
            return Failure::bad(format!(
                "{}: this looks like HLSL source (it has {sign}): compile it with fxc first and give the compiled program, or take it through dxc and naga to WGSL",
                self.name
            ));
        }
        let message = format!("{}: {error}", self.name);
        match error {
            wgsl::Error::Unsupported { .. } => Failure::unsupported(message),
            wgsl::Error::Fault { .. } => Failure::inconclusive(message),
            _ => Failure::bad(message),
        }
    }
}

/// What in a text that is no WGSL tells that it is HLSL: words and marks that WGSL has not.
fn hlsl_sign(text: &str) -> Option<&'static str> {
    const SIGNS: &[&str] =
        &["cbuffer ", ": SV_", ":SV_", ": register(", ":register(", "[numthreads", "float4 ", "float3 ", "float2 "];
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    // A word of WGSL that HLSL has not outweighs a vector type, which may be a name of the port's own.
    let is_wgsl = ["fn ", "@group", "@vertex", "@fragment", "@compute", "var<"].iter().any(|word| code.contains(word));
    SIGNS.iter().find(|sign| code.contains(**sign) && !is_wgsl).map(|sign| sign.trim_start_matches(':').trim())
}
