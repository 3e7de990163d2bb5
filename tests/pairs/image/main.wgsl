struct type_u002e_Grade {
    size: vec2<u32>,
    levels: vec2<f32>,
    gain: vec4<f32>,
}

@group(0) @binding(100) 
var source: texture_2d<f32>;
@group(0) @binding(300) 
var target_: texture_storage_2d<rgba32float,read_write>;
@group(0) @binding(0) 
var<uniform> Grade: type_u002e_Grade;
var<private> global: vec3<u32>;

fn main_1() {
    let _e11 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e13 = _e11.xy;
            let _e15 = Grade.size;
            if any((_e13 >= _e15)) {
                break;
            }
            let _e20 = Grade.size[0i];
            let _e29 = textureLoad(source, vec3<i32>(bitcast<i32>(((_e20 - 1u) - _e11.x)), bitcast<i32>(_e11.y), 0i).xy, 0i);
            let _e33 = Grade.levels[0i];
            let _e39 = Grade.levels[1i];
            let _e40 = (max((_e29.xyz - vec3(_e33)), vec3<f32>(0f, 0f, 0f)) * _e39);
            let _e47 = Grade.gain;
            textureStore(target_, _e13, (vec4<f32>(_e40.x, _e40.y, _e40.z, _e29.w) * _e47));
            break;
        }
    }
    return;
}

@compute @workgroup_size(8, 8, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
