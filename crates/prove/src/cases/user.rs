//! What the user gives of a case.

use super::lanes;
use crate::bind::{components, from_launch, input_names, resource_names, sampler_names};
use gpuproof_program::{Dialect, Dimension, InputId, Program, ResourceId, SamplerId, Shape, Stage};
use gpuproof_run::{Binding, Case, LaneValues, Launch, SamplerState};

/// Parts of a case that the user gives; the rest is generated. They stand in every case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserInputs {
    /// Thread groups of a compute program.
    pub grid: Option<[u32; 3]>,
    /// Inputs of lanes: the number of lanes follows from them.
    pub inputs: Vec<(InputId, LaneValues)>,
    /// Elements of resources.
    pub resources: Vec<(ResourceId, u32, Binding)>,
    /// Elements of samplers.
    pub samplers: Vec<(SamplerId, u32, SamplerState)>,
}

/// What the user gives does not fit the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: given {given}, but the program takes {taken}")]
pub struct UserInputsError {
    /// The input, resource or sampler.
    pub name: String,
    /// What was given.
    pub given: String,
    /// What the program takes.
    pub taken: String,
}

impl UserInputs {
    /// Holds every part to the program's interface.
    ///
    /// # Errors
    /// The first part that does not fit, with both shapes.
    pub fn check(&self, program: &Program) -> Result<(), UserInputsError> {
        let misfit = |name: &str, given: String, taken: String| Err(UserInputsError { name: name.into(), given, taken });
        let interface = &program.interface;
        if self.grid.is_some() && program.stage != Stage::Compute {
            return misfit("grid", "thread groups".into(), format!("none: it is a {:?} program", program.stage));
        }
        let mut length: Option<(usize, String)> = None;
        let names = input_names(program);
        for (id, values) in &self.inputs {
            let Some(variable) = interface.inputs.get(id.index()) else {
                return misfit(&id.to_string(), "an input".into(), format!("{} inputs", interface.inputs.len()));
            };
            let name = &names[id.index()];
            let given: Vec<u8> = (0..4).filter(|component| !values.components[usize::from(*component)].is_empty()).collect();
            if given != components(variable) {
                let shape = |of: &[u8]| format!("components {}", crate::bind::letters(of));
                return misfit(name, shape(&given), shape(&components(variable)));
            }
            for component in given {
                let found = values.components[usize::from(component)].len();
                match &length {
                    Some((expected, first)) if *expected != found => {
                        return misfit(name, format!("{found} lanes"), format!("{expected} lanes, as {first} has"));
                    }
                    Some(_) => {}
                    None => length = Some((found, name.clone())),
                }
            }
        }
        if let (Some((found, name)), Stage::Pixel) = (&length, program.stage)
            && found % 4 != 0
        {
            return misfit(name, format!("{found} lanes"), "quads: a multiple of 4".into());
        }
        let names = resource_names(interface);
        for (id, element, binding) in &self.resources {
            let Some(resource) = interface.resources.get(id.index()) else {
                return misfit(&id.to_string(), "a resource".into(), format!("{} resources", interface.resources.len()));
            };
            if resource.count.is_some_and(|count| *element >= count) {
                let count = resource.count.unwrap_or(0);
                return misfit(&names[id.index()], format!("element {element}"), format!("{count} elements"));
            }
            let (given, taken) = (shape_of(binding), shape_taken(&resource.shape));
            if !binding_fits(binding, &resource.shape) {
                return misfit(&names[id.index()], given, taken);
            }
        }
        let names = sampler_names(interface);
        for (id, element, state) in &self.samplers {
            let Some(sampler) = interface.samplers.get(id.index()) else {
                return misfit(&id.to_string(), "a sampler".into(), format!("{} samplers", interface.samplers.len()));
            };
            if sampler.count.is_some_and(|count| *element >= count) {
                let count = sampler.count.unwrap_or(0);
                return misfit(&names[id.index()], format!("element {element}"), format!("{count} elements"));
            }
            if sampler.comparison != state.comparison.is_some() {
                let word = |comparison: bool| if comparison { "a comparison" } else { "no comparison" }.to_string();
                return misfit(&names[id.index()], word(state.comparison.is_some()), word(sampler.comparison));
            }
        }
        Ok(())
    }

    /// What is given shorter than the program declares it, for people: what lies past the end of what is given.
    pub fn short(&self, program: &Program) -> Vec<String> {
        let names = resource_names(&program.interface);
        let mut notes = Vec::new();
        for (id, _, binding) in &self.resources {
            if let (Binding::Buffer(buffer), Some(resource)) = (binding, program.interface.resources.get(id.index()))
                && let Shape::ConstantBuffer { bytes } | Shape::Buffer { bytes } = resource.shape
                && buffer.bytes.len() < bytes as usize
            {
                let past = match program.dialect {
                    Dialect::D3D11 => "what lies behind reads as zero",
                    Dialect::Vulkan => "Vulkan promises nothing of reads behind its end; here they are zero",
                    Dialect::Wgsl => "WebGPU refuses such a binding; here reads behind its end give what it holds elsewhere",
                };
                let (name, given) = (&names[id.index()], buffer.bytes.len());
                notes.push(format!("{name} was given {given} of the {bytes} bytes that the program declares: {past}"));
            }
        }
        notes
    }

