//! Operations that depend on their operands alone, by one table.

use super::function::{Code, View};
use super::module::Scalar;
use crate::WriteError;
use gpuproof_program::{Instruction, Op, Refactor, Value, Width};
use rspirv::spirv::GlslStd450Op as GLOp;
use rspirv::spirv::{Decoration, Op as S, Word};

/// An instruction, of SPIR-V or of GLSL.std.450.
#[derive(Clone, Copy)]
enum Name {
    Core(S),
    Glsl(GLOp),
}

/// How an operation is written: the instruction, how operands are seen, and how its result is.
struct Row {
    name: Name,
    operands: View,
    result: Seen,
}

/// What a result is.
#[derive(Clone, Copy)]
enum Seen {
    Bits,
    Float,
    Truth,
}

fn row(op: Op) -> Option<Row> {
    use Name::{Core, Glsl};
    use Seen::{Bits, Float, Truth};
    let (name, operands, result) = match op {
        Op::FAdd => (Core(S::FAdd), View::Float, Float),
        Op::FSub => (Core(S::FSub), View::Float, Float),
        Op::FMul => (Core(S::FMul), View::Float, Float),
        Op::FDiv => (Core(S::FDiv), View::Float, Float),
        Op::FNeg => (Core(S::FNegate), View::Float, Float),
        Op::FEq => (Core(S::FOrdEqual), View::Float, Truth),
        Op::FNe => (Core(S::FUnordNotEqual), View::Float, Truth),
        Op::FLt => (Core(S::FOrdLessThan), View::Float, Truth),
        Op::FLe => (Core(S::FOrdLessThanEqual), View::Float, Truth),
        Op::FFma => (Glsl(GLOp::Fma), View::Float, Float),
        Op::FSqrt => (Glsl(GLOp::Sqrt), View::Float, Float),
        Op::FRsqrt => (Glsl(GLOp::InverseSqrt), View::Float, Float),
        Op::FExp2 => (Glsl(GLOp::Exp2), View::Float, Float),
        Op::FLog2 => (Glsl(GLOp::Log2), View::Float, Float),
        Op::FExp => (Glsl(GLOp::Exp), View::Float, Float),
        Op::FLog => (Glsl(GLOp::Log), View::Float, Float),
        Op::FSin => (Glsl(GLOp::Sin), View::Float, Float),
        Op::FCos => (Glsl(GLOp::Cos), View::Float, Float),
        Op::FAsin => (Glsl(GLOp::Asin), View::Float, Float),
        Op::FAcos => (Glsl(GLOp::Acos), View::Float, Float),
        Op::FAtan => (Glsl(GLOp::Atan), View::Float, Float),
        Op::FAtan2 => (Glsl(GLOp::Atan2), View::Float, Float),
        Op::FMin => (Glsl(GLOp::NMin), View::Float, Float),
        Op::FMax => (Glsl(GLOp::NMax), View::Float, Float),
        Op::FFloor => (Glsl(GLOp::Floor), View::Float, Float),
        Op::FCeil => (Glsl(GLOp::Ceil), View::Float, Float),
        Op::FTrunc => (Glsl(GLOp::Trunc), View::Float, Float),
        Op::FRound => (Glsl(GLOp::RoundEven), View::Float, Float),
        Op::FFract => (Glsl(GLOp::Fract), View::Float, Float),
        Op::FAbs => (Glsl(GLOp::FAbs), View::Float, Float),
        Op::FToS => (Core(S::ConvertFToS), View::Float, Bits),
        Op::FToU => (Core(S::ConvertFToU), View::Float, Bits),
        Op::SToF => (Core(S::ConvertSToF), View::Bits, Float),
        Op::UToF => (Core(S::ConvertUToF), View::Bits, Float),
        Op::IAdd => (Core(S::IAdd), View::Bits, Bits),
        Op::ISub => (Core(S::ISub), View::Bits, Bits),
        Op::IMul => (Core(S::IMul), View::Bits, Bits),
        Op::SDiv => (Core(S::SDiv), View::Bits, Bits),
        Op::SRem => (Core(S::SRem), View::Bits, Bits),
        Op::UDiv => (Core(S::UDiv), View::Bits, Bits),
        Op::URem => (Core(S::UMod), View::Bits, Bits),
        Op::IShl => (Core(S::ShiftLeftLogical), View::Bits, Bits),
        Op::UShr => (Core(S::ShiftRightLogical), View::Bits, Bits),
        Op::SShr => (Core(S::ShiftRightArithmetic), View::Bits, Bits),
        Op::SLt => (Core(S::SLessThan), View::Bits, Truth),
        Op::SLe => (Core(S::SLessThanEqual), View::Bits, Truth),
        Op::ULt => (Core(S::ULessThan), View::Bits, Truth),
        Op::ULe => (Core(S::ULessThanEqual), View::Bits, Truth),
        Op::SMin => (Glsl(GLOp::SMin), View::Bits, Bits),
        Op::SMax => (Glsl(GLOp::SMax), View::Bits, Bits),
        Op::UMin => (Glsl(GLOp::UMin), View::Bits, Bits),
        Op::UMax => (Glsl(GLOp::UMax), View::Bits, Bits),
        Op::UExtract => (Core(S::BitFieldUExtract), View::Bits, Bits),
        Op::SExtract => (Core(S::BitFieldSExtract), View::Bits, Bits),
        Op::IInsert => (Core(S::BitFieldInsert), View::Bits, Bits),
        Op::IReverse => (Core(S::BitReverse), View::Bits, Bits),
        Op::ICount => (Core(S::BitCount), View::Bits, Bits),
        Op::IFindLow => (Glsl(GLOp::FindILsb), View::Bits, Bits),
        Op::UFindHigh => (Glsl(GLOp::FindUMsb), View::Bits, Bits),
        Op::SFindHigh => (Glsl(GLOp::FindSMsb), View::Bits, Bits),
        _ => return None,
    };
    Some(Row { name, operands, result })
}

