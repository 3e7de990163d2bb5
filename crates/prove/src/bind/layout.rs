//! Where bytes of one memory layout are in another.

use super::names::{self, Strictness};
use gpuproof_program::{Resource, ScalarType, Shape, Type, Width};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A run of bytes that stand together on both sides, and how it repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Where it starts in the original's memory, in bytes.
    pub original: u32,
    /// Where it starts in the port's.
    pub port: u32,
    /// How many bytes; none for all up to the end of the shorter memory.
    pub bytes: Option<u32>,
    /// Repetitions, outermost first. Two with exchanged strides transpose a matrix.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeat: Vec<Repeat>,
    /// What it holds, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// How a run repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeat {
    /// How often; none for as often as both memories hold.
    pub count: Option<u32>,
    /// The distance between repetitions in the original's memory, in bytes.
    pub original: u32,
    /// The distance in the port's.
    pub port: u32,
}

impl Run {
    /// All bytes at the same offsets.
    pub fn identity() -> Run {
        Run { original: 0, port: 0, bytes: None, repeat: Vec::new(), name: String::new() }
    }
}

/// Calls `visit` with the offset in the original, the offset in the port and the length of every piece of these runs that lies
/// inside memories of these lengths.
pub fn pieces(runs: &[Run], original: usize, port: usize, visit: &mut dyn FnMut(usize, usize, usize)) {
    for run in runs {
        let (at, to) = (run.original as usize, run.port as usize);
        repeated(&run.repeat, run.bytes.map(|bytes| bytes as usize), (at, to), (original, port), visit);
    }
}

fn repeated(
    repeat: &[Repeat],
    bytes: Option<usize>,
    (at, to): (usize, usize),
    (original, port): (usize, usize),
    visit: &mut dyn FnMut(usize, usize, usize),
) {
    let room = original.saturating_sub(at).min(port.saturating_sub(to));
    let Some((outer, inner)) = repeat.split_first() else {
        let bytes = bytes.unwrap_or(room).min(room);
        if bytes > 0 {
            visit(at, to, bytes);
        }
        return;
    };
    let limit = match outer.count {
        Some(count) => count as usize,
        None if outer.original == 0 || outer.port == 0 => 1,
        None => usize::MAX,
    };
    for index in 0..limit {
        let start = (at.saturating_add(index * outer.original as usize), to.saturating_add(index * outer.port as usize));
        if start.0 >= original || start.1 >= port {
            break;
        }
        repeated(inner, bytes, start, (original, port), visit);
    }
}

/// One number, vector or matrix of a layout, with the arrays around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The names on the way to it, joined by points.
    pub path: String,
    /// Its offset in bytes, in the first element of each array around it.
    pub offset: u32,
    /// Count and stride of the arrays around it, outermost first.
    pub arrays: Vec<(Option<u32>, u32)>,
    /// For a matrix how many vectors and the bytes between them.
    pub vectors: Option<(u32, u32)>,
    /// Numbers in the vector, or in each vector of the matrix.
    pub size: u32,
    /// Each number.
    pub scalar: ScalarType,
}

impl Leaf {
    fn key(&self, strictness: Strictness) -> String {
        self.path.split('.').map(|part| names::key(part, strictness)).collect::<Vec<_>>().join(".")
    }

    fn scalar_bytes(&self) -> u32 {
        // Truth values take a word.
        if self.scalar.width == Width::W1 { 4 } else { self.scalar.width.bytes() }
    }

    /// The bytes from its first to its last with all arrays around it; none for arrays without end.
    fn whole(&self) -> Option<u32> {
        self.arrays
            .iter()
            .try_fold(self.extent(), |bytes, (count, stride)| Some(bytes.max(count.as_ref()?.saturating_mul(*stride))))
    }

