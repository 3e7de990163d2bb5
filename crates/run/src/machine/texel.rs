//! Textures and typed buffers: which texel or footprint each lane looks at. What is there, [`crate::texture`] knows.

use super::bind::{Element, Memory};
use super::events::{Clash, Named};
use super::execute::{Machine, mix};
use super::inputs::sample_position;
use super::memory::{atomic, atomic_touch};
use super::races::{Other, Touch};
use super::step::Effect;
use crate::case::SamplerState;
use crate::event::{At, EventKind, Facts, OutOfRange};
use crate::outcome::{RunError, UndefinedChoice};
use crate::texture::{Image, Loaded, Lookup};
use gpuproof_number::format::Kind as ChannelKind;
use gpuproof_number::{Denormals, float32};
use gpuproof_program::{AtomicOp, Bounds, Detail, Dimension, Level, Op, Sampling, SamplingOperands, Target, Width};

impl Machine<'_> {
    fn words<const N: usize>(&self, effect: &Effect, first: usize, slot: usize) -> [u32; N] {
        std::array::from_fn(|at| self.value(effect.args[first + at], slot) as u32)
    }

    fn set_words(&mut self, effect: &Effect, slot: usize, words: &[u32]) {
        for (result, word) in effect.results.iter().zip(words) {
            self.set_value(*result, slot, (*word).into());
        }
    }

    pub(super) fn texel_load(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        let bounds = effect.attrs.rules.bounds;
        let list = self.list_lanes(false);
        for &slot in &list {
            let element = self.element(effect, slot);
            let coordinates = self.words::<3>(effect, 1, slot);
            let level = self.value(effect.args[4], slot) as u32;
            let loaded = match self.resources[id].get(element).map(|element| &element.memory) {
                Some(Memory::Buffer { bytes, texels: Some(texels), .. }) => texels.load(bytes, coordinates[0], bounds),
                Some(Memory::Texture(image)) => image.load(coordinates, level, bounds),
                _ => Loaded { texel: [0; 4], in_range: true },
            };
            // A sample that is not there is left open, whatever the choice of bounds.
            let bounds = match self.resources[id].get(element) {
                Some(bound) if !loaded.in_range && bound.lacks_sample(coordinates, level) => Bounds::Undefined,
                _ => bounds,
            };
            let [x, y, z, w] = match (loaded.in_range, bounds) {
                (true, _) => {
                    let clash = |found: u32| Texel { element, coordinates, bits: None, found: Some(found.into()) };
                    let other = self.touch_texel(effect, id, slot, Touch::Load, clash(loaded.texel[0]));
                    loaded.texel.map(|word| self.raced(slot, other, Width::W32, word.into()) as u32)
                }
                (false, Bounds::Defined) => loaded.texel,
                (false, Bounds::Undefined) => {
                    self.outside_texels(EventKind::LoadOutOfRange, slot, (id, element), coordinates, level);
                    [self.undefined(slot, Width::W32) as u32; 4]
                }
                (false, Bounds::Clamped) => {
                    self.outside_texels(EventKind::LoadOutOfRange, slot, (id, element), coordinates, level);
                    match (self.choice(), self.resources[id].get(element)) {
                        (UndefinedChoice::Seeded(_), Some(element)) => element.any_texel(self.undefined(slot, Width::W64)),
                        _ => loaded.texel,
                    }
                }
            };
            let status = match self.resources[id].get(element).map(|element| &element.memory) {
                Some(Memory::Texture(image)) if loaded.in_range => image.status(),
                _ => 1,
            };
            self.set_words(effect, slot, &[x, y, z, w, status]);
        }
        self.list = list;
    }

    /// Looks for a race on a texel of a resource that the program writes, records it and gives its other lane.
    fn touch_texel(&mut self, effect: &Effect, id: usize, slot: usize, how: Touch, texel: Texel) -> Option<Other> {
        let who = self.toucher(slot, 1);
        let element = self.resources[id].get_mut(texel.element)?;
        let place = element.texel_place(texel.coordinates)?;
        let other = element.shadow.as_mut().and_then(|shadow| shadow.touch(place, who, how));
        self.race(effect, slot, other, || {
            let Texel { element, coordinates, bits, found } = texel;
            Clash { memory: Named::Resource(id, element), at: At::Texel(coordinates), bits, found }
        });
        other
    }

    /// Records an access to a texel that does not exist.
    fn outside_texels(&mut self, kind: EventKind, slot: usize, (id, at): (usize, usize), coordinates: [u32; 3], level: u32) {
        self.event(kind, slot, Some(Named::Resource(id, at)), |machine| {
            let how = machine.resources[id].get(at).map(|element| element.outside(coordinates, level));
            how.map_or(Facts::None, Facts::OutOfRange)
        });
    }

    /// The texel that a store or an atomic goes to: where bounds are clamped and it is out of range, which is recorded, the nearest one, or any or none by the seed.
    fn settle_texel(
        &mut self,
        effect: &Effect,
        (id, at): (usize, usize),
        slot: usize,
        coordinates: [u32; 3],
        kind: EventKind,
    ) -> Option<[u32; 3]> {
        let Some(element) = self.resources[id].get(at) else { return Some(coordinates) };
        let nearest = element.clamped(coordinates);
        if effect.attrs.rules.bounds != Bounds::Clamped || nearest == coordinates {
            return Some(coordinates);
        }
        let extent = element.extent();
        let count = extent.iter().fold(1u64, |count, along| count.saturating_mul(u64::from(*along)));
        self.outside_texels(kind, slot, (id, at), coordinates, 0);
        match self.choice() {
            UndefinedChoice::Zero => Some(nearest),
            UndefinedChoice::Seeded(_) => self.any_of(slot, count).map(|at| along(extent, at)),
        }
    }

    pub(super) fn texel_store(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        let list = self.list_lanes(true);
        for &slot in &list {
            let at = self.element(effect, slot);
            let coordinates = self.words::<3>(effect, 1, slot);
            let texel = self.words::<4>(effect, 4, slot);
            let kind = EventKind::StoreOutOfRange;
            let Some(coordinates) = self.settle_texel(effect, (id, at), slot, coordinates, kind) else { continue };
            let Some(element) = self.resources[id].get_mut(at) else { continue };
            let before = element.raw(coordinates);
            let stored = element.put(coordinates, texel, effect.float_made);
            let same = before.is_some() && before == element.raw(coordinates);
            if stored {
                let (bits, found) = (Some(texel[0].into()), before.map(|texel| texel[0].into()));
                let touched = Texel { element: at, coordinates, bits, found };
                let other = self.touch_texel(effect, id, slot, Touch::Store { same }, touched);
                if let (Some(_), UndefinedChoice::Seeded(_)) = (other, self.choice()) {
                    let seed = self.undefined(slot, Width::W64);
                    let element = &mut self.resources[id][at];
                    element.put(coordinates, element.some_texel(seed), effect.float_made);
                }
            } else if effect.attrs.rules.bounds == Bounds::Undefined {
                self.outside_texels(EventKind::StoreOutOfRange, slot, (id, at), coordinates, 0);
            }
        }
        self.list = list;
    }

    pub(super) fn texel_atomic(&mut self, effect: &Effect) {
        let (Target::Resource(id), Detail::Atomic(op)) = (effect.attrs.target, effect.attrs.detail) else { return };
        let (id, to) = (id.index(), effect.results[0]);
        let list = self.list_lanes(false);
        for &slot in &list {
            if self.is_helper_atomic(effect, slot) {
                continue;
            }
            let at = self.element(effect, slot);
            let coordinates = self.words::<3>(effect, 1, slot);
            let (value, comparand) = (self.value(effect.args[4], slot), self.value(effect.args[5], slot));
            let kind = EventKind::AtomicOutOfRange;
            let Some(coordinates) = self.settle_texel(effect, (id, at), slot, coordinates, kind) else {
                self.set_value(to, slot, 0);
                continue;
            };
            let new = |old: u32| atomic(op, Width::W32, old.into(), value, comparand) as u32;
            let old = self.resources[id].get_mut(at).and_then(|element| element.update(coordinates, new));
            let old = match old {
                Some(old) => {
                    let texel = Texel { element: at, coordinates, bits: Some(value), found: Some(old.into()) };
                    let other = self.touch_texel(effect, id, slot, atomic_touch(op), texel);
                    let undefined = self.raced(slot, other, Width::W32, old.into());
                    if op != AtomicOp::Load && undefined != u64::from(old) {
                        self.resources[id][at].update(coordinates, |_| undefined as u32);
                    }
                    undefined
                }
                None => {
                    self.outside_texels(EventKind::AtomicOutOfRange, slot, (id, at), coordinates, 0);
                    self.undefined(slot, to.width)
                }
            };
            self.set_value(to, slot, old);
        }
        self.list = list;
    }

    pub(super) fn sample(&mut self, effect: &Effect) -> Result<(), RunError> {
        let (Target::Sampled(texture, sampler), Detail::Sampling(sampling)) = (effect.attrs.target, effect.attrs.detail) else {
            return Ok(());
        };
        let needs_quad = effect.op == Op::SampleLevel || matches!(sampling.level, Level::Implicit | Level::Bias);
        let mut alone = vec![false; self.rows.lanes() / 4];
        if needs_quad && effect.op != Op::Gather {
            for (first, active) in self.quads() {
                if active != 0xf {
                    self.divergent_quad(first, active);
                    alone[first / 4] = true;
                }
            }
        }
        let default = SamplerState::default();
        for slot in self.active.clone().iter() {
            let lane = |at: usize, slot: usize| self.value(effect.args[at], slot) as u32;
            let states = &self.case.samplers[sampler.index()];
            let state =
                states.get(self.bound(slot, lane(SamplingOperands::SAMPLER, slot) as usize, states.len())).unwrap_or(&default);
            let element = self.resources[texture.index()].get(self.element(effect, slot));
            let Some(Memory::Texture(image)) = element.map(|element| &element.memory) else {
                self.set_words(effect, slot, &[0; 5]);
                continue;
            };
            image.check_sampler(state, sampling.compare).map_err(|error| {
                let name = &self.plan.program.interface.sampler(sampler).name;
                RunError::BadCase(format!("sampler {name}: {error}"))
            })?;
            let derivatives = || {
                if alone[slot / 4] {
                    return self.undefined_derivatives(slot);
                }
                let first = slot & !3;
                let along = |other: usize| std::array::from_fn(|axis| self.coordinate_step(effect, first, first + other, axis));
                (along(1), along(2))
            };
            let lookup = lookup(effect.op, &sampling, |at| lane(at, slot), derivatives);
            let words = look(image, effect.op, state, &lookup, &sampling);
            self.set_words(effect, slot, &words);
        }
        Ok(())
    }

    /// Derivatives where lanes of the quad are missing: none, or by the seed from 1 to 2^-15, so that all levels of detail come.
    fn undefined_derivatives(&self, slot: usize) -> ([f32; 3], [f32; 3]) {
        match self.choice() {
            UndefinedChoice::Zero => ([0.0; 3], [0.0; 3]),
            UndefinedChoice::Seeded(_) => {
                let step = 1.0 / (1u32 << (self.undefined(slot, Width::W32) % 16)) as f32;
                ([step, 0.0, 0.0], [0.0, step, 0.0])
            }
        }
    }

    /// The difference of a coordinate between two lanes of a quad.
    fn coordinate_step(&self, effect: &Effect, from: usize, to: usize, axis: usize) -> f32 {
        let at = |slot: usize| self.value(effect.args[SamplingOperands::COORDINATES + axis], slot) as u32;
        f32::from_bits(float32::sub(at(to), at(from), Denormals::Flush))
    }

    pub(super) fn texture_size(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        for slot in self.active.clone().iter() {
            let element = self.element(effect, slot);
            let level = self.value(effect.args[1], slot) as u32;
            let words = match self.resources[id.index()].get(element).map(|element| &element.memory) {
                Some(Memory::Texture(image)) => image.size(level),
                Some(Memory::Buffer { bytes, texels: Some(texels), .. }) => [texels.texels(bytes.len()), 0, 0, 1],
                _ => [0; 4],
            };
            self.set_words(effect, slot, &words);
        }
    }

    fn sample_count(&self, effect: &Effect, slot: usize) -> u32 {
        let Target::Resource(id) = effect.attrs.target else { return 0 };
        match self.resources[id.index()].get(self.element(effect, slot)).map(|element| &element.memory) {
            Some(Memory::Texture(image)) => image.samples(),
            _ => 0,
        }
    }

    pub(super) fn texture_samples(&mut self, effect: &Effect) {
        for slot in self.active.clone().iter() {
            let samples = self.sample_count(effect, slot);
            self.set_words(effect, slot, &[samples]);
        }
    }

    pub(super) fn texture_sample_position(&mut self, effect: &Effect) {
        for slot in self.active.clone().iter() {
            let sample = self.value(effect.args[1], slot) as u32;
            let position = sample_position(self.sample_count(effect, slot), sample);
            self.set_words(effect, slot, &position);
        }
    }
}

