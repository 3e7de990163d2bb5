//! Texture reads as calls of WGSL's functions.

use super::expression::Text;
use super::operand::Operand;
use super::{Context, TraceError};
use crate::formula::ty::Ty;
use gpuproof_program::{
    Detail, Dimension, Instruction, Level, Op, SamplerId, Sampling, SamplingOperands, Shape, Target, TextureShape, Value,
};

/// How many coordinates a dimension has, layers apart.
pub(super) fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::Buffer | Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

fn parts(context: &Context<'_>, instruction: &Instruction) -> Option<(Sampling, TextureShape, SamplerId)> {
    let (Detail::Sampling(sampling), Target::Sampled(id, sampler)) = (instruction.attrs.detail, instruction.attrs.target) else {
        return None;
    };
    let Shape::Texture(shape) = context.program.interface.resource(id).shape else { return None };
    Some((sampling, shape, sampler))
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
    if let Some(at) = places.reference {
        push(&args[at..=at], float);
    }
    all
}

/// The call.
///
/// # Errors
/// For what WGSL's functions cannot do: a least level, offsets that are computed, the level of detail.
pub(super) fn call(context: &Context<'_>, instruction: &Instruction, texts: &[Text]) -> Result<String, TraceError> {
    let unsupported = |what: &str| context.unsupported(instruction, what);
    let Some((sampling, shape, sampler)) = parts(context, instruction) else { return Err(unsupported("this texture read")) };
    if sampling.clamp {
        return Err(unsupported("a least level of detail, which WGSL's functions do not take"));
    }
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
    let mut list = Vec::new();
    if gather && !sampling.compare {
        list.push(sampling.component.to_string());
    }
    list.extend([texture, name_of_sampler, sized(count)]);
    if shape.arrayed {
        list.push(format!("i32(round({}))", sized(1)));
    }
    let places = sampling.operands();
    let level = places.level.map(|_| sized(1));
    let gradients = places.gradients.map(|_| (sized(count), sized(count)));
    list.extend(places.reference.map(|_| sized(1)));
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
    if let Some((x, y)) = gradients {
        list.extend([x, y]);
    }
    if let Some(at) = places.offset {
        let constants = instruction.args[at..at + axes(shape.dimension)].iter().map(|value| context.definitions.constant(*value));
        let offsets: Option<Vec<String>> = constants.map(|bits| bits.map(|bits| (bits as u32 as i32).to_string())).collect();
        let offsets =
            offsets.ok_or_else(|| unsupported("texel offsets that are computed, which WGSL's functions do not take"))?;
        list.push(match offsets.as_slice() {
            [one] => one.clone(),
            several => format!("vec{}i({})", several.len(), several.join(", ")),
        });
    }
    if sampling.base_clamp_to_edge {
        list.pop();
        return Ok(format!("textureSampleBaseClampToEdge({})", list.join(", ")));
    }
    Ok(format!("{name}({})", list.join(", ")))
}
