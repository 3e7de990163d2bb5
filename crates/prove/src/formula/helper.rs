//! Functions that formulas call where WGSL has no builtin. The module declares them, with bodies that are as near as plain WGSL comes; in formulas a call of
//! one is the program's own operation.

use super::names::Names;
use super::ty::Ty;
use super::vocabulary::{Form, ResourceWord, flattened};
use gpuproof_program::{
    AtomicOp, Class, Detail, Dimension, Evaluation, Node, Op, Program, ResourceId, Shape, Target, TextureShape, Width, walk,
};

/// A function that stands for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    /// Arithmetic, which its body computes.
    Arithmetic,
    /// The status of a texture read, of one of the numbers that it gave.
    Status,
    /// A texture read whose level is no less than another: of what a read without it gives.
    LeastLevel,
    /// An input evaluated elsewhere.
    At(Evaluation),
    /// How many samples the render target has.
    TargetSamples,
    /// The position of one of them.
    TargetPosition,
    /// The level of detail that sampling would use, clamped and not.
    Level(ResourceId),
    /// A gather with texel offsets that are computed.
    Gather(ResourceId, bool),
    /// The position of a sample of a texture.
    Position(ResourceId),
    /// An access to a texture that atomics change, with the old value.
    Atomic(ResourceId, AtomicOp),
}

/// Functions that are there in every module that calls them.
const FIXED: &[(&str, Helper, &str)] = &[
    (
        "mul_high",
        Helper::Arithmetic,
        "(a: u32, b: u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}",
    ),
    (
        "mul_high_signed",
        Helper::Arithmetic,
        "(a: i32, b: i32) -> i32 {
    let high = mul_high(bitcast<u32>(a), bitcast<u32>(b));
    return bitcast<i32>(high - select(0u, bitcast<u32>(b), a < 0i) - select(0u, bitcast<u32>(a), b < 0i));
}",
    ),
    (
        "msad",
        Helper::Arithmetic,
        "(reference: u32, source: u32, sum: u32) -> u32 {
    var total = sum;
    for (var shift = 0u; shift < 32u; shift = shift + 8u) {
        let a = extractBits(reference, shift, 8u);
        let b = extractBits(source, shift, 8u);
        total = total + select(max(a, b) - min(a, b), 0u, a == 0u);
    }
    return total;
}",
    ),
    ("read_status", Helper::Status, "(read: f32) -> u32 {\n    // All is mapped.\n    return 1u;\n}"),
    (
        "least_level",
        Helper::LeastLevel,
        "(read: vec4<f32>, level: f32) -> vec4<f32> {\n    // WGSL reads have no least level.\n    return read;\n}",
    ),
    (
        "least_level_compare",
        Helper::LeastLevel,
        "(read: f32, level: f32) -> f32 {\n    // WGSL reads have no least level.\n    return read;\n}",
    ),
    (
        "at_centroid",
        Helper::At(Evaluation::Centroid),
        "(input: vec4<f32>) -> vec4<f32> {\n    // The pixel's centre.\n    return input;\n}",
    ),
    (
        "at_sample",
        Helper::At(Evaluation::Sample),
        "(input: vec4<f32>, index: i32) -> vec4<f32> {\n    // The pixel's centre.\n    return input;\n}",
    ),
    (
        "at_offset",
        Helper::At(Evaluation::Snapped),
        "(input: vec4<f32>, sixteenths: vec2<i32>) -> vec4<f32> {
    let offset = vec2<f32>((sixteenths << vec2<u32>(28u)) >> vec2<u32>(28u)) / 16.0;
    return input + dpdx(input) * offset.x + dpdy(input) * offset.y;
}",
    ),
    ("target_samples", Helper::TargetSamples, "() -> u32 {\n    // A target of one sample.\n    return 1u;\n}"),
    (
        "target_sample_position",
        Helper::TargetPosition,
        "(index: u32) -> vec2<f32> {\n    // A target of one sample.\n    return vec2<f32>();\n}",
    ),
];

/// The functions that formulas of a program may call, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers(Vec<(String, Helper)>);

