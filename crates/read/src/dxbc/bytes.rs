//! Checked reads of little-endian fields.

use super::error::{Error, Result};

/// Bytes of a file, with the offset at which they stand in it.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
    base: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8], base: usize) -> Self {
        Bytes { data, base }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// The place in the file of a place in these bytes, for errors: their end for one past it, which a field of the file may name.
    pub(crate) fn offset(&self, at: usize) -> usize {
        self.base + at.min(self.data.len())
    }

    /// What is expected, and where, if that is past the end of these bytes.
    fn expected(&self, at: usize, what: String) -> String {
        if at > self.data.len() { format!("{what} at {:#x}", self.base.saturating_add(at)) } else { what }
    }

    /// `size` bytes from `at`.
    pub(crate) fn get(&self, at: usize, size: usize, what: &str) -> Result<&'a [u8]> {
        at.checked_add(size).and_then(|end| self.data.get(at..end)).ok_or_else(|| {
            let left = self.data.len().saturating_sub(at);
            let expected = self.expected(at, format!("{size} bytes of {what}"));
            Error::bad(self.offset(at), expected, format!("{left} bytes"))
        })
    }

    pub(crate) fn u16(&self, at: usize, what: &str) -> Result<u16> {
        let b = self.get(at, 2, what)?;
        Ok(u16::from_le_bytes([b[0], b[1]]))
    }

    pub(crate) fn u32(&self, at: usize, what: &str) -> Result<u32> {
        let b = self.get(at, 4, what)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    /// A 32-bit field that is an offset or a count.
    pub(crate) fn size(&self, at: usize, what: &str) -> Result<usize> {
        Ok(self.u32(at, what)? as usize)
    }

    /// A table of `count` records of `stride` bytes from `at`: checked once, so that counts from the file are
    /// never trusted for allocation.
    pub(crate) fn table(&self, at: usize, count: usize, stride: usize, what: &str) -> Result<()> {
        let size = count
            .checked_mul(stride)
            .ok_or_else(|| Error::bad(self.offset(at), format!("a table of {what}"), format!("{count} entries")))?;
        self.get(at, size, what).map(|_| ())
    }

    /// The bytes of the zero-terminated string at `at`.
    pub(crate) fn c_string(&self, at: usize, what: &str) -> Result<&'a [u8]> {
        let rest = self.data.get(at..).unwrap_or(&[]);
        match rest.iter().position(|&b| b == 0) {
            Some(end) => Ok(&rest[..end]),
            None => Err(Error::bad(
                self.offset(at),
                self.expected(at, format!("{what}, ended by a zero byte")),
                format!("{} bytes without one", rest.len()),
            )),
        }
    }
}
