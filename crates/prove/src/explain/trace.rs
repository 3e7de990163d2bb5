//! One recorded run, linked: which dynamic value each operand was, and what each value is in exact arithmetic.

use super::exact::{Arithmetic, Ball, Exact};
use super::region::{Region, RegionNode};
use super::textures::{Operand, TextureLookup, Textures};
use crate::locate::graph::{Graph, Maker, Point};
use crate::locate::record::Occurrence;
use gpuproof_program::{Class, Instruction, Node, Op, Program, Scope, Target, Width};
use gpuproof_run::texture::Weights;
use std::collections::HashMap;

/// Operations between a value and the ones it is made of that agree.
const DEEPEST: u32 = 48;

/// The instruction that makes each value of a program.
pub(crate) struct Makers<'a> {
    pub program: &'a Program,
    pub graph: &'a Graph,
    /// By point, with the number of the result.
    instructions: Vec<Option<(&'a Instruction, usize)>>,
}

impl<'a> Makers<'a> {
    pub fn new(program: &'a Program, graph: &'a Graph) -> Makers<'a> {
        let mut instructions = vec![None; graph.sites.len()];
        for (at, function) in program.functions.iter().enumerate() {
            gpuproof_program::walk(&function.body, &mut |node| {
                if let Node::Op(instruction) = node {
                    for (position, value) in instruction.results.iter().enumerate() {
                        instructions[graph.offsets[at] + value.index()] = Some((instruction, position));
                    }
                }
            });
        }
        Makers { program, graph, instructions }
    }

    pub fn instruction(&self, point: Point) -> Option<(&'a Instruction, usize)> {
        self.instructions[point]
    }

    pub fn width(&self, point: Point) -> Width {
        let (function, value) = self.graph.value(point);
        self.program.function(function).width(value)
    }

    /// The widths T and U of the operation that makes a point.
    pub fn widths(&self, point: Point, instruction: &Instruction) -> (Width, Width) {
        let (function, _) = self.graph.value(point);
        let function = self.program.function(function);
        let u = instruction.results.first().map_or(Width::W32, |value| function.width(*value));
        let t = if instruction.op == Op::Select { u } else { instruction.args.first().map_or(u, |arg| function.width(*arg)) };
        (t, u)
    }

    pub fn constant(&self, point: Point) -> Option<u64> {
        match (self.graph.sites[point].maker, self.graph.target(point)) {
            (Maker::Op(Op::Const), Some(Target::Bits(bits))) => Some(bits),
            _ => None,
        }
    }

    /// The pure operation of one lane that makes a point.
    pub fn pure(&self, point: Point) -> Option<(&'a Instruction, usize)> {
        let (instruction, result) = self.instruction(point)?;
        let row = instruction.op.row();
        let pure = row.class == Class::Pure && row.scope == Scope::Lane && !matches!(instruction.op, Op::Const | Op::Undef);
        pure.then_some((instruction, result))
    }

    /// Whether an operation on floats makes a point.
    pub fn is_float(&self, point: Point) -> bool {
        matches!(self.graph.sites[point].maker, Maker::Op(op) if op.row().name.starts_with("f."))
    }

    /// The lookup of a texture that makes a point.
    pub fn lookup(&self, point: Point) -> Option<TextureLookup> {
        let (instruction, result) = self.instruction(point)?;
        TextureLookup::of(instruction, result, self.program.dialect)
    }

    /// Whether the program looks textures up.
    pub fn looks_up(&self) -> bool {
        (0..self.graph.sites.len()).any(|point| self.lookup(point).is_some())
    }

    /// Whether values of a point are followed to their operands.
    pub fn is_followed(&self, point: Point) -> bool {
        self.pure(point).is_some() || self.lookup(point).is_some()
    }

    /// Whether a point is a texel or a size, of a texture that the program does not write: what it is lies in the case.
    fn is_given(&self, point: Point) -> bool {
        let site = &self.graph.sites[point];
        matches!(site.maker, Maker::Op(Op::TexelLoad | Op::TextureSize)) && site.stored.is_empty()
    }
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Constant(u64),
    /// An occurrence.
    Made(usize),
}

