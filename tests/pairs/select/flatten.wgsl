struct type_u002e_Select {
    a: vec4<f32>,
    b: vec4<i32>,
}

@group(0) @binding(0) 
var<uniform> Select: type_u002e_Select;
var<private> in_u002e_var_u002e_COLOR_1: vec4<f32>;
var<private> in_u002e_var_u002e_K_1: vec4<i32>;
var<private> global: bool;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    var phi_80_: vec4<f32>;

    let _e13 = in_u002e_var_u002e_COLOR_1;
    let _e14 = in_u002e_var_u002e_K_1;
    let _e15 = global;
    let _e17 = Select.a;
    let _e20 = select(_e17.wzyx, _e13, (_e13 < _e17));
    if _e15 {
        let _e24 = Select.b[0i];
        let _e29 = select(_e20.z, (_e20.y + 1f), (_e14.x == _e24));
        let _e34 = vec4<f32>(_e29, _e20.y, _e20.z, _e20.w);
        let _e38 = Select.b[1i];
        phi_80_ = vec4<f32>(_e34.x, select(_e20.w, (_e29 * 2f), (_e14.y >= _e38)), _e34.z, _e34.w);
    } else {
        let _e51 = Select.a[1i];
        let _e56 = select(3f, (_e20.x - _e13.w), (_e13.x != _e51));
        let _e61 = vec4<f32>(_e20.x, _e20.y, _e56, _e20.w);
        let _e66 = Select.b[2i];
        phi_80_ = vec4<f32>(_e61.x, _e61.y, _e61.z, select(-(_e56), _e56, (bitcast<u32>(_e14.z) < bitcast<u32>(_e66))));
    }
    let _e77 = phi_80_;
    out_u002e_var_u002e_SV_Target = (_e77 + vec4<f32>((_e14 & vec4<i32>(7i, 7i, 7i, 7i))));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_COLOR: vec4<f32>, @location(1) @interpolate(flat) in_u002e_var_u002e_K: vec4<i32>, @builtin(front_facing) param: bool) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_COLOR_1 = in_u002e_var_u002e_COLOR;
    in_u002e_var_u002e_K_1 = in_u002e_var_u002e_K;
    global = param;
    main_1();
    let _e7 = out_u002e_var_u002e_SV_Target;
    return _e7;
}
