//! Sets of lookups hold the canonical result, and what was calculated by hand, and no more.

use super::*;
use crate::case::FilterReduction;
use crate::texture::Weights;
use gpuproof_number::allowed::Interval;

fn points(coordinates: [f32; 3]) -> [Interval; 3] {
    coordinates.map(|x| Interval::point(f64::from(x)))
}

fn holds(parts: &[Interval], x: f64) -> bool {
    parts.iter().any(|part| part.contains(x))
}

/// A texture with all levels, of random texels.
fn mipped(random: &mut Random, dimension: Dimension, size: [u32; 3]) -> Image {
    let count = 32 - size.iter().max().unwrap().leading_zeros();
    let levels = (0..count).map(|level| {
        let texels: u32 = size.iter().map(|n| (n >> level).max(1)).product();
        floats((0..texels).map(|_| (random.next() >> 40) as f32 / 4_194_304.0 - 2.0))
    });
    image(texture(dimension, R32_FLOAT, size, 1, levels.collect()))
}

#[test]
fn canonical_results_are_among_the_allowed_ones() {
    // The canonical sampler is one implementation, of 8 fraction bits.
    let mut random = Random(7);
    let modes = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border, AddressMode::MirrorOnce];
    let images = [
        mipped(&mut random, Dimension::D1, [33, 1, 1]),
        mipped(&mut random, Dimension::D2, [16, 8, 1]),
        mipped(&mut random, Dimension::D2, [7, 5, 1]),
        mipped(&mut random, Dimension::D3, [8, 4, 3]),
    ];
    for round in 0..20_000u64 {
        let unit = |random: &mut Random| (random.next() >> 40) as f32 / 16_777_216.0;
        let scale = [1.0, 4.0, 1000.0][round as usize % 3];
        let coordinates = [unit(&mut random), unit(&mut random), unit(&mut random)].map(|x| (x - 0.4) * scale);
        let lod = unit(&mut random) * 6.0 - 1.0;
        let reference = (round % 7 == 0).then(|| unit(&mut random));
        let offset = if round % 5 == 0 { [3, -2, 1] } else { [0; 3] };
        let lookup = Lookup { lod: Lod::Explicit(lod), reference, offset, ..at(coordinates) };
        let filter = |bit: u32| if random.0 >> bit & 1 == 1 { Filter::Linear } else { Filter::Point };
        let state = SamplerState {
            magnify: filter(3),
            minify: filter(4),
            mip: filter(5),
            comparison: reference.map(|_| crate::Comparison::Less),
            border: [0.25, 0.5, 0.75, 1.0],
            ..sampler(Filter::Linear, modes[round as usize % 5])
        };
        let image = &images[round as usize % 4];
        let canonical = red(image.sample(&state, &lookup));
        let allowed = image.allowed(&state, &lookup, points(coordinates)).expect("a set");
        assert!(holds(&allowed[0], canonical.into()), "{lookup:?} {state:?}: {canonical} is not in {:?}", allowed[0]);
        for weights in [Weights::Whole, Weights::In256ths] {
            let Some(exact) = image.exact(&state, &lookup, points(coordinates), weights) else { continue };
            let (x, radius) = exact[0];
            if weights == Weights::In256ths {
                // Each of two levels, and what they give together, is rounded to a float below 2.
                let off = (x - f64::from(canonical)).abs();
                assert!(off <= 2.0 * f64::from(f32::EPSILON) + radius, "{lookup:?} {state:?}: {x}, not {canonical}");
            }
            assert!(radius < 1e-9 && holds(&allowed[0], x), "{lookup:?} {state:?}: {x} is not in {:?}", allowed[0]);
        }
        if round % 4 == 3 {
            continue;
        }
        let gathered = image.gather(&state, &Lookup { reference: None, ..lookup }, 0);
        let allowed = image.allowed_gather(&state, &Lookup { reference: None, ..lookup }, points(coordinates), 0).expect("a set");
        for (texel, parts) in gathered.iter().zip(&allowed) {
            assert!(holds(parts, f32::from_bits(*texel).into()), "{lookup:?}: {texel:x} is not in {parts:?}");
        }
    }
}

#[test]
fn weights_may_be_off_by_six_tenths_of_a_256th() {
    // 4 texels of 0, 1, 2, 3: at u the filter gives 4 u - 0.5 (D3D11.3 §7.18.8).
    let image = float_image(Dimension::D1, [4, 1, 1], 1, [0.0, 1.0, 2.0, 3.0]);
    let state = sampler(Filter::Linear, AddressMode::Clamp);
    let u = 0.4371;
    let exact = 4.0 * f64::from(u) - 0.5;
    let found = image.allowed(&state, &at([u, 0.0, 0.0]), points([u, 0.0, 0.0])).expect("a set");
    for (off, allowed) in [(0.59, true), (-0.59, true), (0.61, false), (-0.61, false)] {
        assert_eq!(holds(&found[0], exact + off / 256.0), allowed, "{off}");
    }
    let (x, radius) = image.exact(&state, &at([u, 0.0, 0.0]), points([u, 0.0, 0.0]), Weights::Whole).expect("a number")[0];
    assert!((x - exact).abs() <= radius && radius < 1e-12);
}

