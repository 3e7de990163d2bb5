//! What a run gives, how it is asked for, and how it fails.

use crate::case::Binding;
use crate::event::{Event, EventKind, Site};
use gpuproof_number::machine::Machine;
use gpuproof_program::{FunctionId, Op, Origin, Value};

/// Choices of a run that no program and no case makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Operations of lanes (one operation on one lane is a step) before the run is given up.
    pub max_steps: u64,
    /// Bytes that the run may take for registers, arrays, group-shared memory and copies of buffers.
    pub max_memory: u64,
    /// What stands for a value that the API leaves undefined.
    pub undefined: UndefinedChoice,
    /// Where `undefined` holds: at these places alone, in ascending order, and zero at all others; none for everywhere.
    pub sites: Option<Vec<Site>>,
    /// The order of lanes within one operation and of groups; [`Schedule::Canonical`] but for finding what depends on it.
    pub schedule: Schedule,
    /// Where `schedule` holds: for lanes at these places alone, in ascending order, with groups by index; none for everywhere and groups too.
    pub schedule_sites: Option<Vec<Site>>,
    /// The machine whose results approximate operations give; [`Machine::Exact`] gives canonical ones.
    pub machine: Machine,
    /// Whether races are looked for (it costs a shadow of each written memory).
    pub races: bool,
    /// Whether [`Outcome::writers`] are told, which takes `races`.
    pub writers: bool,
    /// How many events are kept in full, besides the first of each kind at each place; further ones are only counted.
    pub max_events: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_steps: 20_000_000_000,
            max_memory: 1 << 30,
            undefined: UndefinedChoice::Zero,
            sites: None,
            schedule: Schedule::Canonical,
            schedule_sites: None,
            machine: Machine::Exact,
            races: true,
            writers: false,
            max_events: 64,
        }
    }
}

/// What stands for an undefined value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefinedChoice {
    /// Zero bits.
    Zero,
    /// Bits that follow from this seed, the place and the lane. They also stand for what the order of lockstep or a choice of the API's would hide:
    ///
    /// * A load that races with a store gives them instead of what it finds. So does an atomic that races with a plain access, and it leaves them.
    /// * A store that races with another store of other bits leaves them. So does one that races with a load before it: it is the load that might have given
    ///   something else, but it is done, and so the race shows in the word. Loads that came first, and what was made of them, stay as they are, and
    ///   so does a race that is not looked for ([`Options::races`]).
    /// * An access out of range of clamped bounds goes to any element of the memory or to none: a load or an atomic gives what is there or 0, a store is dropped.
    /// * A store or atomic of undefined bounds outside a group-shared memory leaves them in all of its group's memories (D3D11.3 22.4.11, 22.17.8),
    ///   which takes a step for each word. What a store past the end of a structure does to its buffer is not shown: it is dropped.
    /// * A sample whose implicit level has no quad takes any level.
    ///
    /// A barrier that not all lanes reach acts as always; the event alone tells.
    Seeded(u64),
}

/// In which order lanes and groups come where operations of several touch the same memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Groups by index, one after another; lanes by index within one operation.
    Canonical,
    /// Both backwards.
    Reversed,
    /// Both permuted by this seed.
    Permuted(u64),
}

/// What a run gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// How many lanes ran.
    pub lanes: u32,
    /// For each [`OutputId`](gpuproof_program::OutputId) what the lanes wrote.
    pub outputs: Vec<OutputValues>,
    /// For each [`ResourceId`](gpuproof_program::ResourceId) that the program writes, what is bound to it afterwards; empty for others.
    pub resources: Vec<Vec<Binding>>,
    /// For the same resources and elements, a bit for each 32-bit word of a buffer (bit 0 of byte 0 for the first): whether what was stored there last was made by
    /// a float operation. Empty where nothing was stored.
    pub float_words: Vec<Vec<Vec<u8>>>,
    /// For the same resources and elements, which lane wrote last to each place; empty where [`Options::writers`] does not ask for it.
    pub writers: Vec<Vec<Writers>>,
    /// For a pixel program, whether each lane still counts: no helper, not discarded. Empty for other stages.
    pub live: Vec<bool>,
    /// What happened that the API leaves undefined, in order of operation, group and lane.
    pub events: Vec<Event>,
    /// How many events there were, kept or not.
    pub event_count: u64,
    /// How many of each kind at each place, by place.
    pub event_counts: Vec<EventCount>,
    /// Steps taken.
    pub steps: u64,
    /// About what it cost, in steps of arithmetic: a lookup of a texture counts for many.
    pub effort: u64,
}

