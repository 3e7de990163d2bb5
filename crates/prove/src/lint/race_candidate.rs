//! Two lanes that may touch the same memory with nothing to order them, one of them writing.
//!
//! ## Why
//! Lanes of a group run in no given order between two barriers, and groups of a dispatch in no given order at all. Where one lane writes what
//! another reads or writes, the result depends on who comes first. It works on one graphics card and fails on the next.
//!
//! ## Example
//! ~~~text
//! tile[i] = source[i];
//! let left = tile[i - 1];         written by another lane; a barrier is missing
//! ~~~
//!
//! ## What to do
//! Put a barrier between the two accesses (`workgroupBarrier`, `sync_g_t`), make them atomic, or let each lane keep to places of its own.
//!
//! ## What it does not see
//! The rule works on addresses that are sums of multiples of the lane's and group's numbers and of values that all lanes have alike, with shifts,
//! masks, divisions by constants, and the comparisons that stand around an access. What addresses like these leave open is a candidate. Where anything
//! else is in an address or a condition (loaded numbers, exclusive or, what changes from round to round of a loop), the program is run on a few cases,
//! and only a race that happens is reported. A race that needs particular data may be missed: run the program on your own.
//!
//! Addresses are taken not to wrap, and a row times a width, plus a column, to be a place of its own for each row and column. A counter, or an
//! atomic addition of a constant, gives each lane a place of its own, whatever memory it counts in. Groups that no number tells apart are
//! taken to be one group. Stores of equal values, and pixel and vertex programs, are not reported.

use super::accesses::{Access, Accesses, Does, GROUP, LOCAL, Meaning, Memory, Range};
use super::linear::{Linear, Unknown, may_hold};
use super::{Finding, Severity, Subject};
use crate::bind::Map;
use crate::cases::{Generator, UserInputs};
use gpuproof_program::{Origin, Program, Stage};
use gpuproof_run::{EventKind, Options, Plan};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Pairs of accesses that are worked out. A program with more is not judged further.
const MOST_PAIRS: usize = 6000;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(program) = subject.program.filter(|program| program.stage == Stage::Compute) else { return Vec::new() };
    let Some(accesses) = Accesses::of(program, subject.live(program)) else { return Vec::new() };
    let mut search = Search { program, accesses: &accesses, judged: HashSet::new(), races: BTreeMap::new() };
    search.in_group();
    search.between_groups();
    let Search { mut races, .. } = search;
    if races.values().any(|race| !race.plain) {
        let happened = races_that_happen(program);
        races.retain(|(a, b), race| race.plain || happened.contains(&a.line) || happened.contains(&b.line));
    }
    let finding = |((write, other), race): ((Origin, Origin), Race)| {
        let Race { memory, does, groups, .. } = race;
        let name = match memory {
            Memory::Shared(id) => &program.shared[id.index()].name,
            Memory::Resource(id) => &program.interface.resource(id).name,
        };
        let who = if groups { "a lane of another group" } else { "another lane of its group" };
        let what = match does {
            Does::Read => "reads",
            Does::Write => "writes",
            Does::Atomic => "updates",
        };
        let at = if write == other { "here".to_string() } else { format!("at {}", subject.named(other)) };
        Finding {
            rule: "race-candidate",
            severity: Severity::Candidate,
            place: subject.place(write),
            message: format!("it may write a place of {name} that {who} {what} {at}, with no barrier between"),
            help: match groups {
                true => "let groups keep to places of their own, or use atomics; no barrier orders groups".into(),
                false => "put a barrier between, use atomics, or let each lane keep to places of its own".into(),
            },
        }
    };
    races.into_iter().map(finding).collect()
}

/// Two accesses that may meet.
struct Race {
    memory: Memory,
    /// What the second does.
    does: Does,
    /// Whether it is of another group.
    groups: bool,
    /// Whether all that is in their addresses and conditions is known.
    plain: bool,
}

/// Cases that are run, and lanes and steps in all of each.
const CASES: usize = 6;
const LANES: u64 = 6 * 512;
const STEPS: u64 = 3_000_000;

