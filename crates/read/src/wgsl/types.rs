//! naga's types: their numbers in a row, and their places in memory.

use super::error::{Trouble, fault, unsupported};
use super::math::Shape;
use gpuproof_program::{Kind, Member, ScalarType, Type, Width};
use naga::{ArraySize, Handle, ImageClass, Module, Scalar, ScalarKind, TypeInner};
use std::borrow::Cow;
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Trouble>;

/// The most numbers that one value may have.
pub(super) const MAX_NUMBERS: usize = 1 << 14;

/// The most parts that one layout may name.
const MAX_PARTS: usize = 1 << 14;

/// The type of a number.
pub(super) fn scalar_type(scalar: Scalar) -> Result<ScalarType> {
    let kind = kind(scalar.kind)?;
    let width = match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => Width::W1,
        (_, 1) => Width::W8,
        (_, 2) => Width::W16,
        (_, 4) => Width::W32,
        (_, 8) => Width::W64,
        (_, width) => return unsupported(format!("numbers of {width} bytes")),
    };
    Ok(ScalarType { kind, width })
}

pub(super) fn kind(kind: ScalarKind) -> Result<Kind> {
    Ok(match kind {
        ScalarKind::Sint => Kind::Sint,
        ScalarKind::Uint => Kind::Uint,
        ScalarKind::Float => Kind::Float,
        ScalarKind::Bool => Kind::Bool,
        ScalarKind::AbstractInt | ScalarKind::AbstractFloat => return fault("an abstract number after validation"),
    })
}

/// The scalar, vector or matrix that a type is.
pub(super) fn shape(inner: &TypeInner) -> Result<Shape> {
    let (scalar, columns, rows) = match *inner {
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => (scalar, 1, 1),
        TypeInner::Vector { size, scalar } => (scalar, 1, size as usize),
        TypeInner::Matrix { columns, rows, scalar } => (scalar, columns as usize, rows as usize),
        _ => return fault("an operand that is no scalar, vector or matrix"),
    };
    Ok(Shape { kind: kind(scalar.kind)?, columns, rows })
}

/// A fixed number in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Its place in bytes from the start of the whole.
    pub(super) offset: u32,
    pub(super) scalar: ScalarType,
}

/// The types of a module, with the sizes of its arrays.
pub(super) struct Types<'a> {
    module: &'a Module,
    /// How long arrays are whose length is an override.
    lengths: HashMap<Handle<naga::Override>, u32>,
    /// For each type how many numbers a value of it has, where that is a number.
    counts: HashMap<Handle<naga::Type>, usize>,
    /// For each type how many parts its layout names.
    parts: HashMap<Handle<naga::Type>, usize>,
}

impl<'a> Types<'a> {
    pub(super) fn new(module: &'a Module, lengths: HashMap<Handle<naga::Override>, u32>) -> Types<'a> {
        let mut types = Types { module, lengths, counts: HashMap::new(), parts: HashMap::new() };
        // A type stands after those that it is made of. Counting each once keeps structures of structures from being walked again and again.
        for (handle, ty) in module.types.iter() {
            let parts = match ty.inner {
                TypeInner::Array { base, .. } => types.parts.get(&base).map(|n| n + 1),
                TypeInner::Struct { ref members, .. } => {
                    members.iter().try_fold(1usize, |sum, member| sum.checked_add(*types.parts.get(&member.ty)?))
                }
                _ => Some(1),
            };
            types.parts.extend(parts.map(|parts| (handle, parts)));
            let count = types.count(&ty.inner);
            types.counts.extend(count.ok().map(|count| (handle, count)));
        }
        types
    }

    pub(super) fn inner(&self, ty: Handle<naga::Type>) -> &'a TypeInner {
        &self.module.types[ty].inner
    }

