//! What a program does with each word that it reads: whether it is a float, a count, an index, and how large an index may be.

use super::literals::{self, Literals};
use gpuproof_program::{Builtin, Detail, Dimension, Scope};
use gpuproof_program::{
    Function, FunctionId, InputId, Label, Node, Op, Program, RegisterClass, ResourceId, SamplingOperands, Shape, Slot, Target,
    Value, Width,
};
use gpuproof_run::machine::scalar::Pure;
use std::collections::{HashMap, HashSet};

/// Ways to use a word, as a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    flags: u16,
    /// An index has to be below this.
    pub bound: u32,
    /// Numbers that it is compared with.
    pub literals: Literals,
}

impl Default for Use {
    fn default() -> Use {
        Use::of(0)
    }
}

impl Use {
    /// An operand of float arithmetic.
    pub const FLOAT: u16 = 1;
    /// Compared as an integer inside a loop.
    pub const COUNT: u16 = 2;
    /// Compared as an integer outside loops.
    pub const LIMIT: u16 = 4;
    /// Part of an address or coordinate.
    pub const INDEX: u16 = 8;
    /// An operand of integer arithmetic.
    pub const INTEGER: u16 = 16;
    /// An operand of bitwise operations.
    pub const BITS: u16 = 32;
    /// Compared with zero alone.
    pub const TRUTH: u16 = 64;

    /// One way.
    pub const fn of(flags: u16) -> Use {
        Use { flags, bound: u32::MAX, literals: Literals::NONE }
    }

    fn index(bound: u32) -> Use {
        Use { bound, ..Use::of(Use::INDEX) }
    }

    /// Whether any of these ways is among them.
    pub fn has(self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Both together.
    pub fn with(self, other: Use) -> Use {
        Use { flags: self.flags | other.flags, bound: self.bound.min(other.bound), literals: self.literals.with(other.literals) }
    }

    /// This with other numbers.
    pub fn comparing(self, literals: Literals) -> Use {
        Use { literals, ..self }
    }

    fn bounded(self, bound: impl Fn(u32) -> u32) -> Use {
        Use { bound: if self.bound == u32::MAX { u32::MAX } else { bound(self.bound) }, ..self }
    }
}

/// How a program uses what it reads.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// For each input and component.
    pub inputs: Vec<[Use; 4]>,
    /// For each resource the words at known offsets (in a structure, for structured buffers).
    pub words: Vec<HashMap<u32, Use>>,
    /// For each resource all words together.
    pub any: Vec<Use>,
    /// For each resource the words at offsets that are known only when it runs.
    pub dynamic: Vec<Use>,
    /// For each resource whether it is sampled, addressed by texel, or changed by atomics.
    pub textures: Vec<TextureUse>,
    /// Whether components y and z of thread and group ids are read.
    pub grid: [bool; 3],
    /// Whether samples are told apart: their number, the one that a lane shades, the covered ones.
    pub samples: bool,
}

/// Whether a program looks at other lanes of its wave, or at the wave's size.
pub fn looks_at_waves(program: &Program) -> bool {
    let of_wave = |builtin| {
        matches!(
            builtin,
            Some(Builtin::SubgroupSize | Builtin::SubgroupInvocationId | Builtin::SubgroupId | Builtin::NumSubgroups)
        )
    };
    let mut looks = program.interface.inputs.iter().any(|input| of_wave(input.builtin));
    for function in &program.functions {
        gpuproof_program::walk(&function.body, &mut |node| {
            looks |= matches!(node, gpuproof_program::Node::Op(instruction) if instruction.op.row().scope == Scope::Wave);
        });
    }
    looks
}

/// Whether a program tells samples apart.
fn looks_at_samples(program: &Program) -> bool {
    let of_sample = |builtin| matches!(builtin, Some(Builtin::SampleIndex | Builtin::SampleMask));
    let mut looks = program.interface.inputs.iter().any(|input| of_sample(input.builtin));
    for function in &program.functions {
        gpuproof_program::walk(&function.body, &mut |node| {
            looks |= matches!(node, gpuproof_program::Node::Op(instruction) if instruction.op == Op::RasterSamples);
        });
    }
    looks
}

