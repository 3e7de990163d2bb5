//! Textures: sampling, loads, stores, atomics and sizes.

use super::arith::convert;
use super::error::{Trouble, fault};
use super::function::Lower;
use super::memory::{Val, atomic_op, target};
use super::types::{shape, texel_kind};
use gpuproof_program::{Detail, Kind, Level, Op, ResourceId, Sampling, SamplingOperands, Target, Value, Width};
use naga::{
    AtomicFunction, Expression, Handle, ImageClass, ImageDimension, ImageQuery, SampleLevel, SwizzleComponent, TypeInner,
};

type Result<T> = std::result::Result<T, Trouble>;

/// The operands of a sampling expression besides texture and sampler.
pub(super) struct Sample {
    pub(super) gather: Option<SwizzleComponent>,
    pub(super) coordinate: Handle<Expression>,
    pub(super) array_index: Option<Handle<Expression>>,
    pub(super) offset: Option<Handle<Expression>>,
    pub(super) level: SampleLevel,
    pub(super) depth_ref: Option<Handle<Expression>>,
    pub(super) clamp_to_edge: bool,
}

/// A texture operand.
struct Image {
    id: ResourceId,
    element: Value,
    dim: ImageDimension,
    class: ImageClass,
}

impl Lower<'_, '_> {
    fn image(&mut self, image: Handle<Expression>) -> Result<Image> {
        let TypeInner::Image { dim, class, .. } = *self.inner(image) else { return fault("an operand that is no texture") };
        let Val::Image(id, element) = self.val(image)? else { return fault("an operand that is no texture") };
        texel_kind(class)?;
        Ok(Image { id, element: self.index(element), dim, class })
    }

    /// A number as a word of this kind.
    fn word_of(&mut self, expr: Handle<Expression>, to: Kind) -> Result<Value> {
        let from = shape(self.inner(expr))?.kind;
        let number = self.number(expr)?;
        convert(&mut self.b, number, from, to, Width::W32)
    }

    /// A texture operation's result: depth textures have one component.
    fn texel(&self, class: ImageClass, single: bool, results: &[Value]) -> Vec<Value> {
        let count = if single || matches!(class, ImageClass::Depth { .. }) { 1 } else { 4 };
        results[..count].to_vec()
    }

    /// `textureSample` and its relatives, `textureGather` and its.
    pub(super) fn image_sample(
        &mut self,
        image: Handle<Expression>,
        sampler: Handle<Expression>,
        sample: &Sample,
    ) -> Result<Vec<Value>> {
        let image = self.image(image)?;
        let Val::Sampler(sampler, sampler_element) = self.val(sampler)? else { return fault("an operand that is no sampler") };
        let sampling = Sampling {
            level: match sample.level {
                _ if sample.gather.is_some() => Level::Zero,
                SampleLevel::Auto => Level::Implicit,
                SampleLevel::Zero => Level::Zero,
                SampleLevel::Exact(_) => Level::Explicit,
                SampleLevel::Bias(_) => Level::Bias,
                SampleLevel::Gradient { .. } => Level::Gradient,
            },
            compare: sample.depth_ref.is_some(),
            clamp: false,
            offset: sample.offset.is_some(),
            component: sample.gather.map_or(0, |component| component as u8),
            base_clamp_to_edge: sample.clamp_to_edge,
        };
        let places = sampling.operands();
        let mut args = vec![self.b.word(0); places.count];
        args[SamplingOperands::TEXTURE] = image.element;
        args[SamplingOperands::SAMPLER] = self.index(sampler_element);
        let mut set = |at: Option<usize>, values: &[Value]| {
            if let Some(room) = at.and_then(|at| args.get_mut(at..at + values.len())) {
                room.copy_from_slice(values);
            }
        };
        set(Some(SamplingOperands::COORDINATES), &self.numbers(sample.coordinate)?);
        if let Some(layer) = sample.array_index {
            set(Some(SamplingOperands::LAYER), &[self.word_of(layer, Kind::Float)?]);
        }
        match sample.level {
            SampleLevel::Exact(level) | SampleLevel::Bias(level) => set(places.level, &[self.word_of(level, Kind::Float)?]),
            SampleLevel::Gradient { x, y } => {
                set(places.gradients, &self.numbers(x)?);
                set(places.gradients.map(|at| at + 3), &self.numbers(y)?);
            }
            SampleLevel::Auto | SampleLevel::Zero => {}
        }
        if let Some(reference) = sample.depth_ref {
            set(places.reference, &[self.number(reference)?]);
        }
        if let Some(offset) = sample.offset {
            set(places.offset, &self.numbers(offset)?);
        }
        let op = if sample.gather.is_some() { Op::Gather } else { Op::Sample };
        let attrs = target(op, Target::Sampled(image.id, sampler)).with_detail(Detail::Sampling(sampling));
        let results = self.b.emit(op, attrs, &args, &[Width::W32; 5]);
        if sample.gather.is_some() {
            return Ok(results[..4].to_vec());
        }
        Ok(self.texel(image.class, sampling.compare, &results))
    }

