//! The token stream of SHDR and SHEX parts, decoded and encoded back to the same tokens
//! (d3d11TokenizedProgramFormat).

use super::container::{Container, Part};
use super::error::{Error, Result};
use super::opcode::{Class, Controls, Info, Opcode, Slot};
use super::operand::Operand;
use std::fmt;

/// The stage a program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Stage {
    /// Pixel.
    Pixel,
    /// Vertex.
    Vertex,
    /// Geometry.
    Geometry,
    /// Hull: tessellation control.
    Hull,
    /// Domain: tessellation evaluation.
    Domain,
    /// Compute.
    Compute,
}

/// The first token: the stage and the shader model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    /// The stage.
    pub stage: Stage,
    /// The shader model's major version: 4 or 5.
    pub major: u8,
    /// The shader model's minor version: 0 or 1.
    pub minor: u8,
}

impl Target {
    /// Whether registers of resources are ranges with spaces, as from SM 5.1 on.
    pub fn has_spaces(self) -> bool {
        (self.major, self.minor) >= (5, 1)
    }

    fn decode(token: u32, offset: usize) -> Result<Target> {
        let stage = match token >> 16 {
            0 => Stage::Pixel,
            1 => Stage::Vertex,
            2 => Stage::Geometry,
            3 => Stage::Hull,
            4 => Stage::Domain,
            5 => Stage::Compute,
            other => return Err(Error::unsupported(offset, format!("program type {other}"))),
        };
        let (major, minor) = ((token >> 4 & 0xf) as u8, (token & 0xf) as u8);
        if token & 0xff00 != 0 || !matches!((major, minor), (4 | 5, 0 | 1)) {
            return Err(Error::unsupported(offset, format!("the version token {token:#010x}")));
        }
        Ok(Target { stage, major, minor })
    }

    fn encode(self) -> u32 {
        (self.stage as u32) << 16 | u32::from(self.major & 0xf) << 4 | u32::from(self.minor & 0xf)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match self.stage {
            Stage::Pixel => "ps",
            Stage::Vertex => "vs",
            Stage::Geometry => "gs",
            Stage::Hull => "hs",
            Stage::Domain => "ds",
            Stage::Compute => "cs",
        };
        write!(f, "{stage}_{}_{}", self.major, self.minor)
    }
}

/// An extended opcode token, the chain bit apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extension(pub u32);

/// What an extended opcode token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExtensionKind {
    /// Nothing.
    Empty,
    /// Offsets in texels along u, v and w, each -8 to 7.
    SampleControls([i8; 3]),
    /// The dimension of the resource (D3D10_SB_RESOURCE_DIMENSION) and the stride in bytes of a structured buffer.
    ResourceDimension {
        /// The dimension's number.
        dimension: u32,
        /// The stride, otherwise 0.
        stride: u32,
    },
    /// What the resource's components are (D3D10_SB_RESOURCE_RETURN_TYPE).
    ResourceReturnType([u8; 4]),
}

impl Extension {
    /// What the token says; `None` for a type that the format does not define.
    pub fn kind(self) -> Option<ExtensionKind> {
        let token = self.0;
        match token & 0x3f {
            0 => Some(ExtensionKind::Empty),
            1 => {
                // Four bits each, of two's complement: shifted up and back to extend the sign.
                let offset = |at: u32| ((token >> at & 0xf) as i8) << 4 >> 4;
                Some(ExtensionKind::SampleControls([offset(9), offset(13), offset(17)]))
            }
            2 => Some(ExtensionKind::ResourceDimension { dimension: token >> 6 & 0x1f, stride: token >> 11 & 0xfff }),
            3 => Some(ExtensionKind::ResourceReturnType([6, 10, 14, 18].map(|at| (token >> at & 0xf) as u8))),
            _ => None,
        }
    }
}

/// One instruction or declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// What it is.
    pub opcode: Opcode,
    /// The opcode token's bits above the opcode, in place: see the row's [`Controls`]. Bits that it does not explain are
    /// kept as they were.
    pub controls: u32,
    /// The extended opcode tokens, in order.
    pub extensions: Vec<Extension>,
    /// The operands, in the order of the row's pattern.
    pub operands: Vec<Operand>,
    /// The plain words of a declaration or a block of data, in the order of the row's pattern.
    pub words: Vec<u32>,
    /// A word after what the pattern takes. It means nothing: Microsoft's compiler leaves one after `samplepos` and
    /// some instructions with a clamp.
    pub surplus: Option<u32>,
    /// Whether the instruction's length stands in a word of its own, as very long ones have it.
    pub long: bool,
    /// Where it started in the file, in bytes.
    pub offset: usize,
}