fn lookup(
    op: Op,
    sampling: &Sampling,
    operand: impl Fn(usize) -> u32,
    derivatives: impl FnOnce() -> ([f32; 3], [f32; 3]),
) -> Lookup {
    // A gather reads no level, and so needs no derivatives.
    if op == Op::Gather {
        Lookup::new(sampling, operand, || ([0.0; 3], [0.0; 3]))
    } else {
        Lookup::new(sampling, operand, derivatives)
    }
}

/// A texel that a lane touches, and what it stores and finds there.
struct Texel {
    element: usize,
    coordinates: [u32; 3],
    bits: Option<u64>,
    found: Option<u64>,
}

/// The coordinates of a texel by its number, x first.
fn along([width, height, _]: [u32; 3], at: u64) -> [u32; 3] {
    let (width, height) = (u64::from(width.max(1)), u64::from(height.max(1)));
    [(at % width) as u32, (at / width % height) as u32, (at / width / height) as u32]
}

fn look(image: &Image, op: Op, state: &SamplerState, lookup: &Lookup, sampling: &Sampling) -> [u32; 5] {
    let [x, y, z, w] = match op {
        Op::Gather => image.gather(state, lookup, sampling.component),
        Op::SampleLevel => {
            let [clamped, unclamped] = image.level_of_detail(state, lookup);
            [clamped, unclamped, 0, 0]
        }
        _ => image.sample(state, lookup),
    };
    [x, y, z, w, image.status()]
}

