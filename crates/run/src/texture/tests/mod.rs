//! Expected values are hand calculations, or come from definitions written here in integers or rationals.

mod allowed;
mod blocks;
mod cube;
mod filtering;
mod footprint;
mod lookup;
mod texels;

use super::{Image, Lod, Lookup};
use crate::case::{AddressMode, Filter, SamplerState, Texture};
use gpuproof_program::{Dimension, Kind, TexelFormat, TextureShape};
use std::sync::Arc;

pub(super) const RGBA32_FLOAT: u32 = 2;
pub(super) const R32_FLOAT: u32 = 41;
pub(super) const R32_UINT: u32 = 42;
pub(super) const R8_UNORM: u32 = 61;

pub(super) fn texture(dimension: Dimension, format: u32, size: [u32; 3], layers: u32, levels: Vec<Vec<u8>>) -> Texture {
    let arrayed = layers > 1 && dimension != Dimension::Cube || layers > 6;
    Texture { dimension, arrayed, format: TexelFormat(format), size, layers, samples: 1, min_lod: 0.0, unmapped: false, levels }
}

pub(super) fn shape_of(texture: &Texture, kind: Kind) -> TextureShape {
    TextureShape {
        dimension: texture.dimension,
        arrayed: texture.arrayed,
        multisampled: texture.samples > 1,
        kind,
        depth: false,
        format: None,
    }
}

pub(super) fn image(texture: Texture) -> Image {
    let shape = shape_of(&texture, Kind::Unknown);
    Image::new(Arc::new(texture), &shape).unwrap()
}

pub(super) fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(|value| value.to_bits().to_le_bytes()).collect()
}

/// An R32_FLOAT texture of one level.
pub(super) fn float_image(dimension: Dimension, size: [u32; 3], layers: u32, values: impl IntoIterator<Item = f32>) -> Image {
    image(texture(dimension, R32_FLOAT, size, layers, vec![floats(values)]))
}

pub(super) fn sampler(filter: Filter, address: AddressMode) -> SamplerState {
    SamplerState { magnify: filter, minify: filter, mip: Filter::Point, address: [address; 3], ..SamplerState::default() }
}

pub(super) fn at(coordinates: [f32; 3]) -> Lookup {
    Lookup {
        coordinates,
        layer: 0.0,
        lod: Lod::Explicit(0.0),
        reference: None,
        clamp: None,
        offset: [0; 3],
        base_clamp_to_edge: false,
    }
}

/// Red as a number.
pub(super) fn red(texel: [u32; 4]) -> f32 {
    f32::from_bits(texel[0])
}

/// A repeatable sequence (splitmix64).
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}
