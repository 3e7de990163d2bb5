//! Textures: sampling, gathering, texels, sizes.

use super::function::{Code, View};
use super::is_implicit;
use super::memory::Resource;
use super::module::{Module, Scalar};
use crate::WriteError;
use gpuproof_program::{
    Access, Detail, Dimension, Instruction, Level, Op, Sampling, SamplingOperands, Shape, Stage, Target, TextureShape, Value,
};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Dim, ImageOperands, Op as S, StorageClass, Word};

/// The dimension of an image, with what the module has to ask for.
pub(super) fn dimension(module: &mut Module, shape: &TextureShape, storage: bool) -> Dim {
    let capability = match (shape.dimension, shape.arrayed, storage) {
        (Dimension::Buffer, _, false) => Some(Capability::SampledBuffer),
        (Dimension::Buffer, _, true) => Some(Capability::ImageBuffer),
        (Dimension::D1, _, false) => Some(Capability::Sampled1D),
        (Dimension::D1, _, true) => Some(Capability::Image1D),
        (Dimension::Cube, true, false) => Some(Capability::SampledCubeArray),
        (Dimension::Cube, true, true) => Some(Capability::ImageCubeArray),
        _ => None,
    };
    if let Some(capability) = capability {
        module.capability(capability);
    }
    match shape.dimension {
        Dimension::Buffer => Dim::DimBuffer,
        Dimension::D1 => Dim::Dim1D,
        Dimension::D2 => Dim::Dim2D,
        Dimension::D3 => Dim::Dim3D,
        Dimension::Cube => Dim::DimCube,
    }
}

/// How many coordinates a lookup has, without a layer.
fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

/// How many numbers the size of one level is, without layers.
fn extents(dimension: Dimension) -> usize {
    if dimension == Dimension::Cube { 2 } else { axes(dimension) }
}

/// What follows the coordinates of a lookup: which things, and the ids.
#[derive(Default)]
struct More {
    mask: Option<ImageOperands>,
    ids: Vec<Word>,
}

impl More {
    /// Adds operands; those of lower bits come first.
    fn add(&mut self, bit: ImageOperands, ids: &[Word]) {
        self.mask = Some(self.mask.map_or(bit, |mask| mask | bit));
        self.ids.extend(ids);
    }

    fn operands(self) -> Vec<Operand> {
        let ids = self.ids.into_iter().map(Operand::IdRef);
        self.mask.into_iter().map(Operand::ImageOperands).chain(ids).collect()
    }
}

impl Code<'_, '_> {
    fn texture(&self, instruction: &Instruction) -> Result<(Resource, TextureShape, Access), WriteError> {
        let (Target::Resource(id) | Target::Sampled(id, _)) = instruction.attrs.target else {
            return Err(self.unsupported(instruction));
        };
        let resource = self.w.program.interface.resource(id);
        let Shape::Texture(shape) = resource.shape else { return Err(self.unsupported(instruction)) };
        Ok((self.w.resources[id.index()], shape, resource.access))
    }

    /// Several floats as one.
    fn floats(&mut self, values: &[Value]) -> Word {
        let parts: Vec<Word> = values.iter().map(|value| self.float(*value)).collect();
        self.together(Scalar::F32, &parts)
    }

    fn together(&mut self, scalar: Scalar, parts: &[Word]) -> Word {
        if let [one] = parts {
            return *one;
        }
        let ty = self.w.module.vector(scalar, parts.len() as u32);
        self.on(S::CompositeConstruct, ty, parts)
    }

    /// Several words as signed coordinates.
    fn integers(&mut self, values: &[Value]) -> Word {
        let ty = self.scalar(Scalar::I32);
        let parts: Vec<Word> = values
            .iter()
            .map(|value| match self.w.constant(self.id, *value) {
                Some(bits) => self.w.module.constant(Scalar::I32, bits),
                None => {
                    let bits = self.bits(*value);
                    self.on(S::Bitcast, ty, &[bits])
                }
            })
            .collect();
        self.together(Scalar::I32, &parts)
    }

