struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

@group(0) @binding(300) 
var<storage, read_write> data: type_u002e_RWStructuredBuffer_u002e_uint;
var<workgroup> local: array<u32, 64>;
var<private> global: vec3<u32>;
var<private> global_1: u32;

fn main_1() {
    var phi_39_: u32;
    var phi_53_: u32;

    let _e10 = global;
    let _e11 = global_1;
    local[_e11] = 0u;
    let _e16 = (_e10.x < arrayLength((&data.member)));
    if _e16 {
        let _e19 = data.member[_e10.x];
        local[_e11] = _e19;
    }
    phi_39_ = 1u;
    loop {
        let _e21 = phi_39_;
        if (_e21 < 64u) {
            workgroupBarrier();
            let _e23 = local[_e11];
            phi_53_ = _e23;
            if (_e11 >= _e21) {
                let _e27 = local[(_e11 - _e21)];
                phi_53_ = (_e23 + _e27);
            }
            let _e30 = phi_53_;
            workgroupBarrier();
            local[_e11] = _e30;
            continue;
        } else {
            break;
        }
        continuing {
            phi_39_ = (_e21 << bitcast<u32>(1u));
        }
    }
    if _e16 {
        let _e33 = local[_e11];
        data.member[_e10.x] = _e33;
    }
    return;
}

@compute @workgroup_size(64, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>, @builtin(local_invocation_index) param_1: u32) {
    global = param;
    global_1 = param_1;
    main_1();
}
