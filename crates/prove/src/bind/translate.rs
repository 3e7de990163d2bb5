//! Carries a case of the original over to the port.

use super::layout::pieces;
use super::*;
use gpuproof_number::format::Format;
use gpuproof_program::{Kind, Shape, TexelFormat, Type, Width};
use gpuproof_run::{Binding as Bound, BufferBinding, Case, LaneValues, SamplerState};
use std::sync::Arc;

impl Convert {
    /// The port's bits for the original's.
    pub fn to_port(self, bits: u32, port: Width) -> u32 {
        match self {
            Convert::Same => bits,
            Convert::Reciprocal => reciprocal(bits),
            Convert::Truth if bits == 0 => 0,
            Convert::Truth if port == Width::W1 => 1,
            Convert::Truth => u32::MAX,
        }
    }
}

/// 1 / x, correctly rounded.
pub(crate) fn reciprocal(bits: u32) -> u32 {
    (1.0 / f32::from_bits(bits)).to_bits()
}

impl super::Binding {
    /// The same case for the port.
    ///
    /// Components of the port's inputs that nothing feeds are 0, a fourth one of floats 1; samplers that nothing stands for are the default.
    pub fn translate(&self, original: &Program, port: &Program, case: &Case) -> Case {
        let lanes = crate::cases::lanes(original, &case.launch) as usize;
        let mut inputs: Vec<LaneValues> = vec![LaneValues::default(); port.interface.inputs.len()];
        for carried in &self.inputs {
            let (id, component) = carried.original;
            let source = case.inputs.get(id.index()).map_or(&[][..], |values| &values.components[usize::from(component)]);
            let width = port.interface.input(carried.port.0).width;
            inputs[carried.port.0.index()].components[usize::from(carried.port.1)] =
                source.iter().map(|bits| carried.convert.to_port(*bits, width)).collect();
        }
        for (values, variable) in inputs.iter_mut().zip(&port.interface.inputs) {
            if from_launch(variable.builtin) {
                continue;
            }
            for component in components(variable) {
                let slot = &mut values.components[usize::from(component)];
                if slot.is_empty() {
                    let one = component == 3 && variable.kind == Kind::Float && variable.width == Width::W32;
                    *slot = vec![if one { 0x3f80_0000 } else { 0 }; lanes];
                }
            }
        }
        let count = |count: Option<u32>| count.unwrap_or(1).max(1) as usize;
        let mut resources: Vec<Vec<Bound>> =
            port.interface.resources.iter().map(|resource| vec![Bound::Unbound; count(resource.count)]).collect();
        for joined in &self.resources {
            let target = port.interface.resource(joined.port);
            let sources = case.resources.get(joined.original.index()).map_or(&[][..], |bound| &bound[..]);
            let slots = &mut resources[joined.port.index()];
            if target.count.is_none() {
                slots.resize(sources.len().max(1), Bound::Unbound);
            }
            for (slot, source) in slots.iter_mut().zip(sources) {
                *slot = carry(&joined.transfer, source, target);
            }
        }
        for (from, to) in &self.counters {
            let value = read_counter(*from, &case.resources);
            write_counter(*to, &mut resources, value);
        }
        let mut samplers: Vec<Vec<SamplerState>> =
            port.interface.samplers.iter().map(|sampler| vec![SamplerState::default(); count(sampler.count)]).collect();
        for (from, to) in &self.samplers {
            let sources = case.samplers.get(from.index()).map_or(&[][..], |states| &states[..]);
            let slots = &mut samplers[to.index()];
            if port.interface.sampler(*to).count.is_none() {
                slots.resize(sources.len().max(1), SamplerState::default());
            }
            for (slot, source) in slots.iter_mut().zip(sources) {
                *slot = *source;
            }
        }
        Case { launch: case.launch.clone(), wave_size: case.wave_size, samples: case.samples, inputs, resources, samplers }
    }
}

/// A counter's value in these bindings; 0 where nothing is bound.
pub(crate) fn read_counter(counter: Counter, resources: &[Vec<Bound>]) -> u32 {
    let Some(Bound::Buffer(buffer)) = resources.get(counter.resource().index()).and_then(|bound| bound.first()) else { return 0 };
    match counter {
        Counter::Hidden(_) => buffer.counter,
        Counter::Word(_, offset) => crate::compare::word(&buffer.bytes, offset as usize).unwrap_or(0),
    }
}

