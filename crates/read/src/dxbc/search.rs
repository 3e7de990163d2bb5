//! Containers in any file: an executable, an archive or a bundle that is not compressed.

use super::container::Container;
use super::effect::Effect;
use super::level9::Level9;
use super::tokens::Shader;
use std::collections::HashMap;

/// A container that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it starts in the file.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
    /// Where the innermost container starts that it lies in, such as an effect.
    pub inside: Option<usize>,
    /// What it is known by in the effect that it belongs to; see [`super::EffectProgram::names`].
    pub names: Vec<String>,
    /// The container. Offsets in it count from its own start.
    pub container: Container,
}

/// Containers in containers occur one level deep, as programs of an effect; deeper than this none is looked for, so that the work
/// is proportional to the file.
const MAX_DEPTH: usize = 8;
const HEADER: usize = 32;

/// Bytes that are no effect but start like one are passed over, so many times.
const MAX_FALSE_EFFECTS: usize = 64;

/// Every container in these bytes, by offset. What only begins like one is passed over. An effect of `fx_5_0` is no container: the
/// programs in it are found.
pub fn search(file: &[u8]) -> impl Iterator<Item = Found> + '_ {
    let mut at = 0;
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut effects = Effects { names: HashMap::new(), end: 0, failed: 0 };
    std::iter::from_fn(move || {
        while let Some(start) = next(file, at) {
            at = start + 1;
            if !Container::is_container(&file[start..]) {
                effects.bare(file, start);
                continue;
            }
            open.retain(|(_, end)| *end > start);
            let Some(size) = size_at(file, start).filter(|_| open.len() < MAX_DEPTH) else {
                continue;
            };
            let Ok(container) = Container::parse(&file[start..start + size]) else {
                continue;
            };
            if let Ok(Some(effect)) = Effect::find(&container) {
                effects.add(effect, start);
            }
            let inside = open.last().map(|(start, _)| *start);
            open.push((start, start + size));
            let names = effects.names.remove(&start).unwrap_or_default();
            return Some(Found { offset: start, size, inside, names, container });
        }
        None
    })
}

/// What effects call the programs that follow.
struct Effects {
    /// Names by the program's offset in the file.
    names: HashMap<usize, Vec<String>>,
    /// Where the last effect without a container ends.
    end: usize,
    /// How often something started like an effect and was none.
    failed: usize,
}

impl Effects {
    fn add(&mut self, effect: Effect, start: usize) {
        for program in effect.programs {
            self.names.entry(start + program.offset).or_default().extend(program.names);
        }
    }

    fn bare(&mut self, file: &[u8], start: usize) {
        if start < self.end || self.failed >= MAX_FALSE_EFFECTS {
            return;
        }
        match Effect::parse(&file[start..]) {
            Ok(effect) => {
                self.end = start + effect.size;
                self.add(effect, start);
            }
            Err(_) => self.failed += 1,
        }
    }
}

/// Where a container or an effect of `fx_5_0` may start next.
fn next(file: &[u8], from: usize) -> Option<usize> {
    const EFFECT: [u8; 4] = 0xfeff_2001u32.to_le_bytes();
    let mut at = from;
    loop {
        at += file.get(at..)?.iter().position(|byte| matches!(*byte, b'D' | 0x01))?;
        if Container::is_container(&file[at..]) || file[at..].starts_with(&EFFECT) {
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
    /// `expression` for what an effect computes on the CPU, `root-signature`, or `data` for anything else.
    pub fn kind(&self) -> String {
        let has = |codes: &[&[u8; 4]]| self.container.find(codes).is_some();
        match Shader::find(&self.container) {
            Ok(shader) => shader.target().to_string(),
            Err(_) if has(&[b"SHDR", b"SHEX"]) => "unreadable".into(),
            Err(_) if has(&[b"DXIL", b"ILDB"]) => "dxil".into(),
            Err(_) if has(&[b"FX10"]) => "effect".into(),
            Err(_) if has(&[b"FXLC"]) => "expression".into(),
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
