//! The DXBC container: a header, a digest and parts, each a four-character code and bytes.
//!
//! Layout (LLVM's DXContainer page): the magic `DXBC`; 16 bytes of digest; two 16-bit version numbers, 1 and 0; the
//! file's size; the number of parts; an offset for each part. A part is its code, its size and its bytes. Everything
//! else in the file, such as padding between parts, is kept too, so that a container is written back byte for byte.

use super::bytes::Bytes;
use super::digest::digest;
use super::error::{Error, Result};
use std::fmt;

const MAGIC: &[u8; 4] = b"DXBC";
const HEADER: usize = 32;
const PART_HEADER: usize = 8;

/// A part's four-character code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FourCc(pub [u8; 4]);

impl fmt::Display for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl fmt::Debug for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{self}'")
    }
}

/// One part, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    code: FourCc,
    data: Vec<u8>,
    offset: usize,
}

impl Part {
    /// A part that does not come from a file. Its offset is 0.
    pub fn new(code: FourCc, data: Vec<u8>) -> Self {
        Part { code, data, offset: 0 }
    }

    /// The part's code.
    pub fn code(&self) -> FourCc {
        self.code
    }

    /// The part's bytes, without its header.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Where the bytes stood in the file that was parsed.
    pub fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) fn bytes(&self) -> Bytes<'_> {
        Bytes::new(&self.data, self.offset)
    }
}

/// What follows the table of offsets, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// The part with this index.
    Part(usize),
    /// Bytes that belong to no part.
    Filler(Vec<u8>),
}

/// Where a part's bytes are in the file.
struct Span {
    code: FourCc,
    offset: usize,
    end: usize,
}

impl Span {
    fn parse(inside: &Bytes<'_>, entry: usize, header_end: usize) -> Result<Self> {
        let start = inside.size(entry, "part offset")?;
        if start < header_end {
            return Err(Error::bad(entry, format!("a part offset of {header_end} or more"), start.to_string()));
        }
        let code = inside.get(start, 4, "part code")?;
        let code = FourCc([code[0], code[1], code[2], code[3]]);
        let size = inside.size(start + 4, "part size")?;
        let offset = start + PART_HEADER;
        inside.get(offset, size, &format!("part {code}"))?;
        Ok(Span { code, offset, end: offset + size })
    }
}

/// Whether the stored digest is that of the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestState {
    /// All zeros: the file was never signed. Not an error.
    Unsigned,
    /// As computed.
    Valid,
    /// Neither zeros nor as computed. Microsoft's compiler gives such digests to programs with `abort` or messages,
    /// which only its reference device runs.
    Wrong {
        /// What it should be.
        computed: [u8; 16],
    },
}

/// A whole container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    digest: [u8; 16],
    version: [u8; 4],
    parts: Vec<Part>,
    layout: Vec<Piece>,
    trailing: Vec<u8>,
}

impl Container {
    /// An unsigned container of version 1.0 with these parts one after another.
    ///
    /// # Errors
    /// [`Error::Unencodable`] when the file would not fit 32-bit sizes.
    pub fn new(parts: Vec<Part>) -> Result<Self> {
        let container = Container {
            digest: [0; 16],
            version: [1, 0, 0, 0],
            layout: (0..parts.len()).map(Piece::Part).collect(),
            parts,
            trailing: Vec::new(),
        };
        container.check_size()?;
        Ok(container)
    }

    /// Whether these bytes start like a container.
    pub fn is_container(file: &[u8]) -> bool {
        file.starts_with(MAGIC)
    }

