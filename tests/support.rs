//! What the test drivers share.

#[path = "rows/assembler.rs"]
pub mod assembler;
pub mod inputs;
pub mod programs;
#[path = "rows/format.rs"]
pub mod rows;
