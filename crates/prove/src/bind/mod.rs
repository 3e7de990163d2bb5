//! Which input, output and resource of the port stands for which of the original.
//!
//! A [`Map`] says it by names, so that a person can read, save and edit it. [`Map::infer`] finds one from two interfaces, and
//! [`Map::resolve`] turns one into a [`Binding`], which translates cases and pairs the words of outputs.
//!
//! Matching goes by name first (case, underscores and what tools add to names do not matter), then by slot, then by order among what is left and has the
//! same shape. Memory is matched down to members ([`layout`]).

mod infer;
mod inputs;
pub mod layout;
mod names;
mod resolve;
mod show;
mod translate;

pub(crate) use translate::{read_counter, reciprocal};

pub use layout::{Repeat, Run};
pub use resolve::{Binding, Carried, Counter, Joined};

use gpuproof_program::{Builtin, Dialect, InputId, Interface, IoVariable, OutputId, Program, RegisterClass, Slot};
use serde::{Deserialize, Serialize};

/// The correspondence of two interfaces, by names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// Inputs of lanes, without those that follow from the launch (thread and group ids).
    pub inputs: Vec<IoPair>,
    /// Outputs of lanes.
    pub outputs: Vec<IoPair>,
    /// Constant buffers, buffers and textures.
    pub resources: Vec<ResourcePair>,
    /// Samplers.
    pub samplers: Vec<SamplerPair>,
    /// Hidden counters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<CounterPair>,
    /// What was left out, and why that is no error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How a pair was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The names agree.
    Name,
    /// The pipeline gives both their meaning.
    Builtin,
    /// The slots agree: location, register, binding.
    Slot,
    /// They stand at the same place among what was left.
    Order,
    /// A person said so.
    User,
}

/// Components of an input or output that stand for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoPair {
    /// The original's, with components: `TEXCOORD1.zw`.
    pub original: String,
    /// The port's, with as many components: `uv2.xy`.
    pub port: String,
    /// What is done to the value on the way from the original to the port, or back for outputs.
    #[serde(default, skip_serializing_if = "Convert::is_same")]
    pub convert: Convert,
    /// How the pair was found.
    pub how: How,
}

/// What stage conventions do to a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Convert {
    /// The same bits.
    #[default]
    Same,
    /// 1 / x, correctly rounded: position.w of D3D11's and WebGPU's pixel programs.
    Reciprocal,
    /// A truth value: a mask of all ones in a word on one side, one bit on the other.
    Truth,
}

impl Convert {
    fn is_same(&self) -> bool {
        *self == Convert::Same
    }
}

/// Resources that stand for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourcePair {
    /// The original's.
    pub original: String,
    /// The port's.
    pub port: String,
    /// How contents go over.
    pub transfer: Transfer,
    /// How the pair was found.
    pub how: How,
}

/// How the contents of a resource go over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transfer {
    /// The binding as it is: textures, typed buffers.
    Whole,
    /// Bytes.
    Bytes(Vec<Run>),
    /// Texels of a typed buffer on one side, packed in this DXGI format in a plain buffer on the other.
    Texels(u32),
}

/// Samplers that stand for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplerPair {
    /// The original's.
    pub original: String,
    /// The port's.
    pub port: String,
    /// How the pair was found.
    pub how: How,
}

/// Counters that stand for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterPair {
    /// Where the original keeps it.
    pub original: CounterPlace,
    /// Where the port keeps it.
    pub port: CounterPlace,
}

/// Where a counter is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CounterPlace {
    /// Hidden beside this resource.
    Hidden(String),
    /// In a word of this buffer.
    Word {
        /// The buffer.
        resource: String,
        /// The word's offset in bytes.
        offset: u32,
    },
}

/// Why two interfaces do not come together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// Things are left that nothing stands for.
    #[error("{what} cannot be matched: the original has {}; the port has {} (a map can say which stand for each other)", list(.original), list(.port))]
    Unmatched {
        /// Inputs, outputs, resources, samplers or members.
        what: String,
        /// What is left of the original.
        original: Vec<String>,
        /// What is left of the port.
        port: Vec<String>,
    },
    /// The programs are of different stages.
    #[error("the original is a {original} program and the port a {port} program")]
    Stage {
        /// The original's stage.
        original: String,
        /// The port's.
        port: String,
    },
    /// Thread groups differ in size, so lanes do not correspond.
    #[error("a thread group of the original is {original:?} and of the port {port:?}")]
    GroupSize {
        /// The original's.
        original: [u32; 3],
        /// The port's.
        port: [u32; 3],
    },
    /// A map names what is not there.
    #[error("the map names the {side}'s {what} {name}, which does not exist; there is {}", list(.known))]
    Unknown {
        /// `original` or `port`.
        side: &'static str,
        /// Input, output, resource or sampler.
        what: &'static str,
        /// The name in the map.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A pair of a map does not fit together.
    #[error("the map pairs {original} with {port}: {why}")]
    Misfit {
        /// The original's name.
        original: String,
        /// The port's name.
        port: String,
        /// What is wrong.
        why: String,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "nothing left".into() } else { names.join(", ") }
}

