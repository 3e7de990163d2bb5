//! What values come from, and addresses as an index times a distance plus an offset.

use gpuproof_program::{Function, Instruction, Node, Op, Target, Value, walk};
use std::collections::HashMap;

/// What defines each value of a function that an operation of one result defines.
#[derive(Debug, Default)]
pub struct Definitions<'a> {
    by_value: HashMap<Value, &'a Instruction>,
}

/// `index * scale + offset`, where the index is held below where the product would wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The index; none for a constant address.
    pub index: Option<Value>,
    /// The distance in bytes from one index to the next.
    pub scale: u32,
    /// What is added, in bytes.
    pub offset: u32,
}

impl<'a> Definitions<'a> {
    /// What defines the values of a function.
    pub fn of(function: &'a Function) -> Definitions<'a> {
        let mut by_value = HashMap::new();
        walk(&function.body, &mut |node| {
            if let Node::Op(instruction) = node {
                by_value.extend(instruction.results.iter().map(|result| (*result, instruction)));
            }
        });
        Definitions { by_value }
    }

    /// The operation that a value is a result of.
    pub fn get(&self, value: Value) -> Option<&'a Instruction> {
        self.by_value.get(&value).copied()
    }

    /// The operation that a value is the only result of, if it is this one.
    pub fn op(&self, value: Value, op: Op) -> Option<&'a Instruction> {
        self.get(value).filter(|instruction| instruction.op == op)
    }

    /// The bits of a value that is made of constants alone, in few steps.
    pub fn constant(&self, value: Value) -> Option<u64> {
        self.constant_within(value, 4)
    }

    fn constant_within(&self, value: Value, steps: u32) -> Option<u64> {
        let instruction = self.get(value)?;
        if let (Op::Const, Target::Bits(bits)) = (instruction.op, instruction.attrs.target) {
            return Some(bits);
        }
        if steps == 0 || !matches!(instruction.op, Op::IAdd | Op::ISub | Op::IMul | Op::UMin | Op::IShl) {
            return None;
        }
        let word = |at: usize| self.constant_within(instruction.args[at], steps - 1).map(|bits| bits as u32);
        let (a, b) = (word(0)?, word(1)?);
        Some(u64::from(match instruction.op {
            Op::IAdd => a.wrapping_add(b),
            Op::ISub => a.wrapping_sub(b),
            Op::IMul => a.wrapping_mul(b),
            Op::UMin => a.min(b),
            _ => a.wrapping_shl(b),
        }))
    }

    /// An address as the DXBC and WGSL readers write it: `min(index, limit) * scale + offset`, or without some of these.
    pub fn address(&self, value: Value) -> Address {
        if let Some(bits) = self.constant(value) {
            return Address { index: None, scale: 1, offset: bits as u32 };
        }
        let plain = Address { index: Some(value), scale: 1, offset: 0 };
        match self.get(value) {
            Some(instruction) if instruction.op == Op::IAdd => {
                let offset = self.constant(instruction.args[1]);
                match (self.scaled(instruction.args[0]), offset) {
                    (Some((index, scale)), Some(offset)) if offset < u64::from(scale) => {
                        Address { index: Some(index), scale, offset: offset as u32 }
                    }
                    _ => plain,
                }
            }
            _ => match self.scaled(value) {
                Some((index, scale)) => Address { index: Some(index), scale, offset: 0 },
                None => plain,
            },
        }
    }

    /// `min(index, limit) * scale` as index and scale.
    fn scaled(&self, value: Value) -> Option<(Value, u32)> {
        let product = self.op(value, Op::IMul)?;
        let scale = self.constant(product.args[1]).filter(|scale| *scale > 1)? as u32;
        Some((self.held(product.args[0], scale), scale))
    }

    /// What is held below where it would wrap when it is multiplied.
    fn held(&self, value: Value, scale: u32) -> Value {
        match self.op(value, Op::UMin) {
            Some(least) if self.constant(least.args[1]) == Some(limit(scale).into()) => least.args[0],
            _ => value,
        }
    }
}

/// What an index is held to before it is multiplied, so that one out of range stays out of range.
pub fn limit(scale: u32) -> u32 {
    u32::MAX / scale - 1
}
