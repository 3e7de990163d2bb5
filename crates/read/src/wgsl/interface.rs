//! What an entry point reads and writes.

use super::error::{Trouble, unsupported};
use super::types::{Types, scalar_type, shape, texel_kind};
use gpuproof_program::{
    Access, Builtin, Dimension, Interpolation, IoVariable, Kind, Rate, Resource, Sampler, ScalarType, Shape, Slot, TexelFormat,
    TextureShape,
};
use naga::{
    AddressSpace, ArraySize, Binding, BuiltIn, GlobalVariable, ImageClass, ImageDimension, StorageAccess, StorageFormat,
    TypeInner,
};

type Result<T> = std::result::Result<T, Trouble>;

/// The group of what has no binding: immediate data.
pub(super) const IMMEDIATE_GROUP: u32 = u32::MAX;

/// What a module-scope variable with a binding is.
pub(super) enum Bound {
    Resource(Resource),
    Sampler(Sampler),
}

/// The resource or sampler that a variable declares.
pub(super) fn bound(types: &Types, variable: &GlobalVariable) -> Result<Bound> {
    let name = variable.name.clone().unwrap_or_default();
    let slot = match &variable.binding {
        Some(binding) => Slot::Binding { group: binding.group, binding: binding.binding },
        None => Slot::Binding { group: IMMEDIATE_GROUP, binding: 0 },
    };
    let (ty, count) = match *types.inner(variable.ty) {
        TypeInner::BindingArray { base, size } => {
            (base, if size == ArraySize::Dynamic { None } else { Some(types.length(size)?.unwrap_or(1)) })
        }
        _ => (variable.ty, Some(1)),
    };
    let inner = types.inner(ty);
    let (shape, access, layout) = match *inner {
        TypeInner::Sampler { comparison } => return Ok(Bound::Sampler(Sampler { name, slot, count, comparison })),
        TypeInner::Image { dim, arrayed, class } => {
            (Shape::Texture(texture_shape(dim, arrayed, class)?), image_access(class), None)
        }
        TypeInner::AccelerationStructure { .. } => return unsupported("acceleration structures"),
        _ => {
            let (bytes, layout) = (types.bytes(inner)?, Some(types.layout(ty)?));
            match variable.space {
                AddressSpace::Storage { access } => (Shape::Buffer { bytes }, access_of(access), layout),
                AddressSpace::Uniform | AddressSpace::Immediate => (Shape::ConstantBuffer { bytes }, Access::Read, layout),
                space => return unsupported(format!("variables in the address space {space:?}")),
            }
        }
    };
    Ok(Bound::Resource(Resource { name, slot, count, shape, access, layout, counter: false }))
}

fn access_of(access: StorageAccess) -> Access {
    match (access.contains(StorageAccess::LOAD), access.contains(StorageAccess::STORE)) {
        _ if access.contains(StorageAccess::ATOMIC) => Access::ReadWrite,
        (true, false) => Access::Read,
        (false, true) => Access::Write,
        _ => Access::ReadWrite,
    }
}

fn image_access(class: ImageClass) -> Access {
    match class {
        ImageClass::Storage { access, .. } => access_of(access),
        _ => Access::Read,
    }
}

fn texture_shape(dim: ImageDimension, arrayed: bool, class: ImageClass) -> Result<TextureShape> {
    let dimension = match dim {
        ImageDimension::D1 => Dimension::D1,
        ImageDimension::D2 => Dimension::D2,
        ImageDimension::D3 => Dimension::D3,
        ImageDimension::Cube => Dimension::Cube,
    };
    Ok(TextureShape {
        dimension,
        arrayed,
        multisampled: matches!(class, ImageClass::Sampled { multi: true, .. } | ImageClass::Depth { multi: true }),
        kind: texel_kind(class)?,
        depth: matches!(class, ImageClass::Depth { .. }),
        format: match class {
            ImageClass::Storage { format, .. } => Some(TexelFormat(dxgi_format(format)?)),
            _ => None,
        },
    })
}

