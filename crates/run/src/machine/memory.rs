//! Group-shared memory and buffers: loads, stores, atomics, counters.

use super::Plan;
use super::bind::{Budget, Element, Memory};
use super::execute::{Machine, mix};
use super::races::{Shadow, Touch, Toucher};
use super::step::Effect;
use crate::outcome::{EventKind, Options, RunError, UndefinedChoice};
use gpuproof_program::{AtomicOp, Bounds, Detail, Op, Shape, Stage, Target, Width};
use std::ops::Range;
use std::sync::Arc;

/// One group's copy of a group-shared memory.
pub(super) struct Shared {
    bytes: Vec<u8>,
    /// For each word whether it was written since the group started; empty where it starts as zeros.
    written: Vec<u64>,
    /// How many words were not.
    unwritten: usize,
    shadow: Option<Shadow>,
}

/// The group-shared memories of a batch of so many groups.
pub(super) fn shared(
    plan: &Plan,
    groups: u32,
    threads: u32,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Vec<Shared>>, RunError> {
    let memories = plan.program.shared.iter().zip(&plan.facts.shared_granule);
    memories
        .map(|(memory, granule)| {
            let size = u64::from(memory.bytes);
            let places = size.div_ceil(u64::from((*granule).max(1)));
            let shadows = if options.races { Shadow::bytes(places) } else { 0 };
            let what = format!("group-shared memory {}", memory.name);
            budget.take(&what, u64::from(groups).saturating_mul(size + size / 32 + 8 + shadows))?;
            let new = |_| Shared {
                bytes: vec![0; memory.bytes as usize],
                written: if memory.zeroed { Vec::new() } else { vec![0; (memory.bytes as usize).div_ceil(4).div_ceil(64)] },
                unwritten: 0,
                shadow: options.races.then(|| Shadow::new(places as usize, threads)),
            };
            Ok((0..groups).map(new).collect())
        })
        .collect()
}

/// Where an access goes.
enum Reach {
    /// To the byte at this offset.
    Inside(usize),
    /// Out of range in a way that the API defines: loads give 0, stores are dropped.
    Outside,
    /// Out of range in a way that it does not.
    Undefined,
    /// Out of range, and so to any element of the memory or to none (WGSL: invalid memory references).
    Anywhere,
    /// To none: loads give 0, nothing is written.
    Nowhere,
}

fn reach(offset: u64, size: u64, bytes: u32, bounds: Bounds) -> Reach {
    let bytes = u64::from(bytes.max(1));
    if offset.checked_add(bytes).is_some_and(|end| end <= size) {
        return Reach::Inside(offset as usize);
    }
    match bounds {
        Bounds::Defined => Reach::Outside,
        Bounds::Undefined => Reach::Undefined,
        Bounds::Clamped => Reach::Anywhere,
    }
}

fn read(bytes: &[u8], at: usize, width: Width) -> u64 {
    let count = width.bytes() as usize;
    let mut word = [0u8; 8];
    if let Some(from) = bytes.get(at..at + count) {
        word[..count].copy_from_slice(from);
    }
    u64::from_le_bytes(word)
}

fn write(bytes: &mut [u8], at: usize, width: Width, value: u64) {
    let count = width.bytes() as usize;
    if let Some(to) = bytes.get_mut(at..at + count) {
        to.copy_from_slice(&value.to_le_bytes()[..count]);
    }
}

/// What an atomic leaves in memory.
pub(super) fn atomic(op: AtomicOp, width: Width, old: u64, value: u64, comparand: u64) -> u64 {
    let signed = |a: u64| if width == Width::W64 { a as i64 } else { i64::from(a as u32 as i32) };
    let new = match op {
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Sub => old.wrapping_sub(value),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::SMin => {
            if signed(value) < signed(old) {
                value
            } else {
                old
            }
        }
        AtomicOp::SMax => {
            if signed(value) > signed(old) {
                value
            } else {
                old
            }
        }
        AtomicOp::UMin => old.min(value),
        AtomicOp::UMax => old.max(value),
        AtomicOp::Exchange | AtomicOp::Store => value,
        AtomicOp::CompareExchange => {
            if old == comparand {
                value
            } else {
                old
            }
        }
        AtomicOp::Load => old,
    };
    new & width.mask()
}

/// How an atomic touches a place.
pub(super) fn atomic_touch(op: AtomicOp) -> Touch {
    if op == AtomicOp::Load { Touch::AtomicLoad } else { Touch::Atomic }
}

impl Shared {
    fn mark_written(&mut self, at: usize, width: Width) {
        for word in at / 4..(at + width.bytes() as usize).div_ceil(4) {
            if let Some(bits) = self.written.get_mut(word / 64) {
                self.unwritten -= usize::from(*bits >> (word % 64) & 1 == 0);
                *bits |= 1 << (word % 64);
            }
        }
    }

    fn is_written(&self, at: usize, width: Width) -> bool {
        let is_set = |word: usize| self.written.get(word / 64).is_some_and(|bits| bits >> (word % 64) & 1 != 0);
        self.written.is_empty() || (at / 4..(at + width.bytes() as usize).div_ceil(4)).all(is_set)
    }
}

/// Touches all places of an access and gives the other lane of a race.
fn touch(shadow: &mut Option<Shadow>, granule: u32, at: usize, width: Width, who: Toucher, how: Touch) -> Option<u32> {
    let shadow = shadow.as_mut()?;
    let granule = granule.max(1) as usize;
    let mut other = None;
    for place in at / granule..(at + width.bytes() as usize).div_ceil(granule) {
        other = other.or(shadow.touch(place, who, how));
    }
    other
}

/// The element, offset and what is known of a buffer access by one lane.
struct Address {
    element: usize,
    offset: u64,
    /// Whether the offset leaves its structure, which no rule defines.
    leaves: bool,
    /// From one element of the memory to the next, and where in an element the access is.
    unit: u64,
    field: u64,
}

/// The bytes of whole elements: what is left is no structure.
fn whole(bytes: usize, unit: u64) -> usize {
    let unit = usize::try_from(unit).unwrap_or(usize::MAX).max(1);
    bytes / unit * unit
}

/// Who the lanes of a batch are to the race finder.
struct Who<'a> {
    groups: &'a [u32],
    epochs: &'a [[u32; 2]],
    stride: usize,
    threads: u32,
    which: usize,
}

