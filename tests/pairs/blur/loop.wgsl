struct type_u002e_Blur {
    weights: array<vec4<f32>, 9>,
    direction: vec2<f32>,
    radius: i32,
}

@group(0) @binding(0) 
var<uniform> Blur: type_u002e_Blur;
@group(0) @binding(100) 
var source: texture_2d<f32>;
@group(0) @binding(200) 
var linear_clamp: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_37_: vec4<f32>;
    var phi_40_: i32;
    var local: vec4<f32>;

    let _e12 = in_u002e_var_u002e_TEXCOORD0_1;
    phi_37_ = vec4<f32>(0f, 0f, 0f, 0f);
    phi_40_ = -4i;
    loop {
        let _e14 = phi_37_;
        let _e16 = phi_40_;
        local = _e14;
        if (_e16 <= 4i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e19 = Blur.direction;
            let _e23 = textureSampleLevel(source, linear_clamp, (_e12 + (_e19 * f32(_e16))), 0f);
            let _e28 = Blur.weights[(_e16 + 4i)][0i];
            phi_37_ = (_e14 + (_e23 * _e28));
            phi_40_ = (_e16 + 1i);
        }
    }
    let _e33 = local;
    out_u002e_var_u002e_SV_Target = _e33;
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
