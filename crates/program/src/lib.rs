//! One GPU program, whatever it was read from.
//!
//! A [`Program`] says what a compiled GPU program computes, in terms that no source language owns:
//!
//! * **Values are bit patterns.** A [`Value`] has a [`Width`] of 1, 8, 16, 32 or 64 bits and no other type. The operation says
//!   how it reads its bits: `f32.add`, `i32.add`, `u32.div`. Registers of DXBC are untyped, so this is what the source means;
//!   a language with types loses nothing, since the operations keep what the types decided. A truth value has one bit.
//! * **Everything is scalar.** Vectors come apart on reading. Each operation keeps its [`Origin`], so that reports point at the
//!   instruction and component (or the source line) that it came from.
//! * **SSA, structured, loop-closed.** Each value is defined once. A function's body is a tree of [`Node`]s: operations,
//!   `block`, `if`, `switch`, `loop`, and branches to an enclosing construct that carry values, as in WebAssembly. A value is
//!   visible in the region that defines it and the regions inside, so it leaves a construct, and a loop in particular, only
//!   with a branch: lanes that have left a loop keep theirs while others go on.
//! * **One table of operations.** [`op::Op`] and everything about an operation (name, operands, results, class, scope, which
//!   choices it takes, meaning) comes from one table in [`mod@op`].
//! * **Every choice is on the operation.** Denormals, rounding, the NaN rule of a minimum, division by zero, what an index out
//!   of range gives: [`Rules`] of the one instruction. There is no mode to forget.
//!
//! Readers build functions with [`FunctionBuilder`], which turns assignments to variables into SSA. [`validate()`] holds
//! every rule above. [`text`] prints a program and parses it back.
#![deny(missing_docs)]

pub mod analysis;
pub mod assembly;
pub mod attrs;
pub mod builder;
pub mod function;
pub mod interface;
pub mod op;
pub mod permission;
pub mod source;
pub mod text;
pub mod validate;
mod validate_stage;

pub use analysis::{Site, float_made};
pub use assembly::*;
pub use attrs::*;
pub use builder::{FunctionBuilder, Local};
pub use function::*;
pub use interface::*;
pub use op::{Class, Op, Scope};
pub use source::*;
pub use validate::{ValidationError, validate};

use serde::{Deserialize, Serialize};

/// The rules that a source language gives its operations, and the conventions of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dialect {
    /// Direct3D 10 and 11 (DXBC), after the Direct3D 11.3 functional specification.
    D3D11,
    /// The WebGPU Shading Language.
    Wgsl,
    /// Vulkan (SPIR-V), after the Vulkan specification's environment for SPIR-V.
    Vulkan,
}

/// Which stage of the pipeline a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// A lane is a vertex.
    Vertex,
    /// A lane is a control point that comes out, or an instance of a phase that makes constants of a patch.
    Hull,
    /// A lane is a vertex that the tessellator made.
    Domain,
    /// A lane is a primitive, or one instance of it.
    Geometry,
    /// A lane is a pixel (or a sample); four neighbouring lanes are a quad.
    Pixel,
    /// A lane is a thread of a group.
    Compute,
}

/// One GPU program: one entry point, or the phases of a hull program, with all that they reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The entry point's name; `main` where the source has none.
    pub name: String,
    /// Whose rules the operations were read under.
    pub dialect: Dialect,
    /// The stage that runs it.
    pub stage: Stage,
    /// Threads of a group in x, y and z; `[1, 1, 1]` outside compute.
    pub group_size: [u32; 3],
    /// What a hull, domain or geometry program declares of primitives.
    pub assembly: Assembly,
    /// What it reads and writes.
    pub interface: Interface,
    /// Per-lane arrays. Each lane has its own copy; contents start as the array's `initial` words or undefined.
    pub arrays: Vec<PrivateArray>,
    /// Group-shared memories.
    pub shared: Vec<SharedMemory>,
    /// Functions; a function calls only others, never itself, directly or not.
    pub functions: Vec<Function>,
    /// The function that each lane runs; of a hull program that of its first phase. It has no parameters and no results.
    pub entry: FunctionId,
    /// The source's lines, which origins point into.
    pub source: Source,
    /// What the reader had to assume.
    pub notes: Vec<String>,
}

impl Program {
    /// The function with this id. Panics on an id of another program; [`validate()`] holds all ids inside a program.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The functions that lanes begin in: the entry, or those of the phases of a hull program in their order.
    pub fn entries(&self) -> Vec<FunctionId> {
        match &self.assembly {
            Assembly::Hull(hull) if !hull.phases.is_empty() => hull.phases.iter().map(|phase| phase.function).collect(),
            _ => vec![self.entry],
        }
    }
}
