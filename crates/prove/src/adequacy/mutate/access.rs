//! Mistakes of reading and writing: what is left out, a place beside the right one, another component, texture or sampler.

use super::super::goals::one;
use super::{Maker, MutantKind, Patch};
use crate::flow::{self, Role};
use gpuproof_program::*;

impl Maker<'_> {
    pub(super) fn dropped(&mut self, instruction: &Instruction) {
        if instruction.op.row().class == Class::Writes
            && !matches!(instruction.op, Op::Call)
            && !matches!(instruction.attrs.detail, Detail::Atomic(AtomicOp::Load))
        {
            let what = instruction.op.row().name;
            let results = &instruction.results;
            // Where nothing is read, nothing is what comes of it.
            let zero = |result: &Value| {
                let attrs = Attrs::target(Target::Bits(0));
                let (args, results, origin) = (Vec::new(), vec![*result], instruction.origin);
                Node::Op(Instruction { op: Op::Const, attrs, args, results, origin })
            };
            let nodes = results.iter().map(zero).collect();
            let patch = Patch::Nodes(nodes, self.function.values.clone());
            self.push(MutantKind::Store, format!("{what} left out"), patch);
        }
    }

    pub(super) fn indices(&mut self, instruction: &Instruction) {
        for (at, arg) in instruction.args.clone().into_iter().enumerate() {
            if flow::role(self.program, instruction, at) != Role::Address {
                continue;
            }
            let unit = match (instruction.op, at) {
                (Op::BufferLoad | Op::BufferStore | Op::BufferAtomic, _) => self.stride(instruction),
                (Op::SharedLoad | Op::SharedStore | Op::SharedAtomic, _) => match instruction.attrs.target {
                    Target::Shared(id) => self.program.shared[id.index()].stride.max(4),
                    _ => 4,
                },
                (Op::StructuredLoad | Op::StructuredStore | Op::StructuredAtomic, 2) => 4,
                _ => 1,
            };
            let layer = matches!(instruction.op, Op::Sample | Op::Gather | Op::SampleLevel);
            let width = self.width(arg);
            let text = if unit == 1 { "index off by one".into() } else { format!("address off by {unit}") };
            self.build(MutantKind::Index, text, |fresh, out| {
                let (op, bits) = if layer { (Op::FAdd, one(width)) } else { (Op::IAdd, u64::from(unit)) };
                let one = fresh.constant(out, width, bits);
                let next = fresh.op(out, op, Attrs::default(), &[arg, one], width);
                let mut moved = instruction.clone();
                moved.args[at] = next;
                out.push(Node::Op(moved));
            });
        }
    }

    /// The distance between elements of a buffer.
    fn stride(&self, instruction: &Instruction) -> u32 {
        let Target::Resource(id) = instruction.attrs.target else { return 4 };
        let resource = self.program.interface.resource(id);
        match resource.shape {
            Shape::ConstantBuffer { .. } => 16,
            _ => crate::cases::uses::element_bytes(resource),
        }
    }

    pub(super) fn components(&mut self, instruction: &Instruction) {
        let next = |mask: u8, component: u8| (1..4).map(|step| (component + step) % 4).find(|other| mask >> other & 1 == 1);
        let letter = |component: u8| char::from(b"xyzw"[usize::from(component & 3)]);
        match (instruction.op, instruction.attrs.target) {
            (Op::Input | Op::InputAt, Target::Input(id, component)) => {
                if let Some(other) = next(self.program.interface.input(id).mask, component) {
                    let attrs = Attrs { target: Target::Input(id, other), ..instruction.attrs };
                    let change = format!("component {} to {}", letter(component), letter(other));
                    self.replace(MutantKind::Component, change, Instruction { attrs, ..instruction.clone() });
                }
            }
            (Op::Output, Target::Output(id, component)) => {
                if let Some(other) = next(self.program.interface.output(id).mask, component) {
                    let attrs = Attrs { target: Target::Output(id, other), ..instruction.attrs };
                    let change = format!("component {} to {}", letter(component), letter(other));
                    self.replace(MutantKind::Component, change, Instruction { attrs, ..instruction.clone() });
                }
            }
            (Op::BufferLoad, Target::Resource(_)) if self.width(instruction.results[0]) == Width::W32 => {
                // Another number of the same row of four.
                if let Some(at) = self.constants[instruction.args[1].index()] {
                    let other = if at % 16 == 12 { at - 12 } else { at + 4 };
                    self.build(MutantKind::Component, "the next component".into(), |fresh, out| {
                        let place = fresh.constant(out, Width::W32, other);
                        let mut moved = instruction.clone();
                        moved.args[1] = place;
                        out.push(Node::Op(moved));
                    });
                }
            }
            (Op::Sample | Op::TexelLoad, _) if instruction.results.len() > 1 => {
                for at in 0..4usize {
                    let other = (at + 1) % 4;
                    if self.live[instruction.results[at].index()] {
                        let mut results = instruction.results.clone();
                        results.swap(at, other);
                        let change = format!("components {} and {} exchanged", letter(at as u8), letter(other as u8));
                        self.replace(MutantKind::Component, change, Instruction { results, ..instruction.clone() });
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn sampling(&mut self, instruction: &Instruction) {
        let (Target::Sampled(resource, sampler), Detail::Sampling(sampling)) =
            (instruction.attrs.target, instruction.attrs.detail)
        else {
            return;
        };
        let interface = &self.program.interface;
        let comparison = interface.sampler(sampler).comparison;
        let other = |id: usize| SamplerId(id as u32) != sampler && interface.samplers[id].comparison == comparison;
        let others = (0..interface.samplers.len()).find(|id| other(*id));
        let texture = (0..interface.resources.len()).find(|id| {
            ResourceId(*id as u32) != resource && interface.resources[*id].shape == interface.resource(resource).shape
        });
        if let Some(id) = others {
            let attrs = Attrs { target: Target::Sampled(resource, SamplerId(id as u32)), ..instruction.attrs };
            self.replace(MutantKind::Sampling, "another sampler".into(), Instruction { attrs, ..instruction.clone() });
        }
        if let Some(id) = texture {
            let attrs = Attrs { target: Target::Sampled(ResourceId(id as u32), sampler), ..instruction.attrs };
            self.replace(MutantKind::Sampling, "another texture".into(), Instruction { attrs, ..instruction.clone() });
        }
        let operands = sampling.operands();
        let without = |first: Option<usize>, count: usize| {
            let mut args = instruction.args.clone();
            if let Some(first) = first {
                args.drain(first..first + count);
            }
            args
        };
        let zeros: Vec<bool> = self.constants.iter().map(|bits| *bits == Some(0)).collect();
        let is_zero = |value: Value| zeros[value.index()];
        let mut with = |change: &str, sampling: Sampling, args: Vec<Value>| {
            let attrs = instruction.attrs.with_detail(Detail::Sampling(sampling));
            self.replace(MutantKind::Sampling, change.into(), Instruction { attrs, args, ..instruction.clone() });
        };
        if instruction.op == Op::Sample {
            match sampling.level {
                Level::Implicit => {
                    with("level 0", Sampling { level: Level::Zero, clamp: false, ..sampling }, without(operands.clamp, 1))
                }
                Level::Bias => with("without bias", Sampling { level: Level::Implicit, ..sampling }, without(operands.level, 1)),
                Level::Explicit if operands.level.is_some_and(|at| is_zero(instruction.args[at])) => {}
                Level::Explicit => with("level 0", Sampling { level: Level::Zero, ..sampling }, without(operands.level, 1)),
                Level::Gradient => {
                    let mut args = without(operands.clamp, 1);
                    if let Some(first) = operands.gradients {
                        args.drain(first..first + 6);
                    }
                    with("level 0", Sampling { level: Level::Zero, clamp: false, ..sampling }, args);
                }
                Level::Zero => {}
            }
        }
        if sampling.offset {
            with("without offset", Sampling { offset: false, ..sampling }, without(operands.offset, 3));
        }
        if instruction.op == Op::Gather && !sampling.compare {
            with("another component", Sampling { component: (sampling.component + 1) % 4, ..sampling }, instruction.args.clone());
        }
    }
}
