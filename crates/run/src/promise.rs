//! What each API promises of what it leaves undefined: one table, which texts and `docs/undefined.md` come from.

use crate::event::{Event, EventKind, MemoryKind};
use gpuproof_program::Dialect;
use std::fmt::Write;

/// What an API says of a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The kind.
    pub kind: EventKind,
    /// The dialect whose API it is.
    pub dialect: Dialect,
    /// The kinds of memory that it holds for; all, and none, where empty.
    pub memories: &'static [MemoryKind],
    /// What it promises, as what follows "D3D11 promises".
    pub promise: &'static str,
    /// The section of the specification: of the Direct3D 11.3 functional specification by number, of WGSL and Vulkan by title.
    pub section: &'static str,
    /// What a run with [`UndefinedChoice::Zero`](crate::UndefinedChoice::Zero) does.
    pub canonical: &'static str,
}

/// What is to be done about a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The kind.
    pub kind: EventKind,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What to do.
    pub help: &'static str,
}

use EventKind::{
    AtomicOutOfRange, CollidingStores, DivergentBarrier, DivergentDerivative, HelperAtomic, InactiveLane, LoadOutOfRange,
    NeverWritten, NoSuchBinding, Race, StoreOutOfRange,
};
use MemoryKind::{Array, GroupShared, Register, Structured, Texture, TypedBuffer};

const D3D11: Dialect = Dialect::D3D11;
const WGSL: Dialect = Dialect::Wgsl;
const VULKAN: Dialect = Dialect::Vulkan;

const fn row(
    kind: EventKind,
    dialect: Dialect,
    memories: &'static [MemoryKind],
    promise: &'static str,
    section: &'static str,
    canonical: &'static str,
) -> Promise {
    Promise { kind, dialect, memories, promise, section, canonical }
}

