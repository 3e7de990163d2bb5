//! What other choices for undefined values show: races, accesses out of range, lost group-shared memory. The expectations are counted by hand
//! from the programs; chosen values are only held to the set that the specification allows, and to differ where a race has to be seen.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;

const SEEDS: std::ops::Range<u64> = 1..9;

fn shared() -> Attrs {
    Attrs::target(Target::Shared(SharedId(0)))
}

fn on(id: u32) -> Attrs {
    Attrs::target(Target::Resource(ResourceId(id)))
}

fn bounded(attrs: Attrs, bounds: Bounds) -> Attrs {
    attrs.with_rules(Rules { bounds, ..Rules::default() })
}

fn tile(k: &mut Kit, words: u32) {
    k.shared.push(SharedMemory { name: "tile".into(), bytes: 4 * words, stride: 4, zeroed: true });
}

fn seeded(program: &Program, case: &Case, seed: u64) -> Outcome {
    let options = Options { undefined: UndefinedChoice::Seeded(seed), ..Options::default() };
    Plan::compile(program).unwrap().run(case, &options).unwrap()
}

fn barrier(k: &mut Kit) {
    let detail = Detail::Barrier(Barrier { group: true, shared: true, resources: Some(BarrierScope::Group) });
    k.b.effect(Op::Barrier, Attrs::default().with_detail(detail), &[]);
}

/// Each of four lanes stores its id, waits at a barrier or not, and loads what lane 3 - id stored.
fn exchange(in_shared: bool, with_barrier: bool) -> Program {
    let mut k = Kit::new(4);
    tile(&mut k, 4);
    k.interface.resources.push(resource("words", Shape::Buffer { bytes: 0 }, Access::ReadWrite));
    let id = k.id();
    let [zero, three, four] = [0, 3, 4].map(|word| k.word(word));
    let own = k.op(Op::IMul, &[id, four]);
    let other = k.op(Op::ISub, &[three, id]);
    let other = k.op(Op::IMul, &[other, four]);
    if in_shared {
        k.b.effect(Op::SharedStore, shared(), &[own, id]);
    } else {
        k.b.effect(Op::BufferStore, on(1), &[zero, own, id]);
    }
    if with_barrier {
        barrier(&mut k);
    }
    let value = if in_shared {
        k.b.value_of(Width::W32, Op::SharedLoad, shared(), &[other])
    } else {
        k.b.value_of(Width::W32, Op::BufferLoad, on(1), &[zero, other])
    };
    k.put(id, 1, 0, value);
    k.program()
}

/// A load after another lane's store with no barrier between gives the stored word canonically and others by seeds; with the barrier always the stored word.
#[test]
fn a_missing_barrier_between_store_and_load_shows() {
    for in_shared in [true, false] {
        for with_barrier in [true, false] {
            let program = exchange(in_shared, with_barrier);
            let mut case = case(&program, 1, 4);
            case.resources[1] = vec![buffer(&[9; 4])];
            let canonical = run(&program, &case);
            assert_eq!(words(&canonical.resources[0][0]), [3, 2, 1, 0]);
            assert_eq!(canonical.event_count, if with_barrier { 0 } else { 4 });
            for seed in SEEDS {
                let outcome = seeded(&program, &case, seed);
                assert_eq!(outcome.event_count, canonical.event_count);
                let found = words(&outcome.resources[0][0]);
                let changed = found.iter().zip([3, 2, 1, 0]).filter(|(found, stored)| *found != stored).count();
                assert_eq!(changed, if with_barrier { 0 } else { 4 }, "{found:?}");
                if !in_shared {
                    assert_eq!(words(&outcome.resources[1][0]), [0, 1, 2, 3], "stores do not race");
                }
            }
        }
    }
}

