//! Allowed sets: ends from rational and 300-bit arithmetic (`data/allowed.py`), special values from the specifications' tables and sentences, and
//! enclosures over intervals against the sets of points in them.

mod common;
#[allow(dead_code, reason = "its main function prints the page")]
#[path = "../examples/allowed.rs"]
mod page;

use common::Random;
use gpuproof_number::Rounding;
use gpuproof_number::allowed::{
    Enclosure, Flushing, Format, Function, Interval, Operation, Permission, Set, Specification, Type, sampling,
};

const F32: Type = Type::Float(Format::F32);
const F16: Type = Type::Float(Format::F16);
const F64: Type = Type::Float(Format::F64);
const NAN: u64 = 0x7fc0_0000;
const INFINITY: u64 = 0x7f80_0000;
const MINUS_ZERO: u64 = 0x8000_0000;

/// Direct3D 11's rules for a format: f32 flushes.
fn d3d11(format: Type) -> Permission {
    let flushing = if format == F32 { Flushing::Always } else { Flushing::Never };
    Permission {
        specification: Specification::D3D11,
        flushing,
        refactor: false,
        rounding: Rounding::NearestEven,
        directed: false,
    }
}

fn wgsl() -> Permission {
    Permission {
        specification: Specification::Wgsl,
        flushing: Flushing::Optional,
        refactor: true,
        rounding: Rounding::NearestEven,
        directed: false,
    }
}

