struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

struct type_u002e_Histogram {
    size: vec2<u32>,
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
    let _e20 = (_e19 < 32u);
    if _e20 {
        atomicStore((&local[_e19]), 0u);
    }
    workgroupBarrier();
    let _e25 = Histogram.size[0i];
    let _e30 = Histogram.size[1i];
    if ((_e18.x < _e25) && (_e18.y < _e30)) {
        let _e37 = textureLoad(image, vec3<i32>(bitcast<i32>(_e18.x), bitcast<i32>(_e18.y), 0i).xy, 0i);
        let _e41 = Histogram.scale;
        let _e47 = atomicAdd((&local[u32(min(max((dot(_e37.xyz, vec3<f32>(0.25f, 0.5f, 0.25f)) * _e41), 0f), 31f))]), 1u);
    }
    workgroupBarrier();
    let _e49 = atomicLoad((&local[_e19]));
    if (_e20 && (_e49 > 0u)) {
        let _e54 = atomicLoad((&local[_e19]));
        let _e55 = atomicAdd((&bins.member[_e19]), _e54);
    }
    return;
}

@compute @workgroup_size(8, 8, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>, @builtin(local_invocation_index) param_1: u32) {
    global = param;
    global_1 = param_1;
    main_1();
}
