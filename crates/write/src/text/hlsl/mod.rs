//! HLSL, for fxc (shader models 4 and 5) and dxc.

mod interface;

use super::print::{Binding, Dialect, Printer, Text, letters};
use super::tree::{At, Axis, Binary, Builtin as Function, Expr, Kind, Lookup, Memory, Place, Question, Scalar, TexelStore, Type};
use crate::WriteError;
use gpuproof_program::{
    Access, AtomicOp, Barrier, BarrierScope, Builtin, Derivative, Dialect as Rules, Dimension, Evaluation, InputId,
    Interpolation, IoVariable, Level, OutputId, RegisterClass, ResourceId, Shape, Slot, Stage, TextureShape, Width,
};
use interface::{interface, memories, resources};
use std::fmt::Write;

/// Words that HLSL keeps for itself, and names of its types and functions.
const RESERVED: &str = "main Output output AppendStructuredBuffer asm asm_fragment BlendState bool break Buffer ByteAddressBuffer case cbuffer centroid class \
column_major compile compile_fragment CompileShader const continue ComputeShader ConsumeStructuredBuffer default DepthStencilState DepthStencilView discard do \
double DomainShader dword else export extern false float for fxgroup GeometryShader groupshared half Hullshader if in inline inout InputPatch int interface line \
lineadj linear LineStream matrix min16float min10float min16int min12int min16uint namespace nointerpolation noperspective NULL out OutputPatch packoffset pass \
pixelfragment PixelShader point PointStream precise RasterizerState RenderTargetView return register row_major RWBuffer RWByteAddressBuffer RWStructuredBuffer \
RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture3D sample sampler SamplerState SamplerComparisonState shared snorm stateblock stateblock_state \
static string struct switch StructuredBuffer tbuffer technique technique10 technique11 texture Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS \
Texture2DMSArray Texture3D TextureCube TextureCubeArray true typedef triangle triangleadj TriangleStream uint uniform unorm unsigned vector vertexfragment \
VertexShader void volatile while auto catch char const_cast delete dynamic_cast enum explicit friend goto long mutable new operator private protected public \
reinterpret_cast short signed sizeof static_cast template this throw try typename union using virtual \
abs acos all any asdouble asfloat asin asint asuint atan atan2 ceil clamp clip cos cosh countbits cross ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine degrees \
determinant distance dot dst exp exp2 f16tof32 f32tof16 faceforward firstbithigh firstbitlow floor fma fmod frac frexp fwidth isfinite isinf isnan ldexp length \
lerp lit log log10 log2 mad max min modf msad4 mul noise normalize pow radians rcp reflect refract reversebits round rsqrt saturate sign sin sincos sinh \
smoothstep sqrt step tan tanh tex1D tex2D tex3D texCUBE transpose trunc float1 float2 float3 float4 int1 int2 int3 int4 uint1 uint2 uint3 uint4 bool1 bool2 \
bool3 bool4 half1 half2 half3 half4 float2x2 float3x3 float4x4 float4x3 float3x4 ";

/// The one dialect.
pub(super) const DIALECT: Hlsl = Hlsl;

/// What HLSL says in its own way.
pub(super) struct Hlsl;

