//! Operands: registers, immediates and their indices (d3d11TokenizedProgramFormat, "Instruction Operand Format").

use super::error::{Error, Result};
use super::tokens::Words;

macro_rules! registers {
    ($($number:literal $file:ident $name:literal $doc:literal;)*) => {
        /// A register file, or what else an operand may be (D3D10_SB_OPERAND_TYPE).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum File {
            $(#[doc = $doc] $file = $number,)*
        }

        impl File {
            const ALL: &'static [(File, &'static str)] = &[$((File::$file, $name),)*];
        }
    };
}

registers! {
    0 Temp "r" "Temporaries.";
    1 Input "v" "Inputs.";
    2 Output "o" "Outputs.";
    3 IndexableTemp "x" "Arrays of temporaries.";
    4 Immediate32 "l" "Values of 32 bits a component, in the operand itself.";
    5 Immediate64 "d" "Values of 64 bits for each two components, in the operand itself.";
    6 Sampler "s" "Samplers.";
    7 Resource "t" "Resources that are read.";
    8 ConstantBuffer "cb" "Constant buffers.";
    9 ImmediateConstantBuffer "icb" "The constants in the program itself.";
    10 Label "label" "Labels of subroutines.";
    11 InputPrimitiveId "vPrim" "The primitive's number.";
    12 OutputDepth "oDepth" "The pixel's depth.";
    13 Null "null" "A result that is not wanted.";
    14 Rasterizer "rasterizer" "The render targets, whose samples are asked for.";
    15 OutputCoverageMask "oMask" "The pixel's coverage as output.";
    16 Stream "m" "Streams of a geometry program.";
    17 FunctionBody "fb" "Bodies of interface functions.";
    18 FunctionTable "ft" "Tables of interface functions.";
    19 Interface "fp" "Interfaces.";
    20 FunctionInput "iv" "Arguments of an interface function.";
    21 FunctionOutput "ov" "Results of an interface function.";
    22 OutputControlPointId "vOutputControlPointID" "The control point that a hull program works on.";
    23 InputForkInstanceId "vForkInstanceID" "The instance of a fork phase.";
    24 InputJoinInstanceId "vJoinInstanceID" "The instance of a join phase.";
    25 InputControlPoint "vicp" "Control points as input.";
    26 OutputControlPoint "vocp" "Control points that the control point phase gave.";
    27 InputPatchConstant "vpc" "Values of the patch.";
    28 InputDomainPoint "vDomain" "Where in its domain a domain program works.";
    29 ThisPointer "this" "The instance data behind an interface.";
    30 Uav "u" "Unordered access views.";
    31 GroupShared "g" "Group-shared memory.";
    32 InputThreadId "vThreadID" "The thread in the dispatch.";
    33 InputThreadGroupId "vThreadGroupID" "The group in the dispatch.";
    34 InputThreadIdInGroup "vThreadIDInGroup" "The thread in its group.";
    35 InputCoverageMask "vCoverage" "The pixel's coverage as input.";
    36 InputThreadIdInGroupFlattened "vThreadIDInGroupFlattened" "The thread in its group as one number.";
    37 InputGsInstanceId "vGSInstanceID" "The instance of a geometry program.";
    38 OutputDepthGreaterEqual "oDepthGE" "A depth no less than the rasteriser's.";
    39 OutputDepthLessEqual "oDepthLE" "A depth no more than the rasteriser's.";
    40 CycleCounter "vCycleCounter" "A clock.";
    41 OutputStencilRef "oStencilRef" "The stencil reference as output.";
    42 InnerCoverage "vInnerCoverage" "Whether the pixel is wholly covered.";
}

impl File {
    /// The file with this number.
    pub fn from_number(number: u32) -> Option<File> {
        File::ALL.get(number as usize).map(|(file, _)| *file)
    }

    /// Its name in Microsoft's listings.
    pub fn name(self) -> &'static str {
        File::ALL[self as usize].1
    }
}

