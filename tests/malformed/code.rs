//! Programs of DXBC put together from tokens.

use gpuproof_read::dxbc::{Container, FourCc, Part};

/// The version tokens of the stages that are translated.
pub const PIXEL: u32 = 0x0000_0050;
/// Compute, SM 5.0.
pub const COMPUTE: u32 = 0x0005_0050;

/// Opcodes by the numbers that the format gives them.
pub mod op {
    pub const ADD: u32 = 0;
    pub const BREAK: u32 = 2;
    pub const BREAKC_NZ: u32 = 3 | 1 << 18;
    pub const CALL: u32 = 4;
    pub const CASE: u32 = 6;
    pub const CONTINUEC_NZ: u32 = 8 | 1 << 18;
    pub const ELSE: u32 = 18;
    pub const ENDIF: u32 = 21;
    pub const ENDLOOP: u32 = 22;
    pub const ENDSWITCH: u32 = 23;
    pub const IF_NZ: u32 = 31 | 1 << 18;
    pub const LABEL: u32 = 44;
    pub const LOOP: u32 = 48;
    pub const MOV: u32 = 54;
    pub const RET: u32 = 62;
    pub const RETC_NZ: u32 = 63 | 1 << 18;
    pub const SWITCH: u32 = 76;
}

/// A file of one SHEX part that holds these tokens; the second one is made to fit.
pub fn file(words: &[u32]) -> Vec<u8> {
    let mut words = words.to_vec();
    if let Some(length) = words.get(1)
        && *length == 0
    {
        words[1] = words.len() as u32;
    }
    let data = words.into_iter().flat_map(u32::to_le_bytes).collect();
    Container::new(vec![Part::new(FourCc(*b"SHEX"), data)]).expect("a small container").write()
}

/// Tokens of a program under construction.
pub struct Code(Vec<u32>);

impl Code {
    /// A program of this version.
    pub fn new(version: u32) -> Code {
        let mut code = Code(vec![version, 0]);
        if version == COMPUTE {
            // dcl_thread_group 1, 1, 1
            code.0.extend([155 | 4 << 24, 1, 1, 1]);
        }
        code
    }

    /// An instruction with these operand tokens.
    pub fn put(&mut self, opcode: u32, operands: &[u32]) -> &mut Code {
        self.0.push(opcode | (operands.len() as u32 + 1) << 24);
        self.0.extend(operands);
        self
    }

    /// `mov r[to].xyzw, r[from].xyzw`
    pub fn mov(&mut self, to: u32, from: u32) -> &mut Code {
        self.put(op::MOV, &[0x0010_00f2, to, 0x0010_0e46, from])
    }

    /// `mov r[to].xyzw, l(value, value, value, value)`
    pub fn set(&mut self, to: u32, value: u32) -> &mut Code {
        self.put(op::MOV, &[0x0010_00f2, to, 0x0000_4002, value, value, value, value])
    }

    /// The file.
    pub fn file(&self) -> Vec<u8> {
        file(&self.0)
    }
}

/// The operand `r[number].x`.
pub fn x(number: u32) -> [u32; 2] {
    [0x0010_000a, number]
}
