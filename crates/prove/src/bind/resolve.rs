//! Turns the names of a map into ids.

use super::*;
use gpuproof_number::format::Format;
use gpuproof_program::{ResourceId, SamplerId};

/// A map whose names have been found in two programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// Where each component of the port's inputs comes from.
    pub inputs: Vec<Carried<InputId>>,
    /// Which component of the port's outputs stands for which of the original's.
    pub outputs: Vec<Carried<OutputId>>,
    /// Resources.
    pub resources: Vec<Joined>,
    /// Samplers of the original and the port.
    pub samplers: Vec<(SamplerId, SamplerId)>,
    /// Counters of the original and the port.
    pub counters: Vec<(Counter, Counter)>,
}

/// A component that stands for another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried<Id> {
    /// The original's variable and component.
    pub original: (Id, u8),
    /// The port's.
    pub port: (Id, u8),
    /// What is done on the way.
    pub convert: Convert,
}

/// A resource that stands for another.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// The original's.
    pub original: ResourceId,
    /// The port's.
    pub port: ResourceId,
    /// How contents go over.
    pub transfer: Transfer,
}

/// Where a counter is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Hidden beside a resource.
    Hidden(ResourceId),
    /// In the word of a buffer at this offset in bytes.
    Word(ResourceId, u32),
}

impl Counter {
    /// The resource that keeps it.
    pub fn resource(self) -> ResourceId {
        match self {
            Counter::Hidden(resource) | Counter::Word(resource, _) => resource,
        }
    }
}

fn position(side: &'static str, what: &'static str, names: &[String], name: &str) -> Result<u32, BindError> {
    let unknown = || BindError::Unknown { side, what, name: name.into(), known: names.to_vec() };
    names.iter().position(|known| known == name).map(|at| at as u32).ok_or_else(unknown)
}

/// A name with components, `uv2.xy`, as the variable and its components.
fn parts(
    side: &'static str,
    what: &'static str,
    names: &[String],
    variables: &[IoVariable],
    text: &str,
) -> Result<(u32, Vec<u8>), BindError> {
    let (name, tail) = text.rsplit_once('.').unwrap_or((text, ""));
    let at = position(side, what, names, name)?;
    let existing = components(&variables[at as usize]);
    if tail.is_empty() {
        return Ok((at, existing));
    }
    let component = |letter: char| {
        let found = LETTERS.iter().position(|known| *known == letter).map(|component| component as u8);
        found.filter(|component| existing.contains(component))
    };
    let known = existing.iter().map(|component| format!("{name}.{}", letters(&[*component]))).collect();
    let found: Option<Vec<u8>> = tail.chars().map(component).collect();
    Ok((at, found.ok_or(BindError::Unknown { side, what, name: text.into(), known })?))
}

/// Checks that a lane of one program is a lane of the other.
pub(super) fn same_lanes(original: &Program, port: &Program) -> Result<(), BindError> {
    if original.stage != port.stage {
        let name = |stage| format!("{stage:?}").to_ascii_lowercase();
        return Err(BindError::Stage { original: name(original.stage), port: name(port.stage) });
    }
    if original.group_size != port.group_size {
        return Err(BindError::GroupSize { original: original.group_size, port: port.group_size });
    }
    Ok(())
}

impl Map {
    /// Finds the names of the map in two programs.
    ///
    /// # Errors
    /// For programs whose lanes do not correspond, for a name that does not exist, and for pairs of different sizes or kinds.
    pub fn resolve(&self, original: &Program, port: &Program) -> Result<Binding, BindError> {
        same_lanes(original, port)?;
        let mut binding = Binding::default();
        let (left, right) = (&original.interface, &port.interface);
        let (names, port_names) = (input_names(original), input_names(port));
        for pair in &self.inputs {
            let from = parts("original", "input", &names, &left.inputs, &pair.original)?;
            let to = parts("port", "input", &port_names, &right.inputs, &pair.port)?;
            for ((a, b), convert) in zip(pair, from, to)? {
                binding.inputs.push(Carried { original: (InputId(a.0), a.1), port: (InputId(b.0), b.1), convert });
            }
        }
        let (names, port_names) = (output_names(original), output_names(port));
        for pair in &self.outputs {
            let from = parts("original", "output", &names, &left.outputs, &pair.original)?;
            let to = parts("port", "output", &port_names, &right.outputs, &pair.port)?;
            for ((a, b), convert) in zip(pair, from, to)? {
                binding.outputs.push(Carried { original: (OutputId(a.0), a.1), port: (OutputId(b.0), b.1), convert });
            }
        }
        let (names, port_names) = (resource_names(left), resource_names(right));
        for pair in &self.resources {
            let original = ResourceId(position("original", "resource", &names, &pair.original)?);
            let port = ResourceId(position("port", "resource", &port_names, &pair.port)?);
            let (a, b) = (left.resource(original).shape, right.resource(port).shape);
            let (typed, typed_port) = (is_texture(&a), is_texture(&b));
            let fits = match &pair.transfer {
                Transfer::Whole => typed && typed_port,
                Transfer::Bytes(_) => !typed && !typed_port,
                Transfer::Texels(format) => {
                    typed != typed_port && Format::from_dxgi(*format).is_some_and(|format| !format.is_block())
                }
            };
            if !fits {
                let kinds = (infer::kind_name(left.resource(original)), infer::kind_name(right.resource(port)));
                let why = format!("{:?} does not carry a {} to a {}", pair.transfer, kinds.0, kinds.1);
                return Err(BindError::Misfit { original: pair.original.clone(), port: pair.port.clone(), why });
            }
            binding.resources.push(Joined { original, port, transfer: pair.transfer.clone() });
        }
        let counter = |side, names: &[String], place: &CounterPlace| {
            Ok(match place {
                CounterPlace::Hidden(name) => Counter::Hidden(ResourceId(position(side, "resource", names, name)?)),
                CounterPlace::Word { resource, offset } => {
                    Counter::Word(ResourceId(position(side, "resource", names, resource)?), *offset)
                }
            })
        };
        for pair in &self.counters {
            let places = (counter("original", &names, &pair.original)?, counter("port", &port_names, &pair.port)?);
            binding.counters.push(places);
        }
        let (names, port_names) = (sampler_names(left), sampler_names(right));
        for pair in &self.samplers {
            let original = SamplerId(position("original", "sampler", &names, &pair.original)?);
            binding.samplers.push((original, SamplerId(position("port", "sampler", &port_names, &pair.port)?)));
        }
        Ok(binding)
    }
}

fn is_texture(shape: &gpuproof_program::Shape) -> bool {
    matches!(shape, gpuproof_program::Shape::Texture(_))
}

type Component = (u32, u8);
type Zipped = Vec<((Component, Component), Convert)>;

fn zip(pair: &IoPair, from: (u32, Vec<u8>), to: (u32, Vec<u8>)) -> Result<Zipped, BindError> {
    if from.1.len() != to.1.len() {
        let why = format!("{} components against {}", from.1.len(), to.1.len());
        return Err(BindError::Misfit { original: pair.original.clone(), port: pair.port.clone(), why });
    }
    Ok(from.1.iter().zip(&to.1).map(|(a, b)| (((from.0, *a), (to.0, *b)), pair.convert)).collect())
}
