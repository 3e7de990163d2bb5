//! Constants: specialization constants take the options' values or their own, and operations on them are evaluated.

use super::binary::Inst;
use super::error::{Result, bad, unsupported};
use super::types::{MAX_NUMBERS, Ty, Types};
use gpuproof_number as number;
use gpuproof_program::{Kind, ScalarType, Width};
use rspirv::spirv::Op;
use std::collections::HashMap;
use std::rc::Rc;

/// The most numbers of all constants together.
const MAX_ALL: usize = 1 << 22;

/// The numbers of a constant; none is undefined.
pub(super) type Numbers = Rc<[Option<u64>]>;

/// The constants of a module.
#[derive(Debug, Default)]
pub(super) struct Constants {
    known: HashMap<u32, (u32, Numbers)>,
    total: usize,
}

impl Constants {
    pub(super) fn get(&self, id: u32) -> Option<&(u32, Numbers)> {
        self.known.get(&id)
    }

    /// The one number of a constant that is an integer.
    pub(super) fn word(&self, id: u32) -> Option<u64> {
        match self.known.get(&id).map(|(_, numbers)| &numbers[..]) {
            Some([Some(bits)]) => Some(*bits),
            _ => None,
        }
    }

    fn numbers(&self, id: u32) -> Result<Numbers> {
        self.known
            .get(&id)
            .map_or_else(|| bad(format!("%{id} is no constant declared before")), |(_, numbers)| Ok(numbers.clone()))
    }

    fn type_of(&self, id: u32) -> Result<u32> {
        self.known.get(&id).map_or_else(|| bad(format!("%{id} is no constant declared before")), |(ty, _)| Ok(*ty))
    }

    pub(super) fn define(&mut self, id: u32, ty: u32, numbers: Numbers) -> Result<()> {
        self.total += numbers.len();
        if self.total > MAX_ALL {
            return unsupported(format!("constants of more than {MAX_ALL} numbers"));
        }
        match self.known.insert(id, (ty, numbers)) {
            None => Ok(()),
            Some(_) => bad(format!("%{id} is declared twice")),
        }
    }

    /// Evaluates a constant's instruction; `given` is the value that the options give a specialization constant.
    pub(super) fn evaluate(&mut self, types: &Types, inst: &Inst, given: Option<u64>) -> Result<()> {
        let (Some(id), Some(ty)) = (inst.result, inst.result_type) else { return bad("a constant without a type") };
        if inst.op == Op::ConstantNull
            && !matches!(types.get(ty)?, Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(..) | Ty::Array(..) | Ty::Struct(_))
        {
            return unsupported(format!("a null of the type %{ty}"));
        }
        let count = types.count(ty)?;
        let numbers: Vec<Option<u64>> = match inst.op {
            Op::ConstantTrue => vec![Some(1)],
            Op::ConstantFalse => vec![Some(0)],
            Op::SpecConstantTrue | Op::SpecConstantFalse => {
                vec![Some(given.unwrap_or(u64::from(inst.op == Op::SpecConstantTrue)))]
            }
            Op::Constant | Op::SpecConstant => {
                let scalar = types.scalar(ty)?;
                let bits = u64::from(inst.at(0)) | u64::from(inst.at(1)) << 32;
                vec![Some(given.unwrap_or(bits) & scalar.width.mask())]
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let mut numbers = Vec::with_capacity(count);
                for part in &inst.operands {
                    numbers.extend_from_slice(&self.numbers(*part)?);
                    if numbers.len() > MAX_NUMBERS {
                        return unsupported(format!("a constant of more than {MAX_NUMBERS} numbers"));
                    }
                }
                numbers
            }
            Op::ConstantNull => vec![Some(0); count],
            Op::Undef => vec![None; count],
            Op::SpecConstantOp => self.operation(types, inst, ty)?,
            other => return unsupported(format!("the constant instruction Op{other:?}")),
        };
        if numbers.len() != count {
            return bad(format!("a constant of {} numbers, where its type %{ty} has {count}", numbers.len()));
        }
        self.define(id, ty, numbers.into())
    }

    /// An operation on constants.
    fn operation(&self, types: &Types, inst: &Inst, ty: u32) -> Result<Vec<Option<u64>>> {
        let Some(op) = Op::from_u32(inst.at(0)) else { return bad(format!("the opcode {} on constants", inst.at(0))) };
        let operands = inst.rest(1);
        let numbers = |at: usize| self.numbers(operands.get(at).copied().unwrap_or(0));
        match op {
            Op::VectorShuffle => {
                let both: Vec<Option<u64>> = numbers(0)?.iter().chain(numbers(1)?.iter()).copied().collect();
                let pick = |index: &u32| if *index == u32::MAX { Some(None) } else { both.get(*index as usize).copied() };
                let picked: Option<Vec<_>> = operands.get(2..).unwrap_or(&[]).iter().map(pick).collect();
                return picked.map_or_else(|| bad("a shuffle of components that the vectors lack"), Ok);
            }
            Op::CompositeExtract => {
                let whole = numbers(0)?;
                let (part, first) = self.walk(types, self.type_of(inst.at(1))?, operands.get(1..).unwrap_or(&[]))?;
                let end = first + types.count(part)?;
                return whole
                    .get(first..end)
                    .map_or_else(|| bad("an extract of what the constant lacks"), |part| Ok(part.to_vec()));
            }
            Op::CompositeInsert => {
                let (object, mut whole) = (numbers(0)?, numbers(1)?.to_vec());
                let (_, first) = self.walk(types, self.type_of(inst.at(2))?, operands.get(2..).unwrap_or(&[]))?;
                return match whole.get_mut(first..first + object.len()) {
                    Some(room) => {
                        room.copy_from_slice(&object);
                        Ok(whole)
                    }
                    None => bad("an insertion where the constant has nothing"),
                };
            }
            _ => {}
        }
        let args = operands.iter().map(|id| self.numbers(*id)).collect::<Result<Vec<_>>>()?;
        let from = match operands.last() {
            Some(last) => types.scalar(self.type_of(*last)?)?,
            None => return bad("an operation without operands"),
        };
        let to = types.scalar(ty)?;
        (0..types.count(ty)?)
            .map(|i| {
                let at = |arg: &Numbers| match arg.len() {
                    1 => Some(arg[0]),
                    _ => arg.get(i).copied(),
                };
                let parts: Option<Vec<Option<u64>>> = args.iter().map(at).collect();
                match parts {
                    None => bad("an operation on vectors that differ in size"),
                    Some(parts) => match parts.into_iter().collect::<Option<Vec<u64>>>() {
                        Some(parts) => component(op, from, to, &parts).map(Some),
                        None => Ok(None),
                    },
                }
            })
            .collect()
    }

