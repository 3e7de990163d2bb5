//! What binds without a hand-written map, and what is said of what does not.

use gpuproof_program::Program;
use gpuproof_prove::bind::{BindError, Map, Run, Transfer};
use gpuproof_prove::compare::Status;
use gpuproof_prove::{Settings, Subject, verify};
use gpuproof_read::wgsl;

fn program(text: &str) -> Program {
    wgsl::read(text, &wgsl::Options::default()).expect("a program")
}

/// A program that moves particles, with these members of a particle and this step.
fn particles(members: &str, step: &str) -> Program {
    program(&format!(
        "struct Particle {{ {members} }}
        @group(0) @binding(0) var<storage, read_write> particles: array<Particle>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3u) {{
            if (id.x < arrayLength(&particles)) {{ {step} }}
        }}"
    ))
}

fn original() -> Program {
    particles(
        "position: vec3f, mass: f32, spin: vec4f",
        "let p = particles[id.x];
         particles[id.x].position = p.position + p.spin.xyz * p.mass;
         particles[id.x].spin = p.spin.yzwx;",
    )
}

/// A structure of the same words is the same memory, whatever its members are called and grouped as: offsets by WGSL's rules are 0, 12, 16 in the
/// original, and 0, 4, 8, 12, 16 and so on in words.
#[test]
fn members_that_are_grouped_otherwise_bind_by_their_words() {
    let ports = [
        (
            "px: f32, py: f32, pz: f32, mass: f32, spin: vec4f",
            "let p = particles[id.x];
             particles[id.x].px = p.px + p.spin.x * p.mass;
             particles[id.x].py = p.py + p.spin.y * p.mass;
             particles[id.x].pz = p.pz + p.spin.z * p.mass;
             particles[id.x].spin = p.spin.yzwx;",
        ),
        (
            "position_mass: vec4f, spin: array<f32, 4>",
            "var p = particles[id.x];
             particles[id.x].position_mass = vec4f(p.position_mass.xyz + vec3f(p.spin[0], p.spin[1], p.spin[2]) * p.position_mass.w, p.position_mass.w);
             particles[id.x].spin = array<f32, 4>(p.spin[1], p.spin[2], p.spin[3], p.spin[0]);",
        ),
        (
            "position: array<f32, 3>, mass: f32, spin: vec4f",
            "let p = particles[id.x];
             let moved = vec3f(p.position[0], p.position[1], p.position[2]) + p.spin.xyz * p.mass;
             particles[id.x].position = array<f32, 3>(moved.x, moved.y, moved.z);
             particles[id.x].spin = p.spin.yzwx;",
        ),
    ];
    let original = original();
    for (members, step) in ports {
        let port = particles(members, step);
        let map = Map::infer(&original, &port).unwrap_or_else(|error| panic!("{members}: {error}"));
        assert_eq!(map.resources[0].transfer, Transfer::Bytes(vec![Run::identity()]), "{members}");
        let subjects = (Subject::new(&original, "original", b""), Subject::new(&port, "port", b""));
        let settings = Settings { lanes: 2048, ..Settings::default() };
        let evidence = verify(&subjects.0, &subjects.1, &settings, &mut |_| {}).expect("a comparison").evidence;
        assert_eq!(evidence.status, Status::Holds, "{members}");
    }
}

/// Words that one side lacks are no regrouping: the original's spin.w at byte 28 has no room in a structure of 28 bytes, nor has the port's stride its.
#[test]
fn words_that_are_not_there_do_not_bind() {
    let port = particles(
        "x: f32, y: f32, z: f32, mass: f32, turn: array<f32, 3>",
        "particles[id.x].x = particles[id.x].mass * particles[id.x].turn[2] + particles[id.x].y + particles[id.x].z;",
    );
    let found = Map::infer(&original(), &port);
    assert!(matches!(found, Err(BindError::Unmatched { .. })), "{found:?}");
}

/// Of two programs that do not bind, what does is found, and the rest is told by kind and side.
#[test]
fn a_part_of_a_map_is_found_with_what_is_open() {
    let shade = |extra: &str, result: &str| {
        program(&format!(
            "@group(0) @binding(0) var colors: texture_2d<f32>;
            @group(0) @binding(1) var linear: sampler;
            @fragment fn main(@location(0) uv: vec2f{extra}) -> @location(0) vec4f {{
                return textureSample(colors, linear, uv){result};
            }}"
        ))
    };
    let (original, port) = (shade("", ""), shade(", @location(5) glow: vec4f", " + glow"));
    assert!(Map::infer(&original, &port).is_err());
    let (map, open) = Map::infer_part(&original, &port).expect("programs of one stage");
    assert_eq!((map.inputs.len(), map.outputs.len(), map.resources.len(), map.samplers.len()), (1, 1, 1, 1));
    let expected = BindError::Unmatched { what: "inputs".into(), original: Vec::new(), port: vec!["glow".into()] };
    assert_eq!(open, [expected]);
}