fn write_counter(counter: Counter, resources: &mut [Vec<Bound>], value: u32) {
    let Some(slot) = resources.get_mut(counter.resource().index()).and_then(|bound| bound.first_mut()) else { return };
    match (counter, &mut *slot) {
        (Counter::Hidden(_), Bound::Buffer(buffer)) => buffer.counter = value,
        (Counter::Hidden(_), _) => {}
        (Counter::Word(_, offset), _) => {
            let mut bytes = match slot {
                Bound::Buffer(buffer) => buffer.bytes.to_vec(),
                _ => Vec::new(),
            };
            let offset = offset as usize;
            bytes.resize(bytes.len().max(offset + 4), 0);
            bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
            *slot = Bound::Buffer(BufferBinding { bytes: Arc::new(bytes), format: None, counter: 0 });
        }
    }
}

fn carry(transfer: &Transfer, source: &Bound, target: &gpuproof_program::Resource) -> Bound {
    let Bound::Buffer(buffer) = source else { return source.clone() };
    match transfer {
        Transfer::Whole => source.clone(),
        Transfer::Bytes(runs) => {
            let bytes = carry_bytes(runs, &buffer.bytes, target);
            Bound::Buffer(BufferBinding { bytes, format: None, counter: buffer.counter })
        }
        Transfer::Texels(format) => {
            let typed = matches!(target.shape, Shape::Texture(_));
            let bytes = if typed { buffer.bytes.clone() } else { repack(buffer, *format) };
            Bound::Buffer(BufferBinding { bytes, format: typed.then_some(TexelFormat(*format)), counter: 0 })
        }
    }
}

/// The texels of a typed buffer in another format.
fn repack(buffer: &BufferBinding, format: u32) -> Arc<Vec<u8>> {
    let given = buffer.format.map_or(format, |format| format.0);
    let (Some(from), Some(to)) = (Format::from_dxgi(given), Format::from_dxgi(format)) else { return buffer.bytes.clone() };
    if from.dxgi == to.dxgi {
        return buffer.bytes.clone();
    }
    let mut bytes = Vec::with_capacity(buffer.bytes.len() / from.bytes * to.bytes);
    for texel in buffer.bytes.chunks_exact(from.bytes) {
        let mut packed = vec![0; to.bytes];
        let components = from.decode(texel).unwrap_or_default();
        if to.encode(components, &mut packed).is_err() {
            return buffer.bytes.clone();
        }
        bytes.extend(packed);
    }
    Arc::new(bytes)
}

fn carry_bytes(runs: &[Run], source: &Arc<Vec<u8>>, target: &gpuproof_program::Resource) -> Arc<Vec<u8>> {
    let least = match target.shape {
        Shape::ConstantBuffer { bytes } | Shape::Buffer { bytes } => bytes as usize,
        _ => 0,
    };
    if runs == [Run::identity()] {
        if source.len() >= least {
            return source.clone();
        }
        let mut bytes = source.to_vec();
        bytes.resize(least, 0);
        return Arc::new(bytes);
    }
    // As many elements of an array without end as the original holds.
    let mut length = least;
    for run in runs {
        if let Some(outer) = run.repeat.first().filter(|repeat| repeat.count.is_none()) {
            let count = source.len() / (outer.original as usize).max(1);
            let base = endless_base(target.layout.as_ref());
            length = length.max(base.saturating_add(count.saturating_mul(outer.port as usize)));
        }
    }
    let mut bytes = vec![0; length];
    pieces(runs, source.len(), length, &mut |at, to, count| bytes[to..to + count].copy_from_slice(&source[at..at + count]));
    Arc::new(bytes)
}

/// Where the array without end of a layout begins.
fn endless_base(layout: Option<&Type>) -> usize {
    match layout {
        Some(Type::Struct { members, .. }) => members
            .iter()
            .find(|member| matches!(member.ty, Type::Array { count: None, .. }))
            .map_or(0, |member| member.offset as usize),
        _ => 0,
    }
}
