use super::super::filter::{Probes, Texels, compare};
use super::*;
use crate::case::Comparison;

/// The texel of an infinite row that the address mode makes of `n` texels, by walking there from texel 0; none for the border.
fn walked(index: i64, n: i64, mode: AddressMode) -> Option<i64> {
    let (mut texel, mut step) = (0i64, if index < 0 { -1 } else { 1 });
    for _ in 0..index.abs() {
        let next = texel + step;
        if (0..n).contains(&next) {
            texel = next;
            continue;
        }
        match mode {
            AddressMode::Wrap => texel = if next < 0 { n - 1 } else { 0 },
            // At an edge the row turns and the edge texel comes again.
            AddressMode::Mirror => step = -step,
            AddressMode::Clamp => {}
            AddressMode::MirrorOnce if next < 0 => step = 1,
            AddressMode::MirrorOnce => {}
            AddressMode::Border => return None,
        }
    }
    Some(texel)
}

const MODES: [AddressMode; 5] =
    [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Clamp, AddressMode::Border, AddressMode::MirrorOnce];

/// An exact number times 2^-60 as f32, to nearest even, by integer arithmetic.
fn rounded(sum: i128) -> f32 {
    let magnitude = sum.unsigned_abs();
    let excess = (128 - magnitude.leading_zeros()).saturating_sub(24);
    let mut kept = magnitude >> excess;
    let rest = magnitude - (kept << excess);
    let half = if excess == 0 { 1 } else { 1u128 << (excess - 1) };
    if rest > half || rest == half && excess > 0 && kept & 1 == 1 {
        kept += 1;
    }
    // Both factors are exact.
    let value = (kept as f64 * 2f64.powi(excess as i32 - 60)) as f32;
    if sum < 0 { -value } else { value }
}

#[test]
fn sums_are_exact_and_rounded_once() {
    let mut random = Random(1);
    for round in 0..200_000u32 {
        let mut terms = Texels::<1>::new();
        let mut exact = 0i128;
        let count = 1 + random.below(8);
        let mut last = 0.0;
        for index in 0..count {
            // 24-bit mantissas times 2^-36 to 2^23; every second round cancels in pairs.
            let mantissa = (random.below(1 << 24) as i64 - (1 << 23)) as f32;
            let mut value = mantissa * 2f32.powi(random.below(60) as i32 - 36);
            if round % 2 == 1 && index % 2 == 1 {
                value = -last;
            }
            last = value;
            let weight = random.below(1 << 16) as u32;
            terms.push([value.to_bits()], weight);
            // value * 2^44 is an integer; with weight / 2^16 the sum is in units of 2^-60.
            exact += (f64::from(value) * 2f64.powi(44)) as i128 * i128::from(weight);
        }
        let got = f32::from_bits(terms.sum(16)[0]);
        assert_eq!(got, rounded(exact), "round {round}");
        if exact % 3 == 0 {
            assert_eq!(f32::from_bits(terms.sum_over(16, 3)[0]), rounded(exact / 3), "a third in round {round}");
        }
    }
}

/// Parts that are not representable: by exact comparison of n times the neighbours' midpoints.
#[test]
fn parts_are_rounded_once() {
    let mut random = Random(2);
    for round in 0..100_000 {
        let parts = 2 + round % 15;
        let values: Vec<u32> = (0..parts).map(|_| 1 + random.below((1 << 24) - 1) as u32).collect();
        let mut terms = Probes::<1>::new();
        values.iter().for_each(|&value| terms.push([(value as f32).to_bits()], 1));
        let got = f32::from_bits(terms.sum_over(0, parts)[0]);
        let sum: i128 = values.iter().map(|&value| i128::from(value)).sum();
        let (below, above) = (f32::from_bits(got.to_bits() - 1), f32::from_bits(got.to_bits() + 1));
        // In units of 2^-40.
        let scaled = |a: f32| (f64::from(a) * 2f64.powi(40)) as i128;
        let (whole, got, parts) = (sum << 40, scaled(got), i128::from(parts));
        assert!(2 * whole >= parts * (scaled(below) + got) && 2 * whole <= parts * (scaled(above) + got));
    }
}

