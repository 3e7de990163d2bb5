//! Holds one program against another by execution.
//!
//! [`verify()`] does the whole job: it *binds* the two interfaces ([`bind`]), makes *cases* from the programs themselves ([`cases`]), runs both on
//! them, *compares* word by word ([`mod@compare`]), and where they differ *explains* what the
//! specifications allow ([`explain`]) and *locates* the operation at which the rest parts ([`locate`]). What it
//! found is [`Evidence`], a value to be saved and shown.
//!
//! The port may only do what the original may do, and only what was executed is said: a comparison that never reached an output is
//! inconclusive, not good. This crate does no input or output; programs, maps, cases and evidence are values.
#![deny(missing_docs)]

pub mod adequacy;
pub mod bind;
pub mod cases;
mod check;
pub mod compare;
pub mod edit;
pub mod evidence;
pub mod explain;
mod facts;
#[cfg(test)]
mod fixture;
mod flow;
mod formula;
pub mod lint;
pub mod locate;
pub mod measured;
pub mod pictures;
mod random;
pub mod trace;
mod verify;

pub use check::{Check, CheckError, CheckedFormula, check};
pub use evidence::Evidence;
pub use formula::{FormulaError, Tolerance};
pub use verify::{Partial, Progress, ProveError, Settings, Side, Subject, Verification, case, verify};
