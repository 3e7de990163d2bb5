//! GLSL for Vulkan, which glslang makes SPIR-V of.

mod interface;

use super::print::{Binding, Dialect, Printer, Text};
use super::tree::{At, Axis, Binary, Builtin as Function, Expr, Lookup, Memory, Place, Question, Scalar, TexelStore, Type};
use crate::WriteError;
use gpuproof_program::{
    Access, AtomicOp, Barrier, BarrierScope, Builtin, Derivative, Dialect as Rules, Dimension, Evaluation, InputId,
    Interpolation, Level, OutputId, ResourceId, Shape, Stage, TextureShape, Width,
};
use interface::{interface, memories, resources};
use std::fmt::Write;

/// Words that GLSL keeps for itself, and names of its types and functions.
const RESERVED: &str = "main shade active asm atomic_uint attribute bool break buffer bvec2 bvec3 bvec4 case cast centroid class coherent common const \
continue default demote discard dmat2 dmat3 dmat4 do double dvec2 dvec3 dvec4 else enum extern external false filter fixed flat float for fvec2 fvec3 fvec4 \
goto half highp hvec2 hvec3 hvec4 if iimage1D iimage2D iimage3D image1D image2D image3D in inline inout input int interface invariant isampler1D isampler2D \
isampler3D ivec2 ivec3 ivec4 layout long lowp mat2 mat3 mat4 mediump namespace noinline noperspective nonuniformEXT out output packed partition patch precise \
precision public readonly resource restrict return sample sampler samplerShadow sampler1D sampler2D sampler3D samplerCube shared short sizeof smooth static struct \
subroutine superp switch template texture texture1D texture2D texture3D textureCube this true typedef uint uimage1D uimage2D uimage3D uniform union unsigned \
usampler1D usampler2D usampler3D using utexture1D utexture2D utexture3D uvec2 uvec3 uvec4 varying vec2 vec3 vec4 void volatile while writeonly \
abs acos acosh all any asin asinh atan atanh barrier bitCount bitfieldExtract bitfieldInsert bitfieldReverse ceil clamp cos cosh cross dFdx dFdy degrees determinant \
distance dot equal exp exp2 faceforward findLSB findMSB floatBitsToInt floatBitsToUint floor fma fract frexp fwidth greaterThan greaterThanEqual imageLoad imageSize \
imageStore intBitsToFloat interpolateAtCentroid interpolateAtOffset interpolateAtSample inverse inversesqrt isinf isnan ldexp length lessThan lessThanEqual log log2 \
matrixCompMult max min mix mod modf noise1 normalize not notEqual outerProduct pow radians reflect refract round roundEven sign sin sinh smoothstep sqrt step tan tanh \
texelFetch textureGather textureGrad textureLod textureQueryLevels textureQueryLod textureSamples textureSize transpose trunc uintBitsToFloat unpackHalf2x16 ";

/// The one dialect.
pub(super) const DIALECT: Glsl = Glsl;

/// What GLSL says in its own way.
pub(super) struct Glsl;

impl Glsl {
    /// The words that nothing else may be called.
    pub(super) fn reserved(&self) -> &'static str {
        RESERVED
    }
}

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::U32 => "uint",
        Scalar::I32 => "int",
        Scalar::F32 => "float",
    }
}

/// The letter before the names of types of vectors, textures and images.
fn letter(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "b",
        Scalar::U32 => "u",
        Scalar::I32 => "i",
        Scalar::F32 => "",
    }
}

fn type_name(ty: Type) -> String {
    match ty.size {
        1 => scalar(ty.scalar).into(),
        size => format!("{}vec{size}", letter(ty.scalar)),
    }
}

