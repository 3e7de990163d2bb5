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
    var phi_55_: f32;
    var phi_62_: u32;

    let _e17 = global;
    let _e18 = global_1;
    let _e19 = global_2;
    phi_55_ = 0.5f;
    if (_e17.x < arrayLength((&source.member))) {
        let _e26 = source.member[_e17.x];
        phi_55_ = _e26;
    }
    let _e28 = phi_55_;
    sums[_e18] = fma(_e28, _e28, 1f);
    highest[_e18] = (bitcast<u32>(_e28) & 2147483647u);
    phi_62_ = 32u;
    loop {
        let _e35 = phi_62_;
        if (_e35 > 0u) {
            workgroupBarrier();
            if (_e18 < _e35) {
                let _e38 = (_e18 + _e35);
                let _e40 = sums[_e38];
                let _e41 = sums[_e18];
                sums[_e18] = (_e41 + _e40);
                let _e43 = highest[_e18];
                let _e45 = highest[_e38];
                highest[_e18] = max(_e43, _e45);
            }
            continue;
        } else {
            break;
        }
        continuing {
            phi_62_ = (_e35 >> bitcast<u32>(1u));
        }
    }
    if ((_e18 == 0u) && (_e19.x < arrayLength((&result.member)))) {
        let _e56 = sums[0i];
        let _e59 = highest[0i];
        result.member[_e19.x] = vec2<u32>(bitcast<u32>(_e56), _e59);
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
