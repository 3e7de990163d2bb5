//! Converts SPIR-V modules to WGSL with naga, and reads each result back with naga's WGSL front end.
//!
//! Arguments come in pairs: `IN.spv OUT.wgsl [IN.spv OUT.wgsl ...]`. Each failure is one line on standard error;
//! the exit status is 1 when any module failed.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use naga::back::wgsl::WriterFlags;
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Reads one module, writes it as WGSL and checks that the text is valid WGSL.
fn convert(input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let options =
        naga::front::spv::Options { adjust_coordinate_space: false, strict_capabilities: false, block_ctx_dump_prefix: None };
    let module = naga::front::spv::parse_u8_slice(&std::fs::read(input)?, &options)?;
    let info =
        Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).map_err(|e| e.emit_to_string("spirv"))?;
    let text = naga::back::wgsl::write_string(&module, &info, WriterFlags::empty())?;
    let again = naga::front::wgsl::parse_str(&text).map_err(|e| e.emit_to_string(&text))?;
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&again).map_err(|e| e.emit_to_string(&text))?;
    std::fs::write(output, text)?;
    Ok(())
}

fn main() -> ExitCode {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    if paths.is_empty() || paths.len() % 2 != 0 {
        eprintln!("usage: spirv-to-wgsl IN.spv OUT.wgsl [IN.spv OUT.wgsl ...]");
        return ExitCode::from(2);
    }
    let mut failed = false;
    for pair in paths.chunks_exact(2) {
        let (input, output) = (Path::new(&pair[0]), Path::new(&pair[1]));
        if let Err(error) = convert(input, output) {
            eprintln!("{}: {error}", input.display());
            failed = true;
        }
    }
    ExitCode::from(u8::from(failed))
}