impl Element {
    /// The number of a texel of the largest level among all, if it exists.
    fn texel_place(&self, [x, y, z]: [u32; 3]) -> Option<usize> {
        match &self.memory {
            Memory::Buffer { texels: Some(_), .. } => Some(x as usize),
            Memory::Texture(image) => {
                let texture = image.texture();
                let [width, height, depth] = texture.size;
                let (y, z) = if texture.dimension == Dimension::D1 { (0, y) } else { (y, z) };
                let planes = u64::from(depth) * u64::from(texture.layers);
                let inside = x < width && y < height && u64::from(z) < planes;
                inside.then(|| ((u64::from(z) * u64::from(height) + u64::from(y)) * u64::from(width) + u64::from(x)) as usize)
            }
            _ => None,
        }
    }

    /// How many texels there are along each coordinate that a program gives.
    fn extent(&self) -> [u32; 3] {
        match &self.memory {
            Memory::Buffer { bytes, texels: Some(texels), .. } => [texels.texels(bytes.len()), 1, 1],
            Memory::Texture(image) => {
                let texture = image.texture();
                let [width, height, depth] = texture.size;
                match texture.dimension {
                    Dimension::D1 | Dimension::Buffer => [width, texture.layers, 1],
                    Dimension::D3 => [width, height, depth],
                    Dimension::D2 | Dimension::Cube => [width, height, texture.layers],
                }
            }
            _ => [0; 3],
        }
    }

