//! Which words depend on each thing that is undefined, and on each order that is open: found by running again with another choice there and nowhere else.

use super::Side;
use super::job::Job;
use crate::bind::layout::word_name;
use crate::bind::{output_place, resource_names};
use crate::compare::word;
use crate::evidence::{Dependence, DependentOutput, DependentWord};
use gpuproof_program::{OutputId, Program, ResourceId, Shape};
use gpuproof_run::{Binding as Bound, Case, EventKind, Options, Outcome, RunError, Site, UndefinedChoice};
use std::collections::{BTreeMap, BTreeSet};

/// Events of one program that get choices of their own in a case; further ones get them together.
const ALONE: usize = 16;
/// Cases in which words are looked for that depend on an event, until there are some.
const TRIES: u32 = 3;
/// Choices that are made: so many if words change, else up to [`PATIENCE`].
const CHOICES: u64 = 2;
const PATIENCE: u64 = 4;

/// What is known of the search so far.
#[derive(Default)]
pub(super) struct Search {
    /// Steps taken for it.
    steps: u64,
    /// In how many cases each record was looked at.
    tries: BTreeMap<usize, u32>,
}

/// A word that a program leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    /// Whether a pixel's lane still counts.
    Live {
        lane: u32,
    },
    Output {
        id: OutputId,
        component: u8,
        lane: u32,
    },
    /// At an offset in bytes.
    Memory {
        resource: ResourceId,
        element: u32,
        level: u32,
        offset: u32,
    },
    Counter {
        resource: ResourceId,
    },
}

impl Word {
    /// What reports count it under.
    fn output(self, program: &Program, names: &[String]) -> String {
        match self {
            Word::Live { .. } => "discard".into(),
            Word::Output { id, component, .. } => output_place(program, id, component),
            Word::Memory { resource, .. } => names[resource.index()].clone(),
            Word::Counter { resource } => format!("{}.counter", names[resource.index()]),
        }
    }

    fn name(self, program: &Program, names: &[String]) -> String {
        let output = self.output(program, names);
        let Word::Memory { resource, element, level, offset } = self else { return output };
        let resource = program.interface.resource(resource);
        let array = if resource.count == Some(1) { String::new() } else { format!("[{element}]") };
        if let Shape::Texture(_) = resource.shape {
            return format!("{output}{array} level {level} word {}", offset / 4);
        }
        let word = word_name(resource, offset as usize);
        let point = if word.starts_with('[') { "" } else { "." };
        format!("{output}{array}{point}{word}")
    }

    fn lane(self) -> Option<u32> {
        match self {
            Word::Live { lane } | Word::Output { lane, .. } => Some(lane),
            Word::Memory { .. } | Word::Counter { .. } => None,
        }
    }
}

/// Shows every word that two outcomes of one program on one case do not have in common, with its bits in both.
pub(super) fn changed(before: &Outcome, after: &Outcome, see: &mut dyn FnMut(Word, u32, u32)) {
    let lanes = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| (u32::from(*a), u32::from(*b))).collect::<Vec<_>>();
    for (lane, (a, b)) in (0..).zip(lanes(&before.live, &after.live)).filter(|(_, (a, b))| a != b) {
        see(Word::Live { lane }, a, b);
    }
    for (id, (a, b)) in (0..).map(OutputId).zip(before.outputs.iter().zip(&after.outputs)) {
        for component in 0..4u8 {
            let words = a.components[usize::from(component)].iter().zip(&b.components[usize::from(component)]);
            for (lane, (a, b)) in (0..).zip(words).filter(|(_, (a, b))| a != b) {
                see(Word::Output { id, component, lane }, *a, *b);
            }
        }
    }
    for (id, (a, b)) in (0..).map(ResourceId).zip(before.resources.iter().zip(&after.resources)) {
        for (element, (a, b)) in (0..).zip(a.iter().zip(b)) {
            memory(id, element, a, b, see);
        }
    }
}

