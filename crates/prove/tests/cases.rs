//! Cases of programs that look at samples, waves and tiles, and the places that their indices reach.

use gpuproof_number::format::Format;
use gpuproof_program::{Builtin, Dialect, Program};
use gpuproof_prove::bind::Map;
use gpuproof_prove::cases::{Generator, NamedCase, UserInputs};
use gpuproof_read::{dxbc, wgsl};
use gpuproof_run::{Binding, BufferBinding, Launch};
use std::collections::BTreeSet;
use std::sync::Arc;

fn program(text: &str) -> Program {
    wgsl::read(text, &wgsl::Options::default()).expect("a program")
}

fn cases(program: &Program) -> Vec<NamedCase> {
    let map = Map::infer(program, program).expect("a map");
    let binding = map.resolve(program, program).expect("a binding");
    let user = UserInputs::default();
    let generator = Generator::new(program, program, &binding, &user, (1, 14 * 256, 14)).expect("a generator");
    (0..generator.count()).map(|number| generator.case(number)).collect()
}

fn words<'a>(program: &Program, case: &'a NamedCase, builtin: Builtin) -> &'a [u32] {
    let at = program.interface.inputs.iter().position(|input| input.builtin == Some(builtin)).expect("the input");
    &case.case.inputs[at].components[0]
}

/// A rasteriser covers at least one sample of a pixel that is no helper, none past the target's, and none of a helper (D3D11 15.4; WGSL sample_mask).
#[test]
fn masks_of_samples_are_those_that_a_rasteriser_gives() {
    let program = program(
        "@fragment fn main(@builtin(sample_mask) mask: u32) -> @location(0) vec4f { return vec4f(f32(countOneBits(mask))); }",
    );
    let mut seen = BTreeSet::new();
    for case in cases(&program) {
        let Launch::Pixels { helpers, .. } = &case.case.launch else { panic!("pixels") };
        for (lane, mask) in words(&program, &case, Builtin::SampleMask).iter().enumerate() {
            let helper = helpers.get(lane).copied().unwrap_or(false);
            assert_eq!(*mask == 0, helper, "lane {lane} of case {}", case.number);
            assert!(u64::from(*mask) < 1 << case.case.samples, "{mask:#x} of {} samples", case.case.samples);
            seen.insert(mask.count_ones());
        }
    }
    assert!(seen.len() > 4, "{seen:?}");
}

/// A program that reads its sample runs once for each, the four pixels of a quad for the same one, and is covered there alone.
#[test]
fn a_program_that_reads_its_sample_runs_once_a_sample() {
    let program = program(
        "@fragment fn main(@builtin(sample_index) index: u32, @builtin(sample_mask) mask: u32) -> @location(0) vec4f {
            return vec4f(f32(index), f32(mask), 0.0, 0.0);
        }",
    );
    let mut seen = BTreeSet::new();
    for case in cases(&program) {
        let (indices, masks) = (words(&program, &case, Builtin::SampleIndex), words(&program, &case, Builtin::SampleMask));
        for (quad, masks) in indices.chunks_exact(4).zip(masks.chunks_exact(4)) {
            assert!(quad.iter().all(|index| *index == quad[0] && *index < case.case.samples));
            assert!(masks.iter().all(|mask| *mask == 0 || *mask == 1 << quad[0]));
            seen.insert(quad[0]);
        }
    }
    assert!(seen.len() > 4, "{seen:?}");
}

/// WGSL, subgroup_size: a power of two from 4 to 128 that the device chooses.
#[test]
fn waves_have_every_size_where_a_program_looks_at_them() {
    let sizes = |text: &str| cases(&program(text)).iter().map(|case| case.case.wave_size).collect::<BTreeSet<u32>>();
    let text = |value: &str| {
        format!(
            "enable subgroups;
            @group(0) @binding(0) var<storage, read_write> out: array<u32>;
            @compute @workgroup_size(128) fn main(@builtin(global_invocation_id) id: vec3u) {{ out[id.x] = {value}; }}"
        )
    };
    assert_eq!(sizes(&text("subgroupAdd(id.x)")), BTreeSet::from([4, 8, 16, 32, 64, 128]));
    assert_eq!(sizes(&text("id.x + 1u")), BTreeSet::from([32]));
}

/// A buffer of 16 bytes where 32 are declared is taken and said to be short; one of 32 is not.
#[test]
fn a_short_constant_buffer_is_told() {
    let program = program(
        "struct Frame { tint: vec4f, rest: vec4f }
        @group(0) @binding(0) var<uniform> frame: Frame;
        @fragment fn main() -> @location(0) vec4f { return frame.tint + frame.rest; }",
    );
    let given = |bytes: usize| {
        let binding = Binding::Buffer(BufferBinding { bytes: Arc::new(vec![0; bytes]), format: None, counter: 0 });
        let user = UserInputs { resources: vec![(gpuproof_program::ResourceId(0), 0, binding)], ..UserInputs::default() };
        user.short(&program)
    };
    assert_eq!(given(32), Vec::<String>::new());
    let told = given(16);
    assert!(told.len() == 1 && told[0].contains("frame was given 16 of the 32 bytes"), "{told:?}");
}

