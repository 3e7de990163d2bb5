//! An output of a program as formulas of its inputs.
//!
//! The program's calls are put in, arms that fall through are made choices, masks become truth values, what the output does
//! not depend on is left out (`gpuproof_write::passes`), and what remains is written as WGSL: operations of one instruction as one of vectors (`group`), several that are a function
//! as that (`idiom`), what is used once where it is used, the rest with names (`expression`, `texture`, `statement`). The text is one that [`check`](crate::check) takes.

mod affine;
mod expression;
mod group;
mod idiom;
mod linear;
mod operand;
mod pack;
mod sampling;
mod statement;
mod texture;
mod types;

pub use affine::Feed;

use crate::bind::output_place;
use crate::formula::ty::Ty;
use crate::formula::vocabulary::{Constant, Form, Vocabulary};
use crate::formula::{self, FormulaError, wrap};
use gpuproof_program::{Class, Function, Instruction, Node, Op, OutputId, Program, ResourceId, Target, Value, Width, walk};
use gpuproof_write::address::Definitions;
use gpuproof_write::passes;
use serde::Serialize;
use std::collections::HashSet;

/// Why an output has no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The program has no such output.
    #[error("there is no output {name}; there is {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What can be traced.
        known: Vec<String>,
    },
    /// WGSL has nothing that does what the program does there.
    #[error("not supported{}: {what}", if place.is_empty() { String::new() } else { format!(" at {place}") })]
    Unsupported {
        /// What it is.
        what: String,
        /// The instruction or line.
        place: String,
    },
}

impl TraceError {
    fn unsupported(what: impl Into<String>) -> TraceError {
        TraceError::Unsupported { what: what.into(), place: String::new() }
    }
}

impl From<passes::TooLarge> for TraceError {
    fn from(error: passes::TooLarge) -> TraceError {
        TraceError::unsupported(error.to_string())
    }
}

impl From<FormulaError> for TraceError {
    fn from(error: FormulaError) -> TraceError {
        TraceError::unsupported(error.message)
    }
}

/// What may be traced: an output with its components, or a buffer or texture that is stored to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Traceable {
    /// The name that `trace` takes and formulas set: `o0`, `particles`.
    pub name: String,
    /// Its components that the program writes, as letters; empty for memory and for an output of one number.
    pub components: String,
    /// What else it is called: `SV_Target0`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub semantic: String,
}

/// An output as formulas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// What was traced: `o0.x`.
    pub output: String,
    /// The formulas: WGSL statements that set it.
    pub formulas: String,
    /// The same as a whole WGSL module.
    pub module: String,
    /// How many operations of the program the output depends on.
    pub live_operations: usize,
    /// How many the formulas have, counted in the same way; a call of a helper is one.
    pub formula_operations: usize,
    /// For a vertex program, the stored members that feed the output and how they are scaled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub feeds: Vec<Feed>,
}

/// What is known of the function that is written.
pub(crate) struct Context<'f> {
    program: &'f Program,
    vocabulary: &'f Vocabulary,
    function: &'f Function,
    definitions: Definitions<'f>,
    types: Vec<Ty>,
    /// Values that something uses.
    used: HashSet<Value>,
}

