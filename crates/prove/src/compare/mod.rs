//! Compares what two programs wrote, word by word.
//!
//! The port may only do what the original may do. Equal bits are [`Verdict::Same`], and so are two NaNs that float operations made or that lie in a float
//! channel of a texel.
//! Of the rest, a word is [`Verdict::Undefined`] or [`Verdict::Schedule`] when the *original's* word changes as it is run again with other
//! undefined values or another order of lanes; what is left is [`Verdict::Different`] until an explanation finds that it is
//! [`Verdict::Allowed`] or [`Verdict::Unspecified`].
//!
//! Equal bits are not enough where the *port* does something undefined: then both are run again with other choices ([`port_only()`]), and a
//! word that changes in the port alone is different.

mod alike;
mod census;
mod classify;
mod port_only;
mod words;

pub use census::{Census, OutputCensus, Status, Tally};
pub use classify::{Classified, Rerun, classify};
pub use port_only::{PortOnly, RerunSide, port_only};
pub use words::{Comparison, Difference, Distance, Place, compare};

use serde::{Deserialize, Serialize};

/// What is said of one output word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Equal bits, or two NaNs that float operations made or that lie in a float channel of a texel.
    Same,
    /// The original's word depends on something that its API leaves undefined.
    Undefined,
    /// The original's word depends on an order that its API leaves open.
    Schedule,
    /// The original may give the port's word: a run of it does, in which some operations give other results that their specification allows.
    Allowed,
    /// Only operations of which the specification promises nothing, such as the sine of a large number, would give the port's word.
    Unspecified,
    /// Anything else, and whatever is undefined in the port alone.
    Different,
}

/// The 32-bit word at an offset; none where the memory ends before.
pub(crate) fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    let end = offset.checked_add(4)?;
    bytes.get(offset..end).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// Whether bits of a float of this many bits are a NaN.
pub(crate) fn is_nan(bits: u32, width: u32) -> bool {
    match width {
        16 => bits & 0x7fff > 0x7c00,
        _ => bits & 0x7fff_ffff > 0x7f80_0000,
    }
}

/// How many representable floats apart two finite f32 are; none if one is not finite.
pub fn ulps(a: u32, b: u32) -> Option<u64> {
    let place = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        (magnitude < 0x7f80_0000).then_some(if bits >> 31 == 1 { -magnitude } else { magnitude })
    };
    Some(place(a)?.abs_diff(place(b)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_representable_floats() {
        // By the definition of the format: neighbours differ by one, and both zeros are one number.
        assert_eq!(ulps(1.0f32.to_bits(), 1.0f32.next_up().to_bits()), Some(1));
        assert_eq!(ulps(0x8000_0000, 0), Some(0));
        assert_eq!(ulps(0x8000_0001, 0x0000_0001), Some(2));
        assert_eq!(ulps(f32::INFINITY.to_bits(), f32::MAX.to_bits()), None);
        assert_eq!(ulps(1.0f32.to_bits(), 2.0f32.to_bits()), Some(1 << 23));
    }
}
