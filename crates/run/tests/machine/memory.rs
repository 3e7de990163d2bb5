//! Buffers, structures, group-shared memory, arrays, atomics, counters and races.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

fn on(id: u32) -> Attrs {
    Attrs::target(Target::Resource(ResourceId(id)))
}

fn bounded(attrs: Attrs, bounds: Bounds) -> Attrs {
    attrs.with_rules(Rules { bounds, ..Rules::default() })
}

/// Loads past the end by each rule (D3D11.3 22.4; WGSL robust access); the constant buffer ends in the middle of a vector.
#[test]
fn loads_out_of_range_go_by_their_rule() {
    for (bounds, expected, events) in [
        (Bounds::Defined, [1, 2, 3, 0, 0, 0, 0, 0], 0),
        (Bounds::Clamped, [1, 2, 3, 3, 3, 3, 3, 3], 5),
        (Bounds::Undefined, [1, 2, 3, 0, 0, 0, 0, 0], 5),
    ] {
        for shape in [Shape::ConstantBuffer { bytes: 12 }, Shape::Buffer { bytes: 0 }] {
            let mut k = Kit::new(8);
            k.interface.resources.push(resource("input", shape, Access::Read));
            let id = k.id();
            let (zero, four) = (k.word(0), k.word(4));
            let offset = k.op(Op::IMul, &[id, four]);
            let value = k.b.value_of(Width::W32, Op::BufferLoad, bounded(on(1), bounds), &[zero, offset]);
            k.put(id, 1, 0, value);
            let program = k.program();
            let mut case = case(&program, 1, 8);
            case.resources[1] = vec![buffer(&[1, 2, 3])];
            let outcome = run(&program, &case);
            assert_eq!(words(&outcome.resources[0][0]), expected, "{bounds:?}");
            assert_eq!(outcome.event_count, events);
            assert!(kinds(&outcome).iter().all(|kind| *kind == EventKind::LoadOutOfRange));
        }
    }
}

/// By hand: lane i stores to word 2 * i, so the words between have no writer, and of two lanes on one word the last one counts.
#[test]
fn the_last_writers_of_places_are_told_on_request() {
    let mut k = Kit::new(4);
    let id = k.id();
    let one = k.word(1);
    k.put(id, 2, 0, one);
    let half = k.op(Op::UShr, &[id, one]);
    k.put(half, 2, 8, id);
    let program = k.program();
    let case = case(&program, 1, 16);
    assert_eq!(run(&program, &case).writers, Vec::<Vec<Writers>>::new());
    let options = Options { writers: true, ..Options::default() };
    let outcome = Plan::compile(&program).expect("a plan").run(&case, &options).expect("an outcome");
    let writers = &outcome.writers[0][0];
    assert_eq!((writers.bytes, &writers.lanes[..12]), (4, &[1, 0, 2, 0, 3, 0, 4, 0, 2, 0, 4, 0][..]));
}

/// An unbound resource loads 0, has size 0 and drops stores.
#[test]
fn unbound_resources_are_empty() {
    let mut k = Kit::new(4);
    k.interface.resources.push(resource("input", Shape::Buffer { bytes: 0 }, Access::ReadWrite));
    let id = k.id();
    let zero = k.word(0);
    k.b.effect(Op::BufferStore, on(1), &[zero, zero, id]);
    let value = k.b.value_of(Width::W32, Op::BufferLoad, on(1), &[zero, zero]);
    let size = k.b.value(Op::BufferSize, on(1), &[zero]);
    k.put(id, 2, 0, value);
    k.put(id, 2, 1, size);
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 8));
    assert_eq!(words(&outcome.resources[0][0]), [0; 8]);
    assert_eq!(outcome.resources[1], [Binding::Unbound]);
    assert_eq!(outcome.event_count, 0);
}

