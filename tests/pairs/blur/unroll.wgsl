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
    let _e24 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e26 = Blur.direction;
    let _e29 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * -4f)), 0f);
    let _e33 = Blur.weights[0i][0i];
    let _e37 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * -3f)), 0f);
    let _e41 = Blur.weights[1i][0i];
    let _e46 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * -2f)), 0f);
    let _e50 = Blur.weights[2i][0i];
    let _e55 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * -1f)), 0f);
    let _e59 = Blur.weights[3i][0i];
    let _e62 = textureSampleLevel(source, linear_clamp, _e24, 0f);
    let _e66 = Blur.weights[4i][0i];
    let _e71 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * 1f)), 0f);
    let _e75 = Blur.weights[5i][0i];
    let _e80 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * 2f)), 0f);
    let _e84 = Blur.weights[6i][0i];
    let _e89 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * 3f)), 0f);
    let _e93 = Blur.weights[7i][0i];
    let _e98 = textureSampleLevel(source, linear_clamp, (_e24 + (_e26 * 4f)), 0f);
    let _e102 = Blur.weights[8i][0i];
    out_u002e_var_u002e_SV_Target = (((((((((_e29 * _e33) + (_e37 * _e41)) + (_e46 * _e50)) + (_e55 * _e59)) + (_e62 * _e66)) + (_e71 * _e75)) + (_e80 * _e84)) + (_e89 * _e93)) + (_e98 * _e102));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
