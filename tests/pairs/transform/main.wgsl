struct type_u002e_Object {
    world_view_projection: mat4x4<f32>,
    texture_rows: array<vec4<f32>, 2>,
    eye: vec3<f32>,
    fog_scale: f32,
}

struct VertexOutput {
    @builtin(position) member: vec4<f32>,
    @location(0) member_1: vec2<f32>,
    @location(1) member_2: f32,
}

@group(0) @binding(0) 
var<uniform> Object: type_u002e_Object;
var<private> in_u002e_var_u002e_POSITION_1: vec3<f32>;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> global: vec4<f32> = vec4<f32>(0f, 0f, 0f, 1f);
var<private> out_u002e_var_u002e_TEXCOORD0_: vec2<f32>;
var<private> out_u002e_var_u002e_TEXCOORD1_: f32;

fn main_1() {
    let _e12 = in_u002e_var_u002e_POSITION_1;
    let _e13 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e19 = Object.world_view_projection;
    let _e24 = vec3<f32>(_e13.x, _e13.y, 1f);
    let _e27 = Object.texture_rows[0i];
    let _e32 = Object.texture_rows[1i];
    let _e37 = Object.eye;
    let _e38 = (_e12 - _e37);
    let _e42 = Object.fog_scale;
    global = (transpose(_e19) * vec4<f32>(_e12.x, _e12.y, _e12.z, 1f));
    out_u002e_var_u002e_TEXCOORD0_ = vec2<f32>(dot(_e24, _e27.xyz), dot(_e24, _e32.xyz));
    out_u002e_var_u002e_TEXCOORD1_ = min((sqrt(dot(_e38, _e38)) * _e42), 1f);
    return;
}

@vertex 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec3<f32>, @location(1) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> VertexOutput {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e7 = global;
    let _e8 = out_u002e_var_u002e_TEXCOORD0_;
    let _e9 = out_u002e_var_u002e_TEXCOORD1_;
    return VertexOutput(_e7, _e8, _e9);
}
