//! Inputs and outputs: what signatures and declarations say of registers that hold them.

use super::super::error::{Error, Result};
use super::super::opcode::Opcode;
use super::super::operand::{File, Operand, Selection};
use super::super::signature::{Element, Signature};
use super::super::tokens::{Instruction, Stage};
use super::declare::{Declarations, declared};
use gpuproof_program::{Builtin, InputId, Interpolation, IoVariable, Kind, OutputId, Rate, Width};

impl Declarations {
    /// Those of `v#`, and of `vicp#` where a stage has it.
    pub(super) fn signature_inputs(&mut self, stage: Stage, signature: Option<&Signature>) {
        let rate = match stage {
            Stage::Hull | Stage::Domain | Stage::Geometry => Rate::Vertex,
            Stage::Vertex | Stage::Pixel | Stage::Compute => Rate::Lane,
        };
        for element in signature.iter().flat_map(|signature| &signature.elements) {
            let mut variable = variable(element, rate);
            // A vertex's own attributes may have any name; only its numbers are generated (23.1, 23.3).
            if stage != Stage::Vertex || matches!(element.system_value, 6 | 8) {
                variable.builtin = builtin(element.system_value);
            }
            if element.register == u32::MAX {
                variable.rate = Rate::Lane;
            }
            let id = self.input(variable, element.register);
            if let Some(file) = special_input(element) {
                self.special_inputs.insert(file, id);
            }
        }
    }

    /// The constants of the patch, of a domain program.
    pub(super) fn signature_patch_inputs(&mut self, signature: Option<&Signature>) {
        for element in signature.iter().flat_map(|signature| &signature.elements) {
            let variable = IoVariable { builtin: signature_builtin(element), ..variable(element, Rate::Patch) };
            self.input(variable, element.register);
        }
    }

    fn input(&mut self, variable: IoVariable, register: u32) -> InputId {
        let id = InputId(self.interface.inputs.len() as u32);
        self.inputs.extend(components(variable.mask).map(|component| ((variable.rate, register, component), id)));
        self.interface.inputs.push(variable);
        id
    }

    /// Those of `o#`: of a hull program of its control points, or of the patch, where that is the rate.
    pub(super) fn signature_outputs(&mut self, stage: Stage, rate: Rate, signature: Option<&Signature>) {
        for element in signature.iter().flat_map(|signature| &signature.elements) {
            let rate = if stage == Stage::Geometry { Rate::Stream(element.stream as u8) } else { rate };
            let mut variable = variable(element, rate);
            variable.builtin = signature_builtin(element).or_else(|| named_builtin(&element.name));
            let id = OutputId(self.interface.outputs.len() as u32);
            match special_output(element).filter(|_| element.register == u32::MAX) {
                Some(file) => _ = self.special_outputs.insert(file, id),
                None => {
                    self.outputs.extend(components(element.mask).map(|component| ((rate, element.register, component), id)));
                }
            }
            self.interface.outputs.push(variable);
        }
    }

    pub(super) fn declare_input(&mut self, instruction: &Instruction, stage: Stage) -> Result<()> {
        let operand = declared(instruction)?;
        let rate = match (operand.file, stage) {
            (File::Input, _) => self.input_rate,
            (File::InputControlPoint, Stage::Hull | Stage::Domain) => Rate::Vertex,
            (File::InputPatchConstant, Stage::Domain) => Rate::Patch,
            // What earlier phases gave: outputs.
            (File::InputPatchConstant | File::OutputControlPoint, Stage::Hull) => return Ok(()),
            _ => {
                self.declare_special_input(operand, stage);
                return Ok(());
            }
        };
        let Some(register) = operand.indices.last().and_then(|index| index.as_constant()).and_then(|n| u32::try_from(n).ok())
        else {
            return Err(Error::bad(instruction.offset, "a register number", "none"));
        };
        let interpolation = interpolation(instruction.interpolation());
        for component in mask_components(operand) {
            let id = match self.inputs.get(&(rate, register, component)) {
                Some(id) => *id,
                // Without a signature the declarations say what there is.
                None => {
                    let variable = declared_variable(instruction, operand.file, register, rate);
                    let is_same = |other: &IoVariable| other.name == variable.name && other.rate == rate;
                    let at = self.interface.inputs.iter().position(is_same).unwrap_or_else(|| {
                        self.interface.inputs.push(variable);
                        self.interface.inputs.len() - 1
                    });
                    self.inputs.insert((rate, register, component), InputId(at as u32));
                    InputId(at as u32)
                }
            };
            let variable = &mut self.interface.inputs[id.index()];
            variable.mask |= 1 << component;
            if stage == Stage::Pixel {
                variable.interpolation = interpolation;
            }
        }
        Ok(())
    }