impl Who<'_> {
    #[inline]
    fn is(&self, slot: usize) -> (usize, Toucher) {
        let (local, thread) = if self.groups.len() == 1 { (0, slot) } else { (slot / self.stride, slot % self.stride) };
        let first = self.groups[local] * self.threads;
        (local, Toucher { lane: first + thread as u32, first, epoch: self.epochs[local][self.which] })
    }
}

impl Machine<'_> {
    pub(super) fn reset_shared(&mut self) {
        for (memory, copies) in self.plan.program.shared.iter().zip(&mut self.shared) {
            for shared in copies {
                // What nobody wrote is undefined or zero.
                shared.bytes.fill(0);
                shared.written.fill(0);
                shared.unwritten = if memory.zeroed { 0 } else { shared.bytes.len().div_ceil(4) };
                if let Some(shadow) = &mut shared.shadow {
                    shadow.clear();
                }
                debug_assert_eq!(memory.zeroed, shared.written.is_empty());
            }
        }
    }

    /// Who a lane is to the race finder; `which` is 0 for group-shared memory and 1 for resources.
    pub(super) fn toucher(&self, slot: usize, which: usize) -> Toucher {
        let local = self.local(slot);
        Toucher { lane: self.lane(slot), first: self.groups[local] * self.shape.threads, epoch: self.epochs[local][which] }
    }

    /// Which of the batch's groups a lane is of.
    pub(super) fn local(&self, slot: usize) -> usize {
        if self.groups.len() == 1 { 0 } else { slot / self.stride }
    }

    pub(super) fn race(&mut self, slot: usize, other: Option<u32>) {
        if let Some(other) = other {
            self.event(EventKind::Race, slot, || format!("with lane {other}"));
        }
    }

    /// What stands for a value that takes part in a race, if there is one.
    pub(super) fn raced(&self, slot: usize, other: Option<u32>, width: Width, value: u64) -> u64 {
        match (other, self.options.undefined) {
            (Some(_), UndefinedChoice::Seeded(_)) => self.undefined(slot, width),
            _ => value,
        }
    }

    /// Which of so many elements an access goes to that may go to any or to none: the last, or what the seed says.
    pub(super) fn any_of(&self, slot: usize, count: u64) -> Option<u64> {
        match self.options.undefined {
            UndefinedChoice::Zero => count.checked_sub(1),
            UndefinedChoice::Seeded(_) => {
                let chosen = self.undefined(slot, Width::W64) % count.saturating_add(1);
                (chosen < count).then_some(chosen)
            }
        }
    }

    /// Decides where an access goes that may go anywhere, and records it.
    fn settle(&mut self, reach: Reach, kind: EventKind, slot: usize, size: usize, address: &Address, bytes: u32) -> Reach {
        if !matches!(reach, Reach::Anywhere) {
            return reach;
        }
        self.event(kind, slot, || out_of_range(address, size));
        let size = size as u64;
        // As many elements as hold the whole access.
        let count = if address.field + u64::from(bytes) <= address.unit { size / address.unit.max(1) } else { 0 };
        self.any_of(slot, count).map_or(Reach::Nowhere, |at| Reach::Inside((at * address.unit + address.field) as usize))
    }

    /// The contents of the group's memories are undefined: D3D11 says so of a store or an atomic outside one of them (D3D11.3 22.4.11, 22.17).
    fn lose_shared(&mut self, slot: usize) {
        if self.options.undefined == UndefinedChoice::Zero {
            return;
        }
        let (seed, local) = (self.undefined(slot, Width::W64), self.local(slot));
        let mut count = 0;
        for memory in self.shared.iter_mut().filter_map(|copies| copies.get_mut(local)) {
            for word in memory.bytes.chunks_mut(4) {
                count += 1;
                word.copy_from_slice(&mix(seed ^ count).to_le_bytes()[..word.len()]);
            }
        }
        // So that a program cannot make this take long.
        self.steps = self.steps.saturating_add(count);
    }

    /// Where all lanes are active and nothing of a group-shared access can be the matter but its addresses: the lanes of each group.
    fn shared_lanes(&self, id: usize) -> Option<impl Iterator<Item = Range<usize>> + use<>> {
        let plain = |shared: &Shared| shared.shadow.is_none() && shared.unwritten == 0;
        let groups = self.groups.len();
        let is_plain = self.is_full && self.helpers.is_empty() && self.shared[id][..groups].iter().all(plain);
        let (stride, threads) = (self.stride, self.shape.threads as usize);
        (is_plain && self.is_canonical()).then(|| (0..groups).map(move |local| local * stride..local * stride + threads))
    }

    /// Loads words for all lanes, if nothing is the matter with any.
    fn shared_load_all(&mut self, effect: &Effect, id: usize) -> bool {
        let Some(mut lanes) = self.shared_lanes(id) else { return false };
        let (to, from) = (effect.results[0].at, effect.args[0].at);
        let (rows, memories) = (&mut self.rows, &self.shared[id]);
        // Loading again what was loaded does no harm.
        lanes.by_ref().zip(memories).all(|(lanes, memory)| rows.gather(to, from, lanes, &memory.bytes))
    }

    /// Stores words of all lanes, if nothing is the matter with any.
    fn shared_store_all(&mut self, effect: &Effect, id: usize) -> bool {
        let Some(mut lanes) = self.shared_lanes(id) else { return false };
        let (to, from) = (effect.args[0].at, effect.args[1].at);
        let (rows, memories) = (&self.rows, &mut self.shared[id]);
        // So does storing again.
        lanes.by_ref().zip(memories).all(|(lanes, memory)| rows.scatter(to, from, lanes, &mut memory.bytes))
    }

    /// Loads aligned words in range that nothing is the matter with, and leaves the other lanes in `list`.
    fn shared_load_plain(&mut self, effect: &Effect, id: usize, list: &mut Vec<usize>) {
        let to = effect.results[0];
        let granule = self.plan.facts.shared_granule[id];
        let addresses = self.fetch(effect.args[0].at);
        let who = Who { groups: &self.groups, epochs: &self.epochs, stride: self.stride, threads: self.shape.threads, which: 0 };
        let memories = &mut self.shared[id];
        let out = self.rows.row_mut(to.at);
        list.retain(|&slot| {
            let at = addresses[slot] as usize;
            let (local, who) = who.is(slot);
            let memory = &mut memories[local];
            let Some(word) = memory.bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) else { return true };
            if !at.is_multiple_of(4) || !memory.is_written(at, Width::W32) {
                return true;
            }
            out[slot] = u32::from_le_bytes(*word);
            touch(&mut memory.shadow, granule, at, Width::W32, who, Touch::Load).is_some()
        });
        self.give_back(addresses);
    }

    /// Stores aligned words in range, up to the first lane that something is the matter with, and leaves the lanes from there in `list`.
    fn shared_store_plain(&mut self, effect: &Effect, id: usize, list: &mut Vec<usize>) {
        let granule = self.plan.facts.shared_granule[id];
        let (addresses, values) = (self.fetch(effect.args[0].at), self.fetch(effect.args[1].at));
        let who = Who { groups: &self.groups, epochs: &self.epochs, stride: self.stride, threads: self.shape.threads, which: 0 };
        let memories = &mut self.shared[id];
        let mut done = 0;
        for &slot in list.iter() {
            let at = addresses[slot] as usize;
            let (local, who) = who.is(slot);
            let memory = &mut memories[local];
            let value = values[slot].to_le_bytes();
            let Some(word) = memory.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) else { break };
            if !at.is_multiple_of(4) {
                break;
            }
            let how = Touch::Store { same: *word == value };
            if touch(&mut memory.shadow, granule, at, Width::W32, who, how).is_some() {
                break;
            }
            *word = value;
            memory.mark_written(at, Width::W32);
            done += 1;
        }
        list.drain(..done);
        self.give_back(addresses);
        self.give_back(values);
    }

    pub(super) fn shared_load(&mut self, effect: &Effect) {
        let Target::Shared(id) = effect.attrs.target else { return };
        let (id, to) = (id.index(), effect.results[0]);
        if to.width == Width::W32 && self.shared_load_all(effect, id) {
            return;
        }
        let granule = self.plan.facts.shared_granule[id];
        let mut list = self.list_lanes(false);
        if to.width == Width::W32 {
            self.shared_load_plain(effect, id, &mut list);
        }
        for &slot in &list {
            let offset = self.value(effect.args[0], slot);
            let (who, local) = (self.toucher(slot, 0), self.local(slot));
            let memory = &mut self.shared[id][local];
            let (size, bytes) = (memory.bytes.len(), to.width.bytes());
            let address = Address::plain(offset, bytes);
            let reach = reach(offset, size as u64, bytes, effect.attrs.rules.bounds);
            let value = match self.settle(reach, EventKind::LoadOutOfRange, slot, size, &address, bytes) {
                Reach::Inside(at) => {
                    let memory = &mut self.shared[id][local];
                    let other = touch(&mut memory.shadow, granule, at, to.width, who, Touch::Load);
                    let (value, written) = (read(&memory.bytes, at, to.width), memory.is_written(at, to.width));
                    self.race(slot, other);
                    if written {
                        self.raced(slot, other, to.width, value)
                    } else {
                        self.event(EventKind::NeverWritten, slot, || format!("group-shared byte {at}"));
                        self.undefined(slot, to.width)
                    }
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Undefined => {
                    self.event(EventKind::LoadOutOfRange, slot, || out_of_range(&address, size));
                    self.undefined(slot, to.width)
                }
            };
            self.set_value(to, slot, value);
        }
        self.list = list;
    }

    pub(super) fn shared_store(&mut self, effect: &Effect) {
        let Target::Shared(id) = effect.attrs.target else { return };
        let (id, from) = (id.index(), effect.args[1]);
        if from.width == Width::W32 && self.shared_store_all(effect, id) {
            return;
        }
        let granule = self.plan.facts.shared_granule[id];
        let mut list = self.list_lanes(true);
        if from.width == Width::W32 {
            self.shared_store_plain(effect, id, &mut list);
        }
        for &slot in &list {
            let (offset, value) = (self.value(effect.args[0], slot), self.value(from, slot));
            let (who, local) = (self.toucher(slot, 0), self.local(slot));
            let memory = &mut self.shared[id][local];
            let (size, bytes) = (memory.bytes.len(), from.width.bytes());
            let address = Address::plain(offset, bytes);
            let reach = reach(offset, size as u64, bytes, effect.attrs.rules.bounds);
            match self.settle(reach, EventKind::StoreOutOfRange, slot, size, &address, bytes) {
                Reach::Inside(at) => {
                    let memory = &mut self.shared[id][local];
                    let how = Touch::Store { same: read(&memory.bytes, at, from.width) == value };
                    let other = touch(&mut memory.shadow, granule, at, from.width, who, how);
                    self.race(slot, other);
                    let value = self.raced(slot, other, from.width, value);
                    let memory = &mut self.shared[id][local];
                    write(&mut memory.bytes, at, from.width, value);
                    memory.mark_written(at, from.width);
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => {}
                Reach::Undefined => {
                    self.event(EventKind::StoreOutOfRange, slot, || out_of_range(&address, size));
                    self.lose_shared(slot);
                }
            }
        }
        self.list = list;
    }

    pub(super) fn shared_atomic(&mut self, effect: &Effect) {
        let (Target::Shared(id), Detail::Atomic(op)) = (effect.attrs.target, effect.attrs.detail) else { return };
        let (id, to) = (id.index(), effect.results[0]);
        let granule = self.plan.facts.shared_granule[id];
        let list = self.list_lanes(false);
        for &slot in &list {
            let [offset, value, comparand] = [0, 1, 2].map(|at| self.value(effect.args[at], slot));
            let (who, local) = (self.toucher(slot, 0), self.local(slot));
            let memory = &mut self.shared[id][local];
            let (size, bytes) = (memory.bytes.len(), to.width.bytes());
            let address = Address::plain(offset, bytes);
            let reach = reach(offset, size as u64, bytes, effect.attrs.rules.bounds);
            let old = match self.settle(reach, EventKind::AtomicOutOfRange, slot, size, &address, bytes) {
                Reach::Inside(at) => {
                    let memory = &mut self.shared[id][local];
                    let other = touch(&mut memory.shadow, granule, at, to.width, who, atomic_touch(op));
                    let defined = matches!(op, AtomicOp::Exchange | AtomicOp::Store) || memory.is_written(at, to.width);
                    let mut old = read(&memory.bytes, at, to.width);
                    if !defined {
                        self.event(EventKind::NeverWritten, slot, || format!("group-shared byte {at}"));
                        old = self.undefined(slot, to.width);
                    }
                    self.race(slot, other);
                    if op != AtomicOp::Load || !defined {
                        let left = atomic(op, to.width, old, value, comparand);
                        let left = self.raced(slot, other, to.width, left);
                        let memory = &mut self.shared[id][local];
                        write(&mut memory.bytes, at, to.width, left);
                        memory.mark_written(at, to.width);
                    }
                    self.raced(slot, other, to.width, old)
                }
                Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Outside => {
                    self.event(EventKind::AtomicOutOfRange, slot, || out_of_range(&address, size));
                    self.undefined(slot, to.width)
                }
                Reach::Undefined => {
                    self.event(EventKind::AtomicOutOfRange, slot, || out_of_range(&address, size));
                    self.lose_shared(slot);
                    self.undefined(slot, to.width)
                }
            };
            self.set_value(to, slot, old);
        }
        self.list = list;
    }

    /// Which element a lane's access names, if it exists and is bound.
    pub(super) fn element(&self, effect: &Effect, slot: usize) -> usize {
        self.value(effect.args[0], slot) as usize
    }

    /// Where a buffer access of a lane goes.
    fn address(&self, effect: &Effect, resource: usize, slot: usize, bytes: u32) -> Address {
        let element = self.element(effect, slot);
        let first = self.value(effect.args[1], slot);
        if !matches!(effect.op, Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic) {
            return Address { element, ..Address::plain(first, bytes) };
        }
        let field = self.value(effect.args[2], slot);
        let Shape::Structured { stride } = self.plan.program.interface.resources[resource].shape else {
            return Address { element, leaves: true, ..Address::plain(u64::MAX, bytes) };
        };
        let stride = u64::from(stride);
        let leaves = field + u64::from(bytes) > stride;
        let count = self.buffer_bytes(resource, element).map_or(0, <[u8]>::len) as u64 / stride.max(1);
        // A structure past the last does not begin anywhere.
        let offset = if first < count { first * stride + field } else { u64::MAX };
        Address { element, offset, leaves, unit: stride, field }
    }

    fn buffer_bytes(&self, resource: usize, element: usize) -> Option<&[u8]> {
        match &self.resources[resource].get(element)?.memory {
            Memory::Buffer { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    fn reach_buffer(&self, resource: usize, address: &Address, bytes: u32, bounds: Bounds) -> Reach {
        let Some(memory) = self.buffer_bytes(resource, address.element) else { return Reach::Outside };
        if address.leaves {
            return Reach::Undefined;
        }
        reach(address.offset, memory.len() as u64, bytes, bounds)
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
        let who = Who { groups: &self.groups, epochs: &self.epochs, stride: self.stride, threads: self.shape.threads, which: 1 };
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
        let who = Who { groups: &self.groups, epochs: &self.epochs, stride: self.stride, threads: self.shape.threads, which: 1 };
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

    pub(super) fn buffer_load(&mut self, effect: &Effect) {
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
            let address = self.address(effect, id, slot, to.width.bytes());
            let size = self.buffer_bytes(id, address.element).map_or(0, <[u8]>::len);
            let reach = self.reach_buffer(id, &address, to.width.bytes(), bounds);
            let value = match self.settle(reach, EventKind::LoadOutOfRange, slot, size, &address, to.width.bytes()) {
                Reach::Inside(at) => {
                    let value = self.buffer_bytes(id, address.element).map_or(0, |bytes| read(bytes, at, to.width));
                    if is_written {
                        let who = self.toucher(slot, 1);
                        let shadow = &mut self.resources[id][address.element].shadow;
                        let other = touch(shadow, granule, at, to.width, who, Touch::Load);
                        self.race(slot, other);
                        self.raced(slot, other, to.width, value)
                    } else {
                        value
                    }
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Undefined => {
                    self.event(EventKind::LoadOutOfRange, slot, || out_of_range(&address, size));
                    self.undefined(slot, to.width)
                }
            };
            self.set_value(to, slot, value);
        }
        self.list = list;
    }

    /// Loads what is the same for all lanes, at an offset where nothing is an event.
    pub(super) fn load_uniform(&self, effect: &Effect) -> u64 {
        let Target::Resource(id) = effect.attrs.target else { return 0 };
        let width = effect.results[0].width;
        let address = self.address(effect, id.index(), 0, width.bytes());
        match self.reach_buffer(id.index(), &address, width.bytes(), effect.attrs.rules.bounds) {
            Reach::Inside(at) => self.buffer_bytes(id.index(), address.element).map_or(0, |bytes| read(bytes, at, width)),
            _ => 0,
        }
    }

    pub(super) fn buffer_store(&mut self, effect: &Effect) {
        let Target::Resource(id) = effect.attrs.target else { return };
        let id = id.index();
        let Some(from) = effect.args.last().copied() else { return };
        let granule = self.plan.facts.granule[id];
        let mut list = self.list_lanes(true);
        if from.width == Width::W32 && !list.is_empty() {
            self.buffer_store_plain(effect, id, &mut list);
        }
        for &slot in &list {
            let address = self.address(effect, id, slot, from.width.bytes());
            let value = self.value(from, slot);
            let size = self.buffer_bytes(id, address.element).map_or(0, <[u8]>::len);
            let reach = self.reach_buffer(id, &address, from.width.bytes(), effect.attrs.rules.bounds);
            match self.settle(reach, EventKind::StoreOutOfRange, slot, size, &address, from.width.bytes()) {
                Reach::Inside(at) => {
                    let who = self.toucher(slot, 1);
                    let element = &mut self.resources[id][address.element];
                    let same = element.bytes().is_some_and(|bytes| read(bytes, at, from.width) == value);
                    let other = touch(&mut element.shadow, granule, at, from.width, who, Touch::Store { same });
                    self.race(slot, other);
                    let value = self.raced(slot, other, from.width, value);
                    let element = &mut self.resources[id][address.element];
                    if let Some(bytes) = element.bytes_mut() {
                        write(bytes, at, from.width, value);
                    }
                    element.note_float(at, from.width.bytes() as usize, effect.float_made);
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => {}
                Reach::Undefined => self.event(EventKind::StoreOutOfRange, slot, || out_of_range(&address, size)),
            }
        }
        self.list = list;
    }

    pub(super) fn buffer_atomic(&mut self, effect: &Effect) {
        let (Target::Resource(id), Detail::Atomic(op)) = (effect.attrs.target, effect.attrs.detail) else { return };
        let (id, to) = (id.index(), effect.results[0]);
        let granule = self.plan.facts.granule[id];
        let operands = effect.args.len();
        let list = self.list_lanes(false);
        for &slot in &list {
            if self.is_helper_atomic(effect, slot) {
                continue;
            }
            let address = self.address(effect, id, slot, to.width.bytes());
            let (value, comparand) = (self.value(effect.args[operands - 2], slot), self.value(effect.args[operands - 1], slot));
            let size = self.buffer_bytes(id, address.element).map_or(0, <[u8]>::len);
            let reach = self.reach_buffer(id, &address, to.width.bytes(), effect.attrs.rules.bounds);
            let old = match self.settle(reach, EventKind::AtomicOutOfRange, slot, size, &address, to.width.bytes()) {
                Reach::Inside(at) => {
                    let who = self.toucher(slot, 1);
                    let element = &mut self.resources[id][address.element];
                    let other = touch(&mut element.shadow, granule, at, to.width, who, atomic_touch(op));
                    let old = element.bytes().map_or(0, |bytes| read(bytes, at, to.width));
                    self.race(slot, other);
                    if op != AtomicOp::Load {
                        let left = self.raced(slot, other, to.width, atomic(op, to.width, old, value, comparand));
                        let element = &mut self.resources[id][address.element];
                        if let Some(bytes) = element.bytes_mut() {
                            write(bytes, at, to.width, left);
                        }
                        element.note_float(at, to.width.bytes() as usize, false);
                    }
                    self.raced(slot, other, to.width, old)
                }
                Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Outside | Reach::Undefined => {
                    self.event(EventKind::AtomicOutOfRange, slot, || out_of_range(&address, size));
                    self.undefined(slot, to.width)
                }
            };
            self.set_value(to, slot, old);
        }
        self.list = list;
    }

    /// Whether the lane is a helper, whose atomic does nothing and gives an undefined value.
    pub(super) fn is_helper_atomic(&mut self, effect: &Effect, slot: usize) -> bool {
        let helps = self.plan.program.stage == Stage::Pixel && self.helpers.contains(slot);
        if helps {
            self.event(EventKind::HelperAtomic, slot, || "the lane is a helper".into());
            let bits = self.undefined(slot, effect.results[0].width);
            self.set_value(effect.results[0], slot, bits);
        }
        helps
    }

    pub(super) fn buffer_size(&mut self, effect: &Effect) {
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

    pub(super) fn counter(&mut self, effect: &Effect) {
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

impl Address {
    /// Of an access at a byte.
    fn plain(offset: u64, bytes: u32) -> Address {
        Address { element: 0, offset, leaves: false, unit: bytes.into(), field: 0 }
    }
}

fn out_of_range(address: &Address, size: usize) -> String {
    match (address.leaves, address.offset) {
        (true, _) => "the offset leaves the structure".into(),
        (false, u64::MAX) => format!("a structure past the last of {}", size as u64 / address.unit.max(1)),
        (false, offset) => format!("byte {offset} of {size}"),
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
    pub(super) fn bytes_mut(&mut self) -> Option<&mut Vec<u8>> {
        match &mut self.memory {
            Memory::Buffer { bytes, .. } => Some(Arc::make_mut(bytes)),
            _ => None,
        }
    }
}
