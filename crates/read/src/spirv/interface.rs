//! What an entry point reads and writes.

use super::binary::Inst;
use super::error::{Result, bad, unsupported};
use super::lower::{Bound, Lower, Sink, Source};
use super::memory::{Index, Root};
use super::module::{Decor, Variable};
use super::types::{Image, Layout, Ty};
use gpuproof_program::{
    Access, Builtin, Dimension, InputId, Interpolation, IoVariable, Kind, Op, OutputId, Rate, Resource, ResourceId, Sampler,
    SamplerId, Shape, SharedId, SharedMemory, Slot, Stage, Target, TexelFormat, TextureShape, Width,
};
use rspirv::spirv::{BuiltIn, Decoration, Dim, Op as S, StorageClass};
use std::collections::{HashMap, HashSet};

/// The group of push constants, which have no binding.
const PUSH_CONSTANT_GROUP: u32 = u32::MAX;
/// The most variables of the pipeline's interface.
const MAX_IO: usize = 1 << 10;

/// Which operands of an instruction are pointers.
fn pointers(inst: &Inst) -> &[u32] {
    match inst.op {
        S::Load
        | S::Store
        | S::AccessChain
        | S::InBoundsAccessChain
        | S::ArrayLength
        | S::ImageTexelPointer
        | S::CopyObject
        | S::AtomicLoad
        | S::AtomicStore
        | S::AtomicExchange
        | S::AtomicCompareExchange
        | S::AtomicCompareExchangeWeak
        | S::AtomicIIncrement
        | S::AtomicIDecrement
        | S::AtomicIAdd
        | S::AtomicISub
        | S::AtomicSMin
        | S::AtomicUMin
        | S::AtomicSMax
        | S::AtomicUMax
        | S::AtomicAnd
        | S::AtomicOr
        | S::AtomicXor => &inst.operands[..inst.operands.len().min(1)],
        S::CopyMemory => &inst.operands[..inst.operands.len().min(2)],
        S::FunctionCall => inst.rest(1),
        S::ExtInst => inst.rest(2),
        _ => &[],
    }
}

/// The decorations that decide where a number of the pipeline's data lies.
#[derive(Clone, Copy, Default)]
struct Where {
    location: Option<u32>,
    component: u32,
    index: Option<u32>,
    builtin: Option<BuiltIn>,
    flat: bool,
    no_perspective: bool,
    centroid: bool,
    sample: bool,
}

impl Where {
    fn with(mut self, decorations: Option<&Vec<Decor>>) -> Result<Where> {
        for decor in decorations.into_iter().flatten() {
            let first = decor.operands.first().copied();
            match decor.kind {
                Decoration::Location => self.location = first,
                Decoration::Component => self.component = first.unwrap_or(0),
                Decoration::Index => self.index = first,
                Decoration::Flat => self.flat = true,
                Decoration::NoPerspective => self.no_perspective = true,
                Decoration::Centroid => self.centroid = true,
                Decoration::Sample => self.sample = true,
                Decoration::BuiltIn => match first.and_then(BuiltIn::from_u32) {
                    Some(builtin) => self.builtin = Some(builtin),
                    None => return unsupported("an unknown built-in variable"),
                },
                Decoration::Patch | Decoration::PerPrimitiveEXT | Decoration::PerVertexKHR => {
                    return unsupported(format!("inputs and outputs decorated {:?}", decor.kind));
                }
                _ => {}
            }
        }
        Ok(self)
    }

    fn interpolation(&self, kind: Kind) -> Interpolation {
        match (self.no_perspective, self.centroid, self.sample) {
            _ if self.flat || kind != Kind::Float => Interpolation::Flat,
            (false, _, true) => Interpolation::LinearSample,
            (false, true, _) => Interpolation::LinearCentroid,
            (false, ..) => Interpolation::Linear,
            (true, _, true) => Interpolation::NoPerspectiveSample,
            (true, true, _) => Interpolation::NoPerspectiveCentroid,
            (true, ..) => Interpolation::NoPerspective,
        }
    }
}

