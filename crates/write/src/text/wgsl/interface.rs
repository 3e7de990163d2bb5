//! What a module of WGSL declares: inputs and outputs, resources, memories.

use super::*;

/// The inputs that are used, in order.
pub(super) fn used_inputs(print: &Printer<'_>) -> Vec<usize> {
    (0..print.module.program.interface.inputs.len()).filter(|at| print.module.uses.inputs.contains(at)).collect()
}

pub(super) fn inputs_names(print: &Printer<'_>) -> Vec<String> {
    let position = |at: usize| {
        let (name, variable) = (&print.module.idents.inputs[at], &print.module.program.interface.inputs[at]);
        let turned = variable.builtin == Some(Builtin::Position) && print.module.program.dialect == Rules::D3D11;
        // Direct3D gives w, WebGPU 1 / w.
        if turned { format!("vec4f({name}.xyz, 1.0 / {name}.w)") } else { name.clone() }
    };
    used_inputs(print).into_iter().map(position).collect()
}

fn input_type_of(print: &Printer<'_>, at: usize) -> Type {
    let id = InputId(at as u32);
    let size = crate::text::build::input_size(print.module.program, id);
    Type::new(crate::text::facts::input_type(print.module.program, id), size)
}

pub(super) fn inputs_declared(print: &Printer<'_>) -> Vec<String> {
    let declared = |at: usize| format!("{}: {}", print.module.idents.inputs[at], type_name(input_type_of(print, at)));
    used_inputs(print).into_iter().map(declared).collect()
}

/// Locations, each but once: variables that share a register get others.
fn locations(variables: &[IoVariable]) -> Vec<Option<u32>> {
    let mut free = variables.iter().filter_map(|variable| variable.location).max().map_or(0, |last| last + 1);
    let mut taken: Vec<(u32, Option<u32>)> = Vec::new();
    variables
        .iter()
        .map(|variable| {
            let location = variable.location.filter(|_| variable.builtin.is_none())?;
            let key = (location, variable.blend_source);
            if !taken.contains(&key) {
                taken.push(key);
                return Some(location);
            }
            free += 1;
            Some(free - 1)
        })
        .collect()
}

/// Parameters of the entry, members of what it returns, and the line before it.
pub(super) fn interface(print: &Printer<'_>) -> Result<(Vec<String>, Vec<String>, String), WriteError> {
    let module = print.module;
    let program = module.program;
    let refuse = |variable: &IoVariable| {
        lacks(
            print,
            format!(
                "{} ({})",
                variable.builtin.map_or_else(|| "a variable without a location".into(), |builtin| format!("{builtin:?}")),
                variable.name
            ),
        )
    };
    let mut params = Vec::new();
    let places = locations(&program.interface.inputs);
    for at in used_inputs(print) {
        let variable = &program.interface.inputs[at];
        let name = &module.idents.inputs[at];
        let ty = input_type_of(print, at);
        match builtin(variable, program.stage, true).ok_or_else(|| refuse(variable))? {
            Some((word, scalar, size)) => {
                params.push(format!("@builtin({word}) {name}: {}", type_name(Type { scalar, size })));
            }
            None => {
                let location = places[at].ok_or_else(|| refuse(variable))?;
                let how = if program.stage == Stage::Pixel { interpolation(variable.interpolation, ty.scalar) } else { "" };
                params.push(format!("@location({location}) {how}{name}: {}", type_name(ty)));
            }
        }
    }
    let mut members = Vec::new();
    let places = locations(&program.interface.outputs);
    let mut has_position = false;
    for (at, variable) in program.interface.outputs.iter().enumerate() {
        if !module.uses.outputs.contains(&OutputId(at as u32)) {
            continue;
        }
        let name = &module.idents.outputs[at];
        let size = (8 - variable.mask.leading_zeros() - variable.mask.trailing_zeros().min(7)) as usize;
        let own = Type::new(Scalar::of(variable.kind, gpuproof_program::Width::W32), size);
        has_position |= variable.builtin == Some(Builtin::Position);
        match builtin(variable, program.stage, false).ok_or_else(|| refuse(variable))? {
            Some((word, scalar, size)) if own.size == size || size == 1 => {
                members.push(format!("    @builtin({word}) {name}: {},\n", type_name(Type { scalar, size })));
            }
            Some(_) => {
                return Err(lacks(print, format!("a builtin of which only some components are written ({})", variable.name)));
            }
            None => {
                let location = places[at].ok_or_else(|| refuse(variable))?;
                let flat = if program.stage == Stage::Vertex { interpolation(Interpolation::Linear, own.scalar) } else { "" };
                let source = variable.blend_source.map_or_else(String::new, |source| format!("@blend_src({source}) "));
                members.push(format!("    @location({location}) {source}{flat}{name}: {},\n", type_name(own)));
            }
        }
    }
    let stage = match program.stage {
        Stage::Vertex => "@vertex".to_string(),
        Stage::Pixel => "@fragment".to_string(),
        _ => {
            let [x, y, z] = program.group_size;
            format!("@compute @workgroup_size({x}, {y}, {z})")
        }
    };
    if program.stage == Stage::Vertex && !has_position {
        // Each vertex program of WGSL has a position.
        members.push("    @builtin(position) no_position: vec4f,\n".into());
    }
    Ok((params, members, stage))
}

