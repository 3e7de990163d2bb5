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
    var phi_80_: vec3<f32>;
    var phi_110_: vec3<f32>;
    var phi_140_: vec3<f32>;
    var phi_170_: vec3<f32>;

    let _e13 = in_u002e_var_u002e_POSITION_1;
    let _e14 = in_u002e_var_u002e_NORMAL_1;
    let _e15 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e16 = textureSample(albedo, wrap, _e15);
    let _e17 = _e16.xyz;
    let _e19 = Lights.ambient;
    let _e20 = (_e17 * _e19);
    let _e24 = Lights.lights[0i].position;
    let _e25 = (_e24 - _e13);
    let _e26 = dot(_e25, _e25);
    let _e30 = Lights.lights[0i].radius;
    phi_80_ = _e20;
    if (_e26 < (_e30 * _e30)) {
        let _e35 = (_e25 / vec3(sqrt(_e26)));
        let _e39 = Lights.eye;
        let _e46 = Lights.lights[0i].shininess;
        let _e54 = Lights.lights[0i].color;
        phi_80_ = fma(((_e17 * max(dot(_e14, _e35), 0f)) + vec3(pow(max(dot(_e14, (_e35 + _e39)), 0f), _e46))), _e54, _e20);
    }
    let _e57 = phi_80_;
    let _e61 = Lights.lights[1i].position;
    let _e62 = (_e61 - _e13);
    let _e63 = dot(_e62, _e62);
    let _e67 = Lights.lights[1i].radius;
    phi_110_ = _e57;
    if (_e63 < (_e67 * _e67)) {
        let _e72 = (_e62 / vec3(sqrt(_e63)));
        let _e76 = Lights.eye;
        let _e83 = Lights.lights[1i].shininess;
        let _e91 = Lights.lights[1i].color;
        phi_110_ = fma(((_e17 * max(dot(_e14, _e72), 0f)) + vec3(pow(max(dot(_e14, (_e72 + _e76)), 0f), _e83))), _e91, _e57);
    }
    let _e94 = phi_110_;
    let _e98 = Lights.lights[2i].position;
    let _e99 = (_e98 - _e13);
    let _e100 = dot(_e99, _e99);
    let _e104 = Lights.lights[2i].radius;
    phi_140_ = _e94;
    if (_e100 < (_e104 * _e104)) {
        let _e109 = (_e99 / vec3(sqrt(_e100)));
        let _e113 = Lights.eye;
        let _e120 = Lights.lights[2i].shininess;
        let _e128 = Lights.lights[2i].color;
        phi_140_ = fma(((_e17 * max(dot(_e14, _e109), 0f)) + vec3(pow(max(dot(_e14, (_e109 + _e113)), 0f), _e120))), _e128, _e94);
    }
    let _e131 = phi_140_;
    let _e135 = Lights.lights[3i].position;
    let _e136 = (_e135 - _e13);
    let _e137 = dot(_e136, _e136);
    let _e141 = Lights.lights[3i].radius;
    phi_170_ = _e131;
    if (_e137 < (_e141 * _e141)) {
        let _e146 = (_e136 / vec3(sqrt(_e137)));
        let _e150 = Lights.eye;
        let _e157 = Lights.lights[3i].shininess;
        let _e165 = Lights.lights[3i].color;
        phi_170_ = fma(((_e17 * max(dot(_e14, _e146), 0f)) + vec3(pow(max(dot(_e14, (_e146 + _e150)), 0f), _e157))), _e165, _e131);
    }
    let _e168 = phi_170_;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e168.x, _e168.y, _e168.z, _e16.w);
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
