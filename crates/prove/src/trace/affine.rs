//! Which stored member feeds an output of a vertex program, and how it is scaled.

use super::Context;
use super::statement::Writer;
use gpuproof_program::{Node, Op, OutputId, Target, Value, walk};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What feeds components of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Feed {
    /// The components of the output: `o1.xy`.
    pub output: String,
    /// The stored members that it depends on, as the program's inputs name them: `TEXCOORD0.xy`.
    pub members: Vec<String>,
    /// Where it is a member times a factor plus an offset, that: `TEXCOORD0.xy * tiling.xy + tiling.zw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<String>,
    /// Where it is a product with matrices, these in the order in which they are applied: `world`, `view_projection`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matrices: Vec<String>,
    /// Whether that product is then made to have length 1.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    /// The constants that it depends on besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<String>,
}

/// A component of an input, times a factor, plus an offset; factor and offset are constants.
#[derive(Clone, Copy)]
struct Affine {
    input: Value,
    scale: Option<Value>,
    offset: Option<Value>,
}

/// Components of an output that are alike: its name, they, their forms, and what they depend on.
struct Row {
    ident: String,
    components: Vec<u8>,
    values: Vec<Value>,
    affine: Vec<Option<Affine>>,
    leaves: BTreeSet<Value>,
}

/// What feeds each output, its components together where they are alike.
pub(super) fn feeds(context: &Context<'_>, outputs: &HashSet<(OutputId, u8)>) -> Vec<Feed> {
    let mut stored: HashMap<(OutputId, u8), Vec<Value>> = HashMap::new();
    walk(&context.function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && let (Op::Output, Target::Output(id, component)) = (instruction.op, instruction.attrs.target)
        {
            stored.entry((id, component)).or_default().push(instruction.args[0]);
        }
    });
    let mut all: Vec<_> = outputs.iter().copied().collect();
    all.sort();
    let incoming = context.function.incoming();
    let mut rows: Vec<Row> = Vec::new();
    for key in all {
        let Some((word, component)) = context.vocabulary.output(key.0, key.1) else { continue };
        let Some(values) = stored.get(&key) else { continue };
        let affine = if let [one] = values[..] { affine(context, one, DEEPEST) } else { None };
        let mut leaves = BTreeSet::new();
        values.iter().for_each(|value| depends(context, &incoming, *value, &mut leaves, &mut HashSet::new()));
        let form = |affine: &Option<Affine>| affine.map(|found| (found.scale.is_some(), found.offset.is_some()));
        match rows.last_mut() {
            Some(row) if row.ident == word.ident && form(&row.affine[0]) == form(&affine) => {
                row.components.push(component);
                row.values.extend(values);
                row.affine.push(affine);
                row.leaves.extend(leaves);
            }
            _ => rows.push(Row {
                ident: word.ident.clone(),
                components: vec![component],
                values: values.clone(),
                affine: vec![affine],
                leaves,
            }),
        }
    }
    rows.iter().map(|row| feed(context, row)).collect()
}

fn feed(context: &Context<'_>, row: &Row) -> Feed {
    let Row { ident, components, values, affine, leaves } = row;
    let mut writer = Writer::new(context, context.function);
    let mut write = |values: Vec<Value>| {
        let ty = context.types[values[0].index()];
        writer.vector(&values, ty).text
    };
    let whole: Option<Vec<Affine>> = affine.iter().copied().collect();
    let scaled = whole.map(|all| {
        let mut text = write(all.iter().map(|affine| affine.input).collect());
        let scales: Option<Vec<Value>> = all.iter().map(|affine| affine.scale).collect();
        let offsets: Option<Vec<Value>> = all.iter().map(|affine| affine.offset).collect();
        if let Some(scales) = scales {
            text = format!("{text} * {}", write(scales));
        }
        if let Some(offsets) = offsets {
            text = format!("{text} + {}", write(offsets));
        }
        text
    });
    let named = |inputs: bool| {
        let mut by_name: Vec<(String, BTreeSet<u8>)> = Vec::new();
        for value in leaves {
            let is_input = context.definitions.op(*value, Op::Input).is_some();
            let Some((name, component)) = writer.name(*value).filter(|_| is_input == inputs) else { continue };
            match by_name.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => all.extend(component),
                None => by_name.push((name, component.into_iter().collect())),
            }
        }
        by_name.sort();
        let text = |(name, components): (String, BTreeSet<u8>)| {
            let letters = crate::bind::letters(&components.into_iter().collect::<Vec<_>>());
            if letters.is_empty() { name } else { format!("{name}.{letters}") }
        };
        by_name.into_iter().map(text).collect::<Vec<String>>()
    };
    let (members, constants) = (named(true), named(false));
    let single = affine[0].is_none() && values.len() == components.len();
    let through = single.then(|| super::linear::through(context, &writer, values)).flatten();
    let through = through.filter(|through| leaves_of_inputs(context, leaves) == through.inputs);
    let (matrices, normalized) = through.map_or_else(Default::default, |through| (through.matrices, through.normalized));
    let letters = crate::bind::letters(components);
    Feed { output: format!("{ident}.{letters}"), members, scaled, matrices, normalized, constants }
}

/// Those that are inputs.
fn leaves_of_inputs(context: &Context<'_>, leaves: &BTreeSet<Value>) -> BTreeSet<Value> {
    leaves.iter().copied().filter(|leaf| context.definitions.op(*leaf, Op::Input).is_some()).collect()
}

pub(super) fn is_constant(context: &Context<'_>, value: Value) -> bool {
    let value = context.unsigned(value);
    context.definitions.get(value).is_some_and(|found| match found.op {
        Op::Const => true,
        Op::BufferLoad => context.fixed_row(found).is_some(),
        _ => false,
    })
}

/// How many operations are followed.
const DEEPEST: u32 = 8;

fn affine(context: &Context<'_>, value: Value, depth: u32) -> Option<Affine> {
    let depth = depth.checked_sub(1)?;
    let instruction = context.definitions.get(value)?;
    let args = &instruction.args;
    let scaled = |a: Value, b: Value| {
        let (inner, factor) = if is_constant(context, b) { (a, b) } else { (b, a) };
        let found = affine(context, inner, depth).filter(|_| is_constant(context, factor))?;
        (found.scale.is_none() && found.offset.is_none()).then_some(Affine { scale: Some(factor), ..found })
    };
    let moved = |inner: Option<Affine>, offset: Value| {
        let found = inner.filter(|found| found.offset.is_none() && is_constant(context, offset))?;
        Some(Affine { offset: Some(offset), ..found })
    };
    match instruction.op {
        Op::Input => Some(Affine { input: value, scale: None, offset: None }),
        Op::SToF | Op::UToF => affine(context, args[0], depth),
        Op::FMul => scaled(args[0], args[1]),
        Op::FMad => moved(scaled(args[0], args[1]), args[2]),
        Op::FAdd if is_constant(context, args[1]) => moved(affine(context, args[0], depth), args[1]),
        Op::FAdd => moved(affine(context, args[1], depth), args[0]),
        _ => None,
    }
}

/// The inputs and constants that a value depends on by data.
fn depends(
    context: &Context<'_>,
    incoming: &[Vec<Value>],
    value: Value,
    leaves: &mut BTreeSet<Value>,
    seen: &mut HashSet<Value>,
) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        open.extend(incoming.get(value.index()).into_iter().flatten());
        let Some(instruction) = context.definitions.get(value) else { continue };
        if instruction.op == Op::Input || (instruction.op == Op::BufferLoad && context.fixed_row(instruction).is_some()) {
            leaves.insert(value);
        }
        open.extend(&instruction.args);
    }
}
