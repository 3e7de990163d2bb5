//! Interfaces: which class an interface slot holds, and where its instance lies, is bound when the program runs (ID3D11ClassLinkage).
//!
//! A program with interfaces therefore reads one more constant buffer, [`INSTANCES`], of [`STRIDE`] bytes a slot: the instance's
//! constant buffer, its first row there, its first sampler and texture (what `this[slot]` gives, 22.7.20), and which of the slot's
//! declared function tables its class has. A call is a switch over that table.

use super::super::error::Result;
use super::super::opcode::Opcode;
use super::super::operand::{File, Operand};
use super::super::tokens::Instruction;
use super::Translator;
use super::registers::bounds;
use gpuproof_program::{
    Access, Attrs, Bounds, Kind, Member, Op, RegisterClass, Resource, ResourceId, ScalarType, Shape, Slot, Target, Type, Value,
    Width,
};
use std::collections::{BTreeMap, HashMap};

/// The name of the constant buffer that tells what interface slots hold.
pub const INSTANCES: &str = "class instances";
/// Bytes of a slot in it.
pub const STRIDE: u32 = 32;
const TABLE: u32 = 16;

/// What the program declares of interfaces.
#[derive(Default)]
pub(super) struct Interfaces {
    tables: HashMap<u32, Vec<u32>>,
    /// Of the first slot of each interface: how many slots it has, and the tables that their classes may have.
    slots: BTreeMap<u32, (u32, Vec<u32>)>,
    instances: Option<ResourceId>,
}

impl Interfaces {
    pub(super) fn declare(&mut self, instruction: &Instruction, resources: &mut Vec<Resource>) {
        let words = &instruction.words;
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        match instruction.opcode {
            Opcode::DclFunctionTable => _ = self.tables.insert(word(0), words.get(2..).unwrap_or(&[]).to_vec()),
            Opcode::DclInterface => {
                let count = word(2) >> 16;
                self.slots.insert(word(0), (count, words.get(3..).unwrap_or(&[]).to_vec()));
                let slots = word(0).saturating_add(count).min(256);
                let id = *self.instances.get_or_insert_with(|| {
                    resources.push(resource());
                    ResourceId(resources.len() as u32 - 1)
                });
                let resource = &mut resources[id.index()];
                if let Shape::ConstantBuffer { bytes } = &mut resource.shape {
                    *bytes = (*bytes).max(slots * STRIDE);
                }
            }
            _ => {}
        }
    }
}

fn resource() -> Resource {
    let names = ["buffer", "row", "sampler", "texture", "table"];
    let scalar = Type::Scalar(ScalarType { kind: Kind::Uint, width: Width::W32 });
    let member = |(at, name): (usize, &str)| Member { name: name.into(), offset: 4 * at as u32, ty: scalar.clone() };
    let members = names.into_iter().enumerate().map(member).collect();
    let element = Box::new(Type::Struct { members, size: STRIDE });
    let slots = Member { name: "slots".into(), offset: 0, ty: Type::Array { element, count: None, stride: STRIDE } };
    Resource {
        name: INSTANCES.into(),
        slot: Slot::Register { class: RegisterClass::B, space: u32::MAX, index: 0 },
        count: Some(1),
        shape: Shape::ConstantBuffer { bytes: 0 },
        access: Access::Read,
        layout: Some(Type::Struct { members: vec![slots], size: 0 }),
        counter: false,
    }
}

impl Translator<'_> {
    /// A word of a slot's data.
    fn instance_word(&mut self, slot: Value, byte: u32) -> Result<Value> {
        let Some(instances) = self.declarations.interfaces.instances else {
            return Err(self.bad("a declared interface", "none"));
        };
        let (five, byte) = (self.word(STRIDE.trailing_zeros()), self.word(byte));
        let start = self.op(Op::IShl, &[slot, five]);
        let offset = self.op(Op::IAdd, &[start, byte]);
        let element = self.word(0);
        let attrs = Attrs::target(Target::Resource(instances)).with_rules(bounds(Bounds::Defined));
        Ok(self.builder.value_of(Width::W32, Op::BufferLoad, attrs, &[element, offset]))
    }

    /// `this[slot]`.
    pub(super) fn this_pointer(&mut self, operand: &Operand, component: u8) -> Result<Value> {
        let slot = self.index(self.dimension(operand, 0)?)?;
        self.instance_word(slot, 4 * u32::from(component))
    }

    /// `fcall`: the body that the slot's table has for this call site.
    pub(super) fn interface_call(&mut self, instruction: &Instruction) -> Result<()> {
        let operand = self.operand(instruction, 0)?;
        let first = self.number(operand)?;
        let site = instruction.words.first().copied().unwrap_or(0) as usize;
        // 22.7.19: fp5[1] is fp4[2], where an array that starts at fp4 has so many slots.
        let declared = self.declarations.interfaces.slots.range(..=first).next_back();
        let tables = match declared {
            Some((start, (count, tables))) if first - start < *count => tables.clone(),
            _ => return Err(self.bad("a declared interface", format!("fp{first}"))),
        };
        let index = self.index(self.dimension(operand, 1)?)?;
        let first = self.word(first);
        let slot = self.op(Op::IAdd, &[index, first]);
        let table = self.instance_word(slot, TABLE)?;
        let mut bodies = Vec::new();
        for number in tables {
            let body = self.declarations.interfaces.tables.get(&number).and_then(|table| table.get(site)).copied();
            let body = body.ok_or_else(|| self.bad(format!("a body {site} in table ft{number}"), "none"))?;
            bodies.push(body);
        }
        if bodies.is_empty() {
            return Err(self.bad("an interface with a table", "none"));
        }
        let end = self.builder.begin_switch(table);
        for (at, body) in bodies.into_iter().enumerate() {
            self.builder.begin_arm(&[at as u32], at == 0);
            self.expand((File::FunctionBody, body))?;
            self.builder.br(end);
        }
        self.builder.end();
        Ok(())
    }

    /// A word of the constant buffer whose slot a register gives: any of those declared.
    pub(super) fn load_chosen_constant(&mut self, operand: &Operand, offset: Value) -> Result<Value> {
        let chosen = self.index(self.dimension(operand, 0)?)?;
        let mut declared: Vec<(u32, ResourceId)> = self
            .declarations
            .resources
            .iter()
            .filter(|((file, _), _)| *file == File::ConstantBuffer)
            .map(|((_, number), bound)| (*number, bound.id))
            .collect();
        declared.sort_unstable();
        self.spend(declared.len())?;
        let mut value = self.word(0);
        for (number, id) in declared {
            let element = self.word(0);
            let attrs = Attrs::target(Target::Resource(id)).with_rules(bounds(Bounds::Defined));
            let word = self.builder.value_of(Width::W32, Op::BufferLoad, attrs, &[element, offset]);
            let number = self.word(number);
            let condition = self.op(Op::IEq, &[chosen, number]);
            value = self.op(Op::Select, &[condition, word, value]);
        }
        Ok(value)
    }
}
