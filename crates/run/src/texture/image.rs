//! A texture as a program sees it.

use crate::case::{FilterReduction, SamplerState, Texture};
use gpuproof_number::format::{Format, Kind as ChannelKind};
use gpuproof_program::{Dimension, Kind, TextureShape};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};

/// Levels of at most this many texels are decoded whole when first read (4 MiB); larger ones texel by texel.
const DECODED_TEXELS: usize = 1 << 18;
/// The largest size that sampling addresses (D3D11.3 §7.18.4).
const MAX_SIZE: u32 = 1 << 17;

/// Why a texture cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Bad input: the texture contradicts itself.
    #[error("the texture is malformed: {0}")]
    Malformed(String),
    /// Bad input: it, or its sampler, is not what the program declares or does.
    #[error("the texture does not fit the program: expected {expected}, found {found}")]
    Mismatch {
        /// What the program needs.
        expected: String,
        /// What is bound.
        found: String,
    },
    /// Something that this executor does not do.
    #[error("not supported: {0}")]
    Unsupported(String),
}

fn mismatch(expected: impl Into<String>, found: impl Into<String>) -> ImageError {
    ImageError::Mismatch { expected: expected.into(), found: found.into() }
}

/// The decodable format of a DXGI number.
pub(super) fn format_of(dxgi: u32) -> Result<&'static Format, ImageError> {
    let format =
        Format::from_dxgi(dxgi).ok_or_else(|| ImageError::Unsupported(format!("DXGI format {dxgi} (of video, or unknown)")))?;
    if format.is_typeless() {
        return Err(ImageError::Unsupported(format!("texels of the typeless format {}: bind it with a type", format.name)));
    }
    Ok(format)
}

/// Whether each texel of a format has bytes of its own, as what is written, or is a buffer, needs.
pub(super) fn single_texels(format: &Format, what: &str) -> Result<(), ImageError> {
    if format.is_block() { Err(mismatch(format!("a format of single texels for {what}"), format.name)) } else { Ok(()) }
}

/// Whether texels of a format are what a program that reads `kind` expects.
pub(super) fn check_kind(format: &Format, kind: Kind) -> Result<(), ImageError> {
    let found = match format.channels.iter().flatten().next().map(|channel| channel.kind) {
        Some(ChannelKind::Uint) => Kind::Uint,
        Some(ChannelKind::Sint) => Kind::Sint,
        _ => Kind::Float,
    };
    let fits = match kind {
        Kind::Unknown | Kind::Bool => true,
        _ => kind == found,
    };
    if fits { Ok(()) } else { Err(mismatch(format!("{kind:?} texels"), format!("{found:?} texels of {}", format.name))) }
}

/// A mip level.
#[derive(Debug)]
struct Level {
    size: [u32; 3],
    /// Texels of all layers; samples of a texel count apart.
    texels: usize,
    decoded: OnceLock<Box<[[u32; 4]]>>,
}

/// A texture as a program sees it: checked once, so that every lookup is defined and quick.
///
/// It is cheap to make; a level's texels are decoded when they are first read. The first store copies the texture unless it is not shared.
#[derive(Debug)]
pub struct Image {
    texture: Arc<Texture>,
    format: &'static Format,
    integer: bool,
    dimension: Dimension,
    arrayed: bool,
    multisampled: bool,
    written: bool,
    /// The least level of detail, at least 0.
    min_lod: f32,
    levels: Arc<Vec<Level>>,
}

impl Image {
    /// Checks a texture against itself and against what the program declares. Cubes may be read as 2D arrays of their faces and the other way round; a
    /// texture of one layer (or cube) may be declared an array or not.
    ///
    /// # Errors
    /// A malformed texture, one of another shape or kind of texels than declared, or a format without values.
    pub fn new(texture: Arc<Texture>, shape: &TextureShape) -> Result<Image, ImageError> {
        let format = format_of(texture.format.0)?;
        let levels = levels_of(&texture, format)?;
        let texture = if texture.unmapped { without_tiles(&texture, format)? } else { texture };
        check_shape(&texture, shape)?;
        check_kind(format, shape.kind)?;
        Ok(Image {
            format,
            integer: format.is_integer(),
            dimension: shape.dimension,
            arrayed: shape.arrayed,
            multisampled: shape.multisampled,
            written: false,
            min_lod: texture.min_lod.max(0.0),
            levels,
            texture,
        })
    }