/// A recorded run.
pub(super) struct Trace<'a> {
    pub makers: &'a Makers<'a>,
    pub occurrences: &'a [Occurrence],
    /// Whether something of the other side stands for an occurrence.
    pub settled: Vec<bool>,
    by_point: HashMap<Point, Vec<usize>>,
    /// What each occurrence is on each lane of the sample, and how many operations it is made of.
    exact: Vec<Option<(Vec<Exact>, u32)>>,
    /// What lookups read.
    pub textures: &'a Textures,
    meaning: Meaning,
}

/// What stands for what in exact arithmetic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    /// Whether constants stand for numbers that round to them.
    pub shortened: bool,
    /// Which function filters of textures are.
    pub weights: Weights,
}

impl<'a> Trace<'a> {
    pub fn new(
        makers: &'a Makers<'a>,
        occurrences: &'a [Occurrence],
        settled: Vec<bool>,
        textures: &'a Textures,
        meaning: Meaning,
    ) -> Trace<'a> {
        let mut by_point: HashMap<Point, Vec<usize>> = HashMap::new();
        for (at, occurrence) in occurrences.iter().enumerate() {
            by_point.entry(occurrence.point).or_default().push(at);
        }
        let exact = vec![None; occurrences.len()];
        Trace { makers, occurrences, settled, by_point, exact, textures, meaning }
    }

    /// The operand of an occurrence that its point's data at a position is.
    fn operand(&self, at: usize, position: usize) -> Option<Source> {
        let occurrence = &self.occurrences[at];
        let point = *self.makers.graph.sites[occurrence.point].data.get(position)?;
        if let Some(bits) = self.makers.constant(point) {
            return Some(Source::Constant(bits));
        }
        let fits = |from: &&usize| {
            let other = &self.occurrences[**from];
            other.active & occurrence.active == occurrence.active
                && **from != at
                && other.order <= occurrence.order
                && (occurrence.iterations.starts_with(&other.iterations) || other.iterations.starts_with(&occurrence.iterations))
        };
        self.by_point.get(&point)?.iter().rev().find(fits).map(|from| Source::Made(*from))
    }

    /// What a join, a value that a loop carries, a parameter or a call's result only passes on.
    fn passed(&self, at: usize) -> Option<Source> {
        let occurrence = &self.occurrences[at];
        let site = &self.makers.graph.sites[occurrence.point];
        if !matches!(site.maker, Maker::Join | Maker::LoopParam | Maker::Param | Maker::Op(Op::Call)) {
            return None;
        }
        let lanes = || (0..occurrence.bits.len()).filter(|lane| occurrence.active >> lane & 1 == 1);
        let mut best: Option<usize> = None;
        for point in &site.data {
            if let Some(bits) = self.makers.constant(*point) {
                if lanes().all(|lane| occurrence.bits[lane] == bits) {
                    return Some(Source::Constant(bits));
                }
                continue;
            }
            for from in self.by_point.get(point).into_iter().flatten().rev() {
                let other = &self.occurrences[*from];
                let same = other.active & occurrence.active == occurrence.active
                    && *from != at
                    && other.order <= occurrence.order
                    && lanes().all(|lane| occurrence.bits[lane] == other.bits[lane]);
                if same {
                    if best.is_none_or(|known| self.occurrences[known].order < other.order) {
                        best = Some(*from);
                    }
                    break;
                }
            }
        }
        best.map(Source::Made)
    }

    /// The operands of an operation, or the one value that something passes on.
    fn sources(&self, at: usize) -> Option<Vec<Source>> {
        let point = self.occurrences[at].point;
        match self.makers.instruction(point).filter(|_| self.makers.is_followed(point)) {
            Some((instruction, _)) => (0..instruction.args.len()).map(|position| self.operand(at, position)).collect(),
            None => Some(vec![self.passed(at)?]),
        }
    }

    /// The occurrences that an operation takes.
    pub fn made_directly_of(&self, at: usize) -> Vec<usize> {
        let made = |source| if let Source::Made(from) = source { Some(from) } else { None };
        self.sources(at).into_iter().flatten().filter_map(made).collect()
    }

    /// Works out what every occurrence of these is in exact arithmetic, with what they are made of.
    pub fn evaluate(&mut self, wanted: impl Iterator<Item = usize>, arithmetic: &mut Arithmetic) {
        let mut pending: Vec<(usize, bool)> = Vec::new();
        for first in wanted {
            pending.push((first, false));
            while let Some((at, ready)) = pending.pop() {
                if self.exact[at].is_some() {
                    continue;
                }
                let occurrence = &self.occurrences[at];
                if self.settled[at] || self.makers.is_given(occurrence.point) {
                    self.exact[at] = Some((occurrence.bits.iter().map(|bits| Exact::Bits(*bits)).collect(), 0));
                    continue;
                }
                let unknown = || Some((vec![Exact::Unknown; occurrence.bits.len()], DEEPEST + 1));
                let Some(sources) = self.sources(at) else {
                    self.exact[at] = unknown();
                    continue;
                };
                if !ready {
                    // Against going round, should occurrences ever depend on each other.
                    let missing: Vec<usize> = sources
                        .iter()
                        .filter_map(|source| match source {
                            Source::Made(from) if self.exact[*from].is_none() => Some(*from),
                            _ => None,
                        })
                        .collect();
                    if !missing.is_empty() {
                        if pending.iter().filter(|entry| entry.0 == at).count() > 1 || pending.len() > 100_000 {
                            self.exact[at] = unknown();
                            continue;
                        }
                        pending.push((at, true));
                        pending.extend(missing.into_iter().map(|from| (from, false)));
                        continue;
                    }
                }
                self.exact[at] = self.combine(at, &sources, arithmetic).or_else(unknown);
            }
        }
    }

    fn combine(&self, at: usize, sources: &[Source], arithmetic: &mut Arithmetic) -> Option<(Vec<Exact>, u32)> {
        let occurrence = &self.occurrences[at];
        let depth = |source: &Source| match source {
            Source::Made(from) => self.exact[*from].as_ref().map_or(DEEPEST, |known| known.1),
            Source::Constant(_) => 0,
        };
        let depth = 1 + sources.iter().map(depth).max().unwrap_or(0);
        if depth > DEEPEST {
            return None;
        }
        let point = occurrence.point;
        let operation = self.makers.pure(point);
        let lookup = self.makers.lookup(point);
        let function = self.makers.graph.value(point).0;
        let of = |position: usize, lane: usize| -> Exact {
            match sources[position] {
                Source::Made(from) => self.exact[from].as_ref().map_or(Exact::Unknown, |known| known.0[lane].clone()),
                Source::Constant(bits) => match operation {
                    Some((instruction, _)) if self.meaning.shortened && instruction.op.row().name.starts_with("f.") => {
                        let width = self.makers.program.function(function).width(instruction.args[position]);
                        Exact::shortened(bits, width)
                    }
                    _ => Exact::Bits(bits),
                },
            }
        };
        let mut values = Vec::with_capacity(occurrence.bits.len());
        for lane in 0..occurrence.bits.len() {
            values.push(if occurrence.active >> lane & 1 == 0 {
                Exact::Unknown
            } else if let Some((instruction, result)) = operation {
                let args: Vec<Exact> = (0..sources.len()).map(|position| of(position, lane)).collect();
                let widths = self.makers.widths(point, instruction);
                arithmetic.evaluate(instruction.op, &instruction.attrs, widths, &args, result)
            } else if let Some(lookup) = &lookup {
                self.look_up(lookup, (0..sources.len()).map(|position| of(position, lane)))
            } else {
                of(0, lane)
            });
        }
        Some((values, depth))
    }

    /// What a lookup is of these operands.
    fn look_up(&self, lookup: &TextureLookup, args: impl Iterator<Item = Exact>) -> Exact {
        let operand = |arg: Exact| match arg {
            Exact::Bits(bits) => Some(Operand::Bits(bits as u32)),
            Exact::Real(ball) => Some(Operand::Within(ball.interval())),
            Exact::Beyond | Exact::Unknown => None,
        };
        let operands: Option<Vec<Operand>> = args.map(operand).collect();
        match operands.and_then(|operands| lookup.exact(self.textures, &operands, self.meaning.weights)) {
            Some((x, radius)) => Exact::Real(Ball::about(x, radius)),
            None => Exact::Unknown,
        }
    }

    /// What an occurrence is on a lane of the sample, after [`Trace::evaluate`].
    pub fn exact(&self, at: usize, lane: usize) -> &Exact {
        const UNKNOWN: Exact = Exact::Unknown;
        self.exact[at].as_ref().map_or(&UNKNOWN, |known| &known.0[lane])
    }

    /// How many operations an occurrence is away from values that agree.
    pub fn depth(&self, at: usize) -> u32 {
        self.exact[at].as_ref().map_or(u32::MAX, |known| known.1)
    }

    /// The operations between an occurrence and what is settled; `leaf` names settled occurrences: the original's point, and
    /// the occurrence of it. Gives the occurrences inside too.
    pub fn region(&self, at: usize, leaf: &dyn Fn(usize) -> Option<(Point, usize)>) -> Option<(Region, Vec<usize>)> {
        let mut region = Region { nodes: Vec::new(), shortened: self.meaning.shortened };
        let mut known: HashMap<usize, usize> = HashMap::new();
        let mut leaves: HashMap<Point, usize> = HashMap::new();
        self.grow(at, leaf, false, &mut region, &mut known, &mut leaves)?;
        Some((region, known.into_keys().filter(|at| !self.settled[*at]).collect()))
    }

    /// The operations that a value of the original is made of up to what agrees, or what is loaded, which need not agree.
    pub fn whole_region(&self, at: usize) -> Option<Region> {
        let mut region = Region { nodes: Vec::new(), shortened: self.meaning.shortened };
        let leaf = |at: usize| Some((self.occurrences[at].point, at));
        self.grow(at, &leaf, true, &mut region, &mut HashMap::new(), &mut HashMap::new())?;
        Some(region)
    }

    fn grow(
        &self,
        at: usize,
        leaf: &dyn Fn(usize) -> Option<(Point, usize)>,
        loaded: bool,
        region: &mut Region,
        known: &mut HashMap<usize, usize>,
        leaves: &mut HashMap<Point, usize>,
    ) -> Option<usize> {
        if let Some(node) = known.get(&at) {
            return Some(*node);
        }
        if region.nodes.len() > 128 {
            return None;
        }
        // What is current at the end can be only one of a point's values; what no leaf stands for is what it is made of.
        let is_loaded = || {
            loaded
                && matches!(self.makers.instruction(self.occurrences[at].point), Some((made, _)) if made.op.row().class == Class::Reads)
        };
        if (self.settled[at] || is_loaded())
            && let Some((point, value)) = leaf(at)
            && *leaves.entry(point).or_insert(value) == value
        {
            region.nodes.push(RegionNode::Leaf(point));
        } else {
            let point = self.occurrences[at].point;
            let sources = self.sources(at)?;
            let args = sources
                .into_iter()
                .map(|source| match source {
                    Source::Made(from) => self.grow(from, leaf, loaded, region, known, leaves),
                    Source::Constant(bits) => {
                        region.nodes.push(RegionNode::Constant(bits));
                        Some(region.nodes.len() - 1)
                    }
                })
                .collect::<Option<Vec<usize>>>()?;
            if let Some((instruction, result)) = self.makers.pure(point) {
                let widths = self.makers.widths(point, instruction);
                let dialect = self.makers.program.dialect;
                region.nodes.push(RegionNode::operation(dialect, point, instruction, result, widths, args));
            } else if let Some(lookup) = self.makers.lookup(point) {
                region.nodes.push(RegionNode::Lookup(Box::new(lookup), args));
            } else {
                known.insert(at, args[0]);
                return Some(args[0]);
            }
        }
        known.insert(at, region.nodes.len() - 1);
        Some(region.nodes.len() - 1)
    }
}

impl Trace<'_> {
    /// The latest value of a point on a lane before a time.
    pub fn latest(&self, point: Point, order: u64, lane: usize) -> Option<u64> {
        let made = |at: &&usize| {
            let occurrence = &self.occurrences[**at];
            occurrence.order < order && occurrence.active >> lane & 1 == 1
        };
        let latest = self.by_point.get(&point)?.iter().filter(made).max_by_key(|at| self.occurrences[**at].order)?;
        Some(self.occurrences[*latest].bits[lane])
    }
}
