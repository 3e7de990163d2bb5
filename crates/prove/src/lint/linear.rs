//! Linear expressions over whole unknowns, and whether inequalities between them can all hold.

use std::collections::BTreeMap;

/// An unknown whole number.
pub(super) type Unknown = u32;

/// A sum of multiples of unknowns and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Linear {
    /// The factor of each unknown; none is zero.
    pub terms: BTreeMap<Unknown, i64>,
    pub constant: i64,
}

/// Factors beyond this are given up: addresses have 32 bits.
const MOST: i64 = 1 << 40;

impl Linear {
    pub fn constant(constant: i64) -> Linear {
        Linear { terms: BTreeMap::new(), constant }
    }

    pub fn unknown(unknown: Unknown) -> Linear {
        Linear { terms: BTreeMap::from([(unknown, 1)]), constant: 0 }
    }

    /// The expression times a number; none if that is out of what is handled.
    pub fn times(&self, factor: i64) -> Option<Linear> {
        let scaled = |number: i64| number.checked_mul(factor).filter(|number| number.abs() < MOST);
        let mut terms = BTreeMap::new();
        for (unknown, number) in &self.terms {
            match scaled(*number)? {
                0 => {}
                number => _ = terms.insert(*unknown, number),
            }
        }
        Some(Linear { terms, constant: scaled(self.constant)? })
    }

    /// The sum of this expression and a multiple of another; none if that is out of what is handled.
    pub fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let other = other.times(factor)?;
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant).filter(|number| number.abs() < MOST)?;
        for (unknown, number) in other.terms {
            let slot = sum.terms.entry(unknown).or_default();
            *slot = slot.checked_add(number).filter(|number| number.abs() < MOST)?;
            if *slot == 0 {
                sum.terms.remove(&unknown);
            }
        }
        Some(sum)
    }

    /// The same expression over other unknowns.
    pub fn renamed(&self, name: &mut impl FnMut(Unknown) -> Unknown) -> Linear {
        let terms = self.terms.iter().map(|(unknown, number)| (name(*unknown), *number)).collect();
        Linear { terms, constant: self.constant }
    }
}

/// More inequalities than this are not worked out.
const MOST_ROWS: usize = 1500;

/// Whether whole numbers may exist that make each of these expressions at least zero. Where it says no, there are none; a yes may be wrong.
///
/// Unknowns are taken out one after another (Fourier and Motzkin), and constants rounded to what whole numbers can reach.
pub(super) fn may_hold(inequalities: Vec<Linear>) -> bool {
    let mut rows = Rows::default();
    if !inequalities.into_iter().all(|row| rows.add(row)) {
        return false;
    }
    loop {
        // One whose factors are ones loses nothing of what whole numbers are; among these the one whose removal makes the fewest rows.
        let mut counts: BTreeMap<Unknown, (i64, usize, usize)> = BTreeMap::new();
        for (unknown, factor) in rows.0.keys().flatten() {
            let count = counts.entry(*unknown).or_default();
            count.0 = count.0.max(factor.abs());
            if *factor > 0 { count.1 += 1 } else { count.2 += 1 }
        }
        let Some((unknown, (_, above, below))) =
            counts.into_iter().min_by_key(|(_, (most, above, below))| (*most, above * below))
        else {
            return true;
        };
        if rows.0.len() + above * below > MOST_ROWS {
            return true;
        }
        let (with, rest): (Vec<Linear>, Vec<Linear>) = rows.take().partition(|row| row.terms.contains_key(&unknown));
        rows.0.extend(rest.into_iter().map(|row| (row.terms, row.constant)));
        let (lower, upper): (Vec<&Linear>, Vec<&Linear>) = with.iter().partition(|row| row.terms[&unknown] > 0);
        for low in &lower {
            for high in &upper {
                let (a, b) = (low.terms[&unknown], -high.terms[&unknown]);
                let shared = gcd(a, b);
                let sum = low.times(b / shared).and_then(|low| low.plus(high, a / shared));
                match sum.map(|sum| rows.add(sum)) {
                    None => return true,
                    Some(false) => return false,
                    Some(true) => {}
                }
            }
        }
    }
}

/// Inequalities, of those with the same factors only the one that says most.
#[derive(Default)]
struct Rows(BTreeMap<BTreeMap<Unknown, i64>, i64>);

impl Rows {
    /// Adds one; false if it never holds.
    fn add(&mut self, row: Linear) -> bool {
        let Some(Linear { terms, constant }) = normal(row) else { return false };
        if !terms.is_empty() {
            let least = self.0.entry(terms).or_insert(constant);
            *least = (*least).min(constant);
        }
        true
    }

    fn take(&mut self) -> impl Iterator<Item = Linear> + use<> {
        std::mem::take(&mut self.0).into_iter().map(|(terms, constant)| Linear { terms, constant })
    }
}

/// An inequality divided by what its factors share; none if it never holds.
fn normal(row: Linear) -> Option<Linear> {
    let shared = row.terms.values().fold(0, |shared, factor| gcd(shared, factor.abs()));
    if shared == 0 {
        return (row.constant >= 0).then(|| Linear::constant(0));
    }
    let terms = row.terms.into_iter().map(|(unknown, factor)| (unknown, factor / shared)).collect();
    Some(Linear { terms, constant: row.constant.div_euclid(shared) })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(terms: &[(Unknown, i64)], constant: i64) -> Linear {
        Linear { terms: terms.iter().copied().collect(), constant }
    }

    #[test]
    fn whole_numbers_between_bounds() {
        // 0 <= x <= 3 and x >= 4: none. 2x = 1 has no whole solution: 2x - 1 >= 0 and 1 - 2x >= 0.
        assert!(!may_hold(vec![row(&[(0, 1)], 0), row(&[(0, -1)], 3), row(&[(0, 1)], -4)]));
        assert!(!may_hold(vec![row(&[(0, 2)], -1), row(&[(0, -2)], 1)]));
        assert!(may_hold(vec![row(&[(0, 1)], 0), row(&[(0, -1)], 3), row(&[(0, 1)], -3)]));
    }

    #[test]
    fn a_row_of_eight_and_a_column_are_one_place() {
        // x + 8y = x' + 8y' with all of them 0 to 7 and x < x': by hand, x' - x is a multiple of 8 from 1 to 7. There is none.
        let range = |unknown| [row(&[(unknown, 1)], 0), row(&[(unknown, -1)], 7)];
        let mut rows: Vec<Linear> = (0..4).flat_map(range).collect();
        rows.push(row(&[(0, 4), (1, 32), (2, -4), (3, -32)], 3));
        rows.push(row(&[(0, -4), (1, -32), (2, 4), (3, 32)], 3));
        assert!(may_hold(rows.clone()));
        rows.push(row(&[(0, -1), (2, 1)], -1));
        assert!(!may_hold(rows));
    }

    #[test]
    fn a_lane_below_a_stride_never_meets_one_a_stride_on() {
        // i >= 0, j < s, j = i + s: by hand, j >= s. Contradiction. Without j < s it may be.
        let same = [row(&[(1, 1), (0, -1), (2, -1)], 0), row(&[(1, -1), (0, 1), (2, 1)], 0)];
        let mut rows = vec![row(&[(0, 1)], 0), row(&[(2, 1), (1, -1)], -1)];
        rows.extend(same.clone());
        assert!(!may_hold(rows));
        assert!(may_hold([vec![row(&[(0, 1)], 0)], same.to_vec()].concat()));
    }
}