/// Structures of 12 bytes: past the last structure is 0 and dropped; past the stride is undefined (facts of D3D11).
#[test]
fn structures_have_two_kinds_of_bounds() {
    let mut k = Kit::new(6);
    k.interface.resources.push(resource("items", Shape::Structured { stride: 12 }, Access::ReadWrite));
    let id = k.id();
    let (zero, four) = (k.word(0), k.word(4));
    // The offset is 4 * (id & 3): 12 leaves the structure.
    let three = k.word(3);
    let low = k.op(Op::IAnd, &[id, three]);
    let field = k.op(Op::IMul, &[low, four]);
    let old = k.b.value_of(Width::W32, Op::StructuredLoad, on(1), &[zero, id, field]);
    k.put(id, 2, 0, old);
    let count = k.b.value(Op::BufferSize, on(1), &[zero]);
    k.put(id, 2, 1, count);
    let hundred = k.word(100);
    let new = k.op(Op::IAdd, &[id, hundred]);
    k.b.effect(Op::StructuredStore, on(1), &[zero, id, field, new]);
    let program = k.program();
    let mut case = case(&program, 1, 12);
    let contents: Vec<u32> = (10..22).collect();
    // 4 structures and 4 bytes that are none.
    let with_rest: Vec<u32> = contents.iter().copied().chain([77]).collect();
    case.resources[1] = vec![buffer(&with_rest)];
    let outcome = run(&program, &case);
    // Lane 0: word 0; lane 1: word 3 + 1; lane 2: word 6 + 2; lane 3: leaves; lanes 4 and 5: no structure.
    assert_eq!(words(&outcome.resources[0][0]), [10, 4, 14, 4, 18, 4, 0, 4, 0, 4, 0, 4]);
    let mut expected = with_rest;
    (expected[0], expected[4], expected[8]) = (100, 101, 102);
    assert_eq!(words(&outcome.resources[1][0]), expected);
    let events: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane)).collect();
    assert_eq!(events, [(EventKind::LoadOutOfRange, 3), (EventKind::StoreOutOfRange, 3)]);
}

/// Widths of 8, 16 and 64 bits in memory, little endian.
#[test]
fn narrow_and_wide_accesses_are_little_endian() {
    let mut k = Kit::new(1);
    k.interface.resources.push(resource("input", Shape::Buffer { bytes: 0 }, Access::Read));
    let id = k.id();
    let zero = k.word(0);
    let at = |k: &mut Kit, width: Width, offset: u32| {
        let offset = k.word(offset);
        k.b.value_of(width, Op::BufferLoad, on(1), &[zero, offset])
    };
    let byte = at(&mut k, Width::W8, 1);
    let half = at(&mut k, Width::W16, 2);
    let wide = at(&mut k, Width::W64, 4);
    let byte = k.b.value_of(Width::W32, Op::SExtend, Attrs::default(), &[byte]);
    let half = k.b.value_of(Width::W32, Op::UExtend, Attrs::default(), &[half]);
    k.put(id, 4, 0, byte);
    k.put(id, 4, 1, half);
    let offset = k.word(8);
    k.b.effect(Op::BufferStore, on(0), &[zero, offset, wide]);
    let program = k.program();
    let mut case = case(&program, 1, 4);
    case.resources[1] = vec![buffer(&[0x8765_f321, 0x0123_4567, 0x89ab_cdef])];
    let outcome = run(&program, &case);
    assert_eq!(words(&outcome.resources[0][0]), [0xffff_fff3, 0x8765, 0x0123_4567, 0x89ab_cdef]);
}

