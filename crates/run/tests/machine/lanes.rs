//! Waves, barriers in divergent flow, and groups side by side.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

fn reduction(op: ReductionOp, mode: ReductionMode, kind: Kind) -> Attrs {
    Attrs::default().with_detail(Detail::Reduction(Reduction { op, mode, kind }))
}

/// `for (;;) { k = first(key); if (key == k) { s = sum(v); break; } }`: the sum over the lanes of each lane's own iteration.
#[test]
fn wave_operations_see_the_lanes_of_their_iteration() {
    for threads in [64, 40] {
        let mut k = Kit::new(threads);
        let id = k.id();
        let [five, three] = [5, 3].map(|word| k.word(word));
        let key = k.b.value(Op::URem, Attrs::default(), &[id, five]);
        let key = k.op(Op::IMul, &[key, three]);
        let sum = k.b.local(Width::W32);
        let rounds = k.b.local(Width::W32);
        let (zero, one) = (k.word(0), k.word(1));
        k.b.set(rounds, zero);
        let end = k.b.begin_block();
        k.b.begin_loop();
        let first = k.op(Op::WaveReadFirst, &[key]);
        let mine = k.op(Op::IEq, &[key, first]);
        k.b.begin_if(mine);
        let total = k.b.value(Op::WaveReduce, reduction(ReductionOp::Add, ReductionMode::All, Kind::Uint), &[id]);
        k.b.set(sum, total);
        k.b.br(end);
        k.b.end_if();
        let n = k.b.get(rounds);
        let n = k.op(Op::IAdd, &[n, one]);
        k.b.set(rounds, n);
        k.b.end();
        k.b.end();
        let total = k.b.get(sum);
        k.put(id, 2, 0, total);
        let n = k.b.get(rounds);
        k.put(id, 2, 1, n);
        let program = k.program();
        let lanes = 3 * threads;
        let mut case = case(&program, 3, 2 * lanes as usize);
        case.wave_size = 16;
        let found = words(&run(&program, &case).resources[0][0]);
        for id in 0..lanes {
            // Waves do not cross groups.
            let (group, thread) = (id / threads, id % threads);
            let wave = (thread / 16 * 16..(thread / 16 * 16 + 16).min(threads)).map(|thread| group * threads + thread);
            let expected: u32 = wave.clone().filter(|other| other % 5 == id % 5).sum();
            // Keys come in the order of the lowest lane that still has one.
            let mut keys = Vec::new();
            wave.for_each(|other| {
                if !keys.contains(&(other % 5)) {
                    keys.push(other % 5)
                }
            });
            let round = keys.iter().position(|key| *key == id % 5).unwrap() as u32;
            assert_eq!(found[2 * id as usize..][..2], [expected, round], "lane {id} of {threads}");
        }
    }
}

/// Ballots, elections, votes, scans and reads of other lanes where every third lane is inactive.
#[test]
fn wave_operations_leave_inactive_lanes_out() {
    let mut k = Kit::new(8);
    let id = k.id();
    let [zero, one, three, four] = [0, 1, 3, 4].map(|word| k.word(word));
    let third = k.b.value(Op::URem, Attrs::default(), &[id, three]);
    let active = k.op(Op::INe, &[third, zero]);
    k.b.begin_if(active);
    let even = k.op(Op::IAnd, &[id, one]);
    let even = k.op(Op::IEq, &[even, zero]);
    let ballot = k.b.emit(Op::WaveBallot, Attrs::default(), &[even], &[Width::W32; 4]);
    let small = k.op(Op::ULt, &[id, four]);
    let all = k.op(Op::WaveAll, &[active]);
    let any = k.op(Op::WaveAny, &[small]);
    let elected = k.b.emit(Op::WaveElect, Attrs::default(), &[], &[Width::W1])[0];
    let before = k.b.value(Op::WaveReduce, reduction(ReductionOp::Add, ReductionMode::Exclusive, Kind::Uint), &[id]);
    let up_to = k.b.value(Op::WaveReduce, reduction(ReductionOp::Mul, ReductionMode::Inclusive, Kind::Uint), &[id]);
    let next = k.op(Op::IAdd, &[id, one]);
    let read = k.op(Op::WaveReadLane, &[id, next]);
    k.put(id, 8, 0, ballot[0]);
    for (at, bit) in [all, any, elected].into_iter().enumerate() {
        let word = k.b.value_of(Width::W32, Op::UExtend, Attrs::default(), &[bit]);
        k.put(id, 8, 1 + at as u32, word);
    }
    k.put(id, 8, 4, before);
    k.put(id, 8, 5, up_to);
    k.put(id, 8, 6, read);
    k.put(id, 8, 7, ballot[1]);
    k.b.end_if();
    let program = k.program();
    let mut case = case(&program, 1, 64);
    case.wave_size = 8;
    let outcome = run(&program, &case);
    let found = words(&outcome.resources[0][0]);
    // Active: 1 2 4 5 7. Even ones: 2 and 4.
    let expected = [
        (1, [0b10100, 1, 1, 1, 0, 1, 2, 0]),
        (2, [0b10100, 1, 1, 0, 1, 2, 0, 0]),
        (4, [0b10100, 1, 1, 0, 3, 8, 5, 0]),
        (5, [0b10100, 1, 1, 0, 7, 40, 0, 0]),
        (7, [0b10100, 1, 1, 0, 12, 280, 0, 0]),
    ];
    for (lane, row) in expected {
        assert_eq!(found[8 * lane..][..8], row, "lane {lane}");
    }
    assert!([0, 3, 6].iter().all(|lane| found[8 * lane..][..8] == [u32::MAX; 8]));
    // Lane 2 reads 3, lane 5 reads 6, lane 7 reads 8: none is active.
    let events: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane)).collect();
    assert_eq!(events, [2, 5, 7].map(|lane| (EventKind::InactiveLane, lane)));
}

