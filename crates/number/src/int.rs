//! Integers of 32 and 64 bits. Signed ones are given as their two's complement pattern.
//!
//! Wrapping addition, subtraction, low multiplication, bitwise logic, comparison, minimum, countbits, bfrev and WGSL's countLeadingZeros and
//! countTrailingZeros have one meaning everywhere, which the language's own operators and methods have too (`count_ones`, `reverse_bits`,
//! `leading_zeros`, `trailing_zeros`); here are the operations that need a rule or more than one operator.

use crate::Division;

/// High and low words of the unsigned product (D3D11.3 §22.12.13 umul: the first destination is the high word).
#[inline]
#[must_use]
pub fn umul32(a: u32, b: u32) -> (u32, u32) {
    let product = u64::from(a) * u64::from(b);
    ((product >> 32) as u32, product as u32)
}

/// High and low words of the signed product (D3D11.3 §22.12.6 imul).
#[inline]
#[must_use]
pub fn imul32(a: u32, b: u32) -> (u32, u32) {
    let product = i64::from(a as i32) * i64::from(b as i32);
    ((product >> 32) as u32, product as u32)
}

/// High and low words of the unsigned product.
#[inline]
#[must_use]
pub fn umul64(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    ((product >> 64) as u64, product as u64)
}

/// High and low words of the signed product.
#[inline]
#[must_use]
pub fn imul64(a: u64, b: u64) -> (u64, u64) {
    let product = i128::from(a as i64) * i128::from(b as i64);
    ((product >> 64) as u64, product as u64)
}

macro_rules! division {
    ($udiv:ident, $idiv:ident, $u:ty, $i:ty) => {
        /// Unsigned quotient and remainder.
        #[inline]
        #[must_use]
        pub fn $udiv(a: $u, b: $u, rule: Division) -> ($u, $u) {
            match (a.checked_div(b), rule) {
                (Some(quotient), _) => (quotient, a - quotient * b),
                (None, Division::AllOnes) => (<$u>::MAX, <$u>::MAX),
                (None, Division::Wgsl) => (a, 0),
            }
        }

        /// Signed quotient, truncated, and remainder, of the dividend's sign. The least integer over -1 gives itself and 0 under both
        /// rules.
        #[inline]
        #[must_use]
        pub fn $idiv(a: $u, b: $u, rule: Division) -> ($u, $u) {
            if b == 0 {
                return $udiv(a, b, rule);
            }
            let (a, b) = (a as $i, b as $i);
            (a.wrapping_div(b) as $u, a.wrapping_rem(b) as $u)
        }
    };
}

division!(udiv32, idiv32, u32, i32);
division!(udiv64, idiv64, u64, i64);

/// `a << b`, of b only the low 5 bits (D3D11.3 §22.11.7 ishl; WGSL §8.9 for what passes validation).
#[inline]
#[must_use]
pub fn shl32(a: u32, b: u32) -> u32 {
    a.wrapping_shl(b)
}

/// `a >> b` filling with zeros, of b only the low 5 bits (ushr).
#[inline]
#[must_use]
pub fn ushr32(a: u32, b: u32) -> u32 {
    a.wrapping_shr(b)
}

/// `a >> b` filling with the sign, of b only the low 5 bits (ishr).
#[inline]
#[must_use]
pub fn ishr32(a: u32, b: u32) -> u32 {
    (a as i32).wrapping_shr(b) as u32
}

/// `a << b`, of b only the low 6 bits.
#[inline]
#[must_use]
pub fn shl64(a: u64, b: u32) -> u64 {
    a.wrapping_shl(b)
}

/// `a >> b` filling with zeros, of b only the low 6 bits.
#[inline]
#[must_use]
pub fn ushr64(a: u64, b: u32) -> u64 {
    a.wrapping_shr(b)
}

/// `a >> b` filling with the sign, of b only the low 6 bits.
#[inline]
#[must_use]
pub fn ishr64(a: u64, b: u32) -> u64 {
    (a as i64).wrapping_shr(b) as u64
}

/// `width` (0 to 31) low bits set.
#[inline]
fn low_ones(width: u32) -> u32 {
    (1 << width) - 1
}

/// Direct3D's bfi: the low bits of `insert` over `base` from bit `offset`; of width and offset the low 5 bits, the field cut off at
/// bit 31 (D3D11.3 §22.11.2).
#[inline]
#[must_use]
pub fn bfi(width: u32, offset: u32, insert: u32, base: u32) -> u32 {
    let mask = shl32(low_ones(width & 31), offset);
    shl32(insert, offset) & mask | base & !mask
}

/// Direct3D's ubfe: `width` bits of `a` from bit `offset`, cut off at bit 31, filled with zeros; of width and offset the low 5
/// bits, width 0 giving 0 (D3D11.3 §22.11.11).
#[inline]
#[must_use]
pub fn ubfe(width: u32, offset: u32, a: u32) -> u32 {
    ushr32(a, offset) & low_ones(width & 31)
}

/// Direct3D's ibfe: as [`ubfe`], filled with the field's highest bit.
#[inline]
#[must_use]
pub fn ibfe(width: u32, offset: u32, a: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    extract_signed(a, offset, width.min(32 - offset))
}

