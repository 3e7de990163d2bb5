//! Integer operations against definitions bit by bit, wide arithmetic, and rows from the specifications.

mod common;

use common::Random;
use gpuproof_number::Division::{AllOnes, Wgsl};
use gpuproof_number::int::*;

/// Random words and counts; every third count is beyond the word.
fn words() -> impl Iterator<Item = (u32, u32, u32, u32)> {
    let mut random = Random(3);
    (0..100_000).map(move |i| {
        let (a, b) = (random.bits(), random.bits());
        let count = |x: u64| if i % 3 == 0 { x as u32 } else { (x % 40) as u32 };
        (a as u32, (a >> 32) as u32, count(b & 0xffff_ffff), count(b >> 32))
    })
}

fn bit(a: u32, i: u32) -> bool {
    i < 32 && a >> i & 1 == 1
}

/// The number whose bits are given.
fn number(bit: impl Fn(u32) -> bool) -> u32 {
    (0..32).filter(|&i| bit(i)).map(|i| 1 << i).sum()
}

#[test]
fn fields_of_direct3d() {
    for (a, base, width, offset) in words() {
        let (w, o) = (width % 32, offset % 32);
        // The field's bits, cut off at bit 31; the sign is its highest remaining bit.
        let top = (w.min(32 - o)).checked_sub(1);
        assert_eq!(ubfe(width, offset, a), number(|i| i < w && bit(a, o + i)), "{a:#x} {width} {offset}");
        assert_eq!(ibfe(width, offset, a), number(|i| top.is_some_and(|top| bit(a, o + i.min(top)))), "{a:#x} {width} {offset}");
        let inserted = number(|i| if i >= o && i - o < w { bit(a, i - o) } else { bit(base, i) });
        assert_eq!(bfi(width, offset, a, base), inserted, "{a:#x} {base:#x} {width} {offset}");
    }
    // dxbc-spirv d3996cb: offset + width > 32 is cut off at bit 31.
    assert_eq!(ubfe(16, 24, 0xab00_0000), 0xab);
    assert_eq!(ibfe(16, 24, 0xab00_0000), 0xffff_ffab);
    assert_eq!(ubfe(32, 0, 0xffff_ffff), 0);
}

#[test]
fn fields_of_wgsl() {
    for (a, base, offset, count) in words() {
        let o = offset.min(32);
        let c = count.min(32 - o);
        let top = c.checked_sub(1);
        assert_eq!(extract_bits_unsigned(a, offset, count), number(|i| i < c && bit(a, o + i)));
        assert_eq!(extract_bits_signed(a, offset, count), number(|i| top.is_some_and(|top| bit(a, o + i.min(top)))));
        let inserted = number(|i| if i >= o && i - o < c { bit(a, i - o) } else { bit(base, i) });
        assert_eq!(insert_bits(base, a, offset, count), inserted);
    }
    assert_eq!(extract_bits_unsigned(0xdead_beef, 0, 32), 0xdead_beef);
    assert_eq!(extract_bits_signed(0xdead_beef, 0, 99), 0xdead_beef);
    assert_eq!(insert_bits(1, 0xdead_beef, 0, 32), 0xdead_beef);
    assert_eq!(insert_bits(1, 0xdead_beef, 32, 8), 1);
}

#[test]
fn first_bits() {
    for (a, b, shift, _) in words() {
        let a = if shift % 2 == 0 { a } else { a & b } >> (shift % 32);
        let highest = (0..32).rev().find(|&i| bit(a, i));
        let lowest = (0..32).find(|&i| bit(a, i));
        let differs = (0..32).rev().find(|&i| bit(a, i) != bit(a, 31));
        assert_eq!(firstbit_hi(a), highest.map_or(u32::MAX, |i| 31 - i));
        assert_eq!(firstbit_shi(a), differs.map_or(u32::MAX, |i| 31 - i));
        assert_eq!(firstbit_lo(a), lowest.unwrap_or(u32::MAX));
        assert_eq!(first_leading_bit_unsigned(a), highest.unwrap_or(u32::MAX));
        assert_eq!(first_leading_bit_signed(a), differs.unwrap_or(u32::MAX));
    }
    for none in [firstbit_hi(0), firstbit_lo(0), firstbit_shi(0), firstbit_shi(!0), first_leading_bit_signed(!0)] {
        assert_eq!(none, u32::MAX);
    }
}