/// Each of two lanes loads the word of the other and then stores its own: the loads came first, so the stored words show the race.
#[test]
fn a_missing_barrier_between_load_and_store_shows_in_the_stored_word() {
    for with_barrier in [true, false] {
        let mut k = Kit::new(2);
        tile(&mut k, 2);
        let id = k.id();
        let [one, four] = [1, 4].map(|word| k.word(word));
        let own = k.op(Op::IMul, &[id, four]);
        let other = k.op(Op::ISub, &[one, id]);
        let other = k.op(Op::IMul, &[other, four]);
        let before = k.b.value_of(Width::W32, Op::SharedLoad, shared(), &[other]);
        if with_barrier {
            barrier(&mut k);
        }
        let seven = k.word(7);
        let new = k.op(Op::IAdd, &[id, seven]);
        k.b.effect(Op::SharedStore, shared(), &[own, new]);
        barrier(&mut k);
        let after = k.b.value_of(Width::W32, Op::SharedLoad, shared(), &[own]);
        k.put(id, 2, 0, before);
        k.put(id, 2, 1, after);
        let program = k.program();
        let case = case(&program, 1, 4);
        let canonical = run(&program, &case);
        assert_eq!(words(&canonical.resources[0][0]), [0, 7, 0, 8]);
        assert_eq!(canonical.event_count, if with_barrier { 0 } else { 2 });
        for seed in SEEDS {
            let found = words(&seeded(&program, &case, seed).resources[0][0]);
            assert_eq!([found[0], found[2]], [0, 0]);
            assert_eq!([found[1] == 7, found[3] == 8], [with_barrier; 2], "{found:?}");
        }
    }
}

/// Four lanes store to one word: different bits leave that of the last canonically and another by seeds; equal bits and atomics leave what they leave.
#[test]
fn different_stores_to_one_word_leave_an_undefined_one() {
    let build = |value: fn(&mut Kit, Value) -> Value, is_atomic: bool| {
        let mut k = Kit::new(4);
        let id = k.id();
        let zero = k.word(0);
        let value = value(&mut k, id);
        if is_atomic {
            let detail = Detail::Atomic(AtomicOp::Add);
            k.b.emit(Op::BufferAtomic, on(0).with_detail(detail), &[zero, zero, value, zero], &[Width::W32]);
        } else {
            k.b.effect(Op::BufferStore, on(0), &[zero, zero, value]);
        }
        k.program()
    };
    for (value, is_atomic, left, races) in [
        ((|_, id| id) as fn(&mut Kit, Value) -> Value, false, 3, 3),
        (|k, _| k.word(5), false, 5, 0),
        // From the start of all ones: 0 + 1 + 2 + 3 less one.
        (|_, id| id, true, 5, 0),
    ] {
        let program = build(value, is_atomic);
        let case = case(&program, 1, 1);
        let canonical = run(&program, &case);
        assert_eq!((words(&canonical.resources[0][0]), canonical.event_count), (vec![left], races));
        for seed in SEEDS {
            let found = words(&seeded(&program, &case, seed).resources[0][0]);
            assert_eq!(found == [left], races == 0, "{found:?}");
        }
    }
}

/// An atomic after another lane's plain store: what it gives and what it leaves are undefined.
#[test]
fn an_atomic_races_with_a_plain_store() {
    let mut k = Kit::new(2);
    k.interface.resources.push(resource("words", Shape::Buffer { bytes: 8 }, Access::ReadWrite));
    let id = k.id();
    let [zero, one, four] = [0, 1, 4].map(|word| k.word(word));
    // Each lane stores to its own word; then both add to word 0, where lane 0 stored.
    let own = k.op(Op::IMul, &[id, four]);
    k.b.effect(Op::BufferStore, on(1), &[zero, own, id]);
    let detail = Detail::Atomic(AtomicOp::Add);
    let old = k.b.emit(Op::BufferAtomic, on(1).with_detail(detail), &[zero, zero, one, zero], &[Width::W32])[0];
    k.put(id, 1, 0, old);
    let program = k.program();
    let mut case = case(&program, 1, 2);
    case.resources[1] = vec![buffer(&[9, 9])];
    let canonical = run(&program, &case);
    assert_eq!(words(&canonical.resources[0][0]), [0, 1]);
    assert_eq!(words(&canonical.resources[1][0]), [2, 1]);
    assert_eq!((kinds(&canonical), canonical.events[0].lane), (vec![EventKind::Race], 1));
    // Lane 1 adds 1 to word 0, where lane 0 has stored 0 and then added 1.
    let Facts::Conflict(conflict) = &canonical.events[0].facts else { panic!("{:?}", canonical.events) };
    let add = Touching::Atomic(AtomicOp::Add);
    assert_eq!((conflict.at, conflict.does, conflict.bits, conflict.found), (At::Byte(0), add, Some(1), Some(1)));
    assert_eq!((conflict.other, conflict.other_does), (0, add));
    for seed in SEEDS {
        let outcome = seeded(&program, &case, seed);
        let (old, left) = (words(&outcome.resources[0][0]), words(&outcome.resources[1][0]));
        assert!(old[0] == 0 && old[1] != 1 && left[0] != 2 && left[1] == 1, "{old:?} {left:?}");
    }
}

