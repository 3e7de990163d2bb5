//! SPIR-V for Vulkan.
//!
//! Values are numbers of their own, as in the Program: a word is a 32-bit unsigned integer, and a float where an operation reads it as one.
//! What the Program states of numbers stands in the module: denormals, rounding and the signs of zeros as execution modes (SPV_KHR_float_controls, in SPIR-V since
//! 1.4), `precise` operations as NoContraction. Where the Program looks at other lanes of its wave, the module asks for maximal
//! reconvergence (SPV_KHR_maximal_reconvergence).
//!
//! Memory is words: a constant buffer is an array of four-component vectors, a structured buffer an array of arrays of words, any other buffer an array
//! of words, a hidden counter a buffer of one. [`Written::bindings`] says where each resource went. Texels out of range are left to the device: with robustImageAccess2 it does what Direct3D does.

mod flow;
mod function;
mod image;
mod interface;
mod memory;
mod module;
mod operation;

use crate::{Bound, WriteError, legal};
use gpuproof_program::{
    BarrierScope, Denormals, Detail, Function, FunctionId, Instruction, Level, Node, Op, OutputId, Program, Scope, Stage, Value,
    Width, walk,
};
use module::Module;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{AddressingModel, Capability, ExecutionMode, ExecutionModel, MemoryModel, Op as Code, Word};
use std::collections::{HashMap, HashSet};

/// A program in SPIR-V.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The module.
    pub words: Vec<u32>,
    /// Where its resources and samplers are bound, in the order of the Program's interface: resources, counters, samplers.
    pub bindings: Vec<Bound>,
    /// What whoever runs it has to know.
    pub notes: Vec<String>,
}

impl Written {
    /// The module as a little-endian file.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Writes a vertex, pixel or compute program.
///
/// # Errors
/// For programs of other stages, and for what SPIR-V has no counterpart of.
pub fn write(program: &Program) -> Result<Written, WriteError> {
    let model = match program.stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::Pixel => ExecutionModel::Fragment,
        Stage::Compute => ExecutionModel::GLCompute,
        stage => return Err(WriteError::whole(format!("{stage:?} programs").to_lowercase())),
    };
    let legal = legal::legalize(program, legal::Machine::Spirv)?;
    let mut writer = Writer::new(&legal);
    writer.globals()?;
    for id in (0..legal.functions.len() as u32).map(FunctionId) {
        if writer.reached.contains(&id) {
            function::write(&mut writer, id)?;
        }
    }
    writer.entry_point(model);
    let Writer { module, bindings, mut notes, uses, .. } = writer;
    if uses.texels {
        notes.push(
            "texels are loaded by index: enable robustImageAccess2, so that those out of range are 0 as in Direct3D".into(),
        );
    }
    Ok(Written { words: module.finish((1, 5)), bindings, notes })
}

/// A Program on its way to a module.
struct Writer<'p> {
    program: &'p Program,
    module: Module,
    /// The ids of functions.
    functions: Vec<Word>,
    reached: HashSet<FunctionId>,
    constants: Vec<HashMap<Value, u64>>,
    /// The values that each function uses.
    used: Vec<HashSet<Value>>,
    inputs: Vec<interface::Place>,
    outputs: Vec<interface::Place>,
    resources: Vec<memory::Resource>,
    counters: HashMap<usize, memory::Resource>,
    samplers: Vec<memory::Resource>,
    arrays: Vec<Word>,
    shared: Vec<Word>,
    bindings: Vec<Bound>,
    notes: Vec<String>,
    /// What the functions do.
    uses: Uses,
}

