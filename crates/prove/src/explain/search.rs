//! Finds which values of the original stand for which of the port though their bits differ, on a sample of lanes: those that are the same function in
//! exact arithmetic of values that agree, and those that lie in a narrow set of allowed results.

use super::exact::{Arithmetic, Exact, number};
use super::region::{Excuse, Given, Region, RegionNode};
use super::substitute::{Instead, Moment, Rule};
use super::textures::Textures;
use super::trace::{Makers, Meaning, Trace};
use crate::locate::graph::{Maker, Point};
use crate::locate::matching::matched;
use crate::locate::record::Occurrence;
use gpuproof_program::{Op, Width};
use gpuproof_run::texture::Weights;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many ways of opening values there are.
pub(super) const ATTEMPTS: usize = 3;
/// Values without partner that are looked at in one round.
const MOST_VALUES: usize = 4000;
/// Candidates that are looked at for one value.
const MOST_CANDIDATES: usize = 64;
/// Pairs that are held against made up values in one round.
const MOST_IDENTITIES: u32 = 400;
/// How wide, in representable floats, a set may be in which a result counts as one of several roundings, whatever computed it.
const NARROW: u64 = 2;
/// How well a number has to be known to say something.
const TIGHT: f64 = 1.0 / (1 << 20) as f64;

/// A value of the original and one of the port that is put in for it.
struct Found {
    value: usize,
    instead: Candidate,
    region: Region,
    port: Option<Region>,
}

#[derive(Clone, Copy, PartialEq)]
enum Candidate {
    Made(usize),
    Constant(u64),
}

/// Values of both sides on lanes on which all that was put in so far agrees.
pub(super) struct Sides<'a> {
    pub original: (&'a Makers<'a>, &'a [Occurrence]),
    pub port: (&'a Makers<'a>, &'a [Occurrence]),
    /// What the lookups of each read.
    pub textures: (&'a Textures, &'a Textures),
    /// Values of the original that outputs are which differ. The port may have made the same on its way to what it wrote.
    pub outputs: &'a HashSet<Point>,
}

/// The lanes of a mask.
fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |lane| mask >> lane & 1 == 1)
}

/// What was looked at in vain.
#[derive(Default)]
pub(super) struct Refused {
    /// Values of the original with those of the port, and how much they were seen to be made of.
    pairs: HashSet<(Point, Point, usize)>,
    /// Values of the original that are no constant, with the iterations in which they are none.
    varied: HashSet<(Point, Box<[u32]>)>,
}

/// Finds rules for values of the original in `region` (all of them without one), and adds them to `rules`. Gives whether there are new ones, and
/// notes in `cut` whether there were more values than are looked at.
pub(super) fn search(
    sides: &Sides<'_>,
    region: &dyn Fn(&crate::locate::matching::Partners, &crate::locate::matching::Partners) -> Option<HashSet<Point>>,
    (rules, refused, attempts): (&mut Vec<Rule>, &mut Refused, &mut usize),
    arithmetic: &mut Arithmetic,
    cut: &mut bool,
) -> bool {
    let (left, right) = (sides.original.1, sides.port.1);
    let (partners, port_partners) = matched((sides.original.0.graph, left), (sides.port.0.graph, right));
    // Where all that outputs are made of seems to agree, any of it may be taken for what it is not.
    let points = region(&partners, &port_partners).filter(|points| !points.is_empty());
    let mut found = Vec::new();
    let mut unsettled: HashSet<usize> = (0..left.len()).filter(|at| sides.outputs.contains(&left[*at].point)).collect();
    // What is settled may be so by an intermediate result of the port's that only happens to be equal: where nothing is found, the other sides of
    // what differing outputs are are opened too, and then what open values are made of. Where less
    // found something first, more would lead astray.
    for attempt in 0..*attempts {
        let settled: Vec<bool> =
            partners.iter().enumerate().map(|(at, partner)| partner.is_some() && !unsettled.contains(&at)).collect();
        let exempt: HashSet<usize> = unsettled.iter().filter(|_| attempt > 0).filter_map(|at| partners[*at]).collect();
        let port_settled: Vec<bool> =
            port_partners.iter().enumerate().map(|(at, partner)| partner.is_some() && !exempt.contains(&at)).collect();
        let open: Vec<usize> = (0..left.len())
            .filter(|at| {
                let occurrence = &left[*at];
                !settled[*at]
                    && occurrence.active != 0
                    && points.as_ref().is_none_or(|points| unsettled.contains(at) || points.contains(&occurrence.point))
                    && sides.original.0.is_followed(occurrence.point)
                    && matches!(sides.original.0.width(occurrence.point), Width::W16 | Width::W32 | Width::W64)
            })
            .take(MOST_VALUES)
            .collect();
        if open.is_empty() {
            return false;
        }
        *cut |= open.len() == MOST_VALUES || right.len() > MOST_VALUES * 4;
        // First with constants as they are, then as what they may have been shortened from, and textures filtered exactly, then as in fixed point.
        let filters: &[Weights] =
            if sides.original.0.looks_up() { &[Weights::Whole, Weights::In256ths] } else { &[Weights::Whole] };
        let meanings = [false, true].into_iter().flat_map(|shortened| filters.iter().map(move |weights| (shortened, *weights)));
        for (shortened, weights) in meanings {
            let meaning = Meaning { shortened, weights };
            let mut original = Trace::new(sides.original.0, left, settled.clone(), sides.textures.0, meaning);
            let mut port = Trace::new(sides.port.0, right, port_settled.clone(), sides.textures.1, meaning);
            original.evaluate(open.iter().copied(), arithmetic);
            port.evaluate((0..right.len()).take(MOST_VALUES * 4), arithmetic);
            let more: Vec<usize> = open.iter().flat_map(|at| original.made_directly_of(*at)).filter(|at| settled[*at]).collect();
            let arithmetic = RefCell::new(&mut *arithmetic);
            let (port_partners, index) = (&port_partners[..], Index::new(&port));
            let identities = Cell::new(MOST_IDENTITIES);
            let pairing = Pairing { original: &original, port: &port, port_partners, index, arithmetic, identities };
            pairing.pair(&open, rules, refused, &mut found);
            if !found.is_empty() {
                if rules.is_empty() {
                    *attempts = attempt + 1;
                }
                return add(found, (left, right), rules);
            }
            if shortened && Some(&weights) == filters.last() && attempt > 0 {
                unsettled.extend(more);
            }
        }
    }
    false
}

