//! What a run gave.

use crate::info::io_name;
use crate::numbers::{LETTERS, word};
use gpuproof_program::{Dialect, Kind, Program};
use gpuproof_prove::evidence::MachineRecord;
use gpuproof_run::{Account, Binding, EventKind, Machine, Outcome};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// An outcome with names.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The machine whose results were taken, and what its model knows of the program; absent where the run was exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineRecord>,
    /// How many lanes ran.
    pub lanes: u32,
    /// Steps taken.
    pub steps: u64,
    /// What the lanes wrote.
    pub outputs: Vec<Output>,
    /// Buffers and textures that the program writes, afterwards.
    pub resources: Vec<Contents>,
    /// Pixel lanes that do not count: helpers and discarded ones.
    pub dead_lanes: Vec<u32>,
    /// What happened that the API leaves undefined.
    pub events: Vec<Event>,
    /// How many events there were, those that are not listed included.
    pub event_count: u64,
    /// How many of each kind at each line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub event_places: Vec<EventPlace>,
    #[serde(skip)]
    sign: &'static str,
}

/// One component of an output.
#[derive(Clone, Debug, Serialize)]
pub struct Output {
    /// Its name with the component: `SV_Target0.x`.
    pub name: String,
    /// Its words, a lane each, as hexadecimal text.
    pub words: Vec<String>,
    /// Lanes that did not write it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<u32>,
    #[serde(skip)]
    kind: Option<Kind>,
    #[serde(skip)]
    bits: Vec<u32>,
}

/// The contents of a resource.
#[derive(Clone, Debug, Serialize)]
pub struct Contents {
    /// Its name, with the element of a binding array.
    pub name: String,
    /// Its words as hexadecimal text; of a texture those of its levels one after another.
    pub words: Vec<String>,
    /// Its hidden counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<u32>,
}

/// Something undefined that happened.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    /// As the executor has it.
    #[serde(flatten)]
    pub event: gpuproof_run::Event,
    /// In words.
    pub account: Account,
}

/// What happened at a place, and how often.
#[derive(Clone, Debug, Serialize)]
pub struct EventPlace {
    /// What.
    pub kind: EventKind,
    /// The number of the line or instruction.
    pub line: Option<u32>,
    /// How often.
    pub count: u64,
}

