//! What Vulkan allows, after the chapter *Precision and Operation of SPIR-V Instructions* of its specification; where another is meant, it is named.
//!
//! Infinities and NaN among operands or results leave the result open, and zeros have no sign that counts, unless `SignedZeroInfNanPreserve` says
//! otherwise. Denormals may be flushed, unless `DenormPreserve` or `DenormFlushToZero` decide. The precision of f64 is at least that of f32.

use super::facts::{E7, E11, E21, HUGE, LARGE, SMALL, TINY, row, ulp};
use super::{Bound, Domain, Format, Function, Row};

const ALL: &[Format] = &[Format::F16, Format::F32, Format::F64];
const BOTH: &[Format] = &[Format::F16, Format::F32];
const F16: &[Format] = &[Format::F16];
const F32: &[Format] = &[Format::F32];
const LONG: &[Format] = &[Format::F32, Format::F64];

const PI: f64 = core::f64::consts::PI;
const TOP: f64 = f64::MAX;

const CORE: &str = "Precision of core SPIR-V Instructions";
const GLSL: &str = "Precision of GLSL.std.450 Instructions";
const LDEXP: &str = "Precision of GLSL.std.450 Instructions, GLSL.std.450 Ldexp";
const SET: &str = "GLSL.std.450";
const DIVISOR: &str = "a divisor outside the range for which the precision is given";
const ANGLE: &str = "an angle outside [-pi, pi]";
const EXPONENT: &str = "Ldexp by more than the exponent's bias and 1";

use Bound::{Absolute, Exact, Faithful, Inherited, Parts, Unbounded};
use Domain::{All, Magnitude, Range};

const CORRECTLY: &str = "correctly rounded, up or down unless RoundingModeRTE";

