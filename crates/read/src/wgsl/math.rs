//! WGSL's operators and builtin functions as primitive operations.
//!
//! What the specification calls *inherited from* an expression (section 15.7.4) is exactly that expression, in the order that it is
//! written there. Operands are flat: a vector is its components, a matrix its columns one after another.

use super::arith::{Arith, convert};
use super::error::{Trouble, fault, unsupported};
use gpuproof_program::{Kind, Op, Width};
use naga::{BinaryOperator, MathFunction, RelationalFunction, UnaryOperator};

/// A flat operand.
pub(super) type Flat<V> = Vec<V>;

type Result<T> = std::result::Result<T, Trouble>;

/// How a flat operand is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// How its numbers are read.
    pub(super) kind: Kind,
    /// Columns of a matrix, else 1.
    pub(super) columns: usize,
    /// Components of a vector or of a matrix's column, else 1.
    pub(super) rows: usize,
}

impl Shape {
    pub(super) fn is_matrix(self) -> bool {
        self.columns > 1
    }
}

/// The component `i` of an operand; a scalar stands for each component.
fn at<V: Copy>(operand: &[V], i: usize) -> Result<V> {
    match operand {
        [one] => Ok(*one),
        _ => operand.get(i).copied().map_or_else(|| fault("an operand has too few components"), Ok),
    }
}

/// Applies `f` to each component.
fn each<A: Arith>(a: &mut A, args: &[Flat<A::V>], mut f: impl FnMut(&mut A, &[A::V]) -> Result<A::V>) -> Result<Flat<A::V>> {
    let count = args.iter().map(Vec::len).max().unwrap_or(0);
    (0..count)
        .map(|i| {
            a.component(i);
            let parts = args.iter().map(|arg| at(arg, i)).collect::<Result<Vec<_>>>()?;
            f(a, &parts)
        })
        .collect()
}

fn apply<A: Arith>(a: &mut A, op: Op, args: &[Flat<A::V>]) -> Result<Flat<A::V>> {
    each(a, args, |a, parts| a.op(op, parts))
}

/// The scalar product, serially from the first component (17.5.6); of floats one operation.
pub(super) fn dot<A: Arith>(a: &mut A, kind: Kind, x: &[A::V], y: &[A::V]) -> Result<A::V> {
    if x.len() != y.len() || x.is_empty() {
        return fault("a scalar product of vectors that differ in size");
    }
    let op = match (kind, x.len()) {
        (Kind::Float, 1) => Some(Op::FMul),
        (Kind::Float, 2) => Some(Op::FDot2),
        (Kind::Float, 3) => Some(Op::FDot3),
        (Kind::Float, 4) => Some(Op::FDot4),
        _ => None,
    };
    if let Some(op) = op {
        return a.op(op, &[x, y].concat());
    }
    let mut sum = a.op(Op::IMul, &[x[0], y[0]])?;
    for (x, y) in x.iter().zip(y).skip(1) {
        let product = a.op(Op::IMul, &[*x, *y])?;
        sum = a.op(Op::IAdd, &[sum, product])?;
    }
    Ok(sum)
}

/// sqrt(dot(e, e)); of a scalar its absolute value (17.5.23).
fn length<A: Arith>(a: &mut A, e: &[A::V]) -> Result<A::V> {
    if let [e] = e {
        return a.op(Op::FAbs, &[*e]);
    }
    let square = dot(a, Kind::Float, e, e)?;
    a.op(Op::FSqrt, &[square])
}

/// A unary operator (8.6, 8.7, 8.9).
pub(super) fn unary<A: Arith>(a: &mut A, op: UnaryOperator, kind: Kind, e: &[A::V]) -> Result<Flat<A::V>> {
    each(a, &[e.to_vec()], |a, e| match (op, kind) {
        (UnaryOperator::Negate, Kind::Float) => a.op(Op::FNeg, e),
        (UnaryOperator::Negate, _) => {
            let zero = a.constant(a.width(e[0]), 0);
            a.op(Op::ISub, &[zero, e[0]])
        }
        (UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot, _) => a.op(Op::INot, e),
    })
}

