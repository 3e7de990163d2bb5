//! Inputs and outputs of lanes.

use super::Writer;
use super::function::{Code, View};
use super::module::Scalar;
use crate::WriteError;
use gpuproof_program::{
    Builtin, Detail, Dialect, Evaluation, Instruction, Interpolation, IoVariable, OutputId, Program, Stage, Target, Width,
};
use rspirv::dr::Operand;
use rspirv::spirv::GlslStd450Op as GLOp;
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op as S, StorageClass, Word};
use std::collections::HashSet;

/// Where a variable of the interface is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Nothing reads or writes it.
    Absent,
    /// A number, or a vector whose first component is this one of the register's.
    Vector { variable: Word, scalar: Scalar, first: u8, count: u32 },
    /// Elements of an array of numbers, from this one on.
    Elements { variable: Word, scalar: Scalar, base: u32, first: u8 },
}

/// The modes that say what a pixel program's depth is.
pub(super) fn depth_modes(program: &Program, written: &HashSet<OutputId>) -> Vec<ExecutionMode> {
    let mut modes = Vec::new();
    for (_, output) in (0..).map(OutputId).zip(&program.interface.outputs).filter(|(id, _)| written.contains(id)) {
        match output.builtin {
            Some(Builtin::FragDepth) => modes.push(ExecutionMode::DepthReplacing),
            Some(Builtin::FragDepthGreaterEqual) => modes.extend([ExecutionMode::DepthReplacing, ExecutionMode::DepthGreater]),
            Some(Builtin::FragDepthLessEqual) => modes.extend([ExecutionMode::DepthReplacing, ExecutionMode::DepthLess]),
            Some(Builtin::StencilRef) => modes.push(ExecutionMode::StencilRefReplacingEXT),
            _ => {}
        }
    }
    modes
}

/// What the pipeline supplies or takes: SPIR-V's name, the type of its numbers, how many there are.
struct Supplied {
    name: BuiltIn,
    scalar: Scalar,
    count: u32,
    capability: Option<Capability>,
    /// Whether it is an array of one number.
    array: bool,
}

fn supplied(builtin: Builtin, stage: Stage, input: bool) -> Option<Supplied> {
    use Scalar::{Bool, F32, I32, U32};
    let plain = |name, scalar, count| Supplied { name, scalar, count, capability: None, array: false };
    let with = |name, scalar, capability| Supplied { name, scalar, count: 1, capability: Some(capability), array: false };
    let found = match (builtin, stage, input) {
        (Builtin::Position, Stage::Pixel, true) => plain(BuiltIn::FragCoord, F32, 4),
        (Builtin::Position, Stage::Vertex, false) => plain(BuiltIn::Position, F32, 4),
        (Builtin::VertexIndex, Stage::Vertex, true) => plain(BuiltIn::VertexIndex, U32, 1),
        (Builtin::InstanceIndex, Stage::Vertex, true) => plain(BuiltIn::InstanceIndex, U32, 1),
        (Builtin::FrontFacing, Stage::Pixel, true) => plain(BuiltIn::FrontFacing, Bool, 1),
        (Builtin::SampleIndex, Stage::Pixel, true) => with(BuiltIn::SampleId, U32, Capability::SampleRateShading),
        (Builtin::SampleMask, Stage::Pixel, _) => Supplied { array: true, ..plain(BuiltIn::SampleMask, U32, 1) },
        (Builtin::PrimitiveIndex, Stage::Pixel, true) => with(BuiltIn::PrimitiveId, U32, Capability::Geometry),
        (Builtin::FragDepth | Builtin::FragDepthGreaterEqual | Builtin::FragDepthLessEqual, Stage::Pixel, false) => {
            plain(BuiltIn::FragDepth, F32, 1)
        }
        (Builtin::StencilRef, Stage::Pixel, false) => with(BuiltIn::FragStencilRefEXT, I32, Capability::StencilExportEXT),
        (Builtin::RenderTargetArrayIndex, Stage::Vertex, false) => with(BuiltIn::Layer, U32, Capability::ShaderLayer),
        (Builtin::RenderTargetArrayIndex, Stage::Pixel, true) => with(BuiltIn::Layer, U32, Capability::Geometry),
        (Builtin::ViewportArrayIndex, Stage::Vertex, false) => with(BuiltIn::ViewportIndex, U32, Capability::ShaderViewportIndex),
        (Builtin::ViewportArrayIndex, Stage::Pixel, true) => with(BuiltIn::ViewportIndex, U32, Capability::MultiViewport),
        (Builtin::PointSize, Stage::Vertex, false) => plain(BuiltIn::PointSize, F32, 1),
        (Builtin::LocalInvocationId, Stage::Compute, true) => plain(BuiltIn::LocalInvocationId, U32, 3),
        (Builtin::LocalInvocationIndex, Stage::Compute, true) => plain(BuiltIn::LocalInvocationIndex, U32, 1),
        (Builtin::GlobalInvocationId, Stage::Compute, true) => plain(BuiltIn::GlobalInvocationId, U32, 3),
        (Builtin::WorkgroupId, Stage::Compute, true) => plain(BuiltIn::WorkgroupId, U32, 3),
        (Builtin::NumWorkgroups, Stage::Compute, true) => plain(BuiltIn::NumWorkgroups, U32, 3),
        (Builtin::SubgroupSize, Stage::Compute | Stage::Pixel, true) => {
            with(BuiltIn::SubgroupSize, U32, Capability::GroupNonUniform)
        }
        (Builtin::SubgroupInvocationId, Stage::Compute | Stage::Pixel, true) => {
            with(BuiltIn::SubgroupLocalInvocationId, U32, Capability::GroupNonUniform)
        }
        (Builtin::SubgroupId, Stage::Compute, true) => with(BuiltIn::SubgroupId, U32, Capability::GroupNonUniform),
        (Builtin::NumSubgroups, Stage::Compute, true) => with(BuiltIn::NumSubgroups, U32, Capability::GroupNonUniform),
        _ => return None,
    };
    Some(found)
}

