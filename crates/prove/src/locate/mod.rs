//! Where two programs part.
//!
//! Every dynamic value (a value in one iteration of the loops around it) of both programs is recorded on a sample of lanes, half of
//! them lanes that differ. Two values correspond when they agree on the lanes active in both, with enough variety to mean something:
//! names, order and language play no part. Masks of all ones count as truth values, a truth value and its negation as one.
//! From what differs the walk goes back through values that correspond to nothing, over operands, conditions in control and what was
//! stored to memory that was loaded, up to values that correspond: these bound the *region*. Inside it the *parting* operation is the
//! first whose inputs all correspond and whose result does not. Values that differ in form and meet again bound it like any others.

pub(crate) mod graph;
pub(crate) mod lanes;
pub(crate) mod matching;
pub(crate) mod record;
pub(crate) mod walk;

use crate::bind::{Binding, Counter};
use crate::compare::{Difference, Place};
use gpuproof_program::{Op, Origin, Program, Target};
use gpuproof_run::{Case, Observer, RunError};
use graph::{Effect, Graph, Maker};
use lanes::{Follower, Key, WriterFinder};
use record::Recorder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use walk::{Candidate, Region, Side};

/// Where two programs part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parting {
    /// The region in the original.
    pub original: PartingSide,
    /// The region in the port.
    pub port: PartingSide,
    /// How inputs and results of the parting operations agree; none when one side has no such operation.
    pub agreement: Option<Agreement>,
}

/// One side of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartingSide {
    /// The line of the parting operation; none when this side has nothing of its own there.
    pub at: Option<PartingLine>,
    /// The name of that operation in the representation: `f.mad`.
    pub operation: String,
    /// All lines of the region, first to last.
    pub lines: Vec<PartingLine>,
    /// Stretches of line numbers, both ends included, in which the difference lies: the lines of the region, and those between the
    /// inputs of an operation at its frontier and the operation itself, where a statement may be missing.
    pub spans: Vec<(u32, u32)>,
}

impl PartingSide {
    /// Whether a line, by its number in the source, is in the region.
    pub fn contains(&self, number: u32) -> bool {
        self.spans.iter().any(|(first, last)| (*first..=*last).contains(&number))
    }
}

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PartingLine {
    /// The instruction's number in a listing, or the line's from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
}

/// How the parting operations agree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Lanes on which both operations ran, over all cases.
    pub lanes: u64,
    /// Lanes on which all inputs of the region agree.
    pub inputs: u64,
    /// Lanes on which the results agree.
    pub results: u64,
    /// A lane whose inputs agree and whose results do not.
    pub example: Option<Example>,
}

/// The values of a lane.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The case's number.
    pub case: u32,
    /// The lane.
    pub lane: u32,
    /// The original's result.
    pub original: u64,
    /// The port's.
    pub port: u64,
    /// Pairs of inputs, the original's and the port's.
    pub inputs: Vec<(u64, u64)>,
}

/// How a lane fares at the operations that part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LanePart {
    /// It did not run both.
    NotRun,
    /// Their results agree.
    Agree,
    /// Their inputs agree and their results do not: here the programs part.
    Results,
    /// Inputs of the region do not agree already.
    Inputs,
}

impl LanePart {
    fn of(inputs: bool, results: bool) -> LanePart {
        match (inputs, results) {
            (_, true) => LanePart::Agree,
            (true, false) => LanePart::Results,
            (false, false) => LanePart::Inputs,
        }
    }
}

/// Runs the original or the port on a case while something looks on. The first argument tells which: false for the original.
pub type RunObserved<'a> = dyn FnMut(bool, &Case, &mut dyn Observer) -> Result<(), RunError> + 'a;

/// A case for both sides.
pub struct CasePair<'a> {
    /// Its number.
    pub number: u32,
    /// The original's.
    pub original: &'a Case,
    /// The port's.
    pub port: &'a Case,
}

