//! Puts the port's values in the original: what the port computed is kept on all lanes of a run, then the original runs with it put in wherever
//! the specification allows it.

use super::exact::Arithmetic;
use super::region::{Excuse, Given, Region};
use super::textures::Textures;
use crate::locate::graph::{Graph, Point};
use crate::locate::record::{canonical, element, is_active};
use gpuproof_program::{FunctionId, Value};
use gpuproof_run::{Observed, Observer, RowBits};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// A dynamic value but for its point: the iterations of the loops around it, and which time it is for these.
pub(crate) type Moment = (Box<[u32]>, u32);

/// What takes the place of a value of the original.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Instead {
    /// A value of the port.
    Value(Point),
    /// A constant.
    Constant(u64),
}

/// A value of the original and what stands for it in the port: the same function, or one of the results that are allowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub value: Point,
    pub instead: Instead,
    /// Which of the port's moments stands for which of the original's; the same one where there is none.
    pub moments: Option<BTreeMap<Moment, Moment>>,
    /// What the original's value is made of.
    pub region: Region,
    /// What the port's is made of, in terms of the original's values that are equal to the port's; none where that is not to be told.
    pub port: Option<Region>,
}

/// What the port computed on all lanes, for the rules.
#[derive(Default)]
pub(crate) struct Captured {
    values: HashMap<(Point, Moment), Lanes>,
    /// Whether there was more than is kept.
    pub cut: bool,
}

/// A value on each lane.
struct Lanes {
    made: Vec<u64>,
    bits: Vec<u64>,
}

impl Lanes {
    fn new(lanes: usize) -> Lanes {
        Lanes { made: vec![0; lanes.div_ceil(64)], bits: vec![0; lanes] }
    }

    fn set(&mut self, lane: usize, bits: u64) {
        self.made[lane / 64] |= 1 << (lane % 64);
        self.bits[lane] = bits;
    }

    fn get(&self, lane: usize) -> Option<u64> {
        is_active(&self.made, lane).then(|| self.bits[lane])
    }
}

/// What stands for a value of the original at one moment.
enum There<'a> {
    Nothing,
    Constant(u64),
    Lanes(&'a Lanes),
}

impl There<'_> {
    fn get(&self, lane: usize) -> Option<u64> {
        match self {
            There::Nothing => None,
            There::Constant(bits) => Some(*bits),
            There::Lanes(lanes) => lanes.get(lane),
        }
    }
}

impl Rule {
    /// What stands for the value at a moment.
    fn there<'a>(&self, captured: &'a Captured, moment: &Moment) -> There<'a> {
        let theirs = match &self.moments {
            None => moment,
            Some(moments) => match moments.get(moment) {
                Some(theirs) => theirs,
                None => return There::Nothing,
            },
        };
        match self.instead {
            Instead::Constant(bits) => There::Constant(bits),
            Instead::Value(point) => captured.values.get(&(point, theirs.clone())).map_or(There::Nothing, There::Lanes),
        }
    }
}

/// What a rule came to in a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// How often the port's result was put in in place of another.
    pub replaced: u64,
    /// How often because it is in the set.
    pub in_set: u64,
    /// How often because the original may be refactored.
    pub refactored: u64,
    /// How often because nothing is promised there, and both are the same function.
    pub unbounded: u64,
    /// Why, once.
    pub why: Option<&'static str>,
    /// The largest distance in representable floats.
    pub ulps: u64,
    /// The largest absolute difference.
    pub absolute: f64,
    /// An example: the original's bits, the port's.
    pub example: Option<(u64, u64)>,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.replaced += other.replaced;
        self.in_set += other.in_set;
        self.refactored += other.refactored;
        self.unbounded += other.unbounded;
        self.why = self.why.or(other.why);
        self.ulps = self.ulps.max(other.ulps);
        if other.absolute > self.absolute || self.example.is_none() {
            self.example = other.example.or(self.example);
        }
        self.absolute = self.absolute.max(other.absolute);
    }

    fn difference(&mut self, excuse: Excuse, own: u64, theirs: u64) {
        self.replaced += 1;
        match excuse {
            Excuse::InSet => self.in_set += 1,
            Excuse::Refactored => self.refactored += 1,
            Excuse::Unbounded(why) => {
                self.unbounded += 1;
                self.why = Some(why);
            }
            Excuse::None => {}
        }
        if let Some(ulps) = crate::compare::ulps(own as u32, theirs as u32) {
            self.ulps = self.ulps.max(ulps);
            let absolute = f64::from(f32::from_bits(own as u32)) - f64::from(f32::from_bits(theirs as u32));
            if absolute.abs() > self.absolute {
                self.absolute = absolute.abs();
                self.example = Some((own, theirs));
            }
        }
        self.example.get_or_insert((own, theirs));
    }
}

