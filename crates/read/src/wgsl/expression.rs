//! Expressions.

use super::arith::{Arith, attrs, convert};
use super::error::{Trouble, fault, unsupported};
use super::function::Lower;
use super::math;
use super::memory::{Index, Pointer, Root, Val, target};
use super::types::{scalar_type, shape};
use gpuproof_program::{Derivative, Detail, Kind, Op, Target, Value, Width};
use naga::{
    AtomicFunction, BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, SampleLevel, Scalar, Statement,
    TypeInner,
};
use std::borrow::Cow;

type Result<T> = std::result::Result<T, Trouble>;

/// The most elements of a value that a chain of selects picks from.
const MAX_SELECTS: u32 = 8;

impl<'a> Lower<'_, 'a> {
    /// What an expression is, from what its operands are.
    pub(super) fn evaluate(&mut self, expr: Handle<Expression>) -> Result<Val> {
        let f = self.f;
        if self.r.is_constant(&f.expressions, expr) {
            let place = self.constants_place();
            let bits = self.r.constant(place, expr)?;
            let leaves = self.r.types.leaves(self.inner(expr))?;
            let values = leaves.iter().zip(bits).map(|(leaf, bits)| self.b.constant(leaf.scalar.width, bits));
            return Ok(Val::Numbers(values.collect()));
        }
        let numbers: Vec<Value> = match f.expressions[expr] {
            Expression::Compose { ref components, .. } => {
                let parts = components.iter().map(|component| self.numbers(*component)).collect::<Result<Vec<_>>>()?;
                parts.iter().flat_map(|part| part.iter().copied()).collect()
            }
            Expression::Splat { size, value } => vec![self.number(value)?; size as usize],
            Expression::Swizzle { size, vector, pattern } => {
                let vector = self.numbers(vector)?;
                let picked = pattern.iter().take(size as usize).map(|component| vector.get(*component as usize).copied());
                match picked.collect::<Option<Vec<_>>>() {
                    Some(picked) => picked,
                    None => return fault("a swizzle of a component that the vector lacks"),
                }
            }
            Expression::Access { base, index } => return self.access(base, index),
            Expression::AccessIndex { base, index } => return self.part(base, index),
            Expression::FunctionArgument(index) => return self.argument(index),
            Expression::GlobalVariable(handle) => return self.global(handle),
            Expression::LocalVariable(handle) => return self.variable(handle),
            Expression::Load { pointer } => {
                let (place, inner) = (self.pointer(pointer)?, self.pointee(pointer)?);
                return Ok(Val::Numbers(self.load(&place, &inner)?));
            }
            Expression::ImageSample {
                image,
                sampler,
                gather,
                coordinate,
                array_index,
                offset,
                level,
                depth_ref,
                clamp_to_edge,
            } => {
                let sample = super::image::Sample { gather, coordinate, array_index, offset, level, depth_ref, clamp_to_edge };
                self.image_sample(image, sampler, &sample)?
            }
            Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
                self.image_load(image, coordinate, array_index, sample.or(level))?
            }
            Expression::ImageQuery { image, query } => self.image_query(image, query)?,
            Expression::Unary { op, expr: operand } => {
                let kind = shape(self.inner(operand))?.kind;
                let operand = self.numbers(operand)?;
                math::unary(&mut self.b, op, kind, &operand)?
            }
            Expression::Binary { op, left, right } => self.binary(op, left, right)?,
            Expression::Select { condition, accept, reject } => {
                let (condition, accept, reject) = (self.numbers(condition)?, self.numbers(accept)?, self.numbers(reject)?);
                math::select(&mut self.b, &condition, &accept, &reject)?
            }
            Expression::Derivative { axis, ctrl, expr: operand } => {
                let operand = self.numbers(operand)?;
                operand.iter().enumerate().map(|(i, value)| self.derivative(axis, ctrl, i, *value)).collect::<Result<_>>()?
            }
            Expression::Relational { fun, argument } => {
                let argument = self.numbers(argument)?;
                math::relational(&mut self.b, fun, &argument)?
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let shape = shape(self.inner(arg))?;
                let args = [Some(arg), arg1, arg2, arg3].into_iter().flatten();
                let args = args.map(|arg| Ok(self.numbers(arg)?.to_vec())).collect::<Result<Vec<_>>>()?;
                math::math(&mut self.b, fun, shape, &args)?
            }
            Expression::As { expr: operand, kind: to, convert: width } => self.cast(operand, to, width)?,
            Expression::ArrayLength(pointer) => vec![self.array_length(pointer)?],
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. } => return fault("a result that no statement has given"),
            Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. } => return unsupported("ray queries"),
            Expression::CooperativeLoad { .. } | Expression::CooperativeMultiplyAdd { .. } => {
                return unsupported("cooperative matrices");
            }
            Expression::Literal(_) | Expression::Constant(_) | Expression::Override(_) | Expression::ZeroValue(_) => {
                return fault("a constant that is none");
            }
        };
        Ok(Val::Numbers(numbers.into()))
    }

    fn binary(&mut self, op: BinaryOperator, left: Handle<Expression>, right: Handle<Expression>) -> Result<Vec<Value>> {
        if let (TypeInner::CooperativeMatrix { .. }, _) | (_, TypeInner::CooperativeMatrix { .. }) =
            (self.inner(left), self.inner(right))
        {
            return unsupported("cooperative matrices");
        }
        let shapes = (shape(self.inner(left))?, shape(self.inner(right))?);
        let (left, right) = (self.numbers(left)?, self.numbers(right)?);
        math::binary(&mut self.b, op, (shapes.0, &left), (shapes.1, &right))
    }

    /// A part at a constant index.
    fn part(&mut self, base: Handle<Expression>, index: u32) -> Result<Val> {
        if let TypeInner::BindingArray { .. } = *self.held(base) {
            return self.element(base, Index::Fixed(index));
        }
        match self.val(base)? {
            Val::Pointer(pointer) => {
                let inner = self.pointee(base)?;
                Ok(Val::Pointer(self.step(&pointer, &inner, Index::Fixed(index))?))
            }
            Val::Numbers(numbers) => {
                let (part, _, first) = self.r.types.part(self.inner(base), index)?;
                let count = self.r.types.count(&part)?;
                match first.checked_add(count).and_then(|end| numbers.get(first..end)) {
                    Some(part) => Ok(Val::Numbers(part.into())),
                    None => fault("a part that the value lacks"),
                }
            }
            _ => fault("a part of a resource"),
        }
    }

    /// The type of a value, or of what a pointer points to.
    fn held(&self, expr: Handle<Expression>) -> Cow<'a, TypeInner> {
        self.pointee(expr).unwrap_or_else(|_| Cow::Borrowed(self.inner(expr)))
    }

    /// An element of a binding array.
    fn element(&mut self, base: Handle<Expression>, index: Index) -> Result<Val> {
        Ok(match self.val(base)? {
            Val::Image(id, _) => Val::Image(id, index),
            Val::Sampler(id, _) => Val::Sampler(id, index),
            Val::Pointer(Pointer { root: Root::Buffer(id, _), .. }) => {
                Val::Pointer(Pointer { root: Root::Buffer(id, index), offset: 0, computed: None })
            }
            _ => return fault("a binding array that is none"),
        })
    }

    /// A part at an index that is computed.
    fn access(&mut self, base: Handle<Expression>, index: Handle<Expression>) -> Result<Val> {
        let number = self.number(index)?;
        let from = shape(self.inner(index))?.kind;
        let number = convert(&mut self.b, number, from, Kind::Uint, Width::W32)?;
        if let TypeInner::BindingArray { .. } = *self.held(base) {
            return self.element(base, Index::Computed(number));
        }
        match self.val(base)? {
            Val::Pointer(pointer) => {
                let inner = self.pointee(base)?;
                Ok(Val::Pointer(self.step(&pointer, &inner, Index::Computed(number))?))
            }
            Val::Numbers(numbers) => {
                let (Some(count), _, stride) = self.r.types.stride(self.inner(base))? else {
                    return fault("a value without a length");
                };
                let part = self.r.types.part(self.inner(base), 0)?.0;
                let leaves = self.r.types.leaves(&part)?;
                if count <= MAX_SELECTS && leaves.len() <= 4 {
                    return self.picked(&numbers, count, leaves.len(), number);
                }
                let array = if self.r.is_constant(&self.f.expressions, base) {
                    let place = self.constants_place();
                    let bits = self.r.constant(place, base)?;
                    let width = leaves.iter().map(|leaf| leaf.scalar.width).max().unwrap_or(Width::W32);
                    self.r.constant_array(width, bits)
                } else {
                    let inner = self.inner(base);
                    let array = self.r.array(None, inner, None, false)?;
                    let whole = Pointer { root: Root::Array(array), offset: 0, computed: None };
                    self.store(&whole, inner, &numbers)?;
                    array
                };
                let whole = Pointer { root: Root::Array(array), offset: 0, computed: None };
                let stride = u32::try_from(stride).unwrap_or(u32::MAX);
                let stride = self.b.word(stride);
                let first = self.b.op(Op::IMul, &[number, stride])?;
                let place = Pointer { computed: Some(first), ..whole };
                Ok(Val::Numbers(self.load(&place, &part)?))
            }
            _ => fault("an index into a resource"),
        }
    }

    /// The element at an index of a short value; past the end the last one.
    fn picked(&mut self, numbers: &[Value], count: u32, size: usize, index: Value) -> Result<Val> {
        let mut elements = numbers.chunks(size.max(1)).enumerate().take(count as usize).collect::<Vec<_>>().into_iter().rev();
        let Some((_, last)) = elements.next() else { return fault("an index into nothing") };
        let mut picked = last.to_vec();
        for (at, element) in elements {
            let at = self.b.word(at as u32);
            let here = self.b.op(Op::IEq, &[index, at])?;
            picked = math::select(&mut self.b, &[here], element, &picked)?;
        }
        Ok(Val::Numbers(picked.into()))
    }

    fn derivative(&mut self, axis: DerivativeAxis, ctrl: DerivativeControl, component: usize, value: Value) -> Result<Value> {
        let which = match ctrl {
            DerivativeControl::Coarse => Derivative::Coarse,
            DerivativeControl::Fine => Derivative::Fine,
            DerivativeControl::None => Derivative::Any,
        };
        self.b.component(component);
        let mut along = |op: Op| self.b.value(op, attrs(op).with_detail(Detail::Derivative(which)), &[value]);
        match axis {
            DerivativeAxis::X => Ok(along(Op::FDdx)),
            DerivativeAxis::Y => Ok(along(Op::FDdy)),
            DerivativeAxis::Width => {
                // abs(dpdx(e)) + abs(dpdy(e)) (WGSL 17.6.7)
                let (x, y) = (along(Op::FDdx), along(Op::FDdy));
                let (x, y) = (self.b.op(Op::FAbs, &[x])?, self.b.op(Op::FAbs, &[y])?);
                self.b.op(Op::FAdd, &[x, y])
            }
        }
    }

    /// A conversion, or a reinterpretation of the bits.
    fn cast(&mut self, operand: Handle<Expression>, to: naga::ScalarKind, width: Option<u8>) -> Result<Vec<Value>> {
        let from = shape(self.inner(operand))?.kind;
        let numbers = self.numbers(operand)?;
        let Some(width) = width else { return Ok(numbers.to_vec()) };
        let to = scalar_type(Scalar { kind: to, width })?;
        numbers
            .iter()
            .enumerate()
            .map(|(i, number)| {
                self.b.component(i);
                convert(&mut self.b, *number, from, to.kind, to.width)
            })
            .collect()
    }

    /// How many elements fit into what is bound (WGSL 17.4.1).
    fn array_length(&mut self, expr: Handle<Expression>) -> Result<Value> {
        let (pointer, inner) = (self.pointer(expr)?, self.pointee(expr)?);
        let (TypeInner::Array { stride, .. }, Root::Buffer(id, element)) = (&*inner, &pointer.root) else {
            return fault("the length of what is no array in a buffer");
        };
        let element = self.index(*element);
        let size = self.b.value(Op::BufferSize, target(Op::BufferSize, Target::Resource(*id)), &[element]);
        let (offset, stride) = (self.b.word(pointer.offset), self.b.word(*stride));
        let rest = self.b.op(Op::ISub, &[size, offset])?;
        self.b.op(Op::UDiv, &[rest, stride])
    }
}

