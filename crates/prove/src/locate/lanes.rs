//! Picks the lanes that are looked at, and follows values over all lanes.

use super::graph::{Graph, Point};
use super::record::{SAMPLE, canonical, element, is_active};
use crate::compare::{Difference, Place};
use gpuproof_program::{FunctionId, Op, Program, Shape, Target, Value};
use gpuproof_run::{Binding as Bound, Case, Observed, Observer, RowBits};
use std::collections::{BTreeSet, HashMap};

/// Chooses a sample: half of it quads with lanes that differ, the rest spread over all.
pub(crate) fn sample(differing: &[u32], lanes: u32) -> Vec<u32> {
    let quads = lanes.div_ceil(4);
    let mut chosen: BTreeSet<u32> = BTreeSet::new();
    let mut wanted: Vec<u32> = differing.iter().map(|lane| lane / 4).collect();
    wanted.dedup();
    // Spread over what differs, so that one odd lane does not decide.
    let step = (wanted.len() / (SAMPLE / 8)).max(1);
    chosen.extend(wanted.iter().step_by(step).take(SAMPLE / 8));
    let rest = SAMPLE as u32 / 4;
    for at in 0..rest * 4 {
        if chosen.len() as u32 >= rest {
            break;
        }
        chosen.insert((u64::from(at) * u64::from(quads) / u64::from(rest * 4)) as u32);
    }
    for quad in 0..quads.min(rest) {
        if chosen.len() as u32 >= rest {
            break;
        }
        chosen.insert(quad);
    }
    chosen.into_iter().flat_map(|quad| quad * 4..quad * 4 + 4).filter(|lane| *lane < lanes).take(SAMPLE).collect()
}

/// Finds the lanes that write words of a memory, by the addresses that stores to it use.
pub(crate) struct WriterFinder {
    /// For each address value what it has to be, by word: index into `words`.
    wanted: HashMap<(FunctionId, Value), Vec<(u64, usize)>>,
    /// For each word how many address parts have to agree.
    pub lanes: BTreeSet<u32>,
    most: usize,
}

impl WriterFinder {
    /// Looks for the writers of these differences in the original or the port.
    pub fn new(program: &Program, graph: &Graph, case: &Case, differences: &[Difference], port: bool) -> WriterFinder {
        let mut finder = WriterFinder { wanted: HashMap::new(), lanes: BTreeSet::new(), most: 32 };
        for (word, difference) in differences.iter().take(16).enumerate() {
            let Place::Memory { resource, original, port_resource, port: to, .. } = difference.place else { continue };
            let (resource, offset) = if port { (port_resource, to) } else { (resource, original) };
            for effect in &graph.effects {
                if effect.target != Target::Resource(resource) {
                    continue;
                }
                let stride = match program.interface.resource(resource).shape {
                    Shape::Structured { stride } => stride.max(1),
                    _ => 1,
                };
                let address = match effect.op {
                    Op::BufferStore | Op::BufferAtomic => offset,
                    Op::StructuredStore | Op::StructuredAtomic => offset / stride,
                    Op::TexelStore | Op::TexelAtomic => texel_x(case, resource.index(), offset),
                    _ => continue,
                };
                if let Some(arg) = effect.args.get(1) {
                    finder.wanted.entry(graph.value(*arg)).or_default().push((u64::from(address), word));
                }
            }
        }
        finder
    }

    pub fn is_idle(&self) -> bool {
        self.wanted.is_empty()
    }
}

fn texel_x(case: &Case, resource: usize, offset: u32) -> u32 {
    let bytes = |format: Option<gpuproof_program::TexelFormat>| {
        format
            .and_then(|format| gpuproof_number::format::Format::from_dxgi(format.0))
            .map_or(4, |format| format.bytes.max(1) as u32)
    };
    match case.resources.get(resource).and_then(|bound| bound.first()) {
        Some(Bound::Texture(texture)) => offset / bytes(Some(texture.format)) % texture.size[0].max(1),
        Some(Bound::Buffer(buffer)) => offset / bytes(buffer.format),
        _ => 0,
    }
}

impl Observer for WriterFinder {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.wanted.contains_key(&(function, value))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let Some(addresses) = self.wanted.get(&(observed.function, observed.value)) else { return };
        let length = match observed.bits {
            RowBits::Words(words) => words.len(),
            RowBits::Doubles(low, _) => low.len(),
        };
        for at in 0..length {
            if self.lanes.len() >= self.most {
                return;
            }
            if is_active(observed.active, at) && addresses.iter().any(|(address, _)| element(&observed.bits, at) == *address) {
                self.lanes.insert(observed.first_lane + at as u32);
            }
        }
    }
}

/// A dynamic value by what names it in any run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub point: Point,
    pub iterations: Box<[u32]>,
    pub repeat: u32,
}

/// Follows a few dynamic values over all lanes of a run.
pub(crate) struct Follower<'a> {
    graph: &'a Graph,
    float_made: &'a [Vec<bool>],
    keys: &'a [Key],
    /// For each key the value on each lane; none on lanes that did not make it.
    pub values: Vec<Vec<Option<u64>>>,
    /// For each key how often each lane has made the value of its point and iterations.
    times: Vec<Vec<u32>>,
}

impl<'a> Follower<'a> {
    pub fn new(graph: &'a Graph, float_made: &'a [Vec<bool>], keys: &'a [Key], lanes: usize) -> Follower<'a> {
        let count = keys.len();
        Follower { graph, float_made, keys, values: vec![vec![None; lanes]; count], times: vec![vec![0; lanes]; count] }
    }
}

impl Observer for Follower<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        let point = self.graph.point(function, value);
        self.keys.iter().any(|key| key.point == point)
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let point = self.graph.point(observed.function, observed.value);
        let float = self.float_made[observed.function.index()][observed.value.index()];
        let length = match observed.bits {
            RowBits::Words(words) => words.len(),
            RowBits::Doubles(low, _) => low.len(),
        };
        for (index, key) in self.keys.iter().enumerate() {
            if key.point != point || key.iterations[..] != *observed.iterations {
                continue;
            }
            for at in (0..length).filter(|at| is_active(observed.active, *at)) {
                let lane = observed.first_lane as usize + at;
                let Some(times) = self.times[index].get_mut(lane) else { continue };
                if *times == key.repeat {
                    self.values[index][lane] = Some(canonical(element(&observed.bits, at), float));
                }
                *times += 1;
            }
        }
    }
}
