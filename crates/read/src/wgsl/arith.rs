//! Arithmetic in WGSL's rules, over whatever stands for a number.
//!
//! The expansions of [`math`](super::math) are written once over [`Arith`]. A function under construction is one implementation; the
//! evaluator of constant expressions is the other.

use super::error::Trouble;
use gpuproof_program::{
    Attrs, Bounds, Choice, Denormals, Division, Field, FunctionBuilder, Kind, Op, Order, Range, Rounding, Rules, Value, Width,
};

/// WGSL's choices of an operation: denormals are kept, minimum and maximum are read literally, division by zero gives the dividend,
/// conversions clamp to what the float format holds, fields clamp, and accesses out of range fall somewhere in the same memory.
pub(super) fn rules(op: Op) -> Rules {
    let mut rules = Rules::default();
    for choice in op.choices() {
        match choice {
            Choice::Denormals => rules.denormals = Denormals::Keep,
            Choice::Order => rules.order = Order::Literal,
            Choice::Rounding => rules.rounding = Rounding::NearestEven,
            Choice::Division => rules.division = Division::Identity,
            Choice::Range => rules.range = Range::ClampToFloat,
            Choice::Field => rules.field = Field::Clamp,
            // A `textureStore` out of range is not executed.
            Choice::Bounds if op == Op::TexelStore => rules.bounds = Bounds::Defined,
            Choice::Bounds => rules.bounds = Bounds::Clamped,
            Choice::Refactor => {}
        }
    }
    rules
}

/// Attributes of an operation under WGSL's rules.
pub(super) fn attrs(op: Op) -> Attrs {
    Attrs::rules(rules(op))
}

/// Something that computes with numbers.
pub(super) trait Arith {
    /// A number: bits of some width.
    type V: Copy;
    /// An operation with one result, whose width the operands decide.
    fn op(&mut self, op: Op, args: &[Self::V]) -> Result<Self::V, Trouble>;
    /// A conversion to this width.
    fn convert(&mut self, op: Op, arg: Self::V, width: Width) -> Result<Self::V, Trouble>;
    /// Fraction and exponent.
    fn frexp(&mut self, arg: Self::V) -> Result<[Self::V; 2], Trouble>;
    /// A constant.
    fn constant(&mut self, width: Width, bits: u64) -> Self::V;
    /// The width of a number.
    fn width(&self, v: Self::V) -> Width;
    /// The operations that follow make this component of the result.
    fn component(&mut self, component: usize);

    /// A float constant, rounded to the width.
    fn float(&mut self, width: Width, value: f64) -> Self::V {
        self.constant(width, float_bits(width, value))
    }

    /// A word.
    fn word(&mut self, bits: u32) -> Self::V {
        self.constant(Width::W32, u64::from(bits))
    }
}

/// The bits of the float of this width that is nearest to a value.
pub(super) fn float_bits(width: Width, value: f64) -> u64 {
    match width {
        Width::W16 => u64::from(gpuproof_number::float16::from_f64(value.to_bits(), gpuproof_number::Rounding::NearestEven)),
        Width::W64 => value.to_bits(),
        _ => u64::from((value as f32).to_bits()),
    }
}

impl Arith for FunctionBuilder {
    type V = Value;

    fn op(&mut self, op: Op, args: &[Value]) -> Result<Value, Trouble> {
        check_width(op, args.first().map(|arg| FunctionBuilder::width(self, *arg)))?;
        Ok(self.value(op, attrs(op), args))
    }

    fn convert(&mut self, op: Op, arg: Value, width: Width) -> Result<Value, Trouble> {
        check_width(op, Some(FunctionBuilder::width(self, arg)))?;
        Ok(self.value_of(width, op, attrs(op), &[arg]))
    }

    fn frexp(&mut self, arg: Value) -> Result<[Value; 2], Trouble> {
        let width = FunctionBuilder::width(self, arg);
        let results = self.emit(Op::FFrexp, attrs(Op::FFrexp), &[arg], &[width, Width::W32]);
        Ok([results[0], results[1]])
    }

    fn constant(&mut self, width: Width, bits: u64) -> Value {
        FunctionBuilder::constant(self, width, bits)
    }

    fn width(&self, v: Value) -> Width {
        FunctionBuilder::width(self, v)
    }

    fn component(&mut self, component: usize) {
        let origin = self.origin();
        self.set_origin(gpuproof_program::Origin { component: component.min(255) as u8, ..origin });
    }
}

/// Whether the table has an operation for numbers of this width; the first operand of `select` is a condition and decides nothing.
fn check_width(op: Op, width: Option<Width>) -> Result<(), Trouble> {
    let row = op.row();
    match width {
        Some(width) if op != Op::Select && !row.widths.is_empty() && !row.widths.contains(&width) => {
            Err(Trouble::Unsupported(format!("{} of {} bits", row.name, width.bits())))
        }
        _ => Ok(()),
    }
}

/// A conversion between numbers (WGSL 17.1 and 15.7.6). A truth value becomes 1 or 0; a number is true unless it is zero.
pub(super) fn convert<A: Arith>(a: &mut A, v: A::V, from: Kind, to: Kind, width: Width) -> Result<A::V, Trouble> {
    let old = a.width(v);
    match (from, to) {
        (Kind::Bool, Kind::Bool) => Ok(v),
        (Kind::Bool, Kind::Float) => {
            let (one, zero) = (a.float(width, 1.0), a.float(width, 0.0));
            a.op(Op::Select, &[v, one, zero])
        }
        (Kind::Bool, _) => {
            let (one, zero) = (a.constant(width, 1), a.constant(width, 0));
            a.op(Op::Select, &[v, one, zero])
        }
        (Kind::Float, Kind::Bool) => {
            let zero = a.float(old, 0.0);
            a.op(Op::FNe, &[v, zero])
        }
        (_, Kind::Bool) => {
            let zero = a.constant(old, 0);
            a.op(Op::INe, &[v, zero])
        }
        (Kind::Float, Kind::Float) if old == width => Ok(v),
        (Kind::Float, Kind::Float) => a.convert(Op::FConvert, v, width),
        (Kind::Float, Kind::Sint) => a.convert(Op::FToS, v, width),
        (Kind::Float, _) => a.convert(Op::FToU, v, width),
        (Kind::Sint, Kind::Float) => a.convert(Op::SToF, v, width),
        (_, Kind::Float) => a.convert(Op::UToF, v, width),
        _ if old == width => Ok(v),
        _ if old > width => a.convert(Op::ITruncate, v, width),
        (Kind::Sint, _) => a.convert(Op::SExtend, v, width),
        _ => a.convert(Op::UExtend, v, width),
    }
}
