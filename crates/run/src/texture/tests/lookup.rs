use super::*;
use gpuproof_program::{Level, Sampling};

/// A texture whose level k holds k everywhere.
pub(super) fn pyramid(dimension: Dimension, size: u32, levels: u32, layers: u32) -> Image {
    let texels = |level: u32| {
        let n = (size >> level).max(1);
        n * n * layers
    };
    let levels = (0..levels).map(|level| floats(std::iter::repeat_n(level as f32, texels(level) as usize))).collect();
    image(texture(dimension, R32_FLOAT, [size, size, 1], layers, levels))
}

pub(super) fn derivatives(ddx: [f32; 3], ddy: [f32; 3], bias: f32) -> Lookup {
    Lookup { lod: Lod::Derivatives { ddx, ddy, bias }, ..at([0.5, 0.5, 0.0]) }
}

pub(super) fn trilinear() -> SamplerState {
    SamplerState { mip: Filter::Linear, ..sampler(Filter::Linear, AddressMode::Wrap) }
}

#[test]
fn level_from_derivatives() {
    let image = pyramid(Dimension::D2, 64, 7, 1);
    let level = |ddx, ddy, bias| red(image.sample(&trilinear(), &derivatives(ddx, ddy, bias)));
    // 4 texels a pixel: log2 4.
    assert_eq!(level([4.0 / 64.0, 0.0, 0.0], [0.0, 1.0 / 64.0, 0.0], 0.0), 2.0);
    assert_eq!(level([0.0; 3], [0.0, 8.0 / 64.0, 9.0], 0.0), 3.0, "z is not a coordinate of 2D");
    // The length of (3, 4) is 5; log2 5 = 2.32193 is 594.4 in 256ths.
    assert_eq!(level([3.0 / 64.0, 4.0 / 64.0, 0.0], [0.0; 3], 0.0), 594.0 / 256.0);
    assert_eq!(level([4.0 / 64.0, 0.0, 0.0], [0.0; 3], 1.5), 3.5);
    assert_eq!(level([4.0 / 64.0, 0.0, 0.0], [0.0; 3], 100.0), 6.0, "no level after the last");
    assert_eq!(level([0.0; 3], [0.0; 3], 3.0), 0.0, "log2 0 is minus infinity");
    assert_eq!(level([f32::NAN, 0.0, 0.0], [2.0 / 64.0, 0.0, 0.0], 0.0), 1.0, "a NaN length loses");
    // A NaN level is the greatest allowed: min takes max_lod.
    assert_eq!(level([f32::NAN; 3], [f32::NAN; 3], 0.0), 6.0);
}

#[test]
fn level_of_a_cube() {
    let image = pyramid(Dimension::Cube, 64, 7, 6);
    // On +z at (0.1, 0.2, 1) along x by 1/8: half of 64 texels times 1/8 is 4.
    let lookup = Lookup { coordinates: [0.1, 0.2, 1.0], ..derivatives([0.125, 0.0, 0.0], [0.0; 3], 0.0) };
    assert_eq!(red(image.sample(&trilinear(), &lookup)), 2.0);
    // Toward the viewer along the axis the position stays.
    let lookup = Lookup { coordinates: [0.0, 0.0, -2.0], ..derivatives([0.0, 0.0, 1.0], [0.0; 3], 0.0) };
    assert_eq!(image.level_of_detail(&trilinear(), &lookup)[1], f32::NEG_INFINITY.to_bits());
}

#[test]
fn biases_and_bounds() {
    let image = pyramid(Dimension::D2, 64, 7, 1);
    let level =
        |state: &SamplerState, lod, clamp| red(image.sample(state, &Lookup { lod: Lod::Explicit(lod), clamp, ..at([0.5; 3]) }));
    let state = trilinear();
    assert_eq!(level(&state, 1.25, None), 1.25);
    assert_eq!(level(&state, -3.0, None), 0.0);
    assert_eq!(level(&SamplerState { lod_bias: 0.5, ..state }, 1.25, None), 1.75);
    assert_eq!(level(&SamplerState { min_lod: 2.5, ..state }, 1.25, None), 2.5);
    assert_eq!(level(&SamplerState { max_lod: 0.5, ..state }, 1.25, None), 0.5);
    assert_eq!(level(&SamplerState { min_lod: 3.0, max_lod: 2.0, ..state }, 1.25, None), 3.0, "min wins");
    assert_eq!(level(&state, 1.25, Some(3.25)), 3.25);
    assert_eq!(level(&state, 1.25, Some(0.25)), 1.25);
    // Point between levels: nearest, halves up, after rounding to 256ths.
    let point = SamplerState { mip: Filter::Point, ..state };
    for (lod, expected) in [(0.49, 0.0), (0.5, 1.0), (1.49, 1.0), (1.4999, 2.0), (5.5, 6.0), (99.0, 6.0), (-1.0, 0.0)] {
        assert_eq!(level(&point, lod, None), expected, "{lod}");
    }
}

