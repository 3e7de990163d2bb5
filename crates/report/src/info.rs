//! What a file holds.

use gpuproof_program::{
    Access, Assembly, Dimension, Interface, IoVariable, Kind, Program, Rate, RegisterClass, ScalarType, Shape, Slot,
    TextureShape, Type,
};
use gpuproof_read::dxbc;
use serde::Serialize;
use std::fmt::Write;

/// A file's description.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Info {
    /// The file's name as it was given.
    pub file: String,
    /// The language: `dxbc`, `spirv` or `wgsl`.
    pub language: String,
    /// Bytes.
    pub bytes: usize,
    /// The stage and version: `ps_5_0`; for WGSL the stage of the entry point that was chosen.
    pub target: String,
    /// What the container's digest says: `valid`, `wrong` or `unsigned`. None for a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The container's parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// The program of Direct3D 9 for feature level 9: its version and how many tokens it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level9: Option<Level9>,
    /// The features that the program needs, as the container says (D3D_SHADER_REQUIRES flags).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_features: Option<u64>,
    /// Classes and slots of interfaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<Interfaces>,
    /// The root signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_signature: Option<RootSignature>,
    /// What is kept for debuggers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Debug>,
    /// Techniques and passes of an effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The entry points of a text, the programs of an effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entry_points: Vec<EntryPoint>,
    /// Instructions, or lines of a text.
    pub lines: usize,
    /// Threads of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_size: Option<[u32; 3]>,
    /// What a hull, domain or geometry program declares of primitives.
    #[serde(skip_serializing_if = "Assembly::is_none")]
    pub assembly: Assembly,
    /// Inputs of a lane.
    pub inputs: Vec<Io>,
    /// Outputs of a lane.
    pub outputs: Vec<Io>,
    /// Constant buffers, buffers and textures.
    pub resources: Vec<Bound>,
    /// Samplers.
    pub samplers: Vec<Bound>,
    /// What was assumed, or why the program does not run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A part of a container.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Its four-character code.
    pub code: String,
    /// Its offset in the file in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub bytes: usize,
}

/// A program of Direct3D 9 beside one of Direct3D 10.
#[derive(Clone, Debug, Serialize)]
pub struct Level9 {
    /// Its version: `ps_2_x`.
    pub target: String,
    /// Its tokens.
    pub tokens: usize,
    /// Where they start in the file.
    pub offset: usize,
}

/// What an application binds to interfaces.
#[derive(Clone, Debug, Serialize)]
pub struct Interfaces {
    /// The names of classes.
    pub classes: Vec<String>,
    /// How many slots there are.
    pub slots: u32,
}

/// A root signature.
#[derive(Clone, Debug, Serialize)]
pub struct RootSignature {
    /// Its version: `1.1`.
    pub version: String,
    /// Its flags, parameters and static samplers as HLSL has them. Between commas they are the text of `[RootSignature(...)]`.
    pub items: Vec<String>,
}

/// What is kept for debuggers.
#[derive(Clone, Debug, Serialize)]
pub struct Debug {
    /// What it is.
    pub format: String,
    /// The names of sources.
    pub sources: Vec<String>,
    /// The compiler, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The function where the program starts, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

/// An effect.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// Techniques, of all groups.
    pub techniques: usize,
    /// Passes, of all techniques.
    pub passes: usize,
}

/// An entry point of a text, or a program of an effect.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EntryPoint {
    /// Its name.
    pub name: String,
    /// Its stage; of a program of an effect with the shader model.
    pub stage: String,
    /// What else it is known by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_names: Vec<String>,
    /// Where it is in the file, of an effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
}

/// An input or output.
#[derive(Clone, Debug, Serialize)]
pub struct Io {
    /// The semantic with its index, or the name.
    pub name: String,
    /// Register and components, or location.
    pub place: String,
    /// How it is read.
    pub ty: String,
    /// What the pipeline supplies or takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
}

/// A resource or sampler.
#[derive(Clone, Debug, Serialize)]
pub struct Bound {
    /// Its name.
    pub name: String,
    /// Its register or binding.
    pub slot: String,
    /// What it is.
    pub ty: String,
    /// Its members, where they are known: offset in bytes, name, type.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<(u32, String, String)>,
}

