//! Functions of AbstractFloat, correctly rounded to f64 by big-number arithmetic: no host's library and no fused multiply-add takes part.

use astro_float::{BigFloat, Consts, RoundingMode, Sign};

/// Bits of the intermediate results; errors then lie some 130 bits below what f64 holds.
const PRECISION: usize = 192;
const NEAREST: RoundingMode = RoundingMode::ToEven;

/// A function of one number, by the name of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Exp2,
    Log2,
    Exp,
    Log,
    Sin,
    Cos,
    Rsqrt,
    Asin,
    Acos,
    Atan,
}

/// The function's value, rounded once to f64. What is no finite number follows IEEE 754: NaN outside the domain, infinities at its ends.
pub(super) fn evaluate(function: Function, x: f64) -> f64 {
    use Function::*;
    match function {
        // Beyond these the result overflows f64, or is less than half of its least number.
        Exp2 if x >= 1024.0 => return f64::INFINITY,
        Exp if x >= 710.0 => return f64::INFINITY,
        Exp2 if x <= -1080.0 => return 0.0,
        Exp if x <= -750.0 => return 0.0,
        Sin | Asin | Atan if x == 0.0 => return x,
        Log | Log2 if x == 0.0 => return f64::NEG_INFINITY,
        Rsqrt if x == 0.0 => return 1.0 / x,
        Rsqrt if x == f64::INFINITY => return 0.0,
        Sin | Cos if !x.is_finite() => return f64::NAN,
        Log | Log2 | Rsqrt if x < 0.0 => return f64::NAN,
        Log | Log2 if x == f64::INFINITY => return x,
        Asin | Acos if x.abs() > 1.0 => return f64::NAN,
        Acos if x == 1.0 => return 0.0,
        Log | Log2 if x == 1.0 => return 0.0,
        _ if x.is_nan() => return x,
        _ => {}
    }
    let Ok(mut constants) = Consts::new() else { return f64::NAN };
    let big = exact(x);
    let one = BigFloat::from_f64(1.0, PRECISION);
    let result = match function {
        Exp2 => BigFloat::from_f64(2.0, PRECISION).pow(&big, PRECISION, NEAREST, &mut constants),
        Log2 => big.log2(PRECISION, NEAREST, &mut constants),
        Exp => big.exp(PRECISION, NEAREST, &mut constants),
        Log => big.ln(PRECISION, NEAREST, &mut constants),
        Sin => big.sin(PRECISION, NEAREST, &mut constants),
        Cos => big.cos(PRECISION, NEAREST, &mut constants),
        Rsqrt => one.div(&big.sqrt(PRECISION, NEAREST), PRECISION, NEAREST),
        Asin => big.asin(PRECISION, NEAREST, &mut constants),
        Acos => big.acos(PRECISION, NEAREST, &mut constants),
        Atan if x.is_infinite() => half_pi(&mut constants, x < 0.0),
        Atan => big.atan(PRECISION, NEAREST, &mut constants),
    };
    rounded(&result)
}

/// The angle of the point (x, y), with the signs of zeros as IEEE 754's atan2 has them.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    let Ok(mut constants) = Consts::new() else { return f64::NAN };
    let negative = y.is_sign_negative();
    let signed = |magnitude: f64| if negative { -magnitude } else { magnitude };
    let pi = constants.pi(PRECISION, NEAREST);
    let quarter = |eighths: f64, constants: &mut Consts| {
        let eighth = constants.pi(PRECISION, NEAREST).mul(&BigFloat::from_f64(0.25, PRECISION), PRECISION, NEAREST);
        rounded(&eighth.mul(&BigFloat::from_f64(eighths, PRECISION), PRECISION, NEAREST))
    };
    match (y.abs(), x) {
        (y, x) if y.is_infinite() && x.is_infinite() => signed(quarter(if x > 0.0 { 1.0 } else { 3.0 }, &mut constants)),
        (y, x) if y.is_infinite() || x == 0.0 && y > 0.0 => signed(quarter(2.0, &mut constants)),
        (y, x) if y == 0.0 || x.is_infinite() => signed(if x.is_sign_negative() { rounded(&pi) } else { 0.0 }),
        (y, x) => {
            let (big_y, big_x) = (exact(y), exact(x.abs()));
            let angle = big_y.div(&big_x, PRECISION, NEAREST).atan(PRECISION, NEAREST, &mut constants);
            signed(rounded(&if x < 0.0 { pi.sub(&angle, PRECISION, NEAREST) } else { angle }))
        }
    }
}

/// The number itself. Subnormals go by way of a normal number, since the library takes their exponents wrong.
fn exact(x: f64) -> BigFloat {
    if !x.is_subnormal() {
        return BigFloat::from_f64(x, PRECISION);
    }
    let scale = f64::from_bits((1023 + 100) << 52);
    BigFloat::from_f64(x * scale, PRECISION).div(&BigFloat::from_f64(scale, PRECISION), PRECISION, NEAREST)
}

fn half_pi(constants: &mut Consts, negative: bool) -> BigFloat {
    let half = constants.pi(PRECISION, NEAREST).div(&BigFloat::from_f64(2.0, PRECISION), PRECISION, NEAREST);
    if negative { half.neg() } else { half }
}

