//! The scheduler: batches, strands, control flow, budgets.

use super::bind::{self, Element};
use super::events::{Events, Named};
use super::mask::Mask;
use super::memory::Shared;
use super::rows::{Isa, Operand, Rows};
use super::step::{Scalar, Sized, Step, Switch, Taint};
use super::{Definition, Plan, place_name};
use crate::case::{Case, Launch};
use crate::event::{EventKind, Facts, Site};
use crate::outcome::{Observed, Observer, Options, Outcome, OutputValues, RowBits, RunError, Schedule};
use gpuproof_program::{Op, Stage, Width};
use std::ops::Range;

/// Lanes of a row, unless a group has more.
const ROW: usize = 256;

/// Runs a plan.
pub(super) fn run<'a>(
    plan: &'a Plan,
    case: &'a Case,
    options: &'a Options,
    isa: Isa,
    observer: Option<&'a mut dyn Observer>,
) -> Result<Outcome, RunError> {
    let shape = bind::check(&plan.program, case)?;
    let mut budget = bind::Budget::new(options.max_memory);
    if options.schedule != Schedule::Canonical {
        budget.take("the order of groups", u64::from(shape.groups) * 16)?;
    }
    let batches = Batches::of(plan, case, &shape, options, observer.is_some());
    let mut machine = Machine::new(plan, case, options, isa, &shape, &batches, budget, observer)?;
    for at in 0..batches.count {
        machine.batch(&batches, at)?;
    }
    machine.finish()
}

/// How the lanes of a launch are cut into groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaunchShape {
    /// All lanes.
    pub(super) lanes: u32,
    /// Lanes of a group: of a batch where lanes have no groups.
    pub(super) threads: u32,
    /// Groups.
    pub(super) groups: u32,
    /// Groups in x, y and z.
    pub(super) group_count: [u32; 3],
}

/// How groups are cut into batches.
struct Batches {
    count: u32,
    /// Groups of a batch.
    packed: u32,
    /// Rows' lanes from one group of a batch to the next.
    stride: usize,
    /// Lanes that a row needs.
    lanes: usize,
    /// The order of the groups, where it is not by index.
    order: Option<Vec<u32>>,
}

impl Batches {
    fn of(plan: &Plan, case: &Case, shape: &LaunchShape, options: &Options, is_observed: bool) -> Batches {
        let threads = shape.threads as usize;
        let align = match (plan.facts.uses_waves, plan.facts.uses_quads) {
            (true, _) => case.wave_size as usize,
            (false, true) => 4,
            (false, false) => 1,
        };
        let stride = threads.next_multiple_of(align);
        // Observers are shown stretches of lanes without holes.
        let holes = is_observed && stride != threads;
        let may_pack = plan.program.stage == Stage::Compute && plan.facts.groups_are_independent && !holes;
        let packed = if may_pack { (ROW / stride.max(1)).clamp(1, shape.groups.max(1) as usize) } else { 1 };
        let order = match options.schedule {
            _ if options.schedule_sites.is_some() => None,
            Schedule::Canonical => None,
            Schedule::Reversed => Some((0..shape.groups).rev().collect()),
            Schedule::Permuted(seed) => Some(permutation(shape.groups, seed)),
        };
        let count = shape.groups.div_ceil(packed as u32);
        Batches { count, packed: packed as u32, stride, lanes: stride * packed, order }
    }

    fn group(&self, at: u32) -> u32 {
        self.order.as_ref().map_or(at, |order| order[at as usize])
    }
}

/// The numbers below `count` in an order that follows from the seed.
fn permutation(count: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_by_key(|at| (mix(seed ^ u64::from(*at)), *at));
    order
}

/// splitmix64's step.
pub(super) fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// What an observer wants to see.
struct Watch<'a> {
    observer: &'a mut dyn Observer,
    /// For each step the stretch of `wanted` that it makes.
    at: Vec<Range<usize>>,
    /// Indices of definitions.
    wanted: Vec<usize>,
    /// For each of `wanted` whether it may be replaced.
    replaced: Vec<bool>,
}

