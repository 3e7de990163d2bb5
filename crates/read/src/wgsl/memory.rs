//! Pointers, loads, stores and atomics.

use super::arith::{Arith, attrs};
use super::error::{Trouble, fault, unsupported};
use super::function::Lower;
use super::types::{Leaf, scalar_type};
use gpuproof_program::{ArrayId, AtomicOp, Attrs, Detail, Kind, Local, Op, ResourceId, SharedId, Target, Value, Width};
use naga::{AtomicFunction, Expression, Handle, TypeInner};
use std::borrow::Cow;
use std::rc::Rc;

type Result<T> = std::result::Result<T, Trouble>;

/// An index that is known or computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Index {
    Fixed(u32),
    Computed(Value),
}

/// What a pointer points into.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// A variable of the function as values.
    Values(Rc<[Local]>),
    /// A per-lane array.
    Array(ArrayId),
    /// A buffer: which, and which of its binding array.
    Buffer(ResourceId, Index),
    /// Group-shared memory.
    Shared(SharedId),
}

/// A place in memory. It counts bytes in buffers and shared memory, numbers elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) root: Root,
    pub(super) offset: u32,
    /// What is added to the offset.
    pub(super) computed: Option<Value>,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// Numbers in a row.
    Numbers(Rc<[Value]>),
    Pointer(Pointer),
    Image(ResourceId, Index),
    Sampler(gpuproof_program::SamplerId, Index),
}

impl Val {
    /// Every value that it is made of, to be carried to where they are not visible.
    pub(super) fn values(&mut self) -> Vec<&mut Value> {
        match self {
            Val::Numbers(numbers) => {
                if Rc::get_mut(numbers).is_none() {
                    *numbers = numbers.iter().copied().collect();
                }
                Rc::get_mut(numbers).map_or_else(Vec::new, |numbers| numbers.iter_mut().collect())
            }
            Val::Pointer(pointer) => {
                let element = match &mut pointer.root {
                    Root::Buffer(_, Index::Computed(value)) => Some(value),
                    _ => None,
                };
                pointer.computed.as_mut().into_iter().chain(element).collect()
            }
            Val::Image(_, Index::Computed(value)) | Val::Sampler(_, Index::Computed(value)) => vec![value],
            Val::Image(..) | Val::Sampler(..) => Vec::new(),
        }
    }
}