    /// The launch that follows from what is given.
    pub(super) fn launch(&self, program: &Program) -> Option<Launch> {
        let given = self.inputs.iter().flat_map(|(_, values)| &values.components).map(Vec::len).find(|length| *length > 0);
        match (program.stage, given, self.grid) {
            (Stage::Compute, _, Some(count)) => Some(Launch::Groups { count }),
            (Stage::Vertex, Some(lanes), _) => Some(Launch::Vertices { count: lanes as u32 }),
            (Stage::Pixel, Some(lanes), _) => Some(Launch::Pixels { quads: lanes as u32 / 4, helpers: Vec::new() }),
            _ => None,
        }
    }

    /// Whether nothing is left to generate.
    pub(super) fn is_complete(&self, program: &Program) -> bool {
        let interface = &program.interface;
        let inputs = (0..interface.inputs.len() as u32)
            .all(|at| from_launch(interface.inputs[at as usize].builtin) || self.inputs.iter().any(|(id, _)| id.0 == at));
        let resources = (0..interface.resources.len() as u32).all(|at| self.resources.iter().any(|(id, ..)| id.0 == at));
        let samplers = (0..interface.samplers.len() as u32).all(|at| self.samplers.iter().any(|(id, ..)| id.0 == at));
        self.launch(program).is_some() && inputs && resources && samplers
    }

    /// Puts what is given into a case.
    pub(super) fn apply(&self, case: &mut Case) {
        for (id, values) in &self.inputs {
            if let Some(slot) = case.inputs.get_mut(id.index()) {
                *slot = values.clone();
            }
        }
        for (id, element, binding) in &self.resources {
            if let Some(elements) = case.resources.get_mut(id.index()) {
                let at = *element as usize;
                if elements.len() <= at {
                    elements.resize(at + 1, Binding::Unbound);
                }
                elements[at] = binding.clone();
            }
        }
        for (id, element, state) in &self.samplers {
            if let Some(slot) = case.samplers.get_mut(id.index()).and_then(|elements| elements.get_mut(*element as usize)) {
                *slot = *state;
            }
        }
    }
}

/// Holds a saved case to a program: the lanes of each input, and the kind of each binding.
///
/// # Errors
/// The first part that does not fit, with both shapes.
pub fn check_case(program: &Program, case: &Case) -> Result<(), UserInputsError> {
    let misfit = |name: &str, given: String, taken: String| Err(UserInputsError { name: name.into(), given, taken });
    let stage = match case.launch {
        Launch::Vertices { .. } => Stage::Vertex,
        Launch::Pixels { .. } => Stage::Pixel,
        Launch::Groups { .. } => Stage::Compute,
    };
    if stage != program.stage {
        return misfit("launch", format!("{stage:?} lanes"), format!("{:?} lanes", program.stage));
    }
    let interface = &program.interface;
    for (what, given, taken) in [
        ("inputs", case.inputs.len(), interface.inputs.len()),
        ("resources", case.resources.len(), interface.resources.len()),
        ("samplers", case.samplers.len(), interface.samplers.len()),
    ] {
        if given != taken {
            return misfit(what, given.to_string(), taken.to_string());
        }
    }
    let count = lanes(program, &case.launch);
    for (values, (variable, name)) in case.inputs.iter().zip(interface.inputs.iter().zip(input_names(program))) {
        for component in components(variable) {
            let given = values.components[usize::from(component)].len();
            if !from_launch(variable.builtin) && given as u64 != count {
                return misfit(&name, format!("{given} lanes"), format!("{count} lanes"));
            }
        }
    }
    for (bound, (resource, name)) in case.resources.iter().zip(interface.resources.iter().zip(resource_names(interface))) {
        if let Some(binding) = bound.iter().find(|binding| !binding_fits(binding, &resource.shape)) {
            return misfit(&name, shape_of(binding), shape_taken(&resource.shape));
        }
    }
    Ok(())
}

fn binding_fits(binding: &Binding, shape: &Shape) -> bool {
    match (binding, shape) {
        (Binding::Unbound, _) => true,
        (Binding::Buffer(buffer), Shape::Texture(texture)) => texture.dimension == Dimension::Buffer && buffer.format.is_some(),
        (Binding::Buffer(_), _) => true,
        (Binding::Texture(given), Shape::Texture(taken)) => given.dimension == taken.dimension && given.arrayed == taken.arrayed,
        (Binding::Texture(_), _) => false,
    }
}

fn shape_of(binding: &Binding) -> String {
    match binding {
        Binding::Unbound => "nothing".into(),
        Binding::Buffer(buffer) => {
            let typed = if buffer.format.is_some() { "a typed buffer" } else { "a buffer without a format" };
            format!("{typed} of {} bytes", buffer.bytes.len())
        }
        Binding::Texture(texture) => dimension_name(texture.dimension, texture.arrayed),
    }
}

fn shape_taken(shape: &Shape) -> String {
    match shape {
        Shape::ConstantBuffer { bytes } => format!("a constant buffer of {bytes} bytes"),
        Shape::Buffer { .. } => "a buffer".into(),
        Shape::Structured { stride } => format!("a buffer of structures of {stride} bytes"),
        Shape::Texture(texture) if texture.dimension == Dimension::Buffer => "a typed buffer".into(),
        Shape::Texture(texture) => dimension_name(texture.dimension, texture.arrayed),
    }
}

fn dimension_name(dimension: Dimension, arrayed: bool) -> String {
    let name = match dimension {
        Dimension::Buffer => "a typed buffer",
        Dimension::D1 => "a 1D texture",
        Dimension::D2 => "a 2D texture",
        Dimension::D3 => "a 3D texture",
        Dimension::Cube => "a cube texture",
    };
    format!("{name}{}", if arrayed { " array" } else { "" })
}
