//! f16, f32 and f64 arithmetic and conversions against rustc_apfloat, an independent implementation in integers, and
//! against rows from the specifications.

mod common;

use common::Random;
use gpuproof_number::Denormals::{Flush, Keep};
use gpuproof_number::{MinMax, OutOfRange, Rounding, convert, float16, float32, float64};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

const ROUNDINGS: [(Rounding, Round); 4] = [
    (Rounding::NearestEven, Round::NearestTiesToEven),
    (Rounding::TowardZero, Round::TowardZero),
    (Rounding::Up, Round::TowardPositive),
    (Rounding::Down, Round::TowardNegative),
];

/// The pattern, with any NaN the canonical one of its width.
fn bits<F: Float>(value: F) -> u64 {
    if value.is_nan() {
        return match F::BITS {
            16 => 0x7e00,
            32 => 0x7fc0_0000,
            _ => 0x7ff8_0000_0000_0000,
        };
    }
    value.to_bits() as u64
}

fn convert_to<A: Float + FloatConvert<B>, B: Float>(a: A, round: Round) -> u64 {
    bits(a.convert_r(round, &mut false).value)
}

/// Three patterns of `width` bits with `fraction` fraction bits: anything; near each other in exponent; or with special parts.
fn operands(random: &mut Random, width: u32, fraction: u32) -> [u64; 3] {
    let mask = u64::MAX >> (64 - width);
    let any: [u64; 3] = core::array::from_fn(|_| random.bits() & mask);
    match random.bits() % 4 {
        0 => any,
        1 => {
            // a * b and c of nearly equal size, so that sums cancel; small mantissas make ties.
            let bias = (1u64 << (width - fraction - 2)) - 1;
            let low = random.bits() % u64::from(fraction);
            let near = |a: u64| {
                a & (mask ^ (((1 << (width - 1)) - 1) ^ ((1 << fraction) - 1)) ^ ((1 << low) - 1))
                    | (bias + (a >> 60)) << fraction
            };
            any.map(|a| near(a) & mask)
        }
        2 => any.map(|a| match a % 8 {
            0 => 0,
            1 => 1 << (width - 1),
            2 => (mask >> 1) ^ ((1 << fraction) - 1),
            3 => mask ^ ((1 << fraction) - 1),
            4 => a >> 7 & ((1 << fraction) - 1),
            5 => (mask >> 1) - (1 << fraction),
            6 => 1 << fraction,
            _ => 1,
        }),
        // Denormal and barely normal results.
        _ => {
            let scale = |a: u64| a & !((mask >> 1) ^ ((4 << fraction) - 1));
            [scale(any[0]), any[1], scale(any[2])]
        }
    }
}

#[test]
fn f32_agrees_with_apfloat() {
    let mut random = Random(32);
    let single = |a: u64| Single::from_bits(u128::from(a));
    for _ in 0..300_000 {
        let [a, b, c] = operands(&mut random, 32, 23);
        let (x, y, z) = (single(a), single(b), single(c));
        let (a, b, c) = (a as u32, b as u32, c as u32);
        let check = |name: &str, got: u32, want: u64| assert_eq!(u64::from(got), want, "{name} {a:#010x} {b:#010x} {c:#010x}");
        check("add", float32::add(a, b, Keep), bits((x + y).value));
        check("sub", float32::sub(a, b, Keep), bits((x - y).value));
        check("mul", float32::mul(a, b, Keep), bits((x * y).value));
        check("div", float32::div(a, b, Keep), bits((x / y).value));
        check("fma", float32::fma(a, b, c, Keep), bits(x.mul_add(y, z).value));
        check("mad", float32::mad(a, b, c, Keep), bits(((x * y).value + z).value));
        for (rounding, round) in ROUNDINGS {
            check("to f16", u32::from(float16::from_f32(a, rounding)), convert_to::<_, Half>(x, round));
        }
        check("round", float32::round_ties_even(a, Keep), bits(x.round_to_integral(Round::NearestTiesToEven).value));
        check("floor", float32::floor(a, Keep), bits(x.round_to_integral(Round::TowardNegative).value));
        check("ceil", float32::ceil(a, Keep), bits(x.round_to_integral(Round::TowardPositive).value));
        check("trunc", float32::trunc(a, Keep), bits(x.round_to_integral(Round::TowardZero).value));
        let power = (c % 700) as i32 - 350;
        check("ldexp", float32::ldexp(a, power, Keep), bits(x.scalbn(power)));
    }
}