impl<'a> Lower<'_, 'a> {
    pub(super) fn index(&mut self, index: Index) -> Value {
        match index {
            Index::Fixed(n) => self.b.word(n),
            Index::Computed(value) => value,
        }
    }

    /// The type that a pointer expression points to.
    pub(super) fn pointee(&self, pointer: Handle<Expression>) -> Result<Cow<'a, TypeInner>> {
        self.r.types.pointee(self.inner(pointer))
    }

    /// The place `index` parts of a type on from a pointer to it.
    pub(super) fn step(&mut self, pointer: &Pointer, inner: &TypeInner, index: Index) -> Result<Pointer> {
        let bytes = matches!(pointer.root, Root::Buffer(..) | Root::Shared(_));
        let mut pointer = pointer.clone();
        match index {
            Index::Fixed(n) => {
                let (_, in_bytes, in_numbers) = self.r.types.part(inner, n)?;
                let step = if bytes { in_bytes } else { u32::try_from(in_numbers).unwrap_or(u32::MAX) };
                let Some(offset) = pointer.offset.checked_add(step) else { return unsupported("an offset of more than 4 GiB") };
                pointer.offset = offset;
            }
            Index::Computed(value) => {
                let (_, in_bytes, in_numbers) = self.r.types.stride(inner)?;
                let stride = if bytes { in_bytes } else { u32::try_from(in_numbers).unwrap_or(u32::MAX) };
                let stride = self.b.word(stride);
                let product = self.scaled(value, stride)?;
                pointer.computed = Some(match pointer.computed {
                    None => product,
                    Some(before) => self.b.op(Op::IAdd, &[before, product])?,
                });
            }
        }
        Ok(pointer)
    }

    fn scaled(&mut self, value: Value, stride: Value) -> Result<Value> {
        let one = self.b.word(1);
        if stride == one { Ok(value) } else { self.b.op(Op::IMul, &[value, stride]) }
    }

    fn address(&mut self, pointer: &Pointer, further: u32) -> Result<Value> {
        let fixed = pointer.offset.wrapping_add(further);
        match pointer.computed {
            None => Ok(self.b.word(fixed)),
            Some(computed) if fixed == 0 => Ok(computed),
            Some(computed) => {
                let fixed = self.b.word(fixed);
                self.b.op(Op::IAdd, &[computed, fixed])
            }
        }
    }

    /// The value of a type at a place.
    pub(super) fn load(&mut self, pointer: &Pointer, inner: &TypeInner) -> Result<Rc<[Value]>> {
        if let TypeInner::Atomic(scalar) = *inner {
            let zero = self.b.constant(scalar_type(scalar)?.width, 0);
            return Ok(Rc::new([self.atomic_op(pointer, AtomicOp::Load, zero, zero)?]));
        }
        let leaves = self.r.types.leaves(inner)?;
        self.r.spend(leaves.len())?;
        let mut values = Vec::with_capacity(leaves.len());
        for (i, leaf) in leaves.iter().enumerate() {
            self.b.component(i);
            values.push(self.load_one(pointer, i, leaf)?);
        }
        Ok(values.into())
    }

    fn load_one(&mut self, pointer: &Pointer, i: usize, leaf: &Leaf) -> Result<Value> {
        let width = leaf.scalar.width;
        match &pointer.root {
            Root::Values(locals) => match locals.get(pointer.offset as usize + i) {
                Some(local) if pointer.computed.is_none() => Ok(self.b.get(*local)),
                _ => fault("a variable of values is indexed"),
            },
            Root::Array(array) => {
                let (array, held) = (*array, self.array_width(*array));
                let at = self.address(pointer, i as u32)?;
                let loaded = self.b.value_of(held, Op::ArrayLoad, target(Op::ArrayLoad, Target::Array(array)), &[at]);
                if held == width { Ok(loaded) } else { self.b.convert(Op::ITruncate, loaded, width) }
            }
            Root::Buffer(id, element) => {
                let (id, element) = (*id, self.index(*element));
                let at = self.address(pointer, leaf.offset)?;
                let attrs = target(Op::BufferLoad, Target::Resource(id));
                self.loaded(width, Op::BufferLoad, attrs, &[element, at])
            }
            Root::Shared(id) => {
                let id = *id;
                let at = self.address(pointer, leaf.offset)?;
                self.loaded(width, Op::SharedLoad, target(Op::SharedLoad, Target::Shared(id)), &[at])
            }
        }
    }

    /// A load from memory, where a truth value is a byte.
    fn loaded(&mut self, width: Width, op: Op, attrs: Attrs, args: &[Value]) -> Result<Value> {
        if width != Width::W1 {
            return Ok(self.b.value_of(width, op, attrs, args));
        }
        let byte = self.b.value_of(Width::W8, op, attrs, args);
        let zero = self.b.constant(Width::W8, 0);
        self.b.op(Op::INe, &[byte, zero])
    }

    fn array_width(&self, array: ArrayId) -> Width {
        self.r.program.arrays[array.index()].width
    }

    /// Stores a value of a type at a place.
    pub(super) fn store(&mut self, pointer: &Pointer, inner: &TypeInner, values: &[Value]) -> Result<()> {
        if let (TypeInner::Atomic(_), [value]) = (inner, values) {
            self.atomic_op(pointer, AtomicOp::Store, *value, *value)?;
            return Ok(());
        }
        let leaves = self.r.types.leaves(inner)?;
        self.r.spend(leaves.len())?;
        if leaves.len() != values.len() {
            return fault(format!("a store of {} numbers, expected {}", values.len(), leaves.len()));
        }
        for (i, (leaf, value)) in leaves.iter().zip(values).enumerate() {
            self.b.component(i);
            self.store_one(pointer, i, leaf, *value)?;
        }
        Ok(())
    }

    fn store_one(&mut self, pointer: &Pointer, i: usize, leaf: &Leaf, value: Value) -> Result<()> {
        match &pointer.root {
            Root::Values(locals) => match locals.get(pointer.offset as usize + i) {
                Some(local) if pointer.computed.is_none() => self.b.set(*local, value),
                _ => return fault("a variable of values is indexed"),
            },
            Root::Array(array) => {
                let (array, held) = (*array, self.array_width(*array));
                let at = self.address(pointer, i as u32)?;
                let value = if held == leaf.scalar.width { value } else { self.b.convert(Op::UExtend, value, held)? };
                self.b.effect(Op::ArrayStore, target(Op::ArrayStore, Target::Array(array)), &[at, value]);
            }
            Root::Buffer(id, element) => {
                let (id, element) = (*id, self.index(*element));
                let at = self.address(pointer, leaf.offset)?;
                let value = self.in_memory(value)?;
                self.b.effect(Op::BufferStore, target(Op::BufferStore, Target::Resource(id)), &[element, at, value]);
            }
            Root::Shared(id) => {
                let id = *id;
                let at = self.address(pointer, leaf.offset)?;
                let value = self.in_memory(value)?;
                self.b.effect(Op::SharedStore, target(Op::SharedStore, Target::Shared(id)), &[at, value]);
            }
        }
        Ok(())
    }

    fn in_memory(&mut self, value: Value) -> Result<Value> {
        if self.b.width(value) == Width::W1 { self.b.convert(Op::UExtend, value, Width::W8) } else { Ok(value) }
    }

    fn atomic_op(&mut self, pointer: &Pointer, op: AtomicOp, value: Value, comparand: Value) -> Result<Value> {
        let width = self.b.width(value);
        let at = self.address(pointer, 0)?;
        let (code, target_of, mut args) = match &pointer.root {
            Root::Buffer(id, element) => {
                let (id, element) = (*id, *element);
                (Op::BufferAtomic, Target::Resource(id), vec![self.index(element)])
            }
            Root::Shared(id) => (Op::SharedAtomic, Target::Shared(*id), Vec::new()),
            _ => return fault("an atomic on what lanes do not share"),
        };
        if !code.row().widths.contains(&width) {
            return unsupported(format!("atomics of {} bits", width.bits()));
        }
        args.extend([at, value, comparand]);
        let attrs = target(code, target_of).with_detail(Detail::Atomic(op));
        Ok(self.b.value_of(width, code, attrs, &args))
    }

    /// An atomic statement. Its result is the old value, and for a comparison whether it was exchanged (WGSL 17.8.4).
    pub(super) fn atomic(
        &mut self,
        pointer: Handle<Expression>,
        fun: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) -> Result<()> {
        let TypeInner::Atomic(scalar) = *self.pointee(pointer)? else { return fault("an atomic on what is none") };
        let kind = scalar_type(scalar)?.kind;
        let place = self.pointer(pointer)?;
        let value = self.number(value)?;
        let mut comparand = value;
        if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
            comparand = self.number(compare)?;
        }
        let op = atomic_op(fun, kind)?;
        let old = self.atomic_op(&place, op, value, comparand)?;
        if let Some(result) = result {
            let numbers: Rc<[Value]> = if op == AtomicOp::CompareExchange {
                Rc::new([old, self.b.op(Op::IEq, &[old, comparand])?])
            } else {
                Rc::new([old])
            };
            self.define(result, Val::Numbers(numbers));
        }
        Ok(())
    }
}

