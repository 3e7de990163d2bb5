//! The DXGI formats: what their bits are, and texels to and from four 32-bit components.
//!
//! Conversions follow D3D11.3 §3.2.3 (integers, normalized integers, sRGB) and §3.2.2 (narrower floats, toward zero). Where a tolerance is
//! allowed, the canonical result is the exact one. A component that a format lacks reads as 0, of alpha as 1. Blocks of texels are decoded, never encoded.
//! R1_UNORM and the formats of video, which programs see through views of other formats or not at all, are not among them
//! ([`Unlisted`]).

mod block;
mod component;
mod table;
mod unlisted;

pub use block::BLOCK_TEXELS;
pub use component::{
    f32_to_snorm, f32_to_unorm, linear_to_srgb, pack_rgb9e5, snorm_to_f32, srgb_to_linear, unorm_to_f32, unpack_rgb9e5,
};
pub use table::FORMATS;
pub use unlisted::Unlisted;

use crate::float32;
use block::Coding;

/// How a channel's bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Not until a view says how.
    Typeless,
    /// Unsigned normalized integer: 0 to 1.
    Unorm,
    /// Unsigned normalized integer of 8 bits through the sRGB curve.
    Srgb,
    /// Signed normalized integer: -1 to 1.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Float of 32, 16, or (unsigned) 11 or 10 bits.
    Float,
    /// One of three 9-bit mantissas beside a common 5-bit exponent.
    SharedExponent,
    /// `(v - 384) / 510` of 10 bits: R10G10B10_XR_BIAS_A2_UNORM.
    XrBias,
}

/// Where a component lies in a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// How its bits are read.
    pub kind: Kind,
    /// How many bits it has.
    pub bits: u8,
    /// Its lowest bit's position in the texel as a little-endian number.
    pub shift: u8,
}

/// One DXGI format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The name after `DXGI_FORMAT_`.
    pub name: &'static str,
    /// The DXGI_FORMAT number.
    pub dxgi: u32,
    /// Bytes a texel; of a format of blocks ([`Format::block`]), bytes a block.
    pub bytes: usize,
    /// Red, green, blue, alpha. Depth is in red and stencil in green, as their views read them. In blocks, bits are those that a decoded
    /// channel is worth, and no place.
    pub channels: [Option<Channel>; 4],
    coding: Coding,
    /// The name of the WGSL texel format (WGSL §6.6.1) with the same bits, if there is one.
    pub wgsl: Option<&'static str>,
}

/// Why a texel could not be decoded or encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// Bad input: the texel's length is not the format's.
    Length {
        /// Bytes a texel has in this format.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// Unsupported: the format is typeless, so its bits have no values.
    Typeless {
        /// The format's name.
        format: &'static str,
    },
    /// Unsupported: a texel of the format is no bytes of its own.
    Block {
        /// The format's name.
        format: &'static str,
    },
}

impl core::fmt::Display for FormatError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            FormatError::Length { expected, found } => write!(f, "a texel of {found} bytes where {expected} were expected"),
            FormatError::Typeless { format } => write!(f, "{format} has no values before a view gives it a type"),
            FormatError::Block { format } => write!(f, "a texel of {format} is part of a block"),
        }
    }
}

impl core::error::Error for FormatError {}

