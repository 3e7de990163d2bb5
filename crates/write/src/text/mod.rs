//! Programs as text that people can read: one core, and a small dialect for each language.
//!
//! The program's calls are put in, what the target lacks is expanded ([`crate::legal`]), masks become truth values, and what nothing depends on is left
//! out ([`crate::passes`]). What remains is brought into structured form ([`crate::structure`]) and made statements and expressions ([`tree`]): operations of one
//! instruction as one of vectors (`group`), what is used once where it is used (`build`), with types that need the fewest reinterpretations (`facts`).
//! A dialect prints that (`print`): [`wgsl`](Language::Wgsl).

mod build;
mod expression;
mod facts;
mod glsl;
mod group;
mod hlsl;
mod members;
mod memory;
mod names;
mod pack;
mod print;
mod texture;
pub mod tree;
mod wgsl;

use crate::legal::{self, Machine};
use crate::passes;
use crate::{Bound, WriteError, structure};
use gpuproof_program::{
    Builtin, Choice, Function, FunctionId, Instruction, Node, Op, OutputId, Program, Refactor, ResourceId, Stage, Value, Width,
    walk,
};
use names::Idents;
use std::collections::{HashMap, HashSet};
use tree::{Expr, Kind, Memory, Question, Scalar, Statement};

/// A language of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The WebGPU Shading Language.
    Wgsl,
    /// Microsoft's High Level Shading Language, shader models 4 to 6.
    Hlsl,
    /// The OpenGL Shading Language 4.60, for Vulkan.
    Glsl,
}

impl Language {
    /// Its name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Wgsl => "WGSL",
            Language::Hlsl => "HLSL",
            Language::Glsl => "GLSL",
        }
    }

    fn machine(self) -> Machine {
        match self {
            Language::Wgsl => Machine::Wgsl,
            Language::Hlsl => Machine::Hlsl,
            Language::Glsl => Machine::Glsl,
        }
    }

    /// Whether members of constant buffers stand where they stood, by their names.
    fn has_members(self) -> bool {
        self == Language::Hlsl
    }

    /// The shift counts 4 and 2 and the mask 3 as it writes unsigned numbers.
    fn shifts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Language::Wgsl => ("4u", "2u", "3u"),
            Language::Hlsl => ("4", "2", "3"),
            Language::Glsl => ("4u", "2u", "3u"),
        }
    }
}

/// A program as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Where its resources and samplers are bound, in the order of the Program's interface: resources, counters, samplers.
    pub bindings: Vec<Bound>,
    /// What whoever runs it has to know.
    pub notes: Vec<String>,
    /// Whether every product and sum has to stay as it is, which a compiler of HLSL is told by `/Gis`.
    pub precise: bool,
}

/// A program on its way to a text.
struct Module<'p> {
    language: Language,
    program: &'p Program,
    idents: Idents,
    body: Vec<Statement>,
    /// The type of the numbers of each memory.
    cells: HashMap<Memory, Scalar>,
    members: members::Members,
    uses: Uses,
    bindings: Vec<Bound>,
}

/// What the statements use.
#[derive(Default)]
struct Uses {
    inputs: HashSet<usize>,
    outputs: HashSet<OutputId>,
    memories: HashSet<Memory>,
    samplers: HashSet<usize>,
    counters: HashSet<usize>,
    /// Textures that are sampled with comparison, and that are read otherwise.
    compared: HashSet<ResourceId>,
    plain: HashSet<ResourceId>,
    /// Memories that atomics change, with the type of their numbers.
    atomic: HashMap<Memory, Scalar>,
    /// Resources that are read, and that are written.
    read: HashSet<ResourceId>,
    written: HashSet<ResourceId>,
}

