//! Formats whose texels come in blocks: BC1 to BC7 (D3D11.3 §19.5) and the sub-sampled ones (§19.4).
//!
//! BC6H and BC7 are specified to the bit. For the others the specification gives a reference and allows an error about it (§19.5.2); canonical is the
//! reference: endpoints promoted to 8 bits, and a palette entry the exact quotient, rounded once to f32. Of an sRGB format the entry is rounded to an
//! 8-bit code first (§3.2.3), which then goes through the curve as an uncompressed one does (§19.5.6).

use super::Kind;
use super::component::{snorm_to_f32, srgb_to_linear, unorm_to_f32};
use crate::float16;
use crate::float32::ONE;

/// Blocks have at most this many texels.
pub const BLOCK_TEXELS: usize = 16;

/// How the texels of a block lie in its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    /// One texel, by its channels.
    Texel,
    /// Two texels of 8-bit channels with a common red and blue. Whether green comes first.
    SubSampled { green_first: bool },
    /// Colours on a line, or transparent black (§19.5.6).
    Bc1,
    /// Colours on a line, and 4 bits of alpha a texel (§19.5.7).
    Bc2,
    /// Colours on a line, and alpha on another (§19.5.8).
    Bc3,
    /// One component on a line (§19.5.9, §19.5.10).
    Bc4,
    /// Two of them (§19.5.11, §19.5.12).
    Bc5,
    /// Half floats (§19.5.13).
    Bc6h { signed: bool },
    /// 8-bit colours with or without alpha (§19.5.14).
    Bc7,
}

impl Coding {
    /// Texels of a block in x and y.
    pub const fn extent(self) -> [u32; 2] {
        match self {
            Coding::Texel => [1, 1],
            Coding::SubSampled { .. } => [2, 1],
            _ => [4, 4],
        }
    }

    /// Bytes of a block; of [`Coding::Texel`] that is for its channels to say.
    pub const fn bytes(self) -> usize {
        match self {
            Coding::Texel => 0,
            Coding::SubSampled { .. } => 4,
            Coding::Bc1 | Coding::Bc4 => 8,
            _ => 16,
        }
    }

    /// The texels of a block, x first, as patterns of f32; `kind` is how red is read. Fewer bytes than a block has count as zeros.
    pub fn decode(self, kind: Kind, bytes: &[u8]) -> [[u32; 4]; BLOCK_TEXELS] {
        let mut block = [0; 16];
        for (to, from) in block.iter_mut().zip(bytes) {
            *to = *from;
        }
        let [low, high] = halves(block);
        let mut texels = [[0, 0, 0, ONE]; BLOCK_TEXELS];
        match self {
            Coding::Texel => {}
            Coding::SubSampled { green_first } => {
                let [red, first, blue, second] = match green_first {
                    false => [block[0], block[1], block[2], block[3]],
                    true => [block[1], block[0], block[3], block[2]],
                };
                for (texel, green) in texels.iter_mut().zip([first, second]) {
                    *texel = [unorm8(red), unorm8(green), unorm8(blue), ONE];
                }
            }
            Coding::Bc1 => colours(&mut texels, low, kind, true),
            Coding::Bc2 => {
                colours(&mut texels, high, kind, false);
                for (at, texel) in texels.iter_mut().enumerate() {
                    texel[3] = unorm_to_f32((low >> (4 * at)) as u32, 4);
                }
            }
            Coding::Bc3 => {
                colours(&mut texels, high, kind, false);
                component(&mut texels, 3, low, Kind::Unorm);
            }
            Coding::Bc4 => component(&mut texels, 0, low, kind),
            Coding::Bc5 => {
                component(&mut texels, 0, low, kind);
                component(&mut texels, 1, high, kind);
            }
            Coding::Bc6h { signed } => {
                let mut decoded = [0; 3 * BLOCK_TEXELS];
                bcdec_rs::bc6h_half(&block, &mut decoded, 3 * 4, signed);
                for (texel, of) in texels.iter_mut().zip(decoded.chunks_exact(3)) {
                    [texel[0], texel[1], texel[2]] = [of[0], of[1], of[2]].map(float16::to_f32);
                }
            }
            Coding::Bc7 => {
                let mut decoded = [0; 4 * BLOCK_TEXELS];
                bcdec_rs::bc7(&block, &mut decoded, 4 * 4);
                for (texel, of) in texels.iter_mut().zip(decoded.chunks_exact(4)) {
                    let colour = if kind == Kind::Srgb { srgb_to_linear } else { unorm8 };
                    *texel = [colour(of[0]), colour(of[1]), colour(of[2]), unorm8(of[3])];
                }
            }
        }
        texels
    }
}

