//! Reads of registers that nothing has written.
//!
//! ## Why
//! A temporary register (`r#`, `x#`) of Direct3D holds nothing defined until it is written: what an instruction reads from it differs from
//! one graphics card and driver to the next, and often looks right on the one that it was tried on.
//!
//! ## Example
//! ~~~text
//! mov r0.xyz, v0.xyzx
//! mov o0.xyzw, r0.xyzw        r0.w was never written
//! ~~~
//! A register that is written in one branch of an `if` alone and read behind it is a candidate: whether the other branch is ever taken
//! with that read is more than the rule knows.
//!
//! ## What to do
//! Write the component before the read: give the variable a value where it is declared. In a program that was edited or translated, look
//! for the instruction that was lost.
//!
//! ## What it does not see
//! Elements of an array `x#` are not told apart: one store on any way counts as a store of all. Group-shared memory is not looked at. Where two conditions
//! always hold together, a write under the one and a read under the other give a candidate though the read is never without the
//! write; that one of two decisions is taken which ask the opposite of one register, one right behind the other, is known. WGSL makes all variables zero, so the rule finds nothing there,
//! nor in programs of hundreds of thousands of instructions.

use super::registers::{Flow, Unit, has};
use super::{Finding, Severity, Subject};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((shader, flow)) = subject.shader.and_then(|shader| Some((shader, Flow::of(shader)?))) else { return Vec::new() };
    let (somehow, surely) = (flow.written(false), flow.written(true));
    let needed = flow.needed();
    let mut findings = Vec::new();
    for (at, effect) in flow.effects.iter().enumerate() {
        let (Some(somehow), Some(surely)) = (&somehow[at], &surely[at]) else { continue };
        // What nothing needs is the rule dead-code's.
        if !flow.is_needed(at, &needed[at]) {
            continue;
        }
        let without = |set| {
            let missing = |unit: &&Unit| !is_output(unit) && !has(set, flow.number(**unit));
            effect.reads.iter().filter(missing).copied().collect::<Vec<Unit>>()
        };
        let never = without(somehow);
        // Arrays are filled element by element, in loops that as a rule go round.
        let is_open = |unit: &Unit| !never.contains(unit) && !matches!(unit, Unit::Array(_));
        let sometimes: Vec<Unit> = without(surely).into_iter().filter(is_open).collect();
        let place = subject.instruction_place(shader.instructions[at].offset);
        let mut found = |severity, units: &[Unit], what: &str| {
            if !units.is_empty() {
                findings.push(Finding {
                    rule: "never-written",
                    severity,
                    place: place.clone(),
                    message: format!("it reads {}, which {what}", Unit::join(units)),
                    help: "write it on every way to here; what it holds is undefined".into(),
                });
            }
        };
        found(Severity::Warning, &never, "nothing has written");
        found(Severity::Candidate, &sometimes, "is not written on every way to here");
    }
    findings
}

fn is_output(unit: &Unit) -> bool {
    matches!(unit, Unit::Component(file, ..) if *file != gpuproof_read::dxbc::operand::File::Temp)
}