impl Writer<'_> {
    /// Declares inputs, outputs, memories and resources.
    pub(super) fn globals(&mut self) -> Result<(), WriteError> {
        let names = |variables: &[IoVariable]| -> Vec<String> {
            let twice = |name: &str| variables.iter().filter(|other| other.name == name).count() > 1;
            let name = |one: &IoVariable| match twice(&one.name) || one.semantic_index > 0 {
                true => format!("{}{}", one.name, one.semantic_index),
                false => one.name.clone(),
            };
            variables.iter().map(name).collect()
        };
        let interface = &self.program.interface;
        let (inputs, outputs) = (names(&interface.inputs), names(&interface.outputs));
        self.inputs = self.side(&interface.inputs, &inputs, true)?;
        self.outputs = self.side(&interface.outputs, &outputs, false)?;
        self.memories()
    }

    fn side(&mut self, variables: &[IoVariable], names: &[String], input: bool) -> Result<Vec<Place>, WriteError> {
        let class = if input { StorageClass::Input } else { StorageClass::Output };
        let mut places = vec![Place::Absent; variables.len()];
        for distance in [Builtin::ClipDistance, Builtin::CullDistance] {
            self.distances(variables, names, distance, class, &mut places);
        }
        // One variable for each builtin, whichever registers have it.
        let mut made: Vec<(Builtin, Word)> = Vec::new();
        for (at, variable) in variables.iter().enumerate() {
            let unwritten = !input && !self.uses.outputs.contains(&OutputId(at as u32));
            if !matches!(places[at], Place::Absent) || variable.mask == 0 || unwritten {
                continue;
            }
            let first = variable.mask.trailing_zeros() as u8;
            let count = 8 - variable.mask.leading_zeros() - u32::from(first);
            let Some(builtin) = variable.builtin else {
                places[at] = self.located(variable, &names[at], class, first, count)?;
                continue;
            };
            let Some(what) = supplied(builtin, self.program.stage, input) else {
                let kind = if input { "input" } else { "output" };
                return Err(WriteError::whole(format!("the {kind} {} ({builtin:?})", names[at])));
            };
            if let Some(capability) = what.capability {
                self.module.capability(capability);
            }
            if what.capability == Some(Capability::StencilExportEXT) {
                self.module.extension("SPV_EXT_shader_stencil_export");
            }
            let id = match made.iter().find(|(known, _)| *known == builtin) {
                Some((_, id)) => *id,
                None => {
                    let ty = self.module.vector(what.scalar, what.count);
                    let ty = if what.array { self.module.array(ty, 1) } else { ty };
                    let id = self.module.variable(class, ty, None, &names[at]);
                    self.module.decorate(id, Decoration::BuiltIn, vec![Operand::BuiltIn(what.name)]);
                    let integer = matches!(what.scalar, Scalar::U32 | Scalar::I32);
                    if input && self.program.stage == Stage::Pixel && integer && !what.array {
                        self.module.decorate(id, Decoration::Flat, Vec::new());
                    }
                    made.push((builtin, id));
                    id
                }
            };
            places[at] = if what.array {
                Place::Elements { variable: id, scalar: what.scalar, base: 0, first }
            } else {
                // Threads of a group have the components that the register has; all others begin with x.
                let first = if what.count > 1 { 0 } else { first };
                Place::Vector { variable: id, scalar: what.scalar, first, count: what.count }
            };
            self.note_builtin(builtin, input);
        }
        Ok(places)
    }

    fn note_builtin(&mut self, builtin: Builtin, input: bool) {
        let d3d = self.program.dialect == Dialect::D3D11;
        let note = match (builtin, self.program.stage, input) {
            (Builtin::Position, Stage::Vertex, false) if d3d => {
                "positions have Direct3D's upward y: draw with a viewport of negative height"
            }
            (Builtin::VertexIndex | Builtin::InstanceIndex, ..) if d3d => {
                "the indices of vertices and instances count from 0 in Direct3D, from the draw's first in Vulkan: draw from 0 on"
            }
            _ => return,
        };
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.into());
        }
    }

    /// A variable at a location.
    fn located(
        &mut self,
        variable: &IoVariable,
        name: &str,
        class: StorageClass,
        first: u8,
        count: u32,
    ) -> Result<Place, WriteError> {
        if variable.width != Width::W32 {
            return Err(WriteError::whole(format!("{name}, which has numbers of {} bits", variable.width.bits())));
        }
        let scalar = Scalar::of_kind(variable.kind);
        let ty = self.module.vector(scalar, count);
        let id = self.module.variable(class, ty, None, name);
        let location = variable.location.ok_or_else(|| WriteError::whole(format!("{name}, which has no location")))?;
        self.module.decorate_number(id, Decoration::Location, location);
        if first > 0 {
            self.module.decorate_number(id, Decoration::Component, first.into());
        }
        if let Some(source) = variable.blend_source {
            self.module.decorate_number(id, Decoration::Index, source);
        }
        let pixel_input = class == StorageClass::Input && self.program.stage == Stage::Pixel;
        if pixel_input {
            for decoration in interpolation(variable.interpolation, scalar) {
                if *decoration == Decoration::Sample {
                    self.module.capability(Capability::SampleRateShading);
                }
                self.module.decorate(id, *decoration, Vec::new());
            }
        }
        Ok(Place::Vector { variable: id, scalar, first, count })
    }

    /// Clip or cull distances, of which Direct3D has up to two registers and SPIR-V one array.
    fn distances(
        &mut self,
        variables: &[IoVariable],
        names: &[String],
        which: Builtin,
        class: StorageClass,
        places: &mut [Place],
    ) {
        let mut all: Vec<usize> = (0..variables.len()).filter(|at| variables[*at].builtin == Some(which)).collect();
        all.sort_by_key(|at| variables[*at].semantic_index);
        let count: u32 = all.iter().map(|at| variables[*at].mask.count_ones()).sum();
        if count == 0 {
            return;
        }
        let (name, capability) = match which {
            Builtin::ClipDistance => (BuiltIn::ClipDistance, Capability::ClipDistance),
            _ => (BuiltIn::CullDistance, Capability::CullDistance),
        };
        self.module.capability(capability);
        let element = self.module.scalar(Scalar::F32);
        let ty = self.module.array(element, count);
        let id = self.module.variable(class, ty, None, &names[all[0]]);
        self.module.decorate(id, Decoration::BuiltIn, vec![Operand::BuiltIn(name)]);
        let mut base = 0;
        for at in all {
            let first = variables[at].mask.trailing_zeros() as u8;
            places[at] = Place::Elements { variable: id, scalar: Scalar::F32, base, first };
            base += variables[at].mask.count_ones();
        }
    }
}

