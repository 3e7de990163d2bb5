//! Single texels: loads, stores and atomics of textures and typed buffers.

use super::image::{check_kind, defaults, format_of, single_texels};
use super::{Image, ImageError};
use gpuproof_number::format::Format;
use gpuproof_program::{Bounds, Dimension, Kind, TexelFormat};

/// A loaded texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Four components: patterns of f32, u32 or i32.
    pub texel: [u32; 4],
    /// Whether the coordinates were in range. If not, the texel is what `Bounds` says: of [`Bounds::Clamped`] the nearest one, of the others 0 with
    /// 1 as missing alpha (D3D11.3 §22.4.6 `ld`).
    pub in_range: bool,
}

impl Image {
    /// One texel (D3D11.3 §22.4.6 `ld`, WGSL `textureLoad`). A layer takes the place after the last coordinate; `level` is the sample index of
    /// a texture declared as multisampled. 32-bit floats keep their bits.
    pub fn load(&self, coordinates: [u32; 3], level: u32, bounds: Bounds) -> Loaded {
        let (level, sample) = if self.multisampled() { (0, level) } else { (level, 0) };
        let exact = self.place(coordinates, level, sample, false);
        let place = match bounds {
            Bounds::Clamped => exact.or_else(|| self.place(coordinates, level, sample, true)),
            Bounds::Defined | Bounds::Undefined => exact,
        };
        let texel = match place {
            Some(place) => self.reader(place.level).texel(place.texel, place.layer, place.sample),
            None => self.format_defaults(),
        };
        Loaded { texel, in_range: exact.is_some() }
    }

    /// Sets one texel of the largest level (D3D11.3 §22.4.9 `store_uav_typed`, WGSL `textureStore`), and tells whether it exists: out of range nothing
    /// is written.
    pub fn store(&mut self, coordinates: [u32; 3], texel: [u32; 4]) -> bool {
        let format = self.format();
        let bytes = self.place(coordinates, 0, 0, false).and_then(|place| self.texel_mut(place.texel, place.layer));
        bytes.is_some_and(|bytes| format.encode(texel, bytes).is_ok())
    }

    /// Replaces a 32-bit texel by a function of it and gives the old one; none if it is out of range or the format has not one 32-bit
    /// component (D3D11.3 §22.17: R32_UINT, R32_SINT, and R32_FLOAT for exchanges).
    pub fn update(&mut self, coordinates: [u32; 3], new: impl FnOnce(u32) -> u32) -> Option<u32> {
        if !is_word(self.format()) {
            return None;
        }
        let place = self.place(coordinates, 0, 0, false)?;
        update_word(self.texel_mut(place.texel, place.layer)?, new)
    }

    fn place(&self, coordinates: [u32; 3], level: u32, sample: u32, clamp: bool) -> Option<Place> {
        let within = |index: u32, count: u32| match clamp {
            true => Some(index.min(count.saturating_sub(1))),
            false => (index < count).then_some(index),
        };
        let least = self.min_lod() as u32;
        let level = within(if clamp { level.max(least) } else { level }, self.level_count())?;
        if !self.has_level(level) {
            return None;
        }
        let size = self.level_size(level)?;
        let [x, y, z] = coordinates;
        let (texel, layer) = match self.dimension() {
            Dimension::D1 | Dimension::Buffer => ([x, 0, 0], y),
            Dimension::D2 | Dimension::Cube => ([x, y, 0], z),
            Dimension::D3 => ([x, y, z], 0),
        };
        Some(Place {
            level: level as usize,
            texel: [within(texel[0], size[0])?, within(texel[1], size[1])?, within(texel[2], size[2])?],
            layer: if self.arrayed() || self.dimension() == Dimension::Cube { within(layer, self.texture().layers)? } else { 0 },
            sample: within(sample, self.samples())?,
        })
    }
}

/// A texel that exists.
#[derive(Clone, Copy)]
struct Place {
    level: usize,
    texel: [u32; 3],
    layer: u32,
    sample: u32,
}

/// How a typed buffer's bytes are texels.
#[derive(Clone, Copy, Debug)]
pub struct TexelBuffer {
    format: &'static Format,
}

impl TexelBuffer {
    /// A buffer of texels of this format, of which the program reads `kind`.
    ///
    /// # Errors
    /// A format without values or of blocks, or another kind of texels.
    pub fn new(format: TexelFormat, kind: Kind) -> Result<TexelBuffer, ImageError> {
        let format = format_of(format.0)?;
        single_texels(format, "a typed buffer")?;
        check_kind(format, kind)?;
        Ok(TexelBuffer { format })
    }

    /// The format of its texels.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// How many whole texels there are in so many bytes (D3D11.3 §22.4.1 `bufinfo`).
    pub fn texels(&self, bytes: usize) -> u32 {
        u32::try_from(bytes / self.format.bytes.max(1)).unwrap_or(u32::MAX)
    }

    /// One texel; as [`Image::load`].
    pub fn load(&self, bytes: &[u8], index: u32, bounds: Bounds) -> Loaded {
        let count = self.texels(bytes.len());
        let in_range = index < count;
        let index = if bounds == Bounds::Clamped { index.min(count.saturating_sub(1)) } else { index };
        let texel = self.range(index).and_then(|range| bytes.get(range)).and_then(|texel| self.format.decode(texel).ok());
        Loaded { texel: texel.unwrap_or_else(|| defaults(self.format)), in_range }
    }

    /// Sets one texel; as [`Image::store`].
    pub fn store(&self, bytes: &mut [u8], index: u32, texel: [u32; 4]) -> bool {
        let bytes = self.range(index).and_then(|range| bytes.get_mut(range));
        bytes.is_some_and(|bytes| self.format.encode(texel, bytes).is_ok())
    }

    /// Replaces a 32-bit texel; as [`Image::update`].
    pub fn update(&self, bytes: &mut [u8], index: u32, new: impl FnOnce(u32) -> u32) -> Option<u32> {
        let bytes = self.range(index).and_then(|range| bytes.get_mut(range))?;
        if is_word(self.format) { update_word(bytes, new) } else { None }
    }

    fn range(&self, index: u32) -> Option<std::ops::Range<usize>> {
        let start = (index as usize).checked_mul(self.format.bytes)?;
        Some(start..start.checked_add(self.format.bytes)?)
    }
}

/// Whether a texel is one component of 32 bits.
fn is_word(format: &Format) -> bool {
    format.bytes == 4 && format.channels[0].is_some_and(|channel| channel.bits == 32)
}

fn update_word(bytes: &mut [u8], new: impl FnOnce(u32) -> u32) -> Option<u32> {
    let bytes: &mut [u8; 4] = bytes.try_into().ok()?;
    let old = u32::from_le_bytes(*bytes);
    *bytes = new(old).to_le_bytes();
    Some(old)
}
