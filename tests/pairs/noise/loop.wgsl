struct type_u002e_Noise {
    scale: vec2<f32>,
    time: f32,
    gain: f32,
}

@group(0) @binding(0) 
var<uniform> Noise: type_u002e_Noise;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_47_: f32;
    var phi_50_: vec2<f32>;
    var phi_52_: f32;
    var phi_54_: i32;
    var local: vec2<f32>;
    var local_1: vec2<f32>;
    var local_2: f32;
    var local_3: f32;

    let _e22 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e24 = Noise.scale;
    let _e26 = Noise.time;
    phi_47_ = 0.5f;
    phi_50_ = fma(_e22, _e24, vec2(_e26));
    phi_52_ = 0f;
    phi_54_ = 0i;
    loop {
        let _e30 = phi_47_;
        let _e32 = phi_50_;
        let _e34 = phi_52_;
        let _e36 = phi_54_;
        local = _e32;
        local_1 = _e32;
        local_2 = _e34;
        local_3 = _e30;
        if (_e36 < 4i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e38 = floor(_e32);
            let _e39 = fract(_e32);
            let _e43 = ((_e39 * _e39) * (vec2<f32>(3f, 3f) - (_e39 * 2f)));
            let _e47 = fract((sin(dot(_e38, vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
            let _e57 = fract((sin(dot((_e38 + vec2<f32>(0f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f));
            let _e65 = fma((fract((sin(dot((_e38 + vec2<f32>(1f, 0f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e47), _e43.x, _e47);
            let _e75 = Noise.gain;
            phi_47_ = (_e30 * _e75);
            phi_50_ = ((_e32 * 2f) + vec2<f32>(17.25f, 17.25f));
            phi_52_ = fma(fma((fma((fract((sin(dot((_e38 + vec2<f32>(1f, 1f)), vec2<f32>(12.9898f, 78.233f))) * 43758.547f)) - _e57), _e43.x, _e57) - _e65), _e43.y, _e65), _e30, _e34);
            phi_54_ = (_e36 + 1i);
        }
    }
    let _e79 = local;
    let _e82 = local_1;
    let _e85 = local_2;
    let _e87 = local_3;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e85, _e79.x, _e82.y, _e87);
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
