//! Buffers: loads, stores, atomics, counters, sizes.

use super::{Address, Reach, Structure, Who, atomic, atomic_touch, clash, reach, read, touch, write};
use crate::event::{EventKind, Facts};
use crate::machine::bind::{Element, Memory};
use crate::machine::events::Named;
use crate::machine::execute::Machine;
use crate::machine::races::Touch;
use crate::machine::step::Effect;
use crate::outcome::UndefinedChoice;
use gpuproof_program::{AtomicOp, Bounds, Detail, Op, Shape, Stage, Target, Width};
use std::sync::Arc;

/// The bytes of whole elements: what is left is no structure.
fn whole(bytes: usize, unit: u64) -> usize {
    let unit = usize::try_from(unit).unwrap_or(usize::MAX).max(1);
    bytes / unit * unit
}

impl Machine<'_> {
    /// The element of the binding array that a lane's access goes to. One that is not there is nothing bound, or by the seed any that is.
    pub(in crate::machine) fn element(&self, effect: &Effect, slot: usize) -> usize {
        let named = self.value(effect.args[0], slot) as usize;
        let (Target::Resource(id) | Target::Sampled(id, _)) = effect.attrs.target else { return named };
        self.bound(slot, named, self.resources[id.index()].len())
    }

    /// What stands for an element of a binding array of so many.
    pub(in crate::machine) fn bound(&self, slot: usize, named: usize, count: usize) -> usize {
        if named < count || self.choice() == UndefinedChoice::Zero {
            return named;
        }
        self.any_of(slot, count as u64).map_or(named, |element| element as usize)
    }

    /// Where a buffer access of a lane goes: to which element of the binding array, and where in it.
    fn address(&self, effect: &Effect, resource: usize, slot: usize, bytes: u32) -> (usize, Address) {
        let element = self.element(effect, slot);
        let memory = Named::Resource(resource, element);
        let index = self.value(effect.args[1], slot);
        if !matches!(effect.op, Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic) {
            return (element, Address::plain(memory, index, bytes));
        }
        let field = self.value(effect.args[2], slot);
        let Shape::Structured { stride } = self.plan.program.interface.resources[resource].shape else {
            let structure = Some(Structure { index, stride: 0, field, leaves: true });
            return (element, Address { memory, offset: u64::MAX, bytes, structure });
        };
        let stride = u64::from(stride);
        let leaves = field + u64::from(bytes) > stride;
        let count = self.buffer_bytes(resource, element).map_or(0, <[u8]>::len) as u64 / stride.max(1);
        // A structure past the last does not begin anywhere.
        let offset = if index < count { index * stride + field } else { u64::MAX };
        (element, Address { memory, offset, bytes, structure: Some(Structure { index, stride, field, leaves }) })
    }

    fn buffer_bytes(&self, resource: usize, element: usize) -> Option<&[u8]> {
        match &self.resources[resource].get(element)?.memory {
            Memory::Buffer { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    fn reach_buffer(&self, resource: usize, element: usize, address: &Address, bounds: Bounds) -> Reach {
        let Some(memory) = self.buffer_bytes(resource, element) else { return Reach::Outside };
        if address.structure.is_some_and(|structure| structure.leaves) {
            return Reach::Undefined;
        }
        reach(address.offset, memory.len() as u64, address.bytes, bounds)
    }

    /// For an access of 32 bits whose element is constant: the element, each lane's offset or index, and what that is multiplied by and added to.
    fn plain_access(&mut self, effect: &Effect, id: usize) -> Option<(usize, Vec<u32>, u64, u64)> {
        if !effect.args[0].at.is_constant() {
            return None;
        }
        let element = self.rows.get(effect.args[0].at, 0) as usize;
        let (scale, field) = match (effect.op, self.plan.program.interface.resources[id].shape) {
            (Op::BufferLoad | Op::BufferStore, _) => (1, 0),
            (_, Shape::Structured { stride }) if effect.args[2].at.is_constant() => {
                let field = self.rows.get(effect.args[2].at, 0);
                if field.checked_add(4).is_none_or(|end| end > stride) {
                    return None;
                }
                (u64::from(stride), u64::from(field))
            }
            _ => return None,
        };
        self.buffer_bytes(id, element)?;
        Some((element, self.fetch(effect.args[1].at), scale, field))
    }

    /// Loads words in range that nothing is the matter with, and leaves the other lanes in `list`.
    fn buffer_load_plain(&mut self, effect: &Effect, id: usize, list: &mut Vec<usize>) {
        let Some((at, offsets, scale, field)) = self.plain_access(effect, id) else { return };
        let granule = self.plan.facts.granule[id];
        let who = Who {
            groups: &self.groups,
            epochs: &self.epochs,
            stride: self.stride,
            threads: self.shape.threads,
            which: 1,
            site: self.site.0,
        };
        let Element { memory: Memory::Buffer { bytes, .. }, shadow, .. } = &mut self.resources[id][at] else { return };
        let bytes = &bytes[..whole(bytes.len(), scale)];
        let out = self.rows.row_mut(effect.results[0].at);
        list.retain(|&slot| {
            let at = (u64::from(offsets[slot]) * scale + field) as usize;
            let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) else { return true };
            out[slot] = u32::from_le_bytes(*word);
            touch(shadow, granule, at, Width::W32, who.is(slot).1, Touch::Load).is_some()
        });
        self.give_back(offsets);
    }

    /// Stores words in range, up to the first lane that something is the matter with, and leaves the lanes from there in `list`.
    fn buffer_store_plain(&mut self, effect: &Effect, id: usize, list: &mut Vec<usize>) {
        let Some((at, offsets, scale, field)) = self.plain_access(effect, id) else { return };
        let Some(from) = effect.args.last() else { return };
        let values = self.fetch(from.at);
        let granule = self.plan.facts.granule[id];
        let who = Who {
            groups: &self.groups,
            epochs: &self.epochs,
            stride: self.stride,
            threads: self.shape.threads,
            which: 1,
            site: self.site.0,
        };
        let element = &mut self.resources[id][at];
        element.begin_floats();
        let Element { memory: Memory::Buffer { bytes, .. }, shadow, floats, .. } = element else { return };
        let whole = whole(bytes.len(), scale);
        let bytes = &mut Arc::make_mut(bytes)[..whole];
        let mut done = 0;
        for &slot in list.iter() {
            let at = (u64::from(offsets[slot]) * scale + field) as usize;
            let value = values[slot].to_le_bytes();
            let Some(word) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) else { break };
            let how = Touch::Store { same: *word == value };
            if !at.is_multiple_of(4) || touch(shadow, granule, at, Width::W32, who.is(slot).1, how).is_some() {
                break;
            }
            *word = value;
            let (byte, bit) = (at / 32, at / 4 % 8);
            floats[byte] = floats[byte] & !(1 << bit) | u8::from(effect.float_made) << bit;
            done += 1;
        }
        list.drain(..done);
        self.give_back(offsets);
        self.give_back(values);
    }

    pub(in crate::machine) fn buffer_load(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let (id, to) = (id.index(), effect.results[0]);
        let is_written = self.plan.facts.written[id];
        let bounds = effect.attrs.rules.bounds;
        let granule = self.plan.facts.granule[id];
        let mut list = self.list_lanes(false);
        if to.width == Width::W32 {
            self.buffer_load_plain(effect, id, &mut list);
        }
        for &slot in &list {
            let (element, address) = self.address(effect, id, slot, to.width.bytes());
            let size = self.buffer_bytes(id, element).map_or(0, <[u8]>::len);
            let reach = self.reach_buffer(id, element, &address, bounds);
            let value = match self.settle(reach, EventKind::LoadOutOfRange, slot, size, &address) {
                Reach::Inside(at) => {
                    let value = self.buffer_bytes(id, element).map_or(0, |bytes| read(bytes, at, to.width));
                    if is_written {
                        let who = self.toucher(slot, 1);
                        let shadow = &mut self.resources[id][element].shadow;
                        let other = touch(shadow, granule, at, to.width, who, Touch::Load);
                        self.race(effect, slot, other, || clash(&address, at, None, value));
                        self.raced(slot, other, to.width, value)
                    } else {
                        value
                    }
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Undefined => self.undefined(slot, to.width),
            };
            self.set_value(to, slot, value);
        }
        self.list = list;
    }

    /// Loads what is the same for all lanes, at an offset where nothing is an event.
    pub(in crate::machine) fn load_uniform(&self, effect: &Effect) -> u64 {
        let Target::Resource(id) = effect.attrs.target else { return 0 };
        let width = effect.results[0].width;
        let (element, address) = self.address(effect, id.index(), 0, width.bytes());
        match self.reach_buffer(id.index(), element, &address, effect.attrs.rules.bounds) {
            Reach::Inside(at) => self.buffer_bytes(id.index(), element).map_or(0, |bytes| read(bytes, at, width)),
            _ => 0,
        }
    }

    pub(in crate::machine) fn buffer_store(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        let Some(from) = effect.args.last().copied() else { return };
        let granule = self.plan.facts.granule[id];
        let mut list = self.list_lanes(true);
        if from.width == Width::W32 && !list.is_empty() {
            self.buffer_store_plain(effect, id, &mut list);
        }
        for &slot in &list {
            let (element, address) = self.address(effect, id, slot, from.width.bytes());
            let value = self.value(from, slot);
            let size = self.buffer_bytes(id, element).map_or(0, <[u8]>::len);
            let reach = self.reach_buffer(id, element, &address, effect.attrs.rules.bounds);
            match self.settle(reach, EventKind::StoreOutOfRange, slot, size, &address) {
                Reach::Inside(at) => {
                    let who = self.toucher(slot, 1);
                    let bound = &mut self.resources[id][element];
                    let found = bound.bytes().map_or(0, |bytes| read(bytes, at, from.width));
                    let how = Touch::Store { same: found == value };
                    let other = touch(&mut bound.shadow, granule, at, from.width, who, how);
                    self.race(effect, slot, other, || clash(&address, at, Some(value), found));
                    let value = self.raced(slot, other, from.width, value);
                    let bound = &mut self.resources[id][element];
                    if let Some(bytes) = bound.bytes_mut() {
                        write(bytes, at, from.width, value);
                    }
                    bound.note_float(at, from.width.bytes() as usize, effect.float_made);
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => {}
                Reach::Undefined => {}
            }
        }
        self.list = list;
    }

    pub(in crate::machine) fn buffer_atomic(&mut self, effect: &Effect) {
        let (Target::Resource(id), Detail::Atomic(op)) = (effect.attrs.target, effect.attrs.detail) else { return };
        let (id, to) = (id.index(), effect.results[0]);
        let granule = self.plan.facts.granule[id];
        let operands = effect.args.len();
        let list = self.list_lanes(false);
        for &slot in &list {
            if self.is_helper_atomic(effect, slot) {
                continue;
            }
            let (element, address) = self.address(effect, id, slot, to.width.bytes());
            let (value, comparand) = (self.value(effect.args[operands - 2], slot), self.value(effect.args[operands - 1], slot));
            let size = self.buffer_bytes(id, element).map_or(0, <[u8]>::len);
            let reach = self.reach_buffer(id, element, &address, effect.attrs.rules.bounds);
            let old = match self.settle(reach, EventKind::AtomicOutOfRange, slot, size, &address) {
                Reach::Inside(at) => {
                    let who = self.toucher(slot, 1);
                    let bound = &mut self.resources[id][element];
                    let other = touch(&mut bound.shadow, granule, at, to.width, who, atomic_touch(op));
                    let old = bound.bytes().map_or(0, |bytes| read(bytes, at, to.width));
                    self.race(effect, slot, other, || clash(&address, at, Some(value), old));
                    if op != AtomicOp::Load {
                        let left = self.raced(slot, other, to.width, atomic(op, to.width, old, value, comparand));
                        let bound = &mut self.resources[id][element];
                        if let Some(bytes) = bound.bytes_mut() {
                            write(bytes, at, to.width, left);
                        }
                        bound.note_float(at, to.width.bytes() as usize, false);
                    }
                    self.raced(slot, other, to.width, old)
                }
                Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Outside => {
                    self.event(EventKind::AtomicOutOfRange, slot, Some(address.memory), |_| address.out_of_range(size));
                    self.undefined(slot, to.width)
                }
                Reach::Undefined => self.undefined(slot, to.width),
            };
            self.set_value(to, slot, old);
        }
        self.list = list;
    }

    /// Whether the lane is a helper, whose atomic does nothing and gives an undefined value.
    pub(in crate::machine) fn is_helper_atomic(&mut self, effect: &Effect, slot: usize) -> bool {
        let helps = self.plan.program.stage == Stage::Pixel && self.helpers.contains(slot);
        if helps {
            let memory = match effect.attrs.target {
                Target::Resource(id) => Some(Named::Resource(id.index(), self.element(effect, slot))),
                _ => None,
            };
            self.event(EventKind::HelperAtomic, slot, memory, |_| Facts::None);
            let bits = self.undefined(slot, effect.results[0].width);
            self.set_value(effect.results[0], slot, bits);
        }
        helps
    }

    pub(in crate::machine) fn buffer_size(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        for slot in self.active.clone().iter() {
            let element = self.element(effect, slot);
            let size = match self.resources[id].get(element).map(|element| &element.memory) {
                Some(Memory::Buffer { bytes, texels: Some(texels), .. }) => texels.texels(bytes.len()),
                Some(Memory::Buffer { bytes, .. }) => {
                    let unit = match self.plan.program.interface.resources[id].shape {
                        Shape::Structured { stride } => stride.max(1) as usize,
                        _ => 1,
                    };
                    u32::try_from(bytes.len() / unit).unwrap_or(u32::MAX)
                }
                _ => 0,
            };
            self.set_value(effect.results[0], slot, size.into());
        }
    }

    pub(in crate::machine) fn counter(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        let list = self.list_lanes(false);
        for &slot in &list {
            if self.is_helper_atomic(effect, slot) {
                continue;
            }
            let element = self.element(effect, slot);
            let value = match self.resources[id].get_mut(element) {
                Some(element) if effect.op == Op::CounterAlloc => {
                    element.counter = element.counter.wrapping_add(1);
                    element.counter.wrapping_sub(1)
                }
                Some(element) => {
                    element.counter = element.counter.wrapping_sub(1);
                    element.counter
                }
                None => 0,
            };
            self.set_value(effect.results[0], slot, value.into());
        }
        self.list = list;
    }
}

impl Element {
    fn bytes(&self) -> Option<&[u8]> {
        match &self.memory {
            Memory::Buffer { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// The bytes, to be written: the case's own stay as they are.
    pub(in crate::machine) fn bytes_mut(&mut self) -> Option<&mut Vec<u8>> {
        match &mut self.memory {
            Memory::Buffer { bytes, .. } => Some(Arc::make_mut(bytes)),
            _ => None,
        }
    }
}
