//! Identifiers that WGSL accepts and that tell things apart.

use std::collections::{HashMap, HashSet};

/// Words that WGSL keeps for itself (16.1, 16.2), and names of builtin types and functions that formulas call.
const TAKEN: &str = "NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await become break case cast \
catch class co_await co_return co_yield coherent column_major common compile compile_fragment concept const const_assert const_cast consteval \
constexpr constinit continue continuing crate debugger decltype default delete demote demote_to_helper diagnostic discard do dynamic_cast else \
enable enum explicit export extends extern external fallthrough false filter final finally fn for friend from fxgroup get goto groupshared \
highp if impl implements import inline instanceof interface layout let loop lowp macro macro_rules match mediump meta mod module move mut \
mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator override package \
packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register \
reinterpret_cast require requires resource restrict return self set shared sizeof smooth snorm static static_assert static_cast std struct \
subroutine super switch target template this thread_local throw trait true try type typedef typeid typename typeof union unless unorm unsafe \
unsized use using var varying virtual void volatile wgsl where while with writeonly yield \
bool i32 u32 f32 f16 f64 u64 i64 vec2 vec3 vec4 vec2f vec3f vec4f vec2u vec3u vec4u vec2i vec3i vec4i mat2x2 mat3x3 mat4x4 array atomic ptr \
sampler texture sampler_comparison binding_array abs acos all any asin atan atan2 bitcast ceil clamp cos cross degrees distance dot exp exp2 \
extractBits firstLeadingBit firstTrailingBit floor fma fract insertBits inverseSqrt length log log2 max min mix modf normalize pow radians \
reflect refract reverseBits round saturate select sign sin smoothstep sqrt step tan trunc transpose determinant countOneBits frexp ldexp \
main formulas Outputs \
mul_high mul_high_signed msad read_status least_level least_level_compare at_centroid at_sample at_offset target_samples target_sample_position";

/// Makes identifiers, each one but once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    used: HashSet<String>,
    /// The last number behind each name that was taken.
    counts: HashMap<String, u32>,
}

impl Names {
    pub(crate) fn new() -> Names {
        let counts = HashMap::new();
        Names { counts, used: TAKEN.split_whitespace().map(str::to_string).collect() }
    }

    /// The name as an identifier; with something behind it where it is taken.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let mut made: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        while made.starts_with("__") {
            made.remove(0);
        }
        if made.is_empty() || made == "_" || made.starts_with(|c: char| c.is_ascii_digit()) {
            made = format!("n{made}");
        }
        let stem = made.clone();
        let count = self.counts.entry(stem.clone()).or_insert(1);
        while !self.used.insert(made.clone()) {
            *count += 1;
            let between = if stem.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
            made = format!("{stem}{between}{count}");
        }
        made
    }
}

/// A word of a text: an identifier or number, or one other character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// Where it starts, in bytes.
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }
}

/// The tokens of a WGSL text without blanks and comments.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let at = |rest: &str| text.len() - rest.len();
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = after_comment(rest);
        } else {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let mut length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            if length == 0 {
                length = first.len_utf8();
            } else if first.is_ascii_digit() && !rest.starts_with("0x") {
                length = number(rest);
            }
            found.push(Token { at: at(rest), text: &rest[..length] });
            rest = &rest[length..];
        }
    }
    found
}

/// The length of the decimal number that a text starts with, with its suffix.
fn number(text: &str) -> usize {
    let mut before = ' ';
    let inside = |c: char| {
        let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        before = c;
        c.is_ascii_alphanumeric() || c == '.' || sign
    };
    let mut inside = inside;
    text.find(|c| !inside(c)).unwrap_or(text.len())
}

/// What follows the block comment that a text starts with; they nest (WGSL 3.3).
fn after_comment(text: &str) -> &str {
    let (mut depth, mut at) = (0usize, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return &text[at..];
                }
            }
            _ => at += 1,
        }
    }
    ""
}