/// The instruction between words and that between truth values.
fn bitwise(op: Op) -> Option<(S, S)> {
    Some(match op {
        Op::IAnd => (S::BitwiseAnd, S::LogicalAnd),
        Op::IOr => (S::BitwiseOr, S::LogicalOr),
        Op::IXor => (S::BitwiseXor, S::LogicalNotEqual),
        Op::INot => (S::Not, S::LogicalNot),
        Op::IEq => (S::IEqual, S::LogicalEqual),
        Op::INe => (S::INotEqual, S::LogicalNotEqual),
        _ => return None,
    })
}

impl<'p> Code<'_, 'p> {
    /// Writes an operation.
    pub(super) fn instruction(&mut self, instruction: &'p Instruction) -> Result<(), WriteError> {
        if let Some(row) = row(instruction.op) {
            return self.row(&row, instruction);
        }
        if let Some((words, truths)) = bitwise(instruction.op) {
            let truth = self.width(instruction.args[0]) == Width::W1;
            let args: Vec<Word> = instruction.args.iter().map(|value| self.bits(*value)).collect();
            let ty = self.scalar(Scalar::of(self.width(instruction.results[0])));
            let result = self.on(if truth { truths } else { words }, ty, &args);
            self.define(instruction.results[0], View::Bits, result);
            return Ok(());
        }
        match instruction.op {
            // Made where they are used.
            Op::Const | Op::Undef => Ok(()),
            Op::Select => self.select(instruction),
            Op::FSaturate => self.saturate(instruction),
            Op::FConvert => self.convert_float(instruction),
            Op::FLdexp | Op::FFrexp => self.exponent(instruction),
            Op::UExtend | Op::SExtend | Op::ITruncate => self.resize(instruction),
            Op::SMulHigh | Op::UMulHigh => self.high_half(instruction),
            Op::UAddCarry | Op::USubBorrow => self.carry(instruction),
            Op::Call => self.call(instruction),
            _ => self.effectful(instruction),
        }
    }

    fn precise(&mut self, instruction: &Instruction, id: Word) {
        if instruction.attrs.rules.refactor == Refactor::Precise
            && instruction.op.choices().contains(&gpuproof_program::Choice::Refactor)
        {
            self.w.module.decorate(id, Decoration::NoContraction, Vec::new());
        }
    }

    fn row(&mut self, row: &Row, instruction: &Instruction) -> Result<(), WriteError> {
        if instruction.args.iter().any(|value| matches!(self.width(*value), Width::W8 | Width::W16)) {
            return Err(self.refuse(instruction, "numbers of 8 or 16 bits"));
        }
        let args: Vec<Word> = instruction.args.iter().map(|value| self.view(*value, row.operands)).collect();
        let result = instruction.results[0];
        let width = self.width(result);
        let (scalar, view) = match row.result {
            Seen::Float => (Scalar::float(width), View::Float),
            Seen::Bits => (Scalar::of(width), View::Bits),
            Seen::Truth => (Scalar::Bool, View::Bits),
        };
        let ty = self.scalar(scalar);
        let id = match row.name {
            Name::Core(op) => self.on(op, ty, &args),
            Name::Glsl(op) => self.glsl(op, ty, &args),
        };
        self.precise(instruction, id);
        self.define(result, view, id);
        Ok(())
    }

    /// Chosen as floats where both sides are floats already.
    fn select(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let [condition, yes, no] = [0, 1, 2].map(|at| instruction.args[at]);
        let result = instruction.results[0];
        let float = [yes, no].iter().all(|value| self.is_float(*value));
        let view = if float { View::Float } else { View::Bits };
        let scalar = if float { Scalar::float(self.width(result)) } else { Scalar::of(self.width(result)) };
        let args = [self.bits(condition), self.view(yes, view), self.view(no, view)];
        let ty = self.scalar(scalar);
        let id = self.on(S::Select, ty, &args);
        self.define(result, view, id);
        Ok(())
    }

    fn saturate(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (x, result) = (instruction.args[0], instruction.results[0]);
        let scalar = Scalar::float(self.width(x));
        let one = if scalar == Scalar::F64 { 1f64.to_bits() } else { 1f32.to_bits().into() };
        let args = [self.float(x), self.w.module.constant(scalar, 0), self.w.module.constant(scalar, one)];
        let ty = self.scalar(scalar);
        let id = self.glsl(GLOp::NClamp, ty, &args);
        self.define(result, View::Float, id);
        Ok(())
    }

    fn convert_float(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (x, result) = (instruction.args[0], instruction.results[0]);
        match (self.width(x), self.width(result)) {
            (Width::W32, Width::W64) | (Width::W64, Width::W32) => {
                let (ty, x) = (self.scalar(Scalar::float(self.width(result))), self.float(x));
                let id = self.on(S::FConvert, ty, &[x]);
                self.define(result, View::Float, id);
            }
            (Width::W16, Width::W32) => {
                let (pair, x) = (self.w.module.vector(Scalar::F32, 2), self.bits(x));
                let both = self.glsl(GLOp::UnpackHalf2x16, pair, &[x]);
                let ty = self.scalar(Scalar::F32);
                let id = self.part(ty, both, 0);
                self.define(result, View::Float, id);
            }
            _ => return Err(self.unsupported(instruction)),
        }
        Ok(())
    }

    fn exponent(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let x = instruction.args[0];
        let scalar = Scalar::float(self.width(x));
        let (ty, x) = (self.scalar(scalar), self.float(x));
        if instruction.op == Op::FLdexp {
            let by = self.bits(instruction.args[1]);
            let int = self.scalar(Scalar::I32);
            let by = self.on(S::Bitcast, int, &[by]);
            let id = self.glsl(GLOp::Ldexp, ty, &[x, by]);
            self.define(instruction.results[0], View::Float, id);
            return Ok(());
        }
        let word = self.scalar(Scalar::U32);
        let members = vec![rspirv::dr::Operand::IdRef(ty), rspirv::dr::Operand::IdRef(word)];
        let pair = self.w.module.ty(S::TypeStruct, members);
        let both = self.glsl(GLOp::FrexpStruct, pair, &[x]);
        let (fraction, exponent) = (self.part(ty, both, 0), self.part(word, both, 1));
        self.define(instruction.results[0], View::Float, fraction);
        self.define(instruction.results[1], View::Bits, exponent);
        Ok(())
    }

    fn resize(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let (x, result) = (instruction.args[0], instruction.results[0]);
        let (from, to) = (self.width(x), self.width(result));
        let (id, scalar) = (self.bits(x), Scalar::of(to));
        let ty = self.scalar(scalar);
        let word = |width: Width| matches!(width, Width::W8 | Width::W16 | Width::W32);
        let made = match (instruction.op, from, to) {
            (_, Width::W1, _) => {
                let ones = if instruction.op == Op::SExtend { to.mask() } else { 1 };
                let (yes, no) = (self.w.module.constant(scalar, ones), self.w.module.constant(scalar, 0));
                self.on(S::Select, ty, &[id, yes, no])
            }
            (_, _, Width::W1) => {
                let one = self.w.module.constant(Scalar::of(from), 1);
                let own = self.scalar(Scalar::of(from));
                let low = self.on(S::BitwiseAnd, own, &[id, one]);
                let zero = self.w.module.constant(Scalar::of(from), 0);
                self.on(S::INotEqual, ty, &[low, zero])
            }
            (Op::UExtend, ..) if word(from) && word(to) => id,
            (Op::UExtend, ..) => self.on(S::UConvert, ty, &[id]),
            (Op::SExtend, ..) => {
                let word_type = self.scalar(Scalar::U32);
                let signed = if from == Width::W32 {
                    id
                } else {
                    let (zero, bits) = (self.w.module.word(0), self.w.module.word(from.bits()));
                    self.on(S::BitFieldSExtract, word_type, &[id, zero, bits])
                };
                match to {
                    Width::W64 => self.on(S::SConvert, ty, &[signed]),
                    _ => self.masked(signed, to),
                }
            }
            (_, Width::W64, _) => {
                let low = self.on(S::UConvert, ty, &[id]);
                self.masked(low, to)
            }
            _ => self.masked(id, to),
        };
        self.define(result, View::Bits, made);
        Ok(())
    }

    /// The low bits of a word.
    fn masked(&mut self, word: Word, width: Width) -> Word {
        if width == Width::W32 {
            return word;
        }
        let (ty, mask) = (self.scalar(Scalar::U32), self.w.module.word(width.mask() as u32));
        self.on(S::BitwiseAnd, ty, &[word, mask])
    }

    /// A structure of two words, and the type of each.
    fn pair(&mut self, op: S, width: Width, args: &[Word]) -> (Word, Word) {
        let ty = self.scalar(Scalar::of(width));
        let members = vec![rspirv::dr::Operand::IdRef(ty); 2];
        let pair = self.w.module.ty(S::TypeStruct, members);
        (self.on(op, pair, args), ty)
    }

    fn high_half(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let width = self.width(instruction.args[0]);
        let args = [self.bits(instruction.args[0]), self.bits(instruction.args[1])];
        let op = if instruction.op == Op::SMulHigh { S::SMulExtended } else { S::UMulExtended };
        let (both, ty) = self.pair(op, width, &args);
        let high = self.part(ty, both, 1);
        self.define(instruction.results[0], View::Bits, high);
        Ok(())
    }

    fn carry(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let width = self.width(instruction.args[0]);
        let args = [self.bits(instruction.args[0]), self.bits(instruction.args[1])];
        let op = if instruction.op == Op::UAddCarry { S::IAddCarry } else { S::ISubBorrow };
        let (both, ty) = self.pair(op, width, &args);
        let (low, high) = (self.part(ty, both, 0), self.part(ty, both, 1));
        let (truth, zero) = (self.scalar(Scalar::Bool), self.w.module.constant(Scalar::of(width), 0));
        let carried = self.on(S::INotEqual, truth, &[high, zero]);
        self.define(instruction.results[0], View::Bits, low);
        self.define(instruction.results[1], View::Bits, carried);
        Ok(())
    }

    /// Whether a value is held as a float or is a constant.
    fn is_float(&self, value: Value) -> bool {
        self.has(value, View::Float) || self.w.constant(self.id, value).is_some_and(|bits| bits != 0)
    }
}