#[test]
fn next_to_an_edge_a_point_filter_may_take_either_texel() {
    let image = float_image(Dimension::D1, [4, 1, 1], 1, [0.0, 1.0, 2.0, 3.0]);
    let state = sampler(Filter::Point, AddressMode::Wrap);
    let of = |u: f32| image.allowed(&state, &at([u, 0.0, 0.0]), points([u, 0.0, 0.0])).expect("a set")[0].clone();
    // 0.24995 is 0.9998 texels, 0.05 of a 256th before the edge.
    let beside = of(0.24995);
    assert!(holds(&beside, 0.0) && holds(&beside, 1.0) && !holds(&beside, 0.5) && !holds(&beside, 2.0));
    let inside = of(0.3);
    assert!(holds(&inside, 1.0) && !holds(&inside, 0.0) && !holds(&inside, 2.0));
    // What fixed point holds stays where it is.
    let edge = of(0.25);
    assert!(holds(&edge, 1.0) && !holds(&edge, 0.0));
}

#[test]
fn levels_may_be_mixed_with_a_weight_that_is_off_by_as_much() {
    // Levels of one colour each: 1 and 3.
    let levels = vec![floats([1.0; 4]), floats([3.0; 2]), floats([5.0])];
    let image = image(texture(Dimension::D1, R32_FLOAT, [4, 1, 1], 1, levels));
    let state = SamplerState { mip: Filter::Linear, ..sampler(Filter::Linear, AddressMode::Wrap) };
    let of = |lod: f32| {
        let lookup = Lookup { lod: Lod::Explicit(lod), ..at([0.3, 0.0, 0.0]) };
        image.allowed(&state, &lookup, points([0.3, 0.0, 0.0])).expect("a set")[0].clone()
    };
    let lod = 0.3001f32;
    for (off, allowed) in [(0.59, true), (-0.59, true), (0.61, false), (-0.61, false)] {
        assert_eq!(holds(&of(lod), 1.0 + 2.0 * (f64::from(lod) + off / 256.0)), allowed, "{off}");
    }
    assert!(holds(&of(0.0), 1.0) && !holds(&of(0.0), 1.001), "level 0 is level 0");
}

#[test]
fn what_has_no_bound_or_is_not_known_has_no_set() {
    let image = float_image(Dimension::D1, [4, 1, 1], 1, [0.0, 1.0, 2.0, 3.0]);
    let state = sampler(Filter::Linear, AddressMode::Wrap);
    let lod = Lod::Derivatives { ddx: [0.1, 0.0, 0.0], ddy: [0.0; 3], bias: 0.0 };
    let derived = Lookup { lod, ..at([0.3, 0.0, 0.0]) };
    assert!(image.allowed(&state, &derived, points([0.3, 0.0, 0.0])).is_some(), "one level is the level");
    let mut random = Random(3);
    let mipped = mipped(&mut random, Dimension::D1, [4, 1, 1]);
    assert!(mipped.allowed(&state, &derived, points([0.3, 0.0, 0.0])).is_none());
    assert!(image.allowed(&state, &at([0.3, 0.0, 0.0]), [Interval::NAN; 3]).is_none());
    // An anisotropic sampler filters linearly where the level is given, and where it is not, nobody knows where.
    let anisotropic = SamplerState { max_anisotropy: Some(16), ..sampler(Filter::Point, AddressMode::Wrap) };
    let explicit = at([0.3, 0.0, 0.0]);
    let sets = [&anisotropic, &state].map(|state| image.allowed(state, &explicit, points([0.3, 0.0, 0.0])));
    assert!(sets[0].is_some() && sets[0] == sets[1]);
    assert!(image.allowed(&anisotropic, &derived, points([0.3, 0.0, 0.0])).is_none());
    let least = SamplerState { reduction: FilterReduction::Minimum, ..state };
    assert!(image.allowed(&least, &explicit, points([0.3, 0.0, 0.0])).is_none());
    // At 0.375 is the second texel's centre: just before it floats may already be there.
    let before = 0.375f32.next_down();
    assert!(image.exact(&state, &at([before, 0.0, 0.0]), points([before, 0.0, 0.0]), Weights::Whole).is_none());
    assert!(image.exact(&state, &at([0.375, 0.0, 0.0]), points([0.375, 0.0, 0.0]), Weights::Whole).is_some());
}
