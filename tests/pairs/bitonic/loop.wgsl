struct type_u002e_RWStructuredBuffer_u002e_uint {
    member: array<u32>,
}

@group(0) @binding(300) 
var<storage, read_write> keys: type_u002e_RWStructuredBuffer_u002e_uint;
var<workgroup> local: array<u32, 128>;
var<private> global: u32;
var<private> global_1: vec3<u32>;

fn main_1() {
    var phi_43_: u32;
    var phi_51_: u32;

    let _e11 = global;
    let _e12 = global_1;
    let _e15 = ((_e12.x * 128u) + _e11);
    let _e18 = keys.member[_e15];
    local[_e11] = _e18;
    let _e23 = keys.member[(_e15 + 64u)];
    local[(_e11 + 64u)] = _e23;
    phi_43_ = 2u;
    loop {
        let _e27 = phi_43_;
        if (_e27 <= 128u) {
            phi_51_ = (_e27 >> bitcast<u32>(1u));
            loop {
                let _e32 = phi_51_;
                if (_e32 > 0u) {
                    workgroupBarrier();
                    let _e34 = (_e32 - 1u);
                    let _e40 = (((_e11 & ~(_e34)) << bitcast<u32>(1u)) | (_e11 & _e34));
                    let _e42 = local[_e40];
                    let _e45 = local[(_e40 + _e32)];
                    if ((_e42 > _e45) == ((_e40 & _e27) == 0u)) {
                        local[_e40] = _e45;
                        local[(_e40 + _e32)] = _e42;
                    }
                    continue;
                } else {
                    break;
                }
                continuing {
                    phi_51_ = (_e32 >> bitcast<u32>(1u));
                }
            }
            continue;
        } else {
            break;
        }
        continuing {
            phi_43_ = (_e27 << bitcast<u32>(1u));
        }
    }
    workgroupBarrier();
    let _e54 = local[_e11];
    keys.member[_e15] = _e54;
    let _e55 = local[(_e11 + 64u)];
    keys.member[(_e15 + 64u)] = _e55;
    return;
}

@compute @workgroup_size(64, 1, 1) 
fn main(@builtin(local_invocation_index) param: u32, @builtin(workgroup_id) param_1: vec3<u32>) {
    global = param;
    global_1 = param_1;
    main_1();
}
