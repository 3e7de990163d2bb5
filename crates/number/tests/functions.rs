//! The correctly rounded functions against CORE-MATH: a sample here, every input in `examples/sweep.rs`.

mod common;

use common::Random;
use gpuproof_number::Denormals::{Flush, Keep};
use gpuproof_number::{Denormals, float16, functions, inverse};

fn canonical(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

/// Every 4,093rd pattern, and 2,000 around each place where a formula changes or a value is special.
fn check_sample(name: &str, ours: fn(u32, Denormals) -> u32, reference: fn(f32) -> f32) {
    let sample = (0..=u32::MAX).step_by(4093);
    let places = [
        0.0f32,
        f32::MIN_POSITIVE,
        1.0,
        0.049,
        0.5,
        0.75,
        1.5,
        2.0,
        88.8,
        89.0,
        103.9,
        104.0,
        126.0,
        127.0,
        128.0,
        149.0,
        150.0,
        65536.0,
        f32::MAX,
        f32::INFINITY,
    ];
    let around = places.iter().flat_map(|place| (0..2000).map(|i| place.to_bits().wrapping_add(i).wrapping_sub(1000)));
    for bits in sample.chain(around).flat_map(|bits| [bits, bits ^ 0x8000_0000]) {
        let (got, want) = (ours(bits, Keep), canonical(reference(f32::from_bits(bits))));
        assert_eq!(got, want, "{name}({bits:#010x}) is {got:#010x}, CORE-MATH gives {want:#010x}");
    }
}

#[test]
fn exponentials_agree_with_core_math() {
    check_sample("exp2", functions::exp2, core_math::exp2f);
    check_sample("exp", functions::exp, core_math::expf);
}

#[test]
fn logarithms_agree_with_core_math() {
    check_sample("log2", functions::log2, core_math::log2f);
    check_sample("log", functions::log, core_math::logf);
}

#[test]
fn sine_and_cosine_agree_with_core_math() {
    check_sample("sin", functions::sin, core_math::sinf);
    check_sample("cos", functions::cos, core_math::cosf);
}

#[test]
fn rsqrt_agrees_with_core_math() {
    check_sample("rsqrt", functions::rsqrt, core_math::rsqrtf);
}

#[test]
fn inverse_functions_agree_with_core_math() {
    check_sample("asin", inverse::asin, core_math::asinf);
    check_sample("acos", inverse::acos, core_math::acosf);
    check_sample("atan", inverse::atan, core_math::atanf);
}

#[test]
fn atan2_agrees_with_core_math() {
    let check = |y: u32, x: u32| {
        let (got, want) = (inverse::atan2(y, x, Keep), canonical(core_math::atan2f(f32::from_bits(y), f32::from_bits(x))));
        assert_eq!(got, want, "atan2({y:#010x}, {x:#010x}) is {got:#010x}, CORE-MATH gives {want:#010x}");
    };
    let special: Vec<u32> = [0.0f32, 1e-45, f32::MIN_POSITIVE, 0.5, 1.0, 3.0, 1e20, f32::MAX, f32::INFINITY, f32::NAN]
        .iter()
        .flat_map(|x| [x.to_bits(), (-x).to_bits()])
        .collect();
    for &y in &special {
        special.iter().for_each(|&x| check(y, x));
    }
    let mut random = Random(1);
    for _ in 0..500_000 {
        let bits = random.bits();
        check(bits as u32, (bits >> 32) as u32);
        // Legs of like size, and quotients that are exact or nearly so and tiny.
        let y = bits as u32 & 0x807f_ffff | 0x3f80_0000;
        check(y, (bits >> 32) as u32 & 0x87ff_ffff | 0x3800_0000);
        check(bits as u32 & 0x8fff_ffff, 0x7f00_0000);
        check(bits as u32 & 0x80ff_ffff, (bits >> 32) as u32 & 0x3ff | 0x3f80_0000);
    }
}

#[test]
fn special_values_follow_the_specification() {
    // D3D11.3 §22.10.6, .8, .19, .20.
    let (zero, minus_zero, infinity, minus_infinity) = (0, 0x8000_0000, 0x7f80_0000, 0xff80_0000);
    let (nan, one) = (0x7fc0_0000, 0x3f80_0000);
    type Row = (&'static str, fn(u32, Denormals) -> u32, [u32; 6]);
    let rows: [Row; 7] = [
        // Of -infinity, -1, -0, +0, +infinity, and a NaN with payload and sign.
        ("exp2", functions::exp2, [zero, 0x3f00_0000, one, one, infinity, nan]),
        ("exp", functions::exp, [zero, 0x3ebc_5ab2, one, one, infinity, nan]),
        ("log2", functions::log2, [nan, nan, minus_infinity, minus_infinity, infinity, nan]),
        ("log", functions::log, [nan, nan, minus_infinity, minus_infinity, infinity, nan]),
        ("rsqrt", functions::rsqrt, [nan, nan, minus_infinity, infinity, zero, nan]),
        ("sin", functions::sin, [nan, 0xbf57_6aa4, minus_zero, zero, nan, nan]),
        ("cos", functions::cos, [nan, 0x3f0a_5140, one, one, nan, nan]),
    ];
    for (name, function, results) in rows {
        let inputs = [minus_infinity, 0xbf80_0000, minus_zero, zero, infinity, 0xff80_1234];
        for (input, want) in inputs.into_iter().zip(results) {
            for denormals in [Keep, Flush] {
                assert_eq!(function(input, denormals), want, "{name}({input:#010x})");
            }
        }
    }
}

#[test]
fn denormals_flush_on_both_sides() {
    // Operands: a denormal counts as a zero of its sign.
    assert_eq!(functions::log2(0x0040_0000, Flush), 0xff80_0000);
    assert_eq!(functions::rsqrt(0x8000_0001, Flush), 0xff80_0000);
    assert_eq!(functions::sin(0x8000_0001, Flush), 0x8000_0000);
    assert_eq!(inverse::atan2(0x8000_0001, 0xbf80_0000, Flush), inverse::atan2(0x8000_0000, 0xbf80_0000, Keep));
    // Results: 2^-127 is a denormal.
    assert_eq!(functions::exp2((-127f32).to_bits(), Keep), 0x0040_0000);
    assert_eq!(functions::exp2((-127f32).to_bits(), Flush), 0);
}

#[test]
fn f16_functions_are_correctly_rounded_for_every_operand() {
    // The reference is CORE-MATH's f64 function, rounded to f16. A wrong second rounding of *that* would need 42 bits of coincidence.
    type Row = (&'static str, fn(u16) -> u16, fn(f64) -> f64);
    let rows: [Row; 10] = [
        ("exp2", float16::exp2, core_math::exp2),
        ("exp", float16::exp, core_math::exp),
        ("log2", float16::log2, core_math::log2),
        ("log", float16::log, core_math::log),
        ("sin", float16::sin, core_math::sin),
        ("cos", float16::cos, core_math::cos),
        ("rsqrt", float16::rsqrt, core_math::rsqrt),
        ("asin", float16::asin, core_math::asin),
        ("acos", float16::acos, core_math::acos),
        ("atan", float16::atan, core_math::atan),
    ];
    for (name, ours, reference) in rows {
        for a in 0..=u16::MAX {
            let exact = reference(f64::from(f32::from_bits(float16::to_f32(a))));
            let want = float16::from_f64(exact.to_bits(), gpuproof_number::Rounding::NearestEven);
            assert_eq!(ours(a), want, "{name}({a:#06x})");
        }
    }
    let mut random = Random(2);
    for _ in 0..500_000 {
        let (y, x) = (random.bits() as u16, random.bits() as u16);
        let wide = |a| f64::from(f32::from_bits(float16::to_f32(a)));
        let want = float16::from_f64(core_math::atan2(wide(y), wide(x)).to_bits(), gpuproof_number::Rounding::NearestEven);
        assert_eq!(float16::atan2(y, x), want, "atan2({y:#06x}, {x:#06x})");
    }
}