#[test]
fn f64_agrees_with_apfloat() {
    let mut random = Random(64);
    let double = |a: u64| Double::from_bits(u128::from(a));
    for _ in 0..300_000 {
        let [a, b, c] = operands(&mut random, 64, 52);
        let (x, y, z) = (double(a), double(b), double(c));
        let check = |name: &str, got: u64, want: u64| assert_eq!(got, want, "{name} {a:#018x} {b:#018x} {c:#018x}");
        check("add", float64::add(a, b), bits((x + y).value));
        check("sub", float64::sub(a, b), bits((x - y).value));
        check("mul", float64::mul(a, b), bits((x * y).value));
        check("div", float64::div(a, b), bits((x / y).value));
        check("fma", float64::fma(a, b, c), bits(x.mul_add(y, z).value));
        for (rounding, round) in ROUNDINGS {
            check("to f32", u64::from(float64::to_f32(a, rounding, Keep)), convert_to::<_, Single>(x, round));
            check("to f16", u64::from(float16::from_f64(a, rounding)), convert_to::<_, Half>(x, round));
        }
        check(
            "from f32",
            float64::from_f32(a as u32, Keep),
            convert_to::<_, Double>(Single::from_bits(u128::from(a as u32)), Round::TowardZero),
        );
    }
}

#[test]
fn f64_fma_of_a_product_and_its_rounding_is_the_error() {
    // fma(a, b, -(a * b)) is exactly what the product lost: a property of correct rounding, checked by 128-bit integers.
    let mut random = Random(65);
    for _ in 0..200_000 {
        let (ma, mb) = (random.bits() >> 11 | 1 << 52, random.bits() >> 11 | 1 << 52);
        let (a, b) = ((ma as f64).to_bits(), (mb as f64).to_bits());
        let product = float64::mul(a, b);
        let error = float64::fma(a, b, float64::neg(product));
        let exact = u128::from(ma) * u128::from(mb);
        let lost = exact as i128 - f64::from_bits(product) as i128;
        assert_eq!(f64::from_bits(error) as i128, lost, "{ma} {mb}");
    }
}

#[test]
fn f16_agrees_with_apfloat() {
    let mut random = Random(16);
    let half = |a: u64| Half::from_bits(u128::from(a));
    for _ in 0..1_000_000 {
        let [a, b, c] = operands(&mut random, 16, 10);
        let (x, y, z) = (half(a), half(b), half(c));
        let (a, b, c) = (a as u16, b as u16, c as u16);
        let check = |name: &str, got: u16, want: u64| assert_eq!(u64::from(got), want, "{name} {a:#06x} {b:#06x} {c:#06x}");
        check("add", float16::add(a, b), bits((x + y).value));
        check("sub", float16::sub(a, b), bits((x - y).value));
        check("mul", float16::mul(a, b), bits((x * y).value));
        check("div", float16::div(a, b), bits((x / y).value));
        check("fma", float16::fma(a, b, c), bits(x.mul_add(y, z).value));
    }
}

#[test]
fn every_f16_converts_to_f32_and_back() {
    for a in 0..=u16::MAX {
        let value = Half::from_bits(u128::from(a));
        assert_eq!(u64::from(float16::to_f32(a)), convert_to::<_, Single>(value, Round::TowardZero), "{a:#06x}");
        for (rounding, _) in ROUNDINGS {
            assert_eq!(u64::from(float16::from_f32(float16::to_f32(a), rounding)), bits(value), "{a:#06x}");
        }
    }
}

