struct type_u002e_Blur {
    weights: array<vec4<f32>, 9>,
    floor_color: vec4<f32>,
    direction: vec2<f32>,
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
    var phi_40_: vec4<f32>;
    var phi_43_: i32;
    var local: vec4<f32>;

    let _e12 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e14 = Blur.floor_color;
    phi_40_ = _e14;
    phi_43_ = -4i;
    loop {
        let _e16 = phi_40_;
        let _e18 = phi_43_;
        local = _e16;
        if (_e18 <= 4i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e21 = Blur.direction;
            let _e25 = textureSampleLevel(source, linear_clamp, (_e12 + (_e21 * f32(_e18))), 0f);
            let _e30 = Blur.weights[(_e18 + 4i)][0i];
            phi_40_ = (_e16 + (_e25 * _e30));
            phi_43_ = (_e18 + 1i);
        }
    }
    let _e35 = local;
    out_u002e_var_u002e_SV_Target = _e35;
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
