//! From the token stream to a [`Program`].
//!
//! Registers become variables of the [`FunctionBuilder`], a component each; what instructions mean is in tables ([`arithmetic`]) where they work a
//! component at a time, and in a function a family where they do not ([`memory`], [`texture`], [`flow`]). Every operation
//! takes Direct3D 11's choices: f32 operations flush denormals, NaN loses in minima, division by zero gives all ones. Sections in
//! comments are those of the Direct3D 11.3 functional specification.
//!
//! All sources of an instruction are read before its first result is written, as the format has it, so a destination that is also a
//! source does not disturb later components.

mod arithmetic;
mod choose;
mod declare;
mod flow;
mod interfaces;
mod layout;
mod memory;
mod registers;
mod signature;
mod stages;
mod texture;

use super::container::Container;
use super::error::{Error, Result};
use super::listing::listing;
use super::opcode::{Class, Opcode};
use super::operand::{File, Operand};
use super::tokens::{Instruction, Shader, Stage};
use declare::{Declarations, phase_of};
pub use interfaces::{INSTANCES, STRIDE};

use gpuproof_program::{
    Attrs, Choice, Denormals, Dialect, Function, FunctionBuilder, FunctionId, Label, Local, Op, Origin, Program, Refactor,
    Register, Rules, Source, SourceKind, SourceLine, Value, Width,
};
use std::collections::{BTreeSet, HashMap};

/// Translates the program of a container.
///
/// # Errors
/// [`Error::Unsupported`] names the instruction for what has no translation;
/// [`Error::BadInput`] for operands that break the format.
pub fn program(container: &Container) -> Result<Program> {
    let shader = Shader::find(container)?;
    let stage = match shader.target().stage {
        Stage::Vertex => gpuproof_program::Stage::Vertex,
        Stage::Hull => gpuproof_program::Stage::Hull,
        Stage::Domain => gpuproof_program::Stage::Domain,
        Stage::Geometry => gpuproof_program::Stage::Geometry,
        Stage::Pixel => gpuproof_program::Stage::Pixel,
        Stage::Compute => gpuproof_program::Stage::Compute,
    };
    let declarations = Declarations::collect(container, &shader)?;
    let (source, lines) = source(&shader);
    let mut translator = Translator::new(&shader, declarations, lines)?;
    let (functions, phases) = match stage {
        gpuproof_program::Stage::Hull => translator.phases(container)?,
        _ => (vec![translator.function("main", 0)?], Vec::new()),
    };
    let declarations = translator.declarations;
    Ok(Program {
        name: "main".into(),
        dialect: Dialect::D3D11,
        stage,
        group_size: declarations.group_size,
        assembly: declarations.primitives.assembly(&shader, &declarations.interface, phases)?,
        interface: declarations.interface,
        arrays: declarations.arrays,
        shared: declarations.shared,
        functions,
        entry: FunctionId(0),
        source,
        notes: declarations.notes,
    })
}

/// The listing's numbered lines, and the line of each byte offset.
fn source(shader: &Shader) -> (Source, HashMap<usize, u32>) {
    let mut lines = Vec::new();
    let mut by_offset = HashMap::new();
    for line in listing(shader) {
        let Some(number) = line.number else { continue };
        by_offset.insert(line.offset, lines.len() as u32);
        lines.push(SourceLine { number, offset: line.offset as u32, text: line.text.trim().to_string() });
    }
    (Source { kind: SourceKind::Instructions, lines }, by_offset)
}

/// How many times as many instructions as a program has may be translated, subroutines counted at each call, and each register
/// that an index may choose: nested calls multiply. All may have [`FREE_INSTRUCTIONS`] more.
const MAX_EXPANSION: usize = 8;
/// See [`MAX_EXPANSION`].
const FREE_INSTRUCTIONS: usize = 20_000;