    /// Texel offsets: as a constant where they are, else signed numbers of six bits (D3D11 22.4.4).
    fn offsets(&mut self, instruction: &Instruction, values: &[Value]) -> Result<(ImageOperands, Word), WriteError> {
        let known: Option<Vec<u32>> =
            values.iter().map(|value| self.w.constant(self.id, *value).map(|bits| bits as u32)).collect();
        if let Some(known) = known {
            let parts: Vec<Word> = known.iter().map(|bits| self.w.module.constant(Scalar::I32, u64::from(*bits))).collect();
            let id = match parts.as_slice() {
                [one] => *one,
                several => {
                    let ty = self.w.module.vector(Scalar::I32, several.len() as u32);
                    self.w.module.composite(ty, several)
                }
            };
            return Ok((ImageOperands::CONST_OFFSET, id));
        }
        if instruction.op != Op::Gather {
            return Err(self.refuse(instruction, "texel offsets that are computed"));
        }
        self.w.module.capability(Capability::ImageGatherExtended);
        let ty = self.scalar(Scalar::I32);
        let [zero, six] = [0, 6].map(|bits| self.w.module.word(bits));
        let parts: Vec<Word> = values
            .iter()
            .map(|value| {
                let bits = self.bits(*value);
                let signed = self.on(S::Bitcast, ty, &[bits]);
                self.on(S::BitFieldSExtract, ty, &[signed, zero, six])
            })
            .collect();
        Ok((ImageOperands::OFFSET, self.together(Scalar::I32, &parts)))
    }

    fn sampled_image(&mut self, instruction: &Instruction, resource: Resource) -> Result<Word, WriteError> {
        let Target::Sampled(_, sampler) = instruction.attrs.target else { return Err(self.unsupported(instruction)) };
        let image = self.image(resource, instruction.args[SamplingOperands::TEXTURE]);
        let sampler = self.w.samplers[sampler.index()];
        let sampler = self.image(sampler, instruction.args[SamplingOperands::SAMPLER]);
        let ty = self.w.module.ty(S::TypeSampledImage, vec![Operand::IdRef(resource.ty)]);
        Ok(self.on(S::SampledImage, ty, &[image, sampler]))
    }

    fn coordinates(&mut self, instruction: &Instruction, shape: &TextureShape) -> Word {
        let from = SamplingOperands::COORDINATES;
        let mut values = instruction.args[from..from + axes(shape.dimension)].to_vec();
        if shape.arrayed {
            values.push(instruction.args[SamplingOperands::LAYER]);
        }
        self.floats(&values)
    }

    /// Adds a lookup. Where the status of residency is asked for, its value is defined too.
    fn lookup(&mut self, instruction: &Instruction, op: S, ty: Word, operands: Vec<Operand>) -> Word {
        let status = instruction.results[4];
        let sparse = match op {
            _ if !self.w.used[self.id.index()].contains(&status) => return self.op(op, ty, operands),
            S::ImageSampleImplicitLod => S::ImageSparseSampleImplicitLod,
            S::ImageSampleExplicitLod => S::ImageSparseSampleExplicitLod,
            S::ImageSampleDrefImplicitLod => S::ImageSparseSampleDrefImplicitLod,
            S::ImageSampleDrefExplicitLod => S::ImageSparseSampleDrefExplicitLod,
            S::ImageGather => S::ImageSparseGather,
            S::ImageDrefGather => S::ImageSparseDrefGather,
            S::ImageRead => S::ImageSparseRead,
            _ => S::ImageSparseFetch,
        };
        self.w.module.capability(Capability::SparseResidency);
        let code = self.scalar(Scalar::I32);
        let both = self.w.module.ty(S::TypeStruct, vec![Operand::IdRef(code), Operand::IdRef(ty)]);
        let made = self.op(sparse, both, operands);
        let code = self.part(code, made, 0);
        let (truth, word) = (self.scalar(Scalar::Bool), self.scalar(Scalar::U32));
        let resident = self.on(S::ImageSparseTexelsResident, truth, &[code]);
        // The status is a word that is not 0 where all was mapped (D3D11 5.9.4).
        let [zero, one] = [0, 1].map(|bits| self.w.module.word(bits));
        let word = self.on(S::Select, word, &[resident, one, zero]);
        self.define(status, View::Bits, word);
        self.part(ty, made, 1)
    }