/// A binary operator (8.6 to 8.9), the products of linear algebra included.
pub(super) fn binary<A: Arith>(
    a: &mut A,
    op: BinaryOperator,
    (left, x): (Shape, &[A::V]),
    (right, y): (Shape, &[A::V]),
) -> Result<Flat<A::V>> {
    use BinaryOperator as B;
    let kind = left.kind;
    if op == B::Multiply && (left.is_matrix() || right.is_matrix()) && left.rows * right.rows > 1 && x.len() > 1 && y.len() > 1 {
        return product(a, (left, x), (right, y));
    }
    let pair = [x.to_vec(), y.to_vec()];
    if let (Kind::Float, B::Modulo) = (kind, op) {
        // x - y * trunc(x / y)
        return each(a, &pair, |a, p| {
            let quotient = a.op(Op::FDiv, p)?;
            let whole = a.op(Op::FTrunc, &[quotient])?;
            let product = a.op(Op::FMul, &[p[1], whole])?;
            a.op(Op::FSub, &[p[0], product])
        });
    }
    if let B::ShiftLeft | B::ShiftRight = op {
        return each(a, &pair, |a, p| {
            let count = convert(a, p[1], Kind::Uint, Kind::Uint, Width::W32)?;
            let shift = match (op, kind) {
                (B::ShiftLeft, _) => Op::IShl,
                (_, Kind::Sint) => Op::SShr,
                _ => Op::UShr,
            };
            a.op(shift, &[p[0], count])
        });
    }
    let (op, swap) = match (op, kind) {
        (B::Add, Kind::Float) => (Op::FAdd, false),
        (B::Add, _) => (Op::IAdd, false),
        (B::Subtract, Kind::Float) => (Op::FSub, false),
        (B::Subtract, _) => (Op::ISub, false),
        (B::Multiply, Kind::Float) => (Op::FMul, false),
        (B::Multiply, _) => (Op::IMul, false),
        (B::Divide, Kind::Float) => (Op::FDiv, false),
        (B::Divide, Kind::Sint) => (Op::SDiv, false),
        (B::Divide, _) => (Op::UDiv, false),
        (B::Modulo, Kind::Sint) => (Op::SRem, false),
        (B::Modulo, _) => (Op::URem, false),
        (B::Equal, Kind::Float) => (Op::FEq, false),
        (B::Equal, _) => (Op::IEq, false),
        (B::NotEqual, Kind::Float) => (Op::FNe, false),
        (B::NotEqual, _) => (Op::INe, false),
        (B::Less | B::Greater, Kind::Float) => (Op::FLt, op == B::Greater),
        (B::Less | B::Greater, Kind::Sint) => (Op::SLt, op == B::Greater),
        (B::Less | B::Greater, _) => (Op::ULt, op == B::Greater),
        (B::LessEqual | B::GreaterEqual, Kind::Float) => (Op::FLe, op == B::GreaterEqual),
        (B::LessEqual | B::GreaterEqual, Kind::Sint) => (Op::SLe, op == B::GreaterEqual),
        (B::LessEqual | B::GreaterEqual, _) => (Op::ULe, op == B::GreaterEqual),
        (B::And | B::LogicalAnd, _) => (Op::IAnd, false),
        (B::InclusiveOr | B::LogicalOr, _) => (Op::IOr, false),
        (B::ExclusiveOr, _) => (Op::IXor, false),
        (B::ShiftLeft | B::ShiftRight, _) => return fault("a shift is no plain operator"),
    };
    let [x, y] = pair;
    if swap { apply(a, op, &[y, x]) } else { apply(a, op, &[x, y]) }
}

/// Matrix times vector, vector times matrix, matrix times matrix: each number is a scalar product of a row and a column.
fn product<A: Arith>(a: &mut A, (left, x): (Shape, &[A::V]), (right, y): (Shape, &[A::V])) -> Result<Flat<A::V>> {
    // A vector on the left is a row, one on the right a column.
    let (rows, inner) = if left.is_matrix() { (left.rows, left.columns) } else { (1, left.rows) };
    let columns = if right.is_matrix() { right.columns } else { 1 };
    let mut result = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            a.component(if columns > 1 && rows == 1 { column } else { row });
            let of_left =
                (0..inner).map(|k| x.get(if left.is_matrix() { k * rows + row } else { k }).copied()).collect::<Option<Vec<_>>>();
            let of_right = (0..inner).map(|k| y.get(column * inner + k).copied()).collect::<Option<Vec<_>>>();
            let (Some(of_left), Some(of_right)) = (of_left, of_right) else {
                return fault("a product of matrices that do not fit");
            };
            result.push(dot(a, Kind::Float, &of_left, &of_right)?);
        }
    }
    Ok(result)
}

