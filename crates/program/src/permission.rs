//! Which results the source language allows an instruction beside the canonical one.
//!
//! One map from the table of operations to the functions and rules of [`gpuproof_number::allowed`], which has the facts.

use crate::{Attrs, Choice, Denormals, Detail, Dialect, Function, Instruction, Node, Op, Program, Refactor, Rounding, Width};
use gpuproof_number as number;
use gpuproof_number::allowed::{self, Flushing, Format, Operation, Permission, Specification, Type};

/// The functions that an operation may compute otherwise than canonically, one a result.
///
/// `t` is the width of the first operand, `u` that of the first result. None for an operation with one result only, which is the canonical one:
/// integers, bits, moves, memory. Of `f.ddx` and `f.ddy` the operands are the values of two lanes, the farther one less the nearer one.
pub fn operations(op: Op, attrs: &Attrs, t: Width, u: Width, dialect: Dialect) -> Option<Vec<Operation>> {
    use allowed::Function as F;
    let float = |width: Width| Format::of_bits(width.bits()).map(Type::Float);
    let signed = |width: Width| Some(Type::Signed(width.bits()));
    let unsigned = |width: Width| Some(Type::Unsigned(width.bits()));
    let normalized = match attrs.detail {
        Detail::Norm(norm) if norm.signed => Some(Type::Signed(norm.bits.into())),
        Detail::Norm(norm) => Some(Type::Unsigned(norm.bits.into())),
        _ => None,
    };
    let permission = permission(op, attrs, dialect);
    let one = |function: F, operand: Option<Type>, result: Option<Type>| {
        Some(vec![Operation { function, operand: operand?, result: result?, permission }])
    };
    let (function, result) = match op {
        Op::FAdd => (F::Add, float(t)),
        Op::FSub => (F::Sub, float(t)),
        Op::FMul => (F::Mul, float(t)),
        Op::FDiv => (F::Div, float(t)),
        Op::FMad => (F::Mad, float(t)),
        Op::FFma => (F::Fma, float(t)),
        Op::FDot2 => (F::Dot2, float(t)),
        Op::FDot3 => (F::Dot3, float(t)),
        Op::FDot4 => (F::Dot4, float(t)),
        Op::FSqrt => (F::Sqrt, float(t)),
        Op::FRsqrt => (F::Rsqrt, float(t)),
        Op::FRcp => (F::Rcp, float(t)),
        Op::FExp2 => (F::Exp2, float(t)),
        Op::FLog2 => (F::Log2, float(t)),
        Op::FExp => (F::Exp, float(t)),
        Op::FLog => (F::Log, float(t)),
        Op::FSin => (F::Sin, float(t)),
        Op::FCos => (F::Cos, float(t)),
        Op::FAsin => (F::Asin, float(t)),
        Op::FAcos => (F::Acos, float(t)),
        Op::FAtan => (F::Atan, float(t)),
        Op::FAtan2 => (F::Atan2, float(t)),
        Op::FMin => (F::Min, float(t)),
        Op::FMax => (F::Max, float(t)),
        Op::FSaturate => (F::Saturate, float(t)),
        Op::FFloor => (F::Floor, float(t)),
        Op::FCeil => (F::Ceil, float(t)),
        Op::FTrunc => (F::Trunc, float(t)),
        Op::FRound => (F::Round, float(t)),
        Op::FFract => (F::Fract, float(t)),
        Op::FAbs => (F::Abs, float(t)),
        Op::FNeg => (F::Neg, float(t)),
        Op::FSign => (F::Sign, float(t)),
        Op::FDdx | Op::FDdy => (F::Derivative, float(t)),
        Op::FLdexp => (F::Ldexp, float(t)),
        Op::FConvert => (F::Convert, float(u)),
        Op::FEq => (F::Equal, Some(Type::Truth)),
        Op::FNe => (F::NotEqual, Some(Type::Truth)),
        Op::FLt => (F::Less, Some(Type::Truth)),
        Op::FLe => (F::LessEqual, Some(Type::Truth)),
        Op::FToS => (F::ToInteger, signed(u)),
        Op::FToU => (F::ToInteger, unsigned(u)),
        Op::SToF => return one(F::FromInteger, signed(t), float(u)),
        Op::UToF => return one(F::FromInteger, unsigned(t), float(u)),
        Op::FToNorm => (F::ToNormalized, normalized),
        Op::NormToF => return one(F::FromNormalized, normalized, float(u)),
        Op::FFrexp => {
            let mut both = one(F::FrexpFraction, float(t), float(t))?;
            both.extend(one(F::FrexpExponent, float(t), Some(Type::Signed(32)))?);
            return Some(both);
        }
        _ => return None,
    };
    one(function, float(t), result)
}

impl Instruction {
    /// [`operations`] of this instruction of a function.
    pub fn allowed(&self, function: &Function, dialect: Dialect) -> Option<Vec<Operation>> {
        let width = |values: &[crate::Value]| values.first().map(|value| function.width(*value));
        let u = width(&self.results)?;
        let t = width(&self.args).unwrap_or(u);
        operations(self.op, &self.attrs, t, u, dialect)
    }
}

/// The same program with operations that may be refactored, of a program of Direct3D that lets none be: without its global flag `refactoringAllowed`, which
/// shader model 4 does not have, everything counts as precise (D3D11 22.3.2).
pub fn refactorable(program: &Program) -> Option<Program> {
    let mut all = Vec::new();
    for function in &program.functions {
        crate::walk(&function.body, &mut |node| {
            if let Node::Op(made) = node
                && made.op.choices().contains(&Choice::Refactor)
            {
                all.push(made.attrs.rules.refactor);
            }
        });
    }
    if program.dialect != Dialect::D3D11 || all.is_empty() || all.contains(&Refactor::Allowed) {
        return None;
    }
    let mut program = program.clone();
    for function in &mut program.functions {
        crate::walk_mut(&mut function.body, &mut |node| {
            if let Node::Op(made) = node
                && made.op.choices().contains(&Choice::Refactor)
            {
                made.attrs.rules.refactor = Refactor::Allowed;
            }
        });
    }
    Some(program)
}

/// The rules of an instruction in the words of [`allowed`].
fn permission(op: Op, attrs: &Attrs, dialect: Dialect) -> Permission {
    let rules = &attrs.rules;
    let (specification, flushing) = match (dialect, rules.denormals) {
        (Dialect::Wgsl, _) => (Specification::Wgsl, Flushing::Optional),
        (Dialect::D3D11, Denormals::Flush) => (Specification::D3D11, Flushing::Always),
        (Dialect::D3D11, Denormals::Keep | Denormals::Preserve) => (Specification::D3D11, Flushing::Never),
        (Dialect::Vulkan, Denormals::Keep) => (Specification::Vulkan, Flushing::Optional),
        (Dialect::Vulkan, Denormals::Flush) => (Specification::Vulkan, Flushing::Always),
        (Dialect::Vulkan, Denormals::Preserve) => (Specification::Vulkan, Flushing::Never),
    };
    Permission {
        specification,
        flushing,
        refactor: op.choices().contains(&Choice::Refactor) && rules.refactor == Refactor::Allowed,
        rounding: match rules.rounding {
            Rounding::NearestEven | Rounding::OnlyNearest => number::Rounding::NearestEven,
            Rounding::TowardZero => number::Rounding::TowardZero,
        },
        directed: dialect == Dialect::Vulkan && rules.rounding != Rounding::NearestEven,
    }
}
