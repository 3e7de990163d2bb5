//! Buffers, per-lane arrays and group-shared memory, as words.

use super::Writer;
use super::function::{Code, View};
use super::module::Scalar;
use crate::Bound;
use crate::WriteError;
use gpuproof_program::{Access, AtomicOp, Detail, Instruction, Op, Shape, Target, Value, Width};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, ImageFormat, Op as S, StorageClass, Word};

/// A resource or sampler of the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resource {
    pub(super) variable: Word,
    /// The type of one element of the binding array.
    pub(super) ty: Word,
    pub(super) class: StorageClass,
    /// Whether it is a binding array.
    pub(super) many: bool,
}

impl Writer<'_> {
    /// Declares arrays, group-shared memory, resources and samplers.
    pub(super) fn memories(&mut self) -> Result<(), WriteError> {
        for array in &self.program.arrays {
            let scalar = Scalar::of(array.width);
            let element = self.module.scalar(scalar);
            let ty = self.module.array(element, array.length);
            let initial = if array.initial.is_empty() {
                None
            } else {
                let parts: Vec<Word> = array.initial.iter().map(|bits| self.module.constant(scalar, *bits)).collect();
                Some(self.module.composite(ty, &parts))
            };
            let variable = self.module.variable(StorageClass::Private, ty, initial, &array.name);
            self.arrays.push(variable);
        }
        for shared in &self.program.shared {
            let word = self.module.scalar(Scalar::U32);
            let ty = self.module.array(word, shared.bytes.div_ceil(4).max(1));
            let initial = shared.zeroed.then(|| self.module.ty_null(ty));
            let variable = self.module.variable(StorageClass::Workgroup, ty, initial, &shared.name);
            self.shared.push(variable);
        }
        let interface = &self.program.interface;
        for (at, resource) in interface.resources.iter().enumerate() {
            let (class, ty) = self.resource_type(at)?;
            let made = self.bind(&resource.name, class, ty, resource.count, false);
            if resource.access == Access::Read && class == StorageClass::StorageBuffer {
                self.module.decorate(made.variable, Decoration::NonWritable, Vec::new());
            }
            self.resources.push(made);
        }
        for (at, resource) in interface.resources.iter().enumerate().filter(|(_, resource)| resource.counter) {
            let word = self.module.scalar(Scalar::U32);
            let ty = self.block(&format!("{}_counter", resource.name), word);
            let made = self.bind(&resource.name, StorageClass::StorageBuffer, ty, resource.count, true);
            self.counters.insert(at, made);
        }
        for sampler in &interface.samplers {
            let ty = self.module.ty(S::TypeSampler, Vec::new());
            let made = self.bind(&sampler.name, StorageClass::UniformConstant, ty, sampler.count, false);
            self.samplers.push(made);
        }
        Ok(())
    }

    /// A structure of one member that a buffer holds.
    fn block(&mut self, name: &str, member: Word) -> Word {
        let ty = self.module.distinct(S::TypeStruct, None, vec![Operand::IdRef(member)]);
        self.module.name(ty, name);
        self.module.decorate(ty, Decoration::Block, Vec::new());
        self.module.decorate_member(ty, 0, Decoration::Offset, vec![Operand::LiteralBit32(0)]);
        ty
    }

    fn resource_type(&mut self, at: usize) -> Result<(StorageClass, Word), WriteError> {
        let resource = &self.program.interface.resources[at];
        let word = self.module.scalar(Scalar::U32);
        Ok(match resource.shape {
            Shape::ConstantBuffer { bytes } => {
                let row = self.module.vector(Scalar::U32, 4);
                // Where the size is unknown: the largest that Direct3D has.
                let rows = if bytes == 0 { 4096 } else { bytes.div_ceil(16) };
                let length = self.module.word(rows);
                let array = self.module.strided(S::TypeArray, vec![Operand::IdRef(row), Operand::IdRef(length)], 16);
                (StorageClass::Uniform, self.block(&resource.name, array))
            }
            Shape::Buffer { .. } => {
                let array = self.module.strided(S::TypeRuntimeArray, vec![Operand::IdRef(word)], 4);
                (StorageClass::StorageBuffer, self.block(&resource.name, array))
            }
            Shape::Structured { stride } => {
                let length = self.module.word((stride / 4).max(1));
                let each = self.module.strided(S::TypeArray, vec![Operand::IdRef(word), Operand::IdRef(length)], 4);
                let array = self.module.strided(S::TypeRuntimeArray, vec![Operand::IdRef(each)], stride.max(4));
                (StorageClass::StorageBuffer, self.block(&resource.name, array))
            }
            Shape::Texture(shape) => {
                let storage = resource.access != Access::Read;
                let atomic = self.uses.atomic.contains(&at);
                let format = match (atomic, Scalar::of_kind(shape.kind)) {
                    (false, _) => ImageFormat::Unknown,
                    (true, Scalar::I32) => ImageFormat::R32i,
                    (true, _) => ImageFormat::R32ui,
                };
                if storage && !atomic {
                    self.module.capability(Capability::StorageImageWriteWithoutFormat);
                    if resource.access == Access::ReadWrite {
                        self.module.capability(Capability::StorageImageReadWithoutFormat);
                    }
                }
                let dim = super::image::dimension(&mut self.module, &shape, storage);
                if storage && shape.multisampled {
                    return Err(WriteError::whole(format!("{}, a multisampled texture that is written", resource.name)));
                }
                let sampled = self.module.scalar(Scalar::of_kind(shape.kind));
                let number = Operand::LiteralBit32;
                let operands = vec![
                    Operand::IdRef(sampled),
                    Operand::Dim(dim),
                    // Whether it is a depth texture is not known.
                    number(2),
                    number(shape.arrayed.into()),
                    number(shape.multisampled.into()),
                    number(if storage { 2 } else { 1 }),
                    Operand::ImageFormat(format),
                ];
                (StorageClass::UniformConstant, self.module.ty(S::TypeImage, operands))
            }
        })
    }

    fn bind(&mut self, name: &str, class: StorageClass, ty: Word, count: Option<u32>, counter: bool) -> Resource {
        let many = count != Some(1);
        let whole = match count {
            Some(1) => ty,
            Some(count) => self.module.array(ty, count),
            None => {
                self.module.capability(Capability::RuntimeDescriptorArray);
                self.module.ty(S::TypeRuntimeArray, vec![Operand::IdRef(ty)])
            }
        };
        let shown = if counter { format!("{name}_counter") } else { name.to_string() };
        let variable = self.module.variable(class, whole, None, &shown);
        let binding = self.bindings.len() as u32;
        self.module.decorate_number(variable, Decoration::DescriptorSet, 0);
        self.module.decorate_number(variable, Decoration::Binding, binding);
        self.bindings.push(Bound { name: name.to_string(), counter, set: 0, binding });
        Resource { variable, ty, class, many }
    }
}