fn moment(occurrence: &Occurrence) -> Moment {
    (occurrence.iterations.clone(), occurrence.repeat)
}

/// Whether there is such a rule for all moments, or for this one.
fn is_known(rules: &[Rule], occurrence: &Occurrence, at: Option<&Moment>, found: &Found, port: &Trace<'_>) -> bool {
    let instead = match found.instead {
        Candidate::Made(at) => Instead::Value(port.occurrences[at].point),
        Candidate::Constant(bits) => Instead::Constant(bits),
    };
    rules.iter().any(|rule| {
        let there = match (&rule.moments, at) {
            (None, _) => true,
            (Some(moments), Some(moment)) => moments.contains_key(moment),
            (Some(_), None) => false,
        };
        rule.value == occurrence.point && rule.instead == instead && there && rule.region == found.region
    })
}

/// Adds what was found as rules: the same one for all iterations where the iterations are the same.
fn add(found: Vec<Found>, (left, right): (&[Occurrence], &[Occurrence]), rules: &mut Vec<Rule>) -> bool {
    let mut new = false;
    let first = rules.len();
    for Found { value, instead, region, port } in found {
        let own = moment(&left[value]);
        let (instead, theirs) = match instead {
            Candidate::Made(at) => (Instead::Value(right[at].point), moment(&right[at])),
            Candidate::Constant(bits) => (Instead::Constant(bits), own.clone()),
        };
        let point = left[value].point;
        // What is a constant in one round of a loop need not be in another.
        let same = own == theirs && matches!(instead, Instead::Value(_));
        let known = rules[first..].iter_mut().find(|rule| {
            rule.value == point && rule.instead == instead && rule.region == region && rule.moments.is_none() == same
        });
        match known {
            Some(Rule { moments: Some(moments), .. }) => _ = moments.insert(own, theirs),
            Some(_) => {}
            None => {
                let moments = (!same).then(|| BTreeMap::from([(own, theirs)]));
                let rule = Rule { value: point, instead, moments, region, port };
                if rules.contains(&rule) {
                    continue;
                }
                rules.push(rule);
            }
        }
        new = true;
    }
    new
}

/// The port's values by what they are on a lane.
struct Index {
    by_lane: Vec<Vec<(f64, usize)>>,
    constants: Vec<(f64, u64)>,
}

