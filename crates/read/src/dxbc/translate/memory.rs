//! Buffers, typed views, group-shared memory, atomics and counters.

use super::super::error::Result;
use super::super::opcode::{Class, Kind, Opcode};
use super::super::operand::{File, Operand};
use super::super::tokens::Instruction;
use super::Translator;
use super::declare::Bound;
use super::registers::{bounds, selected, written};
use gpuproof_program::{AtomicOp, Attrs, Bounds, Detail, Op, Shape, SharedId, Target, Value, Width};

/// An atomic: which read-modify-write, whether it gives the old value, whether a comparand comes before the value.
const ATOMICS: &[(Opcode, AtomicOp, bool, bool)] = &[
    (Opcode::AtomicAnd, AtomicOp::And, false, false),
    (Opcode::AtomicOr, AtomicOp::Or, false, false),
    (Opcode::AtomicXor, AtomicOp::Xor, false, false),
    (Opcode::AtomicCmpStore, AtomicOp::CompareExchange, false, true),
    (Opcode::AtomicIadd, AtomicOp::Add, false, false),
    (Opcode::AtomicImax, AtomicOp::SMax, false, false),
    (Opcode::AtomicImin, AtomicOp::SMin, false, false),
    (Opcode::AtomicUmax, AtomicOp::UMax, false, false),
    (Opcode::AtomicUmin, AtomicOp::UMin, false, false),
    (Opcode::ImmAtomicIadd, AtomicOp::Add, true, false),
    (Opcode::ImmAtomicAnd, AtomicOp::And, true, false),
    (Opcode::ImmAtomicOr, AtomicOp::Or, true, false),
    (Opcode::ImmAtomicXor, AtomicOp::Xor, true, false),
    (Opcode::ImmAtomicExch, AtomicOp::Exchange, true, false),
    (Opcode::ImmAtomicCmpExch, AtomicOp::CompareExchange, true, true),
    (Opcode::ImmAtomicImax, AtomicOp::SMax, true, false),
    (Opcode::ImmAtomicImin, AtomicOp::SMin, true, false),
    (Opcode::ImmAtomicUmax, AtomicOp::UMax, true, false),
    (Opcode::ImmAtomicUmin, AtomicOp::UMin, true, false),
];

/// Memory that an instruction addresses, with the address as operands of the program's operations.
enum Place {
    /// Element, byte offset.
    Bytes(Target, [Value; 2]),
    /// Element, structure, byte offset.
    Structure(Target, [Value; 3]),
    /// Element, x, y, z.
    Texel(Target, [Value; 4]),
    /// Byte address.
    Shared(SharedId, Value),
}

