//! From blocks to structured control.
//!
//! Constructs are placed along the dominator tree, as Ramsey's *Beyond Relooper* does for WebAssembly: a block with several forward predecessors stands
//! behind the construct of the block that dominates it, a block with one stands where the branch to it is, and a loop is the region of its header. Merge
//! blocks and continue targets that the module declares count as reached from their header: they are dominated by it, stand behind its construct, and
//! are where its ways meet, however few really do.
//!
//! Nothing recurses over the graph, which may be as deep as it has blocks.

use super::error::{Result, unsupported};

/// How a block ends.
#[derive(Clone, Debug)]
pub(super) enum Exit {
    Branch(usize),
    /// The condition's id, and where it goes when it is true and false.
    If(u32, usize, usize),
    /// The selector's id, and for each target its selectors and whether it is the default.
    Switch(u32, Vec<(Vec<u32>, bool, usize)>),
    /// Leaves the function, with its last instruction.
    Leave,
}

impl Exit {
    fn targets(&self) -> Vec<usize> {
        match self {
            Exit::Branch(to) => vec![*to],
            Exit::If(_, yes, no) => vec![*yes, *no],
            Exit::Switch(_, arms) => arms.iter().map(|(.., to)| *to).collect(),
            Exit::Leave => Vec::new(),
        }
    }
}

/// What structuring looks at of a block.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) exit: Exit,
    /// The declared merge block and continue target.
    pub(super) declared: Vec<usize>,
}

/// One step of making a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The instructions of a block.
    Body(usize),
    /// Opens a block that a jump to this one leaves.
    Block(usize),
    Loop(usize),
    /// Opens the selection at a block's end. Its end is where the second block stands.
    If(usize, Option<usize>),
    Else,
    Switch(usize, Option<usize>),
    /// Opens an arm of the innermost switch, the one at a block's end.
    Arm(usize, usize),
    /// Closes the innermost construct.
    End,
    /// Values go from a block to the next.
    Edge(usize, usize),
    /// Goes to the end of the construct in front of a block.
    Jump(usize),
    /// Goes to a loop's next iteration.
    Again(usize),
    /// The last instruction of a block that leaves the function.
    Leave(usize),
}

enum Task {
    Node(usize),
    Edge(usize, usize),
    Emit(Step),
}

/// The graph with the facts that placing goes by.
struct Graph {
    /// The place of each block in reverse postorder, over declared edges too; none where not even those reach.
    order: Vec<Option<usize>>,
    dominator: Vec<usize>,
    /// Whether a block can really be reached.
    live: Vec<bool>,
    /// Whether it stands behind a construct.
    joins: Vec<bool>,
    is_loop: Vec<bool>,
    /// The header of the innermost loop around it; of a header the loop around its own.
    around: Vec<Option<usize>>,
}

impl Graph {
    fn dominates(&self, above: usize, mut below: usize) -> bool {
        while self.order[below] > self.order[above] {
            below = self.dominator[below];
        }
        above == below
    }

    fn is_in_loop(&self, mut block: usize, header: usize) -> bool {
        while let Some(around) = self.around[block] {
            if around == header {
                return true;
            }
            block = around;
        }
        false
    }
}

/// Which blocks every way to a block leads through, over what branches really do.
#[derive(Debug)]
pub(super) struct Dominance {
    order: Vec<Option<usize>>,
    dominator: Vec<usize>,
}

impl Dominance {
    /// Whether every way to a block leads through another.
    pub(super) fn holds(&self, above: usize, mut below: usize) -> bool {
        while self.order[below] > self.order[above] {
            below = self.dominator[below];
        }
        above == below
    }
}

