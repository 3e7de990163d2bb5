//! Pairs the words of two outcomes.

use super::alike::Nature;
use super::{is_nan, ulps, word};
use crate::bind::layout::{leaves_of, pieces, scalar_at, word_name};
use crate::bind::{Binding, Carried, Convert, Counter, Run, Transfer, output_place, resource_names};
use gpuproof_program::{Kind, OutputId, Program, ResourceId, Shape, Width};
use gpuproof_run::{Binding as Bound, Case, Outcome};
use std::collections::BTreeMap;

/// Where an output word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Whether a pixel's lane still counts at the end.
    Live {
        /// The lane.
        lane: u32,
    },
    /// A component of an output.
    Output {
        /// The lane.
        lane: u32,
        /// The original's output and component.
        original: (OutputId, u8),
        /// The port's.
        port: (OutputId, u8),
    },
    /// A word of a buffer or texture.
    Memory {
        /// The original's resource.
        resource: ResourceId,
        /// The element of its binding array.
        element: u32,
        /// The mip level; 0 for buffers.
        level: u32,
        /// The offset in the original's memory, in bytes.
        original: u32,
        /// The port's resource.
        port_resource: ResourceId,
        /// The offset in the port's memory.
        port: u32,
    },
    /// A hidden counter or what stands for it.
    Counter {
        /// The position in [`Binding::counters`].
        index: u32,
    },
}

impl Place {
    /// The lane, where the place has one.
    pub fn lane(self) -> Option<u32> {
        match self {
            Place::Live { lane } | Place::Output { lane, .. } => Some(lane),
            _ => None,
        }
    }

    /// The same of another lane, where it has one.
    pub(crate) fn on(self, other: impl Fn(u32) -> u32) -> Place {
        match self {
            Place::Live { lane } => Place::Live { lane: other(lane) },
            Place::Output { lane, original, port } => Place::Output { lane: other(lane), original, port },
            _ => self,
        }
    }

    /// The output that reports count it under: `o0.y`, `particles`.
    pub fn output(self, original: &Program, binding: &Binding) -> String {
        match self {
            Place::Live { .. } => "discard".into(),
            Place::Output { original: (id, component), .. } => output_place(original, id, component),
            Place::Memory { resource, .. } => resource_names(&original.interface)[resource.index()].clone(),
            Place::Counter { index } => counter_name(original, binding, index as usize),
        }
    }

    /// Its whole name: `o0.y`, `particles[17].velocity.y`.
    pub fn name(self, original: &Program, binding: &Binding) -> String {
        let output = self.output(original, binding);
        match self {
            Place::Memory { resource, element, level, original: offset, .. } => {
                let resource = original.interface.resource(resource);
                let array = if resource.count == Some(1) { String::new() } else { format!("[{element}]") };
                match resource.shape {
                    Shape::Texture(_) => format!("{output}{array} level {level} word {}", offset / 4),
                    _ => {
                        let word = word_name(resource, offset as usize);
                        let point = if word.starts_with('[') { "" } else { "." };
                        format!("{output}{array}{point}{word}")
                    }
                }
            }
            _ => output,
        }
    }
}

fn counter_name(original: &Program, binding: &Binding, index: usize) -> String {
    let names = resource_names(&original.interface);
    match binding.counters.get(index) {
        Some((Counter::Hidden(id), _)) => format!("{}.counter", names[id.index()]),
        Some((Counter::Word(id, _), _)) => names[id.index()].clone(),
        None => "counter".into(),
    }
}

/// Two words that are not the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Where.
    pub place: Place,
    /// The original's bits.
    pub original: u32,
    /// The port's.
    pub port: u32,
    /// Whether both are 32-bit floats that float operations made.
    pub float: bool,
    /// Whether the words count as 32-bit floats where they are shown: by their declaration, or by what made one of them.
    pub number: bool,
    /// Whether the original wrote it at all.
    pub written: bool,
    /// Whether the port did.
    pub port_written: bool,
}

impl Difference {
    /// How far the words are apart.
    pub fn distance(&self) -> Distance {
        match ulps(self.original, self.port) {
            Some(ulps) if self.number => Distance::Ulps(64 - ulps.leading_zeros() as u8),
            _ => Distance::None,
        }
    }
}

