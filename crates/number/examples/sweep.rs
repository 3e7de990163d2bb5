//! Compares a one-argument function with CORE-MATH over all 2^32 inputs and prints the differences.
//!
//! `cargo run --release -p gpuproof-number --example sweep -- exp2 log2 ...`; without names, all of them.

use gpuproof_number::{Denormals, functions, inverse};
use std::time::Instant;

type Ours = fn(u32, Denormals) -> u32;
type Reference = fn(f32) -> f32;

const FUNCTIONS: [(&str, Ours, Reference); 10] = [
    ("exp2", functions::exp2, core_math::exp2f),
    ("log2", functions::log2, core_math::log2f),
    ("sin", functions::sin, core_math::sinf),
    ("cos", functions::cos, core_math::cosf),
    ("rsqrt", functions::rsqrt, core_math::rsqrtf),
    ("exp", functions::exp, core_math::expf),
    ("log", functions::log, core_math::logf),
    ("asin", inverse::asin, core_math::asinf),
    ("acos", inverse::acos, core_math::acosf),
    ("atan", inverse::atan, core_math::atanf),
];

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut total = 0u64;
    for (name, ours, reference) in FUNCTIONS {
        if !names.is_empty() && !names.iter().any(|n| n == name) {
            continue;
        }
        let start = Instant::now();
        let mut differences = 0u64;
        for bits in 0..=u32::MAX {
            let got = ours(bits, Denormals::Keep);
            let value = reference(f32::from_bits(bits));
            let want = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
            if got != want {
                differences += 1;
                if differences <= 20 {
                    println!("{name} {bits:#010x}: {got:#010x}, CORE-MATH {want:#010x}");
                }
            }
        }
        println!("{name}: {differences} differences in 4294967296, {:.0} s", start.elapsed().as_secs_f64());
        total += differences;
    }
    std::process::exit(i32::from(total != 0));
}
