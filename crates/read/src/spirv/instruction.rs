//! Instructions inside blocks.

use super::binary::Inst;
use super::error::{Result, bad, unsupported};
use super::lower::Lower;
use super::memory::{Pointer, Root, Val};
use super::module::Set;
use super::types::{Layout, Ty};
use gpuproof_program::{Attrs, Derivative, Detail, Op, Rounding, Rules, Value, Width};
use rspirv::spirv::{Op as S, StorageClass};

/// The most elements of a value that a chain of selects picks from.
const MAX_SELECTS: usize = 64;

/// Instructions that are one operation a component, of their operands in order or exchanged.
const COMPONENTWISE: &[(S, Op, bool)] = &[
    (S::FNegate, Op::FNeg, false),
    (S::FAdd, Op::FAdd, false),
    (S::FSub, Op::FSub, false),
    (S::FMul, Op::FMul, false),
    (S::FDiv, Op::FDiv, false),
    (S::IAdd, Op::IAdd, false),
    (S::ISub, Op::ISub, false),
    (S::IMul, Op::IMul, false),
    (S::UDiv, Op::UDiv, false),
    (S::SDiv, Op::SDiv, false),
    (S::UMod, Op::URem, false),
    (S::SRem, Op::SRem, false),
    (S::BitwiseOr, Op::IOr, false),
    (S::BitwiseXor, Op::IXor, false),
    (S::BitwiseAnd, Op::IAnd, false),
    (S::Not, Op::INot, false),
    (S::LogicalEqual, Op::IEq, false),
    (S::LogicalNotEqual, Op::INe, false),
    (S::LogicalOr, Op::IOr, false),
    (S::LogicalAnd, Op::IAnd, false),
    (S::LogicalNot, Op::INot, false),
    (S::IEqual, Op::IEq, false),
    (S::INotEqual, Op::INe, false),
    (S::UGreaterThan, Op::ULt, true),
    (S::SGreaterThan, Op::SLt, true),
    (S::UGreaterThanEqual, Op::ULe, true),
    (S::SGreaterThanEqual, Op::SLe, true),
    (S::ULessThan, Op::ULt, false),
    (S::SLessThan, Op::SLt, false),
    (S::ULessThanEqual, Op::ULe, false),
    (S::SLessThanEqual, Op::SLe, false),
    (S::FOrdEqual, Op::FEq, false),
    (S::FUnordNotEqual, Op::FNe, false),
    (S::FOrdLessThan, Op::FLt, false),
    (S::FOrdGreaterThan, Op::FLt, true),
    (S::FOrdLessThanEqual, Op::FLe, false),
    (S::FOrdGreaterThanEqual, Op::FLe, true),
    (S::BitReverse, Op::IReverse, false),
    (S::Select, Op::Select, false),
];

/// Comparisons that are true with NaN: the contrary of an ordered one.
const UNORDERED: &[(S, Op, bool)] = &[
    (S::FUnordLessThan, Op::FLe, true),
    (S::FUnordGreaterThan, Op::FLe, false),
    (S::FUnordLessThanEqual, Op::FLt, true),
    (S::FUnordGreaterThanEqual, Op::FLt, false),
];