impl<'f> Context<'f> {
    fn new(program: &'f Program, vocabulary: &'f Vocabulary, function: &'f Function) -> Context<'f> {
        let mut used = HashSet::new();
        walk(&function.body, &mut |node| used.extend(crate::flow::operands(node)));
        let definitions = Definitions::of(function);
        let mut context = Context { program, vocabulary, function, definitions, types: Vec::new(), used };
        context.types = types::infer(&context, function);
        context
    }

    fn width(&self, value: Value) -> Width {
        self.function.width(value)
    }

    /// A value without the signs before it.
    fn unsigned(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(sign) = self.definitions.get(value).filter(|sign| matches!(sign.op, Op::FNeg | Op::FAbs)) {
            if self.width(value) == Width::W16 {
                break;
            }
            value = sign.args[0];
        }
        value
    }

    /// Whether two values are the same number: one value, or alike in what few operations make them.
    fn same(&self, a: Value, b: Value) -> bool {
        self.same_within(a, b, 3)
    }

    fn same_within(&self, a: Value, b: Value, steps: u32) -> bool {
        if a == b {
            return true;
        }
        let (Some(one), Some(other)) = (self.definitions.get(a), self.definitions.get(b)) else { return false };
        // Inputs and constants of buffers do not change either.
        let fixed = one.op == Op::BufferLoad && self.fixed_row(one).is_some();
        let stays = one.op.row().class == Class::Pure || one.op == Op::Input || fixed;
        let pure = stays && one.op != Op::Undef && one.results.len() == 1;
        steps > 0
            && pure
            && (one.op, one.attrs) == (other.op, other.attrs)
            && self.width(a) == self.width(b)
            && one.args.iter().zip(&other.args).all(|(a, b)| self.same_within(*a, *b, steps - 1))
    }

    /// The constant offset of a load from rows of a constant buffer that is no binding array.
    fn fixed_row(&self, instruction: &Instruction) -> Option<u32> {
        let Target::Resource(id) = instruction.attrs.target else { return None };
        let rows =
            matches!(self.vocabulary.resource(id).form, Form::Rows) && self.program.interface.resource(id).count == Some(1);
        let word = self.width(*instruction.results.first()?) == Width::W32;
        let offset = self.definitions.constant(instruction.args[1])? as u32;
        (rows && word && offset.is_multiple_of(4)).then_some(offset)
    }

    /// The named member that a load reads, with the name of the vector that it is in.
    fn constant(&self, instruction: &Instruction) -> Option<(&'f Constant, String)> {
        let offset = self.fixed_row(instruction)?;
        let Target::Resource(id) = instruction.attrs.target else { return None };
        self.vocabulary.constants.iter().filter(|constant| constant.buffer == id).find_map(|constant| {
            let rest = offset.checked_sub(constant.leaf.offset)?;
            match constant.leaf.vectors {
                Some((count, _)) => (rest / 16 < count).then(|| (constant, format!("{}[{}]", constant.ident, rest / 16))),
                None => (rest < 4 * constant.leaf.size).then(|| (constant, constant.ident.clone())),
            }
        })
    }

    /// The member of a structure that a load reads.
    fn member(&self, instruction: &Instruction) -> Option<(&'f crate::formula::structure::StructureMember, u8)> {
        let Target::Resource(id) = instruction.attrs.target else { return None };
        let Form::Structures(structure) = &self.vocabulary.resource(id).form else { return None };
        structure.member(self.definitions.constant(*instruction.args.get(2)?)? as u32).filter(|_| !structure.name.is_empty())
    }

    fn unsupported(&self, instruction: &Instruction, what: &str) -> TraceError {
        let line = self.program.source.line(instruction.origin);
        let place = line.map_or_else(String::new, |line| format!("{} `{}`", line.number, line.text));
        TraceError::Unsupported { what: what.into(), place }
    }
}

/// Everything of a program that may be traced.
pub fn traceable(program: &Program) -> Vec<Traceable> {
    let vocabulary = Vocabulary::of(program);
    let written = Written::of(program);
    let mut found = Vec::new();
    for word in &vocabulary.outputs {
        let components: Vec<u8> = (0..4)
            .filter(|component| {
                word.components[usize::from(*component)].is_some_and(|id| written.outputs.contains(&(id, *component)))
            })
            .collect();
        if components.is_empty() {
            continue;
        }
        let mut semantics: Vec<String> = Vec::new();
        for id in word.components.iter().flatten() {
            let name = crate::bind::output_names(program)[id.index()].clone();
            if !semantics.contains(&name) && name != word.ident {
                semantics.push(name);
            }
        }
        let letters = if word.size == 1 { String::new() } else { crate::bind::letters(&components) };
        found.push(Traceable { name: word.ident.clone(), components: letters, semantic: semantics.join(", ") });
    }
    for (at, word) in vocabulary.resources.iter().enumerate() {
        if written.resources.contains(&ResourceId(at as u32)) {
            let semantic = crate::bind::slot_name(program.interface.resources[at].slot);
            found.push(Traceable { name: word.ident.clone(), components: String::new(), semantic });
        }
    }
    found
}

/// What a program writes.
#[derive(Default)]
struct Written {
    outputs: HashSet<(OutputId, u8)>,
    resources: HashSet<ResourceId>,
}

impl Written {
    fn of(program: &Program) -> Written {
        let mut written = Written::default();
        for function in &program.functions {
            walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                match instruction.attrs.target {
                    Target::Output(id, component) => _ = written.outputs.insert((id, component)),
                    Target::Resource(id) if instruction.op.row().class == Class::Writes => _ = written.resources.insert(id),
                    _ => {}
                }
            });
        }
        written
    }
}

/// What is asked for: components of outputs, or a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Selection {
    Outputs(HashSet<(OutputId, u8)>),
    Resource(ResourceId),
}

impl Selection {
    fn is_root(&self, instruction: &Instruction) -> bool {
        match (self, instruction.attrs.target) {
            (Selection::Outputs(outputs), Target::Output(id, component)) => outputs.contains(&(id, component)),
            (Selection::Resource(wanted), Target::Resource(id)) => id == *wanted && instruction.op.row().class == Class::Writes,
            _ => false,
        }
    }
}

