//! Lane-operations a second of the lane machine on five kernels that fxc compiled, on one core. `cargo bench` prints them.
//!
//! Counted are the operations of a round's source, a multiply-add as two and the loop's own counter not at all.

use gpuproof_read::dxbc;
use gpuproof_run::{Binding, BufferBinding, Case, Launch, Options, Plan};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: u32 = 1000;
const GROUPS: u32 = 16;
const THREADS: u32 = 256;

/// The kernel's name in `tests/fixtures/kernels`, and the operations of a lane in one round.
const KERNELS: &[(&str, u32)] = &[
    // 16 multiply-adds
    ("multiply-add", 32),
    // three shifts and three xors; a multiply-add of integers; an addition
    ("integers", 9),
    // sin, multiply-add, exp2, add, log2, multiply, multiply-add, sqrt
    ("transcendental", 10),
    // two multiply-adds on one side; add, and, compare
    ("divergent", 7),
    // store, load, multiply-add, and two barriers
    ("shared-memory", 4),
];

/// Seconds of this thread's processor time where the system tells, else of the clock: others may be using the machine.
fn seconds(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// `cbuffer Work` of kernels.hlsl: rounds, scale, offset.
fn constants() -> Vec<u8> {
    let mut bytes = Vec::from(ROUNDS.to_le_bytes());
    bytes.resize(16, 0);
    for number in [0.5f32, 0.25, 0.125, 0.75, 0.1, 0.2, 0.3, 0.4] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes
}

fn measure(name: &str, operations: u32) -> Result<f64, Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/kernels/cs_5_0-{name}.dxbc"));
    let program = dxbc::program(&dxbc::Container::parse(&std::fs::read(path)?)?)?;
    let plan = Plan::compile(&program)?;
    let mut case = Case::empty_for(&program, Launch::Groups { count: [GROUPS, 1, 1] })?;
    for (resource, bound) in program.interface.resources.iter().zip(&mut case.resources) {
        let bytes = if resource.name == "Work" { constants() } else { vec![0; (16 * GROUPS * THREADS) as usize] };
        *bound = vec![Binding::Buffer(BufferBinding { bytes: Arc::new(bytes), format: None, counter: 0 })];
    }
    // Looking for races is a check beside the kernel's own work.
    let options = Options { races: false, ..Options::default() };
    let start = Instant::now();
    let mut best = f64::MAX;
    for _ in 0..7 {
        let before = seconds(start);
        plan.run(&case, &options)?;
        best = best.min(seconds(start) - before);
    }
    Ok(f64::from(operations) * f64::from(ROUNDS) * f64::from(GROUPS * THREADS) / best / 1e9)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, operations) in KERNELS {
        println!("{name:16} {:8.2} billion lane-operations/s", measure(name, *operations)?);
    }
    Ok(())
}
