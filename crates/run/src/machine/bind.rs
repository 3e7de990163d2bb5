//! Holds a case to a program's interface, and makes of it what the machine works on.

use super::Plan;
use super::execute::LaunchShape;
use super::races::Shadow;
use crate::case::{Binding, BufferBinding, Case, LaneValues, Launch};
use crate::outcome::{Options, OutputValues, RunError, Writers};
use crate::texture::{Image, ImageError, TexelBuffer};
use gpuproof_program::{Access, Builtin, Dimension, Interface, IoVariable, Program, Resource, Shape, Stage, Width};
use std::sync::Arc;

/// Lanes that run together where they have no groups.
const BATCH: u32 = 256;

/// The memory that a run may still take.
pub(super) struct Budget {
    taken: u64,
    limit: u64,
}

impl Budget {
    pub(super) fn new(limit: u64) -> Budget {
        Budget { taken: 0, limit }
    }

    /// Takes so many bytes before they are allocated.
    pub(super) fn take(&mut self, what: &str, bytes: u64) -> Result<(), RunError> {
        self.taken = self.taken.saturating_add(bytes);
        if self.taken > self.limit {
            return Err(RunError::MemoryLimit { what: what.into(), needed: self.taken, limit: self.limit });
        }
        Ok(())
    }
}

fn bad(what: String) -> RunError {
    RunError::BadCase(what)
}

/// Whether the executor supplies an input.
pub(super) fn is_supplied(builtin: Option<Builtin>) -> bool {
    matches!(
        builtin,
        Some(
            Builtin::LocalInvocationId
                | Builtin::LocalInvocationIndex
                | Builtin::GlobalInvocationId
                | Builtin::WorkgroupId
                | Builtin::NumWorkgroups
                | Builtin::SubgroupSize
                | Builtin::SubgroupInvocationId
                | Builtin::SubgroupId
                | Builtin::NumSubgroups
        )
    )
}

/// Refuses programs of stages whose lanes the machine does not have.
///
/// # Errors
/// [`RunError::Stage`] for hull, domain and geometry programs.
pub fn check_stage(program: &Program) -> Result<(), RunError> {
    match program.stage {
        Stage::Vertex | Stage::Pixel | Stage::Compute => Ok(()),
        stage @ (Stage::Hull | Stage::Domain | Stage::Geometry) => Err(RunError::Stage(stage)),
    }
}

fn launch_shape(program: &Program, launch: &Launch) -> Result<LaunchShape, RunError> {
    let lanes_of = |count: u64| u32::try_from(count).map_err(|_| bad(format!("a launch of {count} lanes, at most {}", u32::MAX)));
    let independent = |lanes: u32| LaunchShape { lanes, threads: BATCH, groups: lanes.div_ceil(BATCH), group_count: [1; 3] };
    match (program.stage, launch) {
        (Stage::Vertex, Launch::Vertices { count }) => Ok(independent(*count)),
        (Stage::Pixel, Launch::Pixels { quads, helpers }) => {
            let lanes = lanes_of(u64::from(*quads) * 4)?;
            if !helpers.is_empty() && helpers.len() != lanes as usize {
                return Err(bad(format!("{} helper flags for {lanes} pixels", helpers.len())));
            }
            Ok(independent(lanes))
        }
        (Stage::Compute, Launch::Groups { count }) => {
            let product = |sizes: [u32; 3]| sizes.iter().try_fold(1u64, |product, size| product.checked_mul(u64::from(*size)));
            let threads = product(program.group_size).unwrap_or(u64::MAX);
            let groups = product(*count).unwrap_or(u64::MAX);
            if threads == 0 {
                return Err(bad("a thread group without threads".into()));
            }
            let lanes = lanes_of(threads.saturating_mul(groups))?;
            Ok(LaunchShape { lanes, threads: lanes_of(threads)?, groups: lanes_of(groups)?, group_count: *count })
        }
        (stage, launch) => {
            let found = match launch {
                Launch::Vertices { .. } => "vertices",
                Launch::Pixels { .. } => "pixels",
                Launch::Groups { .. } => "thread groups",
            };
            Err(bad(format!("a launch of {found} for a {stage:?} program")))
        }
    }
}

/// Holds a case to the interface.
pub(super) fn check(program: &Program, case: &Case) -> Result<LaunchShape, RunError> {
    let shape = launch_shape(program, &case.launch)?;
    if !case.wave_size.is_power_of_two() || !(4..=128).contains(&case.wave_size) {
        return Err(bad(format!("a wave size of {}, expected a power of two from 4 to 128", case.wave_size)));
    }
    if !(1..=32).contains(&case.samples) {
        return Err(bad(format!("{} samples, expected 1 to 32", case.samples)));
    }
    let Interface { inputs, resources, samplers, .. } = &program.interface;
    count("inputs", inputs.len(), case.inputs.len())?;
    count("resources", resources.len(), case.resources.len())?;
    count("samplers", samplers.len(), case.samplers.len())?;
    for (variable, values) in inputs.iter().zip(&case.inputs) {
        check_input(variable, values, shape.lanes)?;
    }
    for (resource, bindings) in resources.iter().zip(&case.resources) {
        if let Some(expected) = resource.count {
            count(&format!("elements of {}", resource.name), expected as usize, bindings.len())?;
        }
        for binding in bindings {
            check_binding(resource, binding)?;
        }
    }
    for (sampler, states) in samplers.iter().zip(&case.samplers) {
        if let Some(expected) = sampler.count {
            count(&format!("elements of {}", sampler.name), expected as usize, states.len())?;
        }
    }
    Ok(shape)
}

