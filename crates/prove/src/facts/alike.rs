//! Values that are the same: made by the same operation of the same operands.

use gpuproof_program::{Access, Attrs, Class, Function, Instruction, Node, Op, Program, Scope, Target, Value, Width, walk};
use std::collections::HashMap;

/// For each value of a function the first one that is the same wherever a lane makes both.
pub(crate) fn alike(program: &Program, function: &Function) -> Vec<Value> {
    let mut first: Vec<Value> = (0..function.values.len() as u32).map(Value).collect();
    let mut made: HashMap<(Op, Attrs, Vec<Value>, Width), &[Value]> = HashMap::new();
    walk(&function.body, &mut |node| {
        let Node::Op(instruction) = node else { return };
        let Some(result) = instruction.results.first().filter(|_| is_repeatable(program, instruction)) else { return };
        let args = instruction.args.iter().map(|arg| first[arg.index()]).collect();
        let known =
            made.entry((instruction.op, instruction.attrs, args, function.width(*result))).or_insert(&instruction.results);
        for (result, known) in instruction.results.iter().zip(*known) {
            first[result.index()] = *known;
        }
    });
    first
}

/// Whether an operation gives the same again.
fn is_repeatable(program: &Program, instruction: &Instruction) -> bool {
    let row = instruction.op.row();
    match (instruction.op, instruction.attrs.target) {
        (Op::Undef, _) => false,
        (Op::Input, _) => true,
        (Op::BufferLoad | Op::StructuredLoad, Target::Resource(id)) => program.interface.resource(id).access == Access::Read,
        _ => row.class == Class::Pure && row.scope == Scope::Lane,
    }
}