/// Two programs that differ, and how their interfaces correspond.
pub struct Locator<'a> {
    pub(crate) programs: (&'a Program, &'a Program),
    pub(crate) binding: &'a Binding,
    pub(crate) graphs: (Graph, Graph),
    pub(crate) float_made: (Vec<Vec<bool>>, Vec<Vec<bool>>),
}

/// A parting, with what is needed to count over other cases how its operations agree.
pub struct Located {
    /// The parting.
    pub parting: Parting,
    keys: (Vec<Key>, Vec<Key>),
}

/// Regions of more lines than this are cut down to what is near the frontier.
const MANY_LINES: usize = 24;
/// How many uses behind the frontier a region then reaches.
const NEAR: u32 = 6;
/// How far, and at most through how many operands at once, values are followed that one side took for others.
const MOST_EXCHANGED: usize = 6;
/// How many pairs of inputs are followed.
const MOST_INPUTS: usize = 8;

impl<'a> Locator<'a> {
    /// Prepares two programs.
    pub fn new(original: &'a Program, port: &'a Program, binding: &'a Binding) -> Locator<'a> {
        Locator {
            programs: (original, port),
            binding,
            graphs: (Graph::new(original), Graph::new(port)),
            float_made: (gpuproof_program::analysis::float_made(original), gpuproof_program::analysis::float_made(port)),
        }
    }

    /// Finds where the programs part on a case with these differences; none when nothing can be named.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn locate(
        &self,
        case: &CasePair<'_>,
        differences: &[Difference],
        run: &mut RunObserved<'_>,
    ) -> Result<Option<Located>, RunError> {
        let Some(first) = differences.first() else { return Ok(None) };
        let sample = self.sample(case, differences, run)?;

        let mut recorder = Recorder::new(&self.graphs.0, &self.float_made.0, &sample);
        run(false, case.original, &mut recorder)?;
        let left = recorder.occurrences;
        let mut recorder = Recorder::new(&self.graphs.1, &self.float_made.1, &sample);
        run(true, case.port, &mut recorder)?;
        let right = recorder.occurrences;
        let (partners, port_partners) = matching::matched((&self.graphs.0, &left), (&self.graphs.1, &right));
        let original = Side::new(self.programs.0, &self.graphs.0, &left, &partners);
        let port = Side::new(self.programs.1, &self.graphs.1, &right, &port_partners);
        let regions = (original.region(&self.effects(first.place, false)), port.region(&self.effects(first.place, true)));
        let pair = choose((&original, &regions.0), (&port, &regions.1));

        let mut exchanged = (BTreeSet::new(), BTreeSet::new());
        if let (Some(mine), Some(theirs)) = &pair {
            follow_exchanged((&original, mine.occurrence), (&port, theirs.occurrence), MOST_EXCHANGED, &mut exchanged);
        }
        let parting = Parting {
            original: describe(&original, &regions.0, pair.0.as_ref(), (&port, &regions.1.candidates), exchanged.0),
            port: describe(&port, &regions.1, pair.1.as_ref(), (&original, &regions.0.candidates), exchanged.1),
            agreement: None,
        };
        let keys = match &pair {
            (Some(a), Some(b)) => keys(&original, a, &port, b),
            _ => (Vec::new(), Vec::new()),
        };
        Ok(Some(Located { parting, keys }))
    }

    /// Whether no lane sees what one outside its quad does, nor where in the launch it is.
    pub(crate) fn lanes_are_apart(&self) -> bool {
        let apart = |program: &Program| {
            let mut apart = true;
            for function in &program.functions {
                gpuproof_program::walk(&function.body, &mut |node| {
                    let gpuproof_program::Node::Op(instruction) = node else { return };
                    let row = instruction.op.row();
                    let quiet = matches!(row.scope, gpuproof_program::Scope::Lane | gpuproof_program::Scope::Quad);
                    let writes = row.class == gpuproof_program::Class::Writes
                        && matches!(instruction.attrs.target, Target::Resource(_) | Target::Shared(_));
                    apart &= quiet && !writes;
                });
            }
            apart
        };
        apart(self.programs.0) && apart(self.programs.1)
    }

