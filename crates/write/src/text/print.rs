//! Prints statements and expressions; what languages say differently, each [`Dialect`] says.

use super::Module;
use super::tree::{At, Binary, Builtin, Expr, Kind, Lookup, Place, Scalar, Statement, TexelStore, Type, Unary};
use crate::WriteError;
use gpuproof_program::{AtomicOp, Barrier, Evaluation, InputId, OutputId, ResourceId};
use std::cell::RefCell;
use std::fmt::Write;

/// How tightly an expression binds; operands that bind less are put in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// `c ? y : n`
    Choice,
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
    binding: Binding,
}

impl Text {
    pub(super) fn tight(text: impl Into<String>) -> Text {
        Text { text: text.into(), binding: Binding::Tight }
    }

    pub(super) fn bound(text: impl Into<String>, binding: Binding) -> Text {
        Text { text: text.into(), binding }
    }

    /// As an operand of something that binds so.
    pub(super) fn inside(self, binding: Binding, right: bool) -> String {
        let enough = match binding {
            // Operands of shifts and bitwise operations are tight (WGSL, operator precedence).
            Binding::Shift | Binding::Loose => self.binding >= Binding::Sign,
            Binding::And | Binding::Or => self.binding == binding || self.binding >= Binding::Comparison,
            Binding::Comparison => self.binding >= Binding::Shift,
            Binding::Sign => self.binding == Binding::Tight,
            Binding::Choice => self.binding > Binding::Choice,
            _ if right => self.binding > binding,
            _ => self.binding >= binding,
        };
        if enough { self.text } else { format!("({})", self.text) }
    }
}

/// A function that a module declares because the language has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Helper {
    pub(super) name: String,
    pub(super) text: String,
}