    /// Reads a file. Bytes past the size in its header are kept as [`Container::trailing`].
    ///
    /// # Errors
    /// [`Error::BadInput`] when something is missing, out of bounds or overlaps; [`Error::Unsupported`] for another
    /// version than 1.
    pub fn parse(file: &[u8]) -> Result<Self> {
        let bytes = Bytes::new(file, 0);
        let magic = bytes.get(0, 4, "the magic 'DXBC'")?;
        if magic != MAGIC {
            return Err(Error::bad(0, "the magic 'DXBC'", format!("'{}'", magic.escape_ascii())));
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(bytes.get(4, 16, "digest")?);
        let mut version = [0; 4];
        version.copy_from_slice(bytes.get(20, 4, "version")?);
        if version[..2] != [1, 0] {
            let major = u16::from_le_bytes([version[0], version[1]]);
            return Err(Error::unsupported(20, format!("container version {major}")));
        }
        let size = bytes.size(24, "file size")?;
        let count = bytes.size(28, "part count")?;
        if size < HEADER || size > file.len() {
            let expected = format!("a file size between {HEADER} and the {} bytes given", file.len());
            return Err(Error::bad(24, expected, size.to_string()));
        }
        let inside = Bytes::new(&file[..size], 0);
        inside.table(HEADER, count, 4, "part offsets")?;
        let header_end = HEADER + 4 * count;
        let mut spans = Vec::with_capacity(count);
        for i in 0..count {
            spans.push(Span::parse(&inside, HEADER + 4 * i, header_end)?);
        }
        // Before the parts are copied, so that parts that overlap cannot multiply the file.
        let layout = Self::find_layout(&spans, &file[..size], header_end)?;
        let parts =
            spans.iter().map(|span| Part { code: span.code, data: file[span.offset..span.end].to_vec(), offset: span.offset });
        Ok(Container { digest, version, parts: parts.collect(), layout, trailing: file[size..].to_vec() })
    }

    fn find_layout(spans: &[Span], file: &[u8], header_end: usize) -> Result<Vec<Piece>> {
        let mut order: Vec<usize> = (0..spans.len()).collect();
        order.sort_by_key(|&i| spans[i].offset);
        let mut layout = Vec::with_capacity(spans.len());
        let mut at = header_end;
        for i in order {
            let start = spans[i].offset - PART_HEADER;
            if start < at {
                let expected = format!("part {} to start at {at:#x} or later", spans[i].code);
                return Err(Error::bad(start, expected, "parts that overlap"));
            }
            if start > at {
                layout.push(Piece::Filler(file[at..start].to_vec()));
            }
            layout.push(Piece::Part(i));
            at = spans[i].end;
        }
        if at < file.len() {
            layout.push(Piece::Filler(file[at..].to_vec()));
        }
        Ok(layout)
    }

    fn size(&self) -> usize {
        let pieces = self.layout.iter().map(|piece| match piece {
            Piece::Part(i) => PART_HEADER + self.parts[*i].data.len(),
            Piece::Filler(bytes) => bytes.len(),
        });
        HEADER + 4 * self.parts.len() + pieces.sum::<usize>()
    }

    fn check_size(&self) -> Result<()> {
        match u32::try_from(self.size()) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::unencodable("a container of 4 GiB or more")),
        }
    }

    /// The parts, in the order of the header's table.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The first part with one of these codes, in the order of the table.
    pub fn find(&self, codes: &[&[u8; 4]]) -> Option<&Part> {
        self.parts.iter().find(|part| codes.contains(&&part.code.0))
    }

    /// Bytes after the size that the header gives.
    pub fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    /// Replaces the bytes of a part. The digest stays as it is: see [`Container::sign`].
    ///
    /// # Errors
    /// [`Error::Unencodable`] when there is no such part or the file would not fit 32-bit sizes; nothing is changed.
    pub fn replace(&mut self, index: usize, data: Vec<u8>) -> Result<()> {
        let count = self.parts.len();
        let Some(part) = self.parts.get_mut(index) else {
            return Err(Error::unencodable(format!("part {index} of {count}")));
        };
        let old = std::mem::replace(&mut part.data, data);
        self.check_size().inspect_err(|_| self.parts[index].data = old)
    }

    /// The stored digest.
    pub fn digest(&self) -> [u8; 16] {
        self.digest
    }

    /// Compares the stored digest with the contents.
    pub fn check_digest(&self) -> DigestState {
        let computed = self.compute_digest();
        if self.digest == [0; 16] {
            DigestState::Unsigned
        } else if self.digest == computed {
            DigestState::Valid
        } else {
            DigestState::Wrong { computed }
        }
    }

    /// Stores the digest of the present contents.
    pub fn sign(&mut self) {
        self.digest = self.compute_digest();
    }

    fn compute_digest(&self) -> [u8; 16] {
        digest(&self.write()[..self.size()])
    }

    /// The file. For a container that was parsed and not edited, the bytes that it was parsed from.
    pub fn write(&self) -> Vec<u8> {
        let size = self.size();
        let mut out = Vec::with_capacity(size + self.trailing.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&self.digest);
        out.extend_from_slice(&self.version);
        // Construction and edits hold the size below 2^32.
        out.extend_from_slice(&(size as u32).to_le_bytes());
        out.extend_from_slice(&(self.parts.len() as u32).to_le_bytes());
        let table = out.len();
        out.resize(table + 4 * self.parts.len(), 0);
        for piece in &self.layout {
            match piece {
                Piece::Part(i) => {
                    let (start, part) = (out.len() as u32, &self.parts[*i]);
                    out[table + 4 * i..][..4].copy_from_slice(&start.to_le_bytes());
                    out.extend_from_slice(&part.code.0);
                    out.extend_from_slice(&(part.data.len() as u32).to_le_bytes());
                    out.extend_from_slice(&part.data);
                }
                Piece::Filler(bytes) => out.extend_from_slice(bytes),
            }
        }
        out.extend_from_slice(&self.trailing);
        out
    }
}
