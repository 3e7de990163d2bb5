//! Seconds of one core that a default comparison takes, with what tells what it is worth, for programs of about a hundred instructions.
//! `cargo bench --bench verify` prints them.

use gpuproof_prove::Settings;
use gpuproof_prove::adequacy::AdequacySettings;
use gpuproof_tests::programs::{compare, original, root};
use std::time::Instant;

/// Fixtures, with their number of instructions.
const PROGRAMS: &[(&str, u32)] =
    &[("switches/ps_5_0", 81), ("lightcull/cs_5_0", 138), ("fxaa/ps_5_0", 141), ("floats/ps_5_0", 159)];

/// Seconds of this thread's processor time where the system tells, else of the clock: others may be using the machine.
fn seconds(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    for (name, instructions) in PROGRAMS {
        let program = original(&root().join(format!("tests/fixtures/{name}.dxbc")));
        let time = |adequacy| {
            let before = seconds(start);
            let evidence = compare(&program, &program, &Settings { adequacy, ..Settings::default() });
            evidence.map(|_| seconds(start) - before)
        };
        let (without, with) = (time(None)?, time(Some(AdequacySettings::quick()))?);
        println!("{name:20} {instructions:4} instructions {without:6.2} s, with adequacy {with:6.2} s");
    }
    Ok(())
}
