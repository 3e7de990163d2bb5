//! Everything that one run reads.

use gpuproof_program::{Dimension, TexelFormat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Words and bytes are saved as hexadecimal text, which people can read and edit.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    fn words_text(words: impl Iterator<Item = u32>) -> String {
        words.map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
    }

    fn parse_words(text: &str) -> Result<Vec<u32>, String> {
        let word = |word: &str| {
            u32::from_str_radix(word, 16).map_err(|_| format!("expected a word of 8 hexadecimal digits, found '{word}'"))
        };
        text.split_whitespace().map(word).collect()
    }

    fn bytes_text(bytes: &[u8]) -> String {
        let whole = words_text(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
        let rest: String = bytes.chunks_exact(4).remainder().iter().map(|byte| format!(" +{byte:02x}")).collect();
        format!("{whole}{rest}")
    }

    /// Little-endian words, then `+` and two digits for each byte behind the last whole word.
    fn parse_bytes(text: &str) -> Result<Vec<u8>, String> {
        let (whole, rest) = text.split_once('+').map_or((text, ""), |(whole, rest)| (whole, rest));
        let mut bytes: Vec<u8> = parse_words(whole)?.into_iter().flat_map(u32::to_le_bytes).collect();
        for byte in rest.split(|c: char| c == '+' || c.is_whitespace()).filter(|byte| !byte.is_empty()) {
            bytes.push(
                u8::from_str_radix(byte, 16).map_err(|_| format!("expected a byte of 2 hexadecimal digits, found '{byte}'"))?,
            );
        }
        Ok(bytes)
    }

    pub mod components {
        use super::*;

        pub fn serialize<S: Serializer>(components: &[Vec<u32>; 4], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(components.iter().map(|words| words_text(words.iter().copied())))
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Vec<u32>; 4], D::Error> {
            let texts = <[String; 4]>::deserialize(deserializer)?;
            let mut components: [Vec<u32>; 4] = Default::default();
            for (words, text) in components.iter_mut().zip(texts) {
                *words = parse_words(&text).map_err(D::Error::custom)?;
            }
            Ok(components)
        }
    }

    pub mod bytes {
        use super::*;
        use std::sync::Arc;

        pub fn serialize<S: Serializer>(bytes: &Arc<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&bytes_text(bytes))
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Vec<u8>>, D::Error> {
            parse_bytes(&String::deserialize(deserializer)?).map(Arc::new).map_err(D::Error::custom)
        }
    }

    pub mod levels {
        use super::*;

        pub fn serialize<S: Serializer>(levels: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(levels.iter().map(|level| bytes_text(level)))
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
            let texts = Vec::<String>::deserialize(deserializer)?;
            texts.iter().map(|text| parse_bytes(text).map_err(D::Error::custom)).collect()
        }
    }
}

/// Everything that one run reads: what the lanes are, their inputs, resources and samplers. It belongs to the interface of one
/// program: vectors are indexed by that program's ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// What the lanes are.
    pub launch: Launch,
    /// Lanes of a wave: a power of two from 4 to 128.
    pub wave_size: u32,
    /// Samples of the render target that a pixel program draws to; 1 without multisampling.
    pub samples: u32,
    /// For each [`InputId`](gpuproof_program::InputId) its values. Builtins that follow from the launch alone (invocation and group ids, wave ids) are left
    /// empty: the executor supplies them.
    pub inputs: Vec<LaneValues>,
    /// For each [`ResourceId`](gpuproof_program::ResourceId) what is bound to each element of its binding array.
    pub resources: Vec<Vec<Binding>>,
    /// For each [`SamplerId`](gpuproof_program::SamplerId) the state of each element of its binding array.
    pub samplers: Vec<Vec<SamplerState>>,
}

/// What the lanes of a run are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Launch {
    /// Vertices, independent of each other.
    Vertices {
        /// How many.
        count: u32,
    },
    /// Pixels in quads: lanes 4q to 4q+3 are the upper left, upper right, lower left and lower right pixel of quad q.
    Pixels {
        /// How many quads.
        quads: u32,
        /// For each lane whether it starts as a helper; empty when none does.
        helpers: Vec<bool>,
    },
    /// A dispatch of thread groups. Lane numbers go through the groups by index (x first), then through the threads of each (x first).
    Groups {
        /// Groups in x, y and z.
        count: [u32; 3],
    },
}

/// The values of one input: for each of its components that exist, one word a lane (narrower widths in the low bits).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneValues {
    /// x, y, z, w; empty where the component does not exist or the executor supplies it.
    #[serde(with = "hex::components")]
    pub components: [Vec<u32>; 4],
}

