//! Images: sampling, fetches, reads, writes, texels for atomics, and queries.

use super::binary::Inst;
use super::error::{Result, bad, unsupported};
use super::lower::Lower;
use super::memory::{Pointer, Root, Val};
use super::types::{Image, Layout, Ty};
use gpuproof_program::{Detail, Kind, Level, Op, ResourceId, SamplerId, Sampling, SamplingOperands, Target, Value, Width};
use rspirv::spirv::{Dim, ImageOperands, Op as S};
use std::rc::Rc;

/// An image operand.
struct Texture {
    id: ResourceId,
    element: Value,
    ty: Image,
}

/// The image operands that an instruction has, by their ids.
#[derive(Default)]
struct Extra {
    bias: Option<u32>,
    lod: Option<u32>,
    gradients: Option<(u32, u32)>,
    offset: Option<u32>,
    offsets: Option<u32>,
    sample: Option<u32>,
    min_lod: Option<u32>,
}

/// What a sampling instruction is.
#[derive(Clone, Copy)]
struct Form {
    explicit: bool,
    dref: bool,
    proj: bool,
    gather: bool,
}

fn form(op: S) -> Option<(Form, bool)> {
    let make = |explicit, dref, proj, gather| Form { explicit, dref, proj, gather };
    Some(match op {
        S::ImageSampleImplicitLod => (make(false, false, false, false), false),
        S::ImageSampleExplicitLod => (make(true, false, false, false), false),
        S::ImageSampleDrefImplicitLod => (make(false, true, false, false), false),
        S::ImageSampleDrefExplicitLod => (make(true, true, false, false), false),
        S::ImageSampleProjImplicitLod => (make(false, false, true, false), false),
        S::ImageSampleProjExplicitLod => (make(true, false, true, false), false),
        S::ImageSampleProjDrefImplicitLod => (make(false, true, true, false), false),
        S::ImageSampleProjDrefExplicitLod => (make(true, true, true, false), false),
        S::ImageGather => (make(false, false, false, true), false),
        S::ImageDrefGather => (make(false, true, false, true), false),
        S::ImageSparseSampleImplicitLod => (make(false, false, false, false), true),
        S::ImageSparseSampleExplicitLod => (make(true, false, false, false), true),
        S::ImageSparseSampleDrefImplicitLod => (make(false, true, false, false), true),
        S::ImageSparseSampleDrefExplicitLod => (make(true, true, false, false), true),
        S::ImageSparseGather => (make(false, false, false, true), true),
        S::ImageSparseDrefGather => (make(false, true, false, true), true),
        _ => return None,
    })
}

