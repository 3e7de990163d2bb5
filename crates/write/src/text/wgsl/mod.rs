//! WGSL.

mod interface;

use super::print::{Binding, Dialect, Printer, Text};
use super::tree::{At, Axis, Binary, Builtin as Function, Expr, Lookup, Memory, Place, Question, Scalar, TexelStore, Type};
use crate::WriteError;
use gpuproof_program::{
    Access, AtomicOp, Barrier, Builtin, Derivative, Dialect as Rules, Dimension, Evaluation, InputId, Interpolation, IoVariable,
    Level, OutputId, ResourceId, Shape, Stage, TextureShape,
};
use interface::{inputs_declared, inputs_names, interface, memories, resources, used_inputs};
use std::fmt::Write;

/// Words that WGSL keeps for itself (Keyword Summary, Reserved Words), and names of its types and functions.
pub const RESERVED: &str = "main shade output Output NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await become break case cast \
catch class co_await co_return co_yield coherent column_major common compile compile_fragment concept const const_assert const_cast consteval \
constexpr constinit continue continuing crate debugger decltype default delete demote demote_to_helper diagnostic discard do dynamic_cast else \
enable enum explicit export extends extern external fallthrough false filter final finally fn for friend from fxgroup get goto groupshared \
highp if impl implements import inline instanceof interface layout let loop lowp macro macro_rules match mediump meta mod module move mut \
mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator override package \
packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register \
reinterpret_cast require requires resource restrict return self set shared sizeof smooth snorm static static_assert static_cast std struct \
subroutine super switch target template this thread_local throw trait true try type typedef typeid typename typeof union unless unorm unsafe \
unsized use using var varying virtual void volatile wgsl where while with writeonly yield \
bool i32 u32 f32 f16 f64 u64 i64 vec2 vec3 vec4 vec2f vec3f vec4f vec2u vec3u vec4u vec2i vec3i vec4i mat2x2 mat3x3 mat4x4 array atomic ptr \
sampler texture sampler_comparison binding_array abs acos all any asin atan atan2 bitcast ceil clamp cos cross degrees distance dot exp exp2 \
extractBits firstLeadingBit firstTrailingBit floor fma fract insertBits inverseSqrt length log log2 max min mix modf normalize pow radians \
reflect refract reverseBits round saturate select sign sin smoothstep sqrt step tan trunc transpose determinant countOneBits frexp ldexp";

/// The one dialect.
pub(super) const DIALECT: Wgsl = Wgsl;

/// What WGSL says in its own way.
pub(super) struct Wgsl;

impl Wgsl {
    /// The words that nothing else may be called.
    pub(super) fn reserved(&self) -> &'static str {
        RESERVED
    }
}

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::U32 => "u32",
        Scalar::I32 => "i32",
        Scalar::F32 => "f32",
    }
}

fn type_name(ty: Type) -> String {
    let size = ty.size;
    match (ty.scalar, size) {
        (own, 1) => scalar(own).into(),
        (Scalar::F32, _) => format!("vec{size}f"),
        (Scalar::U32, _) => format!("vec{size}u"),
        (Scalar::I32, _) => format!("vec{size}i"),
        (Scalar::Bool, _) => format!("vec{size}<bool>"),
    }
}

/// The name of a function that WGSL has.
fn function(builtin: Function) -> Option<&'static str> {
    Some(match builtin {
        Function::Sqrt => "sqrt",
        Function::Rsqrt => "inverseSqrt",
        Function::Exp2 => "exp2",
        Function::Log2 => "log2",
        Function::Exp => "exp",
        Function::Log => "log",
        Function::Sin => "sin",
        Function::Cos => "cos",
        Function::Asin => "asin",
        Function::Acos => "acos",
        Function::Atan => "atan",
        Function::Atan2 => "atan2",
        Function::Floor => "floor",
        Function::Ceil => "ceil",
        Function::Trunc => "trunc",
        Function::Round => "round",
        Function::Fract => "fract",
        Function::Abs => "abs",
        Function::Sign => "sign",
        Function::Ldexp => "ldexp",
        Function::Fma => "fma",
        Function::Dot => "dot",
        Function::Min | Function::MinLiteral => "min",
        Function::Max | Function::MaxLiteral => "max",
        Function::ExtractBits => "extractBits",
        Function::InsertBits => "insertBits",
        Function::ReverseBits => "reverseBits",
        Function::CountBits => "countOneBits",
        Function::FindLow => "firstTrailingBit",
        Function::FindHigh => "firstLeadingBit",
        Function::Derivative(Axis::X, Derivative::Coarse) => "dpdxCoarse",
        Function::Derivative(Axis::X, Derivative::Fine) => "dpdxFine",
        Function::Derivative(Axis::X, Derivative::Any) => "dpdx",
        Function::Derivative(Axis::Y, Derivative::Coarse) => "dpdyCoarse",
        Function::Derivative(Axis::Y, Derivative::Fine) => "dpdyFine",
        Function::Derivative(Axis::Y, Derivative::Any) => "dpdy",
        _ => return None,
    })
}