    /// How a texel of a level, or a sample of one, is outside.
    fn outside(&self, at: [u32; 3], level: u32) -> OutOfRange {
        let mut extent = self.extent();
        if let Memory::Texture(image) = &self.memory {
            let texture = image.texture();
            let (samples, levels) = (texture.samples, texture.levels.len() as u32);
            let along = if texture.dimension == Dimension::D3 {
                3
            } else if texture.dimension == Dimension::D1 {
                1
            } else {
                2
            };
            if samples == 1 {
                extent[..along].iter_mut().for_each(|count| *count = count.checked_shr(level).unwrap_or(0).max(1));
            }
            let inside = at.iter().zip(extent).all(|(at, count)| *at < count);
            if samples > 1 && inside {
                return OutOfRange::Sample { sample: level, samples };
            }
            if samples == 1 && level >= levels {
                return OutOfRange::Level { level, levels };
            }
        }
        OutOfRange::Texel { at, extent }
    }

    /// Whether a texel exists and the sample of it does not.
    fn lacks_sample(&self, coordinates: [u32; 3], sample: u32) -> bool {
        matches!(&self.memory, Memory::Texture(image) if image.texture().samples > 1)
            && matches!(self.outside(coordinates, sample), OutOfRange::Sample { .. })
    }

    /// The nearest coordinates that exist.
    fn clamped(&self, coordinates: [u32; 3]) -> [u32; 3] {
        let [width, height, depth] = self.extent();
        let [x, y, z] = coordinates;
        let within = |n: u32, count: u32| n.min(count.saturating_sub(1));
        match &self.memory {
            Memory::Buffer { texels: Some(_), .. } => [within(x, width), y, z],
            Memory::Texture(image) => match image.texture().dimension {
                Dimension::D1 | Dimension::Buffer => [within(x, width), within(y, height), z],
                _ => [within(x, width), within(y, height), within(z, depth)],
            },
            _ => coordinates,
        }
    }

