//! Minimum and maximum, the least level of detail of a texture, and anisotropic footprints.

use super::lookup::{derivatives, pyramid, trilinear};
use super::*;
use crate::case::{Comparison, FilterReduction};
use gpuproof_program::Bounds;

/// §5.9.4.5.6: the texels that a filter would weigh, component by component; those of no weight have no part.
#[test]
fn least_and_greatest_texels() {
    let texels = [[1.0, -4.0, 7.0, 0.0], [2.0, -3.0, f32::NAN, 0.0], [3.0, -2.0, 5.0, 0.0], [4.0, -1.0, 8.0, 0.0]];
    let image = image(texture(Dimension::D2, RGBA32_FLOAT, [2, 2, 1], 1, vec![floats(texels.concat())]));
    let sample = |reduction, x, y| {
        let state = SamplerState { reduction, ..sampler(Filter::Linear, AddressMode::Clamp) };
        image.sample(&state, &at([x, y, 0.0])).map(f32::from_bits)
    };
    assert_eq!(sample(FilterReduction::Minimum, 0.5, 0.5), [1.0, -4.0, 5.0, 0.0]);
    assert_eq!(sample(FilterReduction::Maximum, 0.5, 0.5), [4.0, -1.0, 8.0, 0.0]);
    // On the centre of a texel, and between two.
    assert_eq!(sample(FilterReduction::Maximum, 0.25, 0.25), [1.0, -4.0, 7.0, 0.0]);
    assert_eq!(sample(FilterReduction::Maximum, 0.25, 0.5), [3.0, -2.0, 7.0, 0.0]);
    assert!(sample(FilterReduction::Minimum, 0.75, 0.25)[2].is_nan(), "nothing but NaN");
    let point = SamplerState { reduction: FilterReduction::Maximum, ..sampler(Filter::Point, AddressMode::Clamp) };
    assert_eq!(red(image.sample(&point, &at([0.3, 0.3, 0.0]))), 1.0);
    let comparing = SamplerState { comparison: Some(Comparison::Less), ..point };
    assert!(image.check_sampler(&comparing, true).is_err() && image.check_sampler(&point, false).is_ok());
}

#[test]
fn least_and_greatest_of_two_levels() {
    let image = pyramid(Dimension::D2, 16, 5, 1);
    let level = |reduction, lod| {
        let state = SamplerState { reduction, ..trilinear() };
        red(image.sample(&state, &Lookup { lod: Lod::Explicit(lod), ..at([0.5; 3]) }))
    };
    assert_eq!([level(FilterReduction::Minimum, 1.25), level(FilterReduction::Maximum, 1.25)], [1.0, 2.0]);
    assert_eq!(level(FilterReduction::Maximum, 2.0), 2.0, "the next level has no weight");
    // Three texels meet at the corner of a cube: faces 0, 2 and 4 at (1, 1, 1).
    let cube = float_image(Dimension::Cube, [2, 2, 1], 6, (0..24).map(|index| (index / 4) as f32));
    let corner = |reduction| {
        red(cube.sample(&SamplerState { reduction, ..sampler(Filter::Linear, AddressMode::Clamp) }, &at([1.0, 1.0, 1.0])))
    };
    assert_eq!([corner(FilterReduction::Minimum), corner(FilterReduction::Maximum)], [0.0, 4.0]);
}

fn bounded_pyramid(min_lod: f32) -> Image {
    let whole = pyramid(Dimension::D2, 32, 6, 1);
    image(Texture { min_lod, ..(**whole.texture()).clone() })
}

/// The examples of §5.8.6: six levels, a sampler that bounds them by 1.2 and 4; the bounds of 3.5, 5.5 and 6.5 count from the level before the view.
#[test]
fn the_least_level_of_a_texture() {
    let state = SamplerState { min_lod: 1.2, max_lod: 4.0, ..trilinear() };
    let quarter = derivatives([0.25 / 32.0, 0.0, 0.0], [0.0; 3], 0.0);
    let four = derivatives([4.0 / 32.0, 0.0, 0.0], [0.0; 3], 0.0);
    let explicit = |lod| Lookup { lod: Lod::Explicit(lod), ..at([0.5, 0.5, 0.0]) };
    for (bound, level, loaded) in [(2.5, 2.5, 2), (4.5, 4.5, 4)] {
        let image = bounded_pyramid(bound);
        let sample = |lookup: &Lookup| red(image.sample(&state, lookup));
        assert_eq!([quarter, four, explicit(-2.0), explicit(2.0)].map(|lookup| sample(&lookup)), [level; 4]);
        assert_eq!(image.level_of_detail(&state, &quarter).map(f32::from_bits), [level, -2.0]);
        assert_eq!(image.level_of_detail(&state, &four).map(f32::from_bits), [level, 2.0]);
        let load = |level| image.load([0; 3], level, Bounds::Defined);
        assert_eq!((red(load(loaded).texel), load(loaded).in_range), (loaded as f32, true));
        assert_eq!((red(load(loaded - 1).texel), load(loaded - 1).in_range), (0.0, false));
        assert_eq!(red(image.load([0; 3], 0, Bounds::Clamped).texel), loaded as f32);
        assert_eq!(image.gather(&state, &at([0.5, 0.5, 0.0]), 3), [1f32.to_bits(); 4], "out of range: alpha is missing");
    }
    let empty = bounded_pyramid(5.5);
    for lookup in [quarter, four, explicit(-2.0), explicit(5.0)] {
        assert_eq!(empty.sample(&state, &lookup), [0, 0, 0, 1f32.to_bits()]);
    }
    assert_eq!(empty.level_of_detail(&state, &quarter).map(f32::from_bits), [0.0, -2.0]);
    assert_eq!(empty.level_of_detail(&state, &four).map(f32::from_bits), [0.0, 2.0]);
    assert!((0..6).all(|level| !empty.load([0; 3], level, Bounds::Defined).in_range));
    // What is compared is the 0 of what is out of range.
    let compare = |comparison, reference| {
        let state = SamplerState { comparison: Some(comparison), ..state };
        let lookup = Lookup { reference: Some(reference), ..at([0.5, 0.5, 0.0]) };
        (empty.gather(&state, &lookup, 0), empty.sample(&state, &lookup))
    };
    assert_eq!(compare(Comparison::Greater, 0.5), ([1f32.to_bits(); 4], [1f32.to_bits(); 4]));
    assert_eq!(compare(Comparison::Less, 0.5), ([0; 4], [0; 4]));
}

