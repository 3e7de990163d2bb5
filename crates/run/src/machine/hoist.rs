//! Takes pure steps out of loops that change none of their operands. Pure steps run on all lanes or on those that enter the loop, so
//! doing one before the loop gives each lane what doing it there would.

use super::compile::Lowering;
use super::step::{Access, Step};
use std::mem;

/// Loops that a step leaves at most: it is looked at once for each.
const MAX_LEFT: usize = 64;

/// Moves steps ahead of loops, and puts what every lane starts with, `inputs`, behind the first step.
pub(super) fn hoist(lowering: &mut Lowering<'_>) {
    let targets = if lowering.is_literal { vec![None; lowering.steps.len()] } else { targets(lowering) };
    let count = lowering.steps.len();
    let mut moved: Vec<Vec<usize>> = vec![Vec::new(); lowering.loops.len()];
    for (at, target) in targets.iter().enumerate() {
        if let Some(target) = target {
            moved[*target].push(at);
        }
    }
    let mut old: Vec<Option<Step>> = mem::take(&mut lowering.steps).into_iter().map(Some).collect();
    let origins = mem::take(&mut lowering.origins);
    let around = mem::take(&mut lowering.around);
    // Where each step is now; of a step that was moved, where the step before it is, after which observers see its result.
    let mut place_of = vec![0u32; count];
    for at in 0..count {
        if targets[at].is_some() {
            place_of[at] = lowering.steps.len() as u32 - 1;
            continue;
        }
        if let Some(Step::Enter { counter }) = &old[at] {
            for &early in &moved[*counter] {
                lowering.steps.extend(old[early].take());
                lowering.origins.push(origins[early]);
                lowering.around.push(around[at]);
            }
        }
        place_of[at] = lowering.steps.len() as u32;
        lowering.steps.extend(old[at].take());
        lowering.origins.push(origins[at]);
        lowering.around.push(around[at]);
        if at == 0 {
            for (step, origin) in mem::take(&mut lowering.inputs) {
                lowering.steps.push(step);
                lowering.origins.push(origin);
                lowering.around.push(None);
            }
            // Observers see inputs when all are there.
            place_of[0] = lowering.steps.len() as u32 - 1;
        }
    }
    for place in lowering.places.iter_mut().filter(|place| **place != u32::MAX) {
        *place = place_of[*place as usize];
    }
    for definition in &mut lowering.definitions {
        definition.step = place_of[definition.step] as usize;
    }
    for inner in &mut lowering.loops {
        inner.first = place_of[inner.first] as usize;
        inner.last = place_of[inner.last] as usize;
    }
}

/// For each step the outermost loop that it can leave.
fn targets(lowering: &mut Lowering<'_>) -> Vec<Option<usize>> {
    let (loops, low, around) = (&lowering.loops, &lowering.low, &lowering.around);
    // Where each register is written, in ascending order.
    let mut writers: Vec<Vec<usize>> = vec![Vec::new(); low.len()];
    for (at, step) in lowering.steps.iter_mut().enumerate() {
        step.visit(&mut |operand, access| {
            if access == Access::Write && !operand.is_constant() {
                writers[low[operand.number() as usize] as usize].push(at);
            }
        });
    }
    let mut targets = vec![None; lowering.steps.len()];
    for (at, step) in lowering.steps.iter_mut().enumerate() {
        if around[at].is_none() || !matches!(step, Step::Row { .. } | Step::Unary { .. } | Step::Scalar(_)) {
            continue;
        }
        let (mut reads, mut results) = (Vec::new(), Vec::new());
        step.visit(&mut |operand, access| {
            if !operand.is_constant() {
                let register = low[operand.number() as usize] as usize;
                if access == Access::Read { &mut reads } else { &mut results }.push(register);
            }
        });
        if results.iter().any(|register| writers[*register].len() != 1) {
            continue;
        }
        let changes = |inner: usize| {
            reads.iter().any(|register| {
                let writers = &writers[*register];
                let next = writers.partition_point(|writer| *writer < loops[inner].first);
                writers.get(next).is_some_and(|writer| *writer <= loops[inner].last)
            })
        };
        let out = std::iter::successors(around[at], |inner| loops[*inner].outer).take(MAX_LEFT);
        let leaves = out.take_while(|inner| !changes(*inner));
        targets[at] = leaves.last();
        if let Some(target) = targets[at] {
            // It is written where the loop begins.
            results.iter().for_each(|register| writers[*register] = vec![loops[target].first - 1]);
        }
    }
    targets
}
