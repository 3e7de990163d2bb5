//! Contents of buffers and textures, and sampler states.

use super::uses::{self, TextureUse, Use};
use super::values::{self, Spread};
use super::{Generator, matrices};
use crate::bind::Transfer;
use crate::bind::layout::leaves_of;
use crate::random::Random;
use gpuproof_number::format::Format;
use gpuproof_program::{Access, Dialect, Dimension, Kind, Resource, ResourceId, Shape, TexelFormat, TextureShape};
use gpuproof_run::{AddressMode, Binding, BufferBinding, Comparison, Filter, FilterReduction, SamplerState, Texture};
use std::sync::Arc;

/// The most bytes that a generated buffer takes.
const LARGEST_BUFFER: u32 = 4 << 20;
const R32G32B32A32: [u32; 3] = [2, 3, 4];
const R32: [u32; 3] = [41, 42, 43];
const R8G8B8A8_UNORM: u32 = 28;

/// Formats of floats that any texture may have, and typed buffers too: R16G16B16A16, R10G10B10A2 and R8G8B8A8 in their forms, R11G11B10,
/// R16G16, R8G8, and formats of one channel.
const FORMATS: [u32; 16] = [10, 11, 13, 24, 26, 28, 31, 34, 35, 37, 49, 51, 54, 56, 58, 61];
/// Formats of pictures alone: R9G9B9E5, sRGB, B5G6R5, B5G5R5A1, B8G8R8A8, B8G8R8A8 sRGB, B4G4R4A4.
const PICTURE_FORMATS: [u32; 7] = [67, 29, 85, 86, 87, 91, 115];
/// BC1 to BC7, the colours of three of them sRGB too.
const BLOCK_FORMATS: [u32; 14] = [71, 72, 74, 75, 77, 78, 80, 81, 83, 84, 95, 96, 98, 99];
/// Formats of unsigned and of signed integers.
const INTEGER_FORMATS: [[u32; 5]; 2] = [[12, 25, 30, 36, 57], [14, 32, 38, 59, 64]];
/// What a depth is read as.
const DEPTH_FORMATS: [u32; 3] = [41, 46, 56];

/// Whether textures and samplers of a case have the formats and states that are rarer. One case of those that are compared has them, and the
/// first of them none.
fn is_rare(number: usize) -> bool {
    number % 14 == 9
}