/// A function of vectors of one size that the module declares.
fn helper(builtin: Function, ty: Type, from: Type) -> Option<(String, String)> {
    let size = if from.size == 1 { String::new() } else { from.size.to_string() };
    let (out, arg) = (type_name(ty), type_name(from));
    let number = |x: &str| if from.size == 1 { format!("{x}f") } else { format!("{arg}({x})") };
    Some(match builtin {
        Function::MinNumber => (
            format!("min_number{size}"),
            format!("// The lesser; of a number and a NaN the number.\nfn min_number{size}(a: {arg}, b: {arg}) -> {out} {{\n    return select(select(b, a, a < b), a, b != b);\n}}\n"),
        ),
        Function::MaxNumber => (
            format!("max_number{size}"),
            format!("// The greater; of a number and a NaN the number.\nfn max_number{size}(a: {arg}, b: {arg}) -> {out} {{\n    return select(select(b, a, a >= b), a, b != b);\n}}\n"),
        ),
        Function::Saturate => (
            format!("saturate_number{size}"),
            format!(
                "// Into 0 to 1; NaN gives 0.\nfn saturate_number{size}(x: {arg}) -> {out} {{\n    return select({zero}, select(x, {one}, x >= {one}), x > {zero});\n}}\n",
                zero = number("0.0"),
                one = number("1.0")
            ),
        ),
        Function::ClampToInt => (
            format!("to_int{size}"),
            format!(
                "// Toward zero, clamped; NaN gives 0.\nfn to_int{size}(x: {arg}) -> {out} {{\n    return select(select({out}(x), {out}(2147483647i), x >= {end}), {out}(0i), x != x);\n}}\n",
                end = number("2147483648.0")
            ),
        ),
        Function::ClampToUint => (
            format!("to_uint{size}"),
            format!(
                "// Toward zero, clamped; NaN gives 0.\nfn to_uint{size}(x: {arg}) -> {out} {{\n    return select(select({out}(x), {out}(0xffffffffu), x >= {end}), {out}(0u), x != x);\n}}\n",
                end = number("4294967296.0")
            ),
        ),
        Function::MulHigh if from.size == 1 && from.scalar == Scalar::U32 => (
            "mul_high".into(),
            "// The high word of a product.\nfn mul_high(a: u32, b: u32) -> u32 {\n    let low = (a & 0xffffu) * (b & 0xffffu);\n    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);\n    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);\n    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);\n}\n".into(),
        ),
        _ => return None,
    })
}

/// The attribute, type and size of a builtin that a stage of its own supplies or takes.
fn builtin(variable: &IoVariable, stage: Stage, input: bool) -> Option<Option<(&'static str, Scalar, u8)>> {
    let Some(builtin) = variable.builtin else { return Some(None) };
    Some(Some(match (builtin, stage, input) {
        (Builtin::Position, Stage::Pixel, true) | (Builtin::Position, Stage::Vertex, false) => ("position", Scalar::F32, 4),
        (Builtin::VertexIndex, Stage::Vertex, true) => ("vertex_index", Scalar::U32, 1),
        (Builtin::InstanceIndex, Stage::Vertex, true) => ("instance_index", Scalar::U32, 1),
        (Builtin::FrontFacing, Stage::Pixel, true) => ("front_facing", Scalar::Bool, 1),
        (Builtin::SampleIndex, Stage::Pixel, true) => ("sample_index", Scalar::U32, 1),
        (Builtin::SampleMask, Stage::Pixel, _) => ("sample_mask", Scalar::U32, 1),
        (Builtin::FragDepth, Stage::Pixel, false) => ("frag_depth", Scalar::F32, 1),
        (Builtin::LocalInvocationId, Stage::Compute, true) => ("local_invocation_id", Scalar::U32, 3),
        (Builtin::LocalInvocationIndex, Stage::Compute, true) => ("local_invocation_index", Scalar::U32, 1),
        (Builtin::GlobalInvocationId, Stage::Compute, true) => ("global_invocation_id", Scalar::U32, 3),
        (Builtin::WorkgroupId, Stage::Compute, true) => ("workgroup_id", Scalar::U32, 3),
        (Builtin::NumWorkgroups, Stage::Compute, true) => ("num_workgroups", Scalar::U32, 3),
        _ => return None,
    }))
}

