//! Arithmetic through the whole machine, on widths and rules that rows do not have: expected values by hand from the specifications named.

use gpuproof_program::*;
use gpuproof_run::machine::scalar::Pure;

fn pure(op: Op, rules: Rules, t: Width, u: Width, args: &[u64]) -> [u64; 2] {
    Pure { op, attrs: Attrs::rules(rules), t, u }.evaluate(args)
}

fn same(op: Op, t: Width, args: &[u64]) -> u64 {
    pure(op, Rules::default(), t, t, args)[0]
}

#[test]
fn integers_of_every_width_wrap_at_their_width() {
    for width in [Width::W8, Width::W16, Width::W32, Width::W64] {
        let (most, bits) = (width.mask(), width.bits());
        assert_eq!(same(Op::IAdd, width, &[most, 2]), 1);
        assert_eq!(same(Op::ISub, width, &[1, 2]), most);
        assert_eq!(same(Op::IMul, width, &[most, most]), 1);
        assert_eq!(same(Op::INot, width, &[0]), most);
        // Shift counts are taken modulo the width.
        assert_eq!(same(Op::IShl, width, &[3, u64::from(bits) + 1]), 6);
        assert_eq!(same(Op::UShr, width, &[most, u64::from(bits) - 1]), 1);
        assert_eq!(same(Op::SShr, width, &[most - 1, 1]), most);
        assert_eq!(same(Op::SMin, width, &[most, 1]), most);
        assert_eq!(same(Op::UMin, width, &[most, 1]), 1);
        assert_eq!(same(Op::SMax, width, &[most, 1]), 1);
        assert_eq!(pure(Op::SLt, Rules::default(), width, Width::W1, &[most, 0])[0], 1);
        assert_eq!(pure(Op::ULe, Rules::default(), width, Width::W1, &[most, 0])[0], 0);
    }
}

/// D3D11.3 22.12.9; WGSL 8.7.
#[test]
fn divisions_by_zero_go_by_their_rule() {
    let identity = Rules { division: Division::Identity, ..Rules::default() };
    for width in [Width::W8, Width::W16, Width::W32, Width::W64] {
        let (most, least) = (width.mask(), width.mask() ^ (width.mask() >> 1));
        for op in [Op::UDiv, Op::URem, Op::SDiv, Op::SRem] {
            assert_eq!(same(op, width, &[9, 0]), most, "{op:?}");
        }
        let by = |op: Op, a: u64, b: u64| pure(op, identity, width, width, &[a, b])[0];
        assert_eq!([by(Op::UDiv, 9, 0), by(Op::URem, 9, 0), by(Op::SDiv, 9, 0), by(Op::SRem, 9, 0)], [9, 0, 9, 0]);
        assert_eq!([by(Op::SDiv, least, most), by(Op::SRem, least, most)], [least, 0]);
        // -7 / 2 is -3 with remainder -1: toward zero, the dividend's sign.
        assert_eq!([same(Op::SDiv, width, &[most - 6, 2]), same(Op::SRem, width, &[most - 6, 2])], [most - 2, most]);
    }
}

/// D3D11.3 22.11 for the low bits, WGSL 17.6 for clamping.
#[test]
fn bit_fields_go_by_their_rule() {
    let clamp = Rules { field: Field::Clamp, ..Rules::default() };
    let low = Rules::default();
    let word = |op: Op, rules: Rules, args: &[u64]| pure(op, rules, Width::W32, Width::W32, args)[0];
    let x = 0xf234_5678;
    // Width 32 is 0 by its low bits, and all by clamping.
    assert_eq!([word(Op::UExtract, low, &[x, 0, 32]), word(Op::UExtract, clamp, &[x, 0, 32])], [0, x]);
    assert_eq!([word(Op::UExtract, low, &[x, 28, 8]), word(Op::UExtract, clamp, &[x, 28, 8])], [0xf, 0xf]);
    assert_eq!([word(Op::SExtract, low, &[x, 28, 8]), word(Op::SExtract, clamp, &[x, 28, 4])], [0xffff_ffff, 0xffff_ffff]);
    assert_eq!([word(Op::UExtract, low, &[x, 36, 4]), word(Op::UExtract, clamp, &[x, 36, 4])], [7, 0]);
    assert_eq!([word(Op::SExtract, clamp, &[x, 0, 0]), word(Op::SExtract, clamp, &[x, 4, 4])], [0, 7]);
    assert_eq!([word(Op::IInsert, low, &[0, x, 28, 8]), word(Op::IInsert, clamp, &[0, x, 28, 8])], [0x8000_0000, 0x8000_0000]);
    assert_eq!([word(Op::IInsert, low, &[7, x, 0, 32]), word(Op::IInsert, clamp, &[7, x, 0, 32])], [7, x]);
    assert_eq!(word(Op::IInsert, clamp, &[7, x, 32, 1]), 7);
}