/// Whether s is the f32 or f16 nearest to sqrt(x), by comparing squares of the midpoints around it, exactly.
fn is_nearest_root(x: f64, s: f64, below: f64, above: f64) -> bool {
    let (low, high) = ((s + below) / 2.0, (s + above) / 2.0);
    // At most 25 bits each, so the squares are exact.
    low * low <= x && x <= high * high
}

#[test]
fn square_roots_are_nearest() {
    let mut random = Random(7);
    for _ in 0..300_000 {
        let a = random.bits() as u32 % 0x7f80_0000;
        let s = float32::sqrt(a, Keep);
        let wide = |bits: u32| f64::from(f32::from_bits(bits));
        assert!(is_nearest_root(wide(a), wide(s), wide(s.saturating_sub(1)), wide(s + 1)), "{a:#010x}");
    }
    for a in 0..0x7c00 {
        let s = float16::sqrt(a);
        let wide = |bits: u16| f64::from(f32::from_bits(float16::to_f32(bits)));
        assert!(is_nearest_root(wide(a), wide(s), wide(s.saturating_sub(1)), wide(s + 1)), "{a:#06x}");
    }
    assert_eq!(float32::sqrt(0x8000_0000, Keep), 0x8000_0000);
    assert_eq!(float32::sqrt(0x8000_0001, Flush), 0x8000_0000);
    assert_eq!(float32::sqrt(0x8000_0001, Keep), float32::NAN);
    assert_eq!(float64::sqrt(0x8000_0000_0000_0000), 0x8000_0000_0000_0000);
}

#[test]
fn f32_denormals_flush_to_a_zero_of_their_sign() {
    // D3D11.3 §3.1.3. The least normal number is 0x00800000.
    let (tiny, minus_tiny, least) = (1, 0x8000_0001, 0x0080_0000);
    assert_eq!(float32::add(tiny, tiny, Keep), 2);
    assert_eq!(float32::add(tiny, tiny, Flush), 0);
    assert_eq!(float32::add(minus_tiny, minus_tiny, Flush), 0x8000_0000);
    assert_eq!(float32::mul(least, 0x3f00_0000, Keep), 0x0040_0000);
    assert_eq!(float32::mul(least, 0xbf00_0000, Flush), 0x8000_0000);
    assert_eq!(float32::div(float32::ONE, minus_tiny, Flush), 0xff80_0000);
    assert_eq!(float32::sub(0x0080_0001, least, Keep), 1);
    assert_eq!(float32::sub(0x0080_0001, least, Flush), 0);
    // Just below the least normal, rounding up to it: not denormal after rounding, so kept.
    assert_eq!(float32::mul(0x00ff_ffff, 0x3f00_0000, Flush), least);
    assert_eq!(float32::fma(least, 0x3f00_0000, 0, Flush), 0);
    assert_eq!(float32::ceil(tiny, Keep), float32::ONE);
    assert_eq!(float32::ceil(tiny, Flush), 0);
    assert!(float32::eq(tiny, minus_tiny, Flush) && !float32::eq(tiny, minus_tiny, Keep));
    assert!(float32::lt(0, tiny, Keep) && !float32::lt(0, tiny, Flush));
    assert_eq!(float64::from_f32(tiny, Flush), 0);
    // 2^-127.
    let half_least = 0x3800_0000_0000_0000;
    assert_eq!(float64::to_f32(half_least, Rounding::NearestEven, Keep), 0x0040_0000);
    assert_eq!(float64::to_f32(half_least, Rounding::TowardZero, Flush), 0);
}