fn count(what: &str, expected: usize, found: usize) -> Result<(), RunError> {
    if expected == found { Ok(()) } else { Err(bad(format!("{found} {what}, the program has {expected}"))) }
}

fn check_input(variable: &IoVariable, values: &LaneValues, lanes: u32) -> Result<(), RunError> {
    if variable.width == Width::W64 {
        let what = format!("the 64-bit input {}", variable.name);
        return Err(RunError::Unsupported { what, place: "the interface".into() });
    }
    for (component, words) in values.components.iter().enumerate() {
        let exists = variable.mask >> component & 1 != 0 && !is_supplied(variable.builtin);
        let expected = if exists { lanes as usize } else { 0 };
        if words.len() != expected {
            let letter = ["x", "y", "z", "w"][component];
            return Err(bad(format!("{} values of input {}.{letter}, expected {expected}", words.len(), variable.name)));
        }
    }
    Ok(())
}

fn check_binding(resource: &Resource, binding: &Binding) -> Result<(), RunError> {
    let wants_texture = matches!(resource.shape, Shape::Texture(shape) if shape.dimension != Dimension::Buffer);
    let is_typed = matches!(resource.shape, Shape::Texture(shape) if shape.dimension == Dimension::Buffer);
    match binding {
        Binding::Unbound => Ok(()),
        Binding::Buffer(buffer) if is_typed && buffer.format.is_none() => {
            Err(bad(format!("a buffer without a format for {}, which is a typed buffer", resource.name)))
        }
        Binding::Buffer(_) if !wants_texture => Ok(()),
        Binding::Buffer(_) => Err(bad(format!("a buffer for {}, which is {:?}", resource.name, resource.shape))),
        Binding::Texture(_) if wants_texture => Ok(()),
        Binding::Texture(_) => Err(bad(format!("a texture for {}, which is {:?}", resource.name, resource.shape))),
    }
}

/// One element of a resource in a run.
pub(super) struct Element {
    pub(super) memory: Memory,
    pub(super) counter: u32,
    /// For each word whether a float operation made what was stored there last.
    pub(super) floats: Vec<u8>,
    pub(super) shadow: Option<Shadow>,
}

/// What an element holds.
pub(super) enum Memory {
    Unbound,
    Buffer { bytes: Arc<Vec<u8>>, binding: BufferBinding, texels: Option<TexelBuffer> },
    Texture(Box<Image>),
}

impl Element {
    /// The element after the run.
    pub(super) fn finish(self) -> (Binding, Vec<u8>) {
        let binding = match self.memory {
            Memory::Unbound => Binding::Unbound,
            Memory::Buffer { bytes, binding, .. } => {
                Binding::Buffer(BufferBinding { bytes, counter: self.counter, format: binding.format })
            }
            Memory::Texture(image) => Binding::Texture(image.into_texture()),
        };
        (binding, self.floats)
    }

    /// Which lanes wrote to it last, in places of so many bytes where it is a buffer without texels.
    pub(super) fn writers(&self, granule: u32) -> Writers {
        let bytes = if matches!(self.memory, Memory::Buffer { texels: None, .. }) { granule.max(1) } else { 0 };
        Writers { bytes, lanes: self.shadow.as_ref().map(Shadow::writers).unwrap_or_default() }
    }

    /// Makes room for what [`Element::note_float`] remembers, before the first store.
    pub(super) fn begin_floats(&mut self) {
        if let Memory::Buffer { bytes, .. } = &self.memory
            && self.floats.is_empty()
        {
            self.floats = vec![0; bytes.len().div_ceil(4).div_ceil(8)];
        }
    }

    /// Remembers whether a float operation made the words of a store.
    pub(super) fn note_float(&mut self, offset: usize, bytes: usize, float_made: bool) {
        self.begin_floats();
        for word in offset / 4..(offset + bytes).div_ceil(4) {
            if let Some(byte) = self.floats.get_mut(word / 8) {
                *byte = *byte & !(1 << (word % 8)) | u8::from(float_made) << (word % 8);
            }
        }
    }
}