/// Every atomic, three lanes on one word in order of lane: what each returned, and what is left, by hand.
#[test]
fn atomics_come_in_order_of_lane_and_return_the_old_value() {
    let m = u32::MAX;
    // Start 5; lanes bring 3, 10 and -2 (0xfffffffe); compare-exchange expects 5, 3, 3.
    let table = [
        (AtomicOp::Add, [5, 8, 18], 16),
        (AtomicOp::Sub, [5, 2, m - 7], m - 5),
        (AtomicOp::And, [5, 1, 0], 0),
        (AtomicOp::Or, [5, 7, 15], m),
        (AtomicOp::Xor, [5, 6, 12], 0xffff_fff2),
        (AtomicOp::SMin, [5, 3, 3], m - 1),
        (AtomicOp::SMax, [5, 5, 10], 10),
        (AtomicOp::UMin, [5, 3, 3], 3),
        (AtomicOp::UMax, [5, 5, 10], m - 1),
        (AtomicOp::Exchange, [5, 3, 10], m - 1),
        (AtomicOp::Store, [5, 3, 10], m - 1),
        (AtomicOp::CompareExchange, [5, 3, 10], 10),
        (AtomicOp::Load, [5, 5, 5], 5),
    ];
    for (op, returned, left) in table {
        for in_shared in [false, true] {
            let mut k = Kit::new(3);
            k.interface.resources.push(resource("word", Shape::Buffer { bytes: 4 }, Access::ReadWrite));
            k.shared.push(SharedMemory { name: "word".into(), bytes: 4, stride: 4, zeroed: true });
            let id = k.id();
            let [zero, one, three, ten, minus, five] = [0, 1, 3, 10, m - 1, 5].map(|word| k.word(word));
            let first = k.op(Op::IEq, &[id, zero]);
            let second = k.op(Op::IEq, &[id, one]);
            let value = k.op(Op::Select, &[second, ten, minus]);
            let value = k.op(Op::Select, &[first, three, value]);
            let comparand = k.op(Op::Select, &[first, five, three]);
            let detail = Detail::Atomic(op);
            let old = if in_shared {
                let shared = Attrs::target(Target::Shared(SharedId(0)));
                let start = shared.with_detail(Detail::Atomic(AtomicOp::Exchange));
                k.b.emit(Op::SharedAtomic, start, &[zero, five, zero], &[Width::W32]);
                let old = k.b.emit(Op::SharedAtomic, shared.with_detail(detail), &[zero, value, comparand], &[Width::W32])[0];
                let last = k.b.value_of(Width::W32, Op::SharedLoad, shared, &[zero]);
                k.b.effect(Op::BufferStore, on(1), &[zero, zero, last]);
                old
            } else {
                k.b.emit(Op::BufferAtomic, on(1).with_detail(detail), &[zero, zero, value, comparand], &[Width::W32])[0]
            };
            k.put(id, 1, 0, old);
            let program = k.program();
            let mut case = case(&program, 1, 3);
            case.resources[1] = vec![buffer(&[5])];
            let outcome = run(&program, &case);
            assert_eq!(words(&outcome.resources[0][0]), returned, "{op:?} shared: {in_shared}");
            assert_eq!(words(&outcome.resources[1][0]), [left], "{op:?} shared: {in_shared}");
        }
    }
}

/// Append and consume: numbers in order of lane, the counter afterwards, and backwards under the other schedule.
#[test]
fn counters_number_lanes_in_order() {
    let mut k = Kit::new(4);
    k.interface
        .resources
        .push(Resource { counter: true, ..resource("list", Shape::Structured { stride: 4 }, Access::ReadWrite) });
    let id = k.id();
    let zero = k.word(0);
    let place = k.b.value(Op::CounterAlloc, on(1), &[zero]);
    k.b.effect(Op::StructuredStore, on(1), &[zero, place, zero, id]);
    let taken = k.b.value(Op::CounterConsume, on(1), &[zero]);
    k.put(id, 2, 0, place);
    k.put(id, 2, 1, taken);
    let program = k.program();
    let mut case = case(&program, 2, 16);
    let Binding::Buffer(list) = buffer(&[0; 8]) else { unreachable!() };
    case.resources[1] = vec![Binding::Buffer(BufferBinding { counter: 3, ..list })];
    let plan = Plan::compile(&program).unwrap();
    let canonical = plan.run(&case, &Options::default()).unwrap();
    // Each group allocates 3 to 6 and takes 6 down to 3 again.
    assert_eq!(words(&canonical.resources[0][0]), [3, 6, 4, 5, 5, 4, 6, 3, 3, 6, 4, 5, 5, 4, 6, 3]);
    assert_eq!(words(&canonical.resources[1][0]), [0, 0, 0, 4, 5, 6, 7, 0]);
    let Binding::Buffer(after) = &canonical.resources[1][0] else { unreachable!() };
    assert_eq!(after.counter, 3);
    let reversed = plan.run(&case, &Options { schedule: Schedule::Reversed, ..Options::default() }).unwrap();
    assert_eq!(words(&reversed.resources[0][0])[..8], [6, 3, 5, 4, 4, 5, 3, 6]);
    assert_eq!(words(&reversed.resources[1][0]), [0, 0, 0, 3, 2, 1, 0, 0]);
}

