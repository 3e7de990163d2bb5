//! Reads one entry point of a parsed module: what its functions share.

use super::error::{Error, Trouble, fault, unsupported};
use super::fold::Folder;
use super::function::{self, Spec};
use super::interface::{self, Bound};
use super::types::{Types, scalar_type};
use super::usage::{self, Base, Usage};
use super::{Options, stage};
use gpuproof_program::{
    ArrayId, Assembly, Builtin, Dialect, FunctionId, InputId, Interface, Kind, Origin, Override, PrivateArray, Program,
    ResourceId, SamplerId, ScalarType, SharedId, SharedMemory, Slot, Source, SourceKind, SourceLine, Width,
};
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, Arena, Expression, Handle, Literal, Module, Span, TypeInner};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Trouble>;

/// Variables of more numbers than this are per-lane arrays even where every index is constant.
const MAX_LOCALS: usize = 256;
/// The most elements of one per-lane array.
const MAX_ARRAY: usize = 1 << 20;
/// The most functions of a program, and expressions that they are made from.
const MAX_FUNCTIONS: usize = 1 << 12;
const MAX_WORK: usize = 1 << 22;

/// What a variable of the module is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Resource(ResourceId),
    Sampler(SamplerId),
    Shared(SharedId),
    /// A private variable in a per-lane array.
    Array(ArrayId),
    /// A private variable as values.
    Values,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    Module,
    Function(&'a Arena<Expression>, &'a FunctionInfo),
}

/// What all functions of the program share while it is made.
pub(super) struct Reader<'a> {
    pub(super) module: &'a Module,
    info: &'a ModuleInfo,
    pub(super) types: Types<'a>,
    folder: Folder<'a>,
    line_starts: Vec<usize>,
    pub(super) usage: HashMap<Handle<naga::Function>, Usage>,
    pub(super) globals: HashMap<Handle<naga::GlobalVariable>, Global>,
    pub(super) program: Program,
    pub(super) made: HashMap<(Handle<naga::Function>, Vec<Spec>), FunctionId>,
    overrides: HashMap<Handle<naga::Override>, (ScalarType, u64)>,
    constant_arrays: HashMap<(Width, Vec<u64>), ArrayId>,
    work: usize,
    /// The line of what was read last.
    line: u32,
}

/// Reads the entry point that the options name.
pub(super) fn read<'a>(
    text: &'a str,
    module: &'a Module,
    info: &'a ModuleInfo,
    options: &Options,
) -> std::result::Result<Program, Error> {
    let bad = |message: String| Error::BadInput { message, line: 0, column: 0 };
    let names = || module.entry_points.iter().map(|entry| format!("`{}`", entry.name)).collect::<Vec<_>>().join(", ");
    let index = match (&options.entry, &module.entry_points[..]) {
        (Some(name), all) => match all.iter().position(|entry| entry.name == *name) {
            Some(index) => index,
            None if all.is_empty() => return Err(bad(format!("there is no entry point `{name}`: the text has none"))),
            None => return Err(bad(format!("there is no entry point `{name}`, expected one of {}", names()))),
        },
        (None, []) => return Err(bad("the text has no entry point".into())),
        (None, [_]) => 0,
        (None, _) => return Err(bad(format!("the text has several entry points, name one of {}", names()))),
    };
    let entry = &module.entry_points[index];
    let Some(stage) = stage(entry.stage) else {
        return Err(Error::Unsupported {
            what: format!("the stage {:?} of the entry point `{}`", entry.stage, entry.name),
            line: 0,
        });
    };
    let (mut folder, overrides) = overrides(text, module, options)?;
    let lengths = overrides.iter().filter_map(|(handle, (ty, bits))| {
        let length = if ty.kind == Kind::Sint { (*bits as u32 as i32).max(0) as u32 } else { *bits as u32 };
        (ty.kind != Kind::Float && length > 0).then_some((*handle, length))
    });
    let types = Types::new(module, lengths.collect());
    for (handle, value) in &overrides {
        if let Some(name) = &module.overrides[*handle].name {
            folder.set_override(name, value.0, value.1);
        }
    }
    let usage = usage::of_functions(module);
    let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut reader = Reader {
        module,
        info,
        types,
        folder,
        line_starts,
        usage,
        globals: HashMap::new(),
        program: Program {
            name: entry.name.clone(),
            dialect: Dialect::Wgsl,
            stage,
            group_size: [1; 3],
            assembly: Assembly::None,
            interface: Interface::default(),
            arrays: Vec::new(),
            shared: Vec::new(),
            functions: Vec::new(),
            entry: FunctionId(0),
            source: source(text),
            notes: Vec::new(),
        },
        made: HashMap::new(),
        overrides,
        constant_arrays: HashMap::new(),
        work: 0,
        line: 0,
    };
    let made = reader.entry(entry, info.get_entry_point(index));
    let line = reader.line;
    made.map_err(|trouble| trouble.at(line))?;
    gpuproof_program::validate(&reader.program).map_err(|error| Trouble::Fault(error.to_string()).at(0))?;
    Ok(reader.program)
}