/// The operation of an atomic function on numbers of this kind.
pub(super) fn atomic_op(fun: AtomicFunction, kind: Kind) -> Result<AtomicOp> {
    Ok(match (fun, kind) {
        (AtomicFunction::Exchange { compare: None }, _) => AtomicOp::Exchange,
        (_, Kind::Float) => return unsupported("arithmetic atomics on floats"),
        (AtomicFunction::Add, _) => AtomicOp::Add,
        (AtomicFunction::Subtract, _) => AtomicOp::Sub,
        (AtomicFunction::And, _) => AtomicOp::And,
        (AtomicFunction::ExclusiveOr, _) => AtomicOp::Xor,
        (AtomicFunction::InclusiveOr, _) => AtomicOp::Or,
        (AtomicFunction::Min, Kind::Sint) => AtomicOp::SMin,
        (AtomicFunction::Min, _) => AtomicOp::UMin,
        (AtomicFunction::Max, Kind::Sint) => AtomicOp::SMax,
        (AtomicFunction::Max, _) => AtomicOp::UMax,
        (AtomicFunction::Exchange { compare: Some(_) }, _) => AtomicOp::CompareExchange,
    })
}

/// WGSL's attributes of an operation with a target.
pub(super) fn target(op: Op, target: Target) -> Attrs {
    Attrs { target, ..attrs(op) }
}
