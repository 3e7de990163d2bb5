//! What WGSL allows, after the WebGPU Shading Language specification, sections 15.7.2 to 15.7.7. Where no other section is given, 15.7.4.1.
//!
//! Infinities and NaN among operands or results leave the result open (15.7.2, finite math assumption); so does an operand outside a
//! function's domain. Zeros have no sign that counts (15.7.2). Denormals may be flushed in and out of everything in this table (15.7.2).

use super::facts::{E7, E11, E21, HUGE, LARGE, SMALL, TINY, row, ulp};
use super::{Bound, Domain, Format, Function, Row};

const BOTH: &[Format] = &[Format::F16, Format::F32];
const F16: &[Format] = &[Format::F16];
const F32: &[Format] = &[Format::F32];

const PI: f64 = core::f64::consts::PI;
const TOP: f64 = f64::MAX;

const ACCURACY: &str = "15.7.4.1";
const DIVISOR: &str = "a divisor outside the range for which the accuracy is given";
const ANGLE: &str = "an angle outside [-pi, pi]";
const POINT: &str = "a point outside the range for which the accuracy is given";
const DENORMAL: &str = "frexp of a denormal";
const EXPONENT: &str = "ldexp by more than the exponent's bias and 1";

use Bound::{Absolute, AbsoluteOrInherited, Exact, Faithful, Inherited, Parts, Unbounded};
use Domain::{All, Magnitude, Range};