/// What the rules came to in a run, by lane and rule.
#[derive(Default)]
pub(crate) struct Tallies {
    all: BTreeMap<(u32, usize), Tally>,
    /// Whether results of which nothing is promised were left as they are.
    pub left_open: bool,
}

impl Tallies {
    fn of(&mut self, lane: usize, rule: usize) -> &mut Tally {
        self.all.entry((lane as u32, rule)).or_default()
    }

    /// What each rule came to on a lane.
    pub fn of_lane(&self, lane: u32) -> impl Iterator<Item = (usize, &Tally)> {
        self.all.range((lane, 0)..=(lane, usize::MAX)).map(|((_, rule), tally)| (*rule, tally))
    }

    /// The same with lanes named as they are in a case that these were cut out of.
    pub fn renamed(self, lanes: &[u32]) -> Tallies {
        let name = |lane: u32| lanes.get(lane as usize).copied().unwrap_or(lane);
        Tallies { all: self.all.into_iter().map(|((lane, rule), tally)| ((name(lane), rule), tally)).collect(), ..self }
    }

    /// The lanes on which something was put in.
    pub fn lanes(&self) -> BTreeSet<u32> {
        self.all.keys().map(|key| key.0).collect()
    }
}

/// How often each lane has made a value of a point in certain iterations.
#[derive(Default)]
struct Times {
    counts: HashMap<(Point, Box<[u32]>), Vec<u32>>,
}

impl Times {
    fn of(&mut self, point: Point, iterations: &[u32], lanes: usize) -> &mut Vec<u32> {
        self.counts.entry((point, iterations.into())).or_insert_with(|| vec![0; lanes])
    }
}

fn length(bits: &RowBits<'_>) -> usize {
    match bits {
        RowBits::Words(words) => words.len(),
        RowBits::Doubles(low, _) => low.len(),
    }
}

impl Captured {
    /// A value on one lane; `lanes` is how many there are in all.
    pub fn insert(&mut self, point: Point, moment: Moment, lane: usize, bits: u64, lanes: usize) {
        self.values.entry((point, moment)).or_insert_with(|| Lanes::new(lanes)).set(lane, bits);
    }
}

/// Keeps what the port computes for the rules.
pub(crate) struct Capture<'a> {
    graph: &'a Graph,
    float_made: &'a [Vec<bool>],
    wanted: Vec<bool>,
    lanes: usize,
    times: Times,
    pub captured: Captured,
    /// Words kept so far, and the most.
    kept: u64,
}

/// Words that are kept of a run of the port.
const MOST_KEPT: u64 = 40_000_000;

impl<'a> Capture<'a> {
    pub fn new(graph: &'a Graph, float_made: &'a [Vec<bool>], rules: &[Rule], lanes: usize) -> Capture<'a> {
        let mut wanted = vec![false; graph.sites.len()];
        for rule in rules {
            if let Instead::Value(point) = rule.instead {
                wanted[point] = true;
            }
        }
        Capture { graph, float_made, wanted, lanes, times: Times::default(), captured: Captured::default(), kept: 0 }
    }
}

impl Observer for Capture<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.wanted[self.graph.point(function, value)]
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let point = self.graph.point(observed.function, observed.value);
        let float = self.float_made[observed.function.index()][observed.value.index()];
        let times = self.times.of(point, observed.iterations, self.lanes);
        // Lanes mostly make a value as often as each other.
        let mut left: Vec<usize> = (0..length(&observed.bits)).filter(|at| is_active(observed.active, *at)).collect();
        while let Some(first) = left.first() {
            let Some(repeat) = times.get(observed.first_lane as usize + first).copied() else { break };
            let key = (point, (Box::from(observed.iterations), repeat));
            if !self.captured.values.contains_key(&key) {
                self.kept += self.lanes as u64;
            }
            let full = self.kept > MOST_KEPT;
            self.captured.cut |= full;
            let mut into = (!full).then(|| self.captured.values.entry(key).or_insert_with(|| Lanes::new(self.lanes)));
            left.retain(|at| {
                let lane = observed.first_lane as usize + at;
                let Some(times) = times.get_mut(lane).filter(|times| **times == repeat) else { return true };
                *times += 1;
                if let Some(into) = &mut into {
                    into.set(lane, canonical(element(&observed.bits, *at), float));
                }
                false
            });
        }
    }
}

