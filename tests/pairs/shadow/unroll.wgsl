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
    let _e18 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e22 = (_e18.xyz / vec3(_e18.w));
    let _e23 = _e22.xy;
    let _e25 = Shadow.texel;
    let _e29 = Shadow.bias;
    let _e30 = (_e22.z - _e29);
    let _e31 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(-1f, -1f), _e23), _e30);
    let _e33 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(0f, -1f), _e23), _e30);
    let _e36 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(1f, -1f), _e23), _e30);
    let _e39 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(-1f, 0f), _e23), _e30);
    let _e41 = textureSampleCompareLevel(shadow_map, compare, _e23, _e30);
    let _e44 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(1f, 0f), _e23), _e30);
    let _e47 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(-1f, 1f), _e23), _e30);
    let _e50 = textureSampleCompareLevel(shadow_map, compare, fma(_e25, vec2<f32>(0f, 1f), _e23), _e30);
    let _e53 = textureSampleCompareLevel(shadow_map, compare, (_e23 + _e25), _e30);
    let _e56 = Shadow.strength;
    out_u002e_var_u002e_SV_Target = vec4((((((((((_e31 + _e33) + _e36) + _e39) + _e41) + _e44) + _e47) + _e50) + _e53) * _e56));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec4<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
