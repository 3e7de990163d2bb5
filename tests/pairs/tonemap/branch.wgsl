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
    var phi_90_: f32;
    var phi_99_: f32;
    var phi_108_: f32;

    let _e27 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e28 = textureSampleLevel(hdr, linear_clamp, _e27, 0f);
    let _e31 = Tone.exposure;
    let _e33 = max((_e28.xyz * _e31), vec3<f32>(0f, 0f, 0f));
    let _e42 = Tone.lut_scale;
    let _e45 = Tone.lut_bias;
    let _e48 = textureSampleLevel(lut, linear_clamp, ((((_e33 * ((_e33 * 2.51f) + vec3<f32>(0.03f, 0.03f, 0.03f))) / fma(_e33, ((_e33 * 2.43f) + vec3<f32>(0.59f, 0.59f, 0.59f)), vec3<f32>(0.14f, 0.14f, 0.14f))) * _e42) + vec3(_e45)), 0f);
    let _e52 = Tone.threshold;
    if (_e48.x <= _e52) {
        phi_90_ = (_e48.x * 12.92f);
    } else {
        phi_90_ = fma(1.055f, pow(_e48.x, 0.41666666f), -0.055f);
    }
    let _e58 = phi_90_;
    if (_e48.y <= _e52) {
        phi_99_ = (_e48.y * 12.92f);
    } else {
        phi_99_ = fma(1.055f, pow(_e48.y, 0.41666666f), -0.055f);
    }
    let _e65 = phi_99_;
    if (_e48.z <= _e52) {
        phi_108_ = (_e48.z * 12.92f);
    } else {
        phi_108_ = fma(1.055f, pow(_e48.z, 0.41666666f), -0.055f);
    }
    let _e72 = phi_108_;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e58, _e65, _e72, dot(_e48.xyz, vec3<f32>(0.25f, 0.5f, 0.25f)));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
