//! What instructions of a token stream do with registers, and the ways between them.
//!
//! The units are components of temporaries and of outputs, and whole arrays of temporaries (`x#`). Flow is structured, so the ways follow from
//! the nesting; a call goes to its subroutine and comes back after every call of it, an interface call goes to every body.

use gpuproof_read::dxbc::opcode::{Class, Kind, Opcode};
use gpuproof_read::dxbc::operand::{File, Operand, Selection};
use gpuproof_read::dxbc::{ExtensionKind, Instruction, Shader};
use std::collections::{BTreeMap, HashMap};

/// A register component, or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Unit {
    /// `r3.y`, `o0.x`: the file, the number (0 where there is none) and the component.
    Component(File, u32, u8),
    /// `x1`.
    Array(u32),
}

impl Unit {
    /// The register of several units of one, with their components: `r3.yz`.
    pub fn join(units: &[Unit]) -> String {
        let mut registers: BTreeMap<(File, u32), Vec<u8>> = BTreeMap::new();
        let mut names = Vec::new();
        for unit in units {
            match *unit {
                Unit::Component(file, number, component) => registers.entry((file, number)).or_default().push(component),
                Unit::Array(number) => names.push(format!("x{number}")),
            }
        }
        names.dedup();
        names.extend(registers.into_iter().map(|((file, number), mut components)| {
            components.sort_unstable();
            components.dedup();
            let letters: String = components.into_iter().map(|at| "xyzw".as_bytes()[usize::from(at & 3)] as char).collect();
            match file {
                File::Temp | File::Output => format!("{}{number}.{letters}", file.name()),
                _ => file.name().to_string(),
            }
        }));
        names.join(", ")
    }
}

/// What an instruction does with units.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    /// What it reads.
    pub reads: Vec<Unit>,
    /// What it writes whole.
    pub writes: Vec<Unit>,
    /// Arrays of which it writes an element.
    pub stores: Vec<Unit>,
    /// Whether it does anything besides.
    pub lasting: bool,
    /// Whether it hands on all outputs (a vertex of a geometry program).
    pub emits: bool,
}

/// A token stream as a graph.
#[derive(Debug)]
pub(super) struct Flow<'a> {
    pub shader: &'a Shader,
    /// The instructions that control reaches first.
    pub entries: Vec<usize>,
    /// Where control goes after each instruction; nowhere after one that ends the program.
    pub successors: Vec<Vec<usize>>,
    /// The instructions at which the program may end.
    exits: Vec<bool>,
    /// The subroutines that a call may go to, by their place in `routines`.
    calls: HashMap<usize, Vec<usize>>,
    /// The first instruction of each subroutine, and those that end it.
    routines: Vec<(usize, Vec<usize>)>,
    pub effects: Vec<Effect>,
    /// Every unit, numbered.
    pub units: Vec<Unit>,
    numbers: HashMap<Unit, usize>,
}

/// A set of units, a bit for each.
pub(super) type Set = Vec<u64>;

pub(super) fn has(set: &Set, at: usize) -> bool {
    set[at / 64] >> (at % 64) & 1 == 1
}

fn insert(set: &mut Set, at: usize) {
    set[at / 64] |= 1 << (at % 64);
}

fn remove(set: &mut Set, at: usize) {
    set[at / 64] &= !(1 << (at % 64));
}

/// Words of all sets together, each subroutine's own counted. A stream that needs more is not judged.
const MOST_WORDS: usize = 1 << 25;

