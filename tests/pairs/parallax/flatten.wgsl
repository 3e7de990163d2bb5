struct type_u002e_Parallax {
    delta: vec2<f32>,
    step_size: f32,
    max_steps: i32,
}

@group(0) @binding(0) 
var<uniform> Parallax: type_u002e_Parallax;
@group(0) @binding(100) 
var heights: texture_2d<f32>;
@group(0) @binding(101) 
var colors: texture_2d<f32>;
@group(0) @binding(200) 
var wrap: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_43_: f32;
    var phi_46_: vec2<f32>;
    var phi_48_: i32;
    var phi_44_: f32;
    var phi_47_: vec2<f32>;
    var local: vec2<f32>;
    var local_1: f32;
    var local_2: f32;
    var local_3: vec2<f32>;

    let _e13 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e14 = dpdx(_e13);
    let _e15 = dpdy(_e13);
    let _e17 = Parallax.max_steps;
    phi_43_ = 1f;
    phi_46_ = _e13;
    phi_48_ = 0i;
    loop {
        let _e20 = phi_43_;
        let _e22 = phi_46_;
        let _e24 = phi_48_;
        local = _e22;
        local_1 = _e20;
        if (_e24 < min(_e17, 24i)) {
            let _e26 = textureSampleGrad(heights, wrap, _e22, _e14, _e15);
            if (_e26.x >= _e20) {
                break;
            }
            if (_e24 > 8i) {
                let _e31 = Parallax.step_size;
                let _e35 = Parallax.delta;
                phi_44_ = fma(-(_e31), 2f, _e20);
                phi_47_ = (_e22 + (_e35 * 2f));
            } else {
                let _e39 = Parallax.step_size;
                let _e42 = Parallax.delta;
                phi_44_ = (_e20 - _e39);
                phi_47_ = (_e22 + _e42);
            }
            let _e45 = phi_44_;
            let _e47 = phi_47_;
            local_2 = _e45;
            local_3 = _e47;
            continue;
        } else {
            break;
        }
        continuing {
            let _e57 = local_2;
            phi_43_ = _e57;
            let _e60 = local_3;
            phi_46_ = _e60;
            phi_48_ = (_e24 + 1i);
        }
    }
    let _e50 = local;
    let _e51 = textureSampleGrad(colors, wrap, _e50, _e14, _e15);
    let _e53 = local_1;
    out_u002e_var_u002e_SV_Target = (_e51 * _e53);
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
