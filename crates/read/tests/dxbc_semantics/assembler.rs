//! Instructions put together by hand, for what compilers never emit.

use gpuproof_read::dxbc::opcode::Opcode;
use gpuproof_read::dxbc::operand::{File, Index, IndexOffset, Modifier, Operand, Selection};
use gpuproof_read::dxbc::{Container, FourCc, Instruction, Part, Shader, Stage};

fn letters(text: &str) -> Vec<u8> {
    text.chars().map(|letter| "xyzw".find(letter).expect("a component") as u8).collect()
}

pub fn constant(number: u32) -> Index {
    Index { offset: IndexOffset::Bits32(number), relative: None }
}

/// `register + number`.
pub fn relative(number: u32, register: Operand) -> Index {
    Index { offset: IndexOffset::Bits32(number), relative: Some(Box::new(register)) }
}

fn register(file: File, indices: &[u32], selection: Selection) -> Operand {
    Operand { selection, indices: indices.iter().map(|number| constant(*number)).collect(), ..Operand::new(file) }
}

/// A destination: `mask` names the components that are written.
pub fn to(file: File, indices: &[u32], mask: &str) -> Operand {
    register(file, indices, Selection::Mask(letters(mask).iter().fold(0, |bits, component| bits | 1 << component)))
}

/// A source: one component, or four.
pub fn from(file: File, indices: &[u32], swizzle: &str) -> Operand {
    let selection = match letters(swizzle)[..] {
        [one] => Selection::One(one),
        [x, y, z, w] => Selection::Swizzle([x, y, z, w]),
        _ => panic!("one component or four, not {swizzle}"),
    };
    register(file, indices, selection)
}

/// A register without components.
pub fn bare(file: File, indices: &[u32]) -> Operand {
    register(file, indices, Selection::None)
}

/// `r#` written and read.
pub fn r(number: u32, components: &str) -> Operand {
    to(File::Temp, &[number], components)
}

pub fn s(number: u32, components: &str) -> Operand {
    from(File::Temp, &[number], components)
}

pub fn null() -> Operand {
    Operand::new(File::Null)
}

pub fn words<const N: usize>(words: [u32; N]) -> Operand {
    let selection = if N == 1 { Selection::Scalar } else { Selection::Swizzle([0, 1, 2, 3]) };
    Operand { selection, immediate: words.to_vec(), ..Operand::new(File::Immediate32) }
}

/// One double as an immediate of one component.
pub fn double(value: f64) -> Operand {
    let bits = value.to_bits();
    let immediate = vec![bits as u32, (bits >> 32) as u32];
    Operand { selection: Selection::Scalar, immediate, ..Operand::new(File::Immediate64) }
}

pub fn modified(modifier: Modifier, operand: Operand) -> Operand {
    Operand { modifier, ..operand }
}

pub fn indexed(operand: Operand, indices: Vec<Index>) -> Operand {
    Operand { indices, ..operand }
}

pub fn instruction(opcode: Opcode, operands: &[Operand]) -> Instruction {
    declaration(opcode, operands, &[])
}

/// With control bits of the opcode token, in place.
pub fn controlled(opcode: Opcode, controls: u32, operands: &[Operand]) -> Instruction {
    Instruction { controls, ..instruction(opcode, operands) }
}

pub fn declaration(opcode: Opcode, operands: &[Operand], words: &[u32]) -> Instruction {
    let (operands, words) = (operands.to_vec(), words.to_vec());
    Instruction { opcode, controls: 0, extensions: Vec::new(), operands, words, surplus: None, long: false, offset: 0 }
}

/// A container of a program of SM 5.0 without signatures or reflection, through bytes as a file would hold it.
pub fn container(stage: Stage, instructions: &[Instruction]) -> Container {
    container_of(0x50, stage, instructions)
}

/// The same of another shader model, as the version token has it.
pub fn container_of(model: u32, stage: Stage, instructions: &[Instruction]) -> Container {
    let version = (stage as u32) << 16 | model;
    let empty: Vec<u8> = [version, 2].into_iter().flat_map(u32::to_le_bytes).collect();
    let mut shader = Shader::decode(&Part::new(FourCc(*b"SHEX"), empty)).expect("an empty program");
    shader.instructions.extend_from_slice(instructions);
    let code = Part::new(FourCc(*b"SHEX"), shader.encode().expect("instructions that fit their patterns"));
    Container::parse(&Container::new(vec![code]).expect("a container").write()).expect("the container's bytes")
}