/// Where values of blocks may be used.
pub(super) fn dominance(blocks: &[Shape]) -> Dominance {
    let leads: Vec<Vec<usize>> = blocks.iter().map(|block| block.exit.targets()).collect();
    let sequence = reverse_postorder(&leads);
    let (mut order, mut from) = (vec![None; blocks.len()], vec![Vec::new(); blocks.len()]);
    for (at, block) in sequence.iter().enumerate() {
        order[*block] = Some(at);
        leads[*block].iter().for_each(|to| from[*to].push(*block));
    }
    let dominator = dominators(&sequence, &order, &from);
    Dominance { order, dominator }
}

/// The steps that make a function of blocks, of which the first is its entry.
pub(super) fn structure(blocks: &[Shape]) -> Result<Vec<Step>> {
    let graph = graph(blocks)?;
    // The blocks that stand behind a block's construct, in their order.
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    let mut joins: Vec<usize> = (1..blocks.len()).filter(|block| graph.live[*block] && graph.joins[*block]).collect();
    joins.sort_by_key(|block| graph.order[*block]);
    for block in joins {
        behind[graph.dominator[block]].push(block);
    }
    let (mut steps, mut tasks) = (Vec::new(), vec![Task::Node(0)]);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Emit(step) => steps.push(step),
            Task::Edge(from, to) => {
                steps.push(Step::Edge(from, to));
                if graph.order[to] <= graph.order[from] {
                    steps.push(Step::Again(to));
                } else if graph.joins[to] {
                    steps.push(Step::Jump(to));
                } else {
                    tasks.push(Task::Node(to));
                }
            }
            Task::Node(block) => {
                let later = place(block, blocks, &graph, &behind[block], &mut steps);
                tasks.extend(later.into_iter().rev());
            }
        }
    }
    Ok(steps)
}

/// Opens the constructs of a block; gives what comes then, in order.
fn place(block: usize, blocks: &[Shape], graph: &Graph, behind: &[usize], steps: &mut Vec<Step>) -> Vec<Task> {
    let is_loop = graph.is_loop[block];
    let (inside, outside): (Vec<usize>, Vec<usize>) = behind.iter().partition(|next| !is_loop || graph.is_in_loop(**next, block));
    if is_loop {
        steps.extend(outside.iter().rev().map(|next| Step::Block(*next)));
        steps.push(Step::Loop(block));
    }
    steps.push(Step::Body(block));
    // The end of a selection is where the first block behind it stands.
    let selects = matches!(blocks[block].exit, Exit::If(..) | Exit::Switch(..));
    let first = if selects { inside.first().copied() } else { None };
    let rest = &inside[usize::from(first.is_some())..];
    steps.extend(rest.iter().rev().map(|next| Step::Block(*next)));
    let mut later = Vec::new();
    match &blocks[block].exit {
        Exit::Branch(to) => later.push(Task::Edge(block, *to)),
        Exit::If(_, yes, no) => {
            steps.push(Step::If(block, first));
            later.extend([Task::Edge(block, *yes), Task::Emit(Step::Else), Task::Edge(block, *no), Task::Emit(Step::End)]);
        }
        Exit::Switch(_, arms) => {
            steps.push(Step::Switch(block, first));
            for (at, (.., to)) in arms.iter().enumerate() {
                later.extend([Task::Emit(Step::Arm(block, at)), Task::Edge(block, *to)]);
            }
            later.push(Task::Emit(Step::End));
        }
        Exit::Leave => steps.push(Step::Leave(block)),
    }
    later.extend(first.map(Task::Node));
    let close = |next: &usize| [Task::Emit(Step::End), Task::Node(*next)];
    later.extend(rest.iter().flat_map(close));
    if is_loop {
        later.push(Task::Emit(Step::End));
        later.extend(outside.iter().flat_map(close));
    }
    later
}

