//! Passes over one function that keep what it computes and make it plainer: calls put in, arms that fall through as choices, masks as truth values,
//! and what nothing depends on left out. What is written for people begins with them.

pub mod inline;
pub mod slice;
pub mod truth;
pub mod unfold;

pub use inline::{TooLarge, inlined};
pub use slice::{operations, slice};
pub use truth::with_truth_values;
pub use unfold::unfolded;
