//! Values that a plan computes once: what is the same on all lanes, and what a loop does not change. The same program with its constants in a buffer that it
//! also writes has nothing to compute once, and must give the same bits.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

/// A kit whose resource 1 holds constants: a constant buffer, or a buffer that the program writes at its end.
fn kit(threads: u32, is_written: bool) -> Kit {
    let mut k = Kit::new(threads);
    let shape = if is_written { Shape::Buffer { bytes: 0 } } else { Shape::ConstantBuffer { bytes: 64 } };
    let access = if is_written { Access::ReadWrite } else { Access::Read };
    k.interface.resources.push(resource("constants", shape, access));
    k
}

fn load(k: &mut Kit, width: Width, offset: u32) -> Value {
    let (zero, offset) = (k.word(0), k.word(offset));
    k.b.value_of(width, Op::BufferLoad, Attrs::target(Target::Resource(ResourceId(1))), &[zero, offset])
}

/// Ends a program; one with a written buffer of constants stores there out of range, which does nothing.
fn end(mut k: Kit, is_written: bool) -> Program {
    if is_written {
        let (zero, far) = (k.word(0), k.word(1 << 20));
        k.b.effect(Op::BufferStore, Attrs::target(Target::Resource(ResourceId(1))), &[zero, far, zero]);
    }
    k.program()
}

fn with_constants(program: &Program, count: usize, constants: Binding) -> Case {
    let mut case = case(program, 1, count);
    case.resources[1] = vec![constants];
    case
}

/// Each value seen: its number, iterations, lane and bits.
#[derive(Default)]
struct Seen(Vec<(Value, Vec<u32>, u32, u64)>);

impl Observer for Seen {
    fn wants(&self, _: FunctionId, _: Value) -> bool {
        true
    }
    fn value(&mut self, observed: &Observed<'_>) {
        for lane in 0..64 {
            if observed.active.get(lane / 64).is_some_and(|word| word >> (lane % 64) & 1 != 0) {
                let bits = match observed.bits {
                    RowBits::Words(words) => u64::from(words[lane]),
                    RowBits::Doubles(low, high) => u64::from(low[lane]) | u64::from(high[lane]) << 32,
                };
                self.0.push((observed.value, observed.iterations.to_vec(), observed.first_lane + lane as u32, bits));
            }
        }
    }
}

/// id rounds of: n += constant[1] * 2 where n is odd, and n += id * 3 elsewhere.
fn rounds(is_written: bool) -> Program {
    let mut k = kit(5, is_written);
    let id = k.id();
    let (i, n) = (k.b.local(Width::W32), k.b.local(Width::W32));
    let (zero, one, three) = (k.word(0), k.word(1), k.word(3));
    k.b.set(i, zero);
    k.b.set(n, zero);
    let out = k.b.begin_block();
    k.b.begin_loop();
    let now = k.b.get(i);
    let done = k.op(Op::IEq, &[now, id]);
    k.b.begin_if(done);
    k.b.br(out);
    k.b.end_if();
    let sum = k.b.get(n);
    let bit = k.op(Op::IAnd, &[sum, one]);
    let is_odd = k.op(Op::IEq, &[bit, one]);
    k.b.begin_if(is_odd);
    let constant = load(&mut k, Width::W32, 4);
    let double = k.op(Op::IAdd, &[constant, constant]);
    let more = k.op(Op::IAdd, &[sum, double]);
    k.b.set(n, more);
    k.b.begin_else();
    let product = k.op(Op::IMul, &[id, three]);
    let more = k.op(Op::IAdd, &[sum, product]);
    k.b.set(n, more);
    k.b.end();
    let next = k.op(Op::IAdd, &[now, one]);
    k.b.set(i, next);
    k.b.end();
    k.b.end();
    let sum = k.b.get(n);
    k.put(id, 1, 0, sum);
    end(k, is_written)
}