impl<'a> Flow<'a> {
    /// The graph of a token stream; none if it is too large.
    pub fn of(shader: &'a Shader) -> Option<Flow<'a>> {
        let dimensions = dimensions(shader);
        let effects: Vec<Effect> = shader.instructions.iter().map(|instruction| effect(instruction, &dimensions)).collect();
        let mut units: Vec<Unit> =
            effects.iter().flat_map(|effect| effect.reads.iter().chain(&effect.writes).chain(&effect.stores).copied()).collect();
        units.sort_unstable();
        units.dedup();
        let numbers = units.iter().enumerate().map(|(at, unit)| (*unit, at)).collect();
        let Ways { entries, mut successors, exits, calls, routines } = Ways::of(&shader.instructions);
        join_opposites(&shader.instructions, &effects, &mut successors);
        let words = effects.len().saturating_mul(units.len().div_ceil(64)).saturating_mul(routines.len() + 1);
        (words <= MOST_WORDS).then_some(Flow { shader, entries, successors, exits, calls, routines, effects, units, numbers })
    }

    pub fn number(&self, unit: Unit) -> usize {
        self.numbers[&unit]
    }

    fn none(&self) -> Set {
        vec![0; self.units.len().div_ceil(64)]
    }

    /// Whether control reaches each instruction.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.successors.len()];
        let mut pending = self.entries.clone();
        while let Some(at) = pending.pop() {
            if at < reached.len() && !std::mem::replace(&mut reached[at], true) {
                pending.extend(&self.successors[at]);
            }
        }
        reached
    }

    /// For each instruction that control reaches, what is written before it on some way there (`every` unset) or on every way.
    ///
    /// Behind a call stands what was written before it and what the subroutine writes, not what it writes for other callers.
    pub fn written(&self, every: bool) -> Vec<Option<Set>> {
        let merge = |old: &Set, new: &Set| -> Set {
            let both = old.iter().zip(new);
            both.map(|(a, b)| if every { a & b } else { a | b }).collect()
        };
        // What each subroutine writes by itself; none before it is known to end.
        let mut summaries: Vec<Option<Set>> = vec![None; self.routines.len()];
        loop {
            let sums: Vec<Option<Set>> = self
                .routines
                .iter()
                .map(|(start, ends)| {
                    let before = self.spread(&[*start], &summaries, &merge, false);
                    let after = |end: &usize| before[*end].as_ref().map(|set| self.after(*end, set));
                    ends.iter().filter_map(after).reduce(|a, b| merge(&a, &b))
                })
                .collect();
            if sums == summaries {
                break;
            }
            summaries = sums;
        }
        self.spread(&self.entries, &summaries, &merge, true)
    }

    /// What is written behind an instruction.
    fn after(&self, at: usize, before: &Set) -> Set {
        let mut after = before.clone();
        for unit in self.effects[at].writes.iter().chain(&self.effects[at].stores) {
            insert(&mut after, self.number(*unit));
        }
        after
    }

    /// What is written before each instruction that control reaches from these, with what subroutines write.
    fn spread(
        &self,
        from: &[usize],
        summaries: &[Option<Set>],
        merge: &dyn Fn(&Set, &Set) -> Set,
        enter: bool,
    ) -> Vec<Option<Set>> {
        let mut before: Vec<Option<Set>> = vec![None; self.successors.len()];
        let mut pending = Vec::new();
        for entry in from {
            if let Some(slot) = before.get_mut(*entry) {
                *slot = Some(self.none());
                pending.push(*entry);
            }
        }
        while let Some(at) = pending.pop() {
            let Some(set) = before[at].clone() else { continue };
            let mut outcomes: Vec<(usize, Set)> = Vec::new();
            let is_end = self.routines.iter().any(|(_, ends)| ends.contains(&at));
            if let Some(callees) = self.calls.get(&at) {
                let known: Vec<Set> = callees.iter().filter_map(|callee| summaries[*callee].clone()).collect();
                if let Some(written) = known.into_iter().reduce(|a, b| merge(&a, &b)) {
                    let joined = set.iter().zip(&written).map(|(a, b)| a | b).collect();
                    outcomes.push((at + 1, joined));
                }
                // A call that depends on a condition is stepped over too.
                if self.successors[at].contains(&(at + 1)) {
                    outcomes.push((at + 1, set.clone()));
                }
                if enter {
                    outcomes.extend(callees.iter().map(|callee| (self.routines[*callee].0, set.clone())));
                }
            } else {
                let after = self.after(at, &set);
                // Where a subroutine comes back to is told by its callers.
                let next = self.successors[at].iter().filter(|next| !is_end || **next == at + 1);
                outcomes.extend(next.map(|next| (*next, after.clone())));
            }
            for (next, set) in outcomes {
                let Some(slot) = before.get_mut(next) else { continue };
                let merged = slot.as_ref().map_or_else(|| set.clone(), |old| merge(old, &set));
                if slot.as_ref() != Some(&merged) {
                    *slot = Some(merged);
                    pending.push(next);
                }
            }
        }
        before
    }

