//! What Direct3D 11 leaves open of texture sampling: the precision of coordinates, weights and levels, and what a weight of 0 does.
//!
//! An implementation converts the scaled coordinate to fixed point with at least 16.8 bits (D3D11 7.18.8, 7.18.16.1), and the fraction of that number is the
//! weight of a linear filter; so its weights are multiples of 2^-8, or of a smaller power of two. The result lies between the least and the
//! greatest texel that it came from (7.18.16.3). WGSL says nothing of the precision of sampling.

use super::Interval;

/// Fraction bits of a texel coordinate that an implementation has at least (D3D11 7.18.16.1, D3D11_SUBTEXEL_FRACTIONAL_BIT_COUNT).
pub const COORDINATE_FRACTION_BITS: u32 = 8;
/// Fraction bits of a level of detail that an implementation has at least (D3D11 7.18.16.1, D3D11_MIP_LOD_FRACTIONAL_BIT_COUNT).
pub const LEVEL_FRACTION_BITS: u32 = 8;
/// How far a conversion to fixed point may be off, in units of the last fixed-point bit (D3D11 3.2.4.1,
/// D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP).
pub const FIXED_POINT_TOLERANCE: f64 = 0.6;

/// The fixed-point coordinates, in texels, that a scaled coordinate may become: within 0.6 * 2^-8 of it (D3D11 7.18.16.1, 3.2.4.1).
#[must_use]
pub fn coordinate(scaled: Interval) -> Interval {
    fixed(scaled, COORDINATE_FRACTION_BITS)
}

/// The levels that a computed level of detail may be taken for: within 0.6 * 2^-8 of it (D3D11 7.18.10, 3.2.4.1). The computation of
/// an implicit level from derivatives is looser, and not bounded here.
#[must_use]
pub fn level(lod: Interval) -> Interval {
    fixed(lod, LEVEL_FRACTION_BITS)
}

fn fixed(value: Interval, bits: u32) -> Interval {
    let step = FIXED_POINT_TOLERANCE / f64::from(1u32 << bits);
    if value.has_no_number() {
        return value;
    }
    Interval::new((value.low - step).next_down(), (value.high + step).next_up()).or_nan(value.nan)
}

/// The texels that a linear filter along one axis may begin at, and the weights of the one after it, for a scaled coordinate less half a texel (D3D11
/// 7.18.8). There are two pairs where the coordinate may fall on either side of a texel's centre; weights lie in [0, 1]. A coordinate that
/// spans more than a texel, or that is no number, gives none: any texel may be read.
#[must_use]
pub fn linear(scaled: Interval) -> Vec<(f64, Interval)> {
    let place = coordinate(scaled);
    if !place.is_finite() || place.has_no_number() || place.high - place.low > 1.0 {
        return Vec::new();
    }
    let (first, last) = (place.low.floor(), place.high.floor());
    let weight = |texel: f64| {
        let fraction = (place - Interval::point(texel)).within(0.0, 1.0);
        (texel, Interval::new(fraction.low, fraction.high))
    };
    if first == last { vec![weight(first)] } else { vec![weight(first), weight(last)] }
}

/// The texels that point sampling may take for a scaled coordinate (D3D11 7.18.7): one, or two beside an edge between them.
#[must_use]
pub fn nearest(scaled: Interval) -> Vec<f64> {
    let place = coordinate(scaled);
    if !place.is_finite() || place.has_no_number() || place.high - place.low > 1.0 {
        return Vec::new();
    }
    let (first, last) = (place.low.floor(), place.high.floor());
    if first == last { vec![first] } else { vec![first, last] }
}

/// What a linear filter gives for two texels and the second one's weight, before rounding. A texel that is NaN counts even at weight 0, or does
/// not: either is allowed (D3D11 7.18.16.2). Finite results lie between the texels (7.18.16.3).
#[must_use]
pub fn blend(a: Interval, b: Interval, weight: Interval) -> Interval {
    let ignores = |other: Interval, open: bool| if open { other } else { Interval::EMPTY };
    let rest = Interval::point(1.0) - weight;
    let blended = a * rest + b * weight;
    // Between the two whatever the weight; the sum of two products alone would be wider.
    let between = if a.is_finite() && b.is_finite() { blended.within(a.low.min(b.low), a.high.max(b.high)) } else { blended };
    between.hull(ignores(a, weight.low <= 0.0)).hull(ignores(b, weight.high >= 1.0))
}

/// The face of a cube that a direction falls on, 0 to 5 for +x, -x, +y, -y, +z, -z: of equal magnitudes z comes before y before x (D3D11
/// 7.18.7).
#[must_use]
pub fn cube_face(direction: [f64; 3]) -> usize {
    let [x, y, z] = direction;
    let (axis, value) = if z.abs() >= x.abs() && z.abs() >= y.abs() {
        (2, z)
    } else if y.abs() >= x.abs() {
        (1, y)
    } else {
        (0, x)
    };
    axis * 2 + usize::from(value < 0.0)
}