    /// Adds the offsets of its words, in one element of an array without end; none if there are too many, or numbers smaller than a word.
    fn words(&self, found: &mut BTreeSet<u32>) -> Option<()> {
        let scalar = self.scalar_bytes();
        if scalar < 4 {
            return None;
        }
        let mut starts = vec![self.offset];
        let arrays = self.arrays.iter().filter_map(|(count, stride)| Some(((*count)?, *stride)));
        for (count, stride) in arrays.chain(self.vectors) {
            if starts.len().saturating_mul(count as usize) > MOST_WORDS {
                return None;
            }
            starts = starts
                .iter()
                .flat_map(|start| (0..count).map(move |at| start.saturating_add(at.saturating_mul(stride))))
                .collect();
        }
        found.extend(starts.iter().flat_map(|start| (0..self.size * scalar / 4).map(move |word| start.saturating_add(4 * word))));
        (found.len() <= MOST_WORDS).then_some(())
    }

    /// The bytes from its first to its last in one element of the innermost array.
    fn extent(&self) -> u32 {
        let vector = self.size * self.scalar_bytes();
        self.vectors.map_or(vector, |(count, stride)| count.saturating_sub(1) * stride + vector)
    }
}

/// The deepest nesting of types that is followed.
const DEEPEST: usize = 64;

/// The leaves of a layout, in order of offset.
pub fn leaves(ty: &Type) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(ty, String::new(), 0, &mut Vec::new(), &mut found, 0);
    found
}

fn collect(ty: &Type, path: String, offset: u32, arrays: &mut Vec<(Option<u32>, u32)>, found: &mut Vec<Leaf>, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    let mut leaf = |size, scalar, vectors| {
        found.push(Leaf { path: path.clone(), offset, arrays: arrays.clone(), vectors, size, scalar });
    };
    match ty {
        Type::Scalar(scalar) => leaf(1, *scalar, None),
        Type::Vector { size, scalar } => leaf(*size, *scalar, None),
        Type::Matrix { columns, rows, row_major, stride, scalar } => {
            let (count, size) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            leaf(size, *scalar, Some((count, *stride)));
        }
        Type::Array { element, count, stride } => {
            arrays.push((*count, *stride));
            collect(element, path, offset, arrays, found, depth + 1);
            arrays.pop();
        }
        Type::Struct { members, .. } => {
            for member in members {
                let inner = if path.is_empty() { member.name.clone() } else { format!("{path}.{}", member.name) };
                collect(&member.ty, inner, offset.saturating_add(member.offset), arrays, found, depth + 1);
            }
        }
    }
}

/// The leaves of a resource, those of a structured buffer inside an array without end.
pub fn leaves_of(resource: &Resource) -> Option<Vec<Leaf>> {
    let mut found = leaves(resource.layout.as_ref()?);
    if let Shape::Structured { stride } = resource.shape {
        for leaf in &mut found {
            leaf.arrays.insert(0, (None, stride));
        }
    }
    Some(found)
}

/// The name of the word at an offset of a resource, such as `[3].velocity.y`; its number where no layout tells.
pub fn word_name(resource: &Resource, offset: usize) -> String {
    for leaf in leaves_of(resource).unwrap_or_default() {
        if let Some(rest) = offset.checked_sub(leaf.offset as usize)
            && let Some(name) = inside(&leaf, rest)
        {
            return name;
        }
    }
    match resource.shape {
        Shape::Structured { stride } if stride > 0 => format!("[{}]+{}", offset / stride as usize, offset % stride as usize),
        _ => format!("[{}]", offset / 4),
    }
}

/// The number that lies at an offset, and where it begins.
pub fn scalar_at(leaves: &[Leaf], offset: usize) -> Option<(ScalarType, usize)> {
    leaves.iter().find_map(|leaf| {
        let mut rest = offset.checked_sub(leaf.offset as usize)?;
        for (count, stride) in &leaf.arrays {
            let stride = (*stride as usize).max(1);
            if count.is_some_and(|count| rest / stride >= count as usize) {
                return None;
            }
            rest %= stride;
        }
        if rest >= leaf.extent() as usize {
            return None;
        }
        if let Some((_, stride)) = leaf.vectors {
            rest %= (stride as usize).max(1);
        }
        Some((leaf.scalar, offset - rest % leaf.scalar_bytes() as usize))
    })
}