impl Info {
    /// Describes a program's interface.
    pub fn describe(&mut self, program: &Program) {
        let register = self.language == "dxbc";
        self.group_size = (program.stage == gpuproof_program::Stage::Compute).then_some(program.group_size);
        self.assembly = program.assembly.clone();
        let (read, made) = match &program.assembly {
            Assembly::None => (0, 0),
            Assembly::Hull(hull) => (hull.input_points, hull.output_points),
            Assembly::Domain(domain) => (domain.input_points, 0),
            Assembly::Geometry(geometry) => (geometry.input.vertices(), 0),
        };
        self.inputs = program.interface.inputs.iter().map(|variable| io(variable, ('v', read), register)).collect();
        self.outputs = program.interface.outputs.iter().map(|variable| io(variable, ('o', made), register)).collect();
        self.notes.extend(program.notes.iter().cloned());
        self.describe_bindings(&program.interface);
    }

    fn describe_bindings(&mut self, interface: &Interface) {
        self.resources = interface
            .resources
            .iter()
            .map(|resource| Bound {
                name: resource.name.clone(),
                slot: slot(resource.slot, resource.count),
                ty: shape(&resource.shape, resource.access, resource.counter),
                members: resource.layout.as_ref().map_or_else(Vec::new, members),
            })
            .collect();
        self.samplers = interface
            .samplers
            .iter()
            .map(|sampler| Bound {
                name: sampler.name.clone(),
                slot: slot(sampler.slot, sampler.count),
                ty: if sampler.comparison { "comparison sampler" } else { "sampler" }.into(),
                members: Vec::new(),
            })
            .collect();
    }

    /// Describes a container: parts, digest, and the signatures, which every stage has.
    ///
    /// # Errors
    /// Those of the signatures.
    pub fn describe_container(&mut self, container: &dxbc::Container) -> dxbc::Result<()> {
        let part = |part: &dxbc::Part| Part { code: part.code().to_string(), offset: part.offset(), bytes: part.data().len() };
        self.parts = container.parts().iter().map(part).collect();
        self.digest = Some(
            match container.check_digest() {
                dxbc::DigestState::Valid => "valid",
                dxbc::DigestState::Wrong { .. } => "wrong",
                dxbc::DigestState::Unsigned => "unsigned",
            }
            .into(),
        );
        for (kind, letter) in [(dxbc::SignatureKind::Input, 'v'), (dxbc::SignatureKind::Output, 'o')] {
            let signature = dxbc::Signature::find(container, kind)?;
            let elements =
                signature.iter().flat_map(|signature| &signature.elements).map(|element| element_io(element, letter)).collect();
            *(if letter == 'v' { &mut self.inputs } else { &mut self.outputs }) = elements;
        }
        self.level9 = dxbc::Level9::find(container)?.map(|level9| Level9 {
            target: level9.target(),
            tokens: level9.tokens.len(),
            offset: level9.offset,
        });
        self.required_features = dxbc::required_features(container)?.filter(|flags| *flags != 0);
        self.interfaces = container.find(&[b"IFCE"]).map(dxbc::Linkage::parse).transpose()?.map(|linkage| Interfaces {
            classes: linkage.classes.into_iter().map(|class| class.name).collect(),
            slots: linkage.slot_count,
        });
        self.root_signature = dxbc::RootSignature::find(container)?
            .map(|signature| RootSignature { version: signature.version_name(), items: signature.items() });
        match dxbc::Debug::find(container) {
            Ok(debug) => self.debug = debug.map(debug_info),
            // No debugger is needed to tell what the program does.
            Err(error) => self.notes.push(format!("what is kept for debuggers cannot be read: {error}")),
        }
        Ok(())
    }

    /// Describes an effect; `target` tells what a program is.
    pub fn describe_effect(&mut self, effect: &dxbc::Effect, target: impl Fn(&dxbc::EffectProgram) -> String) {
        self.effect = Some(Effect { techniques: effect.techniques, passes: effect.passes });
        let entry = |program: &dxbc::EffectProgram| {
            let mut names = program.names.iter().cloned();
            EntryPoint {
                name: names.next().unwrap_or_default(),
                stage: target(program),
                other_names: names.collect(),
                offset: Some(program.offset),
            }
        };
        self.entry_points = effect.programs.iter().map(entry).collect();
    }

