//! What hull, domain and geometry programs declare of the patches and primitives that go through them, and the phases of a hull program.

use crate::function::FunctionId;
use crate::interface::Builtin;
use serde::{Deserialize, Serialize};

/// What a program declares of the primitives that the pipeline gives to it and takes from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assembly {
    /// Nothing: a vertex, pixel or compute program.
    #[default]
    None,
    /// A hull program.
    Hull(Hull),
    /// A domain program.
    Domain(Domain),
    /// A geometry program.
    Geometry(Geometry),
}

impl Assembly {
    /// Whether nothing is declared.
    pub fn is_none(&self) -> bool {
        *self == Assembly::None
    }
}

/// A hull program: it makes a patch of control points and constants from a patch of control points (D3D11 10).
///
/// All lanes of a phase end before the next phase begins, with one exception that cannot be noticed: fork phases among each other, and
/// join phases among each other, are in no order, since none reads what another of its kind writes (10.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hull {
    /// Control points of the patch that it reads (22.3.18).
    pub input_points: u32,
    /// Control points of the patch that it makes (22.3.19). Without a control point phase it has none, or those of the input pass through (10.6).
    pub output_points: u32,
    /// What the tessellator divides (22.3.16).
    pub domain: PatchDomain,
    /// How the tessellator rounds factors (22.3.17).
    pub partitioning: Partitioning,
    /// What the tessellator makes (22.3.15).
    pub output: TessellatorOutput,
    /// The bits of the f32 that factors are clamped to at most (22.3.20); none is 64.
    pub max_factor: Option<u32>,
    /// The phases in the order of the program: at most one of control points, then forks, then joins.
    pub phases: Vec<Phase>,
}

/// A phase of a hull program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// What it makes.
    pub kind: PhaseKind,
    /// The function that each of its lanes runs. It has no parameters and no results.
    pub function: FunctionId,
    /// How many lanes run it for each patch: one for each control point that comes out, or the phase's declared instances (22.3.24, 22.3.27).
    pub lanes: u32,
}

/// What a phase of a hull program makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PhaseKind {
    /// Control points, one for each lane (22.3.21).
    ControlPoint,
    /// Constants of the patch, from control points (22.3.23).
    Fork,
    /// Constants of the patch, from control points and from what fork phases made (22.3.26).
    Join,
}

impl PhaseKind {
    /// The input that only this kind of phase has: which of its lanes this is.
    pub fn lane_id(self) -> Builtin {
        match self {
            PhaseKind::ControlPoint => Builtin::OutputControlPointId,
            PhaseKind::Fork => Builtin::ForkInstanceId,
            PhaseKind::Join => Builtin::JoinInstanceId,
        }
    }
}

/// A domain program: a lane is a vertex that the tessellator made (D3D11 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Domain {
    /// Control points of the patch (22.3.18).
    pub input_points: u32,
    /// What the tessellator divided (22.3.16).
    pub domain: PatchDomain,
}

/// What the tessellator divides (D3D11 11.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PatchDomain {
    /// Lines of equal v in the unit square.
    Isoline,
    /// A triangle, in barycentric coordinates.
    Triangle,
    /// The unit square.
    Quad,
}

/// How the tessellator rounds factors (D3D11 11.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Partitioning {
    /// Up to whole numbers.
    Integer,
    /// Up to powers of two; the tessellator takes it for `Integer` (22.3.17).
    Pow2,
    /// Between odd numbers, with parts that grow.
    FractionalOdd,
    /// Between even numbers, with parts that grow.
    FractionalEven,
}

/// What the tessellator makes (D3D11 22.3.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TessellatorOutput {
    /// A point for each vertex.
    Point,
    /// Lines.
    Line,
    /// Clockwise triangles.
    TriangleClockwise,
    /// Counter-clockwise triangles.
    TriangleCounterClockwise,
}

/// A geometry program: a lane is a primitive, or one instance of it (D3D11 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Geometry {
    /// The primitive that it reads (22.3.6).
    pub input: Primitive,
    /// After so many vertices further ones are dropped, those of all streams counted together (22.3.5).
    pub max_vertices: u32,
    /// How many lanes run for each primitive (22.3.7).
    pub instances: u32,
    /// The streams that it writes, in the order of their declaration (22.3.9): one, of number 0, where the program declares none.
    pub streams: Vec<Stream>,
}

/// A stream of a geometry program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stream {
    /// Its number, 0 to 3.
    pub number: u8,
    /// What its vertices make up (22.3.8).
    pub topology: Topology,
}

/// The primitive that a geometry program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Primitive {
    /// One vertex.
    Point,
    /// Two.
    Line,
    /// Three.
    Triangle,
    /// A line between the vertices before and after it.
    LineAdjacency,
    /// A triangle, each vertex followed by the one across the edge that begins there.
    TriangleAdjacency,
    /// A patch of so many control points, 1 to 32.
    Patch(u8),
}

impl Primitive {
    /// How many vertices it has.
    pub fn vertices(self) -> u32 {
        match self {
            Primitive::Point => 1,
            Primitive::Line => 2,
            Primitive::Triangle => 3,
            Primitive::LineAdjacency => 4,
            Primitive::TriangleAdjacency => 6,
            Primitive::Patch(points) => points.into(),
        }
    }
}

/// What the vertices of a stream make up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Topology {
    /// Each is a point.
    PointList,
    /// Each but a strip's first ends a line.
    LineStrip,
    /// Each but a strip's first two completes a triangle.
    TriangleStrip,
}

/// The most control points of a patch (D3D11_IA_PATCH_MAX_CONTROL_POINT_COUNT).
pub const MAX_CONTROL_POINTS: u32 = 32;
/// The most instances of a fork or join phase (D3D11 10.8.4): as many as a patch has scalar constants.
pub const MAX_PHASE_INSTANCES: u32 = 128;
/// The most instances of a geometry program (D3D11_GS_MAX_INSTANCE_COUNT).
pub const MAX_GEOMETRY_INSTANCES: u32 = 32;
/// The most vertices that a lane of a geometry program gives (D3D11_GS_MAX_OUTPUT_VERTEX_COUNT_ACROSS_INSTANCES).
pub const MAX_GEOMETRY_VERTICES: u32 = 1024;
/// The most streams (D3D11_SO_STREAM_COUNT).
pub const MAX_STREAMS: u8 = 4;
