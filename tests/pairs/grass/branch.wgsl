struct type_u002e_Grass {
    rows: array<vec4<f32>, 4>,
    wind: vec2<f32>,
    width: f32,
    height: f32,
}

struct VertexOutput {
    @builtin(position) member: vec4<f32>,
    @location(0) @interpolate(flat) member_1: u32,
    @location(1) member_2: vec2<f32>,
}

@group(0) @binding(0) 
var<uniform> Grass: type_u002e_Grass;
var<private> global: u32;
var<private> global_1: u32;
var<private> global_2: vec4<f32> = vec4<f32>(0f, 0f, 0f, 1f);
var<private> out_u002e_var_u002e_KIND: u32;
var<private> out_u002e_var_u002e_TEXCOORD0_: vec2<f32>;

fn main_1() {
    var phi_105_: vec3<f32>;

    let _e27 = global;
    let _e28 = global_1;
    let _e30 = ((_e28 * 747796405u) + 2891336453u);
    let _e38 = (((_e30 >> bitcast<u32>((((_e30 >> bitcast<u32>(28u)) + 4u) & 31u))) ^ _e30) * 277803737u);
    let _e45 = (vec2<f32>(f32((_e38 & 65535u)), f32((_e38 >> bitcast<u32>(16u)))) * 0.000015258789f);
    let _e48 = f32((_e27 >> bitcast<u32>(1u)));
    let _e49 = (_e48 * 0.25f);
    let _e52 = fma(f32((_e27 & 1u)), 2f, -1f);
    let _e53 = (_e38 & 3u);
    if (_e53 == 0u) {
        let _e57 = Grass.width;
        let _e60 = Grass.height;
        phi_105_ = vec3<f32>(fma(_e52, _e57, _e45.x), ((_e49 * _e60) * 0.5f), _e45.y);
    } else {
        let _e67 = Grass.width;
        let _e74 = Grass.wind[0i];
        let _e75 = (_e49 * _e49);
        let _e78 = Grass.height;
        let _e83 = Grass.wind[1i];
        phi_105_ = vec3<f32>(fma(_e74, _e75, fma((_e52 * _e67), fma(-(_e48), 0.25f, 1f), _e45.x)), (_e49 * _e78), fma(_e83, _e75, _e45.y));
    }
    let _e87 = phi_105_;
    let _e91 = vec4<f32>(_e87.x, _e87.y, _e87.z, 1f);
    let _e94 = Grass.rows[0i];
    let _e98 = Grass.rows[1i];
    let _e102 = Grass.rows[2i];
    let _e106 = Grass.rows[3i];
    global_2 = vec4<f32>(dot(_e91, _e94), dot(_e91, _e98), dot(_e91, _e102), dot(_e91, _e106));
    out_u002e_var_u002e_KIND = _e53;
    out_u002e_var_u002e_TEXCOORD0_ = vec2<f32>(fma(_e52, 0.5f, 0.5f), _e49);
    return;
}

@vertex 
fn main(@builtin(vertex_index) param: u32, @builtin(instance_index) param_1: u32) -> VertexOutput {
    global = param;
    global_1 = param_1;
    main_1();
    let _e7 = global_2;
    let _e8 = out_u002e_var_u002e_KIND;
    let _e9 = out_u002e_var_u002e_TEXCOORD0_;
    return VertexOutput(_e7, _e8, _e9);
}