fn source(text: &str) -> Source {
    let mut offset = 0;
    let lines = text.split('\n').zip(1..).map(|(line, number)| {
        let here = offset;
        offset += line.len() as u32 + 1;
        SourceLine { number, offset: here, text: line.trim().to_owned() }
    });
    Source { kind: SourceKind::Text, lines: lines.collect() }
}

type Overrides = HashMap<Handle<naga::Override>, (ScalarType, u64)>;

/// The values of overrides: the options' or their own, as far as they have one.
fn overrides<'a>(text: &'a str, module: &Module, options: &Options) -> std::result::Result<(Folder<'a>, Overrides), Error> {
    let bad = |message: String| Error::BadInput { message, line: 0, column: 0 };
    let named = |given: &str, o: &naga::Override| match o.id {
        Some(id) => given.parse() == Ok(id) || o.name.as_deref() == Some(given),
        None => o.name.as_deref() == Some(given),
    };
    for (given, _) in &options.overrides {
        if !module.overrides.iter().any(|(_, o)| named(given, o)) {
            return Err(bad(format!("there is no override `{given}`")));
        }
    }
    let (mut folder, mut values) = (Folder::new(text), HashMap::new());
    for (handle, o) in module.overrides.iter() {
        let TypeInner::Scalar(scalar) = module.types[o.ty].inner else { continue };
        let ty = scalar_type(scalar).map_err(|trouble| trouble.at(0))?;
        let bits = match options.overrides.iter().rev().find(|(given, _)| named(given, o)) {
            Some((given, value)) => {
                let bits = override_bits(ty, *value);
                Some(bits.ok_or_else(|| bad(format!("the override `{given}` cannot be {value}")))?)
            }
            None => o.init.and_then(|init| {
                let span = module.global_expressions.get_span(init).to_range()?;
                Some(*folder.evaluate(&span, &[ty])?.first()?)
            }),
        };
        if let Some(bits) = bits {
            if let Some(name) = &o.name {
                folder.set_override(name, ty, bits);
            }
            values.insert(handle, (ty, bits));
        }
    }
    Ok((folder, values))
}

/// The bits of an override's value, if its type has that value.
fn override_bits(ty: ScalarType, value: f64) -> Option<u64> {
    let bits = ty.width.bits();
    match ty.kind {
        _ if !value.is_finite() => None,
        Kind::Float => Some(super::arith::float_bits(ty.width, value)),
        Kind::Bool => Some(u64::from(value != 0.0)),
        Kind::Sint => {
            let limit = 2f64.powi(bits as i32 - 1);
            (value.fract() == 0.0 && value >= -limit && value < limit).then_some(value as i64 as u64 & ty.width.mask())
        }
        _ => (value.fract() == 0.0 && value >= 0.0 && value < 2f64.powi(bits as i32)).then_some(value as u64),
    }
}

