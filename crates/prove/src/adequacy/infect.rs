//! Where a mutated operation gives something else than the original's: the first condition of being noticed.

use super::mutate::{Mutant, Patch};
use super::weave::{Fresh, Start, Weave, weave};
use gpuproof_program::{Attrs, Class, FunctionId, Node, Op, Program, Region, Value, Width};
use gpuproof_run::{Observed, Observer, RowBits};
use std::collections::{BTreeSet, HashMap};

/// The program with a probe for each mutant that has one: a bit that is set where the mutant computes something else.
pub(super) struct Infected {
    pub(super) program: Program,
    /// By mutant.
    pub(super) probes: Vec<Option<(FunctionId, Value)>>,
}

/// Adds the probes of these mutants.
pub(super) fn infect(program: &Program, mutants: &[&Mutant]) -> Infected {
    let mut out = Program { functions: Vec::new(), ..program.clone() };
    let mut probes = vec![None; mutants.len()];
    for (at, function) in program.functions.iter().enumerate() {
        let id = FunctionId(at as u32);
        let mut of: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, mutant) in mutants.iter().enumerate().filter(|(_, mutant)| mutant.function == id) {
            of.entry(mutant.node).or_default().push(number);
        }
        let mut weaver = Infect { id, mutants, of, probes: &mut probes };
        out.functions.push(weave(function, &mut weaver));
    }
    Infected { program: out, probes }
}

struct Infect<'a> {
    id: FunctionId,
    mutants: &'a [&'a Mutant],
    of: HashMap<usize, Vec<usize>>,
    probes: &'a mut Vec<Option<(FunctionId, Value)>>,
}

impl Infect<'_> {
    /// The nodes of a patch with new values for all that they define.
    fn renamed(&self, nodes: &[Node], widths: &[Width], fresh: &mut Fresh, out: &mut Region) -> Option<HashMap<Value, Value>> {
        let mut names: HashMap<Value, Value> = HashMap::new();
        let harmless = |node: &Node| matches!(node, Node::Op(instruction) if instruction.op.row().class != Class::Writes);
        if !nodes.iter().all(harmless) {
            return None;
        }
        for node in nodes {
            let Node::Op(instruction) = node else { return None };
            let mut instruction = instruction.clone();
            for arg in &mut instruction.args {
                *arg = names.get(arg).copied().unwrap_or(*arg);
            }
            for result in &mut instruction.results {
                let name = fresh.value(widths[result.index()]);
                names.insert(*result, name);
                *result = name;
            }
            out.push(Node::Op(instruction));
        }
        Some(names)
    }
}

impl Weave for Infect<'_> {
    fn start(&mut self, _: usize, _: Start, fresh: &mut Fresh, out: &mut Region) {
        fresh.op(out, Op::IsHelper, Attrs::default(), &[], Width::W1);
    }

    fn node(&mut self, number: usize, _: usize, node: &Node, fresh: &mut Fresh, (before, after): (&mut Region, &mut Region)) {
        for at in self.of.remove(&number).unwrap_or_default() {
            let probe = match (&self.mutants[at].patch, node) {
                (Patch::Nodes(nodes, widths), Node::Op(instruction)) if !instruction.results.is_empty() => {
                    let mut woven = Region::new();
                    let Some(names) = self.renamed(nodes, widths, fresh, &mut woven) else { continue };
                    let mut any = None;
                    for result in &instruction.results {
                        let differs = fresh.op(&mut woven, Op::INe, Attrs::default(), &[names[result], *result], Width::W1);
                        any = Some(match any {
                            None => differs,
                            Some(any) => fresh.op(&mut woven, Op::IOr, Attrs::default(), &[any, differs], Width::W1),
                        });
                    }
                    after.append(&mut woven);
                    any
                }
                (Patch::Condition(nodes, widths, value), Node::If { condition, .. }) => {
                    self.renamed(nodes, widths, fresh, before).map(|names| {
                        let value = names.get(value).copied().unwrap_or(*value);
                        fresh.op(before, Op::INe, Attrs::default(), &[value, *condition], Width::W1)
                    })
                }
                _ => None,
            };
            self.probes[at] = probe.map(|value| (self.id, value));
        }
    }
}

/// Collects the lanes on which probes are set.
pub(super) struct Lanes {
    of: HashMap<(FunctionId, Value), usize>,
    /// By mutant.
    pub(super) lanes: Vec<BTreeSet<u32>>,
    most: usize,
}

impl Lanes {
    /// At most so many lanes of each probe.
    pub(super) fn new(probes: &[Option<(FunctionId, Value)>], most: usize) -> Lanes {
        let of = probes.iter().enumerate().filter_map(|(at, probe)| Some(((*probe)?, at))).collect();
        Lanes { of, lanes: vec![BTreeSet::new(); probes.len()], most }
    }
}

impl Observer for Lanes {
    fn wants(&self, function: FunctionId, value: Value) -> bool {
        self.of.contains_key(&(function, value))
    }

    fn value(&mut self, observed: &Observed<'_>) {
        let Some(at) = self.of.get(&(observed.function, observed.value)) else { return };
        let lanes = &mut self.lanes[*at];
        let (RowBits::Words(words) | RowBits::Doubles(words, _)) = observed.bits;
        if lanes.len() >= self.most {
            return;
        }
        for (slot, word) in words.iter().enumerate() {
            if *word != 0 && observed.active[slot / 64] >> (slot % 64) & 1 == 1 && lanes.len() < self.most {
                lanes.insert(observed.first_lane + slot as u32);
            }
        }
    }
}
