//! Runs that take a real machine's results. What an H200 gives was recorded on one: `crates/number/tests/nvidia_sm90`.

use crate::kit::{Kit, buffer, case, resource, words};
use gpuproof_number::machine::Extent;
use gpuproof_program::*;
use gpuproof_run::*;

/// Operation, operand, the correctly rounded result, and an H200's.
const RECORDED: [(Op, u32, u32, u32); 5] = [
    (Op::FRcp, 0x3faa_aaac, 0x3f3f_ffff, 0x3f3f_fffe),
    (Op::FExp2, 0x3fa0_0000, 0x4018_37f0, 0x4018_37f1),
    (Op::FLog2, 0x3fa0_0000, 0x3ea4_d3c2, 0x3ea4_d3c4),
    (Op::FRsqrt, 0x4020_0001, 0x3f21_e89b, 0x3f21_e89a),
    (Op::FSqrt, 0x3fa0_0000, 0x3f8f_1bbd, 0x3f8f_1bbc),
];

/// Stores for each recorded operation what it makes of a word that is the same on all lanes, and of one that each lane loads; then the arc sine of 1.
fn program(denormals: Denormals) -> Program {
    let mut k = Kit::new(4);
    k.interface.resources.push(Resource { slot: Slot::Binding { group: 0, binding: 1 }, ..constants() });
    let id = k.id();
    let rules = Rules { denormals, ..Rules::default() };
    let (zero, four) = (k.word(0), k.word(4));
    for (at, (op, ..)) in RECORDED.into_iter().enumerate() {
        let offset = k.word(4 * at as u32);
        let load = Attrs::target(Target::Resource(ResourceId(1)));
        let uniform = k.b.value_of(Width::W32, Op::BufferLoad, load, &[zero, offset]);
        // id / 4 is 0 on every lane, which the plan does not know.
        let quarter = k.op(Op::UDiv, &[id, four]);
        let offset = k.op(Op::IAdd, &[quarter, offset]);
        let varying = k.b.value_of(Width::W32, Op::BufferLoad, load, &[zero, offset]);
        for (half, operand) in [uniform, varying].into_iter().enumerate() {
            let result = k.b.value(op, Attrs::rules(rules), &[operand]);
            k.put(id, 11, 2 * at as u32 + half as u32, result);
        }
    }
    let one = k.word(0x3f80_0000);
    let quarter_turn = k.b.value(Op::FAsin, Attrs::rules(rules), &[one]);
    k.put(id, 11, 10, quarter_turn);
    k.program()
}

fn constants() -> Resource {
    resource("constants", Shape::ConstantBuffer { bytes: 32 }, Access::Read)
}

fn run_on(program: &Program, machine: Machine) -> Vec<u32> {
    let mut case = case(program, 1, 44);
    case.resources[1] = vec![buffer(&RECORDED.map(|(_, operand, ..)| operand))];
    let options = Options { machine, ..Options::default() };
    let outcome = Plan::compile(program).expect("a plan").run(&case, &options).expect("an outcome");
    words(&outcome.resources[0][0])
}

#[test]
fn a_run_takes_the_machines_results_on_lanes_and_in_what_all_lanes_share() {
    for denormals in [Denormals::Keep, Denormals::Flush] {
        let program = program(denormals);
        for machine in Machine::ALL {
            let results = run_on(&program, machine);
            for lane in results.chunks(11) {
                for (at, (op, _, exact, h200)) in RECORDED.into_iter().enumerate() {
                    // Only the H200's bits are known where they are not the correctly rounded ones.
                    let expected = if machine == Machine::NvidiaSm90 { h200 } else { exact };
                    assert_eq!(lane[2 * at..][..2], [expected; 2], "{} on {machine}", op.row().name);
                }
                // pi / 2 = 1.570796327...: no machine's arc sine is known, so it stays canonical.
                assert_eq!(lane[10], 0x3fc9_0fdb);
            }
        }
    }
}

/// A plan that has run on a machine is none the less exact afterwards.
#[test]
fn a_plan_runs_on_any_machine_in_turn() {
    let program = program(Denormals::Flush);
    let plan = Plan::compile(&program).expect("a plan");
    let mut case = case(&program, 1, 44);
    case.resources[1] = vec![buffer(&RECORDED.map(|(_, operand, ..)| operand))];
    let run = |machine| plan.run(&case, &Options { machine, ..Options::default() }).expect("an outcome").resources;
    let exact = run(Machine::Exact);
    assert_ne!(run(Machine::NvidiaSm90), exact);
    assert_eq!(run(Machine::Exact), exact);
}

#[test]
fn what_a_model_knows_of_a_program_is_listed() {
    let program = program(Denormals::Flush);
    assert_eq!(modelled(&program, Machine::Exact), []);
    let known = |machine| -> Vec<(Extent, Op, usize)> {
        modelled(&program, machine).iter().map(|known| (known.extent, known.op, known.places)).collect()
    };
    let bits = [Op::FSqrt, Op::FRsqrt, Op::FRcp, Op::FExp2, Op::FLog2].map(|op| (Extent::Bits, op, 2));
    assert_eq!(known(Machine::NvidiaSm90), [&bits[..], &[(Extent::Nothing, Op::FAsin, 1)]].concat());
    let lavapipe = [
        (Extent::Bits, Op::FSqrt, 2),
        (Extent::Bits, Op::FRcp, 2),
        (Extent::Range, Op::FExp2, 2),
        (Extent::Range, Op::FLog2, 2),
        (Extent::Nothing, Op::FRsqrt, 2),
        (Extent::Nothing, Op::FAsin, 1),
    ];
    assert_eq!(known(Machine::Lavapipe), lavapipe);
}
