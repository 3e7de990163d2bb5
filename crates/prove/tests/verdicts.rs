//! Wrong ports that have to be found wrong, and right ones beside them. What is right follows from how each pair is made: the port says something else
//! than the original in one place, which the test names.

use gpuproof_program::*;
use gpuproof_prove::bind::{BindError, Map, Repeat, Run, Transfer};
use gpuproof_prove::compare::Status;
use gpuproof_prove::evidence::CaseRecord;
use gpuproof_prove::{Evidence, ProveError, Settings, Subject, verify};
use gpuproof_read::wgsl;

fn program(text: &str) -> Program {
    wgsl::read(text, &wgsl::Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn held_with(original: &str, port: &str, settings: &Settings) -> Result<Evidence, ProveError> {
    let (first, second) = (program(original), program(port));
    let subjects = (Subject::new(&first, "a", original.as_bytes()), Subject::new(&second, "b", port.as_bytes()));
    verify(&subjects.0, &subjects.1, settings, &mut |_| {}).map(|verification| verification.evidence)
}

fn held(original: &str, port: &str) -> Result<Evidence, ProveError> {
    held_with(original, port, &Settings { lanes: 4096, ..Settings::default() })
}

fn status(original: &str, port: &str) -> Status {
    held(original, port).expect("evidence").status
}

/// What is left of the original, when the interfaces cannot be matched.
fn unmatched(original: &str, port: &str) -> Vec<String> {
    match held(original, port) {
        Err(ProveError::Bind(BindError::Unmatched { original, .. })) => original,
        other => panic!("{other:?}"),
    }
}

#[test]
fn packed_texels_are_compared_by_their_bits() {
    let texture = |format: &str, value: &str| {
        format!(
            "@group(0) @binding(0) var out: texture_storage_2d<{format}, write>;
            @compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {{
                let x = f32(id.x & 15u) / 16.0;
                textureStore(out, id.xy, {value});
            }}"
        )
    };
    // Alpha 1 and blue 0.75 are the high bytes ff and bf, which a float would call NaN.
    let original = texture("rgba8unorm", "vec4f(x, 0.25, 0.75, 1.0)");
    assert_eq!(status(&original, &original), Status::Holds);
    assert_eq!(status(&original, &texture("rgba8unorm", "vec4f(0.1, x, 0.75, 1.0)")), Status::Differs);
    // One step of 255 apart, and one representable half: neither is near in units of f32.
    let original = texture("rgba8unorm", "vec4f(0.5, 0.0, 0.0, 0.0)");
    assert_eq!(status(&original, &texture("rgba8unorm", "vec4f(0.502, 0.004, 0.0, 0.0)")), Status::Differs);
    let original = texture("rgba16float", "vec4f(1.0, 1.0, 1.0, 1.0)");
    assert_eq!(status(&original, &texture("rgba16float", "vec4f(1.001, 1.0, 1.0, 1.0)")), Status::Differs);
}

#[test]
fn every_component_that_the_original_writes_needs_a_partner() {
    let pixel = |result: &str, value: &str| {
        format!("@fragment fn main(@location(0) uv: vec2f) -> @location(0) {result} {{ return {result}({value}); }}")
    };
    let (four, three) = (pixel("vec4f", "uv, 1.0, 1.0"), pixel("vec3f", "uv, 1.0"));
    let left = unmatched(&four, &three);
    assert!(left.len() == 1 && left[0].ends_with(".w"), "{left:?}");
    // The port may write more.
    let evidence = held(&three, &four).expect("evidence");
    assert_eq!(evidence.status, Status::Holds);
    assert!(evidence.map.notes[0].contains("the original does not"), "{:?}", evidence.map.notes);
}

fn store(members: &str, body: &str) -> String {
    format!(
        "struct P {{ {members} }}
        @group(0) @binding(0) var<storage, read_write> parts: array<P>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {{ {body} }}"
    )
}

#[test]
fn members_numbers_and_elements_that_the_original_writes_need_room() {
    let original =
        store("pos: vec2f, age: f32, speed: f32", "parts[id.x].pos *= 2.0; parts[id.x].age = 5.0; parts[id.x].speed = 3.0;");
    let port = store("pos: vec2f, speed: f32", "parts[id.x].pos *= 2.0; parts[id.x].speed = 3.0;");
    assert_eq!(unmatched(&original, &port), ["age"]);
    let original = store("col: vec4f, k: f32", "parts[id.x].col = vec4f(1.0, 2.0, 3.0, 4.0); parts[id.x].k = 1.0;");
    let port = store("col: vec3f, k: f32", "parts[id.x].col = vec3f(1.0, 2.0, 3.0); parts[id.x].k = 1.0;");
    assert_eq!(unmatched(&original, &port), ["all but 3 of the 4 numbers of col"]);
    let original = store("a: array<f32, 8>, b: f32", "parts[id.x].a[id.x & 7u] = 2.0; parts[id.x].b = 3.0;");
    let port = store("a: array<f32, 4>, b: f32", "parts[id.x].a[id.x & 3u] = 2.0; parts[id.x].b = 3.0;");
    assert_eq!(unmatched(&original, &port), ["all but 4 of the 8 elements of a"]);
}

#[test]
fn memory_that_is_only_read_may_be_shorter_with_a_note() {
    let reading = |member: &str, used: &str| {
        format!(
            "struct C {{ k: f32, {member} }}
            @group(0) @binding(0) var<uniform> c: C;
            @fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {{ return vec4f(uv, c.k, {used}); }}"
        )
    };
    let evidence = held(&reading("col: vec4f", "c.col.x"), &reading("col: vec3f", "c.col.x")).expect("evidence");
    assert_eq!(evidence.status, Status::Holds);
    assert_eq!(evidence.map.notes, ["nothing in the port stands for c.all but 3 of the 4 numbers of col"]);
}

const REVERSE: &str = "@group(0) @binding(0) var<storage, read> src: array<f32>;
    @group(0) @binding(1) var<storage, read_write> dst: array<f32>;
    var<workgroup> s: array<f32, SIZE>;
    @compute @workgroup_size(SIZE) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3u) {
        s[i] = src[g.x * SIZE + i];
        BARRIER
        dst[g.x * SIZE + i] = s[SIZE - 1 - i];
    }";

fn reverse(size: u32, barrier: &str) -> String {
    REVERSE.replace("SIZE", &size.to_string()).replace("BARRIER", barrier)
}

#[test]
fn a_map_does_not_switch_checks_off() {
    let original = reverse(64, "workgroupBarrier();");
    let map = Map::infer(&program(&original), &program(&original)).expect("a map");
    let with =
        |port: &str, map: Map| held_with(&original, port, &Settings { lanes: 4096, map: Some(map), ..Settings::default() });
    let error = with(&reverse(32, "workgroupBarrier();"), map.clone()).expect_err("groups of other sizes");
    assert_eq!(error, ProveError::Bind(BindError::GroupSize { original: [64, 1, 1], port: [32, 1, 1] }));
    assert_eq!(with(&original, map.clone()).expect("evidence").status, Status::Holds);

    // What the original writes and no pair names.
    let mut without = map;
    without.resources.retain(|pair| pair.original != "dst");
    let evidence = with(&original, without).expect("evidence");
    assert_eq!(evidence.status, Status::Inconclusive);
    assert!(evidence.limits.contains(&"the map leaves out dst, which the original writes".to_string()), "{:?}", evidence.limits);
    // Half of each element.
    let both = store("a: f32, b: f32", "parts[id.x].a = 1.0; parts[id.x].b = 2.0;");
    let mut half = Map::infer(&program(&both), &program(&both)).expect("a map");
    let repeat = vec![Repeat { count: None, original: 8, port: 8 }];
    half.resources[0].transfer = Transfer::Bytes(vec![Run { bytes: Some(4), repeat, ..Run::identity() }]);
    let settings = Settings { lanes: 4096, map: Some(half), ..Settings::default() };
    let evidence = held_with(&both, &both, &settings).expect("evidence");
    assert_eq!(evidence.status, Status::Inconclusive);
    assert_eq!(evidence.limits, ["nothing in the port stands for parts[0].b, which the original writes"]);
}

#[test]
fn a_missing_barrier_is_never_the_same() {
    let evidence = held(&reverse(64, "workgroupBarrier();"), &reverse(64, "")).expect("evidence");
    assert_ne!(evidence.status, Status::Holds, "{:?}", evidence.census);
    assert!(evidence.limits.iter().any(|limit| limit.contains("Race at line 7")), "{:?}", evidence.limits);
    // What both leave undefined is no reason against the port.
    let evidence = held(&reverse(64, ""), &reverse(64, "workgroupBarrier();")).expect("evidence");
    assert_ne!(evidence.status, Status::Differs, "{:?}", evidence.census);
}

#[test]
fn lanes_that_never_end_are_a_limit_and_do_not_stop_the_search_for_the_place() {
    let looping = |last: &str| {
        format!(
            "@fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {{
                var x = uv.x;
                loop {{ if (bitcast<u32>(uv.x) % 1021u != 7u) {{ break; }} x = x * 0.5; }}
                return vec4f(uv, x, {last});
            }}"
        )
    };
    let settings = Settings { lanes: 65536, max_steps: 14_000_000, ..Settings::default() };
    let evidence = held_with(&looping("1.0"), &looping("1.0"), &settings).expect("evidence");
    assert_eq!(evidence.status, Status::Inconclusive, "{:?}", evidence.limits);
    assert!(
        evidence.limits.iter().any(|limit| limit.contains(" lanes: the original did not end on all of them")),
        "{:?}",
        evidence.limits
    );
    let evidence = held_with(&looping("1.0"), &looping("0.5"), &settings).expect("evidence");
    assert_eq!(evidence.status, Status::Differs);
}

