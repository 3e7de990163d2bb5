//! Operations as expressions.

use super::group::Group;
use super::operand::{Place, Step, operands};
use super::statement::Writer;
use super::{Context, TraceError, sampling};
use crate::formula::helper::Helper;
use crate::formula::ty::Ty;
use gpuproof_program::{AtomicOp, Derivative, Detail, Evaluation, Instruction, Op, QuadAxis, Target, Value, Width};
use std::collections::BTreeSet;

/// How tightly an expression binds; operands that bind less are put in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// `&`, `|`, `^`: never beside another.
    Loose,
    /// `&&`: beside itself alone.
    And,
    /// `||`: beside itself alone.
    Or,
    Comparison,
    Shift,
    Sum,
    Product,
    Sign,
    Tight,
}

/// A written expression.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) binding: Binding,
    /// Components; 1 for a number.
    pub(super) size: usize,
    pub(super) ty: Ty,
    /// The variables that it reads, which may be set again.
    pub(super) reads: BTreeSet<String>,
    /// Whether it is a number without a type of its own.
    pub(super) literal: bool,
    /// What a minus stands before, where that is what it is.
    pub(super) minus: Option<Box<Text>>,
}

impl Text {
    pub(super) fn tight(text: impl Into<String>, size: usize, ty: Ty) -> Text {
        Text { text: text.into(), binding: Binding::Tight, size, ty, reads: BTreeSet::new(), literal: false, minus: None }
    }

    /// What is subtracted where this is added: it without its minus.
    fn negated(&self) -> Option<Text> {
        let rest = self.text.strip_prefix('-').filter(|_| self.binding == Binding::Sign)?;
        Some(self.minus.as_deref().cloned().unwrap_or_else(|| Text {
            text: rest.into(),
            binding: Binding::Tight,
            ..self.clone()
        }))
    }

    /// As an operand of something that binds so.
    pub(super) fn inside(&self, binding: Binding, right: bool) -> String {
        let enough = match binding {
            // Operands of shifts and bitwise operations are tight (WGSL 8.19).
            Binding::Shift | Binding::Loose => self.binding >= Binding::Sign,
            Binding::And | Binding::Or => self.binding == binding || self.binding >= Binding::Comparison,
            Binding::Comparison => self.binding >= Binding::Shift,
            Binding::Sign => self.binding == Binding::Tight,
            _ if right => self.binding > binding,
            _ => self.binding >= binding,
        };
        if enough { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The same bits as another type.
    pub(super) fn cast(self, ty: Ty) -> Text {
        if self.ty == ty || self.ty == Ty::Bool || ty == Ty::Bool {
            return self;
        }
        let text = format!("bitcast<{}>({})", short(ty, self.size), self.text);
        Text { text, binding: Binding::Tight, ty, literal: false, ..self }
    }

    /// A vector of this number, or the vector that it is.
    pub(super) fn widened(self, size: usize) -> Text {
        if self.size == size {
            return self;
        }
        let text = format!("{}({})", short(self.ty, size), self.text);
        Text { text, binding: Binding::Tight, size, literal: false, ..self }
    }
}

/// The short name of a vector type.
pub(super) fn short(ty: Ty, size: usize) -> String {
    match (ty, size) {
        (_, 1) => ty.name().into(),
        (Ty::F32, _) => format!("vec{size}f"),
        (Ty::U32, _) => format!("vec{size}u"),
        (Ty::I32, _) => format!("vec{size}i"),
        _ => ty.vector(size),
    }
}

/// An operator between two operands.
fn operator(op: Op, ty: Ty) -> Option<(&'static str, Binding)> {
    use Binding::{Comparison, Loose, Product, Shift, Sum};
    Some(match op {
        Op::FAdd | Op::IAdd => ("+", Sum),
        Op::FSub | Op::ISub => ("-", Sum),
        Op::FMul | Op::IMul => ("*", Product),
        Op::FDiv | Op::SDiv | Op::UDiv => ("/", Product),
        Op::SRem | Op::URem => ("%", Product),
        Op::IXor if ty == Ty::Bool => ("!=", Comparison),
        Op::IAnd => ("&", Loose),
        Op::IOr => ("|", Loose),
        Op::IXor => ("^", Loose),
        Op::IShl => ("<<", Shift),
        Op::UShr | Op::SShr => (">>", Shift),
        Op::FEq | Op::IEq => ("==", Comparison),
        Op::FNe | Op::INe => ("!=", Comparison),
        Op::FLt | Op::SLt | Op::ULt => ("<", Comparison),
        Op::FLe | Op::SLe | Op::ULe => ("<=", Comparison),
        _ => return None,
    })
}

/// A function of WGSL that is the operation.
fn function(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::FFma => "fma",
        Op::FDot2 | Op::FDot3 | Op::FDot4 => "dot",
        Op::FSqrt => "sqrt",
        Op::FRsqrt => "inverseSqrt",
        Op::FExp2 => "exp2",
        Op::FLog2 => "log2",
        Op::FExp => "exp",
        Op::FLog => "log",
        Op::FSin => "sin",
        Op::FCos => "cos",
        Op::FAsin => "asin",
        Op::FAcos => "acos",
        Op::FAtan => "atan",
        Op::FAtan2 => "atan2",
        Op::FMin | Op::SMin | Op::UMin => "min",
        Op::FMax | Op::SMax | Op::UMax => "max",
        Op::FSaturate => "saturate",
        Op::FFloor => "floor",
        Op::FCeil => "ceil",
        Op::FTrunc => "trunc",
        Op::FRound => "round",
        Op::FFract => "fract",
        Op::FSign => "sign",
        Op::FLdexp => "ldexp",
        Op::UExtract | Op::SExtract => "extractBits",
        Op::IInsert => "insertBits",
        Op::IReverse => "reverseBits",
        Op::ICount => "countOneBits",
        Op::IFindLow => "firstTrailingBit",
        Op::UFindHigh | Op::SFindHigh => "firstLeadingBit",
        Op::UDot4x8 => "dot4U8Packed",
        Op::SDot4x8 => "dot4I8Packed",
        Op::UMulHigh => "mul_high",
        Op::SMulHigh => "mul_high_signed",
        Op::UMsad => "msad",
        Op::WaveAll => "subgroupAll",
        Op::WaveAny => "subgroupAny",
        Op::WaveReadFirst => "subgroupBroadcastFirst",
        Op::WaveReadLane => "subgroupShuffle",
        Op::QuadRead => "quadBroadcast",
        _ => return None,
    })
}

