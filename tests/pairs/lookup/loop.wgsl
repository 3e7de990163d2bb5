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
    var phi_54_: u32;

    let _e25 = in_u002e_var_u002e_AT_1;
    let _e26 = in_u002e_var_u002e_COLOR_1;
    table = array<f32, 8>(0.5f, 1.25f, -3f, 7f, 11f, 0.0625f, 100f, -1f);
    phi_54_ = 0u;
    loop {
        let _e28 = phi_54_;
        if (_e28 < 4u) {
            continue;
        } else {
            break;
        }
        continuing {
            let _e31 = Lookup.base;
            let _e36 = Lookup.rows[((_e31 + _e28) & 15u)];
            local[_e28] = (_e36 * _e26);
            phi_54_ = (_e28 + 1u);
        }
    }
    let _e44 = local[(_e25.x & 3u)];
    let _e46 = (_e44.yz + _e26.xw);
    let _e47 = local[(_e25.x & 3u)];
    local[(_e25.x & 3u)] = vec4<f32>(_e47.x, _e46.x, _e46.y, _e47.w);
    let _e56 = local[(_e25.y & 3u)];
    let _e60 = local[(_e25.z & 3u)];
    let _e65 = table[(_e25.w & 7u)];
    out_u002e_var_u002e_SV_Target = (_e56 + (_e60.wzyx * _e65));
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
