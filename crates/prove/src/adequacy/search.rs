//! Looks for cases that reach what the others do not: from the lane that is nearest to a condition, with one input changed on each lane, one constant
//! changed for all, again and again.

use super::aim::{Aim, Aimed, Distances, aim};
use super::goals::Key;
use super::slice::slice;
use crate::cases::uses::{self, Use, Uses};
use crate::cases::values::{FLOAT_EDGES, INTEGER_EDGES};
use crate::cases::{CaseClass, lanes};
use crate::random::Random;
use gpuproof_program::{FunctionId, Program, SamplerId, Shape, Value};
use gpuproof_run::{AddressMode, Binding, Case, Launch, Observed, Observer, Options, Plan, RowBits, Texture};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A condition that some lane should meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) key: Key,
    pub(super) truth: bool,
    /// How a sampler has to address meanwhile.
    pub(super) addressed: Option<(SamplerId, usize, AddressMode)>,
}

/// A case that the search starts from.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) case: Case,
    pub(crate) class: CaseClass,
}

/// What is searched in.
pub(super) struct Space<'a> {
    /// The program with its probes.
    pub(super) program: &'a Program,
    /// The program whose cases these are: the original.
    pub(super) original: &'a Program,
    /// Where it is the port that is searched in: the port, and how cases go over to it.
    pub(super) port: Option<(&'a Program, &'a crate::bind::Binding)>,
    pub(super) starts: &'a [Start],
    pub(super) seed: u64,
    /// Rounds for each condition.
    pub(super) rounds: usize,
    /// Steps that all runs may take together.
    pub(super) max_steps: u64,
    /// Whether infinities, NaNs and subnormals may be tried.
    pub(super) edges: bool,
}

/// Cases that a search adds at most.
pub(super) const FOUND: usize = 64;

/// Lanes of a tried case.
const LANES: u32 = 256;

impl Space<'_> {
    /// A case of the original as the program that is searched in takes it.
    fn own<'c>(&self, case: &'c Case) -> Cow<'c, Case> {
        match self.port {
            Some((port, binding)) => Cow::Owned(binding.translate(self.original, port, case)),
            None => Cow::Borrowed(case),
        }
    }

    /// The original's sampler that stands for one of the program that is searched in.
    fn sampler(&self, sampler: SamplerId) -> Option<SamplerId> {
        match self.port {
            Some((_, binding)) => binding.samplers.iter().find(|pair| pair.1 == sampler).map(|pair| pair.0),
            None => Some(sampler),
        }
    }
}

/// For each condition the case that meets it, if one was found: cases, and for each condition one of them.
pub(super) fn search(space: &Space<'_>, wanted: &[Wanted]) -> (Vec<Start>, Vec<Option<usize>>) {
    let conditions: Vec<(Key, bool)> = wanted.iter().map(|wanted| (wanted.key, wanted.truth)).collect();
    let aimed = aim(space.program, &conditions);
    let mut found = (Vec::new(), vec![None; wanted.len()]);
    let Ok(plan) = Plan::compile(&aimed.program) else { return found };
    let mut climb = Climb {
        space,
        aimed: &aimed,
        plan,
        uses: uses::uses(space.original),
        random: Random::stream(space.seed, "search", 0),
        strange: false,
        steps: 0,
    };
    for at in 0..wanted.len() {
        if found.1[at].is_some() {
            continue;
        }
        if climb.steps > space.max_steps {
            break;
        }
        if let Some((case, met)) = climb.toward(wanted, at, &found.1) {
            for other in met {
                found.1[other].get_or_insert(found.0.len());
            }
            found.0.push(case);
            if found.0.len() == FOUND {
                break;
            }
        }
    }
    found
}

struct Climb<'a> {
    space: &'a Space<'a>,
    aimed: &'a Aimed,
    plan: Plan,
    uses: Uses,
    random: Random,
    /// Whether infinities, NaNs or subnormals were put in since it was asked for.
    strange: bool,
    steps: u64,
}

/// Which conditions some lane met.
struct Met<'a> {
    wanted: &'a [Wanted],
    of: HashMap<(FunctionId, Value), Vec<usize>>,
    case: &'a Case,
    met: BTreeSet<usize>,
    distances: Distances<'a>,
}