/// Finds an output by any of its names: `o0.x`, `SV_Target0.x`, `position`, a member of WGSL, `u0`.
fn select(program: &Program, vocabulary: &Vocabulary, name: &str) -> Option<Selection> {
    let written = Written::of(program);
    let (stem, letters) = match name.rsplit_once('.') {
        Some((stem, letters)) if letters.len() <= 4 && letters.chars().all(|c| "xyzw".contains(c)) => (stem, Some(letters)),
        _ => (name, None),
    };
    let names = crate::bind::output_names(program);
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let by_word =
        |id: OutputId| vocabulary.outputs.iter().any(|word| same(&word.ident, stem) && word.components.contains(&Some(id)));
    let by_builtin = |id: OutputId| {
        program.interface.output(id).builtin.is_some_and(|builtin| {
            let written = format!("{builtin:?}").to_ascii_lowercase();
            written == stem.to_ascii_lowercase().replace('_', "") || (written == "fragdepth" && same(stem, "depth"))
        })
    };
    let by_name = |id: OutputId| {
        let variable = program.interface.output(id);
        same(&names[id.index()], stem) || (variable.semantic_index == 0 && same(&variable.name, stem))
    };
    let wanted = |component: u8| {
        let letter = ['x', 'y', 'z', 'w'][usize::from(component & 3)];
        letters.is_none_or(|letters| letters.contains(letter))
    };
    let ways: [&dyn Fn(OutputId) -> bool; 3] = [&by_word, &by_builtin, &by_name];
    for way in ways {
        let found = written.outputs.iter().copied().filter(|(id, component)| way(*id) && wanted(*component));
        let found: HashSet<(OutputId, u8)> = found.collect();
        if !found.is_empty() {
            return Some(Selection::Outputs(found));
        }
    }
    let resource = vocabulary.resources.iter().position(|word| same(&word.ident, name)).or_else(|| {
        program
            .interface
            .resources
            .iter()
            .position(|resource| same(&resource.name, name) || same(&crate::bind::slot_name(resource.slot), name))
    });
    let id = ResourceId(resource? as u32);
    written.resources.contains(&id).then_some(Selection::Resource(id))
}

/// Writes an output as formulas.
///
/// # Errors
/// When the program has no output of this name, and for what WGSL cannot say, with the instruction.
pub fn trace(program: &Program, output: &str) -> Result<Trace, TraceError> {
    gpuproof_run::check_stage(program).map_err(|error| TraceError::unsupported(error.to_string()))?;
    let vocabulary = Vocabulary::of(program);
    let selection = select(program, &vocabulary, output).ok_or_else(|| TraceError::Unknown {
        name: output.into(),
        known: traceable(program)
            .into_iter()
            .map(|found| if found.components.is_empty() { found.name } else { format!("{}.{}", found.name, found.components) })
            .collect(),
    })?;
    let whole = passes::inlined(program)?;
    let is_root = |instruction: &Instruction| selection.is_root(instruction);
    let live_operations = passes::operations(&passes::slice(&whole, &is_root));
    let is_truth = |id| vocabulary.input(id).ty == Ty::Bool;
    let simplified = passes::with_truth_values(&passes::unfolded(&whole), &is_truth);
    let function = passes::slice(&simplified, &is_root);
    let context = Context::new(program, &vocabulary, &function);
    let lines = statement::Writer::new(&context, &function).write(&function)?;
    let mut formulas = lines.join("\n");
    formulas.push('\n');
    let (body, _) = wrap::plain(&vocabulary, &formulas)?;
    let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let module = wrap::module(program, &vocabulary, &indented, false)?;
    let read = formula::read(program, &vocabulary, &formulas)?;
    let formula_operations = formula_operations(&read.program, &selection)?;
    let feeds = match &selection {
        Selection::Outputs(outputs) if program.stage == gpuproof_program::Stage::Vertex => affine::feeds(&context, outputs),
        _ => Vec::new(),
    };
    Ok(Trace { output: name_of(program, &vocabulary, &selection), formulas, module, live_operations, formula_operations, feeds })
}

/// The live operations of formulas that were read, a call of a helper as one.
fn formula_operations(program: &Program, selection: &Selection) -> Result<usize, TraceError> {
    let whole = passes::inlined(program)?;
    Ok(passes::operations(&passes::slice(&whole, &|instruction| selection.is_root(instruction))))
}

fn name_of(program: &Program, vocabulary: &Vocabulary, selection: &Selection) -> String {
    match selection {
        Selection::Resource(id) => vocabulary.resource(*id).ident.clone(),
        Selection::Outputs(outputs) => {
            let mut all: Vec<_> = outputs.iter().copied().collect();
            all.sort();
            let (id, component) = all[0];
            let Some((word, _)) = vocabulary.output(id, component) else { return output_place(program, id, component) };
            let components: Vec<u8> = all.iter().map(|(_, component)| *component).collect();
            if word.size == 1 { word.ident.clone() } else { format!("{}.{}", word.ident, crate::bind::letters(&components)) }
        }
    }
}
