//! From coordinates to texels along one axis, and the faces of a cube.

use crate::case::AddressMode;
use gpuproof_number::{Denormals, MinMax, convert, float32};

/// The operations of the model on f32: rounded once, denormals flushed.
pub(super) mod f {
    use super::{Denormals, MinMax, float32};

    #[inline]
    pub fn add(a: f32, b: f32) -> f32 {
        f32::from_bits(float32::add(a.to_bits(), b.to_bits(), Denormals::Flush))
    }
    #[inline]
    pub fn sub(a: f32, b: f32) -> f32 {
        f32::from_bits(float32::sub(a.to_bits(), b.to_bits(), Denormals::Flush))
    }
    #[inline]
    pub fn mul(a: f32, b: f32) -> f32 {
        f32::from_bits(float32::mul(a.to_bits(), b.to_bits(), Denormals::Flush))
    }
    #[inline]
    pub fn div(a: f32, b: f32) -> f32 {
        f32::from_bits(float32::div(a.to_bits(), b.to_bits(), Denormals::Flush))
    }
    #[inline]
    pub fn sqrt(a: f32) -> f32 {
        f32::from_bits(float32::sqrt(a.to_bits(), Denormals::Flush))
    }
    #[inline]
    pub fn min(a: f32, b: f32) -> f32 {
        f32::from_bits(float32::min(a.to_bits(), b.to_bits(), MinMax::NanLoses, Denormals::Flush))
    }
    #[inline]
    pub fn max(a: f32, b: f32) -> f32 {
        f32::from_bits(float32::max(a.to_bits(), b.to_bits(), MinMax::NanLoses, Denormals::Flush))
    }
    /// Fixed point with 8 fractional bits.
    #[inline]
    pub fn fixed(a: f32) -> i64 {
        i64::from(super::convert::f32_to_fixed(float32::flush(a.to_bits(), Denormals::Flush), 8))
    }
}

/// Range reduction (§7.18.6).
#[inline]
fn reduce(u: f32, mode: AddressMode) -> f32 {
    let bits = u.to_bits();
    match mode {
        AddressMode::Wrap => f32::from_bits(float32::frc(bits, Denormals::Flush)),
        AddressMode::Mirror => {
            let half = f::mul(u, 0.5);
            let whole = f32::from_bits(float32::trunc(half.to_bits(), Denormals::Flush));
            f::mul(f::sub(half, whole), 2.0)
        }
        AddressMode::Clamp | AddressMode::Border | AddressMode::MirrorOnce => u,
    }
}

/// The nearest texel, not yet in range (§7.18.7).
#[inline]
pub(super) fn nearest(u: f32, size: u32, mode: AddressMode) -> i64 {
    f::fixed(f::mul(reduce(u, mode), size as f32)) >> 8
}

/// The lower of the two texels of a linear filter, not yet in range, and the weight of the upper one in 256ths (§7.18.8).
#[inline]
pub(super) fn pair(u: f32, size: u32, mode: AddressMode) -> (i64, u32) {
    let fixed = f::fixed(f::sub(f::mul(reduce(u, mode), size as f32), 0.5));
    (fixed >> 8, (fixed & 255) as u32)
}

/// The texel that an index means, or none for the border (§7.18.9). `size` is at least 1.
#[inline]
pub(super) fn address(index: i64, size: u32, mode: AddressMode) -> Option<u32> {
    let n = i64::from(size);
    if (0..n).contains(&index) {
        return Some(index as u32);
    }
    let mirrored = if index < 0 { -index - 1 } else { index };
    let texel = match mode {
        AddressMode::Wrap => index.rem_euclid(n),
        AddressMode::Mirror if (mirrored / n) & 1 == 1 => n - mirrored % n - 1,
        AddressMode::Mirror => mirrored % n,
        AddressMode::Clamp => index.clamp(0, n - 1),
        AddressMode::MirrorOnce => mirrored.min(n - 1),
        AddressMode::Border => return None,
    };
    Some(texel as u32)
}

/// An axis of space, 0 to 2, and which way along it.
type Direction = (usize, bool);

/// A face of a cube: where its major axis, its u and its v point; true is the positive direction.
struct Face {
    major: Direction,
    u: Direction,
    v: Direction,
}