impl Code<'_, '_> {
    /// A pointer to an element of a binding array, or to the only one.
    pub(super) fn element(&mut self, resource: Resource, element: Value) -> Word {
        if !resource.many {
            return resource.variable;
        }
        let pointer = self.w.module.pointer(resource.class, resource.ty);
        let constant = self.w.constant(self.id, element).is_some();
        let index = self.bits(element);
        let place = self.on(S::AccessChain, pointer, &[resource.variable, index]);
        if !constant {
            self.w.module.capability(Capability::ShaderNonUniform);
            self.w.module.decorate(place, Decoration::NonUniform, Vec::new());
            let capability = match (resource.class, resource.ty) {
                (StorageClass::Uniform, _) => Capability::UniformBufferArrayNonUniformIndexing,
                (StorageClass::StorageBuffer, _) => Capability::StorageBufferArrayNonUniformIndexing,
                _ => Capability::SampledImageArrayNonUniformIndexing,
            };
            self.w.module.capability(capability);
        }
        place
    }

    fn resource(&self, instruction: &Instruction) -> Result<(usize, Resource, Shape), WriteError> {
        let Target::Resource(id) = instruction.attrs.target else { return Err(self.unsupported(instruction)) };
        Ok((id.index(), self.w.resources[id.index()], self.w.program.interface.resource(id).shape))
    }