/// Puts the port's values in as the original runs.
pub(crate) struct Substitution<'a, 'o> {
    graph: &'a Graph,
    float_made: &'a [Vec<bool>],
    rules: &'a [Rule],
    captured: &'a Captured,
    textures: &'a Textures,
    /// Whether a result of which nothing is promised is put in too.
    unbounded: bool,
    /// The rules of each point.
    by_value: HashMap<Point, Vec<usize>>,
    /// The latest value of each point that a region begins with, on each lane.
    current: HashMap<Point, Vec<u64>>,
    lanes: usize,
    times: Times,
    /// Tells whether functions are the same where nothing is promised.
    arithmetic: Option<Arithmetic>,
    pub tallies: Tallies,
    /// Looks on, at what is put in.
    inner: Option<&'o mut dyn Observer>,
}

impl<'a, 'o> Substitution<'a, 'o> {
    pub fn new(
        (graph, float_made): (&'a Graph, &'a [Vec<bool>]),
        active: Range<usize>,
        rules: &'a [Rule],
        (captured, textures): (&'a Captured, &'a Textures),
        unbounded: bool,
        lanes: usize,
        inner: Option<&'o mut dyn Observer>,
    ) -> Substitution<'a, 'o> {
        let mut by_value: HashMap<Point, Vec<usize>> = HashMap::new();
        let mut current = HashMap::new();
        for (at, rule) in rules.iter().enumerate().take(active.end).skip(active.start) {
            by_value.entry(rule.value).or_default().push(at);
            for leaf in rule.region.leaves().chain(rule.port.iter().flat_map(Region::leaves)) {
                current.entry(leaf).or_insert_with(|| vec![0; lanes]);
            }
        }
        let (times, arithmetic, tallies) = (Times::default(), Arithmetic::new(), Tallies::default());
        Substitution {
            graph,
            float_made,
            rules,
            captured,
            textures,
            unbounded,
            by_value,
            current,
            lanes,
            times,
            arithmetic,
            tallies,
            inner,
        }
    }
}

impl Observer for Substitution<'_, '_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        let point = self.graph.point(function, value);
        self.by_value.contains_key(&point)
            || self.current.contains_key(&point)
            || self.inner.as_ref().is_some_and(|inner| inner.wants(function, value))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let point = self.graph.point(observed.function, observed.value);
        if let Some(current) = self.current.get_mut(&point) {
            for at in (0..length(&observed.bits)).filter(|at| is_active(observed.active, *at)) {
                if let Some(now) = current.get_mut(observed.first_lane as usize + at) {
                    *now = element(&observed.bits, at);
                }
            }
        }
        if let Some(inner) = &mut self.inner
            && inner.wants(observed.function, observed.value)
        {
            inner.value(observed);
        }
    }

    fn replaces(&self, function: FunctionId, value: Value) -> bool {
        self.by_value.contains_key(&self.graph.point(function, value))
    }

    fn replace(&mut self, observed: &Observed<'_>, bits: &mut [u64]) -> bool {
        let point = self.graph.point(observed.function, observed.value);
        let Some(rules) = self.by_value.get(&point) else { return false };
        let float = self.float_made[observed.function.index()][observed.value.index()];
        let times = self.times.of(point, observed.iterations, self.lanes);
        let mut moment: Moment = (Box::from(observed.iterations), 0);
        let at_moment =
            |moment: &Moment| -> Vec<There<'_>> { rules.iter().map(|at| self.rules[*at].there(self.captured, moment)).collect() };
        let mut there = at_moment(&moment);
        let mut changed = false;
        for (at, bits) in bits.iter_mut().enumerate() {
            let lane = observed.first_lane as usize + at;
            let Some(times) = times.get_mut(lane).filter(|_| is_active(observed.active, at)) else { continue };
            if moment.1 != *times {
                moment.1 = *times;
                there = at_moment(&moment);
            }
            *times += 1;
            let own = canonical(*bits, float);
            for (at, there) in rules.iter().zip(&there) {
                let rule = &self.rules[*at];
                let Some(theirs) = there.get(lane) else { continue };
                if theirs == own {
                    break;
                }
                let leaf = |point: Point| self.current.get(&point).map_or(0, |current| current[lane]);
                let given = Given { leaf: &leaf, textures: self.textures };
                let excuse = rule.region.excuse(rule.port.as_ref(), theirs, &given).0;
                match excuse {
                    Excuse::Unbounded(_) if !self.unbounded => {
                        self.tallies.left_open = true;
                        break;
                    }
                    Excuse::Unbounded(_) => {
                        let same = |arithmetic| rule.region.is_same(rule.port.as_ref(), &leaf, arithmetic);
                        if !self.arithmetic.as_mut().is_some_and(same) {
                            continue;
                        }
                    }
                    Excuse::InSet | Excuse::Refactored => {}
                    Excuse::None => continue,
                }
                self.tallies.of(lane, *at).difference(excuse, own, theirs);
                *bits = theirs;
                changed = true;
                break;
            }
        }
        changed
    }
}