    /// The description as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(out, "{}: {} {}, {} bytes", self.file, self.language, self.target, self.bytes);
        if let Some(digest) = &self.digest {
            let _ = writeln!(out, "  digest     {digest}");
        }
        if !self.parts.is_empty() {
            let parts: Vec<String> = self.parts.iter().map(|part| format!("{} {}", part.code, part.bytes)).collect();
            let _ = writeln!(out, "  parts      {}", parts.join(", "));
        }
        if let Some(level9) = &self.level9 {
            let _ = writeln!(out, "  level 9    {}, {} at {:#x}", level9.target, counted(level9.tokens, "token"), level9.offset);
        }
        if let Some(flags) = self.required_features {
            let _ = writeln!(out, "  features   {}", dxbc::feature_names(flags).join(", "));
        }
        if let Some(interfaces) = &self.interfaces {
            let slots = counted(interfaces.slots as usize, "slot");
            let _ = writeln!(out, "  interfaces {slots} for {}", interfaces.classes.join(", "));
        }
        if let Some(debug) = &self.debug {
            let _ = writeln!(out, "  debug      {}", debug.text());
        }
        if let Some(effect) = &self.effect {
            let (techniques, passes) = (counted(effect.techniques, "technique"), counted(effect.passes, "pass"));
            let _ = writeln!(out, "  effect     {techniques}, {passes}");
        }
        for entry in &self.entry_points {
            let others =
                if entry.other_names.is_empty() { String::new() } else { format!(", as {}", entry.other_names.join(", ")) };
            let offset = entry.offset.map_or_else(String::new, |offset| format!(" at {offset:#x}"));
            let _ = writeln!(out, "  entry      {} ({}{offset}){others}", entry.name, entry.stage);
        }
        if self.lines > 0 {
            let noun = if self.digest.is_some() { "instruction" } else { "line" };
            let _ = writeln!(out, "  {:10} {}", if self.digest.is_some() { "code" } else { "text" }, counted(self.lines, noun));
        }
        if let Some(signature) = &self.root_signature {
            let _ = writeln!(out, "\nroot signature {}", signature.version);
            signature.items.iter().for_each(|item| _ = writeln!(out, "  {item}"));
        }
        if let Some([x, y, z]) = self.group_size {
            let _ = writeln!(out, "  group      {x} x {y} x {z} threads");
        }
        for (name, line) in primitives(&self.assembly) {
            let _ = writeln!(out, "  {name:10} {line}");
        }
        for (title, list) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            let rows: Vec<[String; 3]> = list
                .iter()
                .map(|io| {
                    let builtin = io.builtin.as_ref().map_or_else(String::new, |builtin| format!(" ({builtin})"));
                    [io.place.clone(), format!("{}{builtin}", io.name), io.ty.clone()]
                })
                .collect();
            table(&mut out, title, &rows);
        }
        for (title, list) in [("resources", &self.resources), ("samplers", &self.samplers)] {
            let rows: Vec<[String; 3]> =
                list.iter().map(|bound| [bound.slot.clone(), bound.name.clone(), bound.ty.clone()]).collect();
            table(&mut out, title, &rows);
        }
        for bound in self.resources.iter().filter(|bound| !bound.members.is_empty()) {
            let rows: Vec<[String; 3]> =
                bound.members.iter().map(|(offset, name, ty)| [offset.to_string(), name.clone(), ty.clone()]).collect();
            table(&mut out, &format!("members of {}", bound.name), &rows);
        }
        for note in &self.notes {
            let _ = writeln!(out, "\nnote: {note}");
        }
        out
    }
}