#[test]
fn magnified_at_most_level_zero() {
    let image = float_image(Dimension::D1, [2, 1, 1], 1, [0.0, 1.0]);
    let state = SamplerState { minify: Filter::Point, ..sampler(Filter::Linear, AddressMode::Clamp) };
    let sample = |lod| red(image.sample(&state, &Lookup { lod: Lod::Explicit(lod), ..at([0.5, 0.0, 0.0]) }));
    assert_eq!([sample(-1.0), sample(0.0), sample(0.25)], [0.5, 0.5, 1.0]);
}

#[test]
fn queried_levels() {
    let image = pyramid(Dimension::D2, 64, 4, 1);
    let query = |state: &SamplerState, texels: f32| {
        image.level_of_detail(state, &derivatives([texels / 64.0, 0.0, 0.0], [0.0; 3], 0.0)).map(f32::from_bits)
    };
    let state = trilinear();
    assert_eq!(query(&state, 2.0), [1.0, 1.0]);
    assert_eq!(query(&state, 0.25), [0.0, -2.0]);
    assert_eq!(query(&state, 64.0), [3.0, 6.0], "three levels after the first");
    assert_eq!(query(&SamplerState { max_lod: 0.5, ..state }, 4.0), [0.5, 2.0]);
}

/// Layers to nearest even, clamped.
#[test]
fn array_layers() {
    let image = float_image(Dimension::D1, [1, 1, 1], 4, [0.0, 1.0, 2.0, 3.0]);
    for (layer, expected) in [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (1.49, 1.0), (-7.0, 0.0), (99.0, 3.0), (f32::NAN, 0.0)] {
        let lookup = Lookup { layer, ..at([0.5, 0.0, 0.0]) };
        assert_eq!(red(image.sample(&sampler(Filter::Point, AddressMode::Wrap), &lookup)), expected, "{layer}");
    }
}

/// Texels are 10 y + x.
fn counted() -> Image {
    float_image(Dimension::D2, [4, 4, 1], 1, (0..16).map(|index| (index / 4 * 10 + index % 4) as f32))
}

#[test]
fn gathered_order_and_offsets() {
    let image = counted();
    let state = SamplerState { border: [99.0; 4], ..sampler(Filter::Point, AddressMode::Border) };
    let gather =
        |uv: [f32; 2], offset| image.gather(&state, &Lookup { offset, ..at([uv[0], uv[1], 0.0]) }, 0).map(f32::from_bits);
    // Around (2, 2): left below, right below, right above, left above.
    assert_eq!(gather([0.5, 0.5], [0; 3]), [21.0, 22.0, 12.0, 11.0]);
    assert_eq!(gather([0.5, 0.5], [1, -1, 0]), [12.0, 13.0, 3.0, 2.0]);
    assert_eq!(gather([0.0, 0.0], [0; 3]), [99.0, 0.0, 99.0, 99.0]);
    // On a texel's centre, that texel and the ones after it.
    assert_eq!(gather([0.375, 0.375], [0; 3]), [21.0, 22.0, 12.0, 11.0]);
    // Six bits, signed: 63 is -1.
    assert_eq!(gather([0.5, 0.5], [63, 64, 0]), [20.0, 21.0, 11.0, 10.0]);
    let missing = image.gather(&state, &at([0.5, 0.5, 0.0]), 3).map(f32::from_bits);
    assert_eq!(missing, [1.0; 4], "alpha that the format lacks");
}

#[test]
fn offsets_are_texels_of_each_level() {
    let state = trilinear();
    let sample = |offset| red(counted().sample(&state, &Lookup { offset, ..at([0.375, 0.375, 0.0]) }));
    assert_eq!([sample([0; 3]), sample([2, 1, 5]), sample([-2, 0, 0])], [11.0, 23.0, 13.0]);
}