/// Which components of a register an operand means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// The register has no components.
    None,
    /// The register has one component.
    Scalar,
    /// Those whose bits are set, bit 0 being x: of destinations and declarations.
    Mask(u8),
    /// A component, 0 to 3, for each of the four: of sources.
    Swizzle([u8; 4]),
    /// One component, 0 to 3.
    One(u8),
}

/// A source modifier, which applies to the value before the instruction uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Modifier {
    /// As it is.
    #[default]
    None,
    /// Negated.
    Neg,
    /// The absolute value.
    Abs,
    /// The absolute value, negated.
    AbsNeg,
}

/// The least precision an operand may have (D3D11_SB_OPERAND_MIN_PRECISION).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MinPrecision {
    /// The full 32 bits.
    #[default]
    Default,
    /// A float of at least 16 bits.
    Float16,
    /// A fixed-point number of at least 10 bits, 2.8.
    Float10,
    /// A signed integer of at least 16 bits.
    Int16,
    /// An unsigned integer of at least 16 bits.
    Uint16,
}

/// An index into a register file: the sum of a constant and, where there is one, a register's component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// The constant part, as it is encoded.
    pub offset: IndexOffset,
    /// The register part. Its value is added as a 32-bit integer.
    pub relative: Option<Box<Operand>>,
}

/// The constant part of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexOffset {
    /// Not encoded: zero.
    None,
    /// A word.
    Bits32(u32),
    /// Two words, the higher first.
    Bits64(u64),
}

impl Index {
    /// The constant part.
    pub fn constant(&self) -> u64 {
        match self.offset {
            IndexOffset::None => 0,
            IndexOffset::Bits32(value) => value.into(),
            IndexOffset::Bits64(value) => value,
        }
    }

    /// The whole index, where it is a constant.
    pub fn as_constant(&self) -> Option<u64> {
        if self.relative.is_none() { Some(self.constant()) } else { None }
    }

    /// The number by which operand tokens say how an index is encoded.
    fn representation(&self) -> Result<u32> {
        match (self.offset, &self.relative) {
            (IndexOffset::Bits32(_), None) => Ok(0),
            (IndexOffset::Bits64(_), None) => Ok(1),
            (IndexOffset::None, Some(_)) => Ok(2),
            (IndexOffset::Bits32(_), Some(_)) => Ok(3),
            (IndexOffset::Bits64(_), Some(_)) => Ok(4),
            (IndexOffset::None, None) => Err(Error::unencodable("an index that is neither constant nor relative")),
        }
    }
}

/// One operand of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The register file.
    pub file: File,
    /// The components meant.
    pub selection: Selection,
    /// Up to three indices. In SM 5.1 those of buffers, resources, samplers and views start with the identifier of the
    /// declaration that they mean.
    pub indices: Vec<Index>,
    /// The words of an immediate: one or four. A 64-bit value takes two, the lower first.
    pub immediate: Vec<u32>,
    /// The source modifier.
    pub modifier: Modifier,
    /// The least precision.
    pub min_precision: MinPrecision,
    /// Whether an index may differ between the lanes of a wave (SM 5.1).
    pub non_uniform: bool,
    /// Bits of the operand token whose meaning the format leaves open. Kept, so that tokens are encoded again as they were.
    pub reserved: u32,
    /// The extended tokens in full, the chain bit apart, where they hold more than the fields above say or say it in
    /// another form than usual; otherwise empty.
    pub extended: Vec<u32>,
}

const EXTENDED: u32 = 1 << 31;
/// The kind of extended token that holds modifier, precision and uniformity.
const MODIFIER_TOKEN: u32 = 1;
/// Operands that index operands: two levels occur.
const MAX_NESTING: u32 = 8;

