//! Which dynamic values of two runs correspond: those that agree on the lanes active in both, with enough variety to mean something.

use super::graph::{Graph, Maker};
use super::record::Occurrence;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Evidence, in bits, from which on agreement is no coincidence.
const ENOUGH: u32 = 16;
/// The most candidates that are looked at for one value.
const MOST_CANDIDATES: usize = 48;

/// How many occurrences back an operand is looked for.
const NEAREST: usize = 512;

/// What corresponds to each occurrence of one side, as an index into the other's.
pub(crate) type Partners = Vec<Option<usize>>;

/// Finds the partners of both sides.
pub(crate) fn matched(original: (&Graph, &[Occurrence]), port: (&Graph, &[Occurrence])) -> (Partners, Partners) {
    let (left, right): (Vec<Normal>, Vec<Normal>) =
        (original.1.iter().map(Normal::new).collect(), port.1.iter().map(Normal::new).collect());
    (
        partners((original.0, original.1, &left), (port.0, port.1, &right)),
        partners((port.0, port.1, &right), (original.0, original.1, &left)),
    )
}

/// A value as it is compared: masks of all ones as truth values.
struct Normal {
    active: u64,
    bits: Box<[u64]>,
    truth: bool,
}

impl Normal {
    fn new(occurrence: &Occurrence) -> Normal {
        let each = |at: usize| occurrence.active >> at & 1 == 1;
        let active: Vec<usize> = (0..occurrence.bits.len()).filter(|at| each(*at)).collect();
        let mask = u64::from(u32::MAX);
        let is_mask = active.iter().all(|at| occurrence.bits[*at] == 0 || occurrence.bits[*at] == mask);
        let mut bits = occurrence.bits.clone();
        if is_mask {
            bits.iter_mut().for_each(|bits| *bits &= 1);
        }
        let truth = active.iter().all(|at| bits[*at] <= 1);
        Normal { active: occurrence.active, bits, truth }
    }

