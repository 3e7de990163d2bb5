//! Compares the model of the H200 with the H200's results over all 2^32 operands, function by function, by hashes of blocks.
//!
//! `cargo run --release -p gpuproof-number --example machine_sweep -- ex2.approx.f32 ...`; without names, all 15 functions. One thread. The
//! exit status is 1 if a block differs.

mod blocks;

use blocks::{BLOCKS, FUNCTIONS, of_machine, of_model};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = names.iter().find(|name| !FUNCTIONS.iter().any(|(known, ..)| known == name)) {
        eprintln!("no function is called {unknown}: there are {}", FUNCTIONS.map(|(name, ..)| name).join(", "));
        return ExitCode::from(2);
    }
    let (mut wrong, start) = (0, Instant::now());
    for (function, (name, ..)) in FUNCTIONS.into_iter().enumerate() {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let start = Instant::now();
        let different: Vec<usize> =
            (0..BLOCKS).filter(|block| of_model(function, *block) != of_machine(function, *block)).collect();
        let of = different.first().map_or(String::new(), |block| format!(", the first of operands from {:#010x}", block << 20));
        println!("{name}: {} of {BLOCKS} blocks differ{of}, {:.1} s", different.len(), start.elapsed().as_secs_f64());
        wrong += different.len();
    }
    println!("{wrong} blocks differ, {:.1} s", start.elapsed().as_secs_f64());
    ExitCode::from(u8::from(wrong != 0))
}
