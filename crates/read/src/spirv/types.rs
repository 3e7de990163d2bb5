//! Types: their numbers in a row, and their places in memory.

use super::error::{Result, bad, fault, unsupported};
use gpuproof_program::{Kind, Member, ScalarType, Type, Width};
use rspirv::spirv::StorageClass;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The most numbers that one value may have.
pub(super) const MAX_NUMBERS: usize = 1 << 16;
/// The most parts that one layout may name.
const MAX_PARTS: usize = 1 << 14;
/// Types nested deeper than this are refused.
const MAX_DEPTH: u32 = 60;

/// A type.
#[derive(Clone, Debug)]
pub(super) enum Ty {
    Void,
    Scalar(ScalarType),
    /// A scalar type and how many.
    Vector(u32, u32),
    /// A column type and how many.
    Matrix(u32, u32),
    Array(u32, u32),
    RuntimeArray(u32),
    Struct(Rc<[u32]>),
    Pointer(StorageClass, u32),
    Image(Image),
    Sampler,
    /// An image type.
    SampledImage(u32),
    Function,
    /// What has no counterpart, by its instruction.
    Other(String),
}

/// An image type's operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    pub(super) sampled_type: ScalarType,
    pub(super) dim: rspirv::spirv::Dim,
    pub(super) depth: bool,
    pub(super) arrayed: bool,
    pub(super) multisampled: bool,
    pub(super) storage: bool,
    pub(super) format: u32,
}

/// How matrices in a piece of memory lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rows {
    pub(super) stride: u32,
    pub(super) row_major: bool,
}

/// How a piece of memory is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Layout {
    /// By its decorations, of which those of matrices come from the member around.
    Explicit(Option<Rows>),
    /// Numbers one after another, each at a multiple of its size.
    Packed,
}

/// A number in memory: its place in bytes from the start of the whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) offset: u32,
    pub(super) width: Width,
}

/// The types of a module.
#[derive(Debug, Default)]
pub(super) struct Types {
    types: HashMap<u32, Ty>,
    depths: HashMap<u32, u32>,
    /// How many numbers a value of each type has; saturates.
    counts: HashMap<u32, usize>,
    parts: HashMap<u32, usize>,
    /// Of arrays.
    pub(super) strides: HashMap<u32, u32>,
    /// Of members.
    pub(super) offsets: HashMap<(u32, u32), u32>,
    pub(super) rows: HashMap<(u32, u32), Rows>,
    pub(super) member_names: HashMap<(u32, u32), String>,
    sizes: RefCell<HashMap<(u32, Layout), u32>>,
}

impl Types {
    pub(super) fn get(&self, id: u32) -> Result<&Ty> {
        match self.types.get(&id) {
            Some(Ty::Other(name)) => unsupported(format!("the type {name}")),
            Some(ty) => Ok(ty),
            None => bad(format!("%{id} is not a type")),
        }
    }

    /// Declares a type, made of types declared before.
    pub(super) fn declare(&mut self, id: u32, ty: Ty) -> Result<()> {
        let parts_of: Vec<u32> = match &ty {
            Ty::Vector(of, _) | Ty::Matrix(of, _) | Ty::Array(of, _) | Ty::RuntimeArray(of) | Ty::SampledImage(of) => vec![*of],
            Ty::Struct(members) => members.to_vec(),
            _ => Vec::new(),
        };
        let (mut depth, mut parts) = (0, 1usize);
        for part in &parts_of {
            let Some(inner) = self.depths.get(part) else {
                return bad(format!("the type %{id} is made of %{part}, which is no type declared before it"));
            };
            depth = depth.max(inner + 1);
            parts = parts.saturating_add(self.parts.get(part).copied().unwrap_or(1));
        }
        if depth > MAX_DEPTH {
            return unsupported(format!("types nested deeper than {MAX_DEPTH}"));
        }
        let of = |part: &u32| self.counts.get(part).copied().unwrap_or(0);
        let count = match &ty {
            Ty::Scalar(_) => 1,
            Ty::Vector(of_, n) | Ty::Matrix(of_, n) | Ty::Array(of_, n) => of(of_).saturating_mul(*n as usize),
            Ty::Struct(members) => members.iter().fold(0usize, |sum, member| sum.saturating_add(of(member))),
            _ => 0,
        };
        match (&ty, parts_of.first().and_then(|part| self.types.get(part))) {
            (Ty::Vector(_, n), Some(Ty::Scalar(_))) if (2..=4).contains(n) => {}
            (Ty::Matrix(_, n), Some(Ty::Vector(..))) if (2..=4).contains(n) => {}
            (Ty::Vector(..) | Ty::Matrix(..), _) => return bad("a vector or matrix of other than 2 to 4 numbers or columns"),
            (Ty::SampledImage(_), Some(Ty::Image(_))) => {}
            (Ty::SampledImage(_), _) => return bad("a sampled image of what is no image"),
            _ => {}
        }
        if self.types.insert(id, ty).is_some() {
            return bad(format!("%{id} is declared twice"));
        }
        self.depths.insert(id, depth);
        self.counts.insert(id, count);
        self.parts.insert(id, parts);
        Ok(())
    }

