//! Direct3D 10 and 11: the DXBC container and its token stream (SM 4.0 to 5.1).
//!
//! A file is a [`Container`] of parts. [`Signature`] and [`Reflection`] read the parts that describe a program;
//! [`Shader`] decodes the part that holds its code and encodes it back to the same tokens; [`listing()`] prints it as
//! Microsoft's disassembler does, and [`disassembly()`] the container's description with it. All know the format from one
//! table, [`opcode`].
//!
//! Reflection is a convenience: many shipped files have none, so nothing needs it.
//!
//! ```
//! use gpuproof_read::dxbc::{Container, Shader, listing};
//!
//! # fn main() -> Result<(), gpuproof_read::dxbc::Error> {
//! let file = include_bytes!("../../tests/data/dxbc/loop.dxbc");
//! let container = Container::parse(file)?;
//! let shader = Shader::find(&container)?;
//! assert_eq!(shader.target().to_string(), "ps_5_0");
//! assert_eq!(listing(&shader)[1].text, "dcl_globalFlags refactoringAllowed");
//! assert_eq!(container.write(), file);
//! # Ok(())
//! # }
//! ```

mod bytes;
mod container;
mod debug;
mod digest;
mod effect;
mod error;
mod level9;
mod linkage;
mod listing;
mod names;
pub mod opcode;
pub mod operand;
mod reflection;
pub mod root_signature;
mod search;
mod signature;
mod statistics;
mod tokens;
mod translate;

pub use container::{Container, DigestState, FourCc, Part};
pub use debug::{Debug, DebugFormat};
pub use digest::digest;
pub use effect::{Effect, EffectProgram};
pub use error::{Error, Result};
pub use level9::{Constant, FloatConstants, Level9, Sampler};
pub use linkage::{Class, Instance, Linkage, Slots};
pub use listing::{Line, disassembly, listing};
pub use reflection::{Binding, ConstantBuffer, Member, Reflection, Type, TypeId, Variable};
pub use root_signature::RootSignature;
pub use search::{Found, search};
pub use signature::{Element, Signature, SignatureKind};
pub use statistics::{Statistics, feature_names, required_features};
pub use tokens::{Extension, ExtensionKind, Instruction, Shader, Stage, Target};
pub use translate::{INSTANCES, STRIDE as INSTANCE_STRIDE, program};