impl Hlsl {
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

fn type_name(ty: Type) -> String {
    match ty.size {
        1 => scalar(ty.scalar).into(),
        size => format!("{}{size}", scalar(ty.scalar)),
    }
}

fn function(builtin: Function, ty: Type) -> Option<String> {
    let name = match builtin {
        Function::Sqrt => "sqrt",
        Function::Rsqrt => "rsqrt",
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
        Function::Fract => "frac",
        Function::Abs => "abs",
        Function::Dot => "dot",
        Function::Min | Function::MinNumber => "min",
        Function::Max | Function::MaxNumber => "max",
        Function::Saturate => "saturate",
        Function::ReverseBits => "reversebits",
        Function::CountBits => "countbits",
        Function::FindLow => "firstbitlow",
        Function::FindHigh => "firstbithigh",
        Function::HalfToFloat => "f16tof32",
        Function::FloatToHalf => "f32tof16",
        Function::ClampToInt | Function::ClampToUint => return Some(type_name(ty)),
        Function::Derivative(Axis::X, Derivative::Coarse) => "ddx_coarse",
        Function::Derivative(Axis::X, Derivative::Fine) => "ddx_fine",
        Function::Derivative(Axis::X, Derivative::Any) => "ddx",
        Function::Derivative(Axis::Y, Derivative::Coarse) => "ddy_coarse",
        Function::Derivative(Axis::Y, Derivative::Fine) => "ddy_fine",
        Function::Derivative(Axis::Y, Derivative::Any) => "ddy",
        _ => return None,
    };
    Some(name.into())
}

fn lacks(what: impl std::fmt::Display) -> WriteError {
    WriteError::whole(format!("{what}, which HLSL has nothing for"))
}

/// A resource as text.
fn resource(print: &Printer<'_>, id: ResourceId, element: Option<&Expr>) -> Result<String, WriteError> {
    let name = print.module.name(Memory::Resource(id));
    Ok(match element {
        None => name.into(),
        Some(element) => format!("{name}[{}]", print.text(element)?),
    })
}

/// The bytes of a word's index: four times it, or what it is a quarter of.
fn bytes(print: &Printer<'_>, word: &Expr) -> Result<String, WriteError> {
    Ok(match &word.kind {
        Kind::Literal(bits) => format!("{}", bits.wrapping_mul(4)),
        Kind::Binary(Binary::Shr, both) if both[1].kind == Kind::Literal(2) => print.text(&both[0])?,
        _ => format!("{} * 4", print.expr(word)?.inside(Binding::Product, false)),
    })
}

/// What a place is that can be set, or what finds it in a buffer of bytes.
enum Cell {
    /// An expression that can be set.
    Text(String),
    /// A buffer of bytes, and the bytes.
    Bytes(String, String),
}

fn cell(print: &Printer<'_>, place: &Place) -> Result<Cell, WriteError> {
    let Memory::Resource(id) = place.memory else { return Ok(Cell::Text(print.place(print.module.name(place.memory), place)?)) };
    let name = resource(print, id, place.element.as_ref())?;
    Ok(match &place.at {
        At::Word(word) => Cell::Bytes(name, bytes(print, word)?),
        At::Structure(index, word) => Cell::Text(format!("{name}[{}].words[{}]", print.index(index)?, print.index(word)?)),
        At::Texel(at, layer) => {
            let texel = match layer {
                None => print.text(at)?,
                Some(layer) => {
                    format!("{}({}, {})", type_name(Type::new(Scalar::I32, at.size() + 1)), print.text(at)?, print.text(layer)?)
                }
            };
            Cell::Text(format!("{name}[{texel}]"))
        }
        _ => {
            let resource = print.module.program.interface.resource(id);
            let rows = if resource.count == Some(1) { format!("{name}_rows") } else { format!("{name}.rows") };
            Cell::Text(print.place(&rows, place)?)
        }
    })
}

/// The type of the elements of typed buffers and textures.
fn element(print: &Printer<'_>, id: ResourceId, shape: &TextureShape) -> String {
    let number = Scalar::of(shape.kind, Width::W32);
    let resource = print.module.program.interface.resource(id);
    // Views that are written and read have one component before typed loads (D3D11 feature level 11.0).
    let one = resource.access != Access::Read
        && (print.module.uses.atomic.contains_key(&Memory::Resource(id)) || print.module.uses.read.contains(&id));
    type_name(Type::new(number, if one { 1 } else { 4 }))
}

fn texture_type(shape: &TextureShape) -> String {
    let dimension = match shape.dimension {
        Dimension::Buffer => return "Buffer".into(),
        Dimension::D1 => "1D",
        Dimension::D2 if shape.multisampled => "2DMS",
        Dimension::D2 => "2D",
        Dimension::D3 => "3D",
        Dimension::Cube => "Cube",
    };
    format!("Texture{dimension}{}", if shape.arrayed { "Array" } else { "" })
}

/// `: register(t0)`, with a space where it is another than 0.
fn register(print: &Printer<'_>, slot: Slot, class: RegisterClass) -> String {
    let letter = |class: RegisterClass| match class {
        RegisterClass::B => 'b',
        RegisterClass::T => 't',
        RegisterClass::U => 'u',
        RegisterClass::S => 's',
    };
    match slot {
        // Where the application binds the class of an interface there is no register: the one after the last.
        Slot::Register { space: u32::MAX, .. } => {
            let used = print.module.program.interface.resources.iter().filter_map(|resource| match resource.slot {
                Slot::Register { class: RegisterClass::B, space, index } if space != u32::MAX => Some(index + 1),
                _ => None,
            });
            format!("register(b{})", used.max().unwrap_or(0))
        }
        Slot::Register { class, space: 0, index } => format!("register({}{index})", letter(class)),
        Slot::Register { class, space, index } => format!("register({}{index}, space{space})", letter(class)),
        // Elsewhere resources have bindings of one kind: numbered anew for each class.
        Slot::Binding { .. } => {
            let interface = &print.module.program.interface;
            let at = match class {
                RegisterClass::S => interface.samplers.iter().position(|sampler| sampler.slot == slot),
                _ => {
                    let same = interface.resources.iter().filter(|resource| class_of(resource.shape, resource.access) == class);
                    same.map(|resource| resource.slot).position(|other| other == slot)
                }
            };
            format!("register({}{})", letter(class), at.unwrap_or(0))
        }
    }
}

fn class_of(shape: Shape, access: Access) -> RegisterClass {
    match (shape, access) {
        (Shape::ConstantBuffer { .. }, _) => RegisterClass::B,
        (_, Access::Read) => RegisterClass::T,
        _ => RegisterClass::U,
    }
}

/// `[4]` of binding arrays.
fn count(count: Option<u32>) -> String {
    match count {
        Some(1) => String::new(),
        Some(count) => format!("[{count}]"),
        None => "[]".into(),
    }
}

impl Dialect for Hlsl {
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
                    return Text::tight(format!("asfloat({bits:#x}u)"));
                }
                let text = format!("{x:?}");
                if text.starts_with('-') { Text::bound(text, Binding::Sign) } else { Text::tight(text) }
            }
        }
    }

    fn cast(&self, _: Scalar, ty: Type, text: String) -> Text {
        Text::tight(match ty.scalar {
            Scalar::F32 => format!("asfloat({text})"),
            Scalar::I32 => format!("asint({text})"),
            _ => format!("asuint({text})"),
        })
    }

    fn splat(&self, ty: Type, literal: bool, text: Text) -> Text {
        let name = type_name(ty);
        if literal {
            let all = vec![text.text; usize::from(ty.size)];
            return Text::tight(format!("{name}({})", all.join(", ")));
        }
        Text::bound(format!("({name}){}", text.inside(Binding::Sign, false)), Binding::Sign)
    }

    fn select(&self, _: Type, [condition, yes, no]: [Text; 3]) -> Text {
        let [condition, yes, no] = [condition, yes, no].map(|text| text.inside(Binding::Choice, false));
        Text::bound(format!("{condition} ? {yes} : {no}"), Binding::Choice)
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
        if let Some(name) = function(builtin, ty) {
            return Ok(Text::tight(format!("{name}({list})")));
        }
        if builtin == Function::MulHigh && args.first().is_some_and(|arg| arg.ty == Type::new(Scalar::U32, 1)) {
            print.helper("mul_high", || super::print::MUL_HIGH.replace("u32", "uint"));
            return Ok(Text::tight(format!("mul_high({list})")));
        }
        Err(lacks(format!("{builtin:?}")))
    }

    fn binds(&self, name: &str, ty: Type, value: &str) -> String {
        format!("{} {name} = {value};", type_name(ty))
    }

    fn binds_atomic(&self, print: &Printer<'_>, name: &str, value: &Expr) -> Result<Option<Vec<String>>, WriteError> {
        let Kind::Atomic(place, op, values) = &value.kind else { return Ok(None) };
        if *op == AtomicOp::Load {
            return Ok(None);
        }
        let declared = format!("{} {name};", type_name(value.ty));
        Ok(Some(vec![declared, format!("{};", interlocked(print, place, *op, values, Some(name))?)]))
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
        let variable = print.module.program.interface.input(id);
        let turned = variable.builtin == Some(Builtin::Position) && print.module.program.stage == Stage::Pixel;
        if turned && print.module.program.dialect != Rules::D3D11 {
            // Direct3D gives w, others 1 / w.
            return Text::tight(format!("float4({name}.xyz, 1.0 / {name}.w)"));
        }
        Text::tight(name)
    }

    fn output(&self, print: &Printer<'_>, id: OutputId) -> Text {
        Text::tight(format!("output.{}", print.module.idents.outputs[id.index()]))
    }

    fn input_at(&self, print: &Printer<'_>, id: InputId, at: Evaluation, texts: &[Text]) -> Result<Text, WriteError> {
        let name = &print.module.idents.inputs[id.index()];
        Ok(Text::tight(match at {
            Evaluation::Centroid => format!("EvaluateAttributeCentroid({name})"),
            Evaluation::Sample => format!("EvaluateAttributeAtSample({name}, {})", texts[0].text),
            Evaluation::Snapped => format!("EvaluateAttributeSnapped({name}, {})", texts[0].text),
        }))
    }

    fn load(&self, print: &Printer<'_>, place: &Place) -> Result<Text, WriteError> {
        Ok(match cell(print, place)? {
            Cell::Text(text) => Text::tight(text),
            Cell::Bytes(name, bytes) => {
                let load = format!("{name}.Load({bytes})");
                match print.module.cell(place.memory) {
                    Scalar::U32 => Text::tight(load),
                    scalar => self.cast(Scalar::U32, Type::new(scalar, 1), load),
                }
            }
        })
    }

    fn store(&self, print: &Printer<'_>, place: &Place, value: &Expr) -> Result<String, WriteError> {
        Ok(match cell(print, place)? {
            Cell::Text(text) => format!("{text} = {};", print.text(value)?),
            Cell::Bytes(name, bytes) => format!("{name}.Store({bytes}, {});", print.text(&value.clone().cast(Scalar::U32))?),
        })
    }

    fn atomic(&self, print: &Printer<'_>, place: &Place, op: AtomicOp, values: &[Expr], alone: bool) -> Result<Text, WriteError> {
        if op == AtomicOp::Load {
            return self.load(print, place);
        }
        if !alone {
            return Err(WriteError::Internal("the old value of an atomic has no name".into()));
        }
        Ok(Text::tight(interlocked(print, place, op, values, None)?))
    }

    fn lookup(&self, print: &Printer<'_>, lookup: &Lookup, ty: Type) -> Result<Text, WriteError> {
        let name = resource(print, lookup.texture, lookup.element.as_ref())?;
        let shape = &lookup.shape;
        let stored = print.module.program.interface.resource(lookup.texture).access != Access::Read;
        let text = |expr: &Option<Expr>| expr.as_ref().map(|expr| print.text(expr)).transpose();
        let (coordinates, layer, level) = (text(&lookup.coordinates)?, text(&lookup.layer)?, text(&lookup.level)?);
        let axes = lookup.coordinates.as_ref().map_or(0, Expr::size);
        let together = |scalar: Scalar, parts: Vec<String>, size: usize| match parts.as_slice() {
            [one] => one.clone(),
            _ => format!("{}({})", type_name(Type::new(scalar, size)), parts.join(", ")),
        };
        let (sampling, gather) = match lookup.question {
            Question::Size | Question::Layers | Question::Levels | Question::Samples => {
                return size_of(print, lookup, &name, level.as_deref());
            }
            Question::Level => {
                let place = format!("{}, {}", sampler(print, lookup)?, coordinates.unwrap_or_default());
                let pair =
                    format!("float2({name}.CalculateLevelOfDetail({place}), {name}.CalculateLevelOfDetailUnclamped({place}))");
                return Ok(Text::tight(pair));
            }
            Question::Load => {
                let count = axes + usize::from(layer.is_some());
                let mut place: Vec<String> = coordinates.into_iter().chain(layer).collect();
                if stored || shape.dimension == Dimension::Buffer {
                    let read = format!("{name}[{}]", together(Scalar::I32, place, count));
                    let own = element(print, lookup.texture, shape);
                    let one = !own.ends_with('4');
                    // A view of one component: the others are what its format lacks.
                    let last = if ty.scalar == Scalar::F32 { "1.0" } else { "1" };
                    return Ok(Text::tight(if one { format!("{}({read}, 0, 0, {last})", type_name(ty)) } else { read }));
                }
                if shape.multisampled {
                    let place = together(Scalar::I32, place, count);
                    let mut list = vec![place, level.unwrap_or_default()];
                    list.extend(text(&lookup.offset)?);
                    return Ok(Text::tight(format!("{name}.Load({})", list.join(", "))));
                }
                place.push(level.unwrap_or_else(|| "0".into()));
                let mut list = vec![together(Scalar::I32, place, count + 1)];
                list.extend(text(&lookup.offset)?);
                return Ok(Text::tight(format!("{name}.Load({})", list.join(", "))));
            }
            Question::Sample(sampling) => (sampling, false),
            Question::Gather(sampling) => (sampling, true),
        };
        let count = axes + usize::from(layer.is_some());
        let place: Vec<String> = coordinates.into_iter().chain(layer).collect();
        let mut list = vec![sampler(print, lookup)?, together(Scalar::F32, place, count)];
        list.extend(text(&lookup.reference)?);
        let name_of = match (gather, sampling.compare, sampling.level) {
            (true, true, _) => "GatherCmp",
            (true, false, _) => ["GatherRed", "GatherGreen", "GatherBlue", "GatherAlpha"][usize::from(sampling.component & 3)],
            (false, true, Level::Implicit) => "SampleCmp",
            (false, true, Level::Zero) => "SampleCmpLevelZero",
            (false, true, _) => return Err(lacks("a comparison with a level, a bias or gradients")),
            (false, false, Level::Implicit) => "Sample",
            (false, false, Level::Bias) => "SampleBias",
            (false, false, Level::Gradient) => "SampleGrad",
            (false, false, Level::Explicit | Level::Zero) => "SampleLevel",
        };
        // Before shader model 5 there is but one gather, of the first component.
        let name_of = if name_of == "GatherRed" && lookup.offset.is_none() { "Gather" } else { name_of };
        if !gather && !sampling.compare {
            match sampling.level {
                Level::Zero => list.push("0.0".into()),
                _ => list.extend(level),
            }
        }
        for gradient in lookup.gradients.iter().flatten() {
            list.push(print.text(gradient)?);
        }
        match (text(&lookup.offset)?, text(&lookup.clamp)?) {
            (offset, Some(least)) => {
                let zeros = Expr::literal(Scalar::I32, 0).widened(axes);
                if shape.dimension != Dimension::Cube {
                    list.push(match offset {
                        Some(offset) => offset,
                        None => print.text(&zeros)?,
                    });
                }
                list.push(least);
            }
            (offset, None) => list.extend(offset),
        }
        Ok(Text::tight(format!("{name}.{name_of}({})", list.join(", "))))
    }

    fn texel_store(&self, print: &Printer<'_>, store: &TexelStore) -> Result<String, WriteError> {
        let name = resource(print, store.texture, store.element.as_ref())?;
        let at = print.text(&store.coordinates)?;
        let place = match &store.layer {
            None => at,
            Some(layer) => {
                let ty = Type::new(Scalar::I32, store.coordinates.size() + 1);
                format!("{}({at}, {})", type_name(ty), print.text(layer)?)
            }
        };
        let one = !element(print, store.texture, &store.shape).ends_with('4');
        let value = if one { store.value.clone().components(&[0]) } else { store.value.clone() };
        Ok(format!("{name}[{place}] = {};", print.text(&value)?))
    }

    fn buffer_size(&self, print: &Printer<'_>, id: ResourceId, element: Option<&Expr>) -> Result<Text, WriteError> {
        let name = resource(print, id, element)?;
        if element.is_some() {
            return Err(lacks("the size of an element of a binding array"));
        }
        let helper = format!("{name}_count");
        let shape = print.module.program.interface.resource(id).shape;
        let strided = matches!(shape, Shape::Structured { .. });
        let more = if strided { ", stride" } else { "" };
        let extra = if strided { "    uint stride;\n" } else { "" };
        print.helper(&helper, || {
            format!("uint {helper}() {{\n    uint count;\n{extra}    {name}.GetDimensions(count{more});\n    return count;\n}}\n")
        });
        Ok(Text::tight(format!("{helper}()")))
    }

    fn counter(
        &self,
        print: &Printer<'_>,
        id: ResourceId,
        element: Option<&Expr>,
        up: bool,
        _: bool,
    ) -> Result<Text, WriteError> {
        let name = resource(print, id, element)?;
        Ok(Text::tight(format!("{name}.{}()", if up { "IncrementCounter" } else { "DecrementCounter" })))
    }

    fn discard(&self) -> &'static str {
        "discard;"
    }

    fn leave(&self, print: &Printer<'_>) -> &'static str {
        if print.module.uses.outputs.is_empty() { "return;" } else { "return output;" }
    }

    fn barrier(&self, barrier: Barrier) -> Result<Vec<&'static str>, WriteError> {
        let device = matches!(barrier.resources, Some(BarrierScope::Device | BarrierScope::Group | BarrierScope::Wave));
        Ok(vec![match (barrier.group, barrier.shared, device) {
            (true, _, false) => "GroupMemoryBarrierWithGroupSync();",
            (true, false, true) => "DeviceMemoryBarrierWithGroupSync();",
            (true, true, true) => "AllMemoryBarrierWithGroupSync();",
            (false, true, false) => "GroupMemoryBarrier();",
            (false, false, true) => "DeviceMemoryBarrier();",
            (false, true, true) => "AllMemoryBarrier();",
            (false, false, false) => return Ok(Vec::new()),
        }])
    }

    fn logical(&self, op: Binary) -> (&'static str, Binding) {
        if op == Binary::And { ("&&", Binding::And) } else { ("||", Binding::Or) }
    }

    fn module(&self, print: &Printer<'_>, body: &str) -> Result<String, WriteError> {
        let mut out = String::new();
        resources(print, &mut out)?;
        let arrays = memories(print, &mut out);
        let (params, members) = interface(print)?;
        if !members.is_empty() {
            let _ = writeln!(out, "struct Output {{\n{}}};\n", members.concat());
        }
        out.push_str(&print.helpers());
        let params: String = params.iter().map(|param| format!("\n    {param},")).collect();
        let params = params.strip_suffix(',').map_or(String::new(), |params| format!("{params}\n"));
        if print.module.program.stage == Stage::Compute {
            let [x, y, z] = print.module.program.group_size;
            let _ = writeln!(out, "[numthreads({x}, {y}, {z})]");
        }
        let (returns, head, tail) = match members.is_empty() {
            true => ("void", "", ""),
            false => ("Output", "    Output output;\n", "    return output;\n"),
        };
        let _ = write!(out, "{returns} main({params}) {{\n{head}{arrays}{body}{tail}}}\n");
        Ok(out)
    }
}