/// `select(reject, accept, condition)` (17.3.3).
pub(super) fn select<A: Arith>(a: &mut A, condition: &[A::V], accept: &[A::V], reject: &[A::V]) -> Result<Flat<A::V>> {
    apply(a, Op::Select, &[condition.to_vec(), accept.to_vec(), reject.to_vec()])
}

/// `all`, `any`, and naga's tests for NaN and infinity.
pub(super) fn relational<A: Arith>(a: &mut A, fun: RelationalFunction, e: &[A::V]) -> Result<Flat<A::V>> {
    let op = match fun {
        RelationalFunction::All => Op::IAnd,
        RelationalFunction::Any => Op::IOr,
        RelationalFunction::IsNan => return each(a, &[e.to_vec()], |a, e| a.op(Op::FNe, &[e[0], e[0]])),
        RelationalFunction::IsInf => {
            return each(a, &[e.to_vec()], |a, e| {
                let infinity = a.float(a.width(e[0]), f64::INFINITY);
                let magnitude = a.op(Op::FAbs, e)?;
                a.op(Op::FEq, &[magnitude, infinity])
            });
        }
    };
    let Some((first, rest)) = e.split_first() else { return fault("a test of nothing") };
    let mut result = *first;
    for next in rest {
        result = a.op(op, &[result, *next])?;
    }
    Ok(vec![result])
}

/// clamp(e, low, high) as min(max(e, low), high) (17.5.12).
fn clamp<A: Arith>(a: &mut A, kind: Kind, e: A::V, low: A::V, high: A::V) -> Result<A::V> {
    let (min, max) = min_max(kind);
    let raised = a.op(max, &[e, low])?;
    a.op(min, &[raised, high])
}

fn min_max(kind: Kind) -> (Op, Op) {
    match kind {
        Kind::Float => (Op::FMin, Op::FMax),
        Kind::Sint => (Op::SMin, Op::SMax),
        _ => (Op::UMin, Op::UMax),
    }
}

/// The primitive operation of a function that is one, for operands of this kind.
fn primitive(fun: MathFunction, kind: Kind) -> Option<Op> {
    use MathFunction as M;
    let (min, max) = min_max(kind);
    Some(match fun {
        M::Min => min,
        M::Max => max,
        M::Abs if kind == Kind::Float => Op::FAbs,
        M::Cos => Op::FCos,
        M::Sin => Op::FSin,
        M::Acos => Op::FAcos,
        M::Asin => Op::FAsin,
        M::Atan => Op::FAtan,
        M::Atan2 => Op::FAtan2,
        M::Ceil => Op::FCeil,
        M::Floor => Op::FFloor,
        M::Round => Op::FRound,
        M::Trunc => Op::FTrunc,
        M::Fract => Op::FFract,
        M::Exp => Op::FExp,
        M::Exp2 => Op::FExp2,
        M::Log => Op::FLog,
        M::Log2 => Op::FLog2,
        M::Sqrt => Op::FSqrt,
        M::InverseSqrt => Op::FRsqrt,
        M::Fma => Op::FMad,
        M::Ldexp => Op::FLdexp,
        M::CountOneBits => Op::ICount,
        M::ReverseBits => Op::IReverse,
        M::FirstTrailingBit => Op::IFindLow,
        M::FirstLeadingBit if kind == Kind::Sint => Op::SFindHigh,
        M::FirstLeadingBit => Op::UFindHigh,
        M::ExtractBits if kind == Kind::Sint => Op::SExtract,
        M::ExtractBits => Op::UExtract,
        M::InsertBits => Op::IInsert,
        M::Dot4I8Packed => Op::SDot4x8,
        M::Dot4U8Packed => Op::UDot4x8,
        _ => return None,
    })
}