/// §5.8.4 and §5.8.5.
#[test]
fn fractions_of_the_least_level() {
    let explicit = Lookup { lod: Lod::Explicit(0.0), ..at([0.5, 0.5, 0.0]) };
    // 1.1 is 282 in 256ths: 90% of level 1 and 10% of level 2.
    let image = bounded_pyramid(1.1);
    assert_eq!(red(image.sample(&trilinear(), &explicit)), 1.0 + 26.0 / 256.0);
    assert!(image.load([0; 3], 1, Bounds::Defined).in_range && !image.load([0; 3], 0, Bounds::Defined).in_range);
    let state = sampler(Filter::Linear, AddressMode::Clamp);
    assert_eq!(bounded_pyramid(0.1).gather(&state, &explicit, 0), [0; 4], "level 0 holds zeros, and is there");
    assert!(bounded_pyramid(0.1).load([0; 3], 0, Bounds::Defined).in_range);
    assert!(!bounded_pyramid(5.1).load([0; 3], 5, Bounds::Defined).in_range, "past the last level");
    assert!(bounded_pyramid(-3.0).load([0; 3], 0, Bounds::Defined).in_range);
    // All levels are counted, and stores know of no bound.
    assert_eq!(bounded_pyramid(2.5).size(0), [32, 32, 0, 6]);
    let mut stored = bounded_pyramid(2.5).writable().unwrap();
    assert!(stored.store([3, 3, 0], [1f32.to_bits(); 4]) && stored.load([3, 3, 0], 0, Bounds::Defined).in_range);
    let nan = Texture { min_lod: f32::NAN, ..(**bounded_pyramid(0.0).texture()).clone() };
    let shape = shape_of(&nan, Kind::Float);
    assert!(Image::new(Arc::new(nan), &shape).is_err());
}

fn anisotropic(most: u8) -> SamplerState {
    SamplerState { max_anisotropy: Some(most), ..trilinear() }
}

/// §7.18.11: the ratio of the axes is bounded, and the level is that of the shorter one.
#[test]
fn levels_of_anisotropic_footprints() {
    let image = pyramid(Dimension::D2, 64, 7, 1);
    let level = |most, x: [f32; 2], y: [f32; 2]| {
        let texels = |[u, v]: [f32; 2]| [u / 64.0, v / 64.0, 0.0];
        f32::from_bits(image.level_of_detail(&anisotropic(most), &derivatives(texels(x), texels(y), 0.0))[1])
    };
    // 8 texels by 1, and by 2 along y.
    assert_eq!([16, 8, 4, 1, 0].map(|most| level(most, [8.0, 0.0], [0.0, 1.0])), [0.0, 0.0, 1.0, 3.0, 3.0]);
    assert_eq!([16, 2].map(|most| level(most, [0.0, 2.0], [8.0, 0.0])), [1.0, 2.0]);
    // One derivative alone, and parallel ones, are a line, as wide as the bound allows.
    assert_eq!([level(16, [16.0, 0.0], [0.0, 0.0]), level(4, [3.0, 4.0], [24.0, 32.0])], [0.0, 10f32.log2()]);
    // Shorter than a texel: the level is negative, not 0.
    assert_eq!(level(16, [4.0, 0.0], [0.0, 0.5]), -1.0);
    // Nothing to go along: as without anisotropy.
    assert_eq!(level(16, [0.0; 2], [0.0; 2]), f32::NEG_INFINITY);
    assert_eq!(level(16, [f32::NAN, 0.0], [2.0, 0.0]), 1.0);
    // Volumes and cubes are filtered isotropically, and so is an explicit level.
    let cube = pyramid(Dimension::Cube, 64, 7, 6);
    let lookup = Lookup { coordinates: [0.1, 0.2, 1.0], ..derivatives([0.125, 0.0, 0.0], [0.0; 3], 0.0) };
    assert_eq!(red(cube.sample(&anisotropic(16), &lookup)), 2.0);
    assert_eq!(red(image.sample(&anisotropic(16), &Lookup { lod: Lod::Explicit(1.5), ..at([0.5; 3]) })), 1.5);
}

