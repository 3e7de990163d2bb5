//! Texture reads as calls of WGSL's functions.

use super::expression::Text;
use super::operand::Operand;
use super::{Context, TraceError};
use crate::formula::helper::Helper;
use crate::formula::ty::Ty;
use crate::formula::vocabulary::flattened;
use gpuproof_program::{
    Detail, Instruction, Level, Op, SamplerId, Sampling, SamplingOperands, Shape, Target, TextureShape, Value,
};

pub(super) use crate::formula::helper::axes;

fn parts(context: &Context<'_>, instruction: &Instruction) -> Option<(Sampling, TextureShape, SamplerId)> {
    let (Detail::Sampling(sampling), Target::Sampled(id, sampler)) = (instruction.attrs.detail, instruction.attrs.target) else {
        return None;
    };
    let Shape::Texture(shape) = context.program.interface.resource(id).shape else { return None };
    Some((sampling, shape, sampler))
}

/// Texel offsets of a gather that WGSL's function does not take: it wants constants from -8 to 7.
fn has_own_offsets(context: &Context<'_>, instruction: &Instruction, sampling: Sampling, count: usize) -> Option<usize> {
    let at = sampling.operands().offset.filter(|_| instruction.op == Op::Gather)?;
    let constant =
        |value: &Value| context.definitions.constant(*value).is_some_and(|bits| (-8..8).contains(&(bits as u32 as i32)));
    (!instruction.args[at..at + count].iter().all(constant)).then_some(at)
}

/// The coordinates of a question for the level.
pub(super) fn coordinates(context: &Context<'_>, instruction: &Instruction) -> Option<Operand> {
    let (_, shape, _) = parts(context, instruction)?;
    let from = SamplingOperands::COORDINATES;
    Some(Operand { values: instruction.args[from..from + axes(shape.dimension)].to_vec(), ty: Some(Ty::F32) })
}

/// The name of the function that stands for an operation on a texture.
pub(super) fn own_function<'c>(
    context: &'c Context<'_>,
    instruction: &Instruction,
    helper: Helper,
) -> Result<&'c str, TraceError> {
    context.vocabulary.helpers.name(helper).ok_or_else(|| context.unsupported(instruction, "this operation on a binding array"))
}

/// The level of detail that sampling would use.
pub(super) fn level(context: &Context<'_>, instruction: &Instruction, texts: &[Text]) -> Result<String, TraceError> {
    let Some((_, shape, sampler)) = parts(context, instruction) else {
        return Err(context.unsupported(instruction, "this question"));
    };
    let Target::Sampled(id, _) = instruction.attrs.target else { return Ok(String::new()) };
    let name = own_function(context, instruction, Helper::Level(id))?;
    let coordinates = texts[0].clone().widened(axes(shape.dimension)).text;
    Ok(format!("{name}({}, {coordinates})", context.vocabulary.samplers[sampler.index()]))
}

/// Elements of binding arrays, coordinates, layer, level or bias, gradients, reference: those that there are. Offsets are constants.
pub(super) fn operands(context: &Context<'_>, instruction: &Instruction) -> Vec<Operand> {
    let Some((sampling, shape, sampler)) = parts(context, instruction) else { return Vec::new() };
    let args = &instruction.args;
    let places = sampling.operands();
    let count = axes(shape.dimension);
    let mut all = Vec::new();
    let mut push = |values: &[Value], ty: Option<Ty>| all.push(Operand { values: values.to_vec(), ty });
    let Target::Sampled(id, _) = instruction.attrs.target else { return Vec::new() };
    for (at, elements) in [
        (SamplingOperands::TEXTURE, context.program.interface.resource(id).count),
        (SamplingOperands::SAMPLER, context.program.interface.sampler(sampler).count),
    ] {
        if elements != Some(1) {
            push(&args[at..=at], None);
        }
    }
    let float = Some(Ty::F32);
    push(&args[SamplingOperands::COORDINATES..SamplingOperands::COORDINATES + count], float);
    if shape.arrayed {
        push(&args[SamplingOperands::LAYER..=SamplingOperands::LAYER], float);
    }
    if let Some(at) = places.level {
        push(&args[at..=at], float);
    }
    if let Some(at) = places.gradients {
        push(&args[at..at + count], float);
        push(&args[at + 3..at + 3 + count], float);
    }
    for at in [places.reference, places.clamp].into_iter().flatten() {
        push(&args[at..=at], float);
    }
    if let Some(at) = has_own_offsets(context, instruction, sampling, count) {
        push(&args[at..at + count], Some(Ty::I32));
    }
    all
}