/// A builtin function (17.5 to 17.7). The shape is that of the first operand. The results of `modf` and `frexp` are the members of their
/// structures, one after another.
pub(super) fn math<A: Arith>(a: &mut A, fun: MathFunction, shape: Shape, args: &[Flat<A::V>]) -> Result<Flat<A::V>> {
    use MathFunction as M;
    if let Some(op) = primitive(fun, shape.kind) {
        return apply(a, op, args);
    }
    let Some(first) = args.first() else { return fault("a builtin function without operands") };
    let arg = |i: usize| args.get(i).map_or_else(|| fault(format!("{fun:?} has too few operands")), Ok);
    let width = first.first().map_or(Width::W32, |v| a.width(*v));
    match fun {
        M::Dot => Ok(vec![dot(a, shape.kind, first, arg(1)?)?]),
        M::Length => Ok(vec![length(a, first)?]),
        M::Distance => {
            let difference = apply(a, Op::FSub, args)?;
            Ok(vec![length(a, &difference)?])
        }
        M::Normalize => {
            let length = length(a, first)?;
            apply(a, Op::FDiv, &[first.clone(), vec![length]])
        }
        M::Cross => cross(a, first, arg(1)?),
        M::FaceForward => {
            let product = dot(a, Kind::Float, arg(1)?, arg(2)?)?;
            let zero = a.float(width, 0.0);
            let faces = a.op(Op::FLt, &[product, zero])?;
            let negated = apply(a, Op::FNeg, std::slice::from_ref(first))?;
            select(a, &[faces], first, &negated)
        }
        M::Reflect => {
            // x - 2.0 * dot(x, y) * y
            let y = arg(1)?;
            let product = dot(a, Kind::Float, first, y)?;
            let two = a.float(width, 2.0);
            let twice = a.op(Op::FMul, &[two, product])?;
            let scaled = apply(a, Op::FMul, &[vec![twice], y.clone()])?;
            apply(a, Op::FSub, &[first.clone(), scaled])
        }
        M::Refract => refract(a, width, first, arg(1)?, arg(2)?),
        M::Outer => {
            let second = arg(1)?;
            second
                .iter()
                .flat_map(|y| first.iter().map(move |x| (*x, *y)))
                .map(|(x, y)| a.op(Op::FMul, &[x, y]))
                .collect::<Result<Vec<_>>>()
        }
        M::Transpose => {
            let (columns, rows) = (shape.columns, shape.rows);
            (0..rows)
                .flat_map(|row| (0..columns).map(move |column| column * rows + row))
                .map(|i| first.get(i).copied().map_or_else(|| fault("a matrix has too few numbers"), Ok))
                .collect()
        }
        M::Determinant => {
            let columns: Vec<Flat<A::V>> = first.chunks(shape.rows).map(<[A::V]>::to_vec).collect();
            Ok(vec![determinant(a, &columns)?])
        }
        M::Inverse => unsupported("inverse, which WGSL does not have"),
        M::Modf => {
            let whole = apply(a, Op::FTrunc, args)?;
            let fraction = apply(a, Op::FSub, &[first.clone(), whole.clone()])?;
            Ok([fraction, whole].concat())
        }
        M::Frexp => {
            let parts = first.iter().map(|v| a.frexp(*v)).collect::<Result<Vec<_>>>()?;
            Ok(parts.iter().map(|p| p[0]).chain(parts.iter().map(|p| p[1])).collect())
        }
        M::Pack4x8snorm
        | M::Pack4x8unorm
        | M::Pack2x16snorm
        | M::Pack2x16unorm
        | M::Pack2x16float
        | M::Pack4xI8
        | M::Pack4xU8
        | M::Pack4xI8Clamp
        | M::Pack4xU8Clamp => pack(a, fun, first),
        M::Unpack4x8snorm
        | M::Unpack4x8unorm
        | M::Unpack2x16snorm
        | M::Unpack2x16unorm
        | M::Unpack2x16float
        | M::Unpack4xI8
        | M::Unpack4xU8 => unpack(a, fun, at(first, 0)?),
        _ => each(a, args, |a, e| componentwise(a, fun, shape.kind, width, e)),
    }
}

