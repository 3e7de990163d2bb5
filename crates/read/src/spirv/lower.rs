//! Makes an entry point's program: what its one function shares while it is made.

use super::arith::FloatControls;
use super::binary::Inst;
use super::error::{Result, bad, fault, unsupported};
use super::flow::{Flow, Frame};
use super::memory::{Index, Pointer, Root, Val};
use super::module::{Declared, Entry, Module};
use super::types::{Layout, Ty};
use gpuproof_program::{
    ArrayId, Assembly, Denormals, Dialect, FunctionBuilder, FunctionId, InputId, Interface, Kind, Local, Op, Origin, OutputId,
    PrivateArray, Program, ResourceId, Rounding, SamplerId, Source as Text, SourceKind, SourceLine, Stage, Value, Width,
};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, Op as S, StorageClass};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Variables of more numbers than this are per-lane arrays even where every index is constant.
const MAX_LOCALS: usize = 256;
/// The most operations that functions, expanded at each call, may come to.
const MAX_WORK: usize = 1 << 21;
/// The most elements of all per-lane arrays together.
const MAX_ARRAYS: usize = 1 << 20;

/// Where a number of an input comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Input(InputId, u8),
    /// Whether the lane is a helper.
    Helper,
    /// A word of a mask of lanes.
    Mask(BuiltIn, u32),
}

/// Where a number of an output goes; none where its member is never touched.
pub(super) type Sink = Option<(OutputId, u8, Width)>;

/// Where the numbers of an output variable go, and the variables that hold them until then.
type OutputParts = (Rc<[Sink]>, Rc<[Local]>);

/// What an image, sampler or both in one variable became.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    Image(ResourceId),
    Sampler(SamplerId),
    Both(ResourceId, SamplerId),
}

/// A program under construction.
pub(super) struct Lower<'a> {
    pub(super) m: &'a Module,
    pub(super) d: &'a Declared,
    pub(super) program: Program,
    pub(super) b: FunctionBuilder,
    pub(super) controls: FloatControls,
    /// Whether the result at hand is decorated `NoContraction`.
    pub(super) precise: bool,
    /// Whether texels out of range load as 0.
    pub(super) robust_images: bool,
    /// Variables of the module, but for inputs and outputs.
    pub(super) globals: HashMap<u32, Root>,
    pub(super) opaques: HashMap<u32, Bound>,
    pub(super) inputs: HashMap<u32, Rc<[Option<Source>]>>,
    pub(super) outputs: HashMap<u32, OutputParts>,
    /// Variables that what is not constant indexes.
    pub(super) dynamic: HashSet<u32>,
    /// Variables that the entry point's functions name, with the members of them (none: all).
    pub(super) named: HashMap<u32, Option<HashSet<u32>>>,
    pub(super) flows: HashMap<u32, Rc<Flow>>,
    pub(super) frame: Frame,
    /// The functions that are being expanded.
    pub(super) calls: Vec<u32>,
    work: usize,
    arrays: usize,
}

/// Reads an entry point, for a device with or without robustImageAccess2.
pub(super) fn read(m: &Module, d: &Declared, entry: &Entry, (stage, robust_images): (Stage, bool)) -> Result<Program> {
    let lines = m.binary.insts.iter().zip(&m.binary.lines).zip(1..);
    let text = lines.map(|((inst, text), number)| SourceLine { number, offset: 4 * inst.word, text: text.clone() });
    let mut lower = Lower {
        m,
        d,
        program: Program {
            name: entry.name.clone(),
            dialect: Dialect::Vulkan,
            stage,
            group_size: [1; 3],
            assembly: Assembly::None,
            interface: Interface { overrides: d.overrides.clone(), ..Interface::default() },
            arrays: Vec::new(),
            shared: Vec::new(),
            functions: Vec::new(),
            entry: FunctionId(0),
            source: Text { kind: SourceKind::Instructions, lines: text.collect() },
            notes: Vec::new(),
        },
        b: FunctionBuilder::new(entry.name.clone(), &[]),
        controls: FloatControls::default(),
        precise: false,
        robust_images,
        globals: HashMap::new(),
        opaques: HashMap::new(),
        inputs: HashMap::new(),
        outputs: HashMap::new(),
        dynamic: HashSet::new(),
        named: HashMap::new(),
        flows: HashMap::new(),
        frame: Frame::default(),
        calls: Vec::new(),
        work: 0,
        arrays: 0,
    };
    lower.source_lines();
    lower.modes(entry)?;
    lower.survey(entry.function)?;
    lower.interface()?;
    lower.private()?;
    lower.call(entry.function, Vec::new())?;
    lower.b.ret(&[]);
    if let Some(why) = lower.b.refusal() {
        return unsupported(why);
    }
    lower.program.functions.push(lower.b.finish());
    Ok(lower.program)
}

