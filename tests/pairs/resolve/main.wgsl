struct type_u002e_Resolve {
    exposure: f32,
    roughness: f32,
}

@group(0) @binding(100) 
var target_: texture_multisampled_2d<f32>;
@group(0) @binding(101) 
var skies: texture_cube_array<f32>;
@group(0) @binding(200) 
var trilinear: sampler;
@group(0) @binding(0) 
var<uniform> Resolve: type_u002e_Resolve;
var<private> global: vec4<f32>;
var<private> in_u002e_var_u002e_DIRECTION_1: vec3<f32>;
var<private> in_u002e_var_u002e_SKY_1: i32;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_52_: vec4<f32>;
    var phi_55_: i32;
    var local: vec4<f32>;

    let _e16 = global;
    let _e17 = in_u002e_var_u002e_DIRECTION_1;
    let _e18 = in_u002e_var_u002e_SKY_1;
    phi_52_ = vec4<f32>(0f, 0f, 0f, 0f);
    phi_55_ = 0i;
    loop {
        let _e23 = phi_52_;
        let _e25 = phi_55_;
        local = _e23;
        if (_e25 < 4i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e28 = textureLoad(target_, bitcast<vec2<i32>>((vec2<u32>(_e16.xy) & vec2<u32>(7u, 7u))), _e25);
            let _e35 = Resolve.exposure;
            phi_52_ = (_e23 + (_e28 * clamp(fma(-(max(_e28.x, max(_e28.y, _e28.z))), _e35, 1f), 0f, 1f)));
            phi_55_ = (_e25 + 1i);
        }
    }
    let _e47 = vec4<f32>(_e17.x, _e17.y, _e17.z, f32((_e18 & 1i)));
    let _e49 = Resolve.roughness;
    let _e56 = textureSampleLevel(skies, trilinear, vec3<f32>(_e47.x, _e47.y, _e47.z), i32(_e47.w), _e49);
    let _e58 = local;
    out_u002e_var_u002e_SV_Target = (_e58 + _e56);
    return;
}

@fragment 
fn main(@builtin(position) param: vec4<f32>, @location(0) in_u002e_var_u002e_DIRECTION: vec3<f32>, @location(1) @interpolate(flat) in_u002e_var_u002e_SKY: i32) -> @location(0) vec4<f32> {
    global = param;
    in_u002e_var_u002e_DIRECTION_1 = in_u002e_var_u002e_DIRECTION;
    in_u002e_var_u002e_SKY_1 = in_u002e_var_u002e_SKY;
    main_1();
    let _e7 = out_u002e_var_u002e_SV_Target;
    return _e7;
}
