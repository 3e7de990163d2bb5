//! A module's declarations: names, decorations, types, constants, variables, functions, entry points.

use super::binary::{self, Binary, Inst};
use super::constant::{self, Constants};
use super::error::{Error, Result, Trouble, bad, unsupported};
use super::structure::{Exit, Shape, Step, structure};
use super::types::{Image, Rows, Ty, Types, float, integer};
use super::{Options, lower, stage};
use gpuproof_program::{Kind, Program, ScalarType, Width};
use rspirv::spirv::{AddressingModel, Decoration, Dim, ExecutionModel, Op, StorageClass};
use std::cell::Cell;
use std::collections::HashMap;

/// Functions of more blocks are refused.
const MAX_BLOCKS: usize = 1 << 16;

/// An entry point's declaration.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) model: ExecutionModel,
    pub(super) function: u32,
    pub(super) name: String,
}

/// A decoration with its operands.
#[derive(Clone, Debug)]
pub(super) struct Decor {
    pub(super) kind: Decoration,
    pub(super) operands: Vec<u32>,
}

/// A function's instructions, as indices.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) at: usize,
    pub(super) params: Vec<u32>,
    /// Each block's label, first instruction, and merge or terminating instruction.
    pub(super) blocks: Vec<(u32, usize, usize)>,
}

/// An instruction set that `OpExtInst` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Glsl,
    /// Instructions that mean nothing for results.
    NonSemantic,
    Other(String),
}

/// What all entry points of a module share.
pub(super) struct Module {
    pub(super) binary: Binary,
    pub(super) entries: Vec<Entry>,
    /// The execution modes of entry points: function, mode, operands.
    pub(super) modes: Vec<(u32, u32, Vec<u32>)>,
    pub(super) decorations: HashMap<u32, Vec<Decor>>,
    pub(super) member_decorations: HashMap<(u32, u32), Vec<Decor>>,
    pub(super) names: HashMap<u32, String>,
    pub(super) member_names: HashMap<(u32, u32), String>,
    pub(super) sets: HashMap<u32, Set>,
    pub(super) functions: HashMap<u32, Function>,
    /// Types, constants and variables of the module, in their order.
    globals: Vec<usize>,
    /// The instruction that was looked at last.
    pub(super) place: Cell<usize>,
}

/// A variable of the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) class: StorageClass,
    pub(super) ty: u32,
    pub(super) initial: Option<u32>,
    pub(super) at: usize,
}

/// What specialization leaves open in a module's declarations.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) types: Types,
    pub(super) constants: Constants,
    /// In the module's order.
    pub(super) variables: Vec<(u32, Variable)>,
    pub(super) overrides: Vec<gpuproof_program::Override>,
}

/// Reads the entry point that the options name.
pub(super) fn read(bytes: &[u8], options: &Options) -> std::result::Result<Program, Error> {
    let module = Module::new(binary::parse(bytes)?)?;
    let none = |message: String| Error::BadInput { message, instruction: String::new(), word: 0 };
    let names = || module.entries.iter().map(|entry| format!("`{}`", entry.name)).collect::<Vec<_>>().join(", ");
    let entry = match (&options.entry, &module.entries[..]) {
        (_, []) => return Err(none("the module has no entry point".into())),
        (Some(name), all) => match all.iter().find(|entry| entry.name == *name) {
            Some(entry) => entry,
            None => return Err(none(format!("there is no entry point `{name}`, expected one of {}", names()))),
        },
        (None, [one]) => one,
        (None, _) => return Err(none(format!("the module has several entry points, name one of {}", names()))),
    };
    let Some(stage) = stage(entry.model) else {
        let what = format!("the execution model {:?} of the entry point `{}`", entry.model, entry.name);
        return Err(Error::Unsupported { what, instruction: String::new(), word: 0 });
    };
    let fail = |trouble: Trouble| module.error(trouble);
    let declared = module.declare(options).map_err(fail)?;
    let program = lower::read(&module, &declared, entry, (stage, options.robust_images)).map_err(fail)?;
    gpuproof_program::validate(&program).map_err(|error| Error::Fault {
        what: error.to_string(),
        instruction: String::new(),
        word: 0,
    })?;
    Ok(program)
}