/// All promises. The first row that fits an event is its own.
pub const PROMISES: &[Promise] = &[
    row(
        NeverWritten,
        D3D11,
        &[Register],
        "nothing of what a temporary register holds before it is written",
        "22.3 dcl_temps",
        "0",
    ),
    row(
        NeverWritten,
        D3D11,
        &[Array],
        "nothing of what an indexable register holds before it is written",
        "22.3.36 dcl_indexableTemp",
        "0",
    ),
    row(
        NeverWritten,
        D3D11,
        &[GroupShared],
        "nothing of what group-shared memory holds when a group starts",
        "22.3 dcl_tgsm_raw, dcl_tgsm_structured",
        "0",
    ),
    row(
        NeverWritten,
        WGSL,
        &[],
        "zero in every variable that has no initializer, so only its reader's own values can be unwritten",
        "Variable and value declarations",
        "0",
    ),
    row(
        NeverWritten,
        VULKAN,
        &[],
        "nothing of what a variable without an initializer, or workgroup memory, holds before it is written",
        "SPIR-V, Undefined values: OpUndef, OpVariable",
        "0",
    ),
    row(
        LoadOutOfRange,
        D3D11,
        &[Array],
        "nothing of a read past the end of an indexable register",
        "22.3.36 dcl_indexableTemp",
        "0",
    ),
    row(
        LoadOutOfRange,
        D3D11,
        &[GroupShared],
        "nothing of a read outside group-shared memory",
        "22.4.10 ld_raw, 22.4.12 ld_structured",
        "0",
    ),
    row(
        LoadOutOfRange,
        D3D11,
        &[Structured],
        "0 for a structure past the last, but nothing where the offset leaves the structure",
        "22.4.12 ld_structured",
        "0",
    ),
    row(
        LoadOutOfRange,
        D3D11,
        &[Texture],
        "0 for a texel outside, but nothing for a sample that the texture does not have",
        "22.4.7 ld2dms",
        "0",
    ),
    row(LoadOutOfRange, D3D11, &[], "0 for a read out of range", "22.4.6 ld, 22.4.10 ld_raw", "0"),
    row(
        LoadOutOfRange,
        WGSL,
        &[Texture, TypedBuffer],
        "some texel of the texture, or zeros, or (0, 0, 0, 1)",
        "textureLoad",
        "zeros, or the nearest texel",
    ),
    row(
        LoadOutOfRange,
        WGSL,
        &[],
        "a value from somewhere in the same memory, or zero",
        "Invalid memory references",
        "the last element",
    ),
    row(
        LoadOutOfRange,
        VULKAN,
        &[Texture, TypedBuffer],
        "nothing of a texel outside; with robustImageAccess2 zeros, with robustImageAccess zeros or (0, 0, 0, 1)",
        "Texel Replacement; features robustImageAccess, robustImageAccess2",
        "zeros",
    ),
    row(
        LoadOutOfRange,
        VULKAN,
        &[Array, GroupShared],
        "nothing of a read past the end of a variable",
        "SPIR-V, OpAccessChain: indices must be in bounds",
        "0",
    ),
    row(
        LoadOutOfRange,
        VULKAN,
        &[],
        "nothing of a read past the end of a buffer; with robustBufferAccess a value of the bound memory or zero, with robustBufferAccess2 zero",
        "Robustness; features robustBufferAccess, robustBufferAccess2",
        "0",
    ),
    row(
        StoreOutOfRange,
        D3D11,
        &[Array],
        "nothing of a write past the end of an indexable register",
        "22.3.36 dcl_indexableTemp",
        "dropped",
    ),
    row(
        StoreOutOfRange,
        D3D11,
        &[GroupShared],
        "nothing of all of the group's shared memory after a write outside it",
        "22.4.11 store_raw, 22.4.13 store_structured",
        "dropped",
    ),
    row(
        StoreOutOfRange,
        D3D11,
        &[Structured],
        "that a write past the last structure is dropped, but nothing where the offset leaves the structure",
        "22.4.13 store_structured",
        "dropped",
    ),
    row(
        StoreOutOfRange,
        D3D11,
        &[],
        "that a write out of range is dropped",
        "22.4.9 store_uav_typed, 22.4.11 store_raw",
        "dropped",
    ),
    row(
        StoreOutOfRange,
        WGSL,
        &[Texture, TypedBuffer],
        "that nothing is stored, or to some texel of the texture",
        "textureStore",
        "to the nearest texel",
    ),
    row(
        StoreOutOfRange,
        WGSL,
        &[],
        "a store to somewhere in the same memory, or none",
        "Invalid memory references",
        "to the last element",
    ),
    row(
        StoreOutOfRange,
        VULKAN,
        &[Texture, TypedBuffer],
        "that a write outside the image does nothing",
        "Texel Output Coordinate Validation",
        "dropped",
    ),
    row(
        StoreOutOfRange,
        VULKAN,
        &[Array, GroupShared],
        "nothing after a write past the end of a variable",
        "SPIR-V, OpAccessChain: indices must be in bounds",
        "dropped",
    ),
    row(
        StoreOutOfRange,
        VULKAN,
        &[],
        "nothing after a write past the end of a buffer; with robustBufferAccess it changes the bound memory or nothing, with robustBufferAccess2 nothing",
        "Robustness; features robustBufferAccess, robustBufferAccess2",
        "dropped",
    ),
    row(
        AtomicOutOfRange,
        D3D11,
        &[GroupShared],
        "nothing of all of the group's shared memory after an atomic outside it, nor of the value that it returns",
        "22.17.8 atomic_and and after",
        "dropped, and gives 0",
    ),
    row(
        AtomicOutOfRange,
        D3D11,
        &[Structured],
        "that an atomic past the last structure changes nothing, but nothing of the value that it returns, nor of one whose offset leaves the structure",
        "22.17.8 atomic_and and after",
        "dropped, and gives 0",
    ),
    row(
        AtomicOutOfRange,
        D3D11,
        &[],
        "that memory stays as it is, but nothing of the value that the atomic returns",
        "22.17.8 atomic_and and after",
        "dropped, and gives 0",
    ),
    row(
        AtomicOutOfRange,
        WGSL,
        &[],
        "an atomic on somewhere in the same memory, or none and some value of it or zero",
        "Invalid memory references",
        "on the last element",
    ),
    row(
        AtomicOutOfRange,
        VULKAN,
        &[],
        "nothing after an atomic out of range; with robustBufferAccess2 it changes nothing and gives an undefined value",
        "Robustness; features robustBufferAccess, robustBufferAccess2",
        "dropped, and gives 0",
    ),
    row(
        Race,
        D3D11,
        &[],
        "no order between lanes without a barrier that waits (sync with _t, and _g or _u for the memory), and none between groups",
        "22.17.7 sync",
        "lockstep: lanes by index, operation by operation",
    ),
    row(
        Race,
        WGSL,
        &[],
        "no order between invocations without a barrier for the memory's address space, and none between workgroups; a data race is a dynamic error",
        "Memory model",
        "lockstep: invocations by index, operation by operation",
    ),
    row(
        Race,
        VULKAN,
        &[],
        "no order between invocations that no synchronisation makes, and none between workgroups; a data race is undefined behaviour",
        "Memory Model: Data Races",
        "lockstep: invocations by index, operation by operation",
    ),
    row(
        CollidingStores,
        D3D11,
        &[],
        "no order between lanes without a barrier that waits, so any of the stored values may stay",
        "22.17.7 sync",
        "the last lane's",
    ),
    row(
        CollidingStores,
        WGSL,
        &[],
        "no order between invocations; a data race is a dynamic error",
        "Memory model",
        "the last invocation's",
    ),
    row(
        CollidingStores,
        VULKAN,
        &[],
        "no order between invocations; a data race is undefined behaviour",
        "Memory Model: Data Races",
        "the last invocation's",
    ),
    row(
        DivergentBarrier,
        D3D11,
        &[],
        "nothing of a sync that waits (_t) in flow control that is not uniform in the group",
        "22.17.7 sync",
        "lanes that are there go on",
    ),
    row(
        DivergentBarrier,
        WGSL,
        &[],
        "nothing of a barrier in control flow that is not uniform in the workgroup, which is an error of the program",
        "Uniformity",
        "invocations that are there go on",
    ),
    row(
        DivergentBarrier,
        VULKAN,
        &[],
        "nothing of an OpControlBarrier that not all invocations of its scope come to",
        "SPIR-V, OpControlBarrier",
        "invocations that are there go on",
    ),
    row(
        DivergentDerivative,
        D3D11,
        &[],
        "nothing of a derivative where pixels of the quad took another way",
        "22.5.2 deriv_rtx_coarse and after",
        "0; level 0",
    ),
    row(
        DivergentDerivative,
        WGSL,
        &[],
        "an indeterminate value of a derivative in control flow that is not uniform",
        "Derivative built-in functions",
        "0; level 0",
    ),
    row(
        DivergentDerivative,
        VULKAN,
        &[],
        "nothing of a derivative in control flow that is not uniform in the quad",
        "SPIR-V, Derivative Instructions",
        "0; level 0",
    ),
    row(
        InactiveLane,
        D3D11,
        &[],
        "nothing of a value read from a lane that is not active",
        "none: Shader Model 5 has no such operation",
        "0",
    ),
    row(
        InactiveLane,
        WGSL,
        &[],
        "an indeterminate value read from an invocation that is not active or does not exist",
        "Subgroup and quad built-in functions",
        "0",
    ),
    row(
        InactiveLane,
        VULKAN,
        &[],
        "nothing of a value read from an invocation that is not active",
        "SPIR-V, OpGroupNonUniformShuffle, OpGroupNonUniformBroadcast",
        "0",
    ),
    row(
        HelperAtomic,
        D3D11,
        &[],
        "that a helper's atomic changes nothing, but nothing of the value that it returns",
        "22.17.8 atomic_and and after",
        "dropped, and gives 0",
    ),
    row(
        HelperAtomic,
        WGSL,
        &[],
        "that a helper's atomic changes nothing, but an indeterminate value that it returns",
        "Discard",
        "dropped, and gives 0",
    ),
    row(
        HelperAtomic,
        VULKAN,
        &[],
        "that a helper invocation's atomic changes nothing, but nothing of the value that it returns",
        "Helper Invocations",
        "dropped, and gives 0",
    ),
    row(
        NoSuchBinding,
        D3D11,
        &[],
        "nothing of an index that names no declared resource or sampler",
        "7.11 resource indexing",
        "the first one, or nothing bound",
    ),
    row(NoSuchBinding, WGSL, &[], "nothing: WGSL has no arrays of resources without an extension", "none", "nothing bound"),
    row(
        NoSuchBinding,
        VULKAN,
        &[],
        "nothing of an index outside an array of descriptors",
        "Descriptor Sets: valid descriptor indices",
        "the first one, or nothing bound",
    ),
];

