//! Walks back from what differs through values without partner, to the frontier of those that have one.

use super::graph::{Effect, Graph, Maker, Point};
use super::matching::Partners;
use super::record::Occurrence;
use gpuproof_program::{FunctionId, Op, Origin, Program, SourceKind, Target};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// How far behind the frontier parting operations are looked for, in operations.
const DEEPEST: u32 = 6;
/// How many occurrences of one point are looked at.
const MOST_OCCURRENCES: usize = 64;
/// How many inputs are kept of what one value is made of.
const MOST_INPUTS: usize = 32;

/// What stands for an occurrence on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    /// Nothing.
    No,
    /// A constant, which every program can make.
    Constant,
    /// This occurrence of its own side, passed on through a call, which has a partner; mostly itself.
    As(usize),
}

/// One side of the comparison.
pub(crate) struct Side<'a> {
    pub program: &'a Program,
    pub graph: &'a Graph,
    pub occurrences: &'a [Occurrence],
    partners: &'a Partners,
    settled: Vec<Settled>,
    /// The occurrences of each point, in order.
    by_point: HashMap<Point, Vec<usize>>,
}

/// A value without partner, and the values with partners that it is made of.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub point: Point,
    /// The earliest occurrence without partner.
    pub occurrence: usize,
    /// Occurrences of this side that have partners.
    pub inputs: Vec<usize>,
    /// How many operations lie between those and this, itself included.
    pub depth: u32,
}

/// The values without partner between what differs and the frontier.
#[derive(Debug, Default)]
pub(crate) struct Region {
    pub points: HashSet<Point>,
    /// Values made of nothing but values with partners, in order of execution.
    pub candidates: Vec<Candidate>,
    /// Effects whose operands all have partners though what they write differs: the wrong values come, or come at the wrong time.
    pub effects: Vec<Origin>,
    /// What chose the values that such effects write, back to the operations that made them, and the conditions on the way.
    pub suspects: HashSet<Point>,
}

