//! Group-shared memory: loads, stores, atomics.

use super::{Address, Reach, Who, atomic, atomic_touch, clash, reach, read, touch, write};
use crate::event::{At, EventKind, Facts};
use crate::machine::Plan;
use crate::machine::bind::Budget;
use crate::machine::events::Named;
use crate::machine::execute::{Machine, mix};
use crate::machine::races::{Shadow, Touch};
use crate::machine::step::Effect;
use crate::outcome::{Options, RunError, UndefinedChoice};
use gpuproof_program::{AtomicOp, Detail, Target, Width};
use std::ops::Range;

/// One group's copy of a group-shared memory.
pub(in crate::machine) struct Shared {
    bytes: Vec<u8>,
    /// For each word whether it was written since the group started; empty where it starts as zeros.
    written: Vec<u64>,
    /// How many words were not.
    unwritten: usize,
    shadow: Option<Shadow>,
}

/// The group-shared memories of a batch of so many groups.
pub(in crate::machine) fn shared(
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

impl Machine<'_> {
    pub(in crate::machine) fn reset_shared(&mut self) {
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

    /// The contents of the group's memories are undefined: D3D11 says so of a store or an atomic outside one of them (D3D11.3 22.4.11, 22.17).
    fn lose_shared(&mut self, slot: usize) {
        if self.choice() == UndefinedChoice::Zero {
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
        self.effort = self.effort.saturating_add(count);
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
        let who = Who {
            groups: &self.groups,
            epochs: &self.epochs,
            stride: self.stride,
            threads: self.shape.threads,
            which: 0,
            site: self.site.0,
        };
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
        let who = Who {
            groups: &self.groups,
            epochs: &self.epochs,
            stride: self.stride,
            threads: self.shape.threads,
            which: 0,
            site: self.site.0,
        };
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

    pub(in crate::machine) fn shared_load(&mut self, effect: &Effect) {
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
            let address = Address::plain(Named::Shared(id), offset, bytes);
            let reach = reach(offset, size as u64, bytes, effect.attrs.rules.bounds);
            let value = match self.settle(reach, EventKind::LoadOutOfRange, slot, size, &address) {
                Reach::Inside(at) => {
                    let memory = &mut self.shared[id][local];
                    let other = touch(&mut memory.shadow, granule, at, to.width, who, Touch::Load);
                    let (value, written) = (read(&memory.bytes, at, to.width), memory.is_written(at, to.width));
                    self.race(effect, slot, other, || clash(&address, at, None, value));
                    if written {
                        self.raced(slot, other, to.width, value)
                    } else {
                        self.event(EventKind::NeverWritten, slot, Some(address.memory), |_| {
                            Facts::Unwritten(Some(At::Byte(at as u64)))
                        });
                        self.undefined(slot, to.width)
                    }
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => 0,
                Reach::Undefined => self.undefined(slot, to.width),
            };
            self.set_value(to, slot, value);
        }
        self.list = list;
    }

    pub(in crate::machine) fn shared_store(&mut self, effect: &Effect) {
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
            let address = Address::plain(Named::Shared(id), offset, bytes);
            let reach = reach(offset, size as u64, bytes, effect.attrs.rules.bounds);
            match self.settle(reach, EventKind::StoreOutOfRange, slot, size, &address) {
                Reach::Inside(at) => {
                    let memory = &mut self.shared[id][local];
                    let found = read(&memory.bytes, at, from.width);
                    let other = touch(&mut memory.shadow, granule, at, from.width, who, Touch::Store { same: found == value });
                    self.race(effect, slot, other, || clash(&address, at, Some(value), found));
                    let value = self.raced(slot, other, from.width, value);
                    let memory = &mut self.shared[id][local];
                    write(&mut memory.bytes, at, from.width, value);
                    memory.mark_written(at, from.width);
                }
                Reach::Outside | Reach::Nowhere | Reach::Anywhere => {}
                Reach::Undefined => {
                    self.lose_shared(slot);
                }
            }
        }
        self.list = list;
    }

    pub(in crate::machine) fn shared_atomic(&mut self, effect: &Effect) {
        let (Target::Shared(id), Detail::Atomic(op)) = (effect.attrs.target, effect.attrs.detail) else { return };
        let (id, to) = (id.index(), effect.results[0]);
        let granule = self.plan.facts.shared_granule[id];
        let list = self.list_lanes(false);
        for &slot in &list {
            let [offset, value, comparand] = [0, 1, 2].map(|at| self.value(effect.args[at], slot));
            let (who, local) = (self.toucher(slot, 0), self.local(slot));
            let memory = &mut self.shared[id][local];
            let (size, bytes) = (memory.bytes.len(), to.width.bytes());
            let address = Address::plain(Named::Shared(id), offset, bytes);
            let reach = reach(offset, size as u64, bytes, effect.attrs.rules.bounds);
            let old = match self.settle(reach, EventKind::AtomicOutOfRange, slot, size, &address) {
                Reach::Inside(at) => {
                    let memory = &mut self.shared[id][local];
                    let other = touch(&mut memory.shadow, granule, at, to.width, who, atomic_touch(op));
                    let defined = matches!(op, AtomicOp::Exchange | AtomicOp::Store) || memory.is_written(at, to.width);
                    let mut old = read(&memory.bytes, at, to.width);
                    if !defined {
                        self.event(EventKind::NeverWritten, slot, Some(address.memory), |_| {
                            Facts::Unwritten(Some(At::Byte(at as u64)))
                        });
                        old = self.undefined(slot, to.width);
                    }
                    self.race(effect, slot, other, || clash(&address, at, Some(value), old));
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
                    self.event(EventKind::AtomicOutOfRange, slot, Some(address.memory), |_| address.out_of_range(size));
                    self.undefined(slot, to.width)
                }
                Reach::Undefined => {
                    self.lose_shared(slot);
                    self.undefined(slot, to.width)
                }
            };
            self.set_value(to, slot, old);
        }
        self.list = list;
    }
}