    /// The lanes that are looked at: ones that write what differs, and others.
    ///
    /// # Errors
    /// Those of `run`.
    pub(crate) fn sample(
        &self,
        case: &CasePair<'_>,
        differences: &[Difference],
        run: &mut RunObserved<'_>,
    ) -> Result<Vec<u32>, RunError> {
        let lanes = crate::cases::lanes(self.programs.0, &case.original.launch).min(u64::from(u32::MAX)) as u32;
        let same_output =
            |difference: &&Difference| differences.first().is_some_and(|first| same_output(first.place, difference.place));
        let mut differing: BTreeSet<u32> =
            differences.iter().filter(same_output).filter_map(|difference| difference.place.lane()).collect();
        if differing.is_empty() {
            for side in [false, true] {
                let (program, graph) = if side { (self.programs.1, &self.graphs.1) } else { (self.programs.0, &self.graphs.0) };
                let input = if side { case.port } else { case.original };
                let mut finder = WriterFinder::new(program, graph, input, differences, side);
                if !finder.is_idle() {
                    run(side, input, &mut finder)?;
                }
                differing.extend(finder.lanes);
            }
        }
        let differing: Vec<u32> = differing.into_iter().collect();
        Ok(lanes::sample(&differing, lanes))
    }

    /// Counts on one more case how the parting operations agree. `see` is told of each lane in order.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn count(
        &self,
        located: &mut Located,
        case: &CasePair<'_>,
        run: &mut RunObserved<'_>,
        see: &mut dyn FnMut(LanePart, &dyn Fn() -> Example),
    ) -> Result<(), RunError> {
        if located.keys.0.is_empty() {
            return Ok(());
        }
        let count = crate::cases::lanes(self.programs.0, &case.original.launch) as usize;
        let mut left = Follower::new(&self.graphs.0, &self.float_made.0, &located.keys.0, count);
        run(false, case.original, &mut left)?;
        let mut right = Follower::new(&self.graphs.1, &self.float_made.1, &located.keys.1, count);
        run(true, case.port, &mut right)?;
        let agreement = located.parting.agreement.get_or_insert_default();
        let agree = |a: u64, b: u64| a == b || truth(a) == truth(b) && truth(a).is_some();
        for lane in 0..count {
            let pair = |at: usize| left.values[at][lane].zip(right.values[at][lane]);
            let pairs = || (1..left.values.len()).filter_map(pair);
            let (a, b) = (left.values[0][lane].unwrap_or(0), right.values[0][lane].unwrap_or(0));
            let example = || Example { case: case.number, lane: lane as u32, original: a, port: b, inputs: pairs().collect() };
            if pair(0).is_none() {
                see(LanePart::NotRun, &example);
                continue;
            }
            agreement.lanes += 1;
            let inputs = pairs().all(|(a, b)| agree(a, b));
            agreement.inputs += u64::from(inputs);
            agreement.results += u64::from(agree(a, b));
            if inputs && !agree(a, b) && agreement.example.is_none() {
                agreement.example = Some(example());
            }
            see(LanePart::of(inputs, agree(a, b)), &example);
        }
        Ok(())
    }

    /// What writes a place.
    pub(crate) fn effects(&self, place: Place, port: bool) -> Vec<&Effect> {
        let graph = if port { &self.graphs.1 } else { &self.graphs.0 };
        let target = match place {
            Place::Live { .. } => Target::None,
            Place::Output { original, port: to, .. } => {
                let (id, component) = if port { to } else { original };
                Target::Output(id, component)
            }
            Place::Memory { resource, port_resource, .. } => Target::Resource(if port { port_resource } else { resource }),
            Place::Counter { index } => {
                let Some(pair) = self.binding.counters.get(index as usize) else { return Vec::new() };
                Target::Resource(match if port { pair.1 } else { pair.0 } {
                    Counter::Hidden(id) | Counter::Word(id, _) => id,
                })
            }
        };
        let discards = matches!(place, Place::Live { .. });
        let writes = |effect: &&Effect| match effect.op {
            gpuproof_program::Op::Demote => discards,
            gpuproof_program::Op::Barrier => false,
            _ => !discards && effect.target == target,
        };
        graph.effects.iter().filter(writes).collect()
    }
}