impl Lower<'_> {
    /// Counts work, which functions expanded at each call multiply.
    pub(super) fn spend(&mut self, work: usize) -> Result<()> {
        self.work += work;
        if self.work > MAX_WORK { unsupported(format!("a program of more than {MAX_WORK} operations")) } else { Ok(()) }
    }

    /// Adds to each instruction's line the place of the source that `OpLine` gives it.
    fn source_lines(&mut self) {
        let mut files: HashMap<u32, String> = HashMap::new();
        let mut place: Option<String> = None;
        for (at, inst) in self.m.binary.insts.iter().enumerate() {
            match inst.op {
                S::String => _ = files.insert(inst.result.unwrap_or(0), inst.string(0).0),
                S::Line => {
                    let file = files.get(&inst.at(0)).map_or("", |path| path.rsplit(['/', '\\']).next().unwrap_or(path));
                    let file: String = file.chars().filter(|c| !c.is_control()).take(80).collect();
                    place = Some(format!("{file}:{}:{}", inst.at(1), inst.at(2)));
                }
                S::NoLine | S::Label | S::FunctionEnd => place = None,
                _ => {
                    if let (Some(place), Some(line)) = (&place, self.program.source.lines.get_mut(at)) {
                        line.text += &format!("  ; {place}");
                    }
                }
            }
        }
    }

    fn modes(&mut self, entry: &Entry) -> Result<()> {
        let mut preserves = Vec::new();
        for (function, mode, operands) in self.m.modes.iter().filter(|(function, ..)| *function == entry.function) {
            let first = operands.first().copied().unwrap_or(0);
            let Some(mode) = ExecutionMode::from_u32(*mode) else { return unsupported(format!("the execution mode {mode}")) };
            match mode {
                ExecutionMode::LocalSize | ExecutionMode::LocalSizeId => {
                    for (size, operand) in self.program.group_size.iter_mut().zip(operands) {
                        *size = if mode == ExecutionMode::LocalSize {
                            *operand
                        } else {
                            match self.d.constants.word(*operand).map(u32::try_from) {
                                Some(Ok(n)) => n,
                                _ => return bad("a size of the workgroup that is no constant"),
                            }
                        };
                    }
                }
                ExecutionMode::DenormPreserve => self.controls.set_denormals(first, Denormals::Preserve)?,
                ExecutionMode::DenormFlushToZero => self.controls.set_denormals(first, Denormals::Flush)?,
                ExecutionMode::RoundingModeRTE => self.controls.set_rounding(first, Rounding::NearestEven)?,
                ExecutionMode::RoundingModeRTZ => self.controls.set_rounding(first, Rounding::TowardZero)?,
                ExecutionMode::SignedZeroInfNanPreserve => preserves.push(format!("f{first}")),
                ExecutionMode::FPFastMathDefault => {
                    self.program.notes.push(format!(
                        "%{function} has a default of fast math flags, which are taken for NoContraction's absence"
                    ));
                }
                ExecutionMode::PixelInterlockOrderedEXT
                | ExecutionMode::PixelInterlockUnorderedEXT
                | ExecutionMode::SampleInterlockOrderedEXT
                | ExecutionMode::SampleInterlockUnorderedEXT
                | ExecutionMode::DerivativeGroupLinearKHR
                | ExecutionMode::DerivativeGroupQuadsKHR => return unsupported(format!("the execution mode {mode:?}")),
                _ => {}
            }
        }
        if !preserves.is_empty() {
            self.program.notes.push(format!(
                "zeros' signs, infinities and NaN count in {} (SignedZeroInfNanPreserve); what is allowed goes by finite numbers all the same",
                preserves.join(", ")
            ));
        }
        // A constant that is the built-in WorkgroupSize decides before LocalSize.
        for (id, decorations) in &self.m.decorations {
            let is_size = |decor: &super::module::Decor| {
                decor.kind == Decoration::BuiltIn && decor.operands.first() == Some(&(BuiltIn::WorkgroupSize as u32))
            };
            if let (true, Some((_, numbers))) = (decorations.iter().any(is_size), self.d.constants.get(*id))
                && self.program.stage == Stage::Compute
                && let [Some(x), Some(y), Some(z)] = numbers[..]
            {
                self.program.group_size = [x as u32, y as u32, z as u32];
            }
        }
        if self.program.stage != Stage::Compute {
            self.program.group_size = [1; 3];
        }
        if self.program.group_size.iter().any(|size| !(1..=0x7fff_ffff).contains(size)) {
            return bad(format!("a workgroup of {:?} invocations", self.program.group_size));
        }
        Ok(())
    }

    /// Private variables, which live as long as the lane.
    fn private(&mut self) -> Result<()> {
        for (id, variable) in &self.d.variables {
            if variable.class != StorageClass::Private || !self.named.contains_key(id) {
                continue;
            }
            self.m.place.set(variable.at);
            let root = self.variable(*id, variable.ty, variable.initial, true)?;
            self.globals.insert(*id, root);
        }
        Ok(())
    }

    /// A variable of numbers with its initial value; `first` where it is declared before anything runs.
    pub(super) fn variable(&mut self, id: u32, ty: u32, initial: Option<u32>, first: bool) -> Result<Root> {
        let widths = self.d.types.widths(ty)?;
        let initial = match initial {
            Some(initial) => match self.d.constants.get(initial) {
                Some((of, numbers)) if *of == ty => Some(numbers.clone()),
                _ => return unsupported("an initial value that is no constant of the variable's type"),
            },
            None => None,
        };
        if self.dynamic.contains(&id) || widths.len() > MAX_LOCALS {
            let array = self.array(self.m.name(id).to_owned(), &widths)?;
            let width = self.program.arrays[array.index()].width;
            if let Some(numbers) = initial {
                if first && numbers.iter().all(Option::is_some) {
                    self.program.arrays[array.index()].initial = numbers.iter().map(|bits| bits.unwrap_or(0)).collect();
                } else {
                    for (at, bits) in (0u32..).zip(numbers.iter()).filter_map(|(at, bits)| Some((at, (*bits)?))) {
                        self.spend(1)?;
                        let (at, value) = (self.b.word(at), self.b.constant(width, bits));
                        let attrs = self.target(Op::ArrayStore, gpuproof_program::Target::Array(array));
                        self.b.effect(Op::ArrayStore, attrs, &[at, value]);
                    }
                }
            }
            return Ok(Root::Array(array));
        }
        let mut locals = Vec::with_capacity(widths.len());
        for (i, width) in widths.iter().enumerate() {
            let local = self.b.local(*width);
            if let Some(Some(bits)) = initial.as_ref().and_then(|numbers| numbers.get(i)) {
                let value = self.b.constant(*width, *bits);
                self.b.set(local, value);
            }
            locals.push(local);
        }
        Ok(Root::Values(locals.into()))
    }

    /// A per-lane array; its elements are as wide as the widest number.
    pub(super) fn array(&mut self, name: String, widths: &[Width]) -> Result<ArrayId> {
        self.arrays += widths.len();
        if self.arrays > MAX_ARRAYS {
            return unsupported(format!("variables of more than {MAX_ARRAYS} numbers in one lane"));
        }
        let width = widths.iter().copied().max().unwrap_or(Width::W32);
        let length = widths.len() as u32;
        self.program.arrays.push(PrivateArray { name, length, width, initial: Vec::new(), constant: false });
        Ok(ArrayId(self.program.arrays.len() as u32 - 1))
    }

    /// What an id is here.
    pub(super) fn val(&mut self, id: u32) -> Result<Val> {
        if let Some(val) = self.frame_val(id)? {
            return Ok(val);
        }
        if let Some((ty, numbers)) = self.d.constants.get(id) {
            let widths = self.d.types.widths(*ty)?;
            self.spend(widths.len() / 4)?;
            let value = |(width, bits): (&Width, &Option<u64>)| match bits {
                Some(bits) => self.b.constant(*width, *bits),
                None => self.b.undef(*width),
            };
            return Ok(Val::Numbers(widths.iter().zip(numbers.iter()).map(value).collect()));
        }
        if let Some((_, variable)) = self.d.variables.iter().find(|(variable, _)| *variable == id) {
            let root = match variable.class {
                StorageClass::Input => Root::Input(id),
                StorageClass::Output => Root::Output(id),
                _ if self.opaques.contains_key(&id) => Root::Opaque(id, Index::Fixed(0)),
                _ => match self.globals.get(&id) {
                    Some(root) => root.clone(),
                    None => return fault(format!("the variable %{id} was not declared")),
                },
            };
            let layout = match root {
                Root::Shared(_) if !self.is_block(variable.ty) => Layout::Packed,
                _ => Layout::Explicit(None),
            };
            return Ok(Val::Pointer(Pointer { root, ty: variable.ty, layout, offset: 0, computed: None }));
        }
        bad(format!("%{id} is used where it is not defined"))
    }

    /// The numbers that an id is.
    pub(super) fn numbers(&mut self, id: u32) -> Result<Rc<[Value]>> {
        match self.val(id)? {
            Val::Numbers(numbers) => Ok(numbers),
            _ => bad(format!("%{id} is no value")),
        }
    }

    /// The one number that an id is.
    pub(super) fn number(&mut self, id: u32) -> Result<Value> {
        match &self.numbers(id)?[..] {
            [one] => Ok(*one),
            other => bad(format!("%{id} has {} numbers, expected one", other.len())),
        }
    }

    /// The type of an id that is a value.
    pub(super) fn type_of(&self, id: u32) -> Result<u32> {
        if let Some(ty) = self.frame_type(id) {
            return Ok(ty);
        }
        match self.d.constants.get(id) {
            Some((ty, _)) => Ok(*ty),
            None => bad(format!("%{id} has no type")),
        }
    }

    pub(super) fn is_signed(&self, id: u32) -> Result<bool> {
        let mut ty = self.type_of(id)?;
        while let Ty::Array(element, _) = self.d.types.get(ty)? {
            ty = *element;
        }
        Ok(self.d.types.scalar(ty)?.kind == Kind::Sint)
    }

    /// Whether a type is a block's structure, an image, a sampler or both.
    pub(super) fn is_block(&self, ty: u32) -> bool {
        match self.d.types.get(ty) {
            Ok(Ty::Struct(_)) => {
                self.m.decor(ty, Decoration::Block).is_some() || self.m.decor(ty, Decoration::BufferBlock).is_some()
            }
            Ok(Ty::Image(_) | Ty::Sampler | Ty::SampledImage(_)) => true,
            _ => false,
        }
    }

    /// Makes an instruction's result numbers, as many and as wide as its type has.
    pub(super) fn numbers_of(&mut self, inst: &Inst, numbers: Vec<Value>) -> Result<()> {
        let Some(ty) = inst.result_type else { return fault("a result without a type") };
        let widths = self.d.types.widths(ty)?;
        let fits =
            widths.len() == numbers.len() && widths.iter().zip(&numbers).all(|(width, value)| self.b.width(*value) == *width);
        if !fits {
            let found: Vec<u32> = numbers.iter().map(|value| self.b.width(*value).bits()).collect();
            return bad(format!(
                "operands that give numbers of {found:?} bits, where the result's type %{ty} has {}",
                widths.len()
            ));
        }
        self.define(inst, Val::Numbers(numbers.into()))
    }

    /// The place of an instruction, for errors and origins.
    pub(super) fn visit(&mut self, at: usize) {
        self.m.place.set(at);
        self.b.set_origin(Origin::line(at as u32));
        let inst = &self.m.binary.insts[at];
        self.precise = inst.result.is_some_and(|id| self.m.decor(id, Decoration::NoContraction).is_some());
    }

    /// What an image or sampler variable holds.
    pub(super) fn opaque(&mut self, id: u32, index: Index, ty: u32) -> Result<Val> {
        let ty = match self.d.types.get(ty)? {
            Ty::SampledImage(image) => *image,
            _ => ty,
        };
        match self.opaques.get(&id) {
            Some(Bound::Image(image)) => Ok(Val::Image(*image, index, ty)),
            Some(Bound::Sampler(sampler)) => Ok(Val::Sampler(*sampler, index)),
            Some(Bound::Both(image, sampler)) => Ok(Val::Sampled((*image, index, ty), (*sampler, index))),
            None => fault(format!("the variable %{id} was not declared")),
        }
    }
}