    /// Gives the four numbers of a texel their values.
    fn texel(&mut self, instruction: &Instruction, shape: &TextureShape, vector: Word) -> Result<(), WriteError> {
        let used = self.used(instruction);
        let scalar = Scalar::of_kind(shape.kind);
        let ty = self.scalar(scalar);
        for (at, result) in instruction.results.iter().take(4).enumerate() {
            if !used[at] {
                continue;
            }
            let part = self.part(ty, vector, at as u32);
            self.hold(*result, scalar, part);
        }
        Ok(())
    }

    /// Says that an id of a type is a value.
    pub(super) fn hold(&mut self, value: Value, scalar: Scalar, id: Word) {
        match scalar {
            Scalar::F32 => self.define(value, View::Float, id),
            Scalar::I32 => {
                let ty = self.scalar(Scalar::U32);
                let word = self.on(S::Bitcast, ty, &[id]);
                self.define(value, View::Bits, word);
            }
            _ => self.define(value, View::Bits, id),
        }
    }

    fn used(&self, instruction: &Instruction) -> Vec<bool> {
        instruction.results.iter().map(|result| self.w.used[self.id.index()].contains(result)).collect()
    }

    pub(super) fn sample(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Detail::Sampling(sampling) = instruction.attrs.detail else { return Err(self.unsupported(instruction)) };
        let (resource, shape, _) = self.texture(instruction)?;
        if sampling.base_clamp_to_edge {
            return Err(self.refuse(instruction, "a lookup that is clamped to the texture's edge"));
        }
        if is_implicit(instruction) && self.w.program.stage != Stage::Pixel {
            return Err(self.refuse(instruction, "a level from derivatives outside pixel programs"));
        }
        let image = self.sampled_image(instruction, resource)?;
        let coordinates = self.coordinates(instruction, &shape);
        let places = sampling.operands();
        let (explicit, more) = self.level(instruction, &sampling, &shape)?;
        let result = if sampling.compare { Scalar::F32 } else { Scalar::of_kind(shape.kind) };
        let ty = self.w.module.vector(result, if sampling.compare { 1 } else { 4 });
        let mut operands = vec![Operand::IdRef(image), Operand::IdRef(coordinates)];
        if let Some(at) = places.reference {
            operands.push(Operand::IdRef(self.float(instruction.args[at])));
        }
        operands.extend(more.operands());
        let op = match (sampling.compare, explicit) {
            (false, false) => S::ImageSampleImplicitLod,
            (false, true) => S::ImageSampleExplicitLod,
            (true, false) => S::ImageSampleDrefImplicitLod,
            (true, true) => S::ImageSampleDrefExplicitLod,
        };
        let made = self.lookup(instruction, op, ty, operands);
        if !sampling.compare {
            return self.texel(instruction, &shape, made);
        }
        for result in instruction.results.iter().take(4) {
            self.define(*result, View::Float, made);
        }
        Ok(())
    }

    /// Where the level comes from, with offsets and the least level; whether it is explicit.
    fn level(
        &mut self,
        instruction: &Instruction,
        sampling: &Sampling,
        shape: &TextureShape,
    ) -> Result<(bool, More), WriteError> {
        let (args, places) = (&instruction.args, sampling.operands());
        let mut more = More::default();
        let explicit = match sampling.level {
            Level::Implicit => false,
            Level::Bias => {
                let bias = places.level.map(|at| self.float(args[at]));
                more.add(ImageOperands::BIAS, bias.as_slice());
                false
            }
            Level::Explicit => {
                let level = places.level.map(|at| self.float(args[at]));
                more.add(ImageOperands::LOD, level.as_slice());
                true
            }
            Level::Zero => {
                let zero = self.w.module.constant(Scalar::F32, 0);
                more.add(ImageOperands::LOD, &[zero]);
                true
            }
            Level::Gradient => {
                let count = axes(shape.dimension);
                let Some(at) = places.gradients else { return Err(self.unsupported(instruction)) };
                let gradients = [at, at + 3].map(|at| self.floats(&args[at..at + count]));
                more.add(ImageOperands::GRAD, &gradients);
                true
            }
        };
        if let Some(at) = places.offset.filter(|_| shape.dimension != Dimension::Cube) {
            let (bit, offset) = self.offsets(instruction, &args[at..at + axes(shape.dimension)])?;
            more.add(bit, &[offset]);
        }
        if let Some(at) = places.clamp {
            self.w.module.capability(Capability::MinLod);
            let least = self.float(args[at]);
            more.add(ImageOperands::MIN_LOD, &[least]);
        }
        Ok((explicit, more))
    }

