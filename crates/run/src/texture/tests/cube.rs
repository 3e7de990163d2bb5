use super::super::coordinate::{neighbour, project};
use super::*;

/// The faces as §5.3.8 draws them: the direction of the centre, of increasing u and of increasing v.
const FACES: [[[f32; 3]; 3]; 6] = [
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
    [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
];

/// The point of a unit cube at u, v (from -1 to 1) of a face.
fn point(face: usize, u: f32, v: f32) -> [f32; 3] {
    let [centre, right, down] = FACES[face];
    std::array::from_fn(|axis| centre[axis] + u * right[axis] + v * down[axis])
}

fn centre(texel: u32, n: u32) -> f32 {
    (2 * texel + 1) as f32 / n as f32 - 1.0
}

#[test]
fn every_texel_of_every_face() {
    let n = 4;
    let values = (0..6 * n * n).map(|index| index as f32);
    let image = float_image(Dimension::Cube, [n, n, 1], 6, values);
    for filter in [Filter::Point, Filter::Linear] {
        for index in 0..6 * n * n {
            let (face, y, x) = (index / (n * n), index / n % n, index % n);
            let direction = point(face as usize, centre(x, n), centre(y, n)).map(|a| a * 3.0);
            assert_eq!(
                red(image.sample(&sampler(filter, AddressMode::Border), &at(direction))),
                index as f32,
                "{filter:?} {face} {x} {y}"
            );
        }
    }
}

/// Z before Y before X (§7.18.7).
#[test]
fn ties_between_axes() {
    for (direction, face) in [
        ([1.0, 1.0, 1.0], 4),
        ([1.0, 1.0, -1.0], 5),
        ([1.0, -1.0, 0.5], 3),
        ([-1.0, 1.0, 0.0], 2),
        ([1.0, 0.0, -1.0], 5),
        ([1.0, 0.5, 0.5], 0),
        ([-1.0, 0.5, 0.5], 1),
    ] {
        assert_eq!(project(direction).face, face, "{direction:?}");
    }
}

/// Beyond an edge comes the texel of another face whose centre is nearest to the edge's point there, by exhaustive search.
#[test]
fn footprints_go_on_over_edges() {
    for n in [1u32, 2, 3, 4] {
        for face in 0..6usize {
            for along in 0..n {
                let t = centre(along, n);
                let along = i64::from(along);
                let far = i64::from(n);
                for (x, y, edge) in [
                    (-1, along, point(face, -1.0, t)),
                    (far, along, point(face, 1.0, t)),
                    (along, -1, point(face, t, -1.0)),
                    (along, far, point(face, t, 1.0)),
                ] {
                    let distance = |other: (u32, u32, u32)| {
                        let at = point(other.0 as usize, centre(other.1, n), centre(other.2, n));
                        (0..3).map(|axis| (at[axis] - edge[axis]).powi(2)).sum::<f32>()
                    };
                    let texels = (0..6).flat_map(|f| (0..n).flat_map(move |x| (0..n).map(move |y| (f, x, y))));
                    let others = texels.filter(|other| other.0 as usize != face);
                    let nearest = others.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                    assert_eq!(neighbour(face as u32, x, y, n), nearest, "{face} {x} {y} of {n}");
                }
            }
            assert_eq!(neighbour(face as u32, -1, -1, n), None);
        }
    }
}

/// At the corner (1, 1, 1) the three faces +z, +x and +y count a third each: (5 + 1 + 3) / 3. On the edge between +z and +x, half each.
#[test]
fn corners_are_shared_by_three() {
    let image = float_image(Dimension::Cube, [4, 4, 1], 6, (0..96).map(|index| (index / 16 + 1) as f32));
    let linear = sampler(Filter::Linear, AddressMode::Wrap);
    let sample = |direction| red(image.sample(&linear, &at(direction)));
    assert_eq!(sample([1.0, 1.0, 1.0]), 3.0);
    assert_eq!(sample([-1.0, -1.0, -1.0]), (6 + 2 + 4) as f32 / 3.0);
    assert_eq!(sample([1.0, 0.0, 1.0]), 3.0);
    // A quarter of a texel from the corner on both axes of +z: position 15/16, 15/16 of 4 texels is texel 3 and 1/4. Weights are 9 (+z), 3, 3 and
    // 1 (missing) sixteenths: ((9 + 1/3) 5 + (3 + 1/3) (1 + 3)) / 16 = 60/16.
    assert_eq!(sample([0.875, 0.875, 1.0]), 60.0 / 16.0);
    // The gathered mean: (5 + 1 + 3) / 3 where the missing texel is, upper right of +z.
    let gathered = image.gather(&linear, &at([1.0, 1.0, 1.0]), 0).map(f32::from_bits);
    assert_eq!(gathered, [5.0, 1.0, 3.0, 3.0]);
}

/// Against differences of the projection itself in f64, on every face, so that signs are seen.
#[test]
fn derivatives_are_those_of_the_projection() {
    let mut random = Random(4);
    for _ in 0..5000 {
        let mut vector = || -> [f64; 3] { std::array::from_fn(|_| random.below(2001) as f64 / 1000.0 - 1.0) };
        let (direction, derivative) = (vector(), vector());
        let face = project(direction.map(|a| a as f32)).face as usize;
        let on_face = |step: f64| {
            let at: [f64; 3] = std::array::from_fn(|axis| direction[axis] + step * derivative[axis]);
            let dot = |other: [f32; 3]| (0..3).map(|axis| at[axis] * f64::from(other[axis])).sum::<f64>();
            let [major, u, v] = FACES[face].map(dot);
            [u / major, v / major]
        };
        let [before, after] = [on_face(-1e-6), on_face(1e-6)];
        let got = project(direction.map(|a| a as f32)).derivative(derivative.map(|a| a as f32));
        for axis in 0..2 {
            let expected = (after[axis] - before[axis]) / 2e-6;
            let error = (f64::from(got[axis]) - expected).abs();
            assert!(error <= 1e-4 * (1.0 + expected.abs()), "{direction:?} {derivative:?}: {} {expected}", got[axis]);
        }
    }
}

#[test]
fn cube_arrays_and_zero_directions() {
    let image = float_image(Dimension::Cube, [1, 1, 1], 12, (0..12).map(|index| index as f32));
    let point = sampler(Filter::Point, AddressMode::Wrap);
    let layer = |layer| red(image.sample(&point, &Lookup { layer, ..at([0.0, -2.0, 1.0]) }));
    assert_eq!([layer(0.0), layer(1.0), layer(7.0)], [3.0, 9.0, 9.0]);
    // 0 / 0 is NaN, which is 0 as fixed point.
    assert_eq!(red(image.sample(&point, &at([0.0; 3]))), 4.0);
    assert_eq!(red(image.sample(&point, &at([f32::NAN; 3]))), 0.0);
}
