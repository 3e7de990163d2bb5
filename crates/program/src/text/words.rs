//! The words of the text form that printer and parser share.

use crate::attrs::*;
use crate::op::{DetailKind, Op, Slot};
use crate::{Dialect, Kind, SourceKind, Stage, Width};

/// An enumeration whose variants the text form writes as single words.
pub(super) trait Word: Copy + 'static {
    const ALL: &'static [Self];
    fn word(self) -> &'static str;
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.word() == word)
    }
}

macro_rules! words {
    ($($ty:ident { $($variant:ident $word:literal,)* })*) => {$(
        impl Word for $ty {
            const ALL: &'static [$ty] = &[$($ty::$variant,)*];
            fn word(self) -> &'static str {
                match self { $($ty::$variant => $word,)* }
            }
        }
    )*};
}

words! {
    Dialect { D3D11 "d3d11", Wgsl "wgsl", Vulkan "vulkan", }
    Stage { Vertex "vertex", Hull "hull", Domain "domain", Geometry "geometry", Pixel "pixel", Compute "compute", }
    SourceKind { Instructions "instructions", Text "text", }
    Width { W1 "1", W8 "8", W16 "16", W32 "32", W64 "64", }
    Kind { Float "float", Sint "sint", Uint "uint", Bool "bool", Unknown "unknown", }
    AtomicOp {
        Add "add", Sub "sub", And "and", Or "or", Xor "xor", SMin "s_min", SMax "s_max", UMin "u_min", UMax "u_max",
        Exchange "exchange", CompareExchange "compare_exchange", Load "load", Store "store",
    }
    Level { Implicit "implicit", Bias "bias", Explicit "level", Zero "zero", Gradient "gradient", }
    Derivative { Coarse "coarse", Fine "fine", Any "any", }
    Evaluation { Centroid "centroid", Sample "sample", Snapped "snapped", }
    BarrierScope { Group "resources_group", Device "resources_device", Wave "resources_wave", }
    ReductionOp { Add "add", Mul "mul", Min "min", Max "max", And "and", Or "or", Xor "xor", }
    ReductionMode { All "all", Inclusive "inclusive", Exclusive "exclusive", }
    QuadAxis { X "x", Y "y", Diagonal "diagonal", }
}

/// The words between the brackets of a detail; none without one.
pub(super) fn of_detail(detail: Detail) -> Vec<String> {
    let flag = |present: bool, word: &str| present.then(|| word.to_string());
    match detail {
        Detail::None => Vec::new(),
        Detail::Atomic(op) => vec![op.word().into()],
        Detail::Sampling(sampling) => [
            Some(sampling.level.word().into()),
            flag(sampling.compare, "compare"),
            flag(sampling.clamp, "clamp"),
            flag(sampling.offset, "offset"),
            flag(sampling.base_clamp_to_edge, "base_clamp_to_edge"),
            (sampling.component != 0).then(|| format!("component{}", sampling.component)),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Detail::Derivative(derivative) => vec![derivative.word().into()],
        Detail::Evaluation(evaluation) => vec![evaluation.word().into()],
        Detail::Barrier(barrier) => {
            let resources = barrier.resources.map(|scope| scope.word().to_string());
            let words: Vec<String> =
                [flag(barrier.group, "group"), flag(barrier.shared, "shared"), resources].into_iter().flatten().collect();
            if words.is_empty() { vec!["nothing".into()] } else { words }
        }
        Detail::Reduction(reduction) => {
            [reduction.op.word(), reduction.mode.word(), reduction.kind.word()].map(String::from).into()
        }
        Detail::Norm(norm) => vec![format!("{}{}", if norm.signed { "snorm" } else { "unorm" }, norm.bits)],
        Detail::Swap(axis) => vec![axis.word().into()],
        Detail::Register(register) => vec![register.to_string()],
        Detail::Stream(number) => vec![format!("stream{number}")],
    }
}

/// The detail of this kind that these words stand for.
pub(super) fn detail(kind: DetailKind, words: &[&str]) -> Option<Detail> {
    let has = |word: &str| words.contains(&word);
    let first = *words.first()?;
    let detail = match kind {
        DetailKind::Plain => return None,
        DetailKind::Atomic => Detail::Atomic(Word::from_word(first)?),
        DetailKind::Sampling => Detail::Sampling(Sampling {
            level: Word::from_word(first)?,
            compare: has("compare"),
            clamp: has("clamp"),
            offset: has("offset"),
            base_clamp_to_edge: has("base_clamp_to_edge"),
            component: words.iter().find_map(|word| word.strip_prefix("component")?.parse().ok()).unwrap_or(0),
        }),
        DetailKind::Derivative => Detail::Derivative(Word::from_word(first)?),
        DetailKind::Evaluation => Detail::Evaluation(Word::from_word(first)?),
        DetailKind::Barrier => Detail::Barrier(Barrier {
            group: has("group"),
            shared: has("shared"),
            resources: words.iter().find_map(|word| Word::from_word(word)),
        }),
        DetailKind::Reduction => {
            let [op, mode, kind] = words else { return None };
            let (op, mode, kind) = (Word::from_word(op)?, Word::from_word(mode)?, Word::from_word(kind)?);
            Detail::Reduction(Reduction { op, mode, kind })
        }
        DetailKind::Norm => {
            let (signed, bits) = match first.strip_prefix("snorm") {
                Some(bits) => (true, bits),
                None => (false, first.strip_prefix("unorm")?),
            };
            Detail::Norm(Norm { signed, bits: bits.parse().ok()? })
        }
        DetailKind::Swap => Detail::Swap(Word::from_word(first)?),
        DetailKind::Register => {
            let (number, component) = first.strip_prefix('r')?.split_once('.')?;
            let component = ["x", "y", "z", "w"].iter().position(|letter| *letter == component)? as u8;
            Detail::Register(Register { number: number.parse().ok()?, component })
        }
        DetailKind::Stream => Detail::Stream(first.strip_prefix("stream")?.parse().ok()?),
    };
    // Only the form that is printed: no unknown word, none twice, one order.
    (of_detail(detail) == words).then_some(detail)
}

/// The family letter of an operation into whose name the width of the first operand is written, and the rest of the name.
pub(super) fn family(op: Op) -> Option<(&'static str, &'static str)> {
    let row = op.row();
    let (letter, rest) = row.name.split_once('.')?;
    (letter.len() == 1 && row.operands.first() == Some(&Slot::T)).then_some((letter, rest))
}

/// The operation of a written name, and the width written into it.
pub(super) fn operation(name: &str) -> Option<(Op, Option<Width>)> {
    if let Some((head, rest)) = name.split_once('.')
        && let Some(letter) = head.get(..1)
        && let Some(width) = head.get(1..).and_then(Width::from_word)
    {
        let op = Op::from_name(&format!("{letter}.{rest}"))?;
        return family(op).map(|_| (op, Some(width)));
    }
    let op = Op::from_name(name)?;
    family(op).is_none().then_some((op, None))
}

/// Writes a string in quotes, with what would break a line escaped.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            _ if char.is_control() => quoted.extend(char.escape_unicode()),
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
