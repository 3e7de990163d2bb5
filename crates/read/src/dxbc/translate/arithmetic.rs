//! Instructions that work a component at a time.

use super::super::error::Result;
use super::super::opcode::{Kind, Opcode};
use super::super::tokens::Instruction;
use super::Translator;
use super::registers::written;
use gpuproof_program::{Attrs, Derivative, Detail, Op, Rounding, Rules, Value, Width};

/// An instruction that is one operation a component: which, and in which order it takes the instruction's sources.
const COMPONENTWISE: &[(Opcode, Op, &[u8])] = &[
    (Opcode::Add, Op::FAdd, &[0, 1]),
    (Opcode::And, Op::IAnd, &[0, 1]),
    (Opcode::Bfi, Op::IInsert, &[3, 2, 1, 0]),
    (Opcode::BfRev, Op::IReverse, &[0]),
    (Opcode::CountBits, Op::ICount, &[0]),
    (Opcode::Dadd, Op::FAdd, &[0, 1]),
    (Opcode::Ddiv, Op::FDiv, &[0, 1]),
    (Opcode::Deq, Op::FEq, &[0, 1]),
    (Opcode::Dfma, Op::FFma, &[0, 1, 2]),
    (Opcode::Dge, Op::FLe, &[1, 0]),
    (Opcode::Div, Op::FDiv, &[0, 1]),
    (Opcode::Dlt, Op::FLt, &[0, 1]),
    (Opcode::Dmax, Op::FMax, &[0, 1]),
    (Opcode::Dmin, Op::FMin, &[0, 1]),
    (Opcode::Dmul, Op::FMul, &[0, 1]),
    (Opcode::Dne, Op::FNe, &[0, 1]),
    (Opcode::Drcp, Op::FRcp, &[0]),
    (Opcode::Dtof, Op::FConvert, &[0]),
    (Opcode::Dtoi, Op::FToS, &[0]),
    (Opcode::Dtou, Op::FToU, &[0]),
    (Opcode::Eq, Op::FEq, &[0, 1]),
    (Opcode::Exp, Op::FExp2, &[0]),
    (Opcode::FirstBitLo, Op::IFindLow, &[0]),
    (Opcode::Frc, Op::FFract, &[0]),
    (Opcode::Ftod, Op::FConvert, &[0]),
    (Opcode::Ftoi, Op::FToS, &[0]),
    (Opcode::Ftou, Op::FToU, &[0]),
    (Opcode::Ge, Op::FLe, &[1, 0]),
    (Opcode::Iadd, Op::IAdd, &[0, 1]),
    (Opcode::Ibfe, Op::SExtract, &[2, 1, 0]),
    (Opcode::Ieq, Op::IEq, &[0, 1]),
    (Opcode::Ige, Op::SLe, &[1, 0]),
    (Opcode::Ilt, Op::SLt, &[0, 1]),
    (Opcode::Imax, Op::SMax, &[0, 1]),
    (Opcode::Imin, Op::SMin, &[0, 1]),
    (Opcode::Ine, Op::INe, &[0, 1]),
    (Opcode::Ishl, Op::IShl, &[0, 1]),
    (Opcode::Ishr, Op::SShr, &[0, 1]),
    (Opcode::Itod, Op::SToF, &[0]),
    (Opcode::Itof, Op::SToF, &[0]),
    (Opcode::Log, Op::FLog2, &[0]),
    (Opcode::Lt, Op::FLt, &[0, 1]),
    (Opcode::Mad, Op::FMad, &[0, 1, 2]),
    (Opcode::Max, Op::FMax, &[0, 1]),
    (Opcode::Min, Op::FMin, &[0, 1]),
    (Opcode::Msad, Op::UMsad, &[0, 1, 2]),
    (Opcode::Mul, Op::FMul, &[0, 1]),
    (Opcode::Ne, Op::FNe, &[0, 1]),
    (Opcode::Not, Op::INot, &[0]),
    (Opcode::Or, Op::IOr, &[0, 1]),
    (Opcode::Rcp, Op::FRcp, &[0]),
    (Opcode::RoundNe, Op::FRound, &[0]),
    (Opcode::RoundNi, Op::FFloor, &[0]),
    (Opcode::RoundPi, Op::FCeil, &[0]),
    (Opcode::RoundZ, Op::FTrunc, &[0]),
    (Opcode::Rsq, Op::FRsqrt, &[0]),
    (Opcode::Sqrt, Op::FSqrt, &[0]),
    (Opcode::Ubfe, Op::UExtract, &[2, 1, 0]),
    (Opcode::Uge, Op::ULe, &[1, 0]),
    (Opcode::Ult, Op::ULt, &[0, 1]),
    (Opcode::Umax, Op::UMax, &[0, 1]),
    (Opcode::Umin, Op::UMin, &[0, 1]),
    (Opcode::Ushr, Op::UShr, &[0, 1]),
    (Opcode::Utod, Op::UToF, &[0]),
    (Opcode::Utof, Op::UToF, &[0]),
    (Opcode::Xor, Op::IXor, &[0, 1]),
];

