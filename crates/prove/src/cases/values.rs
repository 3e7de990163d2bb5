//! Values of every kind, in several distributions.

use super::literals;
use super::uses::Use;
use crate::random::Random;
use gpuproof_program::Kind;

/// How the floats of a case are distributed. Integers follow along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// [0, 1).
    Unit,
    /// [-1, 1).
    Signed,
    /// [-10, 10).
    Tens,
    /// Either sign, exponents from -10 to 10.
    Wide,
    /// Small whole and half numbers, so that values tie.
    Halves,
    /// 0, 1 and a few more, so that what is compared is often equal.
    Few,
    /// All of the above but the last, lane by lane.
    Mixed,
    /// Edge values among values of [`Spread::Mixed`].
    SomeEdges,
    /// Edge values: zeros, subnormals, infinities, NaNs, limits of conversions.
    Edges,
    /// Random bits.
    Bits,
}

impl Spread {
    /// Whether values are coarse, so that sums and products of a few are exact.
    pub fn is_coarse(self) -> bool {
        matches!(self, Spread::Halves | Spread::Few)
    }

    /// Whether all floats are finite and normal.
    pub fn is_finite(self) -> bool {
        !matches!(self, Spread::SomeEdges | Spread::Edges | Spread::Bits)
    }
}

/// Floats at which operations change their rules.
pub const FLOAT_EDGES: &[u32] = &[
    0x0000_0000,
    0x8000_0000, // zeros
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0x4020_0000, // 1, 0.5, 1.5, 2.5
    0x3f7f_ffff,
    0x3f80_0001,
    0x3eff_ffff, // neighbours of 1 and 0.5
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x8080_0000, // subnormals, the least normal
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000, // the largest, infinities
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001, // NaNs
    0x4b00_0000,
    0x4b80_0000,
    0xcb00_0001, // 2^23, 2^24
    0x4f00_0000,
    0xcf00_0000,
    0x4eff_ffff,
    0x4f80_0000,
    0x4f7f_ffff,
    0x60ad_78ec, // 2^31, 2^32, 1e20
    0x3f49_0fdb,
    0x4049_0fdb,
    0x40c9_0fdb,
    0x477f_e000,
    0x3880_0000,
    0x4380_0000, // pi, 65504, 2^-14, 256
];

/// Integers at which operations change their rules.
pub const INTEGER_EDGES: &[u32] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    255,
    256,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0xffff_fffe,
    0xffff_ff00,
    0xffff_0000,
    0x0100_0001,
    0x5555_5555,
];

/// What [`Spread::Few`] draws from.
const FEW: &[f32] = &[0.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.0, -1.0];

/// How many values a count takes: 0 to 8.
pub const COUNTS: u32 = 9;

/// A float of a distribution.
pub fn float(random: &mut Random, spread: Spread) -> u32 {
    match spread {
        Spread::Unit => random.unit().to_bits(),
        Spread::Signed => random.signed().to_bits(),
        Spread::Tens => (random.signed() * 10.0).to_bits(),
        Spread::Wide => random.word() & 0x807f_ffff | (117 + random.below(21)) << 23,
        Spread::Halves => ((random.below(33) as f32 - 16.0) * 0.5).to_bits(),
        Spread::Few => random.pick(FEW).copied().unwrap_or(0.0).to_bits(),
        Spread::Mixed => {
            let of = [Spread::Unit, Spread::Signed, Spread::Tens, Spread::Wide, Spread::Halves];
            let spread = of[random.below(of.len() as u32) as usize];
            float(random, spread)
        }
        Spread::SomeEdges if random.one_in(4) => float(random, Spread::Edges),
        Spread::SomeEdges => float(random, Spread::Mixed),
        Spread::Edges => random.pick(FLOAT_EDGES).copied().unwrap_or(0),
        Spread::Bits => random.word(),
    }
}

fn is_float(kind: Kind, used: Use) -> bool {
    match kind {
        Kind::Float => true,
        Kind::Sint | Kind::Uint | Kind::Bool => false,
        Kind::Unknown => {
            used.has(Use::FLOAT) || !used.has(Use::INTEGER | Use::BITS | Use::INDEX | Use::COUNT | Use::LIMIT | Use::TRUTH)
        }
    }
}

/// Whether a word only says how often something is done.
pub fn is_count(kind: Kind, used: Use) -> bool {
    !is_float(kind, used) && kind != Kind::Bool && used.has(Use::COUNT) && !used.has(Use::INDEX | Use::LIMIT)
}