/// The program's values of the load, the double and the product.
fn values_of_rounds(program: &Program) -> [Value; 3] {
    let mut found: [Option<Value>; 3] = [None; 3];
    walk(&program.functions[0].body, &mut |node| {
        let Node::Op(instruction) = node else { return };
        let slot = match instruction.op {
            Op::BufferLoad => 0,
            Op::IAdd if instruction.args[0] == instruction.args[1] => 1,
            Op::IMul => 2,
            _ => return,
        };
        found[slot].get_or_insert(instruction.results[0]);
    });
    found.map(|value| value.expect("the program has it"))
}

fn expected_rounds(id: u32, constant: u32) -> u32 {
    (0..id).fold(0, |n: u32, _| n + if n % 2 == 1 { 2 * constant } else { 3 * id })
}

/// Expected by the same loop in Rust.
#[test]
fn constants_of_loops_and_branches_give_what_they_would_there() {
    for is_written in [false, true] {
        let program = rounds(is_written);
        let outcome = run(&program, &with_constants(&program, 5, buffer(&[0, 7])));
        let expected: Vec<u32> = (0..5).map(|id| expected_rounds(id, 7)).collect();
        assert_eq!(words(&outcome.resources[0][0]), expected);
        assert_eq!(outcome.events, []);
    }
}

/// Loads from what is not bound, or past its end, give 0 (the bounds of the operation).
#[test]
fn constants_that_are_not_there_are_zero() {
    let program = rounds(false);
    let expected: Vec<u32> = (0..5).map(|id| expected_rounds(id, 0)).collect();
    for constants in [Binding::Unbound, buffer(&[7]), buffer(&[])] {
        let outcome = run(&program, &with_constants(&program, 5, constants));
        assert_eq!(words(&outcome.resources[0][0]), expected);
    }
}

/// An observer sees such values where the program has them: on the lanes and in the iterations that come there, which the other program shows.
#[test]
fn observers_see_them_at_their_places() {
    let [once, each] = [false, true].map(|is_written| {
        let program = rounds(is_written);
        let mut seen = Seen::default();
        let case = with_constants(&program, 5, buffer(&[0, 7]));
        let outcome = Plan::compile(&program).unwrap().run_observed(&case, &Options::default(), &mut seen).unwrap();
        assert_eq!(outcome.resources[0], run(&program, &case).resources[0]);
        let [constant, double, product] = values_of_rounds(&program);
        for (value, iterations, lane, bits) in &seen.0 {
            if [constant, double, product].contains(value) {
                // The loop is the one around, and lane l runs it l times.
                assert!(iterations.len() == 1 && iterations[0] < *lane);
                assert_eq!(
                    *bits,
                    if *value == constant {
                        7
                    } else if *value == double {
                        14
                    } else {
                        u64::from(3 * lane)
                    }
                );
            }
        }
        // Lane 1 adds 3 in iteration 0; lane 3 adds 9, then the constant.
        assert!(seen.0.contains(&(product, vec![0], 1, 3)) && seen.0.contains(&(double, vec![1], 3, 14)));
        assert!(!seen.0.iter().any(|(value, _, lane, _)| *value == double && *lane == 1));
        (seen.0, outcome.steps)
    });
    // The programs number their values each in its own way.
    let shown = |seen: &[(Value, Vec<u32>, u32, u64)]| {
        seen.iter().map(|(_, iterations, lane, bits)| (iterations.clone(), *lane, *bits)).collect::<Vec<_>>()
    };
    assert_eq!(shown(&once.0), shown(&each.0));
    // The first value is the lane's number.
    assert_eq!(shown(&once.0)[..5], [0u32, 1, 2, 3, 4].map(|lane| (vec![], lane, u64::from(lane))));
    // What is computed once for a run is no step, and what is computed before a loop is one there.
    assert!(once.1 < each.1);
}

