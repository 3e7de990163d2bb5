struct type_u002e_Pack {
    id: u32,
    flags: u32,
    scale: f32,
}

@group(0) @binding(0) 
var<uniform> Pack: type_u002e_Pack;
var<private> in_u002e_var_u002e_COLOR_1: vec4<f32>;
var<private> in_u002e_var_u002e_RAW_1: vec4<u32>;
var<private> out_u002e_var_u002e_SV_Target: vec4<u32>;

fn main_1() {
    let _e19 = in_u002e_var_u002e_COLOR_1;
    let _e20 = in_u002e_var_u002e_RAW_1;
    let _e35 = Pack.id;
    let _e58 = Pack.scale;
    let _e62 = Pack.flags;
    out_u002e_var_u002e_SV_Target = vec4<u32>(((u32(fma(min(max(_e19.x, 0f), 1f), 4095f, 0.5f)) | (u32(fma(min(max(_e19.y, 0f), 1f), 4095f, 0.5f)) << bitcast<u32>(12u))) | ((_e35 & 255u) << bitcast<u32>(24u))), (((_e20.x >> bitcast<u32>(7u)) & 511u) ^ reverseBits(_e20.y)), ((countOneBits(_e20.z) * 1000u) + bitcast<u32>((bitcast<i32>(_e20.w) >> bitcast<u32>(5i)))), (bitcast<u32>((_e19.w * _e58)) + ((_e62 & 15u) * _e20.x)));
    return;
}

@fragment 
fn main(@location(0) in_u002e_var_u002e_COLOR: vec4<f32>, @location(1) @interpolate(flat) in_u002e_var_u002e_RAW: vec4<u32>) -> @location(0) vec4<u32> {
    in_u002e_var_u002e_COLOR_1 = in_u002e_var_u002e_COLOR;
    in_u002e_var_u002e_RAW_1 = in_u002e_var_u002e_RAW;
    main_1();
    let _e5 = out_u002e_var_u002e_SV_Target;
    return _e5;
}
