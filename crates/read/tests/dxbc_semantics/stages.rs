//! Programs of the stages between vertices and pixels, which do not run yet: what their Programs say.

use crate::assembler::*;
use crate::program;
use gpuproof_program::{Assembly, Function, Instruction as Operation, Node, Op, PhaseKind, Program, Site, Target, Value, walk};
use gpuproof_read::dxbc::opcode::Opcode;
use gpuproof_read::dxbc::operand::File;
use gpuproof_read::dxbc::{Instruction, Stage};

fn plain(opcode: Opcode) -> Instruction {
    instruction(opcode, &[])
}

/// The operations of a kind, in order.
fn operations(function: &Function, op: Op) -> Vec<&Operation> {
    let mut found = Vec::new();
    walk(&function.body, &mut |node| match node {
        Node::Op(operation) if operation.op == op => found.push(operation),
        _ => {}
    });
    found
}

/// The bits of a constant; none of what nothing wrote.
fn constant(function: &Function, value: Value) -> Option<u64> {
    match function.definitions()[value.index()] {
        Some(Site::Op { instruction, .. }) if instruction.op == Op::Undef => None,
        Some(Site::Op { instruction: Operation { attrs, .. }, .. }) => match attrs.target {
            Target::Bits(bits) => Some(bits),
            other => panic!("a constant, not {other:?}"),
        },
        other => panic!("a constant, not {other:?}"),
    }
}

fn points(body: &[Instruction]) -> Program {
    let mut all = vec![
        controlled(Opcode::DclGsInputPrimitive, 1 << 11, &[]),
        controlled(Opcode::DclGsOutputPrimitiveTopology, 1 << 11, &[]),
        declaration(Opcode::DclOutput, &[to(File::Output, &[0], "xyz")], &[]),
        declaration(Opcode::DclMaxOutputVertexCount, &[], &[3]),
    ];
    all.extend_from_slice(body);
    all.push(plain(Opcode::Ret));
    program(Stage::Geometry, &all).expect("a program")
}

/// 13.4: what is emitted is what the registers hold, after which they hold nothing; 22.8.5: an emit and then a cut.
#[test]
fn a_vertex_is_what_was_written_since_the_last_one() {
    let program = points(&[
        instruction(Opcode::Mov, &[to(File::Output, &[0], "xyz"), words([1, 2, 3, 4])]),
        plain(Opcode::Emit),
        instruction(Opcode::Mov, &[to(File::Output, &[0], "y"), words([5])]),
        plain(Opcode::EmitThenCut),
    ]);
    let main = &program.functions[0];
    let vertices: Vec<Vec<Option<u64>>> = operations(main, Op::Emit)
        .into_iter()
        .map(|emit| emit.args.iter().map(|value| constant(main, *value)).collect())
        .collect();
    assert_eq!(vertices, [vec![Some(1), Some(2), Some(3)], vec![None, Some(5), None]]);
    assert_eq!(operations(main, Op::Cut).len(), 1);
}

fn hull(phases: &[Instruction]) -> Program {
    let mut all = vec![
        plain(Opcode::HsDecls),
        controlled(Opcode::DclInputControlPointCount, 3 << 11, &[]),
        controlled(Opcode::DclOutputControlPointCount, 3 << 11, &[]),
        controlled(Opcode::DclTessDomain, 2 << 11, &[]),
        controlled(Opcode::DclTessPartitioning, 1 << 11, &[]),
        controlled(Opcode::DclTessOutputPrimitive, 3 << 11, &[]),
    ];
    all.extend_from_slice(phases);
    program(Stage::Hull, &all).expect("a program")
}

/// A fork phase of four instances that gives what a control point that was made holds.
fn fork() -> Vec<Instruction> {
    vec![
        plain(Opcode::HsForkPhase),
        declaration(Opcode::DclHsForkPhaseInstanceCount, &[], &[4]),
        declaration(Opcode::DclInput, &[to(File::InputControlPoint, &[3, 0], "x")], &[]),
        declaration(Opcode::DclOutputSiv, &[to(File::Output, &[0], "x")], &[17]),
        instruction(Opcode::Mov, &[to(File::Output, &[0], "x"), from(File::OutputControlPoint, &[2, 0], "x")]),
        plain(Opcode::Ret),
    ]
}

/// 10.6: without a control point phase, what comes in goes out; with one, what it made is read.
#[test]
fn control_points_pass_through_where_no_phase_makes_them() {
    let through = hull(&fork());
    let Assembly::Hull(declared) = &through.assembly else { panic!("{:?}", through.assembly) };
    assert_eq!(declared.phases.iter().map(|phase| (phase.kind, phase.lanes)).collect::<Vec<_>>(), [(PhaseKind::Fork, 4)]);
    assert_eq!(operations(&through.functions[0], Op::InputVertex).len(), 1);
    let mut phases = vec![
        plain(Opcode::HsControlPointPhase),
        declaration(Opcode::DclInput, &[to(File::Input, &[3, 0], "x")], &[]),
        declaration(Opcode::DclOutput, &[to(File::Output, &[0], "x")], &[]),
        instruction(Opcode::Mov, &[to(File::Output, &[0], "x"), from(File::Input, &[1, 0], "x")]),
        plain(Opcode::Ret),
    ];
    phases.extend(fork());
    let made = hull(&phases);
    let Assembly::Hull(declared) = &made.assembly else { panic!("{:?}", made.assembly) };
    let lanes: Vec<_> = declared.phases.iter().map(|phase| (phase.kind, phase.lanes)).collect();
    assert_eq!(lanes, [(PhaseKind::ControlPoint, 3), (PhaseKind::Fork, 4)]);
    let [of_point, of_patch] = &made.functions[..] else { panic!("two functions") };
    assert_eq!((operations(of_point, Op::InputVertex).len(), operations(of_patch, Op::OutputVertex).len()), (1, 1));
}

/// Neither is in the functional specification, and where there is no debugger and no reference rasteriser nothing comes of them.
#[test]
fn a_break_and_an_abort_are_noted() {
    let program = points(&[plain(Opcode::Abort), plain(Opcode::DebugBreak), plain(Opcode::DebugBreak)]);
    let named: Vec<bool> = ["abort", "debug_break"].map(|name| program.notes.iter().any(|note| note.contains(name))).into();
    assert_eq!((named, program.notes.len()), (vec![true, true], 2));
}