    /// How many numbers a value of a type has.
    pub(super) fn count(&self, id: u32) -> Result<usize> {
        match self.get(id)? {
            Ty::Void => return Ok(0),
            Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(..) | Ty::Array(..) | Ty::Struct(_) => {}
            other => return unsupported(format!("a value of the type %{id} ({other:?})")),
        }
        match self.counts.get(&id) {
            Some(count) if *count <= MAX_NUMBERS => Ok(*count),
            Some(count) => unsupported(format!("a value of {count} numbers, more than {MAX_NUMBERS}")),
            None => fault("a type without a count"),
        }
    }

    /// The type of the numbers of a scalar, vector or matrix.
    pub(super) fn scalar(&self, id: u32) -> Result<ScalarType> {
        match self.get(id)? {
            Ty::Scalar(scalar) => Ok(*scalar),
            Ty::Vector(of, _) | Ty::Matrix(of, _) => self.scalar(*of),
            _ => bad(format!("%{id} is no scalar, vector or matrix")),
        }
    }

    /// Columns and rows of a matrix; of what is none its components as one column.
    pub(super) fn shape(&self, id: u32) -> Result<(usize, usize)> {
        match self.get(id)? {
            Ty::Matrix(column, n) => Ok((*n as usize, self.shape(*column)?.1)),
            Ty::Vector(_, n) => Ok((1, *n as usize)),
            _ => Ok((1, 1)),
        }
    }

    /// The widths of a value's numbers in order.
    pub(super) fn widths(&self, id: u32) -> Result<Vec<Width>> {
        let mut widths = Vec::with_capacity(self.count(id)?);
        self.push_widths(id, &mut widths)?;
        Ok(widths)
    }

    fn push_widths(&self, id: u32, widths: &mut Vec<Width>) -> Result<()> {
        match self.get(id)? {
            Ty::Void => {}
            Ty::Scalar(scalar) => widths.push(scalar.width),
            Ty::Vector(of, n) | Ty::Matrix(of, n) | Ty::Array(of, n) => {
                let start = widths.len();
                if *n > 0 {
                    self.push_widths(*of, widths)?;
                }
                let element: Vec<Width> = widths[start..].to_vec();
                (1..*n).for_each(|_| widths.extend_from_slice(&element));
            }
            Ty::Struct(members) => {
                for member in members.iter() {
                    self.push_widths(*member, widths)?;
                }
            }
            _ => return unsupported(format!("the type %{id} inside a value")),
        }
        Ok(())
    }

    /// The part of a value at an index: its type and its first number.
    pub(super) fn part(&self, id: u32, index: u32) -> Result<(u32, usize)> {
        match self.get(id)? {
            Ty::Vector(of, n) | Ty::Matrix(of, n) | Ty::Array(of, n) => {
                if index >= *n {
                    return bad(format!("the index {index} into {n} parts"));
                }
                Ok((*of, self.count(*of)? * index as usize))
            }
            Ty::RuntimeArray(of) => Ok((*of, 0)),
            Ty::Struct(members) => {
                let Some(member) = members.get(index as usize) else {
                    return bad(format!("the member {index} of {}", members.len()));
                };
                let before = members[..index as usize].iter().map(|member| self.counts.get(member).copied().unwrap_or(0));
                Ok((*member, before.sum()))
            }
            _ => bad(format!("an index into %{id}, which has no parts")),
        }
    }

    /// The type of the elements that a computed index picks.
    pub(super) fn element(&self, id: u32) -> Result<(u32, Option<u32>)> {
        match self.get(id)? {
            Ty::Vector(of, n) | Ty::Matrix(of, n) | Ty::Array(of, n) => Ok((*of, Some(*n))),
            Ty::RuntimeArray(of) => Ok((*of, None)),
            _ => bad(format!("a computed index into %{id}, which has no elements")),
        }
    }