    /// For each instruction what of the registers is still needed after it, where instructions that no effect needs need nothing themselves.
    pub fn needed(&self) -> Vec<Set> {
        let outputs: Vec<usize> = self.all(|unit| matches!(unit, Unit::Component(file, ..) if *file != File::Temp));
        let mut before = vec![self.none(); self.successors.len()];
        let mut after = before.clone();
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for (at, successors) in self.successors.iter().enumerate() {
            successors.iter().for_each(|next| predecessors[*next].push(at));
        }
        let mut pending: Vec<usize> = (0..self.successors.len()).collect();
        while let Some(at) = pending.pop() {
            let mut set = self.none();
            for next in &self.successors[at] {
                set.iter_mut().zip(&before[*next]).for_each(|(to, from)| *to |= from);
            }
            if self.exits[at] {
                outputs.iter().for_each(|output| insert(&mut set, *output));
            }
            after[at].clone_from(&set);
            let effect = &self.effects[at];
            if self.is_needed(at, &set) {
                effect.writes.iter().for_each(|unit| remove(&mut set, self.number(*unit)));
                effect.reads.iter().for_each(|unit| insert(&mut set, self.number(*unit)));
            }
            if effect.emits {
                outputs.iter().for_each(|output| insert(&mut set, *output));
            }
            if set != before[at] {
                before[at] = set;
                pending.extend(&predecessors[at]);
            }
        }
        after
    }

    /// Whether an instruction does something that lasts, or writes something that is needed after it.
    pub fn is_needed(&self, at: usize, after: &Set) -> bool {
        let effect = &self.effects[at];
        effect.lasting || effect.writes.iter().chain(&effect.stores).any(|unit| has(after, self.number(*unit)))
    }

    fn all(&self, which: impl Fn(&Unit) -> bool) -> Vec<usize> {
        (0..self.units.len()).filter(|at| which(&self.units[*at])).collect()
    }
}

/// Makes one decision of two that stand together and ask the opposite of one value, `if_nz r0.x ... endif if_z r0.x ... endif`, as an
/// early return leaves them in programs that skip optimisation: whoever took the first does not take the second, the others do.
fn join_opposites(instructions: &[Instruction], effects: &[Effect], successors: &mut [Vec<usize>]) {
    // Open ifs, and whether they have an else.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut closed: HashMap<usize, usize> = HashMap::new();
    for (at, instruction) in instructions.iter().enumerate() {
        match instruction.opcode {
            Opcode::If => open.push((at, false)),
            Opcode::Else => open.last_mut().into_iter().for_each(|open| open.1 = true),
            Opcode::Endif => closed.extend(open.pop().filter(|(_, has_else)| !has_else).map(|(start, _)| (at, start))),
            _ => {}
        }
    }
    for (end, first) in closed {
        let second = end + 1;
        let [Some(one), Some(other)] = [first, second].map(|at| instructions.get(at).filter(|at| at.opcode == Opcode::If)) else {
            continue;
        };
        let is_opposite = one.operands == other.operands && one.tests_nonzero() != other.tests_nonzero();
        let asked = &effects[first].reads;
        let is_kept = !asked.is_empty()
            && effects[first..end]
                .iter()
                .all(|effect| !effect.writes.iter().chain(&effect.stores).any(|unit| asked.contains(unit)));
        // Into the first part, and past it.
        if let (true, true, [_, past]) = (is_opposite, is_kept, &mut successors[first][..]) {
            *past = second + 1;
            successors[second].retain(|next| *next != second + 1);
        }
    }
}