impl Helpers {
    /// Functions for what a program does with its textures get names of their own.
    pub(crate) fn of(program: &Program, resources: &[ResourceWord], names: &mut Names) -> Helpers {
        let mut all: Vec<(String, Helper)> = FIXED.iter().map(|(name, helper, _)| ((*name).to_string(), *helper)).collect();
        let mut add = |stem: &str, what: &str, helper: Helper| {
            if all.iter().all(|(_, known)| *known != helper) {
                all.push((names.unique(&format!("{stem}_{what}")), helper));
            }
        };
        for function in &program.functions {
            walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                let (Target::Resource(id) | Target::Sampled(id, _)) = instruction.attrs.target else { return };
                let word = &resources[id.index()];
                if program.interface.resource(id).count != Some(1) || !matches!(word.form, Form::Texture(_)) {
                    return;
                }
                let atomic = word.uses.atomic().is_some();
                match (instruction.op, instruction.attrs.detail) {
                    (Op::Gather, Detail::Sampling(sampling)) if sampling.offset => {
                        let stem = if sampling.compare { &word.depth } else { &word.ident };
                        add(stem, "gather", Helper::Gather(id, sampling.compare));
                    }
                    (Op::SampleLevel, _) => add(&word.ident, "level", Helper::Level(id)),
                    (Op::TextureSamplePosition, _) => add(&word.ident, "sample_position", Helper::Position(id)),
                    (Op::TexelAtomic, Detail::Atomic(op)) => add(&word.ident, atomic_name(op), Helper::Atomic(id, op)),
                    (Op::TexelLoad, _) if atomic => add(&word.ident, "atomicLoad", Helper::Atomic(id, AtomicOp::Load)),
                    (Op::TexelStore, _) if atomic => add(&word.ident, "atomicStore", Helper::Atomic(id, AtomicOp::Store)),
                    _ => {}
                }
            });
        }
        Helpers(all)
    }

    pub(crate) fn named(&self, name: &str) -> Option<Helper> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, helper)| *helper)
    }

    /// What the function that stands for an operation is called.
    pub(crate) fn name(&self, helper: Helper) -> Option<&str> {
        self.0.iter().find(|(_, known)| *known == helper).map(|(name, _)| name.as_str())
    }

    /// The declarations of functions whose names satisfy a condition, and the textures that they name.
    pub(crate) fn declarations(
        &self,
        program: &Program,
        resources: &[ResourceWord],
        mentioned: &dyn Fn(&str) -> bool,
    ) -> (String, Vec<String>) {
        let (mut text, mut textures) = (String::new(), Vec::new());
        for (name, helper) in &self.0 {
            // One arithmetic function calls another.
            if !(mentioned(name) || (name == "mul_high" && mentioned("mul_high_signed"))) {
                continue;
            }
            if let Some((_, _, rest)) = FIXED.iter().find(|(fixed, ..)| fixed == name) {
                text.push_str(&format!("fn {name}{rest}\n"));
                continue;
            }
            let (Helper::Level(id) | Helper::Gather(id, _) | Helper::Position(id) | Helper::Atomic(id, _)) = *helper else {
                continue;
            };
            let Shape::Texture(shape) = program.interface.resource(id).shape else { continue };
            let word = &resources[id.index()];
            let texture = if matches!(helper, Helper::Gather(_, true)) { &word.depth } else { &word.ident };
            textures.push(texture.clone());
            text.push_str(&format!("fn {name}{}\n", body(*helper, &shape, texture)));
        }
        (text, textures)
    }
}

/// WGSL's name of what an atomic does.
pub(crate) fn atomic_name(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Add => "atomicAdd",
        AtomicOp::Sub => "atomicSub",
        AtomicOp::And => "atomicAnd",
        AtomicOp::Or => "atomicOr",
        AtomicOp::Xor => "atomicXor",
        AtomicOp::SMin | AtomicOp::UMin => "atomicMin",
        AtomicOp::SMax | AtomicOp::UMax => "atomicMax",
        AtomicOp::Exchange => "atomicExchange",
        AtomicOp::CompareExchange => "atomicCompareExchange",
        AtomicOp::Load => "atomicLoad",
        AtomicOp::Store => "atomicStore",
    }
}

/// Whether an operation is one that a texture's function stands for: it gives what WGSL's own do not.
pub(crate) fn has_own_function(op: AtomicOp, used: bool) -> bool {
    let plain = matches!(
        op,
        AtomicOp::Add
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::SMin
            | AtomicOp::UMin
            | AtomicOp::SMax
            | AtomicOp::UMax
    );
    used || !plain
}