impl<'a> Side<'a> {
    pub fn new(program: &'a Program, graph: &'a Graph, occurrences: &'a [Occurrence], partners: &'a Partners) -> Side<'a> {
        let mut by_point: HashMap<Point, Vec<usize>> = HashMap::new();
        for (at, occurrence) in occurrences.iter().enumerate() {
            by_point.entry(occurrence.point).or_default().push(at);
        }
        let mut side = Side { program, graph, occurrences, partners, settled: Vec::new(), by_point };
        for at in 0..occurrences.len() {
            let settled = side.settle(at);
            side.settled.push(settled);
        }
        side
    }

    /// What stands for an occurrence. Those before it are settled.
    fn settle(&self, at: usize) -> Settled {
        if self.partners[at].is_some() {
            return Settled::As(at);
        }
        let occurrence = &self.occurrences[at];
        if self.is_constant(occurrence.point) {
            return Settled::Constant;
        }
        // Parameters and results of calls are what is passed.
        if !self.is_passed(occurrence.point) {
            return Settled::No;
        }
        for source in &self.graph.sites[occurrence.point].data {
            if let Some(bits) = self.constant(*source)
                && (0..occurrence.bits.len()).all(|lane| occurrence.active >> lane & 1 == 0 || occurrence.bits[lane] == bits)
            {
                return Settled::Constant;
            }
            for from in self.seen(*source, 4).iter().filter(|from| **from < at) {
                let other = &self.occurrences[*from];
                let same = |lane: usize| occurrence.active >> lane & 1 == 0 || occurrence.bits[lane] == other.bits[lane];
                if other.active & occurrence.active == occurrence.active
                    && self.settled[*from] != Settled::No
                    && (0..occurrence.bits.len()).all(same)
                {
                    return self.settled[*from];
                }
            }
        }
        Settled::No
    }

    pub fn of(&self, point: Point) -> &[usize] {
        self.by_point.get(&point).map_or(&[], |of| of)
    }

    /// The occurrence of the other side that stands for one of this.
    pub fn partner(&self, at: usize) -> Option<usize> {
        match self.settled[at] {
            Settled::As(own) => self.partners[own],
            _ => None,
        }
    }

    fn is_constant(&self, point: Point) -> bool {
        matches!(self.graph.sites[point].maker, Maker::Op(Op::Const | Op::Undef))
    }

    fn constant(&self, point: Point) -> Option<u64> {
        match (self.graph.sites[point].maker, self.graph.target(point)) {
            (Maker::Op(Op::Const), Some(Target::Bits(bits))) => Some(bits),
            _ => None,
        }
    }

    /// Whether a value is only passed through a call.
    fn is_passed(&self, point: Point) -> bool {
        matches!(self.graph.sites[point].maker, Maker::Param | Maker::Op(Op::Call))
    }

    /// Whether every occurrence has a partner; none when there is no occurrence.
    fn is_matched(&self, point: Point) -> Option<bool> {
        if self.is_constant(point) {
            return Some(true);
        }
        let of = self.of(point);
        (!of.is_empty()).then(|| of.iter().all(|at| self.settled[*at] != Settled::No))
    }

    /// The region behind these effects: behind what they write, or else behind the places and conditions that they write at.
    pub fn region(&self, effects: &[&Effect]) -> Region {
        let values: Vec<Effect> = effects
            .iter()
            .filter(|effect| matches!(effect.op, Op::BufferStore | Op::StructuredStore | Op::TexelStore))
            .map(|effect| {
                let addresses = match effect.op {
                    Op::BufferStore => 2,
                    Op::StructuredStore => 3,
                    _ => 4,
                };
                Effect {
                    args: effect.args.get(addresses..).unwrap_or_default().to_vec(),
                    control: Vec::new(),
                    ..(*effect).clone()
                }
            })
            .collect();
        if values.is_empty() {
            return self.region_behind(effects);
        }
        let region = self.region_behind(&values.iter().collect::<Vec<_>>());
        if !region.points.is_empty() {
            return Region { effects: Vec::new(), suspects: HashSet::new(), ..region };
        }
        // The values that are written stand for something on the other side, though not for what is written there: what chose them is in
        // question as well as where they go.
        let mut whole = self.region_behind(effects);
        whole.effects.extend(region.effects);
        whole.suspects.extend(region.suspects);
        whole
    }

    fn region_behind(&self, effects: &[&Effect]) -> Region {
        let mut region = Region::default();
        let mut seen = HashSet::new();
        let mut pending: Vec<Point> = Vec::new();
        for effect in effects {
            let sources = || effect.args.iter().chain(&effect.control).copied();
            if sources().all(|point| self.is_matched(point) != Some(false)) {
                region.effects.push(effect.origin);
                self.suspect(sources().collect(), &mut region.suspects);
            }
            pending.extend(sources());
        }
        while let Some(point) = pending.pop() {
            if !seen.insert(point) {
                continue;
            }
            let site = &self.graph.sites[point];
            match self.is_matched(point) {
                Some(true) => continue,
                Some(false) if !self.is_passed(point) => _ = region.points.insert(point),
                // Nothing was seen of it, or it is only passed on: what it is made of tells.
                _ => {}
            }
            pending.extend(site.data.iter().chain(&site.stored).chain(&site.control));
        }
        let direct = |point: &Point| {
            self.open(*point, &region.points).into_iter().find_map(|at| {
                let (inputs, open) = self.inputs(at);
                open.is_empty().then_some(Candidate { point: *point, occurrence: at, inputs, depth: 1 })
            })
        };
        let mut candidates: Vec<Candidate> = region.points.iter().filter_map(direct).collect();
        candidates.sort_by_key(|candidate| (self.occurrences[candidate.occurrence].order, candidate.point));
        region.candidates = candidates;
        region
    }

    /// Follows values back through what only chooses or passes them.
    pub fn suspect(&self, mut pending: Vec<Point>, suspects: &mut HashSet<Point>) {
        while let Some(point) = pending.pop() {
            if !suspects.insert(point) {
                continue;
            }
            let site = &self.graph.sites[point];
            if matches!(site.maker, Maker::Join | Maker::LoopParam | Maker::Param | Maker::Op(Op::Call | Op::Select)) {
                pending.extend(site.data.iter().chain(&site.control));
            }
        }
    }

    /// The lines of what an operation takes.
    pub fn taken_lines(&self, point: Point) -> Vec<u32> {
        self.graph.sites[point].data.iter().filter_map(|source| self.line(*source)).collect()
    }

    /// Whether one of an occurrence's inputs is a constant, or stands for one.
    pub fn takes_constant(&self, at: usize) -> bool {
        let site = &self.graph.sites[self.occurrences[at].point];
        site.data.iter().any(|source| {
            self.is_constant(*source) || self.of(*source).iter().any(|from| self.settled[*from] == Settled::Constant)
        })
    }

    /// Lines of a function, up to one of them, that no operation comes from: where a constant is assigned, a value copied, or a
    /// statement may be missing.
    pub fn quiet_lines(&self, function: FunctionId, up_to: u32) -> Vec<u32> {
        if self.program.source.kind != SourceKind::Text {
            return Vec::new();
        }
        let points = self.points_of(function);
        let used: BTreeSet<u32> = points
            .filter_map(|point| self.line(point))
            .chain(self.graph.effects.iter().filter_map(|effect| self.line_of(effect.origin)))
            .collect();
        let text = |line: u32| self.program.source.lines.get(line as usize).map_or("", |line| line.text.as_str());
        let mut found = Vec::new();
        for line in (0..up_to).rev() {
            if text(line).starts_with("fn ") {
                break;
            }
            if !used.contains(&line) && (text(line).is_empty() || text(line).contains(" = ")) {
                found.push(line);
            }
        }
        found
    }

    /// The quiet lines that declare what a line names, and so on: a vector is put together, or a constant given, where no operation is.
    pub fn named_lines(&self, function: FunctionId, line: u32) -> Vec<u32> {
        let quiet: BTreeSet<u32> = self.quiet_lines(function, line).into_iter().collect();
        let text = |line: u32| self.program.source.lines.get(line as usize).map_or("", |line| line.text.as_str());
        let (mut pending, mut found) = (vec![line], BTreeSet::new());
        while let Some(at) = pending.pop() {
            let right = text(at).split_once(" = ").map_or(text(at), |(_, right)| right);
            for name in right.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
                let declares = |line: &&u32| {
                    let left = text(**line).split_once(" = ").map_or("", |(left, _)| left);
                    let left = left.split(':').next().unwrap_or_default();
                    left.rsplit(' ').next() == Some(name)
                };
                let declaration = quiet.range(..at).rev().find(declares);
                pending.extend(declaration.filter(|line| found.insert(**line)));
            }
        }
        found.into_iter().collect()
    }

    /// All that an occurrence is made of, constants left out.
    pub fn made_directly_of(&self, at: usize) -> Vec<usize> {
        let (mut all, open) = self.inputs(at);
        all.extend(open);
        all
    }

    fn points_of(&self, function: FunctionId) -> std::ops::Range<Point> {
        let first = self.graph.offsets[function.index()];
        first..self.graph.offsets.get(function.index() + 1).copied().unwrap_or(self.graph.sites.len())
    }

    /// The quiet lines of a function and of those that it calls.
    pub fn quiet_lines_below(&self, function: FunctionId, up_to: u32) -> Vec<u32> {
        let mut found = self.quiet_lines(function, up_to);
        for call in self.graph.calls.iter().filter(|call| call.caller == function) {
            found.extend(self.last_line(call.callee).into_iter().flat_map(|last| self.quiet_lines(call.callee, last)));
        }
        found
    }

    /// The lines of what is stored to the memory that a value is loaded from, and of the conditions around that.
    pub fn stores_of(&self, point: Point) -> Vec<u32> {
        if self.graph.sites[point].stored.is_empty() {
            return Vec::new();
        }
        let target = self.graph.target(point);
        let mut found = Vec::new();
        for effect in self.graph.effects.iter().filter(|effect| Some(effect.target) == target) {
            found.extend(self.line_of(effect.origin));
            found.extend(effect.control.iter().filter_map(|condition| self.line(*condition)));
        }
        found
    }

    /// How many of a value's operands are no constants.
    pub fn operands(&self, point: Point) -> usize {
        self.graph.sites[point].data.iter().filter(|source| !self.is_constant(**source)).count()
    }

    /// The line behind a function's last.
    pub fn last_line(&self, function: FunctionId) -> Option<u32> {
        let last = self.points_of(function).filter_map(|point| self.line(point)).max()?;
        let lines = &self.program.source.lines;
        let ends = |line: &usize| lines[*line].text.starts_with("fn ") || lines[*line].text.starts_with('@');
        Some((last as usize..lines.len()).find(ends).unwrap_or(lines.len()) as u32)
    }

    /// The calls of a function.
    pub fn calls_to(&self, function: FunctionId) -> impl Iterator<Item = &super::graph::Call> {
        self.graph.calls.iter().filter(move |call| call.callee == function)
    }

    /// The lines of what decides what a value is, when it is a choice among values.
    pub fn deciding_lines(&self, point: Point) -> Vec<u32> {
        let site = &self.graph.sites[point];
        let conditions = site.control.iter().filter_map(|condition| self.line(*condition));
        conditions.chain(self.line_of(site.origin)).collect()
    }

    /// The occurrences of a point that nothing stands for and that something without partner is made of: not those whose difference in
    /// form is over with the next operation.
    pub fn open(&self, point: Point, region: &HashSet<Point>) -> Vec<usize> {
        let users = &self.graph.users[point];
        let leads_on = |at: &usize| {
            let occurrence = &self.occurrences[*at];
            let mut ends = true;
            for user in users.iter().filter(|user| region.contains(user) || self.is_passed(**user) || self.of(**user).is_empty())
            {
                ends = false;
                let follows = |to: &usize| {
                    let other = &self.occurrences[*to];
                    let together = other.active & occurrence.active != 0 && self.settled[*to] == Settled::No;
                    let same = other.iterations.starts_with(&occurrence.iterations)
                        || occurrence.iterations.starts_with(&other.iterations);
                    let joins = matches!(self.graph.sites[*user].maker, Maker::Join | Maker::LoopParam);
                    together && (joins || same && other.repeat == occurrence.repeat)
                };
                if self.is_passed(*user) || self.of(*user).is_empty() || self.of(*user).iter().any(follows) {
                    return true;
                }
            }
            ends
        };
        let of = self.of(point).iter().copied().filter(|at| self.settled[*at] == Settled::No);
        of.filter(leads_on).take(MOST_OCCURRENCES).collect()
    }

    /// The values of a region that few operations make of values with partners, in order of execution.
    pub fn shallow(&self, region: &Region) -> Vec<Candidate> {
        let mut known: HashMap<usize, Option<Candidate>> = HashMap::new();
        let mut first: Vec<usize> =
            region.points.iter().filter_map(|point| self.open(*point, &region.points).first().copied()).collect();
        first.sort_by_key(|at| (self.occurrences[*at].order, self.occurrences[*at].point));
        first.into_iter().filter_map(|at| self.made_of(at, DEEPEST, &mut known)).take(256).collect()
    }

    /// The values with partners that an occurrence is made of; none when they are more than `steps` operations away.
    fn made_of(&self, at: usize, steps: u32, known: &mut HashMap<usize, Option<Candidate>>) -> Option<Candidate> {
        if let Some(known) = known.get(&at) {
            return known.clone();
        }
        if steps == 0 {
            return None;
        }
        // Against going round, should occurrences ever depend on each other.
        known.insert(at, None);
        let (mut inputs, open) = self.inputs(at);
        let mut depth = 1;
        for from in open {
            let inner = self.made_of(from, steps - 1, known)?;
            depth = depth.max(inner.depth + 1);
            inputs.extend(inner.inputs);
        }
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.len() > MOST_INPUTS || depth > DEEPEST {
            return None;
        }
        let candidate = Candidate { point: self.occurrences[at].point, occurrence: at, inputs, depth };
        known.insert(at, Some(candidate.clone()));
        Some(candidate)
    }

    /// The occurrences that an occurrence is made of, constants left out: those that something stands for, and the others.
    fn inputs(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let occurrence = &self.occurrences[at];
        let site = &self.graph.sites[occurrence.point];
        let (mut inputs, mut open) = (Vec::new(), Vec::new());
        for (position, source) in site.data.iter().chain(&site.control).enumerate() {
            if self.is_constant(*source) {
                continue;
            }
            // Of a function that is called several times, what belongs to the same call.
            let same_function = self.graph.value(*source).0 == self.graph.value(occurrence.point).0;
            let repeats = self.of(*source).iter().any(|from| self.occurrences[*from].repeat == occurrence.repeat);
            for from in self.of(*source) {
                let source = &self.occurrences[*from];
                if source.active & occurrence.active == 0
                    || *from == at
                    || same_function && repeats && source.repeat != occurrence.repeat
                    || !flows(site.maker, site.initial, position, source, occurrence)
                {
                    continue;
                }
                let list = match self.settled[*from] {
                    Settled::Constant => continue,
                    Settled::As(_) => &mut inputs,
                    Settled::No => &mut open,
                };
                if !list.contains(from) {
                    list.push(*from);
                }
            }
        }
        // What was stored before counts as well, whenever it was.
        for source in &site.stored {
            let before = |from: &&usize| self.occurrences[**from].order < occurrence.order && self.settled[**from] == Settled::No;
            open.extend(self.of(*source).iter().filter(before).take(1));
        }
        (inputs, open)
    }

    /// The points of a region that are at most `steps` uses behind one of its candidates.
    pub fn near(&self, region: &Region, steps: u32) -> HashSet<Point> {
        let mut distance: HashMap<Point, u32> = HashMap::new();
        let mut pending: VecDeque<Point> = VecDeque::new();
        for candidate in &region.candidates {
            distance.insert(candidate.point, 0);
            pending.push_back(candidate.point);
        }
        while let Some(point) = pending.pop_front() {
            let here = distance[&point];
            if here == steps {
                continue;
            }
            for user in &self.graph.users[point] {
                let passed = self.is_passed(*user) || !self.by_point.contains_key(user);
                if (region.points.contains(user) || passed) && !distance.contains_key(user) {
                    distance.insert(*user, here + u32::from(!passed));
                    pending.push_back(*user);
                }
            }
        }
        distance.into_keys().filter(|point| region.points.contains(point)).collect()
    }

    /// Where a candidate is: the operation, or the call of the function that it is in when that function is right in other calls.
    pub fn place(&self, candidate: &Candidate) -> Origin {
        let own = self.graph.sites[candidate.point].origin;
        if self.is_right_elsewhere(candidate) { self.calls(candidate).first().copied().unwrap_or(own) } else { own }
    }

    /// Whether a candidate, or what its function makes of it, has a partner in another call. The other side may have no such operation of its own.
    fn is_right_elsewhere(&self, candidate: &Candidate) -> bool {
        let has_partner = |at: &usize| self.settled[*at] != Settled::No;
        if self.of(candidate.point).iter().any(has_partner) {
            return true;
        }
        let (function, repeat) = (self.graph.value(candidate.point).0, self.occurrences[candidate.occurrence].repeat);
        let mut known = HashSet::from([candidate.point]);
        let mut pending = vec![candidate.point];
        while let Some(point) = pending.pop() {
            if self.of(point).iter().any(|at| self.occurrences[*at].repeat != repeat && has_partner(at)) {
                return true;
            }
            let users = self.graph.users[point].iter().filter(|user| self.graph.value(**user).0 == function);
            pending.extend(users.copied().filter(|user| known.insert(*user)));
        }
        false
    }

    /// The calls that a candidate was made in, innermost first, told by what the parameters of its function were.
    pub fn calls(&self, candidate: &Candidate) -> Vec<Origin> {
        let (mut function, _) = self.graph.value(candidate.point);
        let (mut inside, mut found) = (candidate.occurrence, Vec::new());
        while let Some((call, outer)) = self.call(function, inside) {
            found.push(call.origin);
            function = call.caller;
            match outer {
                Some(outer) if found.len() < self.program.functions.len() => inside = outer,
                _ => break,
            }
        }
        found
    }

    /// The occurrences of a point, or of what is passed to it when it has none itself.
    fn seen(&self, point: Point, steps: u32) -> Vec<usize> {
        let of = self.of(point);
        if !of.is_empty() || steps == 0 || !self.is_passed(point) {
            return of.to_vec();
        }
        let mut found: Vec<usize> =
            self.graph.sites[point].data.iter().flat_map(|source| self.seen(*source, steps - 1)).collect();
        found.sort_unstable();
        found
    }

    /// The call of a function in which an occurrence was made, and an occurrence in its caller that was passed.
    fn call(&self, function: FunctionId, inside: usize) -> Option<(&super::graph::Call, Option<usize>)> {
        let occurrence = &self.occurrences[inside];
        let params: Vec<(usize, &Occurrence)> = self
            .program
            .function(function)
            .params
            .iter()
            .enumerate()
            .filter_map(|(position, param)| {
                let same = |at: &&usize| {
                    let other = &self.occurrences[**at];
                    other.repeat == occurrence.repeat && occurrence.iterations.starts_with(&other.iterations)
                };
                self.of(self.graph.point(function, *param)).iter().find(same).map(|at| (position, &self.occurrences[*at]))
            })
            .collect();
        if params.is_empty() {
            return None;
        }
        self.calls_to(function).find_map(|call| {
            let mut passed = None;
            for (position, param) in &params {
                let agrees = |bits: &dyn Fn(usize) -> u64| {
                    let active = param.active & occurrence.active;
                    (0..param.bits.len()).all(|lane| active >> lane & 1 == 0 || bits(lane) == param.bits[lane])
                };
                let arg = *call.args.get(*position)?;
                match self.constant(arg) {
                    Some(bits) => agrees(&|_| bits).then_some(())?,
                    None => {
                        let seen = self.seen(arg, 4);
                        let mut before = seen.iter().rev().filter(|at| self.occurrences[**at].order < param.order);
                        let at = *before.find(|at| agrees(&|lane| self.occurrences[**at].bits[lane]))?;
                        if self.graph.value(self.occurrences[at].point).0 == call.caller {
                            passed = Some(at);
                        }
                    }
                }
            }
            Some((call, passed))
        })
    }

    /// The line of a point, as an index into the source.
    pub fn line(&self, point: Point) -> Option<u32> {
        self.line_of(self.graph.sites[point].origin)
    }

    /// The line of an origin, as an index into the source.
    pub fn line_of(&self, origin: Origin) -> Option<u32> {
        ((origin.line as usize) < self.program.source.lines.len()).then_some(origin.line)
    }

    /// The lines on which the value of a candidate could have been made what it is: from behind the last of its inputs to its own.
    pub fn span(&self, candidate: &Candidate) -> Option<(u32, u32)> {
        let own = self.line(candidate.point)?;
        let function = self.graph.value(candidate.point).0;
        let before = |at: &usize| {
            let point = self.occurrences[*at].point;
            let same = self.graph.value(point).0 == function;
            self.line(point).filter(|line| same && *line < own)
        };
        let first = candidate.inputs.iter().filter_map(before).max().map_or(own, |line| line + 1);
        Some((first.min(own), own))
    }

    /// The points of the other side that candidates' inputs stand for.
    pub fn partner_points(&self, candidate: &Candidate, other: &[Occurrence]) -> BTreeSet<Point> {
        candidate.inputs.iter().filter_map(|at| self.partner(*at)).map(|to| other[to].point).collect()
    }
}

/// Whether one occurrence of a source is the one that an occurrence is made of, by the iterations of both.
fn flows(maker: Maker, initial: usize, position: usize, from: &Occurrence, to: &Occurrence) -> bool {
    let depth = to.iterations.len();
    match (maker, to.iterations.split_last()) {
        (Maker::LoopParam, Some((0, outer))) => position < initial && outer.starts_with(&from.iterations),
        (Maker::LoopParam, Some((round, outer))) => {
            let before = from.iterations.len() >= depth
                && from.iterations[..depth - 1] == *outer
                && from.iterations[depth - 1] == round.wrapping_sub(1);
            position >= initial && (before || outer.starts_with(&from.iterations))
        }
        _ => to.iterations.starts_with(&from.iterations) || from.iterations.starts_with(&to.iterations),
    }
}
