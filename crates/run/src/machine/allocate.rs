//! Which row each value has: values whose lives do not overlap share one, so that the rows of small programs stay in the nearest cache.
//!
//! A life is a stretch of places. Lanes wait at places ahead while others run, so what they will read must stay until then; since
//! the lowest place always runs first, a stretch from the first write to the last use covers that, and the whole of each loop that holds some but not all of a value's uses.

use super::compile::Lowering;
use super::rows::Operand;
use super::step::{Access, Step};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A loop: the steps of its body and what it stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub(super) outer: Option<usize>,
    /// Its head.
    pub(super) first: usize,
    /// Its latch.
    pub(super) last: usize,
}

/// The life of one value. Step i reads at 2i and writes at 2i + 1.
#[derive(Clone, Copy)]
struct Life {
    start: usize,
    end: usize,
    /// The innermost loop that holds every use.
    within: Option<usize>,
    seen: bool,
}

/// The loops around a loop, innermost first, itself included.
fn chain(loops: &[Loop], innermost: Option<usize>) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(innermost, |at| loops[*at].outer)
}

fn depth(loops: &[Loop], at: Option<usize>) -> usize {
    chain(loops, at).count()
}

fn common(loops: &[Loop], mut a: Option<usize>, mut b: Option<usize>) -> Option<usize> {
    let (mut da, mut db) = (depth(loops, a), depth(loops, b));
    while a != b {
        if da >= db {
            a = a.and_then(|at| loops[at].outer);
            da = da.saturating_sub(1);
        } else {
            b = b.and_then(|at| loops[at].outer);
            db = db.saturating_sub(1);
        }
    }
    a
}

/// Gives every value its row in the steps and definitions, and says how many rows there are.
pub(super) fn allocate(lowering: &mut Lowering<'_>) -> usize {
    let lives = lives(lowering);
    unmask(lowering, &lives);
    let hints = hints(lowering);
    let (rows, count) = assign(lowering, &lives, &hints);
    let low = &lowering.low;
    let renumber = |operand: &mut Operand| {
        if !operand.is_constant() {
            let number = operand.number();
            let first = low[number as usize];
            *operand = Operand::register(rows[first as usize] + (number - first));
        }
    };
    for step in &mut lowering.steps {
        step.visit(&mut |operand, _| renumber(operand));
    }
    for definition in &mut lowering.definitions {
        renumber(&mut definition.sized.at);
    }
    for step in &mut lowering.steps {
        if matches!(step, Step::Move { to, from, .. } if to == from) {
            *step = Step::Join;
        }
    }
    count
}

fn lives(lowering: &mut Lowering<'_>) -> Vec<Life> {
    let none = Life { start: usize::MAX, end: 0, within: None, seen: false };
    let mut lives = vec![none; lowering.low.len()];
    let (loops, low, around) = (&lowering.loops, &lowering.low, &lowering.around);
    let mut uses: Vec<(u32, usize, Option<usize>)> = Vec::new();
    for (at, step) in lowering.steps.iter_mut().enumerate() {
        let elementwise = step.is_elementwise();
        step.visit(&mut |operand, access| {
            if !operand.is_constant() {
                let early = access == Access::Read && elementwise;
                uses.push((low[operand.number() as usize], 2 * at + usize::from(!early), around[at]));
            }
        });
    }
    // A value that observers may ask for stays until the step that makes it is over.
    for definition in &lowering.definitions {
        if !definition.sized.at.is_constant() {
            uses.push((low[definition.sized.at.number() as usize], 2 * definition.step + 1, around[definition.step]));
        }
    }
    for (register, position, innermost) in &uses {
        let life = &mut lives[*register as usize];
        life.start = life.start.min(*position);
        life.end = life.end.max(*position);
        life.within = if life.seen { common(loops, life.within, *innermost) } else { *innermost };
        life.seen = true;
    }
    for (register, _, innermost) in &uses {
        let life = &mut lives[*register as usize];
        let outermost = chain(loops, *innermost).take_while(|at| Some(*at) != life.within).last();
        if let Some(at) = outermost {
            life.start = life.start.min(2 * loops[at].first);
            life.end = life.end.max(2 * loops[at].last + 1);
        }
    }
    lives
}

/// The first copy to a row in its life need not mind other lanes: none of them has anything there yet. One that leaves a loop may come again.
fn unmask(lowering: &mut Lowering<'_>, lives: &[Life]) {
    let mut written = vec![false; lowering.low.len()];
    for (at, step) in lowering.steps.iter_mut().enumerate() {
        if let Step::Move { to, masked, .. } = step {
            let number = to.number() as usize;
            let life = lives[lowering.low[number] as usize];
            if !written[number] && life.within == lowering.around[at] {
                *masked = false;
            }
            written[number] = true;
        }
    }
}

/// For each value that begins with a copy, the value that is copied.
fn hints(lowering: &Lowering<'_>) -> Vec<Option<u32>> {
    let mut hints = vec![None; lowering.low.len()];
    for step in &lowering.steps {
        if let Step::Move { to, from, .. } = step
            && !from.is_constant()
        {
            let (to, from) = (lowering.low[to.number() as usize], lowering.low[from.number() as usize]);
            hints[to as usize].get_or_insert(from);
        }
    }
    hints
}

fn assign(lowering: &Lowering<'_>, lives: &[Life], hints: &[Option<u32>]) -> (Vec<u32>, usize) {
    let mut order: Vec<u32> = (0..lives.len() as u32).filter(|at| lives[*at as usize].seen).collect();
    order.sort_by_key(|at| (lives[*at as usize].start, *at));
    let mut rows = vec![0u32; lives.len()];
    let mut free: BTreeSet<u32> = BTreeSet::new();
    let mut ends: BinaryHeap<Reverse<(usize, u32)>> = BinaryHeap::new();
    let mut count = 0u32;
    for register in order {
        let life = lives[register as usize];
        let double = lowering.is_double[register as usize];
        while let Some(Reverse((end, ended))) = ends.peek().copied()
            && end < life.start
        {
            ends.pop();
            free.insert(rows[ended as usize]);
            if lowering.is_double[ended as usize] {
                free.insert(rows[ended as usize] + 1);
            }
        }
        let fits = |row: u32, free: &BTreeSet<u32>| free.contains(&row) && (!double || free.contains(&(row + 1)));
        let hinted = hints[register as usize].map(|from| rows[from as usize]).filter(|row| fits(*row, &free));
        let row = hinted.or_else(|| free.iter().copied().find(|row| fits(*row, &free))).unwrap_or_else(|| {
            count += 1 + u32::from(double);
            count - 1 - u32::from(double)
        });
        free.remove(&row);
        if double {
            free.remove(&(row + 1));
        }
        rows[register as usize] = row;
        ends.push(Reverse((life.end, register)));
    }
    (rows, count as usize)
}
