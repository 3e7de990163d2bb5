//! Containers in any file: an executable, an archive or a bundle that is not compressed.

use super::container::Container;
use super::level9::Level9;
use super::tokens::Shader;

/// A container that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it starts in the file.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
    /// Where the innermost container starts that it lies in, such as an effect.
    pub inside: Option<usize>,
    /// The container. Offsets in it count from its own start.
    pub container: Container,
}

/// Containers in containers occur one level deep, as programs of an effect; deeper than this none is looked for, so that the work
/// is proportional to the file.
const MAX_DEPTH: usize = 8;
const HEADER: usize = 32;

/// Every container in these bytes, by offset. What only begins like one is passed over.
pub fn search(file: &[u8]) -> impl Iterator<Item = Found> + '_ {
    let mut at = 0;
    let mut open: Vec<(usize, usize)> = Vec::new();
    std::iter::from_fn(move || {
        while let Some(start) = next(file, at) {
            at = start + 1;
            open.retain(|(_, end)| *end > start);
            let Some(size) = size_at(file, start).filter(|_| open.len() < MAX_DEPTH) else {
                continue;
            };
            let Ok(container) = Container::parse(&file[start..start + size]) else {
                continue;
            };
            let inside = open.last().map(|(start, _)| *start);
            open.push((start, start + size));
            return Some(Found { offset: start, size, inside, container });
        }
        None
    })
}

/// Where the magic next occurs.
fn next(file: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += file.get(at..)?.iter().position(|byte| *byte == b'D')?;
        if Container::is_container(&file[at..]) {
            return Some(at);
        }
        at += 1;
    }
}

/// The size in a header, where that much follows.
fn size_at(file: &[u8], start: usize) -> Option<usize> {
    let bytes = file.get(start + 24..start + 28)?;
    let size = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
    (size >= HEADER && size <= file.len() - start).then_some(size)
}

impl Found {
    /// What the container holds: the stage and model of its program (`ps_5_0`), `dxil` for a program of SM 6, `effect`,
    /// `root-signature`, or `data` for anything else.
    pub fn kind(&self) -> String {
        let has = |codes: &[&[u8; 4]]| self.container.find(codes).is_some();
        match Shader::find(&self.container) {
            Ok(shader) => shader.target().to_string(),
            Err(_) if has(&[b"SHDR", b"SHEX"]) => "unreadable".into(),
            Err(_) if has(&[b"DXIL", b"ILDB"]) => "dxil".into(),
            Err(_) if has(&[b"FX10"]) => "effect".into(),
            Err(_) if has(&[b"RTS0"]) => "root-signature".into(),
            Err(_) => "data".into(),
        }
    }

    /// The tokens of the program of Direct3D 9 that the container has for feature level 9, from their version to their end,
    /// with their offset in the file.
    pub fn level9(&self) -> Option<(usize, Vec<u8>)> {
        let level9 = Level9::find(&self.container).ok()??;
        Some((self.offset + level9.offset, level9.tokens.iter().flat_map(|token| token.to_le_bytes()).collect()))
    }
}