#[test]
fn bits_are_found_counted_and_turned() {
    let word = |op: Op, a: u64| same(op, Width::W32, &[a]);
    let most = u64::from(u32::MAX);
    assert_eq!(
        [word(Op::IFindLow, 0), word(Op::IFindLow, 0x50), word(Op::UFindHigh, 0), word(Op::UFindHigh, 0x50)],
        [most, 4, most, 6]
    );
    assert_eq!(
        [word(Op::SFindHigh, most), word(Op::SFindHigh, 0), word(Op::SFindHigh, most - 5), word(Op::SFindHigh, 5)],
        [most, most, 2, 2]
    );
    assert_eq!([word(Op::IReverse, 0b1011), word(Op::ICount, 0x8000_0101)], [0xd000_0000, 3]);
    assert_eq!([same(Op::IReverse, Width::W64, &[1]), same(Op::UFindHigh, Width::W64, &[1 << 40])], [1 << 63, 40]);
}

#[test]
fn products_and_sums_have_high_parts() {
    let most = u64::from(u32::MAX);
    assert_eq!([same(Op::UMulHigh, Width::W32, &[most, most]), same(Op::SMulHigh, Width::W32, &[most, 5])], [most - 1, most]);
    assert_eq!(same(Op::UMulHigh, Width::W64, &[u64::MAX, u64::MAX]), u64::MAX - 1);
    assert_eq!(pure(Op::UAddCarry, Rules::default(), Width::W32, Width::W32, &[most, 1]), [0, 1]);
    assert_eq!(pure(Op::UAddCarry, Rules::default(), Width::W64, Width::W64, &[u64::MAX, 2]), [1, 1]);
    assert_eq!(pure(Op::USubBorrow, Rules::default(), Width::W32, Width::W32, &[1, 2]), [most, 1]);
    // |4 - 2| + |9 - 1|, the bytes of 0 in the reference are skipped (D3D11.3 22.12.14).
    assert_eq!(same(Op::UMsad, Width::W32, &[0x0400_0009, 0x02ff_ff01, 100]), 110);
    assert_eq!(same(Op::UDot4x8, Width::W32, &[0xff01_0203, 0xff01_0101]), 255 * 255 + 6);
    assert_eq!(same(Op::SDot4x8, Width::W32, &[0xff01_0203, 0x0501_0101]), 1);
}

