use super::super::{ImageError, TexelBuffer};
use super::*;
use gpuproof_number::format::FORMATS;
use gpuproof_program::Bounds;

const ONE: u32 = 0x3f80_0000;

#[test]
fn loads_in_and_out_of_range() {
    let levels = vec![floats((0..16).map(|index| index as f32 + 1.0)), floats((0..4).map(|index| index as f32 + 100.0))];
    let image = image(texture(Dimension::D2, R32_FLOAT, [4, 2, 1], 2, levels));
    let load = |coordinates, level, bounds| {
        let loaded = image.load(coordinates, level, bounds);
        (red(loaded.texel), loaded.in_range)
    };
    for bounds in [Bounds::Defined, Bounds::Undefined, Bounds::Clamped] {
        assert_eq!(load([3, 1, 1], 0, bounds), (16.0, true));
        assert_eq!(load([1, 0, 1], 1, bounds), (103.0, true));
    }
    for (coordinates, level, clamped) in
        [([4, 0, 0], 0, 4.0), ([0, 2, 0], 0, 5.0), ([0, 0, 2], 0, 9.0), ([0, 0, 0], 2, 100.0), ([u32::MAX; 3], u32::MAX, 103.0)]
    {
        assert_eq!(load(coordinates, level, Bounds::Defined), (0.0, false));
        assert_eq!(load(coordinates, level, Bounds::Clamped), (clamped, false));
    }
    assert_eq!(image.load([9; 3], 0, Bounds::Defined).texel, [0, 0, 0, ONE], "missing components keep their defaults");
}

/// What sampling flushes, loads and gathers keep.
#[test]
fn loads_keep_bits() {
    let bits = [1u32, 0xffc1_2345, 0x8000_0000, 0x7fa0_0000];
    let image = float_image(Dimension::D2, [2, 2, 1], 1, bits.map(f32::from_bits));
    assert_eq!([0, 1, 2, 3].map(|index| image.load([index & 1, index >> 1, 0], 0, Bounds::Defined).texel[0]), bits);
    let state = sampler(Filter::Linear, AddressMode::Clamp);
    assert_eq!(image.gather(&state, &at([0.5, 0.5, 0.0]), 0), [bits[2], bits[3], bits[1], bits[0]]);
    let sample = |x: f32, y: f32| image.sample(&state, &at([x, y, 0.0]))[0];
    assert_eq!([sample(0.25, 0.25), sample(0.75, 0.25), sample(0.25, 0.75)], [0, 0x7fc0_0000, 0x8000_0000]);
}

/// Where a layer stands among the coordinates, for every dimension.
#[test]
fn layers_follow_coordinates() {
    let values = |count: u32| (0..count).map(|index| index as f32);
    let load = |image: &Image, coordinates| red(image.load(coordinates, 0, Bounds::Defined).texel);
    let row = float_image(Dimension::D1, [4, 1, 1], 3, values(12));
    assert_eq!([load(&row, [1, 2, 77]), load(&row, [1, 3, 0])], [9.0, 0.0]);
    let single = float_image(Dimension::D1, [4, 1, 1], 1, values(4));
    assert_eq!(load(&single, [1, 77, 77]), 1.0, "operands that the dimension lacks are not read");
    let volume = float_image(Dimension::D3, [2, 3, 4], 1, values(24));
    assert_eq!(load(&volume, [1, 2, 3]), 23.0);
    let cube = float_image(Dimension::Cube, [2, 2, 1], 6, values(24));
    assert_eq!(load(&cube, [1, 0, 5]), 21.0);
}

#[test]
fn sizes() {
    let size = |dimension, size: [u32; 3], layers: u32, levels: u32| {
        let texels = |level: u32| size.iter().map(|n| (n >> level).max(1)).product::<u32>() * layers;
        let levels = (0..levels).map(|level| floats(std::iter::repeat_n(0.0, texels(level) as usize))).collect();
        image(texture(dimension, R32_FLOAT, size, layers, levels))
    };
    for (image, level, expected) in [
        (size(Dimension::D1, [8, 1, 1], 1, 2), 1, [4, 0, 0, 2]),
        (size(Dimension::D1, [8, 1, 1], 3, 1), 0, [8, 3, 0, 1]),
        (size(Dimension::D2, [8, 2, 1], 1, 4), 3, [1, 1, 0, 4]),
        (size(Dimension::D2, [8, 2, 1], 5, 1), 0, [8, 2, 5, 1]),
        (size(Dimension::D3, [8, 4, 3], 1, 2), 1, [4, 2, 1, 2]),
        (size(Dimension::Cube, [8, 8, 1], 6, 1), 0, [8, 8, 0, 1]),
        (size(Dimension::Cube, [8, 8, 1], 12, 1), 0, [8, 8, 2, 1]),
        (size(Dimension::D2, [8, 2, 1], 1, 4), 4, [0, 0, 0, 4]),
    ] {
        assert_eq!(image.size(level), expected);
    }
}