/// Instructions with two destinations, an operation for each.
const PAIRED: &[(Opcode, [Op; 2])] = &[
    (Opcode::Imul, [Op::SMulHigh, Op::IMul]),
    (Opcode::Umul, [Op::UMulHigh, Op::IMul]),
    (Opcode::Udiv, [Op::UDiv, Op::URem]),
    (Opcode::Sincos, [Op::FSin, Op::FCos]),
];

impl Translator<'_> {
    pub(super) fn arithmetic(&mut self, instruction: &Instruction) -> Result<()> {
        let opcode = instruction.opcode;
        if let Some((_, op, order)) = COMPONENTWISE.iter().find(|row| row.0 == opcode) {
            return self.componentwise(instruction, *op, order);
        }
        if let Some((_, ops)) = PAIRED.iter().find(|row| row.0 == opcode) {
            return self.paired(instruction, *ops);
        }
        match opcode {
            Opcode::Uaddc => self.carried(instruction, Op::UAddCarry),
            Opcode::Usubb => self.carried(instruction, Op::USubBorrow),
            Opcode::Dp2 => self.dot(instruction, Op::FDot2, 2),
            Opcode::Dp3 => self.dot(instruction, Op::FDot3, 3),
            Opcode::Dp4 => self.dot(instruction, Op::FDot4, 4),
            Opcode::DerivRtx => self.derivative(instruction, Op::FDdx, Derivative::Any),
            Opcode::DerivRty => self.derivative(instruction, Op::FDdy, Derivative::Any),
            Opcode::DerivRtxCoarse => self.derivative(instruction, Op::FDdx, Derivative::Coarse),
            Opcode::DerivRtyCoarse => self.derivative(instruction, Op::FDdy, Derivative::Coarse),
            Opcode::DerivRtxFine => self.derivative(instruction, Op::FDdx, Derivative::Fine),
            Opcode::DerivRtyFine => self.derivative(instruction, Op::FDdy, Derivative::Fine),
            Opcode::Imad | Opcode::Umad => self.each(instruction, |this, ins, c| {
                let product = [this.source(ins, 1, c, Kind::Int)?, this.source(ins, 2, c, Kind::Int)?];
                let product = this.op(Op::IMul, &product);
                let sum = [product, this.source(ins, 3, c, Kind::Int)?];
                Ok(this.op(Op::IAdd, &sum))
            }),
            Opcode::Ineg => self.each(instruction, |this, ins, c| {
                let value = this.source(ins, 1, c, Kind::Int)?;
                let zero = this.word(0);
                Ok(this.op(Op::ISub, &[zero, value]))
            }),
            Opcode::Mov => self.each(instruction, |this, ins, c| this.source(ins, 1, c, Kind::Bits)),
            Opcode::Movc => self.each(instruction, |this, ins, c| {
                let condition = this.source(ins, 1, c, Kind::Mask)?;
                let condition = this.nonzero(condition);
                let values = [condition, this.source(ins, 2, c, Kind::Bits)?, this.source(ins, 3, c, Kind::Bits)?];
                Ok(this.op(Op::Select, &values))
            }),
            Opcode::Swapc => self.swap(instruction),
            Opcode::Dmov | Opcode::Dmovc => self.double_move(instruction),
            Opcode::FirstBitHi => self.first_bit_high(instruction, Op::UFindHigh),
            Opcode::FirstBitShi => self.first_bit_high(instruction, Op::SFindHigh),
            Opcode::F32ToF16 => self.each(instruction, |this, ins, c| {
                let value = this.source(ins, 1, c, Kind::Float)?;
                // 3.2.2: toward zero; f16 keeps its denormals.
                let attrs = Attrs::rules(Rules { rounding: Rounding::TowardZero, ..Rules::default() });
                let half = this.builder.value_of(Width::W16, Op::FConvert, attrs, &[value]);
                Ok(this.builder.value_of(Width::W32, Op::UExtend, Attrs::default(), &[half]))
            }),
            Opcode::F16ToF32 => self.each(instruction, |this, ins, c| {
                let value = this.unmodified(ins, 1, c)?;
                let half = this.builder.value_of(Width::W16, Op::ITruncate, Attrs::default(), &[value]);
                // 22.18: the number that the instruction works on is the half, so negation flips its sign.
                let half = this.modified(half, this.operand(ins, 1)?.modifier, Kind::Float)?;
                Ok(this.builder.value_of(Width::W32, Op::FConvert, Attrs::default(), &[half]))
            }),
            _ => Err(self.unsupported(instruction.info().name)),
        }
    }

    /// Computes a word for each component of the only destination, then writes them.
    fn each(
        &mut self,
        instruction: &Instruction,
        mut compute: impl FnMut(&mut Self, &Instruction, u8) -> Result<Value>,
    ) -> Result<()> {
        let destination = self.operand(instruction, 0)?;
        let mut values = Vec::new();
        let origin = self.builder.origin();
        for component in written(destination) {
            self.builder.set_origin(gpuproof_program::Origin { component, ..origin });
            let value = compute(self, instruction, component)?;
            values.push((component, self.saturated(instruction, value)));
        }
        self.builder.set_origin(origin);
        self.write(destination, &values)
    }

    pub(super) fn saturated(&mut self, instruction: &Instruction, value: Value) -> Value {
        if instruction.saturates() { self.op(Op::FSaturate, &[value]) } else { value }
    }

    fn precise(&self, instruction: &Instruction, component: u8) -> bool {
        instruction.precise_mask() >> component & 1 == 1
    }

    fn componentwise(&mut self, instruction: &Instruction, op: Op, order: &[u8]) -> Result<()> {
        let kinds: Vec<(bool, Kind)> = instruction.info().operands().collect();
        let destination = self.operand(instruction, 0)?;
        let wide = kinds[0].1 == Kind::Double;
        let components = written(destination);
        let mut values = Vec::new();
        // A destination of doubles takes two components for each.
        let step = if wide { 2 } else { 1 };
        let origin = self.builder.origin();
        for (nth, chunk) in components.chunks(step).enumerate() {
            let component = chunk[0];
            self.builder.set_origin(gpuproof_program::Origin { component, ..origin });
            let mut args = Vec::with_capacity(order.len());
            for source in order {
                let at = usize::from(*source) + 1;
                args.push(match kinds[at].1 {
                    // The first result of 32 bits takes the first pair, the second the second; a double takes what stands at its own place: xy
                    // the first double or word, zw the second (22.14, 22.15, 22.17.1 to 22.17.6).
                    Kind::Double => self.double(instruction, at, if wide { component / 2 } else { nth as u8 & 1 })?,
                    kind if wide => self.source(instruction, at, component / 2, kind)?,
                    kind => self.source(instruction, at, component, kind)?,
                });
            }
            let operand_width = self.builder.width(args[0]);
            let flushed = if op == Op::FConvert { Width::W32 } else { operand_width };
            let attrs = self.attrs(op, flushed, self.precise(instruction, component));
            let result = match op.row().results {
                [gpuproof_program::op::Slot::B] => {
                    let condition = self.builder.value(op, attrs, &args);
                    self.mask(condition)
                }
                [gpuproof_program::op::Slot::U] => {
                    self.builder.value_of(if wide { Width::W64 } else { Width::W32 }, op, attrs, &args)
                }
                _ => self.builder.value(op, attrs, &args),
            };
            let result = self.saturated(instruction, result);
            if wide {
                let [low, high] = self.split(result);
                values.push((component, low));
                values.extend(chunk.get(1).map(|second| (*second, high)));
            } else {
                values.push((component, result));
            }
        }
        self.builder.set_origin(origin);
        self.write(destination, &values)
    }

    /// Two destinations, each with its own mask; all is read before anything is written.
    fn paired(&mut self, instruction: &Instruction, ops: [Op; 2]) -> Result<()> {
        let kinds: Vec<(bool, Kind)> = instruction.info().operands().collect();
        let mut results = Vec::new();
        let origin = self.builder.origin();
        for (at, op) in ops.into_iter().enumerate() {
            let destination = self.operand(instruction, at)?;
            let mut values = Vec::new();
            if destination.file != super::super::operand::File::Null {
                for component in written(destination) {
                    self.builder.set_origin(gpuproof_program::Origin { component, ..origin });
                    let mut args = Vec::new();
                    for (source, (_, kind)) in kinds.iter().enumerate().skip(2) {
                        args.push(self.source(instruction, source, component, *kind)?);
                    }
                    let value = self.op(op, &args);
                    values.push((component, self.saturated(instruction, value)));
                }
            }
            results.push((destination, values));
        }
        self.builder.set_origin(origin);
        results.into_iter().try_for_each(|(destination, values)| self.write(destination, &values))
    }

    /// A sum or difference in the first destination, its carry or borrow as 0 or 1 in the second.
    fn carried(&mut self, instruction: &Instruction, op: Op) -> Result<()> {
        let (sum, carry) = (self.operand(instruction, 0)?, self.operand(instruction, 1)?);
        let (mut sums, mut carries) = (Vec::new(), Vec::new());
        for component in 0..4 {
            let (wants_sum, wants_carry) = (written(sum).contains(&component), written(carry).contains(&component));
            if !wants_sum && !wants_carry {
                continue;
            }
            let args = [self.source(instruction, 2, component, Kind::Uint)?, self.source(instruction, 3, component, Kind::Uint)?];
            let results = self.builder.emit(op, Attrs::default(), &args, &[Width::W32, Width::W1]);
            if wants_sum {
                sums.push((component, results[0]));
            }
            if wants_carry {
                let word = self.builder.value_of(Width::W32, Op::UExtend, Attrs::default(), &[results[1]]);
                carries.push((component, word));
            }
        }
        self.write(sum, &sums)?;
        self.write(carry, &carries)
    }

    /// One scalar for every component of the destination.
    fn dot(&mut self, instruction: &Instruction, op: Op, size: u8) -> Result<()> {
        let destination = self.operand(instruction, 0)?;
        let components = written(destination);
        let mut args = Vec::new();
        for at in 1..=2 {
            for component in 0..size {
                args.push(self.source(instruction, at, component, Kind::Float)?);
            }
        }
        let precise = components.iter().any(|component| self.precise(instruction, *component));
        let attrs = self.attrs(op, Width::W32, precise);
        let value = self.builder.value(op, attrs, &args);
        let value = self.saturated(instruction, value);
        let values: Vec<_> = components.into_iter().map(|component| (component, value)).collect();
        self.write(destination, &values)
    }

    fn derivative(&mut self, instruction: &Instruction, op: Op, derivative: Derivative) -> Result<()> {
        self.each(instruction, |this, ins, c| {
            let value = this.source(ins, 1, c, Kind::Float)?;
            let attrs = this.attrs(op, Width::W32, false).with_detail(Detail::Derivative(derivative));
            Ok(this.builder.value(op, attrs, &[value]))
        })
    }

    /// 22.11: counted from the most significant bit; all ones when there is none.
    fn first_bit_high(&mut self, instruction: &Instruction, op: Op) -> Result<()> {
        self.each(instruction, |this, ins, c| {
            let value = this.source(ins, 1, c, Kind::Uint)?;
            let low = this.op(op, &[value]);
            let (none, top) = (this.word(u32::MAX), this.word(31));
            let missing = this.op(Op::IEq, &[low, none]);
            let high = this.op(Op::ISub, &[top, low]);
            Ok(this.op(Op::Select, &[missing, none, high]))
        })
    }

    /// Exchanges two sources where the condition holds.
    fn swap(&mut self, instruction: &Instruction) -> Result<()> {
        let mut results = Vec::new();
        for at in 0..2 {
            let destination = self.operand(instruction, at)?;
            let mut values = Vec::new();
            for component in written(destination) {
                let condition = self.source(instruction, 2, component, Kind::Mask)?;
                let condition = self.nonzero(condition);
                let first = self.source(instruction, 3, component, Kind::Bits)?;
                let second = self.source(instruction, 4, component, Kind::Bits)?;
                let args = if at == 0 { [condition, second, first] } else { [condition, first, second] };
                values.push((component, self.op(Op::Select, &args)));
            }
            results.push((destination, values));
        }
        results.into_iter().try_for_each(|(destination, values)| self.write(destination, &values))
    }

    fn double_move(&mut self, instruction: &Instruction) -> Result<()> {
        let destination = self.operand(instruction, 0)?;
        let mut values = Vec::new();
        for chunk in written(destination).chunks(2) {
            let pair = chunk[0] / 2;
            let value = if instruction.opcode == Opcode::Dmov {
                self.double(instruction, 1, pair)?
            } else {
                // 22.16.2: xy are chosen by the first component after the swizzle, zw by the second.
                let condition = self.source(instruction, 1, pair, Kind::Mask)?;
                let condition = self.nonzero(condition);
                let args = [condition, self.double(instruction, 2, pair)?, self.double(instruction, 3, pair)?];
                self.op(Op::Select, &args)
            };
            let value = self.saturated(instruction, value);
            let words = self.split(value);
            values.extend(chunk.iter().copied().zip(words));
        }
        self.write(destination, &values)
    }
}