    /// The texture as stores see it: the bound of its levels is for what is only read (D3D11.3 §5.8.7).
    ///
    /// # Errors
    /// A format of blocks, or a texture that is not mapped.
    pub fn writable(self) -> Result<Image, ImageError> {
        single_texels(self.format, "stores")?;
        if self.texture.unmapped {
            return Err(mismatch("a mapped texture for stores", "one without tiles"));
        }
        Ok(Image { min_lod: 0.0, ..self })
    }

    /// Whether sampling with this sampler is defined, with a comparison or without. Lookups that are not give 0s.
    ///
    /// # Errors
    /// A multisampled texture; a comparison without a comparison function, with a minimum or maximum, or of an integer format; a sampler whose bounds are
    /// NaN (D3D11.3 §7.18.11).
    pub fn check_sampler(&self, sampler: &SamplerState, compare: bool) -> Result<(), ImageError> {
        if self.multisampled || self.texture.samples > 1 {
            return Err(mismatch("a texture of one sample to sample from", "a multisampled one"));
        }
        if compare && sampler.comparison.is_none() {
            return Err(mismatch("a comparison sampler", "one that has no comparison function"));
        }
        if compare && sampler.reduction != FilterReduction::Average {
            return Err(mismatch("a comparison sampler that averages", format!("{:?}", sampler.reduction)));
        }
        if compare && self.is_integer() {
            return Err(mismatch("float texels to compare with", format!("texels of {}", self.format.name)));
        }
        if sampler.min_lod.is_nan() || sampler.max_lod.is_nan() {
            return Err(mismatch("a sampler with numbers as bounds of the level", "NaN"));
        }
        Ok(())
    }

    /// The texture with everything that was stored.
    pub fn into_texture(self) -> Arc<Texture> {
        self.texture
    }

    /// The texture with everything that was stored so far.
    pub fn texture(&self) -> &Arc<Texture> {
        &self.texture
    }

    /// The format of its texels.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Width, height, depth or layers (cubes of a cube array), and mip levels: `texture.size` (D3D11.3 §22.4.14 `resinfo`). What the dimension lacks is 0; a level that
    /// does not exist has only the count of levels. One below the texture's least level of detail has its size still, which D3D11 leaves open.
    pub fn size(&self, level: u32) -> [u32; 4] {
        let count = self.level_count();
        let Some([w, h, d]) = self.level_size(level) else {
            return [0, 0, 0, count];
        };
        let layers = if self.arrayed { self.layers() } else { 0 };
        match self.dimension {
            Dimension::D1 | Dimension::Buffer => [w, layers, 0, count],
            Dimension::D2 | Dimension::Cube => [w, h, layers, count],
            Dimension::D3 => [w, h, d, count],
        }
    }

    /// How many samples a texel has.
    pub fn samples(&self) -> u32 {
        self.texture.samples
    }

    /// The status word of what is read: 0 where no tile is mapped (D3D11.3 §5.9).
    pub fn status(&self) -> u32 {
        u32::from(!self.texture.unmapped)
    }

    pub(super) fn min_lod(&self) -> f32 {
        self.min_lod
    }

    /// Whether the bound of the levels of detail leaves none (D3D11.3 §5.8.5).
    pub(super) fn is_empty(&self) -> bool {
        self.min_lod > self.level_count().saturating_sub(1) as f32
    }

    /// Whether a level exists and is not below the bound, whose whole part is (D3D11.3 §5.8.4).
    pub(super) fn has_level(&self, level: u32) -> bool {
        level < self.level_count() && self.min_lod.floor() <= level as f32 && !self.is_empty()
    }

