//! Operations that are more than arithmetic of a lane: which part of the machine does each, and per-lane arrays.

use super::bind::Budget;
use super::events::Named;
use super::execute::Machine;
use super::inputs::sample_position;
use super::step::Effect;
use crate::event::{At, EventKind, Facts, OutOfRange};
use crate::outcome::RunError;
use gpuproof_program::{Bounds, Op, Program, Target, Width};

/// A per-lane array of the batch.
pub(super) struct Array {
    length: usize,
    width: Width,
    /// Whether all lanes read the same elements, since none is ever stored.
    is_common: bool,
    /// Element by element, in each the lanes; 64-bit elements with all low halves before all high halves. One lane if it is common.
    words: Vec<u32>,
    /// For each element and lane, whether it was written; empty where the array has initial contents.
    written: Vec<u64>,
    lanes: usize,
}

/// The arrays of a batch of so many lanes.
pub(super) fn arrays(program: &Program, lanes: usize, budget: &mut Budget) -> Result<Vec<Array>, RunError> {
    let arrays = program.arrays.iter();
    arrays
        .map(|array| {
            let is_common = array.constant && !array.initial.is_empty();
            let columns = if is_common { 1 } else { lanes };
            let halves = if array.width == Width::W64 { 2 } else { 1 };
            let cells = u64::from(array.length).saturating_mul(columns as u64);
            budget.take(&format!("array {}", array.name), cells.saturating_mul(4 * halves).saturating_add(cells / 8))?;
            let written = if array.initial.is_empty() { vec![0; (cells as usize).div_ceil(64)] } else { Vec::new() };
            let words = vec![0; cells as usize * halves as usize];
            Ok(Array { length: array.length as usize, width: array.width, is_common, words, written, lanes: columns })
        })
        .collect()
}

impl Array {
    fn place(&self, index: usize, slot: usize) -> usize {
        index * self.lanes + if self.is_common { 0 } else { slot }
    }

    fn load(&self, index: usize, slot: usize) -> u64 {
        let place = self.place(index, slot);
        let low = u64::from(self.words[place]);
        if self.width == Width::W64 { low | u64::from(self.words[self.length * self.lanes + place]) << 32 } else { low }
    }

    fn store(&mut self, index: usize, slot: usize, value: u64) {
        let place = self.place(index, slot);
        self.words[place] = value as u32;
        if self.width == Width::W64 {
            let half = self.length * self.lanes;
            self.words[half + place] = (value >> 32) as u32;
        }
        if let Some(word) = self.written.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn is_written(&self, index: usize, slot: usize) -> bool {
        let place = self.place(index, slot);
        self.written.is_empty() || self.written[place / 64] >> (place % 64) & 1 != 0
    }
}

impl Machine<'_> {
    pub(super) fn reset_arrays(&mut self) {
        for (array, declared) in self.arrays.iter_mut().zip(&self.plan.program.arrays) {
            array.written.fill(0);
            if declared.initial.is_empty() {
                array.words.fill(0);
            }
            let (lanes, half) = (array.lanes, array.length * array.lanes);
            for (index, value) in declared.initial.iter().enumerate() {
                array.words[index * lanes..][..lanes].fill(*value as u32);
                if array.width == Width::W64 {
                    array.words[half + index * lanes..][..lanes].fill((value >> 32) as u32);
                }
            }
        }
    }

    /// Runs an operation that is more than arithmetic.
    pub(super) fn effect(&mut self, effect: &Effect) -> Result<(), RunError> {
        self.check_binding(effect);
        match effect.op {
            Op::Undef => {
                for slot in self.active.clone().iter() {
                    let bits = self.undefined(slot, effect.results[0].width);
                    self.set_value(effect.results[0], slot, bits);
                }
            }
            Op::Input => self.input(effect)?,
            Op::InputAt => self.input_at(effect)?,
            Op::Output => self.output(effect),
            Op::Demote => {
                for slot in self.active.iter() {
                    if self.value(effect.args[0], slot) != 0 {
                        self.helpers.insert(slot);
                    }
                }
            }
            Op::IsHelper => {
                for slot in self.active.clone().iter() {
                    let helps = self.helpers.contains(slot);
                    self.set_value(effect.results[0], slot, helps.into());
                }
            }
            Op::AnyBinding => {
                for slot in self.active.clone().iter() {
                    let [index, count] = [0, 1].map(|at| self.value(effect.args[at], slot) as u32);
                    let how = OutOfRange::Binding { index, count };
                    self.event(EventKind::NoSuchBinding, slot, None, |_| Facts::OutOfRange(how));
                    let any = self.undefined(slot, Width::W32) % u64::from(count.max(1));
                    self.set_value(effect.results[0], slot, any);
                }
            }
            Op::RasterSamples => self.same_for_all(effect, &[self.case.samples]),
            Op::RasterSamplePosition => {
                for slot in self.active.clone().iter() {
                    let position = sample_position(self.case.samples, self.value(effect.args[0], slot) as u32);
                    for (result, bits) in effect.results.iter().zip(position) {
                        self.set_value(*result, slot, bits.into());
                    }
                }
            }
            Op::ArrayLoad => self.array_load(effect),
            Op::ArrayStore => self.array_store(effect),
            Op::SharedLoad => self.shared_load(effect),
            Op::SharedStore => self.shared_store(effect),
            Op::SharedAtomic => self.shared_atomic(effect),
            Op::BufferLoad | Op::StructuredLoad => self.buffer_load(effect),
            Op::BufferStore | Op::StructuredStore => self.buffer_store(effect),
            Op::BufferAtomic | Op::StructuredAtomic => self.buffer_atomic(effect),
            Op::BufferSize => self.buffer_size(effect),
            Op::CounterAlloc | Op::CounterConsume => self.counter(effect),
            Op::TexelLoad => self.texel_load(effect),
            Op::TexelStore => self.texel_store(effect),
            Op::TexelAtomic => self.texel_atomic(effect),
            Op::Sample | Op::Gather | Op::SampleLevel => self.sample(effect)?,
            Op::TextureSize => self.texture_size(effect),
            Op::TextureSamples => self.texture_samples(effect),
            Op::TextureSamplePosition => self.texture_sample_position(effect),
            Op::FDdx | Op::FDdy => self.derivative(effect),
            Op::QuadRead | Op::QuadSwap => self.quad_read(effect),
            Op::WaveBallot
            | Op::WaveAll
            | Op::WaveAny
            | Op::WaveElect
            | Op::WaveReadFirst
            | Op::WaveReadLane
            | Op::WaveReduce => self.wave(effect),
            Op::Barrier => self.barrier(effect),
            _ => return Err(RunError::Fault(format!("{} is no effect", effect.op.row().name))),
        }
        Ok(())
    }