impl Writer<'_, '_> {
    /// Values as one expression of a type; a number where all are the same.
    pub(super) fn vector(&mut self, values: &[Value], ty: Ty) -> Text {
        let text = self.raw(values, Some(ty));
        text.cast(ty)
    }

    fn raw(&mut self, values: &[Value], ty: Option<Ty>) -> Text {
        let same = values.windows(2).all(|pair| self.context.same(pair[0], pair[1]));
        if same {
            return self.number(values[0], ty);
        }
        if let Some(text) = self.signed(values) {
            return text;
        }
        let parts: Vec<(String, Option<u8>)> = values.iter().filter_map(|value| self.name(*value)).collect();
        if parts.len() == values.len()
            && let Some(base) = parts.first().map(|part| part.0.clone())
            && parts.iter().all(|part| part.0 == base && part.1.is_some())
        {
            let components: Vec<u8> = parts.iter().filter_map(|part| part.1).collect();
            let ty = self.context.types[values[0].index()];
            return self.named(&base, &components, ty);
        }
        if let Some(text) = self.pending(values) {
            return text;
        }
        // Pieces that belong together are written together.
        let ty = ty.unwrap_or_else(|| self.context.types[values[0].index()]);
        let mut pieces = Vec::new();
        let mut reads = BTreeSet::new();
        let mut at = 0;
        while at < values.len() {
            let base = |this: &Self, value: Value| this.name(value).filter(|name| name.1.is_some()).map(|name| name.0);
            let own = base(self, values[at]);
            let mut end = at + 1;
            while own.is_some() && end < values.len() && base(self, values[end]) == own {
                end += 1;
            }
            let piece = self.raw(&values[at..end], Some(ty)).cast(ty);
            // A number that stands for several is one too few.
            let piece = piece.widened(end - at);
            reads.extend(piece.reads);
            pieces.push(piece.text);
            at = end;
        }
        Text {
            text: format!("{}({})", short(ty, values.len()), pieces.join(", ")),
            binding: Binding::Tight,
            size: values.len(),
            ty,
            reads,
            literal: false,
            minus: None,
        }
    }