/// Arrays: each lane has its own, initial contents come back, an element that nobody wrote and one that does not exist are events.
#[test]
fn arrays_belong_to_lanes() {
    let mut k = Kit::new(8);
    k.arrays.push(PrivateArray { name: "a".into(), length: 4, width: Width::W32, initial: Vec::new(), constant: false });
    let initial = vec![10, 1 << 40, 30];
    k.arrays.push(PrivateArray { name: "b".into(), length: 3, width: Width::W64, initial, constant: true });
    let (a, b) = (Attrs::target(Target::Array(ArrayId(0))), Attrs::target(Target::Array(ArrayId(1))));
    let id = k.id();
    let (one, three) = (k.word(1), k.word(3));
    let low = k.op(Op::IAnd, &[id, three]);
    k.b.effect(Op::ArrayStore, a, &[low, id]);
    let other = k.b.value_of(Width::W32, Op::ArrayLoad, bounded(a, Bounds::Undefined), &[id]);
    k.put(id, 3, 0, other);
    let clamped = k.b.value_of(Width::W32, Op::ArrayLoad, bounded(a, Bounds::Clamped), &[low]);
    k.put(id, 3, 1, clamped);
    let wide = k.b.value_of(Width::W64, Op::ArrayLoad, b, &[low]);
    let eight = k.word(8);
    let shifted = k.op(Op::UShr, &[wide, eight]);
    let narrow = k.b.value_of(Width::W32, Op::ITruncate, Attrs::default(), &[shifted]);
    let sum = k.op(Op::IAdd, &[narrow, one]);
    k.put(id, 3, 2, sum);
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 24));
    let found = words(&outcome.resources[0][0]);
    for id in 0..8u32 {
        let own = if id < 4 { id } else { 0 };
        let wide = [1, 1 + (1u64 << 32) as u32, 1, 1][id as usize & 3];
        assert_eq!(found[3 * id as usize..][..3], [own, id, wide], "lane {id}");
    }
    let events: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane)).collect();
    assert_eq!(events, [4, 5, 6, 7].map(|lane| (EventKind::LoadOutOfRange, lane)));
}

/// An array element that only other lanes wrote was never written.
#[test]
fn unwritten_array_elements_are_events() {
    let mut k = Kit::new(4);
    k.arrays.push(PrivateArray { name: "a".into(), length: 4, width: Width::W32, initial: Vec::new(), constant: false });
    let a = Attrs::target(Target::Array(ArrayId(0)));
    let id = k.id();
    let two = k.word(2);
    k.b.effect(Op::ArrayStore, a, &[id, id]);
    let value = k.b.value_of(Width::W32, Op::ArrayLoad, a, &[two]);
    k.put(id, 1, 0, value);
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 4));
    let lanes: Vec<u32> = outcome.events.iter().map(|event| event.lane).collect();
    assert_eq!((lanes, words(&outcome.resources[0][0])), (vec![0, 1, 3], vec![0, 0, 2, 0]));
}

fn barrier(k: &mut Kit, shared: bool, resources: bool) {
    let resources = resources.then_some(BarrierScope::Group);
    let detail = Detail::Barrier(Barrier { group: true, shared, resources });
    k.b.effect(Op::Barrier, Attrs::default().with_detail(detail), &[]);
}

/// A reversal through group-shared memory, with the barrier and without: the values are the same, the race is found.
#[test]
fn races_in_group_shared_memory_are_found_and_barriers_end_them() {
    for (with_barrier, events) in [(true, 0), (false, 6)] {
        let mut k = Kit::new(6);
        k.shared.push(SharedMemory { name: "tile".into(), bytes: 24, stride: 4, zeroed: false });
        let shared = Attrs::target(Target::Shared(SharedId(0)));
        let id = k.id();
        let [six, five, four] = [6, 5, 4].map(|word| k.word(word));
        let thread = k.b.value(Op::URem, Attrs::default(), &[id, six]);
        let own = k.op(Op::IMul, &[thread, four]);
        k.b.effect(Op::SharedStore, shared, &[own, id]);
        if with_barrier {
            barrier(&mut k, true, false);
        }
        let other = k.op(Op::ISub, &[five, thread]);
        let other = k.op(Op::IMul, &[other, four]);
        let value = k.b.value_of(Width::W32, Op::SharedLoad, shared, &[other]);
        k.put(id, 1, 0, value);
        let program = k.program();
        let outcome = run(&program, &case(&program, 1, 6));
        assert_eq!(words(&outcome.resources[0][0]), [5, 4, 3, 2, 1, 0]);
        assert_eq!(outcome.event_count, events, "{:?}", outcome.events);
        assert!(kinds(&outcome).iter().all(|kind| *kind == EventKind::Race));
        let unseen = Plan::compile(&program).unwrap().run(&case(&program, 1, 6), &Options { races: false, ..Options::default() });
        assert_eq!(unseen.unwrap().event_count, 0);
    }
}

