//! Operations as expressions, by one table.

use super::build::Builder;
use super::group::operands;
use super::tree::{Axis, Binary, Builtin, Expr, Kind, Question, Scalar, Unary};
use crate::WriteError;
use gpuproof_program::{Derivative, Detail, Instruction, Op, Order, Range, Target, Value, Width};

/// How an operation is written that depends on its operands alone.
enum Form {
    Binary(Binary),
    Call(Builtin),
    /// A conversion of the number.
    Convert,
}

fn form(op: Op) -> Option<Form> {
    use Form::{Binary as B, Call as C};
    Some(match op {
        Op::FAdd | Op::IAdd => B(Binary::Add),
        Op::FSub | Op::ISub => B(Binary::Sub),
        Op::FMul | Op::IMul => B(Binary::Mul),
        Op::FDiv | Op::SDiv | Op::UDiv => B(Binary::Div),
        Op::SRem | Op::URem => B(Binary::Rem),
        Op::IAnd => B(Binary::And),
        Op::IOr => B(Binary::Or),
        Op::IXor => B(Binary::Xor),
        Op::IShl => B(Binary::Shl),
        Op::UShr | Op::SShr => B(Binary::Shr),
        Op::FEq | Op::IEq => B(Binary::Eq),
        Op::FNe | Op::INe => B(Binary::Ne),
        Op::FLt | Op::SLt | Op::ULt => B(Binary::Lt),
        Op::FLe | Op::SLe | Op::ULe => B(Binary::Le),
        Op::FSqrt => C(Builtin::Sqrt),
        Op::FRsqrt => C(Builtin::Rsqrt),
        Op::FExp2 => C(Builtin::Exp2),
        Op::FLog2 => C(Builtin::Log2),
        Op::FExp => C(Builtin::Exp),
        Op::FLog => C(Builtin::Log),
        Op::FSin => C(Builtin::Sin),
        Op::FCos => C(Builtin::Cos),
        Op::FAsin => C(Builtin::Asin),
        Op::FAcos => C(Builtin::Acos),
        Op::FAtan => C(Builtin::Atan),
        Op::FAtan2 => C(Builtin::Atan2),
        Op::FFloor => C(Builtin::Floor),
        Op::FCeil => C(Builtin::Ceil),
        Op::FTrunc => C(Builtin::Trunc),
        Op::FRound => C(Builtin::Round),
        Op::FFract => C(Builtin::Fract),
        Op::FSign => C(Builtin::Sign),
        Op::FLdexp => C(Builtin::Ldexp),
        Op::FFma => C(Builtin::Fma),
        Op::FSaturate => C(Builtin::Saturate),
        Op::SMin | Op::UMin => C(Builtin::Min),
        Op::SMax | Op::UMax => C(Builtin::Max),
        Op::UExtract | Op::SExtract => C(Builtin::ExtractBits),
        Op::IInsert => C(Builtin::InsertBits),
        Op::IReverse => C(Builtin::ReverseBits),
        Op::ICount => C(Builtin::CountBits),
        Op::IFindLow => C(Builtin::FindLow),
        Op::UFindHigh | Op::SFindHigh => C(Builtin::FindHigh),
        Op::UMulHigh | Op::SMulHigh => C(Builtin::MulHigh),
        Op::SToF | Op::UToF => Form::Convert,
        _ => return None,
    })
}

/// The opposite sign.
pub(super) fn minus(inner: Expr) -> Expr {
    match inner.kind {
        Kind::Unary(Unary::Minus, again) => *again,
        Kind::Literal(bits) if inner.ty.scalar == Scalar::F32 => Expr::literal(Scalar::F32, bits ^ 0x8000_0000),
        _ => Expr { ty: inner.ty, kind: Kind::Unary(Unary::Minus, Box::new(inner)) },
    }
}

/// The opposite truth.
pub(super) fn not(inner: Expr) -> Expr {
    match inner.kind {
        Kind::Unary(Unary::Not, again) => *again,
        _ => Expr { ty: inner.ty, kind: Kind::Unary(Unary::Not, Box::new(inner)) },
    }
}