impl Index {
    fn new(port: &Trace<'_>) -> Index {
        let count = port.occurrences.iter().map(|occurrence| occurrence.bits.len()).max().unwrap_or(0);
        let mut by_lane = vec![Vec::new(); count];
        for (at, occurrence) in port.occurrences.iter().enumerate() {
            let width = port.makers.width(occurrence.point);
            for lane in lanes(occurrence.active) {
                if let Exact::Real(ball) = port.exact(at, lane).real(width) {
                    by_lane[lane].push((ball.near(), at));
                }
            }
        }
        by_lane.iter_mut().for_each(|all| all.sort_by(|a, b| a.0.total_cmp(&b.0)));
        let mut constants = Vec::new();
        for point in 0..port.makers.graph.sites.len() {
            if let Some(bits) = port.makers.constant(point)
                && port.makers.width(point) == Width::W32
                && let Some(x) = number(bits, Width::W32)
                && !constants.contains(&(x, bits))
            {
                constants.push((x, bits));
            }
        }
        Index { by_lane, constants }
    }

    fn near(&self, lane: usize, x: f64, reach: f64) -> impl Iterator<Item = usize> + '_ {
        let all = &self.by_lane[lane];
        let first = all.partition_point(|entry| entry.0 < x - reach);
        all[first..].iter().take_while(move |entry| entry.0 <= x + reach).map(|entry| entry.1)
    }
}

struct Pairing<'a> {
    original: &'a Trace<'a>,
    port: &'a Trace<'a>,
    port_partners: &'a [Option<usize>],
    index: Index,
    arithmetic: RefCell<&'a mut Arithmetic>,
    /// How many pairs may still be held against made up values.
    identities: Cell<u32>,
}

