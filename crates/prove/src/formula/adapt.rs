//! Gives the program of formulas the rules and the interface of the program that they explain.
//!
//! Formulas are WGSL by their form, and mean what the original's language makes of the same operations: whether denormals are flushed, which operand of a
//! minimum NaN leaves, what an access out of range gives.

use super::FormulaError;
use super::stand_in::{PassedInputs, passed_inputs};
use super::vocabulary::Vocabulary;
use super::wrap::Assigned;
use gpuproof_program::{
    AtomicOp, Attrs, Bounds, Choice, Denormals, Detail, Dialect, Dimension, Division, Field, FunctionId, InputId, Instruction,
    Node, Op, Order, OutputId, Program, Range, Region, ResourceId, Rounding, Rules, SamplerId, Shape, SharedId, Slot, Target,
    Value, Width,
};
use gpuproof_write::address::{Definitions, limit};
use std::collections::HashMap;

/// The formulas' program as one of the original's language, with the original's inputs, outputs and resources.
///
/// # Errors
/// When it binds what the original does not have.
pub(crate) fn adapt(
    formulas: Program,
    original: &Program,
    vocabulary: &Vocabulary,
    assigned: &Assigned,
) -> Result<Program, FormulaError> {
    let places = Places::of(&formulas, original, vocabulary)?;
    let mut arrays = formulas.arrays.clone();
    let direct3d = original.dialect == Dialect::D3D11;
    if direct3d {
        for array in arrays.iter_mut().filter(|array| !array.constant && array.initial.iter().all(|bits| *bits == 0)) {
            array.initial.clear();
        }
    }
    let constant = arrays.iter().map(|array| array.constant).collect();
    let passed = passed_inputs(&formulas);
    let mut functions = Vec::with_capacity(formulas.functions.len());
    for (at, function) in formulas.functions.iter().enumerate() {
        let mut made = function.clone();
        let mut adapter = Adapter {
            original,
            vocabulary,
            assigned,
            places: &places,
            constant: &constant,
            definitions: Definitions::of(function),
            values: function.values.clone(),
            direct3d,
            formulas: &formulas,
            function: FunctionId(at as u32),
            passed: &passed,
            reads: HashMap::new(),
            roots: HashMap::new(),
        };
        made.body = adapter.region(&function.body)?;
        made.values = adapter.values;
        functions.push(made);
    }
    let adapted = Program {
        dialect: original.dialect,
        interface: original.interface.clone(),
        shared: original.shared.clone(),
        arrays,
        functions,
        ..formulas
    };
    gpuproof_program::validate(&adapted)
        .map_err(|error| FormulaError::new(0, format!("the formulas do not fit the program: {error}")))?;
    Ok(adapted)
}

/// What the formulas' inputs, outputs and resources are in the original.
pub(super) struct Places {
    pub(super) inputs: Vec<InputId>,
    /// The variable of the vocabulary; none for what nothing stands for.
    outputs: Vec<Option<usize>>,
    pub(super) resources: Vec<Bound>,
    pub(super) samplers: Vec<SamplerId>,
    shared: Vec<SharedId>,
}

#[derive(Clone, Copy)]
pub(super) enum Bound {
    Resource(ResourceId),
    Counter(ResourceId),
}

impl Places {
    fn of(formulas: &Program, original: &Program, vocabulary: &Vocabulary) -> Result<Places, FormulaError> {
        let unknown = |what: &str, name: &str| FormulaError::new(0, format!("the {what} {name} is none of the program's"));
        let interface = &formulas.interface;
        let mut inputs = Vec::new();
        for variable in &interface.inputs {
            let by_name = vocabulary.inputs.iter().position(|word| word.ident == variable.name);
            let at = by_name.ok_or_else(|| unknown("input", &variable.name))?;
            inputs.push(InputId(at as u32));
        }
        let outputs =
            interface.outputs.iter().map(|variable| vocabulary.outputs.iter().position(|word| word.ident == variable.name));
        let mut resources = Vec::new();
        for resource in &interface.resources {
            let bound = match resource.slot {
                Slot::Binding { group: 0 | 2, binding } if (binding as usize) < original.interface.resources.len() => {
                    Bound::Resource(ResourceId(binding))
                }
                Slot::Binding { group: 3, binding } if (binding as usize) < original.interface.resources.len() => {
                    Bound::Counter(ResourceId(binding))
                }
                _ => return Err(unknown("resource", &resource.name)),
            };
            resources.push(bound);
        }
        let mut samplers = Vec::new();
        for sampler in &interface.samplers {
            match sampler.slot {
                Slot::Binding { group: 1, binding } if (binding as usize) < original.interface.samplers.len() => {
                    samplers.push(SamplerId(binding));
                }
                _ => return Err(unknown("sampler", &sampler.name)),
            }
        }
        let mut shared = Vec::new();
        for memory in &formulas.shared {
            let at = vocabulary.shared.iter().position(|word| word.ident == memory.name);
            shared.push(SharedId(at.ok_or_else(|| unknown("group-shared memory", &memory.name))? as u32));
        }
        Ok(Places { inputs, outputs: outputs.collect(), resources, samplers, shared })
    }
}