/// What a step counts: on 4 lanes the input, the store's two steps for its address and itself, and in each of 3 rounds the comparison, the decision, the
/// addition of the constant, that of the counter and the way back; in the last round the first two. The constant's load, its product with itself
/// and that product's conversion are none.
#[test]
fn uniform_values_are_no_steps() {
    let mut k = kit(4, false);
    let id = k.id();
    let (i, n) = (k.b.local(Width::W32), k.b.local(Width::W32));
    let (zero, one, three) = (k.word(0), k.word(1), k.word(3));
    k.b.set(i, zero);
    k.b.set(n, zero);
    let out = k.b.begin_block();
    k.b.begin_loop();
    let now = k.b.get(i);
    let done = k.op(Op::IEq, &[now, three]);
    k.b.begin_if(done);
    k.b.br(out);
    k.b.end_if();
    let constant = load(&mut k, Width::W32, 0);
    let square = k.op(Op::FMul, &[constant, constant]);
    let square = k.b.value_of(Width::W32, Op::FToU, Attrs::default(), &[square]);
    let sum = k.b.get(n);
    let more = k.op(Op::IAdd, &[sum, square]);
    k.b.set(n, more);
    let next = k.op(Op::IAdd, &[now, one]);
    k.b.set(i, next);
    k.b.end();
    k.b.end();
    let sum = k.b.get(n);
    k.put(id, 1, 0, sum);
    let program = end(k, false);
    let outcome = run(&program, &with_constants(&program, 4, buffer(&[2.5f32.to_bits()])));
    // 2.5 * 2.5 = 6.25, three times as 6.
    assert_eq!(words(&outcome.resources[0][0]), [18; 4]);
    assert_eq!(outcome.steps, 4 * (1 + 3 + 3 * 5 + 2));
}

/// Arithmetic that flushes, on constants and on what the lane has, against the program that computes all on every lane: subnormals of both signs, zeros, NaNs,
/// infinities.
#[test]
fn flushing_arithmetic_on_constants_has_the_same_bits() {
    const BITS: [u32; 12] = [
        0,
        0x8000_0000,
        1,
        0x807f_ffff,
        0x0080_0000,
        0x3f80_0000,
        0xbf80_0001,
        0x7f7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_1234,
        0xff80_0001,
    ];
    let rules = Attrs::rules(Rules { denormals: Denormals::Flush, ..Rules::default() });
    let operations = [
        Op::FAdd,
        Op::FSub,
        Op::FMul,
        Op::FDiv,
        Op::FMad,
        Op::FMin,
        Op::FMax,
        Op::FDot2,
        Op::FSqrt,
        Op::FRcp,
        Op::FFract,
        Op::FEq,
    ];
    let [once, each] = [false, true].map(|is_written| {
        let mut k = kit(12, is_written);
        let id = k.id();
        // The lane's own number, through a product that flushes, so that it is known to have no subnormals.
        let own = k.b.value_of(Width::W32, Op::UToF, Attrs::default(), &[id]);
        let constants: Vec<Value> = (0..12).map(|at| load(&mut k, Width::W32, 4 * at)).collect();
        let own = k.b.value(Op::FMul, rules, &[own, constants[5]]);
        let mut at = 0;
        for op in operations {
            let operands = op.row().operands.len();
            for first in 0..12 {
                for own_at in 0..=operands {
                    let mut args: Vec<Value> = (0..operands).map(|arg| constants[(first + 5 * arg) % 12]).collect();
                    if let Some(arg) = args.get_mut(own_at) {
                        *arg = own;
                    }
                    let mut value = k.b.value(op, rules, &args);
                    if op == Op::FEq {
                        value = k.b.value_of(Width::W32, Op::UExtend, Attrs::default(), &[value]);
                    }
                    k.put(id, 512, at, value);
                    at += 1;
                }
            }
        }
        assert!(at < 512);
        let program = end(k, is_written);
        let outcome = run(&program, &with_constants(&program, 12 * 512, buffer(&BITS)));
        words(&outcome.resources[0][0])
    });
    assert_eq!(once, each);
    // The first is the lane's number and the constant 1.0, added.
    assert!((0..12u8).all(|lane| once[512 * usize::from(lane)] == (f32::from(lane) + 1.0).to_bits()));
}