impl Pairing<'_> {
    fn pair(&self, open: &[usize], rules: &[Rule], refused: &mut Refused, found: &mut Vec<Found>) {
        let mut all: Vec<(Found, Vec<usize>)> = Vec::new();
        for value in open {
            let occurrence = &self.original.occurrences[*value];
            if let Some(constant) = self.constant(*value, &mut refused.varied) {
                if !is_known(rules, occurrence, Some(&moment(occurrence)), &constant, self.port) {
                    all.push((constant, vec![*value]));
                }
                continue;
            }
            let Some((region, inside)) = self.original.region(*value, &|at| Some((self.original.occurrences[at].point, at)))
            else {
                continue;
            };
            let mut candidates = self.candidates(*value, &region);
            candidates.sort_by_key(|candidate| self.preference(*value, *candidate));
            for candidate in candidates.into_iter().take(MOST_CANDIDATES) {
                let key = match candidate {
                    Candidate::Made(at) => (occurrence.point, self.port.occurrences[at].point, region.nodes.len()),
                    Candidate::Constant(_) => (occurrence.point, usize::MAX, region.nodes.len()),
                };
                if refused.pairs.contains(&key) {
                    continue;
                }
                let port = match candidate {
                    Candidate::Made(at) => self.port_region(*value, at),
                    Candidate::Constant(bits) => Some(Region { nodes: vec![RegionNode::Constant(bits)], shortened: false }),
                };
                match self.is_excused(*value, candidate, &region, port.as_ref()) {
                    Some(true) => {}
                    Some(false) => {
                        refused.pairs.insert(key);
                        continue;
                    }
                    // Other lanes may tell.
                    None => continue,
                }
                let one = Found { value: *value, instead: candidate, region: region.clone(), port };
                let at = moment(occurrence);
                let at = matches!(candidate, Candidate::Constant(_)).then_some(&at);
                if !is_known(rules, occurrence, at, &one, self.port) {
                    all.push((one, inside));
                    break;
                }
            }
        }
        // Where one value of the port agrees with several of the original, with a sum and with its larger term, it is the last of them.
        let first = |at: usize| {
            let (found, _) = &all[at];
            !all.iter().any(|(other, inside)| {
                other.instead == found.instead && inside.contains(&found.value) && other.value != found.value
            })
        };
        let kept: Vec<usize> = (0..all.len()).filter(|at| first(*at)).collect();
        let values: HashSet<usize> = kept.iter().map(|at| all[*at].0.value).collect();
        // What a value is made of comes first.
        let is_frontier = |at: usize| {
            let (found, inside) = &all[at];
            !inside.iter().any(|inner| *inner != found.value && values.contains(inner))
        };
        let chosen: HashSet<usize> = kept.into_iter().filter(|at| is_frontier(*at)).collect();
        found.extend(all.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, (found, _))| found));
    }

    /// Values of the port that are the same in exact arithmetic, or one of few allowed results.
    fn candidates(&self, value: usize, region: &Region) -> Vec<Candidate> {
        let occurrence = &self.original.occurrences[value];
        let width = self.original.makers.width(occurrence.point);
        let known: Vec<(usize, f64, f64)> = lanes(occurrence.active)
            .filter_map(|lane| match self.original.exact(value, lane) {
                Exact::Bits(_) if !self.original.makers.is_float(occurrence.point) => None,
                exact => match exact.real(width) {
                    Exact::Real(ball) => Some((lane, ball.near(), ball.radius())),
                    _ => None,
                },
            })
            .collect();
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        let probes = [0, known.len() / 2, known.len().saturating_sub(1)];
        for (lane, x, radius) in probes.iter().filter_map(|at| known.get(*at)) {
            for at in self.index.near(*lane, *x, radius * 2.0 + x.abs() * 1e-6) {
                if seen.insert(at)
                    && all.len() < MOST_CANDIDATES * 4
                    && self.port.makers.width(self.port.occurrences[at].point) == width
                    && (self.is_same(value, at).unwrap_or_else(|| self.is_identity(value, at, region))
                        || self.is_rounding(value, at, region))
                {
                    all.push(Candidate::Made(at));
                }
            }
        }
        // What is one constant wherever it is a number at all, such as x - x, and comes out as something else somewhere.
        let beyond = |lane: usize| {
            let exact = self.original.exact(value, lane);
            matches!(exact, Exact::Beyond) || known[0].1 != 0.0 && number(occurrence.bits[lane], width) != Some(known[0].1)
        };
        if known.len() > 1 && lanes(occurrence.active).any(beyond) && known.iter().all(|other| other.1 == known[0].1) {
            let same = |entry: &&(f64, u64)| entry.0 == known[0].1;
            all.extend(self.index.constants.iter().filter(same).map(|entry| Candidate::Constant(entry.1)));
        }
        all
    }

    /// What is one number whatever it is made of, such as x - x, and comes out as something else on some lane: a compiler may have folded it.
    fn constant(&self, value: usize, varied: &mut HashSet<(Point, Box<[u32]>)>) -> Option<Found> {
        let occurrence = &self.original.occurrences[value];
        let key = (occurrence.point, occurrence.iterations.clone());
        if varied.contains(&key) {
            return None;
        }
        let region = self.original.whole_region(value);
        let constant = region.and_then(|region| {
            let bits = super::same::constant(&region, &mut self.arithmetic.borrow_mut())?;
            Some((bits, region))
        });
        let Some((bits, region)) = constant else {
            varied.insert(key);
            return None;
        };
        let port = Some(Region { nodes: vec![RegionNode::Constant(bits)], shortened: false });
        let instead = Candidate::Constant(bits);
        let excused = self.is_excused(value, instead, &region, port.as_ref()) == Some(true);
        excused.then_some(Found { value, instead, region, port })
    }

    /// Whether two values are the same function of what both sides agree on: they agree in exact arithmetic wherever both are known, and
    /// somewhere that is no coincidence; none where they agree and that may be one.
    fn is_same(&self, value: usize, other: usize) -> Option<bool> {
        let (a, b) = (&self.original.occurrences[value], &self.port.occurrences[other]);
        let width = self.original.makers.width(a.point);
        let (mut agreed, mut rich) = (HashSet::new(), 0);
        for lane in lanes(a.active & b.active) {
            let (x, y) = (self.original.exact(value, lane).real(width), self.port.exact(other, lane).real(width));
            let (Exact::Real(x), Exact::Real(y)) = (x, y) else { continue };
            if !x.agrees(&y) {
                return Some(false);
            }
            let size = x.near().abs();
            // That both are zero says little.
            if size > 0.0 && x.radius() + y.radius() <= size * TIGHT {
                agreed.insert(x.near().to_bits());
                // A number of more digits than programs write.
                rich += u32::from(x.near().to_bits() << 12 << 12 != 0);
            }
        }
        let alike = self.maker(self.original, value) == self.maker(self.port, other);
        let enough = rich >= 2 || rich == 1 && (alike || agreed.len() > 1) || agreed.len() > 3 || alike && agreed.len() > 1;
        enough.then_some(true)
    }

    /// Whether they are the same function of any values, where what they are made of agrees and they differ on some lane.
    fn is_identity(&self, value: usize, other: usize, region: &Region) -> bool {
        let (a, b) = (&self.original.occurrences[value], &self.port.occurrences[other]);
        let differ = lanes(a.active & b.active).any(|lane| a.bits[lane] != b.bits[lane]);
        let left = self.identities.get();
        if !differ || left == 0 {
            return false;
        }
        self.identities.set(left - 1);
        let port = self.port_region(value, other);
        port.is_some_and(|port| super::same::is_identity(region, &port, &mut self.arithmetic.borrow_mut()))
    }

    fn maker(&self, trace: &Trace<'_>, at: usize) -> Maker {
        trace.makers.graph.sites[trace.occurrences[at].point].maker
    }

    /// Whether what the port has is one of the few results that are allowed everywhere, of operations that let their rounding open.
    fn is_rounding(&self, value: usize, other: usize, region: &Region) -> bool {
        let (a, b) = (&self.original.occurrences[value], &self.port.occurrences[other]);
        let (mut rich, mut differing) = (0, 0);
        for lane in lanes(a.active & b.active) {
            let leaf = self.leaf_of(value, region, None, lane);
            let bits = b.bits[lane];
            let (Excuse::InSet, Some(range)) = region.excuse(None, bits, &self.given(&leaf)) else { return false };
            if range.width().is_none_or(|width| width > NARROW) {
                return false;
            }
            rich += u32::from(bits & 0xfff != 0);
            differing += u32::from(bits != a.bits[lane]);
        }
        // Half of all neighbours would be by chance.
        rich >= 16 && differing >= 1
    }

    fn given<'g>(&'g self, leaf: &'g dyn Fn(Point) -> u64) -> Given<'g> {
        Given { leaf, textures: self.original.textures }
    }

    /// What the port's value is made of, in terms of the original's values that are equal and made before.
    fn port_region(&self, value: usize, other: usize) -> Option<Region> {
        let occurrence = &self.original.occurrences[value];
        let leaf = |at: usize| {
            let partner = self.port_partners[at]?;
            let (theirs, own) = (&self.port.occurrences[at], &self.original.occurrences[partner]);
            let common = theirs.active & own.active & occurrence.active;
            let equal = lanes(common).all(|lane| theirs.bits[lane] == own.bits[lane]);
            (equal && own.order < occurrence.order).then_some((own.point, partner))
        };
        Some(self.port.region(other, &leaf)?.0)
    }

    /// Whether the port's result may take the place of the original's on some lane where they differ; none where they do not.
    fn is_excused(&self, value: usize, candidate: Candidate, region: &Region, port: Option<&Region>) -> Option<bool> {
        let a = &self.original.occurrences[value];
        let mut some = None;
        for lane in lanes(a.active) {
            let bits = match candidate {
                Candidate::Made(at) if self.port.occurrences[at].active >> lane & 1 == 0 => continue,
                Candidate::Made(at) => self.port.occurrences[at].bits[lane],
                Candidate::Constant(bits) => bits,
            };
            if bits == a.bits[lane] {
                continue;
            }
            let leaf = self.leaf_of(value, region, port, lane);
            some = Some(match region.excuse(port, bits, &self.given(&leaf)).0 {
                Excuse::InSet | Excuse::Refactored => true,
                Excuse::Unbounded(_) => region.is_same(port, &leaf, &mut self.arithmetic.borrow_mut()),
                Excuse::None => false,
            });
            if some == Some(true) {
                break;
            }
        }
        some
    }

    /// The values that regions begin with, as they were when a value was made.
    fn leaf_of(&self, value: usize, region: &Region, port: Option<&Region>, lane: usize) -> impl Fn(Point) -> u64 + '_ {
        let order = self.original.occurrences[value].order;
        let mut known: HashMap<Point, u64> = HashMap::new();
        for point in region.leaves().chain(port.into_iter().flat_map(Region::leaves)) {
            if let Some(bits) = self.original.latest(point, order, lane) {
                known.insert(point, bits);
            }
        }
        move |point| known.get(&point).copied().unwrap_or(0)
    }

    /// What is tried first: values without partner, made alike, in the same iteration, of few operations.
    fn preference(&self, value: usize, candidate: Candidate) -> (bool, bool, bool, u32, u64) {
        let Candidate::Made(at) = candidate else { return (true, true, true, 0, 0) };
        let (a, b) = (&self.original.occurrences[value], &self.port.occurrences[at]);
        let alike = self.maker(self.original, value) == self.maker(self.port, at);
        let passed = matches!(self.maker(self.port, at), Maker::Param | Maker::Join | Maker::LoopParam | Maker::Op(Op::Call));
        (
            self.port.settled[at] || passed,
            a.iterations != b.iterations || a.repeat != b.repeat,
            !alike,
            self.port.depth(at),
            b.order,
        )
    }
}
