struct type_u002e_Object {
    projection: array<vec4<f32>, 4>,
    morph: vec3<f32>,
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
    var phi_62_: vec3<f32>;
    var phi_65_: vec3<f32>;
    var phi_67_: i32;
    var local: vec3<f32>;
    var local_1: vec3<f32>;
    var local_2: vec3<f32>;
    var local_3: vec3<f32>;

    let _e19 = in_u002e_var_u002e_POSITION_1;
    let _e20 = in_u002e_var_u002e_NORMAL_1;
    let _e21 = in_u002e_var_u002e_BLENDINDICES_1;
    param_u002e_var_u002e_indices = _e21;
    let _e22 = in_u002e_var_u002e_BLENDWEIGHT_1;
    param_u002e_var_u002e_weights = _e22;
    let _e26 = Object.morph;
    phi_62_ = _e26.zxy;
    phi_65_ = _e26;
    phi_67_ = 0i;
    loop {
        let _e29 = phi_62_;
        let _e31 = phi_65_;
        let _e33 = phi_67_;
        local = _e31;
        local_1 = _e31;
        local_2 = _e31;
        local_3 = _e29;
        if (_e33 < 4i) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e36 = Object.base;
            let _e37 = bitcast<u32>(_e33);
            let _e39 = param_u002e_var_u002e_indices[_e37];
            let _e45 = bones.member[min((_e36 + _e39), (arrayLength((&bones.member)) - 1u))];
            let _e53 = vec4<f32>(_e19.x, _e19.y, _e19.z, 1f);
            let _e59 = param_u002e_var_u002e_weights[_e37];
            let _e69 = param_u002e_var_u002e_weights[_e37];
            phi_62_ = (_e29 + (vec3<f32>(dot(_e45.rows[0].xyz, _e20), dot(_e45.rows[1].xyz, _e20), dot(_e45.rows[2].xyz, _e20)) * _e69));
            phi_65_ = (_e31 + (vec3<f32>(dot(_e45.rows[0], _e53), dot(_e45.rows[1], _e53), dot(_e45.rows[2], _e53)) * _e59));
            phi_67_ = (_e33 + 1i);
        }
    }
    let _e74 = local;
    let _e77 = local_1;
    let _e80 = local_2;
    let _e82 = vec4<f32>(_e74.x, _e77.y, _e80.z, 1f);
    let _e85 = Object.projection[0i];
    let _e89 = Object.projection[1i];
    let _e93 = Object.projection[2i];
    let _e97 = Object.projection[3i];
    global = vec4<f32>(dot(_e82, _e85), dot(_e82, _e89), dot(_e82, _e93), dot(_e82, _e97));
    let _e101 = local_3;
    out_u002e_var_u002e_NORMAL = _e101;
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