fn function(builtin: Function) -> Option<&'static str> {
    Some(match builtin {
        Function::Sqrt => "sqrt",
        Function::Rsqrt => "inversesqrt",
        Function::Exp2 => "exp2",
        Function::Log2 => "log2",
        Function::Exp => "exp",
        Function::Log => "log",
        Function::Sin => "sin",
        Function::Cos => "cos",
        Function::Asin => "asin",
        Function::Acos => "acos",
        Function::Atan | Function::Atan2 => "atan",
        Function::Floor => "floor",
        Function::Ceil => "ceil",
        Function::Trunc => "trunc",
        Function::Round => "roundEven",
        Function::Fract => "fract",
        Function::Abs => "abs",
        Function::Ldexp => "ldexp",
        Function::Fma => "fma",
        Function::Dot => "dot",
        Function::Min => "min",
        Function::Max => "max",
        Function::ReverseBits => "bitfieldReverse",
        Function::Derivative(Axis::X, Derivative::Coarse) => "dFdxCoarse",
        Function::Derivative(Axis::X, Derivative::Fine) => "dFdxFine",
        Function::Derivative(Axis::X, Derivative::Any) => "dFdx",
        Function::Derivative(Axis::Y, Derivative::Coarse) => "dFdyCoarse",
        Function::Derivative(Axis::Y, Derivative::Fine) => "dFdyFine",
        Function::Derivative(Axis::Y, Derivative::Any) => "dFdy",
        _ => return None,
    })
}

/// A function of vectors of one size that the module declares: its name and its value.
fn helper(builtin: Function, size: u8) -> Option<(&'static str, &'static str, String)> {
    let one = size == 1;
    let choose = |condition: &str, yes: &str, no: &str| match one {
        true => format!("({condition} ? {yes} : {no})"),
        false => format!("mix({no}, {yes}, {condition})"),
    };
    let test = |name: &str, symbol: &str, a: &str, b: &str| match one {
        true => format!("({a} {symbol} {b})"),
        false => format!("{name}({a}, {b})"),
    };
    let number = |x: &str| if one { x.to_string() } else { format!("vec{size}({x})") };
    let less = |a: &str, b: &str| test("lessThan", "<", a, b);
    let least = |a: &str, b: &str| test("greaterThanEqual", ">=", a, b);
    let nan = |x: &str| test("notEqual", "!=", x, x);
    let (zero, unit) = (number("0.0"), number("1.0"));
    Some(match builtin {
        Function::MinNumber => ("min_number", "a, b", choose(&nan("b"), "a", &choose(&less("a", "b"), "a", "b"))),
        Function::MaxNumber => ("max_number", "a, b", choose(&nan("b"), "a", &choose(&least("a", "b"), "a", "b"))),
        Function::MinLiteral => ("min_literal", "a, b", choose(&less("b", "a"), "b", "a")),
        Function::MaxLiteral => ("max_literal", "a, b", choose(&less("a", "b"), "b", "a")),
        Function::Saturate => {
            let high = choose(&least("a", &unit), &unit, "a");
            ("saturate", "a", choose(&less(&zero, "a"), &high, &zero))
        }
        _ => return None,
    })
}

fn lacks(what: impl std::fmt::Display) -> WriteError {
    WriteError::whole(format!("{what}, which GLSL has nothing for"))
}

/// What a memory is called before what finds the word in it.
fn root(print: &Printer<'_>, memory: Memory, element: Option<&Expr>) -> Result<String, WriteError> {
    let name = print.module.name(memory);
    Ok(match (memory, element) {
        (Memory::Resource(_), None) => format!("{name}.rows"),
        (Memory::Resource(_), Some(element)) => format!("{name}[nonuniformEXT({})].rows", print.text(element)?),
        _ => name.into(),
    })
}

/// A texture or sampler as text.
fn opaque(print: &Printer<'_>, name: &str, element: Option<&Expr>) -> Result<String, WriteError> {
    Ok(match element {
        None => name.into(),
        Some(element) => format!("{name}[nonuniformEXT({})]", print.text(element)?),
    })
}

