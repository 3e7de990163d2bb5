//! What happened that the API leaves undefined, in full: where, on which lane, to which memory, and with whom.

use gpuproof_program::{AtomicOp, Origin};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that the API leaves undefined happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The operation of the plan that chooses for it: what [`Options::sites`](crate::Options::sites) names. For a value that was never written it is
    /// that value, not its use.
    pub site: Site,
    /// The lane.
    pub lane: u32,
    /// Which thread of which group that is, in compute programs.
    pub thread: Option<Thread>,
    /// How often each loop around the operation has gone round, outermost first.
    pub iterations: Vec<u32>,
    /// The operation's place in the source.
    pub origin: Origin,
    /// The memory that it is about.
    pub memory: Option<MemoryRef>,
    /// What is known besides.
    pub facts: Facts,
}

/// An operation of a [`Plan`](crate::Plan), where a choice is made for what is undefined. The same in every run of one plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site(pub u32);

/// A thread of a compute program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Its group's index in x, y and z.
    pub group: [u32; 3],
    /// Its index in the group.
    pub thread: [u32; 3],
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventKind {
    /// A value was used that nothing wrote.
    NeverWritten,
    /// A load out of range whose result the API does not define, or leaves a choice for (WGSL).
    LoadOutOfRange,
    /// A store out of range whose effect the API does not define, or leaves a choice for (WGSL).
    StoreOutOfRange,
    /// An atomic out of range, whose result is undefined or of a choice.
    AtomicOutOfRange,
    /// Two lanes on one place with no barrier between, one of them writing, and not both by plain stores.
    Race,
    /// Two lanes store different bits to one place with no barrier between.
    CollidingStores,
    /// A barrier that not all lanes of the group reach together.
    DivergentBarrier,
    /// A derivative, or an implicit level, where lanes of the quad are not active.
    DivergentDerivative,
    /// A read of a lane that is not active.
    InactiveLane,
    /// An atomic of a helper lane.
    HelperAtomic,
    /// A register chose a resource or sampler that is not there.
    NoSuchBinding,
}

/// All kinds, in order.
pub const EVENT_KINDS: [EventKind; 11] = [
    EventKind::NeverWritten,
    EventKind::LoadOutOfRange,
    EventKind::StoreOutOfRange,
    EventKind::AtomicOutOfRange,
    EventKind::Race,
    EventKind::CollidingStores,
    EventKind::DivergentBarrier,
    EventKind::DivergentDerivative,
    EventKind::InactiveLane,
    EventKind::HelperAtomic,
    EventKind::NoSuchBinding,
];

/// The memory that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryRef {
    /// What kind of memory.
    pub kind: MemoryKind,
    /// Its name in the program: `r3.y`, `x0`, `g0`, `particles`.
    pub name: String,
    /// The element of its binding array, where it is one.
    pub element: Option<u32>,
}

/// Kinds of memory, as far as APIs promise different things of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MemoryKind {
    /// A variable or register of a lane.
    Register,
    /// An array of a lane.
    Array,
    /// Memory of a thread group.
    GroupShared,
    /// A buffer that is addressed by bytes.
    Buffer,
    /// A buffer of structures.
    Structured,
    /// A buffer of texels.
    TypedBuffer,
    /// A texture.
    Texture,
}

/// All kinds of memory, in order.
pub const MEMORY_KINDS: [MemoryKind; 7] = [
    MemoryKind::Register,
    MemoryKind::Array,
    MemoryKind::GroupShared,
    MemoryKind::Buffer,
    MemoryKind::Structured,
    MemoryKind::TypedBuffer,
    MemoryKind::Texture,
];

/// A place in a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// The byte at this offset.
    Byte(u64),
    /// An element of an array.
    Element(u64),
    /// A texel's coordinates, the array layer last.
    Texel([u32; 3]),
}

/// What is known of an event besides its kind and place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Facts {
    /// Nothing.
    None,
    /// What was never written; none for a register or variable.
    Unwritten(Option<At>),
    /// An access past an end.
    OutOfRange(OutOfRange),
    /// Two lanes on one place.
    Conflict(Conflict),
    /// Lanes of the group that did not come to the barrier.
    Missing {
        /// The first of them, [`LISTED`] at most.
        lanes: Vec<u32>,
        /// How many.
        count: u32,
        /// How many came.
        here: u32,
    },
    /// Lanes of the quad that are not active.
    InactiveQuad {
        /// They.
        lanes: Vec<u32>,
    },
    /// The lane that was read.
    Inactive {
        /// Its index in the quad or wave.
        index: u32,
        /// How many lanes the quad or wave has.
        of: u32,
        /// Its number, where there is such a lane.
        lane: Option<u32>,
    },
}

/// Lanes that are listed at most.
pub const LISTED: usize = 8;

