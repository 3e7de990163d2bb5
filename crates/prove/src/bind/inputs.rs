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
    /// For each variable the components that the program touches, as a mask.
    pub used: Vec<u8>,
}

pub(super) struct Matched {
    pub pairs: Vec<IoPair>,
    /// What is left of each side, by position.
    pub original: Vec<usize>,
    pub port: Vec<usize>,
}

impl Matched {
    /// The components that a side touches and that are in no pair: `o1.zw`. `end` is this side's end of a pair.
    pub(super) fn unpaired(&self, side: &Side<'_>, end: impl Fn(&IoPair) -> &String) -> Vec<String> {
        let mut found = Vec::new();
        for (at, variable) in side.variables.iter().enumerate() {
            let mut open = side.used[at] & variable.mask;
            for pair in &self.pairs {
                if let Some((name, tail)) = end(pair).rsplit_once('.')
                    && name == side.names[at]
                {
                    open &=
                        (0..4u8).filter(|component| !tail.contains(&letters(&[*component]))).fold(0, |mask, bit| mask | 1 << bit);
                }
            }
            let left: Vec<u8> = (0..4).filter(|component| open >> component & 1 == 1).collect();
            if !left.is_empty() {
                found.push(format!("{}.{}", side.names[at], letters(&left)));
            }
        }
        found
    }
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
        push(&mut pairs, (original, port), (a, b), how, stage, inputs);
    }
    by_order((original, port), (&mut left, &mut right), stage, inputs, &mut pairs);
    pairs.sort_by_key(|pair| {
        original.names.iter().position(|name| pair.original.rsplit_once('.').is_some_and(|(n, _)| n == name))
    });
    Matched { pairs, original: left, port: right }
}

/// Pairs what is left of the user's own variables in order of register and location.
fn by_order(
    (original, port): (&Side<'_>, &Side<'_>),
    (left, right): (&mut Vec<usize>, &mut Vec<usize>),
    stage: Stage,
    inputs: bool,
    pairs: &mut Vec<IoPair>,
) {
    let ordered = |side: &Side<'_>, of: &[usize]| -> Vec<usize> {
        let mut of: Vec<usize> = of.iter().copied().filter(|at| side.variables[*at].builtin.is_none()).collect();
        of.sort_by_key(|at| (side.variables[*at].location, side.variables[*at].mask.trailing_zeros()));
        of
    };
    let used = |side: &Side<'_>, of: &[usize]| -> Vec<usize> { of.iter().copied().filter(|at| side.used[*at] != 0).collect() };
    let all = (ordered(original, left), ordered(port, right));
    // The signature of a pixel program has all that the stage before gives it; a port may leave out what is not read.
    let touched = (used(original, &all.0), used(port, &all.1));
    for (a, b) in [all, touched] {
        if pair_up((original, port), (&a, &b), stage, inputs, pairs) {
            left.retain(|at| !a.contains(at));
            right.retain(|at| !b.contains(at));
            return;
        }
    }
}

/// Pairs variables one by one where there are as many on both sides, else register by register; whether that could be done.
fn pair_up(
    (original, port): (&Side<'_>, &Side<'_>),
    (a, b): (&[usize], &[usize]),
    stage: Stage,
    inputs: bool,
    pairs: &mut Vec<IoPair>,
) -> bool {
    if !a.is_empty() && a.len() == b.len() {
        for (a, b) in a.iter().zip(b) {
            push(pairs, (original, port), (*a, *b), How::Order, stage, inputs);
        }
        return true;
    }
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
    let (whole, parts) = (groups(original, a), groups(port, b));
    if whole.is_empty() || whole.len() != parts.len() || whole.iter().zip(&parts).any(|(w, p)| w.len() != p.len()) {
        return false;
    }
    let written = |part: &(usize, u8)| inputs || original.used[part.0] >> part.1 & 1 == 1;
    for (one, other) in whole.iter().flatten().zip(parts.iter().flatten()).filter(|pair| written(pair.0)) {
        pairs.push(IoPair {
            original: format!("{}.{}", original.names[one.0], letters(&[one.1])),
            port: format!("{}.{}", port.names[other.0], letters(&[other.1])),
            convert: Convert::Same,
            how: How::Order,
        });
    }
    true
}

/// Pairs the components that both have: of builtins each with itself, of others first with first. Outputs that the original never writes
/// are no pairs.
fn push(
    pairs: &mut Vec<IoPair>,
    (original, port): (&Side<'_>, &Side<'_>),
    (a, b): (usize, usize),
    how: How,
    stage: Stage,
    inputs: bool,
) {
    let (left, right) = (&original.variables[a], &port.variables[b]);
    let (mut mine, mut theirs) = (components(left), components(right));
    // One component is one wherever its register has it.
    if how == How::Builtin && (mine.len(), theirs.len()) != (1, 1) {
        mine.retain(|component| theirs.contains(component));
        theirs = mine.clone();
    }
    let written = |component: &u8| inputs || original.used[a] >> component & 1 == 1;
    let (mine, theirs): (Vec<u8>, Vec<u8>) = mine.into_iter().zip(theirs).filter(|both| written(&both.0)).unzip();
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
    // D3D11 gives w, WebGPU and Vulkan 1/w.
    let direct3d = |side: &Side<'_>| side.dialect == Dialect::D3D11;
    let reciprocal = inputs && stage == Stage::Pixel && direct3d(original) != direct3d(port);
    if reciprocal && left.builtin == Some(Builtin::Position) && mine.last() == Some(&3) {
        let (rest, w) = mine.split_at(mine.len() - 1);
        pair(rest, rest, Convert::Same);
        pair(w, w, Convert::Reciprocal);
    } else {
        pair(&mine, &theirs, convert);
    }
}
