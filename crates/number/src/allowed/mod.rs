//! The results that a specification allows.
//!
//! A specification of a GPU language fixes a set of results for an operation, of which [the canonical one](crate) is a member. An
//! [`Operation`] names a [`Function`], the types it works on and a [`Permission`] (whose rules, and how they apply to this instruction), and
//! answers two questions from one table of facts ([`Operation::rows`]):
//!
//! * [`Operation::allowed`]: the [`Set`] of results for given operands: whether a result is in it, its bounds, whether nothing is promised, and
//!   the sections that say so.
//! * [`Operation::enclose`]: an [`Enclosure`] of all allowed results for operands anywhere in given intervals, rigorous (endpoints are rounded
//!   outward), to follow sets through several operations.
//!
//! A set is never too small; where a bound falls between two f64 it may be too large by 2^-38 of the result. What a specification gives as an
//! expression (WGSL's pow, mix, length, tan, ...) has no function here: the sets of its parts compose. Reassociation over several operations
//! is no property of one of them: [`Permission::refactor`] says whether it is allowed.
//!
//! **Unbounded** is not "anything is right": it says that no specification decides, so it never excuses a difference.

mod bound;
mod canonical;
mod d3d11;
mod evaluate;
mod facts;
mod format;
mod interval;
pub mod sampling;
mod vulkan;
mod wgsl;

pub use format::{Format, Type};
pub use interval::Interval;

use crate::rules::Rounding;

/// What is computed, apart from formats and rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// a + b.
    Add,
    /// a - b.
    Sub,
    /// a * b.
    Mul,
    /// a / b.
    Div,
    /// a * b + c, fused or not.
    Mad,
    /// a * b + c, rounded once.
    Fma,
    /// a0*b0 + a1*b1; operands a0 a1 b0 b1.
    Dot2,
    /// Sum of three products; operands a0 a1 a2 b0 b1 b2.
    Dot3,
    /// Sum of four products; operands a0 to a3, b0 to b3.
    Dot4,
    /// Square root.
    Sqrt,
    /// 1 / square root.
    Rsqrt,
    /// 1 / a.
    Rcp,
    /// 2^a.
    Exp2,
    /// Base-2 logarithm.
    Log2,
    /// e^a.
    Exp,
    /// Natural logarithm.
    Log,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Arc tangent of y / x in the quadrant of (x, y); operands y x.
    Atan2,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// min(1, max(0, a)).
    Saturate,
    /// The integral value at or below.
    Floor,
    /// The integral value at or above.
    Ceil,
    /// The integral value next toward zero.
    Trunc,
    /// The nearest integral value, ties to even.
    Round,
    /// a - floor(a).
    Fract,
    /// Magnitude.
    Abs,
    /// Negation.
    Neg,
    /// 1, -1 or 0.
    Sign,
    /// a == b.
    Equal,
    /// a != b.
    NotEqual,
    /// a < b.
    Less,
    /// a <= b.
    LessEqual,
    /// a * 2^b; b is a signed integer.
    Ldexp,
    /// The fraction in [0.5, 1), signed.
    FrexpFraction,
    /// The exponent that goes with [`Function::FrexpFraction`].
    FrexpExponent,
    /// From one float format to another.
    Convert,
    /// From a float to an integer, toward zero.
    ToInteger,
    /// From an integer to a float.
    FromInteger,
    /// From a float to a normalised integer.
    ToNormalized,
    /// From a normalised integer to a float.
    FromNormalized,
    /// The difference of two lanes of a quad; operands the farther one, the nearer one.
    Derivative,
}

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Specification {
    /// The Direct3D 11.3 functional specification.
    D3D11,
    /// The WebGPU Shading Language specification.
    Wgsl,
    /// The Vulkan specification, of SPIR-V.
    Vulkan,
}

/// What becomes of denormal operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flushing {
    /// They stay.
    Never,
    /// They become zeros of their sign.
    Always,
    /// Either, each time anew.
    Optional,
}

