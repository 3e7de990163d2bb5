//! What a person gives of a case, from files: textures, buffers, constants by name, inputs of lanes, sampler states.

mod constants;
mod dds;
pub mod measured;
mod numpy;
mod picture;
mod sampler;

use crate::args::Given;
use crate::failure::Failure;
use gpuproof_number::format::{Format, Unlisted};
use gpuproof_program::{Dialect, InputId, Program, RegisterClass, ResourceId, SamplerId, Shape, Slot, TexelFormat, TextureShape};
use gpuproof_prove::cases::UserInputs;
use gpuproof_run::{Binding, BufferBinding, LaneValues, Texture};
use std::sync::Arc;

/// Reads all that was given for a program.
pub fn user_inputs(given: &Given, program: &Program) -> Result<UserInputs, Failure> {
    let mut inputs = UserInputs { grid: given.grid, ..UserInputs::default() };
    for (name, file) in &given.bind {
        let (id, element) = find_resource(program, name)?;
        let binding = bind(program, id, file)?;
        inputs.resources.push((id, element, binding));
    }
    for (name, file) in &given.input {
        let id = find_input(program, name)?;
        inputs.inputs.push((id, lane_values(program, id, file)?));
    }
    for (name, state) in &given.sampler {
        let (id, element) = find_sampler(program, name)?;
        let comparison = program.interface.sampler(id).comparison;
        inputs.samplers.push((id, element, sampler::parse(state, comparison)?));
    }
    Ok(inputs)
}

/// Splits `name[3]` into the name and the element.
fn split_element(name: &str) -> Result<(&str, u32), Failure> {
    match name.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        None => Ok((name, 0)),
        Some((name, element)) => match element.parse() {
            Ok(element) => Ok((name, element)),
            Err(_) => Err(Failure::bad(format!("{name}: expected a number in brackets, found '{element}'"))),
        },
    }
}

/// Whether a slot is what a person calls it: a register (`t3`, `t3,space1`) or `group:binding`. Gives the element of a range.
fn slot_element(slot: Slot, count: Option<u32>, name: &str) -> Option<u32> {
    match slot {
        Slot::Register { class, space, index } => {
            let (register, in_space) = match name.split_once(",space") {
                Some((register, in_space)) => (register, in_space.parse().ok()?),
                None => (name, 0),
            };
            let letter = match class {
                RegisterClass::B => 'b',
                RegisterClass::T => 't',
                RegisterClass::U => 'u',
                RegisterClass::S => 's',
            };
            let number: u32 = register.strip_prefix(letter)?.parse().ok()?;
            let element = number.checked_sub(index)?;
            (in_space == space && count.is_none_or(|count| element < count)).then_some(element)
        }
        Slot::Binding { group, binding } => {
            let (in_group, number) = name.split_once(':')?;
            (in_group.parse() == Ok(group) && number.parse() == Ok(binding)).then_some(0)
        }
    }
}

fn slot_name(slot: Slot) -> String {
    match slot {
        Slot::Register { .. } => gpuproof_report::info::slot(slot, Some(1)),
        Slot::Binding { group, binding } => format!("{group}:{binding}"),
    }
}

fn find<T>(what: &str, name: &str, all: &[T], of: impl Fn(&T) -> (Slot, Option<u32>, &str)) -> Result<(usize, u32), Failure> {
    let (base, element) = split_element(name)?;
    for (at, one) in all.iter().enumerate() {
        let (slot, count, own) = of(one);
        if own == base {
            return Ok((at, element));
        }
        if let Some(first) = slot_element(slot, count, base) {
            return Ok((at, first + element));
        }
    }
    let known: Vec<String> = all
        .iter()
        .map(|one| {
            let (slot, _, own) = of(one);
            let slot = slot_name(slot);
            if slot == own { slot } else { format!("{own} ({slot})") }
        })
        .collect();
    let known = if known.is_empty() { "none".into() } else { known.join(", ") };
    Err(Failure::bad(format!("no {what} '{name}'; the program has {known}")))
}

fn find_resource(program: &Program, name: &str) -> Result<(ResourceId, u32), Failure> {
    let resources = &program.interface.resources;
    let (at, element) = find("resource", name, resources, |resource| (resource.slot, resource.count, &resource.name))?;
    Ok((ResourceId(at as u32), element))
}

fn find_sampler(program: &Program, name: &str) -> Result<(SamplerId, u32), Failure> {
    let samplers = &program.interface.samplers;
    let (at, element) = find("sampler", name, samplers, |sampler| (sampler.slot, sampler.count, &sampler.name))?;
    Ok((SamplerId(at as u32), element))
}