    pub(super) fn dimension(&self) -> Dimension {
        self.dimension
    }

    pub(super) fn arrayed(&self) -> bool {
        self.arrayed
    }

    pub(super) fn multisampled(&self) -> bool {
        self.multisampled
    }

    pub(super) fn is_integer(&self) -> bool {
        self.integer
    }

    /// How many coordinates a texel has inside its layer.
    pub(super) fn axes(&self) -> usize {
        match self.dimension {
            Dimension::D1 | Dimension::Buffer => 1,
            Dimension::D2 | Dimension::Cube => 2,
            Dimension::D3 => 3,
        }
    }

    /// Layers, of a cube array cubes.
    pub(super) fn layers(&self) -> u32 {
        if self.dimension == Dimension::Cube { self.texture.layers / 6 } else { self.texture.layers }
    }

    pub(super) fn level_count(&self) -> u32 {
        self.levels.len() as u32
    }

    pub(super) fn level_size(&self, level: u32) -> Option<[u32; 3]> {
        self.levels.get(level as usize).map(|level| level.size)
    }

    /// Reads texels of a level.
    #[inline]
    pub(super) fn reader(&self, level: usize) -> Reader<'_> {
        let (size, decoded) = match self.levels.get(level) {
            Some(info) if self.written || info.texels > DECODED_TEXELS => (info.size, None),
            Some(info) => (info.size, Some(&**info.decoded.get_or_init(|| self.decode_level(level, info)))),
            None => ([1; 3], None),
        };
        Reader { image: self, level, size, decoded }
    }

    fn decode_level(&self, level: usize, info: &Level) -> Box<[[u32; 4]]> {
        if !self.format.is_block() {
            return (0..info.texels).map(|index| self.decode(level, index)).collect();
        }
        let mut texels = vec![self.format_defaults(); info.texels].into_boxed_slice();
        let [width, height] = [info.size[0] as usize, info.size[1] as usize];
        let [across, down] = self.format.block().map(|n| n as usize);
        let [columns, rows] = [width.div_ceil(across), height.div_ceil(down)];
        let blocks = self.texture.levels.get(level).map_or(&[][..], Vec::as_slice).chunks_exact(self.format.bytes);
        for (number, block) in blocks.enumerate() {
            let Ok(block) = self.format.decode_block(block) else { continue };
            let (column, row, plane) = (number % columns, number / columns % rows, number / columns / rows);
            for (at, texel) in block.into_iter().enumerate().take(across * down) {
                let (x, y) = (column * across + at % across, row * down + at / across);
                // Blocks at the edges reach beyond the level.
                if x < width
                    && y < height
                    && let Some(to) = texels.get_mut((plane * height + y) * width + x)
                {
                    *to = texel;
                }
            }
        }
        texels
    }

    /// One texel of a level.
    fn decode(&self, level: usize, index: usize) -> [u32; 4] {
        // Where its block is among all, and it in its block.
        let (block, within) = if self.format.is_block() {
            let size = self.levels.get(level).map_or([1; 3], |level| level.size);
            let [width, height] = [size[0] as usize, size[1] as usize];
            let [across, down] = self.format.block().map(|n| n as usize);
            let (x, y, plane) = (index % width, index / width % height, index / width / height);
            let block = (plane * height.div_ceil(down) + y / down) * width.div_ceil(across) + x / across;
            (block, y % down * across + x % across)
        } else {
            (index, 0)
        };
        let bytes = self.texture.levels.get(level).zip(block.checked_mul(self.format.bytes));
        let bytes = bytes.and_then(|(bytes, start)| bytes.get(start..start.checked_add(self.format.bytes)?));
        let texel = match self.format.is_block() {
            true => bytes.and_then(|bytes| Some(self.format.decode_block(bytes).ok()?[within])),
            false => bytes.and_then(|bytes| self.format.decode(bytes).ok()),
        };
        texel.unwrap_or_else(|| self.format_defaults())
    }

    /// What a load out of range gives: 0, and the default of missing components (D3D11.3 §19.1.3.3).
    pub(super) fn format_defaults(&self) -> [u32; 4] {
        defaults(self.format)
    }

    /// The bytes of a texel of the largest level, to be written. The caller has checked the coordinates.
    pub(super) fn texel_mut(&mut self, coordinates: [u32; 3], layer: u32) -> Option<&mut [u8]> {
        let size = self.level_size(0)?;
        let start = index(size, coordinates, layer, self.texture.samples, 0).checked_mul(self.format.bytes)?;
        self.written = true;
        let texture = Arc::make_mut(&mut self.texture);
        texture.levels.first_mut()?.get_mut(start..start.checked_add(self.format.bytes)?)
    }
}