/// How a texture is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureUse {
    /// By a sampler.
    pub sampled: bool,
    /// With a comparison.
    pub compared: bool,
    /// By the coordinates of texels.
    pub texels: bool,
    /// Read as well as written by texel.
    pub loaded: bool,
    /// Written.
    pub stored: bool,
    /// By atomics.
    pub atomics: bool,
    /// Its size is asked for.
    pub sized: bool,
    /// Components other than the first are looked at.
    pub channels: bool,
    /// It is asked whether all that was read was mapped.
    pub status: bool,
}

/// Elements that buffers have at least, so that indices can hit.
pub const ELEMENTS: u32 = 256;
/// Texels that textures addressed by texel have at least along each axis.
pub const TEXELS: u32 = 16;
/// Elements of a binding array without end.
pub const ARRAY_ELEMENTS: u32 = 4;

/// Finds the uses of everything that a program reads.
pub fn uses(program: &Program) -> Uses {
    let interface = &program.interface;
    let mut analysis = Analysis {
        program,
        uses: program.functions.iter().map(|function| vec![Use::default(); function.values.len()]).collect(),
        returns: program.functions.iter().map(|function| vec![Use::default(); function.results.len()]).collect(),
        constants: program.functions.iter().map(constants).collect(),
        strides: program.functions.iter().map(|function| strides(program, function)).collect(),
        shared: vec![Use::default(); program.shared.len()],
        arrays: vec![Use::default(); program.arrays.len()],
        changed: true,
    };
    for (at, function) in program.functions.iter().enumerate() {
        let defined = crate::facts::definitions(function);
        for select in defined.values() {
            if let Some(chosen) = crate::flow::chosen_buffer(program, &defined, select) {
                analysis.add(at, chosen.number, Use::index(constant_buffers(program)));
            }
        }
    }
    // Flags only grow and bounds only shrink by halves and constants, so few rounds suffice; what is left out after them costs quality alone.
    for _ in 0..16 {
        if !std::mem::take(&mut analysis.changed) {
            break;
        }
        for at in (0..program.functions.len()).rev() {
            let function = &program.functions[at];
            let mut targets = HashMap::new();
            analysis.region(FunctionId(at as u32), &function.body, 0, &mut targets);
        }
    }
    let mut found = Uses {
        inputs: vec![[Use::default(); 4]; interface.inputs.len()],
        words: vec![HashMap::new(); interface.resources.len()],
        any: vec![Use::default(); interface.resources.len()],
        dynamic: vec![Use::default(); interface.resources.len()],
        textures: vec![TextureUse::default(); interface.resources.len()],
        grid: [true, false, false],
        samples: looks_at_samples(program),
    };
    for (at, function) in program.functions.iter().enumerate() {
        let counts = crate::flow::use_counts(function);
        gpuproof_program::walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node
                // WGSL's reader takes whole vectors of which one component may be used.
                && instruction.results.first().is_none_or(|value| instruction.op != Op::Input || counts[value.index()] > 0)
            {
                analysis.gather(at, instruction, &counts, &mut found);
            }
        });
    }
    found
}

/// One more than the greatest register of a constant buffer.
fn constant_buffers(program: &Program) -> u32 {
    let number = |resource: &gpuproof_program::Resource| match resource.slot {
        Slot::Register { class: RegisterClass::B, space: 0, index } => Some(index.saturating_add(1)),
        _ => None,
    };
    program.interface.resources.iter().filter_map(number).max().unwrap_or(1)
}

