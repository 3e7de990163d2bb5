//! Textures and typed buffers: which texel or footprint each lane looks at. What is there, [`crate::texture`] knows.

use super::bind::{Element, Memory};
use super::execute::Machine;
use super::inputs::sample_position;
use super::memory::{atomic, atomic_touch};
use super::races::Touch;
use super::step::Effect;
use crate::case::SamplerState;
use crate::outcome::{EventKind, RunError};
use crate::texture::{Image, Loaded, Lookup};
use gpuproof_number::{Denormals, float32};
use gpuproof_program::{Bounds, Detail, Dimension, Level, Op, Sampling, SamplingOperands, Target, Width};

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
            if !loaded.in_range && bounds == Bounds::Undefined {
                self.event(EventKind::LoadOutOfRange, slot, || format!("texel {coordinates:?} of level {level}"));
                let words: [u32; 4] = std::array::from_fn(|_| self.undefined(slot, Width::W32) as u32);
                self.set_words(effect, slot, &[words[0], words[1], words[2], words[3], 1]);
                continue;
            }
            self.touch_texel(id, element, coordinates, slot, Touch::Load);
            let [x, y, z, w] = loaded.texel;
            self.set_words(effect, slot, &[x, y, z, w, 1]);
        }
        self.list = list;
    }

    /// Looks for races on a texel of a resource that the program writes.
    fn touch_texel(&mut self, id: usize, element: usize, coordinates: [u32; 3], slot: usize, how: Touch) {
        let who = self.toucher(slot, 1);
        let Some(element) = self.resources[id].get_mut(element) else { return };
        let Some(place) = element.texel_place(coordinates) else { return };
        let other = element.shadow.as_mut().and_then(|shadow| shadow.touch(place, who, how));
        self.race(slot, other);
    }

    pub(super) fn texel_store(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        let list = self.list_lanes(true);
        for &slot in &list {
            let at = self.element(effect, slot);
            let coordinates = self.words::<3>(effect, 1, slot);
            let texel = self.words::<4>(effect, 4, slot);
            let coordinates = match (effect.attrs.rules.bounds, self.resources[id].get(at)) {
                (Bounds::Clamped, Some(element)) => element.clamped(coordinates),
                _ => coordinates,
            };
            let Some(element) = self.resources[id].get_mut(at) else { continue };
            let before = element.raw(coordinates);
            let stored = match &mut element.memory {
                Memory::Unbound => true,
                Memory::Buffer { texels: None, .. } => false,
                Memory::Buffer { texels: Some(texels), .. } => {
                    let (texels, stride) = (*texels, texels.format().bytes);
                    let stored = element.bytes_mut().is_some_and(|bytes| texels.store(bytes, coordinates[0], texel));
                    if stored {
                        element.note_float(coordinates[0] as usize * stride, stride, effect.float_made);
                    }
                    stored
                }
                Memory::Texture(image) => image.store(coordinates, texel),
            };
            let same = before.is_some() && before == element.raw(coordinates);
            if stored {
                self.touch_texel(id, at, coordinates, slot, Touch::Store { same });
            } else if effect.attrs.rules.bounds == Bounds::Undefined {
                self.event(EventKind::StoreOutOfRange, slot, || format!("texel {coordinates:?}"));
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
            let coordinates = match (effect.attrs.rules.bounds, self.resources[id].get(at)) {
                (Bounds::Clamped, Some(element)) => element.clamped(coordinates),
                _ => coordinates,
            };
            let new = |old: u32| atomic(op, Width::W32, old.into(), value, comparand) as u32;
            let old = match self.resources[id].get_mut(at) {
                None => None,
                Some(element) => match &mut element.memory {
                    Memory::Buffer { texels: Some(texels), .. } => {
                        let texels = *texels;
                        let old = element.bytes_mut().and_then(|bytes| texels.update(bytes, coordinates[0], new));
                        if old.is_some() {
                            element.note_float(coordinates[0] as usize * 4, 4, false);
                        }
                        old
                    }
                    Memory::Texture(image) => image.update(coordinates, new),
                    Memory::Buffer { texels: None, .. } | Memory::Unbound => None,
                },
            };
            let old = match old {
                Some(old) => {
                    self.touch_texel(id, at, coordinates, slot, atomic_touch(op));
                    old.into()
                }
                None => {
                    self.event(EventKind::AtomicOutOfRange, slot, || format!("texel {coordinates:?}"));
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
            let state = states.get(lane(SamplingOperands::SAMPLER, slot) as usize).unwrap_or(&default);
            let element = self.resources[texture.index()].get(lane(SamplingOperands::TEXTURE, slot) as usize);
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
                    return ([0.0; 3], [0.0; 3]);
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

fn look(image: &Image, op: Op, state: &SamplerState, lookup: &Lookup, sampling: &Sampling) -> [u32; 5] {
    let [x, y, z, w] = match op {
        Op::Gather => image.gather(state, lookup, sampling.component),
        Op::SampleLevel => {
            let [clamped, unclamped] = image.level_of_detail(state, lookup);
            [clamped, unclamped, 0, 0]
        }
        _ => image.sample(state, lookup),
    };
    [x, y, z, w, 1]
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

    /// The nearest coordinates that exist.
    fn clamped(&self, [x, y, z]: [u32; 3]) -> [u32; 3] {
        match &self.memory {
            Memory::Buffer { bytes, texels: Some(texels), .. } => [x.min(texels.texels(bytes.len()).saturating_sub(1)), y, z],
            Memory::Texture(image) => {
                let texture = image.texture();
                let within = |n: u32, count: u32| n.min(count.saturating_sub(1));
                match texture.dimension {
                    Dimension::D1 | Dimension::Buffer => [within(x, texture.size[0]), within(y, texture.layers), z],
                    Dimension::D3 => [within(x, texture.size[0]), within(y, texture.size[1]), within(z, texture.size[2])],
                    Dimension::D2 | Dimension::Cube => {
                        [within(x, texture.size[0]), within(y, texture.size[1]), within(z, texture.layers)]
                    }
                }
            }
            _ => [x, y, z],
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
