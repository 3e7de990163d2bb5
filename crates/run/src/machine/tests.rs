//! Row operations against the scalar functions, on every instruction set that the processor has.

use super::rows::{Args, Isa, Operand, Rows};
use super::scalar::Pure;
use super::select::{for_clean_operands, kernel_of};
use gpuproof_number::machine::Machine;
use gpuproof_program::op::TABLE;
use gpuproof_program::{Attrs, Class, Denormals, Division, Field, Op, Order, Range, Rules, Scope, Width};

/// Bits that arithmetic goes wrong at: zeros, subnormals, the edges of normal numbers, infinities, NaNs of both kinds, integers.
const SPECIAL: &[u32] = &[
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f7f_ffff,
    0x3f80_0001,
    0x3f00_0000,
    0xbf00_0000,
    0x4b00_0000,
    0x4b7f_ffff,
    0xcb00_0001,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x4eff_ffff,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001,
    0xffff_ffff,
    0x7fff_ffff,
    31,
    32,
    33,
    0xb300_0000,
    0x4020_0000,
    0x40a0_0000,
    0xc020_0000,
    2,
    3,
    0x0000_ffff,
    0xffff_0000,
    0xaaaa_aaaa,
];

fn random(state: &mut u64) -> u32 {
    *state = state.wrapping_add(1);
    (super::execute::mix(*state) >> 16) as u32
}

/// Every choice that the operation takes, in every combination.
fn all_rules(op: Op) -> Vec<Rules> {
    let choices = op.choices();
    let mut all = vec![Rules::default()];
    let mut with = |choice, change: fn(&mut Rules)| {
        if choices.contains(&choice) {
            let changed: Vec<Rules> = all
                .iter()
                .map(|rules| {
                    let mut rules = *rules;
                    change(&mut rules);
                    rules
                })
                .collect();
            all.extend(changed);
        }
    };
    use gpuproof_program::Choice;
    with(Choice::Denormals, |rules| rules.denormals = Denormals::Flush);
    with(Choice::Order, |rules| rules.order = Order::Literal);
    with(Choice::Division, |rules| rules.division = Division::Identity);
    with(Choice::Range, |rules| rules.range = Range::ClampToFloat);
    with(Choice::Field, |rules| rules.field = Field::Clamp);
    all
}

fn operand_width(slot: gpuproof_program::op::Slot, t: Width) -> Width {
    match slot {
        gpuproof_program::op::Slot::B => Width::W1,
        gpuproof_program::op::Slot::W => Width::W32,
        _ => t,
    }
}

/// A value of the width in a row, as the machine keeps it.
fn kept(bits: u32, width: Width) -> u32 {
    match width {
        Width::W1 => (bits & 1).wrapping_neg(),
        width => bits & width.mask() as u32,
    }
}

