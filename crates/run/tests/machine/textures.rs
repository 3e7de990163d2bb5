//! Textures and typed buffers through the machine: which texel each lane gets. How texels are filtered is tested with the sampler.

use crate::kit::*;
use gpuproof_program::*;
use gpuproof_run::*;
use std::sync::Arc;

const R32_UINT: TexelFormat = TexelFormat(42);
const R32_FLOAT: TexelFormat = TexelFormat(41);

fn shape(dimension: Dimension, kind: Kind) -> Shape {
    Shape::Texture(TextureShape { dimension, arrayed: false, multisampled: false, kind, depth: false, format: None })
}

fn on(id: u32) -> Attrs {
    Attrs::target(Target::Resource(ResourceId(id)))
}

fn texture(size: [u32; 2], format: TexelFormat, levels: &[&[u32]]) -> Binding {
    let bytes = |words: &&[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Binding::Texture(Arc::new(Texture {
        dimension: Dimension::D2,
        arrayed: false,
        format,
        size: [size[0], size[1], 1],
        layers: 1,
        samples: 1,
        min_lod: 0.0,
        unmapped: false,
        levels: levels.iter().map(bytes).collect(),
    }))
}

/// Loads of both levels and outside, the size, a typed buffer, and a store to it that reverses it.
#[test]
fn texels_are_loaded_and_stored_by_coordinates() {
    let mut k = Kit::new(6);
    k.interface.resources.push(resource("image", shape(Dimension::D2, Kind::Uint), Access::Read));
    k.interface.resources.push(resource("list", shape(Dimension::Buffer, Kind::Uint), Access::ReadWrite));
    let id = k.id();
    let [zero, one, two, five] = [0, 1, 2, 5].map(|word| k.word(word));
    let y = k.op(Op::UShr, &[id, one]);
    let x = k.op(Op::IAnd, &[id, one]);
    let texel = k.b.emit(Op::TexelLoad, on(1), &[zero, x, y, zero, zero], &[Width::W32; 5]);
    k.put(id, 4, 0, texel[0]);
    k.put(id, 4, 1, texel[3]);
    let small = k.b.emit(Op::TexelLoad, on(1), &[zero, y, zero, zero, one], &[Width::W32; 5]);
    k.put(id, 4, 2, small[0]);
    let size = k.b.emit(Op::TextureSize, on(1), &[zero, zero], &[Width::W32; 4]);
    let sum = k.op(Op::IMul, &[size[0], five]);
    let sum = k.op(Op::IAdd, &[sum, size[3]]);
    k.put(id, 4, 3, sum);
    let other = k.op(Op::ISub, &[five, id]);
    let value = k.b.emit(Op::TexelLoad, on(2), &[zero, other, zero, zero, zero], &[Width::W32; 5]);
    let detail = Detail::Barrier(Barrier { group: true, shared: false, resources: Some(BarrierScope::Group) });
    k.b.effect(Op::Barrier, Attrs::default().with_detail(detail), &[]);
    k.b.effect(Op::TexelStore, on(2), &[zero, id, zero, zero, value[0], two, two, two]);
    let program = k.program();
    let mut case = case(&program, 1, 24);
    case.resources[1] = vec![texture([2, 2], R32_UINT, &[&[10, 11, 12, 13], &[20]])];
    let Binding::Buffer(list) = buffer(&[1, 2, 3, 4, 5, 6]) else { unreachable!() };
    case.resources[2] = vec![Binding::Buffer(BufferBinding { format: Some(R32_UINT), ..list })];
    let outcome = run(&program, &case);
    let found = words(&outcome.resources[0][0]);
    // Missing alpha is 1; rows 2 and beyond do not exist; level 1 has one texel.
    let expected = [[10, 1, 20, 12], [11, 1, 20, 12], [12, 1, 0, 12], [13, 1, 0, 12], [0, 1, 0, 12], [0, 1, 0, 12]];
    for (lane, expected) in expected.iter().enumerate() {
        assert_eq!(found[4 * lane..][..4], *expected, "lane {lane}");
    }
    assert_eq!(words(&outcome.resources[2][0]), [6, 5, 4, 3, 2, 1]);
    assert_eq!(outcome.event_count, 0, "{:?}", outcome.events);
}

/// The status word of a load tells whether its texture is mapped, and texels of one that is not are 0.
#[test]
fn status_words_tell_what_is_mapped() {
    for unmapped in [false, true] {
        let mut k = Kit::new(1);
        k.interface.resources.push(resource("image", shape(Dimension::D2, Kind::Uint), Access::Read));
        let (id, zero) = (k.id(), k.word(0));
        let texel = k.b.emit(Op::TexelLoad, on(1), &[zero, zero, zero, zero, zero], &[Width::W32; 5]);
        k.put(id, 2, 0, texel[0]);
        k.put(id, 2, 1, texel[4]);
        let program = k.program();
        let mut case = case(&program, 1, 2);
        let Binding::Texture(image) = texture([1, 1], R32_UINT, &[&[7]]) else { unreachable!() };
        case.resources[1] = vec![Binding::Texture(Arc::new(Texture { unmapped, ..(*image).clone() }))];
        let expected = if unmapped { [0, 0] } else { [7, 1] };
        assert_eq!(words(&run(&program, &case).resources[0][0]), expected);
    }
}

/// Atomics on a texture: the sum of all lanes, and a race of plain stores to one texel.
#[test]
fn textures_take_atomics_and_show_races() {
    for atomic in [true, false] {
        let mut k = Kit::new(5);
        k.interface.resources.push(resource("image", shape(Dimension::D2, Kind::Uint), Access::ReadWrite));
        let id = k.id();
        let [zero, one] = [0, 1].map(|word| k.word(word));
        if atomic {
            let attrs = on(1).with_detail(Detail::Atomic(AtomicOp::Add));
            k.b.emit(Op::TexelAtomic, attrs, &[zero, one, zero, zero, id, zero], &[Width::W32]);
        } else {
            k.b.effect(Op::TexelStore, on(1), &[zero, one, zero, zero, id, id, id, id]);
        }
        let program = k.program();
        let mut case = case(&program, 1, 0);
        case.resources[1] = vec![texture([2, 1], R32_UINT, &[&[7, 100]])];
        let outcome = run(&program, &case);
        let Binding::Texture(after) = &outcome.resources[1][0] else { panic!("a texture") };
        let expected = if atomic { 110u32 } else { 4 };
        assert_eq!(after.levels[0], [7u32.to_le_bytes(), expected.to_le_bytes()].concat());
        assert_eq!(outcome.event_count, if atomic { 0 } else { 4 });
    }
}

/// Implicit levels come from the quad: a quad whose coordinates step by one texel of level 1 reads level 1.
#[test]
fn implicit_levels_come_from_the_quad() {
    let mut k = Kit::pixel();
    k.interface.resources.push(resource("image", shape(Dimension::D2, Kind::Float), Access::Read));
    k.interface.inputs.push(variable("uv", Width::W32, None));
    k.interface.outputs.push(variable("target", Width::W32, None));
    let slot = Slot::Binding { group: 0, binding: 1 };
    k.interface.samplers.push(Sampler { name: "s".into(), slot, count: Some(1), comparison: false });
    let zero = k.word(0);
    let [u, v] = [0, 1].map(|at| k.b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), at)), &[]));
    let sampled = Attrs::target(Target::Sampled(ResourceId(1), SamplerId(0)));
    let implicit = sampled.with_detail(Detail::Sampling(Sampling::at(Level::Implicit)));
    let color = k.b.emit(Op::Sample, implicit, &[zero, zero, u, v, zero, zero], &[Width::W32; 5]);
    let level = k.b.emit(Op::SampleLevel, implicit, &[zero, zero, u, v, zero, zero], &[Width::W32; 2]);
    let zero_level = sampled.with_detail(Detail::Sampling(Sampling::at(Level::Zero)));
    let gathered = k.b.emit(Op::Gather, zero_level, &[zero, zero, u, v, zero, zero], &[Width::W32; 5]);
    for (at, value) in [color[0], level[0], gathered[0], color[4]].into_iter().enumerate() {
        k.b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), at as u8)), &[value]);
    }
    let program = k.program();
    let mut case = Case::empty_for(&program, Launch::Pixels { quads: 1, helpers: Vec::new() }).unwrap();
    let floats = |values: &[f32]| -> Vec<u32> { values.iter().map(|value| value.to_bits()).collect() };
    let top: Vec<f32> = (0..16).map(|at| at as f32).collect();
    case.resources[1] =
        vec![texture([4, 4], R32_FLOAT, &[&floats(&top), &floats(&[100.0, 101.0, 102.0, 103.0]), &floats(&[200.0])])];
    case.resources[0] = vec![buffer(&[])];
    let point = Filter::Point;
    case.samplers[0] = vec![SamplerState { magnify: point, minify: point, mip: point, ..SamplerState::default() }];
    case.inputs[0].components[0] = floats(&[0.25, 0.75, 0.25, 0.75]);
    case.inputs[0].components[1] = floats(&[0.25, 0.25, 0.75, 0.75]);
    let outcome = run(&program, &case);
    let [color, level, gathered, status] = &outcome.outputs[0].components;
    // Half the texture a step: two texels of level 0, so level 1.
    assert_eq!(*color, floats(&[100.0, 101.0, 102.0, 103.0]));
    assert_eq!(*level, floats(&[1.0; 4]));
    // The footprint's lower left texel: around (1, 1) that is row 1, column 0.
    assert_eq!(*gathered, floats(&[4.0, 6.0, 12.0, 14.0]));
    assert!(status.iter().all(|word| *word != 0));
    assert_eq!(outcome.event_count, 0);
}

