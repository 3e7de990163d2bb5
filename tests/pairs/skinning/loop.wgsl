struct type_u002e_Object {
    projection: array<vec4<f32>, 4>,
    base: u32,
}

struct Bone {
    rows: array<vec4<f32>, 3>,
}

struct type_u002e_StructuredBuffer_u002e_Bone {
    member: array<Bone>,
}

struct VertexOutput {
    @builtin(position) member: vec4<f32>,
    @location(0) member_1: vec3<f32>,
}

@group(0) @binding(0) 
var<uniform> Object: type_u002e_Object;
@group(0) @binding(100) 
var<storage> bones: type_u002e_StructuredBuffer_u002e_Bone;
var<private> in_u002e_var_u002e_POSITION_1: vec3<f32>;
var<private> in_u002e_var_u002e_NORMAL_1: vec3<f32>;
var<private> in_u002e_var_u002e_BLENDINDICES_1: vec4<u32>;
var<private> in_u002e_var_u002e_BLENDWEIGHT_1: vec4<f32>;
var<private> global: vec4<f32> = vec4<f32>(0f, 0f, 0f, 1f);
var<private> out_u002e_var_u002e_NORMAL: vec3<f32>;

fn main_1() {
    var param_u002e_var_u002e_indices: vec4<u32>;
    var param_u002e_var_u002e_weights: vec4<f32>;
    var phi_57_: vec3<f32>;
    var phi_60_: vec3<f32>;
    var phi_62_: i32;
    var local: vec3<f32>;
    var local_1: vec3<f32>;
    var local_2: vec3<f32>;
    var local_3: vec3<f32>;

    let _e20 = in_u002e_var_u002e_POSITION_1;
    let _e21 = in_u002e_var_u002e_NORMAL_1;
    let _e22 = in_u002e_var_u002e_BLENDINDICES_1;
    param_u002e_var_u002e_indices = _e22;
    let _e23 = in_u002e_var_u002e_BLENDWEIGHT_1;
    param_u002e_var_u002e_weights = _e23;
    phi_57_ = vec3<f32>(0f, 0f, 0f);
    phi_60_ = vec3<f32>(0f, 0f, 0f);
    phi_62_ = 0i;
    loop {
        let _e25 = phi_57_;
        let _e27 = phi_60_;
        let _e29 = phi_62_;
        local = _e27;
        local_1 = _e27;
        local_2 = _e27;
        local_3 = _e25;
        if (_e29 < 4i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e32 = Object.base;
            let _e33 = bitcast<u32>(_e29);
            let _e35 = param_u002e_var_u002e_indices[_e33];
            let _e39 = bones.member[(_e32 + _e35)];
            let _e47 = vec4<f32>(_e20.x, _e20.y, _e20.z, 1f);
            let _e53 = param_u002e_var_u002e_weights[_e33];
            let _e63 = param_u002e_var_u002e_weights[_e33];
            phi_57_ = (_e25 + (vec3<f32>(dot(_e39.rows[0].xyz, _e21), dot(_e39.rows[1].xyz, _e21), dot(_e39.rows[2].xyz, _e21)) * _e63));
            phi_60_ = (_e27 + (vec3<f32>(dot(_e39.rows[0], _e47), dot(_e39.rows[1], _e47), dot(_e39.rows[2], _e47)) * _e53));
            phi_62_ = (_e29 + 1i);
        }
    }
    let _e68 = local;
    let _e71 = local_1;
    let _e74 = local_2;
    let _e76 = vec4<f32>(_e68.x, _e71.y, _e74.z, 1f);
    let _e79 = Object.projection[0i];
    let _e83 = Object.projection[1i];
    let _e87 = Object.projection[2i];
    let _e91 = Object.projection[3i];
    global = vec4<f32>(dot(_e76, _e79), dot(_e76, _e83), dot(_e76, _e87), dot(_e76, _e91));
    let _e95 = local_3;
    out_u002e_var_u002e_NORMAL = _e95;
    return;
}

@vertex 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec3<f32>, @location(1) in_u002e_var_u002e_NORMAL: vec3<f32>, @location(2) in_u002e_var_u002e_BLENDINDICES: vec4<u32>, @location(3) in_u002e_var_u002e_BLENDWEIGHT: vec4<f32>) -> VertexOutput {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    in_u002e_var_u002e_NORMAL_1 = in_u002e_var_u002e_NORMAL;
    in_u002e_var_u002e_BLENDINDICES_1 = in_u002e_var_u002e_BLENDINDICES;
    in_u002e_var_u002e_BLENDWEIGHT_1 = in_u002e_var_u002e_BLENDWEIGHT;
    main_1();
    let _e10 = global;
    let _e11 = out_u002e_var_u002e_NORMAL;
    return VertexOutput(_e10, _e11);
}
