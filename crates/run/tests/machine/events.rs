//! What events tell, and choices for what is undefined at one place alone. All expectations are read off the programs by hand: which lane comes second,
//! what it finds, which index is past which end.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;
use std::sync::Arc;

fn shared() -> Attrs {
    Attrs::target(Target::Shared(SharedId(0)))
}

fn on(id: u32) -> Attrs {
    Attrs::target(Target::Resource(ResourceId(id)))
}

fn tile(k: &mut Kit, words: u32) {
    k.shared.push(SharedMemory { name: "tile".into(), bytes: 4 * words, stride: 4, zeroed: true });
}

fn wait(k: &mut Kit, group: bool, shared: bool, resources: bool) {
    let resources = resources.then_some(BarrierScope::Group);
    k.b.effect(Op::Barrier, Attrs::default().with_detail(Detail::Barrier(Barrier { group, shared, resources })), &[]);
}

fn run_with(program: &Program, case: &Case, options: Options) -> Outcome {
    Plan::compile(program).unwrap().run(case, &options).unwrap()
}

fn conflict(event: &Event) -> Conflict {
    let Facts::Conflict(conflict) = event.facts else { panic!("{event:?}") };
    conflict
}

/// Lanes store their numbers to one word in one operation: each but the first collides with the one before it.
#[test]
fn stores_of_one_operation_collide() {
    let mut k = Kit::new(4);
    tile(&mut k, 1);
    let id = k.id();
    let zero = k.word(0);
    k.b.set_origin(Origin::line(7));
    k.b.effect(Op::SharedStore, shared(), &[zero, id]);
    let program = k.program();
    let outcome = run(&program, &case(&program, 2, 0));
    assert_eq!(kinds(&outcome), [EventKind::CollidingStores; 6]);
    let last = &outcome.events[5];
    // Thread 3 of the second group is lane 7, and finds what lane 6 stored.
    let thread = |x| Some(Thread { group: [1, 0, 0], thread: [x, 0, 0] });
    assert_eq!((last.lane, last.thread, last.origin, last.iterations.len()), (7, thread(3), Origin::line(7), 0));
    assert_eq!(last.memory, Some(MemoryRef { kind: MemoryKind::GroupShared, name: "tile".into(), element: None }));
    let expected = Conflict {
        at: At::Byte(0),
        does: Touching::Store,
        bits: Some(7),
        found: Some(6),
        other: 6,
        other_thread: thread(2),
        other_origin: Origin::line(7),
        other_does: Touching::Store,
    };
    assert_eq!(conflict(last), expected);
    assert_eq!(
        outcome.event_counts.iter().map(|counted| (counted.kind, counted.count)).collect::<Vec<_>>(),
        [(EventKind::CollidingStores, 6)]
    );
}

/// Each lane stores its own word and loads its neighbour's: only a barrier that waits, and orders this memory, is one between them.
#[test]
fn fences_end_no_stretch() {
    for in_shared in [true, false] {
        for (group, shared_ordered, resources_ordered) in
            [(false, true, true), (true, true, false), (true, false, true), (true, true, true)]
        {
            let mut k = Kit::new(4);
            tile(&mut k, 4);
            k.interface.resources.push(resource("words", Shape::Buffer { bytes: 0 }, Access::ReadWrite));
            let id = k.id();
            let [zero, one, four] = [0, 1, 4].map(|word| k.word(word));
            let own = k.op(Op::IMul, &[id, four]);
            let other = k.op(Op::IXor, &[id, one]);
            let other = k.op(Op::IMul, &[other, four]);
            k.b.set_origin(Origin::line(1));
            let ten = k.word(10);
            let value = k.op(Op::IAdd, &[id, ten]);
            if in_shared {
                k.b.effect(Op::SharedStore, shared(), &[own, value]);
            } else {
                k.b.effect(Op::BufferStore, on(1), &[zero, own, value]);
            }
            wait(&mut k, group, shared_ordered, resources_ordered);
            k.b.set_origin(Origin::line(3));
            let loaded = if in_shared {
                k.b.value_of(Width::W32, Op::SharedLoad, shared(), &[other])
            } else {
                k.b.value_of(Width::W32, Op::BufferLoad, on(1), &[zero, other])
            };
            k.put(id, 1, 0, loaded);
            let program = k.program();
            let mut case = case(&program, 1, 4);
            case.resources[1] = vec![buffer(&[0; 4])];
            let outcome = run(&program, &case);
            let is_ordered = group && if in_shared { shared_ordered } else { resources_ordered };
            assert_eq!(kinds(&outcome), if is_ordered { vec![] } else { vec![EventKind::Race; 4] });
            if let Some(event) = outcome.events.first() {
                let found = conflict(event);
                assert_eq!((event.lane, found.other, found.at, found.found), (0, 1, At::Byte(4), Some(11)));
                assert_eq!((found.does, found.other_does), (Touching::Load, Touching::Store));
                assert_eq!((event.origin, found.other_origin), (Origin::line(3), Origin::line(1)));
            }
        }
    }
}