    fn hash(&self, negated: bool) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.active.hash(&mut hasher);
        for (at, bits) in self.bits.iter().enumerate() {
            if self.active >> at & 1 == 1 {
                (bits ^ u64::from(negated)).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn lanes(&self, mask: u64) -> impl Iterator<Item = usize> + '_ {
        (0..self.bits.len()).filter(move |at| mask >> at & 1 == 1)
    }
}

/// Whether many programs make this number: it alone says little.
fn is_simple(bits: u64) -> bool {
    let word = bits as u32;
    if bits >> 32 != 0 && word != 0 {
        return false;
    }
    let word = if bits >> 32 != 0 { (bits >> 32) as u32 } else { word };
    !(0x1000..=0xffff_f000).contains(&word) || word & 0x000f_ffff == 0
}

/// How unlikely it is that these lanes agree by chance, in bits.
fn evidence(value: &Normal, mask: u64) -> u32 {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for at in value.lanes(mask) {
        *counts.entry(value.bits[at]).or_default() += 1;
    }
    let rich = counts.keys().filter(|bits| !is_simple(**bits)).count() as u32;
    let total: u32 = counts.values().sum();
    let minority = total - counts.values().copied().max().unwrap_or(0);
    rich * 16 + minority * 3
}

fn partners(mine: (&Graph, &[Occurrence], &[Normal]), other: (&Graph, &[Occurrence], &[Normal])) -> Partners {
    let mut exact: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut probes: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    for (at, value) in other.2.iter().enumerate() {
        if value.active == 0 {
            continue;
        }
        exact.entry(value.hash(false)).or_default().push(at);
        let lanes: Vec<usize> = value.lanes(value.active).collect();
        for lane in [lanes[0], lanes[lanes.len() / 2], lanes[lanes.len() - 1]] {
            if !is_simple(value.bits[lane]) {
                let bucket = probes.entry((lane, value.bits[lane])).or_default();
                if bucket.last() != Some(&at) && bucket.len() < MOST_CANDIDATES {
                    bucket.push(at);
                }
            }
        }
    }
    let mut found = vec![None; mine.1.len()];
    for (at, value) in mine.2.iter().enumerate() {
        if value.active == 0 {
            continue;
        }
        found[at] = partner(mine, at, value, other, &exact, &probes);
    }
    found
}

/// Whether two occurrences have operands that are equal, or no operands but constants.
fn made_of_equals(
    mine: (&Graph, &[Occurrence], &[Normal]),
    at: usize,
    other: (&Graph, &[Occurrence], &[Normal]),
    to: usize,
) -> bool {
    let operands = |side: (&Graph, &[Occurrence], &[Normal]), at: usize| -> Vec<u64> {
        let occurrence = &side.1[at];
        let mut found = Vec::new();
        for source in &side.0.sites[occurrence.point].data {
            // The latest before it, which is the one that it takes.
            let earlier = side.1[..at].iter().enumerate().rev().take(NEAREST);
            let latest = earlier.filter(|(_, from)| from.point == *source).map(|(from, _)| from).next();
            found.extend(latest.map(|from| side.2[from].hash(false)));
        }
        found
    };
    let (left, right) = (operands(mine, at), operands(other, to));
    // A counter is what it is in one round: the same number in another is none of it.
    let rounds = (mine.1[at].iterations.last(), other.1[to].iterations.last());
    if mine.0.sites[mine.1[at].point].maker == Maker::LoopParam && rounds.0 != rounds.1 {
        return false;
    }
    let joins = matches!(mine.0.sites[mine.1[at].point].maker, Maker::Join | Maker::LoopParam);
    let unknown = if joins { left.is_empty() || right.is_empty() } else { left.is_empty() && right.is_empty() };
    unknown || left.iter().any(|hash| right.contains(hash))
}

fn partner(
    mine: (&Graph, &[Occurrence], &[Normal]),
    at: usize,
    value: &Normal,
    other: (&Graph, &[Occurrence], &[Normal]),
    exact: &HashMap<u64, Vec<usize>>,
    probes: &HashMap<(usize, u64), Vec<usize>>,
) -> Option<usize> {
    let maker = mine.0.sites[mine.1[at].point].maker;
    let other_maker = |to: usize| other.0.sites[other.1[to].point].maker;
    let strong = evidence(value, value.active) >= ENOUGH;
    let empty = Vec::new();
    let candidates = exact.get(&value.hash(false)).unwrap_or(&empty);
    // Among equals the one that is made alike; weak ones also of something that is equal.
    let alike = candidates
        .iter()
        .take(MOST_CANDIDATES)
        .find(|to| other_maker(**to) == maker && (strong || made_of_equals(mine, at, other, **to)));
    if let Some(to) = alike.or(candidates.first().filter(|_| strong)) {
        return Some(*to);
    }
    if value.truth
        && strong
        && let Some(to) = exact.get(&value.hash(true)).and_then(|negated| negated.first())
    {
        return Some(*to);
    }
    // Lanes that only one side runs through here: agreement on the others.
    let mut looked = 0;
    for lane in value.lanes(value.active) {
        for to in probes.get(&(lane, value.bits[lane])).unwrap_or(&empty) {
            looked += 1;
            if looked > MOST_CANDIDATES * 8 {
                return None;
            }
            let candidate = &other.2[*to];
            let common = value.active & candidate.active;
            // One way into a join is not the join.
            if value.active & !candidate.active != 0 && other_maker(*to) != maker {
                continue;
            }
            let least = value.active.count_ones().min(candidate.active.count_ones()).div_ceil(2);
            if common.count_ones() >= least
                && value.lanes(common).all(|lane| value.bits[lane] == candidate.bits[lane])
                && evidence(value, common) >= ENOUGH
                && !matches!(maker, Maker::None)
            {
                return Some(*to);
            }
        }
    }
    None
}