fn inside(leaf: &Leaf, mut rest: usize) -> Option<String> {
    let mut indices = Vec::new();
    for (count, stride) in &leaf.arrays {
        let stride = (*stride as usize).max(1);
        indices.push(rest / stride);
        if count.is_some_and(|count| rest / stride >= count as usize) {
            return None;
        }
        rest %= stride;
    }
    if rest >= leaf.extent() as usize {
        return None;
    }
    // An array without end stands before the names that are inside it.
    let endless = leaf.arrays.first().is_some_and(|array| array.0.is_none());
    let mut name = String::new();
    let mut indices = indices.iter();
    if endless && let Some(first) = indices.next() {
        name += &format!("[{first}]");
    }
    if !leaf.path.is_empty() {
        name = if name.is_empty() { leaf.path.clone() } else { format!("{name}.{}", leaf.path) };
    }
    for index in indices {
        name += &format!("[{index}]");
    }
    if let Some((_, stride)) = leaf.vectors {
        name += &format!("[{}]", rest / (stride as usize).max(1));
        rest %= (stride as usize).max(1);
    }
    if leaf.size > 1 {
        let component = rest / leaf.scalar_bytes() as usize;
        name += &format!(".{}", ["x", "y", "z", "w"].get(component)?);
    }
    Some(name)
}

/// What the layouts of two resources have in common.
#[derive(Debug, Default)]
pub struct Matching {
    /// The runs.
    pub runs: Vec<Run>,
    /// Leaves of the original, or parts of them, that nothing stands for.
    pub original: Vec<String>,
    /// The same of leaves whose names say that nothing is in them.
    pub padding: Vec<String>,
    /// Leaves of the port that nothing feeds.
    pub port: Vec<String>,
}

/// Matches the bytes of two resources: by the names of members, else by offset; all bytes as they are where no layout says more.
pub fn match_bytes(original: &Resource, port: &Resource) -> Matching {
    let identity = || Matching { runs: vec![Run::identity()], ..Matching::default() };
    let stripped = |resource: &Resource| {
        let wrapped = !matches!(resource.shape, Shape::Structured { .. });
        leaves_of(resource).map(|leaves| if wrapped { strip_wrapper(leaves) } else { leaves })
    };
    let Some(right) = stripped(port) else { return identity() };
    let left = match (stripped(original), original.shape) {
        (Some(left), _) => left,
        (None, Shape::Structured { stride }) => match packed(&right, stride) {
            Some(left) => left,
            None => return identity(),
        },
        (None, _) => return identity(),
    };
    let endless = |leaves: &[Leaf]| leaves.iter().any(|leaf| leaf.arrays.first().is_some_and(|array| array.0.is_none()));
    // A port that takes plain words of what has structures does its own addressing.
    let plain = |leaves: &[Leaf]| matches!(leaves, [leaf] if leaf.vectors.is_none() && leaf.arrays.len() == 1);
    if endless(&left) != endless(&right) || plain(&left) != plain(&right) {
        return identity();
    }
    let mut matching = Matching::default();
    let pairs = by_name(&left, &right);
    if pairs.is_empty() {
        return identity();
    }
    let mut fed = vec![false; right.len()];
    let mut straight = true;
    for (at, leaf) in left.iter().enumerate() {
        let by_name = pairs.iter().find(|pair| pair.0 == at).map(|pair| pair.1);
        let partner = by_name.or_else(|| {
            let same_place = |(to, other): &(usize, &Leaf)| {
                other.offset == leaf.offset && !fed[*to] && !pairs.iter().any(|pair| pair.1 == *to)
            };
            right.iter().enumerate().find(same_place).map(|(to, _)| to)
        });
        match partner.and_then(|to| join(leaf, &right[to]).map(|run| (to, run))) {
            Some((to, run)) => {
                fed[to] = true;
                if let Some(part) = missing_part(leaf, &right[to]) {
                    matching.original.push(part);
                }
                straight &= run.original == run.port && run.repeat.iter().all(|repeat| repeat.original == repeat.port);
                matching.runs.push(run);
            }
            None if is_padding(leaf) => matching.padding.push(leaf.path.clone()),
            None => matching.original.push(leaf.path.clone()),
        }
    }
    for (leaf, fed) in right.iter().zip(&fed) {
        if !fed && !is_padding(leaf) {
            matching.port.push(leaf.path.clone());
        }
    }
    if straight && matching.original.is_empty() && matching.padding.is_empty() && matching.port.is_empty() {
        return identity();
    }
    // Members that were put together or taken apart (a float3 as three floats, a vector with the number behind it) stay where they are.
    let open = !matching.original.is_empty() || !matching.port.is_empty();
    if open && straight && cover_the_same(&left, &right) {
        return identity();
    }
    matching
}

