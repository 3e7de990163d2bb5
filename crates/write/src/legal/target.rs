//! What each target computes by itself.

use gpuproof_program::{Bounds, Dialect, Division, Field, Instruction, Op, Order, Program, Range, Rounding, Target, Value};
use std::collections::HashMap;

/// What a Program is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// SPIR-V, of which Vulkan leaves most of what is odd undefined.
    Spirv,
    /// GLSL for Vulkan, which a compiler makes SPIR-V of.
    Glsl,
    /// The Metal Shading Language, which is C++ there.
    Msl,
    /// WGSL, which defines all but accesses out of range.
    Wgsl,
    /// HLSL, which a compiler makes Direct3D's bytecode of.
    Hlsl,
}

impl Machine {
    /// Whether an operation's plain form does there what the Program says of it.
    pub(super) fn has(self, program: &Program, instruction: &Instruction, constants: &HashMap<Value, u64>) -> bool {
        let rules = &instruction.attrs.rules;
        let text = self != Machine::Spirv;
        let known = |at: usize| instruction.args.get(at).and_then(|value| constants.get(value)).copied();
        match instruction.op {
            // Written as sums of products, or as the language's own dot.
            Op::FMad | Op::FDot2 | Op::FDot3 | Op::FDot4 | Op::FRcp => text,
            // Functions of their own say which operand wins.
            Op::FMin | Op::FMax => text && (self != Machine::Hlsl || rules.order == Order::NanLoses),
            Op::FToS | Op::FToU => match self {
                // A function of its own clamps further.
                Machine::Wgsl => true,
                Machine::Hlsl => rules.range == Range::Clamp,
                _ => false,
            },
            Op::FConvert => self == Machine::Hlsl && rules.rounding == Rounding::TowardZero,
            Op::SDiv | Op::SRem => self == Machine::Wgsl && rules.division == Division::Identity,
            Op::UDiv | Op::URem => match self {
                Machine::Wgsl => rules.division == Division::Identity,
                Machine::Hlsl => rules.division == Division::AllOnes,
                _ => false,
            },
            // Counts are taken modulo the width (D3D11 22.12.7; WGSL Bit Expressions, where one that is constant has to be below it).
            Op::IShl | Op::UShr | Op::SShr => matches!(self, Machine::Wgsl | Machine::Hlsl) && known(1).is_none(),
            Op::UExtract | Op::SExtract | Op::IInsert => self == Machine::Wgsl && rules.field == Field::Clamp,
            Op::UDot4x8 | Op::SDot4x8 => false,
            Op::ArrayLoad | Op::ArrayStore | Op::SharedLoad | Op::SharedStore | Op::SharedAtomic => match self {
                Machine::Wgsl => rules.bounds == Bounds::Clamped,
                // The bytecode that a compiler makes of it has Direct3D's rule again.
                Machine::Hlsl => rules.bounds != Bounds::Clamped && program.dialect == Dialect::D3D11,
                _ => false,
            },
            Op::BufferLoad
            | Op::BufferStore
            | Op::BufferAtomic
            | Op::StructuredLoad
            | Op::StructuredStore
            | Op::StructuredAtomic => match self {
                Machine::Wgsl => rules.bounds == Bounds::Clamped,
                Machine::Hlsl => rules.bounds == Bounds::Defined && matches!(instruction.attrs.target, Target::Resource(_)),
                _ => false,
            },
            Op::TextureSize => self == Machine::Hlsl && program.dialect == Dialect::D3D11,
            _ => false,
        }
    }
}
