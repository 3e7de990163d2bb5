//! Parses and evaluates a constant expression in one pass.

use super::lexer::{Keyword, TokenKind};
use super::{Constant, Exact, Folder, Known, Scalar, cast};
use crate::wgsl::math::{self, Shape};
use gpuproof_program::{Kind, Width};
use naga::{BinaryOperator, MathFunction, RelationalFunction, UnaryOperator};
use std::ops::Range;
use std::rc::Rc;

const ABSTRACT_INT: Scalar = Scalar { kind: Kind::Sint, width: Width::W64, is_abstract: true };
const ABSTRACT_FLOAT: Scalar = Scalar { kind: Kind::Float, width: Width::W64, is_abstract: true };
const BOOL: Scalar = Scalar::of(Kind::Bool, Width::W1);
const F32: Scalar = Scalar::of(Kind::Float, Width::W32);
const I32: Scalar = Scalar::of(Kind::Sint, Width::W32);
const U32: Scalar = Scalar::of(Kind::Uint, Width::W32);

/// Nested deeper than naga parses.
const MAX_DEPTH: usize = 256;

/// The numeric types by name.
const SCALARS: &[(&str, Scalar)] = &[
    ("f32", F32),
    ("f16", Scalar::of(Kind::Float, Width::W16)),
    ("f64", Scalar::of(Kind::Float, Width::W64)),
    ("i32", I32),
    ("u32", U32),
    ("i16", Scalar::of(Kind::Sint, Width::W16)),
    ("u16", Scalar::of(Kind::Uint, Width::W16)),
    ("i64", Scalar::of(Kind::Sint, Width::W64)),
    ("u64", Scalar::of(Kind::Uint, Width::W64)),
    ("bool", BOOL),
];

/// How a builtin function takes abstract operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// As they are.
    Any,
    /// As floats.
    Floats,
    /// As 32-bit integers; all but the first operands of `extractBits` and their like are u32.
    Integers,
    /// f32.
    Singles,
    /// u32.
    Words,
}

