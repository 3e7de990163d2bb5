//! Instructions that no result depends on, or that are never reached.
//!
//! ## Why
//! It costs time, and it is often what is left of a mistake: a result that was to be used and is not, a register that is overwritten before
//! it is read, a statement behind a `return`.
//!
//! ## Example
//! ~~~text
//! mul r1.x, v0.x, v0.y        r1.x is never read
//! mov o0.x, l(1.0)            o0.x is overwritten
//! mov o0.x, v0.x
//! ~~~
//!
//! ## What to do
//! Delete it, or use what it computes. Compilers leave dead code in programs that they were told not to optimise.
//!
//! ## What it does not see
//! Single components of a move, of what is read from memory, and those that compute what another component does (an address's `.xyyy`). A store to memory counts as used, whoever reads it. One store to an array `x#` counts as used when any element is read. A branch that is never
//! taken because of what its condition is made of is not found. In WGSL a line is reported when nothing that it computes is used;
//! statements behind a `return`, and functions that are not called, are not there any more when the rule looks. Programs of
//! hundreds of thousands of instructions are not looked at.

use super::registers::{Flow, Unit, has};
use super::{Finding, Severity, Subject};
use gpuproof_program::{FunctionId, Node, Op, Program, walk};
use gpuproof_read::dxbc::Instruction;
use gpuproof_read::dxbc::opcode::{Class, Opcode};
use gpuproof_read::dxbc::operand::Selection;
use std::collections::BTreeMap;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    match (subject.shader, subject.program) {
        (Some(shader), _) => Flow::of(shader).map_or_else(Vec::new, |flow| instructions(subject, &flow)),
        (None, Some(program)) => lines(subject, program),
        (None, None) => Vec::new(),
    }
}

fn note(place: super::Place, message: String, help: &str) -> Finding {
    Finding { rule: "dead-code", severity: Severity::Note, place, message, help: help.into() }
}

fn instructions(subject: &Subject<'_>, flow: &Flow<'_>) -> Vec<Finding> {
    let (reached, needed) = (flow.reached(), flow.needed());
    let mut findings = Vec::new();
    // A stretch that is never reached is one finding.
    let mut inside = false;
    for (at, instruction) in flow.shader.instructions.iter().enumerate() {
        let class = instruction.info().class;
        if matches!(class, Class::Declaration | Class::Data | Class::Nop) {
            continue;
        }
        let place = subject.instruction_place(instruction.offset);
        if !reached[at] {
            // What only ends a construct stands there for the form.
            let closes = class == Class::Flow
                && !matches!(instruction.opcode, Opcode::If | Opcode::Loop | Opcode::Switch | Opcode::Discard | Opcode::Call);
            if !closes && !std::mem::replace(&mut inside, true) {
                findings.push(note(place, "control never gets here".into(), "delete it, or what leaves before it"));
            }
            continue;
        }
        inside = false;
        let effect = &flow.effects[at];
        let results: Vec<Unit> = effect.writes.iter().chain(&effect.stores).copied().collect();
        if results.is_empty() || effect.lasting {
            continue;
        }
        // Reads of memory give four components whether or not all are wanted, and moves copy more than is wanted to save an instruction.
        let whole = matches!(class, Class::Sample | Class::Load | Class::Query | Class::Evaluate | Class::Move);
        let is_used = |unit: &Unit| has(&needed[at], flow.number(*unit));
        // Compilers fill the components of an address that are not looked at with one that is.
        let is_copy = |unit: &Unit| {
            let Unit::Component(_, _, one) = *unit else { return false };
            let twin = |other: &Unit| matches!(other, Unit::Component(_, _, two) if is_used(other) && computes_alike(instruction, one, *two));
            results.iter().any(twin)
        };
        let unused: Vec<Unit> = results.iter().filter(|unit| !is_used(unit) && !is_copy(unit)).copied().collect();
        if unused.is_empty() || whole && unused.len() < results.len() {
            continue;
        }
        let is_output = unused.iter().all(|unit| matches!(unit, Unit::Component(file, ..) if file.name().starts_with('o')));
        let what = if is_output { "is always overwritten" } else { "is never used" };
        let rest = if unused.len() < results.len() { ", unlike its other components" } else { "" };
        let message = format!("{}, which it writes, {what}{rest}", Unit::join(&unused));
        findings.push(note(place, message, "delete it, or use what it computes"));
    }
    findings
}

/// Whether a component-wise instruction computes the same in two components: each source gives both the same.
fn computes_alike(instruction: &Instruction, one: u8, two: u8) -> bool {
    let sources = instruction.operands.iter().zip(instruction.info().operands()).filter(|(_, (written, _))| !written);
    let [one, two] = [one, two].map(|component| usize::from(component & 3));
    sources.map(|(operand, _)| operand).all(|operand| match (&operand.immediate[..], &operand.selection) {
        ([_], _) => true,
        (words @ [_, _, _, _], _) => words[one] == words[two],
        (_, Selection::Swizzle(swizzle)) => swizzle[one] == swizzle[two],
        _ => false,
    })
}

/// Of a text, the lines on which operations are computed and none has an effect.
fn lines(subject: &Subject<'_>, program: &Program) -> Vec<Finding> {
    let live = subject.live(program);
    let mut found: BTreeMap<u32, (bool, gpuproof_program::Origin)> = BTreeMap::new();
    for (at, function) in program.functions.iter().enumerate() {
        walk(&function.body, &mut |node| match node {
            Node::Op(instruction) if !matches!(instruction.op, Op::Const | Op::Undef) => {
                let used = live.instruction(FunctionId(at as u32), instruction);
                let line = found.entry(instruction.origin.line).or_insert((false, instruction.origin));
                line.0 |= used;
            }
            // A decision has an effect, whatever it is made of.
            Node::If { origin, .. } | Node::Switch { origin, .. } | Node::Loop { origin, .. } => {
                found.entry(origin.line).or_insert((false, *origin)).0 = true;
            }
            _ => {}
        });
    }
    let dead = found.into_values().filter(|(used, origin)| !used && program.source.line(*origin).is_some());
    dead.map(|(_, origin)| {
        note(subject.place(origin), "nothing that it computes is used".into(), "delete it, or use what it computes")
    })
    .collect()
}
