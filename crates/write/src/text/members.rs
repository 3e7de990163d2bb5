//! Members of constant buffers that have names of their own, for languages that place each where it was.

use super::facts::Facts;
use super::group::computed_row;
use super::names::Names;
use super::tree::Scalar;
use gpuproof_program::{Function, Instruction, Node, Op, Program, ResourceId, Shape, Target, Type, Width, walk};
use std::collections::HashMap;

/// A number, a vector, or vectors that lie 16 bytes apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) ident: String,
    /// In bytes.
    pub(super) offset: u32,
    pub(super) scalar: Scalar,
    pub(super) size: u32,
    /// How many vectors; none where it is no array.
    pub(super) rows: Option<u32>,
}

impl Member {
    /// The bytes after its last number.
    fn end(&self) -> u32 {
        self.offset + self.rows.map_or(0, |rows| 16 * (rows - 1)) + 4 * self.size
    }
}

/// The members of each constant buffer whose every access goes to one.
#[derive(Clone, Debug, Default)]
pub(super) struct Members(pub(super) HashMap<ResourceId, Vec<Member>>);

impl Members {
    pub(super) fn of(program: &Program, names: &mut Names) -> Members {
        let mut found = HashMap::new();
        for (at, resource) in program.interface.resources.iter().enumerate() {
            let (Shape::ConstantBuffer { .. }, Some(Type::Struct { members, .. })) = (resource.shape, &resource.layout) else {
                continue;
            };
            if resource.count != Some(1) {
                continue;
            }
            let mut flat = Vec::new();
            let whole = members.iter().all(|member| flatten(&member.ty, &member.name, member.offset, &mut flat));
            if whole && !flat.is_empty() {
                flat.iter_mut().for_each(|member: &mut Member| member.ident = names.unique(&member.ident));
                found.insert(ResourceId(at as u32), flat);
            }
        }
        Members(found)
    }

    /// Leaves out the buffers of which something is read that no member is.
    pub(super) fn keep_what_covers(&mut self, facts: &Facts<'_>, function: &Function) {
        let mut odd: Vec<ResourceId> = Vec::new();
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            if let (Op::BufferLoad, Target::Resource(id)) = (instruction.op, instruction.attrs.target)
                && self.0.contains_key(&id)
                && self.find(facts, instruction).is_none()
            {
                odd.push(id);
            }
        });
        odd.iter().for_each(|id| _ = self.0.remove(id));
    }

    /// The member that a load reads, the vector of it, and the component.
    pub(super) fn find(&self, facts: &Facts<'_>, instruction: &Instruction) -> Option<(usize, u32, u8)> {
        let Target::Resource(id) = instruction.attrs.target else { return None };
        if let Some(offset) = facts.fixed_row(instruction) {
            return self.at(id, offset);
        }
        let (_, row, component) = computed_row(facts, instruction)?;
        let found = self.at(id, 16 * row + 4 * u32::from(component))?;
        self.0[&id][found.0].rows.map(|_| found)
    }

    /// The member at a byte offset, the vector of it, and the component.
    pub(super) fn at(&self, id: ResourceId, offset: u32) -> Option<(usize, u32, u8)> {
        let members = self.0.get(&id)?;
        members.iter().enumerate().find_map(|(at, member)| {
            let within = offset.checked_sub(member.offset).filter(|_| offset < member.end())?;
            let (row, component) = if member.rows.is_some() { (within / 16, within % 16 / 4) } else { (0, within / 4) };
            (component < member.size).then_some((at, row, component as u8))
        })
    }
}

/// The bytes from a type's first number to its last.
fn bytes(ty: &Type) -> u32 {
    match ty {
        Type::Scalar(scalar) => scalar.width.bytes(),
        Type::Vector { size, scalar } => size * scalar.width.bytes(),
        Type::Matrix { columns, rows, row_major, stride, scalar } => {
            let (count, size) = if *row_major { (rows, columns) } else { (columns, rows) };
            stride * (count.saturating_sub(1)) + size * scalar.width.bytes()
        }
        Type::Array { element, count, stride } => stride * count.unwrap_or(1).saturating_sub(1) + bytes(element),
        Type::Struct { members, .. } => members.iter().map(|member| member.offset + bytes(&member.ty)).max().unwrap_or(0),
    }
}

/// Adds the members that a type is; false for what has no place here.
fn flatten(ty: &Type, name: &str, offset: u32, found: &mut Vec<Member>) -> bool {
    let member = |scalar: Scalar, size: u32, rows: Option<u32>| Member { ident: name.into(), offset, scalar, size, rows };
    let scalar_of =
        |scalar: &gpuproof_program::ScalarType| (scalar.width == Width::W32).then(|| Scalar::of(scalar.kind, Width::W32));
    match ty {
        Type::Scalar(scalar) => scalar_of(scalar).map(|scalar| found.push(member(scalar, 1, None))).is_some(),
        Type::Vector { size, scalar } => scalar_of(scalar).map(|scalar| found.push(member(scalar, *size, None))).is_some(),
        Type::Matrix { columns, rows, row_major, stride: 16, scalar } => {
            let (count, size) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            scalar_of(scalar).map(|scalar| found.push(member(scalar, size, Some(count)))).is_some()
        }
        Type::Matrix { .. } => false,
        Type::Array { element, count: Some(count), stride } => match &**element {
            Type::Scalar(scalar) if *stride == 16 => {
                scalar_of(scalar).map(|scalar| found.push(member(scalar, 1, Some(*count)))).is_some()
            }
            Type::Vector { size, scalar } if *stride == 16 => {
                scalar_of(scalar).map(|scalar| found.push(member(scalar, *size, Some(*count)))).is_some()
            }
            // Structures and matrices one after another: rows.
            _ if stride.is_multiple_of(16) && offset.is_multiple_of(16) && bytes(element).is_multiple_of(16) => {
                found.push(member(Scalar::F32, 4, Some((count * stride / 16).max(1))));
                true
            }
            _ => false,
        },
        Type::Array { .. } => false,
        Type::Struct { members, .. } => {
            members.iter().all(|inner| flatten(&inner.ty, &format!("{name}_{}", inner.name), offset + inner.offset, found))
        }
    }
}
