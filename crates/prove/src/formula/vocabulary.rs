//! What formulas call the inputs, outputs, constants, memories and textures of a program.

use super::helper::Helpers;
use super::names::Names;
use super::structure::Structure;
use super::ty::Ty;
use crate::bind::layout::{Leaf, leaves_of};
use crate::bind::{from_launch, input_names, letters, output_names, resource_names, sampler_names};
use gpuproof_program::{
    Access, AtomicOp, Builtin, Detail, Dialect, Dimension, InputId, Node, Op, OutputId, Program, RegisterClass, Resource,
    ResourceId, Shape, Slot, Stage, Target, TextureShape, Width, walk,
};
use gpuproof_write::address::Definitions;
use std::collections::{HashMap, HashSet};

/// An input as formulas see it.
#[derive(Clone, Debug)]
pub(crate) struct InputWord {
    pub(crate) ident: String,
    pub(crate) ty: Ty,
    /// One number, or a vector of the register's four.
    pub(crate) size: usize,
    /// `@builtin(...)` or `@location(...)`.
    pub(crate) attribute: String,
}

/// A variable that formulas set: a register of outputs.
#[derive(Clone, Debug)]
pub(crate) struct OutputWord {
    pub(crate) ident: String,
    pub(crate) ty: Ty,
    pub(crate) size: usize,
    /// Whether it is the clip position of a vertex program.
    pub(crate) position: bool,
    /// The output that has each component.
    pub(crate) components: [Option<OutputId>; 4],
}

/// How formulas see a resource.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Rows of four floats.
    Rows,
    /// Words.
    Words,
    /// Structures.
    Structures(Structure),
    Texture(TextureShape),
}

/// The member that holds a memory of a binding array, whose elements are structures.
pub(crate) const HELD: &str = "held";

/// What a program does with a memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uses {
    /// Atomics that do not ask for the sign.
    pub(crate) atomics: bool,
    pub(crate) signed: bool,
    pub(crate) unsigned: bool,
    /// Sampled by comparison.
    compared: bool,
    /// A computed offset into a structure.
    computed: bool,
    counter: bool,
}

impl Uses {
    /// The number that an atomic memory holds.
    pub(crate) fn atomic(self) -> Option<Ty> {
        match (self.atomics || self.unsigned, self.signed) {
            (_, true) if !self.unsigned => Some(Ty::I32),
            (false, false) => None,
            _ => Some(Ty::U32),
        }
    }
}

/// A resource as formulas see it.
#[derive(Clone, Debug)]
pub(crate) struct ResourceWord {
    pub(crate) ident: String,
    pub(crate) form: Form,
    pub(crate) uses: Uses,
    /// The name of the texture where it is sampled by comparison.
    pub(crate) depth: String,
    /// The name of the word that stands for its counter.
    pub(crate) counter: String,
}

/// A member of a constant buffer that has a name of its own.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) ident: String,
    pub(crate) buffer: ResourceId,
    pub(crate) leaf: Leaf,
    pub(crate) ty: Ty,
}

/// A group-shared memory as formulas see it.
#[derive(Clone, Debug)]
pub(crate) struct SharedWord {
    pub(crate) ident: String,
    pub(crate) uses: Uses,
}

/// A per-lane array as formulas see it.
#[derive(Clone, Debug)]
pub(crate) struct ArrayWord {
    pub(crate) ident: String,
    pub(crate) ty: Ty,
    /// How many numbers each index has.
    pub(crate) per: u32,
}

impl ArrayWord {
    /// The type of what each index has.
    pub(crate) fn element(&self) -> String {
        match self.per {
            2..=4 => self.ty.vector(self.per as usize),
            1 => self.ty.name().into(),
            per => format!("array<{}, {per}>", self.ty.name()),
        }
    }
}

/// Everything that formulas of a program may name.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    pub(crate) inputs: Vec<InputWord>,
    pub(crate) outputs: Vec<OutputWord>,
    pub(crate) resources: Vec<ResourceWord>,
    pub(crate) samplers: Vec<String>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) shared: Vec<SharedWord>,
    pub(crate) arrays: Vec<ArrayWord>,
    /// Functions for what WGSL has no builtin for.
    pub(crate) helpers: Helpers,
    /// Other names for the same: registers, semantics.
    pub(crate) aliases: HashMap<String, String>,
    pub(crate) names: Names,
}