/// What to do, by kind in order.
pub const ADVICE: &[Advice] = &[
    Advice { kind: NeverWritten, title: "a value is used that nothing wrote", help: "write it on every way that leads here" },
    Advice { kind: LoadOutOfRange, title: "a load is out of range", help: "test the index first, or clamp it" },
    Advice { kind: StoreOutOfRange, title: "a store is out of range", help: "test the index first" },
    Advice {
        kind: AtomicOutOfRange,
        title: "an atomic is out of range",
        help: "test the index first; where it is out of range on purpose, do not use what the atomic returns",
    },
    Advice {
        kind: Race,
        title: "two lanes touch one place with no barrier between",
        help: "put a barrier that waits between the two, or make both atomic; a fence that only orders memory is not enough, and between groups no barrier is",
    },
    Advice {
        kind: CollidingStores,
        title: "two lanes store different bits to one place",
        help: "let one lane store, give each lane its own place, or use an atomic",
    },
    Advice {
        kind: DivergentBarrier,
        title: "not all lanes of the group come to a barrier",
        help: "move the barrier out of the condition or loop",
    },
    Advice {
        kind: DivergentDerivative,
        title: "a derivative where lanes of the quad are not active",
        help: "take the derivative, or sample, before the condition, or give the level or the gradients",
    },
    Advice {
        kind: InactiveLane,
        title: "a lane is read that is not active",
        help: "read it where all lanes that are read are active",
    },
    Advice {
        kind: HelperAtomic,
        title: "a helper's atomic gives an undefined value",
        help: "do not use what an atomic of a pixel program returns for outputs or derivatives that helpers feed",
    },
    Advice {
        kind: NoSuchBinding,
        title: "an index names no resource or sampler",
        help: "keep the index within what is declared and bound",
    },
];

