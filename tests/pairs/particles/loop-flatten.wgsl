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
    var phi_61_: vec3<f32>;
    var phi_64_: i32;
    var local: vec3<f32>;
    var phi_101_: u32;
    var phi_102_: vec3<f32>;
    var phi_113_: vec3<f32>;
    var phi_114_: vec3<f32>;

    let _e18 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e22 = Simulation.count;
            if (_e18.x >= _e22) {
                break;
            }
            let _e26 = particles.member[_e18.x];
            let _e32 = Simulation.gravity;
            phi_61_ = _e32;
            phi_64_ = 0i;
            loop {
                let _e34 = phi_61_;
                let _e36 = phi_64_;
                local = _e34;
                if (_e36 < 4i) {
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e40 = Simulation.attractors[_e36];
                    let _e42 = (_e40.xyz - _e26.position);
                    let _e46 = Simulation.attractors[_e36][3i];
                    phi_61_ = (_e34 + (_e42 * (_e46 / (dot(_e42, _e42) + 0.5f))));
                    phi_64_ = (_e36 + 1i);
                }
            }
            let _e54 = Simulation.dt;
            let _e56 = local;
            let _e58 = (_e26.velocity + (_e56 * _e54));
            let _e61 = (_e26.age + _e54);
            let _e63 = Simulation.lifetime;
            let _e64 = (_e61 > _e63);
            phi_101_ = _e26.seed;
            phi_102_ = (_e26.position + (_e58 * _e54));
            if _e64 {
                let _e66 = ((_e26.seed * 1664525u) + 1013904223u);
                phi_101_ = _e66;
                phi_102_ = vec3<f32>(f32((_e66 & 255u)), f32(((_e66 >> bitcast<u32>(8u)) & 255u)), f32(((_e66 >> bitcast<u32>(16u)) & 255u)));
            }
            let _e79 = phi_101_;
            let _e81 = phi_102_;
            phi_113_ = _e81;
            phi_114_ = _e58;
            if (_e81.y < 0f) {
                phi_113_ = vec3<f32>(_e81.x, -(_e81.y), _e81.z);
                phi_114_ = vec3<f32>(_e58.x, (_e58.y * -0.5f), _e58.z);
            }
            let _e97 = phi_113_;
            let _e99 = phi_114_;
            particles.member[_e18.x] = Particle(_e97, select(_e61, 0f, _e64), _e99, _e79);
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