/// The rules of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Permission {
    /// Whose rules.
    pub specification: Specification,
    /// What becomes of denormals.
    pub flushing: Flushing,
    /// Whether the operation may be fused and reassociated with others, and infinities and NaN ignored (D3D11 22.3.2 refactoringAllowed without
    /// 22.19.2 precise; WGSL 15.7.5).
    pub refactor: bool,
    /// The direction of a float conversion, where the specification fixes it.
    pub rounding: Rounding,
    /// Whether that direction is the only one where the table leaves either neighbour (SPIR-V's float controls).
    pub directed: bool,
}

/// A function on certain types under certain rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What is computed.
    pub function: Function,
    /// How operands are read (of [`Function::Ldexp`] the first; the second is a 32-bit signed integer).
    pub operand: Type,
    /// How the result is read.
    pub result: Type,
    /// The rules.
    pub permission: Permission,
}

/// Where a row of the table of facts applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// Everywhere that rows before it do not.
    All,
    /// Where the operand of this index lies in the closed range.
    Range(usize, f64, f64),
    /// Where the magnitudes of the operands of these indices lie in the closed ranges.
    Magnitude(&'static [(usize, f64, f64)]),
}

/// How far a result may be from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The exact result, which the format holds.
    Exact,
    /// The nearest value, ties to even.
    Nearest,
    /// Either neighbour.
    Faithful,
    /// The value in the direction that the instruction names.
    Directed,
    /// Units in the last place of the exact result: `base + slope |a|`.
    Ulp {
        /// The constant part.
        base: f64,
        /// The part that grows with the operand.
        slope: f64,
    },
    /// Relative error.
    Relative(f64),
    /// Absolute error.
    Absolute(f64),
    /// Absolute error, results in [-1, 1].
    AbsoluteInUnit(f64),
    /// Fused or not, no worse than the worst serial order of the parts.
    Serial,
    /// The parts in any order, each by its own row, fused or not.
    Parts,
    /// a / b, or a * r with r a value within so many ulp of 1 / b.
    TwoStep(f64),
    /// The set of the expression named, by the rows of its parts.
    Inherited(&'static str),
    /// The worse of an absolute error and of the expression named.
    AbsoluteOrInherited(f64, &'static str),
    /// Any integer within so much of the exact value.
    Integer(f64),
    /// No promise, for this reason.
    Unbounded(&'static str),
    /// No promise but that it lies in [-1, 1].
    UnboundedInUnit(&'static str),
}

/// One fact of a specification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The function.
    pub function: Function,
    /// Formats of the float operand or result; conversions between floats go by the result.
    pub formats: &'static [Format],
    /// Where it applies.
    pub domain: Domain,
    /// What is allowed.
    pub bound: Bound,
    /// The sections that say so.
    pub section: &'static str,
    /// What the bound does not say: special values, quirks.
    pub note: &'static str,
}

/// The set of allowed results for one tuple of operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// How results are read.
    pub result: Type,
    /// The set is the union of these; where it is unbounded, what still holds.
    pub parts: Vec<Interval>,
    /// Why nothing is promised, if so.
    pub unbounded: Option<&'static str>,
    /// The sections that allow it.
    pub sections: Vec<&'static str>,
}

/// An enclosure of the allowed results for operands in intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Enclosure {
    /// All allowed results lie in it.
    Within(Interval),
    /// For some of the operands nothing is promised.
    Unbounded {
        /// Why.
        reason: &'static str,
        /// What holds all the same.
        within: Interval,
    },
}

impl Set {
    /// Whether a result, given by its bits, is in the set. Any NaN stands for every NaN. Of an unbounded set: whether it is in what still holds.
    #[must_use]
    pub fn contains(&self, bits: u64) -> bool {
        let value = self.result.point(bits);
        let holds = |part: &Interval| match self.result {
            Type::Float(_) => {
                if value.nan {
                    part.nan
                } else {
                    part.contains(value.low)
                }
            }
            // Integers wider than 53 bits are intervals themselves; they have one zero.
            _ => part.low <= value.high && value.low <= part.high,
        };
        self.parts.iter().any(holds)
    }