/// Constants, and what is computed from nothing else by what addresses are made of.
fn constants(function: &Function) -> HashMap<Value, u64> {
    let mut found: HashMap<Value, u64> = HashMap::new();
    gpuproof_program::walk(&function.body, &mut |node| {
        let Node::Op(instruction) = node else { return };
        let bits = match (instruction.op, instruction.attrs.target) {
            (Op::Const, Target::Bits(bits)) => Some(bits),
            (Op::IAdd | Op::IMul | Op::IShl, _) => {
                let t = function.width(instruction.args[0]);
                let args: Option<Vec<u64>> = instruction.args.iter().map(|arg| found.get(arg).copied()).collect();
                args.map(|args| Pure { op: instruction.op, attrs: instruction.attrs, t, u: t }.evaluate(&args)[0])
            }
            _ => None,
        };
        if let Some(bits) = bits {
            found.insert(instruction.results[0], bits);
        }
    });
    found
}

/// Values that go on from a thread's own number, as where a group's threads share a loop: what they are compared with limits threads rather than rounds.
fn strides(program: &Program, function: &Function) -> HashSet<Value> {
    use Builtin::*;
    let of_thread = |builtin| matches!(builtin, Some(LocalInvocationId | LocalInvocationIndex | GlobalInvocationId));
    let mut found = HashSet::new();
    gpuproof_program::walk(&function.body, &mut |node| match node {
        Node::Op(instruction) => {
            let joins = match (instruction.op, instruction.attrs.target) {
                (Op::Input, Target::Input(InputId(id), _)) => of_thread(program.interface.inputs[id as usize].builtin),
                (Op::IAdd | Op::ISub | Op::IMul | Op::IShl | Op::UShr, _) => {
                    instruction.args.iter().any(|arg| found.contains(arg))
                }
                _ => false,
            };
            if joins {
                found.extend(instruction.results.iter().copied());
            }
        }
        Node::Loop { initial, params, .. } => {
            let thread: Vec<Value> =
                initial.iter().zip(params).filter(|(initial, _)| found.contains(initial)).map(|(_, param)| *param).collect();
            found.extend(thread);
        }
        _ => {}
    });
    found
}

struct Analysis<'a> {
    program: &'a Program,
    uses: Vec<Vec<Use>>,
    returns: Vec<Vec<Use>>,
    constants: Vec<HashMap<Value, u64>>,
    strides: Vec<HashSet<Value>>,
    /// What is read from group-shared memory and from arrays as an index was stored as one.
    shared: Vec<Use>,
    arrays: Vec<Use>,
    changed: bool,
}

/// Adds how a word of a lane's or a group's memory is used, and gives what that says of what is stored there: whether it is an index. Of the rest a
/// copy tells little.
fn through(memory: &mut Use, read: Use, changed: &mut bool) -> Use {
    if read.has(Use::INDEX) {
        let joined = memory.with(Use::index(read.bound));
        *changed |= joined != *memory;
        *memory = joined;
    }
    *memory
}

impl<'a> Analysis<'a> {
    fn add(&mut self, function: usize, value: Value, more: Use) {
        let slot = &mut self.uses[function][value.index()];
        let joined = slot.with(more);
        self.changed |= joined != *slot;
        *slot = joined;
    }

    fn region(&mut self, id: FunctionId, region: &'a [Node], loops: u32, targets: &mut HashMap<Label, &'a [Value]>) {
        let at = id.index();
        for node in region {
            match node {
                Node::Op(instruction) => self.instruction(at, instruction, loops),
                Node::Block { label, results, .. } | Node::If { label, results, .. } => _ = targets.insert(*label, results),
                Node::Loop { label, params, initial, .. } => {
                    targets.insert(*label, params);
                    self.pass(at, initial, params);
                }
                Node::Switch { label, selector, results, arms, .. } => {
                    targets.insert(*label, results);
                    let selectors = || arms.iter().flat_map(|arm| &arm.selectors).copied();
                    let bound = selectors().max().unwrap_or(0).saturating_add(2).max(8);
                    let literals = selectors().map(Literals::integer).fold(Literals::NONE, Literals::with);
                    self.add(at, *selector, Use::index(bound).comparing(literals));
                    for arm in arms {
                        targets.insert(arm.label, &arm.params);
                        self.pass(at, &arm.initial, &arm.params);
                    }
                }
                Node::Br { target, values } => {
                    if let Some(to) = targets.get(target).copied() {
                        self.pass(at, values, to);
                    }
                }
                Node::Return { values } => {
                    for (value, more) in values.iter().zip(self.returns[at].clone()) {
                        self.add(at, *value, more);
                    }
                }
                Node::Unreachable => {}
            }
            let inner = loops + u32::from(matches!(node, Node::Loop { .. }));
            for region in node.regions() {
                self.region(id, region, inner, targets);
            }
        }
    }