#[test]
fn rows_give_the_bits_of_the_scalar_functions_on_every_instruction_set() {
    const LANES: usize = 256;
    let mut compared = 0;
    for row in TABLE.iter().filter(|row| row.class == Class::Pure && row.scope == Scope::Lane && !row.operands.is_empty()) {
        let widths = if row.widths.is_empty() { &[Width::W32][..] } else { row.widths };
        for (t, u) in widths.iter().flat_map(|t| [Width::W1, Width::W16, Width::W32].map(|u| (*t, u))) {
            let ordered = match row.op {
                Op::UExtend | Op::SExtend => t < u,
                Op::ITruncate => t > u,
                Op::SToF | Op::UToF => u >= Width::W16,
                Op::FToS | Op::FToU => u >= Width::W8,
                _ => true,
            };
            if !ordered {
                continue;
            }
            for rules in all_rules(row.op) {
                let result = row.results.first().map_or(t, |slot| match slot {
                    gpuproof_program::op::Slot::U => u,
                    slot => operand_width(*slot, t),
                });
                let Some(kernel) = kernel_of(row.op, &rules, t, result) else { continue };
                let pure = Pure { op: row.op, attrs: Attrs::rules(rules), t, u: result };
                let mut state = row.op as u64;
                for round in 0..24 {
                    let inputs: Vec<Vec<u32>> = (0..row.operands.len())
                        .map(|at| {
                            (0..LANES)
                                .map(|lane| match (round, at) {
                                    // All pairs of special values, then random ones, then random against special.
                                    (0..7, 0) => SPECIAL[(round * LANES + lane) / SPECIAL.len() % SPECIAL.len()],
                                    (0..7, 1) => SPECIAL[(round * LANES + lane) % SPECIAL.len()],
                                    (0..7, _) => SPECIAL[random(&mut state) as usize % SPECIAL.len()],
                                    (20.., 0) => SPECIAL[lane % SPECIAL.len()],
                                    _ => random(&mut state),
                                })
                                .map(|bits| kept(bits, operand_width(row.operands[at], t)))
                                .collect()
                        })
                        .collect();
                    for isa in Isa::available() {
                        let mut rows = Rows::new(&[], 5, LANES, isa, Machine::Exact);
                        for (at, input) in inputs.iter().enumerate() {
                            rows.row_mut(Operand::register(at as u32)).copy_from_slice(input);
                        }
                        let from = [0, 1, 2, 3].map(Operand::register);
                        rows.apply(kernel, &Args { to: Operand::register(4), from });
                        // The form for operands without subnormals, of such operands, gives the same.
                        let flushed = |bits: u32| gpuproof_number::float32::flush(bits, gpuproof_number::Denormals::Flush);
                        if for_clean_operands(kernel) != kernel {
                            for (at, input) in inputs.iter().enumerate() {
                                let row = rows.row_mut(Operand::register(at as u32));
                                row.iter_mut().zip(input).for_each(|(word, bits)| *word = flushed(*bits));
                            }
                            rows.apply(for_clean_operands(kernel), &Args { to: Operand::register(0), from });
                            assert_eq!(rows.row(Operand::register(0)), rows.row(Operand::register(4)), "{} on {isa:?}", row.name);
                        }
                        for lane in 0..LANES {
                            let args: Vec<u64> = inputs
                                .iter()
                                .zip(row.operands)
                                .map(|(input, slot)| u64::from(input[lane]) & operand_width(*slot, t).mask())
                                .collect();
                            let expected = kept(pure.evaluate(&args)[0] as u32, result);
                            let found = rows.get(Operand::register(4), lane);
                            assert_eq!(
                                found, expected,
                                "{} {rules:?} {args:x?} on {isa:?}: {found:#x} / {expected:#x}",
                                row.name
                            );
                            compared += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 1_000_000);
}

#[test]
fn masked_copies_and_truth_go_by_lane() {
    for isa in Isa::available() {
        let mut rows = Rows::new(&[7], 2, 100, isa, Machine::Exact);
        let register = Operand::register(1);
        rows.copy_masked(register, Operand::constant(0), &[1 << 3 | 1 << 63, 1 << 35]);
        let mut bits = [0u64; 2];
        rows.truth(register, &mut bits);
        assert_eq!(bits, [1 << 3 | 1 << 63, 1 << 35]);
        assert_eq!((rows.get(register, 99), rows.get(register, 98)), (7, 0));
    }
}

/// Runs a function of one f32 on inputs and compares with the scalar function.
fn compare_function(op: Op, denormals: Denormals, inputs: impl Iterator<Item = u32>, isa: Isa, machine: Machine) {
    const LANES: usize = 4096;
    let rules = Rules { denormals, ..Rules::default() };
    let pure = Pure { op, attrs: Attrs::rules(rules), t: Width::W32, u: Width::W32 };
    let kernel = kernel_of(op, &rules, Width::W32, Width::W32).expect("a row form");
    let mut rows = Rows::new(&[], 2, LANES, isa, machine);
    let mut inputs = inputs.peekable();
    let (from, to) = (Operand::register(0), Operand::register(1));
    while inputs.peek().is_some() {
        rows.row_mut(from).iter_mut().for_each(|word| *word = inputs.next().unwrap_or(0));
        rows.apply(kernel, &Args { to, from: [from; 4] });
        for lane in 0..LANES {
            let (input, found) = (rows.get(from, lane), rows.get(to, lane));
            let expected = pure.evaluate_on(machine, &[input.into()])[0] as u32;
            assert_eq!(found, expected, "{op:?} {denormals:?} of {input:#x} on {isa:?}, {machine}: {found:#x} / {expected:#x}");
        }
    }
}

const FUNCTIONS: [Op; 7] = [Op::FExp2, Op::FExp, Op::FLog2, Op::FLog, Op::FSin, Op::FCos, Op::FRsqrt];

#[test]
fn functions_of_rows_are_correctly_rounded() {
    for op in FUNCTIONS {
        for isa in Isa::available() {
            for denormals in [Denormals::Keep, Denormals::Flush] {
                // A prime step through all inputs.
                compare_function(op, denormals, (0..1 << 15).map(|at: u32| at.wrapping_mul(131_071 * 7)), isa, Machine::Exact);
            }
        }
    }
}

/// The scalar functions here are the models, of which the H200's is held against the hashes of its results.
#[test]
fn functions_of_rows_are_those_of_the_machine() {
    for machine in Machine::ALL {
        for op in [Op::FRcp, Op::FSqrt, Op::UToF].into_iter().chain(FUNCTIONS) {
            for isa in Isa::available() {
                for denormals in [Denormals::Keep, Denormals::Flush] {
                    let inputs = (0..1 << 13).map(|at: u32| at.wrapping_mul(524_287 * 7)).chain(SPECIAL.iter().copied());
                    compare_function(op, denormals, inputs, isa, machine);
                }
            }
        }
    }
}

#[test]
fn quotients_of_rows_are_those_of_the_machine() {
    let (x, y, to) = (Operand::register(0), Operand::register(1), Operand::register(2));
    let lanes = SPECIAL.len() * SPECIAL.len();
    for machine in Machine::ALL {
        for (isa, denormals) in Isa::available().into_iter().flat_map(|isa| [(isa, Denormals::Keep), (isa, Denormals::Flush)]) {
            let rules = Rules { denormals, ..Rules::default() };
            let kernel = kernel_of(Op::FDiv, &rules, Width::W32, Width::W32).expect("a row form");
            let mut rows = Rows::new(&[], 3, lanes, isa, machine);
            for lane in 0..lanes {
                rows.set(x, lane, SPECIAL[lane / SPECIAL.len()]);
                rows.set(y, lane, SPECIAL[lane % SPECIAL.len()]);
            }
            rows.apply(kernel, &Args { to, from: [x, y, x, x] });
            let pure = Pure { op: Op::FDiv, attrs: Attrs::rules(rules), t: Width::W32, u: Width::W32 };
            for lane in 0..lanes {
                let operands = [rows.get(x, lane).into(), rows.get(y, lane).into()];
                let expected = pure.evaluate_on(machine, &operands)[0] as u32;
                assert_eq!(rows.get(to, lane), expected, "{operands:x?} {denormals:?} on {isa:?}, {machine}");
            }
        }
    }
}

/// All 2^32 inputs of each function on the widest instruction set, against `gpuproof-number`, which is held against CORE-MATH. About two minutes
/// a function: `cargo test --release -p gpuproof-run --lib every_input -- --ignored`.
#[test]
#[ignore = "about two minutes a function; a sample of the inputs is an ordinary test"]
fn functions_of_rows_are_correctly_rounded_on_every_input() {
    let wanted = std::env::var("FUNCTION").ok();
    for op in FUNCTIONS {
        if wanted.as_ref().is_none_or(|wanted| *wanted == op.row().name) {
            compare_function(op, Denormals::Keep, 0..=u32::MAX, Isa::best(), Machine::Exact);
        }
    }
}
