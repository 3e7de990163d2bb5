//! Bytes to programs, a module a language.

#[cfg(feature = "dxbc")]
pub mod dxbc;
#[cfg(feature = "spirv")]
pub mod spirv;
#[cfg(feature = "wgsl")]
pub mod wgsl;
