//! What a program reads and writes: inputs, outputs, resources, samplers, and the layout of memory.

use crate::function::{InputId, OutputId, ResourceId, SamplerId, Width};
use serde::{Deserialize, Serialize};

/// Everything that a program reads from or writes to outside itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interface {
    /// What each lane reads.
    pub inputs: Vec<IoVariable>,
    /// What each lane writes.
    pub outputs: Vec<IoVariable>,
    /// Constant buffers, buffers and textures.
    pub resources: Vec<Resource>,
    /// Samplers.
    pub samplers: Vec<Sampler>,
    /// Pipeline-overridable constants, already fixed to these values (WGSL `override`).
    pub overrides: Vec<Override>,
}

impl Interface {
    /// The input with this id.
    pub fn input(&self, id: InputId) -> &IoVariable {
        &self.inputs[id.index()]
    }
    /// The input that is this builtin, a word for each lane; where there is none, a new one of this name.
    pub fn builtin_word(&mut self, builtin: Builtin, name: &str) -> InputId {
        let known = self.inputs.iter().position(|input| input.builtin == Some(builtin));
        let at = known.unwrap_or_else(|| {
            self.inputs.push(IoVariable {
                name: name.into(),
                semantic_index: 0,
                location: None,
                blend_source: None,
                mask: 1,
                kind: Kind::Uint,
                width: Width::W32,
                builtin: Some(builtin),
                interpolation: Interpolation::Linear,
                rate: Rate::Lane,
            });
            self.inputs.len() - 1
        });
        InputId(at as u32)
    }
    /// The output with this id.
    pub fn output(&self, id: OutputId) -> &IoVariable {
        &self.outputs[id.index()]
    }
    /// The resource with this id.
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.index()]
    }
    /// The sampler with this id.
    pub fn sampler(&self, id: SamplerId) -> &Sampler {
        &self.samplers[id.index()]
    }
    /// The components that a vertex of a stream has, in the order in which [`Op::Emit`](crate::Op::Emit) takes them.
    pub fn vertex_of(&self, stream: u8) -> impl Iterator<Item = (OutputId, u8)> + '_ {
        let outputs = (0..).map(OutputId).zip(&self.outputs).filter(move |(_, output)| output.rate == Rate::Stream(stream));
        outputs.flat_map(|(id, output)| (0..4).filter(|at| output.mask >> at & 1 == 1).map(move |at| (id, at)))
    }
}

/// How bits are meant, where the source says it. Operations never ask: this is for binding, generating and showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// IEEE floating point of the width at hand.
    Float,
    /// Two's complement.
    Sint,
    /// Unsigned.
    Uint,
    /// A truth value: one bit, or a word that is zero or not.
    Bool,
    /// The source does not say.
    Unknown,
}

/// An input or output: up to four components of one width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IoVariable {
    /// The source's name: a semantic name without its index in DXBC, an identifier in WGSL.
    pub name: String,
    /// The semantic index in DXBC, else 0.
    pub semantic_index: u32,
    /// The register in DXBC, the location in WGSL; none for builtins of WGSL and special registers.
    pub location: Option<u32>,
    /// WGSL's second blend source, 0 or 1.
    pub blend_source: Option<u32>,
    /// Which components exist, bit 0 for x. The component of an operation is 0 to 3 and one of these. In DXBC they are those of the
    /// register, so an element that shares its register with others may start past x.
    pub mask: u8,
    /// How the bits are meant.
    pub kind: Kind,
    /// The width of each component as the program sees it.
    pub width: Width,
    /// What the pipeline supplies or takes, where it is not the user's own.
    pub builtin: Option<Builtin>,
    /// How a pixel input came from the vertices.
    pub interpolation: Interpolation,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Rate::is_lane")]
    pub rate: Rate,
}

/// Whose an input or output is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rate {
    /// The lane's own.
    #[default]
    Lane,
    /// An input of a geometry program: each vertex of the primitive has one. Of a hull or domain program: each control point of the patch
    /// that comes in. An output of a hull program: each control point that it makes.
    Vertex,
    /// A constant of the patch: an output of a hull program, an input of a domain program.
    Patch,
    /// An output of a geometry program: each vertex of this stream has one.
    Stream(u8),
}