/// The modifier, precision and uniformity of an extended token: `None` for values that the format does not define.
fn decode_extension(token: u32) -> Option<(Modifier, MinPrecision, bool)> {
    let modifier = match token >> 6 & 0xff {
        0 => Modifier::None,
        1 => Modifier::Neg,
        2 => Modifier::Abs,
        3 => Modifier::AbsNeg,
        _ => return None,
    };
    let precision = match token >> 14 & 7 {
        0 => MinPrecision::Default,
        1 => MinPrecision::Float16,
        2 => MinPrecision::Float10,
        4 => MinPrecision::Int16,
        5 => MinPrecision::Uint16,
        _ => return None,
    };
    Some((modifier, precision, token >> 17 & 1 == 1))
}

impl Operand {
    /// An operand of a file without components, indices or modifiers.
    pub fn new(file: File) -> Self {
        Operand {
            file,
            selection: Selection::None,
            indices: Vec::new(),
            immediate: Vec::new(),
            modifier: Modifier::None,
            min_precision: MinPrecision::Default,
            non_uniform: false,
            reserved: 0,
            extended: Vec::new(),
        }
    }

    /// The constant index of a dimension, where there is such a dimension and it is constant.
    pub fn constant_index(&self, dimension: usize) -> Option<u64> {
        self.indices.get(dimension)?.as_constant()
    }

    /// The register by its constant indices, for errors: `x1[0]`, `cb2[?]` where a register gives the index.
    pub(crate) fn register(&self) -> String {
        let mut name = self.file.name().to_owned();
        for (at, index) in self.indices.iter().enumerate() {
            let number = index.as_constant().map_or("?".into(), |number| number.to_string());
            name += &if at == 0 && index.relative.is_none() { number } else { format!("[{number}]") };
        }
        name
    }

    pub(crate) fn decode(words: &mut Words<'_>, nesting: u32) -> Result<Operand> {
        let offset = words.offset();
        if nesting > MAX_NESTING {
            return Err(Error::unsupported(offset, format!("an operand nested deeper than {MAX_NESTING}")));
        }
        let token = words.next("an operand token")?;
        let number = token >> 12 & 0xff;
        let Some(file) = File::from_number(number) else {
            return Err(Error::unsupported(offset, format!("operand type {number}")));
        };
        let mut operand = Operand::new(file);
        let (selection, used) = match token & 3 {
            0 => (Selection::None, 0),
            1 => (Selection::Scalar, 0),
            2 => match token >> 2 & 3 {
                0 => (Selection::Mask((token >> 4 & 0xf) as u8), 0x0fc),
                1 => (Selection::Swizzle([4, 6, 8, 10].map(|at| (token >> at & 3) as u8)), 0xffc),
                2 => (Selection::One((token >> 4 & 3) as u8), 0x03c),
                _ => return Err(Error::bad(offset, "a selection of components, 0 to 2", "3")),
            },
            _ => return Err(Error::bad(offset, "0, 1 or 4 components", "a number that is undefined")),
        };
        operand.selection = selection;
        let dimensions = token >> 20 & 3;
        let representations = (0..dimensions).fold(0, |bits, i| bits | 7 << (22 + 3 * i));
        operand.reserved = token & !(3 | used | 0xff << 12 | 3 << 20 | representations | EXTENDED);
        if token & EXTENDED != 0 {
            operand.decode_extensions(words)?;
        }
        let immediates = match (file, selection) {
            (File::Immediate32, Selection::Scalar) => 1,
            (File::Immediate64, Selection::Scalar) => 2,
            (File::Immediate32 | File::Immediate64, Selection::None) => {
                return Err(Error::bad(offset, "an immediate of 1 or 4 components", "one of none"));
            }
            (File::Immediate32 | File::Immediate64, _) => 4,
            _ => 0,
        };
        for _ in 0..immediates {
            operand.immediate.push(words.next("an immediate value")?);
        }
        for i in 0..dimensions {
            let index = Self::decode_index(words, token >> (22 + 3 * i) & 7, nesting)?;
            operand.indices.push(index);
        }
        Ok(operand)
    }

