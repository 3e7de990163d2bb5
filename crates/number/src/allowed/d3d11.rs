//! What Direct3D 11 allows, after the Direct3D 11.3 functional specification 1.16. Sections are its numbers.
//!
//! Special operands (infinities, NaN, zeros where the function has a pole or the section's table a value) have one result each, the canonical one,
//! unless the operation may be refactored.

use super::facts::{E21, row};
use super::{Bound, Domain, Format, Function, Row};

const ALL: &[Format] = &[Format::F16, Format::F32, Format::F64];
const F16: &[Format] = &[Format::F16];
const F32: &[Format] = &[Format::F32];
const F64: &[Format] = &[Format::F64];
const SHORT: &[Format] = &[Format::F16, Format::F32];
const LONG: &[Format] = &[Format::F16, Format::F64];

/// 100 pi.
const HUNDRED_PI: f64 = 100.0 * core::f64::consts::PI;
const ONE_ULP: Bound = Bound::Ulp { base: 1.0, slope: 0.0 };
const NOT_D3D: &str = "Direct3D 11 has no such instruction";

use Bound::{
    Absolute, AbsoluteInUnit, Directed, Exact, Faithful, Integer, Nearest, Relative, Serial, TwoStep, Unbounded, UnboundedInUnit,
};
use Domain::{All, Range};