/// The number of a storage format in `DXGI_FORMAT`.
fn dxgi_format(format: StorageFormat) -> Result<u32> {
    use StorageFormat as F;
    Ok(match format {
        F::Rgba32Float => 2,
        F::Rgba32Uint => 3,
        F::Rgba32Sint => 4,
        F::Rgba16Float => 10,
        F::Rgba16Unorm => 11,
        F::Rgba16Uint => 12,
        F::Rgba16Snorm => 13,
        F::Rgba16Sint => 14,
        F::Rg32Float => 16,
        F::Rg32Uint => 17,
        F::Rg32Sint => 18,
        F::Rgb10a2Unorm => 24,
        F::Rgb10a2Uint => 25,
        F::Rg11b10Ufloat => 26,
        F::Rgba8Unorm => 28,
        F::Rgba8Uint => 30,
        F::Rgba8Snorm => 31,
        F::Rgba8Sint => 32,
        F::Rg16Float => 34,
        F::Rg16Unorm => 35,
        F::Rg16Uint => 36,
        F::Rg16Snorm => 37,
        F::Rg16Sint => 38,
        F::R32Float => 41,
        F::R32Uint => 42,
        F::R32Sint => 43,
        F::Rg8Unorm => 49,
        F::Rg8Uint => 50,
        F::Rg8Snorm => 51,
        F::Rg8Sint => 52,
        F::R16Float => 54,
        F::R16Unorm => 56,
        F::R16Uint => 57,
        F::R16Snorm => 58,
        F::R16Sint => 59,
        F::R8Unorm => 61,
        F::R8Uint => 62,
        F::R8Snorm => 63,
        F::R8Sint => 64,
        F::Bgra8Unorm => 87,
        F::R64Uint => return unsupported("storage textures of the format r64uint"),
    })
}

/// One input or output of the pipeline and the numbers of the value that it is, `first` on.
pub(super) struct Io {
    pub(super) variable: IoVariable,
    pub(super) first: usize,
    pub(super) count: usize,
}

/// The inputs or outputs that a parameter or result with a binding, or its members with theirs, are.
pub(super) fn io(types: &Types, name: &str, ty: naga::Handle<naga::Type>, binding: Option<&Binding>) -> Result<Vec<Io>> {
    let inner = types.inner(ty);
    match (binding, inner) {
        (Some(binding), _) => variables(types, name, inner, binding, 0),
        (None, TypeInner::Struct { members, .. }) => {
            let (mut all, mut first) = (Vec::new(), 0);
            for member in members {
                let Some(binding) = &member.binding else {
                    return unsupported("a member of the pipeline's data without a binding");
                };
                let inner = types.inner(member.ty);
                all.extend(variables(types, member.name.as_deref().unwrap_or_default(), inner, binding, first)?);
                first += types.count(inner)?;
            }
            Ok(all)
        }
        _ => unsupported("pipeline data without a binding"),
    }
}

fn variables(types: &Types, name: &str, inner: &TypeInner, binding: &Binding, first: usize) -> Result<Vec<Io>> {
    let count = types.count(inner)?;
    let scalar = match inner {
        TypeInner::Array { base, .. } => shape(types.inner(*base)).and(number_of(types.inner(*base)))?,
        _ => number_of(inner)?,
    };
    let mut variable = IoVariable {
        name: name.to_owned(),
        semantic_index: 0,
        location: None,
        blend_source: None,
        mask: 0,
        kind: scalar.kind,
        width: scalar.width,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    };
    match *binding {
        Binding::BuiltIn(builtin) => {
            if let BuiltIn::Barycentric { perspective: false } = builtin {
                variable.interpolation = Interpolation::NoPerspective;
            }
            variable.builtin = Some(builtin_of(builtin)?);
        }
        Binding::Location { location, interpolation, sampling, blend_src, per_primitive } => {
            if per_primitive {
                return unsupported("inputs for each primitive");
            }
            variable.location = Some(location);
            variable.blend_source = blend_src;
            variable.interpolation = interpolation_of(scalar.kind, interpolation, sampling)?;
        }
    }
    // Clip distances may be eight: four to a variable.
    Ok((0..count.div_ceil(4))
        .map(|part| {
            let here = (count - 4 * part).min(4);
            let variable = IoVariable { semantic_index: part as u32, mask: (1 << here) - 1, ..variable.clone() };
            Io { variable, first: first + 4 * part, count: here }
        })
        .collect())
}

