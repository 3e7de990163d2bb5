//! RTS0: a root signature of Direct3D 12, and the text in HLSL that it is compiled from.
//!
//! The header has the version (1 for 1.0, 2 for 1.1, 3 for 1.2), the number and offset of parameters, of static samplers, and the
//! flags. A parameter takes 12 bytes: its type, its visibility, and the offset of what it is: a table of ranges, constants, or a
//! descriptor. Version 1.1 adds flags to ranges and descriptors, version 1.2 to static samplers (D3D12's `d3d12.h`, and LLVM's
//! DXContainer page).

use super::bytes::Bytes;
use super::container::{Container, Part};
use super::error::{Error, Result};
use std::fmt;

/// An RTS0 part. It prints as the argument of `[RootSignature(...)]`; values without a name there print as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct RootSignature {
    /// 1 for version 1.0, 2 for 1.1, 3 for 1.2.
    pub version: u32,
    /// D3D12_ROOT_SIGNATURE_FLAGS.
    pub flags: u32,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The static samplers.
    pub samplers: Vec<StaticSampler>,
}

/// A root parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// D3D12_SHADER_VISIBILITY.
    pub visibility: u32,
    /// What it holds.
    pub kind: ParameterKind,
}

/// What a root parameter holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterKind {
    /// A table of descriptors.
    Table(Vec<Range>),
    /// Words of a constant buffer.
    Constants {
        /// The buffer's register.
        register: u32,
        /// Its space.
        space: u32,
        /// How many words.
        count: u32,
    },
    /// A descriptor: a buffer's address.
    Descriptor {
        /// Of what.
        class: Class,
        /// The register.
        register: u32,
        /// Its space.
        space: u32,
        /// D3D12_ROOT_DESCRIPTOR_FLAGS; 0 in version 1.0.
        flags: u32,
    },
}

/// What a descriptor is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A shader resource view.
    Srv,
    /// An unordered access view.
    Uav,
    /// A constant buffer.
    Cbv,
    /// A sampler.
    Sampler,
}

/// Descriptors of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Of what.
    pub class: Class,
    /// How many; none where there is no bound.
    pub count: Option<u32>,
    /// The first register.
    pub register: u32,
    /// Its space.
    pub space: u32,
    /// D3D12_DESCRIPTOR_RANGE_FLAGS; 0 in version 1.0.
    pub flags: u32,
    /// The first descriptor's place in the table; none where it follows the range before.
    pub offset: Option<u32>,
}

/// A sampler that the root signature fixes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticSampler {
    /// D3D12_FILTER.
    pub filter: u32,
    /// D3D12_TEXTURE_ADDRESS_MODE along u, v and w.
    pub address: [u32; 3],
    /// Added to the level of detail.
    pub bias: f32,
    /// The largest anisotropy.
    pub anisotropy: u32,
    /// D3D12_COMPARISON_FUNC.
    pub comparison: u32,
    /// D3D12_STATIC_BORDER_COLOR.
    pub border: u32,
    /// The least level of detail.
    pub min_lod: f32,
    /// The largest level of detail.
    pub max_lod: f32,
    /// The register.
    pub register: u32,
    /// Its space.
    pub space: u32,
    /// D3D12_SHADER_VISIBILITY.
    pub visibility: u32,
    /// D3D12_SAMPLER_FLAGS; 0 before version 1.2.
    pub flags: u32,
}

const CLASSES: [Class; 4] = [Class::Srv, Class::Uav, Class::Cbv, Class::Sampler];

impl Class {
    fn name(self) -> &'static str {
        ["SRV", "UAV", "CBV", "Sampler"][self as usize]
    }

    fn letter(self) -> char {
        ['t', 'u', 'b', 's'][self as usize]
    }
}

impl RootSignature {
    /// The container's root signature, where it has one.
    ///
    /// # Errors
    /// As [`RootSignature::parse`].
    pub fn find(container: &Container) -> Result<Option<Self>> {
        container.find(&[b"RTS0"]).map(RootSignature::parse).transpose()
    }

