struct type_u002e_Waves {
    waves: array<vec4<f32>, 6>,
    rows: array<vec4<f32>, 4>,
    rest: vec3<f32>,
    time: f32,
}

struct VertexOutput {
    @builtin(position) member: vec4<f32>,
    @location(0) member_1: vec3<f32>,
}

@group(0) @binding(0) 
var<uniform> Waves: type_u002e_Waves;
var<private> in_u002e_var_u002e_POSITION_1: vec2<f32>;
var<private> global: vec4<f32> = vec4<f32>(0f, 0f, 0f, 1f);
var<private> out_u002e_var_u002e_NORMAL: vec3<f32>;

fn main_1() {
    let _e13 = in_u002e_var_u002e_POSITION_1;
    let _e17 = Waves.rest[1i];
    let _e18 = Waves.rest;
    let _e22 = Waves.waves[0i];
    let _e23 = _e22.xy;
    let _e26 = Waves.time;
    let _e30 = Waves.waves[0i][2i];
    let _e31 = fma(_e26, _e30, dot(_e23, _e13));
    let _e36 = Waves.waves[0i][3i];
    let _e44 = Waves.waves[1i];
    let _e45 = _e44.xy;
    let _e50 = Waves.waves[1i][2i];
    let _e51 = fma(_e26, _e50, dot(_e45, _e13));
    let _e56 = Waves.waves[1i][3i];
    let _e64 = Waves.waves[2i];
    let _e65 = _e64.xy;
    let _e70 = Waves.waves[2i][2i];
    let _e71 = fma(_e26, _e70, dot(_e65, _e13));
    let _e76 = Waves.waves[2i][3i];
    let _e84 = Waves.waves[3i];
    let _e85 = _e84.xy;
    let _e90 = Waves.waves[3i][2i];
    let _e91 = fma(_e26, _e90, dot(_e85, _e13));
    let _e96 = Waves.waves[3i][3i];
    let _e104 = Waves.waves[4i];
    let _e105 = _e104.xy;
    let _e110 = Waves.waves[4i][2i];
    let _e111 = fma(_e26, _e110, dot(_e105, _e13));
    let _e116 = Waves.waves[4i][3i];
    let _e124 = Waves.waves[5i];
    let _e125 = _e124.xy;
    let _e130 = Waves.waves[5i][2i];
    let _e131 = fma(_e26, _e130, dot(_e125, _e13));
    let _e136 = Waves.waves[5i][3i];
    let _e141 = ((((((_e18.xz + (_e23 * (cos(_e31) * _e36))) + (_e45 * (cos(_e51) * _e56))) + (_e65 * (cos(_e71) * _e76))) + (_e85 * (cos(_e91) * _e96))) + (_e105 * (cos(_e111) * _e116))) + (_e125 * (cos(_e131) * _e136)));
    let _e144 = vec4<f32>(_e13.x, fma(sin(_e131), _e136, fma(sin(_e111), _e116, fma(sin(_e91), _e96, fma(sin(_e71), _e76, fma(sin(_e51), _e56, fma(sin(_e31), _e36, _e17)))))), _e13.y, 1f);
    let _e147 = Waves.rows[0i];
    let _e151 = Waves.rows[1i];
    let _e155 = Waves.rows[2i];
    let _e159 = Waves.rows[3i];
    global = vec4<f32>(dot(_e144, _e147), dot(_e144, _e151), dot(_e144, _e155), dot(_e144, _e159));
    out_u002e_var_u002e_NORMAL = vec3<f32>(-(_e141.x), 1f, -(_e141.y));
    return;
}

@vertex 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec2<f32>) -> VertexOutput {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    main_1();
    let _e4 = global;
    let _e5 = out_u002e_var_u002e_NORMAL;
    return VertexOutput(_e4, _e5);
}