impl Lower<'_> {
    fn image_type(&self, ty: u32) -> Result<Image> {
        match self.d.types.get(ty)? {
            Ty::Image(image) => Ok(*image),
            _ => bad("an operand that is no image"),
        }
    }

    fn texture(&mut self, id: u32) -> Result<Texture> {
        let (id, element, ty) = match self.val(id)? {
            Val::Image(id, element, ty) | Val::Sampled((id, element, ty), _) => (id, element, ty),
            _ => return bad(format!("%{id} is no image")),
        };
        Ok(Texture { id, element: self.index(element), ty: self.image_type(ty)? })
    }

    fn sampled(&mut self, id: u32) -> Result<(Texture, SamplerId, Value)> {
        match self.val(id)? {
            Val::Sampled((image, element, ty), (sampler, sampler_element)) => {
                let texture = Texture { id: image, element: self.index(element), ty: self.image_type(ty)? };
                Ok((texture, sampler, self.index(sampler_element)))
            }
            _ => bad(format!("%{id} is no sampled image")),
        }
    }

    /// `OpSampledImage` and `OpImage`.
    pub(super) fn combine(&mut self, inst: &Inst) -> Result<()> {
        let val = match (inst.op, self.val(inst.at(0))?) {
            (S::SampledImage, Val::Image(image, element, ty)) => match self.val(inst.at(1))? {
                Val::Sampler(sampler, sampler_element) => Val::Sampled((image, element, ty), (sampler, sampler_element)),
                _ => return bad("a sampled image with what is no sampler"),
            },
            (S::Image, Val::Sampled((image, element, ty), _)) => Val::Image(image, element, ty),
            _ => return bad("an operand that is no image"),
        };
        self.define(inst, val)
    }

    fn extra(&self, words: &[u32]) -> Result<Extra> {
        let mut extra = Extra::default();
        let Some((mask, ids)) = words.split_first() else { return Ok(extra) };
        let mask = ImageOperands::from_bits_truncate(*mask);
        let mut ids = ids.iter().copied();
        for flag in mask.iter() {
            match flag {
                ImageOperands::BIAS => extra.bias = ids.next(),
                ImageOperands::LOD => extra.lod = ids.next(),
                ImageOperands::GRAD => extra.gradients = ids.next().zip(ids.next()),
                ImageOperands::CONST_OFFSET | ImageOperands::OFFSET => extra.offset = ids.next(),
                ImageOperands::CONST_OFFSETS | ImageOperands::OFFSETS => extra.offsets = ids.next(),
                ImageOperands::SAMPLE => extra.sample = ids.next(),
                ImageOperands::MIN_LOD => extra.min_lod = ids.next(),
                ImageOperands::MAKE_TEXEL_AVAILABLE | ImageOperands::MAKE_TEXEL_VISIBLE => _ = ids.next(),
                _ => {}
            }
        }
        Ok(extra)
    }

    /// An integer operand as a word.
    fn word_of(&mut self, id: u32) -> Result<Value> {
        let signed = self.is_signed(id)?;
        let number = self.number(id)?;
        self.resize(number, Width::W32, signed)
    }

    fn words_of(&mut self, id: u32) -> Result<Vec<Value>> {
        let signed = self.is_signed(id)?;
        let numbers = self.numbers(id)?;
        numbers.iter().map(|number| self.resize(*number, Width::W32, signed)).collect()
    }

    /// A float operand as f32.
    fn single(&mut self, value: Value) -> Result<Value> {
        if self.b.width(value) == Width::W32 { Ok(value) } else { self.resized(Op::FConvert, value, Width::W32) }
    }

    fn singles(&mut self, id: u32) -> Result<Vec<Value>> {
        let numbers = self.numbers(id)?;
        numbers.iter().map(|number| self.single(*number)).collect()
    }

    /// A sampling or gathering instruction, if it is one.
    pub(super) fn sample(&mut self, inst: &Inst) -> Result<bool> {
        let Some((form, sparse)) = form(inst.op) else { return Ok(false) };
        let (texture, sampler, sampler_element) = self.sampled(inst.at(0))?;
        let mut coordinates = self.singles(inst.at(1))?;
        let third = form.dref || form.gather;
        let extra = self.extra(inst.rest(2 + usize::from(third)))?;
        let mut reference = if form.dref { Some(self.number(inst.at(2))?) } else { None };
        if form.proj {
            let count = dimensions(&texture.ty);
            let Some(q) = coordinates.get(count).copied() else { return bad("a projection without a divisor") };
            coordinates.truncate(count);
            coordinates = self.each(Op::FDiv, &[&coordinates, &[q]])?;
            if let Some(value) = reference {
                reference = Some(self.op(Op::FDiv, &[value, q])?);
            }
        }
        let component = match form.gather && !form.dref {
            true => match self.d.constants.word(inst.at(2)) {
                Some(component) if component < 4 => component as u8,
                _ => return unsupported("a gather of a component that is no constant of 0 to 3"),
            },
            false => 0,
        };
        let level = match (&extra, form) {
            (_, Form { gather: true, .. }) => Level::Zero,
            (Extra { gradients: Some(_), .. }, _) => Level::Gradient,
            (Extra { lod: Some(_), .. }, _) => Level::Explicit,
            (Extra { bias: Some(_), .. }, _) => Level::Bias,
            (_, Form { explicit: true, .. }) => return bad("an explicit sample without a level"),
            _ => Level::Implicit,
        };
        if extra.sample.is_some() {
            return bad("a sample of one of a texel's samples");
        }
        if form.gather && (extra.lod.is_some() || extra.bias.is_some()) {
            return unsupported("a gather at a level");
        }
        if form.dref {
            self.program.interface.samplers[sampler.index()].comparison = true;
        }
        let detail = Sampling {
            level,
            compare: form.dref,
            clamp: extra.min_lod.is_some(),
            offset: extra.offset.is_some() || extra.offsets.is_some(),
            component,
            base_clamp_to_edge: false,
        };
        let places = detail.operands();
        let mut args = vec![self.b.word(0); places.count];
        args[SamplingOperands::TEXTURE] = texture.element;
        args[SamplingOperands::SAMPLER] = sampler_element;
        let count = dimensions(&texture.ty);
        let Some((plain, rest)) = coordinates.split_at_checked(count) else { return bad("too few coordinates") };
        set(&mut args, Some(SamplingOperands::COORDINATES), plain);
        if texture.ty.arrayed {
            let Some(layer) = rest.first() else { return bad("too few coordinates") };
            args[SamplingOperands::LAYER] = *layer;
        }
        if let (Some(id), Some(at)) = (extra.lod.or(extra.bias), places.level) {
            let value = self.number(id)?;
            args[at] = self.single(value)?;
        }
        if let (Some((dx, dy)), Some(at)) = (extra.gradients, places.gradients) {
            let (dx, dy) = (self.singles(dx)?, self.singles(dy)?);
            set(&mut args, Some(at), &dx);
            set(&mut args, Some(at + 3), &dy);
        }
        if let (Some(value), Some(at)) = (reference, places.reference) {
            args[at] = self.single(value)?;
        }
        if let (Some(id), Some(at)) = (extra.min_lod, places.clamp) {
            let value = self.number(id)?;
            args[at] = self.single(value)?;
        }
        if let Some(id) = extra.offset {
            let offset = self.words_of(id)?;
            set(&mut args, places.offset, &offset);
        }
        let op = if form.gather { Op::Gather } else { Op::Sample };
        let attrs = self.target(op, Target::Sampled(texture.id, sampler)).with_detail(Detail::Sampling(detail));
        self.spend(5)?;
        let results = match extra.offsets {
            None => self.b.emit(op, attrs, &args, &[Width::W32; 5]),
            // Each offset is of the footprint's texel (i0, j0), which a gather gives last.
            Some(id) => {
                let offsets = self.words_of(id)?;
                let mut results = Vec::new();
                for pair in offsets.chunks_exact(2).take(4) {
                    set(&mut args, places.offset, pair);
                    let gathered = self.b.emit(op, attrs, &args, &[Width::W32; 5]);
                    results.push(gathered[3]);
                    if results.len() == 4 {
                        results.push(gathered[4]);
                    }
                }
                if results.len() != 5 {
                    return bad("other than four offsets of a gather");
                }
                results
            }
        };
        self.texels(inst, sparse, &results)?;
        Ok(true)
    }

    /// The result of an instruction that gives texels: as many components as its type has, the code of what is resident before them.
    fn texels(&mut self, inst: &Inst, sparse: bool, results: &[Value]) -> Result<()> {
        let mut ty = inst.result_type.unwrap_or(0);
        let mut numbers = Vec::new();
        if sparse {
            let Ty::Struct(members) = self.d.types.get(ty)? else { return bad("a sparse result that is no structure") };
            let [_, texel] = members[..] else { return bad("a sparse result of other than two members") };
            numbers.push(results[4]);
            ty = texel;
        }
        let scalar = self.d.types.scalar(ty)?;
        for (i, result) in results.iter().enumerate().take(self.d.types.count(ty)?.min(4)) {
            self.component(i);
            numbers.push(match (scalar.width, scalar.kind) {
                (Width::W32, _) => *result,
                (Width::W16, Kind::Float) => self.resized(Op::FConvert, *result, Width::W16)?,
                (Width::W16, _) => self.resized(Op::ITruncate, *result, Width::W16)?,
                (width, _) => return unsupported(format!("texels of {} bits", width.bits())),
            });
        }
        self.numbers_of(inst, numbers)
    }

    /// Element, x, y, z of a texel: the layer takes the place after the last coordinate, and so does a cube's face.
    fn texel_place(&mut self, texture: &Texture, coordinate: u32) -> Result<[Value; 4]> {
        let zero = self.b.word(0);
        let mut place = [texture.element, zero, zero, zero];
        let coordinates = self.words_of(coordinate)?;
        if coordinates.len() > 3 {
            return bad("more than three coordinates of a texel");
        }
        place[1..=coordinates.len()].copy_from_slice(&coordinates);
        Ok(place)
    }

    /// Fetches, reads and writes, if the instruction is one.
    pub(super) fn texel(&mut self, inst: &Inst) -> Result<bool> {
        let sparse = matches!(inst.op, S::ImageSparseFetch | S::ImageSparseRead);
        match inst.op {
            S::ImageFetch | S::ImageRead | S::ImageSparseFetch | S::ImageSparseRead => {
                let texture = self.texture(inst.at(0))?;
                if texture.ty.dim == Dim::DimSubpassData {
                    return unsupported("input attachments");
                }
                let extra = self.extra(inst.rest(2))?;
                let mut place = self.texel_place(&texture, inst.at(1))?;
                if let Some(id) = extra.offset {
                    let offset = self.words_of(id)?;
                    for (at, by) in place[1..].iter_mut().zip(offset) {
                        *at = self.op(Op::IAdd, &[*at, by])?;
                    }
                }
                let level = match extra.lod.or(extra.sample) {
                    Some(id) => self.word_of(id)?,
                    None => self.b.word(0),
                };
                let attrs = self.target(Op::TexelLoad, Target::Resource(texture.id));
                self.spend(5)?;
                let [element, x, y, z] = place;
                let results = self.b.emit(Op::TexelLoad, attrs, &[element, x, y, z, level], &[Width::W32; 5]);
                self.texels(inst, sparse, &results)?;
            }
            S::ImageWrite => {
                let texture = self.texture(inst.at(0))?;
                self.check_written(texture.id)?;
                if texture.ty.multisampled {
                    return unsupported("a write to one of a texel's samples");
                }
                let place = self.texel_place(&texture, inst.at(1))?;
                let numbers = self.numbers(inst.at(2))?;
                let scalar = self.d.types.scalar(self.type_of(inst.at(2))?)?;
                let mut texel = Vec::new();
                for number in numbers.iter().take(4) {
                    texel.push(match scalar.kind {
                        Kind::Float => self.single(*number)?,
                        kind => self.resize(*number, Width::W32, kind == Kind::Sint)?,
                    });
                }
                // Components that the texel has and the value has not.
                texel.resize(4, self.b.word(0));
                let attrs = self.target(Op::TexelStore, Target::Resource(texture.id));
                self.spend(4)?;
                self.b.effect(Op::TexelStore, attrs, &[&place[..], &texel[..]].concat());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `OpImageTexelPointer`.
    pub(super) fn texel_pointer(&mut self, inst: &Inst) -> Result<()> {
        let Ok(Ty::Pointer(_, ty)) = self.d.types.get(inst.result_type.unwrap_or(0)) else {
            return bad("a texel without a type");
        };
        let ty = *ty;
        let pointer = self.pointer(inst.at(0))?;
        let Val::Image(id, element, of) = self.load(&pointer)? else { return bad("a texel of what is no image") };
        let texture = Texture { id, element: self.index(element), ty: self.image_type(of)? };
        if texture.ty.multisampled {
            return unsupported("an atomic on one of a texel's samples");
        }
        let place = self.texel_place(&texture, inst.at(1))?;
        let root = Root::Texel(id, place);
        self.define(inst, Val::Pointer(Pointer { root, ty, layout: Layout::Explicit(None), offset: 0, computed: None }))
    }

    /// Sizes, levels, samples and levels of detail.
    pub(super) fn query(&mut self, inst: &Inst) -> Result<()> {
        if inst.op == S::ImageQueryLod {
            let (texture, sampler, sampler_element) = self.sampled(inst.at(0))?;
            let detail = Sampling::at(Level::Implicit);
            let coordinates = self.singles(inst.at(1))?;
            let mut args = vec![self.b.word(0); detail.operands().count];
            args[SamplingOperands::TEXTURE] = texture.element;
            args[SamplingOperands::SAMPLER] = sampler_element;
            set(&mut args, Some(SamplingOperands::COORDINATES), &coordinates[..coordinates.len().min(3)]);
            let attrs = self.target(Op::SampleLevel, Target::Sampled(texture.id, sampler)).with_detail(Detail::Sampling(detail));
            let levels = self.b.emit(Op::SampleLevel, attrs, &args, &[Width::W32; 2]);
            return self.numbers_of(inst, levels);
        }
        let texture = self.texture(inst.at(0))?;
        let attrs = self.target(Op::TextureSize, Target::Resource(texture.id));
        let numbers: Vec<Value> = match inst.op {
            S::ImageQuerySamples => {
                let attrs = self.target(Op::TextureSamples, Target::Resource(texture.id));
                vec![self.b.value(Op::TextureSamples, attrs, &[texture.element])]
            }
            S::ImageQueryLevels => {
                let zero = self.b.word(0);
                vec![self.b.emit(Op::TextureSize, attrs, &[texture.element, zero], &[Width::W32; 4])[3]]
            }
            S::ImageQuerySize if texture.ty.dim == Dim::DimBuffer => {
                let attrs = self.target(Op::BufferSize, Target::Resource(texture.id));
                vec![self.b.value(Op::BufferSize, attrs, &[texture.element])]
            }
            S::ImageQuerySize | S::ImageQuerySizeLod => {
                let level = if inst.op == S::ImageQuerySizeLod { self.word_of(inst.at(1))? } else { self.b.word(0) };
                let sizes = self.b.emit(Op::TextureSize, attrs, &[texture.element, level], &[Width::W32; 4]);
                let mut numbers =
                    sizes[..dimensions(&texture.ty).min(if texture.ty.dim == Dim::DimCube { 2 } else { 3 })].to_vec();
                if texture.ty.arrayed {
                    // Layers stand after width and height; a row of rows has no height.
                    numbers.push(sizes[if texture.ty.dim == Dim::Dim1D { 1 } else { 2 }]);
                }
                numbers
            }
            other => return unsupported(format!("Op{other:?}")),
        };
        self.numbers_of(inst, numbers)
    }

    /// `OpImageSparseTexelsResident`.
    pub(super) fn resident(&mut self, inst: &Inst) -> Result<()> {
        let (code, zero) = (self.number(inst.at(0))?, self.b.word(0));
        let resident = self.op(Op::INe, &[code, zero])?;
        self.define(inst, Val::Numbers(Rc::new([resident])))
    }
}

fn set(args: &mut [Value], at: Option<usize>, values: &[Value]) {
    if let Some(room) = at.and_then(|at| args.get_mut(at..at + values.len())) {
        room.copy_from_slice(values);
    }
}

/// How many coordinates a lookup takes, layers aside.
fn dimensions(image: &Image) -> usize {
    match image.dim {
        Dim::Dim1D | Dim::DimBuffer => 1,
        Dim::Dim2D | Dim::DimRect => 2,
        _ => 3,
    }
}
