//! What Direct3D 11 leaves open of texture sampling: the precision of coordinates, weights and levels, and what a weight of 0 does.
//!
//! An implementation converts the scaled coordinate to fixed point with at least 16.8 bits (D3D11 7.18.8, 7.18.16.1), and the fraction of that number is the
//! weight of a linear filter; so its weights are multiples of 2^-8, or of a smaller power of two. The result lies between the least and the
//! greatest texel that it came from (7.18.16.3), as exactly as floats add and multiply (7.18.16.2). Filters of fixed-point formats need no more precision than the format has (7.18.16.2); that room is not
//! given here. WGSL says nothing of the precision of sampling.

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
    let scale = f64::from(1u32 << bits);
    // A number that fixed point holds stays what it is, however many bits there are.
    if value.has_no_number() || value.low == value.high && (value.low * scale).fract() == 0.0 {
        return value;
    }
    let step = FIXED_POINT_TOLERANCE / scale;
    Interval::new((value.low - step).next_down(), (value.high + step).next_up()).or_nan(value.nan)
}

/// The texels that a linear filter along one axis may begin at, and the weights of the one after it, for a scaled coordinate less half a texel (D3D11
/// 7.18.8); those that point sampling may take, for the coordinate itself (7.18.7). There are two pairs where the coordinate may fall on either side of a texel's centre; weights lie in [0, 1]. A coordinate that
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

/// What a linear filter along some axes may give. `texels` are 2 to the number of axes, bit k of a texel's place telling whether it is the second
/// one along axis k, and `weights` those of the second ones, within [0, 1].
///
/// Finite results lie between the texels that have a part in them (D3D11 7.18.16.3), but for what the floats' rules let each operation of the sum round (7.18.16.2): so `a (1 - w) + a w`
/// counts, though it may be an ulp off `a`. A texel of weight 0 that is no finite number counts, as NaN, or does not: either is allowed (7.18.16.2).
#[must_use]
pub fn filter(texels: &[f64], weights: &[Interval]) -> Vec<Interval> {
    if texels.iter().all(|texel| texel.is_finite()) {
        return vec![finite(texels, weights)];
    }
    // Along each axis both have a part, the first alone, or the second alone.
    let ways = |weight: &Interval| {
        let all = [(None, weight.low < 1.0 && weight.high > 0.0), (Some(0), weight.low <= 0.0), (Some(1), weight.high >= 1.0)];
        all.into_iter().filter_map(|(only, possible)| possible.then_some(only)).collect::<Vec<Option<usize>>>()
    };
    let mut choices: Vec<Vec<Option<usize>>> = vec![Vec::new()];
    for weight in weights {
        choices =
            choices.iter().flat_map(|known| ways(weight).into_iter().map(|only| [known.as_slice(), &[only]].concat())).collect();
    }
    let mut parts: Vec<Interval> = Vec::new();
    for choice in choices {
        let has_part = |at: usize| choice.iter().enumerate().all(|(axis, only)| only.is_none_or(|only| at >> axis & 1 == only));
        let present = texels.iter().enumerate().filter(|(at, _)| has_part(*at)).map(|(_, texel)| *texel);
        let sum: f64 = present.clone().sum();
        if present.clone().all(f64::is_finite) {
            let free: Vec<Interval> =
                choice.iter().zip(weights).filter(|(only, _)| only.is_none()).map(|(_, weight)| *weight).collect();
            parts.push(finite(&present.collect::<Vec<f64>>(), &free));
        } else {
            parts.push(Interval::point(sum));
        }
        if texels.iter().enumerate().any(|(at, texel)| !has_part(at) && !texel.is_finite()) {
            parts.push(Interval::NAN);
        }
    }
    parts
}

/// The products and sums along one axis, `a + (b - a) w`, in units of 2^-23 of the largest texel: a difference and a product of at most twice that, and a sum.
const ROUNDINGS: f64 = 2.5;

/// [`filter`] of finite texels: linear along each axis, so its ends are among the corners.
fn finite(texels: &[f64], weights: &[Interval]) -> Interval {
    let corner = |corner: usize| {
        let weight = |at: usize| -> f64 {
            let along = |(axis, weight): (usize, &Interval)| {
                let second = if corner >> axis & 1 == 1 { weight.high } else { weight.low };
                if at >> axis & 1 == 1 { second } else { 1.0 - second }
            };
            weights.iter().enumerate().map(along).product()
        };
        texels.iter().enumerate().map(|(at, texel)| texel * weight(at)).sum::<f64>()
    };
    let all = (0..1 << weights.len()).map(corner);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let most = texels.iter().fold(0.0f64, |most, texel| most.max(texel.abs()));
    let slack = weights.len() as f64 * ROUNDINGS * most * f64::from(f32::EPSILON);
    flushed(Interval::new(low - slack, high + slack))
}

/// The same with zeros where it has subnormal floats, which may be made zero (D3D11 3.1.2, 22.4.15).
#[must_use]
pub fn flushed(interval: Interval) -> Interval {
    let least = f64::from(f32::MIN_POSITIVE);
    if interval.low < least && interval.high > -least { interval.hull(Interval::ZEROS) } else { interval }
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