/// The nearest f64, ties to even.
fn rounded(value: &BigFloat) -> f64 {
    let Some((words, _, sign, exponent, _)) = value.as_raw_parts() else { return f64::NAN };
    // The value is 0.m * 2^exponent, m being the words' bits, the last word the highest.
    let (mut high, mut below) = (0u128, false);
    for (at, word) in words.iter().rev().enumerate() {
        match at {
            0 => high |= u128::from(*word) << 64,
            1 => high |= u128::from(*word),
            _ => below |= *word != 0,
        }
    }
    if high == 0 {
        return if sign == Sign::Neg { -0.0 } else { 0.0 };
    }
    let shift = high.leading_zeros();
    let (high, exponent) = (high << shift, i64::from(exponent) - i64::from(shift));
    // 53 bits are kept, fewer where the result is subnormal: the unit in the last place is 2^-1074 at least.
    let kept = (exponent + 1074).clamp(-1, 53);
    let magnitude = if kept < 0 {
        0.0
    } else {
        let drop = 128 - kept as u32;
        let unit = if drop == 128 { 0 } else { high >> drop };
        let rest = if drop == 128 { high } else { high << (128 - drop) };
        let half = 1u128 << 127;
        let up = rest > half || rest == half && (below || unit & 1 == 1);
        let integer = unit + u128::from(up);
        // An integer of at most 54 bits times a power of two, in two exact steps.
        let power = exponent - kept;
        scaled(integer as f64, power)
    };
    if sign == Sign::Neg { -magnitude } else { magnitude }
}

/// An integer times a power of two that is representable or overflows.
fn scaled(integer: f64, power: i64) -> f64 {
    let two_to = |power: i64| f64::from_bits(((power + 1023) as u64) << 52);
    match power {
        1024.. => f64::INFINITY,
        -1022..=1023 => integer * two_to(power),
        // Only results in the subnormal range come here, which are exact.
        _ => integer * two_to(-1022) * two_to((power + 1022).max(-1022)),
    }
}

#[cfg(test)]
// The digits of tables are more than f64 holds, which is their point.
#[allow(clippy::excessive_precision, clippy::approx_constant)]
mod tests {
    use super::*;

    /// Constants from tables of more digits than f64 holds.
    #[test]
    fn known_values_are_rounded_once() {
        assert_eq!(evaluate(Function::Exp, 1.0), 2.718_281_828_459_045_235_36);
        assert_eq!(evaluate(Function::Log, 2.0), 0.693_147_180_559_945_309_417);
        assert_eq!(evaluate(Function::Sin, 1.0), 0.841_470_984_807_896_506_653);
        assert_eq!(evaluate(Function::Cos, 1.0), 0.540_302_305_868_139_717_401);
        assert_eq!(evaluate(Function::Atan, 1.0), 0.785_398_163_397_448_309_616);
        assert_eq!(evaluate(Function::Acos, -1.0), 3.141_592_653_589_793_238_46);
        assert_eq!(evaluate(Function::Rsqrt, 2.0), 0.707_106_781_186_547_524_401);
        assert_eq!(evaluate(Function::Log2, 10.0), 3.321_928_094_887_362_347_87);
        assert_eq!(evaluate(Function::Exp2, 0.5), 1.414_213_562_373_095_048_80);
        assert_eq!(atan2(1.0, -1.0), 2.356_194_490_192_344_928_85);
        assert_eq!(atan2(-1.0, 1.0), -0.785_398_163_397_448_309_616);
    }

    /// Powers of two are exact, to the least subnormal.
    #[test]
    fn powers_of_two_are_exact() {
        for power in -1074..=1023 {
            let expected = scaled(1.0, power);
            assert_eq!(evaluate(Function::Exp2, power as f64), expected, "2^{power}");
            assert_eq!(evaluate(Function::Log2, expected), power as f64, "log2 2^{power}");
        }
        assert_eq!(evaluate(Function::Exp2, -1075.5), 0.0);
        assert_eq!(evaluate(Function::Exp2, -1074.5), f64::from_bits(1));
    }

    /// IEEE 754-2019, 9.2.1: exceptional operands.
    #[test]
    fn exceptional_operands() {
        assert_eq!(evaluate(Function::Exp2, f64::INFINITY), f64::INFINITY);
        assert_eq!(evaluate(Function::Exp, f64::NEG_INFINITY), 0.0);
        assert!(evaluate(Function::Log, -1.0).is_nan() && evaluate(Function::Sin, f64::INFINITY).is_nan());
        assert!(evaluate(Function::Asin, 1.5).is_nan());
        assert_eq!(evaluate(Function::Atan, f64::NEG_INFINITY), -1.570_796_326_794_896_619_23);
        assert_eq!(atan2(0.0, -1.0), 3.141_592_653_589_793_238_46);
        assert_eq!(atan2(-0.0, -1.0), -3.141_592_653_589_793_238_46);
        assert_eq!(atan2(1.0, 0.0), 1.570_796_326_794_896_619_23);
        assert_eq!(atan2(1.0, f64::INFINITY), 0.0);
    }
}