fn interpolation(interpolation: Interpolation, scalar: Scalar) -> &'static str {
    match interpolation {
        _ if scalar != Scalar::F32 => "@interpolate(flat) ",
        Interpolation::Linear => "",
        Interpolation::LinearCentroid => "@interpolate(perspective, centroid) ",
        Interpolation::LinearSample => "@interpolate(perspective, sample) ",
        Interpolation::NoPerspective => "@interpolate(linear) ",
        Interpolation::NoPerspectiveCentroid => "@interpolate(linear, centroid) ",
        Interpolation::NoPerspectiveSample => "@interpolate(linear, sample) ",
        Interpolation::Flat => "@interpolate(flat) ",
    }
}

fn lacks(print: &Printer<'_>, what: impl std::fmt::Display) -> WriteError {
    WriteError::whole(format!("{what}, which {} has nothing for", print.module.language.name()))
}

/// The type of a texture.
fn texture_type(print: &Printer<'_>, id: ResourceId, shape: &TextureShape) -> Result<String, WriteError> {
    let resource = print.module.program.interface.resource(id);
    let uses = &print.module.uses;
    let dimension = match shape.dimension {
        Dimension::Buffer => return Err(lacks(print, format!("a typed buffer ({})", resource.name))),
        Dimension::D1 => "1d",
        Dimension::D2 => "2d",
        Dimension::D3 => "3d",
        Dimension::Cube => "cube",
    };
    let array = if shape.arrayed { "_array" } else { "" };
    let odd = shape.arrayed && (shape.dimension == Dimension::D1 || shape.multisampled);
    if odd {
        return Err(lacks(print, format!("a texture of this shape ({})", resource.name)));
    }
    let number = Scalar::of(shape.kind, gpuproof_program::Width::W32);
    if resource.access != Access::Read {
        if shape.dimension == Dimension::Cube || shape.multisampled {
            return Err(lacks(print, format!("a written texture of this shape ({})", resource.name)));
        }
        let atomic = uses.atomic.get(&Memory::Resource(id));
        let format = match (atomic, number) {
            (Some(Scalar::I32), _) => "r32sint",
            (Some(_), _) => "r32uint",
            (None, Scalar::I32) => "rgba32sint",
            (None, Scalar::U32) => "rgba32uint",
            _ => "rgba32float",
        };
        let access = match (atomic, uses.read.contains(&id)) {
            (Some(_), _) => "atomic",
            (None, true) => "read_write",
            (None, false) => "write",
        };
        return Ok(format!("texture_storage_{dimension}{array}<{format}, {access}>"));
    }
    match (uses.compared.contains(&id), uses.plain.contains(&id)) {
        (true, true) => Err(lacks(print, format!("a texture that is read both with and without comparison ({})", resource.name))),
        (true, false) if shape.dimension == Dimension::D1 => {
            Err(lacks(print, format!("a depth texture of one dimension ({})", resource.name)))
        }
        (true, false) => Ok(format!("texture_depth_{dimension}{array}")),
        _ => {
            let multisampled = if shape.multisampled { "multisampled_" } else { "" };
            Ok(format!("texture_{multisampled}{dimension}{array}<{}>", scalar(number)))
        }
    }
}

fn in_array(ty: &str, count: Option<u32>) -> String {
    match count {
        Some(1) => ty.into(),
        Some(count) => format!("binding_array<{ty}, {count}>"),
        None => format!("binding_array<{ty}>"),
    }
}

/// The member that holds a memory of a binding array, whose elements are structures.
const HELD: &str = "held";

/// The memory of a place as text, before what finds the word in it.
fn root(print: &Printer<'_>, memory: Memory, element: Option<&Expr>) -> Result<String, WriteError> {
    let name = print.module.name(memory);
    Ok(match element {
        None => name.into(),
        Some(element) => format!("{name}[{}].{HELD}", print.text(element)?),
    })
}