impl<'a> Reader<'a> {
    fn entry(&mut self, entry: &'a naga::EntryPoint, info: &'a FunctionInfo) -> Result<()> {
        self.program.group_size = self.group_size(entry)?;
        let mut bound: Vec<(Slot, Handle<naga::GlobalVariable>, Bound)> = Vec::new();
        let usage = usage::of_function(&entry.function, &self.usage);
        for (handle, variable) in self.module.global_variables.iter() {
            self.at(self.module.global_variables.get_span(handle));
            match variable.space {
                _ if !usage.named.contains(&handle) => {}
                AddressSpace::Private => {
                    let inner = self.types.inner(variable.ty);
                    let global = if usage.dynamic.contains(&Base::Global(handle)) || self.types.count(inner)? > MAX_LOCALS {
                        let initial = variable.init.map(|init| self.constant(Place::Module, init)).transpose()?;
                        let constant = !usage.written.contains(&Base::Global(handle));
                        Global::Array(self.array(variable.name.as_deref(), inner, initial, constant)?)
                    } else {
                        Global::Values
                    };
                    self.globals.insert(handle, global);
                }
                AddressSpace::WorkGroup => {
                    let bytes = self.types.bytes(self.types.inner(variable.ty))?;
                    let Some(bytes) = bytes.checked_next_multiple_of(4) else { return unsupported("4 GiB of workgroup memory") };
                    let id = SharedId(self.program.shared.len() as u32);
                    let name = variable.name.clone().unwrap_or_default();
                    self.program.shared.push(SharedMemory { name, bytes, stride: 4, zeroed: true });
                    self.globals.insert(handle, Global::Shared(id));
                }
                _ => {
                    let found = interface::bound(&self.types, variable)?;
                    let slot = match &found {
                        Bound::Resource(resource) => resource.slot,
                        Bound::Sampler(sampler) => sampler.slot,
                    };
                    bound.push((slot, handle, found));
                }
            }
        }
        bound.sort_by_key(|(slot, ..)| *slot);
        for (slot, handle, found) in bound {
            if slot == (Slot::Binding { group: interface::IMMEDIATE_GROUP, binding: 0 }) {
                self.program.notes.push(format!("immediate data is bound as group {} binding 0", interface::IMMEDIATE_GROUP));
            }
            let interface = &mut self.program.interface;
            let global = match found {
                Bound::Resource(resource) => {
                    interface.resources.push(resource);
                    Global::Resource(ResourceId(interface.resources.len() as u32 - 1))
                }
                Bound::Sampler(sampler) => {
                    interface.samplers.push(sampler);
                    Global::Sampler(SamplerId(interface.samplers.len() as u32 - 1))
                }
            };
            self.globals.insert(handle, global);
        }
        for (handle, o) in self.module.overrides.iter() {
            if let (Some(name), Some((_, bits))) = (&o.name, self.overrides.get(&handle)) {
                self.program.interface.overrides.push(Override { name: name.clone(), id: o.id.map(u32::from), bits: *bits });
            }
        }
        let function = function::entry(self, &entry.function, info, usage)?;
        self.program.entry = self.push_function(function)?;
        Ok(())
    }

    fn group_size(&self, entry: &naga::EntryPoint) -> Result<[u32; 3]> {
        if entry.stage != naga::ShaderStage::Compute {
            return Ok([1; 3]);
        }
        let mut size = entry.workgroup_size;
        for (size, given) in size.iter_mut().zip(entry.workgroup_size_overrides.unwrap_or_default()) {
            let Some(given) = given else { continue };
            let span = self.module.global_expressions.get_span(given).to_range();
            let of_kind = |kind| {
                let ty = ScalarType { kind, width: Width::W32 };
                self.folder.evaluate(span.as_ref()?, &[ty]).and_then(|bits| bits.first().copied())
            };
            match of_kind(Kind::Uint).or_else(|| of_kind(Kind::Sint)) {
                Some(n) if (1..=0x7fff_ffff).contains(&n) => *size = n as u32,
                Some(n) => return unsupported(format!("a workgroup of {n} invocations in one dimension")),
                None => return unsupported("a workgroup size whose overrides have no value"),
            }
        }
        Ok(size)
    }