#[test]
fn special_values_in_sums() {
    let sum = |terms: &[(f32, u32)]| {
        let mut all = Texels::<1>::new();
        terms.iter().for_each(|&(value, weight)| all.push([value.to_bits()], weight));
        all.sum(8)[0]
    };
    let bits = f32::to_bits;
    assert_eq!(sum(&[(f32::NAN, 0), (2.0, 256)]), bits(2.0), "no weight, no part");
    assert_eq!(sum(&[(f32::from_bits(0xffc1_2345), 1), (2.0, 255)]), 0x7fc0_0000, "NaN is canonical");
    assert_eq!(sum(&[(f32::INFINITY, 1), (2.0, 255)]), bits(f32::INFINITY));
    assert_eq!(sum(&[(f32::INFINITY, 1), (f32::NEG_INFINITY, 255)]), 0x7fc0_0000);
    assert_eq!(sum(&[(f32::from_bits(1), 256)]), 0, "denormals are flushed");
    assert_eq!(sum(&[(-0.0, 256)]), bits(-0.0));
    assert_eq!(sum(&[(f32::MAX, 128), (f32::MAX, 128)]), bits(f32::MAX));
}

/// Every address mode, point and linear, on all 256ths of a texel within four textures of the origin, where each step is exact.
#[test]
fn address_modes_in_one_dimension() {
    for n in [1u32, 2, 4, 8] {
        let texel = |index: Option<i64>| index.map_or(1000, |index| 1 + index * index);
        let image = float_image(Dimension::D1, [n, 1, 1], 1, (0..i64::from(n)).map(|index| texel(Some(index)) as f32));
        for mode in MODES {
            let border = [1000.0; 4];
            let point = SamplerState { border, ..sampler(Filter::Point, mode) };
            let linear = SamplerState { border, ..sampler(Filter::Linear, mode) };
            for step in -4 * 256 * i64::from(n)..=4 * 256 * i64::from(n) {
                let lookup = at([step as f32 / (256 * n) as f32, 0.0, 0.0]);
                let expected = texel(walked(step >> 8, n.into(), mode)) as f32;
                assert_eq!(red(image.sample(&point, &lookup)), expected, "point {mode:?} {n} {step}");
                let (left, weight) = ((step - 128) >> 8, (step - 128) & 255);
                let [a, b] = [left, left + 1].map(|index| texel(walked(index, n.into(), mode)));
                let expected = (a * (256 - weight) + b * weight) as f32 / 256.0;
                assert_eq!(red(image.sample(&linear, &lookup)), expected, "linear {mode:?} {n} {step}");
            }
        }
    }
}

#[test]
fn extreme_coordinates() {
    let image = float_image(Dimension::D1, [4, 1, 1], 1, [10.0, 20.0, 30.0, 40.0]);
    let point =
        |u: f32, mode| red(image.sample(&SamplerState { border: [7.0; 4], ..sampler(Filter::Point, mode) }, &at([u, 0.0, 0.0])));
    for (u, wrap, mirror, clamp, border, once) in [
        (1e30, 10.0, 10.0, 40.0, 7.0, 40.0),
        (-1e30, 10.0, 10.0, 10.0, 7.0, 40.0),
        // Infinity minus infinity is NaN, which is 0 as fixed point.
        (f32::INFINITY, 10.0, 10.0, 40.0, 7.0, 40.0),
        (f32::NEG_INFINITY, 10.0, 10.0, 10.0, 7.0, 40.0),
        (f32::NAN, 10.0, 10.0, 10.0, 10.0, 10.0),
        // Within half a 256th of a texel of 0, where fixed point cannot tell.
        (-1e-30, 10.0, 10.0, 10.0, 10.0, 10.0),
        (-1e-9, 10.0, 10.0, 10.0, 10.0, 10.0),
        (-0.001, 40.0, 10.0, 10.0, 7.0, 10.0),
        (1.0, 10.0, 40.0, 40.0, 7.0, 40.0),
        (1001.3, 20.0, 30.0, 40.0, 7.0, 40.0),
        (1000.3, 20.0, 20.0, 40.0, 7.0, 40.0),
    ] {
        let got = MODES.map(|mode| point(u, mode));
        assert_eq!(got, [wrap, mirror, clamp, border, once], "{u}");
    }
}

