//! Which of a program's decisions went one way only in all that was run.

use gpuproof_program::{Dialect, FunctionId, Node, Op, Origin, Program, Value, Width, walk};
use gpuproof_run::{Observed, Observer, RowBits};
use std::collections::{BTreeMap, BTreeSet};

/// An observer of the conditions that a program branches on, selects by or keeps.
#[derive(Debug)]
pub(crate) struct Decisions {
    /// For each condition the places that it decides.
    places: BTreeMap<(FunctionId, Value), BTreeSet<Place>>,
    /// For each condition that was met, whether it was ever false, and whether ever true.
    seen: BTreeMap<(FunctionId, Value), [bool; 2]>,
}

/// A place of the source: its line and column.
type Place = (u32, u32);

impl Decisions {
    pub fn of(program: &Program) -> Decisions {
        let mut places: BTreeMap<(FunctionId, Value), BTreeSet<Place>> = BTreeMap::new();
        for (at, function) in program.functions.iter().enumerate() {
            let id = FunctionId(at as u32);
            let mut decides = |condition: Value, origin: Origin| {
                if program.source.line(origin).is_some_and(|line| is_decision(&line.text, program.dialect)) {
                    places.entry((id, condition)).or_default().insert((origin.line, origin.column));
                }
            };
            walk(&function.body, &mut |node| match node {
                Node::If { condition, origin, .. } => decides(*condition, *origin),
                // Direct3D keeps the truth of a comparison in all bits of a word.
                Node::Op(instruction)
                    if matches!(instruction.op, Op::Select | Op::SExtend) && function.width(instruction.args[0]) == Width::W1 =>
                {
                    decides(instruction.args[0], instruction.origin);
                }
                _ => {}
            });
        }
        Decisions { places, seen: BTreeMap::new() }
    }

    /// The lines of decisions that were met and went one way only, with that way; not those of which another condition went both ways.
    pub fn one_sided(&self) -> Vec<(u32, bool)> {
        let mut found: BTreeMap<u32, BTreeSet<(bool, bool)>> = BTreeMap::new();
        for (condition, ways) in &self.seen {
            for place in self.places.get(condition).into_iter().flatten() {
                found.entry(place.0).or_default().insert((ways[0], ways[1]));
            }
        }
        let one = |ways: &BTreeSet<(bool, bool)>| match ways.iter().next() {
            Some(&(no, yes)) if ways.len() == 1 && no != yes => Some(yes),
            _ => None,
        };
        found.into_iter().filter_map(|(line, ways)| Some((line, one(&ways)?))).collect()
    }
}

/// Whether a line decides something itself. What else has conditions in it, such as an access that checks its bounds, does not.
fn is_decision(text: &str, dialect: Dialect) -> bool {
    let text = text.trim_start();
    match dialect {
        Dialect::D3D11 => {
            const DECIDE: [&str; 9] = ["if_", "breakc", "continuec", "retc", "discard", "callc", "movc", "dmovc", "swapc"];
            const COMPARE: [&str; 16] =
                ["lt", "ge", "eq", "ne", "ilt", "ige", "ieq", "ine", "ult", "uge", "dlt", "dge", "deq", "dne", "case", "switch"];
            let mnemonic = text.split_whitespace().next().unwrap_or_default();
            DECIDE.iter().any(|start| mnemonic.starts_with(start)) || COMPARE.contains(&mnemonic)
        }
        Dialect::Wgsl => {
            let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words().any(|word| matches!(word, "if" | "while" | "for" | "break" | "select" | "switch"))
                || ["&&", "||"].iter().any(|sign| text.contains(sign))
        }
    }
}

impl Observer for Decisions {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        let key = (function, value);
        self.places.contains_key(&key) && self.seen.get(&key) != Some(&[true, true])
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        let seen = self.seen.entry((observed.function, observed.value)).or_default();
        if *seen == [true, true] {
            return;
        }
        for (at, word) in words.iter().enumerate() {
            if observed.active.get(at / 64).is_some_and(|mask| mask >> (at % 64) & 1 == 1) {
                seen[usize::from(*word != 0)] = true;
            }
        }
    }
}