    /// `base.xyz`, or `base` where that is all of it.
    fn named(&self, base: &str, components: &[u8], ty: Ty) -> Text {
        // What ends in an index is a row of a constant buffer or a vector of a matrix.
        let size = if base.ends_with(']') { Some(4) } else { self.sizes.get(base).copied() };
        let whole = size == Some(components.len());
        let identity = whole && components.iter().enumerate().all(|(at, component)| usize::from(*component) == at);
        let text = if identity { base.to_string() } else { format!("{base}.{}", crate::bind::letters(components)) };
        let mut text = Text::tight(text, components.len(), ty);
        if self.variables.contains_key(base) {
            text.reads.insert(base.into());
        }
        text
    }

    /// Values that all have a sign before them.
    fn signed(&mut self, values: &[Value]) -> Option<Text> {
        for op in [Op::FNeg, Op::FAbs] {
            let inner: Option<Vec<Value>> =
                values.iter().map(|value| self.context.definitions.op(*value, op).map(|sign| sign.args[0])).collect();
            if let Some(inner) = inner {
                let float = if self.context.width(values[0]) == Width::W64 { Ty::F64 } else { Ty::F32 };
                if self.context.width(values[0]) == Width::W16 {
                    return None;
                }
                let inner = self.vector(&inner, float);
                return Some(if op == Op::FNeg {
                    let (text, minus) = (format!("-{}", inner.inside(Binding::Sign, false)), Some(Box::new(inner.clone())));
                    Text { text, binding: Binding::Sign, minus, ..inner }
                } else {
                    Text { text: format!("abs({})", inner.text), binding: Binding::Tight, ..inner }
                });
            }
        }
        None
    }

    /// One value.
    fn number(&mut self, value: Value, ty: Option<Ty>) -> Text {
        let own = self.context.types[value.index()];
        if let Some(text) = self.signed(&[value]) {
            return text;
        }
        if let Some((name, component)) = self.name(value) {
            return match component {
                Some(component) => self.named(&name, &[component], own),
                None => {
                    let mut text = Text::tight(name.clone(), 1, own);
                    if self.variables.contains_key(&name) {
                        text.reads.insert(name);
                    }
                    text
                }
            };
        }
        if let Some(text) = self.pending(&[value]) {
            return text;
        }
        let instruction = self.context.definitions.get(value);
        let bits = match instruction {
            Some(Instruction { op: Op::Const, attrs, .. }) => match attrs.target {
                Target::Bits(bits) => bits,
                _ => 0,
            },
            _ => 0,
        };
        let wide = self.context.width(value) == Width::W64;
        let ty = match ty.unwrap_or(own) {
            Ty::F32 if wide => Ty::F64,
            ty => ty,
        };
        let text = ty.literal(bits);
        let binding = if text.starts_with('-') { Binding::Sign } else { Binding::Tight };
        let literal = ty == Ty::F32 && !text.ends_with(')');
        Text { binding, literal, ..Text::tight(text, 1, ty) }
    }

    /// What waits to be written where it is used.
    fn pending(&mut self, values: &[Value]) -> Option<Text> {
        let (group, _) = self.groups.of_value.get(&values[0]).copied()?;
        let text = self.waiting.get(&group)?.clone();
        let components: Option<Vec<u8>> = values
            .iter()
            .map(|value| self.groups.of_value.get(value).filter(|found| found.0 == group).map(|found| found.1 as u8))
            .collect();
        let components = components?;
        if text.size == 1 {
            return Some(text);
        }
        let identity = components.len() == text.size && components.iter().enumerate().all(|(at, c)| usize::from(*c) == at);
        if identity {
            return Some(text);
        }
        let swizzled = format!("{}.{}", text.inside(Binding::Sign, false), crate::bind::letters(&components));
        Some(Text { text: swizzled, binding: Binding::Tight, size: components.len(), ..text })
    }

    /// The expression of a group.
    pub(super) fn expression(&mut self, group: &Group<'_>) -> Result<Text, TraceError> {
        let context = self.context;
        let first = group.members[0];
        let size = if group.members.len() > 1 { group.members.len() } else { 1 };
        let mut texts = Vec::new();
        for operand in operands(context, &group.members) {
            let ty = operand.ty.unwrap_or_else(|| self.kept_type(first, &operand.values, group.ty));
            texts.push(self.vector(&operand.values, ty));
        }
        // Numbers alone would be computed with more digits (WGSL 15.7.6: AbstractFloat).
        let computes = matches!(first.attrs.target, Target::None);
        if computes && texts.iter().all(|text| text.literal) {
            texts.iter_mut().for_each(|text| text.text.push('f'));
        }
        let reads: BTreeSet<String> = texts.iter().flat_map(|text| text.reads.iter().cloned()).collect();
        let made = self.operation(group, first, &texts, size)?;
        Ok(Text { reads, literal: false, ..made })
    }