fn graph(blocks: &[Shape]) -> Result<Graph> {
    let count = blocks.len();
    let real: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| {
            let mut targets = block.exit.targets();
            targets.sort_unstable();
            targets.dedup();
            targets
        })
        .collect();
    let live: Vec<bool> = {
        let mut live = vec![false; count];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut live[block], true) {
                open.extend(&real[block]);
            }
        }
        live
    };
    // What leads where, from live blocks, declared edges too.
    let leads: Vec<Vec<usize>> = (0..count)
        .map(|block| {
            let declared = blocks[block].declared.iter().copied().filter(|to| *to != block);
            let mut all: Vec<usize> =
                if live[block] { real[block].iter().copied().chain(declared).collect() } else { Vec::new() };
            all.sort_unstable();
            all.dedup();
            all
        })
        .collect();
    let sequence = reverse_postorder(&leads);
    let mut order = vec![None; count];
    sequence.iter().enumerate().for_each(|(at, block)| order[*block] = Some(at));
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
    for block in &sequence {
        leads[*block].iter().for_each(|to| from[*to].push(*block));
    }
    let dominator = dominators(&sequence, &order, &from);
    let mut graph =
        Graph { order, dominator, live, joins: vec![false; count], is_loop: vec![false; count], around: vec![None; count] };
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut forward = vec![0; count];
    for block in sequence.iter().copied().filter(|block| graph.live[*block]) {
        for to in &real[block] {
            if graph.order[*to] <= graph.order[block] {
                if !graph.dominates(*to, block) {
                    return unsupported("a loop that is entered at more than one place (irreducible control flow)");
                }
                back[*to].push(block);
                graph.is_loop[*to] = true;
            } else {
                forward[*to] += 1;
            }
        }
        for to in &blocks[block].declared {
            graph.joins[*to] |= graph.order[*to] > graph.order[block];
        }
    }
    (0..count).for_each(|block| graph.joins[block] |= forward[block] > 1);
    nest(&sequence, &real, &back, &mut graph);
    Ok(graph)
}

/// Tells for each block the innermost loop around it: loops from the inside out, each taken together once it is known.
fn nest(sequence: &[usize], real: &[Vec<usize>], back: &[Vec<usize>], graph: &mut Graph) {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); real.len()];
    for block in sequence.iter().filter(|block| graph.live[**block]) {
        real[*block].iter().for_each(|to| from[*to].push(*block));
    }
    let mut whole: Vec<usize> = (0..real.len()).collect();
    for header in sequence.iter().rev().copied().filter(|block| graph.is_loop[*block]) {
        let mut open: Vec<usize> = back[header].clone();
        while let Some(block) = open.pop() {
            let block = representative(&mut whole, block);
            if block != header {
                graph.around[block] = Some(header);
                whole[block] = header;
                open.extend(&from[block]);
            }
        }
    }
}

fn representative(whole: &mut [usize], block: usize) -> usize {
    let mut top = block;
    while whole[top] != top {
        top = whole[top];
    }
    let mut at = block;
    while whole[at] != top {
        at = std::mem::replace(&mut whole[at], top);
    }
    top
}

fn reverse_postorder(leads: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; leads.len()];
    let (mut order, mut path) = (Vec::new(), vec![(0, 0)]);
    seen[0] = true;
    while let Some((block, next)) = path.last_mut() {
        match leads[*block].get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*to], true) {
                    path.push((*to, 0));
                }
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The immediate dominators, after Cooper, Harvey and Kennedy; of what is not reached the entry.
fn dominators(sequence: &[usize], order: &[Option<usize>], from: &[Vec<usize>]) -> Vec<usize> {
    let mut dominator: Vec<Option<usize>> = vec![None; order.len()];
    dominator[0] = Some(0);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for block in sequence.iter().skip(1) {
            let mut known = from[*block].iter().copied().filter(|before| dominator[*before].is_some());
            let Some(mut above) = known.next() else { continue };
            for mut other in known {
                while above != other {
                    if order[above] > order[other] {
                        above = dominator[above].unwrap_or(0);
                    } else {
                        other = dominator[other].unwrap_or(0);
                    }
                }
            }
            if dominator[*block] != Some(above) {
                dominator[*block] = Some(above);
                changed = true;
            }
        }
    }
    dominator.into_iter().map(|above| above.unwrap_or(0)).collect()
}