/// How many coordinates a texture or typed view has, by D3D10_SB_RESOURCE_DIMENSION; layers count.
const COORDINATES: [u8; 11] = [4, 1, 1, 2, 2, 3, 3, 2, 3, 3, 4];
/// The dimensions whose last coordinate is a layer.
const LAYERED: [u32; 4] = [7, 8, 9, 10];

type Dimensions = HashMap<(File, u64), u32>;

fn dimensions(shader: &Shader) -> Dimensions {
    let declared = shader.instructions.iter().filter_map(|instruction| {
        let operand = instruction.operands.first()?;
        let dimension = match instruction.opcode {
            Opcode::DclResource | Opcode::DclUavTyped => instruction.resource_dimension()?,
            Opcode::DclResourceRaw | Opcode::DclUavRaw => 11,
            Opcode::DclResourceStructured | Opcode::DclUavStructured => 12,
            _ => return None,
        };
        Some(((operand.file, operand.constant_index(0)?), dimension))
    });
    declared.collect()
}

fn written(operand: &Operand) -> Vec<u8> {
    match operand.selection {
        Selection::Mask(mask) => (0..4).filter(|component| mask >> component & 1 == 1).collect(),
        Selection::Swizzle(_) => vec![0, 1, 2, 3],
        Selection::One(one) => vec![one],
        Selection::None | Selection::Scalar => vec![0],
    }
}

fn unit(operand: &Operand, component: u8) -> Option<Unit> {
    let number = || operand.constant_index(0).and_then(|number| u32::try_from(number).ok());
    match operand.file {
        File::Temp | File::Output => Some(Unit::Component(operand.file, number()?, component)),
        File::IndexableTemp => Some(Unit::Array(number()?)),
        File::OutputDepth
        | File::OutputDepthGreaterEqual
        | File::OutputDepthLessEqual
        | File::OutputCoverageMask
        | File::OutputStencilRef => Some(Unit::Component(operand.file, 0, 0)),
        _ => None,
    }
}

fn effect(instruction: &Instruction, dimensions: &Dimensions) -> Effect {
    let mut effect = Effect::default();
    let info = instruction.info();
    if matches!(info.class, Class::Declaration | Class::Data) {
        return effect;
    }
    effect.lasting =
        matches!(info.class, Class::Store | Class::Atomic | Class::Barrier | Class::Stream | Class::Flow | Class::Phase);
    effect.emits = matches!(info.class, Class::Stream) && info.name.starts_with("emit");
    for (at, (operand, (write, kind))) in instruction.operands.iter().zip(info.operands()).enumerate() {
        read_indices(operand, &mut effect.reads);
        if kind == Kind::Memory || kind == Kind::Label {
            continue;
        }
        if !write {
            let components = components_read(instruction, at, kind, dimensions);
            effect.reads.extend(components.into_iter().filter_map(|component| unit(operand, component)));
            continue;
        }
        for component in written(operand) {
            match unit(operand, component) {
                Some(array @ Unit::Array(_)) => effect.stores.push(array),
                Some(unit) => effect.writes.push(unit),
                // A register that an index chooses, or one of another kind.
                None if operand.file != File::Null => effect.lasting = true,
                None => {}
            }
        }
    }
    effect
}

/// The registers that choose an operand's register.
fn read_indices(operand: &Operand, reads: &mut Vec<Unit>) {
    for relative in operand.indices.iter().filter_map(|index| index.relative.as_deref()) {
        let component = match relative.selection {
            Selection::One(one) => one,
            Selection::Swizzle(swizzle) => swizzle[0],
            _ => 0,
        };
        reads.extend(unit(relative, component));
        read_indices(relative, reads);
    }
}