/// The bits of an opcode token that hold controls.
const CONTROLS: u32 = 0x00ff_f800;
/// The bits of a block's token that hold its class.
const DATA_CLASS: u32 = 0xffff_f800;
const EXTENDED: u32 = 1 << 31;
/// The bits of an opcode token that hold the length, when no word of its own does.
const LENGTH: u32 = 0x7f00_0000;
const MAX_LENGTH: usize = 127;

impl Instruction {
    /// The opcode's row.
    pub fn info(&self) -> &'static Info {
        self.opcode.info()
    }

    fn control(&self, kind: Controls, at: u32, bits: u32) -> Option<u32> {
        (self.info().controls == kind).then(|| self.controls >> at & ((1 << bits) - 1))
    }

    /// Whether the result is clamped to [0, 1].
    pub fn saturates(&self) -> bool {
        self.control(Controls::Saturate, 13, 1) == Some(1)
    }

    /// Of an instruction with a condition: whether it holds for values that are not zero (true) or that are (false).
    pub fn tests_nonzero(&self) -> Option<bool> {
        self.control(Controls::Test, 18, 1).map(|bit| bit == 1)
    }

    /// The components of the results that must be computed as written; bit 0 is x.
    pub fn precise_mask(&self) -> u8 {
        match self.info().class {
            Class::Declaration | Class::Data | Class::Phase => 0,
            _ => (self.controls >> 19 & 0xf) as u8,
        }
    }

    /// Of `resinfo` and `sampleinfo`: the format of the result, as [`Controls::ReturnType`] numbers it.
    pub fn return_type(&self) -> Option<u32> {
        self.control(Controls::ReturnType, 11, 2)
    }

    /// Of `sync`: the flags, as [`Controls::Sync`] orders them from bit 0.
    pub fn sync_flags(&self) -> Option<u32> {
        self.control(Controls::Sync, 11, 4)
    }

    /// Of a declaration of a pixel input: D3D10_SB_INTERPOLATION_MODE.
    pub fn interpolation(&self) -> Option<u32> {
        self.control(Controls::Interpolation, 11, 4)
    }

    /// Of a sampler's declaration: 0 default, 1 comparison, 2 mono.
    pub fn sampler_mode(&self) -> Option<u32> {
        self.control(Controls::SamplerMode, 11, 4)
    }

    /// Of a declaration of a typed resource or view: D3D10_SB_RESOURCE_DIMENSION.
    pub fn resource_dimension(&self) -> Option<u32> {
        self.control(Controls::Resource, 11, 5).or_else(|| self.control(Controls::Uav, 11, 5))
    }

    /// Of the declaration of global flags: the flags, from bit 11 of the token on at bit 0: refactoring allowed,
    /// doubles, early depth and stencil, raw and structured buffers, skip optimisation, minimum precision, double
    /// extensions, shader extensions, all resources bound.
    pub fn global_flags(&self) -> Option<u32> {
        self.control(Controls::GlobalFlags, 11, 13)
    }

    /// Of a block of data: 0 comment, 1 debug information, 2 opaque, 3 the immediate constant buffer, 4 a message,
    /// 5 mappings of clip planes.
    pub fn data_class(&self) -> Option<u32> {
        (self.info().controls == Controls::CustomDataClass).then_some(self.controls >> 11)
    }

    /// The texel offsets, where the instruction has any.
    pub fn texel_offsets(&self) -> Option<[i8; 3]> {
        self.extensions.iter().find_map(|extension| match extension.kind() {
            Some(ExtensionKind::SampleControls(offsets)) => Some(offsets),
            _ => None,
        })
    }

    fn decode(words: &mut Words<'_>, target: Target) -> Result<Instruction> {
        let offset = words.offset();
        let token = words.next("an opcode token")?;
        let number = (token & 0x7ff) as u16;
        let Some(info) = Opcode::from_number(number) else {
            return Err(Error::unsupported(offset, format!("opcode {number}")));
        };
        let mut instruction = Instruction {
            opcode: info.opcode,
            controls: token & CONTROLS,
            extensions: Vec::new(),
            operands: Vec::new(),
            words: Vec::new(),
            surplus: None,
            long: false,
            offset,
        };
        if info.class == Class::Data {
            instruction.controls = token & DATA_CLASS;
            let length = words.next("a block's length")? as usize;
            let Some(rest) = length.checked_sub(2) else {
                return Err(Error::bad(offset + 4, "a block's length of 2 words or more", length.to_string()));
            };
            instruction.words = words.take(rest, "a block of data")?.rest().collect();
            return Ok(instruction);
        }
        let mut length = (token >> 24 & 0x7f) as usize;
        let mut before = 1;
        // Long declarations have their length where others have an extended token.
        instruction.long = token & EXTENDED != 0 && is_lengthy(info.opcode);
        if instruction.long {
            instruction.controls |= token & LENGTH;
            length = words.next("a length")? as usize;
            before = 2;
        }
        let Some(rest) = length.checked_sub(before) else {
            return Err(Error::bad(offset, format!("a length of at least {before}"), length.to_string()));
        };
        let mut body = words.take(rest, info.name)?;
        if token & EXTENDED != 0 && !instruction.long {
            instruction.decode_extensions(&mut body)?;
        }
        for slot in info.slots() {
            match slot {
                Slot::Operand { .. } => instruction.operands.push(Operand::decode(&mut body, 0)?),
                Slot::SpaceWord if !target.has_spaces() => {}
                Slot::Word | Slot::SpaceWord => instruction.words.push(body.next("a declaration's word")?),
                Slot::Rest => instruction.words.extend(body.rest()),
            }
        }
        if body.left() > 1 {
            let expected = format!("{} to end after {} words", info.name, length - body.left());
            return Err(Error::bad(offset, expected, format!("a length of {length}")));
        }
        instruction.surplus = body.rest().next();
        Ok(instruction)
    }

    fn decode_extensions(&mut self, body: &mut Words<'_>) -> Result<()> {
        loop {
            let offset = body.offset();
            let token = body.next("an extended opcode token")?;
            let extension = Extension(token & !EXTENDED);
            if extension.kind().is_none() {
                let what = format!("an extended opcode token of type {}", token & 0x3f);
                return Err(Error::unsupported(offset, what));
            }
            self.extensions.push(extension);
            if token & EXTENDED == 0 {
                return Ok(());
            }
        }
    }

    /// Appends the instruction's tokens.
    fn encode(&self, target: Target, out: &mut Vec<u32>) -> Result<()> {
        let (info, start) = (self.info(), out.len());
        let misfit = |what: &str| Error::unencodable(format!("{} with {what}", info.name));
        if info.class == Class::Data {
            let length = u32::try_from(self.words.len() + 2).map_err(|_| misfit("4 Gi words"))?;
            out.extend([info.opcode as u32 | self.controls & DATA_CLASS, length]);
            out.extend_from_slice(&self.words);
            return Ok(());
        }
        let extended = if self.long || !self.extensions.is_empty() { EXTENDED } else { 0 };
        let controls = self.controls & if self.long { CONTROLS | LENGTH } else { CONTROLS };
        out.push(info.opcode as u32 | controls | extended);
        if self.long {
            out.push(0);
        }
        for (i, extension) in self.extensions.iter().enumerate() {
            out.push(extension.0 | if i + 1 < self.extensions.len() { EXTENDED } else { 0 });
        }
        let (mut operands, mut words) = (self.operands.iter(), self.words.iter());
        for slot in info.slots() {
            match slot {
                Slot::Operand { .. } => {
                    operands.next().ok_or_else(|| misfit("too few operands"))?.encode(out)?;
                }
                Slot::SpaceWord if !target.has_spaces() => {}
                Slot::Word | Slot::SpaceWord => {
                    out.push(*words.next().ok_or_else(|| misfit("too few words"))?);
                }
                Slot::Rest => out.extend(words.by_ref()),
            }
        }
        if operands.next().is_some() || words.next().is_some() {
            return Err(misfit("more than its pattern takes"));
        }
        out.extend(self.surplus);
        let length = out.len() - start;
        if !self.long && length > MAX_LENGTH {
            return Err(misfit(&format!("{length} words, of which a token counts {MAX_LENGTH}")));
        }
        if self.long {
            out[start + 1] = u32::try_from(length).map_err(|_| misfit("4 Gi words"))?;
        } else {
            out[start] |= (length as u32) << 24;
        }
        Ok(())
    }
}