impl Report {
    /// Names what an outcome of a run on this machine holds.
    pub fn new(program: &Program, outcome: &Outcome, machine: Machine) -> Report {
        let register = program.dialect == Dialect::D3D11;
        let mut outputs = Vec::new();
        for (variable, values) in program.interface.outputs.iter().zip(&outcome.outputs) {
            for (component, words) in values.components.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
                let unwritten =
                    (0..).zip(&values.written).filter(|(_, written)| *written >> component & 1 == 0).map(|(lane, _)| lane);
                outputs.push(Output {
                    name: format!("{}.{}", io_name(variable, register), LETTERS[component]),
                    words: words.iter().map(|word| format!("{word:08x}")).collect(),
                    unwritten: unwritten.collect(),
                    kind: Some(variable.kind),
                    bits: words.clone(),
                });
            }
        }
        let mut resources = Vec::new();
        for (resource, elements) in program.interface.resources.iter().zip(&outcome.resources) {
            for (at, binding) in elements.iter().enumerate() {
                let name = if elements.len() > 1 { format!("{}[{at}]", resource.name) } else { resource.name.clone() };
                resources.extend(contents(name, binding, resource.counter));
            }
        }
        let dead = (0..).zip(&outcome.live).filter(|(_, live)| !**live).map(|(lane, _)| lane);
        Report {
            machine: (machine != Machine::Exact).then(|| MachineRecord::new(program, machine)),
            lanes: outcome.lanes,
            steps: outcome.steps,
            outputs,
            resources,
            dead_lanes: dead.collect(),
            events: outcome.events.iter().map(|event| Event { event: event.clone(), account: event.account(program) }).collect(),
            event_count: outcome.event_count,
            event_places: event_places(program, outcome),
            sign: sign(program.source.kind),
        }
    }

    /// The report as text, with at most `shown` lanes and words of each resource.
    pub fn text(&self, shown: usize) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{} lanes, {} steps", self.lanes, self.steps);
        for known in self.machine.iter().flat_map(crate::machine::lines) {
            let _ = writeln!(out, "{known}");
        }
        let lanes = (self.lanes as usize).min(shown);
        for output in &self.outputs {
            let _ = writeln!(out, "\n{}", output.name);
            for (lane, bits) in output.bits.iter().enumerate().take(lanes) {
                let state = if self.dead_lanes.contains(&(lane as u32)) {
                    "  (does not count)"
                } else if output.unwritten.contains(&(lane as u32)) {
                    "  (never written)"
                } else {
                    ""
                };
                let _ = writeln!(out, "  lane {lane:<6} {}{state}", word(*bits, output.kind.unwrap_or(Kind::Unknown)));
            }
            more(&mut out, output.bits.len(), lanes, "lanes");
        }
        for contents in &self.resources {
            let counter = contents.counter.map_or_else(String::new, |counter| format!(", counter {counter}"));
            let _ = writeln!(out, "\n{}: {} words{counter}", contents.name, contents.words.len());
            for (at, row) in contents.words.chunks(4).enumerate().take(shown.div_ceil(4)) {
                let _ = writeln!(out, "  {:>8}  {}", at * 16, row.join(" "));
            }
            more(&mut out, contents.words.len(), shown.next_multiple_of(4), "words");
        }
        if self.event_count > 0 {
            let _ = writeln!(out, "\n{} events that the API leaves undefined", self.event_count);
            let places = &self.event_places;
            for place in places.iter().take(shown) {
                let is_there = |event: &&Event| event.event.kind == place.kind && event.account.place.line == place.line;
                if let Some(event) = self.events.iter().find(is_there) {
                    out.push('\n');
                    crate::account::text(&mut out, &event.account, self.sign, &times(place.count));
                }
            }
            more(&mut out, places.len(), shown, "places");
        }
        out
    }
}

fn more(out: &mut String, all: usize, shown: usize, what: &str) {
    if all > shown {
        let _ = writeln!(out, "  ... and {} more {what}", all - shown);
    }
}

fn contents(name: String, binding: &Binding, counter: bool) -> Option<Contents> {
    let words = |bytes: &[u8]| -> Vec<String> {
        bytes
            .chunks(4)
            .map(|word| {
                let mut four = [0; 4];
                four[..word.len()].copy_from_slice(word);
                format!("{:08x}", u32::from_le_bytes(four))
            })
            .collect()
    };
    match binding {
        Binding::Unbound => None,
        Binding::Buffer(buffer) => {
            Some(Contents { name, words: words(&buffer.bytes), counter: counter.then_some(buffer.counter) })
        }
        Binding::Texture(texture) => {
            Some(Contents { name, words: texture.levels.iter().flat_map(|level| words(level)).collect(), counter: None })
        }
    }
}

/// A place in the source: `#22 mad r1.w, ...` or `line 31 let n = ...`.
pub fn place(program: &Program, origin: gpuproof_program::Origin) -> String {
    let sign = sign(program.source.kind);
    match program.source.line(origin) {
        Some(line) => format!("{sign}{} {}", line.number, line.text.trim()),
        None => "the program's start".into(),
    }
}

/// What stands before a line's number.
fn sign(kind: gpuproof_program::SourceKind) -> &'static str {
    match kind {
        gpuproof_program::SourceKind::Instructions => "#",
        gpuproof_program::SourceKind::Text => "line ",
    }
}

fn times(count: u64) -> Vec<String> {
    if count > 1 { vec![format!("{count} times here, of which this is the first")] } else { Vec::new() }
}

fn event_places(program: &Program, outcome: &Outcome) -> Vec<EventPlace> {
    let mut counts: BTreeMap<(Option<u32>, EventKind), u64> = BTreeMap::new();
    for counted in &outcome.event_counts {
        let line = program.source.line(counted.origin).map(|line| line.number);
        *counts.entry((line, counted.kind)).or_default() += counted.count;
    }
    counts.into_iter().map(|((line, kind), count)| EventPlace { kind, line, count }).collect()
}