const fn face(major: Direction, u: Direction, v: Direction) -> Face {
    Face { major, u, v }
}

/// The faces by layer: +x, -x, +y, -y, +z, -z (§5.3.8).
const FACES: [Face; 6] = [
    face((0, true), (2, false), (1, false)),
    face((0, false), (2, true), (1, false)),
    face((1, true), (0, true), (2, true)),
    face((1, false), (0, true), (2, false)),
    face((2, true), (0, true), (1, false)),
    face((2, false), (0, false), (1, false)),
];

fn along(vector: [f32; 3], (axis, positive): Direction) -> f32 {
    if positive { vector[axis] } else { -vector[axis] }
}

/// A direction on the face that it meets.
pub(super) struct Projected {
    /// The face, 0 to 5.
    pub face: u32,
    /// The magnitude of the major component.
    pub major: f32,
    /// The two others, mirrored as the face has them, not yet divided.
    pub minor: [f32; 2],
}

impl Projected {
    /// The position on the face, from 0 to 1.
    pub fn position(&self) -> [f32; 2] {
        self.minor.map(|minor| f::add(f::mul(f::div(minor, self.major), 0.5), 0.5))
    }

    /// The derivative of the position before `* 0.5 + 0.5`, from that of the direction (§7.18.11). The derivative of the major
    /// magnitude has the sign of the face.
    pub fn derivative(&self, derivative: [f32; 3]) -> [f32; 2] {
        let face = &FACES[self.face as usize % 6];
        let square = f::mul(self.major, self.major);
        let major = along(derivative, face.major);
        let one =
            |minor, direction| f::div(f::sub(f::mul(self.major, along(derivative, direction)), f::mul(minor, major)), square);
        [one(self.minor[0], face.u), one(self.minor[1], face.v)]
    }
}

/// Which face a direction meets.
pub(super) fn project(direction: [f32; 3]) -> Projected {
    let [x, y, z] = direction.map(f32::abs);
    let axis = if z >= x && z >= y {
        2
    } else if y >= x {
        1
    } else {
        0
    };
    let index = axis * 2 + usize::from(direction[axis] < 0.0);
    let face = &FACES[index];
    Projected { face: index as u32, major: direction[axis].abs(), minor: [along(direction, face.u), along(direction, face.v)] }
}

/// The face and texel that a footprint's texel beyond an edge means: the nearest row or column of the neighbouring face (§7.18.12). `x` and
/// `y` go from -1 to n; none beyond both edges, where there is no texel.
pub(super) fn neighbour(face: u32, x: i64, y: i64, n: u32) -> Option<(u32, u32, u32)> {
    let n = i64::from(n);
    let inside = 0..n;
    match (inside.contains(&x), inside.contains(&y)) {
        (true, true) => return Some((face, x as u32, y as u32)),
        (false, false) => return None,
        _ => {}
    }
    // Texel centres are odd (n even) or even (n odd) multiples of 1/n on a cube of half side n, so directions are integers. Beyond the
    // edge, the old major axis is the coordinate nearest to it on the new face.
    let old = &FACES[face as usize % 6];
    let mut vector = [0i64; 3];
    let mut set = |(axis, positive): Direction, value: i64| vector[axis] = if positive { value } else { -value };
    let centre = |texel: i64| 2 * texel + 1 - n;
    set(old.major, n - 1);
    let (crossed, steps) = if inside.contains(&x) { (old.v, y) } else { (old.u, x) };
    set(old.u, centre(x));
    set(old.v, centre(y));
    let positive = crossed.1 == (steps > 0);
    let index = crossed.0 * 2 + usize::from(!positive);
    let new = &FACES[index];
    let texel = |(axis, positive): Direction| (if positive { vector[axis] } else { -vector[axis] } + n - 1) / 2;
    let (u, v) = (texel(new.u), texel(new.v));
    Some((index as u32, u.clamp(0, n - 1) as u32, v.clamp(0, n - 1) as u32))
}

/// A layer coordinate as a layer of `count` (at least 1): to nearest even, clamped, NaN to 0 (§22.4.15).
pub(super) fn layer(a: f32, count: u32) -> u32 {
    if count <= 1 {
        return 0;
    }
    // The conversion saturates and takes NaN to 0.
    (a.round_ties_even() as u32).min(count.saturating_sub(1))
}