impl Generator<'_> {
    /// What is bound to each resource.
    pub(super) fn resources(&self, number: usize, spread: Spread, extent: [u32; 3]) -> Vec<Vec<Binding>> {
        let resources = self.original.interface.resources.iter().enumerate();
        resources
            .map(|(at, resource)| {
                let count = resource.count.unwrap_or(uses::ARRAY_ELEMENTS).clamp(1, 64) as usize;
                (0..count)
                    .map(|element| {
                        let mut random = self.random("resource", (number * 256 + at) * 64 + element);
                        self.binding_of(&mut random, ResourceId(at as u32), resource, (number, spread), extent)
                    })
                    .collect()
            })
            .collect()
    }

    fn binding_of(
        &self,
        random: &mut Random,
        id: ResourceId,
        resource: &Resource,
        (number, spread): (usize, Spread),
        extent: [u32; 3],
    ) -> Binding {
        match resource.shape {
            Shape::Texture(shape) if shape.dimension == Dimension::Buffer => {
                let format = self.format(random, id, shape, number);
                let texels = self.elements(id, extent, number);
                Binding::Buffer(BufferBinding {
                    bytes: Arc::new(self.texels(random, id, format, texels as usize, spread)),
                    format: Some(TexelFormat(format)),
                    counter: 0,
                })
            }
            Shape::Texture(shape) => Binding::Texture(Arc::new(self.texture(random, id, shape, (number, spread), extent))),
            shape => {
                let elements = self.elements(id, extent, number);
                let length = match shape {
                    Shape::ConstantBuffer { bytes } if bytes > 0 => bytes,
                    Shape::ConstantBuffer { .. } => 256 * 16,
                    Shape::Structured { stride } => stride.saturating_mul(elements),
                    Shape::Buffer { bytes } if is_endless(resource) => {
                        bytes.saturating_add(uses::element_bytes(resource).saturating_mul(elements))
                    }
                    Shape::Buffer { bytes } if bytes > 0 => bytes,
                    _ => elements.saturating_mul(16),
                };
                let whole = |bytes: u32| match shape {
                    Shape::Structured { stride } if stride > 0 => bytes / stride * stride,
                    _ => bytes.next_multiple_of(4),
                };
                let length = whole(length.min(LARGEST_BUFFER));
                let lanes = extent.iter().fold(1u32, |product, n| product.saturating_mul(*n));
                let bytes = self.bytes(random, id, resource, length as usize, (number, spread, lanes));
                // Half full, so that consuming and appending both find room.
                let counter = if resource.counter { elements / 2 } else { 0 };
                Binding::Buffer(BufferBinding { bytes: Arc::new(bytes), format: None, counter })
            }
        }
    }

    /// How many elements a buffer gets: enough for an index by lane.
    fn elements(&self, id: ResourceId, extent: [u32; 3], number: usize) -> u32 {
        let lanes = extent.iter().fold(1u32, |product, n| product.saturating_mul(*n));
        let compute = self.original.stage == gpuproof_program::Stage::Compute;
        let counter = self.original.interface.resource(id).counter;
        if compute && number % 3 == 1 && self.uses.textures[id.index()].sized {
            // A program that asks for the size does something where it ends.
            return self.random("elements", number * 256 + id.index()).below(lanes.saturating_mul(2)).max(4);
        }
        let most = if compute { lanes.next_power_of_two() } else { uses::ELEMENTS };
        most.max(uses::ELEMENTS) * if counter { 4 } else { 1 }
    }

    fn bytes(
        &self,
        random: &mut Random,
        id: ResourceId,
        resource: &Resource,
        length: usize,
        (number, spread, lanes): (usize, Spread, u32),
    ) -> Vec<u8> {
        let (words, any) = (&self.uses.words[id.index()], self.uses.any[id.index()]);
        let dynamic = self.uses.dynamic[id.index()];
        let stride = match resource.shape {
            Shape::Structured { stride } => stride.max(4),
            Shape::Buffer { .. } => uses::element_bytes(resource),
            _ => u32::MAX,
        };
        let leaves = leaves_of(resource).unwrap_or_default();
        let kind_at = |offset: u32| -> Kind {
            let covers = |leaf: &&crate::bind::layout::Leaf| {
                let mut rest = offset.checked_sub(leaf.offset)?;
                for (count, stride) in &leaf.arrays {
                    if count.is_some_and(|count| rest / (*stride).max(1) >= count) {
                        return None;
                    }
                    rest %= (*stride).max(1);
                }
                let vector = leaf.size * leaf.scalar.width.bytes().max(4);
                match leaf.vectors {
                    Some((count, stride)) => (rest / stride.max(1) < count && rest % stride.max(1) < vector).then_some(()),
                    None => (rest < vector).then_some(()),
                }
            };
            leaves.iter().find(|leaf| covers(leaf).is_some()).map_or(Kind::Unknown, |leaf| leaf.scalar.kind)
        };
        // Kind and use of each word of one element.
        let period = if stride == u32::MAX { length as u32 } else { stride.min(length as u32).max(4) };
        let pattern: Vec<(Kind, Use)> = (0..period / 4)
            .map(|word| {
                let offset = word * 4;
                let kind = kind_at(offset);
                let used = words.get(&offset).copied().unwrap_or(dynamic);
                // Words of one structure are not all used as any of them is.
                let known = words.contains_key(&offset) || kind == Kind::Unknown || used.has(Use::INDEX);
                (kind, if known { used } else { Use::default().comparing(used.literals) })
            })
            .collect();
        let wide: Vec<bool> = {
            let double = |leaf: &crate::bind::layout::Leaf| leaf.scalar.width == gpuproof_program::Width::W64;
            let any = leaves.iter().any(double);
            (0..period / 4).map(|word| any && leaves.iter().any(|leaf| double(leaf) && word * 4 >= leaf.offset)).collect()
        };
        let mut bytes = Vec::with_capacity(length);
        let mut word = 0usize;
        while bytes.len() + 4 <= length {
            let at = word % pattern.len().max(1);
            let (kind, used) = pattern.get(at).copied().unwrap_or((Kind::Unknown, any));
            if wide.get(at) == Some(&true) && at.is_multiple_of(2) && bytes.len() + 8 <= length {
                let value = f64::from(f32::from_bits(values::float(random, spread))) * (1.0 + f64::from(random.unit()) * 1e-9);
                bytes.extend(value.to_le_bytes());
                word += 2;
                continue;
            }
            let drawn = values::word(random, spread, kind, used, lanes);
            let value = match resource.shape {
                // One value stands for the whole case: over nine cases a count takes every value, none and the most among them.
                Shape::ConstantBuffer { .. } if values::is_count(kind, used) => {
                    let first = self.random("count", id.index() << 16 | word).below(values::COUNTS);
                    (first + 2 * number as u32) % values::COUNTS
                }
                Shape::ConstantBuffer { .. } if spread == Spread::Few && used.has(Use::COUNT) => 0,
                Shape::ConstantBuffer { .. } => {
                    let place = (id.index() as u64) << 32 | (word as u64) << 8;
                    values::taking_turns(kind, used, number, drawn, &|round| {
                        Random::stream(self.seed, "turns", place | round & 0xff)
                    })
                }
                _ => drawn,
            };
            bytes.extend(value.to_le_bytes());
            word += 1;
        }
        bytes.resize(length, 0);
        if number % 3 == 2 && spread.is_finite() {
            matrices::fill(random, &leaves, spread, &mut bytes);
        }
        if let Some(period) = self.even(random, number, resource.shape, stride)
            && let Some(first) = bytes.get(..period).map(<[u8]>::to_vec)
        {
            bytes.chunks_mut(period.max(1)).for_each(|chunk| chunk.copy_from_slice(&first[..chunk.len()]));
        }
        bytes
    }

    /// The bytes after which the contents of a buffer repeat. In some cases of compute programs its elements are all the same, so that what threads write to one place
    /// is more often equal: else it depends on their order, and shows no mistake.
    fn even(&self, random: &mut Random, number: usize, shape: Shape, stride: u32) -> Option<usize> {
        if self.original.stage != gpuproof_program::Stage::Compute || number % 7 != 6 {
            return None;
        }
        match shape {
            Shape::Structured { .. } => Some(stride as usize),
            Shape::Buffer { .. } if stride > 4 && stride < u32::MAX => Some(stride as usize),
            Shape::Buffer { .. } => Some([4, 8, 16][random.below(3) as usize]),
            _ => None,
        }
    }

    /// The format of a texture's or typed buffer's texels.
    fn format(&self, random: &mut Random, id: ResourceId, shape: TextureShape, number: usize) -> u32 {
        let joined = self.binding.resources.iter().find(|joined| joined.original == id);
        if let Some(Transfer::Texels(format)) = joined.map(|joined| &joined.transfer) {
            return *format;
        }
        let fixed = |shape: &Shape| match shape {
            Shape::Texture(texture) => texture.format,
            _ => None,
        };
        let port = joined.and_then(|joined| fixed(&self.port.interface.resource(joined.port).shape));
        if let Some(format) = shape.format.or(port) {
            return format.0;
        }
        let used = self.uses.textures[id.index()];
        let kind = match shape.kind {
            Kind::Uint => 1,
            Kind::Sint => 2,
            _ => 0,
        };
        let written = self.original.interface.resource(id).access != Access::Read;
        // What is compared is a depth, of one channel, but where a program looks at others as well.
        let depth = shape.depth || used.compared && !(used.channels && number % 2 == 1);
        if is_rare(number) && !written && !used.atomics {
            let port = joined.map(|joined| &self.port.interface.resource(joined.port).shape);
            let depth = depth || matches!(port, Some(Shape::Texture(texture)) if texture.depth);
            return rare_format(&mut self.random("format", number * 256 + id.index()), shape, kind, depth);
        }
        if depth || used.atomics || (written && used.loaded) {
            return R32[kind];
        }
        if kind == 0 && !written && number % 3 == 2 && random.one_in(2) { R8G8B8A8_UNORM } else { R32G32B32A32[kind] }
    }

    fn texels(&self, random: &mut Random, id: ResourceId, format: u32, count: usize, spread: Spread) -> Vec<u8> {
        let Some(format) = Format::from_dxgi(format) else { return Vec::new() };
        let used = self.uses.any[id.index()];
        let channel = format.channels.iter().flatten().next();
        let kind = match channel.map(|channel| channel.kind) {
            Some(gpuproof_number::format::Kind::Uint) => Kind::Uint,
            Some(gpuproof_number::format::Kind::Sint) => Kind::Sint,
            _ => Kind::Float,
        };
        let full = channel.is_some_and(|channel| channel.bits == 32);
        // Of a narrow float, random bits are often no number.
        let narrow = format.channels.iter().flatten().any(|channel| {
            channel.bits < 32 && matches!(channel.kind, gpuproof_number::format::Kind::Float) && !format.is_block()
        });
        let mut bytes = Vec::with_capacity(count * format.bytes);
        while narrow && bytes.len() < count * format.bytes {
            let start = bytes.len();
            bytes.resize(start + format.bytes, 0);
            let drawn = [0; 4].map(|_| values::word(random, spread, kind, used, 64));
            // The format is one that encodes.
            let _ = format.encode(drawn, &mut bytes[start..]);
        }
        while bytes.len() < count * format.bytes {
            if full {
                bytes.extend(values::word(random, spread, kind, used, 64).to_le_bytes());
            } else {
                bytes.push(random.word() as u8);
            }
        }
        bytes.truncate(count * format.bytes);
        bytes
    }

    fn texture(
        &self,
        random: &mut Random,
        id: ResourceId,
        shape: TextureShape,
        (number, spread): (usize, Spread),
        extent: [u32; 3],
    ) -> Texture {
        let used = self.uses.textures[id.index()];
        let format = self.format(random, id, shape, number);
        // Depth and colour textures that are sampled stay finite: one NaN texel would fill most of what a filter touches.
        let spread = match spread {
            Spread::Edges | Spread::Bits if used.sampled => Spread::SomeEdges,
            Spread::SomeEdges if used.sampled => Spread::Mixed,
            Spread::Signed | Spread::Tens | Spread::Wide | Spread::Mixed if used.compared => Spread::Unit,
            spread => spread,
        };
        let (mut size, layers) = self.size(shape, used, number, extent);
        if Format::from_dxgi(format).is_some_and(Format::is_block) {
            // The largest level has whole blocks.
            [size[0], size[1]] = [size[0].next_multiple_of(4), size[1].next_multiple_of(4)];
        }
        let samples = if shape.multisampled { 4 } else { 1 };
        let stored = used.stored || used.atomics;
        let most = size.iter().copied().max().unwrap_or(1);
        let levels = if stored || shape.multisampled { 1 } else { u32::BITS - most.leading_zeros() };
        // As with samplers: a port that has none may look at texels that the least level hides.
        let clamped = is_rare(number)
            && used.sampled
            && !(stored || used.texels)
            && self.binding.samplers.len() == self.original.interface.samplers.len();
        let mut random_clamp = self.random("level clamp", number * 256 + id.index());
        let mut texture = Texture {
            dimension: shape.dimension,
            arrayed: shape.arrayed,
            format: TexelFormat(format),
            size,
            layers,
            samples,
            min_lod: if clamped && random_clamp.one_in(4) { random_clamp.below(9) as f32 * 0.25 } else { 0.0 },
            unmapped: self.unmapped(number) == Some(id),
            levels: Vec::new(),
        };
        for level in 0..levels {
            let size = texture.level_size(level);
            let count = match Format::from_dxgi(format) {
                Some(blocks) if blocks.is_block() => blocks.bytes_of(size).unwrap_or(0) / blocks.bytes as u64,
                _ => u64::from(size.iter().product::<u32>()),
            };
            texture.levels.push(self.texels(random, id, format, count as usize * (layers * samples) as usize, spread));
        }
        texture
    }

    /// The texture of which a case has no tile mapped, in every fourth of programs that ask. WebGPU has no such textures, so a port to it gets none.
    fn unmapped(&self, number: usize) -> Option<ResourceId> {
        let resources = &self.original.interface.resources;
        // Direct3D's tier 2 has tiles of 2D textures.
        let is_tiled = |id: &usize| {
            let flat = matches!(resources[*id].shape, Shape::Texture(shape) if matches!(shape.dimension, Dimension::D2 | Dimension::Cube));
            flat && resources[*id].access == Access::Read && self.uses.textures[*id].status
        };
        let asked: Vec<usize> = (0..resources.len()).filter(is_tiled).collect();
        // What formats of blocks give without tiles is not known here.
        let fits = number % 4 == 3 && !is_rare(number) && !asked.is_empty() && self.port.dialect != Dialect::Wgsl;
        fits.then(|| ResourceId(asked[number / 4 % asked.len()] as u32))
    }

    fn size(&self, shape: TextureShape, used: TextureUse, number: usize, extent: [u32; 3]) -> ([u32; 3], u32) {
        // What is addressed by texel holds every position; what is sampled has any size.
        let reach = |axis: usize, plain: u32| {
            let limit = if axis == 0 && extent[1] == 1 { 8192 } else { 256 };
            if used.texels { extent[axis].clamp(uses::TEXELS, limit) } else { plain }
        };
        let plain = [[16, 8, 4], [32, 32, 8], [7, 5, 3], [64, 16, 4]][number % 4];
        let layers = if shape.arrayed { 4 } else { 1 };
        match shape.dimension {
            Dimension::D1 | Dimension::Buffer => ([reach(0, plain[0] * 2), 1, 1], layers),
            Dimension::D2 => ([reach(0, plain[0]), reach(1, plain[1]), 1], layers),
            Dimension::D3 => ([reach(0, plain[0]).min(64), reach(1, plain[1]).min(64), reach(2, plain[2]).min(32)], 1),
            Dimension::Cube => {
                let side = [8, 16, 4, 8][number % 4];
                ([side, side, 1], 6 * if shape.arrayed { 2 } else { 1 })
            }
        }
    }

    /// The states of samplers.
    pub(super) fn samplers(&self, number: usize) -> Vec<Vec<SamplerState>> {
        let samplers = self.original.interface.samplers.iter().enumerate();
        samplers
            .map(|(at, sampler)| {
                let count = sampler.count.unwrap_or(uses::ARRAY_ELEMENTS).clamp(1, 64) as usize;
                let mut random = self.random("sampler", number * 64 + at);
                let mut states: Vec<SamplerState> =
                    (0..count).map(|_| state(&mut random, number, self.spread(number), sampler.comparison)).collect();
                // A port that has the sampler filters with it; one that has not may know what it is.
                if is_rare(number) && self.binding.samplers.iter().any(|(original, _)| original.index() == at) {
                    let mut random = self.random("rare sampler", number * 64 + at);
                    states.iter_mut().for_each(|state| make_rare(&mut random, state));
                }
                if self.unmapped(number).is_some() {
                    // Whether a border counts as mapped is not said.
                    let modes = states.iter_mut().flat_map(|state| &mut state.address);
                    modes.filter(|mode| **mode == AddressMode::Border).for_each(|mode| *mode = AddressMode::Clamp);
                }
                states
            })
            .collect()
    }
}

