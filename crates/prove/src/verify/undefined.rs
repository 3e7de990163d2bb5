//! What the programs leave undefined, and what only the port does.

use super::Side;
use super::job::Job;
use crate::cases::NamedCase;
use crate::compare::PortOnly;
use crate::evidence::EventRecord;
use gpuproof_run::{Event, EventKind, Outcome};
use std::collections::{BTreeMap, BTreeSet};

/// Records of events at most.
const MOST_RECORDS: usize = 256;

/// What the port leaves undefined and the original does not.
#[derive(Default)]
pub(super) struct OnlyPort {
    /// By kind and line, where it happened first.
    pub(super) events: BTreeMap<(EventKind, u32), (u32, Event)>,
    /// Words that depend on it.
    pub(super) words: u64,
}

impl Job<'_> {
    /// Remembers what the port left undefined in a case: what the original did not, or all of it where a word depends on it.
    pub(super) fn gather_only_port(&mut self, case: u32, (outcome, port_outcome): (&Outcome, &Outcome), found: &PortOnly) {
        let depends = found.endless || !found.differences.is_empty();
        let original: BTreeSet<EventKind> = outcome.events.iter().map(|event| event.kind).collect();
        for event in port_outcome.events.iter().filter(|event| depends || !original.contains(&event.kind)) {
            let place = (event.kind, event.origin.line);
            if self.only_port.events.len() < 256 || self.only_port.events.contains_key(&place) {
                self.only_port.events.entry(place).or_insert_with(|| (case, event.clone()));
            }
        }
        self.only_port.words += found.differences.len() as u64;
        if found.endless {
            let why = format!("case {case}: the port does not end when what it leaves undefined is chosen otherwise");
            self.limits.push((why, None));
        }
    }

    /// States what the port alone leaves undefined: words that depend on it are different, and a program that may go wrong between its lanes
    /// proves nothing; an access out of range that no word depends on is only told.
    pub(super) fn only_port_findings(&mut self) {
        let found = std::mem::take(&mut self.only_port);
        let text = |((kind, _), (case, event)): (&(EventKind, u32), &(u32, Event))| {
            let line = self.port.source.line(event.origin);
            let line = line.map_or_else(String::new, |line| format!(" at line {} `{}`", line.number, line.text.trim()));
            format!("{kind:?}{line} (case {case} lane {}: {})", event.lane, event.account(self.port).title)
        };
        let list = |all: &[String]| {
            let rest = if all.len() > 3 { format!(" and {} more", all.len() - 3) } else { String::new() };
            format!("{}{rest}", all.iter().take(3).cloned().collect::<Vec<_>>().join("; "))
        };
        if found.words > 0 {
            let all: Vec<String> = found.events.iter().map(text).collect();
            let why = format!("{} words depend on what only the port leaves undefined: {}", found.words, list(&all));
            self.limits.push((why, None));
            return;
        }
        let (serious, others): (Vec<_>, Vec<_>) = found.events.iter().partition(|event| event.0.0.is_between_lanes());
        let texts = |events: Vec<_>| events.into_iter().map(text).collect::<Vec<String>>();
        for (texts, serious) in [(texts(serious), true), (texts(others), false)] {
            let what = format!("only the port has {}; no word was seen to depend on it", list(&texts));
            match (texts.is_empty(), serious) {
                (true, _) => {}
                (false, true) => self.limits.push((what, None)),
                (false, false) => self.notes.push(what),
            }
        }
    }

    /// Adds what happened in a case to the records: one for each kind and line.
    pub(super) fn gather_events(&mut self, named: &NamedCase, side: Side, outcome: &Outcome) {
        let program = if side == Side::Original { self.original } else { self.port };
        for event in &outcome.events {
            let key = (side, event.kind, event.origin.line);
            if self.event_at.len() < MOST_RECORDS && !self.event_at.contains_key(&key) {
                self.event_at.insert(key, self.events.len());
                self.events.push(EventRecord {
                    side,
                    kind: event.kind,
                    case: named.number,
                    lane: event.lane,
                    thread: event.thread,
                    iterations: event.iterations.clone(),
                    line: program.source.line(event.origin).map(|line| line.number),
                    memory: event.memory.clone(),
                    facts: event.facts.clone(),
                    account: event.account(program),
                    count: 0,
                    depends: None,
                });
            }
        }
        for counted in &outcome.event_counts {
            if let Some(at) = self.event_at.get(&(side, counted.kind, counted.origin.line)) {
                self.events[*at].count += counted.count;
            }
        }
    }
}