/// `2DArray` and its like.
fn shape_name(shape: &TextureShape) -> String {
    let dimension = match shape.dimension {
        Dimension::Buffer => "Buffer",
        Dimension::D1 => "1D",
        Dimension::D2 if shape.multisampled => "2DMS",
        Dimension::D2 => "2D",
        Dimension::D3 => "3D",
        Dimension::Cube => "Cube",
    };
    format!("{dimension}{}", if shape.arrayed { "Array" } else { "" })
}

fn is_stored(print: &Printer<'_>, id: ResourceId) -> bool {
    print.module.program.interface.resource(id).access != Access::Read
}

/// Integers as one place of a texel: coordinates, then the layer.
fn texel(print: &Printer<'_>, coordinates: &Expr, layer: Option<&Expr>) -> Result<String, WriteError> {
    let at = print.text(coordinates)?;
    Ok(match layer {
        None => at,
        Some(layer) => format!("ivec{}({at}, {})", coordinates.size() + 1, print.text(layer)?),
    })
}

impl Dialect for Glsl {
    fn ty(&self, ty: Type) -> String {
        type_name(ty)
    }

    fn literal(&self, _: &Printer<'_>, scalar: Scalar, bits: u32) -> Text {
        match scalar {
            Scalar::Bool => Text::tight(if bits == 0 { "false" } else { "true" }),
            Scalar::U32 if bits > 0xffff => Text::tight(format!("{bits:#x}u")),
            Scalar::U32 => Text::tight(format!("{bits}u")),
            Scalar::I32 if bits == 0x8000_0000 => Text::tight("int(0x80000000u)"),
            Scalar::I32 if (bits as i32) < 0 => Text::bound(format!("{}", bits as i32), Binding::Sign),
            Scalar::I32 => Text::tight(format!("{}", bits as i32)),
            Scalar::F32 => {
                let x = f32::from_bits(bits);
                if !x.is_finite() || x.is_subnormal() {
                    return Text::tight(format!("uintBitsToFloat({bits:#x}u)"));
                }
                let text = format!("{x:?}");
                if text.starts_with('-') { Text::bound(text, Binding::Sign) } else { Text::tight(text) }
            }
        }
    }

    fn cast(&self, from: Scalar, ty: Type, text: String) -> Text {
        Text::tight(match (from, ty.scalar) {
            (Scalar::F32, Scalar::U32) => format!("floatBitsToUint({text})"),
            (Scalar::F32, Scalar::I32) => format!("floatBitsToInt({text})"),
            (Scalar::U32, Scalar::F32) => format!("uintBitsToFloat({text})"),
            (Scalar::I32, Scalar::F32) => format!("intBitsToFloat({text})"),
            _ => format!("{}({text})", type_name(ty)),
        })
    }

    fn select(&self, ty: Type, [condition, yes, no]: [Text; 3]) -> Text {
        if ty.size > 1 {
            return Text::tight(format!("mix({}, {}, {})", no.text, yes.text, condition.text));
        }
        let [condition, yes, no] = [condition, yes, no].map(|text| text.inside(Binding::Choice, false));
        Text::bound(format!("{condition} ? {yes} : {no}"), Binding::Choice)
    }

    fn vector_operator(&self, op: Binary, operands: Type, [a, b]: [&Text; 2]) -> Option<Text> {
        let (a, b, size) = (&a.text, &b.text, operands.size);
        if b.is_empty() {
            return Some(Text::tight(format!("not({a})")));
        }
        let truth = operands.scalar == Scalar::Bool;
        let name = match op {
            Binary::And if truth => return Some(Text::tight(format!("mix(bvec{size}(false), {b}, {a})"))),
            Binary::Or if truth => return Some(Text::tight(format!("mix({b}, bvec{size}(true), {a})"))),
            Binary::Xor if truth => "notEqual",
            Binary::Eq => "equal",
            Binary::Ne => "notEqual",
            Binary::Lt => "lessThan",
            Binary::Le => "lessThanEqual",
            Binary::Gt => "greaterThan",
            Binary::Ge => "greaterThanEqual",
            _ => return None,
        };
        Some(Text::tight(format!("{name}({a}, {b})")))
    }