/// A format that the shape may have.
fn rare_format(random: &mut Random, shape: TextureShape, kind: usize, depth: bool) -> u32 {
    let pick = |random: &mut Random, formats: &[u32]| formats[random.below(formats.len() as u32) as usize];
    let blocks = matches!(shape.dimension, Dimension::D2 | Dimension::Cube) && !shape.multisampled;
    match kind {
        1 | 2 => pick(random, &INTEGER_FORMATS[kind - 1]),
        _ if depth => pick(random, &DEPTH_FORMATS),
        _ if shape.dimension == Dimension::Buffer => pick(random, &FORMATS),
        _ if blocks && random.one_in(2) => pick(random, &BLOCK_FORMATS),
        _ if !shape.multisampled && random.one_in(2) => pick(random, &PICTURE_FORMATS),
        _ => pick(random, &FORMATS),
    }
}

/// An anisotropic filter, the least or greatest of a footprint, or a range of levels.
fn make_rare(random: &mut Random, state: &mut SamplerState) {
    match random.below(4) {
        0 if state.comparison.is_none() => {
            (state.magnify, state.minify, state.mip) = (Filter::Linear, Filter::Linear, Filter::Linear);
            state.max_anisotropy = Some(2 << random.below(4));
        }
        1 if state.comparison.is_none() => {
            state.reduction = if random.one_in(2) { FilterReduction::Minimum } else { FilterReduction::Maximum };
        }
        _ => {
            state.min_lod = random.below(8) as f32 * 0.25;
            state.max_lod = state.min_lod + random.below(8) as f32 * 0.5;
        }
    }
}

fn is_endless(resource: &Resource) -> bool {
    leaves_of(resource).unwrap_or_default().iter().any(|leaf| leaf.arrays.first().is_some_and(|array| array.0.is_none()))
}

fn state(random: &mut Random, number: usize, spread: Spread, comparison: bool) -> SamplerState {
    const MODES: [AddressMode; 4] = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
    // Texels of few values come as they are.
    let filter = if spread == Spread::Few || random.one_in(3) { Filter::Point } else { Filter::Linear };
    let mode = |random: &mut Random| {
        if comparison { AddressMode::Clamp } else { MODES[random.below(if number < 2 { 1 } else { 4 }) as usize] }
    };
    let one = mode(random);
    let address = if random.one_in(2) { [one; 3] } else { [one, mode(random), mode(random)] };
    SamplerState {
        magnify: filter,
        minify: filter,
        mip: if random.one_in(4) { Filter::Point } else { Filter::Linear },
        address,
        lod_bias: if number % 5 == 4 { 0.5 } else { 0.0 },
        comparison: comparison.then_some(if number.is_multiple_of(2) { Comparison::LessEqual } else { Comparison::Greater }),
        border: [0.25, 0.5, 0.75, 1.0],
        ..SamplerState::default()
    }
}