/// Words of a layout that are looked at one by one.
const MOST_WORDS: usize = 1 << 16;

/// Whether two layouts have members at the same words, apart from those whose names say that nothing is in them, and repeat at the same stride.
fn cover_the_same(left: &[Leaf], right: &[Leaf]) -> bool {
    let stride = |leaves: &[Leaf]| {
        let mut strides = leaves.iter().map(|leaf| leaf.arrays.first().filter(|array| array.0.is_none()).map(|array| array.1));
        let first = strides.next().flatten();
        strides.all(|stride| stride == first).then_some(first)
    };
    match (stride(left), stride(right)) {
        (Some(a), Some(b)) if a == b => {}
        _ => return false,
    }
    let words = |leaves: &[Leaf], padding: bool| -> Option<BTreeSet<u32>> {
        let mut found = BTreeSet::new();
        for leaf in leaves.iter().filter(|leaf| is_padding(leaf) == padding) {
            leaf.words(&mut found)?;
        }
        Some(found)
    };
    let Some((a, b)) = words(left, false).zip(words(right, false)) else { return false };
    let Some((spare_a, spare_b)) = words(left, true).zip(words(right, true)) else { return false };
    a.difference(&b).all(|word| spare_b.contains(word)) && b.difference(&a).all(|word| spare_a.contains(word))
}

/// Whether a member's name says that nothing is in it.
fn is_padding(leaf: &Leaf) -> bool {
    let name = leaf.path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with('_') || ["pad", "unused", "dummy", "reserved"].iter().any(|word| name.contains(word))
}

/// What of a leaf its partner has no room for.
fn missing_part(left: &Leaf, right: &Leaf) -> Option<String> {
    let name = if left.path.is_empty() { "its elements" } else { &left.path };
    let numbers = |leaf: &Leaf| leaf.size * leaf.vectors.map_or(1, |vectors| vectors.0);
    if left.arrays.len() != right.arrays.len() || left.scalar_bytes() != right.scalar_bytes() {
        let short = left.whole().zip(right.whole()).is_some_and(|(mine, theirs)| theirs < mine);
        return short.then(|| format!("the end of {name}"));
    }
    if numbers(left) > numbers(right) {
        return Some(format!("all but {} of the {} numbers of {name}", numbers(right), numbers(left)));
    }
    left.arrays.iter().zip(&right.arrays).find_map(|((mine, _), (theirs, _))| match (mine, theirs) {
        (Some(mine), Some(theirs)) if mine > theirs => Some(format!("all but {theirs} of the {mine} elements of {name}")),
        (None, Some(theirs)) => Some(format!("all but {theirs} of the elements of {name}")),
        _ => None,
    })
}