struct Translator<'a> {
    shader: &'a Shader,
    builder: FunctionBuilder,
    declarations: Declarations,
    lines: HashMap<usize, u32>,
    /// The temporaries that the program has.
    used: BTreeSet<(u32, u8)>,
    temps: HashMap<(u32, u8), Local>,
    /// The output registers of a geometry program, which hold a vertex until it is emitted.
    vertex: HashMap<(u32, u8), Local>,
    /// Which one-bit value a word of all ones or zeros was made from.
    masks: HashMap<Value, Value>,
    /// The values of 64 bits that pairs of words are the halves of.
    halves: HashMap<[Value; 2], Value>,
    /// What this instruction has read already, by operand and component.
    read: HashMap<(usize, u8), Value>,
    constructs: Vec<flow::Construct>,
    /// How many constructs are open in the callers of the open subroutine.
    outer_constructs: usize,
    /// Where `ret` goes in the subroutines that are open; none in the program itself.
    returns: Vec<Label>,
    /// The instruction after each label.
    labels: HashMap<(File, u32), usize>,
    translated: usize,
    offset: usize,
}

impl<'a> Translator<'a> {
    fn new(shader: &'a Shader, declarations: Declarations, lines: HashMap<usize, u32>) -> Result<Translator<'a>> {
        let mut used = BTreeSet::new();
        for instruction in &shader.instructions {
            for operand in &instruction.operands {
                collect_temps(operand, instruction.offset, &mut used)?;
            }
        }
        let mut labels = HashMap::new();
        for (at, instruction) in shader.instructions.iter().enumerate() {
            if instruction.opcode == Opcode::Label
                && let Some(label) = instruction.operands.first()
                && let Some(number) = label.constant_index(0)
            {
                labels.insert((label.file, number as u32), at + 1);
            }
        }
        Ok(Translator {
            shader,
            builder: FunctionBuilder::new("main", &[]),
            declarations,
            lines,
            used,
            temps: HashMap::new(),
            vertex: HashMap::new(),
            masks: HashMap::new(),
            halves: HashMap::new(),
            read: HashMap::new(),
            constructs: Vec::new(),
            outer_constructs: 0,
            returns: Vec::new(),
            labels,
            translated: 0,
            offset: 0,
        })
    }

    /// Translates what begins at an instruction, the program or a phase of it, as a function.
    fn function(&mut self, name: &str, start: usize) -> Result<Function> {
        let mut builder = FunctionBuilder::new(name, &[]);
        self.temps = self
            .used
            .iter()
            .map(|&(number, component)| ((number, component), builder.register(Register { number, component })))
            .collect();
        self.vertex = match self.shader.target().stage {
            Stage::Geometry => {
                let registers: BTreeSet<(u32, u8)> =
                    self.declarations.outputs.keys().map(|(_, number, at)| (*number, *at)).collect();
                registers.into_iter().map(|at| (at, builder.local(Width::W32))).collect()
            }
            _ => HashMap::new(),
        };
        self.builder = builder;
        self.masks.clear();
        self.halves.clear();
        self.fill_input_array()?;
        self.body(start)?;
        self.close_constructs(0)?;
        self.spend(0)?;
        Ok(std::mem::replace(&mut self.builder, FunctionBuilder::new("", &[])).finish())
    }

    /// Counts work, in instructions that are translated, against what the program's length allows.
    fn spend(&mut self, instructions: usize) -> Result<()> {
        self.translated += instructions;
        let limit = FREE_INSTRUCTIONS + MAX_EXPANSION * self.shader.instructions.len();
        if self.translated > limit {
            return Err(
                self.unsupported(format!("more than {limit} instructions with subroutines and choices of registers expanded"))
            );
        }
        match self.builder.refusal() {
            Some(refusal) => Err(self.unsupported(refusal)),
            None => Ok(()),
        }
    }

    /// Translates from an instruction to the `ret` that ends the program or subroutine.
    fn body(&mut self, start: usize) -> Result<()> {
        let shader = self.shader;
        let depth = self.constructs.len();
        for (at, instruction) in shader.instructions.iter().enumerate().skip(start) {
            self.offset = instruction.offset;
            if matches!(instruction.info().class, Class::Declaration | Class::Data) {
                continue;
            }
            // The next subroutine, or the next phase of a hull program.
            if instruction.opcode == Opcode::Label || phase_of(instruction.opcode).is_some() {
                return Ok(());
            }
            self.spend(1)?;
            let line = self.lines.get(&instruction.offset).copied().unwrap_or(u32::MAX);
            self.builder.set_origin(Origin::line(line));
            self.read.clear();
            self.instruction(instruction)?;
            let ends = instruction.opcode == Opcode::Ret && self.constructs.len() == depth;
            let more = shader.instructions.get(at + 1).is_some_and(|next| next.opcode != Opcode::Label);
            if ends && !more {
                return Ok(());
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<()> {
        if !matches!(instruction.opcode, Opcode::Case | Opcode::Default | Opcode::Endswitch) {
            self.open_arm()?;
        }
        if self.chosen(instruction)? {
            return Ok(());
        }
        match instruction.info().class {
            Class::Arithmetic | Class::Comparison | Class::Conversion | Class::Bitwise | Class::Move | Class::Derivative => {
                self.arithmetic(instruction)
            }
            Class::Sample | Class::Query | Class::Evaluate => self.texture(instruction),
            Class::Load | Class::Store | Class::Atomic | Class::Barrier => self.memory(instruction),
            Class::Flow | Class::Nop => self.flow(instruction),
            Class::Stream => self.stream(instruction),
            Class::Declaration | Class::Data | Class::Phase => Ok(()),
        }
    }

    fn unsupported(&self, what: impl Into<String>) -> Error {
        Error::unsupported(self.offset, what)
    }

    fn bad(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::bad(self.offset, expected, found)
    }

    fn operand<'i>(&self, instruction: &'i Instruction, at: usize) -> Result<&'i Operand> {
        let missing = || self.bad(format!("operand {at} of {}", instruction.info().name), "fewer operands");
        instruction.operands.get(at).ok_or_else(missing)
    }

    /// The choices of Direct3D 11 for an operation at a width (3.1.3: f32 flushes denormals, others keep them).
    fn attrs(&self, op: Op, width: Width, precise: bool) -> Attrs {
        let choices = op.choices();
        let mut rules = Rules::default();
        if width == Width::W32 && choices.contains(&Choice::Denormals) {
            rules.denormals = Denormals::Flush;
        }
        if choices.contains(&Choice::Refactor) && (precise || !self.declarations.refactoring) {
            rules.refactor = Refactor::Precise;
        }
        Attrs::rules(rules)
    }

    /// Emits an operation of one result with D3D11's choices.
    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let width = args.first().map_or(Width::W32, |arg| self.builder.width(*arg));
        let attrs = self.attrs(op, width, false);
        self.builder.value(op, attrs, args)
    }

    fn word(&mut self, bits: u32) -> Value {
        self.builder.word(bits)
    }

    /// A word of all ones where the one-bit value is 1, else of zeros.
    fn mask(&mut self, condition: Value) -> Value {
        let mask = self.builder.value_of(Width::W32, Op::SExtend, Attrs::default(), &[condition]);
        self.masks.insert(mask, condition);
        mask
    }

    /// Whether a word has a bit set.
    fn nonzero(&mut self, word: Value) -> Value {
        if let Some(condition) = self.masks.get(&word) {
            return *condition;
        }
        let zero = self.word(0);
        self.op(Op::INe, &[word, zero])
    }

    /// Two words as one value of 64 bits.
    fn join(&mut self, low: Value, high: Value) -> Value {
        if let Some(whole) = self.halves.get(&[low, high]) {
            return *whole;
        }
        let low = self.builder.value_of(Width::W64, Op::UExtend, Attrs::default(), &[low]);
        let high = self.builder.value_of(Width::W64, Op::UExtend, Attrs::default(), &[high]);
        let count = self.word(32);
        let high = self.op(Op::IShl, &[high, count]);
        self.op(Op::IOr, &[low, high])
    }

    /// The low and high word of a value of 64 bits.
    fn split(&mut self, value: Value) -> [Value; 2] {
        let count = self.word(32);
        let high = self.op(Op::UShr, &[value, count]);
        let halves = [value, high].map(|value| self.builder.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[value]));
        self.halves.insert(halves, value);
        halves
    }
}

/// The most temporaries that a program may have (3.5 of the format: r# of 4096).
const MAX_TEMPS: u64 = 4096;

fn collect_temps(operand: &Operand, offset: usize, used: &mut BTreeSet<(u32, u8)>) -> Result<()> {
    if operand.file == File::Temp {
        let number = operand.constant_index(0).filter(|number| *number < MAX_TEMPS);
        let Some(number) = number else {
            let expected = format!("a constant number of a temporary below {MAX_TEMPS}");
            return Err(Error::bad(offset, expected, operand.register()));
        };
        used.extend((0..4).map(|component| (number as u32, component)));
    }
    for index in &operand.indices {
        if let Some(relative) = &index.relative {
            collect_temps(relative, offset, used)?;
        }
    }
    Ok(())
}