/// The functions that are an expression of each component.
fn componentwise<A: Arith>(a: &mut A, fun: MathFunction, kind: Kind, width: Width, e: &[A::V]) -> Result<A::V> {
    use MathFunction as M;
    let arg = |i: usize| e.get(i).copied().map_or_else(|| fault(format!("{fun:?} has too few operands")), Ok);
    let x = arg(0)?;
    match fun {
        M::Abs if kind == Kind::Sint => {
            let zero = a.constant(width, 0);
            let negated = a.op(Op::ISub, &[zero, x])?;
            a.op(Op::SMax, &[x, negated])
        }
        M::Abs => Ok(x),
        M::Clamp => clamp(a, kind, x, arg(1)?, arg(2)?),
        M::Saturate => {
            let (zero, one) = (a.float(width, 0.0), a.float(width, 1.0));
            clamp(a, kind, x, zero, one)
        }
        M::Tan => {
            let (sine, cosine) = (a.op(Op::FSin, &[x])?, a.op(Op::FCos, &[x])?);
            a.op(Op::FDiv, &[sine, cosine])
        }
        M::Sinh => hyperbolic(a, Op::FSub, width, x),
        M::Cosh => hyperbolic(a, Op::FAdd, width, x),
        M::Tanh => {
            let (sine, cosine) = (hyperbolic(a, Op::FSub, width, x)?, hyperbolic(a, Op::FAdd, width, x)?);
            a.op(Op::FDiv, &[sine, cosine])
        }
        M::Asinh | M::Acosh => {
            // log(x + sqrt(x * x + 1.0)) and log(x + sqrt(x * x - 1.0))
            let one = a.float(width, 1.0);
            let square = a.op(Op::FMul, &[x, x])?;
            let inside = a.op(if fun == M::Asinh { Op::FAdd } else { Op::FSub }, &[square, one])?;
            let root = a.op(Op::FSqrt, &[inside])?;
            let sum = a.op(Op::FAdd, &[x, root])?;
            a.op(Op::FLog, &[sum])
        }
        M::Atanh => {
            // log((1.0 + x) / (1.0 - x)) * 0.5
            let (one, half) = (a.float(width, 1.0), a.float(width, 0.5));
            let (above, below) = (a.op(Op::FAdd, &[one, x])?, a.op(Op::FSub, &[one, x])?);
            let quotient = a.op(Op::FDiv, &[above, below])?;
            let logarithm = a.op(Op::FLog, &[quotient])?;
            a.op(Op::FMul, &[logarithm, half])
        }
        M::Radians | M::Degrees => {
            let (to_radians, to_degrees) = (std::f64::consts::PI / 180.0, 180.0 / std::f64::consts::PI);
            let factor = a.float(width, if fun == M::Radians { to_radians } else { to_degrees });
            a.op(Op::FMul, &[x, factor])
        }
        M::Pow => {
            // exp2(y * log2(x))
            let logarithm = a.op(Op::FLog2, &[x])?;
            let product = a.op(Op::FMul, &[arg(1)?, logarithm])?;
            a.op(Op::FExp2, &[product])
        }
        M::Sign => sign(a, kind, width, x),
        M::Mix => {
            // x * (1.0 - z) + y * z
            let (y, z, one) = (arg(1)?, arg(2)?, a.float(width, 1.0));
            let rest = a.op(Op::FSub, &[one, z])?;
            let (of_x, of_y) = (a.op(Op::FMul, &[x, rest])?, a.op(Op::FMul, &[y, z])?);
            a.op(Op::FAdd, &[of_x, of_y])
        }
        M::Step => {
            let (zero, one) = (a.float(width, 0.0), a.float(width, 1.0));
            let reached = a.op(Op::FLe, &[x, arg(1)?])?;
            a.op(Op::Select, &[reached, one, zero])
        }
        M::SmoothStep => {
            // t * t * (3.0 - 2.0 * t) with t = clamp((x - low) / (high - low), 0.0, 1.0)
            let (low, high, x) = (x, arg(1)?, arg(2)?);
            let [zero, one, two, three] = [0.0, 1.0, 2.0, 3.0].map(|value| a.float(width, value));
            let (above, range) = (a.op(Op::FSub, &[x, low])?, a.op(Op::FSub, &[high, low])?);
            let quotient = a.op(Op::FDiv, &[above, range])?;
            let t = clamp(a, Kind::Float, quotient, zero, one)?;
            let square = a.op(Op::FMul, &[t, t])?;
            let twice = a.op(Op::FMul, &[two, t])?;
            let rest = a.op(Op::FSub, &[three, twice])?;
            a.op(Op::FMul, &[square, rest])
        }
        M::QuantizeToF16 => {
            let half = a.convert(Op::FConvert, x, Width::W16)?;
            a.convert(Op::FConvert, half, width)
        }
        M::CountLeadingZeros => {
            // The highest bit's position is -1 where there is none.
            let high = a.op(Op::UFindHigh, &[x])?;
            let last = a.constant(width, u64::from(width.bits()) - 1);
            a.op(Op::ISub, &[last, high])
        }
        M::CountTrailingZeros => {
            let low = a.op(Op::IFindLow, &[x])?;
            let bits = a.constant(width, u64::from(width.bits()));
            a.op(Op::UMin, &[low, bits])
        }
        _ => unsupported(format!("the builtin function {fun:?}")),
    }
}