impl Vocabulary {
    pub(crate) fn of(program: &Program) -> Vocabulary {
        let interface = &program.interface;
        let mut names = Names::new();
        let (uses, shared_uses) = uses(program);
        let mut aliases = HashMap::new();
        let inputs = inputs(program, &mut names, &mut aliases);
        let outputs = outputs(program, &mut names, &mut aliases);
        let mut resources = Vec::new();
        for (at, name) in resource_names(interface).iter().enumerate() {
            let resource = &interface.resources[at];
            let ident = names.unique(name);
            register_alias(&mut aliases, resource.slot, &ident);
            let uses = uses[at];
            let depth = if uses.compared { names.unique(&format!("{ident}_depth")) } else { String::new() };
            let counter = if uses.counter { names.unique(&format!("{ident}_counter")) } else { String::new() };
            let form = form(resource, uses, &ident);
            resources.push(ResourceWord { ident, form, uses, depth, counter });
        }
        let helpers = Helpers::of(program, &resources, &mut names);
        let mut samplers = Vec::new();
        for (name, sampler) in sampler_names(interface).iter().zip(&interface.samplers) {
            let ident = names.unique(name);
            register_alias(&mut aliases, sampler.slot, &ident);
            samplers.push(ident);
        }
        let constants = constants(program, &resources, &mut names);
        let shared = program.shared.iter().zip(shared_uses);
        let shared = shared.map(|(shared, uses)| SharedWord { ident: names.unique(&shared.name), uses }).collect();
        let per = numbers_per_index(program);
        let arrays = program.arrays.iter().zip(per).map(|(array, per)| array_word(array, per, &mut names)).collect();
        for ident in names_of(&inputs, &outputs, &resources, &samplers, &constants) {
            aliases.remove(&ident);
        }
        Vocabulary { inputs, outputs, resources, samplers, constants, shared, arrays, helpers, aliases, names }
    }

    /// Every name that formulas may use.
    pub(crate) fn all_names(&self) -> Vec<String> {
        let mut all: Vec<String> =
            names_of(&self.inputs, &self.outputs, &self.resources, &self.samplers, &self.constants).into_iter().collect();
        all.extend(self.resources.iter().flat_map(|word| [&word.depth, &word.counter]).filter(|name| !name.is_empty()).cloned());
        all.extend(self.shared.iter().map(|word| word.ident.clone()));
        all.extend(self.arrays.iter().map(|word| word.ident.clone()));
        all.extend(self.aliases.keys().cloned());
        all
    }

    /// The output variable and component that an output's component is.
    pub(crate) fn output(&self, id: OutputId, component: u8) -> Option<(&OutputWord, u8)> {
        let fits = |word: &&OutputWord| word.components[usize::from(component)] == Some(id);
        self.outputs.iter().find(fits).map(|word| (word, component))
    }

    pub(crate) fn input(&self, id: InputId) -> &InputWord {
        &self.inputs[id.index()]
    }

    pub(crate) fn resource(&self, id: ResourceId) -> &ResourceWord {
        &self.resources[id.index()]
    }
}

fn names_of(
    inputs: &[InputWord],
    outputs: &[OutputWord],
    resources: &[ResourceWord],
    samplers: &[String],
    constants: &[Constant],
) -> HashSet<String> {
    let mut all: HashSet<String> = samplers.iter().cloned().collect();
    all.extend(inputs.iter().map(|word| word.ident.clone()));
    all.extend(outputs.iter().map(|word| word.ident.clone()));
    all.extend(resources.iter().map(|word| word.ident.clone()));
    all.extend(constants.iter().map(|word| word.ident.clone()));
    all
}

fn register_alias(aliases: &mut HashMap<String, String>, slot: Slot, ident: &str) {
    if let Slot::Register { class, space, index } = slot {
        let class = match class {
            RegisterClass::B => "cb",
            RegisterClass::T => "t",
            RegisterClass::U => "u",
            RegisterClass::S => "s",
        };
        let space = if space == 0 { String::new() } else { format!("_space{space}") };
        aliases.insert(format!("{class}{index}{space}"), ident.into());
    }
}