/// The components of its register that an instruction reads through a source operand (22 of the functional specification, by family).
fn components_read(instruction: &Instruction, at: usize, kind: Kind, dimensions: &Dimensions) -> Vec<u8> {
    let operand = &instruction.operands[at];
    let selected = |component: u8| match operand.selection {
        Selection::Swizzle(swizzle) => swizzle[usize::from(component & 3)],
        Selection::One(one) => one,
        Selection::None | Selection::Scalar => 0,
        Selection::Mask(_) => component,
    };
    let first = |count: u8| (0..count).map(selected).collect::<Vec<u8>>();
    let patterned: Vec<(bool, Kind)> = instruction.info().operands().collect();
    let destinations = || {
        let targets = instruction.operands.iter().zip(&patterned).filter(|(_, (write, _))| *write);
        let mut components: Vec<u8> = targets.filter(|(to, _)| to.file != File::Null).flat_map(|(to, _)| written(to)).collect();
        components.sort_unstable();
        components.dedup();
        components
    };
    let resource = || {
        let at = patterned.iter().position(|(_, kind)| matches!(kind, Kind::Resource | Kind::Memory));
        let extended = instruction.extensions.iter().find_map(|extension| match extension.kind() {
            Some(ExtensionKind::ResourceDimension { dimension, .. }) => Some(dimension),
            _ => None,
        });
        let operand = at.and_then(|at| instruction.operands.get(at));
        let declared = operand.and_then(|operand| dimensions.get(&(operand.file, operand.constant_index(0)?)).copied());
        declared.or(extended).unwrap_or(0)
    };
    let coordinates = |dimension: u32| COORDINATES.get(dimension as usize).copied().unwrap_or(1);
    let axes = |dimension: u32| coordinates(dimension) - u8::from(LAYERED.contains(&dimension));
    let name = instruction.info().name;
    let is_address = patterned[..at].iter().all(|(write, kind)| *write || *kind == Kind::Memory);
    match instruction.info().class {
        Class::Sample => match (is_address, kind) {
            (true, _) => first(coordinates(resource())),
            (_, Kind::Int) => first(2),
            // Gradients are two operands of all axes; what else stands behind the sampler is one number.
            _ if name.starts_with("sample_d") && at + usize::from(name.ends_with("cl_s")) + 2 >= instruction.operands.len() => {
                first(axes(resource()))
            }
            _ => first(1),
        },
        Class::Load => match (instruction.opcode, is_address) {
            (Opcode::Ld | Opcode::LdS, _) => {
                let dimension = resource();
                let mut components = first(coordinates(dimension));
                if dimension != 1 {
                    components.push(selected(3));
                }
                components
            }
            (Opcode::LdMs | Opcode::LdMsS | Opcode::LdUavTyped | Opcode::LdUavTypedS, true) => first(coordinates(resource())),
            _ => match operand.file {
                // Raw and structured memory may be no register; g# and t# have none.
                File::GroupShared | File::Resource | File::Uav => Vec::new(),
                _ => first(1),
            },
        },
        Class::Store => match (instruction.opcode, is_address) {
            (Opcode::StoreUavTyped, true) => first(coordinates(resource())),
            (Opcode::StoreUavTyped, false) => first(4),
            _ if kind == Kind::Bits => written(&instruction.operands[0]).into_iter().map(selected).collect(),
            _ => first(1),
        },
        Class::Atomic if is_address => match resource() {
            0 if instruction.operands.iter().any(|memory| memory.file == File::GroupShared) => first(2),
            11 => first(1),
            12 => first(2),
            dimension => first(coordinates(dimension)),
        },
        Class::Query => match (instruction.opcode, kind) {
            (Opcode::Lod, Kind::Float) => first(axes(resource())),
            (_, Kind::Resource | Kind::Sampler) => Vec::new(),
            _ => first(1),
        },
        Class::Evaluate if kind == Kind::Int => first(if instruction.opcode == Opcode::EvalSnapped { 2 } else { 1 }),
        Class::Atomic | Class::Flow | Class::Stream | Class::Barrier | Class::Nop => first(1),
        _ => match instruction.opcode {
            Opcode::Dp2 => first(2),
            Opcode::Dp3 => first(3),
            Opcode::Dp4 => first(4),
            _ => componentwise(&patterned, kind, &destinations()).into_iter().map(selected).collect(),
        },
    }
}

