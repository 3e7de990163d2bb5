//! Calls of [helpers](super::helper) as the operations that they stand for, and textures that stand for those that WGSL does not have.

use super::FormulaError;
use super::adapt::{Adapter, Bound};
use super::helper::Helper;
use super::vocabulary::flattened;
use gpuproof_program::{
    AtomicOp, Attrs, Detail, Evaluation, Function, FunctionId, InputId, Instruction, Level, Node, Op, Program, Region,
    ResourceId, SamplerId, Sampling, SamplingOperands, Shape, Target, Value, Width, walk,
};
use std::collections::HashMap;

/// What a parameter of a function that is called once holds, where that is an input.
pub(super) type PassedInputs = HashMap<(FunctionId, Value), (InputId, u8)>;

/// The inputs that the entry passes to the functions that it calls.
pub(super) fn passed_inputs(program: &Program) -> PassedInputs {
    let entry = program.function(program.entry);
    let mut inputs = HashMap::new();
    let mut passed = PassedInputs::new();
    walk(&entry.body, &mut |node| {
        let Node::Op(instruction) = node else { return };
        match (instruction.op, instruction.attrs.target) {
            (Op::Input, Target::Input(id, component)) => _ = inputs.insert(instruction.results[0], (id, component)),
            (Op::Call, Target::Function(callee)) => {
                for (param, arg) in program.function(callee).params.iter().zip(&instruction.args) {
                    if let Some(input) = inputs.get(arg) {
                        passed.insert((callee, *param), *input);
                    }
                }
            }
            _ => {}
        }
    });
    passed
}

/// The texture read that a function's body does.
fn sampled(function: &Function) -> Option<SamplerId> {
    let mut found = None;
    walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && let Target::Sampled(_, sampler) = instruction.attrs.target
        {
            found = found.or(Some(sampler));
        }
    });
    found
}