/// WGSL's name of a builtin that a stage of its own supplies with the same meaning and type.
fn builtin_name(builtin: Builtin, stage: Stage) -> Option<(&'static str, Ty, usize)> {
    Some(match (builtin, stage) {
        (Builtin::Position, Stage::Pixel) => ("position", Ty::F32, 4),
        (Builtin::VertexIndex, Stage::Vertex) => ("vertex_index", Ty::U32, 1),
        (Builtin::InstanceIndex, Stage::Vertex) => ("instance_index", Ty::U32, 1),
        (Builtin::FrontFacing, Stage::Pixel) => ("front_facing", Ty::Bool, 1),
        (Builtin::SampleIndex, Stage::Pixel) => ("sample_index", Ty::U32, 1),
        (Builtin::SampleMask, Stage::Pixel) => ("sample_mask", Ty::U32, 1),
        (Builtin::LocalInvocationId, Stage::Compute) => ("local_invocation_id", Ty::U32, 3),
        (Builtin::LocalInvocationIndex, Stage::Compute) => ("local_invocation_index", Ty::U32, 1),
        (Builtin::GlobalInvocationId, Stage::Compute) => ("global_invocation_id", Ty::U32, 3),
        (Builtin::WorkgroupId, Stage::Compute) => ("workgroup_id", Ty::U32, 3),
        (Builtin::NumWorkgroups, Stage::Compute) => ("num_workgroups", Ty::U32, 3),
        (Builtin::SubgroupSize, Stage::Compute | Stage::Pixel) => ("subgroup_size", Ty::U32, 1),
        (Builtin::SubgroupInvocationId, Stage::Compute | Stage::Pixel) => ("subgroup_invocation_id", Ty::U32, 1),
        (Builtin::SubgroupId, Stage::Compute) => ("subgroup_id", Ty::U32, 1),
        (Builtin::NumSubgroups, Stage::Compute) => ("num_subgroups", Ty::U32, 1),
        _ => return None,
    })
}

fn inputs(program: &Program, names: &mut Names, aliases: &mut HashMap<String, String>) -> Vec<InputWord> {
    let mut words = Vec::new();
    for (at, (name, variable)) in input_names(program).iter().zip(&program.interface.inputs).enumerate() {
        let special = variable.builtin.is_some() && (variable.location.is_none() || from_launch(variable.builtin));
        let name = if program.dialect == Dialect::D3D11 && special { &variable.name } else { name };
        let ident = names.unique(name);
        let own = Ty::of(variable.kind, variable.width);
        let found = variable.builtin.and_then(|builtin| builtin_name(builtin, program.stage));
        let size = if variable.mask == 1 { 1 } else { 4 };
        let word = match found {
            // The component of a register that a builtin number stands in may be another than x.
            Some((builtin, ty, count)) if count > 1 || variable.mask == 1 => {
                InputWord { ident: ident.clone(), ty, size: count, attribute: format!("@builtin({builtin})") }
            }
            _ => {
                let flat = if matches!(own, Ty::F32) || program.stage != Stage::Pixel { "" } else { " @interpolate(flat)" };
                InputWord { ident: ident.clone(), ty: own, size, attribute: format!("@location({at}){flat}") }
            }
        };
        if let (Dialect::D3D11, Some(register)) = (program.dialect, variable.location) {
            let shared = program.interface.inputs.iter().filter(|other| other.location == Some(register)).count();
            if shared == 1 {
                aliases.insert(format!("v{register}"), ident);
            }
        }
        words.push(word);
    }
    words
}

