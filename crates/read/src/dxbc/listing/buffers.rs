//! The head of a listing: definitions of buffers.

use super::head::Head;
use crate::dxbc::reflection::{ConstantBuffer, Member, Reflection, Type, Variable};

/// D3D_CBUFFER_TYPE, by number.
const BUFFERS: [&str; 4] = ["cbuffer", "tbuffer", "interfaces", "Resource bind info for"];

/// D3D_SHADER_VARIABLE_TYPE, by number.
const TYPES: [&str; 58] = [
    "void",
    "bool",
    "int",
    "float",
    "string",
    "Texture",
    "Texture1D",
    "Texture2D",
    "Texture3D",
    "TextureCube",
    "SamplerState",
    "sampler1D",
    "sampler2D",
    "sampler3D",
    "samplerCUBE",
    "PixelShader",
    "VertexShader",
    "pixelfragment",
    "vertexfragment",
    "uint",
    "byte",
    "GeometryShader",
    "RasterizerState",
    "DepthStencilState",
    "BlendState",
    "Buffer",
    "UNKNOWN",
    "UNKNOWN",
    "Texture1DArray",
    "Texture2DArray",
    "RenderTargetView",
    "DepthStencilView",
    "Texture2DMS",
    "Texture2DMSArray",
    "TextureCubeArray",
    "HullShader",
    "DomainShader",
    "interface",
    "ComputeShader",
    "double",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "min8float",
    "min10float",
    "min16float",
    "min12int",
    "min16int",
    "min16uint",
];

const INTERFACES: u32 = 2;
const STRUCTURE: u16 = 5;
const POINTER: u16 = 7;
/// The column at which a declaration's comment starts.
const COMMENT: usize = 40;

/// Writes the definitions.
pub(super) fn definitions(head: &mut Head, reflection: &Reflection) {
    if reflection.constant_buffers.is_empty() {
        return;
    }
    head.line("// Buffer Definitions: ");
    head.line("//");
    let mut layout = Layout { head, reflection, opened: false };
    for buffer in reflection.constant_buffers.iter().filter(|buffer| !buffer.variables.is_empty()) {
        layout.buffer(buffer);
    }
    layout.head.line("//");
}

struct Layout<'a> {
    head: &'a mut Head,
    reflection: &'a Reflection,
    /// Whether a structure was opened and has no member yet.
    opened: bool,
}

impl Layout<'_> {
    fn buffer(&mut self, buffer: &ConstantBuffer) {
        let kind = BUFFERS.get(buffer.kind as usize).copied().unwrap_or("<unknown buffer type>");
        self.head.line(format!("// {kind} {}", buffer.name));
        self.head.line("// {");
        self.head.line("//");
        self.opened = false;
        for (i, variable) in buffer.variables.iter().enumerate() {
            self.variable(variable, buffer.kind, i == 0);
        }
        self.head.line("//");
        self.head.line("// }");
        self.head.line("//");
    }

    fn variable(&mut self, variable: &Variable, kind: u32, first: bool) {
        let is_used = variable.flags & 2 != 0;
        // A slot that no call uses has no number.
        let has_place = is_used || kind != INTERFACES;
        let place = match (has_place, is_used) {
            (false, _) => String::from("// Offset:  N/A Size:   N/A [unused]"),
            (_, true) => format!("// Offset: {:4} Size: {:5}", variable.offset, variable.size),
            (_, false) => format!("// Offset: {:4} Size: {:5} [unused]", variable.offset, variable.size),
        };
        let r#type = self.reflection.type_of(variable.type_id);
        self.declaration(r#type, &variable.name, variable.offset, 2, &place, first);
        if let Some(value) = variable.default.as_ref().filter(|_| has_place) {
            let words: Vec<String> = value
                .chunks(4)
                .map(|bytes| {
                    let mut word = [0; 4];
                    word[..bytes.len()].copy_from_slice(bytes);
                    format!("0x{:08x} ", u32::from_le_bytes(word))
                })
                .collect();
            for (i, row) in words.chunks(4).enumerate() {
                let start = if i == 0 { "=" } else { " " };
                self.head.line(format!("//      {start} {}", row.concat()));
            }
        }
        let range = |what: &str, letter: char, plural: &str, single: &str, (first, count): (u32, u32)| match count {
            1 => format!("{what}:{single}{letter}{first}"),
            _ => format!("{what}s:{plural}{letter}{first}-{letter}{}", first.wrapping_add(count).wrapping_sub(1)),
        };
        let textures =
            variable.textures.filter(|(_, count)| *count != 0).map(|textures| range("Texture", 't', "  ", "   ", textures));
        let samplers =
            variable.samplers.filter(|(_, count)| *count != 0).map(|samplers| range("Sampler", 's', " ", " ", samplers));
        let ranges: Vec<String> = textures.into_iter().chain(samplers).collect();
        if !ranges.is_empty() {
            self.head.line(format!("{:COMMENT$}// {}", "", ranges.join(", ")));
        }
    }

    /// A declaration with the comment `place`, after `indent` spaces; of a structure with its members, whose offsets count
    /// from the buffer's start.
    fn declaration(&mut self, r#type: &Type, name: &str, offset: u32, indent: usize, place: &str, first: bool) {
        let is_structure = r#type.class == STRUCTURE;
        if self.opened || (is_structure && !first) {
            self.head.line(format!("// {:indent$}", ""));
        }
        self.opened = false;
        let elements = if r#type.elements > 1 { format!("[{}]", r#type.elements) } else { String::new() };
        let specifier = if is_structure {
            let structure = r#type.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
            self.head.line(format!("// {:indent$}struct{structure}", ""));
            self.head.line(format!("// {:indent$}{{", ""));
            self.opened = true;
            // Types may share types, so that what they print grows faster than what they take.
            for member in &r#type.members {
                if self.head.is_full() {
                    break;
                }
                self.member(member, offset, indent + 4);
            }
            self.head.line("//");
            String::from("}")
        } else {
            specifier(r#type)
        };
        let declaration = format!("// {:indent$}{specifier} {name}{elements};", "");
        self.head.line(format!("{declaration:COMMENT$}{place}"));
    }

    fn member(&mut self, member: &Member, base: u32, indent: usize) {
        let offset = base.wrapping_add(member.offset);
        let r#type = self.reflection.type_of(member.type_id);
        self.declaration(r#type, &member.name, offset, indent, &format!("// Offset: {offset:4}"), false);
    }
}

/// What stands before a name: `float`, `row_major float3x4`, `interface Light`.
fn specifier(r#type: &Type) -> String {
    let base = TYPES.get(usize::from(r#type.base)).copied().unwrap_or("UNKNOWN");
    let named = r#type.name.as_deref().filter(|_| r#type.class == POINTER);
    match (r#type.class, named) {
        (_, Some(name)) => format!("{base} {name}"),
        (0 | 4 | POINTER, _) => base.to_string(),
        (1, _) => format!("{base}{}", r#type.columns),
        (2, _) => format!("row_major {base}{}x{}", r#type.rows, r#type.columns),
        (3, _) => format!("{base}{}x{}", r#type.rows, r#type.columns),
        _ => String::new(),
    }
}