/// Bilinear and trilinear-in-space against the specification's formula over rationals.
#[test]
fn linear_in_two_and_three_dimensions() {
    let mut random = Random(3);
    let size = [4u32, 2, 8];
    let values: Vec<i64> = (0..64).map(|_| random.below(2000) as i64 - 1000).collect();
    let volume = float_image(Dimension::D3, size, 1, values.iter().map(|&value| value as f32));
    let plane = float_image(Dimension::D2, [4, 2, 1], 8, values.iter().map(|&value| value as f32));
    for round in 0..20_000 {
        let modes: [AddressMode; 3] = std::array::from_fn(|_| MODES[random.below(5) as usize]);
        let step: [i64; 3] =
            std::array::from_fn(|axis| random.below(1024 * u64::from(size[axis])) as i64 - 512 * i64::from(size[axis]));
        let layer = random.below(8) as usize;
        let state = SamplerState { address: modes, border: [333.0; 4], ..sampler(Filter::Linear, AddressMode::Wrap) };
        let lookup =
            Lookup { layer: layer as f32, ..at(std::array::from_fn(|axis| step[axis] as f32 / (256 * size[axis]) as f32)) };
        let sum = |axes: usize| {
            let mut sum = 0i128;
            for corner in 0..1 << axes {
                let mut weight = 1i128;
                let mut texel = Some([0, 0, if axes == 2 { layer } else { 0 }]);
                for axis in 0..axes {
                    let (low, fraction) = ((step[axis] - 128) >> 8, (step[axis] - 128) & 255);
                    let upper = corner >> axis & 1;
                    weight *= i128::from(if upper == 1 { fraction } else { 256 - fraction });
                    match (walked(low + upper, size[axis].into(), modes[axis]), &mut texel) {
                        (Some(index), Some(texel)) => texel[axis] = index as usize,
                        _ => texel = None,
                    }
                }
                let value = texel.map_or(333, |[x, y, z]| values[(z * 2 + y) * 4 + x]);
                sum += i128::from(value) * weight;
            }
            rounded(sum << (60 - 8 * axes))
        };
        assert_eq!(red(volume.sample(&state, &lookup)), sum(3), "volume {round}");
        assert_eq!(red(plane.sample(&state, &lookup)), sum(2), "plane {round}");
    }
}

/// A 2x2 texture by hand.
#[test]
fn bilinear_by_hand() {
    let image = float_image(Dimension::D2, [2, 2, 1], 1, [0.0, 1.0, 2.0, 3.0]);
    let linear = sampler(Filter::Linear, AddressMode::Clamp);
    for (u, v, expected) in [
        (0.5, 0.5, 1.5),
        (0.25, 0.25, 0.0),
        (0.375, 0.25, 0.25),
        (0.375, 0.5, 1.25),
        (0.75, 0.75, 3.0),
        (0.0, 0.0, 0.0),
        (1.0, 0.25, 1.0),
    ] {
        assert_eq!(red(image.sample(&linear, &at([u, v, 0.0]))), expected, "{u} {v}");
    }
}

/// The scaled coordinate is rounded to a 256th: 0.3 * 10 - 0.5 = 2.5 has weight 128; 0.37 * 10 - 0.5 = 3.2 has 51.2, so 51.
#[test]
fn weights_have_eight_bits() {
    let image = float_image(Dimension::D1, [10, 1, 1], 1, (0..10).map(|index| (index * 256) as f32));
    let linear = sampler(Filter::Linear, AddressMode::Clamp);
    assert_eq!(red(image.sample(&linear, &at([0.3, 0.0, 0.0]))), 2.0 * 256.0 + 128.0);
    assert_eq!(red(image.sample(&linear, &at([0.37, 0.0, 0.0]))), 3.0 * 256.0 + 51.0);
}

/// Codes 0 and 255 are linear 0 and 1; half of each is 0.5. Code 128 alone is ((128/255 + 0.055) / 1.055)^2.4 = 0.21586...
#[test]
fn srgb_is_decoded_before_filtering() {
    let srgb = image(texture(Dimension::D1, 29, [2, 1, 1], 1, vec![vec![0, 0, 0, 0, 255, 128, 255, 255]]));
    let texel = srgb.sample(&sampler(Filter::Linear, AddressMode::Clamp), &at([0.5, 0.0, 0.0])).map(f32::from_bits);
    assert_eq!([texel[0], texel[2], texel[3]], [0.5; 3]);
    assert!((texel[1] - 0.215_860_5 / 2.0).abs() < 1e-7);
}