/// A texture as text.
fn texture(print: &Printer<'_>, id: ResourceId, element: Option<&Expr>) -> Result<String, WriteError> {
    let name = print.module.name(Memory::Resource(id));
    Ok(match element {
        None => name.into(),
        Some(element) => format!("{name}[{}]", print.text(element)?),
    })
}

/// The least texel offset of a read, or its components where they are constants.
fn constants(expr: &Expr) -> Option<Vec<i32>> {
    use super::tree::Kind;
    match &expr.kind {
        Kind::Literal(bits) => Some(vec![*bits as i32]),
        Kind::Vector(parts) => {
            let all: Option<Vec<i32>> = parts.iter().map(|part| constants(part)?.first().copied()).collect();
            let all = all?;
            Some(if all.len() == 1 { vec![all[0]; expr.size()] } else { all })
        }
        _ => None,
    }
}

impl Dialect for Wgsl {
    fn ty(&self, ty: Type) -> String {
        type_name(ty)
    }

    fn literal(&self, print: &Printer<'_>, scalar: Scalar, bits: u32) -> Text {
        match scalar {
            Scalar::Bool => Text::tight(if bits == 0 { "false" } else { "true" }),
            Scalar::U32 if bits > 0xffff => Text::tight(format!("{bits:#x}u")),
            Scalar::U32 => Text::tight(format!("{bits}u")),
            Scalar::I32 if bits == 0x8000_0000 => Text::tight("i32(-2147483648)"),
            Scalar::I32 if (bits as i32) < 0 => Text::bound(format!("{}i", bits as i32), Binding::Sign),
            Scalar::I32 => Text::tight(format!("{}i", bits as i32)),
            Scalar::F32 => {
                let x = f32::from_bits(bits);
                if !x.is_finite() {
                    // A constant expression may not be an infinity or NaN, so the bits come from a variable.
                    let name = format!("bits_{bits:08x}");
                    print.helper(&name, || format!("var<private> {name}: u32 = {bits:#x}u;\n"));
                    return Text::tight(format!("bitcast<f32>({name})"));
                }
                // With a suffix, since numbers without one are computed with more digits among themselves.
                let text = format!("{x:?}f");
                if text.starts_with('-') { Text::bound(text, Binding::Sign) } else { Text::tight(text) }
            }
        }
    }

    fn cast(&self, _: Scalar, ty: Type, text: String) -> Text {
        Text::tight(format!("bitcast<{}>({text})", type_name(ty)))
    }

    fn select(&self, _: Type, [condition, yes, no]: [Text; 3]) -> Text {
        Text::tight(format!("select({}, {}, {})", no.text, yes.text, condition.text))
    }

    fn builtin(
        &self,
        print: &Printer<'_>,
        builtin: Function,
        ty: Type,
        args: &[Expr],
        texts: Vec<Text>,
    ) -> Result<Text, WriteError> {
        let list: Vec<String> = texts.into_iter().map(|text| text.text).collect();
        let list = list.join(", ");
        if let Some(name) = function(builtin) {
            return Ok(Text::tight(format!("{name}({list})")));
        }
        if builtin == Function::HalfToFloat && ty.size == 1 {
            return Ok(Text::tight(format!("unpack2x16float({list}).x")));
        }
        let from = args.first().map_or(ty, |arg| arg.ty);
        let (name, text) = helper(builtin, ty, from).ok_or_else(|| lacks(print, format!("{builtin:?}")))?;
        print.helper(&name, || text);
        Ok(Text::tight(format!("{name}({list})")))
    }

    fn sets_components(&self) -> bool {
        false
    }