/// A truth value, as a bit or a mask.
fn truth(bits: u64) -> Option<bool> {
    match bits {
        0 => Some(false),
        1 | 0xffff_ffff => Some(true),
        _ => None,
    }
}

pub(crate) fn same_output(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Live { .. }, Place::Live { .. }) => true,
        (Place::Output { original: a, .. }, Place::Output { original: b, .. }) => a == b,
        (Place::Memory { resource: a, .. }, Place::Memory { resource: b, .. }) => a == b,
        _ => false,
    }
}

/// The operations of both sides that part: those whose results are made of most of the same, alike and agreeing on some lanes, soonest
/// behind the frontier; else the first of each.
fn choose(original: (&Side<'_>, &Region), port: (&Side<'_>, &Region)) -> (Option<Candidate>, Option<Candidate>) {
    let own: Vec<(Candidate, BTreeSet<usize>)> = original
        .0
        .shallow(original.1)
        .into_iter()
        .map(|candidate| {
            let inputs = candidate.inputs.iter().map(|at| original.0.occurrences[*at].point).collect();
            (candidate, inputs)
        })
        .collect();
    let mut best: Option<(f64, &Candidate, Candidate)> = None;
    for theirs in port.0.shallow(port.1) {
        let inputs = port.0.partner_points(&theirs, original.0.occurrences);
        for (mine, own) in &own {
            let all = own.union(&inputs).count();
            if all == 0 {
                continue;
            }
            let shared = own.intersection(&inputs).count() as f64 / all as f64;
            let alike = alike(original.0.graph.sites[mine.point].maker, port.0.graph.sites[theirs.point].maker);
            let partly = agreeing(&original.0.occurrences[mine.occurrence], &port.0.occurrences[theirs.occurrence]);
            if alike == 0.0 && partly < 0.1 {
                continue;
            }
            let score = 4.0 * shared + 1.5 * alike + 2.0 * partly - f64::from(mine.depth + theirs.depth);
            if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                best = Some((score, mine, theirs.clone()));
            }
        }
    }
    match best {
        Some((_, mine, theirs)) => (Some(mine.clone()), Some(theirs)),
        None => (original.1.candidates.first().cloned(), port.1.candidates.first().cloned()),
    }
}