fn interpolation(interpolation: Interpolation, scalar: Scalar) -> &'static [Decoration] {
    match interpolation {
        _ if scalar != Scalar::F32 => &[Decoration::Flat],
        Interpolation::Linear => &[],
        Interpolation::LinearCentroid => &[Decoration::Centroid],
        Interpolation::LinearSample => &[Decoration::Sample],
        Interpolation::NoPerspective => &[Decoration::NoPerspective],
        Interpolation::NoPerspectiveCentroid => &[Decoration::NoPerspective, Decoration::Centroid],
        Interpolation::NoPerspectiveSample => &[Decoration::NoPerspective, Decoration::Sample],
        Interpolation::Flat => &[Decoration::Flat],
    }
}

impl Code<'_, '_> {
    /// A pointer to a component of an input or output, and the type of what is there.
    fn component(&mut self, place: Place, class: StorageClass, component: u8) -> Option<(Word, Scalar)> {
        let (variable, scalar, index) = match place {
            Place::Absent => return None,
            Place::Vector { variable, scalar, count: 1, .. } => return Some((variable, scalar)),
            Place::Vector { variable, scalar, first, .. } => (variable, scalar, u32::from(component - first)),
            Place::Elements { variable, scalar, base, first } => (variable, scalar, base + u32::from(component - first)),
        };
        let ty = self.scalar(scalar);
        let pointer = self.w.module.pointer(class, ty);
        let index = self.w.module.word(index);
        Some((self.on(S::AccessChain, pointer, &[variable, index]), scalar))
    }