/// How far two words are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// Finite floats: how many binary digits the number of representable floats between them has. 0 for the two zeros, 1 for neighbours, 2 for 2 and 3
    /// ulp, 3 for 4 to 7, up to 32.
    Ulps(u8),
    /// Not both finite floats.
    None,
}

/// What comparing one case gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Words that are the same, by output.
    pub same: BTreeMap<String, u64>,
    /// Words that are not.
    pub differences: Vec<Difference>,
    /// By resource, the first word that the original changed and for which nothing of the port stands.
    pub left_out: BTreeMap<String, String>,
}

/// Compares the outcomes of one case. `case` is the original's and the port's. `same` is told of each word that is the same.
pub fn compare(
    original: &Program,
    port: &Program,
    binding: &Binding,
    case: (&Case, &Case),
    outcomes: (&Outcome, &Outcome),
    same: &mut dyn FnMut(Place),
) -> Comparison {
    let mut comparison = Comparison::default();
    let lanes = outcomes.0.lanes.min(outcomes.1.lanes);
    let live = |outcome: &Outcome, lane: u32| outcome.live.get(lane as usize).copied().unwrap_or(true);
    let mut both = vec![true; lanes as usize];
    // Helpers are dead in both from the start; a lane that both discard is a word that agrees.
    let helpers: &[bool] = match &case.0.launch {
        gpuproof_run::Launch::Pixels { helpers, .. } => helpers,
        _ => &[],
    };
    let mut discarded = 0;
    for lane in 0..lanes {
        let (a, b) = (live(outcomes.0, lane), live(outcomes.1, lane));
        both[lane as usize] = a && b;
        if a != b {
            let (original, port) = (u32::from(a), u32::from(b));
            comparison.differences.push(Difference {
                place: Place::Live { lane },
                original,
                port,
                float: false,
                number: false,
                written: true,
                port_written: true,
            });
        } else if !a && !helpers.get(lane as usize).copied().unwrap_or(false) {
            discarded += 1;
            same(Place::Live { lane });
        }
    }
    if discarded > 0 {
        comparison.same.insert("discard".into(), discarded);
    }
    for carried in &binding.outputs {
        outputs(original, port, carried, &both, outcomes, (&mut comparison, same));
    }
    for joined in &binding.resources {
        memory((original, port), binding, joined, case, outcomes, (&mut comparison, same));
    }
    for (index, (from, to)) in binding.counters.iter().enumerate() {
        let final_value = |counter: Counter, outcome: &Outcome, case: &Case| {
            let id = counter.resource().index();
            let after = outcome.resources.get(id).filter(|bound| !bound.is_empty());
            match after {
                Some(_) => crate::bind::read_counter(counter, &outcome.resources),
                None => crate::bind::read_counter(counter, &case.resources),
            }
        };
        let (a, b) = (final_value(*from, outcomes.0, case.0), final_value(*to, outcomes.1, case.1));
        let place = Place::Counter { index: index as u32 };
        if a == b {
            *comparison.same.entry(counter_name(original, binding, index)).or_default() += 1;
            same(place);
        } else {
            let (float, number, written, port_written) = (false, false, true, true);
            comparison.differences.push(Difference { place, original: a, port: b, float, number, written, port_written });
        }
    }
    comparison
}

