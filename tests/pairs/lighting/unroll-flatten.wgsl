struct Light {
    position: vec3<f32>,
    radius: f32,
    color: vec3<f32>,
    shininess: f32,
}

struct type_u002e_Lights {
    lights: array<Light, 4>,
    eye: vec3<f32>,
    ambient: f32,
}

@group(0) @binding(0) 
var<uniform> Lights: type_u002e_Lights;
@group(0) @binding(100) 
var albedo: texture_2d<f32>;
@group(0) @binding(200) 
var wrap: sampler;
var<private> in_u002e_var_u002e_POSITION_1: vec3<f32>;
var<private> in_u002e_var_u002e_NORMAL_1: vec3<f32>;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_81_: vec3<f32>;
    var phi_111_: vec3<f32>;
    var phi_141_: vec3<f32>;
    var phi_171_: vec3<f32>;

    let _e14 = in_u002e_var_u002e_POSITION_1;
    let _e15 = in_u002e_var_u002e_NORMAL_1;
    let _e16 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e17 = textureSample(albedo, wrap, _e16);
    let _e18 = _e17.xyz;
    let _e20 = Lights.ambient;
    let _e21 = (_e18 * _e20);
    let _e25 = Lights.lights[0i].position;
    let _e26 = (_e25 - _e14);
    let _e27 = dot(_e26, _e26);
    let _e31 = Lights.lights[0i].radius;
    phi_81_ = _e21;
    if (_e27 < (_e31 * _e31)) {
        let _e36 = (_e26 * inverseSqrt((_e27 + 0.0625f)));
        let _e40 = Lights.eye;
        let _e47 = Lights.lights[0i].shininess;
        let _e55 = Lights.lights[0i].color;
        phi_81_ = fma(((_e18 * max(dot(_e15, _e36), 0f)) + vec3(pow(max(dot(_e15, (_e36 + _e40)), 0f), _e47))), _e55, _e21);
    }
    let _e58 = phi_81_;
    let _e62 = Lights.lights[1i].position;
    let _e63 = (_e62 - _e14);
    let _e64 = dot(_e63, _e63);
    let _e68 = Lights.lights[1i].radius;
    phi_111_ = _e58;
    if (_e64 < (_e68 * _e68)) {
        let _e73 = (_e63 * inverseSqrt((_e64 + 0.0625f)));
        let _e77 = Lights.eye;
        let _e84 = Lights.lights[1i].shininess;
        let _e92 = Lights.lights[1i].color;
        phi_111_ = fma(((_e18 * max(dot(_e15, _e73), 0f)) + vec3(pow(max(dot(_e15, (_e73 + _e77)), 0f), _e84))), _e92, _e58);
    }
    let _e95 = phi_111_;
    let _e99 = Lights.lights[2i].position;
    let _e100 = (_e99 - _e14);
    let _e101 = dot(_e100, _e100);
    let _e105 = Lights.lights[2i].radius;
    phi_141_ = _e95;
    if (_e101 < (_e105 * _e105)) {
        let _e110 = (_e100 * inverseSqrt((_e101 + 0.0625f)));
        let _e114 = Lights.eye;
        let _e121 = Lights.lights[2i].shininess;
        let _e129 = Lights.lights[2i].color;
        phi_141_ = fma(((_e18 * max(dot(_e15, _e110), 0f)) + vec3(pow(max(dot(_e15, (_e110 + _e114)), 0f), _e121))), _e129, _e95);
    }
    let _e132 = phi_141_;
    let _e136 = Lights.lights[3i].position;
    let _e137 = (_e136 - _e14);
    let _e138 = dot(_e137, _e137);
    let _e142 = Lights.lights[3i].radius;
    phi_171_ = _e132;
    if (_e138 < (_e142 * _e142)) {
        let _e147 = (_e137 * inverseSqrt((_e138 + 0.0625f)));
        let _e151 = Lights.eye;
        let _e158 = Lights.lights[3i].shininess;
        let _e166 = Lights.lights[3i].color;
        phi_171_ = fma(((_e18 * max(dot(_e15, _e147), 0f)) + vec3(pow(max(dot(_e15, (_e147 + _e151)), 0f), _e158))), _e166, _e132);
    }
    let _e169 = phi_171_;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e169.x, _e169.y, _e169.z, _e17.w);
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec3<f32>, @location(1) in_u002e_var_u002e_NORMAL: vec3<f32>, @location(2) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    in_u002e_var_u002e_NORMAL_1 = in_u002e_var_u002e_NORMAL;
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e7 = out_u002e_var_u002e_SV_Target;
    return _e7;
}
