//! Models of real machines: what their approximate operations give, to the bit where that is known.
//!
//! A model answers for a [`Function`] and an operand with a [`Knowledge`]: the very bits, a range that was observed around the correctly rounded result, or
//! nothing. It never guesses: what is not known is said to be not known, and whoever runs a program on the model goes on with the
//! canonical result then, and says so. How each was established is written in `docs/machines`.
//!
//! Operations that are no [`Function`] (sums, products, comparisons) are taken to be as IEEE 754 has them on every machine.

mod lavapipe;
pub mod nvidia_sm90;
mod warp;

use crate::{Denormals, Rounding, convert, float32, functions, wgsl};
use std::fmt;
use std::str::FromStr;

/// A machine whose results a run can take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Machine {
    /// None: every result is canonical.
    #[default]
    Exact,
    /// An NVIDIA H200, by the instructions that PTX calls `.approx`: bits.
    NvidiaSm90,
    /// Mesa's software Vulkan: ranges.
    Lavapipe,
    /// Microsoft's software Direct3D: ranges.
    Warp,
}

/// An operation on one 32-bit number whose result a specification leaves room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// 1 / x.
    Rcp,
    /// 1 / sqrt(x).
    Rsqrt,
    /// The square root.
    Sqrt,
    /// 2^x.
    Exp2,
    /// The logarithm of base 2.
    Log2,
    /// e^x.
    Exp,
    /// The natural logarithm.
    Log,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The hyperbolic tangent, as one instruction. No operation of a program is that: WGSL's `tanh` is an expression.
    Tanh,
    /// The float of an unsigned integer.
    FromUnsigned,
}

/// What is known of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Its bits.
    Bits(u32),
    /// It is not below the first nor above the second, as f32: what was observed, which is no promise.
    Range {
        /// The bits of the lowest result.
        low: u32,
        /// The bits of the highest result.
        high: u32,
    },
    /// Nothing.
    Nothing,
}

/// How much is known of a function at best, over all operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// Bits, for every operand.
    Bits,
    /// A range, for some operands at least.
    Range,
    /// Nothing.
    Nothing,
}

impl Machine {
    /// All of them.
    pub const ALL: [Machine; 4] = [Machine::Exact, Machine::NvidiaSm90, Machine::Lavapipe, Machine::Warp];

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Machine::Exact => "exact",
            Machine::NvidiaSm90 => "nvidia-sm90",
            Machine::Lavapipe => "lavapipe",
            Machine::Warp => "warp",
        }
    }

    /// What is known of the result for this operand, where the operation treats denormals so.
    pub fn knows(self, function: Function, x: u32, denormals: Denormals) -> Knowledge {
        match self {
            Machine::Exact => Knowledge::Bits(function.canonical(x, denormals)),
            Machine::NvidiaSm90 => Knowledge::Bits(nvidia_sm90::result(function, x, denormals)),
            Machine::Lavapipe => lavapipe::knows(function, x, denormals),
            Machine::Warp => warp::knows(function, x, denormals),
        }
    }

    /// How much is known of a function.
    pub fn extent(self, function: Function) -> Extent {
        match (self, function) {
            (Machine::Exact, _) => Extent::Bits,
            (Machine::NvidiaSm90, _) => Extent::Bits,
            (Machine::Lavapipe, function) => lavapipe::extent(function),
            (Machine::Warp, function) => warp::extent(function),
        }
    }

    /// How its approximate operations in shaders treat denormals, where the operation says this: an H200's flush, which WGSL allows and Direct3D demands.
    pub fn in_shaders(self, denormals: Denormals) -> Denormals {
        if self == Machine::NvidiaSm90 { Denormals::Flush } else { denormals }
    }

    /// A quotient of a shader as far as it is known, with how much is known of quotients; else the canonical one.
    pub fn quotient(self, x: u32, y: u32, denormals: Denormals) -> (u32, Extent) {
        match self {
            Machine::Exact => (float32::div(x, y, denormals), Extent::Bits),
            Machine::NvidiaSm90 => (nvidia_sm90::div(x, y), Extent::Bits),
            Machine::Lavapipe | Machine::Warp => (float32::div(x, y, denormals), Extent::Nothing),
        }
    }

    /// The bits if they are known, else the canonical result.
    #[inline]
    pub fn result(self, function: Function, x: u32, denormals: Denormals) -> u32 {
        match self.knows(function, x, denormals) {
            Knowledge::Bits(bits) => bits,
            Knowledge::Range { .. } | Knowledge::Nothing => function.canonical(x, denormals),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no machine's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMachine(String);

impl fmt::Display for UnknownMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no machine is called {:?}: there are {}", self.0, Machine::ALL.map(Machine::name).join(", "))
    }
}

impl std::error::Error for UnknownMachine {}

impl FromStr for Machine {
    type Err = UnknownMachine;

    fn from_str(name: &str) -> Result<Machine, UnknownMachine> {
        Machine::ALL.into_iter().find(|machine| machine.name() == name).ok_or_else(|| UnknownMachine(name.to_string()))
    }
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 11] = [
        Function::Rcp,
        Function::Rsqrt,
        Function::Sqrt,
        Function::Exp2,
        Function::Log2,
        Function::Exp,
        Function::Log,
        Function::Sin,
        Function::Cos,
        Function::Tanh,
        Function::FromUnsigned,
    ];

    /// The result without any machine. Of [`Function::Tanh`] that is the expression of WGSL 17.5.80, which keeps denormals.
    pub fn canonical(self, x: u32, denormals: Denormals) -> u32 {
        match self {
            Function::Rcp => float32::rcp(x, denormals),
            Function::Rsqrt => functions::rsqrt(x, denormals),
            Function::Sqrt => float32::sqrt(x, denormals),
            Function::Exp2 => functions::exp2(x, denormals),
            Function::Log2 => functions::log2(x, denormals),
            Function::Exp => functions::exp(x, denormals),
            Function::Log => functions::log(x, denormals),
            Function::Sin => functions::sin(x, denormals),
            Function::Cos => functions::cos(x, denormals),
            Function::Tanh => wgsl::tanh(x),
            Function::FromUnsigned => convert::u32_to_f32(x, Rounding::NearestEven),
        }
    }
}

/// The float that is `steps` above, or below, a finite one; there is one zero, and beyond the largest finite float is no further.
fn step(bits: u32, steps: i32) -> u32 {
    let ordered = if bits >> 31 == 0 { bits as i32 } else { -((bits & 0x7fff_ffff) as i32) };
    let moved = ordered.saturating_add(steps).clamp(-0x7f7f_ffff, 0x7f7f_ffff);
    if moved < 0 { moved.unsigned_abs() | 1 << 31 } else { moved as u32 }
}

/// So many floats around a finite result.
fn within_steps(canonical: u32, steps: i32) -> Knowledge {
    Knowledge::Range { low: step(canonical, -steps), high: step(canonical, steps) }
}

/// So far around a result, which is correctly rounded: the ends take in the float that the true end lies next to.
fn within_distance(canonical: u32, distance: f64) -> Knowledge {
    let value = f64::from(f32::from_bits(canonical));
    // The true value is within half a step of the canonical one, and rounding an end takes at most another half.
    let end = |end: f64, steps| step((end as f32).to_bits(), steps);
    Knowledge::Range { low: end(value - distance, -1), high: end(value + distance, 1) }
}
