//! STAT, the compiler's counts of a program, and SFI0, the features that it needs.

use super::container::{Container, Part};
use super::error::Result;

/// The words of a STAT part, in order. Fields are those of D3D11_SHADER_DESC; those that it does not name are `-`.
const NAMES: [&str; 37] = [
    "instruction_count",
    "temp_register_count",
    "def_count",
    "dcl_count",
    "float_instruction_count",
    "int_instruction_count",
    "uint_instruction_count",
    "static_flow_control_count",
    "dynamic_flow_control_count",
    "macro_instruction_count",
    "temp_array_count",
    "array_instruction_count",
    "cut_instruction_count",
    "emit_instruction_count",
    "texture_normal_instructions",
    "texture_load_instructions",
    "texture_comp_instructions",
    "texture_bias_instructions",
    "texture_gradient_instructions",
    "mov_instruction_count",
    "movc_instruction_count",
    "conversion_instruction_count",
    "-",
    "input_primitive",
    "gs_output_topology",
    "gs_max_output_vertex_count",
    "-",
    "-",
    "sample_frequency",
    "gs_instance_count",
    "control_points",
    "hs_output_primitive",
    "hs_partitioning",
    "tessellator_domain",
    "barrier_instructions",
    "interlocked_instructions",
    "texture_store_instructions",
];

/// A STAT part: 28 or 29 words in SM 4, 37 in SM 5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    words: Vec<u32>,
}

impl Statistics {
    /// Reads the words of a STAT part; a rest of less than four bytes is ignored.
    pub fn parse(part: &Part) -> Self {
        let words = part.data().as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        Statistics { words: words.collect() }
    }

    /// The words as they are.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Names and values of the words whose meaning is known.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u32)> {
        NAMES.into_iter().zip(self.words.iter().copied()).filter(|(name, _)| *name != "-")
    }
}

/// What SFI0 may ask for, by bit.
const FEATURES: [&str; 14] = [
    "doubles",
    "raw and structured buffers in SM 4",
    "views at every stage",
    "64 views",
    "minimum precision",
    "double extensions of 11.1",
    "shader extensions of 11.1",
    "comparison filters at level 9",
    "tiled resources",
    "stencil reference output",
    "inner coverage",
    "typed loads of more formats",
    "rasterizer-ordered views",
    "layers and viewports from any stage",
];

/// The names of features, those without a name by the bit.
pub fn feature_names(flags: u64) -> Vec<String> {
    let name = |bit: usize| FEATURES.get(bit).map_or_else(|| format!("bit {bit}"), |name| (*name).to_string());
    (0..64).filter(|bit| flags >> bit & 1 == 1).map(name).collect()
}

/// The features that a container's SFI0 part says the program needs (D3D_SHADER_REQUIRES flags: bit 0 doubles, bit 1
/// raw and structured buffers in SM 4, bit 2 views at every stage, bit 3 64 views, bit 4 minimum precision, bit 5 double
/// extensions, bit 6 shader extensions, and so on), or `None` without such a part.
///
/// # Errors
/// [`super::Error::BadInput`] when the part is shorter than the flags.
pub fn required_features(container: &Container) -> Result<Option<u64>> {
    let Some(part) = container.find(&[b"SFI0"]) else {
        return Ok(None);
    };
    let low = part.bytes().u32(0, "feature flags")?;
    let high = part.bytes().u32(4, "feature flags")?;
    Ok(Some(u64::from(high) << 32 | u64::from(low)))
}