/// Leaves without the one structure that WGSL needs around an array without end.
fn strip_wrapper(mut leaves: Vec<Leaf>) -> Vec<Leaf> {
    let endless = leaves.iter().all(|leaf| leaf.arrays.first().is_some_and(|array| array.0.is_none()));
    let first = |leaf: &Leaf| leaf.path.split('.').next().unwrap_or_default().to_string();
    if let Some(wrapper) = leaves.first().map(first)
        && endless
        && leaves.iter().all(|leaf| first(leaf) == wrapper)
        // A single member may itself be what is meant: `data: array<vec4<f32>>` of a buffer whose structure is a vector.
        && leaves.iter().all(|leaf| leaf.path.contains('.') || leaves.len() == 1)
    {
        for leaf in &mut leaves {
            leaf.path = leaf.path.split_once('.').map(|(_, rest)| rest.to_string()).unwrap_or_default();
        }
    }
    leaves
}

/// Leaves like these, packed without gaps in structures of `stride` bytes; none if they do not fill them.
fn packed(like: &[Leaf], stride: u32) -> Option<Vec<Leaf>> {
    let mut offset = 0u32;
    let mut found = Vec::new();
    for leaf in like {
        let (_, inner) = leaf.arrays.split_first()?;
        let vector = leaf.size * leaf.scalar_bytes();
        let whole = leaf.vectors.map_or(vector, |(count, _)| count * vector);
        let mut arrays = vec![(None, stride)];
        let mut bytes = whole;
        let mut strides = Vec::new();
        for (count, _) in inner.iter().rev() {
            strides.push((*count, bytes));
            bytes = bytes.checked_mul((*count)?)?;
        }
        arrays.extend(strides.into_iter().rev());
        let vectors = leaf.vectors.map(|(count, _)| (count, vector));
        found.push(Leaf { offset, arrays, vectors, ..leaf.clone() });
        offset = offset.checked_add(bytes)?;
    }
    (offset == stride).then_some(found)
}

fn by_name(left: &[Leaf], right: &[Leaf]) -> Vec<(usize, usize)> {
    if let ([_], [_]) = (left, right) {
        return vec![(0, 0)];
    }
    for strictness in [Strictness::Strict, Strictness::Loose] {
        let mut found = Vec::new();
        for (at, leaf) in left.iter().enumerate() {
            let wanted = leaf.key(strictness);
            let mut matching = right.iter().enumerate().filter(|(_, other)| other.key(strictness) == wanted);
            if let (Some((to, _)), None) = (matching.next(), matching.next()) {
                found.push((at, to));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The run that two leaves share, if their shapes allow one.
fn join(left: &Leaf, right: &Leaf) -> Option<Run> {
    let scalar = left.scalar_bytes();
    if left.arrays.len() != right.arrays.len() || scalar != right.scalar_bytes() {
        // One side took the other apart, or put it together: the same bytes at the same place.
        let bytes = left.whole()?.min(right.whole()?);
        let run =
            Run { original: left.offset, port: right.offset, bytes: Some(bytes), repeat: Vec::new(), name: left.path.clone() };
        return (left.offset == right.offset).then_some(run);
    }
    let mut repeat: Vec<Repeat> = Vec::new();
    for ((a, original), (b, port)) in left.arrays.iter().zip(&right.arrays) {
        let count = match (a, b) {
            (Some(a), Some(b)) => Some(*a.min(b)),
            (one, other) => one.or(*other),
        };
        repeat.push(Repeat { count, original: *original, port: *port });
    }
    let mut bytes = left.size.min(right.size) * scalar;
    match (left.vectors, right.vectors) {
        (None, None) => {}
        (Some((n, original)), Some((m, port))) if n == m && left.size == right.size => {
            repeat.push(Repeat { count: Some(n), original, port });
        }
        // The vectors of one side run across those of the other.
        (Some((n, original)), Some((m, port))) if n == right.size && m == left.size => {
            repeat.push(Repeat { count: Some(n), original, port: scalar });
            repeat.push(Repeat { count: Some(m), original: scalar, port });
            bytes = scalar;
        }
        _ => return None,
    }
    Some(Run { original: left.offset, port: right.offset, bytes: Some(bytes), repeat, name: left.path.clone() })
}
