//! Derivatives where the pixels of a quad may have parted.
//!
//! ## Why
//! A derivative is a difference between neighbouring pixels of a quad, and sampling a texture without a given level takes two of them. Behind a
//! condition that holds in some of the four pixels only, the others have no value to subtract: the result is undefined (WGSL: uniformity
//! analysis; Direct3D calls it varying flow control). What is seen is wrong mip levels along edges.
//!
//! ## Example
//! ~~~text
//! if (uv.x > 0.5) {
//!     color = textureSample(t, s, uv);
//! }
//! ~~~
//!
//! ## What to do
//! Sample before the condition and use the result behind it, compute the gradients before it (`textureSampleGrad`, `sample_d`), or give the level
//! (`textureSampleLevel`, `sample_l`).
//!
//! ## What it does not see
//! Conditions that come out the same in all four pixels although they are made of what differs, and whatever a program reads from memory that it
//! also writes, is taken to differ. Values of a flat input, of constants, and what is read with them are the same in a quad. A
//! discarded pixel goes on as a helper, so `discard` parts nothing.

use super::uniformity::Uniformity;
use super::{Finding, Severity, Subject};
use gpuproof_program::{Builtin, Detail, FunctionId, InputId, Instruction, Interpolation, Level, Op, Origin, Program, Stage};
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(program) = subject.program.filter(|program| program.stage == Stage::Pixel) else { return Vec::new() };
    let live = subject.live(program);
    let varies = |input: InputId, _: u8| differs_in_quad(program, input);
    let mut found: BTreeSet<(Origin, Origin)> = BTreeSet::new();
    Uniformity::of(program, &varies).visit(&mut |function: FunctionId, instruction: &Instruction, parted| {
        if let Some(decision) = parted
            && takes_derivatives(instruction)
            && live.instruction(function, instruction)
        {
            let whole = |origin: Origin| Origin { component: 0, ..origin };
            found.insert((whole(instruction.origin), whole(decision)));
        }
    });
    let finding = |(at, decision): (Origin, Origin)| Finding {
        rule: "divergent-derivative",
        severity: Severity::Warning,
        place: subject.place(at),
        message: format!(
            "it takes a derivative where pixels of a quad may have parted at {}: undefined",
            subject.named(decision)
        ),
        help: "take it before the decision, or give the gradients or the level".into(),
    };
    found.into_iter().map(finding).collect()
}

fn takes_derivatives(instruction: &Instruction) -> bool {
    match (instruction.op, instruction.attrs.detail) {
        (Op::FDdx | Op::FDdy | Op::SampleLevel, _) => true,
        (Op::Sample, Detail::Sampling(sampling)) => matches!(sampling.level, Level::Implicit | Level::Bias),
        _ => false,
    }
}

/// A quad is of one primitive: what is one value for a primitive or a draw is the same in it.
fn differs_in_quad(program: &Program, input: InputId) -> bool {
    let input = program.interface.input(input);
    let of_primitive = matches!(
        input.builtin,
        Some(
            Builtin::FrontFacing
                | Builtin::PrimitiveIndex
                | Builtin::InstanceIndex
                | Builtin::RenderTargetArrayIndex
                | Builtin::ViewportArrayIndex
                | Builtin::ViewIndex
                | Builtin::DrawIndex
        )
    );
    !of_primitive && input.interpolation != Interpolation::Flat
}