    /// `value >> by`, of a constant already made.
    fn shifted(&mut self, value: Value, by: u32) -> Word {
        if let Some(bits) = self.w.constant(self.id, value) {
            return self.w.module.word((bits as u32) >> by);
        }
        let (ty, bits, by) = (self.scalar(Scalar::U32), self.bits(value), self.w.module.word(by));
        self.on(S::ShiftRightLogical, ty, &[bits, by])
    }

    /// A pointer to the word that an access goes to.
    fn cell(&mut self, instruction: &Instruction) -> Result<Word, WriteError> {
        let args = &instruction.args;
        let word = self.scalar(Scalar::U32);
        match instruction.attrs.target {
            Target::Array(id) => {
                let scalar = Scalar::of(self.w.program.arrays[id.index()].width);
                let ty = self.scalar(scalar);
                let pointer = self.w.module.pointer(StorageClass::Private, ty);
                let index = self.bits(args[0]);
                Ok(self.on(S::AccessChain, pointer, &[self.w.arrays[id.index()], index]))
            }
            Target::Shared(id) => {
                let pointer = self.w.module.pointer(StorageClass::Workgroup, word);
                let index = self.shifted(args[0], 2);
                Ok(self.on(S::AccessChain, pointer, &[self.w.shared[id.index()], index]))
            }
            Target::Resource(_) => {
                let (_, resource, shape) = self.resource(instruction)?;
                let base = self.element(resource, args[0]);
                let pointer = self.w.module.pointer(resource.class, word);
                let zero = self.w.module.word(0);
                match shape {
                    Shape::ConstantBuffer { .. } => {
                        let row = self.shifted(args[1], 4);
                        let column = match self.w.constant(self.id, args[1]) {
                            Some(offset) => self.w.module.word(offset as u32 >> 2 & 3),
                            None => {
                                let (word_at, three) = (self.shifted(args[1], 2), self.w.module.word(3));
                                self.on(S::BitwiseAnd, word, &[word_at, three])
                            }
                        };
                        Ok(self.on(S::AccessChain, pointer, &[base, zero, row, column]))
                    }
                    Shape::Structured { .. } => {
                        let (index, within) = (self.bits(args[1]), self.shifted(args[2], 2));
                        Ok(self.on(S::AccessChain, pointer, &[base, zero, index, within]))
                    }
                    _ => {
                        let at = self.shifted(args[1], 2);
                        Ok(self.on(S::AccessChain, pointer, &[base, zero, at]))
                    }
                }
            }
            _ => Err(self.unsupported(instruction)),
        }
    }

    pub(super) fn load(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let result = instruction.results[0];
        let own = matches!(instruction.attrs.target, Target::Array(_));
        if self.width(result) != Width::W32 && !own {
            return Err(self.refuse(instruction, format!("memory read {} bits at a time", self.width(result).bits())));
        }
        let cell = self.cell(instruction)?;
        let ty = self.scalar(Scalar::of(self.width(result)));
        let loaded = self.on(S::Load, ty, &[cell]);
        self.define(result, View::Bits, loaded);
        Ok(())
    }

    pub(super) fn store(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Some(value) = instruction.args.last().copied() else { return Err(self.unsupported(instruction)) };
        let own = matches!(instruction.attrs.target, Target::Array(_));
        if self.width(value) != Width::W32 && !own {
            return Err(self.refuse(instruction, format!("memory written {} bits at a time", self.width(value).bits())));
        }
        let cell = self.cell(instruction)?;
        let value = self.bits(value);
        self.effect(S::Store, vec![Operand::IdRef(cell), Operand::IdRef(value)]);
        Ok(())
    }

    pub(super) fn atomic(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let cell = self.cell(instruction)?;
        self.atomic_on(instruction, cell, Scalar::U32)
    }

