//! A program as statements and expressions with types: what every language of text has, before one of them prints it.

use gpuproof_program::{
    ArrayId, AtomicOp, Barrier, Derivative, Evaluation, InputId, Kind as Number, OutputId, ResourceId, SamplerId, Sampling,
    SharedId, TextureShape, Width,
};
use std::rc::Rc;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// A truth value.
    Bool,
    /// An unsigned word.
    U32,
    /// A signed word.
    I32,
    /// A float of 32 bits.
    F32,
}

impl Scalar {
    /// The type of numbers of an interface or texture. What is not known is a float.
    pub fn of(kind: Number, width: Width) -> Scalar {
        match (width, kind) {
            (Width::W1, _) => Scalar::Bool,
            (_, Number::Float | Number::Unknown) => Scalar::F32,
            (_, Number::Sint) => Scalar::I32,
            (_, Number::Uint | Number::Bool) => Scalar::U32,
        }
    }
}

/// A number or a vector of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Its numbers.
    pub scalar: Scalar,
    /// How many, 1 to 4.
    pub size: u8,
}

impl Type {
    /// A vector of so many, or a number.
    pub fn new(scalar: Scalar, size: usize) -> Type {
        Type { scalar, size: size as u8 }
    }
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it gives.
    pub ty: Type,
    /// What it is.
    pub kind: Kind,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-x`, of floats the sign bit alone.
    Minus,
    /// `!x` of truth values.
    Not,
    /// `~x` of integers.
    Complement,
}

/// Operators of two operands, componentwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%` of integers.
    Rem,
    /// `&`, of truth values too.
    And,
    /// `|`, of truth values too.
    Or,
    /// `^`, of truth values `!=`.
    Xor,
    /// `<<`
    Shl,
    /// `>>`, which keeps the sign of signed numbers.
    Shr,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// Functions of numbers that languages have, or that are written out as helpers where one has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Builtin {
    Sqrt,
    Rsqrt,
    Exp2,
    Log2,
    Exp,
    Log,
    Sin,
    Cos,
    Asin,
    Acos,
    Atan,
    /// y, x.
    Atan2,
    Floor,
    Ceil,
    Trunc,
    /// To the nearest, ties to even.
    Round,
    Fract,
    Abs,
    Sign,
    /// x, n.
    Ldexp,
    /// a, b, c: rounded once.
    Fma,
    Dot,
    /// Of integers.
    Min,
    /// Of integers.
    Max,
    /// Of floats: NaN loses.
    MinNumber,
    /// Of floats: NaN loses.
    MaxNumber,
    /// Of floats, as WGSL writes it.
    MinLiteral,
    /// Of floats, as WGSL writes it.
    MaxLiteral,
    /// Into 0 to 1; NaN gives 0.
    Saturate,
    /// Float to signed integer: clamped, NaN gives 0.
    ClampToInt,
    /// Float to unsigned integer: clamped, NaN gives 0.
    ClampToUint,
    /// x, offset, width, which lie inside.
    ExtractBits,
    /// base, inserted, offset, width, which lie inside.
    InsertBits,
    ReverseBits,
    CountBits,
    FindLow,
    FindHigh,
    /// The number whose half is in the low bits of a word.
    HalfToFloat,
    /// The half, toward zero, in the low bits of a word.
    FloatToHalf,
    /// The high word of the product.
    MulHigh,
    Derivative(Axis, Derivative),
}

/// An axis of the quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along a row.
    X,
    /// Along a column.
    Y,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The bits of a number.
    Literal(u32),
    /// A variable of the function.
    Name(Rc<str>),
    /// An input of the lane.
    Input(InputId),
    /// A variable that holds an output until the end.
    Output(OutputId),
    /// Components of a vector, 0 to 3.
    Swizzle(Box<Expr>, Vec<u8>),
    /// A vector of parts, or of one number in each component.
    Vector(Vec<Expr>),
    /// An operator of one operand.
    Unary(Unary, Box<Expr>),
    /// An operator of two operands of one size, or of a vector and a number where both are floats.
    Binary(Binary, Box<[Expr; 2]>),
    /// `[condition, yes, no]`, chosen by component.
    Select(Box<[Expr; 3]>),
    /// The same bits as another type.
    Cast(Box<Expr>),
    /// The same number as another type. From truth values 1 and 0.
    Convert(Box<Expr>),
    /// A function of numbers.
    Call(Builtin, Vec<Expr>),
    /// A number, or several beside each other, in memory.
    Load(Box<Place>),
    /// A read-modify-write: it, the value, the comparand.
    Atomic(Box<Place>, AtomicOp, Vec<Expr>),
    /// A read of a texture.
    Texture(Box<Lookup>),
    /// An input elsewhere in the pixel.
    InputAt(InputId, Evaluation, Vec<Expr>),
    /// The bytes of a raw buffer, or the elements of another.
    BufferSize(ResourceId, Option<Box<Expr>>),
    /// A counter one up, its old value; or one down, its new value.
    Counter(ResourceId, Option<Box<Expr>>, bool),
}

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// A per-lane array.
    Array(ArrayId),
    /// Group-shared memory.
    Shared(SharedId),
    /// A buffer.
    Resource(ResourceId),
}