fn outputs(program: &Program, names: &mut Names, aliases: &mut HashMap<String, String>) -> Vec<OutputWord> {
    let mut words: Vec<OutputWord> = Vec::new();
    for (at, (name, variable)) in output_names(program).iter().zip(&program.interface.outputs).enumerate() {
        let id = OutputId(at as u32);
        let ty = Ty::of(variable.kind, variable.width);
        let register = variable.location.filter(|_| program.dialect == Dialect::D3D11).map(|register| format!("o{register}"));
        let position = variable.builtin == Some(Builtin::Position) && program.stage == Stage::Vertex;
        let stem = register.unwrap_or_else(|| name.clone());
        // A result of WGSL's entry point has no name.
        let stem = if stem.is_empty() { "output".to_string() } else { stem };
        let semantic = names_semantic(program, name);
        if let Some(word) = words.iter_mut().find(|word| {
            word.ident == stem && word.ty == ty && (0..4).all(|c| variable.mask >> c & 1 == 0 || word.components[c].is_none())
        }) {
            for component in (0..4).filter(|component| variable.mask >> component & 1 == 1) {
                word.components[component] = Some(id);
            }
            word.size = 4;
            word.position |= position;
            aliases.insert(semantic, word.ident.clone());
            continue;
        }
        let ident = names.unique(&stem);
        let mut components = [None; 4];
        for component in (0..4).filter(|component| variable.mask >> component & 1 == 1) {
            components[component] = Some(id);
        }
        aliases.insert(semantic, ident.clone());
        if position {
            aliases.insert("position".into(), ident.clone());
        }
        words.push(OutputWord { ident, ty, size: if variable.mask == 1 { 1 } else { 4 }, position, components });
    }
    words
}

fn names_semantic(program: &Program, name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // In the shader's text the two are apart: an input and an output may have one semantic.
    match program.dialect {
        Dialect::D3D11 => format!("out_{clean}"),
        Dialect::Wgsl | Dialect::Vulkan => clean,
    }
}

fn form(resource: &Resource, uses: Uses, ident: &str) -> Form {
    match resource.shape {
        Shape::ConstantBuffer { .. } => Form::Rows,
        Shape::Buffer { .. } => Form::Words,
        Shape::Structured { stride } => {
            let whole = uses.computed || uses.atomic().is_some();
            Form::Structures(Structure::of(resource.layout.as_ref().filter(|_| !whole), stride, ident))
        }
        Shape::Texture(shape) if shape.dimension == Dimension::Buffer && uses.atomic().is_some() => Form::Words,
        Shape::Texture(shape) => Form::Texture(shape),
    }
}

/// Names for the members of constant buffers that do not repeat.
fn constants(program: &Program, resources: &[ResourceWord], names: &mut Names) -> Vec<Constant> {
    let mut found = Vec::new();
    for (at, resource) in program.interface.resources.iter().enumerate() {
        if !matches!(resource.shape, Shape::ConstantBuffer { .. }) || resource.count != Some(1) {
            continue;
        }
        for leaf in leaves_of(resource).unwrap_or_default() {
            let in_row = leaf.offset % 4 == 0 && leaf.offset % 16 + leaf.size * 4 <= 16;
            let rows = leaf.vectors.is_none_or(|(_, stride)| stride == 16);
            if !leaf.arrays.is_empty() || leaf.scalar.width.bits() != 32 || !in_row || !rows || leaf.path.is_empty() {
                continue;
            }
            let mut ident = names.clone().unique(&leaf.path);
            if ident != leaf.path.replace('.', "_") {
                ident = format!("{}_{}", resources[at].ident, leaf.path);
            }
            let ident = names.unique(&ident);
            let ty = Ty::of(leaf.scalar.kind, leaf.scalar.width);
            found.push(Constant { ident, buffer: ResourceId(at as u32), ty, leaf });
        }
    }
    found
}

/// What a program does with each resource and each group-shared memory.
fn uses(program: &Program) -> (Vec<Uses>, Vec<Uses>) {
    let mut resources = vec![Uses::default(); program.interface.resources.len()];
    let mut shared = vec![Uses::default(); program.shared.len()];
    for function in &program.functions {
        let constant: HashSet<_> = constants_of(function);
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            let uses = match instruction.attrs.target {
                Target::Resource(id) | Target::Sampled(id, _) => &mut resources[id.index()],
                Target::Shared(id) => &mut shared[id.index()],
                _ => return,
            };
            match (instruction.op, instruction.attrs.detail) {
                (_, Detail::Atomic(AtomicOp::SMin | AtomicOp::SMax)) => uses.signed = true,
                (_, Detail::Atomic(AtomicOp::UMin | AtomicOp::UMax)) => uses.unsigned = true,
                (_, Detail::Atomic(_)) => uses.atomics = true,
                (_, Detail::Sampling(sampling)) => uses.compared |= sampling.compare,
                (Op::StructuredLoad | Op::StructuredStore, _) => uses.computed |= !constant.contains(&instruction.args[2]),
                (Op::CounterAlloc | Op::CounterConsume, _) => uses.counter = true,
                _ => {}
            }
        });
    }
    (resources, shared)
}

