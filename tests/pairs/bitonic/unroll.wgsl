struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

@group(0) @binding(300) 
var<storage, read_write> keys: type_u002e_RWStructuredBuffer_u002e_uint;
var<workgroup> local: array<u32, 128>;
var<private> global: u32;
var<private> global_1: vec3<u32>;

fn main_1() {
    var phi_51_: u32;
    var phi_59_: u32;

    let _e12 = global;
    let _e13 = global_1;
    let _e17 = arrayLength((&keys.member));
    local[_e12] = 4294967295u;
    local[(_e12 + 64u)] = 4294967295u;
    let _e21 = ((_e13.x * 128u) + _e12);
    let _e22 = (_e21 < _e17);
    if _e22 {
        let _e25 = keys.member[_e21];
        local[_e12] = _e25;
    }
    let _e26 = (_e21 + 64u);
    let _e27 = (_e26 < _e17);
    if _e27 {
        let _e30 = keys.member[_e26];
        local[(_e12 + 64u)] = _e30;
    }
    phi_51_ = 2u;
    loop {
        let _e32 = phi_51_;
        if (_e32 <= 128u) {
            phi_59_ = (_e32 >> bitcast<u32>(1u));
            loop {
                let _e37 = phi_59_;
                if (_e37 > 0u) {
                    workgroupBarrier();
                    let _e39 = (_e37 - 1u);
                    let _e45 = (((_e12 & ~(_e39)) << bitcast<u32>(1u)) | (_e12 & _e39));
                    let _e47 = local[_e45];
                    let _e50 = local[(_e45 + _e37)];
                    if ((_e47 > _e50) == ((_e45 & _e32) == 0u)) {
                        local[_e45] = _e50;
                        local[(_e45 + _e37)] = _e47;
                    }
                    continue;
                } else {
                    break;
                }
                continuing {
                    phi_59_ = (_e37 >> bitcast<u32>(1u));
                }
            }
            continue;
        } else {
            break;
        }
        continuing {
            phi_51_ = (_e32 << bitcast<u32>(1u));
        }
    }
    workgroupBarrier();
    if _e22 {
        let _e59 = local[_e12];
        keys.member[_e21] = _e59;
    }
    if _e27 {
        let _e62 = local[(_e12 + 64u)];
        keys.member[_e26] = _e62;
    }
    return;
}

@compute @workgroup_size(64, 1, 1) 
fn main(@builtin(local_invocation_index) param: u32, @builtin(workgroup_id) param_1: vec3<u32>) {
    global = param;
    global_1 = param_1;
    main_1();
}