/// A place in memory. Its numbers have the memory's type.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which.
    pub memory: Memory,
    /// The element of a binding array.
    pub element: Option<Expr>,
    /// Where in it.
    pub at: At,
    /// Components beside each other that are meant, where it lies in a vector.
    pub components: Vec<u8>,
}

/// Where in a memory.
#[derive(Clone, Debug, PartialEq)]
pub enum At {
    /// A row of four words.
    Row(Expr),
    /// A member of a constant buffer by its number, and which of its vectors where it has several.
    Member(usize, Option<Expr>),
    /// A number at any byte offset of rows of four words.
    Bytes(Expr),
    /// A word by its index.
    Word(Expr),
    /// A structure's index, and the index of the word in it.
    Structure(Expr, Expr),
    /// The texel of a texture that atomics change: coordinates and layer.
    Texel(Expr, Option<Expr>),
}

/// What is asked of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Filtered texels.
    Sample(Sampling),
    /// One component of four texels.
    Gather(Sampling),
    /// A texel.
    Load,
    /// Its extent at a level, in texels.
    Size,
    /// Its layers.
    Layers,
    /// Its levels.
    Levels,
    /// Its samples.
    Samples,
    /// The level that sampling would use: clamped to the view, and not.
    Level,
}

/// A read of a texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Lookup {
    /// What is asked.
    pub question: Question,
    /// The texture.
    pub texture: ResourceId,
    /// Its element of a binding array.
    pub element: Option<Expr>,
    /// What the texture is.
    pub shape: TextureShape,
    /// The sampler, with its element of a binding array.
    pub sampler: Option<(SamplerId, Option<Expr>)>,
    /// Coordinates: floats of samples, integers of loads. A number stands for all of them.
    pub coordinates: Option<Expr>,
    /// The layer: a float of samples, an integer of loads.
    pub layer: Option<Expr>,
    /// Level, bias, or a load's level or sample.
    pub level: Option<Expr>,
    /// Derivatives along both axes.
    pub gradients: Option<[Expr; 2]>,
    /// The reference of a comparison.
    pub reference: Option<Expr>,
    /// The least level.
    pub clamp: Option<Expr>,
    /// Texel offsets.
    pub offset: Option<Expr>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A name for a value.
    Let(Rc<str>, Expr),
    /// A variable, with what it holds at first.
    Variable(Rc<str>, Type, Option<Expr>),
    /// Sets a variable, an output, or components of one.
    Assign(Expr, Expr),
    /// Stores numbers.
    Store(Place, Expr),
    /// Stores a texel: texture, its element, coordinates, layer, four numbers.
    StoreTexel(Box<TexelStore>),
    /// Runs one of two bodies.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// Runs a body until it breaks, or once.
    Loop(Vec<Statement>, bool),
    /// Runs the arm that a number enters. No arm falls through.
    Switch(Expr, Vec<Arm>),
    /// Leaves the innermost loop or switch.
    Break,
    /// Begins the next iteration of the innermost loop.
    Continue,
    /// Ends the lane.
    Return,
    /// Where the condition holds, the lane's results are dropped, and it goes on helping its quad.
    Discard(Expr),
    /// Waits for other threads, orders memory.
    Barrier(Barrier),
    /// An atomic for its effect.
    Effect(Expr),
}

/// A store of a texel.
#[derive(Clone, Debug, PartialEq)]
pub struct TexelStore {
    /// The texture.
    pub texture: ResourceId,
    /// Its element of a binding array.
    pub element: Option<Expr>,
    /// What it is.
    pub shape: TextureShape,
    /// Integers. A number stands for all of them.
    pub coordinates: Expr,
    /// The layer.
    pub layer: Option<Expr>,
    /// Four numbers.
    pub value: Expr,
}

/// One arm of a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The selectors that enter it.
    pub selectors: Vec<u32>,
    /// Whether all others enter it too.
    pub is_default: bool,
    /// What it does.
    pub body: Vec<Statement>,
}

impl Expr {
    /// An expression.
    pub fn new(scalar: Scalar, size: usize, kind: Kind) -> Expr {
        Expr { ty: Type::new(scalar, size), kind }
    }

    /// The bits of a number.
    pub fn literal(scalar: Scalar, bits: u32) -> Expr {
        Expr::new(scalar, 1, Kind::Literal(bits))
    }