impl Rate {
    /// Whether it is the lane's own.
    pub fn is_lane(&self) -> bool {
        *self == Rate::Lane
    }
}

/// How a pixel program's input is interpolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Interpolation {
    /// Perspective-correct at the pixel centre; also what is not a pixel input.
    #[default]
    Linear,
    /// Perspective-correct at the centroid.
    LinearCentroid,
    /// Perspective-correct at the sample.
    LinearSample,
    /// Linear on the screen.
    NoPerspective,
    /// Linear on the screen, at the centroid.
    NoPerspectiveCentroid,
    /// Linear on the screen, at the sample.
    NoPerspectiveSample,
    /// One vertex's value for the whole primitive.
    Flat,
}

/// What a pipeline supplies to a program or takes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Builtin {
    /// Clip-space position out of a vertex program; window position into a pixel program.
    Position,
    /// The vertex's index.
    VertexIndex,
    /// The instance's index.
    InstanceIndex,
    /// Whether the primitive faces the viewer.
    FrontFacing,
    /// The sample that this lane shades.
    SampleIndex,
    /// The mask of covered samples.
    SampleMask,
    /// The mask of fully covered pixels (D3D11.3 inner coverage).
    InnerCoverage,
    /// The primitive's index.
    PrimitiveIndex,
    /// Depth out of a pixel program.
    FragDepth,
    /// Depth that is promised not to be less than the rasterised one.
    FragDepthGreaterEqual,
    /// Depth that is promised not to be greater than the rasterised one.
    FragDepthLessEqual,
    /// Stencil reference out of a pixel program.
    StencilRef,
    /// Clip distances; the semantic index or location tells which four.
    ClipDistance,
    /// Cull distances; the semantic index tells which four.
    CullDistance,
    /// Render target array slice.
    RenderTargetArrayIndex,
    /// Viewport.
    ViewportArrayIndex,
    /// The thread in its group, three components.
    LocalInvocationId,
    /// The thread in its group, flattened x first.
    LocalInvocationIndex,
    /// The thread in the dispatch, three components.
    GlobalInvocationId,
    /// The group in the dispatch, three components.
    WorkgroupId,
    /// The number of groups, three components.
    NumWorkgroups,
    /// Lanes of a wave.
    SubgroupSize,
    /// This lane in its wave.
    SubgroupInvocationId,
    /// This wave in its group.
    SubgroupId,
    /// Waves in a group.
    NumSubgroups,
    /// The view of a multiview render pass.
    ViewIndex,
    /// Point size out of a vertex program.
    PointSize,
    /// Barycentric coordinates of the pixel.
    Barycentric,
    /// The draw's index.
    DrawIndex,
    /// Which instance of a geometry program the lane is (D3D11 22.3.7).
    GeometryInstanceId,
    /// Which control point a lane of a hull program makes (D3D11 23.7).
    OutputControlPointId,
    /// Which instance of a fork phase the lane is (D3D11 23.8).
    ForkInstanceId,
    /// Which instance of a join phase the lane is (D3D11 23.9).
    JoinInstanceId,
    /// Where in the patch the tessellator put the vertex: u and v, and w of a triangle (D3D11 23.10).
    DomainLocation,
    /// How finely an edge of a patch is divided; the semantic index tells which edge (D3D11 24.8).
    EdgeTessFactor,
    /// How finely the inside of a patch is divided; the semantic index tells in which direction (D3D11 24.9).
    InsideTessFactor,
    /// How many parts each line of an isoline patch has (D3D11 24.8).
    LineDetailTessFactor,
    /// How many lines an isoline patch has (D3D11 24.8).
    LineDensityTessFactor,
}

/// Where a resource or sampler is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Slot {
    /// D3D: a register of a class in a space.
    Register {
        /// Which register file.
        class: RegisterClass,
        /// The register space, 0 before SM 5.1.
        space: u32,
        /// The first register.
        index: u32,
    },
    /// WGSL and Vulkan: a group (descriptor set) and binding.
    Binding {
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
}

/// D3D's register files of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RegisterClass {
    /// `b`, constant buffers.
    B,
    /// `t`, read-only views.
    T,
    /// `u`, unordered access views.
    U,
    /// `s`, samplers.
    S,
}

