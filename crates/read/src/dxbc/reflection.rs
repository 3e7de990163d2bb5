//! RDEF: constant buffers, their variables with types and defaults, and resource bindings.
//!
//! Record layouts as Microsoft's d3dcompiler writes them: SM 4 has no tag; SM 5 has a tag (`RD11`
//! in 5.0) and then the sizes of the records; SM 5.1 has larger bindings, with a space and an identifier.

use super::bytes::Bytes;
use super::container::Part;
use super::error::{Error, Result};
use super::names::Names;
use std::collections::HashMap;

/// A type of an RDEF part: a handle into [`Reflection::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(usize);

/// What an RDEF part says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflection {
    /// The shader model's minor and major version and the kind of program, as one word: 0xffff0500 is ps_5_0.
    pub target: u32,
    /// D3DCOMPILE flags that the compiler was given.
    pub flags: u32,
    /// The compiler's name.
    pub creator: String,
    /// Interface slots in use (SM 5).
    pub interface_slots: u32,
    /// The constant buffers, in the order of the part.
    pub constant_buffers: Vec<ConstantBuffer>,
    /// The bindings, in the order of the part.
    pub bindings: Vec<Binding>,
    types: Vec<Type>,
}

/// A constant buffer, texture buffer, structured buffer's element type or the interface pointers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantBuffer {
    /// The name in the source.
    pub name: String,
    /// Size in bytes.
    pub size: u32,
    /// D3D_SHADER_CBUFFER_FLAGS.
    pub flags: u32,
    /// D3D_CBUFFER_TYPE: 0 cbuffer, 1 tbuffer, 2 interface pointers, 3 the element type of a resource.
    pub kind: u32,
    /// The variables, in the order of the part.
    pub variables: Vec<Variable>,
}

/// A variable of a constant buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name in the source.
    pub name: String,
    /// Offset in bytes from the buffer's start.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// D3D_SHADER_VARIABLE_FLAGS: bit 1 says that the program uses it.
    pub flags: u32,
    /// Its type.
    pub type_id: TypeId,
    /// The bytes of the initial value, where the source gives one.
    pub default: Option<Vec<u8>>,
    /// First texture and number of textures, where the variable has any (SM 5).
    pub textures: Option<(u32, u32)>,
    /// First sampler and number of samplers, where the variable has any (SM 5).
    pub samplers: Option<(u32, u32)>,
}

/// A type. Offsets of members are in bytes from the type's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// The type's name (SM 5).
    pub name: Option<String>,
    /// D3D_SHADER_VARIABLE_CLASS: 0 scalar, 1 vector, 2 matrix by rows, 3 by columns, 4 object, 5 structure,
    /// 6 interface class, 7 interface pointer.
    pub class: u16,
    /// D3D_SHADER_VARIABLE_TYPE: 1 bool, 2 int, 3 float, 19 uint, 39 double, and so on.
    pub base: u16,
    /// Rows of a matrix, otherwise 1.
    pub rows: u16,
    /// Columns of a matrix, components of a vector.
    pub columns: u16,
    /// Elements of an array; 0 when it is none.
    pub elements: u16,
    /// The members of a structure or class.
    pub members: Vec<Member>,
    /// The type that an interface class or pointer stands for (SM 5).
    pub sub_type: Option<TypeId>,
    /// The class that a class extends (SM 5).
    pub base_class: Option<TypeId>,
    /// The interfaces that a class implements (SM 5).
    pub interfaces: Vec<TypeId>,
}

/// A member of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its offset in bytes in the structure.
    pub offset: u32,
    /// Its type.
    pub type_id: TypeId,
}

/// A resource that the program binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The name in the source.
    pub name: String,
    /// D3D_SHADER_INPUT_TYPE: 0 cbuffer, 1 tbuffer, 2 texture, 3 sampler, 4 typed UAV, 5 structured, and so on.
    pub kind: u32,
    /// D3D_RESOURCE_RETURN_TYPE; 0 where the resource has none.
    pub return_type: u32,
    /// D3D_SRV_DIMENSION; 0 where the resource has none.
    pub dimension: u32,
    /// Samples of a multisampled texture, the stride in bytes of a structured buffer, or `u32::MAX`.
    pub samples: u32,
    /// The first register.
    pub bind_point: u32,
    /// Registers; 0 is an unbounded array.
    pub bind_count: u32,
    /// D3D_SHADER_INPUT_FLAGS.
    pub flags: u32,
    /// The register space (SM 5.1), otherwise 0.
    pub space: u32,
    /// The identifier that the program's operands use (SM 5.1), otherwise the bind point.
    pub id: u32,
}

/// Sizes of the records, as the header of SM 5 gives them.
#[derive(Clone, Copy)]
struct Sizes {
    buffer: usize,
    binding: usize,
    variable: usize,
    type_: usize,
    member: usize,
}