/// WGSL's offset and count: `min(offset, 32)` and `min(count, 32 - offset)` (WGSL §17.5 `extractBits`).
#[inline]
fn clamp_field(offset: u32, count: u32) -> (u32, u32) {
    let offset = offset.min(32);
    (offset, count.min(32 - offset))
}

/// `count` bits from `offset`, with `offset + count <= 32`.
#[inline]
fn extract_signed(a: u32, offset: u32, count: u32) -> u32 {
    if count == 0 { 0 } else { ishr32(shl32(a, 32 - count - offset), 32 - count) }
}

/// WGSL's extractBits of u32: offset and count are clamped to the word; count 0 gives 0.
#[inline]
#[must_use]
pub fn extract_bits_unsigned(a: u32, offset: u32, count: u32) -> u32 {
    let (offset, count) = clamp_field(offset, count);
    if count == 0 { 0 } else { ushr32(shl32(a, 32 - count - offset), 32 - count) }
}

/// WGSL's extractBits of i32: as [`extract_bits_unsigned`], filled with the field's highest bit.
#[inline]
#[must_use]
pub fn extract_bits_signed(a: u32, offset: u32, count: u32) -> u32 {
    let (offset, count) = clamp_field(offset, count);
    extract_signed(a, offset, count)
}

/// WGSL's insertBits: `count` low bits of `insert` over `base` from `offset`, both clamped to the word.
#[inline]
#[must_use]
pub fn insert_bits(base: u32, insert: u32, offset: u32, count: u32) -> u32 {
    let (offset, count) = clamp_field(offset, count);
    if count == 0 {
        return base;
    }
    let mask = shl32(u32::MAX >> (32 - count), offset);
    shl32(insert, offset) & mask | base & !mask
}

/// Direct3D's firstbit_hi: position of the highest set bit counted from bit 31 down, ~0 if none (D3D11.3 §22.11.5).
#[inline]
#[must_use]
pub fn firstbit_hi(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

/// Direct3D's firstbit_shi: as [`firstbit_hi`] for the highest bit that differs from the sign; ~0 for 0 and -1.
#[inline]
#[must_use]
pub fn firstbit_shi(a: u32) -> u32 {
    firstbit_hi(a ^ ishr32(a, 31))
}

/// Position of the lowest set bit counted from bit 0, ~0 if none: Direct3D's firstbit_lo and WGSL's firstTrailingBit.
#[inline]
#[must_use]
pub fn firstbit_lo(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.trailing_zeros() }
}

/// WGSL's firstLeadingBit of u32: position of the highest set bit counted from bit 0, ~0 if none.
#[inline]
#[must_use]
pub fn first_leading_bit_unsigned(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { 31 - a.leading_zeros() }
}

/// WGSL's firstLeadingBit of i32: as the unsigned one for the highest bit that differs from the sign; ~0 for 0 and -1.
#[inline]
#[must_use]
pub fn first_leading_bit_signed(a: u32) -> u32 {
    first_leading_bit_unsigned(a ^ ishr32(a, 31))
}

/// Sum and carry, 0 or 1 (D3D11.3 §22.12.8 uaddc).
#[inline]
#[must_use]
pub fn uaddc(a: u32, b: u32) -> (u32, u32) {
    let (sum, carry) = a.overflowing_add(b);
    (sum, u32::from(carry))
}

/// Difference and borrow, 0 or 1 (D3D11.3 §22.12.14 usubb).
#[inline]
#[must_use]
pub fn usubb(a: u32, b: u32) -> (u32, u32) {
    let (difference, borrow) = a.overflowing_sub(b);
    (difference, u32::from(borrow))
}

/// Masked sum of absolute differences: `sum` and, for each byte of `reference` that is not 0, its distance from `source`'s
/// (D3D11.3 §22.12.15 msad). An overflow may wrap or saturate there; it wraps here.
#[inline]
#[must_use]
pub fn msad(reference: u32, source: u32, sum: u32) -> u32 {
    let pairs = reference.to_le_bytes().into_iter().zip(source.to_le_bytes());
    let differences = pairs.map(|(r, s)| if r == 0 { 0 } else { u32::from(r.abs_diff(s)) });
    differences.fold(sum, u32::wrapping_add)
}

/// `sum` plus the products of the four unsigned bytes, wrapping (WGSL §17.5 `dot4U8Packed` with a sum of 0; DXIL dot4AddU8Packed).
#[inline]
#[must_use]
pub fn dot4_u8(a: u32, b: u32, sum: u32) -> u32 {
    let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes()).map(|(a, b)| u32::from(a) * u32::from(b));
    products.fold(sum, u32::wrapping_add)
}

/// `sum` plus the products of the four signed bytes, wrapping (WGSL §17.5 `dot4I8Packed` with a sum of 0; DXIL dot4AddI8Packed).
#[inline]
#[must_use]
pub fn dot4_i8(a: u32, b: u32, sum: u32) -> u32 {
    let signed = |byte: u8| i32::from(byte as i8);
    let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes()).map(|(a, b)| signed(a) * signed(b));
    products.fold(sum, |sum, product| sum.wrapping_add(product as u32))
}