/// One run under way.
pub(super) struct Machine<'a> {
    pub(super) plan: &'a Plan,
    pub(super) case: &'a Case,
    pub(super) options: &'a Options,
    pub(super) shape: LaunchShape,
    pub(super) rows: Rows,
    /// The groups of this batch.
    pub(super) groups: Vec<u32>,
    /// Rows' lanes from one group of the batch to the next.
    pub(super) stride: usize,
    /// All lanes of the batch.
    pub(super) valid: Mask,
    /// The lanes of the strand that runs.
    pub(super) active: Mask,
    pub(super) active_count: u32,
    /// Whether those are all lanes of the batch.
    pub(super) is_full: bool,
    /// The strands that wait, the highest place first.
    pub(super) waiting: Vec<(u32, Mask)>,
    spare: Vec<Mask>,
    /// Pixels whose outputs and stores do not count.
    pub(super) helpers: Mask,
    /// How often each loop has gone round.
    pub(super) counters: Vec<u32>,
    taints: Vec<Mask>,
    /// The order of lanes within an operation, where it is not by index.
    lane_order: Option<Vec<u32>>,
    /// Lanes of the operation at hand, in order.
    pub(super) list: Vec<usize>,
    buffers: Vec<Vec<u32>>,
    pub(super) arrays: Vec<super::effect::Array>,
    pub(super) shared: Vec<Vec<Shared>>,
    pub(super) resources: Vec<Vec<Element>>,
    pub(super) outputs: Vec<OutputValues>,
    pub(super) live: Vec<bool>,
    /// Each group's count of barriers, for group-shared memory and for resources.
    pub(super) epochs: Vec<[u32; 2]>,
    /// The step that runs.
    pub(super) place: usize,
    pub(super) steps: u64,
    pub(super) effort: u64,
    segment: usize,
    pub(super) events: Events,
    /// Where choices for what is undefined are made: the site of the operation at hand.
    pub(super) site: Site,
    watch: Option<Watch<'a>>,
}

