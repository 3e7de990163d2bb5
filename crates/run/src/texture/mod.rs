//! Textures, samplers and typed buffers: one model for every dialect, as scalar functions of one lane.
//!
//! The Direct3D 11.3 functional specification fixes most of sampling and leaves the rest within a tolerance. This is the canonical
//! choice: each step is one exactly specified operation, and an independent implementation can be checked against it bit for bit.
//! Every f32 operation below is rounded once to nearest even, takes denormal operands as zero and gives no denormal results (§3.1.3),
//! and none is fused with another.
//!
//! 1. **Cubes** (§7.18.7, §5.3.8). The component of largest magnitude chooses the face, of equal ones z before y before x. The two others are
//!    mirrored as the face has them, divided by that magnitude, then `* 0.5 + 0.5`.
//! 2. **Range reduction** (§7.18.6). Wrap: `u - floor(u)`. Mirror: `u/2 - trunc(u/2)`, doubled. The other modes need none here, since fixed
//!    point saturates; the specification's clamp to [-10, 10] is meant to have no effect, and would have one for textures of
//!    one or two texels with large offsets.
//! 3. **Scaling** (§7.18.7, §7.18.8). `u * size`; for linear filters, 0.5 is subtracted from it. Then to fixed point with 8 fractional bits, to
//!    nearest even, saturating, NaN to 0 (§3.2.4.1). The integer part (floor) is the texel, the fraction the weight of the next texel.
//! 4. **Offsets** are added to the texel at each level; their low six bits count, signed (§22.4.4).
//! 5. **Address modes** (§7.18.9) apply to each texel. One axis in [`Border`](crate::AddressMode::Border) is enough for the border colour, which is
//!    clamped to the range of a normalized or integer format; components that the format lacks have their defaults (§7.18.9.1).
//!    Cubes ignore address modes: a point lookup stays on its face, and a linear footprint goes on to the neighbouring faces (§7.18.12). Where three faces
//!    meet, the missing texel's weight goes to the three others evenly.
//! 6. **Filtering.** The sum of texels times weights is exact and rounded once for a level. A texel of zero weight has no part in it, NaN
//!    or not (§7.18.16.2). Two levels are combined the same way, by the fraction of the level of detail.
//!    Of a minimum or maximum filter (§5.9.4.5.6), the least or greatest of the same texels, of all levels that have a weight, NaN losing.
//! 7. **Level of detail** (§7.18.11). Derivatives times the size of the largest level (of a cube, projected to its face first), the longer of the two lengths
//!    `sqrt(u*u + v*v + w*w)`, its logarithm of base 2. The axes of the ellipse that the derivatives span, which the specification allows to be approximated, are
//!    not taken here. Then the sampler's bias, the instruction's bias, `max(min_lod, min(max_lod, _))` with
//!    NaN losing, the instruction's lower bound, and the texture's (§5.8). The level is magnified if the result is at most 0. It goes to fixed point with 8
//!    fractional bits (§7.18.10): a point mip filter adds 0.5 and takes the integer part; a linear one takes the integer part, the next level, and the
//!    fraction as its weight. Levels are clamped to those that exist.
//! 8. **Comparison** (§22.4.19). The reference is converted to the format of the texel's red component and back, compared with each texel, and the
//!    ones and zeros are filtered. All four components get the result.
//! 9. **Layers** are rounded to nearest even and clamped (§22.4.15).
//! 10. **Anisotropy** (§7.18.11), of 2D textures where the level comes from derivatives. Here the ellipse's axes are taken. Level and ratio are the specification's (without the
//!     clamp to level 0 that it no longer recommends), and where they are no numbers, as with two zero derivatives, filtering is isotropic. The
//!     specification leaves open where an anisotropic filter looks: here at n = ceil(ratio) places, the coordinates plus `i/(n + 1) - 1/2` of
//!     the longer axis (as GL_EXT_texture_filter_anisotropic has it), each filtered linearly in and between levels; their mean is rounded once.
//! 11. **A texture's least level of detail** (§5.8) hides the levels below its whole part from loads and gathers too, and all where it is past the last one. Stores, and
//!     loads of what is written, know nothing of it.
//! 12. **Blocks** are decoded before filtering ([`gpuproof_number::format`]); the size of a level counts, not that of its blocks (§19.5.1).
//! 13. **Integer formats** cannot be filtered: the nearest texel of the nearest level is taken, whatever the sampler says.
//!
//! Sampled floats are flushed like any operation's results, loaded and gathered ones keep their bits (§22.4.2, §22.4.6). sRGB is decoded before filtering.

mod allowed;
mod coordinate;
mod filter;
mod image;
mod level;
mod sample;
#[cfg(test)]
mod tests;
mod texel;

pub use allowed::{Results, Weights};
pub use image::{Image, ImageError};
pub use sample::{Lod, Lookup};
pub use texel::{Loaded, TexelBuffer};