/// A call of an interlocked function.
fn interlocked(
    print: &Printer<'_>,
    place: &Place,
    op: AtomicOp,
    values: &[Expr],
    old: Option<&str>,
) -> Result<String, WriteError> {
    let name = match op {
        AtomicOp::Add | AtomicOp::Sub => "InterlockedAdd",
        AtomicOp::And => "InterlockedAnd",
        AtomicOp::Or => "InterlockedOr",
        AtomicOp::Xor => "InterlockedXor",
        AtomicOp::SMin | AtomicOp::UMin => "InterlockedMin",
        AtomicOp::SMax | AtomicOp::UMax => "InterlockedMax",
        AtomicOp::Exchange | AtomicOp::Store => "InterlockedExchange",
        AtomicOp::CompareExchange if old.is_some() => "InterlockedCompareExchange",
        AtomicOp::CompareExchange => "InterlockedCompareStore",
        AtomicOp::Load => return Err(lacks("an atomic load")),
    };
    let signed = matches!(op, AtomicOp::SMin | AtomicOp::SMax);
    let mut list: Vec<String> = Vec::new();
    for value in values {
        let scalar = if signed { Scalar::I32 } else { Scalar::U32 };
        let text = print.expr(&value.clone().cast(scalar))?;
        list.push(if op == AtomicOp::Sub { format!("0u - {}", text.inside(Binding::Sum, true)) } else { text.text });
    }
    if op == AtomicOp::CompareExchange {
        // HLSL has the comparand first.
        list.swap(0, 1);
    }
    list.extend(old.map(str::to_string));
    Ok(match cell(print, place)? {
        Cell::Text(text) => {
            list.insert(0, text);
            format!("{name}({})", list.join(", "))
        }
        Cell::Bytes(buffer, bytes) => {
            list.insert(0, bytes);
            format!("{buffer}.{name}({})", list.join(", "))
        }
    })
}

