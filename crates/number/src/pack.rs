//! WGSL's data packing builtins (WGSL §17.13, §17.14). The first component is in the lowest bits.
//!
//! Packing to normalized integers is `floor(0.5 + scale * min(1, max(low, e)))` in exact arithmetic, so it differs from Direct3D's rule for formats
//! ([`crate::format`]) at negative halves. A NaN fails the comparisons of `max` as literally read and leaves the lower bound.

use crate::format::{snorm_to_f32, unorm_to_f32};
use crate::rules::Rounding;
use crate::{Denormals, MinMax, float16, float32};

fn normalize(e: u32, low: f32, scale: f64) -> i32 {
    let raised = float32::max(low.to_bits(), e, MinMax::Literal, Denormals::Keep);
    let clamped = float32::min(float32::ONE, raised, MinMax::Literal, Denormals::Keep);
    // The product has at most 40 bits; the sum is exact wherever the floor could depend on it.
    (0.5 + scale * f64::from(f32::from_bits(clamped))).floor() as i32
}

fn join4(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

fn join2(halves: [u16; 2]) -> u32 {
    u32::from(halves[0]) | u32::from(halves[1]) << 16
}

fn halves(a: u32) -> [u16; 2] {
    [a as u16, (a >> 16) as u16]
}

/// pack4x8snorm.
#[must_use]
pub fn pack4x8_snorm(e: [u32; 4]) -> u32 {
    join4(e.map(|e| normalize(e, -1.0, 127.0) as u8))
}

/// pack4x8unorm.
#[must_use]
pub fn pack4x8_unorm(e: [u32; 4]) -> u32 {
    join4(e.map(|e| normalize(e, 0.0, 255.0) as u8))
}

/// pack2x16snorm.
#[must_use]
pub fn pack2x16_snorm(e: [u32; 2]) -> u32 {
    join2(e.map(|e| normalize(e, -1.0, 32767.0) as u16))
}

/// pack2x16unorm.
#[must_use]
pub fn pack2x16_unorm(e: [u32; 2]) -> u32 {
    join2(e.map(|e| normalize(e, 0.0, 65535.0) as u16))
}

/// pack2x16float, to nearest even.
#[must_use]
pub fn pack2x16_float(e: [u32; 2]) -> u32 {
    join2(e.map(|e| float16::from_f32(e, Rounding::NearestEven)))
}

/// pack4xI8 and pack4xU8: the low byte of each.
#[must_use]
pub fn pack4x8_low(e: [u32; 4]) -> u32 {
    join4(e.map(|e| e as u8))
}

/// pack4xI8Clamp: each clamped to [-128, 127].
#[must_use]
pub fn pack4x8_clamp_signed(e: [u32; 4]) -> u32 {
    join4(e.map(|e| (e as i32).clamp(-128, 127) as u8))
}

/// pack4xU8Clamp: each clamped to 255.
#[must_use]
pub fn pack4x8_clamp_unsigned(e: [u32; 4]) -> u32 {
    join4(e.map(|e| e.min(255) as u8))
}

/// unpack4x8snorm: `max(v / 127, -1)`.
#[must_use]
pub fn unpack4x8_snorm(a: u32) -> [u32; 4] {
    a.to_le_bytes().map(|byte| snorm_to_f32(u32::from(byte), 8))
}

/// unpack4x8unorm: `v / 255`.
#[must_use]
pub fn unpack4x8_unorm(a: u32) -> [u32; 4] {
    a.to_le_bytes().map(|byte| unorm_to_f32(u32::from(byte), 8))
}

/// unpack2x16snorm: `max(v / 32767, -1)`.
#[must_use]
pub fn unpack2x16_snorm(a: u32) -> [u32; 2] {
    halves(a).map(|half| snorm_to_f32(u32::from(half), 16))
}

/// unpack2x16unorm: `v / 65535`.
#[must_use]
pub fn unpack2x16_unorm(a: u32) -> [u32; 2] {
    halves(a).map(|half| unorm_to_f32(u32::from(half), 16))
}

/// unpack2x16float.
#[must_use]
pub fn unpack2x16_float(a: u32) -> [u32; 2] {
    halves(a).map(float16::to_f32)
}

/// unpack4xI8: sign-extended bytes.
#[must_use]
pub fn unpack4x8_signed(a: u32) -> [u32; 4] {
    a.to_le_bytes().map(|byte| i32::from(byte as i8) as u32)
}

/// unpack4xU8: zero-extended bytes.
#[must_use]
pub fn unpack4x8_unsigned(a: u32) -> [u32; 4] {
    a.to_le_bytes().map(u32::from)
}