#[test]
fn a_program_without_end_is_given_fewer_steps_from_case_to_case() {
    // Whether any lane ends is up to a constant of the case.
    let looping = "@group(0) @binding(0) var<uniform> key: u32;
        @fragment fn main(@location(0) uv: vec2f) -> @location(0) vec4f {
            var x = uv.x;
            loop { if ((key * 2654435761u) >> 29u == 5u) { break; } x = x * 0.5; }
            return vec4f(uv, x, 1.0);
        }";
    let evidence = held_with(looping, looping, &Settings::default()).expect("evidence");
    assert_eq!(evidence.status, Status::Inconclusive, "{:?}", evidence.limits);
    let given_up = |case: &CaseRecord| -> Option<u64> {
        let after = case.abandoned.as_ref()?.split("gave up after ").nth(1)?;
        after.split(' ').next()?.parse().ok()
    };
    let steps: Vec<Option<u64>> = evidence.cases.iter().map(given_up).collect();
    // Until one is compared; a step of all lanes may reach past the limit.
    let first: Vec<u64> = steps.iter().map_while(|steps| *steps).collect();
    let at_most = |at: usize, most: u64| first.get(at).is_none_or(|steps| (most..most + 10_000).contains(steps));
    assert!(first.len() > 2 && at_most(1, 16_000_000) && (2..first.len()).all(|at| at_most(at, 4_000_000)), "{steps:?}");
    assert!(
        steps.contains(&None) && evidence.limits.iter().any(|limit| limit.contains("fewer steps, 4000000 in the end")),
        "{:?}",
        evidence.limits
    );
}

