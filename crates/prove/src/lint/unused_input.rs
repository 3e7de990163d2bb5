//! Inputs, resources and samplers that are declared and not read.
//!
//! ## Why
//! An input that is not read was interpolated or fetched for nothing, and often was meant to be read: a port that lost a texture still declares
//! it.
//!
//! ## Example
//! ~~~text
//! @fragment fn main(@location(0) uv: vec2f, @location(1) normal: vec3f) -> @location(0) vec4f {
//!     return textureSample(t, s, uv);         normal is not read
//! }
//! ~~~
//!
//! ## What to do
//! Read it, or take it out of the signature. An input that a program shares with others, as a structure of all that vertices give, may
//! well stay.
//!
//! ## What it does not see
//! Single components of an input, single members of a constant buffer, and elements of an array of textures. The position of a pixel is always
//! there and not reported, nor are tessellation factors, and control points that a hull program passes through. What only dead code reads counts as not read.

use super::{Finding, Place, Severity, Subject};
use gpuproof_program::{Assembly, Builtin, Dialect, FunctionId, IoVariable, Node, PhaseKind, Program, Rate, Stage, Target, walk};
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(program) = subject.program else { return Vec::new() };
    let live = subject.live(program);
    let (mut inputs, mut resources, mut samplers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (at, function) in program.functions.iter().enumerate() {
        walk(&function.body, &mut |node| match node {
            Node::Op(instruction) if live.instruction(FunctionId(at as u32), instruction) => match instruction.attrs.target {
                Target::Input(id, _) => _ = inputs.insert(id.index()),
                Target::Resource(id) => _ = resources.insert(id.index()),
                Target::Sampled(texture, sampler) => {
                    resources.insert(texture.index());
                    samplers.insert(sampler.index());
                }
                _ => {}
            },
            _ => {}
        });
    }
    let interface = &program.interface;
    let mut findings = Vec::new();
    let mut found = |name: String, what: &str| {
        findings.push(Finding {
            rule: "unused-input",
            severity: Severity::Note,
            place: Place { number: None, offset: None, text: name },
            message: format!("this {what} is declared and not used"),
            help: "use it or drop its declaration".into(),
        });
    };
    for (at, input) in interface.inputs.iter().enumerate() {
        if !inputs.contains(&at) && !is_given(program, input) {
            found(input_name(program, input), "input");
        }
    }
    for (at, resource) in interface.resources.iter().enumerate() {
        if !resources.contains(&at) {
            found(resource.name.clone(), "resource");
        }
    }
    for (at, sampler) in interface.samplers.iter().enumerate() {
        if !samplers.contains(&at) {
            found(sampler.name.clone(), "sampler");
        }
    }
    findings
}

/// Whether the pipeline gives an input whether or not it is read, or hands it on.
fn is_given(program: &Program, input: &IoVariable) -> bool {
    let passes = match &program.assembly {
        // What comes in goes out (10.6).
        Assembly::Hull(hull) => {
            hull.output_points > 0 && hull.phases.first().is_none_or(|phase| phase.kind != PhaseKind::ControlPoint)
        }
        _ => false,
    };
    match (program.stage, input.builtin) {
        (Stage::Pixel, Some(Builtin::Position)) => true,
        // Factors are for the tessellator; a domain program's signature has them all the same.
        (Stage::Domain, builtin) => builtin.is_some_and(is_factor),
        _ => passes && input.rate == Rate::Vertex,
    }
}

fn is_factor(builtin: Builtin) -> bool {
    use Builtin::{EdgeTessFactor, InsideTessFactor, LineDensityTessFactor, LineDetailTessFactor};
    matches!(builtin, EdgeTessFactor | InsideTessFactor | LineDensityTessFactor | LineDetailTessFactor)
}

fn input_name(program: &Program, input: &IoVariable) -> String {
    let index = if input.semantic_index > 0 { input.semantic_index.to_string() } else { String::new() };
    match (program.dialect, input.location) {
        (Dialect::D3D11, Some(register)) if input.rate == Rate::Patch => format!("vpc{register} ({}{index})", input.name),
        (Dialect::D3D11, Some(register)) => format!("v{register} ({}{index})", input.name),
        (_, Some(location)) => format!("{} (at location {location})", input.name),
        _ => format!("{}{index}", input.name),
    }
}