impl Lower<'_> {
    /// Finds the variables that the entry point's functions name, and which of all variables a computed index picks from.
    pub(super) fn survey(&mut self, entry: u32) -> Result<()> {
        let m = self.m;
        let variables: HashSet<u32> = self.d.variables.iter().map(|(id, _)| *id).collect();
        // What a pointer was made from.
        let mut roots: HashMap<u32, u32> = HashMap::new();
        // Parameters with what is given for them.
        let mut given: Vec<(u32, u32)> = Vec::new();
        let mut dynamic: Vec<u32> = Vec::new();
        let (mut open, mut seen) = (vec![entry], HashSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(function) = m.functions.get(&id) else { return bad(format!("%{id} is no function")) };
            let last = function.blocks.last().map_or(function.at, |(.., last)| *last);
            for at in function.at..=last {
                let inst = &m.binary.insts[at];
                let root = |id: &u32| roots.get(id).copied().unwrap_or(*id);
                for id in pointers(inst).iter().map(root).filter(|id| variables.contains(id)) {
                    // The first index into a variable picks a member.
                    let member = match inst.op {
                        S::AccessChain | S::InBoundsAccessChain if inst.at(0) == id => {
                            inst.operands.get(1).and_then(|index| self.d.constants.word(*index))
                        }
                        S::AccessChain | S::InBoundsAccessChain => continue,
                        _ if inst.operands.contains(&id) || inst.op == S::FunctionCall => None,
                        _ => continue,
                    };
                    let members = self.named.entry(id).or_insert_with(|| Some(HashSet::new()));
                    match (member, members.as_mut()) {
                        (Some(member), Some(members)) => _ = members.insert(member as u32),
                        _ => *members = None,
                    }
                }
                match inst.op {
                    S::AccessChain | S::InBoundsAccessChain => {
                        let whole = root(&inst.at(0));
                        if inst.rest(1).iter().any(|index| self.d.constants.word(*index).is_none()) {
                            dynamic.push(whole);
                        }
                        roots.extend(inst.result.map(|id| (id, whole)));
                    }
                    S::CopyObject => {
                        let whole = root(&inst.at(0));
                        roots.extend(inst.result.map(|id| (id, whole)));
                    }
                    S::FunctionCall => {
                        open.push(inst.at(0));
                        if let Some(callee) = m.functions.get(&inst.at(0)) {
                            given.extend(callee.params.iter().copied().zip(inst.rest(1).iter().map(root)));
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut by_param: HashMap<u32, Vec<u32>> = HashMap::new();
        given.into_iter().for_each(|(param, argument)| by_param.entry(param).or_default().push(argument));
        while let Some(id) = dynamic.pop() {
            if self.dynamic.insert(id) {
                dynamic.extend(by_param.get(&id).into_iter().flatten());
            }
        }
        Ok(())
    }

    /// Declares the variables that are named.
    pub(super) fn interface(&mut self) -> Result<()> {
        let d = self.d;
        let mut bound: Vec<(Slot, u32, Variable)> = Vec::new();
        for (id, variable) in d.variables.iter().filter(|(id, _)| self.named.contains_key(id)).copied().collect::<Vec<_>>() {
            self.m.place.set(variable.at);
            match variable.class {
                StorageClass::Input => self.io(id, &variable, true)?,
                StorageClass::Output => self.io(id, &variable, false)?,
                StorageClass::Private => {}
                StorageClass::Workgroup => self.workgroup(id, &variable)?,
                StorageClass::PushConstant => {
                    bound.push((Slot::Binding { group: PUSH_CONSTANT_GROUP, binding: 0 }, id, variable))
                }
                StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer => {
                    let number = |kind| self.m.decor(id, kind).and_then(|operands| operands.first().copied());
                    let (Some(group), Some(binding)) = (number(Decoration::DescriptorSet), number(Decoration::Binding)) else {
                        return bad("a variable without DescriptorSet and Binding");
                    };
                    bound.push((Slot::Binding { group, binding }, id, variable));
                }
                class => return unsupported(format!("variables of the storage class {class:?}")),
            }
        }
        bound.sort_by_key(|(slot, id, _)| (*slot, *id));
        for pair in bound.windows(2) {
            if pair[0].0 == pair[1].0 && !self.is_pair(pair[0].2.ty, pair[1].2.ty) {
                let (a, b) = (self.m.name(pair[0].1), self.m.name(pair[1].1));
                let note = format!("`{a}` and `{b}` have one binding and are taken for two");
                self.program.notes.push(note);
            }
        }
        for (slot, id, variable) in bound {
            self.m.place.set(variable.at);
            if slot == (Slot::Binding { group: PUSH_CONSTANT_GROUP, binding: 0 }) {
                self.program.notes.push(format!("push constants are bound as group {PUSH_CONSTANT_GROUP} binding 0"));
            }
            self.resource(slot, id, &variable)?;
        }
        Ok(())
    }

    /// Whether one of two types is an image and the other a sampler, which may share a binding.
    fn is_pair(&self, a: u32, b: u32) -> bool {
        let is = |ty, sampler: bool| match self.d.types.get(ty) {
            Ok(Ty::Sampler) => sampler,
            Ok(Ty::Image(_)) => !sampler,
            _ => false,
        };
        is(a, true) && is(b, false) || is(a, false) && is(b, true)
    }

    fn workgroup(&mut self, id: u32, variable: &Variable) -> Result<()> {
        let layout = if self.is_block(variable.ty) { Layout::Explicit(None) } else { Layout::Packed };
        let bytes = self.d.types.size(variable.ty, layout)?;
        let Some(bytes) = bytes.checked_next_multiple_of(4).filter(|bytes| *bytes <= 1 << 20) else {
            return unsupported(format!("{bytes} bytes of workgroup memory"));
        };
        let zeroed = match variable.initial {
            None => false,
            Some(initial) => match self.d.constants.get(initial) {
                Some((_, numbers)) if numbers.iter().all(|number| *number == Some(0)) => true,
                _ => return unsupported("workgroup memory that begins with other than zeros"),
            },
        };
        let shared = SharedId(self.program.shared.len() as u32);
        self.program.shared.push(SharedMemory { name: self.m.name(id).to_owned(), bytes, stride: 4, zeroed });
        self.globals.insert(id, Root::Shared(shared));
        Ok(())
    }

    /// An input or output: a variable of the interface for each vector, column and element.
    fn io(&mut self, id: u32, variable: &Variable, input: bool) -> Result<()> {
        let mut name = self.m.name(id).to_owned();
        let semantic =
            self.m.decorations.get(&id).and_then(|all| all.iter().find(|decor| decor.kind == Decoration::UserSemantic));
        if let Some(semantic) = semantic {
            name = text(&semantic.operands);
        }
        let place = Where::default().with(self.m.decorations.get(&id))?;
        let mut targets: Vec<Option<(u32, u8)>> = Vec::new();
        let mut sources: Vec<Source> = Vec::new();
        if let Ty::Struct(members) = self.d.types.get(variable.ty)? {
            let members = members.clone();
            let named = self.named.get(&id).cloned().flatten();
            let mut next = place.location;
            for (i, member) in (0..).zip(members.iter()) {
                let mut of_member = Where { location: next, ..place }.with(self.m.member_decorations.get(&(variable.ty, i)))?;
                if of_member.builtin.is_some() {
                    of_member.location = None;
                }
                next = of_member.location.or(next).map(|at| at + self.locations(*member));
                let own = self.m.member_names.get(&(variable.ty, i)).filter(|name| !name.is_empty());
                let name = own.cloned().unwrap_or_else(|| format!("{name}.{i}"));
                if named.as_ref().is_some_and(|named| !named.contains(&i)) {
                    let count = self.d.types.count(*member)?;
                    targets.extend(std::iter::repeat_n(None, count));
                    continue;
                }
                self.variables(&name, *member, of_member, input, &mut targets, &mut sources)?;
            }
        } else {
            self.variables(&name, variable.ty, place, input, &mut targets, &mut sources)?;
        }
        if input {
            // A built-in that is no variable of the interface has its own sources.
            let own: Vec<Option<Source>> = match (targets.is_empty(), sources.is_empty()) {
                (true, _) => sources.into_iter().map(Some).collect(),
                (_, true) => targets.iter().map(|target| target.map(|(at, part)| Source::Input(InputId(at), part))).collect(),
                _ => return unsupported("a structure of built-in variables of these kinds"),
            };
            self.inputs.insert(id, own.into());
            return Ok(());
        }
        let widths = self.d.types.widths(variable.ty)?;
        let sinks: Vec<Sink> =
            targets.iter().zip(&widths).map(|(target, width)| target.map(|(at, part)| (OutputId(at), part, *width))).collect();
        let initial = variable.initial.and_then(|initial| self.d.constants.get(initial)).map(|(_, numbers)| numbers.clone());
        let locals: Vec<_> = widths.iter().map(|width| self.b.local(*width)).collect();
        for (i, bits) in initial.iter().flat_map(|numbers| numbers.iter().enumerate()) {
            if let (Some(bits), Some(Some((output, part, width)))) = (bits, sinks.get(i)) {
                let value = self.b.constant(*width, *bits);
                self.b.set(locals[i], value);
                let attrs = self.target(Op::Output, Target::Output(*output, *part));
                self.b.effect(Op::Output, attrs, &[value]);
            }
        }
        self.outputs.insert(id, (sinks.into(), locals.into()));
        Ok(())
    }

    /// How many locations a type takes.
    fn locations(&self, ty: u32) -> u32 {
        match self.d.types.get(ty) {
            Ok(Ty::Vector(of, n)) if *n > 2 && self.d.types.scalar(*of).is_ok_and(|scalar| scalar.width == Width::W64) => 2,
            Ok(Ty::Matrix(of, n) | Ty::Array(of, n)) => n.saturating_mul(self.locations(*of)),
            Ok(Ty::Struct(members)) => members.iter().map(|member| self.locations(*member)).fold(0, u32::saturating_add),
            _ => 1,
        }
    }

    /// Adds the variables of a type, and for each of its numbers the variable's place and component.
    fn variables(
        &mut self,
        name: &str,
        ty: u32,
        place: Where,
        input: bool,
        targets: &mut Vec<Option<(u32, u8)>>,
        sources: &mut Vec<Source>,
    ) -> Result<()> {
        let builtin = place.builtin.map(|builtin| self.builtin(builtin, input)).transpose()?;
        let (of, count) = match self.d.types.get(ty)? {
            Ty::Scalar(_) => (ty, 1),
            Ty::Vector(of, n) => (*of, *n),
            // Built-in arrays are numbers in a row, four to a variable.
            Ty::Array(of, n) if place.builtin.is_some() && matches!(self.d.types.get(*of), Ok(Ty::Scalar(_))) => (*of, *n),
            Ty::Matrix(of, n) | Ty::Array(of, n) if place.builtin.is_none() => {
                let (of, n, apart) = (*of, *n, self.locations(*of));
                for i in 0..n {
                    let location = place.location.map(|at| at.saturating_add(i.saturating_mul(apart)));
                    self.variables(&format!("{name}.{i}"), of, Where { location, ..place }, input, targets, sources)?;
                }
                return Ok(());
            }
            Ty::Struct(members) if place.builtin.is_none() => {
                let (members, mut location) = (members.clone(), place.location);
                for (i, member) in members.iter().enumerate() {
                    self.variables(&format!("{name}.{i}"), *member, Where { location, ..place }, input, targets, sources)?;
                    location = location.map(|at| at.saturating_add(self.locations(*member)));
                }
                return Ok(());
            }
            _ => return unsupported("an input or output of this type"),
        };
        let scalar = self.d.types.scalar(of)?;
        let builtin = match builtin {
            Some(Meaning::Builtin(builtin)) => Some(builtin),
            Some(Meaning::Helper) => {
                sources.push(Source::Helper);
                return Ok(());
            }
            Some(Meaning::Mask(mask)) => {
                sources.extend((0..count).map(|word| Source::Mask(mask, word)));
                return Ok(());
            }
            None if place.location.is_none() => return bad("an input or output without Location or BuiltIn"),
            None => None,
        };
        let all = if input { &mut self.program.interface.inputs } else { &mut self.program.interface.outputs };
        if all.len() + count.div_ceil(4) as usize > MAX_IO {
            return unsupported(format!("more than {MAX_IO} inputs or outputs"));
        }
        let name = match place.builtin {
            Some(builtin) if name.is_empty() => format!("{builtin:?}"),
            _ => name.to_owned(),
        };
        for part in 0..count.div_ceil(4) {
            let here = (count - 4 * part).min(4);
            let shift = if count <= 4 { place.component.min(4 - here) } else { 0 };
            targets.extend((0..here).map(|i| Some((all.len() as u32, (i + shift) as u8))));
            all.push(IoVariable {
                name: name.clone(),
                semantic_index: part,
                location: if builtin.is_some() { None } else { place.location },
                blend_source: if input { None } else { place.index },
                mask: (((1u32 << here) - 1) << shift) as u8,
                kind: scalar.kind,
                width: scalar.width,
                builtin,
                interpolation: if input && self.program.stage == Stage::Pixel && builtin.is_none() {
                    place.interpolation(scalar.kind)
                } else {
                    Interpolation::Linear
                },
                rate: Rate::Lane,
            });
        }
        Ok(())
    }

    fn builtin(&self, builtin: BuiltIn, input: bool) -> Result<Meaning> {
        use BuiltIn as B;
        Ok(Meaning::Builtin(match builtin {
            B::Position | B::FragCoord => Builtin::Position,
            B::PointSize => Builtin::PointSize,
            B::ClipDistance => Builtin::ClipDistance,
            B::CullDistance => Builtin::CullDistance,
            B::VertexIndex => Builtin::VertexIndex,
            B::InstanceIndex => Builtin::InstanceIndex,
            B::DrawIndex => Builtin::DrawIndex,
            B::PrimitiveId => Builtin::PrimitiveIndex,
            B::Layer => Builtin::RenderTargetArrayIndex,
            B::ViewportIndex => Builtin::ViewportArrayIndex,
            B::ViewIndex => Builtin::ViewIndex,
            B::FrontFacing => Builtin::FrontFacing,
            B::SampleId => Builtin::SampleIndex,
            B::SampleMask => Builtin::SampleMask,
            B::FragDepth => Builtin::FragDepth,
            B::FragStencilRefEXT => Builtin::StencilRef,
            B::BaryCoordKHR | B::BaryCoordNoPerspKHR => Builtin::Barycentric,
            B::GlobalInvocationId => Builtin::GlobalInvocationId,
            B::LocalInvocationId => Builtin::LocalInvocationId,
            B::LocalInvocationIndex => Builtin::LocalInvocationIndex,
            B::WorkgroupId => Builtin::WorkgroupId,
            B::NumWorkgroups => Builtin::NumWorkgroups,
            B::SubgroupSize => Builtin::SubgroupSize,
            B::SubgroupLocalInvocationId => Builtin::SubgroupInvocationId,
            B::SubgroupId => Builtin::SubgroupId,
            B::NumSubgroups => Builtin::NumSubgroups,
            B::HelperInvocation if input => return Ok(Meaning::Helper),
            B::SubgroupEqMask | B::SubgroupGeMask | B::SubgroupGtMask | B::SubgroupLeMask | B::SubgroupLtMask if input => {
                return Ok(Meaning::Mask(builtin));
            }
            other => return unsupported(format!("the built-in variable {other:?}")),
        }))
    }

    /// The resource or sampler, or both, that a variable declares.
    fn resource(&mut self, slot: Slot, id: u32, variable: &Variable) -> Result<()> {
        let (mut inner, mut count) = (variable.ty, Some(1u32));
        while let Ty::Array(of, n) = self.d.types.get(inner)? {
            (inner, count) = (*of, count.and_then(|count| count.checked_mul(*n)));
        }
        if let Ty::RuntimeArray(of) = self.d.types.get(inner)? {
            (inner, count) = (*of, None);
        }
        let mut name = self.m.name(id).to_owned();
        if name.is_empty() {
            // A block of GLSL without an instance name.
            name = self.m.name(inner).to_owned();
        }
        if name.is_empty() {
            name = match slot {
                Slot::Binding { group: PUSH_CONSTANT_GROUP, .. } => "push_constants".to_owned(),
                Slot::Binding { group, binding } => format!("binding_{group}_{binding}"),
                Slot::Register { .. } => name,
            };
        }
        let interface = &mut self.program.interface;
        let mut sampler = |name: String| {
            interface.samplers.push(Sampler { name, slot, count, comparison: false });
            SamplerId(interface.samplers.len() as u32 - 1)
        };
        let mut image = None;
        let bound = match self.d.types.get(inner)? {
            Ty::Sampler => Some(Bound::Sampler(sampler(name.clone()))),
            Ty::Image(of) => {
                image = Some(*of);
                None
            }
            Ty::SampledImage(of) => {
                let Ty::Image(of) = self.d.types.get(*of)? else { return bad("a sampled image of what is no image") };
                image = Some(*of);
                Some(Bound::Sampler(sampler(name.clone())))
            }
            Ty::Struct(_) if self.is_block(inner) => None,
            _ => return unsupported("a bound variable of this type"),
        };
        if let (Some(bound @ Bound::Sampler(_)), None) = (bound, image) {
            self.opaques.insert(id, bound);
            return Ok(());
        }
        let has = |kind| self.m.decor(id, kind).is_some();
        let all_members = |kind| match self.d.types.get(inner) {
            Ok(Ty::Struct(members)) => {
                !members.is_empty() && (0..members.len()).all(|i| self.m.member_decor(inner, i as u32, kind).is_some())
            }
            _ => false,
        };
        let is = |kind| has(kind) || all_members(kind);
        let access = match (is(Decoration::NonWritable), is(Decoration::NonReadable)) {
            (true, _) => Access::Read,
            (false, true) => Access::Write,
            _ => Access::ReadWrite,
        };
        let (shape, access, layout) = match image {
            Some(of) => (Shape::Texture(texture_shape(&of)?), if of.storage { access } else { Access::Read }, None),
            None => {
                let layout = Layout::Explicit(None);
                let (bytes, shown) = (self.d.types.size(inner, layout)?, self.d.types.layout(inner, layout)?);
                let stored =
                    variable.class == StorageClass::StorageBuffer || self.m.decor(inner, Decoration::BufferBlock).is_some();
                match stored {
                    true => (Shape::Buffer { bytes }, access, Some(shown)),
                    false => (Shape::ConstantBuffer { bytes }, Access::Read, Some(shown)),
                }
            }
        };
        self.program.interface.resources.push(Resource { name, slot, count, shape, access, layout, counter: false });
        let resource = ResourceId(self.program.interface.resources.len() as u32 - 1);
        match (image, bound) {
            (Some(_), Some(Bound::Sampler(sampler))) => _ = self.opaques.insert(id, Bound::Both(resource, sampler)),
            (Some(_), _) => _ = self.opaques.insert(id, Bound::Image(resource)),
            _ => _ = self.globals.insert(id, Root::Buffer(resource, Index::Fixed(0))),
        }
        Ok(())
    }
}

/// What a built-in variable is.
enum Meaning {
    Builtin(Builtin),
    Helper,
    Mask(BuiltIn),
}

fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn texture_shape(image: &Image) -> Result<TextureShape> {
    let dimension = match image.dim {
        Dim::Dim1D => Dimension::D1,
        Dim::Dim2D => Dimension::D2,
        Dim::Dim3D => Dimension::D3,
        Dim::DimCube => Dimension::Cube,
        Dim::DimBuffer => Dimension::Buffer,
        other => return unsupported(format!("images of the dimension {other:?}")),
    };
    if image.sampled_type.width != Width::W32 {
        return unsupported(format!("images of {} bits", image.sampled_type.width.bits()));
    }
    Ok(TextureShape {
        dimension,
        arrayed: image.arrayed,
        multisampled: image.multisampled,
        kind: image.sampled_type.kind,
        depth: image.depth && !image.storage,
        format: dxgi_format(image.format)?.map(TexelFormat),
    })
}

/// The number of an image format in `DXGI_FORMAT`; none where the module leaves it open.
fn dxgi_format(format: u32) -> Result<Option<u32>> {
    use rspirv::spirv::ImageFormat as F;
    let Some(format) = F::from_u32(format) else { return unsupported(format!("the image format {format}")) };
    Ok(Some(match format {
        F::Unknown => return Ok(None),
        F::Rgba32f => 2,
        F::Rgba32ui => 3,
        F::Rgba32i => 4,
        F::Rgba16f => 10,
        F::Rgba16 => 11,
        F::Rgba16ui => 12,
        F::Rgba16Snorm => 13,
        F::Rgba16i => 14,
        F::Rg32f => 16,
        F::Rg32ui => 17,
        F::Rg32i => 18,
        F::Rgb10A2 => 24,
        F::Rgb10a2ui => 25,
        F::R11fG11fB10f => 26,
        F::Rgba8 => 28,
        F::Rgba8ui => 30,
        F::Rgba8Snorm => 31,
        F::Rgba8i => 32,
        F::Rg16f => 34,
        F::Rg16 => 35,
        F::Rg16ui => 36,
        F::Rg16Snorm => 37,
        F::Rg16i => 38,
        F::R32f => 41,
        F::R32ui => 42,
        F::R32i => 43,
        F::Rg8 => 49,
        F::Rg8ui => 50,
        F::Rg8Snorm => 51,
        F::Rg8i => 52,
        F::R16f => 54,
        F::R16 => 56,
        F::R16ui => 57,
        F::R16Snorm => 58,
        F::R16i => 59,
        F::R8 => 61,
        F::R8ui => 62,
        F::R8Snorm => 63,
        F::R8i => 64,
        other => return unsupported(format!("the image format {other:?}")),
    }))
}
