struct type_u002e_Shadow {
    texel: vec2<f32>,
    bias: f32,
    strength: f32,
}

@group(0) @binding(0) 
var<uniform> Shadow: type_u002e_Shadow;
@group(0) @binding(100) 
var shadow_map: texture_depth_2d;
@group(0) @binding(200) 
var compare: sampler_comparison;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec4<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_39_: f32;
    var phi_42_: i32;
    var phi_40_: f32;
    var phi_50_: i32;
    var local: f32;
    var local_1: f32;

    let _e10 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e14 = (_e10.xyz / vec3(_e10.w));
    phi_39_ = 0f;
    phi_42_ = -1i;
    loop {
        let _e16 = phi_39_;
        let _e18 = phi_42_;
        local = _e16;
        if (_e18 <= 1i) {
            phi_40_ = _e16;
            phi_50_ = -1i;
            loop {
                let _e21 = phi_40_;
                let _e23 = phi_50_;
                local_1 = _e21;
                if (_e23 <= 1i) {
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e27 = Shadow.texel;
                    let _e34 = Shadow.bias;
                    let _e36 = textureSampleCompareLevel(shadow_map, compare, fma(_e27, vec2<f32>(f32(_e23), f32(_e18)), _e14.xy), (_e14.z - _e34));
                    phi_40_ = (_e21 + _e36);
                    phi_50_ = (_e23 + 1i);
                }
            }
            continue;
        } else {
            break;
        }
        continuing {
            let _e48 = local_1;
            phi_39_ = _e48;
            phi_42_ = (_e18 + 1i);
        }
    }
    let _e41 = Shadow.strength;
    let _e43 = local;
    out_u002e_var_u002e_SV_Target = vec4((_e43 * _e41));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec4<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
