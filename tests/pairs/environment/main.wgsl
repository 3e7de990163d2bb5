struct type_u002e_Environment {
    eye: vec3<f32>,
    levels: f32,
}

@group(0) @binding(0) 
var<uniform> Environment: type_u002e_Environment;
@group(0) @binding(100) 
var sky: texture_cube<f32>;
@group(0) @binding(200) 
var trilinear: sampler;
var<private> in_u002e_var_u002e_POSITION_1: vec3<f32>;
var<private> in_u002e_var_u002e_NORMAL_1: vec3<f32>;
var<private> in_u002e_var_u002e_ROUGHNESS_1: f32;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    let _e10 = in_u002e_var_u002e_POSITION_1;
    let _e11 = in_u002e_var_u002e_NORMAL_1;
    let _e12 = in_u002e_var_u002e_ROUGHNESS_1;
    let _e14 = Environment.eye;
    let _e15 = (_e10 - _e14);
    let _e21 = Environment.levels;
    let _e23 = textureSampleLevel(sky, trilinear, (_e15 - (_e11 * (2f * dot(_e15, _e11)))), (_e12 * _e21));
    out_u002e_var_u002e_SV_Target = _e23;
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec3<f32>, @location(1) in_u002e_var_u002e_NORMAL: vec3<f32>, @location(2) in_u002e_var_u002e_ROUGHNESS: f32) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    in_u002e_var_u002e_NORMAL_1 = in_u002e_var_u002e_NORMAL;
    in_u002e_var_u002e_ROUGHNESS_1 = in_u002e_var_u002e_ROUGHNESS;
    main_1();
    let _e7 = out_u002e_var_u002e_SV_Target;
    return _e7;
}