/// 1.5 + 2.25 in double precision, a comparison that decides, and a shift of 64 bits, all of constants; worked out by hand.
#[test]
fn uniform_values_have_every_width() {
    for is_written in [false, true] {
        let mut k = kit(2, is_written);
        let id = k.id();
        let (a, b) = (load(&mut k, Width::W64, 0), load(&mut k, Width::W64, 8));
        let sum = k.op(Op::FAdd, &[a, b]);
        let is_less = k.op(Op::FLt, &[a, b]);
        let half = k.word(32);
        let high = k.op(Op::UShr, &[sum, half]);
        let high = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[high]);
        k.put(id, 3, 0, high);
        let picked = k.op(Op::Select, &[is_less, b, a]);
        let picked = k.op(Op::UShr, &[picked, half]);
        let picked = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[picked]);
        k.put(id, 3, 1, picked);
        k.b.begin_if(is_less);
        let one = k.word(1);
        k.put(id, 3, 2, one);
        k.b.end_if();
        let program = end(k, is_written);
        let constants = [1.5f64, 2.25].map(f64::to_bits).map(|bits| [bits as u32, (bits >> 32) as u32]).concat();
        let outcome = run(&program, &with_constants(&program, 6, buffer(&constants)));
        let [three, two] = [3.75f64, 2.25].map(|x| (x.to_bits() >> 32) as u32);
        assert_eq!(words(&outcome.resources[0][0]), [three, two, 1, three, two, 1]);
    }
}

/// An offset that leaves its structure is undefined each time that a lane loads there, and not where none does.
#[test]
fn loads_that_are_events_stay_where_they_are() {
    let mut k = Kit::new(4);
    k.interface.resources.push(resource("structures", Shape::Structured { stride: 8 }, Access::Read));
    let id = k.id();
    let (zero, two, eight) = (k.word(0), k.word(2), k.word(8));
    let is_low = k.op(Op::ULt, &[id, two]);
    k.b.begin_if(is_low);
    let attrs = Attrs::target(Target::Resource(ResourceId(1)));
    let past = k.b.value_of(Width::W32, Op::StructuredLoad, attrs, &[zero, zero, eight]);
    k.put(id, 1, 0, past);
    k.b.begin_else();
    let four = k.word(4);
    let inside = k.b.value_of(Width::W32, Op::StructuredLoad, attrs, &[zero, zero, four]);
    k.put(id, 1, 0, inside);
    k.b.end();
    let program = k.program();
    let outcome = run(&program, &with_constants(&program, 4, buffer(&[5, 6])));
    assert_eq!(words(&outcome.resources[0][0]), [0, 0, 6, 6]);
    let lanes: Vec<(EventKind, u32)> = outcome.events.iter().map(|event| (event.kind, event.lane)).collect();
    assert_eq!(lanes, [(EventKind::LoadOutOfRange, 0), (EventKind::LoadOutOfRange, 1)]);
}