impl Module {
    /// Collects the declarations of a module.
    pub(super) fn new(binary: Binary) -> std::result::Result<Module, Error> {
        let mut module = Module {
            binary,
            entries: Vec::new(),
            modes: Vec::new(),
            decorations: HashMap::new(),
            member_decorations: HashMap::new(),
            names: HashMap::new(),
            member_names: HashMap::new(),
            sets: HashMap::new(),
            functions: HashMap::new(),
            globals: Vec::new(),
            place: Cell::new(0),
        };
        match module.collect() {
            Ok(()) => Ok(module),
            Err(trouble) => Err(module.error(trouble)),
        }
    }

    /// An error at the instruction that was looked at last.
    fn error(&self, trouble: Trouble) -> Error {
        let Some(inst) = self.binary.insts.get(self.place.get()) else { return trouble.at(0, String::new()) };
        let name = inst.result.map_or_else(String::new, |id| match self.names.get(&id) {
            Some(name) if !name.is_empty() => format!(" %{id} \"{}\"", name.escape_debug().take(80).collect::<String>()),
            _ => format!(" %{id}"),
        });
        trouble.at(inst.word, format!("Op{:?}{name}", inst.op))
    }

    pub(super) fn inst(&self, at: usize) -> &Inst {
        self.place.set(at);
        &self.binary.insts[at]
    }

    fn collect(&mut self) -> Result<()> {
        let mut function: Option<(u32, Function)> = None;
        let mut block: Option<(u32, usize)> = None;
        for at in 0..self.binary.insts.len() {
            self.place.set(at);
            let inst = &self.binary.insts[at];
            if let Some((id, open)) = &mut function {
                match inst.op {
                    Op::FunctionParameter if open.blocks.is_empty() && block.is_none() => open.params.extend(inst.result),
                    Op::Label if block.is_some() => return bad("a block begins in a block that has not ended"),
                    Op::Label => {
                        if open.blocks.len() >= MAX_BLOCKS {
                            return unsupported(format!("a function of more than {MAX_BLOCKS} blocks"));
                        }
                        block = inst.result.map(|label| (label, at + 1));
                    }
                    Op::FunctionEnd if block.is_some() => return bad("the function ends in a block that has not ended"),
                    Op::FunctionEnd => {
                        let (id, open) = (*id, open.clone());
                        if self.functions.insert(id, open).is_some() {
                            return bad("a function is declared twice");
                        }
                        function = None;
                    }
                    Op::Line | Op::NoLine => {}
                    Op::Function => return bad("a function inside a function"),
                    op => match block {
                        None => return bad("an instruction outside a block"),
                        Some((label, first)) if is_terminator(op) => {
                            open.blocks.push((label, first, at));
                            block = None;
                        }
                        Some(_) => {}
                    },
                }
                continue;
            }
            match inst.op {
                Op::Function => {
                    let Some(id) = inst.result else { return bad("a function without a name") };
                    function = Some((id, Function { at, params: Vec::new(), blocks: Vec::new() }));
                }
                op => self.declaration(op, at)?,
            }
        }
        if function.is_some() {
            return bad("the module ends inside a function");
        }
        self.place.set(usize::MAX);
        Ok(())
    }