/// The axes of the ellipse by the specification's own expressions, in f64.
#[test]
fn axes_of_sheared_footprints() {
    let image = pyramid(Dimension::D2, 64, 7, 1);
    let mut random = Random(3);
    for _ in 0..2000 {
        let [xu, xv, yu, yv] = std::array::from_fn(|_| random.below(1 << 12) as f64 / 256.0 - 8.0);
        let (a, b, c) = (xv * xv + yv * yv, -2.0 * (xu * xv + yu * yv), xu * xu + yu * yu);
        let f = (xu * yv - yu * xv).powi(2);
        let (p, q) = (a - c, a + c);
        let t = p.hypot(b);
        let square = |numerator: f64, denominator: f64| f * numerator / (t * denominator);
        let x = square(t + p, q + t) + square(t - p, q + t);
        let y = square(t - p, q - t) + square(t + p, q - t);
        // Not for what the specification leaves alone, nor where the difference has lost what a test needs.
        let perpendicular = xu * yu + xv * yv == 0.0;
        if f == 0.0 || perpendicular || !(y / x).is_finite() || y / x > 1e5 {
            continue;
        }
        let (longer, area) = (x.max(y).sqrt(), f.sqrt());
        let expected = if longer * longer / area > 4.0 { longer / 4.0 } else { area / longer };
        let lookup = derivatives([xu as f32 / 64.0, xv as f32 / 64.0, 0.0], [yu as f32 / 64.0, yv as f32 / 64.0, 0.0], 0.0);
        let found = f32::from_bits(image.level_of_detail(&anisotropic(4), &lookup)[1]);
        assert!((f64::from(found) - expected.log2()).abs() < 1e-4, "{xu} {xv} {yu} {yv}: {found} {}", expected.log2());
    }
}

/// Probes lie on the longer axis at i/(n + 1) of it, and count alike.
#[test]
fn probes_of_anisotropic_footprints() {
    // Column 10 is 1, the others 0.
    let stripe = float_image(Dimension::D2, [64, 64, 1], 1, (0..4096).map(|index| if index % 64 == 10 { 1.0 } else { 0.0 }));
    let lookup = |x: [f32; 2], y: [f32; 2]| Lookup {
        coordinates: [10.5 / 64.0, 20.5 / 64.0, 0.0],
        ..derivatives([x[0] / 64.0, x[1] / 64.0, 0.0], [y[0] / 64.0, y[1] / 64.0, 0.0], 0.0)
    };
    let sample = |state: &SamplerState, x, y| red(stripe.sample(state, &lookup(x, y)));
    // Two probes a third of a texel to the left and right: 85 of 256, twice 171.
    assert_eq!(sample(&anisotropic(16), [2.0, 0.0], [0.0, 1.0]), 171.0 / 256.0);
    // Four, of which the inner ones are 0.4 texels away: 102 of 256, twice 154, over 4.
    assert_eq!(sample(&anisotropic(16), [4.0, 0.0], [0.0, 1.0]), 154.0 / 256.0 / 2.0);
    // A ratio of 2.5 makes three: in the middle, and 0.625 away (160 of 256).
    assert_eq!(sample(&anisotropic(16), [2.5, 0.0], [0.0, 1.0]), ((256.0 + 96.0 + 96.0) / 256.0 / 3.0f64) as f32);
    // Along the stripe all are alike; by one probe nothing is missed.
    assert_eq!(sample(&anisotropic(16), [0.0, 4.0], [1.0, 0.0]), 1.0);
    assert_eq!(sample(&anisotropic(16), [1.0, 0.0], [0.0, 1.0]), 1.0);
    // On a diagonal both coordinates move: 1.2 and 0.4 texels each way of (4, 4), ratio 4.
    assert_eq!(sample(&anisotropic(16), [4.0, 4.0], [-1.0, 1.0]), 154.0 / 256.0 / 2.0);
    let reduced = |reduction| sample(&SamplerState { reduction, ..anisotropic(16) }, [4.0, 0.0], [0.0, 1.0]);
    assert_eq!([reduced(FilterReduction::Minimum), reduced(FilterReduction::Maximum)], [0.0, 1.0]);
    // A comparison sampler: reference 0.5 is less than 1 on the stripe alone.
    let comparing = SamplerState { comparison: Some(Comparison::Less), ..anisotropic(16) };
    let compared = stripe.sample(&comparing, &Lookup { reference: Some(0.5), ..lookup([2.0, 0.0], [0.0, 1.0]) });
    assert_eq!(red(compared), 171.0 / 256.0);
}
