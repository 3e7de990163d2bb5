//! Hashes of the model's results over blocks of 2^20 operands, against those of the machine. The tests use this file too.
//!
//! A block is computed by code built for the widest instructions that the processor has; the functions are the same and give the same bits.
#![allow(unsafe_code)] // A function built for certain instructions may be called only where the processor has them, which `hash` asks.

use gpuproof_number::Denormals::{self, Flush, Keep};
use gpuproof_number::machine::{Function, nvidia_sm90};

/// Blocks of a function: one for each value of the high 12 bits of the operand.
pub const BLOCKS: usize = 4096;

/// The functions in the order of the file of hashes.
pub const FUNCTIONS: [(&str, Function, Denormals); 15] = [
    ("ex2.approx.f32", Function::Exp2, Keep),
    ("ex2.approx.ftz.f32", Function::Exp2, Flush),
    ("lg2.approx.f32", Function::Log2, Keep),
    ("lg2.approx.ftz.f32", Function::Log2, Flush),
    ("rcp.approx.f32", Function::Rcp, Keep),
    ("rcp.approx.ftz.f32", Function::Rcp, Flush),
    ("rsqrt.approx.f32", Function::Rsqrt, Keep),
    ("rsqrt.approx.ftz.f32", Function::Rsqrt, Flush),
    ("sqrt.approx.f32", Function::Sqrt, Keep),
    ("sin.approx.ftz.f32", Function::Sin, Flush),
    ("cos.approx.ftz.f32", Function::Cos, Flush),
    ("tanh.approx.f32", Function::Tanh, Keep),
    ("sin.approx.f32", Function::Sin, Keep),
    ("cos.approx.f32", Function::Cos, Keep),
    ("sqrt.approx.ftz.f32", Function::Sqrt, Flush),
];

/// The H200's hashes: of each function in turn 4,096 little-endian words (`tests/nvidia_sm90/README.md` tells how they were made).
static MACHINE: &[u8; FUNCTIONS.len() * BLOCKS * 8] = include_bytes!("../../tests/nvidia_sm90/block_hashes.bin");

/// The machine's hash of a block.
pub fn of_machine(function: usize, block: usize) -> u64 {
    let at = (function * BLOCKS + block) * 8;
    u64::from_le_bytes(std::array::from_fn(|byte| MACHINE[at + byte]))
}

/// The model's hash of a block.
pub fn of_model(function: usize, block: usize) -> u64 {
    let (_, function, denormals) = FUNCTIONS[function];
    let first = (block as u32) << 20;
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx2")
        {
            // SAFETY: the processor has the instructions.
            return unsafe { avx512(function, denormals, first) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { avx2(function, denormals, first) };
        }
    }
    hash(function, denormals, first)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512cd,avx2")]
fn avx512(function: Function, denormals: Denormals, first: u32) -> u64 {
    hash(function, denormals, first)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(function: Function, denormals: Denormals, first: u32) -> u64 {
    hash(function, denormals, first)
}

/// Operands whose results are made before they are hashed.
const STRETCH: usize = 256;

/// The sum, modulo 2^64, of the mixed pairs of operand and result over a block. `$result` is an expression in `$x`, since a closure may be left
/// a call, which keeps the loop from being vectorised.
macro_rules! sum {
    ($first:ident, $x:ident => $result:expr) => {{
        let mut sums = [0u64; 8];
        for start in ($first..=$first + 0xf_ffff).step_by(STRETCH) {
            let mut results = [0u32; STRETCH];
            for at in 0..STRETCH {
                let $x = start | at as u32;
                results[at] = $result;
            }
            add(&mut sums, start, &results);
        }
        sums.into_iter().fold(0, u64::wrapping_add)
    }};
}

#[inline(always)]
fn hash(function: Function, denormals: Denormals, first: u32) -> u64 {
    match (function, denormals) {
        (Function::Rcp, Keep) => sum!(first, x => nvidia_sm90::rcp(x, Keep)),
        (Function::Rcp, Flush) => sum!(first, x => nvidia_sm90::rcp(x, Flush)),
        (Function::Rsqrt, Keep) => sum!(first, x => nvidia_sm90::rsqrt(x, Keep)),
        (Function::Rsqrt, Flush) => sum!(first, x => nvidia_sm90::rsqrt(x, Flush)),
        (Function::Sqrt, Keep) => sum!(first, x => nvidia_sm90::sqrt(x, Keep)),
        (Function::Sqrt, Flush) => sum!(first, x => nvidia_sm90::sqrt(x, Flush)),
        (Function::Exp2, Keep) => sum!(first, x => nvidia_sm90::ex2(x, Keep)),
        (Function::Exp2, Flush) => sum!(first, x => nvidia_sm90::ex2(x, Flush)),
        (Function::Log2, Keep) => sum!(first, x => nvidia_sm90::lg2(x, Keep)),
        (Function::Log2, Flush) => sum!(first, x => nvidia_sm90::lg2(x, Flush)),
        (Function::Sin, _) => sum!(first, x => nvidia_sm90::sin(x, denormals)),
        (Function::Cos, _) => sum!(first, x => nvidia_sm90::cos(x, denormals)),
        (Function::Tanh, _) => sum!(first, x => nvidia_sm90::tanh(x)),
        (Function::Exp | Function::Log | Function::FromUnsigned, _) => unreachable!("no instruction"),
    }
}

#[inline(always)]
fn add(sums: &mut [u64; 8], start: u32, results: &[u32; STRETCH]) {
    for (row, results) in results.as_chunks::<8>().0.iter().enumerate() {
        for (lane, (sum, result)) in sums.iter_mut().zip(results).enumerate() {
            let x = start | (row * 8 + lane) as u32;
            *sum = sum.wrapping_add(mix(u64::from(x) << 32 | u64::from(*result)));
        }
    }
}

/// A step of splitmix64 (Steele, Lea and Flood, 2014).
#[inline(always)]
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