/// The elements of all resources at the start.
pub(super) fn elements(
    plan: &Plan,
    case: &Case,
    shape: &LaunchShape,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Vec<Element>>, RunError> {
    let resources = plan.program.interface.resources.iter().zip(&case.resources).enumerate();
    resources
        .map(|(at, (resource, bindings))| {
            let written = plan.facts.written[at];
            let granule = plan.facts.granule[at];
            bindings.iter().map(|binding| element(resource, binding, written, granule, shape, options.races, budget)).collect()
        })
        .collect()
}

fn element(
    resource: &Resource,
    binding: &Binding,
    written: bool,
    granule: u32,
    shape: &LaunchShape,
    races: bool,
    budget: &mut Budget,
) -> Result<Element, RunError> {
    let refuse = |error: ImageError| match error {
        ImageError::Unsupported(what) => RunError::Unsupported { what, place: format!("resource {}", resource.name) },
        error => bad(format!("{}: {error}", resource.name)),
    };
    let mut places = 0u64;
    let mut size = 0u64;
    let mut counter = 0;
    let memory = match (binding, resource.shape) {
        (Binding::Unbound, _) => Memory::Unbound,
        (Binding::Buffer(buffer), declared) => {
            let texels = match (declared, buffer.format) {
                (Shape::Texture(shape), Some(format)) => Some(TexelBuffer::new(format, shape.kind).map_err(refuse)?),
                _ => None,
            };
            size = buffer.bytes.len() as u64;
            places = match &texels {
                Some(texels) => texels.texels(buffer.bytes.len()).into(),
                None => size.div_ceil(u64::from(granule.max(1))),
            };
            counter = buffer.counter;
            Memory::Buffer {
                bytes: buffer.bytes.clone(),
                binding: BufferBinding { bytes: Arc::default(), ..buffer.clone() },
                texels,
            }
        }
        (Binding::Texture(texture), Shape::Texture(shape)) => {
            let image = Image::new(texture.clone(), &shape);
            let image = if resource.access == Access::Read { image } else { image.and_then(Image::writable) }.map_err(refuse)?;
            size = texture.levels.iter().map(|level| level.len() as u64).sum();
            let extent = texture.size.iter().chain([&texture.layers]).map(|n| u64::from(*n).max(1));
            places = extent.fold(1, u64::saturating_mul);
            Memory::Texture(Box::new(image))
        }
        (Binding::Texture(_), declared) => return Err(bad(format!("a texture for {}, which is {declared:?}", resource.name))),
    };
    let mut shadow = None;
    if written {
        budget.take(&format!("a copy of {}", resource.name), size)?;
        if races {
            budget.take(&format!("finding races in {}", resource.name), Shadow::bytes(places))?;
            shadow = Some(Shadow::new(places as usize, shape.threads));
        }
    }
    Ok(Element { memory, counter, floats: Vec::new(), shadow })
}

/// Where the lanes' outputs go.
pub(super) fn outputs(program: &Program, lanes: u32, budget: &mut Budget) -> Result<Vec<OutputValues>, RunError> {
    let outputs = program.interface.outputs.iter();
    outputs
        .map(|variable| {
            if variable.width == Width::W64 {
                let what = format!("the 64-bit output {}", variable.name);
                return Err(RunError::Unsupported { what, place: "the interface".into() });
            }
            budget.take("outputs", u64::from(lanes) * (1 + 4 * u64::from(variable.mask.count_ones())))?;
            let component = |at: usize| if variable.mask >> at & 1 != 0 { vec![0; lanes as usize] } else { Vec::new() };
            Ok(OutputValues { components: std::array::from_fn(component), written: vec![0; lanes as usize] })
        })
        .collect()
}

impl Case {
    /// A case for a program with nothing in it yet: inputs of zeros, unbound resources, default samplers, waves of 32 lanes. Binding arrays without a
    /// size get one element.
    ///
    /// # Errors
    /// [`RunError::BadCase`] if the launch is not for the program's stage or has more than 2^32 lanes.
    pub fn empty_for(program: &Program, launch: Launch) -> Result<Case, RunError> {
        let lanes = launch_shape(program, &launch)?.lanes as usize;
        let interface = &program.interface;
        let elements = |count: Option<u32>| count.unwrap_or(1) as usize;
        let values = |variable: &IoVariable| {
            let exists = |at: usize| variable.mask >> at & 1 != 0 && !is_supplied(variable.builtin);
            LaneValues { components: std::array::from_fn(|at| if exists(at) { vec![0; lanes] } else { Vec::new() }) }
        };
        Ok(Case {
            launch,
            wave_size: 32,
            samples: 1,
            inputs: interface.inputs.iter().map(values).collect(),
            resources: interface.resources.iter().map(|resource| vec![Binding::Unbound; elements(resource.count)]).collect(),
            samplers: interface.samplers.iter().map(|sampler| vec![Default::default(); elements(sampler.count)]).collect(),
        })
    }

    /// How many lanes the case runs of a program.
    ///
    /// # Errors
    /// As [`Case::empty_for`].
    pub fn lanes(&self, program: &Program) -> Result<u32, RunError> {
        launch_shape(program, &self.launch).map(|shape| shape.lanes)
    }
}
