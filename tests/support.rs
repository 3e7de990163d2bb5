//! What the test drivers share.

#[path = "rows/assembler.rs"]
pub mod assembler;
#[path = "rows/format.rs"]
pub mod rows;