    /// The type of an operand that the operation does not fix.
    fn kept_type(&self, instruction: &Instruction, values: &[Value], result: Ty) -> Ty {
        let own = |value: &Value| {
            let leaf = self.context.definitions.get(*value).is_some_and(|found| matches!(found.op, Op::Const | Op::Undef));
            (!leaf).then(|| self.context.types[value.index()])
        };
        match instruction.op {
            Op::IEq | Op::INe => instruction.args.iter().filter_map(own).find(|ty| *ty != Ty::F32).unwrap_or(Ty::U32),
            _ if matches!(instruction.attrs.target, Target::None) => result,
            // An index or coordinate: any integer will do.
            _ => values.iter().find_map(own).filter(|ty| matches!(ty, Ty::U32 | Ty::I32)).unwrap_or(match instruction.op {
                Op::TexelLoad | Op::TexelStore | Op::TexelAtomic => Ty::I32,
                _ => Ty::U32,
            }),
        }
    }

    fn operation(&mut self, group: &Group<'_>, first: &Instruction, texts: &[Text], size: usize) -> Result<Text, TraceError> {
        let context = self.context;
        let ty = group.ty;
        let plain = |text: String| Text::tight(text, size, ty);
        if let Some(idiom) = super::idiom::idiom(context, &group.members) {
            return Ok(self.idiom(&idiom, texts, size));
        }
        if let Some((symbol, binding)) = operator(first.op, ty) {
            return Ok(self.binary(group, (symbol, binding), texts, size));
        }
        if let Some(name) = function(first.op) {
            // Arguments of one call have one size.
            let widest = texts.iter().map(|text| text.size).max().unwrap_or(1);
            // Offsets and widths of fields, and lanes, are numbers for vectors too.
            let vectors = match first.op {
                Op::UExtract | Op::SExtract | Op::WaveReadLane | Op::QuadRead => 1,
                Op::IInsert => 2,
                _ => texts.len(),
            };
            let wide =
                |(at, text): (usize, &Text)| if at < vectors { text.clone().widened(widest).text } else { text.text.clone() };
            let all: Vec<String> = texts.iter().enumerate().map(wide).collect();
            if matches!(first.op, Op::FDot2 | Op::FDot3 | Op::FDot4) {
                let count = first.args.len() / 2;
                let all: Vec<String> = texts.iter().map(|text| text.clone().widened(count).text).collect();
                return Ok(plain(format!("dot({})", all.join(", "))));
            }
            return Ok(Text { size: widest, ..plain(format!("{name}({})", all.join(", "))) });
        }
        let vector = texts.iter().map(|text| text.size).max().unwrap_or(1);
        let convert = |name: String| Text { size: vector, ..plain(format!("{name}({})", texts[0].text)) };
        Ok(match first.op {
            Op::FMad => {
                let product =
                    |a: &Text, b: &Text| format!("{} * {}", a.inside(Binding::Product, false), b.inside(Binding::Product, true));
                let (a, b, c) = (&texts[0], &texts[1], &texts[2]);
                // -a * b + c is c - a * b, bit for bit.
                let text = match (a.negated().filter(|_| a.minus.is_some()), c.negated()) {
                    (Some(a), None) => format!("{} - {}", c.inside(Binding::Sum, false), product(&a, b)),
                    (_, Some(c)) => format!("{} - {}", product(a, b), c.inside(Binding::Sum, true)),
                    (None, None) => format!("{} + {}", product(a, b), c.inside(Binding::Sum, true)),
                };
                Text { binding: Binding::Sum, size: vector, ..plain(text) }
            }
            Op::FRcp => Text {
                binding: Binding::Product,
                size: vector,
                ..plain(format!(
                    "{} / {}",
                    ty.literal(if ty == Ty::F64 { 1f64.to_bits() } else { 1f32.to_bits().into() }),
                    texts[0].inside(Binding::Product, true)
                ))
            },
            Op::INot if ty == Ty::Bool => {
                Text { binding: Binding::Sign, size: vector, ..plain(format!("!{}", texts[0].inside(Binding::Sign, false))) }
            }
            Op::INot => {
                Text { binding: Binding::Sign, size: vector, ..plain(format!("~{}", texts[0].inside(Binding::Sign, false))) }
            }
            Op::Select => {
                let widest = texts[1].size.max(texts[2].size).max(texts[0].size);
                let [yes, no] = [1, 2].map(|at| texts[at].clone().widened(widest).text);
                Text { size: widest, ..plain(format!("select({no}, {yes}, {})", texts[0].text)) }
            }
            Op::FToS | Op::FToU | Op::SToF | Op::UToF => convert(short(ty, vector)),
            Op::FConvert => self.float_conversion(first, texts, ty)?,
            Op::SExtend if context.width(first.args[0]) == Width::W1 => {
                let [none, all] =
                    [0, u64::MAX].map(|bits| Text::tight(ty.literal(bits & 0xffff_ffff), 1, ty).widened(vector).text);
                Text { size: vector, ..plain(format!("select({none}, {all}, {})", texts[0].text)) }
            }
            Op::UExtend if context.width(first.args[0]) == Width::W1 => convert(short(Ty::U32, vector)),
            Op::UExtend if context.width(first.args[0]) == Width::W16 => {
                Text { binding: texts[0].binding, ..plain(texts[0].text.clone()) }
            }
            Op::UExtend if ty == Ty::U64 => convert("u64".into()),
            Op::ITruncate if context.width(first.args[0]) == Width::W64 && context.width(first.results[0]) == Width::W32 => {
                convert("u32".into())
            }
            // The half is the low half of the word that stands for it.
            Op::ITruncate if context.width(first.results[0]) == Width::W16 => {
                Text { binding: texts[0].binding, ..plain(texts[0].text.clone()) }
            }
            Op::FDdx | Op::FDdy => {
                let axis = if first.op == Op::FDdx { 'x' } else { 'y' };
                let kind = match first.attrs.detail {
                    Detail::Derivative(Derivative::Coarse) => "Coarse",
                    Detail::Derivative(Derivative::Fine) => "Fine",
                    _ => "",
                };
                convert(format!("dpd{axis}{kind}"))
            }
            Op::QuadSwap => {
                let axis = match first.attrs.detail {
                    Detail::Swap(QuadAxis::X) => "X",
                    Detail::Swap(QuadAxis::Y) => "Y",
                    _ => "Diagonal",
                };
                convert(format!("quadSwap{axis}"))
            }
            Op::WaveElect => plain("subgroupElect()".into()),
            Op::ArrayLoad | Op::SharedLoad | Op::BufferLoad | Op::StructuredLoad => {
                let mut place = context.place(first)?;
                if group.members.len() > 1 {
                    let letters: Vec<u8> =
                        group.members.iter().filter_map(|member| context.beside(first, member)).map(|both| both[1]).collect();
                    place.steps.pop();
                    let text = place_text(&place, texts);
                    // A vector of four is all of its components.
                    let whole = letters == [0, 1, 2, 3];
                    return Ok(plain(if whole { text } else { format!("{text}.{}", crate::bind::letters(&letters)) }));
                }
                let text = place_text(&place, texts);
                plain(if place.atomic.is_some() { format!("atomicLoad(&{text})") } else { text })
            }
            Op::TexelLoad if self.is_typed(first) => {
                if first.results[1..4].iter().any(|result| context.used.contains(result)) {
                    return Err(context.unsupported(first, "a component that the texels of a buffer with atomics do not have"));
                }
                plain(format!("atomicLoad(&{})", place_text(&context.place(first)?, texts)))
            }
            Op::TexelAtomic if !self.is_typed(first) => plain(self.texture_function(first, texts)?),
            Op::SharedAtomic | Op::BufferAtomic | Op::StructuredAtomic | Op::TexelAtomic => plain(atomic(context, first, texts)?),
            Op::CounterAlloc | Op::CounterConsume => {
                let Target::Resource(id) = first.attrs.target else { return Err(context.unsupported(first, "this counter")) };
                if !texts.is_empty() {
                    return Err(context.unsupported(first, "a counter of a binding array"));
                }
                let counter = &context.vocabulary.resource(id).counter;
                if first.op == Op::CounterAlloc {
                    plain(format!("atomicAdd(&{counter}, 1u)"))
                } else {
                    Text { binding: Binding::Sum, ..plain(format!("atomicSub(&{counter}, 1u) - 1u")) }
                }
            }
            Op::BufferSize => self.buffer_size(first, texts)?,
            Op::TextureSamples => {
                // The levels of an array that stands for a multisampled one are its samples.
                let arrayed = self.shape(first).is_some_and(|shape| shape.arrayed);
                let question = if arrayed { "textureNumLevels" } else { "textureNumSamples" };
                plain(format!("{question}({})", self.texture(first, texts).0))
            }
            Op::RasterSamples => plain("target_samples()".into()),
            Op::RasterSamplePosition => Text::tight(format!("target_sample_position({})", texts[0].text), 2, Ty::F32),
            Op::TextureSamplePosition => {
                let Target::Resource(id) = first.attrs.target else { return Err(context.unsupported(first, "this position")) };
                let name = sampling::own_function(context, first, Helper::Position(id))?;
                Text::tight(format!("{name}({})", texts[0].text), 2, Ty::F32)
            }
            Op::SampleLevel => Text::tight(sampling::level(context, first, texts)?, 2, Ty::F32),
            Op::InputAt => self.input_at(group, texts),
            Op::TexelLoad => self.texel_load(first, texts, ty)?,
            Op::Sample | Op::Gather => {
                let text = sampling::call(context, first, texts)?;
                let compare = matches!(first.attrs.detail, Detail::Sampling(sampling) if sampling.compare);
                Text::tight(text, if compare && first.op == Op::Sample { 1 } else { 4 }, ty)
            }
            op => return Err(context.unsupported(first, &format!("{} has no counterpart in WGSL", op.row().name))),
        })
    }