    /// A read-modify-write of the word behind a pointer, which has an integer of this type.
    pub(super) fn atomic_on(&mut self, instruction: &Instruction, cell: Word, scalar: Scalar) -> Result<(), WriteError> {
        let Detail::Atomic(op) = instruction.attrs.detail else { return Err(self.unsupported(instruction)) };
        let count = instruction.args.len();
        let (value, comparand) = (instruction.args[count - 2], instruction.args[count - 1]);
        if self.width(value) != Width::W32 {
            return Err(self.refuse(instruction, "atomics of 64 bits"));
        }
        let scope = if matches!(instruction.attrs.target, Target::Shared(_)) { 2 } else { 1 };
        let (ty, scope, relaxed) = (self.scalar(scalar), self.w.module.word(scope), self.w.module.word(0));
        let number = |this: &mut Self, value: Value| {
            let bits = this.bits(value);
            if scalar == Scalar::U32 { bits } else { this.on(S::Bitcast, ty, &[bits]) }
        };
        let bits = number(self, value);
        let old = match op {
            AtomicOp::Load => self.on(S::AtomicLoad, ty, &[cell, scope, relaxed]),
            AtomicOp::CompareExchange => {
                let comparand = number(self, comparand);
                self.on(S::AtomicCompareExchange, ty, &[cell, scope, relaxed, relaxed, bits, comparand])
            }
            _ => {
                let name = match op {
                    AtomicOp::Add => S::AtomicIAdd,
                    AtomicOp::Sub => S::AtomicISub,
                    AtomicOp::And => S::AtomicAnd,
                    AtomicOp::Or => S::AtomicOr,
                    AtomicOp::Xor => S::AtomicXor,
                    AtomicOp::SMin => S::AtomicSMin,
                    AtomicOp::SMax => S::AtomicSMax,
                    AtomicOp::UMin => S::AtomicUMin,
                    AtomicOp::UMax => S::AtomicUMax,
                    _ => S::AtomicExchange,
                };
                self.on(name, ty, &[cell, scope, relaxed, bits])
            }
        };
        if let Some(result) = instruction.results.first() {
            self.hold(*result, scalar, old);
        }
        Ok(())
    }

    pub(super) fn counter(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (at, ..) = self.resource(instruction)?;
        let Some(counter) = self.w.counters.get(&at).copied() else { return Err(self.unsupported(instruction)) };
        let base = self.element(counter, instruction.args[0]);
        let ty = self.scalar(Scalar::U32);
        let pointer = self.w.module.pointer(StorageClass::StorageBuffer, ty);
        let [zero, one] = [0, 1].map(|bits| self.w.module.word(bits));
        let cell = self.on(S::AccessChain, pointer, &[base, zero]);
        let scope = one;
        let made = if instruction.op == Op::CounterAlloc {
            self.on(S::AtomicIAdd, ty, &[cell, scope, zero, one])
        } else {
            let old = self.on(S::AtomicISub, ty, &[cell, scope, zero, one]);
            self.on(S::ISub, ty, &[old, one])
        };
        self.define(instruction.results[0], View::Bits, made);
        Ok(())
    }

    pub(super) fn buffer_size(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (_, resource, shape) = self.resource(instruction)?;
        let (ty, result) = (self.scalar(Scalar::U32), instruction.results[0]);
        let made = match shape {
            Shape::ConstantBuffer { bytes } => self.w.module.word(bytes),
            Shape::Buffer { .. } | Shape::Structured { .. } => {
                let base = self.element(resource, instruction.args[0]);
                let length = self.op(S::ArrayLength, ty, vec![Operand::IdRef(base), Operand::LiteralBit32(0)]);
                if matches!(shape, Shape::Structured { .. }) {
                    length
                } else {
                    let four = self.w.module.word(4);
                    self.on(S::IMul, ty, &[length, four])
                }
            }
            Shape::Texture(_) => {
                self.w.module.capability(Capability::ImageQuery);
                let image = self.image(resource, instruction.args[0]);
                self.on(S::ImageQuerySize, ty, &[image])
            }
        };
        self.define(result, View::Bits, made);
        Ok(())
    }

    /// An image of a binding.
    pub(super) fn image(&mut self, resource: Resource, element: Value) -> Word {
        let place = self.element(resource, element);
        let loaded = self.on(S::Load, resource.ty, &[place]);
        if resource.many && self.w.constant(self.id, element).is_none() {
            self.w.module.decorate(loaded, Decoration::NonUniform, Vec::new());
        }
        loaded
    }
}
