//! Numbers that a program compares a word with: values at which it does something else.

use gpuproof_program::Op;

/// The most that are kept of one word.
const MOST: usize = 12;

/// A few numbers, as bits, each a float or an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    words: [u32; MOST],
    floats: u16,
    count: u8,
}

impl Literals {
    /// No number.
    pub const NONE: Literals = Literals { words: [0; MOST], floats: 0, count: 0 };

    /// One integer.
    pub fn integer(word: u32) -> Literals {
        let mut found = Literals::NONE;
        found.insert(word, false);
        found
    }

    /// One float; none where it is subnormal or not finite.
    pub fn float(bits: u32) -> Literals {
        let mut found = Literals::NONE;
        let value = f32::from_bits(bits);
        if value == 0.0 || value.is_normal() {
            found.insert(bits, true);
        }
        found
    }

    fn insert(&mut self, word: u32, float: bool) {
        let at = usize::from(self.count);
        if at < MOST && !self.iter().any(|known| known == (word, float)) {
            self.words[at] = word;
            self.floats |= u16::from(float) << at;
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.words.iter().take(usize::from(self.count)).enumerate().map(|(at, word)| (*word, self.floats >> at & 1 == 1))
    }

    /// Those of both, as far as they have room.
    pub fn with(mut self, other: Literals) -> Literals {
        other.iter().for_each(|(word, float)| self.insert(word, float));
        self
    }

    /// What `change` makes of each number, floats and integers apart.
    pub fn map(self, mut change: impl FnMut(u32, bool) -> Literals) -> Literals {
        self.iter().fold(Literals::NONE, |all, (word, float)| all.with(change(word, float)))
    }

    /// The integers `change` makes of the integers.
    pub fn integers(self, change: impl Fn(u32) -> u32) -> Literals {
        self.map(|word, float| if float { Literals::NONE } else { Literals::integer(change(word)) })
    }

    /// The floats among them, or the integers.
    pub fn of(self, floats: bool) -> Vec<u32> {
        self.iter().filter(|(_, float)| *float == floats).map(|(word, _)| word).collect()
    }
}

/// What an operand of float arithmetic has to be, about, for its result to be one of these numbers, and where the operation itself does something else.
/// `constants` are the operands' values where they are known.
pub fn operand(op: Op, position: usize, constants: &[Option<f32>], results: Literals) -> Literals {
    let all = |of: &[f32]| of.iter().map(|value| Literals::float(value.to_bits())).fold(Literals::NONE, Literals::with);
    let floats = |change: &dyn Fn(f32) -> f32| {
        results.map(|bits, float| if float { Literals::float(change(f32::from_bits(bits)).to_bits()) } else { Literals::NONE })
    };
    let known = |at: usize| constants.get(at).copied().flatten();
    match (op, known(1 - position.min(1))) {
        (Op::FNeg, _) => floats(&|result| -result),
        (Op::FAbs, _) => floats(&|result| result).with(floats(&|result| -result)),
        (Op::FAdd, Some(other)) => floats(&|result| result - other),
        (Op::FSub, Some(other)) if position == 0 => floats(&|result| result + other),
        (Op::FSub, Some(other)) => floats(&|result| other - result),
        (Op::FMul, Some(other)) if other != 0.0 => floats(&|result| result / other),
        (Op::FDiv, Some(other)) if position == 0 => floats(&|result| result * other),
        (Op::FMad | Op::FFma, Some(factor)) if position < 2 && factor != 0.0 => match known(2) {
            Some(term) => floats(&|result| (result - term) / factor),
            None => Literals::NONE,
        },
        // The other operand is a bound, beyond which the result is no more this one.
        (Op::FMin | Op::FMax, Some(other)) => all(&[other]).with(results),
        (Op::FSaturate, _) => all(&[0.0, 1.0]).with(results),
        (Op::FFloor | Op::FCeil | Op::FTrunc | Op::FFract, _) => all(&[1.0, 2.0, -1.0]).with(results),
        // Half-way cases go to even numbers.
        (Op::FRound, _) => all(&[0.5, 1.5, -0.5]).with(results),
        _ => Literals::NONE,
    }
}

/// The number next to one: one more for an integer; for a float the next in magnitude, which stays normal.
pub fn above(word: u32, float: bool) -> u32 {
    match (float, word << 1) {
        (false, _) => word.wrapping_add(1),
        (true, 0) => (1.0f32 / 1024.0).to_bits(),
        (true, _) => word + 1,
    }
}

/// The number before one, as [`above`].
pub fn below(word: u32, float: bool) -> u32 {
    match (float, word << 1) {
        (false, _) => word.wrapping_sub(1),
        (true, 0) => (-1.0f32 / 1024.0).to_bits(),
        (true, _) if f32::from_bits(word - 1).is_normal() => word - 1,
        (true, _) => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_kept_apart_and_each_once() {
        let two = Literals::integer(7).with(Literals::float(1.0f32.to_bits())).with(Literals::integer(7));
        assert_eq!(two.of(false), [7]);
        assert_eq!(two.of(true), [0x3f80_0000]);
        assert_eq!(two.integers(|word| word - 2).of(false), [5]);
    }

    #[test]
    fn operands_are_what_gives_the_result() {
        let floats = |found: Literals| found.of(true).into_iter().map(f32::from_bits).collect::<Vec<f32>>();
        let one = Literals::float(1.0f32.to_bits());
        let at = |op, position, other: f32| {
            let constants = if position == 0 { [None, Some(other)] } else { [Some(other), None] };
            floats(operand(op, position, &constants, one))
        };
        assert_eq!(at(Op::FMul, 0, 4.0), [0.25]);
        assert_eq!(at(Op::FMul, 1, 0.0), [0.0; 0]);
        assert_eq!(at(Op::FSub, 0, 4.0), [5.0]);
        assert_eq!(at(Op::FSub, 1, 4.0), [3.0]);
        assert_eq!(floats(operand(Op::FMad, 0, &[None, Some(2.0), Some(-1.0)], one)), [1.0]);
        // round(8 x) has half-way cases at odd sixteenths.
        let halves = operand(Op::FRound, 0, &[None], Literals::NONE);
        assert_eq!(floats(operand(Op::FMul, 0, &[None, Some(8.0)], halves)), [0.0625, 0.1875, -0.0625]);
    }

    #[test]
    fn what_is_not_a_normal_float_is_left_out() {
        for bits in [1, 0x7f80_0000, 0x7fc0_0000] {
            assert_eq!(Literals::float(bits), Literals::NONE);
        }
        assert_eq!(above(0, true), 0x3a80_0000);
        assert_eq!(below(0x0080_0000, true), 0x0080_0000);
        assert_eq!((above(u32::MAX, false), below(0, false)), (0, u32::MAX));
    }

    #[test]
    fn there_is_a_bound() {
        let many = (0..100).fold(Literals::NONE, |all, n| all.with(Literals::integer(n)));
        assert_eq!(many.of(false).len(), MOST);
    }
}