/// The facts.
pub(super) const ROWS: &[Row] = &[
    row(Function::Add, ALL, All, Faithful, CORE, CORRECTLY),
    row(Function::Sub, ALL, All, Faithful, CORE, CORRECTLY),
    row(Function::Mul, ALL, All, Faithful, CORE, CORRECTLY),
    row(Function::Div, LONG, Magnitude(&[(1, TINY, HUGE)]), ulp(2.5, 0.0), CORE, ""),
    row(Function::Div, F16, Magnitude(&[(1, SMALL, LARGE)]), ulp(2.5, 0.0), CORE, ""),
    row(Function::Div, ALL, All, Unbounded(DIVISOR), CORE, "|b| outside [2^-126, 2^126] (f16: [2^-14, 2^14])"),
    row(Function::Mad, ALL, All, Parts, GLSL, "Fma: inherited from OpFMul, then OpFAdd"),
    row(Function::Fma, ALL, All, Parts, GLSL, "inherited from OpFMul, then OpFAdd"),
    row(Function::Dot2, ALL, All, Parts, CORE, "inherited from the sum of products"),
    row(Function::Dot3, ALL, All, Parts, CORE, "inherited from the sum of products"),
    row(Function::Dot4, ALL, All, Parts, CORE, "inherited from the sum of products"),
    row(Function::Sqrt, ALL, All, Inherited("1 / inversesqrt(a)"), GLSL, "of 0 the expression passes through an infinity"),
    row(Function::Rsqrt, ALL, All, ulp(2.0, 0.0), GLSL, ""),
    row(Function::Rcp, ALL, All, Inherited("1 / a"), CORE, "no instruction; as a division"),
    row(Function::Exp2, F32, All, ulp(3.0, 2.0), GLSL, ""),
    row(Function::Exp2, F16, All, ulp(1.0, 2.0), GLSL, ""),
    row(Function::Exp, F32, All, ulp(3.0, 2.0), GLSL, ""),
    row(Function::Exp, F16, All, ulp(1.0, 2.0), GLSL, ""),
    row(Function::Log2, F32, Range(0, 0.5, 2.0), Absolute(E21), GLSL, ""),
    row(Function::Log2, F16, Range(0, 0.5, 2.0), Absolute(E7), GLSL, ""),
    row(Function::Log2, BOTH, All, ulp(3.0, 0.0), GLSL, ""),
    row(Function::Log, F32, Range(0, 0.5, 2.0), Absolute(E21), GLSL, ""),
    row(Function::Log, F16, Range(0, 0.5, 2.0), Absolute(E7), GLSL, ""),
    row(Function::Log, BOTH, All, ulp(3.0, 0.0), GLSL, ""),
    row(Function::Sin, F32, Range(0, -PI, PI), Absolute(E11), GLSL, ""),
    row(Function::Sin, F16, Range(0, -PI, PI), Absolute(E7), GLSL, ""),
    row(Function::Sin, BOTH, All, Unbounded(ANGLE), GLSL, ""),
    row(Function::Cos, F32, Range(0, -PI, PI), Absolute(E11), GLSL, ""),
    row(Function::Cos, F16, Range(0, -PI, PI), Absolute(E7), GLSL, ""),
    row(Function::Cos, BOTH, All, Unbounded(ANGLE), GLSL, ""),
    row(Function::Asin, BOTH, All, Inherited("atan2(a, sqrt(1 - a * a))"), GLSL, ""),
    row(Function::Acos, BOTH, All, Inherited("atan2(sqrt(1 - a * a), a)"), GLSL, ""),
    row(Function::Atan, F32, All, ulp(4096.0, 0.0), GLSL, ""),
    row(Function::Atan, F16, All, ulp(5.0, 0.0), GLSL, ""),
    row(Function::Atan2, F32, All, ulp(4096.0, 0.0), GLSL, ""),
    row(Function::Atan2, F16, All, ulp(5.0, 0.0), GLSL, ""),
    row(Function::Min, ALL, All, Exact, GLSL, "of zeros and of two denormals either"),
    row(Function::Max, ALL, All, Exact, GLSL, "of zeros and of two denormals either"),
    row(Function::Saturate, ALL, All, Exact, GLSL, "FClamp to 0 and 1"),
    row(Function::Floor, ALL, All, Exact, GLSL, "a negative denormal gives -1, or 0 if flushed"),
    row(Function::Ceil, ALL, All, Exact, GLSL, "a positive denormal gives 1, or 0 if flushed"),
    row(Function::Trunc, ALL, All, Exact, GLSL, ""),
    row(Function::Round, ALL, All, Exact, GLSL, "of Round too, of which halves may go either way"),
    row(Function::Fract, ALL, All, Faithful, GLSL, "a - floor(a), correctly rounded"),
    row(Function::Abs, ALL, All, Exact, GLSL, ""),
    row(Function::Neg, ALL, All, Exact, CORE, ""),
    row(Function::Sign, ALL, All, Exact, GLSL, ""),
    row(Function::Equal, ALL, All, Exact, CORE, ""),
    row(Function::NotEqual, ALL, All, Exact, CORE, ""),
    row(Function::Less, ALL, All, Exact, CORE, ""),
    row(Function::LessEqual, ALL, All, Exact, CORE, ""),
    row(Function::Ldexp, F32, Range(1, -TOP, 128.0), Faithful, LDEXP, "may be 0 where b + 127 is not above 0"),
    row(Function::Ldexp, F16, Range(1, -TOP, 16.0), Faithful, LDEXP, "may be 0 where b + 15 is not above 0"),
    row(Function::Ldexp, &[Format::F64], Range(1, -TOP, 1024.0), Faithful, LDEXP, ""),
    row(Function::Ldexp, ALL, All, Unbounded(EXPONENT), SET, "Ldexp"),
    row(Function::FrexpFraction, ALL, All, Exact, GLSL, "correctly rounded"),
    row(Function::FrexpExponent, ALL, All, Exact, GLSL, "correctly rounded"),
    row(Function::Convert, ALL, All, Faithful, CORE, "correctly rounded; FPRoundingMode decides"),
    row(
        Function::ToInteger,
        ALL,
        All,
        Exact,
        "OpConvertFToU, OpConvertFToS",
        "toward zero; what the integer type does not hold is unbounded",
    ),
    row(Function::FromInteger, ALL, All, Faithful, CORE, CORRECTLY),
    row(Function::ToNormalized, BOTH, All, Faithful, SET, "PackSnorm4x8 and after: round(clamp(a) * scale), halves either way"),
    row(Function::FromNormalized, BOTH, All, ulp(2.5, 0.0), SET, "UnpackSnorm4x8 and after: a division by the scale"),
    row(Function::Derivative, BOTH, All, Unbounded("derivatives have no error bound"), CORE, ""),
];