/// Whether an extended token of this opcode is its length ("if it is extended, then it contains the actual instruction
/// length in DWORDs").
fn is_lengthy(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::DclFunctionBody
            | Opcode::DclFunctionTable
            | Opcode::DclInterface
            | Opcode::InterfaceCall
            | Opcode::DclThreadGroup
    )
}

/// A program as its part holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shader {
    target: Target,
    /// Instructions and declarations, in order.
    pub instructions: Vec<Instruction>,
    /// Bytes of the part after the length that its second token gives.
    trailing: Vec<u8>,
    /// Where the part's bytes started in the file.
    offset: usize,
}

impl Shader {
    /// Decodes the first SHDR or SHEX part of a container.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when there is none, naming the code that there is; otherwise as [`Shader::decode`].
    pub fn find(container: &Container) -> Result<Shader> {
        if let Some(part) = container.find(&[b"SHEX", b"SHDR"]) {
            return Shader::decode(part);
        }
        let other = container.find(&[b"DXIL", b"ILDB", b"Aon9", b"XNAS", b"XNAP", b"FX10", b"CLI4", b"FXLC"]);
        Err(match other {
            Some(part) => Error::unsupported(part.offset(), format!("code of the kind {}", part.code())),
            None => Error::unsupported(0, "a container without code (no SHDR or SHEX part)"),
        })
    }