    /// A function of WGSL that several operations are.
    fn idiom(&self, idiom: &super::idiom::Idiom, texts: &[Text], size: usize) -> Text {
        let widest = if idiom.function == "length" { idiom.arguments[0].len() } else { size };
        let wide = |(at, text): (usize, &Text)| match idiom.function {
            // The part may be a number beside vectors.
            "mix" if at == 2 && text.size == 1 => text.text.clone(),
            _ => text.clone().widened(widest).text,
        };
        let all: Vec<String> = texts.iter().enumerate().map(wide).collect();
        Text::tight(format!("{}({})", idiom.function, all.join(", ")), size, Ty::F32)
    }

    /// An input evaluated elsewhere: the components of a group of what the function gives.
    fn input_at(&self, group: &Group<'_>, texts: &[Text]) -> Text {
        let mut ident = String::new();
        let mut letters = Vec::new();
        for member in &group.members {
            if let Target::Input(id, component) = member.attrs.target {
                let word = self.context.vocabulary.input(id);
                ident = if word.size == 1 { format!("vec4f({})", word.ident) } else { word.ident.clone() };
                letters.push(super::operand::input_component(word, component).unwrap_or(0));
            }
        }
        let name = match group.members[0].attrs.detail {
            Detail::Evaluation(Evaluation::Sample) => "at_sample",
            Detail::Evaluation(Evaluation::Snapped) => "at_offset",
            _ => "at_centroid",
        };
        let place = texts.first().map_or_else(String::new, |text| {
            let size = if name == "at_offset" { 2 } else { 1 };
            format!(", {}", text.clone().widened(size).text)
        });
        let call = format!("{name}({ident}{place})");
        let whole = letters == [0, 1, 2, 3];
        let text = if whole { call } else { format!("{call}.{}", crate::bind::letters(&letters)) };
        Text::tight(text, letters.len(), Ty::F32)
    }