fn seeded(program: &Program, case: &Case, seed: u64) -> Outcome {
    let options = Options { undefined: UndefinedChoice::Seeded(seed), ..Options::default() };
    Plan::compile(program).unwrap().run(case, &options).unwrap()
}

/// Texels past the end where bounds are clamped: the nearest canonically (a load of level 1 too), any texel or zeros by seeds, with an event each.
#[test]
fn clamped_texels_out_of_range_are_events() {
    let clamped = |attrs: Attrs| attrs.with_rules(Rules { bounds: Bounds::Clamped, ..Rules::default() });
    let mut k = Kit::new(4);
    k.interface.resources.push(resource("image", shape(Dimension::D2, Kind::Uint), Access::Read));
    k.interface.resources.push(resource("target", shape(Dimension::D2, Kind::Uint), Access::ReadWrite));
    let id = k.id();
    let [zero, one, two] = [0, 1, 2].map(|word| k.word(word));
    let texel = k.b.emit(Op::TexelLoad, clamped(on(1)), &[zero, id, zero, zero, zero], &[Width::W32; 5]);
    k.put(id, 1, 0, texel[0]);
    let hundred = k.word(100);
    let new = k.op(Op::IAdd, &[id, hundred]);
    // Only lane 3 is past the end of three texels.
    k.b.effect(Op::TexelStore, clamped(on(2)), &[zero, id, zero, zero, new, one, one, two]);
    let program = k.program();
    let mut case = case(&program, 1, 4);
    case.resources[1] = vec![texture([2, 1], R32_UINT, &[&[10, 11], &[20]])];
    case.resources[2] = vec![texture([3, 1], R32_UINT, &[&[1, 2, 3]])];
    let stored = |outcome: &Outcome| {
        let Binding::Texture(texture) = &outcome.resources[2][0] else { panic!("a texture") };
        texture.levels[0].as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect::<Vec<u32>>()
    };
    let canonical = run(&program, &case);
    assert_eq!(words(&canonical.resources[0][0]), [10, 11, 11, 11]);
    assert_eq!(stored(&canonical), [100, 101, 103]);
    let events: Vec<_> = canonical.events.iter().map(|event| (event.kind, event.lane)).collect();
    let load = EventKind::LoadOutOfRange;
    // Lane 3 comes down on what lane 2 stored.
    assert_eq!(events, [(load, 2), (load, 3), (EventKind::StoreOutOfRange, 3), (EventKind::CollidingStores, 3)]);
    let mut loaded = Vec::new();
    let mut kept = Vec::new();
    for seed in 1..40 {
        let outcome = seeded(&program, &case, seed);
        let found = words(&outcome.resources[0][0]);
        assert_eq!(found[..2], [10, 11]);
        loaded.extend_from_slice(&found[2..]);
        kept.push(stored(&outcome).iter().zip([100, 101, 102]).filter(|(found, own)| *found == own).count());
    }
    let allowed = [0, 10, 11, 20];
    assert!(loaded.iter().all(|word| allowed.contains(word)) && allowed.iter().all(|word| loaded.contains(word)), "{loaded:?}");
    // Lane 3's store was dropped, or came down on one of the three.
    assert!(kept.iter().all(|count| [2, 3].contains(count)) && kept.contains(&2) && kept.contains(&3), "{kept:?}");
}