/// A constant buffer, buffer or texture, or an array of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// The source's name, or the register's where there is none (`t3`).
    pub name: String,
    /// Where it is bound.
    pub slot: Slot,
    /// How many in the binding array: 1 when it is not one, none when unbounded.
    pub count: Option<u32>,
    /// What it is.
    pub shape: Shape,
    /// What the program does with it.
    pub access: Access,
    /// The layout of its contents where the source says it: of a structure for a structured buffer, of all for others.
    pub layout: Option<Type>,
    /// Whether it carries a hidden counter (append, consume, counter views of D3D).
    pub counter: bool,
}

/// What a program may do with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Access {
    /// Read only.
    Read,
    /// Write only.
    Write,
    /// Read, write and, where the format allows, atomics.
    ReadWrite,
}

/// What kind of memory a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// Bytes of constants; `bytes` are declared (0 where unknown).
    ConstantBuffer {
        /// The declared size.
        bytes: u32,
    },
    /// Bytes, addressed by offset: raw views, WGSL storage buffers (`bytes` is the smallest size that the layout needs, 0 where unknown).
    Buffer {
        /// The least size that holds the declared layout.
        bytes: u32,
    },
    /// Structures of `stride` bytes, addressed by index and offset.
    Structured {
        /// The distance between structures in bytes.
        stride: u32,
    },
    /// Texels of a format that the view gives.
    Texture(TextureShape),
}

/// The shape of a texture or typed buffer as the program declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TextureShape {
    /// Its dimension.
    pub dimension: Dimension,
    /// Whether it is an array.
    pub arrayed: bool,
    /// Whether texels have several samples.
    pub multisampled: bool,
    /// How loaded texels are meant.
    pub kind: Kind,
    /// Whether it is declared as a depth texture (WGSL).
    pub depth: bool,
    /// The texel format where the program fixes it (WGSL storage textures), as WGSL names it.
    pub format: Option<TexelFormat>,
}

/// The dimension of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dimension {
    /// A typed buffer: texels in a row, no mips, no sampling.
    Buffer,
    /// One-dimensional.
    D1,
    /// Two-dimensional.
    D2,
    /// Three-dimensional.
    D3,
    /// Six faces.
    Cube,
}

/// A storage texel format, numbered as `DXGI_FORMAT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TexelFormat(pub u32);

/// A sampler or an array of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampler {
    /// The source's name, or the register's where there is none.
    pub name: String,
    /// Where it is bound.
    pub slot: Slot,
    /// How many in the binding array: 1 when it is not one, none when unbounded.
    pub count: Option<u32>,
    /// Whether it compares.
    pub comparison: bool,
}

/// A pipeline-overridable constant and the value it was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// Its name.
    pub name: String,
    /// Its numeric id, if it has one.
    pub id: Option<u32>,
    /// The bits it has in this program.
    pub bits: u64,
}

/// The layout of a piece of memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Type {
    /// One number.
    Scalar(ScalarType),
    /// `size` numbers in a row.
    Vector {
        /// 2 to 4 (or 1).
        size: u32,
        /// Each of them.
        scalar: ScalarType,
    },
    /// Vectors `stride` bytes apart: columns, or rows when `row_major`.
    Matrix {
        /// Columns as mathematics counts them.
        columns: u32,
        /// Rows as mathematics counts them.
        rows: u32,
        /// Whether the vectors in memory are rows.
        row_major: bool,
        /// The distance between the vectors in bytes.
        stride: u32,
        /// Each number.
        scalar: ScalarType,
    },
    /// Elements `stride` bytes apart.
    Array {
        /// Each element.
        element: Box<Type>,
        /// How many; none when the buffer's size decides.
        count: Option<u32>,
        /// The distance between the elements in bytes.
        stride: u32,
    },
    /// Named members.
    Struct {
        /// In order of offset.
        members: Vec<Member>,
        /// The whole size in bytes.
        size: u32,
    },
}

/// A number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScalarType {
    /// How the bits are meant.
    pub kind: Kind,
    /// How many there are.
    pub width: Width,
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Where it starts, in bytes from the start of the structure.
    pub offset: u32,
    /// What it is.
    pub ty: Type,
}