/// The call.
///
/// # Errors
/// For what WGSL's functions cannot do.
pub(super) fn call(context: &Context<'_>, instruction: &Instruction, texts: &[Text]) -> Result<String, TraceError> {
    let unsupported = |what: &str| context.unsupported(instruction, what);
    let Some((sampling, shape, sampler)) = parts(context, instruction) else { return Err(unsupported("this texture read")) };
    let Target::Sampled(id, _) = instruction.attrs.target else { return Err(unsupported("this texture read")) };
    let word = context.vocabulary.resource(id);
    let mut texts = texts.iter();
    let mut sized = |size: usize| texts.next().map(|text| text.clone().widened(size).text).unwrap_or_default();
    let count = axes(shape.dimension);
    let mut texture = if sampling.compare { word.depth.clone() } else { word.ident.clone() };
    if context.program.interface.resource(id).count != Some(1) {
        texture = format!("{texture}[{}]", sized(1));
    }
    let mut name_of_sampler = context.vocabulary.samplers[sampler.index()].clone();
    if context.program.interface.sampler(sampler).count != Some(1) {
        name_of_sampler = format!("{name_of_sampler}[{}]", sized(1));
    }
    let gather = instruction.op == Op::Gather;
    let flat = flattened(&shape, sampling.compare);
    // A texture of one dimension that stands as one of two: its middle, no slope, no offset along the other.
    let along = |text: String, ty: &str, other: &str| if flat { format!("{ty}({text}, {other})") } else { text };
    let own_offsets = has_own_offsets(context, instruction, sampling, count).is_some();
    let mut list = Vec::new();
    if gather && !sampling.compare {
        list.push(sampling.component.to_string());
    }
    if !own_offsets {
        list.push(texture);
    }
    list.extend([name_of_sampler, along(sized(count), "vec2f", "0.5")]);
    if shape.arrayed {
        list.push(format!("i32(round({}))", sized(1)));
    }
    let places = sampling.operands();
    let level = places.level.map(|_| sized(1));
    let gradients = places.gradients.map(|_| [sized(count), sized(count)].map(|text| along(text, "vec2f", "0.0")));
    list.extend(places.reference.map(|_| sized(1)));
    let least = places.clamp.map(|_| sized(1));
    if own_offsets {
        let name = own_function(context, instruction, Helper::Gather(id, sampling.compare))?;
        list.push(sized(count));
        return Ok(format!("{name}({})", list.join(", ")));
    }
    let name = match (gather, sampling.compare, sampling.level) {
        (true, false, _) => "textureGather",
        (true, true, _) => "textureGatherCompare",
        (false, true, Level::Implicit) => "textureSampleCompare",
        (false, true, Level::Zero) => "textureSampleCompareLevel",
        (false, true, _) => return Err(unsupported("a comparison with a level, a bias or gradients")),
        (false, false, Level::Implicit) => "textureSample",
        (false, false, Level::Bias) => "textureSampleBias",
        (false, false, Level::Gradient) => "textureSampleGrad",
        (false, false, Level::Explicit | Level::Zero) => "textureSampleLevel",
    };
    match (gather, sampling.compare, sampling.level, level) {
        (false, false, Level::Zero, _) => list.push("0.0".into()),
        (.., level) => list.extend(level),
    }
    list.extend(gradients.into_iter().flatten());
    if let Some(at) = places.offset {
        let constants = instruction.args[at..at + axes(shape.dimension)].iter().map(|value| context.definitions.constant(*value));
        let offsets: Option<Vec<String>> = constants.map(|bits| bits.map(|bits| (bits as u32 as i32).to_string())).collect();
        let offsets =
            offsets.ok_or_else(|| unsupported("texel offsets that are computed, which WGSL's functions do not take"))?;
        list.push(match offsets.as_slice() {
            [one] => along(one.clone(), "vec2i", "0"),
            several => format!("vec{}i({})", several.len(), several.join(", ")),
        });
    }
    if sampling.base_clamp_to_edge {
        list.pop();
        return Ok(format!("textureSampleBaseClampToEdge({})", list.join(", ")));
    }
    let read = format!("{name}({})", list.join(", "));
    Ok(match least {
        Some(level) if sampling.compare => format!("least_level_compare({read}, {level})"),
        Some(level) => format!("least_level({read}, {level})"),
        None => read,
    })
}