    pub(super) fn input(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Target::Input(id, component) = instruction.attrs.target else { return Err(self.unsupported(instruction)) };
        let result = instruction.results[0];
        let variable = self.w.program.interface.input(id);
        let (builtin, stage) = (variable.builtin, self.w.program.stage);
        let place = self.w.inputs[id.index()];
        let Some((pointer, scalar)) = self.component(place, StorageClass::Input, component) else {
            return Err(self.unsupported(instruction));
        };
        let ty = self.scalar(scalar);
        let loaded = self.on(S::Load, ty, &[pointer]);
        match scalar {
            Scalar::Bool if self.width(result) != Width::W1 => {
                let (word, ones, zero) = (self.scalar(Scalar::U32), self.w.module.word(u32::MAX), self.w.module.word(0));
                let mask = self.on(S::Select, word, &[loaded, ones, zero]);
                self.define(result, View::Bits, mask);
            }
            // Direct3D gives w, Vulkan 1 / w.
            Scalar::F32
                if builtin == Some(Builtin::Position)
                    && stage == Stage::Pixel
                    && component == 3
                    && self.w.program.dialect == Dialect::D3D11 =>
            {
                let one = self.w.module.constant(Scalar::F32, 1f32.to_bits().into());
                let w = self.on(S::FDiv, ty, &[one, loaded]);
                self.define(result, View::Float, w);
            }
            Scalar::F32 => self.define(result, View::Float, loaded),
            Scalar::I32 => {
                let word = self.scalar(Scalar::U32);
                let word = self.on(S::Bitcast, word, &[loaded]);
                self.define(result, View::Bits, word);
            }
            _ => self.define(result, View::Bits, loaded),
        }
        Ok(())
    }

    pub(super) fn output(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Target::Output(id, component) = instruction.attrs.target else { return Err(self.unsupported(instruction)) };
        let place = self.w.outputs[id.index()];
        let Some((pointer, scalar)) = self.component(place, StorageClass::Output, component) else {
            return Err(self.unsupported(instruction));
        };
        let value = instruction.args[0];
        let value = match scalar {
            Scalar::F32 => self.float(value),
            Scalar::I32 => {
                let (ty, bits) = (self.scalar(Scalar::I32), self.bits(value));
                self.on(S::Bitcast, ty, &[bits])
            }
            _ => self.bits(value),
        };
        self.effect(S::Store, vec![Operand::IdRef(pointer), Operand::IdRef(value)]);
        Ok(())
    }

    /// An input evaluated elsewhere in the pixel.
    pub(super) fn input_at(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (Target::Input(id, component), Detail::Evaluation(evaluation)) = (instruction.attrs.target, instruction.attrs.detail)
        else {
            return Err(self.unsupported(instruction));
        };
        self.w.module.capability(Capability::InterpolationFunction);
        let place = self.w.inputs[id.index()];
        let Some((pointer, Scalar::F32)) = self.component(place, StorageClass::Input, component) else {
            return Err(self.refuse(instruction, "an integer evaluated elsewhere in the pixel"));
        };
        let ty = self.scalar(Scalar::F32);
        let made = match evaluation {
            Evaluation::Centroid => self.glsl(GLOp::InterpolateAtCentroid, ty, &[pointer]),
            Evaluation::Sample => {
                let sample = self.bits(instruction.args[0]);
                self.glsl(GLOp::InterpolateAtSample, ty, &[pointer, sample])
            }
            Evaluation::Snapped => {
                let offsets = [0, 1].map(|at| self.sixteenths(instruction.args[at]));
                let pair = self.w.module.vector(Scalar::F32, 2);
                let offset = self.on(S::CompositeConstruct, pair, &offsets);
                self.glsl(GLOp::InterpolateAtOffset, ty, &[pointer, offset])
            }
        };
        self.define(instruction.results[0], View::Float, made);
        Ok(())
    }

    /// The signed low four bits of a word, in sixteenths.
    fn sixteenths(&mut self, value: gpuproof_program::Value) -> Word {
        let (word, float) = (self.scalar(Scalar::U32), self.scalar(Scalar::F32));
        let (zero, four) = (self.w.module.word(0), self.w.module.word(4));
        let bits = self.bits(value);
        let field = self.on(S::BitFieldSExtract, word, &[bits, zero, four]);
        let whole = self.on(S::ConvertSToF, float, &[field]);
        let sixteenth = self.w.module.constant(Scalar::F32, (1f32 / 16.0).to_bits().into());
        self.on(S::FMul, float, &[whole, sixteenth])
    }
}