/// A loop that a group's threads share goes on from a thread's number by the group's size: its limit has to be more than the group for a second round.
#[test]
fn what_limits_threads_reaches_beyond_a_group() {
    let counts = |start: &str, step: &str| -> Vec<u32> {
        let program = program(&format!(
            "struct Work {{ count: u32 }}
            @group(0) @binding(0) var<uniform> work: Work;
            @group(0) @binding(1) var<storage, read_write> out: array<u32>;
            @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) t: u32) {{
                var sum = 0u;
                for (var i = {start}; i < work.count; i += {step}) {{ sum += i; }}
                out[t] = sum;
            }}"
        ));
        let count = |case: &NamedCase| match &case.case.resources[0][0] {
            Binding::Buffer(buffer) => u32::from_le_bytes(buffer.bytes[..4].try_into().expect("a word")),
            _ => panic!("a buffer"),
        };
        cases(&program).iter().map(count).collect()
    };
    let shared = counts("t", "64u");
    assert!(shared.iter().any(|count| *count > 64) && shared.iter().any(|count| *count < 64), "{shared:?}");
    // What only says how often is small: more rounds show nothing new.
    let own = counts("0u", "1u");
    assert!(own.iter().all(|count| *count <= 8), "{own:?}");
}

/// Threads that write equal words to one place do not race: in some cases all elements are the same, so that what is computed from any is.
#[test]
fn elements_are_all_the_same_in_some_cases() {
    let program = program(
        "struct Item { a: f32, b: u32 }
        @group(0) @binding(0) var<storage> items: array<Item>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) { out[id.y] = items[id.x].b; }",
    );
    let even = |case: &NamedCase| match &case.case.resources[0][0] {
        Binding::Buffer(buffer) => buffer.bytes.chunks_exact(8).all(|item| item == &buffer.bytes[..8]),
        _ => panic!("a buffer"),
    };
    let even = cases(&program).iter().filter(|case| even(case)).count();
    assert!((1..=4).contains(&even), "{even} cases");
}

/// One case of those that are compared has textures and samplers of the rarer kinds: over many seeds every format that a view of such a
/// texture may have (Direct3D 11.3, 19.1), none that it may not, and every state; and the program runs on it.
#[test]
fn one_case_has_rare_formats_and_states() {
    let program = program(
        "@group(0) @binding(0) var colour: texture_2d<f32>;
        @group(0) @binding(1) var sky: texture_cube_array<f32>;
        @group(0) @binding(2) var volume: texture_3d<f32>;
        @group(0) @binding(3) var shadow: texture_depth_2d;
        @group(0) @binding(4) var ids: texture_2d<u32>;
        @group(0) @binding(5) var linear: sampler;
        @group(0) @binding(6) var less: sampler_comparison;
        @fragment fn main(@location(0) uv: vec3f) -> @location(0) vec4f {
            return textureSample(colour, linear, uv.xy) + textureSample(sky, linear, uv, 1) + textureSample(volume, linear, uv)
                + textureSampleCompare(shadow, less, uv.xy, uv.z) + vec4f(textureLoad(ids, vec2u(uv.xy * 8.0), 0));
        }",
    );
    let map = Map::infer(&program, &program).expect("a map");
    let binding = map.resolve(&program, &program).expect("a binding");
    let user = UserInputs::default();
    let plan = gpuproof_run::Plan::compile(&program).expect("a plan");
    let (mut formats, mut states) = (vec![BTreeSet::new(); 5], [false; 4]);
    for seed in 0..400 {
        let generator = Generator::new(&program, &program, &binding, &user, (seed, 14 * 4, 14)).expect("a generator");
        let case = generator.case(9).case;
        plan.run(&case, &gpuproof_run::Options::default()).expect("it runs");
        for (seen, bound) in formats.iter_mut().zip(&case.resources) {
            let Binding::Texture(texture) = &bound[0] else { panic!("a texture") };
            seen.insert(Format::from_dxgi(texture.format.0).expect("a format").name);
            states[3] |= texture.min_lod > 0.0;
        }
        let state = case.samplers[0][0];
        states[0] |= state.max_anisotropy.is_some();
        states[1] |= state.reduction != gpuproof_run::FilterReduction::Average;
        states[2] |= state.min_lod > 0.0 && state.max_lod < 8.0;
        assert!(case.samplers[1][0].max_anisotropy.is_none() && case.samplers[1][0].comparison.is_some());
    }
    assert_eq!(states, [true; 4]);
    for seen in &formats[..2] {
        for name in ["BC1_UNORM", "BC3_UNORM_SRGB", "BC4_SNORM", "BC5_UNORM", "BC6H_UF16", "BC7_UNORM", "R9G9B9E5_SHAREDEXP"] {
            assert!(seen.contains(name), "{name} of {seen:?}");
        }
    }
    assert!(["R11G11B10_FLOAT", "B5G6R5_UNORM", "B8G8R8A8_UNORM_SRGB"].iter().all(|name| formats[2].contains(name)));
    assert!(formats[2].iter().all(|name| !name.starts_with("BC")), "blocks in a volume: {:?}", formats[2]);
    assert_eq!(formats[3], BTreeSet::from(["R32_FLOAT", "R24_UNORM_X8_TYPELESS", "R16_UNORM"]));
    assert!(formats[4].iter().all(|name| name.ends_with("_UINT")) && formats[4].len() == 5, "{:?}", formats[4]);
}

