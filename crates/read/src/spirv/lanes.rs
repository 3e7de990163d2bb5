//! Operations between lanes of a subgroup or quad, and barriers.

use super::binary::Inst;
use super::error::{Result, bad, unsupported};
use super::lower::Lower;
use gpuproof_program::{
    Barrier, BarrierScope, Builtin, Detail, Kind, Op, QuadAxis, Reduction, ReductionMode, ReductionOp, Target, Value, Width,
};
use rspirv::spirv::{BuiltIn, GroupOperation, MemorySemantics, Op as S, Scope};

/// Reductions and scans: the instruction, what lanes are combined with, how their bits are read.
const REDUCTIONS: &[(S, ReductionOp, Kind)] = &[
    (S::GroupNonUniformIAdd, ReductionOp::Add, Kind::Uint),
    (S::GroupNonUniformFAdd, ReductionOp::Add, Kind::Float),
    (S::GroupNonUniformIMul, ReductionOp::Mul, Kind::Uint),
    (S::GroupNonUniformFMul, ReductionOp::Mul, Kind::Float),
    (S::GroupNonUniformSMin, ReductionOp::Min, Kind::Sint),
    (S::GroupNonUniformUMin, ReductionOp::Min, Kind::Uint),
    (S::GroupNonUniformFMin, ReductionOp::Min, Kind::Float),
    (S::GroupNonUniformSMax, ReductionOp::Max, Kind::Sint),
    (S::GroupNonUniformUMax, ReductionOp::Max, Kind::Uint),
    (S::GroupNonUniformFMax, ReductionOp::Max, Kind::Float),
    (S::GroupNonUniformBitwiseAnd, ReductionOp::And, Kind::Uint),
    (S::GroupNonUniformBitwiseOr, ReductionOp::Or, Kind::Uint),
    (S::GroupNonUniformBitwiseXor, ReductionOp::Xor, Kind::Uint),
    (S::GroupNonUniformLogicalAnd, ReductionOp::And, Kind::Bool),
    (S::GroupNonUniformLogicalOr, ReductionOp::Or, Kind::Bool),
    (S::GroupNonUniformLogicalXor, ReductionOp::Xor, Kind::Bool),
];