/// The facts.
pub(super) const ROWS: &[Row] = &[
    row(Function::Add, BOTH, All, Faithful, ACCURACY, "rounded up or down"),
    row(Function::Sub, BOTH, All, Faithful, ACCURACY, "rounded up or down"),
    row(Function::Mul, BOTH, All, Faithful, ACCURACY, "rounded up or down"),
    row(Function::Div, F32, Magnitude(&[(1, TINY, HUGE)]), ulp(2.5, 0.0), ACCURACY, ""),
    row(Function::Div, F16, Magnitude(&[(1, SMALL, LARGE)]), ulp(2.5, 0.0), ACCURACY, ""),
    row(Function::Div, BOTH, All, Unbounded(DIVISOR), ACCURACY, "|b| outside [2^-126, 2^126] (f16: [2^-14, 2^14])"),
    row(Function::Mad, BOTH, All, Parts, "15.7.4.1, 15.7.5", "inherited from a * b + c"),
    row(Function::Fma, BOTH, All, Parts, "15.7.4.1, 15.7.5", "inherited from a * b + c"),
    row(Function::Dot2, BOTH, All, Parts, "15.7.4.1, 15.7.5", "inherited from the sum of products"),
    row(Function::Dot3, BOTH, All, Parts, "15.7.4.1, 15.7.5", "inherited from the sum of products"),
    row(Function::Dot4, BOTH, All, Parts, "15.7.4.1, 15.7.5", "inherited from the sum of products"),
    row(Function::Sqrt, BOTH, All, Inherited("1 / inverseSqrt(a)"), ACCURACY, "of 0 the expression passes through an infinity"),
    row(Function::Rsqrt, BOTH, All, ulp(2.0, 0.0), ACCURACY, ""),
    row(Function::Rcp, BOTH, All, Inherited("1 / a"), ACCURACY, "no built-in function; as a division"),
    row(Function::Exp2, F32, All, ulp(3.0, 2.0), ACCURACY, ""),
    row(Function::Exp2, F16, All, ulp(1.0, 2.0), ACCURACY, ""),
    row(Function::Exp, F32, All, ulp(3.0, 2.0), ACCURACY, ""),
    row(Function::Exp, F16, All, ulp(1.0, 2.0), ACCURACY, ""),
    row(Function::Log2, F32, Range(0, 0.5, 2.0), Absolute(E21), ACCURACY, ""),
    row(Function::Log2, F16, Range(0, 0.5, 2.0), Absolute(E7), ACCURACY, ""),
    row(Function::Log2, BOTH, All, ulp(3.0, 0.0), ACCURACY, ""),
    row(Function::Log, F32, Range(0, 0.5, 2.0), Absolute(E21), ACCURACY, ""),
    row(Function::Log, F16, Range(0, 0.5, 2.0), Absolute(E7), ACCURACY, ""),
    row(Function::Log, BOTH, All, ulp(3.0, 0.0), ACCURACY, ""),
    row(Function::Sin, F32, Range(0, -PI, PI), Absolute(E11), ACCURACY, ""),
    row(Function::Sin, F16, Range(0, -PI, PI), Absolute(E7), ACCURACY, ""),
    row(Function::Sin, BOTH, All, Unbounded(ANGLE), "15.7.4", ""),
    row(Function::Cos, F32, Range(0, -PI, PI), Absolute(E11), ACCURACY, ""),
    row(Function::Cos, F16, Range(0, -PI, PI), Absolute(E7), ACCURACY, ""),
    row(Function::Cos, BOTH, All, Unbounded(ANGLE), "15.7.4", ""),
    row(Function::Asin, F32, All, AbsoluteOrInherited(6.81e-5, "atan2(a, sqrt(1 - a * a))"), ACCURACY, ""),
    row(Function::Asin, F16, All, AbsoluteOrInherited(3.91e-3, "atan2(a, sqrt(1 - a * a))"), ACCURACY, ""),
    row(Function::Acos, F32, All, AbsoluteOrInherited(6.77e-5, "atan2(sqrt(1 - a * a), a)"), ACCURACY, ""),
    row(Function::Acos, F16, All, AbsoluteOrInherited(3.91e-3, "atan2(sqrt(1 - a * a), a)"), ACCURACY, ""),
    row(Function::Atan, F32, All, ulp(4096.0, 0.0), ACCURACY, ""),
    row(Function::Atan, F16, All, ulp(5.0, 0.0), ACCURACY, ""),
    row(Function::Atan2, F32, Magnitude(&[(1, TINY, HUGE), (0, TINY, TOP)]), ulp(4096.0, 0.0), ACCURACY, "y must be normal"),
    row(Function::Atan2, F16, Magnitude(&[(1, SMALL, LARGE), (0, SMALL, TOP)]), ulp(5.0, 0.0), ACCURACY, "y must be normal"),
    row(Function::Atan2, BOTH, All, Unbounded(POINT), "15.7.4", "|x| outside [2^-126, 2^126] (f16: [2^-14, 2^14])"),
    row(Function::Min, BOTH, All, Exact, ACCURACY, "of two denormals either"),
    row(Function::Max, BOTH, All, Exact, ACCURACY, "of two denormals either"),
    row(Function::Saturate, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Floor, BOTH, All, Exact, ACCURACY, "a negative denormal gives -1, or 0 if flushed"),
    row(Function::Ceil, BOTH, All, Exact, ACCURACY, "a positive denormal gives 1, or 0 if flushed"),
    row(Function::Trunc, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Round, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Fract, BOTH, All, Faithful, ACCURACY, "inherited from a - floor(a)"),
    row(Function::Abs, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Neg, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Sign, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Equal, BOTH, All, Exact, ACCURACY, ""),
    row(Function::NotEqual, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Less, BOTH, All, Exact, ACCURACY, ""),
    row(Function::LessEqual, BOTH, All, Exact, ACCURACY, ""),
    row(Function::Ldexp, F32, Range(1, -TOP, 128.0), Faithful, "15.7.4.1, 17.5 ldexp", "may be 0 where b + 127 is not above 0"),
    row(Function::Ldexp, F16, Range(1, -TOP, 16.0), Faithful, "15.7.4.1, 17.5 ldexp", "may be 0 where b + 15 is not above 0"),
    row(Function::Ldexp, BOTH, All, Unbounded(EXPONENT), "17.5 ldexp", ""),
    row(Function::FrexpFraction, BOTH, Range(0, 0.0, 0.0), Exact, ACCURACY, "0"),
    row(Function::FrexpFraction, F32, Magnitude(&[(0, TINY, TOP)]), Exact, ACCURACY, ""),
    row(Function::FrexpFraction, F16, Magnitude(&[(0, SMALL, TOP)]), Exact, ACCURACY, ""),
    row(Function::FrexpFraction, BOTH, All, Unbounded(DENORMAL), ACCURACY, "correct where the operand is zero or normal"),
    row(Function::FrexpExponent, BOTH, Range(0, 0.0, 0.0), Exact, ACCURACY, "0"),
    row(Function::FrexpExponent, F32, Magnitude(&[(0, TINY, TOP)]), Exact, ACCURACY, ""),
    row(Function::FrexpExponent, F16, Magnitude(&[(0, SMALL, TOP)]), Exact, ACCURACY, ""),
    row(Function::FrexpExponent, BOTH, All, Unbounded(DENORMAL), ACCURACY, "correct where the operand is zero or normal"),
    row(Function::Convert, BOTH, All, Faithful, "15.7.6, 15.7.4.1 (quantizeToF16, pack2x16float)", "either neighbour"),
    row(Function::ToInteger, BOTH, All, Exact, "15.7.6", "toward zero, clamped to what both types hold"),
    row(Function::FromInteger, BOTH, All, Faithful, "15.7.6", "either neighbour"),
    row(
        Function::ToNormalized,
        BOTH,
        All,
        Faithful,
        "15.7.4.1, 17.9",
        "0.5 + scale * clamp(a) rounded up or down, then its floor",
    ),
    row(Function::FromNormalized, BOTH, All, ulp(3.0, 0.0), ACCURACY, ""),
    row(Function::Derivative, BOTH, All, Unbounded("derivatives have no error bound"), ACCURACY, ""),
];
