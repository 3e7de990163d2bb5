struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

@group(0) @binding(300) 
var<storage, read_write> data: type_u002e_RWStructuredBuffer_u002e_uint;
var<workgroup> local: array<u32, 64>;
var<private> global: vec3<u32>;
var<private> global_1: u32;

fn main_1() {
    var phi_34_: u32;
    var phi_48_: u32;

    let _e9 = global;
    let _e10 = global_1;
    let _e14 = data.member[_e9.x];
    local[_e10] = _e14;
    phi_34_ = 1u;
    loop {
        let _e17 = phi_34_;
        if (_e17 < 64u) {
            workgroupBarrier();
            let _e19 = local[_e10];
            phi_48_ = _e19;
            if (_e10 >= _e17) {
                let _e23 = local[(_e10 - _e17)];
                phi_48_ = (_e19 + _e23);
            }
            let _e26 = phi_48_;
            workgroupBarrier();
            local[_e10] = _e26;
            continue;
        } else {
            break;
        }
        continuing {
            phi_34_ = (_e17 << bitcast<u32>(1u));
        }
    }
    let _e29 = local[_e10];
    data.member[_e9.x] = _e29;
    return;
}

@compute @workgroup_size(64, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>, @builtin(local_invocation_index) param_1: u32) {
    global = param;
    global_1 = param_1;
    main_1();
}