    fn declare_special_input(&mut self, operand: &Operand, stage: Stage) {
        let (builtin, size) = match operand.file {
            File::InputThreadId => (Builtin::GlobalInvocationId, 3),
            File::InputThreadGroupId => (Builtin::WorkgroupId, 3),
            File::InputThreadIdInGroup => (Builtin::LocalInvocationId, 3),
            File::InputThreadIdInGroupFlattened => (Builtin::LocalInvocationIndex, 1),
            File::InputCoverageMask => (Builtin::SampleMask, 1),
            File::InnerCoverage => (Builtin::InnerCoverage, 1),
            File::InputPrimitiveId if !matches!(stage, Stage::Vertex | Stage::Compute) => (Builtin::PrimitiveIndex, 1),
            File::InputGsInstanceId if stage == Stage::Geometry => (Builtin::GeometryInstanceId, 1),
            File::OutputControlPointId if stage == Stage::Hull => (Builtin::OutputControlPointId, 1),
            File::InputForkInstanceId if stage == Stage::Hull => (Builtin::ForkInstanceId, 1),
            File::InputJoinInstanceId if stage == Stage::Hull => (Builtin::JoinInstanceId, 1),
            // u and v, and w of a triangle.
            File::InputDomainPoint if stage == Stage::Domain => (Builtin::DomainLocation, 3),
            _ => return,
        };
        if self.special_inputs.contains_key(&operand.file) {
            return;
        }
        let id = InputId(self.interface.inputs.len() as u32);
        self.special_inputs.insert(operand.file, id);
        self.interface.inputs.push(IoVariable {
            name: operand.file.name().into(),
            semantic_index: 0,
            location: None,
            blend_source: None,
            mask: match operand.selection {
                Selection::Mask(mask) if builtin == Builtin::DomainLocation => mask,
                _ => (1 << size) - 1,
            },
            kind: if builtin == Builtin::DomainLocation { Kind::Float } else { Kind::Uint },
            width: Width::W32,
            builtin: Some(builtin),
            interpolation: Interpolation::Flat,
            rate: Rate::Lane,
        });
    }

    pub(super) fn declare_output(&mut self, instruction: &Instruction) -> Result<()> {
        let operand = declared(instruction)?;
        if operand.file != File::Output {
            if self.output_rate == Rate::Lane && !self.special_outputs.contains_key(&operand.file) {
                let builtin = match operand.file {
                    File::OutputDepth => Builtin::FragDepth,
                    File::OutputDepthGreaterEqual => Builtin::FragDepthGreaterEqual,
                    File::OutputDepthLessEqual => Builtin::FragDepthLessEqual,
                    File::OutputCoverageMask => Builtin::SampleMask,
                    File::OutputStencilRef => Builtin::StencilRef,
                    _ => return Ok(()),
                };
                let id = OutputId(self.interface.outputs.len() as u32);
                self.special_outputs.insert(operand.file, id);
                let variable = register_variable(operand.file.name().into(), 0, Rate::Lane);
                self.interface.outputs.push(IoVariable { location: None, mask: 1, builtin: Some(builtin), ..variable });
            }
            return Ok(());
        }
        let Some(register) = operand.constant_index(0).and_then(|number| u32::try_from(number).ok()) else {
            return Err(Error::bad(instruction.offset, "a register number", "none"));
        };
        let rate = self.output_rate;
        for component in mask_components(operand) {
            if self.outputs.contains_key(&(rate, register, component)) {
                continue;
            }
            let variable = declared_variable(instruction, File::Output, register, rate);
            let is_same = |other: &IoVariable| other.name == variable.name && other.rate == rate;
            let at = self.interface.outputs.iter().position(is_same).unwrap_or_else(|| {
                self.interface.outputs.push(variable);
                self.interface.outputs.len() - 1
            });
            self.interface.outputs[at].mask |= 1 << component;
            self.outputs.insert((rate, register, component), OutputId(at as u32));
        }
        Ok(())
    }
}

fn components(mask: u8) -> impl Iterator<Item = u8> {
    (0..4).filter(move |component| mask >> component & 1 == 1)
}

fn mask_components(operand: &Operand) -> Vec<u8> {
    match operand.selection {
        Selection::Mask(mask) => components(mask).collect(),
        Selection::Swizzle(_) => vec![0, 1, 2, 3],
        _ => vec![0],
    }
}

/// D3D10_SB_INTERPOLATION_MODE.
fn interpolation(mode: Option<u32>) -> Interpolation {
    match mode {
        Some(1) => Interpolation::Flat,
        Some(3) => Interpolation::LinearCentroid,
        Some(4) => Interpolation::NoPerspective,
        Some(5) => Interpolation::NoPerspectiveCentroid,
        Some(6) => Interpolation::LinearSample,
        Some(7) => Interpolation::NoPerspectiveSample,
        _ => Interpolation::Linear,
    }
}

fn variable(element: &Element, rate: Rate) -> IoVariable {
    let kind = match element.component_type {
        1 => Kind::Uint,
        2 => Kind::Sint,
        3 => Kind::Float,
        _ => Kind::Unknown,
    };
    IoVariable {
        name: element.name.clone(),
        semantic_index: element.semantic_index,
        location: (element.register != u32::MAX).then_some(element.register),
        blend_source: None,
        mask: element.mask & 0xf,
        kind,
        width: Width::W32,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate,
    }
}

