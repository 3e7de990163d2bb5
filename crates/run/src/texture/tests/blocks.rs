use super::super::{ImageError, TexelBuffer};
use super::*;
use gpuproof_program::Bounds;

const BC1_UNORM: u32 = 71;
const BC4_UNORM: u32 = 80;
const BC4_SNORM: u32 = 81;

/// A block of BC4_UNORM whose texels have the codes 0 to 7 by turns, of the endpoints 210 and 0: 30 for each step.
fn bc4(first: u8, second: u8, code: impl Fn(u64) -> u64) -> Vec<u8> {
    let bits = (0..16).fold(0, |bits, texel| bits | code(texel) << (3 * texel));
    let mut block = vec![first, second];
    block.extend(&bits.to_le_bytes()[..6]);
    block
}

/// A block of one value.
fn flat(value: u8) -> Vec<u8> {
    bc4(value, 0, |_| 0)
}

/// Blocks go along x, then y, then layers; levels that are no multiple of 4 end inside one (§19.5.1).
#[test]
fn blocks_at_the_edges_reach_beyond() {
    // 6 by 5 texels in two layers are 2 by 2 blocks each; then levels of 3 by 2 and 1 by 1.
    let first = (0..8).flat_map(|block| flat(10 * block + 10)).collect();
    let second = (0..2).flat_map(|block| flat(100 + block)).collect();
    let third = (0..2).flat_map(|block| flat(200 + block)).collect();
    let image = image(texture(Dimension::D2, BC4_UNORM, [6, 5, 1], 2, vec![first, second, third]));
    let load = |x, y, layer, level| {
        let loaded = image.load([x, y, layer], level, Bounds::Defined);
        (red(loaded.texel) * 255.0, loaded.in_range)
    };
    for layer in 0..2 {
        for (y, x) in (0..5).flat_map(|y| (0..6).map(move |x| (y, x))) {
            let block = layer * 4 + y / 4 * 2 + x / 4;
            assert_eq!(load(x, y, layer, 0), ((10 * block + 10) as f32, true), "{x} {y} {layer}");
        }
        assert_eq!(load(2, 1, layer, 1), ((100 + layer) as f32, true));
        assert_eq!(load(0, 0, layer, 2), ((200 + layer) as f32, true));
    }
    assert_eq!([load(6, 0, 0, 0), load(0, 5, 0, 0), load(3, 0, 0, 1), load(0, 2, 0, 1)], [(0.0, false); 4]);
}

/// Texels inside a block go along x, then y; a volume has its blocks slice by slice.
#[test]
fn texels_of_a_block() {
    let block = bc4(7, 0, |texel| [0, 2, 3, 4, 5, 6, 7, 1][texel as usize % 8]);
    let whole = image(texture(Dimension::D2, BC4_UNORM, [4, 4, 1], 1, vec![block.clone()]));
    for texel in 0..16 {
        let loaded = red(whole.load([texel % 4, texel / 4, 0], 0, Bounds::Defined).texel);
        assert_eq!(loaded, (7 - texel % 8) as f32 / 255.0, "{texel}");
    }
    let volume = image(texture(Dimension::D3, BC4_UNORM, [4, 4, 2], 1, vec![[block, flat(99)].concat()]));
    assert_eq!(red(volume.load([0, 0, 1], 0, Bounds::Defined).texel), 99.0 / 255.0);
    // A level too large to keep decoded gives the same texels.
    let blocks = 2 * DECODED / 16;
    let large = (0..blocks).flat_map(|number| flat(number as u8)).collect();
    let large = image(texture(Dimension::D2, BC4_UNORM, [1024, (blocks / 64) as u32, 1], 1, vec![large]));
    assert_eq!(
        red(large.load([4 * 200 + 3, 4 * 99 + 1, 0], 0, Bounds::Defined).texel),
        f32::from((99 * 256 + 200) as u8) / 255.0
    );
}

const DECODED: usize = 1 << 18;

/// Decoded before filtering, addressed by the size that the level has, not by its blocks.
#[test]
fn decoded_before_filtering() {
    // A row of 2 by 1 texels: 0 and 210 of 255.
    let block = bc4(0, 210, |texel| texel & 1);
    let pair = image(texture(Dimension::D2, BC4_UNORM, [2, 1, 1], 1, vec![block]));
    let at_u = |u: f32, mode| red(pair.sample(&sampler(Filter::Linear, mode), &at([u, 0.5, 0.0])));
    let whole = 210.0 / 255.0;
    assert_eq!(at_u(0.5, AddressMode::Clamp), whole * 0.5);
    assert_eq!([at_u(1.0, AddressMode::Clamp), at_u(1.0, AddressMode::Wrap)], [whole, whole * 0.5]);
    let state = SamplerState { border: [1.0; 4], ..sampler(Filter::Linear, AddressMode::Border) };
    let border = red(pair.sample(&state, &at([1.0, 0.5, 0.0])));
    // (210/255 + 1) / 2, rounded once.
    assert_eq!(border, ((f64::from(whole) + 1.0) / 2.0) as f32);
}

/// A border is clamped to the range of what is decoded.
#[test]
fn borders_keep_to_the_range() {
    let outside = |format, colour: f32| {
        let image = image(texture(Dimension::D2, format, [4, 4, 1], 1, vec![vec![0; 8]]));
        let state = SamplerState { border: [colour; 4], ..sampler(Filter::Point, AddressMode::Border) };
        image.sample(&state, &at([-1.0, 0.5, 0.0])).map(f32::from_bits)
    };
    assert_eq!(outside(BC4_UNORM, -3.0), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(outside(BC4_SNORM, -3.0), [-1.0, 0.0, 0.0, 1.0]);
    assert_eq!(outside(BC1_UNORM, 0.5), [0.5; 4]);
}

#[test]
fn blocks_are_only_read() {
    let mut image = image(texture(Dimension::D2, BC1_UNORM, [4, 4, 1], 1, vec![vec![0; 8]]));
    assert!(!image.store([0; 3], [0; 4]));
    assert!(matches!(image.writable(), Err(ImageError::Mismatch { .. })));
    assert!(matches!(TexelBuffer::new(TexelFormat(BC1_UNORM), Kind::Float), Err(ImageError::Mismatch { .. })));
    let refused = |texture: Texture| {
        let shape = shape_of(&texture, Kind::Float);
        Image::new(Arc::new(texture), &shape).map(|_| ())
    };
    let good = || texture(Dimension::D2, BC1_UNORM, [5, 4, 1], 1, vec![vec![0; 16]]);
    assert_eq!(refused(good()), Ok(()));
    for bad in [
        Texture { levels: vec![vec![0; 8]], ..good() },
        Texture { levels: vec![vec![0; 16 * 4]], samples: 4, ..good() },
        Texture { dimension: Dimension::D1, size: [5, 1, 1], ..good() },
    ] {
        assert!(matches!(refused(bad.clone()), Err(ImageError::Malformed(_))), "{bad:?}");
    }
}