#[test]
fn appended_rows_of_other_values_are_different() {
    let append = |factor: u32| {
        format!(
            "@group(0) @binding(0) var<storage, read> src: array<u32>;
            @group(0) @binding(1) var<storage, read_write> dst: array<u32>;
            @group(0) @binding(2) var<storage, read_write> count: atomic<u32>;
            @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {{
                let v = src[id.x];
                if ((v & 1u) == 1u) {{
                    let at = atomicAdd(&count, 1u);
                    if (at < arrayLength(&dst)) {{ dst[at] = v * {factor}u; }}
                }}
            }}"
        )
    };
    let total = held(&append(3), &append(5)).expect("evidence").census.total();
    assert!(total.different > 100, "{total:?}");
    assert_ne!(status(&append(3), &append(3)), Status::Differs);
}

/// A vertex program that writes 0 to its one output: always, or only where its input is not zero.
fn writes_zero(always: bool) -> Program {
    let variable = |name: &str| IoVariable {
        name: name.into(),
        semantic_index: 0,
        location: Some(0),
        blend_source: None,
        mask: 1,
        kind: Kind::Uint,
        width: Width::W32,
        builtin: None,
        interpolation: Interpolation::Linear,
        rate: Rate::Lane,
    };
    let mut b = FunctionBuilder::new("main", &[]);
    let x = b.value_of(Width::W32, Op::Input, Attrs::target(Target::Input(InputId(0), 0)), &[]);
    let zero = b.word(0);
    let set = b.value(Op::INe, Attrs::default(), &[x, zero]);
    if always {
        b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[zero]);
    } else {
        b.begin_if(set);
        b.effect(Op::Output, Attrs::target(Target::Output(OutputId(0), 0)), &[zero]);
        b.end_if();
    }
    Program {
        name: "main".into(),
        dialect: Dialect::D3D11,
        stage: Stage::Vertex,
        group_size: [1; 3],
        assembly: Assembly::None,
        interface: Interface { inputs: vec![variable("V")], outputs: vec![variable("R")], ..Interface::default() },
        arrays: Vec::new(),
        shared: Vec::new(),
        functions: vec![b.finish()],
        entry: FunctionId(0),
        source: Source::default(),
        notes: Vec::new(),
    }
}

#[test]
fn a_zero_that_the_port_does_not_write_is_not_the_same() {
    let (always, sometimes) = (writes_zero(true), writes_zero(false));
    let status = |original: &Program, port: &Program| {
        let settings = Settings { lanes: 4096, ..Settings::default() };
        let subjects = (Subject::new(original, "a", b"a"), Subject::new(port, "b", b"b"));
        verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("evidence").evidence.status
    };
    assert_eq!(status(&always, &sometimes), Status::Differs);
    // What the original does not write, the port may.
    assert_eq!(status(&sometimes, &always), Status::Holds);
}
