//! Mutants that give something else only where an operand is NaN, which makes NaN of all that depends on it.

use super::Knowledge;
use crate::facts::Nan;
use crate::flow;
use gpuproof_program::*;

/// Operations that give the one NaN of arithmetic where any operand is NaN.
pub(in crate::adequacy) const SPREAD: &[Op] = &[
    Op::FAdd,
    Op::FSub,
    Op::FMul,
    Op::FDiv,
    Op::FMad,
    Op::FFma,
    Op::FDot2,
    Op::FDot3,
    Op::FDot4,
    Op::FSqrt,
    Op::FRsqrt,
    Op::FRcp,
    Op::FExp2,
    Op::FLog2,
    Op::FExp,
    Op::FLog,
    Op::FSin,
    Op::FCos,
    Op::FAsin,
    Op::FAcos,
    Op::FAtan,
    Op::FAtan2,
    Op::FFloor,
    Op::FCeil,
    Op::FTrunc,
    Op::FRound,
    Op::FFract,
];

impl Knowledge<'_> {
    /// Whether a mutant differs only where an operand is NaN, and nothing shows it then.
    pub(super) fn hides_in_nan(&self, original: &Instruction, mutated: &Instruction) -> bool {
        let [result] = original.results[..] else { return false };
        self.differs_at_nan(original, mutated).is_some_and(|operand| self.is_hidden(result, operand))
    }

    /// Whether a minimum or maximum gives the same where it keeps a NaN of its first operand.
    pub(super) fn same_kept(&self, original: &Instruction) -> bool {
        let [x, y] = [original.args[0], original.args[1]];
        self.fact(x).number.nan == Nan::Never || self.together(x, y) || self.is_hidden(original.results[0], x)
    }

    /// Whether two values are NaN together. Which NaN it is, words of a double tell.
    pub(super) fn together(&self, a: Value, b: Value) -> bool {
        let magnitude = |a: Value, b: Value| {
            let made = self.defined.get(&b);
            made.is_some_and(|made| matches!(made.op, Op::FNeg | Op::FAbs) && self.alike(made.args[0], a))
        };
        self.alike(a, b) || self.function.width(a) != Width::W64 && (magnitude(a, b) || magnitude(b, a))
    }

    /// The operand without whose being NaN two operations give the same.
    fn differs_at_nan(&self, original: &Instruction, mutated: &Instruction) -> Option<Value> {
        let [x, y] = [*original.args.first()?, *original.args.get(1)?];
        let same = self.alike(x, y);
        match (original.op, mutated.op) {
            (Op::FMin | Op::FMax, op) if op == original.op && original.args == mutated.args => {
                (self.differs_by_order(original, mutated) && !self.parts_zeros(original)).then_some(x)
            }
            (Op::FNe, Op::FLt) if same => Some(x),
            (Op::FEq, Op::FLe) if same => None,
            (Op::Select, Op::IOr) => {
                let (condition, holds) = self.comparison(x, true)?;
                let [a, b] = condition.args[..] else { return None };
                // What is unequal to itself.
                let is_nan = self.alike(a, b) && matches!((condition.op, holds), (Op::FNe, true) | (Op::FEq, false));
                let is_number = self.alike(a, b) && matches!((condition.op, holds), (Op::FNe, false) | (Op::FEq, true));
                let takes_first = mutated.args[0] == original.args[1];
                (is_nan && !takes_first || is_number && takes_first).then_some(a)
            }
            _ => None,
        }
    }

    fn differs_by_order(&self, original: &Instruction, mutated: &Instruction) -> bool {
        let rules = Rules { order: mutated.attrs.rules.order, ..original.attrs.rules };
        original.attrs.with_rules(rules) == mutated.attrs
    }

    /// The comparison that a truth value or its mask stands for, and whether it holds where the value is so.
    fn comparison(&self, value: Value, holds: bool) -> Option<(&Instruction, bool)> {
        let made = *self.defined.get(&value)?;
        let zero = |at: usize| made.args.get(at).is_some_and(|arg| self.fact(*arg).known() == Some(0));
        match made.op {
            Op::INot if self.function.width(value) == Width::W1 => self.comparison(made.args[0], !holds),
            Op::SExtend | Op::UExtend if self.function.width(made.args[0]) == Width::W1 => self.comparison(made.args[0], holds),
            Op::INe if zero(1) => self.comparison(made.args[0], holds),
            Op::IEq if zero(1) => self.comparison(made.args[0], !holds),
            Op::FEq | Op::FNe | Op::FLt | Op::FLe => Some((made, holds)),
            _ => None,
        }
    }

    /// For each value whether it has to be NaN for an operand to be NaN.
    fn nan_with(&self, operand: Value) -> Vec<bool> {
        let mut nan = vec![false; self.function.values.len()];
        let mut pending = vec![operand];
        while let Some(value) = pending.pop() {
            if nan[value.index()] {
                continue;
            }
            for other in (0..nan.len() as u32).map(Value).filter(|other| self.alike(*other, value)) {
                nan[other.index()] = true;
            }
            let Some(made) = self.defined.get(&value) else { continue };
            let literal = made.attrs.rules.order == Order::Literal;
            pending.extend(match made.op {
                Op::FMin | Op::FMax if !literal => &made.args[..],
                Op::FMin | Op::FMax | Op::FNeg | Op::FAbs | Op::FExp | Op::FExp2 | Op::FFloor | Op::FCeil | Op::FTrunc => {
                    &made.args[..1]
                }
                Op::FRound | Op::FConvert => &made.args[..1],
                _ => &[],
            });
        }
        nan
    }

    /// Whether all that depends on a value is NaN where an operand is NaN.
    fn is_hidden(&self, value: Value, operand: Value) -> bool {
        let mut nan = self.nan_with(operand);
        // Nothing is taken to be NaN that constructs bring.
        walk(&self.function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            let spreads = match instruction.op {
                Op::FNeg | Op::FAbs => nan[instruction.args[0].index()],
                Op::FMin | Op::FMax => instruction.args.iter().all(|arg| nan[arg.index()]),
                op => SPREAD.contains(&op) && instruction.args.iter().any(|arg| nan[arg.index()]),
            };
            if spreads {
                nan[instruction.results[0].index()] = true;
            }
        });
        let incoming = self.function.incoming();
        let mut rounds = vec![false; nan.len()];
        walk(&self.function.body, &mut |node| {
            if let Node::Loop { params, .. } = node {
                params.iter().for_each(|param| rounds[param.index()] = true);
            }
        });
        let (mut reached, mut pending) = (vec![false; nan.len()], vec![value]);
        while let Some(value) = pending.pop() {
            if std::mem::replace(&mut reached[value.index()], true) {
                continue;
            }
            // In the next round the operand may be another number.
            let mut shows = rounds[value.index()];
            walk(&self.function.body, &mut |node| match node {
                Node::Op(instruction) if instruction.args.contains(&value) => {
                    let row = instruction.op.row();
                    let hidden = SPREAD.contains(&instruction.op) && nan[instruction.results[0].index()];
                    shows |= row.class != Class::Pure || row.scope != Scope::Lane;
                    if !hidden {
                        pending.extend(&instruction.results);
                    }
                }
                Node::If { .. } | Node::Switch { .. } | Node::Return { .. } => shows |= flow::operands(node).contains(&value),
                _ => {}
            });
            if shows {
                return false;
            }
            pending.extend((0..).map(Value).zip(&incoming).filter(|(_, sources)| sources.contains(&value)).map(|(to, _)| to));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuproof_run::machine::scalar::Pure;

    #[test]
    fn nan_spreads() {
        for op in SPREAD {
            for (place, t) in (0..op.row().operands.len()).flat_map(|place| op.row().widths.iter().map(move |t| (place, *t))) {
                let (nan, canonical) = match t {
                    Width::W16 => (0xfe01, 0x7e00),
                    Width::W64 => (0xfff0_0000_0000_0001, 0x7ff8_0000_0000_0000),
                    _ => (0xff80_0001, 0x7fc0_0000),
                };
                let pure = Pure { op: *op, attrs: Attrs::default(), t, u: t };
                for other in [0, 1 << (t.bits() - 2), t.mask() >> 1, 1 << (t.bits() - 1)] {
                    let args: Vec<u64> = (0..op.row().operands.len()).map(|at| if at == place { nan } else { other }).collect();
                    assert!(!pure.is_supported() || pure.evaluate(&args)[0] == canonical, "{op:?} {t:?} {args:x?}");
                }
            }
        }
    }
}