    /// How far apart the elements of a type lie, and how the elements are laid out.
    pub(super) fn step(&self, id: u32, layout: Layout) -> Result<(u32, Layout)> {
        match (self.get(id)?, layout) {
            (Ty::Vector(of, _), Layout::Explicit(rows)) => {
                // What is left of a matrix's layout in a column tells how far its components are apart.
                let apart = rows.map_or_else(|| self.size(*of, layout), |rows| Ok(rows.stride))?;
                Ok((apart, Layout::Explicit(None)))
            }
            (Ty::Matrix(column, _), Layout::Explicit(Some(rows))) => {
                let number = self.scalar(*column)?.width.bytes();
                Ok(if rows.row_major { (number, Layout::Explicit(Some(rows))) } else { (rows.stride, Layout::Explicit(None)) })
            }
            (Ty::Matrix(..), Layout::Explicit(None)) => bad(format!("the matrix %{id} in memory has no MatrixStride")),
            (Ty::Array(..) | Ty::RuntimeArray(_), Layout::Explicit(_)) => match self.strides.get(&id) {
                Some(stride) => Ok((*stride, layout)),
                None => bad(format!("the array %{id} in memory has no ArrayStride")),
            },
            (Ty::Vector(of, _) | Ty::Matrix(of, _) | Ty::Array(of, _) | Ty::RuntimeArray(of), Layout::Packed) => {
                Ok((self.size(*of, layout)?.next_multiple_of(self.alignment(*of)?), layout))
            }
            _ => bad(format!("an index into %{id}, which has no elements")),
        }
    }

    /// Where a member lies, and how it is laid out.
    pub(super) fn member(&self, id: u32, index: u32, layout: Layout) -> Result<(u32, Layout)> {
        let Ty::Struct(members) = self.get(id)? else { return bad(format!("a member of %{id}, which is no structure")) };
        if layout != Layout::Packed {
            let Some(offset) = self.offsets.get(&(id, index)) else {
                return bad(format!("member {index} of %{id} in memory has no Offset"));
            };
            return Ok((*offset, Layout::Explicit(self.rows.get(&(id, index)).copied())));
        }
        let mut at = 0u32;
        for (i, member) in members.iter().enumerate().take(index as usize + 1) {
            at = at.checked_next_multiple_of(self.alignment(*member)?).unwrap_or(u32::MAX);
            if i < index as usize {
                at = at.saturating_add(self.size(*member, layout)?);
            }
        }
        Ok((at, layout))
    }

    /// What a packed type starts at a multiple of.
    fn alignment(&self, id: u32) -> Result<u32> {
        Ok(match self.get(id)? {
            Ty::Scalar(scalar) => scalar.width.bytes().max(1),
            Ty::Vector(of, _) | Ty::Matrix(of, _) | Ty::Array(of, _) | Ty::RuntimeArray(of) => self.alignment(*of)?,
            Ty::Struct(members) => {
                members.iter().map(|member| self.alignment(*member)).try_fold(1, |most, next| next.map(|next| next.max(most)))?
            }
            _ => return unsupported(format!("the type %{id} in memory")),
        })
    }

    /// The size of a type in memory in bytes; of an array without a length that of one element.
    pub(super) fn size(&self, id: u32, layout: Layout) -> Result<u32> {
        if let Some(size) = self.sizes.borrow().get(&(id, layout)) {
            return Ok(*size);
        }
        let size = match self.get(id)? {
            Ty::Scalar(scalar) => scalar.width.bytes().max(1),
            Ty::Vector(_, n) | Ty::Matrix(_, n) | Ty::Array(_, n) => self.extent(id, *n, layout)?,
            Ty::RuntimeArray(_) => self.extent(id, 1, layout)?,
            Ty::Struct(members) => {
                let mut end = 0u32;
                for (i, member) in (0..).zip(members.iter()) {
                    let (at, inner) = self.member(id, i, layout)?;
                    end = end.max(at.saturating_add(self.size(*member, inner)?));
                }
                if layout == Layout::Packed { end.checked_next_multiple_of(self.alignment(id)?).unwrap_or(u32::MAX) } else { end }
            }
            _ => return unsupported(format!("the type %{id} in memory")),
        };
        if size == u32::MAX {
            return unsupported("a type of 4 GiB");
        }
        self.sizes.borrow_mut().insert((id, layout), size);
        Ok(size)
    }

