struct type_u002e_Grade {
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
    let _e10 = global;
    switch bitcast<i32>(0u) {
        default: {
            let _e12 = textureDimensions(source, 0i);
            let _e14 = textureDimensions(target_);
            let _e15 = _e10.xy;
            if any((_e15 >= min(_e12, _e14))) {
                break;
            }
            let _e27 = textureLoad(source, vec3<i32>(bitcast<i32>(((_e12.x - 1u) - _e10.x)), bitcast<i32>(_e10.y), 0i).xy, 0i);
            let _e31 = Grade.levels[0i];
            let _e37 = Grade.levels[1i];
            let _e38 = (max((_e27.xyz - vec3(_e31)), vec3<f32>(0f, 0f, 0f)) * _e37);
            let _e45 = Grade.gain;
            textureStore(target_, _e15, (vec4<f32>(_e38.x, _e38.y, _e38.z, _e27.w) * _e45));
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
