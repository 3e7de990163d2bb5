//! SPDB and SDBG: what a compiler keeps for debuggers.
//!
//! SPDB is a program database (PDB): an MSF 7.00 file of pages. Its first page says where the directory of streams is; stream 1
//! has a table of named streams, of which `/src/files/...` are the sources (LLVM's "The MSF File Format" and "The PDB Info
//! Stream"). SDBG is what compilers wrote before: a header, then tables and a block of characters that all names point into.

use super::bytes::Bytes;
use super::container::{Container, Part};
use super::error::{Error, Result};
use super::names::Names;

/// What a part for debuggers is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debug {
    /// The part: SPDB or SDBG.
    pub format: DebugFormat,
    /// The names of its sources.
    pub sources: Vec<String>,
    /// Of SDBG: the compiler, the function where the program starts, and the target.
    pub made: Option<[String; 3]>,
}

/// Formats of what is kept for debuggers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugFormat {
    /// A program database.
    Spdb,
    /// The tables of older compilers.
    Sdbg,
}

const MSF: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";
/// What the name of a stream with a source starts with.
const SOURCE: &str = "/src/files/";
const SDBG_HEADER: usize = 84;

impl Debug {
    /// What a container has for debuggers, where it has anything.
    ///
    /// # Errors
    /// As [`Debug::parse`].
    pub fn find(container: &Container) -> Result<Option<Self>> {
        container.find(&[b"SPDB", b"SDBG"]).map(Debug::parse).transpose()
    }

    /// Reads an SDBG part, or any other as SPDB.
    ///
    /// # Errors
    /// [`Error::BadInput`] when a table, page or name is not in the part.
    pub fn parse(part: &Part) -> Result<Self> {
        if part.code().0 == *b"SDBG" { sdbg(part.bytes()) } else { spdb(part.bytes()) }
    }
}

fn sdbg(bytes: Bytes<'_>) -> Result<Debug> {
    let field = |i: usize| bytes.size(4 * i, "a header of SDBG");
    let after = |at: usize| at.saturating_add(SDBG_HEADER);
    let (count, files, text) = (field(5)?, after(field(6)?), after(field(20)?));
    bytes.table(files, count, 16, "sources of SDBG")?;
    let rest = bytes.get(text, bytes.len().saturating_sub(text), "the characters of SDBG")?;
    let text = Bytes::new(rest, bytes.offset(text));
    let mut names = Names::new(text);
    let mut made = |i: usize| names.read(field(i)?, "a name of SDBG");
    let made = [made(1)?, made(2)?, made(3)?];
    let mut budget = bytes.len();
    let mut source = |i: usize| {
        let at = files + 16 * i;
        let (start, size) = (bytes.size(at, "a source")?, bytes.size(at + 4, "a source")?);
        budget = budget
            .checked_sub(size)
            .ok_or_else(|| Error::bad(bytes.offset(at), "names in proportion to the part", "names longer than it"))?;
        Ok(String::from_utf8_lossy(text.get(start, size, "a source's name")?).into_owned())
    };
    let sources = (0..count).map(&mut source).collect::<Result<_>>()?;
    Ok(Debug { format: DebugFormat::Sdbg, sources, made: Some(made) })
}

fn spdb(bytes: Bytes<'_>) -> Result<Debug> {
    let magic = bytes.get(0, MSF.len(), "the magic of MSF 7.00")?;
    if magic != MSF {
        return Err(Error::bad(bytes.offset(0), "the magic of MSF 7.00", format!("'{}'", magic.escape_ascii())));
    }
    let pages = Pages::new(bytes)?;
    let info = pages.stream(1)?;
    // Version, signature, age, a GUID; then names, and a hash table from their places to streams.
    let info = Bytes::new(&info, 0);
    let moved = |error: Error| match error {
        // Places in a stream are none in the file.
        Error::BadInput { expected, found, .. } => {
            Error::bad(bytes.offset(0), format!("{expected} in the PDB's information"), found)
        }
        other => other,
    };
    let sources = named_streams(info).map_err(moved)?;
    Ok(Debug { format: DebugFormat::Spdb, sources, made: None })
}