/// The components before the swizzle that a source of a component-wise instruction takes: a double takes two (22.14 to 22.17).
fn componentwise(patterned: &[(bool, Kind)], kind: Kind, destinations: &[u8]) -> Vec<u8> {
    let wide = patterned.first().is_some_and(|(_, kind)| *kind == Kind::Double);
    let pair = |pair: u8| [2 * pair, 2 * pair + 1];
    let mut components: Vec<u8> = match (wide, kind == Kind::Double) {
        (false, false) => destinations.to_vec(),
        (true, true) => destinations.iter().flat_map(|component| pair(component / 2)).collect(),
        (true, false) => destinations.iter().map(|component| component / 2).collect(),
        (false, true) => (0..destinations.len()).flat_map(|nth| pair(nth as u8 & 1)).collect(),
    };
    components.sort_unstable();
    components.dedup();
    components
}

/// An open construct while ways are found.
enum Open {
    /// An if: where the decision is, and where its first part ends if it has an else.
    If { at: usize, otherwise: Option<usize> },
    /// A loop: its start, and the instructions that leave it.
    Loop { at: usize, leave: Vec<usize> },
    /// A switch: its start, whether it has a default, and the instructions that leave it.
    Switch { at: usize, default: bool, leave: Vec<usize> },
}

/// Which bodies an interface call may go to: the call's site in each table that the interface's classes may have (22.7.19).
struct Bodies<'a> {
    tables: HashMap<u32, &'a [u32]>,
    /// Of the first slot of each interface the tables.
    slots: BTreeMap<u32, &'a [u32]>,
}