    /// Up to the end of the last of `n` elements; of arrays their whole stride counts.
    fn extent(&self, id: u32, n: u32, layout: Layout) -> Result<u32> {
        let (stride, inner) = self.step(id, layout)?;
        if matches!(self.get(id)?, Ty::Array(..) | Ty::RuntimeArray(_)) {
            return Ok(stride.saturating_mul(n));
        }
        let (element, _) = self.element(id)?;
        Ok(stride.saturating_mul(n.saturating_sub(1)).saturating_add(self.size(element, inner)?))
    }

    /// The numbers of a value of a type in order, with their places in memory.
    pub(super) fn leaves(&self, id: u32, layout: Layout) -> Result<Vec<Leaf>> {
        let mut leaves = Vec::with_capacity(self.count(id)?);
        self.push_leaves(id, 0, layout, &mut leaves)?;
        Ok(leaves)
    }

    fn push_leaves(&self, id: u32, offset: u32, layout: Layout, leaves: &mut Vec<Leaf>) -> Result<()> {
        match self.get(id)? {
            Ty::Scalar(scalar) => leaves.push(Leaf { offset, width: scalar.width }),
            Ty::Vector(of, n) | Ty::Matrix(of, n) | Ty::Array(of, n) => {
                let (stride, inner) = self.step(id, layout)?;
                for i in 0..*n {
                    self.push_leaves(*of, offset.saturating_add(i.saturating_mul(stride)), inner, leaves)?;
                }
            }
            Ty::Struct(members) => {
                for (i, member) in (0..).zip(members.iter()) {
                    let (at, inner) = self.member(id, i, layout)?;
                    self.push_leaves(*member, offset.saturating_add(at), inner, leaves)?;
                }
            }
            _ => return unsupported(format!("the type %{id} inside a value")),
        }
        Ok(())
    }

    /// The layout of a type in memory, as binding shows it.
    pub(super) fn layout(&self, id: u32, layout: Layout) -> Result<Type> {
        if self.parts.get(&id).is_none_or(|parts| *parts > MAX_PARTS) {
            return unsupported(format!("a type of more than {MAX_PARTS} parts"));
        }
        Ok(match self.get(id)? {
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Vector(of, n) => Type::Vector { size: *n, scalar: self.scalar(*of)? },
            Ty::Matrix(column, n) => {
                let Layout::Explicit(Some(rows)) = layout else {
                    return bad(format!("the matrix %{id} in memory has no MatrixStride"));
                };
                Type::Matrix {
                    columns: *n,
                    rows: self.shape(*column)?.1 as u32,
                    row_major: rows.row_major,
                    stride: rows.stride,
                    scalar: self.scalar(*column)?,
                }
            }
            Ty::Array(of, _) | Ty::RuntimeArray(of) => {
                let (stride, inner) = self.step(id, layout)?;
                let count = self.element(id)?.1;
                Type::Array { element: Box::new(self.layout(*of, inner)?), count, stride }
            }
            Ty::Struct(members) => {
                let mut all = Vec::new();
                for (i, member) in (0..).zip(members.iter()) {
                    let (offset, inner) = self.member(id, i, layout)?;
                    let name = self.member_names.get(&(id, i)).filter(|name| !name.is_empty()).cloned();
                    let name = name.unwrap_or_else(|| format!("member{i}"));
                    all.push(Member { name, offset, ty: self.layout(*member, inner)? });
                }
                all.sort_by_key(|member| member.offset);
                Type::Struct { members: all, size: self.size(id, layout)? }
            }
            _ => return unsupported(format!("the type %{id} in memory")),
        })
    }
}

/// An integer type of so many bits.
pub(super) fn integer(bits: u32, signed: bool) -> Result<ScalarType> {
    let width = match bits {
        8 => Width::W8,
        16 => Width::W16,
        32 => Width::W32,
        64 => Width::W64,
        _ => return unsupported(format!("integers of {bits} bits")),
    };
    Ok(ScalarType { kind: if signed { Kind::Sint } else { Kind::Uint }, width })
}

/// A float type of so many bits.
pub(super) fn float(bits: u32) -> Result<ScalarType> {
    let width = match bits {
        16 => Width::W16,
        32 => Width::W32,
        64 => Width::W64,
        _ => return unsupported(format!("floats of {bits} bits")),
    };
    Ok(ScalarType { kind: Kind::Float, width })
}
