//! The head of a listing: tables of bindings, signatures, tessellation and interfaces.

use super::UNKNOWN_TYPE;
use super::head::Head;
use super::operands::padded_mask;
use crate::dxbc::linkage::Linkage;
use crate::dxbc::reflection::{Binding, Reflection};
use crate::dxbc::signature::{Element, Signature, SignatureKind};
use crate::dxbc::tokens::Stage;

/// What the table calls a kind of binding, the letter of its registers, its format and dimension where the kind tells them.
type BindingKind = (&'static str, &'static str, Option<(&'static str, &'static str)>);

/// D3D_SHADER_INPUT_TYPE, by number.
const KINDS: [BindingKind; 12] = [
    ("cbuffer", "cb", Some(("NA", "NA"))),
    ("tbuffer", "t", Some(("NA", "NA"))),
    ("texture", "t", None),
    ("sampler", "s", Some(("NA", "NA"))),
    ("UAV", "u", None),
    ("texture", "t", Some(("struct", "r/o"))),
    ("UAV", "u", Some(("struct", "r/w"))),
    ("texture", "t", Some(("byte", "r/o"))),
    ("UAV", "u", Some(("byte", "r/w"))),
    ("UAV", "u", Some(("struct", "append"))),
    ("UAV", "u", Some(("struct", "consume"))),
    ("UAV", "u", Some(("struct", "r/w+cnt"))),
];
const UNKNOWN_KIND: BindingKind = ("void", "bug", Some(("NA", "NA")));
const SAMPLER: u32 = 3;

/// D3D_SRV_DIMENSION, by number.
const DIMENSIONS: [&str; 11] = ["NA", "buf", "1d", "1darray", "2d", "2darray", "2dMS", "2darrayMS", "3d", "cube", "cubearray"];

/// D3D_RESOURCE_RETURN_TYPE, by number.
const RETURN_TYPES: [&str; 9] = [UNKNOWN_TYPE, "unorm", "snorm", "sint", "uint", "float", "mixed", "double", "<continued>"];

/// Writes the table of bindings.
pub(super) fn bindings(head: &mut Head, reflection: &Reflection) {
    if reflection.bindings.is_empty() {
        return;
    }
    let (title, line) = if reflection.has_spaces() { ("     ID ", "------- ") } else { ("", "") };
    for text in [
        String::from("// Resource Bindings:"),
        String::from("//"),
        format!("// Name                                 Type  Format         Dim {title}     HLSL Bind  Count"),
        format!("// ------------------------------ ---------- ------- ----------- {line}-------------- ------"),
    ] {
        head.line(text);
    }
    for binding in &reflection.bindings {
        head.line(binding_row(binding, reflection.has_spaces()));
    }
    head.line("//");
    head.line("//");
}

fn binding_row(binding: &Binding, spaces: bool) -> String {
    let (kind, letter, fixed) = KINDS.get(binding.kind as usize).copied().unwrap_or(UNKNOWN_KIND);
    let kind = if binding.kind == SAMPLER && binding.flags & 2 != 0 { "sampler_c" } else { kind };
    let (format, dimension) = match fixed {
        Some((format, dimension)) => (format.to_string(), dimension.to_string()),
        None => {
            let name = RETURN_TYPES.get(binding.return_type as usize).copied().unwrap_or(UNKNOWN_TYPE);
            let components = ["", "2", "3", "4"][(binding.flags >> 2 & 3) as usize];
            let dimension = DIMENSIONS.get(binding.dimension as usize).copied().unwrap_or("NA");
            let samples = match (binding.dimension, binding.samples) {
                (6 | 7, samples) if samples != 0 => (samples as i32).to_string(),
                _ => String::new(),
            };
            (format!("{name}{components}"), format!("{dimension}{samples}"))
        }
    };
    let space = if binding.space == 0 { String::new() } else { format!(",space{}", binding.space) };
    let register = format!("{letter}{}{space}", binding.bind_point);
    let id = if spaces { format!("{:>8}", format!("{}{}", letter.to_uppercase(), binding.id)) } else { String::new() };
    let count = match binding.bind_count {
        0 => String::from("unbounded"),
        count => count.to_string(),
    };
    let unused = if binding.flags & 16 == 0 { "" } else { " [unused]" };
    format!("// {:30} {kind:>10} {format:>7} {dimension:>11}{id} {register:>14} {count:>6} {unused}", binding.name)
}

