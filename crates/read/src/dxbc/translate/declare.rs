//! Declarations, signatures and reflection: the program's interface, and what each register means.

use super::super::container::Container;
use super::super::error::{Error, Result};
use super::super::opcode::Opcode;
use super::super::operand::{File, Operand, Selection};
use super::super::reflection::{Binding, Reflection};
use super::super::signature::{Element, Signature, SignatureKind};
use super::super::tokens::{Instruction, Shader, Stage};
use super::interfaces::Interfaces;
use super::layout;
use gpuproof_program::{
    Access, ArrayId, Builtin, Dimension, InputId, Interface, Interpolation, IoVariable, Kind, OutputId, PrivateArray,
    RegisterClass, Resource, ResourceId, Sampler, SamplerId, Shape, SharedId, SharedMemory, Slot, TextureShape, Width,
};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// A declared resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) id: ResourceId,
    /// The first register of its range.
    pub(super) lower: u32,
    pub(super) shape: Shape,
}

/// What the declarations, the signatures and the reflection say.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) interface: Interface,
    pub(super) arrays: Vec<PrivateArray>,
    pub(super) shared: Vec<SharedMemory>,
    pub(super) group_size: [u32; 3],
    pub(super) notes: Vec<String>,
    /// Whether the program as a whole lets operations be refactored (22.3.2).
    pub(super) refactoring: bool,
    pub(super) inputs: BTreeMap<(u32, u8), InputId>,
    pub(super) outputs: BTreeMap<(u32, u8), OutputId>,
    pub(super) special_inputs: HashMap<File, InputId>,
    pub(super) special_outputs: HashMap<File, OutputId>,
    pub(super) resources: HashMap<(File, u32), Bound>,
    pub(super) samplers: HashMap<u32, (SamplerId, u32)>,
    pub(super) indexable: HashMap<u32, (ArrayId, u8)>,
    pub(super) immediate_constants: Option<ArrayId>,
    /// Group-shared memories, with their stride where they are structured.
    pub(super) groupshared: HashMap<u32, (SharedId, Option<u32>)>,
    /// The array of the inputs that registers index, and its first register.
    pub(super) input_array: Option<(ArrayId, u32)>,
    pub(super) output_ranges: Vec<Range<u32>>,
    pub(super) interfaces: Interfaces,
}

/// Bytes that all indexable temporaries may take: 4,096 registers (the format's limit for r# and x# together).
const MAX_INDEXABLE_WORDS: u64 = 4096 * 4;
/// Bytes of group-shared memory that a group may have (32 KiB; DXBC allows no more).
const MAX_SHARED: u64 = 32 * 1024;

impl Declarations {
    pub(super) fn collect(container: &Container, shader: &Shader) -> Result<Declarations> {
        let reflection = container.find(&[b"RDEF"]).map(Reflection::parse).transpose()?;
        let mut this = Declarations { group_size: [1; 3], ..Declarations::default() };
        let input = Signature::find(container, SignatureKind::Input)?;
        let output = Signature::find(container, SignatureKind::Output)?;
        let stage = shader.target().stage;
        this.signature_inputs(stage, input.as_ref());
        this.signature_outputs(output.as_ref());
        for instruction in &shader.instructions {
            this.declaration(instruction, shader, reflection.as_ref())?;
        }
        this.index_inputs(shader)?;
        Ok(this)
    }

    fn signature_inputs(&mut self, stage: Stage, signature: Option<&Signature>) {
        for element in signature.iter().flat_map(|signature| &signature.elements) {
            let mut variable = variable(element);
            // A vertex's own attributes may have any name; only its numbers are generated (23.1, 23.3).
            if stage == Stage::Pixel || matches!(element.system_value, 6 | 8) {
                variable.builtin = builtin(element.system_value);
            }
            let id = InputId(self.interface.inputs.len() as u32);
            for component in components(element.mask) {
                self.inputs.insert((element.register, component), id);
            }
            if let Some(file) = special_file(element.system_value, &element.name, true) {
                self.special_inputs.insert(file, id);
            }
            self.interface.inputs.push(variable);
        }
    }