    /// Any texel of any level or sample, as a program reads it, or zeros: by a seed.
    fn any_texel(&self, seed: u64) -> [u32; 4] {
        let within = |step: u64, count: u32| (mix(seed ^ step) % u64::from(count.max(1))) as u32;
        if seed.is_multiple_of(8) {
            return [0; 4];
        }
        let coordinates = self.extent();
        let coordinates = std::array::from_fn(|axis| within(axis as u64 + 1, coordinates[axis]));
        match &self.memory {
            Memory::Buffer { bytes, texels: Some(texels), .. } => texels.load(bytes, coordinates[0], Bounds::Defined).texel,
            Memory::Texture(image) => {
                let texture = image.texture();
                let levels = if texture.samples > 1 { texture.samples } else { texture.levels.len() as u32 };
                image.load(coordinates, within(4, levels), Bounds::Clamped).texel
            }
            _ => [0; 4],
        }
    }

    /// Components that the format holds, by a seed: floats from 0 to 1, integers of 7 bits.
    fn some_texel(&self, seed: u64) -> [u32; 4] {
        let format = match &self.memory {
            Memory::Buffer { texels: Some(texels), .. } => texels.format(),
            Memory::Texture(image) => image.format(),
            _ => return [0; 4],
        };
        let is_integer = |kind| matches!(kind, ChannelKind::Uint | ChannelKind::Sint);
        std::array::from_fn(|at| {
            let bits = mix(seed ^ at as u64) as u32;
            match format.channels[at] {
                Some(channel) if is_integer(channel.kind) => bits & 0x7f,
                _ => ((bits >> 8) as f32 / 16_777_216.0).to_bits(),
            }
        })
    }

    /// Sets a texel and tells whether it exists.
    fn put(&mut self, coordinates: [u32; 3], texel: [u32; 4], float_made: bool) -> bool {
        match &mut self.memory {
            Memory::Unbound => true,
            Memory::Buffer { texels: None, .. } => false,
            Memory::Buffer { texels: Some(texels), .. } => {
                let (texels, stride) = (*texels, texels.format().bytes);
                let stored = self.bytes_mut().is_some_and(|bytes| texels.store(bytes, coordinates[0], texel));
                if stored {
                    self.note_float(coordinates[0] as usize * stride, stride, float_made);
                }
                stored
            }
            Memory::Texture(image) => image.store(coordinates, texel),
        }
    }

    /// Replaces a texel of one word by a function of it and gives the old one, if it exists.
    fn update(&mut self, coordinates: [u32; 3], new: impl FnOnce(u32) -> u32) -> Option<u32> {
        match &mut self.memory {
            Memory::Buffer { texels: Some(texels), .. } => {
                let texels = *texels;
                let old = self.bytes_mut().and_then(|bytes| texels.update(bytes, coordinates[0], new));
                if old.is_some() {
                    self.note_float(coordinates[0] as usize * 4, 4, false);
                }
                old
            }
            Memory::Texture(image) => image.update(coordinates, new),
            Memory::Buffer { texels: None, .. } | Memory::Unbound => None,
        }
    }

    /// A texel as a program reads it, where a race needs to know whether a store changes it.
    fn raw(&self, coordinates: [u32; 3]) -> Option<[u32; 4]> {
        self.shadow.as_ref()?;
        let loaded = match &self.memory {
            Memory::Buffer { bytes, texels: Some(texels), .. } => texels.load(bytes, coordinates[0], Bounds::Defined),
            Memory::Texture(image) => image.load(coordinates, 0, Bounds::Defined),
            _ => return None,
        };
        loaded.in_range.then_some(loaded.texel)
    }
}