#[test]
fn min_and_max_follow_their_rule() {
    let (one, two, nan, signalling) = (0x3f80_0000, 0x4000_0000, 0x7fc0_0000, 0xff80_0001);
    let (zero, minus_zero) = (0, 0x8000_0000);
    let d3d = |a, b| (float32::min(a, b, MinMax::NanLoses, Flush), float32::max(a, b, MinMax::NanLoses, Flush));
    assert_eq!(d3d(one, two), (one, two));
    assert_eq!(d3d(signalling, one), (one, one));
    assert_eq!(d3d(one, nan), (one, one));
    assert_eq!(d3d(signalling, signalling), (nan, nan));
    // a < b ? a : b and a >= b ? a : b of equal zeros.
    assert_eq!(d3d(minus_zero, zero), (zero, minus_zero));
    assert_eq!(d3d(1, one), (0, one));
    let wgsl = |a, b| (float32::min(a, b, MinMax::Literal, Keep), float32::max(a, b, MinMax::Literal, Keep));
    assert_eq!(wgsl(one, two), (one, two));
    assert_eq!(wgsl(signalling, one), (signalling, signalling));
    assert_eq!(wgsl(one, nan), (one, one));
    assert_eq!(wgsl(minus_zero, zero), (minus_zero, minus_zero));
    assert_eq!(wgsl(1, 2), (1, 2));
    let nan64 = float64::NAN;
    let one64 = float64::ONE;
    assert_eq!(float64::min(nan64 | 1, one64, MinMax::NanLoses), one64);
    assert_eq!(float64::max(nan64 | 1, nan64 | 2, MinMax::NanLoses), nan64);
    assert_eq!(float64::max(nan64 | 1, one64, MinMax::Literal), nan64 | 1);
}

#[test]
fn saturate_and_fraction() {
    for (a, want) in [
        (0x7fc0_0001, 0),
        (0xff80_0000, 0),
        (0x8000_0000, 0),
        (0x3e80_0000, 0x3e80_0000),
        (0x4000_0000, 0x3f80_0000),
        (0x7f80_0000, 0x3f80_0000),
        (1, 0),
    ] {
        assert_eq!(float32::saturate(a, Flush), want, "{a:#010x}");
    }
    assert_eq!(float32::saturate(1, Keep), 1);
    for (a, want) in [
        (1.25f32, 0.25f32),
        (-1.25, 0.75),
        (-0.0, 0.0),
        (3.0, 0.0),
        // 1 - 2^-25 is a tie between 1 - 2^-24 and 1, and 1 is even.
        (-f32::from_bits(0x3300_0000), 1.0),
        (-f32::from_bits(0x3300_0001), f32::from_bits(0x3f7f_ffff)),
        (-1e-30, 1.0),
    ] {
        assert_eq!(float32::frc(a.to_bits(), Flush), want.to_bits(), "{a}");
    }
    assert_eq!(float32::frc(0x7f80_0000, Flush), float32::NAN);
}

#[test]
fn sign_frexp_modf_quantize() {
    assert_eq!(float32::sign(0xc000_0000, Keep), 0xbf80_0000);
    assert_eq!(float32::sign(1, Keep), float32::ONE);
    assert_eq!([0, 0x8000_0000, float32::NAN].map(|a| float32::sign(a, Keep)), [0; 3]);
    assert_eq!(float32::frexp(8f32.to_bits(), Keep), (0.5f32.to_bits(), 4));
    assert_eq!(float32::frexp((-0.3f32).to_bits(), Keep), ((-0.6f32).to_bits(), -1));
    assert_eq!(float32::frexp(1, Keep), (0.5f32.to_bits(), -148));
    assert_eq!(float32::frexp(1, Flush), (0, 0));
    assert_eq!(float32::frexp(0xff80_0000, Keep), (0xff80_0000, 0));
    assert_eq!(float32::modf((-2.75f32).to_bits(), Keep), ((-0.75f32).to_bits(), (-2f32).to_bits()));
    assert_eq!(float32::modf(0x7f80_0000, Keep), (float32::NAN, 0x7f80_0000));
    // 65519.996 rounds to 65504; 65520 is the tie, and goes to infinity. 1 + 2^-11 ties to 1.
    assert_eq!(float16::quantize(0x477f_efff), 0x477f_e000);
    assert_eq!(float16::quantize(0x477f_f000), 0x7f80_0000);
    assert_eq!(float16::quantize(0x3f80_1000), float32::ONE);
    // D3D11.3 §3.2.2: a finite value too large gives the largest, toward zero.
    assert_eq!(float16::from_f32(0x7f7f_ffff, Rounding::TowardZero), 0x7bff);
    assert_eq!(float16::from_f32(0xff7f_ffff, Rounding::TowardZero), 0xfbff);
    assert_eq!(float16::from_f32(0xff80_0000, Rounding::TowardZero), 0xfc00);
    assert_eq!(float16::from_f32(1, Rounding::TowardZero), 0);
}