/// Float and signed minima, and what the first lane of an exclusive scan gets.
#[test]
fn reductions_read_bits_as_their_kind_says() {
    let table = [
        (ReductionOp::Min, Kind::Float, [1.5f32, -2.0, 0.5, 3.0].map(f32::to_bits), (-2f32).to_bits(), f32::INFINITY.to_bits()),
        (ReductionOp::Max, Kind::Float, [1.5f32, -2.0, 0.5, 3.0].map(f32::to_bits), 3f32.to_bits(), f32::NEG_INFINITY.to_bits()),
        (ReductionOp::Add, Kind::Float, [1e8f32, 1.0, -1e8, 1.0].map(f32::to_bits), 1f32.to_bits(), 0),
        (ReductionOp::Min, Kind::Sint, [1, u32::MAX, 5, 0], u32::MAX, 0x7fff_ffff),
        (ReductionOp::Min, Kind::Uint, [1, u32::MAX, 5, 0], 0, u32::MAX),
        (ReductionOp::Max, Kind::Sint, [1, u32::MAX, 5, 0], 5, 0x8000_0000),
        (ReductionOp::Xor, Kind::Uint, [1, 2, 4, 8], 15, 0),
        (ReductionOp::And, Kind::Uint, [7, 6, 15, 14], 6, u32::MAX),
    ];
    for (op, kind, values, all, identity) in table {
        let mut k = Kit::new(4);
        let id = k.id();
        let mut value = k.word(values[3]);
        for (at, bits) in values[..3].iter().enumerate() {
            let (at, bits) = (k.word(at as u32), k.word(*bits));
            let here = k.op(Op::IEq, &[id, at]);
            value = k.op(Op::Select, &[here, bits, value]);
        }
        let total = k.b.value(Op::WaveReduce, reduction(op, ReductionMode::All, kind), &[value]);
        let before = k.b.value(Op::WaveReduce, reduction(op, ReductionMode::Exclusive, kind), &[value]);
        k.put(id, 2, 0, total);
        k.put(id, 2, 1, before);
        let found = results(&k.program(), 1, 8);
        // 1e8 + 1 rounds to 1e8, so the serial sum is 1.
        assert_eq!([found[0], found[2], found[4], found[6]], [all; 4], "{op:?} {kind:?}");
        assert_eq!((found[1], found[3]), (identity, values[0]), "{op:?} {kind:?}");
    }
}

/// A barrier that half of the group does not reach is an event.
#[test]
fn a_barrier_in_divergent_flow_is_an_event() {
    let mut k = Kit::new(8);
    let id = k.id();
    let four = k.word(4);
    let low = k.op(Op::ULt, &[id, four]);
    k.b.begin_if(low);
    let detail = Detail::Barrier(Barrier { group: true, shared: true, resources: None });
    k.b.effect(Op::Barrier, Attrs::default().with_detail(detail), &[]);
    k.b.end_if();
    k.put(id, 1, 0, id);
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 8));
    assert_eq!(kinds(&outcome), [EventKind::DivergentBarrier]);
    assert_eq!(outcome.events[0].facts, Facts::Missing { lanes: vec![4, 5, 6, 7], count: 4, here: 4 });
}

