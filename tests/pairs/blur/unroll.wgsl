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
    let _e24 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e26 = Blur.floor_color;
    let _e28 = Blur.direction;
    let _e31 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * -4f)), 0f);
    let _e35 = Blur.weights[0i][0i];
    let _e40 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * -3f)), 0f);
    let _e44 = Blur.weights[1i][0i];
    let _e49 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * -2f)), 0f);
    let _e53 = Blur.weights[2i][0i];
    let _e58 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * -1f)), 0f);
    let _e62 = Blur.weights[3i][0i];
    let _e65 = textureSampleLevel(source, linear_clamp, _e24, 0f);
    let _e69 = Blur.weights[4i][0i];
    let _e74 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * 1f)), 0f);
    let _e78 = Blur.weights[5i][0i];
    let _e83 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * 2f)), 0f);
    let _e87 = Blur.weights[6i][0i];
    let _e92 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * 3f)), 0f);
    let _e96 = Blur.weights[7i][0i];
    let _e101 = textureSampleLevel(source, linear_clamp, (_e24 + (_e28 * 4f)), 0f);
    let _e105 = Blur.weights[8i][0i];
    out_u002e_var_u002e_SV_Target = (((((((((_e26 + (_e31 * _e35)) + (_e40 * _e44)) + (_e49 * _e53)) + (_e58 * _e62)) + (_e65 * _e69)) + (_e74 * _e78)) + (_e83 * _e87)) + (_e92 * _e96)) + (_e101 * _e105));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