    fn binary(&mut self, group: &Group<'_>, (symbol, binding): (&str, Binding), texts: &[Text], size: usize) -> Text {
        let (mut left, mut right) = (texts[0].clone(), texts[1].clone());
        let op = group.op();
        let widest = left.size.max(right.size);
        let arithmetic = matches!(binding, Binding::Sum | Binding::Product);
        if !arithmetic {
            (left, right) = (left.widened(widest), right.widened(widest));
        }
        let mut symbol = symbol;
        // x + -y is x - y, and -x + y is y - x, bit for bit; of integers only numbers have a minus.
        if matches!(op, Op::FAdd | Op::IAdd) {
            if let Some(rest) = right.negated() {
                (symbol, right) = ("-", rest);
            } else if let Some(rest) = left.negated() {
                symbol = "-";
                (left, right) = (right, rest);
            }
        }
        let logical = group.ty == Ty::Bool && widest == 1;
        let (symbol, binding) = match (symbol, logical) {
            ("&", true) => ("&&", Binding::And),
            ("|", true) => ("||", Binding::Or),
            (other, _) => (other, binding),
        };
        let text = format!("{} {symbol} {}", left.inside(binding, false), right.inside(binding, true));
        Text {
            text,
            binding,
            size: widest.max(if size > 1 { widest } else { 1 }),
            ty: group.ty,
            reads: BTreeSet::new(),
            literal: false,
            minus: None,
        }
    }

