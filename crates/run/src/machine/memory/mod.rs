//! Memory that lanes share: where an access goes, and what happens to it there.

mod buffers;
mod shared;

use super::events::{Clash, Named};
use super::execute::Machine;
use super::races::{Other, Shadow, Touch, Toucher};
use crate::event::{At, EventKind, Facts, OutOfRange};
use gpuproof_program::{AtomicOp, Bounds, Width};

pub(super) use shared::{Shared, shared};

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

/// Touches all places of an access and gives the other lane of a race.
fn touch(shadow: &mut Option<Shadow>, granule: u32, at: usize, width: Width, who: Toucher, how: Touch) -> Option<Other> {
    let shadow = shadow.as_mut()?;
    let granule = granule.max(1) as usize;
    let mut other = None;
    for place in at / granule..(at + width.bytes() as usize).div_ceil(granule) {
        other = other.or(shadow.touch(place, who, how));
    }
    other
}

/// Where an access by one lane goes.
#[derive(Clone, Copy)]
struct Address {
    memory: Named,
    /// In the memory, in bytes; `u64::MAX` for a structure past the last.
    offset: u64,
    bytes: u32,
    structure: Option<Structure>,
}

/// What is known of an access in terms of structures.
#[derive(Clone, Copy)]
struct Structure {
    index: u64,
    stride: u64,
    /// The offset in the structure.
    field: u64,
    /// Whether the offset leaves its structure, which no rule defines.
    leaves: bool,
}

/// What two lanes do at a byte.
fn clash(address: &Address, at: usize, bits: Option<u64>, found: u64) -> Clash {
    Clash { memory: address.memory, at: At::Byte(at as u64), bits, found: Some(found) }
}

/// Who the lanes of a batch are to the race finder.
struct Who<'a> {
    groups: &'a [u32],
    epochs: &'a [[u32; 2]],
    stride: usize,
    threads: u32,
    which: usize,
    site: u32,
}

impl Who<'_> {
    #[inline]
    fn is(&self, slot: usize) -> (usize, Toucher) {
        let (local, thread) = if self.groups.len() == 1 { (0, slot) } else { (slot / self.stride, slot % self.stride) };
        let first = self.groups[local] * self.threads;
        (local, Toucher { lane: first + thread as u32, first, epoch: self.epochs[local][self.which], site: self.site })
    }
}

impl Machine<'_> {
    /// Who a lane is to the race finder; `which` is 0 for group-shared memory and 1 for resources.
    pub(super) fn toucher(&self, slot: usize, which: usize) -> Toucher {
        let local = self.local(slot);
        let first = self.groups[local] * self.shape.threads;
        Toucher { lane: self.lane(slot), first, epoch: self.epochs[local][which], site: self.site.0 }
    }

    /// Which of the batch's groups a lane is of.
    pub(super) fn local(&self, slot: usize) -> usize {
        if self.groups.len() == 1 { 0 } else { slot / self.stride }
    }

    /// Decides where an access goes that may go anywhere, and records what is out of range without a rule.
    fn settle(&mut self, reach: Reach, kind: EventKind, slot: usize, size: usize, address: &Address) -> Reach {
        if matches!(reach, Reach::Anywhere | Reach::Undefined) {
            self.event(kind, slot, Some(address.memory), |_| address.out_of_range(size));
        }
        if !matches!(reach, Reach::Anywhere) {
            return reach;
        }
        let (unit, field) = address.unit();
        // As many elements as hold the whole access.
        let count = if field + u64::from(address.bytes) <= unit { size as u64 / unit.max(1) } else { 0 };
        self.any_of(slot, count).map_or(Reach::Nowhere, |at| Reach::Inside((at * unit + field) as usize))
    }
}

impl Address {
    /// Of an access at a byte.
    fn plain(memory: Named, offset: u64, bytes: u32) -> Address {
        Address { memory, offset, bytes, structure: None }
    }

    /// From one element of the memory to the next, and where in an element the access is.
    fn unit(&self) -> (u64, u64) {
        self.structure.map_or((self.bytes.into(), 0), |structure| (structure.stride, structure.field))
    }

    /// How it is out of range of a memory of so many bytes.
    fn out_of_range(&self, size: usize) -> Facts {
        let size = size as u64;
        let Address { offset, bytes, .. } = *self;
        Facts::OutOfRange(match self.structure {
            Some(structure) if structure.leaves => OutOfRange::Field { offset: structure.field, bytes, stride: structure.stride },
            Some(Structure { index, stride, .. }) if offset == u64::MAX => {
                OutOfRange::Structure { index, count: size / stride.max(1) }
            }
            _ => OutOfRange::Byte { at: offset, bytes, size },
        })
    }
}
