//! Aon9: the program of Direct3D 9 that a container for feature level 9 carries beside its own, with the registers that the
//! runtime fills for it.
//!
//! The header has the part's size, the version, the size and offset of the tokens, and then five tables by their 16-bit numbers
//! of records and offsets: constants that are floats, that are integers, that are booleans; samplers; constants that the runtime
//! makes. Tokens are those of D3D9's `d3d9types.h`: instructions of shader models 2.0 and 2.x say their length.

use super::container::{Container, Part};
use super::error::{Error, Result};

/// An Aon9 part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level9 {
    /// The registers that hold parts of constant buffers, as floats.
    pub floats: Vec<FloatConstants>,
    /// Integer registers that hold a component of a constant buffer.
    pub integers: Vec<Constant>,
    /// Boolean registers that hold a component of a constant buffer.
    pub booleans: Vec<Constant>,
    /// Which sampler and which resource each sampler of the program stands for.
    pub samplers: Vec<Sampler>,
    /// Registers that the runtime fills: the value's number and the register.
    pub runtime: Vec<(u16, u16)>,
    /// The program's tokens, from its version to its end.
    pub tokens: Vec<u32>,
    /// Where the tokens are in the file, in bytes.
    pub offset: usize,
}

/// Registers that hold rows of a constant buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatConstants {
    /// The constant buffer.
    pub buffer: u16,
    /// Its first row of 16 bytes.
    pub start: u16,
    /// How many rows.
    pub count: u16,
    /// The first register.
    pub target: u16,
    /// What each component is in the buffer: 0 a float, 1 a boolean, 2 a signed and 3 an unsigned integer.
    pub conversions: [u8; 4],
}

/// A register that holds a component of a constant buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// The constant buffer.
    pub buffer: u16,
    /// Its row of 16 bytes.
    pub row: u16,
    /// The component, 0 to 3.
    pub component: u16,
    /// The register.
    pub target: u16,
}

/// What a sampler of the program stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampler {
    /// The resource's register.
    pub resource: u8,
    /// The sampler's register.
    pub sampler: u8,
    /// The register of the program of Direct3D 9.
    pub target: u8,
}

const HEADER: usize = 36;

impl Level9 {
    /// The container's program of Direct3D 9, where it has one.
    ///
    /// # Errors
    /// As [`Level9::parse`].
    pub fn find(container: &Container) -> Result<Option<Self>> {
        container.find(&[b"Aon9"]).map(Level9::parse).transpose()
    }

    /// The version that the tokens start with: `vs_2_0`, `ps_2_x`.
    pub fn target(&self) -> String {
        version_name(self.tokens.first().copied().unwrap_or(0))
    }

    /// Reads an Aon9 part.
    ///
    /// # Errors
    /// [`Error::BadInput`] when a table or the tokens leave the part, or overlapping tables would multiply it.
    pub fn parse(part: &Part) -> Result<Self> {
        let bytes = part.bytes();
        bytes.get(0, HEADER, "a header of level 9")?;
        let mut budget = bytes.len();
        let mut table = |index: usize, stride: usize| -> Result<Vec<usize>> {
            let place = 16 + 4 * index;
            let count = usize::from(bytes.u16(place, "a count of records")?);
            let at = usize::from(bytes.u16(place + 2, "the offset of records")?);
            bytes.table(at, count, stride, "records of level 9")?;
            budget = budget.checked_sub(count * stride).ok_or_else(|| {
                Error::bad(bytes.offset(place), "records in proportion to the part", "more records than it has bytes")
            })?;
            Ok((0..count).map(|i| at + stride * i).collect())
        };
        let word = |at: usize, i: usize| bytes.u16(at + 2 * i, "a record of level 9");
        let constant = |at: &usize| -> Result<Constant> {
            Ok(Constant { buffer: word(*at, 0)?, row: word(*at, 1)?, component: word(*at, 2)?, target: word(*at, 3)? })
        };
        let float = |at: &usize| -> Result<FloatConstants> {
            let conversions = bytes.u32(*at + 8, "conversions")?.to_le_bytes();
            let (buffer, start, count, target) = (word(*at, 0)?, word(*at, 1)?, word(*at, 2)?, word(*at, 3)?);
            Ok(FloatConstants { buffer, start, count, target, conversions })
        };
        let sampler = |at: &usize| -> Result<Sampler> {
            let [resource, sampler, target, _] = bytes.u32(*at, "a sampler's record")?.to_le_bytes();
            Ok(Sampler { resource, sampler, target })
        };
        let floats = table(0, 12)?.iter().map(float).collect::<Result<_>>()?;
        let integers = table(1, 8)?.iter().map(constant).collect::<Result<_>>()?;
        let booleans = table(2, 8)?.iter().map(constant).collect::<Result<_>>()?;
        let samplers = table(3, 4)?.iter().map(sampler).collect::<Result<_>>()?;
        let runtime = table(4, 4)?.iter().map(|at| Ok((word(*at, 0)?, word(*at, 1)?))).collect::<Result<_>>()?;
        let (size, start) = (bytes.size(8, "the size of tokens")?, bytes.size(12, "the offset of tokens")?);
        let tokens = bytes.get(start, size, "tokens of Direct3D 9")?.as_chunks::<4>().0;
        let tokens = tokens.iter().map(|token| u32::from_le_bytes(*token)).collect();
        Ok(Level9 { floats, integers, booleans, samplers, runtime, tokens, offset: bytes.offset(start) })
    }
}

/// A version token as Direct3D 9 names it: `vs_2_0`, `ps_2_x`.
pub(super) fn version_name(version: u32) -> String {
    let stage = if version >> 16 == 0xffff { "ps" } else { "vs" };
    match version & 0xffff {
        0x0201 => format!("{stage}_2_x"),
        model => format!("{stage}_{}_{}", model >> 8, model & 0xff),
    }
}