/// Walks back from two operations that part through the operands of each that the other does not take: one side took another value there,
/// which may be right elsewhere.
fn follow_exchanged(
    original: (&Side<'_>, usize),
    port: (&Side<'_>, usize),
    steps: usize,
    lines: &mut (BTreeSet<u32>, BTreeSet<u32>),
) {
    let (own, theirs) = (original.0.made_directly_of(original.1), port.0.made_directly_of(port.1));
    let equal = |a: &usize, b: &usize| agreeing(&original.0.occurrences[*a], &port.0.occurrences[*b]) == 1.0;
    let left: Vec<usize> = own.iter().filter(|a| !theirs.iter().any(|b| equal(a, b))).copied().collect();
    let right: Vec<usize> = theirs.iter().filter(|b| !own.iter().any(|a| equal(a, b))).copied().collect();
    if steps == 0 || left.len() > MOST_EXCHANGED || right.len() > MOST_EXCHANGED {
        return;
    }
    lines.0.extend(left.iter().filter_map(|at| original.0.line(original.0.occurrences[*at].point)));
    lines.1.extend(right.iter().filter_map(|at| port.0.line(port.0.occurrences[*at].point)));
    for (a, b) in left.into_iter().zip(right) {
        let maker = |side: &Side<'_>, at: usize| side.graph.sites[side.occurrences[at].point].maker;
        if alike(maker(original.0, a), maker(port.0, b)) > 0.0 {
            follow_exchanged((original.0, a), (port.0, b), steps - 1, lines);
        }
    }
}

/// How alike two makers are: 1 for the same operation, less for two of a family.
fn alike(a: Maker, b: Maker) -> f64 {
    use gpuproof_program::Op::*;
    let family = |maker| match maker {
        Maker::Op(FAdd | FSub | FMul | FMad | FFma | FDot2 | FDot3 | FDot4) => 1,
        Maker::Op(FMin | FMax | FSaturate) => 2,
        Maker::Op(SLt | SLe | ULt | ULe | IEq | INe | FLt | FLe | FEq | FNe) => 3,
        Maker::Op(IAdd | ISub | IMul | IShl) => 4,
        Maker::Op(IAnd | IOr | IXor | UShr | SShr | UExtract | SExtract | IInsert) => 5,
        Maker::Op(BufferLoad | StructuredLoad | TexelLoad) => 6,
        Maker::Op(Sample | Gather) => 7,
        Maker::Join | Maker::Op(Select) => 8,
        _ => 0,
    };
    match (a == b, family(a)) {
        (true, _) => 1.0,
        (false, of) if of != 0 && of == family(b) => 0.6,
        _ => 0.0,
    }
}

/// On what share of the lanes that made both two values agree.
fn agreeing(a: &record::Occurrence, b: &record::Occurrence) -> f64 {
    let common = a.active & b.active;
    let lanes = (0..a.bits.len()).filter(|at| common >> at & 1 == 1);
    let same =
        lanes.filter(|at| a.bits[*at] == b.bits[*at] || truth(a.bits[*at]).is_some() && truth(a.bits[*at]) == truth(b.bits[*at]));
    same.count() as f64 / f64::from(common.count_ones().max(1))
}

fn line(program: &Program, origin: Origin) -> Option<PartingLine> {
    program.source.line(origin).map(|line| PartingLine { number: line.number, text: line.text.clone() })
}

fn describe(
    side: &Side<'_>,
    region: &Region,
    chosen: Option<&Candidate>,
    other: (&Side<'_>, &[Candidate]),
    exchanged: BTreeSet<u32>,
) -> PartingSide {
    let mut lines: BTreeSet<u32> = region.points.iter().filter_map(|point| side.line(*point)).collect();
    if lines.len() > MANY_LINES {
        lines = side.near(region, NEAR).into_iter().filter_map(|point| side.line(point)).collect();
    }
    lines.extend(region.effects.iter().filter_map(|origin| side.line_of(*origin)));
    lines.extend(exchanged);
    let mut suspects = region.suspects.clone();
    for candidate in region.candidates.iter().chain(chosen) {
        lines.extend(side.line_of(side.place(candidate)));
        // In a function that several places call, each call that comes out without partner.
        for occurrence in side.open(candidate.point, &region.points) {
            let calls = side.calls(&Candidate { occurrence, ..candidate.clone() });
            lines.extend(calls.into_iter().filter_map(|origin| side.line_of(origin)));
        }
        if matches!(side.graph.sites[candidate.point].maker, Maker::Join | Maker::LoopParam) {
            side.suspect(vec![candidate.point], &mut suspects);
        }
    }
    for point in &region.points {
        lines.extend(side.stores_of(*point));
    }
    for suspect in &suspects {
        lines.extend(side.deciding_lines(*suspect));
        lines.extend(side.taken_lines(*suspect));
        lines.extend(side.stores_of(*suspect));
    }
    // Lines that belong to the region though no operation of it is on them.
    let mut silent: BTreeSet<u32> = BTreeSet::new();
    let functions: BTreeSet<_> = suspects.iter().map(|point| side.graph.value(*point).0).collect();
    for function in functions {
        let last = side.last_line(function).or_else(|| region.effects.iter().filter_map(|origin| side.line_of(*origin)).max());
        silent.extend(last.into_iter().flat_map(|last| side.quiet_lines_below(function, last)));
    }
    for candidate in region.candidates.iter().chain(chosen) {
        let (function, _) = side.graph.value(candidate.point);
        silent.extend(side.line(candidate.point).into_iter().flat_map(|line| side.named_lines(function, line)));
    }
    for candidate in &region.candidates {
        // An operation of the other side that takes the same: it is the operation itself that differs, not what it takes.
        let maker = side.graph.sites[candidate.point].maker;
        let taken = side.partner_points(candidate, other.0.occurrences);
        let same = |theirs: &Candidate| {
            let own: BTreeSet<_> = theirs.inputs.iter().map(|at| other.0.occurrences[*at].point).collect();
            own == taken
                && alike(maker, other.0.graph.sites[theirs.point].maker) > 0.0
                && side.operands(candidate.point) == other.0.operands(theirs.point)
        };
        if taken.len() >= side.operands(candidate.point).max(1) && other.1.iter().any(same) {
            continue;
        }
        for at in &candidate.inputs {
            let input = side.occurrences[*at].point;
            lines.extend(side.line(input));
            // What only turns a value's sign or form is no place of its own.
            if matches!(side.graph.sites[input].maker, Maker::Op(Op::FNeg | Op::FAbs | Op::INot | Op::UExtend | Op::SExtend)) {
                lines.extend(side.taken_lines(input));
            }
        }
        let (function, _) = side.graph.value(candidate.point);
        let loads = !side.graph.sites[candidate.point].stored.is_empty();
        if loads || side.takes_constant(candidate.occurrence) {
            let own = side.line(candidate.point).or_else(|| side.last_line(function));
            silent.extend(own.into_iter().flat_map(|own| side.quiet_lines(function, own)));
            for call in side.calls_to(function) {
                silent.extend(side.line_of(call.origin).into_iter().flat_map(|own| side.quiet_lines(call.caller, own)));
                lines.extend(side.line_of(call.origin));
            }
        }
    }
    let numbers = |line: u32| side.program.source.lines.get(line as usize).map(|line| line.number);
    let mut spans: Vec<(u32, u32)> = lines.iter().map(|line| (*line, *line)).collect();
    spans.extend(silent.into_iter().map(|line| (line, line)));
    spans.extend(region.candidates.iter().filter_map(|candidate| side.span(candidate)));
    spans.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    let at = chosen.map(|candidate| side.place(candidate)).or(region.effects.first().copied());
    let operation = chosen.map_or(String::new(), |candidate| match side.graph.sites[candidate.point].maker {
        Maker::Op(op) => op.row().name.into(),
        Maker::Join => "join".into(),
        Maker::LoopParam => "loop".into(),
        Maker::Param => "parameter".into(),
        Maker::None => String::new(),
    });
    let of = |line: &u32| line_at(side.program, *line);
    PartingSide {
        at: at.and_then(|origin| line(side.program, origin)).or_else(|| lines.first().and_then(of)),
        operation,
        lines: lines.iter().filter_map(of).collect(),
        spans: joined.into_iter().filter_map(|(first, last)| Some((numbers(first)?, numbers(last)?))).collect(),
    }
}

fn line_at(program: &Program, index: u32) -> Option<PartingLine> {
    line(program, Origin::line(index))
}

/// What to follow on both sides: the results first, then pairs of inputs.
fn keys(original: &Side<'_>, mine: &Candidate, port: &Side<'_>, theirs: &Candidate) -> (Vec<Key>, Vec<Key>) {
    let key = |side: &Side<'_>, at: usize| {
        let occurrence = &side.occurrences[at];
        Key { point: occurrence.point, iterations: occurrence.iterations.clone(), repeat: occurrence.repeat }
    };
    let (mut left, mut right) = (vec![key(original, mine.occurrence)], vec![key(port, theirs.occurrence)]);
    for input in theirs.inputs.iter().take(MOST_INPUTS) {
        if let Some(partner) = port.partner(*input) {
            left.push(key(original, partner));
            right.push(key(port, *input));
        }
    }
    for input in mine.inputs.iter().take(MOST_INPUTS) {
        if let Some(partner) = original.partner(*input) {
            left.push(key(original, *input));
            right.push(key(port, partner));
        }
    }
    (left, right)
}
