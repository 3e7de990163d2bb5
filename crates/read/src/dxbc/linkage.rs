//! IFCE: the classes that a program's interface slots can be bound to, and the instances that its buffers hold.
//!
//! The header has the numbers of instances, of classes and of records of slots, the number of slots, and then the offsets of
//! instances, classes and records. An instance takes 16 bytes: its name, six 16-bit numbers. A class takes 12: its name, four
//! 16-bit numbers. A record of slots takes 16: how many slots, how many classes fit, and the offsets of their 16-bit types
//! and of their 32-bit tables.

use super::container::Part;
use super::error::{Error, Result};
use super::names::Names;

/// What an IFCE part says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linkage {
    /// The classes; types are indices into this.
    pub classes: Vec<Class>,
    /// The instances that constant buffers hold.
    pub instances: Vec<Instance>,
    /// Interface slots in all.
    pub slot_count: u32,
    /// The slots, in order.
    pub slots: Vec<Slots>,
}

/// A class that implements an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Its name in the source.
    pub name: String,
    /// The number by which other files may call it.
    pub id: u16,
    /// Rows of 16 bytes that an instance takes in its constant buffer.
    pub stride: u16,
    /// Textures of an instance.
    pub textures: u16,
    /// Samplers of an instance.
    pub samplers: u16,
}

/// An instance of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Its name in the source.
    pub name: String,
    /// Its class.
    pub class: u16,
    /// Elements, 1 where it is no array.
    pub count: u16,
    /// The constant buffer with its data.
    pub buffer: u16,
    /// The row of 16 bytes where its data start.
    pub row: u16,
    /// Its first texture, where it has any.
    pub texture: Option<u16>,
    /// Its first sampler, where it has any.
    pub sampler: Option<u16>,
}

/// Slots that the same classes fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    /// How many slots.
    pub count: u32,
    /// The classes with the function tables that calls then use.
    pub fits: Vec<(u16, u32)>,
}

const HEADER: usize = 36;

impl Linkage {
    /// Reads an IFCE part.
    ///
    /// # Errors
    /// [`Error::BadInput`] when a table or a name leaves the part, or tables overlap so that they would multiply it.
    pub fn parse(part: &Part) -> Result<Self> {
        let bytes = part.bytes();
        bytes.get(0, HEADER, "a header of interfaces")?;
        let field = |i: usize| bytes.size(4 * i, "a header of interfaces");
        let (instances, classes, slots) = (field(4)?, field(5)?, field(6)?);
        let (instance_count, class_count, record_count) = (field(0)?, field(1)?, field(2)?);
        bytes.table(instances, instance_count, 16, "class instances")?;
        bytes.table(classes, class_count, 12, "class types")?;
        bytes.table(slots, record_count, 16, "interface slots")?;
        let mut names = Names::new(bytes);
        let mut read_class = |at: usize| -> Result<Class> {
            let short = |i: usize| bytes.u16(at + 4 + 2 * i, "a class type");
            let name = names.read(bytes.size(at, "a class type's name")?, "a class type's name")?;
            Ok(Class { name, id: short(0)?, stride: short(1)?, textures: short(2)?, samplers: short(3)? })
        };
        let classes = (0..class_count).map(|i| read_class(classes + 12 * i)).collect::<Result<Vec<_>>>()?;
        let mut read_instance = |at: usize| -> Result<Instance> {
            let short = |i: usize| bytes.u16(at + 4 + 2 * i, "a class instance");
            let first = |i: usize| short(i).map(|first| (first != u16::MAX).then_some(first));
            let name = names.read(bytes.size(at, "a class instance's name")?, "a class instance's name")?;
            let (class, count, buffer, row) = (short(0)?, short(1)?, short(2)?, short(3)?);
            Ok(Instance { name, class, count, buffer, row, texture: first(4)?, sampler: first(5)? })
        };
        let instances = (0..instance_count).map(|i| read_instance(instances + 16 * i)).collect::<Result<Vec<_>>>()?;
        let mut budget = bytes.len();
        let mut read_slots = |at: usize| -> Result<Slots> {
            let field = |i: usize| bytes.size(at + 4 * i, "interface slots");
            let (fit, types, tables) = (field(1)?, field(2)?, field(3)?);
            bytes.table(types, fit, 2, "types of a slot")?;
            bytes.table(tables, fit, 4, "tables of a slot")?;
            budget = budget.checked_sub(fit).ok_or_else(|| {
                Error::bad(bytes.offset(at), "types in proportion to the part", "more types of slots than it has bytes")
            })?;
            let pair = |i: usize| Ok((bytes.u16(types + 2 * i, "a type")?, bytes.u32(tables + 4 * i, "a table")?));
            Ok(Slots { count: bytes.u32(at, "interface slots")?, fits: (0..fit).map(pair).collect::<Result<_>>()? })
        };
        let slots = (0..record_count).map(|i| read_slots(slots + 16 * i)).collect::<Result<Vec<_>>>()?;
        Ok(Linkage { classes, instances, slot_count: bytes.u32(12, "the number of slots")?, slots })
    }
}
