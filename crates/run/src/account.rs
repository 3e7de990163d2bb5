//! An event told in full, as a compiler tells an error: what happened, where, on which lanes, what the API promises, what to do.

use crate::event::{Event, EventKind, Facts, MemoryRef, OutOfRange, Thread, Touching};
use crate::promise::api;
use gpuproof_program::{AtomicOp, Origin, Program};
use serde::{Deserialize, Serialize};

/// An event in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// What happened: `two lanes store different bits to byte 0 of u0`.
    pub title: String,
    /// Where.
    pub place: AccountPlace,
    /// What the lanes did, in order.
    pub lanes: Vec<LaneAccount>,
    /// What the API promises, with the section of its specification.
    pub note: String,
    /// What to do.
    pub help: String,
}

/// A place of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountPlace {
    /// The number of the line or instruction, where there is one.
    pub line: Option<u32>,
    /// Its text.
    pub text: String,
}

/// What a lane did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneAccount {
    /// Its number.
    pub lane: u32,
    /// Who it is and what it did.
    pub text: String,
    /// Where, if elsewhere.
    pub place: Option<AccountPlace>,
}

fn place(program: &Program, origin: Origin) -> AccountPlace {
    match program.source.line(origin) {
        Some(line) => AccountPlace { line: Some(line.number), text: line.text.trim().into() },
        None => AccountPlace { line: None, text: "the program's start".into() },
    }
}

fn who(lane: u32, thread: Option<Thread>) -> String {
    thread.map_or_else(|| format!("lane {lane}"), |thread| format!("lane {lane}, {thread},"))
}

fn name(memory: Option<&MemoryRef>) -> String {
    match memory {
        Some(memory) if !memory.name.is_empty() => memory.to_string(),
        Some(_) => "a register or variable".into(),
        None => String::new(),
    }
}

/// What a lane did before.
fn did(touching: Touching) -> String {
    match touching {
        Touching::Load => "loaded".into(),
        Touching::Store => "stored".into(),
        Touching::Atomic(AtomicOp::Load) => "loaded atomically".into(),
        Touching::Atomic(AtomicOp::Store) => "stored atomically".into(),
        Touching::Atomic(op) => format!("did an atomic {op:?}"),
    }
}

fn bits(bits: Option<u64>) -> String {
    match bits {
        Some(bits) if bits > u64::from(u32::MAX) => format!(" 0x{bits:016x}"),
        Some(bits) => format!(" 0x{bits:08x}"),
        None => String::new(),
    }
}

fn title(event: &Event) -> String {
    let memory = name(event.memory.as_ref());
    match (&event.kind, &event.facts) {
        (EventKind::NeverWritten, Facts::Unwritten(Some(at))) => format!("{at} of {memory} is used and nothing wrote it"),
        (EventKind::NeverWritten, _) => format!("{memory} is used and nothing wrote it"),
        (EventKind::NoSuchBinding, Facts::OutOfRange(how)) => {
            format!("an index names no resource{}: {how}", if memory.is_empty() { memory } else { format!(" of {memory}") })
        }
        (kind, Facts::OutOfRange(how)) => {
            let what = match kind {
                EventKind::StoreOutOfRange => "a store to",
                EventKind::AtomicOutOfRange => "an atomic on",
                _ => "a load of",
            };
            let past = match how {
                OutOfRange::Field { .. } => "leaves its structure",
                _ => "is out of range",
            };
            format!("{what} {memory} {past}: {how}")
        }
        (EventKind::CollidingStores, Facts::Conflict(conflict)) => {
            format!("two lanes store different bits to {} of {memory} with no barrier between", conflict.at)
        }
        (_, Facts::Conflict(conflict)) => {
            format!("two lanes touch {} of {memory} with no barrier between, and one of them writes", conflict.at)
        }
        (kind, _) if memory.is_empty() => kind.advice().title.into(),
        (kind, _) => format!("{}: {memory}", kind.advice().title),
    }
}

fn lanes(program: &Program, event: &Event) -> Vec<LaneAccount> {
    let mut first = who(event.lane, event.thread);
    let rounds: Vec<String> = event.iterations.iter().map(u32::to_string).collect();
    let mut all = Vec::new();
    match &event.facts {
        Facts::Conflict(conflict) => {
            let found = bits(conflict.found);
            first += &format!(" {}", conflict.does);
            match conflict.does {
                Touching::Load if found.is_empty() => {}
                Touching::Load => first += &format!(" and finds{found}"),
                _ => first += &bits(conflict.bits),
            }
            let stored = if conflict.other_does == Touching::Store { found } else { String::new() };
            let other =
                format!("{} {}{stored} there before", who(conflict.other, conflict.other_thread), did(conflict.other_does));
            all.push(LaneAccount {
                lane: conflict.other,
                text: other,
                place: (conflict.other_origin != event.origin).then(|| place(program, conflict.other_origin)),
            });
        }
        Facts::None | Facts::Unwritten(_) | Facts::OutOfRange(_) => {}
        facts => first += &format!(": {facts}"),
    }
    if !rounds.is_empty() {
        first = format!("{} (round {} of the loop there)", first.trim_end_matches(','), rounds.join(", "));
    }
    let first = first.trim_end_matches(',').into();
    all.insert(0, LaneAccount { lane: event.lane, text: first, place: None });
    all
}

impl Event {
    /// Tells it in words.
    pub fn account(&self, program: &Program) -> Account {
        let note = self
            .promise(program.dialect)
            .map_or_else(String::new, |row| format!("{} promises {} ({})", api(program.dialect), row.promise, row.section));
        Account {
            title: title(self),
            place: place(program, self.origin),
            lanes: lanes(program, self),
            note,
            help: self.kind.advice().help.into(),
        }
    }
}