/// Calls `visit` on each operand of an expression.
pub(super) fn operands(expression: &Expression, visit: &mut dyn FnMut(Handle<Expression>)) {
    match *expression {
        Expression::Compose { ref components, .. } => components.iter().for_each(|component| visit(*component)),
        Expression::Access { base, index } => [base, index].into_iter().for_each(visit),
        Expression::AccessIndex { base, .. } => visit(base),
        Expression::Splat { value, .. } => visit(value),
        Expression::Swizzle { vector, .. } => visit(vector),
        Expression::Load { pointer } => visit(pointer),
        Expression::ImageSample { image, sampler, coordinate, array_index, offset, level, depth_ref, .. } => {
            [image, sampler, coordinate].into_iter().chain(array_index).chain(offset).chain(depth_ref).for_each(&mut *visit);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => visit(level),
                SampleLevel::Gradient { x, y } => [x, y].into_iter().for_each(visit),
            }
        }
        Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
            [image, coordinate].into_iter().chain(array_index).chain(sample).chain(level).for_each(visit);
        }
        Expression::ImageQuery { image, query } => {
            visit(image);
            if let naga::ImageQuery::Size { level: Some(level) } = query {
                visit(level);
            }
        }
        Expression::Unary { expr, .. } | Expression::Derivative { expr, .. } | Expression::As { expr, .. } => visit(expr),
        Expression::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
        Expression::Select { condition, accept, reject } => [condition, accept, reject].into_iter().for_each(visit),
        Expression::Relational { argument, .. } => visit(argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        Expression::ArrayLength(pointer) => visit(pointer),
        _ => {}
    }
}