    /// Records lanes that name an element which a binding array does not have.
    fn check_binding(&mut self, effect: &Effect) {
        let (Target::Resource(id) | Target::Sampled(id, _)) = effect.attrs.target else { return };
        let interface = &self.plan.program.interface;
        let resources = (interface.resource(id).count, self.resources[id.index()].len());
        let samplers = match effect.attrs.target {
            Target::Sampled(_, sampler) => Some((interface.sampler(sampler).count, self.case.samplers[sampler.index()].len())),
            _ => None,
        };
        for (at, (declared, count)) in [Some(resources), samplers].into_iter().flatten().enumerate() {
            // What is declared alone is named by a constant 0.
            if declared == Some(1) {
                continue;
            }
            for slot in self.active.clone().iter() {
                let element = self.value(effect.args[at], slot) as usize;
                if element >= count {
                    let how = OutOfRange::Binding { index: element as u32, count: count as u32 };
                    let memory = (at == 0).then_some(Named::Resource(id.index(), element));
                    self.event(EventKind::NoSuchBinding, slot, memory, |_| Facts::OutOfRange(how));
                }
            }
        }
    }

    /// Gives all active lanes the same results.
    pub(super) fn same_for_all(&mut self, effect: &Effect, words: &[u32]) {
        for slot in self.active.clone().iter() {
            for (result, bits) in effect.results.iter().zip(words) {
                self.set_value(*result, slot, (*bits).into());
            }
        }
    }

    fn array_load(&mut self, effect: &Effect) {
        let Target::Array(id) = effect.attrs.target else { return };
        let to = effect.results[0];
        for slot in self.active.clone().iter() {
            let index = self.value(effect.args[0], slot) as usize;
            let length = self.arrays[id.index()].length;
            let index = self.array_index(effect, slot, EventKind::LoadOutOfRange, index, id.index());
            let array = &self.arrays[id.index()];
            let value = if index < length {
                let (value, written) = (array.load(index, slot), array.is_written(index, slot));
                if written {
                    value
                } else {
                    let at = At::Element(index as u64);
                    self.event(EventKind::NeverWritten, slot, Some(Named::Array(id.index())), |_| Facts::Unwritten(Some(at)));
                    self.undefined(slot, to.width)
                }
            } else if effect.attrs.rules.bounds == Bounds::Undefined {
                self.outside_array(EventKind::LoadOutOfRange, slot, id.index(), index);
                self.undefined(slot, to.width)
            } else {
                0
            };
            self.set_value(to, slot, value);
        }
    }

    /// The element that an access goes to, which may be any or none where it is out of range (WGSL: invalid memory references); the array's length for none.
    fn array_index(&mut self, effect: &Effect, slot: usize, kind: EventKind, index: usize, id: usize) -> usize {
        let length = self.arrays[id].length;
        if index < length || effect.attrs.rules.bounds != Bounds::Clamped {
            return index;
        }
        self.outside_array(kind, slot, id, index);
        self.any_of(slot, length as u64).map_or(length, |index| index as usize)
    }

    fn outside_array(&mut self, kind: EventKind, slot: usize, id: usize, index: usize) {
        let (index, length) = (index as u64, self.arrays[id].length as u64);
        self.event(kind, slot, Some(Named::Array(id)), |_| Facts::OutOfRange(OutOfRange::Element { index, length }));
    }

    fn array_store(&mut self, effect: &Effect) {
        let Target::Array(id) = effect.attrs.target else { return };
        for slot in self.active.clone().iter() {
            let index = self.value(effect.args[0], slot) as usize;
            let value = self.value(effect.args[1], slot);
            let length = self.arrays[id.index()].length;
            let index = self.array_index(effect, slot, EventKind::StoreOutOfRange, index, id.index());
            let array = &mut self.arrays[id.index()];
            if index < length && !array.is_common {
                array.store(index, slot, value);
            } else if effect.attrs.rules.bounds == Bounds::Undefined {
                self.outside_array(EventKind::StoreOutOfRange, slot, id.index(), index);
            }
        }
    }
}
