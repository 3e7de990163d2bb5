//! Records every dynamic value on a sample of lanes.

use super::graph::{Graph, Point};
use crate::compare::is_nan;
use gpuproof_program::{FunctionId, Value};
use gpuproof_run::{Observed, Observer, RowBits};
use std::collections::HashMap;

/// Lanes in a sample: what one word of a mask holds.
pub(crate) const SAMPLE: usize = 64;
/// Dynamic values that are kept of one run.
const MOST: usize = 60_000;
/// Iterations of one value that are kept.
const MOST_ITERATIONS: u32 = 4096;

/// One dynamic value on the lanes of the sample.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    pub point: Point,
    /// How often each loop around it has gone round.
    pub iterations: Box<[u32]>,
    /// Which time this is for these iterations, when a function is called several times.
    pub repeat: u32,
    /// Lanes of the sample on which it was made.
    pub active: u64,
    /// The bits, for each lane of the sample.
    pub bits: Box<[u64]>,
    /// When it was first made.
    pub order: u64,
}

/// An observer that keeps what it sees.
pub(crate) struct Recorder<'a> {
    graph: &'a Graph,
    /// For each function and value whether NaNs in it are all the same.
    float_made: &'a [Vec<bool>],
    lanes: &'a [u32],
    keys: HashMap<(Point, Box<[u32]>, u32), usize>,
    counts: HashMap<Point, u32>,
    pub occurrences: Vec<Occurrence>,
    order: u64,
}

impl<'a> Recorder<'a> {
    /// `lanes` is the sample: ascending, at most [`SAMPLE`].
    pub fn new(graph: &'a Graph, float_made: &'a [Vec<bool>], lanes: &'a [u32]) -> Recorder<'a> {
        let lanes = &lanes[..lanes.len().min(SAMPLE)];
        Recorder { graph, float_made, lanes, keys: HashMap::new(), counts: HashMap::new(), occurrences: Vec::new(), order: 0 }
    }

    /// The occurrence of a key, made when it is new; none past the limits.
    fn slot(&mut self, point: Point, iterations: &[u32], repeat: u32) -> Option<usize> {
        let key = (point, iterations.into(), repeat);
        if let Some(at) = self.keys.get(&key) {
            return Some(*at);
        }
        let count = self.counts.entry(point).or_default();
        if self.occurrences.len() >= MOST || *count >= MOST_ITERATIONS {
            return None;
        }
        *count += 1;
        let bits = vec![0; self.lanes.len()].into();
        let iterations = key.1.clone();
        self.occurrences.push(Occurrence { point, iterations, repeat, active: 0, bits, order: self.order });
        self.keys.insert(key, self.occurrences.len() - 1);
        Some(self.occurrences.len() - 1)
    }
}

/// The bits of element `at` of a row.
pub(crate) fn element(bits: &RowBits<'_>, at: usize) -> u64 {
    match bits {
        RowBits::Words(words) => words.get(at).copied().map_or(0, u64::from),
        RowBits::Doubles(low, high) => {
            u64::from(low.get(at).copied().unwrap_or(0)) | u64::from(high.get(at).copied().unwrap_or(0)) << 32
        }
    }
}

/// Whether element `at` of a row is active.
pub(crate) fn is_active(active: &[u64], at: usize) -> bool {
    active.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// One NaN for all where float operations made them.
pub(crate) fn canonical(bits: u64, float: bool) -> u64 {
    if float && bits >> 32 == 0 && is_nan(bits as u32, 32) { 0x7fc0_0000 } else { bits }
}

impl Observer for Recorder<'_> {
    fn wants(&self, _function: FunctionId, _value: Value) -> bool {
        true
    }

    fn value(&mut self, observed: &Observed<'_>) {
        self.order += 1;
        let length = match observed.bits {
            RowBits::Words(words) => words.len(),
            RowBits::Doubles(low, _) => low.len(),
        };
        let first = self.lanes.partition_point(|lane| *lane < observed.first_lane);
        let end = self.lanes.partition_point(|lane| u64::from(*lane) < u64::from(observed.first_lane) + length as u64);
        let point = self.graph.point(observed.function, observed.value);
        let float = self.float_made[observed.function.index()][observed.value.index()];
        for at in first..end {
            let row = (self.lanes[at] - observed.first_lane) as usize;
            if !is_active(observed.active, row) {
                continue;
            }
            // The first repetition that this lane has not made yet.
            for repeat in 0..64 {
                let Some(slot) = self.slot(point, observed.iterations, repeat) else { break };
                let occurrence = &mut self.occurrences[slot];
                if occurrence.active >> at & 1 == 0 {
                    occurrence.active |= 1 << at;
                    occurrence.bits[at] = canonical(element(&observed.bits, row), float);
                    break;
                }
            }
        }
    }
}