/// Calls `visit` on each expression that a statement itself uses or evaluates.
pub(super) fn operands_of_statement(statement: &Statement, visit: &mut dyn FnMut(Handle<Expression>)) {
    let fun_operand = |fun: &AtomicFunction| match *fun {
        AtomicFunction::Exchange { compare } => compare,
        _ => None,
    };
    match statement {
        Statement::Emit(range) => range.clone().for_each(visit),
        Statement::If { condition, .. } => visit(*condition),
        Statement::Switch { selector, .. } => visit(*selector),
        Statement::Loop { break_if, .. } => break_if.iter().copied().for_each(visit),
        Statement::Return { value } => value.iter().copied().for_each(visit),
        Statement::Store { pointer, value } => [*pointer, *value].into_iter().for_each(visit),
        Statement::ImageStore { image, coordinate, array_index, value } => {
            [*image, *coordinate, *value].into_iter().chain(*array_index).for_each(visit);
        }
        Statement::Atomic { pointer, fun, value, .. } => [*pointer, *value].into_iter().chain(fun_operand(fun)).for_each(visit),
        Statement::ImageAtomic { image, coordinate, array_index, fun, value } => {
            [*image, *coordinate, *value].into_iter().chain(*array_index).chain(fun_operand(fun)).for_each(visit);
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => visit(*pointer),
        Statement::Call { arguments, .. } => arguments.iter().copied().for_each(visit),
        Statement::SubgroupBallot { predicate, .. } => predicate.iter().copied().for_each(visit),
        Statement::SubgroupGather { mode, argument, .. } => {
            visit(*argument);
            if let Some(index) = super::lanes::index_of(*mode) {
                visit(index);
            }
        }
        Statement::SubgroupCollectiveOperation { argument, .. } => visit(*argument),
        _ => {}
    }
}