/// The builtin functions of constant expressions.
const FUNCTIONS: &[(&str, MathFunction, Takes)] = &[
    ("abs", MathFunction::Abs, Takes::Any),
    ("min", MathFunction::Min, Takes::Any),
    ("max", MathFunction::Max, Takes::Any),
    ("clamp", MathFunction::Clamp, Takes::Any),
    ("sign", MathFunction::Sign, Takes::Any),
    ("dot", MathFunction::Dot, Takes::Any),
    ("saturate", MathFunction::Saturate, Takes::Floats),
    ("cos", MathFunction::Cos, Takes::Floats),
    ("cosh", MathFunction::Cosh, Takes::Floats),
    ("sin", MathFunction::Sin, Takes::Floats),
    ("sinh", MathFunction::Sinh, Takes::Floats),
    ("tan", MathFunction::Tan, Takes::Floats),
    ("tanh", MathFunction::Tanh, Takes::Floats),
    ("acos", MathFunction::Acos, Takes::Floats),
    ("asin", MathFunction::Asin, Takes::Floats),
    ("atan", MathFunction::Atan, Takes::Floats),
    ("atan2", MathFunction::Atan2, Takes::Floats),
    ("acosh", MathFunction::Acosh, Takes::Floats),
    ("asinh", MathFunction::Asinh, Takes::Floats),
    ("atanh", MathFunction::Atanh, Takes::Floats),
    ("radians", MathFunction::Radians, Takes::Floats),
    ("degrees", MathFunction::Degrees, Takes::Floats),
    ("ceil", MathFunction::Ceil, Takes::Floats),
    ("floor", MathFunction::Floor, Takes::Floats),
    ("round", MathFunction::Round, Takes::Floats),
    ("fract", MathFunction::Fract, Takes::Floats),
    ("trunc", MathFunction::Trunc, Takes::Floats),
    ("exp", MathFunction::Exp, Takes::Floats),
    ("exp2", MathFunction::Exp2, Takes::Floats),
    ("log", MathFunction::Log, Takes::Floats),
    ("log2", MathFunction::Log2, Takes::Floats),
    ("pow", MathFunction::Pow, Takes::Floats),
    ("cross", MathFunction::Cross, Takes::Floats),
    ("distance", MathFunction::Distance, Takes::Floats),
    ("length", MathFunction::Length, Takes::Floats),
    ("normalize", MathFunction::Normalize, Takes::Floats),
    ("faceForward", MathFunction::FaceForward, Takes::Floats),
    ("reflect", MathFunction::Reflect, Takes::Floats),
    ("refract", MathFunction::Refract, Takes::Floats),
    ("fma", MathFunction::Fma, Takes::Floats),
    ("mix", MathFunction::Mix, Takes::Floats),
    ("step", MathFunction::Step, Takes::Floats),
    ("smoothstep", MathFunction::SmoothStep, Takes::Floats),
    ("sqrt", MathFunction::Sqrt, Takes::Floats),
    ("inverseSqrt", MathFunction::InverseSqrt, Takes::Floats),
    ("transpose", MathFunction::Transpose, Takes::Floats),
    ("determinant", MathFunction::Determinant, Takes::Floats),
    ("quantizeToF16", MathFunction::QuantizeToF16, Takes::Singles),
    ("countTrailingZeros", MathFunction::CountTrailingZeros, Takes::Integers),
    ("countLeadingZeros", MathFunction::CountLeadingZeros, Takes::Integers),
    ("countOneBits", MathFunction::CountOneBits, Takes::Integers),
    ("reverseBits", MathFunction::ReverseBits, Takes::Integers),
    ("firstTrailingBit", MathFunction::FirstTrailingBit, Takes::Integers),
    ("firstLeadingBit", MathFunction::FirstLeadingBit, Takes::Integers),
    ("pack4x8snorm", MathFunction::Pack4x8snorm, Takes::Singles),
    ("pack4x8unorm", MathFunction::Pack4x8unorm, Takes::Singles),
    ("pack2x16snorm", MathFunction::Pack2x16snorm, Takes::Singles),
    ("pack2x16unorm", MathFunction::Pack2x16unorm, Takes::Singles),
    ("pack2x16float", MathFunction::Pack2x16float, Takes::Singles),
    ("unpack4x8snorm", MathFunction::Unpack4x8snorm, Takes::Words),
    ("unpack4x8unorm", MathFunction::Unpack4x8unorm, Takes::Words),
    ("unpack2x16snorm", MathFunction::Unpack2x16snorm, Takes::Words),
    ("unpack2x16unorm", MathFunction::Unpack2x16unorm, Takes::Words),
    ("unpack2x16float", MathFunction::Unpack2x16float, Takes::Words),
];

/// Operators from loosest to tightest, each with its characters.
const OPERATORS: &[&[(&str, BinaryOperator)]] = &[
    &[("||", BinaryOperator::LogicalOr)],
    &[("&&", BinaryOperator::LogicalAnd)],
    &[("|", BinaryOperator::InclusiveOr)],
    &[("^", BinaryOperator::ExclusiveOr)],
    &[("&", BinaryOperator::And)],
    &[
        ("==", BinaryOperator::Equal),
        ("!=", BinaryOperator::NotEqual),
        ("<=", BinaryOperator::LessEqual),
        (">=", BinaryOperator::GreaterEqual),
        ("<", BinaryOperator::Less),
        (">", BinaryOperator::Greater),
    ],
    &[("<<", BinaryOperator::ShiftLeft), (">>", BinaryOperator::ShiftRight)],
    &[("+", BinaryOperator::Add), ("-", BinaryOperator::Subtract)],
    &[("*", BinaryOperator::Multiply), ("/", BinaryOperator::Divide), ("%", BinaryOperator::Modulo)],
];

/// A type that an expression constructs.
enum Target {
    /// Scalar, vector or matrix; the scalar type may follow from the operands.
    Flat { scalar: Option<Scalar>, columns: usize, rows: usize },
    /// Elements of a type, or of the operands' own.
    Array(Option<Box<Target>>),
}

/// One evaluation: a cursor over the tokens of an expression.
pub(super) struct Evaluation<'f, 't> {
    folder: &'f Folder<'t>,
    at: usize,
    end: usize,
    depth: usize,
}