/// Finds an input by semantic (`TEXCOORD1`), name, register (`v2`) or location (`@2`, `2`).
fn find_input(program: &Program, name: &str) -> Result<InputId, Failure> {
    let register = program.dialect == Dialect::D3D11;
    let inputs = &program.interface.inputs;
    let location = name.strip_prefix(if register { 'v' } else { '@' }).unwrap_or(name).parse::<u32>().ok();
    let named = |at: &usize| {
        let variable = &inputs[*at];
        gpuproof_report::info::io_name(variable, register).eq_ignore_ascii_case(name) || variable.name.eq_ignore_ascii_case(name)
    };
    let at_location = |at: &usize| location.is_some() && inputs[*at].location == location;
    let found = (0..inputs.len()).find(named).or_else(|| (0..inputs.len()).find(at_location));
    found.map(|at| InputId(at as u32)).ok_or_else(|| {
        let known: Vec<String> = inputs.iter().map(|input| gpuproof_report::info::io_name(input, register)).collect();
        Failure::bad(format!(
            "no input '{name}'; the program has {}",
            if known.is_empty() { "none".into() } else { known.join(", ") }
        ))
    })
}

fn read(file: &str) -> Result<Vec<u8>, Failure> {
    crate::source::read(file).map(|file| file.bytes)
}

fn extension(file: &str) -> String {
    std::path::Path::new(file).extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Splits `data.bin:R32_FLOAT` where what stands behind the colon is a DXGI or WGSL format.
fn split_format(file: &str) -> (&str, Option<&'static Format>) {
    let found = file.rsplit_once(':').and_then(|(path, name)| {
        let format = Format::from_name(&name.to_uppercase()).or_else(|| Format::from_wgsl(&name.to_lowercase()))?;
        Some((path, format))
    });
    found.map_or((file, None), |(path, format)| (path, Some(format)))
}

fn bind(program: &Program, id: ResourceId, given: &str) -> Result<Binding, Failure> {
    let resource = program.interface.resource(id);
    let (file, format) = split_format(given);
    let unlisted = given.rsplit_once(':').and_then(|(_, name)| Unlisted::from_name(&name.to_uppercase()));
    if let Some(known) = unlisted.filter(|_| format.is_none()) {
        return Err(Failure::unsupported(format!("{given}: {known}")));
    }
    let kind = extension(file);
    let bytes = read(file)?;
    if let Shape::Texture(shape) = resource.shape
        && shape.dimension != gpuproof_program::Dimension::Buffer
    {
        return texture(file, &kind, &bytes, format, shape).map(|texture| Binding::Texture(Arc::new(texture)));
    }
    let bytes = match kind.as_str() {
        "toml" => {
            let layout = resource.layout.as_ref().ok_or_else(|| {
                Failure::bad(format!("{file}: '{}' has no known layout (the program is stripped); give raw bytes", resource.name))
            })?;
            constants::bytes(file, &bytes, layout)?
        }
        "npy" => numpy::parse(file, &bytes)?.bytes(),
        "dds" | "png" => return Err(Failure::bad(format!("{file}: a picture, but '{}' is a buffer", resource.name))),
        _ => bytes,
    };
    let format = match resource.shape {
        Shape::Texture(shape) => Some(buffer_format(file, format, shape)?),
        _ => None,
    };
    Ok(Binding::Buffer(BufferBinding { bytes: Arc::new(bytes), format, counter: 0 }))
}

fn buffer_format(file: &str, format: Option<&Format>, shape: TextureShape) -> Result<TexelFormat, Failure> {
    match (format, shape.format) {
        (Some(format), _) => Ok(TexelFormat(format.dxgi)),
        (None, Some(format)) => Ok(format),
        (None, None) => {
            Err(Failure::bad(format!("{file}: a typed buffer needs a format behind the file, as in {file}:R32G32B32A32_FLOAT")))
        }
    }
}

fn texture(
    file: &str,
    kind: &str,
    bytes: &[u8],
    format: Option<&'static Format>,
    shape: TextureShape,
) -> Result<Texture, Failure> {
    let texture = match kind {
        "dds" => dds::parse(file, bytes, format)?,
        "png" => picture::parse(file, bytes, format)?,
        "npy" => numpy::parse(file, bytes)?.texture(file, format, shape)?,
        other => {
            return Err(Failure::bad(format!("{file}: expected a .dds, .png or .npy for a texture, found '.{other}'")));
        }
    };
    Ok(texture)
}

fn lane_values(program: &Program, id: InputId, file: &str) -> Result<LaneValues, Failure> {
    let variable = program.interface.input(id);
    let components: Vec<usize> = (0..4).filter(|component| variable.mask >> component & 1 == 1).collect();
    let bytes = read(file)?;
    let words: Vec<u32> = if extension(file) == "npy" {
        let array = numpy::parse(file, &bytes)?;
        let given = array.shape.get(1).copied().unwrap_or(1);
        if array.shape.len() > 2 || given != components.len() {
            return Err(Failure::bad(format!(
                "{file}: an array of shape {:?}, expected lanes x {} components for '{}'",
                array.shape,
                components.len(),
                variable.name
            )));
        }
        array.words
    } else {
        if bytes.len() % (4 * components.len()) != 0 {
            return Err(Failure::bad(format!(
                "{file}: {} bytes, expected a multiple of {} ({} words a lane for '{}')",
                bytes.len(),
                4 * components.len(),
                components.len(),
                variable.name
            )));
        }
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
    };
    let mut values = LaneValues::default();
    for (nth, component) in components.iter().enumerate() {
        values.components[*component] = words.iter().copied().skip(nth).step_by(components.len()).collect();
    }
    Ok(values)
}
