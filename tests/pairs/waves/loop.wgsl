struct type_u002e_Waves {
    waves: array<vec4<f32>, 6>,
    rows: array<vec4<f32>, 4>,
    rest: vec3<f32>,
    time: f32,
}

struct VertexOutput {
    @builtin(position) member: vec4<f32>,
    @location(0) member_1: vec3<f32>,
}

@group(0) @binding(0) 
var<uniform> Waves: type_u002e_Waves;
var<private> in_u002e_var_u002e_POSITION_1: vec2<f32>;
var<private> global: vec4<f32> = vec4<f32>(0f, 0f, 0f, 1f);
var<private> out_u002e_var_u002e_NORMAL: vec3<f32>;

fn main_1() {
    var phi_42_: vec2<f32>;
    var phi_45_: f32;
    var phi_47_: i32;
    var local: f32;
    var local_1: vec2<f32>;
    var local_2: vec2<f32>;

    let _e12 = in_u002e_var_u002e_POSITION_1;
    let _e16 = Waves.rest[1i];
    let _e17 = Waves.rest;
    phi_42_ = _e17.xz;
    phi_45_ = _e16;
    phi_47_ = 0i;
    loop {
        let _e20 = phi_42_;
        let _e22 = phi_45_;
        let _e24 = phi_47_;
        local = _e22;
        local_1 = _e20;
        local_2 = _e20;
        if (_e24 < 6i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e28 = Waves.waves[_e24];
            let _e29 = _e28.xy;
            let _e32 = Waves.time;
            let _e36 = Waves.waves[_e24][2i];
            let _e37 = fma(_e32, _e36, dot(_e29, _e12));
            let _e42 = Waves.waves[_e24][3i];
            phi_42_ = (_e20 + (_e29 * (cos(_e37) * _e42)));
            phi_45_ = fma(sin(_e37), _e42, _e22);
            phi_47_ = (_e24 + 1i);
        }
    }
    let _e52 = local;
    let _e53 = vec4<f32>(_e12.x, _e52, _e12.y, 1f);
    let _e56 = Waves.rows[0i];
    let _e60 = Waves.rows[1i];
    let _e64 = Waves.rows[2i];
    let _e68 = Waves.rows[3i];
    let _e72 = local_1;
    let _e76 = local_2;
    global = vec4<f32>(dot(_e53, _e56), dot(_e53, _e60), dot(_e53, _e64), dot(_e53, _e68));
    out_u002e_var_u002e_NORMAL = vec3<f32>(-(_e72.x), 1f, -(_e76.y));
    return;
}

@vertex 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec2<f32>) -> VertexOutput {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    main_1();
    let _e4 = global;
    let _e5 = out_u002e_var_u002e_NORMAL;
    return VertexOutput(_e4, _e5);
}