    fn builtin(
        &self,
        print: &Printer<'_>,
        builtin: Function,
        ty: Type,
        args: &[Expr],
        texts: Vec<Text>,
    ) -> Result<Text, WriteError> {
        let texts: Vec<String> = texts.into_iter().map(|text| text.text).collect();
        let list = texts.join(", ");
        if let Some(name) = function(builtin) {
            return Ok(Text::tight(format!("{name}({list})")));
        }
        let own = type_name(ty);
        Ok(Text::tight(match (builtin, texts.as_slice()) {
            // The conversion of what lies inside the range.
            (Function::ClampToInt | Function::ClampToUint, _) => format!("{own}({list})"),
            (Function::CountBits, _) => format!("{own}(bitCount({list}))"),
            (Function::FindLow, _) => format!("{own}(findLSB({list}))"),
            (Function::FindHigh, _) => format!("{own}(findMSB({list}))"),
            (Function::ExtractBits, [x, offset, count]) => format!("bitfieldExtract({x}, int({offset}), int({count}))"),
            (Function::InsertBits, [x, inserted, offset, count]) => {
                format!("bitfieldInsert({x}, {inserted}, int({offset}), int({count}))")
            }
            (Function::HalfToFloat, _) if ty.size == 1 => format!("unpackHalf2x16({list}).x"),
            (Function::MulHigh, _) if args.first().is_some_and(|arg| arg.ty == Type::new(Scalar::U32, 1)) => {
                print.helper("mul_high", || super::print::MUL_HIGH.replace("u32", "uint"));
                format!("mul_high({list})")
            }
            _ => {
                let (name, params, value) = helper(builtin, ty.size).ok_or_else(|| lacks(format!("{builtin:?}")))?;
                let name = if ty.size == 1 { name.to_string() } else { format!("{name}{}", ty.size) };
                let params: Vec<String> = params.split(", ").map(|param| format!("{own} {param}")).collect();
                print.helper(&name, || format!("{own} {name}({}) {{\n    return {value};\n}}\n", params.join(", ")));
                format!("{name}({list})")
            }
        }))
    }

    fn binds(&self, name: &str, ty: Type, value: &str) -> String {
        format!("{} {name} = {value};", type_name(ty))
    }

    fn variable(&self, name: &str, ty: Type, value: Option<&str>) -> String {
        match value {
            Some(value) => format!("{} {name} = {value};", type_name(ty)),
            None => format!("{} {name};", type_name(ty)),
        }
    }

    fn repeat(&self, once: bool) -> (&'static str, &'static str) {
        if once { ("do {", "} while (false);") } else { ("while (true) {", "}") }
    }

    fn arm(&self, selectors: &[u32], is_default: bool) -> (String, &'static str) {
        let mut head: Vec<String> = selectors.iter().map(|bits| format!("case {bits}u:")).collect();
        if is_default {
            head.push("default:".into());
        }
        (format!("{} {{", head.join(" ")), "break;")
    }

    fn switch(&self, selector: &str) -> String {
        format!("switch ({selector}) {{")
    }

