//! Resources and samplers that a register chooses.

use super::super::error::Result;
use super::super::opcode::Opcode;
use super::super::operand::{File, Index, IndexOffset, Operand};
use super::super::tokens::{ExtensionKind, Instruction};
use super::Translator;
use super::declare::texture_shape;
use gpuproof_program::{Op, Shape, Value, Width};

impl Translator<'_> {
    /// Before SM 5.1 a register may choose an instruction's resource or sampler, the same for lanes that run together (7.11). Every one that is
    /// declared and fits gets the instruction, in a switch over the register; what a number of another does is open: `binding.any` stands for it.
    /// Gives whether there is such an operand.
    pub(super) fn chosen(&mut self, instruction: &Instruction) -> Result<bool> {
        let is_chosen = |operand: &Operand| {
            let indexed = operand.indices.first().is_some_and(|index| index.relative.is_some());
            indexed && matches!(operand.file, File::Resource | File::Sampler)
        };
        let Some(at) = instruction.operands.iter().position(is_chosen) else { return Ok(false) };
        let operand = &instruction.operands[at];
        let mut numbers = Vec::new();
        if operand.file == File::Sampler {
            numbers.extend(self.declarations.samplers.keys());
        }
        for ((file, number), bound) in &self.declarations.resources {
            if *file == operand.file && fits(instruction, bound.shape)? {
                numbers.push(*number);
            }
        }
        numbers.sort_unstable();
        if numbers.is_empty() {
            return Err(self.bad("a declared register of the instruction's kind", format!("no {} of it", operand.file.name())));
        }
        let index = self.index(self.dimension(operand, 0)?)?;
        let index = self.declared(index, &numbers);
        let end = self.builder.begin_switch(index);
        for (nth, number) in numbers.into_iter().enumerate() {
            self.spend(1)?;
            // What one arm has read is not there in another.
            self.read.clear();
            self.builder.begin_arm(&[number], nth == 0);
            let mut copy = instruction.clone();
            copy.operands[at].indices[0] = Index { offset: IndexOffset::Bits32(number), relative: None };
            self.instruction(&copy)?;
            self.builder.br(end);
        }
        self.builder.end();
        self.read.clear();
        Ok(true)
    }
}

impl Translator<'_> {
    /// An index where it is one of these numbers, else any of them.
    fn declared(&mut self, index: Value, numbers: &[u32]) -> Value {
        let mut is_known = self.builder.constant(Width::W1, 0);
        for number in numbers {
            let number = self.word(*number);
            let is_this = self.op(Op::IEq, &[index, number]);
            is_known = self.op(Op::IOr, &[is_known, is_this]);
        }
        let chosen = self.builder.local(Width::W32);
        self.builder.set(chosen, index);
        self.builder.begin_if(is_known);
        self.builder.begin_else();
        let count = self.word(numbers.len() as u32);
        let nth = self.op(Op::AnyBinding, &[index, count]);
        let mut any = self.word(numbers[0]);
        for (at, number) in (0..).zip(numbers).skip(1) {
            let (at, number) = (self.word(at), self.word(*number));
            let is_this = self.op(Op::IEq, &[nth, at]);
            any = self.op(Op::Select, &[is_this, number, any]);
        }
        self.builder.set(chosen, any);
        self.builder.end_if();
        self.builder.get(chosen)
    }
}

/// Whether an instruction can be of a resource: by the dimension that its extended token gives, else by its opcode.
fn fits(instruction: &Instruction, shape: Shape) -> Result<bool> {
    let dimension = instruction.extensions.iter().find_map(|extension| match extension.kind() {
        Some(ExtensionKind::ResourceDimension { dimension, stride }) => Some((dimension, stride)),
        _ => None,
    });
    Ok(match (dimension, shape) {
        // D3D11_SB_RESOURCE_DIMENSION_RAW_BUFFER and _STRUCTURED_BUFFER.
        (Some((11, _)), shape) => matches!(shape, Shape::Buffer { .. }),
        (Some((12, expected)), Shape::Structured { stride }) => stride == expected,
        (Some((dimension @ 1..=10, _)), Shape::Texture(shape)) => {
            let expected = texture_shape(instruction, dimension, 0)?;
            let kind = |shape: gpuproof_program::TextureShape| (shape.dimension, shape.arrayed, shape.multisampled);
            kind(shape) == kind(expected)
        }
        (Some(_), _) => false,
        (None, shape) => match instruction.opcode {
            Opcode::BufInfo => true,
            Opcode::LdRaw | Opcode::LdRawS => matches!(shape, Shape::Buffer { .. }),
            Opcode::LdStructured | Opcode::LdStructuredS => matches!(shape, Shape::Structured { .. }),
            _ => matches!(shape, Shape::Texture(_)),
        },
    })
}