/// Parameters and body of a texture's function.
fn body(helper: Helper, shape: &TextureShape, texture: &str) -> String {
    let axes = axes(shape.dimension);
    let float = Ty::F32.vector(axes);
    let (layer, layer_argument) = if shape.arrayed { (", layer: i32", ", layer") } else { ("", "") };
    let kind = Ty::of(shape.kind, Width::W32);
    match helper {
        Helper::Level(_) => {
            let flat = flattened(shape, false);
            let at = if flat { "vec2<f32>(coords, 0.5)" } else { "coords" };
            let layer = if shape.arrayed { ", 0" } else { "" };
            let size = match (shape.dimension, flat) {
                (Dimension::Cube, _) => {
                    format!("f32(textureDimensions({texture}).x) * 0.5 / max(max(abs(coords.x), abs(coords.y)), abs(coords.z))")
                }
                (_, true) => format!("f32(textureDimensions({texture}).x)"),
                (_, false) => format!("{float}(textureDimensions({texture}))"),
            };
            let square = |name: &str| if axes == 1 { format!("{name} * {name}") } else { format!("dot({name}, {name})") };
            format!(
                "(texture_sampler: sampler, coords: {float}) -> vec2<f32> {{
    _ = textureSampleLevel({texture}, texture_sampler, {at}{layer}, 0.0);
    let size = {size};
    let x = dpdx(coords) * size;
    let y = dpdy(coords) * size;
    let level = 0.5 * log2(max({}, {}));
    return vec2<f32>(clamp(level, 0.0, f32(textureNumLevels({texture}) - 1u)), level);
}}",
                square("x"),
                square("y")
            )
        }
        Helper::Gather(_, true) => format!(
            "(texture_sampler: sampler_comparison, coords: {float}{layer}, reference: f32, offset: vec2<i32>) -> vec4<f32> {{
    let at = coords + vec2<f32>(offset) / vec2<f32>(textureDimensions({texture}));
    return textureGatherCompare({texture}, texture_sampler, at{layer_argument}, reference);
}}"
        ),
        Helper::Gather(_, false) => {
            let gather = |component: u32| format!("textureGather({component}, {texture}, texture_sampler, at{layer_argument})");
            let cases: Vec<String> = (1..4).map(|at| format!("        case {at}: {{ return {}; }}\n", gather(at))).collect();
            format!(
                "(component: i32, texture_sampler: sampler, coords: {float}{layer}, offset: vec2<i32>) -> {} {{
    let at = coords + vec2<f32>(offset) / vec2<f32>(textureDimensions({texture}));
    switch component {{
{}        default: {{ return {}; }}
    }}
}}",
                kind.vector(4),
                cases.concat(),
                gather(0)
            )
        }
        Helper::Position(_) => {
            let count = if shape.arrayed { "textureNumLevels" } else { "textureNumSamples" };
            format!(
                "(index: u32) -> vec2<f32> {{
    // The places of four samples, in sixteenths.
    let places = array<vec2<f32>, 4>(vec2<f32>(-2.0, -6.0), vec2<f32>(6.0, -2.0), vec2<f32>(-6.0, 2.0), vec2<f32>(2.0, 6.0));
    return select(vec2<f32>(), places[index & 3u] / 16.0, {count}({texture}) == 4u && index < 4u);
}}"
            )
        }
        Helper::Atomic(_, op) => {
            let place = if flattened(shape, false) { "coords: i32".into() } else { format!("coords: {}", Ty::I32.vector(axes)) };
            let at = if flattened(shape, false) { "vec2<i32>(coords, 0)" } else { "coords" };
            let value = match op {
                AtomicOp::Load => String::new(),
                AtomicOp::CompareExchange => format!(", comparand: {0}, value: {0}", kind.name()),
                _ => format!(", value: {}", kind.name()),
            };
            let call = |what: &str, value: &str| format!("textureAtomic{what}({texture}, {at}{layer_argument}, {value})");
            let zero = kind.literal(0);
            let does = match op {
                AtomicOp::Load | AtomicOp::CompareExchange | AtomicOp::Sub => String::new(),
                AtomicOp::Exchange | AtomicOp::Store => format!("    {};\n    {};\n", call("And", &zero), call("Or", "value")),
                op => format!("    {};\n", call(atomic_name(op).trim_start_matches("atomic"), "value")),
            };
            let (result, back) = match op {
                AtomicOp::Store => (String::new(), String::new()),
                _ => {
                    (format!(" -> {}", kind.name()), format!("    // Textures of WGSL give no old value.\n    return {zero};\n"))
                }
            };
            format!("({place}{layer}{value}){result} {{\n{does}{back}}}")
        }
        _ => String::new(),
    }
}

/// How many coordinates a dimension has, layers apart.
pub(crate) fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

/// Whether an operation reads a texture and tells whether all of it was mapped.
pub(crate) fn has_status(op: Op) -> bool {
    matches!(op, Op::Sample | Op::Gather | Op::TexelLoad) && op.row().class != Class::Writes
}
