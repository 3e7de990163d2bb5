//! Operations that together are a function of WGSL, by the rules of the program's language: in Direct3D formulas `normalize` and `mix` are what HLSL makes of them.

use super::Context;
use super::operand::Operand;
use crate::formula::ty::Ty;
use gpuproof_program::{Dialect, Instruction, Op, Value, Width};

/// A function of WGSL that a group of operations computes.
pub(super) struct Idiom {
    pub(super) function: &'static str,
    /// Its arguments; all but the last may be vectors of the group's size.
    pub(super) arguments: Vec<Vec<Value>>,
}

impl Idiom {
    pub(super) fn operands(&self) -> Vec<Operand> {
        self.arguments.iter().map(|values| Operand { values: values.clone(), ty: Some(Ty::F32) }).collect()
    }
}

/// The operands of a scalar product of a vector with itself.
fn square<'f>(context: &Context<'f>, value: Value) -> Option<&'f [Value]> {
    let dot = context.definitions.get(value)?;
    let (a, b) = dot.args.split_at(dot.args.len() / 2);
    let is_dot = matches!(dot.op, Op::FDot2 | Op::FDot3 | Op::FDot4);
    (is_dot && a.iter().zip(b).all(|(a, b)| context.same(*a, *b))).then_some(a)
}

/// Both orders of two operands.
fn orders(instruction: &Instruction) -> [[Value; 2]; 2] {
    let (a, b) = (instruction.args[0], instruction.args[1]);
    [[a, b], [b, a]]
}

/// The function that operations are, if they are one.
pub(super) fn idiom(context: &Context<'_>, members: &[&Instruction]) -> Option<Idiom> {
    let first = members[0];
    let single = first.results.len() == 1 && context.width(first.results[0]) == Width::W32;
    if !single {
        return None;
    }
    let direct3d = context.program.dialect == Dialect::D3D11;
    match first.op {
        Op::FMul if direct3d => normalize(context, members, Op::FRsqrt),
        Op::FDiv if !direct3d => normalize(context, members, Op::FSqrt),
        Op::FSqrt if members.len() == 1 => {
            let vector = square(context, first.args[0])?;
            Some(Idiom { function: "length", arguments: vec![vector.to_vec()] })
        }
        Op::FExp2 => pow(context, members),
        Op::FMin => clamp(context, members),
        Op::FMad if direct3d => cross(context, members).or_else(|| reflect(context, members)).or_else(|| mix(context, members)),
        _ => None,
    }
}

/// `v * inverseSqrt(dot(v, v))`, or `v / sqrt(dot(v, v))`.
fn normalize(context: &Context<'_>, members: &[&Instruction], root: Op) -> Option<Idiom> {
    let length = |value: Value| context.definitions.op(value, root);
    let order = orders(members[0]).into_iter().take(if root == Op::FSqrt { 1 } else { 2 });
    order.filter_map(|[_, of]| Some((of, square(context, length(of)?.args[0])?))).find_map(|(of, vector)| {
        let takes = |(member, component): (&&Instruction, &Value)| {
            orders(member).iter().any(|[value, other]| context.same(*value, *component) && context.same(*other, of))
        };
        let all = members.len() == vector.len() && members.iter().zip(vector).all(takes);
        all.then(|| Idiom { function: "normalize", arguments: vec![vector.to_vec()] })
    })
}

/// `min(max(x, low), high)` with bounds that are constants, but in Direct3D not 0 and 1, between which formulas saturate.
fn clamp(context: &Context<'_>, members: &[&Instruction]) -> Option<Idiom> {
    let part = |member: &&Instruction| {
        let inner = context.definitions.op(member.args[0], Op::FMax)?;
        let (low, high) = (inner.args[1], member.args[1]);
        let bounds = [low, high].iter().all(|bound| super::affine::is_constant(context, *bound));
        let bits = |value: Value| context.definitions.constant(value).map(|bits| bits as u32);
        let direct3d = context.program.dialect == Dialect::D3D11;
        let saturates = direct3d && bits(low) == Some(0) && bits(high) == Some(1f32.to_bits());
        (bounds && !saturates && inner.attrs.rules == member.attrs.rules).then_some((inner.args[0], low, high))
    };
    let parts: Vec<(Value, Value, Value)> = members.iter().map(part).collect::<Option<_>>()?;
    let arguments = [0, 1, 2].map(|at| parts.iter().map(|part| [part.0, part.1, part.2][at]).collect());
    Some(Idiom { function: "clamp", arguments: arguments.to_vec() })
}

