//! Operations that read or change what is outside the lane's own values.

use super::function::{Code, View};
use super::module::Scalar;
use super::scope_number;
use crate::WriteError;
use gpuproof_program::{Derivative, Detail, Instruction, Kind, Op, QuadAxis, Reduction, ReductionMode, ReductionOp, Width};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, GroupOperation, Op as S, Word};

impl Code<'_, '_> {
    /// Writes an operation that does more than compute.
    pub(super) fn effectful(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        match instruction.op {
            Op::Input => self.input(instruction),
            Op::InputAt => self.input_at(instruction),
            Op::Output => self.output(instruction),
            Op::Demote => self.demote(instruction),
            Op::IsHelper => {
                self.w.module.capability(Capability::DemoteToHelperInvocation);
                self.w.module.extension("SPV_EXT_demote_to_helper_invocation");
                let ty = self.scalar(Scalar::Bool);
                let id = self.on(S::IsHelperInvocationEXT, ty, &[]);
                self.define(instruction.results[0], View::Bits, id);
                Ok(())
            }
            Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => self.load(instruction),
            Op::ArrayStore | Op::SharedStore | Op::BufferStore | Op::StructuredStore => self.store(instruction),
            Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic => self.atomic(instruction),
            Op::CounterAlloc | Op::CounterConsume => self.counter(instruction),
            Op::BufferSize => self.buffer_size(instruction),
            Op::TexelLoad => self.texel_load(instruction),
            Op::TexelStore => self.texel_store(instruction),
            Op::TexelAtomic => self.texel_atomic(instruction),
            Op::Sample => self.sample(instruction),
            Op::Gather => self.gather(instruction),
            Op::SampleLevel => self.sample_level(instruction),
            Op::TextureSize => self.texture_size(instruction),
            Op::TextureSamples => self.texture_samples(instruction),
            Op::FDdx | Op::FDdy => self.derivative(instruction),
            Op::QuadRead | Op::QuadSwap => self.quad(instruction),
            Op::WaveBallot
            | Op::WaveAll
            | Op::WaveAny
            | Op::WaveElect
            | Op::WaveReadFirst
            | Op::WaveReadLane
            | Op::WaveReduce => self.wave(instruction),
            Op::Barrier => self.barrier(instruction),
            _ => Err(self.unsupported(instruction)),
        }
    }

    fn demote(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        self.w.module.capability(Capability::DemoteToHelperInvocation);
        self.w.module.extension("SPV_EXT_demote_to_helper_invocation");
        let condition = self.bits(instruction.args[0]);
        self.where_(condition, |this| this.effect(S::DemoteToHelperInvocation, Vec::new()));
        Ok(())
    }

    fn derivative(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let along_x = instruction.op == Op::FDdx;
        let op = match instruction.attrs.detail {
            Detail::Derivative(Derivative::Coarse) if along_x => S::DPdxCoarse,
            Detail::Derivative(Derivative::Coarse) => S::DPdyCoarse,
            Detail::Derivative(Derivative::Fine) if along_x => S::DPdxFine,
            Detail::Derivative(Derivative::Fine) => S::DPdyFine,
            _ if along_x => S::DPdx,
            _ => S::DPdy,
        };
        if !matches!(op, S::DPdx | S::DPdy) {
            self.w.module.capability(Capability::DerivativeControl);
        }
        let (ty, x) = (self.scalar(Scalar::F32), self.float(instruction.args[0]));
        let id = self.on(op, ty, &[x]);
        self.define(instruction.results[0], View::Float, id);
        Ok(())
    }

    fn subgroup(&mut self) -> Word {
        self.w.module.word(3)
    }

    fn quad(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        self.w.module.capability(Capability::GroupNonUniformQuad);
        let result = instruction.results[0];
        let (scope, value) = (self.subgroup(), self.bits(instruction.args[0]));
        let ty = self.scalar(Scalar::of(self.width(result)));
        let id = match (instruction.op, instruction.attrs.detail) {
            (Op::QuadRead, _) => {
                let lane = self.bits(instruction.args[1]);
                self.on(S::GroupNonUniformQuadBroadcast, ty, &[scope, value, lane])
            }
            (_, Detail::Swap(axis)) => {
                let direction = match axis {
                    QuadAxis::X => 0,
                    QuadAxis::Y => 1,
                    QuadAxis::Diagonal => 2,
                };
                let direction = self.w.module.word(direction);
                self.on(S::GroupNonUniformQuadSwap, ty, &[scope, value, direction])
            }
            _ => return Err(self.unsupported(instruction)),
        };
        self.define(result, View::Bits, id);
        Ok(())
    }

