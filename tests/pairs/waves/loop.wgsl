struct type_u002e_Waves {
    waves: array<vec4<f32>, 6>,
    rows: array<vec4<f32>, 4>,
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
    var phi_38_: vec2<f32>;
    var phi_41_: f32;
    var phi_43_: i32;
    var local: f32;
    var local_1: vec2<f32>;
    var local_2: vec2<f32>;

    let _e14 = in_u002e_var_u002e_POSITION_1;
    phi_38_ = vec2<f32>(0f, 0f);
    phi_41_ = 0f;
    phi_43_ = 0i;
    loop {
        let _e16 = phi_38_;
        let _e18 = phi_41_;
        let _e20 = phi_43_;
        local = _e18;
        local_1 = _e16;
        local_2 = _e16;
        if (_e20 < 6i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e24 = Waves.waves[_e20];
            let _e25 = _e24.xy;
            let _e28 = Waves.time;
            let _e32 = Waves.waves[_e20][2i];
            let _e33 = fma(_e28, _e32, dot(_e25, _e14));
            let _e38 = Waves.waves[_e20][3i];
            phi_38_ = (_e16 + (_e25 * (cos(_e33) * _e38)));
            phi_41_ = fma(sin(_e33), _e38, _e18);
            phi_43_ = (_e20 + 1i);
        }
    }
    let _e48 = local;
    let _e49 = vec4<f32>(_e14.x, _e48, _e14.y, 1f);
    let _e52 = Waves.rows[0i];
    let _e56 = Waves.rows[1i];
    let _e60 = Waves.rows[2i];
    let _e64 = Waves.rows[3i];
    let _e68 = local_1;
    let _e72 = local_2;
    global = vec4<f32>(dot(_e49, _e52), dot(_e49, _e56), dot(_e49, _e60), dot(_e49, _e64));
    out_u002e_var_u002e_NORMAL = vec3<f32>(-(_e68.x), 1f, -(_e72.y));
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
