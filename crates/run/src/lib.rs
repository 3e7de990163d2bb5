//! Cases, and the lane machine that runs programs on them exactly.

pub mod case;
pub mod outcome;
pub mod texture;

pub use case::*;
pub use outcome::*;