#[test]
fn border_colours_fit_the_format() {
    let outside = at([-1.0, 0.0, 0.0]);
    let state = SamplerState { border: [2.5, -3.0, 0.3, 0.4], ..sampler(Filter::Point, AddressMode::Border) };
    let border = |format: u32, bytes: usize| {
        image(texture(Dimension::D1, format, [1, 1, 1], 1, vec![vec![0; bytes]])).sample(&state, &outside)
    };
    let of = |values: [f32; 4]| values.map(f32::to_bits);
    assert_eq!(border(RGBA32_FLOAT, 16), of([2.5, -3.0, 0.3, 0.4]));
    assert_eq!(border(28, 4), of([1.0, 0.0, 0.3, 0.4]), "R8G8B8A8_UNORM");
    assert_eq!(border(31, 4), of([1.0, -1.0, 0.3, 0.4]), "R8G8B8A8_SNORM");
    assert_eq!(border(R8_UNORM, 1), of([1.0, 0.0, 0.0, 1.0]), "missing components have their defaults");
    assert_eq!(border(R32_UINT, 4), [2, 0, 0, 1]);
    assert_eq!(border(32, 4), [2, -3i32 as u32, 0, 0], "R8G8B8A8_SINT");
}

#[test]
fn every_comparison() {
    use Comparison::*;
    let pairs = [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (f32::NAN, 2.0), (0.0, -0.0), (f32::from_bits(5), 0.0)];
    for (comparison, expected) in [
        (Never, [0, 0, 0, 0, 0, 0]),
        (Less, [1, 0, 0, 0, 0, 0]),
        (Equal, [0, 1, 0, 0, 1, 1]),
        (LessEqual, [1, 1, 0, 0, 1, 1]),
        (Greater, [0, 0, 1, 0, 0, 0]),
        (NotEqual, [1, 0, 1, 1, 0, 0]),
        (GreaterEqual, [0, 1, 1, 0, 1, 1]),
        (Always, [1, 1, 1, 1, 1, 1]),
    ] {
        let got =
            pairs.map(|(reference, texel): (f32, f32)| f32::from_bits(compare(comparison, reference.to_bits(), texel.to_bits())));
        assert_eq!(got, expected.map(|holds: u8| f32::from(holds)), "{comparison:?}");
    }
}

/// Depths 0.25 0.5 / 0.75 1.0 against 0.6 with less: the lower two pass.
#[test]
fn comparisons_come_before_filtering() {
    let image = float_image(Dimension::D2, [2, 2, 1], 1, [0.25, 0.5, 0.75, 1.0]);
    let state = SamplerState { comparison: Some(Comparison::Less), ..sampler(Filter::Linear, AddressMode::Clamp) };
    let shadow =
        |u, v, reference| image.sample(&state, &Lookup { reference: Some(reference), ..at([u, v, 0.0]) }).map(f32::from_bits);
    assert_eq!(shadow(0.5, 0.5, 0.6), [0.5; 4]);
    assert_eq!(shadow(0.5, 0.375, 0.6), [0.25; 4]);
    assert_eq!(shadow(0.5, 0.5, 0.3), [0.75; 4]);
    assert_eq!(shadow(0.5, 0.5, 2.0), [0.0; 4], "a float format does not clamp");
    let gathered = image.gather(&state, &Lookup { reference: Some(0.6), ..at([0.5, 0.5, 0.0]) }, 0).map(f32::from_bits);
    assert_eq!(gathered, [1.0, 1.0, 0.0, 0.0]);
}

/// 0.5 is 127.5 of 255, which rounds to 128: equal to the texel 128. References are clamped to 1.
#[test]
fn references_have_the_precision_of_the_format() {
    let image = image(texture(Dimension::D1, R8_UNORM, [2, 1, 1], 1, vec![vec![128, 255]]));
    let holds = |comparison, u, reference| {
        let state = SamplerState { comparison: Some(comparison), ..sampler(Filter::Point, AddressMode::Clamp) };
        red(image.sample(&state, &Lookup { reference: Some(reference), ..at([u, 0.0, 0.0]) })) == 1.0
    };
    assert!(holds(Comparison::Equal, 0.25, 0.5));
    assert!(!holds(Comparison::Equal, 0.25, 0.499));
    assert!(holds(Comparison::LessEqual, 0.75, 2.0));
    assert!(!holds(Comparison::Greater, 0.75, 2.0));
}