    fn binds(&self, name: &str, _: Type, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn variable(&self, name: &str, ty: Type, value: Option<&str>) -> String {
        match value {
            Some(value) => format!("var {name}: {} = {value};", type_name(ty)),
            None => format!("var {name}: {};", type_name(ty)),
        }
    }

    fn repeat(&self, once: bool) -> (&'static str, &'static str) {
        if once { ("loop {", "    break;\n}") } else { ("loop {", "}") }
    }

    fn arm(&self, selectors: &[u32], is_default: bool) -> (String, &'static str) {
        let mut all: Vec<String> = selectors.iter().map(|bits| format!("{bits}u")).collect();
        if is_default && all.is_empty() {
            return ("default: {".into(), "");
        }
        if is_default {
            all.push("default".into());
        }
        (format!("case {}: {{", all.join(", ")), "")
    }

    fn switch(&self, selector: &str) -> String {
        format!("switch {selector} {{")
    }

    fn input(&self, print: &Printer<'_>, id: InputId) -> Text {
        Text::tight(&print.module.idents.inputs[id.index()])
    }

    fn output(&self, print: &Printer<'_>, id: OutputId) -> Text {
        Text::tight(format!("output.{}", print.module.idents.outputs[id.index()]))
    }

    fn input_at(&self, print: &Printer<'_>, _: InputId, _: Evaluation, _: &[Text]) -> Result<Text, WriteError> {
        Err(lacks(print, "an input evaluated elsewhere in the pixel"))
    }

    fn load(&self, print: &Printer<'_>, place: &Place) -> Result<Text, WriteError> {
        let name = root(print, place.memory, place.element.as_ref())?;
        let at = print.place(&name, place)?;
        Ok(Text::tight(if print.module.uses.atomic.contains_key(&place.memory) { format!("atomicLoad(&{at})") } else { at }))
    }

    fn store(&self, print: &Printer<'_>, place: &Place, value: &Expr) -> Result<String, WriteError> {
        let name = root(print, place.memory, place.element.as_ref())?;
        let (at, text) = (print.place(&name, place)?, print.text(value)?);
        Ok(match print.module.uses.atomic.get(&place.memory) {
            Some(scalar) => {
                let value = print.text(&value.clone().cast(*scalar))?;
                format!("atomicStore(&{at}, {value});")
            }
            None => format!("{at} = {text};"),
        })
    }

    fn atomic(&self, print: &Printer<'_>, place: &Place, op: AtomicOp, values: &[Expr], alone: bool) -> Result<Text, WriteError> {
        let number = print.module.uses.atomic.get(&place.memory).copied().unwrap_or(Scalar::U32);
        let mut list = Vec::new();
        for value in values {
            list.push(print.text(&value.clone().cast(number))?);
        }
        let unsigned_on_signed = number == Scalar::I32 && matches!(op, AtomicOp::UMin | AtomicOp::UMax);
        if unsigned_on_signed {
            return Err(lacks(print, "signed and unsigned minima or maxima on one memory"));
        }
        let name = match op {
            AtomicOp::Add => "Add",
            AtomicOp::Sub => "Sub",
            AtomicOp::And => "And",
            AtomicOp::Or => "Or",
            AtomicOp::Xor => "Xor",
            AtomicOp::SMin | AtomicOp::UMin => "Min",
            AtomicOp::SMax | AtomicOp::UMax => "Max",
            AtomicOp::Exchange => "Exchange",
            AtomicOp::Load => "Load",
            AtomicOp::Store => "Store",
            AtomicOp::CompareExchange => "CompareExchangeWeak",
        };
        if let (At::Texel(at, layer), Memory::Resource(id)) = (&place.at, place.memory) {
            if !alone || matches!(op, AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange | AtomicOp::CompareExchange) {
                return Err(lacks(print, "the old value of an atomic on a texture"));
            }
            let mut all = vec![texture(print, id, place.element.as_ref())?, print.text(at)?];
            all.extend(layer.as_ref().map(|layer| print.text(layer)).transpose()?);
            all.extend(list);
            return Ok(Text::tight(format!("textureAtomic{name}({})", all.join(", "))));
        }
        let root = root(print, place.memory, place.element.as_ref())?;
        let at = print.place(&root, place)?;
        if op == AtomicOp::Store && !alone {
            return Err(lacks(print, "the old value of an atomic store"));
        }
        if op == AtomicOp::CompareExchange {
            // WGSL has the comparand first; the weak form may fail where it would succeed, so it is tried again.
            let [value, comparand] = list.as_slice() else { return Err(lacks(print, "this atomic")) };
            let call = format!("atomicCompareExchangeWeak(&{at}, {comparand}, {value})");
            return Ok(Text::tight(if alone { format!("_ = {call}") } else { format!("{call}.old_value") }));
        }
        let mut all = vec![format!("&{at}")];
        all.extend(list);
        Ok(Text::tight(format!("atomic{name}({})", all.join(", "))))
    }

    fn lookup(&self, print: &Printer<'_>, lookup: &Lookup, _: Type) -> Result<Text, WriteError> {
        let name = texture(print, lookup.texture, lookup.element.as_ref())?;
        let shape = &lookup.shape;
        let stored = print.module.program.interface.resource(lookup.texture).access != Access::Read;
        let text = |expr: &Option<Expr>| expr.as_ref().map(|expr| print.text(expr)).transpose();
        let (coordinates, layer, level) = (text(&lookup.coordinates)?, text(&lookup.layer)?, text(&lookup.level)?);
        let mut list = vec![name];
        let question = match lookup.question {
            Question::Size => {
                if !stored && !shape.multisampled {
                    list.extend(level);
                }
                return Ok(Text::tight(format!("textureDimensions({})", list.join(", "))));
            }
            Question::Layers => return Ok(Text::tight(format!("textureNumLayers({})", list[0]))),
            Question::Levels if stored || shape.multisampled => return Ok(Text::tight("1u")),
            Question::Levels => return Ok(Text::tight(format!("textureNumLevels({})", list[0]))),
            Question::Samples if shape.multisampled => return Ok(Text::tight(format!("textureNumSamples({})", list[0]))),
            Question::Samples => return Ok(Text::tight("1u")),
            Question::Level => return Err(lacks(print, "the level that sampling would use")),
            Question::Load => {
                if shape.dimension == Dimension::Cube {
                    return Err(lacks(print, "texels of cubes by their place"));
                }
                list.extend(coordinates.into_iter().chain(layer));
                if !stored {
                    list.push(level.unwrap_or_else(|| "0".into()));
                }
                return Ok(Text::tight(format!("textureLoad({})", list.join(", "))));
            }
            Question::Sample(sampling) => (sampling, false),
            Question::Gather(sampling) => (sampling, true),
        };
        let (sampling, gather) = question;
        let odd = shape.dimension == Dimension::D1 && (gather || sampling.level != Level::Implicit || lookup.offset.is_some());
        if odd {
            return Err(lacks(print, "levels and offsets of textures of one dimension"));
        }
        if lookup.clamp.is_some() {
            return Err(lacks(print, "a least level of detail"));
        }
        if shape.dimension == Dimension::D3 && gather {
            return Err(lacks(print, "a gather of a texture of three dimensions"));
        }
        if gather && !sampling.compare {
            list.insert(0, sampling.component.to_string());
        }
        if let Some((sampler, element)) = &lookup.sampler {
            let name = &print.module.idents.samplers[sampler.index()];
            list.push(match element {
                None => name.clone(),
                Some(element) => format!("{name}[{}]", print.text(element)?),
            });
        }
        list.extend(coordinates);
        // The layer is a float in the Program, and rounded to the nearest even (D3D11 7.18.6).
        list.extend(layer.map(|layer| format!("i32(round({layer}))")));
        list.extend(text(&lookup.reference)?);
        let name = match (gather, sampling.compare, sampling.level) {
            (true, false, _) => "textureGather",
            (true, true, _) => "textureGatherCompare",
            (false, true, Level::Implicit) => "textureSampleCompare",
            (false, true, Level::Zero) => "textureSampleCompareLevel",
            (false, true, _) => return Err(lacks(print, "a comparison with a level, a bias or gradients")),
            (false, false, _) if sampling.base_clamp_to_edge => "textureSampleBaseClampToEdge",
            (false, false, Level::Implicit) => "textureSample",
            (false, false, Level::Bias) => "textureSampleBias",
            (false, false, Level::Gradient) => "textureSampleGrad",
            (false, false, Level::Explicit | Level::Zero) => "textureSampleLevel",
        };
        match (gather, sampling.compare, sampling.level) {
            (false, false, Level::Zero) if !sampling.base_clamp_to_edge => list.push("0.0".into()),
            (false, false, _) => list.extend(level),
            _ => {}
        }
        for gradient in lookup.gradients.iter().flatten() {
            list.push(print.text(gradient)?);
        }
        if let Some(offset) = &lookup.offset {
            let offsets = constants(offset).filter(|all| all.iter().all(|at| (-8..8).contains(at)));
            let Some(offsets) = offsets else { return Err(lacks(print, "texel offsets that are computed")) };
            let texts: Vec<String> = offsets.iter().map(i32::to_string).collect();
            list.push(format!("vec{}i({})", texts.len(), texts.join(", ")));
        }
        Ok(Text::tight(format!("{name}({})", list.join(", "))))
    }

    fn texel_store(&self, print: &Printer<'_>, store: &TexelStore) -> Result<String, WriteError> {
        let mut list = vec![texture(print, store.texture, store.element.as_ref())?, print.text(&store.coordinates)?];
        list.extend(store.layer.as_ref().map(|layer| print.text(layer)).transpose()?);
        list.push(print.text(&store.value)?);
        Ok(format!("textureStore({});", list.join(", ")))
    }

    fn buffer_size(&self, print: &Printer<'_>, id: ResourceId, element: Option<&Expr>) -> Result<Text, WriteError> {
        let name = root(print, Memory::Resource(id), element)?;
        Ok(match print.module.program.interface.resource(id).shape {
            Shape::Structured { .. } => Text::tight(format!("arrayLength(&{name})")),
            Shape::Buffer { .. } => Text::bound(format!("arrayLength(&{name}) * 4u"), Binding::Product),
            _ => return Err(lacks(print, "the size of this buffer")),
        })
    }

    fn counter(
        &self,
        print: &Printer<'_>,
        id: ResourceId,
        element: Option<&Expr>,
        up: bool,
        alone: bool,
    ) -> Result<Text, WriteError> {
        let name = &print.module.idents.counters[id.index()];
        let name = match element {
            None => name.clone(),
            Some(element) => format!("{name}[{}].{HELD}", print.text(element)?),
        };
        Ok(match (up, alone) {
            (true, _) => Text::tight(format!("atomicAdd(&{name}, 1u)")),
            (false, true) => Text::tight(format!("atomicSub(&{name}, 1u)")),
            (false, false) => Text::bound(format!("atomicSub(&{name}, 1u) - 1u"), Binding::Sum),
        })
    }

    fn discard(&self) -> &'static str {
        "discard;"
    }