/// How many numbers each index of an array has, where all that is done with it agrees.
fn numbers_per_index(program: &Program) -> Vec<u32> {
    let mut scales: Vec<Option<u32>> = vec![None; program.arrays.len()];
    for function in &program.functions {
        let definitions = Definitions::of(function);
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            let (Op::ArrayLoad | Op::ArrayStore, Target::Array(id)) = (instruction.op, instruction.attrs.target) else { return };
            let address = definitions.address(instruction.args[0]);
            if address.index.is_some() {
                let scale = scales[id.index()].get_or_insert(address.scale);
                *scale = if *scale == address.scale { *scale } else { 1 };
            }
        });
    }
    let fits = |(scale, array): (Option<u32>, &gpuproof_program::PrivateArray)| {
        scale.filter(|scale| *scale > 0 && array.length % scale == 0).unwrap_or(1)
    };
    scales.into_iter().zip(&program.arrays).map(fits).collect()
}

fn array_word(array: &gpuproof_program::PrivateArray, per: u32, names: &mut Names) -> ArrayWord {
    let name = if array.name.is_empty() { "array" } else { &array.name };
    let finite = |bits: &u64| {
        let value = f32::from_bits(*bits as u32);
        *bits == 0 || (value.is_finite() && value.abs() > 1e-30)
    };
    let float = array.width == Width::W32 && !array.initial.is_empty() && array.initial.iter().all(finite);
    let ty = match array.width {
        Width::W1 => Ty::Bool,
        Width::W64 => Ty::U64,
        _ if float => Ty::F32,
        _ => Ty::U32,
    };
    ArrayWord { ident: names.unique(name), ty, per }
}

fn constants_of(function: &gpuproof_program::Function) -> HashSet<gpuproof_program::Value> {
    let mut found = HashSet::new();
    walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && instruction.op == Op::Const
        {
            found.extend(&instruction.results);
        }
    });
    found
}

/// Whether a texture of one dimension stands as one of two, of height 1: WGSL has no arrays of one dimension, nor such depths.
pub(crate) fn flattened(shape: &TextureShape, depth: bool) -> bool {
    shape.dimension == Dimension::D1 && (shape.arrayed || depth)
}

/// WGSL's type of a texture, without what it holds. An array of multisampled textures stands as one whose levels are the samples.
pub(crate) fn texture_type(shape: &TextureShape, access: Access, uses: Uses, depth: bool) -> Option<String> {
    let dimension = match shape.dimension {
        Dimension::D1 if flattened(shape, depth) => "2d",
        Dimension::Buffer | Dimension::D1 => "1d",
        Dimension::D2 => "2d",
        Dimension::D3 => "3d",
        Dimension::Cube => "cube",
    };
    let array = if shape.arrayed { "_array" } else { "" };
    let kind = Ty::of(shape.kind, Width::W32);
    if access != Access::Read {
        if shape.dimension == Dimension::Cube || shape.multisampled {
            return None;
        }
        let atomic = uses.atomic();
        let format = match (atomic, kind) {
            (Some(_), Ty::I32) => "r32sint",
            (Some(_), _) => "r32uint",
            (None, Ty::I32) => "rgba32sint",
            (None, Ty::U32) => "rgba32uint",
            _ => "rgba32float",
        };
        let access = if atomic.is_some() { "atomic" } else { "read_write" };
        return Some(format!("texture_storage_{dimension}{array}<{format}, {access}>"));
    }
    if depth {
        return Some(format!("texture_depth_{dimension}{array}"));
    }
    let multisampled = if shape.multisampled && !shape.arrayed { "multisampled_" } else { "" };
    Some(format!("texture_{multisampled}{dimension}{array}<{}>", kind.name()))
}

/// Components as letters, for messages.
pub(crate) fn component_letters(components: &[u8]) -> String {
    letters(components)
}