/// Which lane wrote last to each place of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writers {
    /// Bytes of a place of a buffer; 0 where places are texels, those of a texture's first level.
    pub bytes: u32,
    /// For each place one more than the lane, 0 where none wrote. Places behind the last that was written may be missing.
    pub lanes: Vec<u32>,
}

/// What the lanes wrote to one output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputValues {
    /// x, y, z, w: one word a lane; empty where the component does not exist.
    pub components: [Vec<u32>; 4],
    /// For each lane, bits 0 to 3 tell which components were written, bits 4 to 7 which of them a float operation made.
    pub written: Vec<u8>,
}

/// How often something undefined happened at a place: a kind, at a line of the source, by a choice of this site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventCount {
    /// The place, as [`Event::site`].
    pub site: Site,
    /// What.
    pub kind: EventKind,
    /// The place in the source.
    pub origin: Origin,
    /// How often.
    pub count: u64,
}

/// An operation whose result depends on the order of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderSite {
    /// What [`Options::schedule_sites`] names.
    pub site: Site,
    /// The place in the source.
    pub origin: Origin,
    /// What it does.
    pub op: Op,
}

/// Why a run gives nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The case does not fit the program.
    #[error("the case does not fit the program: {0}")]
    BadCase(String),
    /// The executor has no lanes of this stage.
    #[error("running a {} program is not supported", format!("{:?}", .0).to_lowercase())]
    Stage(gpuproof_program::Stage),
    /// The executor does not do this.
    #[error("not supported by this executor: {what} at {place}")]
    Unsupported {
        /// The operation or feature.
        what: String,
        /// Where in the source.
        place: String,
    },
    /// The budget of steps ran out.
    #[error("gave up after {steps} steps at {place}{}: the program may loop forever (the limit can be raised)", loops(.iterations, *.lanes, *.lane))]
    StepLimit {
        /// Steps taken.
        steps: u64,
        /// Where in the source: of the innermost loop, if lanes are in one.
        place: String,
        /// How often each loop there has gone round, outermost first.
        iterations: Vec<u32>,
        /// How many lanes are still there.
        lanes: u32,
        /// The first of them.
        lane: u32,
    },
    /// The run would take more memory than allowed.
    #[error("needs {needed} bytes for {what}, more than the limit of {limit}")]
    MemoryLimit {
        /// For what.
        what: String,
        /// How much.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The program breaks a rule of its representation: a fault of its reader.
    #[error("a fault of gpuproof: {0}")]
    Fault(String),
}

/// Who is where when the steps ran out.
fn loops(iterations: &[u32], lanes: u32, lane: u32) -> String {
    let Some(innermost) = iterations.last() else { return String::new() };
    let others = if lanes > 1 { format!(" and {} more", lanes - 1) } else { String::new() };
    format!(", where lane {lane}{others} went round {innermost} times")
}

/// Sees values as they are made.
pub trait Observer {
    /// Whether to be told of this value. Asked once, before the run.
    fn wants(&self, function: FunctionId, value: Value) -> bool;
    /// A value was made on some lanes.
    fn value(&mut self, observed: &Observed<'_>);
    /// Whether this value may be replaced as it is made. Asked once, before the run of a plan that
    /// [`Plan::compile_for_substitution`](crate::Plan::compile_for_substitution) made; other plans replace nothing.
    fn replaces(&self, _function: FunctionId, _value: Value) -> bool {
        false
    }
    /// Puts other bits for a value on active lanes into `bits`, an element a lane, which holds those that were made (truth values as 0 and 1); false when all stay. What
    /// uses the value then uses these, and [`Observer::value`] is shown them. What is put in for lanes that are not active is ignored.
    fn replace(&mut self, _observed: &Observed<'_>, _bits: &mut [u64]) -> bool {
        false
    }
}

/// A value as it was made, on the lanes of one row.
#[derive(Debug)]
pub struct Observed<'a> {
    /// The function.
    pub function: FunctionId,
    /// The value.
    pub value: Value,
    /// How often each enclosing loop has gone round, outermost first, through calls too, for these lanes' strand.
    pub iterations: &'a [u32],
    /// The lane number of each element.
    pub first_lane: u32,
    /// Which elements are active: bit i of word i / 64 for element i.
    pub active: &'a [u64],
    /// The bits of each element, active or not.
    pub bits: RowBits<'a>,
}

/// The bits of a row.
#[derive(Clone, Copy, Debug)]
pub enum RowBits<'a> {
    /// Up to 32 bits each.
    Words(&'a [u32]),
    /// 64 bits each, as low and high words.
    Doubles(&'a [u32], &'a [u32]),
}