    pub(super) fn function_info(&self, function: Handle<naga::Function>) -> &'a FunctionInfo {
        &self.info[function]
    }

    /// Adds a finished function.
    pub(super) fn push_function(&mut self, function: gpuproof_program::Function) -> Result<FunctionId> {
        if self.program.functions.len() >= MAX_FUNCTIONS {
            return unsupported(format!(
                "more than {MAX_FUNCTIONS} functions, each made once for each pointer and texture it is called with"
            ));
        }
        self.program.functions.push(function);
        Ok(FunctionId(self.program.functions.len() as u32 - 1))
    }

    /// Counts work, which specialised functions multiply.
    pub(super) fn spend(&mut self, work: usize) -> Result<()> {
        self.work += work;
        if self.work > MAX_WORK { unsupported(format!("a program of more than {MAX_WORK} operations")) } else { Ok(()) }
    }

    /// Notes a place, for errors, and gives its origin.
    pub(super) fn at(&mut self, span: Span) -> Option<Origin> {
        let start = span.to_range()?.start;
        let line = self.line_starts.partition_point(|at| *at <= start);
        self.line = line as u32;
        let column = start - self.line_starts.get(line.checked_sub(1)?)? + 1;
        Some(Origin { line: line as u32 - 1, column: column as u32, component: 0 })
    }

    /// Whether a variable of this type is values where every index is constant.
    pub(super) fn fits_values(&self, inner: &TypeInner) -> Result<bool> {
        Ok(self.types.count(inner)? <= MAX_LOCALS)
    }

    /// A per-lane array for a variable; its elements are as wide as the widest of its numbers.
    pub(super) fn array(
        &mut self,
        name: Option<&str>,
        inner: &TypeInner,
        initial: Option<Vec<u64>>,
        constant: bool,
    ) -> Result<ArrayId> {
        let count = self.types.count(inner)?;
        if count > MAX_ARRAY {
            return unsupported(format!("a private variable of {count} numbers, more than {MAX_ARRAY}"));
        }
        let width = self.widest(inner)?;
        self.spend(count / 8)?;
        let initial = initial.unwrap_or_else(|| vec![0; count]);
        let name = name.unwrap_or_default().to_owned();
        self.program.arrays.push(PrivateArray { name, length: count as u32, width, initial, constant });
        Ok(ArrayId(self.program.arrays.len() as u32 - 1))
    }

    fn widest(&self, inner: &TypeInner) -> Result<Width> {
        Ok(match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => scalar_type(scalar)?.width,
            TypeInner::Vector { scalar, .. } | TypeInner::Matrix { scalar, .. } => scalar_type(scalar)?.width,
            TypeInner::Array { base, .. } => self.widest(self.types.inner(base))?,
            TypeInner::Struct { ref members, .. } => members
                .iter()
                .map(|member| self.widest(self.types.inner(member.ty)))
                .try_fold(Width::W1, |widest, width| width.map(|width| widest.max(width)))?,
            _ => return unsupported("a resource inside a variable"),
        })
    }

    /// A per-lane array that holds a constant.
    pub(super) fn constant_array(&mut self, width: Width, bits: Vec<u64>) -> ArrayId {
        if let Some(id) = self.constant_arrays.get(&(width, bits.clone())) {
            return *id;
        }
        let id = ArrayId(self.program.arrays.len() as u32);
        let (name, length) = (format!("constant{}", self.constant_arrays.len()), bits.len() as u32);
        self.program.arrays.push(PrivateArray { name, length, width, initial: bits.clone(), constant: true });
        self.constant_arrays.insert((width, bits), id);
        id
    }

    /// The lane's index in its wave, for operations that name other lanes relative to it.
    pub(super) fn invocation(&mut self) -> InputId {
        self.program.interface.builtin_word(Builtin::SubgroupInvocationId, "subgroup_invocation_id")
    }

    /// Whether an expression is made of constants alone.
    pub(super) fn is_constant(&self, arena: &Arena<Expression>, expr: Handle<Expression>) -> bool {
        match arena[expr] {
            Expression::Literal(_) | Expression::Constant(_) | Expression::ZeroValue(_) | Expression::Override(_) => true,
            Expression::Compose { ref components, .. } => components.iter().all(|component| self.is_constant(arena, *component)),
            Expression::Splat { value, .. } => self.is_constant(arena, value),
            _ => false,
        }
    }

    fn type_of(&self, place: Place<'a>, expr: Handle<Expression>) -> &'a TypeInner {
        match place {
            Place::Module => self.info[expr].inner_with(&self.module.types),
            Place::Function(_, info) => info[expr].ty.inner_with(&self.module.types),
        }
    }

    /// The numbers of a constant expression, where naga folded it evaluated again.
    pub(super) fn constant(&mut self, place: Place<'a>, expr: Handle<Expression>) -> Result<Vec<u64>> {
        let module = self.module;
        let arena = match place {
            Place::Module => &module.global_expressions,
            Place::Function(arena, _) => arena,
        };
        let inner = self.type_of(place, expr);
        let span = arena.get_span(expr);
        let same_span = |part: &Handle<Expression>| arena.get_span(*part) == span;
        match arena[expr] {
            Expression::Literal(literal) => self.literal(arena, expr, literal),
            Expression::ZeroValue(_) => {
                let count = self.types.leaves(inner)?.len();
                Ok(vec![0; count])
            }
            Expression::Constant(constant) => self.constant(Place::Module, module.constants[constant].init),
            Expression::Override(handle) => match (self.overrides.get(&handle), &module.overrides[handle].name) {
                (Some((_, bits)), _) => Ok(vec![*bits]),
                (None, Some(name)) => unsupported(format!("the override `{name}`, which is given no value")),
                (None, None) => unsupported("an expression of overrides that are given no value"),
            },
            Expression::Compose { ref components, .. } => {
                if components.iter().any(same_span)
                    && let Some(bits) = self.folded(span, inner)?
                {
                    return Ok(bits);
                }
                let mut bits = Vec::new();
                for component in components {
                    bits.extend(self.constant(place, *component)?);
                    self.spend(1)?;
                }
                Ok(bits)
            }
            Expression::Splat { value, size } => {
                if same_span(&value)
                    && let Some(bits) = self.folded(span, inner)?
                {
                    return Ok(bits);
                }
                Ok(self.constant(place, value)?.repeat(size as usize))
            }
            _ => match self.folded(span, inner)? {
                Some(bits) => Ok(bits),
                None => unsupported("an initial value that is no constant expression"),
            },
        }
    }

    fn folded(&self, span: Span, inner: &TypeInner) -> Result<Option<Vec<u64>>> {
        let types: Vec<ScalarType> = self.types.leaves(inner)?.iter().map(|leaf| leaf.scalar).collect();
        Ok(span.to_range().filter(|span| !self.folder.is_literal(span)).and_then(|span| self.folder.evaluate(&span, &types)))
    }

    fn literal(&mut self, arena: &Arena<Expression>, expr: Handle<Expression>, literal: Literal) -> Result<Vec<u64>> {
        let (ty, bits) = literal_bits(literal)?;
        let span = arena.get_span(expr);
        let Some(range) = span.to_range().filter(|range| !self.folder.is_literal(range)) else { return Ok(vec![bits]) };
        // A component of a folded vector has the vector's span.
        let of_whole = || {
            let (_, whole) = arena
                .iter()
                .filter(|(whole, _)| arena.get_span(*whole) == span)
                .find(|(_, whole)| matches!(whole, Expression::Compose { components, .. } if components.contains(&expr)))?;
            let Expression::Compose { components, .. } = whole else { return None };
            let at = components.iter().position(|component| *component == expr)?;
            self.folder.evaluate(&range, &vec![ty; components.len()])?.get(at).copied()
        };
        let ours = self.folder.evaluate(&range, &[ty]).and_then(|bits| bits.first().copied()).or_else(of_whole);
        let line = self.line_starts.partition_point(|at| *at <= range.start);
        match ours {
            Some(ours) if agree(ty, ours, bits) => Ok(vec![ours]),
            Some(ours) => {
                self.program.notes.push(format!("line {line}: the constant expression is {ours:#x}, where naga has {bits:#x}"));
                Ok(vec![ours])
            }
            None => {
                // Literals of naga's own making, such as the false of `&&`, are no floats.
                if ty.kind == Kind::Float && self.folder.calls(&range) {
                    self.program.notes.push(format!("line {line}: the constant expression is left as naga evaluates it"));
                }
                Ok(vec![bits])
            }
        }
    }
}

