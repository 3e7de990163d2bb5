//! Whether words of memory that are not equal stand for the same values: by the format of their texels, else by layout.

use super::is_nan;
use crate::bind::layout::{Leaf, leaves_of, scalar_at};
use gpuproof_number::format::{Format, Kind};
use gpuproof_program::{Kind as ScalarKind, Program, Resource, Shape, Width};
use gpuproof_run::Binding as Bound;

/// What is known of the words of a memory.
pub(super) enum Nature {
    /// Texels of this format.
    Texels(&'static Format),
    /// Words of a layout with numbers that are not 32 bits wide; whether it is the port's.
    Layout(Vec<Leaf>, bool),
    /// What is stored is 32 bits wide.
    Words,
}

/// What is said of two words that are not equal.
pub(super) struct Judged {
    /// Whether they differ only in how they say NaN.
    pub same: bool,
    /// Whether they are 32-bit floats that float operations made.
    pub float: bool,
}

impl Nature {
    /// Of a resource and what is bound to it and to the one that stands for it.
    pub(super) fn of(programs: (&Program, &Program), joined: &crate::bind::Joined, bound: (&Bound, &Bound)) -> Nature {
        let format = |bound: &Bound| match bound {
            Bound::Texture(texture) => Some(texture.format),
            Bound::Buffer(buffer) => buffer.format,
            Bound::Unbound => None,
        };
        if let Some(format) = format(bound.0).or(format(bound.1)).and_then(|format| Format::from_dxgi(format.0)) {
            return Nature::Texels(format);
        }
        let odd = |resource: &Resource| {
            let leaves = leaves_of(resource)?;
            let untyped = !matches!(resource.shape, Shape::Texture(_));
            (untyped && leaves.iter().any(|leaf| matches!(leaf.scalar.width, Width::W16 | Width::W64))).then_some(leaves)
        };
        let (original, port) = (programs.0.interface.resource(joined.original), programs.1.interface.resource(joined.port));
        match (odd(original), odd(port)) {
            (Some(leaves), _) => Nature::Layout(leaves, false),
            (None, Some(leaves)) => Nature::Layout(leaves, true),
            (None, None) => Nature::Words,
        }
    }

