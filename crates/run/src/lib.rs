//! Cases, and the lane machine that runs programs on them exactly.

pub mod case;
pub mod machine;
pub mod outcome;
pub mod texture;

pub use case::*;
pub use machine::Plan;
pub use outcome::*;
