//! Strings of a part, with a bound on their sum.

use super::bytes::Bytes;
use super::error::{Error, Result};

/// Reads zero-terminated names of a part. Hostile records may all point into one long string, so the sum of what is
/// read is bounded by a multiple of the part's size; ordinary parts share only short names.
pub(crate) struct Names<'a> {
    bytes: Bytes<'a>,
    budget: usize,
}

impl<'a> Names<'a> {
    pub(crate) fn new(bytes: Bytes<'a>) -> Self {
        Names { bytes, budget: bytes.len().saturating_mul(8).saturating_add(1 << 16) }
    }

    pub(crate) fn read(&mut self, at: usize, what: &str) -> Result<String> {
        let text = self.bytes.c_string(at, what)?;
        self.budget = self
            .budget
            .checked_sub(text.len())
            .ok_or_else(|| Error::bad(self.bytes.offset(at), "names in proportion to the part", "names many times its size"))?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}
