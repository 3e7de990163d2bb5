struct type_u002e_Edges {
    texel: vec2<f32>,
    threshold: f32,
    threshold_min: f32,
}

@group(0) @binding(0) 
var<uniform> Edges: type_u002e_Edges;
@group(0) @binding(100) 
var scene: texture_2d<f32>;
@group(0) @binding(200) 
var point_clamp: sampler;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_105_: vec4<f32>;

    let _e16 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e17 = textureSampleLevel(scene, point_clamp, _e16, 0f);
    let _e19 = dot(_e17.xyz, vec3<f32>(0.299f, 0.587f, 0.114f));
    let _e22 = Edges.texel[1i];
    let _e26 = textureSampleLevel(scene, point_clamp, (_e16 + vec2<f32>(0f, -(_e22))), 0f);
    let _e28 = dot(_e26.xyz, vec3<f32>(0.299f, 0.587f, 0.114f));
    let _e31 = textureSampleLevel(scene, point_clamp, (_e16 + vec2<f32>(0f, _e22)), 0f);
    let _e33 = dot(_e31.xyz, vec3<f32>(0.299f, 0.587f, 0.114f));
    let _e36 = Edges.texel[0i];
    let _e40 = textureSampleLevel(scene, point_clamp, (_e16 + vec2<f32>(-(_e36), 0f)), 0f);
    let _e42 = dot(_e40.xyz, vec3<f32>(0.299f, 0.587f, 0.114f));
    let _e45 = textureSampleLevel(scene, point_clamp, (_e16 + vec2<f32>(_e36, 0f)), 0f);
    let _e47 = dot(_e45.xyz, vec3<f32>(0.299f, 0.587f, 0.114f));
    let _e51 = max(max(max(_e28, _e33), max(_e42, _e47)), _e19);
    let _e56 = (_e51 - min(min(min(_e28, _e33), min(_e42, _e47)), _e19));
    let _e59 = Edges.threshold_min;
    let _e61 = Edges.threshold;
    phi_105_ = vec4<f32>(_e19, _e19, _e19, 0f);
    if (_e56 >= max(_e59, (_e51 * _e61))) {
        let _e71 = (abs(fma(-2f, _e19, (_e28 + _e33))) >= abs(fma(-2f, _e19, (_e42 + _e47))));
        phi_105_ = vec4<f32>(select(_e42, _e28, _e71), select(_e47, _e33, _e71), _e56, select(0.5f, 1f, _e71));
    }
    let _e77 = phi_105_;
    out_u002e_var_u002e_SV_Target = _e77;
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e3 = out_u002e_var_u002e_SV_Target;
    return _e3;
}
