//! Files of programs: read, recognised by content, and made into programs.

use crate::failure::Failure;
use gpuproof_program::{Program, validate};
use gpuproof_read::{dxbc, wgsl};
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
            return Err(Failure::bad(format!("{name}: empty, expected a DXBC container or WGSL text")));
        }
        if dxbc::Container::is_container(&self.bytes) {
            let container = dxbc::Container::parse(&self.bytes).map_err(|error| self.dxbc_failure(&error))?;
            if container.find(&[b"SHDR", b"SHEX"]).is_none() {
                return Err(match container.find(&[b"DXIL"]) {
                    Some(part) => {
                        Failure::unsupported(format!("{name}: offset {:#x}: DXIL (SM 6) is not read yet", part.offset()))
                    }
                    None => Failure::unsupported(format!("{name}: a container without SM 4 or SM 5 code (no SHDR or SHEX part)")),
                });
            }
            return Ok(Content::Dxbc(container));
        }
        if matches!(self.bytes.get(..4), Some([0x03, 0x02, 0x23, 0x07] | [0x07, 0x23, 0x02, 0x03])) {
            return Err(Failure::unsupported(format!("{name}: SPIR-V is not read yet; naga or tint turn it into WGSL")));
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if !text.contains('\0') => Ok(Content::Wgsl(text.to_string())),
            Ok(_) => Err(Failure::bad(format!("{name}: a binary of no known kind, expected a DXBC container or WGSL text"))),
            Err(error) => Err(Failure::bad(format!(
                "{name}: offset {:#x}: neither a DXBC container (magic 'DXBC') nor UTF-8 text, found {:02x?}",
                error.valid_up_to(),
                &self.bytes[..self.bytes.len().min(4)]
            ))),
        }
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
            Content::Wgsl(text) => {
                let options = wgsl::Options { entry: entry.map(str::to_string), overrides: overrides.to_vec() };
                wgsl::read(&text, &options).map_err(|error| self.wgsl_failure(&error))?
            }
        };
        validate(&program)
            .map_err(|error| Failure::inconclusive(format!("{}: a fault of gpuproof in reading it: {error}", self.name)))?;
        Ok(program)
    }

    /// The listing: a container's comments and instructions as Microsoft's disassembler has them, or a text's lines.
    pub fn listing(&self) -> Result<Vec<Line>, Failure> {
        match self.content()? {
            Content::Dxbc(container) => listing::of_container(&container).map_err(|error| self.dxbc_failure(&error)),
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
