//! Matches inputs and outputs of lanes.

use super::{Convert, How, IoPair, components, from_launch, letters, names, plain_name};
use gpuproof_program::{Builtin, Dialect, IoVariable, Stage, Width};

/// Components of variables, by position and component.
type Parts = Vec<(usize, u8)>;

/// One program's side of what is matched.
pub(super) struct Side<'a> {
    pub variables: &'a [IoVariable],
    pub names: Vec<String>,
    pub dialect: Dialect,
    /// For each variable whether the program touches it.
    pub used: Vec<bool>,
}

pub(super) struct Matched {
    pub pairs: Vec<IoPair>,
    /// What is left of each side, by position.
    pub original: Vec<usize>,
    pub port: Vec<usize>,
}

/// Builtins that the same value fills though their names differ.
fn family(builtin: Option<Builtin>) -> Option<Builtin> {
    match builtin {
        Some(Builtin::FragDepthGreaterEqual | Builtin::FragDepthLessEqual) => Some(Builtin::FragDepth),
        other => other,
    }
}

pub(super) fn match_io(original: &Side<'_>, port: &Side<'_>, stage: Stage, inputs: bool) -> Matched {
    let open = |side: &Side<'_>| -> Vec<usize> {
        (0..side.variables.len()).filter(|at| !from_launch(side.variables[*at].builtin)).collect()
    };
    let (mut left, mut right) = (open(original), open(port));
    let mut matched = Vec::new();
    let mut take = |found: Vec<(usize, usize)>, how, left: &mut Vec<usize>, right: &mut Vec<usize>| {
        for (a, b) in found {
            left.retain(|at| *at != a);
            right.retain(|at| *at != b);
            matched.push((a, b, how));
        }
    };

    let builtins = |at: &usize| {
        let a = &original.variables[*at];
        let same = |b: &&usize| {
            let b = &port.variables[**b];
            family(a.builtin) == family(b.builtin) && a.semantic_index == b.semantic_index
        };
        a.builtin?;
        right.iter().find(same).map(|b| (*at, *b))
    };
    let found = left.iter().filter_map(builtins).collect();
    take(found, How::Builtin, &mut left, &mut right);

    // Builtins without partner stay out of the matching by name and order.
    let user = |side: &Side<'_>, of: &[usize]| -> Vec<(usize, String)> {
        let plain = of.iter().filter(|at| side.variables[**at].builtin.is_none());
        plain.map(|at| (*at, plain_name(&side.variables[*at], side.dialect))).collect()
    };
    if inputs || stage != Stage::Pixel {
        let width = |a: usize, b: usize| original.variables[a].width == port.variables[b].width;
        let found = names::pairs(&user(original, &left), &user(port, &right), &width);
        take(found, How::Name, &mut left, &mut right);
    } else {
        // A render target is its number: SV_Target's index and register, WGSL's location.
        let target = |at: &usize| {
            let a = &original.variables[*at];
            a.builtin.is_none().then_some(())?;
            let same = |b: &&usize| {
                let b = &port.variables[**b];
                b.builtin.is_none() && a.location == b.location && a.blend_source.unwrap_or(0) == b.blend_source.unwrap_or(0)
            };
            right.iter().find(same).map(|b| (*at, *b))
        };
        let found = left.iter().filter_map(target).collect();
        take(found, How::Slot, &mut left, &mut right);
    }
    let mut pairs = Vec::new();
    for (a, b, how) in matched {
        push(&mut pairs, original, port, a, b, how, stage == Stage::Pixel && inputs);
    }
    by_order(original, port, &mut left, &mut right, &mut pairs);
    pairs.sort_by_key(|pair| {
        original.names.iter().position(|name| pair.original.rsplit_once('.').is_some_and(|(n, _)| n == name))
    });
    Matched { pairs, original: left, port: right }
}

/// Pairs what is left of the user's own variables in order of register and location.
fn by_order(original: &Side<'_>, port: &Side<'_>, left: &mut Vec<usize>, right: &mut Vec<usize>, pairs: &mut Vec<IoPair>) {
    let ordered = |side: &Side<'_>, of: &[usize]| -> Vec<usize> {
        let mut of: Vec<usize> = of.iter().copied().filter(|at| side.variables[*at].builtin.is_none()).collect();
        of.sort_by_key(|at| (side.variables[*at].location, side.variables[*at].mask.trailing_zeros()));
        of
    };
    let (a, b) = (ordered(original, left), ordered(port, right));
    let count = |side: &Side<'_>, at: usize| components(&side.variables[at]).len();
    if !a.is_empty() && a.len() == b.len() {
        for (a, b) in a.iter().zip(&b) {
            push(pairs, original, port, *a, *b, How::Order, false);
        }
    } else {
        // Several variables packed into one register against one location each.
        let groups = |side: &Side<'_>, of: &[usize]| -> Vec<Parts> {
            let mut groups: Vec<(Option<u32>, Parts)> = Vec::new();
            for at in of {
                let location = side.variables[*at].location;
                let parts = components(&side.variables[*at]).into_iter().map(|component| (*at, component));
                match groups.last_mut().filter(|group| group.0 == location && location.is_some()) {
                    Some(group) => group.1.extend(parts),
                    None => groups.push((location, parts.collect())),
                }
            }
            groups.into_iter().map(|group| group.1).collect()
        };
        let (whole, parts) = (groups(original, &a), groups(port, &b));
        if whole.is_empty() || whole.len() != parts.len() || whole.iter().zip(&parts).any(|(w, p)| w.len() != p.len()) {
            return;
        }
        for (one, other) in whole.iter().flatten().zip(parts.iter().flatten()) {
            pairs.push(IoPair {
                original: format!("{}.{}", original.names[one.0], letters(&[one.1])),
                port: format!("{}.{}", port.names[other.0], letters(&[other.1])),
                convert: Convert::Same,
                how: How::Order,
            });
        }
    }
    debug_assert!(a.iter().all(|at| count(original, *at) > 0));
    left.retain(|at| !a.contains(at));
    right.retain(|at| !b.contains(at));
}

/// Pairs the components that both have, first with first.
fn push(pairs: &mut Vec<IoPair>, original: &Side<'_>, port: &Side<'_>, a: usize, b: usize, how: How, pixel_input: bool) {
    let (left, right) = (&original.variables[a], &port.variables[b]);
    let (mine, theirs) = (components(left), components(right));
    let count = mine.len().min(theirs.len());
    let convert = match (left.builtin, left.width == Width::W1, right.width == Width::W1) {
        (_, true, false) | (_, false, true) => Convert::Truth,
        _ => Convert::Same,
    };
    let mut pair = |mine: &[u8], theirs: &[u8], convert| {
        if !mine.is_empty() {
            let original = format!("{}.{}", original.names[a], letters(mine));
            pairs.push(IoPair { original, port: format!("{}.{}", port.names[b], letters(theirs)), convert, how });
        }
    };
    // D3D11 gives w, WebGPU 1/w.
    if pixel_input && left.builtin == Some(Builtin::Position) && original.dialect != port.dialect && count == 4 {
        pair(&mine[..3], &theirs[..3], Convert::Same);
        pair(&mine[3..4], &theirs[3..4], Convert::Reciprocal);
    } else {
        pair(&mine[..count], &theirs[..count], convert);
    }
}