    /// A variable.
    pub fn name(name: &Rc<str>, ty: Type) -> Expr {
        Expr { ty, kind: Kind::Name(name.clone()) }
    }

    /// How many numbers.
    pub fn size(&self) -> usize {
        usize::from(self.ty.size)
    }

    /// The same bits as another type.
    pub fn cast(self, scalar: Scalar) -> Expr {
        let own = self.ty.scalar;
        if own == scalar || own == Scalar::Bool || scalar == Scalar::Bool {
            return self;
        }
        match self.kind {
            Kind::Literal(bits) => Expr::literal(scalar, bits),
            // Twice is once.
            Kind::Cast(inner) => inner.cast(scalar),
            Kind::Vector(parts) if parts.iter().all(|part| matches!(part.kind, Kind::Literal(_))) => {
                let size = usize::from(self.ty.size);
                Expr::new(scalar, size, Kind::Vector(parts.into_iter().map(|part| part.cast(scalar)).collect()))
            }
            _ => Expr { ty: Type { scalar, ..self.ty }, kind: Kind::Cast(Box::new(self)) },
        }
    }

    /// A vector of this number, or the vector that it is.
    pub fn widened(self, size: usize) -> Expr {
        if self.size() == size || size == 1 {
            return self;
        }
        Expr::new(self.ty.scalar, size, Kind::Vector(vec![self]))
    }

    /// Components of it.
    pub fn components(self, components: &[u8]) -> Expr {
        let all = components.len() == self.size() && components.iter().enumerate().all(|(at, c)| usize::from(*c) == at);
        if all {
            return self;
        }
        let ty = Type::new(self.ty.scalar, components.len());
        match self.kind {
            Kind::Swizzle(inner, own) => {
                let composed: Option<Vec<u8>> = components.iter().map(|c| own.get(usize::from(*c)).copied()).collect();
                Expr { ty, kind: Kind::Swizzle(inner, composed.unwrap_or_default()) }
            }
            _ => Expr { ty, kind: Kind::Swizzle(Box::new(self), components.to_vec()) },
        }
    }

    /// A function of numbers.
    pub fn call(builtin: Builtin, scalar: Scalar, size: usize, args: Vec<Expr>) -> Expr {
        Expr::new(scalar, size, Kind::Call(builtin, args))
    }

    /// An operator of two operands.
    pub fn binary(op: Binary, scalar: Scalar, a: Expr, b: Expr) -> Expr {
        let size = a.size().max(b.size());
        Expr::new(scalar, size, Kind::Binary(op, Box::new([a, b])))
    }

    /// Calls with each expression in it, itself first.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        let mut all: Vec<&Expr> = Vec::new();
        match &self.kind {
            Kind::Literal(_) | Kind::Name(_) | Kind::Input(_) | Kind::Output(_) => {}
            Kind::Swizzle(inner, _) | Kind::Unary(_, inner) | Kind::Cast(inner) | Kind::Convert(inner) => all.push(inner),
            Kind::Vector(parts) | Kind::Call(_, parts) | Kind::InputAt(_, _, parts) => all.extend(parts),
            Kind::Binary(_, both) => all.extend(both.iter()),
            Kind::Select(three) => all.extend(three.iter()),
            Kind::Load(place) => all.extend(place.parts()),
            Kind::Atomic(place, _, values) => all.extend(place.parts().into_iter().chain(values)),
            Kind::Texture(lookup) => all.extend(lookup.parts()),
            Kind::BufferSize(_, element) | Kind::Counter(_, element, _) => all.extend(element.as_deref()),
        }
        all.into_iter().for_each(|inner| inner.each(visit));
    }

    /// Whether a variable is read in it.
    pub fn reads(&self, name: &str) -> bool {
        let mut found = false;
        self.each(&mut |inner| found |= matches!(&inner.kind, Kind::Name(own) if &**own == name));
        found
    }

    /// How many expressions it is made of.
    pub fn weight(&self) -> usize {
        let mut count = 0;
        self.each(&mut |_| count += 1);
        count
    }
}

impl Place {
    /// The expressions that it is found by.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut all: Vec<&Expr> = self.element.iter().collect();
        match &self.at {
            At::Row(at) | At::Bytes(at) | At::Word(at) => all.push(at),
            At::Member(_, row) => all.extend(row),
            At::Structure(index, word) => all.extend([index, word]),
            At::Texel(at, layer) => all.extend(std::iter::once(at).chain(layer)),
        }
        all
    }
}

impl Lookup {
    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        let sampler = self.sampler.iter().filter_map(|(_, element)| element.as_ref());
        let one = [&self.coordinates, &self.layer, &self.level, &self.reference, &self.clamp, &self.offset];
        let gradients = self.gradients.iter().flatten();
        self.element.iter().chain(sampler).chain(one.into_iter().flatten()).chain(gradients).collect()
    }
}