/// (exp(x) - exp(-x)) * 0.5, or the sum.
fn hyperbolic<A: Arith>(a: &mut A, op: Op, width: Width, x: A::V) -> Result<A::V> {
    let half = a.float(width, 0.5);
    let negated = a.op(Op::FNeg, &[x])?;
    let (up, down) = (a.op(Op::FExp, &[x])?, a.op(Op::FExp, &[negated])?);
    let both = a.op(op, &[up, down])?;
    a.op(Op::FMul, &[both, half])
}

/// 1, 0 or -1 by comparison with zero.
fn sign<A: Arith>(a: &mut A, kind: Kind, width: Width, x: A::V) -> Result<A::V> {
    let ([zero, one, minus_one], less) = match kind {
        Kind::Float => ([0.0, 1.0, -1.0].map(|value| a.float(width, value)), Op::FLt),
        _ => ([0, 1, u64::MAX].map(|bits| a.constant(width, bits & width.mask())), Op::SLt),
    };
    let (above, below) = (a.op(less, &[zero, x])?, a.op(less, &[x, zero])?);
    let rest = a.op(Op::Select, &[below, minus_one, zero])?;
    a.op(Op::Select, &[above, one, rest])
}

/// Each component is x\[i\] * y\[j\] - x\[j\] * y\[i\].
fn cross<A: Arith>(a: &mut A, x: &[A::V], y: &[A::V]) -> Result<Flat<A::V>> {
    let ([x0, x1, x2], [y0, y1, y2]) = (x, y) else {
        return fault("a cross product of vectors that do not have three components");
    };
    [(x1, y2, x2, y1), (x2, y0, x0, y2), (x0, y1, x1, y0)]
        .into_iter()
        .enumerate()
        .map(|(i, (p, q, r, s))| {
            a.component(i);
            let (first, second) = (a.op(Op::FMul, &[*p, *q])?, a.op(Op::FMul, &[*r, *s])?);
            a.op(Op::FSub, &[first, second])
        })
        .collect()
}

/// z * x - (z * dot(y, x) + sqrt(k)) * y with k = 1.0 - z * z * (1.0 - dot(y, x) * dot(y, x)); 0.0 where k < 0.0.
fn refract<A: Arith>(a: &mut A, width: Width, x: &[A::V], y: &[A::V], z: &[A::V]) -> Result<Flat<A::V>> {
    let z = at(z, 0)?;
    let (zero, one) = (a.float(width, 0.0), a.float(width, 1.0));
    let product = dot(a, Kind::Float, y, x)?;
    let square = a.op(Op::FMul, &[product, product])?;
    let rest = a.op(Op::FSub, &[one, square])?;
    let z_square = a.op(Op::FMul, &[z, z])?;
    let scaled = a.op(Op::FMul, &[z_square, rest])?;
    let k = a.op(Op::FSub, &[one, scaled])?;
    let total = a.op(Op::FLt, &[k, zero])?;
    let root = a.op(Op::FSqrt, &[k])?;
    let along = a.op(Op::FMul, &[z, product])?;
    let factor = a.op(Op::FAdd, &[along, root])?;
    each(a, &[x.to_vec(), y.to_vec()], |a, p| {
        let of_x = a.op(Op::FMul, &[z, p[0]])?;
        let of_y = a.op(Op::FMul, &[factor, p[1]])?;
        let bent = a.op(Op::FSub, &[of_x, of_y])?;
        a.op(Op::Select, &[total, zero, bent])
    })
}

/// By the first column: its numbers times the determinants of what is left, signs alternating, summed serially.
fn determinant<A: Arith>(a: &mut A, columns: &[Flat<A::V>]) -> Result<A::V> {
    let Some((first, rest)) = columns.split_first() else { return fault("a matrix without columns") };
    if rest.is_empty() {
        return at(first, 0);
    }
    let mut sum = None;
    for (row, number) in first.iter().enumerate() {
        let minor: Vec<Flat<A::V>> =
            rest.iter().map(|column| column.iter().enumerate().filter(|(i, _)| *i != row).map(|(_, v)| *v).collect()).collect();
        let minor = determinant(a, &minor)?;
        let term = a.op(Op::FMul, &[*number, minor])?;
        sum = Some(match sum {
            None => term,
            Some(sum) => a.op(if row % 2 == 0 { Op::FAdd } else { Op::FSub }, &[sum, term])?,
        });
    }
    sum.map_or_else(|| fault("a matrix without rows"), Ok)
}

