//! From formulas to a WGSL module, and which outputs they set.

use super::FormulaError;
use super::helper::Helper;
use super::names::{Token, tokens};
use super::ty::{Ty, bits_name};
use super::vocabulary::{Form, HELD, ResourceWord, Vocabulary, texture_type};
use gpuproof_program::{Access, AtomicOp, Program, Resource, Shape, Stage};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// How far a value may be from the original's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Floats between the two, in units of the last place.
    Ulps(u64),
    /// The distance of the two values.
    Absolute(f64),
}

/// What a text of formulas sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assigned {
    /// By output variable (its place in the vocabulary) and component.
    pub(crate) outputs: BTreeMap<(usize, u8), Option<Tolerance>>,
    /// Resources that it stores to.
    pub(crate) stores: HashSet<usize>,
    /// Whether it discards lanes.
    pub(crate) discards: bool,
}

/// Whether a text is a whole module rather than formulas alone.
pub(crate) fn is_module(text: &str) -> bool {
    let all = tokens(text);
    all.windows(2).any(|pair| pair[0].text == "@" && ["vertex", "fragment", "compute"].contains(&pair[1].text))
}

/// Formulas with what they set: other names replaced, tolerances taken out, assignments to several components written one by one.
pub(crate) fn plain(vocabulary: &Vocabulary, text: &str) -> Result<(String, Assigned), FormulaError> {
    let all = tokens(text);
    let mut made = String::with_capacity(text.len());
    let mut assigned = Assigned::default();
    let (mut copied, mut at) = (0, 0);
    let mut tolerance = None;
    // Where the assignment to several components that is open ends, and what is written there.
    let mut open: Option<(usize, String)> = None;
    while at < all.len() {
        let token = all[at];
        if let Some((_, tail)) = open.take_if(|(end, _)| *end == at) {
            made.push_str(&text[copied..token.end()]);
            made.push_str(&tail);
            copied = token.end();
            at += 1;
            continue;
        }
        if token.text == "@" && all.get(at + 1).is_some_and(|next| next.text == "within") {
            let (found, next) = within(text, &all, at)?;
            made.push_str(&text[copied..token.at]);
            copied = all.get(next).map_or(text.len(), |token| token.at);
            // What stood there leaves its lines.
            made.extend(text[token.at..copied].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            tolerance = Some((found, token.at));
            at = next;
            continue;
        }
        let field = at > 0 && all[at - 1].text == ".";
        if !token.is_word() || field {
            at += 1;
            continue;
        }
        let name = resolve(vocabulary, token.text);
        made.push_str(&text[copied..token.at]);
        copied = token.at;
        if name != token.text {
            made.push_str(name);
            copied = token.end();
        }
        assigned.discards |= token.text == "discard";
        note_store(vocabulary, &all, at, name, &mut assigned);
        let Some(word) = vocabulary.outputs.iter().position(|word| word.ident == name) else {
            at += 1;
            continue;
        };
        if at > 0 && ["let", "var", "const"].contains(&all[at - 1].text) {
            let message = format!("{name} is an output of the program, expected another name here");
            return Err(FormulaError::at(text, token.at, message));
        }
        let Some((components, equals)) = assignment(&all, at) else {
            at += 1;
            continue;
        };
        let output = &vocabulary.outputs[word];
        let set = components_of(text, token, &components, output)?;
        if let Some((_, at)) = tolerance.filter(|_| output.ty != Ty::F32) {
            return Err(FormulaError::at(
                text,
                at,
                format!("{} holds no floats of 32 bits, which alone have a tolerance", output.ident),
            ));
        }
        let within = tolerance.take().map(|(found, _)| found);
        for component in &set {
            let slot = assigned.outputs.entry((word, *component)).or_insert(within);
            *slot = within.or(*slot);
        }
        if components.len() > 1 {
            let end = (equals..all.len()).find(|at| all[*at].text == ";");
            let end = end.ok_or_else(|| FormulaError::at(text, token.at, "expected `;` after this assignment"))?;
            let held = format!("{name}_{components}");
            made.push_str(&format!("{{ let {held} "));
            copied = all[equals].at;
            let mut tail = String::new();
            for (from, to) in components.chars().enumerate() {
                let _ = write!(tail, " {name}.{to} = {held}.{};", ['x', 'y', 'z', 'w'][from.min(3)]);
            }
            tail.push_str(" }");
            open = Some((end, tail));
            at = equals + 1;
            continue;
        }
        at = equals + 1;
    }
    made.push_str(&text[copied..]);
    if let Some((_, at)) = tolerance {
        return Err(FormulaError::at(text, at, "expected an assignment to an output after this tolerance"));
    }
    if assigned.outputs.is_empty() && assigned.stores.is_empty() {
        let known: Vec<String> = vocabulary.outputs.iter().map(|word| word.ident.clone()).collect();
        let stored = vocabulary.resources.iter().map(|word| word.ident.clone());
        let known = if known.is_empty() { stored.collect() } else { known };
        return Err(FormulaError::new(0, format!("no formula sets an output; there is {}", known.join(", "))));
    }
    Ok((made, assigned))
}

/// The name that a name of a formula is another word for.
fn resolve<'a>(vocabulary: &'a Vocabulary, name: &'a str) -> &'a str {
    let known = vocabulary.outputs.iter().any(|word| word.ident == name);
    if known { name } else { vocabulary.aliases.get(name).map_or(name, String::as_str) }
}

/// The components and the place of `=` when what stands at a token is set there.
fn assignment(all: &[Token<'_>], at: usize) -> Option<(String, usize)> {
    let text = |at: usize| all.get(at).map_or("", |token| token.text);
    let (components, next) = if text(at + 1) == "." { (text(at + 2).to_string(), at + 3) } else { (String::new(), at + 1) };
    // `==` is a comparison; `+=` and its like set too.
    let compound = ["+", "-", "*", "/", "&", "|", "^"].contains(&text(next)) && text(next + 1) == "=";
    let equals = if compound { next + 1 } else { next };
    (text(equals) == "=" && text(equals + 1) != "=").then_some((components, equals))
}

fn components_of(
    text: &str,
    token: Token<'_>,
    components: &str,
    output: &super::vocabulary::OutputWord,
) -> Result<Vec<u8>, FormulaError> {
    let existing = (0..4u8).filter(|component| output.components[usize::from(*component)].is_some());
    if components.is_empty() {
        return Ok(existing.collect());
    }
    let number = |c: char| "xyzw".find(c).or_else(|| "rgba".find(c)).map(|at| at as u8);
    let found: Option<Vec<u8>> = components.chars().map(number).collect();
    let existing: Vec<u8> = existing.collect();
    let unknown = || {
        let known = super::vocabulary::component_letters(&existing);
        FormulaError::at(text, token.at, format!("{} has the components {known}, found .{components}", output.ident))
    };
    let found = found.ok_or_else(unknown)?;
    if found.iter().any(|component| !existing.contains(component)) { Err(unknown()) } else { Ok(found) }
}

/// `@within(2ulp)` or `@within(0.001)`, and the token after it.
fn within(text: &str, all: &[Token<'_>], at: usize) -> Result<(Tolerance, usize), FormulaError> {
    let word = |at: usize| all.get(at).map_or("", |token| token.text);
    let wrong = || FormulaError::at(text, all[at].at, "expected a tolerance as `@within(2ulp)` or `@within(0.001)`");
    if word(at + 2) != "(" {
        return Err(wrong());
    }
    let close = (at + 3..all.len().min(at + 8)).find(|at| all[*at].text == ")").ok_or_else(wrong)?;
    let inside = text[all[at + 2].end()..all[close].at].trim();
    let ulps = inside.strip_suffix("ulps").or_else(|| inside.strip_suffix("ulp"));
    let found = match ulps {
        Some(count) => Tolerance::Ulps(count.trim().parse().map_err(|_| wrong())?),
        None => {
            let value: f64 = inside.parse().map_err(|_| wrong())?;
            Tolerance::Absolute(if value.is_finite() && value >= 0.0 { value } else { return Err(wrong()) })
        }
    };
    Ok((found, close + 1))
}

/// Notes the resource that a statement at this token stores to.
fn note_store(vocabulary: &Vocabulary, all: &[Token<'_>], at: usize, name: &str, assigned: &mut Assigned) {
    if let Some(Helper::Atomic(id, op)) = vocabulary.helpers.named(name)
        && op != AtomicOp::Load
    {
        assigned.stores.insert(id.index());
    }
    let Some(resource) =
        vocabulary.resources.iter().position(|word| word.ident == name || (!word.counter.is_empty() && word.counter == name))
    else {
        return;
    };
    let before = |back: usize| at.checked_sub(back).map_or("", |at| all[at].text);
    let called = before(1) == "(" && (before(2) == "textureStore" || before(2).starts_with("textureAtomic"));
    let atomic = before(1) == "&" && before(2) == "(" && before(3).starts_with("atomic") && before(3) != "atomicLoad";
    let starts = [";", "{", "}", ""].contains(&before(1)) && all.get(at + 1).is_some_and(|next| next.text == "[");
    if called || atomic || starts {
        assigned.stores.insert(resource);
    }
}

/// The WGSL module of formulas that [`plain`] has made plain. With `lines` the text keeps the formulas' lines, else it is laid out for reading.
pub(crate) fn module(program: &Program, vocabulary: &Vocabulary, body: &str, lines: bool) -> Result<String, FormulaError> {
    let mut mentioned: HashSet<&str> = tokens(body).iter().filter(|token| token.is_word()).map(|token| token.text).collect();
    let (helpers, textures) = vocabulary.helpers.declarations(program, &vocabulary.resources, &|name| mentioned.contains(name));
    mentioned.extend(textures.iter().map(String::as_str));
    let inputs: Vec<_> = vocabulary.inputs.iter().filter(|word| mentioned.contains(word.ident.as_str())).collect();
    let params: Vec<String> = inputs.iter().map(|word| format!("{}: {}", word.ident, word.ty.vector(word.size))).collect();
    let end = if lines { " " } else { "\n" };
    let indent = if lines { "" } else { "    " };
    let mut buffers = HashSet::new();
    let mut head = format!("fn formulas({}) {{{end}", params.join(", "));
    for constant in vocabulary.constants.iter().filter(|constant| mentioned.contains(constant.ident.as_str())) {
        buffers.insert(constant.buffer.index());
        let ident = &vocabulary.resource(constant.buffer).ident;
        let _ = write!(head, "{indent}let {} = {};{end}", constant.ident, constant_value(constant, ident));
    }
    let mut tail = String::new();
    let outputs: Vec<_> = vocabulary.outputs.iter().filter(|word| mentioned.contains(word.ident.as_str())).collect();
    for word in &outputs {
        let _ = writeln!(tail, "var<private> {}: {};", word.ident, word.ty.vector(word.size));
    }
    for (at, word) in vocabulary.resources.iter().enumerate() {
        let resource = &program.interface.resources[at];
        for (name, group) in [(&word.ident, 0), (&word.depth, 2), (&word.counter, 3)] {
            let through_constants = group == 0 && buffers.contains(&at);
            if !name.is_empty() && (mentioned.contains(name.as_str()) || through_constants) {
                declare(&mut tail, word, resource, name, (group, at))?;
            }
        }
    }
    for (at, ident) in vocabulary.samplers.iter().enumerate() {
        let sampler = &program.interface.samplers[at];
        if mentioned.contains(ident.as_str()) {
            let ty = if sampler.comparison { "sampler_comparison" } else { "sampler" };
            let _ = writeln!(tail, "@group(1) @binding({at}) var {ident}: {};", in_array(ty, sampler.count));
        }
    }
    memories(&mut tail, program, vocabulary, &mentioned);
    tail.push_str(&helpers);
    let mut words: Vec<u32> = tokens(&tail)
        .iter()
        .map(|token| token.text)
        .chain(mentioned.iter().copied())
        .filter_map(|name| u32::from_str_radix(name.strip_prefix("bits_")?, 16).ok())
        .collect();
    words.sort_unstable();
    words.dedup();
    for word in words {
        let _ = writeln!(tail, "var<private> {}: u32 = {word:#x}u;", bits_name(word));
    }
    entry(&mut tail, program, vocabulary, &inputs, &outputs);
    let enable = if tail.contains("binding_array<") { format!("enable wgpu_binding_array;{end}") } else { String::new() };
    Ok(if lines { format!("{enable}{head}{body}\n}}\n{tail}") } else { format!("{enable}{head}{body}}}\n\n{tail}") })
}

fn constant_value(constant: &super::vocabulary::Constant, buffer: &str) -> String {
    let leaf = &constant.leaf;
    let row = leaf.offset / 16;
    let cast = |text: String, size: u32| match constant.ty {
        Ty::F32 => text,
        ty => format!("bitcast<{}>({text})", ty.vector(size as usize)),
    };
    if let Some((count, _)) = leaf.vectors {
        let rows: Vec<String> = (0..count).map(|at| cast(format!("{buffer}[{}]", row + at), 4)).collect();
        return format!("array<{}, {count}>({})", constant.ty.vector(4), rows.join(", "));
    }
    let first = (leaf.offset % 16 / 4) as usize;
    let letters = &"xyzw"[first..first + leaf.size as usize];
    let letters = if leaf.size == 4 { String::new() } else { format!(".{letters}") };
    cast(format!("{buffer}[{row}]{letters}"), leaf.size)
}

fn in_array(ty: &str, count: Option<u32>) -> String {
    match count {
        Some(1) => ty.into(),
        Some(count) => format!("binding_array<{ty}, {count}>"),
        None => format!("binding_array<{ty}>"),
    }
}

fn declare(
    out: &mut String,
    word: &ResourceWord,
    resource: &Resource,
    name: &str,
    (group, binding): (u32, usize),
) -> Result<(), FormulaError> {
    let place = format!("@group({group}) @binding({binding})");
    if group == 3 {
        let _ = writeln!(out, "{place} var<storage, read_write> {name}: atomic<u32>;");
        return Ok(());
    }
    let space = if resource.access == Access::Read { "storage, read" } else { "storage, read_write" };
    let number = word.uses.atomic().map_or("u32".into(), |ty| format!("atomic<{}>", ty.name()));
    let mut memory = |ty: String, space: &str| {
        if resource.count == Some(1) {
            let _ = writeln!(out, "{place} var<{space}> {name}: {ty};");
        } else {
            let structure = in_array(&format!("{name}_memory"), resource.count);
            let _ = writeln!(out, "struct {name}_memory {{\n    {HELD}: {ty},\n}}\n{place} var<{space}> {name}: {structure};");
        }
    };
    match &word.form {
        Form::Rows => {
            let bytes = match resource.shape {
                Shape::ConstantBuffer { bytes } => bytes,
                _ => 0,
            };
            memory(format!("array<vec4<f32>, {}>", bytes.div_ceil(16).max(1)), "uniform");
        }
        Form::Words => memory(format!("array<{number}>"), space),
        Form::Structures(structure) => {
            let words = structure.stride / 4;
            let element = match (structure.name.is_empty(), words) {
                (false, _) => structure.name.clone(),
                (true, 0 | 1) => number,
                (true, _) => format!("array<{number}, {words}>"),
            };
            memory(format!("array<{element}>"), space);
            out.push_str(&structure.declaration());
        }
        Form::Texture(shape) => {
            let Some(ty) = texture_type(shape, resource.access, word.uses, group == 2) else {
                return Err(FormulaError::unsupported(format!("{name}: WGSL has no texture of this shape")));
            };
            let _ = writeln!(out, "{place} var {name}: {};", in_array(&ty, resource.count));
        }
    }
    Ok(())
}

/// Group-shared and per-lane memory.
fn memories(out: &mut String, program: &Program, vocabulary: &Vocabulary, mentioned: &HashSet<&str>) {
    for (word, shared) in vocabulary.shared.iter().zip(&program.shared) {
        if mentioned.contains(word.ident.as_str()) {
            let number = word.uses.atomic().map_or("u32".into(), |ty| format!("atomic<{}>", ty.name()));
            let (words, per) = (shared.bytes / 4, (shared.stride / 4).max(1));
            let ty = if per == 1 {
                format!("array<{number}, {words}>")
            } else {
                format!("array<array<{number}, {per}>, {}>", words / per)
            };
            let _ = writeln!(out, "var<workgroup> {}: {ty};", word.ident);
        }
    }
    for (word, array) in vocabulary.arrays.iter().zip(&program.arrays) {
        if !mentioned.contains(word.ident.as_str()) {
            continue;
        }
        let element = word.element();
        let count = array.length / word.per;
        if array.initial.is_empty() {
            let _ = writeln!(out, "var<private> {}: array<{element}, {count}>;", word.ident);
            continue;
        }
        let rows: Vec<String> = array
            .initial
            .chunks_exact(word.per as usize)
            .map(|row| {
                let numbers: Vec<String> = row.iter().map(|bits| word.ty.literal(*bits)).collect();
                if word.per == 1 { numbers.concat() } else { format!("{element}({})", numbers.join(", ")) }
            })
            .collect();
        let keyword = if array.constant { "const" } else { "var<private>" };
        let _ = writeln!(
            out,
            "{keyword} {}: array<{element}, {count}> = array<{element}, {count}>({});",
            word.ident,
            rows.join(", ")
        );
    }
}

/// The entry point, which gives the pipeline's values to the formulas and takes theirs.
fn entry(
    out: &mut String,
    program: &Program,
    vocabulary: &Vocabulary,
    inputs: &[&super::vocabulary::InputWord],
    outputs: &[&super::vocabulary::OutputWord],
) {
    let params: Vec<String> =
        inputs.iter().map(|word| format!("{} {}: {}", word.attribute, word.ident, word.ty.vector(word.size))).collect();
    let arguments: Vec<&str> = inputs.iter().map(|word| word.ident.as_str()).collect();
    let (params, call) = (params.join(", "), format!("formulas({});", arguments.join(", ")));
    let stage = match program.stage {
        Stage::Vertex => "@vertex".into(),
        Stage::Pixel => "@fragment".into(),
        Stage::Compute => {
            let [x, y, z] = program.group_size;
            format!("@compute @workgroup_size({x}, {y}, {z})")
        }
        // WGSL has no other stages, and there are no formulas of them.
        Stage::Hull | Stage::Domain | Stage::Geometry => return,
    };
    let mut members = Vec::new();
    let mut values = Vec::new();
    for word in outputs {
        let at = vocabulary.outputs.iter().position(|other| other.ident == word.ident).unwrap_or(0);
        let ty = word.ty.vector(word.size);
        let flat = if program.stage == Stage::Vertex && word.ty != Ty::F32 { " @interpolate(flat)" } else { "" };
        let attribute = if word.position { "@builtin(position)".into() } else { format!("@location({at}){flat}") };
        members.push(format!("    {attribute} {}: {ty},\n", word.ident));
        values.push(word.ident.clone());
    }
    if program.stage == Stage::Vertex && !outputs.iter().any(|word| word.position) {
        // Each vertex program of WGSL has a position (WGSL 13.3.1).
        members.push("    @builtin(position) no_position: vec4<f32>,\n".into());
        values.push("vec4<f32>()".into());
    }
    if members.is_empty() {
        let _ = writeln!(out, "\n{stage}\nfn main({params}) {{\n    {call}\n}}");
        return;
    }
    let _ = writeln!(out, "\nstruct Outputs {{\n{}}}", members.concat());
    let _ =
        writeln!(out, "\n{stage}\nfn main({params}) -> Outputs {{\n    {call}\n    return Outputs({});\n}}", values.join(", "));
}
