//! Constant expressions, evaluated again from the text.
//!
//! naga evaluates them with the host's library while it parses: `sin(1.0)` arrives as a literal. Such a literal keeps the span of the expression, so
//! the expression is evaluated here by the rules that run time has: each f32 operation correctly rounded, AbstractFloat in f64.

mod big;
mod eval;
mod exact;
mod lexer;

use super::arith::{Arith, convert};
use eval::Evaluation;
pub(super) use exact::{Exact, Known};
use gpuproof_program::{Kind, ScalarType, Width};
use lexer::Declaration;
pub(super) use lexer::{Token, TokenKind, tokens};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A number's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scalar {
    kind: Kind,
    width: Width,
    /// AbstractInt or AbstractFloat: converts by itself to what it meets.
    is_abstract: bool,
}

impl Scalar {
    const fn of(kind: Kind, width: Width) -> Scalar {
        Scalar { kind, width, is_abstract: false }
    }
}

/// A constant: a number, vector, matrix (flat, column by column), or an array.
#[derive(Clone, Debug)]
enum Constant {
    Flat { scalar: Scalar, columns: usize, rows: usize, parts: Vec<Known> },
    Array(Rc<[Constant]>),
}

/// The numbers of a constant in a row.
type Numbers = Rc<Vec<(Scalar, Known)>>;

/// Converts a number to a type.
fn cast(known: Known, from: Scalar, to: Scalar) -> Option<Known> {
    convert(&mut Exact, known, from.kind, to.kind, to.width).ok()
}

impl Constant {
    fn flatten(&self, into: &mut Vec<(Scalar, Known)>) {
        match self {
            Constant::Flat { scalar, parts, .. } => into.extend(parts.iter().map(|part| (*scalar, *part))),
            Constant::Array(elements) => elements.iter().for_each(|element| element.flatten(into)),
        }
    }
}

/// Evaluates the constant expressions of one text.
pub(super) struct Folder<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    declarations: HashMap<&'t str, Vec<Declaration>>,
    overrides: HashMap<String, (ScalarType, u64)>,
    /// The value of each declaration by the byte where its value begins; none while it is being evaluated, or where it cannot be.
    declared: RefCell<HashMap<usize, Option<Rc<Constant>>>>,
    spans: RefCell<HashMap<(usize, usize), Option<Numbers>>>,
}

impl<'t> Folder<'t> {
    pub(super) fn new(text: &'t str) -> Folder<'t> {
        let tokens = lexer::tokens(text);
        let declarations = lexer::declarations(text, &tokens);
        Folder { text, tokens, declarations, overrides: HashMap::new(), declared: RefCell::default(), spans: RefCell::default() }
    }

    /// Gives an override its value.
    pub(super) fn set_override(&mut self, name: &str, ty: ScalarType, bits: u64) {
        self.overrides.insert(name.to_owned(), (ty, bits));
    }

    /// Whether a span of the text is one literal, which naga has read exactly.
    pub(super) fn is_literal(&self, span: &Range<usize>) -> bool {
        let tokens = self.within(span);
        matches!(&self.tokens[tokens], [token] if token.kind == TokenKind::Number || matches!(&self.text[token.start..token.end], "true" | "false"))
    }

    /// Whether an expression calls something, so that its value may depend on whose library evaluates it.
    pub(super) fn calls(&self, span: &Range<usize>) -> bool {
        let tokens = &self.tokens[self.within(span)];
        tokens.windows(2).any(|pair| pair[0].kind == TokenKind::Word && pair[1].kind == TokenKind::Mark(b'('))
    }

    /// The numbers of the constant expression at a span of the text, converted to these types; none if it is not one that this evaluator knows, or if it has other
    /// numbers than these.
    pub(super) fn evaluate(&self, span: &Range<usize>, types: &[ScalarType]) -> Option<Vec<u64>> {
        let numbers = self.numbers(span)?;
        if numbers.len() != types.len() {
            return None;
        }
        numbers
            .iter()
            .zip(types)
            .map(|((scalar, known), ty)| {
                let to = Scalar::of(ty.kind, ty.width);
                let same = scalar.kind == to.kind && scalar.width == to.width;
                let converts =
                    scalar.is_abstract && (to.kind == Kind::Float || scalar.kind != Kind::Float) && to.kind != Kind::Bool;
                (same || converts).then(|| cast(*known, *scalar, to))?.map(|known| known.bits)
            })
            .collect()
    }

    fn numbers(&self, span: &Range<usize>) -> Option<Numbers> {
        let key = (span.start, span.end);
        if let Some(found) = self.spans.borrow().get(&key) {
            return found.clone();
        }
        let tokens = self.within(span);
        let numbers = Evaluation::of(self, tokens).map(|constant| {
            let mut numbers = Vec::new();
            constant.flatten(&mut numbers);
            Rc::new(numbers)
        });
        self.spans.borrow_mut().insert(key, numbers.clone());
        numbers
    }

    /// The tokens of the expression that a span of the text stands for. naga gives a call of a builtin function the span of the function's name.
    fn within(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.start < span.start);
        let end = self.tokens.partition_point(|token| token.end <= span.end).max(start);
        if end != start + 1 || self.tokens[start].kind != TokenKind::Word {
            return start..end;
        }
        let mut open = end;
        if self.word(start) == "bitcast" {
            open = (end..self.tokens.len()).find(|at| self.word(*at) == "(").unwrap_or(end);
        }
        if self.word(open) != "(" {
            return start..end;
        }
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.tokens[at].kind {
                TokenKind::Mark(b'(') => depth += 1,
                TokenKind::Mark(b')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return start..at + 1;
            }
        }
        start..end
    }