    pub(super) fn gather(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Detail::Sampling(sampling) = instruction.attrs.detail else { return Err(self.unsupported(instruction)) };
        let (resource, shape, _) = self.texture(instruction)?;
        let image = self.sampled_image(instruction, resource)?;
        let coordinates = self.coordinates(instruction, &shape);
        let places = sampling.operands();
        let mut more = More::default();
        if let Some(at) = places.offset.filter(|_| shape.dimension != Dimension::Cube) {
            let (bit, offset) = self.offsets(instruction, &instruction.args[at..at + axes(shape.dimension)])?;
            more.add(bit, &[offset]);
        }
        let which = match places.reference {
            Some(at) => self.float(instruction.args[at]),
            None => self.w.module.constant(Scalar::I32, sampling.component.into()),
        };
        let ty = self.w.module.vector(Scalar::of_kind(shape.kind), 4);
        let mut operands = [image, coordinates, which].map(Operand::IdRef).to_vec();
        operands.extend(more.operands());
        let op = if sampling.compare { S::ImageDrefGather } else { S::ImageGather };
        let made = self.lookup(instruction, op, ty, operands);
        self.texel(instruction, &shape, made)
    }

    /// The level that a sample would use: clamped to the view, and not.
    pub(super) fn sample_level(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (resource, shape, _) = self.texture(instruction)?;
        self.w.module.capability(Capability::ImageQuery);
        let image = self.sampled_image(instruction, resource)?;
        let from = SamplingOperands::COORDINATES;
        let coordinates = self.floats(&instruction.args[from..from + axes(shape.dimension)]);
        let (pair, ty) = (self.w.module.vector(Scalar::F32, 2), self.scalar(Scalar::F32));
        let both = self.on(S::ImageQueryLod, pair, &[image, coordinates]);
        for (at, result) in instruction.results.iter().enumerate() {
            let part = self.part(ty, both, at as u32);
            self.define(*result, View::Float, part);
        }
        Ok(())
    }

    /// The integer coordinates of a texel: operands after the element.
    fn place(&mut self, instruction: &Instruction, shape: &TextureShape) -> Word {
        let count = match shape.dimension {
            // A face is a layer.
            Dimension::Cube => 3,
            dimension => axes(dimension) + usize::from(shape.arrayed),
        };
        let values = instruction.args[1..=count].to_vec();
        self.integers(&values)
    }

    pub(super) fn texel_load(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (resource, shape, access) = self.texture(instruction)?;
        if let Target::Resource(id) = instruction.attrs.target
            && self.w.uses.atomic.contains(&id.index())
        {
            let cell = self.texel_pointer(instruction, resource, &shape);
            let ty = self.scalar(Scalar::of_kind(shape.kind));
            let (scope, relaxed) = (self.w.module.word(1), self.w.module.word(0));
            let word = self.on(S::AtomicLoad, ty, &[cell, scope, relaxed]);
            self.hold(instruction.results[0], Scalar::of_kind(shape.kind), word);
            let [zero, one] = [0, 1].map(|bits| self.w.module.word(bits));
            for (result, part) in instruction.results[1..4].iter().zip([zero, zero, one]) {
                self.define(*result, View::Bits, part);
            }
            return Ok(());
        }
        let image = self.image(resource, instruction.args[0]);
        let place = self.place(instruction, &shape);
        let ty = self.w.module.vector(Scalar::of_kind(shape.kind), 4);
        let mut operands = vec![Operand::IdRef(image), Operand::IdRef(place)];
        let op = if access == Access::Read { S::ImageFetch } else { S::ImageRead };
        let mut more = More::default();
        if access == Access::Read && shape.dimension != Dimension::Buffer {
            let level = instruction.args[4];
            let level = self.integers(&[level]);
            more.add(if shape.multisampled { ImageOperands::SAMPLE } else { ImageOperands::LOD }, &[level]);
        }
        operands.extend(more.operands());
        let made = self.lookup(instruction, op, ty, operands);
        self.texel(instruction, &shape, made)
    }