impl Observer for Met<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.of.contains_key(&(function, value)) || self.distances.wants(function, value)
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let key = (observed.function, observed.value);
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        for &at in self.of.get(&key).into_iter().flatten() {
            let wanted = &self.wanted[at];
            let addressed = wanted.addressed.is_none_or(|(sampler, axis, mode)| {
                self.case.samplers[sampler.index()].first().is_some_and(|state| state.address[axis] == mode)
            });
            let is = |slot: usize| observed.active[slot / 64] >> (slot % 64) & 1 == 1 && (words[slot] != 0) == wanted.truth;
            if addressed && (0..words.len()).any(is) {
                self.met.insert(at);
            }
        }
        self.distances.value(observed);
    }
}

impl Climb<'_> {
    /// Runs a case: the conditions that it meets, and the lane nearest to one, with its distance. None where it does not end or does what is undefined.
    fn run(&mut self, case: &Case, wanted: &[Wanted], aim: &Aim, open: &[Option<usize>]) -> Option<(BTreeSet<usize>, u32, f64)> {
        let mut of: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, wanted) in wanted.iter().enumerate().filter(|(at, _)| open[*at].is_none()) {
            of.entry(wanted.key).or_default().push(at);
        }
        let lanes = lanes(self.space.original, &case.launch) as u32;
        let case = self.space.own(case);
        let distances = Distances::new(self.aimed, aim, lanes as usize);
        let mut met = Met { wanted, of, case: &case, met: BTreeSet::new(), distances };
        let options = Options { max_steps: 2_000_000, races: false, max_events: 0, ..Options::default() };
        let outcome = self.plan.run_observed(&case, &options, &mut met);
        self.steps += outcome.as_ref().map_or(options.max_steps, |outcome| outcome.steps);
        outcome.ok()?;
        let (lane, distance) = met.distances.nearest(aim, lanes);
        Some((met.met, lane, distance))
    }

    /// Looks for a case that meets a condition, or on the way another that is open.
    fn toward(&mut self, wanted: &[Wanted], at: usize, open: &[Option<usize>]) -> Option<(Start, BTreeSet<usize>)> {
        let aim = self.aimed.aims[at].clone();
        // The nearest start.
        let mut best: Option<(f64, u32, Start)> = None;
        for start in self.space.starts.iter().filter(|start| self.space.edges || start.class == CaseClass::Finite) {
            let mut start = start.clone();
            self.address(&mut start.case, &wanted[at]);
            let Some((met, lane, distance)) = self.run(&start.case, wanted, &aim, open) else { continue };
            if met.contains(&at) {
                return Some((start, met));
            }
            if best.as_ref().is_none_or(|best| distance < best.0) {
                best = Some((distance, lane, start));
            }
        }
        let (mut distance, mut lane, mut start) = best?;
        for round in 0..self.space.rounds {
            let mut next = start.clone();
            self.spread(&mut next.case, lane);
            // Constants change for all lanes at once; every other round leaves them.
            if round % 2 == 1 || self.space.original.interface.inputs.is_empty() {
                self.change_resource(&mut next.case);
            }
            if std::mem::take(&mut self.strange) {
                next.class = CaseClass::Edge;
            }
            self.address(&mut next.case, &wanted[at]);
            let Some((met, nearest, now)) = self.run(&next.case, wanted, &aim, open) else { continue };
            if met.contains(&at) {
                return Some((next, met));
            }
            if now <= distance {
                (distance, lane, start) = (now, nearest, next);
            }
        }
        None
    }

    fn address(&self, case: &mut Case, wanted: &Wanted) {
        if let Some((sampler, axis, mode)) = wanted.addressed
            && let Some(sampler) = self.space.sampler(sampler)
        {
            case.samplers[sampler.index()].iter_mut().for_each(|state| state.address[axis] = mode);
        }
    }

    /// Puts the inputs of a lane on all lanes, with one of them changed on each but the first.
    fn spread(&mut self, case: &mut Case, lane: u32) {
        let count = match &case.launch {
            Launch::Groups { .. } => return,
            _ => LANES,
        };
        let part = slice(self.space.original, case, &BTreeSet::from([lane]));
        let unit = lanes(self.space.original, &part.launch).max(1) as u32;
        let copies = count / unit;
        let launch = match &part.launch {
            Launch::Pixels { .. } => Launch::Pixels { quads: copies, helpers: Vec::new() },
            _ => Launch::Vertices { count },
        };
        *case = Case { launch, ..part };
        for values in &mut case.inputs {
            for component in values.components.iter_mut().filter(|component| !component.is_empty()) {
                *component = component.repeat(copies as usize);
            }
        }
        let places: Vec<(usize, usize)> = case
            .inputs
            .iter()
            .enumerate()
            .flat_map(|(input, values)| (0..4).filter(|at| !values.components[*at].is_empty()).map(move |at| (input, at)))
            // An index stays where it hits: out of range, programs show nothing but the rules for that.
            .filter(|(input, at)| !self.uses.inputs[*input][*at].has(Use::INDEX))
            .collect();
        for copy in 1..copies {
            for _ in 0..1 + self.random.below(2) {
                let Some(&(input, component)) = self.random.pick(&places) else { break };
                let variable = &self.space.original.interface.inputs[input];
                let words = &mut case.inputs[input].components[component];
                let (first, last) = ((copy * unit) as usize, ((copy + 1) * unit) as usize);
                // A quad keeps its gradients, mostly; what is flat stays flat.
                let one = usize::from(self.random.one_in(4) && variable.interpolation != gpuproof_program::Interpolation::Flat);
                let old = words[first + (lane % unit) as usize];
                let new = self.changed(old) & variable.width.mask() as u32;
                for (slot, word) in words[first..last].iter_mut().enumerate() {
                    if one == 0 || slot as u32 == lane % unit {
                        let moved = f32::from_bits(new) + (f32::from_bits(*word) - f32::from_bits(old));
                        *word = if moved.is_finite() && slot as u32 != lane % unit { moved.to_bits() } else { new };
                    }
                }
            }
        }
    }

    /// Changes a few words of a buffer that the program reads, or of a texture.
    fn change_resource(&mut self, case: &mut Case) {
        let interface = &self.space.original.interface;
        if interface.resources.is_empty() {
            return;
        }
        let at = self.random.below(interface.resources.len() as u32) as usize;
        let Some(bound) = case.resources[at].first_mut() else { return };
        match bound {
            Binding::Buffer(buffer) => {
                let bytes = Arc::make_mut(&mut buffer.bytes);
                let words = (bytes.len() / 4) as u32;
                if words == 0 {
                    return;
                }
                let mut known: Vec<u32> = self.uses.words[at].keys().copied().collect();
                known.sort_unstable();
                let constants = matches!(interface.resources[at].shape, Shape::ConstantBuffer { .. });
                let count = if constants { 1 + self.random.below(2) } else { (words / 4).max(1) };
                for _ in 0..count {
                    let offset = match self.random.pick(&known) {
                        Some(offset) if constants => *offset as usize,
                        _ => self.random.below(words) as usize * 4,
                    };
                    let used = self.uses.words[at].get(&(offset as u32)).copied().unwrap_or(self.uses.dynamic[at]);
                    let Some(place) = bytes.get_mut(offset..offset + 4).filter(|_| !used.has(Use::INDEX)) else { continue };
                    let old = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
                    place.copy_from_slice(&self.changed(old).to_le_bytes());
                }
            }
            Binding::Texture(texture) => {
                // Texels of 32-bit channels alone are numbers of their own.
                if matches!(texture.format.0, 2 | 41) {
                    let new = self.changed(0x3f00_0000);
                    let texture: &mut Texture = Arc::make_mut(texture);
                    for level in &mut texture.levels {
                        for word in level.chunks_exact_mut(4) {
                            if self.random.one_in(4) {
                                word.copy_from_slice(&new.to_le_bytes());
                            }
                        }
                    }
                }
            }
            Binding::Unbound => {}
        }
    }

    /// Another word near one, or an edge.
    fn changed(&mut self, old: u32) -> u32 {
        let random = &mut self.random;
        let value = f32::from_bits(old);
        let new = match random.below(10) {
            0..=2 => old.wrapping_add(1 << random.below(24)),
            3..=5 => old.wrapping_sub(1 << random.below(24)),
            6 => (value * [0.5, 2.0, -1.0, 1.5, 0.75, 10.0, 0.1][random.below(7) as usize]).to_bits(),
            7 => (value + random.signed()).to_bits(),
            8 => random.pick(FLOAT_EDGES).copied().unwrap_or(0),
            _ => random.pick(INTEGER_EDGES).copied().unwrap_or(0),
        };
        let is_strange = |float: f32| !float.is_finite() || float.is_subnormal();
        // Small integers look like subnormals.
        let strange = is_strange(f32::from_bits(new)) && (value.is_normal() || new >> 23 & 0xff == 0xff);
        if strange && !self.space.edges {
            return old ^ 1;
        }
        self.strange |= strange;
        new
    }
}