/// The facts.
pub(super) const ROWS: &[Row] = &[
    row(Function::Add, ALL, All, Nearest, "3.1.3, 3.1.4, 22.10.1, 22.14.1", "-0 + 0 is +0"),
    row(Function::Sub, ALL, All, Nearest, "3.1.3, 3.1.4, 22.10.1", ""),
    row(Function::Mul, ALL, All, Nearest, "3.1.3, 3.1.4, 22.10.12, 22.14.4", "x * 1 is x"),
    row(Function::Div, F32, All, TwoStep(1.0), "3.1.3, 22.10.2", "x / 1 is x; 1 / b may be flushed where |b| is above 2^126"),
    row(Function::Div, LONG, All, Nearest, "3.1.4, 3.1.5, 22.14.6", ""),
    row(Function::Mad, SHORT, All, Serial, "3.1.3, 22.10.9", "fused or not; an intermediate overflow may saturate or be kept"),
    row(Function::Mad, F64, All, Nearest, "3.1.4", "no instruction of doubles; a product, then a sum"),
    row(Function::Fma, ALL, All, Nearest, "22.14.7", ""),
    row(Function::Dot2, SHORT, All, Serial, "3.1.3, 22.10.3", "any order, fused or not"),
    row(Function::Dot3, SHORT, All, Serial, "3.1.3, 22.10.4", "any order, fused or not"),
    row(Function::Dot4, SHORT, All, Serial, "3.1.3, 22.10.5", "any order, fused or not"),
    row(Function::Sqrt, F32, All, ONE_ULP, "3.1.3, 22.10.21", "of -0 it is -0, of what is below NaN"),
    row(Function::Sqrt, LONG, All, Nearest, "3.1.4, 3.1.5", "of -0 it is -0, of what is below NaN"),
    row(Function::Rsqrt, SHORT, All, Relative(E21), "22.10.19", "of -0 it is -infinity"),
    row(Function::Rcp, SHORT, All, Relative(E21), "22.10.18", "of zeros infinities of their signs, and the reverse"),
    row(Function::Rcp, F64, All, Faithful, "3.1.4, 22.14.5", "1 ulp, which leaves both neighbours; exact where a double is"),
    row(Function::Exp2, SHORT, All, Relative(E21), "22.10.6", "of zeros it is 1"),
    row(Function::Log2, SHORT, Range(0, 0.5, 2.0), Absolute(E21), "22.10.8", ""),
    row(Function::Log2, SHORT, All, Relative(E21), "22.10.8", "of zeros -infinity, of what is below NaN"),
    row(Function::Sin, SHORT, Range(0, -HUNDRED_PI, HUNDRED_PI), AbsoluteInUnit(0.0008), "22.10.20", "of zeros it is that zero"),
    row(Function::Sin, SHORT, All, UnboundedInUnit("the sine of more than 100 pi"), "22.10.20", "of infinities NaN"),
    row(Function::Cos, SHORT, Range(0, -HUNDRED_PI, HUNDRED_PI), AbsoluteInUnit(0.0008), "22.10.20", "of zeros it is 1"),
    row(Function::Cos, SHORT, All, UnboundedInUnit("the cosine of more than 100 pi"), "22.10.20", "of infinities NaN"),
    row(
        Function::Min,
        ALL,
        All,
        Exact,
        "3.1.3, 22.10.11, 22.14.3",
        "a NaN loses; of zeros either; a denormal result flushed or not",
    ),
    row(
        Function::Max,
        ALL,
        All,
        Exact,
        "3.1.3, 22.10.10, 22.14.2",
        "a NaN loses; of zeros either; a denormal result flushed or not",
    ),
    row(Function::Saturate, ALL, All, Exact, "22.19.1, 3.1.3", "of NaN 0; of -0 either zero"),
    row(Function::Floor, ALL, All, Exact, "22.10.15", ""),
    row(Function::Ceil, ALL, All, Exact, "22.10.16", ""),
    row(Function::Trunc, ALL, All, Exact, "22.10.17", ""),
    row(Function::Round, ALL, All, Exact, "22.10.14", ""),
    row(
        Function::Fract,
        ALL,
        All,
        Nearest,
        "3.1.3, 22.10.7",
        "where the difference rounds to 1, the greatest value below it too: the table says [0, 1)",
    ),
    row(Function::Abs, ALL, All, Exact, "22.18.1", "bits but the sign stay, a NaN's too"),
    row(Function::Neg, ALL, All, Exact, "22.18.2", "bits but the sign stay, a NaN's too"),
    row(Function::Sign, ALL, All, Exact, "", "no instruction; 0 for zeros and NaN"),
    row(Function::Equal, ALL, All, Exact, "3.1.3, 22.6.1, 22.15.1", "false with NaN"),
    row(Function::NotEqual, ALL, All, Exact, "3.1.3, 22.6.8, 22.15.4", "true with NaN"),
    row(Function::Less, ALL, All, Exact, "3.1.3, 22.6.7, 22.15.3", "false with NaN"),
    row(Function::LessEqual, ALL, All, Exact, "3.1.3, 22.6.2, 22.15.2", "false with NaN"),
    row(
        Function::Convert,
        F16,
        All,
        Directed,
        "3.2.2, 22.13.2",
        "f32tof16 toward zero: a finite value too large gives 65504 of its sign",
    ),
    row(Function::Convert, F32, All, Directed, "3.2.2, 22.13.1, 22.17.1", "f32 denormals from doubles flushed or not"),
    row(Function::Convert, F64, All, Directed, "3.2.2, 22.17.2", "f32 denormals flushed or not"),
    row(Function::ToInteger, ALL, All, Exact, "22.13.3, 22.13.4, 22.17.3, 22.17.4", "toward zero, clamped, NaN gives 0"),
    row(Function::FromInteger, SHORT, All, Faithful, "22.13.5, 22.13.6", "nearest even is strongly recommended, not required"),
    row(Function::FromInteger, F64, All, Faithful, "22.17.5, 22.17.6", "32-bit integers are exact"),
    row(Function::ToNormalized, ALL, All, Integer(0.6), "3.2.3.4, 3.2.3.6", "NaN gives 0; nondecreasing, every code attainable"),
    row(Function::FromNormalized, ALL, All, Nearest, "3.2.3.2, 3.2.3.3, 3.2.3.5", "the most negative code is -1 too"),
    row(Function::Derivative, ALL, All, Nearest, "3.5.7, 22.5.2 to 22.5.5", "which rows or columns a coarse one takes is open"),
    row(Function::Exp, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::Log, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::Asin, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::Acos, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::Atan, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::Atan2, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::Ldexp, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::FrexpFraction, ALL, All, Unbounded(NOT_D3D), "", ""),
    row(Function::FrexpExponent, ALL, All, Unbounded(NOT_D3D), "", ""),
];