pub(super) fn resources(print: &Printer<'_>, out: &mut String) -> Result<(), WriteError> {
    let module = print.module;
    let interface = &module.program.interface;
    let mut binding = 0;
    let mut declare =
        |out: &mut String, text: &dyn Fn(u32) -> Result<String, WriteError>, used: bool| -> Result<(), WriteError> {
            if used {
                out.push_str(&text(binding)?);
            }
            binding += 1;
            Ok(())
        };
    for (at, resource) in interface.resources.iter().enumerate() {
        let (id, name) = (ResourceId(at as u32), &module.idents.resources[at]);
        let memory = Memory::Resource(id);
        let number = scalar(module.uses.atomic.get(&memory).copied().unwrap_or(module.cell(memory)));
        let number = if module.uses.atomic.contains_key(&memory) { format!("atomic<{number}>") } else { number.to_string() };
        let access = if module.uses.written.contains(&id) { "storage, read_write" } else { "storage, read" };
        let held = |binding: u32, space: &str, ty: String| match resource.count {
            Some(1) => format!("@group(0) @binding({binding}) var<{space}> {name}: {ty};\n"),
            count => format!(
                "struct {name}_memory {{\n    {HELD}: {ty},\n}}\n@group(0) @binding({binding}) var<{space}> {name}: {};\n",
                in_array(&format!("{name}_memory"), count)
            ),
        };
        let text = |binding: u32| -> Result<String, WriteError> {
            Ok(match resource.shape {
                Shape::ConstantBuffer { bytes } => {
                    let rows = if bytes == 0 { 4096 } else { bytes.div_ceil(16) };
                    let row = type_name(Type::new(module.cell(memory), 4));
                    held(binding, "uniform", format!("array<{row}, {rows}>"))
                }
                Shape::Buffer { .. } => held(binding, access, format!("array<{number}>")),
                Shape::Structured { stride } => held(binding, access, format!("array<array<{number}, {}>>", (stride / 4).max(1))),
                Shape::Texture(shape) => {
                    let ty = in_array(&texture_type(print, id, &shape)?, resource.count);
                    format!("@group(0) @binding({binding}) var {name}: {ty};\n")
                }
            })
        };
        declare(out, &text, module.uses.memories.contains(&memory))?;
    }
    for (at, resource) in interface.resources.iter().enumerate().filter(|(_, resource)| resource.counter) {
        let name = &module.idents.counters[at];
        let text = |binding: u32| {
            Ok(match resource.count {
                Some(1) => format!("@group(0) @binding({binding}) var<storage, read_write> {name}: atomic<u32>;\n"),
                count => format!(
                    "struct {name}_memory {{\n    {HELD}: atomic<u32>,\n}}\n@group(0) @binding({binding}) var<storage, read_write> {name}: {};\n",
                    in_array(&format!("{name}_memory"), count)
                ),
            })
        };
        declare(out, &text, module.uses.counters.contains(&at))?;
    }
    for (at, sampler) in interface.samplers.iter().enumerate() {
        let ty = if sampler.comparison { "sampler_comparison" } else { "sampler" };
        let name = &module.idents.samplers[at];
        let text = |binding: u32| Ok(format!("@group(0) @binding({binding}) var {name}: {};\n", in_array(ty, sampler.count)));
        declare(out, &text, module.uses.samplers.contains(&at))?;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(())
}

/// Group-shared memory and per-lane arrays.
pub(super) fn memories(print: &Printer<'_>, out: &mut String) {
    let module = print.module;
    let before = out.len();
    for (at, shared) in module.program.shared.iter().enumerate() {
        let memory = Memory::Shared(gpuproof_program::SharedId(at as u32));
        if module.uses.memories.contains(&memory) {
            let number = scalar(module.uses.atomic.get(&memory).copied().unwrap_or(module.cell(memory)));
            let number = if module.uses.atomic.contains_key(&memory) { format!("atomic<{number}>") } else { number.to_string() };
            let words = shared.bytes.div_ceil(4).max(1);
            let _ = writeln!(out, "var<workgroup> {}: array<{number}, {words}>;", module.name(memory));
        }
    }
    for (at, array) in module.program.arrays.iter().enumerate() {
        let memory = Memory::Array(gpuproof_program::ArrayId(at as u32));
        if !module.uses.memories.contains(&memory) {
            continue;
        }
        let (name, number) = (module.name(memory), scalar(module.cell(memory)));
        let ty = format!("array<{number}, {}>", array.length);
        if array.initial.is_empty() {
            let _ = writeln!(out, "var<private> {name}: {ty};");
            continue;
        }
        let numbers: Vec<String> =
            array.initial.iter().map(|bits| Wgsl.literal(print, module.cell(memory), *bits as u32).text).collect();
        let keyword = if array.constant { "const" } else { "var<private>" };
        let _ = writeln!(out, "{keyword} {name} = {ty}({});", numbers.join(", "));
    }
    if out.len() > before {
        out.push('\n');
    }
}