fn memory(resource: ResourceId, element: u32, a: &Bound, b: &Bound, see: &mut dyn FnMut(Word, u32, u32)) {
    let mut bytes = |level: u32, a: &[u8], b: &[u8]| {
        if a == b {
            return;
        }
        for offset in (0..a.len()).step_by(4) {
            if let (Some(a), Some(b)) = (word(a, offset), word(b, offset))
                && a != b
            {
                see(Word::Memory { resource, element, level, offset: offset as u32 }, a, b);
            }
        }
    };
    match (a, b) {
        (Bound::Buffer(a), Bound::Buffer(b)) => {
            bytes(0, &a.bytes, &b.bytes);
            if a.counter != b.counter {
                see(Word::Counter { resource }, a.counter, b.counter);
            }
        }
        (Bound::Texture(a), Bound::Texture(b)) => {
            for (level, (a, b)) in (0..).zip(a.levels.iter().zip(&b.levels)) {
                bytes(level, a, b);
            }
        }
        _ => {}
    }
}

/// The words that changed, by output.
pub(super) fn outputs_of(words: &BTreeSet<Word>, program: &Program, names: &[String]) -> Vec<DependentOutput> {
    let mut outputs: Vec<DependentOutput> = Vec::new();
    for word in words {
        let output = word.output(program, names);
        match outputs.last_mut().filter(|last| last.output == output) {
            Some(last) => last.words += 1,
            None => outputs.push(DependentOutput { output, words: 1 }),
        }
    }
    outputs
}

impl Job<'_> {
    /// Looks in a case for the words of a program that depend on what it leaves undefined.
    pub(super) fn find_dependences(
        &mut self,
        side: Side,
        number: u32,
        case: &Case,
        outcome: &Outcome,
        options: &Options,
    ) -> Result<(), RunError> {
        let mut pending: BTreeMap<usize, BTreeSet<Site>> = BTreeMap::new();
        for counted in &outcome.event_counts {
            // A barrier acts as always: other choices do not show what depends on it.
            if counted.kind == EventKind::DivergentBarrier {
                continue;
            }
            if let Some(at) = self.event_at.get(&(side, counted.kind, counted.origin.line)) {
                let is_known = self.events[*at].depends.as_ref().is_some_and(|depends| depends.words > 0 || depends.endless);
                if !is_known && self.search.tries.get(at).is_none_or(|tries| *tries < TRIES) {
                    pending.entry(*at).or_default().insert(counted.site);
                }
            }
        }
        let mut sets: Vec<(Vec<usize>, BTreeSet<Site>)> = Vec::new();
        for (at, sites) in pending {
            let is_full = sets.len() >= ALONE;
            match sets.last_mut().filter(|_| is_full) {
                Some((records, together)) => {
                    records.push(at);
                    together.extend(sites);
                }
                None => sets.push((vec![at], sites)),
            }
        }
        for (records, sites) in sets {
            if self.search.steps > self.case_steps {
                return Ok(());
            }
            let mut found = self.dependence(
                side,
                number,
                case,
                outcome,
                &Options { sites: Some(sites.into_iter().collect()), ..options.clone() },
            )?;
            found.together = records.len() > 1;
            for at in records {
                *self.search.tries.entry(at).or_default() += 1;
                self.events[at].depends = Some(found.clone());
            }
        }
        Ok(())
    }

    fn dependence(
        &mut self,
        side: Side,
        number: u32,
        case: &Case,
        outcome: &Outcome,
        options: &Options,
    ) -> Result<Dependence, RunError> {
        let (plan, program) = match side {
            Side::Original => (&self.plans.0, self.original),
            Side::Port => (&self.plans.1, self.port),
        };
        let names = resource_names(&program.interface);
        let mut found = Dependence { case: number, ..Dependence::default() };
        let mut words: BTreeSet<Word> = BTreeSet::new();
        for seed in 1..=PATIENCE {
            if seed > CHOICES && !words.is_empty() {
                break;
            }
            found.choices += 1;
            let again = match plan.run(case, &Options { undefined: UndefinedChoice::Seeded(seed), ..options.clone() }) {
                Ok(again) => again,
                Err(RunError::StepLimit { .. }) => {
                    found.endless = true;
                    break;
                }
                Err(error) => return Err(error),
            };
            self.search.steps = self.search.steps.saturating_add(again.steps);
            changed(outcome, &again, &mut |word, canonical, other| {
                words.insert(word);
                found.example.get_or_insert_with(|| DependentWord {
                    output: word.name(program, &names),
                    lane: word.lane(),
                    canonical,
                    other,
                    seed,
                });
            });
        }
        found.words = words.len() as u64;
        found.outputs = outputs_of(&words, program, &names);
        Ok(found)
    }
}
