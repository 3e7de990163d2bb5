//! WGSL, through naga's front end.
//!
//! naga parses and validates; this module turns its functions into a [`Program`] of one entry point. Every choice that an operation has is WGSL's:
//! see `rules` in `arith`. What the specification defines by an expression is that expression (`math`). Constant
//! expressions, which naga evaluates with the host's library, are evaluated again (`fold`).
//!
//! * Vectors, matrices, structures and arrays come apart into numbers.
//! * `uniform` and `storage` variables are byte-addressed buffers, `workgroup` ones zeroed group-shared memory. `function` and `private`
//!   variables become values, or a per-lane array where what is not constant indexes them. A function gets the private
//!   variables that it names as parameters and gives them back as results, and so it does with what its pointer parameters point to.
//! * Functions stay functions. One that takes a texture, a sampler or a pointer into memory is made once for each of these that it is called with.

mod arith;
mod error;
mod expression;
mod fold;
mod function;
mod image;
mod interface;
mod lanes;
mod math;
mod memory;
mod module;
mod prescan;
mod types;
mod usage;

pub use error::Error;
use gpuproof_program::{Program, Stage};
use naga::valid::{Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

/// What to read of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The entry point's name; it may be left out where the text has just one.
    pub entry: Option<String>,
    /// Values of pipeline-overridable constants, by name or decimal `@id`.
    pub overrides: Vec<(String, f64)>,
}

/// An entry point of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its name.
    pub name: String,
    /// Its stage; none for one that has no counterpart in a [`Program`] (mesh, task and ray tracing stages).
    pub stage: Option<Stage>,
}

/// The stack of the thread that reads. naga's front end and validator recurse, as deep as `prescan` lets a text nest.
const STACK_BYTES: usize = 256 << 20;

/// Reads one entry point of a WGSL text.
///
/// # Errors
///
/// [`Error::BadInput`] with naga's message, line and caret for what is not valid WGSL, and where the options name an entry point or override that
/// the text does not have; [`Error::Unsupported`] for what a [`Program`] cannot express: ray queries, cooperative matrices,
/// mesh and task stages, external textures, atomics on floats.
pub fn read(text: &str, options: &Options) -> Result<Program, Error> {
    on_large_stack(text, |text| {
        let (module, info) = parse(text)?;
        module::read(text, &module, &info, options)
    })
}

/// The entry points of a WGSL text, in its order.
///
/// # Errors
///
/// [`Error::BadInput`] as for [`read`].
pub fn entry_points(text: &str) -> Result<Vec<EntryPoint>, Error> {
    on_large_stack(text, |text| {
        let (module, _) = parse(text)?;
        Ok(module.entry_points.iter().map(|entry| EntryPoint { name: entry.name.clone(), stage: stage(entry.stage) }).collect())
    })
}

fn stage(stage: ShaderStage) -> Option<Stage> {
    match stage {
        ShaderStage::Vertex => Some(Stage::Vertex),
        ShaderStage::Fragment => Some(Stage::Pixel),
        ShaderStage::Compute => Some(Stage::Compute),
        _ => None,
    }
}

/// Runs `job` where deep recursion has room.
fn on_large_stack<T: Send>(text: &str, job: impl FnOnce(&str) -> Result<T, Error> + Send) -> Result<T, Error> {
    let fault = |what: &str| Error::Fault { what: what.to_owned(), line: 0 };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || job(text));
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            // naga panics on a few malformed programs; that must not end the caller.
            Ok(Err(_)) => Err(fault("the reader of WGSL panicked")),
            Err(_) => Err(fault("there is no memory for the reader's thread")),
        }
    })
}

fn parse(text: &str) -> Result<(Module, ModuleInfo), Error> {
    let bad = |message: String, place: Option<naga::SourceLocation>| Error::BadInput {
        message,
        line: place.map_or(0, |place| place.line_number),
        column: place.map_or(0, |place| place.line_position),
    };
    let text = &*prescan::prescan(text)?;
    let module = naga::front::wgsl::Frontend::new_with_options(naga::front::wgsl::Options {
        parse_doc_comments: false,
        capabilities: Capabilities::all(),
    })
    .parse(text)
    .map_err(|error| bad(error.emit_to_string(text), error.location(text)))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .subgroup_stages(ShaderStages::all())
        .subgroup_operations(SubgroupOperationSet::all())
        .validate(&module)
        .map_err(|error| bad(error.emit_to_string(text), error.location(text)))?;
    Ok((module, info))
}