fn fixture(name: &str) -> Program {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/fixtures/{name}.dxbc"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    dxbc::Container::parse(&bytes).and_then(|container| dxbc::program(&container)).expect("a program")
}

/// A program that asks whether what it read was mapped has cases in which a texture is not; WebGPU has no tiled resources, so its ports have none.
#[test]
fn some_cases_lack_the_tiles_of_a_texture() {
    let original = fixture("feedback/ps_5_0");
    let unmapped = |case: &NamedCase| -> Vec<usize> {
        let of = |binding: &Binding| matches!(binding, Binding::Texture(texture) if texture.unmapped);
        (0..case.case.resources.len()).filter(|at| case.case.resources[*at].iter().any(of)).collect()
    };
    let lacking: Vec<Vec<usize>> = cases(&original).iter().map(unmapped).filter(|lacking| !lacking.is_empty()).collect();
    assert!((2..=4).contains(&lacking.len()), "{lacking:?}");
    assert!(
        lacking.iter().all(|lacking| lacking.len() == 1) && lacking[0] != lacking[1],
        "one, and each in its turn: {lacking:?}"
    );
    let port = Program { dialect: Dialect::Wgsl, ..original.clone() };
    let binding = Map::infer(&original, &port).and_then(|map| map.resolve(&original, &port)).expect("a binding");
    let user = UserInputs::default();
    let generator = Generator::new(&original, &port, &binding, &user, (1, 14 * 256, 14)).expect("a generator");
    assert!((0..generator.count()).all(|number| unmapped(&generator.case(number)).is_empty()));
}

/// What is taken modulo the length of an array may be any number: here 5 where the other array has 3 elements.
#[test]
fn remainders_find_places_whatever_they_are_of() {
    let program = program(
        "struct In { @location(0) @interpolate(flat) at: vec2u }
        @fragment fn main(in: In) -> @location(0) vec4f {
            var few = array(1.0, 2.0, 3.0);
            var many = array(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
            return vec4f(few[in.at.x % 3u], many[in.at.x % 6u], few[in.at.y], 0.0);
        }",
    );
    let all = cases(&program);
    let component = |at: usize| all.iter().flat_map(move |case| case.case.inputs[0].components[at].clone());
    assert_eq!(component(0).map(|x| x % 6).collect::<BTreeSet<u32>>().len(), 6);
    assert!(component(1).all(|y| y < 3), "an index stays where it hits");
}

/// An interface's instance lies in a constant buffer that is declared: elsewhere it reads zeros, which show nothing.
#[test]
fn instances_lie_in_declared_buffers() {
    let program = fixture("interfaces/ps_5_0");
    let at = program.interface.resources.iter().position(|resource| resource.name == dxbc::INSTANCES).expect("instances");
    let mut tables = BTreeSet::new();
    for case in cases(&program) {
        let Binding::Buffer(buffer) = &case.case.resources[at][0] else { panic!("a buffer") };
        let word = |offset: usize| u32::from_le_bytes(buffer.bytes[offset..offset + 4].try_into().expect("a word"));
        // Three slots of 32 bytes: the first word is the buffer, of which only b0 is declared, the fifth the table.
        for slot in 0..3 {
            assert_eq!(word(slot * 32), 0, "slot {slot} of case {}", case.number);
            tables.insert((slot, word(slot * 32 + 16) % 2));
        }
    }
    assert_eq!(tables.len(), 6, "each slot holds each of its classes: {tables:?}");
}

/// Where a group keeps a place that one of its threads took, every thread stores behind it; a counter that may hold any word would put all stores out of
/// range.
#[test]
fn what_is_kept_in_group_shared_memory_and_used_as_an_index_is_one() {
    let program = program(
        "@group(0) @binding(0) var<storage, read_write> count: array<atomic<u32>, 1>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        var<workgroup> first: u32;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) at: u32) {
            if at == 0u { first = atomicAdd(&count[0], 64u); }
            workgroupBarrier();
            out[first + at] = at;
        }",
    );
    let at = |name: &str| program.interface.resources.iter().position(|resource| resource.name == name).expect("a resource");
    for case in cases(&program) {
        let bytes = |name: &str| match &case.case.resources[at(name)][0] {
            Binding::Buffer(buffer) => buffer.bytes.clone(),
            other => panic!("{other:?}"),
        };
        let (count, out) = (bytes("count"), bytes("out").len() as u32 / 4);
        let first = u32::from_le_bytes(count[..4].try_into().expect("a word"));
        assert!(first + 64 <= out, "case {}: from {first} of {out} on", case.number);
    }
}