    fn wave(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let scope = self.subgroup();
        let truth = self.scalar(Scalar::Bool);
        let args: Vec<Word> = instruction.args.iter().map(|value| self.bits(*value)).collect();
        if instruction.op == Op::WaveBallot {
            self.w.module.capability(Capability::GroupNonUniformBallot);
            let (mask, word) = (self.w.module.vector(Scalar::U32, 4), self.scalar(Scalar::U32));
            let all = self.on(S::GroupNonUniformBallot, mask, &[scope, args[0]]);
            for (at, result) in instruction.results.iter().enumerate() {
                let part = self.part(word, all, at as u32);
                self.define(*result, View::Bits, part);
            }
            return Ok(());
        }
        let result = instruction.results[0];
        let ty = self.scalar(Scalar::of(self.width(result)));
        let id = match instruction.op {
            Op::WaveAll | Op::WaveAny => {
                self.w.module.capability(Capability::GroupNonUniformVote);
                let op = if instruction.op == Op::WaveAll { S::GroupNonUniformAll } else { S::GroupNonUniformAny };
                self.on(op, truth, &[scope, args[0]])
            }
            Op::WaveElect => {
                self.w.module.capability(Capability::GroupNonUniform);
                self.on(S::GroupNonUniformElect, truth, &[scope])
            }
            Op::WaveReadFirst => {
                self.w.module.capability(Capability::GroupNonUniformBallot);
                self.on(S::GroupNonUniformBroadcastFirst, ty, &[scope, args[0]])
            }
            Op::WaveReadLane => {
                self.w.module.capability(Capability::GroupNonUniformShuffle);
                self.on(S::GroupNonUniformShuffle, ty, &[scope, args[0], args[1]])
            }
            _ => return self.reduce(instruction),
        };
        self.define(result, View::Bits, id);
        Ok(())
    }

    fn reduce(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Detail::Reduction(Reduction { op, mode, kind }) = instruction.attrs.detail else {
            return Err(self.unsupported(instruction));
        };
        self.w.module.capability(Capability::GroupNonUniformArithmetic);
        let (value, result) = (instruction.args[0], instruction.results[0]);
        let width = self.width(value);
        let (float, truth, signed) = (kind == Kind::Float, width == Width::W1, kind == Kind::Sint);
        let name = match op {
            ReductionOp::Add if float => S::GroupNonUniformFAdd,
            ReductionOp::Add => S::GroupNonUniformIAdd,
            ReductionOp::Mul if float => S::GroupNonUniformFMul,
            ReductionOp::Mul => S::GroupNonUniformIMul,
            ReductionOp::Min if float => S::GroupNonUniformFMin,
            ReductionOp::Min if signed => S::GroupNonUniformSMin,
            ReductionOp::Min => S::GroupNonUniformUMin,
            ReductionOp::Max if float => S::GroupNonUniformFMax,
            ReductionOp::Max if signed => S::GroupNonUniformSMax,
            ReductionOp::Max => S::GroupNonUniformUMax,
            ReductionOp::And if truth => S::GroupNonUniformLogicalAnd,
            ReductionOp::And => S::GroupNonUniformBitwiseAnd,
            ReductionOp::Or if truth => S::GroupNonUniformLogicalOr,
            ReductionOp::Or => S::GroupNonUniformBitwiseOr,
            ReductionOp::Xor if truth => S::GroupNonUniformLogicalXor,
            ReductionOp::Xor => S::GroupNonUniformBitwiseXor,
        };
        let operation = match mode {
            ReductionMode::All => GroupOperation::Reduce,
            ReductionMode::Inclusive => GroupOperation::InclusiveScan,
            ReductionMode::Exclusive => GroupOperation::ExclusiveScan,
        };
        let (view, scalar) = if float { (View::Float, Scalar::float(width)) } else { (View::Bits, Scalar::of(width)) };
        let (ty, scope, value) = (self.scalar(scalar), self.subgroup(), self.view(value, view));
        let operands = vec![Operand::IdScope(scope), Operand::GroupOperation(operation), Operand::IdRef(value)];
        let id = self.op(name, ty, operands);
        self.define(result, view, id);
        Ok(())
    }

    fn barrier(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let Detail::Barrier(barrier) = instruction.attrs.detail else { return Err(self.unsupported(instruction)) };
        // AcquireRelease; UniformMemory and ImageMemory; WorkgroupMemory.
        let mut semantics = 0x8;
        if barrier.resources.is_some() {
            semantics |= 0x40 | 0x800;
        }
        if barrier.shared {
            semantics |= 0x100;
        }
        if semantics == 0x8 {
            semantics = 0;
        }
        let scope = barrier.resources.map_or(2, scope_number);
        let [group, memory, semantics] = [2, scope, semantics].map(|number| self.w.module.word(number));
        if barrier.group {
            self.effect(S::ControlBarrier, [group, memory, semantics].map(Operand::IdRef).to_vec());
        } else {
            self.effect(S::MemoryBarrier, [memory, semantics].map(Operand::IdRef).to_vec());
        }
        Ok(())
    }
}
