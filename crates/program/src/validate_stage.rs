//! The rules of a program that come from its stage: what it declares of primitives, whose its inputs and outputs are, and which function may touch which.

use crate::assembly::*;
use crate::attrs::Target;
use crate::function::*;
use crate::interface::{IoVariable, Rate};
use crate::op::Op;
use crate::validate::ValidationError;
use crate::{Detail, Program, Stage};
use std::collections::BTreeSet;

/// What the program declares.
pub(crate) fn declarations(program: &Program) -> Result<(), String> {
    assembly(program)?;
    rates(program)
}

/// What its functions do, which are sound by themselves.
pub(crate) fn functions(program: &Program) -> Result<(), ValidationError> {
    let phases: Vec<(Option<PhaseKind>, FunctionId)> = match &program.assembly {
        Assembly::Hull(hull) => hull.phases.iter().map(|phase| (Some(phase.kind), phase.function)).collect(),
        _ => vec![(None, program.entry)],
    };
    for (kind, entry) in phases {
        for id in reached(program, entry) {
            let function = program.function(id);
            operations(program, kind, function).map_err(|what| ValidationError { function: function.name.clone(), what })?;
        }
    }
    Ok(())
}

fn within(what: &str, found: u32, least: u32, most: u32) -> Result<(), String> {
    if (least..=most).contains(&found) { Ok(()) } else { Err(format!("{found} {what}, expected {least} to {most}")) }
}

/// What a program declares of primitives is of its stage, and in the format's ranges.
fn assembly(program: &Program) -> Result<(), String> {
    match (&program.assembly, program.stage) {
        (Assembly::None, Stage::Vertex | Stage::Pixel | Stage::Compute) => Ok(()),
        (Assembly::Hull(hull), Stage::Hull) => {
            within("control points that come in", hull.input_points, 0, MAX_CONTROL_POINTS)?;
            within("control points that come out", hull.output_points, 0, MAX_CONTROL_POINTS)?;
            phases(program, hull)
        }
        (Assembly::Domain(domain), Stage::Domain) => {
            within("control points that come in", domain.input_points, 0, MAX_CONTROL_POINTS)
        }
        (Assembly::Geometry(geometry), Stage::Geometry) => {
            within("vertices of the primitive", geometry.input.vertices(), 1, MAX_CONTROL_POINTS)?;
            within("vertices at most", geometry.max_vertices, 0, MAX_GEOMETRY_VERTICES)?;
            within("instances", geometry.instances, 1, MAX_GEOMETRY_INSTANCES)?;
            let numbers: BTreeSet<u8> = geometry.streams.iter().map(|stream| stream.number).collect();
            if numbers.is_empty() || numbers.len() != geometry.streams.len() || numbers.last() >= Some(&MAX_STREAMS) {
                return Err(format!("streams {numbers:?}, expected one to four of 0 to 3, each once"));
            }
            Ok(())
        }
        (assembly, stage) => Err(format!("a {stage:?} program declares {assembly:?}")),
    }
}

fn phases(program: &Program, hull: &Hull) -> Result<(), String> {
    if !hull.phases.is_sorted_by_key(|phase| phase.kind) {
        return Err("phases are out of order, expected control points, then forks, then joins".into());
    }
    let has_points = hull.phases.first().is_some_and(|phase| phase.kind == PhaseKind::ControlPoint);
    if !has_points && ![0, hull.input_points].contains(&hull.output_points) {
        let Hull { input_points, output_points, .. } = hull;
        return Err(format!("{output_points} of {input_points} control points pass through, expected all or none"));
    }
    for (at, phase) in hull.phases.iter().enumerate() {
        match program.functions.get(phase.function.index()) {
            None => return Err(format!("the phase {} is not a function of the program", phase.function)),
            Some(function) if !function.params.is_empty() || !function.results.is_empty() => {
                return Err(format!("the phase {} has parameters or results", function.name));
            }
            Some(_) => {}
        }
        match phase.kind {
            PhaseKind::ControlPoint if at > 0 => return Err("there are two control point phases".into()),
            PhaseKind::ControlPoint if phase.lanes != hull.output_points => {
                let Hull { output_points, .. } = hull;
                return Err(format!("{} lanes make control points, expected {output_points}", phase.lanes));
            }
            PhaseKind::ControlPoint => {}
            PhaseKind::Fork | PhaseKind::Join => within("instances of a phase", phase.lanes, 1, MAX_PHASE_INSTANCES)?,
        }
    }
    match hull.phases.first() {
        Some(first) if first.function != program.entry => Err("the entry is not the first phase".into()),
        _ => Ok(()),
    }
}