/// What a language says in its own way.
pub(super) trait Dialect {
    /// The name of a type.
    fn ty(&self, ty: Type) -> String;
    /// A number.
    fn literal(&self, print: &Printer<'_>, scalar: Scalar, bits: u32) -> Text;
    /// The same bits of `from` as `ty`.
    fn cast(&self, from: Scalar, ty: Type, text: String) -> Text;
    /// A choice by component.
    fn select(&self, ty: Type, parts: [Text; 3]) -> Text;
    /// A vector of one number in each component.
    fn splat(&self, ty: Type, _literal: bool, text: Text) -> Text {
        Text::tight(format!("{}({})", self.ty(ty), text.text))
    }
    /// A comparison, or a logical operation, of vectors, where operators do not take them.
    fn vector_operator(&self, _op: Binary, _operands: Type, _texts: [&Text; 2]) -> Option<Text> {
        None
    }
    /// Whether `v.xy = ...` sets two components.
    fn sets_components(&self) -> bool {
        true
    }
    /// A function of numbers.
    fn builtin(
        &self,
        print: &Printer<'_>,
        builtin: Builtin,
        ty: Type,
        args: &[Expr],
        texts: Vec<Text>,
    ) -> Result<Text, WriteError>;
    /// `let name = value;`
    fn binds(&self, name: &str, ty: Type, value: &str) -> String;
    /// The same for the old value of an atomic, where only a statement gives that.
    fn binds_atomic(&self, _print: &Printer<'_>, _name: &str, _value: &Expr) -> Result<Option<Vec<String>>, WriteError> {
        Ok(None)
    }
    /// A variable with what it holds at first.
    fn variable(&self, name: &str, ty: Type, value: Option<&str>) -> String;
    /// The lines around the body of a loop: before, after; where it runs `once` its body ends with a break.
    fn repeat(&self, once: bool) -> (&'static str, &'static str);
    /// The head of the arm that these enter, and what ends its body.
    fn arm(&self, selectors: &[u32], is_default: bool) -> (String, &'static str);
    /// The head of a switch.
    fn switch(&self, selector: &str) -> String;
    /// An input.
    fn input(&self, print: &Printer<'_>, id: InputId) -> Text;
    /// The variable that holds an output.
    fn output(&self, print: &Printer<'_>, id: OutputId) -> Text;
    /// An input evaluated elsewhere.
    fn input_at(&self, print: &Printer<'_>, id: InputId, at: Evaluation, texts: &[Text]) -> Result<Text, WriteError>;
    /// What is in a place.
    fn load(&self, print: &Printer<'_>, place: &Place) -> Result<Text, WriteError>;
    /// A statement that stores.
    fn store(&self, print: &Printer<'_>, place: &Place, value: &Expr) -> Result<String, WriteError>;
    /// A read-modify-write, as an expression; as a statement of its own with `alone`.
    fn atomic(&self, print: &Printer<'_>, place: &Place, op: AtomicOp, values: &[Expr], alone: bool) -> Result<Text, WriteError>;
    /// A read of a texture.
    fn lookup(&self, print: &Printer<'_>, lookup: &Lookup, ty: Type) -> Result<Text, WriteError>;
    /// A store of a texel.
    fn texel_store(&self, print: &Printer<'_>, store: &TexelStore) -> Result<String, WriteError>;
    /// The bytes of a raw buffer or the elements of another.
    fn buffer_size(&self, print: &Printer<'_>, id: ResourceId, element: Option<&Expr>) -> Result<Text, WriteError>;
    /// A counter one up, or one down.
    fn counter(
        &self,
        print: &Printer<'_>,
        id: ResourceId,
        element: Option<&Expr>,
        up: bool,
        alone: bool,
    ) -> Result<Text, WriteError>;
    /// Statements that drop the lane's results.
    fn discard(&self) -> &'static str;
    /// Statements that end the lane.
    fn leave(&self, print: &Printer<'_>) -> &'static str;
    /// Statements of a barrier.
    fn barrier(&self, barrier: Barrier) -> Result<Vec<&'static str>, WriteError>;
    /// Whether `&&` evaluates its second operand in all lanes, so that `&` of truth values is written so.
    fn logical(&self, op: Binary) -> (&'static str, Binding);
    /// The whole text around a body.
    fn module(&self, print: &Printer<'_>, body: &str) -> Result<String, WriteError>;
}

/// Prints a module.
pub(super) struct Printer<'m> {
    pub(super) module: &'m Module<'m>,
    pub(super) dialect: &'m dyn Dialect,
    helpers: RefCell<Vec<Helper>>,
}

impl<'m> Printer<'m> {
    pub(super) fn new(module: &'m Module<'m>, dialect: &'m dyn Dialect) -> Printer<'m> {
        Printer { module, dialect, helpers: RefCell::new(Vec::new()) }
    }

    /// The whole text.
    pub(super) fn write(&self) -> Result<String, WriteError> {
        let mut body = String::new();
        self.body(&self.module.body, 1, &mut body)?;
        self.dialect.module(self, &body)
    }

    /// The functions that were asked for, in the order in which they were.
    pub(super) fn helpers(&self) -> String {
        self.helpers.borrow().iter().map(|helper| format!("{}\n", helper.text)).collect()
    }

    /// A call of a function that the module declares.
    pub(super) fn helper(&self, name: &str, text: impl FnOnce() -> String) {
        let known = self.helpers.borrow().iter().any(|helper| helper.name == name);
        if !known {
            let text = text();
            self.helpers.borrow_mut().push(Helper { name: name.into(), text });
        }
    }

    pub(super) fn ty(&self, ty: Type) -> String {
        self.dialect.ty(ty)
    }

    /// An expression on its own.
    pub(super) fn text(&self, expr: &Expr) -> Result<String, WriteError> {
        Ok(self.expr(expr)?.text)
    }

    /// Expressions on their own.
    pub(super) fn texts(&self, exprs: &[Expr]) -> Result<Vec<Text>, WriteError> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn expr(&self, expr: &Expr) -> Result<Text, WriteError> {
        let dialect = self.dialect;
        Ok(match &expr.kind {
            Kind::Literal(bits) => dialect.literal(self, expr.ty.scalar, *bits),
            Kind::Name(name) => Text::tight(&**name),
            Kind::Input(id) => dialect.input(self, *id),
            Kind::Output(id) => dialect.output(self, *id),
            Kind::Swizzle(inner, components) => {
                let inner = self.expr(inner)?.inside(Binding::Sign, false);
                Text::tight(format!("{inner}.{}", letters(components)))
            }
            Kind::Vector(parts) => {
                let mut texts = self.texts(parts)?;
                if let [part] = parts.as_slice()
                    && part.size() == 1
                    && let Some(text) = texts.pop()
                {
                    return Ok(dialect.splat(expr.ty, matches!(part.kind, Kind::Literal(_)), text));
                }
                let texts: Vec<String> = texts.into_iter().map(|text| text.text).collect();
                Text::tight(format!("{}({})", self.ty(expr.ty), texts.join(", ")))
            }
            Kind::Unary(op, inner) => {
                let text = self.expr(inner)?.inside(Binding::Sign, false);
                match op {
                    Unary::Not if inner.size() > 1 => {
                        match dialect.vector_operator(Binary::Ne, inner.ty, [&Text::tight(&text), &Text::tight("")]) {
                            Some(text) => text,
                            None => Text::bound(format!("!{text}"), Binding::Sign),
                        }
                    }
                    Unary::Minus => Text::bound(format!("-{text}"), Binding::Sign),
                    Unary::Not => Text::bound(format!("!{text}"), Binding::Sign),
                    Unary::Complement => Text::bound(format!("~{text}"), Binding::Sign),
                }
            }
            Kind::Binary(op, both) => self.binary(*op, expr.ty, both)?,
            Kind::Select(three) => {
                let [c, yes, no] = &**three;
                dialect.select(expr.ty, [self.expr(c)?, self.expr(yes)?, self.expr(no)?])
            }
            Kind::Cast(inner) => dialect.cast(inner.ty.scalar, expr.ty, self.text(inner)?),
            Kind::Convert(inner) => Text::tight(format!("{}({})", self.ty(expr.ty), self.text(inner)?)),
            Kind::Call(builtin, args) => {
                let texts = self.texts(args)?;
                dialect.builtin(self, *builtin, expr.ty, args, texts)?
            }
            Kind::Load(place) => dialect.load(self, place)?,
            Kind::Atomic(place, op, values) => dialect.atomic(self, place, *op, values, false)?,
            Kind::Texture(lookup) => dialect.lookup(self, lookup, expr.ty)?,
            Kind::InputAt(id, evaluation, args) => dialect.input_at(self, *id, *evaluation, &self.texts(args)?)?,
            Kind::BufferSize(id, element) => dialect.buffer_size(self, *id, element.as_deref())?,
            Kind::Counter(id, element, up) => dialect.counter(self, *id, element.as_deref(), *up, false)?,
        })
    }

    fn binary(&self, op: Binary, ty: Type, both: &[Expr; 2]) -> Result<Text, WriteError> {
        let [a, b] = [self.expr(&both[0])?, self.expr(&both[1])?];
        let operands = if both[0].size() >= both[1].size() { both[0].ty } else { both[1].ty };
        if operands.size > 1
            && let Some(text) = self.dialect.vector_operator(op, operands, [&a, &b])
        {
            return Ok(text);
        }
        let truth = ty.scalar == Scalar::Bool && operands.scalar == Scalar::Bool;
        let (symbol, binding) = match op {
            Binary::Add => ("+", Binding::Sum),
            Binary::Sub => ("-", Binding::Sum),
            Binary::Mul => ("*", Binding::Product),
            Binary::Div => ("/", Binding::Product),
            Binary::Rem => ("%", Binding::Product),
            Binary::And | Binary::Or if truth && operands.size == 1 => self.dialect.logical(op),
            Binary::And => ("&", Binding::Loose),
            Binary::Or => ("|", Binding::Loose),
            Binary::Xor if truth => ("!=", Binding::Comparison),
            Binary::Xor => ("^", Binding::Loose),
            Binary::Shl => ("<<", Binding::Shift),
            Binary::Shr => (">>", Binding::Shift),
            Binary::Eq => ("==", Binding::Comparison),
            Binary::Ne => ("!=", Binding::Comparison),
            Binary::Lt => ("<", Binding::Comparison),
            Binary::Le => ("<=", Binding::Comparison),
            Binary::Gt => (">", Binding::Comparison),
            Binary::Ge => (">=", Binding::Comparison),
        };
        Ok(Text::bound(format!("{} {symbol} {}", a.inside(binding, false), b.inside(binding, true)), binding))
    }

    pub(super) fn body(&self, body: &[Statement], indent: usize, out: &mut String) -> Result<(), WriteError> {
        body.iter().try_for_each(|statement| self.statement(statement, indent, out))
    }

    fn statement(&self, statement: &Statement, indent: usize, out: &mut String) -> Result<(), WriteError> {
        let dialect = self.dialect;
        let pad = "    ".repeat(indent);
        let mut line = |text: &str| _ = writeln!(out, "{pad}{text}");
        match statement {
            Statement::Let(name, value) => match dialect.binds_atomic(self, name, value)? {
                Some(lines) => lines.iter().for_each(|text| line(text)),
                None => line(&dialect.binds(name, value.ty, &self.text(value)?)),
            },
            Statement::Variable(name, ty, value) => {
                let value = value.as_ref().map(|value| self.text(value)).transpose()?;
                line(&dialect.variable(name, *ty, value.as_deref()));
            }
            Statement::Assign(target, value) => match &target.kind {
                Kind::Swizzle(whole, components) if components.len() > 1 && !dialect.sets_components() => {
                    let (whole, text) = (self.text(whole)?, self.text(value)?);
                    let held = format!("{}_{}", whole.rsplit('.').next().unwrap_or("v"), letters(components));
                    line("{");
                    line(&format!("    {}", dialect.binds(&held, value.ty, &text)));
                    for (from, to) in components.iter().enumerate() {
                        line(&format!("    {whole}.{} = {held}.{};", letters(&[*to]), letters(&[from as u8])));
                    }
                    line("}");
                }
                _ => line(&format!("{} = {};", self.text(target)?, self.text(value)?)),
            },
            Statement::Store(place, value) => line(&dialect.store(self, place, value)?),
            Statement::StoreTexel(store) => line(&dialect.texel_store(self, store)?),
            Statement::If(condition, then, otherwise) => {
                line(&format!("if ({}) {{", self.text(condition)?));
                self.body(then, indent + 1, out)?;
                self.otherwise(otherwise, indent, out)?;
            }
            Statement::Loop(body, once) => {
                let (before, after) = dialect.repeat(*once);
                line(before);
                self.body(body, indent + 1, out)?;
                for text in after.lines() {
                    let _ = writeln!(out, "{pad}{text}");
                }
            }
            Statement::Switch(selector, arms) => {
                line(&dialect.switch(&self.text(selector)?));
                let has_default = arms.iter().any(|arm| arm.is_default);
                for arm in arms.iter().filter(|arm| arm.is_default || !arm.selectors.is_empty()) {
                    self.arm(&arm.selectors, arm.is_default, &arm.body, indent + 1, out)?;
                }
                if !has_default {
                    self.arm(&[], true, &[], indent + 1, out)?;
                }
                let _ = writeln!(out, "{pad}}}");
            }
            Statement::Break => line("break;"),
            Statement::Continue => line("continue;"),
            Statement::Return => line(dialect.leave(self)),
            Statement::Discard(condition) => {
                let text = match &condition.kind {
                    Kind::Literal(0) => return Ok(()),
                    Kind::Literal(_) => None,
                    _ => Some(self.text(condition)?),
                };
                match text {
                    None => line(dialect.discard()),
                    Some(text) => line(&format!("if ({text}) {{ {} }}", dialect.discard())),
                }
            }
            Statement::Barrier(barrier) => dialect.barrier(*barrier)?.into_iter().for_each(line),
            Statement::Effect(expr) => {
                let text = match &expr.kind {
                    Kind::Atomic(place, op, values) => dialect.atomic(self, place, *op, values, true)?,
                    Kind::Counter(id, element, up) => dialect.counter(self, *id, element.as_deref(), *up, true)?,
                    _ => self.expr(expr)?,
                };
                line(&format!("{};", text.text));
            }
        }
        Ok(())
    }

    /// `} else {`, or `} else if` where that is all there is in it.
    fn otherwise(&self, otherwise: &[Statement], indent: usize, out: &mut String) -> Result<(), WriteError> {
        let pad = "    ".repeat(indent);
        match otherwise {
            [] => _ = writeln!(out, "{pad}}}"),
            [Statement::If(condition, then, rest)] => {
                let _ = writeln!(out, "{pad}}} else if ({}) {{", self.text(condition)?);
                self.body(then, indent + 1, out)?;
                self.otherwise(rest, indent, out)?;
            }
            _ => {
                let _ = writeln!(out, "{pad}}} else {{");
                self.body(otherwise, indent + 1, out)?;
                let _ = writeln!(out, "{pad}}}");
            }
        }
        Ok(())
    }

    fn arm(
        &self,
        selectors: &[u32],
        is_default: bool,
        body: &[Statement],
        indent: usize,
        out: &mut String,
    ) -> Result<(), WriteError> {
        let pad = "    ".repeat(indent);
        let (head, end) = self.dialect.arm(selectors, is_default);
        head.lines().for_each(|text| _ = writeln!(out, "{pad}{text}"));
        self.body(body, indent + 1, out)?;
        let left = matches!(body.last(), Some(Statement::Break | Statement::Continue | Statement::Return));
        if !end.is_empty() && !left {
            let _ = writeln!(out, "{pad}    {end}");
        }
        let _ = writeln!(out, "{pad}}}");
        Ok(())
    }

    /// An index: numbers without what tells their type.
    pub(super) fn index(&self, index: &Expr) -> Result<String, WriteError> {
        match index.kind {
            Kind::Literal(bits) => Ok(bits.to_string()),
            _ => self.text(index),
        }
    }

    /// A place's index of words, as `[...]` after the name of the memory.
    pub(super) fn place(&self, name: &str, place: &Place) -> Result<String, WriteError> {
        let mut text = name.to_string();
        match &place.at {
            At::Row(row) => {
                let _ = write!(text, "[{}]", self.index(row)?);
                if place.components != [0, 1, 2, 3] {
                    let _ = write!(text, ".{}", letters(&place.components));
                }
            }
            At::Bytes(bytes) => {
                let bytes = self.expr(bytes)?.inside(Binding::Shift, false);
                let (four, two, three) = self.module.language.shifts();
                let _ = write!(text, "[{bytes} >> {four}][({bytes} >> {two}) & {three}]");
            }
            At::Member(at, vector) => {
                let gpuproof_program::ResourceId(id) = match place.memory {
                    super::tree::Memory::Resource(id) => id,
                    _ => return Err(WriteError::Internal("only buffers have members".into())),
                };
                let member = &self.module.members.0[&gpuproof_program::ResourceId(id)][*at];
                text.clone_from(&member.ident);
                if let Some(vector) = vector {
                    let _ = write!(text, "[{}]", self.index(vector)?);
                }
                let all = place.components.len() == member.size as usize
                    && place.components.iter().enumerate().all(|(at, c)| usize::from(*c) == at);
                if !all && member.size > 1 {
                    let _ = write!(text, ".{}", letters(&place.components));
                }
            }
            At::Word(word) => _ = write!(text, "[{}]", self.index(word)?),
            At::Structure(index, word) => _ = write!(text, "[{}][{}]", self.index(index)?, self.index(word)?),
            At::Texel(..) => return Err(WriteError::Internal("a texel is no word".into())),
        }
        Ok(text)
    }
}

/// The high word of a product of two, in WGSL's and C's words.
pub(super) const MUL_HIGH: &str = "// The high word of a product.\nu32 mul_high(u32 a, u32 b) {\n    u32 low = (a & 0xffffu) * (b & 0xffffu);\n    u32 middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);\n    u32 other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);\n    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);\n}\n";

/// The letters of components.
pub(super) fn letters(components: &[u8]) -> String {
    components.iter().map(|component| ['x', 'y', 'z', 'w'][usize::from(component & 3)]).collect()
}