/// A lane loads what the group before it stored: no barrier orders groups.
#[test]
fn groups_race_in_buffers_whatever_barriers_there_are() {
    let mut k = Kit::new(2);
    k.interface.resources.push(resource("words", Shape::Buffer { bytes: 0 }, Access::ReadWrite));
    let id = k.id();
    let [zero, two, four] = [0, 2, 4].map(|word| k.word(word));
    let own = k.op(Op::IMul, &[id, four]);
    k.b.effect(Op::BufferStore, on(1), &[zero, own, id]);
    wait(&mut k, true, true, true);
    let before = k.op(Op::ISub, &[id, two]);
    let before = k.op(Op::IMul, &[before, four]);
    let loaded = k.b.value_of(Width::W32, Op::BufferLoad, on(1), &[zero, before]);
    k.put(id, 1, 0, loaded);
    let program = k.program();
    let mut case = case(&program, 2, 4);
    case.resources[1] = vec![buffer(&[9; 4])];
    let outcome = run(&program, &case);
    // The first group's loads, at -2 and -1 words, are out of range in a way that D3D11 defines.
    assert_eq!(words(&outcome.resources[0][0]), [0, 0, 0, 1]);
    let lanes: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane, conflict(event).other)).collect();
    assert_eq!(lanes, [(EventKind::Race, 2, 0), (EventKind::Race, 3, 1)]);
    assert_eq!(conflict(&outcome.events[0]).other_thread, Some(Thread { group: [0; 3], thread: [0; 3] }));
}

/// Two registers that nothing wrote: each is named, and a choice for one changes only what comes of it.
#[test]
fn choices_at_one_place_leave_the_others() {
    let mut k = Kit::new(2);
    let id = k.id();
    let registers = [(3, 1), (5, 3)].map(|(number, component)| k.b.register(Register { number, component }));
    for (at, register) in (0..).zip(registers) {
        let value = k.b.get(register);
        let sum = k.op(Op::IAdd, &[value, id]);
        k.put(id, 2, at, sum);
    }
    let program = k.program();
    let case = case(&program, 1, 4);
    let canonical = run(&program, &case);
    assert_eq!(words(&canonical.resources[0][0]), [0, 0, 1, 1]);
    let names: Vec<_> = canonical.events.iter().map(|event| event.memory.as_ref().unwrap().name.as_str()).collect();
    assert_eq!(names, ["r3.y", "r3.y", "r5.w", "r5.w"]);
    for (at, event) in [(0, &canonical.events[0]), (1, &canonical.events[2])] {
        let options = Options { undefined: UndefinedChoice::Seeded(1), sites: Some(vec![event.site]), ..Options::default() };
        let found = words(&run_with(&program, &case, options).resources[0][0]);
        assert_eq!([found[1 - at], found[3 - at]], [0, 1]);
        assert!(found[at] != 0 && found[2 + at] != 1, "{found:?}");
    }
}