/// What each format's own codec gives for the bytes is what a load gives, and storing it and loading it again changes nothing.
#[test]
fn every_format_is_loaded_and_stored() {
    let mut tested = 0;
    for format in FORMATS {
        let bytes: Vec<u8> = (0..format.bytes as u8).map(|byte| byte.wrapping_mul(37).wrapping_add(11) & 0x3f).collect();
        let Ok(expected) = format.decode(&bytes) else { continue };
        let texel = [bytes.clone(), bytes.clone()].concat();
        let mut image = image(texture(Dimension::D2, format.dxgi, [1, 2, 1], 1, vec![texel]));
        assert_eq!(image.load([0, 1, 0], 0, Bounds::Defined).texel, expected, "{}", format.name);
        assert!(image.store([0, 0, 0], expected));
        assert_eq!(image.load([0, 0, 0], 0, Bounds::Defined).texel, expected, "{}", format.name);
        let buffer = TexelBuffer::new(TexelFormat(format.dxgi), Kind::Unknown).unwrap();
        let mut memory = [bytes.clone(), vec![0; format.bytes * 2 + 1]].concat();
        assert_eq!(buffer.texels(memory.len()), if format.bytes == 1 { 4 } else { 3 });
        assert!(buffer.store(&mut memory, 2, expected));
        assert_eq!([0, 2].map(|index| buffer.load(&memory, index, Bounds::Defined).texel), [expected; 2], "{}", format.name);
        tested += 1;
    }
    assert!(tested >= 40, "{tested} formats");
}

#[test]
fn stores_copy_shared_textures_and_drop_out_of_range() {
    let original = Arc::new(texture(Dimension::D2, 28, [2, 2, 1], 1, vec![vec![0; 16]]));
    let mut image = Image::new(Arc::clone(&original), &shape_of(&original, Kind::Float)).unwrap();
    assert_eq!(image.load([1, 0, 0], 0, Bounds::Defined).texel, [0; 4]);
    // 0.5 of 255 is 127.5: 128. Values are clamped and NaN is 0.
    assert!(image.store([1, 0, 0], [0.5, 2.0, -1.0, f32::NAN].map(f32::to_bits)));
    assert!(!image.store([2, 0, 0], [ONE; 4]) && !image.store([0, 0xffff_ffff, 0], [ONE; 4]));
    let loaded = image.load([1, 0, 0], 0, Bounds::Defined).texel.map(f32::from_bits);
    assert_eq!(loaded, [128.0 / 255.0, 1.0, 0.0, 0.0]);
    assert_eq!(original.levels, [vec![0; 16]], "the case's own texture stays");
    assert_eq!(image.into_texture().levels, [[&[0; 4][..], &[128, 255, 0, 0], &[0; 8]].concat()]);
}

/// What was decoded before a store is not read after it.
#[test]
fn stores_are_seen() {
    let mut image = float_image(Dimension::D2, [2, 2, 1], 1, [1.0, 2.0, 3.0, 4.0]);
    let read = |image: &Image| {
        let sampled = image.sample(&sampler(Filter::Linear, AddressMode::Clamp), &at([0.5, 0.5, 0.0]));
        (red(image.load([1, 1, 0], 0, Bounds::Defined).texel), red(sampled))
    };
    assert_eq!(read(&image), (4.0, 2.5));
    assert!(image.store([1, 1, 0], [8f32.to_bits(), 0, 0, 0]));
    assert_eq!(read(&image), (8.0, 3.5));
}