impl<'a> Bodies<'a> {
    fn of(instructions: &'a [Instruction]) -> Bodies<'a> {
        let mut bodies = Bodies { tables: HashMap::new(), slots: BTreeMap::new() };
        for instruction in instructions {
            match (instruction.opcode, &instruction.words[..]) {
                (Opcode::DclFunctionTable, [number, _, functions @ ..]) => _ = bodies.tables.insert(*number, functions),
                (Opcode::DclInterface, [number, _, _, tables @ ..]) => _ = bodies.slots.insert(*number, tables),
                _ => {}
            }
        }
        bodies
    }

    fn called(&self, call: &Instruction) -> Vec<(File, u64)> {
        let site = call.words.first().copied().unwrap_or(0) as usize;
        let slot = call.operands.first().and_then(|interface| interface.constant_index(0)).unwrap_or(0) as u32;
        let tables = self.slots.range(..=slot).next_back().map_or(&[][..], |(_, tables)| tables);
        let body = |table: &u32| self.tables.get(table)?.get(site).map(|body| (File::FunctionBody, u64::from(*body)));
        tables.iter().filter_map(body).collect()
    }
}

/// The ways between instructions.
struct Ways {
    entries: Vec<usize>,
    successors: Vec<Vec<usize>>,
    exits: Vec<bool>,
    calls: HashMap<usize, Vec<usize>>,
    routines: Vec<(usize, Vec<usize>)>,
}

impl Ways {
    fn of(instructions: &[Instruction]) -> Ways {
        let count = instructions.len();
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut open: Vec<Open> = Vec::new();
        let mut entries: Vec<usize> = vec![0];
        let mut labels: HashMap<(File, u64), usize> = HashMap::new();
        // Calls: where, and what they may go to; and which subroutine each `ret` ends.
        let (mut called, mut returns) = (Vec::new(), Vec::new());
        let bodies = Bodies::of(instructions);
        let mut routine: Option<(File, u64)> = None;
        for (at, instruction) in instructions.iter().enumerate() {
            let next = at + 1;
            let mut goes = |from: usize, to: usize| {
                if to < count {
                    successors[from].push(to);
                }
            };
            match instruction.opcode {
                Opcode::If => {
                    goes(at, next);
                    open.push(Open::If { at, otherwise: None });
                }
                Opcode::Else => {
                    if let Some(Open::If { at: start, otherwise }) = open.last_mut() {
                        goes(*start, next);
                        *otherwise = Some(at);
                    }
                }
                Opcode::Endif => {
                    if let Some(Open::If { at: start, otherwise }) = open.pop() {
                        goes(otherwise.unwrap_or(start), at);
                    }
                    goes(at, next);
                }
                Opcode::Loop => {
                    goes(at, next);
                    open.push(Open::Loop { at, leave: Vec::new() });
                }
                Opcode::Endloop => {
                    if let Some(Open::Loop { at: start, leave }) = open.pop() {
                        goes(at, start);
                        leave.into_iter().for_each(|from| goes(from, next));
                    }
                }
                Opcode::Switch => open.push(Open::Switch { at, default: false, leave: Vec::new() }),
                Opcode::Case | Opcode::Default => {
                    if let Some(Open::Switch { at: start, default, .. }) = open.last_mut() {
                        goes(*start, at);
                        *default |= instruction.opcode == Opcode::Default;
                    }
                    goes(at, next);
                }
                Opcode::Endswitch => {
                    if let Some(Open::Switch { at: start, default, leave }) = open.pop() {
                        if !default {
                            goes(start, at);
                        }
                        leave.into_iter().for_each(|from| goes(from, at));
                    }
                    goes(at, next);
                }
                Opcode::Break | Opcode::Breakc => {
                    let around = open.iter_mut().rev().find_map(|open| match open {
                        Open::Loop { leave, .. } | Open::Switch { leave, .. } => Some(leave),
                        Open::If { .. } => None,
                    });
                    around.into_iter().for_each(|leave| leave.push(at));
                    if instruction.opcode == Opcode::Breakc {
                        goes(at, next);
                    }
                }
                Opcode::Continue | Opcode::Continuec => {
                    let head = open.iter().rev().find_map(|open| match open {
                        Open::Loop { at, .. } => Some(*at),
                        _ => None,
                    });
                    head.into_iter().for_each(|head| goes(at, head));
                    if instruction.opcode == Opcode::Continuec {
                        goes(at, next);
                    }
                }
                Opcode::Ret | Opcode::Retc => {
                    returns.push((at, routine));
                    if instruction.opcode == Opcode::Retc {
                        goes(at, next);
                    }
                }
                Opcode::Abort => {}
                Opcode::Call | Opcode::Callc => {
                    let label = instruction.operands.iter().find(|operand| operand.file == File::Label);
                    called.push((at, label.and_then(|label| Some((label.file, label.constant_index(0)?))).into_iter().collect()));
                    if instruction.opcode == Opcode::Callc {
                        goes(at, next);
                    }
                }
                Opcode::InterfaceCall => called.push((at, bodies.called(instruction))),
                Opcode::Label => {
                    let operand = instruction.operands.first();
                    routine = operand.and_then(|label| Some((label.file, label.constant_index(0)?)));
                    routine.into_iter().for_each(|label| _ = labels.insert(label, at));
                    goes(at, next);
                }
                Opcode::HsControlPointPhase | Opcode::HsForkPhase | Opcode::HsJoinPhase => {
                    entries.push(at);
                    goes(at, next);
                }
                _ => goes(at, next),
            }
        }
        let mut routines = Vec::new();
        let mut numbers: HashMap<(File, u64), usize> = HashMap::new();
        for (label, start) in labels {
            let ends = returns.iter().filter(|(_, routine)| *routine == Some(label)).map(|(end, _)| *end);
            numbers.insert(label, routines.len());
            routines.push((start, ends.collect::<Vec<usize>>()));
        }
        let mut calls = HashMap::new();
        for (at, called) in called {
            let callees: Vec<usize> = called.iter().filter_map(|label| numbers.get(label).copied()).collect();
            for callee in &callees {
                let (start, ends) = &routines[*callee];
                successors[at].push(*start);
                for end in ends.iter().filter(|_| at + 1 < count) {
                    if !successors[*end].contains(&(at + 1)) {
                        successors[*end].push(at + 1);
                    }
                }
            }
            calls.insert(at, callees);
        }
        let mut exits: Vec<bool> = successors.iter().map(Vec::is_empty).collect();
        returns.iter().filter(|(_, routine)| routine.is_none()).for_each(|(at, _)| exits[*at] = true);
        Ways { entries, successors, exits, calls, routines }
    }
}