#[test]
fn dot_products_go_serially() {
    // (2^24 + 1) + -2^24 loses the 1 only in this order; the other way round keeps it.
    let v = [16_777_216f32, 1.0, -16_777_216.0, 0.5].map(f32::to_bits);
    let ones = [float32::ONE; 4];
    assert_eq!(float32::dot(v, ones, Flush), 0.5f32.to_bits());
    let v = [16_777_216f32, -16_777_216.0, 1.0].map(f32::to_bits);
    assert_eq!(float32::dot(v, [float32::ONE; 3], Flush), float32::ONE);
}

#[test]
fn floats_become_integers() {
    let d3d = |a: f32| {
        (convert::f32_to_u32(a.to_bits(), OutOfRange::Integer), convert::f32_to_i32(a.to_bits(), OutOfRange::Integer) as i32)
    };
    assert_eq!(d3d(1e20), (u32::MAX, i32::MAX));
    assert_eq!(d3d(-1e20), (0, i32::MIN));
    assert_eq!(d3d(f32::NAN), (0, 0));
    assert_eq!(d3d(-1.9), (0, -1));
    assert_eq!(d3d(f32::INFINITY), (u32::MAX, i32::MAX));
    let wgsl = |a: f32| {
        let rule = OutOfRange::Representable;
        (convert::f32_to_u32(a.to_bits(), rule), convert::f32_to_i32(a.to_bits(), rule))
    };
    assert_eq!(wgsl(1e20), (0xffff_ff00, 0x7fff_ff80));
    assert_eq!(wgsl(-1e20), (0, 0x8000_0000));
    assert_eq!(wgsl(f32::NAN), (0, 0));
    assert_eq!(wgsl(4_294_967_040.0), (0xffff_ff00, 0x7fff_ff80));
    let rule = OutOfRange::Representable;
    // The largest f32 below 2^64 and 2^63, the largest f64 below them.
    assert_eq!(convert::f32_to_u64(1e30f32.to_bits(), rule), (2f64.powi(64) - 2f64.powi(40)) as u64);
    assert_eq!(convert::f32_to_i64(1e30f32.to_bits(), rule), (2f64.powi(63) - 2f64.powi(39)) as u64);
    assert_eq!(float64::to_u64(1e30f64.to_bits(), rule), (2f64.powi(64) - 2f64.powi(11)) as u64);
    assert_eq!(float64::to_i64(1e30f64.to_bits(), rule), (2f64.powi(63) - 2f64.powi(10)) as u64);
    assert_eq!(float64::to_i64((-1e30f64).to_bits(), rule), 1 << 63);
    assert_eq!(float64::to_i64(1e30f64.to_bits(), OutOfRange::Integer), i64::MAX as u64);
    assert_eq!(float64::to_u32(4_294_967_295.9f64.to_bits()), u32::MAX);
    assert_eq!(float64::to_i32((-2_147_483_649f64).to_bits()) as i32, i32::MIN);
    assert_eq!(float64::to_i32(float64::NAN), 0);
    // f16 holds 65504 at most.
    assert_eq!(float16::to_u32(0x7c00, rule), 65504);
    assert_eq!(float16::to_i32(0xfc00, rule) as i32, -65504);
    assert_eq!(float16::to_u32(0x7c00, OutOfRange::Integer), u32::MAX);
    assert_eq!(float16::to_i32(0xc200, rule) as i32, -3);
}

