struct type_u002e_Lookup {
    rows: array<vec4<f32>, 16>,
    base: u32,
}

@group(0) @binding(0) 
var<uniform> Lookup: type_u002e_Lookup;
var<private> in_u002e_var_u002e_AT_1: vec4<u32>;
var<private> in_u002e_var_u002e_COLOR_1: vec4<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var table: array<f32, 8>;
    var local: array<vec4<f32>, 4>;

    let _e26 = in_u002e_var_u002e_AT_1;
    let _e27 = in_u002e_var_u002e_COLOR_1;
    table = array<f32, 8>(0.5f, 1.25f, -3f, 7f, 11f, 0.0625f, 100f, -1f);
    let _e29 = Lookup.base;
    let _e33 = Lookup.rows[(_e29 & 15u)];
    local[0u] = (_e33 * _e27);
    let _e40 = Lookup.rows[((_e29 + 1u) & 15u)];
    local[1u] = (_e40 * _e27);
    let _e47 = Lookup.rows[((_e29 + 2u) & 15u)];
    local[2u] = (_e47 * _e27);
    let _e54 = Lookup.rows[((_e29 + 3u) & 15u)];
    local[3u] = (_e54 * _e27);
    let _e61 = local[(_e26.x & 3u)];
    let _e63 = (_e61.yz + _e27.xw);
    let _e64 = local[(_e26.x & 3u)];
    local[(_e26.x & 3u)] = vec4<f32>(_e64.x, _e63.x, _e63.y, _e64.w);
    let _e73 = local[(_e26.y & 3u)];
    let _e77 = local[(_e26.z & 3u)];
    let _e82 = table[(_e26.w & 7u)];
    out_u002e_var_u002e_SV_Target = (_e73 + (_e77.wzyx * _e82));
    return;
}

@fragment 
fn main(@location(0) @interpolate(flat) in_u002e_var_u002e_AT: vec4<u32>, @location(1) in_u002e_var_u002e_COLOR: vec4<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_AT_1 = in_u002e_var_u002e_AT;
    in_u002e_var_u002e_COLOR_1 = in_u002e_var_u002e_COLOR;
    main_1();
    let _e5 = out_u002e_var_u002e_SV_Target;
    return _e5;
}
