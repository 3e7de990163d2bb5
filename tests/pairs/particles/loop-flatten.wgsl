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
    var phi_64_: vec3<f32>;
    var phi_67_: i32;
    var local: vec3<f32>;
    var phi_104_: u32;
    var phi_105_: vec3<f32>;
    var phi_116_: vec3<f32>;
    var phi_117_: vec3<f32>;

    let _e18 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e24 = Simulation.count;
            if (_e18.x >= min(_e24, arrayLength((&particles.member)))) {
                break;
            }
            let _e29 = particles.member[_e18.x];
            let _e35 = Simulation.gravity;
            phi_64_ = _e35;
            phi_67_ = 0i;
            loop {
                let _e37 = phi_64_;
                let _e39 = phi_67_;
                local = _e37;
                if (_e39 < 4i) {
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e43 = Simulation.attractors[_e39];
                    let _e45 = (_e43.xyz - _e29.position);
                    let _e49 = Simulation.attractors[_e39][3i];
                    phi_64_ = (_e37 + (_e45 * (_e49 / (dot(_e45, _e45) + 0.5f))));
                    phi_67_ = (_e39 + 1i);
                }
            }
            let _e57 = Simulation.dt;
            let _e59 = local;
            let _e61 = (_e29.velocity + (_e59 * _e57));
            let _e64 = (_e29.age + _e57);
            let _e66 = Simulation.lifetime;
            let _e67 = (_e64 > _e66);
            phi_104_ = _e29.seed;
            phi_105_ = (_e29.position + (_e61 * _e57));
            if _e67 {
                let _e69 = ((_e29.seed * 1664525u) + 1013904223u);
                phi_104_ = _e69;
                phi_105_ = vec3<f32>(f32((_e69 & 255u)), f32(((_e69 >> bitcast<u32>(8u)) & 255u)), f32(((_e69 >> bitcast<u32>(16u)) & 255u)));
            }
            let _e82 = phi_104_;
            let _e84 = phi_105_;
            phi_116_ = _e84;
            phi_117_ = _e61;
            if (_e84.y < 0f) {
                phi_116_ = vec3<f32>(_e84.x, -(_e84.y), _e84.z);
                phi_117_ = vec3<f32>(_e61.x, (_e61.y * -0.5f), _e61.z);
            }
            let _e100 = phi_116_;
            let _e102 = phi_117_;
            particles.member[_e18.x] = Particle(_e100, select(_e64, 0f, _e67), _e102, _e82);
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