/// Whether two values of a constant expression are near enough to be the same one, rounded otherwise.
fn agree(ty: ScalarType, ours: u64, theirs: u64) -> bool {
    let float = |bits: u64| match ty.width {
        Width::W16 => f64::from(f32::from_bits(gpuproof_number::float16::to_f32(bits as u16))),
        Width::W64 => f64::from_bits(bits),
        _ => f64::from(f32::from_bits(bits as u32)),
    };
    if ty.kind != Kind::Float {
        return ours == theirs;
    }
    let (x, y) = (float(ours), float(theirs));
    ours == theirs || (x - y).abs() <= 1e-3 * x.abs().max(y.abs()).max(1e-3)
}

fn literal_bits(literal: Literal) -> Result<(ScalarType, u64)> {
    let (kind, width, bits) = match literal {
        Literal::F64(v) => (Kind::Float, Width::W64, v.to_bits()),
        Literal::F32(v) => (Kind::Float, Width::W32, u64::from(v.to_bits())),
        Literal::F16(v) => (Kind::Float, Width::W16, u64::from(v.to_bits())),
        Literal::U16(v) => (Kind::Uint, Width::W16, u64::from(v)),
        Literal::I16(v) => (Kind::Sint, Width::W16, u64::from(v as u16)),
        Literal::U32(v) => (Kind::Uint, Width::W32, u64::from(v)),
        Literal::I32(v) => (Kind::Sint, Width::W32, u64::from(v as u32)),
        Literal::U64(v) => (Kind::Uint, Width::W64, v),
        Literal::I64(v) => (Kind::Sint, Width::W64, v as u64),
        Literal::Bool(v) => (Kind::Bool, Width::W1, u64::from(v)),
        Literal::AbstractInt(_) | Literal::AbstractFloat(_) => return fault("an abstract number after validation"),
    };
    Ok((ScalarType { kind, width }, bits))
}
