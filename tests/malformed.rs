//! Bad input: files that are wrong in one known way, with the errors that they give, and hostile inputs by the ten thousand.

#[path = "malformed/case.rs"]
mod case;
#[path = "malformed/code.rs"]
mod code;
#[path = "malformed/dxbc.rs"]
mod dxbc;
#[path = "malformed/files.rs"]
mod files;
#[path = "malformed/growth.rs"]
mod growth;
#[path = "malformed/harness.rs"]
mod harness;
#[path = "malformed/mutate.rs"]
mod mutate;
#[path = "malformed/spirv.rs"]
mod spirv;
#[path = "malformed/text.rs"]
mod text;
#[path = "malformed/wgsl.rs"]
mod wgsl;

/// Counts what is allocated, so that the memory of a reader can be held to a bound.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;