/// `1 pass`, `2 passes`.
fn counted(count: usize, noun: &str) -> String {
    let plural = match count {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {noun}{plural}")
}

fn debug_info(debug: dxbc::Debug) -> Debug {
    let format = match debug.format {
        dxbc::DebugFormat::Spdb => "SPDB, a program database (MSF 7.00)",
        dxbc::DebugFormat::Sdbg => "SDBG, the tables of older compilers",
    };
    let (compiler, entry) = match debug.made {
        Some([compiler, entry, _]) => (Some(compiler), Some(entry)),
        None => (None, None),
    };
    Debug { format: format.into(), sources: debug.sources, compiler, entry }
}

impl Debug {
    fn text(&self) -> String {
        let by = |word: &str, what: &Option<String>| what.as_ref().map_or_else(String::new, |what| format!(", {word} {what}"));
        let sources = if self.sources.is_empty() { String::new() } else { format!(", of {}", self.sources.join(", ")) };
        format!("{}{sources}{}{}", self.format, by("entry", &self.entry), by("by", &self.compiler))
    }
}

fn table(out: &mut String, title: &str, rows: &[[String; 3]]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for [a, b, c] in rows {
        let _ = writeln!(out, "  {a:first$}  {b:second$}  {c}");
    }
}

fn mask_text(mask: u8) -> String {
    (0..4).filter(|component| mask >> component & 1 == 1).map(|component| crate::numbers::LETTERS[component]).collect()
}

/// The name that people know an input or output by: a semantic with its index, an identifier.
pub fn io_name(variable: &IoVariable, register: bool) -> String {
    if register && !variable.name.ends_with(|c: char| c.is_ascii_digit()) {
        format!("{}{}", variable.name, variable.semantic_index)
    } else {
        variable.name.clone()
    }
}

/// What is declared of primitives, a line for each matter.
fn primitives(assembly: &Assembly) -> Vec<(&'static str, String)> {
    let counted = |count: u32, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    match assembly {
        Assembly::None => Vec::new(),
        Assembly::Hull(hull) => {
            let mut lines = vec![
                (
                    "patch",
                    format!("{} to {}, {:?}", counted(hull.input_points, "control point"), hull.output_points, hull.domain),
                ),
                ("tessellate", format!("{:?}, {:?}", hull.partitioning, hull.output)),
            ];
            if let Some(most) = hull.max_factor {
                lines.push(("factors", format!("up to {}", f32::from_bits(most))));
            }
            lines
                .extend(hull.phases.iter().map(|phase| ("phase", format!("{:?}, {}", phase.kind, counted(phase.lanes, "lane")))));
            lines
        }
        Assembly::Domain(domain) => {
            vec![("patch", format!("{}, {:?}", counted(domain.input_points, "control point"), domain.domain))]
        }
        Assembly::Geometry(geometry) => {
            let streams = geometry.streams.iter().map(|stream| ("stream", format!("{}: {:?}", stream.number, stream.topology)));
            let given = format!("up to {} vertices", geometry.max_vertices);
            [("primitive", format!("{:?}", geometry.input)), ("gives", given), ("instances", geometry.instances.to_string())]
                .into_iter()
                .chain(streams)
                .collect()
        }
    }
}

fn io(variable: &IoVariable, (letter, vertices): (char, u32), register: bool) -> Io {
    let place = match (variable.location, register) {
        (Some(location), true) => {
            let components = mask_text(variable.mask);
            match variable.rate {
                Rate::Lane | Rate::Stream(0) => format!("{letter}{location}.{components}"),
                Rate::Vertex => format!("{letter}[{vertices}][{location}].{components}"),
                Rate::Patch => format!("vpc{location}.{components}"),
                Rate::Stream(number) => format!("m{number} {letter}{location}.{components}"),
            }
        }
        (Some(location), false) => format!("@location({location})"),
        (None, _) => "-".into(),
    };
    let count = variable.mask.count_ones();
    Io {
        name: io_name(variable, register),
        place,
        ty: vector(&scalar(ScalarType { kind: variable.kind, width: variable.width }), count),
        builtin: variable.builtin.map(|builtin| format!("{builtin:?}")),
    }
}

fn element_io(element: &dxbc::Element, letter: char) -> Io {
    let kind = ["unknown", "u32", "i32", "f32"].get(element.component_type as usize).copied().unwrap_or("unknown");
    let place = match element.register {
        u32::MAX => "-".into(),
        register => format!("{letter}{register}.{}", mask_text(element.mask)),
    };
    let stream = if element.stream > 0 { format!(" of stream {}", element.stream) } else { String::new() };
    let name = format!("{}{}{stream}", element.name, element.semantic_index);
    Io { name, place, ty: vector(kind, element.mask.count_ones()), builtin: None }
}

fn vector(scalar: &str, count: u32) -> String {
    if count == 1 { scalar.into() } else { format!("{scalar} x {count}") }
}

fn scalar(ty: ScalarType) -> String {
    let letter = match ty.kind {
        Kind::Float => "f",
        Kind::Sint => "i",
        Kind::Uint => "u",
        Kind::Bool => "bool",
        Kind::Unknown => "bits",
    };
    format!("{letter}{}", ty.width.bits())
}

/// A register or binding: `t3`, `u0-7, space 1`, `@group(0) @binding(2)`.
pub fn slot(slot: Slot, count: Option<u32>) -> String {
    match slot {
        Slot::Register { class, space, index } => {
            let letter = match class {
                RegisterClass::B => 'b',
                RegisterClass::T => 't',
                RegisterClass::U => 'u',
                RegisterClass::S => 's',
            };
            let range = match count {
                Some(1) => String::new(),
                Some(count) => format!("-{}", u64::from(index) + u64::from(count) - 1),
                None => "-".into(),
            };
            let space = if space == 0 { String::new() } else { format!(", space {space}") };
            format!("{letter}{index}{range}{space}")
        }
        Slot::Binding { group, binding } => format!("@group({group}) @binding({binding})"),
    }
}

fn shape(shape: &Shape, access: Access, counter: bool) -> String {
    let access = match access {
        Access::Read => "",
        Access::Write => ", write",
        Access::ReadWrite => ", read and write",
    };
    let counter = if counter { ", counter" } else { "" };
    let what = match shape {
        Shape::ConstantBuffer { bytes } => format!("constants, {bytes} bytes"),
        Shape::Buffer { .. } => "buffer".into(),
        Shape::Structured { stride } => format!("structures of {stride} bytes"),
        Shape::Texture(texture) => texture_name(texture),
    };
    format!("{what}{access}{counter}")
}

fn texture_name(shape: &TextureShape) -> String {
    let dimension = match shape.dimension {
        Dimension::Buffer => "typed buffer",
        Dimension::D1 => "1D texture",
        Dimension::D2 => "2D texture",
        Dimension::D3 => "3D texture",
        Dimension::Cube => "cube texture",
    };
    let samples = if shape.multisampled { "multisampled " } else { "" };
    let depth = if shape.depth { "depth " } else { "" };
    let array = if shape.arrayed { " array" } else { "" };
    let kind = match shape.kind {
        Kind::Float => " of floats",
        Kind::Sint => " of signed integers",
        Kind::Uint => " of unsigned integers",
        Kind::Bool | Kind::Unknown => "",
    };
    format!("{samples}{depth}{dimension}{array}{kind}")
}

/// How a type reads: `f32 x 4`, `f32 4x4 by rows, 16 apart`, `structure[8], 32 apart`.
fn type_name(ty: &Type) -> String {
    match ty {
        Type::Scalar(kind) => scalar(*kind),
        Type::Vector { size, scalar: kind } => vector(&scalar(*kind), *size),
        Type::Matrix { columns, rows, row_major, stride, scalar: kind } => {
            let order = if *row_major { "rows" } else { "columns" };
            format!("{} {rows}x{columns} by {order}, {stride} apart", scalar(*kind))
        }
        Type::Array { element, count, stride } => {
            let count = count.map_or_else(String::new, |count| count.to_string());
            format!("{}[{count}], {stride} apart", type_name(element))
        }
        Type::Struct { .. } => "structure".into(),
    }
}

fn members(ty: &Type) -> Vec<(u32, String, String)> {
    fn add(ty: &Type, offset: u32, path: &str, out: &mut Vec<(u32, String, String)>) {
        match ty {
            Type::Struct { members, .. } => {
                for member in members {
                    let name = if path.is_empty() { member.name.clone() } else { format!("{path}.{}", member.name) };
                    let at = offset.saturating_add(member.offset);
                    out.push((at, name.clone(), type_name(&member.ty)));
                    match &member.ty {
                        Type::Struct { .. } => add(&member.ty, at, &name, out),
                        Type::Array { element, .. } => add(element, at, &format!("{name}[]"), out),
                        _ => {}
                    }
                }
            }
            Type::Array { element, .. } => add(element, offset, &format!("{path}[]"), out),
            _ => {}
        }
    }
    let mut out = Vec::new();
    add(ty, 0, "", &mut out);
    out
}