const SM4_SIZES: Sizes = Sizes { buffer: 24, binding: 32, variable: 24, type_: 16, member: 12 };
/// The tags of SM 5.0 and SM 5.1.
const TAGS: [u32; 2] = [u32::from_le_bytes(*b"RD11"), 0x2544_1313];
/// Types nest in types; the source language allows no such depth.
const MAX_DEPTH: usize = 64;

impl Reflection {
    /// Reads an RDEF part.
    ///
    /// # Errors
    /// [`Error::BadInput`] when something leaves the part, types contain themselves or records are many times the
    /// part's size; [`Error::Unsupported`] for record sizes that no known compiler writes.
    pub fn parse(part: &Part) -> Result<Self> {
        let bytes = part.bytes();
        let target = bytes.u32(16, "target version")?;
        let tagged = (target >> 8) & 0xff >= 5;
        if tagged && !TAGS.contains(&bytes.u32(28, "the tag of SM 5")?) {
            return Err(Error::unsupported(bytes.offset(28), "reflection of SM 5 with an unknown tag"));
        }
        let (sizes, interface_slots) =
            if tagged { (Self::parse_sizes(&bytes)?, bytes.u32(56, "interface slot count")?) } else { (SM4_SIZES, 0) };
        let mut reader = Reader {
            bytes,
            sizes,
            tagged,
            names: Names::new(bytes),
            records: bytes.len(),
            types: Vec::new(),
            by_offset: HashMap::new(),
        };
        let buffer_count = bytes.size(0, "constant buffer count")?;
        let buffers = bytes.size(4, "constant buffer table offset")?;
        let binding_count = bytes.size(8, "binding count")?;
        let bindings = bytes.size(12, "binding table offset")?;
        let creator = bytes.size(24, "creator offset")?;
        Ok(Reflection {
            target,
            flags: bytes.u32(20, "flags")?,
            creator: if creator == 0 { String::new() } else { reader.names.read(creator, "the creator")? },
            interface_slots,
            constant_buffers: reader.table(buffers, buffer_count, sizes.buffer, Reader::buffer)?,
            bindings: reader.table(bindings, binding_count, sizes.binding, Reader::binding)?,
            types: reader.types,
        })
    }

    fn parse_sizes(bytes: &Bytes<'_>) -> Result<Sizes> {
        let read = |at: usize, known: &[usize], what: &str| {
            let size = bytes.size(at, what)?;
            if known.contains(&size) {
                Ok(size)
            } else {
                Err(Error::unsupported(bytes.offset(at), format!("{what} of {size} bytes")))
            }
        };
        read(32, &[60], "a reflection header")?;
        Ok(Sizes {
            buffer: read(36, &[24], "a constant buffer record")?,
            binding: read(40, &[32, 40], "a binding record")?,
            variable: read(44, &[40], "a variable record")?,
            type_: read(48, &[36], "a type record")?,
            member: read(52, &[12], "a member record")?,
        })
    }

    /// Whether bindings have spaces and identifiers, as from SM 5.1 on.
    pub fn has_spaces(&self) -> bool {
        self.target & 0xffff >= 0x501
    }

    /// The type behind a handle of this part.
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.0]
    }

    /// All types. No type contains itself.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(i, t)| (TypeId(i), t))
    }
}

struct Reader<'a> {
    bytes: Bytes<'a>,
    sizes: Sizes,
    tagged: bool,
    names: Names<'a>,
    /// How many more records may be read: tables may overlap in hostile parts, so counts alone bound nothing.
    records: usize,
    types: Vec<Type>,
    /// The type at an offset, or `None` while it is being read.
    by_offset: HashMap<usize, Option<TypeId>>,
}