    fn decode_extensions(&mut self, words: &mut Words<'_>) -> Result<()> {
        loop {
            let offset = words.offset();
            let token = words.next("an extended operand token")?;
            let (kind, content) = (token & 0x3f, token & !EXTENDED);
            if kind > MODIFIER_TOKEN {
                return Err(Error::unsupported(offset, format!("an extended operand token of type {kind}")));
            }
            if kind == MODIFIER_TOKEN {
                let Some(decoded) = decode_extension(content) else {
                    let found = format!("{token:#010x}");
                    return Err(Error::bad(offset, "a defined modifier and precision", found));
                };
                (self.modifier, self.min_precision, self.non_uniform) = decoded;
            }
            self.extended.push(content);
            if token & EXTENDED == 0 {
                break;
            }
        }
        if self.extended == self.usual_extension() {
            self.extended = Vec::new();
        }
        Ok(())
    }

    fn decode_index(words: &mut Words<'_>, representation: u32, nesting: u32) -> Result<Index> {
        let at = words.offset();
        let offset = match representation {
            0 | 3 => IndexOffset::Bits32(words.next("an index")?),
            1 | 4 => {
                let high = words.next("the high half of an index")?;
                let low = words.next("the low half of an index")?;
                IndexOffset::Bits64(u64::from(high) << 32 | u64::from(low))
            }
            2 => IndexOffset::None,
            _ => return Err(Error::bad(at, "an index representation, 0 to 4", representation.to_string())),
        };
        let relative = match representation {
            2.. => Some(Box::new(Operand::decode(words, nesting + 1)?)),
            _ => None,
        };
        Ok(Index { offset, relative })
    }

    /// The extended token that compilers write for these fields: none when all have their defaults.
    fn usual_extension(&self) -> Vec<u32> {
        let modifier = self.modifier as u32;
        let precision = match self.min_precision {
            MinPrecision::Default => 0,
            MinPrecision::Float16 => 1,
            MinPrecision::Float10 => 2,
            MinPrecision::Int16 => 4,
            MinPrecision::Uint16 => 5,
        };
        let bits = modifier << 6 | precision << 14 | u32::from(self.non_uniform) << 17;
        if bits == 0 { Vec::new() } else { vec![MODIFIER_TOKEN | bits] }
    }

    /// Appends the operand's tokens.
    pub(crate) fn encode(&self, out: &mut Vec<u32>) -> Result<()> {
        let selection = match self.selection {
            Selection::None => 0,
            Selection::Scalar => 1,
            Selection::Mask(mask) => 2 | u32::from(mask & 0xf) << 4,
            Selection::Swizzle(from) => {
                from.iter().zip([4, 6, 8, 10]).fold(2 | 1 << 2, |bits, (&c, at)| bits | u32::from(c & 3) << at)
            }
            Selection::One(component) => 2 | 2 << 2 | u32::from(component & 3) << 4,
        };
        if self.indices.len() > 3 {
            return Err(Error::unencodable(format!("an operand with {} indices", self.indices.len())));
        }
        let mut token = selection | (self.file as u32) << 12 | (self.indices.len() as u32) << 20 | self.reserved;
        for (i, index) in self.indices.iter().enumerate() {
            token |= index.representation()? << (22 + 3 * i);
        }
        let usual = if self.extended.is_empty() { self.usual_extension() } else { Vec::new() };
        let extensions = if self.extended.is_empty() { &usual } else { &self.extended };
        out.push(token | if extensions.is_empty() { 0 } else { EXTENDED });
        for (i, extension) in extensions.iter().enumerate() {
            out.push(extension | if i + 1 < extensions.len() { EXTENDED } else { 0 });
        }
        out.extend_from_slice(&self.immediate);
        for index in &self.indices {
            match index.offset {
                IndexOffset::None => {}
                IndexOffset::Bits32(value) => out.push(value),
                IndexOffset::Bits64(value) => out.extend([(value >> 32) as u32, value as u32]),
            }
            if let Some(relative) = &index.relative {
                relative.encode(out)?;
            }
        }
        Ok(())
    }
}