    fn declaration(&mut self, op: Op, at: usize) -> Result<()> {
        let inst = self.binary.insts[at].clone();
        let decoration = |word: u32| Decoration::from_u32(word);
        match op {
            Op::MemoryModel => {
                let logical = [AddressingModel::Logical as u32, AddressingModel::PhysicalStorageBuffer64 as u32];
                if !logical.contains(&inst.at(0)) {
                    return unsupported("an addressing model with pointers as numbers");
                }
            }
            Op::EntryPoint => {
                let Some(model) = ExecutionModel::from_u32(inst.at(0)) else { return unsupported("an unknown execution model") };
                self.entries.push(Entry { model, function: inst.at(1), name: inst.string(2).0 });
            }
            Op::ExecutionMode | Op::ExecutionModeId => self.modes.push((inst.at(0), inst.at(1), inst.rest(2).to_vec())),
            Op::ExtInstImport => {
                let name = inst.string(0).0;
                let set = match &name[..] {
                    "GLSL.std.450" => Set::Glsl,
                    _ if name.starts_with("NonSemantic.") || name.contains("DebugInfo") => Set::NonSemantic,
                    _ => Set::Other(name),
                };
                self.sets.extend(inst.result.map(|id| (id, set)));
            }
            Op::Name => _ = self.names.insert(inst.at(0), inst.string(1).0),
            Op::MemberName => _ = self.member_names.insert((inst.at(0), inst.at(1)), inst.string(2).0),
            Op::Decorate | Op::DecorateId | Op::DecorateString => {
                if let Some(kind) = decoration(inst.at(1)) {
                    let operands = inst.rest(2).to_vec();
                    self.decorations.entry(inst.at(0)).or_default().push(Decor { kind, operands });
                }
            }
            Op::MemberDecorate | Op::MemberDecorateString => {
                if let Some(kind) = decoration(inst.at(2)) {
                    let operands = inst.rest(3).to_vec();
                    self.member_decorations.entry((inst.at(0), inst.at(1))).or_default().push(Decor { kind, operands });
                }
            }
            Op::GroupDecorate => {
                let group = self.decorations.get(&inst.at(0)).cloned().unwrap_or_default();
                for target in inst.rest(1) {
                    self.decorations.entry(*target).or_default().extend(group.iter().cloned());
                }
            }
            Op::GroupMemberDecorate => {
                let group = self.decorations.get(&inst.at(0)).cloned().unwrap_or_default();
                for pair in inst.rest(1).chunks_exact(2) {
                    self.member_decorations.entry((pair[0], pair[1])).or_default().extend(group.iter().cloned());
                }
            }
            Op::DecorationGroup
            | Op::Capability
            | Op::Extension
            | Op::String
            | Op::Source
            | Op::SourceContinued
            | Op::SourceExtension
            | Op::ModuleProcessed
            | Op::Line
            | Op::NoLine
            | Op::Nop
            | Op::ExtInst => {}
            _ => self.globals.push(at),
        }
        Ok(())
    }

    /// The operands of a decoration that an id has.
    pub(super) fn decor(&self, id: u32, kind: Decoration) -> Option<&[u32]> {
        find(self.decorations.get(&id)?, kind)
    }

    /// The operands of a decoration that a member has.
    pub(super) fn member_decor(&self, id: u32, member: u32, kind: Decoration) -> Option<&[u32]> {
        find(self.member_decorations.get(&(id, member))?, kind)
    }

    pub(super) fn name(&self, id: u32) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    /// Types, constants and variables, with specialization constants fixed.
    pub(super) fn declare(&self, options: &Options) -> Result<Declared> {
        let mut declared = Declared::default();
        for ((id, member), decorations) in &self.member_decorations {
            let (key, first) =
                ((*id, *member), |kind| find(decorations, kind).map(|operands| operands.first().copied().unwrap_or(0)));
            declared.types.offsets.extend(first(Decoration::Offset).map(|offset| (key, offset)));
            if let Some(stride) = first(Decoration::MatrixStride) {
                let row_major = find(decorations, Decoration::RowMajor).is_some();
                declared.types.rows.insert(key, Rows { stride, row_major });
            }
        }
        for (id, decorations) in &self.decorations {
            let stride = find(decorations, Decoration::ArrayStride).and_then(|operands| operands.first().copied());
            declared.types.strides.extend(stride.map(|stride| (*id, stride)));
        }
        declared.types.member_names = self.member_names.clone();
        let mut used = vec![false; options.specialization.len()];
        for at in &self.globals {
            self.global(self.inst(*at), *at, options, &mut used, &mut declared)?;
        }
        if let Some(unused) = used.iter().position(|used| !used) {
            self.place.set(usize::MAX);
            return bad(format!("there is no specialization constant `{}`", options.specialization[unused].0));
        }
        Ok(declared)
    }

    fn global(&self, inst: &Inst, at: usize, options: &Options, used: &mut [bool], declared: &mut Declared) -> Result<()> {
        let id = inst.result.unwrap_or(0);
        match inst.op {
            Op::Variable => {
                let Some(Ty::Pointer(class, ty)) = inst.result_type.map(|ty| declared.types.get(ty)).transpose()? else {
                    return bad("a variable whose type is no pointer");
                };
                let initial = inst.operands.get(1).copied();
                declared.variables.push((id, Variable { class: *class, ty: *ty, initial, at }));
                Ok(())
            }
            op if is_constant(op) => {
                let given = self.specialize(inst, options, used, declared)?;
                declared.constants.evaluate(&declared.types, inst, given)
            }
            _ => {
                let ty = self.ty(inst, declared)?;
                declared.types.declare(id, ty)
            }
        }
    }