/// The lines at which lanes race in generated cases.
fn races_that_happen(program: &Program) -> BTreeSet<u32> {
    let user = UserInputs::default();
    let options = Options { max_steps: STEPS, max_events: 4096, ..Options::default() };
    let run = || {
        let map = Map::infer(program, program).ok()?;
        let binding = map.resolve(program, program).ok()?;
        let generator = Generator::new(program, program, &binding, &user, (1, LANES, CASES)).ok()?;
        let plan = Plan::compile(program).ok()?;
        // A case that takes too long tells nothing.
        let outcomes = (0..generator.count()).filter_map(|number| plan.run(&generator.case(number).case, &options).ok());
        let events = outcomes.flat_map(|outcome| outcome.events);
        Some(events.filter(|event| event.kind == EventKind::Race).map(|event| event.origin.line).collect())
    };
    run().unwrap_or_default()
}

/// How two accesses stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Standing {
    /// Whether they are of two groups.
    groups: bool,
    /// Whether they may be of different rounds of the loops around them.
    rounds: bool,
}

struct Search<'a> {
    program: &'a Program,
    accesses: &'a Accesses,
    judged: HashSet<(usize, usize, Standing)>,
    /// Pairs of places that may meet.
    races: BTreeMap<(Origin, Origin), Race>,
}

impl Search<'_> {
    /// Judges all accesses that may be between the same two barriers.
    fn in_group(&mut self) {
        let points = &self.accesses.points;
        let starts = (0..points.len()).filter(|at| *at == 0 || points[*at].barrier);
        for start in starts {
            let mut seen: BTreeSet<(usize, bool)> = BTreeSet::new();
            let mut pending: Vec<(usize, bool)> = points[start].next.iter().map(|(next, round)| (*next, *round)).collect();
            let mut found: Vec<(usize, bool)> = Vec::new();
            while let Some((at, round)) = pending.pop() {
                if points[at].barrier || !seen.insert((at, round)) {
                    continue;
                }
                found.extend(points[at].access.map(|access| (access, round)));
                pending.extend(points[at].next.iter().map(|(next, again)| (*next, round || *again)));
            }
            for (at, first) in found.iter().enumerate() {
                for second in &found[at..] {
                    // Another round of the loops around, unless both are in the first one behind the barrier.
                    let rounds = first.1 || second.1;
                    self.judge(first.0, second.0, Standing { groups: false, rounds });
                }
            }
        }
    }

    /// Judges all accesses to resources of two groups, which nothing orders.
    fn between_groups(&mut self) {
        let resources: Vec<usize> = (0..self.accesses.accesses.len())
            .filter(|at| matches!(self.accesses.accesses[*at].memory, Memory::Resource(_)))
            .collect();
        for (at, first) in resources.iter().enumerate() {
            for second in &resources[at..] {
                self.judge(*first, *second, Standing { groups: true, rounds: true });
            }
        }
    }

    fn judge(&mut self, first: usize, second: usize, standing: Standing) {
        let (a, b) = (&self.accesses.accesses[first], &self.accesses.accesses[second]);
        // The one that writes comes first.
        let (first, second, a, b) = if a.does == Does::Write { (first, second, a, b) } else { (second, first, b, a) };
        let writes = [a.does, b.does].iter().any(|does| *does != Does::Read);
        let atomic = a.does == Does::Atomic && b.does == Does::Atomic;
        if a.memory != b.memory || !writes || atomic || self.judged.len() >= MOST_PAIRS {
            return;
        }
        // An atomic against a read is told at the atomic.
        let (a, b) = if a.does == Does::Read { (b, a) } else { (a, b) };
        let key = (a.origin, b.origin);
        let known = |key| self.races.get(&key).is_some_and(|race: &Race| race.plain);
        if known(key) || known((key.1, key.0)) {
            return;
        }
        if !self.judged.insert((first, second, standing)) {
            return;
        }
        let pair = Pair { search: self, a, b, standing };
        if pair.may_meet() {
            let race = Race { memory: a.memory, does: b.does, groups: standing.groups, plain: pair.is_plain() };
            let key = if self.races.contains_key(&(key.1, key.0)) { (key.1, key.0) } else { key };
            if race.plain || !self.races.contains_key(&key) {
                self.races.insert(key, race);
            }
        }
    }
}