    /// What a pointer type points to.
    pub(super) fn pointee(&self, inner: &TypeInner) -> Result<Cow<'a, TypeInner>> {
        Ok(match *inner {
            TypeInner::Pointer { base, .. } => Cow::Borrowed(self.inner(base)),
            TypeInner::ValuePointer { size: Some(size), scalar, .. } => Cow::Owned(TypeInner::Vector { size, scalar }),
            TypeInner::ValuePointer { size: None, scalar, .. } => Cow::Owned(TypeInner::Scalar(scalar)),
            _ => return fault("a pointer that is none"),
        })
    }

    /// How many elements an array has; none if the buffer's size decides.
    pub(super) fn length(&self, size: ArraySize) -> Result<Option<u32>> {
        match size {
            ArraySize::Constant(n) => Ok(Some(n.get())),
            ArraySize::Dynamic => Ok(None),
            ArraySize::Pending(handle) => match self.lengths.get(&handle) {
                Some(n) => Ok(Some(*n)),
                None => fault("an array whose length has no value"),
            },
        }
    }

    /// The size of a type in memory, in bytes; of an array without a length that of one element.
    pub(super) fn bytes(&self, inner: &TypeInner) -> Result<u32> {
        let size = match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Some(u32::from(scalar.width)),
            TypeInner::Vector { size, scalar } => Some(size as u32 * u32::from(scalar.width)),
            TypeInner::Matrix { columns, rows, scalar } => Some(columns as u32 * column_stride(rows, scalar)),
            TypeInner::Array { size, stride, .. } => self.length(size)?.unwrap_or(1).checked_mul(stride),
            TypeInner::Struct { span, ref members } => match members.last() {
                // The span counts an array without a length, or one whose length is an override, as one element.
                Some(last) => self.bytes(self.inner(last.ty))?.checked_add(last.offset).map(|end| end.max(span)),
                None => Some(span),
            },
            _ => return unsupported("a resource in memory"),
        };
        size.map_or_else(|| unsupported("a type of more than 4 GiB"), Ok)
    }

    /// How many numbers a value of this type has.
    pub(super) fn count(&self, inner: &TypeInner) -> Result<usize> {
        let count = match *inner {
            TypeInner::Scalar(_) | TypeInner::Atomic(_) => Some(1),
            TypeInner::Vector { size, .. } => Some(size as usize),
            TypeInner::Matrix { columns, rows, .. } => Some(columns as usize * rows as usize),
            TypeInner::Array { base, size, .. } => match self.length(size)? {
                Some(n) => self.counts.get(&base).and_then(|count| count.checked_mul(n as usize)),
                None => return fault("a value of an array without a length"),
            },
            TypeInner::Struct { ref members, .. } => {
                members.iter().try_fold(0usize, |sum, member| sum.checked_add(*self.counts.get(&member.ty)?))
            }
            _ => return unsupported("a resource inside a value"),
        };
        count.map_or_else(|| unsupported("a value of too many numbers"), Ok)
    }

    /// The numbers of a value of this type in order, with their places in memory.
    pub(super) fn leaves(&self, inner: &TypeInner) -> Result<Vec<Leaf>> {
        let count = self.count(inner)?;
        if count > MAX_NUMBERS {
            return unsupported(format!("a value of {count} numbers, more than {MAX_NUMBERS}"));
        }
        let mut leaves = Vec::with_capacity(count);
        self.push_leaves(inner, 0, &mut leaves)?;
        Ok(leaves)
    }

    fn push_leaves(&self, inner: &TypeInner, offset: u32, leaves: &mut Vec<Leaf>) -> Result<()> {
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => leaves.push(Leaf { offset, scalar: scalar_type(scalar)? }),
            TypeInner::Vector { size, scalar } => {
                let ty = scalar_type(scalar)?;
                leaves.extend((0..size as u32).map(|i| Leaf { offset: place(offset, i, u32::from(scalar.width)), scalar: ty }));
            }
            TypeInner::Matrix { columns, rows, scalar } => {
                for column in 0..columns as u32 {
                    let vector = TypeInner::Vector { size: rows, scalar };
                    self.push_leaves(&vector, place(offset, column, column_stride(rows, scalar)), leaves)?;
                }
            }
            TypeInner::Array { base, size, stride } => {
                for i in 0..self.length(size)?.unwrap_or(0) {
                    self.push_leaves(self.inner(base), place(offset, i, stride), leaves)?;
                }
            }
            TypeInner::Struct { ref members, .. } => {
                for member in members {
                    self.push_leaves(self.inner(member.ty), place(offset, 1, member.offset), leaves)?;
                }
            }
            _ => return unsupported("a resource inside a value"),
        }
        Ok(())
    }

    /// The part of a type at an index: the type of the part, its place in bytes from the whole's, and in numbers.
    pub(super) fn part(&self, inner: &TypeInner, index: u32) -> Result<(Cow<'a, TypeInner>, u32, usize)> {
        let out_of_range = || fault("a part that the type does not have");
        Ok(match *inner {
            TypeInner::Vector { scalar, .. } => {
                (Cow::Owned(TypeInner::Scalar(scalar)), index.saturating_mul(u32::from(scalar.width)), index as usize)
            }
            TypeInner::Matrix { rows, scalar, .. } => {
                let vector = TypeInner::Vector { size: rows, scalar };
                (Cow::Owned(vector), index.saturating_mul(column_stride(rows, scalar)), index as usize * rows as usize)
            }
            TypeInner::Array { base, stride, size } => {
                let element = self.inner(base);
                // Numbers are counted only where the whole is a value.
                let numbers = if self.length(size)?.is_some() { self.count(element)?.saturating_mul(index as usize) } else { 0 };
                (Cow::Borrowed(element), index.saturating_mul(stride), numbers)
            }
            TypeInner::Struct { ref members, .. } => {
                let Some((before, member)) = members.get(..index as usize).zip(members.get(index as usize)) else {
                    return out_of_range();
                };
                let numbers = before.iter().map(|member| self.count(self.inner(member.ty))).sum::<Result<usize>>()?;
                (Cow::Borrowed(self.inner(member.ty)), member.offset, numbers)
            }
            _ => return out_of_range(),
        })
    }

    /// How many parts a type has that an index picks, and the distance between them in bytes and in numbers.
    pub(super) fn stride(&self, inner: &TypeInner) -> Result<(Option<u32>, u32, usize)> {
        let count = match *inner {
            TypeInner::Vector { size, .. } => Some(size as u32),
            TypeInner::Matrix { columns, .. } => Some(columns as u32),
            TypeInner::Array { size, .. } => self.length(size)?,
            _ => return fault("an index into what has no elements"),
        };
        let (_, bytes, numbers) = self.part(inner, 1)?;
        Ok((count, bytes, numbers))
    }

    /// The layout of a type in memory.
    pub(super) fn layout(&self, ty: Handle<naga::Type>) -> Result<Type> {
        if self.parts.get(&ty).is_none_or(|parts| *parts > MAX_PARTS) {
            return unsupported(format!("a type of more than {MAX_PARTS} parts"));
        }
        let inner = self.inner(ty);
        Ok(match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Type::Scalar(scalar_type(scalar)?),
            TypeInner::Vector { size, scalar } => Type::Vector { size: size as u32, scalar: scalar_type(scalar)? },
            TypeInner::Matrix { columns, rows, scalar } => Type::Matrix {
                columns: columns as u32,
                rows: rows as u32,
                row_major: false,
                stride: column_stride(rows, scalar),
                scalar: scalar_type(scalar)?,
            },
            TypeInner::Array { base, size, stride } => {
                Type::Array { element: Box::new(self.layout(base)?), count: self.length(size)?, stride }
            }
            TypeInner::Struct { ref members, .. } => {
                let size = self.bytes(inner)?;
                let member = |(i, member): (usize, &naga::StructMember)| {
                    let name = member.name.clone().unwrap_or_else(|| format!("member{i}"));
                    Ok(Member { name, offset: member.offset, ty: self.layout(member.ty)? })
                };
                Type::Struct { members: members.iter().enumerate().map(member).collect::<Result<_>>()?, size }
            }
            _ => return unsupported("a resource in memory"),
        })
    }
}

/// Sizes are at most 4 GiB, which [`Types::bytes`] holds where it matters.
fn place(offset: u32, index: u32, stride: u32) -> u32 {
    offset.saturating_add(index.saturating_mul(stride))
}

/// Columns of three rows are as far apart as those of four (WGSL 14.4.1).
fn column_stride(rows: naga::VectorSize, scalar: Scalar) -> u32 {
    let rows = if rows == naga::VectorSize::Bi { 2 } else { 4 };
    rows * u32::from(scalar.width)
}

/// The kind of number that texels of an image are.
pub(super) fn texel_kind(class: ImageClass) -> Result<Kind> {
    match class {
        ImageClass::Sampled { kind: scalar, .. } => kind(scalar),
        ImageClass::Depth { .. } => Ok(Kind::Float),
        ImageClass::Storage { format, .. } => kind(Scalar::from(format).kind),
        ImageClass::External => unsupported("external textures"),
    }
}