#[test]
fn products_by_schoolbook() {
    for (a, b, c, d) in words() {
        let (hi, lo) = umul32(a, b);
        assert_eq!(u128::from(hi) << 32 | u128::from(lo), u128::from(a) * u128::from(b));
        let (hi, lo) = imul32(a, b);
        assert_eq!(i128::from(hi as i32) << 32 | i128::from(lo), i128::from(a as i32) * i128::from(b as i32));
        // 64 bits from four products of halves.
        let (x, y) = (u64::from(a) << 32 | u64::from(c), u64::from(b) << 32 | u64::from(d));
        let part = |p: u32, q: u32| u128::from(p) * u128::from(q);
        let want = (part(a, b) << 64) + (part(a, d) << 32) + (part(c, b) << 32) + part(c, d);
        let (hi, lo) = umul64(x, y);
        assert_eq!(u128::from(hi) << 64 | u128::from(lo), want);
        // Signed: high less the other operand for each negative one (two's complement).
        let correction = (if (x as i64) < 0 { y } else { 0 }).wrapping_add(if (y as i64) < 0 { x } else { 0 });
        assert_eq!(imul64(x, y), (hi.wrapping_sub(correction), lo));
    }
}

#[test]
fn division_rules() {
    // D3D11.3 §22.12.9: both results are all ones.
    for a in [0, 1, 7, u32::MAX] {
        assert_eq!(udiv32(a, 0, AllOnes), (u32::MAX, u32::MAX));
        assert_eq!(udiv32(a, 0, Wgsl), (a, 0));
        assert_eq!(idiv32(a, 0, Wgsl), (a, 0));
        assert_eq!(udiv64(u64::from(a), 0, AllOnes), (u64::MAX, u64::MAX));
    }
    let (least, minus_one) = (0x8000_0000, u32::MAX);
    assert_eq!(idiv32(least, minus_one, Wgsl), (least, 0));
    assert_eq!(idiv32(least, minus_one, AllOnes), (least, 0));
    assert_eq!(idiv64(1 << 63, u64::MAX, Wgsl), (1 << 63, 0));
    // The remainder has the dividend's sign (DXC#2990, naga#1995).
    assert_eq!(idiv32(-7i32 as u32, 2, Wgsl), (-3i32 as u32, -1i32 as u32));
    assert_eq!(idiv32(7, -2i32 as u32, Wgsl), (-3i32 as u32, 1));
    for (a, b, c, _) in words() {
        let b = b >> (c % 32);
        if b != 0 {
            let (quotient, remainder) = udiv32(a, b, AllOnes);
            assert!(remainder < b && u64::from(quotient) * u64::from(b) + u64::from(remainder) == u64::from(a));
        }
    }
}

#[test]
fn shifts_use_the_low_bits_of_the_count() {
    for (a, _, count, _) in words() {
        let n = count % 32;
        assert_eq!(shl32(a, count), number(|i| i >= n && bit(a, i - n)));
        assert_eq!(ushr32(a, count), number(|i| bit(a, i + n)));
        assert_eq!(ishr32(a, count), number(|i| bit(a, (i + n).min(31))));
    }
    assert_eq!((shl64(1, 64), shl64(1, 63), ushr64(u64::MAX, 127), ishr64(1 << 63, 63)), (1, 1 << 63, 1, u64::MAX));
}

#[test]
fn carries_and_bytes() {
    assert_eq!(uaddc(u32::MAX, 1), (0, 1));
    assert_eq!(uaddc(1, 2), (3, 0));
    assert_eq!(usubb(0, 1), (u32::MAX, 1));
    assert_eq!(usubb(3, 2), (1, 0));
    // Bytes from the lowest: |10-3|, masked, |255-0|, |1-2|.
    assert_eq!(msad(0x01ff_000a, 0x0200_7703, 100), 100 + 7 + 255 + 1);
    assert_eq!(msad(0x0000_0001, 0x0000_0002, u32::MAX), 0);
    assert_eq!(dot4_u8(0xff02_0301, 0xff04_0506, 10), 10 + 255 * 255 + 8 + 15 + 6);
    // Bytes -1, 2, -128, 1 and -1, 4, -128, 6.
    assert_eq!(dot4_i8(0xff02_8001, 0xff04_8006, 0), 1 + 8 + 16384 + 6);
    assert_eq!(dot4_i8(0x0000_007f, 0x0000_0080, 0) as i32, -16256);
}