    /// Judges unequal words `x` and `y` at these offsets. `made` tells whether float operations made both, `double` gives the 64 bits at
    /// as many bytes before the words.
    pub(super) fn judge(
        &self,
        (at, to): (usize, usize),
        (x, y): (u32, u32),
        made: bool,
        double: &dyn Fn(usize) -> Option<(u64, u64)>,
    ) -> Judged {
        match self {
            Nature::Texels(format) => texels(format, at, x, y),
            Nature::Layout(leaves, port) => {
                let place = if *port { to } else { at };
                let Some((scalar, start)) = scalar_at(leaves, place) else { return word(x, y, made) };
                match scalar.width {
                    Width::W64 => {
                        let nan = |bits: u64| bits & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000;
                        let both = || double(place - start).is_some_and(|(x, y)| nan(x) && nan(y));
                        Judged { same: made && scalar.kind == ScalarKind::Float && both(), float: false }
                    }
                    Width::W16 => {
                        let half = |shift: u32| {
                            let (x, y) = (x >> shift & 0xffff, y >> shift & 0xffff);
                            x == y || (made && scalar.kind == ScalarKind::Float && is_nan(x, 16) && is_nan(y, 16))
                        };
                        Judged { same: half(0) && half(16), float: false }
                    }
                    _ => word(x, y, made),
                }
            }
            Nature::Words => word(x, y, made),
        }
    }
}

fn word(x: u32, y: u32, made: bool) -> Judged {
    Judged { same: made && is_nan(x, 32) && is_nan(y, 32), float: made }
}

/// Words of texels: a NaN in a float channel is any NaN, other channels are their bits.
fn texels(format: &Format, at: usize, x: u32, y: u32) -> Judged {
    let mut rest = x ^ y;
    let mut float = false;
    let bytes = format.bytes.max(1);
    // Several texels in the word, or a part of one.
    let (copies, base) = if bytes < 4 { (4 / bytes, 0) } else { (1, (at % bytes) * 8) };
    for copy in 0..copies {
        for channel in format.channels.iter().flatten().filter(|channel| channel.kind == Kind::Float) {
            let Some(shift) = (usize::from(channel.shift) + copy * bytes * 8).checked_sub(base) else { continue };
            let bits = u32::from(channel.bits);
            if shift + bits as usize > 32 {
                continue;
            }
            let mask = u32::MAX >> (32 - bits);
            let nan = |word: u32| {
                let v = word >> shift & mask;
                // All of the format's small floats have five bits of exponent.
                let mantissa = if bits == 32 { 23 } else { bits - 5 - u32::from(bits == 16) };
                let exponent = if bits == 32 { 0xff } else { 0x1f };
                v >> mantissa & exponent == exponent && v & ((1 << mantissa) - 1) != 0
            };
            float |= bits == 32;
            if nan(x) && nan(y) {
                rest &= !(mask << shift);
            }
        }
    }
    Judged { same: rest == 0, float }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether two words at an offset are the same, and whether they are 32-bit floats.
    fn judged(format: &str, at: usize, x: u32, y: u32) -> (bool, bool) {
        let judged = texels(Format::from_name(format).expect("a format"), at, x, y);
        (judged.same, judged.float)
    }

    #[test]
    fn nans_are_one_value_in_float_channels_alone() {
        // By the bit layouts of D3D11.3 §3.1.
        assert_eq!(judged("R8G8B8A8_UNORM", 0, 0xffbf_4000, 0xffbf_0019), (false, false));
        assert_eq!(judged("R32_UINT", 0, 0x7fc0_0000, 0x7fc0_0001), (false, false));
        assert_eq!(judged("R32_FLOAT", 0, 0x7fc0_0000, 0xffc0_0001), (true, true));
        assert_eq!(judged("R32G32B32A32_FLOAT", 12, 0x7fc0_0000, 0x3f80_0000), (false, true));
        // The low half is a NaN in both, the high half 1.0 or its neighbour.
        assert_eq!(judged("R16G16_FLOAT", 0, 0x3c00_7e00, 0x3c00_fc01), (true, false));
        assert_eq!(judged("R16G16_FLOAT", 0, 0x3c00_7e00, 0x3c01_fc01), (false, false));
        assert_eq!(judged("R16_FLOAT", 0, 0x7e00_3c00, 0x7e01_3c00), (true, false));
        // Infinity (exponent 31, mantissa 0) is no NaN. Blue is the upper ten bits.
        assert_eq!(judged("R11G11B10_FLOAT", 0, 31 << 27 | 1 << 22, 31 << 27 | 2 << 22), (true, false));
        assert_eq!(judged("R11G11B10_FLOAT", 0, 31 << 27, 31 << 27 | 2 << 22), (false, false));
        assert_eq!(judged("R11G11B10_FLOAT", 0, 31 << 6 | 1, 31 << 6 | 33), (true, false));
        // Depth is a float, what lies behind it is not.
        assert_eq!(judged("D32_FLOAT_S8X24_UINT", 4, 1, 2), (false, false));
    }

    #[test]
    fn halves_of_doubles_are_judged_together() {
        let leaf = Leaf {
            path: "d".into(),
            offset: 8,
            arrays: vec![(None, 16)],
            vectors: None,
            size: 1,
            scalar: gpuproof_program::ScalarType { kind: ScalarKind::Float, width: Width::W64 },
        };
        let nature = Nature::Layout(vec![leaf], false);
        // The low half looks like an f32 NaN, but the numbers are 1 + 0x7fc00000 / 2^52 and its neighbour.
        let ordinary = |_: usize| Some((0x3ff0_0000_7fc0_0000, 0x3ff0_0000_7fc0_0001));
        let judged = nature.judge((24, 24), (0x7fc0_0000, 0x7fc0_0001), true, &ordinary);
        assert!(!judged.same && !judged.float);
        let nan = |_: usize| Some((0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0001));
        assert!(nature.judge((28, 28), (0x7ff8_0000, 0xfff8_0000), true, &nan).same);
    }
}
