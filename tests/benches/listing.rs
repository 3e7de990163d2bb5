//! Bytes of container read a second and bytes of text listed a second, on one core: a pixel program of 5,000 instructions, and
//! 2,000 variants. `cargo bench` prints them.

use gpuproof_read::dxbc::{Container, Part, Reflection, Shader, Signature, disassembly};
use std::path::Path;
use std::time::Instant;

const INSTRUCTIONS: usize = 5000;
const VARIANTS: usize = 2000;

/// Seconds of this thread's processor time where the system tells, else of the clock: others may be using the machine.
fn seconds(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The program of a fixture with its body over and over, to so many instructions.
fn long(file: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut container = Container::parse(file)?;
    let mut shader = Shader::find(&container)?;
    let first = shader.instructions.iter().position(|one| one.info().is_numbered()).unwrap_or(0);
    let body = shader.instructions.split_off(first);
    let last = body.len() - 1;
    let more = body[..last].iter().cycle().take(INSTRUCTIONS - 1).chain(&body[last..]);
    shader.instructions.extend(more.cloned());
    let at = container.parts().iter().position(|part| part.offset() == shader.offset()).ok_or("no code")?;
    container.replace(at, shader.encode()?)?;
    container.sign();
    Ok(container.write())
}

/// Everything that a container says: tokens, signatures and reflection.
fn read(file: &[u8]) -> Result<usize, Box<dyn std::error::Error>> {
    let container = Container::parse(file)?;
    let shader = Shader::find(&container)?;
    let described = |part: &Part| match &part.code().0 {
        b"RDEF" => Reflection::parse(part).map(|reflection| reflection.bindings.len()),
        _ => Signature::parse(part).map(|signature| signature.map_or(0, |signature| signature.elements.len())),
    };
    let described = container.parts().iter().map(described).sum::<Result<usize, _>>()?;
    Ok(shader.instructions.len() + described)
}

/// The best of several runs: what one gave, and its seconds.
fn best(mut once: impl FnMut() -> Result<usize, Box<dyn std::error::Error>>) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut best = (0, f64::MAX);
    for _ in 0..7 {
        let before = seconds(start);
        let given = once()?;
        best = (given, best.1.min(seconds(start) - before));
    }
    Ok(best)
}

fn measure(what: &str, files: &[Vec<u8>]) -> Result<(), Box<dyn std::error::Error>> {
    let bytes: usize = files.iter().map(Vec::len).sum();
    let (_, reading) = best(|| files.iter().map(|file| read(file)).sum())?;
    let list = |file: &Vec<u8>| -> Result<usize, Box<dyn std::error::Error>> {
        Ok(disassembly(&Container::parse(file)?)?.iter().map(|line| line.text.len() + 1).sum())
    };
    let (text, listing) = best(|| files.iter().map(list).sum())?;
    let rate = |bytes: usize, seconds: f64| bytes as f64 / 1e6 / seconds;
    println!("{what}: read {:.0} MB/s, listed {:.0} MB/s of text", rate(bytes, reading), rate(text, listing));
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(fixtures)? {
        let folder = folder?.path();
        if folder.is_dir() {
            paths.extend(std::fs::read_dir(folder)?.map(|file| file.map(|file| file.path())).collect::<Result<Vec<_>, _>>()?);
        }
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dxbc"));
    paths.sort();
    let all = paths.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let pixel = paths.iter().zip(&all).find(|(path, _)| path.ends_with("pbr/ps_5_0.dxbc")).ok_or("no pixel program")?;
    // Over and over, since the system counts a thread's time in steps.
    measure("5,000 instructions", &std::iter::repeat_n(long(pixel.1)?, 64).collect::<Vec<_>>())?;
    measure("2,000 variants    ", &all.iter().cycle().take(VARIANTS).cloned().collect::<Vec<_>>())
}