    fn input(&self, print: &Printer<'_>, id: InputId) -> Text {
        let name = &print.module.idents.inputs[id.index()];
        let program = print.module.program;
        let Some(builtin) = program.interface.input(id).builtin else { return Text::tight(name) };
        Text::tight(match (builtin, program.stage) {
            // Direct3D gives w, Vulkan 1 / w.
            (Builtin::Position, Stage::Pixel) if program.dialect == Rules::D3D11 => {
                "vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w)".into()
            }
            (Builtin::Position, Stage::Pixel) => "gl_FragCoord".to_string(),
            (Builtin::VertexIndex, _) => "uint(gl_VertexIndex)".into(),
            (Builtin::InstanceIndex, _) => "uint(gl_InstanceIndex)".into(),
            (Builtin::FrontFacing, _) => "gl_FrontFacing".into(),
            (Builtin::SampleIndex, _) => "uint(gl_SampleID)".into(),
            (Builtin::SampleMask, _) => "uint(gl_SampleMaskIn[0])".into(),
            (Builtin::PrimitiveIndex, _) => "uint(gl_PrimitiveID)".into(),
            (Builtin::RenderTargetArrayIndex, _) => "uint(gl_Layer)".into(),
            (Builtin::ViewportArrayIndex, _) => "uint(gl_ViewportIndex)".into(),
            (Builtin::LocalInvocationId, _) => "gl_LocalInvocationID".into(),
            (Builtin::LocalInvocationIndex, _) => "gl_LocalInvocationIndex".into(),
            (Builtin::GlobalInvocationId, _) => "gl_GlobalInvocationID".into(),
            (Builtin::WorkgroupId, _) => "gl_WorkGroupID".into(),
            (Builtin::NumWorkgroups, _) => "gl_NumWorkGroups".into(),
            (Builtin::ClipDistance | Builtin::CullDistance, _) => distances(program, id),
            _ => name.clone(),
        })
    }

    fn output(&self, print: &Printer<'_>, id: OutputId) -> Text {
        Text::tight(&print.module.idents.outputs[id.index()])
    }

    fn input_at(&self, print: &Printer<'_>, id: InputId, at: Evaluation, texts: &[Text]) -> Result<Text, WriteError> {
        let name = &print.module.idents.inputs[id.index()];
        Ok(Text::tight(match at {
            Evaluation::Centroid => format!("interpolateAtCentroid({name})"),
            Evaluation::Sample => format!("interpolateAtSample({name}, int({}))", texts[0].text),
            // The low four bits with their sign, in sixteenths.
            Evaluation::Snapped => {
                format!("interpolateAtOffset({name}, vec2(bitfieldExtract({}, 0, 4)) * 0.0625)", texts[0].text)
            }
        }))
    }

    fn load(&self, print: &Printer<'_>, place: &Place) -> Result<Text, WriteError> {
        let root = root(print, place.memory, place.element.as_ref())?;
        Ok(Text::tight(print.place(&root, place)?))
    }

    fn store(&self, print: &Printer<'_>, place: &Place, value: &Expr) -> Result<String, WriteError> {
        let root = root(print, place.memory, place.element.as_ref())?;
        let scalar = print.module.uses.atomic.get(&place.memory).copied().unwrap_or(print.module.cell(place.memory));
        Ok(format!("{} = {};", print.place(&root, place)?, print.text(&value.clone().cast(scalar))?))
    }

    fn atomic(&self, print: &Printer<'_>, place: &Place, op: AtomicOp, values: &[Expr], _: bool) -> Result<Text, WriteError> {
        let number = print.module.uses.atomic.get(&place.memory).copied().unwrap_or(Scalar::U32);
        if number == Scalar::I32 && matches!(op, AtomicOp::UMin | AtomicOp::UMax) {
            return Err(lacks("signed and unsigned minima or maxima on one memory"));
        }
        let name = match op {
            AtomicOp::Add | AtomicOp::Sub => "Add",
            AtomicOp::And => "And",
            AtomicOp::Or => "Or",
            AtomicOp::Xor => "Xor",
            AtomicOp::SMin | AtomicOp::UMin => "Min",
            AtomicOp::SMax | AtomicOp::UMax => "Max",
            AtomicOp::Exchange | AtomicOp::Store => "Exchange",
            AtomicOp::CompareExchange => "CompSwap",
            AtomicOp::Load => "Or",
        };
        let mut list = Vec::new();
        for value in values {
            let text = print.expr(&value.clone().cast(number))?;
            list.push(if op == AtomicOp::Sub { format!("0u - {}", text.inside(Binding::Sum, true)) } else { text.text });
        }
        if op == AtomicOp::CompareExchange {
            // GLSL has the comparand first.
            list.swap(0, 1);
        }
        if op == AtomicOp::Load {
            list.push(if number == Scalar::I32 { "0".into() } else { "0u".into() });
        }
        if let (At::Texel(at, layer), Memory::Resource(id)) = (&place.at, place.memory) {
            let image = opaque(print, print.module.name(Memory::Resource(id)), place.element.as_ref())?;
            let at = texel(print, at, layer.as_ref())?;
            return Ok(Text::tight(format!("imageAtomic{name}({image}, {at}, {})", list.join(", "))));
        }
        let root = root(print, place.memory, place.element.as_ref())?;
        Ok(Text::tight(format!("atomic{name}({}, {})", print.place(&root, place)?, list.join(", "))))
    }