#[test]
fn atomics_update_words() {
    let mut image =
        image(texture(Dimension::D1, R32_UINT, [2, 1, 1], 2, vec![vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]]));
    assert_eq!(image.update([0, 1, 0], |old| old + 40), Some(3));
    assert_eq!(image.update([0, 1, 0], |old| old), Some(43));
    assert_eq!(image.update([2, 0, 0], |_| unreachable!("out of range")), None);
    let buffer = TexelBuffer::new(TexelFormat(43), Kind::Sint).unwrap();
    let mut memory = vec![0xff; 8];
    assert_eq!(buffer.update(&mut memory, 1, |old| old.wrapping_add(1)), Some(0xffff_ffff));
    assert_eq!(memory, [255, 255, 255, 255, 0, 0, 0, 0]);
    assert_eq!(buffer.update(&mut memory, 2, |_| 0), None);
    let narrow = TexelBuffer::new(TexelFormat(R8_UNORM), Kind::Float).unwrap();
    assert_eq!(narrow.update(&mut memory, 0, |_| 0), None, "not a 32-bit component");
}

#[test]
fn typed_buffers_out_of_range() {
    let buffer = TexelBuffer::new(TexelFormat(R8_UNORM), Kind::Float).unwrap();
    let mut memory = [0u8, 51, 255];
    let load = |index, bounds| (red(buffer.load(&memory, index, bounds).texel), buffer.load(&memory, index, bounds).in_range);
    assert_eq!([load(1, Bounds::Defined), load(3, Bounds::Defined)], [(0.2, true), (0.0, false)]);
    assert_eq!([load(3, Bounds::Clamped), load(u32::MAX, Bounds::Clamped)], [(1.0, false); 2]);
    assert_eq!(buffer.load(&[], 0, Bounds::Clamped).texel, [0, 0, 0, ONE]);
    assert!(!buffer.store(&mut memory, 3, [ONE; 4]) && !buffer.store(&mut memory, u32::MAX, [ONE; 4]));
}

#[test]
fn samples_stand_together() {
    let values = floats((0..8).map(|index| index as f32));
    let multisampled = image(Texture { samples: 4, ..texture(Dimension::D2, R32_FLOAT, [2, 1, 1], 1, vec![values]) });
    assert_eq!(red(multisampled.load([1, 0, 0], 2, Bounds::Defined).texel), 6.0);
    assert!(!multisampled.load([1, 0, 0], 4, Bounds::Defined).in_range);
    assert!(multisampled.check_sampler(&SamplerState::default(), false).is_err());
}

/// Direct3D's tier 2 of tiled resources: reads of what is not mapped give 0 in the components that the format has, and the default in the others.
#[test]
fn what_is_not_mapped_is_zero() {
    let values = floats((0..4).map(|index| index as f32 + 1.0));
    let mapped = texture(Dimension::D2, R32_FLOAT, [2, 2, 1], 1, vec![values]);
    let lacking = image(Texture { unmapped: true, ..mapped.clone() });
    let sampler = sampler(Filter::Linear, AddressMode::Wrap);
    assert_eq!(lacking.load([1, 1, 0], 0, Bounds::Defined).texel, [0, 0, 0, ONE]);
    assert_eq!(lacking.sample(&sampler, &at([0.3, 0.6, 0.0])), [0, 0, 0, ONE]);
    assert_eq!((lacking.status(), image(mapped).status()), (0, 1));
    assert!(lacking.writable().is_err(), "whether stores reach a cache is left open");
    let blocks = Texture { unmapped: true, ..texture(Dimension::D2, 71, [4, 4, 1], 1, vec![vec![0; 8]]) };
    assert!(matches!(Image::new(Arc::new(blocks.clone()), &shape_of(&blocks, Kind::Float)), Err(ImageError::Mismatch { .. })));
}

/// Levels too large to decode whole give the same texels.
#[test]
fn large_levels() {
    let bytes = (0..1024 * 512u32).map(|index| (index ^ index >> 8) as u8).collect();
    let large = image(texture(Dimension::D2, R8_UNORM, [1024, 512, 1], 1, vec![bytes]));
    let sample = red(large.sample(&sampler(Filter::Point, AddressMode::Clamp), &at([700.5 / 1024.0, 300.5 / 512.0, 0.0])));
    let index = 300 * 1024 + 700u32;
    assert_eq!(sample, f32::from((index ^ index >> 8) as u8) / 255.0);
}

