//! Operations under Vulkan's rules.

use super::error::{Result, bad, fault, unsupported};
use super::lower::Lower;
use gpuproof_program::{
    Attrs, Bounds, Choice, Denormals, Detail, Division, Field, Kind, Op, Order, Origin, Range, Refactor, Rounding, Rules, Target,
    Value, Width, op::Slot,
};

/// What an entry point's execution modes say of floats (SPIR-V 3.6; Vulkan, Precision and Operation of SPIR-V Instructions).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FloatControls {
    /// By width: 16, 32, 64 bits.
    pub(super) denormals: [Denormals; 3],
    pub(super) rounding: [Rounding; 3],
}

fn slot(width: Width) -> usize {
    match width {
        Width::W16 => 0,
        Width::W64 => 2,
        _ => 1,
    }
}

impl FloatControls {
    pub(super) fn set_denormals(&mut self, bits: u32, rule: Denormals) -> Result<()> {
        self.denormals[slot_of(bits)?] = rule;
        Ok(())
    }

    pub(super) fn set_rounding(&mut self, bits: u32, rule: Rounding) -> Result<()> {
        self.rounding[slot_of(bits)?] = rule;
        Ok(())
    }
}

fn slot_of(bits: u32) -> Result<usize> {
    match bits {
        16 => Ok(0),
        32 => Ok(1),
        64 => Ok(2),
        _ => unsupported(format!("float controls of {bits} bits")),
    }
}

