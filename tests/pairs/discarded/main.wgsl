struct type_u002e_Cutout {
    tint: vec4<f32>,
    threshold: f32,
}

@group(0) @binding(0) 
var<uniform> Cutout: type_u002e_Cutout;
@group(0) @binding(100) 
var leaves: texture_2d<f32>;
@group(0) @binding(200) 
var wrap: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> in_u002e_var_u002e_LIGHT_1: f32;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    let _e8 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e9 = in_u002e_var_u002e_LIGHT_1;
    let _e10 = textureSample(leaves, wrap, _e8);
    let _e13 = Cutout.threshold;
    if (_e10.w < _e13) {
        discard;
    }
    let _e16 = (_e10.xyz * _e9);
    let _e22 = Cutout.tint;
    out_u002e_var_u002e_SV_Target = (vec4<f32>(_e16.x, _e16.y, _e16.z, _e10.w) * _e22);
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>, @location(1) in_u002e_var_u002e_LIGHT: f32) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    in_u002e_var_u002e_LIGHT_1 = in_u002e_var_u002e_LIGHT;
    main_1();
    let _e5 = out_u002e_var_u002e_SV_Target;
    return _e5;
}
