//! What a program does with its memories and other lanes, found once.

use gpuproof_program::{Denormals, Detail, Function, Instruction, Node, Op, Order, Program, Site, Target, Value, Width};
use std::collections::{HashMap, HashSet};

/// Facts that decide how a program runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// For each resource whether the program writes it: stores, atomics, counters.
    pub(super) written: Vec<bool>,
    /// For each resource the bytes that a race is looked for in: the smallest access, 4 at most.
    pub(super) granule: Vec<u32>,
    /// The same for each group-shared memory.
    pub(super) shared_granule: Vec<u32>,
    pub(super) uses_waves: bool,
    pub(super) uses_quads: bool,
    /// Whether several groups may run in lockstep: nothing can show the order between groups.
    pub(super) groups_are_independent: bool,
}

/// The plain stores to one resource.
#[derive(Default)]
struct Stores {
    count: usize,
    /// Constant offsets in a structure, and how many bytes from there.
    fields: Vec<(u64, u32)>,
    in_loop: bool,
}

impl Facts {
    pub(super) fn of(program: &Program) -> Facts {
        let resources = program.interface.resources.len();
        let mut facts = Facts {
            written: vec![false; resources],
            granule: vec![4; resources],
            shared_granule: vec![4; program.shared.len()],
            groups_are_independent: true,
            ..Facts::default()
        };
        let mut stores: HashMap<usize, Stores> = HashMap::new();
        let mut loaded: HashSet<usize> = HashSet::new();
        // A function that is called runs once for each call, which may stand in a loop.
        for (at, function) in program.functions.iter().enumerate() {
            let mut constants: HashMap<u32, u64> = HashMap::new();
            let mut pending = vec![(&function.body, at != program.entry.index())];
            while let Some((region, in_loop)) = pending.pop() {
                for node in region {
                    let inner = in_loop || matches!(node, Node::Loop { .. });
                    pending.extend(node.regions().into_iter().map(|region| (region, inner)));
                    let Node::Op(instruction) = node else { continue };
                    let width = |at: Option<&gpuproof_program::Value>| at.map_or(Width::W32, |value| function.width(*value));
                    match instruction.op.row().scope {
                        gpuproof_program::Scope::Wave => facts.uses_waves = true,
                        gpuproof_program::Scope::Quad => facts.uses_quads = true,
                        _ => {}
                    }
                    match (instruction.op, instruction.attrs.target) {
                        (Op::Const, Target::Bits(bits)) => _ = constants.insert(instruction.results[0].0, bits),
                        (Op::BufferStore | Op::StructuredStore | Op::TexelStore, Target::Resource(id)) => {
                            facts.written[id.index()] = true;
                            let entry = stores.entry(id.index()).or_default();
                            entry.count += 1;
                            entry.in_loop |= in_loop;
                            let bytes = width(instruction.args.last()).bytes();
                            if instruction.op != Op::TexelStore {
                                facts.granule[id.index()] = facts.granule[id.index()].min(bytes.max(1));
                            }
                            if instruction.op == Op::StructuredStore
                                && let Some(offset) = constants.get(&instruction.args[2].0)
                            {
                                entry.fields.push((*offset, bytes));
                            }
                        }
                        (Op::BufferLoad | Op::StructuredLoad, Target::Resource(id)) => {
                            loaded.insert(id.index());
                            let bytes = width(instruction.results.first()).bytes();
                            facts.granule[id.index()] = facts.granule[id.index()].min(bytes.max(1));
                        }
                        (Op::TexelLoad, Target::Resource(id)) => _ = loaded.insert(id.index()),
                        (
                            Op::BufferAtomic | Op::StructuredAtomic | Op::TexelAtomic | Op::CounterAlloc | Op::CounterConsume,
                            Target::Resource(id),
                        ) => {
                            facts.written[id.index()] = true;
                            facts.groups_are_independent = false;
                        }
                        (Op::SharedLoad, Target::Shared(id)) => {
                            let bytes = width(instruction.results.first()).bytes();
                            facts.shared_granule[id.index()] = facts.shared_granule[id.index()].min(bytes.max(1));
                        }
                        (Op::SharedStore, Target::Shared(id)) => {
                            let bytes = width(instruction.args.last()).bytes();
                            facts.shared_granule[id.index()] = facts.shared_granule[id.index()].min(bytes.max(1));
                        }
                        _ => {}
                    }
                    if let Detail::Sampling(_) = instruction.attrs.detail
                        && let Target::Sampled(id, _) = instruction.attrs.target
                    {
                        loaded.insert(id.index());
                    }
                }
            }
        }
        for (resource, stores) in &stores {
            let one_each = stores.count == 1 || (stores.fields.len() == stores.count && disjoint(&stores.fields));
            if loaded.contains(resource) || stores.in_loop || !one_each {
                facts.groups_are_independent = false;
            }
        }
        facts
    }
}

fn disjoint(fields: &[(u64, u32)]) -> bool {
    let mut sorted = fields.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0].0 + u64::from(pair[0].1) <= pair[1].0)
}

/// Which values of a function hold no subnormal f32, whatever it is given: results of flushing arithmetic, conversions of integers, constants.
pub(super) fn without_subnormals(function: &Function) -> Vec<bool> {
    let sites = function.definitions();
    let incoming = function.incoming();
    // What may be taken for clean at first: the loop below takes back what is not.
    let mut clean: Vec<bool> = sites.iter().map(|site| !matches!(site, None | Some(Site::Param(_)))).collect();
    // To and fro, since facts travel both ways along a chain of joins.
    let mut order: Vec<usize> = (0..clean.len()).collect();
    loop {
        let mut changed = false;
        for &at in &order {
            let all = |values: &[Value]| values.iter().all(|value| clean[value.index()]);
            let still = clean[at]
                && function.values[at] == Width::W32
                && match &sites[at] {
                    Some(Site::Op { instruction, result: 0 }) => gives_no_subnormal(instruction, all),
                    Some(Site::Construct { .. } | Site::Arm { .. }) => all(&incoming[at]),
                    _ => false,
                };
            changed |= clean[at] != still;
            clean[at] = still;
        }
        if !changed {
            return clean;
        }
        order.reverse();
    }
}

fn gives_no_subnormal(instruction: &Instruction, all: impl Fn(&[Value]) -> bool) -> bool {
    let args = &instruction.args;
    let flushes = instruction.attrs.rules.denormals == Denormals::Flush;
    match instruction.op {
        Op::Const => match instruction.attrs.target {
            Target::Bits(bits) => bits & 0x7f80_0000 != 0 || bits & 0x7fff_ffff == 0,
            _ => false,
        },
        Op::Select => all(&args[1..]),
        Op::FAbs | Op::FNeg => all(args),
        Op::SToF | Op::UToF => true,
        Op::FMin | Op::FMax => all(args) || (flushes && instruction.attrs.rules.order == Order::NanLoses),
        Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FMad
        | Op::FDot2
        | Op::FDot3
        | Op::FDot4
        | Op::FSqrt
        | Op::FRsqrt
        | Op::FRcp
        | Op::FExp2
        | Op::FLog2
        | Op::FExp
        | Op::FLog
        | Op::FSin
        | Op::FCos
        | Op::FSaturate
        | Op::FFloor
        | Op::FCeil
        | Op::FTrunc
        | Op::FRound
        | Op::FFract => flushes,
        _ => false,
    }
}
