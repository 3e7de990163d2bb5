//! What a model of a machine knows of a program's operations.

use crate::machine::scalar::Pure;
use gpuproof_number::machine::{Extent, Machine};
use gpuproof_program::{Class, Instruction, Node, Op, Program, Scope, Value, Width, walk};

/// The operations whose results no two machines need agree in: functions that are approximated, divisions, what may be fused or reordered, and filtering.
const VARYING: [Op; 22] = [
    Op::FDiv,
    Op::FMad,
    Op::FDot2,
    Op::FDot3,
    Op::FDot4,
    Op::FSqrt,
    Op::FRsqrt,
    Op::FRcp,
    Op::FExp2,
    Op::FLog2,
    Op::FExp,
    Op::FLog,
    Op::FSin,
    Op::FCos,
    Op::FAsin,
    Op::FAcos,
    Op::FAtan,
    Op::FAtan2,
    Op::UToF,
    Op::Sample,
    Op::Gather,
    Op::SampleLevel,
];

/// An operation that machines do differently, as a program has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Modelled {
    /// How much the model knows of it. Where that is not [`Extent::Bits`], a run gives canonical results.
    pub extent: Extent,
    /// The operation.
    pub op: Op,
    /// The width of its first operand; of a texture operation that of its result.
    pub width: Width,
    /// In how many places the program has it.
    pub places: usize,
}

/// The operations of a program whose results differ from machine to machine, and how much the model knows of each: bits first. Nothing for
/// [`Machine::Exact`], which is no machine.
pub fn modelled(program: &Program, machine: Machine) -> Vec<Modelled> {
    let mut found: Vec<Modelled> = Vec::new();
    if machine == Machine::Exact {
        return found;
    }
    for function in &program.functions {
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else { return };
            if VARYING.contains(&instruction.op) {
                count(&mut found, machine, instruction, |value| function.width(value));
            }
        });
    }
    found.sort();
    found
}

fn count(found: &mut Vec<Modelled>, machine: Machine, instruction: &Instruction, width: impl Fn(Value) -> Width) {
    let of = |values: &[Value]| values.first().map(|value| width(*value));
    let op = instruction.op;
    let u = of(&instruction.results).unwrap_or(Width::W32);
    let is_pure = op.row().class == Class::Pure && op.row().scope == Scope::Lane;
    let t = of(&instruction.args).filter(|_| is_pure).unwrap_or(u);
    let extent = Pure { op, attrs: instruction.attrs, t, u }.extent_on(machine);
    match found.iter_mut().find(|known| (known.op, known.width) == (op, t)) {
        Some(known) => known.places += 1,
        None => found.push(Modelled { extent, op, width: t, places: 1 }),
    }
}