fn sampler(print: &Printer<'_>, lookup: &Lookup) -> Result<String, WriteError> {
    let Some((id, element)) = &lookup.sampler else { return Err(WriteError::Internal("a lookup without a sampler".into())) };
    let name = &print.module.idents.samplers[id.index()];
    Ok(match element {
        None => name.clone(),
        Some(element) => format!("{name}[{}]", print.text(element)?),
    })
}

/// The extent of a texture: width, height or layers, depth or layers, levels.
fn size_of(print: &Printer<'_>, lookup: &Lookup, name: &str, level: Option<&str>) -> Result<Text, WriteError> {
    if lookup.element.is_some() {
        return Err(lacks("the size of an element of a binding array"));
    }
    let shape = &lookup.shape;
    let stored = print.module.program.interface.resource(lookup.texture).access != Access::Read;
    let axes = match shape.dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube => 2,
        Dimension::D3 => 3,
    };
    let mut parts: Vec<&str> = ["width", "height", "depth"][..axes].to_vec();
    parts.extend(shape.arrayed.then_some("layers"));
    let leveled = !stored && !shape.multisampled && shape.dimension != Dimension::Buffer;
    let mut all = parts.clone();
    all.extend(leveled.then_some("levels"));
    all.extend(shape.multisampled.then_some("samples"));
    let helper = format!("{name}_size");
    let text = || {
        let get = if leveled { format!("level, {}", all.join(", ")) } else { all.join(", ") };
        let shown = |name: &'static str, other: &'static str| if all.contains(&name) { name } else { other };
        let second = shown("height", "0");
        let third = if shape.dimension == Dimension::D3 { "depth" } else { shown("layers", "0") };
        let fourth = if shape.multisampled { "samples" } else { shown("levels", "1") };
        format!(
            "// Width, height, depth or layers, levels or samples.\nuint4 {helper}(uint level) {{\n    uint {};\n    {name}.GetDimensions({get});\n    return uint4(width, {second}, {third}, {fourth});\n}}\n",
            all.join(", ")
        )
    };
    print.helper(&helper, text);
    let level = level.unwrap_or("0");
    let components: &[u8] = match lookup.question {
        Question::Layers => &[2],
        Question::Levels if shape.multisampled || stored => return Ok(Text::tight("1u")),
        Question::Levels | Question::Samples => &[3],
        _ => &[0, 1, 2][..axes],
    };
    if lookup.question == Question::Samples && !shape.multisampled {
        return Ok(Text::tight("1u"));
    }
    Ok(Text::tight(format!("{helper}({level}).{}", letters(components))))
}
