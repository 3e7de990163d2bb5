//! The model of the H200, against the H200's own results and the PTX ISA.

#[path = "../examples/machine_sweep/blocks.rs"]
mod blocks;

use blocks::{BLOCKS, FUNCTIONS, of_machine, of_model};
use gpuproof_number::Denormals::{Flush, Keep};
use gpuproof_number::machine::{Function, nvidia_sm90};

const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;

/// Of every sign and exponent, one of the eight blocks, by one of the functions in turn: 34 blocks a function.
#[test]
fn blocks_of_every_sign_and_exponent_have_the_hashes_of_the_machine() {
    for place in 0..BLOCKS / 8 {
        let (function, block) = (place % FUNCTIONS.len(), place * 8 + place * 5 % 8);
        assert_eq!(of_model(function, block), of_machine(function, block), "{}, block {block:#05x}", FUNCTIONS[function].0);
    }
}

/// The blocks where functions have special operands: zeros and subnormals, around 1, infinity and NaN, and where 2^x becomes subnormal.
#[test]
fn blocks_of_special_operands_have_the_hashes_of_the_machine() {
    for (function, (name, ..)) in FUNCTIONS.into_iter().enumerate() {
        for block in [0x000, 0x3f7, 0x3f8, 0x7f8, 0x800, 0xc2f] {
            assert_eq!(of_model(function, block), of_machine(function, block), "{name}, block {block:#05x}");
        }
    }
}

/// The tables of special operands in the PTX ISA ("Floating Point Instructions"): -infinity, -0, +0, +infinity, and a subnormal of each sign with `.ftz`.
#[test]
fn special_operands_give_what_the_ptx_isa_says() {
    let rows = [
        (Function::Rcp, [SIGN, SIGN | INFINITY, INFINITY, 0], [SIGN | INFINITY, INFINITY]),
        (Function::Sqrt, [NAN, SIGN, 0, INFINITY], [SIGN, 0]),
        (Function::Rsqrt, [NAN, SIGN | INFINITY, INFINITY, 0], [SIGN | INFINITY, INFINITY]),
        (Function::Sin, [NAN, SIGN, 0, NAN], [SIGN, 0]),
        (Function::Cos, [NAN, 0x3f80_0000, 0x3f80_0000, NAN], [0x3f80_0000, 0x3f80_0000]),
        (Function::Log2, [NAN, SIGN | INFINITY, SIGN | INFINITY, INFINITY], [SIGN | INFINITY, SIGN | INFINITY]),
        (Function::Exp2, [0, 0x3f80_0000, 0x3f80_0000, INFINITY], [0x3f80_0000, 0x3f80_0000]),
    ];
    for (function, results, of_subnormals) in rows {
        for denormals in [Keep, Flush] {
            let got = [SIGN | INFINITY, SIGN, 0, INFINITY].map(|x| nvidia_sm90::result(function, x, denormals));
            assert_eq!(got, results, "{function:?} {denormals:?}");
            for nan in [0x7f80_0001, 0x7fc0_0000, 0xffff_ffff] {
                assert_eq!(nvidia_sm90::result(function, nan, denormals), NAN, "{function:?} {denormals:?}");
            }
        }
        let got = [SIGN | 0x12_3456, 0x12_3456].map(|x| nvidia_sm90::result(function, x, Flush));
        assert_eq!(got, of_subnormals, "{function:?} of subnormals");
    }
    let tanh = [SIGN | INFINITY, SIGN | 5, SIGN, 0, 5, INFINITY, 0x7f80_0001].map(nvidia_sm90::tanh);
    assert_eq!(tanh, [0xbf80_0000, SIGN | 5, SIGN, 0, 5, 0x3f80_0000, NAN]);
}

/// The bounds that the PTX ISA (9.1) states, against the host's f64 functions, whose errors are far smaller.
#[test]
fn errors_are_within_the_bounds_of_the_ptx_isa() {
    let two = |exponent: f64| exponent.exp2();
    let relative = |x: f64, got: f64| ((got - x) / x).abs();
    let mut checked = 0;
    for step in 0..400_000u32 {
        let x = step.wrapping_mul(0x9e37_79b1);
        let value = f64::from(f32::from_bits(x));
        if !f32::from_bits(x).is_normal() {
            continue;
        }
        let of = |function| f64::from(f32::from_bits(nvidia_sm90::result(function, x, Flush)));
        let normal = |y: f64| (y as f32).is_normal();
        if normal(1.0 / value) {
            assert!(relative(1.0 / value, of(Function::Rcp)) <= two(-23.0), "rcp of {x:#010x}");
        }
        if value > 0.0 {
            assert!(relative(1.0 / value.sqrt(), of(Function::Rsqrt)) <= two(-22.9), "rsqrt of {x:#010x}");
            assert!(relative(value.sqrt(), of(Function::Sqrt)) <= two(-23.0), "sqrt of {x:#010x}");
        }
        if normal(value.exp2()) {
            // Two units in the last place.
            assert!(relative(value.exp2(), of(Function::Exp2)) <= two(-22.0), "ex2 of {x:#010x}");
        }
        if normal(value.tanh()) {
            assert!(relative(value.tanh(), of(Function::Tanh)) <= two(-11.0), "tanh of {x:#010x}");
        }
        // These have bounds near 1 and within two turns only.
        let near = f32::from_bits(0x3f00_0000 + (x >> 8) % 0x0100_0000);
        let got = f32::from_bits(nvidia_sm90::lg2(near.to_bits(), Flush));
        assert!((f64::from(got) - f64::from(near).log2()).abs() <= two(-22.0), "lg2 of {near}");
        let angle = (x as i32 as f32) * (std::f32::consts::TAU / 2_147_483_648.0);
        let got = f64::from(f32::from_bits(nvidia_sm90::sin(angle.to_bits(), Flush)));
        assert!((got - f64::from(angle).sin()).abs() <= two(-20.5), "sin of {angle}");
        checked += 1;
    }
    assert!(checked > 390_000);
}

/// What the Vulkan driver's shaders gave: hashes of e^x, of the natural logarithm, and of u / x, where u has the bits of x times 0x9e3779b1.
static SHADERS: &[u8; 3 * BLOCKS * 8] = include_bytes!("nvidia_sm90/shader_hashes.bin");

#[test]
fn blocks_of_what_shaders_compute_have_the_hashes_of_the_machine() {
    let functions: [fn(u32) -> u32; 3] =
        [nvidia_sm90::exp, nvidia_sm90::log, |x| nvidia_sm90::div(x.wrapping_mul(0x9e37_79b1), x)];
    for (at, function) in functions.into_iter().enumerate() {
        // Subnormals, around 1, where quotients by large numbers vanish, infinity and NaN, and every 401st.
        for block in [0x000, 0x3f8, 0x7ea, 0x7f8, 0x801].into_iter().chain((0..BLOCKS).step_by(401)) {
            let first = (block as u32) << 20;
            let sum = (first..=first + 0xf_ffff)
                .fold(0u64, |sum, x| sum.wrapping_add(blocks::mix(u64::from(x) << 32 | u64::from(function(x)))));
            let place = (at * BLOCKS + block) * 8;
            let machine = u64::from_le_bytes(std::array::from_fn(|byte| SHADERS[place + byte]));
            assert_eq!(sum, machine, "function {at}, block {block:#05x}");
        }
    }
}
