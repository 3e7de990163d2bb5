//! Operations between lanes of a wave or quad.

use super::arith::Arith;
use super::error::{Trouble, unsupported};
use super::function::Lower;
use super::memory::{Val, target};
use super::types::shape;
use gpuproof_program::{Attrs, Detail, Op, QuadAxis, Reduction, ReductionMode, ReductionOp, Target, Value, Width};
use naga::{CollectiveOperation, Direction, Expression, GatherMode, Handle, SubgroupOperation};

type Result<T> = std::result::Result<T, Trouble>;

/// The operand of a gather besides the value.
pub(super) fn index_of(mode: GatherMode) -> Option<Handle<Expression>> {
    match mode {
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
        GatherMode::Broadcast(index)
        | GatherMode::Shuffle(index)
        | GatherMode::ShuffleDown(index)
        | GatherMode::ShuffleUp(index)
        | GatherMode::ShuffleXor(index)
        | GatherMode::QuadBroadcast(index) => Some(index),
    }
}

impl Lower<'_, '_> {
    /// `subgroupBallot` (WGSL 17.12.4); without an operand, of all active lanes.
    pub(super) fn ballot(&mut self, result: Handle<Expression>, predicate: Option<Handle<Expression>>) -> Result<()> {
        let predicate = match predicate {
            Some(predicate) => self.number(predicate)?,
            None => self.b.constant(Width::W1, 1),
        };
        let words = self.b.emit(Op::WaveBallot, Attrs::default(), &[predicate], &[Width::W32; 4]);
        self.define(result, Val::Numbers(words.into()));
        Ok(())
    }

    /// Reads of other lanes.
    pub(super) fn gather_lanes(
        &mut self,
        mode: GatherMode,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) -> Result<()> {
        let numbers = self.numbers(argument)?;
        let index = match index_of(mode) {
            Some(index) => Some(self.number(index)?),
            None => None,
        };
        let relative = match mode {
            GatherMode::ShuffleDown(_) => Some(Op::IAdd),
            GatherMode::ShuffleUp(_) => Some(Op::ISub),
            GatherMode::ShuffleXor(_) => Some(Op::IXor),
            _ => None,
        };
        let index = match (relative, index) {
            (Some(op), Some(index)) => {
                let own = target(Op::Input, Target::Input(self.r.invocation(), 0));
                let own = self.b.value_of(Width::W32, Op::Input, own, &[]);
                Some(self.b.op(op, &[own, index])?)
            }
            (_, index) => index,
        };
        let mut results: Vec<Value> = Vec::new();
        for (i, number) in numbers.iter().enumerate() {
            self.b.component(i);
            results.push(match (mode, index) {
                (GatherMode::QuadSwap(direction), _) => {
                    let axis = match direction {
                        Direction::X => QuadAxis::X,
                        Direction::Y => QuadAxis::Y,
                        Direction::Diagonal => QuadAxis::Diagonal,
                    };
                    self.b.value(Op::QuadSwap, Attrs::default().with_detail(Detail::Swap(axis)), &[*number])
                }
                (GatherMode::QuadBroadcast(_), Some(index)) => self.b.op(Op::QuadRead, &[*number, index])?,
                (_, Some(index)) => self.b.op(Op::WaveReadLane, &[*number, index])?,
                (_, None) => self.b.op(Op::WaveReadFirst, &[*number])?,
            });
        }
        self.define(result, Val::Numbers(results.into()));
        Ok(())
    }

    /// Votes, reductions and scans.
    pub(super) fn collective(
        &mut self,
        op: SubgroupOperation,
        mode: CollectiveOperation,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) -> Result<()> {
        let kind = shape(self.inner(argument))?.kind;
        let numbers = self.numbers(argument)?;
        let mode = match mode {
            CollectiveOperation::Reduce => ReductionMode::All,
            CollectiveOperation::InclusiveScan => ReductionMode::Inclusive,
            CollectiveOperation::ExclusiveScan => ReductionMode::Exclusive,
        };
        let reduction = match op {
            SubgroupOperation::All | SubgroupOperation::Any => None,
            SubgroupOperation::Add => Some(ReductionOp::Add),
            SubgroupOperation::Mul => Some(ReductionOp::Mul),
            SubgroupOperation::Min => Some(ReductionOp::Min),
            SubgroupOperation::Max => Some(ReductionOp::Max),
            SubgroupOperation::And => Some(ReductionOp::And),
            SubgroupOperation::Or => Some(ReductionOp::Or),
            SubgroupOperation::Xor => Some(ReductionOp::Xor),
        };
        let mut results: Vec<Value> = Vec::new();
        for (i, number) in numbers.iter().enumerate() {
            self.b.component(i);
            results.push(match (reduction, op) {
                (Some(op), _) => {
                    let attrs = Attrs::default().with_detail(Detail::Reduction(Reduction { op, mode, kind }));
                    self.b.value(Op::WaveReduce, attrs, &[*number])
                }
                (None, _) if mode != ReductionMode::All => return unsupported("a scan of votes"),
                (None, SubgroupOperation::All) => self.b.op(Op::WaveAll, &[*number])?,
                (None, _) => self.b.op(Op::WaveAny, &[*number])?,
            });
        }
        self.define(result, Val::Numbers(results.into()));
        Ok(())
    }
}
