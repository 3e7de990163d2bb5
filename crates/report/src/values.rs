//! Every value of a run.

use crate::outcome::place;
use gpuproof_program::{FunctionId, Node, Op, Origin, Program, Value, Width, walk};
use gpuproof_run::{Observed, Observer, RowBits};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;

/// Keeps the values of the first lanes of a run as they are made.
pub struct Recorder<'a> {
    program: &'a Program,
    /// Which operation defines each value.
    sites: HashMap<(FunctionId, Value), (Op, Origin)>,
    lanes: u32,
    records: Vec<Record>,
    dropped: u64,
}

/// A value as it was made.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The place in the source.
    pub place: String,
    /// The operation.
    pub operation: &'static str,
    /// The function and value in the program's text form.
    pub value: String,
    /// How often each enclosing loop has gone round, outermost first.
    pub iterations: Vec<u32>,
    /// Lane and bits.
    pub lanes: Vec<(u32, String)>,
}

/// Records beyond these are only counted.
const MAX_RECORDS: usize = 1_000_000;

impl<'a> Recorder<'a> {
    /// A recorder for the first `lanes` lanes.
    pub fn new(program: &'a Program, lanes: u32) -> Recorder<'a> {
        let mut sites = HashMap::new();
        for (at, function) in program.functions.iter().enumerate() {
            walk(&function.body, &mut |node| {
                if let Node::Op(op) = node
                    && op.origin != Origin::NONE
                {
                    sites.extend(op.results.iter().map(|value| ((FunctionId(at as u32), *value), (op.op, op.origin))));
                }
            });
        }
        Recorder { program, sites, lanes, records: Vec::new(), dropped: 0 }
    }

    /// What was recorded, in order, and how many values more there were.
    pub fn finish(self) -> (Vec<Record>, u64) {
        (self.records, self.dropped)
    }
}

impl Observer for Recorder<'_> {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.sites.contains_key(&(function, value))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        if observed.first_lane >= self.lanes {
            return;
        }
        if self.records.len() >= MAX_RECORDS {
            self.dropped += 1;
            return;
        }
        let Some(&(op, origin)) = self.sites.get(&(observed.function, observed.value)) else { return };
        let width = self.program.function(observed.function).width(observed.value);
        let count = match observed.bits {
            RowBits::Words(words) => words.len(),
            RowBits::Doubles(low, _) => low.len(),
        };
        let active = |at: usize| observed.active.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
        let lanes: Vec<(u32, String)> = (0..count)
            .filter(|at| active(*at))
            .map(|at| (observed.first_lane + at as u32, at))
            .take_while(|(lane, _)| *lane < self.lanes)
            .map(|(lane, at)| (lane, bits_text(observed.bits, at, width)))
            .collect();
        if !lanes.is_empty() {
            self.records.push(Record {
                place: place(self.program, origin),
                operation: op.row().name,
                value: format!("{}", observed.value),
                iterations: observed.iterations.to_vec(),
                lanes,
            });
        }
    }
}

fn bits_text(bits: RowBits<'_>, at: usize, width: Width) -> String {
    match (bits, width) {
        (RowBits::Doubles(low, high), _) => format!("{:08x}{:08x}", high[at], low[at]),
        (RowBits::Words(words), Width::W1) => if words[at] == 0 { "false" } else { "true" }.into(),
        (RowBits::Words(words), Width::W8) => format!("{:02x}", words[at]),
        (RowBits::Words(words), Width::W16) => format!("{:04x}", words[at]),
        (RowBits::Words(words), _) => format!("{:08x}", words[at]),
    }
}

/// The records as text: a heading for each place, a line for each value.
pub fn text(records: &[Record], dropped: u64) -> String {
    let mut out = String::new();
    let mut last = "";
    for record in records {
        if record.place != last {
            let _ = writeln!(out, "{}", record.place);
            last = &record.place;
        }
        let round = if record.iterations.is_empty() { String::new() } else { format!(" round {:?}", record.iterations) };
        let lanes: Vec<String> = record.lanes.iter().map(|(lane, bits)| format!("{lane}:{bits}")).collect();
        let _ = writeln!(out, "  {} {}{round}  {}", record.value, record.operation, lanes.join(" "));
    }
    if dropped > 0 {
        let _ = writeln!(out, "... and {dropped} more values");
    }
    out
}