/// What stands for a register that no signature names.
fn register_variable(name: String, register: u32, rate: Rate) -> IoVariable {
    IoVariable {
        name,
        semantic_index: 0,
        location: Some(register),
        blend_source: None,
        mask: 0,
        kind: Kind::Unknown,
        width: Width::W32,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate,
    }
}

/// The same with the system value that its declaration gives it.
fn declared_variable(instruction: &Instruction, file: File, register: u32, rate: Rate) -> IoVariable {
    // A control point's register has one name in all phases.
    let prefix = if file == File::InputControlPoint { "v" } else { file.name() };
    let mut variable = register_variable(format!("{prefix}{register}"), register, rate);
    if !matches!(instruction.opcode, Opcode::DclInput | Opcode::DclInputPs | Opcode::DclOutput) {
        let system = instruction.words.first().copied().unwrap_or(0);
        if let Some((_, builtin, index)) = DECLARED_FACTORS.iter().find(|(number, ..)| *number == system) {
            (variable.builtin, variable.semantic_index) = (Some(*builtin), *index);
        } else {
            variable.builtin = builtin(system);
        }
    }
    variable
}

/// D3D_NAME, which signatures use, and D3D10_SB_NAME, which declarations use: alike where both have the name.
fn builtin(system_value: u32) -> Option<Builtin> {
    Some(match system_value {
        1 => Builtin::Position,
        2 => Builtin::ClipDistance,
        3 => Builtin::CullDistance,
        4 => Builtin::RenderTargetArrayIndex,
        5 => Builtin::ViewportArrayIndex,
        6 => Builtin::VertexIndex,
        7 => Builtin::PrimitiveIndex,
        8 => Builtin::InstanceIndex,
        9 => Builtin::FrontFacing,
        10 => Builtin::SampleIndex,
        65 => Builtin::FragDepth,
        66 => Builtin::SampleMask,
        67 => Builtin::FragDepthGreaterEqual,
        68 => Builtin::FragDepthLessEqual,
        69 => Builtin::StencilRef,
        70 => Builtin::InnerCoverage,
        _ => return None,
    })
}

/// The tessellation factors of D3D10_SB_NAME, one by one: number, what it is, which edge or direction.
const DECLARED_FACTORS: &[(u32, Builtin, u32)] = &[
    (11, Builtin::EdgeTessFactor, 0),
    (12, Builtin::EdgeTessFactor, 1),
    (13, Builtin::EdgeTessFactor, 2),
    (14, Builtin::EdgeTessFactor, 3),
    (15, Builtin::InsideTessFactor, 0),
    (16, Builtin::InsideTessFactor, 1),
    (17, Builtin::EdgeTessFactor, 0),
    (18, Builtin::EdgeTessFactor, 1),
    (19, Builtin::EdgeTessFactor, 2),
    (20, Builtin::InsideTessFactor, 0),
    (21, Builtin::LineDetailTessFactor, 1),
    (22, Builtin::LineDensityTessFactor, 0),
];

/// What a signature's element is to the pipeline. Of tessellation factors D3D_NAME has the kinds alone; the semantic index tells which.
fn signature_builtin(element: &Element) -> Option<Builtin> {
    match element.system_value {
        11 | 13 => Some(Builtin::EdgeTessFactor),
        12 | 14 => Some(Builtin::InsideTessFactor),
        15 => Some(Builtin::LineDetailTessFactor),
        16 => Some(Builtin::LineDensityTessFactor),
        other => builtin(other),
    }
}

/// Output signatures of SM 4 name depth and coverage by semantic alone.
fn named_builtin(name: &str) -> Option<Builtin> {
    const NAMES: &[(&str, Builtin)] = &[
        ("SV_Depth", Builtin::FragDepth),
        ("SV_DepthGreaterEqual", Builtin::FragDepthGreaterEqual),
        ("SV_DepthLessEqual", Builtin::FragDepthLessEqual),
        ("SV_Coverage", Builtin::SampleMask),
        ("SV_StencilRef", Builtin::StencilRef),
    ];
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, builtin)| *builtin)
}

/// The register file of an input that has one of its own.
fn special_input(element: &Element) -> Option<File> {
    Some(match builtin(element.system_value).or_else(|| named_builtin(&element.name))? {
        Builtin::SampleMask => File::InputCoverageMask,
        Builtin::InnerCoverage => File::InnerCoverage,
        Builtin::PrimitiveIndex if element.register == u32::MAX => File::InputPrimitiveId,
        _ => return None,
    })
}

/// The register file of an output that has one of its own.
fn special_output(element: &Element) -> Option<File> {
    Some(match builtin(element.system_value).or_else(|| named_builtin(&element.name))? {
        Builtin::FragDepth => File::OutputDepth,
        Builtin::FragDepthGreaterEqual => File::OutputDepthGreaterEqual,
        Builtin::FragDepthLessEqual => File::OutputDepthLessEqual,
        Builtin::SampleMask => File::OutputCoverageMask,
        Builtin::StencilRef => File::OutputStencilRef,
        _ => return None,
    })
}