    /// The value that a specialization constant is given; notes the constant with the value that it has.
    fn specialize(&self, inst: &Inst, options: &Options, used: &mut [bool], declared: &mut Declared) -> Result<Option<u64>> {
        if !matches!(inst.op, Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse) {
            return Ok(None);
        }
        let (id, ty) = (inst.result.unwrap_or(0), inst.result_type.unwrap_or(0));
        let number = self.decor(id, Decoration::SpecId).and_then(|operands| operands.first().copied());
        let (scalar, name) = (declared.types.scalar(ty)?, self.name(id));
        let mut given = None;
        for ((key, value), used) in options.specialization.iter().zip(used) {
            if number.is_some()
                && (number.map(|number| number.to_string()).as_ref() == Some(key) || (!name.is_empty() && name == key))
            {
                *used = true;
                let bits = constant::given_bits(scalar, *value);
                given = match bits {
                    Some(bits) => Some(bits),
                    None => return bad(format!("the specialization constant `{key}` cannot be {value}")),
                };
            }
        }
        let own = match inst.op {
            Op::SpecConstantTrue => 1,
            Op::SpecConstantFalse => 0,
            _ => (u64::from(inst.at(0)) | u64::from(inst.at(1)) << 32) & scalar.width.mask(),
        };
        if let Some(number) = number {
            let name = if name.is_empty() { format!("constant_{number}") } else { name.to_owned() };
            let bits = given.unwrap_or(own);
            declared.overrides.push(gpuproof_program::Override { name, id: Some(number), bits });
        }
        Ok(given)
    }

    fn ty(&self, inst: &Inst, declared: &Declared) -> Result<Ty> {
        Ok(match inst.op {
            Op::TypeVoid => Ty::Void,
            Op::TypeBool => Ty::Scalar(ScalarType { kind: Kind::Bool, width: Width::W1 }),
            Op::TypeInt => match integer(inst.at(0), inst.at(1) != 0) {
                Ok(scalar) => Ty::Scalar(scalar),
                Err(_) => Ty::Other(format!("OpTypeInt {}", inst.at(0))),
            },
            Op::TypeFloat => match float(inst.at(0)) {
                Ok(scalar) if inst.operands.len() == 1 => Ty::Scalar(scalar),
                _ => Ty::Other(format!("OpTypeFloat {}", inst.at(0))),
            },
            Op::TypeVector => Ty::Vector(inst.at(0), inst.at(1)),
            Op::TypeMatrix => Ty::Matrix(inst.at(0), inst.at(1)),
            Op::TypeArray => match declared.constants.word(inst.at(1)).map(u32::try_from) {
                Some(Ok(length)) if length > 0 => Ty::Array(inst.at(0), length),
                _ => return bad("an array whose length is no constant of 1 to 2^32 - 1"),
            },
            Op::TypeRuntimeArray => Ty::RuntimeArray(inst.at(0)),
            Op::TypeStruct => Ty::Struct(inst.operands.clone().into()),
            Op::TypePointer => match StorageClass::from_u32(inst.at(0)) {
                Some(class) => Ty::Pointer(class, inst.at(1)),
                None => return unsupported("an unknown storage class"),
            },
            Op::TypeFunction => Ty::Function,
            Op::TypeSampler => Ty::Sampler,
            Op::TypeSampledImage => Ty::SampledImage(inst.at(0)),
            Op::TypeImage => {
                let sampled_type = match declared.types.get(inst.at(0))? {
                    Ty::Scalar(scalar) => *scalar,
                    _ => ScalarType { kind: Kind::Float, width: Width::W32 },
                };
                let Some(dim) = Dim::from_u32(inst.at(1)) else { return unsupported("an unknown dimension") };
                Ty::Image(Image {
                    sampled_type,
                    dim,
                    depth: inst.at(2) == 1,
                    arrayed: inst.at(3) == 1,
                    multisampled: inst.at(4) == 1,
                    storage: inst.at(5) == 2,
                    format: inst.at(6),
                })
            }
            op if op.is_type() => Ty::Other(format!("Op{op:?}")),
            _ => return bad("an instruction outside a function"),
        })
    }

