struct type_u002e_StructuredBuffer_u002e_uint {
    member: array<u32>,
}

struct type_u002e_RWStructuredBuffer_u002e_v2uint {
    member: array<vec2<u32>>,
}

@group(0) @binding(100) 
var<storage> source: type_u002e_StructuredBuffer_u002e_uint;
@group(0) @binding(300) 
var<storage, read_write> target_: type_u002e_RWStructuredBuffer_u002e_v2uint;
var<private> global: vec3<u32>;

fn main_1() {
    var phi_46_: u32;
    var phi_49_: u32;
    var phi_51_: u32;
    var phi_52_: u32;
    var phi_47_: u32;
    var phi_82_: u32;
    var local: u32;
    var local_1: u32;
    var local_2: u32;

    let _e12 = global;
    switch bitcast<i32>(0u) {
        default: {
            if (_e12.x >= min(arrayLength((&source.member)), arrayLength((&target_.member)))) {
                break;
            }
            let _e23 = source.member[_e12.x];
            phi_46_ = 0u;
            phi_49_ = 0u;
            phi_51_ = (_e23 & 65535u);
            loop {
                let _e26 = phi_46_;
                let _e28 = phi_49_;
                let _e30 = phi_51_;
                phi_82_ = _e26;
                local = _e28;
                if ((_e30 > 1u) && (_e28 < 60u)) {
                    if ((_e30 & 1u) != 0u) {
                        phi_52_ = ((_e30 * 3u) + 1u);
                    } else {
                        phi_52_ = (_e30 >> bitcast<u32>(1u));
                    }
                    let _e41 = phi_52_;
                    local_2 = _e41;
                    switch bitcast<i32>((_e41 & 7u)) {
                        case 0: {
                            phi_47_ = (_e26 | 1u);
                            break;
                        }
                        case 3, 5: {
                            phi_47_ = (_e26 ^ _e41);
                            break;
                        }
                        case 6: {
                            phi_47_ = ((_e26 << bitcast<u32>(1u)) | (_e26 >> bitcast<u32>(31u)));
                            break;
                        }
                        default: {
                            phi_47_ = (_e26 + 7u);
                            break;
                        }
                    }
                    let _e53 = phi_47_;
                    local_1 = _e53;
                    if (_e53 == 57005u) {
                        phi_82_ = _e53;
                        break;
                    }
                    continue;
                } else {
                    break;
                }
                continuing {
                    let _e65 = local_1;
                    phi_46_ = _e65;
                    phi_49_ = (_e28 + 1u);
                    let _e69 = local_2;
                    phi_51_ = _e69;
                }
            }
            let _e57 = phi_82_;
            let _e59 = local;
            target_.member[_e12.x] = vec2<u32>(_e59, _e57);
            break;
        }
    }
    return;
}

@compute @workgroup_size(32, 1, 1) 
fn main(@builtin(global_invocation_id) param: vec3<u32>) {
    global = param;
    main_1();
}
