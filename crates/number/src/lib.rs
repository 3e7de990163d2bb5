//! Bit patterns and arithmetic: formats, roundings, correctly rounded functions.

pub mod convert;
mod double_double;
pub mod float16;
pub mod float32;
pub mod float64;
pub mod functions;
pub mod inverse;
mod rules;
mod soft;
mod tables;

pub use rules::{Denormals, Division, MinMax, OutOfRange, Rounding};
