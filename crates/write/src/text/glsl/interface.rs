//! What a module of GLSL declares: inputs and outputs, resources, memories.

use super::*;

pub(super) fn interpolation(interpolation: Interpolation, scalar: Scalar) -> &'static str {
    match interpolation {
        _ if scalar != Scalar::F32 => "flat ",
        Interpolation::Linear => "",
        Interpolation::LinearCentroid => "centroid ",
        Interpolation::LinearSample => "sample ",
        Interpolation::NoPerspective => "noperspective ",
        Interpolation::NoPerspectiveCentroid => "noperspective centroid ",
        Interpolation::NoPerspectiveSample => "noperspective sample ",
        Interpolation::Flat => "flat ",
    }
}

/// `layout(location = 1, component = 2)`
fn place_of(variable: &gpuproof_program::IoVariable) -> Result<String, WriteError> {
    let location = variable.location.ok_or_else(|| lacks(format!("a variable without a location ({})", variable.name)))?;
    let component = match variable.mask.trailing_zeros() {
        0 => String::new(),
        first => format!(", component = {first}"),
    };
    let index = variable.blend_source.map_or_else(String::new, |index| format!(", index = {index}"));
    Ok(format!("layout(location = {location}{component}{index})"))
}

/// Declares inputs and outputs; what is returned gives the pipeline what the program made.
pub(super) fn interface(print: &Printer<'_>, out: &mut String) -> Result<String, WriteError> {
    let module = print.module;
    let program = module.program;
    for (at, variable) in program.interface.inputs.iter().enumerate() {
        let id = InputId(at as u32);
        if !module.uses.inputs.contains(&at) || variable.builtin.is_some() {
            continue;
        }
        let ty = Type::new(crate::text::facts::input_type(program, id), crate::text::build::input_size(program, id));
        let how = if program.stage == Stage::Pixel { interpolation(variable.interpolation, ty.scalar) } else { "" };
        let _ = writeln!(out, "{} {how}in {} {};", place_of(variable)?, type_name(ty), module.idents.inputs[at]);
    }
    let mut tail = String::new();
    let mut distances = [0, 0];
    let mut sorted: Vec<(usize, &gpuproof_program::IoVariable)> = program.interface.outputs.iter().enumerate().collect();
    sorted.sort_by_key(|(_, variable)| variable.semantic_index);
    for (at, variable) in sorted {
        if !module.uses.outputs.contains(&OutputId(at as u32)) {
            continue;
        }
        let size = (8 - variable.mask.leading_zeros() - variable.mask.trailing_zeros().min(7)) as usize;
        let ty = Type::new(Scalar::of(variable.kind, Width::W32), size);
        let name = &module.idents.outputs[at];
        let Some(builtin) = variable.builtin else {
            let _ = writeln!(out, "{} out {} {name};", place_of(variable)?, type_name(ty));
            continue;
        };
        let _ = writeln!(out, "{} {name};", type_name(ty));
        match builtin {
            Builtin::Position => _ = writeln!(tail, "    gl_Position = {name};"),
            Builtin::FragDepth | Builtin::FragDepthGreaterEqual | Builtin::FragDepthLessEqual => {
                let kept = match builtin {
                    Builtin::FragDepthGreaterEqual => "layout(depth_greater) out float gl_FragDepth;\n",
                    Builtin::FragDepthLessEqual => "layout(depth_less) out float gl_FragDepth;\n",
                    _ => "",
                };
                out.push_str(kept);
                let _ = writeln!(tail, "    gl_FragDepth = {name};");
            }
            Builtin::SampleMask => _ = writeln!(tail, "    gl_SampleMask[0] = int({name});"),
            Builtin::StencilRef => _ = writeln!(tail, "    gl_FragStencilRefARB = int({name});"),
            Builtin::RenderTargetArrayIndex => _ = writeln!(tail, "    gl_Layer = int({name});"),
            Builtin::ViewportArrayIndex => _ = writeln!(tail, "    gl_ViewportIndex = int({name});"),
            Builtin::PointSize => _ = writeln!(tail, "    gl_PointSize = {name};"),
            Builtin::ClipDistance | Builtin::CullDistance => {
                let clip = builtin == Builtin::ClipDistance;
                for component in 0..size {
                    let part = if size == 1 { String::new() } else { format!(".{}", ["x", "y", "z", "w"][component & 3]) };
                    let next = &mut distances[usize::from(!clip)];
                    let array = if clip { "gl_ClipDistance" } else { "gl_CullDistance" };
                    let _ = writeln!(tail, "    {array}[{next}] = {name}{part};");
                    *next += 1;
                }
            }
            _ => return Err(lacks(format!("{builtin:?} ({})", variable.name))),
        }
    }
    for (count, array) in distances.into_iter().zip(["gl_ClipDistance", "gl_CullDistance"]).filter(|(count, _)| *count > 0) {
        let _ = writeln!(out, "out float {array}[{count}];");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(tail)
}

pub(super) fn resources(print: &Printer<'_>, out: &mut String) -> Result<(), WriteError> {
    let module = print.module;
    let interface = &module.program.interface;
    let before = out.len();
    let many = |count: Option<u32>| match count {
        Some(1) => String::new(),
        Some(count) => format!("[{count}]"),
        None => "[]".into(),
    };
    // A block of one member, whose instance has the resource's name, which is what compilers keep.
    let block = |name: &str, layout: String, head: &str, member: String, count: Option<u32>| {
        format!("{layout} {head} {name}_block {{\n    {member};\n}} {name}{};\n", many(count))
    };
    for (at, resource) in interface.resources.iter().enumerate() {
        let (id, name) = (ResourceId(at as u32), &module.idents.resources[at]);
        let memory = Memory::Resource(id);
        if !module.uses.memories.contains(&memory) {
            continue;
        }
        let number = scalar(module.uses.atomic.get(&memory).copied().unwrap_or(module.cell(memory)));
        let access = if module.uses.written.contains(&id) { "buffer" } else { "readonly buffer" };
        match resource.shape {
            Shape::ConstantBuffer { bytes } => {
                let rows = if bytes == 0 { 4096 } else { bytes.div_ceil(16) };
                let row = type_name(Type::new(module.cell(memory), 4));
                let layout = format!("layout(set = 0, binding = {at}, std140)");
                out.push_str(&block(name, layout, "uniform", format!("{row} rows[{rows}]"), resource.count));
            }
            Shape::Buffer { .. } => {
                let layout = format!("layout(set = 0, binding = {at}, std430)");
                out.push_str(&block(name, layout, access, format!("{number} rows[]"), resource.count));
            }
            Shape::Structured { stride } => {
                let layout = format!("layout(set = 0, binding = {at}, std430)");
                let words = (stride / 4).max(1);
                out.push_str(&block(name, layout, access, format!("{number} rows[][{words}]"), resource.count));
            }
            Shape::Texture(shape) => {
                let kind = Scalar::of(shape.kind, Width::W32);
                let ty = shape_name(&shape);
                let count = many(resource.count);
                if resource.access == Access::Read {
                    let _ = writeln!(out, "layout(set = 0, binding = {at}) uniform {}texture{ty} {name}{count};", letter(kind));
                    continue;
                }
                if shape.multisampled || shape.dimension == Dimension::Cube {
                    return Err(lacks(format!("a written texture of this shape ({})", resource.name)));
                }
                let (format, kind) = match (module.uses.atomic.get(&memory), kind) {
                    (Some(Scalar::I32), _) => (", r32i", Scalar::I32),
                    (Some(_), _) => (", r32ui", Scalar::U32),
                    (None, kind) => ("", kind),
                };
                let one_way = match (format, module.uses.read.contains(&id)) {
                    ("", false) => "writeonly ",
                    _ => "",
                };
                let _ = writeln!(
                    out,
                    "layout(set = 0, binding = {at}{format}) {one_way}uniform {}image{ty} {name}{count};",
                    letter(kind)
                );
            }
        }
    }
    let counters: Vec<usize> = (0..interface.resources.len()).filter(|at| interface.resources[*at].counter).collect();
    for (number, at) in counters.iter().enumerate().filter(|(_, at)| module.uses.counters.contains(at)) {
        let (name, binding) = (&module.idents.counters[*at], interface.resources.len() + number);
        let layout = format!("layout(set = 0, binding = {binding}, std430)");
        out.push_str(&block(name, layout, "buffer", "uint rows".into(), interface.resources[*at].count));
    }
    for (number, sampler) in interface.samplers.iter().enumerate().filter(|(at, _)| module.uses.samplers.contains(at)) {
        let binding = interface.resources.len() + counters.len() + number;
        let ty = if sampler.comparison { "samplerShadow" } else { "sampler" };
        let count = many(sampler.count);
        let _ = writeln!(out, "layout(set = 0, binding = {binding}) uniform {ty} {}{count};", module.idents.samplers[number]);
    }
    if out.len() > before {
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
            let _ = writeln!(out, "shared {number} {}[{}];", module.name(memory), shared.bytes.div_ceil(4).max(1));
        }
    }
    for (at, array) in module.program.arrays.iter().enumerate() {
        let memory = Memory::Array(gpuproof_program::ArrayId(at as u32));
        if !module.uses.memories.contains(&memory) {
            continue;
        }
        let (name, number) = (module.name(memory), scalar(module.cell(memory)));
        if array.initial.is_empty() {
            let _ = writeln!(out, "{number} {name}[{}];", array.length);
            continue;
        }
        let numbers: Vec<String> =
            array.initial.iter().map(|bits| Glsl.literal(print, module.cell(memory), *bits as u32).text).collect();
        let constant = if array.constant { "const " } else { "" };
        let _ = writeln!(out, "{constant}{number} {name}[{}] = {number}[]({});", array.length, numbers.join(", "));
    }
    if out.len() > before {
        out.push('\n');
    }
}