    fn lookup(&self, print: &Printer<'_>, lookup: &Lookup, ty: Type) -> Result<Text, WriteError> {
        let name = opaque(print, print.module.name(Memory::Resource(lookup.texture)), lookup.element.as_ref())?;
        let (shape, stored) = (&lookup.shape, is_stored(print, lookup.texture));
        let text = |expr: &Option<Expr>| expr.as_ref().map(|expr| print.text(expr)).transpose();
        let level = text(&lookup.level)?;
        let axes = match shape.dimension {
            Dimension::Cube => 2,
            dimension => super::texture::axes(dimension),
        };
        let (sampling, gather) = match lookup.question {
            Question::Size | Question::Layers => {
                let size = match (stored, shape.multisampled || shape.dimension == Dimension::Buffer) {
                    (true, _) => format!("imageSize({name})"),
                    (_, true) => format!("textureSize({name})"),
                    _ => format!("textureSize({name}, {})", level.as_deref().unwrap_or("0")),
                };
                let layers = lookup.question == Question::Layers;
                let letters = if layers { ["y", "z"][axes - 1] } else { &"xyz"[..axes] };
                let all = axes + usize::from(shape.arrayed);
                let part = if all == 1 || (!layers && all == axes) { size } else { format!("{size}.{letters}") };
                return Ok(Text::tight(format!("{}({part})", type_name(ty))));
            }
            Question::Levels if stored || shape.multisampled || shape.dimension == Dimension::Buffer => {
                return Ok(Text::tight("1u"));
            }
            Question::Levels => return Ok(Text::tight(format!("uint(textureQueryLevels({name}))"))),
            Question::Samples if shape.multisampled => return Ok(Text::tight(format!("uint(textureSamples({name}))"))),
            Question::Samples => return Ok(Text::tight("1u")),
            Question::Level => {
                let place = text(&lookup.coordinates)?.unwrap_or_default();
                return Ok(Text::tight(format!("textureQueryLod({}, {place})", combined(print, lookup, &name, false)?)));
            }
            Question::Load => {
                let Some(coordinates) = &lookup.coordinates else { return Err(lacks("this load")) };
                let at = texel(print, coordinates, lookup.layer.as_ref())?;
                let mut list = vec![name, at];
                list.extend(level.filter(|_| !stored));
                let call = if stored { "imageLoad" } else { "texelFetch" };
                return Ok(Text::tight(format!("{call}({})", list.join(", "))));
            }
            Question::Sample(sampling) => (sampling, false),
            Question::Gather(sampling) => (sampling, true),
        };
        let reference = text(&lookup.reference)?;
        let mut place: Vec<String> = text(&lookup.coordinates)?.into_iter().chain(text(&lookup.layer)?).collect();
        let mut count = lookup.coordinates.as_ref().map_or(0, Expr::size) + usize::from(lookup.layer.is_some());
        let apart = gather || (shape.dimension == Dimension::Cube && shape.arrayed);
        let mut list = vec![combined(print, lookup, &name, sampling.compare)?];
        if let (Some(reference), false) = (&reference, apart) {
            if shape.dimension == Dimension::D1 && count == 1 {
                place.push("0.0".into());
                count += 1;
            }
            place.push(reference.clone());
            count += 1;
        }
        list.push(match place.as_slice() {
            [one] => one.clone(),
            _ => format!("vec{count}({})", place.join(", ")),
        });
        list.extend(reference.filter(|_| apart));
        let mut call = String::from("texture");
        match (gather, sampling.level) {
            (true, _) => call.push_str("Gather"),
            (false, Level::Explicit) => {
                call.push_str("Lod");
                list.extend(level.clone());
            }
            // Arrays and cubes take no level with a comparison. A slope of one texel is level 0 too.
            (false, Level::Zero) if sampling.compare && (shape.arrayed || shape.dimension == Dimension::Cube) => {
                if shape.dimension != Dimension::D2 {
                    return Err(lacks("a comparison at a level of cubes"));
                }
                call.push_str("Grad");
                let texel = |axis: &str| format!("1.0 / float(textureSize({name}, 0).{axis})");
                list.extend([format!("vec2({}, 0.0)", texel("x")), format!("vec2(0.0, {})", texel("y"))]);
            }
            (false, Level::Zero) => {
                call.push_str("Lod");
                list.push("0.0".into());
            }
            (false, Level::Gradient) => {
                call.push_str("Grad");
                for gradient in lookup.gradients.iter().flatten() {
                    list.push(print.text(gradient)?);
                }
            }
            (false, Level::Implicit | Level::Bias) => {}
        }
        if let Some(offset) = text(&lookup.offset)? {
            call.push_str("Offset");
            list.push(offset);
        }
        if let Some(least) = text(&lookup.clamp)? {
            call.push_str("ClampARB");
            list.push(least);
        }
        if sampling.level == Level::Bias && !gather {
            list.extend(level);
        }
        if gather && !sampling.compare {
            list.push(sampling.component.to_string());
        }
        Ok(Text::tight(format!("{call}({})", list.join(", "))))
    }