impl Reader<'_> {
    fn table<T>(
        &mut self,
        at: usize,
        count: usize,
        stride: usize,
        mut read: impl FnMut(&mut Self, usize) -> Result<T>,
    ) -> Result<Vec<T>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.bytes.table(at, count, stride, "records")?;
        self.records = self
            .records
            .checked_sub(count)
            .ok_or_else(|| Error::bad(self.bytes.offset(at), "records in proportion to the part", "more records than bytes"))?;
        (0..count).map(|i| read(self, at + i * stride)).collect()
    }

    fn name(&mut self, at: usize, what: &str) -> Result<String> {
        let offset = self.bytes.size(at, what)?;
        self.names.read(offset, what)
    }

    fn buffer(&mut self, at: usize) -> Result<ConstantBuffer> {
        let count = self.bytes.size(at + 4, "variable count")?;
        let variables = self.bytes.size(at + 8, "variable table offset")?;
        Ok(ConstantBuffer {
            name: self.name(at, "a constant buffer's name")?,
            size: self.bytes.u32(at + 12, "constant buffer size")?,
            flags: self.bytes.u32(at + 16, "constant buffer flags")?,
            kind: self.bytes.u32(at + 20, "constant buffer type")?,
            variables: self.table(variables, count, self.sizes.variable, Self::variable)?,
        })
    }

    fn variable(&mut self, at: usize) -> Result<Variable> {
        let size = self.bytes.u32(at + 8, "variable size")?;
        let type_at = self.bytes.size(at + 16, "type offset")?;
        let default_at = self.bytes.size(at + 20, "default value offset")?;
        let default = if default_at == 0 {
            None
        } else {
            // Counted like records: hostile variables may share one large value.
            let value = self.bytes.get(default_at, size as usize, "default value")?;
            self.records = self.records.checked_sub(value.len() / 4).ok_or_else(|| {
                Error::bad(self.bytes.offset(at), "default values in proportion to the part", "more than it holds")
            })?;
            Some(value.to_vec())
        };
        let range = |first: usize| -> Result<Option<(u32, u32)>> {
            if self.sizes.variable < 40 {
                return Ok(None);
            }
            let start = self.bytes.u32(at + first, "first register")?;
            let count = self.bytes.u32(at + first + 4, "register count")?;
            Ok((start != u32::MAX).then_some((start, count)))
        };
        let (textures, samplers) = (range(24)?, range(32)?);
        Ok(Variable {
            name: self.name(at, "a variable's name")?,
            offset: self.bytes.u32(at + 4, "variable offset")?,
            size,
            flags: self.bytes.u32(at + 12, "variable flags")?,
            type_id: self.type_at(type_at, 0)?,
            default,
            textures,
            samplers,
        })
    }

    fn type_at(&mut self, at: usize, depth: usize) -> Result<TypeId> {
        match self.by_offset.get(&at) {
            Some(Some(id)) => return Ok(*id),
            Some(None) => {
                return Err(Error::bad(self.bytes.offset(at), "a type that does not contain itself", "one that does"));
            }
            None if depth == MAX_DEPTH => {
                let found = format!("more than {MAX_DEPTH} levels");
                return Err(Error::bad(self.bytes.offset(at), format!("at most {MAX_DEPTH} nested types"), found));
            }
            None => {}
        }
        self.by_offset.insert(at, None);
        let parsed = self.read_type(at, depth)?;
        let id = TypeId(self.types.len());
        self.types.push(parsed);
        self.by_offset.insert(at, Some(id));
        Ok(id)
    }

    fn read_type(&mut self, at: usize, depth: usize) -> Result<Type> {
        self.bytes.get(at, self.sizes.type_, "a type record")?;
        let field = |i: usize| self.bytes.u16(at + 2 * i, "type record");
        let (class, base, rows, columns, elements, count) = (field(0)?, field(1)?, field(2)?, field(3)?, field(4)?, field(5)?);
        let members = self.bytes.size(at + 12, "member table offset")?;
        let members = self.table(members, count.into(), self.sizes.member, |reader, at| reader.member(at, depth))?;
        let mut parsed = Type {
            name: None,
            class,
            base,
            rows,
            columns,
            elements,
            members,
            sub_type: None,
            base_class: None,
            interfaces: Vec::new(),
        };
        if self.tagged {
            parsed.sub_type = self.optional_type(at + 16, depth)?;
            parsed.base_class = self.optional_type(at + 20, depth)?;
            let count = self.bytes.size(at + 24, "interface count")?;
            let interfaces = self.bytes.size(at + 28, "interface table offset")?;
            parsed.interfaces = self.table(interfaces, count, 4, |reader, at| {
                let offset = reader.bytes.size(at, "interface type offset")?;
                reader.type_at(offset, depth + 1)
            })?;
            let name = self.bytes.size(at + 32, "type name offset")?;
            parsed.name = if name == 0 { None } else { Some(self.names.read(name, "a type's name")?) };
        }
        Ok(parsed)
    }

    fn optional_type(&mut self, at: usize, depth: usize) -> Result<Option<TypeId>> {
        match self.bytes.size(at, "type offset")? {
            0 => Ok(None),
            offset => self.type_at(offset, depth + 1).map(Some),
        }
    }

    fn member(&mut self, at: usize, depth: usize) -> Result<Member> {
        let type_at = self.bytes.size(at + 4, "member type offset")?;
        Ok(Member {
            name: self.name(at, "a member's name")?,
            offset: self.bytes.u32(at + 8, "member offset")?,
            type_id: self.type_at(type_at, depth + 1)?,
        })
    }

    fn binding(&mut self, at: usize) -> Result<Binding> {
        let field = |i: usize| self.bytes.u32(at + 4 * i, "binding record");
        let wide = self.sizes.binding >= 40;
        let bind_point = field(5)?;
        Ok(Binding {
            kind: field(1)?,
            return_type: field(2)?,
            dimension: field(3)?,
            samples: field(4)?,
            bind_point,
            bind_count: field(6)?,
            flags: field(7)?,
            space: if wide { field(8)? } else { 0 },
            id: if wide { field(9)? } else { bind_point },
            name: self.name(at, "a binding's name")?,
        })
    }
}