impl Format {
    /// The format of a DXGI number, or none if it is unknown or not in the table.
    #[must_use]
    pub fn from_dxgi(dxgi: u32) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.dxgi == dxgi)
    }

    /// The format of a DXGI name, with or without `DXGI_FORMAT_`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Format> {
        let name = name.strip_prefix("DXGI_FORMAT_").unwrap_or(name);
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The format of a WGSL texel format name.
    #[must_use]
    pub fn from_wgsl(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.wgsl == Some(name))
    }

    /// Whether its components are integers: u32 or i32 rather than f32.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.channels.iter().flatten().any(|channel| matches!(channel.kind, Kind::Uint | Kind::Sint))
            && !self.channels.iter().flatten().any(|channel| matches!(channel.kind, Kind::Unorm | Kind::Float))
    }

    /// How many texels a block has in x and y: 1 and 1 where each texel has bytes of its own.
    #[must_use]
    pub fn block(&self) -> [u32; 2] {
        self.coding.extent()
    }

    /// Whether texels come in blocks.
    #[must_use]
    pub fn is_block(&self) -> bool {
        self.coding != Coding::Texel
    }

    /// Whether its bits have no values before a view gives them a type.
    #[must_use]
    pub fn is_typeless(&self) -> bool {
        self.channels.iter().flatten().any(|channel| channel.kind == Kind::Typeless)
    }

    /// Whether a texture of another format, or of a typeless one, may be viewed as this: both are typed forms of one typeless format.
    #[must_use]
    pub fn is_view_of(&self, resource: &Format) -> bool {
        let parent = |format: &Format| FORMATS.iter().find(|parent| parent.is_typeless() && format.is_form_of(parent));
        self.dxgi == resource.dxgi || parent(self).is_some_and(|parent| resource.is_form_of(parent))
    }

    /// Whether its channels are a typeless format's, or of one with stencil, some of them.
    fn is_form_of(&self, typeless: &Format) -> bool {
        let place = |channel: Option<Channel>| channel.map(|channel| (channel.bits, channel.shift));
        let stencil = matches!(typeless.name, "R32G8X24_TYPELESS" | "R24G8_TYPELESS");
        let same = |(mine, its): (&Option<Channel>, &Option<Channel>)| place(*mine) == place(*its) || (stencil && mine.is_none());
        let coding = core::mem::discriminant(&self.coding) == core::mem::discriminant(&typeless.coding);
        coding && self.bytes == typeless.bytes && self.channels.iter().zip(&typeless.channels).all(same)
    }

    /// Bytes of so many texels in x, y and z, blocks at the edges being whole, or none above u64.
    #[must_use]
    pub fn bytes_of(&self, size: [u32; 3]) -> Option<u64> {
        let [x, y] = self.block();
        let counts = [size[0].div_ceil(x), size[1].div_ceil(y), size[2]];
        counts.iter().try_fold(self.bytes as u64, |product, count| product.checked_mul(u64::from(*count)))
    }

    /// The texels of a block of [`Format::bytes`] bytes, x first and as many as [`Format::block`] says; the rest is of no meaning.
    ///
    /// # Errors
    /// Another length, or a typeless format.
    pub fn decode_block(&self, block: &[u8]) -> Result<[[u32; 4]; BLOCK_TEXELS], FormatError> {
        if !self.is_block() {
            return self.decode(block).map(|texel| [texel; BLOCK_TEXELS]);
        }
        self.check(block.len())?;
        Ok(self.coding.decode(self.channels[0].map_or(Kind::Unorm, |channel| channel.kind), block))
    }

    /// The components of one texel of [`Format::bytes`] bytes: patterns of f32, u32 or i32. 32-bit floats keep their bits.
    ///
    /// # Errors
    /// Another length, a typeless format, or one of blocks.
    pub fn decode(&self, texel: &[u8]) -> Result<[u32; 4], FormatError> {
        self.check_texel(texel.len())?;
        let mut padded = [0; 16];
        for (to, from) in padded.iter_mut().zip(texel) {
            *to = *from;
        }
        let texel = u128::from_le_bytes(padded);
        let mut components = [0, 0, 0, if self.is_integer() { 1 } else { float32::ONE }];
        if self.shares_exponent() {
            let [r, g, b] = unpack_rgb9e5(texel as u32);
            [components[0], components[1], components[2]] = [r, g, b];
            return Ok(components);
        }
        for (component, channel) in components.iter_mut().zip(self.channels) {
            if let Some(channel) = channel {
                let mask = u32::MAX >> (32 - u32::from(channel.bits));
                *component = component::decode(channel, (texel >> channel.shift) as u32 & mask);
            }
        }
        Ok(components)
    }

    /// Writes one texel: floats as [`Format::decode`] reads them, integers clamped to the channel's range. Bits that no channel has
    /// become 0.
    ///
    /// # Errors
    /// Another length, a typeless format, or one of blocks.
    pub fn encode(&self, components: [u32; 4], texel: &mut [u8]) -> Result<(), FormatError> {
        self.check_texel(texel.len())?;
        let mut bits = 0;
        if self.shares_exponent() {
            let [r, g, b, _] = components;
            bits = u128::from(pack_rgb9e5([r, g, b]));
        } else {
            for (component, channel) in components.into_iter().zip(self.channels) {
                if let Some(channel) = channel {
                    bits |= u128::from(component::encode(channel, component)) << channel.shift;
                }
            }
        }
        for (to, from) in texel.iter_mut().zip(bits.to_le_bytes()) {
            *to = from;
        }
        Ok(())
    }

    fn shares_exponent(&self) -> bool {
        self.channels[0].is_some_and(|channel| channel.kind == Kind::SharedExponent)
    }

    fn check_texel(&self, length: usize) -> Result<(), FormatError> {
        if self.is_block() { Err(FormatError::Block { format: self.name }) } else { self.check(length) }
    }

    fn check(&self, length: usize) -> Result<(), FormatError> {
        if self.is_typeless() {
            Err(FormatError::Typeless { format: self.name })
        } else if length != self.bytes {
            Err(FormatError::Length { expected: self.bytes, found: length })
        } else {
            Ok(())
        }
    }
}
