//! What a module of HLSL declares: inputs and outputs, resources, memories.

use super::*;

pub(super) fn interpolation(interpolation: Interpolation, scalar: Scalar) -> &'static str {
    match interpolation {
        _ if scalar != Scalar::F32 => "nointerpolation ",
        Interpolation::Linear => "",
        Interpolation::LinearCentroid => "centroid ",
        Interpolation::LinearSample => "sample ",
        Interpolation::NoPerspective => "noperspective ",
        Interpolation::NoPerspectiveCentroid => "noperspective centroid ",
        Interpolation::NoPerspectiveSample => "noperspective sample ",
        Interpolation::Flat => "nointerpolation ",
    }
}

/// The semantic of a variable, with what the pipeline supplies by its own name.
fn semantic(variable: &IoVariable, program: &gpuproof_program::Program, input: bool) -> Result<String, WriteError> {
    let own = match variable.builtin {
        None => None,
        Some(builtin) => Some(match builtin {
            Builtin::Position => "SV_Position",
            Builtin::VertexIndex => "SV_VertexID",
            Builtin::InstanceIndex => "SV_InstanceID",
            Builtin::FrontFacing => "SV_IsFrontFace",
            Builtin::SampleIndex => "SV_SampleIndex",
            Builtin::SampleMask => "SV_Coverage",
            Builtin::InnerCoverage => "SV_InnerCoverage",
            Builtin::PrimitiveIndex => "SV_PrimitiveID",
            Builtin::FragDepth => "SV_Depth",
            Builtin::FragDepthGreaterEqual => "SV_DepthGreaterEqual",
            Builtin::FragDepthLessEqual => "SV_DepthLessEqual",
            Builtin::StencilRef => "SV_StencilRef",
            Builtin::ClipDistance => "SV_ClipDistance",
            Builtin::CullDistance => "SV_CullDistance",
            Builtin::RenderTargetArrayIndex => "SV_RenderTargetArrayIndex",
            Builtin::ViewportArrayIndex => "SV_ViewportArrayIndex",
            Builtin::LocalInvocationId => "SV_GroupThreadID",
            Builtin::LocalInvocationIndex => "SV_GroupIndex",
            Builtin::GlobalInvocationId => "SV_DispatchThreadID",
            Builtin::WorkgroupId => "SV_GroupID",
            _ => return Err(lacks(format!("{builtin:?} ({})", variable.name))),
        }),
    };
    let index = |index: u32| if index == 0 { String::new() } else { index.to_string() };
    if program.dialect == Rules::D3D11 {
        // Registers of threads have no semantic of their own in the bytecode.
        let name = own.unwrap_or(&variable.name);
        return Ok(format!("{name}{}", index(variable.semantic_index)));
    }
    Ok(match (own, variable.location, program.stage, input) {
        (Some(own), ..) => own.into(),
        (None, Some(location), Stage::Pixel, false) => format!("SV_Target{}", index(location)),
        (None, Some(location), ..) => format!("TEXCOORD{location}"),
        _ => return Err(lacks(&variable.name)),
    })
}

/// The parameters of the entry, and the members of what it returns.
pub(super) fn interface(print: &Printer<'_>) -> Result<(Vec<String>, Vec<String>), WriteError> {
    let module = print.module;
    let program = module.program;
    let mut params = Vec::new();
    // All inputs in their order, so that they lie in the registers that they lay in.
    for (at, variable) in program.interface.inputs.iter().enumerate() {
        let id = InputId(at as u32);
        let unused = !module.uses.inputs.contains(&at);
        if variable.mask == 0 || (unused && program.stage == Stage::Compute) {
            continue;
        }
        let ty = Type::new(crate::text::facts::input_type(program, id), crate::text::build::input_size(program, id));
        let how = if program.stage == Stage::Pixel && variable.builtin.is_none() {
            interpolation(variable.interpolation, ty.scalar)
        } else if program.stage == Stage::Pixel && variable.builtin == Some(Builtin::Position) {
            match variable.interpolation {
                Interpolation::NoPerspectiveSample => "sample ",
                Interpolation::NoPerspectiveCentroid => "centroid ",
                _ => "",
            }
        } else {
            ""
        };
        params.push(format!("{how}{} {} : {}", type_name(ty), module.idents.inputs[at], semantic(variable, program, true)?));
    }
    let mut members = Vec::new();
    for (at, variable) in program.interface.outputs.iter().enumerate() {
        if !module.uses.outputs.contains(&OutputId(at as u32)) {
            continue;
        }
        let size = (8 - variable.mask.leading_zeros() - variable.mask.trailing_zeros().min(7)) as usize;
        let ty = Type::new(Scalar::of(variable.kind, Width::W32), size);
        members.push(format!("    {} {} : {};\n", type_name(ty), module.idents.outputs[at], semantic(variable, program, false)?));
    }
    Ok((params, members))
}