    /// The hull of the set.
    #[must_use]
    pub fn bounds(&self) -> Interval {
        self.parts.iter().fold(Interval::EMPTY, |hull, part| hull.hull(*part))
    }

    /// Whether the specification promises something.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.unbounded.is_none()
    }
}

impl Enclosure {
    /// The interval, if something is promised.
    #[must_use]
    pub fn bounded(self) -> Option<Interval> {
        match self {
            Enclosure::Within(interval) => Some(interval),
            Enclosure::Unbounded { .. } => None,
        }
    }
}

impl Specification {
    /// The table of facts.
    #[must_use]
    pub fn rows(self) -> &'static [Row] {
        match self {
            Specification::D3D11 => d3d11::ROWS,
            Specification::Wgsl => wgsl::ROWS,
            Specification::Vulkan => vulkan::ROWS,
        }
    }
}

impl Function {
    /// How many operands it takes.
    #[must_use]
    pub fn arity(self) -> usize {
        use Function::{
            Add, Atan2, Derivative, Div, Dot2, Dot3, Dot4, Equal, Fma, Ldexp, Less, LessEqual, Mad, Max, Min, Mul, NotEqual, Sub,
        };
        match self {
            Dot4 => 8,
            Dot3 => 6,
            Dot2 => 4,
            Mad | Fma => 3,
            Add | Sub | Mul | Div | Atan2 | Min | Max | Equal | NotEqual | Less | LessEqual | Ldexp | Derivative => 2,
            _ => 1,
        }
    }

    /// Whether the specification's permission to refactor speaks of it.
    #[must_use]
    pub fn is_refactorable(self) -> bool {
        use Function::{Add, Div, Dot2, Dot3, Dot4, Fma, Mad, Mul, Sub};
        matches!(self, Add | Sub | Mul | Div | Mad | Fma | Dot2 | Dot3 | Dot4)
    }

    /// The exact results over the operands, rounded outward: real arithmetic, without a format's rounding, flushing or overflow. None for what is no function of reals to reals (comparisons, conversions to integers, frexp).
    #[must_use]
    pub fn exact(self, operands: &[Interval]) -> Option<Interval> {
        bound::image(self, operands)
    }
}

impl Operation {
    /// The facts about it, in the order in which their domains are tried.
    pub fn rows(&self) -> impl Iterator<Item = &'static Row> {
        let (function, format) = (self.function, self.format());
        self.permission.specification.rows().iter().filter(move |row| row.function == function && row.formats.contains(&format))
    }

    /// The allowed results for operands given by their bits, in the low bits of each word. Operands that are too few or too many give an unbounded set.
    #[must_use]
    pub fn allowed(&self, operands: &[u64]) -> Set {
        let points: Vec<Interval> = operands.iter().enumerate().map(|(at, bits)| self.operand_type(at).point(*bits)).collect();
        evaluate::evaluate(self, &points, Some(operands))
    }

    /// An enclosure of the allowed results for operands in these sets; the hull of [`Operation::allowed`] where they are points.
    #[must_use]
    pub fn enclose(&self, operands: &[Interval]) -> Enclosure {
        let points: Option<Vec<u64>> =
            operands.iter().enumerate().map(|(at, operand)| self.operand_type(at).pattern(operand)).collect();
        let set = evaluate::evaluate(self, operands, points.as_deref());
        let within = set.bounds();
        match set.unbounded {
            Some(reason) => Enclosure::Unbounded { reason, within },
            None => Enclosure::Within(within),
        }
    }

    /// How an operand is read.
    #[must_use]
    pub fn operand_type(&self, at: usize) -> Type {
        if self.function == Function::Ldexp && at == 1 { Type::Signed(32) } else { self.operand }
    }

    /// The float format that rounding and the table go by.
    fn format(&self) -> Format {
        match (self.result, self.operand) {
            (Type::Float(format), _) | (_, Type::Float(format)) => format,
            _ => Format::F32,
        }
    }

    /// The same rules for another function on the result's format.
    fn part(&self, function: Function) -> Operation {
        Operation { function, operand: self.result, ..*self }
    }
}