    /// Reads an RTS0 part.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a version or type that is not known, [`Error::BadInput`] when something leaves the part, or
    /// tables overlap so that they would multiply it.
    pub fn parse(part: &Part) -> Result<Self> {
        let bytes = part.bytes();
        let field = |i: usize| bytes.u32(4 * i, "a header of a root signature");
        let version = field(0)?;
        if !(1..=3).contains(&version) {
            return Err(Error::unsupported(bytes.offset(0), format!("version {version} of root signatures")));
        }
        let size = |i: usize| bytes.size(4 * i, "a header of a root signature");
        let (count, start) = (size(1)?, size(2)?);
        bytes.table(start, count, 12, "root parameters")?;
        let mut budget = bytes.len();
        let parameters = (0..count).map(|i| parameter(&bytes, version, start + 12 * i, &mut budget)).collect::<Result<_>>()?;
        let (count, start) = (size(3)?, size(4)?);
        let stride = if version >= 3 { 56 } else { 52 };
        bytes.table(start, count, stride, "static samplers")?;
        let samplers = (0..count).map(|i| sampler(&bytes, version, start + stride * i)).collect::<Result<_>>()?;
        Ok(RootSignature { version, flags: field(5)?, parameters, samplers })
    }

    /// The version as HLSL's targets and Direct3D name it.
    pub fn version_name(&self) -> String {
        format!("1.{}", self.version - 1)
    }
}

fn parameter(bytes: &Bytes<'_>, version: u32, at: usize, budget: &mut usize) -> Result<Parameter> {
    let field = |i: usize| bytes.u32(at + 4 * i, "a root parameter");
    let data = bytes.size(at + 8, "a root parameter")?;
    let word = |i: usize| bytes.u32(data.saturating_add(4 * i), "what a root parameter holds");
    let kind = match field(0)? {
        0 => {
            let count = bytes.size(data, "a descriptor table")?;
            let start = bytes.size(data.saturating_add(4), "a descriptor table")?;
            let stride = if version >= 2 { 24 } else { 20 };
            bytes.table(start, count, stride, "descriptor ranges")?;
            *budget = budget.checked_sub(count * stride).ok_or_else(|| {
                Error::bad(bytes.offset(data), "ranges in proportion to the part", "more ranges than it has bytes")
            })?;
            ParameterKind::Table((0..count).map(|i| range(bytes, version, start + stride * i)).collect::<Result<_>>()?)
        }
        1 => ParameterKind::Constants { register: word(0)?, space: word(1)?, count: word(2)? },
        kind @ 2..=4 => {
            let class = [Class::Cbv, Class::Srv, Class::Uav][kind as usize - 2];
            let flags = if version >= 2 { word(2)? } else { 0 };
            ParameterKind::Descriptor { class, register: word(0)?, space: word(1)?, flags }
        }
        kind => return Err(Error::unsupported(bytes.offset(at), format!("a root parameter of type {kind}"))),
    };
    Ok(Parameter { visibility: field(1)?, kind })
}

fn range(bytes: &Bytes<'_>, version: u32, at: usize) -> Result<Range> {
    let field = |i: usize| bytes.u32(at + 4 * i, "a descriptor range");
    let number = field(0)?;
    let Some(&class) = CLASSES.get(number as usize) else {
        return Err(Error::unsupported(bytes.offset(at), format!("a descriptor range of type {number}")));
    };
    let (flags, offset) = if version >= 2 { (field(4)?, field(5)?) } else { (0, field(4)?) };
    let known = |value: u32| (value != u32::MAX).then_some(value);
    Ok(Range { class, count: known(field(1)?), register: field(2)?, space: field(3)?, flags, offset: known(offset) })
}

fn sampler(bytes: &Bytes<'_>, version: u32, at: usize) -> Result<StaticSampler> {
    let field = |i: usize| bytes.u32(at + 4 * i, "a static sampler");
    Ok(StaticSampler {
        filter: field(0)?,
        address: [field(1)?, field(2)?, field(3)?],
        bias: f32::from_bits(field(4)?),
        anisotropy: field(5)?,
        comparison: field(6)?,
        border: field(7)?,
        min_lod: f32::from_bits(field(8)?),
        max_lod: f32::from_bits(field(9)?),
        register: field(10)?,
        space: field(11)?,
        visibility: field(12)?,
        flags: if version >= 3 { field(13)? } else { 0 },
    })
}

/// D3D12_ROOT_SIGNATURE_FLAGS, by bit.
const FLAGS: &[(u32, &str)] = &[
    (0x1, "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"),
    (0x2, "DENY_VERTEX_SHADER_ROOT_ACCESS"),
    (0x4, "DENY_HULL_SHADER_ROOT_ACCESS"),
    (0x8, "DENY_DOMAIN_SHADER_ROOT_ACCESS"),
    (0x10, "DENY_GEOMETRY_SHADER_ROOT_ACCESS"),
    (0x20, "DENY_PIXEL_SHADER_ROOT_ACCESS"),
    (0x40, "ALLOW_STREAM_OUTPUT"),
    (0x80, "LOCAL_ROOT_SIGNATURE"),
    (0x100, "DENY_AMPLIFICATION_SHADER_ROOT_ACCESS"),
    (0x200, "DENY_MESH_SHADER_ROOT_ACCESS"),
    (0x400, "CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED"),
    (0x800, "SAMPLER_HEAP_DIRECTLY_INDEXED"),
];