/// Loads past the end of three words where the bounds are WGSL's: any of the words or 0, by seed; the event names the place and the size.
#[test]
fn clamped_loads_give_any_element_or_zero() {
    for in_shared in [true, false] {
        let mut k = Kit::new(8);
        tile(&mut k, 3);
        k.interface.resources.push(resource("words", Shape::Buffer { bytes: 0 }, Access::Read));
        let id = k.id();
        let [zero, four, eight] = [0, 4, 8].map(|word| k.word(word));
        for (word, offset) in [(10, zero), (20, four), (30, eight)] {
            let word = k.word(word);
            k.b.effect(Op::SharedStore, shared(), &[offset, word]);
        }
        barrier(&mut k);
        let offset = k.op(Op::IMul, &[id, four]);
        let value = if in_shared {
            k.b.value_of(Width::W32, Op::SharedLoad, bounded(shared(), Bounds::Clamped), &[offset])
        } else {
            k.b.value_of(Width::W32, Op::BufferLoad, bounded(on(1), Bounds::Clamped), &[zero, offset])
        };
        k.put(id, 1, 0, value);
        let program = k.program();
        let mut case = case(&program, 1, 8);
        case.resources[1] = vec![buffer(&[10, 20, 30])];
        let canonical = run(&program, &case);
        assert_eq!(words(&canonical.resources[0][0]), [10, 20, 30, 30, 30, 30, 30, 30]);
        let events: Vec<_> = canonical.events.iter().map(|event| (event.kind, event.lane, event.facts.clone())).collect();
        let past = |lane: u32| Facts::OutOfRange(OutOfRange::Byte { at: 4 * u64::from(lane), bytes: 4, size: 12 });
        assert_eq!(events, [3, 4, 5, 6, 7].map(|lane| (EventKind::LoadOutOfRange, lane, past(lane))));
        let mut seen = Vec::new();
        for seed in SEEDS {
            let found = words(&seeded(&program, &case, seed).resources[0][0]);
            assert_eq!(found[..3], [10, 20, 30]);
            assert!(found[3..].iter().all(|word| [0, 10, 20, 30].contains(word)), "{found:?}");
            seen.extend_from_slice(&found[3..]);
        }
        assert!([0, 10, 20, 30].iter().all(|word| seen.contains(word)), "{seen:?}");
    }
}