/// Puts the low `bits` of each word next to each other.
fn join<A: Arith>(a: &mut A, bits: u32, parts: &[A::V]) -> Result<A::V> {
    let mask = a.word((1 << bits) - 1);
    let mut joined = None;
    for (i, part) in parts.iter().enumerate() {
        a.component(i);
        let low = a.op(Op::IAnd, &[*part, mask])?;
        joined = Some(match joined {
            None => low,
            Some(joined) => {
                let count = a.word(bits * i as u32);
                let moved = a.op(Op::IShl, &[low, count])?;
                a.op(Op::IOr, &[joined, moved])?
            }
        });
    }
    joined.map_or_else(|| fault("a pack of nothing"), Ok)
}

/// The packing functions (17.9). Normalised: floor(0.5 + scale * min(1, max(low, e))).
fn pack<A: Arith>(a: &mut A, fun: MathFunction, e: &[A::V]) -> Result<Flat<A::V>> {
    use MathFunction as M;
    let bits = if matches!(fun, M::Pack2x16snorm | M::Pack2x16unorm | M::Pack2x16float) { 16 } else { 8 };
    let parts = each(a, &[e.to_vec()], |a, e| {
        let e = e[0];
        match fun {
            M::Pack2x16float => {
                let half = a.convert(Op::FConvert, e, Width::W16)?;
                a.convert(Op::UExtend, half, Width::W32)
            }
            M::Pack4xI8 | M::Pack4xU8 => Ok(e),
            M::Pack4xI8Clamp => {
                let (low, high) = (a.word(-128i32 as u32), a.word(127));
                clamp(a, Kind::Sint, e, low, high)
            }
            M::Pack4xU8Clamp => {
                let high = a.word(255);
                a.op(Op::UMin, &[e, high])
            }
            _ => {
                let signed = matches!(fun, M::Pack4x8snorm | M::Pack2x16snorm);
                let scale = f64::from((1u32 << (bits - u32::from(signed))) - 1);
                let [low, one, half, scale] =
                    [if signed { -1.0 } else { 0.0 }, 1.0, 0.5, scale].map(|value| a.float(Width::W32, value));
                let raised = a.op(Op::FMax, &[low, e])?;
                let held = a.op(Op::FMin, &[one, raised])?;
                let scaled = a.op(Op::FMul, &[scale, held])?;
                let moved = a.op(Op::FAdd, &[half, scaled])?;
                let whole = a.op(Op::FFloor, &[moved])?;
                a.convert(if signed { Op::FToS } else { Op::FToU }, whole, Width::W32)
            }
        }
    })?;
    Ok(vec![join(a, bits, &parts)?])
}

/// The unpacking functions (17.10). Normalised: v / scale, signed ones at least -1.
fn unpack<A: Arith>(a: &mut A, fun: MathFunction, word: A::V) -> Result<Flat<A::V>> {
    use MathFunction as M;
    let bits = if matches!(fun, M::Unpack2x16snorm | M::Unpack2x16unorm | M::Unpack2x16float) { 16 } else { 8 };
    let signed = matches!(fun, M::Unpack4x8snorm | M::Unpack2x16snorm | M::Unpack4xI8);
    (0..32 / bits)
        .map(|i| {
            a.component(i as usize);
            let (offset, size) = (a.word(i * bits), a.word(bits));
            let field = a.op(if signed { Op::SExtract } else { Op::UExtract }, &[word, offset, size])?;
            match fun {
                M::Unpack4xI8 | M::Unpack4xU8 => Ok(field),
                M::Unpack2x16float => {
                    let half = a.convert(Op::ITruncate, field, Width::W16)?;
                    a.convert(Op::FConvert, half, Width::W32)
                }
                _ => {
                    let value = a.convert(if signed { Op::SToF } else { Op::UToF }, field, Width::W32)?;
                    let scale = a.float(Width::W32, f64::from((1u32 << (bits - u32::from(signed))) - 1));
                    let quotient = a.op(Op::FDiv, &[value, scale])?;
                    if !signed {
                        return Ok(quotient);
                    }
                    let least = a.float(Width::W32, -1.0);
                    a.op(Op::FMax, &[quotient, least])
                }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