/// D3D12_DESCRIPTOR_RANGE_FLAGS; those of root descriptors are among them.
const RANGE_FLAGS: &[(u32, &str)] = &[
    (0x1, "DESCRIPTORS_VOLATILE"),
    (0x2, "DATA_VOLATILE"),
    (0x4, "DATA_STATIC_WHILE_SET_AT_EXECUTE"),
    (0x8, "DATA_STATIC"),
    (0x1_0000, "DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS"),
];

/// D3D12_SAMPLER_FLAGS.
const SAMPLER_FLAGS: &[(u32, &str)] = &[(0x1, "UINT_BORDER_COLOR"), (0x2, "NON_NORMALIZED_COORDINATES")];

/// D3D12_SHADER_VISIBILITY.
const VISIBILITIES: &[(u32, &str)] = &[
    (0, "SHADER_VISIBILITY_ALL"),
    (1, "SHADER_VISIBILITY_VERTEX"),
    (2, "SHADER_VISIBILITY_HULL"),
    (3, "SHADER_VISIBILITY_DOMAIN"),
    (4, "SHADER_VISIBILITY_GEOMETRY"),
    (5, "SHADER_VISIBILITY_PIXEL"),
    (6, "SHADER_VISIBILITY_AMPLIFICATION"),
    (7, "SHADER_VISIBILITY_MESH"),
];

/// The bits of D3D12_FILTER that say how texels are filtered.
const FILTERS: &[(u32, &str)] = &[
    (0x00, "MIN_MAG_MIP_POINT"),
    (0x01, "MIN_MAG_POINT_MIP_LINEAR"),
    (0x04, "MIN_POINT_MAG_LINEAR_MIP_POINT"),
    (0x05, "MIN_POINT_MAG_MIP_LINEAR"),
    (0x10, "MIN_LINEAR_MAG_MIP_POINT"),
    (0x11, "MIN_LINEAR_MAG_POINT_MIP_LINEAR"),
    (0x14, "MIN_MAG_LINEAR_MIP_POINT"),
    (0x15, "MIN_MAG_MIP_LINEAR"),
    (0x54, "MIN_MAG_ANISOTROPIC_MIP_POINT"),
    (0x55, "ANISOTROPIC"),
];

/// The bits of D3D12_FILTER that say what is made of the texels.
const REDUCTIONS: [&str; 4] = ["", "COMPARISON_", "MINIMUM_", "MAXIMUM_"];

/// D3D12_TEXTURE_ADDRESS_MODE.
const ADDRESSES: &[(u32, &str)] = &[
    (1, "TEXTURE_ADDRESS_WRAP"),
    (2, "TEXTURE_ADDRESS_MIRROR"),
    (3, "TEXTURE_ADDRESS_CLAMP"),
    (4, "TEXTURE_ADDRESS_BORDER"),
    (5, "TEXTURE_ADDRESS_MIRROR_ONCE"),
];

/// D3D12_COMPARISON_FUNC.
const COMPARISONS: &[(u32, &str)] = &[
    (1, "COMPARISON_NEVER"),
    (2, "COMPARISON_LESS"),
    (3, "COMPARISON_EQUAL"),
    (4, "COMPARISON_LESS_EQUAL"),
    (5, "COMPARISON_GREATER"),
    (6, "COMPARISON_NOT_EQUAL"),
    (7, "COMPARISON_GREATER_EQUAL"),
    (8, "COMPARISON_ALWAYS"),
];

/// D3D12_STATIC_BORDER_COLOR.
const BORDERS: &[(u32, &str)] = &[
    (0, "STATIC_BORDER_COLOR_TRANSPARENT_BLACK"),
    (1, "STATIC_BORDER_COLOR_OPAQUE_BLACK"),
    (2, "STATIC_BORDER_COLOR_OPAQUE_WHITE"),
    (3, "STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT"),
    (4, "STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT"),
];

fn named(value: u32, names: &[(u32, &str)]) -> String {
    names.iter().find(|(number, _)| *number == value).map_or_else(|| format!("{value:#x}"), |(_, name)| (*name).to_string())
}

