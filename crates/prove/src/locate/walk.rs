//! Walks back from what differs through values without partner, to the frontier of those that have one.

use super::graph::{Effect, Graph, Maker, Point};
use super::matching::Partners;
use super::record::Occurrence;
use gpuproof_program::{Op, Origin, Program};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// One side of the comparison.
pub(super) struct Side<'a> {
    pub program: &'a Program,
    pub graph: &'a Graph,
    pub occurrences: &'a [Occurrence],
    pub partners: &'a Partners,
    /// The occurrences of each point, in order.
    by_point: HashMap<Point, Vec<usize>>,
}

/// A place where matched values go in and something without partner comes out.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub point: Point,
    /// The earliest such occurrence.
    pub occurrence: usize,
    /// Its inputs: occurrences of this side that have partners.
    pub inputs: Vec<usize>,
}

/// The values without partner between what differs and the frontier.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub points: HashSet<Point>,
    /// In order of execution.
    pub candidates: Vec<Candidate>,
    /// Effects whose operands all have partners though what they write differs.
    pub effects: Vec<Origin>,
}

impl<'a> Side<'a> {
    pub fn new(program: &'a Program, graph: &'a Graph, occurrences: &'a [Occurrence], partners: &'a Partners) -> Side<'a> {
        let mut by_point: HashMap<Point, Vec<usize>> = HashMap::new();
        for (at, occurrence) in occurrences.iter().enumerate() {
            by_point.entry(occurrence.point).or_default().push(at);
        }
        Side { program, graph, occurrences, partners, by_point }
    }

    pub fn of(&self, point: Point) -> &[usize] {
        self.by_point.get(&point).map_or(&[], |of| of)
    }

    fn is_constant(&self, point: Point) -> bool {
        matches!(self.graph.sites[point].maker, Maker::Op(Op::Const | Op::Undef))
    }

    /// Whether every occurrence has a partner; none when there is no occurrence.
    fn is_matched(&self, point: Point) -> Option<bool> {
        if self.is_constant(point) {
            return Some(true);
        }
        let of = self.of(point);
        (!of.is_empty()).then(|| of.iter().all(|at| self.partners[*at].is_some()))
    }

    /// The region behind these effects.
    pub fn region(&self, effects: &[&Effect]) -> Region {
        let mut region = Region::default();
        let mut seen = HashSet::new();
        let mut pending: Vec<Point> = Vec::new();
        for effect in effects {
            let sources = || effect.args.iter().chain(&effect.control).copied();
            if sources().all(|point| self.is_matched(point) != Some(false)) {
                region.effects.push(effect.origin);
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
                Some(false) => _ = region.points.insert(point),
                // Nothing was seen of it: what it is made of tells.
                None => {}
            }
            pending.extend(site.data.iter().chain(&site.stored).chain(&site.control));
        }
        let mut candidates: Vec<Candidate> = region.points.iter().filter_map(|point| self.candidate(*point)).collect();
        candidates.sort_by_key(|candidate| (self.occurrences[candidate.occurrence].order, candidate.point));
        region.candidates = candidates;
        region
    }

    /// The earliest occurrence of a point without partner whose inputs all have one.
    fn candidate(&self, point: Point) -> Option<Candidate> {
        let of = self.of(point).iter().filter(|at| self.partners[**at].is_none()).take(64);
        of.copied().find_map(|at| {
            let inputs = self.inputs(at)?;
            Some(Candidate { point, occurrence: at, inputs })
        })
    }

    /// The occurrences that an occurrence is made of, constants left out; none if one of them has no partner.
    fn inputs(&self, at: usize) -> Option<Vec<usize>> {
        let occurrence = &self.occurrences[at];
        let site = &self.graph.sites[occurrence.point];
        let mut inputs = Vec::new();
        let depth = occurrence.iterations.len();
        for (position, source) in site.data.iter().chain(&site.control).enumerate() {
            if self.is_constant(*source) {
                continue;
            }
            let flows = |from: &Occurrence| match site.maker {
                Maker::LoopParam => match occurrence.iterations.split_last() {
                    Some((0, outer)) => position < site.initial && from.iterations[..] == *outer,
                    Some((round, outer)) => {
                        position >= site.initial
                            && from.iterations.len() >= depth
                            && from.iterations[..depth - 1] == *outer
                            && from.iterations[depth - 1] == round - 1
                            || position >= site.initial && from.iterations.len() < depth && outer.starts_with(&from.iterations)
                    }
                    None => true,
                },
                _ => occurrence.iterations.starts_with(&from.iterations) || from.iterations.starts_with(&occurrence.iterations),
            };
            for from in self.of(*source) {
                let source = &self.occurrences[*from];
                if source.active & occurrence.active == 0 || !flows(source) || inputs.contains(from) {
                    continue;
                }
                self.partners[*from]?;
                inputs.push(*from);
            }
        }
        // What was stored before has to agree as well.
        let stored = |point: &Point| self.is_matched(*point) == Some(false);
        (!site.stored.iter().any(stored)).then_some(inputs)
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
                let unseen = !self.by_point.contains_key(user);
                if (region.points.contains(user) || unseen) && !distance.contains_key(user) {
                    distance.insert(*user, here + 1);
                    pending.push_back(*user);
                }
            }
        }
        distance.into_keys().filter(|point| region.points.contains(point)).collect()
    }

    /// The line of a point, as an index into the source.
    pub fn line(&self, point: Point) -> Option<u32> {
        let line = self.graph.sites[point].origin.line;
        ((line as usize) < self.program.source.lines.len()).then_some(line)
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
        candidate.inputs.iter().filter_map(|at| self.partners[*at]).map(|to| other[to].point).collect()
    }
}
