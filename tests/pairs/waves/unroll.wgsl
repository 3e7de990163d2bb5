struct type_u002e_Waves {
    waves: array<vec4<f32>, 6>,
    rows: array<vec4<f32>, 4>,
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
    let _e16 = Waves.waves[0i];
    let _e17 = _e16.xy;
    let _e20 = Waves.time;
    let _e24 = Waves.waves[0i][2i];
    let _e25 = fma(_e20, _e24, dot(_e17, _e13));
    let _e30 = Waves.waves[0i][3i];
    let _e36 = Waves.waves[1i];
    let _e37 = _e36.xy;
    let _e42 = Waves.waves[1i][2i];
    let _e43 = fma(_e20, _e42, dot(_e37, _e13));
    let _e48 = Waves.waves[1i][3i];
    let _e57 = Waves.waves[2i];
    let _e58 = _e57.xy;
    let _e63 = Waves.waves[2i][2i];
    let _e64 = fma(_e20, _e63, dot(_e58, _e13));
    let _e69 = Waves.waves[2i][3i];
    let _e77 = Waves.waves[3i];
    let _e78 = _e77.xy;
    let _e83 = Waves.waves[3i][2i];
    let _e84 = fma(_e20, _e83, dot(_e78, _e13));
    let _e89 = Waves.waves[3i][3i];
    let _e97 = Waves.waves[4i];
    let _e98 = _e97.xy;
    let _e103 = Waves.waves[4i][2i];
    let _e104 = fma(_e20, _e103, dot(_e98, _e13));
    let _e109 = Waves.waves[4i][3i];
    let _e117 = Waves.waves[5i];
    let _e118 = _e117.xy;
    let _e123 = Waves.waves[5i][2i];
    let _e124 = fma(_e20, _e123, dot(_e118, _e13));
    let _e129 = Waves.waves[5i][3i];
    let _e134 = ((((((_e17 * (cos(_e25) * _e30)) + (_e37 * (cos(_e43) * _e48))) + (_e58 * (cos(_e64) * _e69))) + (_e78 * (cos(_e84) * _e89))) + (_e98 * (cos(_e104) * _e109))) + (_e118 * (cos(_e124) * _e129)));
    let _e137 = vec4<f32>(_e13.x, fma(sin(_e124), _e129, fma(sin(_e104), _e109, fma(sin(_e84), _e89, fma(sin(_e64), _e69, fma(sin(_e25), _e30, (sin(_e43) * _e48)))))), _e13.y, 1f);
    let _e140 = Waves.rows[0i];
    let _e144 = Waves.rows[1i];
    let _e148 = Waves.rows[2i];
    let _e152 = Waves.rows[3i];
    global = vec4<f32>(dot(_e137, _e140), dot(_e137, _e144), dot(_e137, _e148), dot(_e137, _e152));
    out_u002e_var_u002e_NORMAL = vec3<f32>(-(_e134.x), 1f, -(_e134.y));
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