/// What is subtracted where this is added.
fn subtracted(expr: &Expr) -> Option<Expr> {
    match &expr.kind {
        Kind::Unary(Unary::Minus, inner) => Some((**inner).clone()),
        Kind::Literal(bits) if expr.ty.scalar == Scalar::F32 => {
            let negative = bits >> 31 == 1 && f32::from_bits(*bits).is_finite();
            negative.then(|| Expr::literal(Scalar::F32, bits & 0x7fff_ffff))
        }
        Kind::Literal(bits) if expr.ty.scalar == Scalar::I32 && (*bits as i32) < 0 && *bits != 0x8000_0000 => {
            Some(Expr::literal(Scalar::I32, bits.wrapping_neg()))
        }
        _ => None,
    }
}

/// A sum; `x + -y` is x - y and `-x + y` is y - x, bit for bit.
fn sum(a: Expr, b: Expr, scalar: Scalar) -> Expr {
    if let Some(b) = subtracted(&b) {
        return Expr::binary(Binary::Sub, scalar, a, b);
    }
    match (subtracted(&a), &a.kind) {
        (Some(a), Kind::Unary(..)) => Expr::binary(Binary::Sub, scalar, b, a),
        _ => Expr::binary(Binary::Add, scalar, a, b),
    }
}

impl Builder<'_> {
    /// The expression of a group.
    pub(super) fn expression(&mut self, members: &[&Instruction]) -> Result<Expr, WriteError> {
        let first = members[0];
        match first.op {
            Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => return self.load(members),
            Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic => return self.atomic(first),
            Op::TexelAtomic => return self.texel_atomic(first),
            Op::TexelLoad => return self.lookup(first, Question::Load),
            Op::TextureSamples => return self.lookup(first, Question::Samples),
            Op::SampleLevel => return self.lookup(first, Question::Level),
            Op::Sample | Op::Gather => {
                let Detail::Sampling(sampling) = first.attrs.detail else { return Err(self.unsupported(first, "this lookup")) };
                let question = if first.op == Op::Sample { Question::Sample } else { Question::Gather };
                return self.lookup(first, question(sampling));
            }
            Op::BufferSize | Op::CounterAlloc | Op::CounterConsume => return self.question(first),
            Op::InputAt => return self.input_at(members),
            _ => {}
        }
        let half = |value: &Value| self.facts.width(*value) == Width::W16;
        let carries = matches!(first.op, Op::FConvert | Op::UExtend | Op::ITruncate | Op::Select);
        if !carries && first.args.iter().chain(&first.results).any(half) {
            return Err(self.unsupported(first, "arithmetic on numbers of 16 bits"));
        }
        let narrow = |value: &Value| matches!(self.facts.width(*value), Width::W8 | Width::W64);
        if first.args.iter().chain(&first.results).any(narrow) {
            return Err(self.unsupported(first, "numbers of 8 or 64 bits"));
        }
        let result = self.facts.ty(first.results[0]);
        let mut args: Vec<Expr> = Vec::new();
        for operand in operands(&self.facts, members) {
            let scalar = operand.ty.unwrap_or_else(|| self.kept_type(first, result));
            args.push(self.vector(&operand.values, scalar));
        }
        self.operation(first, args, result)
    }

    /// The type of an operand that the operation does not fix.
    fn kept_type(&self, instruction: &Instruction, result: Scalar) -> Scalar {
        let own = |value: &Value| {
            let leaf = self.facts.definitions.get(*value).is_some_and(|found| matches!(found.op, Op::Const | Op::Undef));
            (!leaf).then(|| self.facts.ty(*value))
        };
        match instruction.op {
            Op::IEq | Op::INe => instruction.args.iter().filter_map(own).find(|ty| *ty != Scalar::F32).unwrap_or(Scalar::U32),
            _ => result,
        }
    }

    fn operation(&self, first: &Instruction, args: Vec<Expr>, result: Scalar) -> Result<Expr, WriteError> {
        let size = args.iter().map(Expr::size).max().unwrap_or(1);
        let width = |value: Value| self.facts.width(value);
        if let Some(form) = form(first.op) {
            return Ok(match form {
                Form::Binary(op) => binary(op, result, args),
                Form::Convert => Expr::new(result, size, Kind::Convert(Box::new(one(args)))),
                Form::Call(builtin) => {
                    // Offsets and widths of fields are numbers for vectors too.
                    let wide = match builtin {
                        Builtin::ExtractBits => 1,
                        Builtin::InsertBits => 2,
                        _ => args.len(),
                    };
                    let all = args.into_iter().enumerate();
                    let all = all.map(|(at, arg)| if at < wide { arg.widened(size) } else { arg }).collect();
                    Expr::call(builtin, result, size, all)
                }
            });
        }
        Ok(match first.op {
            Op::FMad => {
                let [a, b, c] = three(args);
                let product = |a: Expr, b: Expr| Expr::binary(Binary::Mul, Scalar::F32, a, b);
                // c + -a * b is c - a * b, bit for bit.
                match (subtracted(&a), subtracted(&b), &c.kind) {
                    (Some(a), _, _) => Expr::binary(Binary::Sub, Scalar::F32, c, product(a, b)),
                    (_, Some(b), _) => Expr::binary(Binary::Sub, Scalar::F32, c, product(a, b)),
                    _ => sum(product(a, b), c, Scalar::F32),
                }
            }
            Op::FDot2 | Op::FDot3 | Op::FDot4 => {
                let count = first.args.len() / 2;
                Expr::call(Builtin::Dot, Scalar::F32, 1, args.into_iter().map(|arg| arg.widened(count)).collect())
            }
            Op::FRcp => {
                let one_ = Expr::literal(Scalar::F32, 1f32.to_bits());
                Expr::binary(Binary::Div, Scalar::F32, one_, one(args))
            }
            Op::FMin | Op::FMax => {
                let builtin = match (first.op, first.attrs.rules.order) {
                    (Op::FMin, Order::NanLoses) => Builtin::MinNumber,
                    (Op::FMin, Order::Literal) => Builtin::MinLiteral,
                    (_, Order::NanLoses) => Builtin::MaxNumber,
                    (_, Order::Literal) => Builtin::MaxLiteral,
                };
                Expr::call(builtin, Scalar::F32, size, args.into_iter().map(|arg| arg.widened(size)).collect())
            }
            Op::FToS | Op::FToU => {
                let builtin = if first.op == Op::FToS { Builtin::ClampToInt } else { Builtin::ClampToUint };
                match first.attrs.rules.range {
                    Range::Clamp => Expr::call(builtin, result, size, args),
                    Range::ClampToFloat => Expr::new(result, size, Kind::Convert(Box::new(one(args)))),
                }
            }
            Op::INot if result == Scalar::Bool => not(one(args)),
            Op::INot => Expr { ty: args[0].ty, kind: Kind::Unary(Unary::Complement, Box::new(one(args))) },
            Op::Select => {
                let [condition, yes, no] = three(args).map(|arg| arg.widened(size));
                Expr::new(result, size, Kind::Select(Box::new([condition, yes, no])))
            }
            Op::FConvert => match (width(first.args[0]), width(first.results[0])) {
                (Width::W32, Width::W16) => Expr::call(Builtin::FloatToHalf, Scalar::U32, size, args),
                (Width::W16, Width::W32) => Expr::call(Builtin::HalfToFloat, Scalar::F32, size, args),
                _ => return Err(self.unsupported(first, "this conversion of floats")),
            },
            Op::UExtend | Op::SExtend if width(first.args[0]) == Width::W1 => {
                let ones = if first.op == Op::SExtend { u32::MAX } else { 1 };
                let [yes, no] = [ones, 0].map(|bits| Expr::literal(Scalar::U32, bits).widened(size));
                Expr::new(Scalar::U32, size, Kind::Select(Box::new([one(args), yes, no])))
            }
            // A half is the word that it is the low half of.
            Op::UExtend if width(first.args[0]) == Width::W16 => one(args),
            Op::ITruncate if width(first.results[0]) == Width::W16 => {
                let mask = Expr::literal(Scalar::U32, 0xffff).widened(size);
                Expr::binary(Binary::And, Scalar::U32, one(args), mask)
            }
            Op::ITruncate if width(first.results[0]) == Width::W1 => {
                let low = Expr::literal(Scalar::U32, 1).widened(size);
                let bit = Expr::binary(Binary::And, Scalar::U32, one(args), low);
                Expr::binary(Binary::Ne, Scalar::Bool, bit, Expr::literal(Scalar::U32, 0).widened(size))
            }
            Op::FDdx | Op::FDdy => {
                let axis = if first.op == Op::FDdx { Axis::X } else { Axis::Y };
                let derivative = match first.attrs.detail {
                    Detail::Derivative(derivative) => derivative,
                    _ => Derivative::Any,
                };
                Expr::call(Builtin::Derivative(axis, derivative), Scalar::F32, size, args)
            }
            _ => return Err(WriteError::operation(self.facts.program, first)),
        })
    }

    /// The size of a buffer, or a counter.
    fn question(&mut self, first: &Instruction) -> Result<Expr, WriteError> {
        let Target::Resource(id) = first.attrs.target else { return Err(self.unsupported(first, "this buffer")) };
        let many = self.facts.program.interface.resource(id).count != Some(1);
        let element = many.then(|| Box::new(self.integer(first.args[0])));
        let kind = match first.op {
            Op::BufferSize => Kind::BufferSize(id, element),
            op => Kind::Counter(id, element, op == Op::CounterAlloc),
        };
        Ok(Expr::new(Scalar::U32, 1, kind))
    }

    /// An input evaluated elsewhere in the pixel.
    fn input_at(&mut self, members: &[&Instruction]) -> Result<Expr, WriteError> {
        let first = members[0];
        let (Target::Input(id, _), Detail::Evaluation(evaluation)) = (first.attrs.target, first.attrs.detail) else {
            return Err(self.unsupported(first, "this input"));
        };
        let base = self.facts.program.interface.input(id).mask.trailing_zeros() as u8;
        let component = |member: &&Instruction| match member.attrs.target {
            Target::Input(_, component) => Some(component.saturating_sub(base)),
            _ => None,
        };
        let components: Vec<u8> = members.iter().filter_map(component).collect();
        let args = match evaluation {
            gpuproof_program::Evaluation::Centroid => Vec::new(),
            gpuproof_program::Evaluation::Sample => vec![self.vector(&first.args[..1], Scalar::U32)],
            gpuproof_program::Evaluation::Snapped => vec![self.vector(&first.args[..2], Scalar::I32).widened(2)],
        };
        let size = super::build::input_size(self.facts.program, id);
        let whole = Expr::new(Scalar::F32, size, Kind::InputAt(id, evaluation, args));
        Ok(if size == 1 { whole } else { whole.components(&components) })
    }
}

