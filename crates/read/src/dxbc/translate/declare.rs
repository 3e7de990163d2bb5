//! Declarations, signatures and reflection: the program's interface, and what each register means.

use super::super::container::Container;
use super::super::error::{Error, Result};
use super::super::opcode::Opcode;
use super::super::operand::{File, Operand};
use super::super::reflection::{Binding, Reflection};
use super::super::signature::{Signature, SignatureKind};
use super::super::tokens::{Instruction, Shader, Stage};
use super::interfaces::Interfaces;
use super::layout;
use super::stages::Primitives;
use gpuproof_program::{
    Access, ArrayId, Builtin, Dimension, InputId, Interface, Kind, OutputId, PhaseKind, PrivateArray, Rate, RegisterClass,
    Resource, ResourceId, Sampler, SamplerId, Shape, SharedId, SharedMemory, Slot, TextureShape, Width,
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
    pub(super) primitives: Primitives,
    /// The phase of a hull program that is being read.
    pub(super) phase: Option<PhaseKind>,
    /// Whose the registers `v#` and `o#` are here.
    pub(super) input_rate: Rate,
    pub(super) output_rate: Rate,
    pub(super) inputs: BTreeMap<(Rate, u32, u8), InputId>,
    pub(super) outputs: BTreeMap<(Rate, u32, u8), OutputId>,
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
        let patch = Signature::find(container, SignatureKind::PatchConstant)?;
        let stage = shader.target().stage;
        (this.input_rate, this.output_rate) = match stage {
            Stage::Hull => (Rate::Vertex, Rate::Vertex),
            Stage::Geometry => (Rate::Vertex, Rate::Stream(0)),
            Stage::Vertex | Stage::Domain | Stage::Pixel | Stage::Compute => (Rate::Lane, Rate::Lane),
        };
        this.signature_inputs(stage, input.as_ref());
        this.signature_outputs(stage, this.output_rate, output.as_ref());
        match stage {
            Stage::Hull => this.signature_outputs(stage, Rate::Patch, patch.as_ref()),
            Stage::Domain => this.signature_patch_inputs(patch.as_ref()),
            _ => {}
        }
        let own = |instruction: &&Instruction| stage != Stage::Hull || phase_of(instruction.opcode).is_none();
        for instruction in shader.instructions.iter().take_while(own) {
            this.declaration(instruction, shader, reflection.as_ref())?;
        }
        this.index_inputs(shader)?;
        Ok(this)
    }

    /// Whether an input tells lanes of another kind of phase apart.
    pub(super) fn is_of_other_phase(&self, builtin: Option<Builtin>) -> bool {
        let mut kinds = [PhaseKind::ControlPoint, PhaseKind::Fork, PhaseKind::Join].into_iter();
        kinds.any(|kind| builtin == Some(kind.lane_id()) && self.phase != Some(kind))
    }

    /// Takes what a phase of a hull program declares: its registers are its own.
    pub(super) fn enter_phase(
        &mut self,
        kind: PhaseKind,
        (container, shader): (&Container, &Shader),
        instructions: &[Instruction],
    ) -> Result<()> {
        self.phase = Some(kind);
        self.output_rate = if kind == PhaseKind::ControlPoint { Rate::Vertex } else { Rate::Patch };
        self.primitives.phase_instances = None;
        self.indexable.clear();
        self.output_ranges.clear();
        let reflection = container.find(&[b"RDEF"]).map(Reflection::parse).transpose()?;
        instructions.iter().try_for_each(|instruction| self.declaration(instruction, shader, reflection.as_ref()))
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
            Opcode::DclStream if matches!(self.output_rate, Rate::Stream(_)) => {
                self.primitives.declare_stream(instruction, &mut self.output_rate)?
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
            _ => self.primitives.declare(instruction)?,
        }
        Ok(())
    }

    fn array(&mut self, name: String, length: u32, initial: Vec<u64>, constant: bool) -> ArrayId {
        self.arrays.push(PrivateArray { name, length, width: Width::W32, initial, constant });
        ArrayId(self.arrays.len() as u32 - 1)
    }

    fn declare_sampler(&mut self, instruction: &Instruction, spaces: bool, reflection: Option<&Reflection>) -> Result<()> {
        let number = number(instruction)?;
        let range = range(instruction, spaces, instruction.words.first().copied())?;
        if self.phase.is_some() && self.samplers.contains_key(&number) {
            return Ok(());
        }
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
        // Phases of a hull program may declare what others have declared.
        if self.phase.is_some() && self.resources.get(&(file, number)).is_some_and(|bound| bound.shape == shape) {
            return Ok(());
        }
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
        let is_lanes = self.input_rate == Rate::Lane;
        if !is_lanes || !shader.instructions.iter().flat_map(|instruction| &instruction.operands).any(indexed) {
            return Ok(());
        }
        let registers = || self.inputs.keys().map(|(_, register, _)| *register).filter(|register| *register < 64);
        if let (Some(first), Some(last)) = (registers().min(), registers().max()) {
            let id = self.array("v".into(), (last - first + 1) * 4, Vec::new(), false);
            self.input_array = Some((id, first));
        }
        Ok(())
    }
}

/// The phase of a hull program that an opcode starts.
pub(super) fn phase_of(opcode: Opcode) -> Option<PhaseKind> {
    match opcode {
        Opcode::HsControlPointPhase => Some(PhaseKind::ControlPoint),
        Opcode::HsForkPhase => Some(PhaseKind::Fork),
        Opcode::HsJoinPhase => Some(PhaseKind::Join),
        _ => None,
    }
}

pub(super) fn declared(instruction: &Instruction) -> Result<&Operand> {
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
