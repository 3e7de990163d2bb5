//! What the tables of facts are written with.

use super::{Bound, Domain, Format, Function, Row};

/// 2^-21.
pub(super) const E21: f64 = 1.0 / (1 << 21) as f64;
/// 2^-11.
pub(super) const E11: f64 = 1.0 / (1 << 11) as f64;
/// 2^-7.
pub(super) const E7: f64 = 1.0 / (1 << 7) as f64;
/// 2^126.
pub(super) const HUGE: f64 = (1u128 << 126) as f64;
/// 2^-126.
pub(super) const TINY: f64 = 1.0 / HUGE;
/// 2^14.
pub(super) const LARGE: f64 = (1 << 14) as f64;
/// 2^-14.
pub(super) const SMALL: f64 = 1.0 / LARGE;

/// A fact.
pub(super) const fn row(
    function: Function,
    formats: &'static [Format],
    domain: Domain,
    bound: Bound,
    section: &'static str,
    note: &'static str,
) -> Row {
    Row { function, formats, domain, bound, section, note }
}

/// So many units in the last place, and `slope` more for each unit of the operand's magnitude.
pub(super) const fn ulp(base: f64, slope: f64) -> Bound {
    Bound::Ulp { base, slope }
}