    pub(super) fn texel_store(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (resource, shape, _) = self.texture(instruction)?;
        let scalar = Scalar::of_kind(shape.kind);
        let image = self.image(resource, instruction.args[0]);
        let place = self.place(instruction, &shape);
        let values = &instruction.args[4..8];
        let texel = match scalar {
            Scalar::F32 => self.floats(values),
            Scalar::I32 => self.integers(values),
            _ => {
                let parts: Vec<Word> = values.iter().map(|value| self.bits(*value)).collect();
                self.together(Scalar::U32, &parts)
            }
        };
        self.effect(S::ImageWrite, [image, place, texel].map(Operand::IdRef).to_vec());
        Ok(())
    }

    fn texel_pointer(&mut self, instruction: &Instruction, resource: Resource, shape: &TextureShape) -> Word {
        let base = self.element(resource, instruction.args[0]);
        let place = self.place(instruction, shape);
        let ty = self.scalar(Scalar::of_kind(shape.kind));
        let pointer = self.w.module.pointer(StorageClass::Image, ty);
        let sample = self.w.module.word(0);
        self.on(S::ImageTexelPointer, pointer, &[base, place, sample])
    }

    pub(super) fn texel_atomic(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (resource, shape, _) = self.texture(instruction)?;
        let scalar = Scalar::of_kind(shape.kind);
        if !matches!(scalar, Scalar::U32 | Scalar::I32) {
            return Err(self.refuse(instruction, "atomics on floats"));
        }
        let cell = self.texel_pointer(instruction, resource, &shape);
        self.atomic_on(instruction, cell, scalar)
    }

    pub(super) fn texture_size(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (resource, shape, access) = self.texture(instruction)?;
        self.w.module.capability(Capability::ImageQuery);
        let image = self.image(resource, instruction.args[0]);
        let fixed = access != Access::Read || shape.multisampled || shape.dimension == Dimension::Buffer;
        let counts = extents(shape.dimension);
        let all = counts + usize::from(shape.arrayed);
        let (ty, vector) = (self.scalar(Scalar::U32), self.w.module.vector(Scalar::U32, all as u32));
        let size = if fixed {
            self.on(S::ImageQuerySize, vector, &[image])
        } else {
            let level = self.bits(instruction.args[1]);
            self.on(S::ImageQuerySizeLod, vector, &[image, level])
        };
        let (zero, one) = (self.w.module.word(0), self.w.module.word(1));
        for at in 0..3 {
            let number = match (at < all, all) {
                (false, _) => zero,
                (true, 1) => size,
                (true, _) => self.part(ty, size, at as u32),
            };
            self.define(instruction.results[at], View::Bits, number);
        }
        let levels = if fixed { one } else { self.on(S::ImageQueryLevels, ty, &[image]) };
        self.define(instruction.results[3], View::Bits, levels);
        Ok(())
    }

    pub(super) fn texture_samples(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (resource, shape, _) = self.texture(instruction)?;
        let made = if shape.multisampled {
            self.w.module.capability(Capability::ImageQuery);
            let (ty, image) = (self.scalar(Scalar::U32), self.image(resource, instruction.args[0]));
            self.on(S::ImageQuerySamples, ty, &[image])
        } else {
            self.w.module.word(1)
        };
        self.define(instruction.results[0], View::Bits, made);
        Ok(())
    }
}