impl Adapter<'_> {
    fn mistake(&self, call: &Instruction, message: &str) -> FormulaError {
        let line = self.formulas.source.line(call.origin).map_or(0, |line| line.number);
        FormulaError::new(line, message)
    }

    /// Appends an operation with the original's rules, whose results are these and as many more as it has.
    fn put(
        &mut self,
        made: &mut Region,
        like: &Instruction,
        op: Op,
        attrs: Attrs,
        args: Vec<Value>,
        (results, count): (&[Value], usize),
    ) {
        let mut results = results.to_vec();
        while results.len() < count {
            results.push(self.fresh(Width::W32));
        }
        let attrs = attrs.with_rules(self.rules(op, attrs.target, Width::W32, Width::W32));
        let instruction = Instruction { op, attrs, args, results, origin: like.origin };
        self.note_read(&instruction);
        made.push(Node::Op(instruction));
    }

    /// Remembers a texture read by what it gives.
    pub(super) fn note_read(&mut self, instruction: &Instruction) {
        if super::helper::has_status(instruction.op) {
            for result in instruction.results.iter().take(4) {
                self.reads.insert(*result, instruction.clone());
            }
        }
    }

    /// Whether a helper takes so many numbers and gives so many.
    fn fits(&self, helper: Helper, args: usize, results: usize) -> bool {
        let place = |id: ResourceId| match self.original.interface.resource(id).shape {
            Shape::Texture(shape) => (crate::formula::helper::axes(shape.dimension), usize::from(shape.arrayed)),
            _ => (0, 0),
        };
        let expected = match helper {
            Helper::Arithmetic => return true,
            Helper::LeastLevel => return args == results + 1 && matches!(results, 1 | 4),
            Helper::Status => (1, 1),
            Helper::At(Evaluation::Centroid) => (4, 4),
            Helper::At(Evaluation::Sample) => (5, 4),
            Helper::At(Evaluation::Snapped) => (6, 4),
            Helper::TargetSamples => (0, 1),
            Helper::TargetPosition | Helper::Position(_) => (1, 2),
            Helper::Level(id) => (place(id).0, 2),
            // A component or a reference, and two offsets.
            Helper::Gather(id, _) => (place(id).0 + place(id).1 + 3, 4),
            Helper::Atomic(id, op) => {
                let values = match op {
                    AtomicOp::Load => 0,
                    AtomicOp::CompareExchange => 2,
                    _ => 1,
                };
                (place(id).0 + place(id).1 + values, usize::from(op != AtomicOp::Store))
            }
        };
        (args, results) == expected
    }

    /// A call of a helper as its operation. Whether it was one.
    pub(super) fn stand_in(&mut self, call: &Instruction, made: &mut Region) -> Result<bool, FormulaError> {
        let (Op::Call, Target::Function(callee)) = (call.op, call.attrs.target) else { return Ok(false) };
        let function = self.formulas.function(callee);
        let Some(helper) = self.vocabulary.helpers.named(&function.name) else { return Ok(false) };
        let (args, results) = (&call.args, &call.results);
        // A module declares its functions itself.
        if !self.fits(helper, args.len(), results.len()) {
            return Err(self.mistake(
                call,
                &format!("{} is declared with other parameters than the function of this name has", function.name),
            ));
        }
        let zero = self.word(made, call, 0);
        match helper {
            Helper::Arithmetic => return Ok(false),
            Helper::Status => {
                let read = args.first().and_then(|read| self.reads.get(read));
                let status = read.and_then(|read| read.results.get(4).copied());
                let status = status.ok_or_else(|| self.mistake(call, "read_status takes a number that a texture read gave"))?;
                self.put(made, call, Op::IOr, Attrs::default(), vec![status, zero], (results, 1));
            }
            Helper::LeastLevel => {
                let read = args.first().and_then(|read| self.reads.get(read)).filter(|read| read.op == Op::Sample).cloned();
                let read =
                    read.ok_or_else(|| self.mistake(call, "least_level takes what textureSample or one of its kind gave"))?;
                let Detail::Sampling(sampling) = read.attrs.detail else { return Ok(false) };
                let least = Sampling { clamp: true, ..sampling };
                let (from, to) = (sampling.operands(), least.operands());
                let mut operands = vec![zero; to.count];
                operands[..=SamplingOperands::LAYER].copy_from_slice(&read.args[..=SamplingOperands::LAYER]);
                let moves = [(from.level, to.level, 1), (from.gradients, to.gradients, 6), (from.reference, to.reference, 1)];
                for (from, to, count) in moves.into_iter().chain([(from.offset, to.offset, 3)]) {
                    if let (Some(from), Some(to)) = (from, to) {
                        operands[to..to + count].copy_from_slice(&read.args[from..from + count]);
                    }
                }
                if let (Some(at), Some(level)) = (to.clamp, args.last()) {
                    operands[at] = *level;
                }
                let attrs = read.attrs.with_detail(Detail::Sampling(least));
                self.put(made, call, Op::Sample, attrs, operands, (results, 5));
            }
            Helper::At(evaluation) => {
                let place = match evaluation {
                    Evaluation::Centroid => [zero, zero],
                    Evaluation::Sample => [args[4], zero],
                    Evaluation::Snapped => [args[4], args[5]],
                };
                for (value, result) in args.iter().zip(results) {
                    let passed = self.passed.get(&(self.function, *value)).copied();
                    let (id, component) =
                        passed.ok_or_else(|| self.mistake(call, &format!("{} takes an input of the program", function.name)))?;
                    let id = self.places.inputs[id.index()];
                    let held = self.original.interface.input(id).mask >> component & 1 == 1;
                    let attrs = Attrs::target(Target::Input(id, component)).with_detail(Detail::Evaluation(evaluation));
                    match held {
                        true => self.put(made, call, Op::InputAt, attrs, place.to_vec(), (&[*result], 1)),
                        false => self.put(made, call, Op::Undef, Attrs::default(), Vec::new(), (&[*result], 1)),
                    }
                }
            }
            Helper::TargetSamples => self.put(made, call, Op::RasterSamples, Attrs::default(), Vec::new(), (results, 1)),
            Helper::TargetPosition => {
                self.put(made, call, Op::RasterSamplePosition, Attrs::default(), args.clone(), (results, 2));
            }
            Helper::Position(id) => {
                let attrs = Attrs::target(Target::Resource(id));
                self.put(made, call, Op::TextureSamplePosition, attrs, vec![zero, args[0]], (results, 2));
            }
            Helper::Level(id) | Helper::Gather(id, _) => {
                let sampler = sampled(function).map(|sampler| self.places.samplers[sampler.index()]);
                let sampler = sampler.ok_or_else(|| self.mistake(call, &format!("{} reads no texture", function.name)))?;
                self.texture_stand_in(helper, (id, sampler), call, made)?;
            }
            Helper::Atomic(id, op) => self.atomic_stand_in((id, op), call, zero, made),
        }
        Ok(true)
    }

    fn texture_stand_in(
        &mut self,
        helper: Helper,
        (id, sampler): (ResourceId, SamplerId),
        call: &Instruction,
        made: &mut Region,
    ) -> Result<(), FormulaError> {
        let zero = self.word(made, call, 0);
        let mut args = call.args.iter().copied();
        let mut next = || args.next().unwrap_or(zero);
        let Shape::Texture(shape) = self.original.interface.resource(id).shape else { return Ok(()) };
        let axes = crate::formula::helper::axes(shape.dimension);
        let (sampling, op) = match helper {
            Helper::Gather(_, compare) => {
                let component = if compare {
                    0
                } else {
                    let component = self.definitions.constant(next()).filter(|component| *component < 4);
                    component.ok_or_else(|| self.mistake(call, "the component that is gathered is a constant from 0 to 3"))?
                };
                (Sampling { compare, offset: true, component: component as u8, ..Sampling::at(Level::Zero) }, Op::Gather)
            }
            _ => (Sampling::at(Level::Implicit), Op::SampleLevel),
        };
        let places = sampling.operands();
        let mut operands = vec![zero; places.count];
        for axis in 0..axes {
            operands[SamplingOperands::COORDINATES + axis] = next();
        }
        if op == Op::Gather && shape.arrayed {
            let layer = next();
            operands[SamplingOperands::LAYER] = self.op(made, call, Op::SToF, &[layer]);
        }
        if let Some(at) = places.reference {
            operands[at] = next();
        }
        if let Some(at) = places.offset {
            (operands[at], operands[at + 1]) = (next(), next());
        }
        let attrs = Attrs::target(Target::Sampled(id, sampler)).with_detail(Detail::Sampling(sampling));
        let count = if op == Op::Gather { 5 } else { 2 };
        self.put(made, call, op, attrs, operands, (&call.results, count));
        Ok(())
    }

    fn atomic_stand_in(&mut self, (id, op): (ResourceId, AtomicOp), call: &Instruction, zero: Value, made: &mut Region) {
        let Shape::Texture(shape) = self.original.interface.resource(id).shape else { return };
        let axes = crate::formula::helper::axes(shape.dimension) + usize::from(shape.arrayed);
        let mut operands = vec![zero; 4];
        operands[1..=axes].copy_from_slice(&call.args[..axes]);
        let values = &call.args[axes..];
        let target = Attrs::target(Target::Resource(id));
        match op {
            AtomicOp::Load => {
                operands.push(zero);
                self.put(made, call, Op::TexelLoad, target, operands, (&call.results, 5));
            }
            AtomicOp::Store => {
                operands.extend([values[0], zero, zero, zero]);
                self.put(made, call, Op::TexelStore, target, operands, (&[], 0));
            }
            _ => {
                // A comparand comes before the value, as in WGSL's atomicCompareExchangeWeak.
                let value = values[values.len() - 1];
                operands.extend([value, if values.len() > 1 { values[0] } else { value }]);
                self.put(made, call, Op::TexelAtomic, target.with_detail(Detail::Atomic(op)), operands, (&call.results, 1));
            }
        }
    }

    /// An access to a texture that another stands for: one of height 1 for one without height, an array whose levels are samples for a multisampled one.
    pub(super) fn unflattened(&mut self, instruction: &mut Instruction, id: ResourceId, flat: bool, made: &mut Region) {
        let Shape::Texture(shape) = self.original.interface.resource(id).shape else { return };
        if flat && shape.dimension == gpuproof_program::Dimension::D1 {
            let zero = self.word(made, instruction, 0);
            match (instruction.op, instruction.attrs.detail) {
                (Op::Sample | Op::Gather, Detail::Sampling(sampling)) => {
                    let places = sampling.operands();
                    instruction.args[SamplingOperands::COORDINATES + 1] = zero;
                    if let Some(at) = places.gradients {
                        (instruction.args[at + 1], instruction.args[at + 4]) = (zero, zero);
                    }
                    if let Some(at) = places.offset {
                        instruction.args[at + 1] = zero;
                    }
                }
                (Op::TexelLoad | Op::TexelStore | Op::TexelAtomic, _) => {
                    // Element, x, the height, and the layer.
                    instruction.args[2] = instruction.args[3];
                    instruction.args[3] = zero;
                }
                (Op::TextureSize, _) => instruction.results.swap(1, 2),
                _ => {}
            }
        }
        if shape.multisampled && shape.arrayed && instruction.op == Op::TextureSize {
            let samples = std::mem::replace(&mut instruction.results[3], Value(0));
            instruction.results[3] = self.fresh(Width::W32);
            let zero = self.word(made, instruction, 0);
            let attrs = Attrs::target(Target::Resource(id));
            self.put(made, &instruction.clone(), Op::TextureSamples, attrs, vec![zero], (&[samples], 1));
        }
    }

    /// Whether a texture of the formulas has a height that the original's lacks.
    pub(super) fn is_flat(&self, formulas: ResourceId, original: ResourceId) -> bool {
        let shape = |program: &Program, id: ResourceId| match program.interface.resource(id).shape {
            Shape::Texture(shape) => Some(shape),
            _ => None,
        };
        let (Some(own), Some(first)) = (shape(self.formulas, formulas), shape(self.original, original)) else { return false };
        own.dimension != first.dimension && (flattened(&first, false) || flattened(&first, true))
    }

    /// The original's resource that one of the formulas' is.
    pub(super) fn bound(&self, id: ResourceId) -> Bound {
        self.places.resources[id.index()]
    }
}
