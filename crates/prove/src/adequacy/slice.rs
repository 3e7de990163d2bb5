//! Parts of cases: some of the lanes, with all that they read.

use gpuproof_program::{Program, Stage};
use gpuproof_run::{Case, LaneValues, Launch};
use std::collections::BTreeSet;

/// The case with these lanes alone, in order: whole quads of pixels. Of a dispatch of groups, the first ones up to the last lane's, along the last
/// axis that has several.
pub(super) fn slice(program: &Program, case: &Case, lanes: &BTreeSet<u32>) -> Case {
    let keep: Vec<u32> = match &case.launch {
        Launch::Vertices { .. } => lanes.iter().copied().collect(),
        Launch::Pixels { .. } => {
            let quads: BTreeSet<u32> = lanes.iter().map(|lane| lane / 4).collect();
            quads.into_iter().flat_map(|quad| quad * 4..quad * 4 + 4).collect()
        }
        Launch::Groups { count } => {
            let threads: u32 = program.group_size.iter().product::<u32>().max(1);
            let groups = lanes.last().map_or(1, |lane| lane / threads + 1);
            return Case { launch: Launch::Groups { count: first(*count, groups) }, ..case.clone() };
        }
    };
    let of = |values: &Vec<u32>| keep.iter().filter_map(|lane| values.get(*lane as usize).copied()).collect();
    let inputs = case.inputs.iter().map(|values| LaneValues { components: values.components.each_ref().map(of) }).collect();
    let launch = match &case.launch {
        Launch::Pixels { helpers, .. } => {
            let helpers = keep.iter().filter_map(|lane| helpers.get(*lane as usize).copied()).collect();
            Launch::Pixels { quads: keep.len() as u32 / 4, helpers }
        }
        _ => Launch::Vertices { count: keep.len() as u32 },
    };
    Case { launch, inputs, ..case.clone() }
}

/// The least grid along the axes of this one that has at least as many groups, taken from the start.
fn first(count: [u32; 3], groups: u32) -> [u32; 3] {
    let [x, y, z] = count;
    if groups <= x && y <= 1 && z <= 1 {
        [groups.max(1), 1, 1]
    } else if z <= 1 {
        [x, groups.div_ceil(x.max(1)).clamp(1, y), 1]
    } else {
        [x, y, groups.div_ceil(x.saturating_mul(y).max(1)).clamp(1, z)]
    }
}

/// Whether each lane of a program gives the same without the others: nothing is written that others could read, and no waves are looked at.
pub(super) fn is_exact(program: &Program) -> bool {
    let mut exact = program.stage != Stage::Compute;
    for function in &program.functions {
        gpuproof_program::walk(&function.body, &mut |node| {
            if let gpuproof_program::Node::Op(instruction) = node {
                let row = instruction.op.row();
                use gpuproof_program::{Class, Op, Scope, Target};
                exact &= row.scope != Scope::Wave;
                exact &= row.class != Class::Writes
                    || matches!(instruction.op, Op::Output | Op::Demote | Op::Call | Op::ArrayStore)
                    || !matches!(instruction.attrs.target, Target::Resource(_));
            }
        });
    }
    exact
}