impl Lower<'_> {
    /// A constant operand: a scope, a memory's semantics, a lane.
    fn constant_word(&self, id: u32) -> Result<u32> {
        match self.d.constants.word(id) {
            Some(bits) => Ok(bits as u32),
            None => unsupported(format!("%{id}, a scope or mask of semantics that is no constant")),
        }
    }

    pub(super) fn control_barrier(&mut self, inst: &Inst) -> Result<()> {
        let execution = self.constant_word(inst.at(0))?;
        let wave = execution == Scope::Subgroup as u32;
        if !wave && execution != Scope::Workgroup as u32 {
            return unsupported("a barrier that waits for other than the workgroup or subgroup");
        }
        self.barrier(!wave, wave, inst.at(1), inst.at(2))
    }

    pub(super) fn memory_barrier(&mut self, inst: &Inst) -> Result<()> {
        self.barrier(false, false, inst.at(0), inst.at(1))
    }

    fn barrier(&mut self, group: bool, wave: bool, scope: u32, semantics: u32) -> Result<()> {
        let (scope, semantics) = (self.constant_word(scope)?, self.constant_word(semantics)?);
        let semantics = MemorySemantics::from_bits_truncate(semantics);
        let orders = semantics.intersects(
            MemorySemantics::ACQUIRE
                | MemorySemantics::RELEASE
                | MemorySemantics::ACQUIRE_RELEASE
                | MemorySemantics::SEQUENTIALLY_CONSISTENT,
        );
        let far = match Scope::from_u32(scope) {
            Some(Scope::Subgroup) => BarrierScope::Wave,
            Some(Scope::Workgroup) => BarrierScope::Group,
            Some(Scope::Device | Scope::QueueFamily) => BarrierScope::Device,
            Some(Scope::Invocation) => return Ok(()),
            _ => return unsupported("a barrier for this scope of memory"),
        };
        let shared = orders && semantics.contains(MemorySemantics::WORKGROUP_MEMORY) && far != BarrierScope::Wave;
        let buffers = MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
        let resources = (orders && semantics.intersects(buffers)).then_some(far);
        if !group && !wave && !shared && resources.is_none() {
            return Ok(());
        }
        let detail = match wave {
            true => Barrier { group: false, shared: true, resources: Some(BarrierScope::Wave) },
            false => Barrier { group, shared, resources },
        };
        let attrs = self.detailed(Op::Barrier, Width::W32, Detail::Barrier(detail));
        self.b.effect(Op::Barrier, attrs, &[]);
        Ok(())
    }

    /// The lane's index in its subgroup.
    fn own_index(&mut self) -> Value {
        self.builtin_word(Builtin::SubgroupInvocationId, "SubgroupLocalInvocationId")
    }

    fn builtin_word(&mut self, builtin: Builtin, name: &str) -> Value {
        let id = self.program.interface.builtin_word(builtin, name);
        let attrs = self.target(Op::Input, Target::Input(id, 0));
        self.b.value_of(Width::W32, Op::Input, attrs, &[])
    }

    /// A word of one of the masks of lanes relative to the lane's own (`SubgroupEqMask` and its like), of the lanes that the subgroup has.
    pub(super) fn lane_mask(&mut self, mask: BuiltIn, word: u32) -> Result<Value> {
        let own = self.own_index();
        self.mask_against(mask, word, own)
    }

    fn mask_against(&mut self, mask: BuiltIn, word: u32, own: Value) -> Result<Value> {
        // Bits below the lane's own in this word: none before, all after.
        let first = self.b.word(32 * word);
        let (zero, all, one, bits) = (self.b.word(0), self.b.word(u32::MAX), self.b.word(1), self.b.word(32));
        let at = self.op(Op::ISub, &[own, first])?;
        let before = self.op(Op::ULt, &[own, first])?;
        let inside = self.op(Op::ULt, &[at, bits])?;
        let bit = self.op(Op::IShl, &[one, at])?;
        let low = self.op(Op::ISub, &[bit, one])?;
        let equal = self.op(Op::Select, &[inside, bit, zero])?;
        let less = self.op(Op::Select, &[inside, low, all])?;
        let less = self.op(Op::Select, &[before, zero, less])?;
        Ok(match mask {
            BuiltIn::SubgroupEqMask => equal,
            BuiltIn::SubgroupLtMask => less,
            BuiltIn::SubgroupLeMask => self.op(Op::IOr, &[less, equal])?,
            BuiltIn::SubgroupGeMask => self.op(Op::INot, &[less])?,
            _ => {
                let up_to = self.op(Op::IOr, &[less, equal])?;
                self.op(Op::INot, &[up_to])?
            }
        })
    }

    /// Whether all active lanes have one value: the lowest lane's.
    fn all_equal(&mut self, numbers: &[Value], is_float: bool) -> Result<Value> {
        let mut equal = Vec::new();
        for number in numbers {
            let first = self.op(Op::WaveReadFirst, &[*number])?;
            equal.push(self.op(if is_float { Op::FEq } else { Op::IEq }, &[*number, first])?);
        }
        let here = self.joined(Op::IAnd, &equal)?;
        self.op(Op::WaveAll, &[here])
    }

    /// `OpGroupNonUniform*` and the older operations of subgroups.
    pub(super) fn group(&mut self, inst: &Inst) -> Result<()> {
        let older = !matches!(
            inst.op,
            S::SubgroupBallotKHR
                | S::SubgroupFirstInvocationKHR
                | S::SubgroupReadInvocationKHR
                | S::SubgroupAllKHR
                | S::SubgroupAnyKHR
                | S::SubgroupAllEqualKHR
        );
        // The operands after the scope, which the older ones lack.
        let first = usize::from(older);
        if older && self.constant_word(inst.at(0))? != Scope::Subgroup as u32 {
            return unsupported("an operation between lanes of other than the subgroup");
        }
        if let Some((_, op, kind)) = REDUCTIONS.iter().find(|(known, ..)| *known == inst.op) {
            let mode = match GroupOperation::from_u32(inst.at(1)) {
                Some(GroupOperation::Reduce) => ReductionMode::All,
                Some(GroupOperation::InclusiveScan) => ReductionMode::Inclusive,
                Some(GroupOperation::ExclusiveScan) => ReductionMode::Exclusive,
                other => return unsupported(format!("the group operation {other:?}")),
            };
            let detail = Detail::Reduction(Reduction { op: *op, mode, kind: *kind });
            return self.per_number(inst, 2, |l, number| {
                let attrs = l.detailed(Op::WaveReduce, l.b.width(number), detail);
                l.with(Op::WaveReduce, attrs, &[number])
            });
        }
        let numbers = match inst.op {
            S::GroupNonUniformElect => vec![self.op(Op::WaveElect, &[])?],
            S::GroupNonUniformAll | S::SubgroupAllKHR => {
                let condition = self.number(inst.at(first))?;
                vec![self.op(Op::WaveAll, &[condition])?]
            }
            S::GroupNonUniformAny | S::SubgroupAnyKHR => {
                let condition = self.number(inst.at(first))?;
                vec![self.op(Op::WaveAny, &[condition])?]
            }
            S::GroupNonUniformAllEqual | S::SubgroupAllEqualKHR => {
                let numbers = self.numbers(inst.at(first))?;
                let is_float = self.d.types.scalar(self.type_of(inst.at(first))?)?.kind == Kind::Float;
                vec![self.all_equal(&numbers, is_float)?]
            }
            S::GroupNonUniformBallot | S::SubgroupBallotKHR => {
                let condition = self.number(inst.at(first))?;
                self.check(Op::WaveBallot, &[condition])?;
                let attrs = self.detailed(Op::WaveBallot, Width::W32, Detail::None);
                self.b.emit(Op::WaveBallot, attrs, &[condition], &[Width::W32; 4])
            }
            S::GroupNonUniformBroadcastFirst | S::SubgroupFirstInvocationKHR => {
                return self.per_number(inst, first, |l, number| l.op(Op::WaveReadFirst, &[number]));
            }
            S::GroupNonUniformBroadcast | S::GroupNonUniformShuffle | S::SubgroupReadInvocationKHR => {
                let lane = self.number(inst.at(first + 1))?;
                return self.per_number(inst, first, |l, number| l.op(Op::WaveReadLane, &[number, lane]));
            }
            S::GroupNonUniformShuffleXor | S::GroupNonUniformShuffleUp | S::GroupNonUniformShuffleDown => {
                let (own, by) = (self.own_index(), self.number(inst.at(2))?);
                let op = match inst.op {
                    S::GroupNonUniformShuffleXor => Op::IXor,
                    S::GroupNonUniformShuffleUp => Op::ISub,
                    _ => Op::IAdd,
                };
                let lane = self.op(op, &[own, by])?;
                return self.per_number(inst, 1, |l, number| l.op(Op::WaveReadLane, &[number, lane]));
            }
            S::GroupNonUniformQuadBroadcast => {
                let lane = self.number(inst.at(2))?;
                return self.per_number(inst, 1, |l, number| l.op(Op::QuadRead, &[number, lane]));
            }
            S::GroupNonUniformQuadSwap => {
                let axis = match self.constant_word(inst.at(2))? {
                    0 => QuadAxis::X,
                    1 => QuadAxis::Y,
                    2 => QuadAxis::Diagonal,
                    other => return bad(format!("the direction {other} of a swap in the quad")),
                };
                return self.per_number(inst, 1, |l, number| {
                    let attrs = l.detailed(Op::QuadSwap, l.b.width(number), Detail::Swap(axis));
                    l.with(Op::QuadSwap, attrs, &[number])
                });
            }
            S::GroupNonUniformInverseBallot => {
                let (words, own) = (self.numbers(inst.at(1))?, self.own_index());
                vec![self.bit_of(&words, own)?]
            }
            S::GroupNonUniformBallotBitExtract => {
                let (words, at) = (self.numbers(inst.at(1))?, self.number(inst.at(2))?);
                vec![self.bit_of(&words, at)?]
            }
            S::GroupNonUniformBallotBitCount => vec![self.bit_count(inst)?],
            S::GroupNonUniformBallotFindLSB | S::GroupNonUniformBallotFindMSB => vec![self.found(inst)?],
            other => return unsupported(format!("Op{other:?}")),
        };
        self.numbers_of(inst, numbers)
    }

    /// Applies a function to each number of an operand.
    fn per_number(&mut self, inst: &Inst, at: usize, mut f: impl FnMut(&mut Self, Value) -> Result<Value>) -> Result<()> {
        let numbers = self.numbers(inst.at(at))?;
        let mut results = Vec::with_capacity(numbers.len());
        for (i, number) in numbers.iter().enumerate() {
            self.component(i);
            results.push(f(self, *number)?);
        }
        self.numbers_of(inst, results)
    }

    /// A bit of four words.
    fn bit_of(&mut self, words: &[Value], at: Value) -> Result<Value> {
        let Some((first, rest)) = words.split_first() else { return bad("a ballot of no words") };
        let mut word = *first;
        let (five, one, low) = (self.b.word(5), self.b.word(1), self.b.word(31));
        let which = self.op(Op::UShr, &[at, five])?;
        for (i, other) in (1..).zip(rest) {
            let number = self.b.word(i);
            let here = self.op(Op::IEq, &[which, number])?;
            word = self.op(Op::Select, &[here, *other, word])?;
        }
        let bit = self.op(Op::IAnd, &[at, low])?;
        let moved = self.op(Op::UShr, &[word, bit])?;
        let bit = self.op(Op::IAnd, &[moved, one])?;
        let zero = self.b.word(0);
        self.op(Op::INe, &[bit, zero])
    }

    /// The bits of a ballot that lanes of the subgroup have.
    fn held(&mut self, words: &[Value]) -> Result<Vec<Value>> {
        let size = self.subgroup_size();
        (0..4)
            .zip(words)
            .map(|(i, word)| {
                let mask = self.mask_against(BuiltIn::SubgroupLtMask, i, size)?;
                self.op(Op::IAnd, &[*word, mask])
            })
            .collect()
    }

    fn subgroup_size(&mut self) -> Value {
        self.builtin_word(Builtin::SubgroupSize, "SubgroupSize")
    }

    fn bit_count(&mut self, inst: &Inst) -> Result<Value> {
        let words = self.numbers(inst.at(2))?;
        let own = self.own_index();
        let mask = match GroupOperation::from_u32(inst.at(1)) {
            Some(GroupOperation::Reduce) => None,
            Some(GroupOperation::InclusiveScan) => Some(BuiltIn::SubgroupLeMask),
            Some(GroupOperation::ExclusiveScan) => Some(BuiltIn::SubgroupLtMask),
            other => return unsupported(format!("the group operation {other:?}")),
        };
        let held = self.held(&words)?;
        let mut sum = self.b.word(0);
        for (i, mut word) in (0..).zip(held) {
            if let Some(mask) = mask {
                let mask = self.mask_against(mask, i, own)?;
                word = self.op(Op::IAnd, &[word, mask])?;
            }
            let count = self.op(Op::ICount, &[word])?;
            sum = self.op(Op::IAdd, &[sum, count])?;
        }
        Ok(sum)
    }

    /// The lowest or highest bit of a ballot; of none the result is undefined, here all ones.
    fn found(&mut self, inst: &Inst) -> Result<Value> {
        let words = self.numbers(inst.at(1))?;
        let held = self.held(&words)?;
        let lowest = inst.op == S::GroupNonUniformBallotFindLSB;
        let mut result = self.b.word(u32::MAX);
        let mut order: Vec<(u32, Value)> = (0..).zip(held).collect();
        if lowest {
            order.reverse();
        }
        for (i, word) in order {
            let at = self.op(if lowest { Op::IFindLow } else { Op::UFindHigh }, &[word])?;
            let (first, zero) = (self.b.word(32 * i), self.b.word(0));
            let at = self.op(Op::IAdd, &[at, first])?;
            let any = self.op(Op::INe, &[word, zero])?;
            result = self.op(Op::Select, &[any, at, result])?;
        }
        Ok(result)
    }
}