/// D3D11.3 22.13.3 and WGSL 15.7.6.
#[test]
fn floats_become_integers_within_their_range() {
    let to = |op: Op, range: Range, t: Width, u: Width, a: u64| pure(op, Rules { range, ..Rules::default() }, t, u, &[a])[0];
    let f = |value: f32| u64::from(value.to_bits());
    let d = |value: f64| value.to_bits();
    let (clamp, float) = (Range::Clamp, Range::ClampToFloat);
    assert_eq!(to(Op::FToU, clamp, Width::W32, Width::W32, f(1e20)), 0xffff_ffff);
    assert_eq!(to(Op::FToU, float, Width::W32, Width::W32, f(1e20)), 0xffff_ff00);
    assert_eq!(to(Op::FToS, float, Width::W32, Width::W32, f(1e20)), 0x7fff_ff80);
    assert_eq!(to(Op::FToS, float, Width::W32, Width::W32, f(-1e20)), 0x8000_0000);
    assert_eq!(to(Op::FToU, clamp, Width::W32, Width::W32, f(f32::NAN)), 0);
    assert_eq!(to(Op::FToU, clamp, Width::W32, Width::W32, f(-0.9)), 0);
    assert_eq!(to(Op::FToS, clamp, Width::W64, Width::W32, d(-2_147_483_649.5)), 0x8000_0000);
    assert_eq!(to(Op::FToS, clamp, Width::W64, Width::W32, d(2_147_483_646.9)), 0x7fff_fffe);
    assert_eq!(to(Op::FToU, float, Width::W64, Width::W64, d(1e300)), 0xffff_ffff_ffff_f800);
    assert_eq!(to(Op::FToU, clamp, Width::W64, Width::W64, d(1e300)), u64::MAX);
    // f16 ends at 65504.
    assert_eq!(to(Op::FToS, float, Width::W16, Width::W32, 0x7c00), 65504);
    assert_eq!(to(Op::FToS, clamp, Width::W16, Width::W16, 0x7bff), 0x7fff);
    assert_eq!(to(Op::FToS, clamp, Width::W16, Width::W8, 0xd000), (-32i64 as u64) & 0xff);
}

#[test]
fn integers_become_floats_rounded_once() {
    let from = |op: Op, t: Width, u: Width, a: u64| pure(op, Rules::default(), t, u, &[a])[0];
    // 2^24 + 1 is halfway and goes to even; 2^24 + 3 too, up.
    assert_eq!(from(Op::UToF, Width::W32, Width::W32, 0x100_0001), u64::from(16_777_216f32.to_bits()));
    assert_eq!(from(Op::UToF, Width::W32, Width::W32, 0x100_0003), u64::from(16_777_220f32.to_bits()));
    assert_eq!(from(Op::SToF, Width::W32, Width::W64, 0xffff_ffff), (-1f64).to_bits());
    assert_eq!(from(Op::SToF, Width::W8, Width::W32, 0x80), u64::from((-128f32).to_bits()));
    // 2^40 + 2^16 + 1 is above the middle, which rounding to f64 first would keep too; 65520 overflows f16.
    assert_eq!(from(Op::UToF, Width::W64, Width::W32, (1 << 40) + (1 << 16) + 1), u64::from(1_099_511_758_848f32.to_bits()));
    assert_eq!(from(Op::UToF, Width::W32, Width::W16, 65520), 0x7c00);
    assert_eq!(from(Op::UToF, Width::W32, Width::W16, 65519), 0x7bff);
    assert_eq!(from(Op::SToF, Width::W64, Width::W16, (-2049i64) as u64), 0xe800);
}

/// Conversions between float formats: to nearest even, and toward zero with 65504 for what is too large (D3D11.3 3.2.2).
#[test]
fn floats_change_format() {
    let to = |rounding: Rounding, t: Width, u: Width, a: u64| {
        pure(Op::FConvert, Rules { rounding, ..Rules::default() }, t, u, &[a])[0]
    };
    let f = |value: f32| u64::from(value.to_bits());
    assert_eq!(to(Rounding::TowardZero, Width::W32, Width::W16, f(1e6)), 0x7bff);
    assert_eq!(to(Rounding::NearestEven, Width::W32, Width::W16, f(1e6)), 0x7c00);
    assert_eq!(to(Rounding::TowardZero, Width::W32, Width::W16, f(f32::NEG_INFINITY)), 0xfc00);
    assert_eq!(to(Rounding::NearestEven, Width::W16, Width::W32, 1), f(2f32.powi(-24)));
    assert_eq!(to(Rounding::NearestEven, Width::W64, Width::W32, (1.0 + 2f64.powi(-24)).to_bits()), f(1.0));
    assert_eq!(to(Rounding::NearestEven, Width::W64, Width::W16, 2049f64.to_bits()), 0x6800);
    assert_eq!(to(Rounding::NearestEven, Width::W32, Width::W64, f(0.1)), f64::from(0.1f32).to_bits());
}