/// The first of each kind and place is kept however few are wanted, and all are counted.
#[test]
fn the_first_event_of_each_place_is_kept() {
    let mut k = Kit::new(3);
    k.arrays.push(PrivateArray { name: "x0".into(), length: 2, width: Width::W32, initial: vec![1, 2], constant: false });
    let array = Attrs::target(Target::Array(ArrayId(0))).with_rules(Rules { bounds: Bounds::Undefined, ..Rules::default() });
    let id = k.id();
    let seven = k.word(7);
    let past = k.op(Op::IAdd, &[id, seven]);
    for (line, index) in [(1, past), (2, id)] {
        k.b.set_origin(Origin::line(line));
        k.b.value_of(Width::W32, Op::ArrayLoad, array, &[index]);
    }
    let program = k.program();
    let outcome = run_with(&program, &case(&program, 1, 0), Options { max_events: 0, ..Options::default() });
    let kept: Vec<_> = outcome.events.iter().map(|event| (event.origin.line, event.lane, event.facts.clone())).collect();
    let element = |index| Facts::OutOfRange(OutOfRange::Element { index, length: 2 });
    assert_eq!(kept, [(1, 0, element(7)), (2, 2, element(2))]);
    let counts: Vec<_> = outcome.event_counts.iter().map(|counted| (counted.origin.line, counted.count)).collect();
    assert_eq!((counts, outcome.event_count), (vec![(1, 3), (2, 1)], 4));
}

/// A structure past the last, an offset that leaves its structure, a byte past the end: of a structured buffer of three words a structure, two of them.
#[test]
fn what_is_out_of_range_is_told_in_the_memorys_own_terms() {
    let bounded = |bounds| on(1).with_rules(Rules { bounds, ..Rules::default() });
    for (index, field, bounds, expected) in [
        (2, 0, Bounds::Clamped, OutOfRange::Structure { index: 2, count: 2 }),
        (1, 12, Bounds::Defined, OutOfRange::Field { offset: 12, bytes: 4, stride: 12 }),
    ] {
        let mut k = Kit::new(1);
        k.interface.resources.push(resource("parts", Shape::Structured { stride: 12 }, Access::Read));
        let [zero, index, field] = [0, index, field].map(|word| k.word(word));
        k.b.value_of(Width::W32, Op::StructuredLoad, bounded(bounds), &[zero, index, field]);
        let program = k.program();
        let mut case = case(&program, 1, 0);
        case.resources[1] = vec![buffer(&[0; 6])];
        let outcome = run(&program, &case);
        assert_eq!((kinds(&outcome), &outcome.events[0].facts), (vec![EventKind::LoadOutOfRange], &Facts::OutOfRange(expected)));
        assert_eq!(outcome.events[0].memory.as_ref().unwrap().kind, MemoryKind::Structured);
    }
}

/// A sample that a texture of four samples does not have: an event though the bounds are defined; a texel outside is none.
#[test]
fn samples_that_are_not_there_are_events() {
    let mut k = Kit::new(4);
    let shape = TextureShape {
        dimension: Dimension::D2,
        arrayed: false,
        multisampled: true,
        kind: Kind::Uint,
        depth: false,
        format: None,
    };
    k.interface.resources.push(resource("image", Shape::Texture(shape), Access::Read));
    let id = k.id();
    let [zero, two] = [0, 2].map(|word| k.word(word));
    let sample = k.op(Op::IAdd, &[id, two]);
    let texel = k.b.emit(Op::TexelLoad, on(1), &[zero, zero, zero, zero, sample], &[Width::W32; 5]);
    k.put(id, 1, 0, texel[0]);
    k.b.emit(Op::TexelLoad, on(1), &[zero, two, zero, zero, sample], &[Width::W32; 5]);
    let program = k.program();
    let mut case = case(&program, 1, 4);
    let level: Vec<u8> = [10u32, 11, 12, 13].into_iter().flat_map(u32::to_le_bytes).collect();
    case.resources[1] = vec![Binding::Texture(Arc::new(Texture {
        dimension: Dimension::D2,
        arrayed: false,
        format: TexelFormat(42),
        size: [1, 1, 1],
        layers: 1,
        samples: 4,
        min_lod: 0.0,
        unmapped: false,
        levels: vec![level],
    }))];
    let outcome = run(&program, &case);
    assert_eq!(words(&outcome.resources[0][0]), [12, 13, 0, 0]);
    let events: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane, event.facts.clone())).collect();
    let missing = |sample| Facts::OutOfRange(OutOfRange::Sample { sample, samples: 4 });
    assert_eq!(events, [(EventKind::LoadOutOfRange, 2, missing(4)), (EventKind::LoadOutOfRange, 3, missing(5))]);
}

