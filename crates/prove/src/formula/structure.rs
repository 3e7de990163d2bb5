//! Structures of buffers as WGSL structures with the same bytes.

use super::names::Names;
use super::ty::Ty;
use gpuproof_program::{Kind, ScalarType, Type, Width};

/// A structure of a buffer: its members with their places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structure {
    /// The name of the WGSL type; empty for an array of words.
    pub(crate) name: String,
    pub(crate) stride: u32,
    pub(crate) members: Vec<StructureMember>,
}

/// A number or vector of a structure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StructureMember {
    pub(crate) ident: String,
    pub(crate) offset: u32,
    pub(crate) size: usize,
    pub(crate) ty: Ty,
}

impl Structure {
    /// The structure of a layout, with vectors where WGSL aligns them as the layout does (14.4.1), with their numbers one by one elsewhere. Without a layout, or for one with
    /// other than words, an array of words.
    pub(crate) fn of(layout: Option<&Type>, stride: u32, ident: &str) -> Structure {
        let words = Structure { name: String::new(), stride, members: Vec::new() };
        let Some(layout) = layout else { return words };
        let mut members = Vec::new();
        let mut names = Names::new();
        if flatten(layout, "", 0, &mut names, &mut members, 0).is_none() {
            return words;
        }
        members.sort_by_key(|member| member.offset);
        let whole = |members: &[StructureMember]| {
            let mut end = 0;
            let gapless = members.iter().all(|member| {
                let fits = member.offset == end;
                end = member.offset + 4 * member.size as u32;
                fits
            });
            gapless && end == stride
        };
        if !whole(&members) {
            return words;
        }
        let alignment = |size: usize| [4, 4, 8, 16, 16][size.min(4)];
        let aligned = |member: &StructureMember| member.offset.is_multiple_of(alignment(member.size));
        let strided = members.iter().all(|member| stride.is_multiple_of(alignment(member.size)));
        // A vector of three is followed by a number at its end, never by one that starts a new 16 bytes too early.
        if !strided || !members.iter().all(aligned) {
            members = members.iter().flat_map(|member| apart(member, &mut names)).collect();
        }
        Structure { name: names.unique(&format!("{ident}_element")), stride, members }
    }

    /// The declaration of the type; empty for an array of words.
    pub(crate) fn declaration(&self) -> String {
        if self.name.is_empty() {
            return String::new();
        }
        let members: Vec<String> =
            self.members.iter().map(|member| format!("    {}: {},\n", member.ident, member.ty.vector(member.size))).collect();
        format!("struct {} {{\n{}}}\n", self.name, members.concat())
    }

    /// The member that holds the word at an offset, and which of its numbers.
    pub(crate) fn member(&self, offset: u32) -> Option<(&StructureMember, u8)> {
        let member = self.members.iter().rev().find(|member| member.offset <= offset)?;
        let component = (offset - member.offset) / 4;
        ((component as usize) < member.size && offset.is_multiple_of(4)).then_some((member, component as u8))
    }
}

fn apart(member: &StructureMember, names: &mut Names) -> Vec<StructureMember> {
    if member.size == 1 {
        return vec![member.clone()];
    }
    (0..member.size)
        .map(|at| StructureMember {
            ident: names.unique(&format!("{}_{}", member.ident, ['x', 'y', 'z', 'w'][at])),
            offset: member.offset + 4 * at as u32,
            size: 1,
            ty: member.ty,
        })
        .collect()
}

/// How deep layouts are followed, and how many members.
const DEEPEST: usize = 16;
const MOST: usize = 256;

fn flatten(
    ty: &Type,
    path: &str,
    offset: u32,
    names: &mut Names,
    members: &mut Vec<StructureMember>,
    depth: usize,
) -> Option<()> {
    if depth > DEEPEST || members.len() > MOST {
        return None;
    }
    let mut member = |path: &str, offset: u32, size: u32, scalar: ScalarType| {
        let ident = names.unique(if path.is_empty() { "value" } else { path });
        let kind = if scalar.kind == Kind::Unknown { Kind::Float } else { scalar.kind };
        let plain = scalar.width == Width::W32 && (1..=4).contains(&size);
        members.push(StructureMember { ident, offset, size: size as usize, ty: Ty::of(kind, Width::W32) });
        plain.then_some(())
    };
    match ty {
        Type::Scalar(scalar) => member(path, offset, 1, *scalar),
        Type::Vector { size, scalar } => member(path, offset, *size, *scalar),
        Type::Matrix { columns, rows, row_major, stride, scalar } => {
            let (count, size) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            (0..count).try_for_each(|at| member(&format!("{path}_{at}"), offset + at * stride, size, *scalar))
        }
        Type::Array { element, count: Some(count), stride } => (0..*count).try_for_each(|at| {
            flatten(element, &format!("{path}_{at}"), offset.checked_add(at.checked_mul(*stride)?)?, names, members, depth + 1)
        }),
        Type::Array { count: None, .. } => None,
        Type::Struct { members: inner, .. } => inner.iter().try_for_each(|inner| {
            let path = if path.is_empty() { inner.name.clone() } else { format!("{path}_{}", inner.name) };
            flatten(&inner.ty, &path, offset.checked_add(inner.offset)?, names, members, depth + 1)
        }),
    }
}
