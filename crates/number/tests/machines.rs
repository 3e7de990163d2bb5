//! The models that know ranges: what was observed lies inside, what was not seen lies outside.

use gpuproof_number::Denormals::{Flush, Keep};
use gpuproof_number::machine::{Extent, Function, Knowledge, Machine};

fn range(machine: Machine, function: Function, x: f32) -> (f32, f32) {
    match machine.knows(function, x.to_bits(), Keep) {
        Knowledge::Range { low, high } => (f32::from_bits(low), f32::from_bits(high)),
        other => panic!("{function:?} of {x} on {machine}: {other:?}"),
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    for machine in Machine::ALL {
        assert_eq!(machine.name().parse(), Ok(machine));
    }
    let error = "h200".parse::<Machine>().unwrap_err().to_string();
    assert_eq!(error, "no machine is called \"h200\": there are exact, nvidia-sm90, lavapipe, warp");
}

/// The argument and result are a program's on WARP under Direct3D 12: 149,504 ulp from the correctly rounded sine.
#[test]
fn a_sine_of_warp_is_in_its_range() {
    let (low, high) = range(Machine::Warp, Function::Sin, -0.000_161_17);
    assert!((low..=high).contains(&-0.000_163_346_53));
    // 8.7e-5 is the largest distance seen: 1e-4 is outside, on either side.
    assert!(-0.000_161_17 + 1e-4 > high && -0.000_161_17 - 1e-4 < low);
    let (low, high) = range(Machine::Warp, Function::Cos, 314.0);
    assert!((high - low - 2.0 * 8.7e-5).abs() < 1e-6);
    // sin(-33,728) was 2.37e-3 off: beyond 100 pi nothing is claimed.
    assert_eq!(Machine::Warp.knows(Function::Sin, (-33_728f32).to_bits(), Flush), Knowledge::Nothing);
    assert_eq!(Machine::Warp.knows(Function::Sin, 314.16f32.to_bits(), Flush), Knowledge::Nothing);
}

#[test]
fn an_unsigned_integer_becomes_either_neighbour_on_warp() {
    let knows = |x| Machine::Warp.knows(Function::FromUnsigned, x, Keep);
    assert_eq!(knows(0x00ff_ffff), Knowledge::Bits(0x4b7f_ffff));
    assert_eq!(knows(0x0100_0001), Knowledge::Range { low: 0x4b80_0000, high: 0x4b80_0001 });
    assert_eq!(knows(0x0100_0002), Knowledge::Bits(0x4b80_0001));
    assert_eq!(knows(u32::MAX), Knowledge::Range { low: 0x4f7f_ffff, high: 0x4f80_0000 });
    // A run goes on with nearest even.
    assert_eq!(Machine::Warp.result(Function::FromUnsigned, 0x0100_0001, Keep), 0x4b80_0000);
}

#[test]
fn lavapipe_is_known_where_it_was_measured() {
    let knows = |function, x: f32| Machine::Lavapipe.knows(function, x.to_bits(), Keep);
    assert_eq!(knows(Function::Rcp, 3.0), Knowledge::Bits((1.0f32 / 3.0).to_bits()));
    assert_eq!(knows(Function::Sqrt, 2.0), Knowledge::Bits(2f32.sqrt().to_bits()));
    // 2^0 = 1: three floats up, and three down.
    assert_eq!(range(Machine::Lavapipe, Function::Exp2, 0.0), (1.0 - 3.0 / 16_777_216.0, 1.0 + 3.0 / 8_388_608.0));
    assert_eq!(knows(Function::Exp2, -130.0), Knowledge::Nothing);
    // sin(0) = 0: three of the least subnormal around zero.
    assert_eq!(knows(Function::Sin, 0.0), Knowledge::Range { low: 0x8000_0003, high: 3 });
    assert_eq!(knows(Function::Cos, 6.5), Knowledge::Nothing);
    let (low, high) = range(Machine::Lavapipe, Function::Log2, 1.0);
    let bound = f64::exp2(-22.3);
    assert!(f64::from(high) >= bound && f64::from(high) < bound * 1.000_001 && low == -high);
    assert_eq!(knows(Function::Log2, 2.5), Knowledge::Nothing);
    assert_eq!(knows(Function::Rsqrt, 2.5), Knowledge::Nothing);
}

/// What a model says in general is what it says of operands: bits everywhere, a range somewhere, nothing anywhere.
#[test]
fn the_extent_of_a_function_is_that_of_its_operands() {
    for machine in Machine::ALL {
        for function in Function::ALL {
            let known: Vec<Knowledge> =
                (0..4096u32).map(|x| machine.knows(function, x.wrapping_mul(0x0010_0401) ^ 0x3f80_0000, Keep)).collect();
            let bits = known.iter().filter(|knowledge| matches!(knowledge, Knowledge::Bits(_))).count();
            let ranges = known.iter().filter(|knowledge| matches!(knowledge, Knowledge::Range { .. })).count();
            match machine.extent(function) {
                Extent::Bits => assert_eq!(bits, 4096, "{function:?} on {machine}"),
                Extent::Range => assert!(ranges > 0, "{function:?} on {machine}"),
                Extent::Nothing => assert_eq!(bits + ranges, 0, "{function:?} on {machine}"),
            }
        }
    }
}