impl Lower<'_> {
    /// An instruction that neither begins nor ends a block.
    pub(super) fn instruction(&mut self, inst: &Inst) -> Result<()> {
        if let Some((_, op, swap)) = COMPONENTWISE.iter().find(|(known, ..)| *known == inst.op) {
            let operands = self.operands(inst, 0)?;
            let mut args: Vec<&[Value]> = operands.iter().map(|operand| &operand[..]).collect();
            if *swap {
                args.reverse();
            }
            let numbers = self.each(*op, &args)?;
            return self.numbers_of(inst, numbers);
        }
        if let Some((_, op, swap)) = UNORDERED.iter().find(|(known, ..)| *known == inst.op) {
            let operands = self.operands(inst, 0)?;
            let args = if *swap { [&operands[1][..], &operands[0][..]] } else { [&operands[0][..], &operands[1][..]] };
            let ordered = self.each(*op, &args)?;
            let numbers = self.each(Op::INot, &[&ordered])?;
            return self.numbers_of(inst, numbers);
        }
        match inst.op {
            S::Nop | S::Line | S::NoLine | S::Phi | S::SelectionMerge | S::LoopMerge | S::AssumeTrueKHR => Ok(()),
            S::Undef => {
                let widths = self.d.types.widths(inst.result_type.unwrap_or(0))?;
                let numbers = widths.iter().map(|width| self.b.undef(*width)).collect();
                self.numbers_of(inst, numbers)
            }
            S::Variable => self.function_variable(inst),
            S::Load => {
                let place = self.pointer(inst.at(0))?;
                self.check_type(inst, &place)?;
                let val = self.load(&place)?;
                self.define(inst, val)
            }
            S::Store => {
                let place = self.pointer(inst.at(0))?;
                let numbers = self.numbers(inst.at(1))?;
                self.store(&place, &numbers)
            }
            S::CopyMemory => {
                let (to, from) = (self.pointer(inst.at(0))?, self.pointer(inst.at(1))?);
                match self.load(&from)? {
                    Val::Numbers(numbers) => self.store(&to, &numbers),
                    _ => bad("a copy of what is no value"),
                }
            }
            S::AccessChain | S::InBoundsAccessChain => self.access_chain(inst),
            S::ArrayLength => self.array_length(inst),
            S::ImageTexelPointer => self.texel_pointer(inst),
            S::CopyObject => {
                let val = self.val(inst.at(0))?;
                self.define(inst, val)
            }
            S::CopyLogical => {
                let numbers = self.numbers(inst.at(0))?;
                self.numbers_of(inst, numbers.to_vec())
            }
            S::FunctionCall => self.function_call(inst),
            S::ExtInst => match self.m.sets.get(&inst.at(0)) {
                Some(Set::Glsl) => self.extended(inst),
                Some(Set::NonSemantic) => Ok(()),
                Some(Set::Other(name)) => {
                    unsupported(format!("the instruction set {:?}", name.chars().take(60).collect::<String>()))
                }
                None => bad(format!("%{} is no instruction set", inst.at(0))),
            },
            S::SampledImage | S::Image => self.combine(inst),
            S::ImageQuerySizeLod | S::ImageQuerySize | S::ImageQueryLod | S::ImageQueryLevels | S::ImageQuerySamples => {
                self.query(inst)
            }
            S::ImageSparseTexelsResident => self.resident(inst),
            S::ControlBarrier => self.control_barrier(inst),
            S::MemoryBarrier => self.memory_barrier(inst),
            S::DemoteToHelperInvocation => {
                let always = self.b.constant(Width::W1, 1);
                self.b.effect(Op::Demote, Attrs::default(), &[always]);
                Ok(())
            }
            S::IsHelperInvocationEXT => {
                let helper = self.b.value_of(Width::W1, Op::IsHelper, Attrs::default(), &[]);
                self.numbers_of(inst, vec![helper])
            }
            S::DPdx | S::DPdy | S::DPdxFine | S::DPdyFine | S::DPdxCoarse | S::DPdyCoarse => {
                let numbers = self.numbers(inst.at(0))?;
                let along_x = matches!(inst.op, S::DPdx | S::DPdxFine | S::DPdxCoarse);
                let numbers = self.derivative(inst.op, along_x, &numbers)?;
                self.numbers_of(inst, numbers)
            }
            S::Fwidth | S::FwidthFine | S::FwidthCoarse => {
                // The sum of the derivatives' magnitudes.
                let numbers = self.numbers(inst.at(0))?;
                let (x, y) = (self.derivative(inst.op, true, &numbers)?, self.derivative(inst.op, false, &numbers)?);
                let (x, y) = (self.each(Op::FAbs, &[&x])?, self.each(Op::FAbs, &[&y])?);
                let numbers = self.each(Op::FAdd, &[&x, &y])?;
                self.numbers_of(inst, numbers)
            }
            op if format!("{op:?}").starts_with("Atomic") => self.atomic(inst),
            op if format!("{op:?}").starts_with("GroupNonUniform") || format!("{op:?}").starts_with("Subgroup") => {
                self.group(inst)
            }
            _ => {
                if self.composite(inst)?
                    || self.arithmetic(inst)?
                    || self.conversion(inst)?
                    || self.sample(inst)?
                    || self.texel(inst)?
                {
                    return Ok(());
                }
                unsupported("this instruction has no counterpart in a program")
            }
        }
    }

    /// The numbers of the operands from one on.
    fn operands(&mut self, inst: &Inst, from: usize) -> Result<Vec<Vec<Value>>> {
        inst.rest(from).iter().map(|id| Ok(self.numbers(*id)?.to_vec())).collect()
    }

    fn check_type(&self, inst: &Inst, place: &Pointer) -> Result<()> {
        match inst.result_type {
            Some(ty) if ty == place.ty => Ok(()),
            _ => bad(format!("a load of a type other than %{}, which the pointer has", place.ty)),
        }
    }

    fn function_variable(&mut self, inst: &Inst) -> Result<()> {
        let Ty::Pointer(class, ty) = self.d.types.get(inst.result_type.unwrap_or(0))? else {
            return bad("a variable whose type is no pointer");
        };
        let ty = *ty;
        if *class != StorageClass::Function {
            return unsupported(format!("a variable of the storage class {class:?} in a function"));
        }
        let (Some(id), initial) = (inst.result, inst.operands.get(1).copied()) else { return bad("a variable without a name") };
        let first = self.calls.len() == 1;
        let root = self.variable(id, ty, initial, first)?;
        self.define(inst, Val::Pointer(Pointer { root, ty, layout: Layout::Explicit(None), offset: 0, computed: None }))
    }

    fn derivative(&mut self, op: S, along_x: bool, numbers: &[Value]) -> Result<Vec<Value>> {
        let which = match op {
            S::DPdxFine | S::DPdyFine | S::FwidthFine => Derivative::Fine,
            S::DPdxCoarse | S::DPdyCoarse | S::FwidthCoarse => Derivative::Coarse,
            _ => Derivative::Any,
        };
        let op = if along_x { Op::FDdx } else { Op::FDdy };
        self.each_with(&[numbers], |l, parts| {
            let attrs = l.detailed(op, l.b.width(parts[0]), Detail::Derivative(which));
            l.with(op, attrs, parts)
        })
    }

    /// The part of a value that indices lead to: its first number and how many it has.
    fn part_of(&self, id: u32, indices: &[u32]) -> Result<(usize, usize)> {
        let (mut ty, mut first) = (self.type_of(id)?, 0);
        for index in indices {
            let (part, at) = self.d.types.part(ty, *index)?;
            (ty, first) = (part, first + at);
        }
        Ok((first, self.d.types.count(ty)?))
    }

    /// Instructions that put values together and take them apart, if the instruction is one.
    fn composite(&mut self, inst: &Inst) -> Result<bool> {
        let numbers: Vec<Value> = match inst.op {
            S::CompositeConstruct => self.operands(inst, 0)?.concat(),
            S::CompositeExtract => {
                let (first, count) = self.part_of(inst.at(0), inst.rest(1))?;
                let whole = self.numbers(inst.at(0))?;
                match whole.get(first..first + count) {
                    Some(part) => part.to_vec(),
                    None => return bad("a part that the value lacks"),
                }
            }
            S::CompositeInsert => {
                let (first, count) = self.part_of(inst.at(1), inst.rest(2))?;
                let (object, mut whole) = (self.numbers(inst.at(0))?, self.numbers(inst.at(1))?.to_vec());
                match whole.get_mut(first..first + count) {
                    Some(room) if room.len() == object.len() => room.copy_from_slice(&object),
                    _ => return bad("a part that the value lacks"),
                }
                whole
            }
            S::VectorShuffle => {
                let both = [self.numbers(inst.at(0))?, self.numbers(inst.at(1))?].concat();
                let width = both.first().map_or(Width::W32, |value| self.b.width(*value));
                let mut picked = Vec::new();
                for index in inst.rest(2) {
                    picked.push(match both.get(*index as usize) {
                        Some(value) => *value,
                        None if *index == u32::MAX => self.b.undef(width),
                        None => return bad(format!("the component {index} of two vectors of {}", both.len())),
                    });
                }
                picked
            }
            S::VectorExtractDynamic => {
                let (vector, index) = (self.numbers(inst.at(0))?, self.index_word(inst.at(1))?);
                vec![self.pick(&vector, index)?]
            }
            S::VectorInsertDynamic => {
                let (vector, object, index) = (self.numbers(inst.at(0))?, self.number(inst.at(1))?, self.index_word(inst.at(2))?);
                let mut result = Vec::new();
                for (i, value) in (0..).zip(vector.iter()) {
                    self.component(i as usize);
                    let at = self.b.word(i);
                    let here = self.op(Op::IEq, &[index, at])?;
                    result.push(self.op(Op::Select, &[here, object, *value])?);
                }
                result
            }
            S::Transpose => {
                let (columns, rows) = self.d.types.shape(self.type_of(inst.at(0))?)?;
                let whole = self.numbers(inst.at(0))?;
                (0..rows)
                    .flat_map(|row| (0..columns).map(move |column| column * rows + row))
                    .filter_map(|i| whole.get(i).copied())
                    .collect()
            }
            _ => return Ok(false),
        };
        self.spend(numbers.len() / 4)?;
        self.numbers_of(inst, numbers)?;
        Ok(true)
    }

    fn index_word(&mut self, id: u32) -> Result<Value> {
        let signed = self.is_signed(id)?;
        let number = self.number(id)?;
        self.resize(number, Width::W32, signed)
    }

    /// The number at a computed index, past the end the last.
    fn pick(&mut self, numbers: &[Value], index: Value) -> Result<Value> {
        if numbers.len() > MAX_SELECTS {
            return unsupported("a computed index into a value of many numbers");
        }
        let Some((last, others)) = numbers.split_last() else { return bad("an index into nothing") };
        let mut picked = *last;
        for (i, value) in (0..).zip(others).collect::<Vec<_>>().into_iter().rev() {
            let at = self.b.word(i);
            let here = self.op(Op::IEq, &[index, at])?;
            picked = self.op(Op::Select, &[here, *value, picked])?;
        }
        Ok(picked)
    }

    /// Arithmetic that is more than one operation a component, if the instruction is such.
    fn arithmetic(&mut self, inst: &Inst) -> Result<bool> {
        let numbers: Vec<Value> = match inst.op {
            S::SNegate => {
                let numbers = self.numbers(inst.at(0))?;
                let zero = self.zero(&numbers);
                self.each(Op::ISub, &[&[zero], &numbers])?
            }
            S::FRem | S::FMod => {
                // x - y * trunc(x / y), and with floor (Vulkan, Precision of core SPIR-V Instructions).
                let whole = if inst.op == S::FRem { Op::FTrunc } else { Op::FFloor };
                let operands = self.operands(inst, 0)?;
                self.each_with(&[&operands[0], &operands[1]], |l, p| {
                    let quotient = l.op(Op::FDiv, p)?;
                    let whole = l.op(whole, &[quotient])?;
                    let product = l.op(Op::FMul, &[p[1], whole])?;
                    l.op(Op::FSub, &[p[0], product])
                })?
            }
            S::SMod => {
                // The remainder with the divisor's sign.
                let operands = self.operands(inst, 0)?;
                let zero = self.zero(&operands[0]);
                self.each_with(&[&operands[0], &operands[1]], |l, p| {
                    let rest = l.op(Op::SRem, p)?;
                    let moved = l.op(Op::IAdd, &[rest, p[1]])?;
                    let signs = l.op(Op::IXor, &[rest, p[1]])?;
                    let differ = l.op(Op::SLt, &[signs, zero])?;
                    let some = l.op(Op::INe, &[rest, zero])?;
                    let moves = l.op(Op::IAnd, &[differ, some])?;
                    l.op(Op::Select, &[moves, moved, rest])
                })?
            }
            S::ShiftLeftLogical | S::ShiftRightLogical | S::ShiftRightArithmetic => {
                let op = match inst.op {
                    S::ShiftLeftLogical => Op::IShl,
                    S::ShiftRightLogical => Op::UShr,
                    _ => Op::SShr,
                };
                let operands = self.operands(inst, 0)?;
                self.each_with(&[&operands[0], &operands[1]], |l, p| {
                    let count = l.resize(p[1], Width::W32, false)?;
                    l.op(op, &[p[0], count])
                })?
            }
            S::BitFieldInsert | S::BitFieldSExtract | S::BitFieldUExtract => {
                let mut operands = self.operands(inst, 0)?;
                let at = operands.len().saturating_sub(2);
                for operand in &mut operands[at..] {
                    for value in operand.iter_mut() {
                        *value = self.resize(*value, Width::W32, false)?;
                    }
                }
                let op = match inst.op {
                    S::BitFieldInsert => Op::IInsert,
                    S::BitFieldSExtract => Op::SExtract,
                    _ => Op::UExtract,
                };
                let args: Vec<&[Value]> = operands.iter().map(|operand| &operand[..]).collect();
                self.each(op, &args)?
            }
            S::BitCount => {
                let width = self.d.types.scalar(inst.result_type.unwrap_or(0))?.width;
                let numbers = self.numbers(inst.at(0))?;
                self.each_with(&[&numbers], |l, p| {
                    let count = l.op(Op::ICount, p)?;
                    l.resize(count, width, false)
                })?
            }
            S::FUnordEqual | S::FOrdNotEqual | S::LessOrGreater => {
                let operands = self.operands(inst, 0)?;
                let equal = inst.op == S::FUnordEqual;
                self.each_with(&[&operands[0], &operands[1]], |l, p| {
                    let (below, above) = (l.op(Op::FLt, p)?, l.op(Op::FLt, &[p[1], p[0]])?);
                    let differ = l.op(Op::IOr, &[below, above])?;
                    if equal { l.op(Op::INot, &[differ]) } else { Ok(differ) }
                })?
            }
            S::Ordered | S::Unordered => {
                let operands = self.operands(inst, 0)?;
                let ordered = inst.op == S::Ordered;
                let (same, joined) = if ordered { (Op::FEq, Op::IAnd) } else { (Op::FNe, Op::IOr) };
                self.each_with(&[&operands[0], &operands[1]], |l, p| {
                    let (x, y) = (l.op(same, &[p[0], p[0]])?, l.op(same, &[p[1], p[1]])?);
                    l.op(joined, &[x, y])
                })?
            }
            S::IsNan => {
                let numbers = self.numbers(inst.at(0))?;
                self.each(Op::FNe, &[&numbers, &numbers])?
            }
            S::IsInf => {
                let numbers = self.numbers(inst.at(0))?;
                self.each_with(&[&numbers], |l, p| {
                    let (magnitude, infinity) = (l.op(Op::FAbs, p)?, l.infinity(l.b.width(p[0])));
                    l.op(Op::FEq, &[magnitude, infinity])
                })?
            }
            S::Any | S::All => {
                let numbers = self.numbers(inst.at(0))?;
                vec![self.joined(if inst.op == S::Any { Op::IOr } else { Op::IAnd }, &numbers)?]
            }
            S::Dot => {
                let (x, y) = (self.numbers(inst.at(0))?, self.numbers(inst.at(1))?);
                vec![self.dot(&x, &y)?]
            }
            S::VectorTimesScalar | S::MatrixTimesScalar => {
                let (vector, scalar) = (self.numbers(inst.at(0))?, self.number(inst.at(1))?);
                self.each(Op::FMul, &[&vector, &[scalar]])?
            }
            S::MatrixTimesVector | S::VectorTimesMatrix | S::MatrixTimesMatrix => self.product(inst)?,
            S::OuterProduct => {
                let (x, y) = (self.numbers(inst.at(0))?, self.numbers(inst.at(1))?);
                let mut numbers = Vec::new();
                for column in y.iter() {
                    numbers.extend(self.each(Op::FMul, &[&x, &[*column]])?);
                }
                numbers
            }
            S::IAddCarry | S::ISubBorrow => {
                let op = if inst.op == S::IAddCarry { Op::UAddCarry } else { Op::USubBorrow };
                self.pairs(inst, |l, p| {
                    let width = l.b.width(p[0]);
                    l.check(op, p)?;
                    let attrs = Attrs::rules(l.rules(op, width));
                    let both = l.b.emit(op, attrs, p, &[width, Width::W1]);
                    Ok([both[0], l.resize(both[1], width, false)?])
                })?
            }
            S::UMulExtended | S::SMulExtended => {
                let high = if inst.op == S::UMulExtended { Op::UMulHigh } else { Op::SMulHigh };
                self.pairs(inst, |l, p| Ok([l.op(Op::IMul, p)?, l.op(high, p)?]))?
            }
            S::SDot | S::UDot | S::SUDot => vec![self.integer_dot(inst)?],
            _ => return Ok(false),
        };
        self.numbers_of(inst, numbers)?;
        Ok(true)
    }

    fn zero(&mut self, numbers: &[Value]) -> Value {
        let width = numbers.first().map_or(Width::W32, |value| self.b.width(*value));
        self.b.constant(width, 0)
    }

    /// A structure of two results a component.
    fn pairs(&mut self, inst: &Inst, mut f: impl FnMut(&mut Self, &[Value]) -> Result<[Value; 2]>) -> Result<Vec<Value>> {
        let operands = self.operands(inst, 0)?;
        let mut second = Vec::new();
        let first = self.each_with(&[&operands[0], &operands[1]], |l, p| {
            let [low, high] = f(l, p)?;
            second.push(high);
            Ok(low)
        })?;
        Ok([first, second].concat())
    }

    /// Products of matrices and vectors: each number is a scalar product of a row and a column.
    fn product(&mut self, inst: &Inst) -> Result<Vec<Value>> {
        let (left, right) = (self.type_of(inst.at(0))?, self.type_of(inst.at(1))?);
        let (x, y) = (self.numbers(inst.at(0))?, self.numbers(inst.at(1))?);
        let is_row = inst.op == S::VectorTimesMatrix;
        let (rows, inner) = match self.d.types.shape(left)? {
            (_, size) if is_row => (1, size),
            (columns, rows) => (rows, columns),
        };
        let columns = if inst.op == S::MatrixTimesVector { 1 } else { self.d.types.shape(right)?.0 };
        let mut numbers = Vec::new();
        for column in 0..columns {
            for row in 0..rows {
                self.component(if is_row { column } else { row });
                let of_left: Option<Vec<Value>> =
                    (0..inner).map(|k| x.get(if is_row { k } else { k * rows + row }).copied()).collect();
                let of_right: Option<Vec<Value>> = (0..inner).map(|k| y.get(column * inner + k).copied()).collect();
                let (Some(of_left), Some(of_right)) = (of_left, of_right) else {
                    return bad("a product of matrices that do not fit");
                };
                numbers.push(self.dot(&of_left, &of_right)?);
            }
        }
        Ok(numbers)
    }

    /// `OpSDot` and its like: products of integers, widened first, summed serially.
    fn integer_dot(&mut self, inst: &Inst) -> Result<Value> {
        let to = self.d.types.scalar(inst.result_type.unwrap_or(0))?.width;
        let signs = [inst.op != S::UDot, inst.op == S::SDot];
        let mut sides = Vec::new();
        for (at, signed) in signs.into_iter().enumerate() {
            let mut numbers = self.numbers(inst.at(at))?.to_vec();
            if let ([word], Some(_)) = (&numbers[..], inst.operands.get(2)) {
                // Four bytes in a word.
                let (word, eight) = (*word, self.b.word(8));
                numbers = (0..4)
                    .map(|i| {
                        let first = self.b.word(8 * i);
                        self.op(if signed { Op::SExtract } else { Op::UExtract }, &[word, first, eight])
                    })
                    .collect::<Result<_>>()?;
            }
            sides.push(numbers.iter().map(|number| self.resize(*number, to, signed)).collect::<Result<Vec<_>>>()?);
        }
        let products = self.each(Op::IMul, &[&sides[0], &sides[1]])?;
        self.joined(Op::IAdd, &products)
    }

    /// Conversions and reinterpretations, if the instruction is one.
    fn conversion(&mut self, inst: &Inst) -> Result<bool> {
        let Some(ty) = inst.result_type else { return Ok(false) };
        let op = inst.op;
        if !matches!(
            op,
            S::ConvertFToU
                | S::ConvertFToS
                | S::ConvertSToF
                | S::ConvertUToF
                | S::UConvert
                | S::SConvert
                | S::FConvert
                | S::QuantizeToF16
                | S::Bitcast
        ) {
            return Ok(false);
        }
        if matches!(self.d.types.get(ty)?, Ty::Pointer(..)) {
            return unsupported("a pointer as a number");
        }
        let width = self.d.types.scalar(ty)?.width;
        let numbers = self.numbers(inst.at(0))?;
        let rounding = self
            .m
            .decor(inst.result.unwrap_or(0), rspirv::spirv::Decoration::FPRoundingMode)
            .and_then(|operands| operands.first());
        let rounding = match rounding {
            None => None,
            Some(0) => Some(Rounding::NearestEven),
            Some(1) => Some(Rounding::TowardZero),
            Some(_) => return unsupported("a conversion that rounds up or down"),
        };
        let results = match op {
            S::Bitcast => self.reinterpret(&numbers, width)?,
            S::QuantizeToF16 => self.each_with(&[&numbers], |l, p| l.quantized(p[0]))?,
            _ => self.each_with(&[&numbers], |l, p| match op {
                S::ConvertFToU => l.resized(Op::FToU, p[0], width),
                S::ConvertFToS => l.resized(Op::FToS, p[0], width),
                S::ConvertSToF => l.resized(Op::SToF, p[0], width),
                S::ConvertUToF => l.resized(Op::UToF, p[0], width),
                S::UConvert => l.resize(p[0], width, false),
                S::SConvert => l.resize(p[0], width, true),
                _ if l.b.width(p[0]) == width => Ok(p[0]),
                _ => match rounding {
                    None => l.resized(Op::FConvert, p[0], width),
                    Some(rounding) => {
                        let from = l.b.width(p[0]);
                        let rules = Rules { rounding, ..l.rules(Op::FConvert, width.min(from)) };
                        Ok(l.b.value_of(width, Op::FConvert, Attrs::rules(rules), p))
                    }
                },
            })?,
        };
        self.numbers_of(inst, results)?;
        Ok(true)
    }

    /// Through f16 and back; what is too small for a normal f16 is a zero of its sign (`OpQuantizeToF16`).
    fn quantized(&mut self, value: Value) -> Result<Value> {
        let keeps = |rules: Rules| Rules { denormals: gpuproof_program::Denormals::Keep, ..rules };
        let narrow = Attrs::rules(keeps(self.rules(Op::FConvert, Width::W16)));
        let half = self.b.value_of(Width::W16, Op::FConvert, narrow, &[value]);
        let wide = self.b.value_of(Width::W32, Op::FConvert, narrow, &[half]);
        let magnitude = self.op(Op::FAbs, &[wide])?;
        let least = self.float(Width::W32, 2f64.powi(-14));
        let small = self.op(Op::FLt, &[magnitude, least])?;
        let sign = self.b.word(0x8000_0000);
        let zero = self.op(Op::IAnd, &[wide, sign])?;
        self.op(Op::Select, &[small, zero, wide])
    }

    /// The same bits as numbers of another width, the low ones first.
    pub(super) fn reinterpret(&mut self, numbers: &[Value], width: Width) -> Result<Vec<Value>> {
        let from = numbers.first().map_or(width, |value| self.b.width(*value));
        if from == width {
            return Ok(numbers.to_vec());
        }
        if from == Width::W1 || width == Width::W1 {
            return bad("the bits of a truth value");
        }
        if from > width {
            let mut parts = Vec::new();
            for number in numbers {
                for i in 0..from.bits() / width.bits() {
                    let count = self.b.word(i * width.bits());
                    let moved = if i == 0 { *number } else { self.op(Op::UShr, &[*number, count])? };
                    parts.push(self.resized(Op::ITruncate, moved, width)?);
                }
            }
            return Ok(parts);
        }
        let mut wholes = Vec::new();
        for parts in numbers.chunks((width.bits() / from.bits()) as usize) {
            let mut whole = self.b.constant(width, 0);
            for (i, part) in (0..).zip(parts) {
                let wide = self.resized(Op::UExtend, *part, width)?;
                let count = self.b.word(i * from.bits());
                let moved = if i == 0 { wide } else { self.op(Op::IShl, &[wide, count])? };
                whole = if i == 0 { moved } else { self.op(Op::IOr, &[whole, moved])? };
            }
            wholes.push(whole);
        }
        Ok(wholes)
    }

    /// Whether a pointer leads to an input.
    pub(super) fn input_of(&self, place: &Pointer) -> Option<u32> {
        match place.root {
            Root::Input(id) if place.computed.is_none() => Some(id),
            _ => None,
        }
    }
}