    /// The blocks of a function, and the steps that make it.
    pub(super) fn flow(&self, function: &Function, declared: &Declared) -> Result<(Vec<Shape>, Vec<Step>)> {
        self.place.set(function.at);
        if function.blocks.is_empty() {
            return unsupported("a function without a body");
        }
        let labels: HashMap<u32, usize> = function.blocks.iter().enumerate().map(|(at, (label, ..))| (*label, at)).collect();
        if labels.len() != function.blocks.len() {
            return bad("two blocks of a function have one label");
        }
        let block = |label: u32| match labels.get(&label) {
            Some(0) => bad("a branch to the function's first block"),
            Some(at) => Ok(*at),
            None => bad(format!("%{label} is no block of the function")),
        };
        let mut shapes = Vec::new();
        for (_, first, last) in &function.blocks {
            let mut declared_merges = Vec::new();
            if last > first {
                let before = self.inst(last - 1);
                match before.op {
                    Op::SelectionMerge => declared_merges.push(block(before.at(0))?),
                    Op::LoopMerge => declared_merges.extend([block(before.at(0))?, block(before.at(1))?]),
                    _ => {}
                }
            }
            let inst = self.inst(*last);
            let exit = match inst.op {
                Op::Branch => Exit::Branch(block(inst.at(0))?),
                Op::BranchConditional => match (block(inst.at(1))?, block(inst.at(2))?) {
                    (yes, no) if yes == no => Exit::Branch(yes),
                    (yes, no) => Exit::If(inst.at(0), yes, no),
                },
                Op::Switch => self.switch(inst, function, declared, &block)?,
                _ => Exit::Leave,
            };
            shapes.push(Shape { exit, declared: declared_merges });
        }
        self.place.set(function.at);
        let steps = structure(&shapes)?;
        Ok((shapes, steps))
    }

    fn switch(
        &self,
        inst: &Inst,
        function: &Function,
        declared: &Declared,
        block: &dyn Fn(u32) -> Result<usize>,
    ) -> Result<Exit> {
        let width = match declared.constants.get(inst.at(0)) {
            Some((ty, _)) => declared.types.scalar(*ty)?.width,
            None => {
                let end = function.blocks.last().map_or(0, |(.., last)| *last);
                let body = &self.binary.insts[function.at..=end];
                let Some(ty) = body.iter().find(|other| other.result == Some(inst.at(0))).and_then(|other| other.result_type)
                else {
                    return bad("a switch on what has no type");
                };
                declared.types.scalar(ty)?.width
            }
        };
        if width == Width::W64 {
            return unsupported("a switch on 64 bits");
        }
        let mut arms: Vec<(Vec<u32>, bool, usize)> = vec![(Vec::new(), true, block(inst.at(1))?)];
        let mut places: HashMap<usize, usize> = HashMap::from([(arms[0].2, 0)]);
        let mut seen = std::collections::HashSet::new();
        for pair in inst.rest(2).chunks_exact(2) {
            let selector = pair[0] & width.mask() as u32;
            if !seen.insert(selector) {
                return bad(format!("the selector {selector} stands twice"));
            }
            let to = block(pair[1])?;
            let at = *places.entry(to).or_insert_with(|| {
                arms.push((Vec::new(), false, to));
                arms.len() - 1
            });
            arms[at].0.push(selector);
        }
        Ok(match arms.len() {
            1 => Exit::Branch(arms[0].2),
            _ => Exit::Switch(inst.at(0), arms),
        })
    }
}

fn find(decorations: &[Decor], kind: Decoration) -> Option<&[u32]> {
    decorations.iter().find(|decor| decor.kind == kind).map(|decor| &decor.operands[..])
}

fn is_constant(op: Op) -> bool {
    op.is_constant() || op == Op::Undef
}

fn is_terminator(op: Op) -> bool {
    rspirv::grammar::reflect::is_block_terminator(op)
}