    fn texel_store(&self, print: &Printer<'_>, store: &TexelStore) -> Result<String, WriteError> {
        let image = opaque(print, print.module.name(Memory::Resource(store.texture)), store.element.as_ref())?;
        let at = texel(print, &store.coordinates, store.layer.as_ref())?;
        Ok(format!("imageStore({image}, {at}, {});", print.text(&store.value)?))
    }

    fn buffer_size(&self, print: &Printer<'_>, id: ResourceId, element: Option<&Expr>) -> Result<Text, WriteError> {
        let resource = print.module.program.interface.resource(id);
        Ok(match resource.shape {
            Shape::Structured { .. } => Text::tight(format!("uint({}.length())", root(print, Memory::Resource(id), element)?)),
            Shape::Buffer { .. } => {
                Text::bound(format!("uint({}.length()) * 4u", root(print, Memory::Resource(id), element)?), Binding::Product)
            }
            Shape::Texture(_) => {
                let name = opaque(print, print.module.name(Memory::Resource(id)), element)?;
                let call = if is_stored(print, id) { "imageSize" } else { "textureSize" };
                Text::tight(format!("uint({call}({name}))"))
            }
            Shape::ConstantBuffer { .. } => return Err(lacks("the size of this buffer")),
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
            None => format!("{name}.rows"),
            Some(element) => format!("{name}[nonuniformEXT({})].rows", print.text(element)?),
        };
        Ok(match (up, alone) {
            (true, _) => Text::tight(format!("atomicAdd({name}, 1u)")),
            (false, true) => Text::tight(format!("atomicAdd({name}, 0xffffffffu)")),
            (false, false) => Text::bound(format!("atomicAdd({name}, 0xffffffffu) - 1u"), Binding::Sum),
        })
    }

    fn discard(&self) -> &'static str {
        "demote;"
    }

