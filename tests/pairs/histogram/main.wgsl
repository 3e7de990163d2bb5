struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

struct type_u002e_Histogram {
    scale: f32,
}

struct type_u002e_RWStructuredBuffer_u002e_uint_1 {
    member: array<atomic<u32>>,
}

@group(0) @binding(100) 
var image: texture_2d<f32>;
@group(0) @binding(300) 
var<storage, read_write> bins: type_u002e_RWStructuredBuffer_u002e_uint_1;
var<workgroup> local: array<atomic<u32>, 32>;
@group(0) @binding(0) 
var<uniform> Histogram: type_u002e_Histogram;
var<private> global: vec3<u32>;
var<private> global_1: u32;

fn main_1() {
    let _e18 = global;
    let _e19 = global_1;
    if (_e19 < 32u) {
        atomicStore((&local[_e19]), 0u);
    }
    workgroupBarrier();
    let _e22 = textureDimensions(image, 0i);
    if ((_e18.x < _e22.x) && (_e18.y < _e22.y)) {
        let _e36 = textureLoad(image, vec3<i32>(bitcast<i32>(_e18.x), bitcast<i32>(_e18.y), 0i).xy, 0i);
        let _e40 = Histogram.scale;
        let _e46 = atomicAdd((&local[u32(min(max((dot(_e36.xyz, vec3<f32>(0.2126f, 0.7152f, 0.0722f)) * _e40), 0f), 31f))]), 1u);
    }
    workgroupBarrier();
    let _e50 = atomicLoad((&local[_e19]));
    if ((_e19 < min(arrayLength((&bins.member)), 32u)) && (_e50 > 0u)) {
        let _e55 = atomicLoad((&local[_e19]));
        let _e56 = atomicAdd((&bins.member[_e19]), _e55);
    }
    return;
}

@compute @workgroup_size(8, 8, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>, @builtin(local_invocation_index) param_1: u32) {
    global = param;
    global_1 = param_1;
    main_1();
}