    fn signature_outputs(&mut self, signature: Option<&Signature>) {
        for element in signature.iter().flat_map(|signature| &signature.elements) {
            let mut variable = variable(element);
            variable.builtin = builtin(element.system_value).or_else(|| named_builtin(&element.name));
            let id = OutputId(self.interface.outputs.len() as u32);
            match special_file(element.system_value, &element.name, false).filter(|_| element.register == u32::MAX) {
                Some(file) => _ = self.special_outputs.insert(file, id),
                None => self.outputs.extend(components(element.mask).map(|component| ((element.register, component), id))),
            }
            self.interface.outputs.push(variable);
        }
    }

    fn declaration(&mut self, instruction: &Instruction, shader: &Shader, reflection: Option<&Reflection>) -> Result<()> {
        let word = |at: usize| instruction.words.get(at).copied().unwrap_or(0);
        let spaces = shader.target().has_spaces();
        match instruction.opcode {
            Opcode::DclGlobalFlags => self.refactoring = instruction.global_flags().unwrap_or(0) & 1 == 1,
            Opcode::DclThreadGroup if shader.target().stage == Stage::Compute => {
                self.group_size = [word(0), word(1), word(2)];
                let threads = self.group_size.iter().try_fold(1u32, |product, n| product.checked_mul(*n));
                if !threads.is_some_and(|threads| (1..=1024).contains(&threads)) {
                    let found = format!("{:?}", self.group_size);
                    return Err(Error::bad(instruction.offset, "a group of 1 to 1024 threads", found));
                }
            }
            Opcode::DclInput
            | Opcode::DclInputSgv
            | Opcode::DclInputSiv
            | Opcode::DclInputPs
            | Opcode::DclInputPsSgv
            | Opcode::DclInputPsSiv => self.declare_input(instruction, shader.target().stage)?,
            Opcode::DclOutput | Opcode::DclOutputSgv | Opcode::DclOutputSiv => self.declare_output(instruction)?,
            Opcode::DclIndexRange => {
                let operand = declared(instruction)?;
                let first = operand.indices.last().and_then(|index| index.as_constant()).unwrap_or(0) as u32;
                let range = first..first.saturating_add(word(0).min(64));
                if operand.file == File::Output {
                    self.output_ranges.push(range);
                }
            }
            Opcode::DclIndexableTemp => {
                let (number, count, size) = (word(0), word(1), word(2).clamp(1, 4));
                let words: u64 = self.arrays.iter().map(|array| u64::from(array.length)).sum::<u64>() + u64::from(count) * 4;
                if words > MAX_INDEXABLE_WORDS + 16 * 1024 {
                    return Err(Error::bad(instruction.offset, "at most 4096 indexable registers", count.to_string()));
                }
                let id = self.array(format!("x{number}"), count * size, Vec::new(), false);
                self.indexable.insert(number, (id, size as u8));
            }
            Opcode::CustomData if instruction.data_class() == Some(3) => {
                let initial: Vec<u64> = instruction.words.iter().map(|word| u64::from(*word)).collect();
                let id = self.array("icb".into(), initial.len() as u32, initial, true);
                self.immediate_constants = Some(id);
            }
            Opcode::DclTgsmRaw | Opcode::DclTgsmStructured => {
                let structured = instruction.opcode == Opcode::DclTgsmStructured;
                let bytes = u64::from(word(0)) * if structured { u64::from(word(1)) } else { 1 };
                if (structured && word(0) == 0) || word(0) % 4 != 0 {
                    let expected = "a stride or size that is a multiple of 4";
                    return Err(Error::bad(instruction.offset, expected, word(0).to_string()));
                }
                let total = bytes + self.shared.iter().map(|memory| u64::from(memory.bytes)).sum::<u64>();
                if total > MAX_SHARED {
                    let expected = format!("at most {MAX_SHARED} bytes of group-shared memory");
                    return Err(Error::bad(instruction.offset, expected, total.to_string()));
                }
                let number = number(instruction)?;
                let stride = structured.then_some(word(0));
                let id = SharedId(self.shared.len() as u32);
                self.shared.push(SharedMemory {
                    name: format!("g{number}"),
                    bytes: bytes as u32,
                    stride: stride.unwrap_or(4),
                    zeroed: false,
                });
                self.groupshared.insert(number, (id, stride));
            }
            Opcode::DclFunctionTable | Opcode::DclInterface => {
                self.interfaces.declare(instruction, &mut self.interface.resources);
            }
            Opcode::DclSampler => self.declare_sampler(instruction, spaces, reflection)?,
            Opcode::DclConstantBuffer => {
                // Rows of 16 bytes; before SM 5.1 the second index of the operand says how many.
                let rows = match spaces {
                    true => word(0),
                    false => declared(instruction)?.constant_index(1).unwrap_or(0) as u32,
                };
                let shape = Shape::ConstantBuffer { bytes: rows.saturating_mul(16) };
                self.declare_resource(instruction, shape, spaces.then(|| word(1)), reflection)?;
            }
            Opcode::DclResource | Opcode::DclUavTyped => {
                let dimension = instruction.resource_dimension().unwrap_or(0);
                let shape = Shape::Texture(texture_shape(instruction, dimension, word(0))?);
                self.declare_resource(instruction, shape, spaces.then(|| word(1)), reflection)?;
            }
            Opcode::DclResourceRaw | Opcode::DclUavRaw => {
                self.declare_resource(instruction, Shape::Buffer { bytes: 0 }, spaces.then(|| word(0)), reflection)?;
            }
            Opcode::DclResourceStructured | Opcode::DclUavStructured => {
                let stride = word(0);
                if stride == 0 || stride % 4 != 0 || stride > 2048 {
                    let expected = "a stride that is a multiple of 4 up to 2048";
                    return Err(Error::bad(instruction.offset, expected, stride.to_string()));
                }
                self.declare_resource(instruction, Shape::Structured { stride }, spaces.then(|| word(1)), reflection)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn array(&mut self, name: String, length: u32, initial: Vec<u64>, constant: bool) -> ArrayId {
        self.arrays.push(PrivateArray { name, length, width: Width::W32, initial, constant });
        ArrayId(self.arrays.len() as u32 - 1)
    }

    fn declare_input(&mut self, instruction: &Instruction, stage: Stage) -> Result<()> {
        let operand = declared(instruction)?;
        if operand.file != File::Input {
            self.declare_special_input(operand, stage);
            return Ok(());
        }
        let Some(register) = operand.indices.last().and_then(|index| index.as_constant()).and_then(|n| u32::try_from(n).ok())
        else {
            return Err(Error::bad(instruction.offset, "a register number", "none"));
        };
        let system = match instruction.opcode {
            Opcode::DclInput | Opcode::DclInputPs => 0,
            _ => instruction.words.first().copied().unwrap_or(0),
        };
        let interpolation = interpolation(instruction.interpolation());
        for component in mask_components(operand) {
            let id = match self.inputs.get(&(register, component)) {
                Some(id) => *id,
                // Without a signature the declarations say what there is.
                None => {
                    let mut variable = register_variable("v", register);
                    variable.builtin = builtin(system);
                    let same = self.interface.inputs.iter().position(|other| other.name == variable.name);
                    let at = same.unwrap_or_else(|| {
                        self.interface.inputs.push(variable);
                        self.interface.inputs.len() - 1
                    });
                    self.inputs.insert((register, component), InputId(at as u32));
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
            File::InputPrimitiveId if stage == Stage::Pixel => (Builtin::PrimitiveIndex, 1),
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
            mask: (1 << size) - 1,
            kind: Kind::Uint,
            width: Width::W32,
            builtin: Some(builtin),
            interpolation: Interpolation::Flat,
        });
    }

    fn declare_output(&mut self, instruction: &Instruction) -> Result<()> {
        let operand = declared(instruction)?;
        if operand.file != File::Output {
            if !self.special_outputs.contains_key(&operand.file) {
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
                let variable = register_variable(operand.file.name(), 0);
                let name = operand.file.name().into();
                self.interface.outputs.push(IoVariable { name, location: None, mask: 1, builtin: Some(builtin), ..variable });
            }
            return Ok(());
        }
        let Some(register) = operand.constant_index(0).and_then(|number| u32::try_from(number).ok()) else {
            return Err(Error::bad(instruction.offset, "a register number", "none"));
        };
        for component in mask_components(operand) {
            if self.outputs.contains_key(&(register, component)) {
                continue;
            }
            let mut variable = register_variable("o", register);
            if instruction.opcode != Opcode::DclOutput {
                variable.builtin = builtin(instruction.words.first().copied().unwrap_or(0));
            }
            let same = self.interface.outputs.iter().position(|other| other.name == variable.name);
            let at = same.unwrap_or_else(|| {
                self.interface.outputs.push(variable);
                self.interface.outputs.len() - 1
            });
            self.interface.outputs[at].mask |= 1 << component;
            self.outputs.insert((register, component), OutputId(at as u32));
        }
        Ok(())
    }

    fn declare_sampler(&mut self, instruction: &Instruction, spaces: bool, reflection: Option<&Reflection>) -> Result<()> {
        let number = number(instruction)?;
        let range = range(instruction, spaces, instruction.words.first().copied())?;
        let binding = find_binding(reflection, RegisterClass::S, &range);
        let id = SamplerId(self.interface.samplers.len() as u32);
        self.interface.samplers.push(Sampler {
            name: binding.map_or_else(|| range.name('s'), |binding| binding.name.clone()),
            slot: Slot::Register { class: RegisterClass::S, space: range.space, index: range.lower },
            count: range.count,
            comparison: instruction.sampler_mode() == Some(1),
        });
        self.samplers.insert(number, (id, range.lower));
        Ok(())
    }

    fn declare_resource(
        &mut self,
        instruction: &Instruction,
        shape: Shape,
        space: Option<u32>,
        reflection: Option<&Reflection>,
    ) -> Result<()> {
        let file = declared(instruction)?.file;
        let number = number(instruction)?;
        let (class, letter) = match file {
            File::ConstantBuffer => (RegisterClass::B, 'b'),
            File::Resource => (RegisterClass::T, 't'),
            _ => (RegisterClass::U, 'u'),
        };
        let range = range(instruction, space.is_some(), space)?;
        let binding = find_binding(reflection, class, &range);
        let layout = reflection.zip(binding).and_then(|(reflection, binding)| layout::of(reflection, binding, shape));
        let id = ResourceId(self.interface.resources.len() as u32);
        self.interface.resources.push(Resource {
            name: binding.map_or_else(|| range.name(letter), |binding| binding.name.clone()),
            slot: Slot::Register { class, space: range.space, index: range.lower },
            count: range.count,
            shape,
            access: if class == RegisterClass::U { Access::ReadWrite } else { Access::Read },
            layout,
            // Bit 23 of the token: D3D11_SB_UAV_HAS_ORDER_PRESERVING_COUNTER. Programs of before SM 5.1 may lack it.
            counter: instruction.opcode == Opcode::DclUavStructured && instruction.controls >> 23 & 1 == 1,
        });
        self.resources.insert((file, number), Bound { id, lower: range.lower, shape });
        Ok(())
    }

    /// Inputs that a register indexes are copied to an array; an operand without a constant index tells that there are any.
    fn index_inputs(&mut self, shader: &Shader) -> Result<()> {
        let indexed =
            |operand: &Operand| operand.file == File::Input && operand.indices.first().is_some_and(|i| i.relative.is_some());
        if !shader.instructions.iter().flat_map(|instruction| &instruction.operands).any(indexed) {
            return Ok(());
        }
        let registers = || self.inputs.keys().map(|(register, _)| *register).filter(|register| *register < 64);
        if let (Some(first), Some(last)) = (registers().min(), registers().max()) {
            let id = self.array("v".into(), (last - first + 1) * 4, Vec::new(), false);
            self.input_array = Some((id, first));
        }
        Ok(())
    }
}

fn declared(instruction: &Instruction) -> Result<&Operand> {
    let missing = || Error::bad(instruction.offset, "a declared register", "no operand");
    instruction.operands.first().ok_or_else(missing)
}

fn number(instruction: &Instruction) -> Result<u32> {
    let number = declared(instruction)?.constant_index(0).and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| Error::bad(instruction.offset, "a constant register number", "none"))
}

/// The registers of a resource or sampler: one before SM 5.1, a range in a space since.
struct Registers {
    lower: u32,
    count: Option<u32>,
    space: u32,
}

impl Registers {
    fn name(&self, letter: char) -> String {
        match self.space {
            0 => format!("{letter}{}", self.lower),
            space => format!("{letter}{}_space{space}", self.lower),
        }
    }
}

fn range(instruction: &Instruction, spaces: bool, space: Option<u32>) -> Result<Registers> {
    let operand = declared(instruction)?;
    if !spaces {
        return Ok(Registers { lower: number(instruction)?, count: Some(1), space: 0 });
    }
    let bound = |at: usize| operand.constant_index(at).and_then(|number| u32::try_from(number).ok());
    match (bound(1), bound(2)) {
        (Some(lower), Some(u32::MAX)) => Ok(Registers { lower, count: None, space: space.unwrap_or(0) }),
        (Some(lower), Some(upper)) if upper >= lower => {
            Ok(Registers { lower, count: Some((upper - lower).saturating_add(1)), space: space.unwrap_or(0) })
        }
        found => Err(Error::bad(instruction.offset, "the bounds of a register range", format!("{found:?}"))),
    }
}

fn find_binding<'r>(reflection: Option<&'r Reflection>, class: RegisterClass, range: &Registers) -> Option<&'r Binding> {
    reflection?.bindings.iter().find(|binding| {
        // D3D_SHADER_INPUT_TYPE: which register file each is in.
        let of = match binding.kind {
            0 => RegisterClass::B,
            3 => RegisterClass::S,
            1 | 2 | 5 | 7 => RegisterClass::T,
            _ => RegisterClass::U,
        };
        of == class && binding.bind_point == range.lower && binding.space == range.space
    })
}

/// D3D10_SB_RESOURCE_DIMENSION and the return types.
pub(super) fn texture_shape(instruction: &Instruction, dimension: u32, types: u32) -> Result<TextureShape> {
    let (dimension, arrayed, multisampled) = match dimension {
        1 => (Dimension::Buffer, false, false),
        2 => (Dimension::D1, false, false),
        3 => (Dimension::D2, false, false),
        4 => (Dimension::D2, false, true),
        5 => (Dimension::D3, false, false),
        6 => (Dimension::Cube, false, false),
        7 => (Dimension::D1, true, false),
        8 => (Dimension::D2, true, false),
        9 => (Dimension::D2, true, true),
        10 => (Dimension::Cube, true, false),
        other => return Err(Error::bad(instruction.offset, "a resource dimension from 1 to 10", other.to_string())),
    };
    // D3D10_SB_RESOURCE_RETURN_TYPE of x: UNORM, SNORM, SINT, UINT, FLOAT, MIXED, DOUBLE, CONTINUED.
    let kind = match types & 0xf {
        1 | 2 | 5 => Kind::Float,
        3 => Kind::Sint,
        4 => Kind::Uint,
        _ => Kind::Unknown,
    };
    Ok(TextureShape { dimension, arrayed, multisampled, kind, depth: false, format: None })
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

fn variable(element: &Element) -> IoVariable {
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
    }
}

/// What stands for a register that no signature names.
fn register_variable(prefix: &str, register: u32) -> IoVariable {
    IoVariable {
        name: format!("{prefix}{register}"),
        semantic_index: 0,
        location: Some(register),
        blend_source: None,
        mask: 0,
        kind: Kind::Unknown,
        width: Width::W32,
        builtin: None,
        interpolation: Interpolation::Linear,
    }
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

/// The register file of a system value that has one of its own.
fn special_file(system_value: u32, name: &str, input: bool) -> Option<File> {
    let builtin = builtin(system_value).or_else(|| named_builtin(name))?;
    Some(match (builtin, input) {
        (Builtin::FragDepth, false) => File::OutputDepth,
        (Builtin::FragDepthGreaterEqual, false) => File::OutputDepthGreaterEqual,
        (Builtin::FragDepthLessEqual, false) => File::OutputDepthLessEqual,
        (Builtin::SampleMask, false) => File::OutputCoverageMask,
        (Builtin::StencilRef, false) => File::OutputStencilRef,
        (Builtin::SampleMask, true) => File::InputCoverageMask,
        (Builtin::InnerCoverage, true) => File::InnerCoverage,
        _ => return None,
    })
}