impl<'f, 't> Evaluation<'f, 't> {
    /// The constant that these tokens are.
    pub(super) fn of(folder: &'f Folder<'t>, tokens: Range<usize>) -> Option<Constant> {
        Evaluation::nested(folder, tokens, 0)
    }

    fn nested(folder: &'f Folder<'t>, tokens: Range<usize>, depth: usize) -> Option<Constant> {
        let mut evaluation = Evaluation { folder, at: tokens.start, end: tokens.end, depth };
        let constant = evaluation.expression()?;
        (evaluation.at == evaluation.end).then_some(constant)
    }

    fn word(&self, ahead: usize) -> &'t str {
        if self.at + ahead < self.end { self.folder.word(self.at + ahead) } else { "" }
    }

    fn take(&mut self, word: &str) -> Option<()> {
        (self.word(0) == word).then(|| self.at += 1)
    }

    /// Whether an operator's characters come next, one after another without a gap, and no longer operator.
    fn operator(&self, level: usize) -> Option<(usize, BinaryOperator)> {
        let mark = |ahead: usize| self.word(ahead).bytes().next().unwrap_or(0);
        let joined = |ahead: usize| {
            let tokens = self.folder.tokens.get(self.at..self.at + ahead + 1)?;
            tokens.windows(2).all(|pair| pair[0].end == pair[1].start).then_some(())
        };
        let spells = |text: &str| {
            text.bytes().enumerate().all(|(i, b)| mark(i) == b && self.word(i).len() == 1) && joined(text.len() - 1).is_some()
        };
        let (text, op) = OPERATORS[level].iter().find(|(text, _)| spells(text))?;
        let longer = OPERATORS.iter().flat_map(|level| level.iter()).any(|(other, _)| other.len() > text.len() && spells(other));
        (!longer).then_some((text.len(), *op))
    }

    fn expression(&mut self) -> Option<Constant> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let constant = self.level(0);
        self.depth -= 1;
        constant
    }

    fn level(&mut self, level: usize) -> Option<Constant> {
        if level == OPERATORS.len() {
            return self.unary();
        }
        let mut left = self.level(level + 1)?;
        while let Some((length, op)) = self.operator(level) {
            self.at += length;
            let right = self.level(level + 1)?;
            left = binary(op, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Constant> {
        let op = match self.word(0) {
            "-" => UnaryOperator::Negate,
            "!" => UnaryOperator::LogicalNot,
            "~" => UnaryOperator::BitwiseNot,
            _ => return self.postfix(),
        };
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let Constant::Flat { scalar, columns, rows, parts } = self.unary()? else { return None };
        self.depth -= 1;
        let parts = math::unary(&mut Exact, op, scalar.kind, &parts).ok()?;
        Some(Constant::Flat { scalar, columns, rows, parts })
    }

    fn postfix(&mut self) -> Option<Constant> {
        let mut value = self.primary()?;
        loop {
            if self.take("[").is_some() {
                let index = self.expression()?;
                self.take("]")?;
                let Constant::Flat { parts, .. } = index else { return None };
                value = element(value, usize::try_from(parts.first()?.signed()).ok()?)?;
            } else if self.take(".").is_some() {
                let name = self.word(0);
                self.at += 1;
                value = swizzle(value, name)?;
            } else {
                return Some(value);
            }
        }
    }

    fn primary(&mut self) -> Option<Constant> {
        if self.take("(").is_some() {
            let inside = self.expression()?;
            self.take(")")?;
            return Some(inside);
        }
        let token = *self.folder.tokens.get(self.at).filter(|_| self.at < self.end)?;
        let word = self.word(0);
        match token.kind {
            TokenKind::Number => {
                self.at += 1;
                let (scalar, known) = number(word)?;
                Some(self.folder.constant(known, scalar))
            }
            TokenKind::Mark(_) => None,
            TokenKind::Word => match word {
                "true" | "false" => {
                    self.at += 1;
                    Some(self.folder.constant(Known { width: Width::W1, bits: u64::from(word == "true") }, BOOL))
                }
                _ => self.named(word, token.start),
            },
        }
    }

    /// A name: a declared constant, a constructor or a builtin function.
    fn named(&mut self, word: &str, place: usize) -> Option<Constant> {
        let declaration = self.folder.declaration(word, place);
        if declaration.is_some_and(|declaration| declaration.keyword == Keyword::Struct) {
            // Its numbers in order are all that is asked for; what asks knows the members' types.
            self.at += 1;
            return self.arguments().filter(|members| !members.is_empty()).map(|members| Constant::Array(members.into()));
        }
        if let Some(declaration) = declaration
            && declaration.keyword != Keyword::Alias
        {
            self.at += 1;
            if let Some((ty, bits)) = self.folder.overrides.get(word).filter(|_| declaration.keyword == Keyword::Override) {
                return Some(self.folder.constant(Known { width: ty.width, bits: *bits }, Scalar::of(ty.kind, ty.width)));
            }
            let (value, ty) = (declaration.value.clone(), declaration.ty.clone());
            return self.declared(value, ty).map(|constant| (*constant).clone());
        }
        if word == "bitcast" {
            self.at += 1;
            self.take("<")?;
            let target = self.target()?;
            self.take(">")?;
            let args = self.arguments()?;
            let [Constant::Flat { scalar, columns, rows, parts }] = &args[..] else { return None };
            let Target::Flat { scalar: Some(to), .. } = target else { return None };
            let from = concrete(*scalar);
            let parts = parts.iter().map(|part| cast(*part, *scalar, from)).collect::<Option<Vec<_>>>()?;
            return (from.width == to.width).then_some(Constant::Flat { scalar: to, columns: *columns, rows: *rows, parts });
        }
        if let Some(target) = self.target() {
            let args = self.arguments()?;
            return construct(&target, args);
        }
        self.at += 1;
        let args = self.arguments()?;
        call(word, args)
    }

    fn declared(&self, value: Range<usize>, ty: Range<usize>) -> Option<Rc<Constant>> {
        if let Some(found) = self.folder.declared.borrow().get(&value.start) {
            return found.clone();
        }
        self.folder.declared.borrow_mut().insert(value.start, None);
        let mut constant = Evaluation::nested(self.folder, value.clone(), self.depth + 1);
        if !ty.is_empty() {
            let target = Evaluation { folder: self.folder, at: ty.start, end: ty.end, depth: self.depth + 1 }.target();
            constant = target.and_then(|target| retype(&target, constant?));
        }
        let constant = constant.map(Rc::new);
        self.folder.declared.borrow_mut().insert(value.start, constant.clone());
        constant
    }

    fn arguments(&mut self) -> Option<Vec<Constant>> {
        self.take("(")?;
        let mut args = Vec::new();
        while self.word(0) != ")" {
            args.push(self.expression()?);
            if self.take(",").is_none() {
                break;
            }
        }
        self.take(")")?;
        Some(args)
    }

    /// The type that is named next; the cursor stays where none is.
    fn target(&mut self) -> Option<Target> {
        let (word, place) = (self.word(0), self.folder.tokens.get(self.at)?.start);
        if let Some(alias) = self.folder.declaration(word, place).filter(|d| d.keyword == Keyword::Alias) {
            self.depth += 1;
            let (value, depth) = (alias.value.clone(), self.depth);
            self.depth -= 1;
            if depth > MAX_DEPTH {
                return None;
            }
            let target = Evaluation { folder: self.folder, at: value.start, end: value.end, depth }.target()?;
            self.at += 1;
            return Some(target);
        }
        if let Some((_, scalar)) = SCALARS.iter().find(|(name, _)| *name == word) {
            self.at += 1;
            return Some(Target::Flat { scalar: Some(*scalar), columns: 1, rows: 1 });
        }
        if word == "array" {
            self.at += 1;
            if self.take("<").is_none() {
                return Some(Target::Array(None));
            }
            let element = self.target()?;
            while self.word(0) != ">" && self.at < self.end {
                self.at += 1;
            }
            self.take(">")?;
            return Some(Target::Array(Some(Box::new(element))));
        }
        let digit =
            |at: usize| word.as_bytes().get(at).map(|b| usize::from(b.wrapping_sub(b'0'))).filter(|n| (2..=4).contains(n));
        let (columns, rows, letter) = if word.starts_with("vec") {
            (1, digit(3)?, 4)
        } else if word.starts_with("mat") && word.as_bytes().get(4) == Some(&b'x') {
            (digit(3)?, digit(5)?, 6)
        } else {
            return None;
        };
        let mut scalar = match word.get(letter..)? {
            "" => None,
            "f" => Some(F32),
            "h" => Some(Scalar::of(Kind::Float, Width::W16)),
            "i" => Some(I32),
            "u" => Some(U32),
            _ => return None,
        };
        self.at += 1;
        if scalar.is_none() && self.word(0) == "<" {
            self.at += 1;
            let Target::Flat { scalar: inner, .. } = self.target()? else { return None };
            self.take(">")?;
            scalar = inner;
        }
        Some(Target::Flat { scalar, columns, rows })
    }
}

/// The number that a literal is.
fn number(text: &str) -> Option<(Scalar, Known)> {
    const SUFFIXES: &[(&str, Scalar)] = &[
        ("lf", Scalar::of(Kind::Float, Width::W64)),
        ("li", Scalar::of(Kind::Sint, Width::W64)),
        ("lu", Scalar::of(Kind::Uint, Width::W64)),
        ("i", I32),
        ("u", U32),
    ];
    let lower = text.to_ascii_lowercase();
    let hex = lower.strip_prefix("0x");
    // Digits of hexadecimal integers include f.
    let float_suffix = |suffix: char| lower.ends_with(suffix) && (hex.is_none() || lower.contains('p'));
    let suffix = SUFFIXES.iter().find(|(suffix, _)| lower.ends_with(suffix)).map(|(suffix, scalar)| (suffix.len(), *scalar));
    let (length, scalar) = match suffix {
        Some(found) => found,
        None if float_suffix('f') => (1, F32),
        None if float_suffix('h') => (1, Scalar::of(Kind::Float, Width::W16)),
        None if lower.contains('.') || lower.contains('p') || hex.is_none() && lower.contains('e') => (0, ABSTRACT_FLOAT),
        None => (0, ABSTRACT_INT),
    };
    let body = &lower[..lower.len() - length];
    let bits = match (scalar.kind, hex) {
        (Kind::Float, Some(_)) => crate::wgsl::arith::float_bits(scalar.width, hex_float(&body[2..])?),
        (Kind::Float, None) if scalar.width == Width::W32 => u64::from(body.parse::<f32>().ok()?.to_bits()),
        (Kind::Float, None) => crate::wgsl::arith::float_bits(scalar.width, body.parse::<f64>().ok()?),
        (_, Some(_)) => u64::from_str_radix(&body[2..], 16).ok()?,
        (_, None) => body.parse::<u64>().ok()?,
    };
    Some((scalar, Known { width: scalar.width, bits: bits & scalar.width.mask() }))
}

/// A hexadecimal float whose digits f64 holds.
fn hex_float(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok().filter(|n| *n < 1 << 53)?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    if !(-1000..=1000).contains(&exponent) {
        return None;
    }
    Some(significand as f64 * f64::from_bits(((exponent + 1023) as u64) << 52))
}

fn concrete(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar { is_abstract: true, kind: Kind::Float, .. } => F32,
        Scalar { is_abstract: true, .. } => I32,
        _ => scalar,
    }
}

/// The type that numbers of these types have together.
fn common(scalars: impl Iterator<Item = Scalar> + Clone) -> Option<Scalar> {
    let concrete = scalars.clone().find(|scalar| !scalar.is_abstract);
    let is_float = scalars.clone().any(|scalar| scalar.kind == Kind::Float);
    match concrete {
        Some(scalar) if scalars.clone().any(|other| !other.is_abstract && other != scalar) => None,
        Some(scalar) if is_float && scalar.kind != Kind::Float => None,
        Some(scalar) => Some(scalar),
        None if is_float => Some(ABSTRACT_FLOAT),
        None => Some(ABSTRACT_INT),
    }
}

/// The same constant with numbers of another type.
fn with_scalar(constant: Constant, to: Scalar) -> Option<Constant> {
    match constant {
        Constant::Flat { scalar, columns, rows, parts } => {
            let parts = parts.into_iter().map(|part| cast(part, scalar, to)).collect::<Option<Vec<_>>>()?;
            Some(Constant::Flat { scalar: to, columns, rows, parts })
        }
        Constant::Array(elements) => {
            Some(Constant::Array(elements.iter().map(|element| with_scalar(element.clone(), to)).collect::<Option<_>>()?))
        }
    }
}

/// Converts an abstract constant to the type of its declaration.
fn retype(target: &Target, constant: Constant) -> Option<Constant> {
    match (target, constant) {
        (Target::Flat { scalar: Some(to), .. }, constant @ Constant::Flat { .. }) => with_scalar(constant, *to),
        (Target::Array(Some(element)), Constant::Array(elements)) => {
            Some(Constant::Array(elements.iter().map(|constant| retype(element, constant.clone())).collect::<Option<_>>()?))
        }
        (_, constant) => Some(constant),
    }
}

fn binary(op: BinaryOperator, left: Constant, right: Constant) -> Option<Constant> {
    use BinaryOperator as B;
    let (Constant::Flat { scalar: x, .. }, Constant::Flat { scalar: y, .. }) = (&left, &right) else { return None };
    let shift = matches!(op, B::ShiftLeft | B::ShiftRight);
    let scalar = if shift { *x } else { common([*x, *y].into_iter())? };
    let right_scalar = if shift { *y } else { scalar };
    let (Constant::Flat { columns: c, rows: r, parts: x, .. }, Constant::Flat { columns: d, rows: s, parts: y, .. }) =
        (with_scalar(left, scalar)?, with_scalar(right, right_scalar)?)
    else {
        return None;
    };
    let shape = |columns, rows| Shape { kind: scalar.kind, columns, rows };
    let product = op == B::Multiply && x.len() > 1 && y.len() > 1 && (c > 1 || d > 1);
    if !product && x.len() != y.len() && x.len() > 1 && y.len() > 1 {
        return None;
    }
    let parts = math::binary(&mut Exact, op, (shape(c, r), &x), (shape(d, s), &y)).ok()?;
    let compares = matches!(op, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual);
    let (columns, rows) = match (product, c > 1, d > 1) {
        (true, true, true) => (d, r),
        (true, true, false) => (1, r),
        (true, false, _) => (1, d),
        _ if x.len() > 1 => (c, r),
        _ => (d, s),
    };
    Some(Constant::Flat { scalar: if compares { BOOL } else { scalar }, columns, rows, parts })
}

fn element(value: Constant, index: usize) -> Option<Constant> {
    match value {
        Constant::Array(elements) => elements.get(index).cloned(),
        Constant::Flat { scalar, columns: 1, parts, .. } => {
            Some(Constant::Flat { scalar, columns: 1, rows: 1, parts: vec![*parts.get(index)?] })
        }
        Constant::Flat { scalar, rows, parts, .. } => {
            Some(Constant::Flat { scalar, columns: 1, rows, parts: parts.chunks(rows).nth(index)?.to_vec() })
        }
    }
}

fn swizzle(value: Constant, name: &str) -> Option<Constant> {
    let Constant::Flat { scalar, columns: 1, parts, .. } = value else { return None };
    let picked = name
        .chars()
        .map(|c| "xyzw".find(c).or_else(|| "rgba".find(c)).and_then(|i| parts.get(i).copied()))
        .collect::<Option<Vec<_>>>()?;
    Some(Constant::Flat { scalar, columns: 1, rows: picked.len(), parts: picked })
}

fn construct(target: &Target, args: Vec<Constant>) -> Option<Constant> {
    let (scalar, columns, rows) = match target {
        Target::Array(element) => {
            let mut elements = args;
            match element {
                Some(element) => {
                    elements = elements.into_iter().map(|constant| retype(element, constant)).collect::<Option<Vec<_>>>()?;
                }
                None => {
                    let mut numbers = Vec::new();
                    elements.iter().for_each(|element| element.flatten(&mut numbers));
                    let scalar = common(numbers.iter().map(|(scalar, _)| *scalar))?;
                    elements = elements.into_iter().map(|constant| with_scalar(constant, scalar)).collect::<Option<Vec<_>>>()?;
                }
            }
            return (!elements.is_empty()).then(|| Constant::Array(elements.into()));
        }
        Target::Flat { scalar, columns, rows } => (*scalar, *columns, *rows),
    };
    let count = columns * rows;
    let mut numbers = Vec::new();
    args.iter().for_each(|arg| arg.flatten(&mut numbers));
    let scalar = match scalar {
        Some(scalar) => scalar,
        // `vec3()` is a vector of abstract zeros.
        None if numbers.is_empty() && columns == 1 => ABSTRACT_INT,
        None if numbers.is_empty() => return None,
        None if columns > 1 => common(numbers.iter().map(|(scalar, _)| *scalar).chain([ABSTRACT_FLOAT]))?,
        None => common(numbers.iter().map(|(scalar, _)| *scalar))?,
    };
    let mut parts = numbers.into_iter().map(|(from, known)| cast(known, from, scalar)).collect::<Option<Vec<_>>>()?;
    match parts[..] {
        [] => parts = vec![Known { width: scalar.width, bits: 0 }; count],
        [one] if columns == 1 => parts = vec![one; count],
        _ => {}
    }
    (parts.len() == count).then_some(Constant::Flat { scalar, columns, rows, parts })
}

fn call(name: &str, args: Vec<Constant>) -> Option<Constant> {
    let scalars: Vec<Scalar> = args
        .iter()
        .map(|arg| if let Constant::Flat { scalar, .. } = arg { Some(*scalar) } else { None })
        .collect::<Option<Vec<_>>>()?;
    let flat = |constant: Constant| if let Constant::Flat { parts, .. } = constant { Some(parts) } else { None };
    let size = args.iter().filter_map(|arg| if let Constant::Flat { rows, .. } = arg { Some(*rows) } else { None }).max()?;
    let (columns, rows) = match args.first()? {
        Constant::Flat { columns, rows, .. } => (*columns, *rows),
        Constant::Array(_) => return None,
    };
    match name {
        "all" | "any" => {
            let fun = if name == "all" { RelationalFunction::All } else { RelationalFunction::Any };
            let parts = math::relational(&mut Exact, fun, &flat(args.into_iter().next()?)?).ok()?;
            return Some(Constant::Flat { scalar: BOOL, columns: 1, rows: 1, parts });
        }
        "select" => {
            let [reject, accept, condition] = <[Constant; 3]>::try_from(args).ok()?;
            let scalar = common(scalars[..2].iter().copied())?;
            let (reject, accept) = (flat(with_scalar(reject, scalar)?)?, flat(with_scalar(accept, scalar)?)?);
            let parts = math::select(&mut Exact, &flat(condition)?, &accept, &reject).ok()?;
            return Some(Constant::Flat { scalar, columns: 1, rows: parts.len(), parts });
        }
        "ldexp" => {
            let [x, exponent] = <[Constant; 2]>::try_from(args).ok()?;
            let scalar = concrete(common([scalars[0], ABSTRACT_FLOAT].into_iter())?);
            let (x, exponent) = (flat(with_scalar(x, scalar)?)?, flat(with_scalar(exponent, I32)?)?);
            let shape = Shape { kind: Kind::Float, columns, rows };
            let parts = math::math(&mut Exact, MathFunction::Ldexp, shape, &[x, exponent]).ok()?;
            return Some(Constant::Flat { scalar, columns: 1, rows, parts });
        }
        _ => {}
    }
    let (_, fun, takes) = FUNCTIONS.iter().find(|(known, ..)| *known == name)?;
    let together = common(scalars.iter().copied())?;
    let scalar = match takes {
        Takes::Any => together,
        Takes::Floats => common([together, ABSTRACT_FLOAT].into_iter())?,
        Takes::Integers => concrete(together),
        Takes::Singles => F32,
        Takes::Words => U32,
    };
    let args = args.into_iter().map(|arg| flat(with_scalar(arg, scalar)?)).collect::<Option<Vec<_>>>()?;
    let parts = math::math(&mut Exact, *fun, Shape { kind: scalar.kind, columns, rows }, &args).ok()?;
    let result = match takes {
        Takes::Singles if *fun != MathFunction::QuantizeToF16 => U32,
        Takes::Words => F32,
        _ => scalar,
    };
    let (columns, rows) = match *fun {
        MathFunction::Transpose => (rows, columns),
        _ if parts.len() == size => (1, size),
        _ => (1, parts.len()),
    };
    Some(Constant::Flat { scalar: result, columns, rows, parts })
}
