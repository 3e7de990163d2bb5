//! A module under construction: its types, constants and global variables, each once.

use gpuproof_program::{Kind, Width};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{self, Capability, Decoration, Op, StorageClass, Word};
use std::collections::{BTreeSet, HashMap};

/// A number's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    Bool,
    U32,
    I32,
    F32,
    U64,
    F64,
}

impl Scalar {
    /// How bits of a width are held.
    pub(super) fn of(width: Width) -> Scalar {
        match width {
            Width::W1 => Scalar::Bool,
            // Halves and bytes are words whose other bits are 0.
            Width::W8 | Width::W16 | Width::W32 => Scalar::U32,
            Width::W64 => Scalar::U64,
        }
    }

    /// The float type of a width.
    pub(super) fn float(width: Width) -> Scalar {
        if width == Width::W64 { Scalar::F64 } else { Scalar::F32 }
    }

    /// The type of a word that is meant so.
    pub(super) fn of_kind(kind: Kind) -> Scalar {
        match kind {
            Kind::Float | Kind::Unknown => Scalar::F32,
            Kind::Sint => Scalar::I32,
            Kind::Uint | Kind::Bool => Scalar::U32,
        }
    }
}

pub(super) struct Module {
    pub(super) dr: dr::Module,
    next: Word,
    globals: HashMap<(Op, Option<Word>, Vec<Operand>), Word>,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    /// The extended instructions of GLSL.
    pub(super) glsl: Word,
    /// The global variables that the entry point names.
    pub(super) interface: Vec<Word>,
}

impl Module {
    pub(super) fn new() -> Module {
        let mut module = Module {
            dr: dr::Module::new(),
            next: 1,
            globals: HashMap::new(),
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            glsl: 0,
            interface: Vec::new(),
        };
        module.glsl = module.id();
        let set =
            dr::Instruction::new(Op::ExtInstImport, None, Some(module.glsl), vec![Operand::LiteralString("GLSL.std.450".into())]);
        module.dr.ext_inst_imports.push(set);
        module.capability(Capability::Shader);
        module
    }

    pub(super) fn id(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn capability(&mut self, capability: Capability) {
        if self.capabilities.insert(capability as u32) {
            let operands = vec![Operand::Capability(capability)];
            self.dr.capabilities.push(dr::Instruction::new(Op::Capability, None, None, operands));
        }
    }

    pub(super) fn extension(&mut self, name: &'static str) {
        if self.extensions.insert(name) {
            let operands = vec![Operand::LiteralString(name.into())];
            self.dr.extensions.push(dr::Instruction::new(Op::Extension, None, None, operands));
        }
    }

    /// A type or constant, made where there is none like it.
    fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let key = (op, ty, operands);
        if let Some(id) = self.globals.get(&key) {
            return *id;
        }
        let id = self.id();
        self.dr.types_global_values.push(dr::Instruction::new(op, ty, Some(id), key.2.clone()));
        self.globals.insert(key, id);
        id
    }

    /// A type or variable that is like no other, though it may look the same.
    pub(super) fn distinct(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.dr.types_global_values.push(dr::Instruction::new(op, ty, Some(id), operands));
        id
    }

    pub(super) fn ty(&mut self, op: Op, operands: Vec<Operand>) -> Word {
        self.global(op, None, operands)
    }

    pub(super) fn void(&mut self) -> Word {
        self.ty(Op::TypeVoid, Vec::new())
    }

    pub(super) fn scalar(&mut self, scalar: Scalar) -> Word {
        let literal = Operand::LiteralBit32;
        let (op, operands) = match scalar {
            Scalar::Bool => (Op::TypeBool, vec![]),
            Scalar::U32 => (Op::TypeInt, vec![literal(32), literal(0)]),
            Scalar::I32 => (Op::TypeInt, vec![literal(32), literal(1)]),
            Scalar::F32 => (Op::TypeFloat, vec![literal(32)]),
            Scalar::U64 => {
                self.capability(Capability::Int64);
                (Op::TypeInt, vec![literal(64), literal(0)])
            }
            Scalar::F64 => {
                self.capability(Capability::Float64);
                (Op::TypeFloat, vec![literal(64)])
            }
        };
        self.ty(op, operands)
    }

    /// So many numbers in a row; a number where it is one.
    pub(super) fn vector(&mut self, scalar: Scalar, count: u32) -> Word {
        let element = self.scalar(scalar);
        if count == 1 {
            return element;
        }
        self.ty(Op::TypeVector, vec![Operand::IdRef(element), Operand::LiteralBit32(count)])
    }

