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
    var phi_54_: vec3<f32>;
    var phi_57_: i32;
    var phi_55_: vec3<f32>;
    var local: vec3<f32>;
    var local_1: vec3<f32>;
    var local_2: vec3<f32>;
    var local_3: vec3<f32>;

    let _e15 = in_u002e_var_u002e_POSITION_1;
    let _e16 = in_u002e_var_u002e_NORMAL_1;
    let _e17 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e18 = textureSample(albedo, wrap, _e17);
    let _e19 = _e18.xyz;
    let _e21 = Lights.ambient;
    phi_54_ = (_e19 * _e21);
    phi_57_ = 0i;
    loop {
        let _e24 = phi_54_;
        let _e26 = phi_57_;
        local = _e24;
        local_1 = _e24;
        local_2 = _e24;
        if (_e26 < 4i) {
            let _e31 = Lights.lights[_e26].position;
            let _e32 = (_e31 - _e15);
            let _e33 = dot(_e32, _e32);
            let _e37 = Lights.lights[_e26].radius;
            phi_55_ = _e24;
            if (_e33 < (_e37 * _e37)) {
                let _e42 = (_e32 * inverseSqrt((_e33 + 0.0625f)));
                let _e46 = Lights.eye;
                let _e53 = Lights.lights[_e26].shininess;
                let _e61 = Lights.lights[_e26].color;
                phi_55_ = fma(((_e19 * max(dot(_e16, _e42), 0f)) + vec3(pow(max(dot(_e16, (_e42 + _e46)), 0f), _e53))), _e61, _e24);
            }
            let _e64 = phi_55_;
            local_3 = _e64;
            continue;
        } else {
            break;
        }
        continuing {
            let _e79 = local_3;
            phi_54_ = _e79;
            phi_57_ = (_e26 + 1i);
        }
    }
    let _e68 = local;
    let _e71 = local_1;
    let _e74 = local_2;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e68.x, _e71.y, _e74.z, _e18.w);
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
