struct type_u002e_Tone {
    exposure: f32,
    lut_scale: f32,
    lut_bias: f32,
    threshold: f32,
}

@group(0) @binding(0) 
var<uniform> Tone: type_u002e_Tone;
@group(0) @binding(100) 
var hdr: texture_2d<f32>;
@group(0) @binding(101) 
var lut: texture_3d<f32>;
@group(0) @binding(200) 
var linear_clamp: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_91_: f32;
    var phi_100_: f32;
    var phi_109_: f32;

    let _e28 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e29 = textureSampleLevel(hdr, linear_clamp, _e28, 0f);
    let _e32 = Tone.exposure;
    let _e34 = max((_e29.xyz * _e32), vec3<f32>(0f, 0f, 0f));
    let _e43 = Tone.lut_scale;
    let _e46 = Tone.lut_bias;
    let _e49 = textureSampleLevel(lut, linear_clamp, ((((_e34 * ((_e34 * 2.51f) + vec3<f32>(0.03f, 0.03f, 0.03f))) / fma(_e34, ((_e34 * 2.43f) + vec3<f32>(0.59f, 0.59f, 0.59f)), vec3<f32>(0.14f, 0.14f, 0.14f))) * _e43) + vec3(_e46)), 0f);
    let _e53 = Tone.threshold;
    if (_e49.x <= _e53) {
        phi_91_ = (_e49.x * 12.92f);
    } else {
        phi_91_ = fma(1.055f, pow(_e49.x, 0.41666666f), -0.055f);
    }
    let _e59 = phi_91_;
    if (_e49.y <= _e53) {
        phi_100_ = (_e49.y * 12.92f);
    } else {
        phi_100_ = fma(1.055f, pow(_e49.y, 0.41666666f), -0.055f);
    }
    let _e66 = phi_100_;
    if (_e49.z <= _e53) {
        phi_109_ = (_e49.z * 12.92f);
    } else {
        phi_109_ = fma(1.055f, pow(_e49.z, 0.41666666f), -0.055f);
    }
    let _e73 = phi_109_;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e59, _e66, _e73, dot(_e49.xyz, vec3<f32>(0.2126f, 0.7152f, 0.0722f)));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
