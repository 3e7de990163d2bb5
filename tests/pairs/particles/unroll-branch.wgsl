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
    var phi_127_: f32;
    var phi_128_: u32;
    var phi_129_: vec3<f32>;
    var phi_139_: vec3<f32>;
    var phi_140_: vec3<f32>;

    let _e18 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e22 = Simulation.count;
            if (_e18.x >= _e22) {
                break;
            }
            let _e26 = particles.member[_e18.x];
            let _e32 = Simulation.gravity;
            let _e35 = Simulation.attractors[0i];
            let _e37 = (_e35.xyz - _e26.position);
            let _e41 = Simulation.attractors[0i][3i];
            let _e49 = Simulation.attractors[1i];
            let _e51 = (_e49.xyz - _e26.position);
            let _e55 = Simulation.attractors[1i][3i];
            let _e63 = Simulation.attractors[2i];
            let _e65 = (_e63.xyz - _e26.position);
            let _e69 = Simulation.attractors[2i][3i];
            let _e77 = Simulation.attractors[3i];
            let _e79 = (_e77.xyz - _e26.position);
            let _e83 = Simulation.attractors[3i][3i];
            let _e90 = Simulation.dt;
            let _e92 = (_e26.velocity + (((((_e32 + (_e37 * (_e41 / (dot(_e37, _e37) + 0.5f)))) + (_e51 * (_e55 / (dot(_e51, _e51) + 0.5f)))) + (_e65 * (_e69 / (dot(_e65, _e65) + 0.5f)))) + (_e79 * (_e83 / (dot(_e79, _e79) + 0.5f)))) * _e90));
            let _e95 = (_e26.age + _e90);
            let _e97 = Simulation.lifetime;
            phi_127_ = _e95;
            phi_128_ = _e26.seed;
            phi_129_ = (_e26.position + (_e92 * _e90));
            if (_e95 > _e97) {
                let _e100 = ((_e26.seed * 1664525u) + 1013904223u);
                phi_127_ = 0f;
                phi_128_ = _e100;
                phi_129_ = vec3<f32>(f32((_e100 & 255u)), f32(((_e100 >> bitcast<u32>(8u)) & 255u)), f32(((_e100 >> bitcast<u32>(16u)) & 255u)));
            }
            let _e113 = phi_127_;
            let _e115 = phi_128_;
            let _e117 = phi_129_;
            phi_139_ = _e117;
            phi_140_ = _e92;
            if (_e117.y < 0f) {
                phi_139_ = vec3<f32>(_e117.x, -(_e117.y), _e117.z);
                phi_140_ = vec3<f32>(_e92.x, (_e92.y * -0.5f), _e92.z);
            }
            let _e132 = phi_139_;
            let _e134 = phi_140_;
            particles.member[_e18.x] = Particle(_e132, _e113, _e134, _e115);
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