fn number_of(inner: &TypeInner) -> Result<ScalarType> {
    match *inner {
        TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => scalar_type(scalar),
        _ => unsupported("pipeline data that is no scalar or vector"),
    }
}

/// Integers are flat; what says nothing is perspective-correct at the centre (WGSL 13.3.1.4).
fn interpolation_of(
    kind: Kind,
    interpolation: Option<naga::Interpolation>,
    sampling: Option<naga::Sampling>,
) -> Result<Interpolation> {
    use naga::{Interpolation as I, Sampling as S};
    let sampling = sampling.unwrap_or(S::Center);
    Ok(match (interpolation, sampling) {
        (Some(I::Flat), _) => Interpolation::Flat,
        (Some(I::PerVertex), _) => return unsupported("inputs of each vertex of a primitive"),
        (None, _) if kind != Kind::Float => Interpolation::Flat,
        (None | Some(I::Perspective), S::Centroid) => Interpolation::LinearCentroid,
        (None | Some(I::Perspective), S::Sample) => Interpolation::LinearSample,
        (None | Some(I::Perspective), _) => Interpolation::Linear,
        (Some(I::Linear), S::Centroid) => Interpolation::NoPerspectiveCentroid,
        (Some(I::Linear), S::Sample) => Interpolation::NoPerspectiveSample,
        (Some(I::Linear), _) => Interpolation::NoPerspective,
    })
}

fn builtin_of(builtin: BuiltIn) -> Result<Builtin> {
    Ok(match builtin {
        BuiltIn::Position { .. } => Builtin::Position,
        BuiltIn::ViewIndex => Builtin::ViewIndex,
        BuiltIn::PrimitiveIndex => Builtin::PrimitiveIndex,
        BuiltIn::ClipDistances => Builtin::ClipDistance,
        BuiltIn::CullDistance => Builtin::CullDistance,
        BuiltIn::InstanceIndex => Builtin::InstanceIndex,
        BuiltIn::PointSize => Builtin::PointSize,
        BuiltIn::VertexIndex => Builtin::VertexIndex,
        BuiltIn::DrawIndex => Builtin::DrawIndex,
        BuiltIn::FragDepth => Builtin::FragDepth,
        BuiltIn::FrontFacing => Builtin::FrontFacing,
        BuiltIn::Barycentric { .. } => Builtin::Barycentric,
        BuiltIn::SampleIndex => Builtin::SampleIndex,
        BuiltIn::SampleMask => Builtin::SampleMask,
        BuiltIn::GlobalInvocationId => Builtin::GlobalInvocationId,
        BuiltIn::LocalInvocationId => Builtin::LocalInvocationId,
        BuiltIn::LocalInvocationIndex => Builtin::LocalInvocationIndex,
        BuiltIn::WorkGroupId => Builtin::WorkgroupId,
        BuiltIn::NumWorkGroups => Builtin::NumWorkgroups,
        BuiltIn::NumSubgroups => Builtin::NumSubgroups,
        BuiltIn::SubgroupId => Builtin::SubgroupId,
        BuiltIn::SubgroupSize => Builtin::SubgroupSize,
        BuiltIn::SubgroupInvocationId => Builtin::SubgroupInvocationId,
        other => return unsupported(format!("the builtin {other:?}")),
    })
}