/// Writes a vertex, pixel or compute program.
///
/// # Errors
/// For programs of other stages, and for what the language has no counterpart of.
pub fn write(program: &Program, language: Language) -> Result<Written, WriteError> {
    if !matches!(program.stage, Stage::Vertex | Stage::Pixel | Stage::Compute) {
        return Err(WriteError::whole(format!("{:?} programs", program.stage).to_lowercase()));
    }
    let whole = passes::inlined(program).map_err(|error| WriteError::whole(error.to_string()))?;
    let one = Program { functions: vec![whole], entry: FunctionId(0), ..program.clone() };
    let legal = legal::legalize(&one, language.machine())?;
    let is_truth = |id| legal.interface.input(id).builtin == Some(Builtin::FrontFacing);
    let plain = passes::with_truth_values(&passes::unfolded(&legal.functions[0]), &is_truth);
    let function = passes::slice(&plain, &|instruction| instruction.op.row().class == gpuproof_program::Class::Writes);
    supported(&legal, &function)?;
    let structured = structure::structure(&function).map_err(|_| WriteError::Internal("an arm falls through".into()))?;
    let (dialect, reserved): (&dyn print::Dialect, _) = match language {
        Language::Wgsl => (&wgsl::DIALECT, wgsl::DIALECT.reserved()),
        Language::Hlsl => (&hlsl::DIALECT, hlsl::DIALECT.reserved()),
        Language::Glsl => (&glsl::DIALECT, glsl::DIALECT.reserved()),
    };
    let mut idents = Idents::of(&legal, &[reserved], language != Language::Glsl);
    let named = if language.has_members() { members::Members::of(&legal, &mut idents.rest) } else { members::Members::default() };
    let facts = facts::Facts::of(&legal, &function, named);
    let members = facts.members.clone();
    let memories = memories(&legal);
    let cells = memories.into_iter().map(|memory| (memory, facts.cell(memory))).collect();
    let body = build::Builder::new(facts, &structured, std::mem::take(&mut idents.rest)).write(&structured)?;
    let uses = Uses::of(&body);
    let bindings = bindings(&legal);
    let module = Module { language, program: &legal, idents, body, cells, members, uses, bindings };
    let text = print::Printer::new(&module, dialect).write()?;
    let (notes, precise) = notes(program, &function, language);
    Ok(Written { text, bindings: module.bindings, notes, precise })
}

/// Whether the core has what the function's operations ask of it.
fn supported(program: &Program, function: &Function) -> Result<(), WriteError> {
    let mut odd = None;
    walk(&function.body, &mut |node| {
        let Node::Op(instruction) = node else { return };
        let narrow = |value: &Value| matches!(function.width(*value), Width::W8 | Width::W16 | Width::W64);
        let sign = matches!(instruction.op, Op::FNeg | Op::FAbs) && instruction.args.iter().any(narrow);
        let wide = instruction.args.iter().chain(&instruction.results).any(|value| function.width(*value) == Width::W64);
        if sign || wide {
            odd.get_or_insert(instruction);
        }
    });
    match odd {
        Some(instruction) => Err(WriteError::at(program, instruction.origin, "numbers of 16 or 64 bits")),
        None => Ok(()),
    }
}

fn memories(program: &Program) -> Vec<Memory> {
    let arrays = (0..program.arrays.len() as u32).map(|at| Memory::Array(gpuproof_program::ArrayId(at)));
    let shared = (0..program.shared.len() as u32).map(|at| Memory::Shared(gpuproof_program::SharedId(at)));
    let resources = (0..program.interface.resources.len() as u32).map(|at| Memory::Resource(ResourceId(at)));
    arrays.chain(shared).chain(resources).collect()
}

/// Resources, counters and samplers, one after another.
fn bindings(program: &Program) -> Vec<Bound> {
    let interface = &program.interface;
    let resources = interface.resources.iter().map(|resource| (resource.name.clone(), false));
    let counters = interface.resources.iter().filter(|resource| resource.counter).map(|resource| (resource.name.clone(), true));
    let samplers = interface.samplers.iter().map(|sampler| (sampler.name.clone(), false));
    let all = resources.chain(counters).chain(samplers).enumerate();
    all.map(|(at, (name, counter))| Bound { name, counter, set: 0, binding: at as u32 }).collect()
}

/// What whoever runs it has to know.
fn notes(program: &Program, function: &Function, language: Language) -> (Vec<String>, bool) {
    let mut notes = Vec::new();
    let (mut precise, mut flushes) = (false, false);
    walk(&function.body, &mut |node| {
        let Node::Op(Instruction { op, attrs, .. }) = node else { return };
        precise |= op.choices().contains(&Choice::Refactor) && attrs.rules.refactor == Refactor::Precise;
        flushes |= attrs.rules.denormals == gpuproof_program::Denormals::Flush;
    });
    match language {
        Language::Hlsl if precise => notes.push("the original keeps its products and sums as they are: compile with /Gis".into()),
        Language::Hlsl => {}
        _ if precise => {
            notes.push(format!("products and sums may be fused in {}, where the original forbids it", language.name()));
        }
        _ => {}
    }
    if flushes && language != Language::Hlsl {
        notes.push(format!(
            "held against it with subnormal floats flushed, as in Direct3D: {} leaves that to the device",
            language.name()
        ));
    }
    let d3d = program.dialect == gpuproof_program::Dialect::D3D11;
    let has = |builtin: Builtin| program.interface.inputs.iter().any(|input| input.builtin == Some(builtin));
    if d3d && language != Language::Hlsl && (has(Builtin::VertexIndex) || has(Builtin::InstanceIndex)) {
        let counts =
            "the indices of vertices and instances count from 0 in Direct3D, from the draw's first elsewhere: draw from 0 on";
        notes.push(counts.into());
    }
    (notes, precise)
}