/// An index that names no declared resource: the first canonically, any by seed; and one past the end of a binding array.
#[test]
fn indices_that_name_no_resource_are_events() {
    let mut k = Kit::new(2);
    let mut array = resource("many", Shape::Buffer { bytes: 0 }, Access::Read);
    array.count = Some(2);
    k.interface.resources.push(array);
    let id = k.id();
    let [zero, one, three] = [0, 1, 3].map(|word| k.word(word));
    let any = k.op(Op::AnyBinding, &[id, three]);
    k.put(id, 2, 0, any);
    let element = k.op(Op::IAdd, &[id, one]);
    let loaded = k.b.value_of(Width::W32, Op::BufferLoad, on(1), &[element, zero]);
    k.put(id, 2, 1, loaded);
    let program = k.program();
    let mut case = case(&program, 1, 4);
    case.resources[1] = vec![buffer(&[5]), buffer(&[6])];
    let outcome = run(&program, &case);
    assert_eq!(words(&outcome.resources[0][0]), [0, 6, 0, 0]);
    let events: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane, event.facts.clone())).collect();
    let none = |index, count| Facts::OutOfRange(OutOfRange::Binding { index, count });
    let kind = EventKind::NoSuchBinding;
    assert_eq!(events, [(kind, 0, none(0, 3)), (kind, 1, none(1, 3)), (kind, 1, none(2, 2))]);
    // What is read past the end of the array: nothing, or by the seed any element's word.
    let (mut seen, mut read) = ([false; 3], std::collections::BTreeSet::new());
    for seed in 1..40 {
        let options = Options { undefined: UndefinedChoice::Seeded(seed), ..Options::default() };
        let found = words(&run_with(&program, &case, options).resources[0][0]);
        seen[found[0] as usize] = true;
        read.insert(found[3]);
    }
    assert_eq!(seen, [true; 3]);
    assert_eq!(read.into_iter().collect::<Vec<u32>>(), [0, 5, 6]);
}

/// The same index for all lanes: no less an event for each of them than one that differs.
#[test]
fn a_constant_index_past_the_end_of_a_binding_array_is_an_event() {
    let mut k = Kit::new(2);
    let mut array = resource("many", Shape::Buffer { bytes: 0 }, Access::Read);
    array.count = Some(2);
    k.interface.resources.push(array);
    let id = k.id();
    let [zero, two] = [0, 2].map(|word| k.word(word));
    let loaded = k.b.value_of(Width::W32, Op::BufferLoad, on(1), &[two, zero]);
    k.put(id, 1, 0, loaded);
    let program = k.program();
    let mut case = case(&program, 1, 2);
    case.resources[1] = vec![buffer(&[5]), buffer(&[6])];
    let outcome = run(&program, &case);
    assert_eq!((words(&outcome.resources[0][0]), outcome.event_count), (vec![0, 0], 2));
    let mut read = std::collections::BTreeSet::new();
    for seed in 1..40 {
        let options = Options { undefined: UndefinedChoice::Seeded(seed), ..Options::default() };
        read.extend(words(&run_with(&program, &case, options).resources[0][0]));
    }
    assert_eq!(read.into_iter().collect::<Vec<u32>>(), [0, 5, 6]);
}