/// What is bound to one element of a resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Binding {
    /// Nothing: loads give 0, stores are dropped, sizes are 0 (D3D11's null views).
    #[default]
    Unbound,
    /// Bytes: constant buffers, raw and structured buffers, and typed buffers with a format.
    Buffer(BufferBinding),
    /// A texture.
    Texture(Arc<Texture>),
}

/// A bound buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BufferBinding {
    /// Its contents at the start.
    #[serde(with = "hex::bytes")]
    pub bytes: Arc<Vec<u8>>,
    /// The format of its texels where it is bound as a typed buffer.
    pub format: Option<TexelFormat>,
    /// The hidden counter's value at the start.
    pub counter: u32,
}

/// A texture's texels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// Its dimension; never [`Dimension::Buffer`].
    pub dimension: Dimension,
    /// Whether it is an array.
    pub arrayed: bool,
    /// The format of its texels.
    pub format: TexelFormat,
    /// Texels of the largest level in x, y and z; 1 where the dimension lacks them.
    pub size: [u32; 3],
    /// Array layers; 6 for each cube. 1 if not an array.
    pub layers: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Levels below this are not there for loads and samples (`SetResourceMinLOD`, counted from the first level here).
    #[serde(default)]
    pub min_lod: f32,
    /// Whether it is a tiled resource of which no tile is mapped, as Direct3D's tier 2 has them (D3D11.3 §5.9): reads find zeros, with the defaults of what
    /// the format lacks, and all status words are 0, also of lookups that find nothing but the border. For what is only read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unmapped: bool,
    /// For each mip level, its texels or blocks: tightly packed, x fastest, then y, z, layer; the samples of a texel stand together.
    #[serde(with = "hex::levels")]
    pub levels: Vec<Vec<u8>>,
}

impl Texture {
    /// The size of a mip level in texels: halved for each level, at least 1.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        self.size.map(|n| n.checked_shr(level).unwrap_or(0).max(1))
    }
}

/// How a sampler samples, as `D3D11_SAMPLER_DESC` has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SamplerState {
    /// When texels are larger than pixels.
    pub magnify: Filter,
    /// When they are smaller.
    pub minify: Filter,
    /// Between mip levels.
    pub mip: Filter,
    /// The most that a footprint may be longer than wide, 1 to 16, where it is filtered anisotropically; all three filters are then linear.
    #[serde(default)]
    pub max_anisotropy: Option<u8>,
    /// What comes of the texels of a footprint.
    #[serde(default)]
    pub reduction: FilterReduction,
    /// In x, y and z.
    pub address: [AddressMode; 3],
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// The least level of detail.
    pub min_lod: f32,
    /// The greatest level of detail.
    pub max_lod: f32,
    /// For comparison samplers, what holds between the reference and the texel.
    pub comparison: Option<Comparison>,
    /// The colour outside, for [`AddressMode::Border`].
    pub border: [f32; 4],
}

impl Default for SamplerState {
    /// Trilinear, wrapping, all levels.
    fn default() -> SamplerState {
        SamplerState {
            magnify: Filter::Linear,
            minify: Filter::Linear,
            mip: Filter::Linear,
            max_anisotropy: None,
            reduction: FilterReduction::Average,
            address: [AddressMode::Wrap; 3],
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: f32::MAX,
            comparison: None,
            border: [0.0; 4],
        }
    }
}

/// How texels or levels are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Filter {
    /// The nearest one.
    Point,
    /// Weighted.
    Linear,
}

/// What comes of the texels that a filter gives a weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FilterReduction {
    /// Their weighted sum.
    #[default]
    Average,
    /// The least of them, for each component.
    Minimum,
    /// The greatest of them, for each component.
    Maximum,
}

/// What a coordinate outside the texture means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AddressMode {
    /// The texture repeats.
    Wrap,
    /// It repeats, every second time mirrored.
    Mirror,
    /// Its edge goes on.
    Clamp,
    /// The border colour.
    Border,
    /// Mirrored once about 0, then clamped.
    MirrorOnce,
}

/// What a comparison asks of the reference against the texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// Never true.
    Never,
    /// Reference less.
    Less,
    /// Equal.
    Equal,
    /// Reference less or equal.
    LessEqual,
    /// Reference greater.
    Greater,
    /// Not equal.
    NotEqual,
    /// Reference greater or equal.
    GreaterEqual,
    /// Always true.
    Always,
}
