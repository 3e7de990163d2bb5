//! Bit patterns and arithmetic: formats, roundings, correctly rounded functions.
//!
//! # Canonical results
//!
//! Specifications of GPU languages fix a *set* of results for most operations: within so many units in the last place, fused or not,
//! denormals kept or not. This crate computes one member of the set, the **canonical** one, the same on every host:
//!
//! * A primitive operation is **correctly rounded**, to nearest even unless it carries another [`Rounding`]. That includes exp2, log2, sin, cos, rsqrt,
//!   exp, log ([`functions`]) and asin, acos, atan, atan2 ([`inverse`]).
//! * What the specification gives as an expression is that expression, each step rounded: Direct3D's `mad` is a multiplication and then an
//!   addition, dot products go serially from x to w, and WGSL's derived builtins are listed in [`wgsl`].
//! * Arithmetic gives one **NaN**: 0x7fc00000, 0x7ff8000000000000 and 0x7e00 ([`float32::NAN`], [`float64::NAN`], [`float16::NAN`]).
//!   Operations on bits (`abs`, `neg`, a literal `min`, reading a 32-bit texel) do not touch a NaN's bits.
//! * **Denormals** are a choice of each f32 operation, [`Denormals`]: Direct3D flushes operands and results to a zero of their sign; WGSL may, and
//!   is read here as keeping them. f16 and f64 keep them always. What is flushed of a result is what is denormal *after* rounding.
//!
//! What else a specification allows is in [`allowed`].
//!
//! # Patterns, not values
//!
//! Functions take and give bit patterns (`u16`, `u32`, `u64`), signed integers too, because registers have no type and because a float passed
//! by value may lose its NaN's bits. Every rule an operation needs ([`MinMax`], [`Division`], [`OutOfRange`], ...) is an argument; with a
//! constant one the functions are branch-free enough to be vectorised in a loop.
//!
//! # Host independence
//!
//! Only IEEE 754 additions, multiplications, divisions, square roots and roundings of f32 and f64 and integer operations are used. Rust never contracts
//! `a * b + c`, and nothing here asks what the processor can do; single-rounded `fma` is emulated. Where a processor has no instruction for
//! floor, trunc or rounding to even, the compiler may call a library for them, but these are exact and cannot differ.
//! (32-bit x86 without SSE2, which keeps f64 in wider registers, is not supported.) The functions are this crate's own because existing
//! pure Rust ones choose fused instructions at run time, with other last bits on hosts with and without them.

pub mod allowed;
pub mod convert;
mod double_double;
pub mod float16;
pub mod float32;
pub mod float64;
pub mod format;
pub mod functions;
pub mod int;
pub mod inverse;
pub mod machine;
pub mod pack;
mod rules;
mod soft;
mod tables;
pub mod wgsl;

pub use rules::{Denormals, Division, MinMax, OutOfRange, Rounding};