#[test]
fn integers_become_floats() {
    let mut random = Random(9);
    for i in 0..200_000u32 {
        let a = random.bits() >> (i % 64);
        for (rounding, round) in ROUNDINGS {
            let unsigned = |a: u64, width: u32| {
                let value = u128::from(a);
                match width {
                    16 => bits(Half::from_u128_r(value, round).value),
                    32 => bits(Single::from_u128_r(value, round).value),
                    _ => bits(Double::from_u128_r(value, round).value),
                }
            };
            assert_eq!(u64::from(convert::u64_to_f32(a, rounding)), unsigned(a, 32), "{a}");
            assert_eq!(convert::u64_to_f64(a, rounding), unsigned(a, 64), "{a}");
            let word = a as u32;
            assert_eq!(u64::from(convert::u32_to_f32(word, rounding)), unsigned(u64::from(word), 32), "{word}");
            assert_eq!(u64::from(convert::u32_to_f16(word, rounding)), unsigned(u64::from(word), 16), "{word}");
            let signed = i128::from(word as i32);
            assert_eq!(
                u64::from(convert::i32_to_f32(word, rounding)),
                bits(Single::from_i128_r(signed, round).value),
                "{signed}"
            );
            assert_eq!(u64::from(convert::i32_to_f16(word, rounding)), bits(Half::from_i128_r(signed, round).value), "{signed}");
            let signed = i128::from(a as i64);
            assert_eq!(u64::from(convert::i64_to_f32(a, rounding)), bits(Single::from_i128_r(signed, round).value), "{signed}");
            assert_eq!(convert::i64_to_f64(a, rounding), bits(Double::from_i128_r(signed, round).value), "{signed}");
        }
        let word = a as u32;
        assert_eq!(f64::from_bits(float64::from_u32(word)) as u64, u64::from(word));
        assert_eq!(f64::from_bits(float64::from_i32(word)) as i64, i64::from(word as i32));
    }
}

#[test]
fn fixed_point() {
    // 16.8: units of 1/256, to nearest even.
    for (a, want) in [
        (1.0f32, 256),
        (-0.5, -128),
        (0.001_953_125, 0),
        (0.005_859_375, 2),
        (-0.001_953_126, -1),
        (1e20, i32::MAX),
        (-1e20, i32::MIN),
        (f32::NAN, 0),
    ] {
        assert_eq!(convert::f32_to_fixed(a.to_bits(), 8), want, "{a}");
    }
    assert_eq!(convert::fixed_to_f32(-384, 8), (-1.5f32).to_bits());
    assert_eq!(convert::fixed_to_f32(i32::MAX, 31), float32::ONE);
}

#[test]
fn bit_operations_leave_nan_payloads() {
    assert_eq!(float32::abs(0xff80_0001), 0x7f80_0001);
    assert_eq!(float32::neg(0x7f80_0001), 0xff80_0001);
    assert_eq!(float64::abs(0xfff0_0000_0000_0001), 0x7ff0_0000_0000_0001);
    assert!(float32::ne(float32::NAN, float32::NAN, Flush) && float64::ne(float64::NAN, float64::NAN));
    assert!(!float32::ge(float32::NAN, 0, Flush) && !float64::eq(float64::NAN, float64::NAN));
    assert!(float64::lt(1, 2) && float64::ge(2, 2) && float64::eq(0, 1 << 63));
    assert!(float16::is_nan(0xfc01) && !float16::is_nan(0xfc00));
    assert_eq!(float64::rcp(2f64.to_bits()), 0.5f64.to_bits());
    assert_eq!(float32::rcp(0x8000_0000, Flush), 0xff80_0000);
}
