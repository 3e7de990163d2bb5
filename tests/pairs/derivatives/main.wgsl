var<private> in_u002e_var_u002e_POSITION_1: vec3<f32>;
var<private> in_u002e_var_u002e_TEXCOORD0_1: vec2<f32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<f32>;

fn main_1() {
    let _e3 = in_u002e_var_u002e_POSITION_1;
    let _e4 = in_u002e_var_u002e_TEXCOORD0_1;
    let _e5 = dpdx(_e3);
    let _e6 = dpdy(_e3);
    let _e13 = fma(_e5.yzx, _e6.zxy, -((_e5.zxy * _e6.yzx)));
    let _e14 = dpdx(_e4);
    let _e16 = dpdy(_e4);
    let _e18 = (abs(_e14) + abs(_e16));
    out_u002e_var_u002e_SV_Target = vec4<f32>(_e13.x, _e13.y, _e13.z, max(_e18.x, _e18.y));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_POSITION: vec3<f32>, @location(1) in_u002e_var_u002e_TEXCOORD0_: vec2<f32>) -> @location(0) vec4<f32> {
    in_u002e_var_u002e_POSITION_1 = in_u002e_var_u002e_POSITION;
    in_u002e_var_u002e_TEXCOORD0_1 = in_u002e_var_u002e_TEXCOORD0_;
    main_1();
    let _e5 = out_u002e_var_u002e_SV_Target;
    return _e5;
}