/// Where in its level's array a texel is: its number among texels and samples. The caller has checked the coordinates.
#[inline]
fn index(size: [u32; 3], [x, y, z]: [u32; 3], layer: u32, samples: u32, sample: u32) -> usize {
    let [w, h, d] = size.map(|n| n as usize);
    let texel = ((layer as usize * d + z as usize) * h + y as usize) * w + x as usize;
    texel * samples as usize + sample as usize
}

/// A level, ready to be read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    image: &'a Image,
    level: usize,
    /// Its size in texels.
    pub size: [u32; 3],
    decoded: Option<&'a [[u32; 4]]>,
}

impl Reader<'_> {
    /// The decoded texel; `layer` counts faces. Out of range, which callers have ruled out, it is as that of a load.
    #[inline]
    pub fn texel(&self, coordinates: [u32; 3], layer: u32, sample: u32) -> [u32; 4] {
        let index = index(self.size, coordinates, layer, self.image.texture.samples, sample);
        match self.decoded {
            Some(decoded) => decoded.get(index).copied().unwrap_or_else(|| self.image.format_defaults()),
            None => self.image.decode(self.level, index),
        }
    }
}

/// Zeros, with 1 for an alpha that the format lacks.
pub(super) fn defaults(format: &Format) -> [u32; 4] {
    let alpha = match (format.channels[3], format.is_integer()) {
        (Some(_), _) => 0,
        (None, true) => 1,
        (None, false) => gpuproof_number::float32::ONE,
    };
    [0, 0, 0, alpha]
}

/// The texture with the zeros that reads find where no tile is mapped (D3D11.3 §5.9).
fn without_tiles(texture: &Texture, format: &Format) -> Result<Arc<Texture>, ImageError> {
    single_texels(format, "tiles that are not mapped")?;
    let levels = texture.levels.iter().map(|level| vec![0; level.len()]).collect();
    Ok(Arc::new(Texture { levels, ..texture.clone() }))
}

/// The textures whose levels are kept decoded: programs run again and again on the same ones.
const KEPT: usize = 32;

/// Textures and their levels, those that were asked for last first.
type Decoded = VecDeque<(Weak<Texture>, Arc<Vec<Level>>)>;

thread_local! {
    static DECODED: RefCell<Decoded> = const { RefCell::new(VecDeque::new()) };
}

/// A texture's levels, checked; what was decoded of them before still is.
fn levels_of(texture: &Arc<Texture>, format: &Format) -> Result<Arc<Vec<Level>>, ImageError> {
    DECODED.with_borrow_mut(|known| {
        // As long as one of its owners lives, a place is that texture's: whoever changes it has to move it away first.
        known.retain(|(of, _)| of.strong_count() > 0);
        if let Some((_, levels)) = known.iter().find(|(of, _)| of.as_ptr() == Arc::as_ptr(texture)) {
            return Ok(levels.clone());
        }
        let levels = Arc::new(check_contents(texture, format)?);
        known.truncate(KEPT - 1);
        known.push_front((Arc::downgrade(texture), levels.clone()));
        Ok(levels)
    })
}