/// How an access is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutOfRange {
    /// It begins at this byte and the memory ends before its end.
    Byte {
        /// Where it begins.
        at: u64,
        /// Bytes of the access.
        bytes: u32,
        /// Bytes of the memory.
        size: u64,
    },
    /// It is of a structure past the last.
    Structure {
        /// Which.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// Its offset leaves its structure.
    Field {
        /// The offset in the structure, in bytes.
        offset: u64,
        /// Bytes of the access.
        bytes: u32,
        /// Bytes of the structure.
        stride: u64,
    },
    /// It is of an element past the last.
    Element {
        /// Which.
        index: u64,
        /// How many there are.
        length: u64,
    },
    /// It is of a texel outside.
    Texel {
        /// Its coordinates.
        at: [u32; 3],
        /// Texels along each coordinate.
        extent: [u32; 3],
    },
    /// It is of a level that is not there.
    Level {
        /// Which.
        level: u32,
        /// How many there are.
        levels: u32,
    },
    /// It is of a resource that is not there.
    Binding {
        /// Which.
        index: u32,
        /// How many there are.
        count: u32,
    },
    /// It is of a sample that is not there.
    Sample {
        /// Which.
        sample: u32,
        /// How many there are.
        samples: u32,
    },
}

/// How a lane touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Touching {
    /// It loads.
    Load,
    /// It stores.
    Store,
    /// It does an atomic.
    Atomic(AtomicOp),
}

/// Two lanes on one place with no barrier between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The place.
    pub at: At,
    /// What the event's lane does.
    pub does: Touching,
    /// The bits that it stores, where it does and they are known: of an atomic the operand, of a texel the first component.
    pub bits: Option<u64>,
    /// The bits that were there, as above.
    pub found: Option<u64>,
    /// The other lane.
    pub other: u32,
    /// Which thread that is, in compute programs.
    pub other_thread: Option<Thread>,
    /// The place in the source of what the other lane did.
    pub other_origin: Origin,
    /// What the other lane did.
    pub other_does: Touching,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Byte(at) => write!(f, "byte {at}"),
            At::Element(at) => write!(f, "element {at}"),
            At::Texel([x, y, z]) => write!(f, "texel ({x}, {y}, {z})"),
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfRange::Byte { at, bytes, size } => write!(f, "{bytes} bytes at byte {at} of {size}"),
            OutOfRange::Structure { index, count } => write!(f, "structure {index} of {count}"),
            OutOfRange::Field { offset, bytes, stride } => {
                write!(f, "{bytes} bytes at offset {offset} of a structure of {stride} bytes")
            }
            OutOfRange::Element { index, length } => write!(f, "element {index} of {length}"),
            OutOfRange::Texel { at: [x, y, z], extent: [width, height, depth] } => {
                write!(f, "texel ({x}, {y}, {z}) of {width} x {height} x {depth}")
            }
            OutOfRange::Level { level, levels } => write!(f, "level {level} of {levels}"),
            OutOfRange::Binding { index, count } => write!(f, "index {index}, where {count} are declared or bound"),
            OutOfRange::Sample { sample, samples } => write!(f, "sample {sample} of {samples}"),
        }
    }
}

impl fmt::Display for Touching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Touching::Load => f.write_str("loads"),
            Touching::Store => f.write_str("stores"),
            Touching::Atomic(AtomicOp::Load) => f.write_str("loads atomically"),
            Touching::Atomic(AtomicOp::Store) => f.write_str("stores atomically"),
            Touching::Atomic(op) => write!(f, "does an atomic {op:?}"),
        }
    }
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([gx, gy, gz], [x, y, z]) = (self.group, self.thread);
        write!(f, "thread ({x}, {y}, {z}) of group ({gx}, {gy}, {gz})")
    }
}

impl fmt::Display for MemoryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            Some(element) => write!(f, "{}[{element}]", self.name),
            None => f.write_str(&self.name),
        }
    }
}

fn list(lanes: &[u32], count: u32) -> String {
    let named: Vec<String> = lanes.iter().map(u32::to_string).collect();
    let more = (count as usize).saturating_sub(lanes.len());
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", named.join(", "))
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Facts::None | Facts::Unwritten(None) => Ok(()),
            Facts::Unwritten(Some(at)) => write!(f, "{at}"),
            Facts::OutOfRange(how) => write!(f, "{how}"),
            Facts::Conflict(conflict) => {
                write!(f, "{}: lane {} {} it", conflict.at, conflict.other, conflict.other_does)
            }
            Facts::Missing { lanes, count, here } => {
                write!(f, "{count} of {} lanes are elsewhere: {}", here + count, list(lanes, *count))
            }
            Facts::InactiveQuad { lanes } => {
                write!(f, "{} of 4 lanes of the quad are active, not {}", 4 - lanes.len(), list(lanes, lanes.len() as u32))
            }
            Facts::Inactive { index, of, lane: Some(lane) } => write!(f, "lane {lane}, the one of index {index} among {of}"),
            Facts::Inactive { index, of, lane: None } => write!(f, "index {index} among {of} lanes"),
        }
    }
}