fn halves(block: [u8; 16]) -> [u64; 2] {
    let whole = u128::from_le_bytes(block);
    [whole as u64, (whole >> 64) as u64]
}

fn unorm8(v: u8) -> u32 {
    unorm_to_f32(v.into(), 8)
}

/// A quotient of integers that f32 holds, correctly rounded.
fn quotient(numerator: i32, denominator: i32) -> u32 {
    (numerator as f32 / denominator as f32).to_bits()
}

/// Reds, greens and blues of 8 bytes: two endpoints of 5, 6 and 5 bits, and 2 bits a texel. Where the first endpoint is not the greater one, and `three` allows it,
/// there are three colours and transparent black.
fn colours(texels: &mut [[u32; 4]; BLOCK_TEXELS], block: u64, kind: Kind, three: bool) {
    let ends = [block as u16, (block >> 16) as u16];
    let three = three && ends[0] <= ends[1];
    let [first, second] = ends.map(|end| {
        let promote = |shift: u32, bits: u32| {
            let v = i32::from(end >> shift) & ((1 << bits) - 1);
            v << (8 - bits) | v >> (2 * bits - 8)
        };
        [promote(11, 5), promote(5, 6), promote(0, 5)]
    });
    for (at, texel) in texels.iter_mut().enumerate() {
        // Weights of the endpoints.
        let weights = match (block >> (32 + 2 * at) & 3, three) {
            (0, _) => [1, 0],
            (1, _) => [0, 1],
            (2, false) => [2, 1],
            (2, true) => [1, 1],
            (_, false) => [1, 2],
            (_, true) => {
                *texel = [0; 4];
                continue;
            }
        };
        let parts = weights[0] + weights[1];
        for channel in 0..3 {
            let sum = weights[0] * first[channel] + weights[1] * second[channel];
            texel[channel] = match kind {
                Kind::Srgb => srgb_to_linear(((2 * sum + parts) / (2 * parts)) as u8),
                _ => quotient(sum, parts * 255),
            };
        }
    }
}

/// A component of 8 bytes: two endpoints of 8 bits, signed or not, and 3 bits a texel.
fn component(texels: &mut [[u32; 4]; BLOCK_TEXELS], channel: usize, block: u64, kind: Kind) {
    let signed = kind == Kind::Snorm;
    let codes = [block as u8, (block >> 8) as u8].map(|code| if signed { i32::from(code as i8) } else { i32::from(code) });
    let most = if signed { 127 } else { 255 };
    // Codes are compared before the second -1 becomes the first.
    let eight = codes[0] > codes[1];
    let [first, second] = codes.map(|code| code.max(-127));
    for (at, texel) in texels.iter_mut().enumerate() {
        texel[channel] = match ((block >> (16 + 3 * at) & 7) as i32, eight) {
            (0, _) => end(codes[0], signed),
            (1, _) => end(codes[1], signed),
            (6, false) => end(if signed { -127 } else { 0 }, signed),
            (7, false) => ONE,
            (code, true) => quotient((8 - code) * first + (code - 1) * second, 7 * most),
            (code, false) => quotient((6 - code) * first + (code - 1) * second, 5 * most),
        };
    }
}

fn end(code: i32, signed: bool) -> u32 {
    if signed { snorm_to_f32(code as u32, 8) } else { unorm_to_f32(code as u32, 8) }
}