/// What each lane computes does not depend on how groups share rows: sizes that divide a row, that do not, and that exceed it.
#[test]
fn groups_of_every_size_compute_the_same() {
    for (threads, groups) in [(1, 700), (3, 200), (32, 20), (100, 9), (256, 3), (300, 3), (1024, 2)] {
        let mut k = Kit::new(threads);
        k.interface.inputs.push(variable("thread", Width::W32, Some(Builtin::LocalInvocationIndex)));
        k.interface.inputs.push(variable("group", Width::W32, Some(Builtin::WorkgroupId)));
        let id = k.id();
        let thread = k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(1), 0)), &[]);
        let group = k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(2), 0)), &[]);
        let value = k.b.local(Width::W32);
        let (seven, scale) = (k.word(7), k.word(1000));
        let low = k.op(Op::IAnd, &[id, seven]);
        let odd = k.op(Op::ULt, &[low, thread]);
        let sum = k.op(Op::IMul, &[group, scale]);
        k.b.set(value, sum);
        k.b.begin_if(odd);
        let sum = k.op(Op::IAdd, &[sum, thread]);
        k.b.set(value, sum);
        k.b.end_if();
        let v = k.b.get(value);
        k.put(id, 1, 0, v);
        let program = k.program();
        let lanes = threads * groups;
        let case = case(&program, groups, lanes as usize);
        let outcome = run(&program, &case);
        let expected: Vec<u32> =
            (0..lanes).map(|id| (id / threads * 1000) + if (id & 7) < id % threads { id % threads } else { 0 }).collect();
        assert_eq!(words(&outcome.resources[0][0]), expected, "{threads} threads");
        assert_eq!((outcome.lanes, outcome.event_count), (lanes, 0));
        for schedule in [Schedule::Reversed, Schedule::Permuted(5)] {
            let other = Plan::compile(&program).unwrap().run(&case, &Options { schedule, ..Options::default() }).unwrap();
            assert_eq!(other, outcome);
        }
    }
}

/// Three-dimensional groups: ids by hand.
#[test]
fn ids_go_x_first() {
    let mut k = Kit::new(1);
    k.group_size = [2, 3, 2];
    let builtins = [
        Builtin::LocalInvocationId,
        Builtin::WorkgroupId,
        Builtin::LocalInvocationIndex,
        Builtin::NumWorkgroups,
        Builtin::SubgroupId,
    ];
    k.interface.inputs.extend(builtins.map(|builtin| variable("id", Width::W32, Some(builtin))));
    let read = |k: &mut Kit, input: u32, component: u8| {
        k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(input), component)), &[])
    };
    // A unique row for each lane from its global id: x + 4 y + 24 z of a grid of 4 x 6 x 4.
    let [x, y, z] = [0, 1, 2].map(|axis| read(&mut k, 0, axis));
    let [four, many] = [4, 24].map(|word| k.word(word));
    let row = k.op(Op::IMul, &[y, four]);
    let row = k.op(Op::IAdd, &[row, x]);
    let deep = k.op(Op::IMul, &[z, many]);
    let row = k.op(Op::IAdd, &[row, deep]);
    let mut at = 0;
    for (input, axes) in [(1, 0..3u8), (2, 0..3), (3, 0..1), (4, 1..2), (5, 0..1)] {
        for axis in axes {
            let value = read(&mut k, input, axis);
            k.put(row, 9, at, value);
            at += 1;
        }
    }
    let program = k.program();
    let mut case = Case::empty_for(&program, Launch::Groups { count: [2, 2, 2] }).unwrap();
    case.wave_size = 4;
    case.resources[0] = vec![buffer(&[0; 96 * 9])];
    let found = words(&run(&program, &case).resources[0][0]);
    for (x, y, z) in (0..4u32).flat_map(|x| (0..6u32).flat_map(move |y| (0..4u32).map(move |z| (x, y, z)))) {
        let index = x % 2 + y % 3 * 2 + z % 2 * 6;
        let expected = [x % 2, y % 3, z % 2, x / 2, y / 3, z / 2, index, 2, index / 4];
        assert_eq!(found[(x + 4 * y + 24 * z) as usize * 9..][..9], expected, "{x} {y} {z}");
    }
}
