//! Products with matrices of constants: which stored member goes through which of them to an output.

use super::Context;
use super::statement::Writer;
use gpuproof_program::{Op, Value};
use std::collections::BTreeSet;

/// How many matrices are followed, and how many operations of one product.
const MATRICES: u32 = 4;
const DEEPEST: u32 = 12;

/// The inputs that components of a product with matrices come from, and the matrices in the order in which they are applied.
pub(super) struct Through {
    pub(super) inputs: BTreeSet<Value>,
    pub(super) matrices: Vec<String>,
    /// Whether the product has its length taken out.
    pub(super) normalized: bool,
}

/// The matrices that some values are products with; none where they are anything else.
pub(super) fn through(context: &Context<'_>, writer: &Writer<'_, '_>, values: &[Value]) -> Option<Through> {
    let found = layer(context, writer, values, MATRICES);
    found.or_else(|| Some(Through { normalized: true, ..layer(context, writer, &directions(context, values)?, MATRICES)? }))
}

/// What is multiplied with one reciprocal of a length.
fn directions(context: &Context<'_>, values: &[Value]) -> Option<Vec<Value>> {
    let mut root = None;
    let direction = |value: &Value| {
        let product = context.definitions.op(*value, Op::FMul)?;
        let at = product.args.iter().position(|arg| context.definitions.op(*arg, Op::FRsqrt).is_some())?;
        let same = *root.get_or_insert(product.args[at]) == product.args[at];
        same.then_some(product.args[1 - at])
    };
    values.iter().map(direction).collect()
}

fn layer(context: &Context<'_>, writer: &Writer<'_, '_>, values: &[Value], depth: u32) -> Option<Through> {
    let depth = depth.checked_sub(1)?;
    let mut elements = Vec::new();
    let mut matrix: Option<String> = None;
    for value in values {
        let mut terms = Vec::new();
        linear(context, *value, DEEPEST, &mut terms)?;
        for (element, coefficient) in terms {
            if !elements.contains(&element) {
                elements.push(element);
            }
            let name = writer.name(context.unsigned(coefficient))?.0;
            let stem = name.split('[').next().unwrap_or(&name).to_string();
            if *matrix.get_or_insert_with(|| stem.clone()) != stem {
                return None;
            }
        }
    }
    let matrix = matrix?;
    let is_input = |value: &Value| context.definitions.op(*value, Op::Input).is_some();
    if elements.iter().all(is_input) {
        return Some(Through { inputs: elements.into_iter().collect(), matrices: vec![matrix], normalized: false });
    }
    let mut inner = layer(context, writer, &elements, depth)?;
    inner.matrices.push(matrix);
    Some(inner)
}

/// A sum of elements times constants, a constant apart.
fn linear(context: &Context<'_>, value: Value, depth: u32, terms: &mut Vec<(Value, Value)>) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let instruction = context.definitions.get(value)?;
    let args = &instruction.args;
    let constant = |value: Value| super::affine::is_constant(context, value);
    let mut product = |a: Value, b: Value| match (constant(a), constant(b)) {
        (true, true) => Some(()),
        (false, true) => {
            terms.push((a, b));
            Some(())
        }
        (true, false) => {
            terms.push((b, a));
            Some(())
        }
        (false, false) => None,
    };
    match instruction.op {
        Op::FMul => product(args[0], args[1]),
        Op::FDot2 | Op::FDot3 | Op::FDot4 => {
            let (a, b) = args.split_at(args.len() / 2);
            a.iter().zip(b).try_for_each(|(a, b)| product(*a, *b))
        }
        Op::FMad => {
            product(args[0], args[1])?;
            if constant(args[2]) { Some(()) } else { linear(context, args[2], depth, terms) }
        }
        Op::FAdd => args.iter().try_for_each(|arg| if constant(*arg) { Some(()) } else { linear(context, *arg, depth, terms) }),
        _ => None,
    }
}
