//! Accesses to texels, sizes, and the functions that stand for what WGSL does not do with textures.

use super::TraceError;
use super::expression::{Binding, Text, short};
use super::sampling;
use super::statement::Writer;
use crate::formula::helper::{Helper, atomic_name, has_own_function};
use crate::formula::ty::Ty;
use crate::formula::vocabulary::{Form, HELD, flattened};
use gpuproof_program::{AtomicOp, Detail, Instruction, Op, Shape, Target, TextureShape};

impl Writer<'_, '_> {
    /// The texture that an access names, and the operands after its element.
    pub(super) fn texture<'t>(&self, first: &Instruction, texts: &'t [Text]) -> (String, &'t [Text]) {
        let Target::Resource(id) = first.attrs.target else { return (String::new(), texts) };
        let ident = self.context.vocabulary.resource(id).ident.clone();
        if self.context.program.interface.resource(id).count == Some(1) {
            return (ident, texts);
        }
        match self.context.definitions.constant(first.args[0]) {
            Some(element) => (format!("{ident}[{element}]"), texts),
            None => (format!("{ident}[{}]", texts[0].text), &texts[1..]),
        }
    }

    pub(super) fn shape(&self, first: &Instruction) -> Option<gpuproof_program::TextureShape> {
        let Target::Resource(id) = first.attrs.target else { return None };
        match self.context.program.interface.resource(id).shape {
            Shape::Texture(shape) => Some(shape),
            _ => None,
        }
    }

    /// Whether an access to a texel is one to a word of a buffer.
    pub(super) fn is_typed(&self, first: &Instruction) -> bool {
        matches!(first.attrs.target, Target::Resource(id) if self.context.is_typed(id))
    }

    fn is_stored(&self, first: &Instruction) -> bool {
        let Target::Resource(id) = first.attrs.target else { return false };
        self.context.program.interface.resource(id).access != gpuproof_program::Access::Read
    }

    pub(super) fn texel_load(&mut self, first: &Instruction, texts: &[Text], ty: Ty) -> Result<Text, TraceError> {
        if self.atomic_texture(first) {
            if first.results[1..].iter().any(|result| self.context.used.contains(result)) {
                return Err(self.context.unsupported(first, "a component that the texels of a texture with atomics do not have"));
            }
            return Ok(Text::tight(self.texture_function(first, texts)?, 1, ty));
        }
        let (name, rest) = self.texture(first, texts);
        let Some(shape) = self.shape(first) else { return Err(self.context.unsupported(first, "this load")) };
        let mut all = vec![name, coordinates(&rest[0], &shape)];
        let last = if shape.arrayed { 2 } else { 1 };
        all.extend(rest[1..last].iter().map(|text| text.text.clone()));
        if !self.is_stored(first) {
            all.push(rest[last].text.clone());
        }
        Ok(Text::tight(format!("textureLoad({})", all.join(", ")), 4, ty))
    }

    fn atomic_texture(&self, first: &Instruction) -> bool {
        let Target::Resource(id) = first.attrs.target else { return false };
        self.context.vocabulary.resource(id).uses.atomic().is_some()
    }

    /// A statement that stores a texel or does an atomic on it.
    pub(super) fn texel_statement(&mut self, first: &Instruction, texts: &[Text]) -> Result<String, TraceError> {
        let (name, rest) = self.texture(first, texts);
        let Some(shape) = self.shape(first) else { return Err(self.context.unsupported(first, "this store")) };
        let mut all = vec![name, coordinates(&rest[0], &shape)];
        let last = if shape.arrayed { 2 } else { 1 };
        all.extend(rest[1..last].iter().map(|text| text.text.clone()));
        if first.op == Op::TexelStore {
            if self.atomic_texture(first) {
                return self.texture_function(first, texts);
            }
            all.push(rest[last].clone().widened(4).text);
            return Ok(format!("textureStore({})", all.join(", ")));
        }
        let Detail::Atomic(op) = first.attrs.detail else { return Err(self.context.unsupported(first, "this atomic")) };
        if has_own_function(op, false) {
            return self.texture_function(first, texts);
        }
        let name = atomic_name(op).trim_start_matches("atomic");
        all.push(rest[last].text.clone());
        Ok(format!("textureAtomic{name}({})", all.join(", ")))
    }

    /// A call of the function that stands for an access to a texture that atomics change.
    pub(super) fn texture_function(&self, first: &Instruction, texts: &[Text]) -> Result<String, TraceError> {
        let Target::Resource(id) = first.attrs.target else { return Err(self.context.unsupported(first, "this access")) };
        let Some(shape) = self.shape(first) else { return Err(self.context.unsupported(first, "this access")) };
        let op = match (first.op, first.attrs.detail) {
            (Op::TexelLoad, _) => AtomicOp::Load,
            (Op::TexelStore, _) => AtomicOp::Store,
            (_, Detail::Atomic(op)) => op,
            _ => return Err(self.context.unsupported(first, "this access")),
        };
        let name = sampling::own_function(self.context, first, Helper::Atomic(id, op))?;
        let signed = |text: &Text, size: usize| {
            let text = text.clone().widened(size);
            if text.ty == Ty::I32 { text.text } else { format!("{}({})", short(Ty::I32, size), text.text) }
        };
        let mut all = vec![signed(&texts[0], sampling::axes(shape.dimension))];
        let mut rest = texts[1..].iter();
        if shape.arrayed {
            all.extend(rest.next().map(|text| signed(text, 1)));
        }
        match op {
            AtomicOp::Load => {}
            AtomicOp::Store => {
                let value = rest.next().map_or_else(String::new, |text| {
                    if text.size == 1 { text.text.clone() } else { format!("{}.x", text.inside(Binding::Sign, false)) }
                });
                all.push(value);
            }
            _ => all.extend(rest.map(|text| text.text.clone())),
        }
        Ok(format!("{name}({})", all.join(", ")))
    }

    pub(super) fn buffer_size(&mut self, first: &Instruction, texts: &[Text]) -> Result<Text, TraceError> {
        let (mut name, _) = self.texture(first, texts);
        let Target::Resource(id) = first.attrs.target else { return Err(self.context.unsupported(first, "this size")) };
        let memory = !matches!(self.context.vocabulary.resource(id).form, Form::Texture(_));
        if memory && self.context.program.interface.resource(id).count != Some(1) {
            name = format!("{name}.{HELD}");
        }
        Ok(match self.context.program.interface.resource(id).shape {
            Shape::Structured { .. } => Text::tight(format!("arrayLength(&{name})"), 1, Ty::U32),
            Shape::Texture(_) if memory => Text::tight(format!("arrayLength(&{name})"), 1, Ty::U32),
            Shape::Texture(_) => Text::tight(format!("textureDimensions({name})"), 1, Ty::U32),
            _ => Text { binding: Binding::Product, ..Text::tight(format!("arrayLength(&{name}) * 4u"), 1, Ty::U32) },
        })
    }

    /// The numbers that a texture's size is as expressions, with the first and how many of the numbers each is.
    pub(super) fn size_parts(&mut self, first: &Instruction, texts: &[Text]) -> Result<Vec<(usize, usize, String)>, TraceError> {
        let (name, rest) = self.texture(first, texts);
        let Some(shape) = self.shape(first) else { return Err(self.context.unsupported(first, "this size")) };
        let axes = match shape.dimension {
            gpuproof_program::Dimension::Cube => 2,
            dimension => sampling::axes(dimension),
        };
        let fixed = shape.multisampled || self.is_stored(first);
        let level = if fixed { String::new() } else { format!(", {}", rest[0].text) };
        let flat = if flattened(&shape, false) { ".x" } else { "" };
        let mut parts = vec![(0, axes, format!("textureDimensions({name}{level}){flat}"))];
        if shape.arrayed {
            parts.push((axes, 1, format!("textureNumLayers({name})")));
        }
        parts.extend((parts.len() + axes - 1..3).map(|at| (at, 1, "0u".to_string())));
        parts.push((3, 1, if fixed { "1u".into() } else { format!("textureNumLevels({name})") }));
        Ok(parts)
    }
}

/// The coordinates of a texel, with a height of 0 where a texture of one dimension stands as one of two.
fn coordinates(text: &Text, shape: &TextureShape) -> String {
    let text = text.clone().widened(sampling::axes(shape.dimension));
    if flattened(shape, false) { format!("{}({}, {})", short(text.ty, 2), text.text, text.ty.literal(0)) } else { text.text }
}
