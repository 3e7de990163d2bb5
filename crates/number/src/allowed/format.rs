//! The formats that operands and results have, and rounding intervals to them.

use super::Interval;
use crate::rules::Rounding;
use crate::soft::{self, BINARY16, BINARY32, BINARY64, Layout};

/// A binary float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// 16 bits.
    F16,
    /// 32 bits.
    F32,
    /// 64 bits.
    F64,
}

/// How the bits of an operand or result are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A float.
    Float(Format),
    /// A two's complement integer of so many bits, 1 to 64.
    Signed(u32),
    /// An unsigned integer of so many bits, 1 to 64.
    Unsigned(u32),
    /// One bit.
    Truth,
}

impl Format {
    fn layout(self) -> Layout {
        match self {
            Format::F16 => BINARY16,
            Format::F32 => BINARY32,
            Format::F64 => BINARY64,
        }
    }

    /// How many bits it has.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Format::F16 => 16,
            Format::F32 => 32,
            Format::F64 => 64,
        }
    }

    /// The format of this many bits.
    #[must_use]
    pub fn of_bits(bits: u32) -> Option<Format> {
        [Format::F16, Format::F32, Format::F64].into_iter().find(|format| format.bits() == bits)
    }

    /// The value of a pattern, exactly.
    #[must_use]
    pub fn value(self, bits: u64) -> f64 {
        f64::from_bits(soft::convert(self.layout(), BINARY64, bits, Rounding::NearestEven))
    }

    /// The pattern of the nearest value in a direction.
    #[must_use]
    pub fn pattern(self, value: f64, rounding: Rounding) -> u64 {
        soft::convert(BINARY64, self.layout(), value.to_bits(), rounding)
    }

    /// The nearest value in a direction.
    pub(crate) fn round(self, value: f64, rounding: Rounding) -> f64 {
        if self == Format::F64 { value } else { self.value(self.pattern(value, rounding)) }
    }

    /// The greatest finite value.
    pub(crate) fn max(self) -> f64 {
        self.value(self.layout().infinity() - 1)
    }

    /// The least positive normal value.
    pub(crate) fn min_normal(self) -> f64 {
        self.value(1 << self.layout().fraction_bits)
    }

    fn min_positive(self) -> f64 {
        self.value(1)
    }

    fn precision(self) -> i32 {
        self.layout().fraction_bits as i32
    }

    /// The unit in the last place of a real number: the least distance between two values of the format that it lies between (WGSL 15.7.4, D3D11
    /// 3.1.2), so of a power of two the distance to the value below. Beyond the format's range that of its largest values.
    #[must_use]
    pub fn ulp(self, x: f64) -> f64 {
        let x = x.abs().min(self.max());
        if x <= self.min_normal() {
            return self.min_positive();
        }
        let below = x.next_down();
        self.ulp_above(below)
    }

    /// The distance from the value at or below |x| to the one above it.
    pub(crate) fn ulp_above(self, x: f64) -> f64 {
        let x = x.abs().min(self.max());
        if x < self.min_normal() {
            return self.min_positive();
        }
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        scale(exponent - self.precision())
    }

    /// Every number rounded in a direction.
    pub(crate) fn round_all(self, set: Interval, rounding: Rounding) -> Interval {
        self.round_ends(set, rounding, rounding)
    }

    /// Both neighbours of every number.
    pub(crate) fn faithful(self, set: Interval) -> Interval {
        self.round_ends(set, Rounding::Down, Rounding::Up)
    }

    /// The values of the format that are in the set.
    pub(crate) fn inside(self, set: Interval) -> Interval {
        self.round_ends(set, Rounding::Up, Rounding::Down)
    }

    fn round_ends(self, set: Interval, low: Rounding, high: Rounding) -> Interval {
        if set.has_no_number() {
            return set;
        }
        let mut result = Interval { low: self.round(set.low, low), high: self.round(set.high, high), ..set };
        // A number that underflows keeps its sign.
        let underflow = |end: f64, rounded: f64| rounded == 0.0 && end != 0.0;
        if underflow(set.low, result.low) || underflow(set.high, result.high) {
            result.negative_zero = set.low < 0.0 || result.low <= 0.0 && set.low <= 0.0 && set.negative_zero;
            result.positive_zero = set.high > 0.0 || set.high >= 0.0 && set.positive_zero;
        }
        result
    }
}

impl Type {
    /// The set of one pattern's value. Integers above 2^53 widen to the two f64 around them.
    #[must_use]
    pub fn point(self, bits: u64) -> Interval {
        match self {
            Type::Float(format) => Interval::point(format.value(bits)),
            Type::Truth => Interval::point((bits & 1) as f64),
            Type::Signed(width) => {
                let unused = 64 - width.clamp(1, 64);
                integer(i128::from(((bits << unused) as i64) >> unused))
            }
            Type::Unsigned(width) => integer(i128::from(bits & (u64::MAX >> (64 - width.clamp(1, 64))))),
        }
    }

    /// The pattern of a set that is one value of the type.
    pub(crate) fn pattern(self, set: &Interval) -> Option<u64> {
        if !set.is_point() {
            return None;
        }
        let value = if set.nan { f64::NAN } else { set.low };
        let bits = match self {
            Type::Float(format) => format.pattern(value, Rounding::NearestEven),
            Type::Signed(width) => value as i64 as u64 & (u64::MAX >> (64 - width.clamp(1, 64))),
            Type::Unsigned(_) | Type::Truth => value as u64,
        };
        let back = self.point(bits);
        (back == *set).then_some(bits)
    }

    /// The least and the greatest number of an integer type.
    pub(crate) fn range(self) -> (f64, f64) {
        match self {
            Type::Float(format) => (-format.max(), format.max()),
            Type::Truth => (0.0, 1.0),
            Type::Signed(width) => (-scale(width as i32 - 1), scale(width as i32 - 1) - 1.0),
            Type::Unsigned(width) => (0.0, scale(width as i32) - 1.0),
        }
    }
}

/// 2^n for n in f64's normal range, 0 below it.
fn scale(n: i32) -> f64 {
    match n {
        -1074..=-1023 => f64::from_bits(1 << (n + 1074)),
        -1022..=1023 => f64::from_bits(((n + 1023) as u64) << 52),
        _ => 0.0,
    }
}

fn integer(value: i128) -> Interval {
    let nearest = value as f64;
    if nearest as i128 == value {
        // Integers have one zero.
        return Interval::point(nearest);
    }
    Interval::new(nearest.next_down(), nearest.next_up())
}