    /// What a name means at a place of the text.
    fn declaration(&self, name: &str, place: usize) -> Option<&Declaration> {
        self.declarations.get(name)?.iter().filter(|declaration| declaration.scope.contains(&place)).max_by_key(|d| d.scope.start)
    }

    fn word(&self, token: usize) -> &'t str {
        self.tokens.get(token).map_or("", |token| &self.text[token.start..token.end])
    }

    fn constant(&self, known: Known, scalar: Scalar) -> Constant {
        Constant::Flat { scalar, columns: 1, rows: 1, parts: vec![Exact.constant(known.width, known.bits)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates the last `const` of a text as f32s.
    fn floats(text: &str) -> Option<Vec<f32>> {
        let folder = Folder::new(text);
        let start = text.rfind('=').unwrap() + 1;
        let end = text.rfind(';').unwrap();
        let numbers = folder.numbers(&(start..end))?;
        let types = vec![ScalarType { kind: Kind::Float, width: Width::W32 }; numbers.len()];
        Some(folder.evaluate(&(start..end), &types)?.iter().map(|bits| f32::from_bits(*bits as u32)).collect())
    }

    #[test]
    fn expressions_of_abstract_numbers_are_rounded_once() {
        // Hand calculation: 0.1 + 0.2 in f64 is 0.30000000000000004, whose nearest f32 is that of 0.3.
        assert_eq!(floats("const a = 0.1 + 0.2;"), Some(vec![0.3]));
        assert_eq!(floats("const a = (1 + 2) * 3 - 4 / 2;"), Some(vec![7.0]));
        assert_eq!(floats("const a = -0x10 * .5;"), Some(vec![-8.0]));
        assert_eq!(floats("const a = 0x1.8p1 + 1e-1f * 0.0;"), Some(vec![3.0]));
        assert_eq!(floats("const a = 7 % 4 + (1 << 3);"), Some(vec![11.0]));
        assert_eq!(floats("const a = vec2() + vec2f(2);"), Some(vec![2.0, 2.0]));
    }

    #[test]
    fn functions_are_correctly_rounded() {
        // The decimal expansion of sin 1 (OEIS A049469), rounded by the compiler's exact parser, and the language's constants.
        assert_eq!(floats("const a = sin(1.0f);"), Some(vec![0.841_470_98]));
        assert_eq!(floats("const a = exp(1.0);"), Some(vec![std::f32::consts::E]));
        assert_eq!(floats("const a = log2(10.0);"), Some(vec![std::f32::consts::LOG2_10]));
        assert_eq!(floats("const a = atan(1);"), Some(vec![std::f32::consts::FRAC_PI_4]));
        assert_eq!(floats("const a = normalize(vec2f(3.0, 4.0));"), Some(vec![0.6, 0.8]));
        assert_eq!(floats("const a = mix(vec2(1.0), vec2(3.0, 5.0), 0.5).y;"), Some(vec![3.0]));
        assert_eq!(floats("const a = sqrt(vec3<f32>(1, 4, 9)).zx;"), Some(vec![3.0, 1.0]));
    }

    #[test]
    fn the_name_of_a_call_stands_for_the_call() {
        let folder = Folder::new("f(1, sqrt((2.0 + 2.0)) * 3)");
        let ty = ScalarType { kind: Kind::Float, width: Width::W64 };
        assert_eq!(folder.evaluate(&(5..9), &[ty]), Some(vec![2f64.to_bits()]));
        assert_eq!(folder.evaluate(&(5..26), &[ty]), Some(vec![6f64.to_bits()]));
    }

    #[test]
    fn names_mean_what_is_in_scope() {
        let text =
            "const K = 2.0; alias V = vec2<f32>; fn f() { const K = K + 1.0; { const K = 9.0; } const R = V(K, 1.0) * 2.0; }";
        assert_eq!(floats(text), Some(vec![6.0, 2.0]));
        assert_eq!(floats("const A = B * 2.0; const B = 3.0; const C = A + array(1.0, B)[1];"), Some(vec![9.0]));
    }

    #[test]
    fn what_it_does_not_know_gives_nothing() {
        assert_eq!(floats("const a = f(1.0);"), None);
        assert_eq!(floats("const a = a;"), None);
        assert_eq!(floats("const a = 1.0 +;"), None);
        assert_eq!(floats("const a = vec2(1.0, 2.0) * vec3(1.0);"), None);
        assert_eq!(floats("const a = ((((1.0);"), None);
    }
}
