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
    var phi_53_: vec3<f32>;
    var phi_56_: i32;
    var phi_54_: vec3<f32>;
    var local: vec3<f32>;
    var local_1: vec3<f32>;
    var local_2: vec3<f32>;
    var local_3: vec3<f32>;

    let _e14 = in_u002e_var_u002e_POSITION_1;
    let _e15 = in_u002e_var_u002e_NORMAL_1;
    let _e16 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e17 = textureSample(albedo, wrap, _e16);
    let _e18 = _e17.xyz;
    let _e20 = Lights.ambient;
    phi_53_ = (_e18 * _e20);
    phi_56_ = 0i;
    loop {
        let _e23 = phi_53_;
        let _e25 = phi_56_;
        local = _e23;
        local_1 = _e23;
        local_2 = _e23;
        if (_e25 < 4i) {
            let _e30 = Lights.lights[_e25].position;
            let _e31 = (_e30 - _e14);
            let _e32 = dot(_e31, _e31);
            let _e36 = Lights.lights[_e25].radius;
            phi_54_ = _e23;
            if (_e32 < (_e36 * _e36)) {
                let _e41 = (_e31 / vec3(sqrt(_e32)));
                let _e45 = Lights.eye;
                let _e52 = Lights.lights[_e25].shininess;
                let _e60 = Lights.lights[_e25].color;
                phi_54_ = fma(((_e18 * max(dot(_e15, _e41), 0f)) + vec3(pow(max(dot(_e15, (_e41 + _e45)), 0f), _e52))), _e60, _e23);
            }
            let _e63 = phi_54_;
            local_3 = _e63;
            continue;
        } else {
            break;
        }
        continuing {
            let _e78 = local_3;
            phi_53_ = _e78;
            phi_56_ = (_e25 + 1i);
        }
    }
    let _e67 = local;
    let _e70 = local_1;
    let _e73 = local_2;
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e67.x, _e70.y, _e73.z, _e17.w);
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