#[test]
fn what_does_not_fit_is_refused() {
    let good = || texture(Dimension::D2, R32_FLOAT, [2, 2, 1], 1, vec![vec![0; 16]]);
    let check = |texture: Texture, shape: TextureShape| Image::new(Arc::new(texture), &shape).map(|_| ());
    let own = |texture: Texture| {
        let shape = shape_of(&texture, Kind::Float);
        check(texture, shape)
    };
    assert_eq!(own(good()), Ok(()));
    for bad in [
        Texture { levels: vec![vec![0; 15]], ..good() },
        Texture { levels: vec![], ..good() },
        Texture { levels: vec![vec![0; 16], vec![0; 4], vec![0; 4]], ..good() },
        Texture { size: [0, 2, 1], ..good() },
        Texture { size: [2, 1, 2], ..good() },
        Texture { size: [u32::MAX; 3], dimension: Dimension::D3, ..good() },
        Texture { layers: 2, ..good() },
        Texture { layers: 0, ..good() },
        Texture { layers: u32::MAX, arrayed: true, size: [1 << 17, 1 << 17, 1], ..good() },
        Texture { samples: 0, ..good() },
        Texture { samples: 4, ..good() },
        Texture { dimension: Dimension::Buffer, ..good() },
        Texture { dimension: Dimension::Cube, ..good() },
    ] {
        assert!(matches!(own(bad.clone()), Err(ImageError::Malformed(_))), "{bad:?}");
    }
    for unsupported in [66, 103, 0, 1, 39, 70, 90, 94, 9999] {
        let result = own(Texture { format: TexelFormat(unsupported), ..good() });
        assert!(matches!(result, Err(ImageError::Unsupported(_))), "{unsupported}: {result:?}");
    }
    let shape = shape_of(&good(), Kind::Float);
    for other in [
        TextureShape { dimension: Dimension::D3, ..shape },
        TextureShape { dimension: Dimension::Cube, ..shape },
        TextureShape { kind: Kind::Uint, ..shape },
    ] {
        assert!(matches!(check(good(), other), Err(ImageError::Mismatch { .. })), "{other:?}");
    }
    let array = || texture(Dimension::D2, R32_FLOAT, [1, 1, 1], 6, vec![vec![0; 24]]);
    assert!(check(array(), shape).is_err(), "an array is not one texture");
    for accepted in [TextureShape { arrayed: true, ..shape }, TextureShape { dimension: Dimension::Cube, ..shape }] {
        assert_eq!(check(array(), accepted), Ok(()));
    }
    assert_eq!(check(good(), TextureShape { arrayed: true, ..shape }), Ok(()), "one layer is an array of one");
    let float = image(good());
    assert!(float.check_sampler(&SamplerState::default(), true).is_err(), "no comparison function");
    assert!(float.check_sampler(&SamplerState { min_lod: f32::NAN, ..SamplerState::default() }, false).is_err());
    assert_eq!(float.check_sampler(&SamplerState::default(), false), Ok(()));
    assert!(TexelBuffer::new(TexelFormat(28), Kind::Uint).is_err());
}

/// What was decoded of a texture is kept as long as it lives and not a moment longer: neither a store nor a change by its only owner may leave old texels.
#[test]
fn texels_are_those_of_the_texture_as_it_is() {
    let mut shared = Arc::new(texture(Dimension::D1, R32_FLOAT, [2, 1, 1], 1, vec![floats([1.0, 2.0])]));
    let shape = shape_of(&shared, Kind::Unknown);
    let first = |image: &Image| f32::from_bits(image.reader(0).texel([0; 3], 0, 0)[0]);
    let read = |shared: &Arc<Texture>| first(&Image::new(shared.clone(), &shape).unwrap());
    assert_eq!([read(&shared), read(&shared)], [1.0, 1.0]);
    let mut stored = Image::new(shared.clone(), &shape).unwrap().writable().unwrap();
    stored.texel_mut([0; 3], 0).unwrap().copy_from_slice(&5.0f32.to_le_bytes());
    assert_eq!([first(&stored), read(&shared)], [5.0, 1.0]);
    assert_eq!(read(stored.texture()), 5.0);
    Arc::make_mut(&mut shared).levels[0][..4].copy_from_slice(&7.0f32.to_le_bytes());
    assert_eq!(read(&shared), 7.0);
}
