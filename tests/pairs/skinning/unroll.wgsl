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
    let _e15 = in_u002e_var_u002e_POSITION_1;
    let _e16 = in_u002e_var_u002e_NORMAL_1;
    let _e17 = in_u002e_var_u002e_BLENDINDICES_1;
    let _e18 = in_u002e_var_u002e_BLENDWEIGHT_1;
    let _e20 = Object.base;
    let _e25 = bones.member[(_e20 + _e17.x)];
    let _e33 = vec4<f32>(_e15.x, _e15.y, _e15.z, 1f);
    let _e52 = bones.member[(_e20 + _e17.y)];
    let _e77 = bones.member[(_e20 + _e17.z)];
    let _e102 = bones.member[(_e20 + _e17.w)];
    let _e113 = ((((vec3<f32>(dot(_e25.rows[0], _e33), dot(_e25.rows[1], _e33), dot(_e25.rows[2], _e33)) * _e18.x) + (vec3<f32>(dot(_e52.rows[0], _e33), dot(_e52.rows[1], _e33), dot(_e52.rows[2], _e33)) * _e18.y)) + (vec3<f32>(dot(_e77.rows[0], _e33), dot(_e77.rows[1], _e33), dot(_e77.rows[2], _e33)) * _e18.z)) + (vec3<f32>(dot(_e102.rows[0], _e33), dot(_e102.rows[1], _e33), dot(_e102.rows[2], _e33)) * _e18.w));
    let _e126 = vec4<f32>(_e113.x, _e113.y, _e113.z, 1f);
    let _e129 = Object.projection[0i];
    let _e133 = Object.projection[1i];
    let _e137 = Object.projection[2i];
    let _e141 = Object.projection[3i];
    global = vec4<f32>(dot(_e126, _e129), dot(_e126, _e133), dot(_e126, _e137), dot(_e126, _e141));
    out_u002e_var_u002e_NORMAL = ((((vec3<f32>(dot(_e25.rows[0].xyz, _e16), dot(_e25.rows[1].xyz, _e16), dot(_e25.rows[2].xyz, _e16)) * _e18.x) + (vec3<f32>(dot(_e52.rows[0].xyz, _e16), dot(_e52.rows[1].xyz, _e16), dot(_e52.rows[2].xyz, _e16)) * _e18.y)) + (vec3<f32>(dot(_e77.rows[0].xyz, _e16), dot(_e77.rows[1].xyz, _e16), dot(_e77.rows[2].xyz, _e16)) * _e18.z)) + (vec3<f32>(dot(_e102.rows[0].xyz, _e16), dot(_e102.rows[1].xyz, _e16), dot(_e102.rows[2].xyz, _e16)) * _e18.w));
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