    /// The part of a type that indices lead to.
    fn walk(&self, types: &Types, mut ty: u32, indices: &[u32]) -> Result<(u32, usize)> {
        let mut first = 0;
        for index in indices {
            let (part, at) = types.part(ty, *index)?;
            (ty, first) = (part, first + at);
        }
        Ok((ty, first))
    }
}

/// One component of an operation on numbers of the type `from`.
fn component(op: Op, from: ScalarType, to: ScalarType, args: &[u64]) -> Result<u64> {
    let at = |i: usize| args.get(i).copied().unwrap_or(0);
    let (a, b) = (at(0), at(1));
    let bits = from.width.bits();
    let signed = |v: u64| ((v << (64 - bits)) as i64) >> (64 - bits);
    let (sa, sb) = (signed(a), signed(b));
    let truth = |v: bool| Ok(u64::from(v));
    let value = match op {
        Op::SNegate => 0u64.wrapping_sub(a),
        Op::Not => !a,
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv | Op::UMod | Op::SDiv | Op::SRem | Op::SMod if b == 0 => {
            return unsupported("a division of specialization constants by zero, which is undefined");
        }
        Op::UDiv => a / b,
        Op::UMod => a % b,
        Op::SDiv => sa.wrapping_div(sb) as u64,
        Op::SRem => sa.wrapping_rem(sb) as u64,
        Op::SMod => {
            let rest = sa.wrapping_rem(sb);
            (if rest != 0 && (rest < 0) != (sb < 0) { rest.wrapping_add(sb) } else { rest }) as u64
        }
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic if b >= u64::from(to.width.bits()) => {
            return unsupported("a shift of specialization constants by their width or more, which is undefined");
        }
        Op::ShiftLeftLogical => a << b,
        Op::ShiftRightLogical => a >> b,
        Op::ShiftRightArithmetic => {
            let unused = 64 - to.width.bits();
            (((a << unused) as i64 >> unused) >> b) as u64
        }
        Op::BitwiseOr | Op::LogicalOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::BitwiseAnd | Op::LogicalAnd => a & b,
        Op::LogicalNot => a ^ 1,
        Op::LogicalEqual | Op::IEqual => return truth(a == b),
        Op::LogicalNotEqual | Op::INotEqual => return truth(a != b),
        Op::ULessThan => return truth(a < b),
        Op::ULessThanEqual => return truth(a <= b),
        Op::UGreaterThan => return truth(a > b),
        Op::UGreaterThanEqual => return truth(a >= b),
        Op::SLessThan => return truth(sa < sb),
        Op::SLessThanEqual => return truth(sa <= sb),
        Op::SGreaterThan => return truth(sa > sb),
        Op::SGreaterThanEqual => return truth(sa >= sb),
        Op::Select => {
            if a == 1 {
                b
            } else {
                at(2)
            }
        }
        Op::UConvert => a,
        Op::SConvert => sa as u64,
        Op::FConvert => convert(from.width, to.width, a),
        Op::QuantizeToF16 => convert(Width::W16, Width::W32, convert(Width::W32, Width::W16, a)),
        other => return unsupported(format!("Op{other:?} on specialization constants")),
    };
    Ok(value & to.width.mask())
}

/// From one float format to another, to nearest even.
fn convert(from: Width, to: Width, bits: u64) -> u64 {
    let (nearest, keep) = (number::Rounding::NearestEven, number::Denormals::Keep);
    let wide = match from {
        Width::W16 => number::float64::from_f32(number::float16::to_f32(bits as u16), keep),
        Width::W64 => bits,
        _ => number::float64::from_f32(bits as u32, keep),
    };
    match to {
        Width::W16 => number::float16::from_f64(wide, nearest).into(),
        Width::W64 => wide,
        _ => number::float64::to_f32(wide, nearest, keep).into(),
    }
}

/// The bits of a specialization constant's value, if its type has that value.
pub(super) fn given_bits(ty: ScalarType, value: f64) -> Option<u64> {
    let bits = ty.width.bits();
    match ty.kind {
        _ if !value.is_finite() => None,
        Kind::Float => Some(convert(Width::W64, ty.width, value.to_bits())),
        Kind::Bool => Some(u64::from(value != 0.0)),
        Kind::Sint => {
            let limit = 2f64.powi(bits as i32 - 1);
            (value.fract() == 0.0 && value >= -limit && value < limit).then_some(value as i64 as u64 & ty.width.mask())
        }
        _ => (value.fract() == 0.0 && value >= 0.0 && value < 2f64.powi(bits as i32)).then_some(value as u64),
    }
}