/// Stores and atomics past the end: one word gets the value or none does; the atomic gives what was there, or 0.
#[test]
fn clamped_stores_and_atomics_go_to_any_element_or_none() {
    for op in [None, Some(AtomicOp::Exchange)] {
        let mut k = Kit::new(1);
        k.interface.resources.push(resource("words", Shape::Buffer { bytes: 0 }, Access::ReadWrite));
        let id = k.id();
        let [zero, offset, value] = [0, 100, 77].map(|word| k.word(word));
        let attrs = bounded(on(1), Bounds::Clamped);
        match op {
            None => k.b.effect(Op::BufferStore, attrs, &[zero, offset, value]),
            Some(op) => {
                let attrs = attrs.with_detail(Detail::Atomic(op));
                let old = k.b.emit(Op::BufferAtomic, attrs, &[zero, offset, value, zero], &[Width::W32])[0];
                k.put(id, 1, 0, old);
            }
        }
        let program = k.program();
        let mut case = case(&program, 1, 1);
        case.resources[1] = vec![buffer(&[1, 2, 3])];
        let canonical = run(&program, &case);
        assert_eq!(words(&canonical.resources[1][0]), [1, 2, 77]);
        assert_eq!(canonical.events.len(), 1);
        let kind = if op.is_some() { EventKind::AtomicOutOfRange } else { EventKind::StoreOutOfRange };
        let past = Facts::OutOfRange(OutOfRange::Byte { at: 100, bytes: 4, size: 12 });
        assert_eq!((canonical.events[0].kind, &canonical.events[0].facts), (kind, &past));
        let allowed = [([1, 2, 3], 0), ([77, 2, 3], 1), ([1, 77, 3], 2), ([1, 2, 77], 3)];
        let mut seen = Vec::new();
        for seed in 1..40 {
            let outcome = seeded(&program, &case, seed);
            let found = words(&outcome.resources[1][0]);
            let at = allowed.iter().position(|(words, _)| found == *words).expect("one word or none");
            if op.is_some() {
                assert_eq!(words(&outcome.resources[0][0]), [allowed[at].1]);
            }
            seen.push(at);
        }
        assert!((0..4).all(|at| seen.contains(&at)), "{seen:?}");
    }
}

/// Arrays of a lane with WGSL's bounds: the last element canonically, any or 0 by seed.
#[test]
fn clamped_arrays_give_any_element_or_zero() {
    let mut k = Kit::new(4);
    k.arrays.push(PrivateArray { name: "a".into(), length: 2, width: Width::W32, initial: vec![5, 6], constant: false });
    let a = bounded(Attrs::target(Target::Array(ArrayId(0))), Bounds::Clamped);
    let id = k.id();
    let value = k.b.value_of(Width::W32, Op::ArrayLoad, a, &[id]);
    k.put(id, 2, 0, value);
    let nine = k.word(9);
    k.b.effect(Op::ArrayStore, a, &[nine, id]);
    let one = k.word(1);
    let last = k.b.value_of(Width::W32, Op::ArrayLoad, a, &[one]);
    k.put(id, 2, 1, last);
    let program = k.program();
    let case = case(&program, 1, 8);
    let canonical = run(&program, &case);
    assert_eq!(words(&canonical.resources[0][0]), [5, 0, 6, 1, 6, 2, 6, 3]);
    let count = |kind| kinds(&canonical).iter().filter(|other| **other == kind).count();
    assert_eq!([count(EventKind::LoadOutOfRange), count(EventKind::StoreOutOfRange)], [2, 4]);
    assert_eq!(canonical.events[0].facts, Facts::OutOfRange(OutOfRange::Element { index: 2, length: 2 }));
    let mut loaded = Vec::new();
    let mut last = Vec::new();
    for seed in SEEDS {
        let found = words(&seeded(&program, &case, seed).resources[0][0]);
        assert_eq!([found[0], found[2]], [5, 6]);
        loaded.extend([found[4], found[6]]);
        last.extend((0..4).map(|lane| found[2 * lane + 1] == lane as u32));
    }
    assert!(
        [0, 5, 6].iter().all(|word| loaded.contains(word)) && loaded.iter().all(|word| [0, 5, 6].contains(word)),
        "{loaded:?}"
    );
    assert!(last.contains(&true) && last.contains(&false));
}