/// D3D11.3 3.2.3 and the inverse: NaN is 0, the ends are exact, halves go away from zero.
#[test]
fn normalised_integers_scale_and_round() {
    let norm = |op: Op, signed: bool, bits: u8, a: u32| {
        let attrs = Attrs::default().with_detail(Detail::Norm(Norm { signed, bits }));
        Pure { op, attrs, t: Width::W32, u: Width::W32 }.evaluate(&[u64::from(a)])[0] as u32
    };
    let to = |signed, bits, value: f32| norm(Op::FToNorm, signed, bits, value.to_bits());
    assert_eq!([to(false, 8, 0.5), to(false, 8, 2.0), to(false, 8, -1.0), to(false, 8, f32::NAN)], [128, 255, 0, 0]);
    assert_eq!([to(true, 8, -1.0), to(true, 8, -0.5), to(true, 16, 1.0), to(false, 16, 1.0)], [0x81, 0xc0, 0x7fff, 0xffff]);
    let from = |signed, bits, a| f32::from_bits(norm(Op::NormToF, signed, bits, a));
    assert_eq!([from(false, 8, 255), from(true, 8, 0x80), from(true, 8, 0x81), from(false, 2, 1)], [1.0, -1.0, -1.0, 1.0 / 3.0]);
}

/// Doubles: fraction and exponent, scaling into the subnormals rounded once, minima.
#[test]
fn doubles_are_exact() {
    let d = |value: f64| value.to_bits();
    let wide = |op: Op, args: &[u64]| pure(op, Rules::default(), Width::W64, Width::W64, args);
    assert_eq!(wide(Op::FFrexp, &[d(-6.0)]), [d(-0.75), 3]);
    assert_eq!(wide(Op::FFrexp, &[1]), [d(0.5), u64::from(-1073i32 as u32)]);
    assert_eq!(wide(Op::FLdexp, &[d(1.5), u64::from(-1074i32 as u32)])[0], 2);
    // 1.25 * 2^-1074 is below the middle, 1.75 above, and 2.5 goes to even.
    assert_eq!(wide(Op::FLdexp, &[d(1.25), u64::from(-1074i32 as u32)])[0], 1);
    assert_eq!(wide(Op::FLdexp, &[d(2.5), u64::from(-1074i32 as u32)])[0], 2);
    assert_eq!(wide(Op::FLdexp, &[d(1.0), 5000])[0], d(f64::INFINITY));
    assert_eq!(wide(Op::FLdexp, &[d(-1.0), u64::from(-5000i32 as u32)])[0], d(-0.0));
    assert_eq!(wide(Op::FLdexp, &[1, 2000])[0], d(2f64.powi(926)));
    assert_eq!(wide(Op::FMin, &[d(f64::NAN), d(2.0)])[0], d(2.0));
    assert_eq!(wide(Op::FRcp, &[d(3.0)])[0], d(1.0 / 3.0));
    assert_eq!(wide(Op::FFma, &[d(1.0 + 2f64.powi(-52)), d(1.0 - 2f64.powi(-52)), d(-1.0)])[0], d(-2f64.powi(-104)));
    assert_eq!(wide(Op::FMad, &[d(1.0 + 2f64.powi(-52)), d(1.0 - 2f64.powi(-52)), d(-1.0)])[0], d(0.0));
}