/// The numbers that a word is compared with, but those that would take an index out of its range.
fn literals_of(is_float: bool, used: Use) -> Vec<u32> {
    let hits = |word: &u32| match is_float {
        _ if !used.has(Use::INDEX) => true,
        true => f32::from_bits(*word) >= 0.0 && f32::from_bits(*word) < used.bound as f32,
        false => *word < used.bound,
    };
    used.literals.of(is_float).into_iter().filter(hits).collect()
}

/// A number that the word is compared with, or one next to it; none where there is none.
fn near_literal(random: &mut Random, is_float: bool, used: Use) -> Option<u32> {
    let literals = literals_of(is_float, used);
    let literal = *random.pick(&literals)?;
    Some(match random.below(4) {
        _ if used.has(Use::INDEX) => literal,
        0 => literals::above(literal, is_float),
        1 => literals::below(literal, is_float),
        _ => literal,
    })
}

/// Which of the numbers that a word is compared with stands for it in a whole case. Case after case, in another order each time round, it is
/// each of them, and as often what `drawn` is.
///
/// One word stands for the whole case, so chance would leave numbers out.
pub fn taking_turns(kind: Kind, used: Use, number: usize, drawn: u32, stream: &dyn Fn(u64) -> Random) -> u32 {
    let mut turns: Vec<Option<u32>> = match kind {
        Kind::Bool => return drawn,
        _ => literals_of(is_float(kind, used), used).into_iter().map(Some).collect(),
    };
    // Where it is a threshold, both sides of it count.
    if is_float(kind, used) || used.has(Use::LIMIT | Use::COUNT) && !used.has(Use::INDEX) {
        let beside = |word: &Option<u32>| {
            let (word, float) = ((*word)?, is_float(kind, used));
            Some([Some(literals::above(word, float)), Some(literals::below(word, float))])
        };
        let beside: Vec<Option<u32>> = turns.iter().filter_map(beside).flatten().collect();
        turns.extend(beside);
    }
    if turns.is_empty() {
        return drawn;
    }
    // As often it is drawn: what is compared is mostly computed with as well.
    turns.resize(turns.len() * 2, None);
    let mut random = stream((number / turns.len()) as u64);
    for at in (1..turns.len()).rev() {
        turns.swap(at, random.below(at as u32 + 1) as usize);
    }
    turns[number % turns.len()].unwrap_or_else(|| {
        // What is none of the numbers has turns of its own, as the default of a switch.
        let literals = literals_of(is_float(kind, used), used);
        let other = literals.iter().max().map_or(drawn, |most| most.wrapping_add(1));
        let hits = !used.has(Use::INDEX) || other < used.bound;
        if literals.contains(&drawn) && !is_float(kind, used) && hits { other } else { drawn }
    })
}

/// A word that is used in this way.
///
/// An index stays where it hits, and a count small, in edge cases too: out of range most programs show nothing but the rules for that.
pub fn word(random: &mut Random, spread: Spread, kind: Kind, used: Use, lanes: u32) -> u32 {
    let is_float = is_float(kind, used);
    if kind != Kind::Bool
        && random.one_in(4)
        && let Some(word) = near_literal(random, is_float, used)
    {
        return word;
    }
    if is_float && used.has(Use::INDEX) && used.bound < u32::MAX {
        return (random.unit() * used.bound.min(64) as f32).to_bits();
    }
    if is_float {
        return float(random, spread);
    }
    if used.has(Use::INDEX) {
        return random.below(used.bound.clamp(1, 64));
    }
    if kind == Kind::Bool || used.has(Use::TRUTH) && !used.has(Use::INTEGER | Use::BITS | Use::COUNT | Use::LIMIT) {
        // Anything but zero is true; only what is declared a truth value is just 1.
        return if kind == Kind::Bool || !random.one_in(4) { random.below(2) } else { random.word() };
    }
    if used.has(Use::LIMIT) && random.one_in(2) {
        return random.below((lanes + lanes / 8).max(16));
    }
    if used.has(Use::COUNT) {
        return random.below(COUNTS);
    }
    if !spread.is_finite() && random.one_in(2) {
        return random.pick(INTEGER_EDGES).copied().unwrap_or(0);
    }
    match random.below(4) {
        0 => random.word(),
        1 if kind == Kind::Sint => random.below(33).wrapping_sub(16),
        _ => random.below(17),
    }
}