/// The names of the bits that are set, and the rest as a number.
fn bits(value: u32, names: &[(u32, &str)]) -> String {
    let mut set: Vec<String> = names.iter().filter(|(bit, _)| value & bit != 0).map(|(_, name)| (*name).to_string()).collect();
    let rest = names.iter().fold(value, |rest, (bit, _)| rest & !bit);
    if rest != 0 || set.is_empty() {
        set.push(format!("{rest:#x}"));
    }
    set.join(" | ")
}

fn filter(value: u32) -> String {
    match FILTERS.iter().find(|(number, _)| *number == value & 0x7f) {
        Some((_, name)) if value < 0x200 => format!("FILTER_{}{name}", REDUCTIONS[value as usize >> 7]),
        _ => format!("{value:#x}"),
    }
}

/// Arguments in brackets, those that are not what HLSL takes when nothing is said.
struct Arguments(Vec<String>);

impl Arguments {
    fn new(first: String) -> Self {
        Arguments(vec![first])
    }

    fn add<T: PartialEq>(&mut self, name: &str, value: T, default: &T, text: impl FnOnce(T) -> String) {
        if value != *default {
            self.0.push(format!("{name}={}", text(value)));
        }
    }

    fn place(&mut self, space: u32, visibility: u32) {
        self.add("space", space, &0, |space| space.to_string());
        self.add("visibility", visibility, &0, |visibility| named(visibility, VISIBILITIES));
    }

    fn text(&self, name: &str) -> String {
        format!("{name}({})", self.0.join(", "))
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, mut arguments, space) = match &self.kind {
            ParameterKind::Table(ranges) => ("DescriptorTable", Arguments(ranges.iter().map(ToString::to_string).collect()), 0),
            ParameterKind::Constants { register, space, count } => {
                ("RootConstants", Arguments(vec![format!("num32BitConstants={count}"), format!("b{register}")]), *space)
            }
            ParameterKind::Descriptor { class, register, space, flags } => {
                let mut arguments = Arguments::new(format!("{}{register}", class.letter()));
                arguments.add("flags", *flags, &0, |flags| bits(flags, RANGE_FLAGS));
                (class.name(), arguments, *space)
            }
        };
        arguments.place(space, self.visibility);
        f.write_str(&arguments.text(name))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut arguments = Arguments::new(format!("{}{}", self.class.letter(), self.register));
        arguments.add("numDescriptors", self.count, &Some(1), |count| match count {
            Some(count) => count.to_string(),
            None => "unbounded".into(),
        });
        arguments.place(self.space, 0);
        arguments.add("flags", self.flags, &0, |flags| bits(flags, RANGE_FLAGS));
        arguments.add("offset", self.offset, &None, |offset| offset.unwrap_or(u32::MAX).to_string());
        f.write_str(&arguments.text(self.class.name()))
    }
}

impl fmt::Display for StaticSampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let float = |value: f32| format!("{value:?}");
        let mut arguments = Arguments::new(format!("s{}", self.register));
        arguments.add("filter", self.filter, &0x55, filter);
        for (name, mode) in ["addressU", "addressV", "addressW"].into_iter().zip(self.address) {
            arguments.add(name, mode, &1, |mode| named(mode, ADDRESSES));
        }
        arguments.add("mipLODBias", self.bias.to_bits(), &0, |bits| float(f32::from_bits(bits)));
        arguments.add("maxAnisotropy", self.anisotropy, &16, |most| most.to_string());
        arguments.add("comparisonFunc", self.comparison, &4, |function| named(function, COMPARISONS));
        arguments.add("borderColor", self.border, &2, |colour| named(colour, BORDERS));
        arguments.add("minLOD", self.min_lod.to_bits(), &0, |bits| float(f32::from_bits(bits)));
        arguments.add("maxLOD", self.max_lod.to_bits(), &f32::MAX.to_bits(), |bits| float(f32::from_bits(bits)));
        arguments.place(self.space, self.visibility);
        arguments.add("flags", self.flags, &0, |flags| bits(flags, SAMPLER_FLAGS));
        f.write_str(&arguments.text("StaticSampler"))
    }
}

impl fmt::Display for RootSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.items().join(", "))
    }
}

impl RootSignature {
    /// The text item by item, as a listing shows it: the flags where there are any, parameters, static samplers.
    pub fn items(&self) -> Vec<String> {
        let flags = (self.flags != 0).then(|| format!("RootFlags({})", bits(self.flags, FLAGS)));
        let parameters = self.parameters.iter().map(ToString::to_string);
        flags.into_iter().chain(parameters).chain(self.samplers.iter().map(ToString::to_string)).collect()
    }
}
