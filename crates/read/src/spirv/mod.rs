//! SPIR-V modules for Vulkan: vertex, fragment and compute entry points.
//!
//! rspirv holds a module to the grammar; this module makes one of its entry points a [`Program`]. Every choice that an operation has is Vulkan's,
//! as the entry point's execution modes and the result's decorations make it (`rules`).
//!
//! * Vectors, matrices, structures and arrays come apart into numbers.
//! * `Uniform`, `StorageBuffer` and `PushConstant` variables are byte-addressed buffers, laid out as their decorations say; `Workgroup` ones group-shared
//!   memory, packed. `Function`, `Private` and `Output` variables become values, or a per-lane array where what is not constant indexes them.
//! * Functions are expanded where they are called, so that pointers, images and samplers as parameters need no types of their own, and `OpKill` in one ends
//!   the lane.
//! * Control flow goes by dominance, where merges and continue targets that the module declares count as edges from their header (`structure`). So each
//!   construct meets where the module says; a selection without a declared merge meets where its ways do.

mod arith;
mod binary;
mod constant;
mod error;
mod extended;
mod flow;
mod image;
mod instruction;
mod interface;
mod lanes;
mod lower;
mod memory;
mod module;
mod structure;
mod types;

pub use error::Error;
use gpuproof_program::{Program, Stage};
use rspirv::spirv::ExecutionModel;

/// What to read of a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The entry point's name; it may be left out where the module has just one.
    pub entry: Option<String>,
    /// Values of specialization constants, by name or decimal `SpecId`.
    pub specialization: Vec<(String, f64)>,
    /// Whether the device runs it with robustImageAccess2: texels out of range load as 0, with the defaults of components that the format lacks.
    pub robust_images: bool,
}

/// An entry point of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its name.
    pub name: String,
    /// Its stage; none for one that has no counterpart in a [`Program`].
    pub stage: Option<Stage>,
}

/// A line of a module's listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The instruction's place in bytes.
    pub offset: usize,
    /// The instruction in the style of `spirv-dis`.
    pub text: String,
}

/// The stack of the thread that reads.
const STACK_BYTES: usize = 64 << 20;

/// Whether bytes start as a module of either byte order does.
#[must_use]
pub fn is_module(bytes: &[u8]) -> bool {
    binary::is_module(bytes)
}

/// How many bytes a module at the start of these has, if one starts there: a header and instructions up to the end of the last function.
#[must_use]
pub fn extent(bytes: &[u8]) -> Option<usize> {
    if is_module(bytes) { binary::extent(bytes) } else { None }
}

/// Reads one entry point of a module.
///
/// # Errors
///
/// [`Error::BadInput`] for what is no valid module, and where the options name an entry point or a constant that the module does not have;
/// [`Error::Unsupported`] for what a [`Program`] cannot express: other stages, pointers as numbers, ray queries, cooperative matrices.
pub fn read(bytes: &[u8], options: &Options) -> Result<Program, Error> {
    on_large_stack(|| module::read(bytes, options))
}

/// The entry points of a module, in its order.
///
/// # Errors
///
/// [`Error::BadInput`] as for [`read`].
pub fn entry_points(bytes: &[u8]) -> Result<Vec<EntryPoint>, Error> {
    on_large_stack(|| {
        let module = module::Module::new(binary::parse(bytes)?)?;
        let entry = |entry: &module::Entry| EntryPoint { name: entry.name.clone(), stage: stage(entry.model) };
        Ok(module.entries.iter().map(entry).collect())
    })
}

/// The instructions of a module as text.
///
/// # Errors
///
/// [`Error::BadInput`] for what the grammar does not allow.
pub fn listing(bytes: &[u8]) -> Result<Vec<Line>, Error> {
    let binary = binary::parse(bytes)?;
    let lines = binary.insts.iter().zip(binary.lines);
    Ok(lines.map(|(inst, text)| Line { offset: 4 * inst.word as usize, text }).collect())
}

fn stage(model: ExecutionModel) -> Option<Stage> {
    match model {
        ExecutionModel::Vertex => Some(Stage::Vertex),
        ExecutionModel::Fragment => Some(Stage::Pixel),
        ExecutionModel::GLCompute => Some(Stage::Compute),
        _ => None,
    }
}

/// Runs `job` where calls have room, and takes a panic of the parser for a fault.
fn on_large_stack<T: Send>(job: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let fault = |what: &str| Error::Fault { what: what.to_owned(), instruction: String::new(), word: 0 };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, job);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(fault("the reader of SPIR-V panicked")),
            Err(_) => Err(fault("there is no memory for the reader's thread")),
        }
    })
}