/// Exchanges through group-shared memory, several groups at a time, with addresses that some rounds make odd or take out of range: without looking for races, where
/// rows go at once when they can, as with it, where each lane goes alone; and by the same calculation in Rust.
#[test]
fn group_shared_memory_goes_a_row_at_a_time_as_lane_by_lane() {
    for (threads, zeroed) in [(64, false), (64, true), (20, false), (300, true)] {
        let mut k = Kit::new(threads);
        k.interface.inputs.push(variable("lane", Width::W32, Some(Builtin::LocalInvocationIndex)));
        k.shared.push(SharedMemory { name: "tile".into(), bytes: 4 * threads, stride: 4, zeroed });
        let id = k.id();
        let lane = k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(1), 0)), &[]);
        let shared = Attrs::target(Target::Shared(SharedId(0)));
        let barrier = Attrs::default().with_detail(Detail::Barrier(Barrier { group: true, shared: true, resources: None }));
        let (one, four, count, far) = (k.word(1), k.word(4), k.word(threads), k.word(1000));
        let own = k.op(Op::IMul, &[lane, four]);
        let mut value = id;
        for round in 0..4 {
            k.b.effect(Op::SharedStore, shared, &[own, value]);
            k.b.effect(Op::Barrier, barrier, &[]);
            let next = k.op(Op::IAdd, &[lane, one]);
            let next = k.op(Op::URem, &[next, count]);
            let mut from = k.op(Op::IMul, &[next, four]);
            if round == 2 {
                // Past the end: 0.
                from = k.op(Op::IMul, &[from, far]);
            }
            let other = k.b.value_of(Width::W32, Op::SharedLoad, shared, &[from]);
            let three = k.word(3);
            let tripled = k.op(Op::IMul, &[value, three]);
            value = k.op(Op::IAdd, &[tripled, other]);
            k.b.effect(Op::Barrier, barrier, &[]);
        }
        k.put(id, 1, 0, value);
        let program = k.program();
        let lanes = 3 * threads;
        let case = case(&program, 3, lanes as usize);
        let plan = Plan::compile(&program).unwrap();
        let [with, without] = [true, false].map(|races| plan.run(&case, &Options { races, ..Options::default() }).unwrap());
        assert_eq!(with, without);
        let mut values: Vec<u32> = (0..lanes).collect();
        for round in 0..4 {
            let other = |lane: u32| {
                let next = (lane % threads + 1) % threads;
                if round == 2 && next != 0 { 0 } else { values[(lane / threads * threads + next) as usize] }
            };
            values = (0..lanes).map(|lane| values[lane as usize].wrapping_mul(3).wrapping_add(other(lane))).collect();
        }
        assert_eq!(words(&without.resources[0][0]), values);
        assert_eq!(without.events, []);
    }
}

/// Puts other bits in for a value, the same in all rounds and on all lanes.
struct Instead(Value, u64);

impl Observer for Instead {
    fn wants(&self, _: FunctionId, value: Value) -> bool {
        value == self.0
    }
    fn value(&mut self, observed: &Observed<'_>) {
        // What is shown is what was put in.
        let RowBits::Words(words) = observed.bits else { panic!("a word") };
        for (lane, word) in words.iter().enumerate() {
            let is_active = observed.active.get(lane / 64).is_some_and(|mask| mask >> (lane % 64) & 1 != 0);
            assert!(!is_active || u64::from(*word) == self.1, "lane {lane} has {word}");
        }
    }
    fn replaces(&self, _: FunctionId, value: Value) -> bool {
        value == self.0
    }
    fn replace(&mut self, _: &Observed<'_>, bits: &mut [u64]) -> bool {
        bits.fill(self.1);
        true
    }
}

/// Expected by the same loop in Rust, with another constant, another double, another product. The load and the double are the same on all lanes, the
/// product in all rounds: an ordinary plan computes each once.
#[test]
fn what_is_put_in_is_used_in_every_round() {
    let program = rounds(false);
    let plan = Plan::compile_for_substitution(&program).unwrap();
    let case = with_constants(&program, 5, buffer(&[0, 7]));
    let [load, double, product] = values_of_rounds(&program);
    let sum =
        |id: u32, double: u32, product: u32| (0..id).fold(0u32, |n, _| n.wrapping_add(if n % 2 == 1 { double } else { product }));
    for (value, instead) in [(load, 100), (double, 31), (product, 9)] {
        let outcome = plan.run_observed(&case, &Options::default(), &mut Instead(value, instead)).unwrap();
        let other = instead as u32;
        let expected: Vec<u32> = (0..5)
            .map(|id| match value {
                _ if value == load => sum(id, 2 * other, 3 * id),
                _ if value == double => sum(id, other, 3 * id),
                _ => sum(id, 14, other),
            })
            .collect();
        assert_eq!(words(&outcome.resources[0][0])[..5], expected, "{value}");
    }
}
