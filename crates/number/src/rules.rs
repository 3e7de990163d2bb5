//! The choices that an operation carries: there is no global mode.

/// What arithmetic does with denormal (subnormal) operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Denormals {
    /// They are numbers like any other: WGSL as read here, and f16 and f64 everywhere (D3D11.3 §3.1.4, §3.1.5).
    Keep,
    /// Operands and results become a zero of their sign: f32 in Direct3D (D3D11.3 §3.1.3).
    Flush,
}

/// Rounding direction (IEEE 754-2019 §4.3). Overflow follows from it: to infinity where the direction
/// leads there, else to the largest finite value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    /// Toward zero (truncation).
    TowardZero,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
}

/// How `min` and `max` treat NaN and equal operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MinMax {
    /// Direct3D (D3D11.3 §22.10.10, §22.10.11): a NaN loses to a number; else `min` is `a < b ? a : b` and `max`
    /// is `a >= b ? a : b`, so that of equal operands (zeros too) `min` gives the second and `max` the first.
    NanLoses,
    /// WGSL (§17.5), read literally: `min` is `if b < a {b} else {a}`, `max` is `if a < b {b} else {a}`. A NaN makes the
    /// comparison false, so the first operand comes back. The chosen operand's bits are not touched.
    Literal,
}

/// What integer division does where mathematics gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Division {
    /// Direct3D (D3D11.3 §22.12.9): quotient and remainder by zero are all ones.
    AllOnes,
    /// WGSL (§8.7): `x / 0` is `x`, `x % 0` is 0; the least integer over -1 is itself with remainder 0.
    Wgsl,
}

/// What a float outside the integer type's range becomes; a NaN becomes 0 in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfRange {
    /// Direct3D (D3D11.3 §22.13.3, §22.13.4): the nearest integer of the type.
    Integer,
    /// WGSL (§15.7.6): the nearest value of the type that the float format holds exactly: from f32,
    /// 0xffffff00 for u32 and 0x7fffff80 for i32.
    Representable,
}