pub(super) fn resources(print: &Printer<'_>, out: &mut String) -> Result<(), WriteError> {
    let module = print.module;
    let interface = &module.program.interface;
    for (at, resource) in interface.resources.iter().enumerate() {
        let (id, name) = (ResourceId(at as u32), &module.idents.resources[at]);
        let memory = Memory::Resource(id);
        if !module.uses.memories.contains(&memory) && !module.uses.counters.contains(&at) {
            continue;
        }
        let slot = register(print, resource.slot, class_of(resource.shape, resource.access));
        let (written, many) = (if resource.access == Access::Read { "" } else { "RW" }, count(resource.count));
        match resource.shape {
            Shape::ConstantBuffer { bytes } => {
                let rows = if bytes == 0 { 4096 } else { bytes.div_ceil(16) };
                let row = type_name(Type::new(module.cell(memory), 4));
                if resource.count != Some(1) {
                    let held = format!(
                        "struct {name}_type {{\n    {row} rows[{rows}];\n}};\nConstantBuffer<{name}_type> {name}{many} : {slot};\n\n"
                    );
                    out.push_str(&held);
                    continue;
                }
                let _ = writeln!(out, "cbuffer {name} : {slot} {{");
                match module.members.0.get(&id) {
                    None => _ = writeln!(out, "    {row} {name}_rows[{rows}];"),
                    Some(members) => {
                        for member in members {
                            let place = match member.offset % 16 / 4 {
                                0 => format!("c{}", member.offset / 16),
                                part => format!("c{}.{}", member.offset / 16, letters(&[part as u8])),
                            };
                            let rows = member.rows.map_or_else(String::new, |rows| format!("[{rows}]"));
                            let ty = type_name(Type::new(member.scalar, member.size as usize));
                            let _ = writeln!(out, "    {ty} {}{rows} : packoffset({place});", member.ident);
                        }
                    }
                }
                out.push_str("};\n\n");
            }
            Shape::Buffer { .. } => _ = writeln!(out, "{written}ByteAddressBuffer {name}{many} : {slot};"),
            Shape::Structured { stride } => {
                let number = scalar(module.uses.atomic.get(&memory).copied().unwrap_or(module.cell(memory)));
                let _ = writeln!(
                    out,
                    "struct {name}_element {{\n    {number} words[{}];\n}};\n{written}StructuredBuffer<{name}_element> {name}{many} : {slot};",
                    (stride / 4).max(1)
                );
            }
            Shape::Texture(shape) => {
                let _ = writeln!(out, "{written}{}<{}> {name}{many} : {slot};", texture_type(&shape), element(print, id, &shape));
            }
        }
    }
    for (at, sampler) in interface.samplers.iter().enumerate() {
        if module.uses.samplers.contains(&at) {
            let ty = if sampler.comparison { "SamplerComparisonState" } else { "SamplerState" };
            let slot = register(print, sampler.slot, RegisterClass::S);
            let _ = writeln!(out, "{ty} {}{} : {slot};", module.idents.samplers[at], count(sampler.count));
        }
    }
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    Ok(())
}

/// Group-shared memory and arrays of constants; what is returned declares the arrays of the function.
pub(super) fn memories(print: &Printer<'_>, out: &mut String) -> String {
    let module = print.module;
    let mut local = String::new();
    for (at, shared) in module.program.shared.iter().enumerate() {
        let memory = Memory::Shared(gpuproof_program::SharedId(at as u32));
        if module.uses.memories.contains(&memory) {
            let number = scalar(module.uses.atomic.get(&memory).copied().unwrap_or(module.cell(memory)));
            let _ = writeln!(out, "groupshared {number} {}[{}];\n", module.name(memory), shared.bytes.div_ceil(4).max(1));
        }
    }
    for (at, array) in module.program.arrays.iter().enumerate() {
        let memory = Memory::Array(gpuproof_program::ArrayId(at as u32));
        if !module.uses.memories.contains(&memory) {
            continue;
        }
        let (name, number) = (module.name(memory), scalar(module.cell(memory)));
        let numbers = || -> Vec<String> {
            array.initial.iter().map(|bits| Hlsl.literal(print, module.cell(memory), *bits as u32).text).collect()
        };
        match (array.initial.is_empty(), array.constant) {
            (true, _) => _ = writeln!(local, "    {number} {name}[{}];", array.length),
            (false, true) => {
                _ = writeln!(out, "static const {number} {name}[{}] = {{ {} }};\n", array.length, numbers().join(", "))
            }
            (false, false) => _ = writeln!(local, "    {number} {name}[{}] = {{ {} }};", array.length, numbers().join(", ")),
        }
    }
    local
}