/// A load at a fixed offset that the declared size does not hold is done where it stands, with its events; one inside is not out of range.
#[test]
fn fixed_loads_out_of_range_are_events() {
    let mut k = Kit::new(2);
    k.interface.resources.push(resource("words", Shape::Buffer { bytes: 4 }, Access::Read));
    let id = k.id();
    let [zero, twenty] = [0, 20].map(|word| k.word(word));
    for (at, offset) in [(0, zero), (1, twenty)] {
        let value = k.b.value_of(Width::W32, Op::BufferLoad, bounded(on(1), Bounds::Clamped), &[zero, offset]);
        k.put(id, 2, at, value);
    }
    let program = k.program();
    let mut case = case(&program, 1, 4);
    case.resources[1] = vec![buffer(&[1, 2, 3])];
    let outcome = run(&program, &case);
    assert_eq!(words(&outcome.resources[0][0]), [1, 3, 1, 3]);
    assert_eq!(kinds(&outcome), [EventKind::LoadOutOfRange; 2]);
}

/// A store or an atomic of D3D11 outside group-shared memory: dropped canonically; by seeds no word of the group's memories is what it was, and other groups keep theirs.
#[test]
fn a_store_outside_group_shared_memory_loses_all_of_it() {
    for is_atomic in [false, true] {
        let mut k = Kit::new(4);
        tile(&mut k, 4);
        k.shared.push(SharedMemory { name: "more".into(), bytes: 16, stride: 4, zeroed: true });
        let id = k.id();
        let [zero, three, four, far] = [0, 3, 4, 64].map(|word| k.word(word));
        let thread = k.op(Op::IAnd, &[id, three]);
        let own = k.op(Op::IMul, &[thread, four]);
        let more = Attrs::target(Target::Shared(SharedId(1)));
        k.b.effect(Op::SharedStore, shared(), &[own, id]);
        k.b.effect(Op::SharedStore, more, &[own, id]);
        barrier(&mut k);
        // The last lane of the first group alone goes outside.
        let is_outside = k.op(Op::IEq, &[id, three]);
        let at = k.op(Op::Select, &[is_outside, far, own]);
        if is_atomic {
            let attrs = bounded(shared(), Bounds::Undefined).with_detail(Detail::Atomic(AtomicOp::Or));
            k.b.emit(Op::SharedAtomic, attrs, &[at, zero, zero], &[Width::W32]);
        } else {
            k.b.effect(Op::SharedStore, bounded(shared(), Bounds::Undefined), &[at, id]);
        }
        barrier(&mut k);
        let first = k.b.value_of(Width::W32, Op::SharedLoad, shared(), &[own]);
        let second = k.b.value_of(Width::W32, Op::SharedLoad, more, &[own]);
        k.put(id, 2, 0, first);
        k.put(id, 2, 1, second);
        let program = k.program();
        let case = case(&program, 2, 16);
        let canonical = run(&program, &case);
        let kept = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
        assert_eq!(words(&canonical.resources[0][0]), kept);
        let kind = if is_atomic { EventKind::AtomicOutOfRange } else { EventKind::StoreOutOfRange };
        assert_eq!(kinds(&canonical), [kind]);
        for seed in SEEDS {
            let found = words(&seeded(&program, &case, seed).resources[0][0]);
            assert!(found[..8].iter().zip(&kept[..8]).all(|(found, kept)| found != kept), "{found:?}");
            assert_eq!(found[8..], kept[8..]);
        }
    }
}

/// A lane reads a lane of the wave that is not active: 0 canonically, something else by seeds.
#[test]
fn inactive_lanes_give_undefined_values() {
    let mut k = Kit::new(8);
    let id = k.id();
    let twenty = k.word(20);
    let value = k.b.value_of(Width::W32, Op::WaveReadLane, Attrs::default(), &[id, twenty]);
    k.put(id, 1, 0, value);
    let program = k.program();
    let case = case(&program, 1, 8);
    let canonical = run(&program, &case);
    assert_eq!(words(&canonical.resources[0][0]), [0; 8]);
    assert_eq!(kinds(&canonical), [EventKind::InactiveLane; 8]);
    for seed in SEEDS {
        assert!(words(&seeded(&program, &case, seed).resources[0][0]).iter().all(|word| *word != 0));
    }
}
