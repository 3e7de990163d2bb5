struct type_u002e_Blend {
    mode: i32,
    opacity: f32,
}

@group(0) @binding(0) 
var<uniform> Blend: type_u002e_Blend;
@group(0) @binding(100) 
var below: texture_2d<f32>;
@group(0) @binding(101) 
var above: texture_2d<f32>;
@group(0) @binding(200) 
var point_clamp: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_64_: vec4<f32>;

    let _e10 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e11 = textureSample(below, point_clamp, _e10);
    let _e12 = textureSample(above, point_clamp, _e10);
    let _e14 = Blend.mode;
    switch _e14 {
        case 0: {
            phi_64_ = (_e11 + _e12);
            break;
        }
        case 1: {
            phi_64_ = (_e11 * _e12);
            break;
        }
        case 2: {
            phi_64_ = min(_e11, _e12);
            break;
        }
        case 3: {
            phi_64_ = max(_e11, _e12.wzyx);
            break;
        }
        case 4: {
            phi_64_ = abs((_e11 - _e12));
            break;
        }
        default: {
            phi_64_ = select((_e11 - _e12), ((_e11 * _e12) * 2f), vec4((_e11.x < 0.5f)));
            break;
        }
    }
    let _e30 = phi_64_;
    let _e33 = Blend.opacity;
    out_u002e_var_u002e_SV_Target = (_e11 + ((_e30 - _e11) * _e33));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
