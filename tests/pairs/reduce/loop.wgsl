struct type_u002e_StructuredBuffer_u002e_float {
    member: array<f32>,
}

struct type_u002e_RWStructuredBuffer_u002e_v2uint {
    member: array<vec2<u32>>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_StructuredBuffer_u002e_float;
@group(0) @binding(300) 
var<storage, read_write> result: type_u002e_RWStructuredBuffer_u002e_v2uint;
var<workgroup> sums: array<f32, 64>;
var<workgroup> highest: array<u32, 64>;
var<private> global: vec3<u32>;
var<private> global_1: u32;
var<private> global_2: vec3<u32>;

fn main_1() {
    var phi_56_: u32;

    let _e16 = global;
    let _e17 = global_1;
    let _e18 = global_2;
    let _e22 = source.member[_e16.x];
    sums[_e17] = fma(_e22, _e22, 1f);
    highest[_e17] = (bitcast<u32>(_e22) & 2147483647u);
    phi_56_ = 32u;
    loop {
        let _e29 = phi_56_;
        if (_e29 > 0u) {
            workgroupBarrier();
            if (_e17 < _e29) {
                let _e32 = (_e17 + _e29);
                let _e34 = sums[_e32];
                let _e35 = sums[_e17];
                sums[_e17] = (_e35 + _e34);
                let _e37 = highest[_e17];
                let _e39 = highest[_e32];
                highest[_e17] = max(_e37, _e39);
            }
            continue;
        } else {
            break;
        }
        continuing {
            phi_56_ = (_e29 >> bitcast<u32>(1u));
        }
    }
    if (_e17 == 0u) {
        let _e45 = sums[0i];
        let _e48 = highest[0i];
        result.member[_e18.x] = vec2<u32>(bitcast<u32>(_e45), _e48);
    }
    return;
}

@compute @workgroup_size(64, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>, @builtin(local_invocation_index) param_1: u32, @builtin(workgroup_id) param_2: vec3<u32>) {
    global = param;
    global_1 = param_1;
    global_2 = param_2;
    main_1();
}
