struct type_u002e_Simulation {
    attractors: array<vec4<f32>, 4>,
    gravity: vec3<f32>,
    dt: f32,
    lifetime: f32,
    count: u32,
}

struct Particle {
    position: vec3<f32>,
    age: f32,
    velocity: vec3<f32>,
    seed: u32,
}

struct type_u002e_RWStructuredBuffer_u002e_Particle {
    member: array<Particle>,
}

@group(0) @binding(0) 
var<uniform> Simulation: type_u002e_Simulation;
@group(0) @binding(300) 
var<storage, read_write> particles: type_u002e_RWStructuredBuffer_u002e_Particle;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_130_: u32;
    var phi_131_: vec3<f32>;
    var phi_142_: vec3<f32>;
    var phi_143_: vec3<f32>;

    let _e18 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e24 = Simulation.count;
            if (_e18.x >= min(_e24, arrayLength((&particles.member)))) {
                break;
            }
            let _e29 = particles.member[_e18.x];
            let _e35 = Simulation.gravity;
            let _e38 = Simulation.attractors[0i];
            let _e40 = (_e38.xyz - _e29.position);
            let _e44 = Simulation.attractors[0i][3i];
            let _e52 = Simulation.attractors[1i];
            let _e54 = (_e52.xyz - _e29.position);
            let _e58 = Simulation.attractors[1i][3i];
            let _e66 = Simulation.attractors[2i];
            let _e68 = (_e66.xyz - _e29.position);
            let _e72 = Simulation.attractors[2i][3i];
            let _e80 = Simulation.attractors[3i];
            let _e82 = (_e80.xyz - _e29.position);
            let _e86 = Simulation.attractors[3i][3i];
            let _e93 = Simulation.dt;
            let _e95 = (_e29.velocity + (((((_e35 + (_e40 * (_e44 / (dot(_e40, _e40) + 0.5f)))) + (_e54 * (_e58 / (dot(_e54, _e54) + 0.5f)))) + (_e68 * (_e72 / (dot(_e68, _e68) + 0.5f)))) + (_e82 * (_e86 / (dot(_e82, _e82) + 0.5f)))) * _e93));
            let _e98 = (_e29.age + _e93);
            let _e100 = Simulation.lifetime;
            let _e101 = (_e98 > _e100);
            phi_130_ = _e29.seed;
            phi_131_ = (_e29.position + (_e95 * _e93));
            if _e101 {
                let _e103 = ((_e29.seed * 1664525u) + 1013904223u);
                phi_130_ = _e103;
                phi_131_ = vec3<f32>(f32((_e103 & 255u)), f32(((_e103 >> bitcast<u32>(8u)) & 255u)), f32(((_e103 >> bitcast<u32>(16u)) & 255u)));
            }
            let _e116 = phi_130_;
            let _e118 = phi_131_;
            phi_142_ = _e118;
            phi_143_ = _e95;
            if (_e118.y < 0f) {
                phi_142_ = vec3<f32>(_e118.x, -(_e118.y), _e118.z);
                phi_143_ = vec3<f32>(_e95.x, (_e95.y * -0.5f), _e95.z);
            }
            let _e134 = phi_142_;
            let _e136 = phi_143_;
            particles.member[_e18.x] = Particle(_e134, select(_e98, 0f, _e101), _e136, _e116);
            break;
        }
    }
    return;
}

@compute @workgroup_size(64, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
