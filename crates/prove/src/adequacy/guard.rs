//! Operations that only keep accesses where they hit: limits of indices, checks of bounds before an address, what stands for a binding or constant buffer that
//! is not declared.
//! They come of readers, and cases stay in range, so they have neither goals nor mutants.

use crate::facts::definitions;
use crate::flow::{self, Role};
use gpuproof_program::*;
use std::collections::HashMap;

/// The least limit that is none: no buffer has more elements.
const ELEMENTS: u64 = 1 << 27;

/// The limit of addresses in bytes, which leaves room for what is added to them.
const BYTES: u64 = 0xbfff_fff0;

/// For each value of a function whether such an operation makes it.
pub(super) fn guards(program: &Program, function: &Function) -> Vec<bool> {
    let defined = definitions(function);
    let (live, constants) = (flow::live(program, function), flow::constants(function));
    let places = places(program, function, &live);
    let mut guards = vec![false; function.values.len()];
    walk(&function.body, &mut |node| match node {
        Node::Op(Instruction { op: Op::UMin, args, results, .. }) => {
            let found = places[results[0].index()];
            let no_limit = |arg: &Value| {
                constants[arg.index()].is_some_and(|bits| (ELEMENTS..1 << 31).contains(&bits) || found && bits == BYTES)
            };
            guards[results[0].index()] |= args.iter().any(no_limit);
        }
        Node::Op(Instruction { op: Op::Select, args, results, .. }) if places[results[0].index()] => {
            guards[results[0].index()] |= args[1..].iter().any(|arg| is_checked(&defined, args[0], *arg));
        }
        Node::Op(select @ Instruction { op: Op::Select, results, .. }) => {
            guards[results[0].index()] |= flow::chosen_buffer(program, &defined, select).is_some_and(|chosen| chosen.is_last);
        }
        Node::If { condition, then, otherwise, .. } => {
            for region in [then, otherwise] {
                if region.iter().any(|node| matches!(node, Node::Op(instruction) if instruction.op == Op::AnyBinding)) {
                    guards[condition.index()] = true;
                    walk(region, &mut |node| {
                        if let Node::Op(instruction) = node {
                            instruction.results.iter().for_each(|result| guards[result.index()] = true);
                        }
                    });
                }
            }
        }
        _ => {}
    });
    // Truth values that nothing but guards asks for.
    let mut users: HashMap<Value, Vec<Option<Value>>> = HashMap::new();
    walk(&function.body, &mut |node| {
        let user = match node {
            Node::Op(instruction) => instruction.results.first().copied(),
            Node::If { condition, .. } if guards[condition.index()] => return,
            _ => None,
        };
        flow::operands(node).into_iter().for_each(|value| users.entry(value).or_default().push(user));
    });
    loop {
        let before = guards.clone();
        for (value, users) in users.iter().filter(|(value, _)| function.width(**value) == Width::W1) {
            guards[value.index()] |= users.iter().all(|user| user.is_some_and(|user| before[user.index()]));
        }
        if guards == before {
            return guards;
        }
    }
}

/// For each value whether nothing but places is found by it.
fn places(program: &Program, function: &Function, live: &[bool]) -> Vec<bool> {
    let mut places = vec![true; function.values.len()];
    let incoming = function.incoming();
    loop {
        let before = places.clone();
        walk(&function.body, &mut |node| {
            let Node::Op(instruction) = node else {
                if matches!(node, Node::If { .. } | Node::Switch { .. } | Node::Return { .. }) {
                    flow::operands(node).into_iter().for_each(|value| places[value.index()] = false);
                }
                return;
            };
            let is_pure = instruction.op.row().class == Class::Pure;
            let is_used = !is_pure || instruction.results.iter().any(|result| live[result.index()]);
            let finds = is_pure && instruction.results.iter().all(|result| before[result.index()]);
            for (at, arg) in instruction.args.iter().enumerate().filter(|_| is_used && !finds) {
                let role = flow::role(program, instruction, at);
                places[arg.index()] &= !(role == Role::Value || is_pure && role != Role::Ignored);
            }
        });
        for (_, sources) in incoming.iter().enumerate().filter(|(to, _)| !before[*to]) {
            sources.iter().for_each(|from| places[from.index()] = false);
        }
        if places == before {
            return places;
        }
    }
}

/// Whether a condition compares what a value is computed from.
fn is_checked(defined: &HashMap<Value, &Instruction>, condition: Value, value: Value) -> bool {
    let Some(made) = defined.get(&condition) else { return false };
    match made.op {
        Op::IAnd | Op::IOr | Op::INot => made.args.iter().any(|arg| is_checked(defined, *arg, value)),
        Op::ULt | Op::ULe | Op::SLt | Op::SLe | Op::IEq | Op::INe => {
            let is_constant = |arg: &Value| defined.get(arg).is_some_and(|made| made.op == Op::Const);
            let both = made.args.iter().all(is_constant);
            made.args.iter().any(|arg| (both || !is_constant(arg)) && is_of(defined, value, *arg, 8))
        }
        _ => false,
    }
}

/// Whether a value is computed from another by a few pure operations.
fn is_of(defined: &HashMap<Value, &Instruction>, value: Value, from: Value, depth: u32) -> bool {
    value == from
        || depth > 0
            && defined.get(&value).is_some_and(|made| {
                made.op.row().class == Class::Pure && made.args.iter().any(|arg| is_of(defined, *arg, from, depth - 1))
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The selections of a function that are guards, and how many there are.
    fn selections(program: &Program) -> (usize, usize) {
        let (mut guarding, mut all) = (0, 0);
        for function in &program.functions {
            let guards = guards(program, function);
            walk(&function.body, &mut |node| {
                if let Node::Op(Instruction { op: Op::Select, results, .. }) = node {
                    guarding += usize::from(guards[results[0].index()]);
                    all += 1;
                }
            });
        }
        (guarding, all)
    }

    #[test]
    fn what_stands_for_an_undeclared_constant_buffer_is_a_guard() {
        let (program, ..) = crate::fixture::program("interfaces/ps_5_0");
        let (guarding, all) = selections(&program);
        assert!(guarding == all && all > 10, "{guarding} of {all}");
        // A comparison that the program itself makes stands on another line than the selection.
        let mut own = program.clone();
        for function in &mut own.functions {
            change(&mut function.body);
        }
        assert_eq!(selections(&own), (0, all));
    }

    fn change(region: &mut Region) {
        for node in region {
            match node {
                Node::Op(instruction) if instruction.op == Op::Select => instruction.origin = Origin::line(0),
                Node::Block { body, .. } | Node::Loop { body, .. } => change(body),
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(change),
                Node::Switch { arms, .. } => arms.iter_mut().for_each(|arm| change(&mut arm.body)),
                _ => {}
            }
        }
    }
}