    pub(super) fn pointer(&mut self, class: StorageClass, to: Word) -> Word {
        self.ty(Op::TypePointer, vec![Operand::StorageClass(class), Operand::IdRef(to)])
    }

    /// So many elements, without a layout.
    pub(super) fn array(&mut self, element: Word, count: u32) -> Word {
        let length = self.constant(Scalar::U32, count.into());
        self.ty(Op::TypeArray, vec![Operand::IdRef(element), Operand::IdRef(length)])
    }

    /// An array whose elements lie so many bytes apart.
    pub(super) fn strided(&mut self, op: Op, operands: Vec<Operand>, stride: u32) -> Word {
        let known = self.globals.len();
        let id = self.ty(op, operands);
        if self.globals.len() > known {
            self.decorate_number(id, Decoration::ArrayStride, stride);
        }
        id
    }

    /// Zeros of a type.
    pub(super) fn ty_null(&mut self, ty: Word) -> Word {
        self.global(Op::ConstantNull, Some(ty), Vec::new())
    }

    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64) -> Word {
        let ty = self.scalar(scalar);
        match scalar {
            Scalar::Bool => self.global(if bits != 0 { Op::ConstantTrue } else { Op::ConstantFalse }, Some(ty), Vec::new()),
            Scalar::U64 | Scalar::F64 => self.global(Op::Constant, Some(ty), vec![Operand::LiteralBit64(bits)]),
            _ => self.global(Op::Constant, Some(ty), vec![Operand::LiteralBit32(bits as u32)]),
        }
    }

    pub(super) fn word(&mut self, bits: u32) -> Word {
        self.constant(Scalar::U32, bits.into())
    }

    /// Several constants as one.
    pub(super) fn composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        self.global(Op::ConstantComposite, Some(ty), parts.iter().map(|part| Operand::IdRef(*part)).collect())
    }

    /// A global variable of a type.
    pub(super) fn variable(&mut self, class: StorageClass, ty: Word, initial: Option<Word>, name: &str) -> Word {
        let pointer = self.pointer(class, ty);
        let mut operands = vec![Operand::StorageClass(class)];
        operands.extend(initial.map(Operand::IdRef));
        let variable = self.distinct(Op::Variable, Some(pointer), operands);
        self.interface.push(variable);
        self.name(variable, name);
        variable
    }

    pub(super) fn name(&mut self, id: Word, name: &str) {
        // A zero byte would end the literal.
        let name: String = name.chars().filter(|letter| *letter != '\0').collect();
        let operands = vec![Operand::IdRef(id), Operand::LiteralString(name)];
        self.dr.debug_names.push(dr::Instruction::new(Op::Name, None, None, operands));
    }

    pub(super) fn decorate(&mut self, id: Word, decoration: Decoration, more: Vec<Operand>) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend(more);
        self.dr.annotations.push(dr::Instruction::new(Op::Decorate, None, None, operands));
    }

    pub(super) fn decorate_number(&mut self, id: Word, decoration: Decoration, number: u32) {
        self.decorate(id, decoration, vec![Operand::LiteralBit32(number)]);
    }

    pub(super) fn decorate_member(&mut self, id: Word, member: u32, decoration: Decoration, more: Vec<Operand>) {
        let mut operands = vec![Operand::IdRef(id), Operand::LiteralBit32(member), Operand::Decoration(decoration)];
        operands.extend(more);
        self.dr.annotations.push(dr::Instruction::new(Op::MemberDecorate, None, None, operands));
    }

    pub(super) fn execution_mode(&mut self, entry: Word, mode: spirv::ExecutionMode, literals: &[u32]) {
        let mut operands = vec![Operand::IdRef(entry), Operand::ExecutionMode(mode)];
        operands.extend(literals.iter().map(|number| Operand::LiteralBit32(*number)));
        self.dr.execution_modes.push(dr::Instruction::new(Op::ExecutionMode, None, None, operands));
    }

    /// The words of the module.
    pub(super) fn finish(mut self, version: (u8, u8)) -> Vec<Word> {
        use rspirv::binary::Assemble as _;
        let mut header = dr::ModuleHeader::new(self.next);
        header.set_version(version.0, version.1);
        // No number of a tool is registered for this one.
        header.generator = 0;
        self.dr.header = Some(header);
        self.dr.assemble()
    }
}