/// Two accesses of different lanes.
struct Pair<'a> {
    search: &'a Search<'a>,
    a: &'a Access,
    b: &'a Access,
    standing: Standing,
}

impl Pair<'_> {
    fn meaning(&self, unknown: Unknown) -> &Meaning {
        &self.search.accesses.unknowns[unknown as usize].meaning
    }

    /// Whether an unknown has one value for both lanes.
    fn is_common(&self, unknown: Unknown) -> bool {
        let Standing { groups, rounds } = self.standing;
        match self.meaning(unknown) {
            Meaning::Group => !groups,
            Meaning::Uniform { dispatch, looped } => !(*looped && rounds) && (*dispatch || !groups),
            Meaning::Local | Meaning::Varying | Meaning::Unique => false,
            Meaning::Quotient { .. } | Meaning::Product { .. } => false,
        }
    }

    /// The unknown of one of the lanes.
    fn of(&self, unknown: Unknown, second: bool) -> Unknown {
        2 * unknown + u32::from(second && !self.is_common(unknown))
    }

    fn may_meet(&self) -> bool {
        if self.stores_the_same() {
            return false;
        }
        let mut rows: Vec<Linear> = Vec::new();
        let rename = |linear: &Linear, second: bool| linear.renamed(&mut |unknown| self.of(unknown, second));
        for (access, second) in [(self.a, false), (self.b, true)] {
            rows.extend(access.conditions.iter().map(|condition| rename(condition, second)));
        }
        for ((a, a_span), (b, b_span)) in self.a.address.iter().zip(&self.b.address) {
            self.overlap((a, *a_span), (b, *b_span), &mut rows);
        }
        let Some(rows) = self.with_ranges(rows) else { return true };
        self.apart().into_iter().any(|apart| may_hold([rows.clone(), apart].concat()))
    }

    /// Adds that the stretches [a, a + a_span) and [b, b + b_span) overlap. Of products with the same number the other factors are equal.
    fn overlap(&self, (a, a_span): (&Linear, i64), (b, b_span): (&Linear, i64), rows: &mut Vec<Linear>) {
        let (mut a, mut b) = (a.clone(), b.clone());
        let products = |linear: &Linear| -> Vec<(Unknown, i64, Linear, Linear)> {
            let product = |(unknown, factor): (&Unknown, &i64)| match self.meaning(*unknown) {
                Meaning::Product { of, by } if by.terms.keys().all(|unknown| self.is_common(*unknown)) => {
                    Some((*unknown, *factor, of.clone(), by.clone()))
                }
                _ => None,
            };
            linear.terms.iter().filter_map(product).collect()
        };
        let theirs = products(&b);
        for (unknown, factor, of, by) in products(&a) {
            if let Some(other) = theirs.iter().find(|other| other.1 == factor && other.3 == by) {
                a.terms.remove(&unknown);
                b.terms.remove(&other.0);
                self.overlap((&of, 1), (&other.2, 1), rows);
            }
        }
        let (a, b) = (a.renamed(&mut |unknown| self.of(unknown, false)), b.renamed(&mut |unknown| self.of(unknown, true)));
        for (low, high, span) in [(&a, &b, b_span), (&b, &a, a_span)] {
            // high <= low + span of the lower one's stretch - 1, both ways round.
            let row = low.plus(high, -1).and_then(|row| row.plus(&Linear::constant(span - 1), 1));
            rows.extend(row);
        }
    }

    /// Whether everything in the addresses and conditions is known: numbers of lanes and groups, and what all lanes have alike throughout.
    fn is_plain(&self) -> bool {
        let parts = |access: &Access| -> Vec<Linear> {
            access.address.iter().map(|(linear, _)| linear.clone()).chain(access.conditions.iter().cloned()).collect()
        };
        let mut pending: Vec<Linear> = parts(self.a).into_iter().chain(parts(self.b)).collect();
        while let Some(linear) = pending.pop() {
            for unknown in linear.terms.keys() {
                match self.meaning(*unknown) {
                    Meaning::Local | Meaning::Group | Meaning::Uniform { dispatch: true, looped: false } => {}
                    Meaning::Quotient { of, .. } => pending.push(of.clone()),
                    _ => return false,
                }
            }
        }
        true
    }

    /// Whether two stores leave the same bits in either order.
    fn stores_the_same(&self) -> bool {
        match (&self.a.value, &self.b.value) {
            (Some(a), Some(b)) => {
                a == b && a.terms.keys().all(|unknown| self.is_common(*unknown)) && self.a.address.len() == self.b.address.len()
            }
            _ => false,
        }
    }

    /// The inequalities with the ranges of all unknowns in them, and what quotients are of; none if there are too many.
    fn with_ranges(&self, mut rows: Vec<Linear>) -> Option<Vec<Linear>> {
        let mut seen: BTreeSet<Unknown> = BTreeSet::new();
        let mut at = 0;
        for dimension in 0..3 {
            for second in [false, true] {
                self.range(self.of(LOCAL + dimension, second), &mut seen, &mut rows)?;
                self.range(self.of(GROUP + dimension, second), &mut seen, &mut rows)?;
            }
        }
        while let Some(row) = rows.get(at).cloned() {
            for unknown in row.terms.keys() {
                self.range(*unknown, &mut seen, &mut rows)?;
            }
            at += 1;
            if rows.len() > 200 {
                return None;
            }
        }
        Some(rows)
    }

    fn range(&self, unknown: Unknown, seen: &mut BTreeSet<Unknown>, rows: &mut Vec<Linear>) -> Option<()> {
        if !seen.insert(unknown) {
            return Some(());
        }
        let known = &self.search.accesses.unknowns[(unknown / 2) as usize];
        let this = Linear::unknown(unknown);
        let Range { low, high } = known.range;
        if known.range != Range::ALL {
            rows.push(this.plus(&Linear::constant(i64::from(low)), -1)?);
            rows.push(Linear::constant(i64::from(high)).plus(&this, -1)?);
        }
        if let Meaning::Quotient { of, by } = &known.meaning {
            let of = of.renamed(&mut |inner| self.of(inner, unknown % 2 == 1));
            let rest = of.plus(&this, -by)?;
            rows.push(Linear::constant(by - 1).plus(&rest, -1)?);
            rows.push(rest);
        }
        Some(())
    }

    /// The ways in which the two lanes are two: each a set of inequalities.
    fn apart(&self) -> Vec<Vec<Linear>> {
        let less = |unknown: Unknown| {
            let (a, b) = (Linear::unknown(2 * unknown), Linear::unknown(2 * unknown + 1));
            let row = |low: &Linear, high: &Linear| high.plus(low, -1)?.plus(&Linear::constant(1), -1);
            [row(&a, &b), row(&b, &a)]
        };
        let size = self.search.program.group_size;
        let lanes: Vec<Unknown> = match self.standing.groups {
            false => (0..3).filter(|at| size[*at as usize] > 1).map(|at| LOCAL + at).collect(),
            true => self.search.accesses.group_dimensions.iter().map(|at| GROUP + at).collect(),
        };
        let mut ways: Vec<Vec<Linear>> = lanes.into_iter().flat_map(less).map(|row| row.into_iter().collect()).collect();
        // Two lanes never get the same number of a counter.
        let uses = |access: &Access| -> BTreeSet<Unknown> {
            access.address.iter().flat_map(|(linear, _)| linear.terms.keys().copied()).collect()
        };
        for unknown in uses(self.a).intersection(&uses(self.b)) {
            if matches!(self.meaning(*unknown), Meaning::Unique) {
                ways =
                    ways.into_iter().flat_map(|way| less(*unknown).map(|row| way.iter().cloned().chain(row).collect())).collect();
            }
        }
        ways
    }
}