/// Inputs and outputs are of lanes, vertices, patches and streams as the stage has them.
fn rates(program: &Program) -> Result<(), String> {
    let fits = |variable: &IoVariable, is_output: bool| match (program.stage, variable.rate, is_output) {
        (Stage::Hull, rate, true) => matches!(rate, Rate::Vertex | Rate::Patch),
        (Stage::Geometry, Rate::Stream(number), true) => match &program.assembly {
            Assembly::Geometry(geometry) => geometry.streams.iter().any(|stream| stream.number == number),
            _ => false,
        },
        (Stage::Geometry, _, true) => false,
        (Stage::Hull | Stage::Geometry, Rate::Vertex, false) => true,
        (Stage::Domain, Rate::Vertex | Rate::Patch, false) => true,
        (_, rate, _) => rate == Rate::Lane,
    };
    let interface = &program.interface;
    for (variables, is_output) in [(&interface.inputs, false), (&interface.outputs, true)] {
        if let Some(variable) = variables.iter().find(|variable| !fits(variable, is_output)) {
            let what = if is_output { "output" } else { "input" };
            return Err(format!("the {what} {} of a {:?} program is of {:?}", variable.name, program.stage, variable.rate));
        }
    }
    Ok(())
}

/// The functions that lanes come to from this one.
fn reached(program: &Program, entry: FunctionId) -> BTreeSet<FunctionId> {
    let (mut found, mut pending) = (BTreeSet::new(), vec![entry]);
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            walk(&program.function(id).body, &mut |node| {
                if let Node::Op(Instruction { attrs, .. }) = node
                    && let Target::Function(callee) = attrs.target
                {
                    pending.push(callee);
                }
            });
        }
    }
    found
}

fn operations(program: &Program, kind: Option<PhaseKind>, function: &Function) -> Result<(), String> {
    let mut found = Ok(());
    walk(&function.body, &mut |node| {
        if let Node::Op(instruction) = node
            && found.is_ok()
        {
            found = operation(program, kind, instruction);
        }
    });
    found
}

/// An operation is one of the stage, or of the kind of phase, and what it names is too.
fn operation(program: &Program, kind: Option<PhaseKind>, instruction: &Instruction) -> Result<(), String> {
    let (interface, name) = (&program.interface, instruction.op.row().name);
    let input = || match instruction.attrs.target {
        Target::Input(id, _) => Some(interface.input(id)),
        _ => None,
    };
    let output = || match instruction.attrs.target {
        Target::Output(id, _) => Some(interface.output(id)),
        _ => None,
    };
    let variable = input().or_else(output);
    let rate = variable.map(|variable| variable.rate);
    let later = matches!(kind, Some(PhaseKind::Fork | PhaseKind::Join));
    let fits = match instruction.op {
        Op::Input | Op::InputAt => {
            const IDS: [PhaseKind; 3] = [PhaseKind::ControlPoint, PhaseKind::Fork, PhaseKind::Join];
            let builtin = variable.and_then(|variable| variable.builtin);
            let of_phase = |id: PhaseKind| builtin != Some(id.lane_id()) || kind == Some(id);
            rate != Some(Rate::Vertex) && IDS.into_iter().all(of_phase)
        }
        Op::InputVertex => rate == Some(Rate::Vertex),
        Op::Output if later => rate == Some(Rate::Patch),
        Op::Output if kind == Some(PhaseKind::ControlPoint) => rate == Some(Rate::Vertex),
        Op::Output => rate == Some(Rate::Lane),
        Op::OutputVertex => later && rate == Some(Rate::Vertex) && has_control_point_phase(program),
        Op::OutputPatch => kind == Some(PhaseKind::Join) && rate == Some(Rate::Patch),
        Op::Emit | Op::Cut => match (&program.assembly, instruction.attrs.detail) {
            (Assembly::Geometry(geometry), Detail::Stream(number)) => {
                geometry.streams.iter().any(|stream| stream.number == number)
            }
            _ => false,
        },
        _ => true,
    };
    if fits {
        return Ok(());
    }
    let place = kind.map_or_else(|| format!("a {:?} program", program.stage), |kind| format!("a {kind:?} phase"));
    Err(match variable {
        Some(variable) => format!("{name} of {}, which is of {:?}, in {place}", variable.name, variable.rate),
        None => format!("{name} of a stream that is not declared, in {place}"),
    })
}

fn has_control_point_phase(program: &Program) -> bool {
    match &program.assembly {
        Assembly::Hull(hull) => hull.phases.iter().any(|phase| phase.kind == PhaseKind::ControlPoint),
        _ => false,
    }
}
