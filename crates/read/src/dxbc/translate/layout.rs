//! Reflected types as layouts of memory.
//!
//! Constant buffers pack by rows of 16 bytes: array elements and matrix vectors start rows. Structured buffers pack tightly.

use super::super::reflection::{Binding, Reflection, Type, TypeId};
use gpuproof_program::{Kind, Member, ScalarType, Shape, Type as Layout, Width};

/// The layout of what a binding binds: of the whole for a constant buffer, of a structure for a structured buffer.
pub(super) fn of(reflection: &Reflection, binding: &Binding, shape: Shape) -> Option<Layout> {
    let buffer = reflection.constant_buffers.iter().find(|buffer| buffer.name == binding.name)?;
    let rows = match shape {
        Shape::ConstantBuffer { .. } => true,
        Shape::Structured { .. } => false,
        Shape::Buffer { .. } | Shape::Texture(_) => return None,
    };
    let packing = Packing { reflection, rows };
    // A structured buffer has one variable, `$Element`; SM 5.1's ConstantBuffer<T> has one named like the buffer.
    let whole = match buffer.variables.as_slice() {
        [only] if !rows || only.name == buffer.name => Some(only.type_id),
        _ => None,
    };
    if let Some(id) = whole {
        return packing.layout(id);
    }
    let members = buffer.variables.iter().map(|variable| {
        Some(Member { name: variable.name.clone(), offset: variable.offset, ty: packing.layout(variable.type_id)? })
    });
    Some(Layout::Struct { members: members.collect::<Option<_>>()?, size: buffer.size })
}

struct Packing<'a> {
    reflection: &'a Reflection,
    /// Whether array elements and matrix vectors start rows of 16 bytes.
    rows: bool,
}

impl Packing<'_> {
    fn aligned(&self, bytes: u32) -> u32 {
        // Sizes of a hostile reflection saturate.
        if self.rows { bytes.checked_next_multiple_of(16).unwrap_or(u32::MAX - 15) } else { bytes }
    }

    fn layout(&self, id: TypeId) -> Option<Layout> {
        let ty = self.reflection.type_of(id);
        let element = self.element(ty)?;
        if ty.elements == 0 {
            return Some(element);
        }
        let stride = self.aligned(size(&element));
        Some(Layout::Array { element: Box::new(element), count: Some(ty.elements.into()), stride })
    }

    fn element(&self, ty: &Type) -> Option<Layout> {
        let scalar = scalar(ty.base);
        let (rows, columns) = (u32::from(ty.rows), u32::from(ty.columns));
        let matrix = |row_major: bool, vector: u32| Layout::Matrix {
            columns,
            rows,
            row_major,
            stride: self.aligned(vector * scalar.width.bytes()),
            scalar,
        };
        match ty.class {
            0 => Some(Layout::Scalar(scalar)),
            1 => Some(Layout::Vector { size: columns, scalar }),
            2 => Some(matrix(true, columns)),
            3 => Some(matrix(false, rows)),
            5 => {
                let members = ty.members.iter().map(|member| {
                    Some(Member { name: member.name.clone(), offset: member.offset, ty: self.layout(member.type_id)? })
                });
                let members: Vec<Member> = members.collect::<Option<_>>()?;
                let size = members.iter().map(|member| member.offset.saturating_add(size(&member.ty))).max().unwrap_or(0);
                Some(Layout::Struct { members, size })
            }
            _ => None,
        }
    }
}

/// The bytes from the start of a layout to its end, without padding behind it.
fn size(layout: &Layout) -> u32 {
    match layout {
        Layout::Scalar(scalar) => scalar.width.bytes(),
        Layout::Vector { size, scalar } => size * scalar.width.bytes(),
        Layout::Matrix { columns, rows, row_major, stride, scalar } => {
            let (vectors, length) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            vectors.saturating_sub(1).saturating_mul(*stride).saturating_add(length * scalar.width.bytes())
        }
        Layout::Array { element, count, stride } => {
            count.unwrap_or(0).saturating_sub(1).saturating_mul(*stride).saturating_add(size(element))
        }
        Layout::Struct { size, .. } => *size,
    }
}

/// D3D_SHADER_VARIABLE_TYPE.
fn scalar(base: u16) -> ScalarType {
    let (kind, width) = match base {
        1 => (Kind::Bool, Width::W32),
        2 => (Kind::Sint, Width::W32),
        3 => (Kind::Float, Width::W32),
        19 => (Kind::Uint, Width::W32),
        39 => (Kind::Float, Width::W64),
        // Minimum-precision types take 32 bits in memory.
        53 | 54 => (Kind::Float, Width::W32),
        55 | 56 => (Kind::Sint, Width::W32),
        57 => (Kind::Uint, Width::W32),
        _ => (Kind::Unknown, Width::W32),
    };
    ScalarType { kind, width }
}