/// `exp2(y * log2(x))`
fn pow(context: &Context<'_>, members: &[&Instruction]) -> Option<Idiom> {
    let part = |member: &&Instruction| {
        let product = context.definitions.op(member.args[0], Op::FMul)?;
        orders(product).into_iter().find_map(|[y, of]| Some((context.definitions.op(of, Op::FLog2)?.args[0], y)))
    };
    let parts: Vec<(Value, Value)> = members.iter().map(part).collect::<Option<_>>()?;
    let (x, y) = parts.into_iter().unzip();
    Some(Idiom { function: "pow", arguments: vec![x, y] })
}

/// `s * (y - x) + x`
fn mix(context: &Context<'_>, members: &[&Instruction]) -> Option<Idiom> {
    let part = |member: &&Instruction| {
        let x = member.args[2];
        orders(member).into_iter().find_map(|[s, difference]| {
            let sum = context.definitions.op(difference, Op::FAdd)?;
            orders(sum).into_iter().find_map(|[y, minus]| {
                let subtracted = context.definitions.op(minus, Op::FNeg)?.args[0];
                context.same(subtracted, x).then_some((x, y, s))
            })
        })
    };
    let parts: Vec<(Value, Value, Value)> = members.iter().map(part).collect::<Option<_>>()?;
    let arguments = [0, 1, 2].map(|at| parts.iter().map(|part| [part.0, part.1, part.2][at]).collect());
    Some(Idiom { function: "mix", arguments: arguments.to_vec() })
}

/// `x - 2.0 * dot(x, y) * y`, the doubled product as a sum.
fn reflect(context: &Context<'_>, members: &[&Instruction]) -> Option<Idiom> {
    let incident: Vec<Value> = members.iter().map(|member| member.args[2]).collect();
    let find = |normal_first: bool| {
        let normal: Vec<Value> = members.iter().map(|member| member.args[usize::from(!normal_first)]).collect();
        let twice = members[0].args[usize::from(normal_first)];
        let twice_of = |member: &&Instruction| context.same(member.args[usize::from(normal_first)], twice);
        let sum = context.definitions.op(context.definitions.op(twice, Op::FNeg)?.args[0], Op::FAdd)?;
        let dot = context.definitions.get(sum.args[0]).filter(|_| context.same(sum.args[0], sum.args[1]))?;
        let (a, b) = dot.args.split_at(dot.args.len() / 2);
        let is_dot = matches!(dot.op, Op::FDot2 | Op::FDot3 | Op::FDot4) && a.len() == members.len();
        let alike = |a: &[Value], b: &[Value]| a.iter().zip(b).all(|(a, b)| context.same(*a, *b));
        let of_both = (alike(a, &incident) && alike(b, &normal)) || (alike(a, &normal) && alike(b, &incident));
        (is_dot && of_both && members.iter().all(twice_of)).then_some(normal)
    };
    let normal = find(true).or_else(|| find(false))?;
    Some(Idiom { function: "reflect", arguments: vec![incident, normal] })
}

/// `a.yzx * b.zxy - a.zxy * b.yzx`
fn cross(context: &Context<'_>, members: &[&Instruction]) -> Option<Idiom> {
    let parts: Vec<([Value; 2], [Value; 2])> = members
        .iter()
        .map(|member| {
            let product = context.definitions.op(context.definitions.op(member.args[2], Op::FNeg)?.args[0], Op::FMul)?;
            Some(([member.args[0], member.args[1]], [product.args[0], product.args[1]]))
        })
        .collect::<Option<_>>()?;
    let [first, ..] = parts[..] else { return None };
    if parts.len() != 3 {
        return None;
    }
    let pair = |found: [Value; 2], a: Value, b: Value| {
        (context.same(found[0], a) && context.same(found[1], b)) || (context.same(found[0], b) && context.same(found[1], a))
    };
    let swapped = |pair: [Value; 2]| [pair, [pair[1], pair[0]]];
    for [a1, b2] in swapped(first.0) {
        for [a2, b1] in swapped(first.1) {
            // The second component is a.z * b.x - a.x * b.z.
            for [a2_again, b0] in swapped(parts[1].0) {
                for [a0, b2_again] in swapped(parts[1].1) {
                    let second = context.same(a2, a2_again) && context.same(b2, b2_again);
                    if second && pair(parts[2].0, a0, b1) && pair(parts[2].1, a1, b0) {
                        return Some(Idiom { function: "cross", arguments: vec![vec![a0, a1, a2], vec![b0, b1, b2]] });
                    }
                }
            }
        }
    }
    None
}