    fn pass(&mut self, function: usize, from: &[Value], to: &[Value]) {
        for (from, to) in from.iter().zip(to) {
            let more = self.uses[function][to.index()];
            self.add(function, *from, more);
        }
    }

    fn instruction(&mut self, at: usize, instruction: &'a gpuproof_program::Instruction, loops: u32) {
        let args = &instruction.args;
        let constant = |this: &Self, value: Value| this.constants[at].get(&value).map(|bits| *bits as u32);
        let result = instruction.results.first().map_or(Use::default(), |value| self.uses[at][value.index()]);
        let name = instruction.op.row().name;
        match instruction.op {
            Op::Select => {
                self.add(at, args[1], result);
                self.add(at, args[2], result);
            }
            Op::UExtend | Op::SExtend | Op::ITruncate | Op::QuadRead | Op::QuadSwap | Op::WaveReadFirst | Op::WaveReadLane => {
                self.add(at, args[0], result);
            }
            Op::SLt | Op::SLe | Op::ULt | Op::ULe => {
                let strided = args.iter().any(|arg| self.strides[at].contains(arg));
                let flag = match (loops > 0, strided) {
                    (false, _) => Use::LIMIT,
                    (true, false) => Use::COUNT,
                    (true, true) => Use::COUNT | Use::LIMIT,
                };
                for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                    let literals = constant(self, other).map_or(Literals::NONE, Literals::integer);
                    self.add(at, arg, Use::of(flag).comparing(literals));
                }
            }
            Op::IEq | Op::INe => {
                let zero = args.iter().any(|arg| constant(self, *arg) == Some(0));
                for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                    let literals = constant(self, other).filter(|_| !zero).map_or(Literals::NONE, Literals::integer);
                    self.add(at, arg, Use::of(if zero { Use::TRUTH } else { Use::INTEGER }).comparing(literals));
                }
            }
            Op::FLt | Op::FLe | Op::FEq | Op::FNe => {
                for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                    let narrow = self.program.functions[at].width(arg) == Width::W32;
                    let literals = constant(self, other).filter(|_| narrow).map_or(Literals::NONE, Literals::float);
                    self.add(at, arg, Use::of(Use::FLOAT).comparing(literals));
                }
            }
            // A count in a float is compared as a float.
            Op::SToF | Op::UToF => {
                let whole = |bits: u32| Literals::integer(f32::from_bits(bits) as i64 as u32);
                let literals = result.literals.map(|bits, float| if float { whole(bits) } else { Literals::NONE });
                self.add(at, args[0], Use::of(Use::INTEGER).comparing(literals));
            }
            Op::IAdd | Op::ISub => {
                for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                    let share = match constant(self, other) {
                        Some(other) if instruction.op == Op::ISub && arg == args[0] => {
                            result.bounded(|bound| bound.saturating_add(other))
                        }
                        Some(other) if other < result.bound => result.bounded(|bound| bound - other),
                        Some(_) => result,
                        None => result.bounded(|bound| (bound / 2).max(1)),
                    };
                    let literals = match (constant(self, other), instruction.op) {
                        (Some(other), Op::IAdd) => result.literals.integers(|sum| sum.wrapping_sub(other)),
                        (Some(other), _) if arg == args[0] => result.literals.integers(|rest| rest.wrapping_add(other)),
                        _ => Literals::NONE,
                    };
                    self.add(at, arg, share.with(Use::of(Use::INTEGER)).comparing(literals));
                }
            }
            Op::IMul => {
                for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                    let factor = constant(self, other).unwrap_or(16).max(1);
                    self.add(
                        at,
                        arg,
                        result
                            .bounded(|bound| bound.div_ceil(factor).max(1))
                            .with(Use::of(Use::INTEGER))
                            .comparing(Literals::NONE),
                    );
                }
            }
            Op::IShl => {
                let count = constant(self, args[1]).unwrap_or(4) & 31;
                self.add(
                    at,
                    args[0],
                    result
                        .bounded(|bound| bound.div_ceil(1 << count).max(1))
                        .with(Use::of(Use::INTEGER))
                        .comparing(Literals::NONE),
                );
                self.add(at, args[1], Use::of(Use::INTEGER));
            }
            Op::IAnd | Op::UMin | Op::URem => {
                // A mask below the bound makes any word a good index, and so does a limit that is known only when it runs.
                let limited = instruction.op == Op::UMin && args.iter().all(|arg| constant(self, *arg).is_none());
                // A remainder is less than what it is of.
                let most = |mask: u32| if instruction.op == Op::URem { mask.saturating_sub(1) } else { mask };
                let masks = |mask: u32| most(mask) < result.bound || mask == 0;
                let safe = limited || args.iter().any(|arg| constant(self, *arg).is_some_and(masks));
                let share = match instruction.op {
                    _ if !safe => result,
                    // What bounds a count is a count.
                    Op::UMin => Use::of(result.flags & (Use::COUNT | Use::LIMIT)),
                    _ => Use::default(),
                };
                let flag = if instruction.op == Op::IAnd { Use::BITS } else { Use::INTEGER };
                for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                    // What a mask keeps is compared; a mask whose bits are only looked for is itself a number that has them.
                    let mask = constant(self, other).filter(|_| instruction.op == Op::IAnd && result.has(Use::TRUTH));
                    let literals = result.literals.with(mask.map_or(Literals::NONE, Literals::integer));
                    self.add(at, arg, share.with(Use::of(flag)).comparing(literals));
                }
            }
            Op::UShr => {
                let count = constant(self, args[1]);
                let literals = count.map_or(Literals::NONE, |count| result.literals.integers(|word| word << (count & 31)));
                let scaled = |bound: u32| {
                    u64::from(bound)
                        .checked_shl(count.unwrap_or(0) & 31)
                        .map_or(u32::MAX, |bound| bound.min(u64::from(u32::MAX)) as u32)
                };
                let share = result.bounded(scaled);
                self.add(at, args[0], share.with(Use::of(Use::INTEGER)).comparing(literals));
                self.add(at, args[1], Use::of(Use::INTEGER));
            }
            Op::IOr | Op::IXor | Op::INot | Op::SMin | Op::SMax | Op::UMax | Op::SShr | Op::UDiv | Op::SDiv => {
                let flag = if matches!(instruction.op, Op::IOr | Op::IXor | Op::INot) { Use::BITS } else { Use::INTEGER };
                args.iter().for_each(|arg| self.add(at, *arg, result.with(Use::of(flag)).comparing(Literals::NONE)));
            }
            // An index that comes from a float bounds the float.
            Op::FToS | Op::FToU => {
                let share = if result.has(Use::INDEX) { Use::index(result.bound) } else { Use::default() };
                let float = |word: u32| Literals::float((word as i32 as f32).to_bits());
                let literals = result.literals.map(|word, is_float| if is_float { Literals::NONE } else { float(word) });
                self.add(at, args[0], share.with(Use::of(Use::FLOAT)).comparing(literals));
            }
            Op::Call => {
                if let Target::Function(callee) = instruction.attrs.target {
                    let program = self.program;
                    let inner = callee.index();
                    for (arg, param) in args.iter().zip(&program.function(callee).params) {
                        let more = self.uses[inner][param.index()];
                        self.add(at, *arg, more);
                    }
                    for (position, value) in instruction.results.iter().enumerate() {
                        let joined = self.returns[inner][position].with(self.uses[at][value.index()]);
                        self.changed |= joined != self.returns[inner][position];
                        self.returns[inner][position] = joined;
                    }
                }
            }
            Op::ArrayLoad | Op::ArrayStore => {
                if let Target::Array(array) = instruction.attrs.target {
                    self.add(at, args[0], Use::index(self.program.arrays[array.index()].length));
                    let kept = through(&mut self.arrays[array.index()], result, &mut self.changed);
                    args.iter().skip(1).for_each(|arg| self.add(at, *arg, kept));
                }
            }
            Op::SharedLoad | Op::SharedStore | Op::SharedAtomic => {
                if let Target::Shared(shared) = instruction.attrs.target {
                    self.add(at, args[0], Use::index(self.program.shared[shared.index()].bytes));
                    let kept = through(&mut self.shared[shared.index()], result, &mut self.changed);
                    // What an atomic combines with an index is as a rule a step.
                    if instruction.op == Op::SharedStore {
                        self.add(at, args[1], kept);
                    }
                }
            }
            Op::Sample | Op::Gather | Op::SampleLevel => self.sampling(at, instruction),
            _ if matches!(instruction.attrs.target, Target::Resource(_)) => self.memory(at, instruction),
            _ if name.starts_with("f.") || name == "texture.sample" => {
                let constants: Vec<Option<f32>> = args.iter().map(|arg| constant(self, *arg).map(f32::from_bits)).collect();
                for (position, arg) in args.iter().enumerate() {
                    let narrow = self.program.functions[at].width(*arg) == Width::W32;
                    let literals = if narrow {
                        literals::operand(instruction.op, position, &constants, result.literals)
                    } else {
                        Literals::NONE
                    };
                    self.add(at, *arg, Use::of(Use::FLOAT).comparing(literals));
                }
            }
            _ => {
                if !matches!(instruction.op, Op::Output) {
                    args.iter().for_each(|arg| self.add(at, *arg, Use::of(Use::INTEGER)));
                }
            }
        }
    }

    fn sampling(&mut self, at: usize, instruction: &gpuproof_program::Instruction) {
        let (textures, samplers) = match instruction.attrs.target {
            Target::Sampled(texture, sampler) => {
                (self.program.interface.resource(texture).count, self.program.interface.samplers[sampler.index()].count)
            }
            _ => (Some(1), Some(1)),
        };
        for (position, arg) in instruction.args.iter().enumerate() {
            let more = match (position, instruction.attrs.detail) {
                (SamplingOperands::TEXTURE, _) => Use::index(textures.unwrap_or(ARRAY_ELEMENTS)),
                (SamplingOperands::SAMPLER, _) => Use::index(samplers.unwrap_or(ARRAY_ELEMENTS)),
                (SamplingOperands::LAYER, _) => Use::index(4).with(Use::of(Use::FLOAT)),
                (_, Detail::Sampling(sampling)) if sampling.operands().offset.is_some_and(|first| position >= first) => {
                    Use::of(Use::INTEGER)
                }
                _ => Use::of(Use::FLOAT),
            };
            self.add(at, *arg, more);
        }
    }

    fn memory(&mut self, at: usize, instruction: &gpuproof_program::Instruction) {
        let Target::Resource(id) = instruction.attrs.target else { return };
        let resource = self.program.interface.resource(id);
        let args = instruction.args.clone();
        if let Some(element) = args.first() {
            self.add(at, *element, Use::index(resource.count.unwrap_or(ARRAY_ELEMENTS)));
        }
        let addressed = |this: &mut Self, position: usize, bound: u32| {
            if let Some(arg) = args.get(position) {
                this.add(at, *arg, Use::index(bound));
            }
        };
        match instruction.op {
            Op::BufferLoad | Op::BufferStore | Op::BufferAtomic => {
                let bytes = match resource.shape {
                    Shape::ConstantBuffer { bytes } if bytes > 0 => bytes,
                    _ => element_bytes(resource).saturating_mul(ELEMENTS),
                };
                addressed(self, 1, bytes);
            }
            Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic => {
                addressed(self, 1, ELEMENTS);
                if let Shape::Structured { stride } = resource.shape {
                    addressed(self, 2, stride);
                }
            }
            Op::TexelLoad | Op::TexelStore | Op::TexelAtomic => {
                let bound = match resource.shape {
                    Shape::Texture(texture) if texture.dimension == Dimension::Buffer => ELEMENTS,
                    _ => TEXELS,
                };
                addressed(self, 1, bound);
                addressed(self, 2, bound.min(TEXELS));
                addressed(self, 3, 4);
                if instruction.op == Op::TexelLoad {
                    addressed(self, 4, 2);
                }
            }
            Op::TextureSize => addressed(self, 1, 2),
            _ => {}
        }
        // What is stored or combined is copied: it tells little.
        if let (Op::TexelStore, Shape::Texture(texture)) = (instruction.op, resource.shape)
            && texture.kind == gpuproof_program::Kind::Float
        {
            args.iter().skip(4).for_each(|arg| self.add(at, *arg, Use::of(Use::FLOAT)));
        }
    }

    fn gather(&self, at: usize, instruction: &gpuproof_program::Instruction, counts: &[u32], found: &mut Uses) {
        let of = |value: &Value| self.uses[at][value.index()];
        match (instruction.op, instruction.attrs.target) {
            (Op::Input | Op::InputAt, Target::Input(InputId(id), component)) => {
                use gpuproof_program::Builtin::*;
                let slot = &mut found.inputs[id as usize][usize::from(component & 3)];
                *slot = slot.with(of(&instruction.results[0]));
                let builtin = self.program.interface.inputs[id as usize].builtin;
                if let (Some(GlobalInvocationId | WorkgroupId | NumWorkgroups), true) = (builtin, component < 3) {
                    found.grid[usize::from(component)] = true;
                }
            }
            (op, Target::Resource(ResourceId(id)) | Target::Sampled(ResourceId(id), _)) => {
                let id = id as usize;
                let texture = &mut found.textures[id];
                match op {
                    Op::Sample | Op::Gather | Op::SampleLevel => texture.sampled = true,
                    Op::TexelLoad => (texture.texels, texture.loaded) = (true, true),
                    Op::TexelStore => (texture.texels, texture.stored) = (true, true),
                    Op::BufferSize => texture.sized = true,
                    Op::TexelAtomic => (texture.texels, texture.atomics) = (true, true),
                    _ => {}
                }
                texture.status |= instruction.results.get(4).is_some_and(|status| counts[status.index()] > 0);
                let others = instruction.results.iter().take(4).skip(1).any(|value| counts[value.index()] > 0);
                match instruction.attrs.detail {
                    Detail::Sampling(sampling) if op == Op::Gather => {
                        (texture.compared, texture.channels) =
                            (texture.compared | sampling.compare, texture.channels | (sampling.component > 0));
                    }
                    Detail::Sampling(sampling) if sampling.compare => texture.compared = true,
                    _ => texture.channels |= others,
                }
                let offset = match op {
                    Op::BufferLoad | Op::BufferAtomic => instruction.args.get(1),
                    Op::StructuredLoad | Op::StructuredAtomic => instruction.args.get(2),
                    Op::TexelLoad => None,
                    _ => return,
                };
                let constant = offset.and_then(|value| self.constants[at].get(value)).map(|bits| *bits as u32);
                let results = instruction.results.iter().take(4);
                let joined = results.fold(Use::default(), |joined, value| joined.with(of(value)));
                found.any[id] = found.any[id].with(joined);
                if constant.is_none() {
                    found.dynamic[id] = found.dynamic[id].with(joined);
                }
                if let Some(offset) = constant {
                    let width = instruction.results.first().map(|value| self.program.functions[at].width(*value));
                    for word in 0..if width == Some(Width::W64) { 2 } else { 1 } {
                        let slot = found.words[id].entry(offset / 4 * 4 + word * 4).or_default();
                        *slot = slot.with(joined);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The bytes of one element of a plain buffer: of its array without end, else a word.
pub(crate) fn element_bytes(resource: &gpuproof_program::Resource) -> u32 {
    let found = crate::bind::layout::leaves_of(resource).unwrap_or_default();
    found.iter().find_map(|leaf| leaf.arrays.first().filter(|array| array.0.is_none()).map(|array| array.1)).unwrap_or(4).max(4)
}