/// Two lanes that store equal bits, and two atomics, do not race; two groups on one word do, whatever barriers there are.
#[test]
fn equal_bits_and_atomics_do_not_race_but_groups_do() {
    let build = |value: fn(&mut Kit, Value) -> Value, atomic: bool| {
        let mut k = Kit::new(4);
        let id = k.id();
        let zero = k.word(0);
        let value = value(&mut k, id);
        if atomic {
            let detail = Detail::Atomic(AtomicOp::UMax);
            k.b.emit(Op::BufferAtomic, on(0).with_detail(detail), &[zero, zero, value, zero], &[Width::W32]);
        } else {
            k.b.effect(Op::BufferStore, on(0), &[zero, zero, value]);
        }
        barrier(&mut k, true, true);
        k.program()
    };
    let same = build(|k, _| k.word(7), false);
    assert_eq!(run(&same, &case(&same, 2, 1)).event_count, 0);
    let atomic = build(|_, id| id, true);
    assert_eq!(run(&atomic, &case(&atomic, 2, 1)).event_count, 0);
    let by_group = build(
        |k, id| {
            let two = k.word(2);
            k.op(Op::UShr, &[id, two])
        },
        false,
    );
    let outcome = run(&by_group, &case(&by_group, 2, 1));
    let lanes: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane)).collect();
    // The first lane of the second group changes what the first group stored; the others store the same again.
    assert_eq!(lanes, [(EventKind::CollidingStores, 4)]);
    assert_eq!(words(&outcome.resources[0][0]), [1]);
}

/// The words of a buffer know whether a float operation made them.
#[test]
fn stored_words_know_whether_a_float_operation_made_them() {
    let mut k = Kit::new(2);
    let id = k.id();
    let float = k.b.value_of(Width::W32, Op::UToF, Attrs::default(), &[id]);
    k.put(id, 2, 0, id);
    k.put(id, 2, 1, float);
    let program = k.program();
    let outcome = run(&program, &case(&program, 1, 4));
    assert_eq!(outcome.float_words, [[vec![0b1010]]]);
}

/// Group-shared memory of D3D11 starts undefined and WGSL's as zeros, for each group anew; outside it an access is what its rule says.
#[test]
fn group_shared_memory_starts_anew_with_each_group() {
    for zeroed in [false, true] {
        let mut k = Kit::new(2);
        k.shared.push(SharedMemory { name: "tile".into(), bytes: 8, stride: 4, zeroed });
        let shared = Attrs::target(Target::Shared(SharedId(0)));
        let id = k.id();
        let [one, four, eight] = [1, 4, 8].map(|word| k.word(word));
        let thread = k.op(Op::IAnd, &[id, one]);
        let own = k.op(Op::IMul, &[thread, four]);
        let before = k.b.value_of(Width::W32, Op::SharedLoad, shared, &[own]);
        k.b.effect(Op::SharedStore, shared, &[own, id]);
        let after = k.b.value_of(Width::W32, Op::SharedLoad, shared, &[own]);
        let outside = k.b.value_of(Width::W32, Op::SharedLoad, bounded(shared, Bounds::Undefined), &[eight]);
        k.b.effect(Op::SharedStore, bounded(shared, Bounds::Undefined), &[eight, id]);
        for (at, value) in [before, after, outside].into_iter().enumerate() {
            k.put(id, 3, at as u32, value);
        }
        let program = k.program();
        let outcome = run(&program, &case(&program, 2, 12));
        assert_eq!(words(&outcome.resources[0][0]), [0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0]);
        let count = |kind: EventKind| kinds(&outcome).iter().filter(|other| **other == kind).count();
        assert_eq!(count(EventKind::NeverWritten), if zeroed { 0 } else { 4 });
        assert_eq!([count(EventKind::LoadOutOfRange), count(EventKind::StoreOutOfRange)], [4, 4]);
    }
}