/// A derivative where lane 5 went elsewhere, and a quad read of it.
#[test]
fn lanes_of_quads_that_are_not_there_are_named() {
    let mut k = Kit::pixel();
    k.interface.inputs.push(variable("x", Width::W32, None));
    k.interface.outputs.push(variable("target", Width::W32, None));
    let x = k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
    let [five, one] = [5f32.to_bits(), 1].map(|word| k.word(word));
    let is_other = k.b.value(Op::FNe, Attrs::default(), &[x, five]);
    k.b.begin_if(is_other);
    let slope = k.b.value(Op::FDdx, Attrs::default().with_detail(Detail::Derivative(Derivative::Coarse)), &[x]);
    k.b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[slope]);
    let read = k.op(Op::QuadRead, &[x, one]);
    k.b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 1)), &[read]);
    k.b.end_if();
    let program = k.program();
    let mut case = Case::empty_for(&program, Launch::Pixels { quads: 2, helpers: Vec::new() }).unwrap();
    case.inputs[0].components[0] = (0..8).map(|lane| (lane as f32).to_bits()).collect();
    let outcome = run(&program, &case);
    let events: Vec<_> = outcome.events.iter().map(|event| (event.kind, event.lane, event.facts.clone())).collect();
    let read = |lane| (EventKind::InactiveLane, lane, Facts::Inactive { index: 1, of: 4, lane: Some(5) });
    let quad = (EventKind::DivergentDerivative, 4, Facts::InactiveQuad { lanes: vec![5] });
    assert_eq!(events, [quad, read(4), read(6), read(7)]);
    assert_eq!(events[0].2.to_string(), "3 of 4 lanes of the quad are active, not 5");
}

/// One lane a group takes a number from a counter: groups come by index, backwards, or in some order; and with orders at places alone, groups stay.
#[test]
fn schedules_permute_groups_and_lanes() {
    let numbers = |threads: u32, groups: u32, schedule, schedule_sites| {
        let mut k = Kit::new(threads);
        k.interface.resources.push(resource("counter", Shape::Buffer { bytes: 4 }, Access::ReadWrite));
        let id = k.id();
        let [zero, one] = [0, 1].map(|word| k.word(word));
        let attrs = on(1).with_detail(Detail::Atomic(AtomicOp::Add));
        let number = k.b.emit(Op::BufferAtomic, attrs, &[zero, zero, one, zero], &[Width::W32])[0];
        k.put(id, 1, 0, number);
        let program = k.program();
        let mut case = case(&program, groups, 6);
        case.resources[1] = vec![buffer(&[0])];
        let outcome = run_with(&program, &case, Options { schedule, schedule_sites, ..Options::default() });
        assert_eq!(outcome.event_count, 0);
        words(&outcome.resources[0][0])
    };
    for (threads, groups) in [(1, 6), (6, 1)] {
        assert_eq!(numbers(threads, groups, Schedule::Canonical, None), [0, 1, 2, 3, 4, 5]);
        assert_eq!(numbers(threads, groups, Schedule::Reversed, None), [5, 4, 3, 2, 1, 0]);
        let mut permuted = numbers(threads, groups, Schedule::Permuted(1), None);
        assert_ne!(permuted, [0, 1, 2, 3, 4, 5]);
        assert_ne!(permuted, numbers(threads, groups, Schedule::Permuted(2), None));
        permuted.sort_unstable();
        assert_eq!(permuted, [0, 1, 2, 3, 4, 5]);
        assert_eq!(numbers(threads, groups, Schedule::Reversed, Some(vec![])), [0, 1, 2, 3, 4, 5]);
    }
    // Three groups of two, backwards: the last group's last lane is first.
    assert_eq!(numbers(2, 3, Schedule::Reversed, None), [5, 4, 3, 2, 1, 0]);
}

