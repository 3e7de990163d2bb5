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
    let _e16 = in_u002e_var_u002e_POSITION_1;
    let _e17 = in_u002e_var_u002e_NORMAL_1;
    let _e18 = in_u002e_var_u002e_BLENDINDICES_1;
    let _e19 = in_u002e_var_u002e_BLENDWEIGHT_1;
    let _e23 = Object.morph;
    let _e26 = Object.base;
    let _e29 = (arrayLength((&bones.member)) - 1u);
    let _e33 = bones.member[min((_e26 + _e18.x), _e29)];
    let _e41 = vec4<f32>(_e16.x, _e16.y, _e16.z, 1f);
    let _e63 = bones.member[min((_e26 + _e18.y), _e29)];
    let _e89 = bones.member[min((_e26 + _e18.z), _e29)];
    let _e115 = bones.member[min((_e26 + _e18.w), _e29)];
    let _e126 = ((((_e23 + (vec3<f32>(dot(_e33.rows[0], _e41), dot(_e33.rows[1], _e41), dot(_e33.rows[2], _e41)) * _e19.x)) + (vec3<f32>(dot(_e63.rows[0], _e41), dot(_e63.rows[1], _e41), dot(_e63.rows[2], _e41)) * _e19.y)) + (vec3<f32>(dot(_e89.rows[0], _e41), dot(_e89.rows[1], _e41), dot(_e89.rows[2], _e41)) * _e19.z)) + (vec3<f32>(dot(_e115.rows[0], _e41), dot(_e115.rows[1], _e41), dot(_e115.rows[2], _e41)) * _e19.w));
    let _e139 = vec4<f32>(_e126.x, _e126.y, _e126.z, 1f);
    let _e142 = Object.projection[0i];
    let _e146 = Object.projection[1i];
    let _e150 = Object.projection[2i];
    let _e154 = Object.projection[3i];
    global = vec4<f32>(dot(_e139, _e142), dot(_e139, _e146), dot(_e139, _e150), dot(_e139, _e154));
    out_u002e_var_u002e_NORMAL = ((((_e23.zxy + (vec3<f32>(dot(_e33.rows[0].xyz, _e17), dot(_e33.rows[1].xyz, _e17), dot(_e33.rows[2].xyz, _e17)) * _e19.x)) + (vec3<f32>(dot(_e63.rows[0].xyz, _e17), dot(_e63.rows[1].xyz, _e17), dot(_e63.rows[2].xyz, _e17)) * _e19.y)) + (vec3<f32>(dot(_e89.rows[0].xyz, _e17), dot(_e89.rows[1].xyz, _e17), dot(_e89.rows[2].xyz, _e17)) * _e19.z)) + (vec3<f32>(dot(_e115.rows[0].xyz, _e17), dot(_e115.rows[1].xyz, _e17), dot(_e115.rows[2].xyz, _e17)) * _e19.w));
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
