@group(0) @binding(100) 
var depth: texture_2d<f32>;
@group(0) @binding(101) 
var color: texture_2d<f32>;
@group(0) @binding(200) 
var point_clamp: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    let _e7 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e8 = textureGather(0, depth, point_clamp, _e7);
    let _e9 = textureGather(1, color, point_clamp, _e7);
    out_u002e_var_u002e_SV_Target = vec4<f32>(min(min(_e8.x, _e8.y), min(_e8.z, _e8.w)), max(max(_e8.x, _e8.y), max(_e8.z, _e8.w)), (_e9.x - _e9.z), (_e9.y + _e9.w));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