fn one(mut args: Vec<Expr>) -> Expr {
    args.swap_remove(0)
}

fn three(args: Vec<Expr>) -> [Expr; 3] {
    let mut all = args.into_iter();
    std::array::from_fn(|_| all.next().unwrap_or_else(|| Expr::literal(Scalar::U32, 0)))
}

fn binary(op: Binary, result: Scalar, args: Vec<Expr>) -> Expr {
    let mut all = args.into_iter();
    let mut next = || all.next().unwrap_or_else(|| Expr::literal(Scalar::U32, 0));
    let (a, b) = (next(), next());
    let size = a.size().max(b.size());
    // Only arithmetic on floats takes a number beside a vector in every language.
    let mixed = result == Scalar::F32 && matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div);
    let (a, b) = if mixed { (a, b) } else { (a.widened(size), b.widened(size)) };
    // Nothing added, or shifted by.
    let nothing = matches!(b.kind, Kind::Literal(0)) && b.ty.scalar != Scalar::F32;
    if nothing
        && matches!(op, Binary::Add | Binary::Sub | Binary::Shl | Binary::Shr | Binary::Or | Binary::Xor)
        && result != Scalar::Bool
    {
        return a;
    }
    match op {
        Binary::Add => sum(a, b, result),
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => Expr::binary(op, Scalar::Bool, a, b),
        _ => Expr::binary(op, result, a, b),
    }
}