    /// Conversions between float formats. A half is written as the word that holds it.
    fn float_conversion(&mut self, first: &Instruction, texts: &[Text], ty: Ty) -> Result<Text, TraceError> {
        let (from, to) = (self.context.width(first.args[0]), self.context.width(first.results[0]));
        Ok(match (from, to) {
            (Width::W32, Width::W16) => Text::tight(format!("pack2x16float(vec2f({}, 0.0))", texts[0].text), 1, Ty::U32),
            (Width::W16, Width::W32) => Text::tight(format!("unpack2x16float({}).x", texts[0].text), 1, ty),
            (Width::W32, Width::W64) | (Width::W64, Width::W32) => {
                Text::tight(format!("{}({})", ty.name(), texts[0].text), 1, ty)
            }
            _ => return Err(self.context.unsupported(first, "this conversion of floats")),
        })
    }
}

/// A place in memory.
pub(super) fn place_text(place: &Place, texts: &[Text]) -> String {
    let mut texts = texts.iter();
    let mut text = place.ident.clone();
    for step in &place.steps {
        match step {
            Step::Constant(number) => text.push_str(&format!("[{number}]")),
            Step::Field(name) => text.push_str(&format!(".{name}")),
            Step::Index(_) => {
                let index = texts.next().map(|text| text.text.clone()).unwrap_or_default();
                text.push_str(&format!("[{index}]"));
            }
            Step::Bytes(_) => {
                let bytes = texts.next().map(|text| text.inside(Binding::Shift, false)).unwrap_or_default();
                text.push_str(&format!("[{bytes} >> 2u]"));
            }
            Step::Row(_) => {
                let bytes = texts.next().map(|text| text.inside(Binding::Shift, false)).unwrap_or_default();
                text.push_str(&format!("[{bytes} >> 4u][({bytes} >> 2u) & 3u]"));
            }
        }
    }
    text
}

/// How many of a place's operands come before what is stored.
pub(super) fn steps_with_values(place: &Place) -> usize {
    place.steps.iter().filter(|step| matches!(step, Step::Index(_) | Step::Bytes(_) | Step::Row(_))).count()
}

fn atomic(context: &Context<'_>, first: &Instruction, texts: &[Text]) -> Result<String, TraceError> {
    let place = context.place(first)?;
    let (at, values) = texts.split_at(steps_with_values(&place).min(texts.len()));
    let at = place_text(&place, at);
    let Detail::Atomic(op) = first.attrs.detail else { return Err(context.unsupported(first, "this atomic")) };
    let signed = matches!(op, AtomicOp::SMin | AtomicOp::SMax);
    if signed && place.atomic != Some(Ty::I32) {
        return Err(
            context.unsupported(first, "signed and unsigned minima or maxima on one memory, whose numbers have one type in WGSL")
        );
    }
    let name = match op {
        AtomicOp::Add => "Add",
        AtomicOp::Sub => "Sub",
        AtomicOp::And => "And",
        AtomicOp::Or => "Or",
        AtomicOp::Xor => "Xor",
        AtomicOp::SMin | AtomicOp::UMin => "Min",
        AtomicOp::SMax | AtomicOp::UMax => "Max",
        AtomicOp::Exchange => "Exchange",
        AtomicOp::Load => return Ok(format!("atomicLoad(&{at})")),
        AtomicOp::Store => return Err(context.unsupported(first, "the old value of an atomic store")),
        AtomicOp::CompareExchange => {
            let [value, comparand] = values else { return Err(context.unsupported(first, "this atomic")) };
            return Ok(format!("atomicCompareExchangeWeak(&{at}, {}, {}).old_value", comparand.text, value.text));
        }
    };
    Ok(format!("atomic{name}(&{at}, {})", values.first().map_or("", |text| &text.text)))
}