fn outputs(
    original: &Program,
    port: &Program,
    carried: &Carried<OutputId>,
    live: &[bool],
    outcomes: (&Outcome, &Outcome),
    (comparison, is_same): (&mut Comparison, &mut dyn FnMut(Place)),
) {
    let empty = gpuproof_run::OutputValues::default();
    let (id, component) = carried.original;
    let (port_id, port_component) = carried.port;
    let (a, b) =
        (outcomes.0.outputs.get(id.index()).unwrap_or(&empty), outcomes.1.outputs.get(port_id.index()).unwrap_or(&empty));
    let (left, right) = (&a.components[usize::from(component)], &b.components[usize::from(port_component)]);
    let flag = |written: &[u8], lane: usize, bit: u8| written.get(lane).is_some_and(|flags| flags >> bit & 1 == 1);
    let (kind, width) = (original.interface.output(id).kind, original.interface.output(id).width.bits());
    let port_width = port.interface.output(port_id).width;
    let mut same = 0;
    for lane in (0..live.len()).filter(|lane| live[*lane]) {
        let (written, port_written) = (flag(&a.written, lane, component), flag(&b.written, lane, port_component));
        if !written && !port_written {
            continue;
        }
        let (x, y) = (left.get(lane).copied().unwrap_or(0), right.get(lane).copied().unwrap_or(0));
        let expected = if carried.convert == Convert::Same { x } else { carried.convert.to_port(x, port_width) };
        let made = (flag(&a.written, lane, component + 4), flag(&b.written, lane, port_component + 4));
        let float = made.0 && made.1;
        let place = Place::Output { lane: lane as u32, original: carried.original, port: carried.port };
        // What only one of them wrote is not the same, whatever stands there.
        if written && port_written && (expected == y || (float && is_nan(x, width) && is_nan(y, width))) {
            same += 1;
            is_same(place);
        } else {
            let number = width == 32 && (kind == Kind::Float || made.0 || made.1);
            let float = float && width == 32;
            comparison.differences.push(Difference { place, original: x, port: y, float, number, written, port_written });
        }
    }
    if same > 0 {
        *comparison.same.entry(output_place(original, id, component)).or_default() += same;
    }
}

/// The bytes of a binding, level by level.
fn levels(bound: &Bound) -> Vec<&[u8]> {
    match bound {
        Bound::Unbound => Vec::new(),
        Bound::Buffer(buffer) => vec![&buffer.bytes[..]],
        Bound::Texture(texture) => texture.levels.iter().map(|level| &level[..]).collect(),
    }
}

pub(super) fn bit(bits: &[u8], at: usize) -> bool {
    bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
}

/// The runs of a transfer.
pub(super) fn runs_of(transfer: &Transfer) -> Vec<Run> {
    match transfer {
        Transfer::Bytes(runs) => runs.clone(),
        Transfer::Whole | Transfer::Texels(_) => vec![Run::identity()],
    }
}