/// What the operations of a program ask of the module.
#[derive(Default)]
struct Uses {
    /// The outputs that are written.
    outputs: HashSet<OutputId>,
    /// The resources that atomics change, by index.
    atomic: HashSet<usize>,
    waves: bool,
    /// Whether texels are loaded by index.
    texels: bool,
    /// Rules of 32-bit and of 64-bit floats: whether any flushes, whether any keeps.
    flushes: [bool; 2],
    keeps: [bool; 2],
    floats: [bool; 2],
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program) -> Writer<'p> {
        let mut module = Module::new();
        let functions = program.functions.iter().map(|_| module.id()).collect();
        let constants = program.functions.iter().map(function::constants).collect();
        let used = program.functions.iter().map(function::used).collect();
        let mut writer = Writer {
            program,
            module,
            functions,
            reached: HashSet::new(),
            constants,
            used,
            inputs: Vec::new(),
            outputs: Vec::new(),
            resources: Vec::new(),
            counters: HashMap::new(),
            samplers: Vec::new(),
            arrays: Vec::new(),
            shared: Vec::new(),
            bindings: Vec::new(),
            notes: Vec::new(),
            uses: Uses::default(),
        };
        let mut waiting = vec![program.entry];
        while let Some(id) = waiting.pop() {
            if writer.reached.insert(id) {
                let function = program.function(id);
                walk(&function.body, &mut |node| {
                    let Node::Op(instruction) = node else { return };
                    if let gpuproof_program::Target::Function(called) = instruction.attrs.target {
                        waiting.push(called);
                    }
                    writer.uses.add(function, instruction);
                });
            }
        }
        writer
    }

    /// The bits of a value that is a constant.
    fn constant(&self, function: FunctionId, value: Value) -> Option<u64> {
        self.constants[function.index()].get(&value).copied()
    }

    fn entry_point(&mut self, model: ExecutionModel) {
        let entry = self.functions[self.program.entry.index()];
        let mut operands = vec![
            Operand::ExecutionModel(model),
            Operand::IdRef(entry),
            Operand::LiteralString(self.program.name.chars().filter(|letter| *letter != '\0').collect()),
        ];
        operands.extend(self.module.interface.iter().map(|id| Operand::IdRef(*id)));
        self.module.dr.entry_points.push(dr::Instruction::new(Code::EntryPoint, None, None, operands));
        let memory = [Operand::AddressingModel(AddressingModel::Logical), Operand::MemoryModel(MemoryModel::GLSL450)];
        self.module.dr.memory_model = Some(dr::Instruction::new(Code::MemoryModel, None, None, memory.to_vec()));
        match model {
            ExecutionModel::GLCompute => self.module.execution_mode(entry, ExecutionMode::LocalSize, &self.program.group_size),
            ExecutionModel::Fragment => {
                self.module.execution_mode(entry, ExecutionMode::OriginUpperLeft, &[]);
                for mode in interface::depth_modes(self.program, &self.uses.outputs) {
                    self.module.execution_mode(entry, mode, &[]);
                }
            }
            _ => {}
        }
        for (at, bits) in [32, 64].into_iter().enumerate() {
            if !self.uses.floats[at] {
                continue;
            }
            self.module.capability(Capability::SignedZeroInfNanPreserve);
            self.module.execution_mode(entry, ExecutionMode::SignedZeroInfNanPreserve, &[bits]);
            self.module.capability(Capability::RoundingModeRTE);
            self.module.execution_mode(entry, ExecutionMode::RoundingModeRTE, &[bits]);
            match (self.uses.flushes[at], self.uses.keeps[at]) {
                (true, false) => {
                    self.module.capability(Capability::DenormFlushToZero);
                    self.module.execution_mode(entry, ExecutionMode::DenormFlushToZero, &[bits]);
                }
                (false, true) => {
                    self.module.capability(Capability::DenormPreserve);
                    self.module.execution_mode(entry, ExecutionMode::DenormPreserve, &[bits]);
                }
                (true, true) => {
                    let what =
                        "some operations keep denormals and others flush them, which a module cannot say: the device decides";
                    self.notes.push(what.into());
                }
                (false, false) => {}
            }
        }
        if self.uses.waves {
            self.module.extension("SPV_KHR_maximal_reconvergence");
            self.module.execution_mode(entry, ExecutionMode::MaximallyReconvergesKHR, &[]);
        }
    }
}

impl Uses {
    fn add(&mut self, function: &Function, instruction: &Instruction) {
        use gpuproof_program::Target;
        match (instruction.op, instruction.attrs.target) {
            (Op::Output, Target::Output(id, _)) => {
                self.outputs.insert(id);
            }
            (Op::TexelAtomic, Target::Resource(id)) => {
                self.atomic.insert(id.index());
            }
            _ => {}
        }
        self.texels |= instruction.op == Op::TexelLoad;
        self.waves |= instruction.op.row().scope == Scope::Wave;
        // Halves are read and made by what no mode concerns.
        let half = instruction.args.iter().chain(&instruction.results).any(|value| function.width(*value) == Width::W16);
        if instruction.op.choices().contains(&gpuproof_program::Choice::Denormals) && !half {
            let width = instruction.args.first().or(instruction.results.first()).map(|value| function.width(*value));
            let at = usize::from(width == Some(Width::W64));
            self.floats[at] = true;
            match instruction.attrs.rules.denormals {
                Denormals::Flush => self.flushes[at] = true,
                Denormals::Keep | Denormals::Preserve => self.keeps[at] = true,
            }
        }
    }
}

/// Whether a sampling operation takes its level from derivatives.
fn is_implicit(instruction: &Instruction) -> bool {
    matches!(instruction.attrs.detail, Detail::Sampling(sampling) if matches!(sampling.level, Level::Implicit | Level::Bias))
}

/// SPIR-V's number of a scope.
fn scope_number(scope: BarrierScope) -> u32 {
    match scope {
        BarrierScope::Device => 1,
        BarrierScope::Group => 2,
        BarrierScope::Wave => 3,
    }
}