    /// Element, x, y, z of a texel: the layer takes the place after the last coordinate.
    fn texel_place(
        &mut self,
        image: &Image,
        coordinate: Handle<Expression>,
        array_index: Option<Handle<Expression>>,
    ) -> Result<[Value; 4]> {
        let zero = self.b.word(0);
        let mut place = [image.element, zero, zero, zero];
        let coordinates = self.numbers(coordinate)?;
        let layer = match array_index {
            Some(layer) => Some(self.word_of(layer, Kind::Uint)?),
            None => None,
        };
        for (room, value) in place[1..].iter_mut().zip(coordinates.iter().copied().chain(layer)) {
            *room = value;
        }
        Ok(place)
    }

    /// `textureLoad`: the last operand is the level or sample.
    pub(super) fn image_load(
        &mut self,
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        array_index: Option<Handle<Expression>>,
        level: Option<Handle<Expression>>,
    ) -> Result<Vec<Value>> {
        let image = self.image(image)?;
        let [element, x, y, z] = self.texel_place(&image, coordinate, array_index)?;
        let level = match level {
            Some(level) => self.word_of(level, Kind::Uint)?,
            None => self.b.word(0),
        };
        let attrs = target(Op::TexelLoad, Target::Resource(image.id));
        let results = self.b.emit(Op::TexelLoad, attrs, &[element, x, y, z, level], &[Width::W32; 5]);
        Ok(self.texel(image.class, false, &results))
    }

    /// `textureStore`.
    pub(super) fn image_store(
        &mut self,
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        array_index: Option<Handle<Expression>>,
        value: Handle<Expression>,
    ) -> Result<()> {
        let image = self.image(image)?;
        let place = self.texel_place(&image, coordinate, array_index)?;
        let value = self.numbers(value)?;
        let attrs = target(Op::TexelStore, Target::Resource(image.id));
        if value.len() != 4 || value.iter().any(|value| self.b.width(*value) != Width::W32) {
            return super::error::unsupported("a texture store of other than four words");
        }
        self.b.effect(Op::TexelStore, attrs, &[&place[..], &value[..]].concat());
        Ok(())
    }

    /// `textureAtomic*`, whose results naga does not give.
    pub(super) fn image_atomic(
        &mut self,
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        array_index: Option<Handle<Expression>>,
        fun: AtomicFunction,
        value: Handle<Expression>,
    ) -> Result<()> {
        let kind = shape(self.inner(value))?.kind;
        let image = self.image(image)?;
        let place = self.texel_place(&image, coordinate, array_index)?;
        let value = self.number(value)?;
        let attrs = target(Op::TexelAtomic, Target::Resource(image.id)).with_detail(Detail::Atomic(atomic_op(fun, kind)?));
        let width = self.b.width(value);
        self.b.value_of(width, Op::TexelAtomic, attrs, &[&place[..], &[value, value]].concat());
        Ok(())
    }

    /// `textureDimensions`, `textureNumLevels`, `textureNumLayers`, `textureNumSamples`.
    pub(super) fn image_query(&mut self, image: Handle<Expression>, query: ImageQuery) -> Result<Vec<Value>> {
        let image = self.image(image)?;
        if let ImageQuery::NumSamples = query {
            let attrs = target(Op::TextureSamples, Target::Resource(image.id));
            return Ok(vec![self.b.value(Op::TextureSamples, attrs, &[image.element])]);
        }
        let level = match query {
            ImageQuery::Size { level: Some(level) } => self.word_of(level, Kind::Uint)?,
            _ => self.b.word(0),
        };
        let attrs = target(Op::TextureSize, Target::Resource(image.id));
        let sizes = self.b.emit(Op::TextureSize, attrs, &[image.element, level], &[Width::W32; 4]);
        Ok(match query {
            ImageQuery::NumLevels => vec![sizes[3]],
            ImageQuery::NumLayers => vec![sizes[2]],
            _ => {
                let count = match image.dim {
                    ImageDimension::D1 => 1,
                    ImageDimension::D2 | ImageDimension::Cube => 2,
                    ImageDimension::D3 => 3,
                };
                sizes[..count].to_vec()
            }
        })
    }
}