/// D3D_NAME, by number, as the tables have it; from 64 on, outputs of pixel programs.
fn system_value(value: u32) -> &'static str {
    const VALUES: [&str; 17] = [
        "NONE", "POS", "CLIPDST", "CULLDST", "RTINDEX", "VPINDEX", "VERTID", "PRIMID", "INSTID", "FFACE", "SAMPLE", "QUADEDGE",
        "QUADINT", "TRIEDGE", "TRIINT", "LINEDET", "LINEDEN",
    ];
    const OUTPUTS: [&str; 7] = ["TARGET", "DEPTH", "COVERAGE", "DEPTHGE", "DEPTHLE", "STENCILREF", "INNERCOV"];
    let output = || OUTPUTS.get(value.checked_sub(64)? as usize);
    VALUES.get(value as usize).or_else(output).copied().unwrap_or("NONE")
}

/// Semantics of pixel programs that have a system value though their element names none: the value, and the register of those
/// that have one of their own in whatever stage.
const PIXEL_SEMANTICS: [(&str, &str, Option<&str>); 7] = [
    ("SV_TARGET", "TARGET", None),
    ("SV_DEPTH", "DEPTH", Some("  oDepth")),
    ("SV_COVERAGE", "COVERAGE", Some("   oMask")),
    ("SV_DEPTHGREATEREQUAL", "DEPTHGE", Some("oDepthGE")),
    ("SV_DEPTHLESSEQUAL", "DEPTHLE", Some("oDepthLE")),
    ("SV_STENCILREF", "STENCILREF", Some("   oStencilRef")),
    ("SV_INNERCOVERAGE", "INNERCOV", None),
];

/// The name that the tables give to the format of an element.
fn format_name(element: &Element) -> &'static str {
    match (element.component_type, element.min_precision) {
        (1, 5) => "min16u",
        (2, 4) => "min16i",
        (3, 1) => "min16f",
        (3, 2) => "min2_8f",
        (1, _) => "uint",
        (2, _) => "int",
        (3, _) => "float",
        _ => "unknown",
    }
}

/// Writes a signature's table.
pub(super) fn signature(head: &mut Head, title: &str, signature: &Signature, stage: Stage) {
    for text in [
        &format!("// {title} signature:"),
        "//",
        "// Name                 Index   Mask Register SysValue  Format   Used",
        "// -------------------- ----- ------ -------- -------- ------- ------",
    ] {
        head.line(text);
    }
    if signature.elements.is_empty() {
        head.line(format!("// no {title}"));
    }
    // Of what a program gives, the part says what it never writes.
    let gives = match signature.kind {
        SignatureKind::Input => false,
        SignatureKind::Output => true,
        SignatureKind::PatchConstant => stage != Stage::Domain,
    };
    let streams = signature.elements.iter().any(|element| element.stream != 0);
    for element in &signature.elements {
        head.line(element_row(element, gives, streams, stage));
    }
}

fn element_row(element: &Element, gives: bool, streams: bool, stage: Stage) -> String {
    const PRIMITIVE_ID: u32 = 7;
    let name = if streams { format!("m{}:{}", element.stream, element.name) } else { element.name.clone() };
    let semantic = PIXEL_SEMANTICS.iter().find(|(semantic, ..)| element.name.eq_ignore_ascii_case(semantic));
    let value = match semantic {
        Some((_, value, _)) if stage == Stage::Pixel && element.system_value == 0 => value,
        _ => system_value(element.system_value),
    };
    let used = if gives { !element.read_write_mask } else { element.read_write_mask } & 0xf;
    let (mask, register, used) = if element.register == u32::MAX {
        let own = match semantic {
            Some((.., Some(register))) => register,
            _ if element.system_value == PRIMITIVE_ID => "  primID",
            _ => " special",
        };
        ("   N/A".to_string(), own.to_string(), if gives || used != 0 { "   YES" } else { "    NO" }.to_string())
    } else {
        (format!("  {}", padded_mask(element.mask)), format!("{:8}", element.register), format!("  {}", padded_mask(used)))
    };
    let format = format_name(element);
    format!("// {name:20} {:5} {mask} {register} {value:>8} {format:>7} {used}", element.semantic_index)
}