#[test]
fn only_the_named_operation_runs_in_another_order() {
    let mut k = Kit::new(3);
    k.interface.resources.push(resource("counters", Shape::Buffer { bytes: 8 }, Access::ReadWrite));
    let id = k.id();
    let [zero, one, four] = [0, 1, 4].map(|word| k.word(word));
    let attrs = on(1).with_detail(Detail::Atomic(AtomicOp::Add));
    for (line, offset) in [(0, zero), (1, four)] {
        k.b.set_origin(Origin::line(line));
        let number = k.b.emit(Op::BufferAtomic, attrs, &[zero, offset, one, zero], &[Width::W32])[0];
        k.put(id, 2, line, number);
    }
    let program = k.program();
    let mut case = case(&program, 1, 6);
    case.resources[1] = vec![buffer(&[0, 0])];
    let plan = Plan::compile(&program).unwrap();
    let atomics: Vec<OrderSite> = plan.order_sites().into_iter().filter(|site| site.op == Op::BufferAtomic).collect();
    assert_eq!(atomics.iter().map(|site| site.origin.line).collect::<Vec<_>>(), [0, 1]);
    let options = Options { schedule: Schedule::Reversed, schedule_sites: Some(vec![atomics[1].site]), ..Options::default() };
    assert_eq!(words(&plan.run(&case, &options).unwrap().resources[0][0]), [0, 2, 1, 1, 2, 0]);
}

/// Lanes 2 and 3 never leave the loop; the first decision for each of the four is steps too, so lanes that leave do so in the first round.
#[test]
fn the_step_limit_names_the_loop_and_who_is_in_it() {
    let mut k = Kit::new(4);
    let id = k.id();
    let two = k.word(2);
    let out = k.b.begin_block();
    k.b.set_origin(Origin::line(0));
    k.b.begin_loop();
    let leaves = k.op(Op::ULt, &[id, two]);
    k.b.begin_if(leaves);
    k.b.br(out);
    k.b.end_if();
    k.b.end();
    k.b.end();
    let mut program = k.program();
    program.source = Source { kind: SourceKind::Text, lines: vec![SourceLine { number: 5, offset: 0, text: "loop {".into() }] };
    let options = Options { max_steps: 1000, ..Options::default() };
    match Plan::compile(&program).unwrap().run(&case(&program, 1, 0), &options) {
        Err(error @ RunError::StepLimit { lanes: 2, lane: 2, .. }) => {
            let RunError::StepLimit { place, iterations, .. } = &error else { unreachable!() };
            assert_eq!((place.as_str(), iterations.len()), ("line 5 loop {", 1));
            assert!(error.to_string().contains("where lane 2 and 1 more went round"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

/// The words of an event, from the facts above.
#[test]
fn accounts_tell_what_where_who_and_what_is_promised() {
    let mut k = Kit::new(2);
    tile(&mut k, 2);
    let id = k.id();
    let four = k.word(4);
    k.b.set_origin(Origin::line(0));
    k.b.effect(Op::SharedStore, shared(), &[four, id]);
    let mut program = k.program();
    program.source = Source {
        kind: SourceKind::Instructions,
        lines: vec![SourceLine { number: 12, offset: 0, text: "store_raw g0.x, l(4), r0.x".into() }],
    };
    let outcome = run(&program, &case(&program, 1, 0));
    let account = outcome.events[0].account(&program);
    assert_eq!(account.title, "two lanes store different bits to byte 4 of tile with no barrier between");
    assert_eq!(account.place, AccountPlace { line: Some(12), text: "store_raw g0.x, l(4), r0.x".into() });
    let lanes: Vec<_> = account.lanes.iter().map(|lane| (lane.lane, lane.text.as_str())).collect();
    let who = |x| format!("lane {x}, thread ({x}, 0, 0) of group (0, 0, 0),");
    assert_eq!(
        lanes,
        [
            (1, format!("{} stores 0x00000001", who(1)).as_str()),
            (0, format!("{} stored 0x00000000 there before", who(0)).as_str())
        ]
    );
    assert!(account.note.starts_with("D3D11 promises no order between lanes") && account.note.ends_with("(22.17.7 sync)"));
}