impl<'a> Machine<'a> {
    #[allow(clippy::too_many_arguments)]
    fn new(
        plan: &'a Plan,
        case: &'a Case,
        options: &'a Options,
        isa: Isa,
        shape: &LaunchShape,
        batches: &Batches,
        mut budget: bind::Budget,
        observer: Option<&'a mut dyn Observer>,
    ) -> Result<Machine<'a>, RunError> {
        let lanes = batches.lanes.max(1);
        budget.take("registers", Rows::bytes(plan.constants.len(), plan.registers, lanes))?;
        let masks = (plan.taints as u64 + 8) * lanes.div_ceil(64) as u64 * 8;
        budget.take("sets of lanes", masks)?;
        let arrays = super::effect::arrays(&plan.program, lanes, &mut budget)?;
        let shared = super::memory::shared(plan, batches.packed, shape.threads, options, &mut budget)?;
        let resources = bind::elements(plan, case, shape, options, &mut budget)?;
        let outputs = bind::outputs(&plan.program, shape.lanes, &mut budget)?;
        let is_pixel = plan.program.stage == Stage::Pixel;
        let lane_order = match options.schedule {
            Schedule::Canonical => None,
            Schedule::Reversed => Some((0..lanes as u32).rev().collect()),
            Schedule::Permuted(seed) => Some(permutation(lanes as u32, !seed)),
        };
        let watch = observer.map(|observer| {
            let wants: Vec<usize> = (0..plan.definitions.len())
                .filter(|at| observer.wants(plan.definitions[*at].function, plan.definitions[*at].value))
                .collect();
            let mut at = vec![0..0; plan.steps.len()];
            let mut wanted = wants;
            wanted.sort_by_key(|definition| (plan.definitions[*definition].step, *definition));
            for (position, definition) in wanted.iter().enumerate() {
                let range: &mut Range<usize> = &mut at[plan.definitions[*definition].step];
                *range = if range.start == range.end { position..position + 1 } else { range.start..position + 1 };
            }
            let may_replace = |at: &usize| {
                let definition = &plan.definitions[*at];
                let register = plan.is_literal && !definition.sized.at.is_constant();
                register && observer.replaces(definition.function, definition.value)
            };
            let replaced = wanted.iter().map(may_replace).collect();
            Watch { observer, at, wanted, replaced }
        });
        let mut machine = Machine {
            rows: Rows::new(&plan.constants, plan.registers, lanes, isa, options.machine),
            groups: Vec::new(),
            stride: batches.stride,
            valid: Mask::none(lanes),
            active: Mask::none(lanes),
            active_count: 0,
            is_full: true,
            waiting: Vec::new(),
            spare: Vec::new(),
            helpers: Mask::none(lanes),
            counters: vec![0; plan.loops.len()],
            taints: vec![Mask::none(lanes); plan.taints],
            lane_order,
            list: Vec::new(),
            buffers: Vec::new(),
            arrays,
            shared,
            resources,
            outputs,
            live: if is_pixel { vec![false; shape.lanes as usize] } else { Vec::new() },
            epochs: Vec::new(),
            place: 0,
            steps: 0,
            effort: 0,
            segment: 0,
            events: Events::default(),
            site: Site::default(),
            watch,
            shape: *shape,
            plan,
            case,
            options,
        };
        machine.prepare_uniforms();
        Ok(machine)
    }

    /// Runs one batch.
    fn batch(&mut self, batches: &Batches, at: u32) -> Result<(), RunError> {
        let first = at * batches.packed;
        let last = first.saturating_add(batches.packed).min(self.shape.groups);
        self.groups.clear();
        self.groups.extend((first..last).map(|group| batches.group(group)));
        self.valid.clear();
        for (local, group) in self.groups.iter().enumerate() {
            let left = self.shape.lanes - group * self.shape.threads;
            for thread in 0..left.min(self.shape.threads) as usize {
                self.valid.insert(local * self.stride + thread);
            }
        }
        self.helpers.clear();
        if let Launch::Pixels { helpers, .. } = &self.case.launch
            && !helpers.is_empty()
        {
            for slot in self.valid.iter() {
                if helpers[self.lane(slot) as usize] {
                    self.helpers.insert(slot);
                }
            }
        }
        self.taints.iter_mut().for_each(Mask::clear);
        self.epochs.clear();
        self.epochs.resize(self.groups.len(), [0; 2]);
        self.reset_arrays();
        self.reset_shared();
        self.active.copy_from(&self.valid);
        self.recount();
        self.execute()?;
        if !self.live.is_empty() {
            for slot in self.valid.iter() {
                let lane = self.lane(slot) as usize;
                self.live[lane] = !self.helpers.contains(slot);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Outcome, RunError> {
        // What a lane wrote before it was discarded does not count.
        for (lane, live) in self.live.iter().enumerate() {
            if !live {
                for output in &mut self.outputs {
                    output.components.iter_mut().filter_map(|words| words.get_mut(lane)).for_each(|word| *word = 0);
                    output.written[lane] = 0;
                }
            }
        }
        let written = &self.plan.facts.written;
        let mut writers = Vec::new();
        if self.options.writers {
            for (elements, (written, granule)) in self.resources.iter().zip(written.iter().zip(&self.plan.facts.granule)) {
                let elements = if *written { &elements[..] } else { &[] };
                writers.push(elements.iter().map(|element| element.writers(*granule)).collect());
            }
        }
        let mut resources = Vec::new();
        let mut float_words = Vec::new();
        for (elements, written) in self.resources.into_iter().zip(written) {
            let (bindings, floats) =
                if *written { elements.into_iter().map(Element::finish).unzip() } else { Default::default() };
            resources.push(bindings);
            float_words.push(floats);
        }
        Ok(Outcome {
            lanes: self.shape.lanes,
            outputs: self.outputs,
            resources,
            float_words,
            writers,
            live: self.live,
            event_count: self.events.count,
            event_counts: self.events.counts(),
            events: self.events.kept,
            steps: self.steps,
            effort: self.effort,
        })
    }

    /// The number of the lane in a row's position.
    #[inline]
    pub(super) fn lane(&self, slot: usize) -> u32 {
        let (local, thread) = if self.groups.len() == 1 { (0, slot) } else { (slot / self.stride, slot % self.stride) };
        self.groups[local] * self.shape.threads + thread as u32
    }

    /// The number of the first lane and how many, if the lanes of the batch are numbered without holes.
    pub(super) fn contiguous(&self) -> Option<(usize, usize)> {
        let dense = self.groups.len() == 1
            || (self.stride == self.shape.threads as usize && self.groups.windows(2).all(|pair| pair[1] == pair[0] + 1));
        let first = self.groups[0] as usize * self.shape.threads as usize;
        let lanes = (self.groups.len() * self.shape.threads as usize).min(self.shape.lanes as usize - first);
        dense.then_some((first, lanes))
    }

    /// The order of lanes in the operation at hand, where it is not by index.
    fn lane_order_here(&self) -> Option<&Vec<u32>> {
        let is_here = self.options.schedule_sites.as_ref().is_none_or(|sites| sites.binary_search(&self.site).is_ok());
        self.lane_order.as_ref().filter(|_| is_here)
    }

    /// Whether lanes come by index.
    pub(super) fn is_canonical(&self) -> bool {
        self.lane_order_here().is_none()
    }

    /// Fills `list` with the active lanes in the order of the run, without helpers if `effective`.
    pub(super) fn list_lanes(&mut self, effective: bool) -> Vec<usize> {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        let counts = |slot: &usize| !effective || !self.helpers.contains(*slot);
        match self.lane_order_here() {
            // One group's lanes stand at the start of the rows.
            None if self.is_full && self.groups.len() == 1 && (!effective || self.helpers.is_empty()) => {
                list.extend(0..self.active_count as usize);
            }
            None => list.extend(self.active.iter().filter(counts)),
            Some(order) => {
                list.extend(order.iter().map(|slot| *slot as usize).filter(|slot| self.active.contains(*slot)).filter(counts));
            }
        }
        list
    }

    /// The words of a row, or of a constant as often as there are lanes, in a buffer of the machine's: see [`Machine::give_back`].
    pub(super) fn fetch(&mut self, operand: Operand) -> Vec<u32> {
        let mut words = self.buffers.pop().unwrap_or_default();
        words.clear();
        if operand.is_constant() {
            words.resize(self.rows.lanes(), self.rows.get(operand, 0));
        } else {
            words.extend_from_slice(self.rows.row(operand));
        }
        words
    }

    /// Takes a buffer back for later use.
    pub(super) fn give_back(&mut self, words: Vec<u32>) {
        self.buffers.push(words);
    }

    /// The value of a lane; truth values as 0 and 1.
    #[inline]
    pub(super) fn value(&self, sized: Sized, slot: usize) -> u64 {
        match sized.width {
            Width::W64 => self.rows.get64(sized.at, slot),
            Width::W1 => u64::from(self.rows.get(sized.at, slot) & 1),
            _ => u64::from(self.rows.get(sized.at, slot)),
        }
    }

    /// Sets the value of a lane.
    #[inline]
    pub(super) fn set_value(&mut self, sized: Sized, slot: usize, bits: u64) {
        match sized.width {
            Width::W64 => {
                self.rows.set(sized.at, slot, bits as u32);
                self.rows.set(sized.at.high(), slot, (bits >> 32) as u32);
            }
            Width::W1 => self.rows.set(sized.at, slot, (bits as u32 & 1).wrapping_neg()),
            _ => self.rows.set(sized.at, slot, bits as u32),
        }
    }

    fn fault(&self, what: &str) -> RunError {
        RunError::Fault(format!("{what} at {}", place_name(&self.plan.program, self.plan.origins[self.place])))
    }

    fn execute(&mut self) -> Result<(), RunError> {
        let plan = self.plan;
        self.waiting.clear();
        self.segment = 0;
        let mut at = 0usize;
        loop {
            self.place = at;
            match &plan.steps[at] {
                Step::Row { kernel, args } => self.rows.apply(*kernel, args),
                Step::Unary { function, denormals, to, from } => {
                    for slot in self.active.iter() {
                        let bits = function(self.rows.get(*from, slot), *denormals);
                        self.rows.set(*to, slot, bits);
                    }
                }
                Step::Scalar(scalar) => self.scalar(scalar),
                Step::Effect(effect) => {
                    self.site = effect.site;
                    self.effect(effect)?;
                }
                Step::Move { to, from, masked } => {
                    if *masked && !self.is_full {
                        self.rows.copy_masked(*to, *from, self.active.words());
                    } else {
                        self.rows.copy(*to, *from);
                    }
                }
                Step::Taint { slot, from } => self.taint(*slot, *from),
                Step::Check { taint, chosen, site } => {
                    self.site = *site;
                    self.check(*taint, *chosen);
                }
                Step::Join => self.gather(at)?,
                Step::Jump { to } => {
                    at = self.depart(*to)?;
                    continue;
                }
                Step::Branch { condition, otherwise } => {
                    if let Some(to) = self.branch(*condition, *otherwise)? {
                        at = to;
                        continue;
                    }
                }
                Step::Switch(switch) => {
                    at = self.switch(switch)?;
                    continue;
                }
                Step::Enter { counter } => self.counters[*counter] = 0,
                Step::Latch { head, counter } => {
                    self.gather(at)?;
                    self.account(at)?;
                    self.counters[*counter] = self.counters[*counter].saturating_add(1);
                    at = *head as usize;
                    self.segment = at;
                    continue;
                }
                Step::Unreachable => return Err(self.fault("a lane reaches what none can reach")),
                Step::End => {
                    self.account(at)?;
                    return if self.waiting.is_empty() { Ok(()) } else { Err(self.fault("lanes wait behind the end")) };
                }
            }
            if let Some(watch) = &self.watch
                && watch.at[at].start != watch.at[at].end
            {
                self.observe(at);
            }
            at += 1;
        }
    }

    /// Counts the steps since the last count, up to and with this one.
    fn account(&mut self, at: usize) -> Result<(), RunError> {
        let (from, to) = (self.plan.cost[self.segment.min(at)], self.plan.cost[at + 1]);
        let lanes = u64::from(self.active_count);
        self.steps = self.steps.saturating_add((to[0] - from[0]).saturating_mul(lanes));
        self.effort = self.effort.saturating_add((to[1] - from[1]).saturating_mul(lanes));
        self.segment = at + 1;
        if self.steps > self.options.max_steps {
            return Err(self.step_limit(at));
        }
        Ok(())
    }

    fn step_limit(&self, at: usize) -> RunError {
        let inner = self.plan.around[at].map(|inner| self.plan.origins[self.plan.loops[inner].first]);
        let origin = inner.filter(|origin| self.plan.program.source.line(*origin).is_some()).unwrap_or(self.plan.origins[at]);
        RunError::StepLimit {
            steps: self.steps,
            place: place_name(&self.plan.program, origin),
            iterations: self.iterations(at),
            lanes: self.active_count,
            lane: self.active.iter().next().map_or(0, |slot| self.lane(slot)),
        }
    }

    fn recount(&mut self) {
        self.active_count = self.active.count();
        self.is_full = self.active == self.valid;
    }

    /// Lets the strand wait at a place, with those that wait there already.
    fn wait(&mut self, place: u32, lanes: Mask) {
        match self.waiting.binary_search_by(|(other, _)| place.cmp(other)) {
            Ok(at) => {
                self.waiting[at].1.add(&lanes);
                self.spare.push(lanes);
            }
            Err(at) => self.waiting.insert(at, (place, lanes)),
        }
    }

    fn new_mask(&mut self) -> Mask {
        self.spare.pop().unwrap_or_else(|| Mask::none(self.rows.lanes()))
    }

    /// Lanes that wait here go on with the strand.
    fn gather(&mut self, at: usize) -> Result<(), RunError> {
        if let Some((place, _)) = self.waiting.last()
            && *place as usize == at
            && let Some((_, lanes)) = self.waiting.pop()
        {
            self.account(at)?;
            self.active.add(&lanes);
            self.spare.push(lanes);
            self.recount();
        }
        Ok(())
    }

    /// The strand goes to a place ahead; the strand with the lowest place runs on.
    fn depart(&mut self, to: u32) -> Result<usize, RunError> {
        self.account(self.place)?;
        let mut next = to;
        if let Some((lowest, _)) = self.waiting.last()
            && *lowest < to
            && let Some((lowest, lanes)) = self.waiting.pop()
        {
            let leaving = std::mem::replace(&mut self.active, lanes);
            self.wait(to, leaving);
            self.recount();
            next = lowest;
        }
        self.segment = next as usize;
        Ok(next as usize)
    }

    /// Splits the strand by a condition. Gives where to go on if it is not the next step.
    fn branch(&mut self, condition: Operand, otherwise: u32) -> Result<Option<usize>, RunError> {
        let mut yes = self.new_mask();
        self.rows.truth(condition, yes.words_mut());
        yes.keep(&self.active);
        if yes == self.active {
            self.spare.push(yes);
            return Ok(None);
        }
        if yes.is_empty() {
            self.spare.push(yes);
            return self.depart(otherwise).map(Some);
        }
        self.account(self.place)?;
        let mut no = std::mem::replace(&mut self.active, yes);
        no.remove(&self.active);
        self.wait(otherwise, no);
        self.recount();
        Ok(None)
    }

    fn switch(&mut self, switch: &Switch) -> Result<usize, RunError> {
        let target = |selector: u32| {
            let found = switch.cases.binary_search_by_key(&selector, |(selector, _)| *selector);
            found.map_or(switch.default, |at| switch.cases[at].1)
        };
        let mut targets: Vec<(u32, Mask)> = Vec::new();
        let all = std::mem::replace(&mut self.active, self.spare.pop().unwrap_or_else(|| Mask::none(self.rows.lanes())));
        for slot in all.iter() {
            let place = target(self.rows.get(switch.selector, slot));
            match targets.iter_mut().find(|(other, _)| *other == place) {
                Some((_, lanes)) => lanes.insert(slot),
                None => {
                    let mut lanes = self.new_mask();
                    lanes.clear();
                    lanes.insert(slot);
                    targets.push((place, lanes));
                }
            }
        }
        self.account(self.place)?;
        self.spare.push(all);
        for (place, lanes) in targets {
            self.wait(place, lanes);
        }
        let Some((place, lanes)) = self.waiting.pop() else { return Err(self.fault("a switch without lanes")) };
        let idle = std::mem::replace(&mut self.active, lanes);
        self.spare.push(idle);
        self.recount();
        self.segment = place as usize;
        Ok(place as usize)
    }

    fn taint(&mut self, slot: usize, from: Taint) {
        let mut tainted = self.new_mask();
        match from {
            Taint::Never => tainted.clear(),
            Taint::Always => tainted.copy_from(&self.active),
            Taint::Slot(from) => {
                tainted.copy_from(&self.taints[from]);
                tainted.keep(&self.active);
            }
        }
        self.taints[slot].remove(&self.active);
        self.taints[slot].add(&tainted);
        self.spare.push(tainted);
    }

    fn check(&mut self, taint: Taint, chosen: Option<(Operand, bool)>) {
        let mut used = self.new_mask();
        used.copy_from(&self.active);
        match taint {
            Taint::Never => used.clear(),
            Taint::Always => {}
            Taint::Slot(slot) => used.keep(&self.taints[slot]),
        }
        if let Some((condition, side)) = chosen
            && !used.is_empty()
        {
            let mut yes = self.new_mask();
            self.rows.truth(condition, yes.words_mut());
            if side {
                used.keep(&yes)
            } else {
                used.remove(&yes)
            }
            self.spare.push(yes);
        }
        for slot in used.iter() {
            self.event(EventKind::NeverWritten, slot, Some(Named::Register), |_| Facts::Unwritten(None));
        }
        self.spare.push(used);
    }

    fn scalar(&mut self, scalar: &Scalar) {
        let active = std::mem::replace(&mut self.active, Mask::none(0));
        let mut args = [0u64; 8];
        for slot in active.iter() {
            for (value, arg) in args.iter_mut().zip(&scalar.args) {
                *value = self.value(*arg, slot);
            }
            let results = scalar.pure.evaluate_on(self.options.machine, &args[..scalar.args.len()]);
            for (result, bits) in scalar.results.iter().zip(results) {
                self.set_value(*result, slot, bits);
            }
        }
        self.active = active;
    }

    fn observe(&mut self, at: usize) {
        let Some(watch) = self.watch.take() else { return };
        let plan = self.plan;
        let iterations = self.iterations(at);
        for position in watch.at[at].clone() {
            let definition = &plan.definitions[watch.wanted[position]];
            let sized = definition.sized;
            // One stretch for all groups where lanes are numbered through, else one a group.
            let stretches: Vec<(usize, usize, usize)> = match self.contiguous() {
                Some((first, lanes)) => vec![(0, first, lanes)],
                None => {
                    let threads = self.shape.threads as usize;
                    let of = |(local, group): (usize, &u32)| (local * self.stride, *group as usize * threads, threads);
                    self.groups.iter().enumerate().map(of).collect()
                }
            };
            for (start, first, lanes) in stretches {
                let active: Vec<u64> =
                    (0..lanes).step_by(64).map(|at| self.active.stretch(start + at, 64.min(lanes - at)) as u64).collect();
                if active.iter().all(|word| *word == 0) {
                    continue;
                }
                let slots = start..start + lanes;
                if watch.replaced[position] {
                    let made: Vec<u64> = slots.clone().map(|slot| self.value(sized, slot)).collect();
                    let low: Vec<u32> = made.iter().map(|bits| *bits as u32).collect();
                    let high: Vec<u32> = made.iter().map(|bits| (*bits >> 32) as u32).collect();
                    let is_double = sized.width == Width::W64;
                    let bits = if is_double { RowBits::Doubles(&low, &high) } else { RowBits::Words(&low) };
                    let mut other = made.clone();
                    if watch.observer.replace(&observed(definition, &iterations, first as u32, &active, bits), &mut other) {
                        for (at, slot) in slots.clone().enumerate() {
                            if made[at] != other[at] && self.active.contains(slot) {
                                self.set_value(sized, slot, other[at]);
                            }
                        }
                    }
                }
                let (low, high): (Vec<u32>, Vec<u32>);
                let bits = if sized.width == Width::W64 {
                    low = slots.clone().map(|slot| self.rows.get(sized.at, slot)).collect();
                    high = slots.map(|slot| self.rows.get(sized.at.high(), slot)).collect();
                    RowBits::Doubles(&low, &high)
                } else if sized.width == Width::W1 || sized.at.is_constant() {
                    low = slots.map(|slot| self.value(sized, slot) as u32).collect();
                    RowBits::Words(&low)
                } else {
                    RowBits::Words(&self.rows.row(sized.at)[slots])
                };
                watch.observer.value(&observed(definition, &iterations, first as u32, &active, bits));
            }
        }
        self.watch = Some(watch);
    }
}

/// What an observer is shown of a definition.
fn observed<'a>(
    definition: &Definition,
    iterations: &'a [u32],
    first_lane: u32,
    active: &'a [u64],
    bits: RowBits<'a>,
) -> Observed<'a> {
    Observed { function: definition.function, value: definition.value, iterations, first_lane, active, bits }
}

impl Step {
    /// About how many steps of arithmetic take the time of this one, as measured on programs of many lookups.
    pub(super) fn weight(&self) -> u64 {
        match self {
            Step::Effect(effect) => match effect.op {
                Op::Sample | Op::SampleLevel | Op::Gather => 25,
                Op::TexelLoad | Op::TexelStore | Op::TexelAtomic => 5,
                _ => 1,
            },
            _ => 1,
        }
    }

    /// Whether it counts as a step of the budget.
    pub(super) fn is_operation(&self) -> bool {
        match self {
            Step::Effect(effect) => effect.op != Op::Undef,
            Step::Row { .. }
            | Step::Unary { .. }
            | Step::Scalar(_)
            | Step::Branch { .. }
            | Step::Switch(_)
            | Step::Latch { .. } => true,
            _ => false,
        }
    }
}