/// Writes what the compiler counted of a hull or domain program: each table where one of its numbers is not zero.
pub(super) fn tessellation(head: &mut Head, points: u32, domain: u32, primitive: u32, partitioning: u32) {
    let name = |names: [&'static str; 5], number: u32| match names.get(number as usize) {
        Some(name) if !name.is_empty() => *name,
        _ => "<internal error>",
    };
    if points != 0 || domain != 0 {
        let domain = name(["Undefined", "Isoline", "Triangle", "Quadrilateral", ""], domain);
        head.line("// Tessellation Domain   # of control points");
        head.line("// -------------------- --------------------");
        head.line(format!("// {domain:20} {points:20}"));
        head.line("//");
    }
    if primitive != 0 || partitioning != 0 {
        let primitives = ["Undefined", "Point", "Line", "Clockwise Triangles", "Counter-Clockwise Triangles"];
        let partitionings = ["Undefined", "Integer", "Integer Power of 2", "Odd Fractional", "Even Fractional"];
        head.line("// Tessellation Output Primitive  Partitioning Type ");
        head.line("// ------------------------------ ------------------");
        head.line(format!("// {:30} {:18}", name(primitives, primitive), name(partitionings, partitioning)));
        head.line("//");
    }
}

/// Writes the tables of classes, instances and interface slots.
pub(super) fn linkage(head: &mut Head, linkage: &Linkage) {
    const LINE: &str = "// +----------+---------+---------------------------------------";
    for text in [
        "//",
        "// Available Class Types:",
        "//",
        "// Name                             ID CB Stride Texture Sampler",
        "// ------------------------------ ---- --------- ------- -------",
    ] {
        head.line(text);
    }
    for (i, class) in linkage.classes.iter().enumerate() {
        head.line(format!("// {:30} {i:4} {:9} {:7} {:7}", class.name, class.stride, class.textures, class.samplers));
    }
    head.line("//");
    if !linkage.instances.is_empty() {
        for text in [
            "// Available Class Instances:",
            "//",
            "// Name                        Type CB CB Offset Texture Sampler",
            "// --------------------------- ---- -- --------- ------- -------",
        ] {
            head.line(text);
        }
        for instance in &linkage.instances {
            let elements = if instance.count == 1 { String::new() } else { format!("[{}]", instance.count) };
            let name = format!("{}{elements}", instance.name);
            let first = |register: Option<u16>| register.map_or_else(|| String::from("-"), |register| register.to_string());
            let (texture, sampler) = (first(instance.texture), first(instance.sampler));
            let (class, buffer, row) = (instance.class, instance.buffer, instance.row);
            head.line(format!("// {name:27} {class:4} {buffer:2} {row:9} {texture:>7} {sampler:>7}"));
        }
        head.line("//");
    }
    head.line(format!("// Interface slots, {} total:", linkage.slot_count));
    head.line("//");
    head.line("//             Slots");
    head.line(LINE);
    let mut first = 0u32;
    for slots in &linkage.slots {
        // The vendor leaves out every ninth class, and counts the slots again for each row.
        for (i, fits) in slots.fits.chunks(9).enumerate() {
            let fits = &fits[..fits.len().min(8)];
            let next = first.wrapping_add(slots.count);
            let place = match slots.count {
                _ if i > 0 => format!("{:9}", ""),
                1 => format!("{first:4}{:5}", ""),
                _ => format!("{first:4}-{:<4}", next.wrapping_sub(1)),
            };
            let types: String = fits.iter().map(|(class, _)| format!("{class:<5}")).collect();
            let tables: String = fits.iter().map(|(_, table)| format!("{table:<5}")).collect();
            head.line(format!("// | Type ID  |{place}|{types}"));
            head.line(format!("// | Table ID |{:9}|{tables}", ""));
            first = next;
        }
        head.line(LINE);
    }
}