    fn leave(&self, _: &Printer<'_>) -> &'static str {
        "return;"
    }

    fn barrier(&self, barrier: Barrier) -> Result<Vec<&'static str>, WriteError> {
        let mut all = Vec::new();
        if barrier.group && (barrier.shared || barrier.resources.is_none()) {
            all.push("workgroupBarrier();");
        }
        if barrier.group && barrier.resources.is_some() {
            all.push("storageBarrier();");
        }
        // WGSL has no fence that does not wait; its atomics are relaxed.
        Ok(all)
    }

    fn logical(&self, op: Binary) -> (&'static str, Binding) {
        if op == Binary::And { ("&&", Binding::And) } else { ("||", Binding::Or) }
    }

    fn module(&self, print: &Printer<'_>, body: &str) -> Result<String, WriteError> {
        let mut out = String::new();
        let module = print.module;
        let program = module.program;
        let (inputs, members, stage_line) = interface(print)?;
        if program.interface.resources.iter().any(|resource| resource.count != Some(1))
            || program.interface.samplers.iter().any(|sampler| sampler.count != Some(1))
        {
            out.push_str("enable wgpu_binding_array;\n\n");
        }
        resources(print, &mut out)?;
        memories(print, &mut out);
        if !members.is_empty() {
            let _ = writeln!(out, "struct Output {{\n{}}}\n\nvar<private> output: Output;\n", members.concat());
        }
        out.push_str(&print.helpers());
        let params: String = inputs.iter().map(|input| format!("    {input},\n")).collect();
        let params = if params.is_empty() { String::new() } else { format!("\n{params}") };
        let names: Vec<String> = inputs_names(print);
        let as_they_are = used_inputs(print).into_iter().map(|at| &module.idents.inputs[at]).eq(&names);
        if members.is_empty() && as_they_are {
            let _ = write!(out, "{stage_line}\nfn main({params}) {{\n{body}}}\n");
            return Ok(out);
        }
        // Returns from the middle of it are those of a function of its own.
        let declared: Vec<String> = inputs_declared(print);
        let _ = write!(out, "fn shade({}) {{\n{body}}}\n\n", declared.join(", "));
        if members.is_empty() {
            let _ = write!(out, "{stage_line}\nfn main({params}) {{\n    shade({});\n}}\n", names.join(", "));
            return Ok(out);
        }
        let _ = write!(
            out,
            "{stage_line}\nfn main({params}) -> Output {{\n    shade({});\n    return output;\n}}\n",
            names.join(", ")
        );
        Ok(out)
    }
}