/// Whether the pipeline's launch alone gives an input its value, so that no case holds it.
pub fn from_launch(builtin: Option<Builtin>) -> bool {
    use Builtin::*;
    matches!(
        builtin,
        Some(
            LocalInvocationId
                | LocalInvocationIndex
                | GlobalInvocationId
                | WorkgroupId
                | NumWorkgroups
                | SubgroupSize
                | SubgroupInvocationId
                | SubgroupId
                | NumSubgroups
        )
    )
}

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The components of a mask as letters.
pub fn letters(components: &[u8]) -> String {
    components.iter().filter_map(|component| LETTERS.get(usize::from(*component))).collect()
}

/// The components that an input or output has.
pub fn components(variable: &IoVariable) -> Vec<u8> {
    (0..4).filter(|component| variable.mask >> component & 1 == 1).collect()
}

/// How a map names a variable: a semantic with its index, an identifier.
fn plain_name(variable: &IoVariable, dialect: Dialect) -> String {
    match dialect {
        Dialect::D3D11 => format!("{}{}", variable.name, variable.semantic_index),
        Dialect::Wgsl | Dialect::Vulkan => variable.name.clone(),
    }
}

fn io_names(variables: &[IoVariable], dialect: Dialect, prefix: char) -> Vec<String> {
    let names: Vec<String> = variables.iter().map(|variable| plain_name(variable, dialect)).collect();
    unique(names, |at| format!("{prefix}{}", variables[at].location.map_or_else(|| format!("#{at}"), |n| n.to_string())))
}

/// Names with what tells them apart after those that several have.
fn unique(names: Vec<String>, tell: impl Fn(usize) -> String) -> Vec<String> {
    let twice = |name: &str| names.iter().filter(|other| *other == name).count() > 1;
    names.iter().enumerate().map(|(at, name)| if twice(name) { format!("{name}@{}", tell(at)) } else { name.clone() }).collect()
}

/// How a map and reports name the inputs of a program.
pub fn input_names(program: &Program) -> Vec<String> {
    io_names(&program.interface.inputs, program.dialect, 'v')
}

/// How a map names the outputs of a program.
pub fn output_names(program: &Program) -> Vec<String> {
    io_names(&program.interface.outputs, program.dialect, 'o')
}

/// How a map and reports name the resources of an interface.
pub fn resource_names(interface: &Interface) -> Vec<String> {
    let names = interface.resources.iter().map(|resource| resource.name.clone()).collect();
    unique(names, |at| slot_name(interface.resources[at].slot))
}

/// How a map and reports name the samplers of an interface.
pub fn sampler_names(interface: &Interface) -> Vec<String> {
    let names = interface.samplers.iter().map(|sampler| sampler.name.clone()).collect();
    unique(names, |at| slot_name(interface.samplers[at].slot))
}

/// A slot as its language writes it: `t3`, `t3.space1`, `group 0 binding 5`.
pub fn slot_name(slot: Slot) -> String {
    match slot {
        Slot::Register { class, space, index } => {
            let class = match class {
                RegisterClass::B => 'b',
                RegisterClass::T => 't',
                RegisterClass::U => 'u',
                RegisterClass::S => 's',
            };
            if space == 0 { format!("{class}{index}") } else { format!("{class}{index}.space{space}") }
        }
        Slot::Binding { group, binding } => format!("group {group} binding {binding}"),
    }
}

/// How reports name a component of an output: `o0.y` by register in D3D11, by its name in WGSL.
pub fn output_place(program: &Program, output: OutputId, component: u8) -> String {
    let variable = program.interface.output(output);
    let name = match (program.dialect, variable.location) {
        (Dialect::D3D11, Some(register)) => format!("o{register}"),
        _ => output_names(program)[output.index()].clone(),
    };
    if variable.mask.count_ones() == 1 && component == 0 { name } else { format!("{name}.{}", letters(&[component])) }
}
