//! Records what happens that the API leaves undefined.

use super::execute::Machine;
use super::races::Other;
use super::step::Effect;
use crate::case::Launch;
use crate::event::{At, Conflict, Event, EventKind, Facts, MemoryKind, MemoryRef, Site, Thread, Touching};
use crate::outcome::{EventCount, UndefinedChoice};
use gpuproof_program::{Detail, Dimension, Op, Origin, ResourceId, Shape, Width};
use std::collections::BTreeMap;

/// What a [`Site`] is.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteInfo {
    pub(super) origin: Origin,
    /// What the operation there does to memory.
    pub(super) does: Touching,
}

/// How an operation touches memory.
pub(super) fn touching(op: Op, detail: Detail) -> Touching {
    match (op, detail) {
        (_, Detail::Atomic(atomic)) => Touching::Atomic(atomic),
        (Op::SharedStore | Op::BufferStore | Op::StructuredStore | Op::TexelStore | Op::ArrayStore, _) => Touching::Store,
        _ => Touching::Load,
    }
}

/// A memory of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    /// A value of a lane that nothing wrote.
    Register,
    Array(usize),
    Shared(usize),
    /// An element of a resource's binding array.
    Resource(usize, usize),
}

/// The events of a run.
#[derive(Default)]
pub(super) struct Events {
    pub(super) kept: Vec<Event>,
    pub(super) count: u64,
    /// By site, kind and line of the source.
    counts: BTreeMap<(Site, EventKind, u32), EventCount>,
}

impl Events {
    pub(super) fn counts(&self) -> Vec<EventCount> {
        self.counts.values().copied().collect()
    }
}

/// What two lanes do that race.
pub(super) struct Clash {
    pub(super) memory: Named,
    pub(super) at: At,
    /// The bits that are stored and those that are there.
    pub(super) bits: Option<u64>,
    pub(super) found: Option<u64>,
}

impl Machine<'_> {
    /// Records that something undefined happened.
    pub(super) fn event(&mut self, kind: EventKind, slot: usize, memory: Option<Named>, facts: impl FnOnce(&Self) -> Facts) {
        let origin = self.plan.origins[self.place];
        let first = EventCount { site: self.site, kind, origin, count: 0 };
        let counted = self.events.counts.entry((self.site, kind, origin.line)).or_insert(first);
        counted.count += 1;
        let is_first = counted.count == 1;
        self.events.count += 1;
        if is_first || self.events.kept.len() < self.options.max_events {
            let lane = self.lane(slot);
            let event = Event {
                kind,
                site: self.site,
                lane,
                thread: self.thread(lane),
                iterations: self.iterations(self.place),
                origin,
                memory: memory.map(|memory| self.memory_ref(memory)),
                facts: facts(self),
            };
            self.events.kept.push(event);
        }
    }

    /// Records a race of a lane with another, if there is one. Two plain stores collide.
    pub(super) fn race(&mut self, effect: &Effect, slot: usize, other: Option<Other>, clash: impl FnOnce() -> Clash) {
        let Some(other) = other else { return };
        let does = touching(effect.op, effect.attrs.detail);
        let SiteInfo { origin, does: other_does } = self.plan.sites[other.site as usize];
        let both_store = does == Touching::Store && other_does == Touching::Store;
        let kind = if both_store { EventKind::CollidingStores } else { EventKind::Race };
        let Clash { memory, at, bits, found } = clash();
        self.event(kind, slot, Some(memory), |machine| {
            let other_thread = machine.thread(other.lane);
            Facts::Conflict(Conflict { at, does, bits, found, other: other.lane, other_thread, other_origin: origin, other_does })
        });
    }

    /// How often each loop around a step has gone round, outermost first.
    pub(super) fn iterations(&self, place: usize) -> Vec<u32> {
        let plan = self.plan;
        let mut iterations: Vec<u32> =
            std::iter::successors(plan.around[place], |inner| plan.loops[*inner].outer).map(|at| self.counters[at]).collect();
        iterations.reverse();
        iterations
    }

    /// Which thread of which group a lane is.
    fn thread(&self, lane: u32) -> Option<Thread> {
        let Launch::Groups { .. } = self.case.launch else { return None };
        let coordinates = |index: u32, [x, y, _]: [u32; 3]| {
            let (x, y) = (x.max(1), y.max(1));
            [index % x, index / x % y, index / x / y]
        };
        let threads = self.shape.threads.max(1);
        Some(Thread {
            group: coordinates(lane / threads, self.shape.group_count),
            thread: coordinates(lane % threads, self.plan.program.group_size),
        })
    }

    fn memory_ref(&self, memory: Named) -> MemoryRef {
        let program = &self.plan.program;
        match memory {
            Named::Register => {
                let name = self.plan.unwritten.get(&self.site).cloned().unwrap_or_default();
                MemoryRef { kind: MemoryKind::Register, name, element: None }
            }
            Named::Array(id) => MemoryRef { kind: MemoryKind::Array, name: program.arrays[id].name.clone(), element: None },
            Named::Shared(id) => {
                MemoryRef { kind: MemoryKind::GroupShared, name: program.shared[id].name.clone(), element: None }
            }
            Named::Resource(id, element) => {
                let resource = program.interface.resource(ResourceId(id as u32));
                let kind = match resource.shape {
                    Shape::Structured { .. } => MemoryKind::Structured,
                    Shape::Texture(shape) if shape.dimension == Dimension::Buffer => MemoryKind::TypedBuffer,
                    Shape::Texture(_) => MemoryKind::Texture,
                    _ => MemoryKind::Buffer,
                };
                let element = (resource.count != Some(1)).then_some(element as u32);
                MemoryRef { kind, name: resource.name.clone(), element }
            }
        }
    }

    /// What stands for what is undefined at the operation at hand.
    pub(super) fn choice(&self) -> UndefinedChoice {
        match &self.options.sites {
            Some(sites) if sites.binary_search(&self.site).is_err() => UndefinedChoice::Zero,
            _ => self.options.undefined,
        }
    }

    /// What stands for an undefined value of the step at hand.
    pub(super) fn undefined(&self, slot: usize, width: Width) -> u64 {
        use super::execute::mix;
        match self.choice() {
            UndefinedChoice::Zero => 0,
            UndefinedChoice::Seeded(seed) => mix(mix(seed ^ self.place as u64) ^ u64::from(self.lane(slot))) & width.mask(),
        }
    }

    /// What stands for a value that takes part in a race, if there is one.
    pub(super) fn raced(&self, slot: usize, other: Option<Other>, width: Width, value: u64) -> u64 {
        match (other, self.choice()) {
            (Some(_), UndefinedChoice::Seeded(_)) => self.undefined(slot, width),
            _ => value,
        }
    }

    /// Which of so many elements an access goes to that may go to any or to none: the last, or what the seed says.
    pub(super) fn any_of(&self, slot: usize, count: u64) -> Option<u64> {
        match self.choice() {
            UndefinedChoice::Zero => count.checked_sub(1),
            UndefinedChoice::Seeded(_) => {
                let chosen = self.undefined(slot, Width::W64) % count.saturating_add(1);
                (chosen < count).then_some(chosen)
            }
        }
    }
}
