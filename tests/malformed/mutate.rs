//! Random mutations of bytes and of texts.

use fastrand::Rng;

/// Words that stand at the edge of something: sizes, counts, indices, and what they become when doubled or shifted.
pub const EDGES: &[u32] = &[
    0,
    1,
    2,
    3,
    4,
    0x7f,
    0x80,
    0xff,
    0x100,
    0xfff,
    0x1000,
    0xffff,
    0x1_0000,
    0x0fff_ffff,
    0x1fff_ffff,
    0x2000_0000,
    0x3fff_ffff,
    0x4000_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fff0,
    0xffff_fffc,
    0xffff_fffe,
    0xffff_ffff,
];

/// Changes bytes in one to four places: a bit, a word, a stretch taken out, doubled or taken from `other`.
pub fn bytes(rng: &mut Rng, mut data: Vec<u8>, other: &[u8]) -> Vec<u8> {
    for _ in 0..rng.usize(1..=4) {
        if data.is_empty() {
            return data;
        }
        let at = rng.usize(..data.len());
        match rng.u8(..6) {
            0 => data[at] ^= 1 << rng.u8(..8),
            1 => data[at] = rng.u8(..),
            2 | 3 => {
                let word = if rng.bool() { EDGES[rng.usize(..EDGES.len())] } else { data.len() as u32 + rng.u32(..8) };
                let at = at & !3;
                let end = data.len().min(at + 4);
                data[at..end].copy_from_slice(&word.to_le_bytes()[..end - at]);
            }
            4 => {
                let end = (at + rng.usize(..64)).min(data.len());
                if rng.bool() {
                    data.drain(at..end);
                } else {
                    let twice = data[at..end].to_vec();
                    data.splice(at..at, twice);
                }
            }
            _ => {
                let from = rng.usize(..=other.len());
                let piece = other[from..(from + rng.usize(..64)).min(other.len())].to_vec();
                data.splice(at..at, piece);
            }
        }
    }
    data
}

/// Bytes that mean nothing, after a beginning that does.
pub fn random(rng: &mut Rng, start: &[u8]) -> Vec<u8> {
    let mut data = start.to_vec();
    let length = rng.usize(..2048);
    data.extend(std::iter::repeat_with(|| rng.u8(..)).take(length));
    data
}

/// A text cut into words, runs of blanks and single marks.
pub fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|last| last != kind(c) || last == 2) {
            found.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    found.push(&text[start..]);
    found
}

/// Changes one to four tokens: taken out, doubled, exchanged, or replaced by one of `other` or of `words`.
pub fn text(rng: &mut Rng, tokens: &[&str], other: &[&str], words: &[&str]) -> String {
    let mut tokens = tokens.to_vec();
    for _ in 0..rng.usize(1..=4) {
        if tokens.is_empty() {
            break;
        }
        let at = rng.usize(..tokens.len());
        match rng.u8(..7) {
            0 => _ = tokens.remove(at),
            1 => tokens.insert(at, tokens[rng.usize(..tokens.len())]),
            2 => {
                let second = rng.usize(..tokens.len());
                tokens.swap(at, second);
            }
            3 => tokens[at] = other[rng.usize(..other.len())],
            4 => tokens[at] = words[rng.usize(..words.len())],
            5 => tokens.insert(at, words[rng.usize(..words.len())]),
            _ => {
                let end = (at + rng.usize(..40)).min(tokens.len());
                if rng.bool() {
                    tokens.drain(at..end);
                } else {
                    let twice = tokens[at..end].to_vec();
                    tokens.splice(at..at, twice);
                }
            }
        }
    }
    tokens.concat()
}