impl Lower<'_> {
    /// Vulkan's choices of an operation on numbers of this width. What Vulkan leaves undefined (a division by zero, a conversion out of range) gives what
    /// Direct3D gives, which compilers of HLSL count on.
    pub(super) fn rules(&self, op: Op, width: Width) -> Rules {
        let mut rules = Rules::default();
        for choice in op.choices() {
            match choice {
                Choice::Denormals => rules.denormals = self.controls.denormals[slot(width)],
                // FMin and FMax: y where y < x, else x; NMin and NMax say otherwise themselves.
                Choice::Order => rules.order = Order::Literal,
                Choice::Rounding => rules.rounding = self.controls.rounding[slot(width)],
                Choice::Division if matches!(op, Op::SDiv | Op::SRem) => rules.division = Division::Identity,
                Choice::Division => rules.division = Division::AllOnes,
                Choice::Range => rules.range = Range::Clamp,
                Choice::Field => rules.field = Field::Clamp,
                Choice::Refactor if self.precise => rules.refactor = Refactor::Precise,
                Choice::Refactor => {}
                // An image write out of range does nothing (Vulkan, Texel Output Coordinate Validation).
                Choice::Bounds if op == Op::TexelStore || (op == Op::TexelLoad && self.robust_images) => {
                    rules.bounds = Bounds::Defined
                }
                Choice::Bounds => rules.bounds = Bounds::Undefined,
            }
        }
        rules
    }

    /// Attributes of an operation with a target.
    pub(super) fn target(&self, op: Op, target: Target) -> Attrs {
        Attrs { target, ..Attrs::rules(self.rules(op, Width::W32)) }
    }

    /// The width that an operation's choices go by: that of its first operand, or of a condition's second.
    fn ruled(&self, args: &[Value]) -> Width {
        args.iter().map(|arg| self.b.width(*arg)).max().unwrap_or(Width::W32)
    }

    /// An operation with one result, whose width the operands decide.
    pub(super) fn op(&mut self, op: Op, args: &[Value]) -> Result<Value> {
        let width = self.ruled(args);
        let attrs = Attrs::rules(self.rules(op, width));
        self.with(op, attrs, args)
    }

    /// An operation with these attributes and one result.
    pub(super) fn with(&mut self, op: Op, attrs: Attrs, args: &[Value]) -> Result<Value> {
        self.check(op, args)?;
        if attrs.rules.rounding == Rounding::TowardZero && op != Op::FConvert {
            return unsupported(format!("{} that rounds toward zero (RoundingModeRTZ)", op.row().name));
        }
        self.spend(1)?;
        Ok(self.b.value(op, attrs, args))
    }

    /// Holds operands to the operation's signature.
    pub(super) fn check(&self, op: Op, args: &[Value]) -> Result<()> {
        let row = op.row();
        let mut t = None;
        for (slot, arg) in row.operands.iter().zip(args) {
            let width = self.b.width(*arg);
            let fits = match slot {
                Slot::B => width == Width::W1,
                Slot::W => width == Width::W32,
                Slot::T => *t.get_or_insert(width) == width,
                Slot::U => true,
            };
            if !fits {
                return bad(format!("operands of the wrong width for {}", row.name));
            }
        }
        if row.operands.len() != args.len() {
            return bad(format!("{} operands, where {} takes {}", args.len(), row.name, row.operands.len()));
        }
        match t {
            Some(width) if !row.widths.contains(&width) => unsupported(format!("{} of {} bits", row.name, width.bits())),
            _ => Ok(()),
        }
    }

    /// Minimum and maximum where a NaN loses.
    pub(super) fn nan_loses(&mut self, op: Op, args: &[Value]) -> Result<Value> {
        let rules = Rules { order: Order::NanLoses, ..self.rules(op, self.ruled(args)) };
        self.with(op, Attrs::rules(rules), args)
    }

    /// A conversion to a width.
    pub(super) fn resized(&mut self, op: Op, arg: Value, width: Width) -> Result<Value> {
        let from = self.b.width(arg);
        if !op.row().widths.contains(&from) {
            return unsupported(format!("{} of {} bits", op.row().name, from.bits()));
        }
        // Conversions go by the narrower float, which has the denormals and the rounding.
        let rules = match op {
            Op::FConvert if width < from => self.rules(op, width),
            Op::SToF | Op::UToF => self.rules(op, width),
            _ => self.rules(op, from),
        };
        if rules.rounding == Rounding::TowardZero && op != Op::FConvert {
            return unsupported(format!("{} that rounds toward zero (RoundingModeRTZ)", op.row().name));
        }
        self.spend(1)?;
        Ok(self.b.value_of(width, op, Attrs::rules(rules), &[arg]))
    }

    /// An integer of another width.
    pub(super) fn resize(&mut self, value: Value, width: Width, signed: bool) -> Result<Value> {
        let from = self.b.width(value);
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => Ok(value),
            std::cmp::Ordering::Greater => self.resized(Op::ITruncate, value, width),
            std::cmp::Ordering::Less => self.resized(if signed { Op::SExtend } else { Op::UExtend }, value, width),
        }
    }

    pub(super) fn component(&mut self, component: usize) {
        let origin = self.b.origin();
        self.b.set_origin(Origin { component: component.min(255) as u8, ..origin });
    }

    /// Applies an operation to each component; of operands with one number that one stands for all.
    pub(super) fn each(&mut self, op: Op, args: &[&[Value]]) -> Result<Vec<Value>> {
        self.each_with(args, |l, parts| l.op(op, parts))
    }

    /// Applies a function to each component.
    pub(super) fn each_with(
        &mut self,
        args: &[&[Value]],
        mut f: impl FnMut(&mut Self, &[Value]) -> Result<Value>,
    ) -> Result<Vec<Value>> {
        let count = args.iter().map(|arg| arg.len()).max().unwrap_or(0);
        (0..count)
            .map(|i| {
                self.component(i);
                let at = |arg: &&[Value]| if arg.len() == 1 { arg.first().copied() } else { arg.get(i).copied() };
                let parts: Option<Vec<Value>> = args.iter().map(at).collect();
                parts.map_or_else(|| bad("operands that differ in their number of components"), |parts| f(self, &parts))
            })
            .collect()
    }

    /// A float constant, rounded to the width.
    pub(super) fn float(&mut self, width: Width, value: f64) -> Value {
        let ty = gpuproof_program::ScalarType { kind: Kind::Float, width };
        let bits = super::constant::given_bits(ty, value).unwrap_or(if width == Width::W64 { value.to_bits() } else { 0 });
        self.b.constant(width, bits)
    }

    /// A float infinity.
    pub(super) fn infinity(&mut self, width: Width) -> Value {
        let bits = match width {
            Width::W16 => 0x7c00,
            Width::W64 => 0x7ff0_0000_0000_0000,
            _ => 0x7f80_0000,
        };
        self.b.constant(width, bits)
    }

    /// The scalar product of float vectors, one operation.
    pub(super) fn dot(&mut self, x: &[Value], y: &[Value]) -> Result<Value> {
        if x.len() != y.len() {
            return bad("a scalar product of vectors that differ in size");
        }
        let op = match x.len() {
            1 => Op::FMul,
            2 => Op::FDot2,
            3 => Op::FDot3,
            4 => Op::FDot4,
            n => return fault(format!("a scalar product of {n} components")),
        };
        self.op(op, &[x, y].concat())
    }

    /// `all` or `any` of truth values.
    pub(super) fn joined(&mut self, op: Op, parts: &[Value]) -> Result<Value> {
        let Some((first, rest)) = parts.split_first() else { return fault("a test of nothing") };
        rest.iter().try_fold(*first, |joined, part| self.op(op, &[joined, *part]))
    }

    /// Attributes of an operation with a detail.
    pub(super) fn detailed(&self, op: Op, width: Width, detail: Detail) -> Attrs {
        Attrs::rules(self.rules(op, width)).with_detail(detail)
    }
}