impl Uses {
    fn of(body: &[Statement]) -> Uses {
        let mut uses = Uses::default();
        uses.body(body);
        uses
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Let(_, value)
                | Statement::Variable(_, _, Some(value))
                | Statement::Discard(value)
                | Statement::Effect(value) => {
                    self.expr(value);
                }
                Statement::Assign(target, value) => {
                    self.expr(target);
                    self.expr(value);
                }
                Statement::Store(place, value) => {
                    self.place(place, true);
                    place.parts().into_iter().for_each(|part| self.expr(part));
                    self.expr(value);
                }
                Statement::StoreTexel(store) => {
                    self.written.insert(store.texture);
                    self.memories.insert(Memory::Resource(store.texture));
                    let parts = store.element.iter().chain([&store.coordinates, &store.value]).chain(&store.layer);
                    parts.for_each(|part| self.expr(part));
                }
                Statement::If(condition, then, otherwise) => {
                    self.expr(condition);
                    self.body(then);
                    self.body(otherwise);
                }
                Statement::Loop(body, _) => self.body(body),
                Statement::Switch(selector, arms) => {
                    self.expr(selector);
                    arms.iter().for_each(|arm| self.body(&arm.body));
                }
                Statement::Variable(_, _, None)
                | Statement::Break
                | Statement::Continue
                | Statement::Return
                | Statement::Barrier(_) => {}
            }
        }
    }

    fn place(&mut self, place: &tree::Place, writes: bool) {
        self.memories.insert(place.memory);
        if let Memory::Resource(id) = place.memory {
            if writes {
                self.written.insert(id)
            } else {
                self.read.insert(id)
            };
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.each(&mut |inner| match &inner.kind {
            Kind::Input(id) | Kind::InputAt(id, ..) => _ = self.inputs.insert(id.index()),
            Kind::Output(id) => _ = self.outputs.insert(*id),
            Kind::Load(place) => self.place(place, false),
            Kind::Atomic(place, op, _) => {
                self.place(place, true);
                self.place(place, false);
                let signed = matches!(op, gpuproof_program::AtomicOp::SMin | gpuproof_program::AtomicOp::SMax);
                let known = self.atomic.entry(place.memory).or_insert(inner.ty.scalar);
                if signed {
                    *known = Scalar::I32;
                }
            }
            Kind::Texture(lookup) => {
                self.memories.insert(Memory::Resource(lookup.texture));
                if lookup.question == Question::Load {
                    self.read.insert(lookup.texture);
                }
                self.samplers.extend(lookup.sampler.as_ref().map(|(id, _)| id.index()));
                match lookup.question {
                    Question::Sample(sampling) | Question::Gather(sampling) if sampling.compare => {
                        self.compared.insert(lookup.texture)
                    }
                    Question::Sample(_) | Question::Gather(_) | Question::Load => self.plain.insert(lookup.texture),
                    _ => false,
                };
            }
            Kind::BufferSize(id, _) => _ = self.memories.insert(Memory::Resource(*id)),
            Kind::Counter(id, ..) => _ = self.counters.insert(id.index()),
            _ => {}
        });
    }
}

impl Module<'_> {
    /// The type of the numbers of a memory.
    fn cell(&self, memory: Memory) -> Scalar {
        self.cells.get(&memory).copied().unwrap_or(Scalar::U32)
    }

    /// What a memory is called.
    fn name(&self, memory: Memory) -> &str {
        match memory {
            Memory::Array(id) => &self.idents.arrays[id.index()],
            Memory::Shared(id) => &self.idents.shared[id.index()],
            Memory::Resource(id) => &self.idents.resources[id.index()],
        }
    }
}