impl Translator<'_> {
    pub(super) fn memory(&mut self, instruction: &Instruction) -> Result<()> {
        match instruction.info().class {
            Class::Barrier => return self.barrier(instruction),
            Class::Atomic => return self.atomic(instruction),
            _ => {}
        }
        match instruction.opcode {
            Opcode::Ld | Opcode::LdS | Opcode::LdMs | Opcode::LdMsS | Opcode::LdUavTyped | Opcode::LdUavTypedS => {
                self.load_texel(instruction)
            }
            Opcode::LdRaw | Opcode::LdRawS => self.load_words(instruction, None, 1),
            Opcode::LdStructured | Opcode::LdStructuredS => self.load_words(instruction, Some(1), 2),
            Opcode::StoreUavTyped => self.store_texel(instruction),
            Opcode::StoreRaw => self.store_words(instruction, None, 1),
            Opcode::StoreStructured => self.store_words(instruction, Some(1), 2),
            _ => Err(self.unsupported(instruction.info().name)),
        }
    }

    /// The declared resource that an operand names.
    pub(super) fn resource(&self, operand: &Operand) -> Result<&Bound> {
        let number = self.number(operand)?;
        let missing = || self.bad("a declared resource", format!("{}{number}", operand.file.name()));
        self.declarations.resources.get(&(operand.file, number)).ok_or_else(missing)
    }

    /// The element of a binding array that an operand names. In SM 5.1 the second index is the register, counted from the space's start.
    pub(super) fn binding_element(&mut self, operand: &Operand, lower: u32) -> Result<Value> {
        if !self.shader.target().has_spaces() {
            return Ok(self.word(0));
        }
        let index = self.dimension(operand, 1)?;
        if let Some(register) = index.as_constant() {
            return Ok(self.word((register as u32).wrapping_sub(lower)));
        }
        let register = self.index(index)?;
        let lower = self.word(lower);
        Ok(self.op(Op::ISub, &[register, lower]))
    }

    /// Coordinates of a texel: those that the dimension has, 0 for the others.
    pub(super) fn texel(&mut self, instruction: &Instruction, at: usize, shape: Shape) -> Result<[Value; 3]> {
        let Shape::Texture(shape) = shape else { return Err(self.bad("a typed resource", "raw or structured memory")) };
        let count = super::texture::coordinates(shape.dimension) + u8::from(shape.arrayed);
        let mut coordinates = [self.word(0); 3];
        for (component, slot) in coordinates.iter_mut().enumerate().take(usize::from(count.min(3))) {
            *slot = self.source(instruction, at, component as u8, Kind::Int)?;
        }
        Ok(coordinates)
    }

    fn load_texel(&mut self, instruction: &Instruction) -> Result<()> {
        let status = instruction.info().name.ends_with("_s");
        let address = if status { 2 } else { 1 };
        let resource = self.operand(instruction, address + 1)?;
        let bound = *self.resource(resource)?;
        let element = self.binding_element(resource, bound.lower)?;
        let mut coordinates = self.texel(instruction, address, bound.shape)?;
        if let Some(offsets) = instruction.texel_offsets() {
            let Shape::Texture(shape) = bound.shape else { return Err(self.bad("a texture", "a buffer")) };
            // Offsets move along the texture's own axes, not through its layers.
            let axes = usize::from(super::texture::coordinates(shape.dimension));
            for (slot, offset) in coordinates.iter_mut().zip(offsets).take(axes) {
                if offset != 0 {
                    let offset = self.word(i32::from(offset) as u32);
                    *slot = self.op(Op::IAdd, &[*slot, offset]);
                }
            }
        }
        let last = match instruction.opcode {
            Opcode::LdMs | Opcode::LdMsS => self.source(instruction, address + 2, 0, Kind::Int)?,
            Opcode::LdUavTyped | Opcode::LdUavTypedS => self.word(0),
            _ if matches!(bound.shape, Shape::Texture(shape) if shape.dimension == gpuproof_program::Dimension::Buffer) => {
                self.word(0)
            }
            // 22.4.6: the mip level is always the fourth component.
            _ => self.source(instruction, address, 3, Kind::Int)?,
        };
        let [x, y, z] = coordinates;
        let attrs = Attrs::target(Target::Resource(bound.id)).with_rules(bounds(Bounds::Defined));
        let texel = self.builder.emit(Op::TexelLoad, attrs, &[element, x, y, z, last], &[Width::W32; 5]);
        self.write_texel(instruction, resource, &texel, status)
    }

    /// Writes a texel's components, as the resource operand's swizzle selects them, and its status.
    pub(super) fn write_texel(
        &mut self,
        instruction: &Instruction,
        resource: &Operand,
        texel: &[Value],
        status: bool,
    ) -> Result<()> {
        let destination = self.operand(instruction, 0)?;
        let mut values = Vec::new();
        for component in written(destination) {
            let value = texel[usize::from(selected(resource, component))];
            values.push((component, self.saturated(instruction, value)));
        }
        self.write(destination, &values)?;
        if status { self.write_status(instruction, texel[4]) } else { Ok(()) }
    }

    fn write_status(&mut self, instruction: &Instruction, status: Value) -> Result<()> {
        let destination = self.operand(instruction, 1)?;
        let values: Vec<_> = written(destination).into_iter().map(|component| (component, status)).collect();
        self.write(destination, &values)
    }

    /// The place that an operand and its address name, `words` words past the address. `index` is the address of a structure.
    fn place(&mut self, memory: &Operand, structure: Option<Value>, offset: Value, words: u8) -> Result<Place> {
        let offset = self.advanced(offset, words);
        if memory.file == File::GroupShared {
            let number = self.number(memory)?;
            let Some((shared, stride)) = self.declarations.groupshared.get(&number).copied() else {
                return Err(self.bad("declared group-shared memory", format!("g{number}")));
            };
            let address = match (structure, stride) {
                (Some(index), Some(stride)) => self.structure_address(shared, index, stride, offset),
                (None, None) => offset,
                _ => return Err(self.bad("an address of the memory's kind", "another kind")),
            };
            return Ok(Place::Shared(shared, address));
        }
        let bound = *self.resource(memory)?;
        let element = self.binding_element(memory, bound.lower)?;
        let target = Target::Resource(bound.id);
        match (bound.shape, structure) {
            (Shape::Buffer { .. }, None) => Ok(Place::Bytes(target, [element, offset])),
            (Shape::Structured { .. }, Some(index)) => Ok(Place::Structure(target, [element, index, offset])),
            _ => Err(self.bad("an address of the memory's kind", "another kind")),
        }
    }

    /// A byte offset of which words follow, or to which a structure's start is added: one that is far out of range stays out of range, as
    /// addresses do not wrap (22.4.10 to 22.4.13). Buffers have at most 2 GiB.
    fn byte_offset(&mut self, instruction: &Instruction, at: usize, component: u8, memory: &Operand, last: u8) -> Result<Value> {
        const LIMIT: u32 = 0xbfff_fff0;
        let value = self.source(instruction, at, component, Kind::Uint)?;
        let operand = self.operand(instruction, at)?;
        let constant = operand.immediate.get(usize::from(selected(operand, component))).copied();
        let added = last > 0 || memory.file == File::GroupShared;
        if !added || constant.is_some_and(|offset| offset <= LIMIT) {
            return Ok(value);
        }
        let limit = self.word(LIMIT);
        Ok(self.op(Op::UMin, &[value, limit]))
    }

    fn advanced(&mut self, offset: Value, words: u8) -> Value {
        if words == 0 {
            return offset;
        }
        let bytes = self.word(u32::from(words) * 4);
        self.op(Op::IAdd, &[offset, bytes])
    }

    /// `index * stride + offset`; an index past the last structure must stay out of range.
    fn structure_address(&mut self, shared: SharedId, index: Value, stride: u32, offset: Value) -> Value {
        let count = self.declarations.shared[shared.index()].bytes / stride;
        let (count, stride, outside) = (self.word(count), self.word(stride), self.word(0x8000_0000));
        let inside = self.op(Op::ULt, &[index, count]);
        let start = self.op(Op::IMul, &[index, stride]);
        let address = self.op(Op::IAdd, &[start, offset]);
        self.op(Op::Select, &[inside, address, outside])
    }

    /// `ld_raw` and `ld_structured`: the resource operand's swizzle selects the words.
    fn load_words(&mut self, instruction: &Instruction, index: Option<usize>, offset: usize) -> Result<()> {
        let status = instruction.info().name.ends_with("_s");
        let shift = usize::from(status);
        let structure = index.map(|at| self.source(instruction, at + shift, 0, Kind::Uint)).transpose()?;
        let memory = self.operand(instruction, offset + 1 + shift)?;
        let destination = self.operand(instruction, 0)?;
        let last = written(destination).into_iter().map(|component| selected(memory, component)).max().unwrap_or(0);
        let offset_value = self.byte_offset(instruction, offset + shift, 0, memory, last)?;
        let mut values = Vec::new();
        let origin = self.builder.origin();
        for component in written(destination) {
            self.builder.set_origin(gpuproof_program::Origin { component, ..origin });
            let place = self.place(memory, structure, offset_value, selected(memory, component))?;
            let (op, target, rule, args) = match &place {
                Place::Bytes(target, args) => (Op::BufferLoad, *target, Bounds::Defined, args.to_vec()),
                Place::Structure(target, args) => (Op::StructuredLoad, *target, Bounds::Defined, args.to_vec()),
                Place::Shared(shared, address) => (Op::SharedLoad, Target::Shared(*shared), Bounds::Undefined, vec![*address]),
                Place::Texel(..) => return Err(self.bad("raw or structured memory", "a typed view")),
            };
            let attrs = Attrs::target(target).with_rules(bounds(rule));
            values.push((component, self.builder.value_of(Width::W32, op, attrs, &args)));
        }
        self.builder.set_origin(origin);
        self.write(destination, &values)?;
        // Buffers have no tiles that could be missing.
        let mapped = self.word(1);
        if status { self.write_status(instruction, mapped) } else { Ok(()) }
    }

    /// The operand of what an instruction writes: a view or group-shared memory.
    fn written_memory<'i>(&self, instruction: &'i Instruction, at: usize) -> Result<&'i Operand> {
        let memory = self.operand(instruction, at)?;
        match memory.file {
            File::Uav | File::GroupShared => Ok(memory),
            file => Err(self.bad("memory that can be written", file.name())),
        }
    }

    fn store_words(&mut self, instruction: &Instruction, index: Option<usize>, offset: usize) -> Result<()> {
        let memory = self.written_memory(instruction, 0)?;
        let structure = index.map(|at| self.source(instruction, at, 0, Kind::Uint)).transpose()?;
        let last = written(memory).last().copied().unwrap_or(0);
        let offset_value = self.byte_offset(instruction, offset, 0, memory, last)?;
        let mut values = Vec::new();
        for component in written(memory) {
            values.push((component, self.source(instruction, offset + 1, component, Kind::Bits)?));
        }
        let origin = self.builder.origin();
        // 22.4.11: masks have no gaps, so x goes to the address and each component after it to the next word.
        for (component, value) in values {
            self.builder.set_origin(gpuproof_program::Origin { component, ..origin });
            let (op, target, rule, mut args) = match self.place(memory, structure, offset_value, component)? {
                Place::Bytes(target, args) => (Op::BufferStore, target, Bounds::Defined, args.to_vec()),
                Place::Structure(target, args) => (Op::StructuredStore, target, Bounds::Defined, args.to_vec()),
                Place::Shared(shared, address) => (Op::SharedStore, Target::Shared(shared), Bounds::Undefined, vec![address]),
                Place::Texel(..) => return Err(self.bad("raw or structured memory", "a typed view")),
            };
            args.push(value);
            self.builder.effect(op, Attrs::target(target).with_rules(bounds(rule)), &args);
        }
        self.builder.set_origin(origin);
        Ok(())
    }

    fn store_texel(&mut self, instruction: &Instruction) -> Result<()> {
        let memory = self.written_memory(instruction, 0)?;
        let bound = *self.resource(memory)?;
        let element = self.binding_element(memory, bound.lower)?;
        let [x, y, z] = self.texel(instruction, 1, bound.shape)?;
        let mut args = vec![element, x, y, z];
        for component in 0..4 {
            args.push(self.source(instruction, 2, component, Kind::Bits)?);
        }
        let attrs = Attrs::target(Target::Resource(bound.id)).with_rules(bounds(Bounds::Defined));
        self.builder.effect(Op::TexelStore, attrs, &args);
        Ok(())
    }

    fn atomic(&mut self, instruction: &Instruction) -> Result<()> {
        let op = match instruction.opcode {
            Opcode::ImmAtomicAlloc => Op::CounterAlloc,
            Opcode::ImmAtomicConsume => Op::CounterConsume,
            _ => return self.read_modify_write(instruction),
        };
        let view = self.written_memory(instruction, 1)?;
        let bound = *self.resource(view)?;
        self.declarations.interface.resources[bound.id.index()].counter = true;
        let element = self.binding_element(view, bound.lower)?;
        let old = self.builder.value_of(Width::W32, op, Attrs::target(Target::Resource(bound.id)), &[element]);
        let destination = self.operand(instruction, 0)?;
        let values: Vec<_> = written(destination).into_iter().map(|component| (component, old)).collect();
        self.write(destination, &values)
    }

    fn read_modify_write(&mut self, instruction: &Instruction) -> Result<()> {
        let row = ATOMICS.iter().find(|row| row.0 == instruction.opcode);
        let Some(&(_, atomic, returns, compares)) = row else {
            return Err(self.unsupported(instruction.info().name));
        };
        let memory_at = usize::from(returns);
        let memory = self.written_memory(instruction, memory_at)?;
        let value_at = memory_at + 2 + usize::from(compares);
        let value = self.source(instruction, value_at, 0, Kind::Uint)?;
        let comparand = if compares { self.source(instruction, memory_at + 2, 0, Kind::Uint)? } else { value };
        let place = self.atomic_place(instruction, memory, memory_at + 1)?;
        let (op, target, rule, mut args) = match place {
            Place::Bytes(target, args) => (Op::BufferAtomic, target, Bounds::Defined, args.to_vec()),
            Place::Structure(target, args) => (Op::StructuredAtomic, target, Bounds::Defined, args.to_vec()),
            Place::Texel(target, args) => (Op::TexelAtomic, target, Bounds::Defined, args.to_vec()),
            Place::Shared(shared, address) => (Op::SharedAtomic, Target::Shared(shared), Bounds::Undefined, vec![address]),
        };
        args.extend([value, comparand]);
        let attrs = Attrs::target(target).with_rules(bounds(rule)).with_detail(Detail::Atomic(atomic));
        let old = self.builder.value_of(Width::W32, op, attrs, &args);
        if !returns {
            return Ok(());
        }
        let destination = self.operand(instruction, 0)?;
        let values: Vec<_> = written(destination).into_iter().map(|component| (component, old)).collect();
        self.write(destination, &values)
    }

    /// Atomics take the whole address in one operand: byte, structure and byte, or texel.
    fn atomic_place(&mut self, instruction: &Instruction, memory: &Operand, address: usize) -> Result<Place> {
        let structured = match memory.file {
            File::GroupShared => {
                let number = self.number(memory)?;
                self.declarations.groupshared.get(&number).is_some_and(|(_, stride)| stride.is_some())
            }
            _ => {
                let bound = *self.resource(memory)?;
                if matches!(bound.shape, Shape::Texture(_)) {
                    let element = self.binding_element(memory, bound.lower)?;
                    let [x, y, z] = self.texel(instruction, address, bound.shape)?;
                    return Ok(Place::Texel(Target::Resource(bound.id), [element, x, y, z]));
                }
                matches!(bound.shape, Shape::Structured { .. })
            }
        };
        let first = self.source(instruction, address, 0, Kind::Uint)?;
        if !structured {
            return self.place(memory, None, first, 0);
        }
        let offset = self.byte_offset(instruction, address, 1, memory, 0)?;
        self.place(memory, Some(first), offset, 0)
    }
}