fn check_contents(texture: &Texture, format: &Format) -> Result<Vec<Level>, ImageError> {
    let malformed = |what: String| Err(ImageError::Malformed(what));
    let Texture { dimension, size, layers, samples, .. } = *texture;
    let axes = match dimension {
        Dimension::Buffer => return malformed("a buffer is not a texture".into()),
        Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube => 2,
        Dimension::D3 => 3,
    };
    if size.iter().any(|&n| n == 0 || n > MAX_SIZE) || size[axes..] != [1; 3][axes..] {
        return malformed(format!("a size of {size:?} texels; each is 1 to {MAX_SIZE}, and 1 where the dimension lacks it"));
    }
    if layers == 0
        || (dimension == Dimension::D3 && layers != 1)
        || (!texture.arrayed && dimension != Dimension::Cube && layers != 1)
    {
        return malformed(format!("{layers} layers of a texture that is no array"));
    }
    if dimension == Dimension::Cube && (!layers.is_multiple_of(6) || size[0] != size[1] || (!texture.arrayed && layers != 6)) {
        return malformed(format!(
            "a cube of {layers} faces of {} by {} texels; it has 6 square ones (a multiple of 6 as an array)",
            size[0], size[1]
        ));
    }
    let most = if samples == 1 { 32 - size[0].max(size[1]).max(size[2]).leading_zeros() } else { 1 };
    if samples == 0 || samples > 32 || (samples > 1 && dimension != Dimension::D2) {
        return malformed(format!("{samples} samples"));
    }
    if format.is_block() && (samples > 1 || dimension == Dimension::D1) {
        return malformed(format!("{} of a texture that is {dimension:?} and has {samples} samples", format.name));
    }
    if texture.min_lod.is_nan() {
        return malformed("a least level of detail that is NaN".into());
    }
    if texture.levels.is_empty() || texture.levels.len() > most as usize {
        return malformed(format!("{} mip levels; there are 1 to {most}", texture.levels.len()));
    }
    let mut levels = Vec::with_capacity(texture.levels.len());
    for (index, bytes) in texture.levels.iter().enumerate() {
        let size = texture.level_size(index as u32);
        let texels = size.iter().chain([&layers, &samples]).try_fold(1u64, |product, &n| product.checked_mul(u64::from(n)));
        let copies = u64::from(layers) * u64::from(samples);
        let expected = format.bytes_of(size).and_then(|bytes| bytes.checked_mul(copies));
        match (texels, expected) {
            (Some(texels), Some(expected)) if expected == bytes.len() as u64 => {
                levels.push(Level { size, texels: texels as usize, decoded: OnceLock::new() });
            }
            _ => return malformed(format!("level {index} has {} bytes where {expected:?} were expected", bytes.len())),
        }
    }
    Ok(levels)
}

fn check_shape(texture: &Texture, shape: &TextureShape) -> Result<(), ImageError> {
    let describe = |dimension: Dimension, arrayed: bool, multisampled: bool| {
        let array = if arrayed { " array" } else { "" };
        let samples = if multisampled { ", multisampled" } else { "" };
        format!("{dimension:?}{array}{samples}")
    };
    let square = texture.size[0] == texture.size[1];
    let layers = match (shape.dimension, texture.dimension) {
        (Dimension::Cube, Dimension::Cube) => texture.layers / 6,
        (Dimension::Cube, Dimension::D2) if square && texture.layers.is_multiple_of(6) => texture.layers / 6,
        (Dimension::D2, Dimension::Cube) => texture.layers,
        (declared, bound) if declared == bound => texture.layers,
        _ => 0,
    };
    let fits = layers != 0 && (shape.arrayed || layers == 1) && (shape.multisampled || texture.samples == 1);
    if fits {
        return Ok(());
    }
    Err(mismatch(
        describe(shape.dimension, shape.arrayed, shape.multisampled),
        format!("{} of {} layers", describe(texture.dimension, texture.arrayed, texture.samples > 1), texture.layers),
    ))
}