impl EventKind {
    /// What is to be done about it.
    pub fn advice(self) -> &'static Advice {
        // A test holds the table to one row a kind, in order.
        &ADVICE[self as usize]
    }

    /// Whether it is about an order between lanes, which other undefined values do not show.
    pub fn is_between_lanes(self) -> bool {
        matches!(self, Race | CollidingStores | DivergentBarrier)
    }
}

/// What a dialect's API promises of a kind of event on a kind of memory.
pub fn promise(kind: EventKind, memory: Option<MemoryKind>, dialect: Dialect) -> Option<&'static Promise> {
    PROMISES.iter().find(|promise| {
        let fits = promise.memories.is_empty() || memory.is_some_and(|memory| promise.memories.contains(&memory));
        promise.kind == kind && promise.dialect == dialect && fits
    })
}

impl Event {
    /// What the dialect's API promises of it.
    pub fn promise(&self, dialect: Dialect) -> Option<&'static Promise> {
        promise(self.kind, self.memory.as_ref().map(|memory| memory.kind), dialect)
    }
}

/// The API's name.
pub fn api(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::D3D11 => "D3D11",
        Dialect::Wgsl => "WGSL",
        Dialect::Vulkan => "Vulkan",
    }
}

/// The page `docs/undefined.md`.
pub fn page() -> String {
    let mut out = String::from(
        "# What is undefined, and what each API promises\n\n\
        Made by `cargo run -p gpuproof-run --example undefined`; do not edit.\n\n\
        `gpuproof run` and `verify` record an event where a program does something of which its API leaves the result open. The run goes on with a stated\n\
        result: the canonical one below, or with `--undefined seed:N` another of those that are allowed. Sections are of the Direct3D 11.3\n\
        functional specification by number, and of the WGSL, Vulkan and SPIR-V specifications by title.\n",
    );
    for advice in ADVICE {
        // Writing to a string does not fail.
        let _ = write!(out, "\n## {:?}\n\nThat {}. Help: {}.\n\n", advice.kind, advice.title, advice.help);
        out.push_str("| API | memory | promises | section | canonical |\n|---|---|---|---|---|\n");
        for row in PROMISES.iter().filter(|row| row.kind == advice.kind) {
            let memories: Vec<String> = row.memories.iter().map(|memory| format!("{memory:?}")).collect();
            let memories = if memories.is_empty() { "any".into() } else { memories.join(", ") };
            let _ =
                writeln!(out, "| {} | {memories} | {} | {} | {} |", api(row.dialect), row.promise, row.section, row.canonical);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{EVENT_KINDS, MEMORY_KINDS};

    #[test]
    fn every_kind_on_every_memory_has_its_rows() {
        assert_eq!(ADVICE.iter().map(|advice| advice.kind).collect::<Vec<_>>(), EVENT_KINDS);
        for kind in EVENT_KINDS {
            for dialect in [D3D11, WGSL, VULKAN] {
                let memories = MEMORY_KINDS.into_iter().map(Some).chain([None]);
                // WGSL has no unwritten memory, and D3D11 none but these three.
                let possible =
                    |memory: &Option<MemoryKind>| kind != NeverWritten || matches!(memory, Some(Register | Array | GroupShared));
                for memory in memories.filter(possible) {
                    assert!(promise(kind, memory, dialect).is_some(), "{kind:?} on {memory:?} of {dialect:?}");
                }
            }
        }
    }

    #[test]
    fn the_page_is_current() {
        let page_there = include_str!("../../../docs/undefined.md");
        assert_eq!(page_there, page(), "cargo run -p gpuproof-run --example undefined");
    }
}