/// Two lanes store different texels to one place, and a third lane's load follows without a barrier: both are undefined.
#[test]
fn texels_race() {
    for kind in [Kind::Uint, Kind::Float] {
        let mut k = Kit::new(4);
        k.interface.resources.push(resource("target", shape(Dimension::D2, kind), Access::ReadWrite));
        let id = k.id();
        let [zero, one, two] = [0, 1, 2].map(|word| k.word(word));
        let half = k.op(Op::UShr, &[id, one]);
        let value = k.op(Op::IMul, &[id, two]);
        k.b.effect(Op::TexelStore, on(1), &[zero, half, zero, zero, value, zero, zero, zero]);
        let next = k.op(Op::IXor, &[half, one]);
        let texel = k.b.emit(Op::TexelLoad, on(1), &[zero, next, zero, zero, zero], &[Width::W32; 5]);
        k.put(id, 1, 0, texel[0]);
        let program = k.program();
        let mut case = case(&program, 1, 4);
        let format = if kind == Kind::Uint { R32_UINT } else { R32_FLOAT };
        case.resources[1] = vec![texture([2, 1], format, &[&[9, 9]])];
        let canonical = run(&program, &case);
        // Lanes 1 and 3 store last, 2 and 6.
        assert_eq!(words(&canonical.resources[0][0]), [6, 6, 2, 2]);
        assert_eq!(
            (canonical.event_count, canonical.events[0].kind, canonical.events[0].lane),
            (6, EventKind::CollidingStores, 1)
        );
        for seed in 1..9 {
            let outcome = seeded(&program, &case, seed);
            let Binding::Texture(after) = &outcome.resources[1][0] else { panic!("a texture") };
            let after: Vec<u32> = after.levels[0].as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
            assert!(after[0] != 2 && after[1] != 6, "{after:?}");
            let found = words(&outcome.resources[0][0]);
            assert!(found.iter().zip([6, 6, 2, 2]).all(|(found, stored)| *found != stored), "{found:?}");
        }
    }
}