pub(super) struct Adapter<'a> {
    pub(super) original: &'a Program,
    pub(super) vocabulary: &'a Vocabulary,
    assigned: &'a Assigned,
    pub(super) places: &'a Places,
    /// Which of the formulas' arrays are constant.
    constant: &'a Vec<bool>,
    pub(super) definitions: Definitions<'a>,
    values: Vec<Width>,
    direct3d: bool,
    /// What is adapted, and which of its functions.
    pub(super) formulas: &'a Program,
    pub(super) function: FunctionId,
    pub(super) passed: &'a PassedInputs,
    /// The texture read that gave each number, as it was adapted.
    pub(super) reads: HashMap<Value, Instruction>,
    /// The reciprocal of each length that a `normalize` of the formulas divides by.
    roots: HashMap<Value, Value>,
}

impl Adapter<'_> {
    fn region(&mut self, region: &Region) -> Result<Region, FormulaError> {
        let mut made = Region::with_capacity(region.len());
        for node in region {
            let mut node = node.clone();
            match &mut node {
                Node::Op(instruction) => {
                    let instruction = instruction.clone();
                    self.instruction(instruction, &mut made)?;
                    continue;
                }
                Node::Block { body, .. } | Node::Loop { body, .. } => *body = self.region(body)?,
                Node::If { then, otherwise, .. } => {
                    *then = self.region(then)?;
                    *otherwise = self.region(otherwise)?;
                }
                Node::Switch { arms, .. } => {
                    for arm in arms {
                        arm.body = self.region(&arm.body)?;
                    }
                }
                Node::Br { .. } | Node::Return { .. } | Node::Unreachable => {}
            }
            made.push(node);
        }
        Ok(made)
    }

    pub(super) fn fresh(&mut self, width: Width) -> Value {
        self.values.push(width);
        Value(self.values.len() as u32 - 1)
    }

    /// Appends an operation of words.
    pub(super) fn op(&mut self, made: &mut Region, like: &Instruction, op: Op, args: &[Value]) -> Value {
        let width = if matches!(op, Op::ULt | Op::INe) { Width::W1 } else { Width::W32 };
        let result = self.fresh(width);
        let attrs = Attrs::rules(self.rules(op, Target::None, Width::W32, width));
        made.push(Node::Op(Instruction { op, attrs, args: args.to_vec(), results: vec![result], origin: like.origin }));
        result
    }

    pub(super) fn word(&mut self, made: &mut Region, like: &Instruction, bits: u32) -> Value {
        let result = self.fresh(Width::W32);
        let attrs = Attrs::target(Target::Bits(bits.into()));
        made.push(Node::Op(Instruction { op: Op::Const, attrs, args: Vec::new(), results: vec![result], origin: like.origin }));
        result
    }

    /// The choices that the original's language makes for an operation of this width.
    pub(super) fn rules(&self, op: Op, target: Target, width: Width, result: Width) -> Rules {
        let mut rules = Rules::default();
        for choice in op.choices() {
            match choice {
                Choice::Denormals => {
                    let halves = width == Width::W16 || (op == Op::FConvert && result == Width::W16);
                    let flushed = !halves && (width == Width::W32 || op == Op::FConvert);
                    rules.denormals = if flushed { Denormals::Flush } else { Denormals::Keep };
                }
                Choice::Order => rules.order = Order::NanLoses,
                Choice::Rounding if op == Op::FConvert && result == Width::W16 => rules.rounding = Rounding::TowardZero,
                Choice::Rounding => rules.rounding = Rounding::NearestEven,
                Choice::Division => rules.division = Division::AllOnes,
                Choice::Range => rules.range = Range::Clamp,
                Choice::Field => rules.field = Field::LowBits,
                Choice::Bounds => {
                    rules.bounds = match target {
                        Target::Array(id) if self.constant.get(id.index()) == Some(&true) => Bounds::Defined,
                        Target::Array(_) | Target::Shared(_) => Bounds::Undefined,
                        _ => Bounds::Defined,
                    }
                }
                Choice::Refactor => {}
            }
        }
        rules
    }

    fn instruction(&mut self, mut instruction: Instruction, made: &mut Region) -> Result<(), FormulaError> {
        if self.stand_in(&instruction, made)? {
            return Ok(());
        }
        if self.direct3d {
            let width = instruction.args.first().map_or(Width::W32, |arg| self.values[arg.index()]);
            let result = instruction.results.first().map_or(Width::W32, |result| self.values[result.index()]);
            if instruction.op == Op::FMad && width == Width::W64 {
                instruction.op = Op::FFma;
            }
            self.as_hlsl(&mut instruction, made);
            if self.saturates(&instruction) {
                instruction.op = Op::FSaturate;
                let inner = self.definitions.get(instruction.args[0]);
                instruction.args = inner.map_or_else(Vec::new, |inner| vec![inner.args[0]]);
            }
            instruction.attrs.rules = self.rules(instruction.op, instruction.attrs.target, width, result);
        }
        match instruction.attrs.target {
            Target::Input(id, component) => return self.input(instruction, (id, component), made),
            Target::Output(id, component) => {
                let Some(word) = self.places.outputs[id.index()] else { return Ok(()) };
                let known: Option<OutputId> = self.vocabulary.outputs[word].components[usize::from(component)];
                let Some(id) = known.filter(|_| self.assigned.outputs.contains_key(&(word, component))) else { return Ok(()) };
                instruction.attrs.target = Target::Output(id, component);
            }
            Target::Resource(id) => return self.resource(instruction, id, made),
            Target::Sampled(own, sampler) => {
                let Bound::Resource(id) = self.bound(own) else {
                    return Err(FormulaError::new(0, "a counter is sampled"));
                };
                instruction.attrs.target = Target::Sampled(id, self.places.samplers[sampler.index()]);
                self.unflattened(&mut instruction, id, self.is_flat(own, id), made);
            }
            Target::Shared(id) => {
                let id = self.places.shared[id.index()];
                instruction.attrs.target = Target::Shared(id);
                let (shared, stride) = (&self.original.shared[id.index()], self.original.shared[id.index()].stride);
                if stride > 4 && self.direct3d {
                    let count = shared.bytes / stride;
                    instruction.args[0] = self.shared_address(&instruction, stride, count, made);
                }
            }
            Target::Array(_) if self.direct3d => instruction.args[0] = self.held_address(&instruction, 0, made),
            _ => {}
        }
        self.plain_access(&mut instruction, made);
        self.note_read(&instruction);
        made.push(Node::Op(instruction));
        Ok(())
    }

    /// HLSL's normalize(v) is v * rsqrt(dot(v, v)), and its lerp(x, y, s) is s * (y - x) + x, where WGSL's normalize and mix are others.
    fn as_hlsl(&mut self, instruction: &mut Instruction, made: &mut Region) {
        let place = |of: &Instruction| (of.origin.line, of.origin.column);
        let (here, definitions) = (place(instruction), &self.definitions);
        let part = |value: Option<&Value>, op: Op| definitions.op(*value?, op).filter(|found| place(found) == here);
        if instruction.results.first().is_none_or(|result| self.values[result.index()] != Width::W32) {
            return;
        }
        match instruction.op {
            Op::FDiv => {
                let Some(length) = part(instruction.args.get(1), Op::FSqrt) else { return };
                let known = self.roots.get(&length.results[0]).copied();
                let square = length.args[0];
                let root = known.unwrap_or_else(|| self.op(made, instruction, Op::FRsqrt, &[square]));
                self.roots.insert(instruction.args[1], root);
                instruction.op = Op::FMul;
                instruction.args[1] = root;
            }
            Op::FAdd => {
                let (of_x, of_y) = (part(instruction.args.first(), Op::FMul), part(instruction.args.get(1), Op::FMul));
                let (Some(of_x), Some(of_y)) = (of_x, of_y) else { return };
                let (x, [y, s]) = (of_x.args[0], [of_y.args[0], of_y.args[1]]);
                if part(of_x.args.get(1), Op::FSub).is_some_and(|rest| rest.args[1] == s) {
                    let difference = self.op(made, instruction, Op::FSub, &[y, x]);
                    instruction.op = Op::FMad;
                    instruction.args = vec![s, difference, x];
                }
            }
            _ => {}
        }
    }

    /// Whether an operation is the second of `saturate(x)` or `clamp(x, 0, 1)`, which are min(max(x, 0), 1).
    fn saturates(&self, instruction: &Instruction) -> bool {
        let constant = |value: Value, wanted: f64| {
            let bits = self.definitions.constant(value);
            bits.is_some_and(|bits| match self.values[value.index()] {
                Width::W64 => bits == wanted.to_bits(),
                _ => bits == u64::from((wanted as f32).to_bits()),
            })
        };
        let inner = instruction.args.first().and_then(|arg| self.definitions.op(*arg, Op::FMax));
        instruction.op == Op::FMin
            && inner.is_some_and(|inner| {
                let (a, b) = (inner.origin, instruction.origin);
                (a.line, a.column) == (b.line, b.column) && constant(inner.args[1], 0.0) && constant(instruction.args[1], 1.0)
            })
    }

    fn input(
        &mut self,
        mut instruction: Instruction,
        (id, component): (InputId, u8),
        made: &mut Region,
    ) -> Result<(), FormulaError> {
        let id = self.places.inputs[id.index()];
        let variable = self.original.interface.input(id);
        instruction.attrs.target = Target::Input(id, component);
        if variable.mask >> component & 1 == 0 {
            // A component that the original's register lacks.
            instruction.op = Op::Undef;
            instruction.attrs.target = Target::None;
            made.push(Node::Op(instruction));
            return Ok(());
        }
        let (held, wanted) = (variable.width, self.values[instruction.results[0].index()]);
        if held == Width::W32 && wanted == Width::W1 {
            let truth = instruction.results.clone();
            let mask = self.fresh(Width::W32);
            instruction.results = vec![mask];
            let origin = instruction.origin;
            made.push(Node::Op(instruction.clone()));
            let zero = self.word(made, &instruction, 0);
            let attrs = Attrs::default();
            made.push(Node::Op(Instruction { op: Op::INe, attrs, args: vec![mask, zero], results: truth, origin }));
            return Ok(());
        }
        made.push(Node::Op(instruction));
        Ok(())
    }

    fn resource(&mut self, mut instruction: Instruction, own: ResourceId, made: &mut Region) -> Result<(), FormulaError> {
        let id = match self.bound(own) {
            Bound::Resource(id) => id,
            Bound::Counter(id) => return self.counter(instruction, id, made),
        };
        instruction.attrs.target = Target::Resource(id);
        self.unflattened(&mut instruction, id, self.is_flat(own, id), made);
        let shape = self.original.interface.resource(id).shape;
        let structured = match instruction.op {
            Op::BufferLoad => Some(Op::StructuredLoad),
            Op::BufferStore => Some(Op::StructuredStore),
            Op::BufferAtomic => Some(Op::StructuredAtomic),
            _ => None,
        };
        match (shape, structured) {
            (Shape::Structured { stride }, Some(op)) => {
                let (index, offset) = self.structure(&instruction, stride, made);
                instruction.op = op;
                instruction.args.splice(1..2, [index, offset]);
            }
            (Shape::ConstantBuffer { .. }, Some(_)) if self.direct3d => {
                instruction.args[1] = self.held_address(&instruction, 1, made);
            }
            (Shape::Buffer { .. }, Some(_)) if self.direct3d => instruction.args[1] = self.bytes(instruction.args[1]),
            (Shape::Texture(_), Some(_)) => self.texels(&mut instruction, made),
            _ => {}
        }
        if instruction.op == Op::BufferSize
            && let Shape::Structured { stride } = shape
        {
            // What WGSL divides by the stride again.
            let bytes = instruction.results.clone();
            let count = self.fresh(Width::W32);
            instruction.results = vec![count];
            made.push(Node::Op(instruction.clone()));
            let stride = self.word(made, &instruction, stride);
            let (op, args) = (Op::IMul, vec![count, stride]);
            made.push(Node::Op(Instruction { op, attrs: Attrs::default(), args, results: bytes, ..instruction }));
            return Ok(());
        }
        if let (Op::TextureSize, Shape::Texture(texture)) = (instruction.op, shape)
            && texture.dimension == Dimension::Buffer
        {
            let zero = self.word(made, &instruction, 0);
            for unused in instruction.results.split_off(1) {
                let (op, args, results) = (Op::IAdd, vec![zero, zero], vec![unused]);
                let origin = instruction.origin;
                made.push(Node::Op(Instruction { op, attrs: Attrs::default(), args, results, origin }));
            }
            instruction.op = Op::BufferSize;
            instruction.args.truncate(1);
        }
        self.plain_access(&mut instruction, made);
        self.note_read(&instruction);
        made.push(Node::Op(instruction));
        Ok(())
    }

    /// An access to an array of words that stands for a typed buffer.
    fn texels(&mut self, instruction: &mut Instruction, made: &mut Region) {
        let address = self.definitions.address(instruction.args[1]);
        let index = match address.index {
            Some(index) if address.scale == 4 && address.offset == 0 => index,
            Some(index) => index,
            None => self.word(made, instruction, address.offset / 4),
        };
        let zero = self.word(made, instruction, 0);
        instruction.args.splice(1..2, [index, zero, zero]);
        instruction.op = Op::TexelAtomic;
        let (load, store) = (Detail::Atomic(AtomicOp::Load), Detail::Atomic(AtomicOp::Store));
        if instruction.attrs.detail == load {
            instruction.op = Op::TexelLoad;
            instruction.args.truncate(4);
            instruction.args.push(zero);
            let others: Vec<Value> = (0..4).map(|_| self.fresh(Width::W32)).collect();
            instruction.results.extend(others);
        } else if instruction.attrs.detail == store {
            instruction.op = Op::TexelStore;
            instruction.args.truncate(5);
            instruction.args.extend([zero; 3]);
            self.unused(instruction, made);
        }
        if instruction.op != Op::TexelAtomic {
            instruction.attrs.detail = Detail::None;
        }
    }

    /// Leaves the results of an operation that has none any more to something else: each value is defined somewhere.
    fn unused(&self, instruction: &mut Instruction, made: &mut Region) {
        for result in std::mem::take(&mut instruction.results) {
            let (attrs, args, results) = (Attrs::default(), Vec::new(), vec![result]);
            made.push(Node::Op(Instruction { op: Op::Undef, attrs, args, results, origin: instruction.origin }));
        }
    }

    /// Loads and stores of memory that atomics change are plain ones in Direct3D.
    fn plain_access(&mut self, instruction: &mut Instruction, made: &mut Region) {
        let (load, store) = match instruction.op {
            Op::BufferAtomic => (Op::BufferLoad, Op::BufferStore),
            Op::StructuredAtomic => (Op::StructuredLoad, Op::StructuredStore),
            Op::SharedAtomic => (Op::SharedLoad, Op::SharedStore),
            _ => return,
        };
        let count = instruction.args.len();
        match instruction.attrs.detail {
            _ if !self.direct3d => return,
            Detail::Atomic(AtomicOp::Load) => {
                instruction.op = load;
                instruction.args.truncate(count - 2);
            }
            Detail::Atomic(AtomicOp::Store) => {
                instruction.op = store;
                instruction.args.truncate(count - 1);
                self.unused(instruction, made);
            }
            _ => return,
        }
        instruction.attrs.detail = Detail::None;
    }

    /// A counter: `atomicAdd(&counter, 1u)` gives the old value, `atomicSub(&counter, 1u)` too, where the original's operation gives the new one.
    fn counter(&mut self, mut instruction: Instruction, id: ResourceId, made: &mut Region) -> Result<(), FormulaError> {
        let one = instruction.args.get(2).is_some_and(|value| self.definitions.constant(*value) == Some(1));
        let down = match instruction.attrs.detail {
            Detail::Atomic(AtomicOp::Add) if one => false,
            Detail::Atomic(AtomicOp::Sub) if one => true,
            _ => return Err(FormulaError::new(0, "a counter goes up or down by one: atomicAdd or atomicSub of 1u")),
        };
        instruction.attrs = Attrs::target(Target::Resource(id));
        instruction.args.truncate(1);
        instruction.op = if down { Op::CounterConsume } else { Op::CounterAlloc };
        if !down {
            made.push(Node::Op(instruction));
            return Ok(());
        }
        let old = instruction.results.clone();
        let new = self.fresh(Width::W32);
        instruction.results = vec![new];
        made.push(Node::Op(instruction.clone()));
        let one = self.word(made, &instruction, 1);
        made.push(Node::Op(Instruction {
            op: Op::IAdd,
            attrs: Attrs::default(),
            args: vec![new, one],
            results: old,
            ..instruction
        }));
        Ok(())
    }

    /// An address whose index is held below where it would wrap.
    fn held_address(&mut self, instruction: &Instruction, at: usize, made: &mut Region) -> Value {
        let address = self.definitions.address(instruction.args[at]);
        let Some(index) = address.index.filter(|_| address.scale > 1) else { return instruction.args[at] };
        let most = self.word(made, instruction, limit(address.scale));
        let index = self.op(made, instruction, Op::UMin, &[index, most]);
        self.scaled(made, instruction, index, address.scale, address.offset)
    }

    fn scaled(&mut self, made: &mut Region, like: &Instruction, index: Value, scale: u32, offset: u32) -> Value {
        let scale = self.word(made, like, scale);
        let start = self.op(made, like, Op::IMul, &[index, scale]);
        let offset = self.word(made, like, offset);
        self.op(made, like, Op::IAdd, &[start, offset])
    }

    /// `index * stride + offset` in group-shared memory, past its end for an index past the last structure.
    fn shared_address(&mut self, instruction: &Instruction, stride: u32, count: u32, made: &mut Region) -> Value {
        let value = instruction.args[0];
        let address = self.definitions.address(value);
        let sum = self.definitions.op(value, Op::IAdd).map(|sum| (self.definitions.address(sum.args[0]), sum.args[1]));
        let (index, offset) = match (address.index, sum) {
            (Some(index), _) if address.scale == stride => (index, self.word(made, instruction, address.offset)),
            (_, Some((start, offset))) if start.scale == stride && start.offset == 0 => {
                (start.index.unwrap_or(value), self.bytes(offset))
            }
            // A structure that a constant chooses.
            (Some(_), Some((_, start)))
                if self.definitions.constant(start).is_some_and(|start| start % u64::from(stride) == 0) =>
            {
                let offset = self.definitions.op(value, Op::IAdd).map_or(value, |sum| self.bytes(sum.args[0]));
                return self.op(made, instruction, Op::IAdd, &[offset, start]);
            }
            (Some(_), None) => return self.bytes(value),
            _ => return value,
        };
        let (count, outside) = (self.word(made, instruction, count), self.word(made, instruction, 0x8000_0000));
        let inside = self.op(made, instruction, Op::ULt, &[index, count]);
        let scale = self.word(made, instruction, stride);
        let start = self.op(made, instruction, Op::IMul, &[index, scale]);
        let place = self.op(made, instruction, Op::IAdd, &[start, offset]);
        self.op(made, instruction, Op::Select, &[inside, place, outside])
    }

    /// The structure and the offset in it of a byte address that WGSL computes as `index * stride + offset`.
    fn structure(&mut self, instruction: &Instruction, stride: u32, made: &mut Region) -> (Value, Value) {
        let value = instruction.args[1];
        let address = self.definitions.address(value);
        match address.index {
            None => (
                self.word(made, instruction, address.offset / stride.max(1)),
                self.word(made, instruction, address.offset % stride.max(1)),
            ),
            Some(index) if address.scale == stride => (index, self.word(made, instruction, address.offset)),
            Some(_) => {
                let sum = self.definitions.op(value, Op::IAdd);
                let first = sum.map(|sum| (self.definitions.address(sum.args[0]), sum.args[1]));
                if let Some((first, offset)) = first.filter(|(first, _)| first.scale == stride && first.offset == 0) {
                    let index = first.index.unwrap_or(value);
                    return (index, self.bytes(offset));
                }
                // A structure that a constant chooses, at an offset that is computed.
                let stride = self.word(made, instruction, stride);
                (self.op(made, instruction, Op::UDiv, &[value, stride]), self.op(made, instruction, Op::URem, &[value, stride]))
            }
        }
    }

    /// `(bytes >> 2) * 4` as the bytes: an offset that is no multiple of 4 is the original's to judge.
    fn bytes(&self, value: Value) -> Value {
        let product =
            self.definitions.op(value, Op::IMul).filter(|product| self.definitions.constant(product.args[1]) == Some(4));
        let shift = product.and_then(|product| self.definitions.op(product.args[0], Op::UShr));
        shift.filter(|shift| self.definitions.constant(shift.args[1]) == Some(2)).map_or(value, |shift| shift.args[0])
    }
}