/// Halves: a sum that rounds to even, a root, subnormals kept, saturation.
#[test]
fn halves_are_rounded_once() {
    let half = |op: Op, args: &[u64]| same(op, Width::W16, args);
    // 2048 + 1 is halfway.
    assert_eq!(half(Op::FAdd, &[0x6800, 0x3c00]), 0x6800);
    assert_eq!(half(Op::FAdd, &[1, 1]), 2);
    assert_eq!(half(Op::FMul, &[0x7bff, 0x4000]), 0x7c00);
    // 1 / sqrt(4) and 1 / sqrt(2) = 0.70710678: 0x39a8 is 0.70703125.
    assert_eq!([half(Op::FRsqrt, &[0x4400]), half(Op::FRsqrt, &[0x4000])], [0x3800, 0x39a8]);
    assert_eq!(
        [half(Op::FSaturate, &[0x7e00]), half(Op::FSaturate, &[0x4000]), half(Op::FFloor, &[0xbc01])],
        [0, 0x3c00, 0xc000]
    );
    assert_eq!([half(Op::FMin, &[0x7e00, 0x3c00]), half(Op::FMax, &[0xbc00, 0x8000])], [0x3c00, 0x8000]);
    assert_eq!([half(Op::FAbs, &[0xfe01]), half(Op::FNeg, &[0x7e01])], [0x7e01, 0xfe01]);
}

/// Integer operations of 32 bits against `gpuproof-number`'s, which were written and tested apart.
#[test]
fn integer_operations_agree_with_the_number_crate() {
    use gpuproof_number::{Division as D, int};
    let clamp = Rules { field: Field::Clamp, ..Rules::default() };
    let identity = Rules { division: Division::Identity, ..Rules::default() };
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = (state >> 33) as u32 ^ (state as u32);
        // Small numbers matter as counts, offsets and divisors.
        if state >> 62 == 0 { word % 40 } else { word }
    };
    for _ in 0..50_000 {
        let [a, b, c, d] = [(); 4].map(|()| random());
        let word = |op: Op, rules: Rules, args: &[u32]| {
            let args: Vec<u64> = args.iter().map(|word| u64::from(*word)).collect();
            let [first, second] = pure(op, rules, Width::W32, Width::W32, &args);
            (first as u32, second as u32)
        };
        let low = Rules::default();
        for (rules, rule) in [(low, D::AllOnes), (identity, D::Wgsl)] {
            assert_eq!((word(Op::UDiv, rules, &[a, b]).0, word(Op::URem, rules, &[a, b]).0), int::udiv32(a, b, rule));
            assert_eq!((word(Op::SDiv, rules, &[a, b]).0, word(Op::SRem, rules, &[a, b]).0), int::idiv32(a, b, rule));
        }
        assert_eq!(word(Op::UExtract, low, &[a, b, c]).0, int::ubfe(c, b, a));
        assert_eq!(word(Op::SExtract, low, &[a, b, c]).0, int::ibfe(c, b, a));
        assert_eq!(word(Op::IInsert, low, &[a, b, c, d]).0, int::bfi(d, c, b, a));
        assert_eq!(word(Op::UExtract, clamp, &[a, b, c]).0, int::extract_bits_unsigned(a, b, c));
        assert_eq!(word(Op::SExtract, clamp, &[a, b, c]).0, int::extract_bits_signed(a, b, c));
        assert_eq!(word(Op::IInsert, clamp, &[a, b, c, d]).0, int::insert_bits(a, b, c, d));
        assert_eq!(word(Op::IShl, low, &[a, b]).0, int::shl32(a, b));
        assert_eq!(word(Op::SShr, low, &[a, b]).0, int::ishr32(a, b));
        assert_eq!(word(Op::UMsad, low, &[a, b, c]).0, int::msad(a, b, c));
        assert_eq!(word(Op::UDot4x8, low, &[a, b]).0, int::dot4_u8(a, b, 0));
        assert_eq!(word(Op::SDot4x8, low, &[a, b]).0, int::dot4_i8(a, b, 0));
        assert_eq!(word(Op::UAddCarry, low, &[a, b]), int::uaddc(a, b));
        assert_eq!(word(Op::USubBorrow, low, &[a, b]), int::usubb(a, b));
        assert_eq!(word(Op::UFindHigh, low, &[a]).0, int::first_leading_bit_unsigned(a));
        assert_eq!(word(Op::SFindHigh, low, &[a]).0, int::first_leading_bit_signed(a));
        assert_eq!(word(Op::IFindLow, low, &[a]).0, int::firstbit_lo(a));
    }
}