fn operation(permission: Permission, function: Function, operand: Type, result: Type) -> Operation {
    Operation { function, operand, result, permission }
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

/// Direct3D's set of a function of f32.
fn direct3d(function: Function, operands: &[u64]) -> Set {
    operation(d3d11(F32), function, F32, F32).allowed(operands)
}

/// WGSL's set of a function of f32.
fn webgpu(function: Function, operands: &[u64]) -> Set {
    operation(wgsl(), function, F32, F32).allowed(operands)
}

/// The set has just these patterns, of those and others nearby.
#[track_caller]
fn exactly(set: &Set, members: &[u64], others: &[u64]) {
    assert_eq!(set.unbounded, None);
    for member in members {
        assert!(set.contains(*member), "{member:#x} is missing in {set:?}");
    }
    for other in others {
        assert!(!set.contains(*other), "{other:#x} does not belong in {set:?}");
    }
}

#[track_caller]
fn open(set: &Set) {
    assert!(set.unbounded.is_some(), "{set:?}");
}

fn function(name: &str) -> Function {
    match name {
        "add" => Function::Add,
        "sub" => Function::Sub,
        "mul" => Function::Mul,
        "div" => Function::Div,
        "mad" => Function::Mad,
        "fma" => Function::Fma,
        "dot2" => Function::Dot2,
        "dot3" => Function::Dot3,
        "dot4" => Function::Dot4,
        "sqrt" => Function::Sqrt,
        "rsqrt" => Function::Rsqrt,
        "rcp" => Function::Rcp,
        "exp2" => Function::Exp2,
        "exp" => Function::Exp,
        "log2" => Function::Log2,
        "log" => Function::Log,
        "sin" => Function::Sin,
        "cos" => Function::Cos,
        "asin" => Function::Asin,
        "acos" => Function::Acos,
        "atan" => Function::Atan,
        "atan2" => Function::Atan2,
        "fract" => Function::Fract,
        other => panic!("no function {other}"),
    }
}

/// The pattern one step up (or down) in value, of a finite value that is not 0.
fn step(pattern: u64, sign: u64, up: bool) -> u64 {
    if (pattern & sign == 0) == up { pattern + 1 } else { pattern - 1 }
}

#[test]
fn ends_of_sets_are_where_exact_arithmetic_puts_them() {
    let mut wrong = Vec::new();
    for row in include_str!("data/allowed.rows").lines() {
        let (left, right) = row.split_once(" : ").expect("a colon");
        let mut words = left.split(' ');
        let specification = words.next().expect("a specification");
        let function = function(words.next().expect("a function"));
        let (format, sign) = if words.next() == Some("f16") { (F16, 1 << 15) } else { (F32, 1 << 31) };
        let hex = |word: &str| u64::from_str_radix(word, 16).expect("a pattern");
        let operands: Vec<u64> = words.map(hex).collect();
        let ends: Vec<u64> = right.split(' ').map(hex).collect();
        let permission = if specification == "wgsl" { wgsl() } else { d3d11(format) };
        let set = operation(permission, function, format, format).allowed(&operands);
        let inside = [ends[0], ends[1]];
        let outside = [step(ends[0], sign, false), step(ends[1], sign, true)];
        let holds = set.unbounded.is_none()
            && !set.sections.is_empty()
            && inside.iter().all(|member| set.contains(*member))
            && !outside.iter().any(|other| set.contains(*other));
        if !holds {
            wrong.push(format!("{row}\n    {set:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// 2^n.
fn power(n: i32) -> f32 {
    2f32.powi(n)
}

/// The sets that sentences and tables of the Direct3D 11.3 specification give; the test names the section.
mod direct3d_11 {
    use super::*;

    const DENORMAL: u64 = 5;

    #[test]
    fn flushes_denormals_in_and_out_of_arithmetic_3_1_3() {
        exactly(&direct3d(Function::Add, &[DENORMAL, bits(0.0)]), &[0], &[DENORMAL, MINUS_ZERO, 1]);
        exactly(&direct3d(Function::Mul, &[bits(power(-100)), bits(-power(-30))]), &[MINUS_ZERO], &[0, 0x8008_0000, 0x8000_0001]);
        // f16 and f64 keep them.
        let half = operation(d3d11(F16), Function::Add, F16, F16).allowed(&[5, 0]);
        exactly(&half, &[5], &[0, 4, 6]);
        let double = operation(d3d11(F64), Function::Add, F64, F64).allowed(&[5, 1]);
        exactly(&double, &[6], &[0, 5, 7]);
    }

    #[test]
    fn a_nan_loses_in_min_and_max_and_zeros_are_ordered_freely_22_10_10() {
        exactly(&direct3d(Function::Min, &[NAN, bits(1.0)]), &[bits(1.0)], &[NAN, bits(1.0) + 1, bits(1.0) - 1]);
        exactly(&direct3d(Function::Max, &[bits(1.0), NAN | 1]), &[bits(1.0)], &[NAN]);
        exactly(&direct3d(Function::Min, &[NAN, NAN]), &[NAN, 0xffff_ffff], &[0, INFINITY]);
        exactly(&direct3d(Function::Max, &[bits(0.0), MINUS_ZERO]), &[0, MINUS_ZERO], &[1, 0x8000_0001]);
        exactly(&direct3d(Function::Min, &[bits(2.0), bits(1.0)]), &[bits(1.0)], &[bits(2.0), bits(1.5)]);
        exactly(&direct3d(Function::Min, &[INFINITY, bits(1.0)]), &[bits(1.0)], &[INFINITY]);
    }

    #[test]
    fn a_denormal_minimum_may_stay_22_10_11() {
        exactly(&direct3d(Function::Min, &[DENORMAL, bits(1.0)]), &[DENORMAL, 0], &[4, 6, bits(1.0), INFINITY, bits(-1.0)]);
        // Both are flushed for the comparison, so either may come back.
        exactly(&direct3d(Function::Min, &[DENORMAL, 9]), &[DENORMAL, 9, 0], &[4, 6, 8, 10, bits(1.0)]);
    }

    #[test]
    fn saturation_gives_0_for_nan_22_19_1() {
        exactly(&direct3d(Function::Saturate, &[NAN]), &[0], &[NAN, bits(1.0), 1]);
        exactly(&direct3d(Function::Saturate, &[bits(-3.0)]), &[0], &[bits(-3.0), 1]);
        exactly(&direct3d(Function::Saturate, &[MINUS_ZERO]), &[0, MINUS_ZERO], &[1]);
        exactly(&direct3d(Function::Saturate, &[INFINITY]), &[bits(1.0)], &[INFINITY, bits(1.0) - 1]);
        exactly(&direct3d(Function::Saturate, &[bits(0.25)]), &[bits(0.25)], &[bits(0.25) + 1, bits(0.25) - 1]);
    }

    #[test]
    fn division_by_the_tables_of_22_10_2() {
        exactly(&direct3d(Function::Div, &[bits(7.3), bits(-1.0)]), &[bits(-7.3)], &[bits(-7.3) + 1, bits(-7.3) - 1]);
        exactly(&direct3d(Function::Div, &[bits(1.0), MINUS_ZERO]), &[0xff80_0000], &[INFINITY, bits(f32::MIN)]);
        exactly(&direct3d(Function::Div, &[0, 0]), &[NAN], &[0, INFINITY]);
        exactly(&direct3d(Function::Div, &[0, bits(-2.0)]), &[MINUS_ZERO], &[0, 0x8000_0001]);
        // 1 / 2^127 is a denormal that may be flushed: then the product is 0.
        let set = direct3d(Function::Div, &[bits(power(127)), bits(power(127))]);
        exactly(&set, &[bits(1.0), 0], &[bits(0.5), bits(1.0) + 1, bits(1.0) - 1, bits(2.0), MINUS_ZERO]);
    }

    #[test]
    fn refactoring_leaves_infinities_and_nan_open_22_3_2() {
        let free = Permission { refactor: true, ..d3d11(F32) };
        let set = |function, operands: &[u64]| operation(free, function, F32, F32).allowed(operands);
        open(&set(Function::Sub, &[INFINITY, INFINITY]));
        open(&set(Function::Div, &[bits(1.0), 0]));
        open(&set(Function::Add, &[bits(f32::MAX), bits(f32::MAX)]));
        open(&set(Function::Mul, &[NAN, 0]));
        exactly(&set(Function::Add, &[bits(1.0), bits(2.0)]), &[bits(3.0)], &[bits(3.0) + 1]);
        // Precise ones are fixed.
        exactly(&direct3d(Function::Sub, &[INFINITY, INFINITY]), &[NAN], &[0, INFINITY]);
        exactly(&direct3d(Function::Add, &[bits(f32::MAX), bits(f32::MAX)]), &[INFINITY], &[bits(f32::MAX)]);
    }

    #[test]
    fn mad_is_fused_or_not_3_1_3() {
        // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 fused; rounded first, to even, the square is 1 + 2^-11, and the difference 0. Nothing is as far off as
        // 2^-24 but what lies from 0 to 2^-23.
        let x = bits(1.0 + power(-12));
        let c = bits(-1.0 - power(-11));
        let set = direct3d(Function::Mad, &[x, x, c]);
        exactly(&set, &[0, bits(power(-24)), bits(power(-23))], &[bits(power(-23)) + 1, bits(-power(-60))]);
        // A product that overflows on its own may be kept.
        let set = direct3d(Function::Mad, &[bits(f32::MAX), bits(2.0), bits(-f32::MAX)]);
        exactly(&set, &[INFINITY, bits(f32::MAX)], &[0, NAN, bits(f32::MAX) - 1]);
        // A dfma is rounded once.
        let fma = operation(d3d11(F64), Function::Fma, F64, F64).allowed(&[1.5f64.to_bits(), 1.5f64.to_bits(), 0]);
        exactly(&fma, &[2.25f64.to_bits()], &[2.25f64.to_bits() + 1]);
    }

    #[test]
    fn a_dot_product_goes_in_any_order_3_1_3() {
        // 2^30 + 1 - 2^30: from left to right 0, in other orders 1; so anything from 0 to 2.
        let one = bits(1.0);
        let set = direct3d(Function::Dot3, &[bits(power(30)), one, bits(-power(30)), one, one, one]);
        exactly(&set, &[0, one, bits(2.0)], &[bits(2.0) + 1, bits(-1e-30)]);
    }

    #[test]
    fn special_values_of_functions_22_10() {
        exactly(&direct3d(Function::Sqrt, &[MINUS_ZERO]), &[MINUS_ZERO], &[0, NAN]);
        exactly(&direct3d(Function::Sqrt, &[bits(-1.0)]), &[NAN], &[0, bits(1.0)]);
        exactly(&direct3d(Function::Rsqrt, &[MINUS_ZERO]), &[0xff80_0000], &[INFINITY, bits(f32::MIN)]);
        exactly(&direct3d(Function::Rsqrt, &[INFINITY]), &[0], &[1, MINUS_ZERO]);
        exactly(&direct3d(Function::Rcp, &[0x8000_0005]), &[0xff80_0000], &[INFINITY]);
        exactly(&direct3d(Function::Rcp, &[0xff80_0000]), &[MINUS_ZERO], &[0]);
        exactly(&direct3d(Function::Exp2, &[MINUS_ZERO]), &[bits(1.0)], &[bits(1.0) + 1, bits(1.0) - 1]);
        exactly(&direct3d(Function::Exp2, &[0xff80_0000]), &[0], &[1, bits(power(-126))]);
        exactly(&direct3d(Function::Exp2, &[bits(200.0)]), &[INFINITY], &[bits(f32::MAX)]);
        exactly(&direct3d(Function::Log2, &[DENORMAL]), &[0xff80_0000], &[bits(-127.0)]);
        exactly(&direct3d(Function::Log2, &[bits(-1.0)]), &[NAN], &[0]);
        exactly(&direct3d(Function::Sin, &[MINUS_ZERO]), &[MINUS_ZERO], &[0, bits(0.0001)]);
        exactly(&direct3d(Function::Cos, &[0]), &[bits(1.0)], &[bits(1.0) - 1]);
        exactly(&direct3d(Function::Sin, &[INFINITY]), &[NAN], &[0, bits(1.0)]);
        // The f32 above -126 in magnitude is 2^-17 away: 2^-126 (1 - 2^-17.5), a denormal whatever the error.
        exactly(&direct3d(Function::Exp2, &[bits(-126.0) + 1]), &[0], &[1, 0x007f_ffff, bits(power(-126))]);
    }

    #[test]
    fn a_sine_outside_100_pi_lies_in_the_unit_interval_and_nothing_else_is_said_22_10_20() {
        let set = direct3d(Function::Sin, &[bits(315.0)]);
        open(&set);
        assert!(set.contains(bits(-1.0)) && set.contains(bits(0.5)) && !set.contains(bits(1.0) + 1) && !set.contains(NAN));
        assert!(direct3d(Function::Sin, &[bits(314.0)]).is_bounded());
        // Inside, too, nothing leaves [-1, 1]: sin(1.5708) + 0.0008 would.
        exactly(&direct3d(Function::Sin, &[bits(1.570_796_4)]), &[bits(1.0), bits(0.999_201)], &[bits(1.0) + 1, bits(0.999_199)]);
    }

    #[test]
    fn frc_may_round_to_1_though_its_table_says_otherwise_22_10_7() {
        exactly(&direct3d(Function::Fract, &[bits(-1e-20)]), &[bits(1.0), bits(1.0) - 1], &[bits(1.0) - 2, 0]);
        exactly(&direct3d(Function::Fract, &[bits(-0.25)]), &[bits(0.75)], &[bits(0.75) + 1, bits(0.75) - 1]);
        exactly(&direct3d(Function::Fract, &[INFINITY]), &[NAN], &[0]);
    }

    #[test]
    fn exact_functions_have_one_result_22_10_14_to_17() {
        for (function, x, y) in [
            (Function::Floor, -1.5, -2.0),
            (Function::Ceil, 1.25, 2.0),
            (Function::Trunc, -1.75, -1.0),
            (Function::Round, 2.5, 2.0),
            (Function::Abs, -3.0, 3.0),
            (Function::Neg, 3.0, -3.0),
            (Function::Sign, -7.0, -1.0),
        ] {
            exactly(&direct3d(function, &[bits(x)]), &[bits(y)], &[bits(y) + 1, bits(y) - 1, bits(-y)]);
        }
        exactly(&direct3d(Function::Ceil, &[bits(-0.5)]), &[MINUS_ZERO], &[0]);
        exactly(&direct3d(Function::Floor, &[INFINITY]), &[INFINITY], &[bits(f32::MAX)]);
        // A modifier flips the sign of a denormal and keeps the rest (22.18.2).
        exactly(&direct3d(Function::Neg, &[DENORMAL]), &[0x8000_0005], &[0x8000_0006, DENORMAL]);
        exactly(&direct3d(Function::Derivative, &[bits(1.5), bits(1.0)]), &[bits(0.5)], &[bits(0.5) + 1, bits(-0.5)]);
    }

    #[test]
    fn comparisons_flush_and_are_false_with_nan_but_ne_3_1_3() {
        let truth = |function, operands: &[u64]| operation(d3d11(F32), function, F32, Type::Truth).allowed(operands);
        exactly(&truth(Function::Equal, &[DENORMAL, MINUS_ZERO]), &[1], &[0]);
        exactly(&truth(Function::NotEqual, &[NAN, NAN]), &[1], &[0]);
        exactly(&truth(Function::LessEqual, &[NAN, 0]), &[0], &[1]);
        exactly(&truth(Function::Less, &[bits(1.0), bits(1.0)]), &[0], &[1]);
        exactly(&truth(Function::Less, &[bits(1.0), bits(1.0) + 1]), &[1], &[0]);
    }

    #[test]
    fn integers_convert_to_either_neighbour_22_13_6() {
        let set = operation(d3d11(F32), Function::FromInteger, Type::Unsigned(32), F32).allowed(&[3_267_677_828]);
        exactly(&set, &[bits(3_267_677_696.0), bits(3_267_677_952.0)], &[bits(3_267_677_952.0) + 1, bits(3_267_677_696.0) - 1]);
        let set = operation(d3d11(F32), Function::FromInteger, Type::Signed(32), F32).allowed(&[0xffff_ffff]);
        exactly(&set, &[bits(-1.0)], &[bits(-1.0) + 1, bits(-1.0) - 1]);
        let set = operation(d3d11(F64), Function::FromInteger, Type::Unsigned(32), F64).allowed(&[0xffff_ffff]);
        exactly(&set, &[4_294_967_295f64.to_bits()], &[4_294_967_295f64.to_bits() + 1]);
    }

    #[test]
    fn floats_convert_to_integers_one_way_22_13_3() {
        let set = |result, x: u64| operation(d3d11(F32), Function::ToInteger, F32, result).allowed(&[x]);
        exactly(&set(Type::Signed(32), NAN), &[0], &[1, 0x8000_0000]);
        exactly(&set(Type::Unsigned(32), bits(1e20)), &[0xffff_ffff], &[0xffff_ff00]);
        exactly(&set(Type::Signed(32), bits(-1.9)), &[0xffff_ffff], &[0, 0xffff_fffe]);
        exactly(&set(Type::Unsigned(32), bits(-1.0)), &[0], &[1]);
    }

    #[test]
    fn f32tof16_goes_toward_zero_3_2_2() {
        let rule = Permission { rounding: Rounding::TowardZero, ..d3d11(F32) };
        let set = |x: u64| operation(rule, Function::Convert, F32, F16).allowed(&[x]);
        exactly(&set(bits(1e6)), &[0x7bff], &[0x7c00, 0x7bfe]);
        exactly(&set(INFINITY), &[0x7c00], &[0x7bff]);
        exactly(&set(bits(1.0 + power(-11) + power(-12))), &[0x3c00], &[0x3c01]);
        // From f64 to f32 a denormal may be kept (22.17.1).
        let set = operation(d3d11(F32), Function::Convert, F64, F32)
            .allowed(&[(f64::from(power(-100)) * f64::from(power(-30))).to_bits()]);
        exactly(&set, &[0, 0x0008_0000], &[0x0008_0001, 0x0007_ffff]);
    }

    #[test]
    fn normalised_integers_have_six_tenths_of_a_step_3_2_3() {
        let set = |result, x: f32| operation(d3d11(F32), Function::ToNormalized, F32, result).allowed(&[bits(x)]);
        let byte = Type::Unsigned(8);
        exactly(&set(byte, 100.55 / 255.0), &[100, 101], &[99, 102]);
        exactly(&set(byte, 100.65 / 255.0), &[101], &[100, 102]);
        exactly(&set(byte, 2.0), &[255], &[254]);
        exactly(&set(Type::Signed(8), -100.45 / 127.0), &[156, 155], &[157, 154]);
        let nan = operation(d3d11(F32), Function::ToNormalized, F32, byte).allowed(&[NAN]);
        exactly(&nan, &[0], &[1, 255]);
        let back = operation(d3d11(F32), Function::FromNormalized, byte, F32).allowed(&[51]);
        exactly(&back, &[bits(0.2)], &[bits(0.2) + 1, bits(0.2) - 1]);
        let least = operation(d3d11(F32), Function::FromNormalized, Type::Signed(8), F32).allowed(&[0x80]);
        exactly(&least, &[bits(-1.0)], &[bits(-1.0) - 1]);
    }

    #[test]
    fn a_double_reciprocal_has_one_ulp_22_14_5() {
        let set = |x: f64| operation(d3d11(F64), Function::Rcp, F64, F64).allowed(&[x.to_bits()]);
        let third = (1.0f64 / 3.0).to_bits();
        exactly(&set(3.0), &[third, third + 1], &[third - 1, third + 2]);
        exactly(&set(4.0), &[0.25f64.to_bits()], &[0.25f64.to_bits() + 1, 0.25f64.to_bits() - 1]);
    }
}

/// The sets that sentences of the WGSL specification give; the test names the section.
mod web_gpu {
    use super::*;

    const DENORMAL: u64 = 5;

    #[test]
    fn denormals_are_kept_or_flushed_15_7_2() {
        exactly(&webgpu(Function::Add, &[DENORMAL, 0]), &[DENORMAL, 0, MINUS_ZERO], &[1, 4, 6, 0x8000_0005]);
        exactly(
            &webgpu(Function::Mul, &[bits(power(-100)), bits(power(-30))]),
            &[0, 0x0008_0000],
            &[1, 0x0008_0001, 0x0007_ffff],
        );
        exactly(&webgpu(Function::Min, &[DENORMAL, 9]), &[DENORMAL, 9, 0], &[4, 10, bits(1.0)]);
        exactly(&webgpu(Function::Floor, &[0x8000_0005]), &[bits(-1.0), 0, MINUS_ZERO], &[bits(-0.5), 0x8000_0005]);
        exactly(&webgpu(Function::Neg, &[DENORMAL]), &[0x8000_0005, MINUS_ZERO], &[DENORMAL, 0x8000_0004]);
        let equal = operation(wgsl(), Function::Equal, F32, Type::Truth).allowed(&[DENORMAL, 0]);
        exactly(&equal, &[0, 1], &[]);
        let equal = operation(wgsl(), Function::Equal, F32, Type::Truth).allowed(&[bits(1.0), bits(1.0) + 1]);
        exactly(&equal, &[0], &[1]);
    }

    #[test]
    fn infinities_nan_and_overflow_leave_results_open_15_7_2() {
        open(&webgpu(Function::Add, &[INFINITY, bits(1.0)]));
        open(&webgpu(Function::Min, &[NAN, bits(1.0)]));
        open(&webgpu(Function::Add, &[bits(f32::MAX), bits(f32::MAX)]));
        open(&webgpu(Function::Exp2, &[bits(128.0)]));
        open(&webgpu(Function::Mad, &[bits(f32::MAX), bits(2.0), bits(-f32::MAX)]));
        open(&operation(wgsl(), Function::Less, F32, Type::Truth).allowed(&[INFINITY, 0]));
        // The largest number plus less than one of its units overflows if rounded up.
        open(&webgpu(Function::Add, &[bits(f32::MAX), bits(1.0)]));
        assert!(webgpu(Function::Add, &[bits(power(126)), bits(power(126))]).is_bounded());
    }

    #[test]
    fn zeros_have_no_sign_15_7_2() {
        exactly(&webgpu(Function::Mul, &[bits(-1.0), 0]), &[0, MINUS_ZERO], &[1]);
        exactly(&webgpu(Function::Min, &[0, MINUS_ZERO]), &[0, MINUS_ZERO], &[0x8000_0001]);
        exactly(&webgpu(Function::Sign, &[MINUS_ZERO]), &[0, MINUS_ZERO], &[bits(1.0)]);
    }

    #[test]
    fn accuracy_ends_where_its_range_does_15_7_4() {
        open(&webgpu(Function::Div, &[bits(1.0), 0]));
        open(&webgpu(Function::Div, &[bits(1.0), bits(power(127))]));
        open(&webgpu(Function::Div, &[bits(1.0), bits(power(126)) + 1]));
        assert!(webgpu(Function::Div, &[bits(1.0), bits(power(126))]).is_bounded());
        open(&webgpu(Function::Sin, &[bits(core::f32::consts::PI)]));
        assert!(webgpu(Function::Sin, &[bits(core::f32::consts::PI) - 1]).is_bounded());
        open(&webgpu(Function::Atan2, &[bits(1.0), 0]));
        open(&webgpu(Function::Atan2, &[DENORMAL, bits(1.0)]));
        open(&webgpu(Function::Atan2, &[0, bits(1.0)]));
    }

    #[test]
    fn operands_outside_a_domain_leave_results_open_15_7_7() {
        open(&webgpu(Function::Log2, &[0]));
        open(&webgpu(Function::Log2, &[bits(-1.0)]));
        open(&webgpu(Function::Sqrt, &[bits(-1.0)]));
        open(&webgpu(Function::Sqrt, &[0]));
        open(&webgpu(Function::Rsqrt, &[0]));
        open(&webgpu(Function::Asin, &[bits(1.5)]));
        open(&webgpu(Function::Derivative, &[bits(1.0), bits(0.5)]));
        assert!(webgpu(Function::Asin, &[bits(0.5)]).is_bounded());
    }

    #[test]
    fn ldexp_and_frexp_at_their_extremes_17_5() {
        let set = |x: u64, n: i32| webgpu(Function::Ldexp, &[x, u64::from(n as u32)]);
        exactly(&set(bits(1.5), 3), &[bits(12.0)], &[bits(12.0) + 1, bits(12.0) - 1]);
        exactly(&set(bits(1.0), -127), &[0, 0x0040_0000], &[0x0040_0001, 0x003f_ffff]);
        exactly(&set(bits(power(100)), -126), &[bits(power(-26))], &[0]);
        exactly(&set(bits(power(100)), -127), &[bits(power(-27)), 0], &[bits(power(-27)) + 1]);
        exactly(&set(bits(power(-10)), 128), &[bits(power(118))], &[bits(power(118)) + 1]);
        open(&set(bits(power(-10)), 129));
        open(&set(bits(2.0), 127));
        let frexp = |x: u64| {
            let part = |function, result| operation(wgsl(), function, F32, result).allowed(&[x]);
            (part(Function::FrexpFraction, F32), part(Function::FrexpExponent, Type::Signed(32)))
        };
        let (fraction, exponent) = frexp(bits(-12.0));
        exactly(&fraction, &[bits(-0.75)], &[bits(0.75), bits(-0.75) + 1]);
        exactly(&exponent, &[4], &[3, 5]);
        let (fraction, exponent) = frexp(0);
        exactly(&fraction, &[0, MINUS_ZERO], &[bits(0.5)]);
        exactly(&exponent, &[0], &[1]);
        open(&frexp(DENORMAL).0);
        open(&frexp(DENORMAL).1);
        open(&frexp(INFINITY).1);
    }

    #[test]
    fn conversions_15_7_6() {
        let to = |result, x: u64| operation(wgsl(), Function::ToInteger, F32, result).allowed(&[x]);
        exactly(&to(Type::Unsigned(32), bits(3.9)), &[3], &[4, 2]);
        exactly(&to(Type::Unsigned(32), bits(-1.0)), &[0], &[1]);
        exactly(&to(Type::Unsigned(32), bits(1e20)), &[4_294_967_040], &[0xffff_ffff]);
        exactly(&to(Type::Signed(32), bits(1e20)), &[2_147_483_520], &[0x7fff_ffff]);
        exactly(&to(Type::Signed(32), bits(-1e20)), &[0x8000_0000], &[0x8000_0001]);
        open(&to(Type::Signed(32), NAN));
        let from = operation(wgsl(), Function::FromInteger, Type::Unsigned(32), F32).allowed(&[(1 << 28) + 1]);
        exactly(&from, &[bits(power(28)), bits(power(28)) + 1], &[bits(power(28)) - 1, bits(power(28)) + 2]);
        let half = |x: u64| operation(wgsl(), Function::Convert, F32, F16).allowed(&[x]);
        exactly(&half(bits(1.0 + power(-12))), &[0x3c00, 0x3c01], &[0x3bff, 0x3c02]);
        open(&half(bits(70000.0)));
        let byte = operation(wgsl(), Function::ToNormalized, F32, Type::Signed(8)).allowed(&[bits(-0.5)]);
        // floor(0.5 - 63.5) is exact.
        exactly(&byte, &[0xc1], &[0xc0, 0xc2]);
        // 51 / 255 lies 0.8 of a unit above 0x3e4ccccc; 3 units reach from there to 0x3e4cccc9.8 and 0x3e4ccccf.8 (15.7.4.1).
        let back = operation(wgsl(), Function::FromNormalized, Type::Unsigned(8), F32).allowed(&[51]);
        exactly(&back, &[0x3e4c_ccca, 0x3e4c_cccf], &[0x3e4c_ccc9, 0x3e4c_ccd0]);
    }
}

/// Enclosures against the sets of points in them.
mod intervals {
    use super::*;

    const FUNCTIONS: &[(Function, usize)] = &[
        (Function::Add, 2),
        (Function::Sub, 2),
        (Function::Mul, 2),
        (Function::Div, 2),
        (Function::Mad, 3),
        (Function::Fma, 3),
        (Function::Dot2, 4),
        (Function::Dot3, 6),
        (Function::Sqrt, 1),
        (Function::Rsqrt, 1),
        (Function::Rcp, 1),
        (Function::Exp2, 1),
        (Function::Log2, 1),
        (Function::Exp, 1),
        (Function::Log, 1),
        (Function::Sin, 1),
        (Function::Cos, 1),
        (Function::Asin, 1),
        (Function::Acos, 1),
        (Function::Atan, 1),
        (Function::Atan2, 2),
        (Function::Min, 2),
        (Function::Max, 2),
        (Function::Saturate, 1),
        (Function::Floor, 1),
        (Function::Ceil, 1),
        (Function::Trunc, 1),
        (Function::Round, 1),
        (Function::Fract, 1),
        (Function::Abs, 1),
        (Function::Neg, 1),
        (Function::Sign, 1),
        (Function::Equal, 2),
        (Function::NotEqual, 2),
        (Function::Less, 2),
        (Function::LessEqual, 2),
        (Function::FrexpFraction, 1),
        (Function::FrexpExponent, 1),
        (Function::ToInteger, 1),
        (Function::ToNormalized, 1),
    ];

    fn result(function: Function, format: Type) -> Type {
        match function {
            Function::Equal | Function::NotEqual | Function::Less | Function::LessEqual => Type::Truth,
            Function::FrexpExponent | Function::ToInteger => Type::Signed(32),
            Function::ToNormalized => Type::Unsigned(8),
            _ => format,
        }
    }

    /// A pattern: of all kinds, of moderate size, or an edge.
    fn draw(random: &mut Random, format: Format) -> u64 {
        let word = random.bits();
        let edges32 =
            [0, MINUS_ZERO, bits(1.0), bits(-1.0), INFINITY, 0xff80_0000, NAN, 1, 0x8000_0007, bits(f32::MAX), bits(power(-126))];
        let edges16 = [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8007, 0x7bff, 0x0400];
        match (format, word % 8) {
            (Format::F32, 0) => edges32[(word >> 8) as usize % edges32.len()],
            (Format::F32, 1 | 2) => word >> 32,
            (Format::F32, _) => (word >> 32 & 0x807f_ffff) | (120 + (word >> 8) % 14) << 23,
            (_, 0) => edges16[(word >> 8) as usize % edges16.len()],
            (_, 1 | 2) => word >> 48,
            _ => (word >> 48 & 0x83ff) | (12 + (word >> 8) % 6) << 10,
        }
    }

    /// Every part of the set of points lies in the enclosure of intervals that have them, and what is open for a point is open for the interval.
    #[test]
    fn enclosures_have_every_point() {
        let mut random = Random(3);
        let mut bounded = 0;
        for (permission, format) in
            [(d3d11(F32), Format::F32), (wgsl(), Format::F32), (d3d11(F16), Format::F16), (wgsl(), Format::F16)]
        {
            for refactor in [false, true] {
                for (function, arity) in FUNCTIONS {
                    let float = Type::Float(format);
                    let permission = Permission { refactor, ..permission };
                    let operation = operation(permission, *function, float, result(*function, float));
                    for _ in 0..60 {
                        let pairs: Vec<[u64; 2]> =
                            (0..*arity).map(|_| [draw(&mut random, format), draw(&mut random, format)]).collect();
                        let wide = random.bits() & 1 == 0;
                        let intervals: Vec<Interval> = pairs
                            .iter()
                            .map(|[a, b]| {
                                let (a, b) = (Interval::point(format.value(*a)), Interval::point(format.value(*b)));
                                if wide { a.hull(b) } else { a }
                            })
                            .collect();
                        let enclosure = operation.enclose(&intervals);
                        for choice in 0..if wide { 1 << arity } else { 1 } {
                            let point: Vec<u64> = pairs.iter().enumerate().map(|(at, pair)| pair[choice >> at & 1]).collect();
                            let set = operation.allowed(&point);
                            let within = match enclosure {
                                Enclosure::Within(within) => {
                                    assert!(set.is_bounded(), "{operation:?} of {point:x?}: {set:?} in {intervals:?}");
                                    bounded += 1;
                                    within
                                }
                                Enclosure::Unbounded { within, .. } => within,
                            };
                            for part in &set.parts {
                                assert_eq!(within.hull(*part), within, "{operation:?} of {point:x?}: {set:?} in {intervals:?}");
                            }
                        }
                    }
                }
            }
        }
        assert!(bounded > 10_000, "{bounded}");
    }

    /// Interval arithmetic on reals against f64 arithmetic, which rounds to nearest: the result may be off by half a unit and no more.
    #[test]
    fn exact_results_lie_in_their_enclosures() {
        let mut random = Random(4);
        for _ in 0..20_000 {
            let [a, b] = [(); 2].map(|()| Format::F32.value(draw(&mut random, Format::F32)));
            if !a.is_finite() || !b.is_finite() || a == 0.0 || b == 0.0 {
                continue;
            }
            let points = [Interval::point(a), Interval::point(b)];
            let near = |function: Function, value: f64| {
                let exact = function.exact(&points).expect("a function of reals");
                assert!(exact.low <= value && value <= exact.high, "{function:?} of {a} and {b}: {value} in {exact:?}");
                assert!(exact.high - exact.low <= value.abs() * 4.0 * f64::EPSILON, "{function:?} of {a} and {b}: {exact:?}");
            };
            near(Function::Add, a + b);
            near(Function::Sub, a - b);
            near(Function::Mul, a * b);
            near(Function::Div, a / b);
            if a > 0.0 {
                near(Function::Sqrt, a.sqrt());
                near(Function::Rsqrt, 1.0 / a.sqrt());
            }
        }
    }

    #[test]
    fn turning_points_of_sine_and_cosine_are_found() {
        let at = |function: Function, low: f32, high: f32| {
            function.exact(&[Interval::new(low.into(), high.into())]).expect("a function of reals")
        };
        assert_eq!(at(Function::Sin, 1.0, 2.0).high, 1.0);
        assert_eq!(at(Function::Sin, 4.0, 5.0).low, -1.0);
        assert_eq!(at(Function::Cos, -0.5, 0.5).high, 1.0);
        assert_eq!(at(Function::Cos, 3.0, 3.5).low, -1.0);
        assert!(at(Function::Sin, 0.0, 1.5).high < 1.0 && at(Function::Cos, 0.5, 3.0).low > -1.0);
        let wide = at(Function::Sin, 0.0, 7.0);
        assert_eq!((wide.low, wide.high), (-1.0, 1.0));
    }

    #[test]
    fn quotients_by_what_may_be_0_reach_infinity() {
        let by = |low: f64, high: f64| Interval::point(1.0) / Interval::new(low, high);
        let both = by(-1.0, 2.0);
        assert_eq!((both.low, both.high, both.nan), (f64::NEG_INFINITY, f64::INFINITY, false));
        let positive = Interval::point(1.0) / Interval::new(0.5, 2.0);
        assert_eq!((positive.low, positive.high), (0.5, 2.0));
        let zero = Interval::point(0.0) / Interval::new(0.0, 1.0);
        assert!(zero.nan && zero.contains(0.0));
    }
}

#[test]
fn a_wrong_number_of_operands_promises_nothing() {
    open(&direct3d(Function::Add, &[]));
    open(&webgpu(Function::Sqrt, &[bits(1.0), bits(1.0)]));
    assert!(operation(wgsl(), Function::Dot2, F32, F32).enclose(&[Interval::NAN]).bounded().is_none());
}

/// The canonical result is a member wherever something is promised.
#[test]
fn canonical_results_are_members() {
    use gpuproof_number::Denormals::{Flush, Keep};
    use gpuproof_number::{Denormals, float32, functions, inverse};
    type Unary = fn(u32, Denormals) -> u32;
    type Binary = fn(u32, u32, Denormals) -> u32;
    let unary: &[(Function, Unary)] = &[
        (Function::Sqrt, float32::sqrt),
        (Function::Rsqrt, functions::rsqrt),
        (Function::Rcp, float32::rcp),
        (Function::Exp2, functions::exp2),
        (Function::Exp, functions::exp),
        (Function::Log2, functions::log2),
        (Function::Log, functions::log),
        (Function::Sin, functions::sin),
        (Function::Cos, functions::cos),
        (Function::Asin, inverse::asin),
        (Function::Acos, inverse::acos),
        (Function::Atan, inverse::atan),
        (Function::Saturate, float32::saturate),
        (Function::Floor, float32::floor),
        (Function::Round, float32::round_ties_even),
        (Function::Fract, float32::frc),
    ];
    let binary: &[(Function, Binary)] = &[
        (Function::Add, float32::add),
        (Function::Sub, float32::sub),
        (Function::Mul, float32::mul),
        (Function::Div, float32::div),
        (Function::Atan2, inverse::atan2),
    ];
    let mut random = Random(5);
    for round in 0..4000 {
        let word = random.bits();
        let moderate = |word: u32| (word & 0x807f_ffff) | (118 + (word >> 23) % 16) << 23;
        let (a, b) = if round % 4 == 0 {
            (word as u32, (word >> 32) as u32)
        } else {
            (moderate(word as u32), moderate((word >> 32) as u32))
        };
        for (permission, rule) in [(d3d11(F32), Flush), (wgsl(), Keep)] {
            let holds = |function: Function, operands: &[u64], canonical: u32| {
                let set = operation(permission, function, F32, F32).allowed(operands);
                assert!(
                    set.unbounded.is_some() || set.contains(canonical.into()),
                    "{function:?} of {operands:x?}: {canonical:#x} in {set:?}"
                );
            };
            unary.iter().for_each(|(function, f)| holds(*function, &[a.into()], f(a, rule)));
            binary.iter().for_each(|(function, f)| holds(*function, &[a.into(), b.into()], f(a, b, rule)));
            holds(Function::Mad, &[a.into(), b.into(), b.into()], float32::mad(a, b, b, rule));
        }
    }
}

/// Direct3D 11 7.18.
mod samplers {
    use super::*;

    #[test]
    fn weights_are_within_six_tenths_of_a_256th() {
        let at = |x: f64| sampling::linear(Interval::point(x));
        let pairs = at(10.251);
        assert_eq!(pairs.len(), 1);
        let (texel, weight) = pairs[0];
        assert_eq!(texel, 10.0);
        assert!(weight.contains(0.251 + 0.599 / 256.0) && !weight.contains(0.251 + 0.601 / 256.0));
        // What fixed point holds maps to itself: any other number of it is further away than 0.6 of the last place (3.2.4.1).
        assert_eq!(at(10.25), [(10.0, Interval::new(0.25, 0.25))]);
        // Beside a texel's centre the coordinate may fall on either side.
        let texels: Vec<f64> = at(9.999).into_iter().map(|pair| pair.0).collect();
        assert_eq!(texels, [9.0, 10.0]);
        assert!(sampling::linear(Interval::EVERYTHING).is_empty());
    }

    #[test]
    fn a_nan_of_weight_0_counts_or_not() {
        let holds = |parts: &[Interval], x: f64| parts.iter().any(|part| part.contains(x));
        let along = |a: f64, b: f64, weight: Interval| sampling::filter(&[a, b], &[weight]);
        let parts = along(0.5, f64::NAN, Interval::point(0.0));
        assert!(holds(&parts, 0.5) && holds(&parts, f64::NAN) && !holds(&parts, 0.25));
        let parts = along(0.5, f64::NAN, Interval::point(0.25));
        assert!(!holds(&parts, 0.5) && holds(&parts, f64::NAN));
        // An infinity of some weight is all that is left, and NaN where its weight is 0 and counts.
        let parts = along(0.5, f64::INFINITY, Interval::new(0.0, 0.5));
        assert!(holds(&parts, f64::INFINITY) && holds(&parts, 0.5) && holds(&parts, f64::NAN) && !holds(&parts, 1e30));
    }

    #[test]
    fn filtered_results_lie_between_the_corners_of_the_weights() {
        let holds = |parts: &[Interval], x: f64| parts.iter().any(|part| part.contains(x));
        let parts = sampling::filter(&[1.0, 3.0], &[Interval::new(0.25, 0.5)]);
        assert!(holds(&parts, 1.5) && holds(&parts, 2.0) && !holds(&parts, 2.00001) && !holds(&parts, 1.49999));
        // By hand: of 0 1 / 2 5 at x from 0.25 to 0.5 and y from 0.5 to 0.75, x + 2 y + 2 x y lies from 1.5 to 2.75: both weights are one along each
        // axis, which the hull of rows taken apart would not know.
        let parts = sampling::filter(&[0.0, 1.0, 2.0, 5.0], &[Interval::new(0.25, 0.5), Interval::new(0.5, 0.75)]);
        assert!(holds(&parts, 1.5) && holds(&parts, 2.75) && !holds(&parts, 1.499) && !holds(&parts, 2.751));
        // A constant colour stays what it is (7.18.16.3), to the rounding of floats: a difference and a product of up to twice the texels and a sum round by 2^-23 of
        // 0.1 each and by half of that.
        let parts = sampling::filter(&[0.1, 0.1], &[Interval::new(0.25, 0.5)]);
        let off = 0.1 / 8_388_608.0;
        assert!(holds(&parts, 0.1) && holds(&parts, 0.1 + 2.4 * off) && !holds(&parts, 0.1 + 2.6 * off));
        // Floats round: 1 and the next float, half way.
        let next = f64::from(1.0f32.next_up());
        let parts = sampling::filter(&[1.0, next], &[Interval::point(0.5)]);
        assert!(holds(&parts, 1.0) && holds(&parts, next));
        let parts = sampling::filter(&[1e-40, 2e-40], &[Interval::point(0.5)]);
        assert!(holds(&parts, 0.0) && holds(&parts, 1.5e-40));
    }

    #[test]
    fn ties_between_faces_go_to_z_then_y() {
        assert_eq!(sampling::cube_face([1.0, 1.0, -1.0]), 5);
        assert_eq!(sampling::cube_face([-1.0, 1.0, 0.5]), 2);
        assert_eq!(sampling::cube_face([-1.0, 0.5, 0.5]), 1);
    }
}

#[test]
fn the_page_of_allowed_results_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/allowed.md");
    let found = std::fs::read_to_string(path).expect("the page").replace("\r\n", "\n");
    assert!(found == page::page(), "run `cargo run -p gpuproof-number --example allowed > docs/allowed.md`");
}

/// Vulkan: a correctly rounded result is either neighbour unless RoundingModeRTE decides, and a float that an integer does not hold is open.
#[test]
fn vulkan_leaves_the_direction_open_and_conversions_out_of_range() {
    let permission = Permission { specification: Specification::Vulkan, ..wgsl() };
    let (one, above, tiny) = (bits(1.0), bits(1.0) + 1, bits(2f32.powi(-25)));
    let sum = |permission| operation(permission, Function::Add, F32, F32).allowed(&[one, tiny]);
    exactly(&sum(permission), &[one, above], &[one - 1, above + 1]);
    exactly(&sum(Permission { directed: true, ..permission }), &[one], &[above, one - 1]);
    let to_integer = |x: f32| operation(permission, Function::ToInteger, F32, Type::Signed(32)).allowed(&[bits(x)]);
    exactly(&to_integer(-2.5), &[-2i32 as u32 as u64], &[2, -3i32 as u32 as u64]);
    assert!(!to_integer(3e9).is_bounded() && !to_integer(f32::NAN).is_bounded());
}