/// WGSL's textureSampleBaseClampToEdge: half a texel of 4 is 0.125; wrapping would blend with the other edge.
#[test]
fn base_level_clamped_to_the_edge() {
    let image = pyramid(Dimension::D2, 64, 7, 1);
    let lookup = Lookup { base_clamp_to_edge: true, lod: Lod::Explicit(5.0), ..at([0.0; 3]) };
    assert_eq!(red(image.sample(&trilinear(), &lookup)), 0.0, "the base level");
    let image = counted();
    let sample = |u, v| {
        let lookup = Lookup { base_clamp_to_edge: true, ..at([u, v, 0.0]) };
        red(image.sample(&sampler(Filter::Linear, AddressMode::Wrap), &lookup))
    };
    assert_eq!([sample(0.0, 0.0), sample(9.0, 0.5), sample(-1.0, 1.0), sample(0.5, 0.125)], [0.0, 18.0, 30.0, 1.5]);
}

#[test]
fn integers_are_taken_from_the_nearest_texel() {
    let bytes = |values: [u32; 4]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let image = image(texture(Dimension::D1, R32_UINT, [4, 1, 1], 1, vec![bytes([7, 0xffff_ffff, 1, 0x7f80_0001])]));
    let sample = |u| image.sample(&trilinear(), &at([u, 0.0, 0.0]));
    assert_eq!(sample(0.3), [0xffff_ffff, 0, 0, 1]);
    assert_eq!(sample(0.99), [0x7f80_0001, 0, 0, 1], "bits as they are");
}

/// The positions that `Sampling::operands` gives.
#[test]
fn operands_of_an_instruction() {
    let sampling = Sampling { compare: true, clamp: true, offset: true, ..Sampling::at(Level::Bias) };
    let words = [
        0,
        0,
        1f32.to_bits(),
        2f32.to_bits(),
        3f32.to_bits(),
        4f32.to_bits(),
        0.5f32.to_bits(),
        0.25f32.to_bits(),
        6f32.to_bits(),
        7,
        u32::MAX,
        1,
    ];
    let lookup = Lookup::new(&sampling, |position| words[position], || ([8.0; 3], [9.0; 3]));
    assert_eq!(
        lookup,
        Lookup {
            coordinates: [1.0, 2.0, 3.0],
            layer: 4.0,
            lod: Lod::Derivatives { ddx: [8.0; 3], ddy: [9.0; 3], bias: 0.5 },
            reference: Some(0.25),
            clamp: Some(6.0),
            offset: [7, -1, 1],
            base_clamp_to_edge: false,
        }
    );
    let gradient = |position: usize| (position as f32).to_bits();
    let lookup = Lookup::new(&Sampling::at(Level::Gradient), gradient, || unreachable!("derivatives are operands"));
    assert_eq!(lookup.lod, Lod::Derivatives { ddx: [6.0, 7.0, 8.0], ddy: [9.0, 10.0, 11.0], bias: 0.0 });
}

/// Prints nanoseconds a lookup; run with `--ignored --nocapture`.
#[test]
#[ignore = "prints a measurement and asserts nothing"]
fn time_of_a_lookup() {
    let rgba8 =
        image(texture(Dimension::D2, 28, [256, 256, 1], 1, vec![(0..256 * 256 * 4).map(|index| (index * 7) as u8).collect()]));
    let large = image(texture(
        Dimension::D2,
        28,
        [1024, 1024, 1],
        1,
        vec![(0..1024 * 1024 * 4).map(|index| (index * 7) as u8).collect()],
    ));
    let floats = float_image(Dimension::D2, [256, 256, 1], 1, (0..65536).map(|index| (index as f32).sqrt()));
    let linear = sampler(Filter::Linear, AddressMode::Wrap);
    for (name, image, state) in [
        ("rgba8 bilinear", &rgba8, linear),
        ("rgba8 bilinear, a large texture", &large, linear),
        ("r32f bilinear", &floats, linear),
        ("rgba8 point", &rgba8, sampler(Filter::Point, AddressMode::Clamp)),
    ] {
        let mut random = Random(5);
        let lookups: Vec<Lookup> = (0..4096).map(|_| at(std::array::from_fn(|_| random.below(1 << 20) as f32 / 1e5))).collect();
        let mut sum = 0u32;
        let start = std::time::Instant::now();
        for _ in 0..50 {
            for lookup in &lookups {
                sum = sum.wrapping_add(image.sample(&state, lookup)[0]);
            }
        }
        println!("{name}: {:.1} ns ({sum})", start.elapsed().as_nanos() as f64 / (50.0 * 4096.0));
    }
}