/// The sources among the named streams.
fn named_streams(info: Bytes<'_>) -> Result<Vec<String>> {
    const HEAD: usize = 28;
    let size = info.size(HEAD, "the size of names")?;
    let names = info.get(HEAD + 4, size, "names of streams")?;
    let mut names = Names::new(Bytes::new(names, 0));
    let mut at = HEAD + 4 + size;
    let count = info.size(at, "the number of named streams")?;
    // The capacity, then two sets of bits: which places are taken, which were.
    at += 8;
    for _ in 0..2 {
        let words = info.size(at, "a set of bits")?;
        info.table(at + 4, words, 4, "a set of bits")?;
        at += 4 + 4 * words;
    }
    info.table(at, count, 8, "named streams")?;
    let mut found = (0..count)
        .map(|i| {
            Ok((info.u32(at + 8 * i + 4, "a stream")?, names.read(info.size(at + 8 * i, "a name's place")?, "a stream's name")?))
        })
        .collect::<Result<Vec<_>>>()?;
    found.sort();
    Ok(found.into_iter().filter_map(|(_, name)| name.strip_prefix(SOURCE).map(str::to_string)).collect())
}

/// The streams of an MSF file.
struct Pages<'a> {
    bytes: Bytes<'a>,
    page: usize,
    directory: Vec<u8>,
}

impl<'a> Pages<'a> {
    fn new(bytes: Bytes<'a>) -> Result<Self> {
        let field = |i: usize| bytes.size(MSF.len() + 4 * i, "the first page");
        let page = field(0)?;
        if !(512..=4096).contains(&page) || !page.is_power_of_two() {
            let expected = "a page of 512, 1024, 2048 or 4096 bytes";
            return Err(Error::bad(bytes.offset(MSF.len()), expected, page.to_string()));
        }
        let mut pages = Pages { bytes, page, directory: Vec::new() };
        let (size, map) = (field(3)?, field(5)?.saturating_mul(page));
        bytes.table(map, size.div_ceil(page), 4, "the directory's pages")?;
        pages.directory = pages.gather(size, |i| bytes.size(map + 4 * i, "the directory's pages"))?;
        Ok(pages)
    }

    /// Bytes from pages. No more than the part has: pages are not shared.
    fn gather(&self, size: usize, page: impl Fn(usize) -> Result<usize>) -> Result<Vec<u8>> {
        self.bytes.get(0, size, "a stream")?;
        let mut out = Vec::with_capacity(size);
        for i in 0..size.div_ceil(self.page) {
            let take = self.page.min(size - out.len());
            out.extend_from_slice(self.bytes.get(page(i)?.saturating_mul(self.page), take, "a page")?);
        }
        Ok(out)
    }

    fn stream(&self, wanted: usize) -> Result<Vec<u8>> {
        let place = self.bytes.offset(0);
        let directory = Bytes::new(&self.directory, 0);
        let moved = |error: Error| match error {
            Error::BadInput { expected, found, .. } => {
                Error::bad(place, format!("{expected} in the directory of streams"), found)
            }
            other => other,
        };
        let count = directory.size(0, "a number of streams").map_err(moved)?;
        directory.table(4, count, 4, "sizes of streams").map_err(moved)?;
        if wanted >= count {
            return Err(Error::bad(place, format!("stream {wanted}"), format!("{count} streams")));
        }
        let mut at = 4 + 4 * count;
        for i in 0..=wanted {
            // A stream that was deleted has the size of all ones.
            let size = directory.size(4 + 4 * i, "a stream's size").map_err(moved)?;
            let size = if size == u32::MAX as usize { 0 } else { size };
            if i == wanted {
                return self.gather(size, |page| directory.size(at + 4 * page, "a stream's pages").map_err(moved));
            }
            at += 4 * size.div_ceil(self.page);
        }
        Ok(Vec::new())
    }
}