    /// Decodes a SHDR or SHEX part.
    ///
    /// # Errors
    /// [`Error::BadInput`] when tokens break the format, [`Error::Unsupported`] for opcodes, operand types, extended
    /// tokens or versions that it does not define.
    pub fn decode(part: &Part) -> Result<Shader> {
        let (chunks, _) = part.data().as_chunks::<4>();
        let mut words = Words { chunks, at: 0, base: part.offset() };
        let target = Target::decode(words.next("a version token")?, part.offset())?;
        let length = words.next("a length token")? as usize;
        if length < 2 || length > chunks.len() {
            let expected = format!("a length of 2 to {} words", chunks.len());
            return Err(Error::bad(part.offset() + 4, expected, length.to_string()));
        }
        let mut body = words.take(length - 2, "a program")?;
        let mut instructions = Vec::new();
        while body.left() > 0 {
            instructions.push(Instruction::decode(&mut body, target)?);
        }
        let trailing = part.data()[4 * length..].to_vec();
        Ok(Shader { target, instructions, trailing, offset: part.offset() })
    }

    /// The stage and shader model.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Where the part's bytes started in the file.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The part's bytes: of a program that was decoded and not edited, those that it was decoded from.
    ///
    /// # Errors
    /// [`Error::Unencodable`] when an edited instruction has operands or words that its pattern does not take, or is
    /// too long.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut words = vec![self.target.encode(), 0];
        for instruction in &self.instructions {
            instruction.encode(self.target, &mut words)?;
        }
        words[1] = u32::try_from(words.len()).map_err(|_| Error::unencodable("a program of 4 Gi words"))?;
        let mut bytes = Vec::with_capacity(4 * words.len() + self.trailing.len());
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }
}

/// Tokens that are still to be read.
pub(crate) struct Words<'a> {
    chunks: &'a [[u8; 4]],
    at: usize,
    base: usize,
}

impl<'a> Words<'a> {
    /// Words that do not come from a file.
    pub(crate) fn detached(chunks: &'a [[u8; 4]]) -> Self {
        Words { chunks, at: 0, base: 0 }
    }

    /// Where the next token is in the file.
    pub(crate) fn offset(&self) -> usize {
        self.base + 4 * self.at
    }

    pub(crate) fn next(&mut self, what: &str) -> Result<u32> {
        match self.chunks.get(self.at) {
            Some(bytes) => {
                self.at += 1;
                Ok(u32::from_le_bytes(*bytes))
            }
            None => Err(Error::bad(self.offset(), what, "the end of what contains it")),
        }
    }

    /// The next `count` tokens as a stream of their own.
    fn take(&mut self, count: usize, what: &str) -> Result<Words<'a>> {
        let taken = self.at.checked_add(count).and_then(|end| self.chunks.get(self.at..end));
        let Some(chunks) = taken else {
            let left = self.left();
            return Err(Error::bad(self.offset(), format!("{count} more words of {what}"), format!("{left} words")));
        };
        let taken = Words { chunks, at: 0, base: self.offset() };
        self.at += count;
        Ok(taken)
    }

    fn left(&self) -> usize {
        self.chunks.len() - self.at
    }

    /// All the tokens that are left.
    fn rest(&mut self) -> impl Iterator<Item = u32> + use<'a> {
        let left = &self.chunks[self.at..];
        self.at = self.chunks.len();
        left.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }
}