    fn leave(&self, _: &Printer<'_>) -> &'static str {
        "return;"
    }

    fn barrier(&self, barrier: Barrier) -> Result<Vec<&'static str>, WriteError> {
        let mut all = Vec::new();
        match barrier.resources {
            Some(BarrierScope::Device) => all.extend(["memoryBarrierBuffer();", "memoryBarrierImage();"]),
            Some(_) => all.push("groupMemoryBarrier();"),
            None => {}
        }
        if barrier.shared {
            all.push("memoryBarrierShared();");
        }
        if barrier.group {
            all.push("barrier();");
        }
        Ok(all)
    }

    fn logical(&self, op: Binary) -> (&'static str, Binding) {
        if op == Binary::And { ("&&", Binding::And) } else { ("||", Binding::Or) }
    }

    fn module(&self, print: &Printer<'_>, body: &str) -> Result<String, WriteError> {
        let module = print.module;
        let mut globals = String::new();
        let tail = interface(print, &mut globals)?;
        resources(print, &mut globals)?;
        memories(print, &mut globals);
        let mut rest = print.helpers();
        match tail.is_empty() {
            true => _ = write!(rest, "void main() {{\n{body}}}\n"),
            // Returns from the middle of it are those of a function of its own.
            false => _ = write!(rest, "void shade() {{\n{body}}}\n\nvoid main() {{\n    shade();\n{tail}}}\n"),
        }
        let mut out = String::from("#version 460\n");
        let all = format!("{globals}{rest}");
        for (word, extension) in EXTENSIONS {
            if all.contains(word) {
                let _ = writeln!(out, "#extension {extension} : require");
            }
        }
        if module.program.stage == Stage::Compute {
            let [x, y, z] = module.program.group_size;
            let _ = writeln!(out, "\nlayout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;");
        }
        let _ = write!(out, "\n{all}");
        Ok(out)
    }
}

/// Words that an extension brings.
const EXTENSIONS: [(&str, &str); 10] = [
    ("demote;", "GL_EXT_demote_to_helper_invocation"),
    ("nonuniformEXT(", "GL_EXT_nonuniform_qualifier"),
    ("uniform texture", "GL_EXT_samplerless_texture_functions"),
    ("uniform utexture", "GL_EXT_samplerless_texture_functions"),
    ("uniform itexture", "GL_EXT_samplerless_texture_functions"),
    ("imageLoad(", "GL_EXT_shader_image_load_formatted"),
    ("ClampARB(", "GL_ARB_sparse_texture_clamp"),
    ("gl_Layer =", "GL_ARB_shader_viewport_layer_array"),
    ("gl_ViewportIndex =", "GL_ARB_shader_viewport_layer_array"),
    ("gl_FragStencilRefARB", "GL_ARB_shader_stencil_export"),
];

/// Clip or cull distances of a register: elements of the one array that GLSL has.
fn distances(program: &gpuproof_program::Program, id: InputId) -> String {
    let own = program.interface.input(id);
    let comes_before =
        |other: &&gpuproof_program::IoVariable| other.builtin == own.builtin && other.semantic_index < own.semantic_index;
    let first: u32 = program.interface.inputs.iter().filter(comes_before).map(|other| other.mask.count_ones()).sum();
    let array = if own.builtin == Some(Builtin::ClipDistance) { "gl_ClipDistance" } else { "gl_CullDistance" };
    let parts: Vec<String> = (0..own.mask.count_ones()).map(|at| format!("{array}[{}]", first + at)).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        _ => format!("vec{}({})", parts.len(), parts.join(", ")),
    }
}

/// A texture and a sampler together.
fn combined(print: &Printer<'_>, lookup: &Lookup, name: &str, compare: bool) -> Result<String, WriteError> {
    let Some((id, element)) = &lookup.sampler else { return Err(WriteError::Internal("a lookup without a sampler".into())) };
    let sampler = opaque(print, &print.module.idents.samplers[id.index()], element.as_ref())?;
    let kind = letter(Scalar::of(lookup.shape.kind, Width::W32));
    let shadow = if compare { "Shadow" } else { "" };
    Ok(format!("{kind}sampler{}{shadow}({name}, {sampler})", shape_name(&lookup.shape)))
}