fn memory(
    programs: (&Program, &Program),
    binding: &Binding,
    joined: &crate::bind::Joined,
    case: (&Case, &Case),
    outcomes: (&Outcome, &Outcome),
    (comparison, is_same): (&mut Comparison, &mut dyn FnMut(Place)),
) {
    let none: &[Bound] = &[];
    let of = |resources: &'_ [Vec<Bound>], id: ResourceId| -> Vec<Bound> {
        resources.get(id.index()).map_or(none, |bound| &bound[..]).to_vec()
    };
    let (after, port_after) = (of(&outcomes.0.resources, joined.original), of(&outcomes.1.resources, joined.port));
    if after.is_empty() && port_after.is_empty() {
        return;
    }
    let (before, port_before) = (of(&case.0.resources, joined.original), of(&case.1.resources, joined.port));
    let runs = runs_of(&joined.transfer);
    let original = programs.0;
    let name = &resource_names(&original.interface)[joined.original.index()];
    let counters: Vec<(u32, u32)> = binding
        .counters
        .iter()
        .filter_map(|(from, _)| match from {
            Counter::Word(id, offset) if *id == joined.original => Some((id.0, *offset)),
            _ => None,
        })
        .collect();
    let leaves = leaves_of(original.interface.resource(joined.original));
    let mut same = 0;
    for (element, unchanged) in before.iter().enumerate() {
        let port_old = port_before.get(element).unwrap_or(&Bound::Unbound);
        let (a, b) = (after.get(element).unwrap_or(unchanged), port_after.get(element).unwrap_or(port_old));
        let nature = Nature::of(programs, joined, (a, b));
        let is_number = |at: usize, made: bool| match &leaves {
            Some(leaves) => {
                scalar_at(leaves, at).is_some_and(|(scalar, _)| (scalar.kind, scalar.width) == (Kind::Float, Width::W32))
            }
            None => made && !matches!(nature, Nature::Texels(_)),
        };
        let flags = |outcome: &Outcome, id: ResourceId| -> Vec<u8> {
            outcome.float_words.get(id.index()).and_then(|elements| elements.get(element)).cloned().unwrap_or_default()
        };
        let (floats, port_floats) = (flags(outcomes.0, joined.original), flags(outcomes.1, joined.port));
        let old = (levels(unchanged), levels(port_old));
        let port_levels = levels(b);
        for (level, left) in levels(a).into_iter().enumerate() {
            let right = port_levels.get(level).copied().unwrap_or(&[]);
            let mut covered = vec![false; left.len().div_ceil(4)];
            let place = |at: usize, to: usize| Place::Memory {
                resource: joined.original,
                element: element as u32,
                level: level as u32,
                original: at as u32,
                port_resource: joined.port,
                port: to as u32,
            };
            let (old, port_old) = (old.0.get(level).copied().unwrap_or(&[]), old.1.get(level).copied().unwrap_or(&[]));
            pieces(&runs, left.len(), right.len(), &mut |at, to, bytes| {
                for step in (0..bytes).step_by(4) {
                    let (at, to) = (at + step, to + step);
                    let (Some(x), Some(y)) = (padded(left, at), padded(right, to)) else { continue };
                    if let Some(covered) = covered.get_mut(at / 4) {
                        *covered = true;
                    }
                    if counters.iter().any(|(_, offset)| *offset as usize == at) {
                        continue;
                    }
                    let judged = (x != y).then(|| {
                        let made = bit(&floats, at / 4) && bit(&port_floats, to / 4);
                        let double =
                            |back: usize| Some((long(left, at.checked_sub(back)?)?, long(right, to.checked_sub(back)?)?));
                        nature.judge((at, to), (x, y), made, &double)
                    });
                    match judged {
                        Some(judged) if !judged.same => {
                            let (place, float) = (place(at, to), judged.float);
                            let number = float || is_number(at, bit(&floats, at / 4) || bit(&port_floats, to / 4));
                            let (written, port_written) = (true, true);
                            comparison.differences.push(Difference {
                                place,
                                original: x,
                                port: y,
                                float,
                                number,
                                written,
                                port_written,
                            });
                        }
                        _ if padded(old, at) != Some(x) || padded(port_old, to) != Some(y) => {
                            same += 1;
                            is_same(place(at, to));
                        }
                        // Neither changed it.
                        _ => {}
                    }
                }
            });
            let changed = |at: &usize| padded(left, *at) != padded(old, *at);
            let counter = |at: &usize| counters.iter().any(|(_, offset)| *offset as usize == *at);
            let mut uncovered = (0..covered.len()).filter(|word| !covered[*word]).map(|word| word * 4);
            if let Some(at) = uncovered.find(|at| changed(at) && !counter(at)) {
                comparison.left_out.entry(name.clone()).or_insert_with(|| place(at, 0).name(original, binding));
            }
        }
    }
    if same > 0 {
        *comparison.same.entry(name.clone()).or_default() += same;
    }
}

/// Two words as one number.
fn long(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from(word(bytes, offset)?) | u64::from(word(bytes, offset.checked_add(4)?)?) << 32)
}

/// The word at an offset, filled with zeros where the memory ends inside it.
fn padded(bytes: &[u8], offset: usize) -> Option<u32> {
    word(bytes, offset).or_else(|| {
        let rest = bytes.get(offset..)?;
        let mut whole = [0; 4];
        whole.get_mut(..rest.len())?.copy_from_slice(rest);
        (!rest.is_empty()).then(|| u32::from_le_bytes(whole))
    })
}

impl Place {
    /// The original's word at this place of an outcome; none where there is none.
    pub fn read(self, binding: &Binding, case: &Case, outcome: &Outcome) -> Option<u32> {
        match self {
            Place::Live { lane } => outcome.live.get(lane as usize).map(|live| u32::from(*live)),
            Place::Output { lane, original: (id, component), .. } => {
                outcome.outputs.get(id.index())?.components[usize::from(component)].get(lane as usize).copied()
            }
            Place::Memory { resource, element, level, original, .. } => {
                let bound = outcome.resources.get(resource.index())?.get(element as usize)?;
                padded(levels(bound).get(level as usize)?, original as usize)
            }
            Place::Counter { index } => {
                let counter = binding.counters.get(index as usize)?.0;
                let written = outcome.resources.get(counter.resource().index()).is_some_and(|bound| !bound.is_empty());
                Some(crate::bind::read_counter(counter, if written { &outcome.resources } else { &case.resources }))
            }
        }
    }
}
