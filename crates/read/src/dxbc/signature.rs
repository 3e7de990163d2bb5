//! Signatures: what a program takes and gives, by semantic.
//!
//! Record layouts (DirectXShaderCompiler's DxilContainer.h and Microsoft's d3dcompiler): 24 bytes in ISGN, OSGN and
//! PCSG; OSG5 puts a stream before them; ISG1, OSG1 and PSG1 have the stream before and the minimum precision behind.

use super::container::{Container, FourCc, Part};
use super::error::Result;

/// Which interface of the program a signature describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignatureKind {
    /// ISGN, ISG1.
    Input,
    /// OSGN, OSG5, OSG1.
    Output,
    /// PCSG, PSG1: what a hull program gives and a domain program takes for each patch.
    PatchConstant,
}

/// One element of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The semantic's name, as written in the source.
    pub name: String,
    /// The number after the semantic's name.
    pub semantic_index: u32,
    /// The system value, as D3D_NAME numbers it; 0 is none. Outputs of pixel programs have 0 or 64 and above.
    pub system_value: u32,
    /// 0 unknown, 1 u32, 2 i32, 3 f32 (D3D_REGISTER_COMPONENT_TYPE); further values are the 16- and 64-bit types.
    pub component_type: u32,
    /// The register, or `u32::MAX` for a value that has a register file of its own, such as depth.
    pub register: u32,
    /// The components declared: bit 0 is x.
    pub mask: u8,
    /// Of an input: the components that are always read. Of an output: those that are never written.
    pub read_write_mask: u8,
    /// The stream of a geometry program's output; 0 where the part has no streams.
    pub stream: u32,
    /// D3D_MIN_PRECISION; 0, the default, where the part has none.
    pub min_precision: u32,
}

/// A signature part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Which interface it describes.
    pub kind: SignatureKind,
    /// The part's code.
    pub code: FourCc,
    /// The elements in the order of the part.
    pub elements: Vec<Element>,
}

/// The layout of each signature part: code, kind, bytes before the common record, bytes of the whole record.
const LAYOUTS: [(&[u8; 4], SignatureKind, usize, usize); 7] = [
    (b"ISGN", SignatureKind::Input, 0, 24),
    (b"ISG1", SignatureKind::Input, 4, 32),
    (b"OSGN", SignatureKind::Output, 0, 24),
    (b"OSG5", SignatureKind::Output, 4, 28),
    (b"OSG1", SignatureKind::Output, 4, 32),
    (b"PCSG", SignatureKind::PatchConstant, 0, 24),
    (b"PSG1", SignatureKind::PatchConstant, 4, 32),
];

impl Signature {
    /// Reads a part, or gives `None` when its code is not that of a signature.
    ///
    /// # Errors
    /// [`super::Error::BadInput`] when the table or a name leaves the part.
    pub fn parse(part: &Part) -> Result<Option<Self>> {
        let code = part.code();
        let Some((_, kind, before, stride)) = LAYOUTS.into_iter().find(|l| *l.0 == code.0) else {
            return Ok(None);
        };
        let bytes = part.bytes();
        let count = bytes.size(0, "element count")?;
        let table = bytes.size(4, "element table offset")?;
        bytes.table(table, count, stride, "signature elements")?;
        let mut names = super::names::Names::new(bytes);
        let mut elements = Vec::with_capacity(count);
        for i in 0..count {
            let record = table + i * stride;
            let at = record + before;
            let masks = bytes.get(at + 20, 2, "masks")?;
            elements.push(Element {
                stream: if before == 0 { 0 } else { bytes.u32(record, "stream")? },
                name: names.read(bytes.size(at, "semantic name offset")?, "a semantic name")?,
                semantic_index: bytes.u32(at + 4, "semantic index")?,
                system_value: bytes.u32(at + 8, "system value")?,
                component_type: bytes.u32(at + 12, "component type")?,
                register: bytes.u32(at + 16, "register")?,
                mask: masks[0],
                read_write_mask: masks[1],
                min_precision: if stride == 32 { bytes.u32(at + 24, "minimum precision")? } else { 0 },
            });
        }
        Ok(Some(Signature { kind, code, elements }))
    }

    /// The container's signature of a kind, where it has one.
    ///
    /// # Errors
    /// As [`Signature::parse`].
    pub fn find(container: &Container, kind: SignatureKind) -> Result<Option<Self>> {
        for part in container.parts() {
            if let Some(signature) = Signature::parse(part)?
                && signature.kind == kind
            {
                return Ok(Some(signature));
            }
        }
        Ok(None)
    }
}
