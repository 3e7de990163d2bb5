//! Which row operation does what an operation of the table means at a width.

use super::rows::Kernel;
use gpuproof_program::{Denormals, Division, Field, Op, Order, Range, Rules, Width};

/// The row operation for operands that hold no subnormal f32, for one that flushes them.
pub(super) fn for_clean_operands(kernel: Kernel) -> Kernel {
    match kernel {
        Kernel::AddFlush => Kernel::AddClean,
        Kernel::SubFlush => Kernel::SubClean,
        Kernel::MulFlush => Kernel::MulClean,
        Kernel::DivFlush => Kernel::DivClean,
        Kernel::MadFlush => Kernel::MadClean,
        other => other,
    }
}

/// The row operation, if one does it: most have rows for 32 bits only, what is bitwise for all widths up to that.
pub(super) fn kernel_of(op: Op, rules: &Rules, t: Width, u: Width) -> Option<Kernel> {
    if t == Width::W64 || u == Width::W64 {
        return None;
    }
    let by_bits = match op {
        Op::Select => Some(Kernel::Select),
        Op::IAnd => Some(Kernel::And),
        Op::IOr => Some(Kernel::Or),
        Op::IXor => Some(Kernel::Xor),
        Op::IEq => Some(Kernel::IEq),
        Op::INe => Some(Kernel::INe),
        Op::INot if t == Width::W1 || t == Width::W32 => Some(Kernel::Not),
        // A truth value is a mask already.
        Op::SExtend if t == Width::W1 && u == Width::W32 => Some(Kernel::Copy),
        Op::UExtend if t == Width::W1 => Some(Kernel::Unit),
        Op::UExtend => Some(Kernel::Copy),
        Op::ITruncate if u == Width::W1 => Some(Kernel::Truth),
        _ => None,
    };
    if by_bits.is_some() || t != Width::W32 {
        return by_bits;
    }
    let flushes = rules.denormals == Denormals::Flush;
    let pick = |keep: Kernel, flush: Kernel| Some(if flushes { flush } else { keep });
    let ones = rules.division == Division::AllOnes;
    let by_zero = |all_ones: Kernel, identity: Kernel| Some(if ones { all_ones } else { identity });
    let field = |kernel: Kernel| (rules.field == Field::LowBits).then_some(kernel);
    match op {
        Op::FAdd => pick(Kernel::Add, Kernel::AddFlush),
        Op::FSub => pick(Kernel::Sub, Kernel::SubFlush),
        Op::FMul => pick(Kernel::Mul, Kernel::MulFlush),
        Op::FDiv => pick(Kernel::Div, Kernel::DivFlush),
        Op::FMad => pick(Kernel::Mad, Kernel::MadFlush),
        Op::FRcp => pick(Kernel::Rcp, Kernel::RcpFlush),
        Op::FSqrt => pick(Kernel::Sqrt, Kernel::SqrtFlush),
        Op::FRsqrt => pick(Kernel::Rsqrt, Kernel::RsqrtFlush),
        Op::FExp2 => pick(Kernel::Exp2, Kernel::Exp2Flush),
        Op::FExp => pick(Kernel::Exp, Kernel::ExpFlush),
        Op::FLog2 => pick(Kernel::Log2, Kernel::Log2Flush),
        Op::FLog => pick(Kernel::Log, Kernel::LogFlush),
        Op::FSin => pick(Kernel::Sin, Kernel::SinFlush),
        Op::FCos => pick(Kernel::Cos, Kernel::CosFlush),
        Op::FFloor => pick(Kernel::Floor, Kernel::FloorFlush),
        Op::FCeil => pick(Kernel::Ceil, Kernel::CeilFlush),
        Op::FTrunc => pick(Kernel::Trunc, Kernel::TruncFlush),
        Op::FRound => pick(Kernel::Round, Kernel::RoundFlush),
        Op::FFract => pick(Kernel::Fract, Kernel::FractFlush),
        Op::FMin if rules.order == Order::NanLoses => pick(Kernel::Min, Kernel::MinFlush),
        Op::FMin => pick(Kernel::MinLiteral, Kernel::MinLiteralFlush),
        Op::FMax if rules.order == Order::NanLoses => pick(Kernel::Max, Kernel::MaxFlush),
        Op::FMax => pick(Kernel::MaxLiteral, Kernel::MaxLiteralFlush),
        Op::FSaturate => pick(Kernel::Saturate, Kernel::SaturateFlush),
        Op::FSign => pick(Kernel::Sign, Kernel::SignFlush),
        Op::FAbs => Some(Kernel::Abs),
        Op::FNeg => Some(Kernel::Neg),
        Op::FEq => pick(Kernel::FEq, Kernel::FEqFlush),
        Op::FNe => pick(Kernel::FNe, Kernel::FNeFlush),
        Op::FLt => pick(Kernel::FLt, Kernel::FLtFlush),
        Op::FLe => pick(Kernel::FLe, Kernel::FLeFlush),
        // A flushed subnormal and a kept one are both 0 as integers.
        Op::FToS if u == Width::W32 && rules.range == Range::Clamp => Some(Kernel::ToSigned),
        Op::FToS if u == Width::W32 => Some(Kernel::ToSignedFloat),
        Op::FToU if u == Width::W32 && rules.range == Range::Clamp => Some(Kernel::ToUnsigned),
        Op::FToU if u == Width::W32 => Some(Kernel::ToUnsignedFloat),
        Op::SToF if u == Width::W32 => Some(Kernel::FromSigned),
        Op::UToF if u == Width::W32 => Some(Kernel::FromUnsigned),
        Op::IAdd => Some(Kernel::IAdd),
        Op::ISub => Some(Kernel::ISub),
        Op::IMul => Some(Kernel::IMul),
        Op::SMulHigh => Some(Kernel::SMulHigh),
        Op::UMulHigh => Some(Kernel::UMulHigh),
        Op::UDiv => by_zero(Kernel::UDivOnes, Kernel::UDivIdentity),
        Op::URem => by_zero(Kernel::URemOnes, Kernel::URemIdentity),
        Op::SDiv => by_zero(Kernel::SDivOnes, Kernel::SDivIdentity),
        Op::SRem => by_zero(Kernel::SRemOnes, Kernel::SRemIdentity),
        Op::IShl => Some(Kernel::Shl),
        Op::UShr => Some(Kernel::Shr),
        Op::SShr => Some(Kernel::Sar),
        Op::SLt => Some(Kernel::SLt),
        Op::SLe => Some(Kernel::SLe),
        Op::ULt => Some(Kernel::ULt),
        Op::ULe => Some(Kernel::ULe),
        Op::SMin => Some(Kernel::SMin),
        Op::SMax => Some(Kernel::SMax),
        Op::UMin => Some(Kernel::UMin),
        Op::UMax => Some(Kernel::UMax),
        Op::UExtract => field(Kernel::UExtract),
        Op::SExtract => field(Kernel::SExtract),
        Op::IInsert => field(Kernel::Insert),
        Op::IReverse => Some(Kernel::Reverse),
        Op::ICount => Some(Kernel::Count),
        Op::IFindLow => Some(Kernel::FindLow),
        Op::UFindHigh => Some(Kernel::UFindHigh),
        Op::SFindHigh => Some(Kernel::SFindHigh),
        // Row forms are an optimisation: what has none runs lane by lane.
        _ => None,
    }
}
