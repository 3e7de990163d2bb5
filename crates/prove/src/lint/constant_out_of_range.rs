//! Reads of constants past the end that is declared.
//!
//! ## Why
//! A program declares how many rows of a constant buffer it reads (`dcl_constantbuffer cb0[4]`) and holds a table of its own (the immediate constants
//! `icb`) of a fixed size. Past the end it gets zero where nothing more is bound, and where the application bound a larger buffer what stands
//! there may be wrong (Direct3D 11.3, 7.5).
//!
//! ## Example
//! ~~~text
//! dcl_constantbuffer CB0[4], dynamicIndexed
//! and r0.x, v0.x, l(7)
//! mov o0.xyzw, cb0[r0.x + 0].xyzw         r0.x may be 7
//! ~~~
//!
//! ## What to do
//! Declare as much as is read, or clamp the index.
//!
//! ## What it does not see
//! An index of which nothing is known, such as one that an input gives, is not reported. Ranges come from constants, masks, shifts, extrema, bit
//! fields and loops that count to a constant. An index that may be too large and is known to be below some bound is a candidate. In WGSL an
//! array's index is held to the array by the language; reported is what lies past the whole buffer.

use super::{Finding, Severity, Subject};
use crate::facts::{Fact, visit};
use gpuproof_program::{FunctionId, Op, Origin, Shape, Target};
use std::collections::BTreeMap;

/// A range that reaches so far says nothing about an index: no constants have as many bytes.
const UNKNOWN: u64 = 1 << 24;

/// Reads of a buffer or table by one instruction.
struct Reads {
    /// The first byte or word that is read, at the least and at the most.
    first: (u64, u64),
    /// The bytes or words that there are.
    size: u64,
    /// How many of them are a row.
    row: u64,
}

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(program) = subject.program else { return Vec::new() };
    let live = subject.live(program);
    let mut found: BTreeMap<(Origin, String), Reads> = BTreeMap::new();
    for (at, function) in program.functions.iter().enumerate() {
        visit(program, function, &mut |instruction, facts| {
            if !live.instruction(FunctionId(at as u32), instruction) {
                return;
            }
            // The unit is what rows count: 16 bytes, or four words of a table.
            let (name, address, size, width, row) = match (instruction.op, instruction.attrs.target) {
                (Op::BufferLoad, Target::Resource(id)) => match program.interface.resource(id).shape {
                    Shape::ConstantBuffer { bytes } if bytes > 0 => {
                        let width = function.width(instruction.results[0]).bytes();
                        (program.interface.resource(id).name.clone(), instruction.args[1], bytes, width, 16)
                    }
                    _ => return,
                },
                (Op::ArrayLoad, Target::Array(id)) if program.arrays[id.index()].constant => {
                    let array = &program.arrays[id.index()];
                    (array.name.clone(), instruction.args[0], array.length, 1, 4)
                }
                _ => return,
            };
            let Fact { lo, hi, .. } = facts[address.index()];
            let size = u64::from(size);
            if lo > hi || hi + u64::from(width) <= size || lo < size && hi >= UNKNOWN {
                return;
            }
            let origin = Origin { component: 0, ..instruction.origin };
            let reads = found.entry((origin, name)).or_insert(Reads { first: (lo, hi), size, row });
            reads.first = (lo.min(reads.first.0), hi.max(reads.first.1));
        });
    }
    let finding = |((origin, name), reads): ((Origin, String), Reads)| {
        let Reads { first: (least, most), size, row } = reads;
        let always = least >= size;
        let reads = match (always, least / row == most / row) {
            (true, true) => format!("reads row {}", least / row),
            (true, false) => format!("reads rows {} to {}", least / row, most / row),
            (false, _) => format!("may read up to row {}", most / row),
        };
        Finding {
            rule: "constant-out-of-range",
            severity: if always { Severity::Warning } else { Severity::Candidate },
            place: subject.place(origin),
            message: format!("it {reads} of {name}, which has rows 0 to {}", size.div_ceil(row).saturating_sub(1)),
            help: "declare as many rows as are read, or clamp the index".into(),
        }
    };
    found.into_iter().map(finding).collect()
}
